// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translation, a short pass pipeline and code generation. Kernels are vectorised before they come here, so LLVM only
// has to clean up, select and allocate; the target machine and its pass manager are built once per thread.

#include "mlir_xla/lowering/target/Codegen.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>
#include <mutex>

namespace mlir::xla {
namespace {

double secondsSince(std::chrono::steady_clock::time_point &from) {
  auto now = std::chrono::steady_clock::now();
  double seconds = std::chrono::duration<double>(now - from).count();
  from = now;
  return seconds;
}

/// Loop strength reduction takes a sixth of code generation and gains nothing on loops whose addresses are already
/// a base and one index. The switch is global to the copy of LLVM in the process.
void disableLoopStrengthReduction() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto &options = llvm::cl::getRegisteredOptions();
    if (auto it = options.find("disable-lsr"); it != options.end())
      static_cast<llvm::cl::opt<bool> *>(it->second)->setValue(true);
  });
}

/// What one thread keeps for one target.
class CodeGenerator {
public:
  static FailureOr<CodeGenerator *> get(const TargetSpec &target, Location loc) {
    thread_local llvm::StringMap<std::unique_ptr<CodeGenerator>> generators;
    auto &slot = generators[(Twine(target.cpu) + "|" + target.features).str()];
    if (!slot) {
      auto generator = std::unique_ptr<CodeGenerator>(new CodeGenerator);
      if (failed(generator->create(target, loc)))
        return failure();
      slot = std::move(generator);
    }
    return slot.get();
  }

  void optimize(llvm::Module &module, bool scalarLoops) {
    auto &passes = scalarLoops ? scalarPasses : lightPasses;
    passes.run(module, moduleAnalyses);
    moduleAnalyses.clear();
    cgsccAnalyses.clear();
    functionAnalyses.clear();
    loopAnalyses.clear();
  }

  void emitObject(llvm::Module &module, SmallVectorImpl<char> &object) {
    buffer.clear();
    objectPasses.run(module);
    object.assign(buffer.begin(), buffer.end());
  }

  void emitAssembly(llvm::Module &module, std::string &text) {
    SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    if (!machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
      passes.run(module);
    text.assign(bytes.begin(), bytes.end());
  }

  std::unique_ptr<llvm::TargetMachine> machine;

private:
  CodeGenerator() = default;

  LogicalResult create(const TargetSpec &target, Location loc) {
    disableLoopStrengthReduction();
    llvm::Triple triple(target.triple);
    llvm::orc::JITTargetMachineBuilder builder(triple);
    builder.setCPU(target.cpu).setFeatures(target.features);
    builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
    // Large constants and the runtime may be far from the code: they are reached through the global offset table.
    builder.setRelocationModel(llvm::Reloc::PIC_).setCodeModel(llvm::CodeModel::Small);
    builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Fast;
    builder.getOptions().EmulatedTLS = false;
    auto created = builder.createTargetMachine();
    if (!created)
      return emitError(loc) << "cannot generate code for CPU '" << target.cpu
                            << "': " << llvm::toString(created.takeError());
    machine = std::move(*created);
    machine->setFastISel(true);

    llvm::MCContext *context = nullptr;
    if (machine->addPassesToEmitMC(objectPasses, context, stream, /*DisableVerify=*/true))
      return emitError(loc) << "target '" << target.triple << "' cannot emit object code";

    llvm::PassBuilder passBuilder(machine.get());
    passBuilder.registerModuleAnalyses(moduleAnalyses);
    passBuilder.registerCGSCCAnalyses(cgsccAnalyses);
    passBuilder.registerFunctionAnalyses(functionAnalyses);
    passBuilder.registerLoopAnalyses(loopAnalyses);
    passBuilder.crossRegisterProxies(loopAnalyses, functionAnalyses, cgsccAnalyses, moduleAnalyses);
    llvm::cantFail(passBuilder.parsePassPipeline(lightPasses, "function(early-cse)"));
    llvm::cantFail(passBuilder.parsePassPipeline(
        scalarPasses,
        "function(sroa,early-cse<memssa>,instcombine,simplifycfg,loop-mssa(licm),gvn,instcombine,simplifycfg)"));
    return success();
  }

  SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream{buffer};
  llvm::legacy::PassManager objectPasses;
  llvm::LoopAnalysisManager loopAnalyses;
  llvm::FunctionAnalysisManager functionAnalyses;
  llvm::CGSCCAnalysisManager cgsccAnalyses;
  llvm::ModuleAnalysisManager moduleAnalyses;
  llvm::ModulePassManager lightPasses, scalarPasses;
};

} // namespace

FailureOr<GeneratedCode> generateCode(ModuleOp module, const CodegenOptions &options) {
  auto clock = std::chrono::steady_clock::now();
  FailureOr<CodeGenerator *> generator = CodeGenerator::get(options.target, module.getLoc());
  if (failed(generator))
    return failure();

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, "xla", /*disableVerification=*/!options.keepAssembly);
  if (!translated)
    return failure();
  llvm::TargetMachine &machine = *(*generator)->machine;
  translated->setDataLayout(machine.createDataLayout());
  translated->setTargetTriple(machine.getTargetTriple());
  std::string vectorBits = std::to_string(options.target.vectorBits());
  for (llvm::Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", options.target.cpu);
    function.addFnAttr("target-features", options.target.features);
    function.addFnAttr("prefer-vector-width", vectorBits);
    function.addFnAttr(llvm::Attribute::NoUnwind);
    if (function.getName() == "main")
      function.setName(kEntryName);
  }

  GeneratedCode code;
  code.translateSeconds = secondsSince(clock);
  (*generator)->optimize(*translated, options.optimizeScalarLoops);
  code.optimizeSeconds = secondsSince(clock);
  if (options.keepAssembly) {
    llvm::raw_string_ostream(code.llvmIR) << *translated;
    // Code generation may change the module, so the text comes from a copy of its own.
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*translated);
    (*generator)->emitAssembly(*copy, code.assembly);
    secondsSince(clock);
  }
  (*generator)->emitObject(*translated, code.object);
  code.codegenSeconds = secondsSince(clock);
  return code;
}

} // namespace mlir::xla
