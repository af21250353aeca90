// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's teams: on a GPU, neighbouring threads that do an item of work together, a warp.

#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

/// Where a thread begins in a dimension of which its team begins at `lower`.
Value NestEmitter::dealt(Value lower) {
  if (!threadInTeam) {
    at(0);
    Value thread = arith::IndexCastOp::create(b, b.getI64Type(), gpu::ThreadIdOp::create(b, gpu::Dimension::x));
    threadInTeam = arith::RemUIOp::create(b, thread, i64(plan->threads));
  }
  at(top());
  return arith::AddIOp::create(b, lower, threadInTeam);
}

void NestEmitter::synchronize() {
  at(top());
  NVVM::SyncWarpOp::create(b, constant(b.getI32IntegerAttr(-1)));
}

/// The value of the thread whose number differs in the bits of `distance`, in words of 32 bits.
static Value shuffle(ImplicitLocOpBuilder &b, Value value, int64_t distance, int64_t threads) {
  Type type = value.getType(), i32 = b.getI32Type();
  if (auto complexType = dyn_cast<ComplexType>(type)) {
    Value re = shuffle(b, complex::ReOp::create(b, value), distance, threads);
    Value im = shuffle(b, complex::ImOp::create(b, value), distance, threads);
    return complex::CreateOp::create(b, complexType, re, im);
  }
  unsigned width = type.getIntOrFloatBitWidth(), words = llvm::divideCeil(width, 32);
  Type bits = b.getIntegerType(width), wide = b.getIntegerType(words * 32);
  if (!type.isInteger())
    value = arith::BitcastOp::create(b, bits, value);
  if (wide != bits)
    value = arith::ExtUIOp::create(b, wide, value);
  Value result;
  for (unsigned word = 0; word < words; ++word) {
    Value part = value;
    Value places;
    if (words > 1) {
      places = arith::ConstantIntOp::create(b, wide, word * 32);
      part = arith::TruncIOp::create(b, i32, arith::ShRUIOp::create(b, value, places));
    }
    part = gpu::ShuffleOp::create(b, part, distance, threads, gpu::ShuffleMode::XOR).getShuffleResult();
    if (words > 1)
      part = arith::ShLIOp::create(b, arith::ExtUIOp::create(b, wide, part), places);
    result = result ? arith::OrIOp::create(b, result, part).getResult() : part;
  }
  if (wide != bits)
    result = arith::TruncIOp::create(b, bits, result);
  return type.isInteger() ? result : arith::BitcastOp::create(b, type, result).getResult();
}

/// What all threads have, folded; each thread gets the result. Those with the lower numbers come first.
SmallVector<Value> NestEmitter::foldThreads(Reduction &reduction, SmallVector<Value> values) {
  for (int64_t distance = 1; distance < plan->threads; distance *= 2) {
    at(top());
    Value isUpper = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                          arith::AndIOp::create(b, threadInTeam, i64(distance)), i64(0));
    SmallVector<Value> lower, upper;
    for (Value value : values) {
      Value other = shuffle(b, value, distance, plan->threads);
      lower.push_back(arith::SelectOp::create(b, isUpper, other, value));
      upper.push_back(arith::SelectOp::create(b, isUpper, value, other));
    }
    values = merge(reduction, lower, upper);
  }
  return values;
}

/// If the nest reads what it stores, all threads have read before.
void NestEmitter::emitOnce(function_ref<void()> stores) {
  if (plan->threads == 1)
    return stores();
  if (nest->inPlace)
    synchronize();
  dealt(i64(0));
  at(top());
  openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, threadInTeam, i64(0)));
  stores();
  closeIf();
}
