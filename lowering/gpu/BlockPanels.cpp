// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BlockEmitter's panels. Elements beyond the end of m and n are those at the end, which nobody stores; beyond the end
// of k they are zeros.

#include "mlir_xla/lowering/gpu/BlockEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

/// What this thread brings: pieces of neighbours that follow each other go to neighbouring threads.
BlockEmitter::Piece BlockEmitter::pieceOf(const BlockPanel &panel, int64_t number) {
  int64_t pieces = panel.inner / panel.lanes, threads = blocks->threads;
  if (threads % pieces == 0)
    return {product(modulo(thread, pieces), panel.lanes), add(divide(thread, pieces), number * (threads / pieces))};
  Value index = add(thread, number * threads);
  return {product(modulo(index, pieces), panel.lanes), divide(index, pieces)};
}

/// In which order a row has its pieces: the number that theirs are combined with.
Value BlockEmitter::orderOf(const BlockPanel &panel, Value row) {
  return modulo(divide(row, panel.rowsOfLine()), panel.orders());
}

/// Of a piece, in elements from the beginning of the panel.
Value BlockEmitter::offsetOf(const BlockPanel &panel, int64_t number) {
  at(0);
  auto [inner, outer] = pieceOf(panel, number);
  if (panel.swizzled) {
    Value piece = arith::XOrIOp::create(b, divide(inner, panel.piece()), orderOf(panel, outer));
    inner = add(product(piece, panel.piece()), modulo(inner, panel.piece()));
  }
  return add(product(outer, panel.inner), inner);
}

/// Visits the pieces that this thread brings of the tile at `kLow`, with the factor's dimensions set to their first
/// elements and a plan for their lanes. `isInside` is null if all are inside of k.
void BlockEmitter::forEachPiece(const BlockPanel &panel, Value kLow, function_ref<void(int64_t, Value)> visit) {
  bool isA = &panel == &blocks->a;
  const BlockDim &own = isA ? blocks->m : blocks->n, &k = blocks->k;
  NestPlan walk;
  walk.lanes = panel.lanes;
  if (panel.lanes > 1) {
    walk.v = panel.alongK ? k.innermost() : own.innermost();
    walk.aligned = true;
  }
  plan = &walk;
  for (int64_t number = 0; number < piecesOf(panel); ++number) {
    at(0);
    Piece piece = pieceOf(panel, number);
    Value ownIndex = add(isA ? mLow : nLow, panel.alongK ? piece.outer : piece.inner);
    if (own.size % own.tile)
      ownIndex = least(ownIndex, own.size - (panel.alongK ? 1 : panel.lanes));
    bind(own, ownIndex, 0);
    at(top());
    Value kIndex = add(kLow, panel.alongK ? piece.inner : piece.outer), isInside;
    if (k.size % k.tile) {
      isInside = isBelow(kIndex, k.size);
      kIndex = least(kIndex, k.size - (panel.alongK ? panel.lanes : 1));
    }
    bind(k, kIndex, top());
    visit(number, isInside);
    unbind(own);
    unbind(k);
  }
}

/// Beyond the end of k, a zero times a negative one: adding that changes no sum, be it -0.
SmallVector<Value> BlockEmitter::load(const BlockPanel &panel, Value kLow) {
  SmallVector<Value> pieces;
  forEachPiece(panel, kLow, [&](int64_t, Value isInside) {
    Value value = lanes(evaluate(panel.factor, 0, 0)).value;
    if (isInside) {
      Value zero = constant(cast<TypedAttr>(b.getZeroAttr(panel.type)));
      if (&panel == &blocks->b)
        zero = neutral(vector::CombiningKind::ADD, panel.type);
      zero = lanes({zero, 0}).value;
      at(top());
      value = arith::SelectOp::create(b, isInside, value, zero);
    }
    pieces.push_back(value);
  });
  return pieces;
}

/// Only if `condition` holds; else zeros.
SmallVector<Value> BlockEmitter::loadIf(const BlockPanel &panel, Value condition, Value kLow) {
  at(top());
  Type type = panel.lanes > 1 ? Type(VectorType::get({panel.lanes}, panel.type)) : panel.type;
  SmallVector<Type> types(piecesOf(panel), type);
  auto branch = scf::IfOp::create(b, types, condition, /*withElseRegion=*/true);
  moveTo(branch->getBlock(), Block::iterator(branch));
  levels.push_back(OpBuilder::InsertPoint(branch.thenBlock(), branch.thenBlock()->end()));
  SmallVector<Value> pieces = load(panel, kLow);
  at(top());
  scf::YieldOp::create(b, pieces);
  forget(top());
  levels.pop_back();
  moveTo(branch->getBlock(), std::next(Block::iterator(branch)));
  Value zero = constant(cast<TypedAttr>(b.getZeroAttr(type)));
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, SmallVector<Value>(types.size(), zero));
  return SmallVector<Value>(branch.getResults());
}

void BlockEmitter::store(const BlockPanel &panel, ArrayRef<Value> pieces, Value base) {
  for (auto [number, value] : llvm::enumerate(pieces)) {
    Value offset = offsetOf(panel, number);
    at(top());
    LLVM::StoreOp::create(b, value, elementAt(base, panel.type, offset), panel.lanes * panel.elementBytes);
  }
}

/// Past the registers, 16 bytes at a time; beyond the end of k, nothing is read and zeros are written.
void BlockEmitter::copy(const BlockPanel &panel, Value kLow, Value base) {
  constexpr int32_t bytes = 16;
  forEachPiece(panel, kLow, [&](int64_t number, Value isInside) {
    ExprNode *factor = panel.factor;
    Emitted source = pointer(factor->buffer, panel.type, resolve(factor->address, 0, 0));
    Value offset = offsetOf(panel, number);
    at(top());
    Value target = elementAt(base, panel.type, offset), count;
    if (isInside)
      count =
          arith::SelectOp::create(b, isInside, constant(b.getI32IntegerAttr(bytes)), constant(b.getI32IntegerAttr(0)));
    Value global = LLVM::AddrSpaceCastOp::create(b, LLVM::LLVMPointerType::get(b.getContext(), 1), source.value);
    NVVM::CpAsyncOp::create(b, target, global, bytes, NVVM::LoadCacheModifierKind::CG, count);
  });
}

/// Rows along k are `threads` apart, and are read a piece at a time. Otherwise a thread has whole pieces of neighbours.
SmallVector<SmallVector<Value>> BlockEmitter::readFragments(const BlockPanel &panel, Value base, Value piece,
                                                            int64_t count, Value own, int64_t threads) {
  int64_t steps = panel.piece(), width = panel.alongK ? steps : std::min(steps, count);
  auto type = VectorType::get({width}, panel.type);
  int64_t alignment = width * panel.elementBytes;
  SmallVector<SmallVector<Value>> fragments(steps);
  if (panel.alongK) {
    int64_t period = panel.rowsOfLine() * panel.orders();
    for (int64_t i = 0; i < count; ++i) {
      at(0);
      Value order = orderOf(panel, add(own, i * threads % period)), row = product(own, panel.inner);
      at(top());
      Value place = product(arith::XOrIOp::create(b, piece, order), steps);
      place = elementAt(elementAt(base, panel.type, row), panel.type, place, i * threads * panel.inner);
      Value elements = LLVM::LoadOp::create(b, type, place, alignment);
      for (int64_t step = 0; step < steps; ++step)
        fragments[step].push_back(vector::ExtractOp::create(b, elements, step));
    }
    return fragments;
  }
  at(0);
  Value first = product(own, width);
  at(top());
  Value place = elementAt(elementAt(base, panel.type, first), panel.type, product(piece, steps * panel.inner));
  for (int64_t step = 0; step < steps; ++step)
    for (int64_t i = 0; i < count; i += width) {
      Value elements =
          LLVM::LoadOp::create(b, type, elementAt(place, panel.type, {}, step * panel.inner + i * threads), alignment);
      for (int64_t lane = 0; lane < width; ++lane)
        fragments[step].push_back(vector::ExtractOp::create(b, elements, lane));
    }
  return fragments;
}
