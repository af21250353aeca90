// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/stablehlo/BytecodeInput.h"
#include "mlir_xla/dialect/stablehlo/StablehloInput.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/Compiler.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <fcntl.h>
#include <limits>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::xla;

//===--- In the child ---===//

/// Everything, whatever the command line says about printing.
static OpPrintingFlags printsAll() {
  return OpPrintingFlags()
      .enableDebugInfo(true, /*prettyForm=*/false)
      .printGenericOpForm()
      .elideLargeElementsAttrs(std::numeric_limits<int64_t>::max())
      .elideLargeResourceString(std::numeric_limits<int64_t>::max())
      .printLargeElementsAttrWithHex()
      .skipRegions(false)
      .printValueUsers(false)
      .printNameLocAsPrefix(false);
}

namespace {
/// A module and a context that it has for itself.
struct Parsed {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;

  /// Of what is wrong only the first error is told.
  Parsed(StringRef source, const DialectRegistry &registry, std::string &error)
      : context(registry, MLIRContext::Threading::DISABLED) {
    context.allowUnregisteredDialects();
    context.getDiagEngine().registerHandler([&error](Diagnostic &diagnostic) {
      if (error.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
        error = diagnostic.str();
      return success();
    });
    module = parseSourceString<ModuleOp>(source, ParserConfig(&context, /*verifyAfterParse=*/false));
  }
};
} // namespace

/// Names become parts of messages and strings of Python. MLIR's text escapes what they may not hold, bytecode does not.
static bool hasLegalNames(ModuleOp module) {
  bool legal = true;
  auto check = [&](StringRef name) { legal &= llvm::json::isUTF8(name); };
  AttrTypeWalker walker;
  walker.addWalk([&](DictionaryAttr dictionary) {
    for (NamedAttribute entry : dictionary)
      check(entry.getName());
  });
  walker.addWalk([&](SymbolRefAttr symbol) { check(symbol.getRootReference()); });
  module->walk([&](Operation *op) {
    check(op->getName().getStringRef());
    if (auto symbol = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      check(symbol);
    walker.walk(op->getAttrDictionary());
  });
  return legal;
}

FailureOr<std::string> mlir::xla::rewriteBytecode(llvm::MemoryBufferRef input, const DialectRegistry &registry,
                                                  std::string &error) {
  auto fail = [&](StringRef what) -> FailureOr<std::string> {
    error = (what + (error.empty() ? "" : ": " + error)).str();
    return failure();
  };
  Parsed read(input.getBuffer(), registry, error);
  if (!read.module) {
    if (StringRef(error).starts_with("dialect 'vhlo' "))
      error =
          "it is a portable artifact of StableHLO (VHLO); give the program's text, which is `mlir_module()` of what "
          "`jax.export` returns, or what `stablehlo-translate --deserialize` prints";
    else if (StringRef(error).starts_with("dialect 'stablehlo' "))
      error = "it has attributes of StableHLO as only its own tools read them; give the program's text, which is "
              "`as_text()` of what `lower` of JAX returns, or what `stablehlo-opt` prints";
    return fail("cannot read the bytecode");
  }
  // The reader makes attributes and types of whatever it finds. The parser checks what they are made of.
  std::string text;
  llvm::raw_string_ostream textStream(text);
  read.module->print(textStream, printsAll());
  Parsed checked(text, registry, error);
  if (checked.module && !hasLegalNames(*checked.module))
    return fail("corrupt bytecode: a name is not UTF-8");
  std::string bytecode;
  llvm::raw_string_ostream stream(bytecode);
  if (!checked.module || failed(writeBytecodeToFile(*checked.module, stream)))
    return fail("corrupt bytecode");
  // What the reader of the result will do. What it finds wrong with the program it can say itself, with the place.
  Parsed again(bytecode, registry, error);
  if (!again.module)
    return fail("corrupt bytecode");
  if (succeeded(importStablehlo(*again.module)))
    (void)verify(*again.module);
  error.clear();
  return bytecode;
}

static void limit(int resource, uint64_t most) {
  rlimit limits;
  if (getrlimit(resource, &limits))
    return;
  limits.rlim_cur = std::min<rlim_t>(limits.rlim_cur, most);
  setrlimit(resource, &limits);
}

/// A crash ends the process at once, and nothing takes more than a sound file of the size could.
static void prepareForTheWorst(uint64_t bytes) {
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU})
    signal(number, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, 3 + (bytes >> 20)); // seconds; a MiB takes a small part of one
#if !LLVM_ADDRESS_SANITIZER_BUILD       // which has terabytes of shadow, and frames of its own
  limit(RLIMIT_AS, (uint64_t(4) << 30) + 32 * bytes);
  // A quarter of what a thread has, as recursion takes more of it elsewhere, where there are callers.
  limit(RLIMIT_STACK, 2 << 20);
#endif
  if (int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0)
    dup2(nowhere, STDERR_FILENO);
}

void mlir::xla::runContained(llvm::MemoryBufferRef input, const DialectRegistry &registry, int output) {
  prepareForTheWorst(input.getBufferSize());
  std::string error;
  FailureOr<std::string> bytecode = rewriteBytecode(input, registry, error);
  llvm::raw_fd_ostream stream(output, /*shouldClose=*/true);
  stream << (succeeded(bytecode) ? *bytecode : error);
  stream.close();
  // Without destructors: what corrupt bytecode left in memory may not survive them.
  _exit(static_cast<int>(succeeded(bytecode) ? ContainedStatus::Written : ContainedStatus::Error));
}

//===--- In the parent ---===//

/// Everything until the other end is closed.
static std::string readAll(int descriptor) {
  std::string all;
  char part[1 << 16];
  for (;;) {
    ssize_t count = read(descriptor, part, sizeof(part));
    if (count > 0)
      all.append(part, count);
    else if (count == 0 || errno != EINTR)
      return all;
  }
}

std::unique_ptr<llvm::MemoryBuffer> mlir::xla::containBytecode(std::unique_ptr<llvm::MemoryBuffer> input,
                                                               const DialectRegistry &registry, std::string &error) {
  if (!isBytecode(*input))
    return input;
  std::string name = input->getBufferIdentifier().str();
  auto fail = [&](StringRef what) {
    error = (name + ": " + what).str();
    return nullptr;
  };
  int ends[2];
  if (pipe(ends))
    return fail("cannot read bytecode: no pipe");
  pid_t child = fork();
  if (child < 0)
    return fail("cannot read bytecode: no process");
  if (child == 0)
    runContained(*input, registry, ends[1]);
  close(ends[1]);
  std::string output = readAll(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  bool ended = WIFEXITED(status);
  if (ended && WEXITSTATUS(status) == static_cast<int>(ContainedStatus::Written))
    return llvm::MemoryBuffer::getMemBufferCopy(output, name);
  if (ended && WEXITSTATUS(status) == static_cast<int>(ContainedStatus::Error))
    return fail(output);
  return fail("corrupt bytecode: MLIR's reader does not survive it");
}
