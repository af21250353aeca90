// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves, loads, stores, atomics and addresses. Global, constant, local and parameter memory have the host's addresses;
// shared memory begins at 0, and its generic addresses are those of a window that the host never maps.

#include "../execute/Checker.h"
#include "../execute/Machine.h"
#include "Translator.h"

#include <cstddef>

namespace cuda_emu {

using namespace llvm;

void FunctionTranslator::emitMov(const Instruction &i, Modifiers &m) {
  Type type = m.takeType();
  if (!type || !checkOperands(i, 2, 2))
    return fail("'mov' without a type");
  if (type.kind == Type::Predicate)
    return write(i.operands[0], readPredicate(i.operands[1]));
  write(i.operands[0], read(i.operands[1], type), type.isSigned());
}

Space FunctionTranslator::takeSpace(Modifiers &m, bool &isCluster) {
  isCluster = false;
  if (m.take("global"))
    return Space::Global;
  if (m.takeAny({"shared", "shared::cta"}) != "")
    return Space::Shared;
  if (m.take("shared::cluster")) {
    isCluster = true;
    return Space::Shared;
  }
  if (m.take("local"))
    return Space::Local;
  if (m.take("const"))
    return Space::Const;
  if (m.takeAny({"param", "param::entry", "param::func"}) != "")
    return Space::Param;
  return Space::Generic;
}

void FunctionTranslator::takeCacheHints(Modifiers &m) {
  m.takeAny({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  while (m.takePrefix("L1::") || m.takePrefix("L2::"))
    ;
}

Value *FunctionTranslator::sharedPointer(Value *address) {
  Value *offset = b.CreateZExt(b.CreateZExtOrTrunc(address, i32), i64);
  return b.CreateGEP(i8, blockField(ptr, offsetof(Block, shared)), offset);
}

Value *FunctionTranslator::genericPointer(Value *address) {
  Value *upper = b.CreateLShr(address, constant(64, 32));
  Value *isShared = b.CreateICmpEQ(upper, constant(64, sharedWindow() >> 32));
  return b.CreateSelect(isShared, sharedPointer(address), b.CreateIntToPtr(address, ptr));
}

/// An address as a register would have it.
Value *FunctionTranslator::addressValue(const Operand &operand) {
  if (operand.name.empty())
    return constant(64, operand.offset);
  Operand base = operand;
  base.kind = Operand::Name;
  base.offset = 0;
  return b.CreateAdd(readBits(base, 64), constant(64, operand.offset));
}

void FunctionTranslator::checkAccess(Value *address, Space space, unsigned bytes, unsigned count, unsigned flags) {
  ModuleTranslator::Uses &own = module.uses[source.name];
  own.granule = std::min(own.granule, bytes);
  call("emu_check", b.getVoidTy(),
       {thread, address, constant(32, unsigned(space)), constant(32, bytes * count), constant(32, bytes * count),
        constant(32, flags), constant(32, current->line)});
}

Value *FunctionTranslator::hostPointer(const Operand &operand, Space space, unsigned bytes, unsigned count,
                                       unsigned flags) {
  if (operand.kind != Operand::Address) {
    fail("an address in brackets expected");
    return PoisonValue::get(ptr);
  }
  auto at = [&](Value *base, int64_t offset) { return b.CreateGEP(i8, base, constant(64, offset)); };
  if (!operand.name.empty() && !find(&Scope::registers, operand.name)) {
    auto parameter = parameterOffsets.find(operand.name);
    if (parameter != parameterOffsets.end())
      return at(blockField(ptr, offsetof(Block, parameters)), parameter->second + operand.offset);
    if (Memory *memory = find(&Scope::memory, operand.name))
      return at(memory->pointer, operand.offset);
    auto symbol = module.symbols.find(operand.name);
    if (symbol != module.symbols.end() && symbol->second.space == Space::Shared)
      space = Space::Shared;
  }
  Value *address = addressValue(operand);
  if (module.isWatched)
    checkAccess(address, space, bytes, count, flags);
  if (space == Space::Shared)
    return sharedPointer(address);
  if (space == Space::Generic)
    return genericPointer(address);
  return b.CreateIntToPtr(address, ptr);
}

void FunctionTranslator::emitLoad(const Instruction &i, Modifiers &m) {
  bool isVolatile = m.take("volatile"), isAcquire = m.take("acquire"), isAtomic = isAcquire || m.take("relaxed");
  m.takeAny({"weak"});
  m.take("mmio");
  m.takeAny({"cta", "cluster", "gpu", "sys"});
  bool isCluster;
  Space space = takeSpace(m, isCluster);
  m.take("nc");
  takeCacheHints(m);
  StringRef vector = m.takeAny({"v2", "v4", "v8"});
  unsigned count = vector.empty() ? 1 : vector[1] - '0';
  Type type = m.takeType();
  if (!type || type.kind == Type::Predicate || !checkOperands(i, 2, 3))
    return fail("'ld' without a type");
  unsigned bytes = type.width() / 8;
  if (isVolatile || isAtomic)
    call("emu_spin", b.getVoidTy(), {thread});
  unsigned flags = (isVolatile || isAtomic ? AccessAtomic : 0) | (isAcquire ? AccessAcquire : 0);
  Value *pointer = hostPointer(i.operands[1], space, bytes, count, flags);
  const Operand &to = i.operands[0];
  if (count > 1 && (to.kind != Operand::Vector || to.elements.size() != count))
    return fail("'ld." + vector + "' into something else than a vector");
  bool isParameter = i.operands[1].kind == Operand::Address && parameterOffsets.count(i.operands[1].name);
  SmallVector<Value *, 8> values;
  for (unsigned n = 0; n < count; ++n) {
    Value *at = n ? b.CreateConstGEP1_64(i8, pointer, n * bytes) : pointer;
    LoadInst *load = b.CreateAlignedLoad(integer(type.width()), at, Align(1), isVolatile);
    if (isAtomic && bytes <= 8) {
      load->setAlignment(Align(bytes));
      load->setAtomic(AtomicOrdering::Acquire);
    }
    if (isParameter)
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
    values.push_back(load);
  }
  for (unsigned n = 0; n < count; ++n)
    write(count > 1 ? to.elements[n] : to, values[n], type.isSigned());
}

void FunctionTranslator::emitStore(const Instruction &i, Modifiers &m) {
  bool isVolatile = m.take("volatile"), isRelease = m.take("release"), isAtomic = isRelease || m.take("relaxed");
  m.takeAny({"weak"});
  m.take("mmio");
  m.takeAny({"cta", "cluster", "gpu", "sys"});
  bool isCluster;
  Space space = takeSpace(m, isCluster);
  takeCacheHints(m);
  StringRef vector = m.takeAny({"v2", "v4", "v8"});
  unsigned count = vector.empty() ? 1 : vector[1] - '0';
  Type type = m.takeType();
  if (!type || type.kind == Type::Predicate || !checkOperands(i, 2, 3))
    return fail("'st' without a type");
  unsigned bytes = type.width() / 8;
  const Operand &from = i.operands[1];
  if (count > 1 && (from.kind != Operand::Vector || from.elements.size() != count))
    return fail("'st." + vector + "' of something else than a vector");
  SmallVector<Value *, 8> values;
  for (unsigned n = 0; n < count; ++n)
    values.push_back(read(count > 1 ? from.elements[n] : from, type));
  unsigned flags = AccessWrite | (isVolatile || isAtomic ? AccessAtomic : 0) | (isRelease ? AccessRelease : 0);
  Value *pointer = hostPointer(i.operands[0], space, bytes, count, flags);
  for (unsigned n = 0; n < count; ++n) {
    Value *at = n ? b.CreateConstGEP1_64(i8, pointer, n * bytes) : pointer;
    StoreInst *store = b.CreateAlignedStore(values[n], at, Align(1), isVolatile);
    if (isAtomic && bytes <= 8) {
      store->setAlignment(Align(bytes));
      store->setAtomic(AtomicOrdering::Release);
    }
  }
}

void FunctionTranslator::emitAtomic(const Instruction &i, Modifiers &m) {
  bool isRed = i.opcode == "red";
  StringRef order = m.takeAny({"relaxed", "acquire", "release", "acq_rel"});
  m.takeAny({"cta", "cluster", "gpu", "sys"});
  bool isCluster;
  Space space = takeSpace(m, isCluster);
  StringRef op = m.takeAny({"exch", "cas", "add", "inc", "dec", "min", "max", "and", "or", "xor"});
  takeCacheHints(m);
  m.take("noftz");
  StringRef vector = m.takeAny({"v2", "v4", "v8"});
  unsigned count = vector.empty() ? 1 : vector[1] - '0';
  Type type = m.takeType();
  size_t first = isRed ? 0 : 1, least = first + (op == "cas" ? 3 : 2);
  if (op.empty() || !type || !checkOperands(i, least, least + 1))
    return fail("'" + i.opcode + "' without an operation or a type");
  unsigned bytes = type.width() / 8;
  unsigned flags = AccessWrite | AccessAtomic | (order == "acquire" || order == "acq_rel" ? AccessAcquire : 0) |
                   (order == "release" || order == "acq_rel" ? AccessRelease : 0);
  if (!isRed)
    call("emu_spin", b.getVoidTy(), {thread});
  Value *pointer = hostPointer(i.operands[first], space, bytes, count, flags);
  const Operand &from = i.operands[first + 1];
  if (count > 1 && from.kind != Operand::Vector)
    return fail("a vector expected");
  auto at = [&](unsigned n) { return n ? b.CreateConstGEP1_64(i8, pointer, n * bytes) : pointer; };
  SmallVector<Value *, 8> results;
  for (unsigned n = 0; n < count; ++n) {
    Value *x = read(count > 1 ? from.elements[n] : from, type), *old;
    const AtomicOrdering ordering = AtomicOrdering::SequentiallyConsistent;
    if (op == "cas") {
      auto *exchange =
          b.CreateAtomicCmpXchg(at(n), x, read(i.operands[first + 2], type), Align(bytes), ordering, ordering);
      old = b.CreateExtractValue(exchange, 0);
    } else if (type.isFloat() && type.bits == 16) {
      int code = StringRef("add min max").find(op) / 4;
      if (op != "add" && op != "min" && op != "max")
        return fail("'" + i.opcode + "' has no '." + op + "' of this type");
      old = call("emu_atomic_small", i32,
                 {at(n), b.CreateZExt(x, i32), constant(32, code), constant(32, type.lanes),
                  constant(32, type.kind == Type::BFloat)});
      old = b.CreateTrunc(old, integer(type.width()));
    } else {
      bool isFloat = type.isFloat(), isSigned = type.isSigned();
      AtomicRMWInst::BinOp operation;
      if (op == "add")
        operation = isFloat ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
      else if (op == "exch")
        operation = AtomicRMWInst::Xchg;
      else if (isFloat)
        return fail("'" + i.opcode + "' has no '." + op + "' of this type");
      else if (op == "inc")
        operation = AtomicRMWInst::UIncWrap;
      else if (op == "dec")
        operation = AtomicRMWInst::UDecWrap;
      else if (op == "min")
        operation = isSigned ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
      else if (op == "max")
        operation = isSigned ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
      else if (op == "and")
        operation = AtomicRMWInst::And;
      else
        operation = op == "or" ? AtomicRMWInst::Or : AtomicRMWInst::Xor;
      old = b.CreateAtomicRMW(operation, at(n), isFloat ? unpackFloat(x, type) : x, Align(bytes), ordering);
      if (isFloat)
        old = b.CreateBitCast(old, integer(type.bits));
    }
    results.push_back(old);
  }
  if (isRed)
    return;
  for (unsigned n = 0; n < count; ++n)
    write(count > 1 ? i.operands[0].elements[n] : i.operands[0], results[n], type.isSigned());
}

void FunctionTranslator::emitCvta(const Instruction &i, Modifiers &m) {
  bool toSpace = m.take("to"), isCluster;
  Space space = takeSpace(m, isCluster);
  Type type = m.takeType();
  if (type.bits != 64 || !checkOperands(i, 2, 2))
    return fail("'cvta' is for 64 bits");
  Value *address = readBits(i.operands[1], 64);
  if (space == Space::Shared)
    address = toSpace ? b.CreateSub(address, constant(64, sharedWindow()))
                      : b.CreateAdd(address, constant(64, sharedWindow()));
  write(i.operands[0], address);
}

void FunctionTranslator::emitIsspacep(const Instruction &i, Modifiers &m) {
  bool isCluster;
  Space space = takeSpace(m, isCluster);
  if (!checkOperands(i, 2, 2))
    return;
  Value *isShared =
      b.CreateICmpEQ(b.CreateLShr(readBits(i.operands[1], 64), constant(64, 32)), constant(64, sharedWindow() >> 32));
  if (space == Space::Shared)
    return write(i.operands[0], isShared);
  if (space == Space::Global)
    return write(i.operands[0], b.CreateNot(isShared));
  fail("'isspacep' tells global and shared memory only");
}

void FunctionTranslator::emitFence(const Instruction &i, Modifiers &m) {
  if (m.has("proxy") || m.has("mbarrier_init"))
    return emitProxyFence(i, m);
  // All fences are full ones here.
  m.takeAll();
  if (module.isWatched)
    call("emu_fence", b.getVoidTy(), {thread});
  b.CreateFence(AtomicOrdering::SequentiallyConsistent);
}

/// Hints, and what only the hardware has.
void FunctionTranslator::emitIgnored(const Instruction &i, Modifiers &m) { m.takeAll(); }

} // namespace cuda_emu
