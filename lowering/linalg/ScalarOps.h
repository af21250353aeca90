// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar form of the elementwise ops, in arith, math and complex: the bodies of elementwise generics and the
// regions of reduce, map and reduce_window. Values are signless; signs come from the types of the xla op.

#ifndef MLIR_XLA_LOWERING_LINALG_SCALAROPS_H
#define MLIR_XLA_LOWERING_LINALG_SCALAROPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {

/// True for the elementwise ops, whose result element depends on one element of each operand.
bool hasScalarForm(Operation *op);

/// The scalar form of `op` applied to `operands`; null, after an error at `op`, for a combination of op and element
/// type that has none.
Value emitScalarOp(OpBuilder &b, Operation *op, ValueRange operands);

/// `xla.convert` of one element; `from` and `to` carry the signs.
Value emitScalarConvert(OpBuilder &b, Location loc, Value value, Type from, Type to);

/// Emits the region of a reduce, reduce_window or map for scalar `arguments`. `capture` gives the scalar of a rank-0
/// tensor from outside the region. Fails, after an error, at an op that has no scalar form.
LogicalResult emitScalarRegion(OpBuilder &b, Region &region, ValueRange arguments, function_ref<Value(Value)> capture,
                               SmallVectorImpl<Value> &results);

/// True for what an op or a block in `region` defines. The old arguments of a function whose types are being converted
/// are in no region.
bool isComputedIn(Region &region, Value value);

/// The rank-0 tensors from outside that `region` reads, other than constants, which the body repeats.
SmallVector<Value> getScalarCaptures(Region &region);

//===- Parts, one file each ---------------------------------------------------------------------------------------===//

/// Complex operands: ScalarComplex.cpp. Null where there is no complex form (no error reported).
Value emitComplexOp(ImplicitLocOpBuilder &b, StringRef mnemonic, ValueRange operands);

/// ScalarBits.cpp: the rounding of `xla.reduce_precision`, the integer that orders floats totally, `xla.next_after`.
Value emitReducePrecision(ImplicitLocOpBuilder &b, Value value, unsigned exponentBits, unsigned mantissaBits);
Value emitTotalOrderKey(ImplicitLocOpBuilder &b, Value value);
Value emitNextAfter(ImplicitLocOpBuilder &b, Value from, Value towards);

/// ScalarNarrow.cpp: f16, bf16 and the floats of 8 bits and less, to and from f32.
Value emitWidenToF32(ImplicitLocOpBuilder &b, Value value);
Value emitNarrowFromF32(ImplicitLocOpBuilder &b, Value value, Type to);
Value emitExtendNarrowFloat(ImplicitLocOpBuilder &b, Value value);
Value emitTruncateToNarrowFloat(ImplicitLocOpBuilder &b, Value value, Type to);

/// The only element of `elements`.
Value emitScalarConstant(OpBuilder &b, Location loc, ElementsAttr elements);
Value emitFloatConstant(ImplicitLocOpBuilder &b, Type type, double value);
Value emitIntConstant(ImplicitLocOpBuilder &b, Type type, int64_t value);
Value emitIntConstant(ImplicitLocOpBuilder &b, Type type, const APInt &value);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LINALG_SCALAROPS_H
