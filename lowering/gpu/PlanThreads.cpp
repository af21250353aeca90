// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-plan-threads`: writes down how each loop nest of each kernel is shared among threads.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/Passes.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/NestPlan.h"
#include "mlir_xla/lowering/cpu/UpdatePlan.h"

namespace mlir::xla {
#define GEN_PASS_DEF_PLANTHREADS
#include "mlir_xla/lowering/gpu/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

static constexpr int64_t kWarp = GpuMachine::warp;
/// Threads that share memory.
static constexpr int64_t kBlock = 256;
/// Blocks of columns, and iterations of each warp of one, of which either is enough work for a device.
static constexpr int64_t kFewBlocks = 8, kMostRows = 64;
/// Warps that share the rows of a block of columns, at least.
static constexpr int64_t kFewWarps = 8;
/// Elements for which a thread computes functions side by side.
static constexpr int64_t kLanesOfFunctions = 4;
/// Functions that a thread computes in less time than a launch takes.
static constexpr int64_t kFewFunctions = 8;
/// Rows of which a multiprocessor has one at most: what counts is how long that takes.
static constexpr int64_t kFewRows = GpuMachine::multiprocessors;

/// What a device has at once.
static constexpr int64_t kThreads = GpuMachine::multiprocessors * GpuMachine::threads;

namespace {
/// One kernel's nests: all have teams of as many threads.
class ThreadPlanner {
public:
  /// `threadsBefore`: of the blocks that compute what the kernel reads, 0 if these differ or that is not known.
  ThreadPlanner(const KernelNests &nests, int64_t threadsBefore) : nests(nests), threadsBefore(threadsBefore) {
    if (nests.nests.size() == 1)
      findColumns(nests.nests.front());
    hasTeams = columns < 0 &&
               llvm::all_of(
                   nests.nests, [](const LoopNest &nest) { return mayHaveTeams(nest); }) &&
               llvm::none_of(
                   nests.tied, [](int32_t argument) { return argument >= 0; }) &&
               llvm::any_of(nests.nests, [&](const LoopNest &nest) { return wantsTeams(nest); });
    for (const LoopNest &nest : nests.nests)
      if (hasTeams)
        threads = std::max(threads, threadsOfRow(nest));
    // Where nests have the same pieces, what one writes and another reads is the same thread's.
    for (const LoopNest &nest : nests.nests)
      if (int64_t lanes = hasTeams ? lanesOfTeam(nest, mostLanes) : 1; lanes > 1)
        mostLanes = std::min(mostLanes, lanes);
  }

  NestPlan plan(const LoopNest &nest) const;

private:
  static bool mayHaveTeams(const LoopNest &nest);
  bool wantsTeams(const LoopNest &nest) const;
  int64_t threadsOfRow(const LoopNest &nest) const;
  int64_t largestTeam() const;
  int64_t lanesOfTeam(const LoopNest &nest, int64_t most) const;
  static int64_t dealtDim(const LoopNest &nest);
  void findColumns(const LoopNest &nest);

  const KernelNests &nests;
  int64_t threadsBefore;
  bool hasTeams;
  int64_t threads = kWarp;                // of a team
  int64_t mostLanes = GpuMachine::access; // of what it is dealt
  int64_t columns = -1; // the dimension of which neighbouring threads have neighbours, while warps share a reduced one
  int64_t dealtRows = -1; // that one
};
} // namespace

/// The threads of a team hold parts of a reduction, and fold them in any order. Each begins with a neutral element, or
/// with the initial value if that changes nothing more than once.
bool ThreadPlanner::mayHaveTeams(const LoopNest &nest) {
  return nest.isScan() || llvm::all_of(nest.reductions, [](const Reduction &reduction) {
           return reduction.neutral || (reduction.order == FoldOrder::Key && !reduction.combined.empty());
         });
}

/// What the nest reads for its results; sums have no memory that holds running values.
static SmallVector<ExprNode *> loadsOf(const LoopNest &nest) {
  SmallVector<ExprNode *> loads;
  for (ExprNode *node : nest.nodes())
    if (node->kind == ExprNode::Load && llvm::none_of(nest.reductions, [&](const Reduction &reduction) {
          return reduction.partial && reduction.partial->value == node;
        }))
      loads.push_back(node);
  return loads;
}

/// What is read so much more often than something else is small beside that, and caches have it.
static constexpr int64_t kManyTimes = 16;

/// How many elements a load reads in all iterations together.
static int64_t elementsOf(const LoopNest &nest, const ExprNode *load) {
  int64_t elements = 1;
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    elements *= load->deps.test(dim) ? nest.sizes[dim] : 1;
  return elements;
}

/// Whether what the nest reads is next to each other along `dim`. What it has of each row, or of each column, is little
/// beside the rows.
static bool readsAlong(const LoopNest &nest, int64_t dim) {
  SmallVector<ExprNode *> loads = loadsOf(nest);
  int64_t most = 0;
  for (ExprNode *node : loads)
    most = std::max(most, elementsOf(nest, node));
  return llvm::any_of(loads, [&](ExprNode *node) {
    return dim < static_cast<int64_t>(node->address.dims.size()) && node->address.dims[dim] == 1 &&
           elementsOf(nest, node) * kManyTimes > most;
  });
}

/// Whether each element is read for many results, as where all pairs of rows are compared.
static bool readsAgain(const LoopNest &nest) {
  int64_t elements = 0;
  for (ExprNode *node : loadsOf(nest))
    elements += elementsOf(nest, node);
  return elements > 0 && nest.iterations(/*includeRows=*/true) >= kManyTimes * elements;
}

/// The loop that a team shares: that of a scan, one along which memory is contiguous, or else the longest.
int64_t ThreadPlanner::dealtDim(const LoopNest &nest) {
  if (nest.isScan())
    return nest.ordered.find_first();
  int64_t best = -1;
  auto isBetter = [&](int64_t dim) {
    if (best < 0)
      return true;
    // A team needs as many iterations as it has threads; of what is next to each other, half will do.
    auto isNear = [&](int64_t d) { return readsAlong(nest, d) && nest.sizes[d] >= kWarp / 2; };
    auto rank = [&](int64_t d) { return std::tuple(nest.sizes[d] >= kWarp, isNear(d), nest.sizes[d]); };
    return rank(dim) > rank(best);
  };
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if ((nest.isReductionLoop(dim) || (!nest.isAlone && nest.isParallelLoop(dim))) && isBetter(dim))
      best = dim;
  return best;
}

/// A row is a team's where it has a number of elements for each thread. So is a reduction of neighbours in memory,
/// which threads for each result would read far apart, unless caches have what is read for many of them; and any other
/// if there are few results.
bool ThreadPlanner::wantsTeams(const LoopNest &nest) const {
  int64_t dim = dealtDim(nest);
  if (dim < 0 || nest.sizes[dim] < kWarp)
    return false;
  if (!nest.isAlone)
    return !nest.isScan();
  int64_t results = 1;
  bool isColumn = false; // neighbouring results read neighbours
  for (unsigned other = 0; other < nest.sizes.size(); ++other)
    if (nest.isParallelLoop(other)) {
      results *= nest.sizes[other];
      isColumn |= nest.sizes[other] >= kWarp / 2 && readsAlong(nest, other);
    }
  return results < GpuMachine::enoughThreads || (!isColumn && !readsAgain(nest) && readsAlong(nest, dim));
}

/// Neighbouring results that read neighbours and are too few for a thread each.
void ThreadPlanner::findColumns(const LoopNest &nest) {
  if (!nest.isAlone || !nest.reduced.any() || !nest.stores.empty() || !mayHaveTeams(nest) ||
      llvm::any_of(nests.tied, [](int32_t argument) { return argument >= 0; }))
    return;
  int64_t results = 1, best = -1, dealt = -1;
  for (int64_t dim = 0; dim < static_cast<int64_t>(nest.sizes.size()); ++dim) {
    if (nest.isReductionLoop(dim) && (dealt < 0 || nest.sizes[dim] > nest.sizes[dealt]))
      dealt = dim;
    if (!nest.isParallelLoop(dim))
      continue;
    results *= nest.sizes[dim];
    if (nest.sizes[dim] >= kWarp / 2 && readsAlong(nest, dim))
      best = dim;
  }
  if (best < 0 || dealt < 0 || results >= GpuMachine::threadsOfMemory || readsAlong(nest, dealt))
    return;
  int64_t rows = 1;
  for (int64_t dim = 0; dim < static_cast<int64_t>(nest.sizes.size()); ++dim)
    rows *= nest.isReductionLoop(dim) ? nest.sizes[dim] : 1;
  if (nest.sizes[dealt] < (rows > kMostRows ? kFewWarps : kWarp))
    return;
  int64_t blocks = results / nest.sizes[best] * llvm::divideCeil(nest.sizes[best], NestPlan::kColumns);
  threads = rows >= kBlock || blocks < GpuMachine::multiprocessors ? GpuMachine::largestBlock : kBlock;
  // Few rows take no longer in a smaller block, which can be the last one of those that compute them.
  if (rows <= kMostRows && threadsBefore == kBlock)
    threads = kBlock;
  // Running values of several reductions take registers, of which threads of the largest block have the fewest.
  if (nest.reductions.size() > 2)
    threads = std::min(threads, GpuMachine::largestBlock / 2);
  // Each warp has a part of the dimension that is dealt.
  threads = std::min(threads, static_cast<int64_t>(llvm::bit_floor<uint64_t>(nest.sizes[dealt])) * kWarp);
  if (blocks >= kFewBlocks || rows <= kMostRows * threads / kWarp) {
    columns = best;
    dealtRows = dealt;
  } else {
    threads = kWarp;
  }
}

/// Scans have a block of the usual size. So has what computes many functions, for the registers that those take.
int64_t ThreadPlanner::largestTeam() const {
  int64_t functions = 0;
  for (const LoopNest &nest : nests.nests) {
    if (nest.isScan())
      return kBlock;
    for (ExprNode *node : nest.nodes())
      functions += node->kind == ExprNode::Apply && !isa_and_present<arith::ArithDialect>(node->op->getDialect());
  }
  return functions <= kFewFunctions ? GpuMachine::largestBlock : kBlock;
}

/// As many as keep a device busy with all rows together, if each has as many elements as it asks for at a time. A few
/// rows are not enough for that, and are blocks' from fewer elements on.
int64_t ThreadPlanner::threadsOfRow(const LoopNest &nest) const {
  int64_t dim = dealtDim(nest), items = 1, length = 1;
  for (int64_t size : nests.rows)
    items *= size;
  for (unsigned other = 0; other < nest.sizes.size(); ++other)
    if (nest.isAlone && nest.isParallelLoop(other))
      items *= nest.sizes[other];
    else if (nest.isReductionLoop(other) || static_cast<int64_t>(other) == dim)
      length *= nest.sizes[other];
  // Larger blocks are parts of fewer launches with others, and take longer to meet.
  constexpr int64_t asked = 8, askedOfLarge = 4 * asked;
  int64_t count = dim >= 0 && items < kFewRows && nest.sizes[dim] >= 2 * kBlock ? kBlock : kWarp;
  while (dim >= 0 && count < largestTeam() && nest.sizes[dim] >= 2 * count &&
         length >= (count < kBlock ? asked : askedOfLarge) * 2 * count && items * count < GpuMachine::threadsOfCache)
    count *= 2;
  return count;
}

/// What is exchanged in a square, whose lines are longer than they need be.
static int64_t sharedBytesOfSquare(const LoopNest &nest, int64_t row, int64_t column) {
  constexpr int64_t side = NestPlan::kSquare, bank = 4;
  int64_t bytes = 0;
  for (ExprNode *load : exchangedLoads(nest, row, column)) {
    int64_t element = elementStorageBytes(load->type);
    bytes += side * (side * element + std::max(bank, element));
  }
  return bytes;
}

/// The dimensions of squares, where the nest writes along one dimension what it reads along another.
static std::pair<int64_t, int64_t> planSquare(const LoopNest &nest) {
  constexpr int64_t fewest = NestPlan::kSquare / 2;
  if (!nest.isAlone || nest.reduced.any() || nest.isScan() || nest.inPlace || nest.stores.empty())
    return {-1, -1};
  auto isLong = [&](int64_t dim) { return nest.isParallelLoop(dim) && nest.sizes[dim] >= fewest; };
  auto isWritten = [&](int64_t dim) {
    return llvm::all_of(nest.stores, [&](const Store &store) { return store.address.dims[dim] == 1; });
  };
  int64_t rank = nest.sizes.size();
  for (int64_t column = 0; column < rank; ++column)
    for (int64_t row = 0; row < rank && isLong(column) && isWritten(column); ++row)
      if (row != column && isLong(row) &&
          llvm::any_of(exchangedLoads(nest, row, column),
                       [&](ExprNode *load) {
                         return load->deps.test(column); // else it is the same for neighbours
                       }) &&
          sharedBytesOfSquare(nest, row, column) <= GpuMachine::staticSharedBytes)
        return {row, column};
  return {-1, -1};
}

/// Bytes of the largest elements that the nest reads or writes.
static int64_t widestElement(const LoopNest &nest) {
  int64_t widest = 1;
  for (const Store &store : nest.stores)
    widest = std::max(widest, elementStorageBytes(store.elementType));
  for (ExprNode *node : nest.nodes())
    if (node->kind == ExprNode::Load)
      widest = std::max(widest, elementStorageBytes(node->type));
  return widest;
}

static bool isLoop(const ExprNode *node) { return isa_and_present<scf::ForOp>(node->op); }

/// Complex numbers have no lanes.
static bool hasComplex(const LoopNest &nest) {
  auto isComplex = [](Type type) { return isa<ComplexType>(type); };
  auto computesComplex = [&](Operation *inner) {
    return llvm::any_of(inner->getResultTypes(), isComplex) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return llvm::any_of(nest.nodes(), [&](ExprNode *node) {
    return isComplex(node->type) || (isLoop(node) && node->op->walk(computesComplex).wasInterrupted());
  });
}

/// The elements of a scan that each of `threads` has at a time: as many as fill an access, if all accesses can be such
/// vectors, and there are enough for all threads.
static int64_t planPieces(const LoopNest &nest, int64_t threads) {
  int64_t dim = nest.ordered.find_first();
  if (!mayShiftLanes(nest.reductions.front()) || hasComplex(nest))
    return 1;
  for (int64_t lanes = GpuMachine::access / widestElement(nest); lanes > 1; lanes /= 2)
    if (nest.sizes[dim] >= lanes * threads && areVectorsAligned(nest, dim, lanes))
      return lanes;
  return 1;
}

/// Whether the nest is a few long scans of neighbours in memory, which blocks have tiles of. `--xla-split-scans` has
/// left them whole.
static bool isInTiles(const LoopNest &nest) {
  if (!NestPlan::mayScanTiles(nest))
    return false;
  int64_t dim = nest.ordered.find_first(), scans = 1;
  for (int64_t other = 0; other < static_cast<int64_t>(nest.sizes.size()); ++other)
    if (other > dim && nest.sizes[other] > 1)
      return false;
    else if (nest.isParallelLoop(other))
      scans *= nest.sizes[other];
  return GpuMachine::hasScanTiles(scans, nest.sizes[dim]);
}

/// The dimension and the lanes of vectors that fill an access, if all accesses of the nest can be such vectors.
static std::pair<int64_t, int64_t> planLanes(const LoopNest &nest) {
  int64_t lanes = GpuMachine::access / widestElement(nest);
  // Functions take registers for each lane, and are worth more than an access; long ones a lot of code.
  int64_t iterations = nest.iterations(/*includeRows=*/true), functions = 0;
  auto leave = [&](int64_t most) { lanes = std::clamp<int64_t>(llvm::bit_floor<uint64_t>(most), 1, lanes); };
  for (ExprNode *node : nest.nodes())
    if (isLoop(node)) // takes longer than access, so all threads have a part
      leave(iterations / kThreads);
    else if (node->kind == ExprNode::Apply && isa_and_present<XlaRtDialect>(node->op->getDialect()))
      lanes = 1;
    else if (node->kind == ExprNode::Apply && !isa_and_present<arith::ArithDialect>(node->op->getDialect()))
      ++functions;
  if (functions > 0)
    leave(kLanesOfFunctions);
  // Where there are few elements, all wait for a thread that computes many functions one after the other.
  if (iterations < GpuMachine::enoughThreads * lanes && functions * lanes > kFewFunctions)
    leave(kFewFunctions / functions);
  if (nest.isAlone && !nest.isScan() && lanes > 1 && llvm::isPowerOf2_64(lanes) && !hasComplex(nest))
    for (int64_t dim = nest.sizes.size(); dim-- > 0;)
      if (nest.isParallelLoop(dim) && nest.sizes[dim] >= lanes && areVectorsAligned(nest, dim, lanes))
        return {dim, lanes};
  return {-1, 1};
}

/// Neighbours along what is dealt that each thread of a team has at a time: as many as fill an access, if all that the
/// nest reads and writes along it are such vectors, and there are some for all threads.
int64_t ThreadPlanner::lanesOfTeam(const LoopNest &nest, int64_t most) const {
  int64_t dim = dealtDim(nest);
  if (dim < 0 || nest.isScan() || hasComplex(nest) || nest.isOrdered() ||
      (!nest.reduced.test(dim) && !nest.reductions.empty()))
    return 1;
  int64_t lanes = std::min(most, GpuMachine::access / widestElement(nest));
  for (ExprNode *node : nest.nodes())
    if (isLoop(node) || (node->kind == ExprNode::Apply && isa_and_present<XlaRtDialect>(node->op->getDialect())))
      return 1;
    else if (node->kind == ExprNode::Apply && !isa_and_present<arith::ArithDialect>(node->op->getDialect()))
      lanes = std::min(lanes, kLanesOfFunctions); // they take registers
  for (; lanes > 1; lanes /= 2)
    if (nest.sizes[dim] >= lanes * threads && areVectorsAligned(nest, dim, lanes))
      return lanes;
  return 1;
}

namespace {
/// Elements of a thread, and the dimension along which they are apart.
struct Apart {
  int64_t dim = -1, count = 1;
};
} // namespace

/// Seconds that a device needs for the rounds of blocks in which threads do `items` iterations of a nest and have so
/// many each. What else it takes time for is the same however they are shared.
static double timeOfRounds(const LoopNest &nest, int64_t items, int64_t count) {
  // Of a thread by itself; of an element, beside what it loads.
  constexpr int64_t ownRegisters = 16, registersOfElement = 1;
  int64_t loads = 0;
  for (ExprNode *node : nest.nodes())
    loads += node->kind == ExprNode::Load && node->deps.any();
  int64_t registers = ownRegisters + count * (registersOfElement + loads);
  if (registers > GpuMachine::registersOfThread(kBlock))
    return std::numeric_limits<double>::infinity();
  int64_t atOnce = GpuMachine::multiprocessors * std::min(GpuMachine::threads, GpuMachine::registers / registers);
  double rounds = static_cast<double>(items) / static_cast<double>(count * atOnce);
  return std::max(1.0, rounds) * GpuMachine::roundTime;
}

/// Seconds in which as many elements are read and written as there are `items`.
static double timeOfBytes(const LoopNest &nest, int64_t items) {
  constexpr int64_t kept = 32 << 20; // of the L2 cache
  int64_t bytes = 2 * items * elementStorageBytes(nest.stores.front().elementType);
  double rate = bytes <= kept ? GpuMachine::cacheRate : GpuMachine::memoryRate;
  return static_cast<double>(bytes) / (rate * GpuMachine::multiprocessors * GpuMachine::clock);
}

/// Where blocks come one behind the other, and a thread would have one element, or a block one square, it has several,
/// which are loaded at the same time: as many as take the least time. Neighbours are neighbouring threads'.
static Apart planApart(const LoopNest &nest, int64_t squareRow, int64_t squareColumn) {
  constexpr int64_t usual = 4, most = 8, longestWindow = 16, side = NestPlan::kSquare;
  constexpr double reached = 0.56; // of the L2 cache's bytes, by kernels (docs/gpu-model.md)
  bool isSquare = squareRow >= 0;
  int64_t ofOne = isSquare ? side * side / kBlock : 1; // elements of a thread
  int64_t rank = nest.sizes.size(), functions = 0, window = 1, items = 1;
  if (!nest.isAlone || nest.isScan())
    return {};
  for (ExprNode *node : nest.nodes())
    if (isLoop(node) || (node->kind == ExprNode::Apply && isa_and_present<XlaRtDialect>(node->op->getDialect())))
      return {};
    else
      functions += node->kind == ExprNode::Apply && !isa_and_present<arith::ArithDialect>(node->op->getDialect());
  auto isOfSquare = [&](int64_t dim) { return isSquare && (dim == squareRow || dim == squareColumn); };
  for (int64_t dim = 0; dim < rank; ++dim)
    if (nest.isReductionLoop(dim))
      window *= nest.sizes[dim];
    else if (nest.isParallelLoop(dim))
      items *= isOfSquare(dim) ? llvm::alignTo(nest.sizes[dim], side) : nest.sizes[dim];
  if (window > longestWindow)
    return {};
  int64_t shared = isSquare ? sharedBytesOfSquare(nest, squareRow, squareColumn) : 0;
  Apart best;
  double least = timeOfRounds(nest, items, ofOne);
  for (int64_t count = 2; count <= most && functions * count * ofOne <= kFewFunctions; count *= 2) {
    if (count * shared > GpuMachine::staticSharedBytes)
      break;
    // More than that is code for elements that are read at many places, where waiting takes longer than memory.
    if (count > usual && (nest.stores.empty() || least * reached <= timeOfBytes(nest, items)))
      break;
    // Whole steps, or so many that only the last iteration may lack. The outermost dimension leaves rows as they are.
    int64_t dim = -1;
    for (bool isWhole : {true, false})
      for (int64_t each = 0; each < rank && dim < 0; ++each)
        if (nest.isParallelLoop(each) && !isOfSquare(each) &&
            (nest.sizes[each] % count == 0 || (!isWhole && !isSquare && nest.sizes[each] >= count * count)))
          dim = each;
    // Squares of one batch, too, if waiting for them is what takes time.
    int64_t distance = side * llvm::divideCeil(llvm::divideCeil(isSquare ? nest.sizes[squareColumn] : 0, side), count);
    if (dim < 0 && isSquare && (count - 1) * distance < nest.sizes[squareColumn] && least > timeOfBytes(nest, items))
      dim = squareColumn;
    double time = timeOfRounds(nest, items, count * ofOne);
    if (dim < 0 || time >= least)
      continue;
    least = time;
    best = {dim, count};
  }
  return best;
}

/// Long windows that overlap: a thread has neighbours of them, along a dimension other than the one in which threads
/// are neighbours, and reads what those have in common once.
static bool planWindow(const LoopNest &nest, NestPlan &plan) {
  constexpr int64_t shortWindow = 16, count = 4, registers = 128;
  int64_t rank = nest.sizes.size(), items = 1, window = 1, near = -1;
  if (!nest.isAlone || nest.isScan() || nest.reductions.size() != 1 || !nest.stores.empty() || hasComplex(nest) ||
      nest.reductions[0].order != FoldOrder::Any || !nest.reductions[0].kind)
    return false;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (nest.isReductionLoop(dim))
      window *= nest.sizes[dim];
    else if (nest.isParallelLoop(dim))
      items *= nest.sizes[dim], near = dim;
  if (window <= shortWindow || plan.lanes * 2 * (count + NestPlan::kLargestWindow) > registers ||
      items < GpuMachine::enoughThreads * static_cast<int64_t>(plan.lanes) * count)
    return false;
  for (int64_t u = 0; u < rank; ++u)
    for (int64_t step = 0; step < rank; ++step) {
      if (!nest.isParallelLoop(u) || u == near || nest.sizes[u] % count || !nest.isReductionLoop(step) ||
          nest.sizes[step] > NestPlan::kLargestWindow)
        continue;
      DenseMap<ExprNode *, Slide> sliding = slidingNodes(nest, u, step);
      // What is read once must come again in the next window.
      bool overlaps = llvm::any_of(sliding, [&](auto &each) {
        auto [node, slide] = each;
        return node->kind == ExprNode::Load && slide.u <= 2 && slide.window <= 2 && nest.sizes[step] > slide.u;
      });
      if (!overlaps)
        continue;
      plan.u = u;
      plan.uUnroll = plan.uBlock = count;
      plan.slides = true;
      for (int64_t dim = 0; dim < rank; ++dim)
        if (nest.isReductionLoop(dim) && dim != step)
          plan.reductionLoops.push_back(dim);
      plan.reductionLoops.push_back(step);
      return true;
    }
  return false;
}

/// What is read for many results: a thread has neighbours of them, along a dimension other than the one in which
/// threads are neighbours, and reads what those have in common once.
static bool planPairs(const LoopNest &nest, NestPlan &plan) {
  constexpr int64_t fewest = 8;
  int64_t rank = nest.sizes.size(), items = 1, near = -1;
  if (!nest.isAlone || nest.isScan() || nest.reductions.size() != 1 || nest.reductions[0].inits.size() != 1 ||
      !nest.stores.empty() || hasComplex(nest) || nest.isOrdered() || !readsAgain(nest))
    return false;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (nest.isParallelLoop(dim))
      items *= nest.sizes[dim], near = dim;
  for (int64_t count : {8, 4, 2})
    for (int64_t u = 0; u < rank; ++u) {
      if (!nest.isParallelLoop(u) || u == near || nest.sizes[u] < fewest || nest.sizes[u] % count != 0 ||
          items < GpuMachine::threadsOfMemory * count ||
          llvm::all_of(loadsOf(nest), [&](ExprNode *load) { return load->deps.test(u); }))
        continue;
      plan.u = u;
      plan.uUnroll = plan.uBlock = count;
      return true;
    }
  return false;
}

/// Parallel iterations are items of work; those of a row are loops.
NestPlan ThreadPlanner::plan(const LoopNest &nest) const {
  NestPlan plan;
  if (hasTeams) {
    plan.threads = threads;
    plan.t = dealtDim(nest);
    if (isInTiles(nest)) {
      plan.threads = kBlock;
      plan.scanTile = GpuMachine::scanTile;
    }
    if (int64_t pieces = nest.isScan() ? planPieces(nest, plan.threads) : lanesOfTeam(nest, mostLanes); pieces > 1) {
      plan.v = plan.t;
      plan.lanes = pieces;
      plan.aligned = true;
    } else if (constexpr int64_t word = 4;
               plan.scanTile && widestElement(nest) > word && plan.scanTiles(nest) <= GpuMachine::mostScanTiles / 2) {
      plan.scanTile /= 2; // registers for as many elements one by one
    }
  } else if (columns >= 0) {
    plan.threads = threads;
    plan.t = dealtRows;
    plan.columns = columns;
  } else if (auto [row, column] = planSquare(nest); row >= 0) {
    plan.squareRow = row;
    plan.squareColumn = column;
    plan.threads = kBlock;
  } else if (auto [dim, lanes] = planLanes(nest); dim >= 0) {
    plan.v = dim;
    plan.lanes = plan.vBlock = lanes;
    plan.aligned = true;
  }
  bool isWindow = !hasTeams && columns < 0 && !plan.walksSquares() && planWindow(nest, plan);
  bool isPairs = !hasTeams && columns < 0 && !plan.walksSquares() && plan.v < 0 && !isWindow && planPairs(nest, plan);
  bool mayBeApart = !hasTeams && columns < 0 && plan.v < 0 && !isWindow && !isPairs;
  if (Apart several = mayBeApart ? planApart(nest, plan.squareRow, plan.squareColumn) : Apart(); several.dim >= 0) {
    plan.u = several.dim;
    plan.uUnroll = several.count;
    plan.apart = true;
  }
  for (int64_t dim = 0; dim < static_cast<int64_t>(nest.sizes.size()); ++dim) {
    if (nest.isParallelLoop(dim) && dim != plan.v && dim != plan.u && dim != plan.squareRow &&
        dim != plan.squareColumn && dim != plan.columns)
      (nest.isAlone ? plan.work : plan.loops).push_back(dim);
    else if (nest.isReductionLoop(dim) && !isWindow && dim != plan.v)
      plan.reductionLoops.push_back(dim);
  }
  plan.derive(nest);
  return plan;
}

namespace {
struct PlanThreadsPass : public mlir::xla::impl::PlanThreadsBase<PlanThreadsPass> {
  /// Threads of the teams that compute what calls of the kernel read, if their plans say so and are alike; else 0.
  int64_t threadsBefore(func::FuncOp kernel, SymbolTableCollection &symbols, const SymbolUserMap &users) {
    std::optional<int64_t> found;
    for (Operation *user : users.getUsers(kernel))
      for (Value operand : user->getOperands()) {
        auto before = operand.getDefiningOp<func::CallOp>();
        if (!before)
          continue;
        auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(before, before.getCalleeAttr());
        auto plans = callee ? callee->getAttrOfType<ArrayAttr>(XlaRtDialect::kPlans) : ArrayAttr();
        auto nest = plans && !plans.empty() ? dyn_cast<NestAttr>(plans[0]) : NestAttr();
        int64_t threads = nest ? nest.getThreads() : 0;
        if (found && *found != threads)
          return 0;
        found = threads;
      }
    return found.value_or(0);
  }

  void runOnOperation() override {
    SymbolTableCollection symbols;
    SymbolUserMap users(symbols, getOperation());
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernelOf(kernel) || kernel.isExternal() || kernel->hasAttr(XlaRtDialect::kPlans))
        continue;
      if (DestinationStyleOpInterface whole = wholeKernelIn(kernel)) {
        auto scatter = dyn_cast<rt::ScatterOp>(whole.getOperation());
        if (UpdatesAttr plan = scatter ? planUpdates(scatter) : UpdatesAttr())
          kernel->setAttr(XlaRtDialect::kPlans, ArrayAttr::get(&getContext(), {plan}));
        continue;
      }
      FailureOr<KernelNests> nests = nestsOf(kernel, /*onDevice=*/true);
      if (failed(nests))
        return signalPassFailure();
      ThreadPlanner planner(*nests, threadsBefore(kernel, symbols, users));
      SmallVector<Attribute> plans;
      for (const LoopNest &nest : nests->nests)
        plans.push_back(planner.plan(nest).toAttr(&getContext(), nest));
      kernel->setAttr(XlaRtDialect::kPlans, ArrayAttr::get(&getContext(), plans));
    }
  }
};
} // namespace
