// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out what the host offers, or what a named processor would.

#include "mlir_xla/lowering/native/TargetSpec.h"

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/runtime/xla_rt.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>
#include <optional>

namespace mlir::xla {

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  });
}

/// Detection reads CPUID and /proc/cpuinfo; once is enough.
static const std::pair<std::string, std::string> &hostCpuAndFeatures() {
  static const auto host = [] {
    llvm::SubtargetFeatures features;
    // The processor may have tile registers that the system does not let this process use.
    for (const auto &[name, enabled] : llvm::sys::getHostCPUFeatures()) {
      bool isRefused = enabled && name.starts_with("amx-") && !xla_rt_allow_tile_registers();
      features.AddFeature(name, enabled && !isRefused);
    }
    return std::make_pair(llvm::sys::getHostCPUName().str(), features.getString());
  }();
  return host;
}

/// Says which feature that all code for x86-64 relies on, such as registers that its calls pass numbers in, a processor
/// and features do without; LLVM would crash, or make wrong code.
static std::optional<std::string> brokenConvention(const llvm::MCSubtargetInfo &info) {
  static constexpr StringLiteral needed[] = {"+64bit", "+64bit-mode", "+sse", "+sse2"};
  static constexpr StringLiteral excluded[] = {"-16bit-mode", "-32bit-mode", "-x32", "-soft-float"};
  for (StringRef flag : needed)
    if (!info.checkFeatures(flag))
      return ("needs the CPU feature '" + flag.drop_front() + "'").str();
  for (StringRef flag : excluded)
    if (!info.checkFeatures(flag))
      return ("excludes the CPU feature '" + flag.drop_front() + "'").str();
  return std::nullopt;
}

/// Intel's processors from Sapphire Rapids on begin `vdpbf16ps` of 512 bits every other cycle, and two multiply-adds of
/// f32 in each: as many products of bf16 take twice as long as of f32. They have tile registers for them, which systems
/// do not always give.
static bool hasSlowProductsOfBf16(StringRef cpu) {
  static constexpr StringLiteral names[] = {"sapphirerapids", "emeraldrapids", "graniterapids", "graniterapids-d"};
  return llvm::is_contained(names, cpu);
}

static FailureOr<TargetSpec> find(StringRef cpu, StringRef features, std::string &error) {
  initializeTargets();
  TargetSpec spec;
  spec.triple = llvm::sys::getProcessTriple();
  if (cpu.empty() || cpu == "native") {
    spec.cpu = hostCpuAndFeatures().first;
    spec.features = hostCpuAndFeatures().second;
  } else {
    spec.cpu = cpu == "generic" && StringRef(spec.triple).starts_with("x86_64") ? "x86-64" : cpu.str();
  }
  if (!features.empty())
    spec.features += (spec.features.empty() ? "" : ",") + features.str();

  llvm::Triple triple(spec.triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return failure();
  std::unique_ptr<llvm::MCSubtargetInfo> generic(target->createMCSubtargetInfo(triple, "", ""));
  if (!generic->isCPUStringValid(spec.cpu)) {
    error = "unknown CPU '" + spec.cpu + "' for target " + spec.triple;
    SmallVector<StringRef> names;
    for (const llvm::SubtargetSubTypeKV &processor : generic->getAllProcessorDescriptions())
      names.push_back(processor.Key);
    if (StringRef meant = closest(spec.cpu, names); !meant.empty())
      error += "; did you mean '" + meant.str() + "'?";
    return failure();
  }
  SmallVector<StringRef> wanted;
  StringRef(features).split(wanted, ',', -1, /*KeepEmpty=*/false);
  for (StringRef feature : wanted) {
    StringRef name = feature.ltrim("+-");
    SmallVector<StringRef> names;
    for (const llvm::SubtargetFeatureKV &entry : generic->getAllProcessorFeatures())
      names.push_back(entry.Key);
    bool hasSign = feature.size() == name.size() + 1;
    if (hasSign && llvm::is_contained(names, name))
      continue;
    error = "unknown CPU feature '" + feature.str() + "' (features are written +name or -name)";
    if (StringRef meant = closest(name, names); !meant.empty())
      error += "; did you mean '" + (hasSign ? feature.take_front().str() : "+") + meant.str() + "'?";
    return failure();
  }
  std::unique_ptr<llvm::MCSubtargetInfo> info(target->createMCSubtargetInfo(triple, spec.cpu, spec.features));
  if (triple.getArch() == llvm::Triple::x86_64)
    if (std::optional<std::string> broken = brokenConvention(*info)) {
      error = "code for x86-64 " + *broken + " (CPU '" + spec.cpu + "', features '" + features.str() + "')";
      return failure();
    }
  // LLVM reads the list again and again: what the processor's name says already is left out.
  std::unique_ptr<llvm::MCSubtargetInfo> named(target->createMCSubtargetInfo(triple, spec.cpu, ""));
  llvm::SubtargetFeatures beyond;
  for (const llvm::SubtargetFeatureKV &feature : info->getAllProcessorFeatures())
    if (bool has = info->hasFeature(feature.Value); has != named->hasFeature(feature.Value))
      beyond.AddFeature(feature.Key, has);
  spec.features = beyond.getString();
  spec.fma = spec.f16c = !triple.isX86();
  if (triple.isX86()) {
    spec.x86 = info->checkFeatures("+sse2");
    spec.avx2 = info->checkFeatures("+avx2");
    spec.fma = info->checkFeatures("+fma") || info->checkFeatures("+fma4");
    spec.f16c = info->checkFeatures("+f16c");
    spec.avx512 = info->checkFeatures("+avx512f,+avx512bw,+avx512dq,+avx512vl");
    spec.vnni = spec.avx512 ? info->checkFeatures("+avx512vnni") : spec.avx2 && info->checkFeatures("+avxvnni");
    spec.fp16 = spec.avx512 && info->checkFeatures("+avx512fp16");
    spec.bf16 = spec.avx512 && info->checkFeatures("+avx512bf16");
    spec.bf16Products = spec.bf16 && !hasSlowProductsOfBf16(spec.cpu);
    spec.amxInt8 = spec.avx512 && info->checkFeatures("+amx-int8");
    spec.amxBf16 = spec.avx512 && info->checkFeatures("+amx-bf16");
    spec.amxFp16 = spec.avx512 && info->checkFeatures("+amx-fp16");
  }
  return spec;
}

FailureOr<TargetSpec> TargetSpec::resolve(StringRef cpu, StringRef features, std::string &error) {
  // LLVM's tables of processors and features take longer to read than a stage to run.
  static std::mutex mutex;
  static auto *known = new llvm::StringMap<TargetSpec>;
  std::string key = cpu.str() + "|" + features.str();
  std::lock_guard<std::mutex> lock(mutex);
  if (auto it = known->find(key); it != known->end())
    return it->second;
  FailureOr<TargetSpec> spec = find(cpu, features, error);
  if (succeeded(spec))
    known->try_emplace(key, *spec);
  return spec;
}

} // namespace mlir::xla
