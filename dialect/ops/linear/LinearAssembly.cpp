// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/ops/linear/LinearAssembly.h"
#include "mlir_xla/dialect/Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::xla;

//===- Precision --------------------------------------------------------------------------------------------------===//

void mlir::xla::printPrecisionConfig(OpAsmPrinter &p, Operation *, ArrayAttr precision) {
  p << '[';
  llvm::interleaveComma(precision.getAsRange<PrecisionAttr>(), p,
                        [&](PrecisionAttr attr) { p << stringifyPrecision(attr.getValue()); });
  p << ']';
}

ParseResult mlir::xla::parsePrecisionConfig(OpAsmParser &parser, ArrayAttr &precision) {
  SmallVector<Attribute> entries;
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<Precision> value = symbolizePrecision(keyword);
    if (!value)
      return parser.emitError(loc) << "expected DEFAULT, HIGH or HIGHEST, found '" << keyword << "'";
    entries.push_back(PrecisionAttr::get(parser.getContext(), *value));
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseEntry))
    return failure();
  precision = ArrayAttr::get(parser.getContext(), entries);
  return success();
}

//===- Dot --------------------------------------------------------------------------------------------------------===//

static void printPair(OpAsmPrinter &p, StringRef name, ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  p << name << " = ";
  printDims(p, lhs);
  p << " x ";
  printDims(p, rhs);
}

static ParseResult parsePair(OpAsmParser &parser, SmallVector<int64_t> &lhs, SmallVector<int64_t> &rhs) {
  if (parser.parseEqual())
    return failure();
  FailureOr<SmallVector<int64_t>> first = parseDims(parser);
  if (failed(first) || parser.parseKeyword("x"))
    return failure();
  FailureOr<SmallVector<int64_t>> second = parseDims(parser);
  if (failed(second))
    return failure();
  lhs = std::move(*first);
  rhs = std::move(*second);
  return success();
}

void mlir::xla::printDotDimensionNumbers(OpAsmPrinter &p, Operation *, DotDimensionNumbersAttr dims) {
  if (!dims.getLhsBatchingDimensions().empty() || !dims.getRhsBatchingDimensions().empty()) {
    printPair(p, "batching_dims", dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions());
    p << ", ";
  }
  printPair(p, "contracting_dims", dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions());
}

ParseResult mlir::xla::parseDotDimensionNumbers(OpAsmParser &parser, DotDimensionNumbersAttr &dims) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parsePair(parser, lhsBatch, rhsBatch) || parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") || parsePair(parser, lhsContract, rhsContract))
    return failure();
  dims = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatch, rhsBatch, lhsContract, rhsContract);
  return success();
}

void mlir::xla::printDotOptions(OpAsmPrinter &p, Operation *op, ArrayAttr precision, DotAlgorithmAttr algorithm) {
  if (precision) {
    p << ", precision = ";
    printPrecisionConfig(p, op, precision);
  }
  if (algorithm) {
    p << ", algorithm = ";
    p.printStrippedAttrOrType(algorithm);
  }
}

ParseResult mlir::xla::parseDotOptions(OpAsmParser &parser, ArrayAttr &precision, DotAlgorithmAttr &algorithm) {
  while (succeeded(parser.parseOptionalComma())) {
    if (!precision && succeeded(parser.parseOptionalKeyword("precision"))) {
      if (parser.parseEqual() || parsePrecisionConfig(parser, precision))
        return failure();
    } else if (!algorithm && succeeded(parser.parseOptionalKeyword("algorithm"))) {
      if (parser.parseEqual() || parser.parseCustomAttributeWithFallback(algorithm))
        return failure();
    } else {
      return parser.emitError(parser.getCurrentLocation(), "expected 'precision' or 'algorithm', each once");
    }
  }
  return success();
}

//===- Window -----------------------------------------------------------------------------------------------------===//

void mlir::xla::printWindowAttributes(OpAsmPrinter &p, Operation *, DenseI64ArrayAttr strides,
                                      DenseIntElementsAttr padding, DenseI64ArrayAttr lhsDilation,
                                      DenseI64ArrayAttr rhsDilation, DenseBoolArrayAttr reversal) {
  bool first = true;
  auto key = [&](StringRef name) {
    p << (first ? "" : ", ") << name << " = ";
    first = false;
  };
  if (strides) {
    key("stride");
    printDims(p, strides);
  }
  if (padding) {
    key("pad");
    auto values = llvm::to_vector(padding.getValues<int64_t>());
    p << '[';
    llvm::interleaveComma(llvm::seq<size_t>(0, values.size() / 2), p,
                          [&](size_t i) { p << '[' << values[2 * i] << ", " << values[2 * i + 1] << ']'; });
    p << ']';
  }
  if (lhsDilation) {
    key("lhs_dilate");
    printDims(p, lhsDilation);
  }
  if (rhsDilation) {
    key("rhs_dilate");
    printDims(p, rhsDilation);
  }
  if (reversal) {
    key("reverse");
    p << '[';
    llvm::interleaveComma(reversal.asArrayRef(), p, [&](bool value) { p << (value ? "true" : "false"); });
    p << ']';
  }
}

static ParseResult parsePadding(OpAsmParser &parser, DenseIntElementsAttr &padding) {
  SmallVector<int64_t> values;
  auto parsePair = [&]() -> ParseResult {
    int64_t low, high;
    if (parser.parseLSquare() || parser.parseInteger(low) || parser.parseComma() || parser.parseInteger(high) ||
        parser.parseRSquare())
      return failure();
    values.append({low, high});
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parsePair))
    return failure();
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size()) / 2, 2}, parser.getBuilder().getI64Type());
  padding = DenseIntElementsAttr::get(type, values);
  return success();
}

template <typename ArrayAttr> static ParseResult parseList(OpAsmParser &parser, ArrayAttr &list) {
  list = dyn_cast_or_null<ArrayAttr>(ArrayAttr::parse(parser, Type()));
  return success(list != nullptr);
}

ParseResult mlir::xla::parseWindowAttributes(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                                             DenseIntElementsAttr &padding, DenseI64ArrayAttr &lhsDilation,
                                             DenseI64ArrayAttr &rhsDilation, DenseBoolArrayAttr &reversal) {
  bool first = true;
  while (true) {
    if (!first && failed(parser.parseOptionalComma()))
      return success();
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (failed(parser.parseOptionalKeyword(&name))) {
      if (first)
        return success();
      return parser.emitError(loc, "expected a window attribute");
    }
    first = false;
    bool repeated = (name == "stride" && strides) || (name == "pad" && padding) ||
                    (name == "lhs_dilate" && lhsDilation) || (name == "rhs_dilate" && rhsDilation) ||
                    (name == "reverse" && reversal);
    if (repeated)
      return parser.emitError(loc) << "'" << name << "' occurs twice";
    if (parser.parseEqual())
      return failure();
    ParseResult value = success();
    if (name == "stride")
      value = parseList(parser, strides);
    else if (name == "pad")
      value = parsePadding(parser, padding);
    else if (name == "lhs_dilate")
      value = parseList(parser, lhsDilation);
    else if (name == "rhs_dilate")
      value = parseList(parser, rhsDilation);
    else if (name == "reverse")
      value = parseList(parser, reversal);
    else
      return parser.emitError(loc) << "'" << name << "' is not one of stride, pad, lhs_dilate, rhs_dilate, reverse";
    if (failed(value))
      return failure();
  }
}
