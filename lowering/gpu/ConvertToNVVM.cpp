// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters: launches on the host; func, scf, arith, math, vector, llvm and gpu ops in the GPU module. Leaves: calls of
// the runtime; the LLVM and NVVM dialects in the GPU module.

#include "mlir_xla/lowering/gpu/Passes.h"
#include "mlir_xla/lowering/native/LLVMConverter.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace mlir::xla {
#define GEN_PASS_DEF_CONVERTTONVVM
#include "mlir_xla/lowering/gpu/Passes.h.inc"

namespace {

void addGpuPatterns(LLVMTypeConverter &types, ConversionTarget &target, RewritePatternSet &patterns) {
  configureGpuToNVVMTypeConverter(types);
  target.addLegalDialect<NVVM::NVVMDialect>();
  target.addIllegalDialect<gpu::GPUDialect>();
  // Last: for a few operations of arith it has calls of NVIDIA's library.
  populateGpuToNVVMConversionPatterns(types, patterns, /*benefit=*/0);
}

struct ConvertToNVVMPass : impl::ConvertToNVVMBase<ConvertToNVVMPass> {
  LogicalResult initialize(MLIRContext *context) override {
    conversion = std::make_shared<LLVMConverter>(context, addGpuPatterns);
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto onDevice = module.lookupSymbol<gpu::GPUModuleOp>(kKernelsModule);
    if (!onDevice)
      return;
    // Launches first: a function that is converted has lost its number.
    numberKernels(onDevice);
    SmallVector<gpu::LaunchFuncOp> launches;
    module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
    for (gpu::LaunchFuncOp launch : launches)
      if (failed(convertLaunch(launch)))
        return signalPassFailure();
    if (failed(convertDeviceCode(onDevice)))
      signalPassFailure();
  }

private:
  void numberKernels(gpu::GPUModuleOp onDevice) {
    numbers.clear();
    for (auto kernel : onDevice.getOps<gpu::GPUFuncOp>())
      if (kernel.isKernel())
        numbers.try_emplace(kernel.getNameAttr(), KernelNumber{static_cast<int64_t>(numbers.size()), memoryOf(kernel)});
  }

  /// For each argument that is copied from memory of the host, the type of that; null for others.
  static SmallVector<Attribute> memoryOf(gpu::GPUFuncOp kernel) {
    return llvm::map_to_vector(llvm::seq(kernel.getNumArguments()),
                               [&](unsigned i) { return kernel.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()); });
  }

  /// An array on the stack; loops do not make the stack grow.
  Value arrayOf(ImplicitLocOpBuilder &b, func::FuncOp function, ValueRange values, Type type) {
    auto pointerType = LLVM::LLVMPointerType::get(b.getContext());
    Value array;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&function.getBody().front());
      Value size = arith::ConstantIntOp::create(b, std::max<int64_t>(1, values.size()), 64);
      array = LLVM::AllocaOp::create(b, pointerType, type, size, /*alignment=*/8);
    }
    for (auto [i, value] : llvm::enumerate(values)) {
      Value place = LLVM::GEPOp::create(b, pointerType, type, array, LLVM::GEPArg(static_cast<int32_t>(i)));
      LLVM::StoreOp::create(b, value, place);
    }
    return array;
  }

  LogicalResult convertLaunch(gpu::LaunchFuncOp launch) {
    auto number = numbers.find(launch.getKernelName());
    if (number == numbers.end())
      return launch.emitOpError("launches what is no kernel of @") << kKernelsModule;
    auto function = launch->getParentOfType<func::FuncOp>();
    auto module = function->getParentOfType<ModuleOp>();
    ImplicitLocOpBuilder b(launch.getLoc(), launch);
    Type i64 = b.getI64Type();
    auto pointerType = LLVM::LLVMPointerType::get(b.getContext());
    SmallVector<Value> sizes, places;
    for (Value size : {launch.getGridSizeX(), launch.getGridSizeY(), launch.getGridSizeZ(), launch.getBlockSizeX(),
                       launch.getBlockSizeY(), launch.getBlockSizeZ()})
      sizes.push_back(arith::IndexCastOp::create(b, i64, size));
    if (Value bytes = launch.getDynamicSharedMemorySize())
      sizes.push_back(arith::ExtUIOp::create(b, i64, bytes));
    else
      sizes.push_back(arith::ConstantIntOp::create(b, 0, 64));
    // Each operand has a place of its own on the stack.
    for (auto [i, operand] : llvm::enumerate(launch.getKernelOperands())) {
      if (number->second.memory[i]) {
        places.push_back(operand);
        continue;
      }
      Value stored = operand;
      if (operand.getType().isIndex())
        stored = arith::IndexCastOp::create(b, i64, operand);
      places.push_back(arrayOf(b, function, stored, stored.getType()));
    }
    auto callee = module.lookupSymbol<func::FuncOp>("xla_rt_cuda_launch");
    if (!callee) {
      OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
      callee = func::FuncOp::create(atEnd, launch.getLoc(), "xla_rt_cuda_launch",
                                    b.getFunctionType({i64, pointerType, pointerType}, {}));
      callee.setPrivate();
    }
    Value which = arith::ConstantIntOp::create(b, number->second.index, 64);
    func::CallOp::create(
        b, callee, ValueRange{which, arrayOf(b, function, sizes, i64), arrayOf(b, function, places, pointerType)});
    launch.erase();
    return success();
  }

  /// Functions that no instruction computes would be calls of a library that the device has not, and LLVM's end.
  static LogicalResult checkFunctions(gpu::GPUModuleOp onDevice) {
    WalkResult result = onDevice.walk([](Operation *op) {
      bool isFunction = isa_and_present<math::MathDialect>(op->getDialect()) &&
                        !isa<math::FmaOp, math::SqrtOp, math::RsqrtOp, math::AbsFOp, math::AbsIOp, math::CeilOp,
                             math::FloorOp, math::TruncOp, math::RoundOp, math::RoundEvenOp, math::CopySignOp,
                             math::CtPopOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp>(op);
      if (!isFunction && !isa<arith::RemFOp>(op))
        return WalkResult::advance();
      op->emitOpError("has no instruction on the device");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// GPUs have fused multiply-adds, which need not be taken apart: of one by 1, or with 0, LLVM makes a sum or a
  /// product with the flag `contract`, which PTX's assembler may fuse with others.
  static void roundOnce(gpu::GPUModuleOp onDevice) {
    onDevice.walk([](math::FmaOp op) { op.setFastmath(arith::FastMathFlags::none); });
  }

  /// LLVM 22 leaves the guard of `amount < 64 ? x >> amount : 0` to PTX's instruction, which takes only the amount's
  /// low 32 bits. Within the guard another amount means the same.
  static void boundShifts(gpu::GPUModuleOp onDevice) {
    onDevice.walk([](Operation *op) {
      if (!isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op) ||
          !getElementTypeOrSelf(op->getResult(0)).isInteger(64) || matchPattern(op->getOperand(1), m_Constant()))
        return;
      ImplicitLocOpBuilder b(op->getLoc(), op);
      Type type = op->getResult(0).getType();
      Attribute bound = b.getI64IntegerAttr(63);
      if (auto vector = dyn_cast<VectorType>(type))
        bound = DenseElementsAttr::get(vector, bound);
      Value most = arith::ConstantOp::create(b, cast<TypedAttr>(bound));
      // The intrinsic, and no comparison, of which LLVM would make the same guard again.
      op->setOperand(1, LLVM::UMinOp::create(b, op->getOperand(1), most));
    });
  }

  /// The conversion is one of modules.
  LogicalResult convertDeviceCode(gpu::GPUModuleOp onDevice) {
    if (failed(checkFunctions(onDevice)))
      return failure();
    boundShifts(onDevice);
    roundOnce(onDevice);
    OwningOpRef<ModuleOp> code = ModuleOp::create(onDevice.getLoc());
    auto move = [](Block *from, Block *to) { to->getOperations().splice(to->end(), from->getOperations()); };
    move(onDevice.getBody(), code->getBody());
    LogicalResult result = conversion->run(*code);
    move(code->getBody(), onDevice.getBody());
    if (failed(result))
      return failure();
    WalkResult left = onDevice.walk([&](Operation *op) {
      if (op == onDevice || isa<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("cannot be converted to NVVM");
      return WalkResult::interrupt();
    });
    // What is copied from the host is read where it is. The conversion loses that.
    for (auto function : onDevice.getOps<LLVM::LLVMFuncOp>())
      if (auto number = numbers.find(function.getSymNameAttr()); number != numbers.end())
        for (auto [i, type] : llvm::enumerate(number->second.memory))
          if (type) {
            function.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(), type);
            function.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), UnitAttr::get(&getContext()));
          }
    for (auto function : onDevice.getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() && !function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
        function.setLinkage(LLVM::Linkage::Internal);
    return failure(left.wasInterrupted());
  }

  std::shared_ptr<LLVMConverter> conversion;
  struct KernelNumber {
    int64_t index;
    SmallVector<Attribute> memory;
  };
  DenseMap<StringAttr, KernelNumber> numbers;
};

} // namespace
} // namespace mlir::xla
