// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-multiply-parts`: sums of products of complex numbers as sums of products of their parts, which blocks of
// threads and tensor cores multiply.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/kernels/Windows.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/nest/Contraction.h"
#include "mlir_xla/lowering/xla_rt/XlaRtViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {
#define GEN_PASS_DEF_MULTIPLYPARTS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Rows and columns of complex numbers, and steps, of which a block multiplies a tile; products that are worth it.
static constexpr int64_t kLeast = 16, kLeastSteps = 8, kLeastProducts = 1 << 20;
/// Rows that one block has; clocks of the beginning and the end of blocks that multiply a few tiles.
static constexpr int64_t kRowsOfTile = 128;
static constexpr double kBlock = 2000;

namespace {
/// A sum of products of complex numbers, whose loop `n` walks the columns' elements and neighbouring results, and whose
/// loop `k` walks both factors.
struct ComplexProduct {
  Value rows, columns;
  AffineMap rowsMap, columnsMap;
  unsigned n = 0, k = 0;
  bool rowsComeFirst = true;
  double products = 0;
};
} // namespace

static bool walks(AffineMap map, unsigned loop) {
  return llvm::any_of(map.getResults(), [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); });
}

/// Rows that are multiplied with what `op` reads by `columns`.
static int64_t rowsOf(linalg::GenericOp op, AffineMap columns) {
  int64_t rows = 1;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel && !walks(columns, loop))
      rows *= size;
  return rows;
}

bool mlir::xla::readsPartsOnDevice(OpOperand &use) {
  auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
  auto columns = use.get().getDefiningOp<linalg::GenericOp>();
  return reader && isSumOfProducts(reader) && reader.isDpsInput(&use) && columns && columns.getNumDpsInputs() == 2 &&
         columns->hasOneUse() &&
         llvm::all_of(columns.getInputs(), [](Value input) { return input.getDefiningOp<rt::PartsOp>(); }) &&
         rowsOf(reader, reader.getMatchingIndexingMap(&use)) <= kRowsOfTile;
}

static bool isZero(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  auto constant = fill ? fill.getInputs()[0].getDefiningOp<complex::ConstantOp>() : complex::ConstantOp();
  return constant && llvm::all_of(constant.getValue().getAsRange<FloatAttr>(),
                                  [](FloatAttr part) { return part.getValue().isPosZero(); });
}

static std::optional<ComplexProduct> match(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasIndexSemantics() || !op.hasPureTensorSemantics() || !isZero(op.getDpsInits()[0]) ||
      !linalg::detail::isContractionBody(*op.getBody(), [](Operation *product, Operation *sum) {
        return isa<complex::MulOp>(product) && isa<complex::AddOp>(sum);
      }))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (maps[2].getNumResults() == 0 || llvm::any_of(op.getInputs(), [&](Value input) {
        return cast<RankedTensorType>(input.getType()).getElementType() != getElementTypeOrSelf(op.getType(0));
      }))
    return std::nullopt;
  ComplexProduct product;
  product.n = maps[2].getDimPosition(maps[2].getNumResults() - 1);
  bool columnsComeFirst = walks(maps[0], product.n);
  if (columnsComeFirst == walks(maps[1], product.n))
    return std::nullopt;
  product.rowsComeFirst = !columnsComeFirst;
  product.rows = op.getInputs()[columnsComeFirst];
  product.columns = op.getInputs()[!columnsComeFirst];
  product.rowsMap = maps[columnsComeFirst];
  product.columnsMap = maps[!columnsComeFirst];
  if (!positionOf(product.columnsMap, product.n))
    return std::nullopt;

  // Of the loops of both, the one along which the rows lie in memory.
  int64_t rows = 1, columns = 1, steps = 1;
  std::optional<unsigned> found;
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    bool ofRows = walks(product.rowsMap, loop), ofColumns = walks(product.columnsMap, loop);
    if (kinds[loop] == utils::IteratorType::parallel) {
      rows *= ofRows && !ofColumns ? sizes[loop] : 1;
      columns *= ofColumns && !ofRows ? sizes[loop] : 1;
      continue;
    }
    steps *= sizes[loop];
    std::optional<unsigned> position = positionOf(product.rowsMap, loop);
    if (!position || !positionOf(product.columnsMap, loop))
      continue;
    if (!found || *position + 1 == product.rowsMap.getNumResults())
      found = loop;
  }
  product.products = static_cast<double>(steps);
  for (int64_t size : cast<RankedTensorType>(op.getType(0)).getShape())
    product.products *= static_cast<double>(size);
  if (!found || rows < kLeast || columns < kLeast || steps < kLeastSteps || product.products < kLeastProducts)
    return std::nullopt;
  product.k = *found;
  return product;
}

/// Does multiplying parts take less time than a thread for each result does? Those read an element of the columns each,
/// in as many accesses of shared lines as they are apart in memory, and one of the rows together.
static bool isFaster(linalg::GenericOp op, const ComplexProduct &product, bool copiesRows, bool copiesColumns) {
  using Machine = GpuMachine;
  auto element = cast<ComplexType>(getElementTypeOrSelf(op.getType(0))).getElementType();
  auto bytes = static_cast<double>(element.getIntOrFloatBitWidth()) / 4;
  constexpr auto warp = static_cast<double>(Machine::warp);
  // Of a multiprocessor's clocks, and what of multiply-adds is reached: threads' of words, tensor cores' of f64.
  constexpr double words = 0.65 * Machine::issue, doubles = 120;
  unsigned last = product.columnsMap.getNumResults() - 1;
  bool areNeighbours = positionOf(product.columnsMap, product.n) == last;
  double accesses = 1 + (areNeighbours ? warp * bytes / Machine::sharedRate : warp);
  double byThreads = product.products * accesses / warp;
  double byParts = product.products * 4 / (element.isF64() ? doubles : words) + kBlock * Machine::multiprocessors;
  auto bytesOf = [&](Value value) {
    return bytes * static_cast<double>(cast<RankedTensorType>(value.getType()).getNumElements());
  };
  auto move = [&](double moved) { byParts += moved / Machine::memoryRate; };
  constexpr double launch = Machine::launch * Machine::multiprocessors;
  // Columns are twice as many parts. What is copied is read, written and read.
  if (copiesColumns)
    move(5 * bytesOf(product.columns));
  if (copiesRows)
    move(3 * bytesOf(product.rows));
  byParts += copiesColumns || copiesRows ? launch : 0;
  // What is computed of the results is no part of the kernel any more.
  if (llvm::any_of(op->getUsers(), llvm::IsaPred<linalg::LinalgOp>)) {
    move(2 * bytesOf(op.getResult(0)));
    byParts += launch;
  }
  return byParts < byThreads;
}

static RankedTensorType partsType(RankedTensorType type, ArrayRef<unsigned> doubled) {
  SmallVector<int64_t> shape(type.getShape());
  for (unsigned dim : doubled)
    shape[dim] *= 2;
  return RankedTensorType::get(shape, cast<ComplexType>(type.getElementType()).getElementType());
}

/// The numbers in memory, as a row of parts each.
static Value partsOf(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return rt::PartsOp::create(b, loc, partsType(type, type.getRank() - 1), value);
}

/// Of numbers whose parts alternate along `dims`: the places of a part of those, whose number is `part`.
static AffineMap mapOfParts(MLIRContext *context, unsigned rank, ArrayRef<unsigned> dims, AffineExpr part) {
  SmallVector<AffineExpr> indices;
  for (unsigned dim = 0; dim < rank; ++dim) {
    AffineExpr index = getAffineDimExpr(dim, context);
    indices.push_back(llvm::is_contained(dims, dim) ? index.floorDiv(2) : index);
  }
  indices.back() = indices.back() * 2 + part;
  return AffineMap::get(rank, 0, indices, context);
}

/// re, im, re, .. along `k`.
static Value partsOfRows(OpBuilder &b, Location loc, Value value, unsigned k) {
  auto type = cast<RankedTensorType>(value.getType());
  Value parts = partsOf(b, loc, value);
  unsigned rank = type.getRank();
  if (k + 1 == rank)
    return parts;
  AffineMap map = mapOfParts(b.getContext(), rank, k, b.getAffineDimExpr(k) % 2);
  return buildElementwise(b, loc, partsType(type, k), parts, map,
                          [](OpBuilder &, Location, ValueRange values) -> SmallVector<Value> { return {values[0]}; });
}

/// (re, im) along `n` at even places of `k`, and (-im, re) at odd ones.
static Value partsOfColumns(OpBuilder &b, Location loc, Value value, unsigned k, unsigned n) {
  auto type = cast<RankedTensorType>(value.getType());
  Value parts = partsOf(b, loc, value);
  SmallVector<AffineMap> maps;
  for (int64_t part : {0, 1})
    maps.push_back(mapOfParts(b.getContext(), type.getRank(), {k, n}, b.getAffineConstantExpr(part)));
  return buildElementwise(b, loc, partsType(type, {k, n}), {parts, parts}, maps,
                          [&](OpBuilder &body, Location at, ValueRange values) -> SmallVector<Value> {
                            auto isOdd = [&](unsigned dim) -> Value {
                              Value index = linalg::IndexOp::create(body, at, dim),
                                    two = arith::ConstantIndexOp::create(body, at, 2);
                              Value rest = arith::RemUIOp::create(body, at, index, two);
                              return arith::CmpIOp::create(body, at, arith::CmpIPredicate::ne, rest,
                                                           arith::ConstantIndexOp::create(body, at, 0));
                            };
                            Value oddStep = isOdd(k), oddColumn = isOdd(n), re = values[0], im = values[1];
                            Value minus = arith::NegFOp::create(body, at, im);
                            Value first = arith::SelectOp::create(body, at, oddStep, minus, re);
                            Value second = arith::SelectOp::create(body, at, oddStep, re, im);
                            return {arith::SelectOp::create(body, at, oddColumn, second, first)};
                          });
}

static void multiplyParts(linalg::GenericOp op) {
  std::optional<ComplexProduct> product = match(op);
  if (!product)
    return;
  bool copiesRows = *positionOf(product->rowsMap, product->k) + 1 != product->rowsMap.getNumResults();
  if (!isFaster(op, *product, copiesRows, rowsOf(op, product->columnsMap) > kRowsOfTile))
    return;
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType(0));
  Value rows = partsOfRows(b, loc, product->rows, *positionOf(product->rowsMap, product->k));
  Value columns = partsOfColumns(b, loc, product->columns, *positionOf(product->columnsMap, product->k),
                                 *positionOf(product->columnsMap, product->n));
  RankedTensorType ofSums = partsType(type, type.getRank() - 1);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(ofSums.getElementType()));
  Value empty = tensor::EmptyOp::create(b, loc, ofSums.getShape(), ofSums.getElementType());
  Value zeros = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  SmallVector<Value> factors{rows, columns};
  if (!product->rowsComeFirst)
    std::swap(factors[0], factors[1]);
  auto sums = linalg::GenericOp::create(
      b, loc, ofSums, factors, zeros, op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [](OpBuilder &body, Location at, ValueRange values) {
        Value each = arith::MulFOp::create(body, at, values[0], values[1]);
        linalg::YieldOp::create(body, at, arith::AddFOp::create(body, at, values[2], each).getResult());
      });
  Value result = rt::PartsOp::create(b, loc, type, sums.getResult(0));
  op.getResult(0).replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct MultiplyPartsPass : public mlir::xla::impl::MultiplyPartsBase<MultiplyPartsPass> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    llvm::for_each(ops, multiplyParts);
  }
};
} // namespace
