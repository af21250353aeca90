// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emitter of xla_rt.random_bits: lanes are counters, each block of rounds is computed once, and its words are
// interleaved in registers into the order of the stream. A thread of a GPU has as many words as one instruction stores.

#include "mlir_xla/lowering/cpu/WholeKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

/// How the elements are cut into steps, which are the items of work.
struct Steps {
  Steps(rt::RandomBitsOp op, const Machine &machine, bool onDevice)
      : lanes(onDevice ? 2 : machine.lanes(32)), joinsWords(onDevice) {
    auto type = cast<RankedTensorType>(op.getResult().getType());
    count = type.getNumElements();
    width = type.getElementTypeBitWidth();
    // The rounds of one register hide the latency of another. As many as there is room for: a block of Philox takes
    // four registers and one or two more on its way, one of ThreeFry takes two.
    bool philox = op.getAlgorithm() == rt::RandomAlgorithm::Philox, hasManyRegisters = machine.vectorRegisters >= 32;
    blocks = onDevice ? 1 : (philox ? 2 : 4) * (hasManyRegisters ? 2 : 1);
    elements = (joinsWords ? 1 : 2) * blocks * elementsInRegister();
  }
  int64_t whole() const { return count / elements; }
  int64_t rest() const { return count % elements; }

  /// Words of a register, of which each of the blocks gives two, or one with the words of both.
  int64_t words() const { return joinsWords ? 2 * lanes : lanes; }
  int64_t elementsInRegister() const { return width == 64 ? words() / 2 : words(); }

  int64_t count, width;
  int64_t lanes;    // of 32 bits
  int64_t blocks;   // registers of counters in a step
  int64_t elements; // in a step
  bool joinsWords;
};

WholeKernelFacts mlir::xla::factsOfRandomBits(rt::RandomBitsOp op, const Machine &machine, bool onDevice) {
  Steps steps(op, machine, onDevice);
  WholeKernelFacts facts;
  facts.work = llvm::divideCeil(steps.count, steps.elements);
  facts.cost = facts.work * steps.blocks * steps.lanes * 8 / 10; // bytes, at about 10 GB/s
  return facts;
}

namespace {

class RandomBits {
public:
  RandomBits(const WholeKernel &kernel, rt::RandomBitsOp op)
      : kernel(kernel), b(kernel.builder), op(op), steps(op, kernel.machine, kernel.onDevice) {}

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

  /// The number of the counter in each lane of a register, so that `unpack` puts what comes of them into order.
  Value counterNumbers(unsigned bits) {
    int64_t lanes = steps.lanes * 32 / bits, pair = 64 / bits;
    SmallVector<APInt> numbers;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t group = lane / (2 * pair), half = lane / pair % 2;
      numbers.emplace_back(bits, half * (lanes / 2) + group * pair + lane % pair);
    }
    return arith::ConstantOp::create(b, DenseElementsAttr::get(lanesOf(bits, lanes), numbers));
  }
  /// The counter of the first block of each register of `step`.
  SmallVector<Value> firstCounters(Value step, int64_t lanes) {
    Value first = add(state[1], arith::MulIOp::create(b, step, i64(steps.blocks * lanes)));
    SmallVector<Value> counters;
    for (int64_t block = 0; block < steps.blocks; ++block)
      counters.push_back(add(first, i64(block * lanes)));
    return counters;
  }

  /// x0 y0 .. of the lower or of the upper 64 bits in each part of 128 bits.
  Value unpack(Value x, Value y, bool upper) {
    auto type = cast<VectorType>(x.getType());
    int64_t lanes = type.getDimSize(0), pair = 64 / type.getElementTypeBitWidth();
    SmallVector<int64_t> order;
    for (int64_t group = 0; group < lanes; group += 2 * pair)
      for (int64_t i = 0; i < pair; ++i)
        order.append({group + (upper ? pair : 0) + i, group + (upper ? pair : 0) + i + lanes});
    return vector::ShuffleOp::create(b, x, y, order);
  }

  /// Does `body` for the numbers 0 to `count` - 1 on `values`. On a CPU that is a loop, because the code of all rounds
  /// takes far longer to compile and is no faster.
  void repeat(int64_t count, SmallVectorImpl<Value> &values, function_ref<void(Value, SmallVectorImpl<Value> &)> body) {
    if (kernel.onDevice) {
      for (int64_t number = 0; number < count; ++number)
        body(i64(number), values);
      return;
    }
    auto loop = scf::ForOp::create(b, i64(0), i64(count), i64(1), values);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> inside(loop.getRegionIterArgs());
    body(loop.getInductionVar(), inside);
    scf::YieldOp::create(b, inside);
    values.assign(loop.getResults().begin(), loop.getResults().end());
  }

  /// Puts the schedule where a loop reads it.
  void storeSchedule() {
    if (kernel.onDevice)
      return;
    Type pointer = LLVM::LLVMPointerType::get(b.getContext()), element = schedule[0].getType();
    memory = LLVM::AllocaOp::create(b, pointer, element, i64(schedule.size()), /*alignment=*/64);
    for (auto [i, value] : llvm::enumerate(schedule))
      LLVM::StoreOp::create(b, value, LLVM::GEPOp::create(b, pointer, element, memory, LLVM::GEPArg(i)));
  }
  /// What the schedule has at `offset` for the number `number`, `each` of which it has for a number, in all lanes.
  Value scheduled(VectorType type, Value number, int64_t each, int64_t offset) {
    APInt constant;
    if (matchPattern(number, m_ConstantInt(&constant)))
      return splat(type, schedule[constant.getSExtValue() * each + offset]);
    Value at = add(arith::MulIOp::create(b, number, i64(each)), i64(offset));
    Value place = LLVM::GEPOp::create(b, memory.getType(), type.getElementType(), memory, ValueRange{at});
    return splat(type, LLVM::LoadOp::create(b, type.getElementType(), place));
  }

  /// What comes of two registers, in the order of the stream.
  void appendWords(Value x, Value y, SmallVectorImpl<Value> &words) {
    if (!steps.joinsWords) {
      llvm::append_values(words, unpack(x, y, false), unpack(x, y, true));
      return;
    }
    SmallVector<int64_t> order;
    for (int64_t lane = 0, lanes = cast<VectorType>(x.getType()).getDimSize(0); lane < lanes; ++lane)
      order.append({lane, lane + lanes});
    words.push_back(vector::ShuffleOp::create(b, x, y, order));
  }

  //===- Philox: a word in the lower half of each lane of 64 bits -------------------------------------------------===//

  void schedulePhilox() {
    Type i32 = b.getI32Type();
    Value keys[] = {low(state[0], i32), high(state[0], i64(32), i32)};
    for (unsigned round = 0; round < 10; ++round)
      for (auto [i, weyl] : {std::pair(0, 0x9E3779B9u), std::pair(1, 0xBB67AE85u)}) {
        schedule.push_back(arith::ExtUIOp::create(b, b.getI64Type(), keys[i]));
        keys[i] = add(keys[i], arith::ConstantIntOp::create(b, static_cast<int32_t>(weyl), 32));
      }
    storeSchedule();
  }

  /// A product of 32 by 32 bits is a word of the next counter in its lower half, where it is taken from as it is, and
  /// another one in its upper half, which a shift brings down. Nobody reads the upper halves of anything else.
  SmallVector<Value> philoxWords(Value step) {
    int64_t lanes = steps.lanes / 2;
    VectorType type = lanesOf(64, lanes);
    SmallVector<Value> blocks; // of four words each
    Value numbers = counterNumbers(64), lowBits = constant(type, 0xffffffff), halfWidth = constant(type, 32);
    auto upper = [&](Value x) -> Value { return arith::ShRUIOp::create(b, x, halfWidth); };
    auto lower = [&](Value x) -> Value { return arith::AndIOp::create(b, x, lowBits); };
    for (Value first : firstCounters(step, lanes)) {
      Value counter = add(splat(type, first), numbers);
      Value carry = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, counter, splat(type, state[1]));
      Value second = add(splat(type, state[2]), arith::ExtUIOp::create(b, type, carry));
      blocks.append({counter, upper(counter), second, upper(second)});
    }
    // Words change their places in a round: two of them are an iteration, in which registers need not.
    repeat(5, blocks, [&](Value iteration, SmallVectorImpl<Value> &words) {
      for (unsigned round = 0; round < 2; ++round) {
        Value key0 = scheduled(type, iteration, 4, 2 * round), key1 = scheduled(type, iteration, 4, 2 * round + 1);
        for (size_t i = 0; i < words.size(); i += 4) {
          Value product0 = arith::MulIOp::create(b, lower(words[i]), constant(type, 0xD2511F53));
          Value product1 = arith::MulIOp::create(b, lower(words[i + 2]), constant(type, 0xCD9E8D57));
          words[i] = exclusiveOr(exclusiveOr(upper(product1), words[i + 1]), key0);
          words[i + 2] = exclusiveOr(exclusiveOr(upper(product0), words[i + 3]), key1);
          words[i + 1] = product1;
          words[i + 3] = product0;
        }
      }
    });
    SmallVector<Value> words;
    for (size_t i = 0; i < blocks.size(); i += 4) {
      auto join = [&](Value low, Value high) -> Value {
        return arith::OrIOp::create(b, lower(low), arith::ShLIOp::create(b, high, halfWidth));
      };
      appendWords(join(blocks[i], blocks[i + 1]), join(blocks[i + 2], blocks[i + 3]), words);
    }
    return words;
  }

  //===- ThreeFry: a block is two words, each in a lane of 32 bits ------------------------------------------------===//

  /// Vectors of 256 bits and fewer have no rotations. LLVM makes one by the same distance in all lanes of five
  /// instructions, of which four are shuffles and shifts, and these have two units; two shifts and an OR are three.
  bool hasRotations() const { return kernel.onDevice || kernel.machine.vectorBits >= 512; }
  /// Numbers that the schedule has for a group of rounds.
  int64_t numbersOfGroup() const { return hasRotations() ? 6 : 10; }

  /// Of each group of four rounds the rotations, what is added to the two words after it, and what the rotations leave
  /// of 32: computed from the former beside them, LLVM would see rotations.
  void scheduleThreeFry() {
    static constexpr int64_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    Type i32 = b.getI32Type();
    Value first = low(state[0], i32), second = high(state[0], i64(32), i32);
    auto i32Of = [&](int64_t value) -> Value { return arith::ConstantIntOp::create(b, value, 32); };
    keys = {first, second, exclusiveOr(exclusiveOr(i32Of(0x1BD11BDA), first), second)};
    for (unsigned group = 0; group < 5; ++group) {
      for (int64_t rotation : rotations[group % 2])
        schedule.push_back(i32Of(rotation));
      llvm::append_values(schedule, keys[(group + 1) % 3], add(keys[(group + 2) % 3], i32Of(group + 1)));
      if (!hasRotations())
        for (int64_t rotation : rotations[group % 2])
          schedule.push_back(i32Of(32 - rotation));
    }
    storeSchedule();
  }

  SmallVector<Value> threeFryWords(Value step) {
    VectorType type = lanesOf(32, steps.lanes);
    SmallVector<Value> blocks; // of two words each
    Value numbers = counterNumbers(32), key0 = splat(type, keys[0]), key1 = splat(type, keys[1]);
    for (Value first : firstCounters(step, steps.lanes)) {
      Value lowest = splat(type, low(first, b.getI32Type()));
      Value counter = add(lowest, numbers);
      Value carry = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, counter, lowest);
      Value upper = splat(type, high(first, i64(32), b.getI32Type()));
      blocks.append({add(counter, key0), add(add(upper, key1), arith::ExtUIOp::create(b, type, carry))});
    }
    repeat(5, blocks, [&](Value group, SmallVectorImpl<Value> &words) {
      for (unsigned round = 0; round < 4; ++round) {
        Value left = scheduled(type, group, numbersOfGroup(), round), right;
        if (!hasRotations())
          right = scheduled(type, group, numbersOfGroup(), 6 + round);
        for (size_t i = 0; i < words.size(); i += 2) {
          Value x = words[i + 1];
          words[i] = add(words[i], x);
          Value rotated =
              right ? arith::OrIOp::create(b, arith::ShLIOp::create(b, x, left), arith::ShRUIOp::create(b, x, right))
                          .getResult()
                    : LLVM::FshlOp::create(b, type, x, x, left).getResult();
          words[i + 1] = exclusiveOr(rotated, words[i]);
        }
      }
      Value first = scheduled(type, group, numbersOfGroup(), 4), second = scheduled(type, group, numbersOfGroup(), 5);
      for (size_t i = 0; i < words.size(); i += 2) {
        words[i] = add(words[i], first);
        words[i + 1] = add(words[i + 1], second);
      }
    });
    SmallVector<Value> words;
    for (size_t i = 0; i < blocks.size(); i += 2)
      appendWords(blocks[i], blocks[i + 1], words);
    return words;
  }

  //===- Stores ---------------------------------------------------------------------------------------------------===//

  /// A register as elements.
  Value elementsOf(Value words) {
    VectorType inWords = lanesOf(32, steps.words()), type = lanesOf(steps.width, steps.elementsInRegister());
    Type wanted = steps.width == 64 ? type : inWords;
    if (words.getType() != wanted)
      words = vector::BitCastOp::create(b, wanted, words);
    return steps.width < 32 ? low(words, type) : words;
  }

  void store(Value step, ArrayRef<Value> registers) {
    int64_t each = steps.elementsInRegister(), rest = steps.rest();
    Type pointer = LLVM::LLVMPointerType::get(b.getContext()), element = b.getIntegerType(steps.width);
    Value at = LLVM::GEPOp::create(b, pointer, element, kernel.results[0],
                                   ValueRange{arith::MulIOp::create(b, step, i64(steps.elements))});
    // Buffers of a GPU are aligned.
    unsigned alignment = steps.width / 8 * (kernel.onDevice ? each : 1);
    SmallVector<Value> values, places;
    for (auto [i, words] : llvm::enumerate(registers)) {
      values.push_back(elementsOf(words));
      places.push_back(LLVM::GEPOp::create(b, pointer, element, at, LLVM::GEPArg(static_cast<int32_t>(i * each))));
    }
    auto whole = [&](int64_t count) {
      for (int64_t i = 0; i < count; ++i)
        LLVM::StoreOp::create(b, values[i], places[i], alignment);
    };
    if (rest == 0)
      return whole(values.size());
    auto branch = scf::IfOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::slt, step, i64(steps.whole())),
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    whole(values.size());
    b.setInsertionPointToStart(branch.elseBlock());
    int64_t full = rest / each, last = rest % each;
    whole(full);
    if (last == 0)
      return;
    // LLVM makes a masked store of one lane one of an element, and forgets that it was narrowed.
    if (last == 1) {
      LLVM::StoreOp::create(b, vector::ExtractOp::create(b, values[full], ArrayRef<int64_t>{0}), places[full],
                            alignment);
      return;
    }
    SmallVector<bool> inside;
    for (int64_t lane = 0; lane < each; ++lane)
      inside.push_back(lane < last);
    auto maskType = VectorType::get({each}, b.getI1Type());
    Value mask = arith::ConstantOp::create(b, DenseElementsAttr::get(maskType, inside));
    LLVM::MaskedStoreOp::create(b, values[full], places[full], mask, b.getI32IntegerAttr(alignment));
  }

  const WholeKernel &kernel;
  ImplicitLocOpBuilder &b;
  rt::RandomBitsOp op;
  Steps steps;
  SmallVector<Value> state;
  SmallVector<Value> keys;     // of ThreeFry
  SmallVector<Value> schedule; // scalars
  Value memory;                // that holds the schedule, where a loop reads it
};

} // namespace

LogicalResult mlir::xla::emitRandomBits(const WholeKernel &kernel, rt::RandomBitsOp op) {
  RandomBits(kernel, op).emit();
  return success();
}
