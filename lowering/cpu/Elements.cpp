// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/cpu/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xla;

Type mlir::xla::memoryType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type); integer && integer.getWidth() < 8)
    return IntegerType::get(type.getContext(), 8);
  if (auto floating = dyn_cast<FloatType>(type); floating && floating.getWidth() <= 8)
    return IntegerType::get(type.getContext(), 8);
  return type;
}

unsigned mlir::xla::elementAlignment(Type memory) {
  if (auto complex = dyn_cast<ComplexType>(memory))
    return elementAlignment(complex.getElementType());
  return memory.getIntOrFloatBitWidth() / 8;
}

Value mlir::xla::fromMemory(ImplicitLocOpBuilder &b, Value loaded, Type type,
                            llvm::function_ref<Value(TypedAttr)> constant) {
  Type target = like(type, loaded);
  if (type.isInteger(1)) {
    Value zero = constant(cast<TypedAttr>(b.getZeroAttr(loaded.getType())));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, loaded, zero);
  }
  if (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() < 8)
    return arith::TruncIOp::create(b, target, loaded);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8)
    return arith::BitcastOp::create(b, target, loaded);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 8) {
    Type bits = like(b.getIntegerType(type.getIntOrFloatBitWidth()), loaded);
    return arith::BitcastOp::create(b, target, arith::TruncIOp::create(b, bits, loaded));
  }
  return loaded;
}

Value mlir::xla::toMemory(ImplicitLocOpBuilder &b, Value value, Type type) {
  Type byte = like(b.getI8Type(), value);
  // Zeros above the element's bits, as in constants and as ml_dtypes has them; signed or not is not known here.
  if (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() < 8)
    return arith::ExtUIOp::create(b, byte, value);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8)
    return arith::BitcastOp::create(b, byte, value);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 8) {
    Type bits = like(b.getIntegerType(type.getIntOrFloatBitWidth()), value);
    return arith::ExtUIOp::create(b, byte, arith::BitcastOp::create(b, bits, value));
  }
  return value;
}
