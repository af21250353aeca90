// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What upstream's DenseElementsAttr lacks of element types that are neither integers nor NumPy's floats. The rest is in
// Python: _mlir_libs/_dense_elements.py.

#include "mlir_xla/python/bindings/Bindings.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinAttributes.h"

void mlir::xla::python::populateDenseElements(nb::module_ &m) {
  // Upstream's caster throws for complex numbers, so that no operation with such a constant could be looked at.
  PyGlobals::get().registerTypeCaster(mlirDenseIntOrFPElementsAttrGetTypeID(),
                                      nb::cast<nb::callable>(nb::cpp_function([](PyAttribute &attr) -> nb::object {
                                        if (mlirAttributeIsADenseIntElements(attr))
                                          return nb::cast(PyDenseIntElementsAttribute(attr));
                                        if (mlirAttributeIsADenseFPElements(attr))
                                          return nb::cast(PyDenseFPElementsAttribute(attr));
                                        return nb::cast(PyDenseElementsAttribute(attr));
                                      })),
                                      /*replace=*/true);
  m.def(
      "raw_elements",
      [](PyDenseElementsAttribute &attr) {
        llvm::ArrayRef<char> data = llvm::cast<DenseElementsAttr>(unwrap(attr.get())).getRawData();
        return nb::bytes(data.data(), data.size());
      },
      nb::arg("attr"), "The elements as MLIR stores them: one alone if all are the same.");
}
