// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/cpu/PlanChains.h"

#include "mlir_xla/lowering/cpu/PlanTransposition.h"
#include "mlir_xla/lowering/nest/Cost.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::xla;

unsigned Chains::longest() const {
  DenseMap<const ExprNode *, unsigned> lengths;
  unsigned longest = 0;
  for (const ExprNode *node : nodes) {
    unsigned length = 0;
    for (const ExprNode *operand : node->operands)
      length = std::max(length, lengths.lookup(operand));
    lengths[node] = length += node->kind == ExprNode::Apply || node->kind == ExprNode::Select;
    longest = std::max(longest, length);
  }
  return longest;
}

/// Loops of the vectors of a step are one, if there are several: as many as fill the units while those of one wait, and
/// have registers.
bool Chains::takeLoops(NestPlan &plan) const {
  constexpr int64_t perCycle = 3, latency = 4, mostVectors = 8, constants = 4;
  std::optional<int64_t> count;
  for (ExprNode *node : nodes) {
    auto loop = dyn_cast_or_null<scf::ForOp>(node->op);
    if (!loop || plan.v < 0 || !node->deps.test(plan.v))
      continue;
    DenseMap<Value, int64_t> depths;
    int64_t instructions = 0, longest = 0;
    for (Operation &op : loop.getBody()->without_terminator()) {
      int64_t depth = 0;
      for (Value operand : op.getOperands())
        depth = std::max(depth, depths.lookup(operand));
      for (Value result : op.getResults())
        depths[result] = depth + latency;
      longest = std::max(longest, depth + latency);
      instructions += isExpensive(&op) ? 4 : 1;
    }
    // What is handed on, what all iterations read, and one that is being computed.
    int64_t registers = machine.vectorBits > 256 ? 32 : 16, values = loop.getInitArgs().size() + 1;
    for (auto [value, operand] : llvm::zip_equal(valuesOfLoop(loop), node->operands))
      values += operand->deps.test(plan.v) && !llvm::is_contained(loop.getInitArgs(), value);
    int64_t most = std::clamp<int64_t>((registers - constants) / values, 1, mostVectors);
    int64_t wanted = llvm::divideCeil(perCycle * longest, std::max<int64_t>(instructions, 1));
    count = std::min(count.value_or(most), std::clamp<int64_t>(wanted, 1, most));
  }
  if (!count)
    return false;
  plan.vUnroll = std::min<int64_t>(*count, llvm::divideCeil(nest.sizes[plan.v], plan.lanes));
  return true;
}

/// Such are more instructions than a processor has under way for a few steps. NestEmitter decides where to cut, and
/// whether it pays.
void Chains::distribute(NestPlan &plan) const {
  constexpr unsigned longCode = 48, ofLongFunction = 32;
  constexpr int64_t steps = 32, fewSteps = 8;
  if (plan.v < 0 || (plan.u >= 0 && !plan.inMemory) || nest.isScan())
    return;
  int64_t iterations = nest.sizes[plan.v];
  for (unsigned dim : nest.reduced.set_bits())
    iterations *= static_cast<int64_t>(dim) == plan.v ? 1 : nest.sizes[dim];
  if (iterations < fewSteps * plan.lanes)
    return;
  bool hasReduction = nest.reduced.any();
  unsigned instructions = 0;
  for (ExprNode *node : nodes)
    if (node->kind == ExprNode::Apply && (!hasReduction || (node->deps & nest.reduced).any()))
      instructions += instructionsOf(node) + (isLongCode(node->op) && !isFunction(node->op) ? ofLongFunction : 0);
  if (instructions >= longCode)
    plan.distributed = steps;
}

/// Four vectors of such, whose code is longest, gain little beside two of 256 bits.
static bool isLongFunction(const ExprNode *node) {
  return node->kind == ExprNode::Apply && isFunctionOfShortVectors(node->op) && !isFunction(node->op);
}

/// Such fill the units by themselves: two vectors of a sine take as long as one, and of a cubic root longer.
static bool isOtherFunction(const ExprNode *node) {
  return node->kind == ExprNode::Apply && isLongCode(node->op) && !isFunctionOfShortVectors(node->op);
}

/// Instructions of a function wait for each other. Those of several vectors, one after the other in turn, fill the
/// time: 4 vectors of exp take 0.74 of it, of tanh and gelu 0.8. Their code takes twice to three times as long to
/// compile, so it is for large arrays in whole steps, not for rows between the contractions of a block. So do other
/// chains, as ThreeFry's hash, of which 4 take 0.65 of the time.
///
/// Vectors of 256 bits have fewer instructions under way and gain more by it, and arrays have more of them: also in
/// smaller arrays, 2 before 4, of more functions, and of shorter chains (4 vectors of a polynomial take 0.67 of the
/// time). One or two functions that are interleaved gain nothing by being cut as well.
void Chains::interleave(NestPlan &plan) const {
  constexpr unsigned fewFunctions = 2, mostFunctions = 8, longChain = 12, longCode = 32, manyOperations = 64,
                     mostOperations = 160, rowsOfPhase = 16;
  constexpr int64_t largeArray = Transposition::kLargeArray;
  bool isShortVector = machine.vectorBits <= 256, areFew = functions <= fewFunctions;
  if (plan.v < 0 || plan.u >= 0 || plan.vUnroll != 1 || nest.rowsPerBlock > rowsOfPhase ||
      functions > (isShortVector ? mostFunctions : fewFunctions) || (nest.reduced.any() && functions == 0))
    return;
  int64_t iterations = nest.iterations(/*includeRows=*/true);
  int64_t large = !isShortVector ? largeArray : functions != 0 ? largeArray / 16 : largeArray / 2;
  if (functions == 0) {
    // Of what is no chain, a vector is enough work for all units.
    if (iterations < large || expensive != 0 || operations > mostOperations ||
        (!isShortVector && operations < manyOperations))
      return;
    if (unsigned chain = longest(); chain < longChain || 3 * chain < operations)
      return;
  }
  if (isShortVector && functions != 0 && llvm::any_of(nodes, isOtherFunction))
    return;
  auto pays = [&](int64_t count) {
    int64_t fewest = isShortVector && count == 2 ? large / 4 : large;
    return iterations >= fewest && nest.sizes[plan.v] % (count * plan.lanes) == 0;
  };
  bool isShortCode = functions == 0 ? operations <= longCode || iterations >= largeArray
                                    : !isShortVector || (areFew && llvm::none_of(nodes, isLongFunction));
  if (isShortCode && pays(4))
    plan.vUnroll = 4;
  else if (isShortVector && pays(2))
    plan.vUnroll = 2;
  if (isShortVector && functions != 0 && areFew && plan.vUnroll != 1)
    plan.distributed = 0;
}
