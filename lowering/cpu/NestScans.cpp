// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's scans: a loop in order that carries the running values, of a scan per lane or of one scan whose
// elements are in lanes.

#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

/// A floating-point sum, whose long chains of roundings are to be cut.
static bool isSum(const Reduction &scan) {
  return scan.kind == vector::CombiningKind::ADD && isa<FloatType>(scan.inits[0]->type);
}

/// The loop along the scanned dimension, and the vectors of its last step, which may not be whole: walked backwards
/// they come first.
void NestEmitter::emitScan() {
  if (plan->scanTile)
    return emitScanTile();
  Reduction &scan = nest->reductions.front();
  unsigned vectors = vCount;
  int64_t size = nest->sizes[nest->ordered.find_first()],
          step = (plan->vReduced ? plan->lanes * plan->vUnroll : 1) * plan->threads;
  // All steps of a team are whole: threads that have nothing to do go on with what nobody stores.
  int64_t mainEnd = plan->threads > 1 ? llvm::alignTo(size, step) : size - size % step;
  SmallVector<Value> running;
  // A team carries what comes before its step, for none of its pieces in particular.
  auto carried = [&](Emitted value) { return plan->threads > 1 ? value.value : lanes(value).value; };
  for (ExprNode *init : scan.inits)
    for (unsigned vo = 0; vo < vectors; ++vo)
      running.push_back(carried(evaluate(init, 0, vo)));
  if (plan->vReduced)
    vCount = plan->vUnroll;
  if (nest->backwards)
    emitScanRest(mainEnd, running);
  if (isSum(scan) && mainEnd / step > kLongSum) {
    int64_t part = kPartialSum * step;
    scf::ForOp parts = openLoop(-1, i64(0), i64(mainEnd), part, running);
    at(top());
    Value begin = parts.getInductionVar(), end = arith::AddIOp::create(b, begin, i64(part));
    if (mainEnd % part)
      end = arith::MinSIOp::create(b, end, i64(mainEnd));
    scanBase.assign(parts.getRegionIterArgs().begin(), parts.getRegionIterArgs().end());
    Value zero = carried({neutral(vector::CombiningKind::ADD, scan.inits[0]->type), 0});
    SmallVector<Value> sums(running.size(), zero);
    emitScanLoop(begin, end, mainEnd, step, sums);
    at(top());
    for (auto [sum, base] : llvm::zip_equal(sums, scanBase))
      sum = arith::AddFOp::create(b, base, sum);
    scanBase.clear();
    closeLoop(parts, sums);
    running.assign(parts.getResults().begin(), parts.getResults().end());
  } else if (mainEnd > 0) {
    emitScanLoop(i64(0), i64(mainEnd), mainEnd, step, running);
  }
  if (!nest->backwards)
    emitScanRest(mainEnd, running);
  vCount = vectors;
}

/// The steps `begin` to `end` of a scan, counted in its direction, of those up to the index `mainEnd`.
void NestEmitter::emitScanLoop(Value begin, Value end, int64_t mainEnd, int64_t step, SmallVectorImpl<Value> &running) {
  unsigned dim = nest->ordered.find_first();
  bool bindsLater = nest->backwards || plan->threads > 1;
  scf::ForOp loop = openLoop(bindsLater ? -1 : static_cast<int>(dim), begin, end, step, running, /*nonEmpty=*/true);
  if (nest->backwards && plan->threads == 1) {
    at(top());
    iv[dim] = arith::SubIOp::create(b, i64(mainEnd - step), loop.getInductionVar());
    ivLevel[dim] = top();
  }
  running.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  if (plan->threads > 1)
    emitTeamStep(loop.getInductionVar(), mainEnd > step, running);
  else
    emitScanStep(running, step);
  closeLoop(loop, running);
  running.assign(loop.getResults().begin(), loop.getResults().end());
  leave(dim);
}

/// The iterations from `begin` on, fewer than a step has.
void NestEmitter::emitScanRest(int64_t begin, SmallVectorImpl<Value> &running) {
  unsigned dim = nest->ordered.find_first(), fullCount = vCount;
  int64_t count = nest->sizes[dim] - begin;
  if (count <= 0)
    return;
  vCount = llvm::divideCeil(count, plan->lanes);
  if (int64_t inside = count % plan->lanes) {
    SmallVector<bool> bits;
    for (int64_t lane = 0; lane < plan->lanes; ++lane)
      bits.push_back(lane < inside);
    auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI1Type());
    partialMask = constant(DenseElementsAttr::get(type, bits));
  }
  openScope();
  iv[dim] = i64(begin);
  ivLevel[dim] = top();
  emitScanStep(running, count);
  closeScope();
  partialMask = {};
  leave(dim);
  vCount = fullCount;
}

/// `count` iterations, or one in every lane if lanes are scans, from and to `running`; also the stores of the nest.
void NestEmitter::emitScanStep(SmallVectorImpl<Value> &running, int64_t count) {
  Reduction &scan = nest->reductions.front();
  size_t arrays = scan.inits.size(), slots = running.size() / arrays;
  for (unsigned i = 0; i < vCount; ++i) {
    unsigned vo = nest->backwards ? vCount - 1 - i : i, slot = plan->vReduced ? 0 : vo;
    SmallVector<Value> before, here;
    for (size_t a = 0; a < arrays; ++a) {
      before.push_back(running[a * slots + slot]);
      here.push_back(lanes(evaluate(scan.elements[a], 0, vo)).value);
    }
    if (plan->vReduced)
      here = emitPrefix(scan, here, std::min<int64_t>(plan->lanes, count - vo * plan->lanes));
    SmallVector<Value> results, next;
    if (scanBase.empty()) {
      results = append(scan, before, here);
      next = plan->vReduced ? lastLane(results) : results;
    } else {
      // What is before this part of a sum does not enter the part's own running value.
      next = append(scan, before, plan->vReduced ? lastLane(here) : here);
      results = plan->vReduced ? append(scan, append(scan, scanBase[slot], before), here)
                               : append(scan, scanBase[slot], next);
    }
    for (size_t a = 0; a < arrays; ++a) {
      values[Key(scan.results[a], 0, plan->v >= 0 ? vo : 0)] = {results[a], top()};
      running[a * slots + slot] = next[a];
    }
    emitStores(nest->stores, 0, vo);
  }
}

SmallVector<Value> NestEmitter::appendScalars(Reduction &scan, ArrayRef<Value> before, ArrayRef<Value> more) {
  return nest->backwards ? combine(scan, more, before) : combine(scan, before, more);
}

/// What a scan makes of `before` with `more`, which it comes to later. A combiner may give what has no lanes.
SmallVector<Value> NestEmitter::append(Reduction &scan, ArrayRef<Value> before, ArrayRef<Value> more) {
  SmallVector<Value> results = appendScalars(scan, before, more);
  for (Value &result : results)
    result = lanes({result, top()}).value;
  return results;
}

/// The lane of each vector that a scan comes to last, in all lanes.
SmallVector<Value> NestEmitter::lastLane(ArrayRef<Value> vectors) {
  at(top());
  int64_t last = nest->backwards ? 0 : plan->lanes - 1;
  return llvm::map_to_vector(vectors, [&](Value value) -> Value {
    return vector::BroadcastOp::create(b, value.getType(),
                                       vector::ExtractOp::create(b, value, ArrayRef<int64_t>{last}));
  });
}

/// Combines every lane of `values`, of which `count` count, with all before it: with its neighbour, then with what its
/// second neighbour has become, and so on.
SmallVector<Value> NestEmitter::emitPrefix(Reduction &scan, SmallVector<Value> values, int64_t count) {
  int64_t lanes = plan->lanes;
  for (int64_t distance = 1; distance < count; distance *= 2) {
    // The lanes that have no such neighbour are combined with a neutral value, or keep theirs.
    bool isNeutral = scan.kind && count == lanes;
    SmallVector<int64_t> order;
    SmallVector<bool> combines;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t from = nest->backwards ? lane + distance : lane - distance;
      combines.push_back(from >= 0 && from < count);
      order.push_back(from >= 0 ? from : from + 2 * lanes); // from the second operand, where it is as far away
    }
    SmallVector<Value> shifted;
    for (Value value : values) {
      Value beside = value;
      auto type = cast<VectorType>(value.getType());
      if (isNeutral) {
        Attribute splat;
        bool isConstant = matchPattern(neutral(*scan.kind, type.getElementType()), m_Constant(&splat));
        assert(isConstant && "neutral values are constants");
        (void)isConstant;
        beside = constant(DenseElementsAttr::get(type, splat));
      }
      at(top());
      shifted.push_back(vector::ShuffleOp::create(b, value, beside, order));
    }
    SmallVector<Value> combined = append(scan, shifted, values);
    if (!isNeutral) {
      Value mask = constant(DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), combines));
      at(top());
      for (auto [value, before] : llvm::zip_equal(combined, values))
        value = arith::SelectOp::create(b, mask, value, before);
    }
    values = combined;
  }
  return values;
}
