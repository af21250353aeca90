// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's small tables: what lanes read at computed places of a few elements is chosen from registers, by
// permutations, where a gather would read each lane from memory.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <numeric>

using namespace mlir;
using namespace mlir::xla;

/// Registers that a table may take: a choice from more of them takes as long as a gather. 512 bits choose from two at a
/// time.
static int64_t mostRegisters(int64_t width) { return width == 16 ? 16 : 8; }
/// So many are read for any number of lanes.
static constexpr int64_t kFewRegisters = 2;

namespace {
/// What an integer may be, as a signed one.
struct Bounds {
  int64_t low, high;
  bool fits(unsigned bits) const { return llvm::isIntN(bits, low) && llvm::isIntN(bits, high); }
  Bounds join(Bounds other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
};
} // namespace

static Bounds allOf(unsigned bits) { return {llvm::minIntN(std::min(bits, 64u)), llvm::maxIntN(std::min(bits, 64u))}; }

/// The sum of `sum` and `range` times `factor`, if 64 bits hold it.
static std::optional<Bounds> plus(std::optional<Bounds> sum, Bounds range, int64_t factor) {
  if (!sum)
    return std::nullopt;
  if (factor < 0)
    std::swap(range.low, range.high);
  std::optional<int64_t> low = llvm::checkedMulAdd(range.low, factor, sum->low),
                         high = llvm::checkedMulAdd(range.high, factor, sum->high);
  return low && high ? std::optional<Bounds>({*low, *high}) : std::nullopt;
}

/// What an integer may be wherever `nest` stands, in lanes inside the nest. Operations are looked at `depth` deep.
static Bounds boundsOf(const ExprNode *node, const LoopNest &nest, unsigned depth = 6);

/// What the sum of `address` may be.
static std::optional<Bounds> boundsOf(const Address &address, const LoopNest &nest, unsigned depth) {
  std::optional<Bounds> sum = Bounds{address.constant, address.constant};
  for (auto [coef, size] : llvm::zip_equal(address.dims, nest.sizes))
    if (coef != 0)
      sum = plus(sum, {0, std::max<int64_t>(size - 1, 0)}, coef);
  for (auto &[symbol, coef] : address.symbols)
    sum = plus(sum, boundsOf(symbol, nest, depth), coef);
  return address.nonlinear.empty() ? sum : std::nullopt;
}

static Bounds boundsOfApply(const ExprNode *node, const LoopNest &nest, unsigned depth) {
  unsigned bits = node->type.getIntOrFloatBitWidth();
  Bounds all = allOf(bits);
  SmallVector<Bounds, 3> operands;
  unsigned bitsBefore = 0;
  for (const ExprNode *operand : node->operands) {
    if (!operand->type.isIntOrIndex() || (operand->type.isInteger() && operand->type.getIntOrFloatBitWidth() > 64))
      return all;
    bitsBefore = operand->type.isInteger() ? operand->type.getIntOrFloatBitWidth() : 64;
    operands.push_back(boundsOf(operand, nest, depth - 1));
  }
  auto in = [&](std::optional<Bounds> range) { return range && range->fits(bits) ? *range : all; };
  if (isa<arith::SelectOp>(node->op))
    return operands[1].join(operands[2]);
  if (isa<arith::MaxSIOp>(node->op))
    return {std::max(operands[0].low, operands[1].low), std::max(operands[0].high, operands[1].high)};
  if (isa<arith::MinSIOp>(node->op))
    return {std::min(operands[0].low, operands[1].low), std::min(operands[0].high, operands[1].high)};
  if (isa<arith::MinUIOp, arith::AndIOp>(node->op)) {
    // At most each of those that are not negative.
    int64_t high = -1;
    for (Bounds range : operands)
      if (range.low >= 0)
        high = high < 0 ? range.high : std::min(high, range.high);
    return high < 0 ? all : Bounds{0, high};
  }
  if (isa<arith::AddIOp>(node->op))
    return in(plus(operands[0], operands[1], 1));
  if (isa<arith::SubIOp>(node->op))
    return in(plus(operands[0], operands[1], -1));
  if (isa<arith::MulIOp>(node->op) && operands[1].low == operands[1].high)
    return in(plus(Bounds{0, 0}, operands[0], operands[1].low));
  if (isa<arith::RemUIOp, arith::RemSIOp>(node->op) && operands[1].low > 0) {
    bool isNegative = operands[0].low < 0 && isa<arith::RemSIOp>(node->op);
    return {isNegative ? 1 - operands[1].high : 0, operands[1].high - 1};
  }
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(node->op) && bitsBefore < bits && operands[0].low < 0)
    return bitsBefore < 63 ? Bounds{0, static_cast<int64_t>(llvm::maxUIntN(bitsBefore))} : all;
  if (isa<arith::ExtUIOp, arith::ExtSIOp, arith::IndexCastOp, arith::IndexCastUIOp, arith::TruncIOp>(node->op))
    return in(operands[0]);
  return all;
}

static Bounds boundsOf(const ExprNode *node, const LoopNest &nest, unsigned depth) {
  Bounds all = allOf(node->type.isInteger() ? node->type.getIntOrFloatBitWidth() : 64);
  if (depth == 0 || (node->type.isInteger() && node->type.getIntOrFloatBitWidth() > 64))
    return all;
  switch (node->kind) {
  case ExprNode::Constant: {
    int64_t value = cast<IntegerAttr>(node->attr).getValue().getSExtValue();
    return {value, value};
  }
  case ExprNode::Index:
    return boundsOf(node->address, nest, depth - 1).value_or(all);
  case ExprNode::Select:
    return boundsOf(node->operands[1], nest, depth - 1).join(boundsOf(node->operands[2], nest, depth - 1));
  case ExprNode::Apply:
    return boundsOfApply(node, nest, depth);
  default:
    return all;
  }
}

/// Elements of the tensor that `load` reads, if its buffer has all of them one behind the other; else nothing.
static std::optional<int64_t> elementsOf(const ExprNode &load) {
  auto type = dyn_cast_or_null<RankedTensorType>(load.value ? load.value.getType() : Type());
  if (!type || !type.hasStaticShape() || load.buffer.origin >= 0 || load.buffer.rowElements != 0 ||
      load.buffer.strides.size() != static_cast<size_t>(type.getRank()))
    return std::nullopt;
  int64_t elements = 1;
  for (auto [size, stride] : llvm::reverse(llvm::zip_equal(type.getShape(), load.buffer.strides))) {
    if (size != 1 && stride != elements)
      return std::nullopt;
    elements *= size;
  }
  return elements;
}

std::optional<TableRead> mlir::xla::tableOf(const ExprNode &load, const LoopNest &nest, const NestPlan &plan) {
  int v = plan.v;
  if (load.kind != ExprNode::Load || v < 0 || load.pair || isa<ComplexType>(load.type) || load.address.dims[v] != 0)
    return std::nullopt;
  // Elements of 8 bytes are permuted by AVX-512 only, and narrow ones as wider ones.
  bool isWide = elementStorageBytes(load.type) > 4;
  int64_t width = isWide ? plan.lookup / 2 : std::min<int64_t>(plan.lanes, plan.lookup);
  if (width < 8 || plan.lanes % width != 0)
    return std::nullopt;
  TableRead table{load.address, 0, width, {}, 0};
  table.first.symbols.clear();
  std::optional<Bounds> places = Bounds{0, 0};
  for (const auto &term : load.address.symbols) {
    if (!term.first->deps.test(v)) {
      table.first.symbols.push_back(term);
      continue;
    }
    table.place.push_back(term);
    places = plus(places, boundsOf(term.first, nest), term.second);
  }
  if (table.place.empty() || !places || !places->fits(32) ||
      places->high - places->low >= mostRegisters(width) * width ||
      llvm::any_of(load.address.nonlinear, [&](const auto &term) { return term.first.isFunctionOfDim(v); }))
    return std::nullopt;
  table.count = places->high - places->low + 1;
  if (table.count > std::max(kFewRegisters * width, nest.sizes[v]))
    return std::nullopt;
  table.constant = -places->low;
  table.first.constant += places->low;
  // All of the table is memory of the tensor: because no index leads out of it (it is read where the load is not, too,
  // so an index is no element of what is not read there),
  std::optional<int64_t> elements = elementsOf(load);
  if (!elements || !llvm::all_of(table.first.symbols, [](const auto &term) { return isCertain(term.first); }))
    return std::nullopt;
  if (std::optional<Bounds> first = boundsOf(table.first, nest, /*depth=*/6);
      first && first->low >= 0 && first->high <= *elements - table.count)
    return table;
  // or because it is in one row of it, like the element that is read.
  int64_t row = *elements;
  for (int64_t coef : table.first.dims)
    row = std::gcd(row, coef);
  for (const auto &term : table.first.symbols)
    row = std::gcd(row, term.second);
  bool isInRow = row > 0 && load.guards.empty() && table.first.nonlinear.empty() && table.first.constant >= 0 &&
                 table.first.constant % row + table.count <= row;
  return isInRow ? std::optional(table) : std::nullopt;
}

bool mlir::xla::mayLookUp(const LoopNest &nest, const NestPlan &plan) {
  return plan.lookup &&
         llvm::any_of(nest.nodes(), [&](const ExprNode *node) { return tableOf(*node, nest, plan).has_value(); });
}

/// Lanes of an integer, which 32 bits hold, in 32 bits: those of wider ones take two registers.
Value NestEmitter::narrowLanes(ExprNode *node, unsigned uo, unsigned vo, unsigned &level) {
  auto fits = [&](const ExprNode *operand) { return boundsOf(operand, *nest).fits(32); };
  auto resized = [&](Emitted value) {
    value = lanes(value);
    level = std::max(level, value.level);
    at(level);
    Type type = like(b.getI32Type(), value.value), before = value.value.getType();
    unsigned bits = getElementTypeOrSelf(before).getIntOrFloatBitWidth();
    return bits == 32  ? value.value
           : bits > 32 ? arith::TruncIOp::create(b, type, value.value).getResult()
                       : arith::ExtSIOp::create(b, type, value.value).getResult();
  };
  if (node->kind == ExprNode::Apply) {
    if (isa<arith::MaxSIOp, arith::MinSIOp>(node->op) && llvm::all_of(node->operands, fits)) {
      Value left = narrowLanes(node->operands[0], uo, vo, level), right = narrowLanes(node->operands[1], uo, vo, level);
      at(level);
      return isa<arith::MaxSIOp>(node->op) ? arith::MaxSIOp::create(b, left, right).getResult()
                                           : arith::MinSIOp::create(b, left, right).getResult();
    }
    if (isa<arith::IndexCastOp, arith::ExtSIOp>(node->op) && node->operands[0]->type.isInteger() &&
        node->operands[0]->type.getIntOrFloatBitWidth() <= 32)
      return resized(evaluate(node->operands[0], uo, vo));
  }
  if (node->kind == ExprNode::Constant)
    return lanes({constant(b.getI32IntegerAttr(cast<IntegerAttr>(node->attr).getValue().getSExtValue())), 0}).value;
  return resized(evaluate(node, uo, vo));
}

/// The terms of `address` that differ in lanes for what is computed, if 32 bits hold their sum; else none.
SmallVector<std::pair<ExprNode *, int64_t>> NestEmitter::narrowTermsOf(const Address &address) const {
  SmallVector<std::pair<ExprNode *, int64_t>> terms;
  std::optional<Bounds> sum = Bounds{0, 0};
  for (auto [symbol, factor] : address.symbols)
    if (!onDevice && plan->v >= 0 && symbol->deps.test(plan->v)) {
      terms.emplace_back(symbol, factor);
      sum = plus(sum, boundsOf(symbol, *nest), factor);
    }
  if (!sum || !sum->fits(32))
    terms.clear();
  return terms;
}

/// A number of 32 bits in all lanes.
Value NestEmitter::sameLanes(int64_t value) {
  auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI32Type());
  return constant(DenseElementsAttr::get(type, static_cast<int32_t>(value)));
}

/// The sum of `terms`, each times its factor, in lanes of 32 bits.
Value NestEmitter::narrowSum(ArrayRef<std::pair<ExprNode *, int64_t>> terms, unsigned uo, unsigned vo,
                             unsigned &level) {
  Value sum;
  for (auto [symbol, factor] : terms) {
    Value term = narrowLanes(symbol, uo, vo, level);
    at(level);
    if (factor != 1)
      term = arith::MulIOp::create(b, term, sameLanes(factor));
    sum = sum ? arith::AddIOp::create(b, sum, term).getResult() : term;
  }
  return sum;
}

/// The lanes of a load that `table` says how to read.
NestEmitter::Emitted NestEmitter::lookUp(ExprNode *load, const TableRead &table, unsigned uo, unsigned vo) {
  Type memory = memoryType(load->type);
  unsigned bits = elementStorageBytes(load->type) > 4 ? 64 : 32, memoryBits = memory.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(bits), memoryInteger = b.getIntegerType(memoryBits);
  auto vectorOf = [](Type element, int64_t count) { return VectorType::get({count}, element); };
  LaneAddress address = resolve(table.first, uo, vo);
  Emitted base = pointer(load->buffer, memory, address);

  // The table in registers, read once.
  SmallVector<Emitted> registers;
  for (int64_t begin = 0; begin < table.count; begin += table.width) {
    Emitted &shared = sums[{integer.getAsOpaquePointer(), base.value.getAsOpaquePointer(), memory.getAsOpaquePointer(),
                            i64(begin).getAsOpaquePointer(), i64(table.count).getAsOpaquePointer()}];
    if (!shared.value) {
      at(base.level);
      int64_t count = std::min(table.width, table.count - begin);
      auto type = vectorOf(memory, table.width);
      Value place = elementAt(base.value, memory, {}, begin), part;
      if (count == table.width) {
        part = LLVM::LoadOp::create(b, type, place, elementAlignment(memory));
      } else {
        SmallVector<bool> inside(table.width, false);
        std::fill_n(inside.begin(), count, true);
        Value mask = constant(DenseElementsAttr::get(vectorOf(b.getI1Type(), table.width), inside));
        part = LLVM::MaskedLoadOp::create(b, type, place, mask, constant(cast<TypedAttr>(b.getZeroAttr(type))),
                                          b.getI32IntegerAttr(elementAlignment(memory)), UnitAttr());
      }
      if (!memory.isInteger())
        part = LLVM::BitcastOp::create(b, vectorOf(memoryInteger, table.width), part);
      if (memoryBits < bits)
        part = arith::ExtUIOp::create(b, vectorOf(integer, table.width), part);
      shared = {part, base.level};
    }
    registers.push_back(shared);
  }

  // Which element each lane reads. Those of lanes outside of the nest are any.
  unsigned level = base.level;
  Value place = narrowSum(table.place, uo, vo, level);
  at(level);
  if (table.constant)
    place = arith::AddIOp::create(b, place, sameLanes(table.constant));
  if (bits == 64)
    place = arith::ExtUIOp::create(b, vectorOf(integer, plan->lanes), place);

  auto type = vectorOf(integer, table.width);
  auto call = [&](StringRef name, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands).getResult(0);
  };
  // Lanes of `low`, or of `high` where the place has the bit `number`: the sign, for vectors of 256 bits.
  auto choose = [&](Value places, unsigned number, Value low, Value high) -> Value {
    auto same = [&](int64_t value) { return constant(DenseElementsAttr::get(type, b.getIntegerAttr(integer, value))); };
    Value zero = same(0), isHigh;
    if (table.width * bits == 512)
      isHigh = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                     arith::AndIOp::create(b, places, same(int64_t(1) << number)), zero);
    else
      isHigh = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                     arith::ShLIOp::create(b, places, same(bits - 1 - number)), zero);
    return arith::SelectOp::create(b, isHigh, high, low);
  };
  auto lookUp = [&](Value places) -> Value {
    SmallVector<Value> found;
    unsigned number = llvm::Log2_64(table.width);
    if (registers.size() > 1 && table.width * bits == 512) {
      StringRef permute = bits == 64 ? "llvm.x86.avx512.vpermi2var.q.512" : "llvm.x86.avx512.vpermi2var.d.512";
      for (size_t i = 0; i + 1 < registers.size(); i += 2)
        found.push_back(call(permute, {registers[i].value, places, registers[i + 1].value}));
      ++number;
    }
    StringRef permute = bits == 64          ? "llvm.x86.avx512.permvar.di.512"
                        : table.width == 16 ? "llvm.x86.avx512.permvar.si.512"
                                            : "llvm.x86.avx2.permd";
    for (const Emitted &part : ArrayRef(registers).drop_front(2 * found.size()))
      found.push_back(call(permute, {part.value, places}));
    for (; found.size() > 1; ++number) {
      SmallVector<Value> next;
      for (size_t i = 0; i < found.size(); i += 2)
        next.push_back(i + 1 < found.size() ? choose(places, number, found[i], found[i + 1]) : found[i]);
      found = std::move(next);
    }
    return found[0];
  };
  Value found;
  if (table.width == plan->lanes) {
    found = lookUp(place);
  } else {
    found = ub::PoisonOp::create(b, vectorOf(integer, plan->lanes));
    for (int64_t begin = 0; begin < plan->lanes; begin += table.width) {
      Value part = vector::ExtractStridedSliceOp::create(b, place, ArrayRef<int64_t>{begin},
                                                         ArrayRef<int64_t>{table.width}, ArrayRef<int64_t>{1});
      found = LLVM::vector_insert::create(b, found.getType(), found, lookUp(part), begin);
    }
  }
  if (memoryBits < bits)
    found = arith::TruncIOp::create(b, vectorOf(memoryInteger, plan->lanes), found);
  if (!memory.isInteger())
    found = LLVM::BitcastOp::create(b, vectorOf(memory, plan->lanes), found);
  return {fromMemory(found, load->type), level};
}
