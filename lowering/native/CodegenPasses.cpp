// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code generation is most of compile time, and a third of it goes to passes that never change what is generated here:
// every pass visits every function. Which those are was found by leaving out one at a time and comparing objects of the
// programs in benchmarks/, for x86-64; other processors get all of them. A pass is named as LLVM describes it;
// test/lowering/native/codegen-passes.test fails if a later LLVM has none of that name.

#include "mlir_xla/lowering/native/CodegenPasses.h"

#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Pass.h"

using namespace mlir::xla;

static constexpr llvm::StringLiteral kAbsent[] = {
    "Exception handling preparation",
    "Contiguously Lay Out Funclets",
    "Check CFA info and insert CFI instructions if needed",
    "Lower Garbage Collection Instructions",
    "Shadow Stack GC Lowering",
    "Analyze Machine Code For Garbage Collection",
    "Fixup Statepoint Caller Saved",
    "StackMap Liveness Analysis",
    "Expand indirectbr instructions",
    "Prepare callbr",
    "ObjC ARC contraction",
    "Local Dynamic TLS Access Clean-up",
    "Expand Atomic instructions",
    "Expand IR instructions",
    "Pre-ISel Intrinsic Lowering",
    "Local Stack Slot Allocation",
    "Init Undef Pass",
    "Rename Disconnected Subregister Components",
    "Argument Stack Rebase",
    "X86 DynAlloca Expander",
    "X86 PIC Global Base Reg Initialization",
    "X86 Suppress APX features for relocation",
};

static constexpr llvm::StringLiteral kTiles[] = {
    "Lower AMX intrinsics",        "Lower AMX type for load/store", "Tile Register Pre-configure",
    "Tile Register Configure",     "X86 Lower Tile Copy",           "X86 FP Stackifier",
    "X86 insert wait instruction",
};

static constexpr llvm::StringLiteral kInstrumentation[] = {
    "Live DEBUG_VALUE analysis",
    "Remove Redundant DEBUG_VALUE analysis",
    "Remove Loads Into Fake Uses",
    "Stack Frame Layout Analysis",
    "Register Allocation Pass Scoring",
    "Instrument function entry/exit with calls to e.g. mcount() (post inlining)",
    "Insert fentry calls",
    "Insert XRay ops",
    "Implement the 'patchable-function' attribute",
    "Pseudo Probe Inserter",
    "Machine Sanitizer Binary Metadata",
    "Safe Stack instrumentation pass",
    "Insert stack protectors",
    "Insert KCFI indirect call checks",
    "Unpack machine instruction bundles",
    "X86 Indirect Branch Tracking",
    "X86 Indirect Thunks",
    "X86 Return Thunks",
    "X86 Load Value Injection (LVI) Load Hardening",
    "X86 Load Value Injection (LVI) Ret-Hardening",
    "X86 speculative load hardening",
    "X86 Speculative Execution Side Effect Suppression",
};

static constexpr llvm::StringLiteral kScalarOptimizations[] = {
    "Merge contiguous icmps into a memcmp",
    "Expand memcmp() to load/stores",
    "Partially inline calls to library functions",
    "Replace intrinsics with calls to vector library",
    "Interleaved Access Pass",
    "X86 Partial Reduction",
    "Type-Based Alias Analysis",
    "Scoped NoAlias Alias Analysis",
    "Basic Alias Analysis (stateless AA impl)",
    "Constant Hoisting",
    "Loop Strength Reduction",
    "Canonicalize Freeze Instructions in Loops",
    "CodeGen Prepare",
    "Early If-Conversion",
    "Early Tail Duplication",
    "Tail Duplication",
    "Optimize machine instruction PHIs",
    "Merge disjoint stack slots",
    "Machine code sinking",
    "PostRA Machine Sink",
    "Machine Late Instructions Cleanup Pass",
    "Live Range Shrink",
    "Shrink Wrapping analysis",
    "Detect Dead Lanes",
    "X86 Domain Reassignment Pass",
    "X86 LEA Optimize",
    "X86 LEA Fixup",
    "X86 Fixup SetCC",
    "X86 cmov Conversion",
    "X86 Optimize Call Frame",
    "X86 Avoid Store Forwarding Blocks",
    "X86 Atom pad short functions",
};

static constexpr llvm::StringLiteral kRedundancies[] = {
    "Machine Common Subexpression Elimination",
    "Machine Loop Invariant Code Motion",
    "Machine InstCombiner",
    "Machine Copy Propagation Pass",
    "Stack Slot Coloring",
    "X86 Fixup Inst Tuning",
};

static constexpr llvm::StringLiteral kScheduling[] = {
    "Machine Instruction Scheduler",
    "Post RA top-down list latency scheduler",
};

static constexpr llvm::StringLiteral kPlacement[] = {
    "Branch Probability Basic Block Placement",
};

static constexpr llvm::StringLiteral kDomains[] = {
    "X86 Execution Dependency Fix",
    "BreakFalseDeps",
};

static constexpr SkippedPasses x86[] = {
    {"What these programs have none of: exceptions, collected memory, statepoints, indirect branches, atomics, numbers "
     "of more than 128 bits, dynamic memory on the stack, registers of which parts are live, the large code model",
     kAbsent},
    {"Tile registers, which the emitter numbers and describes itself, and the stack of the x87", kTiles},
    {"Debugging, profiling and hardening that nobody asked for", kInstrumentation},
    {"Optimisations for code that kernels do not have: they are vectorised, unrolled and without calls when they get "
     "here, and their addresses are a base and an offset",
     kScalarOptimizations},
    {"What little these find in kernels makes none of them faster: the emitter computes every value once, where it is "
     "known, and hoists what loops do not change",
     kRedundancies},
    {"The order of instructions is the emitter's, for processors that reorder", kScheduling},
    {"Blocks come in the emitter's order, in which loops are contiguous and test at their end", kPlacement},
    {"Integer and floating-point forms of moves and logic take equally long on processors of the last ten years",
     kDomains},
};

llvm::ArrayRef<SkippedPasses> mlir::xla::skippedPasses(const llvm::Triple &triple) {
  if (triple.getArch() == llvm::Triple::x86_64)
    return x86;
  return {};
}

/// Selection without optimisation asks for no branch probabilities and folds no loads into instructions, which the
/// peephole pass does behind it: objects differ little, and none was slower.
llvm::StringRef mlir::xla::plainSelection(const llvm::Triple &triple) {
  return triple.getArch() == llvm::Triple::x86_64 ? "X86 DAG->DAG Instruction Selection" : "";
}

namespace {
/// Leaves nothing to do for the passes after it where code is not wanted any more.
struct EmptyCancelledFunctions : llvm::FunctionPass {
  static char ID;
  explicit EmptyCancelledFunctions(const std::atomic<bool> *const &cancelled)
      : FunctionPass(ID), cancelled(cancelled) {}

  bool runOnFunction(llvm::Function &function) override {
    if (!cancelled || !*cancelled)
      return false;
    llvm::LLVMContext &context = function.getContext();
    function.deleteBody();
    new llvm::UnreachableInst(context, llvm::BasicBlock::Create(context, "", &function));
    return true;
  }

  const std::atomic<bool> *const &cancelled;
};
char EmptyCancelledFunctions::ID = 0;

/// Begins a cache line with every loop that is one block: how long it takes depends on where it lies, and would
/// otherwise on what comes before it.
struct AlignLoops : llvm::MachineFunctionPass {
  static char ID;
  AlignLoops() : MachineFunctionPass(ID) {}

  bool runOnMachineFunction(llvm::MachineFunction &function) override {
    for (llvm::MachineBasicBlock &block : function)
      if (block.isSuccessor(&block))
        block.setAlignment(llvm::Align(mlir::xla::kCodeAlignment));
    return true;
  }
};
char AlignLoops::ID = 0;
} // namespace

CodegenPasses::CodegenPasses(llvm::legacy::PassManagerBase &passes, llvm::TargetMachine &machine, bool all,
                             const std::atomic<bool> *const &cancelled)
    : passes(passes), machine(machine), level(machine.getOptLevel()), cancelled(cancelled) {
  if (all)
    return;
  for (const SkippedPasses &group : skippedPasses(machine.getTargetTriple()))
    names.insert_range(group.names);
  selection = plainSelection(machine.getTargetTriple());
  // Passes take the machine's level when they are made.
  if (!selection.empty())
    machine.setOptLevel(llvm::CodeGenOptLevel::None);
}

CodegenPasses::~CodegenPasses() { machine.setOptLevel(level); }

void CodegenPasses::add(llvm::Pass *pass) {
  if (pass->getPassName() == selection)
    machine.setOptLevel(level);
  if (names.contains(pass->getPassName())) {
    delete pass;
    return;
  }
  if (pass->getPassName() == "X86 Assembly Printer")
    passes.add(new AlignLoops);
  bool visitsFunctions = pass->getPassKind() == llvm::PT_Function;
  if (visitsFunctions && !inFunction)
    passes.add(new EmptyCancelledFunctions(cancelled));
  inFunction = visitsFunctions;
  passes.add(pass);
}
