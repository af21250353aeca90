// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marker traits of the dialect's ops.

#ifndef MLIR_XLA_DIALECT_TRAITS_H
#define MLIR_XLA_DIALECT_TRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::xla {

/// Element i of the result depends on element i of each operand only (a scalar bound of clamp and a scalar predicate of
/// select serve every i). Unlike MLIR's own `Elementwise` it checks nothing: the op's verifier names the constraint.
template <typename Op> class IsElementwise : public OpTrait::TraitBase<Op, IsElementwise> {};

/// Rejects an operand that is no ranked tensor of XLA elements under the op's own constraint, or else `G-C5`.
LogicalResult checkTensorOperands(std::optional<Location> loc, StringRef opName, TypeRange types);

/// Every operand is a ranked tensor. Lets the shape rule reject anything else before it looks at the operands.
template <typename Op> class HasTensorOperands : public OpTrait::TraitBase<Op, HasTensorOperands> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return checkTensorOperands(op->getLoc(), op->getName().getStringRef(), op->getOperandTypes());
  }
};

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_TRAITS_H
