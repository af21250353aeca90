// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread has 16 bytes, or the largest power of two that divides all of it. What is copied to where it is stays as it
// is, as where an argument was given away.

#include "mlir_xla/lowering/gpu/CopyKernel.h"
#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/Storage.h"

#include "mlir/IR/Matchers.h"

namespace mlir::xla {

/// Bytes that a thread copies, at least; and that a core of the host copies in a nanosecond, about.
static constexpr int64_t kLeast = 4, kHostRate = 10;

/// The bits of 16 bytes of a constant, as words; empty if its elements differ, or do not fill bytes.
static SmallVector<int32_t> wordsOf(Value value) {
  SplatElementsAttr splat;
  if (!matchPattern(value, m_Constant(&splat)))
    return {};
  ArrayRef<char> element = splat.getRawData();
  auto size = static_cast<int64_t>(element.size());
  if (size != elementStorageBytes(splat.getElementType()) || splat.getElementType().isInteger(1) ||
      GpuMachine::access % size)
    return {};
  SmallVector<int32_t> words(GpuMachine::access / sizeof(int32_t));
  for (int64_t i = 0; i < GpuMachine::access; ++i)
    reinterpret_cast<char *>(words.data())[i] = element[i % size];
  return words;
}

func::FuncOp findCopyKernel(Value value, ModuleOp module, gpu::GPUModuleOp onDevice, SymbolTable &symbols) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t bytes = type.getNumElements() * elementStorageBytes(type.getElementType());
  int64_t unit = std::min<int64_t>(GpuMachine::access, bytes & -bytes);
  bool isConstant = matchPattern(value, m_Constant());
  SmallVector<int32_t> words = wordsOf(value);
  if (unit < kLeast || !llvm::isInt<31>(bytes / unit) || (isConstant && words.empty()))
    return {};
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  SmallVector<Type> inputs(isConstant ? 1 : 2, pointer);
  OpBuilder outer(module.getContext());
  outer.setInsertionPointToEnd(module.getBody());
  Location loc = value.getLoc();
  std::string name = ((isConstant ? "fill_of_" : "copy_of_") + Twine(bytes)).str();
  auto declaration = func::FuncOp::create(
      outer, loc, name, outer.getFunctionType(isConstant ? TypeRange() : TypeRange(type), TypeRange(type)));
  declaration.setPrivate();
  name = symbols.insert(declaration).str();

  Type piece = VectorType::get({unit / kLeast}, outer.getI32Type());
  gpu::GPUFuncOp kernel =
      emitKernel(onDevice, loc, name, inputs, bytes / unit,
                 [&](ImplicitLocOpBuilder &b, Value thread, MutableArrayRef<Value> arguments) {
                   Value offset = arith::IndexCastOp::create(b, b.getI64Type(), thread), to = arguments.back();
                   auto at = [&](Value base) -> Value {
                     return LLVM::GEPOp::create(b, pointer, piece, base, LLVM::GEPArg(offset));
                   };
                   if (isConstant) {
                     Value pieces = arith::ConstantOp::create(
                         b, DenseElementsAttr::get(cast<ShapedType>(piece), ArrayRef(words).take_front(unit / kLeast)));
                     LLVM::StoreOp::create(b, pieces, at(to), unit);
                     return;
                   }
                   auto address = [&](Value of) -> Value { return LLVM::PtrToIntOp::create(b, b.getI64Type(), of); };
                   Value isElsewhere =
                       arith::CmpIOp::create(b, arith::CmpIPredicate::ne, address(arguments[0]), address(arguments[1]));
                   auto branch = scf::IfOp::create(b, isElsewhere, /*withElseRegion=*/false);
                   b.setInsertionPointToStart(branch.thenBlock());
                   LLVM::StoreOp::create(b, LLVM::LoadOp::create(b, piece, at(arguments[0]), unit), at(to), unit);
                 });
  kernel->setAttr(kCost, outer.getI64IntegerAttr(bytes / kHostRate));

  inputs.append(2, outer.getIndexType());
  auto host = func::FuncOp::create(outer, loc, name + ".impl", outer.getFunctionType(inputs, {}));
  host.setPrivate();
  host->setAttr(XlaRtDialect::kLaunches, outer.getUnitAttr());
  symbols.insert(host);
  ImplicitLocOpBuilder b(loc, module.getContext());
  b.setInsertionPointToEnd(host.addEntryBlock());
  emitLaunch(b, kernel, bytes / unit, host.getArguments().drop_back(2));
  func::ReturnOp::create(b);
  ResultMemory memory = isConstant ? ResultMemory() : ResultMemory{ResultMemory::MayReuse, 0};
  declaration->setAttr(XlaRtDialect::kKernel,
                       KernelAttr::get(module.getContext(), KernelKind::Elementwise, /*rows=*/{}, /*block=*/0));
  declaration->setAttr(XlaRtDialect::kImplementation,
                       ImplementationAttr::get(module.getContext(), FlatSymbolRefAttr::get(host), /*work=*/1,
                                               kLaunchCost, /*scratch=*/0, /*ordered=*/false, memory, /*team=*/1));
  return declaration;
}

} // namespace mlir::xla
