// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic and bits. Those opcodes that floats have too go on to Float.cpp.

#include "Translator.h"

#include "llvm/IR/Intrinsics.h"

namespace cuda_emu {

using namespace llvm;

void FunctionTranslator::addWithCarry(const Instruction &i, Value *x, Value *y, bool carryIn, bool carryOut,
                                      bool subtract) {
  unsigned bits = x->getType()->getIntegerBitWidth();
  if (!carry)
    carry = allocate(i1, 0, "carry");
  IntegerType *wide = integer(bits + 1);
  Value *in = carryIn ? b.CreateZExt(b.CreateLoad(i1, carry), wide) : ConstantInt::get(wide, 0);
  Value *wideX = b.CreateZExt(x, wide), *wideY = b.CreateZExt(y, wide);
  // The carry is a borrow in subtractions.
  Value *sum = subtract ? b.CreateSub(b.CreateSub(wideX, wideY), in) : b.CreateAdd(b.CreateAdd(wideX, wideY), in);
  if (carryOut)
    b.CreateStore(b.CreateTrunc(b.CreateLShr(sum, ConstantInt::get(wide, bits)), i1), carry);
  write(i.operands[0], b.CreateTrunc(sum, x->getType()));
}

void FunctionTranslator::emitArithmetic(const Instruction &i, Modifiers &m) {
  bool carryIn = i.opcode.ends_with("c"), subtract = i.opcode.starts_with("sub");
  bool carryOut = m.take("cc");
  Type type = m.takeType();
  if (!type || !checkOperands(i, 3, 3))
    return fail("'" + i.opcode + "' without a type");
  if (type.isFloat())
    return emitFloatBinary(i, m, type);
  Value *x = read(i.operands[1], type), *y = read(i.operands[2], type);
  if (carryIn || carryOut)
    return addWithCarry(i, x, y, carryIn, carryOut, subtract);
  if (type.lanes == 2) {
    auto *lanes = FixedVectorType::get(integer(type.bits), 2);
    x = b.CreateBitCast(x, lanes);
    y = b.CreateBitCast(y, lanes);
    Value *result = subtract ? b.CreateSub(x, y) : b.CreateAdd(x, y);
    return write(i.operands[0], b.CreateBitCast(result, integer(type.width())));
  }
  if (m.take("sat")) {
    Intrinsic::ID id = subtract ? Intrinsic::ssub_sat : Intrinsic::sadd_sat;
    return write(i.operands[0], intrinsic(id, {x, y}), type.isSigned());
  }
  write(i.operands[0], subtract ? b.CreateSub(x, y) : b.CreateAdd(x, y), type.isSigned());
}

/// The low or high half, or all (wide), of a product.
Value *FunctionTranslator::product(Value *x, Value *y, Type type, StringRef part) {
  if (part == "lo")
    return b.CreateMul(x, y);
  IntegerType *wide = integer(2 * type.bits);
  Value *all = type.isSigned() ? b.CreateMul(b.CreateSExt(x, wide), b.CreateSExt(y, wide))
                               : b.CreateMul(b.CreateZExt(x, wide), b.CreateZExt(y, wide));
  if (part == "wide")
    return all;
  return b.CreateTrunc(b.CreateLShr(all, ConstantInt::get(wide, type.bits)), x->getType());
}

void FunctionTranslator::emitMul(const Instruction &i, Modifiers &m) {
  StringRef part = m.takeAny({"lo", "hi", "wide"});
  Type type = m.takeType();
  if (!type)
    return fail("'mul' without a type");
  if (type.isFloat())
    return emitFloatBinary(i, m, type);
  if (part.empty() || !checkOperands(i, 3, 3))
    return fail("'mul' needs .lo, .hi or .wide");
  write(i.operands[0], product(read(i.operands[1], type), read(i.operands[2], type), type, part), type.isSigned());
}

void FunctionTranslator::emitMad(const Instruction &i, Modifiers &m) {
  StringRef part = m.takeAny({"lo", "hi", "wide"});
  if (part.empty())
    return emitFma(i, m);
  bool carryOut = m.take("cc"), sat = m.take("sat"), carryIn = i.opcode == "madc";
  Type type = m.takeType();
  if (!type || type.isFloat() || !checkOperands(i, 4, 4))
    return fail("'" + i.opcode + "' needs an integer type");
  Value *xy = product(read(i.operands[1], type), read(i.operands[2], type), type, part);
  Value *z = readBits(i.operands[3], part == "wide" ? 2 * type.bits : type.bits, type.isSigned());
  if (carryIn || carryOut)
    return addWithCarry(i, xy, z, carryIn, carryOut, false);
  write(i.operands[0], sat ? intrinsic(Intrinsic::sadd_sat, {xy, z}) : b.CreateAdd(xy, z), type.isSigned());
}

void FunctionTranslator::emitMul24(const Instruction &i, Modifiers &m) {
  bool mad = i.opcode == "mad24", hi = m.take("hi"), sat = mad && m.take("sat");
  m.take("lo");
  Type type = m.takeType();
  if (!type || type.isFloat() || type.bits != 32 || !checkOperands(i, mad ? 4 : 3, mad ? 4 : 3))
    return fail("'" + i.opcode + "' is for 32 bits");
  auto narrow = [&](Value *x) {
    Value *low = b.CreateTrunc(x, integer(24));
    return type.isSigned() ? b.CreateSExt(low, i64) : b.CreateZExt(low, i64);
  };
  Value *all = b.CreateMul(narrow(read(i.operands[1], type)), narrow(read(i.operands[2], type)));
  Value *result = b.CreateTrunc(hi ? b.CreateLShr(all, constant(64, 16)) : all, i32);
  if (mad) {
    Value *z = read(i.operands[3], type);
    result = sat ? intrinsic(Intrinsic::sadd_sat, {result, z}) : b.CreateAdd(result, z);
  }
  write(i.operands[0], result);
}

void FunctionTranslator::emitDivRem(const Instruction &i, Modifiers &m) {
  Type type = m.takeType();
  if (type.isFloat())
    return emitFloatBinary(i, m, type);
  if (!type || !checkOperands(i, 3, 3))
    return fail("'" + i.opcode + "' without a type");
  Value *x = read(i.operands[1], type), *y = read(i.operands[2], type);
  Value *zero = zeroLike(x), *one = ConstantInt::get(x->getType(), 1);
  Value *minusOne = ConstantInt::getSigned(x->getType(), -1);
  bool isDivision = i.opcode == "div";
  // The host traps where the device does not: a division by zero gives all ones, its remainder the dividend.
  Value *byZero = b.CreateICmpEQ(y, zero);
  Value *result;
  if (type.isSigned()) {
    Value *byMinusOne = b.CreateICmpEQ(y, minusOne);
    Value *safe = b.CreateSelect(b.CreateOr(byZero, byMinusOne), one, y);
    result = isDivision ? b.CreateSDiv(x, safe) : b.CreateSRem(x, safe);
    result = b.CreateSelect(byMinusOne, isDivision ? b.CreateNeg(x) : zero, result);
  } else {
    Value *safe = b.CreateSelect(byZero, one, y);
    result = isDivision ? b.CreateUDiv(x, safe) : b.CreateURem(x, safe);
  }
  write(i.operands[0], b.CreateSelect(byZero, isDivision ? minusOne : x, result), type.isSigned());
}

void FunctionTranslator::emitMinMax(const Instruction &i, Modifiers &m) {
  Type type = m.takeType();
  if (!type)
    return fail("'" + i.opcode + "' without a type");
  if (type.isFloat())
    return emitFloatMinMax(i, m, type);
  if (!checkOperands(i, 3, 3))
    return;
  bool isMin = i.opcode == "min", relu = m.take("relu");
  Intrinsic::ID id =
      type.isSigned() ? (isMin ? Intrinsic::smin : Intrinsic::smax) : (isMin ? Intrinsic::umin : Intrinsic::umax);
  Value *x = read(i.operands[1], type), *y = read(i.operands[2], type);
  if (type.lanes == 2) {
    auto *lanes = FixedVectorType::get(integer(type.bits), 2);
    x = b.CreateBitCast(x, lanes);
    y = b.CreateBitCast(y, lanes);
  }
  Value *result = intrinsic(id, {x, y});
  if (relu)
    result = intrinsic(Intrinsic::smax, {result, zeroLike(result)});
  write(i.operands[0], b.CreateBitCast(result, integer(type.width())), type.isSigned());
}

void FunctionTranslator::emitSign(const Instruction &i, Modifiers &m) {
  Type type = m.takeType();
  if (!type || !checkOperands(i, 2, 2))
    return fail("'" + i.opcode + "' without a type");
  if (type.isFloat())
    return emitFloatSign(i, m, type);
  Value *x = read(i.operands[1], type);
  Value *negative = b.CreateNeg(x);
  if (i.opcode == "abs")
    negative = b.CreateSelect(b.CreateICmpSLT(x, zeroLike(x)), negative, x);
  write(i.operands[0], negative, type.isSigned());
}

void FunctionTranslator::emitLogic(const Instruction &i, Modifiers &m) {
  Type type = m.takeType();
  bool unary = i.opcode == "not" || i.opcode == "cnot";
  if (!type || !checkOperands(i, unary ? 2 : 3, unary ? 2 : 3))
    return fail("'" + i.opcode + "' without a type");
  auto operand = [&](unsigned n) {
    return type.kind == Type::Predicate ? readPredicate(i.operands[n]) : read(i.operands[n], type);
  };
  Value *x = operand(1), *result;
  if (i.opcode == "not")
    result = b.CreateNot(x);
  else if (i.opcode == "cnot")
    result = b.CreateZExt(b.CreateICmpEQ(x, zeroLike(x)), x->getType());
  else if (i.opcode == "and")
    result = b.CreateAnd(x, operand(2));
  else if (i.opcode == "or")
    result = b.CreateOr(x, operand(2));
  else
    result = b.CreateXor(x, operand(2));
  write(i.operands[0], result);
}

void FunctionTranslator::emitShift(const Instruction &i, Modifiers &m) {
  Type type = m.takeType();
  if (!type || !checkOperands(i, 3, 3))
    return fail("'" + i.opcode + "' without a type");
  Value *x = read(i.operands[1], type), *amount = readBits(i.operands[2], 32);
  // Amounts beyond the width are the width.
  Value *limit = constant(32, type.bits - 1), *tooFar = b.CreateICmpUGT(amount, limit);
  Value *clamped = b.CreateZExtOrTrunc(intrinsic(Intrinsic::umin, {amount, limit}), x->getType());
  Value *result;
  if (i.opcode == "shr" && type.isSigned())
    result = b.CreateAShr(x, clamped);
  else
    result =
        b.CreateSelect(tooFar, zeroLike(x), i.opcode == "shl" ? b.CreateShl(x, clamped) : b.CreateLShr(x, clamped));
  write(i.operands[0], result, type.isSigned());
}

void FunctionTranslator::emitFunnel(const Instruction &i, Modifiers &m) {
  StringRef direction = m.takeAny({"l", "r"}), mode = m.takeAny({"wrap", "clamp"});
  Type type = m.takeType();
  if (direction.empty() || mode.empty() || type.bits != 32 || !checkOperands(i, 4, 4))
    return fail("'shf' needs .l or .r, .wrap or .clamp, and .b32");
  Value *low = b.CreateZExt(read(i.operands[1], type), i64), *high = b.CreateZExt(read(i.operands[2], type), i64);
  Value *amount = readBits(i.operands[3], 32);
  amount =
      mode == "wrap" ? b.CreateAnd(amount, constant(32, 31)) : intrinsic(Intrinsic::umin, {amount, constant(32, 32)});
  amount = b.CreateZExt(amount, i64);
  Value *both = b.CreateOr(low, b.CreateShl(high, constant(64, 32)));
  Value *result =
      direction == "l" ? b.CreateLShr(b.CreateShl(both, amount), constant(64, 32)) : b.CreateLShr(both, amount);
  write(i.operands[0], b.CreateTrunc(result, i32));
}

void FunctionTranslator::emitBitField(const Instruction &i, Modifiers &m) {
  StringRef mode = i.opcode == "bmsk" || i.opcode == "szext" ? m.takeAny({"wrap", "clamp"}) : "";
  Type type = m.takeType();
  if (!type)
    return fail("'" + i.opcode + "' without a type");
  IntegerType *wide = integer(2 * type.bits); // shifts by the width are fine in it
  unsigned bits = type.bits;
  auto byteOf = [&](const Operand &operand) { return b.CreateAnd(readBits(operand, 32), constant(32, 255)); };
  auto clamp = [&](Value *x) { return b.CreateZExt(intrinsic(Intrinsic::umin, {x, constant(32, bits)}), wide); };
  if (i.opcode == "bmsk") {
    if (!checkOperands(i, 3, 3))
      return;
    Value *start = readBits(i.operands[1], 32), *length = readBits(i.operands[2], 32);
    if (mode == "wrap") {
      start = b.CreateAnd(start, constant(32, 31));
      length = b.CreateAnd(length, constant(32, 31));
    }
    Value *one = ConstantInt::get(wide, 1);
    Value *mask = b.CreateShl(b.CreateSub(b.CreateShl(one, clamp(length)), one), clamp(start));
    return write(i.operands[0], b.CreateTrunc(mask, i32));
  }
  if (i.opcode == "szext") {
    if (!checkOperands(i, 3, 3))
      return;
    Value *n = readBits(i.operands[2], 32);
    if (mode == "wrap")
      n = b.CreateAnd(n, constant(32, 31));
    Value *unusedBits = b.CreateSub(ConstantInt::get(wide, 64), clamp(n));
    Value *top = b.CreateShl(b.CreateZExt(read(i.operands[1], type), wide), unusedBits);
    Value *result = type.isSigned() ? b.CreateAShr(top, unusedBits) : b.CreateLShr(top, unusedBits);
    // No bits at all: a shift by 64 would be undefined.
    result = b.CreateSelect(b.CreateICmpEQ(n, constant(32, 0)), ConstantInt::get(wide, 0), result);
    return write(i.operands[0], b.CreateTrunc(result, i32));
  }
  if (i.opcode == "bfi") {
    if (!checkOperands(i, 5, 5))
      return;
    Value *from = b.CreateZExt(read(i.operands[1], type), wide), *into = b.CreateZExt(read(i.operands[2], type), wide);
    Value *position = clamp(byteOf(i.operands[3])), *length = clamp(byteOf(i.operands[4]));
    Value *one = ConstantInt::get(wide, 1);
    Value *mask = b.CreateShl(b.CreateSub(b.CreateShl(one, length), one), position);
    Value *result = b.CreateOr(b.CreateAnd(into, b.CreateNot(mask)), b.CreateAnd(b.CreateShl(from, position), mask));
    return write(i.operands[0], b.CreateTrunc(result, integer(bits)));
  }
  if (!checkOperands(i, 4, 4))
    return;
  // bfe: bits beyond the top are copies of the sign, which is the field's top bit or the value's.
  Value *x = read(i.operands[1], type), *position = clamp(byteOf(i.operands[2])),
        *length = clamp(byteOf(i.operands[3]));
  Value *extended = type.isSigned() ? b.CreateSExt(x, wide) : b.CreateZExt(x, wide);
  Value *moved = b.CreateAShr(extended, position);
  Value *rest = b.CreateSub(ConstantInt::get(wide, 2 * bits - 1), length);
  // One shift first, so that a length of 0 leaves nothing of it.
  Value *top = b.CreateShl(b.CreateShl(moved, ConstantInt::get(wide, 1)), rest);
  Value *result = type.isSigned() ? b.CreateAShr(b.CreateAShr(top, rest), ConstantInt::get(wide, 1))
                                  : b.CreateLShr(b.CreateLShr(top, rest), ConstantInt::get(wide, 1));
  write(i.operands[0], b.CreateTrunc(result, integer(bits)), type.isSigned());
}

void FunctionTranslator::emitBitCount(const Instruction &i, Modifiers &m) {
  bool shiftAmount = i.opcode == "bfind" && m.take("shiftamt");
  Type type = m.takeType();
  if (!type)
    return fail("'" + i.opcode + "' without a type");
  if (i.opcode == "fns") {
    if (!checkOperands(i, 4, 4))
      return;
    return write(
        i.operands[0],
        call("emu_fns", i32, {readBits(i.operands[1], 32), readBits(i.operands[2], 32), readBits(i.operands[3], 32)}));
  }
  if (!checkOperands(i, 2, 2))
    return;
  Value *x = read(i.operands[1], type);
  if (i.opcode == "brev")
    return write(i.operands[0], intrinsic(Intrinsic::bitreverse, {x}));
  if (i.opcode == "popc")
    return write(i.operands[0], b.CreateTrunc(intrinsic(Intrinsic::ctpop, {x}), i32));
  if (i.opcode == "bfind" && type.isSigned())
    x = b.CreateXor(x, b.CreateAShr(x, ConstantInt::get(x->getType(), type.bits - 1)));
  Value *leading = b.CreateTrunc(b.CreateIntrinsic(x->getType(), Intrinsic::ctlz, {x, b.getFalse()}), i32);
  if (i.opcode == "clz")
    return write(i.operands[0], leading);
  Value *none = b.CreateICmpEQ(x, zeroLike(x));
  Value *result = shiftAmount ? leading : b.CreateSub(constant(32, type.bits - 1), leading);
  write(i.operands[0], b.CreateSelect(none, constant(32, ~0u), result));
}

void FunctionTranslator::emitLop3(const Instruction &i, Modifiers &m) {
  StringRef combine = m.takeAny({"or", "and"});
  Type type = m.takeType();
  bool withPredicate = !combine.empty();
  if (type.bits != 32 || !checkOperands(i, withPredicate ? 6 : 5, withPredicate ? 6 : 5))
    return fail("'lop3' is for .b32");
  const Operand &table = i.operands[4];
  if (table.kind != Operand::Integer)
    return fail("the table of 'lop3' has to be a number");
  Value *x = read(i.operands[1], type), *y = read(i.operands[2], type), *z = read(i.operands[3], type);
  Value *result = constant(32, 0);
  for (unsigned n = 0; n < 8; ++n) {
    if (!(table.bits >> n & 1))
      continue;
    Value *term =
        b.CreateAnd(b.CreateAnd(n & 4 ? x : b.CreateNot(x), n & 2 ? y : b.CreateNot(y)), n & 1 ? z : b.CreateNot(z));
    result = b.CreateOr(result, term);
  }
  if (!withPredicate)
    return write(i.operands[0], result);
  const Operand &to = i.operands[0];
  Value *any = b.CreateICmpNE(result, constant(32, 0)), *q = readPredicate(i.operands[5]);
  any = combine == "or" ? b.CreateOr(any, q) : b.CreateAnd(any, q);
  if (to.kind != Operand::Pair)
    return fail("'lop3' with a predicate has two results");
  write(to.elements[0], result);
  write(to.elements[1], any);
}

void FunctionTranslator::emitPrmt(const Instruction &i, Modifiers &m) {
  m.take("b32");
  StringRef mode = m.takeAny({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  if (!checkOperands(i, 4, 4))
    return;
  Value *x = readBits(i.operands[1], 32), *y = readBits(i.operands[2], 32), *selector = readBits(i.operands[3], 32);
  if (!mode.empty()) {
    unsigned code = StringRef("f4e b4e rc8 ecl ecr rc16").find(mode);
    return write(i.operands[0], call("emu_prmt", i32, {x, y, selector, constant(32, code)}));
  }
  Value *both = b.CreateOr(b.CreateZExt(x, i64), b.CreateShl(b.CreateZExt(y, i64), constant(64, 32)));
  Value *result = constant(32, 0);
  for (unsigned n = 0; n < 4; ++n) {
    Value *code = b.CreateLShr(selector, constant(32, 4 * n));
    Value *index = b.CreateZExt(b.CreateShl(b.CreateAnd(code, constant(32, 7)), constant(32, 3)), i64);
    Value *byte = b.CreateTrunc(b.CreateLShr(both, index), i8);
    Value *replicate = b.CreateTrunc(b.CreateLShr(code, constant(32, 3)), i1);
    byte = b.CreateSelect(replicate, b.CreateAShr(byte, constant(8, 7)), byte);
    result = b.CreateOr(result, b.CreateShl(b.CreateZExt(byte, i32), constant(32, 8 * n)));
  }
  write(i.operands[0], result);
}

void FunctionTranslator::emitDot(const Instruction &i, Modifiers &m) {
  bool bytes = i.opcode == "dp4a";
  StringRef half = bytes ? "" : m.takeAny({"lo", "hi"});
  Type left = m.takeType(), right = m.takeType();
  if (!left || !right || (!bytes && half.empty()) || !checkOperands(i, 4, 4))
    return fail("'" + i.opcode + "' needs two types");
  Value *x = readBits(i.operands[1], 32), *y = readBits(i.operands[2], 32), *sum = readBits(i.operands[3], 32);
  auto part = [&](Value *value, unsigned bit, unsigned bits, Type type) {
    Value *field = b.CreateTrunc(b.CreateLShr(value, constant(32, bit)), integer(bits));
    return type.isSigned() ? b.CreateSExt(field, i32) : b.CreateZExt(field, i32);
  };
  for (unsigned n = 0; n < (bytes ? 4 : 2); ++n) {
    Value *p = bytes ? part(x, 8 * n, 8, left) : part(x, 16 * n, 16, left);
    Value *q = part(y, bytes ? 8 * n : 8 * n + (half == "hi" ? 16 : 0), 8, right);
    sum = b.CreateAdd(sum, b.CreateMul(p, q));
  }
  write(i.operands[0], sum);
}

void FunctionTranslator::emitSad(const Instruction &i, Modifiers &m) {
  Type type = m.takeType();
  if (!type || !checkOperands(i, 4, 4))
    return fail("'sad' without a type");
  Value *x = read(i.operands[1], type), *y = read(i.operands[2], type), *z = read(i.operands[3], type);
  Value *less = type.isSigned() ? b.CreateICmpSLT(x, y) : b.CreateICmpULT(x, y);
  write(i.operands[0], b.CreateAdd(z, b.CreateSelect(less, b.CreateSub(y, x), b.CreateSub(x, y))));
}

} // namespace cuda_emu
