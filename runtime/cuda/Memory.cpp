// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of a device, and copies between it and the host.

#include "mlir_xla/runtime/cuda/Device.h"
#include "mlir_xla/runtime/cuda/Messages.h"

#include <string.h>

using namespace xla_rt::cuda;

void *Device::allocate(int64_t bytes, const char *what) {
  constexpr int64_t kMostBytes = int64_t(1) << 46;
  if (bytes < 0 || bytes > kMostBytes) {
    setError("%s: cannot allocate %lld bytes", name.c_str(), static_cast<long long>(bytes));
    return nullptr;
  }
  size_t size = bytes > 0 ? bytes : 1; // so that each block has an address of its own
  CUdeviceptr memory = 0;
  auto attempt = [&] {
    return pool ? driver.cuMemAllocFromPoolAsync(&memory, size, pool, stream) : driver.cuMemAlloc_v2(&memory, size);
  };
  CUresult result = attempt();
  if (result == CUDA_ERROR_OUT_OF_MEMORY && pool) {
    // What is kept may be in pieces that are too small.
    uint64_t over = endMoment();
    CUresult waited = driver.cuStreamSynchronize(stream);
    if (waited == CUDA_SUCCESS) {
      finish(over);
      if (driver.cuMemPoolTrimTo(pool, 0) == CUDA_SUCCESS)
        result = attempt();
    } else {
      ignore(waited);
    }
  }
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    size_t free = 0, total = 0;
    if (driver.cuMemGetInfo_v2(&free, &total) == CUDA_SUCCESS) {
      check(result, "allocate %lld bytes of memory%s%s, of which %zu of %zu are free", static_cast<long long>(bytes),
            what ? " for " : "", what ? what : "", free, total);
      return nullptr;
    }
  }
  if (!check(result, "allocate %lld bytes of memory%s%s", static_cast<long long>(bytes), what ? " for " : "",
             what ? what : ""))
    return nullptr;
  return reinterpret_cast<void *>(memory);
}

void Device::free(void *memory) {
  if (memory)
    ignore(pool ? driver.cuMemFreeAsync(address(memory), stream) : driver.cuMemFree_v2(address(memory)));
}

void Device::freeInContext(void *memory) {
  CUcontext popped;
  bool isCurrent = driver.cuCtxPushCurrent_v2(context) == CUDA_SUCCESS;
  free(memory); // which may do without
  if (isCurrent)
    driver.cuCtxPopCurrent_v2(&popped);
}

bool xla_rt::cuda::copyOnHost(void *to, const void *from, int64_t bytes) {
  // In an execution of its own: whatever the thread is executing besides is not left from here.
  void *source = const_cast<void *>(from);
  xla_rt_program copy = [](void *const *arguments, void *const *results, void *bytes) {
    xla_rt_copy(results[0], arguments[0], *static_cast<int64_t *>(bytes));
  };
  if (xla_rt_run(copy, &source, &to, &bytes, nullptr, nullptr) == 0)
    return true;
  setError("cuda: a copy was stopped");
  return false;
}

bool Device::upload(void *to, const void *from, int64_t bytes) {
  for (int64_t offset = 0; offset < bytes; offset += Staging::kLargeBytes) {
    int64_t size = bytes - offset < Staging::kLargeBytes ? bytes - offset : Staging::kLargeBytes;
    Staging::Slot *slot = staging.take(size);
    if (!slot)
      return false;
    bool done = copyOnHost(slot->data, static_cast<const char *>(from) + offset, size) &&
                check(driver.cuMemcpyHtoDAsync_v2(address(to) + offset, slot->data, size, stream),
                      "copy %lld bytes to the device", static_cast<long long>(size)) &&
                staging.markPending(*slot);
    staging.give(slot);
    if (!done)
      return false;
  }
  return true;
}

bool Device::download(void *to, const void *from, int64_t bytes) {
  // One slot is read by the host while the device fills the other.
  struct Piece {
    Staging::Slot *slot = nullptr;
    int64_t offset = 0, size = 0;
  } pieces[2];
  int64_t begun = 0;
  auto begin = [&](Piece &piece, bool hasOther) {
    piece.offset = begun;
    piece.size = bytes - begun < Staging::kLargeBytes ? bytes - begun : Staging::kLargeBytes;
    if (!hasOther)
      piece.slot = staging.take(piece.size);
    else if (!staging.takeAnother(piece.size, piece.slot))
      return false;
    if (!piece.slot)
      return hasOther; // which is to be completed first
    begun += piece.size;
    return check(driver.cuMemcpyDtoHAsync_v2(piece.slot->data, address(from) + piece.offset, piece.size, stream),
                 "copy %lld bytes from the device", static_cast<long long>(piece.size)) &&
           staging.markPending(*piece.slot);
  };
  auto complete = [&](Piece &piece) {
    bool done =
        staging.wait(*piece.slot) && copyOnHost(static_cast<char *>(to) + piece.offset, piece.slot->data, piece.size);
    staging.give(piece.slot);
    piece.slot = nullptr;
    return done;
  };
  bool done = true;
  for (int which = 0; done && (begun < bytes || pieces[0].slot || pieces[1].slot); which ^= 1) {
    if (pieces[which].slot)
      done = complete(pieces[which]);
    if (done && begun < bytes)
      done = begin(pieces[which], pieces[which ^ 1].slot);
  }
  for (Piece &piece : pieces)
    if (piece.slot)
      staging.give(piece.slot);
  return done;
}

void *xla_rt_cuda_alloc(xla_rt_cuda_device *device, int64_t bytes) {
  InContext context(*device);
  return context ? device->allocate(bytes) : nullptr;
}

void xla_rt_cuda_free(xla_rt_cuda_device *device, void *memory) {
  if (memory && device->isThere())
    device->freeInContext(memory);
}

void xla_rt_cuda_free_shared(xla_rt_cuda_device *device, void *memory) {
  if (!memory || !device->isThere())
    return;
  const Driver &driver = device->driver;
  CUcontext popped;
  if (driver.cuCtxPushCurrent_v2(device->context) == CUDA_SUCCESS) {
    device->ignore(driver.cuCtxSynchronize());
    driver.cuCtxPopCurrent_v2(&popped);
  }
  device->freeInContext(memory);
}

int xla_rt_cuda_upload(xla_rt_cuda_device *device, void *to, const void *from, int64_t bytes) {
  InContext context(*device);
  return context && device->upload(to, from, bytes) ? 0 : 1;
}

int xla_rt_cuda_download(xla_rt_cuda_device *device, void *to, const void *from, int64_t bytes) {
  InContext context(*device);
  if (!context)
    return 1;
  if (bytes > Staging::kSmallBytes) {
    // Nobody keeps others from large slots while what is to be copied is being computed.
    CUevent event = device->takeEvent();
    bool waited = event && device->waitForAll(event, /*polls=*/false);
    device->giveEvent(event);
    if (!waited)
      return 1;
  }
  uint64_t over = device->endMoment();
  if (!device->download(to, from, bytes))
    return 1;
  if (bytes > 0)
    device->finish(over);
  return 0;
}
