// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a few elements, such as the channels of a pixel or the coordinates of a point, would leave most lanes empty.
// Where results lie one row behind the other, the rows become one dimension, and what is read otherwise is read at
// quotients and remainders of its index: of the same lanes in every step, if a step is a whole number of rows.

#include "mlir_xla/lowering/nest/Cost.h"
#include "mlir_xla/lowering/nest/LoopNest.h"

using namespace mlir;
using namespace mlir::xla;

/// Elements of a short row, of one that is reduced to, whose steps along another dimension may share what they read,
/// and of rows that are joined, and iterations from which on vectors pay.
static constexpr int64_t kLongestRow = 8, kLongestReduced = 4, kFewest = 64, kFewestIterations = 1024;
/// Vectors of rows that pay for what they read and store apart.
static constexpr int64_t kManyVectors = 4;
/// Elements apart at which parts of a vector are stored with masks.
static constexpr int64_t kLongestStored = 4;
/// Instructions for an element beside which storing it alone does not count.
static constexpr unsigned kMuchCode = kLongCode / 2;
/// Steps of a reduction that reads each value for few results.
static constexpr int64_t kMostSteps = 16;
/// Neighbours that some vectors of memory hold.
static constexpr int64_t kLanes = 16, kWindow = 3 * kLanes;

/// Do vectors hold what neighbours along rows of `size` elements read?
static bool isNear(int64_t alongRows, int64_t inRow, int64_t size) {
  return std::abs(alongRows) * llvm::divideCeil(kLanes, size) + std::abs(inRow) * (size - 1) < kWindow;
}

bool mlir::xla::isShortRowOfResults(const LoopNest &nest, unsigned row, unsigned lanes) {
  int64_t size = nest.sizes[row];
  SmallVector<ExprNode *> nodes = nest.nodes();
  bool computesMuch = size <= kLongestRow && instructionsOf(nodes) >= kMuchCode;
  if (size > kLongestStored && !computesMuch)
    return false;
  bool leavesLanesEmpty = 4 * size < lanes;
  return llvm::any_of(llvm::seq<unsigned>(nest.sizes.size()), [&](unsigned rows) {
    auto isBehind = [&](const Store &store) {
      return store.address.nonlinear.empty() && store.address.dims[row] == 1 && store.address.dims[rows] == size;
    };
    auto isReadOtherwise = [&](ExprNode *node) {
      return node->kind == ExprNode::Load &&
             (std::abs(node->address.dims[row]) >= kWindow ||
              llvm::any_of(node->address.symbols, [&](auto &term) { return term.first->deps.test(rows); }));
    };
    if (rows == row || !nest.isParallelLoop(rows) || !llvm::all_of(nest.stores, isBehind))
      return false;
    bool isMuch = nest.sizes[rows] >= kManyVectors * lanes && (computesMuch || llvm::any_of(nodes, isReadOtherwise));
    return isMuch || (leavesLanesEmpty && nest.sizes[rows] >= lanes);
  });
}

bool mlir::xla::readsRowsAnywhere(const LoopNest &nest, unsigned row) {
  // Rows behind each other in the results may be far apart in what is read, as those of a transposition are.
  auto isFar = [&](const Address &address) {
    return llvm::any_of(llvm::seq<unsigned>(nest.sizes.size()), [&](unsigned rows) {
      return nest.isParallelLoop(rows) && !isNear(address.dims[rows], address.dims[row], nest.sizes[row]) &&
             llvm::all_of(nest.stores, [&](const Store &store) { return store.address.dims[rows] == nest.sizes[row]; });
    });
  };
  return llvm::any_of(nest.nodes(), [&](const ExprNode *node) {
    return node->kind == ExprNode::Load && node->address.nonlinear.empty() && node->address.dims[row] == 1 &&
           (node->address.symbols.empty()
                ? isFar(node->address)
                : llvm::none_of(node->address.symbols, [&](auto &term) { return term.first->deps.test(row); }));
  });
}

/// Cycles of a row, as measured with images of 3 and 4 channels: what is gathered and scattered takes its time for each
/// element; where the row lies, each row of its own computes for itself.
bool mlir::xla::paysAsShortVectors(const LoopNest &nest, unsigned row, unsigned lanes) {
  constexpr double operationsAtOnce = 3, vectorsAtOnce = 2, scattered = 0.6, function = 16;
  double work = 0, reads = 0, writes = nest.stores.size(), size = nest.sizes[row];
  for (const ExprNode *node : nest.nodes()) {
    if (node->kind == ExprNode::Load)
      reads += node->deps.test(row);
    else if (node->kind == ExprNode::Apply && node->deps.any())
      work += isExpensive(node->op) ? function : 1;
  }
  double asVectors = work / operationsAtOnce + reads + writes;
  double byElements = work * size / (vectorsAtOnce * lanes) + size * (reads + scattered * writes);
  return asVectors < byElements;
}

static bool mayJoin(const LoopNest &nest, ArrayRef<ExprNode *> nodes, ArrayRef<const Store *> stores, unsigned rows,
                    unsigned row) {
  int64_t size = nest.sizes[row];
  auto isContiguous = [&](const Store *store) {
    return store->address.dims[row] == 1 && store->address.dims[rows] == size && !isa<ComplexType>(store->elementType);
  };
  if (stores.empty() || !llvm::all_of(stores, isContiguous))
    return false;
  auto moves = [&](ExprNode *node) { return node->deps.test(rows) || node->deps.test(row); };
  auto isOfRows = [&](auto &term) { return term.first.isFunctionOfDim(rows) || term.first.isFunctionOfDim(row); };
  bool isJoined = true;
  for (ExprNode *node : nodes) {
    if (!moves(node) || node->kind == ExprNode::Apply || node->kind == ExprNode::Select ||
        node->kind == ExprNode::Scalar)
      continue;
    const Address &address = node->address;
    if (node->pair || isa<ComplexType>(node->type) || !node->guards.empty() ||
        llvm::any_of(address.nonlinear, isOfRows) ||
        llvm::any_of(address.symbols, [&](auto &term) { return moves(term.first); }))
      return false;
    int64_t alongRows = address.dims[rows], inRow = address.dims[row];
    isJoined &= alongRows == inRow * size;
    if (node->kind == ExprNode::Index)
      continue;
    if (node->kind != ExprNode::Load || (!isNear(alongRows, inRow, size) && !(alongRows == 0 && nest.reduced.none())))
      return false;
  }
  return !isJoined;
}

static void join(LoopNest &nest, ArrayRef<ExprNode *> nodes, ArrayRef<Address *> addresses, unsigned rows,
                 unsigned row) {
  int64_t size = nest.sizes[row];
  AffineExpr index = getAffineDimExpr(row, nodes.front()->type.getContext());
  for (Address *address : addresses) {
    int64_t alongRows = std::exchange(address->dims[rows], 0), &inRow = address->dims[row];
    // Of index i: rows * (i floordiv size) + inRow * (i mod size), with no quotient where there is none.
    if (alongRows % size == 0) {
      int64_t within = inRow - alongRows / size;
      inRow = alongRows / size;
      if (within)
        address->nonlinear.emplace_back(index % size, within);
    } else {
      address->nonlinear.emplace_back(index.floorDiv(size), alongRows - inRow * size);
    }
  }
  for (ExprNode *node : nodes)
    if (node->deps.test(rows)) {
      node->deps.reset(rows);
      node->deps.set(row);
    }
  nest.sizes[row] *= nest.sizes[rows];
  nest.sizes[rows] = 1;
}

void mlir::xla::joinShortRows(LoopNest &nest) {
  if (nest.isScan() || nest.isOrdered())
    return;
  int64_t steps = 1;
  for (unsigned dim : nest.reduced.set_bits())
    steps *= nest.sizes[dim];
  SmallVector<ExprNode *> nodes = nest.nodes();
  if (steps > kMostSteps || nest.iterations(/*includeRows=*/true) < kFewestIterations)
    return;
  SmallVector<const Store *> stores;
  for (const Store &store : llvm::concat<const Store>(nest.stores, nest.epilogue))
    stores.push_back(&store);
  for (const Reduction &reduction : nest.reductions) {
    for (const std::optional<Store> &store : reduction.stores)
      if (store)
        stores.push_back(&*store);
    if (reduction.partial)
      stores.push_back(&*reduction.partial);
  }
  int64_t longest = nest.reduced.any() ? kLongestReduced : kLongestRow;
  // What is computed outside of the joined rows exists once.
  auto isLong = [&](unsigned rows, unsigned row, int64_t vectors) {
    SmallVector<ExprNode *> inside = llvm::to_vector(llvm::make_filter_range(nodes, [&](ExprNode *node) {
      return node->deps.test(rows) || node->deps.test(row) || node->deps.anyCommon(nest.reduced);
    }));
    return instructionsOf(inside) * vectors >= kLongCode;
  };
  for (unsigned row = 0; row < nest.sizes.size(); ++row) {
    // As many vectors as whole rows fill.
    int64_t size = nest.sizes[row], vectors = size / std::gcd(size, kLanes);
    if (!nest.isParallelLoop(row) || size > longest)
      continue;
    for (unsigned rows = 0; rows < nest.sizes.size(); ++rows) {
      int64_t elements = nest.sizes[rows] * size;
      if (rows == row || !nest.isParallelLoop(rows) || elements < kFewest || !llvm::isUInt<31>(elements) ||
          isLong(rows, row, vectors) || !mayJoin(nest, nodes, stores, rows, row))
        continue;
      join(nest, nodes, addressesOf(nest, nodes), rows, row);
      return;
    }
  }
}
