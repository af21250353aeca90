// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Most ops of a kernel have types that LLVM has, and one LLVM op for each of them. They are replaced one by one: the
// dialect conversion takes several times as long for that, and is left with what is rare.

#include "mlir_xla/lowering/native/Passes.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

bool mlir::xla::isNativeType(Type type) {
  if (auto vectorType = dyn_cast<VectorType>(type)) {
    if (vectorType.getRank() != 1 || vectorType.isScalable())
      return false;
    type = vectorType.getElementType();
  }
  return isa<IntegerType, Float32Type, Float64Type, Float16Type, BFloat16Type, LLVM::LLVMPointerType>(type);
}

namespace {

using Lowering = Value (*)(OpBuilder &, Operation *);

/// arith.addi %x, %y : i64  ->  llvm.add %x, %y : i64
template <typename Target> Value lowerInteger(OpBuilder &b, Operation *op) {
  return Target::create(b, op->getLoc(), op->getResultTypes(), op->getOperands(), ArrayRef<NamedAttribute>());
}

/// arith.addf %x, %y fastmath<reassoc> : f32  ->  llvm.fadd %x, %y {fastmathFlags = #llvm.fastmath<reassoc>} : f32
template <typename Source, typename Target> Value lowerFloat(OpBuilder &b, Operation *op) {
  auto target = Target::create(b, op->getLoc(), op->getResultTypes(), op->getOperands(), ArrayRef<NamedAttribute>());
  target.setFastmathFlags(arith::convertArithFastMathFlagsToLLVM(cast<Source>(op).getFastmath()));
  return target;
}

Value lowerConstant(OpBuilder &b, Operation *op) {
  auto constant = cast<arith::ConstantOp>(op);
  return LLVM::ConstantOp::create(b, op->getLoc(), constant.getType(), constant.getValue());
}

Value lowerCompareIntegers(OpBuilder &b, Operation *op) {
  auto compare = cast<arith::CmpIOp>(op);
  return LLVM::ICmpOp::create(b, op->getLoc(), compare.getType(),
                              static_cast<LLVM::ICmpPredicate>(compare.getPredicate()), compare.getLhs(),
                              compare.getRhs());
}

Value lowerCompareFloats(OpBuilder &b, Operation *op) {
  auto compare = cast<arith::CmpFOp>(op);
  return LLVM::FCmpOp::create(b, op->getLoc(), compare.getType(),
                              static_cast<LLVM::FCmpPredicate>(compare.getPredicate()), compare.getLhs(),
                              compare.getRhs(), arith::convertArithFastMathFlagsToLLVM(compare.getFastmath()));
}

/// arith.minsi %x, %y : i64  ->  llvm.select (llvm.icmp "sle" %x, %y), %x, %y
/// Fast instruction selection knows these two, and not the intrinsic, which vectors get. An index that is in its bounds
/// is known to be the lesser or equal one.
template <typename Target, LLVM::ICmpPredicate predicate> Value lowerExtremum(OpBuilder &b, Operation *op) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (isa<VectorType>(lhs.getType()))
    return lowerInteger<Target>(b, op);
  Value isLhs = LLVM::ICmpOp::create(b, op->getLoc(), b.getI1Type(), predicate, lhs, rhs);
  return LLVM::SelectOp::create(b, op->getLoc(), isLhs, lhs, rhs);
}

Value lowerPoison(OpBuilder &b, Operation *op) {
  return LLVM::PoisonOp::create(b, op->getLoc(), op->getResult(0).getType());
}

/// vector.broadcast %x : f32 to vector<4xf32>  ->  llvm.insertelement %x at 0, llvm.shufflevector [0, 0, 0, 0]
Value lowerBroadcast(OpBuilder &b, Operation *op) {
  auto broadcast = cast<vector::BroadcastOp>(op);
  auto type = cast<VectorType>(broadcast.getType());
  if (isa<VectorType>(broadcast.getSourceType()))
    return {};
  Value poison = LLVM::PoisonOp::create(b, op->getLoc(), type);
  Value zero = LLVM::ConstantOp::create(b, op->getLoc(), b.getI32Type(), b.getI32IntegerAttr(0));
  Value first = LLVM::InsertElementOp::create(b, op->getLoc(), poison, broadcast.getSource(), zero);
  return LLVM::ShuffleVectorOp::create(b, op->getLoc(), first, poison, SmallVector<int32_t>(type.getNumElements(), 0));
}

Value lowerShuffle(OpBuilder &b, Operation *op) {
  auto shuffle = cast<vector::ShuffleOp>(op);
  if (shuffle.getV1().getType() != shuffle.getV2().getType())
    return {};
  return LLVM::ShuffleVectorOp::create(b, op->getLoc(), shuffle.getV1(), shuffle.getV2(),
                                       llvm::to_vector_of<int32_t>(shuffle.getMask()));
}

/// math.rsqrt %x : f32  ->  llvm.fdiv 1, (llvm.intr.sqrt %x)
Value lowerRsqrt(OpBuilder &b, Operation *op) {
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  TypedAttr one = b.getFloatAttr(getElementTypeOrSelf(type), 1.0);
  if (auto vectorType = dyn_cast<VectorType>(type))
    one = DenseElementsAttr::get(vectorType, one);
  LLVM::FastmathFlags flags = arith::convertArithFastMathFlagsToLLVM(cast<math::RsqrtOp>(op).getFastmath());
  Value root = LLVM::SqrtOp::create(b, loc, type, op->getOperand(0), flags);
  return LLVM::FDivOp::create(b, loc, type, LLVM::ConstantOp::create(b, loc, type, one), root, flags);
}

/// arith.extf %x : f32 to f64  ->  llvm.fpext %x : f32 to f64
template <typename Source, typename Target> Value lowerCast(OpBuilder &b, Operation *op) {
  bool isPlain = !cast<Source>(op).getFastmathAttr();
  if constexpr (std::is_same_v<Source, arith::TruncFOp>)
    isPlain &= !cast<Source>(op).getRoundingmodeAttr();
  return isPlain ? lowerInteger<Target>(b, op) : Value();
}

/// vector.extract %x[2] : f32 from vector<4xf32>  ->  llvm.extractelement %x[2]
Value lowerExtract(OpBuilder &b, Operation *op) {
  auto extract = cast<vector::ExtractOp>(op);
  if (isa<VectorType>(extract.getType()) || extract.hasDynamicPosition())
    return {};
  Value lane = LLVM::ConstantOp::create(b, op->getLoc(), b.getI64IntegerAttr(extract.getStaticPosition()[0]));
  return LLVM::ExtractElementOp::create(b, op->getLoc(), extract.getSource(), lane);
}

/// vector.extract_strided_slice %x {offsets = [4], sizes = [4], strides = [1]}  ->  llvm.shufflevector %x [4, 5, 6, 7]
Value lowerSlice(OpBuilder &b, Operation *op) {
  auto slice = cast<vector::ExtractStridedSliceOp>(op);
  int64_t begin = cast<IntegerAttr>(slice.getOffsets()[0]).getInt(), size = slice.getType().getNumElements();
  auto lanes = llvm::to_vector_of<int32_t>(llvm::seq(begin, begin + size));
  return LLVM::ShuffleVectorOp::create(b, op->getLoc(), slice.getSource(), slice.getSource(), lanes);
}

/// vector.reduction <add>, %x, %start : vector<4xf32> into f32  ->  llvm.intr.vector.reduce.fadd(%start, %x)
Value lowerReduction(OpBuilder &b, Operation *op) {
  auto reduction = cast<vector::ReductionOp>(op);
  Location loc = op->getLoc();
  Value x = reduction.getVector(), start = reduction.getAcc();
  Type type = reduction.getType();
  using Kind = vector::CombiningKind;
  if (isa<FloatType>(type)) {
    if (!start)
      return {};
    auto flags = arith::convertArithFastMathFlagsToLLVM(reduction.getFastmath()) | LLVM::FastmathFlags::reassoc;
    if (reduction.getKind() == Kind::ADD)
      return LLVM::vector_reduce_fadd::create(b, loc, type, start, x, flags);
    if (reduction.getKind() == Kind::MUL)
      return LLVM::vector_reduce_fmul::create(b, loc, type, start, x, flags);
    return {};
  }
  if (start)
    return {};
  switch (reduction.getKind()) {
  case Kind::ADD:
    return LLVM::vector_reduce_add::create(b, loc, type, x);
  case Kind::AND:
    return LLVM::vector_reduce_and::create(b, loc, type, x);
  case Kind::OR:
    return LLVM::vector_reduce_or::create(b, loc, type, x);
  case Kind::MINSI:
    return LLVM::vector_reduce_smin::create(b, loc, type, x);
  case Kind::MAXSI:
    return LLVM::vector_reduce_smax::create(b, loc, type, x);
  default:
    return {};
  }
}

class Table {
public:
  Table() {
    integer<arith::AddIOp, LLVM::AddOp>();
    integer<arith::SubIOp, LLVM::SubOp>();
    integer<arith::MulIOp, LLVM::MulOp>();
    integer<arith::DivUIOp, LLVM::UDivOp>();
    integer<arith::DivSIOp, LLVM::SDivOp>();
    integer<arith::RemUIOp, LLVM::URemOp>();
    integer<arith::RemSIOp, LLVM::SRemOp>();
    integer<arith::AndIOp, LLVM::AndOp>();
    integer<arith::OrIOp, LLVM::OrOp>();
    integer<arith::XOrIOp, LLVM::XOrOp>();
    integer<arith::ShLIOp, LLVM::ShlOp>();
    integer<arith::ShRSIOp, LLVM::AShrOp>();
    integer<arith::ShRUIOp, LLVM::LShrOp>();
    lowerings[TypeID::get<arith::MinSIOp>()] = lowerExtremum<LLVM::SMinOp, LLVM::ICmpPredicate::sle>;
    lowerings[TypeID::get<arith::MaxSIOp>()] = lowerExtremum<LLVM::SMaxOp, LLVM::ICmpPredicate::sge>;
    lowerings[TypeID::get<arith::MinUIOp>()] = lowerExtremum<LLVM::UMinOp, LLVM::ICmpPredicate::ult>;
    lowerings[TypeID::get<arith::MaxUIOp>()] = lowerExtremum<LLVM::UMaxOp, LLVM::ICmpPredicate::ugt>;
    integer<arith::TruncIOp, LLVM::TruncOp>();
    integer<arith::ExtSIOp, LLVM::SExtOp>();
    integer<arith::ExtUIOp, LLVM::ZExtOp>();
    integer<arith::SIToFPOp, LLVM::SIToFPOp>();
    integer<arith::UIToFPOp, LLVM::UIToFPOp>();
    integer<arith::FPToSIOp, LLVM::FPToSIOp>();
    integer<arith::FPToUIOp, LLVM::FPToUIOp>();
    integer<arith::BitcastOp, LLVM::BitcastOp>();
    integer<arith::SelectOp, LLVM::SelectOp>();
    floating<arith::AddFOp, LLVM::FAddOp>();
    floating<arith::SubFOp, LLVM::FSubOp>();
    floating<arith::MulFOp, LLVM::FMulOp>();
    floating<arith::DivFOp, LLVM::FDivOp>();
    floating<arith::NegFOp, LLVM::FNegOp>();
    floating<arith::MaximumFOp, LLVM::MaximumOp>();
    floating<arith::MinimumFOp, LLVM::MinimumOp>();
    floating<math::FmaOp, LLVM::FMAOp>();
    floating<math::AbsFOp, LLVM::FAbsOp>();
    floating<math::CopySignOp, LLVM::CopySignOp>();
    floating<math::RoundEvenOp, LLVM::RoundEvenOp>();
    floating<math::SqrtOp, LLVM::SqrtOp>();
    lowerings[TypeID::get<arith::ConstantOp>()] = lowerConstant;
    lowerings[TypeID::get<arith::CmpIOp>()] = lowerCompareIntegers;
    lowerings[TypeID::get<arith::CmpFOp>()] = lowerCompareFloats;
    lowerings[TypeID::get<ub::PoisonOp>()] = lowerPoison;
    lowerings[TypeID::get<vector::BroadcastOp>()] = lowerBroadcast;
    lowerings[TypeID::get<vector::ShuffleOp>()] = lowerShuffle;
    lowerings[TypeID::get<arith::ExtFOp>()] = lowerCast<arith::ExtFOp, LLVM::FPExtOp>;
    lowerings[TypeID::get<arith::TruncFOp>()] = lowerCast<arith::TruncFOp, LLVM::FPTruncOp>;
    lowerings[TypeID::get<math::RsqrtOp>()] = lowerRsqrt;
    integer<vector::BitCastOp, LLVM::BitcastOp>();
    lowerings[TypeID::get<vector::ExtractOp>()] = lowerExtract;
    lowerings[TypeID::get<vector::ExtractStridedSliceOp>()] = lowerSlice;
    lowerings[TypeID::get<vector::ReductionOp>()] = lowerReduction;
  }

  Lowering of(Operation *op) const { return lowerings.lookup(op->getName().getTypeID()); }

private:
  template <typename Source, typename Target> void integer() {
    lowerings[TypeID::get<Source>()] = lowerInteger<Target>;
  }
  template <typename Source, typename Target> void floating() {
    lowerings[TypeID::get<Source>()] = lowerFloat<Source, Target>;
  }

  DenseMap<TypeID, Lowering> lowerings;
};

/// i64 -> index -> i64 is nothing.
void forgetIndex(arith::IndexCastOp op) {
  auto source = op.getIn().getDefiningOp<arith::IndexCastOp>();
  if (!source || source.getIn().getType() != op.getType())
    return;
  op.replaceAllUsesWith(source.getIn());
  op.erase();
  if (source->use_empty())
    source.erase();
}

} // namespace

void mlir::xla::lowerDirectly(ModuleOp module) {
  static const Table table;
  OpBuilder builder(module.getContext());
  module.walk([&](Operation *op) {
    if (auto cast = dyn_cast<arith::IndexCastOp>(op))
      return forgetIndex(cast);
    Lowering lowering = table.of(op);
    if (!lowering || !llvm::all_of(op->getOperandTypes(), isNativeType) ||
        !llvm::all_of(op->getResultTypes(), isNativeType))
      return;
    builder.setInsertionPoint(op);
    if (Value result = lowering(builder, op)) {
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
  });
}
