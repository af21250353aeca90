// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtin attributes that are lists or dictionaries: ArrayAttr, DictAttr and the seven dense arrays.

#include "mlir_xla/python/bindings/Arguments.h"
#include "mlir_xla/python/bindings/Concrete.h"

namespace mlir::xla::python {
namespace {

/// An iterator over what `Attribute::element(attr, index)` returns.
template <typename Attribute> struct ElementIterator {
  Attribute attr;
  intptr_t next = 0;

  static void bind(nb::module_ &m, const char *className) {
    nb::class_<ElementIterator> cls(m, className);
    std::string signature = std::string("def __iter__(self) -> ") + className;
    cls.def("__iter__", [](nb::handle self) { return self; }, nb::sig(signature.c_str()));
    cls.def("__next__", [](ElementIterator &self) {
      if (self.next >= Attribute::size(self.attr))
        throw nb::stop_iteration();
      return Attribute::element(self.attr, self.next++);
    });
  }
};

//===--- Dense arrays
//------------------------------------------------------------------------------------------------===//

/// Converts to the element type; also takes attributes that know `__int__`, `__float__` or `__bool__`. Anything else is
/// an argument error, which `next_overload` makes nanobind report with the signature.
template <typename T> T toElement(nb::handle object) {
  if constexpr (std::is_same_v<T, bool>) {
    int truth = PyObject_IsTrue(object.ptr());
    if (truth < 0)
      throw nb::python_error();
    return truth != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (nb::isinstance<nb::str>(object) || nb::isinstance<nb::bytes>(object))
      throw nb::next_overload();
    nb::object number = nb::steal(PyNumber_Float(object.ptr()));
    if (!number) {
      PyErr_Clear();
      throw nb::next_overload();
    }
    return (T)PyFloat_AS_DOUBLE(number.ptr());
  } else {
    bool isAttribute = nb::isinstance<PyAttribute>(object);
    if (isAttribute && !mlirAttributeIsAInteger(nb::cast<PyAttribute &>(object).attr))
      throw nb::next_overload();
    nb::object number = nb::steal(isAttribute ? PyNumber_Long(object.ptr()) : PyNumber_Index(object.ptr()));
    long long value = number ? PyLong_AsLongLong(number.ptr()) : -1;
    if (PyErr_Occurred()) {
      PyErr_Clear();
      throw nb::next_overload();
    }
    if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
      throw nb::next_overload();
    return (T)value;
  }
}

template <typename Derived, typename T> struct DenseArray : ConcreteAttribute<Derived> {
  static constexpr auto typeID = mlirDenseArrayAttrGetTypeID;

  static intptr_t size(const Derived &self) { return mlirDenseArrayGetNumElements(self); }
  static T element(const Derived &self, intptr_t index) { return Derived::getElement(self, index); }

  static void append(nb::iterable values, std::vector<T> &out) {
    for (nb::handle value : values)
      out.push_back(toElement<T>(value));
  }

  static Derived create(const Ref<Ctx> &ctx, const std::vector<T> &values) {
    if constexpr (std::is_same_v<T, bool>) {
      std::vector<int> ints(values.begin(), values.end());
      return Derived::make(ctx, Derived::construct(ctx->get(), ints.size(), ints.data()));
    } else {
      return Derived::make(ctx, Derived::construct(ctx->get(), values.size(), values.data()));
    }
  }

  static void bindMembers(nb::class_<Derived, PyAttribute> &cls) {
    cls.def_static(
        "get",
        [](nb::iterable values, DefaultCtx ctx) {
          std::vector<T> elements;
          append(values, elements);
          return create(ctx.ctx, elements);
        },
        nb::arg("values"), nb::arg("context") = nb::none(), "Gets a uniqued dense array attribute");
    cls.def("__getitem__", [](const Derived &self, intptr_t index) {
      return element(self, checkedIndex(index, size(self), "DenseArray index out of range"));
    });
    cls.def("__len__", &size);
    cls.def("__iter__", [](const Derived &self) { return ElementIterator<Derived>{self}; });
    cls.def("__add__", [](const Derived &self, nb::iterable extras) {
      std::vector<T> elements;
      for (intptr_t i = 0, e = size(self); i < e; ++i)
        elements.push_back(element(self, i));
      append(extras, elements);
      return create(self.ctx, elements);
    });
  }
};

#define DENSE_ARRAY(Name, T)                                                                                           \
  struct PyDense##Name##Array : DenseArray<PyDense##Name##Array, T> {                                                  \
    static constexpr const char *className = "Dense" #Name "ArrayAttr";                                                \
    static constexpr const char *iteratorName = "Dense" #Name "ArrayIterator";                                         \
    static constexpr auto isa = mlirAttributeIsADense##Name##Array;                                                    \
    static constexpr auto construct = mlirDense##Name##ArrayGet;                                                       \
    static constexpr auto getElement = mlirDense##Name##ArrayGetElement;                                               \
  };
DENSE_ARRAY(Bool, bool)
DENSE_ARRAY(I8, int8_t)
DENSE_ARRAY(I16, int16_t)
DENSE_ARRAY(I32, int32_t)
DENSE_ARRAY(I64, int64_t)
DENSE_ARRAY(F32, float)
DENSE_ARRAY(F64, double)
#undef DENSE_ARRAY

template <typename... Arrays> void bindDenseArrays(nb::module_ &m) {
  (Arrays::bind(m), ...);
  (ElementIterator<Arrays>::bind(m, Arrays::iteratorName), ...);
}

} // namespace

//===--- ArrayAttr and DictAttr
//--------------------------------------------------------------------------------------===//

MlirAttribute toArrayElement(nb::handle object) {
  PyAttribute *attr = nullptr;
  if (object.is_none())
    throwPy(PyExc_RuntimeError, "Invalid attribute (None?) when attempting to create an ArrayAttribute");
  if (!nb::try_cast<PyAttribute *>(object, attr) || !attr)
    throwPy(PyExc_RuntimeError, "Invalid attribute when attempting to create an ArrayAttribute (got " +
                                    nb::cast<std::string>(nb::repr(object)) + ")");
  return attr->attr;
}

namespace {

struct PyArrayAttribute : ConcreteAttribute<PyArrayAttribute> {
  static constexpr const char *className = "ArrayAttr";
  static constexpr auto isa = mlirAttributeIsAArray;
  static constexpr auto typeID = mlirArrayAttrGetTypeID;
  static MlirStringRef name() { return mlirArrayAttrGetName(); }

  static intptr_t size(const PyArrayAttribute &self) { return mlirArrayAttrGetNumElements(self); }
  static AttributeObject element(const PyArrayAttribute &self, intptr_t index) {
    return wrapAttribute(mlirArrayAttrGetElement(self, index));
  }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](nb::iterable attributes, DefaultCtx ctx) {
          std::vector<MlirAttribute> elements;
          for (nb::handle attribute : attributes)
            elements.push_back(toArrayElement(attribute));
          return make(ctx.ctx, mlirArrayAttrGet(ctx, elements.size(), elements.data()));
        },
        nb::arg("attributes"), nb::arg("context") = nb::none(), "Gets a uniqued Array attribute");
    cls.def("__getitem__", [](const PyArrayAttribute &self, intptr_t index) {
      return element(self, checkedIndex(index, size(self), "ArrayAttribute index out of range"));
    });
    cls.def("__len__", &size);
    cls.def("__iter__", [](const PyArrayAttribute &self) { return ElementIterator<PyArrayAttribute>{self}; });
    cls.def("__add__", [](const PyArrayAttribute &self, nb::iterable extras) {
      std::vector<MlirAttribute> elements;
      for (intptr_t i = 0, e = size(self); i < e; ++i)
        elements.push_back(mlirArrayAttrGetElement(self, i));
      for (nb::handle extra : extras)
        elements.push_back(toArrayElement(extra));
      return make(self.ctx, mlirArrayAttrGet(self.ctx->get(), elements.size(), elements.data()));
    });
  }
};

struct PyDictAttribute : ConcreteAttribute<PyDictAttribute> {
  static constexpr const char *className = "DictAttr";
  static constexpr auto isa = mlirAttributeIsADictionary;
  static constexpr auto typeID = mlirDictionaryAttrGetTypeID;
  static MlirStringRef name() { return mlirDictionaryAttrGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](nb::dict value, DefaultCtx ctx) {
          std::vector<MlirNamedAttribute> named;
          for (auto [key, attribute] : value) {
            std::string_view name = nb::cast<std::string_view>(key);
            MlirAttribute attr = nb::cast<PyAttribute &>(attribute).attr;
            named.push_back(mlirNamedAttributeGet(mlirIdentifierGet(ctx, toRef(name)), attr));
          }
          return make(ctx.ctx, mlirDictionaryAttrGet(ctx, named.size(), named.data()));
        },
        nb::arg("value") = nb::dict(), nb::arg("context") = nb::none(), "Gets an uniqued dict attribute");
    cls.def("__contains__", [](const PyDictAttribute &self, std::string_view name) {
      return !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(self, toRef(name)));
    });
    cls.def("__len__", [](const PyDictAttribute &self) { return mlirDictionaryAttrGetNumElements(self); });
    cls.def("__getitem__", [](const PyDictAttribute &self, std::string_view name) {
      MlirAttribute attr = mlirDictionaryAttrGetElementByName(self, toRef(name));
      if (mlirAttributeIsNull(attr))
        throw nb::key_error("attempt to access a non-existent attribute");
      return attr;
    });
    cls.def("__getitem__", [](const PyDictAttribute &self, intptr_t index) {
      index = checkedIndex(index, mlirDictionaryAttrGetNumElements(self), "attempt to access out of bounds attribute");
      return PyNamedAttribute{self.ctx, mlirDictionaryAttrGetElement(self, index)};
    });
  }
};

} // namespace

void populateArrayAttributes(nb::module_ &m) {
  bindDenseArrays<PyDenseBoolArray, PyDenseI8Array, PyDenseI16Array, PyDenseI32Array, PyDenseI64Array, PyDenseF32Array,
                  PyDenseF64Array>(m);
  PyArrayAttribute::bind(m);
  ElementIterator<PyArrayAttribute>::bind(m, "ArrayAttributeIterator");
  PyDictAttribute::bind(m);
}

} // namespace mlir::xla::python
