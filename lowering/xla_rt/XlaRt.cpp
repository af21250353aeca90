// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly and verification of the kernel contract.

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/xla_rt/PlanAssembly.h"
#include "mlir_xla/lowering/xla_rt/XlaRtFunctions.h"
#include "mlir_xla/lowering/xla_rt/XlaRtViews.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

#include "mlir_xla/lowering/xla_rt/XlaRtDialect.cpp.inc"

#include "mlir_xla/lowering/xla_rt/XlaRtEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "mlir_xla/lowering/xla_rt/XlaRtAttrs.cpp.inc"

void XlaRtDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mlir_xla/lowering/xla_rt/XlaRtAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/lowering/xla_rt/XlaRtOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/lowering/xla_rt/XlaRtFunctions.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/lowering/xla_rt/XlaRtViews.cpp.inc"
      >();
}

KernelAttr mlir::xla::kernelOf(func::FuncOp function) {
  return function ? function->getAttrOfType<KernelAttr>(XlaRtDialect::kKernel) : KernelAttr();
}

ImplementationAttr mlir::xla::implementationOf(func::FuncOp function) {
  return function ? function->getAttrOfType<ImplementationAttr>(XlaRtDialect::kImplementation) : ImplementationAttr();
}

//===- Assembly ---------------------------------------------------------------------------------------------------===//

static ParseResult parseResultMemory(AsmParser &parser, ResultMemory &memory) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  if (keyword == "new")
    return success();
  if (keyword != "may_reuse" && keyword != "updates")
    return parser.emitError(loc, "expected 'new', 'may_reuse' or 'updates'");
  memory.kind = keyword == "updates" ? ResultMemory::Updates : ResultMemory::MayReuse;
  return parser.parseInteger(memory.argument);
}

Attribute ImplementationAttr::parse(AsmParser &parser, Type) {
  FlatSymbolRefAttr function;
  int64_t work = 1, cost = 0, scratch = 0;
  bool ordered = false;
  int64_t team = 1;
  SmallVector<ResultMemory> results;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseAttribute(function))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return {};
    if (name == "ordered") {
      ordered = true;
      continue;
    }
    if (parser.parseEqual())
      return {};
    if (name == "results") {
      if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                         [&] { return parseResultMemory(parser, results.emplace_back()); }))
        return {};
      continue;
    }
    int64_t *number = name == "work"      ? &work
                      : name == "cost"    ? &cost
                      : name == "scratch" ? &scratch
                      : name == "team"    ? &team
                                          : nullptr;
    if (!number)
      return parser.emitError(at, "expected 'work', 'cost', 'scratch', 'team', 'ordered' or 'results'"), Attribute();
    if (parser.parseInteger(*number))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ImplementationAttr>(loc, parser.getContext(), function, work, cost, scratch, ordered,
                                               results, team);
}

void ImplementationAttr::print(AsmPrinter &printer) const {
  printer << '<' << getFunction();
  if (getWork() != 1)
    printer << ", work = " << getWork();
  if (getCost() != 0)
    printer << ", cost = " << getCost();
  if (getScratch() != 0)
    printer << ", scratch = " << getScratch();
  if (getOrdered())
    printer << ", ordered";
  if (getTeam() != 1)
    printer << ", team = " << getTeam();
  if (llvm::any_of(getResults(), [](ResultMemory memory) { return memory.kind != ResultMemory::New; })) {
    printer << ", results = [";
    llvm::interleaveComma(getResults(), printer, [&](ResultMemory memory) {
      if (memory.kind == ResultMemory::New)
        printer << "new";
      else
        printer << (memory.kind == ResultMemory::Updates ? "updates " : "may_reuse ") << memory.argument;
    });
    printer << ']';
  }
  printer << '>';
}

namespace {
/// The parts of a #xla_rt.nest as they are read.
class NestParser {
public:
  explicit NestParser(AsmParser &parser) : parser(parser) {}
  Attribute parse();

private:
  ParseResult parsePart();
  ParseResult parseLanes();
  ParseResult parseCut();
  ParseResult parseThreads();
  ParseResult parseDim(int64_t &dim) { return parsePlanDim(parser, dim); }

  AsmParser &parser;
  SmallVector<int64_t> sizes, work, loops, reductionLoops;
  int64_t threadsDim = -1, threads = 1, squareRow = -1, squareColumn = -1, columnsDim = -1;
  int64_t lanesDim = -1, lanes = 1, vectors = 1, lanesBlock = 0, jamDim = -1, jam = 1, jamBlock = 0, transpose = 1,
          ordered = -1, orderedBlock = 0, lookup = 0, distribute = 0;
  bool masked = false, overlap = false, inMemory = false, stream = false, aligned = false, trim = false, slide = false,
       pairs = false, tileRegisters = false, apart = false, partition = false;
  SmallVector<std::pair<int64_t, int64_t>> cuts; // dimensions and blocks
  SmallVector<int64_t> *list = nullptr;          // that another dimension would belong to
  llvm::SmallDenseSet<StringRef> seen;
};
} // namespace

ParseResult NestParser::parseLanes() {
  SmallVector<int64_t> width;
  if (parseDim(lanesDim) || parsePlanPair(parser, width, "lanes and vectors such as 16x4"))
    return failure();
  lanes = width[0];
  vectors = width[1];
  return success();
}

/// With a dimension or without.
ParseResult NestParser::parseThreads() {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&keyword)) && !readPlanDim(keyword, threadsDim))
    return parser.emitError(loc, "expected a dimension such as d0, or a number of threads");
  return parser.parseInteger(threads);
}

ParseResult NestParser::parseCut() {
  auto &[dim, block] = cuts.emplace_back();
  return failure(parseDim(dim) || parser.parseInteger(block));
}

ParseResult NestParser::parsePart() {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  if (int64_t dim; list && readPlanDim(name, dim)) {
    list->push_back(dim);
    return success();
  }
  if (name != "cut" && !seen.insert(name).second)
    return parser.emitError(loc) << "'" << name << "' is given twice";
  list = name == "work" ? &work : name == "loop" ? &loops : name == "reduce" ? &reductionLoops : nullptr;
  if (list)
    return parseDim(list->emplace_back());
  if (name == "lanes")
    return parseLanes();
  if (name == "cut")
    return parseCut();
  if (name == "jam")
    return failure(parseDim(jamDim) || parser.parseInteger(jam));
  if (name == "ordered")
    return parseDim(ordered);
  if (name == "transpose")
    return parser.parseInteger(transpose);
  if (name == "lookup")
    return parser.parseInteger(lookup);
  if (name == "distribute")
    return parser.parseInteger(distribute);
  if (name == "threads")
    return parseThreads();
  if (name == "square")
    return failure(parseDim(squareRow) || parseDim(squareColumn));
  if (name == "columns")
    return parseDim(columnsDim);
  bool *flag = llvm::StringSwitch<bool *>(name)
                   .Case("masked", &masked)
                   .Case("overlap", &overlap)
                   .Case("in_memory", &inMemory)
                   .Case("stream", &stream)
                   .Case("aligned", &aligned)
                   .Case("trim", &trim)
                   .Case("slide", &slide)
                   .Case("pairs", &pairs)
                   .Case("tile_registers", &tileRegisters)
                   .Case("apart", &apart)
                   .Case("partition", &partition)
                   .Default(nullptr);
  if (!flag)
    return parser.emitError(
        loc, "expected 'lanes', 'jam', 'work', 'loop', 'reduce', 'ordered', 'cut', 'masked', "
             "'overlap', 'in_memory', 'stream', 'threads', 'square', 'columns', 'aligned', "
             "'trim', 'slide', 'pairs', 'tile_registers', 'apart', 'partition', 'lookup', 'distribute' or "
             "'transpose'");
  *flag = true;
  return success();
}

Attribute NestParser::parse() {
  SMLoc loc = parser.getCurrentLocation();
  if (parsePlan(parser, sizes, [&] { return parsePart(); }))
    return {};
  for (auto [dim, block] : cuts) {
    int64_t *place = dim == ordered    ? &orderedBlock
                     : dim == lanesDim ? &lanesBlock
                     : dim == jamDim   ? &jamBlock
                                       : nullptr;
    if (!place)
      return parser.emitError(loc) << "cuts d" << dim << ", which is neither in lanes nor jammed nor 'ordered'",
             Attribute();
    if (*place)
      return parser.emitError(loc) << "cuts d" << dim << " twice", Attribute();
    if (block < 1)
      return parser.emitError(loc) << "cuts d" << dim << " into blocks of " << block, Attribute();
    *place = block;
  }
  return parser.getChecked<NestAttr>(
      loc, parser.getContext(), sizes, lanesDim, lanes, vectors, jamDim, jam, ordered, work, loops, reductionLoops,
      lanesBlock, jamBlock, masked, overlap, inMemory, transpose, stream, threadsDim, threads, aligned, squareRow,
      squareColumn, columnsDim, trim, slide, pairs, tileRegisters, apart, orderedBlock, partition, lookup, distribute);
}

Attribute NestAttr::parse(AsmParser &parser, Type) { return NestParser(parser).parse(); }

void NestAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleave(getSizes(), printer.getStream(), "x");
  auto dims = [&](StringRef name, ArrayRef<int64_t> list) {
    if (list.empty())
      return;
    printer << ", " << name << ' ';
    llvm::interleaveComma(list, printer, [&](int64_t dim) { printer << 'd' << dim; });
  };
  if (getLanesDim() >= 0)
    printer << ", lanes d" << getLanesDim() << ' ' << getLanes() << 'x' << getVectors();
  if (getJamDim() >= 0)
    printer << ", jam d" << getJamDim() << ' ' << getJam();
  if (getApart())
    printer << ", apart";
  dims("work", getWork());
  dims("loop", getLoops());
  dims("reduce", getReductionLoops());
  if (getOrdered() >= 0)
    printer << ", ordered d" << getOrdered();
  if (getOrderedBlock())
    printer << ", cut d" << getOrdered() << ' ' << getOrderedBlock();
  if (getLanesBlock())
    printer << ", cut d" << getLanesDim() << ' ' << getLanesBlock();
  if (getJamBlock())
    printer << ", cut d" << getJamDim() << ' ' << getJamBlock();
  if (getMasked())
    printer << ", masked";
  if (getOverlap())
    printer << ", overlap";
  if (getInMemory())
    printer << ", in_memory";
  if (getTranspose() != 1)
    printer << ", transpose " << getTranspose();
  if (getStream())
    printer << ", stream";
  if (getThreads() != 1) {
    printer << ", threads ";
    if (getThreadsDim() >= 0)
      printer << 'd' << getThreadsDim() << ' ';
    printer << getThreads();
  }
  if (getSquareRow() >= 0)
    printer << ", square d" << getSquareRow() << " d" << getSquareColumn();
  if (getColumnsDim() >= 0)
    printer << ", columns d" << getColumnsDim();
  if (getAligned())
    printer << ", aligned";
  if (getTrim())
    printer << ", trim";
  if (getSlide())
    printer << ", slide";
  if (getPairs())
    printer << ", pairs";
  if (getTileRegisters())
    printer << ", tile_registers";
  if (getPartition())
    printer << ", partition";
  if (getLookup())
    printer << ", lookup " << getLookup();
  if (getDistribute())
    printer << ", distribute " << getDistribute();
  printer << '>';
}

//===- Verification -----------------------------------------------------------------------------------------------===//

LogicalResult KernelAttr::verify(function_ref<InFlightDiagnostic()> emitError, KernelKind kind, ArrayRef<int64_t> rows,
                                 int64_t block) {
  if (kind != KernelKind::Rows && !rows.empty())
    return emitError() << "a kernel of kind '" << stringifyKernelKind(kind) << "' has no rows";
  for (int64_t size : rows)
    if (size < 0)
      return emitError() << "the size " << size << " of a dimension of rows is negative";
  if (block != 0 && (rows.empty() || block < 1 || block > rows.back()))
    return emitError() << "blocks of " << block << " rows are not within the last dimension of the rows [" << rows
                       << "]";
  return success();
}

LogicalResult ImplementationAttr::verify(function_ref<InFlightDiagnostic()> emitError, FlatSymbolRefAttr, int64_t work,
                                         int64_t cost, int64_t scratch, bool, ArrayRef<ResultMemory> results,
                                         int64_t team) {
  auto number = [&](StringRef name, int64_t value) -> LogicalResult {
    if (value < 0)
      return emitError() << name << " is negative: " << value;
    return success();
  };
  if (failed(number("work", work)) || failed(number("cost", cost)) || failed(number("scratch", scratch)))
    return failure();
  if (team < 1)
    return emitError() << "a team of " << team << " threads does nothing";
  for (auto [i, memory] : llvm::enumerate(results))
    for (auto [j, other] : llvm::enumerate(results.take_front(i)))
      if (memory.kind != ResultMemory::New && other.kind != ResultMemory::New && memory.argument == other.argument)
        return emitError() << "results " << j << " and " << i << " share the memory of argument " << memory.argument;
  return success();
}

/// More copies of a loop's body than this fill no registers but the cache of instructions.
static constexpr int64_t kMostCopies = 64;
/// Steps that go through a part of a chain before the next part: values in between stay in the first-level cache.
static constexpr int64_t kMostSteps = 256;
/// Threads of a GPU that execute together.
static constexpr int64_t kWarp = 32;
/// Threads of a team that share memory, and of the largest.
static constexpr int64_t kBlock = 256, kLargestBlock = 1024;
/// Tile registers that have sums: beside them, factors have some for whole steps, and some for what is left of them.
static constexpr int64_t kMostSumsOfNest = TilesAttr::kTileRegisters / 2;
/// Lanes of bytes in a vector of 512 bits.
static constexpr int64_t kMostLanes = 64;

LogicalResult NestAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> sizes, int64_t lanesDim,
                               int64_t lanes, int64_t vectors, int64_t jamDim, int64_t jam, int64_t ordered,
                               ArrayRef<int64_t> work, ArrayRef<int64_t> loops, ArrayRef<int64_t> reductionLoops,
                               int64_t lanesBlock, int64_t jamBlock, bool masked, bool overlap, bool inMemory,
                               int64_t transpose, bool stream, int64_t threadsDim, int64_t threads, bool aligned,
                               int64_t squareRow, int64_t squareColumn, int64_t columnsDim, bool trim, bool slide,
                               bool pairs, bool tileRegisters, bool apart, int64_t orderedBlock, bool partition,
                               int64_t lookup, int64_t distribute) {
  int64_t rank = sizes.size();
  for (int64_t size : sizes)
    if (size < 0)
      return emitError() << "has a dimension of size " << size;
  SmallVector<int64_t> named{lanesDim, squareRow, squareColumn, columnsDim};
  if (!apart || jamDim != squareColumn) // else a block has several squares along it
    named.push_back(jamDim);
  if (ordered != lanesDim) // else it is in lanes
    named.push_back(ordered);
  // The jammed dimension of a plan in memory is one of the reduction.
  bool jamsReduction = inMemory && jamDim >= 0;
  if (jamsReduction && (reductionLoops.empty() || reductionLoops.back() != jamDim))
    return emitError() << "accumulates in memory and jams d" << jamDim
                       << ", which is not the innermost reduced dimension";
  if (jamsReduction)
    llvm::erase(named, jamDim);
  for (ArrayRef<int64_t> list : {work, loops, reductionLoops})
    llvm::append_range(named, list);
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : named) {
    if (dim < 0)
      continue;
    if (dim >= rank)
      return emitError() << "has " << rank << " dimensions and speaks of d" << dim;
    if (seen.test(dim))
      return emitError() << "walks d" << dim << " in two ways";
    seen.set(dim);
  }
  if (lanesDim >= 0 && (lanes < 2 || lanes > kMostLanes || !llvm::isPowerOf2_64(lanes)))
    return emitError() << "has " << lanes << " lanes; they are a power of two, at most " << kMostLanes;
  if (vectors < 1 || jam < 1 || vectors > kMostCopies || jam > kMostCopies || vectors * jam > kMostCopies)
    return emitError() << "has " << vectors << " vectors by " << jam << " jammed iterations in a step; there are 1 to "
                       << kMostCopies;
  if (masked && lanesDim < 0)
    return emitError() << "is 'masked' and has no lanes";
  if (overlap && jamDim < 0)
    return emitError() << "is 'overlap' and jams nothing";
  if (inMemory && (lanesDim < 0 || jamDim < 0))
    return emitError() << "is 'in_memory' without lanes and a jammed dimension";
  if (lanesBlock < 0 || lanesBlock % (lanes * vectors))
    return emitError() << "cuts d" << lanesDim << " into blocks of " << lanesBlock << ", which are no whole steps of "
                       << lanes * vectors;
  if (jamBlock < 0 || jamBlock % jam)
    return emitError() << "cuts d" << jamDim << " into blocks of " << jamBlock << ", which are no whole steps of "
                       << jam;
  if (stream && lanesDim < 0)
    return emitError() << "is 'stream' and has no lanes";
  if (aligned && lanesDim < 0)
    return emitError() << "is 'aligned' and has no lanes";
  int64_t mostThreads = ordered >= 0 ? kBlock : kLargestBlock;
  if (threads != 1 && (threads < kWarp || threads > mostThreads || !llvm::isPowerOf2_64(threads)))
    return emitError() << "has teams of " << threads << " threads; they are warps of " << kWarp
                       << ", or blocks of 2, 4, 8, 16 or 32 warps, of scans up to 8";
  if (squareRow >= 0 && (threads != kBlock || threadsDim >= 0))
    return emitError() << "walks squares, for which it needs " << kBlock << " threads, and no dimension for them";
  if (threadsDim >= rank)
    return emitError() << "has " << counted(rank, "dimension") << " and deals d" << threadsDim << " to threads";
  if (threadsDim >= 0 && threads == 1)
    return emitError() << "deals d" << threadsDim << " to one thread";
  if (columnsDim >= 0 && (threads <= kWarp || !llvm::is_contained(reductionLoops, threadsDim)))
    return emitError() << "has columns, for which it needs a block of threads and a reduced dimension for them";
  if (threads != 1 && jamDim >= 0 && !(apart && squareRow >= 0))
    return emitError() << "has threads beside a jammed dimension";
  if (threads != 1 && ordered >= 0 && threadsDim != ordered)
    return emitError() << "has threads, and does not deal d" << ordered << ", the dimension of a scan, to them";
  if (threads != 1 && lanesDim >= 0 && (threadsDim != lanesDim || vectors != 1))
    return emitError() << "has threads beside lanes, which are for pieces of one vector of the dimension that is dealt";
  if (threads != 1 && lanesDim >= 0 && ordered < 0 && !aligned)
    return emitError() << "deals vectors to threads, which have to be 'aligned' unless they are of a scan";
  if (orderedBlock < 0 || orderedBlock % (lanes * threads))
    return emitError() << "cuts d" << ordered << " into blocks of " << orderedBlock << ", which are no whole steps of "
                       << lanes * threads;
  if (orderedBlock && (ordered < 0 || threads <= kWarp))
    return emitError() << "cuts a dimension of a scan, for which it needs a block of threads";
  if (trim && (lanesDim < 0 || reductionLoops.size() != 1 || inMemory || threads != 1))
    return emitError() << "is 'trim', for which it needs lanes and one reduced dimension, and neither 'in_memory' nor "
                          "threads";
  if (slide && (jamDim < 0 || reductionLoops.empty() || inMemory || trim || transpose != 1 || threads != 1))
    return emitError()
           << "is 'slide', for which it needs a jammed and a reduced dimension, and no 'in_memory', 'trim', "
              "'transpose' or threads";
  if (pairs && (lanesDim < 0 || reductionLoops.empty() || inMemory || slide || threads != 1))
    return emitError()
           << "has 'pairs', for which it needs lanes and a reduced dimension, and no 'in_memory', 'slide' or "
              "threads";
  if (tileRegisters && (!pairs || masked || lanes != TilesAttr::kTileLanes || jamDim < 0 ||
                        jam % TilesAttr::kTileRows || jam / TilesAttr::kTileRows * vectors > kMostSumsOfNest))
    return emitError() << "has 'tile_registers', for which it needs 'pairs', " << TilesAttr::kTileLanes
                       << " lanes and jammed iterations that are whole tiles of " << TilesAttr::kTileRows
                       << ", at most " << kMostSumsOfNest << " tiles in a step, and not 'masked'";
  if (apart && (jamDim < 0 || jamBlock || ordered >= 0 || overlap || inMemory || slide || trim || transpose != 1))
    return emitError() << "is 'apart', for which it needs a jammed dimension that is not cut, and no 'ordered', "
                          "'overlap', 'in_memory', 'slide', 'trim' or 'transpose'";
  if (partition && (lanesDim < 0 || ordered >= 0 || inMemory || threads != 1))
    return emitError() << "is 'partition', for which it needs lanes, and no 'ordered', 'in_memory' or threads";
  if (lookup && (lanesDim < 0 || threads != 1))
    return emitError() << "has 'lookup', for which it needs lanes, and no threads";
  if (lookup && lookup != 8 && lookup != 16)
    return emitError() << "looks up in registers of " << lookup << " elements; they have 8 or 16";
  if (distribute && (lanesDim < 0 || ordered >= 0 || threads != 1))
    return emitError() << "has 'distribute', for which it needs lanes, and no 'ordered' or threads";
  if (distribute && (distribute < 2 || distribute > kMostSteps))
    return emitError() << "distributes blocks of " << distribute << " steps; they have 2 to " << kMostSteps;
  if (inMemory && jamBlock)
    return emitError() << "cuts d" << jamDim << ", which is reduced";
  if (transpose == 1)
    return success();
  if (lanesDim < 0 || jamDim < 0)
    return emitError() << "transposes without lanes and a jammed dimension";
  if (transpose < 2 || !llvm::isPowerOf2_64(transpose) || lanes % transpose || jam % transpose)
    return emitError() << "transposes by " << transpose << ", which is no power of two that divides the lanes and the "
                       << "jammed iterations";
  return success();
}

LogicalResult UpdatesAttr::verify(function_ref<InFlightDiagnostic()> emitError, UpdateSharing sharing, int64_t count) {
  constexpr int64_t mostBlocks = 1 << 20;
  bool isOfBlocks = sharing == UpdateSharing::Owners || sharing == UpdateSharing::Tables;
  bool isRight = isOfBlocks                         ? count >= 1 && count <= mostBlocks
                 : sharing == UpdateSharing::Atomic ? count == 1
                                                    : count >= 1 && count <= 16 && llvm::isPowerOf2_64(count);
  if (!isRight)
    return emitError() << "has " << count << " for '" << stringifyUpdateSharing(sharing)
                       << "'; a thread has 1, 2, 4, 8 or 16 neighbours, an atomic one 1, and there are at most "
                       << mostBlocks << " owners or tables";
  return success();
}

static LogicalResult verifyPlans(func::FuncOp function, StringRef name, Attribute value) {
  auto plans = dyn_cast<ArrayAttr>(value);
  if (!plans || !llvm::all_of(plans, llvm::IsaPred<NestAttr, TilesAttr, BlocksAttr, StreamAttr, UpdatesAttr>))
    return function.emitOpError("has the attribute '")
           << name
           << "', which is no array of #xla_rt.nest, #xla_rt.tiles, #xla_rt.blocks, #xla_rt.stream and #xla_rt.updates";
  if (!kernelOf(function) || function.isExternal())
    return function.emitOpError("has plans and is no kernel with a body");
  return success();
}

static LogicalResult verifyKernel(func::FuncOp function, KernelAttr kernel) {
  auto isOperand = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? tensor.hasStaticShape() : type.isIntOrIndexOrFloat();
  };
  for (Type type : function.getArgumentTypes())
    if (!isOperand(type))
      return function.emitOpError("is a kernel with an argument of type ")
             << type << "; it takes tensors of static shape and scalars";
  for (Type type : function.getResultTypes())
    if (!isa<RankedTensorType>(type) || !isOperand(type))
      return function.emitOpError("is a kernel with a result of type ") << type << "; it gives tensors of static shape";
  // Contractions of blocks of rows may write their dimensions in another order.
  for (Type type : kernel.getBlock() ? TypeRange() : TypeRange(function.getResultTypes())) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
    if (shape.size() < kernel.getRows().size() || shape.take_front(kernel.getRows().size()) != kernel.getRows())
      return function.emitOpError("is a kernel over rows [")
             << kernel.getRows() << "], but has a result of type " << type;
  }
  return success();
}

static LogicalResult verifyImplementation(func::FuncOp kernel, ImplementationAttr given) {
  if (!kernel.isExternal())
    return kernel.emitOpError("has an implementation and a body");
  if (given.getResults().size() > kernel.getNumResults())
    return kernel.emitOpError("has ") << kernel.getNumResults() << " results, but its implementation speaks of "
                                      << given.getResults().size();
  for (auto [i, memory] : llvm::enumerate(given.getResults())) {
    if (memory.kind == ResultMemory::New)
      continue;
    Type type = kernel.getResultTypes()[i];
    if (memory.argument >= kernel.getNumArguments())
      return kernel.emitOpError("has ") << kernel.getNumArguments() << " arguments; result " << i
                                        << " cannot be in the memory of argument " << memory.argument;
    Type argument = kernel.getArgumentTypes()[memory.argument];
    if (argument != type && (memory.kind == ResultMemory::Updates || !haveSamePlaces(argument, type)))
      return kernel.emitOpError("has result ")
             << i << " of type " << type << " in the memory of argument " << memory.argument << " of type " << argument;
  }
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(kernel, given.getFunction());
  if (!function)
    return kernel.emitOpError("has no implementation ") << given.getFunction();
  // Where nothing has a pointer, its dialect may not be there.
  if (!kernel.getContext()->getLoadedDialect<LLVM::LLVMDialect>())
    return function.emitOpError("implements the kernel @")
           << kernel.getName() << " and has the type " << function.getFunctionType() << ", which takes no pointers";
  SmallVector<Type> inputs;
  Type pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  for (Type type : kernel.getArgumentTypes())
    inputs.push_back(isa<RankedTensorType>(type) ? pointer : type);
  inputs.append(kernel.getNumResults() + (given.getScratch() ? 1 : 0), pointer);
  inputs.append(2, IndexType::get(kernel.getContext()));
  auto expected = FunctionType::get(kernel.getContext(), inputs, {});
  if (function.getFunctionType() != expected)
    return function.emitOpError("implements the kernel @")
           << kernel.getName() << " and has the type " << function.getFunctionType() << " instead of " << expected;
  return success();
}

/// Null if `value` is what the attribute `name` holds on `op`, else what is wrong.
static const char *misuse(Operation *op, StringRef name, Attribute value) {
  if (name == XlaRtDialect::kTask || name == XlaRtDialect::kLaunches)
    return isa<UnitAttr>(value) && isa<FunctionOpInterface>(op) ? nullptr : "is a mark of functions";
  if (name == XlaRtDialect::kNonEmpty)
    return isa<UnitAttr>(value) && isa<scf::ForOp>(op) ? nullptr : "is a mark of scf.for";
  if (name == XlaRtDialect::kMasked)
    return isa<UnitAttr>(value) && isa<math::ExpOp>(op) ? nullptr : "is a mark of math.exp";
  if (name == XlaRtDialect::kTf32)
    return isa<UnitAttr>(value) && isa<DestinationStyleOpInterface>(op) ? nullptr
                                                                        : "is a mark of ops in destination style";
  if (name == XlaRtDialect::kArenaSize) {
    auto size = dyn_cast<IntegerAttr>(value);
    return size && size.getType().isInteger(64) && !size.getValue().isNegative() && isa<FunctionOpInterface>(op)
               ? nullptr
               : "is a number of bytes, an i64, on a function";
  }
  if (name == XlaRtDialect::kSignature) {
    auto type = dyn_cast<TypeAttr>(value);
    return type && isa<FunctionType>(type.getValue()) ? nullptr : "is a function type";
  }
  if (name == XlaRtDialect::kData) {
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    return global && !global.getValueOrNull() && global.getInitializerRegion().empty() && isa<ElementsAttr>(value)
               ? nullptr
               : "holds the elements of an external llvm.mlir.global";
  }
  if (name == "xla_rt.may_alias") { // lowering/schedule/BufferPlan.h
    auto pairs = dyn_cast<DenseI64ArrayAttr>(value);
    return pairs && pairs.size() % 2 == 0 && isa<FunctionOpInterface>(op) &&
                   llvm::all_of(pairs.asArrayRef(), [](int64_t i) { return i >= 0; })
               ? nullptr
               : "is an array<i64> of arguments and results in turn, on a function";
  }
  if (name == "xla_rt.buffer_bytes") { // lowering/schedule/BufferPlan.h
    auto bytes = dyn_cast<DenseI64ArrayAttr>(value);
    auto function = dyn_cast<FunctionOpInterface>(op);
    return bytes && function && bytes.size() <= function.getNumArguments() &&
                   llvm::all_of(bytes.asArrayRef(), [](int64_t i) { return i >= 0; })
               ? nullptr
               : "is an array<i64> of the bytes of arguments, on a function";
  }
  if (name == XlaRtDialect::kDevices) {
    auto devices = dyn_cast<StringAttr>(value);
    return devices && (devices.getValue() == XlaRtDialect::kOnly90a || devices.getValue() == XlaRtDialect::kNot90a) &&
                   isa<FunctionOpInterface>(op)
               ? nullptr
               : "is \"sm_90a\" or \"others\", on a function";
  }
  if (name == "xla_rt.step") { // lowering/gpu/Launch.h
    auto facts = dyn_cast<DictionaryAttr>(value);
    bool valid = facts && op->getName().getStringRef() == "gpu.launch_func" &&
                 llvm::all_of(facts, [](NamedAttribute each) { return isa<IntegerAttr>(each.getValue()); });
    return valid ? nullptr : "is a dictionary of numbers, on gpu.launch_func";
  }
  if (name == "xla_rt.launched") // lowering/schedule/BufferPlan.h
    return isa<UnitAttr>(value) && isa<scf::ForOp, scf::WhileOp>(op) ? nullptr : "is a mark of loops";
  if (name == "xla_rt.cost") { // lowering/gpu/Launch.h
    auto cost = dyn_cast<IntegerAttr>(value);
    return cost && cost.getType().isInteger(64) && isa<FunctionOpInterface>(op)
               ? nullptr
               : "is a number of nanoseconds, an i64, on a function";
  }
  if (name == "xla_rt.parts") { // lowering/gpu/MergedKernel.h
    auto parts = dyn_cast<ArrayAttr>(value);
    return parts && llvm::all_of(parts, llvm::IsaPred<StringAttr>) && isa<FunctionOpInterface>(op)
               ? nullptr
               : "is an array of names of kernels, on a function";
  }
  if (name == "xla_rt.last_parts") { // lowering/gpu/MergedKernel.h
    auto count = dyn_cast<IntegerAttr>(value);
    auto parts = op->getAttrOfType<ArrayAttr>("xla_rt.parts");
    bool valid = count && count.getType().isInteger(64) && parts && count.getInt() > 0 &&
                 count.getInt() < static_cast<int64_t>(parts.size());
    return valid ? nullptr : "is a number of the kernel's parts, an i64, and less than all";
  }
  if (name == "xla_rt.part_phases") { // lowering/gpu/MergedKernel.h
    auto count = dyn_cast<IntegerAttr>(value);
    bool valid = count && count.getType().isInteger(64) && count.getInt() > 0 && op->hasAttr("xla_rt.parts");
    return valid ? nullptr : "is a positive number, an i64, on a kernel of several parts";
  }
  if (name == "xla_rt.adds_in_last" || name == XlaRtDialect::kNumbersBlocks) // lowering/gpu/EmitBlocks.cpp
    return isa<UnitAttr>(value) && isa<FunctionOpInterface>(op) ? nullptr : "is a mark of functions";
  if (name == "xla_rt.places") { // lowering/gpu/Places.h
    auto box = dyn_cast<ArrayAttr>(value);
    bool valid = box && box.size() == 4 && llvm::all_of(box, llvm::IsaPred<DenseI64ArrayAttr>) &&
                 llvm::all_equal(llvm::map_range(
                     box, [](Attribute each) { return cast<DenseI64ArrayAttr>(each).asArrayRef().size(); })) &&
                 llvm::all_of(cast<DenseI64ArrayAttr>(box[2]).asArrayRef(), [](int64_t stride) { return stride > 0; });
    return valid && isa<FunctionOpInterface>(op)
               ? nullptr
               : "is array<i64> of offsets, sizes, strides and the shape, on a function";
  }
  if (name == "xla_rt.placed_by") { // lowering/gpu/DelayUpdates.h
    auto numbers = dyn_cast<DenseI64ArrayAttr>(value);
    auto function = dyn_cast<FunctionOpInterface>(op);
    bool valid = numbers && function && llvm::all_of(numbers.asArrayRef(), [&](int64_t i) {
                   return i >= 0 && i < static_cast<int64_t>(function.getNumArguments());
                 });
    return valid ? nullptr : "is an array<i64> of numbers of arguments, on a function";
  }
  if (name == XlaRtDialect::kUnread || name == "xla_rt.ascending") { // lowering/nest/FoldOrder.h
    auto results = dyn_cast<DenseI64ArrayAttr>(value);
    bool valid = results && isa<DestinationStyleOpInterface>(op) &&
                 llvm::all_of(results.asArrayRef(), [&](int64_t i) { return i >= 0 && i < op->getNumResults(); });
    return valid ? nullptr : "is an array<i64> of numbers of results, on an op in destination style";
  }
  return "the dialect xla_rt does not have";
}

LogicalResult XlaRtDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name != kKernel && name != kImplementation && name != kPlans && name != kPlans90a) {
    if (const char *why = misuse(op, name, attribute.getValue()))
      return op->emitOpError("has the attribute '") << name << "', which " << why;
    return success();
  }
  auto wrong = [&](StringRef kind) {
    return op->emitOpError("has the attribute '") << name << "', which is no " << kind;
  };
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    return op->emitOpError("has the attribute '") << name << "', which is one of functions";
  if (name == kKernel) {
    auto kernel = dyn_cast<KernelAttr>(attribute.getValue());
    return kernel ? verifyKernel(function, kernel) : wrong("#xla_rt.kernel");
  }
  if (name == kPlans || name == kPlans90a)
    return verifyPlans(function, name, attribute.getValue());
  auto implementation = dyn_cast<ImplementationAttr>(attribute.getValue());
  if (!implementation)
    return wrong("#xla_rt.implementation");
  if (!kernelOf(function))
    return op->emitOpError("has an implementation and is no kernel: it has no attribute '") << kKernel << "'";
  return verifyImplementation(function, implementation);
}
