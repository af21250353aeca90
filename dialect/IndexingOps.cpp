// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers, shape rules, folds and assembly of the indexing family.

#include "mlir_xla/dialect/XlaOps.h"

using namespace mlir;
using namespace mlir::xla;

#define GET_OP_CLASSES
#include "mlir_xla/dialect/IndexingOps.cpp.inc"

void XlaDialect::registerIndexingOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/IndexingOps.cpp.inc"
      >();
}
