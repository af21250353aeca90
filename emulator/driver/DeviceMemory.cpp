// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations of whole pages with one that is never there between them, in one reserved range of addresses.

#include "../execute/Environment.h"
#include "State.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace cuda_emu {

static size_t pageSize() {
  static const size_t size = sysconf(_SC_PAGESIZE);
  return size;
}

std::string DeviceMemory::describe(CUdeviceptr address) const {
  if (contains(address, 0))
    return "";
  if (!isReserved(address))
    return ", which is no memory of the device";
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return ", where nothing is allocated";
  --after;
  CUdeviceptr end = after->first + after->second.bytes;
  return ", " + std::to_string(address - end) + " bytes behind an allocation of " +
         std::to_string(after->second.bytes) + " bytes";
}

std::vector<Range> DeviceMemory::ranges() {
  std::vector<Range> result;
  for (auto &[address, allocation] : allocations)
    result.push_back(
        {address, address + allocation.bytes, allocation.written.empty() ? nullptr : allocation.written.data()});
  return result;
}

DeviceMemory::Allocation *DeviceMemory::find(CUdeviceptr address, size_t &offset) {
  auto found = allocations.upper_bound(address);
  if (found == allocations.begin())
    return nullptr;
  --found;
  offset = address - found->first;
  return offset < found->second.bytes ? &found->second : nullptr;
}

void DeviceMemory::noteFill(CUdeviceptr to, size_t bytes) {
  size_t offset;
  Allocation *target = find(to, offset);
  if (target && !target->written.empty())
    setBits(target->written.data(), offset, offset + bytes);
}

void DeviceMemory::noteCopy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  size_t offset, sourceOffset;
  Allocation *target = find(to, offset), *source = find(from, sourceOffset);
  if (!target || target->written.empty())
    return;
  if (!source || source->written.empty())
    return setBits(target->written.data(), offset, offset + bytes);
  for (size_t n = 0; n < bytes; ++n) {
    if (isAnySet(source->written.data(), sourceOffset + n, sourceOffset + n + 1))
      setBits(target->written.data(), offset + n, offset + n + 1);
    else
      target->written[(offset + n) / 64] &= ~(uint64_t(1) << (offset + n) % 64);
  }
}

void DeviceMemory::noteAll() {
  for (auto &[address, allocation] : allocations)
    allocation.written.clear();
}

DeviceMemory &DeviceMemory::get() {
  static DeviceMemory *memory = [] {
    auto *created = new DeviceMemory;
    describeAddress = [](uint64_t address) { return get().describe(address); };
    allocatedRanges = [] { return get().ranges(); };
    return created;
  }();
  return *memory;
}

DeviceMemory::DeviceMemory() {
  size_t physical = size_t(sysconf(_SC_PHYS_PAGES)) * pageSize();
  total = physical / 4 * 3;
  total = environmentNumber("CUDA_EMU_MEMORY", total);
  isProtected = environmentFlag("CUDA_EMU_PROTECT", isProtected);
  for (reserved = size_t(1) << 40; reserved > total; reserved /= 2) {
    void *map = mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map != MAP_FAILED) {
      base = static_cast<char *>(map);
      break;
    }
  }
}

CUdeviceptr DeviceMemory::allocate(size_t bytes) {
  if (!base || bytes > total - used)
    return 0;
  size_t page = pageSize(), mapped = (std::max<size_t>(bytes, 1) + page - 1) / page * page;
  CUdeviceptr address;
  auto found = freed.find(mapped);
  if (found != freed.end()) {
    address = found->second;
    freed.erase(found);
  } else {
    size_t guard = std::max<size_t>(page, 64 * 1024); // also what an index a little too large reaches
    if (next + mapped + guard > reserved)
      return 0;
    address = reinterpret_cast<CUdeviceptr>(base) + next + guard;
    next += mapped + guard;
  }
  auto *start = reinterpret_cast<void *>(address);
  if (mprotect(start, mapped, PROT_READ | PROT_WRITE))
    return 0;
  // What nobody has written is nothing that anybody could expect. Pages of very large allocations stay untouched.
  if (bytes <= size_t(256) << 20)
    memset(start, 0xcd, bytes);
  if (isProtected && !openCount)
    mprotect(start, mapped, PROT_NONE);
  used += mapped;
  Allocation &created = allocations[address];
  created = {bytes, mapped, {}};
  if (environmentFlag("CUDA_EMU_CHECK"))
    created.written.resize((bytes + 63) / 64);
  return address;
}

bool DeviceMemory::release(CUdeviceptr memory) {
  auto found = allocations.find(memory);
  if (found == allocations.end())
    return false;
  auto *start = reinterpret_cast<void *>(memory);
  size_t mapped = found->second.mapped;
  mprotect(start, mapped, PROT_NONE);
  // Large ones would keep the host's memory.
  if (mapped > (size_t(64) << 20))
    madvise(start, mapped, MADV_DONTNEED);
  used -= mapped;
  freed.insert({mapped, memory});
  allocations.erase(found);
  return true;
}

bool DeviceMemory::contains(CUdeviceptr address, size_t bytes, CUdeviceptr *start, size_t *size) const {
  auto found = allocations.upper_bound(address);
  if (found == allocations.begin())
    return false;
  --found;
  size_t offset = address - found->first;
  if (offset > found->second.bytes || bytes > found->second.bytes - offset)
    return false;
  if (start)
    *start = found->first;
  if (size)
    *size = found->second.bytes;
  return true;
}

bool DeviceMemory::isReserved(CUdeviceptr address) const {
  return address - reinterpret_cast<CUdeviceptr>(base) < reserved;
}

void DeviceMemory::open() {
  if (openCount++ || !isProtected)
    return;
  for (const auto &[address, allocation] : allocations)
    mprotect(reinterpret_cast<void *>(address), allocation.mapped, PROT_READ | PROT_WRITE);
}

void DeviceMemory::close() {
  if (--openCount || !isProtected)
    return;
  for (const auto &[address, allocation] : allocations)
    mprotect(reinterpret_cast<void *>(address), allocation.mapped, PROT_NONE);
}

} // namespace cuda_emu
