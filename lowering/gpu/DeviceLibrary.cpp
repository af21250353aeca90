// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bitcode of the device's functions, and which function is of which family.

#include "mlir_xla/lowering/gpu/DeviceLibrary.h"
#include "mlir_xla/lowering/gpu/LibrarySteps.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

#include <mutex>

using namespace mlir;
using namespace mlir::xla;

// The file that CMake has had clang make. An assembler reads it in no time, a C++ compiler would not.
extern "C" {
extern const char xla_device_library_begin[], xla_device_library_end[];
}
asm(".pushsection .rodata\n"
    ".balign 16\n"
    ".hidden xla_device_library_begin\n"
    ".hidden xla_device_library_end\n"
    ".globl xla_device_library_begin\n"
    ".globl xla_device_library_end\n"
    "xla_device_library_begin:\n"
    ".incbin \"" XLA_DEVICE_LIBRARY "\"\n"
    "xla_device_library_end:\n"
    ".popsection\n");

StringRef mlir::xla::getDeviceLibraryBitcode() {
  return {xla_device_library_begin, static_cast<size_t>(xla_device_library_end - xla_device_library_begin)};
}

llvm::Expected<std::unique_ptr<llvm::Module>> mlir::xla::loadDeviceLibrary(llvm::LLVMContext &context) {
  auto buffer = llvm::MemoryBuffer::getMemBuffer(getDeviceLibraryBitcode(), "device-library", false);
  llvm::Expected<std::unique_ptr<llvm::Module>> library = llvm::getOwningLazyBitcodeModule(std::move(buffer), context);
  if (!library)
    return library;
  for (llvm::Function &function : **library) {
    for (StringRef attribute : {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "no-builtins"})
      function.removeFnAttr(attribute);
    if (!function.isDeclaration())
      function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  return library;
}

int64_t mlir::xla::deviceSharedBytes(StringRef name) {
  static std::mutex mutex;
  static llvm::StringMap<int64_t> known;
  std::lock_guard<std::mutex> lock(mutex);
  auto [bytes, isNew] = known.try_emplace(name, 0);
  if (!isNew)
    return bytes->second;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> library = llvm::cantFail(loadDeviceLibrary(context));
  llvm::SetVector<llvm::Value *> reached;
  if (llvm::Function *function = library->getFunction(name))
    reached.insert(function);
  for (size_t i = 0; i < reached.size(); ++i) {
    llvm::Value *value = reached[i];
    if (auto *function = dyn_cast<llvm::Function>(value)) {
      llvm::cantFail(function->materialize());
      for (llvm::Instruction &instruction : llvm::instructions(function))
        for (llvm::Value *operand : instruction.operands())
          if (isa<llvm::Constant>(operand))
            reached.insert(operand);
    } else if (auto *global = dyn_cast<llvm::GlobalVariable>(value)) {
      constexpr unsigned shared = 3;
      if (global->getAddressSpace() == shared)
        bytes->second += library->getDataLayout().getTypeAllocSize(global->getValueType());
    } else if (auto *constant = dyn_cast<llvm::ConstantExpr>(value)) {
      for (llvm::Value *operand : constant->operands())
        reached.insert(operand);
    }
  }
  return bytes->second;
}

std::optional<LibraryFacts> mlir::xla::gpuLibraryFacts(rt::LibraryCallOp op) {
  using Facts = std::optional<LibraryFacts> (*)(rt::LibraryCallOp);
  auto facts =
      llvm::StringSwitch<Facts>(op.getFunction())
          .Cases({"xla_rt_fft_f32", "xla_rt_fft_f64"}, getFftSteps)
          .Cases({"xla_rt_lapack_spotrf", "xla_rt_lapack_dpotrf", "xla_rt_lapack_cpotrf", "xla_rt_lapack_zpotrf"},
                 getFactorSteps)
          .Cases({"xla_rt_lapack_sgetrf", "xla_rt_lapack_dgetrf", "xla_rt_lapack_cgetrf", "xla_rt_lapack_zgetrf",
                  "xla_rt_lapack_slu", "xla_rt_lapack_dlu", "xla_rt_lapack_clu", "xla_rt_lapack_zlu"},
                 getLuSteps)
          .Cases({"xla_rt_lapack_ssolve", "xla_rt_lapack_dsolve", "xla_rt_lapack_csolve", "xla_rt_lapack_zsolve"},
                 getSolveSteps)
          .Case("xla_rt_sort", getSortSteps)
          .Case("xla_rt_sort_top_k", getTopKSteps)
          .Case("xla_rt_sort_words", getSortWordsSteps)
          .Case("xla_rt_deal_places", getDealSteps)
          .Default(nullptr);
  return facts ? facts(op) : std::nullopt;
}
