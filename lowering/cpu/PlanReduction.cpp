// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/cpu/PlanReduction.h"

#include "mlir_xla/lowering/Storage.h"

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

bool mlir::xla::readsFarRows(ArrayRef<ExprNode *> nodes, unsigned dim, const Machine &machine) {
  return llvm::any_of(nodes, [&](const ExprNode *node) {
    return node->kind == ExprNode::Load &&
           std::abs(node->address.dims[dim]) * elementStorageBytes(node->type) >= machine.longRun();
  });
}

std::pair<int, int64_t> mlir::xla::neighbouringRows(const LoopNest &nest, ArrayRef<ExprNode *> nodes, unsigned v,
                                                    ArrayRef<int64_t> dims, int64_t most, const Machine &machine) {
  for (int64_t dim : dims) {
    auto isNext = [&](const ExprNode *node) {
      return node->kind != ExprNode::Load || !node->deps.test(v) ||
             node->address.dims[dim] == nest.sizes[v] * node->address.dims[v];
    };
    int64_t others = 1, count = most > 0 ? llvm::bit_floor<uint64_t>(most) : 1;
    for (int64_t other : dims)
      others *= other == dim ? 1 : nest.sizes[other];
    while (nest.sizes[dim] % count != 0)
      count /= 2;
    if (count > 1 && others >= machine.fewItems / 4 && llvm::all_of(nodes, isNext))
      return {static_cast<int>(dim), count};
  }
  return {-1, 1};
}
