// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms along the dimensions of dense arrays, by DUCC's one-dimensional ones. As many transforms as a
// vector has lanes are done at once: their elements are brought into the lanes, transformed in buffers that the first
// caches hold, and stored. Compiled once for each element type and kind of processor (XLA_FFT_TYPE, XLA_FFT_VARIANT).

// All that DUCC defines is in a namespace of this object: the processors' instructions differ.
#define XLA_FFT_CONCAT_(a, b) a##b
#define XLA_FFT_CONCAT(a, b) XLA_FFT_CONCAT_(a, b)
#define DUCC0_NAMESPACE XLA_FFT_CONCAT(xla_ducc0_, XLA_FFT_VARIANT)
#define DUCC0_NO_LOWLEVEL_THREADING // the calls are items of the runtime's parallel loops

#include "mlir_xla/runtime/library/fft/Transforms.h"
#include "mlir_xla/runtime/library/fft/Lanes.h"
#include "mlir_xla/runtime/library/fft/Plans.h"

#include "ducc0/fft/fft1d_impl.h"
#include "ducc0/infra/threading.cc"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace xla_fft {
namespace {

namespace ducc = DUCC0_NAMESPACE;
using Real = XLA_FFT_TYPE;
using Complex = ducc::Cmplx<Real>;
using RealLanes = ducc::native_simd<Real>;
using ComplexLanes = ducc::Cmplx<RealLanes>;
constexpr int64_t kLanes = RealLanes::size();
using Move = Lanes<Real, kLanes>;

//===- Plans ------------------------------------------------------------------------------------------------------===//

using ComplexPlan = ducc::detail_fft::pocketfft_c<Real>;
using RealPlan = ducc::detail_fft::pocketfft_r<Real>;

/// Two arrays of a transform, which begin at cache lines and not the same distance from a page. There are `slack` bytes
/// before and behind the data of each.
struct Buffers {
  Buffers(size_t dataSize, size_t workSize, size_t elementBytes, size_t slack)
      : lead((slack + 63) / 64 * 64), dataBytes((dataSize * elementBytes + slack + 63) / 64 * 64 + lead),
        memory(dataBytes + 320 + lead + workSize * elementBytes + slack), data(memory.at<char>(lead)),
        work(memory.at<char>(dataBytes + 320 + lead)) {}
  size_t lead, dataBytes;
  Memory memory;
  char *data, *work;
};

#ifdef XLA_FFT_POWERS
/// Whether `transform` was done by one of the kernels for powers of two, those for the widest vectors first.
template <typename Transform> bool byPowersOfTwo(Transform transform) {
  static const bool hasAvx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                                __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return (hasAvx512 && transform(XLA_FFT_CONCAT(XLA_FFT_POWERS, _avx512))) ||
         transform(XLA_FFT_CONCAT(XLA_FFT_POWERS, _avx2));
}
#else
template <typename Transform> bool byPowersOfTwo(Transform) { return false; }
#endif

//===- One axis ---------------------------------------------------------------------------------------------------===//

/// Of this many transforms that are left over, each is done by itself.
constexpr int64_t kFewLanes = kLanes > 4 ? 2 : 1;

/// Rows of `length` x `inner` complex numbers, of which `inner` transforms are along the first dimension.
struct Columns {
  int64_t length, inner;
  /// Where a transform begins, counted through all arrays.
  int64_t start(int64_t lane) const { return lane / inner * length * inner + lane % inner; }
  bool areNeighbours(int64_t lane, int64_t count) const { return lane % inner + count <= inner; }
};

void transformOne(const ComplexPlan &plan, const Buffers &buffers, const Complex *in, Complex *out, int64_t stride,
                  bool forward, Real factor) {
  int64_t length = plan.length();
  auto *data = reinterpret_cast<Complex *>(buffers.data);
  for (int64_t i = 0; i < length; ++i)
    data[i] = in[i * stride];
  const Complex *result = plan.exec(data, reinterpret_cast<Complex *>(buffers.work), Real(1), forward);
  for (int64_t i = 0; i < length; ++i)
    out[i * stride] = result[i] * factor;
}

void loadComplex(const Complex *in, const Columns &columns, int64_t lane, int64_t count, Real *to) {
  int64_t starts[kLanes];
  for (int64_t i = 0; i < kLanes; ++i)
    starts[i] = columns.start(lane + std::min(i, count - 1)); // lanes without a transform repeat the last one
  if (columns.inner == 1) {
    const Real *rows[kLanes];
    for (int64_t i = 0; i < kLanes; ++i)
      rows[i] = &in[starts[i]].r;
    Move::loadRows(rows, 2 * columns.length, to);
  } else if (columns.areNeighbours(lane, kLanes)) {
    Move::loadColumns(&in[starts[0]].r, columns.length, columns.inner, to);
  } else {
    for (int64_t i = 0; i < columns.length; ++i)
      for (int64_t l = 0; l < kLanes; ++l) {
        Complex element = in[starts[l] + i * columns.inner];
        to[2 * i * kLanes + l] = element.r;
        to[(2 * i + 1) * kLanes + l] = element.i;
      }
  }
}

void storeComplex(const Real *from, Complex *out, const Columns &columns, int64_t lane, int64_t count, Real factor) {
  if (columns.inner == 1) {
    Real *rows[kLanes];
    for (int64_t i = 0; i < kLanes; ++i)
      rows[i] = &out[columns.start(lane + std::min(i, count - 1))].r;
    Move::storeRows(from, 2 * columns.length, rows, count, factor);
  } else if (count == kLanes && columns.areNeighbours(lane, kLanes)) {
    Move::storeColumns(from, columns.length, columns.inner, &out[columns.start(lane)].r, factor);
  } else {
    for (int64_t l = 0; l < count; ++l)
      for (int64_t i = 0, start = columns.start(lane + l); i < columns.length; ++i)
        out[start + i * columns.inner] = {from[2 * i * kLanes + l] * factor, from[(2 * i + 1) * kLanes + l] * factor};
  }
}

/// The transforms [begin, end). Those in one vector are always the same, so that results do not depend on how the work
/// is divided: `begin` is a multiple of 8, unless each is done by itself (`single`).
void transformComplex(const Complex *in, Complex *out, const Columns &columns, int64_t begin, int64_t end, bool single,
                      bool forward, Real factor) {
  auto *from = reinterpret_cast<const Real *>(in);
  auto *to = reinterpret_cast<Real *>(out);
  if (byPowersOfTwo([&](const PowersOfTwo<Real> &powers) {
        return columns.inner == 1
                   ? powers.rows(from, to, columns.length, begin, end, forward, factor)
                   : powers.columns(from, to, columns.length, columns.inner, begin, end, forward, factor);
      }))
    return;
  auto plan = planFor<ComplexPlan>(columns.length, single);
  Buffers buffers(columns.length, plan->bufsize(), single ? sizeof(Complex) : sizeof(ComplexLanes), 0);
  for (int64_t lane = begin; lane < end; lane += kLanes) {
    int64_t count = std::min(kLanes, end - lane);
    if (single || count <= kFewLanes) {
      for (int64_t i = lane; i < lane + count; ++i)
        transformOne(*plan, buffers, in + columns.start(i), out + columns.start(i), columns.inner, forward, factor);
      continue;
    }
    loadComplex(in, columns, lane, count, reinterpret_cast<Real *>(buffers.data));
    const ComplexLanes *result = plan->exec(reinterpret_cast<ComplexLanes *>(buffers.data),
                                            reinterpret_cast<ComplexLanes *>(buffers.work), Real(1), forward);
    storeComplex(reinterpret_cast<const Real *>(result), out, columns, lane, count, factor);
  }
}

/// DUCC has the spectrum of real numbers as r0 r1 i1 r2 i2 .., the rows of the result as r0 0 r1 i1 r2 i2 ..: the
/// latter begins one place earlier in the same memory. Gives its beginning.
template <typename T> T *spread(T *halfComplex, int64_t length) {
  halfComplex[-1] = halfComplex[0];
  halfComplex[0] = T(0);
  if (length % 2 == 0)
    halfComplex[length] = T(0);
  return halfComplex - 1;
}

/// Rows of `length` real numbers to their spectra.
void transformReal(const Real *in, Complex *out, int64_t length, int64_t begin, int64_t end, bool single) {
  if (byPowersOfTwo([&](const PowersOfTwo<Real> &powers) {
        return powers.realRows(in, reinterpret_cast<Real *>(out), length, begin, end);
      }))
    return;
  int64_t frequencies = length / 2 + 1;
  auto plan = planFor<RealPlan>(length, single);
  Buffers buffers(length, plan->bufsize(), single ? sizeof(Real) : sizeof(RealLanes), sizeof(RealLanes));
  for (int64_t lane = begin; lane < end; lane += kLanes) {
    int64_t count = std::min(kLanes, end - lane);
    if (single || count <= kFewLanes) {
      auto *data = reinterpret_cast<Real *>(buffers.data), *work = reinterpret_cast<Real *>(buffers.work);
      for (int64_t row = lane; row < lane + count; ++row) {
        std::copy_n(in + row * length, length, data);
        std::memcpy(static_cast<void *>(out + row * frequencies), spread(plan->exec(data, work, Real(1), true), length),
                    frequencies * sizeof(Complex));
      }
      continue;
    }
    const Real *from[kLanes];
    Real *to[kLanes];
    for (int64_t i = 0; i < kLanes; ++i) {
      int64_t row = lane + std::min(i, count - 1);
      from[i] = in + row * length;
      to[i] = &out[row * frequencies].r;
    }
    Move::loadRows(from, length, reinterpret_cast<Real *>(buffers.data));
    RealLanes *result = plan->exec(reinterpret_cast<RealLanes *>(buffers.data),
                                   reinterpret_cast<RealLanes *>(buffers.work), Real(1), true);
    Move::storeRows(reinterpret_cast<const Real *>(spread(result, length)), 2 * frequencies, to, count, Real(1));
  }
}

/// Spectra to rows of `length` real numbers, times `factor`. The imaginary parts that such spectra have not are
/// ignored.
void transformToReal(const Complex *in, Real *out, int64_t length, int64_t begin, int64_t end, bool single,
                     Real factor) {
  if (byPowersOfTwo([&](const PowersOfTwo<Real> &powers) {
        return powers.toRealRows(reinterpret_cast<const Real *>(in), out, length, begin, end, factor);
      }))
    return;
  int64_t frequencies = length / 2 + 1;
  auto plan = planFor<RealPlan>(length, single);
  Buffers buffers(length, plan->bufsize(), single ? sizeof(Real) : sizeof(RealLanes), sizeof(RealLanes));
  for (int64_t lane = begin; lane < end; lane += kLanes) {
    int64_t count = std::min(kLanes, end - lane);
    if (single || count <= kFewLanes) {
      auto *data = reinterpret_cast<Real *>(buffers.data), *work = reinterpret_cast<Real *>(buffers.work);
      for (int64_t row = lane; row < lane + count; ++row) {
        std::memcpy(data - 1, in + row * frequencies, frequencies * sizeof(Complex));
        data[0] = data[-1];
        const Real *result = plan->exec(data, work, Real(1), false);
        std::transform(result, result + length, out + row * length, [=](Real each) { return each * factor; });
      }
      continue;
    }
    const Real *from[kLanes];
    Real *to[kLanes];
    for (int64_t i = 0; i < kLanes; ++i) {
      int64_t row = lane + std::min(i, count - 1);
      from[i] = &in[row * frequencies].r;
      to[i] = out + row * length;
    }
    auto *data = reinterpret_cast<RealLanes *>(buffers.data);
    Move::loadRows(from, 2 * frequencies, reinterpret_cast<Real *>(data - 1));
    data[0] = data[-1];
    const RealLanes *result = plan->exec(data, reinterpret_cast<RealLanes *>(buffers.work), Real(1), false);
    Move::storeRows(reinterpret_cast<const Real *>(result), length, to, count, factor);
  }
}

//===- Several axes -----------------------------------------------------------------------------------------------===//

/// All axes of one array. What the first axis leaves is transformed in place along the others.
void transformAll(const Call &call, int64_t index) {
  const int64_t *lengths = call.lengths;
  int64_t last = call.axes - 1, rows = 1;
  for (int64_t a = 0; a < last; ++a)
    rows *= lengths[a];
  int64_t frequencies = lengths[last] / 2 + 1;
  bool isReal = call.kind == RealToComplex || call.kind == ComplexToReal,
       forward = call.kind == Forward || call.kind == RealToComplex;
  int64_t columns = isReal ? frequencies : lengths[last];
  Real factor = forward ? Real(1) : Real(1) / (static_cast<Real>(rows) * static_cast<Real>(lengths[last]));

  // Along the axes before the last, the innermost one first.
  auto transformOthers = [&](const Complex *in, Complex *data, Real factor) {
    int64_t inner = columns, outer = rows;
    for (int64_t a = last - 1; a >= 0; --a) {
      outer /= lengths[a];
      transformComplex(in, data, {lengths[a], inner}, 0, outer * inner, false, forward, a == 0 ? factor : Real(1));
      in = data;
      inner *= lengths[a];
    }
  };
  if (call.kind == ComplexToReal) {
    Memory memory(rows * columns * sizeof(Complex));
    auto *data = memory.at<Complex>(0);
    transformOthers(static_cast<const Complex *>(call.in) + index * rows * columns, data, Real(1));
    transformToReal(data, static_cast<Real *>(call.out) + index * rows * lengths[last], lengths[last], 0, rows, false,
                    factor);
    return;
  }
  auto *out = static_cast<Complex *>(call.out) + index * rows * columns;
  if (isReal)
    transformReal(static_cast<const Real *>(call.in) + index * rows * lengths[last], out, lengths[last], 0, rows,
                  false);
  else
    transformComplex(static_cast<const Complex *>(call.in) + index * rows * columns, out, {lengths[last], 1}, 0, rows,
                     false, forward, Real(1));
  transformOthers(out, out, factor);
}

//===- Long transforms in two steps -------------------------------------------------------------------------------===//

/// exp(-+2 pi i e / length) for e < length, as a product of two that are in tables.
class Turns {
public:
  Turns(int64_t length, bool forward) {
    while ((int64_t(1) << 2 * shift) < length)
      ++shift;
    double angle = (forward ? -2 : 2) * 3.14159265358979323846 / static_cast<double>(length);
    auto fill = [&](std::vector<Complex> &table, int64_t count, int64_t step) {
      for (int64_t i = 0; i < count; ++i) {
        double turn = angle * static_cast<double>(i * step);
        table.push_back({static_cast<Real>(std::cos(turn)), static_cast<Real>(std::sin(turn))});
      }
    };
    fill(fine, int64_t(1) << shift, 1);
    fill(coarse, ((length - 1) >> shift) + 1, int64_t(1) << shift);
  }
  Complex at(int64_t e) const {
    Complex a = coarse[e >> shift], b = fine[e & ((int64_t(1) << shift) - 1)];
    return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
  }

private:
  int64_t shift = 0;
  std::vector<Complex> fine, coarse;
};

/// Turns the results `k` of the columns from `column` on, in the lanes of vectors.
void turn(const Turns &turns, Real *data, const Step &step, int64_t column) {
  for (int64_t k = 0; k < step.first; ++k, data += 2 * kLanes)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      Complex by = turns.at((column + lane) % step.second * k);
      Real re = data[lane], im = data[kLanes + lane];
      data[lane] = re * by.r - im * by.i;
      data[kLanes + lane] = re * by.i + im * by.r;
    }
}

void doStep(const Step &step, int64_t begin, int64_t end) {
  constexpr int64_t lanes = 16; // of an item
  Columns from{step.first, step.second}, to{step.first, 1};
  Real factor = step.forward ? Real(1) : Real(1) / static_cast<Real>(step.first);
  auto plan = planFor<ComplexPlan>(step.first, false);
  Buffers buffers(step.first, plan->bufsize(), sizeof(ComplexLanes), 0);
  Turns turns(step.first * step.second, step.forward);
  int64_t behind = std::min(step.outer * step.second, end * lanes);
  for (int64_t line = begin * lanes; line < behind; line += kLanes) {
    int64_t count = std::min(kLanes, behind - line);
    loadComplex(static_cast<const Complex *>(step.in), from, line, count, reinterpret_cast<Real *>(buffers.data));
    auto *result =
        reinterpret_cast<Real *>(plan->exec(reinterpret_cast<ComplexLanes *>(buffers.data),
                                            reinterpret_cast<ComplexLanes *>(buffers.work), Real(1), step.forward));
    turn(turns, result, step, line);
    storeComplex(result, static_cast<Complex *>(step.out), to, line, count, factor);
  }
}

void transform(const Call &call, int64_t begin, int64_t end) {
  if (call.axes > 1) {
    for (int64_t i = begin; i < end; ++i)
      transformAll(call, i);
    return;
  }
  int64_t length = call.lengths[0], first = begin * call.lanes;
  int64_t behind = std::min(call.outer * call.inner, end * call.lanes);
  bool single = call.lanes == 1, forward = call.kind == Forward;
  Real factor = forward ? Real(1) : Real(1) / static_cast<Real>(length);
  if (call.kind == RealToComplex)
    transformReal(static_cast<const Real *>(call.in), static_cast<Complex *>(call.out), length, first, behind, single);
  else if (call.kind == ComplexToReal)
    transformToReal(static_cast<const Complex *>(call.in), static_cast<Real *>(call.out), length, first, behind, single,
                    factor);
  else
    transformComplex(static_cast<const Complex *>(call.in), static_cast<Complex *>(call.out), {length, call.inner},
                     first, behind, single, forward, factor);
}

} // namespace

extern const Functions XLA_FFT_VARIANT = {transform, doStep};

} // namespace xla_fft
