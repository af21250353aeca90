// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the linalg-stage ops of a kernel as scalar expressions of loop indices.

#include "mlir_xla/lowering/nest/KernelExpr.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

static Type withoutIndex(Type type) { return type.isIndex() ? IntegerType::get(type.getContext(), 64) : type; }

ExprNode *KernelExprs::make(ExprNode::Kind kind, Type type) {
  ExprNode &node = nodes.emplace_back();
  node.kind = kind;
  node.type = withoutIndex(type);
  node.deps.resize(numDims);
  return &node;
}

ExprNode *KernelExprs::placeholder(Type type, const llvm::SmallBitVector &deps) {
  ExprNode *node = make(ExprNode::Scalar, type);
  node->deps = deps;
  return node;
}

ExprNode *KernelExprs::load(Type type, const Buffer &buffer, const Address &address) {
  ExprNode *node = make(ExprNode::Load, type);
  node->buffer = buffer;
  node->address = address;
  for (auto [dim, coef] : llvm::enumerate(address.dims))
    if (coef)
      node->deps.set(dim);
  for (auto &[symbol, coef] : address.symbols)
    node->deps |= symbol->deps;
  return node;
}

ExprNode *KernelExprs::constant(Attribute value, Type type) {
  ExprNode *node = make(ExprNode::Constant, type);
  if (auto integer = dyn_cast<IntegerAttr>(value); integer && type.isIndex())
    value = IntegerAttr::get(node->type, integer.getInt());
  node->attr = value;
  return node;
}

/// Splits `expr` into linear terms (scaled by `factor`) and the rest.
static void flatten(AffineExpr expr, int64_t factor, Address &out, ArrayRef<ExprNode *> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    out.constant += factor * constant.getValue();
  } else if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    out.dims[dim.getPosition()] += factor;
  } else if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    ExprNode *node = symbols[symbol.getPosition()];
    for (auto &[other, coef] : out.symbols)
      if (other == node) {
        coef += factor;
        return;
      }
    out.symbols.emplace_back(node, factor);
  } else {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    if (expr.getKind() == AffineExprKind::Add) {
      flatten(binary.getLHS(), factor, out, symbols);
      flatten(binary.getRHS(), factor, out, symbols);
    } else if (auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
               scale && expr.getKind() == AffineExprKind::Mul) {
      flatten(binary.getLHS(), factor * scale.getValue(), out, symbols);
    } else {
      for (auto &[other, coef] : out.nonlinear)
        if (other == expr) {
          coef += factor;
          return;
        }
      out.nonlinear.emplace_back(expr, factor);
    }
  }
}

static void addDeps(AffineExpr expr, ArrayRef<ExprNode *> symbols, llvm::SmallBitVector &deps) {
  expr.walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      deps.set(dim.getPosition());
    else if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      deps |= symbols[symbol.getPosition()]->deps;
  });
}

Address KernelExprs::linearize(ArrayRef<AffineExpr> indices, const Buffer &buffer) {
  Address address;
  address.dims.assign(numDims, 0);
  for (auto [index, stride] : llvm::zip_equal(indices, buffer.strides))
    if (stride != 0)
      flatten(simplifyAffineExpr(index, numDims, symbols.size()), stride, address, symbols);
  if (buffer.origin >= 0)
    address.dims[buffer.origin] = 0;
  // c * k * (x floordiv c) + k * (x mod c) = k * x: a reshape of contiguous memory is no reshape.
  for (size_t i = 0; i < address.nonlinear.size(); ++i) {
    auto [remainder, k] = address.nonlinear[i];
    auto modulo = dyn_cast<AffineBinaryOpExpr>(remainder);
    if (!modulo || remainder.getKind() != AffineExprKind::Mod || k == 0)
      continue;
    auto divisor = dyn_cast<AffineConstantExpr>(modulo.getRHS());
    if (!divisor)
      continue;
    AffineExpr quotient = modulo.getLHS().floorDiv(divisor.getValue());
    auto other = llvm::find(address.nonlinear, std::pair(quotient, k * divisor.getValue()));
    if (other == address.nonlinear.end())
      continue;
    other->second = address.nonlinear[i].second = 0;
    flatten(modulo.getLHS(), k, address, symbols); // may add terms
  }
  llvm::erase_if(address.symbols, [](auto &term) { return term.second == 0; });
  llvm::erase_if(address.nonlinear, [](auto &term) { return term.second == 0; });
  return address;
}

ExprNode *KernelExprs::indexNode(AffineExpr expr) {
  expr = simplifyAffineExpr(expr, numDims, symbols.size());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  ExprNode *node = make(ExprNode::Index, IndexType::get(context));
  node->affine = expr;
  node->address.dims.assign(numDims, 0);
  flatten(expr, 1, node->address, symbols);
  addDeps(expr, symbols, node->deps);
  return node;
}

AffineExpr KernelExprs::asAffine(ExprNode *node) {
  if (node->kind == ExprNode::Index)
    return node->affine;
  if (node->kind == ExprNode::Constant)
    if (auto integer = dyn_cast<IntegerAttr>(node->attr))
      return getAffineConstantExpr(integer.getInt(), context);
  auto [it, inserted] = symbolOf.try_emplace(node, symbols.size());
  if (inserted)
    symbols.push_back(node);
  return getAffineSymbolExpr(it->second, context);
}

AffineExpr KernelExprs::offset(OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value))
    return getAffineConstantExpr(cast<IntegerAttr>(attr).getInt(), context);
  DenseMap<Value, ExprNode *> none;
  return asAffine(scalar(cast<Value>(value), none, {}));
}

KernelExprs::MemoKey KernelExprs::keyOf(Value tensor, ArrayRef<AffineExpr> indices) const {
  MemoKey key{tensor.getAsOpaquePointer()};
  for (AffineExpr index : indices)
    key.push_back(index.getAsOpaquePointer());
  for (auto &[guard, region] : guards) {
    key.push_back(guard.condition);
    key.push_back(reinterpret_cast<const void *>(uintptr_t(guard.negated)));
  }
  return key;
}

ExprNode *KernelExprs::element(Value tensor, ArrayRef<AffineExpr> indices) {
  SmallVector<AffineExpr> simplified;
  for (AffineExpr index : indices)
    simplified.push_back(simplifyAffineExpr(index, numDims, symbols.size()));
  MemoKey key = keyOf(tensor, simplified);
  auto it = memo.find(key);
  if (it != memo.end())
    return it->second;
  ExprNode *node = build(tensor, simplified);
  memo.emplace(std::move(key), node);
  return node;
}

ExprNode *KernelExprs::build(Value tensor, ArrayRef<AffineExpr> indices) {
  auto type = cast<RankedTensorType>(tensor.getType());
  largestTensor = std::max(largestTensor, type.getNumElements());
  if (ExprNode *node = known.lookup(tensor))
    return node;
  if (auto it = memory.find(tensor); it != memory.end()) {
    ExprNode *node = make(ExprNode::Load, type.getElementType());
    node->buffer = it->second;
    node->address = linearize(indices, it->second);
    node->value = tensor;
    // Indices along stride-0 dimensions do not matter to the address.
    for (auto [index, stride] : llvm::zip_equal(indices, it->second.strides))
      if (stride != 0)
        addDeps(index, symbols, node->deps);
    if (it->second.origin >= 0)
      node->deps.reset(it->second.origin);
    for (auto &[guard, region] : guards) {
      node->guards.push_back(guard);
      node->deps |= guard.condition->deps;
    }
    loads.push_back(node);
    return node;
  }
  return llvm::TypeSwitch<Operation *, ExprNode *>(tensor.getDefiningOp())
      .Case([&](arith::ConstantOp constantOp) -> ExprNode * {
        auto elements = cast<SplatElementsAttr>(constantOp.getValue());
        return constant(elements.getSplatValue<Attribute>(), type.getElementType());
      })
      .Case([&](tensor::EmptyOp) -> ExprNode * {
        // Reading uninitialised elements (of a tensor that has none, as a rule) may yield anything: zero.
        Builder b(context);
        if (auto complexType = dyn_cast<ComplexType>(type.getElementType())) {
          Attribute zero = b.getZeroAttr(complexType.getElementType());
          return constant(b.getArrayAttr({zero, zero}), complexType);
        }
        return constant(b.getZeroAttr(type.getElementType()), type.getElementType());
      })
      .Case([&](linalg::FillOp fill) -> ExprNode * {
        DenseMap<Value, ExprNode *> bound;
        return scalar(fill.getInputs()[0], bound, {});
      })
      .Case([&](tensor::ExtractSliceOp slice) -> ExprNode * {
        SmallVector<AffineExpr> source;
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        unsigned next = 0;
        for (auto [i, offset, stride] : llvm::enumerate(slice.getMixedOffsets(), slice.getMixedStrides())) {
          AffineExpr start = this->offset(offset);
          int64_t step = cast<IntegerAttr>(cast<Attribute>(stride)).getInt();
          source.push_back(dropped.test(i) ? start : start + indices[next++] * step);
        }
        return element(slice.getSource(), source);
      })
      .Case([&](tensor::CollapseShapeOp collapse) -> ExprNode * {
        // Collapsing to a scalar has no groups: every source index is 0.
        SmallVector<AffineExpr> source(collapse.getSrcType().getRank(), getAffineConstantExpr(0, context));
        for (auto [group, index] : llvm::zip_equal(collapse.getReassociationIndices(), indices)) {
          AffineExpr rest = index;
          for (int64_t i = static_cast<int64_t>(group.size()) - 1; i >= 0; --i) {
            int64_t size = collapse.getSrcType().getDimSize(group[i]);
            source[group[i]] = i == 0 ? rest : size == 1 ? getAffineConstantExpr(0, context) : rest % size;
            if (size != 1)
              rest = rest.floorDiv(size);
          }
        }
        return element(collapse.getSrc(), source);
      })
      .Case([&](tensor::ExpandShapeOp expand) -> ExprNode * {
        SmallVector<AffineExpr> source;
        for (const ReassociationIndices &group : expand.getReassociationIndices()) {
          AffineExpr index = getAffineConstantExpr(0, context);
          for (int64_t dim : group)
            index = index * expand.getResultType().getDimSize(dim) + indices[dim];
          source.push_back(index);
        }
        return element(expand.getSrc(), source);
      })
      .Case([&](linalg::LinalgOp linalgOp) -> ExprNode * {
        assert(linalgOp.getNumParallelLoops() == linalgOp.getNumLoops() && "a reduction has a register or memory");
        unsigned number = cast<OpResult>(tensor).getResultNumber();
        AffineMap map = linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(number));
        SmallVector<AffineExpr> loops(linalgOp.getNumLoops());
        for (auto [position, expr] : llvm::enumerate(map.getResults()))
          loops[cast<AffineDimExpr>(expr).getPosition()] = indices[position];
        // The outputs of an elementwise op are read when its body uses them.
        SmallVector<ExprNode *> outputs;
        for (OpOperand &init : linalgOp.getDpsInitsMutable())
          outputs.push_back(linalgOp.payloadUsesValueFromOperand(&init) ? element(init.get(), indices) : nullptr);
        SmallVector<ExprNode *> yielded = body(linalgOp, loops, outputs);
        // The others are the same code, as far as they are read at the same place.
        for (auto [i, result] : llvm::enumerate(linalgOp->getResults()))
          if (i != number && linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(i)) == map &&
              !known.contains(result) && !memory.contains(result))
            memo.try_emplace(keyOf(result, indices), yielded[i]);
        return yielded[number];
      });
}

SmallVector<ExprNode *> KernelExprs::body(linalg::LinalgOp op, ArrayRef<AffineExpr> loops, ArrayRef<ExprNode *> outputs,
                                          ArrayRef<ExprNode *> inputs) {
  DenseMap<Value, ExprNode *> bound;
  Block *block = op.getBlock();
  // The branches that this op is read in hold for all of its body.
  SmallVector<Region *> regions;
  for (auto &[guard, region] : guards)
    regions.push_back(std::exchange(region, nullptr));
  llvm::scope_exit restore([&] {
    for (auto [entry, region] : llvm::zip_equal(guards, regions))
      entry.second = region;
  });
  for (auto [i, operand] : llvm::enumerate(op.getDpsInputOperands())) {
    BlockArgument arg = block->getArgument(operand->getOperandNumber());
    if (arg.use_empty())
      continue;
    ExprNode *node;
    if (!inputs.empty()) {
      node = inputs[i];
    } else if (isa<RankedTensorType>(operand->get().getType())) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      SmallVector<AffineExpr> indices;
      for (AffineExpr expr : map.getResults())
        indices.push_back(expr.replaceDims(loops));
      node = element(operand->get(), indices);
    } else {
      DenseMap<Value, ExprNode *> none;
      node = scalar(operand->get(), none, {});
    }
    bound[arg] = node;
  }
  for (auto [arg, node] : llvm::zip_equal(op.getRegionOutputArgs(), outputs))
    bound[arg] = node;
  SmallVector<ExprNode *> yielded;
  for (Value value : block->getTerminator()->getOperands())
    yielded.push_back(scalar(value, bound, loops));
  return yielded;
}

SmallVector<ExprNode *> KernelExprs::scalarBlock(Block &block, ArrayRef<ExprNode *> arguments) {
  DenseMap<Value, ExprNode *> bound;
  for (auto [argument, node] : llvm::zip_equal(block.getArguments(), arguments))
    bound[argument] = node;
  return llvm::map_to_vector(block.getTerminator()->getOperands(),
                             [&](Value value) { return scalar(value, bound, {}); });
}

/// The integer that `node` always is, an index as an i64; null if none is known.
static IntegerAttr integerOf(ExprNode *node) {
  if (node->kind == ExprNode::Constant)
    return dyn_cast<IntegerAttr>(node->attr);
  if (node->kind == ExprNode::Index)
    if (auto index = dyn_cast<AffineConstantExpr>(node->affine))
      return Builder(index.getContext()).getI64IntegerAttr(index.getValue());
  return nullptr;
}

ExprNode *KernelExprs::scalar(Value value, DenseMap<Value, ExprNode *> &outer, ArrayRef<AffineExpr> loops) {
  // What is defined outside linalg bodies is the same in all of them.
  bool isUniform = isa_and_present<func::FuncOp>(value.getParentBlock()->getParentOp());
  DenseMap<Value, ExprNode *> &bound = isUniform ? uniform : outer;
  if (auto it = bound.find(value); it != bound.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  ExprNode *node = nullptr;
  // What is defined outside a branch is needed outside, too.
  SmallVector<std::pair<Guard, Region *>> around;
  auto isInside = [&](const std::pair<Guard, Region *> &entry) {
    return !isUniform && (!entry.second || entry.second->isAncestor(value.getParentRegion()));
  };
  if (!llvm::all_of(guards, isInside)) {
    around = guards;
    llvm::erase_if(guards, [&](auto &entry) { return !isInside(entry); });
  }
  llvm::scope_exit restore([&] {
    if (!around.empty())
      guards = around;
  });
  if (!op) {
    // A scalar argument of the kernel.
    node = make(ExprNode::Scalar, value.getType());
    node->value = value;
  } else if (auto constantOp = dyn_cast<arith::ConstantOp>(op)) {
    node = constant(constantOp.getValue(), value.getType());
  } else if (auto complexConstant = dyn_cast<complex::ConstantOp>(op)) {
    node = constant(complexConstant.getValue(), value.getType());
  } else if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    node = indexNode(loops[index.getDim()]);
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<AffineExpr> indices;
    for (Value operand : extract.getIndices())
      indices.push_back(asAffine(scalar(operand, bound, loops)));
    node = element(extract.getTensor(), indices);
  } else if (isa<scf::IfOp>(op)) {
    node = conditional(cast<OpResult>(value), bound, loops);
  } else if (isa<scf::ForOp>(op)) {
    node = loopResult(cast<OpResult>(value), bound, loops);
  } else {
    SmallVector<ExprNode *> operands;
    for (Value operand : op->getOperands())
      operands.push_back(scalar(operand, bound, loops));
    // Index arithmetic stays affine, so that addresses computed from it stay linear.
    bool isIndex = value.getType().isIndex();
    if (isIndex && isa<arith::AddIOp, arith::SubIOp>(op)) {
      AffineExpr lhs = asAffine(operands[0]), rhs = asAffine(operands[1]);
      node = indexNode(isa<arith::AddIOp>(op) ? lhs + rhs : lhs - rhs);
    } else if (isIndex && isa<arith::MulIOp>(op) &&
               (operands[0]->kind == ExprNode::Constant || operands[1]->kind == ExprNode::Constant)) {
      node = indexNode(asAffine(operands[0]) * asAffine(operands[1]));
    } else if (!(node = folded(op, operands))) {
      node = make(ExprNode::Apply, value.getType());
      node->op = op;
      node->resultNumber = cast<OpResult>(value).getResultNumber();
      node->operands = operands;
      for (ExprNode *operand : operands)
        node->deps |= operand->deps;
    }
  }
  bound[value] = node;
  return node;
}

/// An integer that is known, or the choice that is. Constants come into a body by its inputs, so that no pass before
/// has seen what follows from them, as what guards a division. Floats are computed as the kernel would.
ExprNode *KernelExprs::folded(Operation *op, ArrayRef<ExprNode *> operands) {
  SmallVector<Attribute> constants;
  for (ExprNode *operand : operands)
    constants.push_back(integerOf(operand));
  if (isa<arith::SelectOp>(op) && constants[0])
    return operands[cast<IntegerAttr>(constants[0]).getValue().isZero() ? 2 : 1];
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIntOrIndex() || operands.empty() ||
      !llvm::all_of(constants, [](Attribute constant) { return bool(constant); }))
    return nullptr;
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(constants, results)) || results.empty())
    return nullptr;
  if (auto value = dyn_cast<Attribute>(results[0]))
    return isa<IntegerAttr>(value) ? constant(value, op->getResult(0).getType()) : nullptr;
  auto same = llvm::find(op->getOperands(), cast<Value>(results[0]));
  return same != op->operand_end() ? operands[same.getIndex()] : nullptr;
}

SmallVector<Value> mlir::xla::valuesOfLoop(scf::ForOp loop) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(loop.getRegion(), captured);
  SmallVector<Value> values(loop.getInitArgs());
  llvm::append_range(values, captured);
  return values;
}

ExprNode *KernelExprs::loopResult(OpResult value, DenseMap<Value, ExprNode *> &bound, ArrayRef<AffineExpr> loops) {
  auto loop = cast<scf::ForOp>(value.getOwner());
  SmallVector<ExprNode *> operands, results;
  for (Value operand : valuesOfLoop(loop))
    operands.push_back(scalar(operand, bound, loops));
  for (OpResult result : loop->getResults()) {
    ExprNode *node = make(ExprNode::Apply, result.getType());
    node->op = loop;
    node->resultNumber = result.getResultNumber();
    node->operands = operands;
    for (ExprNode *operand : operands)
      node->deps |= operand->deps;
    bound[result] = node;
    results.push_back(node);
  }
  for (ExprNode *node : results)
    node->results = results;
  return results[value.getResultNumber()];
}

ExprNode *KernelExprs::conditional(OpResult value, DenseMap<Value, ExprNode *> &bound, ArrayRef<AffineExpr> loops) {
  auto branch = cast<scf::IfOp>(value.getOwner());
  ExprNode *condition = scalar(branch.getCondition(), bound, loops);
  if (Attribute known = integerOf(condition)) {
    Region &region = cast<IntegerAttr>(known).getValue().isZero() ? branch.getElseRegion() : branch.getThenRegion();
    return scalar(region.front().getTerminator()->getOperand(value.getResultNumber()), bound, loops);
  }
  ExprNode *node = make(ExprNode::Select, value.getType());
  node->operands.push_back(condition);
  for (bool negated : {false, true}) {
    Region &region = negated ? branch.getElseRegion() : branch.getThenRegion();
    guards.push_back({Guard{condition, negated}, &region});
    ExprNode *chosen = scalar(region.front().getTerminator()->getOperand(value.getResultNumber()), bound, loops);
    guards.pop_back();
    node->operands.push_back(chosen);
  }
  for (ExprNode *operand : node->operands)
    node->deps |= operand->deps;
  return node;
}
