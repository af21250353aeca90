// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that threads start and wait for, as late as they are allowed to be: a wait that is missing is seen. And what
// the lanes of a warp do with matrices.

#include "Collectives.h"
#include "Tensor.h"
#include "Worker.h"

#include "llvm/ADT/bit.h"

#include <cstring>

namespace cuda_emu {

void Worker::asyncCopy(Thread &thread, const AsyncCopy &copy) {
  if (copy.taken > copy.bytes)
    fail(thread, "cp.async takes more bytes than it writes", copy.line);
  if (profiler && copy.taken)
    profiler->note(thread, {copy.from, AccessSpace::Global, copy.taken, copy.bytes, 0, copy.line});
  if (checker) {
    if (copy.taken)
      check(thread, {copy.from, AccessSpace::Global, copy.taken, copy.bytes, 0, copy.line});
    check(thread, {copy.to, AccessSpace::Shared, copy.bytes, copy.bytes, AccessWrite, copy.line});
    checker->setPending(thread, copy.to, copy.bytes, true);
  }
  async[thread.index].copies.push_back(copy);
  if (isEarly)
    perform(thread, copy);
}

void Worker::perform(Thread &thread, const AsyncCopy &copy) {
  char *to = thread.block->shared + uint32_t(copy.to);
  memcpy(to, reinterpret_cast<const void *>(copy.from), copy.taken);
  memset(to + copy.taken, 0, copy.bytes - copy.taken);
}

void Worker::asyncCommit(Thread &thread) {
  AsyncCopies &own = async[thread.index];
  own.groups.push_back(own.copies.size());
}

void Worker::asyncWait(Thread &thread, unsigned groups, bool all) {
  AsyncCopies &own = async[thread.index];
  size_t finished = all ? own.groups.size() : own.groups.size() > groups ? own.groups.size() - groups : 0;
  size_t count = all ? own.copies.size() : finished ? own.groups[finished - 1] : 0;
  for (size_t i = 0; i < count; ++i) {
    AsyncCopy copy = own.copies[i];
    if (!isEarly)
      perform(thread, copy);
    if (checker) {
      // Written now, as far as others are concerned.
      checker->setPending(thread, copy.to, copy.bytes, false);
      check(thread, {copy.to, AccessSpace::Shared, copy.bytes, copy.bytes, AccessWrite, copy.line});
    }
  }
  own.copies.erase(own.copies.begin(), own.copies.begin() + count);
  own.groups.erase(own.groups.begin(), own.groups.begin() + finished);
  for (size_t &end : own.groups)
    end -= count;
}

void Worker::matrix(Thread &thread, unsigned kind, uint64_t *operands, uint64_t *results, uint64_t code,
                    unsigned line) {
  collective(thread, kind, ~0u, reinterpret_cast<uint64_t>(operands), reinterpret_cast<uint64_t>(results), 0, line,
             code);
}

void Worker::computeMatrix(Thread *lanes) {
  const uint64_t *operands[warpSize];
  uint64_t *results[warpSize];
  char *rows[warpSize];
  const Mailbox &first = lanes[0].mailbox;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    operands[lane] = reinterpret_cast<const uint64_t *>(lanes[lane].mailbox.a);
    results[lane] = reinterpret_cast<uint64_t *>(lanes[lane].mailbox.b);
  }
  if (first.kind == CollectiveMma) {
    multiply(llvm::bit_cast<Mma>(first.code), operands, results);
    return;
  }
  unsigned count = first.code & 7;
  bool isLoad = first.kind == CollectiveLoadMatrix, transposed = first.code & 8;
  for (unsigned lane = 0; lane < 8 * count; ++lane) {
    uint64_t address = operands[lane][0];
    if (address >> 32 == sharedWindow() >> 32)
      address -= sharedWindow();
    Access row = {address, AccessSpace::Shared, 16, 16, isLoad ? 0u : unsigned(AccessWrite), unsigned(first.c >> 32)};
    if (profiler)
      profiler->note(lanes[lane], row);
    check(lanes[lane], row);
    rows[lane] = lanes[0].block->shared + uint32_t(address);
    operands[lane] += 1;
  }
  for (unsigned lane = 8 * count; lane < warpSize; ++lane)
    operands[lane] += 1;
  if (isLoad)
    loadMatrices(count, transposed, rows, results);
  else
    storeMatrices(count, transposed, rows, operands);
}

} // namespace cuda_emu
