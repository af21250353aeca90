// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters: the schedule on tensors, kernels as declarations with implementations. Leaves: the schedule on pointers.

#include "mlir_xla/lowering/cpu/EmitSchedule.h"

namespace mlir::xla {
#define GEN_PASS_DEF_ASSIGNBUFFERS
#include "mlir_xla/lowering/cpu/Passes.h.inc"

namespace {

struct AssignBuffersPass : impl::AssignBuffersBase<AssignBuffersPass> {
  using AssignBuffersBase::AssignBuffersBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal()) {
      module.emitError("has no function @main to assign buffers for");
      return signalPassFailure();
    }
    if (main->hasAttr(XlaRtDialect::kArenaSize))
      return; // done before
    SymbolTable symbols(module);
    FailureOr<Aliases> aliases = prepareSchedule(main, symbols);
    if (failed(aliases))
      return signalPassFailure();
    auto bringsScratch = [&](ImplementationAttr contract) { return runsInParallel(contract, threads); };
    FailureOr<BufferPlan> plan = planBuffers(main, symbols, std::move(*aliases), bringsScratch, frame, device);
    if (failed(plan) || failed(ScheduleEmitter(module, main, symbols, *plan, threads, device).run()))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::xla
