// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs that a combiner commutes: as an operation that does, by the symmetry of its expression, or, for one that
// selects one of its operands by comparisons, by trying all cases.

#include "mlir_xla/lowering/nest/FoldOrder.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::xla;

static bool commutes(Operation *op) {
  return op->hasTrait<OpTrait::IsCommutative>() || isa<complex::AddOp, complex::MulOp>(op);
}

template <typename... Casts> static const ExprNode *without(const ExprNode *node) {
  while (node->kind == ExprNode::Apply && isa<Casts...>(node->op))
    node = node->operands[0];
  return node;
}

static bool dependsOn(const ExprNode *node, ArrayRef<ExprNode *> leaves, llvm::DenseSet<const ExprNode *> &seen) {
  if (!seen.insert(node).second)
    return false;
  if (llvm::is_contained(leaves, node))
    return true;
  auto any = [&](const ExprNode *part) { return dependsOn(part, leaves, seen); };
  return llvm::any_of(node->operands, any) ||
         llvm::any_of(node->guards, [&](const Guard &guard) { return any(guard.condition); }) ||
         llvm::any_of(node->address.symbols, [&](const auto &term) { return any(term.first); });
}

/// `acc op x`, as it is or rounded, with `op` associative and commutative, or either that or `acc`; x and the choice
/// know no running value. A running value that is rounded before it is combined is no such one: only those that others
/// follow are rounded then.
static bool accumulates(const ExprNode *next, const ExprNode *accumulator, ArrayRef<ExprNode *> accumulators) {
  auto isNew = [&](const ExprNode *node) {
    llvm::DenseSet<const ExprNode *> seen;
    return !dependsOn(node, accumulators, seen);
  };
  next = without<arith::ExtFOp, arith::TruncFOp>(next);
  bool isChoice = next->kind == ExprNode::Select || (next->kind == ExprNode::Apply && isa<arith::SelectOp>(next->op));
  if (isChoice && next->operands[2] == accumulator && isNew(next->operands[0]))
    next = without<arith::ExtFOp, arith::TruncFOp>(next->operands[1]);
  if (next->kind != ExprNode::Apply || next->operands.size() != 2 || !commutes(next->op) ||
      isa<arith::CmpIOp>(next->op))
    return false;
  return llvm::any_of(llvm::seq(2), [&](int side) {
    return without<arith::ExtFOp>(next->operands[side]) == accumulator && isNew(next->operands[1 - side]);
  });
}

namespace {

/// Compares a combiner with itself after its operands have changed places.
class Symmetry {
public:
  explicit Symmetry(const Reduction &reduction) {
    for (auto [left, right] : llvm::zip_equal(reduction.left, reduction.right))
      image[left] = right, image[right] = left;
  }

  /// True if `node` with operands exchanged is `other`.
  bool maps(const ExprNode *node, const ExprNode *other) {
    if (auto it = image.find(node); it != image.end())
      return it->second == other;
    auto [known, inserted] = compared.try_emplace({node, other}, false);
    if (!inserted)
      return known->second;
    bool same = compare(node, other);
    return compared[{node, other}] = same;
  }

private:
  bool compare(const ExprNode *node, const ExprNode *other) {
    if (node->kind != other->kind || node->type != other->type)
      return false;
    switch (node->kind) {
    case ExprNode::Constant:
      return node->attr == other->attr;
    case ExprNode::Scalar:
      return node == other;
    case ExprNode::Load:
    case ExprNode::Index:
      return false;
    case ExprNode::Apply:
      if (node->op->getName() != other->op->getName() || node->resultNumber != other->resultNumber ||
          node->op->getAttrDictionary() != other->op->getAttrDictionary())
        return false;
      break;
    case ExprNode::Select:
      break;
    }
    auto pairwise = [&](ArrayRef<ExprNode *> operands) {
      return llvm::all_of(llvm::zip_equal(node->operands, operands),
                          [&](auto pair) { return maps(std::get<0>(pair), std::get<1>(pair)); });
    };
    if (node->operands.size() != other->operands.size())
      return false;
    if (pairwise(other->operands))
      return true;
    return node->kind == ExprNode::Apply && node->operands.size() == 2 && commutes(node->op) &&
           pairwise({other->operands[1], other->operands[0]});
  }

  DenseMap<const ExprNode *, const ExprNode *> image;
  DenseMap<std::pair<const ExprNode *, const ExprNode *>, bool> compared;
};

/// A sample element of one of the reduced arrays, or a truth value.
struct Sample {
  int array = -1; // where it comes from; -1: computed from comparisons
  double number = 0;
};

/// A combiner of two arrays, a value and a key, that compares elements of the same array with each other and selects.
/// What it does depends on no more than how the elements compare, so that a few samples stand for all.
class SelectingCombiner {
public:
  SelectingCombiner(const Reduction &reduction, unsigned key) : reduction(reduction), key(key) {
    for (ExprNode *root : reduction.combined)
      collect(root);
  }

  /// True if, applied to operands in ascending order of keys, it gives the greater one in a total order.
  bool isMaximum(bool valueIsUsed) {
    unsigned value = 1 - key;
    Type type = reduction.left[value]->type;
    SmallVector<double> values;
    if (isa<FloatType>(type))
      values = {std::nan(""), -0.0, 0.0, 1, 2};
    else if (type.isInteger(1))
      values = {0, 1};
    else if (type.isInteger())
      values = {-3, -2, -1, 0, 1, 2};
    else
      return false;
    auto same = [&](double x, double y) {
      return (std::isnan(x) && std::isnan(y)) || (x == y && (!valueIsUsed || std::signbit(x) == std::signbit(y)));
    };
    struct Element {
      double value, key;
    };
    SmallVector<Element> elements;
    for (double number : {0, 1, 2})
      for (double sample : values)
        elements.push_back({sample, number});
    // greater[a][b]: of elements a and b the combiner gives a.
    size_t count = elements.size();
    std::vector<std::vector<bool>> greater(count, std::vector<bool>(count));
    for (size_t a = 0; a < count; ++a)
      for (size_t b = 0; b < count; ++b) {
        const Element &x = elements[a], &y = elements[b];
        if (x.key > y.key)
          continue;
        std::optional<std::pair<double, double>> result = run(x.value, x.key, y.value, y.key);
        if (!result)
          return false;
        bool isLeft = result->second == x.key && same(result->first, x.value),
             isRight = result->second == y.key && same(result->first, y.value);
        if (!isLeft && !isRight)
          return false;
        if (x.key < y.key) {
          greater[a][b] = isLeft;
          greater[b][a] = !isLeft;
          continue;
        }
        // The initial values may bear the key of the first element; then only the values may decide.
        greater[a][b] = isLeft;
        if (b < a && !same(x.value, y.value) && greater[a][b] == greater[b][a])
          return false;
      }
    for (size_t a = 0; a < count; ++a)
      for (size_t b = 0; b < count; ++b)
        for (size_t c = 0; c < count && greater[a][b]; ++c)
          if (a != b && b != c && a != c && greater[b][c] && !greater[a][c])
            return false;
    return true;
  }

  /// MAXSI or MINSI if NaN is chosen before numbers, else the greatest or the least number, and of those that are equal
  /// the one with the smaller key, or either if the keys are the same. A combiner that compares rounded values takes
  /// different ones for equal, which samples do not show.
  std::optional<vector::CombiningKind> chosenExtremum() {
    Type type = reduction.left[1 - key]->type;
    if (llvm::any_of(slots, [&](const auto &slot) {
          return slot.first->kind == ExprNode::Apply && isa<arith::TruncFOp>(slot.first->op) &&
                 slot.first->type != type;
        }))
      return std::nullopt;
    SmallVector<double> values = {-2, -1, 0, 1};
    if (isa<FloatType>(type))
      values.append({std::nan(""), -0.0, std::numeric_limits<double>::infinity()});
    else if (type.isInteger(1))
      return std::nullopt;
    auto choosesBy = [&](auto isBefore) {
      for (double x : values)
        for (double y : values)
          for (double number : {1, 2}) {
            std::optional<std::pair<double, double>> result = run(x, 1, y, number);
            bool isLeft = std::isnan(x) || (!std::isnan(y) && (x == y || isBefore(x, y)));
            bool isEither = number == 1 && (x == y || (std::isnan(x) && std::isnan(y)));
            double value = isLeft ? x : y;
            if (!result || (!isEither && result->second != (isLeft ? 1 : number)) ||
                (result->first != value && !(std::isnan(result->first) && std::isnan(value))))
              return false;
          }
      return true;
    };
    if (choosesBy(std::greater<>()))
      return vector::CombiningKind::MAXSI;
    if (choosesBy(std::less<>()))
      return vector::CombiningKind::MINSI;
    return std::nullopt;
  }

private:
  void collect(ExprNode *node) {
    if (slots.contains(node))
      return;
    for (ExprNode *operand : node->operands)
      collect(operand);
    slots.insert({node, Sample()});
  }

  /// The resulting value and key; none if the combiner does anything but compare and select.
  std::optional<std::pair<double, double>> run(double leftValue, double leftKey, double rightValue, double rightKey) {
    for (auto &[node, sample] : slots)
      if (!evaluate(node, sample, {leftValue, leftKey}, {rightValue, rightKey}))
        return std::nullopt;
    const Sample &value = slots[reduction.combined[1 - key]], &number = slots[reduction.combined[key]];
    return std::pair(value.number, number.number);
  }

  bool evaluate(ExprNode *node, Sample &result, std::pair<double, double> left, std::pair<double, double> right) {
    for (auto [side, numbers] : {std::pair(&reduction.left, left), std::pair(&reduction.right, right)})
      for (unsigned array : {0u, 1u})
        if (node == (*side)[array]) {
          result = {static_cast<int>(array), array == key ? numbers.second : numbers.first};
          return true;
        }
    SmallVector<Sample, 3> x;
    for (ExprNode *operand : node->operands)
      x.push_back(slots[operand]);
    if (node->kind == ExprNode::Constant && node->type.isInteger(1)) {
      result = {-1, static_cast<double>(!cast<IntegerAttr>(node->attr).getValue().isZero())};
      return true;
    }
    if (node->kind == ExprNode::Select) {
      result = x[0].number != 0 ? x[1] : x[2];
      return true;
    }
    if (node->kind != ExprNode::Apply)
      return false;
    bool isTruth = node->type.isInteger(1);
    if (isa<arith::SelectOp>(node->op)) {
      result = x[0].number != 0 ? x[1] : x[2];
    } else if (isa<arith::ExtFOp, arith::TruncFOp>(node->op)) {
      result = x[0]; // samples are exact in all types
    } else if (isTruth && isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(node->op)) {
      bool a = x[0].number != 0, b = x[1].number != 0;
      result = {-1, static_cast<double>(isa<arith::AndIOp>(node->op)  ? a && b
                                        : isa<arith::OrIOp>(node->op) ? a || b
                                                                      : a != b)};
    } else if (auto compare = dyn_cast<arith::CmpFOp>(node->op)) {
      if (x[0].array < 0 || x[0].array != x[1].array)
        return false;
      auto order = [](const Sample &sample) { return APFloat(sample.number); };
      result = {-1, static_cast<double>(arith::applyCmpPredicate(compare.getPredicate(), order(x[0]), order(x[1])))};
    } else if (auto compare = dyn_cast<arith::CmpIOp>(node->op)) {
      unsigned width = node->operands[0]->type.getIntOrFloatBitWidth();
      if (width > 1 && (x[0].array < 0 || x[0].array != x[1].array))
        return false;
      auto order = [&](const Sample &sample) {
        return APInt(width == 1 ? 1 : 64, static_cast<int64_t>(sample.number), /*isSigned=*/width > 1);
      };
      result = {-1, static_cast<double>(arith::applyCmpPredicate(compare.getPredicate(), order(x[0]), order(x[1])))};
    } else {
      return false;
    }
    return true;
  }

  const Reduction &reduction;
  unsigned key;
  llvm::MapVector<ExprNode *, Sample> slots; // operands before users
};

} // namespace

/// True if the elements of array `key` are the numbers of the iterations: not negative, and each greater than those of
/// all iterations before it, the first of them being no less than the initial value.
static bool countsIterations(const Reduction &reduction, unsigned key, const LoopNest &nest) {
  const ExprNode *node = reduction.elements[key], *init = reduction.inits[key];
  // Where JAX has numbers of 64 bits, they are those of 32 bits, widened.
  unsigned width = node->type.isInteger() ? node->type.getIntOrFloatBitWidth() : 0;
  if (node->kind == ExprNode::Apply && isa<arith::ExtSIOp, arith::ExtUIOp>(node->op)) {
    node = node->operands[0];
    width = node->type.getIntOrFloatBitWidth();
  }
  if (node->kind == ExprNode::Apply && isa<arith::IndexCastOp, arith::IndexCastUIOp>(node->op))
    node = node->operands[0];
  auto type = dyn_cast<IntegerType>(reduction.elements[key]->type);
  if (!type || node->kind != ExprNode::Index || !node->address.symbols.empty() || !node->address.nonlinear.empty())
    return false;
  std::optional<int64_t> low = node->address.constant, high = low, passed = 0;
  for (unsigned dim = nest.sizes.size(); dim-- > 0;) {
    int64_t step = node->address.dims[dim];
    std::optional<int64_t> way = llvm::checkedMul(step, nest.sizes[dim] - 1);
    if (!way)
      return false;
    if (nest.reduced.test(dim) && nest.sizes[dim] > 1) {
      if (!passed || step <= *passed)
        return false;
      passed = llvm::checkedAdd(*passed, *way);
    }
    std::optional<int64_t> &end = *way < 0 ? low : high;
    end = end ? llvm::checkedAdd(*end, *way) : std::nullopt;
  }
  if (!low || !high || *low < 0 || !llvm::isUIntN(width - 1, *high) || init->kind != ExprNode::Constant)
    return false;
  APInt first = cast<IntegerAttr>(init->attr).getValue();
  return first.isNonNegative() && first.getActiveBits() < 64 && first.getSExtValue() <= *low;
}

/// The same, or where parts were reduced before: some may then be the initial value, as an element that changes
/// nothing, wherever it comes.
static bool ascends(const Reduction &reduction, unsigned key, const LoopNest &nest) {
  auto known = reduction.op->getAttrOfType<DenseI64ArrayAttr>(kAscending);
  return (known && llvm::is_contained(known.asArrayRef(), key)) || countsIterations(reduction, key, nest);
}

/// A condition for what a step of the reduction selects, as far as it is known.
namespace {
class AscendingKeys {
public:
  AscendingKeys(const Reduction &reduction, unsigned key, KernelExprs &exprs)
      : running(reduction.accumulators[key]), element(reduction.elements[key]), exprs(exprs) {}

  /// `condition` without comparisons of the element's key with the running one, which is smaller.
  ExprNode *simplify(ExprNode *condition);

private:
  std::optional<bool> truth(const ExprNode *node) const;

  const ExprNode *running, *element;
  KernelExprs &exprs;
};
} // namespace

std::optional<bool> AscendingKeys::truth(const ExprNode *node) const {
  if (node->kind != ExprNode::Apply)
    return std::nullopt;
  ArrayRef<ExprNode *> operands = node->operands;
  if (auto compare = dyn_cast<arith::CmpIOp>(node->op)) {
    bool isFirst = operands[0] == running && operands[1] == element;
    if (isFirst || (operands[0] == element && operands[1] == running))
      return arith::applyCmpPredicate(compare.getPredicate(), APInt(8, !isFirst), APInt(8, isFirst));
  }
  return std::nullopt;
}

/// or(or(%greater, %nan), and(%equal, %before))  ->  or(or(%greater, %equal), %nan): two comparisons of the same
/// numbers, which become one.
ExprNode *AscendingKeys::simplify(ExprNode *node) {
  if (node->kind != ExprNode::Apply || !node->type.isInteger(1) || !isa<arith::AndIOp, arith::OrIOp>(node->op))
    return node;
  bool isAnd = isa<arith::AndIOp>(node->op);
  for (unsigned side : {0u, 1u})
    if (std::optional<bool> known = truth(node->operands[side]); known && *known == isAnd)
      return simplify(node->operands[1 - side]);
  ExprNode *left = simplify(node->operands[0]), *right = simplify(node->operands[1]);
  if (left == node->operands[0] && right == node->operands[1])
    return node;
  ExprNode *result = exprs.copy(*node);
  result->operands = {left, right};
  auto isComparison = [](const ExprNode *x) { return x->kind == ExprNode::Apply && isa<arith::CmpFOp>(x->op); };
  bool isSame = left->kind == ExprNode::Apply && left->op->getName() == node->op->getName() && isComparison(right) &&
                isComparison(left->operands[0]) && left->operands[0]->operands == right->operands;
  if (isSame) {
    ExprNode *both = exprs.copy(*left);
    both->operands = {left->operands[0], right};
    result->operands = {both, left->operands[1]};
  }
  return result;
}

/// Lets the running key, and the value, if nobody tells equal ones apart, be chosen by what ascending keys leave.
static void simplifyChoice(Reduction &reduction, bool valueIsUsed, KernelExprs &exprs) {
  unsigned key = reduction.key;
  auto isSelect = [](const ExprNode *node) {
    return node->kind == ExprNode::Select || (node->kind == ExprNode::Apply && isa<arith::SelectOp>(node->op));
  };
  ExprNode *chosen = reduction.next[key], *value = reduction.next[1 - key];
  if (!isSelect(chosen))
    return;
  ExprNode *condition = AscendingKeys(reduction, key, exprs).simplify(chosen->operands[0]);
  if (condition == chosen->operands[0])
    return;
  reduction.next[key] = exprs.copy(*chosen);
  reduction.next[key]->operands[0] = condition;
  // Both choose alike, but of equal values.
  if (!valueIsUsed && isSelect(value) && value->operands[1] == reduction.accumulators[1 - key] &&
      value->operands[2] == reduction.elements[1 - key] && chosen->operands[1] == reduction.accumulators[key] &&
      chosen->operands[2] == reduction.elements[key]) {
    reduction.next[1 - key] = exprs.copy(*value);
    reduction.next[1 - key]->operands[0] = condition;
  }
}

void mlir::xla::findFoldOrder(Reduction &reduction, const LoopNest &nest, KernelExprs &exprs) {
  size_t count = reduction.inits.size();
  bool accumulatesAll = true;
  // A sum that other results read as it runs has no parts that are added up later.
  auto isReadByOthers = [&](const ExprNode *next, ExprNode *accumulator) {
    llvm::DenseSet<const ExprNode *> seen;
    return llvm::any_of(reduction.next,
                        [&](const ExprNode *other) { return other != next && dependsOn(other, accumulator, seen); });
  };
  for (auto [next, accumulator] : llvm::zip_equal(reduction.next, reduction.accumulators)) {
    bool own = accumulates(next, accumulator, reduction.accumulators);
    accumulatesAll &= own;
    reduction.sums.push_back(own && next->kind == ExprNode::Apply && isa<arith::AddFOp, complex::AddOp>(next->op) &&
                             !isReadByOthers(next, accumulator));
  }
  auto isSymmetric = [&] {
    Symmetry symmetry(reduction);
    return !reduction.combined.empty() &&
           llvm::all_of(reduction.combined, [&](ExprNode *node) { return symmetry.maps(node, node); });
  };
  reduction.order = FoldOrder::Index;
  if (reduction.kind || accumulatesAll || isSymmetric()) {
    reduction.order = FoldOrder::Any;
    return;
  }
  if (count != 2 || reduction.combined.empty())
    return;
  auto unread = reduction.op->getAttrOfType<DenseI64ArrayAttr>(XlaRtDialect::kUnread);
  auto isUsed = [&](unsigned result) {
    return !reduction.op->getResult(result).use_empty() && !(unread && llvm::is_contained(unread.asArrayRef(), result));
  };
  for (unsigned key : {1u, 0u}) {
    SelectingCombiner combiner(reduction, key);
    if (ascends(reduction, key, nest) && combiner.isMaximum(isUsed(1 - key))) {
      reduction.order = FoldOrder::Key;
      reduction.key = key;
      reduction.chosen = combiner.chosenExtremum();
      if (countsIterations(reduction, key, nest))
        simplifyChoice(reduction, isUsed(1 - key), exprs);
      return;
    }
  }
}
