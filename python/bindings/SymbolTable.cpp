// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SymbolTable: lookup, insertion with renaming, erasure, visibility.

#include "mlir_xla/python/bindings/Parts.h"

using namespace mlir::xla::python;

namespace {
/// Looks at the IR each time: MLIR's own table would refer to symbols that were erased or renamed since.
class PySymbolTable {
public:
  explicit PySymbolTable(PyOperation &owner) : owner(Ref<PyOperation>(&owner)) {
    if (mlirOperationGetNumRegions(owner) != 1 || mlirBlockIsNull(firstBlock()) ||
        !mlirBlockIsNull(mlirBlockGetNextInRegion(firstBlock())))
      throwPy(PyExc_TypeError, "Operation is not a Symbol Table.");
    MlirSymbolTable table = mlirSymbolTableCreate(owner);
    if (mlirSymbolTableIsNull(table))
      throwPy(PyExc_TypeError, "Operation is not a Symbol Table.");
    mlirSymbolTableDestroy(table);
  }

  /// Null if there is none.
  MlirOperation find(const std::string &name) {
    MlirBlock block = body();
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
      MlirAttribute attr = mlirOperationGetAttributeByName(op, mlirSymbolTableGetSymbolAttributeName());
      if (!mlirAttributeIsNull(attr) && mlirAttributeIsAString(attr) && toView(mlirStringAttrGetValue(attr)) == name)
        return op;
    }
    return {nullptr};
  }
  bool contains(const std::string &name) { return !mlirOperationIsNull(find(name)); }
  Ref<PyOperation> lookup(const std::string &name) {
    MlirOperation symbol = find(name);
    if (mlirOperationIsNull(symbol))
      throwPy(PyExc_KeyError, "Symbol '" + name + "' not in the symbol table.");
    return PyOperation::forOperation(symbol);
  }

  void erase(PyOperation &symbol) {
    MlirAttribute name = mlirOperationGetAttributeByName(symbol, mlirSymbolTableGetSymbolAttributeName());
    if (!mlirBlockEqual(mlirOperationGetBlock(symbol), body()) || mlirAttributeIsNull(name))
      throwPy(PyExc_ValueError, "the operation is not in the symbol table");
    symbol.erase();
  }

  MlirAttribute insert(PyOperation &symbol) {
    MlirAttribute name = mlirOperationGetAttributeByName(symbol, mlirSymbolTableGetSymbolAttributeName());
    if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
      throwPy(PyExc_ValueError, "Expected operation to have a symbol name.");
    requireNotInside(symbol, body());
    MlirOperation parent = mlirOperationGetParentOperation(symbol);
    if (!mlirOperationIsNull(parent) && !mlirOperationEqual(parent, *owner))
      throwPy(PyExc_ValueError, "the operation is inside another operation than the symbol table's");
    MlirSymbolTable table = mlirSymbolTableCreate(*owner);
    MlirAttribute result = mlirSymbolTableInsert(table, symbol);
    mlirSymbolTableDestroy(table);
    symbol.relink();
    return result;
  }

private:
  MlirBlock firstBlock() { return mlirRegionGetFirstBlock(mlirOperationGetRegion(owner->get(), 0)); }
  /// The block may have been moved away.
  MlirBlock body() {
    MlirBlock block = firstBlock();
    if (mlirBlockIsNull(block))
      throwPy(PyExc_RuntimeError, "the symbol table's operation has no body any more");
    return block;
  }

  Ref<PyOperation> owner;
};
} // namespace

static MlirAttribute getAttribute(PyOperationBase &op, MlirStringRef attribute, const char *what) {
  MlirAttribute attr = mlirOperationGetAttributeByName(op.state(), attribute);
  if (mlirAttributeIsNull(attr))
    throwPy(PyExc_ValueError, std::string("Expected operation to have a symbol ") + what + ".");
  return attr;
}

static void setSymbolName(PyOperationBase &op, const std::string &name) {
  getAttribute(op, mlirSymbolTableGetSymbolAttributeName(), "name");
  mlirOperationSetAttributeByName(op.state(), mlirSymbolTableGetSymbolAttributeName(),
                                  mlirStringAttrGet(*op.state().ctx, toRef(name)));
}

static void setVisibility(PyOperationBase &op, const std::string &visibility) {
  if (visibility != "public" && visibility != "private" && visibility != "nested")
    throwPy(PyExc_ValueError, "Expected visibility to be 'public', 'private' or 'nested'");
  getAttribute(op, mlirSymbolTableGetSymbolAttributeName(), "name");
  mlirOperationSetAttributeByName(op.state(), mlirSymbolTableGetVisibilityAttributeName(),
                                  mlirStringAttrGet(*op.state().ctx, toRef(visibility)));
}

static void walkSymbolTables(PyOperationBase &from, bool allUsesVisible, nb::callable callback) {
  // Taken down first, as in `walk`: the callback may change the IR.
  std::vector<std::pair<MlirOperation, bool>> found;
  mlirSymbolTableWalkSymbolTables(
      from.state(), allUsesVisible,
      [](MlirOperation op, bool visible, void *data) {
        static_cast<std::vector<std::pair<MlirOperation, bool>> *>(data)->push_back({op, visible});
      },
      &found);
  std::vector<std::pair<Ref<PyOperation>, bool>> tables;
  for (auto [op, visible] : found)
    tables.push_back({PyOperation::forOperation(op), visible});
  for (auto &[op, visible] : tables) {
    if (!op->isValid())
      continue;
    try {
      callback(op->opView(), visible);
    } catch (nb::python_error &error) {
      nb::raise_from(error, PyExc_RuntimeError, "Exception raised in callback: %s", error.what());
    }
  }
}

void mlir::xla::python::populateSymbolTable(nb::module_ &m) {
  auto symbolName = [](PyOperationBase &op) {
    return wrapAttribute(getAttribute(op, mlirSymbolTableGetSymbolAttributeName(), "name"));
  };
  nb::class_<PySymbolTable>(m, "SymbolTable", "The symbols directly inside an operation such as a module, by name.")
      .def(
          "__init__", [](PySymbolTable *self, PyOperationBase &op) { new (self) PySymbolTable(op.state()); },
          nb::arg("operation"), "TypeError if the operation is not a symbol table.")
      .def(
          "__getitem__",
          [](PySymbolTable &self, const std::string &name) { return OpViewObject(self.lookup(name)->opView()); },
          nb::arg("name"), "The symbol of this name; KeyError if there is none.")
      .def("__contains__", &PySymbolTable::contains, nb::arg("name"))
      .def(
          "insert", [](PySymbolTable &self, PyOperationBase &op) { return wrapAttribute(self.insert(op.state())); },
          nb::arg("operation"), nb::sig("def insert(self, operation: Operation | OpView) -> StringAttr"),
          "Adds a symbol, renamed if its name is taken, and returns its name.")
      .def(
          "erase", [](PySymbolTable &self, PyOperationBase &op) { self.erase(op.state()); }, nb::arg("operation"),
          "Removes a symbol and destroys it.")
      .def(
          "__delitem__", [](PySymbolTable &self, const std::string &name) { self.erase(*self.lookup(name)); },
          nb::arg("name"))
      .def_static("set_symbol_name", setSymbolName, nb::arg("symbol"), nb::arg("name"))
      .def_static("get_symbol_name", symbolName, nb::arg("symbol"),
                  nb::sig("def get_symbol_name(symbol: Operation | OpView) -> StringAttr"))
      .def_static(
          "get_visibility",
          [](PyOperationBase &op) {
            return wrapAttribute(getAttribute(op, mlirSymbolTableGetVisibilityAttributeName(), "visibility"));
          },
          nb::arg("symbol"), nb::sig("def get_visibility(symbol: Operation | OpView) -> StringAttr"))
      .def_static("set_visibility", setVisibility, nb::arg("symbol"), nb::arg("visibility"))
      .def_static(
          "replace_all_symbol_uses",
          [](const std::string &oldName, const std::string &newName, PyOperationBase &from) {
            if (mlirLogicalResultIsFailure(
                    mlirSymbolTableReplaceAllSymbolUses(toRef(oldName), toRef(newName), from.state())))
              throwPy(PyExc_RuntimeError, "Symbol rename failed");
          },
          nb::arg("old_symbol"), nb::arg("new_symbol"), nb::arg("from_op"),
          "Renames the uses of a symbol inside `from_op`.")
      .def_static("walk_symbol_tables", walkSymbolTables, nb::arg("from_op"), nb::arg("all_sym_uses_visible"),
                  nb::arg("callback"),
                  nb::sig("def walk_symbol_tables(from_op: Operation | OpView, all_sym_uses_visible: bool, callback: "
                          "Callable[[OpView, bool], None]) -> None"),
                  "Calls `callback(operation, whether all uses are visible)` for the symbol tables in `from_op`.");
}
