// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Most objects are linked directly. One ORC JIT for the process links the others and knows what is wrong with objects;
// each program has a dylib of its own, removed with the program.

#include "mlir_xla/lowering/native/Jit.h"
#include "mlir_xla/lowering/native/ForkGuard.h"
#include "mlir_xla/lowering/native/LinkDirectly.h"
#include "mlir_xla/runtime/xla_rt.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

#include <atomic>

using namespace llvm::orc;

namespace mlir::xla {
namespace {

thread_local std::string reasons;
thread_local bool isOutOfMemory;

void addReasons(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &reason) {
    reasons += (reasons.empty() ? "" : "; ") + reason.message();
    isOutOfMemory |= reason.convertToErrorCode() == std::errc::not_enough_memory;
  });
}

/// Loads a library when a program calls one of its functions.
class LibraryFunctions : public llvm::orc::DefinitionGenerator {
public:
  llvm::Error tryToGenerate(llvm::orc::LookupState &, llvm::orc::LookupKind, JITDylib &dylib,
                            llvm::orc::JITDylibLookupFlags, const llvm::orc::SymbolLookupSet &wanted) override {
    SymbolMap symbols;
    for (const auto &[name, flags] : wanted) {
      llvm::Expected<void *> function = libraryFunction(*name);
      if (!function)
        return function.takeError();
      if (*function)
        symbols[name] = {ExecutorAddr::fromPtr(*function),
                         llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    }
    return symbols.empty() ? llvm::Error::success() : dylib.define(absoluteSymbols(std::move(symbols)));
  }
};

struct Jit {
  std::unique_ptr<LLJIT> jit;
  JITDylib *runtime = nullptr;
  std::string error;

  Jit() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto created =
        LLJITBuilder().setPlatformSetUp(setUpInactivePlatform).setLinkProcessSymbolsByDefault(false).create();
    if (!created) {
      error = llvm::toString(created.takeError());
      return;
    }
    jit = std::move(*created);
    // A lookup only says what failed, the session hears why: on the same thread, because linking happens in lookups.
    jit->getExecutionSession().setErrorReporter(addReasons);
    runtime = &llvm::cantFail(jit->createJITDylib("runtime"));
    SymbolMap symbols;
    for (const auto &entry : runtimeSymbols())
      symbols[jit->mangleAndIntern(entry.getKey())] = {ExecutorAddr::fromPtr(entry.getValue()),
                                                       llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    llvm::cantFail(runtime->define(absoluteSymbols(std::move(symbols))));
    runtime->addGenerator(std::make_unique<LibraryFunctions>());
  }
};

/// Never destroyed: programs may be released by static destructors that run later.
Jit &jit() {
  static Jit *instance = new Jit;
  return *instance;
}

class Loaded : public LoadedCode {
public:
  explicit Loaded(JITDylib &dylib) : dylib(dylib) {}
  ~Loaded() override {
    if (ForkGuard::hasLostLocks())
      return;
    ForkGuard guard;
    llvm::consumeError(jit().jit->getExecutionSession().removeJITDylib(dylib));
  }
  JITDylib &dylib;
};

} // namespace

FailureOr<std::unique_ptr<LoadedCode>> loadCode(ArrayRef<SmallVector<char, 0>> objects, StringRef entry,
                                                ArrayRef<std::pair<std::string, const void *>> data,
                                                std::string &error) {
  llvm::StringMap<const void *> constants;
  for (const auto &[name, address] : data)
    constants[name] = address;
  auto external = [&](StringRef name) -> const void * {
    if (const void *constant = constants.lookup(name))
      return constant;
    if (void *function = runtimeSymbols().lookup(name))
      return function;
    llvm::Expected<void *> function = libraryFunction(name);
    if (function)
      return *function;
    llvm::consumeError(function.takeError());
    return nullptr;
  };
  if (std::unique_ptr<LoadedCode> linked = linkDirectly(objects, entry, external))
    return linked;
  Jit &shared = jit();
  if (!shared.jit) {
    error = "cannot start the JIT: " + shared.error;
    return failure();
  }
  static std::atomic<uint64_t> programs{0};
  reasons.clear();
  isOutOfMemory = false;
  auto fail = [&](llvm::Error reason) {
    if (reasons.empty())
      addReasons(std::move(reason));
    llvm::consumeError(std::move(reason));
    error = "cannot load the compiled program: " + reasons;
    if (isOutOfMemory)
      xla_rt_set_out_of_memory(error.c_str());
    return failure();
  };
  auto dylib = shared.jit->createJITDylib("program" + std::to_string(programs++));
  if (!dylib)
    return fail(dylib.takeError());
  auto loaded = std::make_unique<Loaded>(*dylib);
  dylib->addToLinkOrder(*shared.runtime);
  if (!data.empty()) {
    SymbolMap symbols;
    for (const auto &[name, address] : data)
      symbols[shared.jit->mangleAndIntern(name)] = {ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
    if (llvm::Error reason = dylib->define(absoluteSymbols(std::move(symbols))))
      return fail(std::move(reason));
  }
  for (const SmallVector<char, 0> &object : objects) {
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(StringRef(object.data(), object.size()), "xla");
    if (llvm::Error reason = shared.jit->addObjectFile(*dylib, std::move(buffer)))
      return fail(std::move(reason));
  }
  auto address = shared.jit->lookup(*dylib, entry);
  if (!address)
    return fail(address.takeError());
  loaded->entry = address->toPtr<void *>();
  return std::unique_ptr<LoadedCode>(std::move(loaded));
}

} // namespace mlir::xla
