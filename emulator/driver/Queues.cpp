// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams that run late (CUDA_EMU_STREAMS=late): what is enqueued waits until somebody waits for it, so that a wait for
// an event that is missing is seen. With `random`, streams take turns by CUDA_EMU_SEED meanwhile.

#include "../execute/Environment.h"
#include "State.h"

#include <algorithm>
#include <random>

namespace cuda_emu {

namespace {

enum class Mode { Now, Late, Random };

Mode mode() {
  static const Mode chosen = [] {
    return environmentSays("CUDA_EMU_STREAMS", "late")     ? Mode::Late
           : environmentSays("CUDA_EMU_STREAMS", "random") ? Mode::Random
                                                           : Mode::Now;
  }();
  return chosen;
}

std::minstd_rand &generator() {
  static std::minstd_rand generator(environmentNumber("CUDA_EMU_SEED", 1));
  return generator;
}

/// All that exist.
std::vector<CUstream> &streams() {
  static auto *all = new std::vector<CUstream>;
  return *all;
}

bool isReady(const StreamWork &work) { return !work.waitsFor || work.waitsFor->done >= work.serial; }

/// Does what is first in the stream. Kernels that fail make the context fail.
void step(CUstream stream) {
  StreamWork work = std::move(stream->work.front());
  stream->work.pop_front();
  if (work.action && !ready())
    work.action();
  if (work.records) {
    work.records->done = std::max(work.records->done, work.serial);
    work.records->time = std::chrono::steady_clock::now();
  }
}

/// Something that brings `stream` further: its own work, or that of the stream that has to record what it waits for.
bool advance(CUstream stream) {
  for (size_t hops = 0; hops <= streams().size(); ++hops) {
    if (stream->work.empty())
      return false;
    const StreamWork &first = stream->work.front();
    if (isReady(first)) {
      step(stream);
      return true;
    }
    auto recorder = std::find_if(streams().begin(), streams().end(), [&](CUstream other) {
      return std::any_of(other->work.begin(), other->work.end(), [&](const StreamWork &work) {
        return work.records == first.waitsFor && work.serial >= first.serial;
      });
    });
    if (recorder == streams().end())
      return false;
    stream = *recorder;
  }
  return false;
}

void advanceAny() {
  std::vector<CUstream> able;
  for (CUstream stream : streams())
    if (!stream->work.empty() && isReady(stream->work.front()))
      able.push_back(stream);
  if (!able.empty())
    step(able[generator()() % able.size()]);
}

} // namespace

bool areStreamsLate() { return mode() != Mode::Now; }

void addStream(CUstream stream) { streams().push_back(stream); }
void removeStream(CUstream stream) {
  drain(stream);
  streams().erase(std::remove(streams().begin(), streams().end(), stream), streams().end());
}

void drain(CUstream stream) {
  while (!stream->work.empty()) {
    if (mode() == Mode::Random && generator()() % 2)
      advanceAny();
    else if (!advance(stream))
      return;
  }
}

void drainAll(bool onlyBlocking) {
  for (CUstream stream : streams())
    if (!onlyBlocking || !(stream->flags & 1))
      drain(stream);
}

void drainUntil(const EventState &event, uint64_t serial) {
  while (event.done < serial) {
    if (mode() == Mode::Random && generator()() % 2) {
      advanceAny();
      continue;
    }
    auto recorder = std::find_if(streams().begin(), streams().end(), [&](CUstream stream) {
      return std::any_of(stream->work.begin(), stream->work.end(),
                         [&](const StreamWork &work) { return work.records.get() == &event; });
    });
    if (recorder == streams().end() || !advance(*recorder))
      return;
  }
}

} // namespace cuda_emu
