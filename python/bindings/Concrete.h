// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bases for the Python classes of concrete types and attributes, and the table by which a handle finds its class.
//
//   struct PyIndexType : ConcreteType<PyIndexType> {
//     static constexpr const char *className = "IndexType";
//     static constexpr auto isa = mlirTypeIsAIndex;
//     static constexpr auto typeID = mlirIndexTypeGetTypeID;  // optional
//     static MlirStringRef name() { return mlirIndexTypeGetName(); }  // optional: `type_name`
//     static void bindMembers(Class &c) { c.def_static("get", ...); }
//   };
//   PyIndexType::bind(m);
//
// Instances hold what the base holds (a context reference and the handle); Derived adds no data.

#ifndef MLIR_XLA_PYTHON_BINDINGS_CONCRETE_H
#define MLIR_XLA_PYTHON_BINDINGS_CONCRETE_H

#include "mlir_xla/python/bindings/IrCore.h"

namespace mlir::xla::python {

/// Python's class for handles with this TypeID that `isa` accepts; the first registered wins where several share a
/// TypeID.
using TypeFactory = nb::object (*)(const PyType &);
using AttributeFactory = nb::object (*)(const PyAttribute &);
/// Whether a class is registered for types or attributes of that id.
bool hasFactory(MlirTypeID id);
void registerTypeFactory(MlirTypeID id, bool (*isa)(MlirType), TypeFactory factory);
void registerAttributeFactory(MlirTypeID id, bool (*isa)(MlirAttribute), AttributeFactory factory);

[[noreturn]] void throwBadCast(const char *kind, const char *target, nb::handle from);

/// What classes of types and of attributes know of themselves: the TypeID, and MLIR's name as `nameProperty`.
template <typename Derived, typename Class> void bindStatics(Class &c, const char *nameProperty) {
  c.def_prop_ro_static(
      "static_typeid",
      [](nb::handle) {
        if constexpr (Derived::typeID != nullptr)
          return PyTypeID{Derived::typeID()};
        else
          throwPy(PyExc_AttributeError, std::string(Derived::className) + " has no typeid.");
        return PyTypeID{};
      },
      nb::sig("def static_typeid(/) -> TypeID"));
  std::string signature = std::string("def ") + nameProperty + "(/) -> str";
  if (Derived::name().length)
    c.def_prop_ro_static(nameProperty, [](nb::handle) { return toStr(Derived::name()); }, nb::sig(signature.c_str()));
}

template <typename Derived, typename Base = PyType> struct ConcreteType : Base {
  using Class = nb::class_<Derived, Base>;
  static constexpr MlirTypeID (*typeID)() = nullptr;
  static MlirStringRef name() { return {nullptr, 0}; }
  static void bindMembers(Class &) {}

  static Derived make(Ref<Ctx> ctx, MlirType type) {
    Derived result;
    result.ctx = std::move(ctx);
    result.type = type;
    return result;
  }

  static Class bind(nb::handle m, const char *doc = nullptr) {
    Class c(m, Derived::className, doc ? doc : "");
    c.def(
        "__init__",
        [](Derived *self, nb::handle from) {
          PyType *type = nullptr;
          if (!nb::try_cast<PyType *>(from, type, false) || !type || !Derived::isa(type->type))
            throwBadCast("type", Derived::className, from);
          new (self) Derived(make(type->ctx, type->type));
        },
        nb::arg("cast_from_type"), nb::sig("def __init__(self, cast_from_type: Type) -> None"));
    c.def_static(
        "isinstance", [](const PyType &other) { return (bool)Derived::isa(other.type); }, nb::arg("other"),
        "Whether the type is of this class; the same as Python's `isinstance`.");
    bindStatics<Derived>(c, "type_name");
    c.def("__repr__",
          [](const Derived &self) { return std::string(Derived::className) + "(" + toString(self.type) + ")"; });
    if constexpr (Derived::typeID != nullptr)
      registerTypeFactory(Derived::typeID(), Derived::isa,
                          [](const PyType &type) { return nb::cast(make(type.ctx, type.type)); });
    Derived::bindMembers(c);
    return c;
  }
};

template <typename Derived, typename Base = PyAttribute> struct ConcreteAttribute : Base {
  using Class = nb::class_<Derived, Base>;
  static constexpr MlirTypeID (*typeID)() = nullptr;
  static MlirStringRef name() { return {nullptr, 0}; }
  static void bindMembers(Class &) {}

  static Derived make(Ref<Ctx> ctx, MlirAttribute attr) {
    Derived result;
    result.ctx = std::move(ctx);
    result.attr = attr;
    return result;
  }

  /// `extra` goes to nb::class_, for example nb::type_slots.
  template <typename... Extra> static Class bind(nb::handle m, Extra &&...extra) {
    Class c(m, Derived::className, std::forward<Extra>(extra)...);
    c.def(
        "__init__",
        [](Derived *self, nb::handle from) {
          PyAttribute *attr = nullptr;
          if (!nb::try_cast<PyAttribute *>(from, attr, false) || !attr || !Derived::isa(attr->attr))
            throwBadCast("attribute", Derived::className, from);
          new (self) Derived(make(attr->ctx, attr->attr));
        },
        nb::arg("cast_from_attr"), nb::sig("def __init__(self, cast_from_attr: Attribute) -> None"));
    c.def_static(
        "isinstance", [](const PyAttribute &other) { return (bool)Derived::isa(other.attr); }, nb::arg("other"),
        "Whether the attribute is of this class; the same as Python's `isinstance`.");
    bindStatics<Derived>(c, "attr_name");
    c.def("__repr__",
          [](const Derived &self) { return std::string(Derived::className) + "(" + toString(self.attr) + ")"; });
    if constexpr (Derived::typeID != nullptr)
      registerAttributeFactory(Derived::typeID(), Derived::isa,
                               [](const PyAttribute &attr) { return nb::cast(make(attr.ctx, attr.attr)); });
    Derived::bindMembers(c);
    return c;
  }
};

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_CONCRETE_H
