// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly and verification of #xla_rt.stream.

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/xla_rt/PlanAssembly.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::xla;

Attribute StreamAttr::parse(AsmParser &parser, Type) {
  SMLoc begin = parser.getCurrentLocation();
  SmallVector<int64_t> sizes, lanes;
  int64_t rowDim = 0, keyDim = 0, laneDim = 0, rows = 1, keys = 1, threads = 0, split = 1;
  llvm::SmallDenseSet<StringRef> seen;
  auto parsePart = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    if (!seen.insert(name).second)
      return parser.emitError(loc) << "'" << name << "' is given twice";
    if (name == "rows")
      return failure(parsePlanDim(parser, rowDim) || parser.parseInteger(rows));
    if (name == "keys")
      return failure(parsePlanDim(parser, keyDim) || parser.parseInteger(keys));
    if (name == "threads")
      return parser.parseInteger(threads);
    if (name == "split")
      return parser.parseInteger(split);
    if (name != "lanes")
      return parser.emitError(loc, "expected 'rows', 'keys', 'lanes', 'threads' or 'split'");
    return failure(parsePlanDim(parser, laneDim) ||
                   parsePlanPair(parser, lanes, "neighbours and threads such as 4x16"));
  };
  if (parsePlan(parser, sizes, parsePart))
    return {};
  for (StringRef name : {"rows", "keys", "lanes", "threads"})
    if (!seen.contains(name)) {
      parser.emitError(begin) << "does not say '" << name << "'";
      return {};
    }
  auto report = [&] { return parser.emitError(begin); };
  function_ref<InFlightDiagnostic()> emitError = report;
  return StreamAttr::getChecked(emitError, parser.getContext(), ArrayRef<int64_t>(sizes), rowDim, rows, keyDim, keys,
                                laneDim, lanes[0], lanes[1], threads, split);
}

void StreamAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleave(getSizes(), printer.getStream(), "x");
  printer << ", rows d" << getRowDim() << ' ' << getRows() << ", keys d" << getKeyDim() << ' ' << getKeys()
          << ", lanes d" << getLaneDim() << ' ' << getLanes() << 'x' << getGroup() << ", threads " << getThreads();
  if (getSplit() != 1)
    printer << ", split " << getSplit();
  printer << '>';
}

LogicalResult StreamAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> sizes, int64_t rowDim,
                                 int64_t rows, int64_t keyDim, int64_t keys, int64_t laneDim, int64_t lanes,
                                 int64_t group, int64_t threads, int64_t split) {
  constexpr int64_t warp = 32, mostThreads = 1024, mostParts = 64;
  int64_t rank = sizes.size();
  for (int64_t size : sizes)
    if (size < 0)
      return emitError() << "has a dimension of size " << size;
  for (int64_t dim : {rowDim, keyDim, laneDim})
    if (dim < 0 || dim >= rank)
      return emitError() << "has " << rank << " dimensions and speaks of d" << dim;
  if (rowDim == keyDim || rowDim == laneDim || keyDim == laneDim)
    return emitError() << "walks d" << (rowDim == keyDim ? rowDim : laneDim) << " in two ways";
  for (auto [name, count, most] : {std::tuple("rows", rows, 16), std::tuple("keys at a time", keys, 32),
                                   std::tuple("neighbours", lanes, 16), std::tuple("threads in a group", group, 32)})
    if (count < 1 || count > most || !llvm::isPowerOf2_64(count))
      return emitError() << "has " << count << " " << name << "; they are a power of two, 1 to " << most;
  if (threads < warp || threads > mostThreads || !llvm::isPowerOf2_64(threads))
    return emitError() << "has " << counted(threads, "thread") << " in a block; they are a power of two, " << warp
                       << " to " << mostThreads;
  if (group < rows)
    return emitError() << "has " << rows << " rows, and groups of " << group
                       << " threads: each has a maximum of at most one row";
  if (split < 1 || split > mostParts)
    return emitError() << "splits the keys into " << split << " parts; there are 1 to " << mostParts;
  return success();
}
