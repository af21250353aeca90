// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's masked reductions: where a select ignores what a step would sum up, as a comparison of indices tells,
// the step does not sum it up. Causal attention computes half of its scores in vain otherwise. Their weights are zero,
// and sums of products with them end before those that are zero in all rows; what is multiplied with them must be
// finite, so both are looked at, a group of steps at a time.

#include "mlir_xla/lowering/cpu/NestEmitter.h"
#include "mlir_xla/lowering/nest/LinearIndex.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

/// Whether the comparison may come out as `value` in the current step: an i1, or nothing if that is not known.
std::optional<Value> NestEmitter::mayCompareAs(ExprNode *node, bool value) {
  LinearIndices indices(nest->sizes);
  std::optional<LinearIndex> lhs = indices.of(node->operands[0]), rhs = indices.of(node->operands[1]);
  if (!lhs || !rhs)
    return std::nullopt;
  arith::CmpIPredicate predicate = cast<arith::CmpIOp>(node->op).getPredicate();
  if (!value)
    predicate = arith::invertPredicate(predicate);
  using P = arith::CmpIPredicate;
  if (predicate != P::sge && predicate != P::sgt && predicate != P::sle && predicate != P::slt)
    return std::nullopt;
  // The greatest difference in favour of the comparison.
  bool isLess = predicate == P::sle || predicate == P::slt;
  int64_t sign = isLess ? -1 : 1, greatest = sign * (lhs->constant - rhs->constant);
  at(top());
  Value sum;
  for (unsigned dim = 0; dim < nest->sizes.size(); ++dim) {
    int64_t coef = sign * (lhs->dims[dim] - rhs->dims[dim]);
    if (coef == 0)
      continue;
    int64_t steps = 1;
    if (static_cast<int>(dim) == plan->v)
      steps = int64_t(plan->lanes) * vCount;
    else if (static_cast<int>(dim) == plan->u)
      steps = (uCount - 1) * plan->uDistance + 1;
    greatest += std::max<int64_t>(0, coef * (steps - 1));
    if (!iv[dim])
      continue;
    Value term = coef == 1 ? iv[dim] : arith::MulIOp::create(b, iv[dim], i64(coef)).getResult();
    sum = sum ? arith::AddIOp::create(b, sum, term).getResult() : term;
  }
  if (!sum)
    return std::nullopt;
  bool isStrict = predicate == P::sgt || predicate == P::slt;
  return arith::CmpIOp::create(b, P::sge, sum, i64((isStrict ? 1 : 0) - greatest)).getResult();
}

std::optional<Value> NestEmitter::mayBe(ExprNode *node, bool value, KnownTruths &truths) {
  if (auto it = truths.find({node, value}); it != truths.end())
    return it->second;
  return truths[{node, value}] = emitMayBe(node, value, truths);
}

std::optional<Value> NestEmitter::emitMayBe(ExprNode *node, bool value, KnownTruths &truths) {
  auto known = [&](bool may) -> Value { return constant(b.getBoolAttr(may)); };
  auto both = [&](std::optional<Value> lhs, std::optional<Value> rhs) -> std::optional<Value> {
    if (!lhs || !rhs)
      return lhs ? lhs : rhs;
    at(top());
    return arith::AndIOp::create(b, *lhs, *rhs).getResult();
  };
  auto either = [&](std::optional<Value> lhs, std::optional<Value> rhs) -> std::optional<Value> {
    if (!lhs || !rhs)
      return std::nullopt;
    at(top());
    return arith::OrIOp::create(b, *lhs, *rhs).getResult();
  };
  if (node->kind == ExprNode::Constant) {
    auto attr = dyn_cast<IntegerAttr>(node->attr);
    return attr ? std::optional<Value>(known(attr.getValue().isZero() != value)) : std::nullopt;
  }
  if (node->kind != ExprNode::Apply || !node->type.isInteger(1))
    return std::nullopt;
  ArrayRef<ExprNode *> operands = node->operands;
  auto may = [&](ExprNode *operand, bool value) { return mayBe(operand, value, truths); };
  if (isa<arith::CmpIOp>(node->op))
    return mayCompareAs(node, value);
  if (isa<arith::AndIOp>(node->op))
    return value ? both(may(operands[0], true), may(operands[1], true))
                 : either(may(operands[0], false), may(operands[1], false));
  if (isa<arith::OrIOp>(node->op))
    return value ? either(may(operands[0], true), may(operands[1], true))
                 : both(may(operands[0], false), may(operands[1], false));
  if (isa<arith::SelectOp>(node->op))
    return either(both(may(operands[0], true), may(operands[1], value)),
                  both(may(operands[0], false), may(operands[2], value)));
  return std::nullopt;
}

/// The condition under which `value` reads a result of a reduction, if there is one: each node on the way from one to
/// the other has a single operand that reads it, so the way is unique.
static std::optional<Guard> guardOfRead(ExprNode *value, ExprNode *result) {
  DenseMap<ExprNode *, bool> known;
  auto reads = [&](auto &&self, ExprNode *node) -> bool {
    if (node == result)
      return true;
    if (auto it = known.find(node); it != known.end())
      return it->second;
    bool any = llvm::any_of(node->operands, [&](ExprNode *operand) { return self(self, operand); });
    return known[node] = any;
  };
  std::optional<Guard> guard;
  while (value != result) {
    auto isReader = [&](ExprNode *operand) { return reads(reads, operand); };
    if (llvm::count_if(value->operands, isReader) != 1)
      break;
    size_t only = llvm::find_if(value->operands, isReader) - value->operands.begin();
    bool isSelect =
        value->kind == ExprNode::Select || (value->kind == ExprNode::Apply && isa<arith::SelectOp>(value->op));
    if (isSelect && only != 0)
      guard = Guard{value->operands[0], /*negated=*/only == 2};
    value = value->operands[only];
  }
  return guard;
}

/// Whether any result of the current step is read, as an i1; null if that is not known.
Value NestEmitter::isStepRead() {
  if (nest->reductions.size() != 1 || !nest->stores.empty() || nest->epilogue.size() != 1)
    return {};
  const Reduction &reduction = nest->reductions[0];
  if (reduction.results.size() != 1 || reduction.stores[0])
    return {};
  std::optional<Guard> guard = guardOfRead(nest->epilogue[0].value, reduction.results[0]);
  if (!guard)
    return {};
  KnownTruths truths;
  return mayBe(guard->condition, !guard->negated, truths).value_or(Value());
}

/// Whether in all rows `group` neighbours along the reduced dimension, from where it stands, are zero.
Value NestEmitter::isZeroGroup(ExprNode *factor, int64_t group) {
  int64_t lanes = plan->lanes;
  Type memory = factor->type;
  auto bits = VectorType::get({lanes}, b.getIntegerType(memory.getIntOrFloatBitWidth()));
  at(top());
  Value found = constant(DenseElementsAttr::get(bits, b.getZeroAttr(bits.getElementType())));
  scf::ForOp rows;
  if (plan->u >= 0) {
    rows = openLoop(plan->u, i64(0), i64(nest->sizes[plan->u]), 1, found, /*nonEmpty=*/true);
    found = rows.getRegionIterArgs()[0];
  }
  Value place = pointer(factor->buffer, memory, resolve(factor->address, 0, 0)).value;
  at(top());
  for (int64_t first = 0; first < group; first += lanes) {
    Value loaded = LLVM::LoadOp::create(b, bits, elementAt(place, memory, {}, first), elementAlignment(memory));
    found = arith::OrIOp::create(b, found, loaded);
  }
  if (rows) {
    closeLoop(rows, found);
    found = rows.getResult(0);
    leave(plan->u);
  }
  at(top());
  // Zeros have a sign.
  Value any = vector::ReductionOp::create(b, vector::CombiningKind::OR, found);
  any = arith::ShLIOp::create(b, any, constant(b.getIntegerAttr(any.getType(), 1)));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, any, constant(b.getIntegerAttr(any.getType(), 0)));
}

/// Whether `group` steps of the reduced dimension from `low` on are finite in all lanes: their products with zero are
/// numbers.
Value NestEmitter::isFiniteGroup(ExprNode *factor, Value low, int64_t group) {
  int64_t lanes = plan->lanes, size = nest->sizes[plan->v], vectors = size / lanes % plan->vUnroll ? 1 : plan->vUnroll;
  auto type = VectorType::get({lanes}, factor->type);
  Value zero = constant(DenseElementsAttr::get(type, b.getZeroAttr(factor->type)));
  SmallVector<Value> sums(vectors, zero);
  unsigned step = plan->reductionLoops[0];
  at(top());
  scf::ForOp steps = openLoop(step, low, arith::AddIOp::create(b, low, i64(group)), 1, sums, /*nonEmpty=*/true);
  scf::ForOp columns =
      openLoop(plan->v, i64(0), i64(size), lanes * vectors, steps.getRegionIterArgs(), /*nonEmpty=*/true);
  vCount = vectors;
  for (int64_t vo = 0; vo < vectors; ++vo) {
    Value value = this->lanes(evaluate(factor, 0, vo)).value;
    at(top());
    sums[vo] = arith::AddFOp::create(b, columns.getRegionIterArgs()[vo], arith::MulFOp::create(b, value, zero));
  }
  vCount = 1;
  closeLoop(columns, sums);
  leave(plan->v);
  at(top());
  closeLoop(steps, columns.getResults());
  leave(step);
  at(top());
  Value all = steps.getResult(0);
  for (Value sum : steps.getResults().drop_front())
    all = arith::AddFOp::create(b, all, sum);
  Value isNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, all, all);
  return vector::ReductionOp::create(b, vector::CombiningKind::AND, isNumber);
}

/// Where the sum may end: at the end, less all groups of steps there that add nothing.
Value NestEmitter::endOfSum(const TrimmedSum &factors) {
  constexpr int64_t vectors = 4;
  int64_t group = vectors * plan->lanes, step = plan->reductionLoops[0], size = nest->sizes[step];
  Type index = b.getI64Type();
  uCount = vCount = 1;
  at(top());
  auto loop = scf::WhileOp::create(b, TypeRange(index), ValueRange(i64(size)));
  moveTo(loop->getBlock(), Block::iterator(loop));
  Block *before = b.createBlock(&loop.getBefore(), {}, index, b.getLoc());
  Block *after = b.createBlock(&loop.getAfter(), {}, index, b.getLoc());
  b.setInsertionPointToEnd(after);
  scf::YieldOp::create(b, ValueRange(arith::SubIOp::create(b, after->getArgument(0), i64(group)).getResult()));
  levels.push_back(OpBuilder::InsertPoint(before, before->end()));
  at(top());
  Value end = before->getArgument(0), low = arith::SubIOp::create(b, end, i64(group));
  // Each question is asked where the one before was answered with yes.
  auto also = [&](Value condition, function_ref<Value()> question) -> Value {
    scf::IfOp branch = openIf(condition, condition);
    Value answer = question();
    closeIf(branch, answer);
    return answer;
  };
  Value isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, low, i64(0));
  Value isZero = also(isInside, [&] {
    iv[step] = low;
    ivLevel[step] = top();
    Value answer = isZeroGroup(factors.zeros, group);
    leave(step);
    return answer;
  });
  Value addsNothing = also(isZero, [&] { return isFiniteGroup(factors.others, low, group); });
  at(top());
  scf::ConditionOp::create(b, addsNothing, ValueRange(end));
  forget(top());
  levels.pop_back();
  moveTo(loop->getBlock(), std::next(Block::iterator(loop)));
  return loop.getResult(0);
}
