// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of attention of few rows: what a plan may say of one, what follows, and which is best.

#include "mlir_xla/lowering/gpu/StreamPlan.h"
#include "mlir_xla/lowering/GpuMachine.h"

#include "mlir_xla/lowering/Storage.h"

using namespace mlir;
using namespace mlir::xla;

/// Registers of a thread for what it multiplies and sums up, at most; others.
static constexpr int64_t kRegisters = 168, kOtherRegisters = 48;
/// Of an f32. No `kFloat`, which is a class of elements in the namespace that member functions look into first.
static constexpr int64_t kFloatBytes = 4;

//===- What follows -----------------------------------------------------------------------------------------------===//

static StreamPieces piecesOf(const LoopNest &nest, unsigned dim, int64_t lanes, int64_t group) {
  StreamPieces pieces;
  pieces.dim = dim;
  pieces.size = nest.sizes[dim];
  pieces.lanes = lanes;
  pieces.count = llvm::divideCeil(pieces.size, lanes * group);
  pieces.elements = pieces.count * lanes;
  pieces.padded = pieces.elements * group;
  pieces.isPartial = pieces.padded != pieces.size;
  return pieces;
}

/// Queries and what is summed up of values for each row, keys and values on their way, and scores.
int64_t StreamPlan::registers() const {
  return rows * (steps.elements + columns.elements) + keys * (steps.elements + columns.elements) + rows * keys;
}

ArrayAttr StreamPlan::toAttr(MLIRContext *context, const KernelNests &nests, const Attention &attention) const {
  unsigned block = attention.block, other = block + 1, reduced = block + 2;
  SmallVector<Attribute> plans;
  for (const LoopNest &nest : nests.nests) {
    if (&nest == attention.scores) {
      plans.push_back(
          StreamAttr::get(context, nest.sizes, block, rows, other, keys, reduced, stepLanes, group, threads, split));
    } else if (&nest == attention.values) {
      plans.push_back(
          StreamAttr::get(context, nest.sizes, block, rows, reduced, keys, other, columnLanes, group, threads, split));
    } else {
      NestPlan plan;
      (nest.isReductionLoop(other) ? plan.reductionLoops : plan.loops).push_back(other);
      plan.derive(nest);
      plans.push_back(plan.toAttr(context, nest));
    }
  }
  return ArrayAttr::get(context, plans);
}

StreamPlan StreamPlan::fromAttr(ArrayAttr attr, const Attention &attention) {
  auto first = cast<StreamAttr>(attr[0]), last = cast<StreamAttr>(attr[attr.size() - 1]);
  StreamPlan plan;
  plan.rows = first.getRows();
  plan.keys = first.getKeys();
  plan.stepLanes = first.getLanes();
  plan.columnLanes = last.getLanes();
  plan.group = first.getGroup();
  plan.threads = first.getThreads();
  plan.split = first.getSplit();
  plan.derive(attention);
  plan.lanes = lanesOfResults(*attention.values, attention.block + 1);
  return plan;
}

void StreamPlan::derive(const Attention &attention) {
  unsigned block = attention.block, other = block + 1, reduced = block + 2;
  steps = piecesOf(*attention.scores, reduced, stepLanes, group);
  columns = piecesOf(*attention.values, other, columnLanes, group);
  ArrayRef<int64_t> sizes = attention.scores->sizes;
  numRows = sizes[block - 1];
  numKeys = sizes[other];
  batches = 1;
  for (unsigned dim = 0; dim + 1 < block; ++dim)
    batches *= sizes[dim];
  rowTiles = llvm::divideCeil(numRows, rows);
  tiles = llvm::divideCeil(numKeys, tileKeys());
  splitTiles = llvm::divideCeil(tiles, split);
  grid = batches * rowTiles * split;
  // Of each warp, sums of values, maxima and sums.
  sharedBytes = warps() * rows * (columns.padded + 2) * kFloatBytes;
  // Sums of values are aligned for accesses of 16 bytes.
  int64_t ofRows = split * batches * numRows;
  scratchBytes = split > 1 ? (llvm::alignTo(2 * ofRows, 4) + ofRows * columns.size) * kFloatBytes : 0;
}

//===- Rules ------------------------------------------------------------------------------------------------------===//

/// Bytes of the largest elements of memory that `factors` are computed of.
static int64_t bytesOf(ArrayRef<ExprNode *> factors) {
  llvm::SetVector<ExprNode *> nodes;
  for (ExprNode *factor : factors)
    collectNodes(factor, nodes);
  int64_t bytes = 1;
  for (ExprNode *node : nodes)
    if (node->kind == ExprNode::Load)
      bytes = std::max(bytes, elementStorageBytes(node->type));
  return bytes;
}

/// Neighbours of `factors` that are an access, at most.
static int64_t mostLanes(const LoopNest &nest, ArrayRef<ExprNode *> factors, unsigned dim) {
  constexpr int64_t access = GpuMachine::access;
  llvm::SetVector<ExprNode *> nodes;
  for (ExprNode *factor : factors)
    collectNodes(factor, nodes);
  return lanesAlong(nest, nodes.getArrayRef(), dim, access / bytesOf(factors));
}

LogicalResult StreamPlan::check(const Attention &attention, function_ref<InFlightDiagnostic()> emitError) const {
  if (attention.hasOwnKeys && rows != 1)
    return emitError() << "each row has keys of its own, and a block " << rows << " rows";
  if (int64_t most = std::min(kRegisters, GpuMachine::registersOfThread(threads) - kOtherRegisters); registers() > most)
    return emitError() << "a thread has " << registers() << " queries, keys, values, scores and sums in registers; "
                       << "there are at most " << most << " in a block of " << threads;
  if ((split - 1) * splitTiles >= tiles)
    return emitError() << "of " << split << " parts some have no keys: there are " << tiles << " tiles of "
                       << tileKeys();
  if (!llvm::isInt<31>(grid))
    return emitError() << grid << " blocks are more than a launch has";
  if (sharedBytes > GpuMachine::staticSharedBytes)
    return emitError() << "a block needs " << sharedBytes << " bytes of shared memory, and has at most "
                       << GpuMachine::staticSharedBytes;
  return success();
}

LogicalResult mlir::xla::checkStream(KernelNests &nests, ArrayAttr attr, function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<Attention> attention = Attention::match(nests, emitError);
  if (failed(attention))
    return failure();
  if (attention->weight)
    return emitError() << "streamed keys have quotients as weights, and nothing is computed of these";
  if (attr.size() != nests.nests.size())
    return emitError() << "there are " << attr.size() << " plans, and the kernel has " << nests.nests.size()
                       << " loop nests";
  unsigned block = attention->block, other = block + 1, reduced = block + 2;
  for (auto [plan, nest] : llvm::zip_equal(attr, nests.nests)) {
    bool isContraction = &nest == attention->scores || &nest == attention->values;
    if (isContraction ? !isa<StreamAttr>(plan) : !isa<NestAttr>(plan))
      return emitError() << "keys are streamed in both contractions, and there are loops for the nests between them";
    if (!isContraction) {
      if (failed(checkPlan(nest, cast<NestAttr>(plan), emitError)))
        return failure();
      continue;
    }
    auto stream = cast<StreamAttr>(plan);
    if (failed(checkSizes(nest, stream.getSizes(), emitError)))
      return failure();
    bool isScores = &nest == attention->scores;
    int64_t keys = isScores ? other : reduced, lanes = isScores ? reduced : other;
    if (stream.getRowDim() != static_cast<int64_t>(block) || stream.getKeyDim() != keys || stream.getLaneDim() != lanes)
      return emitError() << "this nest has rows d" << block << ", keys d" << keys << " and lanes d" << lanes;
    int64_t most =
        isScores ? mostLanes(nest, {attention->q, attention->k}, lanes) : mostLanes(nest, attention->v, lanes);
    if (stream.getLanes() > most)
      return emitError() << "a thread reads " << stream.getLanes() << " neighbours of d" << lanes << ", and those of "
                         << most << " are an aligned access";
  }
  auto first = cast<StreamAttr>(attr[0]), last = cast<StreamAttr>(attr[attr.size() - 1]);
  if (first.getRows() != last.getRows() || first.getKeys() != last.getKeys() || first.getGroup() != last.getGroup() ||
      first.getThreads() != last.getThreads() || first.getSplit() != last.getSplit())
    return emitError() << "both contractions have the same rows, keys, groups, threads and parts";
  for (const LoopNest &nest : nests.nests)
    for (int64_t size : nest.sizes)
      if (size == 0 || !llvm::isInt<30>(size))
        return emitError() << size << " iterations of a dimension; there are some, and 30 bits hold them";
  return StreamPlan::fromAttr(attr, *attention).check(*attention, emitError);
}

//===- The planner ------------------------------------------------------------------------------------------------===//

/// Seconds on an H100, roughly: what a block reads is on its way while others compute; its beginning and its end are
/// not, and with parts there is a second launch.
static double timeOf(const StreamPlan &plan, int64_t bytesOfKey) {
  constexpr double multiprocessors = GpuMachine::multiprocessors,
                   bandwidth = GpuMachine::memoryRate * GpuMachine::clock;
  constexpr double latency = 700e-9, ends = 3e-6, threadsOfSm = 1024, asked = 32e3;
  auto keys = static_cast<double>(plan.splitTiles * plan.tileKeys());
  auto registers = static_cast<double>(plan.registers() + kOtherRegisters);
  double resident = std::clamp(GpuMachine::registers / (registers * static_cast<double>(plan.threads)), 1.0,
                               threadsOfSm / static_cast<double>(plan.threads));
  double rounds = static_cast<double>(plan.grid) / multiprocessors;
  // So many blocks of a multiprocessor at a time, and so many times.
  double together = std::min(std::ceil(rounds), std::floor(resident));
  double times = std::ceil(rounds / together);
  double bytes = keys * static_cast<double>(bytesOfKey);
  double underWay = std::min(asked, together * static_cast<double>(plan.tileKeys() * bytesOfKey));
  double read = together * bytes / std::min(bandwidth, underWay / latency);
  constexpr double ofScore = 40; // instructions besides products
  auto group = static_cast<double>(plan.group);
  double ofKey = static_cast<double>(plan.rows) *
                 (group * static_cast<double>(plan.steps.elements + plan.columns.elements) + 2 * group + ofScore);
  double compute = together * keys * ofKey / (GpuMachine::issue * GpuMachine::clock);
  double time = times * (std::max(read, compute) + ends);
  if (plan.split > 1)
    time += GpuMachine::launchTime + static_cast<double>(plan.scratchBytes) * 2 / (bandwidth * multiprocessors) +
            static_cast<double>(plan.split) * 10e-9;
  return time;
}

ArrayAttr mlir::xla::planStream(KernelNests &nests, MLIRContext *context) {
  constexpr int64_t mostRows = 16;
  FailureOr<Attention> attention = failure();
  if (!passes(context, [&](auto emitError) { return LogicalResult(attention = Attention::match(nests, emitError)); }) ||
      attention->weight)
    return {};
  unsigned block = attention->block, other = block + 1, reduced = block + 2;
  const LoopNest &scores = *attention->scores, &values = *attention->values;
  int64_t rows = attention->hasOwnKeys ? 1 : scores.sizes[block - 1];
  if (rows > mostRows)
    return {};
  int64_t stepBytes = bytesOf(attention->k), columnBytes = bytesOf(attention->v);
  int64_t bytesOfKey = scores.sizes[reduced] * stepBytes + values.sizes[other] * columnBytes;
  constexpr int64_t warp = BlocksAttr::kWarp;
  StreamPlan plan;
  std::optional<StreamPlan> best;
  double least = 0;
  auto consider = [&] {
    plan.derive(*attention);
    double time = timeOf(plan, bytesOfKey);
    if ((best && time >= least) || !passes(context, [&](auto emitError) { return plan.check(*attention, emitError); }))
      return;
    best = plan;
    least = time;
  };
  int64_t stepLanes = mostLanes(scores, {attention->q, attention->k}, reduced);
  int64_t columnLanes = mostLanes(values, attention->v, other);
  for (int64_t narrower : {1, 2, 4}) { // more threads, with fewer neighbours each
    plan.stepLanes = std::max<int64_t>(1, stepLanes / narrower);
    plan.columnLanes = std::max<int64_t>(1, columnLanes / narrower);
    int64_t pieces = std::max(llvm::divideCeil(scores.sizes[reduced], plan.stepLanes),
                              llvm::divideCeil(values.sizes[other], plan.columnLanes));
    plan.group = std::min<int64_t>(warp, llvm::PowerOf2Ceil(pieces));
    int64_t mostOfBlock = std::min<int64_t>(llvm::PowerOf2Ceil(rows), plan.group);
    for (plan.rows = mostOfBlock; plan.rows >= std::max<int64_t>(1, mostOfBlock / 4); plan.rows /= 2)
      for (plan.keys = 8; plan.keys >= 1; plan.keys /= 2)
        for (plan.threads = 256; plan.threads >= 64; plan.threads /= 2) {
          int64_t tiles = llvm::divideCeil(scores.sizes[other], plan.tileKeys()), before = 0;
          for (int64_t parts = 1; parts <= std::min<int64_t>(tiles, 64); ++parts) {
            plan.split = llvm::divideCeil(tiles, llvm::divideCeil(tiles, parts));
            if (plan.split != before)
              consider();
            before = plan.split;
          }
        }
  }
  if (!best)
    return {};
  ArrayAttr attr = best->toAttr(context, nests, *attention);
  return passes(context, [&](auto emitError) { return checkStream(nests, attr, emitError); }) ? attr : ArrayAttr();
}
