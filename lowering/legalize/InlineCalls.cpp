// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves one public function @main with everything inlined: later stages see the whole program.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xla {
#define GEN_PASS_DEF_INLINECALLS
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {

struct InlineCallsPass : xla::impl::InlineCallsBase<InlineCallsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    progress.clear();
    func::FuncOp main = findEntry(module);
    if (!main || failed(inlineInto(main)))
      return signalPassFailure();
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function != main && SymbolTable::symbolKnownUseEmpty(function, module))
        function.erase();
  }

private:
  enum class Progress { Running, Done };

  func::FuncOp findEntry(ModuleOp module) {
    if (auto main = module.lookupSymbol<func::FuncOp>("main")) {
      if (main.isDeclaration()) {
        main.emitOpError("cannot be compiled: it has no body");
        return {};
      }
      main.setPublic();
      return main;
    }
    SmallVector<func::FuncOp> candidates = llvm::filter_to_vector(
        module.getOps<func::FuncOp>(), [](func::FuncOp op) { return op.isPublic() && !op.isDeclaration(); });
    if (candidates.size() != 1) {
      module.emitError("cannot be compiled: expected a function @main or exactly one public function, found ")
          << candidates.size() << " public functions";
      return {};
    }
    (void)SymbolTable::replaceAllSymbolUses(candidates[0], StringAttr::get(&getContext(), "main"), module);
    candidates[0].setSymName("main");
    return candidates[0];
  }

  /// Replaces the calls in `function` by their callees' bodies, callees first.
  LogicalResult inlineInto(func::FuncOp function) {
    if (!llvm::hasSingleElement(function.getBody()))
      return function.emitOpError("cannot be compiled: its body has several blocks");
    progress[function] = Progress::Running;
    SmallVector<Operation *> calls;
    function.walk([&](Operation *op) {
      if (isa<func::CallOp, CompositeOp>(op))
        calls.push_back(op);
    });
    for (Operation *call : calls) {
      StringRef name =
          isa<func::CallOp>(call) ? cast<func::CallOp>(call).getCallee() : cast<CompositeOp>(call).getDecomposition();
      auto callee = getOperation().lookupSymbol<func::FuncOp>(name);
      if (!callee || callee.isDeclaration())
        return call->emitOpError("cannot be compiled: @") << name << " has no body";
      auto state = progress.find(callee);
      if (state == progress.end()) {
        if (failed(inlineInto(callee)))
          return failure();
      } else if (state->second == Progress::Running) {
        InFlightDiagnostic error = call->emitOpError("[Call-N2] recursion: @")
                                   << name << " is called from within itself";
        error.attachNote(callee.getLoc()) << "@" << name << " is defined here";
        return error;
      }
      inlineCall(call, callee);
    }
    progress[function] = Progress::Done;
    return success();
  }

  static void inlineCall(Operation *call, func::FuncOp callee) {
    Block &body = callee.getBody().front();
    IRMapping mapping;
    mapping.map(body.getArguments(), call->getOperands());
    OpBuilder b(call);
    for (Operation &op : body.without_terminator()) {
      Operation *clone = b.clone(op, mapping);
      clone->walk([&](Operation *nested) { nested->setLoc(CallSiteLoc::get(nested->getLoc(), call->getLoc())); });
    }
    for (auto [result, value] : llvm::zip(call->getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call->erase();
  }

  DenseMap<Operation *, Progress> progress;
};

} // namespace
