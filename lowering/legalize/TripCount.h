// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that count.

#ifndef MLIR_XLA_LOWERING_LEGALIZE_TRIPCOUNT_H
#define MLIR_XLA_LOWERING_LEGALIZE_TRIPCOUNT_H

#include "mlir_xla/dialect/XlaOps.h"

#include <optional>

namespace mlir::xla {

/// How often the body of `i = begin; while (i < end) i += step` runs; nothing if that is not its form.
std::optional<int64_t> tripCount(WhileOp loop);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LEGALIZE_TRIPCOUNT_H
