// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas on values of one float type that read as formulas.

#ifndef MLIR_XLA_LOWERING_LINALG_REALFORMULA_H
#define MLIR_XLA_LOWERING_LINALG_REALFORMULA_H

#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::xla {

struct Real {
  ImplicitLocOpBuilder *b;
  Value value;

  Real with(Value v) const { return {b, v}; }
  Real constant(double c) const { return with(emitFloatConstant(*b, value.getType(), c)); }
  Real operator+(Real y) const { return with(arith::AddFOp::create(*b, value, y.value)); }
  Real operator-(Real y) const { return with(arith::SubFOp::create(*b, value, y.value)); }
  Real operator*(Real y) const { return with(arith::MulFOp::create(*b, value, y.value)); }
  Real operator/(Real y) const { return with(arith::DivFOp::create(*b, value, y.value)); }
  Real operator+(double c) const { return *this + constant(c); }
  Real operator-(double c) const { return *this - constant(c); }
  Real operator*(double c) const { return *this * constant(c); }
  Real operator/(double c) const { return *this / constant(c); }
  Real operator-() const { return with(arith::NegFOp::create(*b, value)); }
  template <typename OpT> Real apply() const { return with(OpT::create(*b, value)); }
  template <typename OpT> Real apply(Real y) const { return with(OpT::create(*b, value, y.value)); }
  Real abs() const { return apply<math::AbsFOp>(); }
  Real withSignOf(Real y) const { return apply<math::CopySignOp>(y); }
  Value compare(arith::CmpFPredicate predicate, Real y) const {
    return arith::CmpFOp::create(*b, predicate, value, y.value);
  }
  Value compare(arith::CmpFPredicate predicate, double c) const { return compare(predicate, constant(c)); }
  Real select(Value condition, Real otherwise) const {
    return with(arith::SelectOp::create(*b, condition, value, otherwise.value));
  }
};

inline Real operator-(double c, Real x) { return x.constant(c) - x; }
inline Real operator/(double c, Real x) { return x.constant(c) / x; }

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LINALG_REALFORMULA_H
