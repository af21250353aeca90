// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The token type and the structured attributes of the xla dialect. Names follow StableHLO's Python bindings where it
// has the attribute; parameters are those of XlaAttrs.td. Dynamic sizes are `ShapedType.get_dynamic_size()`.

#include "mlir_xla/python/bindings/Bindings.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir_xla/dialect/XlaDialect.h"

namespace mlir::xla::python {
namespace {

using Dims = std::vector<int64_t>;

struct PyTokenType : PyConcreteType<PyTokenType> {
  static constexpr IsAFunctionTy isaFunction = [](MlirType type) { return llvm::isa<TokenType>(unwrap(type)); };
  static constexpr GetTypeIDFunctionTy getTypeIdFunction = [] { return wrap(mlir::TypeID::get<TokenType>()); };
  static constexpr const char *pyClassName = "TokenType";
  static inline const MlirStringRef name = wrap(TokenType::name);
  using Base::Base;
  static void bindDerived(ClassTy &cls) {
    cls.def_static(
        "get",
        [](DefaultingPyMlirContext ctx) {
          return PyTokenType(ctx->getRef(), wrap(TokenType::get(unwrap(ctx->get()))));
        },
        nb::arg("context") = nb::none(), "The type that orders operations with side effects.");
  }
};

/// What the classes of structured attributes share: the C++ attribute and properties made from its accessors.
template <typename Derived, typename Attr> struct StructuredAttribute : PyConcreteAttribute<Derived> {
  using Base = PyConcreteAttribute<Derived>;
  using ClassTy = typename Base::ClassTy;
  static constexpr
      typename Base::IsAFunctionTy isaFunction = [](MlirAttribute attr) { return llvm::isa<Attr>(unwrap(attr)); };
  static constexpr
      typename Base::GetTypeIDFunctionTy getTypeIdFunction = [] { return wrap(mlir::TypeID::get<Attr>()); };
  static inline const MlirStringRef name = wrap(Attr::name);
  using Base::Base;
  StructuredAttribute(PyAttribute &orig) : Base(orig) {}

  Attr cpp() const { return llvm::cast<Attr>(unwrap(this->get())); }

  template <typename... Params> static Derived create(DefaultingPyMlirContext ctx, Params &&...params) {
    return Derived(ctx->getRef(), wrap(Attr::get(unwrap(ctx->get()), std::forward<Params>(params)...)));
  }

  /// For attributes with a verifier; MLIRError with its message if the parameters do not fit.
  template <typename... Params> static Derived createChecked(DefaultingPyMlirContext ctx, Params &&...params) {
    ErrorCapture errors(ctx->getRef());
    MLIRContext *context = unwrap(ctx->get());
    Attr attr = Attr::getChecked([&] { return mlir::emitError(UnknownLoc::get(context)); }, context,
                                 std::forward<Params>(params)...);
    if (!attr)
      errors.fail("Invalid attribute");
    return Derived(ctx->getRef(), wrap(attr));
  }

  template <auto getter> static void defDims(ClassTy &cls, const char *property) {
    cls.def_prop_ro(property, [](const Derived &self) {
      ArrayRef<int64_t> dims = (self.cpp().*getter)();
      return Dims(dims.begin(), dims.end());
    });
  }
  template <auto getter> static void defValue(ClassTy &cls, const char *property) {
    cls.def_prop_ro(property, [](const Derived &self) { return (self.cpp().*getter)(); });
  }
  template <auto getter> static void defType(ClassTy &cls, const char *property) {
    cls.def_prop_ro(property, [](Derived &self) -> nb::typed<nb::object, PyType> {
      return PyType(self.getContext(), wrap((self.cpp().*getter)())).maybeDownCast();
    });
  }
  template <auto getter> static void defDouble(ClassTy &cls, const char *property) {
    cls.def_prop_ro(property, [](const Derived &self) { return (self.cpp().*getter)().convertToDouble(); });
  }
};

//===--- Enumerations
//------------------------------------------------------------------------------------------------===//

/// The value that a Python string or integer (such as a member of the generated IntEnum) names.
template <typename Enum, typename FromString, typename FromInt>
Enum toEnum(nb::handle value, const char *what, unsigned maximum, FromString fromString, FromInt fromInt,
            llvm::StringRef (*toText)(Enum)) {
  std::optional<Enum> result;
  if (nb::isinstance<nb::str>(value))
    result = fromString(nb::cast<std::string>(value));
  else if (nb::isinstance<nb::int_>(value))
    result = fromInt(nb::cast<uint32_t>(nb::int_(value)));
  if (result)
    return *result;
  std::string message = "unknown " + std::string(what) + ": " + nb::cast<std::string>(nb::repr(value)) + "; expected";
  for (unsigned i = 0; i <= maximum; ++i)
    if (std::optional<Enum> known = fromInt(i))
      message += std::string(i ? ", " : " ") + toText(*known).str();
  throwPy(PyExc_ValueError, message);
}

#define XLA_ENUM(Name)                                                                                                 \
  Name to##Name(nb::handle value) {                                                                                    \
    return toEnum<Name>(                                                                                               \
        value, #Name, getMaxEnumValFor##Name(), [](llvm::StringRef text) { return symbolize##Name(text); },            \
        [](uint32_t number) { return symbolize##Name(number); },                                                       \
        +[](Name known) -> llvm::StringRef { return stringify##Name(known); });                                        \
  }                                                                                                                    \
  struct Py##Name##Attr : StructuredAttribute<Py##Name##Attr, Name##Attr> {                                            \
    using StructuredAttribute::StructuredAttribute;                                                                    \
    static constexpr const char *pyClassName = #Name "Attr";                                                           \
    static void bindDerived(ClassTy &cls) {                                                                            \
      cls.def_static(                                                                                                  \
          "get", [](nb::handle value, DefaultingPyMlirContext ctx) { return create(ctx, to##Name(value)); },           \
          nb::arg("value"), nb::arg("context") = nb::none(),                                                           \
          nb::sig("def get(value: str | int, context: Context | None = None) -> " #Name "Attr"));                      \
      cls.def_prop_ro("value",                                                                                         \
                      [](const Py##Name##Attr &self) { return stringify##Name(self.cpp().getValue()).str(); });        \
      cls.def("__int__", [](const Py##Name##Attr &self) { return (uint32_t)self.cpp().getValue(); });                  \
    }                                                                                                                  \
  };
XLA_ENUM(ComparisonDirection)
XLA_ENUM(ComparisonType)
XLA_ENUM(Precision)
XLA_ENUM(FftType)
XLA_ENUM(Transpose)
XLA_ENUM(RngAlgorithm)
XLA_ENUM(RngDistribution)
XLA_ENUM(PaddingValue)
XLA_ENUM(ResultAccuracyMode)
#undef XLA_ENUM

//===--- Dimension numbers
//-------------------------------------------------------------------------------------------===//

#define DIMS_ARG(name) nb::arg(name) = Dims()
#define CONTEXT_ARG nb::arg("context") = nb::none()

struct PyDotDimensionNumbers : StructuredAttribute<PyDotDimensionNumbers, DotDimensionNumbersAttr> {
  using StructuredAttribute::StructuredAttribute;
  static constexpr const char *pyClassName = "DotDimensionNumbers";
  using A = DotDimensionNumbersAttr;
  static void bindDerived(ClassTy &cls) {
    cls.def_static(
        "get",
        [](const Dims &lhsBatching, const Dims &rhsBatching, const Dims &lhsContracting, const Dims &rhsContracting,
           DefaultingPyMlirContext ctx) {
          return create(ctx, lhsBatching, rhsBatching, lhsContracting, rhsContracting);
        },
        DIMS_ARG("lhs_batching_dimensions"), DIMS_ARG("rhs_batching_dimensions"),
        DIMS_ARG("lhs_contracting_dimensions"), DIMS_ARG("rhs_contracting_dimensions"), CONTEXT_ARG,
        "Batching and contracting dimensions of dot_general.");
    defDims<&A::getLhsBatchingDimensions>(cls, "lhs_batching_dimensions");
    defDims<&A::getRhsBatchingDimensions>(cls, "rhs_batching_dimensions");
    defDims<&A::getLhsContractingDimensions>(cls, "lhs_contracting_dimensions");
    defDims<&A::getRhsContractingDimensions>(cls, "rhs_contracting_dimensions");
  }
};

struct PyGatherDimensionNumbers : StructuredAttribute<PyGatherDimensionNumbers, GatherDimensionNumbersAttr> {
  using StructuredAttribute::StructuredAttribute;
  static constexpr const char *pyClassName = "GatherDimensionNumbers";
  using A = GatherDimensionNumbersAttr;
  static void bindDerived(ClassTy &cls) {
    cls.def_static(
        "get",
        [](const Dims &offset, const Dims &collapsed, const Dims &operandBatching, const Dims &indicesBatching,
           const Dims &startIndexMap, int64_t indexVectorDim, DefaultingPyMlirContext ctx) {
          return create(ctx, offset, collapsed, operandBatching, indicesBatching, startIndexMap, indexVectorDim);
        },
        DIMS_ARG("offset_dims"), DIMS_ARG("collapsed_slice_dims"), DIMS_ARG("operand_batching_dims"),
        DIMS_ARG("start_indices_batching_dims"), DIMS_ARG("start_index_map"), nb::arg("index_vector_dim") = 0,
        CONTEXT_ARG, "Dimension numbers of gather.");
    defDims<&A::getOffsetDims>(cls, "offset_dims");
    defDims<&A::getCollapsedSliceDims>(cls, "collapsed_slice_dims");
    defDims<&A::getOperandBatchingDims>(cls, "operand_batching_dims");
    defDims<&A::getStartIndicesBatchingDims>(cls, "start_indices_batching_dims");
    defDims<&A::getStartIndexMap>(cls, "start_index_map");
    defValue<&A::getIndexVectorDim>(cls, "index_vector_dim");
  }
};

struct PyScatterDimensionNumbers : StructuredAttribute<PyScatterDimensionNumbers, ScatterDimensionNumbersAttr> {
  using StructuredAttribute::StructuredAttribute;
  static constexpr const char *pyClassName = "ScatterDimensionNumbers";
  using A = ScatterDimensionNumbersAttr;
  static void bindDerived(ClassTy &cls) {
    cls.def_static(
        "get",
        [](const Dims &updateWindow, const Dims &insertedWindow, const Dims &inputBatching, const Dims &indicesBatching,
           const Dims &scatterToOperand, int64_t indexVectorDim, DefaultingPyMlirContext ctx) {
          return create(ctx, updateWindow, insertedWindow, inputBatching, indicesBatching, scatterToOperand,
                        indexVectorDim);
        },
        DIMS_ARG("update_window_dims"), DIMS_ARG("inserted_window_dims"), DIMS_ARG("input_batching_dims"),
        DIMS_ARG("scatter_indices_batching_dims"), DIMS_ARG("scattered_dims_to_operand_dims"),
        nb::arg("index_vector_dim") = 0, CONTEXT_ARG, "Dimension numbers of scatter.");
    defDims<&A::getUpdateWindowDims>(cls, "update_window_dims");
    defDims<&A::getInsertedWindowDims>(cls, "inserted_window_dims");
    defDims<&A::getInputBatchingDims>(cls, "input_batching_dims");
    defDims<&A::getScatterIndicesBatchingDims>(cls, "scatter_indices_batching_dims");
    defDims<&A::getScatterDimsToOperandDims>(cls, "scattered_dims_to_operand_dims");
    defValue<&A::getIndexVectorDim>(cls, "index_vector_dim");
  }
};

struct PyConvDimensionNumbers : StructuredAttribute<PyConvDimensionNumbers, ConvDimensionNumbersAttr> {
  using StructuredAttribute::StructuredAttribute;
  static constexpr const char *pyClassName = "ConvDimensionNumbers";
  using A = ConvDimensionNumbersAttr;
  static void bindDerived(ClassTy &cls) {
    cls.def_static(
        "get",
        [](int64_t inputBatch, int64_t inputFeature, const Dims &inputSpatial, int64_t kernelInput,
           int64_t kernelOutput, const Dims &kernelSpatial, int64_t outputBatch, int64_t outputFeature,
           const Dims &outputSpatial, DefaultingPyMlirContext ctx) {
          return create(ctx, inputBatch, inputFeature, inputSpatial, kernelInput, kernelOutput, kernelSpatial,
                        outputBatch, outputFeature, outputSpatial);
        },
        nb::arg("input_batch_dimension"), nb::arg("input_feature_dimension"), nb::arg("input_spatial_dimensions"),
        nb::arg("kernel_input_feature_dimension"), nb::arg("kernel_output_feature_dimension"),
        nb::arg("kernel_spatial_dimensions"), nb::arg("output_batch_dimension"), nb::arg("output_feature_dimension"),
        nb::arg("output_spatial_dimensions"), CONTEXT_ARG, "Dimension numbers of convolution.");
    defValue<&A::getInputBatchDimension>(cls, "input_batch_dimension");
    defValue<&A::getInputFeatureDimension>(cls, "input_feature_dimension");
    defDims<&A::getInputSpatialDimensions>(cls, "input_spatial_dimensions");
    defValue<&A::getKernelInputFeatureDimension>(cls, "kernel_input_feature_dimension");
    defValue<&A::getKernelOutputFeatureDimension>(cls, "kernel_output_feature_dimension");
    defDims<&A::getKernelSpatialDimensions>(cls, "kernel_spatial_dimensions");
    defValue<&A::getOutputBatchDimension>(cls, "output_batch_dimension");
    defValue<&A::getOutputFeatureDimension>(cls, "output_feature_dimension");
    defDims<&A::getOutputSpatialDimensions>(cls, "output_spatial_dimensions");
  }
};

//===--- Layout, communication, accuracy
//-----------------------------------------------------------------------------===//

struct PyLayoutAttr : StructuredAttribute<PyLayoutAttr, LayoutAttr> {
  using StructuredAttribute::StructuredAttribute;
  static constexpr const char *pyClassName = "LayoutAttr";
  static void bindDerived(ClassTy &cls) {
    cls.def_static(
        "get",
        [](const Dims &minorToMajor, const Dims &padded, nb::object padding, DefaultingPyMlirContext ctx) {
          std::optional<PaddingValue> value;
          if (!padding.is_none())
            value = toPaddingValue(padding);
          return createChecked(ctx, ArrayRef<int64_t>(minorToMajor), ArrayRef<int64_t>(padded), value);
        },
        nb::arg("minor_to_major"), DIMS_ARG("padded"), nb::arg("padding") = nb::none(), CONTEXT_ARG,
        nb::sig("def get(minor_to_major: collections.abc.Sequence[int], padded: collections.abc.Sequence[int] = [], "
                "padding: str | int | None = None, context: Context | None = None) -> LayoutAttr"),
        "Order and padding of a tensor's elements in memory: the encoding of a RankedTensorType.");
    defDims<&LayoutAttr::getMinorToMajor>(cls, "minor_to_major");
    defDims<&LayoutAttr::getPadded>(cls, "padded");
    cls.def_prop_ro("padding", [](const PyLayoutAttr &self) -> std::optional<std::string> {
      std::optional<PaddingValue> padding = self.cpp().getPadding();
      return padding ? std::optional(stringifyPaddingValue(*padding).str()) : std::nullopt;
    });
  }
};

struct PyBoundsAttr : StructuredAttribute<PyBoundsAttr, BoundsAttr> {
  using StructuredAttribute::StructuredAttribute;
  static constexpr const char *pyClassName = "BoundsAttr";
  static void bindDerived(ClassTy &cls) {
    cls.def_static(
        "get", [](const Dims &bounds, DefaultingPyMlirContext ctx) { return create(ctx, bounds); }, nb::arg("bounds"),
        CONTEXT_ARG, "Upper bounds of a tensor's dynamic dimensions: the encoding of a RankedTensorType.");
    defDims<&BoundsAttr::getBounds>(cls, "bounds");
  }
};

struct PyChannelHandle : StructuredAttribute<PyChannelHandle, ChannelHandleAttr> {
  using StructuredAttribute::StructuredAttribute;
  static constexpr const char *pyClassName = "ChannelHandle";
  static void bindDerived(ClassTy &cls) {
    cls.def_static(
        "get", [](int64_t handle, int64_t type, DefaultingPyMlirContext ctx) { return create(ctx, handle, type); },
        nb::arg("handle"), nb::arg("type"), CONTEXT_ARG,
        "A channel; its type is 1 between devices, 2 from device to host, 3 from host to device.");
    defValue<&ChannelHandleAttr::getHandle>(cls, "handle");
    cls.def_prop_ro("channel_type", [](const PyChannelHandle &self) { return self.cpp().getType(); });
  }
};

struct PyOutputOperandAlias : StructuredAttribute<PyOutputOperandAlias, OutputOperandAliasAttr> {
  using StructuredAttribute::StructuredAttribute;
  static constexpr const char *pyClassName = "OutputOperandAlias";
  static void bindDerived(ClassTy &cls) {
    cls.def_static(
        "get",
        [](const Dims &outputIndices, int64_t operand, const Dims &operandIndices, DefaultingPyMlirContext ctx) {
          return create(ctx, outputIndices, operand, operandIndices);
        },
        nb::arg("output_tuple_indices"), nb::arg("operand_index"), nb::arg("operand_tuple_indices"), CONTEXT_ARG,
        "An output of a custom call that shares the buffer of an operand.");
    defDims<&OutputOperandAliasAttr::getOutputTupleIndices>(cls, "output_tuple_indices");
    defValue<&OutputOperandAliasAttr::getOperandIndex>(cls, "operand_index");
    defDims<&OutputOperandAliasAttr::getOperandTupleIndices>(cls, "operand_tuple_indices");
  }
};

struct PyResultAccuracyAttr : StructuredAttribute<PyResultAccuracyAttr, ResultAccuracyAttr> {
  using StructuredAttribute::StructuredAttribute;
  static constexpr const char *pyClassName = "ResultAccuracyAttr";
  static void bindDerived(ClassTy &cls) {
    cls.def_static(
        "get",
        [](double atol, double rtol, int64_t ulps, nb::handle mode, DefaultingPyMlirContext ctx) {
          auto modeAttr = ResultAccuracyModeAttr::get(unwrap(ctx->get()), toResultAccuracyMode(mode));
          return createChecked(ctx, llvm::APFloat(atol), llvm::APFloat(rtol), ulps, modeAttr);
        },
        nb::arg("atol") = 0.0, nb::arg("rtol") = 0.0, nb::arg("ulps") = 0, nb::arg("mode") = "DEFAULT", CONTEXT_ARG,
        nb::sig("def get(atol: float = 0.0, rtol: float = 0.0, ulps: int = 0, mode: str | int = 'DEFAULT', "
                "context: Context | None = None) -> ResultAccuracyAttr"),
        "Required accuracy of a transcendental function.");
    defDouble<&ResultAccuracyAttr::getAtol>(cls, "atol");
    defDouble<&ResultAccuracyAttr::getRtol>(cls, "rtol");
    defValue<&ResultAccuracyAttr::getUlps>(cls, "ulps");
    cls.def_prop_ro("mode", [](const PyResultAccuracyAttr &self) -> std::string {
      ResultAccuracyModeAttr mode = self.cpp().getMode();
      return stringifyResultAccuracyMode(mode ? mode.getValue() : ResultAccuracyMode::DEFAULT).str();
    });
  }
};

struct PyDotAlgorithm : StructuredAttribute<PyDotAlgorithm, DotAlgorithmAttr> {
  using StructuredAttribute::StructuredAttribute;
  static constexpr const char *pyClassName = "DotAlgorithm";
  using A = DotAlgorithmAttr;
  static void bindDerived(ClassTy &cls) {
    cls.def_static(
        "get",
        [](MlirType lhs, MlirType rhs, MlirType accumulation, int64_t lhsCount, int64_t rhsCount, int64_t primitives,
           bool imprecise, DefaultingPyMlirContext ctx) {
          return create(ctx, unwrap(lhs), unwrap(rhs), unwrap(accumulation), lhsCount, rhsCount, primitives, imprecise);
        },
        nb::arg("lhs_precision_type"), nb::arg("rhs_precision_type"), nb::arg("accumulation_type"),
        nb::arg("lhs_component_count") = 1, nb::arg("rhs_component_count") = 1, nb::arg("num_primitive_operations") = 1,
        nb::arg("allow_imprecise_accumulation") = false, CONTEXT_ARG,
        "How the products and sums of a contraction are computed.");
    defType<&A::getLhsPrecisionType>(cls, "lhs_precision_type");
    defType<&A::getRhsPrecisionType>(cls, "rhs_precision_type");
    defType<&A::getAccumulationType>(cls, "accumulation_type");
    defValue<&A::getLhsComponentCount>(cls, "lhs_component_count");
    defValue<&A::getRhsComponentCount>(cls, "rhs_component_count");
    defValue<&A::getNumPrimitiveOperations>(cls, "num_primitive_operations");
    defValue<&A::getAllowImpreciseAccumulation>(cls, "allow_imprecise_accumulation");
  }
};

template <typename... Classes> void bindAll(nb::module_ &m) { (Classes::bind(m), ...); }

} // namespace

void populateXlaDialect(nb::module_ &m) {
  bindAll<PyTokenType, PyComparisonDirectionAttr, PyComparisonTypeAttr, PyPrecisionAttr, PyFftTypeAttr, PyTransposeAttr,
          PyRngAlgorithmAttr, PyRngDistributionAttr, PyPaddingValueAttr, PyResultAccuracyModeAttr,
          PyDotDimensionNumbers, PyGatherDimensionNumbers, PyScatterDimensionNumbers, PyConvDimensionNumbers,
          PyLayoutAttr, PyBoundsAttr, PyChannelHandle, PyOutputOperandAlias, PyResultAccuracyAttr, PyDotAlgorithm>(m);
}

} // namespace mlir::xla::python
