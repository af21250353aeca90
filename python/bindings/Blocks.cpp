// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Region, Block, their lists, and InsertionPoint.

#include "mlir_xla/python/bindings/OperationLists.h"
#include "mlir_xla/python/bindings/Parts.h"
#include "mlir_xla/python/bindings/Printing.h"

using namespace mlir::xla::python;

//===--- Lists and iterators
//-----------------------------------------------------------------------------------------===//

namespace {

struct PyBlockList {
  PyRegion region;
};

/// Holds the next element's object, not its pointer: an element that was erased meanwhile is noticed.
struct PyBlockIterator {
  Ref<PyBlock> next;
};

struct PyOperationList {
  Ref<PyBlock> block;
};

struct PyOperationIterator {
  Ref<PyOperation> next;
};

struct PyRegionIterator {
  PyRegionList list;
  intptr_t next = 0;
};

} // namespace

static Ref<PyBlock> wrapBlock(MlirBlock block) {
  return mlirBlockIsNull(block) ? Ref<PyBlock>() : PyBlock::forBlock(block);
}

static Ref<PyOperation> wrapOp(MlirOperation op) {
  return mlirOperationIsNull(op) ? Ref<PyOperation>() : PyOperation::forOperation(op);
}

static PyBlockIterator iterate(PyRegion &region) { return {wrapBlock(mlirRegionGetFirstBlock(region))}; }
static PyOperationIterator iterate(PyBlock &block) { return {wrapOp(mlirBlockGetFirstOperation(block))}; }

static intptr_t countBlocks(MlirRegion region) {
  intptr_t count = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    ++count;
  return count;
}

static intptr_t countOperations(MlirBlock block) {
  intptr_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    ++count;
  return count;
}

static Ref<PyBlock> blockAt(MlirRegion region, intptr_t index) {
  if (index < 0)
    index += countBlocks(region);
  if (index >= 0)
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      if (index-- == 0)
        return PyBlock::forBlock(block);
  throwPy(PyExc_IndexError, "attempt to access out of bounds block");
}

static Ref<PyOperation> operationAt(MlirBlock block, intptr_t index) {
  if (index < 0)
    index += countOperations(block);
  if (index >= 0)
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op))
      if (index-- == 0)
        return PyOperation::forOperation(op);
  throwPy(PyExc_IndexError, "attempt to access out of bounds operation");
}

//===--- Creating blocks
//---------------------------------------------------------------------------------------------===//

/// A block with arguments of the types; the locations default to the current one.
static MlirBlock createBlock(const Ref<Ctx> &ctx, nb::handle types, const std::optional<nb::sequence> &locations) {
  std::vector<MlirType> typeHandles;
  std::vector<MlirLocation> locationHandles;
  for (nb::handle type : types) {
    MlirType handle;
    if (!nb::try_cast<MlirType>(type, handle))
      throwPy(PyExc_TypeError,
              "the types of block arguments must be Types, got " + nb::cast<std::string>(nb::repr(type)));
    if (!mlirContextEqual(mlirTypeGetContext(handle), ctx->get()))
      throwPy(PyExc_ValueError, "the type of a block argument belongs to another context: " + toString(handle));
    typeHandles.push_back(handle);
  }
  if (locations) {
    for (nb::handle location : *locations)
      locationHandles.push_back(nb::cast<PyLocation &>(location));
  } else if (!typeHandles.empty()) {
    locationHandles.assign(typeHandles.size(), DefaultLoc::resolve());
  }
  if (locationHandles.size() != typeHandles.size())
    throwPy(PyExc_ValueError, "Expected " + std::to_string(typeHandles.size()) +
                                  " locations, got: " + std::to_string(locationHandles.size()));
  return mlirBlockCreate(typeHandles.size(), typeHandles.data(), locationHandles.data());
}

static Ref<PyBlock> createNextTo(PyBlock &self, const nb::args &types, const std::optional<nb::sequence> &locations,
                                 bool before) {
  MlirBlock block = createBlock(self.ctx, types, locations);
  MlirRegion region = mlirBlockGetParentRegion(self);
  (before ? mlirRegionInsertOwnedBlockBefore : mlirRegionInsertOwnedBlockAfter)(region, self, block);
  return PyBlock::forBlock(block);
}

static void appendTo(PyBlock &self, PyRegion &region) {
  if (self.ctx.get() != region.op->ctx.get())
    throwPy(PyExc_ValueError, "a block cannot be moved to another context");
  for (MlirOperation op = region.op->get(); !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    MlirBlock block = mlirOperationGetBlock(op);
    if (!mlirBlockIsNull(block) && mlirBlockEqual(block, self))
      throwPy(PyExc_ValueError, "a block cannot be moved into itself");
  }
  mlirBlockDetach(self);
  mlirRegionAppendOwnedBlock(region, self);
  self.relink();
  // The operations in it have another parent now.
  for (MlirOperation op = mlirBlockGetFirstOperation(self); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (auto it = self.ctx->operations.find(op.ptr); it != self.ctx->operations.end())
      it->second->relink();
}

static void eraseArgument(PyBlock &self, intptr_t index) {
  if (index < 0 || index >= mlirBlockGetNumArguments(self))
    throwPy(PyExc_IndexError, "the block has " + std::to_string(mlirBlockGetNumArguments(self)) +
                                  " arguments, there is no #" + std::to_string(index));
  if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(self, index))))
    throwPy(PyExc_RuntimeError, "cannot erase block argument #" + std::to_string(index) + ": it still has uses");
  mlirBlockEraseArgument(self, index);
  ++self.argumentEpoch;
}

static void appendOperation(PyBlock &self, PyOperation &op) {
  requireNotInside(op, self);
  if (op.isAttached())
    mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(self, op);
  op.relink();
}

//===--- Insertion points
//--------------------------------------------------------------------------------------------===//

void PyInsertionPoint::insert(PyOperation &op) const {
  if (op.isAttached())
    throwPy(PyExc_ValueError, "Attempt to insert operation that is already attached");
  requireNotInside(op, *block);
  if (before) {
    if (!mlirBlockEqual(mlirOperationGetBlock(before->get()), *block))
      throwPy(PyExc_ValueError, "the operation before which to insert has left its block");
    mlirBlockInsertOwnedOperationBefore(*block, before->get(), op);
  } else {
    if (!mlirOperationIsNull(mlirBlockGetTerminator(*block)))
      throwPy(PyExc_IndexError, "Cannot insert operation at the end of a block that already has a terminator. Did you "
                                "mean to use 'InsertionPoint.at_block_terminator(block)' versus "
                                "'InsertionPoint(block)'?");
    mlirBlockAppendOwnedOperation(*block, op);
  }
  op.relink();
}

void mlir::xla::python::maybeInsert(PyOperation &op, nb::handle ip) {
  if (ip.is(nb::bool_(false)))
    return;
  nb::object target = ip.is_none() ? ContextStack::currentInsertionPoint() : nb::borrow(ip);
  if (target.is_none())
    return;
  PyInsertionPoint *point = nullptr;
  if (!nb::try_cast<PyInsertionPoint *>(target, point, false) || !point)
    throwPy(PyExc_TypeError, "ip must be an InsertionPoint, None or False, got " + nb::cast<std::string>(nb::repr(ip)));
  point->insert(op);
}

static PyInsertionPoint before(PyOperation &op) {
  MlirBlock block = mlirOperationGetBlock(op);
  if (mlirBlockIsNull(block))
    throwPy(PyExc_ValueError, "Detached operation does not have a parent block");
  return {PyBlock::forBlock(block), Ref<PyOperation>(&op)};
}

static PyInsertionPoint after(PyOperation &op) {
  PyInsertionPoint point = before(op);
  point.before = wrapOp(mlirOperationGetNextInBlock(op));
  return point;
}

static PyInsertionPoint atTerminator(PyBlock &block) {
  MlirOperation terminator = mlirBlockGetTerminator(block);
  if (mlirOperationIsNull(terminator))
    throwPy(PyExc_ValueError, "Block has no terminator");
  return {Ref<PyBlock>(&block), PyOperation::forOperation(terminator)};
}

static void bindInsertionPoint() {
  auto c = nb::borrow<nb::class_<PyInsertionPoint>>(nb::type<PyInsertionPoint>());
  c.def(
       "__init__",
       [](PyInsertionPoint *self, PyBlock &block) {
         block.checkValid();
         new (self) PyInsertionPoint{Ref<PyBlock>(&block), {}};
       },
       nb::arg("block"), "After the last operation of the block.")
      .def(
          "__init__",
          [](PyInsertionPoint *self, PyOperationBase &op) { new (self) PyInsertionPoint(before(op.state())); },
          nb::arg("beforeOperation"), "Before an operation.")
      .def_static(
          "at_block_begin",
          [](PyBlock &block) {
            return PyInsertionPoint{Ref<PyBlock>(&block), wrapOp(mlirBlockGetFirstOperation(block))};
          },
          nb::arg("block"), "Before the first operation of the block.")
      .def_static("at_block_terminator", atTerminator, nb::arg("block"),
                  "Before the terminator of the block; ValueError if it has none.")
      .def_static(
          "after", [](PyOperationBase &op) { return after(op.state()); }, nb::arg("op"), "After an operation.")
      .def(
          "insert", [](PyInsertionPoint &self, PyOperationBase &op) { self.insert(op.state()); }, nb::arg("operation"),
          "Inserts a detached operation.")
      .def_prop_ro(
          "block", [](PyInsertionPoint &self) { return self.block; }, "The block.")
      .def_prop_ro(
          "ref_operation",
          [](PyInsertionPoint &self) -> std::optional<Ref<PyOperation>> {
            if (!self.before)
              return std::nullopt;
            return self.before;
          },
          "The operation before which it lies, or None for the end of the block.")
      .def_prop_ro_static(
          "current",
          [](nb::handle) {
            nb::object current = ContextStack::currentInsertionPoint();
            if (current.is_none())
              throwPy(PyExc_ValueError, "No current InsertionPoint");
            return current;
          },
          nb::sig("def current(/) -> InsertionPoint"),
          "The insertion point bound to the thread; ValueError without one.")
      .def(
          "__enter__",
          [](nb::object self) {
            Ref<PyBlock> block = nb::cast<PyInsertionPoint &>(self).block;
            ContextStack::push(ContextStack::Kind::InsertionPoint, block->ctx, self);
            return self;
          },
          nb::sig("def __enter__(self) -> InsertionPoint"))
      .def(
          "__exit__",
          [](nb::handle self, nb::handle, nb::handle, nb::handle) {
            ContextStack::pop(ContextStack::Kind::InsertionPoint, self);
          },
          nb::arg("exc_type").none(), nb::arg("exc_value").none(), nb::arg("traceback").none());
}

//===--- Bindings
//----------------------------------------------------------------------------------------------------===//

static void bindRegion(nb::module_ &m) {
  auto c = nb::borrow<nb::class_<PyRegion>>(nb::type<PyRegion>());
  c.def_prop_ro(
       "blocks", [](PyRegion &self) { return PyBlockList{self}; }, "The blocks.")
      .def_prop_ro(
          "owner", [](PyRegion &self) { return OpViewObject(self.op->opView()); }, "The operation that has the region.")
      .def("__iter__", [](PyRegion &self) { return iterate(self); })
      .def("__eq__", [](PyRegion &self, PyRegion &other) { return self.region.ptr == other.region.ptr; })
      .def(
          "__eq__", [](PyRegion &, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__", [](PyRegion &self) { return std::hash<void *>()(self.region.ptr); });

  nb::class_<PyBlockIterator>(m, "BlockIterator")
      .def(
          "__iter__", [](nb::object self) { return self; }, nb::sig("def __iter__(self) -> BlockIterator"))
      .def("__next__", [](PyBlockIterator &self) {
        if (!self.next)
          throw nb::stop_iteration();
        Ref<PyBlock> current = self.next;
        self.next = wrapBlock(mlirBlockGetNextInRegion(current->get()));
        return current;
      });
  nb::class_<PyRegionIterator>(m, "RegionIterator")
      .def(
          "__iter__", [](nb::object self) { return self; }, nb::sig("def __iter__(self) -> RegionIterator"))
      .def(
          "__next__",
          [](PyRegionIterator &self) {
            if (self.next == self.list.size())
              throw nb::stop_iteration();
            return self.list.at(self.next++);
          },
          nb::sig("def __next__(self) -> Region"));

  nb::class_<PyBlockList> list(m, "BlockList", nb::sig("class BlockList(collections.abc.Sequence[Block])"),
                               "The blocks of a region. Indexing is linear in the index: iterate where possible.");
  list.def(
          "__getitem__", [](PyBlockList &self, intptr_t index) { return blockAt(self.region, index); },
          nb::arg("index"))
      .def(
          "__getitem__",
          [](nb::object self, nb::slice slice) {
            return nb::steal(PyObject_GetItem(nb::list(self).ptr(), slice.ptr()));
          },
          nb::sig("def __getitem__(self, slice: slice, /) -> list[Block]"))
      .def("__iter__", [](PyBlockList &self) { return iterate(self.region); })
      .def("__len__", [](PyBlockList &self) { return countBlocks(self.region); })
      .def(
          "append",
          [](PyBlockList &self, nb::args types, std::optional<nb::sequence> locations) {
            MlirBlock block = createBlock(self.region.op->ctx, types, locations);
            mlirRegionAppendOwnedBlock(self.region, block);
            return PyBlock::forBlock(block);
          },
          nb::arg("args"), nb::kw_only(), nb::arg("arg_locs") = nb::none(),
          nb::sig("def append(self, *args: Type, arg_locs: Sequence[Location] | None = None) -> Block"),
          "Adds a block with arguments of the given types.");
  registerAbstract(list, "Sequence");
}

static void bindBlock(nb::module_ &m) {
  auto c = nb::borrow<nb::class_<PyBlock>>(nb::type<PyBlock>());
  const char *createSig = "(self, *args: Type, arg_locs: Sequence[Location] | None = None) -> Block";
  static const std::string beforeSig = std::string("def create_before") + createSig;
  static const std::string afterSig = std::string("def create_after") + createSig;
  c.def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR, [](PyBlock &self) { return nb::steal(mlirPythonBlockToCapsule(self)); })
      .def_prop_ro(
          "owner",
          [](PyBlock &self) {
            self.checkValid();
            return OpViewObject(self.parentOp()->opView());
          },
          "The operation that contains the block.")
      .def_prop_ro(
          "region", [](PyBlock &self) { return PyRegion{self.parentOp(), mlirBlockGetParentRegion(self)}; },
          "The region that contains the block.")
      .def_prop_ro("arguments", [](Ref<PyBlock> self) { return PyBlockArgumentList(self); })
      .def(
          "add_argument",
          [](PyBlock &self, const PyType &type, const PyLocation &loc) {
            if (!(type.ctx == self.ctx))
              throwPy(PyExc_ValueError, "the type belongs to another context: " + toString(type.type));
            return wrapValue(mlirBlockAddArgument(self, type, loc));
          },
          nb::arg("type"), nb::arg("loc"),
          nb::sig("def add_argument(self, type: Type, loc: Location) -> BlockArgument"), "Adds an argument at the end.")
      .def("erase_argument", eraseArgument, nb::arg("index"), "Removes an argument, which must have no uses.")
      .def_prop_ro("operations",
                   [](Ref<PyBlock> self) {
                     self->checkValid();
                     return PyOperationList{self};
                   })
      .def_static(
          "create_at_start",
          [](PyRegion &parent, nb::sequence types, std::optional<nb::sequence> locations) {
            MlirBlock block = createBlock(parent.op->ctx, types, locations);
            mlirRegionInsertOwnedBlock(parent, 0, block);
            return PyBlock::forBlock(block);
          },
          nb::arg("parent"), nb::arg("arg_types") = nb::tuple(), nb::arg("arg_locs") = nb::none(),
          nb::sig("def create_at_start(parent: Region, arg_types: Sequence[Type] = (), arg_locs: Sequence[Location] | "
                  "None = None) -> Block"),
          "A new first block of a region.")
      .def("append_to", appendTo, nb::arg("region"), "Moves the block to the end of a region.")
      .def(
          "create_before",
          [](PyBlock &self, nb::args types, std::optional<nb::sequence> locations) {
            return createNextTo(self, types, locations, /*before=*/true);
          },
          nb::arg("args"), nb::kw_only(), nb::arg("arg_locs") = nb::none(), nb::sig(beforeSig.c_str()),
          "A new block before this one.")
      .def(
          "create_after",
          [](PyBlock &self, nb::args types, std::optional<nb::sequence> locations) {
            return createNextTo(self, types, locations, /*before=*/false);
          },
          nb::arg("args"), nb::kw_only(), nb::arg("arg_locs") = nb::none(), nb::sig(afterSig.c_str()),
          "A new block after this one.")
      .def("__iter__", [](PyBlock &self) { return iterate(self); })
      .def("__eq__", [](PyBlock &self, PyBlock &other) { return &self == &other; })
      .def(
          "__eq__", [](PyBlock &, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__", [](PyBlock &self) { return std::hash<void *>()(&self); })
      .def(
          "__str__", [](PyBlock &self) { return printBlock(self); }, "The assembly form.")
      .def(
          "append", [](PyBlock &self, PyOperationBase &op) { appendOperation(self, op.state()); }, nb::arg("operation"),
          "Puts an operation, wherever it is, at the end of the block.")
      .def_prop_ro(
          "successors", [](Ref<PyBlock> self) { return PyBlockSuccessors(self); }, "The blocks reached from here.")
      .def_prop_ro(
          "predecessors", [](Ref<PyBlock> self) { return PyBlockPredecessors(self); }, "The blocks that reach here.");

  nb::class_<PyOperationIterator>(m, "OperationIterator")
      .def(
          "__iter__", [](nb::object self) { return self; }, nb::sig("def __iter__(self) -> OperationIterator"))
      .def("__next__", [](PyOperationIterator &self) {
        if (!self.next)
          throw nb::stop_iteration();
        Ref<PyOperation> current = self.next;
        self.next = wrapOp(mlirOperationGetNextInBlock(current->get()));
        return OpViewObject(current->opView());
      });
  nb::class_<PyOperationList> list(
      m, "OperationList", nb::sig("class OperationList(collections.abc.Sequence[OpView])"),
      "The operations of a block. Indexing is linear in the index: iterate where possible.");
  list.def(
          "__getitem__",
          [](PyOperationList &self, intptr_t index) { return OpViewObject(operationAt(*self.block, index)->opView()); },
          nb::arg("index"))
      .def(
          "__getitem__",
          [](nb::object self, nb::slice slice) {
            return nb::steal(PyObject_GetItem(nb::list(self).ptr(), slice.ptr()));
          },
          nb::sig("def __getitem__(self, slice: slice, /) -> list[OpView]"))
      .def("__iter__", [](PyOperationList &self) { return iterate(*self.block); })
      .def("__len__", [](PyOperationList &self) { return countOperations(*self.block); });
  registerAbstract(list, "Sequence");
  bindBlockLists(m);
}

void mlir::xla::python::populateBlocks(nb::module_ &m) {
  bindRegion(m);
  bindBlock(m);
  bindInsertionPoint();
}
