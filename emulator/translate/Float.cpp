// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic with PTX's results to the bit: no contraction, roundings as written, f32 results that are
// no numbers are 0x7fffffff (f64 keeps the host's payload). Approximate instructions give the correctly rounded or
// libm's value.

#include "Translator.h"

#include "llvm/IR/Intrinsics.h"

namespace cuda_emu {

using namespace llvm;

/// Operations of emu_round_f32 and emu_round_f64 (execute/Numbers.cpp).
enum RoundedOperation { RoundAdd, RoundMul, RoundFma, RoundDiv, RoundSqrt };

Value *FunctionTranslator::unpackFloat(Value *bits, Type type) {
  if (type.bits >= 32)
    return b.CreateBitCast(bits, type.bits == 64 ? f64 : f32);
  llvm::Type *half = llvm::Type::getHalfTy(context);
  if (type.kind == Type::Float) {
    auto *from = type.lanes == 1 ? half : FixedVectorType::get(half, type.lanes);
    return b.CreateFPExt(b.CreateBitCast(bits, from), floatType(type));
  }
  llvm::Type *small = i16, *large = i32;
  if (type.lanes > 1) {
    small = FixedVectorType::get(i16, type.lanes);
    large = FixedVectorType::get(i32, type.lanes);
  }
  Value *wide = b.CreateZExt(b.CreateBitCast(bits, small), large);
  return b.CreateBitCast(b.CreateShl(wide, ConstantInt::get(large, 16)), floatType(type));
}

/// Rounds to nearest even. Not a number: 0x7fff, as PTX has it.
Value *FunctionTranslator::packFloat(Value *value, Type type) {
  if (type.bits >= 32)
    return b.CreateBitCast(value, integer(type.bits));
  llvm::Type *small = i16, *large = i32;
  if (type.lanes > 1) {
    small = FixedVectorType::get(i16, type.lanes);
    large = FixedVectorType::get(i32, type.lanes);
  }
  Value *rounded;
  if (type.kind == Type::Float) {
    llvm::Type *half = llvm::Type::getHalfTy(context);
    if (type.lanes > 1)
      half = FixedVectorType::get(half, type.lanes);
    rounded = b.CreateBitCast(b.CreateFPTrunc(value, half), small);
  } else {
    Value *bits = b.CreateBitCast(value, large);
    Value *odd = b.CreateAnd(b.CreateLShr(bits, ConstantInt::get(large, 16)), ConstantInt::get(large, 1));
    bits = b.CreateAdd(bits, b.CreateAdd(odd, ConstantInt::get(large, 0x7fff)));
    rounded = b.CreateTrunc(b.CreateLShr(bits, ConstantInt::get(large, 16)), small);
  }
  Value *isNaN = b.CreateFCmpUNO(value, value);
  rounded = b.CreateSelect(isNaN, ConstantInt::get(small, 0x7fff), rounded);
  return b.CreateBitCast(rounded, integer(type.width()));
}

/// Marks an f32 result; Optimize.cpp makes a comparison of it where the bits of a NaN can be seen.
Value *FunctionTranslator::canonical(Value *value) {
  if (value->getType() != f32 || isa<Constant>(value))
    return value;
  FunctionCallee callee = module.runtime("emu.canonical.f32", f32, {f32});
  auto *marker = cast<llvm::Function>(callee.getCallee());
  marker->setDoesNotAccessMemory();
  marker->addFnAttr(Attribute::WillReturn);
  marker->addFnAttr(Attribute::NoUnwind);
  return b.CreateCall(callee, value);
}

Value *FunctionTranslator::flush(Value *value, Type type) {
  double least = type.bits == 64 ? 0x1p-1022 : type.kind == Type::Float && type.bits == 16 ? 0x1p-14 : 0x1p-126;
  Value *small =
      b.CreateFCmpOLT(b.CreateUnaryIntrinsic(Intrinsic::fabs, value), ConstantFP::get(value->getType(), least));
  Value *zero = b.CreateBinaryIntrinsic(Intrinsic::copysign, zeroLike(value), value);
  return b.CreateSelect(small, zero, value);
}

Value *FunctionTranslator::saturate(Value *value) {
  Value *one = ConstantFP::get(value->getType(), 1.0), *zero = zeroLike(value);
  value = b.CreateSelect(b.CreateFCmpOGT(value, zero), value, zero); // no number is 0
  return b.CreateSelect(b.CreateFCmpOLT(value, one), value, one);
}

Value *FunctionTranslator::finishFloat(Value *value, Type type, bool ftz, bool sat, bool relu) {
  if (ftz)
    value = flush(type.bits == 16 ? unpackFloat(packFloat(value, type), type) : value, type);
  if (sat)
    value = saturate(value);
  if (relu) // no number stays none
    value = b.CreateSelect(b.CreateFCmpOLT(value, zeroLike(value)), zeroLike(value), value);
  return canonical(value);
}

Rounding FunctionTranslator::takeRounding(Modifiers &m) {
  StringRef name = m.takeAny({"rn", "rz", "rm", "rp", "rna"});
  return name == "rz" ? Zero : name == "rm" ? Down : name == "rp" ? Up : name == "rna" ? Away : Nearest;
}

void FunctionTranslator::emitFloatBinary(const Instruction &i, Modifiers &m, Type type) {
  bool isDivision = i.opcode == "div";
  if (isDivision)
    m.takeAny({"approx", "full"});
  Rounding rounding = takeRounding(m);
  bool ftz = m.take("ftz"), sat = m.take("sat");
  if (!checkOperands(i, 3, 3))
    return;
  Value *x = readFloat(i.operands[1], type), *y = readFloat(i.operands[2], type);
  if (ftz) {
    x = flush(x, type);
    y = flush(y, type);
  }
  if (i.opcode == "sub")
    y = b.CreateFNeg(y);
  Value *result;
  if (rounding != Nearest) {
    if (type.bits < 32)
      return fail("16-bit floats are rounded to nearest");
    RoundedOperation operation = isDivision ? RoundDiv : i.opcode == "mul" ? RoundMul : RoundAdd;
    result = call(type.bits == 64 ? "emu_round_f64" : "emu_round_f32", x->getType(),
                  {constant(32, operation), constant(32, rounding), x, y, zeroLike(x)});
  } else if (isDivision) {
    result = b.CreateFDiv(x, y);
  } else if (i.opcode == "mul") {
    if (type.kind == Type::BFloat) {
      // The product may be too small for f32, which would round twice.
      auto *wide = type.lanes == 1 ? f64 : FixedVectorType::get(f64, type.lanes);
      Value *exact = b.CreateFMul(b.CreateFPExt(x, wide), b.CreateFPExt(y, wide));
      SmallVector<Value *> lanes;
      Value *bits = constant(type.width(), 0);
      for (unsigned lane = 0; lane < type.lanes; ++lane) {
        Value *one = type.lanes == 1 ? exact : b.CreateExtractElement(exact, lane);
        Value *packed = call("emu_round_small", i32, {one, constant(32, 8), constant(32, 7), constant(32, Nearest)});
        packed = b.CreateZExtOrTrunc(packed, integer(type.width()));
        bits = b.CreateOr(bits, b.CreateShl(packed, constant(type.width(), 16 * lane)));
      }
      result = unpackFloat(bits, type);
    } else {
      result = b.CreateFMul(x, y);
    }
  } else {
    result = b.CreateFAdd(x, y);
  }
  writeFloat(i.operands[0], finishFloat(result, type, ftz, sat), type);
}

void FunctionTranslator::emitFma(const Instruction &i, Modifiers &m) {
  Rounding rounding = takeRounding(m);
  bool ftz = m.take("ftz"), sat = m.take("sat"), relu = m.take("relu");
  Type type = m.takeType();
  if (!type.isFloat() || !checkOperands(i, 4, 4))
    return fail("'" + i.opcode + "' needs a type of floats");
  if (type.bits == 16) {
    if (rounding != Nearest)
      return fail("16-bit floats are rounded to nearest");
    auto operand = [&](unsigned n) {
      Value *bits = readBits(i.operands[n], type.width());
      return ftz ? packFloat(flush(unpackFloat(bits, type), type), type) : bits;
    };
    Value *result = call(type.kind == Type::BFloat ? "emu_fma_bf16x2" : "emu_fma_f16x2", i32,
                         {b.CreateZExt(operand(1), i32), b.CreateZExt(operand(2), i32), b.CreateZExt(operand(3), i32)});
    result = b.CreateTrunc(result, integer(type.width()));
    if (ftz || sat || relu)
      result = packFloat(finishFloat(unpackFloat(result, type), type, ftz, sat, relu), type);
    return write(i.operands[0], result);
  }
  Value *x = readFloat(i.operands[1], type), *y = readFloat(i.operands[2], type), *z = readFloat(i.operands[3], type);
  if (ftz) {
    x = flush(x, type);
    y = flush(y, type);
    z = flush(z, type);
  }
  Value *result;
  if (rounding != Nearest)
    result = call(type.bits == 64 ? "emu_round_f64" : "emu_round_f32", x->getType(),
                  {constant(32, RoundFma), constant(32, rounding), x, y, z});
  else
    result = intrinsic(Intrinsic::fma, {x, y, z});
  writeFloat(i.operands[0], finishFloat(result, type, ftz, sat, relu), type);
}

void FunctionTranslator::emitFloatMinMax(const Instruction &i, Modifiers &m, Type type) {
  bool ftz = m.take("ftz"), keepsNaN = m.take("NaN"), xorSign = m.take("xorsign") && m.take("abs");
  if (!checkOperands(i, 3, 4))
    return;
  bool isMin = i.opcode == "min";
  Intrinsic::ID id = isMin ? (keepsNaN ? Intrinsic::minimum : Intrinsic::minimumnum)
                           : (keepsNaN ? Intrinsic::maximum : Intrinsic::maximumnum);
  Value *result = nullptr, *sign = nullptr;
  for (size_t n = 1; n < i.operands.size(); ++n) {
    Value *x = readFloat(i.operands[n], type);
    if (ftz)
      x = flush(x, type);
    if (xorSign) {
      Value *bits = readBits(i.operands[n], type.width());
      sign = sign ? b.CreateXor(sign, bits) : bits;
      x = b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
    }
    result = result ? intrinsic(id, {result, x}) : x;
  }
  if (xorSign)
    result = b.CreateBinaryIntrinsic(Intrinsic::copysign, result, unpackFloat(sign, type));
  writeFloat(i.operands[0], canonical(result), type);
}

void FunctionTranslator::emitFloatSign(const Instruction &i, Modifiers &m, Type type) {
  bool ftz = m.take("ftz");
  Value *bits = readBits(i.operands[1], type.width());
  if (ftz)
    bits = packFloat(flush(unpackFloat(bits, type), type), type);
  APInt sign = APInt::getSplat(type.width(), APInt::getSignMask(type.bits));
  bool isNegation = i.opcode == "neg";
  Value *mask = ConstantInt::get(context, isNegation ? sign : ~sign);
  write(i.operands[0], isNegation ? b.CreateXor(bits, mask) : b.CreateAnd(bits, mask));
}

void FunctionTranslator::emitUnaryFloat(const Instruction &i, Modifiers &m) {
  m.take("approx");
  Rounding rounding = takeRounding(m);
  bool ftz = m.take("ftz");
  Type type = m.takeType();
  if (!type.isFloat() || !checkOperands(i, 2, 2))
    return fail("'" + i.opcode + "' needs a type of floats");
  Value *x = readFloat(i.operands[1], type);
  if (ftz)
    x = flush(x, type);
  auto one = [&](Value *x) -> Value * {
    bool isDouble = x->getType() == f64;
    if (i.opcode == "sqrt" || i.opcode == "rcp") {
      bool isRoot = i.opcode == "sqrt";
      Value *unit = ConstantFP::get(x->getType(), 1.0);
      if (rounding != Nearest)
        return call(isDouble ? "emu_round_f64" : "emu_round_f32", x->getType(),
                    {constant(32, isRoot ? RoundSqrt : RoundDiv), constant(32, rounding), isRoot ? x : unit,
                     isRoot ? zeroLike(x) : x, zeroLike(x)});
      return isRoot ? b.CreateUnaryIntrinsic(Intrinsic::sqrt, x) : b.CreateFDiv(unit, x);
    }
    if (isDouble)
      return call(("emu_" + i.opcode + "_f64").str(), f64, {x});
    return call(("emu_" + i.opcode + "_f32").str(), f32, {x});
  };
  Value *result;
  if (type.lanes == 1) {
    result = one(x);
  } else {
    result = PoisonValue::get(x->getType());
    for (unsigned lane = 0; lane < type.lanes; ++lane)
      result = b.CreateInsertElement(result, one(b.CreateExtractElement(x, lane)), lane);
  }
  writeFloat(i.operands[0], finishFloat(result, type, ftz, false), type);
}

void FunctionTranslator::emitTestp(const Instruction &i, Modifiers &m) {
  StringRef what = m.takeAny({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  Type type = m.takeType();
  if (what.empty() || !type.isFloat() || !checkOperands(i, 2, 2))
    return fail("'testp' needs what to test for");
  FPClassTest mask = what == "finite"       ? fcFinite
                     : what == "infinite"   ? fcInf
                     : what == "number"     ? ~fcNan & fcAllFlags
                     : what == "notanumber" ? fcNan
                     : what == "normal"     ? fcNormal
                                            : fcSubnormal;
  write(i.operands[0], b.createIsFPClass(readFloat(i.operands[1], type), mask));
}

void FunctionTranslator::emitCopysign(const Instruction &i, Modifiers &m) {
  Type type = m.takeType();
  if (!type.isFloat() || !checkOperands(i, 3, 3))
    return fail("'copysign' needs a type of floats");
  // The sign is the first operand's.
  APInt sign = APInt::getSignMask(type.bits);
  Value *from = readBits(i.operands[1], type.bits), *to = readBits(i.operands[2], type.bits);
  write(i.operands[0], b.CreateOr(b.CreateAnd(from, ConstantInt::get(context, sign)),
                                  b.CreateAnd(to, ConstantInt::get(context, ~sign))));
}

} // namespace cuda_emu
