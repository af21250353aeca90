// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations, copies and fills. Copies out of bounds are refused.

#include "State.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace cuda_emu;

static CUresult allocate(CUdeviceptr *memory, size_t bytes) {
  if (!memory || !bytes)
    return CUDA_ERROR_INVALID_VALUE;
  *memory = DeviceMemory::get().allocate(bytes);
  return *memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUDA_EMU_API CUresult cuMemAlloc_v2(CUdeviceptr *memory, size_t bytes) {
  Lock lock(stateMutex());
  CUresult state = ready();
  return state ? state : allocate(memory, bytes);
}

CUDA_EMU_API CUresult cuMemFree_v2(CUdeviceptr memory) {
  Lock lock(stateMutex());
  drainAll();
  return !memory || DeviceMemory::get().release(memory) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// An allocation that is captured has its address at once and stays until the graph is gone: a graph's own memory is not
// modelled beyond that.
CUDA_EMU_API CUresult cuMemAllocAsync(CUdeviceptr *memory, size_t bytes, CUstream) {
  return cuMemAlloc_v2(memory, bytes);
}
CUDA_EMU_API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *memory, size_t bytes, CUmemoryPool, CUstream) {
  return cuMemAlloc_v2(memory, bytes);
}
CUDA_EMU_API CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream) {
  Lock lock(stateMutex());
  if (!isDefault(stream) && stream->capture)
    return DeviceMemory::get().contains(memory, 0) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  if (!memory)
    return CUDA_SUCCESS;
  CUdeviceptr start;
  if (!DeviceMemory::get().contains(memory, 0, &start) || start != memory)
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, [=] { return DeviceMemory::get().release(memory) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; });
}

CUDA_EMU_API CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  Lock lock(stateMutex());
  *free = DeviceMemory::get().freeBytes();
  *total = DeviceMemory::get().totalBytes();
  return CUDA_SUCCESS;
}

// Copies that do not wait read and write the host's memory later only where that is pinned.
static std::map<uint64_t, uint64_t> &pinned() { // ends of ranges by their beginnings
  static auto *ranges = new std::map<uint64_t, uint64_t>;
  return *ranges;
}
static bool isPinned(CUdeviceptr address) {
  auto after = pinned().upper_bound(address);
  return after != pinned().begin() && address < std::prev(after)->second;
}

CUDA_EMU_API CUresult cuMemHostRegister_v2(void *memory, size_t bytes, unsigned) {
  Lock lock(stateMutex());
  auto begin = reinterpret_cast<uint64_t>(memory);
  pinned()[begin] = begin + bytes;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuMemHostUnregister(void *memory) {
  Lock lock(stateMutex());
  pinned().erase(reinterpret_cast<uint64_t>(memory));
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
  *memory = nullptr;
  if (posix_memalign(memory, 4096, std::max<size_t>(bytes, 1)))
    return CUDA_ERROR_OUT_OF_MEMORY;
  return cuMemHostRegister_v2(*memory, bytes, flags);
}
CUDA_EMU_API CUresult cuMemAllocHost_v2(void **memory, size_t bytes) { return cuMemHostAlloc(memory, bytes, 0); }
CUDA_EMU_API CUresult cuMemFreeHost(void *memory) {
  Lock lock(stateMutex());
  drainAll();
  cuMemHostUnregister(memory);
  free(memory);
  return CUDA_SUCCESS;
}

// --- Pools: one heap serves all of them ---

CUDA_EMU_API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice) {
  static CUmemPoolHandle_st standard;
  *pool = &standard;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  return cuDeviceGetDefaultMemPool(pool, device);
}
CUDA_EMU_API CUresult cuMemPoolCreate(CUmemoryPool *pool, const void *) {
  *pool = new CUmemPoolHandle_st;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  delete pool;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuMemPoolSetAttribute(CUmemoryPool, int, void *) { return CUDA_SUCCESS; }
CUDA_EMU_API CUresult cuMemPoolTrimTo(CUmemoryPool, size_t) { return CUDA_SUCCESS; }

CUDA_EMU_API CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address) {
  Lock lock(stateMutex());
  CUdeviceptr start = 0;
  size_t size = 0;
  bool isDevice = DeviceMemory::get().contains(address, 0, &start, &size);
  if (!isDevice)
    return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    *static_cast<CUcontext *>(data) = &context();
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<unsigned *>(data) = 2;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *static_cast<CUdeviceptr *>(data) = address;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *static_cast<unsigned *>(data) = 0;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *static_cast<int *>(data) = 0;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    *static_cast<CUdeviceptr *>(data) = start;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    *static_cast<size_t *>(data) = size;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUDA_EMU_API CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr address) {
  Lock lock(stateMutex());
  CUdeviceptr start;
  size_t bytes;
  if (!DeviceMemory::get().contains(address, 0, &start, &bytes))
    return CUDA_ERROR_INVALID_VALUE;
  if (base)
    *base = start;
  if (size)
    *size = bytes;
  return CUDA_SUCCESS;
}

// --- Copies ---

namespace {

bool isHost(CUdeviceptr address) { return !DeviceMemory::get().isReserved(address); }

/// Addresses of the device have to be in an allocation; `toDevice` and `fromDevice` say which have to be.
bool mayCopy(CUdeviceptr to, CUdeviceptr from, size_t bytes, bool toDevice, bool fromDevice) {
  DeviceMemory &memory = DeviceMemory::get();
  return ((!toDevice && isHost(to)) || memory.contains(to, bytes)) &&
         ((!fromDevice && isHost(from)) || memory.contains(from, bytes));
}

CUresult enqueueCopy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, bool toDevice, bool fromDevice) {
  Lock lock(stateMutex());
  if (CUresult state = ready())
    return state;
  if (!bytes)
    return CUDA_SUCCESS;
  if (!mayCopy(to, from, bytes, toDevice, fromDevice))
    return CUDA_ERROR_INVALID_VALUE;
  bool isCaptured = !isDefault(stream) && stream->capture,
       isLate = !isDefault(stream) && areStreamsLate() && !isCaptured;
  std::shared_ptr<std::vector<char>> staged;
  if (isLate && isHost(from) && !isPinned(from))
    staged = std::make_shared<std::vector<char>>(reinterpret_cast<const char *>(from),
                                                 reinterpret_cast<const char *>(from) + bytes);
  CUresult result = enqueue(stream, [=] {
    if (!mayCopy(to, from, bytes, toDevice, fromDevice)) // any more
      return CUDA_ERROR_INVALID_VALUE;
    OpenMemory open;
    DeviceMemory::get().noteCopy(to, from, bytes);
    memmove(reinterpret_cast<void *>(to), staged ? staged->data() : reinterpret_cast<const void *>(from), bytes);
    return CUDA_SUCCESS;
  });
  if (isLate && isHost(to) && !isPinned(to))
    drain(stream);
  return result;
}

CUdeviceptr bits(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

template <typename T> CUresult fill(CUdeviceptr to, T value, size_t count, CUstream stream) {
  Lock lock(stateMutex());
  if (CUresult state = ready())
    return state;
  if (to % sizeof(T) || count > ~size_t(0) / sizeof(T))
    return CUDA_ERROR_INVALID_VALUE;
  if (!count)
    return CUDA_SUCCESS;
  if (!DeviceMemory::get().contains(to, count * sizeof(T)))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, [=]() -> CUresult {
    if (!DeviceMemory::get().contains(to, count * sizeof(T))) // any more
      return CUDA_ERROR_INVALID_VALUE;
    OpenMemory open;
    DeviceMemory::get().noteFill(to, count * sizeof(T));
    std::fill_n(reinterpret_cast<T *>(to), count, value);
    return CUDA_SUCCESS;
  });
}

} // namespace

CUDA_EMU_API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  return enqueueCopy(to, bits(from), bytes, nullptr, true, false);
}
CUDA_EMU_API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  return enqueueCopy(bits(to), from, bytes, nullptr, false, true);
}
CUDA_EMU_API CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return enqueueCopy(to, from, bytes, nullptr, true, true);
}
CUDA_EMU_API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return enqueueCopy(to, from, bytes, nullptr, false, false);
}
CUDA_EMU_API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  return enqueueCopy(to, bits(from), bytes, stream, true, false);
}
CUDA_EMU_API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return enqueueCopy(bits(to), from, bytes, stream, false, true);
}
CUDA_EMU_API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return enqueueCopy(to, from, bytes, stream, true, true);
}
CUDA_EMU_API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return enqueueCopy(to, from, bytes, stream, false, false);
}
CUDA_EMU_API CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill(to, value, count, nullptr);
}
CUDA_EMU_API CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill(to, value, count, nullptr);
}
CUDA_EMU_API CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fill(to, value, count, nullptr);
}
CUDA_EMU_API CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill(to, value, count, stream);
}
CUDA_EMU_API CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill(to, value, count, stream);
}
CUDA_EMU_API CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return fill(to, value, count, stream);
}
