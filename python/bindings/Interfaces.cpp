// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interfaces of operations (InferTypeOpInterface) and MLIR's debug output (`_GlobalDebug`).

#include "mlir_xla/python/bindings/Parts.h"

#include "mlir-c/Debug.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Wrap.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include <cstddef>
#include <memory>

using namespace mlir::xla::python;

namespace {

/// An operation, or a class of operations, that can infer its result types.
struct PyInferTypeOpInterface {
  Ref<Ctx> ctx;
  std::string name;
  /// Null for a class.
  Ref<PyOperation> op;
  const mlir::InferTypeOpInterface::Concept *interface;
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

static PyInferTypeOpInterface makeInterface(nb::object object, const std::optional<DefaultCtx> &context) {
  PyInferTypeOpInterface result;
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
  result.interface = registered ? registered->getInterface<mlir::InferTypeOpInterface>() : nullptr;
  if (!result.interface)
    throwPy(PyExc_ValueError, "the operation '" + result.name + "' does not implement InferTypeOpInterface");
  return result;
}

static std::vector<MlirType> infer(PyInferTypeOpInterface &self, const std::optional<nb::sequence> &operands,
                                   const std::optional<MlirAttribute> &attributes, DefaultLoc loc) {
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
  llvm::SmallVector<mlir::Type> types;
  if (!properties.valid || failed(self.interface->inferReturnTypes(context, location, values, dictionary,
                                                                   properties.get(), /*regions=*/{}, types))) {
    std::string message = "Failed to infer result types";
    for (const DiagnosticInfo &error : errors.take())
      message += ": " + error.message;
    throwPy(PyExc_ValueError, message);
  }
  std::vector<MlirType> result;
  for (mlir::Type type : types)
    result.push_back(wrap(type));
  return result;
}

void mlir::xla::python::populateInterfaces(nb::module_ &m) {
  nb::class_<PyInferTypeOpInterface>(m, "InferTypeOpInterface", "Operations that can infer their result types.")
      .def(
          "__init__",
          [](PyInferTypeOpInterface *self, nb::object object, std::optional<Ref<Ctx>> context) {
            std::optional<DefaultCtx> given;
            if (context)
              given = DefaultCtx{*context};
            new (self) PyInferTypeOpInterface(makeInterface(std::move(object), given));
          },
          nb::arg("object"), nb::arg("context") = nb::none(),
          nb::sig("def __init__(self, object: _OperationBase | type[OpView], context: Context | None = None) -> None"),
          "ValueError if the operation or class does not implement the interface.")
      .def_prop_ro(
          "operation",
          [](PyInferTypeOpInterface &self) {
            if (!self.op)
              throwPy(PyExc_TypeError, "Cannot get an operation from a static interface");
            return self.op;
          },
          "The operation from which it was made; TypeError for a class.")
      .def_prop_ro(
          "opview",
          [](PyInferTypeOpInterface &self) {
            if (!self.op)
              throwPy(PyExc_TypeError, "Cannot get an opview from a static interface");
            return OpViewObject(self.op->opView());
          },
          "The view of that operation; TypeError for a class.")
      .def("inferReturnTypes", infer, nb::arg("operands") = nb::none(), nb::arg("attributes") = nb::none(),
           nb::arg("loc") = nb::none(),
           nb::sig("def inferReturnTypes(self, operands: Sequence[Value] | None = None, attributes: Attribute | None = "
                   "None, loc: Location | None = None) -> list[Type]"),
           "The result types for these operands and attributes (a DictAttr); ValueError if they do not fit.");

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
