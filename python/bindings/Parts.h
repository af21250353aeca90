// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pieces of `mlir_xla.ir`'s core, one per source file.

#ifndef MLIR_XLA_PYTHON_BINDINGS_PARTS_H
#define MLIR_XLA_PYTHON_BINDINGS_PARTS_H

#include "mlir_xla/python/bindings/Lifetime.h"

namespace mlir::xla::python {

// Of populateIrCore.
void populateContext(nb::module_ &m);
void populateDiagnostics(nb::module_ &m);
void populateLocation(nb::module_ &m);
void populateBases(nb::module_ &m); // Attribute, NamedAttribute, Type, TypeID

// Of populateOperations.
void declareOperations(nb::module_ &m); // classes that signatures of the others name
void populateOperation(nb::module_ &m);
void populateOperationPrinting(nb::module_ &m);
void populateBlocks(nb::module_ &m);
void populateValues(nb::module_ &m);
void populateModule(nb::module_ &m);
void populateSymbolTable(nb::module_ &m);

// Of populateGlobals.
void populateContextGlobals(nb::module_ &m);

nb::object attachDiagnosticHandler(const Ref<Ctx> &ctx, nb::callable callback);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_PARTS_H
