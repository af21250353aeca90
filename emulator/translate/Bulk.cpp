// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async.bulk: copies of a box of a tensor, or of bytes in a row, and their groups.

#include "../execute/Bulk.h"
#include "Translator.h"

namespace cuda_emu {

using namespace llvm;

static unsigned rankOf(StringRef modifier) {
  return modifier.size() == 2 && modifier[1] == 'd' && modifier[0] >= '1' && modifier[0] <= '5' ? modifier[0] - '0' : 0;
}

void FunctionTranslator::emitBulk(const Instruction &i, Modifiers &m) {
  if (m.take("commit_group")) {
    if (checkOperands(i, 0, 0))
      call("emu_bulk_commit", b.getVoidTy(), {thread});
    return;
  }
  if (m.take("wait_group")) {
    bool onlyRead = m.take("read");
    if (checkOperands(i, 1, 1))
      call("emu_bulk_wait", b.getVoidTy(), {thread, readBits(i.operands[0], 32), constant(32, onlyRead)});
    return;
  }
  bool isTensor = m.take("tensor");
  if (m.take("prefetch")) { // what is in a cache makes no difference here
    m.takeAll();
    return;
  }
  unsigned rank = 0;
  for (StringRef modifier : i.modifiers)
    if (isTensor && rankOf(modifier) && m.take(modifier))
      rank = rankOf(modifier);
  bool isPixels = isTensor && m.take("im2col");
  if (!isPixels)
    m.take("tile");
  // The target's space stands before the source's.
  bool isLoad = false;
  for (StringRef modifier : i.modifiers)
    if (modifier == "global" || modifier.starts_with("shared")) {
      isLoad = modifier != "global";
      break;
    }
  bool isFromShared = isLoad && !isTensor && !m.has("global") && m.take("shared::cta");
  bool known = (isFromShared || m.take("global")) && m.takeAny({"shared::cluster", "shared::cta"}) != "";
  known &= isLoad ? m.take("mbarrier::complete_tx::bytes") : m.take("bulk_group");
  bool isMulticast = isLoad && m.take("multicast::cluster"), hasPolicy = m.take("L2::cache_hint");
  if (!known || (isTensor && !rank) || (isPixels && (!isLoad || rank < 3)))
    return fail("this form of 'cp.async.bulk' is not supported");
  // [to], [from], the size of bytes in a row, [barrier], {offsets of a window}, the blocks of a multicast, a policy.
  size_t count = 2 + !isTensor + isLoad + isPixels + isMulticast + hasPolicy;
  if (!checkOperands(i, count, count))
    return;
  const Operand &shared = i.operands[isLoad ? 0 : 1], &global = i.operands[isLoad ? 1 : 0];
  size_t next = 2;
  Value *bytes = isTensor ? constant(32, 0) : readBits(i.operands[next++], 32);
  Value *barrier = isLoad ? addressValue(i.operands[next++]) : constant(64, 0);
  const Operand *offsets = isPixels ? &i.operands[next++] : nullptr;
  Value *mask = isMulticast ? b.CreateZExt(readBits(i.operands[next++], 16), i32) : constant(32, 0);
  // At most five coordinates and, of pixels, three offsets.
  AllocaInst *at = allocate(ArrayType::get(i32, 8), 4, "at");
  if (isTensor) {
    if (global.elements.size() != 1 || global.elements[0].elements.size() != rank)
      return fail("a tensor map with " + Twine(rank) + " coordinates expected");
    for (unsigned d = 0; d < rank; ++d)
      b.CreateStore(readBits(global.elements[0].elements[d], 32), b.CreateConstInBoundsGEP1_64(i32, at, d));
  }
  if (isPixels) {
    if (offsets->elements.size() != rank - 2)
      return fail(Twine(rank - 2) + " offsets of the window expected");
    for (unsigned d = 0; d < rank - 2; ++d)
      b.CreateStore(b.CreateZExt(readBits(offsets->elements[d], 16), i32),
                    b.CreateConstInBoundsGEP1_64(i32, at, rank + d));
  }
  unsigned flags = (isLoad ? BulkLoad : 0) | (isTensor ? BulkTensor : 0) | (isMulticast ? BulkMulticast : 0) |
                   (isFromShared ? BulkFromShared : 0) | (isPixels ? BulkPixels : 0) | rank << BulkRankShift;
  call("emu_bulk_copy", b.getVoidTy(),
       {thread, constant(32, flags), addressValue(shared), addressValue(global), at, bytes, barrier, mask,
        constant(32, i.line)});
}

} // namespace cuda_emu
