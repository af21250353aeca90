// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translation and code generation, by several threads if there is much of it. Kernels are vectorised and without common
// subexpressions when they come here, so LLVM only has to select and allocate: there is no pass before that. Target
// machines and their pass managers are kept for the next compilation.

#include "mlir_xla/lowering/native/Codegen.h"

#include "mlir_xla/lowering/Unsupported.h"
#include "mlir_xla/lowering/native/CheckInstructions.h"
#include "mlir_xla/lowering/native/CodegenPasses.h"
#include "mlir_xla/lowering/native/Partition.h"
#include "mlir_xla/lowering/native/PromoteScalars.h"
#include "mlir_xla/lowering/native/SelectExtrema.h"
#include "mlir_xla/lowering/native/TranslateDirectly.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <deque>
#include <mutex>

#include <pthread.h>

namespace mlir::xla {

std::unique_ptr<llvm::TargetMachine> createTargetMachine(const TargetSpec &target, std::string &error) {
  llvm::orc::JITTargetMachineBuilder builder{llvm::Triple(target.triple)};
  builder.setCPU(target.cpu).setFeatures(target.features);
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  // Large constants and the runtime may be far from the code: they are reached through the global offset table.
  builder.setRelocationModel(llvm::Reloc::PIC_).setCodeModel(llvm::CodeModel::Small);
  builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Fast;
  builder.getOptions().EmulatedTLS = false;
  auto created = builder.createTargetMachine();
  if (!created) {
    error = llvm::toString(created.takeError());
    return nullptr;
  }
  (*created)->setFastISel(true);
  return std::move(*created);
}

namespace {

/// What one thread needs for one target.
class CodeGenerator {
public:
  /// One that nobody uses, to be given back.
  static FailureOr<std::unique_ptr<CodeGenerator>> take(const CodegenOptions &options, Location loc) {
    const TargetSpec &target = options.target;
    std::string key = (Twine(target.cpu) + "|" + target.features + (options.allPasses ? "|all" : "")).str();
    {
      std::lock_guard<std::mutex> lock(idle().mutex);
      auto &kept = idle().generators[key];
      if (!kept.empty()) {
        std::unique_ptr<CodeGenerator> generator = std::move(kept.back());
        kept.pop_back();
        return generator;
      }
    }
    auto generator = std::unique_ptr<CodeGenerator>(new CodeGenerator);
    generator->key = key;
    generator->allPasses = options.allPasses;
    if (failed(generator->create(target, loc)))
      return failure();
    return generator;
  }

  static void giveBack(std::unique_ptr<CodeGenerator> generator) {
    std::lock_guard<std::mutex> lock(idle().mutex);
    idle().generators[generator->key].push_back(std::move(generator));
  }

  void emitObject(llvm::Module &module, SmallVectorImpl<char> &object, const std::atomic<bool> *cancelledBy) {
    buffer.clear();
    cancelled = cancelledBy;
    objectPasses.run(module);
    cancelled = nullptr;
    object.assign(buffer.begin(), buffer.end());
  }

  void emitAssembly(llvm::Module &module, std::string &text) {
    SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    CodegenPasses needed(passes, *machine, allPasses, cancelled);
    if (!machine->addPassesToEmitFile(needed, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
      passes.run(module);
    text.assign(bytes.begin(), bytes.end());
  }

  std::unique_ptr<llvm::TargetMachine> machine;

private:
  CodeGenerator() = default;

  struct Idle {
    std::mutex mutex;
    llvm::StringMap<std::vector<std::unique_ptr<CodeGenerator>>> generators;
  };
  /// Never destroyed: threads of the process may still compile when it exits.
  static Idle &idle() {
    static Idle *instance = new Idle;
    return *instance;
  }

  LogicalResult create(const TargetSpec &target, Location loc) {
    std::string error;
    machine = createTargetMachine(target, error);
    if (!machine)
      return unsupported(emitError(loc) << "cannot generate code for CPU '" << target.cpu << "': " << error);

    llvm::MCContext *context = nullptr;
    CodegenPasses needed(objectPasses, *machine, allPasses, cancelled);
    if (machine->addPassesToEmitMC(needed, context, stream, /*DisableVerify=*/true))
      return unsupported(emitError(loc) << "target '" << target.triple << "' cannot emit object code");
    return success();
  }

  std::string key;
  bool allPasses = false;
  const std::atomic<bool> *cancelled = nullptr; // of the code that is being generated
  SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream{buffer};
  llvm::legacy::PassManager objectPasses;
};

/// The code of one part of the program, from translation to object.
struct Part {
  // The module goes before its context.
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<CodeGenerator> generator;
  GeneratedCode code;

  ~Part() {
    if (generator)
      CodeGenerator::giveBack(std::move(generator));
  }

  LogicalResult translate(ModuleOp from, const CodegenOptions &options) {
    FailureOr<std::unique_ptr<CodeGenerator>> taken = CodeGenerator::take(options, from.getLoc());
    if (failed(taken))
      return failure();
    generator = std::move(*taken);
    if (options.target.x86 && !options.target.bf16)
      module = translateDirectly(from, context, "xla", /*obstacle=*/nullptr, BrainFloats::AsBits);
    if (!module)
      module = translateDirectly(from, context, "xla");
    // Upstream says what is wrong with the module.
    if (!module || (options.keepAssembly && llvm::verifyModule(*module)))
      module = translateModuleToLLVMIR(from, context, "xla", /*disableVerification=*/!options.keepAssembly);
    if (!module)
      return failure();
    llvm::TargetMachine &machine = *generator->machine;
    if (failed(checkInstructions(from, *module, machine)))
      return failure();
    module->setDataLayout(machine.createDataLayout());
    module->setTargetTriple(machine.getTargetTriple());
    std::string vectorBits = std::to_string(options.target.vectorBits());
    for (llvm::Function &function : *module) {
      if (function.isDeclaration())
        continue;
      function.addFnAttr("target-cpu", options.target.cpu);
      function.addFnAttr("target-features", options.target.features);
      function.addFnAttr("prefer-vector-width", vectorBits);
      function.addFnAttr(llvm::Attribute::NoUnwind);
      function.setAlignment(llvm::Align(kCodeAlignment));
      if (function.getName() == "main") {
        function.setName(kEntryName);
        promoteScalars(function);
      }
    }
    if (options.target.avx512)
      selectExtrema(*module);
    return success();
  }

  void generate(const CodegenOptions &options) {
    if (options.keepAssembly) {
      // Code generation may change the module, so the text comes from a copy of its own.
      std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*module);
      generator->emitAssembly(*copy, code.assembly);
    }
    code.objects.emplace_back();
    generator->emitObject(*module, code.objects.back(), options.cancelled);
  }
};

} // namespace

namespace {
/// A part and the thread that is to generate its code. A thread of its own, gone afterwards: a pool would not survive a
/// fork of the process.
struct SharedPart {
  Part part;
  const CodegenOptions *options = nullptr;
  pthread_t thread;
  bool started = false;
  std::atomic<bool> taken{false};

  ~SharedPart() { join(); }

  LogicalResult start(ModuleOp from, const CodegenOptions &given) {
    if (failed(part.translate(from, given)))
      return failure();
    options = &given;
    auto run = [](void *self) -> void * {
      static_cast<SharedPart *>(self)->generate();
      return nullptr;
    };
    started = pthread_create(&thread, nullptr, run, this) == 0;
    return success();
  }

  /// Where cores are busy, a thread comes late: then the one who waits does the work.
  GeneratedCode finish() {
    generate();
    join();
    return std::move(part.code);
  }

private:
  void generate() {
    if (!taken.exchange(true))
      part.generate(*options);
  }

  void join() {
    if (std::exchange(started, false))
      pthread_join(thread, nullptr);
  }
};
} // namespace

FailureOr<GeneratedCode> generateCode(ModuleOp module, const CodegenOptions &options) {
  Partition partition = mlir::xla::partition(module, options.threads);
  SmallVector<ModuleOp> modules{module};
  for (OwningOpRef<ModuleOp> &other : partition.others)
    modules.push_back(*other);
  // This thread has the largest part, which is the last of those that have no order among them.
  std::swap(modules[partition.isRestLargest ? 0 : 1], modules.back());

  std::deque<SharedPart> shared;
  Part own;
  auto isCancelled = [&] { return options.cancelled && *options.cancelled; };
  for (ModuleOp part : ArrayRef(modules).drop_back())
    if (isCancelled() || failed(shared.emplace_back().start(part, options)))
      return failure();
  if (isCancelled() || failed(own.translate(modules.back(), options)))
    return failure();
  own.generate(options);

  GeneratedCode code = std::move(own.code);
  for (SharedPart &each : shared) {
    GeneratedCode more = each.finish();
    code.objects.push_back(std::move(more.objects[0]));
    code.assembly += more.assembly;
  }
  return code;
}

} // namespace mlir::xla
