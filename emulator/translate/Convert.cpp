// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt: between integers, floats and the small floats of 8 bits.

#include "Translator.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

namespace cuda_emu {

using namespace llvm;

/// Out of range is clamped. No number is 0, but 100...0 if either side has 64 bits.
Value *FunctionTranslator::floatToInteger(Value *value, Type from, Type to, StringRef rounding) {
  Intrinsic::ID round = StringSwitch<Intrinsic::ID>(rounding)
                            .Case("rni", Intrinsic::roundeven)
                            .Case("rmi", Intrinsic::floor)
                            .Case("rpi", Intrinsic::ceil)
                            .Default(Intrinsic::trunc);
  value = b.CreateUnaryIntrinsic(round, value);
  IntegerType *type = integer(to.bits);
  Value *result = b.CreateIntrinsic(to.isSigned() ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                                    {type, value->getType()}, {value});
  if (from.bits < 64 && to.bits < 64)
    return result;
  return b.CreateSelect(b.CreateFCmpUNO(value, value), ConstantInt::get(context, APInt::getSignMask(to.bits)), result);
}

Value *FunctionTranslator::integerToFloat(Value *value, Type from, Type to, Rounding rounding) {
  Value *wide = from.isSigned() ? b.CreateSExt(value, i64) : b.CreateZExt(value, i64);
  bool isExact = to.bits == 64 ? from.bits <= 32 : to.bits == 32 && from.bits <= 16;
  if (to.bits == 16) // by f64 would round twice
    return nullptr;
  if (rounding == Nearest || isExact)
    return from.isSigned() ? b.CreateSIToFP(value, floatType(to)) : b.CreateUIToFP(value, floatType(to));
  return call(to.bits == 64 ? "emu_int_to_f64" : "emu_int_to_f32", floatType(to),
              {wide, constant(32, from.isSigned()), constant(32, rounding)});
}

Value *FunctionTranslator::floatToFloat(Value *value, Type from, Type to, Rounding rounding) {
  if (to.bits == 64)
    return b.CreateFPExt(value, f64);
  if (from.bits < 64)
    return value;
  if (rounding == Nearest)
    return b.CreateFPTrunc(value, f32);
  return call("emu_f64_to_f32", f32, {value, constant(32, rounding)});
}

namespace {
/// The formats of 8 bits and fewer, and tf32, as Numbers.cpp names them.
int smallFormat(StringRef name) {
  return StringSwitch<int>(name).Cases({"e4m3x2", "e4m3x4"}, 0).Cases({"e5m2x2", "e5m2x4"}, 1).Default(-1);
}
} // namespace

void FunctionTranslator::emitCvtSmall(const Instruction &i, Modifiers &m, StringRef to, StringRef from) {
  if (to == "tf32") {
    Rounding rounding = takeRounding(m);
    bool relu = m.take("relu"), satfinite = m.take("satfinite");
    m.take("tf32");
    Type source = m.takeType();
    if (source.bits != 32 || !source.isFloat() || !checkOperands(i, 2, 2))
      return fail("'cvt' to tf32 is from f32");
    return write(i.operands[0], call("emu_tf32", i32,
                                     {readFloat(i.operands[1], source), constant(32, rounding), constant(32, relu),
                                      constant(32, satfinite)}));
  }
  takeRounding(m);
  bool relu = m.take("relu");
  if (smallFormat(to) >= 0) {
    m.take(to);
    if (!m.take("satfinite"))
      return fail("'cvt' to '." + to + "' needs .satfinite");
    Type source = m.takeType();
    Value *first, *second;
    if (source.isFloat() && source.bits == 32 && checkOperands(i, 3, 3)) {
      first = readFloat(i.operands[2], source); // the second operand is the lower half
      second = readFloat(i.operands[1], source);
    } else if (source.isFloat() && source.lanes == 2 && checkOperands(i, 2, 2)) {
      Value *both = readFloat(i.operands[1], source);
      first = b.CreateExtractElement(both, uint64_t(0));
      second = b.CreateExtractElement(both, uint64_t(1));
    } else {
      return fail("'cvt' to '." + to + "' is from f32 or f16x2");
    }
    auto pack = [&](Value *value) {
      return call("emu_f32_to_f8", i32, {value, constant(32, smallFormat(to)), constant(32, relu)});
    };
    Value *packed = b.CreateOr(pack(first), b.CreateShl(pack(second), constant(32, 8)));
    return write(i.operands[0], b.CreateTrunc(packed, i16));
  }
  m.take(from);
  Type type = m.takeType();
  if (!type.isFloat() || type.lanes != 2 || !checkOperands(i, 2, 2))
    return fail("'cvt' from '." + from + "' is to f16x2 or bf16x2");
  Value *bits = b.CreateZExt(readBits(i.operands[1], 16), i32);
  Value *result = PoisonValue::get(floatType(type));
  for (unsigned lane = 0; lane < 2; ++lane)
    result = b.CreateInsertElement(
        result,
        call("emu_f8_to_f32", f32, {b.CreateLShr(bits, constant(32, 8 * lane)), constant(32, smallFormat(from))}),
        lane);
  writeFloat(i.operands[0], finishFloat(result, type, false, false, relu), type);
}

/// cvt.pack.sat.u8.s32.b32 d, a, b, c: {sat(a), sat(b)} below the upper bits of c.
void FunctionTranslator::emitCvtPack(const Instruction &i, Modifiers &m) {
  m.take("sat");
  Type to = m.takeType(), from = m.takeType();
  m.take("b32");
  if (!to || !from || to.isFloat() || from.bits != 32 || !checkOperands(i, 3, 4))
    return fail("'cvt.pack' needs two types of integers");
  auto clamp = [&](const Operand &operand) {
    APInt low = to.isSigned() ? APInt::getSignedMinValue(to.bits).sext(32) : APInt(32, 0);
    APInt high = to.isSigned() ? APInt::getSignedMaxValue(to.bits).sext(32) : APInt::getMaxValue(to.bits).zext(32);
    Value *x = read(operand, from);
    x = intrinsic(Intrinsic::smax, {x, ConstantInt::get(context, low)});
    return b.CreateZExt(
        b.CreateTrunc(intrinsic(Intrinsic::smin, {x, ConstantInt::get(context, high)}), integer(to.bits)), i32);
  };
  Value *result = b.CreateOr(b.CreateShl(clamp(i.operands[1]), constant(32, to.bits)), clamp(i.operands[2]));
  if (i.operands.size() == 4 && to.bits < 16)
    result = b.CreateOr(result, b.CreateShl(readBits(i.operands[3], 32), constant(32, 2 * to.bits)));
  write(i.operands[0], result);
}

void FunctionTranslator::emitCvt(const Instruction &i, Modifiers &m) {
  if (m.take("pack"))
    return emitCvtPack(i, m);
  if (i.modifiers.size() >= 2) {
    StringRef to = i.modifiers[i.modifiers.size() - 2], from = i.modifiers.back();
    if (to == "tf32" || smallFormat(to) >= 0 || smallFormat(from) >= 0)
      return emitCvtSmall(i, m, to, from);
  }
  StringRef integral = m.takeAny({"rni", "rzi", "rmi", "rpi"});
  Rounding rounding = takeRounding(m);
  bool ftz = m.take("ftz"), sat = m.take("sat"), relu = m.take("relu"), satfinite = m.take("satfinite");
  Type to = m.takeType(), from = m.takeType();
  if (!to || !from || !checkOperands(i, 2, 3))
    return fail("'cvt' needs two types");
  const Operand &target = i.operands[0];
  if (to.lanes == 2) {
    // cvt.rn.f16x2.f32 d, a, b: a is the upper half.
    if (!to.isFloat() || from.bits != 32 || !from.isFloat() || i.operands.size() != 3)
      return fail("'cvt' to two lanes is from two f32");
    Value *bits = constant(32, 0);
    for (unsigned lane = 0; lane < 2; ++lane) {
      Value *x = b.CreateFPExt(readFloat(i.operands[2 - lane], from), f64);
      Value *packed;
      if (rounding == Nearest && !satfinite) {
        Type single = {to.kind, 16, 1};
        packed = b.CreateZExt(packFloat(finishFloat(b.CreateFPTrunc(x, f32), single, ftz, sat, relu), single), i32);
      } else {
        if (relu)
          x = finishFloat(x, from, false, false, true);
        packed = call(satfinite ? "emu_round_small_finite" : "emu_round_small", i32,
                      {x, constant(32, to.kind == Type::BFloat ? 8 : 5), constant(32, to.kind == Type::BFloat ? 7 : 10),
                       constant(32, rounding)});
      }
      bits = b.CreateOr(bits, b.CreateShl(packed, constant(32, 16 * lane)));
    }
    return write(target, bits);
  }
  if (i.operands.size() != 2)
    return fail("'cvt' with 3 operands");
  if (from.isFloat() && to.isFloat()) {
    Value *x = readFloat(i.operands[1], from);
    if (ftz)
      x = flush(x, from);
    if (!integral.empty()) {
      Intrinsic::ID round = StringSwitch<Intrinsic::ID>(integral)
                                .Case("rni", Intrinsic::roundeven)
                                .Case("rmi", Intrinsic::floor)
                                .Case("rpi", Intrinsic::ceil)
                                .Default(Intrinsic::trunc);
      x = b.CreateUnaryIntrinsic(round, x);
    }
    if (to.bits == 16 && (from.bits == 64 || rounding != Nearest || satfinite)) {
      Value *wide = from.bits == 64 ? x : b.CreateFPExt(x, f64);
      if (sat)
        wide = saturate(wide);
      if (relu)
        wide = finishFloat(wide, from, false, false, true);
      bool isBFloat = to.kind == Type::BFloat;
      return write(target, b.CreateTrunc(call(satfinite ? "emu_round_small_finite" : "emu_round_small", i32,
                                              {wide, constant(32, isBFloat ? 8 : 5), constant(32, isBFloat ? 7 : 10),
                                               constant(32, rounding)}),
                                         i16));
    }
    return writeFloat(target, finishFloat(floatToFloat(x, from, to, rounding), to, ftz && to.bits == 32, sat, relu),
                      to);
  }
  if (from.isFloat()) {
    Value *x = readFloat(i.operands[1], from);
    if (ftz)
      x = flush(x, from);
    return write(target, floatToInteger(x, from, to, integral), to.isSigned());
  }
  Value *x = read(i.operands[1], from);
  if (to.isFloat()) {
    if (to.bits == 16) {
      bool isBFloat = to.kind == Type::BFloat;
      Value *wide = from.isSigned() ? b.CreateSExt(x, i64) : b.CreateZExt(x, i64);
      Value *bits = call("emu_int_to_small", i32,
                         {wide, constant(32, from.isSigned()), constant(32, isBFloat ? 8 : 5),
                          constant(32, isBFloat ? 7 : 10), constant(32, rounding)});
      bits = b.CreateTrunc(bits, i16);
      return sat ? writeFloat(target, saturate(unpackFloat(bits, to)), to) : write(target, bits);
    }
    Value *result = integerToFloat(x, from, to, rounding);
    return writeFloat(target, sat ? saturate(result) : result, to);
  }
  // Between integers. With .sat what does not fit is clamped.
  if (sat) {
    unsigned wideBits = std::max(from.bits, to.bits) + 1;
    IntegerType *wide = integer(wideBits);
    Value *value = from.isSigned() ? b.CreateSExt(x, wide) : b.CreateZExt(x, wide);
    APInt low = to.isSigned() ? APInt::getSignedMinValue(to.bits).sext(wideBits) : APInt(wideBits, 0);
    APInt high =
        to.isSigned() ? APInt::getSignedMaxValue(to.bits).sext(wideBits) : APInt::getMaxValue(to.bits).zext(wideBits);
    value = intrinsic(Intrinsic::smax, {value, ConstantInt::get(context, low)});
    x = intrinsic(Intrinsic::smin, {value, ConstantInt::get(context, high)});
    return write(target, b.CreateTrunc(x, integer(to.bits)), to.isSigned());
  }
  Value *result = from.isSigned() ? b.CreateSExtOrTrunc(x, integer(to.bits)) : b.CreateZExtOrTrunc(x, integer(to.bits));
  write(target, result, to.isSigned());
}

} // namespace cuda_emu
