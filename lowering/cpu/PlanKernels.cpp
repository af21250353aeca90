// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-plan-kernels`: writes down how each loop nest of each kernel will be walked.

#include "mlir_xla/lowering/cpu/Passes.h"
#include "mlir_xla/lowering/cpu/TilePlan.h"

namespace mlir::xla {
#define GEN_PASS_DEF_PLANKERNELS
#include "mlir_xla/lowering/cpu/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {
struct PlanKernelsPass : public mlir::xla::impl::PlanKernelsBase<PlanKernelsPass> {
  using Base::Base;
  LogicalResult initialize(MLIRContext *context) override {
    return Machine::checkVectors(vectorBits, context, instructions);
  }
  void runOnOperation() override {
    Machine machine = Machine::withVectors(vectorBits, instructions);
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernelOf(kernel) || kernel.isExternal() || kernel->hasAttr(XlaRtDialect::kPlans) || wholeKernelIn(kernel))
        continue;
      FailureOr<KernelNests> nests = nestsOf(kernel);
      if (failed(nests))
        return signalPassFailure();
      SmallVector<Attribute> plans;
      for (const LoopNest &nest : nests->nests)
        plans.push_back(planAny(nest, machine, &getContext()));
      kernel->setAttr(XlaRtDialect::kPlans, ArrayAttr::get(&getContext(), plans));
    }
  }
};
} // namespace
