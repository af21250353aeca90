// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir_xla/lowering/Storage.h"

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

std::optional<unsigned> mlir::xla::positionOf(AffineMap map, unsigned loop) {
  std::optional<unsigned> found;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    if (found || !isa<AffineDimExpr>(expr))
      return std::nullopt;
    found = position;
  }
  return found;
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

bool mlir::xla::isSummedInLanes(Type type) {
  return type.isF32() || type.isF64() || type.isInteger(32) || type.isInteger(64);
}

bool mlir::xla::multipliesFloats(Type narrow, const Machine &machine) {
  return narrow.isBF16() ? machine.hasVdpbf16ps || machine.hasTdpbf16ps : narrow.isF16() && machine.hasTdpfp16ps;
}

bool mlir::xla::isForInstructions(linalg::GenericOp op, const Machine &machine) {
  Block *body = op.getBody();
  Type sum = getElementTypeOrSelf(op->getResult(0).getType()), narrow;
  for (unsigned operand : {0u, 1u}) {
    BlockArgument factor = body->getArgument(operand);
    if (!factor.hasOneUse() || !isa<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(*factor.user_begin()) ||
        (narrow && narrow != factor.getType()))
      return false;
    narrow = factor.getType();
  }
  if (narrow.isBF16())
    return sum.isF32() && multipliesFloats(narrow, machine);
  return narrow.isInteger(8) && sum.isInteger(32) && (machine.hasPmaddwd || machine.hasVpdpbusd || machine.hasTdpbssd);
}

bool mlir::xla::streamsThroughBlocks(int64_t along, int64_t across, Type element, const Machine &machine) {
  constexpr int64_t mostOfBlock = 256; // a few passes over the values of 64 to 96 rows
  return isa<FloatType>(element) && across > mostOfBlock &&
         along * across * elementStorageBytes(element) > machine.l2Bytes;
}

static constexpr int64_t kManyRows = 256, kVeryManyRows = 2048;

static int64_t bytesOfColumns(const ProductSizes &product) {
  return product.columns * product.steps * product.elementBytes;
}

static bool isForTiles(const ProductSizes &product, const Machine &machine) {
  constexpr int64_t leastRows = 4, leastSteps = 16, littleWork = 1 << 21;
  return product.rows >= leastRows && product.steps >= leastSteps && product.columns > machine.panelColumns() &&
         product.rows * product.columns * product.steps >= littleWork;
}

/// Is a step along the rows far from the one before, so that each row reads a page of its own?
static bool areRowsScattered(const ProductSizes &product, const Machine &machine) {
  return !product.rowsAlongSteps && product.rows * product.elementBytes >= machine.longRun() &&
         product.rows * product.steps >= machine.tlbReach() / 4 && product.steps >= machine.tlbPages;
}

std::optional<TilePacking> mlir::xla::tilePackingOf(const ProductSizes &product, const Machine &machine) {
  if (!isForTiles(product, machine))
    return std::nullopt;
  bool isScattered = product.pitch >= machine.farApart() && product.pitch > product.columns * product.elementBytes;
  int64_t columns = bytesOfColumns(product);
  bool areWidened = product.areRowsWidened || product.areColumnsWidened;
  bool hasManyRows = product.rows > kFewRows, isMuch = columns > machine.l2ShareOfStream();
  bool isLarge = columns > machine.lastLevelBytes / 2 && hasManyRows;
  // One block for very many rows, which stream by.
  bool isBlock = isMuch && columns <= machine.l2Share() && product.rows >= kVeryManyRows;
  bool packsRows = areRowsScattered(product, machine);
  // All rows of a batch read the columns that are packed for them. Packed rows of one block read wide ones once.
  bool isBatch = product.isBatched && isMuch && hasManyRows && (!packsRows || machine.hasNarrowTiles());
  // Vectors that reach across lines, or steps that fall on the same lines of the cache, are slow to read again. Blocks
  // of fewer steps in place do not help: 2048 of them, 2048 bytes apart, take 1.16 to 1.45 of the time of packed ones.
  int64_t steps = std::min(product.steps, packsRows ? kStepsOfPackedRows : kStepsOfOneBlock);
  bool isAwkward = hasManyRows && (isScattered || isMuch) &&
                   (product.pitch % machine.cacheLine != 0 || steps > machine.rowsInL2(product.pitch));
  // Copies for so many rows take little of the time, and what is packed is asked for in time.
  bool isForMany = !packsRows && columns > machine.l2Bytes && product.rows >= kManyRows;
  // A narrow tile reads a line of each step, which is a page of its own where steps are far apart.
  bool isWide = machine.hasNarrowTiles() && product.rows >= kRowsOfCopy &&
                product.pitch * product.steps >= 4 * machine.tlbReach();
  TilePacking packing{packsRows,
                      isLarge || isBlock || isBatch || isAwkward || isForMany || isWide || product.columnsAlongSteps};
  // Narrow floats are widened once for a block.
  if (areWidened && (product.isBatched || !product.rowsAlongSteps))
    return std::nullopt;
  packing.rows |= product.areRowsWidened;
  packing.columns |= product.areColumnsWidened && product.rows > kFewRows / 2;
  // Rows of a batch are packed for one block of columns, and read these once; others are transposed as a whole.
  int64_t columnsOfBlock = packing.columns ? kColumnsOfPackedRows / 2 : kColumnsOfPackedRows;
  bool isOneBlock = product.rows <= kPackedRowsOfBlock && product.columns <= columnsOfBlock;
  if (product.isBatched && ((packing.rows && !isOneBlock) || product.columnsAlongSteps))
    return std::nullopt;
  if (product.columnsAlongSteps && product.rows <= (product.areColumnsWidened ? kRowsOfCopy : kFewRows))
    return std::nullopt;
  if (packing.rows || packing.columns || isScattered || isMuch)
    return packing;
  return std::nullopt;
}
