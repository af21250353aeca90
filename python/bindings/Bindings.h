// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the extension module `_xla`, and upstream's binding classes under short names.

#ifndef MLIR_XLA_PYTHON_BINDINGS_BINDINGS_H
#define MLIR_XLA_PYTHON_BINDINGS_BINDINGS_H

#include "mlir/Bindings/Python/Globals.h"
#include "mlir/Bindings/Python/IRAttributes.h"
#include "mlir/Bindings/Python/IRCore.h"
#include "mlir/Bindings/Python/IRTypes.h"
#include "mlir/Bindings/Python/Nanobind.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

namespace mlir::xla::python {

namespace nb = nanobind;
using namespace ::mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN;

void populateRegistration(nb::module_ &m);                   // Registration.cpp
void populateXlaDialect(nb::module_ &m);                     // DialectTypesXla.cpp
void populateDenseElements(nb::module_ &m);                  // DenseElements.cpp
void populateParsing(nb::module_ &m, nb::module_ &compiler); // Parsing.cpp
void populateCompiler(nb::module_ &m);                       // Compiler.cpp
void populateCustomCalls(nb::module_ &m);                    // CustomCalls.cpp
void populateProcessors(nb::module_ &compiler);              // Processors.cpp

/// Sets and throws a Python exception: `throwPy(PyExc_TypeError, "...")`.
[[noreturn]] inline void throwPy(PyObject *type, const std::string &message) {
  PyErr_SetString(type, message.c_str());
  throw nb::python_error();
}

/// Collects the errors that a context reports as long as it lives. Unlike upstream's, it may be at work while the GIL
/// is released.
class ErrorCapture {
public:
  explicit ErrorCapture(PyMlirContextRef ctx);
  ErrorCapture(const ErrorCapture &) = delete;
  ~ErrorCapture();
  /// What was collected.
  std::vector<PyDiagnostic::DiagnosticInfo> take();
  /// Throws MLIRError with it.
  [[noreturn]] void fail(const std::string &message);

private:
  static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *self);
  struct Raw;
  PyMlirContextRef ctx;
  MlirDiagnosticHandlerID id;
  std::vector<Raw> errors;
};

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_BINDINGS_H
