// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers of a kernel's expressions as pairs of real ones, so that planner and emitter see arithmetic that has
// lanes. Enters: nests with complex nodes. Leaves: nests without, in which loads come in pairs and stores have both
// parts. Addresses stay those of complex elements.

#include "mlir_xla/lowering/cpu/NestPlan.h"

#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::xla;

static bool isComplex(const ExprNode *node) { return isa<ComplexType>(node->type); }
static bool hasComplexOperand(const ExprNode *node) { return llvm::any_of(node->operands, isComplex); }
static bool isOfComplexDialect(const ExprNode *node) {
  return node->kind == ExprNode::Apply && isa<complex::ComplexDialect>(node->op->getDialect());
}

/// True if `node` has a form in real numbers: what `lowering/linalg/` makes of programs.
static bool maySplit(const ExprNode *node) {
  if (node->kind != ExprNode::Apply || (!isComplex(node) && !hasComplexOperand(node)))
    return true;
  return isa<complex::AbsOp, complex::AddOp, complex::ConjOp, complex::CreateOp, complex::DivOp, complex::EqualOp,
             complex::ImOp, complex::MulOp, complex::NegOp, complex::NotEqualOp, complex::ReOp, complex::SubOp,
             arith::SelectOp>(node->op);
}

namespace {
class ComplexSplitter {
public:
  explicit ComplexSplitter(KernelNests &nests) : nests(nests), exprs(*nests.exprs) {}
  void run();

private:
  struct Parts {
    ExprNode *re, *im;
  };

  Parts split(ExprNode *node);
  Parts splitNew(ExprNode *node);
  ExprNode *real(ExprNode *node);
  void splitStore(Store &store);
  void splitReduction(Reduction &reduction, bool isScan);
  SmallVector<ExprNode *> expanded(ExprNode *node);
  Block &expansionOf(Operation *op);
  /// A node like `node`, a complex one, for a part of it.
  ExprNode *partOf(const ExprNode *node) {
    ExprNode *part = exprs.copy(*node);
    part->type = cast<ComplexType>(node->type).getElementType();
    return part;
  }
  /// `nodes` with two for each that is complex.
  SmallVector<ExprNode *> flat(ArrayRef<ExprNode *> nodes);

  KernelNests &nests;
  KernelExprs &exprs;
  DenseMap<ExprNode *, Parts> parts;
  DenseMap<ExprNode *, ExprNode *> reals;
  DenseMap<std::pair<OperationName, Type>, Block *> expansions;
};
} // namespace

ComplexSplitter::Parts ComplexSplitter::split(ExprNode *node) {
  if (auto found = parts.find(node); found != parts.end())
    return found->second;
  Parts result = splitNew(node);
  parts[node] = result;
  return result;
}

ComplexSplitter::Parts ComplexSplitter::splitNew(ExprNode *node) {
  if (isa_and_present<complex::CreateOp>(node->op))
    return {real(node->operands[0]), real(node->operands[1])};
  if (isOfComplexDialect(node)) {
    SmallVector<ExprNode *> values = expanded(node);
    return {values[0], values[1]};
  }
  Parts result{partOf(node), partOf(node)};
  switch (node->kind) {
  case ExprNode::Constant:
    result.re->attr = cast<ArrayAttr>(node->attr)[0];
    result.im->attr = cast<ArrayAttr>(node->attr)[1];
    break;
  case ExprNode::Load:
    for (ExprNode *part : {result.re, result.im}) {
      part->pair = part == result.re ? result.im : result.re;
      part->isImaginary = part == result.im;
      for (Guard &guard : part->guards)
        guard.condition = real(guard.condition);
      for (auto &[symbol, coef] : part->address.symbols)
        symbol = real(symbol);
    }
    break;
  case ExprNode::Apply: // arith.select
  case ExprNode::Select: {
    ExprNode *condition = real(node->operands[0]);
    Parts yes = split(node->operands[1]), no = split(node->operands[2]);
    for (auto [part, ifSo, ifNot] : {std::tuple(result.re, yes.re, no.re), std::tuple(result.im, yes.im, no.im)}) {
      part->kind = ExprNode::Select;
      part->op = nullptr;
      part->operands = {condition, ifSo, ifNot};
    }
    break;
  }
  default:
    break;
  }
  return result;
}

/// `node`, which is not complex, computed of real numbers.
ExprNode *ComplexSplitter::real(ExprNode *node) {
  if (auto found = reals.find(node); found != reals.end())
    return found->second;
  ExprNode *result = node;
  if (isa_and_present<complex::ReOp>(node->op)) {
    result = split(node->operands[0]).re;
  } else if (isa_and_present<complex::ImOp>(node->op)) {
    result = split(node->operands[0]).im;
  } else if (hasComplexOperand(node)) {
    result = expanded(node)[0];
  } else {
    for (ExprNode *&operand : node->operands)
      operand = real(operand);
    for (Guard &guard : node->guards)
      guard.condition = real(guard.condition);
    for (auto &[symbol, coef] : node->address.symbols)
      symbol = real(symbol);
  }
  reals[node] = result;
  return result;
}

/// What an operation of the complex dialect is computed by, as what it is converted to behind this stage.
SmallVector<ExprNode *> ComplexSplitter::expanded(ExprNode *node) {
  SmallVector<ExprNode *> values = exprs.scalarBlock(expansionOf(node->op), flat(node->operands));
  for (ExprNode *&value : values)
    value = real(value);
  return values;
}

Block &ComplexSplitter::expansionOf(Operation *op) {
  Block *&found = expansions[{op->getName(), op->getOperand(0).getType()}];
  if (found)
    return *found;
  ImplicitLocOpBuilder b(op->getLoc(), op->getContext());
  auto partsOf = [](TypeRange types) {
    SmallVector<Type> parts;
    for (Type type : types) {
      auto complexType = dyn_cast<ComplexType>(type);
      parts.append(complexType ? 2 : 1, complexType ? complexType.getElementType() : type);
    }
    return parts;
  };
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(
      b, "expansion", b.getFunctionType(partsOf(op->getOperandTypes()), partsOf(op->getResultTypes())));
  Block *block = function->addEntryBlock();
  b.setInsertionPointToStart(block);
  const auto *next = block->args_begin();
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value value = *next++;
    if (isa<ComplexType>(operand.getType()))
      value = complex::CreateOp::create(b, operand.getType(), value, *next++);
    mapping.map(operand, value);
  }
  Value value = b.clone(*op, mapping)->getResult(0);
  SmallVector<Value> results{value};
  if (isa<ComplexType>(value.getType()))
    results = {complex::ReOp::create(b, value), complex::ImOp::create(b, value)};
  func::ReturnOp::create(b, results);

  RewritePatternSet patterns(op->getContext());
  populateComplexToStandardConversionPatterns(patterns);
  ConversionTarget target(*op->getContext());
  target.addIllegalDialect<complex::ComplexDialect>();
  target.addLegalOp<complex::ConstantOp, complex::CreateOp, complex::ReOp, complex::ImOp>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  LogicalResult converted = applyPartialConversion(function.get(), target, std::move(patterns));
  assert(succeeded(converted) && "maySplit knows the operations");
  (void)converted;
  block = &function->front();
  nests.expansions.push_back(std::make_unique<Block>());
  found = nests.expansions.back().get();
  // Outside of a function, values are those of one place.
  found->addArguments(block->getArgumentTypes(), SmallVector<Location>(block->getNumArguments(), op->getLoc()));
  for (auto [from, to] : llvm::zip_equal(block->getArguments(), found->getArguments()))
    from.replaceAllUsesWith(to);
  found->getOperations().splice(found->end(), block->getOperations());
  return *found;
}

SmallVector<ExprNode *> ComplexSplitter::flat(ArrayRef<ExprNode *> nodes) {
  SmallVector<ExprNode *> result;
  for (ExprNode *node : nodes) {
    if (!isComplex(node)) {
      result.push_back(real(node));
      continue;
    }
    Parts both = split(node);
    result.append({both.re, both.im});
  }
  return result;
}

void ComplexSplitter::splitStore(Store &store) {
  for (auto &[symbol, coef] : store.address.symbols)
    symbol = real(symbol);
  if (!store.value)
    return;
  if (!isComplex(store.value)) {
    store.value = real(store.value);
    return;
  }
  Parts both = split(store.value);
  store.value = both.re;
  store.imaginary = both.im;
}

void ComplexSplitter::splitReduction(Reduction &reduction, bool isScan) {
  bool isSum = !isScan && llvm::all_of(reduction.sums, [](bool isSum) { return isSum; });
  SmallVector<bool> sums;
  std::vector<std::optional<Store>> stores;
  unsigned key = reduction.key;
  for (auto [i, init] : llvm::enumerate(reduction.inits)) {
    if (i == key)
      reduction.key = isScan ? 0 : sums.size();
    unsigned arrays = isComplex(init) ? 2 : 1;
    if (!reduction.sums.empty())
      sums.append(arrays, reduction.sums[i]);
    if (!reduction.stores.empty()) {
      stores.push_back(reduction.stores[i]);
      stores.resize(stores.size() + arrays - 1);
    }
  }
  if (llvm::any_of(reduction.inits, isComplex)) {
    reduction.partial.reset();
    if (isSum)
      reduction.kind = vector::CombiningKind::ADD;
  }
  reduction.sums = std::move(sums);
  reduction.stores = std::move(stores);
  for (std::optional<Store> &store : reduction.stores)
    if (store)
      splitStore(*store);
  if (reduction.partial)
    splitStore(*reduction.partial);
  for (auto *nodes : {&reduction.inits, &reduction.accumulators, &reduction.next, &reduction.left, &reduction.right,
                      &reduction.combined, &reduction.elements, &reduction.results})
    *nodes = flat(*nodes);
}

void ComplexSplitter::run() {
  for (ExprNode *symbol : exprs.getSymbols())
    real(symbol);
  for (LoopNest &nest : nests.nests) {
    for (Reduction &reduction : nest.reductions)
      splitReduction(reduction, nest.isScan());
    for (Store &store : llvm::concat<Store>(nest.stores, nest.epilogue))
      splitStore(store);
    SmallVector<ExprNode *> nodes = nest.nodes();
    DenseSet<ExprNode *> read(nodes.begin(), nodes.end());
    nest.loads = flat(nest.loads);
    llvm::erase_if(nest.loads, [&](ExprNode *load) { return load->pair && !read.contains(load); });
  }
}

void mlir::xla::splitComplex(KernelNests &nests) {
  bool computes = false, mayBeSplit = llvm::all_of(nests.exprs->getSymbols(), maySplit);
  for (LoopNest &nest : nests.nests) {
    llvm::SetVector<ExprNode *> nodes;
    nodes.insert_range(nest.nodes());
    for (const Reduction &reduction : nest.reductions)
      for (ExprNode *node : reduction.combined)
        collectNodes(node, nodes);
    computes |= llvm::any_of(nodes, isOfComplexDialect);
    mayBeSplit &= llvm::all_of(nodes, maySplit);
  }
  if (computes && mayBeSplit)
    ComplexSplitter(nests).run();
}
