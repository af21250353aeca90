// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of the list-like views of operations and blocks, and the attribute map of an operation.

#include "mlir_xla/python/bindings/OperationLists.h"
#include "mlir_xla/python/bindings/Parts.h"

using namespace mlir::xla::python;

// The number of elements of some lists can shrink while a view of them lives.
static void requireIndex(intptr_t index, intptr_t size) {
  if (index < 0 || index >= size)
    throwPy(PyExc_IndexError, "index out of range");
}

nb::object PyOpOperandList::element(intptr_t i) {
  requireIndex(i, mlirOperationGetNumOperands(op->get()));
  return wrapOperand(mlirOperationGetOperand(op->get(), i));
}

nb::object PyBlockArgumentList::element(intptr_t i) {
  requireIndex(i, mlirBlockGetNumArguments(block->get()));
  return wrapValue(mlirBlockGetArgument(block->get(), i));
}

nb::object PyBlockSuccessors::element(intptr_t i) {
  requireIndex(i, mlirBlockGetNumSuccessors(block->get()));
  return PyBlock::forBlock(mlirBlockGetSuccessor(block->get(), i)).object();
}

nb::object PyBlockPredecessors::element(intptr_t i) {
  requireIndex(i, mlirBlockGetNumPredecessors(block->get()));
  return PyBlock::forBlock(mlirBlockGetPredecessor(block->get(), i)).object();
}

template <typename List> static nb::list typesOf(List &self) {
  nb::list types;
  for (intptr_t i = 0; i != self.size(); ++i)
    types.append(wrapType(mlirValueGetType(toValue(self.at(i)))));
  return types;
}

void mlir::xla::python::bindOperationLists(nb::module_ &m) {
  PyRegionList::bind(m);
  PyOpResultList::bind(m)
      .def_prop_ro("types", typesOf<PyOpResultList>, nb::sig("def types(self) -> list[Type]"))
      .def_prop_ro(
          "owner", [](PyOpResultList &self) { return OpViewObject(self.op->opView()); },
          "The operation whose results these are.");
  PyOpOperandList::bind(m)
      .def_prop_ro("types", typesOf<PyOpOperandList>, nb::sig("def types(self) -> list[Type]"))
      .def(
          "__setitem__",
          [](PyOpOperandList &self, intptr_t index, MlirValue value) {
            index = self.resolve(index);
            requireIndex(index, mlirOperationGetNumOperands(self.op->get()));
            if (!mlirContextEqual(mlirValueGetContext(value), self.op->ctx->get()))
              throwPy(PyExc_ValueError, "the value belongs to another context");
            mlirOperationSetOperand(self.op->get(), index, value);
          },
          nb::arg("index"), nb::arg("value"), "Replaces one operand.");
  PyOpSuccessors::bind(m).def(
      "__setitem__",
      [](PyOpSuccessors &self, intptr_t index, PyBlock &block) {
        mlirOperationSetSuccessor(self.op->get(), self.resolve(index), block);
      },
      nb::arg("index"), nb::arg("block"), "Replaces one successor.");
}

void mlir::xla::python::bindBlockLists(nb::module_ &m) {
  PyBlockArgumentList::bind(m).def_prop_ro("types", typesOf<PyBlockArgumentList>,
                                           nb::sig("def types(self) -> list[Type]"));
  PyBlockSuccessors::bind(m);
  PyBlockPredecessors::bind(m);
}
