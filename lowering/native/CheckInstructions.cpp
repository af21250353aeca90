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
      {"avx512.conflict.", "avx512cd"},
      {"avx512.permvar.qi.", "avx512vbmi"},
      {"avx512.permvar.hi.", "avx512bw"},
      {"avx512.pmaddw.", "avx512bw"},
      {"avx512.", "avx512f"},
      {"avx2.vpdpb", "avxvnniint8"},
      {"avx2.vpdpw", "avxvnniint16"},
      {"avx2.", "avx2"},
      {"avx.", "avx"},
      {"fma.", "fma"},
      {"sse42.", "sse4.2"},
      {"sse41.", "sse4.1"},
      {"ssse3.", "ssse3"},
      {"sse3.", "sse3"},
      {"tdpbf16ps", "amx-bf16"},
      {"tdpfp16ps", "amx-fp16"},
      {"tdpb", "amx-int8"},
      {"tile", "amx-tile"},
      {"ldtilecfg", "amx-tile"},
  };
  for (const Family &family : kFamilies)
    if (intrinsic.starts_with(family.prefix))
      return &family;
  return nullptr;
}

/// What `machine` lacks of what an intrinsic needs; empty if it has it, or nothing is known.
static StringRef missingFor(StringRef intrinsic, const llvm::TargetMachine &machine) {
  if (!intrinsic.consume_front("llvm.x86."))
    return {};
  if (!machine.getTargetTriple().isX86())
    return "x86";
  const Family *family = familyOf(intrinsic);
  if (!family)
    return {};
  auto has = [&](StringRef feature) {
    return !feature.empty() && machine.getMCSubtargetInfo()->checkFeatures(("+" + feature).str());
  };
  bool isShort = intrinsic.ends_with(".128") || intrinsic.ends_with(".256");
  if (isShort && has(family->alternative))
    return {};
  if (!has(family->feature))
    return family->feature;
  if (intrinsic.starts_with("avx512") && isShort && !has("avx512vl"))
    return "avx512vl";
  return {};
}

LogicalResult checkInstructions(ModuleOp from, const llvm::Module &translated, const llvm::TargetMachine &machine) {
  for (const llvm::Function &function : translated) {
    if (!function.isIntrinsic())
      continue;
    StringRef name = function.getName(), missing = missingFor(name, machine);
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
