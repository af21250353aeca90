// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/Calls.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::xla;

static LogicalResult checkCall(func::CallOp call, SymbolTableCollection &symbols) {
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

LogicalResult mlir::xla::checkCalls(Operation *root) {
  SymbolTableCollection symbols;
  // Every wrong call is reported, not only the first.
  LogicalResult result = success();
  root->walk([&](func::CallOp call) {
    if (failed(checkCall(call, symbols)))
      result = failure();
  });
  return result;
}
