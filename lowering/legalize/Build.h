// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds formulas of xla ops, for patterns that express one op by others.

#ifndef MLIR_XLA_LOWERING_LEGALIZE_BUILD_H
#define MLIR_XLA_LOWERING_LEGALIZE_BUILD_H

#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {

/// Values are tensors. Two operands have one shape, or one of them is a scalar, which is broadcast.
class TensorBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

  /// The op xla.`name`, with a result of `type`.
  Value apply(StringRef name, Type type, ValueRange operands);
  /// An op whose result has the type of its operands.
  Value unary(StringRef name, Value x) { return apply(name, x.getType(), x); }
  Value binary(StringRef name, Value x, Value y);
  Value add(Value x, Value y) { return binary("add", x, y); }
  Value sub(Value x, Value y) { return binary("subtract", x, y); }
  Value mul(Value x, Value y) { return binary("multiply", x, y); }
  Value compare(ComparisonDirection direction, Value x, Value y);
  Value select(Value predicate, Value x, Value y);

  Value scalar(Type element, int64_t value);
  Value scalar(Type element, double value);
  Value index(int64_t value) { return scalar(getI64Type(), value); }
  Value broadcast(Value value, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims);
  Value reshape(Value value, ArrayRef<int64_t> shape);
  Value convert(Value value, Type element);
  Value bitcast(Value value, Type element);
  Value transpose(Value value, ArrayRef<int64_t> permutation);
  Value dynamicSlice(Value value, ValueRange starts, ArrayRef<int64_t> sizes);
  Value dynamicUpdateSlice(Value value, Value update, ValueRange starts);

  /// A loop that carries values, the first of them a counter that goes from `begin` to below `end` in steps of `step`,
  /// all of them tensor<i64>. `body` gets the counter and the others, and gives the next ones. Gives the last ones.
  SmallVector<Value> countedLoop(Value begin, Value end, Value step, ValueRange inits,
                                 function_ref<SmallVector<Value>(Value, ValueRange)> body);

private:
  std::pair<Value, Value> sameShape(Value x, Value y);
};

/// `list` without the number at `index`: the shape of a tensor without one of its dimensions, for example.
SmallVector<int64_t> without(ArrayRef<int64_t> list, int64_t index);

/// The value that `op`, a sum, product, extremum or bitwise op, leaves others of type `element` as they are with; null
/// for other ops, and for types that have no such value.
Attribute getIdentity(Operation *op, Type element);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LEGALIZE_BUILD_H
