// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module of PTX, loaded: text in, kernels that can be launched out.

#ifndef CUDA_EMU_TRANSLATE_JIT_H
#define CUDA_EMU_TRANSLATE_JIT_H

#include "../execute/Machine.h"
#include "../ptx/Ptx.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <memory>
#include <string>

namespace llvm::orc {
class JITDylib;
}
namespace llvm {
class Module;
}

namespace cuda_emu {

/// Makes the bits of NaNs what PTX says, where they can be seen, and optimises a little: LLVM has optimised the PTX
/// already.
void optimize(llvm::Module &module);

struct LoadedGlobal {
  uint64_t address, bytes;
};

/// By the line table of the object code, read when it is asked for, and the .loc directives.
class ModuleSource : public SourceMap {
public:
  unsigned lineOf(uint64_t address) const override;
  std::string describe(unsigned line) const override;

  const ptx::Module *module = nullptr;
  std::map<unsigned, unsigned> locations;    // of lines of PTX
  std::string object;                        // as the code generator left it
  std::map<uint64_t, std::string> functions; // symbols by their addresses
};

struct LoadedModule {
  LoadedModule() = default;
  LoadedModule(const LoadedModule &) = delete;
  ~LoadedModule();
  std::unique_ptr<ptx::Module> source;
  ModuleSource map;
  std::map<std::string, Kernel> kernels;
  std::map<std::string, LoadedGlobal> globals;
  llvm::orc::JITDylib *library = nullptr;
};

/// Null with an error. `allocate` gives zeroed device memory for a variable, which the caller owns.
std::unique_ptr<LoadedModule> loadModule(llvm::StringRef text,
                                         llvm::function_ref<uint64_t(uint64_t bytes, uint64_t alignment)> allocate,
                                         std::string &error);

} // namespace cuda_emu

#endif // CUDA_EMU_TRANSLATE_JIT_H
