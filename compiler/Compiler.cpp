// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drives the stages, in the context of the module or, where that may only be read, in one that is kept for this.

#include "mlir_xla/compiler/Compiler.h"

#include "mlir_xla/compiler/Cancellation.h"
#include "mlir_xla/compiler/Contexts.h"
#include "mlir_xla/compiler/Diagnostics.h"
#include "mlir_xla/compiler/StageRunner.h"
#include "mlir_xla/lowering/native/ForkGuard.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

namespace mlir::xla {
namespace {

using MaybeExecutable = FailureOr<std::unique_ptr<Executable>>;

/// With all constants: compilation goes on from a stage's text.
std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  constexpr int64_t all = std::numeric_limits<int64_t>::max();
  module.print(stream, OpPrintingFlags().useLocalScope().elideLargeElementsAttrs(all).elideLargeResourceString(all));
  return text;
}

/// Why the backend cannot do what the options ask for; empty if it can.
std::string checkOptions(const Backend &backend, const CompileOptions &options) {
  std::pair<StringRef, bool> given[] = {{"cpu", !options.cpu.empty()},
                                        {"features", !options.features.empty()},
                                        {"threads", options.threads != 0},
                                        {"chip", !options.chip.empty()},
                                        {"lines", options.lines}};
  for (auto [name, isGiven] : given)
    if (isGiven && !llvm::is_contained(backend.options(), name))
      return (Twine("the target '") + backend.name() + "' has no option '" + name + "'" +
              (backend.options().empty() ? "" : "; its options are " + llvm::join(backend.options(), " ")))
          .str();
  return "";
}

/// Takes the module through the stages, in its context. A fault of the compiler's is not reported, but left in `bug`.
MaybeExecutable lowerAndGenerate(ModuleOp module, const CompileOptions &options, std::optional<BugReport> &bug) {
  std::string error;
  const Backend *backend = findBackend(options.target, error);
  if (!backend)
    return emitError(module.getLoc()) << error;
  const Stage *from = options.from.empty() ? &backend->firstStage() : backend->findStage(options.from, error);
  if (!from)
    return emitError(module.getLoc()) << error;
  if (error = checkOptions(*backend, options); !error.empty())
    return emitError(module.getLoc()) << error;
  StageLog log;
  FailureOr<std::unique_ptr<Target>> target = backend->createTarget(options, error);
  if (failed(target))
    return emitError(module.getLoc()) << error;
  FailureOr<Signature> signature = readSignature(module);
  if (failed(signature))
    return failure();
  if (from != &backend->firstStage())
    if (error = backend->findMismatch(module, *from); !error.empty())
      return emitError(module.getLoc()) << error;
  log.finish(from->name, options.keepStages ? print(module) : "");

  Cancellation cancellation(module.getContext(), options.cancelled);
  StageRunner runner(module, *backend, *from, (*target)->lowering(), options);
  auto fail = [&]() -> MaybeExecutable {
    if (cancellation.isRequested())
      return emitError(module.getLoc()) << "the compilation was cancelled";
    bug = std::move(runner.bug);
    return failure();
  };
  for (const Stage &stage : backend->irStages()) {
    if (&stage <= from)
      continue;
    if (failed(runner.lower(stage)) || cancellation.isRequested())
      return fail();
    log.finish(stage.name, options.keepStages ? print(module) : "");
  }
  MaybeExecutable executable = failure();
  auto generate = [&]() -> LogicalResult {
    executable = (*target)->generate(module, std::move(*signature), log);
    return executable;
  };
  if (failed(runner.run(backend->stages().back(), generate)))
    return fail();
  return executable;
}

LogicalResult checkForks(ModuleOp module) {
  if (!ForkGuard::hasLostLocks())
    return success();
  return emitError(module.getLoc()) << "cannot be compiled: this process was forked while another thread compiled";
}

MaybeExecutable lowerInPlace(ModuleOp module, const CompileOptions &options, std::optional<BugReport> &bug) {
  MLIRContext *context = module.getContext();
  bool printsOps = context->shouldPrintOpOnDiagnostic();
  context->printOpOnDiagnostic(false);
  llvm::scope_exit restore([&] { context->printOpOnDiagnostic(printsOps); });
  return lowerAndGenerate(module, options, bug);
}

void report(BugReport &bug, const CompileOptions &options) {
  if (options.internalError)
    *options.internalError = bug.info;
  bug.emit();
}

/// A copy of the module in another context; null, with an error, if it cannot be had.
OwningOpRef<ModuleOp> copyTo(ContextLease &lease, ModuleOp module) {
  std::string bytecode;
  llvm::raw_string_ostream stream(bytecode);
  if (failed(writeBytecodeToFile(module, stream)))
    return nullptr;
  lease.addBytes(bytecode.size());
  return parseSourceString<ModuleOp>(bytecode, ParserConfig(lease.context(), /*verifyAfterParse=*/false));
}

} // namespace

MaybeExecutable compile(ModuleOp module, const CompileOptions &options) {
  if (failed(checkForks(module)))
    return failure();
  ForkGuard guard;
  ContextLease lease;
  DiagnosticForwarder forwarder(lease.context(), module);
  auto attempt = [&](const CompileOptions &options, std::optional<BugReport> &bug) -> MaybeExecutable {
    OwningOpRef<ModuleOp> copy = copyTo(lease, module);
    if (!copy)
      return failure();
    return lowerInPlace(*copy, options, bug);
  };
  std::optional<BugReport> bug;
  MaybeExecutable executable = attempt(options, bug);
  if (!bug)
    return executable;
  CompileOptions again = options;
  again.reproduce = true;
  std::optional<BugReport> reproduced;
  (void)attempt(again, reproduced);
  report(reproduced ? *reproduced : *bug, options);
  return failure();
}

MaybeExecutable compileInPlace(ModuleOp module, const CompileOptions &options) {
  if (failed(checkForks(module)))
    return failure();
  ForkGuard guard;
  std::optional<BugReport> bug;
  MaybeExecutable executable = lowerInPlace(module, options, bug);
  if (bug)
    report(*bug, options);
  return executable;
}

} // namespace mlir::xla
