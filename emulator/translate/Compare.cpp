// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons and selections.

#include "Translator.h"

#include "llvm/ADT/StringSwitch.h"

namespace cuda_emu {

using namespace llvm;

/// Null if `op` does not compare floats.
Value *FunctionTranslator::compareFloat(StringRef op, Value *x, Value *y) {
  auto predicate = StringSwitch<CmpInst::Predicate>(op)
                       .Case("eq", CmpInst::FCMP_OEQ)
                       .Case("ne", CmpInst::FCMP_ONE)
                       .Case("lt", CmpInst::FCMP_OLT)
                       .Case("le", CmpInst::FCMP_OLE)
                       .Case("gt", CmpInst::FCMP_OGT)
                       .Case("ge", CmpInst::FCMP_OGE)
                       .Case("equ", CmpInst::FCMP_UEQ)
                       .Case("neu", CmpInst::FCMP_UNE)
                       .Case("ltu", CmpInst::FCMP_ULT)
                       .Case("leu", CmpInst::FCMP_ULE)
                       .Case("gtu", CmpInst::FCMP_UGT)
                       .Case("geu", CmpInst::FCMP_UGE)
                       .Case("num", CmpInst::FCMP_ORD)
                       .Case("nan", CmpInst::FCMP_UNO)
                       .Default(CmpInst::BAD_FCMP_PREDICATE);
  return predicate == CmpInst::BAD_FCMP_PREDICATE ? nullptr : b.CreateFCmp(predicate, x, y);
}

Value *FunctionTranslator::compare(const Instruction &i, Modifiers &m, Type type, StringRef op, const Operand &x,
                                   const Operand &y) {
  if (type.isFloat()) {
    bool ftz = m.take("ftz");
    Value *left = readFloat(x, type), *right = readFloat(y, type);
    if (ftz) {
      left = flush(left, type);
      right = flush(right, type);
    }
    if (Value *result = compareFloat(op, left, right))
      return result;
  } else {
    bool isSigned = type.isSigned();
    auto predicate = StringSwitch<CmpInst::Predicate>(op)
                         .Case("eq", CmpInst::ICMP_EQ)
                         .Case("ne", CmpInst::ICMP_NE)
                         .Case("lt", isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
                         .Case("le", isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
                         .Case("gt", isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
                         .Case("ge", isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                         .Case("lo", CmpInst::ICMP_ULT)
                         .Case("ls", CmpInst::ICMP_ULE)
                         .Case("hi", CmpInst::ICMP_UGT)
                         .Case("hs", CmpInst::ICMP_UGE)
                         .Default(CmpInst::BAD_ICMP_PREDICATE);
    if (predicate != CmpInst::BAD_ICMP_PREDICATE)
      return b.CreateICmp(predicate, read(x, type), read(y, type));
  }
  fail("unknown comparison '." + op + "' in '" + i.opcode + "'");
  return nullptr;
}

static StringRef takeComparison(Modifiers &m) {
  return m.takeAny({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan", "lo",
                    "ls", "hi", "hs"});
}

void FunctionTranslator::emitSetp(const Instruction &i, Modifiers &m) {
  StringRef op = takeComparison(m), combine = m.takeAny({"and", "or", "xor"});
  Type type = m.takeType();
  if (!type || !checkOperands(i, combine.empty() ? 3 : 4, combine.empty() ? 3 : 4))
    return fail("'setp' without a type");
  Value *result = compare(i, m, type, op, i.operands[1], i.operands[2]);
  if (!result)
    return;
  Value *other = combine.empty() ? nullptr : readPredicate(i.operands[3]);
  auto combined = [&](Value *value) {
    return !other             ? value
           : combine == "and" ? b.CreateAnd(value, other)
           : combine == "or"  ? b.CreateOr(value, other)
                              : b.CreateXor(value, other);
  };
  const Operand &to = i.operands[0];
  if (type.lanes == 2) {
    if (to.kind != Operand::Pair)
      return fail("'setp' of two lanes has two results");
    write(to.elements[0], combined(b.CreateExtractElement(result, uint64_t(0))));
    write(to.elements[1], combined(b.CreateExtractElement(result, uint64_t(1))));
  } else if (to.kind == Operand::Pair) {
    Value *first = combined(result), *second = combined(b.CreateNot(result));
    write(to.elements[0], first);
    write(to.elements[1], second);
  } else {
    write(to, combined(result));
  }
}

void FunctionTranslator::emitSet(const Instruction &i, Modifiers &m) {
  StringRef op = takeComparison(m), combine = m.takeAny({"and", "or", "xor"});
  Type to = m.takeType(), from = m.takeType();
  if (!to || !from || !checkOperands(i, combine.empty() ? 3 : 4, combine.empty() ? 3 : 4))
    return fail("'set' needs two types");
  Value *result = compare(i, m, from, op, i.operands[1], i.operands[2]);
  if (!result)
    return;
  if (!combine.empty()) {
    Value *other = readPredicate(i.operands[3]);
    if (from.lanes == 2)
      other = b.CreateVectorSplat(2, other);
    result = combine == "and"  ? b.CreateAnd(result, other)
             : combine == "or" ? b.CreateOr(result, other)
                               : b.CreateXor(result, other);
  }
  if (from.lanes == 2) {
    Value *one = to.isFloat() ? constant(16, to.kind == Type::BFloat ? 0x3f80 : 0x3c00) : constant(16, 0xffff);
    Value *lanes = b.CreateSelect(result, b.CreateVectorSplat(2, one), zeroLike(b.CreateVectorSplat(2, one)));
    return write(i.operands[0], b.CreateBitCast(lanes, i32));
  }
  if (to.isFloat())
    writeFloat(i.operands[0], b.CreateUIToFP(result, floatType(to)), to);
  else
    write(i.operands[0], b.CreateSExt(result, integer(to.bits)));
}

void FunctionTranslator::emitSelp(const Instruction &i, Modifiers &m) {
  Type type = m.takeType();
  if (!type || !checkOperands(i, 4, 4))
    return fail("'selp' without a type");
  Value *condition = readPredicate(i.operands[3]);
  write(i.operands[0], b.CreateSelect(condition, read(i.operands[1], type), read(i.operands[2], type)),
        type.isSigned());
}

void FunctionTranslator::emitSlct(const Instruction &i, Modifiers &m) {
  bool ftz = m.take("ftz");
  Type type = m.takeType(), by = m.takeType();
  if (!type || !by || !checkOperands(i, 4, 4))
    return fail("'slct' needs two types");
  Value *condition;
  if (by.isFloat()) {
    Value *x = readFloat(i.operands[3], by);
    condition = b.CreateFCmpOGE(ftz ? flush(x, by) : x, zeroLike(x));
  } else {
    Value *x = read(i.operands[3], by);
    condition = b.CreateICmpSGE(x, zeroLike(x));
  }
  write(i.operands[0], b.CreateSelect(condition, read(i.operands[1], type), read(i.operands[2], type)));
}

} // namespace cuda_emu
