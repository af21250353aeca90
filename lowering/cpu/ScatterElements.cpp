// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What scatters do with places and elements: addresses, loads and stores, the combiner on scalars and on lanes.

#include "mlir_xla/lowering/Pointers.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/Elements.h"
#include "mlir_xla/lowering/cpu/ScatterEmitter.h"
#include "mlir_xla/lowering/math/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xla;

using Axis = ScatterPlan::Axis;
using Loop = ScatterPlan::Loop;

//===- The combiner -----------------------------------------------------------------------------------------------===//

Value CombinerEmitter::constant(TypedAttr attr) {
  Value &value = constants[attr];
  if (!value) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    value = arith::ConstantOp::create(b, attr);
  }
  return value;
}

SmallVector<Value> CombinerEmitter::emit(ValueRange arguments) {
  IRMapping values;
  values.map(body.getArguments(), arguments);
  return emitBlock(body, values);
}

SmallVector<Value> CombinerEmitter::emitBlock(Block &block, IRMapping &values) {
  for (Operation &op : block.without_terminator())
    emitOp(op, values);
  return llvm::map_to_vector(block.getTerminator()->getOperands(), [&](Value value) { return lookup(value, values); });
}

/// The value that stands for `value` of the combiner. Constants may be outside: there is one of each value in a kernel.
Value CombinerEmitter::lookup(Value value, const IRMapping &values) {
  if (auto literal = value.getDefiningOp<arith::ConstantOp>(); literal && !values.contains(value))
    return constant(literal.getValue());
  return values.lookup(value);
}

Value CombinerEmitter::splat(Value scalar, ArrayRef<int64_t> shape) {
  auto type = VectorType::get(shape, scalar.getType());
  Attribute attr;
  if (matchPattern(scalar, m_Constant(&attr)))
    return constant(DenseElementsAttr::get(type, attr));
  return vector::BroadcastOp::create(b, type, scalar);
}

void CombinerEmitter::emitOp(Operation &op, IRMapping &values) {
  if (auto literal = dyn_cast<arith::ConstantOp>(op)) {
    values.map(literal.getResult(), constant(literal.getValue()));
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    auto copy = scf::IfOp::create(b, branch.getResultTypes(), lookup(branch.getCondition(), values), true, true);
    for (auto [from, to] : {std::pair(branch.thenBlock(), copy.thenBlock()), {branch.elseBlock(), copy.elseBlock()}}) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(to);
      scf::YieldOp::create(b, emitBlock(*from, values));
    }
    values.map(branch.getResults(), copy.getResults());
    return;
  }
  SmallVector<Value> operands =
      llvm::map_to_vector(op.getOperands(), [&](Value value) { return lookup(value, values); });
  auto inLanes = llvm::find_if(operands, [](Value value) { return isa<VectorType>(value.getType()); });
  if (inLanes != operands.end()) {
    ArrayRef<int64_t> shape = cast<VectorType>(inLanes->getType()).getShape();
    for (Value &operand : operands)
      if (!isa<VectorType>(operand.getType()))
        operand = splat(operand, shape);
  }
  if (!operands.empty())
    if (Value value = emitScalarMath(b, &op, like(op.getResult(0).getType(), operands[0]), operands)) {
      values.map(op.getResult(0), value);
      return;
    }
  IRMapping mapping;
  mapping.map(op.getOperands(), operands);
  Operation *copy = b.clone(op, mapping);
  if (!operands.empty())
    for (OpResult result : copy->getResults())
      result.setType(like(result.getType(), operands[0]));
  values.map(op.getResults(), copy->getResults());
}

//===- Places -----------------------------------------------------------------------------------------------------===//

ScatterCode::ScatterCode(const WholeKernel &kernel, rt::ScatterOp op, const ScatterPlan &plan)
    : b(kernel.builder), op(op), plan(plan), machine(kernel.machine),
      combiner(b, b.getInsertionBlock(), op.getCombiner()) {
  indices = kernel.pointerOf(op.getIndicesMutable());
  for (OpOperand &update : op.getUpdatesMutable())
    updates.push_back(op.getUpdate() ? Value() : kernel.pointerOf(update));
  for (OpOperand &out : op.getOutsMutable())
    outs.push_back(kernel.pointerOf(out));
  for (Value out : op.getOuts())
    types.push_back(plan.elementOf(out.getType()));
  for (OpOperand &scalar : op.getScalarsMutable())
    scalars.push_back(load(kernel.pointerOf(scalar), getElementTypeOrSelf(scalar.get().getType()), 1));
}

/// What pointers to elements of `type` count in.
Type ScatterCode::strideType(Type type) {
  if (auto complexType = dyn_cast<ComplexType>(type))
    return LLVM::LLVMStructType::getLiteral(type.getContext(),
                                            {complexType.getElementType(), complexType.getElementType()});
  return memoryType(type);
}

/// `distance` + `count` * `stride`.
Value ScatterCode::advance(Value distance, Value count, int64_t stride) {
  if (stride == 0)
    return distance;
  if (stride != 1)
    count = arith::MulIOp::create(b, count, i64(stride));
  return distance ? arith::AddIOp::create(b, distance, count).getResult() : count;
}

ScatterCode::Place ScatterCode::advance(Place place, const Loop &loop, Value iteration) {
  return {advance(place.updates, iteration, loop.updates), advance(place.outs, iteration, loop.outs),
          advance(place.indices, iteration, loop.indices)};
}

scf::ForOp ScatterCode::openLoop(Value lower, Value upper, int64_t step) {
  auto loop = scf::ForOp::create(b, lower, upper, i64(step));
  b.setInsertionPoint(loop.getBody()->getTerminator());
  return loop;
}

/// A component of the index vector, in i64. What is too large for it is negative.
Value ScatterCode::loadStart(Place place, const Axis &axis) {
  Type type = getElementTypeOrSelf(op.getIndices().getType());
  Value distance = axis.component ? advance(place.indices, i64(axis.component), 1) : place.indices;
  Value start = load(pointerTo(indices, memoryType(type), distance), type, 1);
  if (type.getIntOrFloatBitWidth() >= 64)
    return start;
  if (op.getIsUnsigned())
    return arith::ExtUIOp::create(b, b.getI64Type(), start);
  return arith::ExtSIOp::create(b, b.getI64Type(), start);
}

/// The same place outside, where sums with positions of the window of `axis` cannot overflow.
Value ScatterCode::boundStart(Value start, const Axis &axis) {
  if (op.getIsUnsigned())
    return arith::MinUIOp::create(b, start, i64(axis.size));
  start = arith::MaxSIOp::create(b, start, i64(-plan.window[axis.loop].size));
  return arith::MinSIOp::create(b, start, i64(axis.size));
}

//===- Elements ---------------------------------------------------------------------------------------------------===//

Value ScatterCode::pointerTo(Value base, Type element, Value distance) {
  return base && distance ? LLVM::GEPOp::create(b, base.getType(), element, base, ValueRange{distance}).getResult()
                          : base;
}

ScatterCode::Elements ScatterCode::elementsAt(Place place) {
  Elements elements;
  for (auto [type, update, out] : llvm::zip_equal(types, updates, outs)) {
    elements.updates.push_back(pointerTo(update, strideType(type), place.updates));
    elements.outs.push_back(pointerTo(out, strideType(type), place.outs));
  }
  return elements;
}

ScatterCode::Elements ScatterCode::elementsAt(const Elements &elements, Value distance) {
  Elements moved;
  for (auto [type, update, out] : llvm::zip_equal(types, elements.updates, elements.outs)) {
    moved.updates.push_back(pointerTo(update, strideType(type), distance));
    moved.outs.push_back(pointerTo(out, strideType(type), distance));
  }
  return moved;
}

ScatterCode::Elements ScatterCode::elementsAt(const Elements &elements, int64_t distance) {
  if (distance == 0)
    return elements;
  auto move = [&](Value pointer, Type type) {
    return pointer ? elementPointer(b, b.getLoc(), pointer, strideType(type), distance) : pointer;
  };
  Elements moved;
  for (auto [type, update, out] : llvm::zip_equal(types, elements.updates, elements.outs)) {
    moved.updates.push_back(move(update, type));
    moved.outs.push_back(move(out, type));
  }
  return moved;
}

int64_t ScatterCode::alignmentOf(Type memory, int64_t lanes) const {
  return lanesAreAligned ? lanes * elementStorageBytes(memory) : elementAlignment(memory);
}

Value ScatterCode::load(Value pointer, Type type, int64_t lanes) {
  if (auto complexType = dyn_cast<ComplexType>(type)) {
    Type part = complexType.getElementType();
    Value next = LLVM::GEPOp::create(b, pointer.getType(), part, pointer, ArrayRef<LLVM::GEPArg>{1});
    Value re = LLVM::LoadOp::create(b, part, pointer, elementAlignment(part));
    Value im = LLVM::LoadOp::create(b, part, next, elementAlignment(part));
    return complex::CreateOp::create(b, complexType, re, im);
  }
  Type memory = memoryType(type);
  Type loaded = lanes > 1 ? Type(VectorType::get({lanes}, memory)) : memory;
  Value value = LLVM::LoadOp::create(b, loaded, pointer, alignmentOf(memory, lanes));
  return fromMemory(b, value, type, [&](TypedAttr attr) { return combiner.constant(attr); });
}

void ScatterCode::store(Value value, Value pointer, Type type, int64_t lanes) {
  if (auto complexType = dyn_cast<ComplexType>(type)) {
    Type part = complexType.getElementType();
    Value next = LLVM::GEPOp::create(b, pointer.getType(), part, pointer, ArrayRef<LLVM::GEPArg>{1});
    LLVM::StoreOp::create(b, complex::ReOp::create(b, value), pointer, elementAlignment(part));
    LLVM::StoreOp::create(b, complex::ImOp::create(b, value), next, elementAlignment(part));
    return;
  }
  if (lanes > 1 && !isa<VectorType>(value.getType()))
    value = vector::BroadcastOp::create(b, VectorType::get({lanes}, value.getType()), value);
  LLVM::StoreOp::create(b, toMemory(b, value, type), pointer, alignmentOf(memoryType(type), lanes));
}

/// `lanes` neighbours of the update `number`, or one if all are alike.
Value ScatterCode::loadUpdate(const Elements &elements, size_t number, int64_t lanes) {
  if (TypedAttr update = op.getUpdateAttr())
    return combiner.constant(update);
  return load(elements.updates[number], types[number], lanes);
}

/// Combines `lanes` neighbours.
void ScatterCode::emitElements(const Elements &elements, int64_t lanes) {
  Block &body = op.getCombiner().front();
  if (plan.part) {
    Value value = loadUpdate(elements, 0, lanes);
    if (!body.getArgument(0).use_empty())
      value = arith::AddFOp::create(b, load(elements.outs[0], plan.part, lanes), value);
    store(value, elements.outs[0], plan.part, lanes);
    return;
  }
  size_t count = types.size();
  SmallVector<Value> arguments;
  for (size_t i = 0; i < 2 * count; ++i) {
    // What the combiner does not read need not be loaded.
    arguments.push_back(body.getArgument(i).use_empty() ? Value()
                        : i < count                     ? load(elements.outs[i], types[i], lanes)
                                                        : loadUpdate(elements, i - count, lanes));
  }
  llvm::append_range(arguments, scalars);
  SmallVector<Value> results = combiner.emit(arguments);
  for (size_t i = 0; i < count; ++i)
    if (body.getTerminator()->getOperand(i) != body.getArgument(i))
      store(results[i], elements.outs[i], types[i], lanes);
}
