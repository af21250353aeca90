// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/cpu/PlanTransposition.h"

#include "mlir_xla/lowering/Storage.h"

#include <limits>

using namespace mlir;
using namespace mlir::xla;

double mlir::xla::weightOfElements(const LoopNest &nest, const ExprNode &load) {
  constexpr int64_t muchFewer = 16;
  int64_t elements = 1;
  for (auto [dim, size] : llvm::enumerate(nest.sizes))
    elements *= load.deps.test(dim) ? size : 1;
  return muchFewer * elements <= nest.iterations(/*includeRows=*/true) ? 0.25 : 1;
}

void Transposition::transposeLoads(NestPlan &plan, ArrayRef<int64_t> dims) const {
  if (operations > kLargeBody)
    return;
  // Bytes that are only moved fill a register, and with it a line.
  bool areBytes =
      operations == 0 && widest == 8 && plan.lanes == machine.lanes(16) && nest.sizes[plan.v] >= machine.lanes(8);
  unsigned lanes = areBytes ? machine.lanes(8) : plan.lanes;
  SmallVector<ExprNode *> nodes = nest.nodes();
  for (int64_t dim : dims) {
    DenseSet<ExprNode *> loads = transposableLoads(nodes, plan.v, dim, lanes);
    auto bitsOf = [](const ExprNode *load) { return storageBits(load->type) * (load->pair ? 2 : 1); };
    unsigned bits = loads.empty() ? 0 : bitsOf(*loads.begin());
    if (bits == 0 || llvm::any_of(loads, [&](ExprNode *load) { return bitsOf(load) != bits; }))
      continue;
    unsigned chunk = machine.chunkBits / bits;
    // The body is there once for each element of a chunk.
    if (lanes < chunk || nest.sizes[dim] < chunk || (bits == 8 && operations > kSmallBody))
      continue;
    plan.lanes = lanes;
    plan.u = dim;
    plan.uUnroll = plan.chunk = chunk;
    // Of a line of each row that is written, a short vector is half: the next step would come back to it. From memory,
    // that does not count, and twice as many rows would be read at a time. Rows that begin anywhere gain or lose.
    int64_t bytes = nest.iterations(/*includeRows=*/true) * widest / 8, pair = 2 * lanes, size = nest.sizes[plan.v];
    bool arePairs = bits >= 32 && bits == widest && 2 * machine.vectorBits == 8 * machine.cacheLine &&
                    bits * lanes == machine.vectorBits && operations <= kSmallBody;
    if (arePairs && bytes <= 2 * machine.lastLevelBytes && size % lanes == 0 && size >= pair)
      plan.vUnroll = 2;
    return;
  }
}

/// Does a line of the cache hold all elements along `dim` that come before the next lane?
bool Transposition::liesBetweenLanes(const NestPlan &plan, unsigned dim) const {
  auto liesBetween = [&](const Address &address, Type type) {
    int64_t between = std::abs(address.dims[dim]) * nest.sizes[dim];
    return between > 0 && between <= std::abs(address.dims[plan.v]) &&
           between * elementStorageBytes(type) <= machine.cacheLine;
  };
  return llvm::any_of(nest.nodes(),
                      [&](const ExprNode *node) {
                        return node->kind == ExprNode::Load && liesBetween(node->address, node->type);
                      }) ||
         llvm::any_of(nest.stores, [&](const Store &store) { return liesBetween(store.address, store.elementType); });
}

void Transposition::jamShortDim(NestPlan &plan, ArrayRef<int64_t> dims) const {
  constexpr int64_t few = 4, fewVectors = 2;
  if (plan.u >= 0 || nest.reduced.any() || dims.empty())
    return;
  int64_t vectors = llvm::divideCeil(nest.sizes[plan.v], plan.lanes);
  int64_t instructions = std::max(1u, instructionsOf(nest.nodes()));
  auto isSmall = [&](int64_t dim) {
    int64_t copies = nest.sizes[dim] * std::min(vectors, fewVectors);
    return nest.sizes[dim] <= few && copies * instructions <= kLargeBody;
  };
  const int64_t *dim = llvm::find_if(dims, [&](int64_t dim) { return isSmall(dim) && liesBetweenLanes(plan, dim); });
  if (dim == dims.end() && vectors <= fewVectors && isSmall(dims.back()))
    dim = &dims.back();
  if (dim == dims.end())
    return;
  plan.u = *dim;
  plan.uUnroll = nest.sizes[*dim];
}

bool Transposition::walksOn(const NestPlan &plan, unsigned dim) const {
  return llvm::all_of(nest.stores, [&](const Store &store) { return store.address.dims[dim] == nest.sizes[plan.v]; });
}

bool Transposition::continuesRows(const NestPlan &plan, unsigned dim) const {
  return plan.chunk > 1 && nest.sizes[plan.v] * widest < machine.cacheLine * 8 && walksOn(plan, dim);
}

/// How many of the rows that are written, if they are far apart, have lines in the first-level cache at the same time.
int64_t Transposition::rowsWritten(const NestPlan &plan) const {
  int64_t rows = std::numeric_limits<int64_t>::max();
  for (const Store &store : nest.stores)
    if (int64_t pitch = std::abs(store.address.dims[plan.u]) * elementStorageBytes(store.elementType);
        pitch >= 2 * machine.longRun())
      rows = std::min(rows, machine.rowsInL1(pitch));
  return rows;
}

/// Are these few? If some are, the rows that are read must not collide, too: long runs of them are better then.
bool Transposition::writesCollidingRows(const NestPlan &plan) const {
  constexpr int64_t someRows = 64;
  int64_t written = rowsWritten(plan), read = std::numeric_limits<int64_t>::max();
  for (ExprNode *load : transposableLoads(nest.nodes(), plan.v, plan.u, plan.lanes))
    read = std::min(read, machine.rowsInL1(std::abs(load->address.dims[plan.v]) * elementStorageBytes(load->type)));
  return written <= machine.l1Ways || (written <= someRows && read >= plan.lanes);
}

int64_t Transposition::cut(NestPlan &plan) const {
  int64_t size = nest.sizes[plan.u], iterations = nest.iterations(/*includeRows=*/true);
  int64_t bytes = iterations * widest / 8, line = machine.cacheLine * 8 / widest;
  // The last step begins early enough to be whole: the rest would be gathered, by code for each of its elements.
  bool mayOverlap = mayRepeatTransposition(nest, transposableLoads(nest.nodes(), plan.v, plan.u, plan.lanes));
  auto finish = [&](int64_t block) {
    plan.uOverlaps = size % plan.uUnroll != 0 && mayOverlap;
    return block;
  };
  // Steps of a line read it at once, by code that is several times as long. Of few lines, the last one would be most of
  // what is written twice.
  bool areLines = size % line == 0 || (mayOverlap && llvm::alignTo(size, line) * 8 <= static_cast<uint64_t>(size) * 9);
  bool mayTakeLines = areLines && widest >= 32 && operations <= kSmallBody;
  // By two vectors for each row, registers hold a chunk of it.
  unsigned lineOrChunk = plan.vUnroll == 1 ? line : plan.uUnroll;
  if (llvm::any_of(plan.loops, [&](int64_t dim) { return continuesRows(plan, dim); })) {
    // A line of each row is written over several steps of the loop around, so there are few: a line of what is read. Of
    // a large array its parts are read at once, as lines that are read beside it may share its place in the cache.
    if (areLines && iterations >= kLargeArray)
      plan.uUnroll = line;
    return finish(line);
  }
  if (plan.pastCaches) {
    // What the caches of two cores hold is read by single lines as fast as in long runs. With one of each row, an item
    // writes what comes one after the other. From memory, a few lines are read at once.
    constexpr int64_t fewLines = 4;
    if (bytes <= 2 * machine.lastLevelBytes)
      return finish(walksOn(plan, plan.u) ? line : fewLines * line);
    if (mayTakeLines)
      plan.uUnroll = lineOrChunk;
    return finish(mayTakeLines || widest < 32 ? fewLines * line : 2 * fewLines * line);
  }
  // Where one core's cache holds it, a few lines that are written, and those that are read, at once, stay in the
  // first-level cache: those of one step, if it has room for no more.
  constexpr int64_t linesWritten = 32;
  if (mayTakeLines && iterations >= kLargeMatrix && bytes <= machine.lastLevelBytes && writesCollidingRows(plan)) {
    plan.uUnroll = lineOrChunk;
    return finish(bytes >= 2 * machine.l2Bytes && rowsWritten(plan) < linesWritten ? line : linesWritten);
  }
  // Of small ones, which gain less than steps of a line take to compile, and of elements of 16 bits, as many rows are a
  // block as stay there; or half a line of what is read.
  if (int64_t written = rowsWritten(plan); (iterations < kLargeMatrix || widest == 16) && written <= linesWritten &&
                                           bytes <= machine.lastLevelBytes && writesCollidingRows(plan))
    return finish(llvm::alignTo(std::max(written, widest == 16 ? line / 2 : 1), plan.uUnroll));
  // Long enough runs for the prefetcher, and a few pages at a time.
  return finish(machine.longRow());
}

bool Transposition::takeLines(NestPlan &plan) const {
  auto areLines = [&](int64_t vectors) {
    return llvm::all_of(nest.stores, [&](const Store &store) {
      return vectors * plan.lanes * elementStorageBytes(store.elementType) % machine.cacheLine == 0;
    });
  };
  if (areLines(1))
    return true;
  // 0.4 to 0.8 of the time of lines that are written through the caches. Chunks of eight would fill all registers.
  constexpr int64_t pair = 2;
  if (plan.chunk == 1 || pair * plan.chunk >= machine.vectorRegisters || plan.vUnroll > pair || !areLines(pair) ||
      machine.vectorBits >= 8 * machine.cacheLine || nest.sizes[plan.v] % (pair * plan.lanes) != 0 ||
      !storesWholeVectors(nest, plan.v, pair * plan.lanes))
    return false;
  plan.vUnroll = pair;
  return true;
}
