// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions for a GPU have in common. They are freestanding: no library, no static data that is made when the
// program runs, no recursion. A thread calls one with a range of items, mostly of one item; neighbouring threads do
// neighbouring items, which therefore lie beside each other in memory where that is possible.
//
// lowering/gpu/ knows the parameters of each and makes the steps of a library call of them.

#ifndef MLIR_XLA_RUNTIME_CUDA_DEVICE_DEVICE_H
#define MLIR_XLA_RUNTIME_CUDA_DEVICE_DEVICE_H

#include <stdint.h>

#define XLA_RT_INLINE inline __attribute__((always_inline))
/// A function that kernels call, which becomes part of them: there the parameters are constants.
#define XLA_RT_DEVICE extern "C" __attribute__((visibility("default")))

namespace xla_rt::device {

using Parameters = const int64_t *;
using Buffers = void *const *;

XLA_RT_INLINE int64_t least(int64_t x, int64_t y) { return x < y ? x : y; }

XLA_RT_INLINE char *bytesAt(void *memory, int64_t offset) { return static_cast<char *>(memory) + offset; }

/// The inverse of what the compiler does to pass a float as a parameter.
XLA_RT_INLINE double asDouble(int64_t bits) {
  double value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

} // namespace xla_rt::device

#endif // MLIR_XLA_RUNTIME_CUDA_DEVICE_DEVICE_H
