// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emitter of xla_rt.random_bits: lanes are counters, each block of rounds is computed once, and its words are
// interleaved in registers into the order of the stream.

#include "mlir_xla/lowering/cpu/WholeKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::xla;

/// Registers that a step fills with the words of each half of a block: the rounds of one hide the latency of another.
static constexpr int64_t kRegisters = 2;

/// How the elements are cut into steps, which are the items of work.
struct Steps {
  Steps(rt::RandomBitsOp op, const Machine &machine) {
    auto type = cast<RankedTensorType>(op.getResult().getType());
    count = type.getNumElements();
    width = type.getElementTypeBitWidth();
    words = 2 * kRegisters * machine.lanes(32);
    elements = width == 64 ? words / 2 : words;
  }
  int64_t whole() const { return count / elements; }
  int64_t rest() const { return count % elements; }

  int64_t count, width;
  int64_t words;    // of 32 bits in a step
  int64_t elements; // in a step
};

WholeKernelFacts mlir::xla::factsOfRandomBits(rt::RandomBitsOp op, const Machine &machine) {
  Steps steps(op, machine);
  WholeKernelFacts facts;
  facts.work = llvm::divideCeil(steps.count, steps.elements);
  facts.cost = facts.work * steps.words * 4 / 10; // bytes, at about 10 GB/s
  return facts;
}

namespace {

class RandomBits {
public:
  RandomBits(const WholeKernel &kernel, rt::RandomBitsOp op)
      : kernel(kernel), b(kernel.builder), op(op), steps(op, kernel.machine) {}

  void emit() {
    loadState();
    bool philox = op.getAlgorithm() == rt::RandomAlgorithm::Philox;
    philox ? schedulePhilox() : scheduleThreeFry();
    scf::ForOp loop = scf::ForOp::create(b, kernel.begin, kernel.end, i64(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value step = loop.getInductionVar();
    store(step, philox ? philoxWords(step) : threeFryWords(step));
  }

private:
  Value i64(int64_t value) { return arith::ConstantIntOp::create(b, value, 64); }
  VectorType lanesOf(unsigned bits, int64_t lanes) { return VectorType::get({lanes}, b.getIntegerType(bits)); }
  Value constant(VectorType type, uint64_t value) {
    APInt bits(type.getElementTypeBitWidth(), value, /*isSigned=*/false, /*implicitTrunc=*/true);
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, bits));
  }
  Value splat(VectorType type, Value scalar) { return vector::BroadcastOp::create(b, type, scalar); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value exclusiveOr(Value x, Value y) { return arith::XOrIOp::create(b, x, y); }
  Value low(Value x, Type type) { return arith::TruncIOp::create(b, type, x); }
  Value high(Value x, Value by, Type type) { return low(arith::ShRUIOp::create(b, x, by), type); }

  void loadState() {
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value base = kernel.pointerOf(op.getStateMutable());
    for (int64_t i = 0, n = cast<RankedTensorType>(op.getState().getType()).getDimSize(0); i < n; ++i) {
      Value at = LLVM::GEPOp::create(b, pointer, b.getI64Type(), base, LLVM::GEPArg(static_cast<int32_t>(i)));
      state.push_back(LLVM::LoadOp::create(b, b.getI64Type(), at, /*alignment=*/8));
    }
    // The key serves as the high half of a counter that has none.
    if (state.size() == 2)
      state.push_back(state[0]);
  }

  /// `base` plus the numbers of the counters of `step`.
  Value counters(Value base, Value step, int64_t lanes) {
    auto numbers = llvm::to_vector(llvm::seq<int64_t>(0, lanes));
    VectorType type = lanesOf(64, lanes);
    Value first = add(base, arith::MulIOp::create(b, step, i64(lanes)));
    return add(splat(type, first),
               arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<int64_t>(numbers))));
  }

  /// x0 y0 x1 y1 ..
  Value interleave(Value x, Value y) {
    int64_t lanes = cast<VectorType>(x.getType()).getDimSize(0);
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < lanes; ++lane)
      order.append({lane, lane + lanes});
    return vector::ShuffleOp::create(b, x, y, order);
  }

  //===- Philox: a block is the halves (c0, c1) and (c2, c3), each in a lane of 64 bits ---------------------------===//

  void schedulePhilox() {
    VectorType type = lanesOf(64, steps.words / 4);
    Type i32 = b.getI32Type();
    Value keys[] = {low(state[0], i32), high(state[0], i64(32), i32)};
    for (unsigned round = 0; round < 10; ++round)
      for (auto [i, weyl] : {std::pair(0, 0x9E3779B9u), std::pair(1, 0xBB67AE85u)}) {
        schedule.push_back(splat(type, arith::ExtUIOp::create(b, b.getI64Type(), keys[i])));
        keys[i] = add(keys[i], arith::ConstantIntOp::create(b, static_cast<int32_t>(weyl), 32));
      }
  }

  Value philoxWords(Value step) {
    int64_t lanes = steps.words / 4;
    VectorType type = lanesOf(64, lanes), pairs = lanesOf(32, 2 * lanes);
    Value first = counters(state[1], step, lanes);
    Value carry = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, first, splat(type, state[1]));
    Value second = add(splat(type, state[2]), arith::ExtUIOp::create(b, type, carry));
    Value lowBits = constant(type, 0xffffffff), halfWidth = constant(type, 32);
    SmallVector<int64_t> swapped;
    for (int64_t lane = 0; lane < 2 * lanes; ++lane)
      swapped.push_back(lane ^ 1);
    // (high, low) ^ (other half >> 32) ^ key, of the product of the low word.
    auto mix = [&](Value factor, uint32_t constantFactor, Value other, Value key) {
      Value product =
          arith::MulIOp::create(b, arith::AndIOp::create(b, factor, lowBits), constant(type, constantFactor));
      Value words = vector::BitCastOp::create(b, pairs, product);
      Value swap = vector::BitCastOp::create(b, type, vector::ShuffleOp::create(b, words, words, swapped));
      return exclusiveOr(exclusiveOr(swap, arith::ShRUIOp::create(b, other, halfWidth)), key);
    };
    for (unsigned round = 0; round < 10; ++round) {
      Value next = mix(second, 0xCD9E8D57, first, schedule[2 * round]);
      second = mix(first, 0xD2511F53, second, schedule[2 * round + 1]);
      first = next;
    }
    return interleave(first, second);
  }

  //===- ThreeFry: a block is two words, each in a lane of 32 bits ------------------------------------------------===//

  void scheduleThreeFry() {
    VectorType type = lanesOf(32, steps.words / 2);
    Type i32 = b.getI32Type();
    Value first = low(state[0], i32), second = high(state[0], i64(32), i32);
    Value parity = arith::ConstantIntOp::create(b, 0x1BD11BDA, 32);
    for (Value key : {first, second, exclusiveOr(exclusiveOr(parity, first), second)})
      schedule.push_back(splat(type, key));
  }

  Value threeFryWords(Value step) {
    int64_t lanes = steps.words / 2;
    VectorType type = lanesOf(32, lanes);
    Value counter = counters(state[1], step, lanes);
    Value x = add(low(counter, type), schedule[0]);
    Value y = add(high(counter, constant(lanesOf(64, lanes), 32), type), schedule[1]);
    static constexpr int64_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    for (unsigned group = 0; group < 5; ++group) {
      for (int64_t rotation : rotations[group % 2]) {
        x = add(x, y);
        y = exclusiveOr(LLVM::FshlOp::create(b, type, y, y, constant(type, rotation)), x);
      }
      x = add(x, schedule[(group + 1) % 3]);
      y = add(add(y, schedule[(group + 2) % 3]), constant(type, group + 1));
    }
    return interleave(x, y);
  }

  //===- Stores ---------------------------------------------------------------------------------------------------===//

  void store(Value step, Value words) {
    VectorType type = lanesOf(steps.width, steps.elements), inWords = lanesOf(32, steps.words);
    if (words.getType() != inWords && steps.width != 64)
      words = vector::BitCastOp::create(b, inWords, words);
    if (steps.width < 32)
      words = low(words, type);
    else if (words.getType() != type)
      words = vector::BitCastOp::create(b, type, words);
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value at = LLVM::GEPOp::create(b, pointer, type.getElementType(), kernel.results[0],
                                   ValueRange{arith::MulIOp::create(b, step, i64(steps.elements))});
    unsigned alignment = steps.width / 8;
    auto whole = [&] { LLVM::StoreOp::create(b, words, at, alignment); };
    int64_t rest = steps.rest();
    if (rest == 0)
      return whole();
    auto branch = scf::IfOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::slt, step, i64(steps.whole())),
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    whole();
    b.setInsertionPointToStart(branch.elseBlock());
    // LLVM makes a masked store of one lane one of an element, and forgets that it was narrowed.
    if (rest == 1) {
      LLVM::StoreOp::create(b, vector::ExtractOp::create(b, words, ArrayRef<int64_t>{0}), at, alignment);
      return;
    }
    SmallVector<bool> inside;
    for (int64_t lane = 0; lane < steps.elements; ++lane)
      inside.push_back(lane < rest);
    auto maskType = VectorType::get({steps.elements}, b.getI1Type());
    Value mask = arith::ConstantOp::create(b, DenseElementsAttr::get(maskType, inside));
    LLVM::MaskedStoreOp::create(b, words, at, mask, b.getI32IntegerAttr(alignment));
  }

  const WholeKernel &kernel;
  ImplicitLocOpBuilder &b;
  rt::RandomBitsOp op;
  Steps steps;
  SmallVector<Value> state;
  SmallVector<Value> schedule; // of keys, in all lanes
};

} // namespace

LogicalResult mlir::xla::emitRandomBits(const WholeKernel &kernel, rt::RandomBitsOp op) {
  RandomBits(kernel, op).emit();
  return success();
}
