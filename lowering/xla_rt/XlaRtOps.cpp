// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verification of the operations.

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::xla;

#define GET_OP_CLASSES
#include "mlir_xla/lowering/xla_rt/XlaRtOps.cpp.inc"

LogicalResult rt::ScanOp::verify() {
  size_t count = getInputs().size();
  if (count == 0)
    return emitOpError("has no inputs");
  if (getInitial().size() != count || getOuts().size() != count || getNumResults() != count)
    return emitOpError("has ") << counted(count, "input") << ", " << counted(getInitial().size(), "initial value")
                               << ", " << counted(getOuts().size(), "out") << " and "
                               << counted(getNumResults(), "result") << "; there is one of each for every array";
  int64_t rank = getShape().size(), dimension = getDimension();
  if (dimension < 0 || dimension >= rank)
    return emitOpError("has the dimension ") << dimension << ", but inputs of rank " << rank;
  SmallVector<int64_t> others(getShape());
  others.erase(others.begin() + dimension);
  SmallVector<Type> elements;
  for (size_t i = 0; i < count; ++i) {
    auto input = cast<RankedTensorType>(getInputs()[i].getType());
    if (input.getShape() != getShape())
      return emitOpError("has the input ")
             << i << " of type " << input << ", but the first one is of type " << getInputs()[0].getType();
    if (getOuts()[i].getType() != input || getResult(i).getType() != input)
      return emitOpError("has the input ")
             << i << " of type " << input << ", but an out of type " << getOuts()[i].getType()
             << " and a result of type " << getResult(i).getType();
    elements.push_back(input.getElementType());
    auto expected = RankedTensorType::get(others, elements.back());
    if (getInitial()[i].getType() != expected)
      return emitOpError("has the initial value ")
             << i << " of type " << getInitial()[i].getType() << " instead of " << expected;
  }
  return success();
}

LogicalResult rt::ScanOp::verifyRegions() {
  SmallVector<Type> elements;
  for (Value input : getInputs())
    elements.push_back(getElementTypeOrSelf(input.getType()));
  SmallVector<Type> arguments(elements);
  llvm::append_range(arguments, elements);
  Block &body = getCombiner().front();
  if (body.getArgumentTypes() != ArrayRef<Type>(arguments))
    return emitOpError("combines values of types (")
           << TypeRange(arguments) << "), but its combiner takes (" << body.getArgumentTypes() << ")";
  Operation *yield = body.getTerminator();
  if (yield->getOperandTypes() != ArrayRef<Type>(elements))
    return yield->emitOpError("leaves values of types (")
           << yield->getOperandTypes() << ") in a combiner of (" << TypeRange(elements) << ")";
  return success();
}

LogicalResult rt::LibraryCallOp::verify() {
  if (getOuts().getTypes() != getResultTypes())
    return emitOpError("has results of types (")
           << getResultTypes() << "), but outs of types (" << getOuts().getTypes() << ")";
  if (getWork() < 0 || getCost() < 0 || getScratch() < 0)
    return emitOpError("has negative work, cost or scratch");
  return success();
}

std::optional<KernelKind> mlir::xla::wholeKernelKind(Operation *op) {
  if (isa<rt::LibraryCallOp>(op))
    return KernelKind::Library;
  return std::nullopt;
}

DestinationStyleOpInterface mlir::xla::wholeKernelIn(func::FuncOp kernel) {
  for (Operation &op : kernel.getBody().front())
    if (wholeKernelKind(&op))
      return cast<DestinationStyleOpInterface>(op);
  return {};
}
