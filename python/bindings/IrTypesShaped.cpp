// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shaped builtin types of `mlir_xla.ir`: vectors, tensors and memrefs under their common base ShapedType.
//
// `get` verifies and raises MLIRError; its location only places the message, so it may be absent. `get_unchecked` skips
// the location and raises the same error.

#include "mlir_xla/python/bindings/Arguments.h"
#include "mlir_xla/python/bindings/Concrete.h"
#include "mlir_xla/python/bindings/IrAffine.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"

#include <algorithm>

namespace mlir::xla::python {
namespace {

using Shape = std::vector<int64_t>;
using OptionalLoc = std::optional<PyLocation>;
using OptionalAttr = std::optional<MlirAttribute>;

MlirAttribute orNull(const OptionalAttr &attr) { return attr ? *attr : mlirAttributeGetNull(); }

/// Calls `create(location)`; a null type becomes MLIRError with the diagnostics that were emitted.
template <typename PyClass, typename Create>
PyClass getChecked(MlirType elementType, const OptionalLoc &loc, Create create) {
  MlirContext context = mlirTypeGetContext(elementType);
  ErrorCapture errors(Ctx::forContext(context));
  MlirType type = create(locationOrUnknown(loc, context));
  if (mlirTypeIsNull(type))
    errors.fail("Invalid type");
  return PyClass::make(Ctx::forContext(context), type);
}

struct PyShapedType : ConcreteType<PyShapedType> {
  static constexpr const char *className = "ShapedType";
  static constexpr auto isa = mlirTypeIsAShaped;

  void requireRank() const {
    if (!mlirShapedTypeHasRank(*this))
      throwPy(PyExc_ValueError, "calling this method requires that the type has a rank.");
  }
  intptr_t checkedDim(intptr_t dim) const {
    requireRank();
    return checkedIndex(dim, mlirShapedTypeGetRank(*this), "dimension index out of range");
  }

  static void bindMembers(Class &cls) {
    cls.def_prop_ro(
        "element_type", [](const PyShapedType &self) { return mlirShapedTypeGetElementType(self); },
        "Returns the element type of the shaped type.");
    cls.def_prop_ro(
        "has_rank", [](const PyShapedType &self) { return mlirShapedTypeHasRank(self); },
        "Returns whether the given shaped type is ranked.");
    cls.def_prop_ro(
        "rank",
        [](const PyShapedType &self) {
          self.requireRank();
          return mlirShapedTypeGetRank(self);
        },
        "Returns the rank of the given ranked shaped type.");
    cls.def_prop_ro(
        "has_static_shape", [](const PyShapedType &self) { return mlirShapedTypeHasStaticShape(self); },
        "Returns whether the given shaped type has a static shape.");
    cls.def_prop_ro(
        "shape",
        [](const PyShapedType &self) {
          self.requireRank();
          Shape shape;
          for (int64_t i = 0, e = mlirShapedTypeGetRank(self); i < e; ++i)
            shape.push_back(mlirShapedTypeGetDimSize(self, i));
          return shape;
        },
        "Returns the shape of the ranked shaped type as a list of integers.");
    cls.def(
        "is_dynamic_dim",
        [](const PyShapedType &self, intptr_t dim) { return mlirShapedTypeIsDynamicDim(self, self.checkedDim(dim)); },
        nb::arg("dim"), "Returns whether the dim-th dimension of the given shaped type is dynamic.");
    cls.def(
        "is_static_dim",
        [](const PyShapedType &self, intptr_t dim) { return mlirShapedTypeIsStaticDim(self, self.checkedDim(dim)); },
        nb::arg("dim"), "Returns whether the dim-th dimension of the given shaped type is static.");
    cls.def(
        "get_dim_size",
        [](const PyShapedType &self, intptr_t dim) { return mlirShapedTypeGetDimSize(self, self.checkedDim(dim)); },
        nb::arg("dim"), "Returns the dim-th dimension of the given ranked shaped type.");
    cls.def_static(
        "is_dynamic_size", [](int64_t size) { return mlirShapedTypeIsDynamicSize(size); }, nb::arg("dim_size"),
        "Returns whether the given dimension size indicates a dynamic dimension.");
    cls.def_static(
        "is_static_size", [](int64_t size) { return mlirShapedTypeIsStaticSize(size); }, nb::arg("dim_size"),
        "Returns whether the given dimension size indicates a static dimension.");
    cls.def(
        "is_dynamic_stride_or_offset",
        [](const PyShapedType &self, int64_t value) {
          self.requireRank();
          return mlirShapedTypeIsDynamicStrideOrOffset(value);
        },
        nb::arg("dim_size"),
        "Returns whether the given value is used as a placeholder for dynamic strides and offsets.");
    cls.def(
        "is_static_stride_or_offset",
        [](const PyShapedType &self, int64_t value) {
          self.requireRank();
          return mlirShapedTypeIsStaticStrideOrOffset(value);
        },
        nb::arg("dim_size"), "Returns whether the given shaped type stride or offset value is statically-sized.");
    cls.def_static(
        "get_dynamic_size", [] { return mlirShapedTypeGetDynamicSize(); },
        "Returns the value used to indicate dynamic dimensions in shaped types.");
    cls.def_static(
        "get_dynamic_stride_or_offset", [] { return mlirShapedTypeGetDynamicStrideOrOffset(); },
        "Returns the value used to indicate dynamic strides or offsets in shaped types.");
  }
};

struct PyVectorType : ConcreteType<PyVectorType, PyShapedType> {
  static constexpr const char *className = "VectorType";
  static constexpr auto isa = mlirTypeIsAVector;
  static constexpr auto typeID = mlirVectorTypeGetTypeID;
  static MlirStringRef name() { return mlirVectorTypeGetName(); }

  using Flags = std::optional<std::vector<bool>>;
  using Dims = std::optional<Shape>;

  static PyVectorType get(const Shape &shape, MlirType elementType, const Flags &scalable, const Dims &scalableDims,
                          const OptionalLoc &loc) {
    if (scalable && scalableDims)
      throwPy(PyExc_ValueError, "'scalable' and 'scalable_dims' kwargs are mutually exclusive.");
    std::unique_ptr<bool[]> flags;
    if (scalable) {
      if (scalable->size() != shape.size())
        throwPy(PyExc_ValueError, "Expected len(scalable) == len(shape).");
      flags = std::make_unique<bool[]>(shape.size());
      std::copy(scalable->begin(), scalable->end(), flags.get());
    } else if (scalableDims) {
      flags = std::make_unique<bool[]>(shape.size());
      for (int64_t dim : *scalableDims) {
        if (dim < 0 || dim >= (int64_t)shape.size())
          throwPy(PyExc_ValueError, "Scalable dimension index out of bounds.");
        flags[dim] = true;
      }
    }
    return getChecked<PyVectorType>(elementType, loc, [&](MlirLocation at) {
      if (!flags)
        return mlirVectorTypeGetChecked(at, shape.size(), shape.data(), elementType);
      return mlirVectorTypeGetScalableChecked(at, shape.size(), shape.data(), flags.get(), elementType);
    });
  }

  static void bindMembers(Class &cls) {
    cls.def_static("get", &get, nb::arg("shape"), nb::arg("element_type"), nb::kw_only(),
                   nb::arg("scalable") = nb::none(), nb::arg("scalable_dims") = nb::none(), nb::arg("loc") = nb::none(),
                   "Create a vector type");
    cls.def_static(
        "get_unchecked",
        [](const Shape &shape, MlirType elementType, const Flags &scalable, const Dims &scalableDims,
           std::optional<Ref<Ctx>>) { return get(shape, elementType, scalable, scalableDims, std::nullopt); },
        nb::arg("shape"), nb::arg("element_type"), nb::kw_only(), nb::arg("scalable") = nb::none(),
        nb::arg("scalable_dims") = nb::none(), nb::arg("context") = nb::none(), "Create a vector type");
    cls.def_prop_ro("scalable", [](const PyVectorType &self) { return mlirVectorTypeIsScalable(self); });
    cls.def_prop_ro("scalable_dims", [](const PyVectorType &self) {
      std::vector<bool> flags;
      for (int64_t i = 0, e = mlirShapedTypeGetRank(self); i < e; ++i)
        flags.push_back(mlirVectorTypeIsDimScalable(self, i));
      return flags;
    });
  }
};

struct PyRankedTensorType : ConcreteType<PyRankedTensorType, PyShapedType> {
  static constexpr const char *className = "RankedTensorType";
  static constexpr auto isa = mlirTypeIsARankedTensor;
  static constexpr auto typeID = mlirRankedTensorTypeGetTypeID;
  static MlirStringRef name() { return mlirRankedTensorTypeGetName(); }

  static PyRankedTensorType get(const Shape &shape, MlirType elementType, const OptionalAttr &encoding,
                                const OptionalLoc &loc) {
    return getChecked<PyRankedTensorType>(elementType, loc, [&](MlirLocation at) {
      return mlirRankedTensorTypeGetChecked(at, shape.size(), shape.data(), elementType, orNull(encoding));
    });
  }

  static void bindMembers(Class &cls) {
    cls.def_static("get", &get, nb::arg("shape"), nb::arg("element_type"), nb::arg("encoding") = nb::none(),
                   nb::arg("loc") = nb::none(), "Create a ranked tensor type");
    cls.def_static(
        "get_unchecked",
        [](const Shape &shape, MlirType elementType, const OptionalAttr &encoding, std::optional<Ref<Ctx>>) {
          return get(shape, elementType, encoding, std::nullopt);
        },
        nb::arg("shape"), nb::arg("element_type"), nb::arg("encoding") = nb::none(), nb::arg("context") = nb::none(),
        "Create a ranked tensor type");
    cls.def_prop_ro(
        "encoding", [](const PyRankedTensorType &self) { return wrapAttribute(mlirRankedTensorTypeGetEncoding(self)); },
        nb::sig("def encoding(self) -> Attribute | None"));
  }
};

struct PyUnrankedTensorType : ConcreteType<PyUnrankedTensorType, PyShapedType> {
  static constexpr const char *className = "UnrankedTensorType";
  static constexpr auto isa = mlirTypeIsAUnrankedTensor;
  static constexpr auto typeID = mlirUnrankedTensorTypeGetTypeID;
  static MlirStringRef name() { return mlirUnrankedTensorTypeGetName(); }

  static PyUnrankedTensorType get(MlirType elementType, const OptionalLoc &loc) {
    return getChecked<PyUnrankedTensorType>(
        elementType, loc, [&](MlirLocation at) { return mlirUnrankedTensorTypeGetChecked(at, elementType); });
  }

  static void bindMembers(Class &cls) {
    cls.def_static("get", &get, nb::arg("element_type"), nb::arg("loc") = nb::none(), "Create a unranked tensor type");
    cls.def_static(
        "get_unchecked", [](MlirType elementType, std::optional<Ref<Ctx>>) { return get(elementType, std::nullopt); },
        nb::arg("element_type"), nb::arg("context") = nb::none(), "Create a unranked tensor type");
  }
};

struct PyMemRefType : ConcreteType<PyMemRefType, PyShapedType> {
  static constexpr const char *className = "MemRefType";
  static constexpr auto isa = mlirTypeIsAMemRef;
  static constexpr auto typeID = mlirMemRefTypeGetTypeID;
  static MlirStringRef name() { return mlirMemRefTypeGetName(); }

  static PyMemRefType get(const Shape &shape, MlirType elementType, const OptionalAttr &layout,
                          const OptionalAttr &memorySpace, const OptionalLoc &loc) {
    if (layout && !llvm::isa<mlir::MemRefLayoutAttrInterface>(unwrap(*layout)))
      throwPy(PyExc_ValueError, "attribute is not the layout of a memref: " + toString(*layout));
    return getChecked<PyMemRefType>(elementType, loc, [&](MlirLocation at) {
      return mlirMemRefTypeGetChecked(at, elementType, shape.size(), shape.data(), orNull(layout), orNull(memorySpace));
    });
  }

  static void bindMembers(Class &cls) {
    cls.def_static("get", &get, nb::arg("shape"), nb::arg("element_type"), nb::arg("layout") = nb::none(),
                   nb::arg("memory_space") = nb::none(), nb::arg("loc") = nb::none(), "Create a memref type");
    cls.def_static(
        "get_unchecked",
        [](const Shape &shape, MlirType elementType, const OptionalAttr &layout, const OptionalAttr &memorySpace,
           std::optional<Ref<Ctx>>) { return get(shape, elementType, layout, memorySpace, std::nullopt); },
        nb::arg("shape"), nb::arg("element_type"), nb::arg("layout") = nb::none(), nb::arg("memory_space") = nb::none(),
        nb::arg("context") = nb::none(), "Create a memref type");
    cls.def_prop_ro(
        "layout", [](const PyMemRefType &self) { return mlirMemRefTypeGetLayout(self); },
        "The layout of the MemRef type.");
    cls.def_prop_ro(
        "affine_map", [](const PyMemRefType &self) { return PyAffineMap::make(mlirMemRefTypeGetAffineMap(self)); },
        "The layout of the MemRef type as an affine map.");
    cls.def(
        "get_strides_and_offset",
        [](const PyMemRefType &self) {
          Shape strides(mlirShapedTypeGetRank(self));
          int64_t offset;
          if (mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(self, strides.data(), &offset)))
            throwPy(PyExc_RuntimeError, "Failed to extract strides and offset from memref.");
          return std::pair(strides, offset);
        },
        "The strides and offset of the MemRef type.");
    cls.def_prop_ro(
        "memory_space", [](const PyMemRefType &self) { return wrapAttribute(mlirMemRefTypeGetMemorySpace(self)); },
        nb::sig("def memory_space(self) -> Attribute | None"), "Returns the memory space of the given MemRef type.");
  }
};

struct PyUnrankedMemRefType : ConcreteType<PyUnrankedMemRefType, PyShapedType> {
  static constexpr const char *className = "UnrankedMemRefType";
  static constexpr auto isa = mlirTypeIsAUnrankedMemRef;
  static constexpr auto typeID = mlirUnrankedMemRefTypeGetTypeID;
  static MlirStringRef name() { return mlirUnrankedMemRefTypeGetName(); }

  static PyUnrankedMemRefType get(MlirType elementType, const OptionalAttr &memorySpace, const OptionalLoc &loc) {
    return getChecked<PyUnrankedMemRefType>(elementType, loc, [&](MlirLocation at) {
      return mlirUnrankedMemRefTypeGetChecked(at, elementType, orNull(memorySpace));
    });
  }

  static void bindMembers(Class &cls) {
    cls.def_static("get", &get, nb::arg("element_type"), nb::arg("memory_space").none(), nb::arg("loc") = nb::none(),
                   "Create a unranked memref type");
    cls.def_static(
        "get_unchecked",
        [](MlirType elementType, const OptionalAttr &memorySpace, std::optional<Ref<Ctx>>) {
          return get(elementType, memorySpace, std::nullopt);
        },
        nb::arg("element_type"), nb::arg("memory_space").none(), nb::arg("context") = nb::none(),
        "Create a unranked memref type");
    cls.def_prop_ro(
        "memory_space",
        [](const PyUnrankedMemRefType &self) { return wrapAttribute(mlirUnrankedMemrefGetMemorySpace(self)); },
        nb::sig("def memory_space(self) -> Attribute | None"),
        "Returns the memory space of the given Unranked MemRef type.");
  }
};

} // namespace

void populateShapedTypes(nb::module_ &m) {
  PyShapedType::bind(m);
  PyVectorType::bind(m);
  PyRankedTensorType::bind(m);
  PyUnrankedTensorType::bind(m);
  PyMemRefType::bind(m);
  PyUnrankedMemRefType::bind(m);
}

} // namespace mlir::xla::python
