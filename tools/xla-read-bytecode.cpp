// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process in which the Python package has bytecode read: bytecode in, bytecode out, or the error and status 3. Lies
// beside the extension, for it alone. What else ends the process says that the input is corrupt.

#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/dialect/stablehlo/BytecodeInput.h"
#include "mlir_xla/dialect/stablehlo/StablehloInput.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

#include <unistd.h>

int main() {
  auto input = llvm::MemoryBuffer::getSTDIN();
  if (!input)
    return 1;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::xla::XlaDialect>();
  mlir::xla::registerStablehloInput(registry);
  mlir::xla::runContained(**input, registry, STDOUT_FILENO);
}
