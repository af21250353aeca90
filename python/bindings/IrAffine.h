// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Python objects of affine expressions, maps and integer sets, for the types and attributes that contain them.

#ifndef MLIR_XLA_PYTHON_BINDINGS_IRAFFINE_H
#define MLIR_XLA_PYTHON_BINDINGS_IRAFFINE_H

#include "mlir_xla/python/bindings/IrCore.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/IntegerSet.h"

namespace mlir::xla::python {

struct PyAffineExpr {
  Ref<Ctx> ctx;
  MlirAffineExpr expr;
  operator MlirAffineExpr() const { return expr; }
};

struct PyAffineMap {
  Ref<Ctx> ctx;
  MlirAffineMap map;
  operator MlirAffineMap() const { return map; }
  static PyAffineMap make(MlirAffineMap map) { return {Ctx::forContext(mlirAffineMapGetContext(map)), map}; }
};

struct PyIntegerSet {
  Ref<Ctx> ctx;
  MlirIntegerSet set;
  operator MlirIntegerSet() const { return set; }
  static PyIntegerSet make(MlirIntegerSet set) { return {Ctx::forContext(mlirIntegerSetGetContext(set)), set}; }
};

using ExprObject = nb::typed<nb::object, PyAffineExpr>;

/// The object of the subclass that the expression is of.
ExprObject wrapExpr(const Ref<Ctx> &ctx, MlirAffineExpr expr);
/// ValueError if the expression uses a dimension or symbol beyond these numbers.
void checkPositions(MlirAffineExpr expr, intptr_t numDims, intptr_t numSymbols);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_IRAFFINE_H
