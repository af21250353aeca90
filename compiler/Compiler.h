// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler as a C++ library: a module in the `xla` dialect in, a program that runs on buffers out
// (examples/xla-embed.cpp).

#ifndef MLIR_XLA_COMPILER_COMPILER_H
#define MLIR_XLA_COMPILER_COMPILER_H

#include "mlir/IR/BuiltinOps.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct xla_rt_cuda_device; // runtime/cuda/xla_rt_cuda.h

namespace mlir::xla {

/// A failure of the compiler's own, which is no fault of the program: a pass failed or left invalid IR.
struct InternalError {
  std::string stage;      // that could not be made
  std::string reproducer; // a file with the program in the stage before; empty if none was written
  std::string command;    // that repeats the failure with it
};

struct CompileOptions {
  std::string target = "cpu";    // a backend (Backend.h)
  std::string cpu;               // the processor; empty: the host
  std::string features;          // on top of the processor's, for example "-avx512f"
  std::string chip;              // GPUs: "sm_90a", or several, of which a device takes the newest that it can run
  bool lines = false;            // GPUs: code says which line of the program it is of
  int64_t threads = 0;           // 1: single-threaded code; otherwise the runtime's pool decides
  bool keepStages = false;       // keep the text of every stage in the executable
  std::string from;              // the stage that the given module is in; empty: the first
  bool allCodegenPasses = false; // for tests: none of LLVM's code generation passes is left out
  /// Verify the IR after every pass. The environment variable MLIR_XLA_VERIFY_EACH=1 asks for it as well.
  bool verifyEach = false;
  /// For a program on which the compiler failed before, because it takes longer: verify the IR after every pass, keep
  /// the text of the stage before, and leave it in a file if the compiler fails again.
  bool reproduce = false;
  /// Once true, the compilation fails as soon as it can. Any thread may set it.
  const std::atomic<bool> *cancelled = nullptr;
  /// Where to leave what is known of a failure of the compiler's own.
  std::optional<InternalError> *internalError = nullptr;
};

struct StageDump {
  std::string stage;
  std::string text; // empty unless stages are kept
  double seconds = 0;
};

/// The type of an argument or a result, as the program was given: signedness kept, tuples flattened, tokens left out.
/// The buffer is dense, and row-major unless the type has a layout (docs/design/layouts.md); elements of less than a
/// byte take one byte each.
struct BufferType {
  std::string element; // as MLIR writes it: "f32", "ui8", "i1", "complex<f64>"
  std::vector<int64_t> shape;
  int64_t elementBytes = 0, bytes = 0; // `bytes` includes padding
  /// Of a buffer that is not row-major: the dimension that varies fastest first.
  std::vector<int64_t> minorToMajor;
  std::vector<int64_t> padded; // what each dimension takes in memory, if that is more than its size
  std::string padding;         // what the padding holds: "ZERO"; empty if it does not matter

  bool isRowMajor() const { return minorToMajor.empty(); }
  /// The distance between neighbours along each dimension, in elements.
  std::vector<int64_t> strides() const;
};

class Executable {
public:
  virtual ~Executable() = default;

  /// Runs the program on `argumentTypes().size()` and `resultTypes().size()` buffers. Arguments are aligned to their
  /// element size, results do not overlap each other or the arguments. May run on several threads at once. Asks
  /// `isInterrupted` every 20 ms on the calling thread, and ends soon after it says so. The string is empty, or says
  /// what failed at run time; xla_rt_out_of_memory() tells whether it was memory.
  virtual std::string run(ArrayRef<void *> arguments, ArrayRef<void *> results,
                          llvm::function_ref<bool()> isInterrupted = nullptr) const = 0;

  /// Arguments and results that may be the same buffer after all, if what is in the argument is needed no more.
  virtual ArrayRef<std::pair<int64_t, int64_t>> mayAlias() const { return {}; }

  /// The name of the devices that a program for GPUs runs on, which is its backend's; empty for programs of the host.
  virtual StringRef deviceKind() const { return ""; }
  /// Of a program for GPUs: runs it on buffers in the memory of `device`, and does not wait until that is done, nor for
  /// errors of kernels. Otherwise as `run`.
  virtual std::string enqueue(xla_rt_cuda_device *device, ArrayRef<void *> arguments, ArrayRef<void *> results,
                              llvm::function_ref<bool()> isInterrupted = nullptr) const;

  virtual ArrayRef<BufferType> argumentTypes() const = 0;
  virtual ArrayRef<BufferType> resultTypes() const = 0;
  /// The stages in order with the time spent on each; "load" comes last.
  virtual ArrayRef<StageDump> stages() const = 0;
  /// The machine code: object files that refer to each other.
  virtual ArrayRef<SmallVector<char, 0>> objectCode() const = 0;
  /// Bytes of intermediate values while the program runs.
  virtual int64_t arenaSize() const = 0;
};

/// Compiles a copy of `module`, whose public function `main` is the program. Thread-safe; errors are diagnostics in the
/// module's context, at the places in `module` that they are about; want of memory is an error of the runtime as well.
/// If the compiler fails by its own fault, the error says so and names a file that reproduces the failure.
FailureOr<std::unique_ptr<Executable>> compile(ModuleOp module, const CompileOptions &options = {});

/// Likewise, without a copy: lowers `module`, of which nothing useful is left. One thread at a time for each context,
/// in which the dialects of the stages are loaded and pass managers are kept. Leaves no file unless `options.reproduce`
/// is set, with which the caller may compile the program again after an internal error.
FailureOr<std::unique_ptr<Executable>> compileInPlace(ModuleOp module, const CompileOptions &options = {});

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_COMPILER_H
