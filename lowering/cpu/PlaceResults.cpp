// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which result of a kernel may live in the memory of which argument: what each way of walking a nest says of the order
// in which it reads and writes, and what follows from that and from the addresses.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/NestPlan.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// What NestEmitter does with a nest, as far as the order of reads and writes is concerned. Masks change nothing: a
/// lane that is not stored may be read, but of a panel, whose elements lie elsewhere than those of a result.
enum class Walk { Elementwise, Transposed, Reduction, ReductionWithStores, Scan, Overlapping, InMemory };

/// What may be assumed. The default is nothing.
struct AccessOrder {
  /// An iteration of the parallel and the ordered dimensions is done once, and reads all that it reads before it
  /// writes.
  bool readsFirst = false;
  /// Writes to a row come after everything that earlier nests of the kernel read in that row.
  bool followsRow = false;
};
} // namespace

static Walk walkOf(const LoopNest &nest, const NestPlan &plan) {
  if (plan.inMemory)
    return Walk::InMemory;
  if (plan.uOverlaps)
    return Walk::Overlapping;
  if (nest.isScan())
    return Walk::Scan;
  if (!nest.reductions.empty())
    return nest.stores.empty() ? Walk::Reduction : Walk::ReductionWithStores;
  return plan.chunk > 1 ? Walk::Transposed : Walk::Elementwise;
}

static AccessOrder accessOrder(Walk walk) {
  AccessOrder order;
  switch (walk) {
  case Walk::Elementwise: // the values of a vector or a scalar are all known before the first is stored
  case Walk::Transposed:  // a tile is read before any of its elements is stored
  case Walk::Scan:        // a step reads its elements, and stores in the same step
  case Walk::Reduction:   // stores are in the epilogue, after the last read
    order.readsFirst = true;
    order.followsRow = true;
    break;
  case Walk::ReductionWithStores: // each step stores, and the epilogue reads once more
    order.followsRow = true;
    break;
  case Walk::Overlapping: // reads again what an earlier step may have written
  case Walk::InMemory:    // writes with the first row that it reads, and the epilogue reads later
    break;
  }
  return order;
}

/// True if in every row the nest's iterations of `load` stay within that row of the tensor that it reads, where rows of
/// the kernel lie like those of `store`.
static bool staysInRow(const Address &load, const Address &store, const LoopNest &nest, size_t rows) {
  if (!load.symbols.empty() || !load.nonlinear.empty())
    return false;
  // Rows are the leading dimensions: the innermost has the least stride.
  int64_t rowSize = std::numeric_limits<int64_t>::max(), low = load.constant, high = load.constant;
  for (auto [dim, stride] : llvm::enumerate(load.dims)) {
    if (dim >= rows) {
      (stride < 0 ? low : high) += stride * (nest.sizes[dim] - 1);
      continue;
    }
    if (stride != store.dims[dim])
      return false;
    if (nest.sizes[dim] > 1)
      rowSize = std::min(rowSize, stride);
  }
  return low >= 0 && high < rowSize;
}

namespace {
/// Where a result is written last.
struct Writer {
  const Store *store = nullptr;
  size_t nest = 0;
  SmallVector<Address, 1> places; // of all stores of that nest
};
} // namespace

static Writer writerOf(const KernelNests &kernel, unsigned result) {
  Writer writer;
  for (auto [n, nest] : llvm::enumerate(kernel.nests)) {
    auto look = [&, n = n](const Store &store) {
      if (store.buffer.slot != kernel.resultSlots[result])
        return;
      if (n != writer.nest)
        writer.places.clear();
      writer.store = &store;
      writer.nest = n;
      writer.places.push_back(store.address);
    };
    llvm::for_each(llvm::concat<const Store>(nest.stores, nest.epilogue), look);
    for (const Reduction &reduction : nest.reductions)
      for (const std::optional<Store> &store : reduction.stores)
        if (store)
          look(*store);
  }
  return writer;
}

SmallVector<ResultMemory> mlir::xla::placeResults(const KernelNests &kernel, ArrayRef<NestPlan> plans,
                                                  func::FuncOp func) {
  SmallVector<ResultMemory> memory(func.getNumResults());
  llvm::SmallBitVector taken(func.getNumArguments());
  for (auto [result, tied] : llvm::enumerate(kernel.tied))
    if (tied >= 0) {
      memory[result] = {ResultMemory::Updates, static_cast<unsigned>(tied)};
      taken.set(tied);
    }
  size_t rows = kernel.rows.size() + (kernel.block != 0);
  auto choose = [&](unsigned result, function_ref<bool(Type, Type)> fits) {
    Writer writer = writerOf(kernel, result);
    if (!writer.store || memory[result].kind != ResultMemory::New)
      return;
    AccessOrder order = accessOrder(walkOf(kernel.nests[writer.nest], plans[writer.nest]));
    auto isReadBefore = [&](size_t n, const Address &load) {
      if (n == writer.nest)
        return order.readsFirst && llvm::is_contained(writer.places, load);
      return n < writer.nest && order.followsRow && staysInRow(load, writer.store->address, kernel.nests[n], rows);
    };
    for (unsigned arg = 0; arg < func.getNumArguments(); ++arg) {
      if (taken.test(arg) || !fits(func.getArgumentTypes()[arg], func.getResultTypes()[result]))
        continue;
      bool isSafe = true;
      for (auto [n, nest] : llvm::enumerate(kernel.nests))
        for (ExprNode *load : nest.loads)
          isSafe &= static_cast<int>(load->buffer.slot) != kernel.argumentSlots[arg] || isReadBefore(n, load->address);
      if (!isSafe)
        continue;
      memory[result] = {ResultMemory::MayReuse, arg};
      taken.set(arg);
      break;
    }
  };
  // The last block may do some rows twice.
  if (kernel.block != 0 && kernel.rows.back() % kernel.block != 0)
    return memory;
  // Arguments of a result's own type first: they may be what a loop carries on.
  for (unsigned result = 0; result < func.getNumResults(); ++result)
    choose(result, std::equal_to<Type>());
  for (unsigned result = 0; result < func.getNumResults(); ++result)
    choose(result, haveSamePlaces);
  return memory;
}
