// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the loops of a schedule, kernels that are a few instructions are written out where they are called: an iteration
// of a scan over numbers is several of them, and calls would take longer than what they do. So are short kernels that
// are called in one place only: every function takes LLVM 50 to 100 us, whatever it does.

#include "mlir_xla/lowering/cpu/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::xla {
#define GEN_PASS_DEF_INLINEKERNELS
#include "mlir_xla/lowering/cpu/Passes.h.inc"

namespace {

/// Operations of a kernel that is written out, and of all that are: the schedule is one piece of code to compile.
constexpr size_t kSmall = 48, kAll = 1024;
/// Operations of a kernel that is called in one place only, which is a function less to compile, and of a schedule that
/// takes it: longer ones are mostly one block, all of which LLVM selects instructions for as slowly as for its kernels.
constexpr size_t kOnce = 192, kSchedule = 512;

/// The number of operations of `kernel` if it is a single block of them without calls and memory of its own.
std::optional<size_t> sizeOf(func::FuncOp kernel) {
  if (kernel.isExternal() || !llvm::hasSingleElement(kernel.getBody()))
    return std::nullopt;
  for (Operation &op : kernel.front())
    if (op.getNumRegions() > 0 || isa<func::CallOp, LLVM::AllocaOp>(op))
      return std::nullopt;
  return kernel.front().getOperations().size();
}

/// The number of operations, in loops and branches, too.
size_t countOps(func::FuncOp function) {
  size_t count = 0;
  function.walk([&](Operation *) { ++count; });
  return count;
}

/// The number of operations of `kernel`, with loops and branches, if it is a single block without memory of its own.
std::optional<size_t> fullSizeOf(func::FuncOp kernel) {
  bool isMovable = !kernel.isExternal() && kernel.isPrivate() && llvm::hasSingleElement(kernel.getBody()) &&
                   !kernel.walk([](LLVM::AllocaOp) { return WalkResult::interrupt(); }).wasInterrupted();
  return isMovable ? std::optional<size_t>(countOps(kernel)) : std::nullopt;
}

void writeOut(func::CallOp call, func::FuncOp kernel) {
  OpBuilder b(call);
  IRMapping values;
  values.map(kernel.getArguments(), call.getOperands());
  SmallVector<Operation *> written;
  for (Operation &op : kernel.front().without_terminator())
    written.push_back(b.clone(op, values));
  for (Operation *op : llvm::reverse(written))
    if (isOpTriviallyDead(op))
      op->erase();
  call.erase();
}

struct InlineKernelsPass : impl::InlineKernelsBase<InlineKernelsPass> {
  using InlineKernelsBase::InlineKernelsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto main = symbols.lookup<func::FuncOp>("main");
    if (!main || main.isExternal())
      return;
    SmallVector<func::CallOp> calls;
    main.walk([&](func::CallOp call) {
      if (call.getNumResults() == 0)
        calls.push_back(call);
    });
    llvm::SetVector<func::FuncOp> kernels;
    bool takesOnce = once && countOps(main) <= kSchedule;
    DenseMap<StringAttr, unsigned> places; // what else refers to a kernel keeps it below
    if (takesOnce)
      for (func::CallOp call : calls)
        ++places[call.getCalleeAttr().getAttr()];
    size_t all = 0;
    for (func::CallOp call : calls) {
      auto kernel = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!kernel)
        continue;
      std::optional<size_t> size = call->getParentOfType<scf::WhileOp>() ? sizeOf(kernel) : std::nullopt;
      if (!size || *size > kSmall) {
        size = takesOnce && places.lookup(kernel.getSymNameAttr()) == 1 ? fullSizeOf(kernel) : std::nullopt;
        if (!size || *size > kOnce)
          continue;
      }
      if (all + *size > kAll)
        continue;
      all += *size;
      writeOut(call, kernel);
      kernels.insert(kernel);
    }
    if (kernels.empty())
      return;
    DenseSet<StringAttr> used;
    std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(&getOperation().getBodyRegion());
    if (!uses)
      return;
    for (SymbolTable::SymbolUse use : *uses)
      used.insert(use.getSymbolRef().getRootReference());
    for (func::FuncOp kernel : kernels)
      if (kernel.isPrivate() && !used.contains(kernel.getSymNameAttr()))
        symbols.erase(kernel);
  }
};

} // namespace
} // namespace mlir::xla
