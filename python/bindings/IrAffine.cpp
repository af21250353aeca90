// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Placeholder of this part of the bindings.

#include "mlir_xla/python/bindings/Concrete.h"

void mlir::xla::python::populateIrAffine(nb::module_ &m) {}
