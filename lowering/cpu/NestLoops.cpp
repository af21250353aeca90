// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's loops in bodies: what an element, or lanes of elements, do again and again by themselves.

#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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
/// Writes a loop, with lanes where its values have them: counters have none. Those of several vectors are one loop, an
/// operation of each in turn, because those of one wait for each other.
class LoopWriter {
public:
  using EmitScalar = function_ref<SmallVector<Value>(Operation *, ValueRange)>;
  LoopWriter(ImplicitLocOpBuilder &b, int64_t lanes, size_t vectors, const DenseSet<Value> &inLanes,
             EmitScalar emitScalar)
      : b(b), lanes(lanes), inLanes(inLanes), emitScalar(emitScalar), mappings(vectors) {}

  void map(Value from, Value to, size_t vector) { mappings[vector].map(from, to); }
  Value lookup(Value value, size_t vector) { return mappings[inLanes.contains(value) ? vector : 0].lookup(value); }

  /// The vectors that have values of their own.
  auto vectorsOf(Value value) { return llvm::seq<size_t>(inLanes.contains(value) ? mappings.size() : 1); }

  void emit(scf::ForOp loop) {
    auto bound = [&](Value value) -> Value {
      return arith::ConstantIntOp::create(b, *getConstantIntValue(value), /*width=*/64);
    };
    Value begin = bound(loop.getLowerBound()), end = bound(loop.getUpperBound()), step = bound(loop.getStep());
    SmallVector<Value> inits;
    for (auto [init, argument] : llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs()))
      for (size_t vector : vectorsOf(argument))
        inits.push_back(valueFor(init, inLanes.contains(argument), vector));
    auto written = scf::ForOp::create(b, begin, end, step, inits);
    auto arguments = written.getRegionIterArgs().begin();
    auto results = written.getResults().begin();
    for (auto [argument, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
      for (size_t vector : vectorsOf(argument)) {
        mappings[vector].map(argument, *arguments++);
        mappings[vector].map(result, *results++);
      }
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(written.getBody());
    for (Operation &op : loop.getBody()->without_terminator())
      emit(&op);
    SmallVector<Value> next;
    for (auto [argument, value] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
      for (size_t vector : vectorsOf(argument))
        next.push_back(valueFor(value, inLanes.contains(argument), vector));
    scf::YieldOp::create(b, next);
  }

private:
  void emit(Operation *op) {
    if (auto inner = dyn_cast<scf::ForOp>(op))
      return emit(inner);
    if (op->getNumOperands() == 0) { // a constant
      b.clone(*op, mappings[0]);
      return;
    }
    bool areLanes = llvm::any_of(op->getOperands(), [&](Value operand) { return inLanes.contains(operand); });
    for (size_t vector : vectorsOf(op->getResult(0))) {
      SmallVector<Value> operands =
          llvm::map_to_vector(op->getOperands(), [&](Value operand) { return valueFor(operand, areLanes, vector); });
      mappings[vector].map(op->getResults(), emitScalar(op, operands));
    }
  }

  Value valueFor(Value value, bool areLanes, size_t vector) {
    Value known = lookup(value, vector);
    if (!areLanes || isa<VectorType>(known.getType()))
      return known;
    return vector::BroadcastOp::create(b, VectorType::get({lanes}, known.getType()), known);
  }

  ImplicitLocOpBuilder &b;
  int64_t lanes;
  const DenseSet<Value> &inLanes;
  EmitScalar emitScalar;
  SmallVector<IRMapping> mappings; // of each vector; what is no lanes is with the first
};
} // namespace

NestEmitter::Emitted NestEmitter::evaluateLoop(ExprNode *node, unsigned uo, unsigned vo) {
  auto loop = cast<scf::ForOp>(node->op);
  SmallVector<unsigned> vectors{vo};
  if (vCount > 1 && node->deps.test(plan->v))
    vectors = llvm::to_vector(llvm::seq(vCount));
  DenseSet<Value> inLanes;
  auto emitOne = [&](Operation *op, ValueRange operands) { return emitScalar(op, operands); };
  LoopWriter writer(b, plan ? plan->lanes : 1, vectors.size(), inLanes, emitOne);
  unsigned level = 0;
  for (auto [value, operand] : llvm::zip_equal(valuesOfLoop(loop), node->operands))
    for (auto [i, vector] : llvm::enumerate(vectors)) {
      Emitted emitted = evaluate(operand, uo, vector);
      level = std::max(level, emitted.level);
      writer.map(value, emitted.value, i);
      if (isa<VectorType>(emitted.value.getType()))
        inLanes.insert(value);
    }
  findLanes(loop, inLanes);
  at(level);
  writer.emit(loop);
  for (ExprNode *result : node->results)
    for (auto [i, vector] : llvm::enumerate(vectors))
      values[keyOf(result, uo, vector)] = {writer.lookup(loop.getResult(result->resultNumber), i), level};
  return values.at(keyOf(node, uo, vo));
}
