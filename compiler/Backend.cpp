// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/Backend.h"

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/legalize/Passes.h"
#include "mlir_xla/lowering/linalg/Passes.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringExtras.h"

namespace mlir::xla {

std::string LoweringOptions::str() const {
  std::string text = "vector-bits=" + std::to_string(vectorBits) + " threads=" + std::to_string(threads);
  return text + (instructions.empty() ? "" : " instructions=" + instructions) + (fma ? "" : " fma=false") +
         (f16c ? "" : " f16c=false") + (fp16 ? " fp16=true" : "");
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

/// The stage of code that `main` shows: `llvm` or `loops`, where it takes addresses of buffers; before, empty.
static StringRef codeStage(FunctionOpInterface main) {
  if (isa<LLVM::LLVMFuncOp>(main))
    return "llvm";
  return main.getNumArguments() && llvm::all_of(main.getArgumentTypes(), llvm::IsaPred<LLVM::LLVMPointerType>) ? "loops"
                                                                                                               : "";
}

/// Whether the module has kernels of a GPU, or calls the runtime's functions for them.
static bool isForDevice(ModuleOp module) {
  return llvm::any_of(module.getOps(), [](Operation &op) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    return isa<gpu::GPUModuleOp>(op) || (function && function.getName().starts_with("xla_rt_cuda_"));
  });
}

std::string Backend::findMismatch(ModuleOp module, const Stage &from) const {
  auto main = module.lookupSymbol<FunctionOpInterface>("main");
  if (!main || main.isExternal())
    return "";
  StringRef found = codeStage(main), given = from.name;
  if (!llvm::is_contained({"loops", "llvm"}, given))
    given = "";
  if (found.empty() && given.empty())
    return "";
  if (found.empty())
    return ("the program is not in the stage '" + given + "': @main takes no addresses of buffers").str();
  if (given.empty())
    return ("the program is in the stage '" + found + "', not in '" + from.name + "'").str();
  if (found != given)
    return ("the program is in the stage '" + found + "', not in '" + given + "'").str();
  bool forDevice = isForDevice(module);
  if (forDevice && !isDevice())
    return ("the program is in the stage '" + found + "' of a GPU's target, not of '" + name() + "'").str();
  // Without results there may be nothing to tell them apart.
  auto signature = main->getAttrOfType<TypeAttr>(XlaRtDialect::kSignature);
  auto type = signature ? dyn_cast<FunctionType>(signature.getValue()) : FunctionType();
  auto hasElements = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getNumElements() != 0;
  };
  if (!forDevice && isDevice() && type && llvm::any_of(type.getResults(), hasElements))
    return ("the program is in the stage '" + found + "' of a CPU's target, not of '" + name() + "'").str();
  return "";
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
