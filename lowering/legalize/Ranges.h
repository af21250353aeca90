// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between which numbers the elements of an integer tensor are.

#ifndef MLIR_XLA_LOWERING_LEGALIZE_RANGES_H
#define MLIR_XLA_LOWERING_LEGALIZE_RANGES_H

#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <optional>

namespace mlir::xla {

/// All elements are in `[least, greatest]`.
struct IntegerRange {
  int64_t least, greatest;
};

/// From constants, the counters of loops and iotas on, through arithmetic that does not wrap around and whatever moves
/// elements. Nothing if no more is known than the type says.
std::optional<IntegerRange> rangeOf(Value value);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LEGALIZE_RANGES_H
