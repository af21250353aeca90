// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop stacks up, a slice for each iteration, takes the place of an array of which it reads the same slices: of
// the products that were hoisted, a recurrent network leaves its states where they were.

#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"
#include "mlir_xla/lowering/legalize/TripCount.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

/// Does `update` write slice i of `count` along one dimension in iteration i, all that is in the other dimensions?
static bool writesEachSlice(DynamicUpdateSliceOp update, Value counter, int64_t count) {
  auto type = cast<RankedTensorType>(update.getOperand().getType());
  auto part = cast<RankedTensorType>(update.getUpdate().getType());
  bool isFound = false;
  for (auto [size, all, start] : llvm::zip_equal(part.getShape(), type.getShape(), update.getStartIndices())) {
    if (size == all)
      continue;
    if (isFound || size != 1 || all != count || start != counter)
      return false;
    isFound = true;
  }
  return isFound;
}

/// Are the indices the same, or equal constants?
static bool areEqual(ValueRange lhs, ValueRange rhs) {
  return llvm::all_of(llvm::zip_equal(lhs, rhs), [](auto pair) {
    auto [left, right] = pair;
    Attribute first, second;
    return left == right ||
           (matchPattern(left, m_Constant(&first)) && matchPattern(right, m_Constant(&second)) && first == second);
  });
}

/// The slice of products from outside the loop that `update` would leave in their place: nothing else reads them. Of
/// other arrays a slice is often read by the kernel that writes, which would need a copy of it.
static DynamicSliceOp sliceToReplace(DynamicUpdateSliceOp update, WhileOp loop) {
  for (auto slice : loop.getBody().front().getOps<DynamicSliceOp>()) {
    Value array = slice.getOperand();
    auto products = array.getDefiningOp<DotGeneralOp>();
    if (products && array.hasOneUse() && !loop->isAncestor(products) && array.getType() == update.getType() &&
        slice.getType() == update.getUpdate().getType() && areEqual(slice.getStartIndices(), update.getStartIndices()))
      return slice;
  }
  return {};
}

/// while(%i = 0, %stack = %init) { %s = %products[%i]; %stack[%i] = f(%s) }
///   ->  while(%i = 0, %stack = %products) { %s = %stack[%i]; %stack[%i] = f(%s) }
bool mlir::xla::stackInPlace(WhileOp loop) {
  std::optional<Counter> counter = counterOf(loop);
  if (!counter || counter->begin != 0 || counter->step != 1)
    return false;
  Block &body = loop.getBody().front(), &cond = loop.getCond().front();
  bool changed = false;
  for (auto [i, yielded] : llvm::enumerate(body.getTerminator()->getOperands())) {
    auto update = yielded.getDefiningOp<DynamicUpdateSliceOp>();
    BlockArgument stack = body.getArgument(i);
    if (!update || update.getOperand() != stack || !stack.hasOneUse() || !yielded.hasOneUse() ||
        !cond.getArgument(i).use_empty() ||
        !writesEachSlice(update, body.getArgument(counter->argument), counter->trips))
      continue;
    DynamicSliceOp slice = sliceToReplace(update, loop);
    if (!slice)
      continue;
    loop->setOperand(i, slice.getOperand());
    slice.getOperandMutable().assign(stack);
    changed = true;
  }
  return changed;
}
