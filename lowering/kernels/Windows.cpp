// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds elementwise code that only windows read, as a rule padding, and makes it a part of their kernels: a block of
// rows of the result has what it reads in memory of its own, which stays in the second-level cache
// (docs/design/convolutions.md).

#include "mlir_xla/lowering/kernels/Windows.h"

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/nest/Contraction.h"
#include "mlir_xla/lowering/nest/NestStructure.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xla;

/// An element that is computed and stored takes as long as so many steps of a reduction.
static constexpr int64_t kStepsOfElement = 4;

namespace {
class Fuser {
public:
  Fuser(std::vector<Cluster> &clusters, KernelOps &known) : clusters(clusters), known(known) {
    for (auto [i, cluster] : llvm::enumerate(clusters))
      for (Operation *op : cluster.ops)
        clustersOf[op].push_back(i);
  }
  void run();

private:
  std::optional<SmallVector<unsigned>> readersOf(unsigned source);
  std::optional<Cluster> fused(const Cluster &source, const Cluster &reader);
  bool chooseRows(Cluster &whole, KernelOp &reduction, Value read);
  void fuse(unsigned source);

  std::vector<Cluster> &clusters;
  KernelOps &known;
  DenseMap<Operation *, SmallVector<unsigned, 1>> clustersOf;
  Machine machine;
};
} // namespace

/// An element of a tensor in memory or something else, as a comparison of indices says.
static bool isPadding(linalg::LinalgOp op) {
  if (!op || op.getNumReductionLoops() != 0 || op.getNumDpsInputs() != 0 || op->getNumResults() != 1)
    return false;
  auto choice = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<scf::IfOp>();
  return choice && llvm::all_of(choice->getRegions(), [](Region &region) {
           return llvm::all_of(region.getOps(), [](Operation &op) { return isa<tensor::ExtractOp, scf::YieldOp>(op); });
         });
}

/// Does `value`, scalar code in the body of an op, follow from constants and from indices other than `dim`?
static bool followsFromOtherIndices(Value value, int64_t dim) {
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op)
      return false;
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      if (static_cast<int64_t>(index.getDim()) == dim)
        return false;
      continue;
    }
    if (!isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::CmpIOp, arith::AndIOp, arith::DivUIOp,
             arith::RemUIOp>(op))
      return false;
    llvm::append_range(pending, op->getOperands());
  }
  return true;
}

bool mlir::xla::isPaddingOfPixels(linalg::LinalgOp op) {
  if (!isPadding(op))
    return false;
  int64_t last = op.getNumLoops() - 1;
  auto choice = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<scf::IfOp>();
  auto extracts = choice.getThenRegion().getOps<tensor::ExtractOp>();
  if (!llvm::hasSingleElement(extracts) || !choice.getElseRegion().getOps<tensor::ExtractOp>().empty() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return false;
  tensor::ExtractOp extract = *extracts.begin();
  auto channel = extract.getIndices().back().getDefiningOp<linalg::IndexOp>();
  return choice.thenYield().getOperand(0) == extract.getResult() && channel &&
         static_cast<int64_t>(channel.getDim()) == last && followsFromOtherIndices(choice.getCondition(), last);
}

bool mlir::xla::readsPaddingOnDevice(OpOperand &use) {
  auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
  auto padding = use.get().getDefiningOp<linalg::GenericOp>();
  if (!reader || !reader.isDpsInput(&use) || reader.getNumReductionLoops() == 0 || reader->getNumResults() != 1 ||
      !padding || !isPadding(padding) || !padding.getMatchingIndexingMap(padding.getDpsInitOperand(0)).isIdentity())
    return false;
  AffineMap map = reader.getMatchingIndexingMap(&use);
  if (map.getNumResults() == 0 || llvm::all_of(map.getResults(), llvm::IsaPred<AffineDimExpr, AffineConstantExpr>))
    return false;
  auto choice = padding.getBlock()->getTerminator()->getOperand(0).getDefiningOp<scf::IfOp>();
  // Neighbours that could be a vector in a padded copy are inside or outside together.
  if (isa<AffineDimExpr>(map.getResults().back()) &&
      !followsFromOtherIndices(choice.getCondition(), padding.getNumLoops() - 1))
    return false;
  // Copies past the registers write zeros where they read nothing.
  return !isSumOfProducts(reader) || matchPattern(choice.elseYield().getOperand(0), m_PosZeroFloat()) ||
         matchPattern(choice.elseYield().getOperand(0), m_Zero());
}

bool mlir::xla::readsBackwardsOnDevice(OpOperand &use) {
  auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
  auto turned = use.get().getDefiningOp<linalg::GenericOp>();
  if (!reader || !isSumOfProducts(reader) || !reader.isDpsInput(&use) || !turned || turned.getNumDpsInputs() != 1 ||
      turned->getNumResults() != 1 || turned.getNumReductionLoops() != 0 ||
      turned.getBlock()->getTerminator()->getOperand(0) != turned.getRegionInputArgs()[0] ||
      !turned.getMatchingIndexingMap(turned.getDpsInitOperand(0)).isIdentity())
    return false;
  AffineMap map = turned.getMatchingIndexingMap(turned.getDpsInputOperand(0));
  auto type = cast<RankedTensorType>(use.get().getType());
  unsigned rank = type.getRank();
  if (rank == 0 || map.getNumResults() != rank)
    return false;
  int64_t ofRow = type.getShape().back() * elementStorageBytes(type.getElementType());
  if (ofRow >= GpuMachine::access && map.getResult(rank - 1) != getAffineDimExpr(rank - 1, map.getContext()))
    return false;
  return llvm::all_of(llvm::enumerate(map.getResults()), [&](const auto &result) {
    AffineExpr dim = getAffineDimExpr(result.index(), map.getContext());
    return result.value() == dim || isa<AffineConstantExpr>(simplifyAffineExpr(result.value() + dim, rank, 0));
  });
}

bool mlir::xla::packsPadding(const KernelOp &reader, const KernelOp::Read &read) {
  linalg::LinalgOp op = reader.linalgOp;
  if (!op || !reader.isReduction || !read.isDirect || !read.source->linalgOp ||
      !isPaddingOfPixels(read.source->linalgOp))
    return false;
  auto operand = llvm::find_if(op.getDpsInputOperands(), [&](OpOperand *input) { return input->get() == read.value; });
  if (operand == op.getDpsInputOperands().end())
    return false;
  // Channels are steps of the sum, one pixel's behind the other's.
  AffineExpr channel = op.getMatchingIndexingMap(*operand).getResults().back();
  return channel.getKind() == AffineExprKind::Mod;
}

bool mlir::xla::readsPaddingInPlace(const KernelOp &reader, const KernelOp::Read &read) {
  linalg::LinalgOp op = reader.linalgOp;
  if (!op || !reader.isReduction || op->getNumResults() != 1 || !read.isDirect || !isPadding(read.source->linalgOp))
    return false;
  auto operand = llvm::find_if(op.getDpsInputOperands(), [&](OpOperand *input) { return input->get() == read.value; });
  if (operand == op.getDpsInputOperands().end())
    return false;
  AffineMap map = op.getMatchingIndexingMap(*operand);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  auto isParallel = [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && kinds[dim.getPosition()] == utils::IteratorType::parallel;
  };
  // Every result reads elements of its own, and a vector of neighbours is of one place in the window.
  for (auto [loop, kind] : llvm::enumerate(kinds))
    if (kind == utils::IteratorType::parallel && ranges[loop] != 1 && !map.isFunctionOfDim(loop))
      return false;
  AffineExpr last = map.getResult(map.getNumResults() - 1);
  if (!isParallel(last) || ranges[cast<AffineDimExpr>(last).getPosition()] < Machine().lanes(32))
    return false;
  // Some of them, with windows that the planner writes out.
  constexpr int64_t fewNeighbours = 4, largestWindow = 16;
  auto isShortWindow = [&](AffineExpr expr) {
    for (auto [loop, kind] : llvm::enumerate(kinds))
      if (kind == utils::IteratorType::reduction && expr.isFunctionOfDim(loop) && ranges[loop] > largestWindow)
        return false;
    return true;
  };
  return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
    auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
    return sum && sum.getKind() == AffineExprKind::Add && isParallel(sum.getLHS()) && isShortWindow(sum.getRHS()) &&
           ranges[cast<AffineDimExpr>(sum.getLHS()).getPosition()] >= fewNeighbours;
  });
}

/// The clusters that read the only result of `source`; nothing if something else does.
std::optional<SmallVector<unsigned>> Fuser::readersOf(unsigned source) {
  Operation *op = clusters[source].outputs[0].getDefiningOp();
  const KernelOp::Users &users =
      known.usersOf(known.get(op))[cast<OpResult>(clusters[source].outputs[0]).getResultNumber()];
  llvm::SmallSetVector<unsigned, 4> readers;
  if (users.byOthers || clustersOf[op].size() != 1)
    return std::nullopt;
  for (const KernelOp *user : users.readers)
    for (unsigned reader : clustersOf.lookup(user->op))
      if (reader != source)
        readers.insert(reader);
  return readers.takeVector();
}

/// Rows and a block of them such that `read` stays in the cache, there are items for all cores, and little is computed
/// twice.
bool Fuser::chooseRows(Cluster &whole, KernelOp &reduction, Value read) {
  linalg::LinalgOp op = reduction.linalgOp;
  auto operand = llvm::find_if(op.getDpsInputOperands(), [&](OpOperand *input) { return input->get() == read; });
  if (operand == op.getDpsInputOperands().end())
    return false;
  AffineMap map = op.getMatchingIndexingMap(*operand);
  auto type = cast<RankedTensorType>(read.getType());
  // Elements of what is read at one place of the rows.
  auto sizeOfRow = [&](const WindowRead &window) {
    int64_t size = 1;
    for (auto [dim, extent] : llvm::enumerate(type.getShape()))
      if (!llvm::is_contained(window.sourceDims, dim))
        size *= extent;
    return size;
  };
  int64_t bytes = elementStorageBytes(type.getElementType());
  // The rows end with the first of them along which a window reads.
  std::optional<WindowRead> window, before;
  for (unsigned numRows = 1; !window || window->rows == WindowRows(); ++numRows) {
    before = window;
    if (window = matchWindowRead(op, map, numRows); !window)
      return false;
  }
  // If these are the pixels that a tile takes several of, as of a window of one row, blocks are of whole rows of
  // pixels.
  auto areForTiles = [&] {
    int64_t others = 0;
    for (auto [dim, size] : llvm::enumerate(reduction.parallelSizes()))
      others += size > 1 && !llvm::is_contained(window->resultDims, dim);
    return others <= 1 && !window->isOfResult && llvm::all_of(llvm::enumerate(map.getResults()), [&](auto result) {
             return isa<AffineDimExpr>(result.value()) || llvm::is_contained(window->sourceDims, result.index());
           });
  };
  bool arePixels = areForTiles();
  if (arePixels && before) {
    int64_t numRows = 1;
    for (unsigned dim : before->resultDims)
      numRows *= reduction.sizes[dim];
    if (numRows >= machine.fewItems / 4 && sizeOfRow(*before) * bytes <= machine.l2Share()) {
      window = before;
      arePixels = false;
    }
  }
  int64_t items = 1, steps = 1;
  for (unsigned dim : window->resultDims)
    whole.rows.push_back(reduction.sizes[dim]);
  for (int64_t size : ArrayRef(whole.rows).drop_back())
    items *= size;
  for (int64_t size : reduction.sizes)
    steps *= size;
  int64_t size = sizeOfRow(*window), rowBytes = bytes * size;
  // The gradient of a kernel has its window in the result, whose other dimensions are work for many cores.
  if (window->isOfResult && items * whole.rows.back() < machine.fewItems / 4)
    return false;
  int64_t rows = whole.rows.back(), stepsOfRow = steps / (items * rows);
  // The time that all blocks of so many rows take.
  int64_t vectors =
      std::clamp<int64_t>(reduction.sizes[reduction.numParallel - 1] / machine.lanes(32), 1, machine.vectorsOfTile());
  auto cost = [&](int64_t block) {
    double computed = static_cast<double>(block);
    if (arePixels)
      computed =
          Machine::timeOfTiles(block, Machine::rowsOfTile(block, machine.accumulators() / vectors, vectors), vectors);
    double padded = static_cast<double>(window->rows.extent(block) * size * kStepsOfElement);
    return static_cast<double>(llvm::divideCeil(rows, block)) * (computed * static_cast<double>(stepsOfRow) + padded);
  };
  // Parts of images are as large as that: `--xla-split-reductions`.
  int64_t cached = window->isOfResult ? machine.l2Bytes : machine.l2Share();
  int64_t most = 0, best = 0;
  for (int64_t block = 1; block <= rows; ++block) {
    int64_t blocks = llvm::divideCeil(rows, block);
    bool isParallel = block == 1 || items * blocks >= machine.fewItems / 2;
    if (!isParallel || window->rows.extent(block) * rowBytes > cached)
      break;
    most = block;
    if (!best || cost(block) < cost(best))
      best = block;
  }
  if (most == 0)
    return false;
  // Smaller blocks that take hardly longer; tiles fill those of pixels as they are.
  whole.block = best;
  while (!arePixels && whole.block > 1 && cost(whole.block - 1) * 200 <= cost(best) * 201)
    --whole.block;
  return true;
}

/// Both as one; nothing if that is not possible or takes longer.
std::optional<Cluster> Fuser::fused(const Cluster &source, const Cluster &reader) {
  if ((reader.kind != KernelKind::Contraction && reader.kind != KernelKind::Convolution &&
       reader.kind != KernelKind::Reduction) ||
      !reader.rows.empty())
    return std::nullopt;
  Cluster whole = reader;
  whole.kind = KernelKind::Rows;
  llvm::append_range(whole.ops, source.ops);
  llvm::sort(whole.ops, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
  SmallVector<KernelOp *> ops = llvm::map_to_vector(whole.ops, [&](Operation *op) { return &known.get(op); });
  auto isReduction = [](KernelOp *op) { return op->isReduction; };
  auto reduction = llvm::find_if(ops, isReduction);
  NestRefusal refusal;
  if (llvm::count_if(ops, isReduction) != 1 || !chooseRows(whole, **reduction, source.outputs[0]) ||
      failed(analyzeNests(known, ops, whole.outputs, whole.rows, whole.block, refusal)))
    return std::nullopt;
  return whole;
}

void Fuser::fuse(unsigned source) {
  if (clusters[source].kind != KernelKind::Elementwise || clusters[source].outputs.size() != 1)
    return;
  Value value = clusters[source].outputs[0];
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getNumElements() * elementStorageBytes(type.getElementType()) <= machine.l1Bytes ||
      llvm::any_of(clusters[source].ops, [&](Operation *op) { return known.get(op).isExpensive(); }))
    return;
  std::optional<SmallVector<unsigned>> readers = readersOf(source);
  if (!readers)
    return;
  SmallVector<Cluster> whole;
  for (unsigned reader : *readers) {
    std::optional<Cluster> cluster = fused(clusters[source], clusters[reader]);
    if (!cluster)
      return;
    whole.push_back(std::move(*cluster));
  }
  for (auto [reader, cluster] : llvm::zip_equal(*readers, whole)) {
    for (Operation *op : clusters[source].ops)
      clustersOf[op].push_back(reader);
    clusters[reader] = std::move(cluster);
  }
  clusters[source].ops.clear();
}

void Fuser::run() {
  for (unsigned i = 0; i < clusters.size(); ++i)
    fuse(i);
  llvm::erase_if(clusters, [](const Cluster &cluster) { return cluster.ops.empty(); });
}

void mlir::xla::fuseWindows(std::vector<Cluster> &clusters, KernelOps &known) { Fuser(clusters, known).run(); }
