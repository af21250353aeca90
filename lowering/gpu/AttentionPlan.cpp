// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of attention: which kernels are of that form, what a plan may say of one, what follows, and which is best.

#include "mlir_xla/lowering/gpu/AttentionPlan.h"
#include "mlir_xla/lowering/GpuMachine.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/kernels/Softmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <numeric>

using namespace mlir;
using namespace mlir::xla;

/// Static shared memory of a block, at most.

//===- The form ---------------------------------------------------------------------------------------------------===//

/// A nest that sums products of one row dimension, one other and one that is reduced.
static std::optional<Product> productOf(const LoopNest &nest) {
  if (nest.isScan() || !nest.stores.empty() || nest.reductions.size() != 1)
    return std::nullopt;
  const Reduction &sum = nest.reductions[0];
  if (sum.inits.size() != 1 || sum.kind != vector::CombiningKind::ADD || !sum.inits[0]->type.isF32())
    return std::nullopt;
  for (ExprNode *product : sum.next[0]->operands)
    if (product->kind == ExprNode::Apply && isa<arith::MulFOp>(product->op))
      return Product{product->operands[0], product->operands[1]};
  return std::nullopt;
}

/// The only place where the nest writes, in scratch memory; null if there are others.
static const Store *onlyStore(const LoopNest &nest, unsigned firstScratch) {
  SmallVector<const Store *> stores;
  for (const Store &store : llvm::concat<const Store>(nest.stores, nest.epilogue))
    stores.push_back(&store);
  for (const Reduction &reduction : nest.reductions)
    for (const std::optional<Store> &store : reduction.stores)
      if (store)
        stores.push_back(&*store);
  return stores.size() == 1 && stores[0]->buffer.slot >= firstScratch ? stores[0] : nullptr;
}

/// Whether `node` reads what `store` has written for the same row and key, if `address` is that of the former in terms
/// of the latter's nest. The row of a block of one is always the same.
static bool reads(ExprNode *node, const Store &store, Address address, unsigned block, bool isOneRow) {
  Address written = store.address;
  if (isOneRow)
    address.dims[block] = written.dims[block] = 0;
  return node->kind == ExprNode::Load && node->buffer.slot == store.buffer.slot && address == written &&
         node->type == store.elementType && node->guards.empty();
}

template <typename Op> static bool isApply(ExprNode *node) {
  return node->kind == ExprNode::Apply && isa<Op>(node->op);
}

/// What `node` widens, or itself.
static ExprNode *withoutWidening(ExprNode *node) { return isApply<arith::ExtFOp>(node) ? node->operands[0] : node; }

static bool isConstant(ExprNode *node, function_ref<bool(const APFloat &)> isRight) {
  auto attr = node->kind == ExprNode::Constant ? dyn_cast<FloatAttr>(node->attr) : FloatAttr();
  return attr && isRight(attr.getValue());
}

/// What the one reduction of the nest combines with what it has; null if it is another one, or not of a row.
static ExprNode *reducedElement(const LoopNest &nest, vector::CombiningKind kind) {
  if (nest.isScan() || nest.reductions.size() != 1 || !nest.epilogue.empty())
    return nullptr;
  const Reduction &reduction = nest.reductions[0];
  if (reduction.inits.size() != 1 || reduction.kind != kind || !reduction.rowScalar || reduction.stores[0])
    return nullptr;
  ArrayRef<ExprNode *> operands = reduction.next[0]->operands;
  return operands[operands[0] == reduction.accumulators[0]];
}

/// Is `node` a multiple of `quotient` by one constant, rounded or not, or a choice between such and zero? It stays one
/// that is finite for an exponential, which is 1 at most, if the constant is no large one.
static bool isMultiple(ExprNode *node, ExprNode *quotient, bool isScaled = false) {
  auto depends = [&](ExprNode *other) {
    llvm::SetVector<ExprNode *> nodes;
    collectNodes(other, nodes);
    return nodes.contains(quotient);
  };
  if (node == quotient)
    return true;
  if (isApply<arith::ExtFOp>(node) || isApply<arith::TruncFOp>(node))
    return isMultiple(node->operands[0], quotient, isScaled);
  auto isFactor = [&](ExprNode *factor, bool isDivisor) {
    return !isScaled && isConstant(withoutWidening(factor),
                                   [&](const APFloat &value) { return isFactorOfWeights(value, isDivisor); });
  };
  if (isApply<arith::MulFOp>(node))
    for (unsigned side : {0u, 1u})
      if (isFactor(node->operands[1 - side], /*isDivisor=*/false))
        return isMultiple(node->operands[side], quotient, /*isScaled=*/true);
  if (isApply<arith::DivFOp>(node))
    return isFactor(node->operands[1], /*isDivisor=*/true) &&
           isMultiple(node->operands[0], quotient, /*isScaled=*/true);
  if (node->kind != ExprNode::Select && !isApply<arith::SelectOp>(node))
    return false;
  return !depends(node->operands[0]) && llvm::all_of(ArrayRef(node->operands).drop_front(), [&](ExprNode *side) {
    return isConstant(side, [](const APFloat &v) { return v.isZero(); }) || isMultiple(side, quotient, isScaled);
  });
}

FailureOr<Attention> Attention::match(KernelNests &nests, function_ref<InFlightDiagnostic()> emitError) {
  constexpr size_t count = 5; // scores, maximum, exponentials with their sum, quotients, values
  unsigned block = nests.rows.size();
  auto refuse = [&](const Twine &why) -> LogicalResult {
    return emitError() << "attention is scores of blocks of rows, their softmax and its product with values; " << why;
  };
  if (!nests.block || nests.nests.size() != count)
    return refuse("the kernel has " + Twine(nests.nests.size()) + " nests");
  unsigned firstScratch = nests.resultSlots.empty() ? 0 : nests.resultSlots.back() + 1;
  auto reads = [&](ExprNode *node, const Store &store) {
    return node->kind == ExprNode::Load && ::reads(node, store, node->address, block, nests.block == 1);
  };
  Attention found;
  found.block = block;
  found.scores = &nests.nests[0];
  found.maximum = &nests.nests[1];
  found.sum = &nests.nests[2];
  found.values = &nests.nests[4];
  LoopNest &quotients = nests.nests[3];
  found.quotients = &quotients;
  unsigned other = block + 1, reduced = block + 2;
  for (LoopNest *nest : {found.scores, found.values})
    if (nest->sizes.size() != reduced + 1 || nest->rows.test(block) || nest->reduced.test(other) ||
        !nest->reduced.test(reduced))
      return refuse("its contractions have other dimensions than a row, a key or column, and one that is summed up");

  std::optional<Product> scores = productOf(*found.scores), values = productOf(*found.values);
  if (!scores || !values)
    return refuse("the first nest and the last do not sum up products of f32");
  auto ofRows = [&](ExprNode *node) { return node->deps.test(block) || node->deps.test(block - 1); };
  found.q = scores->left;
  found.k = scores->right;
  if (found.q->deps.test(other))
    std::swap(found.q, found.k);
  if (found.q->deps.test(other) || !found.q->deps.test(reduced) || !found.k->deps.test(reduced) ||
      (nests.block > 1 && (!ofRows(found.q) || ofRows(found.k))))
    return refuse("one factor of the scores must depend on the row and not on the key, the other not on the row, "
                  "unless blocks are of one");

  const Store *score = onlyStore(*found.scores, firstScratch);
  if (!score)
    return refuse("scores are written elsewhere");
  found.score = score->value;
  ExprNode *element = reducedElement(*found.maximum, vector::CombiningKind::MAXIMUMF);
  if (!element || !found.maximum->stores.empty() || !reads(withoutWidening(element), *score) ||
      !isConstant(found.maximum->reductions[0].inits[0],
                  [](const APFloat &v) { return v.isInfinity() && v.isNegative(); }))
    return refuse("the second nest is not the maximum of each row of scores");
  found.exponential = reducedElement(*found.sum, vector::CombiningKind::ADD);
  if (!found.exponential || !isApply<math::ExpOp>(found.exponential) ||
      !isApply<arith::SubFOp>(found.exponential->operands[0]) ||
      !isConstant(found.sum->reductions[0].inits[0], [](const APFloat &v) { return v.isZero(); }))
    return refuse("the third nest is not the sum of exponentials");
  found.shifted = found.exponential->operands[0]->operands[0];
  found.shift = found.exponential->operands[0]->operands[1];
  const Store *exponential = onlyStore(*found.sum, firstScratch);
  if (!reads(withoutWidening(found.shifted), *score) || found.shift != found.maximum->reductions[0].results[0] ||
      !exponential || exponential->value != found.exponential)
    return refuse("the exponentials are not those of scores less their maximum");

  const Store *quotient = onlyStore(quotients, firstScratch);
  ExprNode *value = nullptr;
  if (quotient && quotients.reductions.empty())
    for (ExprNode *node : quotients.nodes())
      if (isApply<arith::DivFOp>(node) && reads(node->operands[0], *exponential) &&
          node->operands[1] == found.sum->reductions[0].results[0])
        value = node;
  if (!value || !isMultiple(quotient->value, value))
    return refuse("the fourth nest does not divide exponentials by their sum");
  found.quotient = value;
  if (value != quotient->value && !(isApply<arith::TruncFOp>(quotient->value) && quotient->value->operands[0] == value))
    found.weight = quotient->value;

  auto isQuotient = [&](ExprNode *node) {
    node = withoutWidening(node);
    if (node->kind != ExprNode::Load)
      return false;
    Address address = node->address;
    std::swap(address.dims[other], address.dims[reduced]);
    return ::reads(node, *quotient, address, block, nests.block == 1);
  };
  found.p = values->left;
  found.v = values->right;
  if (!isQuotient(found.p))
    std::swap(found.p, found.v);
  if (!isQuotient(found.p) || (nests.block > 1 && ofRows(found.v)) || !found.v->deps.test(reduced))
    return refuse("the last nest does not multiply quotients with values");
  found.hasOwnKeys = ofRows(found.k) || ofRows(found.v);
  // What may hold a running value is not read otherwise.
  auto isKnown = [&](const LoopNest &nest, ExprNode *node) {
    return node == withoutWidening(element) || node == withoutWidening(found.shifted) || node == value->operands[0] ||
           node == withoutWidening(found.p) || llvm::any_of(nest.reductions, [&](const Reduction &reduction) {
             return reduction.partial && reduction.partial->value == node;
           });
  };
  for (LoopNest &nest : nests.nests)
    for (ExprNode *node : nest.nodes())
      if (node->kind == ExprNode::Load && node->buffer.slot >= firstScratch && !isKnown(nest, node))
        return refuse("its nests read more of each other");
  for (LoopNest *nest : {found.maximum, found.sum, &quotients})
    if (nest->sizes[other] != found.scores->sizes[other])
      return refuse("its rows have other sizes than the scores");
  if (found.values->sizes[reduced] != found.scores->sizes[other])
    return refuse("its rows have other sizes than the scores");
  return found;
}

//===- Plans ------------------------------------------------------------------------------------------------------===//

int64_t AttentionPanel::bytes() const {
  return tile.elementBytes ? tile.bytes() : llvm::alignTo(rows * pitch * elementStorageBytes(type), 16);
}

static AttentionPanel panelOf(const LoopNest &nest, ExprNode *factor, unsigned row, unsigned along, int64_t rows) {
  AttentionPanel panel;
  panel.factor = factor;
  panel.type = factor->type;
  panel.row = row;
  panel.along = along;
  panel.rows = rows;
  panel.columns = nest.sizes[along];
  panel.inner = llvm::alignTo(panel.columns, AttentionPlan::kGroup);
  llvm::SetVector<ExprNode *> nodes;
  collectNodes(factor, nodes);
  panel.lanes = lanesAlong(nest, nodes.getArrayRef(), along, AttentionPlan::kGroup);
  panel.byRows = !readsAlong(nodes.getArrayRef(), along) && readsAlong(nodes.getArrayRef(), row);
  panel.async = factor->kind == ExprNode::Load && panel.lanes == AttentionPlan::kGroup;
  return panel;
}

/// For tensor cores, rows of neighbours in pieces of 16 bytes: those that are neighbours in global memory, if these are
/// keys or `along`. What is `used` of a tile is brought.
static AttentionPanel tensorPanelOf(const LoopNest &nest, ExprNode *factor, unsigned row, unsigned along, int64_t rows,
                                    int64_t used, int64_t tile, bool mayTurn, bool isAlongK) {
  AttentionPanel panel;
  panel.factor = factor;
  panel.type = factor->type;
  llvm::SetVector<ExprNode *> nodes;
  collectNodes(factor, nodes);
  bool isTurned = !readsAlong(nodes.getArrayRef(), along) && readsAlong(nodes.getArrayRef(), row);
  panel.ofKeys = mayTurn && isTurned;
  panel.byRows = isTurned && !mayTurn;
  panel.row = panel.ofKeys ? along : row;
  panel.along = panel.ofKeys ? row : along;
  panel.rows = panel.ofKeys ? used : rows;
  panel.inner = panel.ofKeys ? rows : used;
  panel.columns = nest.sizes[panel.along];
  BlockPanel &shape = panel.tile;
  shape.type = panel.type;
  shape.elementBytes = elementStorageBytes(panel.type);
  shape.alongK = isAlongK != panel.ofKeys;
  shape.swizzled = true;
  shape.inner = panel.ofKeys ? rows : tile;
  shape.outer = panel.ofKeys ? tile : rows;
  panel.lanes = lanesAlong(nest, nodes.getArrayRef(), panel.along, shape.piece());
  panel.async = factor->kind == ExprNode::Load && panel.lanes == shape.piece();
  return panel;
}

/// Tiles are powers of two, of 8 or more.
static int64_t wholeTile(int64_t size, int64_t least = 8) { return std::max<int64_t>(least, llvm::PowerOf2Ceil(size)); }
/// Rows and columns of matrices of 16 bits that tensor cores multiply.
static constexpr int64_t kMatrix = 16;

bool Attention::hasTensorFactors() const {
  auto are16Bits = [](const LoopNest &nest, ExprNode *left, ExprNode *right) {
    const Reduction &sum = nest.reductions[0];
    return areTensorFactors(sum, left, right) && elementStorageBytes(tensorFactor(sum, left)->type) == 2;
  };
  return are16Bits(*scores, q, k) && are16Bits(*values, p, v);
}

ArrayAttr AttentionPlan::toAttr(MLIRContext *context, const KernelNests &nests, const Attention &attention) const {
  unsigned block = attention.block;
  SmallVector<int64_t> work(block);
  std::iota(work.begin(), work.end(), 0);
  auto blocksOf = [&](const LoopNest &nest, int64_t n, int64_t k, int64_t columns) {
    return BlocksAttr::get(context, nest.sizes, {block}, rows, {block + 1}, n, {block + 2}, k, rowsOfThread, columns,
                           instruction, stages, /*cluster=*/1, /*split=*/1, work);
  };
  SmallVector<Attribute> plans;
  for (const LoopNest &nest : nests.nests) {
    if (&nest == attention.scores) {
      plans.push_back(blocksOf(nest, keys, wholeTile(nest.sizes[block + 2], isMma() ? kMatrix : 8), keysOfThread));
    } else if (&nest == attention.values && isMma()) {
      int64_t columns = wholeTile(nest.sizes[block + 1], kMatrix);
      plans.push_back(blocksOf(nest, columns, keys, columns));
    } else if (&nest == attention.values) {
      int64_t threadColumns = keys / keysOfThread,
              columns = std::max(wholeTile(nest.sizes[block + 1]), threadColumns * kGroup);
      plans.push_back(blocksOf(nest, columns, keys, columns / threadColumns));
    } else {
      NestPlan plan;
      (nest.isReductionLoop(block + 1) ? plan.reductionLoops : plan.loops).push_back(block + 1);
      plan.derive(nest);
      plans.push_back(plan.toAttr(context, nest));
    }
  }
  return ArrayAttr::get(context, plans);
}

AttentionPlan AttentionPlan::fromAttr(ArrayAttr attr, const Attention &attention) {
  auto first = cast<BlocksAttr>(attr[0]), last = cast<BlocksAttr>(attr[attr.size() - 1]);
  AttentionPlan plan;
  plan.rows = first.getMTile();
  plan.keys = first.getNTile();
  plan.rowsOfThread = first.getRows();
  plan.keysOfThread = first.getColumns();
  plan.instruction = first.getInstruction();
  plan.stages = first.getStages();
  plan.threads = first.getThreads();
  unsigned block = attention.block, other = block + 1, reduced = block + 2;
  const LoopNest &scores = *attention.scores, &values = *attention.values;

  int64_t size = scores.sizes[block - 1], batches = 1;
  for (unsigned dim = 0; dim + 1 < block; ++dim)
    batches *= scores.sizes[dim];
  plan.rowTiles = llvm::divideCeil(size, plan.rows);
  plan.keyTiles = llvm::divideCeil(scores.sizes[other], plan.keys);
  plan.grid = plan.rowTiles * batches;
  plan.lanes = lanesOfResults(values, other);
  if (plan.isMma()) {
    plan.layOutTensors(attention, first.getKTile(), last.getNTile());
    return plan;
  }

  plan.threadColumns = plan.keys / plan.keysOfThread;
  // Rows are an odd number of groups apart: threads read several at the same place, in different banks then.
  constexpr int64_t padding = kGroup;
  plan.q = panelOf(scores, attention.q, block, reduced, plan.rows);
  plan.k = panelOf(scores, attention.k, other, reduced, plan.keys);
  plan.q.pitch = plan.k.pitch = plan.q.inner + (plan.q.inner / kGroup % 2 ? 0 : padding);
  plan.v = panelOf(values, attention.v, reduced, other, plan.keys);
  plan.v.inner = plan.v.pitch = last.getNTile();
  plan.columnsOfThread = last.getColumns();
  plan.p.type = attention.exponential->type;
  plan.p.rows = plan.rows;
  // What threads of several rows write is in different banks.
  int64_t apart = std::max(plan.threadColumns, kGroup);
  plan.p.pitch = plan.keys;
  while (apart < GpuMachine::warp && plan.p.pitch / apart % 2 == 0)
    plan.p.pitch += apart;
  plan.k.offset = plan.q.bytes();
  plan.v.offset = plan.k.offset + plan.k.bytes();
  plan.p.offset = plan.v.offset + plan.v.bytes();
  plan.sharedBytes = plan.p.offset + plan.p.bytes();
  return plan;
}

/// Rows are in shared memory, and behind them the stages: keys and values. At the end, results are in their place.
void AttentionPlan::layOutTensors(const Attention &attention, int64_t stepTile, int64_t columnTile) {
  unsigned block = attention.block, other = block + 1, reduced = block + 2;
  const LoopNest &scoreNest = *attention.scores, &valueNest = *attention.values;
  auto narrow = [](const LoopNest &nest, ExprNode *factor) { return tensorFactor(nest.reductions[0], factor); };
  steps = llvm::alignTo(scoreNest.sizes[reduced], kMatrix);
  columns = llvm::alignTo(valueNest.sizes[other], kMatrix);
  q = tensorPanelOf(scoreNest, narrow(scoreNest, attention.q), block, reduced, rows, steps, stepTile,
                    /*mayTurn=*/false, /*isAlongK=*/true);
  k = tensorPanelOf(scoreNest, narrow(scoreNest, attention.k), other, reduced, keys, steps, stepTile, /*mayTurn=*/true,
                    /*isAlongK=*/true);
  v = tensorPanelOf(valueNest, narrow(valueNest, attention.v), reduced, other, keys, columns, columnTile,
                    /*mayTurn=*/true, /*isAlongK=*/false);
  k.offset = q.bytes();
  v.offset = k.offset + k.bytes();
  threadColumns = 4; // that have a row of an accumulator
  columnsOfThread = columns;
  constexpr int64_t padding = 8; // pairs of four rows are in different banks
  resultPitch = columns + padding;
  int64_t resultBytes = rows * resultPitch * 4;
  sharedBytes = std::max(q.bytes() + stages * stageBytes(), resultBytes);
  constexpr int64_t mostOfRows = 32; // registers of a thread
  keepsRows = rowsOfThread * steps / 2 / BlocksAttr::kWarp <= mostOfRows;
  // Nobody has met the others behind the rows, if those are kept and there is one tile.
  isLastTileThere = !keepsRows || keyTiles == 1 || q.bytes() + (keyTiles - 1) % stages * stageBytes() < resultBytes;
}

/// The tiles of a contraction, whose dimensions are known.
static LogicalResult checkContraction(const LoopNest &nest, unsigned block, BlocksAttr attr,
                                      function_ref<InFlightDiagnostic()> emitError) {
  if (failed(checkSizes(nest, attr.getSizes(), emitError)))
    return failure();
  SmallVector<int64_t> work(block);
  std::iota(work.begin(), work.end(), 0);
  int64_t m = block, n = block + 1, k = block + 2;
  if (attr.getMDims() != ArrayRef(m) || attr.getNDims() != ArrayRef(n) || attr.getKDims() != ArrayRef(k) ||
      attr.getWork() != ArrayRef<int64_t>(work))
    return emitError() << "attention has tiles of m d" << m << ", n d" << n << " and k d" << k
                       << ", and the rows as work";
  if (attr.getSplit() != 1)
    return emitError() << "attention has no split";
  return success();
}

LogicalResult mlir::xla::checkAttention(KernelNests &nests, ArrayAttr attr,
                                        function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<Attention> attention = Attention::match(nests, emitError);
  if (failed(attention))
    return failure();
  if (attention->hasOwnKeys)
    return emitError() << "each row has keys of its own, which blocks of several rows do not share";
  if (attr.size() != nests.nests.size())
    return emitError() << "there are " << attr.size() << " plans, and the kernel has " << nests.nests.size()
                       << " loop nests";
  unsigned block = attention->block;
  for (auto [plan, nest] : llvm::zip_equal(attr, nests.nests)) {
    bool isContraction = &nest == attention->scores || &nest == attention->values;
    if (isContraction ? !isa<BlocksAttr>(plan) : !isa<NestAttr>(plan))
      return emitError() << "attention has blocks for both contractions, and loops for the nests between them";
    if (failed(isContraction ? checkContraction(nest, block, cast<BlocksAttr>(plan), emitError)
                             : checkPlan(nest, cast<NestAttr>(plan), emitError)))
      return failure();
  }
  auto first = cast<BlocksAttr>(attr[0]), last = cast<BlocksAttr>(attr[attr.size() - 1]);
  if (first.getMTile() != last.getMTile() || first.getNTile() != last.getKTile() || first.getRows() != last.getRows() ||
      first.getThreads() != last.getThreads() || first.getInstruction() != last.getInstruction() ||
      first.getStages() != last.getStages())
    return emitError() << "both contractions have the same rows, keys, threads and stages";
  if (first.getKTile() < attention->scores->sizes[block + 2] || last.getNTile() < attention->values->sizes[block + 1])
    return emitError() << "a block has all steps of a score, and all columns";
  bool isMma = first.getInstruction() == BlockInstruction::Mma;
  if (first.getInstruction() == BlockInstruction::Wgmma)
    return emitError() << "warpgroups do not do attention";
  if (isMma && !attention->hasTensorFactors())
    return emitError() << "tensor cores multiply bf16 or f16 that is widened to f32: queries with keys, and quotients "
                          "that are rounded to it with values";
  if (isMma && (first.getColumns() != first.getNTile() || last.getColumns() != last.getNTile()))
    return emitError() << "a warp has all keys and all columns of its rows";
  if (isMma && (first.getKTile() < kMatrix || last.getKTile() < kMatrix))
    return emitError() << "tensor cores multiply " << kMatrix << " steps and " << kMatrix << " keys at a time";
  if (!isMma && first.getNTile() / first.getColumns() > BlocksAttr::kWarp)
    return emitError() << first.getNTile() / first.getColumns() << " threads of a row are more than a warp has";
  if (!isMma && last.getColumns() % AttentionPlan::kGroup)
    return emitError() << "a thread has " << last.getColumns() << " columns, no groups of " << AttentionPlan::kGroup;
  AttentionPlan plan = AttentionPlan::fromAttr(attr, *attention);
  constexpr int64_t mostSums = 128;
  int64_t sums = plan.rowsOfThread * (plan.keysOfThread + plan.columnsOfThread) / (isMma ? BlocksAttr::kWarp : 1);
  if (sums > mostSums)
    return emitError() << "a thread has " << sums << " scores and sums in registers; there are at most " << mostSums;
  if (!llvm::isInt<31>(plan.grid))
    return emitError() << plan.grid << " blocks are more than a launch has";
  for (const LoopNest &nest : nests.nests)
    for (int64_t size : nest.sizes)
      if (!llvm::isInt<30>(size))
        return emitError() << size << " iterations of a dimension are more than 30 bits hold";
  if (plan.sharedBytes > GpuMachine::staticSharedBytes)
    return emitError() << "a block needs " << plan.sharedBytes << " bytes of shared memory, and has at most "
                       << GpuMachine::staticSharedBytes;
  return success();
}

//===- The planner ------------------------------------------------------------------------------------------------===//

namespace {
/// A tile, and, with threads, roughly the part of peak speed that it reaches.
struct Shape {
  int64_t rows, keys, rowsOfThread, keysOfThread;
  double efficiency;
};
} // namespace

static double timeOfThreads(const AttentionPlan &plan, double efficiency) {
  return static_cast<double>(llvm::divideCeil(plan.grid, GpuMachine::multiprocessors) * plan.rows) / efficiency;
}

/// Clocks of a multiprocessor. What tensor cores multiply, what is read of shared memory, and what is computed of
/// scores goes on at the same time as far as there are several warps for a scheduler; a tile takes its time.
static double timeOfWarps(const AttentionPlan &plan) {
  constexpr int64_t otherRegisters = 110;
  constexpr double products = 1300, bytes = GpuMachine::sharedRate, instructions = 10 / GpuMachine::issue,
                   exponentials = 1.0 / 16, schedulers = GpuMachine::schedulers;
  constexpr double latency = 600; // of a tile: from one barrier to the next
  int64_t ofOne = llvm::divideCeil(plan.grid, GpuMachine::multiprocessors);
  int64_t sums = plan.rowsOfThread * (plan.keys + plan.columns) / BlocksAttr::kWarp;
  int64_t resident = std::min({GpuMachine::blocks, GpuMachine::registers / ((sums + otherRegisters) * plan.threads),
                               GpuMachine::sharedBytes / plan.sharedBytes});
  resident = std::clamp<int64_t>(ofOne, 1, std::max<int64_t>(1, resident));
  auto width = static_cast<double>(plan.steps + plan.columns);
  double tensor = width / products;
  double shared = width * (4 / static_cast<double>(plan.rows) + 2 / static_cast<double>(plan.rowsOfThread)) / bytes;
  double softmax = instructions + exponentials;
  double longest = std::max({tensor, shared, softmax});
  double together = std::max(1.0, static_cast<double>(resident * plan.warps()) / schedulers);
  double score = longest + (tensor + shared + softmax - longest) / together;
  auto tiles = static_cast<double>(plan.keyTiles), blocks = static_cast<double>(ofOne);
  return std::max(blocks * tiles * static_cast<double>(plan.rows * plan.keys) * score,
                  blocks / static_cast<double>(resident) * tiles * latency);
}

/// What all multiprocessors take the least time for: few blocks leave some without work, and those of few rows read
/// keys and values often.
ArrayAttr mlir::xla::planAttention(KernelNests &nests, MLIRContext *context) {
  static constexpr Shape ofThreads[] = {{64, 32, 4, 4, 0.7}, {64, 16, 4, 2, 0.6},  {32, 32, 4, 4, 0.5},
                                        {32, 16, 4, 2, 0.4}, {16, 64, 2, 4, 0.35}, {16, 32, 2, 4, 0.3},
                                        {16, 16, 2, 2, 0.2}};
  static constexpr Shape ofWarps[] = {{128, 64, 32, 64, 1}, {128, 64, 16, 64, 1}, {128, 32, 16, 32, 1},
                                      {64, 64, 16, 64, 1},  {64, 32, 16, 32, 1},  {32, 64, 16, 64, 1},
                                      {32, 32, 16, 32, 1},  {16, 64, 16, 64, 1},  {16, 32, 16, 32, 1}};
  FailureOr<Attention> attention = failure();
  if (!passes(context, [&](auto emitError) { return LogicalResult(attention = Attention::match(nests, emitError)); }))
    return {};
  constexpr int64_t most = 512; // that a tile has
  unsigned block = attention->block;
  if (attention->scores->sizes[block + 2] > most || attention->values->sizes[block + 1] > most)
    return {};
  auto bestOf = [&](ArrayRef<Shape> shapes, BlockInstruction instruction) {
    ArrayAttr best;
    double least = 0;
    for (const Shape &shape : shapes) {
      AttentionPlan plan;
      plan.rows = shape.rows;
      plan.keys = shape.keys;
      plan.rowsOfThread = shape.rowsOfThread;
      plan.keysOfThread = shape.keysOfThread;
      plan.instruction = instruction;
      ArrayAttr attr = plan.toAttr(context, nests, *attention);
      if (!passes(context, [&](auto emitError) { return checkAttention(nests, attr, emitError); }))
        continue;
      plan = AttentionPlan::fromAttr(attr, *attention);
      double time = plan.isMma() ? timeOfWarps(plan) : timeOfThreads(plan, shape.efficiency);
      if (best && time >= least)
        continue;
      best = attr;
      least = time;
    }
    return best;
  };
  if (attention->hasTensorFactors())
    if (ArrayAttr best = bestOf(ofWarps, BlockInstruction::Mma))
      return best;
  return bestOf(ofThreads, BlockInstruction::Scalar);
}
