// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the driver's library and finds its entry points.

#include "mlir_xla/runtime/cuda/Driver.h"
#include "mlir_xla/runtime/cuda/Messages.h"

#include <atomic>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <pthread.h>
#include <stdlib.h>
#include <string>

using namespace xla_rt::cuda;

namespace {

/// Never destroyed: programs may be freed while the process ends.
struct Libraries {
  std::mutex mutex;
  std::map<std::string, Driver *> open;
};

Libraries &libraries() {
  static auto *all = new Libraries;
  return *all;
}

/// A driver that has been started does not work in a child of the process.
std::atomic<bool> isStarted{false}, isChild{false};
[[maybe_unused]] const int atFork = pthread_atfork(nullptr, nullptr, [] { isChild = isStarted.load(); });

/// The address of a symbol of the same type as `function`.
template <typename Function> bool find(void *handle, const char *symbol, Function &function) {
  function = reinterpret_cast<Function>(dlsym(handle, symbol));
  return function;
}

bool isNewEnough(void *handle, const char *library, int &version) {
  CUresult (*getVersion)(int *);
  if (!find(handle, "cuDriverGetVersion", getVersion) || getVersion(&version) != CUDA_SUCCESS) {
    setError("cuda: '%s' is no driver of CUDA: it has no working cuDriverGetVersion", library);
    return false;
  }
  if (version >= kOldestVersion)
    return true;
  setError("cuda: the driver '%s' is too old: it has CUDA %d.%d, and %d.%d or newer is needed (for NVIDIA's, 525 or "
           "newer)",
           library, version / 1000, version % 1000 / 10, kOldestVersion / 1000, kOldestVersion % 1000 / 10);
  return false;
}

Driver *load(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    setError("cuda: no driver: %s (it comes with NVIDIA's driver for the GPU; the environment variable "
             "XLA_RT_CUDA_LIBRARY names another)",
             dlerror());
    return nullptr;
  }
  auto *driver = new Driver();
  const char *missing = nullptr;
  int version = 0;
  if (isNewEnough(handle, library, version)) {
#define XLA_RT_CUDA_FIND(symbol, ...)                                                                                  \
  if (!find(handle, #symbol, driver->symbol) && !missing)                                                              \
    missing = #symbol;
    XLA_RT_CUDA_ENTRY_POINTS(XLA_RT_CUDA_FIND)
#undef XLA_RT_CUDA_FIND
    find(handle, "cuda_emu_last_finding", driver->lastFinding);
    driver->hasConditionals = version >= kConditionalVersion;
#define XLA_RT_CUDA_FIND(symbol, ...) driver->hasConditionals &= find(handle, #symbol, driver->symbol);
    XLA_RT_CUDA_CONDITIONAL_ENTRY_POINTS(XLA_RT_CUDA_FIND)
#undef XLA_RT_CUDA_FIND
    driver->hasSwitches = driver->hasConditionals && version >= kSwitchVersion;
    if (!missing) {
      isStarted = true;
      CUresult result = driver->cuInit(0);
      driver->hasDevices = result == CUDA_SUCCESS;
      if (result == CUDA_SUCCESS || result == CUDA_ERROR_NO_DEVICE)
        return driver;
      setError("cuda: cannot start the driver '%s': %s", library, driver->describe(result).text);
    } else {
      setError("cuda: the driver '%s' has no %s", library, missing);
    }
  }
  delete driver;
  dlclose(handle);
  return nullptr;
}

} // namespace

bool Driver::isForked() { return isChild; }

const Driver *Driver::open(const char *library) {
  if (isForked()) {
    setError("cuda: a process that was forked cannot use the devices of its parent; start it in another way (spawn)");
    return nullptr;
  }
  if (!library)
    library = getenv("XLA_RT_CUDA_LIBRARY");
  if (!library || !*library)
    library = "libcuda.so.1";
  std::lock_guard<std::mutex> lock(libraries().mutex);
  auto [slot, isNew] = libraries().open.try_emplace(library, nullptr);
  if (isNew && !(slot->second = load(library))) {
    libraries().open.erase(slot);
    return nullptr;
  }
  slot->second->library = slot->first.c_str();
  return slot->second;
}

Driver::Text Driver::describe(CUresult error) const {
  Text result;
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(error, &name) != CUDA_SUCCESS || !name)
    snprintf(result.text, sizeof(result.text), "error %d of the driver", error);
  else if (cuGetErrorString(error, &text) != CUDA_SUCCESS || !text)
    snprintf(result.text, sizeof(result.text), "%s", name);
  else
    snprintf(result.text, sizeof(result.text), "%s, %s", name, text);
  return result;
}
