// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a scatter is walked: loops over index vectors and over their windows, as strides, and who does which part of it.

#ifndef MLIR_XLA_LOWERING_CPU_SCATTERPLAN_H
#define MLIR_XLA_LOWERING_CPU_SCATTERPLAN_H

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

namespace mlir::xla {

struct ScatterPlan {
  /// A loop over a dimension of the updates, or several of them. What one iteration means in each array, in elements.
  struct Loop {
    int64_t size;
    int64_t updates, outs, indices;
    int axis = -1; // that it walks from a start which is data
  };
  /// A dimension of the outs whose position is data: that of a component of the index vector, or of a loop from there.
  struct Axis {
    int64_t size, stride;
    int64_t component; // its place in the indices, counted from the first component
    int loop = -1;     // of the window
  };
  /// Who does what. No two items of work update the same element, and each does its updates in the order of the loops,
  /// so that results do not depend on the number of threads.
  enum class Split {
    None,
    Vectors, // an item is an iteration of a loop over index vectors, which alone updates its part of the outs
    Window,  // a block of iterations of a loop of the window
    Owners,  // a range of positions along an axis: each item looks at all index vectors, and skips those of others
  };

  SmallVector<Loop> vectors; // outermost first; the index vector is known inside
  SmallVector<Loop> window;  // within
  SmallVector<Axis> axes;
  /// Neighbours along the innermost loop of the window that are combined at a time.
  int64_t lanes = 1;
  /// The type of the parts of complex numbers that are added up or moved, where loops and strides count parts; or null.
  Type part;
  /// That type, or the one of the elements of `array`.
  Type elementOf(Type array) const { return part ? part : getElementTypeOrSelf(array); }

  Split split = Split::None;
  unsigned splitAt = 0; // which loop or axis
  int64_t block = 1;    // iterations or positions of an item
  int64_t work = 1, cost = 0;
  /// Owners that compare so many neighbouring indices at a time.
  int64_t indexLanes = 1;
  /// Owners that find theirs among sorted indices by bisection.
  bool bisects = false;

  /// The place that is updated after so many more index vectors is asked for, so that it is in the first cache by then,
  /// and the window of updates itself; 0 where that would gain nothing. Owners ask for windows alone, after so many
  /// more index vectors of their own.
  int64_t ahead = 0;
  bool asksForUpdates = false;

  /// The length of the loop or axis that is split.
  int64_t splitSize() const;
  /// How far its iterations or positions are from each other in the outs, which has no meaning without a split.
  int64_t splitStride() const;
};

/// Of all loops together.
int64_t iterations(ArrayRef<ScatterPlan::Loop> loops);

/// The loops of `op`, of which nothing is decided yet. Of an `ordered` or `dealt` one, the numbers of index vectors are
/// those of `vectors`, and those of places are those of `axes`.
ScatterPlan readScatter(rt::ScatterOp op);

ScatterPlan planScatter(rt::ScatterOp op, const Machine &machine);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_SCATTERPLAN_H
