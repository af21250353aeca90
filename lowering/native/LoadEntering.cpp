// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of constants that enter loops, from memory. Fast instruction selection cannot make them: it leaves the whole
// block before a loop to the SelectionDAG, for the zeros that running values begin with.

#include "mlir_xla/lowering/native/Passes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

/// The element that all of `value` is, if it is a constant vector of such elements; else null.
static TypedAttr splatOf(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type || !xla::isNativeType(type) || isa<LLVM::LLVMPointerType>(type.getElementType()) ||
      type.getElementTypeBitWidth() % 8 != 0)
    return {};
  Attribute splat;
  if (value.getDefiningOp<LLVM::ZeroOp>())
    return cast<TypedAttr>(Builder(value.getContext()).getZeroAttr(type.getElementType()));
  if (auto dense = DenseElementsAttr(); matchPattern(value, m_Constant(&dense)))
    return dense.isSplat() ? cast<TypedAttr>(dense.getSplatValue<Attribute>()) : TypedAttr();
  // As broadcasts are lowered.
  auto shuffle = value.getDefiningOp<LLVM::ShuffleVectorOp>();
  if (!shuffle || !llvm::all_of(shuffle.getMask(), [](int32_t lane) { return lane == 0; }))
    return {};
  auto first = shuffle.getV1().getDefiningOp<LLVM::InsertElementOp>();
  if (!first || !matchPattern(first.getPosition(), m_Zero()) || !matchPattern(first.getValue(), m_Constant(&splat)))
    return {};
  return cast<TypedAttr>(splat);
}

void xla::loadEnteringConstants(ModuleOp module) {
  OpBuilder builder(module.getContext());
  SymbolTable symbols(module);
  DenseMap<Attribute, LLVM::GlobalOp> globals;
  auto globalOf = [&](DenseElementsAttr constant, Location loc) {
    LLVM::GlobalOp &global = globals[constant];
    if (!global) {
      OpBuilder detached(module.getContext());
      auto type = cast<VectorType>(constant.getType());
      global = LLVM::GlobalOp::create(detached, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, "entering",
                                      constant,
                                      llvm::PowerOf2Ceil(type.getNumElements() * type.getElementTypeBitWidth() / 8));
      symbols.insert(global, module.getBody()->begin());
    }
    return global;
  };
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    function.walk([&](LLVM::BrOp branch) {
      builder.setInsertionPoint(branch);
      DenseMap<Attribute, Value> loaded;
      DenseMap<Value, Value> known; // most accumulators begin with the same value
      auto load = [&](Value operand) -> Value {
        TypedAttr splat = splatOf(operand);
        if (!splat)
          return operand;
        auto constant = DenseElementsAttr::get(cast<VectorType>(operand.getType()), splat);
        Value &value = loaded[constant];
        if (!value) {
          LLVM::GlobalOp global = globalOf(constant, branch.getLoc());
          Value address = LLVM::AddressOfOp::create(builder, branch.getLoc(), global);
          value = LLVM::LoadOp::create(builder, branch.getLoc(), constant.getType(), address, *global.getAlignment());
        }
        return value;
      };
      for (OpOperand &operand : branch->getOpOperands()) {
        auto [entering, isNew] = known.try_emplace(operand.get());
        if (isNew)
          entering->second = load(operand.get());
        operand.set(entering->second);
      }
    });
}
