// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose iterations can be counted when the program is compiled: the host need not ask a GPU whether there is one
// more, and elements may have a loop of their own.

#include "mlir_xla/lowering/legalize/TripCount.h"
#include "mlir_xla/lowering/linalg/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::xla {

namespace {
/// What iterations of a loop compute for something other than themselves. The rest is usually the counter.
class Live {
public:
  explicit Live(scf::WhileOp loop) : body(*loop.getAfterBody()), carried(loop.getNumResults()) {
    for (auto [i, result] : llvm::enumerate(loop.getResults()))
      if (!result.use_empty())
        mark(body.getArgument(i));
    for (Operation &op : body.without_terminator())
      if (!isMemoryEffectFree(&op))
        mark(op);
  }

  bool isCarried(unsigned i) const { return carried.test(i); }
  SmallVector<Operation *> unread() const {
    SmallVector<Operation *> list;
    for (Operation &op : body.without_terminator())
      if (!computed.contains(&op))
        list.push_back(&op);
    return list;
  }

private:
  void mark(Value value) {
    if (Operation *op = value.getDefiningOp()) {
      if (Operation *there = body.findAncestorOpInBlock(*op))
        mark(*there);
    } else if (value.getParentBlock() == &body) {
      unsigned i = cast<BlockArgument>(value).getArgNumber();
      if (!carried.test(i)) {
        carried.set(i);
        mark(body.getTerminator()->getOperand(i));
      }
    }
  }

  void mark(Operation &op) {
    if (!computed.insert(&op).second)
      return;
    op.walk([&](Operation *inside) {
      for (Value operand : inside->getOperands())
        mark(operand);
    });
  }

  Block &body;
  BitVector carried;
  DenseSet<Operation *> computed;
};
} // namespace

void noteTripCounts(Operation *program) {
  program->walk([](WhileOp loop) {
    if (std::optional<int64_t> trips = tripCount(loop))
      loop->setAttr(kCountedTrips, Builder(loop.getContext()).getIndexAttr(*trips));
  });
}

/// Do iterations compute tensors element by element, and nothing else? `xla-sink-loops` looks closer.
static bool isElementwise(scf::WhileOp loop) {
  return llvm::all_of(loop.getAfterBody()->without_terminator(), [](Operation &op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    return generic ? generic.getNumParallelLoops() == generic.getNumLoops()
                   : isa<arith::ConstantOp, tensor::EmptyOp>(op);
  });
}

/// The counter stays what the body makes of it, if that is read; what only the end of the loop depended on is gone.
/// scf.while (%i = %zero, %x = %a) { %i < 9 } do { %i + 1, ... } {trips = 9}
///   ->  scf.for %n = 0 to 9 step 1 iter_args(%i = %zero, %x = %a) { %i + 1, ... }
void writeCountedLoops(Operation *program, bool device) {
  SmallVector<scf::WhileOp> loops;
  program->walk([&](scf::WhileOp loop) {
    if (!loop->hasAttr(kCountedTrips))
      return;
    if (device || isElementwise(loop))
      loops.push_back(loop);
    else
      loop->removeAttr(kCountedTrips);
  });
  for (scf::WhileOp loop : loops) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value begin = arith::ConstantIndexOp::create(builder, loc, 0),
          step = arith::ConstantIndexOp::create(builder, loc, 1),
          end = arith::ConstantOp::create(builder, loc, cast<IntegerAttr>(loop->getAttr(kCountedTrips)));
    Live live(loop);
    Block &old = *loop.getAfterBody();
    SmallVector<Value> inits;
    SmallVector<unsigned> kept;
    for (auto [i, init] : llvm::enumerate(loop.getInits()))
      if (live.isCarried(i)) {
        inits.push_back(init);
        kept.push_back(i);
      }
    auto counted = scf::ForOp::create(builder, loc, begin, end, step, inits);
    Block &body = *counted.getBody();
    body.clear();
    Operation *yield = old.getTerminator();
    yield->setOperands(llvm::map_to_vector(kept, [&](unsigned i) { return yield->getOperand(i); }));
    SmallVector<Operation *> unread = live.unread();
    for (Operation *op : llvm::reverse(unread))
      op->erase();
    for (auto [i, argument, result] : llvm::zip_equal(kept, counted.getRegionIterArgs(), counted.getResults())) {
      old.getArgument(i).replaceAllUsesWith(argument);
      loop.getResult(i).replaceAllUsesWith(result);
    }
    body.getOperations().splice(body.end(), old.getOperations());
    loop.erase();
  }
}

} // namespace mlir::xla
