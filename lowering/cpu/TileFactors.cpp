// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/cpu/TileFactors.h"

#include "mlir_xla/lowering/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xla;

ExprNode *Product::narrowOf(ExprNode *factor) {
  if (factor->kind != ExprNode::Apply || !isa<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(factor->op))
    return nullptr;
  ExprNode *narrow = factor->operands[0];
  bool isPlain = narrow->kind == ExprNode::Load && narrow->guards.empty();
  bool isNarrow =
      narrow->type.isInteger(8) || narrow->type.isInteger(16) || narrow->type.isBF16() || narrow->type.isF16();
  return isNarrow && (isPlain || isPadding(narrow)) ? narrow : nullptr;
}

bool Product::isPadding(ExprNode *narrow) {
  if (narrow->kind != ExprNode::Select)
    return false;
  ExprNode *load = narrow->operands[1];
  return load->kind == ExprNode::Load && load->guards.size() == 1 &&
         load->guards[0] == Guard{narrow->operands[0], /*negated=*/false} && narrow->operands[2]->deps.none();
}

ExprNode *Product::loadOf(ExprNode *narrow) { return isPadding(narrow) ? narrow->operands[1] : narrow; }

ExprNode *Product::inMemory(ExprNode *factor) {
  ExprNode *narrow = narrowOf(factor);
  return narrow && narrow->kind == ExprNode::Load && isa<FloatType>(narrow->type) ? narrow : factor;
}

bool Product::isSigned(ExprNode *factor) { return isa<arith::ExtSIOp>(factor->op); }

std::optional<Product> mlir::xla::matchProduct(const LoopNest &nest) {
  if (!nest.isAlone || nest.isScan() || !nest.stores.empty() || nest.reductions.size() != 1)
    return std::nullopt;
  const Reduction &sum = nest.reductions[0];
  if (sum.inits.size() != 1 || sum.kind != vector::CombiningKind::ADD || sum.next[0]->kind != ExprNode::Apply ||
      llvm::any_of(nest.nodes(), [](ExprNode *node) { return node->pair; }))
    return std::nullopt;
  for (ExprNode *product : sum.next[0]->operands) {
    if (product->kind != ExprNode::Apply || !isa<arith::MulFOp, arith::MulIOp>(product->op))
      continue;
    return Product{product->operands[0], product->operands[1]};
  }
  return std::nullopt;
}

/// Whether so many neighbours along `dim` have the scalar `node`, of indices, in common.
static bool isSharedAlong(ExprNode *node, unsigned dim, unsigned lanes) {
  if (!node->deps.test(dim))
    return true;
  if (node->kind == ExprNode::Index)
    return strideAlong(node->address, dim, lanes) == 0;
  return node->kind == ExprNode::Apply &&
         llvm::all_of(node->operands, [&](ExprNode *operand) { return isSharedAlong(operand, dim, lanes); });
}

int64_t mlir::xla::packedLanesOf(ExprNode *narrow, unsigned k, int64_t most, int64_t block) {
  bool isPadding = Product::isPadding(narrow);
  ExprNode *load = Product::loadOf(narrow);
  if (load->kind != ExprNode::Load || (load->address.nonlinear.empty() && !isPadding))
    return most;
  int64_t lanes = most;
  while (lanes > 1 && (strideAlong(load->address, k, lanes) != 1 || block % lanes != 0 ||
                       (isPadding && !isSharedAlong(narrow->operands[0], k, lanes))))
    lanes /= 2;
  return lanes;
}

bool mlir::xla::mayPackGroups(ExprNode *load, unsigned dim, unsigned k, int64_t group, bool areRows) {
  if (Product::isPadding(load) || !load->address.nonlinear.empty())
    return areRows && packedLanesOf(load, k, kMostLanes) * elementStorageBytes(load->type) >= kLeastBytes;
  return strideAlong(load->address, dim, 1) == 1 ||
         (strideAlong(load->address, k, 1) == 1 && (areRows || load->type.getIntOrFloatBitWidth() * group == 32));
}

bool mlir::xla::mayReadRows(const LoopNest &nest, ExprNode *load, unsigned m, unsigned k, int64_t group, int64_t rows) {
  if (Product::isPadding(load))
    return false;
  const Address &address = load->address;
  int64_t steps = group * TilesAttr::kTileRows;
  bool isLinear = address.nonlinear.empty();
  return strideAlong(address, k, isLinear ? 1 : steps) == 1 && strideAlong(address, m, isLinear ? 1 : rows) &&
         nest.sizes[k] % steps == 0 && (isLinear || nest.sizes[m] % rows == 0);
}
