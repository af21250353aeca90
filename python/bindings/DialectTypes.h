// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of DialectTypes.cpp, one source file per dialect or pair of small ones.

#ifndef MLIR_XLA_PYTHON_BINDINGS_DIALECTTYPES_H
#define MLIR_XLA_PYTHON_BINDINGS_DIALECTTYPES_H

#include "mlir_xla/python/bindings/Arguments.h"
#include "mlir_xla/python/bindings/Concrete.h"

namespace mlir::xla::python {

void populateXlaDialect(nb::module_ &m);           // DialectTypesXla.cpp
void populateGpuDialect(nb::module_ &m);           // DialectTypesGpu.cpp
void populateNvgpuDialect(nb::module_ &m);         // DialectTypesGpu.cpp
void populateLlvmDialect(nb::module_ &m);          // DialectTypesLlvm.cpp
void populateLinalgDialect(nb::module_ &m);        // DialectTypesLinalg.cpp
void populateSparseTensorDialect(nb::module_ &m);  // DialectTypesLinalg.cpp
void populatePdlDialect(nb::module_ &m);           // DialectTypesTransform.cpp
void populateTransformDialect(nb::module_ &m);     // DialectTypesTransform.cpp
void populateTransformInterpreter(nb::module_ &m); // DialectTypesTransform.cpp
void populateQuantDialect(nb::module_ &m);         // DialectTypesQuant.cpp
void populateIrdlDialect(nb::module_ &m);          // DialectTypesIrdl.cpp

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_DIALECTTYPES_H
