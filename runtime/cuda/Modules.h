// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules of a device, by their text: programs of the same PTX share one.

#ifndef MLIR_XLA_RUNTIME_CUDA_MODULES_H
#define MLIR_XLA_RUNTIME_CUDA_MODULES_H

#include "mlir_xla/runtime/cuda/Driver.h"

#include <mutex>
#include <string>
#include <unordered_map>

struct xla_rt_cuda_device;

namespace xla_rt::cuda {

class Modules {
public:
  explicit Modules(xla_rt_cuda_device &device) : device(device) {}

  /// Null with an error, of which the driver's log is part. In the device's context.
  CUmodule load(const char *ptx);
  /// As often as it was loaded.
  void unload(CUmodule module);

private:
  struct Entry {
    CUmodule module;
    int64_t users;
  };
  xla_rt_cuda_device &device;
  std::mutex mutex; // also while the driver compiles, which is once for each text
  std::unordered_map<std::string, Entry> entries;
};

} // namespace xla_rt::cuda

#endif // MLIR_XLA_RUNTIME_CUDA_MODULES_H
