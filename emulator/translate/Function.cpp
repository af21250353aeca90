// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function: its registers and variables, operands, results, guards; who emits which instruction.

#include "../execute/Machine.h"
#include "Translator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"

#include <cstddef>

namespace cuda_emu {

using namespace llvm;

Type Type::parse(StringRef text) {
  if (text == "pred")
    return {Predicate, 1, 1};
  unsigned lanes = 1;
  if (text.consume_back("x2"))
    lanes = 2;
  Kind kind = None;
  if (text.consume_front("bf"))
    kind = BFloat;
  else if (text.consume_front("f"))
    kind = Float;
  else if (text.consume_front("b"))
    kind = Bits;
  else if (text.consume_front("u"))
    kind = Unsigned;
  else if (text.consume_front("s"))
    kind = Signed;
  unsigned bits;
  if (kind == None || text.getAsInteger(10, bits))
    return {};
  bool isKnown = kind == BFloat  ? bits == 16
                 : kind == Float ? bits == 16 || (lanes == 1 && (bits == 32 || bits == 64))
                                 : bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
  return isKnown ? Type{kind, bits, lanes} : Type{};
}

bool Modifiers::take(StringRef name) {
  for (size_t i = 0; i < list.size(); ++i)
    if (!(used >> i & 1) && list[i] == name) {
      used |= uint64_t(1) << i;
      return true;
    }
  return false;
}

bool Modifiers::takePrefix(StringRef prefix) {
  for (size_t i = 0; i < list.size(); ++i)
    if (!(used >> i & 1) && list[i].starts_with(prefix)) {
      used |= uint64_t(1) << i;
      return true;
    }
  return false;
}

StringRef Modifiers::takeAny(std::initializer_list<StringRef> names) {
  for (StringRef name : names)
    if (take(name))
      return name;
  return "";
}

Type Modifiers::takeType() {
  for (size_t i = 0; i < list.size(); ++i)
    if (!(used >> i & 1))
      if (Type type = Type::parse(list[i])) {
        used |= uint64_t(1) << i;
        return type;
      }
  return {};
}

bool Modifiers::has(StringRef name) const {
  for (size_t i = 0; i < list.size(); ++i)
    if (!(used >> i & 1) && list[i] == name)
      return true;
  return false;
}

StringRef Modifiers::unused() const {
  for (size_t i = 0; i < list.size(); ++i)
    if (!(used >> i & 1))
      return list[i];
  return "";
}

FunctionTranslator::FunctionTranslator(ModuleTranslator &module, const ptx::Function &source, llvm::Function *function)
    : module(module), source(source), function(function), context(module.context), b(context),
      i1(llvm::Type::getInt1Ty(context)), i8(llvm::Type::getInt8Ty(context)), i16(llvm::Type::getInt16Ty(context)),
      i32(llvm::Type::getInt32Ty(context)), i64(llvm::Type::getInt64Ty(context)), ptr(PointerType::getUnqual(context)),
      f32(llvm::Type::getFloatTy(context)), f64(llvm::Type::getDoubleTy(context)) {}

const StringMap<FunctionTranslator::Handler> &FunctionTranslator::handlers() {
  using F = FunctionTranslator;
  static const StringMap<Handler> table = {
      {"add", &F::emitArithmetic},
      {"sub", &F::emitArithmetic},
      {"addc", &F::emitArithmetic},
      {"subc", &F::emitArithmetic},
      {"mul", &F::emitMul},
      {"mad", &F::emitMad},
      {"madc", &F::emitMad},
      {"mul24", &F::emitMul24},
      {"mad24", &F::emitMul24},
      {"div", &F::emitDivRem},
      {"rem", &F::emitDivRem},
      {"min", &F::emitMinMax},
      {"max", &F::emitMinMax},
      {"abs", &F::emitSign},
      {"neg", &F::emitSign},
      {"and", &F::emitLogic},
      {"or", &F::emitLogic},
      {"xor", &F::emitLogic},
      {"not", &F::emitLogic},
      {"cnot", &F::emitLogic},
      {"shl", &F::emitShift},
      {"shr", &F::emitShift},
      {"shf", &F::emitFunnel},
      {"bfe", &F::emitBitField},
      {"bfi", &F::emitBitField},
      {"bmsk", &F::emitBitField},
      {"szext", &F::emitBitField},
      {"popc", &F::emitBitCount},
      {"clz", &F::emitBitCount},
      {"brev", &F::emitBitCount},
      {"bfind", &F::emitBitCount},
      {"fns", &F::emitBitCount},
      {"lop3", &F::emitLop3},
      {"prmt", &F::emitPrmt},
      {"dp4a", &F::emitDot},
      {"dp2a", &F::emitDot},
      {"sad", &F::emitSad},
      {"fma", &F::emitFma},
      {"sqrt", &F::emitUnaryFloat},
      {"rsqrt", &F::emitUnaryFloat},
      {"rcp", &F::emitUnaryFloat},
      {"ex2", &F::emitUnaryFloat},
      {"lg2", &F::emitUnaryFloat},
      {"sin", &F::emitUnaryFloat},
      {"cos", &F::emitUnaryFloat},
      {"tanh", &F::emitUnaryFloat},
      {"testp", &F::emitTestp},
      {"copysign", &F::emitCopysign},
      {"setp", &F::emitSetp},
      {"set", &F::emitSet},
      {"selp", &F::emitSelp},
      {"slct", &F::emitSlct},
      {"cvt", &F::emitCvt},
      {"mov", &F::emitMov},
      {"ld", &F::emitLoad},
      {"ldu", &F::emitLoad},
      {"st", &F::emitStore},
      {"atom", &F::emitAtomic},
      {"red", &F::emitAtomic},
      {"cvta", &F::emitCvta},
      {"isspacep", &F::emitIsspacep},
      {"fence", &F::emitFence},
      {"membar", &F::emitFence},
      {"prefetch", &F::emitIgnored},
      {"prefetchu", &F::emitIgnored},
      {"discard", &F::emitIgnored},
      {"applypriority", &F::emitIgnored},
      {"griddepcontrol", &F::emitIgnored},
      {"pmevent", &F::emitIgnored},
      {"bra", &F::emitBra},
      {"brx", &F::emitBrx},
      {"call", &F::emitCall},
      {"ret", &F::emitRet},
      {"exit", &F::emitExit},
      {"trap", &F::emitTrap},
      {"brkpt", &F::emitIgnored},
      {"nanosleep", &F::emitNanosleep},
      {"bar", &F::emitBar},
      {"barrier", &F::emitBar},
      {"shfl", &F::emitShfl},
      {"vote", &F::emitVote},
      {"match", &F::emitMatch},
      {"redux", &F::emitRedux},
      {"elect", &F::emitElect},
      {"activemask", &F::emitActivemask},
      {"mma", &F::emitMma},
      {"ldmatrix", &F::emitLdmatrix},
      {"stmatrix", &F::emitLdmatrix},
      {"cp", &F::emitCp},
      {"wgmma", &F::emitWgmma},
      {"mbarrier", &F::emitMbarrier},
      {"setmaxnreg", &F::emitSetmaxnreg},
      {"mapa", &F::emitMapa},
      {"getctarank", &F::emitGetctarank},
  };
  return table;
}

void FunctionTranslator::fail(const Twine &what) { module.fail(current ? current->line : source.line, what); }

AllocaInst *FunctionTranslator::allocate(llvm::Type *type, unsigned alignment, const Twine &name) {
  IRBuilder<> entry(&function->getEntryBlock(), function->getEntryBlock().begin());
  AllocaInst *slot = entry.CreateAlloca(type, nullptr, name);
  if (alignment)
    slot->setAlignment(Align(alignment));
  return slot;
}

void FunctionTranslator::declare() {
  scopes.resize(source.scopeParents.size());
  for (const ptx::Register &reg : source.registers) {
    auto add = [&](StringRef name) {
      scopes[reg.scope].registers[name] = {allocate(integer(reg.bits), 0, name), reg.bits};
    };
    if (!reg.isRange)
      add(reg.name);
    else
      for (unsigned i = 0; i < reg.count; ++i)
        add((reg.name + Twine(i)).str());
  }
  for (const ptx::Variable &variable : source.variables) {
    if (variable.space != Space::Local && variable.space != Space::Param)
      continue;
    auto *type = ArrayType::get(i8, variable.bytes);
    scopes[variable.scope].memory[variable.name] = {allocate(type, std::max(variable.alignment, 8u), variable.name),
                                                    variable.space};
  }
  if (source.isEntry) {
    uint64_t offset = 0;
    for (const ptx::Variable &parameter : source.parameters) {
      offset = alignTo(offset, parameter.alignment);
      parameterOffsets[parameter.name] = offset;
      offset += parameter.bytes;
    }
    // As ptxas has it.
    uint64_t most = module.source.version < 81 ? 4352 : 32764;
    if (offset > most)
      fail("'" + Twine(source.name) + "' has " + Twine(offset) + " bytes of parameters, and " + Twine(most) +
           " are possible");
    return;
  }
  unsigned argument = 1;
  for (const ptx::Variable &result : source.results)
    scopes[0].memory[result.name] = {function->getArg(argument++), Space::Param};
  for (const ptx::Variable &parameter : source.parameters)
    scopes[0].memory[parameter.name] = {function->getArg(argument++), Space::Param};
}

/// A function that calls itself, however indirectly, must not get to the end of the stack: what is called there of the
/// emulator, such as the allocation of memory, cannot be left halfway.
void FunctionTranslator::checkStack() {
  Value *frame = b.CreatePtrToInt(b.CreateIntrinsic(Intrinsic::frameaddress, {ptr}, {constant(32, 0)}), i64);
  auto *isOver = BasicBlock::Create(context, "over", function), *body = BasicBlock::Create(context, "body", function);
  b.CreateCondBr(b.CreateICmpULT(frame, threadField(i64, offsetof(Thread, stackLimit))), isOver, body);
  b.SetInsertPoint(isOver);
  call("emu_overflow", b.getVoidTy(), {thread, constant(32, source.line)});
  b.CreateUnreachable();
  b.SetInsertPoint(body);
}

void FunctionTranslator::run() {
  auto *entry = BasicBlock::Create(context, "entry", function);
  b.SetInsertPoint(entry);
  declare();
  placeWgmmaRegisters();
  if (module.failed())
    return;
  // What was never written is at least the same in each run.
  for (const Scope &scope : scopes)
    for (const auto &reg : scope.registers)
      b.CreateStore(Constant::getNullValue(integer(reg.second.bits)), reg.second.slot);
  llvm::DIBuilder &debug = *module.debug;
  auto *type = debug.createSubroutineType(debug.getOrCreateTypeArray({}));
  auto *program = debug.createFunction(module.debugFile, source.name, function->getName(), module.debugFile,
                                       source.line, type, source.line, DINode::FlagZero,
                                       DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  function->setSubprogram(program);
  b.SetCurrentDebugLocation(DILocation::get(context, source.line, 0, program));
  thread = function->getArg(0);
  block = threadField(ptr, offsetof(Thread, block));
  if (!source.isEntry)
    checkStack();
  for (const Instruction &instruction : source.body)
    if (!instruction.label.empty())
      if (!scopes[instruction.scope]
               .labels.try_emplace(instruction.label, BasicBlock::Create(context, instruction.label, function))
               .second)
        module.fail(instruction.line, "label '" + instruction.label + "' is defined twice");
  for (const Instruction &instruction : source.body) {
    current = &instruction;
    b.SetCurrentDebugLocation(DILocation::get(context, instruction.line, 0, program));
    if (!instruction.label.empty()) {
      BasicBlock *target = scopes[instruction.scope].labels[instruction.label];
      if (!b.GetInsertBlock()->getTerminator())
        b.CreateBr(target);
      b.SetInsertPoint(target);
    } else {
      if (b.GetInsertBlock()->getTerminator())
        b.SetInsertPoint(BasicBlock::Create(context, "unreachable", function));
      emit(instruction);
    }
    if (module.failed())
      return;
  }
  if (!b.GetInsertBlock()->getTerminator())
    b.CreateRetVoid();
}

void FunctionTranslator::emit(const Instruction &instruction) {
  auto handler = handlers().find(instruction.opcode);
  std::string spelling = instruction.opcode.str();
  for (StringRef modifier : instruction.modifiers)
    spelling += "." + modifier.str();
  if (handler == handlers().end())
    return fail("unknown instruction '" + spelling + "'");
  BasicBlock *after = nullptr;
  if (!instruction.guard.empty()) {
    Operand guard;
    guard.kind = Operand::Name;
    guard.name = instruction.guard;
    Value *condition = readPredicate(guard);
    auto *then = BasicBlock::Create(context, "then", function);
    after = BasicBlock::Create(context, "after", function);
    if (instruction.isGuardNegated)
      b.CreateCondBr(condition, after, then);
    else
      b.CreateCondBr(condition, then, after);
    b.SetInsertPoint(then);
  }
  Modifiers modifiers(instruction.modifiers);
  (this->*handler->second)(instruction, modifiers);
  if (!modifiers.unused().empty())
    fail("'." + modifiers.unused() + "' in '" + spelling + "' is not supported");
  if (module.failed())
    return;
  if (after) {
    if (!b.GetInsertBlock()->getTerminator())
      b.CreateBr(after);
    b.SetInsertPoint(after);
  }
}

bool FunctionTranslator::checkOperands(const Instruction &i, size_t least, size_t most) {
  if (i.operands.size() >= least && i.operands.size() <= most)
    return true;
  fail("'" + i.opcode + "' with " + Twine(i.operands.size()) + " operands");
  return false;
}

llvm::Type *FunctionTranslator::floatType(Type type) {
  llvm::Type *scalar = type.bits == 64 ? f64 : f32;
  return type.lanes == 1 ? scalar : FixedVectorType::get(scalar, type.lanes);
}

Value *FunctionTranslator::threadField(llvm::Type *type, uint64_t offset) {
  auto *load = b.CreateLoad(type, b.CreateConstInBoundsGEP1_64(i8, thread, offset));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  return load;
}

Value *FunctionTranslator::blockField(llvm::Type *type, uint64_t offset) {
  auto *load = b.CreateLoad(type, b.CreateConstInBoundsGEP1_64(i8, block, offset));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  return load;
}

Value *FunctionTranslator::call(StringRef name, llvm::Type *result, ArrayRef<Value *> arguments) {
  SmallVector<llvm::Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  return b.CreateCall(module.runtime(name, result, types), arguments);
}

Value *FunctionTranslator::intrinsic(unsigned id, ArrayRef<Value *> arguments) {
  return b.CreateIntrinsic(arguments[0]->getType(), id, arguments);
}

Value *FunctionTranslator::symbolAddress(StringRef name) {
  if (source.isEntry) {
    auto found = parameterOffsets.find(name);
    if (found != parameterOffsets.end())
      return b.CreateAdd(b.CreatePtrToInt(blockField(ptr, offsetof(Block, parameters)), i64),
                         constant(64, found->second));
  }
  if (Memory *memory = find(&Scope::memory, name))
    return b.CreatePtrToInt(memory->pointer, i64);
  auto symbol = module.symbols.find(name);
  if (symbol != module.symbols.end()) {
    Value *address = symbol->second.isDynamic ? b.CreateZExt(blockField(i32, offsetof(Block, dynamicOffset)), i64)
                                              : constant(64, symbol->second.address);
    const unsigned *cluster = source.requiredCluster;
    if (symbol->second.space != Space::Shared || cluster[0] * cluster[1] * cluster[2] <= 1)
      return address;
    // As on a GPU, it says which block of the cluster it is of.
    Value *window = b.CreateAdd(blockField(i32, offsetof(Block, rank)), constant(32, 1));
    return b.CreateOr(address, b.CreateShl(b.CreateZExt(window, i64), constant(64, clusterShift)));
  }
  auto callee = module.functions.find(name);
  return callee == module.functions.end() ? nullptr : b.CreatePtrToInt(callee->second, i64);
}

Value *FunctionTranslator::specialRegister(StringRef name) {
  auto dimension = [&](StringRef prefix, int &index) {
    StringRef rest = name;
    if (!rest.consume_front(prefix))
      return false;
    index = StringSwitch<int>(rest).Case(".x", 0).Case(".y", 1).Case(".z", 2).Default(-1);
    return index >= 0;
  };
  int d;
  if (dimension("%tid", d))
    return threadField(i32, offsetof(Thread, tid) + 4 * d);
  if (dimension("%ntid", d))
    return blockField(i32, offsetof(Block, ntid) + 4 * d);
  if (dimension("%ctaid", d))
    return blockField(i32, offsetof(Block, ctaid) + 4 * d);
  if (dimension("%nctaid", d))
    return blockField(i32, offsetof(Block, nctaid) + 4 * d);
  if (dimension("%cluster_ctaid", d))
    return blockField(i32, offsetof(Block, clusterBlock) + 4 * d);
  if (dimension("%cluster_nctaid", d))
    return blockField(i32, offsetof(Block, clusterShape) + 4 * d);
  if (dimension("%clusterid", d))
    return blockField(i32, offsetof(Block, cluster) + 4 * d);
  if (dimension("%nclusterid", d))
    return blockField(i32, offsetof(Block, clusters) + 4 * d);
  if (name == "%cluster_ctarank")
    return blockField(i32, offsetof(Block, rank));
  if (name == "%cluster_nctarank")
    return blockField(i32, offsetof(Block, clusterBlocks));
  Value *lane = threadField(i32, offsetof(Thread, lane)), *one = constant(32, 1);
  if (name == "%laneid")
    return lane;
  if (name == "%warpid")
    return threadField(i32, offsetof(Thread, warp));
  if (name == "%nwarpid")
    return blockField(i32, offsetof(Block, numWarps));
  if (name == "%lanemask_eq")
    return b.CreateShl(one, lane);
  if (name == "%lanemask_lt")
    return b.CreateSub(b.CreateShl(one, lane), one);
  if (name == "%lanemask_le")
    return b.CreateSub(b.CreateShl(constant(32, 2), lane), one);
  if (name == "%lanemask_gt")
    return b.CreateNot(b.CreateSub(b.CreateShl(constant(32, 2), lane), one));
  if (name == "%lanemask_ge")
    return b.CreateNot(b.CreateSub(b.CreateShl(one, lane), one));
  if (name == "%smid")
    return blockField(i32, offsetof(Block, worker));
  if (name == "%nsmid")
    return constant(32, 1024);
  if (name == "%gridid")
    return blockField(i64, offsetof(Block, grid));
  if (name == "%dynamic_smem_size")
    return blockField(i32, offsetof(Block, dynamicBytes));
  if (name == "%total_smem_size" || name == "%aggr_smem_size")
    return b.CreateAdd(blockField(i32, offsetof(Block, dynamicOffset)), blockField(i32, offsetof(Block, dynamicBytes)));
  if (name == "%clock" || name == "%clock64" || name == "%globaltimer" || name == "%globaltimer_lo")
    return call("emu_clock", i64, {});
  if (name == "%clock_hi" || name == "%globaltimer_hi")
    return b.CreateLShr(call("emu_clock", i64, {}), constant(64, 32));
  if (name.starts_with("%envreg"))
    return constant(32, 0);
  if (name == "WARP_SZ")
    return constant(32, warpSize);
  return nullptr;
}

static Value *fit(IRBuilder<> &b, Value *value, IntegerType *type, bool isSigned) {
  return isSigned ? b.CreateSExtOrTrunc(value, type) : b.CreateZExtOrTrunc(value, type);
}

Value *FunctionTranslator::readBits(const Operand &operand, unsigned bits, bool isSigned) {
  IntegerType *type = integer(bits);
  switch (operand.kind) {
  case Operand::Integer:
    return ConstantInt::get(context, APInt(bits, operand.bits, /*isSigned=*/true, /*implicitTrunc=*/true));
  case Operand::Float:
    if (operand.isDouble && bits == 32)
      return constant(32, bit_cast<uint32_t>(float(bit_cast<double>(operand.bits))));
    if (!operand.isDouble && bits == 64)
      return constant(64, bit_cast<uint64_t>(double(bit_cast<float>(uint32_t(operand.bits)))));
    return ConstantInt::get(context, APInt(bits, operand.bits, false, /*implicitTrunc=*/true));
  case Operand::Name: {
    if (Register *reg = find(&Scope::registers, operand.name)) {
      if (reg->isWgmma)
        touchWgmmaRegister(*reg, false);
      Value *value = b.CreateLoad(integer(reg->bits), reg->slot);
      if (operand.offset)
        value = b.CreateAdd(value, constant(reg->bits, operand.offset));
      return fit(b, value, type, isSigned);
    }
    if (Value *value = specialRegister(operand.name))
      return fit(b, value, type, false);
    if (Value *address = symbolAddress(operand.name))
      return fit(b, b.CreateAdd(address, constant(64, operand.offset)), type, false);
    fail("'" + operand.name + "' is not defined");
    return PoisonValue::get(type);
  }
  case Operand::Vector: {
    // Packed as by mov: the first element is the lowest.
    unsigned each = operand.elements.empty() ? 0 : bits / operand.elements.size();
    if (!each || each * operand.elements.size() != bits) {
      fail("a vector that does not fit");
      return PoisonValue::get(type);
    }
    Value *result = ConstantInt::get(type, 0);
    for (size_t i = 0; i < operand.elements.size(); ++i) {
      if (operand.elements[i].kind == Operand::Sink)
        continue;
      Value *element = b.CreateZExt(readBits(operand.elements[i], each), type);
      result = b.CreateOr(result, b.CreateShl(element, ConstantInt::get(type, each * i)));
    }
    return result;
  }
  default:
    fail("this operand cannot be read");
    return PoisonValue::get(type);
  }
}

Value *FunctionTranslator::readPredicate(const Operand &operand) {
  Value *value;
  if (operand.kind == Operand::Integer) {
    value = constant(1, operand.bits != 0);
  } else if (operand.kind == Operand::Name && operand.name == "%is_explicit_cluster") {
    value = b.CreateICmpUGT(blockField(i32, offsetof(Block, clusterBlocks)), constant(32, 1));
  } else {
    Register *reg = operand.kind == Operand::Name ? find(&Scope::registers, operand.name) : nullptr;
    if (!reg || reg->bits != 1) {
      fail("a predicate expected");
      return PoisonValue::get(i1);
    }
    value = b.CreateLoad(i1, reg->slot);
  }
  return operand.isNegated ? b.CreateNot(value) : value;
}

Value *FunctionTranslator::readFloat(const Operand &operand, Type type) {
  return unpackFloat(readBits(operand, type.width()), type);
}

void FunctionTranslator::write(const Operand &operand, Value *value, bool isSigned) {
  if (operand.kind == Operand::Sink)
    return;
  if (operand.kind == Operand::Vector) {
    unsigned bits = value->getType()->getIntegerBitWidth();
    unsigned each = operand.elements.empty() ? 0 : bits / operand.elements.size();
    if (!each || each * operand.elements.size() != bits)
      return fail("a vector that does not fit");
    for (size_t i = 0; i < operand.elements.size(); ++i)
      write(operand.elements[i],
            b.CreateTrunc(b.CreateLShr(value, ConstantInt::get(value->getType(), each * i)), integer(each)));
    return;
  }
  Register *reg = operand.kind == Operand::Name ? find(&Scope::registers, operand.name) : nullptr;
  if (!reg)
    return fail("a register expected for the result");
  if (reg->isWgmma)
    touchWgmmaRegister(*reg, true);
  b.CreateStore(fit(b, value, integer(reg->bits), isSigned), reg->slot);
}

} // namespace cuda_emu
