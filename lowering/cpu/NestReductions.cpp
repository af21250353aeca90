// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's reductions: accumulators in registers, folding of lanes, accumulation in memory.

#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xla;

Value NestEmitter::neutral(vector::CombiningKind kind, Type type) {
  using K = vector::CombiningKind;
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    switch (kind) {
    case K::MUL:
      return constant(b.getFloatAttr(type, 1.0));
    case K::MINIMUMF:
    case K::MINNUMF:
      return constant(b.getFloatAttr(type, APFloat::getInf(semantics)));
    case K::MAXIMUMF:
    case K::MAXNUMF:
      return constant(b.getFloatAttr(type, APFloat::getInf(semantics, /*Negative=*/true)));
    default:
      return constant(b.getFloatAttr(type, APFloat::getZero(semantics, /*Negative=*/true)));
    }
  }
  unsigned width = type.getIntOrFloatBitWidth();
  switch (kind) {
  case K::MUL:
    return constant(b.getIntegerAttr(type, 1));
  case K::AND:
  case K::MINUI:
    return constant(b.getIntegerAttr(type, APInt::getAllOnes(width)));
  case K::MINSI:
    return constant(b.getIntegerAttr(type, APInt::getSignedMaxValue(width)));
  case K::MAXSI:
    return constant(b.getIntegerAttr(type, APInt::getSignedMinValue(width)));
  default:
    return constant(b.getIntegerAttr(type, 0));
  }
}

SmallVector<Value> NestEmitter::combine(Reduction &reduction, ArrayRef<Value> lhs, ArrayRef<Value> rhs) {
  if (reduction.kind) {
    at(top());
    return {vector::makeArithReduction(b, b.getLoc(), *reduction.kind, lhs[0], rhs[0])};
  }
  openScope();
  for (size_t i = 0; i < lhs.size(); ++i) {
    define(reduction.left[i], 0, 0, lhs[i]);
    define(reduction.right[i], 0, 0, rhs[i]);
  }
  SmallVector<Value> result;
  for (ExprNode *node : reduction.combined)
    result.push_back(evaluate(node, 0, 0).value);
  closeScope();
  return result;
}

/// The extremum of all lanes, NaN if one is NaN, as that of integers in the same order: magnitudes of negative numbers
/// are complemented. An integer takes one instruction per step, a float seven, for the sake of NaN and of the sign of
/// zero.
Value NestEmitter::foldExtremum(bool isMaximum, Value lanes) {
  auto type = cast<VectorType>(lanes.getType());
  unsigned width = type.getElementTypeBitWidth();
  Type integer = b.getIntegerType(width);
  auto integers = VectorType::get(type.getShape(), integer);
  auto splat = [&](const APInt &value) { return constant(DenseElementsAttr::get(integers, value)); };
  auto scalar = [&](const APInt &value) { return constant(b.getIntegerAttr(integer, value)); };
  // A NaN that is beyond all numbers in the direction of the extremum.
  APInt nan = APFloat::getQNaN(cast<FloatType>(type.getElementType()).getFloatSemantics(), !isMaximum).bitcastToAPInt();
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, lanes, lanes);
  Value bits = arith::BitcastOp::create(b, integers, lanes);
  bits = arith::SelectOp::create(b, isNan, splat(nan), bits);
  APInt sign(width, width - 1), magnitude = APInt::getSignedMaxValue(width);
  Value negative = arith::AndIOp::create(b, arith::ShRSIOp::create(b, bits, splat(sign)), splat(magnitude));
  Value ordered = arith::XOrIOp::create(b, bits, negative);
  Value found =
      vector::ReductionOp::create(b, isMaximum ? vector::CombiningKind::MAXSI : vector::CombiningKind::MINSI, ordered);
  negative = arith::AndIOp::create(b, arith::ShRSIOp::create(b, found, scalar(sign)), scalar(magnitude));
  return arith::BitcastOp::create(b, type.getElementType(), arith::XOrIOp::create(b, found, negative));
}

SmallVector<Value> NestEmitter::foldLanes(Reduction &reduction, SmallVector<Value> partial) {
  if (reduction.kind) {
    at(top());
    if (*reduction.kind == vector::CombiningKind::MAXIMUMF || *reduction.kind == vector::CombiningKind::MINIMUMF)
      return {foldExtremum(*reduction.kind == vector::CombiningKind::MAXIMUMF, partial[0])};
    return {vector::ReductionOp::create(b, *reduction.kind, partial[0], arith::FastMathFlags::reassoc)};
  }
  for (unsigned distance = plan->lanes / 2; distance >= 1; distance /= 2) {
    SmallVector<int64_t> order;
    for (unsigned lane = 0; lane < plan->lanes; ++lane)
      order.push_back(lane < distance ? lane + distance : lane);
    at(top());
    SmallVector<Value> shifted;
    for (Value value : partial)
      shifted.push_back(vector::ShuffleOp::create(b, value, value, order));
    partial = combine(reduction, partial, shifted);
  }
  at(top());
  SmallVector<Value> result;
  for (Value value : partial)
    result.push_back(vector::ExtractOp::create(b, value, ArrayRef<int64_t>{0}));
  return result;
}

Value &NestEmitter::slotOf(SmallVectorImpl<Value> &running, unsigned reduction, unsigned accumulator, unsigned uo,
                           unsigned vo) {
  unsigned base = 0;
  for (unsigned i = 0; i < reduction; ++i)
    base += nest->reductions[i].inits.size();
  return running[((base + accumulator) * uCount + uo) * vCount + vo];
}

/// One step of all accumulators, from and to `running`; also the stores of the nest, which see every iteration.
void NestEmitter::emitAccumulation(SmallVectorImpl<Value> &running) {
  for (auto [r, reduction] : llvm::enumerate(nest->reductions))
    for (size_t a = 0; a < reduction.accumulators.size(); ++a)
      for (unsigned uo = 0; uo < uCount; ++uo)
        for (unsigned vo = 0; vo < vCount; ++vo)
          define(reduction.accumulators[a], uo, vo, slotOf(running, r, a, uo, vo));
  SmallVector<Value> next(running.size());
  for (unsigned vo = 0; vo < vCount; ++vo)
    for (unsigned uo = 0; uo < uCount; ++uo) {
      for (auto [r, reduction] : llvm::enumerate(nest->reductions))
        for (size_t a = 0; a < reduction.accumulators.size(); ++a) {
          Emitted value = evaluate(reduction.next[a], uo, vo);
          Value previous = slotOf(running, r, a, uo, vo);
          if (isa<VectorType>(previous.getType()))
            value = lanes(value);
          Value result = value.value;
          if (Value mask = maskOf(vo); mask && plan->vReduced) {
            at(top());
            result = arith::SelectOp::create(b, mask, result, previous);
          }
          slotOf(next, r, a, uo, vo) = result;
        }
      emitStores(nest->stores, uo, vo);
    }
  running.assign(next);
}

void NestEmitter::emitReductions() {
  unsigned savedVCount = vCount;
  int64_t vSize = plan->vReduced ? nest->sizes[plan->v] : 1;
  int64_t vStep = plan->lanes * plan->vUnroll, vMain = vSize - vSize % vStep,
          vRest = plan->vReduced ? vSize % vStep : 0;
  if (plan->vReduced)
    vCount = plan->vUnroll;

  // Initial values. Lanes of partial results begin neutral; init enters once, at the end.
  SmallVector<Value> running;
  for (Reduction &reduction : nest->reductions)
    for (size_t a = 0; a < reduction.inits.size(); ++a)
      for (unsigned uo = 0; uo < uCount; ++uo)
        for (unsigned vo = 0; vo < vCount; ++vo) {
          Emitted init = plan->vReduced && reduction.kind
                             ? Emitted{neutral(*reduction.kind, reduction.inits[a]->type), 0}
                             : evaluate(reduction.inits[a], uo, vo);
          running.push_back((plan->v >= 0 ? lanes(init) : init).value);
        }

  SmallVector<scf::ForOp> loops;
  SmallVector<Value> current = running;
  for (unsigned dim : plan->reductionLoops) {
    scf::ForOp loop = openLoop(dim, i64(0), i64(nest->sizes[dim]), 1, current);
    loops.push_back(loop);
    current = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
  }
  if (plan->vReduced) {
    if (vMain > 0) {
      scf::ForOp loop = openLoop(plan->v, i64(0), i64(vMain), vStep, current);
      SmallVector<Value> inner = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
      emitAccumulation(inner);
      closeLoop(loop, inner);
      current = llvm::to_vector_of<Value>(loop.getResults());
    }
    if (vRest > 0) {
      unsigned fullCount = vCount;
      vCount = (vRest + plan->lanes - 1) / plan->lanes;
      if (vRest % plan->lanes) {
        SmallVector<bool> bits;
        for (unsigned lane = 0; lane < plan->lanes; ++lane)
          bits.push_back(lane < vRest % plan->lanes);
        auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI1Type());
        partialMask = constant(DenseElementsAttr::get(type, bits));
      }
      openScope();
      iv[plan->v] = i64(vMain);
      ivLevel[plan->v] = top();
      // The first vectors of each group take part.
      SmallVector<Value> part;
      auto each = [&](auto &&visit) {
        unsigned groups = current.size() / fullCount;
        for (unsigned group = 0; group < groups; ++group)
          for (unsigned vo = 0; vo < vCount; ++vo)
            visit(current[group * fullCount + vo]);
      };
      each([&](Value &value) { part.push_back(value); });
      emitAccumulation(part);
      size_t next = 0;
      each([&](Value &value) { value = part[next++]; });
      closeScope();
      partialMask = {};
      vCount = fullCount;
    }
    leave(plan->v);
  } else {
    openScope();
    emitAccumulation(current);
    closeScope();
  }
  for (scf::ForOp loop : llvm::reverse(loops)) {
    closeLoop(loop, current);
    current = llvm::to_vector_of<Value>(loop.getResults());
  }
  for (unsigned dim : plan->reductionLoops)
    iv[dim] = {};

  // Results.
  for (auto [r, reduction] : llvm::enumerate(nest->reductions)) {
    size_t count = reduction.inits.size();
    for (unsigned uo = 0; uo < uCount; ++uo) {
      unsigned vectors = plan->vReduced ? 1 : vCount;
      for (unsigned vo = 0; vo < vectors; ++vo) {
        SmallVector<Value> results;
        for (size_t a = 0; a < count; ++a)
          results.push_back(slotOf(current, r, a, uo, vo));
        if (plan->vReduced) {
          for (unsigned other = 1; other < vCount; ++other) {
            SmallVector<Value> rhs;
            for (size_t a = 0; a < count; ++a)
              rhs.push_back(slotOf(current, r, a, uo, other));
            results = combine(reduction, results, rhs);
          }
          results = foldLanes(reduction, results);
          if (reduction.kind) {
            Value init = evaluate(reduction.inits[0], uo, 0).value;
            results = combine(reduction, {init}, results);
          }
        }
        for (size_t a = 0; a < count; ++a)
          values[Key(reduction.results[a], uo, vo)] = {results[a], top()};
      }
    }
  }
  emitEpilogue(plan->vReduced ? 1 : vCount);
  vCount = savedVCount;
}

void NestEmitter::emitEpilogue(unsigned vectors) {
  std::vector<Store> stores;
  if (!plan->streaming) // else they are in memory already
    for (const Reduction &reduction : nest->reductions)
      for (auto [node, store] : llvm::zip_equal(reduction.results, reduction.stores))
        if (store) {
          stores.push_back(*store);
          stores.back().value = node;
        }
  stores.insert(stores.end(), nest->epilogue.begin(), nest->epilogue.end());
  for (unsigned vo = 0; vo < vectors; ++vo)
    for (unsigned uo = 0; uo < uCount; ++uo)
      emitStores(stores, uo, vo);
}

/// Accumulates in the result's memory: init, then the outer reduction loops with v inside, some steps at a time.
void NestEmitter::emitStreaming(WorkBlocks blocks) {
  Reduction &reduction = nest->reductions[0];
  const Store &store = *reduction.partial;
  int v = plan->v;
  vCount = uCount = 1;
  int64_t size = nest->sizes[v], step = plan->lanes;
  Value lower = i64(0), mainUpper = i64(size - size % step);
  if (blocks.index) {
    at(top());
    lower = arith::MulIOp::create(b, blocks.index, i64(plan->vBlock));
    Value blockEnd = arith::AddIOp::create(b, lower, i64(plan->vBlock));
    mainUpper = arith::MinSIOp::create(b, blockEnd, mainUpper);
  }
  auto overLanes = [&](auto &&visit) {
    scf::ForOp loop = openLoop(v, lower, mainUpper, step, {});
    visit();
    closeLoop(loop, {});
    if (int64_t rest = size % step) {
      SmallVector<bool> bits;
      for (int64_t lane = 0; lane < step; ++lane)
        bits.push_back(lane < rest);
      partialMask = constant(DenseElementsAttr::get(VectorType::get({step}, b.getI1Type()), bits));
      if (blocks.index) {
        at(top());
        openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, blocks.index, i64(blocks.count - 1)));
      } else {
        openScope();
      }
      iv[v] = i64(size - rest);
      ivLevel[v] = top();
      visit();
      blocks.index ? closeIf() : closeScope();
      partialMask = {};
    }
    leave(v);
  };
  overLanes([&] { emitStore(store, lanes(evaluate(reduction.inits[0], 0, 0)), 0, 0); });

  SmallVector<scf::ForOp> loops;
  ArrayRef<unsigned> dims = plan->reductionLoops;
  for (unsigned dim : dims.drop_back())
    loops.push_back(openLoop(dim, i64(0), i64(nest->sizes[dim]), 1, {}));
  unsigned last = dims.back();
  // The copies of the last reduction loop are those of u: their addresses differ by constants. Short bodies take more
  // of them, so that the running value is read and written less often.
  constexpr size_t shortBody = 8;
  int64_t extent = nest->sizes[last], unroll = nest->nodes().size() <= shortBody ? 16 : 4;
  while (unroll > 4 && extent % unroll != 0)
    unroll /= 2;
  const NestPlan *given = plan;
  NestPlan jammed = *plan;
  jammed.u = last;
  plan = &jammed;
  // `steps` consecutive iterations of the last reduction loop, starting at `start`, in one pass over the lanes.
  auto accumulate = [&](Value start, int64_t steps) {
    iv[last] = start;
    ivLevel[last] = top();
    overLanes([&] {
      Emitted previous = evaluate(store.value, 0, 0);
      Value value = lanes(previous).value;
      for (int64_t s = 0; s < steps; ++s) {
        openScope();
        define(reduction.accumulators[0], reduction.accumulators[0]->deps.test(last) ? s : 0, 0, value);
        value = lanes(evaluate(reduction.next[0], s, 0)).value;
        closeScope();
      }
      emitStore(store, {value, top()}, 0, 0);
    });
    leave(last);
  };
  int64_t mainEnd = extent - extent % unroll;
  if (mainEnd > 0) {
    scf::ForOp loop = openLoop(-1, i64(0), i64(mainEnd), unroll, {});
    accumulate(loop.getInductionVar(), unroll);
    closeLoop(loop, {});
  }
  if (extent > mainEnd)
    accumulate(i64(mainEnd), extent - mainEnd);
  plan = given;
  for (scf::ForOp loop : llvm::reverse(loops))
    closeLoop(loop, {});
  for (unsigned dim : dims)
    iv[dim] = {};
  if (!nest->epilogue.empty())
    overLanes([&] {
      values[Key(reduction.results[0], 0, 0)] = {lanes(evaluate(store.value, 0, 0)).value, top()};
      emitEpilogue(1);
    });
}
