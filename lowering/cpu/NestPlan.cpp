// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans as attributes and back, and what follows from them.

#include "mlir_xla/lowering/cpu/NestPlan.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/nest/Cost.h"
#include "mlir_xla/lowering/nest/LinearIndex.h"
#include "mlir_xla/lowering/xla_rt/XlaRtViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

NestAttr NestPlan::toAttr(MLIRContext *context, const LoopNest &nest) const {
  return NestAttr::get(context, nest.sizes, v, lanes, vUnroll, u, uUnroll, nest.ordered.find_first(), work, loops,
                       reductionLoops, vBlock, uBlock, vMasked, uOverlaps, inMemory, chunk, pastCaches, t, threads,
                       aligned, squareRow, squareColumn, columns, trims, slides, addsPairs, tileRegisters, apart,
                       scanTile, partitions, lookup, distributed);
}

NestPlan NestPlan::fromAttr(NestAttr attr, const LoopNest &nest) {
  NestPlan plan;
  plan.v = attr.getLanesDim();
  plan.lanes = attr.getLanes();
  plan.vUnroll = attr.getVectors();
  plan.u = attr.getJamDim();
  plan.uUnroll = attr.getJam();
  plan.uOverlaps = attr.getOverlap();
  plan.vMasked = attr.getMasked();
  plan.inMemory = attr.getInMemory();
  plan.work.assign(attr.getWork().begin(), attr.getWork().end());
  plan.loops.assign(attr.getLoops().begin(), attr.getLoops().end());
  plan.reductionLoops.assign(attr.getReductionLoops().begin(), attr.getReductionLoops().end());
  plan.vBlock = attr.getLanesBlock();
  plan.uBlock = attr.getJamBlock();
  plan.chunk = attr.getTranspose();
  plan.pastCaches = attr.getStream();
  plan.t = attr.getThreadsDim();
  plan.threads = attr.getThreads();
  plan.aligned = attr.getAligned();
  plan.squareRow = attr.getSquareRow();
  plan.squareColumn = attr.getSquareColumn();
  plan.columns = attr.getColumnsDim();
  plan.trims = attr.getTrim();
  plan.slides = attr.getSlide();
  plan.addsPairs = attr.getPairs();
  plan.tileRegisters = attr.getTileRegisters();
  plan.apart = attr.getApart();
  plan.scanTile = attr.getOrderedBlock();
  plan.partitions = attr.getPartition();
  plan.lookup = attr.getLookup();
  plan.distributed = attr.getDistribute();
  plan.derive(nest);
  return plan;
}

/// How far apart `count` iterations of `dim` are that one thread does: what they write begins at the same place of a
/// sector of memory, if there are enough of them.
static int64_t distanceApart(const LoopNest &nest, int64_t dim, int64_t count) {
  constexpr int64_t sector = 32;
  auto mayShift = [&](int64_t distance) {
    auto shifts = [&](const Store &store) {
      return store.address.dims[dim] * distance * elementStorageBytes(store.elementType) % sector != 0;
    };
    return llvm::any_of(nest.stores, shifts) || llvm::any_of(nest.epilogue, shifts) ||
           llvm::any_of(nest.reductions, [&](const Reduction &reduction) {
             return llvm::any_of(reduction.stores, [&](const auto &store) { return store && shifts(*store); });
           });
  };
  int64_t least = llvm::divideCeil(nest.sizes[dim], count), distance = least;
  while (mayShift(distance) && distance % sector != 0)
    ++distance;
  return (count - 1) * distance <= nest.sizes[dim] ? distance : least;
}

bool NestPlan::isTypeOfTiles(Type type) {
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
         (type.isSignlessInteger() && type.getIntOrFloatBitWidth() >= 8 && type.getIntOrFloatBitWidth() <= 64);
}

bool NestPlan::mayScanTiles(const LoopNest &nest) {
  if (!nest.isScan() || !nest.isAlone || nest.inPlace || nest.reductions.size() != 1)
    return false;
  const Reduction &scan = nest.reductions.front();
  auto is = [&](vector::CombiningKind kind) { return scan.kind == kind; };
  return scan.kind && scan.inits.size() == 1 && isTypeOfTiles(scan.inits[0]->type) &&
         !is(vector::CombiningKind::MAXNUMF) && !is(vector::CombiningKind::MINNUMF);
}

/// Are the results of a step along u neighbours, of which lanes can be folded in any order, and may lanes hold what is
/// computed of them?
static bool mayFoldRows(const LoopNest &nest, const NestPlan &plan) {
  if (!plan.vReduced || plan.foldsInOrder || nest.isScan() || plan.u < 0 || plan.apart || plan.slides ||
      plan.threads > 1 || plan.t >= 0 || plan.uUnroll < 2 || plan.uUnroll > plan.lanes ||
      !llvm::isPowerOf2_64(plan.uUnroll) || !llvm::isPowerOf2_64(plan.lanes) || !nest.stores.empty())
    return false;
  auto isNextToEachOther = [&](const Store &store) {
    const Address &address = store.address;
    return address.dims[plan.u] == 1 && address.nonlinear.empty() && address.symbols.empty();
  };
  for (const Reduction &reduction : nest.reductions)
    for (const std::optional<Store> &store : reduction.stores)
      if (reduction.rowScalar || (store && !isNextToEachOther(*store)))
        return false;
  return llvm::all_of(nest.epilogue, isNextToEachOther) && llvm::none_of(nest.nodes(), [&](const ExprNode *node) {
           return isa<ComplexType>(node->type) || node->pair ||
                  ((node->deps & nest.reduced).none() && llvm::any_of(node->address.nonlinear, [&](const auto &term) {
                     return term.first.isFunctionOfDim(plan.u);
                   }));
         });
}

void NestPlan::derive(const LoopNest &nest) {
  vReduced = v >= 0 && (nest.reduced.test(v) || nest.ordered.test(v));
  if (apart && walksSquares() && u == squareColumn)
    uDistance = kSquare * llvm::divideCeil(llvm::divideCeil(nest.sizes[u], kSquare), uUnroll);
  else if (apart)
    uDistance = walksSquares() ? nest.sizes[u] / uUnroll : distanceApart(nest, u, uUnroll);
  // A single step needs no other order than the one it has, unless lanes are folded faster in another.
  bool singleStep = vReduced && nest.sizes[v] <= lanes;
  foldsInOrder = vReduced && llvm::any_of(nest.reductions, [&](const Reduction &reduction) {
                   return reduction.order == FoldOrder::Index ||
                          (reduction.order == FoldOrder::Key && singleStep && !reduction.chosen);
                 });
  foldsRows = mayFoldRows(nest, *this);
  if (chunk > 1)
    transposed = transposableLoads(nest.nodes(), v, u, lanes);
  if (slides)
    sliding = slidingNodes(nest, u, reductionLoops.back());
}

DenseMap<ExprNode *, Slide> mlir::xla::slidingNodes(const LoopNest &nest, unsigned u, unsigned window) {
  DenseMap<ExprNode *, Slide> sliding;
  auto moves = [&](ExprNode *node) { return node->deps.test(u) || node->deps.test(window); };
  for (ExprNode *node : nest.nodes()) {
    std::optional<Slide> slide;
    // Everything that `node` is made of and that moves does so alike.
    bool isAlike = node->kind != ExprNode::Scalar;
    auto add = [&](std::optional<Slide> part) {
      isAlike &= part && (!slide || *slide == *part);
      slide = part;
    };
    auto addNode = [&](ExprNode *part) {
      if (auto found = sliding.find(part); found != sliding.end())
        add(found->second);
      else if (moves(part))
        add(std::nullopt);
    };
    for (ExprNode *operand : node->operands)
      addNode(operand);
    for (const Guard &guard : node->guards)
      addNode(guard.condition);
    for (auto &[symbol, coef] : node->address.symbols)
      addNode(symbol);
    for (auto &[expr, coef] : node->address.nonlinear)
      isAlike &= !expr.isFunctionOfDim(u) && !expr.isFunctionOfDim(window);
    if (!node->address.dims.empty()) {
      int64_t ofU = node->address.dims[u], ofWindow = node->address.dims[window];
      if (int64_t unit = std::gcd(ofU, ofWindow); ofU != 0 && ofWindow != 0 && (ofU < 0) == (ofWindow < 0))
        add(Slide{std::abs(ofU) / unit, std::abs(ofWindow) / unit});
      else if (ofU != 0 || ofWindow != 0)
        add(std::nullopt);
    }
    if (isAlike && slide)
      sliding[node] = *slide;
  }
  return sliding;
}

/// Complex numbers that are only moved are numbers of 64 bits, which have lanes.
static void moveComplexAsBits(MutableArrayRef<LoopNest> nests) {
  llvm::SetVector<ExprNode *> nodes;
  for (LoopNest &nest : nests)
    nodes.insert_range(nest.nodes());
  auto isSmall = [](Type type) {
    auto complexType = dyn_cast<ComplexType>(type);
    return complexType && complexType.getElementType().isF32();
  };
  auto isMove = [&](ExprNode *node) {
    if (isa<ComplexType>(node->type))
      return isSmall(node->type) &&
             (node->kind == ExprNode::Load || node->kind == ExprNode::Constant || node->kind == ExprNode::Select);
    return node->kind != ExprNode::Apply ||
           llvm::none_of(node->operands, [](ExprNode *operand) { return isa<ComplexType>(operand->type); });
  };
  if (!llvm::all_of(nodes, isMove))
    return;
  for (ExprNode *node : nodes) {
    if (!isSmall(node->type))
      continue;
    Type bits = IntegerType::get(node->type.getContext(), 64);
    if (node->kind == ExprNode::Constant) {
      auto part = [&](unsigned i) {
        return cast<FloatAttr>(cast<ArrayAttr>(node->attr)[i]).getValue().bitcastToAPInt().getZExtValue();
      };
      node->attr = IntegerAttr::get(bits, APInt(64, part(0) | part(1) << 32));
    }
    node->type = bits;
  }
  for (LoopNest &nest : nests)
    for (Store &store : llvm::concat<Store>(nest.stores, nest.epilogue))
      if (isSmall(store.elementType))
        store.elementType = store.value->type;
}

/// Numbers of 16 bits that are only moved, two neighbours at a time, such as steps that are packed by pairs, are moved
/// as one of 32 bits.
static void movePairsAsWords(LoopNest &nest) {
  SmallVector<ExprNode *> nodes = nest.nodes();
  auto isNarrow = [](Type type) { return type.isIntOrFloat() && type.getIntOrFloatBitWidth() == 16; };
  auto isOfPairs = [&](const Address &address, unsigned pair) {
    auto isEven = [](const auto &term) { return term.second % 2 == 0; };
    for (auto [dim, coef] : llvm::enumerate(address.dims))
      if (dim == pair ? coef != 1 : coef % 2 != 0)
        return false;
    return address.constant % 2 == 0 && llvm::all_of(address.symbols, isEven) &&
           llvm::all_of(address.nonlinear,
                        [&](const auto &term) { return isEven(term) && !term.first.isFunctionOfDim(pair); });
  };
  auto isMovedByPairs = [&](const ExprNode *node, unsigned pair) {
    if (!isNarrow(node->type))
      return !node->deps.test(pair);
    auto zero = dyn_cast_or_null<FloatAttr>(node->attr);
    return (node->kind == ExprNode::Load && !node->pair && isOfPairs(node->address, pair)) ||
           node->kind == ExprNode::Select || (node->kind == ExprNode::Constant && zero && zero.getValue().isPosZero());
  };
  auto isPair = [&](unsigned dim) {
    return nest.sizes[dim] == 2 && nest.isParallelLoop(dim) &&
           llvm::all_of(nest.stores,
                        [&](const Store &store) {
                          return isNarrow(store.elementType) && !store.imaginary && isOfPairs(store.address, dim);
                        }) &&
           llvm::all_of(nodes, [&](ExprNode *node) { return isMovedByPairs(node, dim); });
  };
  auto dims = llvm::seq<unsigned>(0, nest.sizes.size());
  auto found = llvm::find_if(dims, isPair);
  if (found == dims.end() || nest.stores.empty() || nest.reduced.any() || nest.isScan() || nest.inPlace)
    return;
  unsigned pair = *found;
  Type word = IntegerType::get(nest.stores[0].elementType.getContext(), 32);
  auto halve = [&](Address &address) {
    address.dims[pair] = 0;
    address.constant /= 2;
    for (int64_t &coef : address.dims)
      coef /= 2;
    for (auto &[symbol, coef] : address.symbols)
      coef /= 2;
    for (auto &[expr, coef] : address.nonlinear)
      coef /= 2;
  };
  for (ExprNode *node : nodes) {
    node->deps.reset(pair);
    if (!isNarrow(node->type))
      continue;
    node->type = word;
    if (node->kind == ExprNode::Load)
      halve(node->address);
    else if (node->kind == ExprNode::Constant)
      node->attr = IntegerAttr::get(word, 0);
  }
  for (Store &store : nest.stores) {
    store.elementType = word;
    halve(store.address);
  }
  nest.sizes[pair] = 1;
}

/// Lanes and threads hold partial results of sums and the like, which begin with a neutral element: also where the
/// combiner widens and rounds numbers of 16 bits, and, on a device, of complex sums, of products too.
static void findNeutral(Reduction &reduction, KernelExprs &exprs, bool onDevice) {
  reduction.neutral = reduction.kind;
  if (reduction.kind || reduction.inits.size() != 1)
    return;
  ExprNode *next = reduction.next.empty() ? nullptr : reduction.next[0];
  if (onDevice && reduction.combined.empty() && next && next->kind == ExprNode::Apply &&
      isa<complex::AddOp>(next->op) && reduction.order == FoldOrder::Any) {
    reduction.left = {exprs.placeholder(next->type, exprs.noDeps())};
    reduction.right = {exprs.placeholder(next->type, exprs.noDeps())};
    reduction.combined = {exprs.copy(*next)};
    reduction.combined[0]->operands = {reduction.left[0], reduction.right[0]};
    reduction.combined[0]->deps = exprs.noDeps();
  }
  if (reduction.combined.size() != 1)
    return;
  using K = vector::CombiningKind;
  Type type = reduction.left[0]->type;
  const ExprNode *combined = reduction.combined[0];
  if (combined->kind != ExprNode::Apply)
    return;
  if (isa<arith::TruncFOp>(combined->op))
    combined = combined->operands[0];
  auto isSide = [](const ExprNode *node, const ExprNode *side) {
    return node == side || (node->kind == ExprNode::Apply && isa<arith::ExtFOp>(node->op) && node->operands[0] == side);
  };
  if (combined->kind != ExprNode::Apply || combined->operands.size() != 2 ||
      (!isa<ComplexType>(type) && !type.isBF16() && !type.isF16()))
    return;
  for (unsigned first : {0u, 1u})
    if (isSide(combined->operands[first], reduction.left[0]) &&
        isSide(combined->operands[1 - first], reduction.right[0]))
      reduction.neutral = llvm::TypeSwitch<Operation *, std::optional<K>>(combined->op)
                              .Case<arith::AddFOp, complex::AddOp>([](auto) { return K::ADD; })
                              .Case<arith::MulFOp>([](auto) { return K::MUL; })
                              .Case<arith::MaximumFOp>([](auto) { return K::MAXIMUMF; })
                              .Case<arith::MinimumFOp>([](auto) { return K::MINIMUMF; })
                              .Default([](auto) { return std::nullopt; });
}

/// Does `nest` read of an argument whose memory is that of a result?
static bool readsTied(const KernelNests &nests, const LoopNest &nest) {
  return llvm::any_of(nests.tied, [&](int32_t argument) {
    return argument >= 0 && llvm::any_of(nest.loads, [&](const ExprNode *load) {
             return static_cast<int>(load->buffer.slot) == nests.argumentSlots[argument];
           });
  });
}

FailureOr<KernelNests> mlir::xla::nestsOf(func::FuncOp kernel, bool onDevice) {
  FailureOr<KernelNests> nests = buildKernelNests(kernel);
  if (failed(nests))
    return failure();
  moveComplexAsBits(nests->nests);
  if (!onDevice)
    splitComplex(*nests);
  for (LoopNest &nest : nests->nests) {
    resolveLinearIndices(nest);
    joinPaddedRows(nest, *nests->exprs);
    bool isTied = llvm::any_of(nests->tied, [](int32_t argument) { return argument >= 0; });
    if (!onDevice && !isTied && nests->rows.empty() && nests->nests.size() == 1)
      movePairsAsWords(nest);
    collapseDims(nest);
    if (!onDevice)
      joinShortRows(nest);
    nest.updates = !nest.inPlace && isTied && !readsTied(*nests, nest);
    nest.inPlace |= isTied;
    nest.isAlone = nests->rows.empty() && nests->nests.size() == 1;
    for (Reduction &reduction : nest.reductions)
      if (!nest.isScan())
        findNeutral(reduction, *nests->exprs, onDevice);
  }
  return nests;
}

std::optional<int64_t> mlir::xla::rowLengthOf(AffineExpr expr, unsigned dim) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || (expr.getKind() != AffineExprKind::FloorDiv && expr.getKind() != AffineExprKind::Mod))
    return std::nullopt;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!divisor || divisor.getValue() <= 0 || binary.getLHS() != getAffineDimExpr(dim, expr.getContext()))
    return std::nullopt;
  return divisor.getValue();
}

bool mlir::xla::isLaneAligned(AffineExpr expr, unsigned dim, unsigned lanes) {
  std::optional<int64_t> length = rowLengthOf(expr, dim);
  return length && *length % lanes == 0;
}

bool NestPlan::stepsOverRows(AffineExpr expr) const {
  std::optional<int64_t> length = v >= 0 && !vReduced ? rowLengthOf(expr, v) : std::nullopt;
  return length && lanes * vUnroll % *length == 0 && vBlock % *length == 0;
}

bool mlir::xla::storesWholeVectors(const LoopNest &nest, int v, unsigned lanes) {
  constexpr int64_t smallest = 16; // bytes that can be written so
  return v >= 0 && !nest.reduced.test(v) && !nest.stores.empty() && llvm::all_of(nest.stores, [&](const Store &store) {
           int64_t element = elementStorageBytes(store.elementType), bytes = lanes * element;
           const Address &address = store.address;
           if (isa<ComplexType>(store.elementType) || bytes < smallest || address.dims[v] != 1 ||
               !address.symbols.empty() || !address.nonlinear.empty() || address.constant * element % bytes != 0)
             return false;
           for (auto [dim, coef] : llvm::enumerate(address.dims))
             if (static_cast<int>(dim) != v && nest.sizes[dim] > 1 && coef * element % bytes != 0)
               return false;
           return true;
         });
}

bool mlir::xla::isVectorAligned(const LoopNest &nest, const Address &address, Type type, int64_t dim, int64_t lanes) {
  constexpr int64_t alignment = 16;
  auto isMultiple = [&](const auto &term) { return term.second % lanes == 0; };
  if (isa<ComplexType>(type) || lanes * elementStorageBytes(type) > alignment || address.dims[dim] != 1 ||
      address.constant % lanes != 0 || !llvm::all_of(address.symbols, isMultiple) ||
      !llvm::all_of(address.nonlinear, isMultiple))
    return false;
  for (auto [other, coef] : llvm::enumerate(address.dims))
    if (static_cast<int64_t>(other) != dim && nest.sizes[other] > 1 && coef % lanes != 0)
      return false;
  return llvm::none_of(address.symbols, [&](const auto &term) { return term.first->deps.test(dim); }) &&
         llvm::none_of(address.nonlinear, [&](const auto &term) { return term.first.isFunctionOfDim(dim); });
}

bool mlir::xla::areVectorsAligned(const LoopNest &nest, int64_t dim, int64_t lanes) {
  auto isAligned = [&](const Address &address, Type type) { return isVectorAligned(nest, address, type, dim, lanes); };
  // What is read backwards is a vector whose lanes are in the other order.
  auto isReadAligned = [&](Address address, Type type) {
    if (address.dims[dim] == -1) {
      address.dims[dim] = 1;
      address.constant -= lanes - 1;
    }
    return isAligned(address, type);
  };
  return dim >= 0 && nest.sizes[dim] % lanes == 0 && nest.reduced.any() == nest.reduced.test(dim) &&
         (nest.reduced.test(dim) || !nest.stores.empty()) &&
         llvm::all_of(nest.stores, [&](const Store &store) { return isAligned(store.address, store.elementType); }) &&
         llvm::all_of(nest.nodes(), [&](ExprNode *node) {
           return node->kind != ExprNode::Load || !node->deps.test(dim) ||
                  (node->guards.empty() && isReadAligned(node->address, node->type));
         });
}

SmallVector<ExprNode *> mlir::xla::exchangedLoads(const LoopNest &nest, int64_t row, int64_t column) {
  auto isDealtWith = [&](const auto &term) {
    return term.first.isFunctionOfDim(row) || term.first.isFunctionOfDim(column);
  };
  SmallVector<ExprNode *> loads;
  for (ExprNode *node : nest.nodes())
    if (node->kind == ExprNode::Load && node->guards.empty() && !isa<ComplexType>(node->type) &&
        node->address.dims[row] == 1 && node->address.dims[column] != 1 && node->deps.test(row) &&
        node->address.symbols.empty() && llvm::none_of(node->address.nonlinear, isDealtWith))
      loads.push_back(node);
  return loads;
}

/// What is added up is nowhere -0, so that zeros change nothing.
static bool beginsAtZero(ExprNode *init) {
  auto attr = dyn_cast_or_null<FloatAttr>(init->kind == ExprNode::Constant ? init->attr : Attribute());
  return attr && attr.getValue().isPosZero();
}

/// The factors of the only sum of `nest`, which adds up products of floats and nothing else; null if it does not.
static std::pair<ExprNode *, ExprNode *> factorsOf(const LoopNest &nest) {
  if (nest.isScan() || nest.isOrdered() || !nest.stores.empty() || nest.reductions.size() != 1)
    return {};
  const Reduction &sum = nest.reductions[0];
  if (sum.inits.size() != 1 || sum.kind != vector::CombiningKind::ADD || sum.next[0]->kind != ExprNode::Apply ||
      !isa<arith::AddFOp>(sum.next[0]->op))
    return {};
  ArrayRef<ExprNode *> terms = sum.next[0]->operands;
  ExprNode *product = terms[terms[0] == sum.accumulators[0]];
  if (product->kind != ExprNode::Apply || !isa<arith::MulFOp>(product->op))
    return {};
  return {product->operands[0], product->operands[1]};
}

ExprNode *mlir::xla::widenedBrain(ExprNode *factor) {
  if (factor->kind != ExprNode::Apply || !isa<arith::ExtFOp>(factor->op) || !factor->type.isF32())
    return nullptr;
  ExprNode *load = factor->operands[0];
  return load->kind == ExprNode::Load && load->type.isBF16() && !load->pair && load->guards.empty() ? load : nullptr;
}

bool mlir::xla::mayAddPairs(const LoopNest &nest, const NestPlan &plan) {
  auto [left, right] = factorsOf(nest);
  if (!left || plan.v < 0 || plan.vReduced || plan.reductionLoops.empty() || nest.sizes[plan.v] % plan.lanes)
    return false;
  int64_t step = plan.reductionLoops.back();
  auto isPair = [&](ExprNode *factor) {
    ExprNode *load = widenedBrain(factor);
    return load && strideAlong(load->address, step, 2) == 1 &&
           (!load->deps.test(plan.v) || strideAlong(load->address, plan.v, plan.lanes) == 2);
  };
  return nest.sizes[step] % 2 == 0 && isPair(left) && isPair(right) &&
         left->deps.test(plan.v) != right->deps.test(plan.v);
}

/// Is there room for one more step behind each row of a block?
static bool hasRoomBehind(const ExprNode &load, int64_t size, unsigned row) {
  return load.buffer.origin >= 0 && load.address.dims[row] > size;
}

/// How far `address` moves from one pair of iterations of `dim` to the next, if the two are neighbours.
static std::optional<int64_t> pitchOfPairs(const Address &address, unsigned dim) {
  int64_t pitch = 0;
  for (auto &[expr, coef] : address.nonlinear) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    if (rowLengthOf(expr, dim) != 2)
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::FloorDiv)
      pitch += coef;
  }
  if (address.dims[dim] != 0 || strideAlong(address, dim, 2) != 1)
    return std::nullopt;
  return pitch;
}

/// Are whole vectors of `lanes` pairs along `dim` in memory, also the last one: in rows of as many as are a pitch
/// apart, or in panels?
static bool haveWholeVectors(const Address &address, unsigned dim, int64_t size, int64_t lanes, int64_t pitch) {
  bool isPanel = llvm::any_of(address.nonlinear, [&](const auto &term) {
    return term.first.getKind() == AffineExprKind::Mod && isLaneAligned(term.first, dim, lanes);
  });
  return size % lanes == 0 || isPanel || pitch >= 2 * static_cast<int64_t>(llvm::alignTo(size, lanes));
}

std::optional<TileFactors> mlir::xla::tileFactorsOf(const LoopNest &nest, const NestPlan &plan) {
  auto [left, right] = factorsOf(nest);
  if (!left || plan.v < 0 || plan.vReduced || plan.u < 0 || plan.apart || plan.reductionLoops.size() != 1 ||
      (nest.sizes[plan.u] % plan.uUnroll && !plan.uOverlaps) || !beginsAtZero(nest.reductions[0].inits[0]))
    return std::nullopt;
  if (left->deps.test(plan.v))
    std::swap(left, right);
  ExprNode *rows = widenedBrain(left), *columns = widenedBrain(right);
  int64_t step = plan.reductionLoops[0];
  if (!rows || !columns || rows->deps.test(plan.v) || columns->deps.test(plan.u) ||
      (nest.sizes[step] % 2 && !hasRoomBehind(*rows, nest.sizes[step], plan.u)) || rows->address.dims[step] != 1 ||
      !rows->address.nonlinear.empty() || !rows->address.symbols.empty() || !columns->address.symbols.empty() ||
      strideAlong(columns->address, plan.v, plan.lanes) != 2)
    return std::nullopt;
  std::optional<int64_t> pitch = pitchOfPairs(columns->address, step);
  if (!pitch || !haveWholeVectors(columns->address, plan.v, nest.sizes[plan.v], plan.lanes, *pitch))
    return std::nullopt;
  return TileFactors{rows, columns, *pitch};
}

int mlir::xla::lanesOfPairs(const LoopNest &nest, unsigned lanes) {
  NestPlan plan;
  plan.lanes = lanes;
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (nest.isReductionLoop(dim))
      plan.reductionLoops.push_back(dim);
  for (plan.v = 0; plan.v < static_cast<int>(nest.sizes.size()); ++plan.v)
    if (plan.reductionLoops.size() == 1 && nest.isParallelLoop(plan.v) && mayAddPairs(nest, plan))
      return plan.v;
  return -1;
}

std::optional<TrimmedSum> mlir::xla::trimmedSumOf(const LoopNest &nest, const NestPlan &plan) {
  auto [zeros, others] = factorsOf(nest);
  if (!zeros || plan.v < 0 || plan.vReduced || plan.vMasked || plan.vBlock || plan.uBlock ||
      nest.sizes[plan.v] % plan.lanes || plan.reductionLoops.size() != 1 || !beginsAtZero(nest.reductions[0].inits[0]))
    return std::nullopt;
  if (zeros->deps.test(plan.v))
    std::swap(zeros, others);
  if (ExprNode *narrow = widenedBrain(zeros))
    zeros = narrow;
  if (zeros->deps.test(plan.v) || (plan.u >= 0 && others->deps.test(plan.u)) || zeros->kind != ExprNode::Load ||
      zeros->pair || others->pair || !zeros->guards.empty() || !zeros->address.nonlinear.empty() ||
      !zeros->address.symbols.empty() || zeros->address.dims[plan.reductionLoops[0]] != 1)
    return std::nullopt;
  return TrimmedSum{zeros, others};
}

std::optional<int64_t> mlir::xla::strideAlong(const Address &address, unsigned dim, unsigned lanes) {
  int64_t stride = address.dims[dim];
  for (auto &[symbol, coef] : address.symbols)
    if (symbol->deps.test(dim))
      return std::nullopt;
  for (auto &[expr, coef] : address.nonlinear) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    if (!isLaneAligned(expr, dim, lanes))
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::Mod)
      stride += coef;
  }
  return stride;
}

DenseSet<ExprNode *> mlir::xla::transposableLoads(ArrayRef<ExprNode *> nodes, unsigned v, unsigned u, unsigned lanes) {
  DenseSet<ExprNode *> loads;
  for (ExprNode *node : nodes) {
    // Of complex numbers, those of 64 bits.
    if (node->kind != ExprNode::Load || (node->pair && !node->type.isF32()) || !node->guards.empty())
      continue;
    std::optional<int64_t> alongV = strideAlong(node->address, v, lanes), alongU = strideAlong(node->address, u, lanes);
    if (alongV && alongU == 1 && *alongV != 0 && std::abs(*alongV) != 1)
      loads.insert(node);
  }
  return loads;
}

bool mlir::xla::mayRepeatTransposition(const LoopNest &nest, const DenseSet<ExprNode *> &transposed) {
  return nest.reductions.empty() && !nest.inPlace && llvm::all_of(nest.nodes(), [&](ExprNode *node) {
           return node->kind != ExprNode::Load || transposed.contains(node);
         });
}

int64_t mlir::xla::estimateCost(const LoopNest &nest, const NestPlan &plan) {
  double perIteration = 0.05;
  // What is read in steps along a reduction is read for each of them.
  unsigned sharing = plan.inMemory || plan.apart ? 1 : plan.uUnroll;
  llvm::SmallPtrSet<Operation *, 2> loops;
  for (ExprNode *node : nest.nodes()) {
    double lanes = plan.v >= 0 ? plan.lanes : 1;
    if (auto loop = dyn_cast_or_null<scf::ForOp>(node->op))
      perIteration += loops.insert(loop).second ? 0.4 * operationsOf(loop) / lanes : 0.0;
    else if (node->kind == ExprNode::Apply && node->deps.any())
      perIteration += (isExpensive(node->op) ? 8.0 : 0.4) / lanes * (isa<ComplexType>(node->type) ? 4 : 1);
    else if (node->kind == ExprNode::Load && node->deps.any())
      perIteration += elementStorageBytes(node->type) * 0.06 / sharing;
  }
  for (const Store &store : nest.stores)
    perIteration += elementStorageBytes(store.elementType) * 0.08;
  return static_cast<int64_t>(perIteration * nest.iterations(/*includeRows=*/true)) + 1;
}
