// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What threads do together: barriers of the block, and collectives of a warp.

#include "../execute/Collectives.h"
#include "../execute/Machine.h"
#include "Translator.h"

#include "llvm/ADT/StringSwitch.h"

#include <cstddef>

namespace cuda_emu {

using namespace llvm;

/// Waits until the lanes of `mask` are here; the result is in the thread's mailbox.
Value *FunctionTranslator::collective(unsigned kind, Value *mask, Value *x, Value *y, Value *z) {
  auto widen = [&](Value *value) -> Value * { return value ? b.CreateZExt(value, i64) : constant(64, 0); };
  return call("emu_collective", i64,
              {thread, constant(32, kind), mask, widen(x), widen(y), widen(z), constant(32, current->line)});
}

void FunctionTranslator::emitBar(const Instruction &i, Modifiers &m) {
  if (m.take("cluster"))
    return emitClusterBarrier(i, m);
  m.take("cta");
  if (m.take("warp")) {
    if (!m.take("sync") || !checkOperands(i, 1, 1))
      return fail("'bar.warp' needs .sync and a mask");
    collective(BarWarp, readBits(i.operands[0], 32), nullptr, nullptr, nullptr);
    return;
  }
  StringRef what = m.takeAny({"sync", "arrive", "red"});
  bool isAligned = m.take("aligned") || i.opcode == "bar";
  if (what.empty())
    return fail("'" + i.opcode + "' needs .sync, .arrive or .red");
  if (what != "red") {
    if (!checkOperands(i, what == "arrive" ? 2 : 1, 2))
      return;
    Value *count = i.operands.size() > 1 ? readBits(i.operands[1], 32) : constant(32, 0);
    call("emu_bar", i32,
         {thread, constant(32, what == "sync" ? BarSync : BarArrive), readBits(i.operands[0], 32), count,
          constant(32, 0), constant(32, i.line), constant(32, isAligned)});
    return;
  }
  StringRef op = m.takeAny({"popc", "and", "or"});
  m.takeType();
  if (op.empty() || !checkOperands(i, 3, 4))
    return fail("'bar.red' needs .popc, .and or .or");
  unsigned kind = op == "popc" ? BarPopc : op == "and" ? BarAnd : BarOr;
  Value *count = i.operands.size() > 3 ? readBits(i.operands[2], 32) : constant(32, 0);
  Value *predicate = b.CreateZExt(readPredicate(i.operands.back()), i32);
  Value *result = call("emu_bar", i32,
                       {thread, constant(32, kind), readBits(i.operands[1], 32), count, predicate, constant(32, i.line),
                        constant(32, isAligned)});
  write(i.operands[0], op == "popc" ? result : b.CreateTrunc(result, i1));
}

/// Whether all lanes of a warp are there is not checked: the barrier counts threads.
void FunctionTranslator::emitClusterBarrier(const Instruction &i, Modifiers &m) {
  bool arrives = m.take("arrive"), waits = m.take("wait");
  m.take("aligned");
  bool isRelaxed = m.takeAny({"release", "relaxed", "acquire"}) == "relaxed";
  if (arrives == waits || !checkOperands(i, 0, 0))
    return fail("'barrier.cluster' needs .arrive or .wait");
  if (arrives)
    call("emu_cluster_arrive", b.getVoidTy(), {thread, constant(32, isRelaxed), constant(32, i.line)});
  else
    call("emu_cluster_wait", b.getVoidTy(), {thread, constant(32, i.line)});
}

void FunctionTranslator::emitShfl(const Instruction &i, Modifiers &m) {
  bool sync = m.take("sync");
  StringRef mode = m.takeAny({"up", "down", "bfly", "idx"});
  m.take("b32");
  if (!sync || mode.empty() || !checkOperands(i, 5, 5))
    return fail("'shfl' needs .sync, a mode and a mask");
  unsigned kind = mode == "up" ? ShflUp : mode == "down" ? ShflDown : mode == "bfly" ? ShflBfly : ShflIdx;
  Value *result = collective(kind, readBits(i.operands[4], 32), readBits(i.operands[1], 32),
                             readBits(i.operands[2], 32), readBits(i.operands[3], 32));
  const Operand &to = i.operands[0];
  write(to.kind == Operand::Pair ? to.elements[0] : to, b.CreateTrunc(result, i32));
  if (to.kind == Operand::Pair)
    write(to.elements[1], b.CreateTrunc(b.CreateLShr(result, constant(64, 32)), i1));
}

void FunctionTranslator::emitVote(const Instruction &i, Modifiers &m) {
  bool sync = m.take("sync");
  StringRef mode = m.takeAny({"all", "any", "uni", "ballot"});
  m.takeType();
  if (!sync || mode.empty() || !checkOperands(i, 3, 3))
    return fail("'vote' needs .sync, a mode and a mask");
  unsigned kind = mode == "all" ? VoteAll : mode == "any" ? VoteAny : mode == "uni" ? VoteUni : VoteBallot;
  Value *result = collective(kind, readBits(i.operands[2], 32), readPredicate(i.operands[1]), nullptr, nullptr);
  write(i.operands[0], b.CreateTrunc(result, mode == "ballot" ? i32 : i1));
}

void FunctionTranslator::emitMatch(const Instruction &i, Modifiers &m) {
  StringRef mode = m.takeAny({"any", "all"});
  bool sync = m.take("sync");
  Type type = m.takeType();
  if (!sync || mode.empty() || !type || !checkOperands(i, 3, 3))
    return fail("'match' needs .sync, a mode and a type");
  Value *result = collective(mode == "any" ? MatchAny : MatchAll, readBits(i.operands[2], 32),
                             read(i.operands[1], type), constant(32, type.bits), nullptr);
  const Operand &to = i.operands[0];
  write(to.kind == Operand::Pair ? to.elements[0] : to, b.CreateTrunc(result, i32));
  if (to.kind == Operand::Pair)
    write(to.elements[1], b.CreateTrunc(b.CreateLShr(result, constant(64, 32)), i1));
}

void FunctionTranslator::emitRedux(const Instruction &i, Modifiers &m) {
  bool sync = m.take("sync");
  StringRef op = m.takeAny({"add", "min", "max", "and", "or", "xor"});
  bool absolute = m.take("abs"), keepsNaN = m.take("NaN");
  Type type = m.takeType();
  if (!sync || op.empty() || type.bits != 32 || !checkOperands(i, 3, 3))
    return fail("'redux' needs .sync, an operation and a type of 32 bits");
  unsigned kind;
  if (type.isFloat())
    kind = op == "min" ? (keepsNaN ? ReduxMinFNaN : ReduxMinF) : (keepsNaN ? ReduxMaxFNaN : ReduxMaxF);
  else
    kind = StringSwitch<unsigned>(op)
               .Case("add", ReduxAdd)
               .Case("and", ReduxAnd)
               .Case("or", ReduxOr)
               .Case("xor", ReduxXor)
               .Case("min", type.isSigned() ? ReduxMinS : ReduxMinU)
               .Default(type.isSigned() ? ReduxMaxS : ReduxMaxU);
  Value *x = readBits(i.operands[1], 32);
  if (absolute)
    x = b.CreateAnd(x, constant(32, 0x7fffffff));
  write(i.operands[0], b.CreateTrunc(collective(kind, readBits(i.operands[2], 32), x, nullptr, nullptr), i32));
}

void FunctionTranslator::emitElect(const Instruction &i, Modifiers &m) {
  if (!m.take("sync") || !checkOperands(i, 2, 2) || i.operands[0].kind != Operand::Pair)
    return fail("'elect' needs .sync, two results and a mask");
  Value *leader = b.CreateTrunc(collective(Elect, readBits(i.operands[1], 32), nullptr, nullptr, nullptr), i32);
  write(i.operands[0].elements[0], leader);
  write(i.operands[0].elements[1], b.CreateICmpEQ(leader, threadField(i32, offsetof(Thread, lane))));
}

/// Which lanes are together is for the hardware to say: here each is alone, which any program has to allow for.
void FunctionTranslator::emitActivemask(const Instruction &i, Modifiers &m) {
  m.takeType();
  if (!checkOperands(i, 1, 1))
    return;
  write(i.operands[0], b.CreateShl(constant(32, 1), threadField(i32, offsetof(Thread, lane))));
}

} // namespace cuda_emu
