// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operation, OpView and their common base: inspection, verification, moving, cloning, walking.

#include "mlir_xla/python/bindings/OperationLists.h"
#include "mlir_xla/python/bindings/Parts.h"

using namespace mlir::xla::python;

//===--- Moving
//------------------------------------------------------------------------------------------------------===//

void mlir::xla::python::requireNotInside(MlirOperation op, MlirBlock block) {
  for (MlirOperation parent = mlirBlockGetParentOperation(block); !mlirOperationIsNull(parent);
       parent = mlirOperationGetParentOperation(parent))
    if (mlirOperationEqual(parent, op))
      throwPy(PyExc_ValueError, "an operation cannot be moved into itself");
  MlirOperation owner = mlirBlockGetParentOperation(block);
  if (!mlirOperationIsNull(owner) && !mlirContextEqual(mlirOperationGetContext(owner), mlirOperationGetContext(op)))
    throwPy(PyExc_ValueError, "an operation cannot be moved to another context");
}

static void move(PyOperation &op, PyOperation &reference, bool before) {
  MlirBlock block = mlirOperationGetBlock(reference.get());
  if (mlirBlockIsNull(block))
    throwPy(PyExc_ValueError, "cannot move next to a detached operation");
  if (mlirOperationEqual(op.get(), reference.get()))
    return;
  requireNotInside(op, block);
  if (op.isAttached())
    (before ? mlirOperationMoveBefore : mlirOperationMoveAfter)(op, reference);
  else
    (before ? mlirBlockInsertOwnedOperationBefore : mlirBlockInsertOwnedOperationAfter)(block, reference, op);
  op.relink();
}

void mlir::xla::python::detachFromParent(PyOperation &op) {
  if (!op.isAttached())
    throwPy(PyExc_ValueError, "Detached operation has no parent.");
  mlirOperationRemoveFromParent(op);
  op.relink();
}

//===--- Walking
//-----------------------------------------------------------------------------------------------------===//

/// The callback may erase, move and insert operations: a block's operations are taken down before it runs.
static MlirWalkResult walk(const Ref<PyOperation> &op, const nb::callable &callback, MlirWalkOrder order) {
  auto visit = [&] {
    nb::object result = callback(op.object());
    return result.is_none() ? MlirWalkResultAdvance : nb::cast<MlirWalkResult>(result);
  };
  if (order == MlirWalkPreOrder) {
    MlirWalkResult result = visit();
    if (result == MlirWalkResultInterrupt)
      return result;
    if (result == MlirWalkResultSkip || !op->isValid())
      return MlirWalkResultAdvance;
  }
  std::vector<Ref<PyBlock>> blocks;
  for (intptr_t i = 0, e = mlirOperationGetNumRegions(op->get()); i != e; ++i)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op->get(), i)); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      blocks.push_back(PyBlock::forBlock(block));
  for (const Ref<PyBlock> &block : blocks) {
    if (!block->isValid())
      continue;
    std::vector<Ref<PyOperation>> ops;
    for (MlirOperation nested = mlirBlockGetFirstOperation(block->get()); !mlirOperationIsNull(nested);
         nested = mlirOperationGetNextInBlock(nested))
      ops.push_back(PyOperation::forOperation(nested));
    for (const Ref<PyOperation> &nested : ops)
      if (nested->isValid() && walk(nested, callback, order) == MlirWalkResultInterrupt)
        return MlirWalkResultInterrupt;
  }
  if (order == MlirWalkPostOrder && op->isValid())
    if (visit() == MlirWalkResultInterrupt)
      return MlirWalkResultInterrupt;
  return MlirWalkResultAdvance;
}

/// What the callback raises arrives as the cause of a RuntimeError; but interrupts are passed on as they are.
static void walkFromPython(PyOperationBase &self, const nb::callable &callback, MlirWalkOrder order) {
  Ref<PyOperation> op(&self.state());
  try {
    walk(op, callback, order);
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_Exception))
      throw;
    std::string text = "Exception raised in callback: " + nb::cast<std::string>(error.type().attr("__name__")) + ": " +
                       nb::cast<std::string>(nb::str(error.value()));
    nb::raise_from(error, PyExc_RuntimeError, "%s", text.c_str());
  }
}

//===--- Verification
//------------------------------------------------------------------------------------------------===//

static bool verify(PyOperationBase &self) {
  PyOperation &op = self.state();
  if (std::string found = findUnverifiable(op); !found.empty())
    throw MLIRError("Verification failed: " + found, {});
  ErrorCapture errors(op.ctx);
  MlirOperation handle = op;
  bool valid;
  {
    nb::gil_scoped_release release;
    valid = mlirOperationVerify(handle);
  }
  if (!valid)
    errors.fail("Verification failed");
  return true;
}

//===--- Bindings
//----------------------------------------------------------------------------------------------------===//

static std::string nameOf(PyOperationBase &self) {
  return std::string(toView(mlirIdentifierStr(mlirOperationGetName(self.state()))));
}

static Ref<PyOperation> ref(PyOperationBase &self) { return Ref<PyOperation>(&self.state()); }

/// The wrapper, valid or not: comparing and hashing must work on erased operations too.
static PyOperation *identity(PyOperationBase &self) {
  if (auto *view = dynamic_cast<PyOpView *>(&self))
    return view->op.get();
  return static_cast<PyOperation *>(&self);
}

static void bindInspection(nb::class_<PyOperationBase> &c) {
  c.def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR,
                [](PyOperationBase &self) { return nb::steal(mlirPythonOperationToCapsule(self.state())); })
      .def("__eq__", [](PyOperationBase &self, PyOperationBase &other) { return identity(self) == identity(other); })
      .def(
          "__eq__", [](PyOperationBase &, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__", [](PyOperationBase &self) { return std::hash<void *>()(identity(self)); })
      .def_prop_ro(
          "attributes", [](PyOperationBase &self) { return attributesOf(self.state()); },
          nb::sig("def attributes(self) -> OpAttributeMap"), "The attributes by name; writes through.")
      .def_prop_ro(
          "context", [](PyOperationBase &self) { return self.state().ctx; }, "The context that owns the operation.")
      .def_prop_ro("name", nameOf, "The full name, such as `func.return`.")
      .def_prop_ro("operands", [](PyOperationBase &self) { return PyOpOperandList(ref(self)); })
      .def_prop_ro("regions", [](PyOperationBase &self) { return PyRegionList(ref(self)); })
      .def_prop_ro("results", [](PyOperationBase &self) { return PyOpResultList(ref(self)); })
      .def_prop_ro("successors", [](PyOperationBase &self) { return PyOpSuccessors(ref(self)); })
      .def_prop_ro(
          "result", [](PyOperationBase &self) { return wrapValue(uniqueResult(self.state())); },
          nb::sig("def result(self) -> OpResult"), "The result of an operation that has exactly one.")
      .def_prop_rw(
          "location",
          [](PyOperationBase &self) { return PyLocation{self.state().ctx, mlirOperationGetLocation(self.state())}; },
          [](PyOperationBase &self, const PyLocation &loc) {
            if (!(loc.ctx == self.state().ctx))
              throwPy(PyExc_ValueError, "the location belongs to another context");
            mlirOperationSetLocation(self.state(), loc);
          },
          "Where the operation comes from.")
      .def_prop_ro(
          "parent",
          [](PyOperationBase &self) -> std::optional<Ref<PyOperation>> {
            MlirOperation parent = mlirOperationGetParentOperation(self.state());
            if (mlirOperationIsNull(parent))
              return std::nullopt;
            return PyOperation::forOperation(parent);
          },
          "The operation around this one, or None.")
      .def_prop_ro(
          "block",
          [](PyOperationBase &self) {
            MlirBlock block = mlirOperationGetBlock(self.state());
            if (mlirBlockIsNull(block))
              throwPy(PyExc_ValueError, "Detached operation does not have a parent block");
            return PyBlock::forBlock(block);
          },
          "The block that contains the operation; ValueError if it is detached.")
      .def_prop_ro(
          "attached", [](PyOperationBase &self) { return self.state().isAttached(); },
          "Whether the operation is in a block.");
}

static void bindActions(nb::class_<PyOperationBase> &c) {
  c.def("verify", verify, "True, or MLIRError with what is wrong.")
      .def(
          "move_after",
          [](PyOperationBase &self, PyOperationBase &other) { move(self.state(), other.state(), /*before=*/false); },
          nb::arg("other"), "Puts the operation after another one.")
      .def(
          "move_before",
          [](PyOperationBase &self, PyOperationBase &other) { move(self.state(), other.state(), /*before=*/true); },
          nb::arg("other"), "Puts the operation before another one.")
      .def(
          "is_before_in_block",
          [](PyOperationBase &self, PyOperationBase &other) {
            MlirBlock block = mlirOperationGetBlock(self.state());
            if (mlirBlockIsNull(block) || !mlirBlockEqual(block, mlirOperationGetBlock(other.state())))
              throwPy(PyExc_ValueError, "the operations are not in the same block");
            return mlirOperationIsBeforeInBlock(self.state(), other.state());
          },
          nb::arg("other"), "Whether the operation precedes another one of the same block.")
      .def(
          "clone",
          [](PyOperationBase &self, nb::object ip) {
            Ref<PyOperation> copy = PyOperation::adopt(mlirOperationClone(self.state()));
            maybeInsert(*copy, ip);
            return OpViewObject(copy->opView());
          },
          nb::arg("ip") = nb::none(), "A deep copy, inserted at `ip` or at the current insertion point.")
      .def(
          "detach_from_parent",
          [](PyOperationBase &self) {
            detachFromParent(self.state());
            return OpViewObject(self.state().opView());
          },
          "Takes the operation out of its block; Python owns it then.")
      .def(
          "erase", [](PyOperationBase &self) { self.state().erase(); },
          "Destroys the operation. Its results must have no uses; its Python objects become invalid.")
      .def("walk", walkFromPython, nb::arg("callback"), nb::arg("walk_order") = MlirWalkPostOrder,
           nb::sig("def walk(self, callback: Callable[[Operation], WalkResult | None], walk_order: WalkOrder = "
                   "...) -> None"),
           "Calls `callback` for the operation and all nested ones, which it may erase or move. None means ADVANCE.")
      .def(
          "replace_uses_of_with",
          [](PyOperationBase &self, PyValue &of, PyValue &with) {
            requireReplaceable(of, with);
            mlirOperationReplaceUsesOfWith(self.state(), of, with);
          },
          nb::arg("of"), nb::arg("with_"), "Replaces a value among the operands.");
}

void mlir::xla::python::declareOperations(nb::module_ &m) {
  nb::enum_<MlirWalkOrder>(m, "WalkOrder").value("PRE_ORDER", MlirWalkPreOrder).value("POST_ORDER", MlirWalkPostOrder);
  nb::enum_<MlirWalkResult>(m, "WalkResult")
      .value("ADVANCE", MlirWalkResultAdvance)
      .value("INTERRUPT", MlirWalkResultInterrupt)
      .value("SKIP", MlirWalkResultSkip);
  nb::class_<PyOperationBase>(m, "_OperationBase", "What Operation and OpView have in common.");
  nb::class_<PyOperation, PyOperationBase>(m, "Operation", nb::is_weak_referenceable(),
                                           "An operation, whatever its kind. There is one object per operation.");
  nb::class_<PyOpView, PyOperationBase>(m, "OpView", nb::is_weak_referenceable(),
                                        "Base of the classes for kinds of operations; holds an Operation.");
  nb::class_<PyRegion>(m, "Region", "A list of blocks in an operation.");
  nb::class_<PyBlock>(m, "Block", nb::is_weak_referenceable(), "A list of operations in a region.");
  nb::class_<PyInsertionPoint>(m, "InsertionPoint",
                               "A place in a block; `with` makes it the default for new operations.");
}

void mlir::xla::python::populateOperation(nb::module_ &m) {
  bindOpAttributeMap(m);
  bindOperationLists(m);
  auto base = nb::borrow<nb::class_<PyOperationBase>>(nb::type<PyOperationBase>());
  bindInspection(base);
  bindActions(base);

  auto op = nb::borrow<nb::class_<PyOperation>>(nb::type<PyOperation>());
  op.def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR,
                [](nb::object capsule) {
                  MlirOperation handle = mlirPythonCapsuleToOperation(capsule.ptr());
                  if (mlirOperationIsNull(handle))
                    throw nb::python_error();
                  return PyOperation::forOperation(handle);
                })
      .def_prop_ro(
          "operation", [](Ref<PyOperation> self) { return self; }, "Itself.")
      .def_prop_ro(
          "opview", [](PyOperation &self) { return OpViewObject(self.opView()); },
          "An object of the class registered for the operation's name.");

  auto view = nb::borrow<nb::class_<PyOpView>>(nb::type<PyOpView>());
  view.def_prop_ro(
          "operation", [](PyOpView &self) { return self.op; }, "The operation.")
      .def_prop_ro("opview", [](nb::object self) { return self; }, nb::sig("def opview(self) -> OpView"), "Itself.");
}

void mlir::xla::python::populateOperations(nb::module_ &m) {
  declareOperations(m);
  populateValues(m);
  populateBlocks(m);
  populateOperation(m);
  populateOperationBuilding(m);
  populateOperationPrinting(m);
  populateModule(m);
  populateSymbolTable(m);
  populateInterfaces(m);
}
