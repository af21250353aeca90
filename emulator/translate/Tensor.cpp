// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions and asynchronous copies within a warp: mma.sync, ldmatrix, stmatrix, cp.async.

#include "../execute/Tensor.h"
#include "../execute/Checker.h"
#include "../execute/Collectives.h"
#include "Translator.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

namespace cuda_emu {

using namespace llvm;

/// The registers of an operand: a vector, or one.
static ArrayRef<Operand> registersOf(const Operand &operand) {
  return operand.kind == Operand::Vector ? ArrayRef<Operand>(operand.elements) : ArrayRef<Operand>(operand);
}

/// All such instructions share one place: each would take half a kilobyte of the thread's stack.
void FunctionTranslator::placeMatrices() {
  if (matrixOperands)
    return;
  auto *type = ArrayType::get(i64, 32);
  matrixOperands = allocate(type, 8, "operands");
  matrixResults = allocate(type, 8, "results");
}

/// Puts the operands' registers into memory that the last lane of the warp reads, and takes the results from there.
void FunctionTranslator::emitMatrix(unsigned kind, uint64_t code, ArrayRef<Operand> operands, unsigned bits,
                                    ArrayRef<Operand> results) {
  placeMatrices();
  AllocaInst *in = matrixOperands, *out = matrixResults;
  for (size_t n = 0; n < operands.size(); ++n)
    b.CreateStore(b.CreateZExt(readBits(operands[n], bits), i64), b.CreateConstInBoundsGEP1_64(i64, in, n));
  call("emu_matrix", b.getVoidTy(),
       {thread, constant(32, kind), in, out, constant(64, code), constant(32, current->line)});
  for (size_t n = 0; n < results.size(); ++n)
    write(results[n], b.CreateTrunc(b.CreateLoad(i64, b.CreateConstInBoundsGEP1_64(i64, out, n)), integer(bits)));
}

bool parseMatrixType(StringRef name, MatrixType &type) {
  int found = StringSwitch<int>(name)
                  .Case("f16", int(MatrixType::F16))
                  .Case("bf16", int(MatrixType::BF16))
                  .Case("tf32", int(MatrixType::TF32))
                  .Case("f32", int(MatrixType::F32))
                  .Case("f64", int(MatrixType::F64))
                  .Case("e4m3", int(MatrixType::E4M3))
                  .Case("e5m2", int(MatrixType::E5M2))
                  .Case("s8", int(MatrixType::S8))
                  .Case("u8", int(MatrixType::U8))
                  .Case("s32", int(MatrixType::S32))
                  .Default(-1);
  type = MatrixType(found);
  return found >= 0;
}

void FunctionTranslator::emitMma(const Instruction &i, Modifiers &m) {
  Mma mma = {};
  unsigned n = 0;
  std::vector<MatrixType> types;
  bool isKnown = true;
  for (StringRef modifier : i.modifiers) {
    MatrixType type;
    if (modifier == "sync" || modifier == "aligned" || modifier == "row" || modifier == "col")
      continue;
    if (modifier == "satfinite") {
      mma.saturates = 1;
    } else if (parseMatrixType(modifier, type)) {
      types.push_back(type);
    } else {
      unsigned rows = 0, depth = 0;
      auto [left, right] = modifier.split('k');
      auto [first, second] = left.split('n');
      isKnown &= first.consume_front("m") && !first.getAsInteger(10, rows) && !second.getAsInteger(10, n) &&
                 !right.getAsInteger(10, depth);
      mma.m = rows;
      mma.k = depth;
    }
  }
  isKnown &= types.size() == 4 && n == 8 && (mma.m == 8 || mma.m == 16) && mma.k >= 4 && mma.k <= 32;
  if (!isKnown || !checkOperands(i, 4, 4)) {
    m.takeAll();
    return fail("this shape or type of 'mma' is not supported");
  }
  m.takeAll();
  mma.d = types[0];
  mma.a = types[1];
  mma.b = types[2];
  mma.c = types[3];
  std::vector<Operand> operands;
  for (unsigned k = 1; k < 4; ++k)
    for (const Operand &reg : registersOf(i.operands[k]))
      operands.push_back(reg);
  unsigned word = mma.d == MatrixType::F64 ? 8 : 4;
  unsigned expected =
      (mma.m * mma.k * elementBytes(mma.a) + mma.k * 8 * elementBytes(mma.b) + mma.m * 8 * elementBytes(mma.c)) / 32 /
      word;
  if (operands.size() != expected || registersOf(i.operands[0]).size() != mma.m * 8 * elementBytes(mma.d) / 32 / word)
    return fail("'mma' with a wrong number of registers");
  emitMatrix(CollectiveMma, bit_cast<uint64_t>(mma), operands, 8 * word, registersOf(i.operands[0]));
}

void FunctionTranslator::emitLdmatrix(const Instruction &i, Modifiers &m) {
  bool isLoad = i.opcode == "ldmatrix";
  m.take("sync");
  m.take("aligned");
  m.takeAny({"shared", "shared::cta"});
  StringRef count = m.takeAny({"x1", "x2", "x4"});
  bool transposed = m.take("trans");
  if (!m.take("m8n8") || !m.take("b16") || count.empty() || !checkOperands(i, 2, 2))
    return fail("'" + i.opcode + "' is for matrices of 8 x 8 elements of 16 bits");
  const Operand &matrices = i.operands[isLoad ? 0 : 1], &address = i.operands[isLoad ? 1 : 0];
  unsigned number = count[1] - '0';
  if (registersOf(matrices).size() != number)
    return fail("'" + i.opcode + "' with a wrong number of registers");
  if (address.kind != Operand::Address)
    return fail("an address in brackets expected");
  Value *from = addressValue(address);
  placeMatrices();
  AllocaInst *in = matrixOperands, *out = matrixResults;
  // The address, then what is stored.
  b.CreateStore(from, in);
  if (!isLoad)
    for (unsigned n = 0; n < number; ++n)
      b.CreateStore(b.CreateZExt(readBits(registersOf(matrices)[n], 32), i64),
                    b.CreateConstInBoundsGEP1_64(i64, in, n + 1));
  call("emu_matrix", b.getVoidTy(),
       {thread, constant(32, isLoad ? CollectiveLoadMatrix : CollectiveStoreMatrix), in, out,
        constant(64, number | (transposed ? 8 : 0)), constant(32, current->line)});
  if (isLoad)
    for (unsigned n = 0; n < number; ++n)
      write(registersOf(matrices)[n], b.CreateTrunc(b.CreateLoad(i64, b.CreateConstInBoundsGEP1_64(i64, out, n)), i32));
}

/// cp.async and its groups.
void FunctionTranslator::emitCp(const Instruction &i, Modifiers &m) {
  if (!m.take("async"))
    return fail("'cp' needs .async");
  if (m.take("bulk"))
    return emitBulk(i, m);
  Value *line = constant(32, i.line);
  if (m.take("commit_group")) {
    call("emu_async_commit", b.getVoidTy(), {thread});
    return;
  }
  bool waitsForAll = m.take("wait_all");
  if (waitsForAll || m.take("wait_group")) {
    if (checkOperands(i, !waitsForAll, !waitsForAll))
      call("emu_async_wait", b.getVoidTy(),
           {thread, waitsForAll ? constant(32, 0) : readBits(i.operands[0], 32), constant(32, waitsForAll)});
    return;
  }
  m.takeAny({"ca", "cg"});
  m.takeAny({"shared", "shared::cta"});
  m.take("global");
  takeCacheHints(m);
  if (!checkOperands(i, 3, 5) || i.operands[2].kind != Operand::Integer)
    return fail("'cp.async' needs a size");
  unsigned bytes = i.operands[2].bits;
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return fail("'cp.async' copies 4, 8 or 16 bytes");
  Value *to = addressValue(i.operands[0]), *from = addressValue(i.operands[1]);
  Value *taken = constant(32, bytes);
  if (i.operands.size() > 3) {
    const Operand &size = i.operands[3];
    Register *reg = size.kind == Operand::Name ? find(&Scope::registers, size.name) : nullptr;
    if (reg && reg->bits == 1) // ignore-src
      taken = b.CreateSelect(readPredicate(size), constant(32, 0), taken);
    else
      taken = readBits(size, 32);
  }
  module.uses[source.name].granule = std::min(module.uses[source.name].granule, 4u);
  call("emu_async_copy", b.getVoidTy(), {thread, to, from, constant(32, bytes), taken, line});
}

} // namespace cuda_emu
