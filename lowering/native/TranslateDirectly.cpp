// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Upstream's translation looks at every op for debug information, attributes of dialects and metadata that are not
// here, and takes a tenth of the time of a compilation. This one knows what kernels consist of, makes the same of it,
// instruction by instruction, and leaves modules that have anything else to upstream's.

#include "mlir_xla/lowering/native/TranslateDirectly.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Support/LLVM.h"

#include "llvm/Analysis/TargetFolder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

#include <functional>

using namespace mlir;
using mlir::xla::BrainFloats;

#include "mlir/Dialect/LLVMIR/LLVMConversionEnumsToLLVM.inc"

namespace {

llvm::FastMathFlags fastMathFlags(LLVM::FastmathFlags from) {
  using Flags = LLVM::FastmathFlags;
  llvm::FastMathFlags flags;
  auto has = [&](Flags flag) { return bitEnumContainsAny(from, flag); };
  flags.setNoNaNs(has(Flags::nnan));
  flags.setNoInfs(has(Flags::ninf));
  flags.setNoSignedZeros(has(Flags::nsz));
  flags.setAllowReciprocal(has(Flags::arcp));
  flags.setAllowContract(has(Flags::contract));
  flags.setApproxFunc(has(Flags::afn));
  flags.setAllowReassoc(has(Flags::reassoc));
  return flags;
}

/// Attributes that upstream's translation gives a meaning to, beside those of the op itself.
bool hasForeignAttributes(Operation *op) {
  return llvm::any_of(op->getDiscardableAttrs(), [](NamedAttribute attr) {
    StringRef name = attr.getName();
    return name.starts_with("llvm.") || name.starts_with("dlti.");
  });
}

/// Of a global or a function: named as it is, seen by everybody.
template <typename Op> bool isPlainSymbol(Op op) {
  return op.getVisibility_() == LLVM::Visibility::Default &&
         op.getUnnamedAddr().value_or(LLVM::UnnamedAddr::None) == LLVM::UnnamedAddr::None && !hasForeignAttributes(op);
}

bool isBrain(Type type) { return getElementTypeOrSelf(type).isBF16(); }

/// Does `op` take or give bf16 otherwise than as bits that it moves?
bool computesWithBrains(Operation *op) {
  if (llvm::none_of(op->getOperandTypes(), isBrain) && llvm::none_of(op->getResultTypes(), isBrain))
    return false;
  return !isa<LLVM::ConstantOp, LLVM::PoisonOp, LLVM::UndefOp, LLVM::ZeroOp, LLVM::BitcastOp, LLVM::SelectOp,
              LLVM::InsertElementOp, LLVM::ExtractElementOp, LLVM::ShuffleVectorOp, LLVM::vector_insert,
              LLVM::vector_extract, LLVM::LoadOp, LLVM::StoreOp, LLVM::MaskedLoadOp, LLVM::MaskedStoreOp,
              LLVM::masked_gather, LLVM::masked_scatter, LLVM::BrOp, LLVM::CondBrOp, LLVM::ReturnOp, LLVM::CallOp>(op);
}

/// Whether no attributes of the op's own are set but `names`.
bool hasOnly(Operation *op, ArrayRef<StringLiteral> names) {
  return llvm::all_of(op->getAttrs(), [&](NamedAttribute attr) {
    return llvm::is_contained(names, attr.getName().strref()) ||
           !llvm::is_contained(op->getName().getAttributeNames(), attr.getName());
  });
}

class Translator {
public:
  Translator(llvm::Module &target, BrainFloats brains)
      : context(target.getContext()), target(target), builder(context, llvm::TargetFolder(target.getDataLayout())),
        brains(brains) {}

  /// False, with an obstacle, if there is something that this does not know.
  bool translate(ModuleOp from) {
    if (hasForeignAttributes(from))
      return fails(from);
    for (Operation &op : *from.getBody()) {
      auto global = dyn_cast<LLVM::GlobalOp>(op);
      auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
      if (!(global ? declare(global) : function && declare(function)))
        return fails(&op);
    }
    for (auto function : from.getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() && !translateBody(function))
        return false;
    return true;
  }

  /// What an operand is; null for one that is not translated yet.
  llvm::Value *operator[](Value value) const { return values.lookup(value); }

  SmallVector<llvm::Value *> operator[](ValueRange range) const {
    return llvm::map_to_vector(range, [&](Value value) { return (*this)[value]; });
  }

  /// Null for a type that kernels do not have.
  llvm::Type *type(Type from) {
    llvm::Type *&known = types[from];
    if (!known)
      known = convertType(from);
    return known;
  }

  llvm::Constant *constant(Type from, Attribute value);

  /// The intrinsic for `overloads`.
  llvm::CallInst *call(llvm::Intrinsic::ID id, ArrayRef<llvm::Type *> overloads, ArrayRef<llvm::Value *> arguments) {
    assert(overloads.size() < 3);
    auto key = std::make_tuple(unsigned(id), overloads.empty() ? nullptr : overloads.front(),
                               overloads.empty() ? nullptr : overloads.back());
    llvm::Function *&function = intrinsics[key];
    if (!function)
      function = llvm::Intrinsic::getOrInsertDeclaration(&target, id, overloads);
    return builder.CreateCall(function, arguments);
  }

  llvm::LLVMContext &context;
  llvm::Module &target;
  llvm::IRBuilder<llvm::TargetFolder> builder;
  const BrainFloats brains;
  DenseMap<StringRef, llvm::GlobalValue *> symbols;
  DenseMap<Block *, llvm::BasicBlock *> blocks;
  Operation *obstacle = nullptr;

private:
  bool fails(Operation *op) {
    obstacle = op;
    return false;
  }

  llvm::Type *convertType(Type from);
  bool declare(LLVM::GlobalOp global);
  bool declare(LLVM::LLVMFuncOp function);
  bool translateBody(LLVM::LLVMFuncOp function);
  bool translate(Operation *op);
  bool connect(Block &block);

  DenseMap<Value, llvm::Value *> values;
  DenseMap<Type, llvm::Type *> types;
  DenseMap<std::tuple<unsigned, llvm::Type *, llvm::Type *>, llvm::Function *> intrinsics;
};

llvm::Type *Translator::convertType(Type from) {
  if (auto integer = dyn_cast<IntegerType>(from))
    return integer.isSignless() ? llvm::IntegerType::get(context, integer.getWidth()) : nullptr;
  if (from.isF32())
    return llvm::Type::getFloatTy(context);
  if (from.isF64())
    return llvm::Type::getDoubleTy(context);
  if (from.isF16())
    return llvm::Type::getHalfTy(context);
  if (from.isBF16())
    return brains == BrainFloats::AsBits ? llvm::Type::getInt16Ty(context) : llvm::Type::getBFloatTy(context);
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(from))
    return llvm::PointerType::get(context, pointer.getAddressSpace());
  if (isa<LLVM::LLVMVoidType>(from))
    return llvm::Type::getVoidTy(context);
  if (auto vector = dyn_cast<VectorType>(from)) {
    llvm::Type *element = vector.getRank() == 1 && !vector.isScalable() ? type(vector.getElementType()) : nullptr;
    return element ? llvm::FixedVectorType::get(element, vector.getDimSize(0)) : nullptr;
  }
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(from)) {
    llvm::Type *element = type(array.getElementType());
    return element ? llvm::ArrayType::get(element, array.getNumElements()) : nullptr;
  }
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(from); structure && !structure.isIdentified()) {
    SmallVector<llvm::Type *> members;
    for (Type member : structure.getBody())
      members.push_back(type(member));
    return llvm::is_contained(members, nullptr) ? nullptr
                                                : llvm::StructType::get(context, members, structure.isPacked());
  }
  if (auto function = dyn_cast<LLVM::LLVMFunctionType>(from)) {
    SmallVector<llvm::Type *> parameters;
    for (Type parameter : function.getParams())
      parameters.push_back(type(parameter));
    llvm::Type *result = type(function.getReturnType());
    return !result || function.isVarArg() || llvm::is_contained(parameters, nullptr)
               ? nullptr
               : llvm::FunctionType::get(result, parameters, /*isVarArg=*/false);
  }
  return nullptr;
}

llvm::Constant *Translator::constant(Type from, Attribute value) {
  llvm::Type *to = type(from);
  if (!to)
    return nullptr;
  auto scalar = [&](Attribute value, llvm::Type *to) -> llvm::Constant * {
    if (auto integer = dyn_cast<IntegerAttr>(value); integer && to->isIntegerTy())
      return llvm::ConstantInt::get(to, integer.getValue().sextOrTrunc(to->getIntegerBitWidth()));
    auto number = dyn_cast<FloatAttr>(value);
    if (number && brains == BrainFloats::AsBits && number.getType().isBF16() && to->isIntegerTy(16))
      return llvm::ConstantInt::get(context, number.getValue().bitcastToAPInt());
    if (!number || !to->isFloatingPointTy() || &to->getFltSemantics() != &number.getValue().getSemantics())
      return nullptr;
    return llvm::ConstantFP::get(context, number.getValue());
  };
  if (!isa<ElementsAttr>(value))
    return scalar(value, to);
  auto elements = dyn_cast<DenseElementsAttr>(value);
  auto vector = dyn_cast<llvm::FixedVectorType>(to);
  if (!elements || !vector || elements.getNumElements() != vector->getNumElements())
    return nullptr;
  if (elements.isSplat()) {
    llvm::Constant *element = scalar(elements.getSplatValue<Attribute>(), vector->getElementType());
    return element ? llvm::ConstantVector::getSplat(vector->getElementCount(), element) : nullptr;
  }
  SmallVector<llvm::Constant *> each;
  for (Attribute element : elements.getValues<Attribute>())
    each.push_back(scalar(element, vector->getElementType()));
  return llvm::is_contained(each, nullptr) ? nullptr : llvm::ConstantVector::get(each);
}

bool Translator::declare(LLVM::GlobalOp global) {
  static constexpr StringLiteral known[] = {"sym_name",  "global_type", "constant",    "linkage",     "value",
                                            "alignment", "addr_space",  "visibility_", "unnamed_addr"};
  bool isExternal = global.getLinkage() == LLVM::Linkage::External;
  if (!hasOnly(global, known) || !isPlainSymbol(global) || global.getAddrSpace() != 0 || global.getInitializerBlock() ||
      isExternal == bool(global.getValueOrNull()) || (!isExternal && global.getLinkage() != LLVM::Linkage::Internal))
    return false;
  llvm::Type *to = type(global.getType());
  llvm::Constant *value = nullptr;
  if (auto text = dyn_cast_or_null<StringAttr>(global.getValueOrNull())) {
    value = llvm::ConstantDataArray::getString(context, text.getValue(), /*AddNull=*/false);
    to = value->getType();
  } else if (!isExternal) {
    value = constant(global.getType(), global.getValueOrNull());
    if (!value)
      return false;
  }
  if (!to)
    return false;
  auto *variable = new llvm::GlobalVariable(target, to, global.getConstant(), convertLinkageToLLVM(global.getLinkage()),
                                            value, global.getSymName());
  if (std::optional<uint64_t> alignment = global.getAlignment(); alignment.value_or(0) > 0)
    variable->setAlignment(llvm::Align(*alignment));
  symbols[global.getSymName()] = variable;
  return true;
}

bool Translator::declare(LLVM::LLVMFuncOp function) {
  static constexpr StringLiteral known[] = {"sym_name",    "function_type",  "linkage",     "CConv",
                                            "visibility_", "sym_visibility", "unnamed_addr"};
  if (!hasOnly(function, known) || !isPlainSymbol(function) || function.getCConv() != LLVM::CConv::C ||
      function.getLoc()->findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>())
    return false;
  // Functions of others get bf16 in other registers than integers.
  LLVM::LLVMFunctionType signature = function.getFunctionType();
  if (brains == BrainFloats::AsBits && function.isExternal() &&
      (isBrain(signature.getReturnType()) || llvm::any_of(signature.getParams(), isBrain)))
    return false;
  auto *to = dyn_cast_or_null<llvm::FunctionType>(type(function.getFunctionType()));
  if (!to)
    return false;
  symbols[function.getName()] =
      llvm::Function::Create(to, convertLinkageToLLVM(function.getLinkage()), function.getName(), target);
  return true;
}

bool Translator::translateBody(LLVM::LLVMFuncOp function) {
  auto *to = cast<llvm::Function>(symbols.lookup(function.getName()));
  for (Block &block : function)
    blocks[&block] = llvm::BasicBlock::Create(context, "", to);
  for (auto [argument, value] : llvm::zip_equal(function.getArguments(), to->args()))
    values[argument] = &value;
  for (Block *block : getBlocksSortedByDominance(function.getBody())) {
    builder.SetInsertPoint(blocks.lookup(block));
    if (!block->isEntryBlock()) {
      unsigned predecessors = std::distance(block->pred_begin(), block->pred_end());
      for (BlockArgument argument : block->getArguments()) {
        llvm::Type *to = type(argument.getType());
        if (!to)
          return fails(function);
        values[argument] = builder.CreatePHI(to, predecessors);
      }
    }
    for (Operation &op : *block)
      if (!translate(&op))
        return fails(&op);
  }
  return llvm::all_of(llvm::drop_begin(function), [&](Block &block) { return connect(block); });
}

/// Gives the arguments of a block, which are phi nodes, what its predecessors hand on.
bool Translator::connect(Block &block) {
  for (Block *predecessor : block.getPredecessors()) {
    auto branch = cast<BranchOpInterface>(predecessor->getTerminator());
    std::optional<unsigned> way;
    for (unsigned successor = 0; successor < branch->getNumSuccessors(); ++successor) {
      if (branch->getSuccessor(successor) != &block)
        continue;
      if (way) // the second one needs a block between
        return fails(branch);
      way = successor;
    }
    OperandRange given = branch.getSuccessorOperands(*way).getForwardedOperands();
    for (auto [argument, value] : llvm::zip_equal(block.getArguments(), given))
      cast<llvm::PHINode>((*this)[argument])->addIncoming((*this)[value], blocks.lookup(predecessor));
  }
  return true;
}

using Translation = std::function<llvm::Value *(Translator &, Operation *)>;

/// What makes instructions of each op. They return what was made, null if the op is not as usual.
class Table {
public:
  Table() {
    addConstants();
    addIntegers();
    addFloats();
    addConversions();
    addVectors();
    addMemory();
    addMaskedMemory();
    addControl();
    addIntrinsics();
  }

  const Translation *of(Operation *op) const {
    auto found = translations.find(op->getName().getTypeID());
    return found == translations.end() ? nullptr : &found->second;
  }

private:
  template <typename Op, typename Translate> void on(Translate translate) {
    translations[TypeID::get<Op>()] = [translate](Translator &to, Operation *op) -> llvm::Value * {
      return translate(to, cast<Op>(op));
    };
  }

  /// An op with flags for its arithmetic.
  template <typename Op, typename Translate> void onFloat(Translate translate) {
    on<Op>([translate](Translator &to, Op op) -> llvm::Value * {
      to.builder.setFastMathFlags(fastMathFlags(op.getFastmathFlags()));
      llvm::Value *result = translate(to, op);
      to.builder.clearFastMathFlags();
      return result;
    });
  }

  /// An intrinsic, overloaded on its first operand, without attributes beside flags.
  template <typename Op> void onIntrinsic(llvm::Intrinsic::ID id) {
    on<Op>([id](Translator &to, Op op) { return callOnOperands(to, op, id); });
  }
  template <typename Op> void onFloatIntrinsic(llvm::Intrinsic::ID id) {
    onFloat<Op>([id](Translator &to, Op op) { return callOnOperands(to, op, id); });
  }
  static llvm::Value *callOnOperands(Translator &to, Operation *op, llvm::Intrinsic::ID id, unsigned overloaded = 0) {
    return to.call(id, to[op->getOperand(overloaded)]->getType(), to[op->getOperands()]);
  }

  void addConstants() {
    on<LLVM::ConstantOp>([](Translator &to, LLVM::ConstantOp op) { return to.constant(op.getType(), op.getValue()); });
    on<LLVM::PoisonOp>([](Translator &to, LLVM::PoisonOp op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      return type ? llvm::PoisonValue::get(type) : nullptr;
    });
    on<LLVM::UndefOp>([](Translator &to, LLVM::UndefOp op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      return type ? llvm::UndefValue::get(type) : nullptr;
    });
    on<LLVM::ZeroOp>([](Translator &to, LLVM::ZeroOp op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      return type ? llvm::Constant::getNullValue(type) : nullptr;
    });
    on<LLVM::AddressOfOp>([](Translator &to, LLVM::AddressOfOp op) { return to.symbols.lookup(op.getGlobalName()); });
  }

  /// `create` takes what says that nothing wraps around.
  template <typename Op, typename Create> void onOverflowing(Create create) {
    on<Op>([create](Translator &to, Op op) {
      return (to.builder.*create)(to[op.getLhs()], to[op.getRhs()], "", op.hasNoUnsignedWrap(), op.hasNoSignedWrap());
    });
  }
  template <typename Op, typename Create> void onExact(Create create) {
    on<Op>([create](Translator &to, Op op) {
      return (to.builder.*create)(to[op.getLhs()], to[op.getRhs()], "", op.getIsExact());
    });
  }
  template <typename Op> void onBinary(llvm::Instruction::BinaryOps code) {
    on<Op>([code](Translator &to, Op op) { return to.builder.CreateBinOp(code, to[op.getLhs()], to[op.getRhs()]); });
  }

  void addIntegers() {
    using Builder = llvm::IRBuilderBase;
    using Value = llvm::Value;
    onOverflowing<LLVM::AddOp>(&Builder::CreateAdd);
    onOverflowing<LLVM::SubOp>(&Builder::CreateSub);
    onOverflowing<LLVM::MulOp>(&Builder::CreateMul);
    using Shift = Value *(Builder::*)(Value *, Value *, const llvm::Twine &, bool, bool);
    onOverflowing<LLVM::ShlOp>(static_cast<Shift>(&Builder::CreateShl));
    using Exact = Value *(Builder::*)(Value *, Value *, const llvm::Twine &, bool);
    onExact<LLVM::UDivOp>(&Builder::CreateUDiv);
    onExact<LLVM::SDivOp>(&Builder::CreateSDiv);
    onExact<LLVM::LShrOp>(static_cast<Exact>(&Builder::CreateLShr));
    onExact<LLVM::AShrOp>(static_cast<Exact>(&Builder::CreateAShr));
    onBinary<LLVM::URemOp>(llvm::Instruction::URem);
    onBinary<LLVM::SRemOp>(llvm::Instruction::SRem);
    on<LLVM::AndOp>(
        [](Translator &to, LLVM::AndOp op) { return to.builder.CreateAnd(to[op.getLhs()], to[op.getRhs()]); });
    on<LLVM::XOrOp>(
        [](Translator &to, LLVM::XOrOp op) { return to.builder.CreateXor(to[op.getLhs()], to[op.getRhs()]); });
    on<LLVM::OrOp>([](Translator &to, LLVM::OrOp op) {
      return op.getIsDisjoint() ? nullptr : to.builder.CreateOr(to[op.getLhs()], to[op.getRhs()]);
    });
    on<LLVM::ICmpOp>([](Translator &to, LLVM::ICmpOp op) {
      return to.builder.CreateICmp(convertICmpPredicateToLLVM(op.getPredicate()), to[op.getLhs()], to[op.getRhs()]);
    });
  }

  void addFloats() {
    onFloat<LLVM::FAddOp>(
        [](Translator &to, LLVM::FAddOp op) { return to.builder.CreateFAdd(to[op.getLhs()], to[op.getRhs()]); });
    onFloat<LLVM::FSubOp>(
        [](Translator &to, LLVM::FSubOp op) { return to.builder.CreateFSub(to[op.getLhs()], to[op.getRhs()]); });
    onFloat<LLVM::FMulOp>(
        [](Translator &to, LLVM::FMulOp op) { return to.builder.CreateFMul(to[op.getLhs()], to[op.getRhs()]); });
    onFloat<LLVM::FDivOp>(
        [](Translator &to, LLVM::FDivOp op) { return to.builder.CreateFDiv(to[op.getLhs()], to[op.getRhs()]); });
    onFloat<LLVM::FNegOp>([](Translator &to, LLVM::FNegOp op) { return to.builder.CreateFNeg(to[op.getOperand()]); });
    onFloat<LLVM::FCmpOp>([](Translator &to, LLVM::FCmpOp op) {
      return to.builder.CreateFCmp(convertFCmpPredicateToLLVM(op.getPredicate()), to[op.getLhs()], to[op.getRhs()]);
    });
    onFloat<LLVM::SelectOp>([](Translator &to, LLVM::SelectOp op) {
      return to.builder.CreateSelect(to[op.getCondition()], to[op.getTrueValue()], to[op.getFalseValue()]);
    });
  }

  template <typename Op> void onCast(llvm::Instruction::CastOps code) {
    on<Op>([code](Translator &to, Op op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      return type ? to.builder.CreateCast(code, to[op.getArg()], type) : nullptr;
    });
  }

  void addConversions() {
    using Instruction = llvm::Instruction;
    on<LLVM::TruncOp>([](Translator &to, LLVM::TruncOp op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      return type ? to.builder.CreateTrunc(to[op.getArg()], type, "", op.hasNoUnsignedWrap(), op.hasNoSignedWrap())
                  : nullptr;
    });
    on<LLVM::ZExtOp>([](Translator &to, LLVM::ZExtOp op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      return type ? to.builder.CreateZExt(to[op.getArg()], type, "", op.getNonNeg()) : nullptr;
    });
    onCast<LLVM::SExtOp>(Instruction::SExt);
    onCast<LLVM::BitcastOp>(Instruction::BitCast);
    onCast<LLVM::PtrToIntOp>(Instruction::PtrToInt);
    onCast<LLVM::IntToPtrOp>(Instruction::IntToPtr);
    onCast<LLVM::SIToFPOp>(Instruction::SIToFP);
    onCast<LLVM::FPToSIOp>(Instruction::FPToSI);
    onCast<LLVM::FPToUIOp>(Instruction::FPToUI);
    on<LLVM::UIToFPOp>([](Translator &to, LLVM::UIToFPOp op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      return type ? to.builder.CreateUIToFP(to[op.getArg()], type, "", op.getNonNeg()) : nullptr;
    });
    onCast<LLVM::FPExtOp>(Instruction::FPExt);
    onCast<LLVM::FPTruncOp>(Instruction::FPTrunc);
  }

  void addVectors() {
    on<LLVM::InsertElementOp>([](Translator &to, LLVM::InsertElementOp op) {
      return to.builder.CreateInsertElement(to[op.getVector()], to[op.getValue()], to[op.getPosition()]);
    });
    on<LLVM::ExtractElementOp>([](Translator &to, LLVM::ExtractElementOp op) {
      return to.builder.CreateExtractElement(to[op.getVector()], to[op.getPosition()]);
    });
    on<LLVM::ShuffleVectorOp>([](Translator &to, LLVM::ShuffleVectorOp op) {
      return to.builder.CreateShuffleVector(to[op.getV1()], to[op.getV2()], op.getMask());
    });
    auto indices = [](ArrayRef<int64_t> position) { return llvm::to_vector_of<unsigned>(position); };
    on<LLVM::ExtractValueOp>([=](Translator &to, LLVM::ExtractValueOp op) {
      return to.builder.CreateExtractValue(to[op.getContainer()], indices(op.getPosition()));
    });
    on<LLVM::InsertValueOp>([=](Translator &to, LLVM::InsertValueOp op) {
      return to.builder.CreateInsertValue(to[op.getContainer()], to[op.getValue()], indices(op.getPosition()));
    });
    // A part of a vector, at a constant place.
    on<LLVM::vector_insert>([](Translator &to, LLVM::vector_insert op) {
      llvm::Value *vector = to[op.getDstvec()], *part = to[op.getSrcvec()];
      return to.call(llvm::Intrinsic::vector_insert, {vector->getType(), part->getType()},
                     {vector, part, to.builder.getInt64(op.getPos())});
    });
    on<LLVM::vector_extract>([](Translator &to, LLVM::vector_extract op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      llvm::Value *vector = to[op.getSrcvec()];
      return type ? to.call(llvm::Intrinsic::vector_extract, {type, vector->getType()},
                            {vector, to.builder.getInt64(op.getPos())})
                  : nullptr;
    });
  }

  template <typename Op> static bool isPlain(Op op) {
    auto &properties = op.getProperties();
    return !properties.volatile_ && op.getOrdering() == LLVM::AtomicOrdering::not_atomic && !properties.syncscope &&
           !properties.access_groups && !properties.alias_scopes && !properties.noalias_scopes && !properties.tbaa &&
           !properties.invariantGroup;
  }

  template <typename Op> static void annotate(Translator &to, Op op, llvm::Instruction *access) {
    if (op.getNontemporal())
      access->setMetadata(llvm::LLVMContext::MD_nontemporal,
                          llvm::MDNode::get(to.context, llvm::ConstantAsMetadata::get(to.builder.getInt32(1))));
  }

  void addMemory() {
    on<LLVM::AllocaOp>([](Translator &to, LLVM::AllocaOp op) -> llvm::Value * {
      llvm::Type *element = to.type(op.getElemType());
      if (!element || op.getInalloca())
        return nullptr;
      llvm::AllocaInst *memory =
          to.builder.CreateAlloca(element, op.getType().getAddressSpace(), to[op.getArraySize()]);
      if (uint64_t alignment = op.getAlignment().value_or(0))
        memory->setAlignment(llvm::Align(alignment));
      return memory;
    });
    on<LLVM::LoadOp>([](Translator &to, LLVM::LoadOp op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      if (!type || !isPlain(op) || op.getInvariant() || op.getProperties().dereferenceable)
        return nullptr;
      llvm::LoadInst *load = to.builder.CreateLoad(type, to[op.getAddr()]);
      if (uint64_t alignment = op.getAlignment().value_or(0))
        load->setAlignment(llvm::Align(alignment));
      annotate(to, op, load);
      return load;
    });
    on<LLVM::StoreOp>([](Translator &to, LLVM::StoreOp op) -> llvm::Value * {
      if (!isPlain(op))
        return nullptr;
      llvm::StoreInst *store = to.builder.CreateStore(to[op.getValue()], to[op.getAddr()]);
      if (uint64_t alignment = op.getAlignment().value_or(0))
        store->setAlignment(llvm::Align(alignment));
      annotate(to, op, store);
      return store;
    });
    on<LLVM::GEPOp>([](Translator &to, LLVM::GEPOp op) -> llvm::Value * {
      llvm::Type *element = to.type(op.getElemType());
      if (!element)
        return nullptr;
      SmallVector<llvm::Value *> indices;
      auto dynamic = op.getDynamicIndices().begin();
      for (int32_t index : op.getRawConstantIndices())
        indices.push_back(index == LLVM::GEPOp::kDynamicIndex ? to[*dynamic++] : to.builder.getInt32(index));
      return to.builder.CreateGEP(element, to[op.getBase()], indices, "",
                                  llvm::GEPNoWrapFlags::fromRaw(static_cast<unsigned>(op.getNoWrapFlags())));
    });
    on<LLVM::MemcpyOp>([](Translator &to, LLVM::MemcpyOp op) -> llvm::Value * {
      static constexpr StringLiteral known[] = {"isVolatile"};
      if (!hasOnly(op, known))
        return nullptr;
      llvm::Value *target = to[op.getDst()], *source = to[op.getSrc()], *length = to[op.getLen()];
      llvm::Function *function = llvm::Intrinsic::getOrInsertDeclaration(
          &to.target, llvm::Intrinsic::memcpy, {target->getType(), source->getType(), length->getType()});
      return to.builder.CreateCall(function, {target, source, length, to.builder.getInt1(op.getIsVolatile())});
    });
    on<LLVM::Prefetch>([](Translator &to, LLVM::Prefetch op) {
      llvm::Value *address = to[op.getAddr()];
      auto number = [&](uint32_t value) { return to.builder.getInt32(value); };
      return to.call(llvm::Intrinsic::prefetch, address->getType(),
                     {address, number(op.getRw()), number(op.getHint()), number(op.getCache())});
    });
  }

  void addMaskedMemory() {
    on<LLVM::MaskedLoadOp>([](Translator &to, LLVM::MaskedLoadOp op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      if (!type)
        return nullptr;
      llvm::CallInst *load = to.builder.CreateMaskedLoad(type, to[op.getData()], llvm::Align(op.getAlignment()),
                                                         to[op.getMask()], to[op.getPassThru()]);
      annotate(to, op, load);
      return load;
    });
    on<LLVM::MaskedStoreOp>([](Translator &to, LLVM::MaskedStoreOp op) {
      return to.builder.CreateMaskedStore(to[op.getValue()], to[op.getData()], llvm::Align(op.getAlignment()),
                                          to[op.getMask()]);
    });
    on<LLVM::masked_gather>([](Translator &to, LLVM::masked_gather op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      if (!type || op.getPassThru().size() != 1)
        return nullptr;
      return to.builder.CreateMaskedGather(type, to[op.getPtrs()], llvm::Align(op.getAlignment()), to[op.getMask()],
                                           to[op.getPassThru().front()]);
    });
    on<LLVM::masked_scatter>([](Translator &to, LLVM::masked_scatter op) {
      return to.builder.CreateMaskedScatter(to[op.getValue()], to[op.getPtrs()], llvm::Align(op.getAlignment()),
                                            to[op.getMask()]);
    });
    on<LLVM::GetActiveLaneMaskOp>([](Translator &to, LLVM::GetActiveLaneMaskOp op) -> llvm::Value * {
      llvm::Type *type = to.type(op.getType());
      llvm::Value *base = to[op.getBase()];
      return type ? to.call(llvm::Intrinsic::get_active_lane_mask, {type, base->getType()}, {base, to[op.getN()]})
                  : nullptr;
    });
  }

  void addControl() {
    on<LLVM::BrOp>([](Translator &to, LLVM::BrOp op) -> llvm::Value * {
      return op.getLoopAnnotationAttr() ? nullptr : to.builder.CreateBr(to.blocks.lookup(op.getDest()));
    });
    on<LLVM::CondBrOp>([](Translator &to, LLVM::CondBrOp op) -> llvm::Value * {
      if (op.getLoopAnnotationAttr() || op.getBranchWeights())
        return nullptr;
      return to.builder.CreateCondBr(to[op.getCondition()], to.blocks.lookup(op.getTrueDest()),
                                     to.blocks.lookup(op.getFalseDest()));
    });
    on<LLVM::ReturnOp>([](Translator &to, LLVM::ReturnOp op) -> llvm::Value * {
      return op.getArg() ? to.builder.CreateRet(to[op.getArg()]) : to.builder.CreateRetVoid();
    });
    onFloat<LLVM::CallOp>([](Translator &to, LLVM::CallOp op) -> llvm::Value * {
      static constexpr StringLiteral known[] = {"callee",        "CConv",           "TailCallKind",
                                                "fastmathFlags", "op_bundle_sizes", "operandSegmentSizes"};
      if (!op.getCallee() || !hasOnly(op, known) || op.getCConv() != LLVM::CConv::C ||
          op.getTailCallKind() != LLVM::TailCallKind::None || !op.getOpBundleSizes().empty())
        return nullptr;
      auto *callee = dyn_cast_or_null<llvm::Function>(to.symbols.lookup(*op.getCallee()));
      return callee ? to.builder.CreateCall(callee, to[op.getCalleeOperands()]) : nullptr;
    });
    onFloat<LLVM::CallIntrinsicOp>([](Translator &to, LLVM::CallIntrinsicOp op) -> llvm::Value * {
      static constexpr StringLiteral known[] = {"intrin", "fastmathFlags", "op_bundle_sizes", "operandSegmentSizes"};
      llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(op.getIntrin());
      bool isFence = id == llvm::Intrinsic::arithmetic_fence; // of what it is given
      if (!id || (llvm::Intrinsic::isOverloaded(id) && !isFence) || !hasOnly(op, known) ||
          !op.getOpBundleSizes().empty())
        return nullptr;
      SmallVector<llvm::Value *> arguments = to[op.getArgs()];
      return to.call(id, isFence ? ArrayRef(arguments[0]->getType()) : ArrayRef<llvm::Type *>(), arguments);
    });
  }

  void addIntrinsics() {
    using namespace llvm;
    onFloatIntrinsic<LLVM::FMAOp>(Intrinsic::fma);
    onFloatIntrinsic<LLVM::FAbsOp>(Intrinsic::fabs);
    onFloatIntrinsic<LLVM::SqrtOp>(Intrinsic::sqrt);
    onFloatIntrinsic<LLVM::CopySignOp>(Intrinsic::copysign);
    onFloatIntrinsic<LLVM::RoundEvenOp>(Intrinsic::roundeven);
    onFloatIntrinsic<LLVM::MaximumOp>(Intrinsic::maximum);
    onFloatIntrinsic<LLVM::MinimumOp>(Intrinsic::minimum);
    onFloatIntrinsic<LLVM::MaxNumOp>(Intrinsic::maxnum);
    onFloatIntrinsic<LLVM::MinNumOp>(Intrinsic::minnum);
    onIntrinsic<LLVM::SMinOp>(Intrinsic::smin);
    onIntrinsic<LLVM::SMaxOp>(Intrinsic::smax);
    onIntrinsic<LLVM::UMinOp>(Intrinsic::umin);
    onIntrinsic<LLVM::UMaxOp>(Intrinsic::umax);
    onIntrinsic<LLVM::FshlOp>(Intrinsic::fshl);
    onIntrinsic<LLVM::CtPopOp>(Intrinsic::ctpop);
    onIntrinsic<LLVM::vector_reduce_add>(Intrinsic::vector_reduce_add);
    onIntrinsic<LLVM::vector_reduce_and>(Intrinsic::vector_reduce_and);
    onIntrinsic<LLVM::vector_reduce_or>(Intrinsic::vector_reduce_or);
    onIntrinsic<LLVM::vector_reduce_smin>(Intrinsic::vector_reduce_smin);
    onIntrinsic<LLVM::vector_reduce_smax>(Intrinsic::vector_reduce_smax);
    onFloat<LLVM::vector_reduce_fadd>([](Translator &to, LLVM::vector_reduce_fadd op) {
      return callOnOperands(to, op, Intrinsic::vector_reduce_fadd, /*overloaded=*/1);
    });
    onFloat<LLVM::vector_reduce_fmul>([](Translator &to, LLVM::vector_reduce_fmul op) {
      return callOnOperands(to, op, Intrinsic::vector_reduce_fmul, /*overloaded=*/1);
    });
  }

  DenseMap<TypeID, Translation> translations;
};

bool Translator::translate(Operation *op) {
  static const Table table;
  const Translation *translation = table.of(op);
  if (!translation || hasForeignAttributes(op) || (brains == BrainFloats::AsBits && computesWithBrains(op)) ||
      !llvm::all_of(op->getOperands(), [&](Value operand) { return (*this)[operand]; }))
    return false;
  llvm::Value *result = (*translation)(*this, op);
  if (op->getNumResults() == 1)
    values[op->getResult(0)] = result;
  return result;
}

} // namespace

std::unique_ptr<llvm::Module> mlir::xla::translateDirectly(ModuleOp module, llvm::LLVMContext &context, StringRef name,
                                                           Operation **obstacle, BrainFloats brains) {
  auto target = std::make_unique<llvm::Module>(name, context);
  Translator translator(*target, brains);
  if (translator.translate(module))
    return target;
  if (obstacle)
    *obstacle = translator.obstacle;
  return nullptr;
}
