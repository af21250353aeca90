// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/Registration.h"

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/cpu/Passes.h"
#include "mlir_xla/lowering/gpu/Passes.h"
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
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::xla {

void registerLoweringDialects(DialectRegistry &registry) {
  registry.insert<XlaDialect, XlaRtDialect, func::FuncDialect, scf::SCFDialect, cf::ControlFlowDialect,
                  arith::ArithDialect, math::MathDialect, complex::ComplexDialect, index::IndexDialect,
                  linalg::LinalgDialect, tensor::TensorDialect, memref::MemRefDialect, vector::VectorDialect,
                  ub::UBDialect, LLVM::LLVMDialect, gpu::GPUDialect, NVVM::NVVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

/// Why passes would not take these options; empty if they do. Behind the stage `legal` that would be a bug's error.
static std::string faultOfVectors(unsigned bits, StringRef instructions) {
  std::string fault;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    fault = diagnostic.str();
    return success();
  });
  (void)Machine::checkVectors(bits, &context, instructions);
  return fault;
}

LogicalResult StagePipelineOptions::read(StringRef text, std::string &error) {
  std::string said;
  llvm::raw_string_ostream stream(said);
  if (failed(parseFromString(text, stream))) {
    auto [before, name] = StringRef(said).trim().rsplit("no such option ");
    if (name.empty()) {
      error = StringRef(said).trim().str();
      return failure();
    }
    StringRef known[] = {"vector-bits", "instructions", "fma", "f16c", "fp16", "threads", "from", "target"};
    error = ("unknown option '" + name + "'; the options are " + llvm::join(ArrayRef(known), " ")).str();
    if (StringRef meant = closest(name, known); !meant.empty())
      error += ("; did you mean '" + meant + "'?").str();
    return failure();
  }
  if (threads < 0)
    error = "threads must not be negative, got " + std::to_string(threads);
  else if (!llvm::isUInt<32>(vectorBits))
    error = "vectors have 128, 256 or 512 bits, not " + std::to_string(vectorBits);
  else if (vectorBits.getNumOccurrences() || instructions.getNumOccurrences())
    error = faultOfVectors(vectorBits, instructions);
  return success(error.empty());
}

LoweringOptions StagePipelineOptions::lowering() const {
  LoweringOptions options;
  options.vectorBits = vectorBits;
  options.instructions = instructions;
  options.fma = fma;
  options.f16c = f16c;
  options.fp16 = fp16;
  options.threads = threads;
  return options;
}

namespace {
/// An error for what cannot be in the stage that `from` names.
struct CheckStagePass : PassWrapper<CheckStagePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckStagePass)
  CheckStagePass(const Backend &backend, const Stage &from) : backend(backend), from(from) {}
  StringRef getName() const override { return "CheckStage"; }

  void runOnOperation() override {
    std::string error = backend.findMismatch(getOperation(), from);
    if (error.empty())
      return markAllAnalysesPreserved();
    getOperation().emitError(error);
    signalPassFailure();
  }

private:
  const Backend &backend;
  const Stage &from;
};
} // namespace

/// Appends what leads to the stage of that name from the one that the options name, of the backend that they name.
static LogicalResult addStages(OpPassManager &passes, StringRef to, StringRef text,
                               llvm::function_ref<LogicalResult(const Twine &)> reportError) {
  StagePipelineOptions options;
  std::string error;
  if (failed(options.read(text, error)))
    return error.empty() ? failure() : reportError(error);
  const Backend *backend = findBackend(options.target, error);
  const Stage *first = backend ? backend->findStage(options.from, error) : nullptr;
  const Stage *last = first ? backend->findStage(to, error) : nullptr;
  if (!last)
    return reportError(error);
  if (first != &backend->firstStage())
    passes.addPass(std::make_unique<CheckStagePass>(*backend, *first));
  backend->addPasses(passes, *first, *last, options.lowering());
  return success();
}

void registerLoweringPasses() {
  registerXlaLegalizePasses();
  registerXlaLinalgPasses();
  registerXlaKernelsPasses();
  registerXlaSchedulePasses();
  registerXlaCpuPasses();
  registerXlaNativePasses();
  registerXlaGpuPasses();
  llvm::StringSet<> names;
  for (const Backend *backend : allBackends())
    for (const Stage &stage : backend->irStages().drop_front()) {
      StringRef name = stage.name;
      if (names.insert(name).second)
        registerPassPipeline(
            ("xla-to-" + name).str(), ("Lower to the stage `" + name + "`: " + stage.sentence).str(),
            [name](OpPassManager &passes, StringRef text, llvm::function_ref<LogicalResult(const Twine &)> error) {
              return addStages(passes, name, text, error);
            },
            [](llvm::function_ref<void(const mlir::detail::PassOptions &)> handle) { handle(StagePipelineOptions()); });
    }
}

} // namespace mlir::xla
