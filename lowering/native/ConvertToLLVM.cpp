// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters: func, scf, cf, arith, math, complex, vector, index and llvm ops on bare pointers. Leaves: the LLVM dialect
// only. Ops with a counterpart each are replaced first (LowerDirectly), the rest is converted.

#include "mlir_xla/lowering/native/LLVMConverter.h"
#include "mlir_xla/lowering/native/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::xla {
#define GEN_PASS_DEF_CONVERTTOLLVM
#include "mlir_xla/lowering/native/Passes.h.inc"

namespace {

/// The conversion's `exp(x) - 1` loses all digits near zero; libm does not.
/// It also comes first whatever the benefits, because it takes fewer steps: this is no pattern of the conversion.
/// math.expm1 %x : f32  ->  func.call @expm1f(%x)
class Expm1Lowering {
public:
  static void run(ModuleOp module) {
    SmallVector<math::ExpM1Op> ops;
    module.walk([&](math::ExpM1Op op) { ops.push_back(op); });
    IRRewriter rewriter(module.getContext());
    while (!ops.empty()) {
      math::ExpM1Op op = ops.pop_back_val();
      rewriter.setInsertionPoint(op);
      rewrite(op, rewriter, ops);
    }
  }

private:
  static void rewrite(math::ExpM1Op op, IRRewriter &rewriter, SmallVectorImpl<math::ExpM1Op> &more) {
    Location loc = op.getLoc();
    if (auto vectorType = dyn_cast<VectorType>(op.getType())) {
      Value result = ub::PoisonOp::create(rewriter, loc, vectorType);
      SmallVector<int64_t> strides = computeStrides(vectorType.getShape());
      for (int64_t i = 0, e = vectorType.getNumElements(); i < e; ++i) {
        SmallVector<int64_t> position = delinearize(i, strides);
        Value element = vector::ExtractOp::create(rewriter, loc, op.getOperand(), position);
        auto scalar = math::ExpM1Op::create(rewriter, loc, element, op.getFastmathAttr());
        more.push_back(scalar);
        element = scalar;
        result = vector::InsertOp::create(rewriter, loc, element, result, position);
      }
      rewriter.replaceOp(op, result);
      return;
    }
    Type type = op.getType(), wide = type.isF64() ? type : Type(rewriter.getF32Type());
    StringRef name = type.isF64() ? "expm1" : "expm1f";
    auto module = op->getParentOfType<ModuleOp>();
    if (!module.lookupSymbol(name)) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(module.getBody());
      auto callee = func::FuncOp::create(rewriter, loc, name, rewriter.getFunctionType({wide}, {wide}));
      callee.setPrivate();
    }
    Value operand = op.getOperand();
    if (type != wide)
      operand = arith::ExtFOp::create(rewriter, loc, wide, operand);
    Value result = func::CallOp::create(rewriter, loc, name, TypeRange{wide}, ValueRange{operand}).getResult(0);
    if (type != wide)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
  }
};

/// What the conversion must know beside control flow, functions and arithmetic. It looks at every pattern each time,
/// so there is a set for each combination that occurs.
enum Need : unsigned { None = 0, Math = 1, Complex = 2, Vector = 4, Memory = 8 };

unsigned needOf(Operation *op) {
  Dialect *dialect = op->getDialect();
  if (isa_and_present<math::MathDialect>(dialect))
    return Math;
  if (isa_and_present<complex::ComplexDialect>(dialect))
    return Complex | Math;
  if (isa_and_present<vector::VectorDialect>(dialect))
    return Vector;
  return isa_and_present<memref::MemRefDialect>(dialect) ? Memory : None;
}

LowerToLLVMOptions conversionOptions(MLIRContext *context) {
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  return options;
}

} // namespace

LLVMConverter::LLVMConverter(MLIRContext *context, MorePatterns more)
    : types(context, conversionOptions(context)), target(*context), realTarget(*context), more(more) {
  target.addLegalOp<ModuleOp>();
  RewritePatternSet realSet(context);
  populateComplexToStandardConversionPatterns(realSet);
  realPatterns = FrozenRewritePatternSet(std::move(realSet));
  realTarget.addIllegalDialect<complex::ComplexDialect>();
  realTarget.addLegalOp<complex::ConstantOp, complex::CreateOp, complex::ReOp, complex::ImOp, complex::BitcastOp>();
  realTarget.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
}

const FrozenRewritePatternSet &LLVMConverter::patternsFor(unsigned needs) {
  if (auto it = patterns.find(needs); it != patterns.end())
    return it->second;
  RewritePatternSet set(&types.getContext());
  populateSCFToControlFlowConversionPatterns(set);
  cf::populateControlFlowToLLVMConversionPatterns(types, set);
  populateFuncToLLVMConversionPatterns(types, set);
  arith::populateCeilFloorDivExpandOpsPatterns(set);
  arith::populateArithToLLVMConversionPatterns(types, set);
  index::populateIndexToLLVMConversionPatterns(types, set);
  ub::populateUBToLLVMConversionPatterns(types, set);
  if (needs & Math) {
    // Intrinsics first, libm for what has none.
    populateMathToLLVMConversionPatterns(types, set, /*approximateLog1p=*/false, /*benefit=*/2);
    populateMathToLibmConversionPatterns(set, /*benefit=*/1);
  }
  if (needs & Complex)
    populateComplexToLLVMConversionPatterns(types, set);
  // Mathematical functions of vectors take them apart.
  if (needs & (Vector | Math))
    populateVectorToLLVMConversionPatterns(types, set, /*reassociateFPReductions=*/true);
  if (needs & Memory)
    populateFinalizeMemRefToLLVMConversionPatterns(types, set);
  if (more)
    more(types, target, set);
  return patterns.emplace(needs, std::move(set)).first->second;
}

LogicalResult LLVMConverter::run(ModuleOp module) {
  ConversionConfig config;
  config.foldingMode = DialectConversionFoldingMode::Never;
  config.allowPatternRollback = false;
  auto needs = [&] {
    unsigned found = None;
    module.walk([&](Operation *op) { found |= needOf(op); });
    return found;
  };
  if ((needs() & Complex) && failed(applyPartialConversion(module, realTarget, realPatterns, config)))
    return failure();
  Expm1Lowering::run(module);
  bool isPlain = canLowerControl(module);
  lowerNonEmptyLoops(module, isPlain);
  if (isPlain)
    lowerControl(module);
  lowerDirectly(module);
  auto isLeft = [&](Operation *op) {
    return !isa<ModuleOp>(op) && !isa_and_present<LLVM::LLVMDialect>(op->getDialect());
  };
  if (!module.walk([&](Operation *op) { return isLeft(op) ? WalkResult::interrupt() : WalkResult::advance(); })
           .wasInterrupted())
    return success();
  return applyPartialConversion(module, target, patternsFor(needs()), config);
}

namespace {

struct ConvertToLLVMPass : impl::ConvertToLLVMBase<ConvertToLLVMPass> {
  LogicalResult initialize(MLIRContext *context) override {
    conversion = std::make_shared<LLVMConverter>(context);
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(conversion->run(module)))
      return signalPassFailure();
    WalkResult left = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::GPUModuleOp>(op)) // has its own conversion, which has checked it
        return WalkResult::skip();
      if (isa<ModuleOp>(op) || isa<LLVM::LLVMDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("cannot be converted to LLVM");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      return signalPassFailure();

    loadEnteringConstants(module);
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      // Our attributes have done their work and mean nothing to the translation. They are known by their names: what
      // is read in this stage comes before its dialect is loaded.
      SmallVector<StringAttr> stale;
      for (NamedAttribute attr : function->getDiscardableAttrs())
        if (StringRef name = attr.getName(); !name.contains('.') || name.starts_with("xla."))
          stale.push_back(attr.getName());
      for (StringAttr name : stale)
        function->removeDiscardableAttr(name);
      if (!function.isExternal() && function.getName() != "main")
        function.setLinkage(LLVM::Linkage::Internal);
    }
  }

  std::shared_ptr<LLVMConverter> conversion;
};

} // namespace
} // namespace mlir::xla
