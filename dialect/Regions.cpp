// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/Regions.h"

using namespace mlir;
using namespace mlir::xla;

ReturnOp mlir::xla::getReturn(Region &region) {
  if (!region.hasOneBlock() || region.front().empty())
    return {};
  return dyn_cast<ReturnOp>(region.front().back());
}

bool mlir::xla::isScalar(Type type, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && (!element || tensor.getElementType() == element);
}
