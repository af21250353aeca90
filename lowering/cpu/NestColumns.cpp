// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a few columns that are computed one by one, each for a vector of rows: they alternate in memory.

#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir_xla/lowering/Storage.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

/// How many of the first `stores` are the columns of one array, in lanes along its rows; 1 if the first is none.
size_t NestEmitter::countColumns(ArrayRef<Store> stores) const {
  const Store &first = stores.front();
  int64_t count = plan->v < 0 || plan->vReduced || plan->lanes == 1 ? 1 : first.address.dims[plan->v];
  if (onDevice || count < 2 || count > kMostColumns || stores.size() < size_t(count) ||
      isa<ComplexType>(first.elementType))
    return 1;
  Address next = first.address;
  for (const Store &store : stores.take_front(count)) {
    if (store.buffer.slot != first.buffer.slot || store.elementType != first.elementType || !(store.address == next))
      return 1;
    ++next.constant;
  }
  return count;
}

/// Vector `part` of the rows of `columns`.
static Value alternate(ImplicitLocOpBuilder &b, ArrayRef<Value> columns, int64_t part) {
  int64_t lanes = cast<VectorType>(columns[0].getType()).getNumElements(), count = columns.size();
  Value rows = columns[0];
  for (int64_t column = 1; column < count; ++column) {
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t element = part * lanes + lane, own = element % count, row = element / count;
      bool isFirst = column == 1 && own == 0;
      order.push_back(own == column ? lanes + row : isFirst ? row : lane);
    }
    rows = vector::ShuffleOp::create(b, rows, columns[column], order);
  }
  return rows;
}

/// Of four columns, two pairs of which each is one vector of rows: eight instructions rather than twelve.
static SmallVector<Value> alternateByPairs(ImplicitLocOpBuilder &b, ArrayRef<Value> columns) {
  int64_t lanes = cast<VectorType>(columns[0].getType()).getNumElements();
  SmallVector<Value> parts;
  for (int64_t half = 0; half < 2; ++half) {
    Value first = alternate(b, columns.take_front(2), half), second = alternate(b, columns.drop_front(2), half);
    for (int64_t part = 0; part < 2; ++part) {
      SmallVector<int64_t> order;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        int64_t row = (part * lanes + lane) / 4, column = lane % 4;
        order.push_back(column < 2 ? 2 * row + column : lanes + 2 * row + column - 2);
      }
      parts.push_back(vector::ShuffleOp::create(b, first, second, order));
    }
  }
  return parts;
}

/// The lanes of vector `part` that belong to rows of which `mask` has the lanes. Null if there are none.
Value NestEmitter::maskOfPart(Value mask, int64_t count, int64_t part) {
  int64_t lanes = cast<VectorType>(mask.getType()).getNumElements();
  SmallVector<int64_t> rows;
  for (int64_t lane = 0; lane < lanes; ++lane)
    rows.push_back((part * lanes + lane) / count);
  DenseElementsAttr bits;
  if (!matchPattern(mask, m_Constant(&bits)))
    return vector::ShuffleOp::create(b, mask, mask, rows);
  auto inside = bits.getValues<bool>();
  SmallVector<bool> written = llvm::map_to_vector(rows, [&](int64_t row) { return bool(inside[row]); });
  if (!llvm::is_contained(written, true))
    return Value();
  return constant(DenseElementsAttr::get(cast<VectorType>(mask.getType()), written));
}

/// Writes vector `vo` of rows: as many vectors as there are columns, one behind the other.
void NestEmitter::emitColumns(ArrayRef<Store> stores, ArrayRef<std::pair<Emitted, Emitted>> values, unsigned uo,
                              unsigned vo) {
  const Store &first = stores.front();
  storing.insert(first.buffer.slot);
  Type memory = memoryType(first.elementType);
  unsigned alignment = elementAlignment(memory);
  LaneAddress address = resolve(first.address, uo, vo);
  Emitted base = pointer(first.buffer, memory, address);
  SmallVector<Value> columns, parts;
  for (auto &[value, imaginary] : values) {
    Emitted column = lanes(value);
    at(top());
    columns.push_back(toMemory(b, column.value, first.elementType));
  }
  at(top());
  if (columns.size() == 4 && plan->lanes >= 4)
    parts = alternateByPairs(b, columns);
  else
    for (size_t part = 0; part < columns.size(); ++part)
      parts.push_back(alternate(b, columns, part));
  Value mask = maskOf(vo);
  for (auto [part, stored] : llvm::enumerate(parts)) {
    Value inside = mask ? maskOfPart(mask, columns.size(), part) : Value();
    if (mask && !inside)
      continue;
    Value to = elementAt(base.value, memory, {}, part * plan->lanes);
    if (mask)
      LLVM::MaskedStoreOp::create(b, stored, to, inside, b.getI32IntegerAttr(alignment));
    else
      LLVM::StoreOp::create(b, stored, to, alignment);
  }
}
