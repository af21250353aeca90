// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms, as functions that compiled programs call. Each is compiled for any processor of the architecture
// and for one with AVX2; which one runs is decided here.

#include "mlir_xla/runtime/library/fft/Transforms.h"
#include "mlir_xla/runtime/xla_rt.h"

#include <new>
#include <stdexcept>

namespace {

using namespace xla_fft;

bool hasAvx2() {
#ifdef XLA_FFT_HAS_AVX2
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
#else
  return false;
#endif
}

/// What `work` throws is an error of the program.
template <typename Work> void guarded(Work work) {
  try {
    work();
  } catch (const std::bad_alloc &) {
    xla_rt_set_out_of_memory("out of memory for a Fourier transform");
  } catch (const std::exception &error) {
    xla_rt_set_error(error.what());
  } catch (...) {
    xla_rt_set_error("a Fourier transform failed");
  }
}

/// `parameters` are kind, outer, inner, lanes, whether the only buffer is transformed in place, and the lengths; the
/// number of lengths comes before them.
void transform(const Functions &functions, const int64_t *parameters, void *const *buffers, int64_t begin,
               int64_t end) {
  Call call{};
  call.kind = static_cast<Kind>(parameters[0]);
  call.outer = parameters[1];
  call.inner = parameters[2];
  call.lanes = parameters[3];
  bool inPlace = parameters[4];
  call.axes = parameters[5];
  for (int64_t i = 0; i < call.axes; ++i)
    call.lengths[i] = parameters[6 + i];
  call.in = buffers[0];
  call.out = buffers[inPlace ? 0 : 1];
  guarded([&] { functions.transform(call, begin, end); });
}

/// `parameters` are kind, outer, and the two lengths.
void step(const Functions &functions, const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end) {
  Step step{parameters[0] == Forward, parameters[1], parameters[2], parameters[3], buffers[0], buffers[1]};
  guarded([&] { functions.step(step, begin, end); });
}

} // namespace

#ifdef XLA_FFT_HAS_AVX2
#define XLA_FFT_CHOOSE(type) (hasAvx2() ? type##_avx2 : type##_baseline)
#else
#define XLA_FFT_CHOOSE(type) type##_baseline
#endif

extern "C" XLA_RT_EXPORT void xla_rt_fft_f32(const int64_t *parameters, void *const *buffers, int64_t begin,
                                             int64_t end, void *) {
  transform(XLA_FFT_CHOOSE(f32), parameters, buffers, begin, end);
}

extern "C" XLA_RT_EXPORT void xla_rt_fft_f64(const int64_t *parameters, void *const *buffers, int64_t begin,
                                             int64_t end, void *) {
  transform(XLA_FFT_CHOOSE(f64), parameters, buffers, begin, end);
}

extern "C" XLA_RT_EXPORT void xla_rt_fft_step_f32(const int64_t *parameters, void *const *buffers, int64_t begin,
                                                  int64_t end, void *) {
  step(XLA_FFT_CHOOSE(f32), parameters, buffers, begin, end);
}

extern "C" XLA_RT_EXPORT void xla_rt_fft_step_f64(const int64_t *parameters, void *const *buffers, int64_t begin,
                                                  int64_t end, void *) {
  step(XLA_FFT_CHOOSE(f64), parameters, buffers, begin, end);
}
