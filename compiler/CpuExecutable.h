// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program in native code that runs in this process.

#ifndef MLIR_XLA_COMPILER_CPUEXECUTABLE_H
#define MLIR_XLA_COMPILER_CPUEXECUTABLE_H

#include "mlir_xla/compiler/ProgramImage.h"
#include "mlir_xla/compiler/StageLog.h"

namespace mlir::xla {

/// Loads the image into the process, which is the stage "load" of `log`. A failure leaves a message in `error`.
FailureOr<std::unique_ptr<Executable>> loadExecutable(ProgramImage image, StageLog &log, std::string &error);

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_CPUEXECUTABLE_H
