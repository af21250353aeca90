// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A backend: what `compile(target=...)`, `xla-opt --target --to --from`, dumps, timings and docs know of the way from a
// program to code that runs. To add one, derive from `Backend`, list its stages (those that are shared are here), and
// register it.

#ifndef MLIR_XLA_COMPILER_BACKEND_H
#define MLIR_XLA_COMPILER_BACKEND_H

#include "mlir_xla/compiler/Signature.h"
#include "mlir_xla/compiler/StageLog.h"

#include "mlir/Pass/PassManager.h"

namespace mlir::xla {

/// What the passes need to know about the machine and about the user's wishes.
struct LoweringOptions {
  int64_t vectorBits = 512;     // width of a vector register
  std::string instructions;     // that products of narrow numbers may use, as Machine reads them
  bool fma = true, f16c = true; // has fused multiply-adds, and conversions of f16
  bool fp16 = false;            // has arithmetic of f16
  int64_t threads = 0;          // 1: no parallel loops; otherwise left to the runtime
  // At the stage `kernels`. Otherwise kernels are planned where they are emitted, in the same way, and their nests are
  // built once.
  bool writesPlans = true;

  bool operator==(const LoweringOptions &other) const {
    return vectorBits == other.vectorBits && instructions == other.instructions && fma == other.fma &&
           f16c == other.f16c && fp16 == other.fp16 && threads == other.threads && writesPlans == other.writesPlans;
  }
  /// As options of the pipelines `xla-to-<stage>`: "vector-bits=512 threads=0 instructions=pmaddwd fma=false
  /// f16c=false fp16=true".
  std::string str() const;
};

/// A state of the program between the one that the user wrote and code; docs/design/lowering.md says what each holds.
/// tools/docs/generate.py reads the constants of this type.
struct Stage {
  StringLiteral name;
  StringLiteral sentence; // what the program is then
  /// Appends the passes that lead here from the stage before. Null for the first stage, and for the last, which is not
  /// IR but what the backend's `Target` makes of the stage before.
  void (*addPasses)(OpPassManager &passes, const LoweringOptions &options) = nullptr;
  /// Whether an error on the way here is about the program. In all other stages it is a fault of the compiler's, unless
  /// it says otherwise (lowering/Unsupported.h).
  bool checksProgram = false;
  StringLiteral suffix = "mlir"; // of files that show it
};

// The stages that backends share.

void addLegalPasses(OpPassManager &passes, const LoweringOptions &options);
void addLinalgPasses(OpPassManager &passes, const LoweringOptions &options);
void addKernelsPasses(OpPassManager &passes, const LoweringOptions &options);

inline constexpr Stage kXla{"xla", "the program as given: verified `xla` ops on tensors, tuples and tokens"};
inline constexpr Stage kLegal{
    "legal", "one function; calls inlined, tuples flattened, composite ops decomposed, layouts dropped, simplified",
    addLegalPasses, /*checksProgram=*/true};
inline constexpr Stage kLinalg{"linalg", "upstream ops on tensors: `linalg`, `tensor`, `arith`, `math`, `scf`",
                               addLinalgPasses};

/// What one compilation generates code for: a machine, with the user's wishes.
class Target {
public:
  virtual ~Target() = default;
  virtual LoweringOptions lowering() const = 0;
  /// Makes code of `module`, which is in the last stage that is IR, and loads it; finishes its stages in `log`.
  virtual FailureOr<std::unique_ptr<Executable>> generate(ModuleOp module, Signature signature,
                                                          StageLog &log) const = 0;
};

class Backend {
public:
  virtual ~Backend() = default;
  virtual StringRef name() const = 0;
  /// In the order of compilation.
  virtual ArrayRef<Stage> stages() const = 0;
  /// The names of the compile options that it understands, of "cpu", "features", "threads", "chip" and "lines".
  virtual ArrayRef<StringLiteral> options() const = 0;
  /// Leaves a message in `error` if there is no such machine.
  virtual FailureOr<std::unique_ptr<Target>> createTarget(const CompileOptions &options, std::string &error) const = 0;
  /// Whether its code is for a device with memory of its own.
  virtual bool isDevice() const { return false; }

  const Stage &firstStage() const { return stages().front(); }
  /// The stages that are IR: all but the last.
  ArrayRef<Stage> irStages() const { return stages().drop_back(); }
  /// One of them. Null, with a message in `error` that lists them all, if there is none of that name.
  const Stage *findStage(StringRef name, std::string &error) const;
  /// Appends the passes from `from` (exclusive) to `to` (inclusive), which are stages of this backend.
  void addPasses(OpPassManager &passes, const Stage &from, const Stage &to, const LoweringOptions &options) const;
  /// Why the module cannot be what this backend left in the stage `from`, as far as its functions tell; empty if it may
  /// be. Code of another stage or backend would be taken for what it is not: addresses on the host for a device's.
  std::string findMismatch(ModuleOp module, const Stage &from) const;
};

/// Adds a backend; before anything is compiled, and before the passes are registered.
void registerBackend(std::unique_ptr<Backend> backend);

/// In the order of registration; the CPU comes first.
ArrayRef<const Backend *> allBackends();

/// Null, with a message in `error` that lists all backends, if there is none of that name.
const Backend *findBackend(StringRef name, std::string &error);

/// Native code for this machine's processor or another of its kind (CpuBackend.cpp).
std::unique_ptr<Backend> createCpuBackend();
/// PTX for NVIDIA's GPUs: those of the driver, or an emulated one (CudaBackend.cpp).
std::unique_ptr<Backend> createCudaBackend(bool isEmulated);

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_BACKEND_H
