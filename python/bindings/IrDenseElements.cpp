// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DenseElementsAttr of `mlir_xla.ir` and its refinements for integers and floats: from and to NumPy arrays, lists of
// attributes and splats.

#include "mlir_xla/python/bindings/Arguments.h"
#include "mlir_xla/python/bindings/Concrete.h"
#include "mlir_xla/python/bindings/ElementsBuffer.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::xla::python {

MlirAttribute toArrayElement(nb::handle object); // IrAttributesArray.cpp

namespace {

void requireStaticShape(MlirType type) {
  if (!mlirTypeIsAShaped(type) || !mlirShapedTypeHasStaticShape(type))
    throwPy(PyExc_ValueError,
            "Expected a static ShapedType for the shaped_type parameter: Type(" + toString(type) + ")");
}

/// Whether MLIR can store the attribute as an element of that type; it would not check.
bool isElementOf(MlirAttribute attr, MlirType elementType) {
  if (mlirTypeIsAInteger(elementType) || mlirTypeIsAIndex(elementType))
    return mlirAttributeIsAInteger(attr);
  if (mlirTypeIsAFloat(elementType))
    return mlirAttributeIsAFloat(attr);
  return mlirAttributeIsAString(attr);
}

struct PyDenseElements : ConcreteAttribute<PyDenseElements> {
  static constexpr const char *className = "DenseElementsAttr";
  static constexpr auto isa = mlirAttributeIsADenseElements;

  ElementsView view() const {
    return {mlirAttributeGetType(attr), mlirDenseElementsAttrGetRawData(attr), 0, mlirDenseElementsAttrIsSplat(attr),
            attr};
  }

  // The factories return the refinement for the element type.

  static AttributeObject getFromList(nb::sequence attributes, std::optional<MlirType> explicitType, DefaultCtx ctx) {
    if (!nb::isinstance<nb::list>(attributes) && !nb::isinstance<nb::tuple>(attributes))
      throw nb::next_overload(); // An array.
    intptr_t count = nb::len(attributes);
    if (count == 0)
      throwPy(PyExc_ValueError, "Attributes list must be non-empty.");
    std::vector<MlirAttribute> elements;
    for (nb::handle attribute : attributes)
      elements.push_back(toArrayElement(attribute));

    MlirType type;
    if (explicitType) {
      requireStaticShape(*explicitType);
      type = *explicitType;
      if (numElements(type) != count && count != 1)
        throwPy(PyExc_ValueError, "Expected " + std::to_string(numElements(type)) + " attributes for type " +
                                      toString(type) + ", got " + std::to_string(count));
    } else {
      int64_t shape[] = {count};
      ErrorCapture errors(ctx.ctx);
      type = mlirRankedTensorTypeGetChecked(mlirLocationUnknownGet(ctx), 1, shape, mlirAttributeGetType(elements[0]),
                                            mlirAttributeGetNull());
      if (mlirTypeIsNull(type))
        errors.fail("Invalid type");
    }
    MlirType elementType = mlirShapedTypeGetElementType(type);
    for (MlirAttribute element : elements)
      if (!mlirTypeEqual(mlirAttributeGetType(element), elementType) || !isElementOf(element, elementType))
        throwPy(PyExc_ValueError,
                "All attributes must be of the same type and match the type parameter: expected=Type(" +
                    toString(type) + "), but got=Attribute(" + toString(element) + ")");
    return wrapAttribute(mlirDenseElementsAttrGet(type, elements.size(), elements.data()));
  }

  static AttributeObject getFromBuffer(nb::handle array, bool signless, std::optional<MlirType> explicitType,
                                       std::optional<std::vector<int64_t>> explicitShape, DefaultCtx ctx) {
    ContiguousBuffer buffer(array);
    MlirType type;
    if (explicitType && mlirTypeIsAShaped(*explicitType)) {
      if (explicitShape)
        throwPy(PyExc_ValueError, "Shape can only be specified explicitly when the type is not a shaped type.");
      requireStaticShape(*explicitType);
      type = *explicitType;
    } else {
      MlirType elementType = explicitType ? *explicitType : buffer.elementType(ctx, signless);
      if (mlirTypeIsNull(elementType))
        throwPy(PyExc_ValueError, "unimplemented array format conversion from format: " + buffer.formatText);
      const std::vector<int64_t> &shape = explicitShape ? *explicitShape : buffer.shape;
      if (std::any_of(shape.begin(), shape.end(), [](int64_t dim) { return dim < 0; }))
        throwPy(PyExc_ValueError, "the shape of an elements attribute must be static");
      ErrorCapture errors(ctx.ctx);
      type = mlirRankedTensorTypeGetChecked(mlirLocationUnknownGet(ctx), shape.size(), shape.data(), elementType,
                                            mlirAttributeGetNull());
      if (mlirTypeIsNull(type))
        errors.fail("Invalid type");
    }

    MlirType elementType = mlirShapedTypeGetElementType(type);
    int64_t stored = bytesPerElement(elementType), count = numElements(type);
    if (!stored)
      throwPy(PyExc_ValueError, "elements of type " + toString(elementType) + " cannot be read from a buffer");
    if (mlirTypeIsAInteger(elementType) && mlirIntegerTypeGetWidth(elementType) == 1 && buffer.itemSize == 1 &&
        (buffer.format == '?' || !buffer.dtypeName.empty()))
      return wrapAttribute(fromBools(type, count, buffer));

    const void *data = buffer.data();
    std::vector<unsigned char> masked;
    unsigned spareBits = mlirTypeIsAInteger(elementType) ? (8 - mlirIntegerTypeGetWidth(elementType) % 8) % 8 : 0;
    if (spareBits && mlirIntegerTypeGetWidth(elementType) != 1) {
      // The sign bits above the type's width, for example of an int4 array; MLIR compares attributes by all bits.
      masked.assign((const unsigned char *)data, (const unsigned char *)data + buffer.size());
      for (size_t last = stored - 1; last < masked.size(); last += stored)
        masked[last] &= 0xff >> spareBits;
      data = masked.data();
    }
    MlirAttribute attr = mlirDenseElementsAttrRawBufferGet(type, buffer.size(), data);
    if (mlirAttributeIsNull(attr))
      throwPy(PyExc_ValueError, "DenseElementsAttr could not be constructed from the given buffer: " +
                                    std::to_string(buffer.size()) + " bytes do not match the type " + toString(type));
    return wrapAttribute(attr);
  }

  static MlirAttribute fromBools(MlirType type, int64_t count, const ContiguousBuffer &buffer) {
    int64_t given = buffer.size();
    if (given != count && given != 1)
      throwPy(PyExc_ValueError, "DenseElementsAttr could not be constructed from the given buffer: " +
                                    std::to_string(given) + " booleans do not match the type " + toString(type));
    const unsigned char *data = static_cast<const unsigned char *>(buffer.data());
    if (given == 1)
      return mlirDenseElementsAttrBoolSplatGet(type, data[0] & 1);
    std::vector<int> values(given);
    std::transform(data, data + given, values.begin(), [](unsigned char value) { return value & 1; });
    return mlirDenseElementsAttrBoolGet(type, values.size(), values.data());
  }

  static AttributeObject getSplat(MlirType type, MlirAttribute element) {
    requireStaticShape(type);
    MlirType elementType = mlirShapedTypeGetElementType(type);
    if (!mlirTypeEqual(elementType, mlirAttributeGetType(element)) || !isElementOf(element, elementType))
      throwPy(PyExc_ValueError, "Shaped element type and attribute type must be equal: shaped=Type(" + toString(type) +
                                    "), element=Attribute(" + toString(element) + ")");
    return wrapAttribute(mlirDenseElementsAttrSplatGet(type, element));
  }

  static void bindMembers(Class &cls) {
    // The list first: NumPy would turn a list of attributes into an array of objects.
    cls.def_static(
        "get", &getFromList, nb::arg("attrs"), nb::arg("type") = nb::none(), nb::arg("context") = nb::none(),
        nb::sig("def get(attrs: list[Attribute], type: Type | None = None, context: Context | None = None) "
                "-> DenseElementsAttr"),
        "Gets a DenseElementsAttr from a Python list of attributes. The type may be an explicit shaped type; "
        "otherwise it is a ranked tensor of the first attribute's type.");
    cls.def_static(
        "get", &getFromBuffer, nb::arg("array"), nb::arg("signless") = true, nb::arg("type") = nb::none(),
        nb::arg("shape") = nb::none(), nb::arg("context") = nb::none(),
        nb::sig("def get(array: collections.abc.Buffer, signless: bool = True, type: Type | None = None, "
                "shape: collections.abc.Sequence[int] | None = None, context: Context | None = None) "
                "-> DenseElementsAttr"),
        "Gets a DenseElementsAttr from a NumPy array or Python buffer. Integer element types are signless "
        "unless `signless` is false. An explicit `type` (of the elements, or shaped) reinterprets the bytes.");
    cls.def_static("get_splat", &getSplat, nb::arg("shaped_type"), nb::arg("element_attr"),
                   nb::sig("def get_splat(shaped_type: Type, element_attr: Attribute) -> DenseElementsAttr"),
                   "Gets a DenseElementsAttr where all values are the same");
    cls.def_prop_ro("is_splat", [](const PyDenseElements &self) { return mlirDenseElementsAttrIsSplat(self); });
    cls.def("get_splat_value", [](const PyDenseElements &self) {
      if (!mlirDenseElementsAttrIsSplat(self))
        throwPy(PyExc_ValueError, "get_splat_value called on a non-splat attribute");
      return mlirDenseElementsAttrGetSplatValue(self);
    });
    cls.def("__len__", [](const PyDenseElements &self) { return mlirElementsAttrGetNumElements(self); });
    cls.def(
        "__array__",
        [](nb::handle self, nb::object dtype, nb::object) {
          nb::object array = toExtendedArray(self, nb::cast<PyDenseElements &>(self).view());
          return dtype.is_none() ? array : array.attr("astype")(dtype);
        },
        nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(),
        "The elements as a NumPy array; those without a native NumPy dtype in one of ml_dtypes.");
  }
};

/// The element at a position; IndexError outside.
template <typename T> T elementAt(const PyDenseElements &self, intptr_t pos) {
  pos = checkedIndex(pos, mlirElementsAttrGetNumElements(self), "attempt to access out of bounds element");
  return *(llvm::cast<mlir::DenseElementsAttr>(unwrap(self.attr)).getValues<T>().begin() + pos);
}

struct PyDenseIntElements : ConcreteAttribute<PyDenseIntElements, PyDenseElements> {
  static constexpr const char *className = "DenseIntElementsAttr";
  static constexpr auto isa = mlirAttributeIsADenseIntElements;
  static constexpr auto typeID = mlirDenseIntOrFPElementsAttrGetTypeID;

  static void bindMembers(Class &cls) {
    cls.def("__getitem__", [](const PyDenseIntElements &self, intptr_t pos) {
      MlirType type = mlirShapedTypeGetElementType(mlirAttributeGetType(self));
      llvm::APInt value = elementAt<llvm::APInt>(self, pos);
      if (value.getBitWidth() > 64)
        throwPy(PyExc_TypeError, "Unsupported integer type");
      bool zeroExtend = mlirTypeIsAInteger(type) && (mlirIntegerTypeIsUnsigned(type) || value.getBitWidth() == 1);
      return zeroExtend ? nb::int_(value.getZExtValue()) : nb::int_(value.getSExtValue());
    });
  }
};

struct PyDenseFPElements : ConcreteAttribute<PyDenseFPElements, PyDenseElements> {
  static constexpr const char *className = "DenseFPElementsAttr";
  static constexpr auto isa = mlirAttributeIsADenseFPElements;
  static constexpr auto typeID = mlirDenseIntOrFPElementsAttrGetTypeID;

  static void bindMembers(Class &cls) {
    cls.def("__getitem__", [](const PyDenseFPElements &self, intptr_t pos) {
      llvm::APFloat value = elementAt<llvm::APFloat>(self, pos);
      bool losesInfo;
      value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      return value.convertToDouble();
    });
  }
};

int getBuffer(PyObject *exporter, Py_buffer *view, int flags) {
  return exportBuffer(exporter, view, flags, nb::inst_ptr<PyDenseElements>(exporter)->view());
}

} // namespace

void populateDenseElements(nb::module_ &m) {
  static PyType_Slot slots[] = {
      {Py_bf_getbuffer, (void *)getBuffer}, {Py_bf_releasebuffer, (void *)releaseBuffer}, {0, nullptr}};
  PyDenseElements::bind(m, nb::type_slots(slots));
  PyDenseIntElements::bind(m);
  PyDenseFPElements::bind(m);
  // The rest: complex elements, and strings.
  auto factory = [](const PyAttribute &attr) { return nb::cast(PyDenseElements::make(attr.ctx, attr.attr)); };
  registerAttributeFactory(mlirDenseIntOrFPElementsAttrGetTypeID(), PyDenseElements::isa, factory);
  registerAttributeFactory(wrap(mlir::TypeID::get<mlir::DenseStringElementsAttr>()), PyDenseElements::isa, factory);
}

} // namespace mlir::xla::python
