// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The solve family, and custom calls of LAPACK: calls of the runtime's functions, in place where they replace an
// operand.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/LapackCalls.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::xla;

/// Calls the function that serves `call`, with operands and results in the orders that it wants.
static SmallVector<Value> buildCall(OpBuilder &b, Location loc, const LapackCall &call, ValueRange operands,
                                    TypeRange resultTypes) {
  SmallVector<Value> inputs, outs;
  for (unsigned input : call.inputs)
    inputs.push_back(operands[input]);
  for (auto [init, type] : llvm::zip_equal(call.inits, resultTypes)) {
    auto tensor = cast<RankedTensorType>(type);
    outs.push_back(init >= 0 ? operands[init]
                             : tensor::EmptyOp::create(b, loc, tensor.getShape(), tensor.getElementType()).getResult());
  }
  return rt::LibraryCallOp::create(b, loc, resultTypes, call.function, inputs, outs, call.parameters, call.work,
                                   call.cost, /*scratch=*/0)
      .getResults();
}

/// `value` with dimension `order[i]` as its dimension i, or, with `back`, with dimension i as its dimension `order[i]`.
static Value buildOrder(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> order, bool back) {
  if (llvm::is_sorted(order))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> inverse = invertPermutationVector(order);
  ArrayRef<int64_t> source = back ? ArrayRef(inverse) : order;
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), source);
  AffineMap map = buildDimsMap(b.getContext(), type.getRank(), invertPermutationVector(source));
  return buildElementwise(b, loc, RankedTensorType::get(shape, type.getElementType()), value, {map},
                          [](OpBuilder &, Location, ValueRange args) { return SmallVector<Value>{args[0]}; });
}

namespace {

/// xla.cholesky %a  ->  xla_rt.library_call "xla_rt_lapack_spotrf" outs(%a)
struct CholeskyLowering : OpConversionPattern<CholeskyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(CholeskyOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(adaptor.getA().getType());
    LapackCall call = getCholeskyCall(type, op.getLower(), /*zeros=*/true, /*info=*/false);
    rewriter.replaceOp(op, buildCall(rewriter, op.getLoc(), call, adaptor.getA(), type));
    return success();
  }
};

/// xla.triangular_solve %a, %b  ->  xla_rt.library_call "xla_rt_lapack_ssolve" ins(%a) outs(%b)
struct TriangularSolveLowering : OpConversionPattern<TriangularSolveOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(TriangularSolveOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto a = cast<RankedTensorType>(adaptor.getA().getType()), b = cast<RankedTensorType>(adaptor.getB().getType());
    Transpose transpose = op.getTransposeA();
    char letter = transpose == Transpose::NO_TRANSPOSE ? 'N' : transpose == Transpose::TRANSPOSE ? 'T' : 'C';
    LapackCall call = getSolveCall(a, b, op.getLeftSide(), op.getLower(), letter, op.getUnitDiagonal());
    rewriter.replaceOp(op, buildCall(rewriter, op.getLoc(), call, {adaptor.getA(), adaptor.getB()}, b));
    return success();
  }
};

/// xla.custom_call @lapack_sgeqrf_ffi(%a)  ->  xla_rt.library_call "xla_rt_lapack_sgeqrf" outs(transposed %a, %tau),
/// transposed back
struct LapackCallLowering : OpConversionPattern<CustomCallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(CustomCallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isLapackCall(op))
      return failure();
    FailureOr<LapackCall> call = analyzeLapackCall(op);
    if (failed(call))
      return failure();
    Location loc = op.getLoc();
    SmallVector<Value> operands;
    for (auto [value, order] : llvm::zip_equal(adaptor.getInputs(), call->operandOrders))
      operands.push_back(buildOrder(rewriter, loc, value, order, /*back=*/false));
    SmallVector<Type> types;
    for (auto [type, order] : llvm::zip_equal(op.getResultTypes(), call->resultOrders)) {
      RankedTensorType plain = signlessTensorType(cast<RankedTensorType>(type));
      types.push_back(plain.clone(applyPermutation(plain.getShape(), order)));
    }
    SmallVector<Value> results = buildCall(rewriter, loc, *call, operands, types);
    for (auto [value, order] : llvm::zip_equal(results, call->resultOrders))
      value = buildOrder(rewriter, loc, value, order, /*back=*/true);
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void mlir::xla::populateSolvePatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<CholeskyLowering, TriangularSolveLowering>(converter, patterns.getContext());
  patterns.add<LapackCallLowering>(converter, patterns.getContext(), /*benefit=*/2);
}
