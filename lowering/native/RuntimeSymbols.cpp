// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of functions that generated code may call. A name missing here is a link error that names it, rather than
// whatever the process happens to export.

#include "mlir_xla/lowering/native/Jit.h"

#include "mlir_xla/runtime/xla_rt.h"

#include <cmath>
#include <cstring>
#include <dlfcn.h>

// Conversions that code generation calls on processors without the instructions. Halves travel in vector registers.
#if defined(__x86_64__) && defined(__clang__)
#define MLIR_XLA_HALF_CONVERSIONS 1
extern "C" {
float __extendhfsf2(_Float16);
_Float16 __truncsfhf2(float);
_Float16 __truncdfhf2(double);
}

static uint16_t roundToBfloat16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (bits >> 16) | 0x40;
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

static __bf16 asBfloat16(uint16_t bits) {
  __bf16 result;
  memcpy(&result, &bits, 2);
  return result;
}

static __bf16 truncateFloatToBfloat16(float value) { return asBfloat16(roundToBfloat16(value)); }

/// Rounds once: the intermediate float is made odd when it is inexact.
static __bf16 truncateDoubleToBfloat16(double value) {
  float narrow = static_cast<float>(value);
  if (std::isfinite(narrow) && static_cast<double>(narrow) != value) {
    uint32_t bits;
    memcpy(&bits, &narrow, 4);
    if (!(bits & 1)) {
      bool tooLarge = std::fabs(static_cast<double>(narrow)) > std::fabs(value);
      bits += tooLarge ? -1 : 1;
    }
    memcpy(&narrow, &bits, 4);
  }
  return asBfloat16(roundToBfloat16(narrow));
}
#endif

namespace mlir::xla {

template <typename Result, typename... Args> static void *address(Result (*function)(Args...)) {
  return reinterpret_cast<void *>(function);
}

const llvm::StringMap<void *> &runtimeSymbols() {
  static const auto *table = [] {
    auto *symbols = new llvm::StringMap<void *>;
    auto &map = *symbols;
#define RUNTIME(name) map[#name] = address(name)
    RUNTIME(xla_rt_parallel_for);
    RUNTIME(xla_rt_alloc);
    RUNTIME(xla_rt_free);
    RUNTIME(xla_rt_copy);
    RUNTIME(xla_rt_fill);
    RUNTIME(xla_rt_set_error);
    RUNTIME(xla_rt_custom_call);
    RUNTIME(xla_rt_poll);
    RUNTIME(xla_rt_allow_tile_registers);
#undef RUNTIME

    map["memcpy"] = address(memcpy);
    map["memmove"] = address(memmove);
    map["memset"] = address(memset);
    map["memcmp"] = address(memcmp);

#define MATH1(name)                                                                                                    \
  map[#name] = address<double, double>(::name);                                                                        \
  map[#name "f"] = address<float, float>(::name##f)
#define MATH2(name)                                                                                                    \
  map[#name] = address<double, double, double>(::name);                                                                \
  map[#name "f"] = address<float, float, float>(::name##f)
    MATH1(acos), MATH1(acosh), MATH1(asin), MATH1(asinh), MATH1(atan), MATH1(atanh), MATH1(cbrt), MATH1(ceil);
    MATH1(cos), MATH1(cosh), MATH1(erf), MATH1(erfc), MATH1(exp), MATH1(exp2), MATH1(expm1), MATH1(fabs);
    MATH1(floor), MATH1(lgamma), MATH1(log), MATH1(log10), MATH1(log1p), MATH1(log2), MATH1(nearbyint), MATH1(rint);
    MATH1(round), MATH1(roundeven), MATH1(sin), MATH1(sinh), MATH1(sqrt), MATH1(tan), MATH1(tanh), MATH1(tgamma);
    MATH1(trunc);
    MATH2(atan2), MATH2(copysign), MATH2(fmax), MATH2(fmin), MATH2(fmod), MATH2(hypot), MATH2(pow);
    MATH2(remainder), MATH2(nextafter);
#undef MATH1
#undef MATH2
    map["fma"] = address<double, double, double, double>(::fma);
    map["fmaf"] = address<float, float, float, float>(::fmaf);
    map["ldexp"] = address<double, double, int>(::ldexp);
    map["ldexpf"] = address<float, float, int>(::ldexpf);
    map["sincos"] = address<void, double, double *, double *>(::sincos);
    map["sincosf"] = address<void, float, float *, float *>(::sincosf);

#ifdef MLIR_XLA_HALF_CONVERSIONS
    map["__extendhfsf2"] = address(__extendhfsf2);
    map["__truncsfhf2"] = address(__truncsfhf2);
    map["__truncdfhf2"] = address(__truncdfhf2);
    map["__truncsfbf2"] = address(truncateFloatToBfloat16);
    map["__truncdfbf2"] = address(truncateDoubleToBfloat16);
#endif
    return symbols;
  }();
  return *table;
}

/// The shared libraries beside the runtime, by how the names of their functions begin.
static constexpr std::pair<const char *, const char *> libraries[] = {
    {"xla_rt_sort", "libxla_rt_sort.so"},
    {"xla_rt_fft", "libxla_rt_fft.so"},
    {"xla_rt_lapack", "libxla_rt_lapack.so"},
    {"xla_rt_cuda", "libxla_rt_cuda.so"},
};

llvm::Expected<void *> libraryFunction(StringRef name) {
  for (auto [prefix, file] : libraries) {
    if (!name.starts_with(prefix))
      continue;
    Dl_info runtime;
    std::string path = file;
    if (dladdr(address(xla_rt_alloc), &runtime) && runtime.dli_fname)
      path = (StringRef(runtime.dli_fname).rsplit('/').first + "/" + file).str();
    // Loaded once, and never unloaded: programs refer to it.
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return llvm::createStringError("the program calls %s: %s", name.str().c_str(), dlerror());
    if (void *function = dlsym(library, name.str().c_str()))
      return function;
    return llvm::createStringError("%s has no function %s", path.c_str(), name.str().c_str());
  }
  return nullptr;
}

} // namespace mlir::xla
