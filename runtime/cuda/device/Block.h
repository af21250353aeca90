// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the threads of a block do together: phases, between which they wait for each other, and memory that they share.
// On the host, where the functions are tested, a phase is a loop over the threads.

#ifndef MLIR_XLA_RUNTIME_CUDA_DEVICE_BLOCK_H
#define MLIR_XLA_RUNTIME_CUDA_DEVICE_BLOCK_H

#include "mlir_xla/runtime/cuda/device/Device.h"

namespace xla_rt::device {

/// Calls `work` with each number from `begin` to `end`, as a type whose `value` it is: code of its own for each, where
/// registers have numbers that the compiler has to know. (A loop with a barrier in it stays one.)
template <int number> struct Constant {
  static constexpr int value = number;
};
template <int begin, int end, typename Function> XLA_RT_INLINE void eachNumber(Function work) {
  if constexpr (begin < end) {
    work(Constant<begin>());
    eachNumber<begin + 1, end>(work);
  }
}

/// What each of `threads` has for itself from one phase to the next.
template <typename T, int threads> class Own {
public:
#ifdef __NVPTX__
  XLA_RT_INLINE T &of(int) { return value; }

private:
  T value;
#else
  T &of(int thread) { return values[thread]; }

private:
  T values[threads];
#endif
};

/// A phase: `work(thread)` by each of so many. Unless it `waits`, what it shares is read by nobody but who wrote it.
template <int threads, typename Function> XLA_RT_INLINE void eachThread(Function work, bool waits = true) {
#ifdef __NVPTX__
  work(static_cast<int>(__nvvm_read_ptx_sreg_tid_x()));
  if (waits)
    __syncthreads();
#else
  for (int thread = 0; thread < threads; ++thread)
    work(thread);
#endif
}

/// A phase behind which nobody waits, because nothing is shared: before the next one, or as the last one of an item. A
/// block has one item.
template <int threads, typename Function> XLA_RT_INLINE void unwaited(Function work) {
#ifdef __NVPTX__
  work(static_cast<int>(__nvvm_read_ptx_sreg_tid_x()));
#else
  eachThread<threads>(work);
#endif
}

/// Each number of the block's threads becomes the sum of those before it. A thread knows its own afterwards, and what
/// the block has written before.
template <int threads> XLA_RT_INLINE void addBefore(uint32_t *numbers) {
#ifdef __NVPTX__
  constexpr int warp = 32, everybody = -1, segment = 0; // of a shuffle: no lane is beyond the first one
  static __attribute__((address_space(3), loader_uninitialized)) uint32_t ofWarps[threads / warp];
  int thread = static_cast<int>(__nvvm_read_ptx_sreg_tid_x()), lane = thread % warp;
  uint32_t number = numbers[thread], sum = number;
#pragma unroll
  for (int step = 1; step < warp; step *= 2) {
    uint32_t other = static_cast<uint32_t>(__nvvm_shfl_sync_up_i32(everybody, static_cast<int>(sum), step, segment));
    sum += lane >= step ? other : 0;
  }
  if (lane == warp - 1)
    ofWarps[thread / warp] = sum;
  __syncthreads();
  sum -= number;
#pragma unroll
  for (int other = 0; other < threads / warp; ++other)
    sum += other < thread / warp ? ofWarps[other] : 0;
  numbers[thread] = sum;
#else
  uint32_t sum = 0;
  for (int thread = 0; thread < threads; ++thread) {
    uint32_t number = numbers[thread];
    numbers[thread] = sum;
    sum += number;
  }
#endif
}

/// An array of bytes that a block shares, in a function that is called by all of its threads.
#ifdef __NVPTX__
#define XLA_RT_SHARED(NAME, BYTES)                                                                                     \
  static __attribute__((address_space(3), loader_uninitialized, aligned(16))) unsigned char NAME##Shared[BYTES];       \
  unsigned char *NAME = (unsigned char *)NAME##Shared
#else
#define XLA_RT_SHARED(NAME, BYTES) alignas(16) unsigned char NAME[BYTES]
#endif

} // namespace xla_rt::device

#endif // MLIR_XLA_RUNTIME_CUDA_DEVICE_BLOCK_H
