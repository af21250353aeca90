// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier: the word in shared memory, which is the barrier, and what the scheduler knows about it besides.

#ifndef CUDA_EMU_EXECUTE_MBARRIER_H
#define CUDA_EMU_EXECUTE_MBARRIER_H

#include "Clocks.h"

#include <cstdint>
#include <memory>

namespace cuda_emu {

/// In compiled code a number, with MbarrierFlags above.
enum class MbarrierKind : unsigned {
  Init,
  Invalidate,
  ExpectTx,
  CompleteTx,
  Arrive,
  ArriveNoComplete,
  ArriveExpectTx,
  ArriveDrop,
  ArriveDropNoComplete,
  ArriveDropExpectTx,
  TestState,
  TestParity,
  TryState,
  TryParity,
};
enum MbarrierFlags : unsigned { MbarrierKindMask = 0xff, MbarrierRelaxed = 0x100 };

struct MbarrierOperation {
  MbarrierKind kind;
  bool isRelaxed;
  uint64_t address; // in shared memory, or generic
  uint64_t operand; // a count, bytes, a state or a parity
  unsigned line;
};

/// The barrier's 64 bits. What was never initialised, all ones or zeros, is none.
struct MbarrierWord {
  static constexpr uint32_t most = (1u << 20) - 1;
  uint32_t pending = 0, expected = 0; // arrivals: of this phase, still, and of each
  int32_t bytes = 0;                  // that are expected and have not come
  bool phase = false;

  static bool isValid(uint64_t bits) { return bits >> 62 == 2; }
  static MbarrierWord unpack(uint64_t bits) {
    MbarrierWord word;
    word.pending = bits & most;
    word.expected = bits >> 20 & most;
    word.bytes = int32_t(uint32_t(bits >> 40 & 0x1fffff) << 11) >> 11;
    word.phase = bits >> 61 & 1;
    return word;
  }
  uint64_t pack() const {
    return uint64_t(pending) | uint64_t(expected) << 20 | uint64_t(uint32_t(bytes) & 0x1fffff) << 40 |
           uint64_t(phase) << 61 | uint64_t(2) << 62;
  }
  bool isComplete() const { return pending == 0 && bytes == 0; }
};

struct Mbarrier {
  unsigned line = 0;                // where it was initialised
  unsigned copies = 0;              // going on
  unsigned phases = 0;              // completed
  unsigned lastCopy = 0, seen = 0;  // how many phases have to be completed, and were waited for
  unsigned agent = 0;               // in whose name copies are made, in checked mode; 0: none so far
  std::shared_ptr<Clock> now, last; // what those who arrived did: in this phase and in the one before
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_MBARRIER_H
