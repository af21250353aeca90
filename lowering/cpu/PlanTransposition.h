// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the planner decides of transpositions: nests that store along one dimension what they load along another.

#ifndef MLIR_XLA_LOWERING_CPU_PLANTRANSPOSITION_H
#define MLIR_XLA_LOWERING_CPU_PLANTRANSPOSITION_H

#include "mlir_xla/lowering/cpu/NestPlan.h"

namespace mlir::xla {

/// What `load` of elementwise code counts for when lanes are chosen. A few elements that are read again and again, such
/// as what is broadcast, come from the first-level cache: larger operands decide, which may be transposed in registers.
double weightOfElements(const LoopNest &nest, const ExprNode &load);

struct Transposition {
  /// Operations of bodies that are repeated without a thought, and of those that are not worth a transposition in
  /// registers.
  static constexpr unsigned kSmallBody = 8, kLargeBody = 24;
  /// Elements from which on faster code may take longer to compile, and of transpositions, which gain more by it.
  static constexpr int64_t kLargeArray = 1 << 21, kLargeMatrix = 1 << 18;

  const LoopNest &nest;
  const Machine &machine;
  unsigned operations, widest; // of an iteration; bits of its elements in lanes

  /// Transposes what is read along one of `dims` in registers, if anything is.
  void transposeLoads(NestPlan &plan, ArrayRef<int64_t> dims) const;
  /// Jams one of `dims` that is short, if its elements lie between those of the lanes, as channels of pixels do, so
  /// that each line of the cache is walked once, or if what is left of the loops inside it is a step or two.
  void jamShortDim(NestPlan &plan, ArrayRef<int64_t> dims) const;
  /// Are the rows that are written shorter than a line, and does `dim` walk on where they end? An item of work writes
  /// what comes one after the other.
  bool continuesRows(const NestPlan &plan, unsigned dim) const;
  /// How many iterations of the jammed dimension are a block; how many of them a step takes is decided anew.
  int64_t cut(NestPlan &plan) const;
  /// Has steps along a jammed dimension write whole lines of the cache: of vectors that are half a line, two. False if
  /// they cannot.
  bool takeLines(NestPlan &plan) const;

private:
  bool liesBetweenLanes(const NestPlan &plan, unsigned dim) const;
  /// Does `dim` walk on where the rows that are written end?
  bool walksOn(const NestPlan &plan, unsigned dim) const;
  int64_t rowsWritten(const NestPlan &plan) const;
  bool writesCollidingRows(const NestPlan &plan) const;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_PLANTRANSPOSITION_H
