// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and attributes of the gpu and nvgpu dialects.

#include "mlir_xla/python/bindings/DialectTypes.h"

#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/Dialect/NVGPU.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace mlir::xla::python {
namespace {

struct AsyncTokenType : ConcreteType<AsyncTokenType> {
  static constexpr const char *className = "AsyncTokenType";
  static constexpr auto isa = mlirTypeIsAGPUAsyncTokenType;
  static MlirTypeID getTypeID() { return wrap(mlir::TypeID::get<mlir::gpu::AsyncTokenType>()); }
  static constexpr auto typeID = getTypeID;
  static MlirStringRef name() { return mlirGPUAsyncTokenTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get", [](DefaultCtx ctx) { return make(ctx.ctx, mlirGPUAsyncTokenTypeGet(ctx)); },
        nb::arg("context") = nb::none(), "Gets an instance of AsyncTokenType in the same context");
  }
};

struct ObjectAttr : ConcreteAttribute<ObjectAttr> {
  static constexpr const char *className = "ObjectAttr";
  static constexpr auto isa = mlirAttributeIsAGPUObjectAttr;
  static MlirTypeID getTypeID() { return wrap(mlir::TypeID::get<mlir::gpu::ObjectAttr>()); }
  static constexpr auto typeID = getTypeID;
  static MlirStringRef name() { return mlirGPUObjectAttrGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](MlirAttribute target, uint32_t format, nb::bytes object, std::optional<MlirAttribute> properties,
           std::optional<MlirAttribute> kernels, std::optional<Ref<Ctx>>) {
          Ref<Ctx> ctx = contextOf(target);
          if (properties && !mlirAttributeIsADictionary(*properties))
            throwPy(PyExc_ValueError, "the properties of a gpu object are a dictionary");
          if (!mlir::gpu::symbolizeCompilationTarget(format))
            throwPy(PyExc_ValueError, "no gpu.CompilationTarget: " + std::to_string(format));
          MlirStringRef code = mlirStringRefCreate(object.c_str(), object.size());
          return make(ctx, mlirGPUObjectAttrGetWithKernels(ctx->get(), target, format, code,
                                                           properties.value_or(mlirAttributeGetNull()),
                                                           kernels.value_or(mlirAttributeGetNull())));
        },
        nb::arg("target"), nb::arg("format"), nb::arg("object"), nb::arg("properties") = nb::none(),
        nb::arg("kernels") = nb::none(), nb::arg("context") = nb::none(), "Gets a gpu.object from parameters.");
    cls.def_prop_ro("target", [](const ObjectAttr &self) { return mlirGPUObjectAttrGetTarget(self); });
    cls.def_prop_ro("format", [](const ObjectAttr &self) { return mlirGPUObjectAttrGetFormat(self); });
    cls.def_prop_ro("object", [](const ObjectAttr &self) {
      MlirStringRef code = mlirGPUObjectAttrGetObject(self);
      return nb::bytes(code.data, code.length);
    });
    // In the stub, `object` is the property above.
    cls.def_prop_ro(
        "properties",
        [](const ObjectAttr &self) {
          return mlirGPUObjectAttrHasProperties(self) ? (nb::object)wrapAttribute(mlirGPUObjectAttrGetProperties(self))
                                                      : nb::none();
        },
        nb::sig("def properties(self) -> Attribute | None"));
    cls.def_prop_ro(
        "kernels",
        [](const ObjectAttr &self) {
          return mlirGPUObjectAttrHasKernels(self) ? (nb::object)wrapAttribute(mlirGPUObjectAttrGetKernels(self))
                                                   : nb::none();
        },
        nb::sig("def kernels(self) -> Attribute | None"));
  }
};

struct TensorMapDescriptorType : ConcreteType<TensorMapDescriptorType> {
  static constexpr const char *className = "TensorMapDescriptorType";
  static constexpr auto isa = mlirTypeIsANVGPUTensorMapDescriptorType;
  static MlirTypeID getTypeID() { return wrap(mlir::TypeID::get<mlir::nvgpu::TensorMapDescriptorType>()); }
  static constexpr auto typeID = getTypeID;
  static MlirStringRef name() { return mlirNVGPUTensorMapDescriptorTypeGetName(); }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](MlirType tensor, int swizzle, int l2promo, int oobFill, int interleave, std::optional<Ref<Ctx>>) {
          if (!mlirTypeIsAMemRef(tensor))
            throwPy(PyExc_ValueError, "a tensor map describes a memref, not " + toString(tensor));
          Ref<Ctx> ctx = contextOf(tensor);
          return make(ctx,
                      mlirNVGPUTensorMapDescriptorTypeGet(ctx->get(), tensor, swizzle, l2promo, oobFill, interleave));
        },
        nb::arg("tensor_type"), nb::arg("swizzle"), nb::arg("l2promo"), nb::arg("oob_fill"), nb::arg("interleave"),
        nb::arg("context") = nb::none(), "Gets an instance of TensorMapDescriptorType in the same context");
  }
};

} // namespace

void populateGpuDialect(nb::module_ &m) {
  AsyncTokenType::bind(m);
  ObjectAttr::bind(m);
}

void populateNvgpuDialect(nb::module_ &m) { TensorMapDescriptorType::bind(m); }

} // namespace mlir::xla::python
