// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves one public function @main with everything inlined: later stages see the whole program. How large that becomes
// is known, and limited, before anything is copied.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/Support/MathExtras.h"

#include <map>

namespace mlir::xla {
#define GEN_PASS_DEF_INLINECALLS
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {

/// What calls may make of a smaller program: 10 s of compile time or more.
constexpr uint64_t maxOps = 100'000;

/// Regions in each other, as written or by calls. Far more than programs have; several passes walk all that is nested
/// for each of the levels, and most recurse.
constexpr unsigned maxDepth = 400;

struct Call {
  Operation *op;
  unsigned depth; // of the regions around it in its function
};

/// What is known about a function that the entry reaches.
struct Function {
  func::FuncOp op;
  SmallVector<Call> calls; // in its body, in order
  uint64_t ownOps = 0;     // without calls
  uint64_t inlinedOps = 0; // with what is called, at most UINT64_MAX
  unsigned depth = 0;      // of nested regions, with what is called
  bool isPure = true;
  bool isRunning = true; // while what it calls is looked at
};

struct InlineCallsPass : xla::impl::InlineCallsBase<InlineCallsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    functions.clear();
    SymbolTable symbols(module);
    func::FuncOp main = findEntry(module, symbols);
    if (!main || failed(visitCallees(main, symbols)) || failed(checkSize(main, symbols)))
      return signalPassFailure();
    inlineInto(main, symbols);
    eraseUnused(main, symbols);
  }

private:
  func::FuncOp findEntry(ModuleOp module, SymbolTable &symbols) {
    if (auto main = symbols.lookup<func::FuncOp>("main")) {
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
    (void)symbols.rename(candidates[0], "main");
    return candidates[0];
  }

  static StringRef nameOfCallee(Operation *call) {
    return isa<func::CallOp>(call) ? cast<func::CallOp>(call).getCallee() : cast<CompositeOp>(call).getDecomposition();
  }

  Function &calleeOf(Operation *call, SymbolTable &symbols) {
    return functions.find(symbols.lookup(nameOfCallee(call)))->second;
  }

  //===--- How large it becomes ---===//

  /// Enters all functions that are reached into `functions`, callees first. Not recursive: calls may be as deep as the
  /// program is long.
  LogicalResult visitCallees(func::FuncOp entry, SymbolTable &symbols) {
    SmallVector<std::pair<Function *, size_t>> stack; // with the number of the next call
    auto enter = [&](func::FuncOp op) -> LogicalResult {
      if (!llvm::hasSingleElement(op.getBody()))
        return op.emitOpError("cannot be compiled: its body has several blocks");
      Function &function = functions[op];
      function.op = op;
      stack.push_back({&function, 0});
      return scan(function, op.getBody(), 0);
    };
    if (failed(enter(entry)))
      return failure();
    while (!stack.empty()) {
      auto &[function, next] = stack.back();
      if (next == function->calls.size()) {
        mergeEqualCalls(*function, symbols);
        if (failed(addUp(*function, symbols)))
          return failure();
        stack.pop_back();
        continue;
      }
      Operation *call = function->calls[next++].op;
      StringRef name = nameOfCallee(call);
      auto callee = symbols.lookup<func::FuncOp>(name);
      if (!callee || callee.isDeclaration())
        return call->emitOpError("cannot be compiled: @") << name << " has no body";
      auto known = functions.find(callee);
      if (known == functions.end()) {
        if (failed(enter(callee)))
          return failure();
      } else if (known->second.isRunning) {
        InFlightDiagnostic error = call->emitOpError("[Call-N2] recursion: @")
                                   << name << " is called from within itself";
        error.attachNote(callee.getLoc()) << "@" << name << " is defined here";
        return error;
      }
    }
    return success();
  }

  /// Enters what is in the region of a function, below `depth` other regions.
  LogicalResult scan(Function &function, Region &region, unsigned depth) {
    function.depth = std::max(function.depth, depth);
    for (Operation &op : region.getOps()) {
      if (depth == maxDepth && op.getNumRegions())
        return op.emitOpError("cannot be compiled: regions are nested more than ") << maxDepth << " deep";
      if (isa<func::CallOp, CompositeOp>(op))
        function.calls.push_back({&op, depth});
      else
        ++function.ownOps;
      function.isPure &= hasNoEffectItself(&op);
      for (Region &nested : op.getRegions())
        if (failed(scan(function, nested, depth + 1)))
          return failure();
    }
    return success();
  }

  /// Leaves out what is nested and what is called.
  static bool hasNoEffectItself(Operation *op) {
    if (isa<func::CallOp, CompositeOp>(op) || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return true;
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    return effects && effects.hasNoEffect();
  }

  /// %a = call @f(%x); %b = call @f(%x)  ->  %a = call @f(%x)
  /// Otherwise a function that calls another twice, which does so in turn, doubles with every level.
  void mergeEqualCalls(Function &function, SymbolTable &symbols) {
    std::map<SmallVector<void *>, Operation *> seen;
    llvm::erase_if(function.calls, [&](const Call &each) {
      Operation *call = each.op;
      Function &callee = calleeOf(call, symbols);
      if (!callee.isPure)
        return false;
      SmallVector<void *> key{call->getBlock(), &callee};
      for (Value operand : call->getOperands())
        key.push_back(operand.getAsOpaquePointer());
      auto [first, isNew] = seen.try_emplace(key, call);
      if (isNew)
        return false;
      call->replaceAllUsesWith(first->second);
      call->erase();
      return true;
    });
  }

  LogicalResult addUp(Function &function, SymbolTable &symbols) {
    function.isRunning = false;
    function.inlinedOps = function.ownOps;
    for (const Call &call : function.calls) {
      Function &callee = calleeOf(call.op, symbols);
      function.inlinedOps = llvm::SaturatingAdd(function.inlinedOps, callee.inlinedOps);
      function.isPure &= callee.isPure;
      function.depth = std::max(function.depth, call.depth + callee.depth);
      if (function.depth > maxDepth)
        return call.op->emitOpError("cannot be compiled: with @")
               << nameOfCallee(call.op) << " inlined, regions are nested more than " << maxDepth << " deep";
    }
    return success();
  }

  /// Calls may multiply a program; one that is as large without them is none of this pass's business.
  LogicalResult checkSize(func::FuncOp main, SymbolTable &symbols) {
    uint64_t ownOps = 0, most = functions[main].inlinedOps;
    for (auto &[op, function] : functions)
      ownOps += function.ownOps;
    if (most <= std::max<uint64_t>(ownOps, maxOps))
      return success();
    // Along the largest callees.
    auto largestCall = [&](Function &function) {
      Operation *largest = nullptr;
      for (const Call &call : function.calls)
        if (!largest || calleeOf(call.op, symbols).inlinedOps > calleeOf(largest, symbols).inlinedOps)
          largest = call.op;
      return largest;
    };
    Operation *call = largestCall(functions[main]);
    InFlightDiagnostic error = call->emitOpError("cannot be compiled: with all calls inlined, the program's ")
                               << ownOps << " operations would be "
                               << (most == UINT64_MAX ? "more than 2^64" : std::to_string(most)) << ", the limit is "
                               << maxOps;
    constexpr unsigned mostNotes = 4; // the beginning says what multiplies
    for (unsigned i = 0; call && i < mostNotes; ++i) {
      Function &callee = calleeOf(call, symbols);
      error.attachNote(callee.op.getLoc())
          << "@" << callee.op.getName() << " makes calls: " << callee.calls.size() << "; its operations with these: "
          << (callee.inlinedOps == UINT64_MAX ? "more than 2^64" : std::to_string(callee.inlinedOps));
      call = largestCall(callee);
    }
    return error;
  }

  //===--- Inlining ---===//

  /// From the outside in, so that every operation is copied once however deep the calls are.
  void inlineInto(func::FuncOp main, SymbolTable &symbols) {
    SmallVector<std::pair<Operation *, unsigned>> pending; // with the number of calls around it
    for (const Call &call : functions[main].calls)
      pending.push_back({call.op, 0});
    while (!pending.empty()) {
      auto [call, depth] = pending.pop_back_val();
      Block &body = calleeOf(call, symbols).op.getBody().front();
      IRMapping mapping;
      mapping.map(body.getArguments(), call->getOperands());
      OpBuilder b(call);
      for (Operation &op : body.without_terminator())
        b.clone(op, mapping)->walk([&, call = call, depth = depth](Operation *nested) {
          bool isCall = isa<func::CallOp, CompositeOp>(nested);
          if (isCall)
            pending.push_back({nested, depth + 1});
          // A stack of calls, as far as anyone reads it: what handles locations recurses.
          constexpr unsigned mostFrames = 100;
          if (!isCall || depth % mostFrames != mostFrames - 1)
            nested->setLoc(CallSiteLoc::get(nested->getLoc(), call->getLoc()));
        });
      for (auto [result, value] : llvm::zip(call->getResults(), body.getTerminator()->getOperands()))
        result.replaceAllUsesWith(mapping.lookupOrDefault(value));
      call->erase();
    }
  }

  /// Keeps `main` and the functions that are named from what is kept, by attributes of other operations than calls.
  void eraseUnused(func::FuncOp main, SymbolTable &symbols) {
    SmallVector<Operation *> kept{main};
    SmallPtrSet<Operation *, 8> isKept{main};
    while (!kept.empty())
      if (std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(kept.pop_back_val()))
        for (SymbolTable::SymbolUse use : *uses)
          if (Operation *used = symbols.lookup(use.getSymbolRef().getRootReference());
              used && isKept.insert(used).second)
            kept.push_back(used);
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!isKept.contains(function))
        function.erase();
  }

  std::map<Operation *, Function> functions; // references to its elements stay valid
};

} // namespace
