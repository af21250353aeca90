// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory filled with copies of an element: by the driver where a word says it all, by a kernel otherwise.

#include "mlir_xla/runtime/cuda/Device.h"
#include "mlir_xla/runtime/cuda/Messages.h"

#include <limits.h>
#include <string.h>

using namespace xla_rt::cuda;

/// Stores words of eight bytes, one for each thread: `even` where the word's number has none of the bits of `mask`,
/// else `odd`.
static const char kFillPtx[] = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry xla_rt_fill(.param .u64 to, .param .u64 even, .param .u64 odd, .param .u64 mask, .param .u64 count)
{
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<13>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd1, %r1, %r2;
  cvt.u64.u32 %rd2, %r3;
  add.s64 %rd3, %rd1, %rd2;
  ld.param.u64 %rd4, [count];
  setp.ge.u64 %p1, %rd3, %rd4;
  @%p1 bra $DONE;
  ld.param.u64 %rd5, [to];
  ld.param.u64 %rd6, [even];
  ld.param.u64 %rd7, [odd];
  ld.param.u64 %rd8, [mask];
  and.b64 %rd9, %rd3, %rd8;
  setp.eq.s64 %p2, %rd9, 0;
  selp.b64 %rd10, %rd6, %rd7, %p2;
  cvta.to.global.u64 %rd11, %rd5;
  shl.b64 %rd12, %rd3, 3;
  add.s64 %rd11, %rd11, %rd12;
  st.global.u64 [%rd11], %rd10;
$DONE:
  ret;
}
)";

/// Whether the element is copies of its first `part` bytes.
static bool repeats(const void *element, int64_t size, int64_t part) {
  auto *bytes = static_cast<const char *>(element);
  return size % part == 0 && memcmp(bytes, bytes + part, size - part) == 0;
}

bool Device::fill(CUstream stream, void *to, const void *element, int64_t size, int64_t count) {
  if (size != 1 && size != 2 && size != 4 && size != 8 && size != 16) {
    setError("%s: cannot fill with elements of %lld bytes", name.c_str(), static_cast<long long>(size));
    return false;
  }
  size_t bytes = size * count;
  CUresult result;
  if (repeats(element, size, 1)) {
    unsigned char value;
    memcpy(&value, element, sizeof(value));
    result = driver.cuMemsetD8Async(address(to), value, bytes, stream);
  } else if (repeats(element, size, 2)) {
    unsigned short value;
    memcpy(&value, element, sizeof(value));
    result = driver.cuMemsetD16Async(address(to), value, bytes / sizeof(value), stream);
  } else if (repeats(element, size, 4)) {
    unsigned value;
    memcpy(&value, element, sizeof(value));
    result = driver.cuMemsetD32Async(address(to), value, bytes / sizeof(value), stream);
  } else {
    CUfunction function = fillKernel;
    if (!function) {
      CUmodule module = modules.load(kFillPtx); // stays
      if (!module || !check(driver.cuModuleGetFunction(&function, module, "xla_rt_fill"), "find kernel 'xla_rt_fill'"))
        return false;
      fillKernel = function;
    }
    constexpr uint64_t kThreads = 256;
    uint64_t even, odd = 0, mask = size / 8 - 1, words = bytes / 8, blocks = (words + kThreads - 1) / kThreads;
    memcpy(&even, element, 8);
    if (size == 16)
      memcpy(&odd, static_cast<const char *>(element) + 8, 8);
    void *arguments[] = {&to, &even, &odd, &mask, &words};
    result = blocks > INT_MAX ? CUDA_ERROR_INVALID_VALUE
                              : driver.cuLaunchKernel(function, static_cast<unsigned>(blocks), 1, 1, kThreads, 1, 1, 0,
                                                      stream, arguments, nullptr);
  }
  return check(result, "fill %zu bytes", bytes);
}
