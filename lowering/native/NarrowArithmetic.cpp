// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs round each result in f16 to that type, so that kernels widen, compute in f32 and narrow, op by op. f32 has
// more than twice the digits (24 of 2 x 11 + 2), which is enough for the second rounding to change nothing: what an
// instruction for f16 gives are the same bits.

#include "mlir_xla/lowering/native/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::xla {
#define GEN_PASS_DEF_NARROWARITHMETIC
#include "mlir_xla/lowering/native/Passes.h.inc"

namespace {

bool isHalf(Value value) { return getElementTypeOrSelf(value.getType()).isF16(); }

Type withHalves(Type type) {
  Type half = Float16Type::get(type.getContext());
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.clone(half) : half;
}

/// What is one of the operands, or exact in every format that has these: no result of theirs needs to be rounded.
bool givesNumberOfFormat(Operation *op) {
  return isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::NegFOp, arith::SelectOp, math::AbsFOp,
                         math::RoundEvenOp, math::FloorOp, math::CeilOp, math::TruncOp>(op);
}

/// Whose f32 result, rounded to f16, is the result in f16.
bool isSameInHalf(Operation *op) {
  return givesNumberOfFormat(op) ||
         isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, math::SqrtOp>(op);
}

/// The f32 number, or that of all lanes, if f16 has it.
std::optional<APFloat> halfConstant(Value value) {
  APFloat number(0.0f);
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return std::nullopt;
  bool losesDigits = false;
  number.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &losesDigits);
  return losesDigits ? std::nullopt : std::optional(number);
}

class Narrowing {
public:
  Narrowing(Operation *root, bool hasInstructions) : hasInstructions(hasInstructions), root(root) {}

  void run() {
    // Operands come before what is computed of them.
    SmallVector<Operation *> ops;
    root->walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp, arith::CmpFOp>(op) || givesNumberOfFormat(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      visit(op);
    for (Operation *op : llvm::reverse(needless))
      if (op->use_empty())
        op->erase();
  }

private:
  void visit(Operation *op) {
    if (auto extension = dyn_cast<arith::ExtFOp>(op))
      return isHalf(extension.getIn()) ? leaveOut(extension) : void();
    if (auto truncation = dyn_cast<arith::TruncFOp>(op))
      return isHalf(truncation) ? narrow(truncation) : void();
    if (auto comparison = dyn_cast<arith::CmpFOp>(op))
      return hasInstructions ? narrow(comparison) : void();
    if (llvm::all_of(op->getOperands(), [&](Value x) { return isCondition(x) || isNumberOfHalf(x); }))
      exact.insert(op->getResult(0));
  }

  static bool isCondition(Value value) { return getElementTypeOrSelf(value.getType()).isInteger(1); }

  /// Does f16 have the f32 `value`?
  bool isNumberOfHalf(Value value) const {
    auto extension = value.getDefiningOp<arith::ExtFOp>();
    return (extension && isHalf(extension.getIn())) || exact.contains(value) || halfConstant(value);
  }

  /// extf (truncf %x)  ->  %x, a number that f16 has
  void leaveOut(arith::ExtFOp extension) {
    auto truncation = extension.getIn().getDefiningOp<arith::TruncFOp>();
    if (truncation && truncation.getIn().getType() == extension.getType() && isNumberOfHalf(truncation.getIn())) {
      extension.replaceAllUsesWith(truncation.getIn());
      needless.insert(truncation);
    }
    needless.insert(extension);
  }

  /// The f16 number that the f32 `value` is, of which a constant or a broadcast is made anew.
  Value halfOf(Value value) {
    if (auto extension = value.getDefiningOp<arith::ExtFOp>())
      return isHalf(extension.getIn()) ? extension.getIn() : Value();
    auto known = halves.find(value);
    return known != halves.end() ? known->second : halves[value] = makeHalf(value);
  }

  Value makeHalf(Value value) {
    Type type = withHalves(value.getType());
    if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>()) {
      Value scalar = halfOf(broadcast.getSource());
      OpBuilder b(broadcast);
      return scalar ? vector::BroadcastOp::create(b, broadcast.getLoc(), type, scalar).getResult() : Value();
    }
    std::optional<APFloat> number = halfConstant(value);
    if (!number)
      return {};
    OpBuilder b(value.getDefiningOp());
    TypedAttr attribute = FloatAttr::get(b.getF16Type(), *number);
    if (auto vector = dyn_cast<VectorType>(type))
      attribute = DenseElementsAttr::get(vector, attribute);
    return arith::ConstantOp::create(b, value.getLoc(), attribute);
  }

  /// The operands of `op` in f16, if they all are and not all of them are constants.
  std::optional<SmallVector<Value>> halvesOf(Operation *op) {
    if (llvm::all_of(op->getOperands(), [](Value x) { return matchPattern(x, m_Constant()); }))
      return std::nullopt;
    SmallVector<Value> halves;
    for (Value operand : op->getOperands()) {
      if (!isCondition(operand) && !getElementTypeOrSelf(operand.getType()).isF32())
        return std::nullopt;
      halves.push_back(isCondition(operand) ? operand : halfOf(operand));
      if (!halves.back())
        return std::nullopt;
    }
    return halves;
  }

  /// truncf (extf %x)  ->  %x
  /// truncf (addf (extf %x), (extf %y))  ->  addf %x, %y : f16
  void narrow(arith::TruncFOp truncation) {
    Operation *op = truncation.getIn().getDefiningOp();
    if (auto extension = dyn_cast_or_null<arith::ExtFOp>(op); extension && isHalf(extension.getIn())) {
      truncation.replaceAllUsesWith(extension.getIn());
      needless.insert(truncation);
      return;
    }
    if (!hasInstructions || !isSameInHalf(op) || !op->hasOneUse())
      return;
    std::optional<SmallVector<Value>> operands = halvesOf(op);
    if (!operands)
      return;
    OpBuilder b(truncation);
    Operation *half = b.clone(*op);
    half->setOperands(*operands);
    Value result = half->getResult(0);
    result.setType(truncation.getType());
    // LLVM would make one instruction, with one rounding, of a product and a sum.
    if (isa<arith::MulFOp>(op))
      result = LLVM::CallIntrinsicOp::create(b, op->getLoc(), truncation.getType(),
                                             b.getStringAttr("llvm.arithmetic.fence"), ValueRange(result))
                   .getResult(0);
    truncation.replaceAllUsesWith(result);
    needless.insert(op);
    needless.insert(truncation);
  }

  /// cmpf (extf %x), (extf %y)  ->  cmpf %x, %y : f16
  void narrow(arith::CmpFOp comparison) {
    if (!getElementTypeOrSelf(comparison.getLhs().getType()).isF32())
      return;
    if (std::optional<SmallVector<Value>> operands = halvesOf(comparison))
      comparison->setOperands(*operands);
  }

  bool hasInstructions;
  Operation *root;
  DenseSet<Value> exact;                 // numbers that f16 has, in f32
  DenseMap<Value, Value> halves;         // of constants and broadcasts
  llvm::SetVector<Operation *> needless; // if nothing uses them; each comes behind its operands
};

struct NarrowArithmeticPass : impl::NarrowArithmeticBase<NarrowArithmeticPass> {
  using NarrowArithmeticBase::NarrowArithmeticBase;

  void runOnOperation() override { Narrowing(getOperation(), fp16).run(); }
};

} // namespace
} // namespace mlir::xla
