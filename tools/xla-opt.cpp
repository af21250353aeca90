// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opt-style driver: all upstream dialects and passes, and ours. `--to=<stage>` lowers to a stage of the backend
// that `--target` names, `--from=<stage>` says that the input is the output of one.

#include "mlir_xla/compiler/Registration.h"
#include "mlir_xla/compiler/StageRunner.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/dialect/stablehlo/BytecodeInput.h"
#include "mlir_xla/dialect/stablehlo/StablehloInput.h"
#include "mlir_xla/dialect/stablehlo/TextChecks.h"
#include "mlir_xla/dialect/stablehlo/TextInput.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

using namespace mlir;
using namespace mlir::xla;

static bool fail(const llvm::Twine &message) {
  llvm::errs() << "xla-opt: " << message << "\n";
  return false;
}

/// "  cpu: xla legal linalg"
static std::string describeBackends() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const Backend *backend : allBackends()) {
    stream << "      " << backend->name() << ":";
    for (const Stage &stage : backend->irStages())
      stream << " " << stage.name;
    stream << "\n";
  }
  return text;
}

namespace {
/// What `--target=<backend> --from=<stage> --to=<stage>[=options]` ask for. They are short for the pipeline
/// `--xla-to-<stage>="target=<backend> from=<stage> options"`.
class StageArguments {
public:
  /// Puts the pipeline in their place. False, with a message, if they make no sense.
  bool expand(std::vector<std::string> &arguments);

  /// After a failure: finds out whether the compiler is at fault, and if so, says how to repeat it.
  void explain(llvm::MemoryBufferRef input, const DialectRegistry &registry) const;

private:
  bool take(llvm::StringRef text, std::vector<std::string> &kept);
  bool findStages();

  std::string target = "cpu", from, to, options;
  bool isTargetGiven = false;
  size_t place = 0; // of the pipeline among the arguments
  const Backend *backend = nullptr;
  const Stage *first = nullptr, *last = nullptr; // null: not given
};
} // namespace

/// Keeps an argument that is none of ours.
bool StageArguments::take(llvm::StringRef text, std::vector<std::string> &kept) {
  llvm::StringRef name = text.starts_with("--") ? text.drop_front(2) : text.starts_with("-") ? text.drop_front() : "";
  auto [option, value] = name.split('=');
  bool hasValue = name.size() > option.size();
  if (option == "target" && hasValue) {
    isTargetGiven = true;
    target = value.str();
  } else if ((option == "to" || option == "from") && value.empty()) {
    return fail("--" + option + " needs a stage, --" + option + "=<stage>");
  } else if (option == "from") {
    from = value.str();
  } else if (option == "to" && !to.empty()) {
    return fail("--to is given twice");
  } else if (option == "to") {
    auto [stage, rest] = value.split('=');
    to = stage.str();
    options = rest.str();
    place = kept.size();
    kept.emplace_back();
  } else {
    kept.push_back(text.str());
  }
  return true;
}

bool StageArguments::findStages() {
  std::string error;
  backend = findBackend(target, error);
  if (!backend)
    return fail(error);
  auto find = [&](llvm::StringRef name, const Stage *&stage) {
    const Stage &code = backend->stages().back();
    if (name == code.name)
      return fail("prints IR, of stages up to '" + backend->irStages().back().name + "'; '" + name +
                  "' is what `xla-run --dump=DIR` writes to DIR/" +
                  llvm::Twine(backend->stages().size() < 10 ? "0" : "") + llvm::Twine(backend->stages().size()) + "-" +
                  name + "." + code.suffix);
    stage = backend->findStage(name, error);
    return stage || fail(error);
  };
  return (from.empty() || find(from, first)) && (to.empty() || find(to, last));
}

bool StageArguments::expand(std::vector<std::string> &arguments) {
  std::vector<std::string> kept;
  for (const std::string &argument : arguments)
    if (!take(argument, kept))
      return false;
  if (!findStages())
    return false;
  if (first && (!last || last <= first))
    return fail("--from=" + from + " needs --to=<stage> with a later stage");
  if (last) {
    if (first)
      options = "from=" + from + " " + options;
    if (isTargetGiven)
      options = "target=" + target + " " + options;
    StagePipelineOptions pipeline;
    std::string error;
    if (failed(pipeline.read(options, error)))
      return !error.empty() && fail("--to=" + to + ": " + error);
    if (last == &backend->firstStage())
      kept[place] = "--verify-each"; // which is the input itself
    else
      kept[place] = "--xla-to-" + to + (options.empty() ? "" : "=" + options);
  }
  arguments = std::move(kept);
  return true;
}

void StageArguments::explain(llvm::MemoryBufferRef input, const DialectRegistry &registry) const {
  StagePipelineOptions pipeline; // where the options of --to may name a target and a stage as well
  std::string error;
  if (to.empty() || failed(pipeline.parseFromString(options)))
    return;
  const Backend *backend = findBackend(pipeline.target, error);
  const Stage *stage = backend ? backend->findStage(pipeline.from, error) : nullptr;
  const Stage *last = stage ? backend->findStage(to, error) : nullptr;
  if (!last)
    return;
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(input), llvm::SMLoc());
  CompileOptions settings;
  settings.reproduce = true;
  std::optional<BugReport> bug;
  OwningOpRef<ModuleOp> module;
  {
    // All this was said before.
    ScopedDiagnosticHandler silent(&context, [](Diagnostic &) { return success(); });
    module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context, /*verifyAfterParse=*/false));
    if (!module || failed(importStablehlo(*module)))
      return;
    StageRunner runner(*module, *backend, *stage, pipeline.lowering(), settings);
    while (++stage <= last)
      if (failed(runner.lower(*stage)))
        break;
    bug = std::move(runner.bug);
  }
  SourceMgrDiagnosticHandler handler(*sources, &context);
  if (bug)
    bug->emit(/*withErrors=*/false);
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<XlaDialect, XlaRtDialect>();
  registerLoweringDialects(registry);
  registerStablehloInput(registry);
  registerAllPasses();
  registerImportStablehloPass();
  registerLoweringPasses();

  // InitLLVM opens /dev/null in its place.
  bool hasStandardOutput = fcntl(STDOUT_FILENO, F_GETFD) != -1;
  std::vector<std::string> arguments(argv, argv + argc);
  StageArguments stages;
  if (!stages.expand(arguments))
    return 1;
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  char **values = pointers.data();
  llvm::InitLLVM initialise(count, values);
  auto [inputName, outputName] =
      registerAndParseCLIOptions(count, values,
                                 "Reads, checks and lowers xla and StableHLO programs.\n"
                                 "  --to=<stage>      lowers to that stage; likewise --to=<stage>=\"threads=1 ...\"\n"
                                 "  --from=<stage>    says that the input is of a later stage than the first\n"
                                 "  --target=<name>   the backend whose stages these are, by default the first of:\n" +
                                     describeBackends(),
                                 registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // StableHLO ops in generic form become xla ops before anything else sees them; verification follows that.
  config.verifyOnParsing(false);
  MlirOptMainConfig asked = config;
  config.setPassPipelineSetupFn([&asked](PassManager &passes) {
    passes.addPass(createImportStablehloPass());
    return asked.setupPassPipeline(passes);
  });
  if (config.shouldShowDialects()) {
    llvm::interleave(registry.getDialectNames(), llvm::outs(), "\n");
    return 0;
  }
  if (config.shouldListPasses()) {
    printRegisteredPasses();
    return 0;
  }

  if (outputName == "-" && !hasStandardOutput) {
    llvm::errs() << "xla-opt: the standard output is closed\n";
    return 1;
  }
  std::string error;
  auto input = openInputFile(inputName, &error);
  if (input)
    input = containBytecode(std::move(input), registry, error);
  if (input)
    input = packBooleans(std::move(input));
  if (std::string problem = input ? describeProblem(*input) : ""; !problem.empty()) {
    llvm::errs() << problem << "\n";
    return 1;
  }
  auto output = input ? openOutputFile(outputName, &error) : nullptr;
  if (!output) {
    llvm::errs() << "xla-opt: " << error << "\n";
    return 1;
  }
  llvm::MemoryBufferRef source = input->getMemBufferRef();
  LogicalResult result = MlirOptMain(output->os(), llvm::MemoryBuffer::getMemBuffer(source), registry, config);
  output->os().flush();
  if (output->os().has_error()) {
    llvm::errs() << "xla-opt: cannot write '" << outputName << "': " << output->os().error().message() << "\n";
    output->os().clear_error();
    return 1;
  }
  if (failed(result)) {
    if (config.inputSplitMarker().empty() && !config.shouldVerifyDiagnostics())
      stages.explain(source, registry);
    return 1;
  }
  output->keep();
  return 0;
}
