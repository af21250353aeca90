// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of a block's calls, by the memory it takes. What is made of arguments alone waits until it is read; what is
// the last to read more than it makes comes as soon as it can.

#include "mlir_xla/lowering/schedule/BufferPlanner.h"
#include "mlir_xla/lowering/xla_rt/XlaRtViews.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {

namespace {

class CallOrder {
public:
  CallOrder(Block &block, const Aliases &aliases, const SymbolTable &symbols)
      : block(block), aliases(aliases), symbols(symbols) {}

  void improve();

private:
  /// Where an op holds the least memory: behind `low`, behind `high`, or anywhere between, as far as what it reads and
  /// what reads it allow. Null: before its first reader.
  struct Range {
    Operation *low = nullptr, *high = nullptr;
  };

  ImplementationAttr contractOf(Operation &op) const {
    auto call = dyn_cast<func::CallOp>(op);
    return call ? implementationOf(symbols.lookup<func::FuncOp>(call.getCalleeAttr().getAttr())) : ImplementationAttr();
  }
  static bool isReshape(Operation &op) { return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, rt::PartsOp>(op); }
  bool mayMove(Operation &op) const { return isReshape(op) || isa<tensor::EmptyOp>(op) || contractOf(op); }
  Operation *behindOperands(Operation &op) const;
  Operation *firstReader(Operation &op) const;
  void moveBehind(Operation &op, Operation *place);
  Operation *lastReader(Value root, Operation *except) const;
  int64_t bytesInArena(Value root) const;
  Range rangeOf(Operation &op) const;
  void delay();
  void advance();
  int64_t peak() const;

  Block &block;
  const Aliases &aliases;
  const SymbolTable &symbols;
};

} // namespace

/// What the block takes of the arena for a value, as far as that is certain: nothing for what comes from outside, and
/// nothing for what the program returns.
int64_t CallOrder::bytesInArena(Value root) const {
  Operation *def = root.getDefiningOp();
  if (!def || def->getBlock() != &block || def->hasTrait<OpTrait::ConstantLike>())
    return 0;
  bool isReturned = aliases.anyOf(root, [](Value member) {
    return llvm::any_of(member.getUsers(), [](Operation *user) { return isa<func::ReturnOp>(user); });
  });
  return isReturned ? 0 : bytesOf(root);
}

/// The last op of the block that computes one of the operands, through views, which may come later; null if none does.
Operation *CallOrder::behindOperands(Operation &op) const {
  Operation *last = nullptr;
  for (Value operand : op.getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (!def || def->getBlock() != &block)
      continue;
    if (isReshape(*def))
      def = behindOperands(*def);
    if (def && (!last || last->isBeforeInBlock(def)))
      last = def;
  }
  return last;
}

/// Moves the op, and the views that it reads, behind `place`.
void CallOrder::moveBehind(Operation &op, Operation *place) {
  op.moveAfter(place);
  for (Value operand : op.getOperands())
    if (Operation *def = operand.getDefiningOp();
        def && def->getBlock() == &block && isReshape(*def) && op.isBeforeInBlock(def))
      moveBehind(*def, place);
}

Operation *CallOrder::firstReader(Operation &op) const {
  Operation *first = block.getTerminator();
  for (Operation *user : op.getUsers())
    if (Operation *reader = block.findAncestorOpInBlock(*user); reader->isBeforeInBlock(first))
      first = reader;
  return first;
}

/// The last op of the block but `except` that reads the value, or the one that computes it.
Operation *CallOrder::lastReader(Value root, Operation *except) const {
  Operation *last = root.getDefiningOp();
  aliases.anyOf(root, [&](Value member) {
    for (Operation *user : member.getUsers())
      if (Operation *reader = block.findAncestorOpInBlock(*user);
          reader && reader != except && !isView(*reader) && last->isBeforeInBlock(reader))
        last = reader;
    return false;
  });
  return last;
}

CallOrder::Range CallOrder::rangeOf(Operation &op) const {
  // What each step later costs: operands that nobody reads any more, without the results, which come into being later.
  int64_t cost = 0;
  SmallVector<std::pair<Operation *, int64_t>> readers;
  for (Value result : op.getResults())
    if (isTensor(result) && !isView(op))
      cost -= bytesInArena(result);
  llvm::SmallDenseSet<Value> seen;
  for (Value operand : op.getOperands())
    if (isTensor(operand) && !isView(op) && seen.insert(aliases.rootOf(operand)).second)
      if (int64_t bytes = bytesInArena(aliases.rootOf(operand)))
        readers.emplace_back(lastReader(aliases.rootOf(operand), &op), bytes);
  llvm::sort(readers, [](const auto &lhs, const auto &rhs) { return lhs.first->isBeforeInBlock(rhs.first); });
  Range range;
  Operation *first = behindOperands(op);
  if (cost == 0 && !isView(op))
    range.low = first;
  for (auto [reader, bytes] : readers) {
    if (cost > 0)
      break;
    cost += bytes;
    Operation *at = first && reader->isBeforeInBlock(first) ? first : reader;
    if (cost >= 0 && !range.low)
      range.low = at;
    if (cost > 0)
      range.high = at;
  }
  return range;
}

/// Readers first: what they read follows them.
void CallOrder::delay() {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    if (mayMove(op) && !op.use_empty())
      ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    Operation *end = firstReader(*op), *low = rangeOf(*op).low;
    if (!low || end->isBeforeInBlock(low) || end == low)
      op->moveBefore(end);
    else if (op->isBeforeInBlock(low))
      op->moveAfter(low);
  }
}

void CallOrder::advance() {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    if (contractOf(op))
      ops.push_back(&op);
  for (Operation *op : ops)
    if (Operation *high = rangeOf(*op).high; high && high != op && high->isBeforeInBlock(op))
      moveBehind(*op, high);
}

/// The most bytes that values hold at the same time. A result that may take the memory of an operand does.
int64_t CallOrder::peak() const {
  DenseMap<Operation *, int64_t> freed;
  int64_t live = 0, most = 0;
  for (Operation &op : block) {
    int64_t inPlace = 0;
    if (ImplementationAttr contract = contractOf(op))
      for (ResultMemory memory : contract.getResults())
        if (memory.kind != ResultMemory::New) {
          Value root = aliases.rootOf(op.getOperand(memory.argument));
          if (int64_t bytes = bytesInArena(root); bytes && lastReader(root, nullptr) == &op)
            inPlace += bytes;
        }
    for (Value result : op.getResults())
      if (isTensor(result) && aliases.rootOf(result) == result)
        if (int64_t bytes = bytesInArena(result)) {
          live += bytes;
          freed[lastReader(result, nullptr)] += bytes;
        }
    most = std::max(most, live - inPlace);
    live -= freed.lookup(&op);
  }
  return most;
}

void CallOrder::improve() {
  constexpr int rounds = 2;
  SmallVector<Operation *> before = llvm::to_vector(llvm::make_pointer_range(block.without_terminator()));
  int64_t peakBefore = peak();
  for (int round = 0; round < rounds; ++round) {
    delay();
    advance();
  }
  if (peak() < peakBefore)
    return;
  for (Operation *op : before)
    op->moveBefore(block.getTerminator());
}

void orderCalls(Block &block, const Aliases &aliases, const SymbolTable &symbols) {
  // Blocks of more ops are not worth the time.
  constexpr size_t mostOps = 4096;
  size_t calls = llvm::range_size(block.getOps<func::CallOp>());
  if (calls > 2 && block.getOperations().size() <= mostOps)
    CallOrder(block, aliases, symbols).improve();
}

} // namespace mlir::xla
