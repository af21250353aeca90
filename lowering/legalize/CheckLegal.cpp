// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names what the compiler cannot lower, at the op that has it, before the conversion fails on it.

#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/LapackCalls.h"
#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xla {
#define GEN_PASS_DEF_CHECKLEGAL
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Ops of the dialect without a lowering, with the reason. Null if `op` can be lowered.
static const char *getReason(Operation *op) {
  if (isa<AfterAllOp, CreateTokenOp>(op))
    return "tokens order communication, which a single program on one device does not have";
  if (isa<TupleOp, GetTupleElementOp>(op))
    return "tuples must have been flattened";
  if (isa<func::CallOp, CompositeOp>(op))
    return "calls must have been inlined";
  return nullptr;
}

namespace {

struct CheckLegalPass : xla::impl::CheckLegalBase<CheckLegalPass> {
  void runOnOperation() override {
    bool failed = false;
    auto check = [&](Operation *op, Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      bool isElement = tensor && isXlaElementType(tensor.getElementType());
      bool isStatic = tensor && tensor.hasStaticShape();
      // Elements take 16 bytes at most, addresses 47 bits.
      constexpr int64_t mostElements = int64_t(1) << 43;
      bool isSmall = isStatic && elementCount(tensor.getShape()).value_or(mostElements) < mostElements;
      // Layouts have been dropped.
      bool isPlain = tensor && (!tensor.getEncoding() || isa<BoundsAttr>(tensor.getEncoding()));
      if (isElement && isSmall && isPlain)
        return true;
      InFlightDiagnostic error = op->emitOpError("cannot be compiled: ");
      if (tensor && !isElement)
        error << "the element type " << tensor.getElementType() << " is not supported";
      else if (tensor && !isPlain)
        error << tensor << " has an encoding that is neither a layout nor bounds";
      else if (isStatic)
        error << tensor << " has more elements than any memory holds";
      else if (tensor)
        error << tensor << " has a dynamic dimension";
      else if (isa<TokenType>(type))
        error << "tokens order communication, which a single program on one device does not have";
      else
        error << type << " is no tensor";
      failed = true;
      return false;
    };
    getOperation().walk([&](Operation *op) {
      if (isa<ModuleOp>(op))
        return;
      if (auto function = dyn_cast<func::FuncOp>(op)) {
        for (Type type : llvm::concat<const Type>(function.getArgumentTypes(), function.getResultTypes()))
          if (!check(op, type))
            return;
      }
      if (const char *reason = getReason(op)) {
        op->emitOpError("cannot be compiled: ") << reason;
        failed = true;
        return;
      }
      for (Type type : op->getResultTypes())
        if (!check(op, type))
          return;
      if (auto call = dyn_cast<CustomCallOp>(op); call && isLapackCall(call))
        failed |= mlir::failed(analyzeLapackCall(call));
    });
    if (failed)
      signalPassFailure();
  }
};

} // namespace
