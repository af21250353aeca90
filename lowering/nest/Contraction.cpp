// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xla;

std::optional<linalg::ContractionDimensions> mlir::xla::matchContraction(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() || !linalg::isaContractionOpInterface(linalgOp))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(linalgOp);
  return succeeded(dims) ? std::optional(std::move(*dims)) : std::nullopt;
}

bool mlir::xla::isSumOfProducts(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasIndexSemantics() || !op.hasPureTensorSemantics())
    return false;
  return linalg::detail::isContractionBody(*op.getBody(), [](Operation *product, Operation *sum) {
    return (isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum)) ||
           (isa<arith::MulIOp>(product) && isa<arith::AddIOp>(sum));
  });
}

static int64_t bytesOfColumns(const ProductSizes &product) {
  return product.columns * product.steps * product.elementBytes;
}

static bool isForTiles(const ProductSizes &product, const Machine &machine) {
  constexpr int64_t leastRows = 4, leastSteps = 16, littleWork = 1 << 21;
  return product.rows >= leastRows && product.steps >= leastSteps && product.columns > machine.panelColumns() &&
         product.rows * product.columns * product.steps >= littleWork;
}

bool mlir::xla::isWalkedInPlace(const ProductSizes &product, const Machine &machine) {
  bool isScattered = product.pitch >= machine.farApart() && product.pitch > product.columns * product.elementBytes;
  return isForTiles(product, machine) && !isPackedByTiles(product, machine) &&
         (isScattered || bytesOfColumns(product) > machine.l2ShareOfStream());
}

bool mlir::xla::isPackedByTiles(const ProductSizes &product, const Machine &machine) {
  return isForTiles(product, machine) && product.rows > kFewRows &&
         bytesOfColumns(product) > machine.lastLevelBytes / 2;
}
