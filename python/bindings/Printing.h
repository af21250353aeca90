// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing flags and AsmState, and the output of what the C API prints to a Python file.

#ifndef MLIR_XLA_PYTHON_BINDINGS_PRINTING_H
#define MLIR_XLA_PYTHON_BINDINGS_PRINTING_H

#include "mlir_xla/python/bindings/IrCore.h"

namespace mlir::xla::python {

class PrintingFlags {
public:
  PrintingFlags() : flags(mlirOpPrintingFlagsCreate()) {}
  PrintingFlags(const PrintingFlags &) = delete;
  ~PrintingFlags() { mlirOpPrintingFlagsDestroy(flags); }
  operator MlirOpPrintingFlags() const { return flags; }

private:
  MlirOpPrintingFlags flags;
};

/// Printing verifies everything around `op` first; chooses the form that is printed without where that would crash.
void avoidVerification(PrintingFlags &flags, MlirOperation op);

std::string printBlock(MlirBlock block);

/// Python's AsmState: the numbering of values, computed once for many prints.
class PyAsmState {
public:
  PyAsmState(PyOperation &op, bool useLocalScope);
  PyAsmState(const PyValue &value, bool useLocalScope);
  PyAsmState(const PyAsmState &) = delete;
  ~PyAsmState() { mlirAsmStateDestroy(state); }
  MlirAsmState get() {
    op->checkValid();
    return state;
  }

private:
  Ref<PyOperation> op;
  PrintingFlags flags;
  MlirAsmState state;
};

/// Writes to `file`: None is sys.stdout, a str or os.PathLike names a file, anything else has `write`.
void writeTo(nb::handle file, std::string_view data, bool binary);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_PRINTING_H
