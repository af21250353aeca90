// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's scans by teams of threads: a step of a team, whose threads have pieces of it, and tiles of long scans,
// each a block's. A block combines its tile, writes down what that comes to, and reads what the tiles before it come
// to. Blocks are numbered in the order in which they begin, so those before have begun and wait for nobody behind them.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

static constexpr int64_t kWarp = GpuMachine::warp;

//===- Steps of a team --------------------------------------------------------------------------------------------===//

/// Each thread has a piece, an element or the lanes of a vector. If the scan is not whole steps of `whole`, threads
/// behind its end have the last piece again, and store nothing.
NestEmitter::TeamStep NestEmitter::beginTeamStep(Value begin, int64_t whole) {
  Reduction &scan = nest->reductions.front();
  int64_t size = nest->sizes[nest->ordered.find_first()], piece = plan->vReduced ? plan->lanes : 1;
  findThread();
  at(top());
  TeamStep step;
  Value place = sum(begin, product(threadInTeam, piece)), index = place;
  if (size % whole) {
    step.isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, place, i64(size));
    index = arith::MinSIOp::create(b, place, i64(size - piece));
  }
  step.index = nest->backwards ? difference(i64(size - piece), index) : index;
  bindTeamStep(step);
  for (ExprNode *element : scan.elements)
    step.here.push_back(lanes(evaluate(element, 0, 0)).value);
  return step;
}

void NestEmitter::bindTeamStep(const TeamStep &step) {
  unsigned dim = nest->ordered.find_first();
  iv[dim] = step.index;
  ivLevel[dim] = top();
}

/// What pieces come to is scanned by the warp, from neighbour to neighbour at doubling distances. `running` is what
/// comes before the step, and what comes before the next one.
void NestEmitter::scanTeamStep(TeamStep &step, bool isRepeated, SmallVectorImpl<Value> &running) {
  Reduction &scan = nest->reductions.front();
  int64_t piece = plan->vReduced ? plan->lanes : 1;
  SmallVector<Value> totals(step.here);
  if (plan->vReduced) {
    step.here = emitPrefix(scan, step.here, piece);
    at(top());
    for (auto [vector, total] : llvm::zip_equal(step.here, totals))
      total = vector::ExtractOp::create(b, vector, ArrayRef<int64_t>{nest->backwards ? 0 : piece - 1});
  }
  step.before = scanWarps(scan, totals, isRepeated, running);
}

/// The results of a step that comes behind `base`, or behind nothing.
void NestEmitter::storeTeamStep(const TeamStep &step, ArrayRef<Value> base) {
  Reduction &scan = nest->reductions.front();
  SmallVector<Value> before(step.before);
  if (!base.empty())
    before = appendScalars(scan, base, before);
  SmallVector<Value> pieces = llvm::map_to_vector(before, [&](Value value) { return lanes({value, top()}).value; });
  for (auto [node, value] : llvm::zip_equal(scan.results, append(scan, pieces, step.here)))
    values[Key(node, 0, 0)] = {value, top()};
  if (step.isInside)
    openIf(step.isInside);
  emitStores(nest->stores, 0, 0);
  if (step.isInside)
    closeIf();
}

void NestEmitter::emitTeamStep(Value begin, bool isRepeated, SmallVectorImpl<Value> &running) {
  TeamStep step = beginTeamStep(begin, (plan->vReduced ? plan->lanes : 1) * plan->threads);
  scanTeamStep(step, isRepeated, running);
  storeTeamStep(step, scanBase);
}

/// What comes before the piece of each thread, which comes to `totals`. `running` is what comes before the step, and
/// what comes before the next one.
SmallVector<Value> NestEmitter::scanWarps(Reduction &scan, ArrayRef<Value> totals, bool isRepeated,
                                          SmallVectorImpl<Value> &running) {
  auto ofOthers = [&](ArrayRef<Value> values, int64_t distance, gpu::ShuffleMode mode) {
    at(top());
    return llvm::map_to_vector(values, [&](Value value) { return shuffle(b, value, distance, mode); });
  };
  auto choose = [&](Value condition, ArrayRef<Value> yes, ArrayRef<Value> no) {
    at(top());
    SmallVector<Value> chosen;
    for (auto [first, second] : llvm::zip_equal(yes, no))
      chosen.push_back(arith::SelectOp::create(b, condition, first, second));
    return chosen;
  };
  auto isLane = [&](arith::CmpIPredicate predicate, int64_t lane) -> Value {
    at(top());
    return arith::CmpIOp::create(b, predicate, laneInWarp, i64(lane));
  };
  SmallVector<Value> upTo(totals);
  for (int64_t distance = 1; distance < kWarp; distance *= 2) {
    SmallVector<Value> more = appendScalars(scan, ofOthers(upTo, distance, gpu::ShuffleMode::UP), upTo);
    upTo = choose(isLane(arith::CmpIPredicate::sge, distance), more, upTo);
  }
  SmallVector<Value> ofLower = ofOthers(upTo, 1, gpu::ShuffleMode::UP), beforeWarp(running.begin(), running.end());
  if (plan->threads == kWarp) {
    running.assign(appendScalars(scan, beforeWarp, ofOthers(upTo, kWarp - 1, gpu::ShuffleMode::IDX)));
  } else {
    SmallVector<Value> places;
    int64_t warps = plan->threads / kWarp;
    for (Value value : totals)
      places.push_back(sharedMemory(sharedType(value.getType()), warps));
    auto placeOf = [&](size_t i, Value warp) -> Value {
      return LLVM::GEPOp::create(b, places[i].getType(), sharedType(totals[i].getType()), places[i], ValueRange{warp});
    };
    openIf(isLane(arith::CmpIPredicate::eq, kWarp - 1));
    at(top());
    for (auto [i, value] : llvm::enumerate(upTo))
      storeShared(value, placeOf(i, warpInTeam));
    closeIf();
    synchronize();
    for (int64_t number = 0; number < warps; ++number) {
      at(top());
      Value isMine = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, warpInTeam, i64(number));
      beforeWarp = choose(isMine, running, beforeWarp);
      SmallVector<Value> ofWarp;
      for (auto [i, value] : llvm::enumerate(totals))
        ofWarp.push_back(loadShared(value.getType(), placeOf(i, i64(number))));
      running.assign(appendScalars(scan, running, ofWarp));
    }
    if (isRepeated) // the memory is written again
      synchronize();
  }
  return choose(isLane(arith::CmpIPredicate::eq, 0), beforeWarp, appendScalars(scan, beforeWarp, ofLower));
}

//===- Tiles ------------------------------------------------------------------------------------------------------===//

static constexpr StringLiteral kDeviceScope = "device";
static constexpr unsigned kGlobal = 1;
/// Bits of a word below the number of the round in which it was written. What a tile comes to has one word, or two.
static constexpr int64_t kValueBits = 32;

static int64_t wordsOf(Type type) { return llvm::divideCeil(type.getIntOrFloatBitWidth(), kValueBits); }

/// Counts the block in memory of the module, which nobody clears: how often all blocks have begun before says whether a
/// word is of this launch.
Value NestEmitter::numberBlock(const LoopNest &scan, int64_t items, int64_t threads) {
  // The words begin with a line of their own: they are read while the counter changes.
  constexpr int64_t line = 16;
  Type i64Type = b.getI64Type();
  int64_t words = line + items * wordsOf(scan.reductions.front().inits.front()->type);
  auto zeros = DenseElementsAttr::get(RankedTensorType::get({words}, i64Type), b.getI64IntegerAttr(0));
  Value counter = memoryOfModule("tiles", i64Type, words, zeros, kGlobal), flag = sharedMemory(i64Type, 1);
  at(0);
  blockWords = LLVM::GEPOp::create(b, counter.getType(), i64Type, counter, ArrayRef<LLVM::GEPArg>{line});
  Value thread = arith::IndexCastOp::create(b, i64Type, gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, i64(0)));
  at(top());
  Value before = LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add, counter, i64(1), LLVM::AtomicOrdering::monotonic,
                                           kDeviceScope);
  LLVM::StoreOp::create(b, before, flag);
  closeIf();
  at(top());
  gpu::BarrierOp::create(b);
  before = LLVM::LoadOp::create(b, i64Type, flag);
  Value round = arith::AddIOp::create(b, arith::DivUIOp::create(b, before, i64(items)), i64(1));
  blockRound = arith::ShLIOp::create(b, round, i64(kValueBits));
  blockNumber = arith::RemUIOp::create(b, before, i64(items));
  return blockNumber;
}

/// The words of a tile, of which there may be two.
SmallVector<Value> NestEmitter::wordsOfTile(Value number, Type type) {
  SmallVector<Value> words;
  for (int64_t count = wordsOf(type), i = 0; i < count; ++i) {
    Value place = sum(product(number, count), i64(i));
    words.push_back(
        LLVM::GEPOp::create(b, blockWords.getType(), b.getI64Type(), blockWords, ArrayRef<LLVM::GEPArg>{place}));
  }
  return words;
}

/// What the block's tile comes to, beside the number of the round: a word that is written and read as a whole needs no
/// fence. Of two, each says of which round it is, so it is no matter which comes first.
void NestEmitter::publishTile(Value total) {
  at(top());
  openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, threadInTeam, i64(0)));
  at(top());
  Type type = total.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Value bits = type.isInteger() ? total : arith::BitcastOp::create(b, b.getIntegerType(width), total).getResult();
  if (width < 64)
    bits = arith::ExtUIOp::create(b, b.getI64Type(), bits);
  SmallVector<Value> places = wordsOfTile(blockNumber, type), words{bits};
  if (places.size() > 1)
    words = {arith::AndIOp::create(b, bits, i64((int64_t(1) << kValueBits) - 1)),
             arith::ShRUIOp::create(b, bits, i64(kValueBits))};
  for (auto [word, place] : llvm::zip_equal(words, places))
    LLVM::StoreOp::create(b, arith::OrIOp::create(b, word, blockRound), place, /*alignment=*/8, /*isVolatile=*/false,
                          /*isNonTemporal=*/false, /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic,
                          kDeviceScope);
  closeIf();
}

Value NestEmitter::loadWord(Value address) {
  return LLVM::LoadOp::create(b, b.getI64Type(), address, /*alignment=*/8, /*isVolatile=*/false,
                              /*isNonTemporal=*/false, /*isInvariant=*/false, /*isInvariantGroup=*/false,
                              LLVM::AtomicOrdering::monotonic, kDeviceScope);
}

/// A word that has been read as `word`, once it is of this round.
Value NestEmitter::waitForWord(Value address, Value word) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types{word.getType()};
  auto asking = scf::WhileOp::create(b, types, ValueRange(word));
  Block *before = b.createBlock(&asking.getBefore(), {}, types, {b.getLoc()});
  Value isOld = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, before->getArgument(0), blockRound);
  scf::ConditionOp::create(b, isOld, before->getArgument(0));
  b.createBlock(&asking.getAfter(), {}, types, {b.getLoc()});
  scf::YieldOp::create(b, loadWord(address));
  return asking.getResult(0);
}

/// What a tile comes to, once its words are of this round: they have been read as `words`.
Value NestEmitter::fromWords(Type type, ArrayRef<Value> addresses, ArrayRef<Value> words) {
  SmallVector<Value> there;
  for (auto [address, word] : llvm::zip_equal(addresses, words))
    there.push_back(waitForWord(address, word));
  Value bits = there.front();
  if (there.size() > 1)
    bits = arith::OrIOp::create(b, arith::AndIOp::create(b, bits, i64((int64_t(1) << kValueBits) - 1)),
                                arith::ShLIOp::create(b, there.back(), i64(kValueBits)));
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 64)
    bits = arith::TruncIOp::create(b, b.getIntegerType(width), bits);
  return type.isInteger() ? bits : arith::BitcastOp::create(b, type, bits).getResult();
}

/// What all tiles before the block's come to. Each thread has some of them, always the same, so that sums are rounded
/// alike whoever comes first; it asks for a few at the same time.
Value NestEmitter::combineTilesBefore(Reduction &scan) {
  Type type = scan.inits.front()->type;
  int64_t most = llvm::divideCeil(plan->scanTiles(*nest) - 1, plan->threads), together = std::min<int64_t>(4, most);
  at(top());
  Value first = difference(blockNumber, scanTile), last = difference(scanTile, i64(1));
  Value nothing = neutral(*scan.kind, type);
  scf::ForOp tiles = openLoop(-1, threadInTeam, scanTile, together * plan->threads, nothing);
  at(top());
  SmallVector<Value> places;
  SmallVector<SmallVector<Value>> addresses, words;
  for (int64_t i = 0; i < together; ++i) {
    places.push_back(sum(tiles.getInductionVar(), i64(i * plan->threads)));
    Value there = i ? arith::MinSIOp::create(b, places.back(), last).getResult() : places.back();
    addresses.push_back(wordsOfTile(sum(first, there), type));
    words.push_back(llvm::map_to_vector(addresses.back(), [&](Value address) { return loadWord(address); }));
  }
  SmallVector<Value> combined{tiles.getRegionIterArg(0)};
  for (auto [place, address, word] : llvm::zip_equal(places, addresses, words)) {
    at(top());
    Value value = fromWords(type, address, word);
    if (place != places.front()) {
      Value isBefore = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, place, scanTile);
      value = arith::SelectOp::create(b, isBefore, value, nothing);
    }
    combined = combine(scan, combined, {value});
  }
  closeLoop(tiles, combined);
  return foldThreads(scan, llvm::to_vector(ValueRange(tiles.getResults()))).front();
}

/// Pieces stay in registers from when the tile is combined until results are written.
void NestEmitter::emitScanTile() {
  Reduction &scan = nest->reductions.front();
  unsigned dim = nest->ordered.find_first();
  findThread();
  Value initial = evaluate(scan.inits.front(), 0, 0).value;
  at(top());
  Value first = product(scanTile, plan->scanTile);
  SmallVector<TeamStep> steps;
  int64_t length = (plan->vReduced ? plan->lanes : 1) * plan->threads;
  auto forEachStep = [&](function_ref<void(int64_t number)> emit) {
    for (int64_t number = 0; number < plan->scanTile / length; ++number) {
      openScope();
      emit(number);
      closeScope();
      leave(dim);
    }
  };
  forEachStep([&](int64_t number) {
    at(top());
    steps.push_back(beginTeamStep(sum(first, i64(number * length)), plan->scanTile));
  });
  SmallVector<Value> running{neutral(*scan.kind, scan.inits.front()->type)};
  forEachStep([&](int64_t number) { scanTeamStep(steps[number], /*isRepeated=*/false, running); });
  publishTile(running.front());
  SmallVector<Value> base = appendScalars(scan, {initial}, {combineTilesBefore(scan)});
  forEachStep([&](int64_t number) {
    bindTeamStep(steps[number]);
    storeTeamStep(steps[number], base);
  });
}
