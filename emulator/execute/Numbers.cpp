// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic that the host has no instruction for: directed roundings, small floats, bit oddities; and the entries by
// which compiled code reaches the scheduler.

#include "Numbers.h"
#include "Worker.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <cmath>

namespace cuda_emu {

enum Rounding : uint32_t { Nearest = 0, Zero = 1, Down = 2, Up = 3, Away = 4 };

/// `value` as a float of the given layout with infinities; what is too large for it becomes one, or the largest where
/// the rounding goes to zero or `finite` is set.
uint32_t roundSmall(double value, unsigned exponentBits, unsigned mantissaBits, uint32_t mode, bool finite) {
  uint32_t sign = std::signbit(value) ? 1u << (exponentBits + mantissaBits) : 0;
  uint32_t infinity = ((1u << exponentBits) - 1) << mantissaBits;
  if (std::isnan(value))
    return (1u << (exponentBits + mantissaBits)) - 1;
  double magnitude = std::fabs(value);
  int bias = (1 << (exponentBits - 1)) - 1;
  uint32_t bits;
  if (std::isinf(magnitude)) {
    bits = infinity;
  } else {
    int exponent = magnitude == 0 ? 1 - bias : std::max(std::ilogb(magnitude), 1 - bias);
    double scaled =
        std::ldexp(magnitude, int(mantissaBits) - exponent); // units of the last place; exact but for underflow
    double whole = std::floor(scaled), rest = scaled - whole;
    bool up = mode == Nearest ? rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) == 1)
              : mode == Away  ? rest >= 0.5
              : mode == Up    ? rest > 0 && !sign
              : mode == Down  ? rest > 0 && sign
                              : false;
    if (rest == 0 && magnitude != 0 && scaled == 0)
      up = (mode == Up && !sign) || (mode == Down && sign);
    whole += up;
    // A carry runs into the exponent by itself.
    double total = whole + std::ldexp(double(exponent + bias - 1), mantissaBits);
    bits = total >= infinity ? infinity : uint32_t(total);
    if (bits == infinity && (mode == Zero || (mode == Up && sign) || (mode == Down && !sign)))
      bits = infinity - 1;
  }
  if (finite && bits == infinity)
    bits = infinity - 1;
  return sign | bits;
}

double fromSmall(uint32_t bits, unsigned exponentBits, unsigned mantissaBits) {
  uint32_t mantissa = bits & ((1u << mantissaBits) - 1), exponent = bits >> mantissaBits & ((1u << exponentBits) - 1);
  int bias = (1 << (exponentBits - 1)) - 1;
  double result;
  if (exponent == (1u << exponentBits) - 1)
    result = mantissa ? NAN : INFINITY;
  else if (exponent == 0)
    result = std::ldexp(double(mantissa), 1 - bias - int(mantissaBits));
  else
    result = std::ldexp(double(mantissa | 1u << mantissaBits), int(exponent) - bias - int(mantissaBits));
  return bits >> (exponentBits + mantissaBits) & 1 ? -result : result;
}

float f8ToFloat(uint32_t bits, uint32_t format) {
  bits &= 0xff;
  if (format == 1)
    return fromSmall(bits, 5, 2);
  if ((bits & 0x7f) == 0x7f)
    return NAN;
  uint32_t mantissa = bits & 7, exponent = bits >> 3 & 15;
  float result = exponent ? std::ldexp(float(mantissa | 8), int(exponent) - 10) : std::ldexp(float(mantissa), -9);
  return bits & 0x80 ? -result : result;
}

namespace {

float canonical(float x) { return std::isnan(x) ? llvm::bit_cast<float>(0x7fffffffu) : x; }

/// The rounding of the host while it lives.
class Rounded {
public:
  explicit Rounded(uint32_t mode) : before(fegetround()) {
    fesetround(mode == Zero ? FE_TOWARDZERO : mode == Down ? FE_DOWNWARD : mode == Up ? FE_UPWARD : FE_TONEAREST);
  }
  ~Rounded() { fesetround(before); }

private:
  int before;
};

template <typename T> __attribute__((noinline)) T rounded(uint32_t op, uint32_t mode, T a, T b, T c) {
  Rounded scope(mode);
  volatile T x = a, y = b, z = c, result;
  switch (op) {
  case 0:
    result = x + y;
    break;
  case 1:
    result = x * y;
    break;
  case 2:
    result = std::fma(T(x), T(y), T(z));
    break;
  case 3:
    result = x / y;
    break;
  default:
    result = std::sqrt(T(x));
  }
  return result;
}

/// a * b + c of small floats, rounded once: the sum in f64 is rounded to odd, so that the second rounding sees no tie.
uint32_t fmaSmall(uint32_t a, uint32_t b, uint32_t c, unsigned exponentBits, unsigned mantissaBits) {
  double x = fromSmall(a, exponentBits, mantissaBits), y = fromSmall(b, exponentBits, mantissaBits);
  double z = fromSmall(c, exponentBits, mantissaBits);
  double product = x * y, sum = product + z;
  if (std::isfinite(sum)) {
    double zPart = sum - product, error = (product - (sum - zPart)) + (z - zPart);
    uint64_t bits = llvm::bit_cast<uint64_t>(sum);
    if (error != 0 && !(bits & 1))
      sum = llvm::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
  }
  return roundSmall(sum, exponentBits, mantissaBits, Nearest, false);
}

uint32_t fmaSmallLanes(uint32_t a, uint32_t b, uint32_t c, unsigned exponentBits, unsigned mantissaBits) {
  uint32_t low = fmaSmall(a & 0xffff, b & 0xffff, c & 0xffff, exponentBits, mantissaBits);
  if (!((a | b | c) >> 16))
    return low;
  return low | fmaSmall(a >> 16, b >> 16, c >> 16, exponentBits, mantissaBits) << 16;
}

// --- What compiled code calls --------------------------------------------------------------------------------------

float roundF32(uint32_t op, uint32_t mode, float a, float b, float c) { return rounded(op, mode, a, b, c); }
double roundF64(uint32_t op, uint32_t mode, double a, double b, double c) { return rounded(op, mode, a, b, c); }
uint32_t roundSmallAny(double x, uint32_t e, uint32_t m, uint32_t mode) { return roundSmall(x, e, m, mode, false); }
uint32_t roundSmallFinite(double x, uint32_t e, uint32_t m, uint32_t mode) { return roundSmall(x, e, m, mode, true); }
uint32_t fmaF16(uint32_t a, uint32_t b, uint32_t c) { return fmaSmallLanes(a, b, c, 5, 10); }
uint32_t fmaBF16(uint32_t a, uint32_t b, uint32_t c) { return fmaSmallLanes(a, b, c, 8, 7); }

template <typename T> T intTo(uint64_t bits, uint32_t isSigned, uint32_t mode) {
  Rounded scope(mode);
  volatile uint64_t value = bits;
  volatile T result = isSigned ? T(int64_t(value)) : T(uint64_t(value));
  return result;
}
/// Towards zero, and the last bit set if that lost something.
uint32_t intToSmall(uint64_t bits, uint32_t isSigned, uint32_t e, uint32_t m, uint32_t mode) {
  bool negative = isSigned && int64_t(bits) < 0;
  uint64_t magnitude = negative ? -bits : bits;
  int drop = std::max(0, 53 - int(llvm::countl_zero(magnitude | 1)) - 42 + 0);
  drop = magnitude >> 53 ? 11 : 0;
  uint64_t odd = magnitude >> drop | (drop && (magnitude & ((uint64_t(1) << drop) - 1)) ? 1 : 0);
  double value = std::ldexp(double(odd), drop);
  return roundSmall(negative ? -value : value, e, m, mode, false);
}
float f64ToF32(double x, uint32_t mode) {
  Rounded scope(mode);
  volatile double value = x;
  volatile float result = float(value);
  return result;
}
uint32_t tf32(float x, uint32_t mode, uint32_t relu, uint32_t finite) {
  if (std::isnan(x))
    return 0x7fffffff;
  if (relu && x <= 0)
    return 0;
  return roundSmall(x, 8, 10, mode, finite) << 13;
}

/// e4m3 has no infinity and one NaN, 0x7f; what is too large becomes the largest.
uint32_t f32ToF8(float x, uint32_t format, uint32_t relu) {
  if (relu && x < 0)
    x = 0;
  if (std::isnan(x))
    return 0x7f;
  if (format == 1)
    return roundSmall(x, 5, 2, Nearest, true);
  if (std::fabs(x) > 448)
    return std::signbit(x) ? 0xfe : 0x7e;
  // With an exponent more than there is, so that its last binade is finite.
  uint32_t sign = std::signbit(x) ? 0x80 : 0;
  float magnitude = std::fabs(x);
  int exponent = magnitude == 0 ? -6 : std::max(std::ilogb(magnitude), -6);
  double units = std::nearbyint(std::ldexp(double(magnitude), 3 - exponent));
  return sign | std::min<uint32_t>(uint32_t(units) + uint32_t(exponent + 6) * 8, 0x7e);
}
float rsqrtF32(float x) { return canonical(float(1 / std::sqrt(double(x)))); }
double rsqrtF64(double x) { return 1 / std::sqrt(x); }
float ex2F32(float x) { return std::exp2(x); }
float lg2F32(float x) { return std::log2(x); }
float sinF32(float x) { return std::sin(x); }
float cosF32(float x) { return std::cos(x); }
float tanhF32(float x) { return std::tanh(x); }
double ex2F64(double x) { return std::exp2(x); }

/// The n-th set bit (from `base` upwards if n is positive, downwards if negative), or all ones.
uint32_t fns(uint32_t mask, uint32_t base, uint32_t n) {
  int offset = int(n), step = offset >= 0 ? 1 : -1;
  if (offset == 0)
    return base < 32 && mask >> base & 1 ? base : ~0u;
  int found = 0;
  for (int i = int(base); i >= 0 && i < 32; i += step)
    if (mask >> i & 1 && ++found == std::abs(offset))
      return i;
  return ~0u;
}

/// The modes of prmt beside the general one; `code` is the mode's place in "f4e b4e rc8 ecl ecr rc16".
uint32_t prmt(uint32_t a, uint32_t b, uint32_t selector, uint32_t code) {
  uint64_t both = uint64_t(b) << 32 | a;
  unsigned s = selector & 3;
  uint32_t result = 0;
  for (unsigned n = 0; n < 4; ++n) {
    unsigned byte = 0;
    switch (code) {
    case 0:
      byte = n + s;
      break;
    case 4:
      byte = (s + 8 - n) % 8;
      break;
    case 8:
      byte = s;
      break;
    case 12:
      byte = std::max(n, s);
      break;
    case 16:
      byte = std::min(n, s);
      break;
    default:
      byte = (s & 1 ? 2 : 0) + n % 2;
    }
    result |= uint32_t(both >> 8 * byte & 0xff) << 8 * n;
  }
  return result;
}

uint64_t clockNow() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Additions, minima and maxima of f16 and bf16, one or two of them.
uint32_t atomicSmall(void *address, uint32_t operand, uint32_t op, uint32_t lanes, uint32_t isBFloat) {
  unsigned e = isBFloat ? 8 : 5, m = isBFloat ? 7 : 10;
  auto combine = [&](uint32_t old) {
    uint32_t result = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      double x = fromSmall(old >> 16 * lane & 0xffff, e, m), y = fromSmall(operand >> 16 * lane & 0xffff, e, m);
      double value = op == 0 ? x + y : op == 1 ? std::fmin(x, y) : std::fmax(x, y);
      result |= roundSmall(value, e, m, Nearest, false) << 16 * lane;
    }
    return result;
  };
  if (lanes == 1) {
    auto *word = static_cast<uint16_t *>(address);
    uint16_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, uint16_t(combine(old)), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      ;
    return old;
  }
  auto *word = static_cast<uint32_t *>(address);
  uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, combine(old), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    ;
  return old;
}

uint32_t bar(Thread *thread, uint32_t kind, uint32_t id, uint32_t count, uint32_t predicate, uint32_t line,
             uint32_t isAligned) {
  return thread->block->owner->arrive(*thread, kind, id, count, predicate & 1, line, isAligned);
}
void clusterArrive(Thread *thread, uint32_t isRelaxed, uint32_t line) {
  thread->block->owner->clusterArrive(*thread, isRelaxed, line);
}
void clusterWait(Thread *thread, uint32_t line) { thread->block->owner->clusterWait(*thread, line); }
uint64_t mbarrier(Thread *thread, uint32_t code, uint64_t address, uint64_t operand, uint32_t line) {
  return thread->block->owner->mbarrier(
      *thread, {MbarrierKind(code & MbarrierKindMask), (code & MbarrierRelaxed) != 0, address, operand, line});
}
void bulkCopy(Thread *thread, uint32_t flags, uint64_t shared, uint64_t global, const int32_t *at, uint32_t bytes,
              uint64_t barrier, uint32_t mask, uint32_t line) {
  thread->block->owner->bulkCopy(*thread, flags, shared, global, at, bytes, barrier, mask, line);
}
void wgmma(Thread *thread, uint64_t code, WgmmaRegister **registers, uint64_t a, uint64_t b, uint32_t accumulates,
           uint32_t line) {
  thread->block->owner->wgmma(*thread, llvm::bit_cast<Wgmma>(code), registers, a, b, accumulates, line);
}
void wgmmaFence(Thread *thread, WgmmaRegister *registers, uint32_t count) {
  thread->block->owner->wgmmaFence(*thread, registers, count);
}
void wgmmaCommit(Thread *thread, uint32_t line) { thread->block->owner->wgmmaCommit(*thread, line); }
void wgmmaWait(Thread *thread, uint32_t groups, uint32_t line) {
  thread->block->owner->wgmmaWait(*thread, groups, line);
}
void wgmmaTouch(Thread *thread, WgmmaRegister *reg, uint32_t isWrite, uint32_t line) {
  thread->block->owner->wgmmaTouch(*thread, *reg, isWrite, line);
}
void bulkCommit(Thread *thread) { thread->block->owner->bulkCommit(*thread); }
void bulkWait(Thread *thread, uint32_t groups, uint32_t onlyRead) {
  thread->block->owner->bulkWait(*thread, groups, onlyRead);
}
void proxyFence(Thread *thread, uint32_t kinds) { thread->block->owner->proxyFence(*thread, kinds); }
uint64_t collective(Thread *thread, uint32_t kind, uint32_t mask, uint64_t a, uint64_t b, uint64_t c, uint32_t line) {
  return thread->block->owner->collective(*thread, kind, mask, a, b, c, line);
}
void exitThread(Thread *thread) { thread->block->owner->end(*thread); }
void yieldThread(Thread *thread) { thread->block->owner->yield(*thread); }
void spin(Thread *thread) { thread->block->owner->spin(*thread); }
void check(Thread *thread, uint64_t address, uint32_t space, uint32_t bytes, uint32_t alignment, uint32_t flags,
           uint32_t line) {
  thread->block->owner->checkAccess(*thread, {address, AccessSpace(space), bytes, alignment, flags, line});
}
void fence(Thread *thread) { thread->block->owner->fence(*thread); }
void matrix(Thread *thread, uint32_t kind, uint64_t *operands, uint64_t *results, uint64_t code, uint32_t line) {
  thread->block->owner->matrix(*thread, kind, operands, results, code, line);
}
void asyncCopy(Thread *thread, uint64_t to, uint64_t from, uint32_t bytes, uint32_t taken, uint32_t line) {
  thread->block->owner->asyncCopy(*thread, {to, from, bytes, taken, line});
}
void asyncCommit(Thread *thread) { thread->block->owner->asyncCommit(*thread); }
void asyncWait(Thread *thread, uint32_t groups, uint32_t all) { thread->block->owner->asyncWait(*thread, groups, all); }
void trap(Thread *thread, uint32_t line) { thread->block->owner->fail(*thread, "trap", line); }
void overflow(Thread *thread, uint32_t line) {
  thread->block->owner->fail(*thread, "the stack of the thread is used up", line);
}

void setGraphConditional(Thread *thread, uint32_t line, uint64_t handle, uint32_t value) {
  if (!setConditional(handle, value))
    thread->block->owner->fail(*thread, "cudaGraphSetConditional: this is no handle of a graph", line);
}

} // namespace

const std::vector<RuntimeFunction> &runtimeFunctions() {
#define ENTRY(name, function)                                                                                          \
  {                                                                                                                    \
    name, reinterpret_cast<void *>(&function)                                                                          \
  }
  static const std::vector<RuntimeFunction> functions = {
      ENTRY("emu_round_f32", roundF32),
      ENTRY("emu_round_f64", roundF64),
      ENTRY("emu_round_small", roundSmallAny),
      ENTRY("emu_round_small_finite", roundSmallFinite),
      ENTRY("emu_fma_f16x2", fmaF16),
      ENTRY("emu_fma_bf16x2", fmaBF16),
      ENTRY("emu_int_to_f32", intTo<float>),
      ENTRY("emu_int_to_f64", intTo<double>),
      ENTRY("emu_int_to_small", intToSmall),
      ENTRY("emu_f64_to_f32", f64ToF32),
      ENTRY("emu_tf32", tf32),
      ENTRY("emu_f32_to_f8", f32ToF8),
      ENTRY("emu_f8_to_f32", f8ToFloat),
      ENTRY("emu_rsqrt_f32", rsqrtF32),
      ENTRY("emu_rsqrt_f64", rsqrtF64),
      ENTRY("emu_ex2_f32", ex2F32),
      ENTRY("emu_ex2_f64", ex2F64),
      ENTRY("emu_lg2_f32", lg2F32),
      ENTRY("emu_sin_f32", sinF32),
      ENTRY("emu_cos_f32", cosF32),
      ENTRY("emu_tanh_f32", tanhF32),
      ENTRY("emu_fns", fns),
      ENTRY("emu_prmt", prmt),
      ENTRY("emu_clock", clockNow),
      ENTRY("emu_atomic_small", atomicSmall),
      ENTRY("emu_bar", bar),
      ENTRY("emu_collective", collective),
      ENTRY("emu_exit", exitThread),
      ENTRY("emu_yield", yieldThread),
      ENTRY("emu_spin", spin),
      ENTRY("emu_check", check),
      ENTRY("emu_fence", fence),
      ENTRY("emu_matrix", matrix),
      ENTRY("emu_async_copy", asyncCopy),
      ENTRY("emu_async_commit", asyncCommit),
      ENTRY("emu_async_wait", asyncWait),
      ENTRY("emu_cluster_arrive", clusterArrive),
      ENTRY("emu_cluster_wait", clusterWait),
      ENTRY("emu_mbarrier", mbarrier),
      ENTRY("emu_proxy_fence", proxyFence),
      ENTRY("emu_wgmma", wgmma),
      ENTRY("emu_wgmma_fence", wgmmaFence),
      ENTRY("emu_wgmma_commit", wgmmaCommit),
      ENTRY("emu_wgmma_wait", wgmmaWait),
      ENTRY("emu_wgmma_touch", wgmmaTouch),
      ENTRY("emu_bulk_copy", bulkCopy),
      ENTRY("emu_bulk_commit", bulkCommit),
      ENTRY("emu_bulk_wait", bulkWait),
      ENTRY("emu_trap", trap),
      ENTRY("emu_overflow", overflow),
      ENTRY("emu_set_conditional", setGraphConditional),
  };
#undef ENTRY
  return functions;
}

} // namespace cuda_emu
