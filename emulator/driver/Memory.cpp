// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations, copies and fills. Copies out of bounds are refused.

#include "State.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

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
  if (stream && stream->capture)
    return DeviceMemory::get().contains(memory, 0) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  return cuMemFree_v2(memory);
}

CUDA_EMU_API CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  Lock lock(stateMutex());
  *free = DeviceMemory::get().freeBytes();
  *total = DeviceMemory::get().totalBytes();
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  *memory = nullptr;
  if (posix_memalign(memory, 4096, std::max<size_t>(bytes, 1)))
    return CUDA_ERROR_OUT_OF_MEMORY;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuMemAllocHost_v2(void **memory, size_t bytes) { return cuMemHostAlloc(memory, bytes, 0); }
CUDA_EMU_API CUresult cuMemFreeHost(void *memory) {
  free(memory);
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuMemHostRegister_v2(void *, size_t, unsigned) { return CUDA_SUCCESS; }
CUDA_EMU_API CUresult cuMemHostUnregister(void *) { return CUDA_SUCCESS; }

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
CUresult copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, bool toDevice, bool fromDevice) {
  DeviceMemory &memory = DeviceMemory::get();
  if (!bytes)
    return CUDA_SUCCESS;
  if (toDevice || !isHost(to))
    if (!memory.contains(to, bytes))
      return CUDA_ERROR_INVALID_VALUE;
  if (fromDevice || !isHost(from))
    if (!memory.contains(from, bytes))
      return CUDA_ERROR_INVALID_VALUE;
  OpenMemory open;
  memmove(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes);
  return CUDA_SUCCESS;
}

CUresult enqueueCopy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, bool toDevice, bool fromDevice) {
  Lock lock(stateMutex());
  return enqueue(stream, [=] { return copy(to, from, bytes, toDevice, fromDevice); });
}

CUdeviceptr bits(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

template <typename T> CUresult fill(CUdeviceptr to, T value, size_t count, CUstream stream) {
  Lock lock(stateMutex());
  return enqueue(stream, [=]() -> CUresult {
    if (to % sizeof(T) || count > ~size_t(0) / sizeof(T))
      return CUDA_ERROR_INVALID_VALUE;
    if (!count)
      return CUDA_SUCCESS;
    if (!DeviceMemory::get().contains(to, count * sizeof(T)))
      return CUDA_ERROR_INVALID_VALUE;
    OpenMemory open;
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
