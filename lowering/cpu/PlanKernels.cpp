// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-plan-kernels`: writes down how each loop nest of each kernel will be walked.

#include "mlir_xla/lowering/cpu/PlanKernels.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/Passes.h"
#include "mlir_xla/lowering/cpu/TilePlan.h"
#include "mlir_xla/lowering/xla_rt/XlaRtViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {
#define GEN_PASS_DEF_PLANKERNELS
#include "mlir_xla/lowering/cpu/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Whether some value of the nest is chosen from two, as scores are where a mask leaves them out.
static bool selects(const LoopNest &nest) {
  return llvm::any_of(nest.nodes(), [](ExprNode *node) {
    return node->kind == ExprNode::Select || (node->kind == ExprNode::Apply && isa<arith::SelectOp>(node->op));
  });
}

/// Whether the sum of a nest is trimmed, if it may be: weights that earlier nests of a kernel have computed behind a
/// mask end with zeros, for causal masks and those of lengths.
static bool trims(const LoopNest &nest, const NestPlan &plan) {
  constexpr int64_t leastSteps = 128, leastLanes = 16;
  return nest.rows.any() && trimmedSumOf(nest, plan) && nest.sizes[plan.reductionLoops[0]] >= leastSteps &&
         nest.sizes[plan.v] >= leastLanes;
}

/// Do steps without comparisons save more than they cost? One guarded vector of whole numbers takes a comparison and a
/// mask, which cost no more than to ask where the step is, if there are registers for masks.
static bool gainsFromInterior(const LoopNest &nest, const NestPlan &plan, const Machine &machine) {
  constexpr unsigned narrow = 32;     // bits of elements for whose masks there are fewer instructions
  constexpr unsigned withMasks = 512; // bits of the vectors of processors that have such registers
  if (plan.v < 0 || machine.vectorBits < withMasks ||
      llvm::any_of(nest.reduced.set_bits(), [&](unsigned dim) { return nest.isReductionLoop(dim); }))
    return true;
  unsigned guarded = 0;
  for (const ExprNode *node : nest.nodes()) {
    bool isChoice = node->kind == ExprNode::Select || (node->kind == ExprNode::Apply && isa<arith::SelectOp>(node->op));
    if (isChoice && llvm::any_of(ArrayRef(node->operands).drop_front(), [](const ExprNode *side) {
          return side->kind == ExprNode::Apply && side->deps.any();
        }))
      return true;
    if (node->kind != ExprNode::Load || node->guards.empty())
      continue;
    if (storageBits(node->type) < narrow || node->pair || strideAlong(node->address, plan.v, plan.lanes) != 1)
      return true;
    ++guarded;
  }
  return guarded != 1;
}

/// Do the cases of a condition save much? Where it is not the same in all of the nest, a jump that was not foreseen
/// costs as much as a few short steps.
static bool gainsFromCases(const LoopNest &nest, const NestPlan &plan, const Interior &cases) {
  constexpr unsigned leastSaved = 16, ofFunction = 64;
  constexpr int64_t leastSteps = 8;
  bool isSame = !cases.condition->deps.any();
  return isSame ? cases.saved >= leastSaved
                : cases.saved >= ofFunction && nest.sizes[plan.v] >= leastSteps * int64_t(plan.lanes);
}

static bool gainsFromPartition(const LoopNest &nest, const NestPlan &plan, const Machine &machine) {
  std::optional<Interior> interior = interiorOf(nest, plan);
  return interior &&
         (interior->condition ? gainsFromCases(nest, plan, *interior) : gainsFromInterior(nest, plan, machine));
}

ArrayRef<func::CallOp> KernelCalls::of(func::FuncOp kernel) {
  if (!std::exchange(areKnown, true))
    for (auto function : module.getOps<func::FuncOp>())
      if (!kernelOf(function))
        function.walk([&](func::CallOp call) { calls[call.getCalleeAttr().getAttr()].push_back(call); });
  auto found = calls.find(kernel.getSymNameAttr());
  return found == calls.end() ? ArrayRef<func::CallOp>() : found->second;
}

/// Does the program read a result of `call`, or only return it?
static bool isReadAgain(func::CallOp call) {
  SmallVector<Value> pending(call.getResults());
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val().getUsers()) {
      if (isa<func::ReturnOp>(user))
        continue;
      if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, rt::PartsOp>(user))
        return true;
      llvm::append_range(pending, user->getResults());
    }
  return false;
}

/// Bytes of the tensors of these types.
static int64_t bytesOf(ArrayRef<Type> types) {
  int64_t bytes = 0;
  for (Type type : types)
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.hasStaticShape())
      bytes += tensor.getNumElements() * elementStorageBytes(tensor.getElementType());
  return bytes;
}

/// Is what `kernel` writes larger than a cache? One core's part of it may be, but if little is read beside it, it has
/// the parts of several to itself.
static bool outlivesCaches(func::FuncOp kernel, const Machine &machine, KernelCalls &calls) {
  constexpr int64_t parts = 4;
  int64_t written = bytesOf(kernel.getResultTypes()), read = bytesOf(kernel.getArgumentTypes());
  int64_t cache = machine.lastLevelBytes;
  return written > (2 * read < written ? parts * cache : cache) && llvm::none_of(calls.of(kernel), isReadAgain);
}

SmallVector<Attribute> mlir::xla::planKernel(func::FuncOp kernel, KernelNests &nests, const Machine &machine,
                                             KernelCalls &calls) {
  constexpr int64_t fewIterations = 128; // that are done before twice the code is compiled
  MLIRContext *context = kernel.getContext();
  SmallVector<Attribute> plans;
  bool isMasked = false;
  for (LoopNest &nest : nests.nests) {
    nest.outlivesCaches = nest.isAlone && outlivesCaches(kernel, machine, calls);
    if (std::optional<TilePlan> tiles = planTiles(nest, machine)) {
      plans.push_back(tiles->toAttr(context, nest));
      continue;
    }
    NestPlan plan = planNest(nest, machine);
    plan.trims = isMasked && trims(nest, plan);
    plan.partitions = !plan.inMemory && nest.iterations(/*includeRows=*/true) >= fewIterations &&
                      gainsFromPartition(nest, plan, machine);
    plan.lookup = machine.permutedElements();
    if (!mayLookUp(nest, plan))
      plan.lookup = 0;
    plans.push_back(plan.toAttr(context, nest));
    isMasked |= selects(nest);
  }
  return plans;
}

namespace {
struct PlanKernelsPass : public mlir::xla::impl::PlanKernelsBase<PlanKernelsPass> {
  using Base::Base;
  LogicalResult initialize(MLIRContext *context) override {
    return Machine::checkVectors(vectorBits, context, instructions);
  }
  void runOnOperation() override {
    Machine machine = Machine::withVectors(vectorBits, instructions);
    KernelCalls calls(getOperation());
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernelOf(kernel) || kernel.isExternal() || kernel->hasAttr(XlaRtDialect::kPlans) || wholeKernelIn(kernel))
        continue;
      FailureOr<KernelNests> nests = nestsOf(kernel, /*onDevice=*/false);
      if (failed(nests))
        return signalPassFailure();
      kernel->setAttr(XlaRtDialect::kPlans, ArrayAttr::get(&getContext(), planKernel(kernel, *nests, machine, calls)));
    }
  }
};
} // namespace
