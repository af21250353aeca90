// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many multiplications are work for all cores: what stays in loops for that becomes kernels by the same numbers.

#ifndef MLIR_XLA_LOWERING_PRODUCTWORK_H
#define MLIR_XLA_LOWERING_PRODUCTWORK_H

#include <cstdint>

namespace mlir::xla {

/// Multiplications from which on a product by itself is as fast as with others before and behind it.
constexpr int64_t kProductOfCores = int64_t(1) << 21;
/// The same for a kernel of several products, of which each by itself would be less than that.
constexpr int64_t kProductsOfKernel = int64_t(1) << 20;

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_PRODUCTWORK_H
