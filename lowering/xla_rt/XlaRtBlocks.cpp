// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly and verification of #xla_rt.blocks.

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/xla_rt/PlanAssembly.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// The parts as they are read.
class BlocksParser {
public:
  explicit BlocksParser(AsmParser &parser) : parser(parser) {}
  Attribute parse();

private:
  struct Tiled {
    SmallVector<int64_t> dims;
    int64_t tile = 0;
  };

  ParseResult parsePart();
  ParseResult parseTiled(Tiled &tiled);

  AsmParser &parser;
  SmallVector<int64_t> sizes, work, tile;
  Tiled m, n, k;
  int64_t stages = 2, cluster = 1, split = 1;
  BlockInstruction instruction = BlockInstruction::Scalar;
  bool inWork = false; // another element would belong to it
  llvm::SmallDenseSet<StringRef> seen;
};
} // namespace

/// Dimensions, if there are any, then the size of tiles.
ParseResult BlocksParser::parseTiled(Tiled &tiled) {
  if (OptionalParseResult size = parser.parseOptionalInteger(tiled.tile); size.has_value())
    return *size;
  do
    if (parsePlanDim(parser, tiled.dims.emplace_back()))
      return failure();
  while (succeeded(parser.parseOptionalComma()));
  return parser.parseInteger(tiled.tile);
}

ParseResult BlocksParser::parsePart() {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  if (int64_t dim; inWork && readPlanDim(name, dim)) {
    work.push_back(dim);
    return success();
  }
  if (!seen.insert(name).second)
    return parser.emitError(loc) << "'" << name << "' is given twice";
  inWork = name == "work";
  if (inWork)
    return parsePlanDim(parser, work.emplace_back());
  if (Tiled *tiled = name == "m" ? &m : name == "n" ? &n : name == "k" ? &k : nullptr)
    return parseTiled(*tiled);
  if (name == "stages")
    return parser.parseInteger(stages);
  if (name == "cluster")
    return parser.parseInteger(cluster);
  if (name == "split")
    return parser.parseInteger(split);
  if (name == "register")
    return parsePlanPair(parser, tile, "rows and columns such as 8x8");
  loc = parser.getCurrentLocation();
  if (name == "instruction") {
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<BlockInstruction> known = symbolizeBlockInstruction(keyword);
    if (!known)
      return parser.emitError(loc, "expected 'scalar', 'mma' or 'wgmma'");
    instruction = *known;
    return success();
  }
  return parser.emitError(loc,
                          "expected 'm', 'n', 'k', 'register', 'instruction', 'stages', 'cluster', 'split' or 'work'");
}

Attribute BlocksParser::parse() {
  SMLoc loc = parser.getCurrentLocation();
  if (parsePlan(parser, sizes, [&] { return parsePart(); }))
    return {};
  if (tile.empty())
    tile = {1, 1};
  auto report = [&] { return parser.emitError(loc); };
  function_ref<InFlightDiagnostic()> emitError = report;
  return BlocksAttr::getChecked(emitError, parser.getContext(), ArrayRef<int64_t>(sizes), ArrayRef<int64_t>(m.dims),
                                m.tile, ArrayRef<int64_t>(n.dims), n.tile, ArrayRef<int64_t>(k.dims), k.tile, tile[0],
                                tile[1], instruction, stages, cluster, split, ArrayRef<int64_t>(work));
}

Attribute BlocksAttr::parse(AsmParser &parser, Type) { return BlocksParser(parser).parse(); }

void BlocksAttr::print(AsmPrinter &printer) const {
  auto printDims = [&](ArrayRef<int64_t> dims) {
    llvm::interleaveComma(dims, printer, [&](int64_t dim) { printer << 'd' << dim; });
  };
  auto printTiled = [&](StringRef name, ArrayRef<int64_t> dims, int64_t tile) {
    printer << ", " << name << ' ';
    printDims(dims);
    printer << (dims.empty() ? "" : " ") << tile;
  };
  printer << '<';
  llvm::interleave(getSizes(), printer.getStream(), "x");
  printTiled("m", getMDims(), getMTile());
  printTiled("n", getNDims(), getNTile());
  printTiled("k", getKDims(), getKTile());
  printer << ", register " << getRows() << 'x' << getColumns();
  if (getInstruction() != BlockInstruction::Scalar)
    printer << ", instruction " << stringifyBlockInstruction(getInstruction());
  if (getStages() != 2)
    printer << ", stages " << getStages();
  if (getCluster() != 1)
    printer << ", cluster " << getCluster();
  if (getSplit() != 1)
    printer << ", split " << getSplit();
  if (!getWork().empty()) {
    printer << ", work ";
    printDims(getWork());
  }
  printer << '>';
}

LogicalResult BlocksAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> sizes,
                                 ArrayRef<int64_t> mDims, int64_t mTile, ArrayRef<int64_t> nDims, int64_t nTile,
                                 ArrayRef<int64_t> kDims, int64_t kTile, int64_t rows, int64_t columns,
                                 BlockInstruction instruction, int64_t stages, int64_t cluster, int64_t split,
                                 ArrayRef<int64_t> work) {
  int64_t rank = sizes.size();
  for (int64_t size : sizes)
    if (size < 0)
      return emitError() << "has a dimension of size " << size;
  llvm::SmallBitVector seen(rank);
  if (kDims.empty())
    return emitError() << "does not say which dimensions are k";
  if (mDims.empty() && nDims.empty())
    return emitError() << "says neither which dimensions are m nor which are n";
  for (ArrayRef<int64_t> dims : {mDims, nDims, kDims, work}) {
    for (int64_t dim : dims) {
      if (dim >= rank)
        return emitError() << "has " << rank << " dimensions and speaks of d" << dim;
      if (seen.test(dim))
        return emitError() << "walks d" << dim << " in two ways";
      seen.set(dim);
    }
  }
  constexpr int64_t mostThreads = 1024, mostSums = 128, largestTile = 512, mostStages = 8, mostParts = 256,
                    mostTogether = 4;
  for (auto [name, tile] : {std::pair('m', mTile), std::pair('n', nTile), std::pair('k', kTile)})
    if (tile < 8 || tile > largestTile || !llvm::isPowerOf2_64(tile))
      return emitError() << "has tiles of " << tile << " along " << name << "; they are a power of two, 8 to "
                         << largestTile;
  for (auto [name, count, tile] : {std::tuple("rows", rows, mTile), std::tuple("columns", columns, nTile)})
    if (count < 1 || !llvm::isPowerOf2_64(count) || tile % count)
      return emitError() << "has " << count << " " << name << " in registers; they are a power of two that divides "
                         << "the tile of " << tile;
  bool isMma = instruction == BlockInstruction::Mma, isWgmma = instruction == BlockInstruction::Wgmma;
  int64_t together = threadsTogether(instruction), groups = mTile / rows * (nTile / columns);
  int64_t threads = groups * together;
  if (isWgmma && (rows < 64 || columns > 256))
    return emitError()
           << "has " << rows << "x" << columns
           << " results in the registers of a warpgroup; those have 64 rows or more, and at most 256 columns";
  if (isWgmma && groups > 2)
    return emitError() << "has " << groups << " warpgroups that multiply; there are registers for 1 or 2";
  if (isMma && (rows < 16 || columns < 16))
    return emitError() << "has " << rows << "x" << columns
                       << " results in the registers of a warp; tensor cores need 16x16";
  if (rows * columns > mostSums * together)
    return emitError() << "has " << rows << "x" << columns << " results in registers; there are at most " << mostSums
                       << " for each thread";
  if (threads < kWarp || threads > mostThreads)
    return emitError() << "has " << counted(threads, "thread") << " in a block; there are " << kWarp << " to "
                       << mostThreads;
  if (stages < 2 || stages > mostStages || (together == 1 && stages != 2))
    return emitError() << "has " << counted(stages, "stage") << "; there are 2"
                       << (together > 1 ? " to " + std::to_string(mostStages) : std::string());
  if (cluster < 1 || cluster > (isWgmma ? mostTogether : 1) || !llvm::isPowerOf2_64(static_cast<uint64_t>(cluster)))
    return emitError() << "has clusters of " << cluster << " blocks; there are 1"
                       << (isWgmma ? ", 2 or 4" : ", and with wgmma 2 or 4");
  if (split < 1 || split > mostParts)
    return emitError() << "splits k into " << split << " parts; there are 1 to " << mostParts;
  return success();
}
