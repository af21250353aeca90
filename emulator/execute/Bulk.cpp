// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies. Those to shared memory are made when nobody else can go on, those to global memory when they are waited
// for: as late as allowed; or at once; or, in random order, at any time.

#include "Bulk.h"
#include "Worker.h"

#include <cstring>

namespace cuda_emu {

static bool isSharedAddress(uint64_t address) { return address >> 32 == sharedWindow() >> 32; }

void Worker::bulkCopy(Thread &thread, unsigned flags, uint64_t shared, uint64_t global, const int32_t *coordinates,
                      uint32_t bytes, uint64_t barrier, unsigned mask, unsigned line) {
  BulkCopy copy;
  copy.isLoad = flags & BulkLoad;
  copy.isTensor = flags & BulkTensor;
  copy.thread = thread.index;
  copy.line = line;
  uint64_t offset = isSharedAddress(shared) ? uint32_t(shared) : shared;
  unsigned owner = offset >> clusterShift;
  copy.rank = thread.block->rank;
  if (numBlocks > 1 && owner && owner <= numBlocks && copy.isLoad) {
    copy.rank = owner - 1;
    offset &= (uint64_t(1) << clusterShift) - 1;
  }
  copy.barrier = barrier;
  copy.bytes = bytes;
  copy.global = global;
  uint64_t size = uint64_t(thread.block->dynamicOffset) + thread.block->dynamicBytes;
  if (flags & BulkFromShared) {
    copy.isFromShared = true;
    if (uint32_t(global) + uint64_t(bytes) > size)
      fail(thread,
           "a bulk copy from shared address " + hex(global) + ", of which there are " + std::to_string(size) + " bytes",
           line);
    copy.global = reinterpret_cast<uint64_t>(thread.block->shared) + uint32_t(global);
  }
  if (copy.isTensor)
    takeTensorMap(thread, copy, flags >> BulkRankShift, flags & BulkPixels, coordinates);
  else if (bytes % 16 || global % 16 || !bytes)
    fail(thread,
         "a bulk copy of " + std::to_string(bytes) + " bytes at address " + hex(global) +
             ": both have to be multiples of 16",
         line);
  if (offset % (copy.isTensor ? 128 : 16))
    fail(thread,
         "a bulk copy with shared address " + hex(offset) + ", which is no multiple of " +
             (copy.isTensor ? "128" : "16"),
         line);
  if (offset + copy.bytes > size)
    fail(thread,
         "a bulk copy of " + std::to_string(copy.bytes) + " bytes with shared address " + hex(offset) +
             ", of which there are " + std::to_string(size) + " bytes",
         line);
  copy.shared = offset;
  if (!copy.isLoad)
    return startStore(thread, std::move(copy));
  if (!(flags & BulkMulticast))
    return startLoad(thread, std::move(copy));
  // To the same place of several blocks, each of which counts the bytes at the same place.
  if (!mask || mask >> numBlocks)
    fail(thread, "a copy to blocks " + hex(mask) + " of a cluster of " + std::to_string(numBlocks), line);
  uint64_t inBlock = barrier & ((uint64_t(1) << clusterShift) - 1);
  for (unsigned rank = 0; rank < numBlocks; ++rank) {
    if (!(mask >> rank & 1))
      continue;
    BulkCopy part = copy;
    part.rank = rank;
    part.barrier = numBlocks > 1 ? inBlock | uint64_t(rank + 1) << clusterShift : inBlock;
    startLoad(thread, std::move(part));
  }
}

/// `coordinates`: those of the first element, and behind them the offsets of the window over pixels.
void Worker::takeTensorMap(Thread &thread, BulkCopy &copy, unsigned rank, bool isPixels, const int32_t *coordinates) {
  check(thread, {copy.global, AccessSpace::Generic, 128, 64, 0, copy.line});
  if (copy.global % 64 || isSharedAddress(copy.global))
    fail(thread,
         "a tensor map at address " + hex(copy.global) + ", which is no multiple of 64 outside of shared memory",
         copy.line);
  memcpy(&copy.map, reinterpret_cast<const void *>(copy.global), sizeof copy.map);
  if (copy.map.magic != TensorMap::magicNumber)
    fail(thread, "there is no tensor map at address " + hex(copy.global), copy.line);
  if (copy.map.rank != rank)
    fail(thread,
         "a copy with " + std::to_string(rank) + " coordinates by a tensor map of " + std::to_string(copy.map.rank) +
             " dimensions",
         copy.line);
  if (isPixels != (copy.map.pixels != 0))
    fail(thread,
         isPixels ? "a copy of pixels (im2col) by a tensor map of tiles"
                  : "a copy of a tile by a tensor map of pixels (im2col)",
         copy.line);
  std::copy_n(coordinates, rank, copy.place.at);
  for (unsigned d = 1; isPixels && d + 1 < rank; ++d) {
    copy.place.offsets[d - 1] = coordinates[rank + d - 1];
    int64_t end = int64_t(copy.map.sizes[d]) + copy.map.upper[d - 1];
    if (coordinates[d] < copy.map.lower[d - 1] || coordinates[d] >= end)
      fail(thread,
           "a copy of pixels that begins at " + std::to_string(coordinates[d]) + " of dimension " + std::to_string(d) +
               ", outside of the box from " + std::to_string(copy.map.lower[d - 1]) + " to " + std::to_string(end - 1),
           copy.line);
  }
  copy.bytes = copy.map.boxBytes();
}

/// What shared and global memory a copy concerns: ranges of either, in order.
template <typename Shared, typename Global>
static void forEachPart(const BulkCopy &copy, Shared onShared, Global onGlobal) {
  if (!copy.isTensor) {
    onShared(copy.shared, copy.bytes);
    onGlobal(copy.global, copy.bytes);
    return;
  }
  forEachRow(copy.map, copy.place, copy.shared, [&](const BoxRow &row) {
    if (copy.map.swizzle)
      for (unsigned n = 0; n < row.bytes; n += 16)
        onShared(swizzled(row.shared + n, copy.map.swizzle), 16);
    else
      onShared(row.shared, row.bytes);
    if (row.begin < row.end)
      onGlobal(row.global, row.end - row.begin);
  });
}

/// As the thread that starts the copy may do it, in the agents' names.
void Worker::checkBulk(Thread &thread, const BulkCopy &copy, unsigned sharedAgent, unsigned globalAgent) {
  std::string problem;
  auto note = [&](uint64_t address, AccessSpace space, unsigned bytes, bool isWrite, unsigned agent) {
    if (problem.empty())
      problem = checker->checkAsync(thread, {address, space, bytes, 1, isWrite ? unsigned(AccessWrite) : 0u, copy.line},
                                    agent);
  };
  uint64_t base = numBlocks > 1 ? uint64_t(copy.rank + 1) << clusterShift : 0;
  if (copy.isFromShared) {
    note(copy.global - reinterpret_cast<uint64_t>(thread.block->shared), AccessSpace::Shared, copy.bytes, false,
         globalAgent);
    note(base | copy.shared, AccessSpace::Shared, copy.bytes, true, sharedAgent);
    if (!problem.empty())
      fail(thread, problem, copy.line);
    return;
  }
  forEachPart(
      copy,
      [&](uint32_t offset, unsigned bytes) {
        note(base | offset, AccessSpace::Shared, bytes, copy.isLoad, sharedAgent);
      },
      [&](uint64_t address, unsigned bytes) { note(address, AccessSpace::Global, bytes, !copy.isLoad, globalAgent); });
  if (!problem.empty())
    fail(thread, problem, copy.line);
}

// --- To shared memory ---

void Worker::startLoad(Thread &thread, BulkCopy copy) {
  MbarrierPlace place = findMbarrier(thread, copy.barrier, copy.line);
  checkMbarrier(thread, place, copy.line, true);
  if (checker) {
    if (!place.state->agent)
      place.state->agent = checker->clocks.addAgent();
    checkBulk(thread, copy, place.state->agent, place.state->agent);
  }
  ++place.state->copies;
  place.state->lastCopy = place.state->phases + 1;
  bool isNow = isEarly || (isShuffled && random() % 4 == 0);
  if (isNow)
    return finishLoad(copy);
  loads.push_back(std::move(copy));
}

/// Bits of what is no number, by TensorMap::fillBits.
static void fillOutside(const TensorMap &map, char *row, unsigned begin, unsigned end) {
  if (!map.fillBits) {
    memset(row + begin, 0, end - begin);
    return;
  }
  uint64_t bits = map.elementBytes == 2 ? 0x7fff : map.elementBytes == 4 ? 0x7fffffff : 0x7fffffffffffffff;
  for (unsigned n = begin; n < end; n += map.elementBytes)
    memcpy(row + n, &bits, map.elementBytes);
}

void Worker::finishLoad(const BulkCopy &copy) {
  fruitlessRounds = 0;
  if (checker && alive && !states[copy.rank].alive)
    fail(threads[copy.thread], "a copy to shared memory of a block of the cluster that has ended", copy.line);
  char *shared = blocks[copy.rank].shared;
  if (!copy.isTensor) {
    memcpy(shared + copy.shared, reinterpret_cast<const void *>(copy.global), copy.bytes);
  } else {
    std::vector<char> buffer(copy.map.rowBytes());
    forEachRow(copy.map, copy.place, copy.shared, [&](const BoxRow &row) {
      fillOutside(copy.map, buffer.data(), 0, row.begin);
      memcpy(buffer.data() + row.begin, reinterpret_cast<const void *>(row.global), row.end - row.begin);
      fillOutside(copy.map, buffer.data(), row.end, row.bytes);
      for (unsigned n = 0; n < row.bytes; n += 16)
        memcpy(shared + swizzled(row.shared + n, copy.map.swizzle), buffer.data() + n, 16);
    });
  }
  const Thread &thread = threads[copy.thread];
  MbarrierPlace place = findMbarrier(thread, copy.barrier, copy.line);
  if (!MbarrierWord::isValid(*place.word))
    fail(thread, "the mbarrier at shared address " + hex(place.offset) + ", which counts the bytes of a copy, is gone",
         copy.line);
  --place.state->copies;
  MbarrierWord word = MbarrierWord::unpack(*place.word);
  word.bytes -= copy.bytes;
  if (word.bytes < -int64_t(MbarrierWord::most))
    fail(thread, "mbarrier at shared address " + hex(place.offset) + ": more than 2^20 - 1 bytes that nobody expects",
         copy.line);
  *place.word = word.pack();
  if (word.isComplete())
    completePhase(thread, place, copy.line);
}

bool Worker::finishSomeLoad() {
  if (loads.empty())
    return false;
  size_t index = isShuffled ? random() % loads.size() : 0;
  BulkCopy copy = std::move(loads[index]);
  loads.erase(loads.begin() + index);
  finishLoad(copy);
  return true;
}

/// Once all threads have ended, nobody can know any more whether a copy is done.
void Worker::checkLoadsAtEnd(const Thread &thread) {
  for (const BulkCopy &copy : loads)
    fail(thread, "the block ends while its copy to shared address " + hex(copy.shared) + " is going on", copy.line);
  for (const BlockState &state : states)
    for (const auto &[offset, barrier] : state.mbarriers)
      if (barrier.lastCopy > barrier.seen)
        fail(thread,
             "the block ends and no thread has waited for the copies that the mbarrier at shared address " +
                 hex(offset) + " counts",
             barrier.line);
}

// --- To global memory ---

BulkStores &Worker::storesOf(const Thread &thread) {
  if (stores.empty())
    stores.resize(numBlocks * threadStride);
  return stores[thread.index];
}

void Worker::startStore(Thread &thread, BulkCopy copy) {
  BulkStores &own = storesOf(thread);
  if (checker) {
    if (!own.reader) {
      own.reader = checker->clocks.addAgent();
      own.writer = checker->clocks.addAgent();
    }
    checkBulk(thread, copy, own.reader, own.writer);
    copy.readTime = checker->clocks.time(own.reader);
    copy.writeTime = checker->clocks.time(own.writer);
    checker->clocks.advance(own.reader);
    checker->clocks.advance(own.writer);
  }
  own.copies.push_back(std::move(copy));
  if (isEarly || (isShuffled && random() % 2)) {
    readStore(own.copies.back());
    if (isEarly || random() % 2)
      writeStore(own.copies.back());
  }
}

void Worker::readStore(BulkCopy &copy) {
  if (copy.isRead)
    return;
  copy.isRead = true;
  const char *shared = blocks[copy.rank].shared;
  copy.data.reserve(copy.bytes);
  auto append = [&](uint32_t offset, unsigned bytes) {
    copy.data.insert(copy.data.end(), shared + offset, shared + offset + bytes);
  };
  forEachPart(copy, append, [](uint64_t, unsigned) {});
}

void Worker::writeStore(BulkCopy &copy) {
  if (copy.data.empty())
    return;
  if (!copy.isTensor) {
    memcpy(reinterpret_cast<void *>(copy.global), copy.data.data(), copy.bytes);
  } else {
    const char *row = copy.data.data();
    forEachRow(copy.map, copy.place, copy.shared, [&](const BoxRow &place) {
      memcpy(reinterpret_cast<void *>(place.global), row + place.begin, place.end - place.begin);
      row += place.bytes;
    });
  }
  copy.data.clear();
}

void Worker::bulkCommit(Thread &thread) {
  BulkStores &own = storesOf(thread);
  own.groups.push_back(own.copies.size());
}

void Worker::bulkWait(Thread &thread, unsigned groups, bool onlyRead) {
  BulkStores &own = storesOf(thread);
  size_t finished = own.groups.size() > groups ? own.groups.size() - groups : 0;
  size_t count = finished ? own.groups[finished - 1] : 0;
  for (size_t i = 0; i < count; ++i) {
    BulkCopy &copy = own.copies[i];
    readStore(copy);
    copy.isWaited = true;
    if (checker)
      checker->clocks.learn(thread.index, own.reader, copy.readTime);
    // What is only read stays, but not without end.
    if (onlyRead && own.copies.size() - i <= 64)
      continue;
    writeStore(copy);
    if (checker && !onlyRead)
      checker->clocks.learn(thread.index, own.writer, copy.writeTime);
  }
  if (onlyRead)
    return;
  own.copies.erase(own.copies.begin(), own.copies.begin() + count);
  own.groups.erase(own.groups.begin(), own.groups.begin() + finished);
  for (size_t &end : own.groups)
    end -= count;
}

void Worker::checkStoresAtEnd(const Thread &thread) {
  if (stores.empty())
    return;
  for (const BulkCopy &copy : stores[thread.index].copies)
    if (!copy.isWaited)
      fail(thread, "the thread ends while shared memory is being read by its copy to global memory", copy.line);
}

/// The latest moment to write. Shared memory is gone: what was not read until now is not a number.
void Worker::finishStores() {
  for (BulkStores &own : stores)
    for (BulkCopy &copy : own.copies) {
      if (!copy.isRead)
        copy.data.assign(copy.bytes, char(0xff));
      writeStore(copy);
    }
}

} // namespace cuda_emu
