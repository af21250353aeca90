// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's reductions: accumulators in registers, accumulation in memory.

#include "mlir_xla/lowering/cpu/NestEmitter.h"
#include "mlir_xla/lowering/nest/Cost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

Value NestEmitter::neutral(vector::CombiningKind kind, Type type) {
  using K = vector::CombiningKind;
  if (auto complexType = dyn_cast<ComplexType>(type)) {
    assert(kind == K::ADD && "complex numbers are combined by their own operations");
    Attribute zero = b.getFloatAttr(complexType.getElementType(), -0.0);
    at(0);
    return complex::ConstantOp::create(b, complexType, b.getArrayAttr({zero, zero}));
  }
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
    SmallVector<Value> result;
    for (auto [left, right] : llvm::zip_equal(lhs, rhs))
      result.push_back(vector::makeArithReduction(b, b.getLoc(), *reduction.kind, left, right));
    return result;
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

/// Where the running value of an accumulator is: `vSlots` vectors each, or one of which the first lane counts.
Value &NestEmitter::slotOf(SmallVectorImpl<Value> &running, unsigned reduction, unsigned accumulator, unsigned uo,
                           unsigned vo) {
  unsigned base = 0;
  for (unsigned i = 0; i < reduction; ++i)
    base += nest->reductions[i].inits.size() * uCount * vectorsOf(nest->reductions[i]);
  return running[base + (accumulator * uCount + uo) * vectorsOf(nest->reductions[reduction]) + vo];
}

static bool hasFunctions(const LoopNest &nest) {
  return llvm::any_of(nest.nodes(), [&](const ExprNode *node) {
    return node->kind == ExprNode::Apply && isFunction(node->op) && (node->deps & nest.reduced).any();
  });
}

/// One step of all accumulators, from and to `running`; also the stores of the nest, which see every iteration. What
/// only the vector `vo` of every row needs is made by `beforeVector`: it takes registers from then on.
void NestEmitter::emitAccumulation(SmallVectorImpl<Value> &running, function_ref<void(unsigned vo)> beforeVector) {
  SmallVector<Value> next(running.begin(), running.end());
  for (auto [r, reduction] : llvm::enumerate(nest->reductions)) {
    if (isFoldedInOrder(reduction)) {
      emitFoldInOrder(reduction, r, running, next);
      continue;
    }
    for (size_t a = 0; a < reduction.accumulators.size(); ++a)
      for (unsigned uo = 0; uo < uCount; ++uo)
        for (unsigned vo = 0; vo < vCount; ++vo)
          define(reduction.accumulators[a], uo, vo, slotOf(running, r, a, uo, vo));
  }
  auto emitStep = [&](unsigned uo, unsigned vo) {
    for (auto [r, reduction] : llvm::enumerate(nest->reductions)) {
      if (isFoldedInOrder(reduction))
        continue;
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
    }
    emitStores(nest->stores, uo, vo);
  };
  auto begin = [&](unsigned vo) {
    if (beforeVector)
      beforeVector(vo);
  };
  // Beside the products, either the rows of a step or its vectors are in registers. Processors have 16 or 32.
  unsigned products = uCount * vCount, others = 1;
  auto fitOnly = [&](unsigned registers) {
    return products + uCount + others > registers && products + vCount + others <= registers;
  };
  if (fitOnly(16) || fitOnly(32)) {
    for (unsigned vo = 0; vo < vCount; ++vo)
      begin(vo);
    for (unsigned uo = 0; uo < uCount; ++uo)
      for (unsigned vo = 0; vo < vCount; ++vo)
        emitStep(uo, vo);
  } else {
    auto emitVector = [&](unsigned vo) {
      begin(vo);
      for (unsigned uo = 0; uo < uCount; ++uo)
        emitStep(uo, vo);
    };
    if (uCount == 1 && vCount > 1 && hasFunctions(*nest))
      emitVectors(emitVector);
    else
      llvm::for_each(llvm::seq(vCount), emitVector);
  }
  running.assign(next);
}

/// One step of a reduction whose elements meet in index order.
void NestEmitter::emitFoldInOrder(Reduction &reduction, unsigned number, SmallVectorImpl<Value> &running,
                                  SmallVectorImpl<Value> &next) {
  for (unsigned uo = 0; uo < uCount; ++uo) {
    SmallVector<SmallVector<Value>> vectors(vCount);
    for (unsigned vo = 0; vo < vCount; ++vo)
      for (ExprNode *element : reduction.elements)
        vectors[vo].push_back(lanes(evaluate(element, uo, vo)).value);
    SmallVector<Value> previous;
    for (size_t a = 0; a < reduction.inits.size(); ++a)
      previous.push_back(slotOf(running, number, a, uo, 0));
    SmallVector<Value> step = foldNeighbours(reduction, std::move(vectors), stepElements);
    for (auto [a, value] : llvm::enumerate(combine(reduction, previous, step)))
      slotOf(next, number, a, uo, 0) = value;
  }
}

/// The reduction loops, outermost first. Those of long floating-point sums run in parts.
SmallVector<NestEmitter::ReductionLoop> NestEmitter::reductionLoops() const {
  SmallVector<ReductionLoop> whole, loops;
  for (int64_t dim : plan->reductionLoops)
    whole.push_back({static_cast<unsigned>(dim), nest->sizes[dim], isDealt(dim) ? plan->dealers() : 1});
  if (plan->addsPairs)
    whole.back().step = 2;
  if (plan->vReduced) {
    int64_t step = plan->lanes * plan->vUnroll, size = nest->sizes[plan->v];
    int64_t end = plan->vMasked ? llvm::alignTo(size, step) : size - size % step;
    whole.push_back({static_cast<unsigned>(plan->v), end, isDealt(plan->v) ? step * plan->threads : step});
  }
  if (llvm::none_of(nest->reductions, [](const Reduction &r) { return llvm::is_contained(r.sums, true); }))
    return whole;
  int64_t terms = 1; // that are added one after the other to what the loop carries
  for (ReductionLoop loop : llvm::reverse(whole)) {
    int64_t trips = llvm::divideCeil(loop.end, loop.step);
    while (terms > kLongSum / std::max<int64_t>(trips, 1)) {
      if (int64_t count = kPartialSum / terms; count > 1) {
        ReductionLoop part = loop;
        part.span = loop.step *= count;
        loops.push_back(part);
        trips = llvm::divideCeil(trips, count);
      }
      loop.inParts = true;
      terms = 1;
    }
    loops.push_back(loop);
    terms *= std::max<int64_t>(trips, 1);
  }
  return llvm::to_vector(llvm::reverse(loops));
}

/// The element types of the slots that hold floating-point sums; null for the others.
SmallVector<Type> NestEmitter::sumTypes() const {
  SmallVector<Type> types;
  for (const Reduction &reduction : nest->reductions)
    for (auto [init, isSum] : llvm::zip_equal(reduction.inits, reduction.sums))
      types.append(uCount * vectorsOf(reduction), isSum ? init->type : Type());
  return types;
}

/// A loop over a window, written out. What slides over memory as the steps along u do is read once for all of them.
void NestEmitter::emitWindow(const ReductionLoop &spec, SmallVectorImpl<Value> &running) {
  openScope();
  Value outer = std::exchange(iv[spec.dim], Value());
  windowDim = spec.dim;
  for (windowStep = 0; windowStep < spec.end; ++windowStep) {
    openScope();
    emitAccumulation(running);
    closeScope();
    for (auto it = values.begin(); it != values.end();) {
      auto *node = const_cast<ExprNode *>(std::get<0>(it->first));
      bool isOver = node->deps.test(spec.dim) && !plan->sliding.contains(node);
      it = isOver ? values.erase(it) : std::next(it);
    }
  }
  windowDim = -1;
  windowStep = 0;
  iv[spec.dim] = outer;
  closeScope();
  leave(spec.dim);
  iv[spec.dim] = outer;
}

/// Emits `loops`, which carry `running`, and what is left of v after them. A loop over parts of sums keeps them on the
/// stack: registers are for what the loops inside carry.
void NestEmitter::emitReductionLoops(ArrayRef<ReductionLoop> loops, SmallVectorImpl<Value> &running) {
  if (loops.empty()) {
    openScope();
    emitAccumulation(running);
    closeScope();
    return;
  }
  const ReductionLoop &spec = loops.front();
  int dim = spec.dim;
  if (plan->slides && loops.size() == 1) {
    emitWindow(spec, running);
    return;
  }
  if (spec.end > 0) {
    size_t count = running.size();
    SmallVector<Type> sums = spec.inParts ? sumTypes() : SmallVector<Type>(count);
    SmallVector<Value> places(count), carried, inner(count), whole(count);
    at(top());
    for (auto [value, type, place] : llvm::zip_equal(running, sums, places)) {
      if (type && !isa<ComplexType>(type)) {
        place = allocateOnStack(value.getType());
        LLVM::StoreOp::create(b, value, place, elementAlignment(type));
      } else {
        carried.push_back(value);
      }
    }
    Value outer = iv[dim], lower = i64(0), upper = trimmedEnd ? trimmedEnd : i64(spec.end);
    unsigned outerLevel = ivLevel[dim];
    if (spec.span) {
      at(top());
      lower = outer;
      upper = arith::AddIOp::create(b, lower, i64(spec.span));
      if (trimmedEnd || spec.end % spec.span)
        upper = arith::MinSIOp::create(b, upper, trimmedEnd ? trimmedEnd : i64(spec.end));
    }
    // Of parts of a dealt dimension, the innermost ones are.
    bool isInner = llvm::none_of(loops.drop_front(), [&](const ReductionLoop &loop) { return loop.dim == spec.dim; });
    bool deals = isDealt(dim) && isInner;
    if (deals)
      lower = dealt(lower);
    scf::ForOp loop = openLoop(dim, lower, upper, spec.step, carried, /*nonEmpty=*/spec.span > 0 && !deals);
    stepLoops.push_back(loop);
    const auto *next = loop.getRegionIterArgs().begin();
    for (size_t slot = 0; slot < count; ++slot) {
      if (!places[slot])
        whole[slot] = inner[slot] = *next++;
      if (sums[slot]) {
        Emitted zero{neutral(vector::CombiningKind::ADD, sums[slot]), 0};
        inner[slot] = isa<VectorType>(running[slot].getType()) ? lanes(zero).value : zero.value;
      }
    }
    bool isMasked = dim == plan->v && plan->vMasked && isInner;
    if (isMasked)
      emitInsideMasks(nest->sizes[dim]);
    emitReductionLoops(loops.drop_front(), inner);
    if (isMasked)
      insideMasks.clear();
    at(top());
    carried.clear();
    for (auto [value, type, place, before] : llvm::zip_equal(inner, sums, places, whole)) {
      if (place) {
        Value sum = LLVM::LoadOp::create(b, value.getType(), place, elementAlignment(type));
        LLVM::StoreOp::create(b, arith::AddFOp::create(b, sum, value), place, elementAlignment(type));
        continue;
      }
      carried.push_back(type ? complex::AddOp::create(b, before, value).getResult() : value);
    }
    closeLoop(loop, carried);
    at(top());
    auto result = loop.getResults().begin();
    for (auto [value, type, place] : llvm::zip_equal(running, sums, places))
      value = place ? LLVM::LoadOp::create(b, value.getType(), place, elementAlignment(type)).getResult() : *result++;
    iv[dim] = outer;
    ivLevel[dim] = outerLevel;
  }
  if (plan->vReduced && dim == plan->v && !spec.span) {
    if (!plan->vMasked)
      emitRemainder(spec.end, running);
    leave(dim);
  }
}

/// The elements of v from `begin` on, fewer than a step has.
void NestEmitter::emitRemainder(int64_t begin, SmallVectorImpl<Value> &running) {
  int64_t rest = nest->sizes[plan->v] - begin;
  if (rest == 0)
    return;
  unsigned fullCount = vCount;
  int64_t fullElements = std::exchange(stepElements, rest);
  vCount = llvm::divideCeil(rest, plan->lanes);
  if (rest % plan->lanes) {
    SmallVector<bool> bits;
    for (unsigned lane = 0; lane < plan->lanes; ++lane)
      bits.push_back(lane < rest % plan->lanes);
    auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI1Type());
    partialMask = constant(DenseElementsAttr::get(type, bits));
  }
  openScope();
  iv[plan->v] = i64(begin);
  ivLevel[plan->v] = top();
  emitAccumulation(running);
  closeScope();
  partialMask = {};
  vCount = fullCount;
  stepElements = fullElements;
}

/// The results of a row in vector `vo`, or in all lanes of a row: of all vectors, where lanes are partial results.
SmallVector<Value> NestEmitter::partialResults(SmallVectorImpl<Value> &running, unsigned number, unsigned uo,
                                               unsigned vo) {
  Reduction &reduction = nest->reductions[number];
  auto ofVector = [&](unsigned vo) {
    SmallVector<Value> values;
    for (size_t a = 0; a < reduction.inits.size(); ++a)
      values.push_back(slotOf(running, number, a, uo, vo));
    return values;
  };
  SmallVector<Value> results = ofVector(vo);
  if (plan->vReduced && !isFoldedInOrder(reduction))
    for (unsigned other = 1; other < vCount; ++other)
      results = merge(reduction, results, ofVector(other));
  return results;
}

/// The results of neighbouring rows are lanes, and so is what is computed of them.
void NestEmitter::emitFoldedRows(SmallVectorImpl<Value> &running) {
  SmallVector<SmallVector<Value>> results;
  for (auto [r, reduction] : llvm::enumerate(nest->reductions)) {
    SmallVector<SmallVector<Value>> rows;
    for (unsigned uo = 0; uo < uCount; ++uo)
      rows.push_back(partialResults(running, r, uo, 0));
    results.push_back(foldRows(reduction, std::move(rows)));
  }
  NestPlan alongRows = *plan;
  alongRows.v = std::exchange(alongRows.u, -1);
  alongRows.lanes = std::exchange(alongRows.uUnroll, 1);
  alongRows.vReduced = alongRows.uOverlaps = alongRows.foldsRows = false;
  const NestPlan *ofReduction = std::exchange(plan, &alongRows);
  unsigned rows = std::exchange(uCount, 1);
  vCount = 1;
  // No value of a single row is that of all of them, nor the other way round.
  Value first = iv[plan->v];
  auto leaveRows = [&] {
    leave(plan->v);
    iv[plan->v] = first;
    sums.clear();
  };
  leaveRows();
  for (auto [reduction, values] : llvm::zip_equal(nest->reductions, results)) {
    if (reduction.neutral) {
      SmallVector<Value> inits;
      for (ExprNode *init : reduction.inits)
        inits.push_back(lanes(evaluate(init, 0, 0)).value);
      values = combine(reduction, inits, values);
    }
    for (auto [result, value] : llvm::zip_equal(reduction.results, values))
      this->values[Key(result, 0, 0)] = {value, top()};
  }
  emitEpilogue(1);
  leaveRows();
  plan = ofReduction;
  uCount = rows;
}

/// What `running` is after all reduction loops, or as it is where nobody reads that.
void NestEmitter::emitRunningValues(SmallVectorImpl<Value> &running) {
  Value isRead = isStepRead();
  if (!isRead) {
    emitReductionLoops(reductionLoops(), running);
    return;
  }
  scf::IfOp branch = openIf(isRead, running);
  emitReductionLoops(reductionLoops(), running);
  closeIf(branch, running);
}

void NestEmitter::emitReductions() {
  if (plan->tileRegisters) {
    emitRowTiles();
    return;
  }
  unsigned savedVCount = vCount;
  if (plan->vReduced)
    vCount = plan->vUnroll;
  vSlots = vCount;
  stepElements = vCount * plan->lanes;

  // Initial values. Lanes and threads of partial results begin neutral; init enters once, at the end.
  bool dealsReduction = plan->t >= 0 && nest->reduced.test(plan->t);
  auto neutralOf = [&](const Reduction &reduction) {
    return plan->vReduced || dealsReduction ? reduction.neutral : std::nullopt;
  };
  SmallVector<Value> current;
  for (Reduction &reduction : nest->reductions)
    for (size_t a = 0; a < reduction.inits.size(); ++a)
      for (unsigned uo = 0; uo < uCount; ++uo)
        for (unsigned vo = 0; vo < vectorsOf(reduction); ++vo) {
          std::optional<vector::CombiningKind> kind = neutralOf(reduction);
          Emitted init =
              kind ? Emitted{neutral(*kind, reduction.inits[a]->type), 0} : evaluate(reduction.inits[a], uo, vo);
          current.push_back((plan->v >= 0 ? lanes(init) : init).value);
        }
  emitRunningValues(current);
  for (int64_t dim : plan->reductionLoops)
    iv[dim] = {};

  // Results.
  if (rollsEpilogue()) {
    emitRolledEpilogue(current);
    return;
  }
  if (plan->foldsRows && uCount == plan->uUnroll && !onDevice) {
    emitFoldedRows(current);
    vCount = savedVCount;
    return;
  }
  for (auto [r, reduction] : llvm::enumerate(nest->reductions)) {
    size_t count = reduction.inits.size();
    for (unsigned uo = 0; uo < uCount; ++uo) {
      unsigned vectors = plan->vReduced ? 1 : vCount;
      for (unsigned vo = 0; vo < vectors; ++vo) {
        SmallVector<Value> results = partialResults(current, r, uo, vo);
        if (isFoldedInOrder(reduction))
          results = firstLane(results);
        else if (plan->vReduced)
          results = foldLanes(reduction, results);
        if (dealsReduction)
          results = foldThreads(reduction, results);
        if (neutralOf(reduction) && !isFoldedInOrder(reduction)) {
          SmallVector<Value> inits;
          for (ExprNode *init : reduction.inits)
            inits.push_back(evaluate(init, uo, 0).value);
          results = combine(reduction, inits, results);
        }
        for (size_t a = 0; a < count; ++a)
          values[Key(reduction.results[a], uo, vo)] = {results[a], top()};
      }
    }
  }
  emitEpilogue(plan->vReduced ? 1 : vCount);
  vCount = savedVCount;
}

/// Accumulates in the result's memory: init, then the outer reduction loops with v inside, some steps at a time.
void NestEmitter::emitInMemory(WorkBlocks blocks) {
  Reduction &reduction = nest->reductions[0];
  const Store &store = *reduction.partial;
  int v = plan->v;
  vCount = uCount = 1;
  int64_t size = nest->sizes[v], step = plan->lanes;
  Value lower = i64(0), mainUpper = i64(size - size % step);
  if (blocks.index) {
    at(top());
    lower = arith::MulIOp::create(b, blocks.index, i64(plan->vBlock));
    Value blockEnd = blocks.end ? arith::MulIOp::create(b, blocks.end, i64(plan->vBlock)).getResult()
                                : arith::AddIOp::create(b, lower, i64(plan->vBlock)).getResult();
    mainUpper = arith::MinSIOp::create(b, blockEnd, mainUpper);
  }
  auto overLanes = [&](auto &&visit) {
    scf::ForOp loop = openLoop(v, lower, mainUpper, step, {});
    stepLoops.push_back(loop);
    visit();
    closeLoop(loop, {});
    if (int64_t rest = size % step) {
      SmallVector<bool> bits;
      for (int64_t lane = 0; lane < step; ++lane)
        bits.push_back(lane < rest);
      partialMask = constant(DenseElementsAttr::get(VectorType::get({step}, b.getI1Type()), bits));
      if (blocks.index) {
        at(top());
        openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, blocks.end ? blocks.end : blocks.index,
                                     i64(blocks.end ? blocks.count : blocks.count - 1)));
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
  ArrayRef<int64_t> dims = plan->reductionLoops;
  for (int64_t dim : dims.drop_back())
    loops.push_back(openLoop(dim, i64(0), i64(nest->sizes[dim]), 1, {}));
  // The copies of the last reduction loop are those of u: their addresses differ by constants.
  int64_t last = dims.back();
  int64_t extent = nest->sizes[last], unroll = plan->uUnroll;
  // `steps` consecutive iterations of the last reduction loop, starting at `start`, in one pass over the lanes.
  auto accumulate = [&](Value start, int64_t steps) {
    iv[last] = start;
    ivLevel[last] = top();
    overLanes([&] {
      Value previous = lanes(evaluate(store.value, 0, 0)).value, value = previous;
      // What one pass sums up is a part of a sum that may be long, so it is added only at the end.
      ExprNode *accumulator = reduction.accumulators[0], *next = reduction.next[0];
      bool inParts = reduction.sums[0] && steps > 1;
      for (int64_t s = 0; s < steps; ++s) {
        openScope();
        define(accumulator, accumulator->deps.test(last) ? s : 0, 0, value);
        ExprNode *step = inParts && s == 0 ? next->operands[next->operands[0] == accumulator] : next;
        value = lanes(evaluate(step, s, 0)).value;
        closeScope();
      }
      at(top());
      if (inParts)
        value = arith::AddFOp::create(b, previous, value);
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
  for (scf::ForOp loop : llvm::reverse(loops))
    closeLoop(loop, {});
  for (int64_t dim : dims)
    iv[dim] = {};
  if (!nest->epilogue.empty())
    overLanes([&] {
      values[Key(reduction.results[0], 0, 0)] = {lanes(evaluate(store.value, 0, 0)).value, top()};
      emitEpilogue(1);
    });
}
