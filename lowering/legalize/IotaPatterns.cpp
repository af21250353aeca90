// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of an element in the order of memory, written as a sum over its dimensions: JAX makes random bits of it.

#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// iota(dim 0) * 3 + iota(dim 1) : 5x3  ->  reshape(iota : 15)
///
/// The dimensions are then walked as one. By themselves, the numbers of rows of two would be vectors of two.
struct NumberElements : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!isa<IntegerType>(type.getElementType()) || type.getNumElements() == 0)
      return failure();
    SmallVector<std::optional<APInt>> strides = stridesOf(op, type.getRank());
    if (strides.empty())
      return failure();
    unsigned width = type.getElementTypeBitWidth();
    APInt stride(width, 1);
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      // The index of a dimension of one element is 0, whatever it is multiplied by.
      if (type.getDimSize(dim) != 1 && strides[dim] != stride)
        return failure();
      stride *= APInt(width, type.getDimSize(dim), /*isSigned=*/false, /*implicitTrunc=*/true);
    }
    auto line = RankedTensorType::get(type.getNumElements(), type.getElementType());
    Value numbers = IotaOp::create(rewriter, op.getLoc(), line, 0);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, numbers);
    return success();
  }

  /// By how much `sum` grows along each of its dimensions, if it adds multiples of one index each; empty otherwise.
  static SmallVector<std::optional<APInt>> stridesOf(Value sum, int64_t rank) {
    SmallVector<std::optional<APInt>> strides(rank);
    SmallVector<Value> pending{sum};
    // At most a term for each dimension.
    for (int64_t terms = 0; !pending.empty() && terms + static_cast<int64_t>(pending.size()) <= rank;) {
      Value term = pending.pop_back_val();
      if (auto add = term.getDefiningOp<AddOp>()) {
        pending.append({add.getLhs(), add.getRhs()});
        continue;
      }
      APInt factor(cast<RankedTensorType>(term.getType()).getElementTypeBitWidth(), 1);
      DenseIntElementsAttr constant;
      if (auto product = term.getDefiningOp<MulOp>()) {
        bool isFirst = matchPattern(product.getLhs(), m_Constant(&constant));
        if ((!isFirst && !matchPattern(product.getRhs(), m_Constant(&constant))) || !constant.isSplat())
          return {};
        factor = constant.getSplatValue<APInt>();
        term = isFirst ? product.getRhs() : product.getLhs();
      }
      auto iota = term.getDefiningOp<IotaOp>();
      if (!iota || strides[iota.getIotaDimension()])
        return {};
      strides[iota.getIotaDimension()] = factor;
      ++terms;
    }
    if (!pending.empty())
      return {};
    return strides;
  }
};

} // namespace

void mlir::xla::populateIotaPatterns(RewritePatternSet &patterns) {
  patterns.add<NumberElements>(patterns.getContext());
}
