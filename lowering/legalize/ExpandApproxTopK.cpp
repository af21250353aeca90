// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-expand-approx-top-k`: an approximation of the largest elements is an exact one here. JAX writes
// `lax.approx_max_k` and `lax.approx_min_k` as custom calls whose comparator is a function of the program.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::xla {
#define GEN_PASS_DEF_EXPANDAPPROXTOPK
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// The function by which `call` compares; null without one that fits its arrays.
static func::FuncOp comparatorOf(CustomCallOp call) {
  auto callees = call->getAttrOfType<ArrayAttr>("called_computations");
  auto name = callees && callees.size() == 1 ? dyn_cast<FlatSymbolRefAttr>(callees[0]) : FlatSymbolRefAttr();
  auto function = name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, name) : func::FuncOp();
  if (!function || function.isExternal() || !function.getBody().hasOneBlock() ||
      function.getNumArguments() != call.getNumOperands())
    return {};
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (getElementTypeOrSelf(type) != getElementTypeOrSelf(call.getOperand(i / 2).getType()))
      return {};
  return function;
}

/// The dimension along which `call` looks for the first elements by its comparator; an error where it does not say
/// that.
static FailureOr<int64_t> checkedDimension(CustomCallOp call, func::FuncOp comparator) {
  unsigned count = call.getNumResults();
  if (count == 0 || call.getNumOperands() != 2 * count)
    return call.emitOpError("@ApproxTopK takes an array and an initial value for each result");
  auto config = call->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  auto dimension = config ? config.getAs<IntegerAttr>("reduction_dim") : IntegerAttr();
  auto first = dyn_cast<RankedTensorType>(call.getOperand(0).getType());
  if (!first || !dimension || dimension.getInt() < 0 || dimension.getInt() >= first.getRank())
    return call.emitOpError("@ApproxTopK needs a dimension of its arrays as 'reduction_dim' in 'mhlo.backend_config'");
  for (unsigned i = 0; i < count; ++i) {
    auto array = dyn_cast<RankedTensorType>(call.getOperand(i).getType());
    auto result = dyn_cast<RankedTensorType>(call.getResult(i).getType());
    if (!array || !result || array.getShape() != first.getShape() || result.getRank() != array.getRank() ||
        result.getElementType() != array.getElementType() || !array.hasStaticShape() || !result.hasStaticShape())
      return call.emitOpError("@ApproxTopK needs arrays of one shape, and results of their rank and element types");
    for (int64_t d = 0; d < array.getRank(); ++d)
      if (d == dimension.getInt() ? result.getDimSize(d) > array.getDimSize(d)
                                  : result.getDimSize(d) != array.getDimSize(d))
        return call.emitOpError("@ApproxTopK gives elements of its arrays: the results are smaller along dimension ")
               << dimension.getInt() << " only";
  }
  if (!comparator)
    return call.emitOpError("@ApproxTopK needs a comparator of two elements of each array in 'called_computations'");
  return dimension.getInt();
}

/// xla.custom_call @ApproxTopK(%x, %i, initial values)  ->  xla.sort, and the first elements of it
static LogicalResult expand(CustomCallOp call) {
  func::FuncOp comparator = comparatorOf(call);
  FailureOr<int64_t> dimension = checkedDimension(call, comparator);
  if (failed(dimension))
    return failure();
  ValueRange arrays = call.getOperands().take_front(call.getNumResults());
  OpBuilder b(call);
  Location loc = call.getLoc();
  auto sort = SortOp::create(b, loc, arrays.getTypes(), arrays, b.getI64IntegerAttr(*dimension),
                             /*is_stable=*/b.getBoolAttr(true));
  IRMapping mapping;
  comparator.getBody().cloneInto(&sort.getComparator(), mapping);
  Operation *end = sort.getComparator().front().getTerminator();
  b.setInsertionPoint(end);
  ReturnOp::create(b, end->getLoc(), end->getOperands());
  end->erase();
  b.setInsertionPoint(call);
  for (auto [sorted, result] : llvm::zip_equal(sort.getResults(), call.getResults())) {
    ArrayRef<int64_t> limits = cast<RankedTensorType>(result.getType()).getShape();
    SmallVector<int64_t> starts(limits.size(), 0), strides(limits.size(), 1);
    result.replaceAllUsesWith(SliceOp::create(b, loc, result.getType(), sorted, b.getDenseI64ArrayAttr(starts),
                                              b.getDenseI64ArrayAttr(limits), b.getDenseI64ArrayAttr(strides)));
  }
  call.erase();
  return success();
}

namespace {
struct ExpandApproxTopKPass : xla::impl::ExpandApproxTopKBase<ExpandApproxTopKPass> {
  void runOnOperation() override {
    SmallVector<CustomCallOp> calls;
    getOperation().walk([&](CustomCallOp call) {
      if (call.getCallTargetName() == "ApproxTopK")
        calls.push_back(call);
    });
    if (calls.empty())
      return markAllAnalysesPreserved();
    for (CustomCallOp call : calls)
      if (failed(expand(call)))
        return signalPassFailure();
    // The comparators, which are in the program for those calls only.
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (function.getName() != "main" && SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        function.erase();
  }
};
} // namespace
