// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that count.

#ifndef MLIR_XLA_LOWERING_LEGALIZE_TRIPCOUNT_H
#define MLIR_XLA_LOWERING_LEGALIZE_TRIPCOUNT_H

#include "mlir_xla/dialect/XlaOps.h"

#include <optional>

namespace mlir::xla {

/// Of `i = begin; while (i < end) i += step`.
struct Counter {
  unsigned argument; // which of the loop's
  int64_t begin, step, trips;
};

/// Nothing if that is not the loop's form.
std::optional<Counter> counterOf(WhileOp loop);

/// How often the body of such a loop runs.
inline std::optional<int64_t> tripCount(WhileOp loop) {
  std::optional<Counter> counter = counterOf(loop);
  return counter ? std::optional(counter->trips) : std::nullopt;
}

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LEGALIZE_TRIPCOUNT_H
