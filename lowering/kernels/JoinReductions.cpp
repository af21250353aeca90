// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-join-reductions`: reductions beside each other that read the same are one kernel, which reads it once.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/KernelNests.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::xla {
#define GEN_PASS_DEF_JOINREDUCTIONS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Results that a thread has partial ones of: they take registers, and shared memory where warps meet.
static constexpr unsigned kMostResults = 8;
/// Calls between two that become one, which are all looked at.
static constexpr unsigned kMostBetween = 256;

namespace {

/// A kernel of one reduction of arrays, each combined by itself and all alike.
struct Candidate {
  linalg::GenericOp reduction;
  /// One of the arrays as it was, whose body says how elements are combined.
  linalg::GenericOp sample;
};

struct JoinReductionsPass : mlir::xla::impl::JoinReductionsBase<JoinReductionsPass> {
  void runOnOperation() override;

private:
  std::optional<Candidate> candidateOf(func::CallOp call);
  bool joinNext(Block &block);
  bool readAlike(func::CallOp first, func::CallOp second);
  func::CallOp join(func::CallOp first, func::CallOp second);

  std::optional<SymbolTable> symbols;
  DenseMap<Operation *, linalg::GenericOp> samples; // of kernels that were joined
  SmallVector<func::FuncOp> unused;
};

} // namespace

static func::FuncOp calleeOf(func::CallOp call, const SymbolTable &symbols) {
  return symbols.lookup<func::FuncOp>(call.getCallee());
}

std::optional<Candidate> JoinReductionsPass::candidateOf(func::CallOp call) {
  func::FuncOp kernel = calleeOf(call, *symbols);
  KernelAttr kind = kernel ? kernelOf(kernel) : KernelAttr();
  if (!kind || kernel.isExternal() || kind.getKind() != KernelKind::Reduction)
    return std::nullopt;
  linalg::GenericOp reduction;
  for (auto op : kernel.getBody().front().getOps<linalg::GenericOp>())
    if (op.getNumReductionLoops() == 0)
      continue;
    else if (reduction)
      return std::nullopt;
    else
      reduction = op;
  if (!reduction || !reduction.hasPureTensorSemantics() || reduction.hasIndexSemantics() ||
      reduction.getNumDpsInputs() != reduction.getNumDpsInits() || reduction->hasAttr(XlaRtDialect::kUnread))
    return std::nullopt;
  if (linalg::GenericOp sample = samples.lookup(kernel))
    return Candidate{reduction, sample};
  if (reduction->getNumResults() != 1)
    return std::nullopt;
  return Candidate{reduction, reduction};
}

/// Whether the loops are the same, and what is combined in them.
static bool areAlike(const Candidate &first, const Candidate &second) {
  linalg::GenericOp a = first.sample, b = second.sample;
  return a.getIteratorTypesArray() == b.getIteratorTypesArray() && a.getStaticLoopRanges() == b.getStaticLoopRanges() &&
         a.getMatchingIndexingMap(a.getDpsInitOperand(0)) == b.getMatchingIndexingMap(b.getDpsInitOperand(0)) &&
         OperationEquivalence::isRegionEquivalentTo(&a.getRegion(), &b.getRegion(),
                                                    OperationEquivalence::IgnoreLocations) &&
         first.reduction->getNumResults() + second.reduction->getNumResults() <= kMostResults;
}

/// What is viewed, which both may read as it is or through different views.
static Value viewed(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether both read most of the elements of a tensor, in the same iterations.
bool JoinReductionsPass::readAlike(func::CallOp first, func::CallOp second) {
  FailureOr<KernelNests> nests[2];
  func::CallOp both[] = {first, second};
  for (auto [i, call] : llvm::enumerate(both)) {
    nests[i] = buildKernelNests(calleeOf(call, *symbols));
    if (failed(nests[i]) || nests[i]->nests.size() != 1)
      return false;
  }
  const LoopNest &nest = nests[0]->nests.front();
  int64_t iterations = 1;
  for (int64_t size : nest.sizes)
    iterations *= size;
  auto argumentOf = [](func::CallOp call, const ExprNode *node) {
    auto argument = node->kind == ExprNode::Load ? dyn_cast_or_null<BlockArgument>(node->value) : BlockArgument();
    return argument ? viewed(call.getOperand(argument.getArgNumber())) : Value();
  };
  SmallVector<ExprNode *> others = nests[1]->nests.front().nodes();
  return llvm::any_of(nest.nodes(), [&](const ExprNode *node) {
    Value read = argumentOf(first, node);
    if (!read || !node->address.symbols.empty())
      return false;
    int64_t elements = 1;
    for (auto [stride, size] : llvm::zip(node->address.dims, nest.sizes))
      elements *= stride != 0 ? size : 1;
    return elements >= iterations / 2 && llvm::any_of(others, [&](const ExprNode *other) {
             return argumentOf(second, other) == read && other->address == node->address;
           });
  });
}

/// Makes one reduction of both, where the second one is.
static void joinOps(linalg::GenericOp first, linalg::GenericOp second) {
  OpBuilder b(second);
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> inputMaps, initMaps;
  for (linalg::GenericOp op : {first, second}) {
    llvm::append_range(inputs, op.getInputs());
    llvm::append_range(inits, op.getOutputs());
    for (OpOperand *input : op.getDpsInputOperands())
      inputMaps.push_back(op.getMatchingIndexingMap(input));
    for (OpOperand &init : op.getDpsInitsMutable())
      initMaps.push_back(op.getMatchingIndexingMap(&init));
  }
  llvm::append_range(inputMaps, initMaps);
  auto all = linalg::GenericOp::create(
      b, b.getFusedLoc({first.getLoc(), second.getLoc()}), TypeRange(ValueRange(inits)), inputs, inits, inputMaps,
      second.getIteratorTypesArray(), [&](OpBuilder &body, Location loc, ValueRange args) {
        SmallVector<Value> results;
        unsigned begin = 0, count = inits.size();
        for (linalg::GenericOp op : {first, second}) {
          IRMapping mapping;
          unsigned own = op->getNumResults();
          Block *from = op.getBody();
          mapping.map(from->getArguments().take_front(own), args.slice(begin, own));
          mapping.map(from->getArguments().drop_front(own), args.slice(count + begin, own));
          for (Operation &inner : from->without_terminator())
            body.clone(inner, mapping);
          for (Value yielded : from->getTerminator()->getOperands())
            results.push_back(mapping.lookupOrDefault(yielded));
          begin += own;
        }
        linalg::YieldOp::create(body, loc, results);
      });
  unsigned split = first->getNumResults();
  first->replaceAllUsesWith(all->getResults().take_front(split));
  second->replaceAllUsesWith(all->getResults().drop_front(split));
  first->erase();
  second->erase();
}

/// The view `value` of what `memory` gives for what is viewed.
static Value viewAgain(Value value, OpBuilder &b, function_ref<Value(Value)> memory) {
  Operation *op = value.getDefiningOp();
  if (viewed(value) == value)
    return memory(value);
  IRMapping mapping;
  mapping.map(op->getOperand(0), viewAgain(op->getOperand(0), b, memory));
  return b.clone(*op, mapping)->getResult(0);
}

/// A call of one kernel for both, where the second one is.
func::CallOp JoinReductionsPass::join(func::CallOp first, func::CallOp second) {
  func::CallOp calls[] = {first, second};
  func::FuncOp kernels[] = {calleeOf(first, *symbols), calleeOf(second, *symbols)};
  Candidate candidates[] = {*candidateOf(first), *candidateOf(second)};
  llvm::SetVector<Value> operands;
  for (func::CallOp call : calls)
    for (Value operand : call.getOperands())
      operands.insert(viewed(operand));
  SmallVector<Type> results = llvm::to_vector(first.getResultTypes());
  llvm::append_range(results, second.getResultTypes());
  OpBuilder b(kernels[1]);
  auto kernel = func::FuncOp::create(b, b.getFusedLoc({first.getLoc(), second.getLoc()}), kernels[0].getName(),
                                     b.getFunctionType(TypeRange(operands.getArrayRef()), results));
  kernel.setPrivate();
  kernel->setAttr(XlaRtDialect::kKernel, kernels[1]->getAttr(XlaRtDialect::kKernel));
  Block *body = kernel.addEntryBlock();
  b.setInsertionPointToStart(body);
  SmallVector<Value> returned;
  linalg::GenericOp reductions[2];
  for (auto [i, call] : llvm::enumerate(calls)) {
    IRMapping mapping;
    Block &from = kernels[i].getBody().front();
    for (auto [argument, operand] : llvm::zip_equal(from.getArguments(), call.getOperands()))
      mapping.map(argument, viewAgain(operand, b, [&](Value memory) {
                    return body->getArgument(llvm::find(operands, memory) - operands.begin());
                  }));
    for (Operation &op : from.without_terminator()) {
      Operation *copy = b.clone(op, mapping);
      if (&op == candidates[i].reduction)
        reductions[i] = cast<linalg::GenericOp>(copy);
    }
    for (Value value : from.getTerminator()->getOperands())
      returned.push_back(mapping.lookup(value));
  }
  func::ReturnOp::create(b, second.getLoc(), returned);
  joinOps(reductions[0], reductions[1]);
  sortTopologically(body);
  samples[kernel] = candidates[1].sample;
  symbols->insert(kernel);

  b.setInsertionPoint(second);
  auto call = func::CallOp::create(b, kernel.getLoc(), kernel, operands.getArrayRef());
  first->replaceAllUsesWith(call.getResults().take_front(first.getNumResults()));
  second->replaceAllUsesWith(call.getResults().drop_front(first.getNumResults()));
  first.erase();
  second.erase();
  llvm::append_range(unused, kernels);
  return call;
}

/// Joins a pair of calls, of which neither needs what the other computes; false if there is none. What needs the first
/// comes behind the second.
bool JoinReductionsPass::joinNext(Block &block) {
  SmallVector<std::pair<func::CallOp, Candidate>> calls;
  for (auto call : block.getOps<func::CallOp>())
    if (std::optional<Candidate> candidate = candidateOf(call))
      calls.emplace_back(call, *candidate);
  for (auto [number, each] : llvm::enumerate(calls))
    for (auto &[before, candidate] : llvm::reverse(ArrayRef(calls).take_front(number))) {
      func::CallOp first = before, second = each.first;
      auto isShared = [&](Value value) {
        return llvm::any_of(second.getOperands(), [&](Value other) { return viewed(other) == viewed(value); });
      };
      if (!areAlike(candidate, each.second) || llvm::none_of(first.getOperands(), isShared))
        continue;
      llvm::SmallSetVector<Operation *, 16> behind;
      behind.insert(first);
      bool mayMove = true;
      unsigned between = 0;
      for (Operation *op = first->getNextNode(); op && mayMove; op = op->getNextNode()) {
        auto needsFirst = [&](Operation *user) {
          return llvm::any_of(user->getOperands(), [&](Value value) {
            return value.getDefiningOp() && behind.contains(value.getDefiningOp());
          });
        };
        bool needs = op->walk([&](Operation *inner) {
                         return needsFirst(inner) ? WalkResult::interrupt() : WalkResult::advance();
                       }).wasInterrupted();
        if (op == second) {
          mayMove = !needs;
          break;
        }
        mayMove = ++between <= kMostBetween;
        if (!needs)
          continue;
        auto call = dyn_cast<func::CallOp>(op);
        mayMove &=
            call ? kernelOf(calleeOf(call, *symbols)) != nullptr : op->getNumRegions() == 0 && isMemoryEffectFree(op);
        behind.insert(op);
      }
      if (!mayMove || !readAlike(first, second))
        continue;
      behind.remove(first);
      func::CallOp call = join(first, second);
      Operation *last = call;
      for (Operation *op : behind) {
        op->moveAfter(last);
        last = op;
      }
      return true;
    }
  return false;
}

void JoinReductionsPass::runOnOperation() {
  ModuleOp module = getOperation();
  symbols.emplace(module);
  samples.clear();
  unused.clear();
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (function.isExternal() || kernelOf(function))
      continue;
    function.walk([&](Block *block) {
      while (joinNext(*block))
        ;
    });
  }
  for (func::FuncOp kernel : unused)
    if (SymbolTable::symbolKnownUseEmpty(kernel, module))
      kernel.erase();
}
