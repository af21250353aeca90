// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's tiles: sums of products in blocks. For each block of k the columns of the item of work, and perhaps its
// rows, are packed; then tiles of running values walk them in registers. What is computed of the sums is computed tile
// by tile, behind the last block of k.

#include "mlir_xla/lowering/Pointers.h"
#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

Value NestEmitter::sum(Value lhs, Value rhs) { return arith::AddIOp::create(b, lhs, rhs); }
Value NestEmitter::difference(Value lhs, Value rhs) {
  return matchPattern(rhs, m_Zero()) ? lhs : arith::SubIOp::create(b, lhs, rhs).getResult();
}
Value NestEmitter::product(Value lhs, int64_t rhs) {
  return rhs == 1 ? lhs : arith::MulIOp::create(b, lhs, i64(rhs)).getResult();
}
Value NestEmitter::least(Value value, int64_t bound) { return arith::MinSIOp::create(b, value, i64(bound)); }

Value NestEmitter::elementAt(Value base, Type type, Value index, int64_t constantIndex) {
  Type pointerType = base.getType();
  if (index)
    base = LLVM::GEPOp::create(b, pointerType, type, base, ValueRange{index});
  if (constantIndex)
    base = elementPointer(b, b.getLoc(), base, type, constantIndex);
  return base;
}

/// A constant zero, or a vector of it.
static bool isZero(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    value = broadcast.getSource();
  return matchPattern(value, m_Zero());
}

/// Do sums of a block of k take so little time that it counts whether they are written and read once more?
static bool isShort(const TilePlan &tiles) { return tiles.instructions < 256; }

/// `visit` for [lower, upper) of k in steps; what remains of k at its very end, a constant, is a visit with less
/// copies.
void NestEmitter::walkSteps(unsigned dim, Value lower, Value upper, int64_t step, Value isLast,
                            function_ref<void()> visit) {
  int64_t size = nest->sizes[dim], rest = size % step;
  if (size > rest) {
    at(top());
    if (rest)
      upper = least(upper, size - rest);
    uCount = step;
    scf::ForOp loop = openLoop(dim, lower, upper, step, {});
    visit();
    closeLoop(loop, {});
    leave(dim);
  }
  if (!rest)
    return;
  uCount = rest;
  isLast ? openIf(isLast) : openScope();
  iv[dim] = i64(size - rest);
  ivLevel[dim] = top();
  visit();
  leave(dim);
  isLast ? closeIf() : closeScope();
}

/// The elements that a copy which transposes reads at a time: 128 bits. Shorter vectors gather each their own.
static unsigned chunkOf(Type type, unsigned lanes, int64_t steps) {
  unsigned chunk = 128 / type.getIntOrFloatBitWidth();
  return lanes % chunk == 0 && steps % chunk == 0 ? chunk : 1;
}

/// `visit` for the whole vectors of v in [lower, upper), and for what remains of v at its very end, behind them, if
/// `isLast`: of that, lanes that are inside are known, and what transposes reads no others.
void NestEmitter::overWholeVectors(Value lower, Value upper, Value isLast, function_ref<void()> visit) {
  int64_t size = nest->sizes[plan->v], lanesCount = plan->lanes, rest = size % lanesCount;
  at(top());
  if (rest)
    upper = least(upper, size - rest);
  scf::ForOp loop = openLoop(plan->v, lower, upper, lanesCount, {});
  visit();
  closeLoop(loop, {});
  leave(plan->v);
  if (!rest)
    return;
  isLast ? openIf(isLast) : openScope();
  iv[plan->v] = i64(size - rest);
  ivLevel[plan->v] = top();
  emitPartialMask(rest);
  visit();
  partialMask = {};
  leave(plan->v);
  isLast ? closeIf() : closeScope();
}

/// Lanes of 32 bits, each with the elements of `node` at consecutive steps of u, of which there are `uCount`, and
/// zeros.
Value NestEmitter::joinGroup(ExprNode *node, bool isSigned, unsigned vo) {
  unsigned bits = 32 / tiles->group;
  auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI32Type());
  auto splat = [&](int64_t value) {
    return constant(DenseElementsAttr::get(type, b.getI32IntegerAttr(value).getValue()));
  };
  Value joined;
  for (unsigned uo = 0; uo < uCount; ++uo) {
    Value part = lanes(evaluate(node, uo, vo)).value;
    at(top());
    if (isa<FloatType>(node->type))
      part = arith::BitcastOp::create(b, like(b.getIntegerType(bits), part), part);
    // The upper bits of the last one are shifted out; those of the others are not theirs.
    bool widens = isSigned && node->type.getIntOrFloatBitWidth() < bits;
    part = widens ? arith::ExtSIOp::create(b, type, part).getResult() : arith::ExtUIOp::create(b, type, part);
    if (widens && uo + 1 < tiles->group)
      part = arith::AndIOp::create(b, part, splat((int64_t(1) << bits) - 1));
    if (uo > 0)
      part = arith::ShLIOp::create(b, part, splat(uo * bits));
    joined = joined ? arith::OrIOp::create(b, joined, part).getResult() : part;
  }
  return joined;
}

/// The same of a load whose elements are neighbours along u: each lane reads its 32 bits. At the end of u those begin
/// earlier, and what came before is shifted out.
Value NestEmitter::gatherGroup(ExprNode *load, unsigned vo, bool isRest) {
  int64_t group = tiles->group, missing = isRest ? group - uCount : 0;
  auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI32Type());
  LaneAddress address = resolve(load->address, 0, vo);
  address.constant -= missing;
  Emitted base = pointer(load->buffer, load->type, address);
  at(top());
  Value pointers = lanePointers(load->buffer, load->type, address, base);
  Value mask = maskOf(vo);
  if (!mask)
    mask = constant(DenseElementsAttr::get(VectorType::get(type.getShape(), b.getI1Type()), true));
  Value zero = constant(cast<TypedAttr>(b.getZeroAttr(type)));
  Value read = LLVM::masked_gather::create(b, type, pointers, mask, ValueRange{zero}, b.getI32IntegerAttr(1));
  if (missing)
    read = arith::ShRUIOp::create(
        b, read, constant(DenseElementsAttr::get(type, b.getI32IntegerAttr(missing * 32 / group).getValue())));
  return read;
}

/// The columns of the block as [panel][step][vector], a panel being as wide as a tile. Rows of memory are walked along,
/// vector by vector: copies of the code for each of a panel gain nothing.
void NestEmitter::packColumns(const TileBlock &block) {
  NestPlan packing;
  packing.v = tiles->n;
  packing.lanes = tiles->lanes;
  packing.u = tiles->k;
  bool isGrouped = tiles->group > 1;
  ExprNode *load = Product::inMemory(tiles->b);
  bool alongK = load->kind == ExprNode::Load && strideAlong(load->address, tiles->k, 1) == 1 &&
                strideAlong(load->address, tiles->n, 1) != 1;
  // Copies of blocks that are no whole ones would write over what is packed behind.
  int64_t steps = TilePlan::stepsOfColumns(*load);
  bool areWhole = alongK && (tiles->kBlocks == 1 || tiles->kBlock % steps == 0);
  packing.uUnroll = isGrouped ? tiles->group : areWhole ? steps : TilePlan::kStepsOfCopy;
  packing.chunk = alongK && !isGrouped ? chunkOf(load->type, packing.lanes, packing.uUnroll) : 1;
  packing.vMasked = packing.chunk == 1 && tiles->masked && nest->sizes[tiles->n] % tiles->lanes != 0;
  packing.derive(*nest);
  plan = &packing;
  vCount = 1;
  Type lane = isGrouped ? b.getI32Type() : tiles->packedType;
  int64_t step = tiles->step();
  Value panel, first; // where a panel would begin, and its first column
  auto overColumns = [&](function_ref<void()> visit) {
    scf::ForOp panels = openLoop(-1, block.nLow, block.nHigh, step, {});
    panel = first = panels.getInductionVar();
    at(top());
    if (tiles->overlapsColumns)
      first = least(panel, nest->sizes[tiles->n] - step);
    // Masks are for vectors that begin inside; the others of the last panel hold whatever they do.
    Value end = sum(first, i64(step));
    if (packing.chunk > 1 && tiles->masked) {
      int64_t size = nest->sizes[tiles->n], whole = size - size % tiles->lanes;
      Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, end, i64(whole));
      overWholeVectors(panel, least(end, whole), isLast, visit);
      closeLoop(panels, {});
      return;
    }
    if (tiles->masked)
      end = least(end, llvm::alignTo(nest->sizes[tiles->n], tiles->lanes));
    scf::ForOp loop = openLoop(tiles->n, first, end, tiles->lanes, {}, /*nonEmpty=*/true);
    if (packing.vMasked)
      emitInsideMasks(nest->sizes[tiles->n]);
    visit();
    insideMasks.clear();
    closeLoop(loop, {});
    closeLoop(panels, {});
    leave(tiles->n);
  };
  auto overSteps = [&](function_ref<void()> visit) {
    walkSteps(tiles->k, block.kLow, block.kHigh, packing.uUnroll, block.isLast, visit);
  };
  auto copy = [&] {
    at(top());
    Value ofBlock = difference(panel, block.nLow), ofPanel = difference(iv[tiles->n], first);
    // The place of a group begins where its first step would.
    Value within = product(difference(iv[tiles->k], block.kLow), step / tiles->group);
    Value place = elementAt(block.columns, lane, sum(sum(product(ofBlock, tiles->instructions), within), ofPanel));
    unsigned alignment = elementAlignment(lane);
    if (isGrouped) {
      bool isRest = uCount < tiles->group;
      Value group = alongK && tiles->b->type.getIntOrFloatBitWidth() * tiles->group == 32
                        ? gatherGroup(tiles->b, 0, isRest)
                        : joinGroup(tiles->b, tiles->bSigned, 0);
      at(top());
      LLVM::StoreOp::create(b, group, place, alignment);
      if (tiles->isOffset())
        countColumns(block, sum(ofBlock, ofPanel), group);
      return;
    }
    for (unsigned uo = 0; uo < uCount; ++uo) {
      Value value = lanes(evaluate(tiles->b, uo, 0)).value;
      at(top());
      LLVM::StoreOp::create(b, value, elementAt(place, lane, {}, uo * step), alignment);
    }
  };
  openScope();
  if (alongK)
    overColumns([&] { overSteps(copy); });
  else
    overSteps([&] { overColumns(copy); });
  closeScope();
  if (tiles->usesTileRegisters())
    padColumns(block);
}

/// What the offset of the rows adds to the sums of each column is counted, negated, while the columns are packed:
/// running values begin there. It begins at zero.
void NestEmitter::clearColumnSums(const TileBlock &block) {
  Value zero = constant(cast<TypedAttr>(b.getZeroAttr(VectorType::get({tiles->lanes}, b.getI32Type()))));
  openScope();
  at(top());
  // A last panel that begins earlier is whole.
  Value count = difference(block.nHigh, block.nLow);
  if (tiles->overlapsColumns)
    count = product(arith::DivUIOp::create(b, sum(count, i64(tiles->step() - 1)), i64(tiles->step())), tiles->step());
  scf::ForOp loop = openLoop(-1, i64(0), count, tiles->lanes, {}, /*nonEmpty=*/true);
  at(top());
  LLVM::StoreOp::create(b, zero, elementAt(block.sums, b.getI32Type(), loop.getInductionVar()), 4);
  closeLoop(loop, {});
  closeScope();
}

/// A packed group of steps of some column of the block goes into that.
void NestEmitter::countColumns(const TileBlock &block, Value column, Value group) {
  auto sums = cast<VectorType>(group.getType());
  auto bytes = VectorType::get({4 * tiles->lanes}, b.getI8Type());
  Value offset = constant(DenseElementsAttr::get(bytes, static_cast<int8_t>(-128)));
  at(top());
  Value place = elementAt(block.sums, b.getI32Type(), column);
  Value before = LLVM::LoadOp::create(b, sums, place, 4);
  Value zero = constant(cast<TypedAttr>(b.getZeroAttr(sums)));
  Value added = multiplyAdd(zero, offset, LLVM::BitcastOp::create(b, bytes, group));
  LLVM::StoreOp::create(b, difference(before, added), place, 4);
}

/// Are elements of the rows neighbours in memory along m, and not along k?
static bool liesAcross(const TilePlan &tiles) {
  return tiles.a->kind == ExprNode::Load && strideAlong(tiles.a->address, tiles.m, 1) == 1 &&
         strideAlong(tiles.a->address, tiles.k, 1) != 1;
}

/// Are such rows transposed while they are packed, a few of them at a time?
static bool packsAcross(const TilePlan &tiles) { return tiles.packA && tiles.group == 1 && liesAcross(tiles); }

/// The rows of the block, one after the other as they are along k.
void NestEmitter::packRows(const TileBlock &block) {
  Type element = tiles->packedType;
  bool transposed = packsAcross(*tiles), alongM = !transposed && liesAcross(*tiles);
  NestPlan packing;
  packing.v = alongM ? tiles->m : tiles->k;
  packing.lanes = alongM ? tiles->lanes : tiles->lanesOfRows;
  // Vectors begin where blocks do.
  bool inBlocks = alongM ? tiles->mBlocks > 1 : tiles->kBlocks > 1;
  int64_t length = alongM ? tiles->mBlock : tiles->kBlock;
  bool isCut = inBlocks && (length % packing.lanes != 0 || (alongM && tiles->overlaps));
  // Vectors of narrow floats have masks on few processors.
  bool isRestApart = (transposed || Product::inMemory(tiles->a) != tiles->a) && !isCut;
  packing.vMasked = isCut || (!isRestApart && nest->sizes[packing.v] % packing.lanes != 0);
  packing.u = alongM ? tiles->k : tiles->m;
  packing.uUnroll = alongM ? tiles->group : transposed ? TilePlan::kStepsOfCopy : 1;
  packing.chunk = transposed ? chunkOf(element, packing.lanes, packing.uUnroll) : 1;
  packing.derive(*nest);
  plan = &packing;
  uCount = vCount = 1;
  int64_t lanesCount = packing.lanes;
  auto overLanes = [&](Value lower, Value upper, function_ref<void()> visit) {
    if (isRestApart)
      return overWholeVectors(lower, upper, block.isLast, visit);
    scf::ForOp loop = openLoop(packing.v, lower, upper, lanesCount, {});
    if (packing.vMasked)
      emitInsideMasks(nest->sizes[packing.v]);
    visit();
    insideMasks.clear();
    closeLoop(loop, {});
    leave(packing.v);
  };
  auto place = [&]() -> Value {
    at(top());
    Value row = product(difference(iv[tiles->m], block.packedLow), tiles->pitchA);
    return elementAt(block.rows, element, sum(row, difference(iv[tiles->k], block.kLow)));
  };
  auto flipped = [&](Value value) -> Value {
    if (!tiles->isOffset())
      return value;
    auto type = cast<VectorType>(value.getType());
    APInt signs = APInt::getSplat(type.getElementTypeBitWidth(), APInt(8, 0x80));
    return arith::XOrIOp::create(b, value, constant(DenseElementsAttr::get(type, signs)));
  };
  openScope();
  if (tiles->usesTileRegisters())
    padRows(block, alongM ? 1 : packing.lanes);
  if (alongM) {
    auto lanesType = VectorType::get({lanesCount}, b.getI64Type());
    SmallVector<int64_t> rows;
    for (int64_t lane = 0; lane < lanesCount; ++lane)
      rows.push_back(lane * tiles->pitchA);
    Value offsets = constant(DenseElementsAttr::get(lanesType, ArrayRef<int64_t>(rows)));
    Value all = constant(DenseElementsAttr::get(VectorType::get({lanesCount}, b.getI1Type()), true));
    walkSteps(tiles->k, block.kLow, block.kHigh, tiles->group, block.isLast, [&] {
      overLanes(block.mLow, block.mHigh, [&] {
        Value group = flipped(joinGroup(tiles->a, tiles->aSigned, 0));
        Value base = place();
        Value pointers =
            LLVM::GEPOp::create(b, VectorType::get({lanesCount}, base.getType()), element, base, ValueRange{offsets});
        LLVM::masked_scatter::create(b, group, pointers, all, b.getI32IntegerAttr(4));
      });
    });
  } else if (transposed) {
    // Steps may reach beyond the block, but not beyond the last row, before which the last one begins early enough.
    int64_t size = nest->sizes[tiles->m];
    uCount = std::min<int64_t>(packing.uUnroll, size);
    overLanes(block.kLow, block.kHigh, [&] {
      scf::ForOp loop = openLoop(tiles->m, block.packedLow, block.mHigh, uCount, {});
      at(top());
      iv[tiles->m] = least(iv[tiles->m], size - uCount);
      Value first = place();
      for (unsigned uo = 0; uo < uCount; ++uo) {
        Value value = lanes(evaluate(tiles->a, uo, 0)).value;
        at(top());
        LLVM::StoreOp::create(b, value, elementAt(first, element, {}, uo * tiles->pitchA), elementAlignment(element));
      }
      closeLoop(loop, {});
      leave(tiles->m);
    });
  } else {
    scf::ForOp loop = openLoop(tiles->m, block.mLow, block.mHigh, 1, {});
    overLanes(block.kLow, block.kHigh, [&] {
      Value value = lanes(evaluate(tiles->a, 0, 0)).value;
      at(top());
      if (Type type = like(element, value); isa<IntegerType>(element) && type != value.getType())
        value = tiles->aSigned ? arith::ExtSIOp::create(b, type, value).getResult()
                               : arith::ExtUIOp::create(b, type, value).getResult();
      value = flipped(value);
      LLVM::StoreOp::create(b, value, place(), elementAlignment(element));
    });
    closeLoop(loop, {});
    leave(tiles->m);
  }
  closeScope();
}

/// `running` plus, in each lane of 32 bits, the products of the parts of `rows` and `columns`.
Value NestEmitter::multiplyAdd(Value running, Value rows, Value columns) {
  int64_t lanesCount = tiles->lanes;
  std::string bits = std::to_string(lanesCount * 32);
  std::string name = tiles->instruction == ProductInstruction::Vpdpbusd    ? "llvm.x86.avx512.vpdpbusd." + bits
                     : tiles->instruction == ProductInstruction::Vdpbf16ps ? "llvm.x86.avx512bf16.dpbf16ps." + bits
                     : lanesCount == 16                                    ? "llvm.x86.avx512.pmaddw.d.512"
                     : lanesCount == 8                                     ? "llvm.x86.avx2.pmadd.wd"
                                                                           : "llvm.x86.sse2.pmadd.wd";
  SmallVector<Value> operands{rows, columns};
  if (tiles->instruction == ProductInstruction::Vpdpbusd) {
    // The first factor is the unsigned one. Where both would be, or none, the rows are the other.
    bool columnsFirst = !tiles->bSigned;
    if (columnsFirst)
      std::swap(operands[0], operands[1]);
  }
  bool addsPairs = tiles->instruction == ProductInstruction::Pmaddwd;
  if (!addsPairs)
    operands.insert(operands.begin(), running);
  Value result = LLVM::CallIntrinsicOp::create(b, running.getType(), b.getStringAttr(name), operands).getResult(0);
  return addsPairs ? sum(running, result) : result;
}

/// The steps of k from `lower` to `upper` for one tile, whose packed operands begin at `columns` and `rows`: so many of
/// the instructions' in each turn of a loop.
void NestEmitter::emitProducts(Value lower, Value upper, int64_t ofTurn, bool nonEmpty, Value columns, Value rows,
                               SmallVectorImpl<Value> &running) {
  int64_t group = tiles->group;
  scf::ForOp loop = openLoop(tiles->k, lower, upper, ofTurn * group, running, nonEmpty);
  running.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  for (int64_t part = 0; part < ofTurn; ++part) {
    openScope();
    at(top());
    iv[tiles->k] = part ? sum(loop.getInductionVar(), i64(part * group)) : loop.getInductionVar();
    emitStepOfProducts(columns, rows, running);
    closeScope();
    leave(tiles->k);
  }
  closeLoop(loop, running);
  running.assign(loop.getResults().begin(), loop.getResults().end());
}

/// Multiplies a step of k, or a group of them.
void NestEmitter::emitStepOfProducts(Value columns, Value rows, SmallVectorImpl<Value> &running) {
  int64_t group = tiles->group, step = tiles->step();
  Type lane = group > 1 ? b.getI32Type() : tiles->packedType;
  if (tiles->packB) {
    columns = elementAt(columns, lane, product(iv[tiles->k], step / group));
    if (tiles->prefetch)
      for (int64_t line = 0; line < step * lane.getIntOrFloatBitWidth() / 512; ++line)
        LLVM::Prefetch::create(
            b, elementAt(columns, lane, {}, tiles->prefetch * step + line * 512 / lane.getIntOrFloatBitWidth()),
            /*rw=*/0, /*hint=*/3, /*cache=*/1);
  }
  if (tiles->packA)
    rows = elementAt(rows, tiles->packedType, iv[tiles->k]);
  auto rowAt = [&](unsigned uo) { return elementAt(rows, tiles->packedType, {}, uo * tiles->pitchA); };
  if (group == 1) {
    auto type = VectorType::get({tiles->lanes}, tiles->packedType);
    unsigned alignment = elementAlignment(tiles->packedType);
    for (unsigned uo = 0; tiles->packA && uo < uCount; ++uo)
      define(tiles->a, uo, 0, LLVM::LoadOp::create(b, tiles->packedType, rowAt(uo), alignment));
    emitAccumulation(running, [&](unsigned vo) {
      if (tiles->packB)
        define(tiles->b, 0, vo,
               LLVM::LoadOp::create(b, type, elementAt(columns, lane, {}, vo * tiles->lanes), alignment));
    });
    return;
  }
  auto parts = VectorType::get({tiles->lanes * group}, tiles->packedType);
  auto lanesType = VectorType::get({tiles->lanes}, lane);
  SmallVector<Value> vectors;
  for (unsigned vo = 0; vo < vCount; ++vo)
    vectors.push_back(LLVM::LoadOp::create(b, parts, elementAt(columns, lane, {}, vo * tiles->lanes), 4));
  for (unsigned uo = 0; uo < uCount; ++uo) {
    Value row = LLVM::LoadOp::create(b, lane, rowAt(uo), elementAlignment(tiles->packedType));
    row = LLVM::BitcastOp::create(b, parts, vector::BroadcastOp::create(b, lanesType, row));
    for (unsigned vo = 0; vo < vCount; ++vo) {
      Value &value = slotOf(running, 0, 0, uo, vo);
      value = multiplyAdd(value, row, vectors[vo]);
    }
  }
}

/// The block of k for one tile. Where a step has few products of packed floats, counting takes as long as some of them:
/// a turn of the loop has two steps. Not by vectors of 128 bits, for which products and sums may be two instructions:
/// what one hands to the other has no register then.
void NestEmitter::emitProducts(const TileBlock &block, Value columns, Value rows, SmallVectorImpl<Value> &running) {
  constexpr int64_t fewProducts = 12, stepsOfTurn = 2, fewSteps = 4, leastBits = 256;
  int64_t group = tiles->group, size = nest->sizes[tiles->k];
  at(top());
  Value lower = block.kLow, upper = block.kHigh;
  if (size % group)
    upper = product(arith::DivUIOp::create(b, sum(upper, i64(group - 1)), i64(group)), group);
  bool isNarrow = tiles->lanes * tiles->packedType.getIntOrFloatBitWidth() < leastBits;
  if (!tiles->packB || group > 1 || isNarrow || uCount * vCount > fewProducts ||
      std::min(size, tiles->kBlock) < fewSteps)
    return emitProducts(lower, upper, /*ofTurn=*/1, /*nonEmpty=*/true, columns, rows, running);
  if (size % stepsOfTurn == 0 && tiles->kBlock % stepsOfTurn == 0)
    return emitProducts(lower, upper, stepsOfTurn, /*nonEmpty=*/true, columns, rows, running);
  bool isOneBlock = tiles->kBlocks == 1;
  Value turns = arith::DivUIOp::create(b, difference(upper, lower), i64(stepsOfTurn));
  Value rest = sum(lower, product(turns, stepsOfTurn));
  emitProducts(lower, rest, stepsOfTurn, /*nonEmpty=*/isOneBlock, columns, rows, running);
  emitProducts(rest, upper, /*ofTurn=*/1, /*nonEmpty=*/isOneBlock, columns, rows, running);
}

/// A tile of running values, for one block of k; its row and column are known. Behind the last block its results are.
void NestEmitter::emitTile(const TileBlock &block) {
  Reduction &reduction = nest->reductions[0];
  int64_t step = tiles->step();
  bool inParts = tiles->kBlocks > 1;
  at(top());
  Value column, row;
  if (tiles->packB || inParts || tiles->isOffset())
    column = difference(block.column, block.nLow);
  if (inParts)
    row = difference(iv[tiles->m], block.mLow);
  Type lane = tiles->group > 1 ? b.getI32Type() : tiles->packedType;
  // Packed operands are addressed by k, which may begin in the middle.
  Value columns, rows;
  if (tiles->packB) {
    Value first = product(column, tiles->instructions);
    if (tiles->kBlocks > 1)
      first = difference(first, product(arith::DivUIOp::create(b, block.kLow, i64(tiles->group)), step));
    columns = elementAt(block.columns, lane, first);
  }
  if (tiles->packA) {
    Value first = product(difference(iv[tiles->m], block.packedLow), tiles->pitchA);
    if (tiles->kBlocks > 1)
      first = difference(first, block.kLow);
    rows = elementAt(block.rows, tiles->packedType, first);
  }
  Type sumType = reduction.inits[0]->type;
  Value place = block.running;
  if (inParts) {
    // Tiles overlap in memory, but each has running values of its own.
    at(top());
    Value tileRow = arith::DivUIOp::create(b, sum(row, i64(tiles->rows - 1)), i64(tiles->rows));
    place =
        elementAt(place, sumType, sum(product(tileRow, tiles->rows * tiles->columns), product(column, tiles->rows)));
  }
  auto sums = VectorType::get({tiles->lanes}, sumType);
  unsigned alignment = elementAlignment(sumType);
  auto initial = [&](unsigned uo, unsigned vo) { return lanes(evaluate(reduction.inits[0], uo, vo)).value; };
  auto beginSums = [&] {
    if (!inParts)
      return;
    openIf(block.isFirst);
    overRowsOfTile([&](Value offset) {
      Value ofRow = elementAt(place, sumType, offset);
      for (unsigned vo = 0; vo < vCount; ++vo) {
        Value value = initial(0, vo);
        at(top());
        LLVM::StoreOp::create(b, value, elementAt(ofRow, sumType, {}, vo * tiles->lanes), alignment);
      }
    });
    closeIf();
  };
  if (tiles->usesTileRegisters()) {
    emitTileProducts(block, columns, rows);
    if (tiles->storesTiles)
      return;
    beginSums();
    emitTileSums(block, place);
    return;
  }
  // All rows begin with the same offsets.
  SmallVector<Value> offsets;
  for (unsigned vo = 0; tiles->isOffset() && vo < vCount; ++vo) {
    at(top());
    Value offset = elementAt(elementAt(block.sums, sumType, column), sumType, {}, vo * tiles->lanes);
    offsets.push_back(LLVM::LoadOp::create(b, sums, offset, alignment));
  }
  SmallVector<Value> running;
  for (unsigned uo = 0; uo < uCount; ++uo)
    for (unsigned vo = 0; vo < vCount; ++vo) {
      Value value = inParts ? lanes({neutral(vector::CombiningKind::ADD, sumType), 0}).value : initial(uo, vo);
      if (tiles->isOffset()) {
        at(top());
        value = isZero(value) ? offsets[vo] : sum(value, offsets[vo]);
      }
      running.push_back(value);
    }
  emitProducts(block, columns, rows, running);
  bool isHidden = tiles->byRows && !inParts && (!isShort(*tiles) || rollsEpilogue()) && uCount * vCount > 1;
  if (isHidden || (!tiles->byRows && rollsEpilogue())) {
    emitRolledEpilogue(running);
    return;
  }
  if (!tiles->byRows) {
    for (unsigned uo = 0; uo < uCount; ++uo)
      for (unsigned vo = 0; vo < vCount; ++vo)
        values[Key(reduction.results[0], uo, vo)] = {slotOf(running, 0, 0, uo, vo), top()};
    emitEpilogue(vCount);
    return;
  }
  beginSums();
  at(top());
  for (unsigned uo = 0; uo < uCount; ++uo)
    for (unsigned vo = 0; vo < vCount; ++vo) {
      Value value = slotOf(running, 0, 0, uo, vo);
      bool isAdded = inParts && isShort(*tiles);
      Value address = elementAt(isAdded ? place : block.tile, sumType, {}, (uo * vCount + vo) * tiles->lanes);
      if (isAdded) {
        Value before = LLVM::LoadOp::create(b, sums, address, alignment);
        value = isa<FloatType>(sumType) ? arith::AddFOp::create(b, before, value).getResult() : sum(before, value);
      }
      LLVM::StoreOp::create(b, value, address, alignment);
    }
  emitTileSums(block, place);
}

/// A loop over the rows of a tile: `visit` with the place of each among the tile's sums.
void NestEmitter::overRowsOfTile(function_ref<void(Value offset)> visit) {
  Value first = iv[tiles->m];
  unsigned level = ivLevel[tiles->m], count = std::exchange(uCount, 1);
  leave(tiles->m);
  at(top());
  scf::ForOp loop = openLoop(tiles->m, first, sum(first, i64(count)), 1, {}, /*nonEmpty=*/true);
  at(top());
  visit(product(difference(iv[tiles->m], first), tiles->step()));
  closeLoop(loop, {});
  leave(tiles->m);
  iv[tiles->m] = first;
  ivLevel[tiles->m] = level;
  uCount = count;
}

/// Adds what `block.tile` holds to the sums of the blocks of k before, which are at `place`, unless it is in them, and
/// computes what follows from them behind the last one: row by row, so that the code is there once.
void NestEmitter::emitTileSums(const TileBlock &block, Value place) {
  Reduction &reduction = nest->reductions[0];
  ExprNode *initial = reduction.inits[0];
  Type sumType = initial->type;
  auto sums = VectorType::get({tiles->lanes}, sumType);
  unsigned alignment = elementAlignment(sumType);
  auto first = [&](unsigned vo) { return lanes(evaluate(initial, 0, vo)).value; };
  auto add = [&](Value before, Value value) {
    return isa<FloatType>(sumType) ? arith::AddFOp::create(b, before, value).getResult() : sum(before, value);
  };
  auto part = [&](Value row, unsigned vo) { return elementAt(row, sumType, {}, vo * tiles->lanes); };
  auto load = [&](Value row, unsigned vo) {
    return LLVM::LoadOp::create(b, sums, part(row, vo), alignment).getResult();
  };
  bool inParts = tiles->kBlocks > 1;
  // Tile registers begin at zero, other running values where the sum does.
  bool isInitialLeft = tiles->usesTileRegisters() && !inParts && !tiles->beginsAtZero;
  bool areAdded = inParts && isShort(*tiles) && !tiles->usesTileRegisters();
  if (areAdded)
    openIf(block.isLast);
  overRowsOfTile([&](Value offset) {
    Value row = elementAt(areAdded ? place : block.tile, sumType, offset);
    Value before = inParts && !areAdded ? elementAt(place, sumType, offset) : Value();
    SmallVector<Value> totals;
    for (unsigned vo = 0; vo < vCount; ++vo) {
      Value value = load(row, vo);
      if (before) {
        value = add(load(before, vo), value);
        LLVM::StoreOp::create(b, value, part(before, vo), alignment);
      } else if (isInitialLeft) {
        Value start = first(vo);
        at(top());
        value = add(start, value);
      }
      totals.push_back(value);
    }
    if (before)
      openIf(block.isLast);
    for (auto [vo, value] : llvm::enumerate(totals))
      values[Key(reduction.results[0], 0, vo)] = {value, top()};
    emitEpilogue(vCount);
    if (before)
      closeIf();
  });
  if (areAdded)
    closeIf();
}

void NestEmitter::emitTiles(LoopNest &theNest, const TilePlan &theTiles, Value scratch, Value begin, WorkBlocks nBlocks,
                            WorkBlocks mBlocks) {
  nest = &theNest;
  tiles = &theTiles;
  NestPlan registers = tiles->tilePlan(*nest);
  plan = &registers;
  openScope();
  nestLevel = top();
  at(0);
  TileBlock block;
  auto area = [&](int64_t offset) { return elementAt(scratch, b.getI8Type(), {}, offset); };
  if (scratch) {
    block.columns = area(tiles->columnsOffset);
    block.sums = area(tiles->sumsOffset);
    block.rows = area(tiles->rowsOffset);
    block.running = area(tiles->runningOffset);
    block.tile = area(tiles->tileOffset);
    if (tiles->usesTileRegisters())
      openTileRegisters(area(tiles->shapesOffset));
  }
  int64_t sizeM = nest->sizes[tiles->m], sizeN = nest->sizes[tiles->n], sizeK = nest->sizes[tiles->k];
  at(top());
  auto bounds = [&](const WorkBlocks &blocks, int64_t size, int64_t length, Value &low, Value &high) {
    low = i64(0);
    high = i64(size);
    if (!blocks.index)
      return;
    low = product(blocks.index, length);
    high = size % length ? least(sum(low, i64(length)), size) : sum(low, i64(length));
  };
  bounds(mBlocks, sizeM, tiles->mBlock, block.mLow, block.mHigh);
  bounds(nBlocks, sizeN, tiles->nBlock, block.nLow, block.nHigh);
  // Whole tiles only: the last one begins earlier.
  if (tiles->overlaps && mBlocks.index)
    block.mLow = least(block.mLow, sizeM - tiles->rows);
  block.packedLow = block.mLow;
  if (mBlocks.index && packsAcross(*tiles))
    block.packedLow = least(block.mLow, std::max<int64_t>(sizeM - TilePlan::kStepsOfCopy, 0));
  block.kLow = i64(0);
  block.kHigh = i64(sizeK);
  scf::ForOp overK;
  if (tiles->kBlocks > 1) {
    overK = openLoop(-1, i64(0), i64(sizeK), tiles->kBlock, {}, /*nonEmpty=*/true);
    at(top());
    block.kLow = overK.getInductionVar();
    Value end = sum(block.kLow, i64(tiles->kBlock));
    block.kHigh = sizeK % tiles->kBlock ? least(end, sizeK) : end;
    block.isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, block.kLow, i64(0));
    block.isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, end, i64(sizeK));
  }
  if (tiles->packB) {
    // Items of neighbouring rows share the columns: scratch memory begins with what a worker has packed last.
    bool isShared = mBlocks.index && tiles->kBlocks == 1;
    if (isShared) {
      at(0);
      Value none = i64(-1), before = LLVM::LoadOp::create(b, b.getI64Type(), scratch, 8);
      Value isNew = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, begin, i64(0));
      LLVM::StoreOp::create(b, arith::SelectOp::create(b, isNew, none, before), scratch, 8);
      at(top());
      Value which = difference(workLoop.getInductionVar(), mBlocks.index);
      Value packed = LLVM::LoadOp::create(b, b.getI64Type(), scratch, 8);
      openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::ne, packed, which));
      at(top());
      LLVM::StoreOp::create(b, which, scratch, 8);
    }
    if (tiles->isOffset())
      clearColumnSums(block);
    packColumns(block);
    if (isShared)
      closeIf();
  }
  if (tiles->packA)
    packRows(block);

  plan = &registers;
  uCount = tiles->rows;
  vCount = vSlots = tiles->vectors;
  scf::ForOp overRows = openLoop(tiles->m, block.mLow, block.mHigh, tiles->rows, {});
  if (tiles->overlaps) {
    at(top());
    iv[tiles->m] = least(iv[tiles->m], sizeM - tiles->rows);
  }
  scf::ForOp overColumns = openLoop(tiles->n, block.nLow, block.nHigh, tiles->step(), {});
  block.column = overColumns.getInductionVar();
  if (tiles->overlapsColumns) {
    at(top());
    iv[tiles->n] = least(block.column, sizeN - tiles->step());
  }
  if (tiles->masked)
    emitInsideMasks(sizeN);
  emitTile(block);
  insideMasks.clear();
  closeLoop(overColumns, {});
  closeLoop(overRows, {});
  if (overK)
    closeLoop(overK, {});
  for (size_t dim = 0; dim < nest->sizes.size(); ++dim)
    iv[dim] = {};
  closeScope();
  stored.insert(storing.begin(), storing.end());
  tiles = nullptr;
}
