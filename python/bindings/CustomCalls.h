// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Custom calls that Python implements.

#ifndef MLIR_XLA_PYTHON_BINDINGS_CUSTOMCALLS_H
#define MLIR_XLA_PYTHON_BINDINGS_CUSTOMCALLS_H

#include "mlir_xla/python/bindings/Bindings.h"

namespace mlir::xla::python {

/// Throws the exception that a custom call of this thread ended with, if there is one.
void rethrowFromCustomCall();

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_CUSTOMCALLS_H
