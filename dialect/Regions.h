// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading the signature of a region that ends in `xla.return`, for the ops whose constraints speak of it.

#ifndef MLIR_XLA_DIALECT_REGIONS_H
#define MLIR_XLA_DIALECT_REGIONS_H

#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::xla {

/// The `xla.return` that ends the region's only block; null if the region has no such form.
ReturnOp getReturn(Region &region);

/// The number of the branch of an if or case that runs if `selector` is the value of its operand; none if not known.
std::optional<unsigned> getTakenBranch(Operation *op, Attribute selector);

/// Rebuilds an if, case or while without the results that `keep` does not mention, and without their values in the
/// returns of the regions `returning`. The results dropped must be unused.
Operation *keepResults(RewriterBase &rewriter, Operation *op, ValueRange operands, const llvm::BitVector &keep,
                       ArrayRef<Region *> returning);

/// An op inside `region` that is known to have side effects; null if there is none. Calls are judged by their callee,
/// which is verified on its own.
Operation *findSideEffect(Region &region);

/// True if `type` is a tensor of rank 0 (with element type `element`, if given).
bool isScalar(Type type, Type element = {});

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_REGIONS_H
