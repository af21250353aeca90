// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of scalar forms for complex numbers, with formulas for what the complex dialect has no op for.

#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// Formulas read as formulas: arithmetic on values of one complex type.
struct Complex {
  ImplicitLocOpBuilder *b;
  Value value;

  ComplexType type() const { return cast<ComplexType>(value.getType()); }
  Complex with(Value v) const { return {b, v}; }
  Complex constant(double re, double im = 0.0) const {
    Type part = type().getElementType();
    return with(complex::ConstantOp::create(*b, type(),
                                            b->getArrayAttr({b->getFloatAttr(part, re), b->getFloatAttr(part, im)})));
  }
  Value re() const { return complex::ReOp::create(*b, value); }
  Value im() const { return complex::ImOp::create(*b, value); }
  Complex create(Value re, Value im) const { return with(complex::CreateOp::create(*b, type(), re, im)); }
  Complex operator+(Complex y) const { return with(complex::AddOp::create(*b, value, y.value)); }
  Complex operator-(Complex y) const { return with(complex::SubOp::create(*b, value, y.value)); }
  Complex operator*(Complex y) const { return with(complex::MulOp::create(*b, value, y.value)); }
  Complex operator/(Complex y) const { return with(complex::DivOp::create(*b, value, y.value)); }
  Complex operator+(double c) const { return *this + constant(c); }
  Complex operator-(double c) const { return *this - constant(c); }
  Complex operator-() const { return with(complex::NegOp::create(*b, value)); }
  Complex times(double re, double im) const { return *this * constant(re, im); }
  Complex log() const { return with(complex::LogOp::create(*b, value)); }
  Complex sqrt() const { return with(complex::SqrtOp::create(*b, value)); }
  Complex exp() const { return with(complex::ExpOp::create(*b, value)); }
};
} // namespace

using Form = Value (*)(ImplicitLocOpBuilder &, ValueRange);

template <typename OpT> static Value unary(ImplicitLocOpBuilder &b, ValueRange x) { return OpT::create(b, x[0]); }
template <typename OpT> static Value binary(ImplicitLocOpBuilder &b, ValueRange x) {
  return OpT::create(b, x[0], x[1]);
}
template <typename OpT> static Value part(ImplicitLocOpBuilder &b, ValueRange x) {
  return OpT::create(b, cast<ComplexType>(x[0].getType()).getElementType(), x[0]);
}

static Value square(ImplicitLocOpBuilder &b, ValueRange x) { return complex::MulOp::create(b, x[0], x[0]); }
static Value logistic(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  return (z.constant(1) / ((-z).exp() + 1)).value;
}

static Value sinh(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  Value re = z.re(), im = z.im();
  return z
      .create(arith::MulFOp::create(b, math::SinhOp::create(b, re), math::CosOp::create(b, im)),
              arith::MulFOp::create(b, math::CoshOp::create(b, re), math::SinOp::create(b, im)))
      .value;
}
static Value cosh(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  Value re = z.re(), im = z.im();
  return z
      .create(arith::MulFOp::create(b, math::CoshOp::create(b, re), math::CosOp::create(b, im)),
              arith::MulFOp::create(b, math::SinhOp::create(b, re), math::SinOp::create(b, im)))
      .value;
}

// -i log(iz + sqrt(1 - z^2))
static Complex asinOf(Complex z) { return (z.times(0, 1) + (z.constant(1) - z * z).sqrt()).log().times(0, -1); }
static Value asin(ImplicitLocOpBuilder &b, ValueRange x) { return asinOf({&b, x[0]}).value; }
static Value acos(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  return (z.constant(1.57079632679489661923) - asinOf(z)).value;
}
static Value atan(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]}, iz = z.times(0, 1);
  return ((z.constant(1) - iz).log() - (iz + 1).log()).times(0, 0.5).value;
}
static Value asinh(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  return (z + (z * z + 1).sqrt()).log().value;
}
static Value acosh(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  return (z + (z + 1).sqrt() * (z - 1).sqrt()).log().value;
}
static Value atanh(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  return ((z + 1).log() - (z.constant(1) - z).log()).times(0.5, 0).value;
}

// Lexicographic: by the real parts, then by the imaginary ones.
template <arith::CmpFPredicate predicate> static Value extremum(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex l{&b, x[0]}, r{&b, x[1]};
  Value lre = l.re(), rre = r.re();
  Value tie = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, lre, rre);
  Value byIm = arith::CmpFOp::create(b, predicate, l.im(), r.im());
  Value byRe = arith::CmpFOp::create(b, predicate, lre, rre);
  return arith::SelectOp::create(b, arith::SelectOp::create(b, tie, byIm, byRe), x[0], x[1]);
}

Value mlir::xla::emitComplexOp(ImplicitLocOpBuilder &b, StringRef mnemonic, ValueRange operands) {
  static const llvm::StringMap<Form> forms = {
      {"abs", part<complex::AbsOp>},
      {"acos", acos},
      {"acosh", acosh},
      {"add", binary<complex::AddOp>},
      {"asin", asin},
      {"asinh", asinh},
      {"atan", atan},
      {"atan2", binary<complex::Atan2Op>},
      {"atanh", atanh},
      {"conj", unary<complex::ConjOp>},
      {"cosh", cosh},
      {"cosine", unary<complex::CosOp>},
      {"divide", binary<complex::DivOp>},
      {"exponential", unary<complex::ExpOp>},
      {"exponential_minus_one", unary<complex::Expm1Op>},
      {"imag", part<complex::ImOp>},
      {"log", unary<complex::LogOp>},
      {"log_plus_one", unary<complex::Log1pOp>},
      {"logistic", logistic},
      {"maximum", extremum<arith::CmpFPredicate::OGE>},
      {"minimum", extremum<arith::CmpFPredicate::OLE>},
      {"multiply", binary<complex::MulOp>},
      {"negate", unary<complex::NegOp>},
      {"power", binary<complex::PowOp>},
      {"real", part<complex::ReOp>},
      {"rsqrt", unary<complex::RsqrtOp>},
      {"sign", unary<complex::SignOp>},
      {"sine", unary<complex::SinOp>},
      {"sinh", sinh},
      {"sqrt", unary<complex::SqrtOp>},
      {"square", square},
      {"subtract", binary<complex::SubOp>},
      {"tan", unary<complex::TanOp>},
      {"tanh", unary<complex::TanhOp>},
  };
  auto form = forms.find(mnemonic);
  return form == forms.end() ? Value() : form->second(b, operands);
}
