// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Language server for editors: diagnostics, hover, definitions and references in MLIR files that hold `xla` and
// StableHLO beside the upstream dialects.

#include "mlir_xla/compiler/Registration.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/dialect/stablehlo/StablehloInput.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::xla::XlaDialect, mlir::xla::XlaRtDialect>();
  mlir::xla::registerLoweringDialects(registry);
  mlir::xla::registerStablehloInput(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
