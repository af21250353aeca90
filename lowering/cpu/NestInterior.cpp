// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interior of a nest: iterations in which comparisons of indices with bounds, such as those of padding, of a roll
// or of what is concatenated, come out alike. Its code asks none of them; only steps at the edges do. Likewise, steps
// with and without a condition that is the same in all lanes, and decides about much of what is computed.

#include "mlir_xla/lowering/cpu/NestEmitter.h"
#include "mlir_xla/lowering/nest/LinearIndex.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// The integers from `low` up to, but without, `high`.
struct Iterations {
  int64_t low, high;
  bool contains(int64_t value) const { return low <= value && value < high; }
  int64_t size() const { return std::max<int64_t>(0, high - low); }
};
} // namespace

/// The differences lhs - rhs for which a comparison holds that is true of a stretch of them; what is unsigned is
/// compared with `limit`, which is not negative.
static Iterations differencesOf(arith::CmpIPredicate predicate, int64_t limit) {
  constexpr int64_t far = int64_t(1) << 40;
  using P = arith::CmpIPredicate;
  bool isUnsigned = predicate == P::ult || predicate == P::ule, isEqual = predicate == P::eq;
  return {isEqual ? 0 : isUnsigned ? -limit : -far, predicate == P::slt || predicate == P::ult ? 0 : 1};
}

/// Where the comparison comes out as in the middle of the parallel dimension that it is about, if that is one, whatever
/// the indices of reduced dimensions are.
static std::optional<std::tuple<unsigned, Iterations, bool>>
iterationsAroundMiddle(ExprNode *node, LinearIndices &indices, const LoopNest &nest) {
  std::optional<LinearIndex> lhs = indices.of(node->operands[0]), rhs = indices.of(node->operands[1]);
  if (!lhs || !rhs)
    return std::nullopt;
  auto predicate = cast<arith::CmpIOp>(node->op).getPredicate();
  bool isUnsigned = predicate >= arith::CmpIPredicate::ult;
  if (isUnsigned && (rhs->constant < 0 || llvm::any_of(rhs->dims, [](int64_t coef) { return coef != 0; })))
    return std::nullopt;
  using P = arith::CmpIPredicate;
  bool holds = llvm::is_contained({P::slt, P::sle, P::ult, P::ule, P::eq}, predicate);
  Iterations differences = differencesOf(holds ? predicate : arith::invertPredicate(predicate), rhs->constant);
  // lhs - rhs = coef * the index along `only` + something from `least` to `greatest`.
  std::optional<unsigned> only;
  int64_t coef = 0, least = lhs->constant - rhs->constant, greatest = least;
  for (auto [dim, size] : llvm::enumerate(nest.sizes)) {
    int64_t ofDim = lhs->dims[dim] - rhs->dims[dim];
    if (ofDim == 0 || size <= 1)
      continue;
    if (nest.reduced.test(dim)) {
      (ofDim < 0 ? least : greatest) += ofDim * (size - 1);
      continue;
    }
    if (only)
      return std::nullopt;
    only = dim;
    coef = ofDim;
  }
  if (!only)
    return std::nullopt;
  if (coef < 0) {
    coef = -coef;
    std::tie(least, greatest) = std::pair(-greatest, -least);
    differences = {1 - differences.high, 1 - differences.low};
  }
  // The first iteration in which `start` + coef * index has reached `bound`.
  auto reaches = [&](int64_t start, int64_t bound) {
    return std::clamp<int64_t>(llvm::divideCeilSigned(bound - start, coef), 0, nest.sizes[*only]);
  };
  int64_t middle = nest.sizes[*only] / 2;
  Iterations inside{reaches(least, differences.low), reaches(greatest, differences.high)},
      before{0, reaches(greatest, differences.low)}, behind{reaches(least, differences.high), nest.sizes[*only]};
  if (inside.contains(middle))
    return std::tuple(*only, inside, holds);
  for (const Iterations &outside : {before, behind})
    if (outside.contains(middle))
      return std::tuple(*only, outside, !holds);
  return std::nullopt;
}

/// Is `node`, an i1, known once the `truths` are?
static std::optional<bool> truthIn(const DenseMap<ExprNode *, bool> &truths, ExprNode *node) {
  if (auto it = truths.find(node); it != truths.end())
    return it->second;
  if (node->kind == ExprNode::Constant)
    return !cast<IntegerAttr>(node->attr).getValue().isZero();
  if (node->kind != ExprNode::Apply || !isa<arith::AndIOp, arith::OrIOp>(node->op))
    return std::nullopt;
  std::optional<bool> lhs = truthIn(truths, node->operands[0]), rhs = truthIn(truths, node->operands[1]);
  bool decides = isa<arith::OrIOp>(node->op);
  if (lhs == decides || rhs == decides)
    return decides;
  return lhs && rhs ? std::optional(!decides) : std::nullopt;
}

static bool isChoiceOf(const ExprNode *node) {
  return node->kind == ExprNode::Select || (node->kind == ExprNode::Apply && isa<arith::SelectOp>(node->op));
}

/// Adds to `seen` what `node` takes along the lanes where `truths` are known.
static void collectLeft(ExprNode *node, const DenseMap<ExprNode *, bool> &truths, unsigned lanesDim,
                        llvm::SetVector<ExprNode *> &seen) {
  if (!node || !node->deps.test(lanesDim) || seen.contains(node) || (node->type.isInteger(1) && truthIn(truths, node)))
    return;
  seen.insert(node);
  auto collect = [&](ExprNode *other) { collectLeft(other, truths, lanesDim, seen); };
  if (isChoiceOf(node))
    if (std::optional<bool> truth = truthIn(truths, node->operands[0]))
      return collect(node->operands[*truth ? 1 : 2]);
  llvm::for_each(node->operands, collect);
  for (const Guard &guard : node->guards)
    collect(guard.condition);
  for (auto &[symbol, coef] : node->address.symbols)
    collect(symbol);
}

/// How `condition` mostly comes out, if its form tells: numbers are hardly ever equal, as a divisor and 0.
static std::optional<bool> usualTruth(const ExprNode *condition) {
  if (condition->kind != ExprNode::Apply)
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(condition->op)) {
    bool isEquality = compare.getPredicate() == arith::CmpIPredicate::eq;
    return isEquality || compare.getPredicate() == arith::CmpIPredicate::ne ? std::optional(!isEquality) : std::nullopt;
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(condition->op))
    return compare.getPredicate() == arith::CmpFPredicate::OEQ   ? std::optional(false)
           : compare.getPredicate() == arith::CmpFPredicate::UNE ? std::optional(true)
                                                                 : std::nullopt;
  if (!isa<arith::AndIOp, arith::OrIOp>(condition->op))
    return std::nullopt;
  std::optional<bool> lhs = usualTruth(condition->operands[0]), rhs = usualTruth(condition->operands[1]);
  bool decides = isa<arith::OrIOp>(condition->op);
  if (lhs == decides || rhs == decides)
    return decides;
  return lhs && rhs ? std::optional(!decides) : std::nullopt;
}

/// The condition, the same in all lanes, of whose two cases one computes least, and how much it saves.
static std::pair<ExprNode *, unsigned> mostDeciding(const LoopNest &nest, unsigned lanesDim, int jammed) {
  if (!nest.reductions.empty() || !nest.epilogue.empty())
    return {};
  auto isSame = [&](const ExprNode *node) {
    return node->type.isInteger(1) && node->kind != ExprNode::Constant && !node->deps.test(lanesDim) &&
           (jammed < 0 || !node->deps.test(jammed));
  };
  llvm::SetVector<ExprNode *> conditions;
  for (ExprNode *node : nest.nodes())
    if (isChoiceOf(node) ||
        (node->kind == ExprNode::Apply && isa<arith::AndIOp, arith::OrIOp>(node->op) && node->deps.test(lanesDim)))
      for (ExprNode *operand : ArrayRef(node->operands).take_front(isChoiceOf(node) ? 1 : 2))
        if (isSame(operand) && isCertain(operand)) // what is arbitrary decides about no branch
          conditions.insert(operand);
  auto instructionsIf = [&](const DenseMap<ExprNode *, bool> &truths) {
    llvm::SetVector<ExprNode *> left;
    for (const Store &store : nest.stores) {
      collectLeft(store.value, truths, lanesDim, left);
      collectLeft(store.imaginary, truths, lanesDim, left);
    }
    return instructionsOf(left.getArrayRef());
  };
  std::pair<ExprNode *, unsigned> most;
  constexpr size_t few = 8;
  if (conditions.empty() || conditions.size() > few)
    return most;
  unsigned all = instructionsIf(DenseMap<ExprNode *, bool>());
  for (ExprNode *condition : conditions) {
    std::optional<bool> usual = usualTruth(condition);
    for (bool truth : {false, true})
      if (unsigned left = usual == !truth ? all : instructionsIf({{condition, truth}});
          left < all && all - left > most.second)
        most = {condition, all - left};
  }
  return most;
}

std::optional<Interior> mlir::xla::interiorOf(const LoopNest &nest, const NestPlan &plan) {
  int lanesDim = plan.v;
  auto staysKnown = [](const Reduction &reduction) { return reduction.rowScalar; };
  if (lanesDim < 0 || nest.reduced.test(lanesDim) || nest.isScan() || llvm::any_of(nest.reductions, staysKnown))
    return std::nullopt;
  Interior interior;
  LinearIndices indices(nest.sizes);
  for (int64_t size : nest.sizes)
    interior.ranges.emplace_back(0, size);
  for (ExprNode *node : nest.nodes()) {
    if (node->kind != ExprNode::Apply || !isa<arith::CmpIOp>(node->op))
      continue;
    auto found = iterationsAroundMiddle(node, indices, nest);
    if (!found)
      continue;
    auto [dim, range, truth] = *found;
    auto &[low, high] = interior.ranges[dim];
    Iterations both{std::max(low, range.low), std::min(high, range.high)};
    // Steps along the lanes must fit in.
    int64_t spare = static_cast<int>(dim) == lanesDim ? 2 * (int64_t(plan.lanes) - 1) : 0;
    if (2 * (both.size() - spare) < nest.sizes[dim])
      continue;
    low = both.low;
    high = both.high;
    interior.truths[node] = truth;
  }
  auto isAbout = [&](auto &&self, ExprNode *condition) -> bool {
    if (condition->kind == ExprNode::Apply && isa<arith::AndIOp, arith::OrIOp>(condition->op))
      return llvm::any_of(condition->operands, [&](ExprNode *operand) { return self(self, operand); });
    return interior.truths.contains(condition);
  };
  auto isKnown = [&](ExprNode *condition) { return isAbout(isAbout, condition); };
  auto hasEdges = [&](ExprNode *node) {
    if (node->kind == ExprNode::Load)
      return llvm::any_of(node->guards, [&](const Guard &guard) {
        return guard.condition->deps.test(lanesDim) && isKnown(guard.condition);
      });
    // Where all lanes agree, addresses are chosen, but of what is computed, everything is.
    return isChoiceOf(node) && isKnown(node->operands[0]) &&
           llvm::any_of(ArrayRef(node->operands).drop_front(),
                        [](ExprNode *side) { return side->kind == ExprNode::Apply && side->deps.any(); });
  };
  if (llvm::any_of(nest.nodes(), hasEdges))
    return interior;
  std::tie(interior.condition, interior.saved) = mostDeciding(nest, lanesDim, plan.u);
  return interior.condition ? std::optional(interior) : std::nullopt;
}

/// What is known of `node`, a condition, where only the interior is.
std::optional<bool> NestEmitter::truthOf(ExprNode *node) const {
  return interior && node->type.isInteger(1) ? truthIn(interior->truths, node) : std::nullopt;
}

/// What is left of a condition there.
ExprNode *NestEmitter::undecided(ExprNode *node) const {
  if (!interior || node->kind != ExprNode::Apply || !node->type.isInteger(1) ||
      !isa<arith::AndIOp, arith::OrIOp>(node->op))
    return node;
  for (unsigned side : {0, 1})
    if (truthOf(node->operands[side]))
      return undecided(node->operands[1 - side]);
  return node;
}

/// Whether the step is in the interior; null if none can be.
Value NestEmitter::isInside(const Interior &of) {
  SmallVector<std::pair<unsigned, Value>> parts;
  for (auto [dim, range] : llvm::enumerate(of.ranges)) {
    auto [low, high] = range;
    if (low == 0 && high == nest->sizes[dim])
      continue;
    int64_t extent = static_cast<int>(dim) == plan->v   ? int64_t(plan->lanes) * vCount
                     : static_cast<int>(dim) == plan->u ? (uCount - 1) * plan->uDistance + 1
                                                        : 1,
            count = high - low - extent + 1;
    if (count <= 0 || (!iv[dim] && low > 0))
      return {};
    if (!iv[dim])
      continue;
    at(ivLevel[dim]);
    Value offset = low == 0 ? iv[dim] : arith::SubIOp::create(b, iv[dim], i64(low)).getResult();
    parts.emplace_back(ivLevel[dim], arith::CmpIOp::create(b, arith::CmpIPredicate::ult, offset, i64(count)));
  }
  llvm::sort(parts, llvm::less_first());
  Value all;
  for (auto [level, part] : parts) {
    at(level);
    all = all ? arith::AndIOp::create(b, all, part).getResult() : part;
  }
  return all;
}

/// Emits `step` for the interior, where nothing is compared, and for the edges.
void NestEmitter::emitPartitioned(function_ref<void()> step) {
  std::optional<Interior> found = plan->partitions && !partialMask ? interiorOf(*nest, *plan) : std::nullopt;
  Value inside;
  if (found && found->condition)
    inside = evaluate(found->condition, 0, 0).value;
  else if (found)
    inside = isInside(*found);
  if (!inside) {
    step();
    return;
  }
  at(top());
  auto branch = scf::IfOp::create(b, TypeRange(), inside, /*withElseRegion=*/true);
  moveTo(branch->getBlock(), Block::iterator(branch));
  auto emitIn = [&](Block *block) {
    levels.push_back(OpBuilder::InsertPoint(block, Block::iterator(block->getTerminator())));
    branchLevel = top();
    step();
    branchLevel = 0;
    forget(top());
    levels.pop_back();
  };
  // What only one of them needs is computed there: edges, and both cases of a condition.
  auto emitApart = [&](Block *block) {
    unsigned level = std::exchange(ivLevel[plan->v], top() + 1);
    emitIn(block);
    ivLevel[plan->v] = level;
  };
  interior = &*found;
  if (found->condition) {
    found->truths = {{found->condition, true}};
    emitApart(branch.thenBlock());
    found->truths = {{found->condition, false}};
  } else {
    emitIn(branch.thenBlock());
    interior = nullptr;
  }
  emitApart(branch.elseBlock());
  interior = nullptr;
  moveTo(branch->getBlock(), std::next(Block::iterator(branch)));
}
