// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locations taken from the Python call stack: what `loc_tracebacks()` switches on.

#ifndef MLIR_XLA_PYTHON_BINDINGS_TRACEBACKS_H
#define MLIR_XLA_PYTHON_BINDINGS_TRACEBACKS_H

#include "mlir_xla/python/bindings/IrCore.h"

namespace mlir::xla::python {

/// The location of the calling Python code, if `loc_tracebacks()` is on.
std::optional<PyLocation> currentTracebackLocation();

/// The switches and file filters in `_mlir.globals`. A file is the user's if it matches no exclusion, or an inclusion.
struct TracebackSettings {
  bool enabled = false;
  size_t frameLimit = 10;
  std::vector<std::string> includedFiles, excludedFiles;
  static TracebackSettings &get();
};

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_TRACEBACKS_H
