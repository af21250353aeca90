// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/StageRunner.h"

#include "mlir_xla/compiler/Contexts.h"
#include "mlir_xla/compiler/Diagnostics.h"
#include "mlir_xla/lowering/Unsupported.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

#include "llvm/Support/FileSystem.h"

#include <cstdlib>

namespace mlir::xla {

void BugReport::emit(bool withErrors) {
  InFlightDiagnostic error = emitError(place) << "internal compiler error in the stage '" << info.stage << "'";
  if (!pass.empty())
    error << ", pass '" << pass << "'";
  if (writtenByHand.empty())
    error << ": this is a bug of mlir-xla, not of the program";
  else
    error << ": this is a bug of mlir-xla, unless the stage '" << writtenByHand << "' was written by hand";
  if (withErrors)
    for (Diagnostic &emitted : errors) {
      error.attachNote(emitted.getLocation()) << emitted.str();
      for (Diagnostic &note : emitted.getNotes())
        error.attachNote(note.getLocation()) << note.str();
    }
  if (!info.reproducer.empty())
    error.attachNote() << "the program before it is in " << info.reproducer
                       << "; this repeats the failure: " << info.command;
}

namespace {
/// Notes the innermost pass that fails, or after which the IR is invalid.
class NoteFailedPass : public PassInstrumentation {
public:
  explicit NoteFailedPass(std::string &name) : name(name) {}
  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (name.empty())
      name = (pass->getArgument().empty() ? pass->getName() : pass->getArgument()).str();
  }

private:
  std::string &name;
};
} // namespace

/// Sets whether the environment asks for verification after each pass; an error if it says neither 1 nor 0.
static LogicalResult readVerification(ModuleOp module, bool &verifies) {
  static const std::string text = [] {
    const char *value = std::getenv("MLIR_XLA_VERIFY_EACH");
    return std::string(value ? value : "");
  }();
  verifies |= text == "1";
  if (text.empty() || text == "0" || text == "1")
    return success();
  return unsupported(module.emitError() << "the environment variable MLIR_XLA_VERIFY_EACH is '" << text
                                        << "'; it has to be 0 or 1");
}

StageRunner::StageRunner(ModuleOp module, const Backend &backend, const Stage &from, const LoweringOptions &lowering,
                         const CompileOptions &options)
    : module(module), backend(backend), from(from), lowering(lowering), options(options) {}

LogicalResult StageRunner::lower(const Stage &stage) {
  return run(stage, [&] { return runPasses(stage); });
}

LogicalResult StageRunner::runPasses(const Stage &stage) {
  MLIRContext *context = module.getContext();
  StagePasses &kept = StagePasses::of(context);
  if (!options.reproduce) {
    bool verifies = options.verifyEach;
    if (failed(readVerification(module, verifies)))
      return failure();
    return kept.get(stage, lowering, verifies).run(module);
  }
  PassManager passes(context);
  passes.addInstrumentation(std::make_unique<NoteFailedPass>(failedPass));
  stage.addPasses(passes, lowering);
  return passes.run(module);
}

LogicalResult StageRunner::run(const Stage &stage, llvm::function_ref<LogicalResult()> work) {
  if (stage.checksProgram)
    return work();
  std::string text;
  if (options.reproduce)
    llvm::raw_string_ostream(text) << *module;
  LogicalResult result = success();
  std::vector<Diagnostic> errors;
  {
    ErrorCollector collector(module.getContext());
    result = work();
    errors = std::move(collector.errors);
  }
  if (options.cancelled && *options.cancelled)
    return result;
  if (succeeded(result) || llvm::any_of(errors, isUnsupported)) {
    for (Diagnostic &error : errors)
      module.getContext()->getDiagEngine().emit(std::move(error));
    return result;
  }
  InternalError info{stage.name.str(), "", ""};
  bool isFirst = &from == &backend.firstStage();
  // A later stage as it was given is a reproducer already.
  if (options.reproduce && (isFirst || &stage != &from + 1))
    writeReproducer(stage, text, info);
  Location place = errors.empty() ? module.getLoc() : errors.front().getLocation();
  bug.emplace(BugReport{place, std::move(info), failedPass, isFirst ? "" : from.name.str(), std::move(errors)});
  return failure();
}

void StageRunner::writeReproducer(const Stage &stage, StringRef text, InternalError &info) const {
  int file;
  SmallString<128> path;
  StringRef before = (&stage - 1)->name;
  if (llvm::sys::fs::createTemporaryFile("mlir-xla-" + before, "mlir", file, path))
    return;
  llvm::raw_fd_ostream stream(file, /*shouldClose=*/true);
  stream << text;
  stream.close();
  if (stream.has_error()) {
    stream.clear_error();
    llvm::sys::fs::remove(path);
    return;
  }
  info.reproducer = path.str().str();
  info.command = commandFor(stage, path);
}

std::string StageRunner::commandFor(const Stage &stage, StringRef file) const {
  std::string command = stage.addPasses ? "xla-opt" : "xla-run";
  if (&backend != allBackends().front())
    command += " --target=" + backend.name().str();
  command += " --from=" + (&stage - 1)->name.str();
  if (stage.addPasses)
    command += " --to=" + stage.name.str() + "=\"" + lowering.str() + "\"";
  return command + " " + file.str();
}

} // namespace mlir::xla
