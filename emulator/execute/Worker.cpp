// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a block. Threads that wait for no other run in a plain loop; else each is a fibre, and whoever has to wait
// switches to the next one that is ready.

#include "Worker.h"
#include "Collectives.h"

#include "llvm/ADT/bit.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace cuda_emu {

constexpr size_t sharedReserved = size_t(1) << 32;
constexpr size_t stackBytes = 48 * 1024;

Worker::~Worker() {
  if (block.shared)
    munmap(block.shared, sharedReserved + (1 << 20));
}

bool Worker::prepare(const LaunchShape &shape) {
  if (!block.shared) {
    void *map =
        mmap(nullptr, sharedReserved + (1 << 20), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) {
      failure.text = "the host has no address space for shared memory";
      return false;
    }
    block.shared = static_cast<char *>(map);
  }
  size_t shared = size_t(block.dynamicOffset) + block.dynamicBytes;
  if (shared > sharedMapped) {
    if (mprotect(block.shared, shared, PROT_READ | PROT_WRITE)) {
      failure.text = "the host has no memory for shared memory";
      return false;
    }
    sharedMapped = shared;
  }
  if (!stacks.reserve(kernel->needsFibres ? numThreads : 1, stackBytes + kernel->localBytes)) {
    failure.text = "the host has no memory for the stacks of the threads";
    return false;
  }
  // Not a number: what a kernel did not write is seen in its results.
  memset(block.shared, 0xff, shared);
  return true;
}

void Worker::beginLaunch(const Kernel &code, unsigned seed) {
  serial = 0;
  const char *async = getenv("CUDA_EMU_ASYNC");
  isEarly = async && !strcmp(async, "early");
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

bool Worker::runBlock(const Kernel &code, const LaunchShape &shape, char *parameters, const uint32_t ctaid[3],
                      uint64_t grid) {
  kernel = &code;
  failure = {};
  numThreads = shape.block[0] * shape.block[1] * shape.block[2];
  block.owner = this;
  block.worker = index;
  block.parameters = parameters;
  block.grid = grid;
  block.numWarps = (numThreads + warpSize - 1) / warpSize;
  block.staticBytes = code.staticShared;
  block.dynamicOffset = (code.staticShared + code.dynamicAlignment - 1) / code.dynamicAlignment * code.dynamicAlignment;
  block.dynamicBytes = shape.dynamicShared;
  for (unsigned d = 0; d < 3; ++d) {
    block.ctaid[d] = ctaid[d];
    block.ntid[d] = shape.block[d];
    block.nctaid[d] = shape.grid[d];
  }
  if (!prepare(shape))
    return false;
  ++serial;
  if (checker)
    checker->beginBlock(block, serial, numThreads, threads.data());
  if (kernel->needsFibres)
    runFibres();
  else
    emu_switch(&mainStack, prepareStack(stacks.top(0), startLoop, this));
  if (profiler)
    profiler->endBlock();
  return failure.text.empty();
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
  thread.block = &block;
  KernelCode code = kernel->code;
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

void Worker::startThread(void *self) {
  auto *thread = static_cast<Thread *>(self);
  thread->block->owner->kernel->code(thread);
  thread->block->owner->end(*thread);
}

void Worker::runFibres() {
  alive = numThreads;
  ready = {};
  async.resize(numThreads);
  for (AsyncCopies &copies : async) {
    copies.copies.clear();
    copies.groups.clear();
  }
  for (Barrier &barrier : barriers)
    barrier = {};
  for (unsigned w = 0; w < block.numWarps; ++w) {
    unsigned lanes = std::min(warpSize, numThreads - w * warpSize);
    warps[w].waiting = 0;
    warps[w].alive = lanes == warpSize ? ~0u : (1u << lanes) - 1;
  }
  uint32_t x = 0, y = 0, z = 0;
  for (unsigned i = 0; i < numThreads; ++i) {
    Thread &thread = threads[i];
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
    thread.linear = i;
    thread.lane = i % warpSize;
    thread.warp = i / warpSize;
    thread.block = &block;
    thread.spins = 0;
    thread.stackBytes = stacks.size();
    thread.stackLow = reinterpret_cast<uint64_t>(stacks.top(i)) - thread.stackBytes;
    thread.stackPointer = prepareStack(stacks.top(i), startThread, &thread);
    ready.insert(i);
  }
  emu_switch(&mainStack, threads[0].stackPointer);
  if (failure.text.empty() && alive)
    failure.text = deadlock();
}

Thread *Worker::next(unsigned from) {
  unsigned words = (numThreads + 63) / 64, word = from / 64;
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

/// The thread is not ready unless it only yields.
void Worker::suspend(Thread &thread) {
  Thread *other = next(thread.linear);
  if (other == &thread)
    return;
  emu_switch(&thread.stackPointer, other ? other->stackPointer : mainStack);
}

void Worker::yield(Thread &thread) {
  if (kernel->needsFibres)
    suspend(thread);
}

constexpr unsigned maxSpins = 20 * 1000 * 1000;

void Worker::spin(Thread &thread) {
  // The count is what a wait for a block that has not begun runs into.
  if (++thread.spins > maxSpins && kernel->isChecked)
    fail(thread, "the thread seems to wait for something that does not happen", 0);
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

void Worker::checkAccess(Thread &thread, const Access &access) {
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

void Worker::end(Thread &thread) {
  if (checker && !async[thread.linear].copies.empty())
    fail(thread, "the thread ends while its copy is going on", async[thread.linear].copies.front().line);
  ready.erase(thread.linear);
  --alive;
  Warp &warp = warps[thread.warp];
  warp.alive &= ~(1u << thread.lane);
  // Barriers and collectives do not wait for threads that have ended.
  if (warp.waiting)
    completeWarp(thread.warp);
  if (alive)
    for (Barrier &barrier : barriers)
      if (barrier.arrived && !barrier.expected && barrier.arrived >= alive)
        release(barrier, BarSync);
  Thread *other = next(thread.linear);
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
  text += ", block " + triple(block.ctaid);
  if (thread)
    text += ", thread " + triple(thread->tid);
  return text + ": ";
}

void Worker::fail(Thread &thread, const std::string &what, unsigned line) {
  failure.text = place(&thread, line) + what;
  void *ended;
  emu_switch(&ended, mainStack);
  __builtin_unreachable();
}

void Worker::leaveAfterFault() {
  int index = stacks.indexOf(fault.stack);
  const Thread *thread = index < 0 ? nullptr : &threads[index];
  failure.isAddress = true;
  failure.text = place(thread, kernel->source->lineOf(fault.code));
  uint64_t offset = fault.address - reinterpret_cast<uint64_t>(block.shared);
  char text[160];
  if (offset < sharedReserved + (1 << 20))
    snprintf(text, sizeof text, "access to address 0x%llx of shared memory, of which there are %u bytes",
             (unsigned long long)offset, block.dynamicOffset + block.dynamicBytes);
  else if (stacks.indexOf(fault.address) >= 0)
    snprintf(text, sizeof text, "the stack of the thread is used up");
  else
    snprintf(text, sizeof text, "access to address 0x%llx%s", (unsigned long long)fault.address,
             describeAddress ? describeAddress(fault.address).c_str() : "");
  failure.text += text;
  void *ended;
  emu_switch(&ended, mainStack);
  __builtin_unreachable();
}

uint32_t Worker::arrive(Thread &thread, unsigned kind, unsigned id, unsigned count, bool predicate, unsigned line) {
  if (id >= numBarriers)
    fail(thread, "barrier " + std::to_string(id) + " does not exist", line);
  if (count % warpSize || count > maxThreadsPerBlock)
    fail(thread, "a barrier for " + std::to_string(count) + " threads", line);
  Barrier &barrier = barriers[id];
  if (barrier.arrived && barrier.expected != count)
    fail(thread, "barrier " + std::to_string(id) + " is waited for with different numbers of threads", line);
  if (checker) {
    // All lanes of a warp have to be at the same instruction.
    const Thread *first = &threads[thread.warp * warpSize];
    for (unsigned lane = 0; lane < warpSize && first + lane < &threads[numThreads]; ++lane)
      if (&first[lane] != &thread && barrier.arrivals.contains(first[lane].linear) && first[lane].mailbox.c != line)
        fail(thread,
             "lanes of the warp are at different instructions of barrier " + std::to_string(id) + ": the other is " +
                 kernel->source->describe(first[lane].mailbox.c),
             line);
  }
  barrier.arrivals.insert(thread.linear);
  thread.mailbox.c = line;
  barrier.expected = count;
  ++barrier.arrived;
  barrier.count += predicate;
  barrier.all &= predicate;
  barrier.any |= predicate;
  if (kind != BarArrive) {
    barrier.waiting.insert(thread.linear);
    ready.erase(thread.linear);
    thread.mailbox.kind = kind;
  }
  if (barrier.arrived >= (count ? count : alive))
    release(barrier, kind);
  if (kind == BarArrive)
    return 0;
  if (!ready.contains(thread.linear))
    suspend(thread);
  return thread.barrierResult;
}

void Worker::release(Barrier &barrier, unsigned kind) {
  if (checker) {
    std::vector<unsigned> all;
    for (unsigned i = 0; i < numThreads; ++i)
      if (barrier.arrivals.contains(i))
        all.push_back(i);
    if (all.size() >= alive)
      checker->clocks.joinAll();
    else
      checker->clocks.join(all);
  }
  for (unsigned w = 0; w < barrier.waiting.words.size(); ++w) {
    uint64_t bits = barrier.waiting.words[w];
    ready.words[w] |= bits;
    for (; bits; bits &= bits - 1) {
      Thread &thread = threads[w * 64 + llvm::countr_zero(bits)];
      if (thread.mailbox.kind >= BarPopc)
        thread.barrierResult = thread.mailbox.kind == BarPopc  ? barrier.count
                               : thread.mailbox.kind == BarAnd ? barrier.all
                                                               : barrier.any;
    }
  }
  barrier = {};
}

std::string Worker::deadlock() {
  std::string text = place(nullptr, 0) + "deadlock: ";
  for (unsigned id = 0; id < numBarriers; ++id) {
    const Barrier &barrier = barriers[id];
    if (!barrier.arrived)
      continue;
    text += std::to_string(barrier.arrived) + " threads have arrived at barrier " + std::to_string(id);
    for (unsigned i = 0; i < numThreads; ++i)
      if (barrier.waiting.contains(i)) {
        text += " (" + kernel->source->describe(threads[i].mailbox.c) + ")";
        break;
      }
    text += "; ";
  }
  unsigned lanes = 0, line = 0;
  for (unsigned w = 0; w < block.numWarps; ++w) {
    lanes += llvm::popcount(warps[w].waiting);
    if (warps[w].waiting)
      line = uint32_t(threads[w * warpSize + llvm::countr_zero(warps[w].waiting)].mailbox.c >> 32);
  }
  if (lanes)
    text += std::to_string(lanes) + " threads wait for other lanes of their warps (" + kernel->source->describe(line) +
            "); ";
  return text + std::to_string(alive) + " of " + std::to_string(numThreads) + " threads have not ended";
}

} // namespace cuda_emu
