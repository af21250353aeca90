// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's values: lifted arithmetic, indices and addresses.

#include "mlir_xla/lowering/cpu/NestEmitter.h"
#include "mlir_xla/lowering/math/IntegerDivision.h"
#include "mlir_xla/lowering/math/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::xla;

Value NestEmitter::constant(TypedAttr attr) {
  Value &value = constants[attr];
  if (!value) {
    OpBuilder::InsertionGuard guard(b);
    Block *entry = levels[0].getBlock();
    b.setInsertionPointToStart(entry);
    value = arith::ConstantOp::create(b, attr);
  }
  return value;
}

/// Of numbers, complex ones too.
Value NestEmitter::zero(Type type) {
  auto complexType = dyn_cast<ComplexType>(type);
  if (!complexType)
    return constant(b.getZeroAttr(type));
  Value part = zero(complexType.getElementType());
  return complex::CreateOp::create(b, complexType, part, part);
}

Value NestEmitter::i64(int64_t value) { return constant(b.getI64IntegerAttr(value)); }

void NestEmitter::define(ExprNode *node, unsigned uo, unsigned vo, Value value) {
  values[Key(node, uo, vo)] = {value, top()};
}

NestEmitter::Emitted NestEmitter::lanes(Emitted scalar) {
  if (!plan || plan->lanes == 1 || isa<VectorType>(scalar.value.getType()))
    return scalar;
  // Results of a row are read by nests of different widths.
  auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, scalar.value.getType());
  Emitted &splat = splats[scalar.value];
  // What was needed in a branch before is in there.
  if (!splat.value || splat.value.getType() != type || splat.level > scalar.level) {
    at(scalar.level);
    splat = {vector::BroadcastOp::create(b, type, scalar.value), scalar.level};
  }
  // The same number may be what something else is in the interior only.
  return {splat.value, scalar.level};
}

/// What windows of neighbours have in common has the key of the neighbour that comes to it first in its window.
NestEmitter::Key NestEmitter::keyOf(ExprNode *node, unsigned uo, unsigned vo) const {
  if (windowDim >= 0)
    if (auto found = plan->sliding.find(node); found != plan->sliding.end())
      return Key(node, uo * found->second.u + windowStep * found->second.window, vo);
  return Key(node, uo, vo);
}

NestEmitter::Emitted NestEmitter::evaluate(ExprNode *node, unsigned uo, unsigned vo) {
  if (!plan || plan->u < 0 || !node->deps.test(plan->u))
    uo = 0;
  if (!plan || plan->v < 0 || !node->deps.test(plan->v))
    vo = 0;
  Key key = keyOf(node, uo, vo);
  if (auto it = values.find(key); it != values.end())
    return it->second;
  Emitted result;
  if (interior) {
    bool isApply = node->kind == ExprNode::Apply,
         isChoice = node->kind == ExprNode::Select || (isApply && isa<arith::SelectOp>(node->op));
    ExprNode *left = undecided(node);
    if (std::optional<bool> truth = isApply ? truthOf(node) : std::nullopt)
      result = {constant(b.getBoolAttr(*truth)), branchLevel};
    else if (std::optional<bool> chosen = isChoice ? truthOf(node->operands[0]) : std::nullopt)
      result = evaluate(node->operands[*chosen ? 1 : 2], uo, vo);
    else if (left != node)
      result = evaluate(left, uo, vo);
    if (result.value) {
      result.level = std::max(result.level, branchLevel);
      return values[key] = result;
    }
  }
  switch (node->kind) {
  case ExprNode::Constant:
    if (auto complexType = dyn_cast<ComplexType>(node->type)) {
      at(0);
      result = {complex::ConstantOp::create(b, complexType, cast<ArrayAttr>(node->attr)), 0};
    } else {
      result = {constant(cast<TypedAttr>(node->attr)), 0};
    }
    break;
  case ExprNode::Scalar:
    assert(node->value && "an accumulator is read before it is bound");
    result = {scalarArguments.lookup(node->value), 0};
    break;
  case ExprNode::Index:
    result = evaluateIndex(node, uo, vo);
    break;
  case ExprNode::Apply:
    result = evaluateApply(node, uo, vo);
    break;
  case ExprNode::Select:
    result = evaluateSelect(node, uo, vo);
    break;
  case ExprNode::Load:
    result = evaluateLoad(node, uo, vo);
    // A tile defines its copies itself.
    if (!result.value)
      return values.at(key);
    break;
  }
  values[key] = result;
  return result;
}

/// The product that `node` adds to an accumulator; null if it is not of that form.
static ExprNode *accumulatedProduct(ExprNode *node) {
  if (!isa<arith::AddFOp>(node->op))
    return nullptr;
  for (auto [accumulator, product] :
       {std::pair(node->operands[0], node->operands[1]), std::pair(node->operands[1], node->operands[0])})
    if (accumulator->kind == ExprNode::Scalar && !accumulator->value && product->kind == ExprNode::Apply &&
        isa<arith::MulFOp>(product->op))
      return product;
  return nullptr;
}

/// Elements of `load` at this step and the next, in each lane.
NestEmitter::Emitted NestEmitter::twoStepsOf(ExprNode *load, unsigned uo, unsigned vo) {
  if (plan->u < 0 || !load->deps.test(plan->u))
    uo = 0;
  bool inLanes = load->deps.test(plan->v);
  Key key(load, uo, inLanes ? vo : 0);
  if (auto it = values.find(key); it != values.end())
    return it->second;
  auto pairs = VectorType::get({2 * static_cast<int64_t>(plan->lanes)}, load->type);
  Emitted place = pointer(load->buffer, load->type, resolve(load->address, uo, vo));
  at(place.level);
  Value value;
  if (inLanes) {
    value = LLVM::LoadOp::create(b, pairs, place.value, elementAlignment(load->type));
  } else {
    Type word = b.getI32Type();
    value = LLVM::LoadOp::create(b, word, place.value, elementAlignment(load->type));
    value = vector::BroadcastOp::create(b, VectorType::get({static_cast<int64_t>(plan->lanes)}, word), value);
    value = LLVM::BitcastOp::create(b, pairs, value);
  }
  return values[key] = {value, place.level};
}

/// `sum` and the products of this step and the next: each is exact, and each addition is rounded.
NestEmitter::Emitted NestEmitter::addTwoSteps(Emitted sum, const ExprNode &product, unsigned uo, unsigned vo) {
  SmallVector<Value> operands{lanes(sum).value};
  unsigned level = sum.level;
  for (ExprNode *factor : product.operands) {
    Emitted pair = twoStepsOf(widenedBrain(factor), uo, vo);
    operands.push_back(pair.value);
    level = std::max(level, pair.level);
  }
  std::string name = "llvm.x86.avx512bf16.dpbf16ps." + std::to_string(plan->lanes * 32);
  at(level);
  return {LLVM::CallIntrinsicOp::create(b, operands[0].getType(), b.getStringAttr(name), operands).getResult(0), level};
}

/// Weights of a softmax, rounded to bf16 by an instruction: none is a subnormal number, which that takes for zero. Null
/// for anything else.
NestEmitter::Emitted NestEmitter::roundWeights(ExprNode *node, unsigned uo, unsigned vo) {
  constexpr unsigned lanesOfInstruction = 16;
  if (!roundsByInstructions || !plan || plan->lanes != lanesOfInstruction || !isa<arith::TruncFOp>(node->op) ||
      !node->type.isBF16())
    return {};
  ExprNode *weight = node->operands[0];
  auto exponential = dyn_cast_or_null<math::ExpOp>(weight->kind == ExprNode::Apply ? weight->op : nullptr);
  if (!exponential || !weight->type.isF32() ||
      !bitEnumContainsAll(exponential.getFastmath(), arith::FastMathFlags::afn))
    return {};
  Emitted value = lanes(evaluate(weight, uo, vo));
  at(value.level);
  auto type = VectorType::get({lanesOfInstruction}, node->type);
  auto name = b.getStringAttr("llvm.x86.avx512bf16.cvtneps2bf16.512");
  return {LLVM::CallIntrinsicOp::create(b, type, name, value.value).getResult(0), value.level};
}

NestEmitter::Emitted NestEmitter::evaluateApply(ExprNode *node, unsigned uo, unsigned vo) {
  // One rounding per step where the processor has an instruction: sums of products are fused, as every linear algebra
  // library does.
  if (ExprNode *product = accumulatedProduct(node)) {
    ExprNode *accumulator = node->operands[0] == product ? node->operands[1] : node->operands[0];
    if (plan && plan->addsPairs)
      return addTwoSteps(evaluate(accumulator, uo, vo), *product, uo, vo);
    SmallVector<Emitted> parts{evaluate(product->operands[0], uo, vo), evaluate(product->operands[1], uo, vo),
                               evaluate(accumulator, uo, vo)};
    unsigned level = 0;
    bool inLanes = llvm::any_of(parts, [](const Emitted &part) { return isa<VectorType>(part.value.getType()); });
    for (Emitted &part : parts) {
      if (inLanes)
        part = lanes(part);
      level = std::max(level, part.level);
    }
    at(level);
    // GPUs have the instruction, and know nothing of the flag but that a product with a sum of 0 may join another sum.
    auto flags = onDevice ? arith::FastMathFlags::none : arith::FastMathFlags::contract;
    return {math::FmaOp::create(b, parts[0].value, parts[1].value, parts[2].value, flags), level};
  }
  if (Emitted narrow = evaluateNarrowIndex(node, uo, vo); narrow.value)
    return narrow;
  if (isa<scf::ForOp>(node->op))
    return evaluateLoop(node, uo, vo);
  if (Emitted rounded = roundWeights(node, uo, vo); rounded.value)
    return rounded;
  SmallVector<Emitted> operands;
  unsigned level = 0;
  bool anyLanes = false;
  for (ExprNode *operand : node->operands) {
    operands.push_back(evaluate(operand, uo, vo));
    level = std::max(level, operands.back().level);
    anyLanes |= isa<VectorType>(operands.back().value.getType());
  }
  if (anyLanes && !onDevice && operands.size() == 2 && dividesInFloats(node->op, operands[1].value, plan->lanes))
    return divide(node->op, operands[0], operands[1]);
  SmallVector<Value> operandValues;
  for (Emitted &operand : operands) {
    if (anyLanes)
      operand = lanes(operand);
    operandValues.push_back(operand.value);
  }
  at(level);
  SmallVector<Value> results = emitScalar(node->op, operandValues);
  return {results[node->resultNumber], level};
}

/// The results of an operation on scalars, or on lanes of them, where the builder is.
SmallVector<Value> NestEmitter::emitScalar(Operation *op, ValueRange operands) {
  auto typeOf = [&](Type type) { return like(type.isIndex() ? b.getI64Type() : type, operands[0]); };
  // Index values are i64 here.
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    Type type = typeOf(op->getResult(0).getType());
    unsigned from = getElementTypeOrSelf(operands[0].getType()).getIntOrFloatBitWidth(),
             to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    if (from < to)
      return {isa<arith::IndexCastOp>(op) ? arith::ExtSIOp::create(b, type, operands[0]).getResult()
                                          : arith::ExtUIOp::create(b, type, operands[0]).getResult()};
    return {from > to ? arith::TruncIOp::create(b, type, operands[0]).getResult() : operands[0]};
  }
  if (op->getNumResults() == 1) {
    Type type = typeOf(op->getResult(0).getType());
    if (Value value = callFunction(op, type, operands))
      return {value};
    if (Value value =
            emitScalarMath(b, op, type, operands, onDevice ? BF16Rounding::Instruction : BF16Rounding::OfShortNaNs))
      return {value};
  }
  IRMapping mapping;
  for (auto [from, to] : llvm::zip_equal(op->getOperands(), operands))
    mapping.map(from, to);
  Operation *clone = b.clone(*op, mapping);
  for (OpResult result : clone->getResults())
    result.setType(typeOf(result.getType()));
  return clone->getResults();
}

NestEmitter::Emitted NestEmitter::divide(Operation *op, Emitted dividend, Emitted divisor) {
  dividend = lanes(dividend);
  Emitted reciprocal;
  // What does not change with the dividend has its reciprocal computed where it is known.
  if (divisor.level < dividend.level) {
    Emitted &known = reciprocals[isa<arith::DivSIOp, arith::RemSIOp>(op)][divisor.value];
    if (!known.value || known.level > divisor.level) {
      at(divisor.level);
      known = {emitReciprocal(b, op, divisor.value), divisor.level};
    }
    reciprocal = lanes(known);
  }
  divisor = lanes(divisor);
  unsigned level = std::max(dividend.level, divisor.level);
  at(level);
  return {emitDivision(b, op, dividend.value, divisor.value, reciprocal.value), level};
}

namespace {
struct Interval {
  int64_t low = 0, high = 0;
};
} // namespace

/// What `expr` may be for indices below `sizes`; nothing if that depends on data.
static std::optional<Interval> rangeOf(AffineExpr expr, ArrayRef<int64_t> sizes) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Interval{constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return Interval{0, std::max<int64_t>(sizes[dim.getPosition()], 1) - 1};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<Interval> lhs = rangeOf(binary.getLHS(), sizes), rhs = rangeOf(binary.getRHS(), sizes);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return Interval{lhs->low + rhs->low, lhs->high + rhs->high};
  int64_t factor = rhs->low;
  if (rhs->high != factor || (expr.getKind() != AffineExprKind::Mul && factor <= 0))
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul)
    return Interval{std::min(lhs->low * factor, lhs->high * factor), std::max(lhs->low * factor, lhs->high * factor)};
  if (expr.getKind() == AffineExprKind::Mod)
    return Interval{0, factor - 1};
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return Interval{llvm::divideFloorSigned(lhs->low, factor), llvm::divideFloorSigned(lhs->high, factor)};
  return std::nullopt;
}

/// (80 - d0) floordiv 2 is simplified to 40 + (-d0) floordiv 2: the multiple of the divisor that is added to a dividend
/// so that it is not negative again.
static int64_t liftOf(AffineExpr dividend, AffineExpr divisor, ArrayRef<int64_t> sizes) {
  std::optional<Interval> range = rangeOf(dividend, sizes);
  auto constant = dyn_cast<AffineConstantExpr>(divisor);
  if (!range || !constant || range->low >= 0)
    return 0;
  return -llvm::divideFloorSigned(range->low, constant.getValue()) * constant.getValue();
}

NestEmitter::Emitted NestEmitter::affineValue(AffineExpr expr, unsigned uo, unsigned vo) {
  if (auto constantExpr = dyn_cast<AffineConstantExpr>(expr))
    return {i64(constantExpr.getValue()), 0};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return evaluate(exprs.getSymbols()[symbol.getPosition()], uo, vo);
  if (auto dimExpr = dyn_cast<AffineDimExpr>(expr)) {
    int dim = dimExpr.getPosition();
    if (dim == plan->u && uo) {
      at(ivLevel[dim]);
      return {arith::AddIOp::create(b, iv[dim], i64(uo * plan->uDistance)), ivLevel[dim]};
    }
    if (dim == windowDim)
      return {i64(windowStep), 0};
    if (dim != plan->v)
      return {iv[dim] ? iv[dim] : i64(0), iv[dim] ? ivLevel[dim] : 0};
    at(ivLevel[dim]);
    SmallVector<int64_t> steps;
    for (unsigned lane = 0; lane < plan->lanes; ++lane)
      steps.push_back(lane + vo * plan->lanes);
    auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI64Type());
    Value stepVector = constant(DenseElementsAttr::get(type, ArrayRef<int64_t>(steps)));
    Value base = lanes({iv[dim], ivLevel[dim]}).value;
    at(ivLevel[dim]);
    return {arith::AddIOp::create(b, base, stepVector), ivLevel[dim]};
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Emitted lhs = affineValue(binary.getLHS(), uo, vo), rhs = affineValue(binary.getRHS(), uo, vo);
  if (isa<VectorType>(lhs.value.getType()) || isa<VectorType>(rhs.value.getType())) {
    lhs = lanes(lhs);
    rhs = lanes(rhs);
  }
  unsigned level = std::max(lhs.level, rhs.level);
  at(level);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {arith::AddIOp::create(b, lhs.value, rhs.value), level};
  case AffineExprKind::Mul:
    return {arith::MulIOp::create(b, lhs.value, rhs.value), level};
  default:
    break;
  }
  // Indices are not negative. Vector division by a constant is cheap in 32 bits.
  bool isModulo = expr.getKind() == AffineExprKind::Mod;
  int64_t lift = liftOf(binary.getLHS(), binary.getRHS(), nest->sizes);
  auto same = [&](int64_t number) {
    auto type = dyn_cast<VectorType>(lhs.value.getType());
    return type ? constant(DenseElementsAttr::get(type, number)) : i64(number);
  };
  if (lift)
    lhs.value = arith::AddIOp::create(b, lhs.value, same(lift));
  auto lowered = [&](Value quotient) -> Emitted {
    if (lift && !isModulo)
      quotient = arith::SubIOp::create(b, quotient, same(lift / cast<AffineConstantExpr>(binary.getRHS()).getValue()));
    return {quotient, level};
  };
  if (!exprs.dividesIn32Bits() || !llvm::isUInt<31>(lift))
    return lowered(isModulo ? arith::RemUIOp::create(b, lhs.value, rhs.value).getResult()
                            : arith::DivUIOp::create(b, lhs.value, rhs.value).getResult());
  Type narrow = like(b.getI32Type(), lhs.value);
  Value left = arith::TruncIOp::create(b, narrow, lhs.value), right = arith::TruncIOp::create(b, narrow, rhs.value);
  Value result = isModulo ? arith::RemUIOp::create(b, left, right).getResult()
                          : arith::DivUIOp::create(b, left, right).getResult();
  return lowered(arith::ExtUIOp::create(b, lhs.value.getType(), result));
}

/// Lanes at places that are known: a stride, if they have one.
void NestEmitter::addPattern(LaneAddress &address) {
  SmallVector<int64_t> pattern = std::move(address.pattern);
  address.pattern.clear();
  for (auto [lane, offset] : llvm::enumerate(pattern))
    offset += lane * address.laneStride;
  int64_t first = pattern[0];
  address.constant += first;
  for (int64_t &offset : pattern)
    offset -= first;
  address.laneStride = pattern.size() > 1 ? pattern[1] : 0;
  if (llvm::all_of(llvm::enumerate(pattern), [&](const auto &lane) {
        return lane.value() == static_cast<int64_t>(lane.index()) * address.laneStride;
      }))
    return;
  address.laneStride = 0;
  auto type = VectorType::get({static_cast<int64_t>(pattern.size())}, b.getI64Type());
  Value offsets = constant(DenseElementsAttr::get(type, ArrayRef<int64_t>(pattern)));
  if (address.laneOffsets) {
    at(address.level);
    address.laneOffsets = arith::AddIOp::create(b, address.laneOffsets, offsets);
  } else {
    address.laneOffsets = offsets;
    address.pattern = pattern;
  }
}

NestEmitter::LaneAddress NestEmitter::resolve(const Address &address, unsigned uo, unsigned vo) {
  LaneAddress result;
  result.constant = address.constant;
  // Uniform terms by level, so that the partial sums of outer loops are shared.
  struct Term {
    unsigned level;
    const void *id;
    Value value;
    int64_t coef;
    size_t order;
  };
  SmallVector<Term> terms;
  SmallVector<std::pair<Value, int64_t>> laneTerms;
  unsigned laneLevel = 0;
  auto add = [&](const void *id, Emitted value, int64_t coef) {
    if (isa<VectorType>(value.value.getType())) {
      laneTerms.emplace_back(value.value, coef);
      laneLevel = std::max(laneLevel, value.level);
    } else {
      terms.push_back({value.level, id, value.value, coef, terms.size()});
    }
  };
  for (auto [dim, coef] : llvm::enumerate(address.dims)) {
    if (coef == 0)
      continue;
    if (static_cast<int>(dim) == plan->u)
      result.constant += coef * uo * plan->uDistance;
    if (static_cast<int>(dim) == windowDim)
      result.constant += coef * windowStep;
    if (static_cast<int>(dim) == plan->v) {
      result.constant += coef * vo * plan->lanes;
      result.laneStride = coef;
    }
    if (iv[dim])
      terms.push_back({ivLevel[dim], iv[dim].getAsOpaquePointer(), iv[dim], coef, terms.size()});
  }
  SmallVector<std::pair<ExprNode *, int64_t>> narrowTerms = narrowTermsOf(address);
  for (auto &[symbol, coef] : address.symbols) {
    if (!narrowTerms.empty() && symbol->deps.test(plan->v))
      continue;
    Emitted value = evaluate(symbol, uo, vo);
    add(value.value.getAsOpaquePointer(), value, coef);
  }
  for (auto &[expr, coef] : address.nonlinear) {
    if (atStep && !tiles && plan->stepsOverRows(expr) && !isLaneAligned(expr, plan->v, plan->lanes)) {
      // Lanes are at the same places of rows in every step.
      int64_t length = *rowLengthOf(expr, plan->v);
      bool isModulo = expr.getKind() == AffineExprKind::Mod;
      result.pattern.resize(plan->lanes);
      for (auto [lane, offset] : llvm::enumerate(result.pattern)) {
        int64_t element = vo * plan->lanes + lane;
        offset += coef * (isModulo ? element % length : element / length);
      }
      if (isModulo)
        continue;
      unsigned level = ivLevel[plan->v];
      at(level);
      Value first = iv[plan->v], divisor = i64(length);
      Emitted &shared = sums[{expr.getAsOpaquePointer(), first.getAsOpaquePointer(), nullptr}];
      if (!shared.value)
        shared = {arith::DivUIOp::create(b, first, divisor), level};
      terms.push_back({level, shared.value.getAsOpaquePointer(), shared.value, coef, terms.size()});
      continue;
    }
    if (plan->v >= 0 && isLaneAligned(expr, plan->v, plan->lanes)) {
      // The first lane decides for all; `mod` walks with the lanes.
      auto binary = cast<AffineBinaryOpExpr>(expr);
      unsigned level = ivLevel[plan->v];
      at(level);
      Value first = iv[plan->v];
      bool isModulo = expr.getKind() == AffineExprKind::Mod;
      int64_t divisorValue = cast<AffineConstantExpr>(binary.getRHS()).getValue();
      // The vectors of one step begin at a multiple of the step: if that divides, all lie in one interval.
      if (divisorValue % (plan->lanes * plan->vUnroll) == 0)
        result.constant += isModulo ? coef * vo * plan->lanes : 0;
      else if (vo)
        first = arith::AddIOp::create(b, first, i64(vo * plan->lanes));
      Value divisor = i64(divisorValue);
      Emitted &shared = sums[{expr.getAsOpaquePointer(), first.getAsOpaquePointer(), nullptr}];
      if (!shared.value)
        shared = {isModulo ? arith::RemUIOp::create(b, first, divisor).getResult()
                           : arith::DivUIOp::create(b, first, divisor).getResult(),
                  level};
      terms.push_back({level, shared.value.getAsOpaquePointer(), shared.value, coef, terms.size()});
      if (isModulo)
        result.laneStride += coef;
      continue;
    }
    Emitted value = affineValue(expr, uo, vo);
    add(value.value.getAsOpaquePointer(), value, coef);
  }
  llvm::sort(terms, [](const Term &lhs, const Term &rhs) {
    return std::tie(lhs.level, lhs.order) < std::tie(rhs.level, rhs.order);
  });
  for (size_t i = 0; i < terms.size();) {
    unsigned level = terms[i].level;
    std::vector<const void *> key;
    Emitted sum;
    for (; i < terms.size() && terms[i].level == level; ++i) {
      const Term &term = terms[i];
      if (auto constantOp = term.value.getDefiningOp<arith::ConstantOp>()) {
        result.constant += term.coef * cast<IntegerAttr>(constantOp.getValue()).getInt();
        continue;
      }
      key.push_back(term.id);
      key.push_back(reinterpret_cast<const void *>(term.coef));
      Emitted &shared = sums[key];
      if (!shared.value) {
        at(level);
        Value scaled = term.coef == 1 ? term.value : arith::MulIOp::create(b, term.value, i64(term.coef)).getResult();
        shared = {sum.value ? arith::AddIOp::create(b, sum.value, scaled).getResult() : scaled, level};
      }
      sum = shared;
    }
    if (sum.value) {
      result.uniform.push_back(sum);
      result.level = level;
    }
  }
  if (!narrowTerms.empty()) {
    Value sum = narrowSum(narrowTerms, uo, vo, laneLevel);
    auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI64Type());
    laneTerms.emplace_back(arith::ExtSIOp::create(b, type, sum), 1);
  }
  if (!laneTerms.empty()) {
    result.level = std::max(result.level, laneLevel);
    at(result.level);
    for (auto &[value, coef] : laneTerms) {
      Value scaled = value;
      if (coef != 1)
        scaled =
            arith::MulIOp::create(b, value, constant(DenseElementsAttr::get(cast<ShapedType>(value.getType()), coef)));
      result.laneOffsets =
          result.laneOffsets ? arith::AddIOp::create(b, result.laneOffsets, scaled).getResult() : scaled;
    }
  }
  if (result.laneStride != 0 || (!result.pattern.empty() && !insideMasks.empty()))
    result.level = std::max(result.level, ivLevel[plan->v]);
  if (!result.pattern.empty())
    addPattern(result);
  return result;
}

/// The value in i64, or, if `bits` says so and it has lanes, modulo 2^32 in i32: wide lanes take two registers.
NestEmitter::Emitted NestEmitter::evaluateIndex(ExprNode *node, unsigned uo, unsigned vo, unsigned bits) {
  LaneAddress address = resolve(node->address, uo, vo);
  at(address.level);
  Value value;
  for (const Emitted &part : address.uniform)
    value = value ? arith::AddIOp::create(b, value, part.value).getResult() : part.value;
  if (!value)
    value = i64(address.constant);
  else if (address.constant)
    value = arith::AddIOp::create(b, value, i64(address.constant));
  bool inLanes = address.laneStride || address.laneOffsets;
  if (!inLanes)
    return {value, address.level};
  IntegerType integer = b.getIntegerType(bits);
  auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, integer);
  auto narrow = [&](Value wide) {
    return bits == 64 ? wide : arith::TruncIOp::create(b, like(integer, wide), wide).getResult();
  };
  Value offsets = address.laneOffsets ? narrow(address.laneOffsets) : Value();
  if (address.laneStride) {
    SmallVector<APInt> steps;
    for (unsigned lane = 0; lane < plan->lanes; ++lane)
      steps.push_back(APInt(bits, lane * address.laneStride, /*isSigned=*/true, /*implicitTrunc=*/true));
    Value stepVector = constant(DenseElementsAttr::get(type, steps));
    offsets = offsets ? arith::AddIOp::create(b, offsets, stepVector).getResult() : stepVector;
  }
  value = lanes({narrow(value), address.level}).value;
  at(address.level);
  return {arith::AddIOp::create(b, value, offsets), address.level};
}

/// True if i32 holds the index wherever the nest stands.
bool NestEmitter::fitsInt32(ExprNode *node) const {
  if (node->kind == ExprNode::Constant)
    return llvm::isInt<31>(cast<IntegerAttr>(node->attr).getInt());
  if (node->kind != ExprNode::Index || !node->address.symbols.empty())
    return false;
  std::optional<int64_t> bound = std::abs(node->address.constant);
  auto add = [&](int64_t coef, int64_t size) {
    bound = bound ? llvm::checkedMulAdd(std::abs(coef), size, *bound) : std::nullopt;
  };
  for (auto [coef, size] : llvm::zip_equal(node->address.dims, nest->sizes))
    add(coef, size);
  for (auto &[expr, coef] : node->address.nonlinear) {
    if (plan->v < 0 || !rowLengthOf(expr, plan->v))
      return false;
    add(coef, nest->sizes[plan->v]);
  }
  return bound && llvm::isInt<31>(*bound);
}

/// The lanes whose numbers, counted from `first`, lie below `count`, an i32 that is not negative. The intrinsic is
/// selected on its own, where a vector comparison would take the block out of fast instruction selection.
Value NestEmitter::lanesBelow(int64_t first, Value count) {
  auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI1Type());
  return LLVM::GetActiveLaneMaskOp::create(b, type, constant(b.getI32IntegerAttr(first)), count);
}

/// `index < bound` where lanes are consecutive indices that are not negative, and the bound is a constant; null for
/// anything else.
NestEmitter::Emitted NestEmitter::indexBelow(arith::CmpIPredicate predicate, ExprNode *index, ExprNode *bound,
                                             unsigned uo, unsigned vo) {
  if (predicate != arith::CmpIPredicate::slt && predicate != arith::CmpIPredicate::ult)
    return {};
  if (bound->kind != ExprNode::Constant || index->kind != ExprNode::Index || index->address.constant < 0 ||
      index->address.dims[plan->v] != 1 || llvm::any_of(index->address.dims, [](int64_t coef) { return coef < 0; }))
    return {};
  LaneAddress address = resolve(index->address, uo, vo);
  std::vector<const void *> key{bound};
  for (const Emitted &part : address.uniform)
    key.push_back(part.value.getAsOpaquePointer());
  Emitted &left = sums[key];
  if (!left.value) {
    at(address.level);
    Value difference = i64(cast<IntegerAttr>(bound->attr).getInt());
    for (const Emitted &part : address.uniform)
      difference = arith::SubIOp::create(b, difference, part.value);
    left = {arith::TruncIOp::create(b, b.getI32Type(), arith::MaxSIOp::create(b, difference, i64(0))), address.level};
  }
  at(address.level);
  return {lanesBelow(address.constant, left.value), address.level};
}

/// Comparisons and conversions of indices with lanes, in lanes of 32 bits; null for anything else.
NestEmitter::Emitted NestEmitter::evaluateNarrowIndex(ExprNode *node, unsigned uo, unsigned vo) {
  auto isLaneIndex = [&](ExprNode *operand) {
    return plan && plan->v >= 0 && operand->kind == ExprNode::Index && operand->deps.test(plan->v);
  };
  ArrayRef<ExprNode *> operands = node->operands;
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(node->op) && isLaneIndex(operands[0]) &&
      node->type.getIntOrFloatBitWidth() <= 32) {
    Emitted value = evaluateIndex(operands[0], uo, vo, 32);
    at(value.level);
    Type type = like(node->type, value.value);
    if (type != value.value.getType())
      value.value = arith::TruncIOp::create(b, type, value.value);
    return value;
  }
  auto compare = dyn_cast<arith::CmpIOp>(node->op);
  if (!compare || !compare.getLhs().getType().isIndex() ||
      !llvm::all_of(operands, [&](ExprNode *operand) { return fitsInt32(operand); }))
    return {};
  if (!llvm::any_of(operands, isLaneIndex)) {
    // Registers of a device have 32 bits.
    if (!onDevice)
      return {};
    Emitted left = evaluate(operands[0], uo, vo), right = evaluate(operands[1], uo, vo);
    if (isa<VectorType>(left.value.getType()) || isa<VectorType>(right.value.getType()))
      return {};
    unsigned level = std::max(left.level, right.level);
    at(level);
    for (Emitted *side : {&left, &right})
      side->value = arith::TruncIOp::create(b, b.getI32Type(), side->value);
    return {arith::CmpIOp::create(b, compare.getPredicate(), left.value, right.value), level};
  }
  if (Emitted below = indexBelow(compare.getPredicate(), operands[0], operands[1], uo, vo); below.value)
    return below;
  SmallVector<Emitted> sides;
  for (ExprNode *operand : operands) {
    Emitted side = operand->kind == ExprNode::Constant ? Emitted{i64(cast<IntegerAttr>(operand->attr).getInt()), 0}
                                                       : evaluateIndex(operand, uo, vo, 32);
    if (!isa<VectorType>(side.value.getType())) {
      at(side.level);
      side = lanes({arith::TruncIOp::create(b, b.getI32Type(), side.value), side.level});
    }
    sides.push_back(side);
  }
  unsigned level = std::max(sides[0].level, sides[1].level);
  at(level);
  return {arith::CmpIOp::create(b, compare.getPredicate(), sides[0].value, sides[1].value), level};
}
