// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions that a nest has many times are functions of the module, which are called for each vector. Their
// code is generated once, and stays in the caches for instructions.

#include "mlir_xla/lowering/cpu/NestEmitter.h"
#include "mlir_xla/lowering/math/VectorMath.h"
#include "mlir_xla/lowering/nest/Cost.h"

using namespace mlir;
using namespace mlir::xla;

/// Copies of a function that a nest has at least, and operations of all of them, where it is called. A call takes four
/// instructions, and what else is in registers is stored before it and loaded again.
static constexpr unsigned kFewestCopies = 4, kFewestOperations = 400;

/// Operations that are many instructions, with nothing but numbers that registers have.
static bool isCallable(Operation *op) {
  auto isNumber = [](Type type) { return type.isF32() || type.isF64(); };
  return isLongCode(op) && op->getNumRegions() == 0 && op->getNumResults() == 1 && op->getDiscardableAttrs().empty() &&
         llvm::all_of(op->getOperandTypes(), isNumber) && llvm::all_of(op->getResultTypes(), isNumber);
}

/// Equal for operations that are the same function, flags included.
static Attribute signatureOf(Operation *op) {
  MLIRContext *context = op->getContext();
  auto type = FunctionType::get(context, op->getOperandTypes(), op->getResultTypes());
  return ArrayAttr::get(context, {StringAttr::get(context, op->getName().getStringRef()),
                                  DictionaryAttr::get(context, op->getAttrs()), TypeAttr::get(type)});
}

void NestEmitter::countFunctions() {
  copiesOfFunctions.clear();
  if (onDevice)
    return;
  SmallVector<Operation *> callable;
  for (ExprNode *node : nest->nodes())
    if (node->kind == ExprNode::Apply && isCallable(node->op))
      callable.push_back(node->op);
  if (callable.size() < kFewestCopies)
    return;
  for (Operation *op : callable)
    ++copiesOfFunctions[signatureOf(op)];
  copiesOfFunctions.remove_if([](const auto &entry) { return entry.second < kFewestCopies; });
}

/// What `op` is, as a function of its own; null if it is so short that it is written out.
func::FuncOp NestEmitter::functionFor(Operation *op, Type type, TypeRange operands, unsigned copies) {
  OpBuilder::InsertionGuard guard(b);
  auto kernel = cast<func::FuncOp>(levels.front().getBlock()->getParentOp());
  auto module = kernel->getParentOfType<ModuleOp>();
  b.setInsertionPointToStart(module.getBody());
  unsigned number = 0;
  // The kernel is in the name: what is derived from a function lives on where the function itself is gone.
  auto nameOf = [&](unsigned number) {
    return (kernel.getName() + "." + op->getName().stripDialect() + "." + Twine(number)).str();
  };
  while (module.lookupSymbol(nameOf(number)))
    ++number;
  auto function = func::FuncOp::create(b, nameOf(number), b.getFunctionType(operands, type));
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  Value value = emitScalarMath(b, op, type, entry->getArguments());
  if (!value || copies * operationsOf(function) < kFewestOperations) {
    function.erase();
    return {};
  }
  func::ReturnOp::create(b, value);
  return function;
}

/// Null if `op` is to be written out.
Value NestEmitter::callFunction(Operation *op, Type type, ValueRange operands) {
  if (copiesOfFunctions.empty() || !isCallable(op))
    return {};
  Attribute signature = signatureOf(op);
  unsigned copies = copiesOfFunctions.lookup(signature);
  if (copies == 0)
    return {};
  auto [known, isNew] = functions.try_emplace({signature, type});
  if (isNew)
    known->second = functionFor(op, type, operands.getTypes(), copies);
  return known->second ? func::CallOp::create(b, known->second, operands).getResult(0) : Value();
}

void NestEmitter::dropUncalledFunctions() {
  Operation *kernel = levels.front().getBlock()->getParentOp();
  for (auto &[key, function] : functions)
    if (function && SymbolTable::symbolKnownUseEmpty(function, kernel))
      function.erase();
  functions.clear();
}
