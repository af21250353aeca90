// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the processor can do at most, for limits.py: multiply-adds on registers, arrays read and written in order, words
// that go from core to core. One thread's part; limits.py starts as many as there are cores. Compiled for the machine
// at hand.

#include <stddef.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__AVX512F__)
#define WIDTH 64
#elif defined(__AVX__)
#define WIDTH 32
#else
#define WIDTH 16
#endif

typedef float Floats __attribute__((vector_size(WIDTH)));
typedef double Doubles __attribute__((vector_size(WIDTH)));

// Makes the compiler believe that the value is read and changed here.
#if defined(__x86_64__)
#define KEEP(value) __asm__ volatile("" : "+x"(value))
#else
#define KEEP(value) __asm__ volatile("" : "+w"(value))
#endif

// Sums enough to hide the latency of an operation, and few enough for sixteen registers. They are variables: an array
// of them would lie in memory with some compilers.
#define EACH(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7) what(8) what(9) what(10) what(11)
enum { SUMS = 12 };

#define BEGIN(i) sum##i = zero;
#define TURN(i) sum##i = STEP(sum##i, a, b);
#define END(i) KEEP(sum##i);

#define MULTIPLY_ADDS(name, Vector)                                                                                    \
  void name(int64_t rounds) {                                                                                          \
    Vector zero = {0}, a = {0}, b = {0};                                                                               \
    KEEP(zero);                                                                                                        \
    KEEP(a);                                                                                                           \
    KEEP(b);                                                                                                           \
    Vector sum0, sum1, sum2, sum3, sum4, sum5, sum6, sum7, sum8, sum9, sum10, sum11;                                   \
    EACH(BEGIN)                                                                                                        \
    for (int64_t round = 0; round < rounds; ++round) {                                                                 \
      EACH(TURN)                                                                                                       \
      EACH(END)                                                                                                        \
    }                                                                                                                  \
  }

// Were the sum not a factor, the product would be computed once.
#define STEP(sum, a, b) ((sum) * (a) + (b))
MULTIPLY_ADDS(fma_f32, Floats)
MULTIPLY_ADDS(fma_f64, Doubles)
#undef STEP
// Operations of one round: two per multiply-add.
const int64_t ops_f32 = 2 * SUMS * WIDTH / 4;
const int64_t ops_f64 = 2 * SUMS * WIDTH / 8;

#if defined(__AVX512VNNI__)
#define STEP(sum, a, b) _mm512_dpbusd_epi32(sum, a, b)
MULTIPLY_ADDS(fma_i8, __m512i)
#undef STEP
const int64_t ops_i8 = 2 * SUMS * 64;
#elif defined(__AVXVNNI__)
#define STEP(sum, a, b) _mm256_dpbusd_avx_epi32(sum, a, b)
MULTIPLY_ADDS(fma_i8, __m256i)
#undef STEP
const int64_t ops_i8 = 2 * SUMS * 32;
#endif

#if defined(__AVX512BF16__)
#define STEP(sum, a, b) _mm512_dpbf16_ps(sum, (__m512bh)(a), (__m512bh)(b))
MULTIPLY_ADDS(fma_bf16, __m512)
#undef STEP
const int64_t ops_bf16 = 2 * SUMS * 32;
#endif

#if defined(__AMX_INT8__) && defined(__AMX_BF16__) && defined(__linux__)
// Linux lets a process have tile registers when it asks. Returns whether it may.
int64_t allow_tiles(void) { return syscall(SYS_arch_prctl, 0x1023 /* ARCH_REQ_XCOMP_PERM */, 18 /* tile data */) == 0; }

// Four sums are enough to hide the latency of a product; of four other registers two are rows and two are columns.
#define TILE_PRODUCTS(name, multiply)                                                                                  \
  void name(int64_t rounds) {                                                                                          \
    static const struct {                                                                                              \
      uint8_t format, start, reserved[14];                                                                             \
      uint16_t row_bytes[16];                                                                                          \
      uint8_t rows[16];                                                                                                \
    } shapes = {1, 0, {0}, {64, 64, 64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16, 16, 16}};                        \
    _tile_loadconfig(&shapes);                                                                                         \
    _tile_zero(4);                                                                                                     \
    _tile_zero(5);                                                                                                     \
    _tile_zero(6);                                                                                                     \
    _tile_zero(7);                                                                                                     \
    for (int64_t round = 0; round < rounds; ++round) {                                                                 \
      multiply(0, 4, 6);                                                                                               \
      multiply(1, 4, 7);                                                                                               \
      multiply(2, 5, 6);                                                                                               \
      multiply(3, 5, 7);                                                                                               \
    }                                                                                                                  \
    _tile_release();                                                                                                   \
  }
TILE_PRODUCTS(fma_i8_tiles, _tile_dpbssd)
TILE_PRODUCTS(fma_bf16_tiles, _tile_dpbf16ps)
const int64_t ops_i8_tiles = 2 * 4 * 16 * 16 * 64;
const int64_t ops_bf16_tiles = 2 * 4 * 16 * 16 * 32;
#endif

// `count` vectors; the caller has aligned the arrays and made it a multiple of 8.

void read_plain(const Floats *from, int64_t count, int64_t repeats) {
  Floats sums[8] = {0};
  for (int64_t repeat = 0; repeat < repeats; ++repeat)
    for (int64_t i = 0; i < count; i += 8) {
      _Pragma("GCC unroll 8") for (int k = 0; k < 8; ++k) {
        sums[k] += from[i + k];
        KEEP(sums[k]);
      }
    }
}

#define PLAIN(value, to) (*(to) = (value))
#if defined(__clang__)
#define STREAM(value, to) __builtin_nontemporal_store(value, to)
#else
#define STREAM(value, to) PLAIN(value, to)
#endif

// Writes `VALUE(i)`, which may read `a`, `b` and a `factor` that the compiler does not know.
#define WRITE(name, store, ...)                                                                                        \
  void name(Floats *to, __VA_ARGS__ int64_t count, int64_t repeats) {                                                  \
    Floats factor = {0};                                                                                               \
    for (int64_t repeat = 0; repeat < repeats; ++repeat) {                                                             \
      KEEP(factor);                                                                                                    \
      for (int64_t i = 0; i < count; i += 8) {                                                                         \
        _Pragma("GCC unroll 8") for (int k = 0; k < 8; ++k) {                                                          \
          Floats value = VALUE(i + k);                                                                                 \
          store(value, to + i + k);                                                                                    \
        }                                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
  }
// Commas of their own, which end an argument.
#define ONE const Floats *a,
#define TWO const Floats *a, const Floats *b,

#define VALUE(i) (a[i] + factor * b[i])
WRITE(triad_plain, PLAIN, TWO)
WRITE(triad_streamed, STREAM, TWO)
#undef VALUE
#define VALUE(i) (a[i] + factor)
WRITE(copy_plain, PLAIN, ONE)
WRITE(copy_streamed, STREAM, ONE)
#undef VALUE
#define VALUE(i) factor
WRITE(fill_plain, PLAIN, )
WRITE(fill_streamed, STREAM, )
#undef VALUE

// Counts a word up to 2 * `rounds` with another thread: this one takes the numbers that follow odd or even ones.
void alternate(int64_t *word, int64_t parity, int64_t rounds) {
  for (int64_t value = parity; value < 2 * rounds; value += 2) {
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
#if defined(__x86_64__)
      __builtin_ia32_pause();
#else
      ;
#endif
    __atomic_store_n(word, value + 1, __ATOMIC_RELEASE);
  }
}

const int64_t vector_size = WIDTH;
