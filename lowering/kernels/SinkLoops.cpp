// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-sink-loops`: a counted loop whose iterations compute tensors element by element is a loop for each element,
// which has what the iterations hand on in registers. Nobody launches a kernel for an iteration, and nothing but what
// the loop begins with and what it ends with is in memory.

#include "mlir_xla/lowering/kernels/Passes.h"

#include "mlir_xla/lowering/nest/Cost.h"
#include "mlir_xla/lowering/xla_rt/LoopMarks.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::xla {
#define GEN_PASS_DEF_SINKLOOPS
#include "mlir_xla/lowering/kernels/Passes.h.inc"

/// Operations of an iteration, and those of them that are long: as many as kernels of a GPU have
/// (`kernels/Clusters.cpp`), because what is handed on wants registers beside them. So do values that are handed on.
static constexpr int64_t kMostOperations = 256, kMostFunctions = 16;
/// Operations of a loop that is written out.
static constexpr int64_t kMostWritten = 512;
static constexpr unsigned kMostValues = 16;
/// What all iterations compute for one element, and for all: a GPU, whose kernels nobody can interrupt, takes less than
/// a second for either.
static constexpr int64_t kMostOfElement = 1 << 26, kMostOfAll = int64_t(1) << 43;

static ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }
static int64_t rankOf(Value value) { return static_cast<int64_t>(shapeOf(value).size()); }

/// Where a scalar, or an element, of a loop's tensors is read in `loops` loops.
static AffineMap placeOf(Value value, unsigned loops) {
  return rankOf(value) == 0 ? AffineMap::get(loops, 0, value.getContext())
                            : AffineMap::getMultiDimIdentityMap(loops, value.getContext());
}

/// The map of an operation without loops in `loops` loops; that of another one as it is.
static AffineMap inLoops(AffineMap map, unsigned loops) {
  return map.getNumDims() ? map : AffineMap::get(loops, 0, map.getResults(), map.getContext());
}

/// The scalar of which a constant tensor has nothing but copies.
static Attribute splatOf(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : SplatElementsAttr();
  return splat ? splat.getSplatValue<Attribute>() : Attribute();
}

namespace {

/// A tensor from outside the loop, and where its elements are read.
using Read = std::pair<Value, AffineMap>;

/// A loop of elementwise operations.
class ElementLoop {
public:
  static std::optional<ElementLoop> find(scf::ForOp loop);
  /// Whether each kernel takes little enough time, and few enough registers.
  bool isSmall(bool device);
  void sink();

private:
  explicit ElementLoop(scf::ForOp loop) : loop(loop) {}
  bool isInside(Value value) const { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  bool isElementwise(linalg::GenericOp op);
  bool isScalarCode(linalg::GenericOp op);
  void need(Value value, llvm::SetVector<Value> &needed);
  llvm::SetVector<Value> neededFor(ArrayRef<int64_t> shape);
  SmallVector<SmallVector<int64_t>> shapes();
  void emit(ArrayRef<int64_t> shape);

  scf::ForOp loop;
  bool isWritten = false; // out, because it reads what no loop in a body can
};

/// Writes the body of the operation that has the loop inside.
class BodyEmitter {
public:
  BodyEmitter(OpBuilder &b, Location loc, scf::ForOp loop, unsigned rank, ArrayRef<Read> reads, Block &block)
      : b(b), loc(loc), loop(loop), rank(rank), reads(reads), block(block) {}
  SmallVector<Value> emit(const llvm::SetVector<Value> &needed, ArrayRef<unsigned> yielded, bool isWritten);

private:
  SmallVector<Value> emitIteration(const llvm::SetVector<Value> &needed, ArrayRef<unsigned> carried, ValueRange values);
  Value element(Value tensor, AffineMap map);
  void inlineBody(linalg::GenericOp op);
  bool isBefore(Value value) const { return value.getParentBlock() == &block; }

  OpBuilder &b;
  Location loc;
  scf::ForOp loop, inside;
  unsigned rank;
  ArrayRef<Read> reads;
  Block &block;
  DenseMap<Value, Value> elements; // of tensors of the loop
};

} // namespace

std::optional<ElementLoop> ElementLoop::find(scf::ForOp loop) {
  ElementLoop found(loop);
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()),
                         end = getConstantIntValue(loop.getUpperBound()), step = getConstantIntValue(loop.getStep());
  if (begin != 0 || step != 1 || !end || *end < 1 || loop->hasAttr(kLaunched) || loop.getNumResults() == 0 ||
      !loop.getInductionVar().use_empty())
    return std::nullopt;
  auto isTensor = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getNumElements() > 0 &&
           (tensor.getElementType().isIntOrFloat() || isa<ComplexType>(tensor.getElementType()));
  };
  if (!llvm::all_of(loop.getResultTypes(), isTensor))
    return std::nullopt;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    auto constant = dyn_cast<arith::ConstantOp>(op);
    bool isKnown = generic    ? found.isElementwise(generic)
                   : constant ? !isa<ShapedType>(constant.getType()) || splatOf(constant)
                              : isa<tensor::EmptyOp>(op);
    if (!isKnown)
      return std::nullopt;
  }
  if (llvm::any_of(loop.getYieldedValues(), [](Value value) { return value.getDefiningOp<tensor::EmptyOp>(); }))
    return std::nullopt;
  return found;
}

/// Does it read what the loop computes at its own indices only, or scalars of it? What comes from outside may be read
/// anywhere.
bool ElementLoop::isElementwise(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumParallelLoops() != op.getNumLoops() ||
      op.getNumResults() == 0 || !isScalarCode(op))
    return false;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!op.getMatchingIndexingMap(&init).isIdentity() || op.payloadUsesValueFromOperand(&init))
      return false;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.getNumSymbols() || !isa<RankedTensorType>(input->get().getType()))
      return false;
    if (!isInside(input->get()))
      return true;
    return (map.isIdentity() || rankOf(input->get()) == 0) && !input->get().getDefiningOp<tensor::EmptyOp>();
  });
}

/// Arithmetic of scalars, and elements of tensors from outside at places that are data.
bool ElementLoop::isScalarCode(linalg::GenericOp op) {
  auto isIndex = [](Type type) { return type.isIndex(); };
  auto isPart = [&](Operation *inner) {
    if (inner == op || isa<linalg::YieldOp, scf::YieldOp, linalg::IndexOp, arith::ConstantOp, scf::ForOp>(inner))
      return true;
    bool gathers = isa<tensor::ExtractOp>(inner);
    bool isCast = isa<arith::IndexCastOp, arith::IndexCastUIOp>(inner);
    // Indices of the element are known before the loop, places are not.
    isWritten |= gathers || llvm::any_of(inner->getResultTypes(), isIndex) ||
                 (isCast && !inner->getOperand(0).getDefiningOp<linalg::IndexOp>());
    for (Value operand : inner->getOperands())
      if (!op->isAncestor(operand.getParentRegion()->getParentOp()) && (!gathers || isInside(operand)))
        return false;
    return gathers || (inner->getNumRegions() == 0 &&
                       isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(inner->getDialect()));
  };
  auto visit = [&](Operation *inner) { return isPart(inner) ? WalkResult::advance() : WalkResult::interrupt(); };
  return !op->walk(visit).wasInterrupted();
}

/// Adds `value`, if the loop computes it, and what it is computed of.
void ElementLoop::need(Value value, llvm::SetVector<Value> &needed) {
  if (!isInside(value) || !needed.insert(value))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    need(loop.getTiedLoopYieldedValue(argument)->get(), needed);
  } else if (auto generic = value.getDefiningOp<linalg::GenericOp>()) {
    for (OpOperand *input : generic.getDpsInputOperands())
      if (!generic.getMatchingBlockArgument(input).use_empty())
        need(input->get(), needed);
  }
}

/// What the loop computes for its results of that shape that something reads.
llvm::SetVector<Value> ElementLoop::neededFor(ArrayRef<int64_t> shape) {
  llvm::SetVector<Value> needed;
  for (auto [argument, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
    if (!result.use_empty() && shapeOf(result) == shape)
      need(argument, needed);
  return needed;
}

/// Of the results that something reads.
SmallVector<SmallVector<int64_t>> ElementLoop::shapes() {
  SmallVector<SmallVector<int64_t>> found;
  for (Value result : loop.getResults())
    if (SmallVector<int64_t> shape(shapeOf(result)); !result.use_empty() && !llvm::is_contained(found, shape))
      found.push_back(shape);
  return found;
}

/// On a CPU, whose threads have some vectors of elements at a time. More operations, and functions, wait for each other
/// longer than arrays take to be read and written, as there are no registers for more vectors.
static bool isShortOfLanes(int64_t operations, int64_t functions, unsigned values, int64_t elements) {
  constexpr int64_t mostOperations = 64, fewestElements = 64;
  constexpr unsigned mostValues = 6;
  return operations <= mostOperations && functions == 0 && values <= mostValues &&
         (elements == 1 || elements >= fewestElements);
}

/// Do processors compute with it in lanes, as it is?
static bool hasLanes(Type type) { return type.isF32() || type.isF64() || type.isIntOrIndex(); }

bool ElementLoop::isSmall(bool device) {
  int64_t trips = *getConstantIntValue(loop.getUpperBound());
  return llvm::all_of(shapes(), [&](ArrayRef<int64_t> shape) {
    int64_t code = 0, functions = 0, operations = 0;
    unsigned values = 0;
    bool areLanes = true; // and numbers
    llvm::SmallPtrSet<Operation *, 16> seen;
    for (Value value : neededFor(shape)) {
      values += isa<BlockArgument>(value);
      auto generic = value.getDefiningOp<linalg::GenericOp>();
      if (!generic || !seen.insert(generic).second)
        continue;
      operations += operationsOf(generic);
      generic->walk([&](Operation *inner) {
        ++code;
        functions += isLongCode(inner) && !isa<scf::ForOp>(inner);
        if (inner != generic)
          areLanes &= llvm::all_of(inner->getOperandTypes(), hasLanes) && !isa<scf::ForOp>(inner);
      });
    }
    auto ofElement = llvm::SaturatingMultiply<uint64_t>(trips, operations);
    auto ofAll = llvm::SaturatingMultiply<uint64_t>(ofElement, ShapedType::getNumElements(shape));
    if (!device &&
        (isWritten || !areLanes || !isShortOfLanes(operations, functions, values, ShapedType::getNumElements(shape))))
      return false;
    if (isWritten)
      return trips <= kMostWritten && trips * code <= kMostWritten && trips * functions <= kMostFunctions;
    return code <= kMostOperations && functions <= kMostFunctions && values <= kMostValues &&
           ofElement <= kMostOfElement && ofAll <= kMostOfAll;
  });
}

void ElementLoop::sink() {
  for (ArrayRef<int64_t> shape : shapes())
    emit(shape);
  loop.erase();
}

void ElementLoop::emit(ArrayRef<int64_t> shape) {
  llvm::SetVector<Value> needed = neededFor(shape);
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  unsigned rank = shape.size();
  llvm::SetVector<Read> reads;
  auto read = [&](Value value, AffineMap map) {
    if (!isInside(value) && !splatOf(value))
      reads.insert({value, map});
  };
  for (Value value : needed) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      for (OpOperand *from : {loop.getTiedLoopInit(argument), loop.getTiedLoopYieldedValue(argument)})
        read(from->get(), placeOf(value, rank));
    } else if (auto generic = value.getDefiningOp<linalg::GenericOp>()) {
      for (OpOperand *input : generic.getDpsInputOperands())
        if (!generic.getMatchingBlockArgument(input).use_empty())
          read(input->get(), inLoops(generic.getMatchingIndexingMap(input), rank));
    }
  }

  SmallVector<Value> inputs, outputs, replaced;
  SmallVector<AffineMap> maps;
  SmallVector<unsigned> yielded;
  for (const Read &read : reads) {
    inputs.push_back(read.first);
    maps.push_back(read.second);
  }
  for (auto [i, result] : llvm::enumerate(loop.getResults()))
    if (!result.use_empty() && shapeOf(result) == shape) {
      yielded.push_back(i);
      replaced.push_back(result);
      auto type = cast<RankedTensorType>(result.getType());
      outputs.push_back(tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType()));
      maps.push_back(b.getMultiDimIdentityMap(rank));
    }
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  auto generic =
      linalg::GenericOp::create(b, loc, TypeRange(ValueRange(outputs)), inputs, outputs, maps, kinds,
                                [&](OpBuilder &b, Location loc, ValueRange) {
                                  SmallVector<Value> values =
                                      BodyEmitter(b, loc, loop, rank, reads.getArrayRef(), *b.getInsertionBlock())
                                          .emit(needed, yielded, isWritten);
                                  linalg::YieldOp::create(b, loc, values);
                                });
  for (auto [from, to] : llvm::zip_equal(replaced, generic.getResults()))
    from.replaceAllUsesWith(to);
}

/// A tensor's element where the loop is.
Value BodyEmitter::element(Value tensor, AffineMap map) {
  if (Value known = elements.lookup(tensor))
    return known;
  if (Attribute attr = splatOf(tensor)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&block);
    if (auto type = dyn_cast<ComplexType>(getElementTypeOrSelf(tensor.getType())))
      return complex::ConstantOp::create(b, loc, type, cast<ArrayAttr>(attr));
    return arith::ConstantOp::create(b, loc, cast<TypedAttr>(attr));
  }
  return block.getArgument(llvm::find(reads, Read(tensor, map)) - reads.begin());
}

/// One iteration: what it hands on.
SmallVector<Value> BodyEmitter::emitIteration(const llvm::SetVector<Value> &needed, ArrayRef<unsigned> carried,
                                              ValueRange values) {
  for (auto [i, value] : llvm::zip_equal(carried, values))
    elements[loop.getRegionIterArgs()[i]] = value;
  for (Operation &op : loop.getBody()->without_terminator())
    if (auto generic = dyn_cast<linalg::GenericOp>(op);
        generic && llvm::any_of(generic.getResults(), [&](Value result) { return needed.contains(result); }))
      inlineBody(generic);
  return llvm::map_to_vector(carried, [&](unsigned i) {
    Value value = loop.getYieldedValues()[i];
    return element(value, placeOf(value, rank));
  });
}

/// The values of the results `yielded` behind the loop.
SmallVector<Value> BodyEmitter::emit(const llvm::SetVector<Value> &needed, ArrayRef<unsigned> yielded, bool isWritten) {
  SmallVector<Value> values;
  SmallVector<unsigned> carried;
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (needed.contains(argument)) {
      carried.push_back(i);
      values.push_back(element(loop.getInitArgs()[i], placeOf(argument, rank)));
    }
  int64_t trips = *getConstantIntValue(loop.getUpperBound());
  if (isWritten) {
    for (int64_t n = 0; n < trips; ++n)
      values = emitIteration(needed, carried, values);
  } else {
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
    Value begin = index(0), end = index(trips), step = index(1);
    inside = scf::ForOp::create(b, loc, begin, end, step, values);
    OpBuilder::InsertionGuard guard(b);
    Block *body = inside.getBody();
    if (body->mightHaveTerminator())
      body->getTerminator()->erase();
    b.setInsertionPointToEnd(body);
    scf::YieldOp::create(b, loc, emitIteration(needed, carried, inside.getRegionIterArgs()));
    values = inside.getResults();
  }
  return llvm::map_to_vector(yielded, [&](unsigned i) { return values[llvm::find(carried, i) - carried.begin()]; });
}

/// What is the same in all iterations comes before them.
void BodyEmitter::inlineBody(linalg::GenericOp op) {
  IRMapping mapping;
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (argument.use_empty())
      continue;
    mapping.map(argument, element(input->get(), inLoops(op.getMatchingIndexingMap(input), rank)));
  }
  for (Operation &inner : op.getBody()->without_terminator()) {
    OpBuilder::InsertionGuard guard(b);
    auto isKnownBefore = [&](Value operand) { return isBefore(mapping.lookupOrDefault(operand)); };
    if (inside && inner.getNumRegions() == 0 && llvm::all_of(inner.getOperands(), isKnownBefore))
      b.setInsertionPoint(inside);
    b.clone(inner, mapping);
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), op.getBody()->getTerminator()->getOperands()))
    elements[result] = mapping.lookupOrDefault(value);
}

namespace {
struct SinkLoopsPass : impl::SinkLoopsBase<SinkLoopsPass> {
  using SinkLoopsBase::SinkLoopsBase;
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { // inner ones first
      if (!loop->getParentOfType<linalg::LinalgOp>())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (std::optional<ElementLoop> found = ElementLoop::find(loop); found && found->isSmall(device))
        found->sink();
  }
};
} // namespace

} // namespace mlir::xla
