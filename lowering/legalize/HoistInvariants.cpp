// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every iteration of a loop would compute alike is computed before it, if reading it takes less time: gathers,
// reductions, products, functions, and what a product or a scatter reads from memory anyway.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"
#include "mlir_xla/lowering/legalize/TripCount.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// Results of so many bytes are kept whatever they are computed from.
constexpr int64_t kFewBytes = 4096;

int64_t bytesOf(ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values)
    if (auto type = dyn_cast<RankedTensorType>(value.getType()); type && type.hasStaticShape())
      bytes += bufferBytes(type);
  return bytes;
}

/// Does computing it take longer than reading it?
bool isCostly(Operation *op) {
  return isa<GatherOp, ReduceOp, ReduceWindowOp, DotGeneralOp, ConvolutionOp, SortOp, ScatterOp, ConcatenateOp, DivOp,
             ExpOp, Expm1Op, LogOp, Log1pOp, LogisticOp, SineOp, CosineOp, TanOp, TanhOp, ErfOp, PowOp>(op);
}

/// No memory is worth keeping these: they are computed where they are read.
bool isFree(Operation *op) { return isa<ConstantOp, IotaOp, BroadcastInDimOp>(op); }

/// Is it more than a view of something else?
bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && isa<ReshapeOp, SliceOp, TransposeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return op && !isFree(op);
}

/// Does a product read each element of `factor` more than once? A convolution does.
bool isReadAgain(OpOperand &factor) {
  auto dot = dyn_cast<DotGeneralOp>(factor.getOwner());
  if (!dot)
    return true;
  DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
  bool isLeft = factor.getOperandNumber() == 0;
  ArrayRef<int64_t> batching = isLeft ? dims.getRhsBatchingDimensions() : dims.getLhsBatchingDimensions();
  ArrayRef<int64_t> steps = isLeft ? dims.getRhsContractingDimensions() : dims.getLhsContractingDimensions();
  auto other = cast<RankedTensorType>((isLeft ? dot.getRhs() : dot.getLhs()).getType());
  return llvm::any_of(llvm::enumerate(other.getShape()), [&](auto pair) {
    auto dim = static_cast<int64_t>(pair.index());
    return pair.value() != 1 && !llvm::is_contained(batching, dim) && !llvm::is_contained(steps, dim);
  });
}

class Hoisting {
public:
  explicit Hoisting(WhileOp loop) : loop(loop), body(loop.getBody().front()) {}
  bool run();

private:
  bool isOutside(Value value) const { return !loop->isAncestor(value.getParentRegion()->getParentOp()); }
  bool isInvariant(Operation &op) const;
  void want(Operation *op);

  WhileOp loop;
  Block &body;
  llvm::SetVector<Operation *> invariant, wanted; // in their order
};

bool Hoisting::isInvariant(Operation &op) const {
  if (isa<WhileOp>(op) || op.hasTrait<OpTrait::IsTerminator>() || op.getNumResults() == 0 || !isMemoryEffectFree(&op) ||
      !llvm::all_of(op.getOperands(),
                    [&](Value value) { return isOutside(value) || invariant.contains(value.getDefiningOp()); }))
    return false;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getRegions(), captured);
  if (!llvm::all_of(captured, [&](Value value) { return isOutside(value); }))
    return false;
  // Larger results than what they are computed from take memory, and time to read.
  return isFree(&op) || bytesOf(op.getResults()) <= std::max(kFewBytes, bytesOf(op.getOperands()));
}

/// With all that it is computed from.
void Hoisting::want(Operation *op) {
  if (!invariant.contains(op) || wanted.contains(op))
    return;
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp())
      want(producer);
  wanted.insert(op);
}

bool Hoisting::run() {
  for (Operation &op : body)
    if (isInvariant(op))
      invariant.insert(&op);
  DenseSet<Operation *> costly;
  for (Operation *op : invariant)
    if (!isFree(op) && (isCostly(op) || llvm::any_of(op->getOperands(), [&](Value value) {
                          return costly.contains(value.getDefiningOp());
                        })))
      costly.insert(op);
  for (Operation *op : invariant)
    if (costly.contains(op))
      want(op);
  // What products and scatters read is in memory anyway, if it is no view of something that is, nor read but once.
  for (Operation &op : body)
    if (isa<ScatterOp, DotGeneralOp, ConvolutionOp>(op))
      for (OpOperand &operand : op.getOpOperands()) {
        Operation *producer = operand.get().getDefiningOp();
        if (producer && !isFree(producer) &&
            (isa<ScatterOp>(op) || (isComputed(operand.get()) && isReadAgain(operand))))
          want(producer);
      }
  bool changed = false;
  OpBuilder before(loop);
  for (Operation *op : wanted) {
    if (isFree(op)) {
      // Others in the loop have their own.
      Operation *copy = before.clone(*op);
      for (auto [from, to] : llvm::zip_equal(op->getResults(), copy->getResults()))
        from.replaceUsesWithIf(to, [&](OpOperand &use) { return wanted.contains(use.getOwner()); });
      continue;
    }
    op->moveBefore(loop);
    changed = true;
  }
  return changed;
}

} // namespace

bool mlir::xla::hoistInvariants(WhileOp loop) { return Hoisting(loop).run(); }

bool mlir::xla::isFactorOfLoop(DotGeneralOp dot, Value factor) {
  constexpr int64_t fewRows = 2, leastColumns = 16, mostBytes = 1 << 20, fewIterations = 4;
  auto loop = dyn_cast<WhileOp>(dot->getParentOp());
  auto type = cast<RankedTensorType>(factor.getType()), left = cast<RankedTensorType>(dot.getLhs().getType());
  DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
  if (!loop || dot->getParentRegion() != &loop.getBody() || loop->isAncestor(factor.getParentRegion()->getParentOp()) ||
      type.getRank() != 2 || !type.hasStaticShape() || !left.hasStaticShape() ||
      !dims.getRhsBatchingDimensions().empty() || dims.getRhsContractingDimensions().size() != 1)
    return false;
  Type element = type.getElementType();
  int64_t steps = type.getDimSize(0), columns = type.getDimSize(1);
  return (element.isF32() || element.isF64()) && std::min(steps, columns) >= leastColumns &&
         bytesOf(factor) <= mostBytes &&
         left.getNumElements() / left.getDimSize(dims.getLhsContractingDimensions()[0]) >= fewRows &&
         tripCount(loop).value_or(fewIterations) >= fewIterations;
}

bool mlir::xla::transposeFactors(WhileOp loop) {
  bool changed = false;
  for (auto dot : loop.getBody().front().getOps<DotGeneralOp>()) {
    Value factor = dot.getRhs();
    DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    if (!isFactorOfLoop(dot, factor) || dims.getRhsContractingDimensions()[0] != 1)
      continue;
    WhileOp outermost = loop;
    for (auto around = loop->getParentOfType<WhileOp>();
         around && !around->isAncestor(factor.getParentRegion()->getParentOp());
         around = around->getParentOfType<WhileOp>())
      outermost = around;
    OpBuilder b(outermost);
    auto type = cast<RankedTensorType>(factor.getType());
    auto transposed = RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)}, type.getElementType());
    dot.getRhsMutable().set(TransposeOp::create(b, dot.getLoc(), transposed, factor, ArrayRef<int64_t>{1, 0}));
    dot.setDotDimensionNumbersAttr(DotDimensionNumbersAttr::get(dot.getContext(), dims.getLhsBatchingDimensions(), {},
                                                                dims.getLhsContractingDimensions(), {0}));
    changed = true;
  }
  return changed;
}
