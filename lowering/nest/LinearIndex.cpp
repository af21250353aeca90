// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/nest/LinearIndex.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xla;

/// True if `index` is far from the limits of `bits` wherever the nest stands.
bool LinearIndices::isSmall(const LinearIndex &index, unsigned bits) const {
  constexpr int64_t most = int64_t(1) << 30;
  int64_t limit = bits >= 32 ? most : int64_t(1) << (bits - 1), sum = std::abs(index.constant);
  for (auto [coef, size] : llvm::zip_equal(index.dims, sizes)) {
    if (coef != 0 && (std::abs(coef) >= most || size >= most))
      return false;
    sum += std::abs(coef) * size;
    if (sum >= most)
      return false;
  }
  return sum < limit;
}

std::optional<LinearIndex> LinearIndices::of(ExprNode *node) {
  if (auto it = known.find(node); it != known.end())
    return it->second;
  std::optional<LinearIndex> index = compute(node);
  if (index && (!node->type.isInteger() || !isSmall(*index, node->type.getIntOrFloatBitWidth())))
    index = std::nullopt;
  return known[node] = index;
}

std::optional<LinearIndex> LinearIndices::compute(ExprNode *node) {
  LinearIndex result;
  result.dims.assign(sizes.size(), 0);
  if (node->kind == ExprNode::Constant) {
    auto attr = dyn_cast<IntegerAttr>(node->attr);
    if (!attr || attr.getValue().getSignificantBits() > 31)
      return std::nullopt;
    result.constant = attr.getValue().getSExtValue();
    return result;
  }
  // lhs + factor * rhs
  auto combined = [](const LinearIndex &lhs, int64_t factor, const LinearIndex &rhs) {
    LinearIndex sum = lhs;
    sum.constant += factor * rhs.constant;
    for (auto [coef, other] : llvm::zip_equal(sum.dims, rhs.dims))
      coef += factor * other;
    return sum;
  };
  if (node->kind == ExprNode::Index) {
    if (!node->address.nonlinear.empty())
      return std::nullopt;
    result.constant = node->address.constant;
    result.dims = node->address.dims;
    for (auto &[symbol, factor] : node->address.symbols) {
      std::optional<LinearIndex> index = of(symbol);
      if (!index)
        return std::nullopt;
      result = combined(result, factor, *index);
    }
    return result;
  }
  if (node->kind != ExprNode::Apply || !isa<arith::IndexCastOp, arith::ExtSIOp, arith::AddIOp, arith::SubIOp,
                                            arith::MulIOp, arith::MaxSIOp, arith::MinSIOp>(node->op))
    return std::nullopt;
  std::optional<LinearIndex> lhs = of(node->operands[0]);
  if (!lhs || node->operands.size() == 1)
    return lhs;
  std::optional<LinearIndex> rhs = of(node->operands[1]);
  if (!rhs)
    return std::nullopt;
  auto isConstant = [](const LinearIndex &index) {
    return llvm::all_of(index.dims, [](int64_t coef) { return coef == 0; });
  };
  if (isa<arith::AddIOp, arith::SubIOp>(node->op))
    return combined(*lhs, isa<arith::AddIOp>(node->op) ? 1 : -1, *rhs);
  if (isa<arith::MulIOp>(node->op)) {
    if (!isConstant(*rhs))
      std::swap(lhs, rhs);
    return isConstant(*rhs) ? std::optional(combined(result, rhs->constant, *lhs)) : std::nullopt;
  }
  // One operand, if it is the greater or the lesser one everywhere.
  LinearIndex difference = combined(*lhs, -1, *rhs);
  int64_t least = difference.constant, greatest = least;
  for (auto [coef, size] : llvm::zip_equal(difference.dims, sizes))
    (coef < 0 ? least : greatest) += coef * std::max<int64_t>(0, size - 1);
  bool isGreater = least >= 0, isLesser = greatest <= 0;
  if (!isGreater && !isLesser)
    return std::nullopt;
  return isa<arith::MaxSIOp>(node->op) == isGreater ? lhs : rhs;
}

void mlir::xla::resolveLinearIndices(LoopNest &nest) {
  LinearIndices indices(nest.sizes);
  SmallVector<ExprNode *> loads;
  for (ExprNode *node : nest.nodes())
    if (node->kind == ExprNode::Load)
      loads.push_back(node);
  for (Address *address : addressesOf(nest, loads))
    llvm::erase_if(address->symbols, [&](auto &term) {
      std::optional<LinearIndex> index = indices.of(term.first);
      if (!index)
        return false;
      address->constant += term.second * index->constant;
      for (auto [coef, other] : llvm::zip_equal(address->dims, index->dims))
        coef += term.second * other;
      return true;
    });
}
