// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of blocks whose warpgroups multiply (wgmma): what they cannot.

#include "mlir_xla/lowering/gpu/BlockPlan.h"

#include "mlir_xla/lowering/cpu/NestEmitter.h"

using namespace mlir;
using namespace mlir::xla;

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
