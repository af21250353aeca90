// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-share-kernels`: layers of a network have kernels in common, which are planned, emitted and compiled once.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/IR/OperationSupport.h"

namespace mlir::xla {
#define GEN_PASS_DEF_SHAREKERNELS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {

/// Equal for equal kernels. Attributes of ops are left out: most are properties, which take long to look at.
llvm::hash_code fingerprint(func::FuncOp kernel) {
  llvm::hash_code hash = llvm::hash_combine(Type(kernel.getFunctionType()));
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    hash = llvm::hash_combine(hash, op->getName(), op->getNumOperands());
    for (Type type : op->getResultTypes())
      hash = llvm::hash_combine(hash, type);
  });
  return hash;
}

/// True if the two differ in their names and locations only.
bool areEqual(func::FuncOp first, func::FuncOp second) {
  auto nameless = [](func::FuncOp function) {
    func::FuncOp::Properties properties = function.getProperties();
    properties.sym_name = nullptr;
    return properties;
  };
  return first->getDiscardableAttrDictionary() == second->getDiscardableAttrDictionary() &&
         nameless(first) == nameless(second) &&
         OperationEquivalence::isRegionEquivalentTo(&first.getBody(), &second.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

struct ShareKernelsPass : mlir::xla::impl::ShareKernelsBase<ShareKernelsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    DenseMap<size_t, SmallVector<func::FuncOp, 1>> kept;
    DenseMap<StringAttr, FlatSymbolRefAttr> replacements;
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!function->hasAttr(XlaRtDialect::kKernel) || function.isExternal())
        continue;
      SmallVector<func::FuncOp, 1> &alike = kept[fingerprint(function)];
      auto *equal = llvm::find_if(alike, [&](func::FuncOp other) { return areEqual(other, function); });
      if (equal == alike.end()) {
        alike.push_back(function);
        continue;
      }
      replacements[function.getSymNameAttr()] = FlatSymbolRefAttr::get(equal->getSymNameAttr());
      function.erase();
    }
    if (replacements.empty())
      return;
    module.walk([&](func::CallOp call) {
      if (FlatSymbolRefAttr other = replacements.lookup(call.getCalleeAttr().getAttr()))
        call.setCalleeAttr(other);
    });
  }
};

} // namespace
