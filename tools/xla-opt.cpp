// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opt-style driver: all upstream dialects and passes, and ours. `--to=<stage>` lowers to a stage of the compiler,
// `--from=<stage>` says that the input is the output of one.

#include "mlir_xla/dialect/stablehlo/BytecodeInput.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/stablehlo/StablehloInput.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/compiler/Pipelines.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

static bool unknownStage(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> known;
  for (const mlir::xla::StageInfo &info : mlir::xla::allStages())
    if (info.stage != mlir::xla::Stage::Binary)
      known.push_back(info.name);
  llvm::errs() << "xla-opt: unknown stage '" << name << "'; the stages are " << llvm::join(known, " ");
  if (llvm::StringRef meant = mlir::xla::closest(name, known); !meant.empty())
    llvm::errs() << "; did you mean '" << meant << "'?";
  llvm::errs() << "\n";
  return false;
}

/// `--from=<stage> --to=<stage>[=options]` is short for the pipeline `--xla-to-<stage>="from=<stage> options"`.
static bool expandStages(std::vector<std::string> &arguments) {
  using mlir::xla::Stage;
  llvm::StringRef from;
  std::string *to = nullptr;
  Stage first = Stage::Xla, last = Stage::Xla;
  std::vector<std::string> kept;
  kept.reserve(arguments.size());
  for (const std::string &argument : arguments) {
    llvm::StringRef text = argument;
    if (llvm::is_contained({"--to", "-to", "--from", "-from"}, text)) {
      llvm::errs() << "xla-opt: " << text << " needs a stage, " << text << "=<stage>\n";
      return false;
    }
    if (text.consume_front("--from=") || text.consume_front("-from=")) {
      auto stage = mlir::xla::stageByName(text);
      if (!stage || *stage == Stage::Binary)
        return unknownStage(text);
      from = text;
      first = *stage;
      continue;
    }
    kept.push_back(argument);
    if (!text.consume_front("--to=") && !text.consume_front("-to="))
      continue;
    if (to) {
      llvm::errs() << "xla-opt: --to is given twice\n";
      return false;
    }
    llvm::StringRef name = text.take_until([](char c) { return c == '='; });
    auto stage = mlir::xla::stageByName(name);
    if (!stage)
      return unknownStage(name);
    if (*stage == Stage::Binary) {
      llvm::errs() << "xla-opt: prints IR, of stages up to 'llvm'; the assembly is what `xla-run --dump=DIR` writes to "
                      "DIR/07-binary.s\n";
      return false;
    }
    last = *stage;
    to = &kept.back();
    // The first stage is the input itself.
    *to = last == Stage::Xla ? "--verify-each" : "--xla-to-" + text.str();
  }
  if (!from.empty() && last <= first) {
    llvm::errs() << "xla-opt: --from=" << from << " needs --to=<stage> with a later stage\n";
    return false;
  }
  if (!from.empty()) {
    size_t options = to->find('=');
    *to = options == std::string::npos ? *to + "=from=" + from.str()
                                       : to->substr(0, options) + "=from=" + from.str() + " " + to->substr(options + 1);
  }
  arguments = std::move(kept);
  return true;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::xla::XlaDialect, mlir::xla::XlaRtDialect>();
  mlir::xla::registerLoweringDialects(registry);
  mlir::xla::registerStablehloInput(registry);
  mlir::registerAllPasses();
  mlir::xla::registerImportStablehloPass();
  mlir::xla::registerLoweringPasses();

  // InitLLVM opens /dev/null in its place.
  bool hasStandardOutput = fcntl(STDOUT_FILENO, F_GETFD) != -1;
  std::vector<std::string> arguments(argv, argv + argc);
  if (!expandStages(arguments))
    return 1;
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  char **values = pointers.data();
  llvm::InitLLVM initialise(count, values);
  auto [inputName, outputName] = mlir::registerAndParseCLIOptions(
      count, values,
      "Reads, checks and lowers xla and StableHLO programs.\n"
      "  --to=<stage>    lowers to legal, linalg, kernels, loops or llvm; likewise --to=<stage>=\"threads=1 ...\"\n"
      "  --from=<stage>  says that the input is of a later stage than xla\n",
      registry);
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  // StableHLO ops in generic form become xla ops before anything else sees them; verification follows that.
  config.verifyOnParsing(false);
  mlir::MlirOptMainConfig asked = config;
  config.setPassPipelineSetupFn([&asked](mlir::PassManager &passes) {
    passes.addPass(mlir::xla::createImportStablehloPass());
    return asked.setupPassPipeline(passes);
  });
  if (config.shouldShowDialects()) {
    llvm::interleave(registry.getDialectNames(), llvm::outs(), "\n");
    return 0;
  }
  if (config.shouldListPasses()) {
    mlir::printRegisteredPasses();
    return 0;
  }

  if (outputName == "-" && !hasStandardOutput) {
    llvm::errs() << "xla-opt: the standard output is closed\n";
    return 1;
  }
  std::string error;
  auto input = mlir::openInputFile(inputName, &error);
  if (input)
    input = mlir::xla::containBytecode(std::move(input), registry, error);
  auto output = input ? mlir::openOutputFile(outputName, &error) : nullptr;
  if (!output) {
    llvm::errs() << "xla-opt: " << error << "\n";
    return 1;
  }
  mlir::LogicalResult result = mlir::MlirOptMain(output->os(), std::move(input), registry, config);
  output->os().flush();
  if (output->os().has_error()) {
    llvm::errs() << "xla-opt: cannot write '" << outputName << "': " << output->os().error().message() << "\n";
    output->os().clear_error();
    return 1;
  }
  if (mlir::failed(result))
    return 1;
  output->keep();
  return 0;
}
