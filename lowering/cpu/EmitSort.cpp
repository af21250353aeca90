// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xla_rt.sort: a stable merge sort of each line, with its comparator inlined. Runs of a few elements are sorted by
// insertion, then merged from the bottom up between two copies of the line; a merge has no branches that depend on
// elements.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/Elements.h"
#include "mlir_xla/lowering/cpu/WholeKernels.h"
#include "mlir_xla/lowering/math/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

/// The length of runs that are sorted by insertion.
static constexpr int64_t kRun = 8;
static constexpr int64_t kLineAlignment = 64;

static int64_t lineBytes(Type element, int64_t length) {
  return llvm::alignTo(elementStorageBytes(element) * length, kLineAlignment);
}

WholeKernelFacts mlir::xla::getSortFacts(rt::SortOp op) {
  int64_t length = op.getShape()[op.getDimension()], lines = 1, bytes = 0;
  for (auto [d, size] : llvm::enumerate(op.getShape()))
    lines *= d == op.getDimension() ? 1 : size;
  for (Value input : op.getInputs())
    bytes += 2 * lineBytes(getElementTypeOrSelf(input.getType()), length);
  WholeKernelFacts facts;
  facts.work = lines;
  facts.cost = lines * length * 5 * (1 + llvm::Log2_64_Ceil(length));
  facts.scratch = bytes;
  return facts;
}

namespace {

class SortEmitter {
public:
  SortEmitter(const WholeKernel &kernel, rt::SortOp op)
      : kernel(kernel), op(op), b(kernel.builder), i64(b.getI64Type()),
        pointer(LLVM::LLVMPointerType::get(b.getContext())) {}

  void emit() {
    length = op.getShape()[op.getDimension()];
    for (auto [d, size] : llvm::enumerate(op.getShape()))
      if (d > op.getDimension())
        stride *= size;
    int64_t offset = 0;
    for (Value input : op.getInputs()) {
      elements.push_back(getElementTypeOrSelf(input.getType()));
      for (SmallVector<Value> *copy : {&first, &second}) {
        copy->push_back(bytesFrom(kernel.scratch, constant(offset)));
        offset += lineBytes(elements.back(), length);
      }
    }
    for (OpOperand &scalar : op.getScalarsMutable())
      captured.push_back(load(kernel.pointerOf(scalar), getElementTypeOrSelf(scalar.get().getType())));
    // Constants may stand before the op.
    SetVector<Value> above;
    getUsedValuesDefinedAbove(op.getComparator(), above);
    for (Value value : above)
      b.clone(*value.getDefiningOp(), constants);
    loop(kernel.begin, kernel.end, 1, {}, [&](Value line, ValueRange) -> SmallVector<Value> {
      emitLine(line);
      return {};
    });
  }

private:
  using Body = llvm::function_ref<SmallVector<Value>(Value, ValueRange)>;

  Value constant(int64_t value) { return arith::ConstantIntOp::create(b, value, 64); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value mul(Value x, int64_t y) { return y == 1 ? x : Value(arith::MulIOp::create(b, x, constant(y))); }
  Value least(Value x, Value y) { return arith::MinSIOp::create(b, x, y); }
  Value isLess(Value x, Value y) { return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x, y); }
  Value choose(Value condition, Value x, Value y) { return arith::SelectOp::create(b, condition, x, y); }

  ValueRange loop(Value begin, Value end, Value step, ValueRange initial, Body body) {
    auto op = scf::ForOp::create(b, begin, end, step, initial);
    OpBuilder::InsertionGuard guard(b);
    if (initial.empty())
      op.getBody()->getTerminator()->erase();
    b.setInsertionPointToEnd(op.getBody());
    SmallVector<Value> results = body(op.getInductionVar(), op.getRegionIterArgs());
    scf::YieldOp::create(b, results);
    return op.getResults();
  }
  ValueRange loop(Value begin, Value end, int64_t step, ValueRange initial, Body body) {
    return loop(begin, end, constant(step), initial, body);
  }

  //===- Memory ---------------------------------------------------------------------------------------------------===//

  Value bytesFrom(Value base, Value offset) {
    return LLVM::GEPOp::create(b, pointer, b.getI8Type(), base, ValueRange{offset});
  }
  Value elementFrom(Value base, Type element, Value index) {
    return bytesFrom(base, mul(index, elementStorageBytes(element)));
  }

  Value load(Value from, Type element) {
    if (auto complexType = dyn_cast<ComplexType>(element)) {
      Type part = complexType.getElementType();
      Value real = load(from, part), imaginary = load(bytesFrom(from, constant(elementStorageBytes(part))), part);
      return complex::CreateOp::create(b, complexType, real, imaginary);
    }
    Type memory = memoryType(element);
    Value loaded = LLVM::LoadOp::create(b, memory, from, elementAlignment(memory));
    return fromMemory(b, loaded, element, [&](TypedAttr attr) { return arith::ConstantOp::create(b, attr); });
  }

  /// What is only moved is moved as it lies in memory.
  Type movedType(Type element) { return b.getIntegerType(storageBits(element)); }

  SmallVector<Value> loadMoved(ValueRange lines, Value index) {
    SmallVector<Value> values;
    for (auto [line, element] : llvm::zip_equal(lines, elements))
      values.push_back(LLVM::LoadOp::create(b, movedType(element), elementFrom(line, element, index),
                                            elementAlignment(memoryType(element))));
    return values;
  }
  void storeMoved(ValueRange values, ValueRange lines, Value index) {
    for (auto [value, line, element] : llvm::zip_equal(values, lines, elements))
      LLVM::StoreOp::create(b, value, elementFrom(line, element, index), elementAlignment(memoryType(element)));
  }
  //===- Sorting --------------------------------------------------------------------------------------------------===//

  /// Whether the elements at `left` come before those at `right`.
  Value before(ValueRange lines, Value left, Value right) {
    Block &body = op.getComparator().front();
    IRMapping mapping(constants);
    for (size_t k = 0; k < elements.size(); ++k) {
      mapping.map(body.getArgument(2 * k), load(elementFrom(lines[k], elements[k], left), elements[k]));
      mapping.map(body.getArgument(2 * k + 1), load(elementFrom(lines[k], elements[k], right), elements[k]));
    }
    for (auto [i, value] : llvm::enumerate(captured))
      mapping.map(body.getArgument(2 * elements.size() + i), value);
    for (Operation &inner : body.without_terminator())
      cloneWithMath(b, inner, mapping);
    return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
  }

  /// Copies the elements of a line that lies `stride` apart in memory; `to` or from the first copy.
  void copyLine(ValueRange from, int64_t fromStride, ValueRange to, int64_t toStride) {
    loop(constant(0), constant(length), 1, {}, [&](Value i, ValueRange) -> SmallVector<Value> {
      storeMoved(loadMoved(from, mul(i, fromStride)), to, mul(i, toStride));
      return {};
    });
  }

  void emitLine(Value line) {
    Value begin = line;
    if (stride > 1) {
      Value strideValue = constant(stride);
      Value outer = arith::DivSIOp::create(b, line, strideValue), inner = arith::RemSIOp::create(b, line, strideValue);
      begin = add(mul(outer, length * stride), inner);
    } else {
      begin = mul(line, length);
    }
    SmallVector<Value> sources, results;
    for (auto [i, element] : llvm::enumerate(elements)) {
      sources.push_back(elementFrom(kernel.pointerOf(op.getInputsMutable()[i]), element, begin));
      results.push_back(elementFrom(kernel.results[i], element, begin));
    }
    copyLine(sources, stride, first, 1);
    sortRuns();
    SmallVector<Value> sorted = mergeRuns();
    copyLine(sorted, 1, results, stride);
  }

  void sortRuns() {
    loop(constant(0), constant(length), kRun, {}, [&](Value run, ValueRange) -> SmallVector<Value> {
      Value end = least(add(run, constant(kRun)), constant(length));
      loop(add(run, constant(1)), end, 1, {}, [&](Value i, ValueRange) -> SmallVector<Value> {
        insert(run, i);
        return {};
      });
      return {};
    });
  }

  /// Moves element `i` forward to its place in its run: neighbours are exchanged as long as they are in the wrong
  /// order.
  void insert(Value run, Value i) {
    auto loop = scf::WhileOp::create(b, TypeRange{i64}, ValueRange{i});
    OpBuilder::InsertionGuard guard(b);
    Block *test = b.createBlock(&loop.getBefore(), {}, {i64}, {b.getLoc()});
    Value at = test->getArgument(0);
    auto isInside = scf::IfOp::create(b, TypeRange{b.getI1Type()}, isLess(run, at), /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard inner(b);
      b.setInsertionPointToEnd(isInside.thenBlock());
      scf::YieldOp::create(b, before(first, at, sub(at, constant(1))));
      b.setInsertionPointToEnd(isInside.elseBlock());
      scf::YieldOp::create(b, ValueRange{arith::ConstantIntOp::create(b, 0, 1)});
    }
    scf::ConditionOp::create(b, isInside.getResult(0), ValueRange{at});
    Block *body = b.createBlock(&loop.getAfter(), {}, {i64}, {b.getLoc()});
    at = body->getArgument(0);
    Value previous = sub(at, constant(1));
    SmallVector<Value> moved = loadMoved(first, at);
    storeMoved(loadMoved(first, previous), first, at);
    storeMoved(moved, first, previous);
    scf::YieldOp::create(b, previous);
  }

  /// Where the sorted line is.
  SmallVector<Value> mergeRuns() {
    int64_t passes = length <= kRun ? 0 : llvm::Log2_64_Ceil(llvm::divideCeil(length, kRun));
    if (passes == 0)
      return first;
    SmallVector<Value> state(first);
    llvm::append_range(state, second);
    state.push_back(constant(kRun));
    size_t count = elements.size();
    ValueRange ends = loop(constant(0), constant(passes), 1, state, [&](Value, ValueRange now) {
      ValueRange from = now.take_front(count), to = now.drop_front(count).take_front(count);
      Value width = now.back(), both = add(width, width);
      loop(constant(0), constant(length), both, {}, [&](Value low, ValueRange) -> SmallVector<Value> {
        merge(from, to, low, width);
        return {};
      });
      SmallVector<Value> next(to);
      llvm::append_range(next, from);
      next.push_back(both);
      return next;
    });
    return SmallVector<Value>(ends.take_front(count));
  }

  /// Of each pair of elements the right one if it comes before the left one, or if that run is at its end.
  void merge(ValueRange from, ValueRange to, Value low, Value width) {
    Value all = constant(length), middle = least(add(low, width), all), high = least(add(middle, width), all);
    Value lastLeft = sub(middle, constant(1)), last = constant(length - 1), one = constant(1);
    loop(low, high, 1, {low, middle}, [&](Value k, ValueRange at) -> SmallVector<Value> {
      Value i = at[0], j = at[1];
      Value right = before(from, least(j, last), least(i, lastLeft));
      Value leftEnded = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, i, middle);
      right = arith::AndIOp::create(b, arith::OrIOp::create(b, right, leftEnded), isLess(j, high));
      storeMoved(loadMoved(from, choose(right, j, i)), to, k);
      return {choose(right, i, add(i, one)), choose(right, add(j, one), j)};
    });
  }

  const WholeKernel &kernel;
  rt::SortOp op;
  ImplicitLocOpBuilder &b;
  Type i64, pointer;
  int64_t length = 0, stride = 1;
  SmallVector<Type> elements;
  IRMapping constants;
  SmallVector<Value> first, second, captured; // two copies of the line, and scalars
};

} // namespace

LogicalResult mlir::xla::emitSort(const WholeKernel &kernel, rt::SortOp op) {
  SortEmitter(kernel, op).emit();
  return success();
}
