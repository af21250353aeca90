// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base classes Attribute and Type, NamedAttribute and TypeID, and the downcast of handles to their Python classes.

#include "mlir_xla/python/bindings/Concrete.h"
#include "mlir_xla/python/bindings/Parts.h"
#include "mlir_xla/python/bindings/TextChecks.h"

using namespace mlir::xla::python;

//===--- Strings and capsules
//----------------------------------------------------------------------------------------===//

std::string mlir::xla::python::toString(MlirAttribute attr) {
  PrintBuffer out;
  mlirAttributePrint(attr, out.callback(), out.data());
  return std::move(out.text);
}

std::string mlir::xla::python::toString(MlirType type) {
  PrintBuffer out;
  mlirTypePrint(type, out.callback(), out.data());
  return std::move(out.text);
}

std::string mlir::xla::python::toString(MlirLocation loc) {
  PrintBuffer out;
  mlirLocationPrint(loc, out.callback(), out.data());
  return std::move(out.text);
}

nb::object mlir::xla::python::toCapsule(nb::handle object) noexcept {
  if (PyCapsule_CheckExact(object.ptr()))
    return nb::borrow(object);
  PyObject *capsule = PyObject_GetAttrString(object.ptr(), MLIR_PYTHON_CAPI_PTR_ATTR);
  if (!capsule || !PyCapsule_CheckExact(capsule)) {
    PyErr_Clear();
    Py_XDECREF(capsule);
    return {};
  }
  return nb::steal(capsule);
}

//===--- Downcasting
//-------------------------------------------------------------------------------------------------===//

namespace {
template <typename Handle, typename Factory> struct Entry {
  bool (*isa)(Handle);
  Factory factory;
};
using TypeEntries = std::unordered_map<const void *, std::vector<Entry<MlirType, TypeFactory>>>;
using AttributeEntries = std::unordered_map<const void *, std::vector<Entry<MlirAttribute, AttributeFactory>>>;
} // namespace

static TypeEntries &typeFactories() {
  static auto *entries = new TypeEntries();
  return *entries;
}

static AttributeEntries &attributeFactories() {
  static auto *entries = new AttributeEntries();
  return *entries;
}

void mlir::xla::python::registerTypeFactory(MlirTypeID id, bool (*isa)(MlirType), TypeFactory factory) {
  typeFactories()[id.ptr].push_back({isa, factory});
}

void mlir::xla::python::registerAttributeFactory(MlirTypeID id, bool (*isa)(MlirAttribute), AttributeFactory factory) {
  attributeFactories()[id.ptr].push_back({isa, factory});
}

bool mlir::xla::python::hasFactory(MlirTypeID id) {
  return typeFactories().count(id.ptr) || attributeFactories().count(id.ptr);
}

/// The object of the most specific built-in class; the base class if there is none.
template <typename Entries, typename Wrapper, typename Handle>
static nb::object makeConcrete(const Entries &entries, MlirTypeID id, const Wrapper &wrapper, Handle handle,
                               bool &found) {
  auto it = entries.find(id.ptr);
  if (it != entries.end())
    for (const auto &entry : it->second)
      if (entry.isa(handle)) {
        found = true;
        return entry.factory(wrapper);
      }
  found = false;
  return nb::cast(wrapper);
}

TypeObject mlir::xla::python::wrapType(MlirType type) {
  if (mlirTypeIsNull(type))
    return TypeObject(nb::none());
  MlirTypeID id = mlirTypeGetTypeID(type);
  bool found;
  nb::object object =
      makeConcrete(typeFactories(), id, PyType{Ctx::forContext(mlirTypeGetContext(type)), type}, type, found);
  nb::object caster = Globals::get().lookupTypeCaster(id, found ? MlirDialect{nullptr} : mlirTypeGetDialect(type));
  return TypeObject(caster.is_valid() ? caster(object) : object);
}

AttributeObject mlir::xla::python::wrapAttribute(MlirAttribute attr) {
  if (mlirAttributeIsNull(attr))
    return AttributeObject(nb::none());
  MlirTypeID id = mlirAttributeGetTypeID(attr);
  bool found;
  nb::object object = makeConcrete(attributeFactories(), id,
                                   PyAttribute{Ctx::forContext(mlirAttributeGetContext(attr)), attr}, attr, found);
  nb::object caster = Globals::get().lookupTypeCaster(id, found ? MlirDialect{nullptr} : mlirAttributeGetDialect(attr));
  return AttributeObject(caster.is_valid() ? caster(object) : object);
}

nb::object mlir::xla::python::wrapLocation(MlirLocation loc) {
  if (mlirLocationIsNull(loc))
    return nb::none();
  return nb::cast(PyLocation{Ctx::forContext(mlirLocationGetContext(loc)), loc});
}

void mlir::xla::python::throwBadCast(const char *kind, const char *target, nb::handle from) {
  // Upstream's text names the base class, whatever the class of the object is.
  std::string text;
  if (nb::isinstance<PyType>(from))
    text = "Type(" + toString(nb::cast<PyType &>(from).type) + ")";
  else if (nb::isinstance<PyAttribute>(from))
    text = "Attribute(" + toString(nb::cast<PyAttribute &>(from).attr) + ")";
  else
    text = nb::cast<std::string>(nb::repr(from));
  throwPy(PyExc_ValueError, std::string("Cannot cast ") + kind + " to " + target + " (from " + text + ")");
}

//===--- Bindings
//----------------------------------------------------------------------------------------------------===//

static void bindAttribute(nb::module_ &m) {
  nb::class_<PyAttribute> c(m, "Attribute", "A constant of the context; compared and hashed by identity.");
  c.def(nb::init<const PyAttribute &>(), nb::arg("cast_from_type"), "The same attribute as a plain Attribute.")
      .def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR,
                   [](PyAttribute &self) { return nb::steal(mlirPythonAttributeToCapsule(self)); })
      .def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR,
                  [](nb::object capsule) {
                    MlirAttribute attr = mlirPythonCapsuleToAttribute(capsule.ptr());
                    if (mlirAttributeIsNull(attr))
                      throw nb::python_error();
                    return wrapAttribute(attr);
                  })
      .def_static(
          "parse",
          [](nb::object text, DefaultCtx ctx) {
            std::string_view source = nb::isinstance<nb::bytes>(text)
                                          ? std::string_view(nb::bytes(text).c_str(), nb::bytes(text).size())
                                          : nb::cast<std::string_view>(text);
            ErrorCapture errors(ctx.ctx);
            MlirAttribute attr{};
            if (checkText(ctx, source, "-"))
              attr = mlirAttributeParseGet(ctx, toRef(source));
            if (mlirAttributeIsNull(attr))
              errors.fail("Unable to parse attribute");
            return wrapAttribute(attr);
          },
          nb::arg("asm"), nb::arg("context") = nb::none(),
          nb::sig("def parse(asm: str | bytes, context: Context | None = None) -> Attribute"),
          "Parses an attribute from its assembly form; MLIRError on failure.")
      .def_prop_ro(
          "context", [](PyAttribute &self) { return self.ctx; }, "The context that owns the attribute.")
      .def_prop_ro(
          "type", [](PyAttribute &self) { return wrapType(mlirAttributeGetType(self)); },
          "The type of a typed attribute; `none` for others.")
      .def(
          "get_named",
          [](PyAttribute &self, const std::string &name) {
            return PyNamedAttribute{self.ctx, mlirNamedAttributeGet(mlirIdentifierGet(*self.ctx, toRef(name)), self)};
          },
          nb::arg("name"), "Binds a name to the attribute.")
      .def("__eq__", [](PyAttribute &self, PyAttribute &other) { return mlirAttributeEqual(self, other); })
      .def(
          "__eq__", [](PyAttribute &, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__", [](PyAttribute &self) { return std::hash<const void *>()(self.attr.ptr); })
      .def(
          "dump", [](PyAttribute &self) { mlirAttributeDump(self); }, "Prints to stderr.")
      .def(
          "__str__", [](PyAttribute &self) { return toString(self.attr); }, "The assembly form.")
      .def("__repr__", [](PyAttribute &self) { return "Attribute(" + toString(self.attr) + ")"; })
      .def_prop_ro("typeid", [](PyAttribute &self) { return PyTypeID{mlirAttributeGetTypeID(self)}; })
      .def(MLIR_PYTHON_MAYBE_DOWNCAST_ATTR, [](PyAttribute &self) { return wrapAttribute(self.attr); });

  nb::class_<PyNamedAttribute>(m, "NamedAttribute", "A name and an attribute.")
      .def_prop_ro("name", [](PyNamedAttribute &self) { return toStr(mlirIdentifierStr(self.named.name)); })
      .def_prop_ro("attr", [](PyNamedAttribute &self) { return wrapAttribute(self.named.attribute); })
      .def("__repr__", [](PyNamedAttribute &self) {
        return "NamedAttribute(" + std::string(toView(mlirIdentifierStr(self.named.name))) + "=" +
               toString(self.named.attribute) + ")";
      });
}

static void bindType(nb::module_ &m) {
  nb::class_<PyType> c(m, "Type", "A type of the context; compared and hashed by identity.");
  c.def(nb::init<const PyType &>(), nb::arg("cast_from_type"), "The same type as a plain Type.")
      .def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR, [](PyType &self) { return nb::steal(mlirPythonTypeToCapsule(self)); })
      .def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR,
                  [](nb::object capsule) {
                    MlirType type = mlirPythonCapsuleToType(capsule.ptr());
                    if (mlirTypeIsNull(type))
                      throw nb::python_error();
                    return wrapType(type);
                  })
      .def_static(
          "parse",
          [](std::string_view text, DefaultCtx ctx) {
            ErrorCapture errors(ctx.ctx);
            MlirType type{};
            if (checkText(ctx, text, "-"))
              type = mlirTypeParseGet(ctx, toRef(text));
            if (mlirTypeIsNull(type))
              errors.fail("Unable to parse type");
            return wrapType(type);
          },
          nb::arg("asm"), nb::arg("context") = nb::none(),
          "Parses a type from its assembly form; MLIRError on failure.")
      .def_prop_ro(
          "context", [](PyType &self) { return self.ctx; }, "The context that owns the type.")
      .def("__eq__", [](PyType &self, PyType &other) { return mlirTypeEqual(self, other); })
      .def(
          "__eq__", [](PyType &, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__", [](PyType &self) { return std::hash<const void *>()(self.type.ptr); })
      .def(
          "dump", [](PyType &self) { mlirTypeDump(self); }, "Prints to stderr.")
      .def(
          "__str__", [](PyType &self) { return toString(self.type); }, "The assembly form.")
      .def("__repr__", [](PyType &self) { return "Type(" + toString(self.type) + ")"; })
      .def_prop_ro("typeid", [](PyType &self) { return PyTypeID{mlirTypeGetTypeID(self)}; })
      .def(MLIR_PYTHON_MAYBE_DOWNCAST_ATTR, [](PyType &self) { return wrapType(self.type); });
}

void mlir::xla::python::populateBases(nb::module_ &m) {
  nb::class_<PyTypeID>(m, "TypeID", "Identifies a C++ class of types or attributes.")
      .def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR,
                   [](PyTypeID &self) { return nb::steal(mlirPythonTypeIDToCapsule(self.id)); })
      .def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR,
                  [](nb::object capsule) {
                    MlirTypeID id = mlirPythonCapsuleToTypeID(capsule.ptr());
                    if (mlirTypeIDIsNull(id))
                      throw nb::python_error();
                    return PyTypeID{id};
                  })
      .def("__eq__", [](PyTypeID &self, PyTypeID &other) { return mlirTypeIDEqual(self.id, other.id); })
      .def(
          "__eq__", [](PyTypeID &, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__", [](PyTypeID &self) { return mlirTypeIDHashValue(self.id); });
  bindType(m);
  bindAttribute(m);
}

void mlir::xla::python::populateIrCore(nb::module_ &m) {
  populateContext(m);
  populateLocation(m);
  populateDiagnostics(m);
  populateBases(m);
  populateAttrBuilder(m);
}
