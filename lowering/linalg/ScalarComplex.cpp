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

//===- Formulas ---------------------------------------------------------------------------------------------------===//

static Value mulF(ImplicitLocOpBuilder &b, Value x, Value y) { return arith::MulFOp::create(b, x, y); }
static Value addF(ImplicitLocOpBuilder &b, Value x, Value y) { return arith::AddFOp::create(b, x, y); }

/// RealRe(re) RealIm(im) + i ImagRe(re) ImagIm(im): the form of the sines and cosines, also the hyperbolic ones.
template <typename RealRe, typename RealIm, typename ImagRe, typename ImagIm>
static Value separated(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  Value re = z.re(), im = z.im();
  return z
      .create(mulF(b, RealRe::create(b, re), RealIm::create(b, im)),
              mulF(b, ImagRe::create(b, re), ImagIm::create(b, im)))
      .value;
}
static constexpr Form emitSinh = separated<math::SinhOp, math::CosOp, math::CoshOp, math::SinOp>;
static constexpr Form emitCosh = separated<math::CoshOp, math::CosOp, math::SinhOp, math::SinOp>;
static constexpr Form emitSine = separated<math::SinOp, math::CoshOp, math::CosOp, math::SinhOp>;
// cos(z) = cosh(i z)
static Value emitCosine(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  return emitCosh(b, z.create(arith::NegFOp::create(b, z.im()), z.re()).value);
}

// e^re cos(im) - 1 = expm1(re) cos(im) - 2 sin(im / 2)^2, which does not cancel near 0.
static Value emitExpm1(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  Value re = z.re(), im = z.im(), expm1 = math::ExpM1Op::create(b, re);
  auto constant = [&](double c) { return emitFloatConstant(b, re.getType(), c); };
  Value half = math::SinOp::create(b, mulF(b, im, constant(0.5)));
  Value correction = mulF(b, mulF(b, half, half), constant(-2.0));
  Value real = addF(b, mulF(b, expm1, math::CosOp::create(b, im)), correction);
  return z.create(real, mulF(b, math::ExpOp::create(b, re), math::SinOp::create(b, im))).value;
}

// log|1 + z| = log1p(re (2 + re) + im^2) / 2
static Complex log1pOf(Complex z) {
  ImplicitLocOpBuilder &b = *z.b;
  Value re = z.re(), im = z.im();
  auto constant = [&](double c) { return emitFloatConstant(b, re.getType(), c); };
  Value square = addF(b, mulF(b, re, addF(b, re, constant(2.0))), mulF(b, im, im));
  Value real = mulF(b, math::Log1pOp::create(b, square), constant(0.5));
  return z.create(real, math::Atan2Op::create(b, im, addF(b, re, constant(1.0))));
}
static Value emitLog1p(ImplicitLocOpBuilder &b, ValueRange x) { return log1pOf({&b, x[0]}).value; }

// log(z + sqrt(z^2 + 1)) without cancellation near 0, on the right half-plane; odd.
static Complex asinhOf(Complex z) {
  ImplicitLocOpBuilder &b = *z.b;
  Value re = z.re();
  Value left = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, re, emitFloatConstant(b, re.getType(), 0.0));
  Complex w = z.with(arith::SelectOp::create(b, left, (-z).value, z.value));
  Complex square = w * w;
  Complex result = log1pOf(w + square / ((square + 1).sqrt() + 1));
  return z.with(arith::SelectOp::create(b, left, (-result).value, result.value));
}
static Complex atanhOf(Complex z) { return (log1pOf(z) - log1pOf(-z)).times(0.5, 0); }

static Complex asinOf(Complex z) { return asinhOf(z.times(0, 1)).times(0, -1); }
static Value emitAsin(ImplicitLocOpBuilder &b, ValueRange x) { return asinOf({&b, x[0]}).value; }
static Value emitAcos(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  return (z.constant(1.57079632679489661923) - asinOf(z)).value;
}
static Value emitAtan(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  return atanhOf(z.times(0, 1)).times(0, -1).value;
}
static Value emitAsinh(ImplicitLocOpBuilder &b, ValueRange x) { return asinhOf({&b, x[0]}).value; }
// 2 log(sqrt((z + 1) / 2) + sqrt((z - 1) / 2)) has its branch cuts where acosh has them.
static Value emitAcosh(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex z{&b, x[0]};
  Complex sum = (z + 1).times(0.5, 0).sqrt() + (z - 1).times(0.5, 0).sqrt();
  return sum.log().times(2, 0).value;
}
static Value emitAtanh(ImplicitLocOpBuilder &b, ValueRange x) { return atanhOf({&b, x[0]}).value; }

// e^(y log(x)) is NaN at x = 0, where the power is 0 for exponents with a positive real part; x^0 is 1.
static Value emitPower(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex base{&b, x[0]}, exponent{&b, x[1]};
  Value zero = base.constant(0).value, realZero = emitFloatConstant(b, base.re().getType(), 0.0);
  Value general = complex::PowOp::create(b, x[0], x[1]);
  Value baseIsZero = complex::EqualOp::create(b, x[0], zero);
  Value vanishes = arith::AndIOp::create(b, baseIsZero,
                                         arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, exponent.re(), realZero));
  Value result = arith::SelectOp::create(b, vanishes, zero, general);
  Value exponentIsZero = complex::EqualOp::create(b, x[1], zero);
  return arith::SelectOp::create(b, exponentIsZero, base.constant(1).value, result);
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
      {"acos", emitAcos},
      {"acosh", emitAcosh},
      {"add", binary<complex::AddOp>},
      {"asin", emitAsin},
      {"asinh", emitAsinh},
      {"atan", emitAtan},
      {"atan2", binary<complex::Atan2Op>},
      {"atanh", emitAtanh},
      {"conj", unary<complex::ConjOp>},
      {"cosh", emitCosh},
      {"cosine", emitCosine},
      {"divide", binary<complex::DivOp>},
      {"exponential", unary<complex::ExpOp>},
      {"exponential_minus_one", emitExpm1},
      {"imag", part<complex::ImOp>},
      {"log", unary<complex::LogOp>},
      {"log_plus_one", emitLog1p},
      {"logistic", logistic},
      {"maximum", extremum<arith::CmpFPredicate::OGE>},
      {"minimum", extremum<arith::CmpFPredicate::OLE>},
      {"multiply", binary<complex::MulOp>},
      {"negate", unary<complex::NegOp>},
      {"power", emitPower},
      {"real", part<complex::ReOp>},
      {"rsqrt", unary<complex::RsqrtOp>},
      {"sign", unary<complex::SignOp>},
      {"sine", emitSine},
      {"sinh", emitSinh},
      {"sqrt", unary<complex::SqrtOp>},
      {"square", square},
      {"subtract", binary<complex::SubOp>},
      {"tan", unary<complex::TanOp>},
      {"tanh", unary<complex::TanhOp>},
  };
  auto form = forms.find(mnemonic);
  return form == forms.end() ? Value() : form->second(b, operands);
}
