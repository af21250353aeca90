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

bool mlir::xla::slideWindow(NestPlan &plan, const LoopNest &nest, ArrayRef<ExprNode *> nodes,
                            ArrayRef<int64_t> parallel, const Machine &machine) {
  // So many neighbours, of which the addresses are in registers, too, and the share of what their windows hold that
  // they read at most.
  constexpr int64_t mostNeighbours = 8;
  constexpr double mostRead = 0.75;
  // Every result reads its own elements.
  auto isOwn = [&](ExprNode *node) {
    return node->deps.test(plan.v) && llvm::all_of(parallel, [&](int64_t dim) { return node->deps.test(dim); });
  };
  double fewest = mostRead;
  int64_t nearest = 0, chosen = -1;
  for (int64_t window : plan.reductionLoops) {
    int64_t size = nest.sizes[window];
    if (size > NestPlan::kLargestWindow || (nest.isOrdered() && window != plan.reductionLoops.back()))
      continue;
    for (int64_t u : parallel) {
      DenseMap<ExprNode *, Slide> sliding = slidingNodes(nest, u, window);
      std::optional<Slide> slide;
      int64_t distance = 0;
      bool isAlike = true;
      for (ExprNode *node : nodes) {
        if (node->kind != ExprNode::Load || (node->deps & nest.reduced).none() || !node->deps.test(u))
          continue;
        auto found = sliding.find(node);
        isAlike &= found != sliding.end() && isOwn(node) && (!slide || *slide == found->second);
        if (!isAlike)
          break;
        slide = found->second;
        distance = std::max<int64_t>(distance, std::abs(node->address.dims[u]));
      }
      if (!isAlike || !slide)
        continue;
      // As many neighbours as have their running values and what they read in registers.
      auto elements = [&](int64_t neighbours) { return (neighbours - 1) * slide->u + (size - 1) * slide->window + 1; };
      int64_t most = std::min(nest.sizes[u], mostNeighbours);
      while (most > 1 && most + elements(most) + 1 > static_cast<int64_t>(machine.vectorRegisters))
        --most;
      int64_t count = llvm::divideCeil(nest.sizes[u], llvm::divideCeil(nest.sizes[u], most));
      double share = static_cast<double>(elements(count)) / (count * size);
      if (share > fewest || (share == fewest && chosen >= 0 && distance >= nearest))
        continue;
      fewest = share;
      nearest = distance;
      chosen = window;
      plan.u = u;
      plan.uUnroll = count;
    }
  }
  if (chosen < 0)
    return false;
  plan.slides = true;
  plan.vUnroll = 1;
  llvm::erase(plan.reductionLoops, chosen);
  plan.reductionLoops.push_back(chosen);
  return true;
}

double mlir::xla::costOfColumns(ArrayRef<ExprNode *> nodes, const NestPlan &plan, int64_t steps,
                                const Machine &machine) {
  double cost = Machine::kCostOfLoad;
  for (const ExprNode *node : nodes)
    if (node->kind == ExprNode::Load && node->deps.test(plan.v) && !plan.reductionLoops.empty())
      cost = std::max(cost, machine.costOfLoad(std::abs(node->address.dims[plan.reductionLoops.back()]) *
                                                   elementStorageBytes(node->type),
                                               steps));
  return cost;
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

/// Can neighbours of the rows along `row`, the only dimension that is reduced, be folded together? Their elements are
/// read in order, and their results are next to each other.
static bool areNeighbouringRows(const LoopNest &nest, ArrayRef<ExprNode *> nodes, unsigned row, unsigned rows,
                                unsigned lanes) {
  for (unsigned dim : nest.reduced.set_bits())
    if (nest.isReductionLoop(dim) != (dim == row))
      return false;
  NestPlan plan;
  plan.v = row;
  plan.u = rows;
  plan.lanes = plan.uUnroll = 2;
  plan.derive(nest);
  return nest.isParallelLoop(rows) && plan.foldsRows && llvm::all_of(nodes, [&](const ExprNode *node) {
           return node->kind != ExprNode::Load || !node->deps.test(row) ||
                  (strideAlong(node->address, row, lanes) == 1 &&
                   (!node->deps.test(rows) || std::abs(node->address.dims[rows]) > 1));
         });
}

/// Extrema of floats take several instructions, for the sake of NaN and of the sign of zero.
static bool isExtremumOfFloats(const Reduction &reduction) {
  using K = vector::CombiningKind;
  return reduction.kind && llvm::is_contained({K::MAXIMUMF, K::MINIMUMF}, *reduction.kind);
}

/// Are results truth values, of which registers of 256 bits have the lanes as bits of a number by one instruction?
static bool foldsTruthsAlone(const LoopNest &nest, const Machine &machine) {
  return machine.vectorBits < 512 &&
         llvm::all_of(
             nest.reductions,
             [](const Reduction &reduction) {
               return llvm::all_of(reduction.inits, [](const ExprNode *init) { return init->type.isInteger(1); });
             });
}

/// Copies in a step, along another dimension, for which `load` is read once: those of the tile of a matrix product.
static int64_t copiesThatShare(const LoopNest &nest, const ExprNode &load, unsigned rows) {
  constexpr int64_t ofTile = 8;
  int64_t copies = 1;
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (dim != rows && nest.isParallelLoop(dim) && !load.deps.test(dim))
      copies = std::max(copies, std::min(nest.sizes[dim], ofTile));
  return copies;
}

/// Instructions for each row. What has no chain to wait for does more of them at a time.
bool mlir::xla::paysToFoldRows(const LoopNest &nest, ArrayRef<ExprNode *> nodes, unsigned row, unsigned rows,
                               unsigned lanes, const Machine &machine) {
  if (!areNeighbouringRows(nest, nodes, row, rows, lanes))
    return false;
  constexpr double ofExtremum = 5, ofKeys = 5, ofGatheredLane = 2, ofMask = 1, ofTruth = 8, atATime = 1.5;
  int64_t size = nest.sizes[row], inVector = lanes;
  while (size <= inVector / 2)
    inVector /= 2;
  double combine = 0, ofKind = 0, shuffles = 0, operations = 0, loads = 0, columns = 0;
  for (const Reduction &reduction : nest.reductions) {
    bool isExtremum = isExtremumOfFloats(reduction);
    llvm::SetVector<ExprNode *> combined;
    for (ExprNode *node : reduction.combined)
      collectNodes(node, combined);
    ofKind += isExtremum ? ofExtremum - 1 : 0; // one operation is counted with the others
    combine += isExtremum ? ofExtremum : reduction.kind ? 1 : instructionsOf(combined.getArrayRef());
    combine += reduction.order == FoldOrder::Key ? ofKeys : 0;
    shuffles += 2.0 * reduction.inits.size();
  }
  bool isNarrow = false;
  for (ExprNode *node : nodes) {
    if (!node->deps.test(row))
      continue;
    operations += instructionsOf(node);
    if (node->kind != ExprNode::Load)
      continue;
    ++loads;
    isNarrow |= storageBits(node->type) < 32;
    if (int64_t stride = std::abs(node->address.dims[rows]); stride > 0)
      columns += (NestPlan::areLanesNear(stride, lanes) ? 2.0 * stride - 1 : ofGatheredLane * lanes) /
                 static_cast<double>(copiesThatShare(nest, *node, rows));
  }
  columns = (columns + operations + ofKind) * size / lanes;
  int64_t vectors = llvm::divideCeil(size, inVector);
  if (foldsTruthsAlone(nest, machine))
    shuffles = ofTruth;
  // Without AVX-512, elements of fewer than 32 bits are read one by one where there is a mask.
  double ofNarrowInMask = machine.vectorBits < 512 ? 1.5 * inVector : 4;
  double mask = size % inVector == 0 ? 0 : isNarrow ? ofNarrowInMask : ofMask;
  double folded = (loads + operations) * vectors + ofKind * (vectors - 1) + mask + shuffles + combine;
  return folded < columns * atATime;
}

std::pair<int, int64_t> mlir::xla::foldedRows(const LoopNest &nest, ArrayRef<ExprNode *> nodes, const NestPlan &plan,
                                              bool readTheSame, const Machine &machine) {
  constexpr int64_t fewVectors = 2, someVectors = 16, manyVectors = 64;
  constexpr unsigned functionLike = 32; // instructions
  if (foldsTruthsAlone(nest, machine))
    return {-1, 1};
  int64_t vectors = llvm::divideCeil(nest.sizes[plan.v], plan.lanes), registers = machine.vectorRegisters;
  // Beside a function, folding a row takes little time, and copies of the code take long to compile.
  if (instructionsOf(nodes) >= functionLike)
    return {-1, 1};
  int64_t longest = readTheSame ? 1 : fewVectors;
  bool areExtrema = llvm::any_of(nest.reductions, isExtremumOfFloats);
  if (nest.rows.none())
    for (const Reduction &reduction : nest.reductions)
      longest = std::max(longest, !reduction.kind ? manyVectors : areExtrema ? someVectors : 0);
  if (vectors > longest)
    return {-1, 1};
  for (unsigned rows = 0; rows < nest.sizes.size(); ++rows) {
    if (!areNeighbouringRows(nest, nodes, plan.v, rows, plan.lanes))
      continue;
    int64_t most = std::min<int64_t>(plan.lanes, vectors <= fewVectors ? registers / 2 : registers / 4);
    int64_t count = std::min<int64_t>(most, llvm::bit_floor<uint64_t>(nest.sizes[rows]));
    // The functions of a softmax go on while extrema of one row after the other are folded, but of several at a time.
    if (count == 1 || (nest.rows.any() && areExtrema && count < plan.lanes))
      break;
    return {static_cast<int>(rows), count};
  }
  return {-1, 1};
}

/// Steps of 32 rows by two vectors, or of fewer: as many sums as there are registers for.
static bool takeTileRegisters(NestPlan &plan, const LoopNest &nest) {
  NestPlan tiles;
  tiles.lanes = TilesAttr::kTileLanes;
  tiles.uOverlaps = nest.mayRepeat();
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (nest.isReductionLoop(dim))
      tiles.reductionLoops.push_back(dim);
  int count = nest.sizes.size();
  for (tiles.v = 0; tiles.v < count; ++tiles.v)
    for (tiles.u = 0; tiles.u < count; ++tiles.u) {
      if (tiles.u == tiles.v || !nest.isParallelLoop(tiles.v) || !nest.isParallelLoop(tiles.u) ||
          nest.sizes[tiles.u] < TilesAttr::kTileRows)
        continue;
      constexpr int64_t most = 2;
      tiles.uUnroll = TilesAttr::kTileRows * std::min(most, nest.sizes[tiles.u] / TilesAttr::kTileRows);
      tiles.vUnroll = std::min<int64_t>(most, llvm::divideCeil(nest.sizes[tiles.v], tiles.lanes));
      if (!tileFactorsOf(nest, tiles))
        continue;
      plan.v = tiles.v;
      plan.u = tiles.u;
      plan.lanes = tiles.lanes;
      plan.uUnroll = tiles.uUnroll;
      plan.vUnroll = tiles.vUnroll;
      return true;
    }
  return false;
}

bool mlir::xla::takePairs(NestPlan &plan, const LoopNest &nest, const Machine &machine) {
  plan.tileRegisters = machine.hasTdpbf16ps && takeTileRegisters(plan, nest);
  if (!plan.tileRegisters)
    plan.v = machine.hasPairs(machine.lanes(32)) ? lanesOfPairs(nest, machine.lanes(32)) : -1;
  plan.addsPairs = plan.v >= 0;
  return plan.addsPairs;
}
