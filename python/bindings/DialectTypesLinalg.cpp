// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries on linalg operations, and the encoding attribute of sparse_tensor.

#include "mlir_xla/python/bindings/DialectTypes.h"
#include "mlir_xla/python/bindings/IrAffine.h"

#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/SparseTensor.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"

namespace mlir::xla::python {
namespace {

void bindDimensions(nb::module_ &m) {
  nb::class_<MlirLinalgContractionDimensions>(m, "ContractionDimensions")
      .def_prop_ro("batch", [](const MlirLinalgContractionDimensions &self) { return self.batch; })
      .def_prop_ro("m", [](const MlirLinalgContractionDimensions &self) { return self.m; })
      .def_prop_ro("n", [](const MlirLinalgContractionDimensions &self) { return self.n; })
      .def_prop_ro("k", [](const MlirLinalgContractionDimensions &self) { return self.k; });
  using Conv = MlirLinalgConvolutionDimensions;
  nb::class_<Conv>(m, "ConvolutionDimensions")
      .def_prop_ro("batch", [](const Conv &self) { return self.batch; })
      .def_prop_ro("output_image", [](const Conv &self) { return self.outputImage; })
      .def_prop_ro("output_channel", [](const Conv &self) { return self.outputChannel; })
      .def_prop_ro("filter_loop", [](const Conv &self) { return self.filterLoop; })
      .def_prop_ro("input_channel", [](const Conv &self) { return self.inputChannel; })
      .def_prop_ro("depth", [](const Conv &self) { return self.depth; })
      .def_prop_ro("strides", [](const Conv &self) { return self.strides; })
      .def_prop_ro("dilations", [](const Conv &self) { return self.dilations; });
}

template <typename Dimensions> std::optional<Dimensions> orNone(const Dimensions &dimensions) {
  return mlirAttributeIsNull(dimensions.batch) ? std::nullopt : std::optional(dimensions);
}

/// Creates the body of a named operation, whose region must be empty; the C API does not check what it needs.
void fillRegion(PyOperationBase &base) {
  mlir::Operation *op = unwrap(base.state().get());
  auto linalgOp = llvm::dyn_cast<mlir::linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.getRegionBuilder())
    throwPy(PyExc_ValueError, "expected a named linalg operation, got " + op->getName().getStringRef().str());
  if (op->getNumRegions() != 1 || !op->getRegion(0).empty())
    throwPy(PyExc_ValueError, "the region of the operation is not empty");
  mlirLinalgFillBuiltinNamedOpRegion(wrap(op));
}

struct EncodingAttr : ConcreteAttribute<EncodingAttr> {
  static constexpr const char *className = "EncodingAttr";
  static constexpr auto isa = mlirAttributeIsASparseTensorEncodingAttr;
  static MlirTypeID getTypeID() { return wrap(mlir::TypeID::get<mlir::sparse_tensor::SparseTensorEncodingAttr>()); }
  static constexpr auto typeID = getTypeID;
  static MlirStringRef name() { return mlirSparseTensorEncodingAttrGetName(); }

  using Level = MlirSparseTensorLevelType;

  std::vector<Level> levels() const {
    std::vector<Level> types;
    for (intptr_t i = 0, e = mlirSparseTensorEncodingGetLvlRank(*this); i < e; ++i)
      types.push_back(mlirSparseTensorEncodingAttrGetLvlType(*this, i));
    return types;
  }

  static nb::object mapOrNone(MlirAffineMap map) {
    return mlirAffineMapIsNull(map) ? nb::object(nb::none()) : nb::cast(PyAffineMap::make(map));
  }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](const std::vector<Level> &levels, std::optional<PyAffineMap> dimToLvl, std::optional<PyAffineMap> lvlToDim,
           int posWidth, int crdWidth, std::optional<MlirAttribute> explicitVal,
           std::optional<MlirAttribute> implicitVal, DefaultCtx ctx) {
          return make(ctx.ctx,
                      mlirSparseTensorEncodingAttrGet(
                          ctx, levels.size(), levels.data(), dimToLvl ? dimToLvl->map : MlirAffineMap{nullptr},
                          lvlToDim ? lvlToDim->map : MlirAffineMap{nullptr}, posWidth, crdWidth,
                          explicitVal.value_or(mlirAttributeGetNull()), implicitVal.value_or(mlirAttributeGetNull())));
        },
        nb::arg("lvl_types"), nb::arg("dim_to_lvl").none(), nb::arg("lvl_to_dim").none(), nb::arg("pos_width"),
        nb::arg("crd_width"), nb::arg("explicit_val") = nb::none(), nb::arg("implicit_val") = nb::none(),
        nb::arg("context") = nb::none(), "Gets a sparse_tensor.encoding from parameters.");
    cls.def_static(
        "build_level_type",
        [](MlirSparseTensorLevelFormat format, const std::vector<MlirSparseTensorLevelPropertyNondefault> &properties,
           unsigned n, unsigned m) {
          return mlirSparseTensorEncodingAttrBuildLvlType(format, properties.data(), properties.size(), n, m);
        },
        nb::arg("lvl_fmt"), nb::arg("properties") = std::vector<MlirSparseTensorLevelPropertyNondefault>(),
        nb::arg("n") = 0, nb::arg("m") = 0, "Builds a sparse_tensor.encoding.level_type from parameters.");
    cls.def_prop_ro("lvl_types", &EncodingAttr::levels);
    cls.def_prop_ro("dim_to_lvl",
                    [](const EncodingAttr &self) { return mapOrNone(mlirSparseTensorEncodingAttrGetDimToLvl(self)); });
    cls.def_prop_ro("lvl_to_dim",
                    [](const EncodingAttr &self) { return mapOrNone(mlirSparseTensorEncodingAttrGetLvlToDim(self)); });
    cls.def_prop_ro("pos_width",
                    [](const EncodingAttr &self) { return mlirSparseTensorEncodingAttrGetPosWidth(self); });
    cls.def_prop_ro("crd_width",
                    [](const EncodingAttr &self) { return mlirSparseTensorEncodingAttrGetCrdWidth(self); });
    cls.def_prop_ro("explicit_val", [](const EncodingAttr &self) {
      return wrapAttribute(mlirSparseTensorEncodingAttrGetExplicitVal(self));
    });
    cls.def_prop_ro("implicit_val", [](const EncodingAttr &self) {
      return wrapAttribute(mlirSparseTensorEncodingAttrGetImplicitVal(self));
    });
    auto lastLevel = [](const EncodingAttr &self) { return self.levels().empty() ? 0 : self.levels().back(); };
    cls.def_prop_ro("structured_n", [lastLevel](const EncodingAttr &self) {
      return mlirSparseTensorEncodingAttrGetStructuredN(lastLevel(self));
    });
    cls.def_prop_ro("structured_m", [lastLevel](const EncodingAttr &self) {
      return mlirSparseTensorEncodingAttrGetStructuredM(lastLevel(self));
    });
    cls.def_prop_ro("lvl_formats_enum", [](const EncodingAttr &self) {
      std::vector<MlirSparseTensorLevelFormat> formats;
      for (intptr_t i = 0, e = mlirSparseTensorEncodingGetLvlRank(self); i < e; ++i)
        formats.push_back(mlirSparseTensorEncodingAttrGetLvlFmt(self, i));
      return formats;
    });
  }
};

} // namespace

void populateLinalgDialect(nb::module_ &m) {
  bindDimensions(m);
  m.def("fill_builtin_region", &fillRegion, nb::arg("op"),
        "Fill the region for `op`, which is assumed to be a builtin named Linalg op.");
  m.def(
      "isa_contraction_op", [](PyOperationBase &op) { return mlirLinalgIsAContractionOp(op.state().get()); },
      nb::arg("op"), "Checks if the given operation is a Linalg contraction operation.");
  m.def(
      "infer_contraction_dimensions",
      [](PyOperationBase &op) { return orNone(mlirLinalgInferContractionDimensions(op.state().get())); }, nb::arg("op"),
      "Infers contraction dimensions (batch/m/n/k) for a Linalg contraction op.");
  m.def(
      "infer_contraction_dimensions_from_maps",
      [](std::vector<PyAffineMap> maps) -> std::optional<MlirLinalgContractionDimensions> {
        std::vector<MlirAffineMap> handles(maps.begin(), maps.end());
        return handles.empty() ? std::nullopt
                               : orNone(mlirLinalgInferContractionDimensionsFromMaps(handles.data(), handles.size()));
      },
      nb::arg("indexing_maps"), "Infers contraction dimensions (batch/m/n/k) from a list of affine maps.");
  m.def(
      "isa_convolution_op", [](PyOperationBase &op) { return mlirLinalgIsAConvolutionOp(op.state().get()); },
      nb::arg("op"), "Checks if the given operation is a Linalg convolution operation.");
  m.def(
      "infer_convolution_dimensions",
      [](PyOperationBase &op) { return orNone(mlirLinalgInferConvolutionDimensions(op.state().get())); }, nb::arg("op"),
      "Infers convolution dimensions.");
  m.def(
      "get_indexing_maps",
      [](PyOperationBase &op) { return wrapAttribute(mlirLinalgGetIndexingMapsAttribute(op.state().get())); },
      nb::arg("op"), "Returns the indexing_maps attribute for a linalg op.");
}

void populateSparseTensorDialect(nb::module_ &m) {
  nb::enum_<MlirSparseTensorLevelFormat>(m, "LevelFormat", nb::is_arithmetic(), nb::is_flag())
      .value("dense", MLIR_SPARSE_TENSOR_LEVEL_DENSE)
      .value("n_out_of_m", MLIR_SPARSE_TENSOR_LEVEL_N_OUT_OF_M)
      .value("compressed", MLIR_SPARSE_TENSOR_LEVEL_COMPRESSED)
      .value("singleton", MLIR_SPARSE_TENSOR_LEVEL_SINGLETON)
      .value("loose_compressed", MLIR_SPARSE_TENSOR_LEVEL_LOOSE_COMPRESSED)
      .value("batch", MLIR_SPARSE_TENSOR_LEVEL_BATCH);
  nb::enum_<MlirSparseTensorLevelPropertyNondefault>(m, "LevelProperty")
      .value("non_ordered", MLIR_SPARSE_PROPERTY_NON_ORDERED)
      .value("non_unique", MLIR_SPARSE_PROPERTY_NON_UNIQUE)
      .value("soa", MLIR_SPARSE_PROPERTY_SOA);
  EncodingAttr::bind(m);
}

} // namespace mlir::xla::python
