// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens to the IR between translation and code generation.

#include "Jit.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

namespace cuda_emu {

using namespace llvm;

/// Whether it does not matter which NaN the instruction reads.
static bool takesAnyNaN(const Instruction &user) {
  switch (user.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FCmp:
    return true;
  default:
    break;
  }
  auto *intrinsic = dyn_cast<IntrinsicInst>(&user);
  return intrinsic && (intrinsic->getIntrinsicID() == Intrinsic::fma || intrinsic->getIntrinsicID() == Intrinsic::sqrt);
}

/// emu.canonical.f32(%x)  ->  %x for arithmetic, select(uno %x, 0x7fffffff, %x) for all else
static void expandCanonical(Module &module) {
  llvm::Function *marker = module.getFunction("emu.canonical.f32");
  if (!marker)
    return;
  for (User *user : make_early_inc_range(marker->users())) {
    auto *call = cast<CallInst>(user);
    Value *value = call->getArgOperand(0);
    call->replaceUsesWithIf(value, [](Use &use) { return takesAnyNaN(*cast<Instruction>(use.getUser())); });
    if (!call->use_empty()) {
      IRBuilder<> b(call);
      Value *nan = ConstantFP::get(call->getType(), APFloat(APFloat::IEEEsingle(), APInt(32, 0x7fffffff)));
      call->replaceAllUsesWith(b.CreateSelect(b.CreateFCmpUNO(value, value), nan, value));
    }
    call->eraseFromParent();
  }
  marker->eraseFromParent();
}

void optimize(Module &module) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graph;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, functions);
  expandCanonical(module);
}

} // namespace cuda_emu
