// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-form-kernels`: outlines every cluster of every block of the schedule as a private function.

#include "mlir_xla/lowering/kernels/Clusters.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/kernels/Windows.h"
#include "mlir_xla/lowering/nest/Cost.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xla {
#define GEN_PASS_DEF_FORMKERNELS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {

class Outliner {
public:
  Outliner(ModuleOp module, Block &block) : module(module), block(block) {}

  /// A value of the schedule that is still a free op, where a non-kernel user needs it in memory: copied by a kernel.
  void materializeFreeValues();
  /// Elementwise readers of a broadcast value get one of their own: read by several kernels it would be in memory.
  void repeatBroadcasts();
  /// Windows of a device read padding where it is: each has its own, which is not in memory then.
  void repeatPadding();
  /// An update that reads what it overwrites, other than element by element: it reads a copy.
  void separateUpdates();
  /// Every update of nothing has an uninitialised tensor of its own: of a shared one there would be copies.
  void separateEmpties();
  /// An op that is a kernel by itself and reads what it overwrites: it overwrites a copy.
  void separateWholeKernels();
  void outline(const Cluster &cluster, unsigned &number);

private:
  void clone(Value value, OpBuilder &b, IRMapping &mapping, const llvm::SmallDenseSet<Operation *> &members,
             llvm::SetVector<Value> &inputs);
  void collectInputs(Value value, const llvm::SmallDenseSet<Operation *> &members, llvm::SetVector<Value> &inputs,
                     llvm::SmallDenseSet<Value> &seen);

  ModuleOp module;
  Block &block;
};

} // namespace

/// True inside the scalar code of a structured op.
static bool isInBody(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<linalg::LinalgOp, rt::ScanOp>(parent) || wholeKernelKind(parent))
      return true;
  return false;
}

/// `value` in memory of its own.
static Value copyOf(Value value, OpBuilder &b) {
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, value, empty, maps, iterators,
             [](OpBuilder &body, Location at, ValueRange args) { linalg::YieldOp::create(body, at, args[0]); })
      .getResult(0);
}

/// True for what is computed of tensors that are all much smaller, in a few simple operations.
static bool isBroadcast(linalg::GenericOp op) {
  constexpr int64_t muchSmaller = 16;
  constexpr size_t fewOperations = 3;
  auto elements = [](Value value) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    return tensor ? tensor.getNumElements() : 1;
  };
  if (op->getNumResults() != 1 || op.getNumLoops() != op.getNumParallelLoops() ||
      op.getBody()->getOperations().size() > fewOperations)
    return false;
  int64_t size = elements(op.getResult(0));
  return llvm::all_of(op.getInputs(), [&](Value input) { return elements(input) * muchSmaller <= size; }) &&
         llvm::none_of(*op.getBody(), [](Operation &inner) {
           return isExpensive(&inner) || isa<tensor::ExtractOp>(inner) || inner.getNumRegions();
         });
}

void Outliner::repeatBroadcasts() {
  for (auto op : llvm::to_vector(block.getOps<linalg::GenericOp>())) {
    if (!isBroadcast(op))
      continue;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      if (auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
          reader && reader->getBlock() == &block && reader.getNumLoops() == reader.getNumParallelLoops())
        uses.push_back(&use);
    DenseMap<Operation *, Value> copies;
    bool isKept = uses.size() < static_cast<size_t>(llvm::range_size(op->getUses()));
    for (OpOperand *use : uses) {
      Value &copy = copies[use->getOwner()];
      if (!copy && !isKept) {
        copy = op.getResult(0);
        isKept = true;
      } else if (!copy) {
        copy = OpBuilder(use->getOwner()).clone(*op)->getResult(0);
      }
      use->set(copy);
    }
  }
}

void Outliner::repeatPadding() {
  for (auto op : llvm::to_vector(block.getOps<linalg::GenericOp>())) {
    if (op->getNumResults() != 1 || op->use_empty() || op->hasOneUse() ||
        !llvm::all_of(op->getUses(), readsPaddingOnDevice))
      continue;
    for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(op->getUses())))
      use.set(OpBuilder(use.getOwner()).clone(*op)->getResult(0));
  }
}

void Outliner::separateUpdates() {
  for (auto update : llvm::to_vector(block.getOps<tensor::InsertSliceOp>())) {
    if (update.getDest().getDefiningOp<tensor::EmptyOp>())
      continue;
    OpBuilder b(update);
    auto reads = [&](Value value) {
      llvm::SetVector<Value> inputs;
      llvm::SmallDenseSet<Value> seen;
      collectInputs(value, {}, inputs, seen);
      return inputs.contains(update.getDest());
    };
    if (reads(update.getSource()))
      update.getSourceMutable().set(copyOf(update.getSource(), b));
    if (llvm::any_of(update.getOffsets(), reads))
      update.getDestMutable().set(copyOf(update.getDest(), b));
  }
}

void Outliner::separateEmpties() {
  for (auto update : llvm::to_vector(block.getOps<tensor::InsertSliceOp>()))
    if (auto empty = update.getDest().getDefiningOp<tensor::EmptyOp>())
      update.getDestMutable().set(OpBuilder(update).clone(*empty)->getResult(0));
}

void Outliner::separateWholeKernels() {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!wholeKernelKind(&op))
      continue;
    auto kernel = cast<DestinationStyleOpInterface>(op);
    for (OpOperand &out : kernel.getDpsInitsMutable()) {
      if (out.get().getDefiningOp<tensor::EmptyOp>())
        continue;
      llvm::SetVector<Value> others;
      llvm::SmallDenseSet<Value> seen;
      for (OpOperand &operand : op.getOpOperands()) {
        if (&operand == &out)
          continue;
        collectInputs(operand.get(), {}, others, seen);
        others.insert(operand.get()); // constants are no inputs, and have one place in memory all the same
      }
      OpBuilder b(&op);
      if (others.contains(out.get()))
        out.set(copyOf(out.get(), b));
    }
  }
}

void Outliner::materializeFreeValues() {
  // linalg.fill or a slice that control flow, a result or an in-place update needs: an elementwise copy of its own.
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isa<linalg::FillOp, tensor::ExtractSliceOp>(op))
      continue;
    Value value = op.getResult(0);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      bool computing = isa<linalg::LinalgOp, rt::ScanOp>(user) ||
                       (isa<tensor::InsertSliceOp>(user) && use.getOperandNumber() == 0) || isInBody(user);
      // Views and scalar reads need the memory only if they stay in the schedule, which later uses decide; copy for
      // them.
      if (!computing && !isa<tensor::ExtractSliceOp>(user))
        uses.push_back(&use);
    }
    if (uses.empty())
      continue;
    OpBuilder b(op.getContext());
    b.setInsertionPointAfter(&op);
    Value copy = copyOf(value, b);
    for (OpOperand *use : uses)
      use->set(copy);
  }
}

void Outliner::collectInputs(Value value, const llvm::SmallDenseSet<Operation *> &members,
                             llvm::SetVector<Value> &inputs, llvm::SmallDenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (op && members.contains(op))
    return;
  auto isMember = [&](Operation *other) { return members.contains(other); };
  if (op && isFree(op) && !isViewOfMemory(value, isMember)) {
    for (Value operand : op->getOperands())
      collectInputs(operand, members, inputs, seen);
    return;
  }
  inputs.insert(value);
}

/// What is expanded, if `value` is in memory as that is.
static Value expanded(Value value) {
  while (auto op = value.getDefiningOp<tensor::ExpandShapeOp>())
    value = op.getSrc();
  return value;
}

/// A tensor that a kernel reads in several shapes is one input: what it reads there more than once, it loads once.
static void shareMemory(llvm::SetVector<Value> &inputs) {
  DenseMap<Value, unsigned> shapes;
  for (Value input : inputs)
    ++shapes[expanded(input)];
  llvm::SetVector<Value> shared;
  for (Value input : inputs)
    shared.insert(shapes[expanded(input)] > 1 ? expanded(input) : input);
  inputs = std::move(shared);
}

void Outliner::clone(Value value, OpBuilder &b, IRMapping &mapping, const llvm::SmallDenseSet<Operation *> &members,
                     llvm::SetVector<Value> &inputs) {
  if (mapping.contains(value))
    return;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    clone(operand, b, mapping, members, inputs);
  b.clone(*op, mapping);
}

void Outliner::outline(const Cluster &cluster, unsigned &number) {
  llvm::SmallDenseSet<Operation *> members(cluster.ops.begin(), cluster.ops.end());
  llvm::SetVector<Value> inputs;
  llvm::SmallDenseSet<Value> seen;
  for (Operation *op : cluster.ops)
    for (auto [i, value] : llvm::enumerate(valuesRead(op))) {
      bool destination = isa<tensor::InsertSliceOp>(op) && value == cast<tensor::InsertSliceOp>(op).getDest();
      // Memory that a kernel changes, and memory that it is given, not expressions.
      if (destination ||
          (wholeKernelKind(op) && isa<RankedTensorType>(value.getType()) && !value.getDefiningOp<tensor::EmptyOp>()))
        inputs.insert(value);
      else
        collectInputs(value, members, inputs, seen);
    }

  bool isExpression =
      llvm::none_of(cluster.ops, [](Operation *op) { return isa<tensor::InsertSliceOp>(op) || wholeKernelKind(op); });
  if (isExpression)
    shareMemory(inputs);

  Operation *root = cluster.ops.back();
  OpBuilder moduleBuilder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> inputTypes, resultTypes;
  for (Value input : inputs)
    inputTypes.push_back(input.getType());
  for (Value output : cluster.outputs)
    resultTypes.push_back(output.getType());
  std::string name = (stringifyKernelKind(cluster.kind) + "_" + Twine(number++)).str();
  auto kernel =
      func::FuncOp::create(moduleBuilder, root->getLoc(), name, moduleBuilder.getFunctionType(inputTypes, resultTypes));
  kernel.setPrivate();
  kernel->setAttr(XlaRtDialect::kKernel,
                  KernelAttr::get(kernel.getContext(), cluster.kind, cluster.rows, cluster.block));
  Block *body = kernel.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  for (auto [input, arg] : llvm::zip_equal(inputs, body->getArguments()))
    mapping.map(input, arg);
  for (Operation *op : cluster.ops) {
    for (Value value : valuesRead(op))
      clone(value, b, mapping, members, inputs);
    b.clone(*op, mapping);
  }
  SmallVector<Value> results;
  for (Value output : cluster.outputs)
    results.push_back(mapping.lookup(output));
  func::ReturnOp::create(b, root->getLoc(), results);

  OpBuilder schedule(root);
  auto call = func::CallOp::create(schedule, root->getLoc(), kernel, inputs.getArrayRef());
  for (auto [output, result] : llvm::zip_equal(cluster.outputs, call.getResults()))
    Value(output).replaceAllUsesWith(result);
}

namespace {
struct FormKernelsPass : public mlir::xla::impl::FormKernelsBase<FormKernelsPass> {
  using Base::Base;
  LogicalResult initialize(MLIRContext *context) override {
    return Machine::checkVectors(vectorBits, context, instructions);
  }
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Machine machine = Machine::withVectors(vectorBits, instructions);
    unsigned number = 0;
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (func.isExternal() || kernelOf(func))
        continue;
      SmallVector<Block *> blocks;
      func->walk([&](Block *block) {
        // Bodies of linalg ops and scans are scalar code.
        Operation *parent = block->getParentOp();
        if (!isa<linalg::LinalgOp, rt::ScanOp>(parent) && !wholeKernelKind(parent) && !isInBody(parent))
          blocks.push_back(block);
      });
      for (Block *block : blocks) {
        Outliner outliner(module, *block);
        outliner.repeatBroadcasts();
        if (device)
          outliner.repeatPadding();
        outliner.separateUpdates();
        outliner.separateEmpties();
        outliner.separateWholeKernels();
        outliner.materializeFreeValues();
        KernelOps ops(*block);
        FailureOr<std::vector<Cluster>> clusters = formClusters(*block, ops, device, machine);
        if (failed(clusters))
          return signalPassFailure();
        for (Operation &op : *block)
          if (std::optional<KernelKind> kind = wholeKernelKind(&op))
            clusters->push_back(Cluster{{&op}, *kind, {}, 0, llvm::to_vector_of<Value>(op.getResults())});
        for (const Cluster &cluster : *clusters)
          outliner.outline(cluster, number);
      }
      eraseDeadOps(func);
      // A kernel with several results stands where its last op stood; users of the others may come before it.
      for (Block *block : blocks)
        sortTopologically(block);
    }
  }

  /// What was cloned into kernels and is used by nothing else.
  static void eraseDeadOps(func::FuncOp func) {
    SmallVector<Operation *> ops;
    func->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : llvm::reverse(ops))
      if (op != func && op->use_empty() && !op->hasTrait<OpTrait::IsTerminator>() &&
          (isa<linalg::LinalgOp, tensor::InsertSliceOp, rt::ScanOp>(op) || wholeKernelKind(op) || isFree(op)) &&
          op->getParentOfType<func::FuncOp>() == func && !isInBody(op))
        op->erase();
  }
};
} // namespace
