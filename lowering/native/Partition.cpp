// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels know nothing of each other, so that any cut between functions will do; what they share is constants.

#include "mlir_xla/lowering/native/Partition.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::xla;

/// Fewer operations are not worth a thread: it begins late, on a core whose caches have nothing of LLVM.
static constexpr int64_t kMinPartOps = 160;

static int64_t countOps(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

/// A function that refers to nothing: each part may have a copy.
static bool isLeaf(LLVM::LLVMFuncOp function) {
  auto uses = SymbolTable::getSymbolUses(function);
  return uses && uses->empty();
}

/// Functions that others than @main refer to.
static DenseSet<Operation *> sharedFunctions(ModuleOp module, SymbolTable &symbols) {
  DenseSet<Operation *> result;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (auto uses = SymbolTable::getSymbolUses(function); uses && function.getName() != "main")
      for (const SymbolTable::SymbolUse &use : *uses)
        if (auto callee = symbols.lookup<LLVM::LLVMFuncOp>(use.getSymbolRef().getRootReference()))
          result.insert(callee);
  return result;
}

/// The symbols of `module` that `function` refers to; none if it must stay, because it needs what only one may define.
static std::optional<SmallVector<Operation *>> needs(LLVM::LLVMFuncOp function, SymbolTable &symbols) {
  SmallVector<Operation *> result;
  auto uses = SymbolTable::getSymbolUses(function);
  if (!uses)
    return std::nullopt;
  for (const SymbolTable::SymbolUse &use : *uses) {
    Operation *symbol = symbols.lookup(use.getSymbolRef().getRootReference());
    if (!symbol)
      continue;
    auto global = dyn_cast<LLVM::GlobalOp>(symbol);
    bool isDefinition = global && (global.getValueOrNull() || !global.getInitializerRegion().empty());
    if (isDefinition && !global.getConstant())
      return std::nullopt;
    auto callee = dyn_cast<LLVM::LLVMFuncOp>(symbol);
    if (!global && !(callee && (callee.isExternal() || isLeaf(callee))))
      return std::nullopt;
    if (!llvm::is_contained(result, symbol))
      result.push_back(symbol);
  }
  return result;
}

Partition mlir::xla::partition(ModuleOp module, unsigned parts) {
  Partition result;
  SmallVector<std::pair<int64_t, LLVM::LLVMFuncOp>> functions;
  int64_t total = 0;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    functions.emplace_back(countOps(function), function);
    total += functions.back().first;
  }
  parts = std::min<int64_t>(parts, total / kMinPartOps);
  if (parts < 2 || functions.size() < 2)
    return result;

  SymbolTable symbols(module);
  DenseSet<Operation *> shared = sharedFunctions(module, symbols);
  SmallVector<int64_t> load(parts, 0);
  llvm::erase_if(functions, [&](auto &each) {
    bool stays = each.second.getName() == "main" || shared.contains(each.second);
    load[0] += stays ? each.first : 0;
    return stays;
  });
  // The largest first, each to the part that has least.
  llvm::stable_sort(functions, [](auto &lhs, auto &rhs) { return lhs.first > rhs.first; });
  SmallVector<SmallVector<LLVM::LLVMFuncOp>> members(parts);
  for (auto &[size, function] : functions) {
    unsigned least = llvm::min_element(load) - load.begin();
    load[least] += size;
    members[least].push_back(function);
  }
  if (total - *llvm::max_element(load) < kMinPartOps)
    return result;

  for (unsigned part = 1; part < parts; ++part) {
    if (load[part] < kMinPartOps)
      continue;
    OwningOpRef<ModuleOp> target = ModuleOp::create(module.getLoc());
    OpBuilder builder = OpBuilder::atBlockEnd(target->getBody());
    llvm::StringSet<> known;
    for (LLVM::LLVMFuncOp function : members[part]) {
      auto needed = needs(function, symbols);
      if (!needed)
        continue;
      for (Operation *symbol : *needed) {
        if (!known.insert(SymbolTable::getSymbolName(symbol).getValue()).second)
          continue;
        builder.clone(*symbol);
      }
      function.setLinkage(LLVM::Linkage::External);
      OpBuilder(function).cloneWithoutRegions(*function);
      function->moveBefore(target->getBody(), target->getBody()->end());
    }
    result.others.push_back(std::move(target));
    result.isRestLargest &= load[0] >= load[part];
  }
  return result;
}
