// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x86 has no maximum that is NaN where one operand is, and +0 of two zeros. LLVM takes six instructions for it. One of
// AVX-512 orders zeros and takes the other operand of a NaN, so that three are enough.

#include "mlir_xla/lowering/native/SelectExtrema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

/// vrangeps and vrangepd by the width of their vectors in bits.
static llvm::Intrinsic::ID rangeOf(llvm::FixedVectorType *type) {
  bool isSingle = type->getElementType()->isFloatTy();
  if (!isSingle && !type->getElementType()->isDoubleTy())
    return llvm::Intrinsic::not_intrinsic;
  switch (type->getNumElements() * (isSingle ? 32 : 64)) {
  case 128:
    return isSingle ? llvm::Intrinsic::x86_avx512_mask_range_ps_128 : llvm::Intrinsic::x86_avx512_mask_range_pd_128;
  case 256:
    return isSingle ? llvm::Intrinsic::x86_avx512_mask_range_ps_256 : llvm::Intrinsic::x86_avx512_mask_range_pd_256;
  case 512:
    return isSingle ? llvm::Intrinsic::x86_avx512_mask_range_ps_512 : llvm::Intrinsic::x86_avx512_mask_range_pd_512;
  default:
    return llvm::Intrinsic::not_intrinsic;
  }
}

/// Whether LLVM takes one instruction: it has the operands in an order in which a NaN is kept, and no zeros to tell
/// apart.
static bool isNumberBesideZero(llvm::Value *value) {
  using namespace llvm::PatternMatch;
  const llvm::APFloat *number;
  return match(value, m_APFloat(number)) && !number->isNaN() && !number->isZero();
}

/// llvm.maximum(%x, %y)  ->  select (fcmp uno %x, %y), (fadd %x, %y), (vrange %x, %y)
static void select(llvm::IntrinsicInst *call) {
  llvm::Type *type = call->getType();
  llvm::Value *x = call->getArgOperand(0), *y = call->getArgOperand(1);
  if (call->hasNoNaNs() || isNumberBesideZero(x) || isNumberBesideZero(y))
    return;
  // A number is the first of a vector.
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector && (type->isFloatTy() || type->isDoubleTy()))
    vector = llvm::FixedVectorType::get(type, type->isFloatTy() ? 4 : 2);
  llvm::Intrinsic::ID range = vector ? rangeOf(vector) : llvm::Intrinsic::not_intrinsic;
  if (range == llvm::Intrinsic::not_intrinsic)
    return;
  llvm::IRBuilder<> b(call);
  auto lanesOf = [&](llvm::Value *value) {
    return vector == type ? value : b.CreateInsertElement(llvm::PoisonValue::get(vector), value, uint64_t(0));
  };
  // The lower bits choose maximum or minimum, the upper ones the sign of what is chosen.
  constexpr int minimum = 0, maximum = 1, ownSign = 1 << 2, currentRounding = 4;
  bool isMaximum = call->getIntrinsicID() == llvm::Intrinsic::maximum;
  llvm::Type *maskType = b.getIntNTy(std::max(vector->getNumElements(), 8u));
  llvm::SmallVector<llvm::Value *> operands = {
      lanesOf(x), lanesOf(y), b.getInt32((isMaximum ? maximum : minimum) | ownSign), llvm::PoisonValue::get(vector),
      llvm::Constant::getAllOnesValue(maskType)};
  if (vector->getPrimitiveSizeInBits() == 512)
    operands.push_back(b.getInt32(currentRounding));
  llvm::Value *found = b.CreateIntrinsic(range, operands);
  if (vector != type)
    found = b.CreateExtractElement(found, uint64_t(0));
  // A sum with NaN is NaN.
  call->replaceAllUsesWith(b.CreateSelect(b.CreateFCmpUNO(x, y), b.CreateFAdd(x, y), found));
  call->eraseFromParent();
}

void mlir::xla::selectExtrema(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (llvm::is_contained({llvm::Intrinsic::maximum, llvm::Intrinsic::minimum}, function.getIntrinsicID()))
      for (llvm::User *user : llvm::make_early_inc_range(function.users()))
        select(llvm::cast<llvm::IntrinsicInst>(user));
}
