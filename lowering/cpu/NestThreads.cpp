// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's teams: on a GPU, neighbouring threads that do an item of work together, a warp or a block.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir_xla/lowering/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace mlir::xla;

static constexpr int64_t kWarp = GpuMachine::warp;
/// The address space that a block of threads shares.
static constexpr unsigned kShared = 3;

/// What lies in shared memory for a value of `type`: complex numbers as their parts.
Type NestEmitter::sharedType(Type type) {
  if (auto complexType = dyn_cast<ComplexType>(type))
    return LLVM::LLVMStructType::getLiteral(type.getContext(),
                                            {complexType.getElementType(), complexType.getElementType()});
  return memoryType(type);
}

void NestEmitter::findThread() {
  if (threadInTeam)
    return;
  at(0);
  Value thread = arith::IndexCastOp::create(b, b.getI64Type(), gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  threadInTeam = arith::RemUIOp::create(b, thread, i64(plan->threads));
  warpInTeam = arith::DivUIOp::create(b, threadInTeam, i64(kWarp));
  laneInWarp = arith::RemUIOp::create(b, threadInTeam, i64(kWarp));
}

/// Where a thread begins in a dimension of which its team begins at `lower`.
Value NestEmitter::dealt(Value lower) {
  findThread();
  at(top());
  Value number = plan->columns >= 0 ? warpInTeam : threadInTeam;
  return arith::AddIOp::create(b, lower, plan->dealsVectors() ? product(number, plan->lanes) : number);
}

/// The column of a thread. Those behind the last one do what the last one does, and store nothing.
void NestEmitter::bindColumn(WorkBlocks blocks) {
  int dim = plan->columns;
  findThread();
  at(top());
  Value column = blocks.index ? sum(product(blocks.index, NestPlan::kColumns), laneInWarp) : laneInWarp;
  isColumn = {};
  if (int64_t size = nest->sizes[dim]; size % NestPlan::kColumns) {
    isColumn = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, column, i64(size));
    column = arith::MinSIOp::create(b, column, i64(size - 1));
  }
  iv[dim] = column;
  ivLevel[dim] = top();
}

//===- Where threads meet -----------------------------------------------------------------------------------------===//

/// Rows and items of work are the same for all threads, rows of a block are not: threads may be at different ones.
static SmallVector<int64_t, 6> sizesOf(const LoopNest &nest) {
  SmallVector<int64_t, 6> sizes(nest.sizes.begin(), nest.sizes.end());
  int64_t rows = nest.rows.count() - (nest.rowsPerBlock > 1 && nest.sizes[nest.rows.find_last()] == nest.rowsPerBlock);
  for (int64_t dim = 0; dim < rows; ++dim)
    sizes[dim] = 1;
  return sizes;
}

NestEmitter::TeamAccess NestEmitter::accessOf(const LoopNest &nest, const NestPlan &plan, const Store &store,
                                              bool isOnce) const {
  return {store.buffer.slot, store.address,    store.elementType, isOnce || nest.isScan() ? -1 : plan.t,
          plan.lanes,        /*isStore=*/true, sizesOf(nest)};
}

std::vector<NestEmitter::TeamAccess> NestEmitter::loadsOf(const LoopNest &nest, const NestPlan &plan) const {
  std::vector<TeamAccess> loads;
  for (ExprNode *node : nest.nodes())
    if (node->kind == ExprNode::Load && llvm::none_of(nest.reductions, [&](const Reduction &reduction) {
          return reduction.partial && reduction.partial->value == node; // nobody reads that
        })) {
      bool isDealt = plan.t >= 0 && !nest.isScan() && node->deps.test(plan.t);
      loads.push_back({node->buffer.slot, node->address, node->type, isDealt ? plan.t : -1, plan.lanes,
                       /*isStore=*/false, sizesOf(nest)});
    }
  return loads;
}

/// An element that both access is at the same iteration of the dealt dimension, and so the same thread's: addresses
/// are equal, and each belongs to one iteration.
bool NestEmitter::isSameThread(const TeamAccess &before, const TeamAccess &after) {
  const Address &address = before.address;
  if (before.t < 0 || before.t != after.t || before.lanes != after.lanes || !(address == after.address) ||
      !address.symbols.empty() || !address.nonlinear.empty() || before.type != after.type ||
      address.dims[before.t] == 0)
    return false;
  SmallVector<std::pair<int64_t, int64_t>> strides;
  for (auto [dim, stride] : llvm::enumerate(address.dims)) {
    if (stride == 0)
      continue;
    if (before.sizes[dim] != after.sizes[dim])
      return false;
    if (before.sizes[dim] > 1)
      strides.emplace_back(std::abs(stride), before.sizes[dim]);
  }
  llvm::sort(strides);
  int64_t span = 1;
  for (auto [stride, size] : strides) {
    if (stride < span)
      return false;
    span = stride * size;
  }
  return true;
}

/// Each row of a block has a part of the memory, and both stay in it.
bool NestEmitter::areRowsApart(const TeamAccess &before, const TeamAccess &after, unsigned rowInBlock) {
  auto isInRow = [&](const TeamAccess &access, int64_t row) {
    int64_t last = access.address.constant;
    if (last < 0 || !access.address.symbols.empty() || !access.address.nonlinear.empty())
      return false;
    for (auto [dim, stride] : llvm::enumerate(access.address.dims)) {
      if (stride < 0)
        return false;
      last += dim == rowInBlock ? 0 : stride * (access.sizes[dim] - 1);
    }
    return last < row;
  };
  int64_t row = before.address.dims[rowInBlock];
  return row == after.address.dims[rowInBlock] && before.type == after.type && isInRow(before, row) &&
         isInRow(after, row);
}

void NestEmitter::meetBefore(ArrayRef<LoopNest> nests, ArrayRef<NestPlan> plans, bool isNextRow) {
  auto mayMeet = [&](const TeamAccess &after, unsigned rowInBlock) {
    return llvm::any_of(unmet, [&](const TeamAccess &before) {
      return before.slot == after.slot && (before.isStore || after.isStore) && !isSameThread(before, after) &&
             !(isNextRow && areRowsApart(before, after, rowInBlock));
    });
  };
  bool meet = false;
  for (auto [nest, plan] : llvm::zip_equal(nests, plans)) {
    std::vector<TeamAccess> accesses = loadsOf(nest, plan);
    bool isEachThreads = plan.dealsResults();
    for (const Store &store : nest.stores)
      accesses.push_back(accessOf(nest, plan, store, /*isOnce=*/plan.t < 0));
    for (const Store &store : nest.epilogue)
      accesses.push_back(accessOf(nest, plan, store, !isEachThreads));
    for (const Reduction &reduction : nest.reductions)
      for (const std::optional<Store> &store : reduction.stores)
        if (store)
          accesses.push_back(accessOf(nest, plan, *store, !isEachThreads));
    unsigned rowInBlock = nest.rows.find_last();
    meet |= llvm::any_of(accesses, [&](const TeamAccess &access) { return mayMeet(access, rowInBlock); });
  }
  if (meet)
    synchronize();
}

void NestEmitter::synchronize() {
  unmet.clear();
  at(top());
  if (plan->threads == kWarp)
    NVVM::SyncWarpOp::create(b, constant(b.getI32IntegerAttr(-1)));
  else
    gpu::BarrierOp::create(b);
}

/// The address of `count` elements that the block shares.
Value NestEmitter::sharedMemory(Type element, int64_t count) {
  return memoryOfModule("shared", element, count, Attribute(), kShared);
}

/// The address of memory that comes with the module: of global memory, it begins with a line.
Value NestEmitter::memoryOfModule(StringRef name, Type element, int64_t count, Attribute initial, unsigned space) {
  auto module = b.getBlock()->getParent()->getParentOfType<ModuleOp>();
  OpBuilder detached(b.getContext());
  auto global = LLVM::GlobalOp::create(detached, b.getLoc(), LLVM::LLVMArrayType::get(element, count),
                                       /*isConstant=*/false, LLVM::Linkage::Internal, name, initial,
                                       /*alignment=*/space == kShared ? 16 : 128, space);
  SymbolTable(module).insert(global, module.getBody()->begin());
  at(0);
  return LLVM::AddressOfOp::create(b, global);
}

void NestEmitter::storeShared(Value value, Value place) {
  auto complexType = dyn_cast<ComplexType>(value.getType());
  if (!complexType) {
    LLVM::StoreOp::create(b, toMemory(b, value, value.getType()), place);
    return;
  }
  Type part = complexType.getElementType();
  Value second = LLVM::GEPOp::create(b, place.getType(), part, place, ArrayRef<LLVM::GEPArg>{1});
  LLVM::StoreOp::create(b, complex::ReOp::create(b, value), place);
  LLVM::StoreOp::create(b, complex::ImOp::create(b, value), second);
}

Value NestEmitter::loadShared(Type type, Value place) {
  auto complexType = dyn_cast<ComplexType>(type);
  if (!complexType)
    return fromMemory(LLVM::LoadOp::create(b, memoryType(type), place), type);
  Type part = complexType.getElementType();
  Value second = LLVM::GEPOp::create(b, place.getType(), part, place, ArrayRef<LLVM::GEPArg>{1});
  Value re = LLVM::LoadOp::create(b, part, place), im = LLVM::LoadOp::create(b, part, second);
  return complex::CreateOp::create(b, complexType, re, im);
}

/// The value of another thread of the warp, as `mode` and `distance` say, in words of 32 bits.
Value NestEmitter::shuffle(ImplicitLocOpBuilder &b, Value value, int64_t distance, gpu::ShuffleMode mode) {
  Type type = value.getType(), i32 = b.getI32Type();
  if (auto complexType = dyn_cast<ComplexType>(type)) {
    Value re = shuffle(b, complex::ReOp::create(b, value), distance, mode);
    Value im = shuffle(b, complex::ImOp::create(b, value), distance, mode);
    return complex::CreateOp::create(b, complexType, re, im);
  }
  unsigned width = type.getIntOrFloatBitWidth(), words = llvm::divideCeil(width, 32);
  Type bits = b.getIntegerType(width), wide = b.getIntegerType(words * 32);
  if (!type.isInteger())
    value = arith::BitcastOp::create(b, bits, value);
  if (wide != bits)
    value = arith::ExtUIOp::create(b, wide, value);
  Value result;
  for (unsigned word = 0; word < words; ++word) {
    Value part = value;
    Value places;
    if (words > 1) {
      places = arith::ConstantIntOp::create(b, wide, word * 32);
      part = arith::TruncIOp::create(b, i32, arith::ShRUIOp::create(b, value, places));
    }
    part = gpu::ShuffleOp::create(b, part, distance, kWarp, mode).getShuffleResult();
    if (words > 1)
      part = arith::ShLIOp::create(b, arith::ExtUIOp::create(b, wide, part), places);
    result = result ? arith::OrIOp::create(b, result, part).getResult() : part;
  }
  if (wide != bits)
    result = arith::TruncIOp::create(b, bits, result);
  return type.isInteger() ? result : arith::BitcastOp::create(b, type, result).getResult();
}

/// What all threads have, folded; each thread gets the result. Those with the lower numbers come first.
SmallVector<Value> NestEmitter::foldThreads(Reduction &reduction, SmallVector<Value> values) {
  if (plan->columns >= 0)
    return foldWarps(reduction, std::move(values));
  for (int64_t distance = 1; distance < kWarp; distance *= 2) {
    at(top());
    Value isUpper = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                          arith::AndIOp::create(b, threadInTeam, i64(distance)), i64(0));
    SmallVector<Value> lower, upper;
    for (Value value : values) {
      Value other = shuffle(b, value, distance, gpu::ShuffleMode::XOR);
      lower.push_back(arith::SelectOp::create(b, isUpper, other, value));
      upper.push_back(arith::SelectOp::create(b, isUpper, value, other));
    }
    values = merge(reduction, lower, upper);
  }
  return plan->threads == kWarp ? values : foldWarps(reduction, std::move(values));
}

/// What the warps of a block have, folded, the first warp's first; that of a column, or of a whole warp.
SmallVector<Value> NestEmitter::foldWarps(Reduction &reduction, SmallVector<Value> values) {
  int64_t warps = plan->threads / kWarp;
  bool hasColumns = plan->columns >= 0;
  SmallVector<Value> places;
  for (Value value : values)
    places.push_back(sharedMemory(sharedType(value.getType()), hasColumns ? plan->threads : warps));
  auto placeOf = [&](size_t i, Value warp) -> Value {
    Value place = hasColumns ? sum(product(warp, kWarp), laneInWarp) : warp;
    return LLVM::GEPOp::create(b, places[i].getType(), sharedType(values[i].getType()), places[i], ValueRange{place});
  };
  auto storeAll = [&] {
    at(top());
    for (auto [i, value] : llvm::enumerate(values))
      storeShared(value, placeOf(i, warpInTeam));
  };
  if (hasColumns) {
    storeAll();
  } else {
    at(top());
    openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, laneInWarp, i64(0)));
    storeAll();
    closeIf();
  }
  synchronize();
  SmallVector<Value> result;
  for (int64_t number = 0; number < warps; ++number) {
    SmallVector<Value> next;
    at(top());
    for (auto [i, value] : llvm::enumerate(values))
      next.push_back(loadShared(value.getType(), placeOf(i, i64(number))));
    result = number == 0 ? next : merge(reduction, result, next);
  }
  if (!plan->loops.empty() || blockLoop) // the memory is written again
    synchronize();
  return result;
}

/// If the nest reads what it stores, all threads have read before.
void NestEmitter::emitOnce(function_ref<void()> stores) {
  if (plan->threads == 1)
    return stores();
  if (nest->inPlace)
    synchronize();
  findThread();
  at(top());
  Value isMine =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, plan->columns >= 0 ? warpInTeam : threadInTeam, i64(0));
  if (plan->columns >= 0 && isColumn)
    isMine = arith::AndIOp::create(b, isMine, isColumn);
  openIf(isMine);
  isOnce = true;
  stores();
  isOnce = false;
  closeIf();
}

/// A warp has some lines of each square: along the rows, to read what is contiguous there, then along the columns for
/// all else. What a thread reads of all its lines, and of the squares that are its block's, it asks for before it waits
/// for any. Lines in shared memory are four bytes longer than they need be, or an element, so that both ways meet all
/// banks.
void NestEmitter::emitSquare(WorkBlocks columnBlocks, WorkBlocks rowBlocks) {
  constexpr int64_t side = NestPlan::kSquare, bank = 4; // a side is a warp
  int row = plan->squareRow, column = plan->squareColumn;
  vCount = 1;
  // Those of a block: of several batches, or one behind the other along the columns.
  int64_t behind = plan->apart && plan->u == column ? plan->uUnroll : 1;
  uCount = plan->apart && behind == 1 ? plan->uUnroll : 1;
  int64_t together = plan->threads / side; // lines
  findThread();
  at(top());
  Value firstRow = rowBlocks.index ? product(rowBlocks.index, side) : i64(0);
  Value firstColumn = columnBlocks.index ? product(columnBlocks.index, side) : i64(0);
  struct Exchanged {
    ExprNode *load;
    unsigned uo;
    Value base;
    int64_t pitch, next; // elements from a line to the next one, and from a square to the one behind
  };
  SmallVector<Exchanged> exchanged;
  for (ExprNode *load : exchangedLoads(*nest, row, column)) {
    int64_t pitch = side + std::max<int64_t>(1, bank / elementStorageBytes(load->type));
    unsigned squares = plan->u >= 0 && load->deps.test(plan->u) ? uCount : 1;
    Type type = sharedType(load->type);
    Value base = sharedMemory(type, behind * squares * side * pitch);
    for (unsigned uo = 0; uo < squares; ++uo)
      exchanged.push_back({load, uo, elementAt(base, type, {}, uo * side * pitch), pitch, squares * side * pitch});
  }
  // Goes to an element of a line; values of there are `types`, or nothing where the square reaches beyond the end.
  auto visit = [&](bool alongRow, int64_t square, int64_t line, TypeRange types,
                   function_ref<SmallVector<Value>(Value inRow, Value inColumn)> emitValues) {
    at(top());
    Value across = sum(warpInTeam, i64(line));
    Value inRow = alongRow ? laneInWarp : across, inColumn = alongRow ? across : laneInWarp, isInside;
    iv[row] = sum(firstRow, inRow);
    iv[column] = sum(firstColumn, inColumn);
    if (square > 0)
      iv[column] = sum(iv[column], i64(square * plan->uDistance));
    for (int dim : {row, column})
      if (nest->sizes[dim] % (dim == column ? behind * side : side)) {
        Value isBelow = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, iv[dim], i64(nest->sizes[dim]));
        isInside = isInside ? arith::AndIOp::create(b, isInside, isBelow).getResult() : isBelow;
      }
    scf::IfOp branch;
    if (isInside && types.empty()) {
      openIf(isInside);
    } else if (isInside) {
      SmallVector<Value> nothing;
      for (Type type : types)
        nothing.push_back(ub::PoisonOp::create(b, type));
      branch = openIf(isInside, nothing);
    }
    ivLevel[row] = ivLevel[column] = top();
    SmallVector<Value> values = emitValues(inRow, inColumn);
    if (branch)
      closeIf(branch, values);
    else if (isInside)
      closeIf();
    leave(row);
    leave(column);
    return values;
  };
  auto elementOf = [&](const Exchanged &each, int64_t square, Value inRow, Value inColumn) {
    Value place = sum(product(inColumn, each.pitch), inRow);
    return elementAt(each.base, sharedType(each.load->type), place, square * each.next);
  };
  auto eachLine = [&](function_ref<void(int64_t square, int64_t line)> emitLine) {
    for (int64_t square = 0; square < behind; ++square)
      for (int64_t line = 0; line < side; line += together)
        emitLine(square, line);
  };

  SmallVector<Value> elements, loaded;
  auto loadTypes = llvm::map_to_vector(exchanged, [](const Exchanged &each) { return each.load->type; });
  eachLine([&](int64_t square, int64_t line) {
    llvm::append_range(loaded, visit(/*alongRow=*/true, square, line, loadTypes, [&](Value inRow, Value inColumn) {
                         SmallVector<Value> values;
                         for (const Exchanged &each : exchanged)
                           values.push_back(evaluate(each.load, each.uo, 0).value);
                         return values;
                       }));
  });
  at(top());
  const Value *nextLoaded = loaded.begin();
  eachLine([&](int64_t square, int64_t line) {
    for (const Exchanged &each : exchanged)
      storeShared(*nextLoaded++, elementOf(each, square, laneInWarp, sum(warpInTeam, i64(line))));
  });
  synchronize();

  SmallVector<Type> storedTypes;
  for (unsigned uo = 0; uo < uCount; ++uo)
    for (const Store &store : nest->stores) {
      storedTypes.push_back(store.value->type);
      if (store.imaginary)
        storedTypes.push_back(store.imaginary->type);
    }
  SmallVector<Value> stored;
  eachLine([&](int64_t square, int64_t line) {
    llvm::append_range(stored, visit(/*alongRow=*/false, square, line, storedTypes, [&](Value inRow, Value inColumn) {
                         at(top());
                         for (const Exchanged &each : exchanged)
                           define(each.load, each.uo, 0,
                                  loadShared(each.load->type, elementOf(each, square, inRow, inColumn)));
                         SmallVector<Value> values;
                         for (unsigned uo = 0; uo < uCount; ++uo)
                           for (const Store &store : nest->stores) {
                             values.push_back(evaluate(store.value, uo, 0).value);
                             if (store.imaginary)
                               values.push_back(evaluate(store.imaginary, uo, 0).value);
                           }
                         return values;
                       }));
  });
  const Value *next = stored.begin();
  eachLine([&](int64_t square, int64_t line) {
    visit(/*alongRow=*/false, square, line, {}, [&](Value, Value) {
      for (unsigned uo = 0; uo < uCount; ++uo)
        for (const Store &store : nest->stores) {
          Emitted value{*next++, top()};
          store.imaginary ? emitPair(store, value, {*next++, top()}, uo, 0) : emitStore(store, value, uo, 0);
        }
      return SmallVector<Value>();
    });
  });
}
