// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extension module `mlir_xla._mlir_libs._xla`: what upstream's bindings lack of this project.

#include "mlir_xla/python/bindings/Bindings.h"
#include "mlir_xla/python/bindings/Devices.h"

using namespace mlir::xla::python;

NB_MODULE(_xla, m) {
  m.doc() = "The xla dialect and its compiler.";
  nb::set_leak_warnings(false);
  populateRegistration(m);
  populateDenseElements(m);
  nb::module_ dialect = m.def_submodule("dialect", "Types and attributes of the xla dialect.");
  populateXlaDialect(dialect);
  nb::module_ compiler = m.def_submodule("compiler", "The compiler from `xla` to machine code.");
  populateParsing(m, compiler);
  populateDevices(compiler);
  populateCompiler(compiler);
  populateCustomCalls(compiler);
}
