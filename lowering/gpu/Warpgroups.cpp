// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BlockEmitter for sm_90a. One warpgroup has the tensor memory accelerator bring tiles into a ring of stages; the
// others multiply them where they are (wgmma), so that registers hold nothing but sums. Two barriers for each stage say
// that it is full and, if another tile comes there, that it is empty. Whatever lies beyond the end of a factor arrives
// as zeros.

#include "mlir_xla/lowering/gpu/BlockEmitter.h"

#include "mlir_xla/lowering/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xla;

/// What swizzled lines of 128 bytes repeat after: eight of them.
static constexpr int64_t kLines = 8, kRepeat = kLines * BlocksPlan::kLine;
/// Rows, and bytes along k, that an instruction multiplies.
static constexpr int64_t kRows = 64, kStepBytes = 32;

/// Each on a line of its own.
void BlockEmitter::instructions(StringRef text, StringRef operands, ValueRange values) {
  at(top());
  std::string constraints = (operands + (operands.empty() ? "" : ",") + "~{memory}").str();
  LLVM::InlineAsmOp::create(b, TypeRange(), values, text, constraints, /*has_side_effects=*/true,
                            /*is_align_stack=*/false, LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
}

Value BlockEmitter::readRegister(StringRef name) {
  return LLVM::InlineAsmOp::create(b, b.getI32Type(), ValueRange(), ("mov.u32 $0, " + name + ";").str(), "=r",
                                   /*has_side_effects=*/false, /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), ArrayAttr())
      .getRes();
}

//===- The ring ---------------------------------------------------------------------------------------------------===//

/// The stage of a tile of k.
BlockEmitter::Turn BlockEmitter::turnOf(Value number) {
  at(top());
  Type i32Type = b.getI32Type();
  number = arith::TruncIOp::create(b, i32Type, number);
  Value stages = i32(blocks->stages);
  Value index = arith::RemUIOp::create(b, number, stages), round = arith::DivUIOp::create(b, number, stages);
  auto placed = [&](int64_t offset, int64_t bytes) -> Value {
    Value place = arith::MulIOp::create(b, index, i32(bytes));
    return arith::AddIOp::create(b, arith::AddIOp::create(b, sharedAddress, i32(offset)), place);
  };
  int64_t full = blocks->barrierOffset(), empty = full + blocks->stages * BlocksPlan::kBarrier;
  return {placed(0, blocks->stageBytes()), placed(full, BlocksPlan::kBarrier), placed(empty, BlocksPlan::kBarrier),
          arith::AndIOp::create(b, round, i32(1))};
}

/// Of a phase that is not over, the barrier is asked again.
void BlockEmitter::waitFor(Value barrier, Value phase) {
  instructions("{\n.reg .pred p;\nagain:\nsetp.ne.b32 p, $0, 0;\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1;\n@!p bra again;\n}",
               "r,r", {barrier, phase});
}

void BlockEmitter::initBarriers() {
  openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, i64(0)));
  at(top());
  // Each warp that multiplies says for itself that it has read a stage, to all blocks that write there.
  int64_t warps = blocks->threads / BlocksAttr::kWarp * blocks->cluster;
  for (int64_t i = 0; i < blocks->barriers(); ++i)
    instructions(llvm::formatv("mbarrier.init.shared::cta.b64 [$0], {0};", i < blocks->stages ? 1 : warps).str(), "r",
                 {arith::AddIOp::create(b, sharedAddress, i32(blocks->barrierOffset() + i * BlocksPlan::kBarrier))});
  instructions("fence.mbarrier_init.release.cluster;");
  closeIf();
  if (blocks->cluster > 1)
    return meetCluster();
  instructions("bar.sync 0;");
}

void BlockEmitter::meetCluster() {
  instructions("barrier.cluster.arrive;");
  instructions("barrier.cluster.wait;");
}

Value BlockEmitter::numberOfTiles() {
  if (blocks->split == 1)
    return i64(blocks->k.tiles());
  Value steps = arith::SubIOp::create(b, kEnd, kFirst);
  return divide(add(steps, blocks->k.tile - 1), blocks->k.tile);
}

/// One thread asks for everything.
void BlockEmitter::bringTiles() {
  at(top());
  openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, i64(blocks->threads)));
  at(top());
  scf::ForOp loop = openLoop(-1, i64(0), numberOfTiles(), 1, {}, /*nonEmpty=*/true);
  Turn turn = turnOf(loop.getInductionVar());
  if (blocks->refillsStages()) {
    openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::sge, loop.getInductionVar(), i64(blocks->stages)));
    at(top());
    waitFor(turn.empty, arith::XOrIOp::create(b, turn.phase, i32(1)));
    closeIf();
  }
  instructions(llvm::formatv("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], {0};", blocks->stageBytes()).str(),
               "r", {turn.full});
  Value kLow = add(kFirst, product(loop.getInductionVar(), blocks->k.tile));
  bringBoxes(blocks->a, turn.stage, turn.full, kLow);
  Value columns = arith::AddIOp::create(b, turn.stage, i32(blocks->a.bytes()));
  bringBoxes(blocks->b, columns, turn.full, kLow);
  closeLoop(loop, {});
  closeIf();
}

/// Where a box begins, of a factor whose dimensions stand.
Value BlockEmitter::placeOf(const TensorBox &box, const TensorDim &tensorDim) {
  if (tensorDim.dim < 0)
    return i64(0);
  Value index = iv[tensorDim.dim];
  if (tensorDim.size < nest->sizes[tensorDim.dim] && &tensorDim == &box.dims.front())
    return modulo(index, tensorDim.size);
  if (!box.pixels && tensorDim.isBackwards)
    index = arith::SubIOp::create(b, i64(tensorDim.size - 1), index);
  return add(product(index, tensorDim.step), tensorDim.lower);
}

/// How far the window is from there, in pixels.
Value BlockEmitter::offsetOf(const TensorDim &pixels) {
  if (pixels.window < 0)
    return i64(0);
  Value index = divide(iv[pixels.window], pixels.windowPart);
  if (pixels.isBackwards)
    index = arith::SubIOp::create(b, i64(nest->sizes[pixels.window] - 1), index);
  return product(index, pixels.windowStep);
}

/// Boxes of what a cluster shares are asked for in turn, and come to the same place in all of its blocks.
void BlockEmitter::bringBoxes(const BlockPanel &panel, Value stage, Value barrier, Value kLow) {
  bool isA = &panel == &blocks->a, isShared = !isA && blocks->cluster > 1;
  const TensorBox &box = panel.box;
  const BlockDim &own = isA ? blocks->m : blocks->n;
  int64_t width = own.tile / box.count, sharedBy = isShared ? blocks->cluster : 1;
  for (int64_t number = 0; number < box.count; number += sharedBy) {
    at(top());
    Value index = i64(number);
    if (isShared)
      index = add(arith::ExtUIOp::create(b, b.getI64Type(), rank), number);
    SmallVector<Value> values{
        arith::AddIOp::create(b, stage,
                              arith::TruncIOp::create(b, b.getI32Type(), product(index, panel.bytes() / box.count))),
        maps[isA ? 0 : 1], barrier};
    std::string operands = "r,l,r";
    auto operand = [&](Value value, Type type, StringRef constraint) {
      values.push_back(arith::TruncIOp::create(b, type, value));
      operands += ("," + constraint).str();
      return "$" + std::to_string(values.size() - 1);
    };
    bind(own, add(isA ? mLow : nLow, product(index, width)), top());
    bind(blocks->k, kLow, top());
    SmallVector<std::string> places, offsets;
    for (const TensorDim &each : box.dims)
      places.push_back(operand(placeOf(box, each), b.getI32Type(), "r"));
    if (box.pixels)
      for (const TensorDim &each : ArrayRef(box.dims).drop_front().drop_back())
        offsets.push_back(operand(offsetOf(each), b.getI16Type(), "h"));
    unbind(own);
    unbind(blocks->k);
    std::string to = llvm::formatv(" [$0], [$1, {{{0}}], [$2]", llvm::join(places, ", ")).str();
    if (box.pixels)
      to += ", {" + llvm::join(offsets, ", ") + "}";
    if (isShared) {
      to = ".multicast::cluster" + to + ", $" + std::to_string(values.size());
      operands += ",h";
      values.push_back(constant(b.getI16IntegerAttr((1 << blocks->cluster) - 1)));
    }
    instructions(llvm::formatv("cp.async.bulk.tensor.{0}d.shared::cluster.global{1}.mbarrier::complete_tx::bytes{2};",
                               box.dims.size(), box.pixels ? ".im2col" : "", to)
                     .str(),
                 operands, values);
  }
}

//===- Products ---------------------------------------------------------------------------------------------------===//

static StringRef nameOf(Type type, bool isSigned) {
  return type.isBF16() ? "bf16" : type.isF16() ? "f16" : type.isF32() ? "tf32" : isSigned ? "s8" : "u8";
}

/// How a panel lies in shared memory, for the instruction: but for where it begins.
static uint64_t descriptorOf(const BlockPanel &panel) {
  constexpr uint64_t swizzledBy128 = 1, unit = 16;
  // Along k, groups of eight lines; else also how far apart lines of the next rows are.
  uint64_t leading = panel.alongK ? 1 : panel.outer * BlocksPlan::kLine / unit;
  return swizzledBy128 << 62 | uint64_t(kRepeat / unit) << 32 | leading << 16;
}

/// From one step along k to the next, and from some rows to the next, in units of 16 bytes.
static int64_t stepOf(const BlockPanel &panel) {
  return (panel.alongK ? kStepBytes : kStepBytes / panel.elementBytes * BlocksPlan::kLine) / 16;
}
static int64_t bytesOfRows(const BlockPanel &panel, int64_t rows) {
  return panel.alongK ? rows * BlocksPlan::kLine
                      : rows * panel.elementBytes / BlocksPlan::kLine * panel.outer * BlocksPlan::kLine;
}

/// The text of all products of a tile, and what comes behind them. Operands: the sums, again as those before, where
/// rows and columns begin.
std::string BlockEmitter::productsOfTile(StringRef behind) {
  const Reduction &reduction = nest->reductions[0];
  Product factors = *matchProduct(*nest);
  if (tensorFactor(reduction, factors.left) != blocks->a.factor)
    std::swap(factors.left, factors.right);
  const BlockPanel *panels[] = {&blocks->a, &blocks->b};
  std::string types, flags;
  for (auto [panel, factor] : llvm::zip_equal(panels, std::array{factors.left, factors.right})) {
    bool isSigned = panel->type.isInteger() && Product::isSigned(factor);
    types += ("." + nameOf(panel->type, isSigned)).str();
    if (panel->elementBytes == 2)
      flags += panel->alongK ? ", 0" : ", 1";
  }
  int64_t fragments = blocks->rows / kRows, ofFragment = blocks->columns / 2, count = fragments * ofFragment;
  StringRef sum = blocks->sumType.isInteger() ? "s32" : "f32", scales = blocks->sumType.isInteger() ? "" : ", 1, 1";
  // Nothing else touches the sums between tiles, but where a fence is missing the assembler injects one.
  std::string text = llvm::formatv("{{\n.reg .pred p;\n.reg .b64 a, b;\nsetp.ne.b32 p, ${0}, 0;\n"
                                   "wgmma.fence.sync.aligned;\n",
                                   2 * count + 2);
  for (int64_t step = 0; step < BlocksPlan::kLine / kStepBytes; ++step)
    for (int64_t fragment = 0; fragment < fragments; ++fragment) {
      int64_t rows = step * stepOf(blocks->a) + fragment * bytesOfRows(blocks->a, kRows) / 16;
      std::string registers;
      for (int64_t i = 0; i < ofFragment; ++i)
        registers += (i ? ", $" : "$") + std::to_string(fragment * ofFragment + i);
      text += llvm::formatv("add.s64 a, ${0}, {1};\nadd.s64 b, ${2}, {3};\n", 2 * count, rows, 2 * count + 1,
                            step * stepOf(blocks->b));
      text += llvm::formatv("wgmma.mma_async.sync.aligned.m64n{0}k{1}.{2}{3} {{{4}}, a, b, p{5}{6};\n", blocks->columns,
                            kStepBytes / blocks->a.elementBytes, sum, types, registers, scales, flags);
    }
  return (text + behind + "}").str();
}

/// Says that the tile before `number` is multiplied: one lane of each warp does.
void BlockEmitter::giveBack(Value number) {
  Turn before = turnOf(add(number, blocks->stages - 1));
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, i64(0));
  Value arrives = arith::ExtUIOp::create(b, b.getI32Type(), isFirst);
  if (blocks->cluster == 1)
    instructions("{\n.reg .pred p;\nsetp.ne.b32 p, $1, 0;\n@p mbarrier.arrive.shared::cta.b64 _, [$0];\n}", "r,r",
                 {before.empty, arrives});
  for (int64_t block = 0; block < blocks->cluster && blocks->cluster > 1; ++block)
    instructions("{\n.reg .pred p;\n.reg .b32 there;\nsetp.ne.b32 p, $1, 0;\nmapa.shared::cluster.u32 there, $0, $2;\n"
                 "@p mbarrier.arrive.shared::cluster.b64 _, [there];\n}",
                 "r,r,r", {before.empty, arrives, i32(block)});
}

/// The sums of this thread: [64 rows][8 columns][of the 4 that it has of those].
SmallVector<Value> BlockEmitter::multiplyByWarpgroups() {
  int64_t count = sumsOfThread();
  StringRef letter = blocks->sumType.isInteger() ? "r" : "f";
  std::string results, tied;
  for (int64_t i = 0; i < count; ++i) {
    results += ("=" + letter + ",").str();
    tied += (i ? "," : "") + std::to_string(i);
  }
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(count, blocks->sumType));
  auto update = [&](SmallVectorImpl<Value> &sums, StringRef text, StringRef more, ValueRange operands) {
    SmallVector<Value> values(sums.begin(), sums.end());
    llvm::append_range(values, operands);
    Value all = LLVM::InlineAsmOp::create(b, type, values, text, results + tied + more.str() + ",~{memory}",
                                          /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                          LLVM::AsmDialectAttr(), ArrayAttr())
                    .getRes();
    for (auto [i, sum] : llvm::enumerate(sums))
      sum = LLVM::ExtractValueOp::create(b, all, i);
  };
  at(top());
  Value ownRows = product(threadInM, bytesOfRows(blocks->a, blocks->rows)),
        ownColumns = product(threadInN, bytesOfRows(blocks->b, blocks->columns));
  SmallVector<Value> sums(count, zeroSum());
  auto multiply = [&](Value number, StringRef text) {
    Turn turn = turnOf(number);
    waitFor(turn.full, turn.phase);
    at(top());
    auto descriptor = [&](const BlockPanel &panel, Value own, int64_t offset) -> Value {
      Value place = arith::AddIOp::create(b, turn.stage, arith::TruncIOp::create(b, b.getI32Type(), own));
      place = arith::AddIOp::create(b, place, i32(offset));
      // In a cluster, addresses have the block's rank above 24 bits; it is no part of a descriptor.
      place = arith::AndIOp::create(b, arith::ShRUIOp::create(b, place, i32(4)), i32((1 << 14) - 1));
      return arith::OrIOp::create(b, arith::ExtUIOp::create(b, b.getI64Type(), place),
                                  i64(static_cast<int64_t>(descriptorOf(panel))));
    };
    Value rows = descriptor(blocks->a, ownRows, 0), columns = descriptor(blocks->b, ownColumns, blocks->a.bytes());
    update(sums, text, ",l,l,r", {rows, columns, i32(1)});
  };
  auto multiplyAll = [&](Value first, Value end, StringRef text, bool givesBack, bool nonEmpty) {
    scf::ForOp loop = openLoop(-1, first, end, 1, sums, nonEmpty);
    sums.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
    multiply(loop.getInductionVar(), text);
    if (givesBack)
      giveBack(loop.getInductionVar());
    closeLoop(loop, sums);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
    at(top());
  };
  Value tiles = numberOfTiles(), first = i64(0);
  bool refills = blocks->refillsStages();
  if (refills) {
    // A tile is given back when the products of the next are under way and its own are over, if another one comes to
    // its stage. Loops of their own, because the assembler would wait for each product by itself if it saw a branch
    // around what waits.
    constexpr StringLiteral commit = "wgmma.commit_group.sync.aligned;\n",
                            commitAndWait = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;\n";
    multiply(first, productsOfTile(commit));
    at(top());
    Value last = add(tiles, 1 - blocks->stages);
    if (blocks->split > 1)
      last = arith::MaxSIOp::create(b, last, i64(1));
    multiplyAll(i64(1), last, productsOfTile(commitAndWait), /*givesBack=*/true, /*nonEmpty=*/blocks->split == 1);
    first = last;
  }
  multiplyAll(first, tiles, productsOfTile(), /*givesBack=*/false, /*nonEmpty=*/!refills || blocks->split == 1);
  update(sums, "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;", "", {});
  return sums;
}

/// All of them at once: stages are no longer needed.
void BlockEmitter::writeSumsOfWarpgroup(ArrayRef<Value> sums) {
  constexpr int64_t rowsOfWarp = 16, group = 8;
  int64_t pitch = blocks->resultPitch;
  at(top());
  Value warp = modulo(divide(thread, BlocksAttr::kWarp), BlocksAttr::kWarpgroup / BlocksAttr::kWarp);
  Value row = add(product(threadInM, blocks->rows), add(product(warp, rowsOfWarp), divide(lane, 4)));
  Value column = add(product(threadInN, blocks->columns), product(modulo(lane, 4), 2));
  Value base = elementAt(shared, blocks->sumType, add(product(row, pitch), column));
  auto pair = VectorType::get({2}, blocks->sumType);
  for (int64_t fragment = 0; fragment < blocks->rows / kRows; ++fragment)
    for (int64_t j = 0; j < blocks->columns / group; ++j)
      for (int64_t half = 0; half < 2; ++half) {
        Value both = vector::FromElementsOp::create(b, pair, sums.take_front(2));
        sums = sums.drop_front(2);
        int64_t place = (fragment * kRows + half * group) * pitch + j * group;
        LLVM::StoreOp::create(b, both, elementAt(base, blocks->sumType, {}, place),
                              2 * elementStorageBytes(blocks->sumType));
      }
}

void BlockEmitter::emitWarpgroups() {
  // Of the registers that threads have at first, those who ask give theirs to those who multiply.
  bool movesRegisters = blocks->threads > BlocksAttr::kWarpgroup;
  at(0);
  sharedAddress = LLVM::PtrToIntOp::create(b, b.getI32Type(), shared);
  if (blocks->cluster > 1)
    rank = readRegister("%cluster_ctarank");
  initBarriers();
  at(0);
  Value multiplies = isBelow(thread, blocks->threads);
  Value asks = arith::XOrIOp::create(b, multiplies, constant(b.getBoolAttr(true)));
  openIf(asks);
  if (movesRegisters)
    instructions("setmaxnreg.dec.sync.aligned.u32 40;");
  bringTiles();
  closeIf();
  openIf(multiplies);
  if (movesRegisters)
    instructions("setmaxnreg.inc.sync.aligned.u32 " + std::to_string(BlocksPlan::kMoved) + ";");
  SmallVector<Value> sums = multiplyByWarpgroups();
  barrier();
  writeSumsOfWarpgroup(sums);
  barrier();
  emitResults(0);
  if (arrivals.counters) {
    openIf(emitArrivalOfTile());
    emitResults(0, /*areTotals=*/true);
    closeIf();
  }
  closeIf();
  // What a block has asked for may still be on its way to another.
  if (blocks->cluster > 1)
    meetCluster();
}
