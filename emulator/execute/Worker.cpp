// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a block. Threads that wait for no other run in a plain loop; else each is a fibre, and whoever has to wait
// switches to the next one that is ready.

#include "Worker.h"
#include "Collectives.h"
#include "Environment.h"

#include "llvm/ADT/bit.h"

#include <cstdio>
#include <cstring>
#include <sys/mman.h>

namespace cuda_emu {

/// Below any frame of compiled code: for what that calls of the emulator, which may allocate memory, and so must not
/// run into the end of a stack. And for functions that call themselves.
constexpr size_t hostBytes = 48 * 1024, recursionBytes = 48 * 1024;

bool Worker::prepare(const LaunchShape &shape) {
  size_t shared = size_t(blocks[0].dynamicOffset) + blocks[0].dynamicBytes;
  if (!sharedMemory.prepare(numBlocks, shared)) {
    failure.text = "the host has no memory for shared memory";
    return false;
  }
  // A function that may begin has room for its frame, whichever it is.
  if (!stacks.reserve(kernel->needsFibres ? numBlocks * threadStride : 1,
                      hostBytes + recursionBytes + 2 * kernel->frameBytes)) {
    failure.text = "the host has no memory for the stacks of the threads";
    return false;
  }
  for (unsigned rank = 0; rank < numBlocks; ++rank) {
    blocks[rank].shared = sharedMemory.window(rank);
    // Not a number: what a kernel did not write is seen in its results.
    memset(blocks[rank].shared, 0xff, shared);
  }
  return true;
}

void Worker::beginLaunch(const Kernel &code, unsigned seed) {
  serial = 0;
  isEarly = environmentSays("CUDA_EMU_ASYNC", "early");
  isShuffled = seed && code.isChecked;
  random.seed(seed);
  profiler = code.isProfiled ? std::make_unique<Profiler>(code) : nullptr;
  if (!code.isChecked) {
    checker = nullptr;
    return;
  }
  if (!checker)
    checker = std::make_unique<Checker>();
  checker->beginLaunch(code);
}

void Worker::placeBlocks(const LaunchShape &shape, char *parameters, const uint32_t cluster[3], uint64_t grid) {
  numBlocks = shape.cluster[0] * shape.cluster[1] * shape.cluster[2];
  numThreads = shape.block[0] * shape.block[1] * shape.block[2];
  unsigned warpsOfBlock = (numThreads + warpSize - 1) / warpSize;
  threadStride = warpsOfBlock * warpSize;
  for (unsigned rank = 0; rank < numBlocks; ++rank) {
    Block &block = blocks[rank];
    block.owner = this;
    block.worker = index;
    block.parameters = parameters;
    block.grid = grid;
    block.numWarps = warpsOfBlock;
    block.staticBytes = kernel->staticShared;
    block.dynamicOffset =
        (kernel->staticShared + kernel->dynamicAlignment - 1) / kernel->dynamicAlignment * kernel->dynamicAlignment;
    block.dynamicBytes = shape.dynamicShared;
    block.rank = rank;
    block.clusterBlocks = numBlocks;
    unsigned rest = rank;
    for (unsigned d = 0; d < 3; ++d) {
      block.clusterBlock[d] = rest % shape.cluster[d];
      rest /= shape.cluster[d];
      block.clusterShape[d] = shape.cluster[d];
      block.cluster[d] = cluster[d];
      block.clusters[d] = shape.grid[d] / shape.cluster[d];
      block.ctaid[d] = cluster[d] * shape.cluster[d] + block.clusterBlock[d];
      block.ntid[d] = shape.block[d];
      block.nctaid[d] = shape.grid[d];
    }
  }
}

bool Worker::runCluster(const Kernel &code, const LaunchShape &shape, char *parameters, const uint32_t cluster[3],
                        uint64_t grid) {
  kernel = &code;
  failure = {};
  placeBlocks(shape, parameters, cluster, grid);
  if (!prepare(shape))
    return false;
  threads.resize(std::max<size_t>(threads.size(), numBlocks * threadStride));
  ++serial;
  if (checker)
    checker->beginCluster({blocks.data(), numBlocks, numThreads, threadStride, threads.data()}, serial);
  if (kernel->needsFibres) {
    runFibres();
  } else {
    placeStack(threads[0], 0);
    emu_switch(&mainStack, prepareStack(stacks.top(0), startLoop, this));
  }
  if (fault.isPending)
    describeFault();
  if (profiler)
    profiler->count();
  return failure.text.empty();
}

void Worker::placeStack(Thread &thread, size_t index) {
  thread.stackBytes = stacks.size();
  thread.stackLow = reinterpret_cast<uint64_t>(stacks.top(index)) - thread.stackBytes;
  thread.stackLimit = thread.stackLow + hostBytes + kernel->frameBytes;
}

void Worker::startLoop(void *self) {
  auto *worker = static_cast<Worker *>(self);
  worker->runLoop();
  void *ended;
  emu_switch(&ended, worker->mainStack);
  __builtin_unreachable();
}

void Worker::runLoop() {
  Thread &thread = threads[0];
  KernelCode code = kernel->code;
  for (unsigned rank = 0; rank < numBlocks; ++rank) {
    Block &block = blocks[rank];
    thread.block = &block;
    uint32_t linear = 0;
    for (uint32_t z = 0; z < block.ntid[2]; ++z)
      for (uint32_t y = 0; y < block.ntid[1]; ++y)
        for (uint32_t x = 0; x < block.ntid[0]; ++x, ++linear) {
          thread.tid[0] = x;
          thread.tid[1] = y;
          thread.tid[2] = z;
          thread.linear = linear;
          thread.lane = linear % warpSize;
          thread.warp = linear / warpSize;
          code(&thread);
        }
  }
}

void Worker::startThread(void *self) {
  auto *thread = static_cast<Thread *>(self);
  thread->block->owner->kernel->code(thread);
  thread->block->owner->end(*thread);
}

void Worker::runFibres() {
  ready = {};
  pollers.clear();
  loads.clear();
  warpgroups.clear();
  stores.clear();
  fruitlessRounds = 0;
  async.resize(numBlocks * threadStride);
  for (AsyncCopies &copies : async) {
    copies.copies.clear();
    copies.groups.clear();
  }
  states.assign(numBlocks, {});
  alive = numBlocks * numThreads;
  clusterBarrier = {};
  clusterBarrier.alive = alive;
  warps.assign(numBlocks * threadStride / warpSize, {});
  for (unsigned rank = 0; rank < numBlocks; ++rank) {
    Block &block = blocks[rank];
    states[rank].alive = numThreads;
    uint32_t x = 0, y = 0, z = 0;
    for (unsigned i = 0; i < numThreads; ++i) {
      unsigned place = rank * threadStride + i;
      Thread &thread = threads[place];
      thread.tid[0] = x;
      thread.tid[1] = y;
      thread.tid[2] = z;
      if (++x == block.ntid[0]) {
        x = 0;
        if (++y == block.ntid[1]) {
          y = 0;
          ++z;
        }
      }
      thread.index = place;
      thread.linear = i;
      thread.lane = i % warpSize;
      thread.warp = i / warpSize;
      thread.block = &block;
      thread.spins = 0;
      thread.hasPolled = false;
      placeStack(thread, place);
      thread.stackPointer = prepareStack(stacks.top(place), startThread, &thread);
      warps[place / warpSize].alive |= 1u << thread.lane;
      ready.insert(place);
    }
  }
  emu_switch(&mainStack, threads[0].stackPointer);
  if (fault.isPending || !failure.text.empty())
    return;
  if (alive)
    failure.text = deadlock();
  else
    finishStores();
}

Thread *Worker::next(unsigned from) {
  unsigned words = (numBlocks * threadStride + 63) / 64, word = from / 64;
  if (isShuffled) {
    unsigned count = 0;
    for (unsigned w = 0; w < words; ++w)
      count += llvm::popcount(ready.words[w]);
    if (!count)
      return nullptr;
    unsigned skip = random() % count;
    for (unsigned w = 0;; ++w) {
      uint64_t bits = ready.words[w];
      unsigned here = llvm::popcount(bits);
      if (skip >= here) {
        skip -= here;
        continue;
      }
      for (; skip; --skip)
        bits &= bits - 1;
      return &threads[w * 64 + llvm::countr_zero(bits)];
    }
  }
  // The rest of this word without `from` itself, then the others, then its beginning.
  uint64_t rest = ready.words[word] & ~(((uint64_t(2) << from % 64) - 1));
  for (unsigned n = 0; n <= words; ++n) {
    if (rest)
      return &threads[word * 64 + llvm::countr_zero(rest)];
    word = word + 1 == words ? 0 : word + 1;
    rest = ready.words[word];
  }
  return nullptr;
}

Thread *Worker::proceed(unsigned from) {
  while (true) {
    if (Thread *other = next(from))
      return other;
    if (!finishSomeLoad() && !wakePollers())
      return nullptr;
  }
}

/// The thread is not ready unless it only yields.
void Worker::suspend(Thread &thread) {
  if (isShuffled && random() % 8 == 0)
    finishSomeLoad();
  Thread *other = proceed(thread.index);
  if (other == &thread)
    return;
  emu_switch(&thread.stackPointer, other ? other->stackPointer : mainStack);
}

void Worker::yield(Thread &thread) {
  if (++thread.spins % 1024 == 0)
    finishSomeLoad();
  if (kernel->needsFibres)
    suspend(thread);
}

constexpr unsigned maxSpins = 20 * 1000 * 1000;

void Worker::spin(Thread &thread) {
  // The count is what a wait for a block that has not begun runs into.
  if (++thread.spins > maxSpins && kernel->isChecked)
    fail(thread, "the thread seems to wait for something that does not happen", 0);
  // Nor do copies wait until all have stopped spinning.
  if (thread.spins % 1024 == 0)
    finishSomeLoad();
  if (thread.spins % 16 == 0)
    yield(thread);
}

void Worker::check(Thread &thread, const Access &access) {
  if (!checker)
    return;
  std::string problem = checker->check(thread, access);
  if (!problem.empty())
    fail(thread, problem, access.line);
}

/// Shared memory of a block is there as long as the block.
void Worker::checkIsAlive(const Thread &thread, uint64_t address, unsigned line) {
  unsigned owner = uint32_t(address) >> clusterShift;
  if (owner && owner <= numBlocks && !states[owner - 1].alive)
    fail(thread, "access to shared memory of block " + std::to_string(owner - 1) + " of the cluster, which has ended",
         line);
}

void Worker::checkAccess(Thread &thread, const Access &access) {
  if (numBlocks > 1 && (access.space == AccessSpace::Shared ||
                        (access.space == AccessSpace::Generic && access.address >> 32 == sharedWindow() >> 32)))
    checkIsAlive(thread, access.address, access.line);
  if (profiler)
    profiler->note(thread, access);
  check(thread, access);
  if (isShuffled && random() % 16 == 0)
    suspend(thread);
}

void Worker::fence(Thread &thread) {
  if (checker)
    checker->fence(thread);
}

void Worker::proxyFence(Thread &thread, unsigned kinds) {
  if (checker)
    checker->proxyFence(thread, kinds);
}

void Worker::end(Thread &thread) {
  if (checker && !async[thread.index].copies.empty())
    fail(thread, "the thread ends while its copy is going on", async[thread.index].copies.front().line);
  if (checker) {
    checkStoresAtEnd(thread);
    checkProductsAtEnd(thread);
    if (stateOf(thread).alive == 1)
      checkLoadsAtEnd(thread);
  }
  ready.erase(thread.index);
  BlockState &state = stateOf(thread);
  --alive;
  --state.alive;
  fruitlessRounds = 0;
  Warp &warp = warps[thread.index / warpSize];
  warp.alive &= ~(1u << thread.lane);
  // Barriers and collectives do not wait for threads that have ended.
  if (warp.waiting)
    completeWarp(thread.index / warpSize);
  if (state.alive) {
    for (Barrier &barrier : state.barriers)
      if (barrier.arrived && !barrier.expected && barrier.arrived >= state.alive)
        release(thread, barrier, BarSync);
  }
  leaveClusterBarrier(thread);
  Thread *other = proceed(thread.index);
  void *ended;
  emu_switch(&ended, other ? other->stackPointer : mainStack);
  __builtin_unreachable();
}

static std::string triple(const uint32_t v[3]) {
  return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + ")";
}

/// "kernel 'k', PTX line 3 (a.mlir:1:2), block (0, 0, 0), thread (1, 0, 0): "
std::string Worker::place(const Thread *thread, unsigned line) const {
  std::string text = "kernel '" + kernel->name + "'";
  if (line)
    text += ", " + kernel->source->describe(line);
  text += ", block " + triple((thread ? thread->block : &blocks[0])->ctaid);
  if (thread)
    text += ", thread " + triple(thread->tid);
  return text + ": ";
}

void Worker::fail(const Thread &thread, const std::string &what, unsigned line) {
  failure.text = place(&thread, line) + what;
  void *ended;
  emu_switch(&ended, mainStack);
  __builtin_unreachable();
}

void Worker::leaveAfterFault() {
  void *ended;
  emu_switch(&ended, mainStack);
  __builtin_unreachable();
}

void Worker::describeFault() {
  fault.isPending = false;
  int index = stacks.indexOf(fault.stack);
  const Thread *thread = index < 0 ? nullptr : &threads[index];
  failure.isAddress = true;
  failure.text = place(thread, kernel->source->lineOf(fault.code));
  uint64_t offset;
  char text[160];
  if (sharedMemory.find(fault.address, offset))
    snprintf(text, sizeof text, "access to address 0x%llx of shared memory, of which there are %u bytes",
             (unsigned long long)offset, blocks[0].dynamicOffset + blocks[0].dynamicBytes);
  else if (stacks.indexOf(fault.address) >= 0)
    snprintf(text, sizeof text, "the stack of the thread is used up");
  else
    snprintf(text, sizeof text, "access to address 0x%llx%s", (unsigned long long)fault.address,
             describeAddress ? describeAddress(fault.address).c_str() : "");
  failure.text += text;
}

} // namespace cuda_emu
