// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lgamma and digamma on the left of 0, where the terms of their reflections cancel, in numbers of twice the digits.

#include "mlir_xla/lowering/math/Gamma.h"

#include "mlir_xla/lowering/math/Branches.h"
#include "mlir_xla/lowering/math/Pair.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// A number of some 106 bits.
struct Wide {
  double high, low;
};
/// A zero of a function, with its first derivative there and half of its second one.
struct Zero {
  Wide at, slope;
  double half;
};
} // namespace

// The coefficients of each series, from the constant one on.
// sin(x) / x and cos(x) with x = sqrt(z).
static constexpr Wide kSine[] = {{1.0, 0.0},
                                 {-0.16666666666666666, -9.25185853854297e-18},
                                 {0.008333333333333333, 1.1564823173178714e-19},
                                 {-0.0001984126984126984, -1.7209558293420705e-22},
                                 {2.7557319223985893e-06, -1.858393274046472e-22},
                                 {-2.505210838544172e-08, 1.448814070935912e-24},
                                 {1.6059043836821613e-10, 1.2585294588752098e-26},
                                 {-7.647163731819816e-13, -7.03872877733453e-30},
                                 {2.8114572543455206e-15, 1.6508842730861433e-31},
                                 {-8.22063524662433e-18, -2.2141894119604265e-34},
                                 {1.9572941063391263e-20, -1.3643503830087908e-36},
                                 {-3.868170170630684e-23, 8.843177655482344e-40},
                                 {6.446950284384474e-26, -1.9330404233703465e-42},
                                 {-9.183689863795546e-29, -1.4303150396787322e-45}};
static constexpr Wide kCosine[] = {{1.0, 0.0},
                                   {-0.5, 0.0},
                                   {0.041666666666666664, 2.3129646346357427e-18},
                                   {-0.001388888888888889, 5.300543954373577e-20},
                                   {2.48015873015873e-05, 2.1511947866775882e-23},
                                   {-2.755731922398589e-07, -2.3767714622250297e-23},
                                   {2.08767569878681e-09, -1.20734505911326e-25},
                                   {-1.1470745597729725e-11, -2.0655512752830745e-28},
                                   {4.779477332387385e-14, 4.399205485834081e-31},
                                   {-1.5619206968586225e-16, -1.1910679660273754e-32},
                                   {4.110317623312165e-19, 1.4412973378659527e-36},
                                   {-8.896791392450574e-22, 7.911402614872376e-38},
                                   {1.6117375710961184e-24, -3.6846573564509766e-41},
                                   {-2.4795962632247976e-27, 1.2953730964765229e-43},
                                   {3.279889237069838e-30, 1.5117542744029879e-46}};
// 2 atanh(s) / s with s = sqrt(z).
static constexpr Wide kLog[] = {{2.0, 0.0},
                                {0.6666666666666666, 3.700743415417188e-17},
                                {0.4, -2.2204460492503132e-17},
                                {0.2857142857142857, 1.586032892321652e-17},
                                {0.2222222222222222, 1.2335811384723961e-17},
                                {0.18181818181818182, -5.046468293750712e-18},
                                {0.15384615384615385, -8.540177112501205e-18},
                                {0.13333333333333333, 1.8503717077085942e-18},
                                {0.11764705882352941, 1.6326809185664067e-18},
                                {0.10526315789473684, 5.843279076974508e-18},
                                {0.09523809523809523, 5.28677630773884e-18},
                                {0.08695652173913043, 2.413528314402514e-18},
                                {0.08, -1.6653345369377347e-18},
                                {0.07407407407407407, 4.11193712824132e-18},
                                {0.06896551724137931, 9.570888143320315e-19},
                                {0.06451612903225806, 1.7906822977825105e-18},
                                {0.06060606060606061, -1.6821560979169039e-18},
                                {0.05714285714285714, 1.7842870038618585e-18},
                                {0.05405405405405406, -3.00060276925718e-18},
                                {0.05128205128205128, 1.7792035651044174e-18}};
// B(2k) / (2k (2k - 1)): Stirling's series.
static constexpr Wide kStirling[] = {
    {0.08333333333333333, 4.625929269271485e-18},    {-0.002777777777777778, 1.0601087908747154e-19},
    {0.0007936507936507937, 6.883823317368282e-22},  {-0.0005952380952380953, 5.36938218754726e-20},
    {0.0008417508417508417, 3.6870174889237694e-20}, {-0.0019175269175269176, 1.0675702776872475e-19},
    {0.00641025641025641, 2.2240044563805217e-19},   {-0.029550653594771242, 4.861760957508855e-19},
    {0.17964437236883057, -6.401600482710946e-19},   {-1.3924322169059011, 1.5837056989230303e-17},
    {13.402864044168393, -6.154114101993966e-16},    {-156.84828462600203, 9.391823141715389e-15},
    {2193.1033333333335, -1.3339255626002948e-13},   {-36108.77125372499, 5.897583353514365e-13},
    {691472.268851313, 2.5585296305158e-11},         {-15238221.539407415, -8.76774522490625e-10}};
// -B(2k) / (2k): its derivative.
static constexpr Wide kPsi[] = {
    {-0.08333333333333333, -4.625929269271485e-18},  {0.008333333333333333, 1.1564823173178714e-19},
    {-0.003968253968253968, -2.20282346155785e-19},  {0.004166666666666667, 5.782411586589357e-20},
    {-0.007575757575757576, 2.1026951223961299e-19}, {0.021092796092796094, -1.3911677399530732e-18},
    {-0.08333333333333333, -4.625929269271485e-18},  {0.4432598039215686, 2.0462934179365632e-17},
    {-3.0539543302701198, 1.0882720820608607e-17},   {26.456212121212122, -7.449932926454383e-16},
    {-281.46014492753625, 1.647635329298783e-14},    {3607.5105463980462, 1.5347029033579816e-13},
    {-54827.583333333336, 2.4253192047278085e-12},   {974936.8238505747, 4.2284185858978625e-11},
    {-20052695.79668808, 8.878409127275055e-10}};
static constexpr Wide kPi = {3.141592653589793, 1.2246467991473532e-16};
static constexpr Wide kHalfLogOf2Pi = {0.9189385332046728, -3.8782941580672414e-17};
/// log(2): the first part has so few bits that its multiples by exponents are exact.
static constexpr double kLog2 = 6.93147180369123816490e-01;
static constexpr Wide kLog2Rest = {1.9082149292705877e-10, 1.1612227229362532e-26};
/// From here on these terms of the two series are enough.
static constexpr double kFar = 20;

// Only next to a zero that a number comes very close to are 106 bits of the terms too few: with this distance to 0,
// two terms of Taylor's series and as many bits are both good enough. The zeros from right to left.
static constexpr double kNear = 0x1p-32;
// Others of lgamma are so steep that no number is near.
static constexpr Zero kLgammaZeros[] = {
    {{-2.4570247382208006, -3.7075610815513266e-17}, {1.5156034480216574, -4.0695290379659345e-17}, 4.8583209516339965},
    {{-2.7476826467274127, 9.055340329338315e-17}, {-1.9143501856115988, -6.288473508186812e-17}, 9.575189475709667},
    {{-3.14358088834998, -2.1818179852331714e-16}, {7.781884658131351, -1.2366266971852648e-16}, 25.831338372387957},
    {{-3.955294284858598, -1.999428391746348e-17}, {-20.725060845803707, 1.4319348367658303e-15}, 251.7146825868894},
    {{-4.039361839740537, 2.1143995503980602e-16}, {26.790480886140593, 7.293033628616754e-16}, 324.25532293784715},
    {{-4.991544640560048, 1.5174411760571722e-16}, {-116.53578161624363, -5.716046547368697e-15}, 6995.235954894064},
    {{-5.0082181683225935, -4.3926353491015815e-17}, {123.3621845633534, -1.768571209282547e-15}, 7404.762432228682},
    {{-5.998607480080875, -3.311862478893795e-16}, {-716.2454304275473, -2.9783242920030043e-14}, 257851.58963956262},
    {{-6.001385294453155, 6.415847287933042e-17}, {723.7366299252801, 1.1249184125180416e-14}, 260548.41030309396},
    {{-6.999801507890638, 1.0550130037400023e-17}, {-5035.967373768125, -3.4314121464979817e-13}, 12690641.16604718},
    {{-7.000198333407325, 2.504354173632409e-16}, {5044.029941110829, 2.1055091809006812e-13}, 12710958.833951395},
    {{-7.999975197095821, -5.261737128572354e-17}, {-40315.71854218779, -1.3528231836215863e-12}, 812764889.3354839},
    {{-8.000024800270682, -4.354586297860107e-16}, {40324.281108124356, -2.3898127105223257e-12}, 812937510.664516}};
static constexpr double kLgammaLast = -9;
// From -20 on, numbers are too sparse.
static constexpr Zero kPsiZeros[] = {
    {{-0.5040830082644554, -8.15428206243813e-18}, {8.939798558792134, 4.661730805438714e-16}, -0.8093454625306507},
    {{-1.5734984731623904, -1.574185691077347e-17}, {9.941513615924176, -3.5066551522020224e-16}, -7.802593974782628},
    {{-2.6107208684441447, 9.881960746978353e-17}, {10.84832879920919, -8.536942638820943e-16}, -12.770725694247192},
    {{-3.635293366436901, 5.454396163173039e-17}, {11.650939359651861, 2.7717347428725105e-16}, -16.938337607821335},
    {{-4.653237761743142, -2.5492686201468193e-16}, {12.369637994669782, 3.887748753613428e-17}, -20.636997462381604},
    {{-5.6671624415568855, -3.2153051074948335e-18}, {13.021406387509394, -6.965089235370473e-16}, -24.0108335669899},
    {{-6.678418213073427, 3.470798723495241e-16}, {13.61885190419576, -7.135780553752639e-16}, -27.138720475450622},
    {{-7.687788325031626, -1.351562494643672e-16}, {14.17134063324115, -6.249516188433104e-16}, -30.070057845407266},
    {{-8.695764163816401, -3.2859903716289447e-16}, {14.685967981672645, -5.723133091848306e-16}, -32.83860036635177},
    {{-9.702672540001863, -3.2563178405401477e-16}, {15.168227153977934, 6.378153190846253e-16}, -35.4688400421718},
    {{-10.708740838254144, -6.287211750540301e-16}, {15.622457622439102, -3.6716255132400454e-16}, -37.97933883319623},
    {{-11.714133061228955, 8.598250154343834e-16}, {16.052149399699143, -2.2762535008633344e-16}, -40.384634336499815},
    {{-12.718971025749207, -4.752312432106917e-16}, {16.460153754774325, -1.6912033593757394e-15}, -42.69640768075799},
    {{-13.723347457363827, 4.528278691518058e-16}, {16.848832388781286, -1.5787597768773506e-15}, -44.92423925555607},
    {{-14.727334416018529, -3.6618399963139786e-17}, {17.220165296986988, -5.688225105726857e-16}, -47.07611954114229},
    {{-15.730988906332882, 1.0551956373365842e-16}, {17.57583029204343, 1.753587841726115e-16}, -49.15880694488889},
    {{-16.734356723955734, -1.2039501631800144e-15}, {17.917262680194938, -4.030448106280184e-16}, -51.17808601478364},
    {{-17.73747515997759, -5.125776230727235e-16}, {18.245700765693552, 1.3291042778223878e-15}, -53.13895848640481},
    {{-18.7403749447801, 7.757330874026816e-16}, {18.56222105397533, 2.7411931840143622e-17}, -55.04578768732745},
    {{-19.74308167259022, 6.505672516695227e-16}, {18.86776584413125, 2.8533779086224003e-16}, -56.902409718374784}};
static constexpr double kPsiLast = -20;

static Pair constant(Real x, Wide c) { return {x.constant(c.high), x.constant(c.low)}; }

static Pair operator/(Pair x, Pair y) {
  Real quotient = x.high / y.high;
  return fastTwoSum(quotient, (x - y * quotient).high / y.high);
}

/// The terms from `wide` on have no more than the last 53 bits of the sum.
static Pair series(Pair z, ArrayRef<Wide> coefficients, size_t wide) {
  Real tail = z.high.constant(coefficients.back().high);
  for (Wide coefficient : llvm::reverse(coefficients.slice(wide).drop_back()))
    tail = mulAdd(tail, z.high, coefficient.high);
  Pair sum{tail, tail.constant(0.0)};
  for (Wide coefficient : llvm::reverse(coefficients.take_front(wide)))
    sum = sum * z + constant(z.high, coefficient);
  return sum;
}

/// log(x) of a positive number that is not very large or small.
static Pair logOf(Pair x) {
  // x = 2^e m with m in [sqrt(1/2), sqrt(2)).
  Bits bits = x.high.bits();
  Bits exponent = (bits - 0x3fe6a09e667f3bcd) & -(int64_t(1) << 52);
  Real inverse = (exponent.constant(int64_t(1023) << 52) - exponent).asReal();
  Real m = x.high * inverse, low = x.low * inverse;
  constexpr double shift = 0x1.8p52;
  Real e = (exponent.shiftRightSigned(52) + m.constant(shift).bits()).asReal() - shift;
  Pair s = twoSum(m - 1.0, low) / (twoSum(m, m.constant(1.0)) + low);
  Pair log = s * series(s * s, kLog, 10);
  return Pair{e * kLog2, e.constant(0.0)} + (constant(e, kLog2Rest) * e + log);
}

namespace {
/// The sine and cosine of |r| half turns.
struct Turn {
  Pair sine, cosine;
};
} // namespace

/// For |r| <= 1/2.
static Turn turn(Real r) {
  Real a = r.abs();
  Value isFirst = a.compare(Real::P::OLE, a.constant(0.25));
  Pair angle = constant(a, kPi) * select(isFirst, a, 0.5 - a), z = angle * angle;
  Pair sine = angle * series(z, kSine, 8), cosine = series(z, kCosine, 9);
  return {select(isFirst, sine, cosine), select(isFirst, cosine, sine)};
}

/// Adds 1 to z until it is far, but `steps` times at most; `add` joins each of the numbers on the way to a result.
static std::pair<Pair, Pair> moveFar(Pair z, int steps, double first, llvm::function_ref<Pair(Pair, Pair)> add) {
  ImplicitLocOpBuilder &b = *z.high.b;
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  Real start = z.high.constant(first), zero = z.high.constant(0.0);
  auto loop = scf::ForOp::create(
      b, index(0), index(steps), index(1), ValueRange{z.high.value, z.low.value, start.value, zero.value},
      [&](OpBuilder &builder, Location loc, Value, ValueRange carried) {
        ImplicitLocOpBuilder inner(loc, builder);
        auto pair = [&](int at) -> Pair { return {{&inner, carried[at]}, {&inner, carried[at + 1]}}; };
        Pair at = pair(0), result = pair(2);
        Value isNear = at.high < kFar;
        result = select(isNear, add(result, at), result);
        at = select(isNear, at + at.high.constant(1.0), at);
        scf::YieldOp::create(builder, loc, {at.high.value, at.low.value, result.high.value, result.low.value});
      });
  loop->setAttr(XlaRtDialect::kNonEmpty, b.getUnitAttr());
  auto pair = [&](int at) -> Pair { return {z.high.with(loop.getResult(at)), z.high.with(loop.getResult(at + 1))}; };
  return {pair(0), pair(2)};
}

/// What `then` makes of x, or `otherwise` if no lane has `condition`.
static Real ifAny(Value condition, Real x, Real otherwise, llvm::function_ref<Real(Real)> then) {
  SmallVector<Value> result =
      ifAny(*x.b, condition, otherwise.value,
            [&](ImplicitLocOpBuilder &inner) -> SmallVector<Value> { return {then({&inner, x.value}).value}; });
  return x.with(result[0]);
}

/// `value` = f(x), or Taylor's series of f about the zero next to x > last where that is nearly 0.
static Real nextToZeros(Real x, Pair value, ArrayRef<Zero> zeros, double last) {
  Value isNear = both(x, value.high.abs() < kNear, x > last);
  return ifAny(isNear, x, value.high, [&](Real x) {
    Real at = x.constant(zeros[0].at.high), low = x.constant(zeros[0].at.low);
    Real slope = x.constant(zeros[0].slope.high), slopeLow = x.constant(zeros[0].slope.low);
    Real half = x.constant(zeros[0].half);
    for (size_t i = 1; i < zeros.size(); ++i) {
      Value isLeft = x < (zeros[i - 1].at.high + zeros[i].at.high) / 2;
      at = select(isLeft, x.constant(zeros[i].at.high), at);
      low = select(isLeft, x.constant(zeros[i].at.low), low);
      slope = select(isLeft, x.constant(zeros[i].slope.high), slope);
      slopeLow = select(isLeft, x.constant(zeros[i].slope.low), slopeLow);
      half = select(isLeft, x.constant(zeros[i].half), half);
    }
    Pair step = fastTwoSum(x - at, -low);
    Real rest = mulAdd(step.high, mulAdd(half, step.high, slopeLow), step.low * slope);
    return select(isNear, mulAdd(step.high, slope, rest), x.with(value.high.value));
  });
}

/// `function` of the numbers below `limit` that are not whole, and `otherwise`.
static Real onTheLeft(Real x, Real otherwise, double limit, Real (*function)(Real)) {
  Value isLeft = both(x, x < limit, x.roundEven().compare(Real::P::ONE, x));
  return ifAny(isLeft, x, otherwise, [&](Real x) {
    // Other lanes get what has a value.
    Real value = function(select(isLeft, x, x.constant(-2.5)));
    return select(isLeft, value, x.with(otherwise.value));
  });
}

/// log(pi / |x sin(pi x)|) - lgamma(|x|).
static Real lgammaOfLeft(Real x) {
  auto [z, product] = moveFar({x.abs(), x.constant(0.0)}, 20, 1.0, [](Pair product, Pair z) { return product * z; });
  Pair inverse = Pair{x.constant(1.0), x.constant(0.0)} / z;
  Pair stirling = logOf(z) * (z + x.constant(-0.5)) - z + constant(x, kHalfLogOf2Pi);
  stirling = stirling + inverse * series(inverse * inverse, kStirling, 5);
  Pair sine = turn(x - x.roundEven()).sine;
  Pair value = logOf(constant(x, kPi) * product / (sine * x.abs())) - stirling;
  return nextToZeros(x, value, kLgammaZeros, kLgammaLast);
}

/// digamma(1 - x) - pi / tan(pi x).
static Real digammaOfLeft(Real x) {
  Pair one{x.constant(1.0), x.constant(0.0)};
  auto [z, sum] = moveFar(twoSum(one.high, -x), 19, 0.0,
                          [](Pair sum, Pair z) { return sum + Pair{z.high.constant(1.0), z.high.constant(0.0)} / z; });
  Pair inverse = one / z, square = inverse * inverse;
  Pair direct = logOf(z) + (square * series(square, kPsi, 5) - inverse * x.constant(0.5)) - sum;
  Real r = x - x.roundEven();
  auto [sine, cosine] = turn(r);
  Pair cotangent = constant(x, kPi) * cosine / sine;
  Pair value = direct + select(r < 0.0, cotangent, -cotangent);
  return nextToZeros(x, value, kPsiZeros, kPsiLast);
}

Real mlir::xla::emitLgammaLeft(Real x, Real otherwise) { return onTheLeft(x, otherwise, -0.25, lgammaOfLeft); }
Real mlir::xla::emitDigammaLeft(Real x, Real otherwise) { return onTheLeft(x, otherwise, -0x1p-10, digammaOfLeft); }
