// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedule has the counters, conditions and states of its loops in variables on the stack, which kernels that are
// written out in it load and store: an iteration would wait for memory several times. LLVM's scalar replacement makes
// values of them. What one kernel computes is then seen by the next one, which need not compute it again, or compare it
// with bounds that it keeps.

#include "mlir_xla/lowering/native/PromoteScalars.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Local.h"

/// It takes 0.7 us for an instruction, and finds something in loops over numbers, which are short.
static constexpr unsigned kMostInstructions = 1024;

static void eraseDeadInstructions(llvm::Function &function) {
  for (llvm::BasicBlock &block : llvm::reverse(function))
    for (llvm::Instruction &each : llvm::make_early_inc_range(llvm::reverse(block)))
      if (llvm::isInstructionTriviallyDead(&each))
        each.eraseFromParent();
}

void mlir::xla::promoteScalars(llvm::Function &function) {
  bool hasScalars = llvm::any_of(function.getEntryBlock(), [](llvm::Instruction &each) {
    auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&each);
    return variable && variable->getAllocatedType()->isSingleValueType() && !variable->isArrayAllocation();
  });
  if (!hasScalars)
    return;
  static const llvm::TargetLibraryInfoImpl library{llvm::Triple()};
  llvm::FunctionAnalysisManager analyses;
  analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses.registerPass([] { return llvm::AssumptionAnalysis(); });
  analyses.registerPass([] { return llvm::TargetIRAnalysis(); });
  analyses.registerPass([] { return llvm::TargetLibraryAnalysis(library); });
  llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, analyses);
  if (function.getInstructionCount() <= kMostInstructions)
    llvm::EarlyCSEPass().run(function, analyses);
  eraseDeadInstructions(function);
}
