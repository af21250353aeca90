// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialects and passes that Python sees: all of upstream's and ours.

#include "mlir_xla/python/bindings/IrCore.h"

#include "mlir-c/RegisterEverything.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir_xla/dialect/StablehloInput.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/lowering/kernels/XlaRt.h"

MlirDialectRegistry mlir::xla::python::globalDialectRegistry() {
  // Lives as long as the process, like the pass registry.
  static MlirDialectRegistry registry = [] {
    MlirDialectRegistry result = mlirDialectRegistryCreate();
    mlirRegisterAllDialects(result);
    // The execution engine translates modules to LLVM IR.
    mlir::registerAllToLLVMIRTranslations(*unwrap(result));
    unwrap(result)->insert<mlir::xla::XlaDialect, mlir::xla::XlaRtDialect>();
    mlir::xla::registerStablehloInput(*unwrap(result));
    mlirRegisterAllPasses();
    mlir::xla::registerImportStablehloPass();
    return result;
  }();
  return registry;
}
