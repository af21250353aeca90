// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opt-style driver: all upstream dialects and passes, and ours.

#include "mlir_xla/dialect/XlaDialect.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::xla::XlaDialect>();
  mlir::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "XLA dialect driver\n", registry));
}
