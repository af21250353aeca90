// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear algebra for compiled programs, on LAPACK and BLAS. Neither is linked: they are looked up when a program first
// needs a routine, so that a program without linear algebra carries nothing.
//
// The functions have the form of all library calls (`xla_rt.library_call`): parameters, buffers of the inputs and then
// of the results, the items of work, which are the matrices of a batch or parts of them.
// `lowering/legalize/LapackCalls.cpp` has the parameters and buffers of each. Matrices are in column-major order, with
// the exception of `solve`.

#ifndef MLIR_XLA_RUNTIME_LIBRARY_LAPACK_LAPACK_H
#define MLIR_XLA_RUNTIME_LIBRARY_LAPACK_LAPACK_H

#include "mlir_xla/runtime/xla_rt.h"

#include <complex>
#include <stddef.h>
#include <stdint.h>

namespace xla_rt::lapack {

using Parameters = const int64_t *;
using Buffers = void *const *;

template <typename T> struct ElementOf {
  using Real = T;
  static constexpr bool isComplex = false;
};
template <typename T> struct ElementOf<std::complex<T>> {
  using Real = T;
  static constexpr bool isComplex = true;
};
template <typename T> using Real = typename ElementOf<T>::Real;
template <typename T> using Complex = std::complex<Real<T>>;
template <typename T> constexpr bool isComplex = ElementOf<T>::isComplex;
template <typename T>
constexpr char prefixOf = isComplex<T> ? (sizeof(T) == 8 ? 'c' : 'z') : (sizeof(T) == 4 ? 's' : 'd');

/// The routine of that name (`spotrf`), or null, after having set an error. For all threads.
void *findRoutine(const char *name);

/// A routine for elements of type T: `base` for real ones, `complexBase` for complex ones (`orgqr`, `ungqr`).
template <typename T> void *find(void *&cache, const char *base, const char *complexBase = nullptr) {
  void *known = __atomic_load_n(&cache, __ATOMIC_ACQUIRE);
  if (known)
    return known;
  char name[16] = {prefixOf<T>};
  const char *rest = isComplex<T> && complexBase ? complexBase : base;
  for (int i = 0; rest[i]; ++i)
    name[i + 1] = rest[i];
  known = findRoutine(name);
  __atomic_store_n(&cache, known, __ATOMIC_RELEASE);
  return known;
}

/// Calls a routine of Fortran: all arguments are addresses, but the lengths of strings, which come last.
template <typename... Args> void call(void *routine, Args... args) {
  reinterpret_cast<void (*)(Args...)>(routine)(args...);
}
constexpr size_t kLength = 1; // of every string: one character

/// Memory for the duration of a call.
class Workspace {
public:
  Workspace() = default;
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;
  ~Workspace() { xla_rt_free(memory); }
  /// False after having set an error.
  bool allocate(int64_t bytes) {
    memory = xla_rt_alloc(bytes > 0 ? bytes : 1);
    if (!memory)
      xla_rt_set_out_of_memory("out of memory for the workspace of a routine of LAPACK");
    return memory;
  }
  template <typename T> T *as() { return static_cast<T *>(memory); }

private:
  void *memory = nullptr;
};

/// What LAPACK answers when it is asked how much it needs.
template <typename T> int sizeOfAnswer(T answer) { return static_cast<int>(std::real(answer)) + 1; }

/// Calls `run(item, workspace)` for the items, with as much workspace as it says it needs when `size` is -1.
template <typename T, typename Run> void runAll(int64_t begin, int64_t end, int &size, Run run) {
  T answer(0);
  size = -1;
  run(begin, &answer);
  size = sizeOfAnswer(answer);
  Workspace workspace;
  if (!workspace.allocate(size * sizeof(T)))
    return;
  for (int64_t i = begin; i < end; ++i)
    run(i, workspace.as<T>());
}

inline int leading(int64_t rows) { return rows > 1 ? static_cast<int>(rows) : 1; }

/// Item `i` of a buffer whose items have `size` elements.
template <typename T> T *item(Buffers buffers, int index, int64_t i, int64_t size) {
  return static_cast<T *>(buffers[index]) + i * size;
}

} // namespace xla_rt::lapack

/// Defines xla_rt_lapack_<prefix>NAME for the four types of elements, by a function template of the same name.
#define XLA_RT_LAPACK_ONE(NAME, PREFIX, TYPE)                                                                          \
  extern "C" XLA_RT_EXPORT void xla_rt_lapack_##PREFIX##NAME(const int64_t *parameters, void *const *buffers,          \
                                                             int64_t begin, int64_t end, void *) {                     \
    xla_rt::lapack::NAME<TYPE>(parameters, buffers, begin, end);                                                       \
  }
#define XLA_RT_LAPACK(NAME)                                                                                            \
  XLA_RT_LAPACK_ONE(NAME, s, float)                                                                                    \
  XLA_RT_LAPACK_ONE(NAME, d, double)                                                                                   \
  XLA_RT_LAPACK_ONE(NAME, c, std::complex<float>)                                                                      \
  XLA_RT_LAPACK_ONE(NAME, z, std::complex<double>)

#endif // MLIR_XLA_RUNTIME_LIBRARY_LAPACK_LAPACK_H
