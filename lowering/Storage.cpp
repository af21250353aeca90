// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/Storage.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::xla {

int64_t elementStorageBytes(Type elementType) {
  if (auto complexType = dyn_cast<ComplexType>(elementType))
    return 2 * elementStorageBytes(complexType.getElementType());
  if (elementType.isIndex())
    return 8;
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

int64_t bufferBytes(ShapedType type) { return type.getNumElements() * elementStorageBytes(type.getElementType()); }

bool haveSamePlaces(Type first, Type second) {
  auto a = dyn_cast<RankedTensorType>(first), b = dyn_cast<RankedTensorType>(second);
  return a && b && a.getNumElements() == b.getNumElements() &&
         elementStorageBytes(a.getElementType()) == elementStorageBytes(b.getElementType());
}

/// Little-endian, as many bytes as an element takes.
static void writeInteger(const APInt &value, char *out, int64_t bytes) {
  for (int64_t i = 0; i < bytes; ++i)
    out[i] =
        static_cast<char>(i * 8 < value.getBitWidth()
                              ? value.extractBitsAsZExtValue(std::min<unsigned>(8, value.getBitWidth() - i * 8), i * 8)
                              : 0);
}

LogicalResult writeElements(ElementsAttr attr, MutableArrayRef<char> out) {
  ShapedType type = attr.getShapedType();
  Type elementType = type.getElementType();
  int64_t bytes = elementStorageBytes(elementType);
  if (int64_t(out.size()) != bufferBytes(type))
    return failure();
  if (out.empty())
    return success();

  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() != out.size())
      return failure();
    memcpy(out.data(), blob->getData().data(), out.size());
    return success();
  }

  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return failure();
  bool wholeBytes =
      !elementType.isIntOrIndexOrFloat() || elementType.isIndex() || elementType.getIntOrFloatBitWidth() % 8 == 0;
  if (wholeBytes) {
    // The attribute's own storage is already what the buffer wants.
    ArrayRef<char> raw = dense.getRawData();
    if (dense.isSplat()) {
      for (int64_t offset = 0; offset < int64_t(out.size()); offset += bytes)
        memcpy(out.data() + offset, raw.data(), bytes);
      return success();
    }
    if (raw.size() != out.size())
      return failure();
    memcpy(out.data(), raw.data(), out.size());
    return success();
  }
  char *cursor = out.data();
  if (isa<FloatType>(elementType)) {
    for (const APFloat &value : dense.getValues<APFloat>())
      writeInteger(value.bitcastToAPInt(), cursor, bytes), cursor += bytes;
  } else {
    for (const APInt &value : dense.getValues<APInt>())
      writeInteger(value, cursor, bytes), cursor += bytes;
  }
  return success();
}

} // namespace mlir::xla
