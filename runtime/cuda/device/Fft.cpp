// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms along one dimension of an array, by Stockham's passes: each is a step, which combines as many
// transforms as its radix to longer ones, and whose items are butterflies. A pass reads and writes elements that lie
// beside each other for neighbouring items, whatever the dimension. Lengths with large prime factors are convolutions
// (Bluestein), which passes by blocks begin and end as they load and store. Passes of radices up to 16 are several in
// one, by blocks of threads: in shared memory, a whole transform or a pass of a large radix. lowering/gpu/FftSteps.cpp
// makes the steps.
//
// All passes are forward: a transform is inverse if real and imaginary parts are swapped before and afterwards.

#include "mlir_xla/runtime/cuda/device/Block.h"
#include "mlir_xla/runtime/cuda/device/Twiddles.h"

namespace xla_rt::device {
namespace {

/// How elements are read or written.
enum Form : int64_t {
  Plain,        // complex numbers
  RealPart,     // real numbers, whose imaginary part is zero, or is left out
  HalfSpectrum, // the first half of a line of complex numbers of which the others are the conjugates
  Pairs,        // real numbers, of which neighbours are a complex one
};

/// An array, in a buffer of the call or, if that is -1, in the scratch memory. If `function` is not -1, that buffer is
/// a function, which elements come from, or are given to, and there is no array: the compiler's code, which computes
/// the operand or goes on with the result (lowering/gpu/TransformEnds.h).
struct Place {
  int64_t buffer, offset, function;

  template <typename T> T *at(Buffers buffers, void *scratch) const {
    return reinterpret_cast<T *>(bytesAt(buffer < 0 ? scratch : buffers[buffer], offset));
  }
};

/// Given what it works on, the number of an element, real or complex, in its array, and where its parts are, or are to
/// be.
template <typename T> using ElementFunction = void (*)(const void *arguments, int64_t element, T *parts);

/// The buffer that is the first argument of such functions. It is not among the buffers itself: what a call may write
/// to would be unknown to the compiler, and with it the functions.
constexpr int64_t kArguments = 4;

template <typename T>
XLA_RT_INLINE void callElementFunction(Buffers buffers, int64_t function, int64_t element, T *parts) {
  reinterpret_cast<ElementFunction<T>>(buffers[function])(buffers[kArguments], element, parts);
}

/// What a transform reads. Numbers are those of elements of that type.
template <typename T> struct Source {
  const void *memory;
  Buffers buffers;
  int64_t function;

  XLA_RT_INLINE Source(const Place &place, Buffers buffers, void *scratch)
      : memory(place.at<void>(buffers, scratch)), buffers(buffers), function(place.function) {}

  XLA_RT_INLINE Complex<T> complexAt(int64_t i) const {
    if (function < 0)
      return static_cast<const Complex<T> *>(memory)[i];
    alignas(16) T parts[2];
    callElementFunction(buffers, function, i, parts);
    return {parts[0], parts[1]};
  }
  XLA_RT_INLINE T realAt(int64_t i) const {
    if (function < 0)
      return static_cast<const T *>(memory)[i];
    T part;
    callElementFunction(buffers, function, i, &part);
    return part;
  }
  /// Of real numbers.
  XLA_RT_INLINE Complex<T> pairAt(int64_t i) const {
    if (function < 0)
      return static_cast<const Complex<T> *>(memory)[i];
    return {realAt(2 * i), realAt(2 * i + 1)};
  }
};

/// What a transform writes.
template <typename T> struct Target {
  void *memory;
  Buffers buffers;
  int64_t function;

  XLA_RT_INLINE Target(const Place &place, Buffers buffers, void *scratch)
      : memory(place.at<void>(buffers, scratch)), buffers(buffers), function(place.function) {}

  XLA_RT_INLINE void setComplex(int64_t i, Complex<T> x) const {
    if (function < 0) {
      static_cast<Complex<T> *>(memory)[i] = x;
      return;
    }
    alignas(16) T parts[2] = {x.re, x.im};
    callElementFunction(buffers, function, i, parts);
  }
  XLA_RT_INLINE void setReal(int64_t i, T x) const {
    if (function < 0)
      static_cast<T *>(memory)[i] = x;
    else
      callElementFunction(buffers, function, i, &x);
  }
  XLA_RT_INLINE void setPair(int64_t i, Complex<T> x) const {
    setReal(2 * i, x.re);
    setReal(2 * i + 1, x.im);
  }
};

/// The parameters of `pass`.
struct PassPlan {
  int64_t length; // of the transforms, a multiple of the radix
  int64_t inner;  // elements of the array behind the dimension
  int64_t done;   // the length of the transforms so far
  Place from, to;
  int64_t fromForm, toForm;
  int64_t swapsFrom, swapsTo;
  int64_t factor; // of the result, the bits of a double
};

template <typename T>
XLA_RT_INLINE Complex<T> loadElement(const PassPlan &plan, const Source<T> &from, int64_t outer, int64_t i,
                                     int64_t inner) {
  Complex<T> x;
  int64_t place = (outer * plan.length + i) * plan.inner + inner;
  if (plan.fromForm == Plain) {
    x = from.complexAt(place);
  } else if (plan.fromForm == Pairs) {
    x = from.pairAt(place);
  } else if (plan.fromForm == RealPart) {
    x = {from.realAt(place), T(0)};
  } else {
    bool isMirrored = 2 * i > plan.length;
    x = from.complexAt(outer * (plan.length / 2 + 1) + (isMirrored ? plan.length - i : i));
    if (isMirrored)
      x = conjugate(x);
    if (i == 0 || 2 * i == plan.length)
      x.im = T(0);
  }
  return plan.swapsFrom ? swapped(x) : x;
}

template <typename T>
XLA_RT_INLINE void storeElement(const PassPlan &plan, const Target<T> &to, int64_t outer, int64_t i, int64_t inner,
                                Complex<T> x) {
  if (plan.swapsTo)
    x = swapped(x);
  x = x * static_cast<T>(asDouble(plan.factor));
  int64_t place = (outer * plan.length + i) * plan.inner + inner;
  if (plan.toForm == Plain)
    to.setComplex(place, x);
  else if (plan.toForm == Pairs)
    to.setPair(place, x);
  else if (plan.toForm == RealPart)
    to.setReal(place, x.re);
  else if (2 * i <= plan.length)
    to.setComplex(outer * (plan.length / 2 + 1) + i, x);
}

template <typename T> XLA_RT_INLINE Complex<T> rounded(Complex<double> x) {
  return {static_cast<T>(x.re), static_cast<T>(x.im)};
}

//===- Butterflies ------------------------------------------------------------------------------------------------===//

/// The transform of R elements in registers, for primes: pairs of elements around the middle share their products.
template <typename T, int R> struct Butterfly {
  static XLA_RT_INLINE void run(Complex<T> (&x)[R]) {
    constexpr int half = R / 2;
    Complex<T> sums[half + 1], differences[half + 1], roots[half + 1];
#pragma unroll
    for (int q = 1; q <= half; ++q) {
      sums[q] = x[q] + x[R - q];
      differences[q] = x[q] - x[R - q];
      roots[q] = rounded<T>(rootOfUnity(q, R)); // a constant once the loop is unrolled
    }
    Complex<T> first = x[0];
#pragma unroll
    for (int q = 1; q <= half; ++q)
      x[0] = x[0] + sums[q];
#pragma unroll
    for (int t = 1; t <= half; ++t) {
      Complex<T> even = first, odd = {T(0), T(0)};
#pragma unroll
      for (int q = 1; q <= half; ++q) {
        int turn = q * t % R;
        Complex<T> w = turn <= half ? roots[turn] : conjugate(roots[R - turn]);
        even = even + sums[q] * w.re;
        odd = odd + differences[q] * w.im;
      }
      Complex<T> side = {-odd.im, odd.re}; // i odd
      x[t] = even + side;
      x[R - t] = even - side;
    }
  }
};

template <typename T> struct Butterfly<T, 1> {
  static XLA_RT_INLINE void run(Complex<T> (&)[1]) {}
};

template <typename T> XLA_RT_INLINE void transform2(Complex<T> &x, Complex<T> &y) {
  Complex<T> sum = x + y;
  y = x - y;
  x = sum;
}
template <typename T> XLA_RT_INLINE void transform4(Complex<T> &a, Complex<T> &b, Complex<T> &c, Complex<T> &d) {
  transform2(a, c);
  transform2(b, d);
  d = turned(d);
  transform2(a, b);
  transform2(c, d);
  Complex<T> second = c; // the order so far is 0 2 1 3
  c = b;
  b = second;
}

template <typename T> struct Butterfly<T, 2> {
  static XLA_RT_INLINE void run(Complex<T> (&x)[2]) { transform2(x[0], x[1]); }
};
template <typename T> struct Butterfly<T, 4> {
  static XLA_RT_INLINE void run(Complex<T> (&x)[4]) { transform4(x[0], x[1], x[2], x[3]); }
};

/// e^(-2 pi i k / 16) for k of 0 to 9.
template <typename T> XLA_RT_INLINE Complex<T> timesSixteenth(Complex<T> x, int k) {
  constexpr T r = T(0x1.6a09e667f3bcdp-1), c = T(0x1.d906bcf328d46p-1), s = T(0x1.87de2a6aea963p-2);
  switch (k) {
  case 0:
    return x;
  case 1:
    return x * Complex<T>{c, -s};
  case 2:
    return {r * (x.re + x.im), r * (x.im - x.re)};
  case 3:
    return x * Complex<T>{s, -c};
  case 4:
    return turned(x);
  case 6:
    return {r * (x.im - x.re), -r * (x.re + x.im)};
  default: // 9
    return x * Complex<T>{-c, s};
  }
}

/// R = 4 * C: C transforms of 4, then 4 of C.
template <typename T> struct Butterfly<T, 8> {
  static XLA_RT_INLINE void run(Complex<T> (&x)[8]) {
#pragma unroll
    for (int i = 0; i < 2; ++i)
      transform4(x[i], x[i + 2], x[i + 4], x[i + 6]);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      x[2 * k + 1] = timesSixteenth(x[2 * k + 1], 2 * k);
      transform2(x[2 * k], x[2 * k + 1]);
    }
    // Element k + 4 j of the result is at 2 k + j.
    Complex<T> result[8];
#pragma unroll
    for (int k = 0; k < 4; ++k)
#pragma unroll
      for (int j = 0; j < 2; ++j)
        result[k + 4 * j] = x[2 * k + j];
#pragma unroll
    for (int i = 0; i < 8; ++i)
      x[i] = result[i];
  }
};
template <typename T> struct Butterfly<T, 16> {
  static XLA_RT_INLINE void run(Complex<T> (&x)[16]) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      transform4(x[i], x[i + 4], x[i + 8], x[i + 12]);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int i = 1; i < 4; ++i)
        x[4 * k + i] = timesSixteenth(x[4 * k + i], k * i);
      transform4(x[4 * k], x[4 * k + 1], x[4 * k + 2], x[4 * k + 3]);
    }
    Complex<T> result[16];
#pragma unroll
    for (int k = 0; k < 4; ++k)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        result[k + 4 * j] = x[4 * k + j];
#pragma unroll
    for (int i = 0; i < 16; ++i)
      x[i] = result[i];
  }
};

//===- Steps ------------------------------------------------------------------------------------------------------===//

/// Multiplies by e^(-2 pi i k t / n) for each t. They are computed, because that takes less time than to read them from
/// a table at places far from each other. In double precision powers are still good roots for single precision.
template <typename T, int R> XLA_RT_INLINE void twiddle(Complex<T> (&x)[R], int64_t k, int64_t n) {
  if constexpr (sizeof(T) == 4) {
    Complex<double> powers[R > 1 ? R : 2];
    powers[1] = rootOfUnity(k, n);
#pragma unroll
    for (int t = 2; t < R; ++t)
      powers[t] = powers[t / 2] * powers[t - t / 2];
#pragma unroll
    for (int t = 1; t < R; ++t)
      x[t] = x[t] * rounded<T>(powers[t]);
  } else {
#pragma unroll
    for (int t = 1; t < R; ++t)
      x[t] = x[t] * rootOfUnity(k * t, n);
  }
}

template <typename T, int R>
XLA_RT_INLINE void pass(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  PassPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  Source<T> from(plan.from, buffers, scratch);
  Target<T> to(plan.to, buffers, scratch);
  int64_t butterflies = plan.length / R;
  for (int64_t item = begin; item < end; ++item) {
    int64_t inner = item % plan.inner, j = item / plan.inner % butterflies, outer = item / plan.inner / butterflies;
    Complex<T> x[R];
#pragma unroll
    for (int t = 0; t < R; ++t)
      x[t] = loadElement(plan, from, outer, j + t * butterflies, inner);
    int64_t k = j % plan.done;
    if (plan.done > 1)
      twiddle(x, k, plan.done * R);
    Butterfly<T, R>::run(x);
    int64_t first = (j - k) * R + k;
#pragma unroll
    for (int t = 0; t < R; ++t)
      storeElement(plan, to, outer, first + t * plan.done, inner, x[t]);
  }
}

/// The parameters of `split` and `join`: lines of spectra of `length` real numbers, and of transforms of half the
/// length, of those numbers in pairs.
struct RealPlan {
  int64_t length;
  Place from, to;
};

/// A frequency, k, of the spectrum of pairs of real numbers, and the one that mirrors it: what they are in the spectrum
/// of the numbers, of which there are 2 `half`. For k = 0, these are the first and the last one.
template <typename T> XLA_RT_INLINE void splitPair(int64_t k, int64_t half, Complex<T> &low, Complex<T> &high) {
  if (k == 0) {
    Complex<T> z = low;
    low = {z.re + z.im, T(0)};
    high = {z.re - z.im, T(0)};
    return;
  }
  Complex<T> x = low * T(0.5), y = conjugate(high) * T(0.5);
  // The spectra of the even numbers, and of the odd ones times -i w^k.
  Complex<T> even = x + y, odd = turned(x - y) * rounded<T>(rootOfUnity(k, 2 * half));
  low = even + odd;
  high = conjugate(even - odd);
}

/// The inverse, but for a factor, with the parts swapped; for k = 0 only `low` is one.
template <typename T> XLA_RT_INLINE void joinPair(int64_t k, int64_t half, Complex<T> &low, Complex<T> &high) {
  if (k == 0) {
    T first = low.re, last = high.re;
    low = {first - last, first + last};
    return;
  }
  Complex<T> x = low, y = conjugate(high);
  // i w^-k (x - y), and the same for the mirrored frequency.
  Complex<T> even = x + y, odd = conjugate(turned(conjugate(x - y) * rounded<T>(rootOfUnity(k, 2 * half))));
  low = swapped(even + odd);
  high = swapped(conjugate(even - odd));
}

/// Transforms of pairs of real numbers -> spectra. An item is a frequency and the one that mirrors it.
template <typename T>
XLA_RT_INLINE void split(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  RealPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  Source<T> from(plan.from, buffers, scratch);
  Target<T> to(plan.to, buffers, scratch);
  int64_t half = plan.length / 2, pairs = half / 2 + 1;
  for (int64_t item = begin; item < end; ++item) {
    int64_t line = item / pairs, k = item % pairs;
    int64_t z = line * half, spectrum = line * (half + 1);
    // Nothing comes before the step if lines are one pair, which is the call's operand then.
    Complex<T> low = from.pairAt(z + k), high = from.pairAt(z + (k ? half - k : 0));
    splitPair(k, half, low, high);
    to.setComplex(spectrum + k, low);
    if (2 * k != half)
      to.setComplex(spectrum + half - k, high);
  }
}

/// Spectra -> what is transformed to pairs of real numbers, with the parts swapped. An item is as above.
template <typename T>
XLA_RT_INLINE void join(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  RealPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  Source<T> from(plan.from, buffers, scratch);
  auto *to = plan.to.at<Complex<T>>(buffers, scratch);
  int64_t half = plan.length / 2, pairs = half / 2 + 1;
  for (int64_t item = begin; item < end; ++item) {
    int64_t line = item / pairs, k = item % pairs;
    int64_t spectrum = line * (half + 1);
    Complex<T> *z = to + line * half;
    Complex<T> low = from.complexAt(spectrum + k), high = from.complexAt(spectrum + half - k);
    joinPair(k, half, low, high);
    z[k] = low;
    if (k > 0 && 2 * k != half)
      z[half - k] = high;
  }
}

//===- Convolutions -----------------------------------------------------------------------------------------------===//

/// What a transform is done by that is a convolution. It has lines of `size` elements, which lie behind each other, one
/// more than there are transforms: that is what the others are convolved with.
struct ChirpLines {
  int64_t size, lines;
};

/// e^(-pi i k^2 / n): k^2 counts modulo 2 n. n is less than 2^31.
XLA_RT_INLINE Complex<double> chirp(int64_t k, int64_t n) { return rootOfUnity(k * k % (2 * n), 2 * n); }

/// Elements -> element `i` of a line.
template <typename T>
XLA_RT_INLINE Complex<T> chirpedElement(const PassPlan &array, const ChirpLines &to, const Source<T> &from,
                                        int64_t line, int64_t i) {
  int64_t mirrored = least(i, to.size - i);
  if (line == to.lines)
    return mirrored < array.length ? conjugate(rounded<T>(chirp(mirrored, array.length))) : Complex<T>{T(0), T(0)};
  if (i >= array.length)
    return {T(0), T(0)};
  return loadElement(array, from, line / array.inner, i, line % array.inner) * rounded<T>(chirp(i, array.length));
}

/// The transforms of lines -> their products with that of the last line, with the parts swapped.
template <typename T>
XLA_RT_INLINE Complex<T> convolvedElement(const ChirpLines &of, const Source<T> &from, int64_t line, int64_t i) {
  return swapped(from.complexAt(line * of.size + i) * from.complexAt(of.lines * of.size + i));
}

/// Element `i` of a line, with the parts swapped -> elements of the result.
template <typename T>
XLA_RT_INLINE void storeChirped(const PassPlan &array, const Target<T> &to, int64_t line, int64_t i, Complex<T> x) {
  if (i < array.length)
    storeElement(array, to, line / array.inner, i, line % array.inner, swapped(x) * rounded<T>(chirp(i, array.length)));
}

//===- Blocks -----------------------------------------------------------------------------------------------------===//

/// Threads of a block, and elements that each has in registers.
template <typename T> constexpr int kFftTeam = sizeof(T) == 4 ? 256 : 128;
constexpr int kFftElements = 16;

/// In shared memory lines lie behind each other, with gaps, so that threads whose elements are 16 or a line apart use
/// different banks.
XLA_RT_INLINE constexpr int spread(int i) { return i + i / 16; }
XLA_RT_INLINE constexpr int lineStride(int length) { return spread(length) | 1; }
/// A line has 6 elements at least.
template <typename T> constexpr int kFftShared = kFftTeam<T> * kFftElements * 5 / 4 * sizeof(Complex<T>);
static_assert(5 * 6 >= 4 * lineStride(6) && 5 * 16 >= 4 * lineStride(15), "gaps are a quarter at most");

/// Before loops that turn a constant number of times where parameters are known, which is on the device.
#ifdef __NVPTX__
#define XLA_RT_UNROLLED _Pragma("unroll")
#else
#define XLA_RT_UNROLLED
#endif

/// The parameters of `block`: a pass whose radix is a product of small ones, by a block for some of its items, which
/// are lines of as many elements.
struct BlockPlan {
  PassPlan pass;
  int64_t radix;
  int64_t lines, allLines; // of a block, of all
  int64_t sixteens, rest, threes, fives, sevens;
  int64_t joins, splits; // whether lines are pairs of real numbers that come from a spectrum, or become one
  // Whether lines are those of a convolution that come from elements, are products, or become elements of `array`.
  int64_t begins, convolves, ends;
  PassPlan array; // without places
  ChirpLines chirp;
};

template <typename T> struct FftElements {
  Complex<T> x[kFftElements];
};

/// A pass in shared memory: butterflies of R elements, as many of a thread as it has room for. Behind the last one
/// threads wait unless each of them `keeps` what it has.
template <typename T, int R, typename Own>
XLA_RT_INLINE void passOfBlock(Own &elements, Complex<T> *shared, int length, int lines, int done, bool keeps) {
  constexpr int threads = kFftTeam<T>, each = kFftElements / R;
  int butterflies = length / R, stride = lineStride(length);
  bool isLast = done * R == length;
  auto transform = [&](int thread) __attribute__((always_inline)) {
#pragma unroll
    for (int m = 0; m < each; ++m) {
      int b = thread + m * threads, line = b / butterflies, j = b % butterflies;
      if (line >= lines)
        continue;
      Complex<T> x[R];
#pragma unroll
      for (int t = 0; t < R; ++t)
        x[t] = shared[line * stride + spread(j + t * butterflies)];
      if (done > 1)
        twiddle(x, j % done, done * R);
      Butterfly<T, R>::run(x);
#pragma unroll
      for (int t = 0; t < R; ++t)
        elements.of(thread).x[m * R + t] = x[t];
    }
  };
  // The last pass writes where it has read.
  eachThread<threads>(transform, !isLast);
  auto write = [&](int thread) __attribute__((always_inline)) {
#pragma unroll
    for (int m = 0; m < each; ++m) {
      int b = thread + m * threads, line = b / butterflies, j = b % butterflies, k = j % done;
      if (line >= lines)
        continue;
#pragma unroll
      for (int t = 0; t < R; ++t)
        shared[line * stride + spread((j - k) * R + k + t * done)] = elements.of(thread).x[m * R + t];
    }
  };
  eachThread<threads>(write, !isLast || !keeps);
}

template <typename T>
XLA_RT_INLINE void block(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  constexpr int threads = kFftTeam<T>;
  BlockPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  XLA_RT_SHARED(bytes, kFftShared<T>);
  auto *shared = reinterpret_cast<Complex<T> *>(bytes);
  Own<FftElements<T>, threads> elements;
  const PassPlan &pass = plan.pass;
  Source<T> from(pass.from, buffers, scratch);
  Target<T> to(pass.to, buffers, scratch);
  int length = static_cast<int>(plan.radix), stride = lineStride(length), pairs = length / 2 + 1;
  int64_t butterflies = pass.length / plan.radix;
  for (int64_t item = begin; item < end; ++item) {
    int64_t first = item * plan.lines;
    int lines = static_cast<int>(least(plan.lines, plan.allLines - first));
    // Neighbouring threads do what is beside each other in memory: elements of a line, or the same of some lines.
    bool alongFrom = butterflies * pass.inner == 1, alongTo = pass.done == 1 && pass.inner == 1;
    auto eachElement = [&](int thread, bool along, auto work) __attribute__((always_inline)) {
      for (int e = thread; e < lines * length; e += threads) {
        int line = along ? e / length : e % lines, t = along ? e % length : e / lines;
        int64_t all = first + line, inner = all % pass.inner, j = all / pass.inner % butterflies;
        work(shared[line * stride + spread(t)], t, all / pass.inner / butterflies, j, inner);
      }
    };
    // Whether a thread loads or stores the very elements of its butterflies, in the first or in the last pass.
    auto areOwn = [&](int64_t radix, bool along) __attribute__((always_inline)) {
      return (along || plan.lines == 1) && length / radix % threads == 0;
    };
    int64_t firstRadix = plan.sixteens ? 16 : plan.rest > 1 ? plan.rest : plan.threes ? 3 : plan.fives ? 5 : 7;
    int64_t lastRadix = plan.sevens ? 7 : plan.fives ? 5 : plan.threes ? 3 : plan.rest > 1 ? plan.rest : 16;
    bool loadsOwn = !plan.joins && areOwn(firstRadix, alongFrom);
    // Of a convolution only the first elements are stored. Those that are the first of butterflies are their threads'.
    int64_t stored = plan.array.toForm == HalfSpectrum ? plan.array.length / 2 + 1 : plan.array.length;
    bool storesFirst = plan.ends && plan.lines == 1 && plan.radix == pass.length && stored <= length / lastRadix;
    bool storesOwn = !plan.splits && (areOwn(lastRadix, alongTo) || storesFirst);
    auto eachPair = [&](int thread, auto work) __attribute__((always_inline)) {
      for (int e = thread; e < lines * pairs; e += threads) {
        int line = e / pairs, k = e % pairs;
        Complex<T> *z = shared + line * stride;
        work((first + line) * (length + 1), k, z[spread(k)], z[spread(k ? length - k : 0)]);
      }
    };
    auto load = [&](int thread) __attribute__((always_inline)) {
      if (plan.joins)
        return eachPair(thread,
                        [&](int64_t at, int k, Complex<T> &low, Complex<T> &high) __attribute__((always_inline)) {
                          Complex<T> x = from.complexAt(at + k), y = from.complexAt(at + length - k);
                          joinPair(k, length, x, y);
                          if (k > 0 && 2 * k != length)
                            high = y;
                          low = x;
                        });
      eachElement(thread, alongFrom,
                  [&](Complex<T> &x, int t, int64_t outer, int64_t j, int64_t inner) __attribute__((always_inline)) {
                    int64_t i = j + t * butterflies;
                    if (plan.begins)
                      x = chirpedElement(plan.array, plan.chirp, from, outer, i);
                    else if (plan.convolves)
                      x = convolvedElement(plan.chirp, from, outer, i);
                    else
                      x = loadElement(pass, from, outer, i, inner);
                    if (pass.done > 1)
                      x = x * rounded<T>(rootOfUnity(j % pass.done * t, pass.done * plan.radix));
                  });
    };
    eachThread<threads>(load, !loadsOwn);
    int done = 1;
    XLA_RT_UNROLLED for (int i = 0; i < plan.sixteens; ++i, done *= 16)
        passOfBlock<T, 16>(elements, shared, length, lines, done, storesOwn);
    if (plan.rest == 8)
      passOfBlock<T, 8>(elements, shared, length, lines, done, storesOwn);
    if (plan.rest == 4)
      passOfBlock<T, 4>(elements, shared, length, lines, done, storesOwn);
    if (plan.rest == 2)
      passOfBlock<T, 2>(elements, shared, length, lines, done, storesOwn);
    done *= static_cast<int>(plan.rest);
    XLA_RT_UNROLLED for (int i = 0; i < plan.threes; ++i, done *= 3)
        passOfBlock<T, 3>(elements, shared, length, lines, done, storesOwn);
    XLA_RT_UNROLLED for (int i = 0; i < plan.fives; ++i, done *= 5)
        passOfBlock<T, 5>(elements, shared, length, lines, done, storesOwn);
    XLA_RT_UNROLLED for (int i = 0; i < plan.sevens; ++i, done *= 7)
        passOfBlock<T, 7>(elements, shared, length, lines, done, storesOwn);
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      if (plan.splits)
        return eachPair(thread,
                        [&](int64_t at, int k, Complex<T> &low, Complex<T> &high) __attribute__((always_inline)) {
                          Complex<T> x = low, y = high;
                          splitPair(k, length, x, y);
                          to.setComplex(at + k, x);
                          if (2 * k != length)
                            to.setComplex(at + length - k, y);
                        });
      eachElement(thread, alongTo,
                  [&](Complex<T> &x, int t, int64_t outer, int64_t j, int64_t inner) __attribute__((always_inline)) {
                    int64_t k = j % pass.done;
                    int64_t i = (j - k) * plan.radix + k + t * pass.done;
                    if (plan.ends)
                      storeChirped(plan.array, to, outer, i, x);
                    else
                      storeElement(pass, to, outer, i, inner, x);
                  });
    });
  }
}

} // namespace
} // namespace xla_rt::device

#define XLA_RT_FFT_STEP(NAME, FUNCTION)                                                                                \
  XLA_RT_DEVICE void xla_rt_gpu_fft_##NAME(const int64_t *parameters, void *const *buffers, int64_t begin,             \
                                           int64_t end, void *scratch) {                                               \
    xla_rt::device::FUNCTION(parameters, buffers, begin, end, scratch);                                                \
  }
#define XLA_RT_COMMA ,
#define XLA_RT_FFT_PASS(RADIX)                                                                                         \
  XLA_RT_FFT_STEP(pass_##RADIX##_f32, pass<float XLA_RT_COMMA RADIX>)                                                  \
  XLA_RT_FFT_STEP(pass_##RADIX##_f64, pass<double XLA_RT_COMMA RADIX>)
#define XLA_RT_FFT(NAME, FUNCTION)                                                                                     \
  XLA_RT_FFT_STEP(NAME##_f32, FUNCTION<float>)                                                                         \
  XLA_RT_FFT_STEP(NAME##_f64, FUNCTION<double>)
XLA_RT_FFT_PASS(1)
XLA_RT_FFT_PASS(2)
XLA_RT_FFT_PASS(3)
XLA_RT_FFT_PASS(4)
XLA_RT_FFT_PASS(5)
XLA_RT_FFT_PASS(7)
XLA_RT_FFT_PASS(8)
XLA_RT_FFT_PASS(11)
XLA_RT_FFT_PASS(13)
XLA_RT_FFT_PASS(16)
XLA_RT_FFT_PASS(17)
XLA_RT_FFT_PASS(19)
XLA_RT_FFT_PASS(23)
XLA_RT_FFT_PASS(29)
XLA_RT_FFT_PASS(31)
XLA_RT_FFT(block, block)
XLA_RT_FFT(split, split)
XLA_RT_FFT(join, join)
