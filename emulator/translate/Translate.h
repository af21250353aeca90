// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX to LLVM IR: one function for each kernel, which runs one thread.

#ifndef CUDA_EMU_TRANSLATE_TRANSLATE_H
#define CUDA_EMU_TRANSLATE_TRANSLATE_H

#include "../ptx/Ptx.h"

#include "llvm/IR/Module.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cuda_emu {

struct TranslatedKernel {
  const ptx::Function *function;
  std::string symbol;
  bool needsFibres = false;
  bool meets = false; // threads wait for each other
  uint64_t staticShared = 0;
  uint64_t dynamicAlignment = 1;
  uint64_t localBytes = 0;
  unsigned granule = 16;
};

struct Translation {
  std::unique_ptr<llvm::Module> code;
  std::vector<TranslatedKernel> kernels;
  /// Of all functions.
  std::vector<std::string> symbols;
  /// Functions whose addresses are stored in initialized variables: where, and the symbol.
  std::vector<std::pair<uint64_t, std::string>> functionAddresses;
};

/// A module that is watched tells the scheduler of each access to memory. `allocate` gives zeroed memory of the device
/// for a global variable; its initial value is stored there. Null code with an error "line N: ..." if something is not
/// understood.
Translation translate(const ptx::Module &module, llvm::LLVMContext &context,
                      llvm::function_ref<uint64_t(const ptx::Variable &)> allocate, bool isWatched, std::string &error);

} // namespace cuda_emu

#endif // CUDA_EMU_TRANSLATE_TRANSLATE_H
