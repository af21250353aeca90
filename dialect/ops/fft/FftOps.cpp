// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifier and shape rule of the fft family.

#include "mlir_xla/dialect/Assembly.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaOps.h"

using namespace mlir;
using namespace mlir::xla;

LogicalResult FftOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  auto error = [&](StringRef number) { return ConstraintError(loc, getOperationName(), ("Fft-C" + number).str()); };
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> lengths = adaptor.getFftLength();
  int64_t rank = operand.getRank(), count = lengths.size();
  if (count < 1 || count > 3 || count > rank)
    return error("1") << "fft_length has " << counted(count, "entry") << " instead of 1 to 3, one for each transformed "
                      << "dimension of " << operand;
  FftType kind = adaptor.getFftType();
  bool toComplex = kind == FftType::RFFT, toReal = kind == FftType::IRFFT;
  Type element = operand.getElementType(), result = element;
  if (toComplex ? !(element.isF32() || element.isF64()) : !isa<ComplexType>(element))
    return error("2") << stringifyFftType(kind) << " does not take elements of type " << element << ", expected "
                      << (toComplex ? "f32 or f64" : "complex ones");
  if (toComplex)
    result = ComplexType::get(element);
  else if (toReal)
    result = realTypeOf(element);
  SmallVector<int64_t> dims(operand.getShape());
  for (auto [i, length] : llvm::enumerate(lengths)) {
    int64_t dim = rank - count + i;
    int64_t expected = toReal && dim == rank - 1 ? length / 2 + 1 : length;
    if (length < 0 || !areCompatibleDims(dims[dim], expected))
      return error("3") << "dimension " << dim << " of " << operand << " does not have the size " << expected
                        << " that fft_length " << length << " asks for";
  }
  if (toComplex)
    dims.back() = lengths.back() ? lengths.back() / 2 + 1 : 0;
  else if (toReal)
    dims.back() = lengths.back();
  types.push_back(RankedTensorType::get(dims, result));
  return success();
}

LogicalResult FftOp::verify() { return verifyInferredTypes(*this, "Fft-C4"); }

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/fft/FftOps.cpp.inc"

void XlaDialect::registerFftOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ops/fft/FftOps.cpp.inc"
      >();
}
