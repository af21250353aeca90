// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of a device. The failure of a kernel is seen some time after its launch, by whatever call comes first, and
// nothing works on the context after it. So the kernels that have been launched and not been waited for are suspects;
// with XLA_RT_CUDA_SYNC=1 there is one only.

#include "mlir_xla/runtime/cuda/Device.h"
#include "mlir_xla/runtime/cuda/Messages.h"
#include "mlir_xla/runtime/cuda/Program.h"

#include <algorithm>

using namespace xla_rt::cuda;

bool Device::isLoss(CUresult result) {
  return result == CUDA_ERROR_ECC_UNCORRECTABLE || result == CUDA_ERROR_ILLEGAL_ADDRESS ||
         result == CUDA_ERROR_LAUNCH_TIMEOUT || result == CUDA_ERROR_CONTEXT_IS_DESTROYED ||
         result == CUDA_ERROR_ASSERT ||
         (result >= CUDA_ERROR_HARDWARE_STACK_ERROR && result <= CUDA_ERROR_LAUNCH_FAILED);
}

bool Device::isThere() const { return !Driver::isForked() && !isLost; }

bool Device::isUsable() {
  if (isThere())
    return true;
  if (Driver::isForked())
    return Driver::open(driver.library);
  std::lock_guard<std::mutex> lock(mutex);
  setError("%s cannot be used any more in this process: %s", name.c_str(), loss.c_str());
  return false;
}

bool Device::check(CUresult result, const char *what, ...) {
  if (result == CUDA_SUCCESS)
    return true;
  if (isLoss(result)) {
    if (lose(result, nullptr))
      setError("%s: %s", name.c_str(), loss.c_str());
    return isUsable();
  }
  char doing[kMaxMessage], message[kMaxMessage];
  va_list arguments;
  va_start(arguments, what);
  vsnprintf(doing, sizeof(doing), what, arguments);
  va_end(arguments);
  snprintf(message, sizeof(message), "%s: cannot %s: %s", name.c_str(), doing, driver.describe(result).text);
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    xla_rt_set_out_of_memory(message);
  else
    xla_rt_set_error(message);
  return false;
}

bool Device::checkKernel(CUresult result, const Kernel &kernel) {
  if (isLoss(result) && lose(result, &kernel))
    setError("%s: %s", name.c_str(), loss.c_str());
  return check(result, "wait for kernel '%s' (%s at %s)", kernel.name.c_str(), kernel.op.c_str(),
               kernel.location.c_str());
}

void Device::ignore(CUresult result) {
  if (isLoss(result))
    lose(result, nullptr);
}

void Device::finish(uint64_t moment) {
  uint64_t before = finished.load();
  while (before < moment && !finished.compare_exchange_weak(before, moment))
    ;
}

void Device::add(xla_rt_cuda_program &program) {
  std::lock_guard<std::mutex> lock(mutex);
  programs.push_back(&program);
}

void Device::remove(xla_rt_cuda_program &program) {
  if (Driver::isForked())
    return; // who held the mutex is not there any more
  std::lock_guard<std::mutex> lock(mutex);
  programs.erase(std::find(programs.begin(), programs.end(), &program));
}

static std::string described(const Kernel &kernel) {
  return "'" + kernel.name + "' (" + kernel.op + " at " + kernel.location + ")";
}

/// "kernel 'a' (...)", or "one of the kernels 'a' (...), 'b' (...) and 5 others". With the mutex held.
std::string Device::suspects() {
  constexpr int kMost = 4; // as many as a message has room for
  std::string names, first;
  int count = 0;
  for (xla_rt_cuda_program *program : programs)
    for (const Kernel &kernel : program->kernels) {
      if (isIdle(kernel) || ++count > kMost)
        continue;
      names += (count == 1 ? "" : ", ") + described(kernel);
    }
  if (count == 0)
    return "a kernel";
  if (count == 1)
    return "kernel " + names;
  if (count > kMost)
    names += " and " + std::to_string(count - kMost) + " others";
  return "one of the kernels " + names + " (XLA_RT_CUDA_SYNC=1 tells which)";
}

bool Device::lose(CUresult result, const Kernel *culprit) {
  std::lock_guard<std::mutex> lock(mutex);
  if (isLost)
    return false;
  loss = (culprit ? "kernel " + described(*culprit) : suspects()) + " failed: " + driver.describe(result).text;
  const char *finding = driver.lastFinding ? driver.lastFinding() : nullptr;
  if (finding && *finding)
    loss += std::string(" (") + finding + ")";
  isLost = true;
  return true;
}
