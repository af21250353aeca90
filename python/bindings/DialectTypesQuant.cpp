// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the quant dialect: a storage type that expresses values of another type through scales and zero points.

#include "mlir_xla/python/bindings/DialectTypes.h"

#include "mlir-c/Dialect/Quant.h"

namespace mlir::xla::python {
namespace {

/// The C API asserts what `quant` verifies; a null type becomes an error here.
template <typename Derived> Derived checked(MlirType storage, MlirType type) {
  if (mlirTypeIsNull(type))
    throwPy(PyExc_ValueError, std::string("invalid parameters of ") + Derived::className);
  return Derived::make(contextOf(storage), type);
}

struct QuantizedType : ConcreteType<QuantizedType> {
  static constexpr const char *className = "QuantizedType";
  static constexpr auto isa = mlirTypeIsAQuantizedType;

  static MlirType requireQuantized(MlirType type) {
    if (!mlirTypeIsAQuantizedType(type))
      throwPy(PyExc_TypeError, "expected a quantized type, got " + toString(type));
    return type;
  }

  static void bindMembers(Class &cls) {
    cls.attr("FLAG_SIGNED") = mlirQuantizedTypeGetSignedFlag();
    cls.def_static(
        "default_minimum_for_integer",
        [](bool isSigned, unsigned width) { return mlirQuantizedTypeGetDefaultMinimumForInteger(isSigned, width); },
        nb::arg("is_signed"), nb::arg("integral_width"), "Default minimum value for the integer with the given width.");
    cls.def_static(
        "default_maximum_for_integer",
        [](bool isSigned, unsigned width) { return mlirQuantizedTypeGetDefaultMaximumForInteger(isSigned, width); },
        nb::arg("is_signed"), nb::arg("integral_width"), "Default maximum value for the integer with the given width.");
    cls.def_prop_ro("expressed_type",
                    [](const QuantizedType &self) { return mlirQuantizedTypeGetExpressedType(self); });
    cls.def_prop_ro("flags", [](const QuantizedType &self) { return mlirQuantizedTypeGetFlags(self); });
    cls.def_prop_ro("is_signed", [](const QuantizedType &self) { return mlirQuantizedTypeIsSigned(self); });
    cls.def_prop_ro("storage_type", [](const QuantizedType &self) { return mlirQuantizedTypeGetStorageType(self); });
    cls.def_prop_ro("storage_type_min",
                    [](const QuantizedType &self) { return mlirQuantizedTypeGetStorageTypeMin(self); });
    cls.def_prop_ro("storage_type_max",
                    [](const QuantizedType &self) { return mlirQuantizedTypeGetStorageTypeMax(self); });
    cls.def_prop_ro("storage_type_integral_width",
                    [](const QuantizedType &self) { return mlirQuantizedTypeGetStorageTypeIntegralWidth(self); });
    cls.def(
        "is_compatible_expressed_type",
        [](const QuantizedType &self, MlirType candidate) {
          return mlirQuantizedTypeIsCompatibleExpressedType(self, candidate);
        },
        nb::arg("candidate"));
    cls.def_prop_ro("quantized_element_type",
                    [](const QuantizedType &self) { return mlirQuantizedTypeGetQuantizedElementType(self); });
    auto orError = [](MlirType result) {
      if (mlirTypeIsNull(result))
        throwPy(PyExc_TypeError, "Failed to cast.");
      return wrapType(result);
    };
    cls.def(
        "cast_from_storage_type",
        [orError](const QuantizedType &self, MlirType candidate) {
          return orError(mlirQuantizedTypeCastFromStorageType(self, candidate));
        },
        nb::arg("candidate"));
    cls.def_static(
        "cast_to_storage_type",
        [orError](MlirType type) { return orError(mlirQuantizedTypeCastToStorageType(requireQuantized(type))); },
        nb::arg("type"));
    cls.def(
        "cast_from_expressed_type",
        [orError](const QuantizedType &self, MlirType candidate) {
          return orError(mlirQuantizedTypeCastFromExpressedType(self, candidate));
        },
        nb::arg("candidate"));
    cls.def_static(
        "cast_to_expressed_type",
        [orError](MlirType type) { return orError(mlirQuantizedTypeCastToExpressedType(requireQuantized(type))); },
        nb::arg("type"));
    cls.def(
        "cast_expressed_to_storage_type",
        [orError](const QuantizedType &self, MlirType candidate) {
          return orError(mlirQuantizedTypeCastExpressedToStorageType(self, candidate));
        },
        nb::arg("candidate"));
  }
};

struct AnyQuantizedType : ConcreteType<AnyQuantizedType, QuantizedType> {
  static constexpr const char *className = "AnyQuantizedType";
  static constexpr auto isa = mlirTypeIsAAnyQuantizedType;
  static constexpr auto typeID = mlirAnyQuantizedTypeGetTypeID;
  static MlirStringRef name() { return mlirAnyQuantizedTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](unsigned flags, MlirType storage, MlirType expressed, int64_t min, int64_t max) {
          return checked<AnyQuantizedType>(storage, mlirAnyQuantizedTypeGet(flags, storage, expressed, min, max));
        },
        nb::arg("flags"), nb::arg("storage_type"), nb::arg("expressed_type"), nb::arg("storage_type_min"),
        nb::arg("storage_type_max"));
  }
};

struct UniformQuantizedType : ConcreteType<UniformQuantizedType, QuantizedType> {
  static constexpr const char *className = "UniformQuantizedType";
  static constexpr auto isa = mlirTypeIsAUniformQuantizedType;
  static constexpr auto typeID = mlirUniformQuantizedTypeGetTypeID;
  static MlirStringRef name() { return mlirUniformQuantizedTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](unsigned flags, MlirType storage, MlirType expressed, double scale, int64_t zeroPoint, int64_t min,
           int64_t max) {
          return checked<UniformQuantizedType>(
              storage, mlirUniformQuantizedTypeGet(flags, storage, expressed, scale, zeroPoint, min, max));
        },
        nb::arg("flags"), nb::arg("storage_type"), nb::arg("expressed_type"), nb::arg("scale"), nb::arg("zero_point"),
        nb::arg("storage_type_min"), nb::arg("storage_type_max"));
    cls.def_prop_ro("scale", [](const UniformQuantizedType &self) { return mlirUniformQuantizedTypeGetScale(self); });
    cls.def_prop_ro("zero_point",
                    [](const UniformQuantizedType &self) { return mlirUniformQuantizedTypeGetZeroPoint(self); });
    cls.def_prop_ro("is_fixed_point",
                    [](const UniformQuantizedType &self) { return mlirUniformQuantizedTypeIsFixedPoint(self); });
  }
};

struct PerAxisType : ConcreteType<PerAxisType, QuantizedType> {
  static constexpr const char *className = "UniformQuantizedPerAxisType";
  static constexpr auto isa = mlirTypeIsAUniformQuantizedPerAxisType;
  static constexpr auto typeID = mlirUniformQuantizedPerAxisTypeGetTypeID;
  static MlirStringRef name() { return mlirUniformQuantizedPerAxisTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](unsigned flags, MlirType storage, MlirType expressed, std::vector<double> scales,
           std::vector<int64_t> zeroPoints, int32_t dimension, int64_t min, int64_t max) {
          if (scales.size() != zeroPoints.size())
            throwPy(PyExc_ValueError, "Mismatching number of scales and zero points.");
          return checked<PerAxisType>(
              storage, mlirUniformQuantizedPerAxisTypeGet(flags, storage, expressed, scales.size(), scales.data(),
                                                          zeroPoints.data(), dimension, min, max));
        },
        nb::arg("flags"), nb::arg("storage_type"), nb::arg("expressed_type"), nb::arg("scales"), nb::arg("zero_points"),
        nb::arg("quantized_dimension"), nb::arg("storage_type_min"), nb::arg("storage_type_max"));
    cls.def_prop_ro("scales", [](const PerAxisType &self) {
      std::vector<double> scales;
      for (intptr_t i = 0, e = mlirUniformQuantizedPerAxisTypeGetNumDims(self); i < e; ++i)
        scales.push_back(mlirUniformQuantizedPerAxisTypeGetScale(self, i));
      return scales;
    });
    cls.def_prop_ro("zero_points", [](const PerAxisType &self) {
      std::vector<int64_t> zeroPoints;
      for (intptr_t i = 0, e = mlirUniformQuantizedPerAxisTypeGetNumDims(self); i < e; ++i)
        zeroPoints.push_back(mlirUniformQuantizedPerAxisTypeGetZeroPoint(self, i));
      return zeroPoints;
    });
    cls.def_prop_ro("quantized_dimension",
                    [](const PerAxisType &self) { return mlirUniformQuantizedPerAxisTypeGetQuantizedDimension(self); });
    cls.def_prop_ro("is_fixed_point",
                    [](const PerAxisType &self) { return mlirUniformQuantizedPerAxisTypeIsFixedPoint(self); });
  }
};

struct SubChannelType : ConcreteType<SubChannelType, QuantizedType> {
  static constexpr const char *className = "UniformQuantizedSubChannelType";
  static constexpr auto isa = mlirTypeIsAUniformQuantizedSubChannelType;
  static constexpr auto typeID = mlirUniformQuantizedSubChannelTypeGetTypeID;
  static MlirStringRef name() { return mlirUniformQuantizedSubChannelTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](unsigned flags, MlirType storage, MlirType expressed, MlirAttribute scales, MlirAttribute zeroPoints,
           std::vector<int32_t> dimensions, std::vector<int64_t> blockSizes, int64_t min, int64_t max) {
          if (!mlirAttributeIsADenseElements(scales) || !mlirAttributeIsADenseElements(zeroPoints))
            throwPy(PyExc_ValueError, "scales and zero points are dense elements");
          if (dimensions.size() != blockSizes.size())
            throwPy(PyExc_ValueError, "Mismatching number of quantized dimensions and block sizes.");
          return checked<SubChannelType>(storage, mlirUniformQuantizedSubChannelTypeGet(
                                                      flags, storage, expressed, scales, zeroPoints, blockSizes.size(),
                                                      dimensions.data(), blockSizes.data(), min, max));
        },
        nb::arg("flags"), nb::arg("storage_type"), nb::arg("expressed_type"), nb::arg("scales"), nb::arg("zero_points"),
        nb::arg("quantized_dimensions"), nb::arg("block_sizes"), nb::arg("storage_type_min"),
        nb::arg("storage_type_max"));
    cls.def_prop_ro("quantized_dimensions", [](const SubChannelType &self) {
      std::vector<int32_t> dimensions;
      for (intptr_t i = 0, e = mlirUniformQuantizedSubChannelTypeGetNumBlockSizes(self); i < e; ++i)
        dimensions.push_back(mlirUniformQuantizedSubChannelTypeGetQuantizedDimension(self, i));
      return dimensions;
    });
    cls.def_prop_ro("block_sizes", [](const SubChannelType &self) {
      std::vector<int64_t> sizes;
      for (intptr_t i = 0, e = mlirUniformQuantizedSubChannelTypeGetNumBlockSizes(self); i < e; ++i)
        sizes.push_back(mlirUniformQuantizedSubChannelTypeGetBlockSize(self, i));
      return sizes;
    });
    cls.def_prop_ro("scales",
                    [](const SubChannelType &self) { return mlirUniformQuantizedSubChannelTypeGetScales(self); });
    cls.def_prop_ro("zero_points",
                    [](const SubChannelType &self) { return mlirUniformQuantizedSubChannelTypeGetZeroPoints(self); });
  }
};

struct CalibratedType : ConcreteType<CalibratedType, QuantizedType> {
  static constexpr const char *className = "CalibratedQuantizedType";
  static constexpr auto isa = mlirTypeIsACalibratedQuantizedType;
  static constexpr auto typeID = mlirCalibratedQuantizedTypeGetTypeID;
  static MlirStringRef name() { return mlirCalibratedQuantizedTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](MlirType expressed, double min, double max) {
          return checked<CalibratedType>(expressed, mlirCalibratedQuantizedTypeGet(expressed, min, max));
        },
        nb::arg("expressed_type"), nb::arg("min"), nb::arg("max"));
    cls.def_prop_ro("min", [](const CalibratedType &self) { return mlirCalibratedQuantizedTypeGetMin(self); });
    cls.def_prop_ro("max", [](const CalibratedType &self) { return mlirCalibratedQuantizedTypeGetMax(self); });
  }
};

} // namespace

void populateQuantDialect(nb::module_ &m) {
  QuantizedType::bind(m);
  AnyQuantizedType::bind(m);
  UniformQuantizedType::bind(m);
  PerAxisType::bind(m);
  SubChannelType::bind(m);
  CalibratedType::bind(m);
}

} // namespace mlir::xla::python
