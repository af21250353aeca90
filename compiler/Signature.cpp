// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/Signature.h"

#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::xla {

std::vector<int64_t> BufferType::strides() const {
  std::vector<int64_t> result(shape.size());
  int64_t step = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    size_t dim = isRowMajor() ? shape.size() - 1 - i : minorToMajor[i];
    result[dim] = step;
    step *= padded.empty() ? shape[dim] : padded[dim];
  }
  return result;
}

static LogicalResult append(Type type, Operation *main, std::vector<BufferType> &types) {
  if (auto tuple = dyn_cast<TupleType>(type)) {
    for (Type element : tuple.getTypes())
      if (failed(append(element, main, types)))
        return failure();
    return success();
  }
  if (isa<TokenType>(type))
    return success();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return emitError(main->getLoc(), "'main' cannot be compiled: its signature has the type ")
           << type << ", only tensors of static shape, tuples of them and tokens are supported";
  BufferType buffer;
  llvm::raw_string_ostream(buffer.element) << tensor.getElementType();
  buffer.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  buffer.elementBytes = elementStorageBytes(tensor.getElementType());
  buffer.bytes = bufferBytes(tensor);
  if (auto layout = dyn_cast_or_null<LayoutAttr>(tensor.getEncoding()); layout && !layout.isRowMajor(buffer.shape)) {
    buffer.minorToMajor = layout.getMinorToMajor();
    buffer.padded = layout.getPadded();
    if (layout.getPadding())
      buffer.padding = stringifyPaddingValue(*layout.getPadding());
    buffer.bytes = bufferBytes(RankedTensorType::get(layout.getWidths(buffer.shape), tensor.getElementType()));
  }
  types.push_back(std::move(buffer));
  return success();
}

FailureOr<Signature> readSignature(ModuleOp module) {
  auto main = module.lookupSymbol<FunctionOpInterface>("main");
  if (!main || main.isExternal())
    return emitError(module.getLoc(), "cannot be compiled: it has no function @main");
  auto type = dyn_cast<FunctionType>(main.getFunctionType());
  if (auto given = main->getAttrOfType<TypeAttr>(XlaRtDialect::kSignature))
    type = dyn_cast<FunctionType>(given.getValue());
  if (!type)
    return emitError(main->getLoc(), "'main' cannot be compiled: it has no signature");
  Signature signature;
  for (Type input : type.getInputs())
    if (failed(append(input, main, signature.arguments)))
      return failure();
  for (Type result : type.getResults())
    if (failed(append(result, main, signature.results)))
      return failure();
  return signature;
}

} // namespace mlir::xla
