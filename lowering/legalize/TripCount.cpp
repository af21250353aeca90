// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/legalize/TripCount.h"
#include "mlir_xla/lowering/legalize/Build.h"

#include "mlir/IR/Matchers.h"

namespace mlir::xla {

static std::optional<int64_t> constantOf(Value value) {
  DenseIntElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) || !attr.isSplat())
    return std::nullopt;
  APInt number = attr.getSplatValue<APInt>();
  if (attr.getElementType().isUnsignedInteger())
    return number.getActiveBits() < 63 ? std::optional<int64_t>(number.getZExtValue()) : std::nullopt;
  return number.getSExtValue();
}

std::optional<Counter> counterOf(WhileOp loop) {
  Block &cond = loop.getCond().front(), &body = loop.getBody().front();
  auto compare = cond.getTerminator()->getOperand(0).getDefiningOp<CompareOp>();
  if (!compare || compare.getComparisonDirection() != ComparisonDirection::LT)
    return std::nullopt;
  auto counter = dyn_cast<BlockArgument>(compare.getLhs());
  if (!counter || counter.getOwner() != &cond)
    return std::nullopt;
  auto next = body.getTerminator()->getOperand(counter.getArgNumber()).getDefiningOp<AddOp>();
  if (!next || next.getLhs() != body.getArgument(counter.getArgNumber()))
    return std::nullopt;
  std::optional<int64_t> begin = constantOf(loop.getOperands()[counter.getArgNumber()]),
                         end = constantOf(compare.getRhs()), step = constantOf(next.getRhs());
  // A counter of so few bits that the sum wraps around is none.
  unsigned bits = TensorBuilder::typeOf(counter).getElementTypeBitWidth();
  if (!begin || !end || !step || *step <= 0 || *begin < 0 || bits < 32 || *end >= int64_t(1) << 30)
    return std::nullopt;
  int64_t trips = *end > *begin ? llvm::divideCeil(*end - *begin, *step) : 0;
  return Counter{counter.getArgNumber(), *begin, *step, trips};
}

} // namespace mlir::xla
