// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-plan-threads`: writes down how each loop nest of each kernel is shared among threads.

#include "mlir_xla/lowering/gpu/Passes.h"

#include "mlir_xla/lowering/cpu/NestPlan.h"

namespace mlir::xla {
#define GEN_PASS_DEF_PLANTHREADS
#include "mlir_xla/lowering/gpu/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// A thread for each element of the result, or for each row of a kernel that has rows.
static NestPlan planScalar(const LoopNest &nest) {
  NestPlan plan;
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim) {
    if (nest.isParallelLoop(dim))
      (nest.isAlone ? plan.work : plan.loops).push_back(dim);
    else if (nest.isReductionLoop(dim))
      plan.reductionLoops.push_back(dim);
  }
  plan.derive(nest);
  return plan;
}

namespace {
struct PlanThreadsPass : public mlir::xla::impl::PlanThreadsBase<PlanThreadsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernelOf(kernel) || kernel.isExternal() || kernel->hasAttr(XlaRtDialect::kPlans) || wholeKernelIn(kernel))
        continue;
      FailureOr<KernelNests> nests = nestsOf(kernel);
      if (failed(nests))
        return signalPassFailure();
      SmallVector<Attribute> plans;
      for (const LoopNest &nest : nests->nests)
        plans.push_back(planScalar(nest).toAttr(&getContext(), nest));
      kernel->setAttr(XlaRtDialect::kPlans, ArrayAttr::get(&getContext(), plans));
    }
  }
};
} // namespace
