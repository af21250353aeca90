// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extension module `mlir_xla._mlir_libs._mlir`: its submodules, in the order in which their classes need each
// other.

#include "mlir_xla/python/bindings/IrCore.h"

using namespace mlir::xla::python;

NB_MODULE(_mlir, m) {
  m.doc() = "Native bindings of mlir_xla: the interface of upstream's mlir.ir over MLIR's C API.";
  nb::set_leak_warnings(false);

  nb::module_ ir = m.def_submodule("ir", "MLIR's core: contexts, operations, types, attributes");
  populateIrCore(ir);
  populateOperations(ir);
  populateIrAffine(ir);
  populateIrTypes(ir);
  populateIrAttributes(ir);
  populateGlobals(m);

  nb::module_ passes = m.def_submodule("passmanager", "Pass pipelines");
  populatePasses(passes);
  nb::module_ rewrite = m.def_submodule("rewrite", "Rewrite patterns");
  populateRewrite(rewrite);
  nb::module_ execution = m.def_submodule("execution_engine", "MLIR's own JIT");
  populateExecution(execution);
  populateDialectTypes(m);
  populateCompiler(m);
}
