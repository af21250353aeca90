// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in shared memory: arrivals of threads and bytes of copies complete a phase. The word in memory is all that
// counts; what is known besides serves to wake who waits, to order accesses, and to find mistakes.

#include "Worker.h"

#include <algorithm>
#include <cstring>

namespace cuda_emu {

static bool isWait(MbarrierKind kind) { return kind >= MbarrierKind::TestState; }

static const char *nameOf(const MbarrierWord &word) { return word.phase ? "phase 1" : "phase 0"; }

static std::string describe(const MbarrierWord &word) {
  return std::string(nameOf(word)) + " lacks " + std::to_string(word.pending) + " of " + std::to_string(word.expected) +
         " arrivals and " + std::to_string(word.bytes) + " bytes";
}

/// Which barrier an address is; 8 bytes there exist.
Worker::MbarrierPlace Worker::findMbarrier(const Thread &thread, uint64_t address, unsigned line) {
  uint64_t offset = address;
  if (address >> 32 == sharedWindow() >> 32)
    offset = uint32_t(address);
  MbarrierPlace place = {thread.block->rank, uint32_t(offset), nullptr, nullptr};
  unsigned owner = offset >> clusterShift;
  if (owner && owner <= numBlocks && numBlocks > 1) {
    place.rank = owner - 1;
    place.offset &= (1u << clusterShift) - 1;
  }
  if (numBlocks > 1)
    checkIsAlive(thread, offset, line);
  const Block &block = blocks[place.rank];
  if (offset >> 32 || place.offset % 8 || place.offset + uint64_t(8) > block.dynamicOffset + block.dynamicBytes)
    fail(thread, "address " + hex(address) + " of an mbarrier is not aligned or not in shared memory", line);
  place.word = reinterpret_cast<uint64_t *>(block.shared + place.offset);
  place.state = &states[place.rank].mbarriers[place.offset];
  return place;
}

/// Checked mode: whether it is a barrier, and for whom.
void Worker::checkMbarrier(const Thread &thread, const MbarrierPlace &place, unsigned line, bool isAsync) {
  if (checker) {
    Access access = {addressOf(place), AccessSpace::Shared, 8, 8, AccessMbarrier, line};
    std::string problem = checker->useMbarrier(thread, access, isAsync);
    if (!problem.empty())
      fail(thread, problem, line);
  }
  if (!MbarrierWord::isValid(*place.word))
    fail(thread,
         "there is no mbarrier at shared address " + hex(place.offset) + ": it was not initialised, or overwritten",
         line);
}

/// As a thread of any block of the cluster may use it.
uint64_t Worker::addressOf(const MbarrierPlace &place) const {
  return place.offset | (numBlocks > 1 ? uint64_t(place.rank + 1) << clusterShift : 0);
}

uint64_t Worker::mbarrier(Thread &thread, const MbarrierOperation &operation) {
  unsigned line = operation.line;
  MbarrierPlace place = findMbarrier(thread, operation.address, line);
  Access access = {addressOf(place), AccessSpace::Shared, 8, 8, AccessMbarrier | AccessWrite, line};
  if (operation.kind == MbarrierKind::Init) {
    if (!operation.operand || operation.operand > MbarrierWord::most)
      fail(thread, "an mbarrier for " + std::to_string(operation.operand) + " arrivals", line);
    std::string problem = checker ? checker->initMbarrier(thread, access) : "";
    if (!problem.empty())
      fail(thread, problem, line);
    MbarrierWord word;
    word.pending = word.expected = operation.operand;
    *place.word = word.pack();
    *place.state = {};
    place.state->line = line;
    return 0;
  }
  checkMbarrier(thread, place, line, false);
  if (operation.kind == MbarrierKind::Invalidate) {
    std::string problem = checker ? checker->invalidateMbarrier(thread, access) : "";
    if (checker && problem.empty() && (place.state->copies || place.state->lastCopy > place.state->seen))
      problem = "the mbarrier at shared address " + hex(place.offset) +
                " is invalidated while copies that it counts are going on, or were not waited for";
    if (!problem.empty())
      fail(thread, problem, line);
    *place.word = 0;
    states[place.rank].mbarriers.erase(place.offset);
    return 0;
  }
  if (isWait(operation.kind))
    return waitForPhase(thread, place, operation);
  return countArrivals(thread, place, operation);
}

uint64_t Worker::countArrivals(Thread &thread, const MbarrierPlace &place, const MbarrierOperation &operation) {
  unsigned line = operation.line;
  uint64_t before = *place.word;
  MbarrierWord word = MbarrierWord::unpack(before);
  MbarrierKind kind = operation.kind;
  bool isDrop = kind == MbarrierKind::ArriveDrop || kind == MbarrierKind::ArriveDropNoComplete ||
                kind == MbarrierKind::ArriveDropExpectTx;
  bool expects = kind == MbarrierKind::ExpectTx || kind == MbarrierKind::ArriveExpectTx ||
                 kind == MbarrierKind::ArriveDropExpectTx;
  bool arrives = kind != MbarrierKind::ExpectTx && kind != MbarrierKind::CompleteTx;
  bool mayComplete = kind != MbarrierKind::ArriveNoComplete && kind != MbarrierKind::ArriveDropNoComplete;
  int64_t bytes = expects                            ? int64_t(operation.operand)
                  : kind == MbarrierKind::CompleteTx ? -int64_t(operation.operand)
                                                     : 0;
  uint64_t count = !arrives ? 0 : expects ? 1 : operation.operand;
  auto refuse = [&](const std::string &why) {
    fail(thread, "mbarrier at shared address " + hex(place.offset) + ": " + why + "; " + describe(word), line);
  };
  if (operation.operand > MbarrierWord::most || std::abs(word.bytes + bytes) > int64_t(MbarrierWord::most))
    refuse("more than 2^20 - 1 bytes or arrivals");
  if (arrives && !count)
    refuse("an arrival of no thread");
  if (count > word.pending)
    refuse(std::to_string(count) + " arrivals are more than this phase waits for");
  word.bytes += bytes;
  word.pending -= count;
  if (isDrop)
    word.expected -= count;
  if (!mayComplete && word.isComplete())
    refuse("an arrival with .noComplete completes the phase");
  if (checker && arrives && !operation.isRelaxed) {
    if (!place.state->now)
      place.state->now = std::make_shared<Clock>();
    checker->clocks.publish(thread.index, *place.state->now);
  }
  *place.word = word.pack();
  if (word.isComplete())
    completePhase(thread, place, line);
  return before;
}

/// Nothing lacks any more: the next phase begins.
void Worker::completePhase(const Thread &thread, const MbarrierPlace &place, unsigned line) {
  Mbarrier &state = *place.state;
  MbarrierWord word = MbarrierWord::unpack(*place.word);
  if (checker && state.copies)
    fail(thread,
         "mbarrier at shared address " + hex(place.offset) + ": " + nameOf(word) + " is complete although " +
             std::to_string(state.copies) + " of its copies are going on: expect_tx is missing or too small",
         line);
  if (checker && state.agent) {
    if (!state.now)
      state.now = std::make_shared<Clock>();
    checker->clocks.publish(state.agent, checker->clocks.time(state.agent), *state.now);
    checker->clocks.advance(state.agent);
  }
  ++state.phases;
  word.phase = !word.phase;
  word.pending = word.expected;
  *place.word = word.pack();
  state.last = std::move(state.now);
  state.now = nullptr;
  fruitlessRounds = 0;
  for (Thread *poller : pollers)
    if (poller->mailbox.a == place.rank && poller->mailbox.b == place.offset)
      ready.insert(poller->index);
  pollers.erase(
      std::remove_if(pollers.begin(), pollers.end(), [&](Thread *poller) { return ready.contains(poller->index); }),
      pollers.end());
}

/// An instruction may say that the phase is not complete even if it waits, and so it does now and then.
uint64_t Worker::waitForPhase(Thread &thread, const MbarrierPlace &place, const MbarrierOperation &operation) {
  bool byParity = operation.kind == MbarrierKind::TestParity || operation.kind == MbarrierKind::TryParity;
  if (!byParity && !MbarrierWord::isValid(operation.operand))
    fail(thread, "this is no state of an mbarrier: it is what an arrival returns", operation.line);
  bool phase = byParity ? operation.operand & 1 : MbarrierWord::unpack(operation.operand).phase;
  auto isComplete = [&] { return MbarrierWord::unpack(*place.word).phase != phase; };
  if (!isComplete()) {
    if (checker && (isShuffled ? random() % 2 : !thread.hasPolled)) {
      thread.hasPolled = true;
      if (isShuffled)
        suspend(thread);
      return false;
    }
    thread.hasPolled = false;
    thread.mailbox.a = place.rank;
    thread.mailbox.b = place.offset;
    thread.mailbox.c = operation.line;
    pollers.push_back(&thread);
    ready.erase(thread.index);
    suspend(thread);
    if (!isComplete())
      return false;
  }
  // It is the state's memory that may have moved meanwhile.
  Mbarrier &state = states[place.rank].mbarriers[place.offset];
  state.seen = state.phases;
  if (checker && state.last && !operation.isRelaxed)
    checker->clocks.acquire(thread.index, state.last);
  return true;
}

/// Nothing can happen any more: those who wait see that they do so in vain, and may do something else.
bool Worker::wakePollers() {
  constexpr unsigned patience = 100;
  if (pollers.empty() || ++fruitlessRounds > patience)
    return false;
  for (Thread *poller : pollers)
    ready.insert(poller->index);
  pollers.clear();
  return true;
}

std::string Worker::describeMbarriers() const {
  std::string text;
  std::map<std::pair<uint64_t, uint64_t>, std::pair<unsigned, const Thread *>> waiting;
  for (const Thread *poller : pollers) {
    auto &entry = waiting[{poller->mailbox.a, poller->mailbox.b}];
    ++entry.first;
    entry.second = poller;
  }
  for (const auto &[place, entry] : waiting) {
    uint64_t word;
    memcpy(&word, blocks[place.first].shared + place.second, sizeof word);
    text += std::to_string(entry.first) + " threads wait for the mbarrier at shared address " + hex(place.second);
    if (numBlocks > 1)
      text += " of block " + std::to_string(place.first) + " of the cluster";
    text += " (" + kernel->source->describe(unsigned(entry.second->mailbox.c)) + "), whose " +
            describe(MbarrierWord::unpack(word)) + "; ";
  }
  return text;
}

} // namespace cuda_emu
