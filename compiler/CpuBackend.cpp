// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU: kernels become vectorised loops on pointers, these LLVM's dialect, that object code in this process.

#include "mlir_xla/compiler/Backend.h"

#include "mlir_xla/compiler/CpuExecutable.h"
#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/Unsupported.h"
#include "mlir_xla/lowering/cpu/Passes.h"
#include "mlir_xla/lowering/native/Codegen.h"
#include "mlir_xla/lowering/native/Passes.h"
#include "mlir_xla/lowering/schedule/Passes.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "llvm/Support/Threading.h"

namespace mlir::xla {
namespace {

/// The schedule of each kernel is this backend's affair.
void addPlannedKernelsPasses(OpPassManager &passes, const LoweringOptions &options) {
  addKernelsPasses(passes, options);
  if (options.writesPlans)
    passes.addPass(createPlanKernels({static_cast<unsigned>(options.vectorBits), options.instructions}));
}

void addLoopsPasses(OpPassManager &passes, const LoweringOptions &options) {
  EmitKernelsOptions kernels;
  kernels.vectorBits = options.vectorBits;
  kernels.instructions = options.instructions;
  passes.addPass(createEmitKernels(kernels));
  AssignBuffersOptions buffers;
  buffers.threads = options.threads;
  buffers.frame = Machine().pageBytes;
  passes.addPass(createAssignBuffers(buffers));
  passes.addPass(createPollLoops());
  passes.addPass(createInlineKernels());
}

void addLLVMPasses(OpPassManager &passes, const LoweringOptions &options) {
  passes.addPass(createInlineKernels({/*once=*/true}));
  passes.addPass(createNarrowArithmetic({options.fp16}));
  if (!options.fma || !options.f16c)
    passes.addPass(createSupplyInstructions({options.fma, options.f16c}));
  passes.addPass(createLowerVectors());
  passes.addPass(createConvertToLLVM());
}

constexpr Stage kPlannedKernels{"kernels",
                                "a schedule that calls kernels, each of them one fused loop nest with its plan",
                                addPlannedKernelsPasses};
constexpr Stage kLoops{"loops", "kernels as vectorised loops on pointers; every buffer has its place in one arena",
                       addLoopsPasses};
constexpr Stage kLLVM{"llvm", "the LLVM dialect", addLLVMPasses};
constexpr Stage kBinary{"binary", "machine code, shown as assembly", nullptr, false, "s"};

constexpr Stage kStages[] = {kXla, kLegal, kLinalg, kPlannedKernels, kLoops, kLLVM, kBinary};
constexpr StringLiteral kOptions[] = {"cpu", "features", "threads"};

class CpuTarget : public Target {
public:
  CpuTarget(TargetSpec spec, const CompileOptions &options) : spec(std::move(spec)), options(options) {}

  LoweringOptions lowering() const override {
    LoweringOptions lowering;
    lowering.vectorBits = spec.vectorBits();
    lowering.instructions = spec.productInstructions();
    lowering.fma = spec.fma;
    lowering.f16c = spec.f16c;
    lowering.fp16 = spec.fp16;
    lowering.threads = options.threads;
    lowering.writesPlans = options.keepStages || options.reproduce;
    return lowering;
  }

  FailureOr<std::unique_ptr<Executable>> generate(ModuleOp module, Signature signature, StageLog &log) const override {
    ProgramImage image;
    image.signature = std::move(signature);
    if (auto size = module.lookupSymbol("main")->getAttrOfType<IntegerAttr>(XlaRtDialect::kArenaSize))
      image.arenaSize = size.getInt();
    if (failed(image.takeConstants(module)))
      return failure();
    FailureOr<GeneratedCode> code = generateCode(module, codegenOptions());
    if (failed(code) || (options.cancelled && *options.cancelled))
      return failure();
    image.objects = std::move(code->objects);
    log.finish(kBinary.name, std::move(code->assembly));
    std::string error;
    auto executable = loadExecutable(std::move(image), log, error);
    if (failed(executable))
      return unsupported(emitError(module.getLoc()) << error);
    return executable;
  }

private:
  CodegenOptions codegenOptions() const {
    constexpr unsigned maxThreads = 4;
    CodegenOptions codegen;
    codegen.target = spec;
    codegen.keepAssembly = options.keepStages;
    codegen.allPasses = options.allCodegenPasses;
    codegen.cancelled = options.cancelled;
    // Cores that this process may use, by one system call; the standard library reads a file for it, each time.
    codegen.threads =
        options.threads == 1 ? 1 : std::min(maxThreads, llvm::hardware_concurrency().compute_thread_count());
    return codegen;
  }

  TargetSpec spec;
  CompileOptions options;
};

class CpuBackend : public Backend {
public:
  StringRef name() const override { return "cpu"; }
  ArrayRef<Stage> stages() const override { return kStages; }
  ArrayRef<StringLiteral> options() const override { return kOptions; }
  FailureOr<std::unique_ptr<Target>> createTarget(const CompileOptions &options, std::string &error) const override {
    FailureOr<TargetSpec> spec = TargetSpec::resolve(options.cpu, options.features, error);
    if (failed(spec))
      return failure();
    return std::unique_ptr<Target>(std::make_unique<CpuTarget>(std::move(*spec), options));
  }
};

} // namespace

std::unique_ptr<Backend> createCpuBackend() { return std::make_unique<CpuBackend>(); }

} // namespace mlir::xla
