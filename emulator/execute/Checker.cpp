// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow of memory: for each granule who wrote it last, and who has read it since.

#include "Checker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace cuda_emu {

std::vector<Range> (*allocatedRanges)() = nullptr;

constexpr uint64_t cellsOfPage = 1024;

static std::string hex(uint64_t value) { return "0x" + llvm::utohexstr(value, true); }

void Checker::beginLaunch(const Kernel &code) {
  kernel = &code;
  granule = code.granule;
  global.clear();
  shared.clear();
  lastPage = ~uint64_t(0);
  lists.resize(1);
  freeLists.clear();
  published.clear();
  allocations = allocatedRanges ? allocatedRanges() : std::vector<Range>();
}

void Checker::beginBlock(const Block &current, uint32_t number, unsigned count, const Thread *all) {
  block = &current;
  threads = all;
  serial = number;
  clocks.reset(count);
  for (Cell &cell : shared)
    if (cell.readers)
      freeLists.push_back(cell.readers);
  shared.assign((current.dynamicOffset + current.dynamicBytes + granule - 1) / granule, Cell());
  acquired.clear();
  publishedClocks.clear();
  hasFenced.assign(count, false);
  seen.assign(count, {});
}

Checker::Cell &Checker::globalCell(uint64_t index) {
  uint64_t number = index / cellsOfPage;
  if (number != lastPage) {
    Page &page = global[number];
    if (!page.cells)
      page.cells = std::make_unique<Cell[]>(cellsOfPage);
    lastPage = number;
    lastCells = page.cells.get();
  }
  return lastCells[index % cellsOfPage];
}

/// Finds out which memory it is, and whether the access may be.
std::string Checker::locate(Access &access, const Thread &thread, bool &isShared, bool &isTracked) const {
  isShared = access.space == AccessSpace::Shared;
  isTracked = true;
  if (access.space == AccessSpace::Generic && access.address >> 32 == sharedWindow() >> 32) {
    isShared = true;
    access.address -= sharedWindow();
  }
  auto what = [&] {
    return (access.flags & AccessWrite ? "write of " : "read of ") + std::to_string(access.bytes) + " bytes at " +
           (isShared ? "shared address " : "address ") + hex(access.address);
  };
  if (access.alignment && access.address % access.alignment)
    return what() + ": not aligned";
  if (isShared) {
    uint64_t size = block->dynamicOffset + block->dynamicBytes;
    if (access.address >> 32)
      return what() + ": this is no address of shared memory";
    if (access.address + access.bytes > size)
      return what() + ": out of bounds, there are " + std::to_string(size) + " bytes";
    return "";
  }
  auto parameters = reinterpret_cast<uint64_t>(block->parameters);
  if (access.space == AccessSpace::Local || access.space == AccessSpace::Param ||
      (access.space == AccessSpace::Generic && (access.address - parameters < kernel->parameterBytes ||
                                                access.address - thread.stackLow < thread.stackBytes))) {
    isTracked = false;
    bool inside =
        access.address - thread.stackLow < thread.stackBytes ||
        (access.address >= parameters && access.address + access.bytes <= parameters + kernel->parameterBytes);
    return inside ? "" : what() + ": this is no local memory of the thread";
  }
  auto found = std::upper_bound(allocations.begin(), allocations.end(), access.address,
                                [](uint64_t address, const Range &range) { return address < range.begin; });
  if (found != allocations.begin() && access.address + access.bytes <= found[-1].end)
    return "";
  return what() + ": out of bounds" + (describeAddress ? describeAddress(access.address + access.bytes) : "");
}

std::string Checker::race(const char *what, unsigned thread, uint32_t other, unsigned line, const Access &access,
                          bool isShared) const {
  std::string text = "race: ";
  text += access.flags & AccessAtomic ? "atomic " : "";
  text += access.flags & AccessWrite ? "write" : "read";
  text += " of " + std::to_string(access.bytes) + " bytes at " + (isShared ? "shared address " : "address ") +
          hex(access.address) + " and " + what + " at " + kernel->source->describe(line) + " by ";
  if (isShared || other == serial) {
    const uint32_t *tid = threads[thread].tid;
    text += "thread (" + std::to_string(tid[0]) + ", " + std::to_string(tid[1]) + ", " + std::to_string(tid[2]) + ")";
  } else {
    text += "another block";
  }
  return text + " are not ordered";
}

void Checker::addReader(Cell &cell, const Thread &thread, const Access &access) {
  if (!cell.readers) {
    if (freeLists.empty()) {
      cell.readers = lists.size();
      lists.emplace_back();
    } else {
      cell.readers = freeLists.back();
      freeLists.pop_back();
      lists[cell.readers].few.clear();
      lists[cell.readers].times.clear();
    }
  }
  Readers &list = lists[cell.readers];
  uint32_t now = clocks.time(thread.linear);
  list.line = access.line;
  if (!list.times.empty()) {
    list.times[thread.linear] = now;
    return;
  }
  for (Reader &reader : list.few)
    if (reader.thread == thread.linear) {
      reader.time = now;
      return;
    }
  if (list.few.size() == 8) {
    // Reads that happened before this one are covered by it.
    llvm::erase_if(list.few,
                   [&](const Reader &reader) { return clocks.isBefore(reader.thread, reader.time, thread.linear); });
    if (list.few.size() == 8) {
      list.times.assign(clocks.size(), 0);
      for (const Reader &reader : list.few)
        list.times[reader.thread] = reader.time;
      list.times[thread.linear] = now;
      return;
    }
  }
  list.few.push_back({uint16_t(thread.linear), now});
}

/// A thread whose read does not happen before what `thread` does now, or -1.
int Checker::findReader(const Readers &list, const Thread &thread) const {
  if (list.times.empty()) {
    for (const Reader &reader : list.few)
      if (!clocks.isBefore(reader.thread, reader.time, thread.linear))
        return reader.thread;
    return -1;
  }
  for (unsigned other = 0; other < list.times.size(); ++other)
    if (!clocks.isBefore(other, list.times[other], thread.linear))
      return other;
  return -1;
}

std::string Checker::record(Cell &cell, const Thread &thread, const Access &access, bool isShared) {
  bool isWrite = access.flags & AccessWrite, isAtomic = access.flags & AccessAtomic;
  if (cell.isPending)
    return race("an asynchronous copy", cell.writeThread, serial, cell.writeLine, access, isShared);
  if (!isShared) {
    // Among blocks nothing is ordered but by atomics with fences.
    bool otherWrote = cell.writeTime && cell.writeBlock != serial;
    bool otherRead = cell.readBlock && (cell.isReadByMany || cell.readBlock != serial);
    if (otherWrote && !(isAtomic && cell.isWriteAtomic) && !acquired.count(cell.writeBlock))
      return race("a write", 0, cell.writeBlock, cell.writeLine, access, false);
    if (isWrite && otherRead && !(isAtomic && cell.areReadsAtomic) &&
        (cell.isReadByMany || !acquired.count(cell.readBlock)))
      return race("a read", 0, cell.readBlock == serial ? 0 : cell.readBlock, cell.readLine, access, false);
    if (cell.readBlock != serial && cell.readers) {
      freeLists.push_back(cell.readers);
      cell.readers = 0;
    }
  } else if (!isWrite && !cell.writeTime) {
    return "read of " + std::to_string(access.bytes) + " bytes at shared address " + hex(access.address) +
           ": nothing was written there";
  }
  bool mine = isShared || cell.writeBlock == serial;
  if (cell.writeTime && mine && !(isAtomic && cell.isWriteAtomic) &&
      !clocks.isBefore(cell.writeThread, cell.writeTime, thread.linear))
    return race("a write", cell.writeThread, cell.writeBlock, cell.writeLine, access, isShared);
  if (!isWrite) {
    addReader(cell, thread, access);
    cell.areReadsAtomic &= isAtomic;
    cell.isReadByMany |= cell.readBlock && cell.readBlock != serial;
    cell.readBlock = serial;
    cell.readLine = access.line;
    return "";
  }
  if (cell.readers && !(isAtomic && cell.areReadsAtomic)) {
    const Readers &list = lists[cell.readers];
    int reader = findReader(list, thread);
    if (reader >= 0)
      return race("a read", reader, serial, list.line, access, isShared);
  }
  if (cell.readers)
    freeLists.push_back(cell.readers);
  cell = Cell();
  cell.writeThread = thread.linear;
  cell.writeTime = clocks.time(thread.linear);
  cell.writeLine = access.line;
  cell.writeBlock = serial;
  cell.isWriteAtomic = isAtomic;
  return "";
}

std::string Checker::check(const Thread &thread, const Access &wanted) {
  Access access = wanted;
  bool isShared, isTracked;
  std::string problem = locate(access, thread, isShared, isTracked);
  if (!problem.empty() || !isTracked || access.space == AccessSpace::Const)
    return problem;
  unsigned linear = thread.linear;
  uint64_t key = isShared ? access.address | uint64_t(1) << 63 : access.address;
  // An atomic that acquires sees what was published at its address; one that releases publishes.
  if (access.flags & AccessAtomic) {
    bool acquires = access.flags & AccessAcquire;
    if (acquires) {
      auto blocks = published.find(key);
      if (blocks != published.end())
        acquired.insert(blocks->second.begin(), blocks->second.end());
      auto clock = publishedClocks.find(key);
      if (clock != publishedClocks.end())
        clocks.acquire(linear, clock->second);
    } else {
      seen[linear].push_back(key);
    }
  }
  for (uint64_t at = access.address / granule, end = (access.address + access.bytes + granule - 1) / granule; at < end;
       ++at) {
    problem = record(isShared ? shared[at] : globalCell(at), thread, access, isShared);
    if (!problem.empty())
      return problem;
  }
  if ((access.flags & AccessAtomic) && (access.flags & AccessWrite) &&
      ((access.flags & AccessRelease) || hasFenced[linear])) {
    auto &blocks = published[key];
    blocks.insert(acquired.begin(), acquired.end());
    blocks.insert(serial);
    auto merged = std::make_shared<Clock>();
    if (auto &old = publishedClocks[key])
      *merged = *old;
    clocks.publish(linear, *merged);
    publishedClocks[key] = std::move(merged);
  }
  return "";
}

void Checker::setPending(uint64_t address, unsigned bytes, bool isPending) {
  for (uint64_t at = address / granule; at < (address + bytes + granule - 1) / granule; ++at)
    shared[at].isPending = isPending;
}

void Checker::fence(const Thread &thread) {
  hasFenced[thread.linear] = true;
  for (uint64_t key : seen[thread.linear]) {
    auto blocks = published.find(key);
    if (blocks != published.end())
      acquired.insert(blocks->second.begin(), blocks->second.end());
    auto clock = publishedClocks.find(key);
    if (clock != publishedClocks.end())
      clocks.acquire(thread.linear, clock->second);
  }
  seen[thread.linear].clear();
}

} // namespace cuda_emu
