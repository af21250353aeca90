// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's GPUs: kernels become PTX, the schedule host code that launches them (docs/design/gpu.md).

#include "mlir_xla/compiler/Backend.h"

#include "mlir_xla/compiler/CudaExecutable.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/Unsupported.h"
#include "mlir_xla/lowering/cpu/Passes.h"
#include "mlir_xla/lowering/gpu/MergedKernel.h"
#include "mlir_xla/lowering/gpu/Ptx.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/legalize/Passes.h"
#include "mlir_xla/lowering/linalg/Passes.h"
#include "mlir_xla/lowering/native/Codegen.h"
#include "mlir_xla/lowering/native/Passes.h"
#include "mlir_xla/lowering/schedule/BufferPlan.h"

namespace mlir::xla {
namespace {

void addDeviceLegalPasses(OpPassManager &passes, const LoweringOptions &) {
  buildLegalizePipeline(passes, /*device=*/true);
}

void addDeviceLinalgPasses(OpPassManager &passes, const LoweringOptions &) {
  buildLinalgPipeline(passes, /*device=*/true);
}

void addPlannedKernelsPasses(OpPassManager &passes, const LoweringOptions &options) {
  buildGpuKernelsPipeline(passes);
  passes.addPass(createFuseTransforms());
  passes.addPass(createPlanBlocks({options.instructions}));
  passes.addPass(createPlanThreads());
}

void addLoopsPasses(OpPassManager &passes, const LoweringOptions &) {
  // What has an emitter of its own has the smallest vectors.
  constexpr unsigned vectorBits = 128;
  EmitKernelsOptions kernels;
  kernels.vectorBits = vectorBits;
  kernels.device = true;
  passes.addPass(createMarkPlaces());
  passes.addPass(createLaunchLibraries());
  passes.addPass(createEmitBlocks());
  passes.addPass(createEmitKernels(kernels));
  passes.addPass(createLaunchKernels());
  passes.addPass(createSplitSteps());
  passes.addPass(createMergeLaunches());
  AssignBuffersOptions buffers;
  buffers.threads = 1;
  buffers.device = true;
  passes.addPass(createAssignBuffers(buffers));
  passes.addPass(createLaunchLoops());
  passes.addPass(createPollLoops());
}

void addLLVMPasses(OpPassManager &passes, const LoweringOptions &) {
  passes.addPass(createLowerVectors());
  passes.addPass(createConvertToNVVM());
  passes.addPass(createConvertToLLVM());
}

constexpr Stage kDeviceLegal{
    "legal", "one function; calls inlined, tuples flattened, composite ops decomposed, layouts dropped, simplified",
    addDeviceLegalPasses, /*checksProgram=*/true};
constexpr Stage kDeviceLinalg{"linalg", "upstream ops on tensors: `linalg`, `tensor`, `arith`, `math`, `scf`",
                              addDeviceLinalgPasses};
constexpr Stage kThreadedKernels{"kernels",
                                 "a schedule that calls kernels, each of them one fused loop nest with its plan",
                                 addPlannedKernelsPasses};
constexpr Stage kLoops{"loops", "kernels as code of a thread; the schedule launches them on buffers in one arena",
                       addLoopsPasses};
constexpr Stage kLLVM{"llvm", "the LLVM dialect, for the device with NVVM", addLLVMPasses};
constexpr Stage kBinary{"binary", "PTX", nullptr, false, "ptx"};

constexpr Stage kStages[] = {kXla, kDeviceLegal, kDeviceLinalg, kThreadedKernels, kLoops, kLLVM, kBinary};

class CudaTarget : public Target {
public:
  CudaTarget(TargetSpec host, std::vector<PtxTarget> chips, bool isEmulated, const CompileOptions &options)
      : host(std::move(host)), chips(std::move(chips)), isEmulated(isEmulated), options(options) {}

  LoweringOptions lowering() const override {
    LoweringOptions lowering;
    if (llvm::none_of(chips, [](const PtxTarget &chip) { return chip.is90a(); }))
      lowering.instructions = "mma";
    else if (chips.size() == 1)
      lowering.instructions = "wgmma";
    return lowering;
  }

  FailureOr<std::unique_ptr<Executable>> generate(ModuleOp module, Signature signature, StageLog &log) const override {
    CudaImage image;
    image.host.signature = std::move(signature);
    auto main = module.lookupSymbol("main");
    if (auto size = main->getAttrOfType<IntegerAttr>(XlaRtDialect::kArenaSize))
      image.host.arenaSize = size.getInt();
    if (auto pairs = main->getAttrOfType<DenseI64ArrayAttr>(kMayAlias))
      for (int64_t i = 0; i + 1 < pairs.size(); i += 2)
        image.mayAlias.emplace_back(pairs[i], pairs[i + 1]);
    image.readsDevice = module.lookupSymbol("xla_rt_cuda_read") != nullptr;
    auto onDevice = module.lookupSymbol<gpu::GPUModuleOp>(kKernelsModule);
    if (!onDevice) { // PTX without kernels says so
      OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
      onDevice = gpu::GPUModuleOp::create(atEnd, module.getLoc(), kKernelsModule);
    }
    for (auto kernel : onDevice.getOps<LLVM::LLVMFuncOp>())
      if (kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
        image.kernels.push_back(describe(kernel));
    std::string text; // of all of them
    auto isFor90a = [](LLVM::LLVMFuncOp kernel) {
      auto devices = kernel->getAttrOfType<StringAttr>(XlaRtDialect::kDevices);
      return devices && devices.getValue() == XlaRtDialect::kOnly90a;
    };
    std::vector<PtxTarget> chips = this->chips;
    if (options.chip.empty() && llvm::none_of(onDevice.getOps<LLVM::LLVMFuncOp>(), isFor90a))
      chips.resize(1);
    for (const PtxTarget &chip : chips) {
      FailureOr<std::string> ptx = generatePtx(onDevice, chip);
      if (failed(ptx))
        return failure();
      if (options.keepStages && chips.size() > 1)
        text += "// For " + chip.architecture + ":\n";
      if (options.keepStages)
        text += *ptx;
      image.ptx.push_back({chip, std::move(*ptx)});
    }
    onDevice.erase();
    if (failed(image.host.takeConstants(module)))
      return failure();
    // Their data is the runtime's; the host code does not refer to them.
    for (auto global : llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>()))
      if (global.getLinkage() == LLVM::Linkage::External && !global.getValueOrNull())
        global.erase();
    CodegenOptions codegen;
    codegen.target = host;
    codegen.cancelled = options.cancelled;
    FailureOr<GeneratedCode> code = generateCode(module, codegen);
    if (failed(code) || (options.cancelled && *options.cancelled))
      return failure();
    image.host.objects = std::move(code->objects);
    log.finish(kBinary.name, std::move(text));
    std::string error;
    auto executable = loadCudaExecutable(std::move(image), isEmulated, log, error);
    if (failed(executable))
      return unsupported(emitError(module.getLoc()) << error);
    return executable;
  }

private:
  /// What errors at run time say of it.
  static CudaKernel describe(LLVM::LLVMFuncOp kernel) {
    // Those of all its parts, if it was merged.
    llvm::SetVector<Location> places;
    kernel.getLoc()->walk([&](Location location) {
      if (auto file = dyn_cast<FileLineColLoc>(location))
        places.insert(file);
      return places.empty() || kernel->hasAttr(kParts) ? WalkResult::advance() : WalkResult::interrupt();
    });
    constexpr size_t enough = 4;
    std::string location;
    for (Location place : places.getArrayRef().take_front(enough)) {
      auto file = cast<FileLineColLoc>(place);
      location += location.empty() ? "" : ", ";
      location += (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" + Twine(file.getColumn())).str();
    }
    if (places.size() > enough)
      location += " and " + counted(static_cast<int64_t>(places.size() - enough), "more place");
    auto devices = kernel->getAttrOfType<StringAttr>(XlaRtDialect::kDevices);
    return {kernel.getName().str(), kernel.getName().str(), location, devices ? devices.getValue().str() : ""};
  }

  TargetSpec host;
  std::vector<PtxTarget> chips;
  bool isEmulated;
  CompileOptions options;
};

constexpr StringLiteral kOptions[] = {"chip", "lines"};

class CudaBackend : public Backend {
public:
  explicit CudaBackend(bool isEmulated) : isEmulated(isEmulated) {}

  StringRef name() const override { return isEmulated ? kCudaEmulated : kCuda; }
  ArrayRef<Stage> stages() const override { return kStages; }
  ArrayRef<StringLiteral> options() const override { return kOptions; }
  bool isDevice() const override { return true; }
  FailureOr<std::unique_ptr<Target>> createTarget(const CompileOptions &options, std::string &error) const override {
    FailureOr<TargetSpec> host = TargetSpec::resolve("", "", error);
    if (failed(host))
      return failure();
    std::vector<PtxTarget> chips;
    // Of the latter only if there are kernels for it.
    const std::string list = options.chip.empty() ? "sm_80,sm_90a" : options.chip;
    SmallVector<StringRef> names;
    StringRef(list).split(names, ',');
    for (StringRef name : names) {
      FailureOr<PtxTarget> chip = PtxTarget::find(name.trim(), error);
      if (failed(chip))
        return failure();
      chip->lines = options.lines;
      chips.push_back(std::move(*chip));
    }
    return std::unique_ptr<Target>(
        std::make_unique<CudaTarget>(std::move(*host), std::move(chips), isEmulated, options));
  }

private:
  bool isEmulated;
};

} // namespace

std::unique_ptr<Backend> createCudaBackend(bool isEmulated) { return std::make_unique<CudaBackend>(isEmulated); }

} // namespace mlir::xla
