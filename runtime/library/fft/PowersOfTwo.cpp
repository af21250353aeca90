// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms whose lengths are powers of two, on vectors of real and of imaginary parts. Columns go to the
// lanes of vectors as they lie beside each other. A row is a matrix whose columns are transformed like that, then
// transposed and transformed again, so that one row is as much work for vectors as many are, and stays in the first
// cache. Compiled once for each element type and kind of processor (XLA_FFT_TYPE, XLA_FFT_BYTES of a vector,
// XLA_FFT_POWERS).

#include "mlir_xla/runtime/library/fft/Lanes.h"
#include "mlir_xla/runtime/library/fft/Plans.h"
#include "mlir_xla/runtime/library/fft/Transforms.h"

#include <cmath>
#include <vector>

#define XLA_FFT_INLINE inline __attribute__((always_inline))
#define XLA_FFT_LAMBDA __attribute__((always_inline))

namespace xla_fft {
namespace {

using Real = XLA_FFT_TYPE;
constexpr int64_t kLanes = XLA_FFT_BYTES / sizeof(Real);
using Move = Lanes<Real, kLanes>;
using Vector = Move::Vector;

/// Complex numbers. In memory the real parts are followed by the imaginary ones.
struct Complex {
  Vector re, im;
};
constexpr int64_t kComplex = 2 * kLanes;

XLA_FFT_INLINE Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
XLA_FFT_INLINE Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
XLA_FFT_INLINE Complex plusI(Complex a, Complex b) { return {a.re - b.im, a.im + b.re}; }
XLA_FFT_INLINE Complex minusI(Complex a, Complex b) { return {a.re + b.im, a.im - b.re}; }
template <typename Part> XLA_FFT_INLINE Complex times(Complex a, Part re, Part im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}

XLA_FFT_INLINE Complex load(const Real *from) { return {Move::packed(from), Move::packed(from + kLanes)}; }
XLA_FFT_INLINE void store(Real *to, Complex value) {
  Move::packed(to) = value.re;
  Move::packed(to + kLanes) = value.im;
}
/// Complex numbers whose parts are neighbours. Those of an inverse transform change their places: it is then a forward
/// one.
template <bool forward> XLA_FFT_INLINE Complex loadPairs(const Real *from) {
  Vector a = Move::load(from), b = Move::load(from + kLanes);
  Move::separate(a, b);
  return forward ? Complex{a, b} : Complex{b, a};
}
template <bool forward> XLA_FFT_INLINE void storePairs(Real *to, Complex value, Real factor) {
  Vector a = (forward ? value.re : value.im) * factor, b = (forward ? value.im : value.re) * factor;
  Move::interleave(a, b);
  Move::store(to, a);
  Move::store(to + kLanes, b);
}

/// exp(-2 pi i number / count), of the remainder that is nearest to zero.
struct Root {
  Root(int64_t number, int64_t count) {
    number %= count;
    int64_t quarter = (4 * number + count / 2) / count;
    double angle = 2 * 3.14159265358979323846 * static_cast<double>(4 * number - quarter * count) /
                   (4 * static_cast<double>(count));
    double c = std::cos(angle), s = -std::sin(angle);
    double parts[] = {c, s, -c, -s};
    re = quarter % 2 ? parts[quarter == 1 ? 1 : 3] : parts[quarter == 2 ? 2 : 0];
    im = quarter % 2 ? parts[quarter == 1 ? 2 : 0] : parts[quarter == 2 ? 3 : 1];
  }
  double re, im;
};

//===- Transforms of a few elements -------------------------------------------------------------------------------===//

constexpr Real kHalfRoot = Real(0.70710678118654752440L); // cos(pi / 4)

XLA_FFT_INLINE void transform4(Complex &x0, Complex &x1, Complex &x2, Complex &x3) {
  Complex a = x0 + x2, b = x0 - x2, c = x1 + x3, d = x1 - x3;
  x0 = a + c;
  x1 = minusI(b, d);
  x2 = a - c;
  x3 = plusI(b, d);
}

/// Times exp(-pi i / 4), or times exp(-3 pi i / 4), without the factor sqrt(1/2).
XLA_FFT_INLINE Complex turnedOnce(Complex x) { return {x.re + x.im, x.im - x.re}; }
XLA_FFT_INLINE Complex turnedThrice(Complex x) { return {x.im - x.re, -x.im - x.re}; }

template <int size> XLA_FFT_INLINE void transformFew(Complex (&x)[size]) {
  static_assert(size == 4 || size == 8 || size == 16, "those that need few registers");
  if constexpr (size == 4) {
    transform4(x[0], x[1], x[2], x[3]);
  } else if constexpr (size == 8) {
    Complex e[] = {x[0], x[2], x[4], x[6]}, o[] = {x[1], x[3], x[5], x[7]};
    transformFew(e);
    transformFew(o);
    Complex once = turnedOnce(o[1]), thrice = turnedThrice(o[3]);
    x[0] = e[0] + o[0];
    x[4] = e[0] - o[0];
    x[1] = {e[1].re + kHalfRoot * once.re, e[1].im + kHalfRoot * once.im};
    x[5] = {e[1].re - kHalfRoot * once.re, e[1].im - kHalfRoot * once.im};
    x[2] = minusI(e[2], o[2]);
    x[6] = plusI(e[2], o[2]);
    x[3] = {e[3].re + kHalfRoot * thrice.re, e[3].im + kHalfRoot * thrice.im};
    x[7] = {e[3].re - kHalfRoot * thrice.re, e[3].im - kHalfRoot * thrice.im};
  } else {
    constexpr Real c = Real(0.92387953251128675613L), s = Real(0.38268343236508977173L); // of pi / 8
    for (int n = 0; n < 4; ++n)
      transform4(x[n], x[n + 4], x[n + 8], x[n + 12]);
    auto half = [](Complex y) XLA_FFT_LAMBDA { return Complex{y.re * kHalfRoot, y.im * kHalfRoot}; };
    x[5] = times(x[5], c, -s);
    x[6] = half(turnedOnce(x[6]));
    x[7] = times(x[7], s, -c);
    x[9] = half(turnedOnce(x[9]));
    x[10] = {x[10].im, -x[10].re};
    x[11] = half(turnedThrice(x[11]));
    x[13] = times(x[13], s, -c);
    x[14] = half(turnedThrice(x[14]));
    x[15] = times(x[15], -c, s);
    Complex y[16];
    for (int k = 0; k < 4; ++k) {
      transform4(x[4 * k], x[4 * k + 1], x[4 * k + 2], x[4 * k + 3]);
      for (int j = 0; j < 4; ++j)
        y[k + 4 * j] = x[4 * k + j];
    }
    for (int i = 0; i < 16; ++i)
      x[i] = y[i];
  }
}

//===- Transforms in each lane ------------------------------------------------------------------------------------===//

/// A transform in each lane. Passes of transforms of 4 or 8 elements cut it into parts, each of which is done before
/// the next, so that a long one visits the second cache in its first passes only. The last pass has 4, 8 or 16
/// elements.
class InLanes {
public:
  static constexpr int64_t kLeast = 4, kMost = 16384;

  explicit InLanes(int64_t length) : length(length) {
    int64_t bits = 0;
    for (; int64_t(1) << bits < length; ++bits) {
    }
    last = bits == 2 ? 4 : bits % 3 == 1 ? 16 : 8;
    for (int64_t left = length, size = bits % 3 == 2 ? 4 : 8; left > last; left /= size, size = 8) {
      passes.push_back({size, left / size, static_cast<int64_t>(factors.size())});
      for (int64_t n = 0; n < left / size; ++n)
        for (int64_t k = 1; k < size; ++k) {
          Root root(n * k, left);
          factors.push_back(static_cast<Real>(root.re));
          factors.push_back(static_cast<Real>(root.im));
        }
    }
  }
  size_t footprint() const { return factors.size() * sizeof(Real); }
  /// Numbers that `run` needs in memory.
  int64_t workSize() const { return passes.empty() ? 0 : length * kComplex; }

  /// `in(i)` gives the elements `i` of all lanes, `out(i, value)` takes those of the result, whose order is not that of
  /// `i`. All are read before the first is written.
  template <typename In, typename Out> XLA_FFT_INLINE void run(In in, Real *work, Out out) const {
    if (passes.empty())
      return doLast(in, out, 0, 1);
    doPass(passes[0], in, work);
    for (int64_t k = 0; k < passes[0].size; ++k)
      doPart(1, work + k * passes[0].parts * kComplex, out, k, passes[0].size);
  }
  static XLA_FFT_INLINE auto from(const Real *data) {
    return [=](int64_t i) XLA_FFT_LAMBDA { return load(data + i * kComplex); };
  }

private:
  struct Pass {
    int64_t size, parts, factors;
  };

  template <int size, typename In> XLA_FFT_INLINE void doPassOf(const Pass &pass, In in, Real *data) const {
    const Real *factor = factors.data() + pass.factors;
    for (int64_t n = 0; n < pass.parts; ++n, factor += 2 * (size - 1)) {
      Complex x[size];
      for (int j = 0; j < size; ++j)
        x[j] = in(n + pass.parts * j);
      transformFew(x);
      store(data + n * kComplex, x[0]);
      for (int k = 1; k < size; ++k)
        store(data + (n + pass.parts * k) * kComplex, times(x[k], factor[2 * k - 2], factor[2 * k - 1]));
    }
  }
  template <typename In> XLA_FFT_INLINE void doPass(const Pass &pass, In in, Real *data) const {
    pass.size == 4 ? doPassOf<4>(pass, in, data) : doPassOf<8>(pass, in, data);
  }

  template <int size, typename In, typename Out>
  static XLA_FFT_INLINE void doLastOf(In in, Out out, int64_t first, int64_t stride) {
    Complex x[size];
    for (int j = 0; j < size; ++j)
      x[j] = in(j);
    transformFew(x);
    for (int k = 0; k < size; ++k)
      out(first + k * stride, x[k]);
  }
  template <typename In, typename Out> XLA_FFT_INLINE void doLast(In in, Out out, int64_t first, int64_t stride) const {
    switch (last) {
    case 4:
      return doLastOf<4>(in, out, first, stride);
    case 8:
      return doLastOf<8>(in, out, first, stride);
    default:
      return doLastOf<16>(in, out, first, stride);
    }
  }

  /// The part whose results are `first`, `first + stride`, ..
  template <typename Out> void doPart(size_t depth, Real *data, Out out, int64_t first, int64_t stride) const {
    if (depth == passes.size())
      return doLast(from(data), out, first, stride);
    const Pass &pass = passes[depth];
    doPass(pass, from(data), data);
    for (int64_t k = 0; k < pass.size; ++k)
      doPart(depth + 1, data + k * pass.parts * kComplex, out, first + k * stride, stride * pass.size);
  }

  int64_t length, last;
  std::vector<Pass> passes;
  std::vector<Real> factors;
};

class ColumnsPlan : public InLanes {
public:
  ColumnsPlan(int64_t length, bool) : InLanes(length) {}
};

/// As many columns as there are lanes, which are neighbours; elements of a column are `stride` complex numbers apart.
template <bool forward>
void transformNeighbours(const ColumnsPlan &plan, const Real *in, int64_t inStride, Real *out, int64_t outStride,
                         Real *work, Real factor) {
  plan.run([=](int64_t i) XLA_FFT_LAMBDA { return loadPairs<forward>(in + 2 * i * inStride); }, work,
           [=](int64_t i, Complex value)
               XLA_FFT_LAMBDA { storePairs<forward>(out + 2 * i * outStride, value, factor); });
}

template <bool forward>
void transformColumns(const ColumnsPlan &plan, const Real *in, Real *out, int64_t length, int64_t inner, int64_t begin,
                      int64_t end, Real factor) {
  Memory memory((plan.workSize() + 2 * length * kLanes) * sizeof(Real));
  auto *beside = memory.at<Real>(0), *work = beside + 2 * length * kLanes;
  for (int64_t line = begin, count; line < end; line += count) {
    count = std::min({kLanes, end - line, inner - line % inner});
    int64_t start = 2 * (line / inner * length * inner + line % inner);
    if (count == kLanes) {
      transformNeighbours<forward>(plan, in + start, inner, out + start, inner, work, factor);
      continue;
    }
    // Fewer lines go through the same instructions, so that results do not depend on how many are done together.
    std::fill_n(beside, 2 * length * kLanes, Real(0));
    for (int64_t i = 0; i < length; ++i)
      std::copy_n(in + start + 2 * i * inner, 2 * count, beside + 2 * i * kLanes);
    transformNeighbours<forward>(plan, beside, kLanes, beside, kLanes, work, factor);
    for (int64_t i = 0; i < length; ++i)
      std::copy_n(beside + 2 * i * kLanes, 2 * count, out + start + 2 * i * inner);
  }
}

bool columns(const Real *in, Real *out, int64_t length, int64_t inner, int64_t begin, int64_t end, bool forward,
             Real factor) {
  // Narrow arrays would leave most lanes empty.
  if ((length & (length - 1)) != 0 || length < InLanes::kLeast || length > InLanes::kMost || inner < kLanes / 2)
    return false;
  auto plan = planFor<ColumnsPlan>(length, false);
  auto *transform = forward ? transformColumns<true> : transformColumns<false>;
  transform(*plan, in, out, length, inner, begin, end, factor);
  return true;
}

//===- Transforms of rows -----------------------------------------------------------------------------------------===//

/// A row as a matrix with a column for each lane.
class RowPlan {
public:
  static bool fits(int64_t length) {
    return (length & (length - 1)) == 0 && length >= kLanes * kLanes && length <= kLanes * InLanes::kMost;
  }
  RowPlan(int64_t length, bool) : height(length / kLanes), down(height), across(kLanes) {
    for (int64_t k = 0; k < height; ++k)
      for (bool imaginary : {false, true})
        for (int64_t lane = 0; lane < kLanes; ++lane) {
          Root root(k * lane, length);
          factors.push_back(static_cast<Real>(imaginary ? root.im : root.re));
        }
  }
  size_t footprint() const { return factors.size() * sizeof(Real) + down.footprint(); }
  int64_t workSize() const { return height * kComplex + down.workSize(); }

  /// `in(i)` gives the neighbours from `i` on, `out(i, value)` takes such of the result.
  template <typename In, typename Out> XLA_FFT_INLINE void run(In in, Real *work, Out out) const {
    const Real *factor = factors.data();
    Real *matrix = work + down.workSize();
    down.run([=](int64_t i) XLA_FFT_LAMBDA { return in(i * kLanes); }, work,
             [=](int64_t k, Complex value) XLA_FFT_LAMBDA {
               Complex turn{Move::load(factor + k * kComplex), Move::load(factor + k * kComplex + kLanes)};
               store(matrix + k * kComplex, times(value, turn.re, turn.im));
             });
    for (int64_t first = 0; first < height; first += kLanes) {
      Real *square = matrix + first * kComplex;
      for (int64_t part : {int64_t(0), kLanes}) {
        Vector rows[kLanes];
        for (int64_t i = 0; i < kLanes; ++i)
          rows[i] = Move::packed(square + i * kComplex + part);
        Move::transpose(rows);
        for (int64_t i = 0; i < kLanes; ++i)
          Move::packed(square + i * kComplex + part) = rows[i];
      }
      across.run(InLanes::from(square), nullptr,
                 [=](int64_t k, Complex value) XLA_FFT_LAMBDA { out(k * height + first, value); });
    }
  }

private:
  int64_t height;
  InLanes down, across;
  std::vector<Real> factors;
};

template <bool forward>
void transformRows(const RowPlan &plan, const Real *in, Real *out, int64_t length, int64_t begin, int64_t end,
                   Real factor) {
  Memory memory(plan.workSize() * sizeof(Real));
  for (int64_t row = begin; row < end; ++row) {
    const Real *from = in + 2 * row * length;
    Real *to = out + 2 * row * length;
    plan.run([=](int64_t i) XLA_FFT_LAMBDA { return loadPairs<forward>(from + 2 * i); }, memory.at<Real>(0),
             [=](int64_t i, Complex value) XLA_FFT_LAMBDA { storePairs<forward>(to + 2 * i, value, factor); });
  }
}

bool rows(const Real *in, Real *out, int64_t length, int64_t begin, int64_t end, bool forward, Real factor) {
  if (!RowPlan::fits(length))
    return false;
  auto plan = planFor<RowPlan>(length, false);
  (forward ? transformRows<true> : transformRows<false>)(*plan, in, out, length, begin, end, factor);
  return true;
}

/// Real numbers, the even and the odd ones of which are the parts of complex ones: half as many, whose transform Z
/// becomes that of the real ones by X[k] = (Z[k] + conj Z[-k]) / 2 - i/2 w^k (Z[k] - conj Z[-k]), and back by
/// 2 Z[k] = (X[k] + conj X[-k]) + i w^-k (X[k] - conj X[-k]).
class RealRowPlan {
public:
  /// Shorter rows do not pay for taking the two halves apart.
  static constexpr int64_t kLeastBytes = 2048;
  static bool fits(int64_t length) {
    return length % 2 == 0 && RowPlan::fits(length / 2) && length * static_cast<int64_t>(sizeof(Real)) >= kLeastBytes;
  }
  RealRowPlan(int64_t length, bool) : half(length / 2), row(half, false) {
    for (int64_t k = 0; k < half; k += kLanes)
      for (bool imaginary : {false, true})
        for (int64_t lane = 0; lane < kLanes; ++lane) {
          Root root(k + lane, length);
          factors.push_back(static_cast<Real>(imaginary ? root.re : root.im));
        }
  }
  size_t footprint() const { return factors.size() * sizeof(Real) + row.footprint(); }
  /// Two rows of parts, of one more element each, and what transforming takes.
  int64_t workSize() const { return 2 * (half + kLanes) + row.workSize(); }

  void toSpectrum(const Real *in, Real *work, Real *out) const {
    Real *re = work, *im = re + half + kLanes;
    row.run([=](int64_t i) XLA_FFT_LAMBDA { return loadPairs<true>(in + 2 * i); }, im + half + kLanes,
            [=](int64_t i, Complex value) XLA_FFT_LAMBDA {
              Move::packed(re + i) = value.re;
              Move::packed(im + i) = value.im;
            });
    re[half] = re[0];
    im[half] = im[0];
    for (int64_t k = 0; k < half; k += kLanes) {
      Complex z{Move::packed(re + k), Move::packed(im + k)};
      int64_t opposite = half - k - kLanes + 1;
      Vector otherRe = Move::reverse(Move::load(re + opposite)), otherIm = Move::reverse(Move::load(im + opposite));
      Complex sum{z.re + otherRe, z.im - otherIm}, difference{z.re - otherRe, z.im + otherIm};
      Vector turnRe = Move::load(factors.data() + 2 * k), turnIm = -Move::load(factors.data() + 2 * k + kLanes);
      storePairs<true>(out + 2 * k, sum + times(difference, turnRe, turnIm), Real(0.5));
    }
    out[1] = Real(0);
    out[2 * half] = re[0] - im[0];
    out[2 * half + 1] = Real(0);
  }

  void toReal(const Real *in, Real *work, Real *out, Real factor) const {
    Real *re = work, *im = re + half + kLanes;
    for (int64_t k = 0; k < half; k += kLanes) {
      Complex x = loadPairs<true>(in + 2 * k), other = loadPairs<true>(in + 2 * (half - k - kLanes + 1));
      other = {Move::reverse(other.re), Move::reverse(other.im)};
      Complex sum{x.re + other.re, x.im - other.im}, difference{x.re - other.re, x.im + other.im};
      Vector turnRe = Move::load(factors.data() + 2 * k), turnIm = Move::load(factors.data() + 2 * k + kLanes);
      Complex z = sum + times(difference, turnRe, turnIm);
      Move::packed(re + k) = z.re;
      Move::packed(im + k) = z.im;
    }
    // The first and the last have no imaginary parts, whatever there is in memory.
    re[0] = in[0] + in[2 * half];
    im[0] = in[0] - in[2 * half];
    row.run([=](int64_t i) XLA_FFT_LAMBDA { return Complex{Move::packed(im + i), Move::packed(re + i)}; },
            im + half + kLanes,
            [=](int64_t i, Complex value) XLA_FFT_LAMBDA { storePairs<false>(out + 2 * i, value, factor); });
  }

private:
  int64_t half;
  RowPlan row;
  std::vector<Real> factors;
};

bool realRows(const Real *in, Real *out, int64_t length, int64_t begin, int64_t end) {
  if (!RealRowPlan::fits(length))
    return false;
  auto plan = planFor<RealRowPlan>(length, false);
  Memory memory(plan->workSize() * sizeof(Real));
  for (int64_t row = begin; row < end; ++row)
    plan->toSpectrum(in + row * length, memory.at<Real>(0), out + row * (length + 2));
  return true;
}

bool toRealRows(const Real *in, Real *out, int64_t length, int64_t begin, int64_t end, Real factor) {
  if (!RealRowPlan::fits(length))
    return false;
  auto plan = planFor<RealRowPlan>(length, false);
  Memory memory(plan->workSize() * sizeof(Real));
  for (int64_t row = begin; row < end; ++row)
    plan->toReal(in + row * (length + 2), memory.at<Real>(0), out + row * length, factor);
  return true;
}

} // namespace

extern const PowersOfTwo<Real> XLA_FFT_POWERS = {rows, columns, realRows, toRealRows};

} // namespace xla_fft
