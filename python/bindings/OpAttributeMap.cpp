// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `op.attributes`: a mapping from names to attributes, inherent and discardable, that writes through to the operation.

#include "mlir_xla/python/bindings/Parts.h"
#include "mlir_xla/python/bindings/Sequences.h"

using namespace mlir::xla::python;

namespace {
struct PyOpAttributeMap {
  Ref<PyOperation> op;
};
} // namespace

nb::object mlir::xla::python::attributesOf(PyOperation &op) {
  return nb::cast(PyOpAttributeMap{Ref<PyOperation>(&op)});
}

template <typename Function> static nb::list mapAttributes(PyOpAttributeMap &self, Function function) {
  nb::list result;
  MlirOperation op = self.op->get();
  for (intptr_t i = 0, e = mlirOperationGetNumAttributes(op); i != e; ++i)
    result.append(function(mlirOperationGetAttribute(op, i)));
  return result;
}

static MlirAttribute lookup(PyOpAttributeMap &self, std::string_view name) {
  return mlirOperationGetAttributeByName(self.op->get(), toRef(name));
}

static nb::list names(PyOpAttributeMap &self) {
  return mapAttributes(self, [](MlirNamedAttribute named) { return toStr(mlirIdentifierStr(named.name)); });
}

void mlir::xla::python::bindOpAttributeMap(nb::module_ &m) {
  nb::class_<PyOpAttributeMap> c(m, "OpAttributeMap", "The attributes of an operation by name.");
  c.def(
       "__contains__",
       [](PyOpAttributeMap &self, const std::string &name) { return !mlirAttributeIsNull(lookup(self, name)); },
       nb::arg("name"))
      .def("__len__", [](PyOpAttributeMap &self) { return mlirOperationGetNumAttributes(self.op->get()); })
      .def(
          "__getitem__",
          [](PyOpAttributeMap &self, const std::string &name) {
            MlirAttribute attr = lookup(self, name);
            if (mlirAttributeIsNull(attr))
              throwPy(PyExc_KeyError, "attempt to access a non-existent attribute '" + name + "'");
            return wrapAttribute(attr);
          },
          nb::arg("name"))
      .def(
          "__getitem__",
          [](PyOpAttributeMap &self, intptr_t index) {
            MlirOperation op = self.op->get();
            intptr_t size = mlirOperationGetNumAttributes(op);
            if (index < 0)
              index += size;
            if (index < 0 || index >= size)
              throwPy(PyExc_IndexError, "attempt to access out-of-bounds attribute");
            return PyNamedAttribute{self.op->ctx, mlirOperationGetAttribute(op, index)};
          },
          nb::arg("index"))
      .def(
          "__setitem__",
          [](PyOpAttributeMap &self, const std::string &name, const PyAttribute &attr) {
            if (!(attr.ctx == self.op->ctx))
              throwPy(PyExc_ValueError, "the attribute belongs to another context: " + toString(attr.attr));
            mlirOperationSetAttributeByName(self.op->get(), toRef(name), attr);
          },
          nb::arg("name"), nb::arg("attr"))
      .def(
          "__delitem__",
          [](PyOpAttributeMap &self, const std::string &name) {
            if (!mlirOperationRemoveAttributeByName(self.op->get(), toRef(name)))
              throwPy(PyExc_KeyError, "attempt to delete a non-existent attribute '" + name + "'");
          },
          nb::arg("name"))
      .def(
          "get",
          [](PyOpAttributeMap &self, const std::string &name, nb::object fallback) -> nb::object {
            MlirAttribute attr = lookup(self, name);
            return mlirAttributeIsNull(attr) ? fallback : nb::object(wrapAttribute(attr));
          },
          nb::arg("key"), nb::arg("default") = nb::none(),
          nb::sig("def get(self, key: str, default: object = None) -> Attribute | object"),
          "The attribute, or `default` if there is none of this name.")
      .def(
          "__iter__", [](PyOpAttributeMap &self) { return nb::iter(names(self)); },
          nb::sig("def __iter__(self) -> Iterator[str]"))
      .def("keys", names, nb::sig("def keys(self) -> list[str]"), "The names.")
      .def(
          "values",
          [](PyOpAttributeMap &self) {
            return mapAttributes(self, [](MlirNamedAttribute named) { return wrapAttribute(named.attribute); });
          },
          nb::sig("def values(self) -> list[Attribute]"), "The attributes.")
      .def(
          "items",
          [](PyOpAttributeMap &self) {
            return mapAttributes(self, [](MlirNamedAttribute named) {
              return nb::make_tuple(toStr(mlirIdentifierStr(named.name)), wrapAttribute(named.attribute));
            });
          },
          nb::sig("def items(self) -> list[tuple[str, Attribute]]"), "Names with attributes.");
  registerAbstract(c, "Mapping");
}
