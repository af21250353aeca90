// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow of memory: for each granule who wrote it last, and who has read it since.

#include "Checker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace cuda_emu {

std::vector<Range> (*allocatedRanges)() = nullptr;

constexpr uint64_t cellsOfPage = 1024;

uint64_t Checker::sharedBytes() const {
  return uint64_t(cluster.blocks[0].dynamicOffset) + cluster.blocks[0].dynamicBytes;
}

std::string hex(uint64_t value) { return "0x" + llvm::utohexstr(value, true); }

void Checker::beginLaunch(const Kernel &code) {
  kernel = &code;
  granule = code.granule;
  global.clear();
  shared.clear();
  lastPage = ~uint64_t(0);
  lists.resize(1);
  freeLists.clear();
  published.clear();
  allocations = allocatedRanges ? allocatedRanges() : std::vector<Range>();
}

void Checker::beginCluster(const Cluster &current, uint32_t number) {
  cluster = current;
  serial = number;
  unsigned count = cluster.numBlocks * cluster.threadStride;
  clocks.reset(count);
  for (Cell &cell : shared)
    if (cell.readers)
      freeLists.push_back(cell.readers);
  cellsOfBlock = (sharedBytes() + granule - 1) / granule;
  shared.assign(cluster.numBlocks * cellsOfBlock, Cell());
  acquired.clear();
  knownFirst = knownLast = 0;
  publishedClocks.clear();
  fenced.assign(count, {});
  seen.assign(count, {});
  initClocks.assign(count, nullptr);
  for (auto &fences : proxyFences)
    fences.assign(count, {});
}

static std::shared_ptr<Clock> merged(const Clock &one, const Clock &other) {
  auto both = std::make_shared<Clock>(std::max(one.size(), other.size()));
  for (size_t i = 0; i < both->size(); ++i)
    (*both)[i] = std::max(i < one.size() ? one[i] : 0, i < other.size() ? other[i] : 0);
  return both;
}

Checker::Cell &Checker::globalCell(uint64_t index) {
  uint64_t number = index / cellsOfPage;
  if (number != lastPage) {
    Page &page = global[number];
    if (!page.cells)
      page.cells = std::make_unique<Cell[]>(cellsOfPage);
    lastPage = number;
    lastCells = page.cells.get();
  }
  return lastCells[index % cellsOfPage];
}

std::string Checker::describe(const Access &access, bool isShared) const {
  std::string text = access.flags & AccessMbarrier ? "mbarrier operation on "
                     : access.flags & AccessWrite  ? "write of "
                                                   : "read of ";
  return text + std::to_string(access.bytes) + " bytes at " + (isShared ? "shared address " : "address ") +
         hex(access.address);
}

/// A read is wrong if none of its bytes was written: some of those of a vector may be padding.
std::string Checker::noteWritten(const Range &range, const Access &access) const {
  if (!range.written || access.space == AccessSpace::Const)
    return "";
  uint64_t begin = access.address - range.begin, end = begin + access.bytes;
  if (!(access.flags & AccessWrite) && !isAnySet(range.written, begin, end))
    return describe(access, false) + ": nothing was written there since it was allocated";
  if (access.flags & AccessWrite)
    setBits(range.written, begin, end);
  return "";
}

bool isAnySet(const uint64_t *bits, uint64_t begin, uint64_t end) {
  for (uint64_t at = begin; at < end;) {
    uint64_t count = std::min(64 - at % 64, end - at), mask = count == 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
    if (bits[at / 64] >> at % 64 & mask)
      return true;
    at += count;
  }
  return false;
}
void setBits(uint64_t *bits, uint64_t begin, uint64_t end) {
  for (uint64_t at = begin; at < end;) {
    uint64_t count = std::min(64 - at % 64, end - at), mask = count == 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
    bits[at / 64] |= mask << at % 64;
    at += count;
  }
}

/// Whether `thread` knows anything that a thread of the block has done. Blocks of a cluster begin at different times.
bool Checker::knowsOf(unsigned rank, const Thread &thread) const {
  unsigned first = rank * cluster.threadStride;
  for (unsigned other = first; other < first + cluster.numThreads; ++other)
    if (clocks.isBefore(other, 1, thread.index))
      return true;
  return rank == thread.block->rank;
}

/// Finds out which memory it is, and whether the access may be.
std::string Checker::locate(Access &access, const Thread &thread, Target &target) const {
  bool &isShared = target.isShared;
  isShared = access.space == AccessSpace::Shared;
  target.rank = thread.block->rank;
  if (access.space == AccessSpace::Generic && access.address >> 32 == sharedWindow() >> 32) {
    isShared = true;
    access.address -= sharedWindow();
  }
  if (access.alignment && access.address % access.alignment)
    return describe(access, isShared) + ": not aligned";
  if (isShared) {
    if (access.address >> 32)
      return describe(access, true) + ": this is no address of shared memory";
    unsigned owner = access.address >> clusterShift;
    if (owner && cluster.numBlocks > 1 && owner <= cluster.numBlocks) {
      target.rank = owner - 1;
      access.address &= (uint64_t(1) << clusterShift) - 1;
      if (!knowsOf(target.rank, thread))
        return describe(access, true) + " of block " + std::to_string(target.rank) +
               " of the cluster, which may not have begun: nothing has synchronised with it";
    }
    if (access.address + access.bytes > sharedBytes())
      return describe(access, true) + ": out of bounds, there are " + std::to_string(sharedBytes()) + " bytes";
    return "";
  }
  auto parameters = reinterpret_cast<uint64_t>(thread.block->parameters);
  if (access.space == AccessSpace::Local || access.space == AccessSpace::Param ||
      (access.space == AccessSpace::Generic && (access.address - parameters < kernel->parameterBytes ||
                                                access.address - thread.stackLow < thread.stackBytes))) {
    target.isTracked = false;
    bool inside =
        access.address - thread.stackLow < thread.stackBytes ||
        (access.address >= parameters && access.address + access.bytes <= parameters + kernel->parameterBytes);
    return inside ? "" : describe(access, false) + ": this is no local memory of the thread";
  }
  auto found = std::upper_bound(allocations.begin(), allocations.end(), access.address,
                                [](uint64_t address, const Range &range) { return address < range.begin; });
  if (found != allocations.begin() && access.address + access.bytes <= found[-1].end)
    return noteWritten(found[-1], access);
  return describe(access, false) + ": out of bounds" +
         (describeAddress ? describeAddress(access.address + access.bytes) : "");
}

std::string Checker::nameOf(unsigned thread) const {
  if (clocks.isAgent(thread))
    return "an asynchronous operation";
  const uint32_t *tid = cluster.threads[thread].tid;
  std::string text =
      "thread (" + std::to_string(tid[0]) + ", " + std::to_string(tid[1]) + ", " + std::to_string(tid[2]) + ")";
  if (cluster.numBlocks > 1)
    text += " of block " + std::to_string(thread / cluster.threadStride) + " of the cluster";
  return text;
}

std::string Checker::race(const char *what, unsigned thread, uint32_t other, unsigned line, const Access &access,
                          bool isShared) const {
  return std::string("race: ") + (access.flags & AccessAtomic ? "atomic " : "") + describe(access, isShared) + " and " +
         what + " at " + kernel->source->describe(line) + " by " +
         (isShared || other == serial ? nameOf(thread) : "another block") + " are not ordered";
}

bool Checker::isOrdered(unsigned other, uint32_t time, const Thread &thread, const Access &access) const {
  if (clocks.isBefore(other, time, thread.index))
    return true;
  if (!(access.flags & AccessWarp))
    return false;
  unsigned first = thread.index / warpSize * warpSize;
  for (unsigned lane = first; lane < first + warpSize; ++lane)
    if (clocks.isBefore(other, time, lane))
      return true;
  return false;
}

/// Whether `other` has made what it wrote at `time` visible to the asynchronous proxy, before `thread` goes on.
bool Checker::isFenced(unsigned other, uint32_t time, const Thread &thread, const Access &access,
                       unsigned kinds) const {
  for (unsigned kind = 0; kind < numProxyFences; ++kind) {
    const std::vector<uint32_t> &fences = proxyFences[kind][other];
    auto found = std::lower_bound(fences.begin(), fences.end(), time);
    if (kinds >> kind & 1 && found != fences.end() && isOrdered(other, *found, thread, access))
      return true;
  }
  return false;
}

void Checker::addReader(Cell &cell, unsigned reader, unsigned line, const Thread &thread, const Access &access) {
  if (!cell.readers) {
    if (freeLists.empty()) {
      cell.readers = lists.size();
      lists.emplace_back();
    } else {
      cell.readers = freeLists.back();
      freeLists.pop_back();
      lists[cell.readers].few.clear();
      lists[cell.readers].times.clear();
    }
  }
  Readers &list = lists[cell.readers];
  uint32_t now = clocks.time(reader);
  list.line = line;
  if (!list.times.empty()) {
    list.times.resize(clocks.size());
    list.times[reader] = now;
    return;
  }
  for (Reader &other : list.few)
    if (other.thread == reader) {
      other.time = now;
      return;
    }
  if (list.few.size() == 8) {
    // Reads that happened before this one are covered by it.
    llvm::erase_if(list.few, [&](const Reader &other) { return isOrdered(other.thread, other.time, thread, access); });
    if (list.few.size() == 8) {
      list.times.assign(clocks.size(), 0);
      for (const Reader &other : list.few)
        list.times[other.thread] = other.time;
      list.times[reader] = now;
      return;
    }
  }
  list.few.push_back({uint16_t(reader), now});
}

/// Someone whose read does not happen before what `thread` does now, or -1.
int Checker::findReader(const Readers &list, const Thread &thread, const Access &access) const {
  if (list.times.empty()) {
    for (const Reader &reader : list.few)
      if (!isOrdered(reader.thread, reader.time, thread, access))
        return reader.thread;
    return -1;
  }
  for (unsigned other = 0; other < list.times.size(); ++other)
    if (!isOrdered(other, list.times[other], thread, access))
      return other;
  return -1;
}

std::string Checker::record(Cell &cell, const Thread &thread, const Access &access, bool isShared, unsigned agent) {
  bool isWrite = access.flags & AccessWrite, isAtomic = access.flags & AccessAtomic;
  unsigned actor = agent == nobody ? thread.index : agent;
  if (cell.isPending)
    return race("an asynchronous copy", cell.writeThread, serial, cell.writeLine, access, isShared);
  if (cell.isMbarrier && !(access.flags & AccessMbarrier))
    return describe(access, isShared) + ": there is an mbarrier, initialised at " +
           kernel->source->describe(cell.writeLine);
  if (!isShared) {
    // Among blocks nothing is ordered but by atomics with fences.
    bool otherWrote = cell.writeTime && cell.writeBlock != serial;
    bool otherRead = cell.readBlock && (cell.firstReadBlock != serial || cell.readBlock != serial);
    if (otherWrote && !(isAtomic && cell.isWriteAtomic) &&
        !isVisible(cell.writeBlock, cell.writeThread, cell.writeTime))
      return race("a write", 0, cell.writeBlock, cell.writeLine, access, false);
    if (isWrite && otherRead && !(isAtomic && cell.areReadsAtomic) && !areAcquired(cell.firstReadBlock, cell.readBlock))
      return race("a read", 0, cell.readBlock == serial ? 0 : cell.readBlock, cell.readLine, access, false);
    if (cell.readBlock != serial && cell.readers) {
      freeLists.push_back(cell.readers);
      cell.readers = 0;
    }
  } else if (!isWrite && !cell.writeTime) {
    return describe(access, true) + ": nothing was written there";
  }
  bool mine = isShared || cell.writeBlock == serial;
  if (cell.writeTime && mine && !(isAtomic && cell.isWriteAtomic) &&
      !isOrdered(cell.writeThread, cell.writeTime, thread, access))
    return race("a write", cell.writeThread, cell.writeBlock, cell.writeLine, access, isShared);
  if (agent != nobody && cell.writeTime && mine && !clocks.isAgent(cell.writeThread) &&
      !isFenced(cell.writeThread, cell.writeTime, thread, access, isShared ? FenceAsyncShared : FenceAsyncGlobal))
    return describe(access, isShared) + " by the asynchronous proxy: " + nameOf(cell.writeThread) + " wrote there at " +
           kernel->source->describe(cell.writeLine) + " and has made no fence.proxy.async since";
  if (!isWrite) {
    addReader(cell, actor, access.line, thread, access);
    cell.areReadsAtomic &= isAtomic;
    if (!cell.readBlock)
      cell.firstReadBlock = serial;
    cell.readBlock = serial;
    cell.readLine = access.line;
    return "";
  }
  if (cell.readers && !(isAtomic && cell.areReadsAtomic)) {
    const Readers &list = lists[cell.readers];
    int reader = findReader(list, thread, access);
    if (reader >= 0)
      return race("a read", reader, serial, list.line, access, isShared);
  }
  if (cell.readers)
    freeLists.push_back(cell.readers);
  cell = Cell();
  cell.writeThread = actor;
  cell.writeTime = clocks.time(actor);
  cell.writeLine = access.line;
  cell.writeBlock = serial;
  cell.isWriteAtomic = isAtomic;
  return "";
}

std::string Checker::checkCells(const Thread &thread, const Access &access, const Target &target, unsigned agent) {
  for (uint64_t at = access.address / granule, end = (access.address + access.bytes + granule - 1) / granule; at < end;
       ++at) {
    std::string problem =
        record(target.isShared ? sharedCell(target.rank, at) : globalCell(at), thread, access, target.isShared, agent);
    if (!problem.empty())
      return problem;
  }
  return "";
}

std::string Checker::checkAsync(const Thread &thread, const Access &wanted, unsigned agent) {
  Access access = wanted;
  Target target;
  std::string problem = locate(access, thread, target);
  if (!problem.empty() || !target.isTracked)
    return problem;
  if (!target.isShared) {
    // Rows of a tensor may end within a cell, whose rest is another's.
    uint64_t begin = (access.address + granule - 1) / granule * granule;
    uint64_t end = (access.address + access.bytes) / granule * granule;
    if (begin >= end)
      return "";
    access.address = begin;
    access.bytes = end - begin;
  }
  return checkCells(thread, access, target, agent);
}

std::string Checker::check(const Thread &thread, const Access &wanted) {
  Access access = wanted;
  Target target;
  std::string problem = locate(access, thread, target);
  if (!problem.empty() || !target.isTracked || access.space == AccessSpace::Const)
    return problem;
  unsigned linear = thread.index;
  uint64_t key = target.isShared ? access.address | uint64_t(target.rank) << 32 | uint64_t(1) << 63 : access.address;
  // An atomic that acquires sees what was published at its address; one that releases publishes.
  if (access.flags & AccessAtomic) {
    if (access.flags & AccessAcquire)
      acquire(thread, key);
    else
      seen[linear].push_back(key);
  }
  problem = checkCells(thread, access, target, nobody);
  if (!problem.empty())
    return problem;
  if ((access.flags & AccessAtomic) && (access.flags & AccessWrite)) {
    if (access.flags & AccessRelease) {
      auto clock = std::make_shared<Clock>();
      clocks.publish(linear, *clock);
      publish(key, clock, acquired);
    } else if (fenced[linear].clock) {
      publish(key, fenced[linear].clock, fenced[linear].others);
    }
  }
  return "";
}

void Checker::merge(Visible &into, const Visible &from) {
  for (const auto &[block, clock] : from) {
    std::shared_ptr<Clock> &own = into[block];
    if (own != clock)
      own = own ? merged(*own, *clock) : clock;
  }
}

/// Whether something is visible of each block from one to another. Those between that have not read what is asked about
/// count, too: what waits for many blocks mostly waits for all that began before it.
bool Checker::areAcquired(uint32_t first, uint32_t last) {
  if (first == knownFirst && last == knownLast)
    return true;
  for (uint32_t block = first; block <= last; ++block)
    if (block != serial && !acquired.count(block))
      return false;
  knownFirst = first;
  knownLast = last;
  return true;
}

bool Checker::isVisible(uint32_t block, unsigned other, uint32_t time) const {
  auto found = acquired.find(block);
  return found != acquired.end() && other < found->second->size() && time <= (*found->second)[other];
}

/// What was published at an address is visible to the block.
void Checker::acquire(const Thread &thread, uint64_t key) {
  auto blocks = published.find(key);
  if (blocks != published.end())
    merge(acquired, blocks->second);
  auto clock = publishedClocks.find(key);
  if (clock != publishedClocks.end())
    clocks.acquire(thread.index, clock->second);
}

void Checker::publish(uint64_t key, const std::shared_ptr<Clock> &clock, const Visible &others) {
  Visible &there = published[key];
  merge(there, others);
  merge(there, {{serial, clock}});
  std::shared_ptr<Clock> &own = publishedClocks[key];
  own = own ? merged(*own, *clock) : clock;
}

void Checker::setPending(const Thread &thread, uint64_t address, unsigned bytes, bool isPending) {
  for (uint64_t at = address / granule; at < (address + bytes + granule - 1) / granule; ++at)
    sharedCell(thread.block->rank, at).isPending = isPending;
}

void Checker::fence(const Thread &thread) {
  for (uint64_t key : seen[thread.index])
    acquire(thread, key);
  seen[thread.index].clear();
  Fenced &before = fenced[thread.index];
  before.clock = std::make_shared<Clock>();
  clocks.publish(thread.index, *before.clock);
  before.others = acquired;
}

// --- Barriers in memory ---

std::string Checker::initMbarrier(const Thread &thread, const Access &wanted) {
  Access access = wanted;
  Target target;
  std::string problem = locate(access, thread, target);
  if (!problem.empty())
    return problem;
  const Cell &before = sharedCell(target.rank, access.address / granule);
  if (before.isMbarrier)
    return describe(access, true) + ": the mbarrier there, initialised at " +
           kernel->source->describe(before.writeLine) + ", was not invalidated";
  problem = checkCells(thread, access, target, nobody);
  if (problem.empty())
    for (uint64_t at = access.address / granule; at < (access.address + access.bytes) / granule; ++at)
      sharedCell(target.rank, at).isMbarrier = true;
  return problem;
}

/// What is done to a barrier is ordered by itself; that it was initialised is not.
std::string Checker::useMbarrier(const Thread &thread, const Access &wanted, bool isAsync) {
  Access access = wanted;
  access.flags = AccessMbarrier;
  Target target;
  std::string problem = locate(access, thread, target);
  if (!problem.empty())
    return problem;
  for (uint64_t at = access.address / granule; at < (access.address + access.bytes) / granule; ++at) {
    Cell &cell = sharedCell(target.rank, at);
    if (!cell.isMbarrier)
      return describe(access, true) + ": there is no mbarrier, mbarrier.init was not executed";
    problem = record(cell, thread, access, true, nobody);
    if (!problem.empty())
      return problem;
    if (isAsync && !isFenced(cell.writeThread, cell.writeTime, thread, access, FenceAsyncShared | FenceMbarrierInit))
      return describe(access, true) + " by the asynchronous proxy: " + nameOf(cell.writeThread) +
             " initialised the barrier at " + kernel->source->describe(cell.writeLine) +
             " and has made no fence.mbarrier_init or fence.proxy.async since";
  }
  return "";
}

std::string Checker::invalidateMbarrier(const Thread &thread, const Access &wanted) {
  Access access = wanted;
  access.flags = AccessMbarrier | AccessWrite;
  Target target;
  std::string problem = locate(access, thread, target);
  if (problem.empty())
    problem = checkCells(thread, access, target, nobody);
  return problem;
}

void Checker::proxyFence(const Thread &thread, unsigned kinds) {
  for (unsigned kind = 0; kind < numProxyFences; ++kind)
    if (kinds >> kind & 1)
      proxyFences[kind][thread.index].push_back(clocks.time(thread.index));
  if (kinds & FenceMbarrierInit) {
    auto &clock = initClocks[thread.index];
    clock = std::make_shared<Clock>();
    clocks.publish(thread.index, *clock);
  } else {
    clocks.advance(thread.index);
  }
}

/// What an arrival that is relaxed makes known nevertheless.
void Checker::publishInit(const Thread &thread, Clock &into) {
  const auto &clock = initClocks[thread.index];
  if (!clock)
    return;
  into.resize(std::max(into.size(), clock->size()));
  for (size_t i = 0; i < clock->size(); ++i)
    into[i] = std::max(into[i], (*clock)[i]);
}

} // namespace cuda_emu
