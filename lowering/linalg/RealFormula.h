// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas on values of one float type that read as formulas.

#ifndef MLIR_XLA_LOWERING_LINALG_REALFORMULA_H
#define MLIR_XLA_LOWERING_LINALG_REALFORMULA_H

#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::xla {

struct RealFormula {
  ImplicitLocOpBuilder *b;
  Value value;

  RealFormula with(Value v) const { return {b, v}; }
  RealFormula constant(double c) const { return with(emitFloatConstant(*b, value.getType(), c)); }
  RealFormula operator+(RealFormula y) const { return with(arith::AddFOp::create(*b, value, y.value)); }
  RealFormula operator-(RealFormula y) const { return with(arith::SubFOp::create(*b, value, y.value)); }
  RealFormula operator*(RealFormula y) const { return with(arith::MulFOp::create(*b, value, y.value)); }
  RealFormula operator/(RealFormula y) const { return with(arith::DivFOp::create(*b, value, y.value)); }
  RealFormula operator+(double c) const { return *this + constant(c); }
  RealFormula operator-(double c) const { return *this - constant(c); }
  RealFormula operator*(double c) const { return *this * constant(c); }
  RealFormula operator/(double c) const { return *this / constant(c); }
  RealFormula operator-() const { return with(arith::NegFOp::create(*b, value)); }
  template <typename OpT> RealFormula apply() const { return with(OpT::create(*b, value)); }
  template <typename OpT> RealFormula apply(RealFormula y) const { return with(OpT::create(*b, value, y.value)); }
  RealFormula abs() const { return apply<math::AbsFOp>(); }
  RealFormula withSignOf(RealFormula y) const { return apply<math::CopySignOp>(y); }
  Value compare(arith::CmpFPredicate predicate, RealFormula y) const {
    return arith::CmpFOp::create(*b, predicate, value, y.value);
  }
  Value compare(arith::CmpFPredicate predicate, double c) const { return compare(predicate, constant(c)); }
  RealFormula select(Value condition, RealFormula otherwise) const {
    return with(arith::SelectOp::create(*b, condition, value, otherwise.value));
  }
};

inline RealFormula operator-(double c, RealFormula x) { return x.constant(c) - x; }
inline RealFormula operator/(double c, RealFormula x) { return x.constant(c) / x; }

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LINALG_REALFORMULA_H
