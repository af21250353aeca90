// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codes of the collectives of a warp, between compiled code and the scheduler.

#ifndef CUDA_EMU_EXECUTE_COLLECTIVES_H
#define CUDA_EMU_EXECUTE_COLLECTIVES_H

namespace cuda_emu {

enum Collective : unsigned {
  BarWarp,
  ShflUp,
  ShflDown,
  ShflBfly,
  ShflIdx,
  VoteAll,
  VoteAny,
  VoteUni,
  VoteBallot,
  MatchAny,
  MatchAll,
  ReduxAdd,
  ReduxAnd,
  ReduxOr,
  ReduxXor,
  ReduxMinU,
  ReduxMaxU,
  ReduxMinS,
  ReduxMaxS,
  ReduxMinF,
  ReduxMaxF,
  ReduxMinFNaN,
  ReduxMaxFNaN,
  Elect,
  CollectiveLoadMatrix,
  CollectiveStoreMatrix,
  CollectiveMma,
};

enum BarrierKind : unsigned { BarSync, BarArrive, BarPopc, BarAnd, BarOr };

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_COLLECTIVES_H
