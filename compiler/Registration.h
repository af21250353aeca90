// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tools and bindings register: the dialects of the stages, and passes and pipelines by name.

#ifndef MLIR_XLA_COMPILER_REGISTRATION_H
#define MLIR_XLA_COMPILER_REGISTRATION_H

#include "mlir_xla/compiler/Backend.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir::xla {

/// Everything the pipelines may create or read, with the interfaces and translations they need.
void registerLoweringDialects(DialectRegistry &registry);

/// All passes of the lowering and a pipeline `xla-to-<stage>` for each stage of the backends that are registered, for
/// command-line tools and bindings.
void registerLoweringPasses();

/// The options of these pipelines.
struct StagePipelineOptions : PassPipelineOptions<StagePipelineOptions> {
  Option<int64_t> vectorBits{*this, "vector-bits", llvm::cl::desc("width of a vector register"), llvm::cl::init(512)};
  Option<std::string> instructions{*this, "instructions",
                                   llvm::cl::desc("for products, of mulps,pmaddwd,vpdpbusd,vdpbf16ps,tdpbssd,"
                                                  "tdpbf16ps,tdpfp16ps")};
  Option<bool> fma{*this, "fma", llvm::cl::desc("has fused multiply-adds"), llvm::cl::init(true)};
  Option<bool> f16c{*this, "f16c", llvm::cl::desc("has conversions of f16"), llvm::cl::init(true)};
  Option<bool> fp16{*this, "fp16", llvm::cl::desc("has arithmetic of f16"), llvm::cl::init(false)};
  Option<int64_t> threads{*this, "threads", llvm::cl::desc("1: no parallel loops"), llvm::cl::init(0)};
  Option<std::string> from{*this, "from", llvm::cl::desc("the stage of the input"), llvm::cl::init("xla")};
  Option<std::string> target{*this, "target", llvm::cl::desc("the backend whose stages these are"),
                             llvm::cl::init("cpu")};

  /// Reads `name=value ...`. On failure `error` says why, or LLVM has said so already and `error` is empty.
  LogicalResult read(StringRef text, std::string &error);

  LoweringOptions lowering() const;
};

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_REGISTRATION_H
