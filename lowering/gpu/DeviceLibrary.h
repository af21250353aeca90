// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library calls on a GPU: functions in C++ that are compiled for the device when the project is built
// (runtime/cuda/device/), and which of them, in which order, do a call (docs/design/libraries.md).

#ifndef MLIR_XLA_LOWERING_GPU_DEVICELIBRARY_H
#define MLIR_XLA_LOWERING_GPU_DEVICELIBRARY_H

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir::xla {

/// What a step needs, for those who estimate how long it takes (benchmarks/gpu_model.py).
struct StepCost {
  int64_t read = 0, written = 0; // bytes of global memory
  int64_t asked = 16;            // bytes that a thread asks for before it needs the first of them
  int64_t products = 0;          // multiply-adds, those of complex numbers four
  int64_t phases = 0;            // that follow one another, of a thread or of a block
  int64_t waits = 1;             // for global memory, one after the other
};

/// A launch. Its items are done at the same time, by a thread each, or by a block of as many as a `team` has:
/// `function(parameters, buffers, item, item + 1, scratch)`. Neighbouring threads should do neighbouring items.
struct LibraryStep {
  std::string function;
  SmallVector<int64_t> parameters;
  int64_t work;
  int64_t team = 1;
  StepCost cost = {};
  bool isGeneral = false;   // its function need not know parameters when it is compiled
  bool callsOthers = false; // it calls functions among its buffers, which it has to know then
};

/// How the device does a library call: steps in this order, each when the one before is complete. All have the buffers
/// of the call, its inputs and then its results, and the same scratch memory.
struct LibraryFacts {
  SmallVector<LibraryStep> steps;
  int64_t scratch = 0; // bytes for all threads together, aligned to 256
};

/// Nothing if the device has no such function: then the call is done on the host.
std::optional<LibraryFacts> gpuLibraryFacts(rt::LibraryCallOp op);

/// Bytes of shared memory that a function of the library has.
int64_t deviceSharedBytes(StringRef function);

/// The functions as LLVM's bitcode. They are not optimised: inlined into a kernel, where their parameters are
/// constants, they become small, and by themselves they are large.
StringRef getDeviceLibraryBitcode();

/// The same as a module, whose functions are read when they are linked. They are inlined always, and for no particular
/// GPU.
llvm::Expected<std::unique_ptr<llvm::Module>> loadDeviceLibrary(llvm::LLVMContext &context);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_DEVICELIBRARY_H
