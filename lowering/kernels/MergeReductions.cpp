// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-merge-reductions`: reductions that read the same elements become one, which reads them once.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::xla {
#define GEN_PASS_DEF_MERGEREDUCTIONS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Results of one reduction: running values of more leave no registers for several vectors of each.
static constexpr unsigned kMostResults = 4;
/// Values of which one is made, at which the search for common ones ends; reductions that one may be merged with; what
/// may be moved behind it.
static constexpr size_t kMostValues = 32, kMostTries = 8, kMostFollowers = 64;
/// Tensors of so many times fewer elements are not large.
static constexpr int64_t kSmaller = 16;
/// Between the numbers of neighbouring ops, at first and where some are put between them.
static constexpr int64_t kRoom = 1 << 20, kStep = 1 << 8;

namespace {

/// A tensor, and the element of it that belongs to an iteration.
using Element = std::pair<Value, AffineMap>;

class Merger {
public:
  Merger(Block &block, bool device) : block(block), device(device) {}
  void run();

private:
  struct Known {
    linalg::GenericOp op;
    llvm::SetVector<Element> elements;
  };

  bool isCandidate(linalg::GenericOp op) const;
  llvm::SetVector<Element> elementsOf(linalg::GenericOp op) const;
  bool mayMerge(linalg::GenericOp first, linalg::GenericOp second) const;
  bool isOfRows(linalg::GenericOp op) const;
  std::optional<SmallVector<Operation *>> followers(linalg::GenericOp first, linalg::GenericOp second) const;
  SmallVector<unsigned> readersOf(const llvm::SetVector<Element> &elements) const;
  void add(unsigned number, const llvm::SetVector<Element> &elements);
  bool isBefore(Operation *lhs, Operation *rhs) const { return places.at(lhs) < places.at(rhs); }
  void numberOps();
  void place(Operation *op);

  Block &block;
  bool device;
  // Numbers in the order of the block, with room between them: upstream's are all found again after an op has moved.
  DenseMap<Operation *, int64_t> places;
  std::vector<Known> known;
  DenseMap<Element, SmallVector<unsigned, 1>> readers; // by their numbers in `known`
  DenseMap<Operation *, Value> firstResults;           // of merged ops, as they were before
};

} // namespace

/// Does the body combine each running value, which nothing else reads, with what it reads by one operation? With
/// `mayRound` it may be wider for that, and round what comes of it: on a CPU, running values of one such result are in
/// memory where rows are long, and those of several are not.
static bool accumulatesEach(linalg::GenericOp op, bool mayRound) {
  Block &body = *op.getBody();
  return llvm::all_of_zip(body.getTerminator()->getOperands(), op.getRegionOutputArgs(),
                          [&](Value next, Value running) {
                            auto narrow = next.getDefiningOp<arith::TruncFOp>();
                            if (mayRound && narrow && next.hasOneUse() && running.hasOneUse() &&
                                isa<arith::ExtFOp>(*running.user_begin())) {
                              next = narrow.getIn();
                              running = running.user_begin()->getResult(0);
                            }
                            Operation *combiner = next.getDefiningOp();
                            return running.hasOneUse() && *running.user_begin() == combiner &&
                                   isa<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp, arith::MaximumFOp,
                                       arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
                                       arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(combiner) &&
                                   combiner->getOperand(0) != combiner->getOperand(1) && next.hasOneUse();
                          });
}

bool Merger::isCandidate(linalg::GenericOp op) const {
  auto isPermuted = [&](OpOperand &operand) { return op.getMatchingIndexingMap(&operand).isProjectedPermutation(); };
  AffineMap place = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  // What an attribute says of one op need not be true of several.
  return op->getDiscardableAttrs().empty() && op.getNumReductionLoops() != 0 && !op.hasDynamicShape() &&
         !op.hasIndexSemantics() && !matchContraction(op) && accumulatesEach(op, device) &&
         llvm::all_of(op->getOpOperands(), isPermuted) && llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init) == place;
         });
}

/// Do all loops that turn walk the element?
static bool isOfAllLoops(AffineMap map, ArrayRef<int64_t> ranges) {
  return llvm::all_of(llvm::enumerate(ranges),
                      [&](auto loop) { return loop.value() == 1 || map.isFunctionOfDim(loop.index()); });
}

/// The map from the elements of an expanded tensor to those of its source.
static AffineMap sourceMap(tensor::ExpandShapeOp op) {
  MLIRContext *context = op.getContext();
  ArrayRef<int64_t> sizes = op.getResultType().getShape();
  SmallVector<AffineExpr> exprs;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    AffineExpr index = getAffineConstantExpr(0, context);
    for (int64_t dim : group)
      index = index * sizes[dim] + getAffineDimExpr(dim, context);
    exprs.push_back(index);
  }
  return AffineMap::get(sizes.size(), 0, exprs, context);
}

/// The elements that an iteration of `op` reads, one for each iteration, and those that they are computed of.
llvm::SetVector<Element> Merger::elementsOf(linalg::GenericOp op) const {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  llvm::SetVector<Element> found;
  auto add = [&](Value value, AffineMap map) {
    // Results of one op are in one place as far as their readers are concerned.
    if (auto result = dyn_cast<OpResult>(value)) {
      auto first = firstResults.find(result.getOwner());
      value = first != firstResults.end() ? first->second : result.getOwner()->getResult(0);
    }
    if (isOfAllLoops(map, ranges))
      found.insert({value, map});
  };
  for (OpOperand *input : op.getDpsInputOperands())
    add(input->get(), op.getMatchingIndexingMap(input));
  for (size_t i = 0; i < found.size() && found.size() < kMostValues; ++i) {
    auto [value, map] = found[i];
    if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
      add(expand.getSrc(), sourceMap(expand).compose(map));
    auto generic = value.getDefiningOp<linalg::GenericOp>();
    if (!generic || generic.getNumReductionLoops() != 0 || generic.getNumResults() != 1)
      continue;
    AffineMap place = generic.getMatchingIndexingMap(generic.getDpsInitOperand(0));
    if (!place.isPermutation())
      continue;
    AffineMap loops = inversePermutation(place).compose(map);
    for (OpOperand *input : generic.getDpsInputOperands())
      if (isa<RankedTensorType>(input->get().getType()))
        add(input->get(), generic.getMatchingIndexingMap(input).compose(loops));
  }
  // What is made of nothing costs nothing.
  found.remove_if([](const Element &element) {
    auto generic = element.first.getDefiningOp<linalg::GenericOp>();
    return generic && generic.getNumDpsInputs() == 0;
  });
  return found;
}

static int64_t iterationsOf(linalg::GenericOp op) {
  int64_t count = 1;
  for (int64_t range : op.getStaticLoopRanges())
    count *= range;
  return count;
}

/// Is the row that `op` reduces read again with what follows from the result, or was it before? A kernel of rows has
/// all of its reductions in common as they are, and knows those that are a softmax's.
bool Merger::isOfRows(linalg::GenericOp op) const {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  if (kinds.front() != utils::IteratorType::parallel ||
      !std::is_partitioned(kinds.begin(), kinds.end(),
                           [](utils::IteratorType kind) { return kind == utils::IteratorType::parallel; }))
    return false;
  int64_t iterations = iterationsOf(op);
  auto isKnown = [](linalg::GenericOp generic) { return generic && !generic.hasDynamicShape(); };
  llvm::SetVector<Operation *> after, before;
  after.insert(op);
  for (size_t i = 0; i < after.size() && i < kMostValues; ++i)
    for (Operation *user : after[i]->getUsers()) {
      auto generic = dyn_cast<linalg::GenericOp>(user);
      if (!isKnown(generic) || generic.getNumReductionLoops() != 0)
        continue;
      if (iterationsOf(generic) >= iterations)
        return true;
      after.insert(generic);
    }
  before.insert(op);
  for (size_t i = 0; i < before.size() && i < kMostValues; ++i)
    for (Value input : cast<linalg::GenericOp>(before[i]).getDpsInputs()) {
      auto generic = input.getDefiningOp<linalg::GenericOp>();
      if (!isKnown(generic))
        continue;
      if (generic.getNumReductionLoops() == 0)
        before.insert(generic);
      else if (iterationsOf(generic) >= iterations)
        return true;
    }
  return false;
}

bool Merger::mayMerge(linalg::GenericOp first, linalg::GenericOp second) const {
  return first.getNumResults() + second.getNumResults() <= kMostResults &&
         first.getStaticLoopRanges() == second.getStaticLoopRanges() &&
         first.getIteratorTypesArray() == second.getIteratorTypesArray() &&
         first.getMatchingIndexingMap(first.getDpsInitOperand(0)) ==
             second.getMatchingIndexingMap(second.getDpsInitOperand(0)) &&
         (!device || (!isOfRows(first) && !isOfRows(second)));
}

void Merger::numberOps() {
  int64_t number = 0;
  for (Operation &op : block)
    places[&op] = number += kRoom;
}

/// Numbers what has come to where it is now.
void Merger::place(Operation *op) {
  Operation *previous = op->getPrevNode();
  int64_t low = previous ? places.at(previous) : 0, room = places.at(op->getNextNode()) - low;
  if (room < 2)
    numberOps();
  else
    places[op] = low + std::min(kStep, room / 2);
}

/// What stands between the two ops and needs the first one, in order; nothing if the second one needs it, too, if that
/// cannot be moved, or if it would keep what is computed between them.
std::optional<SmallVector<Operation *>> Merger::followers(linalg::GenericOp first, linalg::GenericOp second) const {
  llvm::SetVector<Operation *> found;
  found.insert(first);
  for (size_t i = 0; i < found.size(); ++i)
    for (Operation *user : found[i]->getUsers()) {
      Operation *op = block.findAncestorOpInBlock(*user);
      if (op == second)
        return std::nullopt;
      if (!op || !isBefore(op, second))
        continue;
      // To ask ops of linalg, which are on tensors here, for their effects takes as long as all the rest.
      if (found.size() > kMostFollowers ||
          (!isa<linalg::LinalgOp>(op) && (op->getNumRegions() != 0 || !isMemoryEffectFree(op))))
        return std::nullopt;
      found.insert(op);
    }
  int64_t iterations = iterationsOf(second);
  for (Operation *op : ArrayRef(found.getArrayRef()).drop_front())
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (source && source->getBlock() == &block && !found.contains(source) && isBefore(first, source) &&
          !isa<tensor::EmptyOp>(source) && type && type.getNumElements() * kSmaller >= iterations)
        return std::nullopt;
    }
  SmallVector<Operation *> sorted(llvm::drop_begin(found));
  llvm::sort(sorted, [&](Operation *lhs, Operation *rhs) { return isBefore(lhs, rhs); });
  return sorted;
}

/// One op with the results of both, in the place of the second.
static linalg::GenericOp merge(linalg::GenericOp first, linalg::GenericOp second) {
  OpBuilder b(second);
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps, initMaps;
  SmallVector<Location> locations = {first.getLoc(), second.getLoc()};
  SmallVector<unsigned> numbers; // of the inputs of both, one after the other
  for (linalg::GenericOp op : {first, second}) {
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      unsigned number = 0;
      while (number < inputs.size() && (inputs[number] != input->get() || maps[number] != map))
        ++number;
      if (number == inputs.size()) {
        inputs.push_back(input->get());
        maps.push_back(map);
      }
      numbers.push_back(number);
    }
    for (OpOperand &init : op.getDpsInitsMutable()) {
      inits.push_back(init.get());
      initMaps.push_back(op.getMatchingIndexingMap(&init));
    }
  }
  llvm::append_range(maps, initMaps);
  SmallVector<Type> types(first->getResultTypes());
  llvm::append_range(types, second->getResultTypes());
  auto build = [&](OpBuilder &inner, Location, ValueRange arguments) {
    SmallVector<Value> results;
    ValueRange running = arguments.drop_front(inputs.size());
    ArrayRef<unsigned> left = numbers;
    for (linalg::GenericOp op : {first, second}) {
      IRMapping mapping;
      Block &body = *op.getBody();
      for (BlockArgument argument : body.getArguments().take_front(op.getNumDpsInputs()))
        mapping.map(argument, arguments[left[argument.getArgNumber()]]);
      mapping.map(body.getArguments().drop_front(op.getNumDpsInputs()), running.take_front(op.getNumDpsInits()));
      left = left.drop_front(op.getNumDpsInputs());
      running = running.drop_front(op.getNumDpsInits());
      for (Operation &inside : body.without_terminator())
        inner.clone(inside, mapping);
      for (Value value : body.getTerminator()->getOperands())
        results.push_back(mapping.lookupOrDefault(value));
    }
    linalg::YieldOp::create(inner, b.getFusedLoc(locations), results);
  };
  auto merged = linalg::GenericOp::create(b, b.getFusedLoc(locations), types, inputs, inits, maps,
                                          second.getIteratorTypesArray(), build);
  first.replaceAllUsesWith(merged.getResults().take_front(first.getNumResults()));
  second.replaceAllUsesWith(merged.getResults().drop_front(first.getNumResults()));
  return merged;
}

/// The last reductions that read one of `elements`, or what it is computed of.
SmallVector<unsigned> Merger::readersOf(const llvm::SetVector<Element> &elements) const {
  llvm::SmallSetVector<unsigned, 8> found;
  for (const Element &element : elements)
    if (auto each = readers.find(element); each != readers.end())
      for (unsigned number : llvm::reverse(ArrayRef(each->second).take_back(kMostTries)))
        found.insert(number);
  SmallVector<unsigned> last = found.takeVector();
  llvm::sort(last, std::greater<>());
  last.truncate(std::min(last.size(), kMostTries));
  return last;
}

void Merger::add(unsigned number, const llvm::SetVector<Element> &elements) {
  for (const Element &element : elements)
    if (known[number].elements.insert(element))
      readers[element].push_back(number);
}

void Merger::run() {
  SmallVector<linalg::GenericOp> ops, merged;
  for (auto op : block.getOps<linalg::GenericOp>())
    if (isCandidate(op))
      ops.push_back(op);
  if (ops.size() > 1)
    numberOps();
  for (linalg::GenericOp op : ops) {
    llvm::SetVector<Element> elements = elementsOf(op);
    unsigned number = known.size();
    for (unsigned other : readersOf(elements)) {
      linalg::GenericOp first = known[other].op;
      std::optional<SmallVector<Operation *>> moved;
      if (!mayMerge(first, op) || !(moved = followers(first, op)))
        continue;
      Operation *last = known[other].op = merge(first, op);
      place(last);
      auto before = firstResults.find(first);
      Value firstResult = before != firstResults.end() ? before->second : first->getResult(0);
      firstResults[last] = firstResult;
      for (Operation *follower : *moved) {
        follower->moveAfter(last);
        place(follower);
        last = follower;
      }
      llvm::append_values(merged, first, op);
      number = other;
      break;
    }
    if (number == known.size())
      known.push_back({op, {}});
    add(number, elements);
  }
  // Their results are elements until here.
  for (linalg::GenericOp op : merged)
    op.erase();
}

namespace {
struct MergeReductionsPass : public mlir::xla::impl::MergeReductionsBase<MergeReductionsPass> {
  using MergeReductionsBase::MergeReductionsBase;
  void runOnOperation() override {
    getOperation().walk([&](Block *block) { Merger(*block, device).run(); });
  }
};
} // namespace
