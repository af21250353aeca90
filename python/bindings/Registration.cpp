// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect and the passes of this project, for upstream's site initialisation (_mlir_libs/_site_initialize_0.py).

#include "mlir_xla/python/bindings/Bindings.h"

#include "mlir/CAPI/IR.h"
#include "mlir_xla/compiler/Registration.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/dialect/stablehlo/StablehloInput.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

void mlir::xla::python::populateRegistration(nb::module_ &m) {
  registerImportStablehloPass();
  registerLoweringPasses();
  m.def(
      "register_dialects",
      [](MlirDialectRegistry registry) {
        unwrap(registry)->insert<XlaDialect, XlaRtDialect>();
        registerStablehloInput(*unwrap(registry));
      },
      nb::arg("registry"), "Adds the xla dialect, and StableHLO as its other spelling.");
  m.def(
      "load_dialects",
      [](PyMlirContext &context, const std::vector<std::string> &names) {
        for (const std::string &name : names)
          if (!unwrap(context.get())->getOrLoadDialect(name))
            throwPy(PyExc_ValueError, "no dialect '" + name + "' is registered");
      },
      nb::arg("context"), nb::arg("names"), "Loads dialects without importing their Python modules.");
}
