// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DenseResourceElementsAttr of `mlir_xla.ir`: elements that stay in the memory of a Python buffer (or of the parsed
// file) instead of being copied and uniqued by the context.

#include "mlir_xla/python/bindings/Arguments.h"
#include "mlir_xla/python/bindings/Concrete.h"
#include "mlir_xla/python/bindings/ElementsBuffer.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::xla::python {
namespace {

/// Called by the context when it drops the blob, possibly from another thread or after Python has gone.
void dropBuffer(void *userData, const void *, size_t, size_t) {
  if (!Py_IsInitialized())
    return;
  nb::gil_scoped_acquire gil;
  std::unique_ptr<Py_buffer> view(static_cast<Py_buffer *>(userData));
  PyBuffer_Release(view.get());
}

struct PyResourceElements : ConcreteAttribute<PyResourceElements> {
  static constexpr const char *className = "DenseResourceElementsAttr";
  static constexpr auto isa = mlirAttributeIsADenseResourceElements;
  static MlirStringRef name() { return mlirDenseResourceElementsAttrGetName(); }

  static PyResourceElements getFromBuffer(nb::handle buffer, const std::string &name, MlirType type,
                                          std::optional<size_t> alignment, bool isMutable, std::optional<Ref<Ctx>>) {
    if (!mlirTypeIsAShaped(type))
      throwPy(PyExc_ValueError, "Constructing a DenseResourceElementsAttr requires a ShapedType.");
    if (!mlirShapedTypeHasStaticShape(type))
      throwPy(PyExc_ValueError,
              "Constructing a DenseResourceElementsAttr requires a static shape, got " + toString(type));
    auto view = std::make_unique<Py_buffer>();
    int flags = PyBUF_STRIDES | (isMutable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(buffer.ptr(), view.get(), flags) != 0)
      throw nb::python_error();
    auto releaseOnError = [](Py_buffer *view) {
      PyBuffer_Release(view);
      delete view;
    };
    std::unique_ptr<Py_buffer, decltype(releaseOnError)> guard(view.release(), releaseOnError);
    if (!PyBuffer_IsContiguous(guard.get(), 'A'))
      throwPy(PyExc_ValueError, "Contiguous buffer is required.");
    MlirType elementType = mlirShapedTypeGetElementType(type);
    int64_t needed = numElements(type) * bytesPerElement(elementType);
    bool isBool = mlirTypeIsAInteger(elementType) && mlirIntegerTypeGetWidth(elementType) == 1;
    if (needed && guard->len != needed && !isBool)
      throwPy(PyExc_ValueError,
              "a buffer of " + std::to_string(guard->len) + " bytes does not match the type " + toString(type));

    // The alignment that the layout implies; the smallest stride bounds it.
    size_t inferred = std::max<Py_ssize_t>(guard->itemsize, 1);
    if (guard->strides)
      for (int i = 0; i < guard->ndim; ++i)
        if (guard->strides[i] > 0)
          inferred = std::min<size_t>(inferred, guard->strides[i]);
    Py_buffer *owned = guard.get();
    MlirAttribute attr = mlirUnmanagedDenseResourceElementsAttrGet(
        type, toRef(name), owned->buf, owned->len, alignment.value_or(inferred), isMutable, dropBuffer, owned);
    if (mlirAttributeIsNull(attr))
      throwPy(PyExc_ValueError,
              "DenseResourceElementsAttr could not be constructed from the given buffer. This may mean "
              "that the Python buffer layout does not match that MLIR expected layout and is a bug.");
    guard.release();
    return make(contextOf(type), attr);
  }

  mlir::DenseResourceElementsAttr impl() const { return llvm::cast<mlir::DenseResourceElementsAttr>(unwrap(attr)); }

  /// The data; null if the file that named the resource did not contain it.
  mlir::AsmResourceBlob *blob() const { return impl().getRawHandle().getBlob(); }

  ElementsView view() const {
    mlir::AsmResourceBlob *found = blob();
    if (!found)
      throwPy(PyExc_ValueError, "the resource '" + impl().getRawHandle().getKey().str() + "' has no data");
    MlirType type = mlirAttributeGetType(attr);
    MlirType elementType = mlirShapedTypeGetElementType(type);
    int64_t count = numElements(type);
    bool isBool = mlirTypeIsAInteger(elementType) && mlirIntegerTypeGetWidth(elementType) == 1;
    int64_t needed = isBool ? (count + 7) / 8 : count * bytesPerElement(elementType);
    if ((int64_t)found->getData().size() < needed)
      throwPy(PyExc_ValueError, "the resource '" + impl().getRawHandle().getKey().str() + "' has " +
                                    std::to_string(found->getData().size()) + " bytes, its type " + toString(type) +
                                    " needs " + std::to_string(needed));
    return {type, found->getData().data(), found->getData().size(), false, mlirAttributeGetNull()};
  }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get_from_buffer", &getFromBuffer, nb::arg("array"), nb::arg("name"), nb::arg("type"),
        nb::arg("alignment") = nb::none(), nb::arg("is_mutable") = false, nb::arg("context") = nb::none(),
        nb::sig(
            "def get_from_buffer(array: collections.abc.Buffer, name: str, type: Type, alignment: int | None = None, "
            "is_mutable: bool = False, context: Context | None = None) -> DenseResourceElementsAttr"),
        "Gets a DenseResourceElementsAttr from a Python buffer or array, which stays alive as long as the context. The "
        "buffer must be contiguous and match the type; `alignment` is inferred from it when absent.");
    cls.def("__len__", [](const PyResourceElements &self) { return numElements(mlirAttributeGetType(self)); });
    cls.def_prop_ro(
        "key", [](const PyResourceElements &self) { return self.impl().getRawHandle().getKey().str(); },
        "The name of the resource in the module's resource section.");
    cls.def_prop_ro(
        "has_data", [](const PyResourceElements &self) { return self.blob() != nullptr; },
        "False if the text that named the resource did not contain it.");
    cls.def(
        "__array__",
        [](nb::handle self, nb::object dtype, nb::object) {
          nb::object array = toExtendedArray(self, nb::cast<PyResourceElements &>(self).view());
          return dtype.is_none() ? array : array.attr("astype")(dtype);
        },
        nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(), "The elements as a NumPy array.");
  }
};

int getBuffer(PyObject *exporter, Py_buffer *view, int flags) {
  view->obj = nullptr;
  try {
    return exportBuffer(exporter, view, flags, nb::inst_ptr<PyResourceElements>(exporter)->view());
  } catch (nb::python_error &error) {
    error.restore();
    return -1;
  }
}

} // namespace

void populateResourceElements(nb::module_ &m) {
  static PyType_Slot slots[] = {
      {Py_bf_getbuffer, (void *)getBuffer}, {Py_bf_releasebuffer, (void *)releaseBuffer}, {0, nullptr}};
  PyResourceElements::bind(m, nb::type_slots(slots));
  registerAttributeFactory(
      wrap(mlir::TypeID::get<mlir::DenseResourceElementsAttr>()), PyResourceElements::isa,
      [](const PyAttribute &attr) { return nb::cast(PyResourceElements::make(attr.ctx, attr.attr)); });
}

} // namespace mlir::xla::python
