// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and attributes of dialects other than builtin, each in a submodule that the dialect's Python module re-exports,
// so that they are known (and handles are downcast to them) without importing that module.

#include "mlir_xla/python/bindings/DialectTypes.h"

void mlir::xla::python::populateDialectTypes(nb::module_ &m) {
  auto add = [&m](const char *name, void (*populate)(nb::module_ &)) {
    nb::module_ submodule = m.def_submodule(name);
    populate(submodule);
  };
  add("_mlirDialectsXla", populateXlaDialect);
  add("_mlirDialectsGPU", populateGpuDialect);
  add("_mlirDialectsIRDL", populateIrdlDialect);
  add("_mlirDialectsLLVM", populateLlvmDialect);
  add("_mlirDialectsLinalg", populateLinalgDialect);
  add("_mlirDialectsNVGPU", populateNvgpuDialect);
  add("_mlirDialectsPDL", populatePdlDialect);
  add("_mlirDialectsQuant", populateQuantDialect);
  add("_mlirDialectsSparseTensor", populateSparseTensorDialect);
  add("_mlirDialectsTransform", populateTransformDialect);
  add("_mlirTransformInterpreter", populateTransformInterpreter);
}
