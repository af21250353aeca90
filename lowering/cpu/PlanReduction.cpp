// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/cpu/PlanReduction.h"

using namespace mlir;
using namespace mlir::xla;

unsigned mlir::xla::longestChain(ArrayRef<ExprNode *> nodes) {
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

std::pair<int, int64_t> mlir::xla::neighbouringRows(const LoopNest &nest, const NestPlan &plan, ArrayRef<int64_t> dims,
                                                    int64_t most, const Machine &machine) {
  SmallVector<ExprNode *> nodes = nest.nodes();
  for (int64_t dim : dims) {
    auto isNext = [&](const ExprNode *node) {
      return node->kind != ExprNode::Load || !node->deps.test(plan.v) ||
             node->address.dims[dim] == nest.sizes[plan.v] * node->address.dims[plan.v];
    };
    int64_t others = 1, count = most;
    for (int64_t other : dims)
      others *= other == dim ? 1 : nest.sizes[other];
    while (nest.sizes[dim] % count != 0)
      count /= 2;
    if (count > 1 && others >= machine.fewItems / 4 && llvm::all_of(nodes, isNext))
      return {static_cast<int>(dim), count};
  }
  return {-1, 1};
}
