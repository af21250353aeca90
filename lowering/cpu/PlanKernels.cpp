// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-plan-kernels`: writes down how each loop nest of each kernel will be walked.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/Passes.h"
#include "mlir_xla/lowering/cpu/TilePlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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

SmallVector<Attribute> mlir::xla::planKernel(ArrayRef<LoopNest> nests, const Machine &machine, MLIRContext *context) {
  constexpr int64_t fewIterations = 128; // that are done before twice the code is compiled
  SmallVector<Attribute> plans;
  bool isMasked = false;
  for (const LoopNest &nest : nests) {
    if (std::optional<TilePlan> tiles = planTiles(nest, machine)) {
      plans.push_back(tiles->toAttr(context, nest));
      continue;
    }
    NestPlan plan = planNest(nest, machine);
    plan.trims = isMasked && trims(nest, plan);
    plan.partitions = !plan.streaming && nest.iterations(/*includeRows=*/true) >= fewIterations &&
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
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernelOf(kernel) || kernel.isExternal() || kernel->hasAttr(XlaRtDialect::kPlans) || wholeKernelIn(kernel))
        continue;
      FailureOr<KernelNests> nests = nestsOf(kernel, /*onDevice=*/false);
      if (failed(nests))
        return signalPassFailure();
      kernel->setAttr(XlaRtDialect::kPlans,
                      ArrayAttr::get(&getContext(), planKernel(nests->nests, machine, &getContext())));
    }
  }
};
} // namespace
