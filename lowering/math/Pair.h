// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of twice the digits, as the unevaluated sum of two of one type, for what has to be more precise than its
// result: logarithms that a power multiplies, arguments next to the zeros of a function.
// T. J. Dekker, "A Floating-Point Technique for Extending the Available Precision" (1971), with fused multiply-adds.

#ifndef MLIR_XLA_LOWERING_MATH_PAIR_H
#define MLIR_XLA_LOWERING_MATH_PAIR_H

#include "mlir_xla/lowering/RealValue.h"

namespace mlir::xla {

/// high + low, where low is at most about a unit in the last place of high.
struct Pair {
  Real high, low;
};

/// x + y exactly, for |x| >= |y| or x = 0.
inline Pair fastTwoSum(Real x, Real y) {
  Real sum = x + y;
  return {sum, (x - sum) + y};
}
/// x + y exactly.
inline Pair twoSum(Real x, Real y) {
  Real sum = x + y, part = sum - x;
  return {sum, (x - (sum - part)) + (y - part)};
}
/// x * y exactly.
inline Pair twoProduct(Real x, Real y) {
  Real product = x * y;
  return {product, fma(x, y, -product)};
}

inline Pair operator+(Pair x, Real y) {
  Pair sum = twoSum(x.high, y);
  return fastTwoSum(sum.high, sum.low + x.low);
}
inline Pair operator+(Pair x, Pair y) {
  Pair sum = twoSum(x.high, y.high);
  return fastTwoSum(sum.high, sum.low + (x.low + y.low));
}
inline Pair operator-(Pair x) { return {-x.high, -x.low}; }
inline Pair operator-(Pair x, Pair y) { return x + -y; }
inline Pair operator*(Pair x, Real y) {
  Pair product = twoProduct(x.high, y);
  return fastTwoSum(product.high, mulAdd(x.low, y, product.low));
}
inline Pair operator*(Pair x, Pair y) {
  Pair product = twoProduct(x.high, y.high);
  return fastTwoSum(product.high, mulAdd(x.high, y.low, mulAdd(x.low, y.high, product.low)));
}
inline Pair select(Value condition, Pair x, Pair y) {
  return {select(condition, x.high, y.high), select(condition, x.low, y.low)};
}

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_PAIR_H
