// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop nest evaluates, and which of its dimensions are one.

#include "mlir_xla/lowering/nest/LoopNest.h"

#include "mlir_xla/lowering/nest/Cost.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xla;

int64_t LoopNest::iterations(bool includeRows) const {
  int64_t count = 1;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (includeRows || !rows.test(dim))
      count *= size;
  return includeRows ? count / rowsPerBlock : count;
}

bool LoopNest::isOrdered() const {
  return llvm::any_of(reductions, [](const Reduction &reduction) { return reduction.order != FoldOrder::Any; });
}

bool LoopNest::isInnermostReduced(unsigned dim) const {
  for (unsigned later = dim + 1; later < sizes.size(); ++later)
    if (isReductionLoop(later))
      return false;
  return reduced.test(dim);
}

bool LoopNest::hasOneResult(unsigned dim) const {
  return reduced.any() && llvm::none_of(llvm::seq<unsigned>(sizes.size()),
                                        [&](unsigned other) { return other != dim && isParallelLoop(other); });
}

bool LoopNest::isWindowed(unsigned dim) const {
  return llvm::any_of(nodes(), [&](ExprNode *node) {
    return node->kind == ExprNode::Load && node->address.dims[dim] != 0 &&
           llvm::any_of(reduced.set_bits(), [&](unsigned other) {
             return sizes[other] != 1 && node->address.dims[other] == node->address.dims[dim];
           });
  });
}

bool LoopNest::readsEachOnce() const {
  return llvm::any_of(nodes(), [&](ExprNode *node) {
    if (node->kind != ExprNode::Load || !node->address.symbols.empty() || !node->address.nonlinear.empty())
      return false;
    // Each dimension goes further than all that go in shorter steps.
    SmallVector<std::pair<int64_t, int64_t>> steps;
    for (auto [step, size] : llvm::zip_equal(node->address.dims, sizes))
      if (size != 1)
        steps.emplace_back(std::abs(step), size);
    llvm::sort(steps);
    int64_t reached = 0;
    return llvm::all_of(steps, [&](auto &each) {
      bool isBeyond = each.first > reached;
      reached += each.first * (each.second - 1);
      return isBeyond;
    });
  });
}

LogicalResult mlir::xla::checkSizes(const LoopNest &nest, ArrayRef<int64_t> ofPlan,
                                    function_ref<InFlightDiagnostic()> emitError) {
  ArrayRef<int64_t> sizes = nest.sizes;
  if (ofPlan == sizes)
    return success();
  return emitError() << "it is for a nest of sizes [" << ofPlan << "], and the nest has [" << sizes << "]";
}

void mlir::xla::collectNodes(ExprNode *node, llvm::SetVector<ExprNode *> &seen) {
  if (!node || seen.contains(node))
    return;
  for (ExprNode *operand : node->operands)
    collectNodes(operand, seen);
  for (const Guard &guard : node->guards)
    collectNodes(guard.condition, seen);
  for (auto &[symbol, coef] : node->address.symbols)
    collectNodes(symbol, seen);
  seen.insert(node);
}

bool mlir::xla::isCertain(ExprNode *node) {
  llvm::SetVector<ExprNode *> parts;
  collectNodes(node, parts);
  return llvm::none_of(parts, [](const ExprNode *part) { return !part->guards.empty(); });
}

SmallVector<ExprNode *> LoopNest::nodes() const {
  llvm::SetVector<ExprNode *> seen;
  auto store = [&](const Store &store) {
    collectNodes(store.value, seen);
    collectNodes(store.imaginary, seen);
    for (auto &[symbol, coef] : store.address.symbols)
      collectNodes(symbol, seen);
  };
  for (const Store &s : stores)
    store(s);
  for (const Reduction &reduction : reductions) {
    for (ExprNode *node : reduction.inits)
      collectNodes(node, seen);
    for (ExprNode *node : isScan() ? reduction.combined : reduction.next)
      collectNodes(node, seen);
    for (ExprNode *node : reduction.elements)
      collectNodes(node, seen);
    for (const std::optional<Store> &s : reduction.stores)
      if (s)
        store(*s);
    if (reduction.partial)
      store(*reduction.partial);
  }
  for (const Store &s : epilogue)
    store(s);
  return seen.takeVector();
}

unsigned mlir::xla::instructionsOf(ArrayRef<ExprNode *> nodes) {
  constexpr unsigned ofFunction = 32;
  unsigned instructions = 0;
  for (ExprNode *node : nodes)
    if (node->kind == ExprNode::Apply)
      instructions += isLongCode(node->op) ? ofFunction : 1;
  return instructions;
}

SmallVector<Address *> mlir::xla::addressesOf(LoopNest &nest, ArrayRef<ExprNode *> nodes) {
  SmallVector<Address *> addresses;
  for (ExprNode *node : nodes)
    if (node->kind == ExprNode::Load || node->kind == ExprNode::Index)
      addresses.push_back(&node->address);
  for (Store &store : nest.stores)
    addresses.push_back(&store.address);
  for (Store &store : nest.epilogue)
    addresses.push_back(&store.address);
  for (Reduction &reduction : nest.reductions) {
    for (std::optional<Store> &store : reduction.stores)
      if (store)
        addresses.push_back(&store->address);
    if (reduction.partial)
      addresses.push_back(&reduction.partial->address);
  }
  return addresses;
}

void mlir::xla::collapseDims(LoopNest &nest) {
  SmallVector<ExprNode *> nodes = nest.nodes();
  SmallVector<Address *> addresses = addressesOf(nest, nodes);
  llvm::SmallBitVector fixed(nest.sizes.size()); // dimensions inside floordiv and mod
  for (Address *address : addresses)
    for (auto &[expr, coef] : address->nonlinear)
      expr.walk([&](AffineExpr part) {
        if (auto dim = dyn_cast<AffineDimExpr>(part))
          fixed.set(dim.getPosition());
      });
  auto forget = [&](unsigned dim, std::optional<unsigned> into) {
    for (Address *address : addresses)
      address->dims[dim] = 0;
    for (ExprNode *node : nodes) {
      if (node->deps.test(dim) && into)
        node->deps.set(*into);
      node->deps.reset(dim);
    }
  };
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (nest.sizes[dim] == 1 && !nest.rows.test(dim) && !fixed.test(dim))
      forget(dim, std::nullopt);
  // True if every address, and every index value, walks `outer` as the continuation of `inner`.
  auto mergeable = [&](unsigned outer, unsigned inner) {
    if (nest.rows.test(outer) || fixed.test(outer) || nest.ordered.test(outer) || nest.ordered.test(inner) ||
        nest.reduced.test(outer) != nest.reduced.test(inner))
      return false;
    return llvm::all_of(
        addresses, [&](Address *address) { return address->dims[outer] == address->dims[inner] * nest.sizes[inner]; });
  };
  auto merge = [&](unsigned outer, unsigned inner) {
    nest.sizes[inner] *= nest.sizes[outer];
    nest.sizes[outer] = 1;
    forget(outer, inner);
  };
  for (unsigned inner = nest.sizes.size(); inner-- > 1;) {
    if (nest.sizes[inner] == 1 || nest.rows.test(inner) || fixed.test(inner))
      continue;
    for (unsigned outer = inner; outer-- > 0;) {
      if (nest.sizes[outer] == 1 && !nest.rows.test(outer))
        continue;
      if (!mergeable(outer, inner))
        break;
      merge(outer, inner);
    }
  }
  if (nest.isOrdered())
    return;
  // These reduction loops have no order among themselves: the channels of a convolution may be walked with its window.
  auto isReductionLoop = [&](unsigned dim) {
    return nest.reduced.test(dim) && nest.sizes[dim] != 1 && !nest.rows.test(dim) && !fixed.test(dim);
  };
  for (unsigned inner = 0; inner < nest.sizes.size(); ++inner)
    for (unsigned outer = inner + 1; outer < nest.sizes.size(); ++outer)
      if (isReductionLoop(inner) && isReductionLoop(outer) && mergeable(outer, inner))
        merge(outer, inner);
}
