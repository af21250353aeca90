// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interfaces of operations (InferTypeOpInterface, InferShapedTypeOpInterface) and MLIR's debug output (`_GlobalDebug`).

#include "mlir_xla/python/bindings/Arguments.h"
#include "mlir_xla/python/bindings/Parts.h"

#include "mlir-c/Debug.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Wrap.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include <cstddef>
#include <memory>

using namespace mlir::xla::python;

namespace {

/// An operation, or a class of operations, that has the interface.
template <typename Interface> struct PyInterface {
  Ref<Ctx> ctx;
  std::string name;
  /// Null for a class.
  Ref<PyOperation> op;
  const typename Interface::Concept *interface;
};
using PyInferTypeOpInterface = PyInterface<mlir::InferTypeOpInterface>;
using PyInferShapedTypeOpInterface = PyInterface<mlir::InferShapedTypeOpInterface>;

/// What is known of a shaped type: the element type, and the shape if there is a rank.
struct PyShapedTypeComponents {
  Ref<Ctx> ctx;
  MlirType elementType;
  std::optional<std::vector<int64_t>> shape;
  MlirAttribute attribute = mlirAttributeGetNull();
};

/// The properties that an operation would have with these attributes.
class Properties {
public:
  Properties(mlir::RegisteredOperationName name, mlir::DictionaryAttr attributes, mlir::Location loc) : name(name) {
    if (int size = name.getOpPropertyByteSize()) {
      storage = std::make_unique<std::max_align_t[]>(size / sizeof(std::max_align_t) + 1);
      name.initOpProperties(get(), mlir::OpaqueProperties(nullptr));
      auto emitError = [&] { return mlir::emitError(loc) << "invalid attributes for operation " << name << ": "; };
      valid = succeeded(name.setOpPropertiesFromAttribute(name, get(), attributes, emitError));
    }
  }
  Properties(const Properties &) = delete;
  ~Properties() {
    if (storage)
      name.destroyOpProperties(get());
  }
  mlir::OpaqueProperties get() { return mlir::OpaqueProperties(storage.get()); }
  bool valid = true;

private:
  mlir::RegisteredOperationName name;
  std::unique_ptr<std::max_align_t[]> storage;
};

} // namespace

template <typename Interface>
static PyInterface<Interface> makeInterface(const char *interfaceName, nb::object object,
                                            const std::optional<DefaultCtx> &context) {
  PyInterface<Interface> result;
  if (nb::isinstance<PyOperationBase>(object)) {
    result.op = Ref<PyOperation>(&nb::cast<PyOperationBase &>(object).state());
    result.ctx = result.op->ctx;
    result.name = toView(mlirIdentifierStr(mlirOperationGetName(*result.op)));
  } else {
    nb::object name = nb::getattr(object, "OPERATION_NAME", nb::none());
    if (!nb::isinstance<nb::str>(name))
      throwPy(PyExc_TypeError, "Op interface does not refer to an operation or OpView class");
    result.ctx = context ? context->ctx : DefaultCtx::resolve();
    result.name = nb::cast<std::string>(name);
  }
  auto registered = mlir::RegisteredOperationName::lookup(result.name, unwrap(result.ctx->get()));
  result.interface = registered ? registered->template getInterface<Interface>() : nullptr;
  if (!result.interface)
    throwPy(PyExc_ValueError, "the operation '" + result.name + "' does not implement " + interfaceName);
  return result;
}

/// Calls `f(context, location, operands, attributes, properties)`, which returns whether inference succeeded.
template <typename Interface, typename F>
static void infer(PyInterface<Interface> &self, const char *what, const std::optional<nb::sequence> &operands,
                  const std::optional<MlirAttribute> &attributes, DefaultLoc loc, F f) {
  llvm::SmallVector<mlir::Value> values;
  if (operands)
    for (nb::handle operand : *operands)
      values.push_back(unwrap(toValue(operand)));
  mlir::MLIRContext *context = unwrap(self.ctx->get());
  auto dictionary = mlir::DictionaryAttr::get(context);
  if (attributes) {
    dictionary = llvm::dyn_cast<mlir::DictionaryAttr>(unwrap(*attributes));
    if (!dictionary)
      throwPy(PyExc_TypeError, "attributes must be a DictAttr");
  }
  ErrorCapture errors(self.ctx);
  auto name = *mlir::RegisteredOperationName::lookup(self.name, context);
  mlir::Location location = unwrap(loc.get());
  Properties properties(name, dictionary, location);
  if (!properties.valid || failed(f(context, location, values, dictionary, properties.get()))) {
    std::string message = what;
    for (const DiagnosticInfo &error : errors.take())
      message += ": " + error.message;
    throwPy(PyExc_ValueError, message);
  }
}

static std::vector<MlirType> inferTypes(PyInferTypeOpInterface &self, const std::optional<nb::sequence> &operands,
                                        const std::optional<MlirAttribute> &attributes, DefaultLoc loc) {
  llvm::SmallVector<mlir::Type> types;
  infer(self, "Failed to infer result types", operands, attributes, std::move(loc),
        [&](mlir::MLIRContext *context, mlir::Location location, mlir::ValueRange values,
            mlir::DictionaryAttr dictionary, mlir::OpaqueProperties properties) {
          return self.interface->inferReturnTypes(context, location, values, dictionary, properties, /*regions=*/{},
                                                  types);
        });
  std::vector<MlirType> result;
  for (mlir::Type type : types)
    result.push_back(wrap(type));
  return result;
}

static std::vector<PyShapedTypeComponents> inferComponents(PyInferShapedTypeOpInterface &self,
                                                           const std::optional<nb::sequence> &operands,
                                                           const std::optional<MlirAttribute> &attributes,
                                                           DefaultLoc loc) {
  llvm::SmallVector<mlir::ShapedTypeComponents> components;
  infer(self, "Failed to infer result shape type components", operands, attributes, std::move(loc),
        [&](mlir::MLIRContext *context, mlir::Location location, mlir::ValueRange values,
            mlir::DictionaryAttr dictionary, mlir::OpaqueProperties properties) {
          return self.interface->inferReturnTypeComponents(context, location, mlir::ValueShapeRange(values), dictionary,
                                                           properties, /*regions=*/{}, components);
        });
  std::vector<PyShapedTypeComponents> result;
  for (const mlir::ShapedTypeComponents &each : components) {
    PyShapedTypeComponents made{self.ctx, wrap(each.getElementType()), std::nullopt, wrap(each.getAttribute())};
    if (each.hasRank())
      made.shape.emplace(each.getDims().begin(), each.getDims().end());
    result.push_back(std::move(made));
  }
  return result;
}

/// What all interfaces have.
template <typename Interface> static auto bindInterface(nb::module_ &m, const char *name, const char *doc) {
  using Self = PyInterface<Interface>;
  nb::class_<Self> cls(m, name, doc);
  cls.def(
         "__init__",
         [name](Self *self, nb::object object, std::optional<Ref<Ctx>> context) {
           std::optional<DefaultCtx> given;
           if (context)
             given = DefaultCtx{*context};
           new (self) Self(makeInterface<Interface>(name, std::move(object), given));
         },
         nb::arg("object"), nb::arg("context") = nb::none(),
         nb::sig("def __init__(self, object: _OperationBase | type[OpView], context: Context | None = None) -> None"),
         "ValueError if the operation or class does not implement the interface.")
      .def_prop_ro(
          "operation",
          [](Self &self) {
            if (!self.op)
              throwPy(PyExc_TypeError, "Cannot get an operation from a static interface");
            return self.op;
          },
          "The operation from which it was made; TypeError for a class.")
      .def_prop_ro(
          "opview",
          [](Self &self) {
            if (!self.op)
              throwPy(PyExc_TypeError, "Cannot get an opview from a static interface");
            return OpViewObject(self.op->opView());
          },
          "The view of that operation; TypeError for a class.");
  return cls;
}

static void bindShapedTypeComponents(nb::module_ &m) {
  using Self = PyShapedTypeComponents;
  auto make = [](MlirType elementType, std::optional<std::vector<int64_t>> shape, std::optional<MlirAttribute> attr) {
    return Self{contextOf(elementType), elementType, std::move(shape), attr.value_or(mlirAttributeGetNull())};
  };
  nb::class_<Self>(m, "ShapedTypeComponents", "What is known of a shaped type.")
      .def_static("get", make, nb::arg("element_type"), nb::arg("shape") = nb::none(),
                  nb::arg("attribute") = nb::none(), "Components without a rank if there is no `shape`.")
      .def_static(
          "get",
          [make](std::vector<int64_t> shape, MlirType elementType, std::optional<MlirAttribute> attr) {
            return make(elementType, std::move(shape), attr);
          },
          nb::arg("shape"), nb::arg("element_type"), nb::arg("attribute") = nb::none())
      .def_prop_ro("element_type", [](Self &self) { return wrapType(self.elementType); })
      .def_prop_ro("has_rank", [](Self &self) { return self.shape.has_value(); })
      .def_prop_ro(
          "rank", [](Self &self) { return self.shape ? std::optional<size_t>(self.shape->size()) : std::nullopt; },
          "None if unranked.")
      .def_prop_ro(
          "shape", [](Self &self) { return self.shape; }, "None if unranked.")
      .def_prop_ro("attribute", [](Self &self) { return wrapAttribute(self.attribute); }, "None if there is none.");
}

void mlir::xla::python::populateInterfaces(nb::module_ &m) {
  bindInterface<mlir::InferTypeOpInterface>(m, "InferTypeOpInterface", "Operations that can infer their result types.")
      .def("inferReturnTypes", inferTypes, nb::arg("operands") = nb::none(), nb::arg("attributes") = nb::none(),
           nb::arg("loc") = nb::none(),
           nb::sig("def inferReturnTypes(self, operands: Sequence[Value] | None = None, attributes: Attribute | None = "
                   "None, loc: Location | None = None) -> list[Type]"),
           "The result types for these operands and attributes (a DictAttr); ValueError if they do not fit.");
  bindShapedTypeComponents(m);
  bindInterface<mlir::InferShapedTypeOpInterface>(m, "InferShapedTypeOpInterface",
                                                  "Operations that can infer the shapes of their results.")
      .def("inferReturnTypeComponents", inferComponents, nb::arg("operands") = nb::none(),
           nb::arg("attributes") = nb::none(), nb::arg("loc") = nb::none(),
           nb::sig("def inferReturnTypeComponents(self, operands: Sequence[Value] | None = None, attributes: Attribute "
                   "| None = None, loc: Location | None = None) -> list[ShapedTypeComponents]"),
           "What is known of the results for these operands and attributes; ValueError if they do not fit.");

  struct GlobalDebug {};
  nb::class_<GlobalDebug>(m, "_GlobalDebug", "LLVM's debug output, in builds of LLVM that have it.")
      .def_prop_rw_static(
          "flag", [](nb::handle) { return mlirIsGlobalDebugEnabled(); },
          [](nb::handle, bool value) { mlirEnableGlobalDebug(value); }, "Whether debug output is on.")
      .def_static(
          "set_types", [](const std::string &type) { mlirSetGlobalDebugType(type.c_str()); }, nb::arg("types"),
          "Restricts the output to one debug type.")
      .def_static(
          "set_types",
          [](const std::vector<std::string> &types) {
            std::vector<const char *> pointers;
            for (const std::string &type : types)
              pointers.push_back(type.c_str());
            mlirSetGlobalDebugTypes(pointers.data(), pointers.size());
          },
          nb::arg("types"), "Restricts the output to some debug types.");
}
