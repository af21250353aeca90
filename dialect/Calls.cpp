// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/Calls.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

static LogicalResult checkCall(func::CallOp call, SymbolTableCollection &symbols) {
  if (!call.getCalleeAttr()) // nothing has been verified yet
    return success();
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (!callee)
    return success();
  auto error = [&](StringRef constraint) {
    return ConstraintError(call.getLoc(), call.getOperationName(), constraint);
  };
  FunctionType type = callee.getFunctionType();
  if (call.getNumOperands() != type.getNumInputs())
    return error("Call-C1") << counted(call.getNumOperands(), "argument") << " for the "
                            << counted(type.getNumInputs(), "parameter") << " of '@" << callee.getName() << "'";
  for (auto [i, argument, parameter] : llvm::enumerate(call.getOperandTypes(), type.getInputs()))
    if (argument != parameter)
      return error("Call-C2") << "argument " << i << " is " << argument << ", the parameter of '@" << callee.getName()
                              << "' " << parameter;
  if (TypeRange results = call.getResultTypes(); results != TypeRange(type.getResults()))
    return error("Call-C3") << "result types (" << results << ") differ from those of '@" << callee.getName() << "', ("
                            << type.getResults() << ")";
  return success();
}

namespace {
/// Counts what tuples hold, once for each type.
class TupleLeaves {
public:
  bool areTooMany(TypeRange types) {
    return llvm::any_of(types, [&](Type type) { return isa<TupleType>(type) && count(type, 0) > maxTupleLeaves; });
  }
  uint64_t countIn(TypeRange types) {
    uint64_t leaves = 0;
    for (Type type : types)
      leaves = llvm::SaturatingAdd(leaves, count(type, 0));
    return leaves;
  }

private:
  uint64_t count(Type type, unsigned depth) {
    auto tuple = dyn_cast<TupleType>(type);
    if (!tuple)
      return 1;
    if (auto known = counts.find(type); known != counts.end())
      return known->second;
    if (depth == maxTupleDepth)
      return maxTupleLeaves + 1;
    uint64_t leaves = 0;
    for (Type element : tuple.getTypes())
      leaves = llvm::SaturatingAdd(leaves, count(element, depth + 1));
    counts[type] = leaves;
    return leaves;
  }

  llvm::DenseMap<Type, uint64_t> counts;
};
} // namespace

/// %x: tensor<4xf32> {tf.aliasing_output = 1 : i32}, as JAX writes what is donated: the number of the result whose
/// memory the argument may give, tuples taken apart. There has to be one. Nothing has been verified yet.
static LogicalResult checkAliases(func::FuncOp function, TupleLeaves &leaves) {
  constexpr StringLiteral name = "tf.aliasing_output";
  ArrayAttr attributes = function.getArgAttrsAttr();
  uint64_t results = leaves.countIn(cast<FunctionType>(function.getFunctionTypeAttr().getValue()).getResults());
  for (auto [i, each] : llvm::enumerate(attributes ? attributes.getValue() : ArrayRef<Attribute>())) {
    auto dictionary = dyn_cast<DictionaryAttr>(each);
    Attribute alias = dictionary ? dictionary.get(name) : Attribute();
    if (!alias)
      continue;
    auto number = dyn_cast<IntegerAttr>(alias);
    if (number && !number.getValue().isNegative() && number.getValue().ult(results))
      continue;
    bool isKnown = !function.isExternal() && i < function.front().getNumArguments();
    return mlir::emitError(isKnown ? function.front().getArgument(i).getLoc() : function.getLoc())
           << "'" << name << "' of argument " << i << " is " << alias << ", not the number of a result ("
           << counted(results, "result") << ", numbered from 0)";
  }
  return success();
}

LogicalResult mlir::xla::checkFunctions(Operation *root) {
  SymbolTableCollection symbols;
  TupleLeaves leaves;
  // Every error is reported, not only the first.
  LogicalResult result = success();
  auto checkTuples = [&](Operation *op, TypeRange types) {
    if (leaves.areTooMany(types)) // the type itself may be too long to print
      result = mlir::emitError(op->getLoc())
               << "'" << op->getName() << "' op has a tuple of more than " << maxTupleLeaves
               << " elements, counted through the tuples in it, or " << maxTupleDepth << " levels";
  };
  root->walk([&](Operation *op) {
    checkTuples(op, op->getResultTypes());
    if (auto call = dyn_cast<func::CallOp>(op)) {
      if (failed(checkCall(call, symbols)))
        result = failure();
    } else if (auto function = dyn_cast<func::FuncOp>(op)) {
      if (TypeAttr type = function.getFunctionTypeAttr()) { // nothing has been verified yet
        checkTuples(op, cast<FunctionType>(type.getValue()).getInputs());
        checkTuples(op, cast<FunctionType>(type.getValue()).getResults());
        if (failed(checkAliases(function, leaves)))
          result = failure();
      }
    }
  });
  return result;
}
