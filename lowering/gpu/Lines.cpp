// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/gpu/Lines.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

namespace mlir::xla {

static LLVM::DIFileAttr fileOf(MLIRContext *context, FileLineColLoc place) {
  StringRef path = place.getFilename().getValue();
  return LLVM::DIFileAttr::get(context, llvm::sys::path::filename(path), llvm::sys::path::parent_path(path));
}

void addLines(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  auto empty = StringAttr::get(context, "");
  auto anywhere = FileLineColLoc::get(StringAttr::get(context, "-"), 0, 0);
  auto placeOf = [](Operation *op) { return op->getLoc()->findInstanceOf<FileLineColLoc>(); };
  auto file = LLVM::DIFileAttr::get(context, "program", "");
  auto unit = LLVM::DICompileUnitAttr::get(DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C, file,
                                           StringAttr::get(context, "mlir-xla"), /*isOptimized=*/true,
                                           LLVM::DIEmissionKind::DebugDirectivesOnly);
  auto type = LLVM::DISubroutineTypeAttr::get(context, ArrayRef<LLVM::DITypeAttr>());
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    FileLineColLoc place = placeOf(function);
    if (!place)
      place = anywhere;
    auto own = LLVM::DISubprogramAttr::get(
        context, DistinctAttr::create(UnitAttr::get(context)), unit, fileOf(context, place), function.getNameAttr(),
        empty, fileOf(context, place), place.getLine(), place.getLine(),
        LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized, type, {}, {});
    // A function may have code of several files.
    DenseMap<StringAttr, LLVM::DILocalScopeAttr> scopes = {{place.getFilename(), own}};
    function.walk([&](Operation *op) {
      FileLineColLoc of = placeOf(op);
      if (!of)
        of = place;
      LLVM::DILocalScopeAttr &scope = scopes[of.getFilename()];
      if (!scope)
        scope = LLVM::DILexicalBlockFileAttr::get(context, own, fileOf(context, of), 0);
      op->setLoc(FusedLoc::get(context, {of}, op == function ? LLVM::DILocalScopeAttr(own) : scope));
    });
  }
}

void flattenLines(llvm::Module &code) {
  for (llvm::Function &function : code) {
    llvm::DISubprogram *own = function.getSubprogram();
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block) {
        const llvm::DebugLoc &place = instruction.getDebugLoc();
        if (!place || !own)
          continue;
        llvm::DIScope *scope = place->getScope();
        llvm::DILocalScope *flat = own;
        if (scope->getFile() != own->getFile())
          flat = llvm::DILexicalBlockFile::get(code.getContext(), own, scope->getFile(), 0);
        instruction.setDebugLoc(llvm::DILocation::get(code.getContext(), place.getLine(), place.getCol(), flat));
      }
  }
}

} // namespace mlir::xla
