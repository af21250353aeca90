// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose iterations can be counted when the program is compiled: the host need not ask a GPU whether there is one
// more.

#include "mlir_xla/lowering/legalize/TripCount.h"
#include "mlir_xla/lowering/linalg/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::xla {

void noteTripCounts(Operation *program) {
  program->walk([](WhileOp loop) {
    if (std::optional<int64_t> trips = tripCount(loop))
      loop->setAttr(kCountedTrips, Builder(loop.getContext()).getIndexAttr(*trips));
  });
}

/// The counter stays what the body makes of it, because that reads it.
/// scf.while (%i = %zero, %x = %a) { %i < 9 } do { %i + 1, ... } {trips = 9}
///   ->  scf.for %n = 0 to 9 step 1 iter_args(%i = %zero, %x = %a) { %i + 1, ... }
void writeCountedLoops(Operation *program) {
  SmallVector<scf::WhileOp> loops;
  program->walk([&](scf::WhileOp loop) {
    if (loop->hasAttr(kCountedTrips))
      loops.push_back(loop);
  });
  for (scf::WhileOp loop : loops) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value begin = arith::ConstantIndexOp::create(builder, loc, 0),
          step = arith::ConstantIndexOp::create(builder, loc, 1),
          end = arith::ConstantOp::create(builder, loc, cast<IntegerAttr>(loop->getAttr(kCountedTrips)));
    auto counted = scf::ForOp::create(builder, loc, begin, end, step, loop.getInits());
    Block &body = *counted.getBody(), &old = *loop.getAfterBody();
    body.getOperations().clear();
    for (auto [argument, replacement] : llvm::zip_equal(old.getArguments(), counted.getRegionIterArgs()))
      argument.replaceAllUsesWith(replacement);
    body.getOperations().splice(body.end(), old.getOperations());
    loop.replaceAllUsesWith(counted.getResults());
    loop.erase();
  }
}

} // namespace mlir::xla
