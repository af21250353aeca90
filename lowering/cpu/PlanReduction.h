// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the planner hides the latency of reductions: register tiles of running values, and rows that are reduced side by
// side.

#ifndef MLIR_XLA_LOWERING_CPU_PLANREDUCTION_H
#define MLIR_XLA_LOWERING_CPU_PLANREDUCTION_H

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/cpu/NestPlan.h"

namespace mlir::xla {

/// Vectors, up to so many, and rows of a tile of `most` running values that takes the least time for so many columns
/// and rows. The last rows are computed again, and the last vectors are a step of their own, or (`mayMask`, of more
/// than three steps) a whole one, with masks, which no other tile is to have. A tile of `vectorsOfTile` stays unless
/// another takes notably less.
std::pair<unsigned, int64_t> tileOf(int64_t columns, int64_t lanes, int64_t rows, unsigned vectorsOfTile, int64_t most,
                                    bool mayMask);

/// How far apart the elements are that a step of the reduction puts together to vectors; 1 if they are neighbours. That
/// takes some instructions, which more copies along the jammed dimension share.
int64_t farthestLanes(const LoopNest &nest, ArrayRef<ExprNode *> nodes, const NestPlan &plan);

/// Is what a step of the reduction reads for all lanes along `v` narrower than the `widest` elements, in bits?
bool widensRows(const LoopNest &nest, ArrayRef<ExprNode *> nodes, unsigned v, unsigned widest);

/// A window whose elements are in lanes, and of which neighbours share most, but which no other result reads: a
/// depthwise convolution or pooling. Loads bind, so that neighbours along a dimension of `parallel` by which the window
/// moves share them in registers. Returns whether there is one, which the plan takes then.
bool slideWindow(NestPlan &plan, const LoopNest &nest, ArrayRef<ExprNode *> nodes, ArrayRef<int64_t> parallel,
                 const Machine &machine);

/// What it costs to load columns, along the lanes of `plan`, for so many steps of a reduction (Machine::costOfLoad).
double costOfColumns(ArrayRef<ExprNode *> nodes, const NestPlan &plan, int64_t steps, const Machine &machine);

/// Is what is read in a step along `dim` far from what the one before read?
bool readsFarRows(ArrayRef<ExprNode *> nodes, unsigned dim, const Machine &machine);

/// Short rows along `v`, read again in every step of a loop around them, as of the channels of a group, are one running
/// value that waits for itself. Those next to each other in memory have one each: the dimension, of `dims`, that walks
/// them, and how many of them, a power of two up to `most`; -1 and 1 if there are none, or too little other work for
/// all cores.
std::pair<int, int64_t> neighbouringRows(const LoopNest &nest, ArrayRef<ExprNode *> nodes, unsigned v,
                                         ArrayRef<int64_t> dims, int64_t most, const Machine &machine);

/// Takes the dimension in lanes along which sums of products of bf16 are in tile registers, with the step of these, or
/// else are added by pairs, if the processor has instructions for them. Returns whether there is one.
bool takePairs(NestPlan &plan, const LoopNest &nest, const Machine &machine);

/// Do short rows along `row` take less time with their elements in lanes, and neighbours folded together, than with an
/// element of each of the `rows` in lanes?
bool paysToFoldRows(const LoopNest &nest, ArrayRef<ExprNode *> nodes, unsigned row, unsigned rows, unsigned lanes,
                    const Machine &machine);

/// Rows along the lanes of `plan` that are folded together: those of a vector or two (of one, if rows read the same),
/// as many as a vector has lanes, and longer ones where folding each for itself takes long, of which several have their
/// running values in registers. The dimension that walks them, and how many of them; -1 and 1 if there are none.
std::pair<int, int64_t> foldedRows(const LoopNest &nest, ArrayRef<ExprNode *> nodes, const NestPlan &plan,
                                   bool readTheSame, const Machine &machine);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_PLANREDUCTION_H
