// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BlockEmitter's products, by threads or by tensor cores, and what is computed of their sums: those go through shared
// memory once more, so that it is computed along rows of results, with code that is there once.

#include "mlir_xla/lowering/gpu/BlockEmitter.h"

#include "mlir_xla/lowering/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

int64_t BlockEmitter::sumsOfThread() const { return blocks->m.tile * blocks->n.tile / blocks->threads; }

//===- Threads ----------------------------------------------------------------------------------------------------===//

/// A tile of k, which begins at `stage`.
void BlockEmitter::multiplyByThreads(Value stage, SmallVectorImpl<Value> &sums) {
  Reduction &reduction = nest->reductions[0];
  const BlockPanel &left = blocks->a, &right = blocks->b;
  NestPlan scalar;
  plan = &scalar;
  int64_t pieces = blocks->k.tile / left.piece();
  using Elements = SmallVector<SmallVector<Value>>;
  Value columns = panelAt(stage, right);
  auto read = [&](Value piece) {
    at(top());
    return std::pair<Elements, Elements>(
        readFragments(left, stage, piece, blocks->rows, threadInM, blocks->threadRows()),
        readFragments(right, columns, piece, blocks->columns, threadInN, blocks->threadColumns()));
  };
  auto multiplyPiece = [&](const std::pair<Elements, Elements> &elements) {
    for (auto [rows, columns] : llvm::zip_equal(elements.first, elements.second))
      for (int64_t i = 0; i < blocks->rows; ++i)
        for (int64_t j = 0; j < blocks->columns; ++j) {
          Value &sum = sums[i * blocks->columns + j];
          openScope();
          define(reduction.accumulators[0], 0, 0, sum);
          define(left.factor, 0, 0, rows[i]);
          define(right.factor, 0, 0, columns[j]);
          sum = evaluate(reduction.next[0], 0, 0).value;
          closeScope();
        }
  };
  // Elements of the next piece are read before this one is multiplied. Threads that have part of the next tile in their
  // registers, or places of single elements of it, have none left for that.
  constexpr int64_t mostProducts = 1024;
  int64_t unrolled = 1;
  if (left.async && right.async && left.width() > 1 && right.width() > 1)
    unrolled = std::clamp<int64_t>(mostProducts / (sumsOfThread() * left.piece()), 1, pieces);
  while (pieces % unrolled)
    --unrolled;
  scf::ForOp loop;
  if (unrolled < pieces) {
    loop = openLoop(-1, i64(0), i64(pieces), unrolled, sums, /*nonEmpty=*/true);
    sums.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  }
  at(top());
  Value first = loop ? loop.getInductionVar() : i64(0);
  auto elements = read(first);
  for (int64_t number = 1; number < unrolled; ++number) {
    auto next = read(add(first, number));
    multiplyPiece(elements);
    elements = std::move(next);
  }
  multiplyPiece(elements);
  if (loop) {
    closeLoop(loop, sums);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
}

/// Sums that a thread has of neighbouring rows or columns: as many as it has read of a factor at a time.
static int64_t neighbours(const BlockPanel &panel, int64_t count) {
  return panel.alongK ? 1 : std::min(panel.piece(), count);
}

bool BlockEmitter::readsOwnSums() const {
  if (blocks->instruction != BlockInstruction::Scalar || !areThreadsInRows())
    return false;
  int64_t columns = neighbours(blocks->b, blocks->columns);
  return neighbours(blocks->a, blocks->rows) == 1 && columns == blocks->columns && columns == blocks->lanes;
}

/// Where a sum of this pass is in shared memory. Swizzled lines have pieces of a quarter of the banks in orders that
/// differ for rows four apart.
Value BlockEmitter::placeOfSum(Value row, Value column) {
  constexpr int64_t apart = 4, orders = 4, quarter = 8;
  if (blocks->swizzlesSums)
    column = arith::XOrIOp::create(b, column, product(modulo(divide(row, apart), orders), quarter));
  return elementAt(shared, blocks->sumType, add(product(row, blocks->resultPitch), column));
}

/// Puts the rows of this pass into shared memory.
void BlockEmitter::writeSumsOfThread(ArrayRef<Value> sums, int64_t pass) {
  const BlockPanel &right = blocks->b;
  int64_t rows = blocks->rows / blocks->passes, pitch = blocks->resultPitch;
  int64_t pieceOfRows = neighbours(blocks->a, blocks->rows), pieceOfColumns = neighbours(right, blocks->columns);
  // Of the first thread. What all threads have beyond the end of a product of few rows is not even computed then.
  auto rowOf = [&](int64_t i) { return i / pieceOfRows * pieceOfRows * blocks->threadRows() + i % pieceOfRows; };
  auto isRow = [&](int64_t i) {
    return blocks->m.tiles() > 1 || pass * (blocks->m.tile / blocks->passes) + rowOf(i) < blocks->m.size;
  };
  if (blocks->swizzlesSums) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < blocks->columns && isRow(i); ++j) {
        at(top());
        Value row = add(product(threadInM, pieceOfRows), rowOf(i));
        Value place = placeOfSum(row, add(threadInN, j * blocks->threadColumns()));
        LLVM::StoreOp::create(b, sums[(pass * rows + i) * blocks->columns + j], place, right.elementBytes);
      }
    return;
  }
  at(0);
  Value offset = add(product(product(threadInM, pieceOfRows), pitch), product(threadInN, pieceOfColumns));
  at(top());
  Value base = elementAt(shared, blocks->sumType, offset);
  auto type = VectorType::get({pieceOfColumns}, blocks->sumType);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < blocks->columns && isRow(i); j += pieceOfColumns) {
      const Value *first = &sums[(pass * rows + i) * blocks->columns + j];
      Value stored = *first;
      if (pieceOfColumns > 1)
        stored = vector::FromElementsOp::create(b, type, ArrayRef(first, pieceOfColumns));
      LLVM::StoreOp::create(b, stored,
                            elementAt(base, blocks->sumType, {}, rowOf(i) * pitch + j * blocks->threadColumns()),
                            pieceOfColumns * right.elementBytes);
    }
}

//===- Tensor cores -----------------------------------------------------------------------------------------------===//

/// For a step of 32 bytes along k, four matrices of 8 rows of 16 bytes for each 16 rows of the panel: `ofRows` is the
/// bit of a matrix's number that says which half of the rows it has; the other one is for k. Groups of 16 rows are
/// dealt to warps in turn.
BlockEmitter::Fragments BlockEmitter::readMatrices(const BlockPanel &panel, Value base, int64_t step, int64_t groups,
                                                   Value warp, int64_t warps, unsigned ofRows) {
  constexpr int64_t side = 8, group = 16;
  at(0);
  Value row = modulo(lane, side), matrix = divide(lane, side);
  Value bits[] = {modulo(matrix, 2), divide(matrix, 2)};
  Value halfOfRows = bits[ofRows], halfOfK = bits[1 - ofRows], order = orderOf(panel, row);
  // Neighbours in memory are one of the two, rows of memory the other.
  Value inner = panel.alongK ? halfOfK : halfOfRows,
        outer = add(product(panel.alongK ? halfOfRows : halfOfK, side), row);
  Value first = panel.alongK ? product(warp, group) : product(warp, 2);
  if (panel.alongK)
    outer = add(outer, first);
  else
    inner = add(inner, first);
  Value rowOffset = product(outer, panel.inner);
  Fragments result;
  Type i32 = b.getI32Type();
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32, i32, i32});
  auto shape = NVVM::LdStMatrixShapeAttr::get(b.getContext(), side, side);
  constexpr auto element = NVVM::LdStMatrixEltType::B16;
  for (int64_t number = 0; number < groups; ++number) {
    at(0);
    if (panel.gathers)
      order = orderOf(panel, add(outer, number * warps * group));
    Value piece = add(inner, panel.alongK ? step * 2 : number * warps * 2);
    Value offset = add(rowOffset, product(arith::XOrIOp::create(b, piece, order), panel.piece()));
    int64_t row = panel.alongK ? number * warps * group : step * group;
    at(top());
    Value place = elementAt(base, panel.type, offset, row * panel.inner);
    Value matrices = NVVM::LdMatrixOp::create(
        b, type, place, /*num=*/4, panel.alongK ? NVVM::MMALayout::row : NVVM::MMALayout::col, shape, element);
    SmallVector<Value> &parts = result.emplace_back();
    for (int64_t part = 0; part < 4; ++part) {
      Value bits = LLVM::ExtractValueOp::create(b, matrices, part);
      if (panel.type.isF16())
        bits = LLVM::BitcastOp::create(b, VectorType::get({2}, panel.type), bits);
      parts.push_back(bits);
    }
  }
  return result;
}

/// The same for elements of 32 bits where neighbours are rows, and for those of 64 bits, of which a step has one half
/// of k: a lane reads one at a time.
BlockEmitter::Fragments BlockEmitter::readElements(const BlockPanel &panel, Value base, int64_t step, int64_t groups,
                                                   Value warp, int64_t warps, unsigned ofRows) {
  constexpr int64_t inStep = 4, side = 8, group = 16;
  TensorShape shape(panel.type);
  int64_t halves = shape.depth / inStep;
  Type type = panel.type.isF64() ? panel.type : Type(b.getI32Type());
  at(0);
  Value ownOfLane = add(product(warp, group), divide(lane, inStep)), kOfLane = modulo(lane, inStep);
  Fragments result;
  for (int64_t number = 0; number < groups; ++number) {
    SmallVector<Value> &parts = result.emplace_back();
    for (int64_t part = 0; part < 2 * halves; ++part) {
      // Without halves of k, the only bit is that of rows.
      int64_t halfOfRows = halves == 1 ? part : part >> ofRows & 1,
              halfOfK = halves == 1 ? 0 : part >> (1 - ofRows) & 1;
      int64_t own = number * warps * group + halfOfRows * side, k = step * shape.depth + halfOfK * inStep;
      // Lines far enough apart have the same order: one offset serves for all of them.
      at(0);
      Value offset = panel.alongK ? offsetOf(panel, {add(kOfLane, k), ownOfLane})
                                  : offsetOf(panel, {add(ownOfLane, own), kOfLane});
      at(top());
      Value place = elementAt(base, panel.type, offset, (panel.alongK ? own : k) * panel.inner);
      parts.push_back(LLVM::LoadOp::create(b, type, place, panel.elementBytes));
    }
  }
  return result;
}

BlockEmitter::Fragments BlockEmitter::readRows(const BlockPanel &panel, Value base, int64_t step) {
  bool isA = &panel == &blocks->a, isOneByOne = panel.orderStep > 1;
  int64_t groups = (isA ? blocks->rows : blocks->columns) / 16;
  return (this->*(isOneByOne ? &BlockEmitter::readElements : &BlockEmitter::readMatrices))(
      panel, base, step, groups, isA ? threadInM : threadInN, isA ? blocks->threadRows() : blocks->threadColumns(),
      isA ? 0 : 1);
}

static NVVM::MMATypes tensorType(const Reduction &sum, ExprNode *factor, Type element) {
  if (element.isInteger(8))
    return isa<arith::ExtUIOp>(factor->op) ? NVVM::MMATypes::u8 : NVVM::MMATypes::s8;
  return element.isF16()    ? NVVM::MMATypes::f16
         : element.isBF16() ? NVVM::MMATypes::bf16
         : element.isF64()  ? NVVM::MMATypes::f64
                            : NVVM::MMATypes::tf32;
}

/// 16 rows by 8 columns: `sums` are the four that a lane has.
void BlockEmitter::multiplyAdd(ArrayRef<Value> row, ArrayRef<Value> column, MutableArrayRef<Value> sums) {
  TensorShape shape(blocks->a.type);
  const Reduction &reduction = nest->reductions[0];
  Product factors = *matchProduct(*nest);
  if (tensorFactor(reduction, factors.left) != blocks->a.factor)
    std::swap(factors.left, factors.right);
  std::array types{tensorType(reduction, factors.left, blocks->a.type),
                   tensorType(reduction, factors.right, blocks->b.type)};
  multiplyMatrices(shape, types, row, column, sums);
}

void BlockEmitter::multiplyMatrices(const TensorShape &shape, std::array<NVVM::MMATypes, 2> types, ArrayRef<Value> row,
                                    ArrayRef<Value> column, MutableArrayRef<Value> sums) {
  Type sumType = sums[0].getType();
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (sumType.isInteger())
    overflow = NVVM::MMAIntOverflow::wrapped;
  size_t ofSums = sums.size() / shape.halves(), ofRow = row.size() / shape.halves();
  SmallVector<Type> elements(ofSums, sumType);
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), elements);
  for (int64_t half = 0; half < shape.halves(); ++half) {
    MutableArrayRef<Value> part = sums.slice(half * ofSums, ofSums);
    Value products = NVVM::MmaOp::create(b, type, row.slice(half * ofRow, ofRow), column, part,
                                         ArrayRef<int64_t>{shape.rows, 8, shape.depth}, std::nullopt, overflow, types,
                                         std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
    for (auto [number, sum] : llvm::enumerate(part))
      sum = LLVM::ExtractValueOp::create(b, products, number);
  }
}

/// Sums are [16 rows][8 columns][of the 4 that a thread has of those].
void BlockEmitter::multiplyByWarps(Value stage, SmallVectorImpl<Value> &sums) {
  const BlockPanel &left = blocks->a, &right = blocks->b;
  Value columnsBase = panelAt(stage, right);
  for (int64_t step = 0; step < blocks->k.tile / TensorShape(left.type).depth; ++step) {
    Fragments rows = readRows(left, stage, step), columns = readRows(right, columnsBase, step);
    MutableArrayRef<Value> rest(sums);
    for (ArrayRef<Value> row : rows)
      for (int64_t column = 0; column < blocks->columns / 8; ++column) {
        ArrayRef<Value> pair = columns[column / 2];
        multiplyAdd(row, pair.slice(column % 2 * pair.size() / 2, pair.size() / 2), rest.take_front(4));
        rest = rest.drop_front(4);
      }
  }
}

void BlockEmitter::writeSumsOfWarp(ArrayRef<Value> sums, int64_t pass) {
  int64_t rows = blocks->rows / 16 / blocks->passes, columns = blocks->columns / 8, pitch = blocks->resultPitch;
  at(0);
  Value row = add(product(threadInM, 16), divide(lane, 4));
  Value column = add(product(threadInN, 16), product(modulo(lane, 4), 2));
  Value offset = add(product(row, pitch), column);
  at(top());
  Value base = elementAt(shared, blocks->sumType, offset);
  auto pair = VectorType::get({2}, blocks->sumType);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t half = 0; half < 2; ++half) {
        const Value *first = &sums[((pass * rows + i) * columns + j) * 4 + half * 2];
        int64_t place =
            (i * blocks->threadRows() * 16 + half * 8) * pitch + j / 2 * blocks->threadColumns() * 16 + j % 2 * 8;
        LLVM::StoreOp::create(b, vector::FromElementsOp::create(b, pair, ArrayRef(first, 2)),
                              elementAt(base, blocks->sumType, {}, place), 2 * elementStorageBytes(blocks->sumType));
      }
}

//===- Results ----------------------------------------------------------------------------------------------------===//

void BlockEmitter::multiply(Value stage, SmallVectorImpl<Value> &sums) {
  if (blocks->instruction == BlockInstruction::Mma)
    multiplyByWarps(stage, sums);
  else
    multiplyByThreads(stage, sums);
}

void BlockEmitter::writeSums(ArrayRef<Value> sums, int64_t pass) {
  if (blocks->instruction == BlockInstruction::Mma)
    writeSumsOfWarp(sums, pass);
  else
    writeSumsOfThread(sums, pass);
}

/// How results are walked: as many neighbours along n as an access has.
static NestPlan walkOfResults(const BlocksPlan &blocks) {
  NestPlan walk;
  walk.lanes = blocks.lanes;
  if (blocks.lanes > 1) {
    walk.v = blocks.n.innermost();
    walk.aligned = true;
  }
  return walk;
}

Value BlockEmitter::loadSums(Value place) {
  int64_t width = blocks->lanes;
  Type type = width > 1 ? Type(VectorType::get({width}, blocks->sumType)) : blocks->sumType;
  return LLVM::LoadOp::create(b, type, place, width * elementStorageBytes(blocks->sumType));
}

/// Where the sum of a part of k is in the scratch memory: parts one after the other, results in rows.
Value BlockEmitter::placeOfPart(Value part, Value row, Value column) {
  Value index = add(product(part, blocks->batches), batch);
  index = add(product(index, blocks->m.size), row);
  return elementAt(scratch, blocks->sumType, add(product(index, blocks->n.size), column));
}

void BlockEmitter::emitResult(Value sum) {
  Reduction &reduction = nest->reductions[0];
  Value initial = lanes(evaluate(reduction.inits[0], 0, 0)).value;
  at(top());
  sum = combine(reduction, {initial}, {sum})[0];
  values[Key(reduction.results[0], 0, 0)] = {sum, top()};
  emitEpilogue(1);
}

/// What is computed of the sums of a pass, row by row; or they are written down as those of a part of k. `areTotals`:
/// of the sums of all parts, by the last of a tile's blocks, which has its own in shared memory.
void BlockEmitter::emitResults(int64_t pass, bool areTotals) {
  int64_t rows = blocks->m.tile / blocks->passes;
  at(top());
  Value firstRow = add(mLow, pass * rows);
  const BlockDim &m = blocks->m, &n = blocks->n;
  int64_t width = blocks->lanes, vectors = n.tile / width;
  NestPlan walk = walkOfResults(*blocks);
  plan = &walk;
  uCount = vCount = 1;
  scf::ForOp loop = openLoop(-1, thread, i64(rows * vectors), blocks->threads, {});
  at(top());
  Value number = loop.getInductionVar();
  Value row = divide(number, vectors), column = product(modulo(number, vectors), width);
  Value isInside;
  if (m.size % m.tile)
    isInside = isBelow(add(firstRow, row), m.size);
  if (n.size % n.tile) {
    Value isColumn = isBelow(add(nLow, column), n.size);
    isInside = isInside ? arith::AndIOp::create(b, isInside, isColumn).getResult() : isColumn;
  }
  if (isInside)
    openIf(isInside);
  at(top());
  Value place = placeOfSum(row, column), rowIndex = add(firstRow, row), columnIndex = add(nLow, column);
  if (blocks->split > 1 && !areTotals) {
    LLVM::StoreOp::create(b, loadSums(place), placeOfPart(part, rowIndex, columnIndex),
                          width * elementStorageBytes(blocks->sumType));
  } else {
    bind(m, rowIndex, top());
    bind(n, columnIndex, top());
    at(top());
    emitResult(areTotals ? totalOf(rowIndex, columnIndex, place) : loadSums(place));
  }
  if (isInside)
    closeIf();
  closeLoop(loop, {});
  unbind(m);
  unbind(n);
}

/// Parts are added up in order, so that the result is always the same. That of this block may be at `own`.
Value BlockEmitter::totalOf(Value row, Value column, Value own) {
  auto generic = LLVM::LLVMPointerType::get(b.getContext());
  if (own)
    own = LLVM::AddrSpaceCastOp::create(b, generic, own);
  Value total;
  for (int64_t number = 0; number < blocks->split; ++number) {
    Value place = placeOfPart(i64(number), row, column);
    if (own) {
      Value isOwn = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, part, i64(number));
      place = arith::SelectOp::create(b, isOwn, own, place);
    }
    Value sum = loadSums(place);
    total = total ? combine(nest->reductions[0], {total}, {sum})[0] : sum;
  }
  return total;
}

void BlockEmitter::emitFold(LoopNest &theNest, const BlocksPlan &thePlan, Value theScratch, Value item) {
  begin(theNest, thePlan, theScratch);
  const BlockDim &m = blocks->m, &n = blocks->n;
  NestPlan walk = walkOfResults(*blocks);
  plan = &walk;
  uCount = vCount = 1;
  int64_t vectors = n.size / blocks->lanes;
  Value column = product(modulo(item, vectors), blocks->lanes), rest = divide(item, vectors);
  Value row = modulo(rest, m.size);
  batch = divide(rest, m.size);
  placeWork(batch);
  bind(m, row, 0);
  bind(n, column, 0);
  at(0);
  emitResult(totalOf(row, column));
}
