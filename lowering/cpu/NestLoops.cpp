// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's loops in bodies: what an element, or lanes of elements, do again and again by themselves.

#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::xla;

/// Finds which values of `loop` differ between lanes, of those from outside that `inLanes` has; adds them.
static void findLanes(scf::ForOp loop, DenseSet<Value> &inLanes) {
  for (auto [init, argument] : llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs()))
    if (inLanes.contains(init))
      inLanes.insert(argument);
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation &op : loop.getBody()->without_terminator())
      if (auto inner = dyn_cast<scf::ForOp>(op))
        findLanes(inner, inLanes);
      else if (llvm::any_of(op.getOperands(), [&](Value operand) { return inLanes.contains(operand); }))
        inLanes.insert(op.result_begin(), op.result_end());
    for (auto [argument, next] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
      if (inLanes.contains(next))
        changed |= inLanes.insert(argument).second;
  }
  for (auto [argument, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
    if (inLanes.contains(argument))
      inLanes.insert(result);
}

namespace {
/// Writes a loop, with lanes where its values have them: counters have none.
class LoopWriter {
public:
  using EmitScalar = function_ref<SmallVector<Value>(Operation *, ValueRange)>;
  LoopWriter(ImplicitLocOpBuilder &b, int64_t lanes, const DenseSet<Value> &inLanes, EmitScalar emitScalar)
      : b(b), lanes(lanes), inLanes(inLanes), emitScalar(emitScalar) {}

  void map(Value from, Value to) { mapping.map(from, to); }
  Value lookup(Value value) { return mapping.lookup(value); }

  void emit(scf::ForOp loop) {
    auto bound = [&](Value value) -> Value {
      return arith::ConstantIntOp::create(b, *getConstantIntValue(value), /*width=*/64);
    };
    Value begin = bound(loop.getLowerBound()), end = bound(loop.getUpperBound()), step = bound(loop.getStep());
    SmallVector<Value> inits;
    for (auto [init, argument] : llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs()))
      inits.push_back(valueFor(init, inLanes.contains(argument)));
    auto written = scf::ForOp::create(b, begin, end, step, inits);
    for (auto [from, to] : llvm::zip_equal(loop.getRegionIterArgs(), written.getRegionIterArgs()))
      mapping.map(from, to);
    for (auto [from, to] : llvm::zip_equal(loop.getResults(), written.getResults()))
      mapping.map(from, to);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(written.getBody());
    for (Operation &op : loop.getBody()->without_terminator())
      emit(&op);
    SmallVector<Value> next;
    for (auto [argument, value] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
      next.push_back(valueFor(value, inLanes.contains(argument)));
    scf::YieldOp::create(b, next);
  }

private:
  void emit(Operation *op) {
    if (auto inner = dyn_cast<scf::ForOp>(op))
      return emit(inner);
    if (op->getNumOperands() == 0) { // a constant
      b.clone(*op, mapping);
      return;
    }
    bool areLanes = llvm::any_of(op->getOperands(), [&](Value operand) { return inLanes.contains(operand); });
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), [&](Value operand) { return valueFor(operand, areLanes); });
    mapping.map(op->getResults(), emitScalar(op, operands));
  }

  Value valueFor(Value value, bool areLanes) {
    Value known = mapping.lookup(value);
    if (!areLanes || isa<VectorType>(known.getType()))
      return known;
    return vector::BroadcastOp::create(b, VectorType::get({lanes}, known.getType()), known);
  }

  ImplicitLocOpBuilder &b;
  int64_t lanes;
  const DenseSet<Value> &inLanes;
  EmitScalar emitScalar;
  IRMapping mapping;
};
} // namespace

NestEmitter::Emitted NestEmitter::evaluateLoop(ExprNode *node, unsigned uo, unsigned vo) {
  auto loop = cast<scf::ForOp>(node->op);
  DenseSet<Value> inLanes;
  auto emitOne = [&](Operation *op, ValueRange operands) { return emitScalar(op, operands); };
  LoopWriter writer(b, plan ? plan->lanes : 1, inLanes, emitOne);
  unsigned level = 0;
  for (auto [value, operand] : llvm::zip_equal(valuesOfLoop(loop), node->operands)) {
    Emitted emitted = evaluate(operand, uo, vo);
    level = std::max(level, emitted.level);
    writer.map(value, emitted.value);
    if (isa<VectorType>(emitted.value.getType()))
      inLanes.insert(value);
  }
  findLanes(loop, inLanes);
  at(level);
  writer.emit(loop);
  for (ExprNode *result : node->results)
    values[keyOf(result, uo, vo)] = {writer.lookup(loop.getResult(result->resultNumber)), level};
  return values.at(keyOf(node, uo, vo));
}
