// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list-like members of operations and blocks.

#ifndef MLIR_XLA_PYTHON_BINDINGS_OPERATIONLISTS_H
#define MLIR_XLA_PYTHON_BINDINGS_OPERATIONLISTS_H

#include "mlir_xla/python/bindings/Sequences.h"

namespace mlir::xla::python {

struct PyRegionList : Sequence<PyRegionList> {
  static constexpr const char *className = "RegionSequence", *elementName = "Region";
  explicit PyRegionList(Ref<PyOperation> op) : Sequence(mlirOperationGetNumRegions(op->get())), op(std::move(op)) {}
  nb::object element(intptr_t i) { return nb::cast(PyRegion{op, mlirOperationGetRegion(op->get(), i)}); }
  Ref<PyOperation> op;
};

struct PyOpResultList : Sequence<PyOpResultList> {
  static constexpr const char *className = "OpResultList", *elementName = "OpResult";
  explicit PyOpResultList(Ref<PyOperation> op) : Sequence(mlirOperationGetNumResults(op->get())), op(std::move(op)) {}
  nb::object element(intptr_t i) { return wrapValue(mlirOperationGetResult(op->get(), i)); }
  Ref<PyOperation> op;
};

struct PyOpOperandList : Sequence<PyOpOperandList> {
  static constexpr const char *className = "OpOperandList", *elementName = "Value";
  explicit PyOpOperandList(Ref<PyOperation> op) : Sequence(mlirOperationGetNumOperands(op->get())), op(std::move(op)) {}
  nb::object element(intptr_t i);
  Ref<PyOperation> op;
};

struct PyOpSuccessors : Sequence<PyOpSuccessors> {
  static constexpr const char *className = "OpSuccessors", *elementName = "Block";
  explicit PyOpSuccessors(Ref<PyOperation> op)
      : Sequence(mlirOperationGetNumSuccessors(op->get())), op(std::move(op)) {}
  nb::object element(intptr_t i) { return PyBlock::forBlock(mlirOperationGetSuccessor(op->get(), i)).object(); }
  Ref<PyOperation> op;
};

struct PyBlockArgumentList : Sequence<PyBlockArgumentList> {
  static constexpr const char *className = "BlockArgumentList", *elementName = "BlockArgument";
  explicit PyBlockArgumentList(Ref<PyBlock> block)
      : Sequence(mlirBlockGetNumArguments(block->get())), block(std::move(block)) {}
  nb::object element(intptr_t i);
  Ref<PyBlock> block;
};

struct PyBlockSuccessors : Sequence<PyBlockSuccessors> {
  static constexpr const char *className = "BlockSuccessors", *elementName = "Block";
  explicit PyBlockSuccessors(Ref<PyBlock> block)
      : Sequence(mlirBlockGetNumSuccessors(block->get())), block(std::move(block)) {}
  nb::object element(intptr_t i);
  Ref<PyBlock> block;
};

struct PyBlockPredecessors : Sequence<PyBlockPredecessors> {
  static constexpr const char *className = "BlockPredecessors", *elementName = "Block";
  explicit PyBlockPredecessors(Ref<PyBlock> block)
      : Sequence(mlirBlockGetNumPredecessors(block->get())), block(std::move(block)) {}
  nb::object element(intptr_t i);
  Ref<PyBlock> block;
};

void bindOperationLists(nb::module_ &m);
void bindBlockLists(nb::module_ &m);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_OPERATIONLISTS_H
