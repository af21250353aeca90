// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opt-style driver: all upstream dialects and passes, and ours. `--to=<stage>` lowers to a stage of the compiler.

#include "mlir_xla/dialect/StablehloInput.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/lowering/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

#include <string>
#include <vector>

/// `--to=<stage>[="options"]` is short for the pipeline `--xla-to-<stage>[="options"]`.
static bool expandTo(std::vector<std::string> &arguments) {
  for (std::string &argument : arguments) {
    llvm::StringRef text = argument;
    if (!text.consume_front("--to=") && !text.consume_front("-to="))
      continue;
    auto stage = mlir::xla::stageByName(text.take_until([](char c) { return c == '='; }));
    if (!stage || *stage == mlir::xla::Stage::Binary) {
      llvm::errs() << "xla-opt: unknown stage '" << text << "'; the stages are";
      for (const mlir::xla::StageInfo &info : mlir::xla::allStages())
        if (info.stage != mlir::xla::Stage::Binary)
          llvm::errs() << " " << info.name;
      llvm::errs() << "\n";
      return false;
    }
    // The first stage is the input itself.
    argument = *stage == mlir::xla::Stage::Xla ? "--verify-each" : "--xla-to-" + text.str();
  }
  return true;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::xla::XlaDialect>();
  mlir::xla::registerLoweringDialects(registry);
  mlir::xla::registerStablehloInput(registry);
  mlir::registerAllPasses();
  mlir::xla::registerImportStablehloPass();
  mlir::xla::registerLoweringPasses();

  std::vector<std::string> arguments(argv, argv + argc);
  if (!expandTo(arguments))
    return 1;
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  char **values = pointers.data();
  llvm::InitLLVM initialise(count, values);
  auto [inputName, outputName] = mlir::registerAndParseCLIOptions(
      count, values, "Reads, checks and lowers xla and StableHLO programs\n", registry);
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

  std::string error;
  auto input = mlir::openInputFile(inputName, &error);
  auto output = input ? mlir::openOutputFile(outputName, &error) : nullptr;
  if (!output) {
    llvm::errs() << "xla-opt: " << error << "\n";
    return 1;
  }
  if (mlir::failed(mlir::MlirOptMain(output->os(), std::move(input), registry, config)))
    return 1;
  output->keep();
  return 0;
}
