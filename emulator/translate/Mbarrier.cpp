// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in shared memory, fences between proxies, and what concerns whole warpgroups and clusters.

#include "../execute/Mbarrier.h"
#include "../execute/Checker.h"
#include "../execute/Machine.h"
#include "Translator.h"

#include <cstddef>

namespace cuda_emu {

using namespace llvm;

void FunctionTranslator::emitMbarrier(const Instruction &i, Modifiers &m) {
  if (m.take("pending_count")) {
    if (!m.take("b64") || !checkOperands(i, 2, 2))
      return fail("'mbarrier.pending_count' needs .b64");
    return write(i.operands[0],
                 b.CreateTrunc(b.CreateAnd(readBits(i.operands[1], 64), constant(64, MbarrierWord::most)), i32));
  }
  StringRef what =
      m.takeAny({"init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx", "test_wait", "try_wait"});
  bool arrives = what == "arrive" || what == "arrive_drop", drops = what == "arrive_drop";
  bool expects = arrives && m.take("expect_tx"), noComplete = arrives && m.take("noComplete");
  bool waits = what == "test_wait" || what == "try_wait", byParity = waits && m.take("parity");
  bool isRelaxed = m.takeAny({"release", "acquire", "relaxed"}) == "relaxed";
  m.takeAny({"cta", "cluster"});
  bool isCluster;
  Space space = takeSpace(m, isCluster);
  if (what.empty() || !m.take("b64") || (space != Space::Shared && space != Space::Generic))
    return fail("this form of 'mbarrier' is not supported");
  MbarrierKind kind = what == "init"          ? MbarrierKind::Init
                      : what == "inval"       ? MbarrierKind::Invalidate
                      : what == "expect_tx"   ? MbarrierKind::ExpectTx
                      : what == "complete_tx" ? MbarrierKind::CompleteTx
                      : what == "test_wait"   ? (byParity ? MbarrierKind::TestParity : MbarrierKind::TestState)
                      : what == "try_wait"    ? (byParity ? MbarrierKind::TryParity : MbarrierKind::TryState)
                      : expects    ? (drops ? MbarrierKind::ArriveDropExpectTx : MbarrierKind::ArriveExpectTx)
                      : noComplete ? (drops ? MbarrierKind::ArriveDropNoComplete : MbarrierKind::ArriveNoComplete)
                      : drops      ? MbarrierKind::ArriveDrop
                                   : MbarrierKind::Arrive;
  // The result, the address, and a number, which may be left out only where it is a count of 1. A wait may have a limit
  // of time.
  bool hasResult = arrives || waits;
  size_t first = hasResult ? 1 : 0, needed = what == "inval" || (arrives && !expects && !noComplete) ? 1 : 2;
  if (!checkOperands(i, first + needed, first + (what == "inval" ? 1 : what == "try_wait" ? 3 : 2)))
    return;
  const Operand &address = i.operands[first];
  if (address.kind != Operand::Address)
    return fail("an address in brackets expected");
  Value *operand = constant(64, 1);
  if (i.operands.size() > first + 1)
    operand = waits && !byParity ? readBits(i.operands[first + 1], 64)
                                 : b.CreateZExt(readBits(i.operands[first + 1], 32), i64);
  ModuleTranslator::Uses &own = module.uses[source.name];
  own.granule = std::min(own.granule, 8u);
  Value *result = call("emu_mbarrier", i64,
                       {thread, constant(32, unsigned(kind) | (isRelaxed ? MbarrierRelaxed : 0)), addressValue(address),
                        operand, constant(32, i.line)});
  if (waits)
    write(i.operands[0], b.CreateTrunc(result, i1));
  else if (hasResult)
    write(i.operands[0], result);
}

/// fence.proxy.* and fence.mbarrier_init: between what instructions and what asynchronous units do.
void FunctionTranslator::emitProxyFence(const Instruction &i, Modifiers &m) {
  if (m.take("mbarrier_init")) {
    if (!m.take("release") || !m.take("cluster"))
      return fail("'fence.mbarrier_init' needs .release.cluster");
    call("emu_proxy_fence", b.getVoidTy(), {thread, constant(32, FenceMbarrierInit)});
    return;
  }
  m.take("proxy");
  if (m.take("alias") || m.take("tensormap::generic")) { // here all have the same view of memory
    m.takeAll();
    return;
  }
  if (m.take("async::generic")) { // one way, for a cluster
    m.takeAny({"acquire", "release"});
    m.takePrefix("sync_restrict::");
    m.take("cluster");
    call("emu_proxy_fence", b.getVoidTy(), {thread, constant(32, FenceAsyncShared)});
    return;
  }
  if (!m.take("async"))
    return fail("this form of 'fence.proxy' is not supported");
  StringRef space = m.takeAny({"global", "shared::cta", "shared::cluster"});
  unsigned kinds = space == "global" ? FenceAsyncGlobal
                   : space.empty()   ? FenceAsyncShared | FenceAsyncGlobal
                                     : FenceAsyncShared;
  call("emu_proxy_fence", b.getVoidTy(), {thread, constant(32, kinds)});
}

/// How many registers a thread has makes no difference here.
void FunctionTranslator::emitSetmaxnreg(const Instruction &i, Modifiers &m) {
  if (m.takeAny({"inc", "dec"}).empty() || !m.take("sync") || !m.take("aligned") || !m.take("u32") ||
      !checkOperands(i, 1, 1))
    return fail("'setmaxnreg' needs .inc or .dec, .sync, .aligned and .u32");
  uint64_t count = i.operands[0].bits;
  if (i.operands[0].kind != Operand::Integer || count < 24 || count > 256 || count % 8)
    return fail("'setmaxnreg' is for 24 to 256 registers, a multiple of 8");
}

/// The address of a variable of another block of the cluster.
void FunctionTranslator::emitMapa(const Instruction &i, Modifiers &m) {
  bool isShared = m.take("shared::cluster");
  Type type = m.takeType();
  if ((type.bits != 32 && type.bits != 64) || (!isShared && type.bits != 64) || !checkOperands(i, 3, 3))
    return fail("'mapa' needs a type of 32 or 64 bits");
  Value *address = readBits(i.operands[1], 64), *rank = readBits(i.operands[2], 32);
  Value *window = isShared ? constant(64, 0) : constant(64, sharedWindow());
  Value *offset = b.CreateAnd(address, constant(64, (uint64_t(1) << clusterShift) - 1));
  Value *base = b.CreateShl(b.CreateZExt(b.CreateAdd(rank, constant(32, 1)), i64), constant(64, clusterShift));
  Value *isAlone = b.CreateICmpEQ(blockField(i32, offsetof(Block, clusterBlocks)), constant(32, 1));
  base = b.CreateSelect(isAlone, constant(64, 0), base);
  write(i.operands[0], b.CreateTrunc(b.CreateOr(b.CreateOr(offset, base), window), integer(type.bits)));
}

void FunctionTranslator::emitGetctarank(const Instruction &i, Modifiers &m) {
  m.take("shared::cluster");
  Type type = m.takeType();
  if ((type.bits != 32 && type.bits != 64) || !checkOperands(i, 2, 2))
    return fail("'getctarank' needs a type of 32 or 64 bits");
  Value *address = b.CreateTrunc(readBits(i.operands[1], 64), i32);
  Value *owner = b.CreateLShr(address, constant(32, clusterShift));
  Value *own = blockField(i32, offsetof(Block, rank));
  write(i.operands[0],
        b.CreateSelect(b.CreateICmpEQ(owner, constant(32, 0)), own, b.CreateSub(owner, constant(32, 1))));
}

} // namespace cuda_emu
