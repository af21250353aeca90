// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a GPU module in the LLVM and NVVM dialects to PTX.

#ifndef MLIR_XLA_LOWERING_GPU_PTX_H
#define MLIR_XLA_LOWERING_GPU_PTX_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <string>

namespace mlir::xla {

/// What PTX is written for: it runs on this architecture and on newer ones.
struct PtxTarget {
  std::string architecture = "sm_80";
  std::string features = "+ptx80";
};

/// Thread-safe. Functions that no kernel needs are gone; calls are inlined where that is no waste. Errors are reported
/// at the module.
FailureOr<std::string> generatePtx(gpu::GPUModuleOp module, const PtxTarget &target);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_PTX_H
