// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of blocks whose warpgroups multiply (wgmma): what the tensor memory accelerator brings, and what it cannot.

#include "mlir_xla/lowering/gpu/BlockPlan.h"

#include "mlir_xla/lowering/cpu/NestEmitter.h"

using namespace mlir;
using namespace mlir::xla;

FailureOr<TensorBox> mlir::xla::tensorBox(const LoopNest &nest, const BlockPanel &panel, const BlockDim &own,
                                          const BlockDim &k, ArrayRef<int64_t> work, int64_t sharedBy,
                                          std::string &reason) {
  auto fail = [&](const Twine &why) -> FailureOr<TensorBox> {
    reason = why.str();
    return failure();
  };
  constexpr int64_t longestBox = 256, mostRank = 5, unit = 16;
  const ExprNode *factor = panel.factor;
  if (own.dims.size() != 1 || k.dims.size() != 1)
    return fail("a dimension of tensors is one of the nest, and several are walked as one");
  if (!factor || factor->kind != ExprNode::Load || !factor->guards.empty())
    return fail("a factor is computed, and not read as it is");
  const Address &address = factor->address;
  if (!address.symbols.empty() || !address.nonlinear.empty())
    return fail("where a factor lies does not follow from the nest's indices alone");
  int64_t ownDim = own.innermost(), kDim = k.innermost(), bytes = panel.elementBytes;
  int64_t inner = panel.alongK ? kDim : ownDim, outer = panel.alongK ? ownDim : kDim;
  if (address.dims[inner] != 1)
    return fail("a factor has its neighbours neither along k nor along its own dimension");
  if (!panel.alongK && bytes != 2)
    return fail("factors of " + Twine(bytes) + " bytes are multiplied along k only");
  TensorBox box;
  box.offset = address.constant;
  box.dims = {inner, outer};
  box.box = {BlocksPlan::kLine / bytes, panel.alongK ? std::min(longestBox, own.tile / sharedBy) : k.tile};
  box.count = panel.alongK ? own.tile / box.box[1] : own.tile / box.box[0];
  for (int64_t dim : work)
    if (address.dims[dim] != 0) {
      box.dims.push_back(dim);
      box.box.push_back(1);
    }
  if (static_cast<int64_t>(box.dims.size()) > mostRank)
    return fail("a factor has " + Twine(box.dims.size()) + " dimensions, and tensors have at most " + Twine(mostRank));
  for (int64_t dim : box.dims)
    box.sizes.push_back(nest.sizes[dim]);
  for (int64_t dim : ArrayRef(box.dims).drop_front()) {
    box.strides.push_back(address.dims[dim]);
    int64_t stride = address.dims[dim] * bytes;
    if (stride <= 0 || stride % unit)
      return fail("a factor's lines are " + Twine(stride) + " bytes apart along d" + Twine(dim) + ", no multiple of " +
                  Twine(unit));
  }
  if (box.offset * bytes % unit)
    return fail("a factor begins " + Twine(box.offset * bytes) +
                " bytes behind the beginning of its memory, no multiple of " + Twine(unit));
  if (box.count % sharedBy)
    return fail("two blocks cannot share the " + Twine(box.count) + " boxes of the columns");
  return box;
}

LogicalResult mlir::xla::checkWarpgroups(const LoopNest &nest, const BlocksPlan &plan,
                                         function_ref<InFlightDiagnostic()> emitError) {
  // An accumulator is rounded once for every few products, so that a sum of so many steps is rounded as often as
  // kLongSum is.
  constexpr int64_t stepsOfRounding = 8, smallestTile = 64;
  int64_t bytes = plan.a.elementBytes;
  if (plan.sumType.isF64())
    return emitError() << "warpgroups multiply no f64";
  // PTX has such instructions since 8.4, which drivers older than CUDA 12.4 do not read.
  Product product = *matchProduct(nest);
  if (plan.sumType.isInteger() && Product::isSigned(product.left) != Product::isSigned(product.right))
    return emitError() << "warpgroups multiply bytes that both have signs, or both have none";
  if (plan.k.tile * bytes != BlocksPlan::kLine)
    return emitError() << "tiles of " << plan.k.tile << " along k have " << plan.k.tile * bytes
                       << " bytes, and those of warpgroups have " << BlocksPlan::kLine;
  for (auto [name, tile] : {std::pair('m', plan.m.tile), std::pair('n', plan.n.tile)})
    if (tile < smallestTile)
      return emitError() << "tiles of " << tile << " along " << name << " are smaller than the " << smallestTile
                         << " of warpgroups";
  if (!plan.b.alongK && plan.columns < smallestTile)
    return emitError() << "columns that are neighbours in memory are multiplied " << smallestTile << " at a time, not "
                       << plan.columns;
  for (auto [panel, own, sharedBy] :
       {std::tuple(&plan.a, &plan.m, int64_t(1)), std::tuple(&plan.b, &plan.n, plan.cluster)}) {
    std::string reason;
    if (failed(tensorBox(nest, *panel, *own, plan.k, plan.work, sharedBy, reason)))
      return emitError() << reason;
  }
  if (plan.cluster > plan.m.tiles() || plan.m.tiles() % plan.cluster)
    return emitError() << "there are " << plan.m.tiles() << " tiles along m, which are no clusters of " << plan.cluster;
  int64_t steps = std::min(plan.k.size, plan.splitTiles * plan.k.tile);
  if (nest.reductions[0].sums[0] && steps > stepsOfRounding * kLongSum)
    return emitError() << "sums of " << steps << " products in one block are rounded too often; there are at most "
                       << stepsOfRounding * kLongSum;
  return success();
}
