// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BlockEmitter's panels. Elements beyond the end of m and n are those at the end, which nobody stores; beyond the end
// of k they are zeros.

#include "mlir_xla/lowering/gpu/BlockEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <numeric>

using namespace mlir;
using namespace mlir::xla;

/// What this thread brings: pieces of neighbours that follow each other go to neighbouring threads.
BlockEmitter::Piece BlockEmitter::pieceOf(const BlockPanel &panel, int64_t number) {
  if (panel.gathers) {
    Piece square = squareOf(panel, number / panel.lanes);
    return {square.inner, add(square.outer, number % panel.lanes)};
  }
  int64_t pieces = panel.inner / panel.lanes, threads = blocks->threads;
  if (threads % pieces == 0)
    return {product(modulo(thread, pieces), panel.lanes), add(divide(thread, pieces), number * (threads / pieces))};
  Value index = add(thread, number * threads);
  return {product(modulo(index, pieces), panel.lanes), divide(index, pieces)};
}

/// Four steps of k of as many rows as a thread reads at once. A warp reads whole sectors, and writes whole pieces.
BlockEmitter::Piece BlockEmitter::squareOf(const BlockPanel &panel, int64_t number) {
  constexpr int64_t together = 8, inPiece = 4;
  int64_t inOuter = panel.outer / panel.lanes, neighbours = std::min(together, inOuter);
  Value index = add(thread, number * blocks->threads);
  Value outer = modulo(index, neighbours), inner = modulo(divide(index, neighbours), inPiece);
  Value rest = divide(index, neighbours * inPiece);
  outer = add(outer, product(modulo(rest, inOuter / neighbours), neighbours));
  inner = add(inner, product(divide(rest, inOuter / neighbours), inPiece));
  return {product(inner, BlockPanel::kSquare), product(outer, panel.lanes)};
}

/// In which order a row has its pieces: the number that theirs are combined with. Where squares are written, every
/// fourth row is, and orders go on behind those that follow each other.
Value BlockEmitter::orderOf(const BlockPanel &panel, Value row) {
  Value line = divide(row, panel.rowsOfLine());
  if (panel.gathers)
    line = arith::XOrIOp::create(b, line, divide(line, panel.orders()));
  return modulo(product(line, panel.orderStep), panel.orders());
}

/// Of an element, from the beginning of the panel.
Value BlockEmitter::offsetOf(const BlockPanel &panel, Piece piece) {
  Value inner = piece.inner;
  if (panel.swizzled) {
    Value number = arith::XOrIOp::create(b, divide(inner, panel.piece()), orderOf(panel, piece.outer));
    inner = add(product(number, panel.piece()), modulo(inner, panel.piece()));
  }
  return add(product(piece.outer, panel.inner), inner);
}

/// Where this thread's piece goes, in a panel at `base`. Pieces whose rows have the same order differ by what an
/// instruction has room for, so they share a register.
Value BlockEmitter::targetOf(const BlockPanel &panel, int64_t number, Value base) {
  int64_t pieces = panel.inner / panel.lanes, first = number, distance = 0;
  if (!panel.gathers && blocks->threads % pieces == 0) {
    int64_t rows = blocks->threads / pieces, period = panel.swizzled ? panel.rowsOfLine() * panel.orders() : 1;
    first = number % (period / std::gcd(period, rows));
    distance = (number - first) * rows * panel.inner;
  }
  at(0);
  Value offset = offsetOf(panel, pieceOf(panel, first));
  at(top());
  return elementAt(base, panel.type, offset, distance);
}

/// Visits this thread's element or lanes at `piece` of the tile at `kLow`, with the factor's dimensions set to their
/// first elements and a plan for the lanes. `isInside` is null if all are inside of k.
void BlockEmitter::visitPiece(const BlockPanel &panel, Value kLow, Value ownOffset, Value kOffset,
                              function_ref<void(Value isInside)> visit) {
  bool isA = &panel == &blocks->a, isAlongK = panel.alongK && !panel.gathers;
  const BlockDim &own = isA ? blocks->m : blocks->n, &k = blocks->k;
  NestPlan walk;
  walk.lanes = panel.lanes;
  if (panel.lanes > 1) {
    walk.v = isAlongK ? k.innermost() : own.innermost();
    walk.aligned = true;
  }
  plan = &walk;
  at(0);
  Value ownIndex = add(isA ? mLow : nLow, ownOffset), isOwn;
  if (own.size % own.tile) {
    // Copies past the registers need not read what is not there.
    if (panel.async && own.size < own.tile)
      isOwn = isBelow(ownIndex, own.size);
    ownIndex = least(ownIndex, own.size - (isAlongK ? 1 : panel.lanes));
  }
  bind(own, ownIndex, 0);
  at(top());
  Value kIndex = add(kLow, kOffset), isInside = isOwn;
  if (k.size % k.tile) {
    isInside = isBelow(kIndex, k.size);
    if (isOwn)
      isInside = arith::AndIOp::create(b, isInside, isOwn);
    kIndex = least(kIndex, k.size - (isAlongK ? panel.lanes : 1));
  }
  if (k.dims.size() > 1 && nest->sizes[k.innermost()] % k.tile == 0) {
    // The whole tile is at one place of the other dimensions, which is so for all threads.
    bind(k, kLow, top());
    iv[k.innermost()] = add(iv[k.innermost()], kOffset);
  } else {
    bind(k, kIndex, top());
  }
  visit(isInside);
  unbind(own);
  unbind(k);
}

void BlockEmitter::forEachPiece(const BlockPanel &panel, Value kLow, function_ref<void(int64_t, Value)> visit) {
  for (int64_t number = 0; number < piecesOf(panel); ++number) {
    at(0);
    Piece piece = pieceOf(panel, number);
    Value own = panel.alongK ? piece.outer : piece.inner, k = panel.alongK ? piece.inner : piece.outer;
    visitPiece(panel, kLow, own, k, [&](Value isInside) { visit(number, isInside); });
  }
}

/// What the factor is there. Beyond the end of k, a zero times a negative one: adding that changes no sum, be it -0.
Value BlockEmitter::valueOf(const BlockPanel &panel, Value isInside) {
  Value value = lanes(evaluate(panel.factor, 0, 0)).value;
  if (!isInside)
    return value;
  Value zero = constant(cast<TypedAttr>(b.getZeroAttr(panel.type)));
  if (&panel == &blocks->b)
    zero = neutral(vector::CombiningKind::ADD, panel.type);
  zero = lanes({zero, 0}).value;
  at(top());
  return arith::SelectOp::create(b, isInside, value, zero);
}

SmallVector<Value> BlockEmitter::load(const BlockPanel &panel, Value kLow) {
  SmallVector<Value> pieces;
  if (!panel.gathers) {
    forEachPiece(panel, kLow, [&](int64_t, Value isInside) { pieces.push_back(valueOf(panel, isInside)); });
    return pieces;
  }
  auto type = VectorType::get({BlockPanel::kSquare}, panel.type);
  for (int64_t number = 0; number < piecesOf(panel) / panel.lanes; ++number) {
    at(0);
    Piece square = squareOf(panel, number);
    SmallVector<Value> steps;
    for (int64_t step = 0; step < BlockPanel::kSquare; ++step) {
      at(0);
      visitPiece(panel, kLow, square.outer, add(square.inner, step),
                 [&](Value isInside) { steps.push_back(valueOf(panel, isInside)); });
    }
    at(top());
    for (int64_t lane = 0; lane < panel.lanes; ++lane) {
      SmallVector<Value> elements;
      for (Value step : steps)
        elements.push_back(panel.lanes > 1 ? vector::ExtractOp::create(b, step, lane).getResult() : step);
      pieces.push_back(vector::FromElementsOp::create(b, type, elements));
    }
  }
  return pieces;
}

/// Only if `condition` holds; else zeros.
SmallVector<Value> BlockEmitter::loadIf(const BlockPanel &panel, Value condition, Value kLow) {
  Type type = panel.width() > 1 ? Type(VectorType::get({panel.width()}, panel.type)) : panel.type;
  Value zero = constant(cast<TypedAttr>(b.getZeroAttr(type)));
  scf::IfOp branch = openIf(condition, SmallVector<Value>(piecesOf(panel), zero));
  SmallVector<Value> pieces = load(panel, kLow);
  closeIf(branch, pieces);
  return pieces;
}

void BlockEmitter::store(const BlockPanel &panel, ArrayRef<Value> pieces, Value base) {
  for (auto [number, value] : llvm::enumerate(pieces)) {
    Value target = targetOf(panel, number, base);
    LLVM::StoreOp::create(b, value, target, panel.width() * panel.elementBytes);
  }
}

/// Past the registers; beyond the end and in padding, nothing is read and zeros are written.
void BlockEmitter::copy(const BlockPanel &panel, Value kLow, Value base) {
  constexpr int32_t pastFirstCache = 16;
  auto bytes = static_cast<int32_t>(panel.lanes * panel.elementBytes);
  auto cache = bytes == pastFirstCache ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
  forEachPiece(panel, kLow, [&](int64_t number, Value isInside) {
    ExprNode *read = panel.read;
    Emitted source = pointer(read->buffer, panel.type, resolve(read->address, 0, 0));
    if (panel.isRead) {
      Value isRead = evaluate(panel.isRead, 0, 0).value;
      at(top());
      isInside = isInside ? arith::AndIOp::create(b, isInside, isRead).getResult() : isRead;
    }
    Value target = targetOf(panel, number, base), count;
    if (isInside)
      count =
          arith::SelectOp::create(b, isInside, constant(b.getI32IntegerAttr(bytes)), constant(b.getI32IntegerAttr(0)));
    Value global = LLVM::AddrSpaceCastOp::create(b, LLVM::LLVMPointerType::get(b.getContext(), 1), source.value);
    NVVM::CpAsyncOp::create(b, target, global, bytes, cache, count);
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
