// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Value, OpResult, BlockArgument, and the uses of values.

#include "mlir_xla/python/bindings/Parts.h"
#include "mlir_xla/python/bindings/Printing.h"

using namespace mlir::xla::python;

//===--- From and to Python
//------------------------------------------------------------------------------------------===//

/// Passes the object through the value caster that is registered for its type.
static ValueObject downcast(nb::object object, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  nb::object caster = Globals::get().lookupValueCaster(mlirTypeGetTypeID(type), mlirTypeGetDialect(type));
  return ValueObject(caster.is_valid() ? caster(object) : object);
}

ValueObject mlir::xla::python::wrapValue(MlirValue value) {
  if (mlirValueIsNull(value))
    return ValueObject(nb::none());
  if (mlirValueIsAOpResult(value))
    return downcast(nb::cast(PyOpResult(value)), value);
  return downcast(nb::cast(PyBlockArgument(value)), value);
}

ValueObject mlir::xla::python::wrapOperand(MlirValue value) {
  if (mlirValueIsNull(value))
    return ValueObject(nb::none());
  return downcast(nb::cast(PyValue(value)), value);
}

MlirValue mlir::xla::python::uniqueResult(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  if (count != 1)
    throwPy(PyExc_ValueError, "Cannot call .result on operation " +
                                  std::string(toView(mlirIdentifierStr(mlirOperationGetName(op)))) + " which has " +
                                  std::to_string(count) +
                                  " results (it is only valid for operations with a single result)");
  return mlirOperationGetResult(op, 0);
}

MlirValue mlir::xla::python::toValue(nb::handle object) {
  if (nb::isinstance<PyValue>(object))
    return nb::cast<PyValue &>(object).get();
  if (nb::isinstance<PyOperationBase>(object))
    return uniqueResult(nb::cast<PyOperationBase &>(object).state().get());
  nb::object capsule = toCapsule(object);
  if (capsule.is_valid()) {
    MlirValue value = mlirPythonCapsuleToValue(capsule.ptr());
    PyErr_Clear();
    if (!mlirValueIsNull(value))
      return value;
  }
  throwPy(PyExc_TypeError,
          "expected a Value or an operation with one result, got " + nb::cast<std::string>(nb::repr(object)));
}

bool mlir::xla::python::tryToValue(nb::handle object, MlirValue &value) noexcept {
  try {
    value = toValue(object);
    return true;
  } catch (nb::python_error &) {
    return false;
  }
}

//===--- Uses
//--------------------------------------------------------------------------------------------------------===//

namespace {

/// One use. Held by number, because the operand's storage moves when operands are added.
struct PyOpOperand {
  Ref<PyOperation> owner;
  unsigned number;
};

/// A snapshot: the loop may change the uses.
struct PyOpOperandIterator {
  std::vector<PyOpOperand> uses;
  size_t next = 0;
};

} // namespace

static PyOpOperandIterator usesOf(MlirValue value) {
  PyOpOperandIterator result;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    result.uses.push_back({PyOperation::forOperation(mlirOpOperandGetOwner(use)), mlirOpOperandGetOperandNumber(use)});
  return result;
}

static void bindUses(nb::module_ &m) {
  nb::class_<PyOpOperand>(m, "OpOperand", "A use of a value.")
      .def_prop_ro(
          "owner", [](PyOpOperand &self) { return OpViewObject(self.owner->opView()); },
          "The operation that uses the value.")
      .def_prop_ro("operand_number", [](PyOpOperand &self) { return self.number; }, "Which of its operands it is.");
  nb::class_<PyOpOperandIterator>(m, "OpOperandIterator")
      .def(
          "__iter__", [](nb::object self) { return self; }, nb::sig("def __iter__(self) -> OpOperandIterator"))
      .def("__next__", [](PyOpOperandIterator &self) {
        if (self.next == self.uses.size())
          throw nb::stop_iteration();
        return self.uses[self.next++];
      });
}

//===--- Values
//------------------------------------------------------------------------------------------------------===//

static std::string printValue(const PyValue &self, const char *className) {
  PrintBuffer out;
  if (self.op) {
    // As MLIR prints results, but with flags.
    PrintingFlags flags;
    avoidVerification(flags, *self.op);
    mlirOperationPrintWithFlags(*self.op, flags, out.callback(), out.data());
  } else {
    mlirValuePrint(self, out.callback(), out.data());
  }
  return std::string(className) + "(" + out.text + ")";
}

static nb::object ownerOf(const PyValue &self) {
  self.checkValid();
  return self.op ? self.op.object() : self.block.object();
}

static std::string nameOf(const PyValue &self, bool useLocalScope, bool useNameLocAsPrefix) {
  PrintingFlags flags;
  if (useLocalScope)
    mlirOpPrintingFlagsUseLocalScope(flags);
  if (useNameLocAsPrefix)
    mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
  avoidVerification(flags, *self.owningOp());
  MlirAsmState state = mlirAsmStateCreateForValue(self, flags);
  PrintBuffer out;
  mlirValuePrintAsOperand(self, state, out.callback(), out.data());
  mlirAsmStateDestroy(state);
  return std::move(out.text);
}

static void requireSameContext(const PyValue &self, MlirType type) {
  if (!mlirContextEqual(mlirTypeGetContext(type), self.context()->get()))
    throwPy(PyExc_ValueError, "the type belongs to another context: " + toString(type));
}

void mlir::xla::python::requireReplaceable(const PyValue &value, const PyValue &with) {
  if (value.context().get() != with.context().get())
    throwPy(PyExc_ValueError, "the value belongs to another context");
}

static void replaceAll(PyValue &self, PyValue &with) {
  requireReplaceable(self, with);
  // MLIR would go on forever.
  if (!mlirValueEqual(self, with))
    mlirValueReplaceAllUsesOfWith(self, with);
}

static void replaceExcept(PyValue &self, PyValue &with, const std::vector<Ref<PyOperation>> &exceptions) {
  requireReplaceable(self, with);
  std::vector<MlirOperation> handles;
  for (const Ref<PyOperation> &op : exceptions)
    handles.push_back(op->get());
  mlirValueReplaceAllUsesExcept(self, with, handles.size(), handles.data());
}

static void bindValue(nb::module_ &m) {
  nb::class_<PyValue>(m, "Value", nb::is_generic(), nb::sig("class Value(Generic[_T])"),
                      "A result of an operation or an argument of a block.")
      .def(
          "__init__", [](PyValue *self, PyValue &value) { new (self) PyValue(value.get()); }, nb::arg("value"))
      .def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR, [](PyValue &self) { return nb::steal(mlirPythonValueToCapsule(self)); })
      .def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR,
                  [](nb::object capsule) {
                    MlirValue value = mlirPythonCapsuleToValue(capsule.ptr());
                    if (mlirValueIsNull(value))
                      throw nb::python_error();
                    return wrapValue(value);
                  })
      .def_prop_ro(
          "context", [](PyValue &self) { return self.context(); }, "The context in which the value lives.")
      .def(
          "dump", [](PyValue &self) { mlirValueDump(self); }, "Prints to stderr.")
      .def_prop_ro("owner", ownerOf, nb::sig("def owner(self) -> Operation | Block"),
                   "The operation that defines the value, or the block whose argument it is.")
      .def_prop_ro(
          "uses", [](PyValue &self) { return usesOf(self); }, "The operands that are this value, as they are now.")
      .def("__eq__", [](PyValue &self, PyValue &other) { return self.value.ptr == other.value.ptr; })
      .def(
          "__eq__", [](PyValue &, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__", [](PyValue &self) { return std::hash<const void *>()(self.value.ptr); })
      .def(
          "__str__", [](PyValue &self) { return printValue(self, "Value"); },
          "The operation that defines the value, or the type and number of a block argument.")
      .def("get_name", nameOf, nb::arg("use_local_scope") = false, nb::arg("use_name_loc_as_prefix") = false,
           "The value as it appears as an operand, such as `%0`.")
      .def(
          "get_name",
          [](PyValue &self, PyAsmState &state) {
            PrintBuffer out;
            mlirValuePrintAsOperand(self, state.get(), out.callback(), out.data());
            return std::move(out.text);
          },
          nb::arg("state"), "The value as an operand, with the numbering of `state`.")
      .def_prop_ro("type", [](PyValue &self) { return wrapType(mlirValueGetType(self)); })
      .def(
          "set_type",
          [](PyValue &self, const PyType &type) {
            requireSameContext(self, type);
            mlirValueSetType(self, type);
          },
          nb::arg("type"), "Changes the type of the value.")
      .def_prop_ro(
          "location", [](PyValue &self) { return PyLocation{self.context(), mlirValueGetLocation(self)}; },
          "The location of the definition.")
      .def("replace_all_uses_with", replaceAll, nb::arg("with_"), "Makes every use of this value one of `with_`.")
      .def(
          "replace_all_uses_except",
          [](PyValue &self, PyValue &with, PyOperationBase &exception) {
            replaceExcept(self, with, {Ref<PyOperation>(&exception.state())});
          },
          nb::arg("with_"), nb::arg("exceptions"), "Replaces the uses outside of one operation.")
      .def(
          "replace_all_uses_except",
          [](PyValue &self, PyValue &with, const nb::sequence &exceptions) {
            std::vector<Ref<PyOperation>> ops;
            for (nb::handle op : exceptions)
              ops.push_back(Ref<PyOperation>(&nb::cast<PyOperationBase &>(op).state()));
            replaceExcept(self, with, ops);
          },
          nb::arg("with_"), nb::arg("exceptions"),
          nb::sig("def replace_all_uses_except(self, with_: Value, exceptions: Sequence[Operation | OpView]) -> None"),
          "Replaces the uses outside of some operations.")
      .def(MLIR_PYTHON_MAYBE_DOWNCAST_ATTR, [](PyValue &self) { return wrapValue(self.get()); });
}

template <typename Derived>
static void castConstructor(nb::class_<Derived, PyValue> &c, const char *name, bool (*isa)(MlirValue)) {
  c.def(
       "__init__",
       [=](Derived *self, PyValue &value) {
         if (!isa(value))
           throwPy(PyExc_ValueError, std::string("Cannot cast value to ") + name + " (from " +
                                         nb::cast<std::string>(nb::repr(nb::cast(&value))) + ")");
         new (self) Derived(value.get());
       },
       nb::arg("value"))
      .def_static(
          "isinstance", [=](PyValue &value) { return isa(value); }, nb::arg("other_value"),
          "Whether the value is of this kind, whatever its Python class.")
      .def("__str__", [=](Derived &self) { return printValue(self, name); });
}

void mlir::xla::python::populateValues(nb::module_ &m) {
  bindValue(m);
  bindUses(m);

  nb::class_<PyOpResult, PyValue> result(m, "OpResult", nb::is_generic(), nb::sig("class OpResult(Value[_T])"));
  castConstructor(result, "OpResult", mlirValueIsAOpResult);
  result.def_prop_ro("owner", ownerOf, nb::sig("def owner(self) -> Operation"), "The operation that defines the value.")
      .def_prop_ro(
          "result_number", [](PyOpResult &self) { return mlirOpResultGetResultNumber(self); },
          "Which of the operation's results it is.");

  nb::class_<PyBlockArgument, PyValue> argument(m, "BlockArgument", nb::is_generic(),
                                                nb::sig("class BlockArgument(Value[_T])"));
  castConstructor(argument, "BlockArgument", mlirValueIsABlockArgument);
  argument.def_prop_ro("owner", ownerOf, nb::sig("def owner(self) -> Block"), "The block whose argument it is.")
      .def_prop_ro(
          "arg_number", [](PyBlockArgument &self) { return mlirBlockArgumentGetArgNumber(self); },
          "Which of the block's arguments it is.")
      .def(
          "set_type",
          [](PyBlockArgument &self, const PyType &type, nb::handle) {
            requireSameContext(self, type);
            mlirBlockArgumentSetType(self, type);
          },
          nb::arg("type"), nb::arg("loc") = nb::none(),
          nb::sig("def set_type(self, type: Type, loc: Location | None = None) -> None"),
          "Changes the type of the argument.")
      .def(
          "set_location", [](PyBlockArgument &self, const PyLocation &loc) { mlirBlockArgumentSetLocation(self, loc); },
          nb::arg("loc"), "Changes the location of the argument.");
}
