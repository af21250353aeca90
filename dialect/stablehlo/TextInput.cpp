// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/stablehlo/TextInput.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using llvm::StringRef;

/// The number of elements of `rest`, if it begins with `"> : tensor<` and the dimensions and element type of booleans.
static uint64_t countBooleans(StringRef rest) {
  if (!rest.consume_front("\"> : tensor<"))
    return 0;
  uint64_t count = 1, size;
  while (!rest.consume_front("i1>")) {
    if (rest.consumeInteger(10, size) || !rest.consume_front("x"))
      return 0;
    count = llvm::SaturatingMultiply(count, size);
  }
  return count;
}

std::unique_ptr<llvm::MemoryBuffer> mlir::xla::packBooleans(std::unique_ptr<llvm::MemoryBuffer> source) {
  constexpr StringRef before = "dense<\"0x";
  StringRef text = source->getBuffer();
  std::unique_ptr<llvm::WritableMemoryBuffer> packed;
  if (!text.contains("xi1>"))
    return source;
  for (size_t at = text.find(before); at != StringRef::npos; at = text.find(before, at)) {
    at += before.size();
    size_t end = text.find('"', at);
    if (end == StringRef::npos)
      break;
    StringRef digits = text.slice(at, end);
    uint64_t count = countBooleans(text.substr(end));
    std::string bytes;
    // One element is as long either way.
    if (count > 1 && digits.size() == 2 * count && llvm::tryGetFromHex(digits, bytes)) {
      std::string bits((count + 7) / 8, 0);
      for (auto [i, byte] : llvm::enumerate(bytes))
        bits[i / 8] |= (byte != 0) << (i % 8);
      if (!packed) {
        packed = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(text.size(), source->getBufferIdentifier());
        llvm::copy(text, packed->getBufferStart());
      }
      std::string literal = llvm::toHex(bits) + "\">";
      literal.resize(end + 2 - at, ' ');
      llvm::copy(literal, packed->getBufferStart() + at);
    }
    at = end;
  }
  return packed ? std::move(packed) : std::move(source);
}
