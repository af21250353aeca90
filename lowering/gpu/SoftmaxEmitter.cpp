// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scores, what they are taken less, and exponentials of both kinds: those of the program, and those of which only the
// first 8 or 11 bits count.

#include "mlir_xla/lowering/gpu/SoftmaxEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;
using namespace mlir::xla;

void SoftmaxEmitter::bindDim(unsigned dim, Value index) {
  iv[dim] = index;
  ivLevel[dim] = top();
}

Value SoftmaxEmitter::negativeInfinity() {
  return constant(FloatAttr::get(b.getF32Type(), APFloat::getInf(APFloat::IEEEsingle(), /*Negative=*/true)));
}

Value SoftmaxEmitter::widened(Value score) {
  at(top());
  return score.getType().isF32() ? score : arith::ExtFOp::create(b, b.getF32Type(), score).getResult();
}

void SoftmaxEmitter::openElement(LoopNest *ofElements, Value row, Value key) {
  nest = ofElements;
  plan = &scalar;
  uCount = vCount = 1;
  openScope();
  iv[form->block] = row;
  ivLevel[form->block] = 0;
  bindDim(form->block + 1, key);
}

void SoftmaxEmitter::closeElement() {
  leave(form->block);
  leave(form->block + 1);
  closeScope();
}

Value SoftmaxEmitter::scoreOf(Value sum, Value row, Value key) {
  openElement(form->scores, row, key);
  Reduction &reduction = nest->reductions[0];
  Value initial = evaluate(reduction.inits[0], 0, 0).value;
  sum = combine(reduction, {initial}, {sum})[0];
  if (form->score) {
    define(reduction.results[0], 0, 0, sum);
    sum = widened(evaluate(form->score, 0, 0).value);
  }
  closeElement();
  return sum;
}

Value SoftmaxEmitter::weightOf(Value exponential, Value row, Value key, Value isInside) {
  if (!form->weight)
    return exponential;
  openElement(form->quotients, row, key);
  define(form->quotient, 0, 0, exponential);
  Value weight = widened(evaluate(form->weight, 0, 0).value);
  closeElement();
  at(top());
  return isInside ? arith::SelectOp::create(b, isInside, weight, constant(b.getF32FloatAttr(0))).getResult() : weight;
}

static Value isUndefined(OpBuilder &b, Location loc, Value total) {
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UEQ, total, zero);
}

Value SoftmaxEmitter::weightsOfUndefined(Value total, Value row, int64_t keys) {
  if (!form->weight)
    return {};
  at(top());
  Value undefined = constant(b.getF32FloatAttr(std::numeric_limits<float>::quiet_NaN()));
  SmallVector<Value> sum = {constant(b.getF32FloatAttr(0))};
  scf::IfOp branch = openIf(isUndefined(b, b.getLoc(), total), sum);
  scf::ForOp loop = openLoop(-1, i64(0), i64(keys), 1, sum, /*nonEmpty=*/true);
  Value weight = weightOf(undefined, row, loop.getInductionVar());
  at(top());
  closeLoop(loop, arith::AddFOp::create(b, loop.getRegionIterArgs()[0], weight).getResult());
  sum = {loop.getResult(0)};
  closeIf(branch, sum);
  return sum[0];
}

Value SoftmaxEmitter::quotientOf(Value values, Value total, Value ifUndefined) {
  at(top());
  Value quotient = arith::DivFOp::create(b, values, total);
  return ifUndefined ? arith::SelectOp::create(b, isUndefined(b, b.getLoc(), total), ifUndefined, quotient).getResult()
                     : quotient;
}

Value SoftmaxEmitter::shiftOf(Value maximum) {
  at(top());
  Value isNone = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, maximum, negativeInfinity());
  return arith::SelectOp::create(b, isNone, constant(b.getF32FloatAttr(0)), maximum);
}

Value SoftmaxEmitter::exponentialOf(Value score, Value shift) {
  plan = &scalar;
  openScope();
  define(form->shifted, 0, 0, score);
  define(form->shift, 0, 0, shift);
  Value result = evaluate(form->exponential, 0, 0).value;
  closeScope();
  return result;
}

/// Exponentials are rounded to 16 bits, so those of the approximate instruction, two units of f32's last place off, and
/// without subnormal numbers, serve.
Value SoftmaxEmitter::lowExponentialOf(Value score, Value shift) {
  constexpr float log2e = 1.44269504F;
  at(top());
  Value shifted = arith::SubFOp::create(b, score, shift);
  shifted = arith::MulFOp::create(b, shifted, constant(b.getF32FloatAttr(log2e)));
  auto dialect = LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT);
  return LLVM::InlineAsmOp::create(b, b.getF32Type(), shifted, "ex2.approx.ftz.f32 $0, $1;", "=f,f",
                                   /*has_side_effects=*/false, /*is_align_stack=*/false,
                                   LLVM::tailcallkind::TailCallKind::None, dialect, ArrayAttr())
      .getRes();
}

ExprNode *SoftmaxEmitter::hiddenScore() const {
  auto isChoice = [](ExprNode *node) {
    return node->kind == ExprNode::Select || (node->kind == ExprNode::Apply && isa<arith::SelectOp>(node->op));
  };
  ExprNode *score = form->score;
  if (!score || !isChoice(score))
    return nullptr;
  ExprNode *result = form->scores->reductions[0].results[0];
  for (size_t side : {1, 2}) {
    ExprNode *hidden = score->operands[side];
    llvm::SetVector<ExprNode *> nodes;
    collectNodes(score->operands[3 - side], nodes);
    if (hidden->kind == ExprNode::Constant && nodes.contains(result) && llvm::none_of(nodes, isChoice))
      return hidden;
  }
  return nullptr;
}

Value SoftmaxEmitter::mayCount(ExprNode *hidden, ArrayRef<Value> maxima) {
  constexpr float most = 105; // exp(-105) is less than half of the least number
  Value score = widened(evaluate(hidden, 0, 0).value), isOpen;
  at(top());
  for (Value maximum : maxima) {
    Value distance = arith::SubFOp::create(b, maximum, score);
    Value isNear = arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, distance, constant(b.getF32FloatAttr(most)));
    isOpen = isOpen ? arith::OrIOp::create(b, isOpen, isNear).getResult() : isNear;
  }
  return isOpen;
}
