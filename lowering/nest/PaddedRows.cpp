// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where rows of a few elements are padded, as the pixels of an image with few channels are, a comparison says of each
// row whether there is one. That of elements, `i * size + j < bound * size` for `i < bound`, says the same, and needs
// no loop over rows: several of them fill a vector.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/nest/LoopNest.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::xla;

/// Bytes of a row from which on a loop over rows costs little.
static constexpr int64_t kLongRow = 256;

/// The number of the operand that is a constant which `compare` tells to be greater or less than `index`.
static std::optional<unsigned> boundOf(const ExprNode *compare, const ExprNode *index) {
  auto op = compare->kind == ExprNode::Apply ? dyn_cast<arith::CmpIOp>(compare->op) : nullptr;
  if (!op || op.getPredicate() == arith::CmpIPredicate::eq || op.getPredicate() == arith::CmpIPredicate::ne)
    return std::nullopt;
  unsigned number = compare->operands[0] == index ? 1 : 0;
  const ExprNode *bound = compare->operands[number];
  if (bound->kind != ExprNode::Constant)
    return std::nullopt;
  int64_t value = cast<IntegerAttr>(bound->attr).getInt();
  bool isUnsigned = op.getPredicate() >= arith::CmpIPredicate::ult;
  return llvm::isInt<31>(value) && (!isUnsigned || value >= 0) ? std::optional(number) : std::nullopt;
}

namespace {

/// The indices that are compared with bounds, and used for nothing else.
class ComparedIndices {
public:
  ComparedIndices(const LoopNest &nest, ArrayRef<ExprNode *> nodes) {
    llvm::SmallPtrSet<ExprNode *, 8> others;
    auto useSymbols = [&](const Address &address) {
      for (auto &[symbol, coef] : address.symbols)
        others.insert(symbol);
    };
    for (ExprNode *node : nodes) {
      useSymbols(node->address);
      for (ExprNode *operand : node->operands)
        if (operand->kind == ExprNode::Index && boundOf(node, operand))
          comparisons[operand].push_back(node);
        else
          others.insert(operand);
    }
    for (const Store &store : nest.stores) {
      useSymbols(store.address);
      others.insert(store.value);
    }
    for (ExprNode *node : others)
      comparisons.erase(node);
  }

  bool contains(ExprNode *index) const { return comparisons.contains(index); }

  /// `index`, of rows, becomes that of an element along `row`, of `size`.
  void countElements(ExprNode *index, unsigned row, int64_t size, KernelExprs &exprs) {
    using P = arith::CmpIPredicate;
    Address &address = index->address;
    address.constant *= size;
    for (int64_t &coef : address.dims)
      coef *= size;
    address.dims[row] = 1;
    for (ExprNode *compare : comparisons[index]) {
      unsigned number = *boundOf(compare, index);
      ExprNode *bound = exprs.copy(*compare->operands[number]);
      P predicate = cast<arith::CmpIOp>(compare->op).getPredicate();
      // Rows up to the bound, or beyond it, include, or leave out, all elements of the row at the bound.
      bool toLast = llvm::is_contained({P::sle, P::sgt, P::ule, P::ugt}, predicate) == (number == 1);
      auto value = cast<IntegerAttr>(bound->attr);
      bound->attr = IntegerAttr::get(value.getType(), value.getInt() * size + (toLast ? size - 1 : 0));
      compare->operands[number] = bound;
    }
  }

private:
  llvm::MapVector<ExprNode *, SmallVector<ExprNode *>> comparisons;
};

} // namespace

void mlir::xla::joinPaddedRows(LoopNest &nest, KernelExprs &exprs) {
  if (!nest.reductions.empty() || nest.isScan() || nest.stores.empty())
    return;
  SmallVector<ExprNode *> nodes = nest.nodes();
  ComparedIndices compared(nest, nodes);
  for (unsigned row = nest.sizes.size(); row-- > 1;) {
    int64_t size = nest.sizes[row], bytes = size * elementStorageBytes(nest.stores[0].elementType);
    if (!nest.isParallelLoop(row))
      continue;
    unsigned rows = row - 1;
    while (rows > 0 && nest.sizes[rows] == 1 && !nest.rows.test(rows))
      --rows;
    if (!nest.isParallelLoop(rows) || bytes > kLongRow)
      return;
    SmallVector<ExprNode *> indices;
    for (ExprNode *node : nodes)
      if (node->kind == ExprNode::Index && compared.contains(node) && node->address.nonlinear.empty() &&
          node->address.symbols.empty() && llvm::isInt<31>(node->address.constant) && node->address.dims[rows] == 1 &&
          node->address.dims[row] == 0)
        indices.push_back(node);
    auto walksAsOne = [&](Address *address) {
      return llvm::any_of(indices, [&](ExprNode *index) { return &index->address == address; }) ||
             (address->nonlinear.empty() && address->dims[rows] == address->dims[row] * size);
    };
    if (indices.empty() || !llvm::all_of(addressesOf(nest, nodes), walksAsOne))
      return;
    for (ExprNode *index : indices)
      compared.countElements(index, row, size, exprs);
    return;
  }
}
