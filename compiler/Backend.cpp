// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/Backend.h"

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/legalize/Passes.h"
#include "mlir_xla/lowering/linalg/Passes.h"

#include "llvm/ADT/StringExtras.h"

namespace mlir::xla {

std::string LoweringOptions::str() const {
  std::string text = "vector-bits=" + std::to_string(vectorBits) + " threads=" + std::to_string(threads);
  return instructions.empty() ? text : text + " instructions=" + instructions;
}

void addLegalPasses(OpPassManager &passes, const LoweringOptions &) { buildLegalizePipeline(passes); }

void addLinalgPasses(OpPassManager &passes, const LoweringOptions &) { buildLinalgPipeline(passes); }

void addKernelsPasses(OpPassManager &passes, const LoweringOptions &options) {
  buildKernelsPipeline(passes, options.vectorBits, options.instructions);
}

/// "unknown WHAT 'name'; the WHATs are a b c; did you mean 'b'?"
static std::string unknown(StringRef what, StringRef name, ArrayRef<StringRef> known) {
  std::string message =
      (Twine("unknown ") + what + " '" + name + "'; the " + what + "s are " + llvm::join(known, " ")).str();
  if (StringRef meant = closest(name, known); !meant.empty())
    message += (Twine("; did you mean '") + meant + "'?").str();
  return message;
}

const Stage *Backend::findStage(StringRef name, std::string &error) const {
  for (const Stage &stage : irStages())
    if (stage.name == name)
      return &stage;
  error = unknown("stage", name,
                  llvm::map_to_vector(irStages(), [](const Stage &stage) -> StringRef { return stage.name; }));
  return nullptr;
}

void Backend::addPasses(OpPassManager &passes, const Stage &from, const Stage &to,
                        const LoweringOptions &options) const {
  for (const Stage *stage = &from + 1; stage <= &to; ++stage)
    if (stage->addPasses)
      stage->addPasses(passes, options);
}

/// Never destroyed: threads of the process may still compile when it exits.
static std::vector<const Backend *> &registry() {
  static auto *backends =
      new std::vector<const Backend *>{createCpuBackend().release(), createCudaBackend(/*isEmulated=*/false).release(),
                                       createCudaBackend(/*isEmulated=*/true).release()};
  return *backends;
}

void registerBackend(std::unique_ptr<Backend> backend) { registry().push_back(backend.release()); }

ArrayRef<const Backend *> allBackends() { return registry(); }

const Backend *findBackend(StringRef name, std::string &error) {
  for (const Backend *backend : allBackends())
    if (backend->name() == name)
      return backend;
  error = unknown("target", name,
                  llvm::map_to_vector(allBackends(), [](const Backend *backend) { return backend->name(); }));
  return nullptr;
}

} // namespace mlir::xla
