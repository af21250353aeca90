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

/// The rows of `columns`, as many vectors one behind the other. Those of a number that is no prime are those of groups
/// of columns, which are put together then: eight instructions for four columns rather than twelve.
static SmallVector<Value> alternate(ImplicitLocOpBuilder &b, ArrayRef<Value> columns) {
  int64_t lanes = cast<VectorType>(columns[0].getType()).getNumElements(), count = columns.size(), ofGroup = 1;
  for (int64_t divisor = 2; divisor < count && ofGroup == 1; ++divisor)
    if (count % divisor == 0)
      ofGroup = count / divisor;
  SmallVector<Value> grouped;
  for (int64_t first = 0; first < count; first += ofGroup) {
    ArrayRef<Value> group = columns.slice(first, ofGroup);
    llvm::append_range(grouped, ofGroup == 1 ? SmallVector<Value>(group) : alternate(b, group));
  }
  SmallVector<Value> parts;
  for (int64_t part = 0; part < count; ++part) {
    // Where each lane is now, and those vectors in turn.
    SmallVector<std::pair<int64_t, int64_t>> places;
    SmallVector<int64_t> sources;
    for (int64_t element = part * lanes; element < (part + 1) * lanes; ++element) {
      int64_t row = element / count, column = element % count, inGroup = row * ofGroup + column % ofGroup;
      places.emplace_back(column / ofGroup * ofGroup + inGroup / lanes, inGroup % lanes);
      if (!llvm::is_contained(sources, places.back().first))
        sources.push_back(places.back().first);
    }
    Value rows = grouped[sources[0]];
    for (int64_t number = 1; number < static_cast<int64_t>(sources.size()) || number == 1; ++number) {
      int64_t source = sources[std::min<int64_t>(number, sources.size() - 1)];
      SmallVector<int64_t> order;
      for (auto [lane, place] : llvm::enumerate(places))
        order.push_back(place.first == sources[0] && number == 1 ? place.second
                        : place.first == source                  ? lanes + place.second
                                                                 : lane);
      rows = vector::ShuffleOp::create(b, rows, grouped[source], order);
    }
    parts.push_back(rows);
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
  SmallVector<Value> columns;
  for (auto &[value, imaginary] : values) {
    Emitted column = lanes(value);
    at(top());
    columns.push_back(toMemory(b, column.value, first.elementType));
  }
  at(top());
  SmallVector<Value> parts = alternate(b, columns);
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
