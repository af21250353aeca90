// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of a warp: each lane leaves its operands, the last one of the mask computes the results of all.

#include "Collectives.h"
#include "Worker.h"

#include "llvm/ADT/bit.h"

#include <cmath>

namespace cuda_emu {

uint64_t Worker::collective(Thread &thread, unsigned kind, uint32_t mask, uint64_t a, uint64_t b, uint64_t c,
                            unsigned line, uint64_t code) {
  uint32_t own = 1u << thread.lane;
  if (!(mask & own))
    fail(thread, "the lane is not in the mask of its own collective", line);
  thread.mailbox = {kind, mask, a, b, uint64_t(line) << 32 | (c & 0xffffffff), 0, code};
  unsigned group = thread.index / warpSize;
  Warp &warp = warps[group];
  warp.waiting |= own;
  ready.erase(thread.index);
  uint32_t wanted = mask & warp.alive;
  if ((warp.waiting & wanted) == wanted)
    completeWarp(group);
  if (!ready.contains(thread.index))
    suspend(thread);
  return thread.mailbox.result;
}

/// Releases every group of lanes that is complete: the same collective with the same mask.
void Worker::completeWarp(unsigned index) {
  Warp &warp = warps[index];
  Thread *lanes = &threads[index * warpSize];
  for (uint32_t rest = warp.waiting; rest;) {
    const Mailbox &first = lanes[llvm::countr_zero(rest)].mailbox;
    uint32_t group = first.mask & warp.alive, same = 0;
    rest &= rest - 1;
    if ((warp.waiting & group) != group)
      continue;
    for (uint32_t left = group; left; left &= left - 1) {
      const Mailbox &other = lanes[llvm::countr_zero(left)].mailbox;
      if (other.kind == first.kind && other.mask == first.mask && other.code == first.code)
        same |= left & -left;
    }
    if (same != group)
      continue;
    computeCollective(lanes, group);
    warp.waiting &= ~group;
    rest &= ~group;
    for (uint32_t left = group; left; left &= left - 1)
      ready.insert(index * warpSize + llvm::countr_zero(left));
  }
}

static float asFloat(uint64_t bits) { return llvm::bit_cast<float>(uint32_t(bits)); }

static uint32_t reduceFloat(unsigned kind, uint32_t x, uint32_t y) {
  float a = asFloat(x), b = asFloat(y);
  bool isMin = kind == ReduxMinF || kind == ReduxMinFNaN, keepsNaN = kind == ReduxMinFNaN || kind == ReduxMaxFNaN;
  if (std::isnan(a) || std::isnan(b)) {
    if (keepsNaN || (std::isnan(a) && std::isnan(b)))
      return 0x7fffffff;
    return std::isnan(a) ? y : x;
  }
  if (a == b) // -0 is less than 0
    return isMin ? x | y : x & y;
  return (a < b) == isMin ? x : y;
}

void Worker::computeCollective(Thread *lanes, uint32_t mask) {
  auto forEach = [&](auto body) {
    for (uint32_t left = mask; left; left &= left - 1)
      body(lanes[llvm::countr_zero(left)].mailbox, unsigned(llvm::countr_zero(left)));
  };
  unsigned kind = lanes[llvm::countr_zero(mask)].mailbox.kind;
  switch (kind) {
  case BarWarp:
    if (checker) {
      std::vector<unsigned> all;
      forEach([&](Mailbox &, unsigned lane) { all.push_back(lanes[lane].index); });
      checker->clocks.join(all, std::make_shared<Clock>());
    }
    return;
  case ShflUp:
  case ShflDown:
  case ShflBfly:
  case ShflIdx:
    forEach([&](Mailbox &box, unsigned lane) {
      unsigned amount = box.b & 31, clamp = box.c & 31, segments = box.c >> 8 & 31;
      unsigned most = (lane & segments) | (clamp & ~segments), least = lane & segments;
      int from = 0;
      bool inside = false;
      if (kind == ShflUp) {
        from = int(lane) - int(amount);
        inside = from >= int(most);
      } else {
        from = kind == ShflDown ? lane + amount : kind == ShflBfly ? lane ^ amount : least | (amount & ~segments);
        inside = from <= int(most);
      }
      if (!inside)
        from = lane;
      // What a lane outside of the collective has is not defined.
      uint32_t value = mask >> from & 1 ? uint32_t(lanes[from].mailbox.a) : 0xcdcdcdcdu;
      box.result = uint64_t(inside) << 32 | value;
    });
    return;
  case VoteAll:
  case VoteAny:
  case VoteUni:
  case VoteBallot: {
    uint32_t ballot = 0;
    forEach([&](Mailbox &box, unsigned lane) { ballot |= uint32_t(box.a & 1) << lane; });
    uint32_t result = kind == VoteAll   ? ballot == mask
                      : kind == VoteAny ? ballot != 0
                      : kind == VoteUni ? ballot == 0 || ballot == mask
                                        : ballot;
    forEach([&](Mailbox &box, unsigned) { box.result = result; });
    return;
  }
  case MatchAny:
    forEach([&](Mailbox &box, unsigned) {
      uint32_t equal = 0;
      forEach([&](Mailbox &other, unsigned lane) { equal |= uint32_t(other.a == box.a) << lane; });
      box.result = equal;
    });
    return;
  case MatchAll: {
    bool equal = true;
    uint64_t value = lanes[llvm::countr_zero(mask)].mailbox.a;
    forEach([&](Mailbox &box, unsigned) { equal &= box.a == value; });
    forEach([&](Mailbox &box, unsigned) { box.result = equal ? uint64_t(1) << 32 | mask : 0; });
    return;
  }
  case CollectiveLoadMatrix:
  case CollectiveStoreMatrix:
  case CollectiveMma:
    if (mask != ~0u)
      fail(lanes[llvm::countr_zero(mask)], "a matrix instruction needs all 32 lanes",
           uint32_t(lanes[llvm::countr_zero(mask)].mailbox.c >> 32));
    computeMatrix(lanes);
    return;
  case Elect:
    forEach([&](Mailbox &box, unsigned) { box.result = llvm::countr_zero(mask); });
    return;
  default:
    break;
  }
  uint32_t result = lanes[llvm::countr_zero(mask)].mailbox.a;
  bool isFirst = true;
  forEach([&](Mailbox &box, unsigned) {
    uint32_t x = box.a;
    if (isFirst && kind != ReduxMinF && kind != ReduxMaxF && kind != ReduxMinFNaN && kind != ReduxMaxFNaN) {
      isFirst = false;
      return;
    }
    switch (kind) {
    case ReduxAdd:
      result += x;
      break;
    case ReduxAnd:
      result &= x;
      break;
    case ReduxOr:
      result |= x;
      break;
    case ReduxXor:
      result ^= x;
      break;
    case ReduxMinU:
      result = std::min(result, x);
      break;
    case ReduxMaxU:
      result = std::max(result, x);
      break;
    case ReduxMinS:
      result = std::min(int32_t(result), int32_t(x));
      break;
    case ReduxMaxS:
      result = std::max(int32_t(result), int32_t(x));
      break;
    default:
      result = reduceFloat(kind, result, x);
    }
  });
  forEach([&](Mailbox &box, unsigned) { box.result = result; });
}

} // namespace cuda_emu
