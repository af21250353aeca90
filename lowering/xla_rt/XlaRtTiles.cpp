// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly and verification of #xla_rt.tiles.

#include "mlir_xla/lowering/xla_rt/PlanAssembly.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// The parts as they are read.
class TilesParser {
public:
  explicit TilesParser(AsmParser &parser) : parser(parser) {}
  Attribute parse();

private:
  ParseResult parsePart();

  AsmParser &parser;
  SmallVector<int64_t> sizes, work;
  struct Blocked {
    int64_t dim = -1, block = 0;
  } m, n, k;
  SmallVector<int64_t> tile;
  int64_t lanes = 1, prefetch = 0;
  ProductInstruction instruction = ProductInstruction::Fma;
  bool packA = false, packB = false;
  StringRef list; // that another element would belong to
  llvm::SmallDenseSet<StringRef> seen;
};
} // namespace

ParseResult TilesParser::parsePart() {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  if (int64_t dim; list == "work" && readPlanDim(name, dim)) {
    work.push_back(dim);
    return success();
  }
  auto parseOperand = [&](StringRef operand) -> ParseResult {
    bool *flag = operand == "a" ? &packA : operand == "b" ? &packB : nullptr;
    if (!flag)
      return parser.emitError(loc, "expected 'a' or 'b'");
    *flag = true;
    return success();
  };
  if (list == "pack" && (name == "a" || name == "b"))
    return parseOperand(name);
  if (!seen.insert(name).second)
    return parser.emitError(loc) << "'" << name << "' is given twice";
  list = name == "work" || name == "pack" ? name : StringRef();
  if (name == "work")
    return parsePlanDim(parser, work.emplace_back());
  if (name == "pack") {
    StringRef operand;
    return failure(parser.parseKeyword(&operand) || parseOperand(operand));
  }
  if (Blocked *blocked = name == "m" ? &m : name == "n" ? &n : name == "k" ? &k : nullptr)
    return failure(parsePlanDim(parser, blocked->dim) || parser.parseInteger(blocked->block));
  if (name == "lanes")
    return parser.parseInteger(lanes);
  if (name == "prefetch")
    return parser.parseInteger(prefetch);
  if (name == "register")
    return parsePlanPair(parser, tile, "rows and vectors such as 6x4");
  if (name == "instruction") {
    StringRef keyword;
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<ProductInstruction> known = symbolizeProductInstruction(keyword);
    if (!known)
      return parser.emitError(loc, "expected 'fma', 'pmaddwd', 'vpdpbusd', 'vdpbf16ps', 'tdpbssd', 'tdpbf16ps' or "
                                   "'tdpfp16ps'");
    instruction = *known;
    return success();
  }
  return parser.emitError(loc, "expected 'm', 'n', 'k', 'register', 'lanes', 'instruction', 'pack', 'prefetch' or "
                               "'work'");
}

Attribute TilesParser::parse() {
  SMLoc loc = parser.getCurrentLocation();
  if (parsePlan(parser, sizes, [&] { return parsePart(); }))
    return {};
  if (tile.empty())
    tile = {1, 1};
  auto report = [&] { return parser.emitError(loc); };
  function_ref<InFlightDiagnostic()> emitError = report;
  return TilesAttr::getChecked(emitError, parser.getContext(), ArrayRef<int64_t>(sizes), m.dim, m.block, n.dim, n.block,
                               k.dim, k.block, tile[0], tile[1], lanes, instruction, packA, packB, prefetch,
                               ArrayRef<int64_t>(work));
}

Attribute TilesAttr::parse(AsmParser &parser, Type) { return TilesParser(parser).parse(); }

void TilesAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleave(getSizes(), printer.getStream(), "x");
  printer << ", m d" << getMDim() << ' ' << getMBlock() << ", n d" << getNDim() << ' ' << getNBlock() << ", k d"
          << getKDim() << ' ' << getKBlock() << ", register " << getRows() << 'x' << getVectors() << ", lanes "
          << getLanes() << ", instruction " << stringifyProductInstruction(getInstruction());
  if (getPackA() || getPackB())
    printer << ", pack " << (getPackA() ? "a" : "") << (getPackA() && getPackB() ? ", " : "")
            << (getPackB() ? "b" : "");
  if (getPrefetch())
    printer << ", prefetch " << getPrefetch();
  if (!getWork().empty()) {
    printer << ", work ";
    llvm::interleaveComma(getWork(), printer, [&](int64_t dim) { printer << 'd' << dim; });
  }
  printer << '>';
}

bool TilesAttr::usesTileRegisters(ProductInstruction instruction) {
  return instruction == ProductInstruction::Tdpbssd || instruction == ProductInstruction::Tdpbf16ps ||
         instruction == ProductInstruction::Tdpfp16ps;
}

int64_t TilesAttr::groupOf(ProductInstruction instruction) {
  switch (instruction) {
  case ProductInstruction::Fma:
    return 1;
  case ProductInstruction::Vpdpbusd:
  case ProductInstruction::Tdpbssd:
    return 4;
  case ProductInstruction::Pmaddwd:
  case ProductInstruction::Vdpbf16ps:
  case ProductInstruction::Tdpbf16ps:
  case ProductInstruction::Tdpfp16ps:
    return 2;
  }
  llvm_unreachable("all instructions are above");
}

/// Tiles that take turns in a register are of one shape, so rows that are not shared out equally are kept.
TilesAttr::TileRegisters::TileRegisters(int64_t rows, int64_t vectors)
    : rowTiles(llvm::divideCeil(rows, kTileRows)), columnTiles(vectors), sums(rowTiles * columnTiles) {
  keepsRows = rowTiles <= columnTiles || rows % rowTiles != 0;
  kept = keepsRows ? rowTiles : columnTiles;
  turns = std::min(keepsRows ? columnTiles : rowTiles, kTileRegisters - sums - kept);
}

/// What AMX demands of a plan, whatever the nest.
static LogicalResult verifyTileRegisters(function_ref<InFlightDiagnostic()> emitError, int64_t kDim, int64_t kBlock,
                                         int64_t rows, int64_t vectors, int64_t lanes, ProductInstruction instruction,
                                         bool packB, int64_t prefetch) {
  StringRef name = stringifyProductInstruction(instruction);
  if (!packB)
    return emitError() << "does not pack the columns, as " << name << " needs";
  if (lanes != TilesAttr::kTileLanes)
    return emitError() << "has " << lanes << " lanes, and a tile register has " << TilesAttr::kTileLanes;
  if (!TilesAttr::TileRegisters(rows, vectors).fit())
    return emitError() << "has " << rows << " rows by " << vectors << " vectors in tile registers, of which there are "
                       << TilesAttr::kTileRegisters << ", factors included";
  int64_t step = TilesAttr::kTileRows * TilesAttr::groupOf(instruction);
  if (kBlock % step)
    return emitError() << "cuts d" << kDim << " into blocks of " << kBlock << ", which are no whole steps of " << step;
  if (prefetch)
    return emitError() << "prefetches, which " << name << " does not";
  return success();
}

LogicalResult TilesAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> sizes, int64_t mDim,
                                int64_t mBlock, int64_t nDim, int64_t nBlock, int64_t kDim, int64_t kBlock,
                                int64_t rows, int64_t vectors, int64_t lanes, ProductInstruction instruction,
                                bool packA, bool packB, int64_t prefetch, ArrayRef<int64_t> work) {
  int64_t rank = sizes.size();
  for (int64_t size : sizes)
    if (size < 0)
      return emitError() << "has a dimension of size " << size;
  for (auto [name, dim] : {std::pair('m', mDim), std::pair('n', nDim), std::pair('k', kDim)})
    if (dim < 0)
      return emitError() << "does not say which dimension is " << name;
  SmallVector<int64_t> named{mDim, nDim, kDim};
  llvm::append_range(named, work);
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : named) {
    if (dim >= rank)
      return emitError() << "has " << rank << " dimensions and speaks of d" << dim;
    if (seen.test(dim))
      return emitError() << "walks d" << dim << " in two ways";
    seen.set(dim);
  }
  constexpr int64_t mostLanes = 64, mostCopies = 64;
  if (lanes < 2 || lanes > mostLanes || !llvm::isPowerOf2_64(lanes))
    return emitError() << "has " << lanes << " lanes; they are a power of two, at most " << mostLanes;
  if (rows < 1 || vectors < 1 || rows > mostCopies || vectors > mostCopies || rows * vectors > mostCopies)
    return emitError() << "has " << rows << " rows by " << vectors << " vectors in registers; there are 1 to "
                       << mostCopies;
  auto cuts = [&](int64_t dim, int64_t block, int64_t step) -> LogicalResult {
    if (block < 1 || block % step)
      return emitError() << "cuts d" << dim << " into blocks of " << block << ", which are no whole steps of " << step;
    return success();
  };
  constexpr int64_t stepsOfPacking = 4;
  if (failed(cuts(mDim, mBlock, rows)) || failed(cuts(nDim, nBlock, vectors * lanes)) ||
      failed(cuts(kDim, kBlock, stepsOfPacking)))
    return failure();
  if (usesTileRegisters(instruction))
    return verifyTileRegisters(emitError, kDim, kBlock, rows, vectors, lanes, instruction, packB, prefetch);
  if (instruction != ProductInstruction::Fma && !(packA && packB))
    return emitError() << "packs not both operands, as " << stringifyProductInstruction(instruction) << " needs";
  if (prefetch < 0 || (prefetch > 0 && !packB))
    return emitError() << "prefetches " << prefetch << " steps ahead" << (packB ? "" : ", but packs no columns");
  return success();
}
