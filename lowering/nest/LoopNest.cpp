// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decisions about a loop nest: collapsing, vector lanes, unroll-and-jam, work blocks, cost.

#include "mlir_xla/lowering/nest/LoopNest.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/nest/Cost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace mlir::xla;

/// Reductions of at most so many elements in all are over before several accumulators pay for their code.
static constexpr int64_t kShortReduction = 4096;

/// Rows and columns of a block of a transposition: long enough runs for the prefetcher, and a few pages at a time.
static constexpr int64_t kTransposedBlock = 512;

int64_t LoopNest::iterations(bool includeRows) const {
  int64_t count = 1;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (includeRows || !rows.test(dim))
      count *= size;
  return count;
}

bool LoopNest::isOrdered() const {
  return llvm::any_of(reductions, [](const Reduction &reduction) { return reduction.order != FoldOrder::Any; });
}

static void collect(ExprNode *node, llvm::SetVector<ExprNode *> &seen) {
  if (!node || seen.contains(node))
    return;
  for (ExprNode *operand : node->operands)
    collect(operand, seen);
  for (const Guard &guard : node->guards)
    collect(guard.condition, seen);
  for (auto &[symbol, coef] : node->address.symbols)
    collect(symbol, seen);
  seen.insert(node);
}

SmallVector<ExprNode *> LoopNest::nodes() const {
  llvm::SetVector<ExprNode *> seen;
  auto store = [&](const Store &store) {
    collect(store.value, seen);
    for (auto &[symbol, coef] : store.address.symbols)
      collect(symbol, seen);
  };
  for (const Store &s : stores)
    store(s);
  for (const Reduction &reduction : reductions) {
    for (ExprNode *node : reduction.inits)
      collect(node, seen);
    for (ExprNode *node : isScan() ? reduction.combined : reduction.next)
      collect(node, seen);
    for (ExprNode *node : reduction.elements)
      collect(node, seen);
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

/// Every address in the nest with the nodes or stores that hold it.
static SmallVector<Address *> addressesOf(LoopNest &nest, ArrayRef<ExprNode *> nodes) {
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
  // True if every address walks `outer` as the continuation of `inner`. An index value must not change with them at
  // all.
  auto mergeable = [&](unsigned outer, unsigned inner) {
    if (nest.rows.test(outer) || fixed.test(outer) || nest.ordered.test(outer) || nest.ordered.test(inner) ||
        nest.reduced.test(outer) != nest.reduced.test(inner))
      return false;
    return llvm::all_of(
               addresses,
               [&](Address *address) { return address->dims[outer] == address->dims[inner] * nest.sizes[inner]; }) &&
           llvm::none_of(nodes, [&](ExprNode *node) {
             return node->kind == ExprNode::Index && (node->address.dims[inner] || node->address.dims[outer]);
           });
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

namespace {
/// How addresses move along one dimension.
struct Strides {
  double score = 0;  // higher is better for lanes
  unsigned unit = 0; // contiguous accesses
  unsigned strided = 0;
};
} // namespace

bool mlir::xla::isLaneAligned(AffineExpr expr, unsigned dim, unsigned lanes) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || (expr.getKind() != AffineExprKind::FloorDiv && expr.getKind() != AffineExprKind::Mod))
    return false;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return divisor && binary.getLHS() == getAffineDimExpr(dim, expr.getContext()) && divisor.getValue() % lanes == 0;
}

static int64_t strideAlong(const Address &address, unsigned dim, unsigned lanes, bool &irregular) {
  int64_t stride = address.dims[dim];
  for (auto &[symbol, coef] : address.symbols)
    irregular |= symbol->deps.test(dim);
  for (auto &[expr, coef] : address.nonlinear) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    if (!isLaneAligned(expr, dim, lanes))
      irregular = true;
    else if (expr.getKind() == AffineExprKind::Mod)
      stride += coef;
  }
  return stride;
}

static Strides stridesAlong(const LoopNest &nest, unsigned dim, unsigned lanes, ArrayRef<ExprNode *> nodes) {
  Strides result;
  auto add = [&](const Address &address, double weight) {
    bool irregular = false;
    int64_t stride = strideAlong(address, dim, lanes, irregular);
    if (irregular) {
      result.score -= weight;
      ++result.strided;
    } else if (stride == 1) {
      result.score += 2 * weight;
      ++result.unit;
    } else if (stride == -1) {
      result.score += weight;
      ++result.unit;
    } else if (stride == 0) {
      result.score += 0.5 * weight;
    } else {
      result.score -= weight;
      ++result.strided;
    }
  };
  for (ExprNode *node : nodes)
    if (node->kind == ExprNode::Load)
      add(node->address, 1.0);
  for (const Store &store : nest.stores)
    add(store.address, 1.5);
  if (!nest.reduced.test(dim))
    for (const Store &store : nest.epilogue)
      add(store.address, 0.5);
  if (!nest.reduced.test(dim))
    for (const Reduction &reduction : nest.reductions)
      for (const std::optional<Store> &store : reduction.stores)
        if (store)
          add(store->address, 0.5);
  return result;
}

/// How many rows, one per step of `jam`, the first-level cache can hold a line of each at the same time: rows a
/// multiple of a page apart fall on the same eight lines. Lanes read whole lines, and need them only once.
static int64_t rowsInCache(ArrayRef<ExprNode *> nodes, unsigned jam, int v) {
  constexpr int64_t page = 4096, ways = 8;
  int64_t rows = std::numeric_limits<int64_t>::max();
  for (ExprNode *node : nodes)
    if (node->kind == ExprNode::Load && !node->deps.test(v))
      if (int64_t bytes = std::abs(node->address.dims[jam]) * storageBits(node->type) / 8)
        rows = std::min(rows, ways * page / std::gcd(page, bytes));
  return rows;
}

NestPlan mlir::xla::planNest(const LoopNest &nest, const TargetShape &target) {
  if (nest.isScan())
    return planScan(nest, target);
  NestPlan plan;
  SmallVector<ExprNode *> nodes = nest.nodes();
  unsigned rank = nest.sizes.size();

  unsigned widest = 8, narrowest = 64;
  bool scalarOnly = false;
  unsigned applies = 0, expensive = 0;
  for (ExprNode *node : nodes) {
    if (isa<ComplexType>(node->type)) {
      scalarOnly = true;
      continue;
    }
    if (node->kind == ExprNode::Apply) {
      // Code before or after a reduction does not weigh on its inner loop.
      if (nest.reduced.none() || (node->deps & nest.reduced).any()) {
        ++applies;
        expensive += isExpensive(node->op);
      }
    }
    if (node->kind == ExprNode::Index || node->kind == ExprNode::Constant || node->type.isInteger(1))
      continue;
    // 64-bit index arithmetic beside narrow data does not set the number of lanes.
    bool isIndexArithmetic = node->type.isInteger(64) && node->kind != ExprNode::Load;
    if (!isIndexArithmetic)
      widest = std::max(widest, storageBits(node->type));
    narrowest = std::min(narrowest, storageBits(node->type));
  }
  for (const Store &store : llvm::concat<const Store>(nest.stores, nest.epilogue))
    if (!isa<ComplexType>(store.elementType))
      widest = std::max(widest, storageBits(store.elementType));
  plan.lanes = std::max(1u, target.vectorBits / std::max(widest, 16u));

  bool hasReduction = nest.reduced.any();
  bool ordered = nest.isOrdered();
  unsigned innermost = rank; // of the reduction dimensions
  for (unsigned dim = 0; dim < rank; ++dim)
    if (nest.reduced.test(dim) && nest.sizes[dim] != 1)
      innermost = dim;
  bool singleKnown = llvm::all_of(nest.reductions, [](const Reduction &r) { return r.kind || !r.combined.empty(); });

  // Lanes: the dimension along which most accesses are contiguous.
  int best = -1;
  double bestScore = 0;
  if (!scalarOnly)
    for (unsigned dim = 0; dim < rank; ++dim) {
      int64_t size = nest.sizes[dim];
      if (size == 1 || nest.rows.test(dim))
        continue;
      if (nest.reduced.test(dim) && (!singleKnown || (ordered && dim != innermost)))
        continue;
      Strides strides = stridesAlong(nest, dim, plan.lanes, nodes);
      double score = strides.score;
      if (strides.unit == 0 && strides.strided > 0)
        score -= 2;
      // Few iterations fill few lanes.
      if (size < plan.lanes)
        score -= 2.0 * (1.0 - static_cast<double>(size) / plan.lanes);
      // Partial results per lane need a fold at the end; and parallel lanes keep the order of a reduction.
      if (nest.reduced.test(dim))
        score -= size < 4 * plan.lanes ? 1.0 : 0.25;
      if (best < 0 || score >= bestScore) {
        best = dim;
        bestScore = score;
      }
    }
  plan.v = best;
  if (plan.v < 0)
    plan.lanes = 1;
  // A narrow dimension does not deserve wide vectors.
  while (plan.v >= 0 && plan.lanes > 1 && nest.sizes[plan.v] <= plan.lanes / 2)
    plan.lanes /= 2;
  if (plan.lanes == 1)
    plan.v = -1;
  plan.vReduced = plan.v >= 0 && nest.reduced.test(plan.v);

  for (unsigned dim = 0; dim < rank; ++dim)
    if (nest.reduced.test(dim) && nest.sizes[dim] != 1 && static_cast<int>(dim) != plan.v)
      plan.reductionLoops.push_back(dim);

  // Innermost the one that moves least in memory.
  auto distance = [&](unsigned dim) {
    int64_t sum = 0;
    for (ExprNode *node : nodes)
      if (node->kind == ExprNode::Load)
        sum += std::abs(node->address.dims[dim]) * storageBits(node->type);
    return sum;
  };
  if (!ordered)
    llvm::stable_sort(plan.reductionLoops, [&](unsigned lhs, unsigned rhs) { return distance(lhs) > distance(rhs); });

  auto parallelDims = [&] {
    SmallVector<unsigned> dims;
    for (unsigned dim = 0; dim < rank; ++dim)
      if (!nest.reduced.test(dim) && !nest.rows.test(dim) && nest.sizes[dim] != 1 && static_cast<int>(dim) != plan.v)
        dims.push_back(dim);
    return dims;
  };

  auto insideReduction = [&](ExprNode *node) { return (node->deps & nest.reduced).any(); };
  // Unroll-and-jam: a parallel dimension that some load inside the reduction does not depend on is shared by the
  // copies.
  int64_t vSize = plan.v >= 0 ? nest.sizes[plan.v] : 1;
  int64_t vectors = (vSize + plan.lanes - 1) / plan.lanes;
  unsigned accumulators = 0;
  for (const Reduction &reduction : nest.reductions)
    accumulators += reduction.inits.size();
  if (hasReduction && accumulators == 1 && plan.v >= 0 && expensive == 0) {
    unsigned budget = target.registers() == 32 ? 24 : 12;
    bool vShared = llvm::any_of(nodes, [&](ExprNode *node) {
      return node->kind == ExprNode::Load && insideReduction(node) && !node->deps.test(plan.v);
    });
    int jam = -1;
    for (unsigned dim : parallelDims()) {
      bool shared = llvm::any_of(nodes, [&](ExprNode *node) {
        return node->kind == ExprNode::Load && insideReduction(node) && !node->deps.test(dim) &&
               (plan.vReduced || node->deps.test(plan.v));
      });
      if (shared && (jam < 0 || nest.sizes[dim] >= nest.sizes[jam]))
        jam = dim;
    }
    if (plan.vReduced) {
      plan.u = jam;
      if (jam >= 0)
        plan.uUnroll = std::min<int64_t>(4, nest.sizes[jam]);
      bool isShort = nest.iterations(/*includeRows=*/true) <= kShortReduction;
      unsigned wanted = isShort || (plan.u >= 0 && plan.uUnroll == 4) ? 1 : applies <= 4 ? 4 : 2;
      plan.vUnroll = std::max<int64_t>(1, std::min<int64_t>(wanted, vSize / plan.lanes));
    } else {
      plan.vUnroll = std::clamp<int64_t>(vectors, 1, 4);
      if (!vShared && jam < 0)
        plan.vUnroll = std::min(plan.vUnroll, 2u);
      plan.u = jam;
      if (jam >= 0)
        plan.uUnroll = std::max<int64_t>(
            1, std::min({int64_t(budget / plan.vUnroll), nest.sizes[jam], rowsInCache(nodes, jam, plan.v)}));
    }
  } else if (hasReduction && plan.vReduced && applies <= 8 && expensive == 0) {
    plan.vUnroll = std::max<int64_t>(1, std::min<int64_t>(2, vSize / plan.lanes));
  }

  // Neighbours are combined before anything else: of several vectors half of the steps stay in full lanes.
  // A single step needs no other order than the one it has.
  bool singleStep = vSize <= plan.lanes;
  plan.foldsInOrder = plan.vReduced && llvm::any_of(nest.reductions, [&](const Reduction &reduction) {
                        return reduction.order == FoldOrder::Index || (reduction.order == FoldOrder::Key && singleStep);
                      });
  if (plan.foldsInOrder) {
    plan.u = -1;
    plan.uUnroll = 1;
    bool isShort = nest.iterations(/*includeRows=*/true) <= kShortReduction;
    plan.vUnroll = std::clamp<int64_t>(vSize / plan.lanes, 1, isShort ? 1 : expensive == 0 ? 4 : 2);
  }

  // Tall reductions over rows of memory: walk memory in order and accumulate in the (cached) result.
  if (hasReduction && plan.v >= 0 && !plan.vReduced && plan.u < 0 && nest.stores.empty() &&
      nest.reductions.size() == 1 && !plan.reductionLoops.empty() && !nest.rows.any() &&
      nest.reductions[0].inits.size() == 1 && nest.reductions[0].partial) {
    int64_t reducedSize = 1;
    for (unsigned dim : plan.reductionLoops)
      reducedSize *= nest.sizes[dim];
    bool wide = llvm::any_of(nodes, [&](ExprNode *node) {
      return node->kind == ExprNode::Load &&
             std::abs(node->address.dims[plan.reductionLoops.back()]) * storageBits(node->type) / 8 >= 512;
    });
    if (reducedSize >= 64 && vSize >= 64 && wide && parallelDims().empty()) {
      plan.streaming = true;
      plan.vUnroll = 1;
    }
  }

  // Transposition: the store walks v, a load walks another parallel dimension.
  unsigned chunk = 128 / widest;
  if (!hasReduction && plan.v >= 0 && widest == narrowest && widest >= 16 && applies <= 24 && plan.lanes >= chunk)
    for (unsigned dim : parallelDims()) {
      if (nest.sizes[dim] < chunk || vSize < plan.lanes)
        continue;
      for (ExprNode *node : nodes) {
        if (node->kind != ExprNode::Load || !node->guards.empty())
          continue;
        bool irregular = false;
        int64_t alongV = strideAlong(node->address, plan.v, plan.lanes, irregular);
        int64_t alongU = strideAlong(node->address, dim, plan.lanes, irregular);
        if (!irregular && alongU == 1 && alongV != 0 && std::abs(alongV) != 1)
          plan.transposed.insert(node);
      }
      if (!plan.transposed.empty()) {
        plan.u = dim;
        plan.chunk = chunk;
        plan.uUnroll = chunk;
        plan.vUnroll = 1;
        break;
      }
    }

  // A few vectors in a row need no loop.
  if (!hasReduction && plan.v >= 0 && plan.transposed.empty() && vectors <= 4 && applies <= 8)
    plan.vUnroll = std::max<int64_t>(1, vSize / plan.lanes);

  // Computing a result twice is harmless unless it overwrites what it is computed from.
  if (hasReduction && plan.u >= 0 && nest.sizes[plan.u] % plan.uUnroll != 0)
    plan.uOverlaps = nest.stores.empty() && !nest.inPlace;

  for (unsigned dim : parallelDims())
    if (static_cast<int>(dim) != plan.u)
      plan.outer.push_back(dim);

  // Work is cut along u and v too when the outer dimensions are few.
  if (!nest.rows.any()) {
    int64_t outerWork = 1;
    for (unsigned dim : plan.outer)
      outerWork *= nest.sizes[dim];
    int64_t total = nest.iterations(true);
    if (plan.u >= 0) {
      int64_t uSize = nest.sizes[plan.u];
      int64_t block = plan.transposed.empty() ? plan.uUnroll * 20 : kTransposedBlock;
      if (uSize > block)
        plan.uBlock = block;
      outerWork *= plan.uBlock ? (uSize + block - 1) / block : 1;
    }
    if (plan.v >= 0 && !plan.vReduced) {
      int64_t chunk = plan.lanes * plan.vUnroll;
      bool contraction = plan.u >= 0 && plan.transposed.empty() && hasReduction;
      if (contraction) {
        if (vSize > chunk)
          plan.vBlock = chunk;
        // A second copy of the code for the remainder costs more than a few lanes that compute nothing.
        plan.vMasked = vSize % chunk != 0 && vSize > 3 * chunk;
      } else if (plan.streaming) {
        // Long stretches of every row: one block per thread.
        if (target.threads > 1 && vSize >= 16 * chunk)
          plan.vBlock = llvm::alignTo(llvm::divideCeil(vSize, target.threads), chunk);
      } else if (!plan.transposed.empty()) {
        if (vSize >= 2 * kTransposedBlock)
          plan.vBlock = kTransposedBlock;
      } else if (outerWork < 64 && total > 32768 && vSize > 4096) {
        plan.vBlock = 2048;
      }
    }
  }
  return plan;
}

int64_t mlir::xla::estimateCost(const LoopNest &nest, const NestPlan &plan, bool includeRows) {
  double perIteration = 0.05;
  for (ExprNode *node : nest.nodes()) {
    double lanes = plan.v >= 0 ? plan.lanes : 1;
    if (node->kind == ExprNode::Apply)
      perIteration += (isExpensive(node->op) ? 8.0 : 0.4) / lanes * (isa<ComplexType>(node->type) ? 4 : 1);
    else if (node->kind == ExprNode::Load && node->deps.any())
      perIteration += storageBits(node->type) / 8 * 0.06 / std::max(1u, plan.uUnroll);
  }
  for (const Store &store : nest.stores)
    perIteration += storageBits(store.elementType) / 8 * 0.08;
  return static_cast<int64_t>(perIteration * nest.iterations(includeRows)) + 1;
}
