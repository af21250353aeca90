// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of the translation of a module and of one of its functions. Instructions are emitted by methods of
// FunctionTranslator, by groups, each in a file of its own.
//
// Registers are integers in allocas, which become SSA values later. Floats are computed as f32 or f64; f16 and bf16 are
// f32 that are rounded when they are written.

#ifndef CUDA_EMU_TRANSLATE_TRANSLATOR_H
#define CUDA_EMU_TRANSLATE_TRANSLATOR_H

#include "../execute/Tensor.h"
#include "Translate.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"

#include <map>
#include <set>

namespace cuda_emu {

using llvm::StringRef;
using llvm::Value;
using ptx::Instruction;
using ptx::Operand;
using ptx::Space;

/// A fundamental type: `b32`, `s16`, `f16x2`, `pred`.
struct Type {
  enum Kind { None, Bits, Unsigned, Signed, Float, BFloat, Predicate } kind = None;
  unsigned bits = 0; // of a lane
  unsigned lanes = 1;
  unsigned width() const { return bits * lanes; }
  bool isFloat() const { return kind == Float || kind == BFloat; }
  bool isSigned() const { return kind == Signed; }
  explicit operator bool() const { return kind != None; }
  static Type parse(StringRef text);
};

/// The modifiers of an instruction. Each has to be taken by whoever emits the instruction: what is left is unknown.
class Modifiers {
public:
  explicit Modifiers(llvm::ArrayRef<StringRef> list) : list(list) {}
  bool take(StringRef name);
  bool takePrefix(StringRef prefix);
  /// The first of `names` that is there, or an empty string.
  StringRef takeAny(std::initializer_list<StringRef> names);
  Type takeType();
  bool has(StringRef name) const;
  void takeAll() { used = ~uint64_t(0); }
  StringRef unused() const;

private:
  llvm::ArrayRef<StringRef> list;
  uint64_t used = 0;
};

bool parseMatrixType(StringRef name, MatrixType &type);

enum Rounding { Nearest = 0, Zero = 1, Down = 2, Up = 3, Away = 4 };

class FunctionTranslator;

class ModuleTranslator {
public:
  ModuleTranslator(const ptx::Module &source, llvm::LLVMContext &context, bool isWatched, std::string &error);

  Translation run(llvm::function_ref<uint64_t(const ptx::Variable &)> allocate);

  void fail(unsigned line, const llvm::Twine &what);
  bool failed() const { return !error.empty(); }

  struct Symbol {
    Space space = Space::Global;
    uint64_t address = 0; // of the device, or the offset in shared memory
    bool isDynamic = false;
    const ptx::Variable *variable = nullptr;
  };

  const ptx::Module &source;
  llvm::LLVMContext &context;
  const bool isWatched;
  std::string &error;
  std::unique_ptr<llvm::Module> code;
  llvm::StringMap<Symbol> symbols;
  llvm::StringMap<llvm::Function *> functions;
  llvm::StringMap<const ptx::Function *> definitions;
  /// What a function uses itself.
  struct Uses {
    std::set<std::string> callees, shared;
    bool needsFibres = false, hasDynamic = false, hasIndirectCall = false, hasExit = false;
    uint64_t localBytes = 0;
    unsigned granule = 16; // divides the bytes of each access
  };
  llvm::StringMap<Uses> uses;
  std::unique_ptr<llvm::DIBuilder> debug;
  llvm::DIFile *debugFile = nullptr;

  llvm::FunctionCallee runtime(StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Type *> parameters);

private:
  void declareVariables(llvm::function_ref<uint64_t(const ptx::Variable &)> allocate);
  void collectUses(const ptx::Function &function);
  Uses closure(StringRef name) const;
  void placeShared();
  void initializeVariables(Translation &result);
  std::vector<const ptx::Variable *> sharedVariables;
};

class FunctionTranslator {
public:
  FunctionTranslator(ModuleTranslator &module, const ptx::Function &source, llvm::Function *function);
  void run();

private:
  using Handler = void (FunctionTranslator::*)(const Instruction &, Modifiers &);
  static const llvm::StringMap<Handler> &handlers();

  ModuleTranslator &module;
  const ptx::Function &source;
  llvm::Function *function;
  llvm::LLVMContext &context;
  llvm::IRBuilder<> b;
  const Instruction *current = nullptr;
  Value *thread = nullptr, *block = nullptr;
  llvm::AllocaInst *carry = nullptr;
  llvm::IntegerType *i1, *i8, *i16, *i32, *i64;
  llvm::PointerType *ptr;
  llvm::Type *f32, *f64;

  struct Register {
    Value *slot;
    unsigned bits;
    bool isWgmma = false; // see Wgmma.cpp
  };
  struct Memory { // variables in .local and .param, by their host addresses
    Value *pointer;
    Space space;
  };
  struct Scope {
    llvm::StringMap<Register> registers;
    llvm::StringMap<Memory> memory;
    llvm::StringMap<llvm::BasicBlock *> labels;
  };
  std::vector<Scope> scopes;
  llvm::StringMap<uint64_t> parameterOffsets;

  // Function.cpp: names, operands, results.
  void declare();
  void checkStack();
  void emit(const Instruction &instruction);
  void fail(const llvm::Twine &what);
  llvm::AllocaInst *allocate(llvm::Type *type, unsigned alignment, const llvm::Twine &name);
  template <typename Map> auto *find(Map Scope::*map, StringRef name) {
    for (unsigned scope = current->scope;; scope = source.scopeParents[scope]) {
      auto found = (scopes[scope].*map).find(name);
      if (found != (scopes[scope].*map).end())
        return &found->second;
      if (scope == 0)
        return static_cast<decltype(&found->second)>(nullptr);
    }
  }
  bool checkOperands(const Instruction &i, size_t least, size_t most);
  llvm::IntegerType *integer(unsigned bits) { return b.getIntNTy(bits); }
  llvm::Type *floatType(Type type);
  Value *constant(unsigned bits, uint64_t value) { return llvm::ConstantInt::get(integer(bits), value); }
  Value *readBits(const Operand &operand, unsigned bits, bool isSigned = false);
  Value *read(const Operand &operand, Type type) { return readBits(operand, type.width(), type.isSigned()); }
  Value *readPredicate(const Operand &operand);
  Value *readFloat(const Operand &operand, Type type);
  void write(const Operand &operand, Value *value, bool isSigned = false);
  void writeFloat(const Operand &operand, Value *value, Type type) { write(operand, packFloat(value, type)); }
  Value *specialRegister(StringRef name);
  Value *threadField(llvm::Type *type, uint64_t offset);
  Value *blockField(llvm::Type *type, uint64_t offset);
  /// The address of a variable or function as a value of a register, null if there is none of this name.
  Value *symbolAddress(StringRef name);
  Value *call(StringRef name, llvm::Type *result, llvm::ArrayRef<Value *> arguments);
  Value *intrinsic(unsigned id, llvm::ArrayRef<Value *> arguments);

  // Float.cpp
  Value *unpackFloat(Value *bits, Type type);
  Value *packFloat(Value *value, Type type);
  Value *canonical(Value *value);
  Value *flush(Value *value, Type type);
  Value *saturate(Value *value);
  Value *finishFloat(Value *value, Type type, bool ftz, bool sat, bool relu = false);
  Value *zeroLike(Value *value) { return llvm::Constant::getNullValue(value->getType()); }
  Rounding takeRounding(Modifiers &m);
  void emitFloatBinary(const Instruction &i, Modifiers &m, Type type);
  void emitFloatMinMax(const Instruction &i, Modifiers &m, Type type);
  void emitFloatSign(const Instruction &i, Modifiers &m, Type type);
  void emitFma(const Instruction &i, Modifiers &m);
  void emitUnaryFloat(const Instruction &i, Modifiers &m);
  void emitTestp(const Instruction &i, Modifiers &m);
  void emitCopysign(const Instruction &i, Modifiers &m);
  Value *compareFloat(StringRef op, Value *x, Value *y);

  // Integer.cpp
  void emitArithmetic(const Instruction &i, Modifiers &m);
  void emitMul(const Instruction &i, Modifiers &m);
  void emitMad(const Instruction &i, Modifiers &m);
  void emitMul24(const Instruction &i, Modifiers &m);
  void emitDivRem(const Instruction &i, Modifiers &m);
  void emitMinMax(const Instruction &i, Modifiers &m);
  void emitSign(const Instruction &i, Modifiers &m);
  void emitLogic(const Instruction &i, Modifiers &m);
  void emitShift(const Instruction &i, Modifiers &m);
  void emitFunnel(const Instruction &i, Modifiers &m);
  void emitBitField(const Instruction &i, Modifiers &m);
  void emitBitCount(const Instruction &i, Modifiers &m);
  void emitLop3(const Instruction &i, Modifiers &m);
  void emitPrmt(const Instruction &i, Modifiers &m);
  void emitDot(const Instruction &i, Modifiers &m);
  void emitSad(const Instruction &i, Modifiers &m);
  Value *product(Value *x, Value *y, Type type, StringRef part);
  void addWithCarry(const Instruction &i, Value *x, Value *y, bool carryIn, bool carryOut, bool subtract);

  // Compare.cpp
  void emitSetp(const Instruction &i, Modifiers &m);
  void emitSet(const Instruction &i, Modifiers &m);
  void emitSelp(const Instruction &i, Modifiers &m);
  void emitSlct(const Instruction &i, Modifiers &m);
  Value *compare(const Instruction &i, Modifiers &m, Type type, StringRef op, const Operand &x, const Operand &y);

  // Tensor.cpp
  void emitMatrix(unsigned kind, uint64_t code, llvm::ArrayRef<Operand> operands, unsigned bits,
                  llvm::ArrayRef<Operand> results);
  void emitMma(const Instruction &i, Modifiers &m);
  void emitLdmatrix(const Instruction &i, Modifiers &m);
  void emitCp(const Instruction &i, Modifiers &m);
  void emitBulk(const Instruction &i, Modifiers &m);

  // Convert.cpp
  void emitCvt(const Instruction &i, Modifiers &m);
  void emitCvtPack(const Instruction &i, Modifiers &m);
  void emitCvtSmall(const Instruction &i, Modifiers &m, StringRef to, StringRef from);
  Value *floatToInteger(Value *value, Type from, Type to, StringRef rounding);
  Value *integerToFloat(Value *value, Type from, Type to, Rounding rounding);
  Value *floatToFloat(Value *value, Type from, Type to, Rounding rounding);

  // Memory.cpp
  void emitMov(const Instruction &i, Modifiers &m);
  void emitLoad(const Instruction &i, Modifiers &m);
  void emitStore(const Instruction &i, Modifiers &m);
  void emitAtomic(const Instruction &i, Modifiers &m);
  void emitCvta(const Instruction &i, Modifiers &m);
  void emitIsspacep(const Instruction &i, Modifiers &m);
  void emitFence(const Instruction &i, Modifiers &m);
  void emitIgnored(const Instruction &i, Modifiers &m);
  Space takeSpace(Modifiers &m, bool &isCluster);
  void takeCacheHints(Modifiers &m);
  Value *addressValue(const Operand &operand);
  /// Where the access goes; `flags` are AccessFlags of Checker.h. An element has `bytes`.
  Value *hostPointer(const Operand &operand, Space space, unsigned bytes, unsigned count, unsigned flags);
  void checkAccess(Value *address, Space space, unsigned bytes, unsigned count, unsigned flags);
  Value *sharedPointer(Value *address);
  Value *genericPointer(Value *address);

  // Tensor.cpp: registers of a matrix instruction, in memory for the call.
  llvm::AllocaInst *matrixOperands = nullptr, *matrixResults = nullptr;
  void placeMatrices();

  // Wgmma.cpp
  llvm::AllocaInst *wgmmaRegisters = nullptr;
  unsigned numWgmmaRegisters = 0;
  void placeWgmmaRegisters();
  void touchWgmmaRegister(const Register &reg, bool isWrite);
  void emitWgmma(const Instruction &i, Modifiers &m);
  void emitWgmmaProduct(const Instruction &i, Modifiers &m);

  // Mbarrier.cpp
  void emitMbarrier(const Instruction &i, Modifiers &m);
  void emitProxyFence(const Instruction &i, Modifiers &m);
  void emitSetmaxnreg(const Instruction &i, Modifiers &m);
  void emitMapa(const Instruction &i, Modifiers &m);
  void emitGetctarank(const Instruction &i, Modifiers &m);

  // Control.cpp
  void emitBra(const Instruction &i, Modifiers &m);
  void emitBrx(const Instruction &i, Modifiers &m);
  void emitCall(const Instruction &i, Modifiers &m);
  void emitRet(const Instruction &i, Modifiers &m);
  void emitExit(const Instruction &i, Modifiers &m);
  void emitTrap(const Instruction &i, Modifiers &m);
  void emitNanosleep(const Instruction &i, Modifiers &m);
  llvm::BasicBlock *label(StringRef name);

  // Collective.cpp
  void emitBar(const Instruction &i, Modifiers &m);
  void emitClusterBarrier(const Instruction &i, Modifiers &m);
  void emitShfl(const Instruction &i, Modifiers &m);
  void emitVote(const Instruction &i, Modifiers &m);
  void emitMatch(const Instruction &i, Modifiers &m);
  void emitRedux(const Instruction &i, Modifiers &m);
  void emitElect(const Instruction &i, Modifiers &m);
  void emitActivemask(const Instruction &i, Modifiers &m);
  Value *collective(unsigned kind, Value *mask, Value *x, Value *y, Value *z);
};

} // namespace cuda_emu

#endif // CUDA_EMU_TRANSLATE_TRANSLATOR_H
