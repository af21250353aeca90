// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/nest/Cost.h"

#include "mlir_xla/lowering/xla_rt/XlaRtFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

bool mlir::xla::isFunction(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log2Op, math::Log1pOp, math::TanhOp,
             math::ErfOp>(op);
}

bool mlir::xla::isFunctionOfShortVectors(Operation *op) {
  return isFunction(op) || isa<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp, math::Atan2Op, math::AtanOp,
                               math::AtanhOp, math::CoshOp, math::ErfcOp, math::PowFOp, math::SinhOp>(op);
}

bool mlir::xla::isExpensive(Operation *op) {
  if (isa<math::MathDialect>(op->getDialect()))
    return !isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp, math::CeilOp, math::RoundEvenOp, math::TruncOp,
                math::CopySignOp>(op);
  return isa<scf::ForOp, rt::ZetaOp, rt::PolygammaOp, rt::LgammaLeftOp, rt::DigammaLeftOp, arith::DivFOp, arith::RemFOp,
             arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
}

bool mlir::xla::isLongCode(Operation *op) {
  return isExpensive(op) && !isa<arith::DivFOp, math::SqrtOp, math::RsqrtOp>(op);
}

int64_t mlir::xla::operationsOf(Operation *op) {
  if (op->getNumRegions() == 0)
    return 1;
  uint64_t operations = 0;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (inner == op)
      return WalkResult::advance();
    operations = llvm::SaturatingAdd<uint64_t>(operations, operationsOf(inner));
    return WalkResult::skip();
  });
  if (auto loop = dyn_cast<scf::ForOp>(op))
    operations = llvm::SaturatingMultiply<uint64_t>(operations, getConstantIntValue(loop.getUpperBound()).value_or(1));
  return std::min<uint64_t>(operations, INT64_MAX);
}
