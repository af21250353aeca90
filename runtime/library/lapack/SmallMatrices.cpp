// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of SmallKernels.inc for each instruction set, and the choice between them.

#include "mlir_xla/runtime/library/lapack/SmallMatrices.h"

namespace xla_rt::lapack {

namespace baseline {
#include "mlir_xla/runtime/library/lapack/SmallKernels.inc"
} // namespace baseline

#if defined(__x86_64__) && defined(__clang__)
#define XLA_RT_LAPACK_LEVELS 1
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
namespace avx2 {
#include "mlir_xla/runtime/library/lapack/SmallKernels.inc"
} // namespace avx2
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,fma"))), apply_to = function)
namespace avx512 {
#include "mlir_xla/runtime/library/lapack/SmallKernels.inc"
} // namespace avx512
#pragma clang attribute pop

static bool hasAvx512() { return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"); }
static bool hasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#endif

#ifdef XLA_RT_LAPACK_LEVELS
#define CHOOSE(KERNEL) (hasAvx512() ? avx512::KERNEL : hasAvx2() ? avx2::KERNEL : baseline::KERNEL)
#else
#define CHOOSE(KERNEL) baseline::KERNEL
#endif
#define KERNELS(TYPE, NAME)                                                                                            \
  template <> void choleskyOfSmall(const SmallCholesky<TYPE> &problem) { CHOOSE(cholesky##NAME)(problem); }            \
  template <> void solveSmall(const SmallSolve<TYPE> &problem) { CHOOSE(solve##NAME)(problem); }
KERNELS(float, Float)
KERNELS(double, Double)
KERNELS(std::complex<float>, ComplexFloat)
KERNELS(std::complex<double>, ComplexDouble)

} // namespace xla_rt::lapack
