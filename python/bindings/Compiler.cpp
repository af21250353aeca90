// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler of mlir_xla as seen from Python.

#include "mlir_xla/python/bindings/IrCore.h"

void mlir::xla::python::populateCompiler(nb::module_ &m) {}
