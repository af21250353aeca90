// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processors: what code is generated for, and what of it this one could not run.

#include "mlir_xla/python/bindings/Bindings.h"

#include "mlir_xla/lowering/native/TargetSpec.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>

namespace mlir::xla::python {
namespace {

TargetSpec resolve(const std::string &cpu, const std::string &features) {
  std::string error;
  FailureOr<TargetSpec> spec = TargetSpec::resolve(cpu, features, error);
  if (failed(spec))
    throw nb::value_error(error.c_str());
  return *spec;
}

std::string describeProcessor(const std::string &cpu, const std::string &features) {
  TargetSpec spec = resolve(cpu, features);
  return spec.cpu + " " + spec.features;
}

/// Whether code for arithmetic may hold an instruction of this feature. A processor has many others, such as those of
/// operating systems, and virtual machines hide some of them.
bool isForArithmetic(StringRef feature) {
  return llvm::any_of(ArrayRef<StringRef>{"amx-",      "avx",  "bmi",   "ccmp",  "cf",   "cmov",       "egpr",   "f16c",
                                          "fma",       "gfni", "lzcnt", "movbe", "ndd",  "nf",         "popcnt", "ppx",
                                          "push2pop2", "sse",  "ssse3", "tbm",   "vaes", "vpclmulqdq", "xop",    "zu"},
                      [&](StringRef prefix) { return feature.starts_with(prefix); });
}

/// The features that code for such a processor may need and this machine does not have. Empty for processors whose
/// features have other names than x86's.
std::vector<std::string> missingFeatures(const std::string &cpu, const std::string &features) {
  TargetSpec wanted = resolve(cpu, features), here = resolve("", "");
  std::string error;
  llvm::Triple triple(here.triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<llvm::MCSubtargetInfo> wantedInfo(target->createMCSubtargetInfo(triple, wanted.cpu, wanted.features)),
      hereInfo(target->createMCSubtargetInfo(triple, here.cpu, here.features));
  std::vector<std::string> missing;
  for (const llvm::StringMapEntry<bool> &feature : llvm::sys::getHostCPUFeatures()) {
    std::string name = feature.getKey().str(), flag = "+" + name;
    if (isForArithmetic(name) && wantedInfo->checkFeatures(flag) && !hereInfo->checkFeatures(flag))
      missing.push_back(name);
  }
  std::sort(missing.begin(), missing.end());
  return missing;
}

} // namespace

void populateProcessors(nb::module_ &compiler) {
  compiler.def("processor", describeProcessor, nb::arg("cpu") = "", nb::arg("features") = "",
               "The name and the features of the processor that `compile` generates code for, as LLVM spells them.");
  compiler.def("missing_features", missingFeatures, nb::arg("cpu") = "", nb::arg("features") = "",
               "The features that code for this processor may need and the machine does not have.");
}

} // namespace mlir::xla::python
