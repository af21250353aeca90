// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function and its complement.

#include "mlir_xla/lowering/cpu/ElementaryFunctions.h"

using namespace mlir;
using namespace mlir::xla;

// erf(x) / x - 1 with x = sqrt(z), on |x| <= 0.93.
static constexpr double kErfNear[] = {8.31687939e-05, -0.000813044491, 0.0051999893, -0.0268589966,
                                      0.11283689,     -0.376126319,    0.128379167};
// -log(erfc(x)) on [0.92, 4], weighted with erfc(x).
static constexpr double kErfFar[] = {2.11842798e-05, -0.000435478258, 0.00417590328, -0.0251319539,
                                     0.108299114,    0.633329928,     1.12952316,    -0.000176362359};

Real mlir::xla::emitErf(Real x) {
  // erf(4) rounds to 1.
  Real a = x.abs().atMost(4.0);
  Real near = fma(a, horner(a * a, kErfNear), a);
  Real far = 1.0 - emitNormalExp(-horner(a, kErfFar));
  return select(a < 0.921875, near, far).copySign(x);
}
