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
  scf::ForOp loop = openLoop(-1, i64(0), i64(blocks->k.tile / left.piece()), 1, sums, /*nonEmpty=*/true);
  sums.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  at(top());
  Value piece = loop.getInductionVar(), columns = panelAt(stage, right);
  auto rowsOfA = readFragments(left, stage, piece, blocks->rows, threadInM, blocks->threadRows());
  auto columnsOfB = readFragments(right, columns, piece, blocks->columns, threadInN, blocks->threadColumns());
  for (auto [rows, columns] : llvm::zip_equal(rowsOfA, columnsOfB))
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
  closeLoop(loop, sums);
  sums.assign(loop.getResults().begin(), loop.getResults().end());
}

/// Puts the rows of this pass into shared memory.
void BlockEmitter::writeSumsOfThread(ArrayRef<Value> sums, int64_t pass) {
  const BlockPanel &left = blocks->a, &right = blocks->b;
  int64_t rows = blocks->rows / blocks->passes, pitch = blocks->resultPitch;
  int64_t pieceOfRows = left.alongK ? 1 : std::min(left.piece(), blocks->rows);
  int64_t pieceOfColumns = right.alongK ? 1 : std::min(right.piece(), blocks->columns);
  at(0);
  Value offset = add(product(product(threadInM, pieceOfRows), pitch), product(threadInN, pieceOfColumns));
  at(top());
  Value base = elementAt(shared, blocks->sumType, offset);
  auto type = VectorType::get({pieceOfColumns}, blocks->sumType);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < blocks->columns; j += pieceOfColumns) {
      const Value *first = &sums[(pass * rows + i) * blocks->columns + j];
      Value stored = *first;
      if (pieceOfColumns > 1)
        stored = vector::FromElementsOp::create(b, type, ArrayRef(first, pieceOfColumns));
      int64_t row = i / pieceOfRows * pieceOfRows * blocks->threadRows() + i % pieceOfRows;
      LLVM::StoreOp::create(b, stored, elementAt(base, blocks->sumType, {}, row * pitch + j * blocks->threadColumns()),
                            pieceOfColumns * right.elementBytes);
    }
}

//===- Tensor cores -----------------------------------------------------------------------------------------------===//

/// For a step of 16 along k, four matrices of 8x8 for each 16 rows of the panel: `ofRows` is the bit of a matrix's
/// number that says which half of the rows it has; the other one is for k. Groups of 16 rows are dealt to warps in
/// turn.
SmallVector<SmallVector<Value>> BlockEmitter::readMatrices(const BlockPanel &panel, Value base, int64_t step,
                                                           int64_t groups, Value warp, int64_t warps, unsigned ofRows) {
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
  SmallVector<SmallVector<Value>> result;
  Type i32 = b.getI32Type();
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32, i32, i32});
  auto shape = NVVM::LdStMatrixShapeAttr::get(b.getContext(), side, side);
  constexpr auto element = NVVM::LdStMatrixEltType::B16;
  for (int64_t number = 0; number < groups; ++number) {
    at(0);
    Value piece = add(inner, panel.alongK ? step * 2 : number * warps * 2);
    Value offset = add(rowOffset, product(arith::XOrIOp::create(b, piece, order), side));
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

/// Sums are [16 rows][8 columns][of the 4 that a thread has of those].
void BlockEmitter::multiplyByWarps(Value stage, SmallVectorImpl<Value> &sums) {
  const BlockPanel &left = blocks->a, &right = blocks->b;
  Type f32 = b.getF32Type();
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32});
  auto multiplied = left.type.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  Value base = stage, columnsBase = panelAt(stage, right);
  for (int64_t step = 0; step < blocks->k.tile / 16; ++step) {
    auto rows = readMatrices(left, base, step, blocks->rows / 16, threadInM, blocks->threadRows(), /*ofRows=*/0);
    auto columns =
        readMatrices(right, columnsBase, step, blocks->columns / 16, threadInN, blocks->threadColumns(), /*ofRows=*/1);
    MutableArrayRef<Value> rest(sums);
    for (auto &row : rows)
      for (int64_t column = 0; column < blocks->columns / 8; ++column) {
        MutableArrayRef<Value> four = rest.take_front(4);
        rest = rest.drop_front(4);
        Value products = NVVM::MmaOp::create(b, type, row, ArrayRef(columns[column / 2]).slice(column % 2 * 2, 2), four,
                                             ArrayRef<int64_t>{16, 8, 16}, std::nullopt, std::nullopt,
                                             std::array{multiplied, multiplied},
                                             std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
        for (auto [part, sum] : llvm::enumerate(four))
          sum = LLVM::ExtractValueOp::create(b, products, part);
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
                              elementAt(base, blocks->sumType, {}, place), 8);
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

/// What is computed of the sums of a pass, row by row.
void BlockEmitter::emitResults(int64_t pass) {
  const BlockDim &m = blocks->m, &n = blocks->n;
  Reduction &reduction = nest->reductions[0];
  int64_t rows = m.tile / blocks->passes, width = blocks->lanes, vectors = n.tile / width;
  NestPlan walk;
  walk.lanes = width;
  if (width > 1) {
    walk.v = n.innermost();
    walk.aligned = true;
  }
  plan = &walk;
  uCount = vCount = 1;
  scf::ForOp loop = openLoop(-1, thread, i64(rows * vectors), blocks->threads, {});
  at(top());
  Value number = loop.getInductionVar();
  Value row = divide(number, vectors), column = product(modulo(number, vectors), width);
  Value rowIndex = add(add(mLow, pass * rows), row), columnIndex = add(nLow, column);
  Value isInside;
  if (m.size % m.tile)
    isInside = isBelow(rowIndex, m.size);
  if (n.size % n.tile) {
    Value isColumn = isBelow(columnIndex, n.size);
    isInside = isInside ? arith::AndIOp::create(b, isInside, isColumn).getResult() : isColumn;
  }
  Value place = elementAt(shared, blocks->sumType, add(product(row, blocks->resultPitch), column));
  if (isInside)
    openIf(isInside);
  bind(m, rowIndex, top());
  bind(n, columnIndex, top());
  Value initial = lanes(evaluate(reduction.inits[0], 0, 0)).value;
  at(top());
  Type type = width > 1 ? Type(VectorType::get({width}, blocks->sumType)) : blocks->sumType;
  Value sum = LLVM::LoadOp::create(b, type, place, width * elementStorageBytes(blocks->sumType));
  sum = combine(reduction, {initial}, {sum})[0];
  values[Key(reduction.results[0], 0, 0)] = {sum, top()};
  emitEpilogue(1);
  if (isInside)
    closeIf();
  closeLoop(loop, {});
  unbind(m);
  unbind(n);
}
