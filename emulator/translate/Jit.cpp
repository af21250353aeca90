// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses, translates, compiles and links a module.

#include "Jit.h"
#include "../execute/Environment.h"
#include "Translate.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <atomic>
#include <cstring>

namespace cuda_emu {

using namespace llvm;
using namespace llvm::orc;

namespace {

struct Jit {
  std::unique_ptr<LLJIT> jit;
  JITDylib *runtime = nullptr;
  std::unique_ptr<TargetMachine> machine;
  std::string error;

  Jit() {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    auto target = JITTargetMachineBuilder::detectHost();
    if (!target) {
      error = toString(target.takeError());
      return;
    }
    target->setCodeGenOptLevel(environmentFlag("CUDA_EMU_OPT", true) ? CodeGenOptLevel::Default
                                                                     : CodeGenOptLevel::None);
    auto created = target->createTargetMachine();
    if (!created) {
      error = toString(created.takeError());
      return;
    }
    machine = std::move(*created);
    auto made = LLJITBuilder()
                    .setJITTargetMachineBuilder(*target)
                    .setPlatformSetUp(setUpInactivePlatform)
                    .setLinkProcessSymbolsByDefault(false)
                    .create();
    if (!made) {
      error = toString(made.takeError());
      return;
    }
    jit = std::move(*made);
    runtime = &cantFail(jit->createJITDylib("emulator"));
    SymbolMap symbols;
    auto define = [&](const char *name, void *address) {
      symbols[jit->mangleAndIntern(name)] = {ExecutorAddr::fromPtr(address),
                                             JITSymbolFlags::Exported | JITSymbolFlags::Callable};
    };
    for (const RuntimeFunction &function : runtimeFunctions())
      define(function.name, function.address);
    define("memcpy", reinterpret_cast<void *>(&memcpy));
    define("memset", reinterpret_cast<void *>(&memset));
    define("memmove", reinterpret_cast<void *>(&memmove));
    cantFail(runtime->define(absoluteSymbols(std::move(symbols))));
  }
};

/// Never destroyed: modules may be released by static destructors that run later.
Jit &jit() {
  static Jit *instance = new Jit;
  return *instance;
}

/// The bytes of each function's frame, which code generation tells as a warning. Some more for what a call pushes.
struct Frames {
  StringMap<uint64_t> bytes;
  uint64_t all = 0;

  static void note(const DiagnosticInfo *info, void *frames) {
    auto *stack = dyn_cast<DiagnosticInfoStackSize>(info);
    if (!stack)
      return;
    auto &self = *static_cast<Frames *>(frames);
    uint64_t size = stack->getResourceSize() + 128;
    self.bytes[stack->getFunction().getName()] = size;
    self.all += size;
  }
};

} // namespace

LoadedModule::~LoadedModule() {
  if (library)
    consumeError(jit().jit->getExecutionSession().removeJITDylib(*library));
}

/// Makes a mutant: what stands on that line is not executed. A wait for a barrier in memory answers that it need not
/// wait.
static void skipLine(ptx::Module &module, unsigned line) {
  for (auto &function : module.functions) {
    for (ptx::Instruction &instruction : function->body) {
      bool isWait = instruction.opcode == "mbarrier" && !instruction.modifiers.empty() &&
                    instruction.modifiers[0].ends_with("_wait") && instruction.operands.size() > 1;
      if (instruction.line != line || !isWait)
        continue;
      ptx::Operand zero;
      zero.kind = ptx::Operand::Integer;
      instruction.opcode = "setp";
      instruction.modifiers = {"eq", "u32"};
      instruction.operands = {instruction.operands[0], zero, zero};
      return;
    }
    llvm::erase_if(function->body, [&](const ptx::Instruction &instruction) {
      return instruction.line == line && instruction.label.empty();
    });
  }
}

/// Whether it waits for launches in front of it before it uses memory, branches or ends.
static bool waitsFirst(const ptx::Function &function) {
  static constexpr StringLiteral harmless[] = {"mov", "cvta", "cvt", "add", "sub", "mul",  "mad", "shl",
                                               "shr", "and",  "or",  "xor", "not", "setp", "selp"};
  for (const ptx::Instruction &instruction : function.body) {
    if (!instruction.label.empty())
      continue;
    if (instruction.opcode == "griddepcontrol")
      return instruction.guard.empty() && !instruction.modifiers.empty() && instruction.modifiers[0] == "wait";
    bool isParameter = instruction.opcode == "ld" && llvm::is_contained(instruction.modifiers, "param");
    if (!isParameter && !llvm::is_contained(harmless, instruction.opcode))
      return false;
  }
  return false;
}

std::unique_ptr<LoadedModule> loadModule(StringRef text, function_ref<uint64_t(uint64_t, uint64_t)> allocate,
                                         std::string &error) {
  Jit &shared = jit();
  if (!shared.jit) {
    error = "cannot start the JIT: " + shared.error;
    return nullptr;
  }
  auto result = std::make_unique<LoadedModule>();
  result->source = ptx::parse(text, error);
  if (!result->source)
    return nullptr;
  if (uint64_t line = environmentNumber("CUDA_EMU_SKIP_LINE", 0))
    skipLine(*result->source, line);
  bool isChecked = environmentFlag("CUDA_EMU_CHECK"), isProfiled = environmentFlag("CUDA_EMU_PROFILE");
  Frames frames;
  LLVMContext context;
  context.setDiagnosticHandlerCallBack(Frames::note, &frames);
  auto place = [&](const ptx::Variable &variable) {
    uint64_t address = allocate(variable.bytes, variable.alignment);
    result->globals[variable.name.str()] = {address, variable.bytes};
    return address;
  };
  Translation translation = translate(*result->source, context, place, isChecked || isProfiled, error);
  if (!translation.code)
    return nullptr;
  llvm::Module &code = *translation.code;
  code.setDataLayout(shared.machine->createDataLayout());
  code.setTargetTriple(shared.machine->getTargetTriple());
  if (environmentFlag("CUDA_EMU_DUMP"))
    code.print(errs(), nullptr);
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(code, &stream)) {
    error = "the emulator made invalid code: " + problem;
    return nullptr;
  }
  optimize(code);
  if (environmentFlag("CUDA_EMU_DUMP"))
    code.print(errs(), nullptr);
  auto fail = [&](Error reason) {
    error = "cannot load the translated module: " + toString(std::move(reason));
    return nullptr;
  };
  static std::atomic<uint64_t> modules{0};
  auto library = shared.jit->createJITDylib("module" + std::to_string(modules++));
  if (!library)
    return fail(library.takeError());
  result->library = &*library;
  library->addToLinkOrder(*shared.runtime);
  for (llvm::Function &function : code)
    function.addFnAttr("warn-stack-size", "0");
  auto object = SimpleCompiler(*shared.machine)(code);
  if (!object)
    return fail(object.takeError());
  result->map.object = (*object)->getBuffer().str();
  if (Error reason = shared.jit->addObjectFile(*library, std::move(*object)))
    return fail(std::move(reason));
  result->map.module = result->source.get();
  for (const auto &function : result->source->functions)
    for (const ptx::Instruction &instruction : function->body)
      result->map.locations[instruction.line] = instruction.location;
  for (const std::string &symbol : translation.symbols) {
    auto address = shared.jit->lookup(*library, symbol);
    if (!address)
      return fail(address.takeError());
    result->map.functions[address->getValue()] = symbol;
  }
  uint64_t functionBytes = frames.all; // of those that are no kernels
  for (const TranslatedKernel &translated : translation.kernels)
    functionBytes -= frames.bytes[translated.symbol];
  for (const TranslatedKernel &translated : translation.kernels) {
    auto address = shared.jit->lookup(*library, translated.symbol);
    if (!address)
      return fail(address.takeError());
    const ptx::Function &function = *translated.function;
    Kernel kernel;
    kernel.name = function.name.str();
    kernel.code = address->toPtr<KernelCode>();
    kernel.source = &result->map;
    kernel.needsFibres = translated.needsFibres;
    kernel.meets = translated.meets;
    kernel.isChecked = isChecked;
    kernel.isProfiled = isProfiled;
    kernel.waitsFirst = waitsFirst(function);
    kernel.granule = translated.granule;
    kernel.staticShared = translated.staticShared;
    kernel.dynamicAlignment = translated.dynamicAlignment;
    kernel.localBytes = translated.localBytes;
    kernel.frameBytes = functionBytes + frames.bytes[translated.symbol];
    kernel.maxThreads = function.maxThreads;
    memcpy(kernel.requiredThreads, function.requiredThreads, sizeof kernel.requiredThreads);
    memcpy(kernel.requiredCluster, function.requiredCluster, sizeof kernel.requiredCluster);
    for (const ptx::Variable &parameter : function.parameters) {
      kernel.parameterBytes = alignTo(kernel.parameterBytes, parameter.alignment);
      kernel.parameters.push_back({kernel.parameterBytes, parameter.bytes});
      kernel.parameterBytes += parameter.bytes;
    }
    std::string name = kernel.name;
    result->kernels.emplace(name, std::move(kernel));
  }
  for (const auto &[address, symbol] : translation.functionAddresses) {
    auto target = shared.jit->lookup(*library, symbol);
    if (!target)
      return fail(target.takeError());
    uint64_t bits = target->getValue();
    memcpy(reinterpret_cast<void *>(address), &bits, sizeof bits);
  }
  return result;
}

} // namespace cuda_emu
