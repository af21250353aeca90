// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar builtin attributes of `mlir_xla.ir`: numbers, strings, symbols, types, unit, affine maps, strided layouts.
// Arrays and dictionaries are in IrAttributesArray.cpp, dense elements in IrDenseElements.cpp.

#include "mlir_xla/python/bindings/Arguments.h"
#include "mlir_xla/python/bindings/Concrete.h"
#include "mlir_xla/python/bindings/IrAffine.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallString.h"

namespace mlir::xla::python {

void populateArrayAttributes(nb::module_ &m);  // IrAttributesArray.cpp
void populateDenseElements(nb::module_ &m);    // IrDenseElements.cpp
void populateResourceElements(nb::module_ &m); // IrResourceElements.cpp

namespace {

//===--- Numbers
//-----------------------------------------------------------------------------------------------------===//

struct PyFloatAttribute : ConcreteAttribute<PyFloatAttribute> {
  static constexpr const char *className = "FloatAttr";
  static constexpr auto isa = mlirAttributeIsAFloat;
  static constexpr auto typeID = mlirFloatAttrGetTypeID;
  static MlirStringRef name() { return mlirFloatAttrGetName(); }

  static PyFloatAttribute get(MlirType type, double value, const std::optional<PyLocation> &loc) {
    Ref<Ctx> ctx = contextOf(type);
    ErrorCapture errors(ctx);
    MlirAttribute attr = mlirFloatAttrDoubleGetChecked(locationOrUnknown(loc, ctx->get()), type, value);
    if (mlirAttributeIsNull(attr))
      errors.fail("Invalid attribute");
    return make(ctx, attr);
  }

  static void bindMembers(Class &cls) {
    cls.def_static("get", &get, nb::arg("type"), nb::arg("value"), nb::arg("loc") = nb::none(),
                   "Gets a uniqued float point attribute associated to a type");
    cls.def_static(
        "get_unchecked",
        [](MlirType type, double value, std::optional<Ref<Ctx>>) { return get(type, value, std::nullopt); },
        nb::arg("type"), nb::arg("value"), nb::arg("context") = nb::none(),
        "Gets a uniqued float point attribute associated to a type");
    cls.def_static(
        "get_f32",
        [](double value, DefaultCtx ctx) {
          return make(ctx.ctx, mlirFloatAttrDoubleGet(ctx, mlirF32TypeGet(ctx), value));
        },
        nb::arg("value"), nb::arg("context") = nb::none(),
        "Gets an uniqued float point attribute associated to a f32 type");
    cls.def_static(
        "get_f64",
        [](double value, DefaultCtx ctx) {
          return make(ctx.ctx, mlirFloatAttrDoubleGet(ctx, mlirF64TypeGet(ctx), value));
        },
        nb::arg("value"), nb::arg("context") = nb::none(),
        "Gets an uniqued float point attribute associated to a f64 type");
    auto value = [](const PyFloatAttribute &self) { return mlirFloatAttrGetValueDouble(self); };
    cls.def_prop_ro("value", value, "Returns the value of the float attribute");
    cls.def("__float__", value, "Converts the value of the float attribute to a Python float");
  }
};

/// The bits of a Python integer in two's complement; ValueError if the type cannot hold it.
llvm::APInt toAPInt(nb::handle value, MlirType type) {
  bool index = mlirTypeIsAIndex(type);
  if (!index && !mlirTypeIsAInteger(type))
    throwPy(PyExc_ValueError, "expected integer or index type, got Type(" + toString(type) + ")");
  unsigned width = index ? 64 : mlirIntegerTypeGetWidth(type);
  bool mayBeNegative = index || !mlirIntegerTypeIsUnsigned(type);
  bool mayUseTopBit = index || !mlirIntegerTypeIsSigned(type);

  nb::object integer = nb::steal(PyNumber_Index(value.ptr()));
  if (!integer)
    throw nb::python_error();
  std::string text = nb::cast<std::string>(nb::str(integer));
  bool negative = text[0] == '-';
  llvm::StringRef digits = llvm::StringRef(text).drop_front(negative);
  // One more bit than the digits need, so that the sign is unambiguous below.
  unsigned needed = llvm::APInt::getSufficientBitsNeeded(digits, 10) + 1;
  llvm::APInt bits(std::max(needed, width + 1), digits, 10);
  if (negative)
    bits.negate();
  bool fits = negative ? mayBeNegative && bits.getSignificantBits() <= width
                       : bits.getActiveBits() + !mayUseTopBit <= width || bits.isZero();
  if (!fits)
    throwPy(PyExc_ValueError, "integer " + text + " is out of range of type " + toString(type));
  return bits.trunc(width);
}

struct PyIntegerAttribute : ConcreteAttribute<PyIntegerAttribute> {
  static constexpr const char *className = "IntegerAttr";
  static constexpr auto isa = mlirAttributeIsAInteger;
  static constexpr auto typeID = mlirIntegerAttrGetTypeID;
  static MlirStringRef name() { return mlirIntegerAttrGetName(); }

  static nb::int_ toInt(const PyIntegerAttribute &self) {
    MlirType type = mlirAttributeGetType(self);
    bool isUnsigned = mlirTypeIsAInteger(type) && mlirIntegerTypeIsUnsigned(type);
    llvm::APInt value = llvm::cast<mlir::IntegerAttr>(unwrap(self.attr)).getValue();
    if (value.getBitWidth() <= 64)
      return isUnsigned ? nb::int_(value.getZExtValue()) : nb::int_(value.getSExtValue());
    llvm::SmallString<80> text;
    value.toString(text, 10, !isUnsigned);
    return nb::int_(nb::str(text.c_str(), text.size()));
  }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](MlirType type, nb::typed<nb::handle, int> value) {
          llvm::APInt bits = toAPInt(value, type);
          return make(contextOf(type), wrap(mlir::IntegerAttr::get(unwrap(type), bits)));
        },
        nb::arg("type"), nb::arg("value"), "Gets an uniqued integer attribute associated to a type");
    cls.def_prop_ro("value", &toInt, "Returns the value of the integer attribute");
    cls.def("__int__", &toInt, "Converts the value of the integer attribute to a Python int");
  }
};

struct PyBoolAttribute : ConcreteAttribute<PyBoolAttribute> {
  static constexpr const char *className = "BoolAttr";
  static constexpr auto isa = mlirAttributeIsABool;
  static constexpr auto typeID = mlirIntegerAttrGetTypeID;

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get", [](bool value, DefaultCtx ctx) { return make(ctx.ctx, mlirBoolAttrGet(ctx, value)); }, nb::arg("value"),
        nb::arg("context") = nb::none(), "Gets an uniqued bool attribute");
    auto value = [](const PyBoolAttribute &self) { return mlirBoolAttrGetValue(self); };
    cls.def_prop_ro("value", value, "Returns the value of the bool attribute");
    cls.def("__bool__", value, "Converts the value of the bool attribute to a Python bool");
  }
};

//===--- Strings and symbols
//-----------------------------------------------------------------------------------------===//

struct PyStringAttribute : ConcreteAttribute<PyStringAttribute> {
  static constexpr const char *className = "StringAttr";
  static constexpr auto isa = mlirAttributeIsAString;
  static constexpr auto typeID = mlirStringAttrGetTypeID;
  static MlirStringRef name() { return mlirStringAttrGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](std::string_view value, DefaultCtx ctx) { return make(ctx.ctx, mlirStringAttrGet(ctx, toRef(value))); },
        nb::arg("value"), nb::arg("context") = nb::none(), "Gets a uniqued string attribute");
    cls.def_static(
        "get",
        [](nb::bytes value, DefaultCtx ctx) {
          return make(ctx.ctx, mlirStringAttrGet(ctx, mlirStringRefCreate(value.c_str(), value.size())));
        },
        nb::arg("value"), nb::arg("context") = nb::none(), "Gets a uniqued string attribute");
    cls.def_static(
        "get_typed",
        [](MlirType type, std::string_view value) {
          return make(contextOf(type), mlirStringAttrTypedGet(type, toRef(value)));
        },
        nb::arg("type"), nb::arg("value"), "Gets a uniqued string attribute associated to a type");
    cls.def_prop_ro(
        "value", [](const PyStringAttribute &self) { return toStr(mlirStringAttrGetValue(self)); },
        "Returns the value of the string attribute");
    cls.def_prop_ro(
        "value_bytes",
        [](const PyStringAttribute &self) {
          MlirStringRef value = mlirStringAttrGetValue(self);
          return nb::bytes(value.data, value.length);
        },
        "Returns the value of the string attribute as `bytes`");
  }
};

struct PyFlatSymbolRefAttribute : ConcreteAttribute<PyFlatSymbolRefAttribute> {
  static constexpr const char *className = "FlatSymbolRefAttr";
  static constexpr auto isa = mlirAttributeIsAFlatSymbolRef;
  static constexpr auto typeID = mlirSymbolRefAttrGetTypeID;
  static MlirStringRef name() { return mlirFlatSymbolRefAttrGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](std::string_view value, DefaultCtx ctx) {
          return make(ctx.ctx, mlirFlatSymbolRefAttrGet(ctx, toRef(value)));
        },
        nb::arg("value"), nb::arg("context") = nb::none(), "Gets a uniqued FlatSymbolRef attribute");
    cls.def_prop_ro(
        "value", [](const PyFlatSymbolRefAttribute &self) { return toStr(mlirFlatSymbolRefAttrGetValue(self)); },
        "Returns the value of the FlatSymbolRef attribute as a string");
  }
};

struct PySymbolRefAttribute : ConcreteAttribute<PySymbolRefAttribute> {
  static constexpr const char *className = "SymbolRefAttr";
  static constexpr auto isa = mlirAttributeIsASymbolRef;
  static constexpr auto typeID = mlirSymbolRefAttrGetTypeID;
  static MlirStringRef name() { return mlirSymbolRefAttrGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](const std::vector<std::string> &symbols, DefaultCtx ctx) {
          if (symbols.empty())
            throwPy(PyExc_RuntimeError, "SymbolRefAttr must be composed of at least one symbol.");
          std::vector<MlirAttribute> nested;
          for (size_t i = 1; i < symbols.size(); ++i)
            nested.push_back(mlirFlatSymbolRefAttrGet(ctx, toRef(symbols[i])));
          return make(ctx.ctx, mlirSymbolRefAttrGet(ctx, toRef(symbols[0]), nested.size(), nested.data()));
        },
        nb::arg("symbols"), nb::arg("context") = nb::none(),
        "Gets a uniqued SymbolRef attribute from a list of symbol names");
    cls.def_prop_ro(
        "value",
        [](const PySymbolRefAttribute &self) {
          std::vector<nb::str> symbols = {toStr(mlirSymbolRefAttrGetRootReference(self))};
          for (intptr_t i = 0, e = mlirSymbolRefAttrGetNumNestedReferences(self); i < e; ++i)
            symbols.push_back(toStr(mlirSymbolRefAttrGetRootReference(mlirSymbolRefAttrGetNestedReference(self, i))));
          return symbols;
        },
        "Returns the value of the SymbolRef attribute as a list[str]");
  }
};

struct PyOpaqueAttribute : ConcreteAttribute<PyOpaqueAttribute> {
  static constexpr const char *className = "OpaqueAttr";
  static constexpr auto isa = mlirAttributeIsAOpaque;
  static constexpr auto typeID = mlirOpaqueAttrGetTypeID;
  static MlirStringRef name() { return mlirOpaqueAttrGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](std::string_view dialectNamespace, nb::bytes data, MlirType type, DefaultCtx ctx) {
          return make(ctx.ctx, mlirOpaqueAttrGet(ctx, toRef(dialectNamespace), data.size(), data.c_str(), type));
        },
        nb::arg("dialect_namespace"), nb::arg("buffer"), nb::arg("type"), nb::arg("context") = nb::none(),
        "Gets an Opaque attribute.");
    cls.def_prop_ro(
        "dialect_namespace",
        [](const PyOpaqueAttribute &self) { return toStr(mlirOpaqueAttrGetDialectNamespace(self)); },
        "Returns the dialect namespace for the Opaque attribute as a string");
    cls.def_prop_ro(
        "data",
        [](const PyOpaqueAttribute &self) {
          MlirStringRef data = mlirOpaqueAttrGetData(self);
          return nb::bytes(data.data, data.length);
        },
        "Returns the data for the Opaqued attributes as `bytes`");
  }
};

//===--- Others
//------------------------------------------------------------------------------------------------------===//

struct PyTypeAttribute : ConcreteAttribute<PyTypeAttribute> {
  static constexpr const char *className = "TypeAttr";
  static constexpr auto isa = mlirAttributeIsAType;
  static constexpr auto typeID = mlirTypeAttrGetTypeID;
  static MlirStringRef name() { return mlirTypeAttrGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get", [](MlirType value, std::optional<Ref<Ctx>>) { return make(contextOf(value), mlirTypeAttrGet(value)); },
        nb::arg("value"), nb::arg("context") = nb::none(), "Gets a uniqued Type attribute");
    cls.def_prop_ro("value", [](const PyTypeAttribute &self) { return mlirTypeAttrGetValue(self); });
  }
};

struct PyUnitAttribute : ConcreteAttribute<PyUnitAttribute> {
  static constexpr const char *className = "UnitAttr";
  static constexpr auto isa = mlirAttributeIsAUnit;
  static constexpr auto typeID = mlirUnitAttrGetTypeID;
  static MlirStringRef name() { return mlirUnitAttrGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get", [](DefaultCtx ctx) { return make(ctx.ctx, mlirUnitAttrGet(ctx)); }, nb::arg("context") = nb::none(),
        "Create a Unit attribute.");
  }
};

struct PyAffineMapAttribute : ConcreteAttribute<PyAffineMapAttribute> {
  static constexpr const char *className = "AffineMapAttr";
  static constexpr auto isa = mlirAttributeIsAAffineMap;
  static constexpr auto typeID = mlirAffineMapAttrGetTypeID;
  static MlirStringRef name() { return mlirAffineMapAttrGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get", [](const PyAffineMap &map) { return make(map.ctx, mlirAffineMapAttrGet(map)); }, nb::arg("affine_map"),
        "Gets an attribute wrapping an AffineMap.");
    cls.def_prop_ro(
        "value", [](const PyAffineMapAttribute &self) { return PyAffineMap::make(mlirAffineMapAttrGetValue(self)); },
        "Returns the value of the AffineMap attribute");
  }
};

struct PyIntegerSetAttribute : ConcreteAttribute<PyIntegerSetAttribute> {
  static constexpr const char *className = "IntegerSetAttr";
  static constexpr auto isa = mlirAttributeIsAIntegerSet;
  static constexpr auto typeID = mlirIntegerSetAttrGetTypeID;
  static MlirStringRef name() { return mlirIntegerSetAttrGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get", [](const PyIntegerSet &set) { return make(set.ctx, mlirIntegerSetAttrGet(set)); },
        nb::arg("integer_set"), "Gets an attribute wrapping an IntegerSet.");
    cls.def_prop_ro(
        "value", [](const PyIntegerSetAttribute &self) { return PyIntegerSet::make(mlirIntegerSetAttrGetValue(self)); },
        "Returns the value of the IntegerSet attribute");
  }
};

struct PyStridedLayoutAttribute : ConcreteAttribute<PyStridedLayoutAttribute> {
  static constexpr const char *className = "StridedLayoutAttr";
  static constexpr auto isa = mlirAttributeIsAStridedLayout;
  static constexpr auto typeID = mlirStridedLayoutAttrGetTypeID;
  static MlirStringRef name() { return mlirStridedLayoutAttrGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](int64_t offset, const std::vector<int64_t> &strides, DefaultCtx ctx) {
          return make(ctx.ctx, mlirStridedLayoutAttrGet(ctx, offset, strides.size(), strides.data()));
        },
        nb::arg("offset"), nb::arg("strides"), nb::arg("context") = nb::none(), "Gets a strided layout attribute.");
    cls.def_static(
        "get_fully_dynamic",
        [](int64_t rank, DefaultCtx ctx) {
          int64_t dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
          std::vector<int64_t> strides(std::max<int64_t>(rank, 0), dynamic);
          return make(ctx.ctx, mlirStridedLayoutAttrGet(ctx, dynamic, strides.size(), strides.data()));
        },
        nb::arg("rank"), nb::arg("context") = nb::none(),
        "Gets a strided layout attribute with dynamic offset and strides of a given rank.");
    cls.def_prop_ro(
        "offset", [](const PyStridedLayoutAttribute &self) { return mlirStridedLayoutAttrGetOffset(self); },
        "Returns the value of the offset.");
    cls.def_prop_ro(
        "strides",
        [](const PyStridedLayoutAttribute &self) {
          std::vector<int64_t> strides;
          for (intptr_t i = 0, e = mlirStridedLayoutAttrGetNumStrides(self); i < e; ++i)
            strides.push_back(mlirStridedLayoutAttrGetStride(self, i));
          return strides;
        },
        "Returns the value of the strides as a list of integers.");
  }
};

template <typename... Classes> void bindAll(nb::module_ &m) { (Classes::bind(m), ...); }

} // namespace

void populateIrAttributes(nb::module_ &m) {
  // Of classes that share a TypeID the narrower comes first: BoolAttr, FlatSymbolRefAttr.
  bindAll<PyAffineMapAttribute, PyIntegerSetAttribute, PyFloatAttribute, PyBoolAttribute, PyIntegerAttribute,
          PyStringAttribute, PyFlatSymbolRefAttribute, PySymbolRefAttribute, PyOpaqueAttribute, PyTypeAttribute,
          PyUnitAttribute, PyStridedLayoutAttribute>(m);
  populateArrayAttributes(m);
  populateDenseElements(m);
  populateResourceElements(m);
}

} // namespace mlir::xla::python
