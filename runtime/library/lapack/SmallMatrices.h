// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices too small for LAPACK, whose calls cost more than the work: kernels on vectors of 64 bytes, compiled for
// several instruction sets.

#ifndef MLIR_XLA_RUNTIME_LIBRARY_LAPACK_SMALLMATRICES_H
#define MLIR_XLA_RUNTIME_LIBRARY_LAPACK_SMALLMATRICES_H

#include "mlir_xla/runtime/library/lapack/Lapack.h"

namespace xla_rt::lapack {

/// The largest matrices that the kernels take: what they keep of one, and of 16 beside it, stays in the first caches.
constexpr int64_t kSmall = 32;

/// How the elements of a matrix lie, in elements.
struct Strides {
  int64_t row, column;
};

/// The Cholesky factors of `count` dense matrices, at most as many as a vector has lanes of real numbers, in place in
/// one triangle: that below the diagonal as `strides` see it. `info`, unless null, tells which leading minor is not
/// positive definite, or 0; the triangle of such a matrix is filled with NaN.
template <typename T> struct SmallCholesky {
  T *matrices;
  int64_t n, count;
  Strides strides;
  bool conjugate; // what is read and written
  int32_t *info;
};

/// x with a x = b, in place of b, for a triangular.
template <typename T> struct SmallSolve {
  const T *a;
  T *b;
  int64_t n, count; // right-hand sides
  Strides strides, bStrides;
  bool lower, unit, conjugate;
};

/// The kernels for the processor that runs this.
template <typename T> void choleskyOfSmall(const SmallCholesky<T> &problem);
template <typename T> void solveSmall(const SmallSolve<T> &problem);

} // namespace xla_rt::lapack

#endif // MLIR_XLA_RUNTIME_LIBRARY_LAPACK_SMALLMATRICES_H
