// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose kernels are PTX, loaded.

#ifndef MLIR_XLA_COMPILER_CUDAEXECUTABLE_H
#define MLIR_XLA_COMPILER_CUDAEXECUTABLE_H

#include "mlir_xla/compiler/ProgramImage.h"
#include "mlir_xla/compiler/StageLog.h"
#include "mlir_xla/lowering/gpu/Ptx.h"
#include "mlir_xla/runtime/cuda/xla_rt_cuda.h"

namespace mlir::xla {

/// The names of the backends and of their devices.
inline constexpr StringLiteral kCuda = "cuda", kCudaEmulated = "cuda-emulated";

/// The driver of devices of that kind, as xla_rt_cuda_open takes it: null for the one of NVIDIA's GPUs.
const char *cudaLibrary(StringRef deviceKind);

/// What errors say of a kernel: its entry in the PTX, what it computes, and "file:line:column"; and the devices that it
/// is for, if not all (XlaRtDialect::kDevices).
struct CudaKernel {
  std::string name, op, location, devices;
};

/// Kernels as PTX, and the devices that it is for.
struct CudaPtx {
  PtxTarget target;
  std::string text;
};

struct CudaImage {
  ProgramImage host; // the schedule
  std::vector<CudaPtx> ptx;
  std::vector<CudaKernel> kernels; // by number
  SmallVector<std::pair<int64_t, int64_t>> mayAlias;
  bool readsDevice = false; // the schedule decides by what kernels computed
};

/// Loads the host's code. The device is looked for when the program first runs, so that it can be compiled without one.
/// Failure leaves a message in `error`.
FailureOr<std::unique_ptr<Executable>> loadCudaExecutable(CudaImage image, bool isEmulated, StageLog &log,
                                                          std::string &error);

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_CUDAEXECUTABLE_H
