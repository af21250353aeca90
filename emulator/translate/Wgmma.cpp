// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma. Registers that such an instruction has in the function live in memory, where whoever makes the product finds
// them; in checked mode every other instruction that reads or writes them says so.

#include "../execute/Wgmma.h"
#include "Translator.h"

#include "llvm/ADT/bit.h"

namespace cuda_emu {

using namespace llvm;

void FunctionTranslator::placeWgmmaRegisters() {
  SmallVector<Register *> registers;
  for (const Instruction &instruction : source.body) {
    if (instruction.opcode != "wgmma")
      continue;
    current = &instruction;
    for (const Operand &operand : instruction.operands)
      for (const Operand &element : operand.elements) {
        Register *reg = find(&Scope::registers, element.name);
        if (!reg || reg->bits != 32)
          return fail("registers of 32 bits expected");
        if (!reg->isWgmma)
          registers.push_back(reg);
        reg->isWgmma = true;
      }
  }
  if (registers.empty())
    return;
  numWgmmaRegisters = registers.size();
  auto *type = ArrayType::get(i32, registers.size() * sizeof(WgmmaRegister) / 4);
  wgmmaRegisters = allocate(type, 8, "wgmma");
  b.SetInsertPoint(&function->getEntryBlock());
  b.CreateStore(ConstantAggregateZero::get(type), wgmmaRegisters);
  for (auto [n, reg] : llvm::enumerate(registers)) {
    reg->slot = b.CreateConstInBoundsGEP1_64(i8, wgmmaRegisters, n * sizeof(WgmmaRegister));
    // Before the first fence all were touched.
    b.CreateStore(constant(32, WgmmaTouched),
                  b.CreateConstInBoundsGEP1_64(i8, reg->slot, offsetof(WgmmaRegister, flags)));
  }
}

void FunctionTranslator::touchWgmmaRegister(const Register &reg, bool isWrite) {
  if (module.isWatched)
    call("emu_wgmma_touch", b.getVoidTy(), {thread, reg.slot, constant(32, isWrite), constant(32, current->line)});
}

void FunctionTranslator::emitWgmma(const Instruction &i, Modifiers &m) {
  bool isFence = m.take("fence"), commits = m.take("commit_group"), waits = m.take("wait_group");
  bool isProduct = m.take("mma_async");
  if (!m.take("sync") || !m.take("aligned"))
    return fail("'wgmma' needs .sync.aligned");
  Value *line = constant(32, i.line);
  if (isFence) {
    if (checkOperands(i, 0, 0) && wgmmaRegisters)
      call("emu_wgmma_fence", b.getVoidTy(), {thread, wgmmaRegisters, constant(32, numWgmmaRegisters)});
    return;
  }
  if (commits) {
    if (checkOperands(i, 0, 0))
      call("emu_wgmma_commit", b.getVoidTy(), {thread, line});
    return;
  }
  if (waits) {
    if (checkOperands(i, 1, 1))
      call("emu_wgmma_wait", b.getVoidTy(), {thread, readBits(i.operands[0], 32), line});
    return;
  }
  if (!isProduct)
    return fail("this form of 'wgmma' is not supported");
  emitWgmmaProduct(i, m);
}

static bool isIn(MatrixType type, std::initializer_list<MatrixType> types) { return llvm::is_contained(types, type); }

void FunctionTranslator::emitWgmmaProduct(const Instruction &i, Modifiers &m) {
  using M = MatrixType;
  Wgmma code = {};
  unsigned rows = 0, columns = 0, depth = 0;
  SmallVector<MatrixType, 3> types;
  for (StringRef modifier : i.modifiers) {
    MatrixType type;
    StringRef rest = modifier;
    if (modifier == "satfinite" && m.take(modifier)) {
      code.saturates = 1;
    } else if (parseMatrixType(modifier, type) && m.take(modifier)) {
      types.push_back(type);
    } else if (rest.consume_front("m") && !rest.consumeInteger(10, rows) && rest.consume_front("n") &&
               !rest.consumeInteger(10, columns) && rest.consume_front("k") && !rest.getAsInteger(10, depth)) {
      m.take(modifier);
    }
  }
  if (types.size() != 3 || rows != 64 || columns % 8 || columns < 8 || columns > 256)
    return fail("this shape or type of 'wgmma' is not supported");
  code.d = types[0];
  code.a = types[1];
  code.b = types[2];
  code.n8 = columns / 8;
  bool isInteger = code.d == M::S32, isSmall = isIn(code.a, {M::E4M3, M::E5M2});
  bool isHalf = isIn(code.a, {M::F16, M::BF16});
  bool isKnown = isInteger                   ? isIn(code.a, {M::S8, M::U8}) && isIn(code.b, {M::S8, M::U8})
                 : isSmall                   ? isIn(code.b, {M::E4M3, M::E5M2}) && isIn(code.d, {M::F16, M::F32})
                 : code.a == MatrixType::F16 ? code.b == code.a && isIn(code.d, {M::F16, M::F32})
                                             : isIn(code.a, {M::BF16, M::TF32}) && code.b == code.a && code.d == M::F32;
  if (!isKnown || depth != code.k() || (code.saturates && !isInteger) || (isInteger && columns > 32 && columns % 16))
    return fail("this shape or type of 'wgmma' is not supported");
  code.isARegisters = i.operands.size() > 1 && i.operands[1].kind == Operand::Vector;
  // d, a, b, scale-d; signs of a and b; whether those in shared memory are transposed.
  size_t count = 4 + (isInteger ? 0 : 2) + (isHalf ? (code.isARegisters ? 1 : 2) : 0);
  if (!checkOperands(i, count, count))
    return;
  SmallVector<int64_t, 4> numbers;
  for (const Operand &operand : ArrayRef<Operand>(i.operands).drop_front(4)) {
    if (operand.kind != Operand::Integer)
      return fail("the last operands of 'wgmma' are numbers");
    numbers.push_back(operand.bits);
  }
  for (size_t n = 0; n < numbers.size(); ++n)
    if (n < 2 ? numbers[n] != 1 && numbers[n] != -1 : numbers[n] != 0 && numbers[n] != 1)
      return fail("the last operands of 'wgmma' are signs 1 or -1, and 0 or 1 for transpositions");
  if (numbers.size() > 1) {
    code.negatesA = numbers[0] < 0;
    code.negatesB = numbers[1] < 0;
  }
  if (isHalf) {
    code.transposesA = !code.isARegisters && numbers[2];
    code.transposesB = numbers.back();
  }
  SmallVector<Operand> registers(i.operands[0].elements.begin(), i.operands[0].elements.end());
  code.registersD = columns / (code.d == M::F16 ? 4 : 2);
  code.registersA = code.isARegisters ? 4 : 0;
  if (code.isARegisters)
    registers.append(i.operands[1].elements.begin(), i.operands[1].elements.end());
  if (i.operands[0].elements.size() != code.registersD || registers.size() != size_t(code.registersD) + code.registersA)
    return fail("'wgmma' with a wrong number of registers");
  AllocaInst *list = allocate(ArrayType::get(ptr, registers.size()), 8, "registers");
  for (auto [n, operand] : llvm::enumerate(registers))
    b.CreateStore(find(&Scope::registers, operand.name)->slot, b.CreateConstInBoundsGEP1_64(ptr, list, n));
  Value *a = code.isARegisters ? constant(64, 0) : readBits(i.operands[1], 64);
  call("emu_wgmma", b.getVoidTy(),
       {thread, constant(64, bit_cast<uint64_t>(code)), list, a, readBits(i.operands[2], 64),
        b.CreateZExt(readPredicate(i.operands[3]), i32), constant(32, i.line)});
}

} // namespace cuda_emu
