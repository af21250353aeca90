// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's loops: parallel work, blocks, remainders.

#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

NestEmitter::NestEmitter(ImplicitLocOpBuilder &builder, Block *entry, KernelExprs &exprs, ArrayRef<Value> slots,
                         ArrayRef<std::pair<Value, Value>> scalars, bool onDevice)
    : b(builder), exprs(exprs), onDevice(onDevice), slots(slots) {
  levels.push_back(OpBuilder::InsertPoint(entry, entry->mightHaveTerminator() ? Block::iterator(entry->getTerminator())
                                                                              : entry->end()));
  for (auto [from, to] : scalars)
    scalarArguments[from] = to;
}

void NestEmitter::forget(unsigned level) {
  for (auto it = values.begin(); it != values.end();)
    it = it->second.level >= level ? values.erase(it) : std::next(it);
  for (auto it = sums.begin(); it != sums.end();)
    it = it->second.level >= level ? sums.erase(it) : std::next(it);
  for (DenseMap<Value, Emitted> *known : {&splats, &reciprocals[0], &reciprocals[1]})
    for (auto it = known->begin(); it != known->end(); ++it)
      if (it->second.level >= level)
        known->erase(it);
}

/// Later code of the innermost levels, those that share a block, goes to `point`.
void NestEmitter::moveTo(Block *block, Block::iterator point) {
  for (size_t level = levels.size(); level-- > 0 && levels[level].getBlock() == block;)
    levels[level] = OpBuilder::InsertPoint(block, point);
}

scf::ForOp NestEmitter::openLoop(int dim, Value lower, Value upper, int64_t step, ValueRange carried, bool nonEmpty) {
  at(top());
  auto loop = scf::ForOp::create(b, lower, upper, i64(step), carried);
  if (nonEmpty)
    loop->setAttr(XlaRtDialect::kNonEmpty, b.getUnitAttr());
  moveTo(loop->getBlock(), Block::iterator(loop));
  Block *body = loop.getBody();
  levels.push_back(
      OpBuilder::InsertPoint(body, carried.empty() ? Block::iterator(body->getTerminator()) : body->end()));
  if (dim >= 0) {
    iv[dim] = loop.getInductionVar();
    ivLevel[dim] = top();
  }
  return loop;
}

void NestEmitter::closeLoop(scf::ForOp loop, ValueRange yielded) {
  if (!yielded.empty()) {
    at(top());
    scf::YieldOp::create(b, yielded);
  }
  forget(top());
  levels.pop_back();
  moveTo(loop->getBlock(), std::next(Block::iterator(loop)));
}

void NestEmitter::openIf(Value condition) {
  at(top());
  auto ifOp = scf::IfOp::create(b, TypeRange(), condition, /*withElseRegion=*/false);
  moveTo(ifOp->getBlock(), Block::iterator(ifOp));
  Block *body = ifOp.thenBlock();
  levels.push_back(OpBuilder::InsertPoint(body, Block::iterator(body->getTerminator())));
}

scf::IfOp NestEmitter::openIf(Value condition, ValueRange otherwise) {
  at(top());
  auto branch = scf::IfOp::create(b, otherwise.getTypes(), condition, /*withElseRegion=*/true);
  moveTo(branch->getBlock(), Block::iterator(branch));
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, otherwise);
  levels.push_back(OpBuilder::InsertPoint(branch.thenBlock(), branch.thenBlock()->end()));
  return branch;
}

void NestEmitter::closeIf(scf::IfOp branch, MutableArrayRef<Value> values) {
  at(top());
  scf::YieldOp::create(b, ValueRange(values));
  closeIf();
  llvm::copy(branch.getResults(), values.begin());
}

void NestEmitter::closeIf() {
  Operation *op = levels.back().getBlock()->getParentOp();
  forget(top());
  levels.pop_back();
  moveTo(op->getBlock(), std::next(Block::iterator(op)));
}

void NestEmitter::openScope() { levels.push_back(levels.back()); }

void NestEmitter::closeScope() {
  forget(top());
  levels.pop_back();
}

/// Ends the use of the current index of `dim`. A constant index leaves values at outer levels; no other index may find
/// them there.
void NestEmitter::leave(unsigned dim) {
  iv[dim] = {};
  for (auto it = values.begin(); it != values.end();)
    it = std::get<0>(it->first)->deps.test(dim) ? values.erase(it) : std::next(it);
}

void NestEmitter::openWork(Value begin, Value end, ArrayRef<int64_t> dims, ArrayRef<int64_t> sizes, WorkBlocks &vBlocks,
                           WorkBlocks &uBlocks) {
  iv.resize(exprs.noDeps().size());
  ivLevel.resize(iv.size(), 0);
  workLoop = {};
  if (dims.empty() && vBlocks.count == 1 && uBlocks.count == 1)
    return;
  workLoop = openLoop(-1, begin, end, 1, {}, /*nonEmpty=*/true);
  Value rest = workLoop.getInductionVar();
  at(top());
  // Innermost first: u blocks, v blocks, then the dimensions.
  auto split = [&](int64_t size, bool last) {
    if (last)
      return rest;
    Value index = arith::RemUIOp::create(b, rest, i64(size));
    rest = arith::DivUIOp::create(b, rest, i64(size));
    return index;
  };
  if (uBlocks.count > 1)
    uBlocks.index = split(uBlocks.count, dims.empty() && vBlocks.count == 1);
  if (vBlocks.count > 1)
    vBlocks.index = split(vBlocks.count, dims.empty());
  for (size_t i = dims.size(); i-- > 0;) {
    iv[dims[i]] = split(sizes[i], i == 0);
    ivLevel[dims[i]] = top();
  }
}

void NestEmitter::takeWork(Value begin, Value end, WorkBlocks &vBlocks) {
  iv.resize(exprs.noDeps().size());
  ivLevel.resize(iv.size(), 0);
  vBlocks.index = begin;
  vBlocks.end = end;
}

void NestEmitter::closeWork() {
  if (workLoop)
    closeLoop(workLoop, {});
  if (!std::exchange(hasTileRegisters, false))
    return;
  at(top());
  callTile("tilerelease", {});
}

/// The last block is whole, too: it begins within the one before, and computes some rows again.
void NestEmitter::beginBlock(ArrayRef<int64_t> rows, int64_t block) {
  unsigned dim = rows.size() - 1;
  at(top());
  iv[dim] = arith::MulIOp::create(b, iv[dim], i64(block));
  if (rows.back() % block)
    iv[dim] = arith::MinSIOp::create(b, iv[dim], i64(rows.back() - block));
  ivLevel[dim] = top();
}

void NestEmitter::walkBlock(unsigned dim, int64_t block, bool byRows) {
  if (byRows == bool(blockLoop))
    return;
  if (byRows) {
    blockLoop = openLoop(dim, i64(0), i64(block), 1, {}, /*nonEmpty=*/true);
    return;
  }
  closeLoop(std::exchange(blockLoop, {}), {});
  iv[dim] = {};
}

void NestEmitter::openAligned(ArrayRef<Value> results) {
  at(0);
  Value bits;
  for (Value result : results) {
    Value address = LLVM::PtrToIntOp::create(b, b.getI64Type(), result);
    bits = bits ? arith::OrIOp::create(b, bits, address).getResult() : address;
  }
  bits = arith::AndIOp::create(b, bits, i64(63));
  isAligned = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, bits, i64(0));
  openIf(isAligned);
  writesPastCaches = true;
}

/// Other cores see what was written only behind a fence.
void NestEmitter::openUnaligned() {
  at(top());
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.x86.sse.sfence"), ValueRange());
  closeIf();
  writesPastCaches = false;
  at(0);
  openIf(arith::XOrIOp::create(b, isAligned, constant(b.getBoolAttr(true))));
}

void NestEmitter::closeAligned() { closeIf(); }

void NestEmitter::emit(LoopNest &theNest, const NestPlan &thePlan, WorkBlocks vBlocks, WorkBlocks uBlocks) {
  nest = &theNest;
  plan = &thePlan;
  countFunctions();
  openScope();
  nestLevel = top();
  scanTile = plan->scanTile ? vBlocks.index : Value();
  if (plan->tileRegisters)
    beginTileSums();
  // Rows and items of work come from the work loop.
  if (plan->columns >= 0)
    bindColumn(vBlocks);
  SmallVector<scf::ForOp> loops;
  for (int64_t dim : plan->loops)
    loops.push_back(isDealt(dim) ? openLoop(dim, dealt(i64(0)), i64(nest->sizes[dim]), plan->threads, {})
                                 : openLoop(dim, i64(0), i64(nest->sizes[dim]), 1, {}));
  trimmedEnd = plan->trims ? endOfSum(*trimmedSumOf(*nest, *plan)) : Value();
  if (plan->walksSquares())
    emitSquare(vBlocks, uBlocks);
  else if (plan->inMemory)
    emitInMemory(vBlocks);
  else if (plan->slides)
    emitU(uBlocks, [&] { emitV(vBlocks, [&] { emitInstance(); }); });
  else
    emitV(vBlocks, [&] { emitU(uBlocks, [&] { emitInstance(); }); });
  for (scf::ForOp loop : llvm::reverse(loops))
    closeLoop(loop, {});
  for (size_t dim = 0; dim < nest->sizes.size(); ++dim)
    if (!nest->rows.test(dim))
      iv[dim] = {};
  // Row results outlive the scope of the nest.
  SmallVector<std::pair<Key, Emitted>> kept;
  for (Reduction &reduction : nest->reductions)
    for (ExprNode *node : reduction.results)
      if (reduction.rowScalar)
        kept.emplace_back(Key(node, 0, 0), values.at(Key(node, 0, 0)));
  closeScope();
  for (scf::ForOp loop : stepLoops)
    if (plan->distributed)
      distribute(loop, plan->distributed);
  stepLoops.clear();
  stored.insert(storing.begin(), storing.end());
  if (plan->threads > 1)
    llvm::append_range(unmet, loadsOf(*nest, *plan));
  for (auto &[key, value] : kept)
    values[key] = {value.value, top()};
}

void NestEmitter::emitV(WorkBlocks blocks, function_ref<void()> inner) {
  int v = plan->v;
  vCount = 1;
  partialMask = {};
  if (v < 0 || plan->vReduced) {
    inner();
    return;
  }
  int64_t size = nest->sizes[v], step = plan->lanes * plan->vUnroll;
  int64_t mainEnd = plan->vMasked ? llvm::alignTo(size, step) : size - size % step,
          rest = plan->vMasked ? 0 : size - mainEnd;
  Value lower = i64(0), upper = i64(mainEnd);
  if (blocks.index) {
    at(top());
    lower = arith::MulIOp::create(b, blocks.index, i64(plan->vBlock));
    if (mainEnd % plan->vBlock == 0 && rest == 0)
      upper = arith::AddIOp::create(b, lower, i64(plan->vBlock));
    else
      upper = arith::MinSIOp::create(b, arith::AddIOp::create(b, lower, i64(plan->vBlock)), i64(mainEnd));
  }
  if (mainEnd > 0) {
    vCount = plan->vUnroll;
    scf::ForOp loop = isDealt(v) ? openLoop(v, dealt(lower), upper, step * plan->threads, {})
                                 : openLoop(v, lower, upper, step, {}, mainEnd > (blocks.count - 1) * plan->vBlock);
    stepLoops.push_back(loop);
    if (plan->vMasked)
      emitInsideMasks(size);
    inner();
    insideMasks.clear();
    closeLoop(loop, {});
  }
  if (rest > 0) {
    vCount = (rest + plan->lanes - 1) / plan->lanes;
    if (rest % plan->lanes)
      emitPartialMask(rest % plan->lanes);
    if (blocks.index) {
      at(top());
      openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, blocks.index, i64(blocks.count - 1)));
    } else {
      openScope();
    }
    iv[v] = i64(mainEnd);
    ivLevel[v] = top();
    inner();
    blocks.index ? closeIf() : closeScope();
    partialMask = {};
  }
  leave(v);
}

/// The first lanes, so many of them, of the last vector along v.
void NestEmitter::emitPartialMask(int64_t count) {
  SmallVector<bool> bits;
  for (unsigned lane = 0; lane < plan->lanes; ++lane)
    bits.push_back(lane < count);
  auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI1Type());
  partialMask = constant(DenseElementsAttr::get(type, bits));
}

/// Lane numbers below what is left of v.
void NestEmitter::emitInsideMasks(int64_t size) {
  at(top());
  Value left = arith::SubIOp::create(b, i64(size), iv[plan->v]);
  if (!llvm::isInt<32>(size))
    left = arith::MinSIOp::create(b, left, i64(plan->lanes * vCount));
  left = arith::TruncIOp::create(b, b.getI32Type(), left);
  SmallVector<Value> masks;
  for (unsigned vo = 0; vo < vCount; ++vo)
    masks.push_back(lanesBelow(vo * plan->lanes, left));
  insideMasks = masks;
}

void NestEmitter::emitU(WorkBlocks blocks, function_ref<void()> inner) {
  int u = plan->u;
  uCount = 1;
  if (u < 0) {
    inner();
    return;
  }
  int64_t size = nest->sizes[u], step = plan->uUnroll;
  if (plan->apart) {
    emitApart(inner);
    return;
  }
  int64_t mainEnd = plan->uOverlaps ? size : size - size % step, rest = size - mainEnd;
  Value lower = i64(0), upper = i64(mainEnd);
  if (blocks.index) {
    at(top());
    lower = arith::MulIOp::create(b, blocks.index, i64(plan->uBlock));
    Value blockEnd = arith::AddIOp::create(b, lower, i64(plan->uBlock));
    upper = size % plan->uBlock == 0 ? blockEnd : arith::MinSIOp::create(b, blockEnd, i64(mainEnd)).getResult();
  }
  if (mainEnd > 0) {
    uCount = step;
    scf::ForOp loop = openLoop(u, lower, upper, step, {}, mainEnd > (blocks.count - 1) * plan->uBlock);
    if (plan->uOverlaps) {
      at(top());
      iv[u] = arith::MinSIOp::create(b, iv[u], i64(size - step));
    }
    inner();
    closeLoop(loop, {});
  }
  if (rest > 0) {
    uCount = rest;
    if (blocks.index) {
      at(top());
      openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, blocks.index, i64(blocks.count - 1)));
    } else {
      openScope();
    }
    iv[u] = i64(mainEnd);
    ivLevel[u] = top();
    inner();
    blocks.index ? closeIf() : closeScope();
  }
  leave(u);
}

/// The step of an item of work. The last items may lack the last iteration.
void NestEmitter::emitApart(function_ref<void()> inner) {
  int u = plan->u;
  int64_t mostBehind = (plan->uUnroll - 1) * plan->uDistance, whole = nest->sizes[u] - mostBehind;
  uCount = plan->uUnroll;
  if (whole == plan->uDistance) {
    inner();
    return;
  }
  at(top());
  Value isWhole = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, iv[u], i64(whole));
  Value isPart = arith::XOrIOp::create(b, isWhole, constant(b.getBoolAttr(true)));
  unsigned level = ivLevel[u];
  for (Value condition : {isWhole, isPart}) {
    openIf(condition);
    ivLevel[u] = top(); // what is at the last iteration is read in here
    inner();
    closeIf();
    --uCount;
  }
  ivLevel[u] = level;
}

/// What was computed for several vectors, one behind the other, each up to one of `ends`: an instruction of each in
/// turn, because those of one wait for each other. What the first one computed for all comes before.
static void interleave(Block &block, ArrayRef<Operation *> ends) {
  constexpr size_t shortest = 16; // of what is worth it
  SmallVector<SmallVector<Operation *>> parts;
  for (auto [before, end] : llvm::zip_equal(ends.drop_back(), ends.drop_front())) {
    if (before == end)
      return;
    SmallVector<Operation *> &part = parts.emplace_back();
    for (Operation *op = before ? before->getNextNode() : &block.front();; op = op->getNextNode()) {
      if (op->getNumRegions() > 0)
        return;
      part.push_back(op);
      if (op == end)
        break;
    }
  }
  size_t longest = 0;
  for (ArrayRef<Operation *> part : parts) {
    if (part.size() < shortest)
      return;
    longest = std::max(longest, part.size());
  }
  // Parts are the same from their ends on; some may lack what others have computed.
  SmallVector<Operation *> order;
  for (size_t fromEnd = longest; fromEnd > 0; --fromEnd)
    for (ArrayRef<Operation *> part : parts)
      if (fromEnd <= part.size())
        order.push_back(part[part.size() - fromEnd]);
  DenseMap<Operation *, size_t> places;
  for (auto [place, op] : llvm::enumerate(order))
    places[op] = place;
  for (auto [place, op] : llvm::enumerate(order))
    for (Value operand : op->getOperands())
      if (auto found = places.find(operand.getDefiningOp()); found != places.end() && found->second > place)
        return;
  Block::iterator behind = std::next(ends.back()->getIterator());
  for (Operation *op : order)
    op->moveBefore(&block, behind);
}

/// What `emit` makes for each vector of a step, an instruction of each in turn if they are many.
void NestEmitter::emitVectors(function_ref<void(unsigned vo)> emit) {
  at(top());
  Block *block = b.getInsertionBlock();
  auto last = [&] {
    at(top());
    return b.getInsertionPoint() == block->begin() ? nullptr : &*std::prev(b.getInsertionPoint());
  };
  SmallVector<Operation *> ends{last()};
  for (unsigned vo = 0; vo < vCount; ++vo) {
    emit(vo);
    ends.push_back(last());
  }
  if (plan->t < 0 && vCount > 1)
    interleave(*block, ends);
}

void NestEmitter::emitInstance() {
  if (nest->isScan()) {
    emitScan();
    return;
  }
  if (!nest->reductions.empty()) {
    emitPartitioned([&] { emitReductions(); });
    return;
  }
  auto emitAll = [&] {
    at(top());
    if (plan->apart)
      evaluateAll(nest->stores);
    emitVectors([&](unsigned vo) {
      for (unsigned uo = 0; uo < uCount; ++uo)
        emitStores(nest->stores, uo, vo);
    });
  };
  if (plan->t >= 0)
    emitAll();
  else
    emitPartitioned([&] { emitOnce(emitAll); });
}

/// What the iterations of a step store, before any of it is: loads wait for no store, nor for each other.
void NestEmitter::evaluateAll(ArrayRef<Store> stores) {
  for (unsigned vo = 0; vo < vCount; ++vo)
    for (unsigned uo = 0; uo < uCount; ++uo)
      for (const Store &store : stores) {
        evaluate(store.value, uo, vo);
        if (store.imaginary)
          evaluate(store.imaginary, uo, vo);
      }
}

/// All values before the first store: its memory may be what another value is computed from.
void NestEmitter::emitStores(ArrayRef<Store> stores, unsigned uo, unsigned vo) {
  SmallVector<std::pair<Emitted, Emitted>> stored;
  for (const Store &store : stores)
    stored.emplace_back(evaluate(store.value, uo, vo), store.imaginary ? evaluate(store.imaginary, uo, vo) : Emitted());
  for (size_t i = 0, count; i < stores.size(); i += count) {
    count = countColumns(stores.drop_front(i));
    auto [value, imaginary] = stored[i];
    if (count > 1)
      emitColumns(stores.slice(i, count), ArrayRef(stored).slice(i, count), uo, vo);
    else if (stores[i].imaginary)
      emitPair(stores[i], value, imaginary, uo, vo);
    else
      emitStore(stores[i], value, uo, vo);
  }
}
