// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the transform and pdl dialects, and the transform interpreter.

#include "mlir_xla/python/bindings/DialectTypes.h"
#include "mlir_xla/python/bindings/Lifetime.h"

#include "mlir-c/Dialect/PDL.h"
#include "mlir-c/Dialect/Transform.h"
#include "mlir-c/Dialect/Transform/Interpreter.h"

namespace mlir::xla::python {
namespace {

#define CONTEXT_TYPE(Struct, Name, IsA, Get, GetName, GetTypeID)                                                       \
  struct Struct : ConcreteType<Struct> {                                                                               \
    static constexpr const char *className = Name;                                                                     \
    static constexpr auto isa = IsA;                                                                                   \
    static constexpr auto typeID = GetTypeID;                                                                          \
    static MlirStringRef name() { return GetName(); }                                                                  \
    static void bindMembers(Class &cls) {                                                                              \
      cls.def_static("get", [](DefaultCtx ctx) { return make(ctx.ctx, Get(ctx)); }, nb::arg("context") = nb::none());  \
    }                                                                                                                  \
  };
CONTEXT_TYPE(AnyOpType, "AnyOpType", mlirTypeIsATransformAnyOpType, mlirTransformAnyOpTypeGet,
             mlirTransformAnyOpTypeGetName, mlirTransformAnyOpTypeGetTypeID)
CONTEXT_TYPE(AnyParamType, "AnyParamType", mlirTypeIsATransformAnyParamType, mlirTransformAnyParamTypeGet,
             mlirTransformAnyParamTypeGetName, mlirTransformAnyParamTypeGetTypeID)
CONTEXT_TYPE(AnyValueType, "AnyValueType", mlirTypeIsATransformAnyValueType, mlirTransformAnyValueTypeGet,
             mlirTransformAnyValueTypeGetName, mlirTransformAnyValueTypeGetTypeID)
CONTEXT_TYPE(PdlAttributeType, "AttributeType", mlirTypeIsAPDLAttributeType, mlirPDLAttributeTypeGet,
             mlirPDLAttributeTypeGetName, mlirPDLAttributeTypeGetTypeID)
CONTEXT_TYPE(PdlOperationType, "OperationType", mlirTypeIsAPDLOperationType, mlirPDLOperationTypeGet,
             mlirPDLOperationTypeGetName, mlirPDLOperationTypeGetTypeID)
CONTEXT_TYPE(PdlTypeType, "TypeType", mlirTypeIsAPDLTypeType, mlirPDLTypeTypeGet, mlirPDLTypeTypeGetName,
             mlirPDLTypeTypeGetTypeID)
CONTEXT_TYPE(PdlValueType, "ValueType", mlirTypeIsAPDLValueType, mlirPDLValueTypeGet, mlirPDLValueTypeGetName,
             mlirPDLValueTypeGetTypeID)
#undef CONTEXT_TYPE

struct OperationType : ConcreteType<OperationType> {
  static constexpr const char *className = "OperationType";
  static constexpr auto isa = mlirTypeIsATransformOperationType;
  static constexpr auto typeID = mlirTransformOperationTypeGetTypeID;
  static MlirStringRef name() { return mlirTransformOperationTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](const std::string &operation, DefaultCtx ctx) {
          return make(ctx.ctx, mlirTransformOperationTypeGet(ctx, toRef(operation)));
        },
        nb::arg("operation_name"), nb::arg("context") = nb::none(),
        "Get an instance of OperationType for the given kind in the given context");
    cls.def_prop_ro(
        "operation_name",
        [](const OperationType &self) { return toStr(mlirTransformOperationTypeGetOperationName(self)); },
        "Get the name of the payload operation accepted by the handle.");
  }
};

struct ParamType : ConcreteType<ParamType> {
  static constexpr const char *className = "ParamType";
  static constexpr auto isa = mlirTypeIsATransformParamType;
  static constexpr auto typeID = mlirTransformParamTypeGetTypeID;
  static MlirStringRef name() { return mlirTransformParamTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](MlirType type, std::optional<Ref<Ctx>>) {
          Ref<Ctx> ctx = contextOf(type);
          return make(ctx, mlirTransformParamTypeGet(ctx->get(), type));
        },
        nb::arg("type"), nb::arg("context") = nb::none(),
        "Get an instance of ParamType for the given type in the given context.");
    cls.def_prop_ro(
        "type", [](const ParamType &self) { return mlirTransformParamTypeGetType(self); },
        "Get the type this ParamType is associated with.");
  }
};

struct PdlType : ConcreteType<PdlType> {
  static constexpr const char *className = "PDLType";
  static constexpr auto isa = mlirTypeIsAPDLType;
};

struct PdlRangeType : ConcreteType<PdlRangeType> {
  static constexpr const char *className = "RangeType";
  static constexpr auto isa = mlirTypeIsAPDLRangeType;
  static constexpr auto typeID = mlirPDLRangeTypeGetTypeID;
  static MlirStringRef name() { return mlirPDLRangeTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](MlirType element) {
          if (!mlirTypeIsAPDLType(element) || mlirTypeIsAPDLRangeType(element))
            throwPy(PyExc_ValueError, "the elements of a pdl range are attributes, operations, types or values, not " +
                                          toString(element));
          return make(contextOf(element), mlirPDLRangeTypeGet(element));
        },
        nb::arg("element_type"), "Gets an instance of RangeType in the same context as the provided element type.");
    cls.def_prop_ro(
        "element_type", [](const PdlRangeType &self) { return mlirPDLRangeTypeGetElementType(self); },
        "Get the element type.");
  }
};

//===--- Interpreter
//-------------------------------------------------------------------------------------------------===//

class TransformOptions {
public:
  TransformOptions() : options(mlirTransformOptionsCreate()) {}
  TransformOptions(const TransformOptions &) = delete;
  ~TransformOptions() { mlirTransformOptionsDestroy(options); }
  operator MlirTransformOptions() const { return options; }

private:
  MlirTransformOptions options;
};

/// ValueError, as upstream raises, with the text of the diagnostics.
[[noreturn]] void throwWithErrors(std::string message, ErrorCapture &errors) {
  for (const DiagnosticInfo &error : errors.take())
    message += "\n  " + toString(error.location.loc) + ": " + error.message;
  throwPy(PyExc_ValueError, message);
}

} // namespace

void populateTransformDialect(nb::module_ &m) {
  AnyOpType::bind(m);
  AnyParamType::bind(m);
  AnyValueType::bind(m);
  OperationType::bind(m);
  ParamType::bind(m);
}

void populatePdlDialect(nb::module_ &m) {
  PdlType::bind(m);
  PdlAttributeType::bind(m);
  PdlOperationType::bind(m);
  PdlRangeType::bind(m);
  PdlTypeType::bind(m);
  PdlValueType::bind(m);
}

void populateTransformInterpreter(nb::module_ &m) {
  nb::class_<TransformOptions>(m, "TransformOptions")
      .def(nb::init<>())
      .def_prop_rw(
          "expensive_checks",
          [](const TransformOptions &self) { return mlirTransformOptionsGetExpensiveChecksEnabled(self); },
          [](TransformOptions &self, bool value) { mlirTransformOptionsEnableExpensiveChecks(self, value); })
      .def_prop_rw(
          "enforce_single_top_level_transform_op",
          [](const TransformOptions &self) { return mlirTransformOptionsGetEnforceSingleTopLevelTransformOp(self); },
          [](TransformOptions &self, bool value) {
            mlirTransformOptionsEnforceSingleTopLevelTransformOp(self, value);
          });
  m.def(
      "apply_named_sequence",
      [](PyOperationBase &payload, PyOperationBase &transformRoot, PyOperationBase &transformModule,
         TransformOptions *options) {
        PyOperation &root = payload.state();
        ErrorCapture errors(root.ctx);
        TransformOptions defaults;
        MlirLogicalResult result;
        {
          SurvivorTracking tracking(root);
          result = mlirTransformApplyNamedSequence(root.get(), transformRoot.state().get(),
                                                   transformModule.state().get(), options ? *options : defaults);
        }
        if (mlirLogicalResultIsFailure(result))
          throwWithErrors("Failed to apply named transform sequence", errors);
      },
      nb::arg("payload_root"), nb::arg("transform_root"), nb::arg("transform_module"),
      nb::arg("transform_options") = nb::none());
  m.def(
      "copy_symbols_and_merge_into",
      [](PyOperationBase &target, PyOperationBase &other) {
        PyOperation &root = target.state();
        ErrorCapture errors(root.ctx);
        MlirLogicalResult result;
        {
          SurvivorTracking tracking(root);
          result = mlirMergeSymbolsIntoFromClone(root.get(), other.state().get());
        }
        if (mlirLogicalResultIsFailure(result))
          throwWithErrors("Failed to merge symbols", errors);
      },
      nb::arg("target"), nb::arg("other"));
}

} // namespace mlir::xla::python
