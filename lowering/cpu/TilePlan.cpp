// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of tiles: which nests have them, and how they are decided. What a plan may say of a nest is in CheckTiles.cpp.

#include "mlir_xla/lowering/cpu/TilePlan.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/Elements.h"
#include "mlir_xla/lowering/cpu/TileFactors.h"
#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

//===- Attributes -------------------------------------------------------------------------------------------------===//

TilesAttr TilePlan::toAttr(MLIRContext *context, const LoopNest &nest) const {
  return TilesAttr::get(context, nest.sizes, m, mBlock, n, nBlock, k, kBlock, rows, vectors, lanes, instruction, packA,
                        packB, prefetch, work);
}

/// Are vectors along `dim` in memory, and indices along it, as they are elsewhere, wherever they begin? Those of panels
/// are in two then, and lanes have several quotients.
static bool mayBeginAnywhere(const LoopNest &nest, int64_t dim) {
  auto isLinear = [&](const Address &address) {
    return llvm::none_of(address.nonlinear, [&](const auto &term) { return term.first.isFunctionOfDim(dim); });
  };
  auto hasLinear = [&](ExprNode *node) {
    return (node->kind != ExprNode::Load && node->kind != ExprNode::Index) || isLinear(node->address);
  };
  auto areLinear = [&](const Reduction &reduction) {
    return llvm::all_of(reduction.stores,
                        [&](const std::optional<Store> &store) { return !store || isLinear(store->address); });
  };
  return llvm::all_of(nest.nodes(), hasLinear) && llvm::all_of(nest.reductions, areLinear) &&
         llvm::all_of(nest.epilogue, [&](const Store &store) { return isLinear(store.address); });
}

/// Are the sums results as they are, which tile registers write to the rows where they belong?
static bool areResults(const LoopNest &nest, const TilePlan &plan) {
  const Reduction &sum = nest.reductions[0];
  return plan.usesTileRegisters() && plan.kBlocks == 1 && !plan.masked && plan.beginsAtZero && nest.epilogue.empty() &&
         sum.stores[0] && sum.stores[0]->elementType == sum.results[0]->type &&
         sum.stores[0]->address.nonlinear.empty() && strideAlong(sum.stores[0]->address, plan.n, 1) == 1;
}

TilePlan TilePlan::fromAttr(TilesAttr attr, const LoopNest &nest) {
  TilePlan plan;
  plan.m = attr.getMDim();
  plan.n = attr.getNDim();
  plan.k = attr.getKDim();
  plan.mBlock = attr.getMBlock();
  plan.nBlock = attr.getNBlock();
  plan.kBlock = attr.getKBlock();
  plan.rows = attr.getRows();
  plan.vectors = attr.getVectors();
  plan.lanes = attr.getLanes();
  plan.instruction = attr.getInstruction();
  plan.packA = attr.getPackA();
  plan.packB = attr.getPackB();
  plan.prefetch = attr.getPrefetch();
  plan.work.assign(attr.getWork().begin(), attr.getWork().end());

  plan.deriveFactors(nest);
  plan.deriveBlocks(nest);
  plan.deriveSums(nest);
  plan.placeScratch(nest);
  return plan;
}

void TilePlan::deriveFactors(const LoopNest &nest) {
  Product product = *matchProduct(nest);
  bool leftIsA = product.left->deps.test(m);
  a = leftIsA ? product.left : product.right;
  b = leftIsA ? product.right : product.left;
  group = TilesAttr::groupOf(instruction);
  Type sumType = nest.reductions[0].inits[0]->type;
  packedType = sumType;
  if (group > 1) {
    aSigned = Product::isSigned(a);
    bSigned = Product::isSigned(b);
    a = Product::narrowOf(a);
    b = Product::narrowOf(b);
    packedType = isa<FloatType>(a->type) ? a->type : IntegerType::get(sumType.getContext(), 32 / group);
  }
}

void TilePlan::deriveBlocks(const LoopNest &nest) {
  bool hasPart = nest.sizes[n] % step() != 0;
  overlaps = nest.sizes[m] % rows != 0;
  overlapsColumns =
      hasPart && nest.sizes[n] > step() && nest.mayRepeat() && !usesTileRegisters() && mayBeginAnywhere(nest, n);
  masked = hasPart && !overlapsColumns;
  mBlocks = llvm::divideCeil(nest.sizes[m], mBlock);
  nBlocks = llvm::divideCeil(nest.sizes[n], nBlock);
  kBlocks = llvm::divideCeil(nest.sizes[k], kBlock);
  instructions = llvm::divideCeil(std::min(kBlock, nest.sizes[k]), group);
  if (usesTileRegisters())
    instructions = llvm::alignTo(instructions, TilesAttr::kTileRows);
  columns = std::min<int64_t>(nBlock, llvm::alignTo(nest.sizes[n], step()));
  lanesOfRows = packedLanesOf(a, k, lanes * group, kBlocks > 1 ? kBlock : 0);
}

void TilePlan::deriveSums(const LoopNest &nest) {
  // Copies of long code for each row and vector take longer to compile than long sums to be written and read.
  constexpr int64_t manySteps = 64;
  ExprNode *initial = nest.reductions[0].inits[0];
  beginsAtZero = initial->kind == ExprNode::Constant &&
                 (matchPattern(initial->attr, m_Zero()) || matchPattern(initial->attr, m_PosZeroFloat()));
  storesTiles = areResults(nest, *this);
  byRows = kBlocks > 1 || usesTileRegisters() || (!nest.epilogue.empty() && instructions >= manySteps);
}

void TilePlan::placeScratch(const LoopNest &nest) {
  auto place = [&](int64_t &offset, int64_t bytes) {
    offset = scratchBytes;
    scratchBytes += llvm::alignTo(bytes, 64);
  };
  int64_t ofBlock = std::min<int64_t>(mBlock, llvm::alignTo(nest.sizes[m], rows)), steps = instructions * group;
  int64_t elementBytes = packedType.getIntOrFloatBitWidth() / 8,
          sumBytes = storageBits(nest.reductions[0].inits[0]->type) / 8;
  if (packB) {
    int64_t whichColumns = 0;
    place(whichColumns, sizeof(int64_t));
    place(columnsOffset, steps * columns * elementBytes);
  }
  if (isOffset())
    place(sumsOffset, columns * sumBytes);
  if (packA) {
    pitchA = llvm::alignTo(steps, std::max(64 / elementBytes, lanesOfRows));
    // Rows that a tile register is loaded from are in different sets of the first-level cache.
    if (int64_t line = 64 / elementBytes; usesTileRegisters() && pitchA / line % 2 == 0)
      pitchA += line;
    // Vectors along the rows and steps of copies reach beyond the last one.
    place(rowsOffset, llvm::alignTo(ofBlock, std::max(lanes, kStepsOfCopy)) * pitchA * elementBytes);
  } else if (usesTileRegisters()) {
    pitchA = *strideAlong(a->address, m, a->address.nonlinear.empty() ? 1 : rowsOfRegister(rows, vectors));
  }
  if (kBlocks > 1)
    place(runningOffset, ofBlock * columns * sumBytes);
  if (byRows && !storesTiles)
    place(tileOffset, rows * step() * sumBytes);
  if (usesTileRegisters())
    place(shapesOffset, TilesAttr::kTileBytes);
}

NestPlan TilePlan::tilePlan(const LoopNest &nest) const {
  NestPlan plan;
  plan.v = n;
  plan.lanes = lanes;
  plan.vUnroll = vectors;
  plan.u = m;
  plan.uUnroll = rows;
  // Results that are computed twice may not live in what they are computed from, be they rows or columns.
  plan.uOverlaps = overlaps || overlapsColumns;
  plan.vMasked = masked;
  plan.work = work;
  plan.reductionLoops = {k};
  plan.derive(nest);
  return plan;
}

//===- Decisions --------------------------------------------------------------------------------------------------===//

/// Rows that reuse the columns which were packed for them.
static constexpr int64_t kRowsOfBlock = 256;
/// Blocks of k are whole groups of the instructions, and, where rows are pixels, whole vectors of these.
static constexpr int64_t kStepsOfPacking = 4;
/// A share of what the largest tiles compute for which others are as good, though they load more.
static constexpr double kMuchLess = 0.95;
/// Items of work, at least, that columns are cut into which few rows read at the speed of memory.
static constexpr int64_t kItemsOfStream = 2;

namespace {
class TilePlanner {
public:
  TilePlanner(const LoopNest &nest, const Machine &machine) : nest(nest), machine(machine) {}
  std::optional<TilePlan> run();

private:
  bool findDims();
  bool chooseInstruction();
  bool isPlain(ExprNode *factor) const;
  bool hasInstructionOfFloats() const;
  bool areRowsWidened() const { return Product::inMemory(a) != a; }
  std::optional<ProductSizes> plainSizes() const;
  bool arePixels() const;
  void chooseTile();
  void chooseTightTile();
  void chooseTileRegisters();
  int64_t rowsOfPixels() const;
  void planFloats();
  void chooseBlocksOfGroups();
  void chooseBlocksOfTileRegisters();
  void chooseBlocksInPlace();
  void chooseBlocksOfFloats();
  void chooseBlocksOfRows();
  void chooseBlocksOfPixels();
  int64_t columnsOfStream() const;
  int64_t setBlocks(int64_t rows, int64_t columns);
  void setBlocksFor(int64_t items, int64_t rows, int64_t columns);
  double computedBy(const TilePlan &tile) const;
  int64_t size(int64_t dim) const { return nest.sizes[dim]; }
  /// Are columns read where they are, for so few rows that they stream by?
  bool streams() const { return !plan.packB && size(plan.m) <= kFewRows; }
  /// More of them than stay in the caches?
  bool comeFromMemory() const { return streams() && bytesOfColumns() > machine.lastLevelBytes; }
  int64_t bytesOfColumns() const { return size(plan.k) * size(plan.n) * elementBytes(); }
  /// So many for few rows that what counts is how long the runs of memory are that are read?
  bool areLongRuns() const {
    return machine.hasNarrowTiles() && size(plan.m) <= kFewRows && bytesOfColumns() > machine.lastLevelBytes / 2;
  }
  bool isBatched() const {
    return llvm::any_of(plan.work, [&](int64_t dim) { return b->deps.test(dim); });
  }
  int64_t elementBytes() const;

  const LoopNest &nest;
  const Machine &machine;
  TilePlan plan;
  ExprNode *a = nullptr, *b = nullptr;
};
} // namespace

/// n: where results are neighbours in memory. m: the longest of the other factor's own dimensions.
bool TilePlanner::findDims() {
  std::optional<Product> product = matchProduct(nest);
  if (!product || isa<ComplexType>(nest.reductions[0].inits[0]->type))
    return false;
  const Store *store = nest.reductions[0].stores[0] ? &*nest.reductions[0].stores[0]
                       : nest.epilogue.empty()      ? nullptr
                                                    : &nest.epilogue.front();
  if (!store)
    return false;
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim) {
    if (nest.isReductionLoop(dim)) {
      if (plan.k >= 0)
        return false;
      plan.k = dim;
    } else if (nest.isParallelLoop(dim) && strideAlong(store->address, dim, 1) == 1) {
      plan.n = dim;
    }
  }
  if (plan.k < 0 || plan.n < 0)
    return false;
  a = product->left;
  b = product->right;
  if (!b->deps.test(plan.n))
    std::swap(a, b);
  if (!b->deps.test(plan.n) || a->deps.test(plan.n) || !a->deps.test(plan.k) || !b->deps.test(plan.k))
    return false;
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (nest.isParallelLoop(dim) && a->deps.test(dim) && !b->deps.test(dim) &&
        (plan.m < 0 || size(dim) >= size(plan.m)))
      plan.m = dim;
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (nest.isParallelLoop(dim) && static_cast<int64_t>(dim) != plan.m && static_cast<int64_t>(dim) != plan.n)
      plan.work.push_back(dim);
  return plan.m >= 0;
}

/// An array as it is in memory.
bool TilePlanner::isPlain(ExprNode *factor) const {
  return factor->kind == ExprNode::Load && factor->guards.empty() && factor->address.nonlinear.empty();
}

/// Is there one for two narrow floats?
bool TilePlanner::hasInstructionOfFloats() const {
  ExprNode *narrowA = Product::narrowOf(a), *narrowB = Product::narrowOf(b);
  return narrowA && narrowB && narrowA->type == narrowB->type && multipliesFloats(narrowA->type, machine);
}

/// Of factors that are floats, with columns in memory as tiles read or copy them. Items of other dimensions share them.
std::optional<ProductSizes> TilePlanner::plainSizes() const {
  Type sum = nest.reductions[0].inits[0]->type;
  ExprNode *rows = Product::inMemory(a), *columns = Product::inMemory(b);
  bool areColumnsWidened = columns != b;
  if ((!sum.isF32() && !sum.isF64()) || !isPlain(columns) ||
      ((areRowsWidened() || areColumnsWidened) && hasInstructionOfFloats()))
    return std::nullopt;
  bool alongSteps = strideAlong(columns->address, plan.k, 1) == 1 && strideAlong(columns->address, plan.n, 1) != 1;
  if (!alongSteps && strideAlong(columns->address, plan.n, 1) != 1)
    return std::nullopt;
  int64_t bytes = storageBits(sum) / 8,
          pitch = std::abs(columns->address.dims[plan.k]) * elementStorageBytes(columns->type);
  bool rowsAlongSteps =
      !isPlain(rows) || strideAlong(rows->address, plan.m, 1) != 1 || strideAlong(rows->address, plan.k, 1) == 1;
  return ProductSizes{size(plan.m), size(plan.n),     size(plan.k),     bytes, pitch, rowsAlongSteps, alongSteps,
                      isBatched(),  areRowsWidened(), areColumnsWidened};
}

/// Are rows the pixels of an image, of which vectors along k are neighbours, and columns floats as tiles read them,
/// more than stay in the second-level cache? What a window of one row reads is neighbours along all of k, but padding
/// is asked for at every step unless rows are packed.
bool TilePlanner::arePixels() const {
  Type sum = nest.reductions[0].inits[0]->type;
  ExprNode *load = Product::loadOf(a);
  return (sum.isF32() || sum.isF64()) && size(plan.k) * size(plan.n) * storageBits(sum) / 8 > machine.l2Bytes &&
         isPlain(b) && strideAlong(b->address, plan.n, 1) == 1 && load->kind == ExprNode::Load && load->type == sum &&
         (load != a || (load->guards.empty() && !load->address.nonlinear.empty())) &&
         packedLanesOf(a, plan.k, machine.lanes(storageBits(sum))) * storageBits(sum) / 8 >= kLeastBytes;
}

/// The one that takes most steps. Of floats without one, those are walked in tiles whose columns are read as they are,
/// or packed because there are many.
bool TilePlanner::chooseInstruction() {
  Type sum = nest.reductions[0].inits[0]->type;
  if (arePixels()) {
    plan.packA = true;
    plan.lanes = machine.lanes(storageBits(sum));
    return true;
  }
  std::optional<ProductSizes> sizes = plainSizes();
  if (std::optional<TilePacking> packing = sizes ? tilePackingOf(*sizes, machine) : std::nullopt) {
    plan.packA = packing->rows;
    plan.packB = packing->columns;
    plan.lanes = machine.lanes(storageBits(sum));
    return true;
  }
  ExprNode *narrowA = Product::narrowOf(a), *narrowB = Product::narrowOf(b);
  if (!narrowA || !narrowB)
    return false;
  bool areBrains = narrowA->type.isBF16() && narrowB->type.isBF16();
  bool areHalves = narrowA->type.isF16() && narrowB->type.isF16();
  if (areBrains || areHalves ? !sum.isF32() : !sum.isInteger(32))
    return false;
  bool areBytes = narrowA->type.isInteger(8) && narrowB->type.isInteger(8);
  auto fits = [&](ExprNode *factor, ExprNode *narrow) {
    return narrow->type.isInteger(8) || (narrow->type.isInteger(16) && Product::isSigned(factor));
  };
  if (areBrains && machine.hasTdpbf16ps)
    plan.instruction = ProductInstruction::Tdpbf16ps;
  else if (areHalves && machine.hasTdpfp16ps)
    plan.instruction = ProductInstruction::Tdpfp16ps;
  else if (areBytes && machine.hasTdpbssd)
    plan.instruction = ProductInstruction::Tdpbssd;
  else if (areBrains && machine.hasVdpbf16ps)
    plan.instruction = ProductInstruction::Vdpbf16ps;
  else if (machine.hasVpdpbusd && areBytes)
    plan.instruction = ProductInstruction::Vpdpbusd;
  else if (machine.hasPmaddwd && fits(a, narrowA) && fits(b, narrowB))
    plan.instruction = ProductInstruction::Pmaddwd;
  else
    return false;
  plan.lanes = machine.lanes(32);
  plan.packA = plan.packB = true;
  int64_t group = TilesAttr::groupOf(plan.instruction);
  return mayPackGroups(narrowA, plan.m, plan.k, group, /*areRows=*/true) &&
         mayPackGroups(narrowB, plan.n, plan.k, group, /*areRows=*/false);
}

/// As many vectors as a row of results has, up to those of a tile, and as many rows as registers are left for.
void TilePlanner::chooseTile() {
  plan.vectors = std::clamp<int64_t>(llvm::divideCeil(size(plan.n), plan.lanes), 1, machine.vectorsOfTile());
  plan.rows = std::min<int64_t>(machine.accumulators() / plan.vectors, size(plan.m));
  while (!nest.mayRepeat() && size(plan.m) % plan.rows != 0)
    --plan.rows;
}

/// Results of all tiles, those in vain as well.
double TilePlanner::computedBy(const TilePlan &tile) const {
  return static_cast<double>(llvm::alignTo(size(plan.m), tile.rows)) *
         static_cast<double>(llvm::alignTo(size(plan.n), tile.step()));
}

/// The tile that computes least in vain, at the ends of m and n, and loads least for what it multiplies. Rows that are
/// read in place have lines in the first-level cache at the same time. What is read once, from memory, is read in pairs
/// of lines (8 by 5000 by 3000 with three lines at a time took 1.5 of the time of four).
void TilePlanner::chooseTightTile() {
  constexpr int64_t fewRows = 4;
  int64_t ofSteps = std::abs(Product::loadOf(Product::inMemory(b))->address.dims[plan.k]) * elementBytes();
  double perLoad = plan.packA || plan.packB ? Machine::kCostOfLoad : machine.costOfLoad(ofSteps, size(plan.k));
  int64_t rowsInL1 = size(plan.m);
  if (!plan.packA && a->kind == ExprNode::Load)
    if (int64_t pitch = std::abs(a->address.dims[plan.m]) * elementBytes())
      rowsInL1 = std::min(rowsInL1, machine.rowsInL1(pitch));
  double best = 0;
  int64_t most = machine.vectorsOfTile(), least = comeFromMemory() ? most : 2;
  for (int64_t vectors = most; vectors >= least; --vectors)
    for (int64_t rows = std::min(machine.accumulators() / vectors, rowsInL1); rows >= fewRows; --rows) {
      if (!nest.mayRepeat() && size(plan.m) % rows != 0)
        continue;
      double cost = static_cast<double>(llvm::alignTo(size(plan.n), vectors * plan.lanes)) *
                    Machine::timeOfTiles(size(plan.m), rows, vectors, perLoad);
      if (best != 0 && cost >= best)
        continue;
      best = cost;
      plan.rows = rows;
      plan.vectors = vectors;
    }
}

/// Whole tiles, or all rows where there are fewer than two tiles of them: those that compute least in vain, and load
/// least for what they multiply. Rows whose lines fit in the first-level cache together are read as they are.
void TilePlanner::chooseTileRegisters() {
  constexpr int64_t tile = TilesAttr::kTileRows, mostVectors = 4;
  constexpr double perLoad = 0.3;
  SmallVector<int64_t> candidates;
  for (int64_t rows = TilesAttr::kTileRegisters / 2 * tile; rows > 0; rows -= tile)
    if (rows <= size(plan.m) && (!nest.inPlace || size(plan.m) % rows == 0))
      candidates.push_back(rows);
  if (size(plan.m) < 2 * tile && size(plan.m) != tile)
    candidates.push_back(size(plan.m));
  if (candidates.empty()) {
    candidates.push_back(tile);
    while (size(plan.m) % candidates[0] != 0)
      --candidates[0];
  }
  // Rows of pixels are read in equal parts of those.
  ExprNode *narrow = Product::narrowOf(a);
  int64_t group = TilesAttr::groupOf(plan.instruction), ofPixels = rowsOfPixels();
  if (ofPixels > 0) {
    candidates = {ofPixels};
    for (int64_t rows : {2 * ofPixels, 4 * ofPixels})
      if (rows <= size(plan.m) && llvm::divideCeil(rows, tile) * ofPixels == static_cast<uint64_t>(rows))
        candidates.push_back(rows);
  }
  double best = 0;
  for (int64_t rows : candidates)
    for (int64_t vectors = 1; vectors <= mostVectors; ++vectors) {
      TilesAttr::TileRegisters registers(rows, vectors);
      if (!registers.fit())
        continue;
      double computed = static_cast<double>(llvm::alignTo(size(plan.m), rows)) *
                        static_cast<double>(llvm::alignTo(size(plan.n), vectors * plan.lanes));
      double cost = computed * (1 + perLoad * static_cast<double>(registers.rowTiles + vectors) /
                                        static_cast<double>(registers.sums));
      if (best != 0 && cost >= best)
        continue;
      best = cost;
      plan.rows = rows;
      plan.vectors = vectors;
    }
  plan.packA = ofPixels == 0 &&
               (!narrow->address.nonlinear.empty() || !mayReadRows(nest, narrow, plan.m, plan.k, group, plan.rows) ||
                machine.rowsInL1(std::abs(narrow->address.dims[plan.m]) * elementBytes()) < plan.rows);
}

/// How many rows of a tile register, at most, are the same distance apart, if they are pixels, which are found by
/// divisions; zero if those are few, or rows something else.
int64_t TilePlanner::rowsOfPixels() const {
  constexpr int64_t fewRows = 8;
  ExprNode *narrow = Product::narrowOf(a);
  int64_t group = TilesAttr::groupOf(plan.instruction);
  if (narrow->kind != ExprNode::Load || narrow->address.nonlinear.empty() || !nest.mayRepeat())
    return 0;
  for (int64_t rows = TilesAttr::kTileRows; rows > fewRows; --rows)
    if (mayReadRows(nest, narrow, plan.m, plan.k, group, rows))
      return machine.rowsInL1(std::abs(*strideAlong(narrow->address, plan.m, rows)) * elementBytes()) >= 2 * rows ? rows
                                                                                                                  : 0;
  return 0;
}

int64_t TilePlanner::elementBytes() const {
  Type sum = nest.reductions[0].inits[0]->type;
  return storageBits(sum) / 8 / TilesAttr::groupOf(plan.instruction);
}

/// Whole steps; blocks of one dimension are as equal as those allow.
static int64_t blocksOf(int64_t size, int64_t largest, int64_t step) {
  int64_t count = llvm::divideCeil(size, std::max(largest, step));
  return static_cast<int64_t>(llvm::alignTo(llvm::divideCeil(size, count), step));
}

/// Of narrow numbers, which vectors multiply in groups. The packed columns stay in the second-level cache while all
/// rows of a block pass by. They are enough for packing those rows, again for each block, to be little of the work,
/// however narrow vectors are: as many as leave items enough.
void TilePlanner::chooseBlocksOfGroups() {
  constexpr int64_t longBlock = 2048;
  ExprNode *rows = Product::narrowOf(a);
  bool inLines = !Product::isPadding(rows) && rows->address.nonlinear.empty();
  plan.kBlock = blocksOf(size(plan.k), longBlock, inLines ? kStepsOfPacking : kMostLanes);
  int64_t most = machine.l2Bytes * 5 / 8 / (plan.kBlock * elementBytes());
  for (int64_t columns : {256, 192}) {
    int64_t items = setBlocks(kRowsOfBlock, columns);
    // Blocks are of one size, and few items are for two or four cores alike.
    if (plan.nBlock <= most &&
        size(plan.n) + plan.step() > static_cast<int64_t>(llvm::alignTo(size(plan.n), plan.nBlock)) &&
        (items >= machine.fewItems / 2 || (items >= machine.fewItems / 8 && items % 4 == 0)))
      return;
  }
  setBlocks(kRowsOfBlock, std::min<int64_t>(128, most));
}

/// The same, for as many columns as reading and packing the rows is little work for. Where all steps are one block, the
/// next rows find the columns packed, so few rows are an item. Longer sums have short blocks: the longer, the fewer
/// columns share packed rows. Where there are no other rows, a few steps of long rows of columns are packed, which are
/// still in the first-level cache then (8 by 4096 by 1024 steps take 0.77 of the time).
void TilePlanner::chooseBlocksOfTileRegisters() {
  constexpr int64_t longBytes = 2048, sharedBytes = 3 * longBytes, manyColumns = 512, sharedRows = 64;
  constexpr int64_t shortBytes = 256, longRow = 1024, fewColumns = 128, manyPanels = 8, littleWork = 1 << 24;
  bool isOnce = size(plan.m) <= TilesAttr::kTileRows &&
                size(plan.k) * size(plan.n) * elementBytes() >= machine.l2ShareOfTiles() &&
                strideAlong(Product::loadOf(Product::narrowOf(b))->address, plan.n, 1) == 1;
  bool areShared = size(plan.m) > sharedRows && size(plan.k) * elementBytes() <= sharedBytes;
  plan.kBlock = blocksOf(size(plan.k),
                         (isOnce      ? shortBytes
                          : areShared ? sharedBytes
                                      : longBytes) /
                             elementBytes(),
                         TilesAttr::kTileBytes / elementBytes());
  int64_t columns = std::min(manyColumns, machine.l2ShareOfTiles() / (plan.kBlock * elementBytes()));
  // Two cores pack different ones.
  if (size(plan.n) <= columns && size(plan.m) > sharedRows)
    columns = std::max(size(plan.n) / 2, fewColumns);
  if (isOnce)
    columns = longRow;
  int64_t rows = plan.kBlock < size(plan.k) ? kRowsOfBlock : sharedRows;
  while (setBlocks(rows, columns) < machine.fewItems / 2 && columns > 2 * plan.step() &&
         plan.mBlock * plan.nBlock * size(plan.k) > littleWork)
    columns = llvm::alignTo(columns / 2, plan.step());
  // Rows may begin anywhere, and tiles that are in two lines for each of them take 1.3 times as long.
  plan.packA |= rowsOfPixels() == 0 && plan.nBlock > manyPanels * plan.step();
}

/// Of columns that few rows read once, those of a block: a part of each step that the prefetcher follows for long.
int64_t TilePlanner::columnsOfStream() const {
  constexpr int64_t runBytes = 1024, pieces = 8;
  if (!areLongRuns())
    return std::max(size(plan.n) / pieces, runBytes / elementBytes());
  int64_t page = machine.pageBytes / elementBytes();
  return std::clamp(size(plan.n) / 4, page / 2, 2 * page);
}

/// Columns that are not packed are read along their rows. Few rows read them at the speed of memory: in order, a few
/// steps at a time, with sums in the caches. Many read a block of them again and again, in the second-level cache.
void TilePlanner::chooseBlocksInPlace() {
  constexpr int64_t fewSteps = 8, rowsOfBlock = 96;
  const int64_t someSteps = comeFromMemory() ? 16 : 32;
  // All rows find a step's columns in the first-level cache, few of which have room there if they fall on the same
  // lines.
  int64_t steps =
      machine.rowsInL1(std::abs(Product::loadOf(Product::inMemory(b))->address.dims[plan.k]) * elementBytes());
  plan.kBlock = blocksOf(size(plan.k),
                         streams()                          ? std::clamp(steps, fewSteps, someSteps)
                         : size(plan.k) <= kStepsOfOneBlock ? kStepsOfOneBlock
                                                            : kStepsOfBlock,
                         kStepsOfPacking);
  int64_t columns = llvm::alignDown(machine.l2Share() / (plan.kBlock * elementBytes()), plan.step());
  if (streams())
    columns = columnsOfStream();
  setBlocksFor(streams() ? kItemsOfStream : machine.fewItems, rowsOfBlock, columns);
}

/// Smaller blocks of columns, then of rows, until there are so many items of work, or each is little.
void TilePlanner::setBlocksFor(int64_t items, int64_t rows, int64_t columns) {
  constexpr int64_t littleWork = 1 << 20;
  while (setBlocks(rows, columns) < items && plan.mBlock * plan.nBlock * size(plan.k) > littleWork) {
    if (plan.nBlock > plan.step())
      columns = plan.nBlock / 2;
    else if (plan.mBlock > 4 * plan.rows)
      rows = plan.mBlock / 2;
    else
      break;
  }
}

/// Gives the items of work.
int64_t TilePlanner::setBlocks(int64_t rows, int64_t columns) {
  plan.mBlock = blocksOf(size(plan.m), rows, plan.rows);
  plan.nBlock = blocksOf(size(plan.n), columns, plan.step());
  int64_t items = llvm::divideCeil(size(plan.m), plan.mBlock) * llvm::divideCeil(size(plan.n), plan.nBlock);
  for (int64_t dim : plan.work)
    items *= size(dim);
  return items;
}

/// A block of the columns is packed for so many rows that copying it takes little of the time, and stays in the
/// second-level cache while they pass by. Where one block has all steps, items share it.
void TilePlanner::chooseBlocksOfFloats() {
  constexpr int64_t mostRows = 1024, leastRows = 256, sharedRows = 96, leastItems = 4;
  constexpr int64_t columnsOfRows = 192; // half of more are enough for rows to be packed again
  bool areShared = size(plan.k) <= kStepsOfOneBlock && (!plan.packA || areRowsWidened()) && !isBatched();
  plan.kBlock =
      blocksOf(size(plan.k), areShared ? kStepsOfOneBlock : kStepsOfBlock,
               std::max<int64_t>(plan.packA ? plan.lanes : 1, TilePlan::stepsOfColumns(*Product::inMemory(b))));
  int64_t share = areShared ? machine.l2ShareOfColumns() : machine.l2Share();
  int64_t columns = llvm::alignDown(share / (plan.kBlock * elementBytes()), plan.step());
  // Rows come by again and again: columns that are not in the first-level cache are asked for before.
  constexpr int64_t stepsAhead = 8;
  if (plan.kBlock * plan.step() * elementBytes() > machine.l1Bytes && size(plan.m) > kFewRows)
    plan.prefetch = stepsAhead;
  if (areLongRuns() && !plan.packA && !isBatched() && strideAlong(Product::inMemory(b)->address, plan.n, 1) == 1) {
    int64_t run = columnsOfStream();
    plan.kBlock =
        blocksOf(size(plan.k), share / (run * elementBytes()), TilePlan::stepsOfColumns(*Product::inMemory(b)));
    setBlocksFor(kItemsOfStream, size(plan.m), run);
    return;
  }
  if (areShared) {
    if (size(plan.n) <= columns && setBlocks(leastRows, columns) >= machine.fewItems / 4)
      return;
    // Few rows read a stretch of each step once, while it is packed. Packed rows are so again for each block of
    // columns.
    int64_t least = size(plan.m) <= kFewRows ? machine.longRun() / elementBytes()
                    : plan.packA             ? columnsOfRows
                                             : plan.step();
    while (setBlocks(sharedRows, columns) < machine.fewItems / (plan.packA ? 2 : 1) && columns > least)
      columns = llvm::alignTo(columns / 2, plan.step());
    return;
  }
  int64_t rows = mostRows;
  while (setBlocks(rows, columns) < machine.fewItems && rows > leastRows)
    rows /= 2;
  while (isBatched() && setBlocks(rows, columns) < machine.fewItems / 2 && columns > plan.step())
    columns = llvm::alignTo(columns / 2, plan.step());
  setBlocksFor(leastItems, rows, columns);
}

/// Rows are packed again for each block of the columns: as many of these as stay in the second-level cache, for a few
/// steps. Packed columns take longer blocks of rows.
void TilePlanner::chooseBlocksOfRows() {
  constexpr int64_t leastSteps = 64, mostRows = kPackedRowsOfBlock, leastRows = mostRows / 2;
  int64_t columns = std::min<int64_t>(llvm::alignTo(size(plan.n), plan.step()),
                                      plan.packB ? kColumnsOfPackedRows / 2 : kColumnsOfPackedRows);
  int64_t steps = machine.l2Share() / (columns * elementBytes()), whole = std::max(plan.lanes, kStepsOfPacking);
  plan.kBlock = blocksOf(size(plan.k), std::clamp(steps, leastSteps, kStepsOfPackedRows), whole);
  int64_t factor = plan.packB ? 2 : 1;
  int64_t items = 0;
  for (int64_t rows : {factor * mostRows, factor * leastRows})
    if (items = setBlocks(rows, columns); items >= machine.fewItems)
      break;
  // Few items are for two or four cores alike.
  if (items < machine.fewItems / 4 && items % 4 != 0) {
    int64_t blocks = llvm::divideCeil(llvm::alignTo(items, 4), llvm::divideCeil(size(plan.n), plan.nBlock));
    setBlocks(llvm::divideCeil(size(plan.m), blocks), columns);
  }
}

/// Columns are read once for all rows of a block, in the order of memory. Rows are packed for as many columns as
/// copying them is little work for, and the sums stay in the second-level cache.
void TilePlanner::chooseBlocksOfPixels() {
  constexpr int64_t steps = 128, mostRows = 128, leastRows = 64, mostColumns = 256, leastColumns = 128;
  plan.kBlock = blocksOf(size(plan.k), steps, kMostLanes);
  for (auto [rows, columns] : {std::pair(mostRows, mostColumns), {leastRows, mostColumns}, {leastRows, leastColumns}}) {
    // Few items are for two or four cores alike.
    int64_t items = setBlocks(rows, columns);
    if (items % 4 == 0 || items >= machine.fewItems / 4)
      break;
  }
}

/// Of floats, which have one product for each lane.
void TilePlanner::planFloats() {
  // A tile of few rows is tight, unless those must divide them, and so is one that saves much.
  bool isTight = !plan.packB || (size(plan.m) <= kFewRows && nest.mayRepeat());
  isTight ? chooseTightTile() : chooseTile();
  if (TilePlan large = plan; !isTight && size(plan.n) > plan.step()) {
    chooseTightTile();
    if (computedBy(plan) > kMuchLess * computedBy(large))
      plan = large;
  }
  if (arePixels())
    chooseBlocksOfPixels();
  else if (plan.packA && !areRowsWidened())
    chooseBlocksOfRows();
  else
    plan.packB ? chooseBlocksOfFloats() : chooseBlocksInPlace();
}

std::optional<TilePlan> TilePlanner::run() {
  constexpr int64_t fewSteps = 8, fewRows = 4, fewColumns = 4, fewProducts = 1 << 14;
  if (!findDims() || !chooseInstruction())
    return std::nullopt;
  if (plan.instruction == ProductInstruction::Fma) {
    planFloats();
    return plan.rows > 1 ? std::optional(plan) : std::nullopt;
  }
  bool usesRegisters = TilesAttr::usesTileRegisters(plan.instruction);
  int64_t leastColumns = usesRegisters && rowsOfPixels() > 0 ? fewColumns : plan.lanes / 2;
  if (size(plan.k) < fewSteps || size(plan.m) < fewRows || size(plan.n) < leastColumns ||
      size(plan.m) * size(plan.n) * size(plan.k) < fewProducts)
    return std::nullopt;
  if (usesRegisters) {
    chooseTileRegisters();
    chooseBlocksOfTileRegisters();
  } else {
    chooseTile();
    chooseBlocksOfGroups();
  }
  return plan;
}

std::optional<TilePlan> mlir::xla::planTiles(const LoopNest &nest, const Machine &machine) {
  return TilePlanner(nest, machine).run();
}

int64_t mlir::xla::estimateCost(const LoopNest &nest, const TilePlan &plan) {
  double perInstruction = plan.usesTileRegisters() ? 0.05 : 0.4;
  return static_cast<int64_t>(perInstruction * nest.iterations(/*includeRows=*/true) / (plan.lanes * plan.group)) + 1;
}
