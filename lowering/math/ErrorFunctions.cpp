// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function and its complement.

#include "mlir_xla/lowering/math/ErrorFunctions.h"

#include "mlir_xla/lowering/math/ExpLog.h"

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

// (1 + 2x) e^(x^2) erfc(x) with x = 2 (1 + t) / (1 - t), on 0 <= x <= 10.3, beyond which f32 has only zero.
static constexpr double kErfc[] = {8.34108694854246e-05,   0.00017694603479776838, -0.00040182250578191687,
                                   -0.0014292521105085411, 0.0012508987680095909,  0.008712456716042151,
                                   -0.008029908959603992,  -0.054218386985050195,  0.16405089690035338,
                                   -0.16603048777295215,   -0.09276381542703921,   1.2769783823343361};

Real mlir::xla::emitErfc(Real x) {
  Real a = x.abs().atMost(10.3);
  Real t = (a - 2.0) / (a + 2.0);
  Real y = emitNormalExp(-(a * a)) * horner(t, kErfc) / fma(a, 2.0, 1.0);
  return select(x < 0.0, 2.0 - y, y);
}
