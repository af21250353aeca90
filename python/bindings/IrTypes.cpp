// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar builtin types of `mlir_xla.ir`: integers, index, floats, complex, none, and tuple, function and opaque
// types.

#include "mlir_xla/python/bindings/Arguments.h"
#include "mlir_xla/python/bindings/Concrete.h"

namespace mlir::xla::python {

void populateShapedTypes(nb::module_ &m); // IrTypesShaped.cpp

namespace {

struct PyIntegerType : ConcreteType<PyIntegerType> {
  static constexpr const char *className = "IntegerType";
  static constexpr auto isa = mlirTypeIsAInteger;
  static constexpr auto typeID = mlirIntegerTypeGetTypeID;
  static MlirStringRef name() { return mlirIntegerTypeGetName(); }

  enum class Signedness { Signless, Signed, Unsigned };

  static PyIntegerType get(unsigned width, Signedness signedness, const DefaultCtx &ctx) {
    constexpr unsigned maxWidth = (1u << 24) - 1; // IntegerType::kMaxWidth; more is an assertion in MLIR
    if (width > maxWidth)
      throwPy(PyExc_ValueError, "integer bitwidth is limited to " + std::to_string(maxWidth) + " bits");
    switch (signedness) {
    case Signedness::Signless:
      return make(ctx.ctx, mlirIntegerTypeGet(ctx, width));
    case Signedness::Signed:
      return make(ctx.ctx, mlirIntegerTypeSignedGet(ctx, width));
    case Signedness::Unsigned:
      return make(ctx.ctx, mlirIntegerTypeUnsignedGet(ctx, width));
    }
    throw nb::value_error("invalid signedness");
  }

  static void bindMembers(Class &cls) {
    nb::enum_<Signedness>(cls, "Signedness")
        .value("SIGNLESS", Signedness::Signless)
        .value("SIGNED", Signedness::Signed)
        .value("UNSIGNED", Signedness::Unsigned)
        .export_values();
    cls.def_static(
        "get_signless", [](unsigned width, DefaultCtx ctx) { return get(width, Signedness::Signless, ctx); },
        nb::arg("width"), nb::arg("context") = nb::none(), "Create a signless integer type");
    cls.def_static(
        "get_signed", [](unsigned width, DefaultCtx ctx) { return get(width, Signedness::Signed, ctx); },
        nb::arg("width"), nb::arg("context") = nb::none(), "Create a signed integer type");
    cls.def_static(
        "get_unsigned", [](unsigned width, DefaultCtx ctx) { return get(width, Signedness::Unsigned, ctx); },
        nb::arg("width"), nb::arg("context") = nb::none(), "Create an unsigned integer type");
    cls.def_static(
        "get", [](unsigned width, Signedness signedness, DefaultCtx ctx) { return get(width, signedness, ctx); },
        nb::arg("width"), nb::arg("signedness") = Signedness::Signless, nb::arg("context") = nb::none(),
        "Create an integer type");
    cls.def_prop_ro("signedness", [](const PyIntegerType &self) {
      if (mlirIntegerTypeIsSignless(self))
        return Signedness::Signless;
      return mlirIntegerTypeIsSigned(self) ? Signedness::Signed : Signedness::Unsigned;
    });
    cls.def_prop_ro(
        "width", [](const PyIntegerType &self) { return mlirIntegerTypeGetWidth(self); },
        "Returns the width of the integer type");
    cls.def_prop_ro(
        "is_signless", [](const PyIntegerType &self) { return mlirIntegerTypeIsSignless(self); },
        "Returns whether this is a signless integer");
    cls.def_prop_ro(
        "is_signed", [](const PyIntegerType &self) { return mlirIntegerTypeIsSigned(self); },
        "Returns whether this is a signed integer");
    cls.def_prop_ro(
        "is_unsigned", [](const PyIntegerType &self) { return mlirIntegerTypeIsUnsigned(self); },
        "Returns whether this is an unsigned integer");
  }
};

struct PyFloatType : ConcreteType<PyFloatType> {
  static constexpr const char *className = "FloatType";
  static constexpr auto isa = mlirTypeIsAFloat;

  static void bindMembers(Class &cls) {
    cls.def_prop_ro(
        "width", [](const PyFloatType &self) { return mlirFloatTypeGetWidth(self); },
        "Returns the width of the floating-point type");
  }
};

/// Types that are their context's only instance: `get(context=None)`.
template <typename Derived, typename Base = PyType> struct SingletonType : ConcreteType<Derived, Base> {
  static void bindMembers(nb::class_<Derived, Base> &cls) {
    cls.def_static(
        "get", [](DefaultCtx ctx) { return Derived::make(ctx.ctx, Derived::create(ctx)); },
        nb::arg("context") = nb::none(), "Create the type of the context");
  }
};

#define SINGLETON_TYPE(Struct, Base, PyName, IsA, Get, GetName, GetTypeID)                                             \
  struct Struct : SingletonType<Struct, Base> {                                                                        \
    static constexpr const char *className = PyName;                                                                   \
    static constexpr auto isa = IsA;                                                                                   \
    static constexpr auto create = Get;                                                                                \
    static MlirStringRef name() { return GetName(); }                                                                  \
    static constexpr auto typeID = GetTypeID;                                                                          \
  };
#define FLOAT_TYPE(Name, TypeIDName)                                                                                   \
  SINGLETON_TYPE(Py##Name##Type, PyFloatType, #Name "Type", mlirTypeIsA##Name, mlir##Name##TypeGet,                    \
                 mlir##Name##TypeGetName, mlir##TypeIDName##TypeGetTypeID)
FLOAT_TYPE(Float4E2M1FN, Float4E2M1FN)
FLOAT_TYPE(Float6E2M3FN, Float6E2M3FN)
FLOAT_TYPE(Float6E3M2FN, Float6E3M2FN)
FLOAT_TYPE(Float8E4M3FN, Float8E4M3FN)
FLOAT_TYPE(Float8E5M2, Float8E5M2)
FLOAT_TYPE(Float8E4M3, Float8E4M3)
FLOAT_TYPE(Float8E4M3FNUZ, Float8E4M3FNUZ)
FLOAT_TYPE(Float8E4M3B11FNUZ, Float8E4M3B11FNUZ)
FLOAT_TYPE(Float8E5M2FNUZ, Float8E5M2FNUZ)
FLOAT_TYPE(Float8E3M4, Float8E3M4)
FLOAT_TYPE(Float8E8M0FNU, Float8E8M0FNU)
FLOAT_TYPE(BF16, BFloat16)
FLOAT_TYPE(F16, Float16)
FLOAT_TYPE(F32, Float32)
FLOAT_TYPE(F64, Float64)
SINGLETON_TYPE(PyFloatTF32Type, PyFloatType, "FloatTF32Type", mlirTypeIsATF32, mlirTF32TypeGet, mlirTF32TypeGetName,
               mlirFloatTF32TypeGetTypeID)
SINGLETON_TYPE(PyIndexType, PyType, "IndexType", mlirTypeIsAIndex, mlirIndexTypeGet, mlirIndexTypeGetName,
               mlirIndexTypeGetTypeID)
SINGLETON_TYPE(PyNoneType, PyType, "NoneType", mlirTypeIsANone, mlirNoneTypeGet, mlirNoneTypeGetName,
               mlirNoneTypeGetTypeID)
#undef FLOAT_TYPE
#undef SINGLETON_TYPE

struct PyComplexType : ConcreteType<PyComplexType> {
  static constexpr const char *className = "ComplexType";
  static constexpr auto isa = mlirTypeIsAComplex;
  static constexpr auto typeID = mlirComplexTypeGetTypeID;
  static MlirStringRef name() { return mlirComplexTypeGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](MlirType element) {
          if (!mlirTypeIsAInteger(element) && !mlirTypeIsAFloat(element))
            throwPy(PyExc_ValueError,
                    "invalid 'Type(" + toString(element) + ")' and expected floating point or integer type.");
          return make(contextOf(element), mlirComplexTypeGet(element));
        },
        nb::arg("element"), "Create a complex type");
    cls.def_prop_ro(
        "element_type", [](const PyComplexType &self) { return mlirComplexTypeGetElementType(self); },
        "Returns element type.");
  }
};

struct PyTupleType : ConcreteType<PyTupleType> {
  static constexpr const char *className = "TupleType";
  static constexpr auto isa = mlirTypeIsATuple;
  static constexpr auto typeID = mlirTupleTypeGetTypeID;
  static MlirStringRef name() { return mlirTupleTypeGetName(); }

  static void bindMembers(Class &cls) {
    auto get = [](std::vector<MlirType> elements, DefaultCtx ctx) {
      return make(ctx.ctx, mlirTupleTypeGet(ctx, elements.size(), elements.data()));
    };
    cls.def_static("get_tuple", get, nb::arg("elements"), nb::arg("context") = nb::none(), "Create a tuple type");
    cls.def_static("get", get, nb::arg("elements"), nb::arg("context") = nb::none(), "Create a tuple type");
    cls.def(
        "get_type",
        [](const PyTupleType &self, intptr_t pos) {
          return mlirTupleTypeGetType(self,
                                      checkedIndex(pos, mlirTupleTypeGetNumTypes(self), "tuple index out of range"));
        },
        nb::arg("pos"), "Returns the pos-th type in the tuple type.");
    cls.def_prop_ro(
        "num_types", [](const PyTupleType &self) { return mlirTupleTypeGetNumTypes(self); },
        "Returns the number of types contained in a tuple.");
  }
};

struct PyFunctionType : ConcreteType<PyFunctionType> {
  static constexpr const char *className = "FunctionType";
  static constexpr auto isa = mlirTypeIsAFunction;
  static constexpr auto typeID = mlirFunctionTypeGetTypeID;
  static MlirStringRef name() { return mlirFunctionTypeGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](std::vector<MlirType> inputs, std::vector<MlirType> results, DefaultCtx ctx) {
          return make(ctx.ctx, mlirFunctionTypeGet(ctx, inputs.size(), inputs.data(), results.size(), results.data()));
        },
        nb::arg("inputs"), nb::arg("results"), nb::arg("context") = nb::none(),
        "Gets a FunctionType from a list of input and result types");
    cls.def_prop_ro(
        "inputs",
        [](const PyFunctionType &self) {
          std::vector<MlirType> types;
          for (intptr_t i = 0, e = mlirFunctionTypeGetNumInputs(self); i < e; ++i)
            types.push_back(mlirFunctionTypeGetInput(self, i));
          return types;
        },
        "Returns the list of input types in the FunctionType.");
    cls.def_prop_ro(
        "results",
        [](const PyFunctionType &self) {
          std::vector<MlirType> types;
          for (intptr_t i = 0, e = mlirFunctionTypeGetNumResults(self); i < e; ++i)
            types.push_back(mlirFunctionTypeGetResult(self, i));
          return types;
        },
        "Returns the list of result types in the FunctionType.");
  }
};

struct PyOpaqueType : ConcreteType<PyOpaqueType> {
  static constexpr const char *className = "OpaqueType";
  static constexpr auto isa = mlirTypeIsAOpaque;
  static constexpr auto typeID = mlirOpaqueTypeGetTypeID;
  static MlirStringRef name() { return mlirOpaqueTypeGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](const std::string &dialectNamespace, const std::string &data, DefaultCtx ctx) {
          return make(ctx.ctx, mlirOpaqueTypeGet(ctx, toRef(dialectNamespace), toRef(data)));
        },
        nb::arg("dialect_namespace"), nb::arg("buffer"), nb::arg("context") = nb::none(),
        "Create an unregistered (opaque) dialect type.");
    cls.def_prop_ro(
        "dialect_namespace", [](const PyOpaqueType &self) { return toStr(mlirOpaqueTypeGetDialectNamespace(self)); },
        "Returns the dialect namespace for the Opaque type as a string.");
    cls.def_prop_ro(
        "data", [](const PyOpaqueType &self) { return toStr(mlirOpaqueTypeGetData(self)); },
        "Returns the data for the Opaque type as a string.");
  }
};

template <typename... Classes> void bindAll(nb::module_ &m) { (Classes::bind(m), ...); }

} // namespace

void populateIrTypes(nb::module_ &m) {
  PyIntegerType::bind(m);
  PyFloatType::bind(m);
  bindAll<PyIndexType, PyFloat4E2M1FNType, PyFloat6E2M3FNType, PyFloat6E3M2FNType, PyFloat8E4M3FNType, PyFloat8E5M2Type,
          PyFloat8E4M3Type, PyFloat8E4M3FNUZType, PyFloat8E4M3B11FNUZType, PyFloat8E5M2FNUZType, PyFloat8E3M4Type,
          PyFloat8E8M0FNUType, PyBF16Type, PyF16Type, PyFloatTF32Type, PyF32Type, PyF64Type, PyNoneType>(m);
  PyComplexType::bind(m);
  populateShapedTypes(m);
  PyTupleType::bind(m);
  PyFunctionType::bind(m);
  PyOpaqueType::bind(m);
}

} // namespace mlir::xla::python
