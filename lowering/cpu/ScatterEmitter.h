// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits a scatter: what its emitters for a CPU's cores (EmitScatter.cpp) and for a GPU's threads (EmitUpdates.cpp)
// have in common are places in the arrays and the combiner.

#ifndef MLIR_XLA_LOWERING_CPU_SCATTEREMITTER_H
#define MLIR_XLA_LOWERING_CPU_SCATTEREMITTER_H

#include "mlir_xla/lowering/cpu/ScatterPlan.h"
#include "mlir_xla/lowering/cpu/WholeKernels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include <optional>

namespace mlir::xla {

/// The scalar code of a combiner, on scalars or on lanes.
class CombinerEmitter {
public:
  CombinerEmitter(ImplicitLocOpBuilder &b, Block *entry, Region &combiner)
      : b(b), entry(entry), body(combiner.front()) {}

  Value constant(TypedAttr attr);
  /// The values that the combiner leaves for `arguments`.
  SmallVector<Value> emit(ValueRange arguments);

private:
  SmallVector<Value> emitBlock(Block &block, IRMapping &values);
  void emitOp(Operation &op, IRMapping &values);
  Value lookup(Value value, const IRMapping &values);
  Value splat(Value scalar, ArrayRef<int64_t> shape);

  ImplicitLocOpBuilder &b;
  Block *entry;
  Block &body;
  DenseMap<Attribute, Value> constants;
};

/// Places and elements of a scatter that is walked as `plan` says.
class ScatterCode {
protected:
  ScatterCode(const WholeKernel &kernel, rt::ScatterOp op, const ScatterPlan &plan);

  /// Distances from the beginning of the arrays in elements; null is zero.
  struct Place {
    Value updates, outs, indices;
  };
  /// Pointers to the elements of each array; null for updates that are all alike.
  struct Elements {
    SmallVector<Value> updates, outs;
  };

  Value i64(int64_t value) { return combiner.constant(b.getI64IntegerAttr(value)); }
  static Type strideType(Type type);
  Value pointerTo(Value base, Type element, Value distance);
  Value advance(Value distance, Value count, int64_t stride);
  Place advance(Place place, const ScatterPlan::Loop &loop, Value iteration);
  /// Leaves the builder in the body of a loop.
  scf::ForOp openLoop(Value lower, Value upper, int64_t step);
  Value loadStart(Place place, const ScatterPlan::Axis &axis);
  Value boundStart(Value start, const ScatterPlan::Axis &axis);
  Elements elementsAt(Place place);
  Elements elementsAt(const Elements &elements, Value distance);
  Elements elementsAt(const Elements &elements, int64_t distance);
  void emitElements(const Elements &elements, int64_t lanes);
  int64_t alignmentOf(Type memory, int64_t lanes) const;
  Value load(Value pointer, Type type, int64_t lanes);
  Value loadUpdate(const Elements &elements, size_t number, int64_t lanes);
  void store(Value value, Value pointer, Type type, int64_t lanes);

  ImplicitLocOpBuilder &b;
  rt::ScatterOp op;
  const ScatterPlan &plan;
  const Machine &machine;
  CombinerEmitter combiner;
  Value indices;
  SmallVector<Value> updates, outs, scalars;
  SmallVector<Type> types;      // of the elements of each array
  bool lanesAreAligned = false; // to their size
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_SCATTEREMITTER_H
