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
void populateAttrBuilder(nb::module_ &m);
void populateBases(nb::module_ &m); // Attribute, NamedAttribute, Type, TypeID

// Of populateOperations.
void declareOperations(nb::module_ &m); // classes that signatures of the others name
void populateOperation(nb::module_ &m);
void populateOperationBuilding(nb::module_ &m);
void populateOperationPrinting(nb::module_ &m);
void populateBlocks(nb::module_ &m);
void populateValues(nb::module_ &m);
void populateModule(nb::module_ &m);
void populateSymbolTable(nb::module_ &m);
void populateInterfaces(nb::module_ &m);

// Of populateGlobals.
void populateContextGlobals(nb::module_ &m);

void bindOpAttributeMap(nb::module_ &m);
nb::object attributesOf(PyOperation &op);

/// ValueError if `block` lies inside `op` or belongs to another context: inserting `op` there would break the IR.
void requireNotInside(MlirOperation op, MlirBlock block);
/// ValueError unless both values belong to one context.
void requireReplaceable(const PyValue &value, const PyValue &with);
/// ValueError if the operation is detached already.
void detachFromParent(PyOperation &op);
/// Inserts a new operation at `ip`: an InsertionPoint, None for the current one if any, or False for nowhere.
void maybeInsert(PyOperation &op, nb::handle ip);

/// Parses an operation (text or bytecode) that Python then owns; MLIRError with `failure` otherwise.
Ref<PyOperation> parseOperation(const Ref<Ctx> &ctx, nb::handle source, const std::string &sourceName,
                                const char *failure);

nb::object attachDiagnosticHandler(const Ref<Ctx> &ctx, nb::callable callback);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_PARTS_H
