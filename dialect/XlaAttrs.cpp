// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly and verification of the dialect's enums and structured attributes.

#include "mlir_xla/dialect/Assembly.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

#include "mlir_xla/dialect/XlaEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "mlir_xla/dialect/XlaAttrs.cpp.inc"

void XlaDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mlir_xla/dialect/XlaAttrs.cpp.inc"
      >();
}

//===- Convolution ------------------------------------------------------------------------------------------------===//

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  ConvDimensionNumbersAttr dims;
  if (parser.parseLess() || parseConvolutionDimensions(parser, dims) || parser.parseGreater())
    return {};
  return dims;
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printConvolutionDimensions(printer, *this);
  printer << '>';
}

//===- Layout and bounds ------------------------------------------------------------------------------------------===//

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> minorToMajor,
                                 ArrayRef<int64_t> padded, std::optional<PaddingValue>) {
  SmallVector<bool> seen(minorToMajor.size(), false);
  for (int64_t dim : minorToMajor) {
    if (dim < 0 || dim >= static_cast<int64_t>(seen.size()) || seen[dim])
      return emitError() << "[LAY-C1] minor_to_major [" << minorToMajor << "] is not a permutation of 0.."
                         << static_cast<int64_t>(seen.size()) - 1;
    seen[dim] = true;
  }
  if (!padded.empty() && padded.size() != minorToMajor.size())
    return emitError() << "[LAY-C2] padded has " << counted(padded.size(), "entry") << " for rank "
                       << minorToMajor.size();
  return success();
}

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (getMinorToMajor().size() != shape.size())
    return emitError() << "[LAY-C1] minor_to_major [" << getMinorToMajor() << "] has "
                       << counted(getMinorToMajor().size(), "entry") << " for a tensor of rank " << shape.size();
  for (auto [dim, size, width] : llvm::enumerate(shape.take_front(getPadded().size()), getPadded()))
    if (!ShapedType::isDynamic(size) && width < size)
      return emitError() << "[LAY-C2] padded width " << width << " of dimension " << dim << " is smaller than its size "
                         << size;
  return success();
}

bool LayoutAttr::isRowMajor(ArrayRef<int64_t> shape) const {
  int64_t rank = shape.size();
  return llvm::equal(getMinorToMajor(), llvm::reverse(llvm::seq<int64_t>(0, rank))) && getWidths(shape) == shape;
}

Attribute BoundsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> bounds;
  if (parser.parseLess() || parser.parseCommaSeparatedList([&] { return parseDim(parser, bounds.emplace_back()); }) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), bounds);
}

void BoundsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getBounds(), printer, [&](int64_t bound) { printDim(printer, bound); });
  printer << '>';
}

LogicalResult BoundsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (getBounds().size() != shape.size())
    return emitError() << "bounds of " << counted(getBounds().size(), "dimension") << " on a tensor of rank "
                       << shape.size();
  for (auto [dim, size, bound] : llvm::enumerate(shape, getBounds()))
    if (!ShapedType::isDynamic(bound) && (!ShapedType::isDynamic(size) || bound < 0))
      return emitError() << "bound " << bound << " on dimension " << dim << " of size "
                         << (ShapedType::isDynamic(size) ? "?" : std::to_string(size))
                         << ": only dynamic dimensions have a bound, and it is not negative";
  return success();
}

//===- Accuracy ---------------------------------------------------------------------------------------------------===//

LogicalResult ResultAccuracyAttr::verify(function_ref<InFlightDiagnostic()> emitError, APFloat atol, APFloat rtol,
                                         int64_t ulps, ResultAccuracyModeAttr mode) {
  if (atol.isNegative() || rtol.isNegative() || ulps < 0 || atol.isNaN() || rtol.isNaN())
    return emitError() << "tolerances of a result_accuracy must not be negative or NaN";
  bool hasTolerance = !atol.isZero() || !rtol.isZero() || ulps != 0;
  bool wantsTolerance = mode && mode.getValue() == ResultAccuracyMode::TOLERANCE;
  if (hasTolerance != wantsTolerance)
    return emitError() << "atol, rtol and ulps go with mode TOLERANCE, which needs at least one of them";
  return success();
}
