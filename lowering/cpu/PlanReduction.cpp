// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/cpu/PlanReduction.h"

#include "mlir_xla/lowering/Storage.h"

using namespace mlir;
using namespace mlir::xla;

std::pair<unsigned, int64_t> mlir::xla::tileOf(int64_t columns, int64_t lanes, int64_t rows, unsigned vectorsOfTile,
                                               int64_t most, bool mayMask) {
  // Products that are under way at a time, of two units whose results are there after four steps.
  constexpr int64_t underWay = 8;
  constexpr double perLoad = 0.1, notable = 0.97;
  const int64_t vectors = llvm::divideCeil(columns, lanes);
  auto isMasked = [&](int64_t ofTile) {
    return mayMask && columns > 3 * ofTile * lanes && columns % (ofTile * lanes) != 0;
  };
  auto rowsOf = [&](int64_t vectors) {
    return llvm::divideCeil(rows, llvm::divideCeil(rows, std::max<int64_t>(1, most / vectors)));
  };
  auto timeOf = [&](int64_t ofTile) {
    int64_t tileRows = rowsOf(ofTile);
    auto step = [&](int64_t count) {
      return static_cast<double>(std::max(tileRows * count, underWay)) *
             (1 + perLoad * static_cast<double>(tileRows + count) / static_cast<double>(tileRows * count));
    };
    int64_t whole = isMasked(ofTile) ? llvm::divideCeil(vectors, ofTile) : vectors / ofTile;
    int64_t rest = std::max<int64_t>(0, vectors - whole * ofTile);
    return static_cast<double>(llvm::divideCeil(rows, tileRows)) *
           (static_cast<double>(whole) * step(ofTile) + (rest ? step(rest) : 0));
  };
  unsigned best = vectorsOfTile;
  for (unsigned fewer = vectorsOfTile - 1; fewer > 1; --fewer)
    if (isMasked(fewer) <= isMasked(vectorsOfTile) &&
        timeOf(fewer) < (best == vectorsOfTile ? notable : 1) * timeOf(best))
      best = fewer;
  return {best, rowsOf(best)};
}

int64_t mlir::xla::farthestLanes(const LoopNest &nest, ArrayRef<ExprNode *> nodes, const NestPlan &plan) {
  int64_t farthest = 1;
  for (const ExprNode *node : nodes)
    if (node->kind == ExprNode::Load && (node->deps & nest.reduced).any())
      farthest = std::max(farthest, std::abs(strideAlong(node->address, plan.v, plan.lanes).value_or(1)));
  return farthest;
}

bool mlir::xla::widensRows(const LoopNest &nest, ArrayRef<ExprNode *> nodes, unsigned v, unsigned widest) {
  return llvm::any_of(nodes, [&](const ExprNode *node) {
    return node->kind == ExprNode::Load && (node->deps & nest.reduced).any() && !node->deps.test(v) &&
           8 * elementStorageBytes(node->type) < widest;
  });
}

bool mlir::xla::readsFarRows(ArrayRef<ExprNode *> nodes, unsigned dim, const Machine &machine) {
  return llvm::any_of(nodes, [&](const ExprNode *node) {
    return node->kind == ExprNode::Load &&
           std::abs(node->address.dims[dim]) * elementStorageBytes(node->type) >= machine.longRun();
  });
}

std::pair<int, int64_t> mlir::xla::neighbouringRows(const LoopNest &nest, ArrayRef<ExprNode *> nodes, unsigned v,
                                                    ArrayRef<int64_t> dims, int64_t most, const Machine &machine) {
  for (int64_t dim : dims) {
    auto isNext = [&](const ExprNode *node) {
      return node->kind != ExprNode::Load || !node->deps.test(v) ||
             node->address.dims[dim] == nest.sizes[v] * node->address.dims[v];
    };
    int64_t others = 1, count = most > 0 ? llvm::bit_floor<uint64_t>(most) : 1;
    for (int64_t other : dims)
      others *= other == dim ? 1 : nest.sizes[other];
    while (nest.sizes[dim] % count != 0)
      count /= 2;
    if (count > 1 && others >= machine.fewItems / 4 && llvm::all_of(nodes, isNext))
      return {static_cast<int>(dim), count};
  }
  return {-1, 1};
}
