// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the plans (#xla_rt.nest, tiles, blocks and stream) have in common as text: `<` sizes, then parts, `>`.

#ifndef MLIR_XLA_LOWERING_XLA_RT_PLANASSEMBLY_H
#define MLIR_XLA_LOWERING_XLA_RT_PLANASSEMBLY_H

#include "mlir/IR/DialectImplementation.h"

namespace mlir::xla {

/// Reads `<1024x64, part, part>`: the sizes of a nest's dimensions, and what `parsePart` reads after each comma.
inline ParseResult parsePlan(AsmParser &parser, SmallVectorImpl<int64_t> &sizes,
                             function_ref<ParseResult()> parsePart) {
  if (parser.parseLess() || parser.parseDimensionList(sizes, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return failure();
  while (succeeded(parser.parseOptionalComma()))
    if (parsePart())
      return failure();
  return parser.parseGreater();
}

/// Is `keyword` the name of a dimension: d0, d1, ...? No part of a plan begins with such a name.
inline bool readPlanDim(StringRef keyword, int64_t &dim) {
  return keyword.consume_front("d") && !keyword.empty() && !keyword.getAsInteger(10, dim);
}

inline ParseResult parsePlanDim(AsmParser &parser, int64_t &dim) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&keyword)) || !readPlanDim(keyword, dim))
    return parser.emitError(loc, "expected a dimension such as d0");
  return success();
}

/// Reads two numbers such as 6x4; `meaning` says what they count.
inline ParseResult parsePlanPair(AsmParser &parser, SmallVectorImpl<int64_t> &pair, StringRef meaning) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(pair, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return failure();
  return pair.size() == 2 ? success() : parser.emitError(loc, "expected " + meaning);
}

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_XLA_RT_PLANASSEMBLY_H
