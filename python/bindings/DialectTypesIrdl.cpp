// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The IRDL dialect: loading dialects that are defined as IR, and an attribute of their definitions.

#include "mlir_xla/python/bindings/DialectTypes.h"
#include "mlir_xla/python/bindings/Parts.h"

#include "mlir-c/Dialect/IRDL.h"

using namespace mlir::xla::python;

static void loadDialects(PyModule &module) {
  ErrorCapture errors(module.op->ctx);
  if (mlirLogicalResultIsFailure(mlirLoadIRDLDialects(module.get())))
    errors.fail("Failed to load IRDL dialects");
}

static AttributeObject variadicityArray(const std::vector<std::string> &names, DefaultCtx ctx) {
  std::vector<MlirAttribute> values;
  for (const std::string &name : names)
    values.push_back(mlirIRDLVariadicityAttrGet(ctx, toRef(name)));
  return wrapAttribute(mlirIRDLVariadicityArrayAttrGet(ctx, values.size(), values.data()));
}

void mlir::xla::python::populateIrdlDialect(nb::module_ &m) {
  m.def("load_dialects", loadDialects, nb::arg("module"), "Makes the dialects that the module defines known.");
  m.def("_variadicity_array", variadicityArray, nb::arg("names"), nb::arg("context") = nb::none());
}
