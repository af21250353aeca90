// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-expand-approx-top-k`: an approximation of the largest elements is an exact one here. JAX writes
// `lax.approx_max_k` and `lax.approx_min_k` as custom calls whose comparator is a function of the program.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::xla {
#define GEN_PASS_DEF_EXPANDAPPROXTOPK
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// The function by which `call` compares, if all that the expansion needs to know is there.
static func::FuncOp comparatorOf(CustomCallOp call) {
  auto callees = call->getAttrOfType<ArrayAttr>("called_computations");
  auto name = callees && callees.size() == 1 ? dyn_cast<FlatSymbolRefAttr>(callees[0]) : FlatSymbolRefAttr();
  auto function = name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, name) : func::FuncOp();
  bool isOne = function && !function.isExternal() && function.getBody().hasOneBlock() &&
               function.getNumArguments() == call.getNumOperands() && call.getNumOperands() == 2 * call.getNumResults();
  return isOne ? function : func::FuncOp();
}

/// xla.custom_call @ApproxTopK(%x, %i, initial values)  ->  xla.sort, and the first elements of it
static bool expand(CustomCallOp call) {
  auto config = call->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  auto dimension = config ? config.getAs<IntegerAttr>("reduction_dim") : IntegerAttr();
  func::FuncOp comparator = comparatorOf(call);
  if (!dimension || !comparator)
    return false;
  ValueRange arrays = call.getOperands().take_front(call.getNumResults());
  OpBuilder b(call);
  Location loc = call.getLoc();
  auto sort = SortOp::create(b, loc, arrays.getTypes(), arrays, b.getI64IntegerAttr(dimension.getInt()),
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
  return true;
}

namespace {
struct ExpandApproxTopKPass : xla::impl::ExpandApproxTopKBase<ExpandApproxTopKPass> {
  void runOnOperation() override {
    bool changed = false;
    SmallVector<CustomCallOp> calls;
    getOperation().walk([&](CustomCallOp call) {
      if (call.getCallTargetName() == "ApproxTopK")
        calls.push_back(call);
    });
    for (CustomCallOp call : calls)
      changed |= expand(call);
    if (!changed)
      return markAllAnalysesPreserved();
    // The comparators, which are in the program for those calls only.
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (function.getName() != "main" && SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        function.erase();
  }
};
} // namespace
