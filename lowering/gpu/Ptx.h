// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a GPU module in the LLVM and NVVM dialects to PTX.

#ifndef MLIR_XLA_LOWERING_GPU_PTX_H
#define MLIR_XLA_LOWERING_GPU_PTX_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <string>

namespace mlir::xla {

/// What PTX is written for.
struct PtxTarget {
  std::string architecture = "sm_80";
  std::string features = "+ptx80";
  int capability = 80;
  /// It runs on devices of this capability only (`sm_90a`), or also on newer ones of the same generation (`sm_100f`)
  /// rather than on all newer ones.
  bool isExact = false, isFamily = false;
  bool is90a() const { return isExact && capability == 90; }
  bool lines = false; // with the places in the program that code is of

  /// An architecture by its name. Failure leaves a message in `error` that has all names.
  static FailureOr<PtxTarget> find(StringRef architecture, std::string &error);
};

/// Thread-safe. Functions that no kernel needs are gone; calls are inlined where that is no waste. Errors are reported
/// at the module.
FailureOr<std::string> generatePtx(gpu::GPUModuleOp module, const PtxTarget &target);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_PTX_H
