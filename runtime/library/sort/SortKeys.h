// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the sorting functions of the runtime share: keys as unsigned integers, and code for several instruction sets.

#ifndef MLIR_XLA_RUNTIME_LIBRARY_SORT_SORTKEYS_H
#define MLIR_XLA_RUNTIME_LIBRARY_SORT_SORTKEYS_H

#include <stdint.h>

#define XLA_RT_INLINE inline __attribute__((always_inline))

/// XLA_RT_VARIANTS(f, Args) makes `f(Args &)` of `f##Loops(Args &)`, compiled for what the processor has.
#if defined(__x86_64__)
#define XLA_RT_VARIANTS(name, Args)                                                                                    \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,fma,bmi,bmi2,lzcnt,popcnt"))) static void    \
  name##Avx512(Args &args) {                                                                                           \
    name##Loops(args);                                                                                                 \
  }                                                                                                                    \
  __attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt"))) static void name##Avx2(Args &args) { name##Loops(args); }  \
  static void name##Baseline(Args &args) { name##Loops(args); }                                                        \
  static void name(Args &args) {                                                                                       \
    static void (*const best)(Args &) =                                                                                \
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") \
            ? name##Avx512                                                                                             \
        : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? name##Avx2                                \
                                                                           : name##Baseline;                           \
    best(args);                                                                                                        \
  }
#else
#define XLA_RT_VARIANTS(name, Args)                                                                                    \
  static void name(Args &args) { name##Loops(args); }
#endif

namespace xla_rt {

/// How elements are ordered; `lowering/linalg/Sort.cpp` knows the numbers.
enum Order : int64_t {
  Unsigned = 0,
  Signed = 1,
  Total = 2,  // floats by their bits: -NaN < -inf < -0 < +0 < inf < NaN
  Number = 3, // floats by value: -0 equals +0, and all NaNs are equal and larger than any number
};

/// One key of a comparator.
struct Key {
  int64_t buffer, bytes, order, bits, descending, infinity;

  template <typename T> T mask() const { return static_cast<T>(~T(0)) >> (8 * sizeof(T) - bits); }
  template <typename T> static T signBit() { return T(1) << (8 * sizeof(T) - 1); }

  /// An unsigned integer that comes before others where the element does.
  template <typename T> XLA_RT_INLINE T map(T x, Order order, T flip) const {
    constexpr unsigned width = 8 * sizeof(T);
    if (order == Number) {
      T magnitude = x & static_cast<T>(~signBit<T>());
      x = magnitude == 0 ? T(0) : magnitude > static_cast<T>(infinity) ? notANumber<T>() : x;
    }
    if (order >= Total) {
      T sign = static_cast<T>(0) - static_cast<T>(x >> (width - 1));
      return x ^ static_cast<T>(sign | signBit<T>()) ^ flip;
    }
    if (sizeof(T) == 1 && bits == 1)
      x = x != 0; // memory that is called boolean may hold other bytes than 0 and 1
    return (x ^ flip) & mask<T>();
  }
  /// What to exclusive-or at last: for signed numbers their sign bit, for a descending order all bits.
  template <typename T> T flip() const {
    T ones = descending ? static_cast<T>(~T(0)) : T(0);
    return order == Signed ? static_cast<T>(ones ^ static_cast<T>(T(1) << (bits - 1))) : ones;
  }
  /// The element of a key; of several with that key, +0 and a positive NaN.
  template <typename T> XLA_RT_INLINE T unmap(T key, Order order, T flip) const {
    constexpr unsigned width = 8 * sizeof(T);
    T x = key ^ flip;
    if (order < Total)
      return x & mask<T>();
    T positive = static_cast<T>(0) - static_cast<T>(x >> (width - 1));
    return x ^ static_cast<T>(static_cast<T>(~positive) | signBit<T>());
  }
  template <typename T> T notANumber() const {
    return static_cast<T>(infinity) | static_cast<T>((static_cast<T>(infinity) & -static_cast<T>(infinity)) >> 1);
  }
};

} // namespace xla_rt

#endif // MLIR_XLA_RUNTIME_LIBRARY_SORT_SORTKEYS_H
