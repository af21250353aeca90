// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces tuple values by their elements, through every op that passes tuples on.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xla {
#define GEN_PASS_DEF_FLATTENTUPLES
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

static bool hasTuple(TypeRange types) {
  return llvm::any_of(types, [](Type type) { return isa<TupleType>(type); });
}

static void flattenTypes(TypeRange types, SmallVectorImpl<Type> &flat) {
  for (Type type : types) {
    if (auto tuple = dyn_cast<TupleType>(type))
      flattenTypes(TypeRange(tuple.getTypes()), flat);
    else
      flat.push_back(type);
  }
}

namespace {

struct FlattenTuplesPass : xla::impl::FlattenTuplesBase<FlattenTuplesPass> {
  void runOnOperation() override {
    elements.clear();
    dead.clear();
    for (auto function : getOperation().getOps<func::FuncOp>())
      flattenFunction(function);
    // Every use has been rewritten; users come after what they use.
    for (Operation *op : llvm::reverse(dead))
      op->erase();
  }

private:
  void flattenFunction(func::FuncOp function) {
    FunctionType type = function.getFunctionType();
    if (hasTuple(type.getInputs()) || hasTuple(type.getResults())) {
      SmallVector<Type> inputs, results;
      flattenTypes(type.getInputs(), inputs);
      flattenTypes(type.getResults(), results);
      SmallVector<DictionaryAttr> argAttrs =
          flattenAttrs(type.getInputs(), [&](unsigned i) { return function.getArgAttrDict(i); });
      SmallVector<DictionaryAttr> resultAttrs =
          flattenAttrs(type.getResults(), [&](unsigned i) { return function.getResultAttrDict(i); });
      function.setFunctionType(FunctionType::get(&getContext(), inputs, results));
      function.setAllArgAttrs(argAttrs);
      function.setAllResultAttrs(resultAttrs);
    }
    flattenRegion(function.getBody());
  }

  /// The attributes of what is not a tuple; elements of tuples have none.
  SmallVector<DictionaryAttr> flattenAttrs(TypeRange types, function_ref<DictionaryAttr(unsigned)> get) {
    SmallVector<DictionaryAttr> attrs;
    for (auto [i, type] : llvm::enumerate(types)) {
      SmallVector<Type> flat;
      flattenTypes(type, flat);
      DictionaryAttr own = isa<TupleType>(type) ? DictionaryAttr() : get(i);
      attrs.append(flat.size(), own ? own : DictionaryAttr::get(&getContext()));
    }
    return attrs;
  }

  void flattenRegion(Region &region) {
    for (Block &block : region) {
      for (unsigned i = 0; i < block.getNumArguments();) {
        BlockArgument argument = block.getArgument(i);
        if (!isa<TupleType>(argument.getType())) {
          ++i;
          continue;
        }
        SmallVector<Type> flat;
        flattenTypes(argument.getType(), flat);
        SmallVector<Value> parts;
        for (auto [offset, type] : llvm::enumerate(flat))
          parts.push_back(block.insertArgument(i + 1 + offset, type, argument.getLoc()));
        replacePackedArgument(block, i, parts);
        i += flat.size();
      }
      for (Operation &op : llvm::make_early_inc_range(block))
        flattenOp(op);
    }
  }

  /// The argument becomes an `xla.tuple` of its parts, which `flattenOp` then takes apart like any other.
  void replacePackedArgument(Block &block, unsigned index, ArrayRef<Value> parts) {
    BlockArgument argument = block.getArgument(index);
    OpBuilder b = OpBuilder::atBlockBegin(&block);
    size_t next = 0;
    Value tuple = pack(b, argument.getLoc(), argument.getType(), parts, next);
    argument.replaceAllUsesWith(tuple);
    block.eraseArgument(index);
  }

  static Value pack(OpBuilder &b, Location loc, Type type, ArrayRef<Value> parts, size_t &next) {
    auto tuple = dyn_cast<TupleType>(type);
    if (!tuple)
      return parts[next++];
    SmallVector<Value> values;
    for (Type element : tuple.getTypes())
      values.push_back(pack(b, loc, element, parts, next));
    return TupleOp::create(b, loc, type, values);
  }

  void appendElements(Value value, SmallVectorImpl<Value> &flat) {
    if (!isa<TupleType>(value.getType()))
      flat.push_back(value);
    else
      llvm::append_range(flat, elements[value]);
  }

  void flattenOp(Operation &op) {
    if (isa<TupleOp>(op)) {
      SmallVector<Value> flat;
      for (Value operand : op.getOperands())
        appendElements(operand, flat);
      elements[op.getResult(0)] = flat;
      dead.push_back(&op);
      return;
    }
    if (auto get = dyn_cast<GetTupleElementOp>(op)) {
      auto tuple = cast<TupleType>(get.getOperand().getType());
      size_t first = 0;
      SmallVector<Type> before, own;
      flattenTypes(tuple.getTypes().take_front(get.getIndex()), before);
      flattenTypes(tuple.getType(get.getIndex()), own);
      first = before.size();
      SmallVector<Value> parts(ArrayRef(elements[get.getOperand()]).slice(first, own.size()));
      if (isa<TupleType>(get.getType()))
        elements[get.getResult()] = parts;
      else
        get.getResult().replaceAllUsesWith(parts.front());
      dead.push_back(&op);
      return;
    }
    Operation *current = &op;
    if (hasTuple(op.getOperandTypes()) || hasTuple(op.getResultTypes()))
      current = rebuild(op);
    for (Region &region : current->getRegions())
      flattenRegion(region);
  }

  /// The layouts of a call's values for the elements of these; those of tuples, which have none, are row-major.
  static ArrayAttr flattenLayouts(TypeRange types, ArrayAttr layouts) {
    SmallVector<Attribute> flat;
    Builder b(layouts.getContext());
    for (auto [type, layout] : llvm::zip_equal(types, layouts)) {
      if (!isa<TupleType>(type)) {
        flat.push_back(layout);
        continue;
      }
      SmallVector<Type> parts;
      flattenTypes(type, parts);
      for (Type part : parts) {
        auto tensor = dyn_cast<RankedTensorType>(part);
        flat.push_back(
            b.getIndexTensorAttr(llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, tensor ? tensor.getRank() : 0)))));
      }
    }
    return b.getArrayAttr(flat);
  }

  /// The same op on elements.
  Operation *rebuild(Operation &op) {
    SmallVector<Value> operands;
    SmallVector<Type> types;
    for (Value operand : op.getOperands())
      appendElements(operand, operands);
    flattenTypes(op.getResultTypes(), types);
    OpBuilder b(&op);
    OperationState state(op.getLoc(), op.getName(), operands, types, op.getAttrDictionary().getValue());
    if (auto call = dyn_cast<CustomCallOp>(op)) {
      state.attributes.erase(call.getOutputOperandAliasesAttrName()); // by their places in tuples
      if (call.getOperandLayouts()) {
        TypeRange results = call.getResultTypes();
        if (auto tuple = results.size() == 1 ? dyn_cast<TupleType>(results[0]) : TupleType())
          results = tuple.getTypes(); // it has a layout for each element
        state.attributes.set(call.getOperandLayoutsAttrName(),
                             flattenLayouts(op.getOperandTypes(), *call.getOperandLayouts()));
        state.attributes.set(call.getResultLayoutsAttrName(), flattenLayouts(results, *call.getResultLayouts()));
      }
    }
    for (Region &region : op.getRegions())
      state.addRegion()->takeBody(region);
    Operation *flat = b.create(state);
    size_t next = 0;
    for (Value result : op.getResults()) {
      SmallVector<Type> own;
      flattenTypes(result.getType(), own);
      SmallVector<Value> parts(flat->getResults().slice(next, own.size()));
      next += own.size();
      if (isa<TupleType>(result.getType()))
        elements[result] = parts;
      else
        result.replaceAllUsesWith(parts.front());
    }
    dead.push_back(&op);
    return flat;
  }

  DenseMap<Value, SmallVector<Value>> elements;
  SmallVector<Operation *> dead;
};

} // namespace
