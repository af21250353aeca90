// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translation to LLVM IR, LLVM's optimisations (kernels are written with a call in them, and without registers for
// their arguments' addresses) and its PTX.

#include "mlir_xla/lowering/gpu/Ptx.h"

#include "mlir_xla/lowering/gpu/DeviceLibrary.h"
#include "mlir_xla/lowering/gpu/KernelParts.h"
#include "mlir_xla/lowering/gpu/Lines.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

namespace mlir::xla {

static const llvm::Target *findTarget(std::string &error) {
  static bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  return llvm::TargetRegistry::lookupTarget(llvm::Triple("nvptx64-nvidia-cuda"), error);
}

static std::unique_ptr<llvm::TargetMachine> createMachine(const PtxTarget &target, std::string &error) {
  const llvm::Target *nvptx = findTarget(error);
  if (!nvptx)
    return nullptr;
  llvm::TargetOptions options;
  // What is to be rounded once says so: where a product is split into high and low parts, another rounding is wrong.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(
      nvptx->createTargetMachine(llvm::Triple("nvptx64-nvidia-cuda"), target.architecture, target.features, options,
                                 llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

FailureOr<PtxTarget> PtxTarget::find(StringRef architecture, std::string &error) {
  constexpr int kOldest = 80, kOldestWithMinimum = 100;
  const llvm::Target *nvptx = findTarget(error);
  if (!nvptx)
    return failure();
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      nvptx->createMCSubtargetInfo(llvm::Triple("nvptx64-nvidia-cuda"), "", ""));
  SmallVector<std::string> names;
  for (const llvm::SubtargetSubTypeKV &each : known->getAllProcessorDescriptions()) {
    PtxTarget target;
    StringRef number = StringRef(each.Key).drop_front(StringRef("sm_").size());
    target.isExact = number.consume_back("a");
    target.isFamily = number.consume_back("f");
    if (number.getAsInteger(10, target.capability) || target.capability < kOldest)
      continue;
    // LLVM knows the oldest version of PTX that has the architecture.
    target.features = target.capability < kOldestWithMinimum ? "+ptx80" : "";
    target.architecture = each.Key;
    if (target.architecture == architecture)
      return target;
    names.push_back(target.architecture);
  }
  error = ("unknown chip '" + architecture + "'; known are " + llvm::join(names, " ")).str();
  return failure();
}

/// |x| >= c, for a c that is negative, says that x is a number. NVIDIA's assembler (CUDA 13.0, 13.5) takes it for true
/// of NaN, too, where the operand is an absolute value of f32 or its negation; it keeps what asks for numbers by name.
static void askForNumbers(llvm::Module &module) {
  using namespace llvm::PatternMatch;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction);
      llvm::Value *x;
      const llvm::APFloat *bound;
      if (!compare || !match(compare->getOperand(1), m_APFloat(bound)))
        continue;
      llvm::CmpInst::Predicate predicate = compare->getPredicate();
      llvm::APFloat least = *bound;
      if (match(compare->getOperand(0), m_FNeg(m_FAbs(m_Value(x))))) {
        predicate = llvm::CmpInst::getSwappedPredicate(predicate);
        least.changeSign();
      } else if (!match(compare->getOperand(0), m_FAbs(m_Value(x)))) {
        continue;
      }
      bool isBelow = least.isNegative() && !least.isZero() && !least.isNaN();
      if (!(predicate == llvm::CmpInst::FCMP_OGE && (isBelow || least.isZero())) &&
          !(predicate == llvm::CmpInst::FCMP_OGT && isBelow))
        continue;
      compare->setPredicate(llvm::CmpInst::FCMP_ORD);
      compare->setOperand(0, x);
      compare->setOperand(1, llvm::ConstantFP::getZero(x->getType()));
    }
}

/// Scalars stay scalars: a thread has its lane. What is loaded and stored as vectors is computed element by element, as
/// PTX has hardly any instructions for vectors; LLVM does not know how to take all of them apart.
static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
  llvm::ScalarizerPassOptions scalarizer;
  scalarizer.ScalarizeVariableInsertExtract = false;
  llvm::FunctionPassManager last;
  last.addPass(llvm::ScalarizerPass(scalarizer));
  last.addPass(llvm::EarlyCSEPass());
  last.addPass(llvm::DCEPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(last)));
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, modules);
  askForNumbers(module);
}

static bool isMissing(const llvm::Function &function) { return function.isDeclaration() && !function.isIntrinsic(); }

static LogicalResult linkLibrary(llvm::Module &code, Location loc) {
  declareForFirst(code);
  auto library = loadDeviceLibrary(code.getContext());
  if (!library)
    return emitError(loc) << "cannot read the device's library: " << llvm::toString(library.takeError());
  if (llvm::Linker::linkModules(code, std::move(*library), llvm::Linker::LinkOnlyNeeded))
    return emitError(loc) << "cannot link the device's library";
  defineForFirst(code);
  return success();
}

/// Kernels that are not for this architecture.
static void leaveOut(llvm::Module &code, gpu::GPUModuleOp module, const PtxTarget &target) {
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>())
    if (auto devices = kernel->getAttrOfType<StringAttr>(XlaRtDialect::kDevices))
      if (devices.getValue() != (target.is90a() ? XlaRtDialect::kOnly90a : XlaRtDialect::kNot90a))
        code.getFunction(kernel.getName())->eraseFromParent();
}

/// A kernel may begin before those in front of it have ended, and waits for them. There is no such instruction for
/// older devices than sm_90: in their code, a comment has it, which is one no longer where that is loaded by newer ones
/// (runtime/cuda/Modules.cpp).
static void waitForKernelsBefore(llvm::Module &code, const PtxTarget &target) {
  StringRef text = target.capability < 90 ? "//.sm_90 griddepcontrol.wait;" : "griddepcontrol.wait;";
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(code.getContext()), /*isVarArg=*/false);
  auto *wait = llvm::InlineAsm::get(type, text, "~{memory}", /*hasSideEffects=*/true);
  for (llvm::Function &function : code)
    if (!function.isDeclaration() && function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
      llvm::CallInst::Create(type, wait, "", function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
}

FailureOr<std::string> generatePtx(gpu::GPUModuleOp module, const PtxTarget &target) {
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target, error);
  if (!machine)
    return emitError(module.getLoc()) << "cannot generate PTX: " << error;
  llvm::LLVMContext context;
  if (target.lines)
    addLines(module);
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context, "kernels");
  if (!code)
    return failure();
  leaveOut(*code, module, target);
  waitForKernelsBefore(*code, target);
  for (llvm::Function &function : *code)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->isInlineAsm())
        call->setConvergent(); // all of a warp are there
  code->setDataLayout(machine->createDataLayout());
  code->setTargetTriple(machine->getTargetTriple());
  if (llvm::any_of(*code, isMissing) && failed(linkLibrary(*code, module.getLoc())))
    return failure();
  for (llvm::Function &function : *code)
    if (!function.isDeclaration() && function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  optimize(*code, *machine);
  if (target.lines)
    flattenLines(*code);
  for (llvm::Function &function : *code)
    if (isMissing(function))
      return emitError(module.getLoc()) << "the device has no function '" << function.getName() << "'";
  SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return emitError(module.getLoc()) << "this LLVM does not write PTX";
  passes.run(*code);
  std::string ptx(text.begin(), text.end());
  // LLVM 22 writes it with places, for a debugger that reads DWARF.
  constexpr StringLiteral kNoMacros = "\t.section\t.debug_macinfo\t{\t}\n";
  if (size_t found = ptx.find(kNoMacros); found != std::string::npos)
    ptx.erase(found, kNoMacros.size());
  return ptx;
}

} // namespace mlir::xla
