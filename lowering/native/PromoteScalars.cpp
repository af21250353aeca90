// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedule has the counters, conditions and states of its loops in variables on the stack, which kernels that are
// written out in it load and store: an iteration would wait for memory several times. LLVM's scalar replacement makes
// values of them.

#include "mlir_xla/lowering/native/PromoteScalars.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Local.h"

/// Conditions are bytes in memory, and need none of what made them that any more.
static void dropConversions(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &each : llvm::make_early_inc_range(block)) {
      auto *narrow = llvm::dyn_cast<llvm::TruncInst>(&each);
      llvm::Value *same = narrow ? llvm::simplifyInstruction(narrow, function.getDataLayout()) : nullptr;
      if (!same)
        continue;
      narrow->replaceAllUsesWith(same);
      llvm::RecursivelyDeleteTriviallyDeadInstructions(narrow);
    }
}

void mlir::xla::promoteScalars(llvm::Function &function) {
  bool hasScalars = llvm::any_of(function.getEntryBlock(), [](llvm::Instruction &each) {
    auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&each);
    return variable && variable->getAllocatedType()->isSingleValueType() && !variable->isArrayAllocation();
  });
  if (!hasScalars)
    return;
  llvm::FunctionAnalysisManager analyses;
  analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses.registerPass([] { return llvm::AssumptionAnalysis(); });
  analyses.registerPass([] { return llvm::TargetIRAnalysis(); });
  llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, analyses);
  dropConversions(function);
}
