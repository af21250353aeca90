// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The notation of convolution dimension numbers: `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`. Position p of a list says
// what dimension p of the array is: a letter for one of the two special dimensions, a number for a spatial one.

#include "mlir_xla/dialect/Assembly.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// One of the three lists: the letters of its special dimensions, and which dimension each entry is.
struct DimensionList {
  char firstLetter, secondLetter;
  int64_t first = -1, second = -1;
  SmallVector<int64_t> spatial = {};
};
} // namespace

/// True if every dimension of the array is named once, so that the list can be written.
static bool isComplete(const DimensionList &list) {
  SmallVector<int64_t> all = list.spatial;
  all.append({list.first, list.second});
  llvm::sort(all);
  return llvm::all_of(llvm::enumerate(all), [](auto it) { return it.value() == static_cast<int64_t>(it.index()); });
}

static void printList(AsmPrinter &p, const DimensionList &list) {
  p << '[';
  llvm::interleaveComma(llvm::seq<int64_t>(0, list.spatial.size() + 2), p, [&](int64_t dim) {
    if (dim == list.first)
      p << list.firstLetter;
    else if (dim == list.second)
      p << list.secondLetter;
    else
      p << llvm::find(list.spatial, dim) - list.spatial.begin();
  });
  p << ']';
}

static ParseResult parseList(AsmParser &parser, DimensionList &list) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<std::pair<int64_t, int64_t>> spatial; // (number, dimension)
  int64_t dim = 0;
  auto parseEntry = [&]() -> ParseResult {
    SMLoc entryLoc = parser.getCurrentLocation();
    int64_t number;
    OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (parsed.has_value()) {
      spatial.emplace_back(number, dim++);
      return *parsed;
    }
    StringRef letter;
    if (parser.parseKeyword(&letter))
      return failure();
    int64_t *target = letter == StringRef(&list.firstLetter, 1)    ? &list.first
                      : letter == StringRef(&list.secondLetter, 1) ? &list.second
                                                                   : nullptr;
    if (!target)
      return parser.emitError(entryLoc) << "unexpected dimension '" << letter << "', expected a number, '"
                                        << StringRef(&list.firstLetter, 1) << "' or '"
                                        << StringRef(&list.secondLetter, 1) << "'";
    if (*target != -1)
      return parser.emitError(entryLoc) << "dimension '" << letter << "' is named twice";
    *target = dim++;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  if (list.first == -1 || list.second == -1)
    return parser.emitError(loc) << "dimension '"
                                 << StringRef(list.first == -1 ? &list.firstLetter : &list.secondLetter, 1)
                                 << "' is missing";
  llvm::sort(spatial);
  for (auto [expected, entry] : llvm::enumerate(spatial)) {
    if (entry.first != static_cast<int64_t>(expected))
      return parser.emitError(loc) << "spatial dimensions must be numbered from 0 without gaps, missing " << expected;
    list.spatial.push_back(entry.second);
  }
  return success();
}

static constexpr StringLiteral rawNames[9] = {
    "input_batch_dimension",          "input_feature_dimension",         "input_spatial_dimensions",
    "kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions",
    "output_batch_dimension",         "output_feature_dimension",        "output_spatial_dimensions"};

static ParseResult parseRaw(AsmParser &parser, ConvDimensionNumbersAttr &dims) {
  int64_t scalars[9];
  SmallVector<int64_t> lists[9];
  for (size_t i = 0; i < 9; ++i) {
    if ((i != 0 && parser.parseComma()) || parser.parseKeyword(rawNames[i]) || parser.parseEqual())
      return failure();
    if (i % 3 != 2) {
      if (parser.parseInteger(scalars[i]))
        return failure();
      continue;
    }
    FailureOr<SmallVector<int64_t>> list = parseDims(parser);
    if (failed(list))
      return failure();
    lists[i] = std::move(*list);
  }
  dims = ConvDimensionNumbersAttr::get(parser.getContext(), scalars[0], scalars[1], lists[2], scalars[3], scalars[4],
                                       lists[5], scalars[6], scalars[7], lists[8]);
  return success();
}

void mlir::xla::printConvolutionDimensions(AsmPrinter &p, ConvDimensionNumbersAttr dims) {
  DimensionList input{'b', 'f', dims.getInputBatchDimension(), dims.getInputFeatureDimension(),
                      SmallVector<int64_t>(dims.getInputSpatialDimensions())};
  DimensionList kernel{'i', 'o', dims.getKernelInputFeatureDimension(), dims.getKernelOutputFeatureDimension(),
                       SmallVector<int64_t>(dims.getKernelSpatialDimensions())};
  DimensionList output{'b', 'f', dims.getOutputBatchDimension(), dims.getOutputFeatureDimension(),
                       SmallVector<int64_t>(dims.getOutputSpatialDimensions())};
  if (isComplete(input) && isComplete(kernel) && isComplete(output)) {
    printList(p, input);
    p << 'x';
    printList(p, kernel);
    p << "->";
    printList(p, output);
    return;
  }
  p << "raw ";
  size_t i = 0;
  for (const DimensionList *list : {&input, &kernel, &output}) {
    p << (i == 0 ? "" : ", ") << rawNames[i] << " = " << list->first << ", " << rawNames[i + 1] << " = " << list->second
      << ", " << rawNames[i + 2] << " = ";
    printDims(p, list->spatial);
    i += 3;
  }
}

void mlir::xla::printConvolutionDimensions(AsmPrinter &p, Operation *, ConvDimensionNumbersAttr dims) {
  printConvolutionDimensions(p, dims);
}

ParseResult mlir::xla::parseConvolutionDimensions(AsmParser &parser, ConvDimensionNumbersAttr &dims) {
  if (succeeded(parser.parseOptionalKeyword("raw")))
    return parseRaw(parser, dims);
  DimensionList input{'b', 'f'}, kernel{'i', 'o'}, output{'b', 'f'};
  if (parseList(parser, input) || parser.parseKeyword("x") || parseList(parser, kernel) || parser.parseArrow() ||
      parseList(parser, output))
    return failure();
  dims = ConvDimensionNumbersAttr::get(parser.getContext(), input.first, input.second, input.spatial, kernel.first,
                                       kernel.second, kernel.spatial, output.first, output.second, output.spatial);
  return success();
}
