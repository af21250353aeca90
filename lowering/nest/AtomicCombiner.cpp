// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises combiners of scatters that are atomic instructions.

#include "mlir_xla/lowering/nest/AtomicCombiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

std::optional<LLVM::AtomicBinOp> mlir::xla::atomicCombiner(rt::ScatterOp op) {
  using Kind = LLVM::AtomicBinOp;
  Block &body = op.getCombiner().front();
  Type type = getElementTypeOrSelf(op.getOuts()[0].getType());
  if (op.getOuts().size() != 1 || (!type.isInteger(32) && !type.isInteger(64)))
    return std::nullopt;
  Operation *combined = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!combined || combined->getNumOperands() != 2)
    return std::nullopt;
  Value first = combined->getOperand(0), second = combined->getOperand(1), out = body.getArgument(0),
        update = body.getArgument(1);
  if (!(first == out && second == update) && !(first == update && second == out))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(combined)
      .Case([](arith::AddIOp) { return Kind::add; })
      .Case([](arith::AndIOp) { return Kind::_and; })
      .Case([](arith::OrIOp) { return Kind::_or; })
      .Case([](arith::XOrIOp) { return Kind::_xor; })
      .Case([](arith::MaxSIOp) { return Kind::max; })
      .Case([](arith::MinSIOp) { return Kind::min; })
      .Case([](arith::MaxUIOp) { return Kind::umax; })
      .Case([](arith::MinUIOp) { return Kind::umin; })
      .Default([](Operation *) { return std::nullopt; });
}
