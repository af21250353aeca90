// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/python/bindings/IrCore.h"

void mlir::xla::python::populatePasses(nb::module_ &m) {}
