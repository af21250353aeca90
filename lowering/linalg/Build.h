// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builders of the tensor-level idioms that the op families share: elementwise and filled tensors, reshapes, padding.

#ifndef MLIR_XLA_LOWERING_LINALG_BUILD_H
#define MLIR_XLA_LOWERING_LINALG_BUILD_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::xla {

/// `ui32` -> `i32`; other element types unchanged.
Type signlessElementType(Type elementType);
/// The tensor type without signs and without its layout.
RankedTensorType signlessTensorType(RankedTensorType type);

/// Emits the body of a structured op for the scalars of its inputs (and, in reductions, its outputs); returns what the
/// body yields, or nothing after having reported an error.
using BodyBuilder = function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)>;

/// An all-parallel `linalg.generic` over `type`'s shape that ignores its `outs`; null if `body` fails.
Value buildElementwise(OpBuilder &b, Location loc, RankedTensorType type, ValueRange inputs, ArrayRef<AffineMap> maps,
                       BodyBuilder body);
/// The same with `inputs` of the result's shape, or of rank 0.
Value buildElementwise(OpBuilder &b, Location loc, RankedTensorType type, ValueRange inputs, BodyBuilder body);

Value buildFill(OpBuilder &b, Location loc, RankedTensorType type, Value scalar);
Value buildZero(OpBuilder &b, Location loc, Type elementType);
Value buildIndex(OpBuilder &b, Location loc, int64_t value);

/// The element of a rank-0 tensor: a scalar constant where the tensor is one.
Value buildScalar(OpBuilder &b, Location loc, Value tensor);

/// `tensor.collapse_shape` and `tensor.expand_shape` through the finest shape that both sides refine.
Value buildReshape(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> shape);

/// Interior padding, then edge padding (negative amounts remove), as `xla.pad` defines them.
Value buildPad(OpBuilder &b, Location loc, Value tensor, Value paddingScalar, ArrayRef<int64_t> low,
               ArrayRef<int64_t> high, ArrayRef<int64_t> interior);

/// The static slice [offsets, offsets + sizes * strides).
Value buildSlice(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                 ArrayRef<int64_t> strides);

/// The map `(d0, .., d<rank-1>) -> (dims...)`.
AffineMap buildDimsMap(MLIRContext *context, int64_t rank, ArrayRef<int64_t> dims);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LINALG_BUILD_H
