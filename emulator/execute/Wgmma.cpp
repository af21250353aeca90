// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma: 128 threads start a product together. It is made as late as allowed, when one of them waits for it, or at
// once; until a thread has waited, its accumulators are not numbers.

#include "Wgmma.h"
#include "Numbers.h"
#include "Worker.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstring>

namespace cuda_emu {

// --- The product ---

/// Elements of a matrix in shared memory: `rows` of m or n, k of each.
static void loadMatrix(const WgmmaJob &job, uint64_t bits, MatrixType type, bool isTransposed, unsigned rows,
                       double sign, double *to) {
  MatrixPlace place = MatrixPlace::unpack(bits);
  unsigned size = elementBytes(type), depth = job.code.k();
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned k = 0; k < depth; ++k) {
      unsigned byte = (isTransposed ? row : k) * size;
      uint32_t address = place.address(isTransposed ? k : row, byte / 16 * 16, isTransposed) + byte % 16;
      uint64_t word = 0;
      memcpy(&word, job.shared + address, size);
      to[row * depth + k] = sign * elementValue(type, word, 0);
    }
}

/// a from registers: as the fragments of mma.sync, 16 rows for each warp.
static void loadRegisters(const WgmmaJob &job, double sign, double *to) {
  unsigned depth = job.code.k(), perWord = 4 / elementBytes(job.code.a);
  for (unsigned thread = 0; thread < warpgroupSize; ++thread) {
    unsigned lane = thread % 32;
    for (unsigned r = 0; r < job.code.registersA; ++r)
      for (unsigned j = 0; j < perWord; ++j) {
        unsigned row = thread / 32 * 16 + lane / 4 + 8 * (r & 1);
        unsigned k = (lane % 4 + 4 * (r / 2)) * perWord + j;
        uint32_t word = job.registers[thread][job.code.registersD + r]->value;
        to[row * depth + k] = sign * elementValue(job.code.a, word, j);
      }
  }
}

void multiply(const WgmmaJob &job) {
  static thread_local double a[64 * 32], b[256 * 32];
  const Wgmma &code = job.code;
  unsigned depth = code.k();
  double signA = code.negatesA ? -1 : 1, signB = code.negatesB ? -1 : 1;
  if (code.isARegisters)
    loadRegisters(job, signA, a);
  else
    loadMatrix(job, job.a, code.a, code.transposesA, 64, signA, a);
  loadMatrix(job, job.b, code.b, code.transposesB, code.n(), signB, b);
  for (unsigned thread = 0; thread < warpgroupSize; ++thread)
    for (unsigned i = 0; i < code.n() / 2; ++i) {
      unsigned lane = thread % 32, row = thread / 32 * 16 + lane / 4 + 8 * (i / 2 % 2);
      unsigned column = lane % 4 * 2 + i % 2 + 8 * (i / 4);
      bool isHalf = code.d == MatrixType::F16;
      uint32_t &word = job.registers[thread][isHalf ? i / 2 : i]->result;
      double sum = job.accumulates ? elementValue(code.d, word, isHalf ? i % 2 : 0) : 0;
      // Sums of integers are exact in f64.
      for (unsigned k = 0; k < depth; ++k)
        sum += a[row * depth + k] * b[column * depth + k];
      if (code.d == MatrixType::S32) {
        if (code.saturates)
          sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        word = uint32_t(int64_t(sum));
      } else if (isHalf) {
        uint32_t half = roundSmall(sum, 5, 10, 0, false);
        word = i % 2 ? (word & 0xffff) | half << 16 : (word & 0xffff0000) | half;
      } else {
        float rounded = float(sum);
        word = std::isnan(rounded) ? 0x7fffffffu : llvm::bit_cast<uint32_t>(rounded);
      }
    }
}

// --- Who starts it and waits for it ---

Worker::Warpgroup &Worker::warpgroupOf(const Thread &thread, unsigned line) {
  unsigned inBlock = thread.linear / warpgroupSize;
  if ((inBlock + 1) * warpgroupSize > numThreads)
    fail(thread, "wgmma needs a warpgroup: 128 threads", line);
  if (warpgroups.empty())
    warpgroups.resize(numBlocks * (maxThreadsPerBlock / warpgroupSize));
  return warpgroups[thread.block->rank * (maxThreadsPerBlock / warpgroupSize) + inBlock];
}

/// Each thread leaves its registers, the last one starts the product.
void Worker::wgmma(Thread &thread, const Wgmma &code, WgmmaRegister **registers, uint64_t a, uint64_t b,
                   bool accumulates, unsigned line) {
  Warpgroup &group = warpgroupOf(thread, line);
  WgmmaJob &job = group.next;
  if (!group.arrived) {
    job = {};
    job.code = code;
    job.a = a;
    job.b = b;
    job.accumulates = accumulates;
    job.line = line;
    job.serial = ++group.serial;
    job.shared = thread.block->shared;
  } else if (memcmp(&job.code, &code, sizeof code) || job.line != line) {
    fail(thread,
         "threads of the warpgroup are at different wgmma instructions: the other is " +
             kernel->source->describe(job.line),
         line);
  } else if ((!code.isARegisters && job.a != a) || job.b != b || job.accumulates != accumulates) {
    fail(thread, "the matrices in shared memory, or scale-d, are not the same for all threads of the warpgroup", line);
  }
  takeRegisters(thread, job, registers);
  group.waiting.push_back(&thread);
  thread.mailbox.c = line;
  if (++group.arrived < warpgroupSize) {
    ready.erase(thread.index);
    suspend(thread);
    return;
  }
  for (Thread *other : group.waiting)
    ready.insert(other->index);
  group.arrived = 0;
  group.waiting.clear();
  startProduct(thread, group);
}

/// From now on the accumulators are the tensor cores', and the registers of a may not change.
void Worker::takeRegisters(Thread &thread, WgmmaJob &job, WgmmaRegister **registers) {
  unsigned count = job.code.registersD + job.code.registersA;
  job.registers[thread.linear % warpgroupSize].assign(registers, registers + count);
  for (unsigned n = 0; n < count; ++n) {
    WgmmaRegister &reg = *registers[n];
    if (checker && reg.flags & WgmmaTouched)
      fail(thread, "registers of this wgmma were read or written, and there was no wgmma.fence since", job.line);
    if (n >= job.code.registersD) {
      if (checker && reg.flags & WgmmaAccumulates)
        fail(thread, "this wgmma reads accumulators of one that was not waited for", job.line);
      reg.flags |= WgmmaReads;
    } else if (!(reg.flags & WgmmaAccumulates)) {
      reg.result = reg.value;
      reg.flags |= WgmmaAccumulates;
    }
    reg.job = job.serial;
  }
  for (unsigned n = 0; n < job.code.registersD; ++n)
    registers[n]->value = ~0u; // not a number
}

void Worker::startProduct(Thread &thread, Warpgroup &group) {
  WgmmaJob &job = group.next;
  uint64_t size = uint64_t(thread.block->dynamicOffset) + thread.block->dynamicBytes;
  if (MatrixPlace::unpack(job.b).hasBase || (!job.code.isARegisters && MatrixPlace::unpack(job.a).hasBase))
    fail(thread, "matrices with a base offset are not supported", job.line);
  forEachChunk(job, [&](uint32_t address) {
    if (address + uint64_t(16) > size)
      fail(thread,
           "wgmma reads 16 bytes at shared address " + hex(address) + ": out of bounds, there are " +
               std::to_string(size) + " bytes",
           job.line);
  });
  if (checker)
    checkProduct(thread, group);
  group.jobs.push_back(std::move(job));
  if (isEarly || (isShuffled && random() % 4 == 0))
    finishProducts(group, group.serial);
}

/// Each warp has to know of what was written before; each reads until it has waited.
void Worker::checkProduct(const Thread &last, Warpgroup &group) {
  WgmmaJob &job = group.next;
  const Thread *first = &threadsOf(*last.block)[last.linear / warpgroupSize * warpgroupSize];
  uint64_t base = numBlocks > 1 ? uint64_t(last.block->rank + 1) << clusterShift : 0;
  for (unsigned warp = 0; warp < 4; ++warp) {
    unsigned &agent = group.agents[warp];
    if (!agent)
      agent = checker->clocks.addAgent();
    const Thread &issuer = first[warp * warpSize];
    forEachChunk(job, [&](uint32_t address) {
      std::string problem =
          checker->checkAsync(issuer, {base | address, AccessSpace::Shared, 16, 16, AccessWarp, job.line}, agent);
      if (!problem.empty())
        fail(issuer, problem, job.line);
    });
    job.times[warp] = checker->clocks.time(agent);
    checker->clocks.advance(agent);
  }
}

void Worker::finishProducts(Warpgroup &group, unsigned serial) {
  for (WgmmaJob &job : group.jobs) {
    if (job.serial > serial)
      return;
    if (!job.isDone)
      multiply(job);
    job.isDone = true;
  }
}

void Worker::wgmmaFence(Thread &thread, WgmmaRegister *registers, unsigned count) {
  for (unsigned n = 0; n < count; ++n)
    registers[n].flags &= ~WgmmaTouched;
}

void Worker::wgmmaCommit(Thread &thread, unsigned line) {
  warpgroupOf(thread, line)
      .groups[thread.linear % warpgroupSize]
      .push_back(warpgroupOf(thread, line).serial - (warpgroupOf(thread, line).arrived ? 1 : 0));
}

void Worker::wgmmaWait(Thread &thread, unsigned groups, unsigned line) {
  Warpgroup &group = warpgroupOf(thread, line);
  unsigned place = thread.linear % warpgroupSize;
  std::vector<unsigned> &own = group.groups[place];
  size_t finished = own.size() > groups ? own.size() - groups : 0;
  if (!finished)
    return;
  unsigned serial = own[finished - 1];
  own.erase(own.begin(), own.begin() + finished);
  finishProducts(group, serial);
  for (WgmmaJob &job : group.jobs) {
    if (job.serial > serial)
      break;
    if (job.serial <= group.waitedFor[place])
      continue;
    ++job.waited;
    for (WgmmaRegister *reg : job.registers[place]) {
      if (reg->job > serial)
        continue;
      if (reg->flags & WgmmaAccumulates)
        reg->value = reg->result;
      reg->flags &= ~(WgmmaAccumulates | WgmmaReads);
    }
    if (checker)
      checker->clocks.learn(thread.index, group.agents[place / warpSize], job.times[place / warpSize]);
  }
  group.waitedFor[place] = std::max(group.waitedFor[place], serial);
  while (!group.jobs.empty() && group.jobs.front().waited == warpgroupSize)
    group.jobs.pop_front();
}

/// Another instruction reads or writes a register that the tensor cores know.
void Worker::wgmmaTouch(Thread &thread, WgmmaRegister &reg, bool isWrite, unsigned line) {
  if (checker && reg.flags & WgmmaAccumulates)
    fail(thread,
         std::string(isWrite ? "write" : "read") +
             " of an accumulator of a wgmma that was not waited for: wgmma.wait_group",
         line);
  if (checker && isWrite && reg.flags & WgmmaReads)
    fail(thread, "write of a register that a wgmma reads, which was not waited for: wgmma.wait_group", line);
  reg.flags |= WgmmaTouched;
}

void Worker::checkProductsAtEnd(const Thread &thread) {
  unsigned inBlock = thread.linear / warpgroupSize;
  if (warpgroups.empty() || (inBlock + 1) * warpgroupSize > numThreads)
    return;
  const Warpgroup &group = warpgroupOf(thread, 0);
  if (group.arrived)
    fail(thread, "the thread ends, and others of its warpgroup wait for it at a wgmma", group.next.line);
  for (const WgmmaJob &job : group.jobs)
    if (job.serial > group.waitedFor[thread.linear % warpgroupSize])
      fail(thread, "the thread ends while its wgmma is going on", job.line);
}

std::string Worker::describeWarpgroups() const {
  std::string text;
  for (const Warpgroup &group : warpgroups)
    if (group.arrived)
      text += std::to_string(group.arrived) + " threads wait for others of their warpgroup (" +
              kernel->source->describe(group.next.line) + "); ";
  return text;
}

} // namespace cuda_emu
