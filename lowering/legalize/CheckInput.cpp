// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names what is no program of the stage `xla`, such as the output of a later stage, before passes make sense of it.

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::xla {
#define GEN_PASS_DEF_CHECKINPUT
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

static LogicalResult checkStage(Operation *op) {
  Dialect *dialect = op->getDialect();
  if (isa_and_nonnull<XlaDialect>(dialect) || isa<ModuleOp, func::FuncOp, func::CallOp, func::ReturnOp>(op))
    return success();
  InFlightDiagnostic error = op->emitOpError("is not an op of the stage `xla`");
  // Known dialects are those of later stages.
  if (dialect)
    error << "; `xla-opt --from=<stage> --to=<stage>` goes on from a later one";
  return error;
}

/// A resource is data at the end of the file, which may be missing, cut or elided.
static LogicalResult checkConstant(ConstantOp op) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
  if (!resource)
    return success();
  DenseResourceElementsHandle handle = resource.getRawHandle();
  AsmResourceBlob *blob = handle.getBlob();
  if (!blob && handle.getKey().starts_with("__elided__")) // the context adds numbers
    return op.emitOpError("cannot be compiled: its value was left out when the program was printed");
  if (!blob)
    return op.emitOpError("cannot be compiled: the resource '") << handle.getKey() << "' is not defined";
  int64_t expected = bufferBytes(resource.getType()), bytes = blob->getData().size();
  if (bytes != expected)
    return op.emitOpError("cannot be compiled: the resource '")
           << handle.getKey() << "' holds " << counted(bytes, "byte") << ", " << resource.getType() << " takes "
           << expected;
  return success();
}

namespace {

struct CheckInputPass : xla::impl::CheckInputBase<CheckInputPass> {
  void runOnOperation() override {
    bool failed = false;
    // One op of another stage is enough to know; wrong constants are all reported.
    WalkResult walk = getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (mlir::failed(checkStage(op)))
        return WalkResult::interrupt();
      if (auto constant = dyn_cast<ConstantOp>(op))
        failed |= mlir::failed(checkConstant(constant));
      return WalkResult::advance();
    });
    if (failed || walk.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
