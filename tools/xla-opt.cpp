// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opt-style driver: all upstream dialects and passes, and ours. `--to=<stage>` lowers to a stage of the compiler.

#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/lowering/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

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
  mlir::registerAllPasses();
  mlir::xla::registerLoweringPasses();

  std::vector<std::string> arguments(argv, argv + argc);
  if (!expandTo(arguments))
    return 1;
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  return mlir::asMainReturnCode(mlir::MlirOptMain(int(pointers.size()), pointers.data(), "XLA dialect driver\n", registry));
}
