// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other views of a tensor's memory.

#include "mlir_xla/lowering/xla_rt/XlaRtViews.h"

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::xla;

#define GET_OP_CLASSES
#include "mlir_xla/lowering/xla_rt/XlaRtViews.cpp.inc"

LogicalResult rt::PartsOp::verify() {
  auto numbers = cast<RankedTensorType>(getSource().getType()), parts = cast<RankedTensorType>(getResult().getType());
  if (!isa<ComplexType>(numbers.getElementType()))
    std::swap(numbers, parts);
  auto element = dyn_cast<ComplexType>(numbers.getElementType());
  if (element && numbers.getRank() > 0) {
    SmallVector<int64_t> shape(numbers.getShape());
    shape.back() *= 2;
    if (parts == RankedTensorType::get(shape, element.getElementType()))
      return success();
  }
  return emitOpError("cannot see ") << getSource().getType() << " as " << getResult().getType()
                                    << ": a row of complex numbers is one of twice as many parts";
}
