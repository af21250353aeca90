// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-split-scans`: few long scans by blocks, in two passes over the data: what each block comes to, a scan of that,
// and then all blocks in parallel, each from what comes before it.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/Cost.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::xla {
#define GEN_PASS_DEF_SPLITSCANS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Scans from which on there is enough parallel work without blocks; those next to each other in memory share vectors.
static constexpr int64_t kManyScans = 16, kScansOfStrip = 128;
/// Blocks: enough for the threads, and each longer than the overhead of a parallel loop.
static constexpr int64_t kBlocks[] = {64, 50, 40, 32, 25, 20, 16, 10, 8};
/// Blocks that are in lanes, several to an item of work.
static constexpr int64_t kBlocksIfExpensive[] = {256, 250, 200, 160, 128, 125, 100, 80, 64, 50, 40, 32};

/// Threads that keep a GPU busy; those of a team which does one scan of neighbours in memory, and of one which does a
/// block.
static constexpr int64_t kThreads = GpuMachine::threadsOfCache, kTeam = 256, kWarp = GpuMachine::warp;
/// Elements of a scan by a team, and of one by a thread, that take longer than three launches; those of a block of
/// each.
static constexpr int64_t kLongForTeam = 1 << 15, kLongForThread = 64, kLeastOfTeam = 512, kLeastOfThread = 8;

static bool combinerIsExpensive(rt::ScanOp op) {
  WalkResult found = op.getCombiner().walk(
      [](Operation *inner) { return isExpensive(inner) ? WalkResult::interrupt() : WalkResult::advance(); });
  return found.wasInterrupted();
}

/// True if a second pass over the data costs less than cores that have nothing to do: it leaves the caches anyway, or
/// the combiner takes much longer than memory.
static bool isLarge(rt::ScanOp op, const Machine &machine) {
  int64_t elements = cast<RankedTensorType>(op.getInputs().front().getType()).getNumElements(), bytes = 0;
  for (Value input : op.getInputs())
    bytes += bufferBytes(cast<RankedTensorType>(input.getType()));
  return combinerIsExpensive(op) ? elements >= machine.elementsPerCore : bytes >= machine.lastLevelBytes;
}

/// How many blocks threads of a GPU do: enough for all of them. Scans of neighbours in memory are done by teams, others
/// by a thread each, for which blocks are about as many as elements of one.
static int64_t countDeviceBlocks(int64_t size, int64_t before, int64_t behind) {
  bool isRow = behind == 1;
  int64_t scans = before * behind, least = isRow ? kLeastOfTeam : kLeastOfThread;
  if (scans * (isRow ? kTeam : 1) * 8 >= kThreads || size < (isRow ? kLongForTeam : kLongForThread))
    return 0;
  int64_t wanted = std::max<int64_t>(2, kThreads / (scans * (isRow ? kWarp : 1)));
  if (!isRow)
    wanted = std::min<int64_t>(wanted, int64_t(1) << llvm::Log2_64_Ceil(size) / 2);
  // The least number from there on that divides the scan, or the greatest below.
  for (int64_t blocks = wanted; blocks < 2 * wanted && size / blocks >= least; ++blocks)
    if (size % blocks == 0)
      return blocks;
  int64_t most = std::min(wanted, size / least);
  for (int64_t blocks = most; blocks >= std::max<int64_t>(2, most / 16); --blocks)
    if (size % blocks == 0)
      return blocks;
  return 0;
}

/// Whether a kernel scans in tiles, of one launch, whose blocks ask for what those before them come to: with a word for
/// each tile, of what it comes to and of whether that is there.
static bool isScannedInTiles(rt::ScanOp op, int64_t before, int64_t behind) {
  Block &body = op.getCombiner().front();
  if (behind != 1 || !GpuMachine::hasScanTiles(before, op.getShape()[op.getDimension()]) ||
      body.getNumArguments() != 2 || !llvm::hasSingleElement(body.without_terminator()))
    return false;
  Operation &combined = body.front();
  bool areArguments = combined.getNumOperands() == 2 && combined.getOperand(0) != combined.getOperand(1) &&
                      llvm::all_of(combined.getOperands(), llvm::IsaPred<BlockArgument>);
  Type type = body.getArgument(0).getType();
  bool isOfTiles = type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
                   (type.isSignlessInteger() && !type.isInteger(1) && type.getIntOrFloatBitWidth() <= 64);
  return areArguments && isOfTiles &&
         isa<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp>(combined);
}

/// How many blocks `op` is cut into; 0: none.
static int64_t countBlocks(rt::ScanOp op, bool onDevice) {
  ArrayRef<int64_t> shape = op.getShape();
  int64_t dim = op.getDimension(), size = shape[dim], before = 1, behind = 1;
  for (auto [d, extent] : llvm::enumerate(shape))
    if (static_cast<int64_t>(d) != dim)
      (static_cast<int64_t>(d) < dim ? before : behind) *= extent;
  if (onDevice)
    return isScannedInTiles(op, before, behind) ? 0 : countDeviceBlocks(size, before, behind);
  if (!isLarge(op, Machine()) || before * llvm::divideCeil(behind, kScansOfStrip) >= kManyScans)
    return 0;
  for (int64_t blocks : combinerIsExpensive(op) ? ArrayRef<int64_t>(kBlocksIfExpensive) : ArrayRef<int64_t>(kBlocks))
    if (size % blocks == 0 && size / blocks >= 2 * blocks)
      return blocks;
  return 0;
}

namespace {
/// Rewrites one scan. With `dim` the scanned dimension, tensors of blocks have the number of the block there and the
/// position in it in the next dimension.
class Splitter {
public:
  Splitter(rt::ScanOp op, int64_t blocks)
      : op(op), b(op), loc(op.getLoc()), dim(op.getDimension()), blocks(blocks), blocked(op.getShape()) {
    blocked[dim] /= blocks;
    blocked.insert(blocked.begin() + dim, blocks);
    for (int64_t d = 0; d < static_cast<int64_t>(op.getShape().size()); ++d)
      if (d < dim)
        groups.push_back({d});
      else
        groups.push_back(d == dim ? ReassociationIndices{d, d + 1} : ReassociationIndices{d + 1});
  }
  void run(bool onDevice);

private:
  SmallVector<Value> converted(ValueRange inputs);
  void replace(Value result, Value blocks, bool onDevice);
  Value part(Value tensor, int64_t firstBlock, int64_t blockCount, int64_t first, int64_t count, bool drop);
  SmallVector<Value> total(ValueRange inputs);
  SmallVector<Value> scan(ValueRange inputs, ValueRange initial, int64_t along);
  Value before(Value initial, Value totals);

  rt::ScanOp op;
  OpBuilder b;
  Location loc;
  int64_t dim, blocks;
  SmallVector<int64_t> blocked;
  SmallVector<ReassociationIndices> groups;
  SmallVector<linalg::GenericOp> conversions; // of inputs, null for those that are read as they are
};
} // namespace

/// The positions from `first` on of blocks from `firstBlock` on; of a single position, its dimension is dropped.
Value Splitter::part(Value tensor, int64_t firstBlock, int64_t blockCount, int64_t first, int64_t count, bool drop) {
  SmallVector<OpFoldResult> offsets(blocked.size(), b.getIndexAttr(0)), strides(blocked.size(), b.getIndexAttr(1));
  SmallVector<int64_t> sizes(blocked);
  offsets[dim] = b.getIndexAttr(firstBlock);
  sizes[dim] = blockCount;
  offsets[dim + 1] = b.getIndexAttr(first);
  sizes[dim + 1] = count;
  SmallVector<int64_t> shape(sizes);
  if (drop)
    shape.erase(shape.begin() + dim + 1);
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(tensor.getType()));
  return tensor::ExtractSliceOp::create(b, loc, type, tensor, offsets, getAsIndexOpFoldResult(b.getContext(), sizes),
                                        strides);
}

/// What the combiner leaves any element as it is with; null if that is not known.
static TypedAttr neutralElement(rt::ScanOp op) {
  Block &body = op.getCombiner().front();
  if (body.getNumArguments() != 2 || !llvm::hasSingleElement(body.without_terminator()))
    return {};
  Operation &combined = body.front();
  bool areArguments = llvm::all_of(combined.getOperands(), llvm::IsaPred<BlockArgument>);
  if (combined.getNumOperands() != 2 || combined.getOperand(0) == combined.getOperand(1) || !areArguments ||
      body.getTerminator()->getOperand(0).getDefiningOp() != &combined ||
      isa<arith::MaxNumFOp, arith::MinNumFOp>(combined)) // of NaNs, not even an infinity is neutral
    return {};
  if (isa<arith::AddFOp>(combined)) // a positive zero is not neutral to a negative one
    return FloatAttr::get(combined.getResult(0).getType(), -0.0);
  return arith::getNeutralElement(&combined).value_or(TypedAttr());
}

/// A conversion of all elements of one tensor, which costs less than to have its results in memory.
static linalg::GenericOp asConversion(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1 ||
      !llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }) ||
      !llvm::hasNItems(*generic.getBody(), 2) ||
      !isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp,
           arith::UIToFPOp>(generic.getBody()->front()) ||
      generic.getBody()->front().getOperand(0) != generic.getBody()->getArgument(0))
    return {};
  return generic;
}

/// `conversion` of `input`, which has its elements in another shape.
static Value convert(OpBuilder &b, linalg::GenericOp conversion, Value input) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
  Type element = getElementTypeOrSelf(conversion.getResult(0).getType());
  Value empty = tensor::EmptyOp::create(b, conversion.getLoc(), shape, element);
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(shape.size()));
  SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(b, conversion.getLoc(), empty.getType(), input, empty, maps, iterators,
                                   [&](OpBuilder &body, Location at, ValueRange args) {
                                     IRMapping mapping;
                                     mapping.map(conversion.getBody()->getArgument(0), args[0]);
                                     Operation *inner = body.clone(conversion.getBody()->front(), mapping);
                                     linalg::YieldOp::create(body, at, inner->getResults());
                                   })
      .getResult(0);
}

/// What is computed with, of what is in memory.
SmallVector<Value> Splitter::converted(ValueRange inputs) {
  SmallVector<Value> values;
  for (auto [input, conversion] : llvm::zip_equal(inputs, conversions))
    values.push_back(conversion ? convert(b, conversion, input) : input);
  return values;
}

/// All elements of each block combined, of the blocks that others come after. If nothing else can be there before,
/// their first elements are, and the rest comes then, which in memory begins behind what vectors and sectors begin at.
SmallVector<Value> Splitter::total(ValueRange inputs) {
  int64_t rank = blocked.size(), firstBlock = op.getReverse() ? 1 : 0;
  SmallVector<Value> firsts, rests;
  TypedAttr neutral = neutralElement(op);
  for (Value input : inputs) {
    int64_t from = neutral ? 0 : 1;
    rests.push_back(part(input, firstBlock, blocks - 1, from, blocked[dim + 1] - from, /*drop=*/false));
    if (!neutral) {
      firsts.push_back(part(input, firstBlock, blocks - 1, 0, 1, /*drop=*/true));
      continue;
    }
    SmallVector<int64_t> shape(op.getShape());
    shape[dim] = blocks - 1;
    Value empty = tensor::EmptyOp::create(b, loc, shape, neutral.getType());
    Value value = arith::ConstantOp::create(b, loc, neutral);
    firsts.push_back(linalg::FillOp::create(b, loc, value, empty).getResult(0));
  }
  SmallVector<AffineMap> maps(inputs.size(), b.getMultiDimIdentityMap(rank));
  maps.append(inputs.size(), b.getMultiDimIdentityMap(rank).dropResult(dim + 1));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators[dim + 1] = utils::IteratorType::reduction;
  rests = converted(rests);
  if (!neutral)
    firsts = converted(firsts);
  auto totals = linalg::GenericOp::create(
      b, loc, TypeRange(ValueRange(firsts)), rests, firsts, maps, iterators,
      [&](OpBuilder &body, Location at, ValueRange args) {
        size_t count = inputs.size();
        IRMapping mapping;
        mapping.map(op.getCombiner().getArguments().take_front(count), args.drop_front(count));
        mapping.map(op.getCombiner().getArguments().drop_front(count), args.take_front(count));
        for (Operation &inner : op.getCombiner().front().without_terminator())
          body.clone(inner, mapping);
        SmallVector<Value> results;
        for (Value value : op.getCombiner().front().getTerminator()->getOperands())
          results.push_back(mapping.lookupOrDefault(value));
        linalg::YieldOp::create(body, at, results);
      });
  return SmallVector<Value>(totals.getResults());
}

/// The scan by the same combiner of other tensors.
SmallVector<Value> Splitter::scan(ValueRange inputs, ValueRange initial, int64_t along) {
  SmallVector<Value> outs;
  for (Value input : inputs) {
    auto type = cast<RankedTensorType>(input.getType());
    outs.push_back(tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType()));
  }
  auto result = rt::ScanOp::create(b, loc, TypeRange(inputs), inputs, initial, outs, static_cast<uint64_t>(along),
                                   op.getReverse());
  IRMapping mapping;
  op.getCombiner().cloneInto(&result.getCombiner(), mapping);
  return SmallVector<Value>(result.getResults());
}

/// What comes before each block: the scan of the totals, shifted by one, and `initial` before the first.
Value Splitter::before(Value initial, Value totals) {
  SmallVector<int64_t> shape(op.getShape());
  shape[dim] = blocks;
  Type element = getElementTypeOrSelf(initial.getType());
  Value empty = tensor::EmptyOp::create(b, loc, shape, element);
  AffineMap identity = b.getMultiDimIdentityMap(shape.size());
  SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
  auto shifted = linalg::GenericOp::create(
      b, loc, empty.getType(), initial, empty, ArrayRef<AffineMap>{identity.dropResult(dim), identity}, iterators,
      [&](OpBuilder &body, Location at, ValueRange args) {
        SmallVector<Value> indices;
        for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d)
          indices.push_back(linalg::IndexOp::create(body, at, d));
        Value &block = indices[dim];
        if (!op.getReverse())
          block = arith::SubIOp::create(body, at, block, arith::ConstantIndexOp::create(body, at, 1));
        Value count = arith::ConstantIndexOp::create(body, at, blocks - 1);
        Value follows = arith::CmpIOp::create(body, at, arith::CmpIPredicate::ult, block, count);
        auto choice = scf::IfOp::create(
            body, at, follows,
            [&](OpBuilder &branch, Location) {
              scf::YieldOp::create(branch, at, tensor::ExtractOp::create(branch, at, totals, indices).getResult());
            },
            [&](OpBuilder &branch, Location) { scf::YieldOp::create(branch, at, args[0]); });
        linalg::YieldOp::create(body, at, choice.getResults());
      });
  return shifted.getResult(0);
}

/// Replaces what reads `result` in the shape that it had. A conversion is one of blocks, which their kernel can do.
void Splitter::replace(Value result, Value blocks, bool onDevice) {
  linalg::GenericOp conversion =
      onDevice && result.hasOneUse() ? asConversion(*result.getUsers().begin()) : linalg::GenericOp();
  Value left = conversion ? conversion.getResult(0) : result;
  Value found = conversion ? convert(b, conversion, blocks) : blocks;
  left.replaceAllUsesWith(tensor::CollapseShapeOp::create(b, loc, left.getType(), found, groups));
  if (conversion)
    conversion.erase();
}

void Splitter::run(bool onDevice) {
  // On a device both passes convert what they read, which is nowhere else then.
  SmallVector<Value> inputs, initial;
  for (Value input : op.getInputs()) {
    conversions.push_back(onDevice ? asConversion(input.getDefiningOp()) : linalg::GenericOp());
    if (conversions.back())
      input = conversions.back().getDpsInputOperand(0)->get();
    auto type = RankedTensorType::get(blocked, getElementTypeOrSelf(input.getType()));
    inputs.push_back(tensor::ExpandShapeOp::create(b, loc, type, input, groups));
  }
  SmallVector<Value> totals = scan(total(inputs), op.getInitial(), dim);
  for (auto [first, following] : llvm::zip_equal(op.getInitial(), totals))
    initial.push_back(before(first, following));
  for (auto [result, found] : llvm::zip_equal(op.getResults(), scan(converted(inputs), initial, dim + 1)))
    replace(result, found, onDevice);
  op.erase();
}

namespace {
struct SplitScansPass : public mlir::xla::impl::SplitScansBase<SplitScansPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<rt::ScanOp> ops;
    getOperation().walk([&](rt::ScanOp op) { ops.push_back(op); });
    for (rt::ScanOp op : ops)
      if (int64_t blocks = countBlocks(op, device))
        Splitter(op, blocks).run(device);
  }
};
} // namespace
