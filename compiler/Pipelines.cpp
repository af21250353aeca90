// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads top to bottom in the order of compilation.

#include "mlir_xla/compiler/Pipelines.h"

#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/lowering/cpu/Passes.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/legalize/Passes.h"
#include "mlir_xla/lowering/linalg/Passes.h"
#include "mlir_xla/lowering/native/Passes.h"
#include "mlir_xla/lowering/schedule/Passes.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

namespace mlir::xla {

void buildStage(OpPassManager &passes, Stage stage, const LoweringOptions &options) {
  switch (stage) {
  case Stage::Xla:
    return;
  case Stage::Legal:
    buildLegalizePipeline(passes);
    return;
  case Stage::Linalg:
    buildLinalgPipeline(passes);
    return;
  case Stage::Kernels:
    buildKernelsPipeline(passes, options.vectorBits);
    if (options.writesPlans)
      passes.addPass(createPlanKernels({static_cast<unsigned>(options.vectorBits)}));
    return;
  case Stage::Loops: {
    EmitKernelsOptions kernels;
    kernels.vectorBits = options.vectorBits;
    passes.addPass(createEmitKernels(kernels));
    AssignBuffersOptions buffers;
    buffers.threads = options.threads;
    passes.addPass(createAssignBuffers(buffers));
    passes.addPass(createPollLoops());
    return;
  }
  case Stage::LLVM:
    passes.addPass(createLowerVectors());
    passes.addPass(createConvertToLLVM());
    return;
  case Stage::Binary:
    return;
  }
}

void buildStages(OpPassManager &passes, Stage from, Stage to, const LoweringOptions &options) {
  for (int stage = static_cast<int>(from) + 1; stage <= static_cast<int>(to); ++stage)
    buildStage(passes, static_cast<Stage>(stage), options);
}

void registerLoweringDialects(DialectRegistry &registry) {
  registry
      .insert<XlaDialect, XlaRtDialect, func::FuncDialect, scf::SCFDialect, cf::ControlFlowDialect, arith::ArithDialect,
              math::MathDialect, complex::ComplexDialect, index::IndexDialect, linalg::LinalgDialect,
              tensor::TensorDialect, memref::MemRefDialect, vector::VectorDialect, ub::UBDialect, LLVM::LLVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<int64_t> vectorBits{*this, "vector-bits", llvm::cl::desc("width of a vector register"), llvm::cl::init(512)};
  Option<int64_t> threads{*this, "threads", llvm::cl::desc("1: no parallel loops"), llvm::cl::init(0)};
  Option<std::string> from{*this, "from", llvm::cl::desc("the stage of the input"), llvm::cl::init("xla")};
};
} // namespace

void registerLoweringPasses() {
  registerXlaLegalizePasses();
  registerXlaLinalgPasses();
  registerXlaKernelsPasses();
  registerXlaSchedulePasses();
  registerXlaCpuPasses();
  registerXlaNativePasses();
  for (const StageInfo &info : allStages()) {
    if (info.stage == Stage::Xla || info.stage == Stage::Binary)
      continue;
    PassPipelineRegistration<PipelineOptions>(
        ("xla-to-" + info.name).str(), ("Lower to the stage `" + info.name + "`: " + info.sentence).str(),
        [stage = info.stage](OpPassManager &passes, const PipelineOptions &given) {
          LoweringOptions options;
          options.vectorBits = given.vectorBits;
          options.threads = given.threads;
          buildStages(passes, stageByName(given.from).value_or(Stage::Xla), stage, options);
        });
  }
}

} // namespace mlir::xla
