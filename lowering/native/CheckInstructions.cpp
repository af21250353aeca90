// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's tables of intrinsics do not say which processors have them. The names do, as far as kernels use them.

#include "mlir_xla/lowering/native/CheckInstructions.h"

#include "mlir_xla/lowering/Unsupported.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::xla {

namespace {
/// Intrinsics whose names begin alike, and the feature that has their instructions; there may be another one that has
/// them for short vectors.
struct Family {
  StringLiteral prefix, feature, alternative = "";
};
} // namespace

/// What an intrinsic of this name belongs to; null if every x86-64 has it or nothing is known of it.
static const Family *familyOf(StringRef intrinsic) {
  // The first that fits.
  static constexpr Family kFamilies[] = {
      {"avx512bf16.", "avx512bf16"},
      {"avx512.vpdp", "avx512vnni", "avxvnni"},
      {"avx512.permvar.qi.", "avx512vbmi"},
      {"avx512.permvar.hi.", "avx512bw"},
      {"avx512.pmaddw.", "avx512bw"},
      {"avx512.", "avx512f"},
      {"avx2.", "avx2"},
      {"tdpbf16ps", "amx-bf16"},
      {"tdpfp16ps", "amx-fp16"},
      {"tdpb", "amx-int8"},
      {"tile", "amx-tile"},
      {"ldtilecfg", "amx-tile"},
  };
  if (intrinsic.consume_front("llvm.x86."))
    for (const Family &family : kFamilies)
      if (intrinsic.starts_with(family.prefix))
        return &family;
  return nullptr;
}

LogicalResult checkInstructions(ModuleOp from, const llvm::Module &translated, const llvm::TargetMachine &machine) {
  for (const llvm::Function &function : translated) {
    if (!function.isIntrinsic())
      continue;
    StringRef name = function.getName(), missing;
    auto has = [&](StringRef feature) {
      return !feature.empty() && machine.getMCSubtargetInfo()->checkFeatures(("+" + feature).str());
    };
    if (const Family *family = familyOf(name); family && !has(family->feature) && !has(family->alternative))
      missing = family->feature;
    else if (family && name.ends_with(".512") && !has("avx512f"))
      missing = "avx512f";
    if (missing.empty())
      continue;
    Operation *caller = from;
    from.walk([&](LLVM::CallIntrinsicOp call) {
      if (call.getIntrin() != name)
        return WalkResult::advance();
      caller = call;
      return WalkResult::interrupt();
    });
    return unsupported(caller->emitError("'"))
           << name << "' needs '" << missing << "', which the processor lacks that code is generated for ('"
           << machine.getTargetCPU() << "' with its features '" << machine.getTargetFeatureString() << "')";
  }
  return success();
}

} // namespace mlir::xla
