// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, calls and ends of threads.

#include "Translator.h"

namespace cuda_emu {

using namespace llvm;

BasicBlock *FunctionTranslator::label(StringRef name) {
  if (BasicBlock **found = find(&Scope::labels, name))
    return *found;
  fail("label '" + name + "' is not defined");
  return nullptr;
}

void FunctionTranslator::emitBra(const Instruction &i, Modifiers &m) {
  m.take("uni");
  if (!checkOperands(i, 1, 1))
    return;
  if (BasicBlock *target = label(i.operands[0].name))
    b.CreateBr(target);
}

void FunctionTranslator::emitBrx(const Instruction &i, Modifiers &m) {
  m.take("uni");
  if (!m.take("idx") || !checkOperands(i, 2, 2))
    return fail("'brx' needs .idx");
  const std::vector<StringRef> *targets = nullptr;
  for (unsigned scope = i.scope;; scope = source.scopeParents[scope]) {
    auto found = source.branchTargets.find({scope, i.operands[1].name});
    if (found != source.branchTargets.end())
      targets = &found->second;
    if (targets || scope == 0)
      break;
  }
  if (!targets)
    return fail("the list of targets '" + i.operands[1].name + "' is not defined");
  Value *index = readBits(i.operands[0], 32);
  auto *beyond = BasicBlock::Create(context, "beyond", function);
  SwitchInst *branch = b.CreateSwitch(index, beyond, targets->size());
  for (size_t n = 0; n < targets->size(); ++n)
    if (BasicBlock *target = label((*targets)[n]))
      branch->addCase(ConstantInt::get(i32, n), target);
  b.SetInsertPoint(beyond);
  b.CreateUnreachable();
}

void FunctionTranslator::emitCall(const Instruction &i, Modifiers &m) {
  m.take("uni");
  ArrayRef<Operand> operands = i.operands;
  ArrayRef<Operand> results, parameters;
  if (!operands.empty() && operands[0].kind == Operand::List) {
    results = operands[0].elements;
    operands = operands.drop_front();
  }
  if (operands.empty() || operands[0].kind != Operand::Name)
    return fail("'call' of what?");
  const Operand &callee = operands[0];
  if (operands.size() > 1 && operands[1].kind == Operand::List)
    parameters = operands[1].elements;
  SmallVector<Value *> arguments = {thread};
  for (ArrayRef<Operand> list : {results, parameters})
    for (const Operand &operand : list) {
      Memory *memory = operand.kind == Operand::Name ? find(&Scope::memory, operand.name) : nullptr;
      if (!memory)
        return fail("what is handed to a function has to be in .param");
      arguments.push_back(memory->pointer);
    }
  // A function of the driver's: whoever declares it may call it.
  if (callee.name == "cudaGraphSetConditional" && arguments.size() == 3) {
    call("emu_set_conditional", b.getVoidTy(),
         {thread, constant(32, i.line), b.CreateLoad(i64, arguments[1]), b.CreateLoad(i32, arguments[2])});
    return;
  }
  auto found = module.functions.find(callee.name);
  if (found != module.functions.end()) {
    if (found->second->arg_size() != arguments.size())
      return fail("'" + callee.name + "' has other parameters");
    b.CreateCall(found->second, arguments);
    return;
  }
  if (!find(&Scope::registers, callee.name))
    return fail("function '" + callee.name + "' is not defined");
  std::vector<llvm::Type *> types(arguments.size(), ptr);
  b.CreateCall(FunctionType::get(b.getVoidTy(), types, false), b.CreateIntToPtr(readBits(callee, 64), ptr), arguments);
}

void FunctionTranslator::emitRet(const Instruction &i, Modifiers &m) {
  m.take("uni");
  b.CreateRetVoid();
}

void FunctionTranslator::emitExit(const Instruction &i, Modifiers &m) {
  if (!source.isEntry)
    call("emu_exit", b.getVoidTy(), {thread});
  b.CreateRetVoid();
}

void FunctionTranslator::emitTrap(const Instruction &i, Modifiers &m) {
  call("emu_trap", b.getVoidTy(), {thread, constant(32, i.line)});
  b.CreateRetVoid();
}

void FunctionTranslator::emitNanosleep(const Instruction &i, Modifiers &m) {
  m.takeType();
  call("emu_yield", b.getVoidTy(), {thread});
}

} // namespace cuda_emu
