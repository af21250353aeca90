// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test driver, not installed: a backend beside the CPU's that shares its stages up to `linalg` and then counts. Its
// pass fails or leaves invalid IR if it is asked to, as the compiler's own should not.

#include "mlir_xla/compiler/Backend.h"
#include "mlir_xla/compiler/Registration.h"
#include "mlir_xla/lowering/Unsupported.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Support/FileUtilities.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::xla;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::desc("<file>"), cl::init("-"));
static cl::opt<std::string> target("target", cl::desc("the backend"), cl::init("counter"));
static cl::opt<int> threads("run-threads", cl::desc("an option that the backend does not know"), cl::init(0));
static cl::opt<bool> failing("failing", cl::desc("the pass fails"));
static cl::opt<bool> invalid("invalid", cl::desc("the pass leaves invalid IR"));
static cl::opt<bool> rejecting("rejecting", cl::desc("the pass finds fault with the program"));

namespace {
/// Notes the number of ops on the module.
struct CountOpsPass : PassWrapper<CountOpsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountOpsPass)
  StringRef getArgument() const override { return "count-ops"; }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    int64_t count = 0;
    module.walk([&](Operation *) { ++count; });
    module->setAttr("counter.ops", Builder(&getContext()).getI64IntegerAttr(count));
    if (rejecting) {
      (void)unsupported(main.emitError("has more than there is"));
      signalPassFailure();
    }
    if (failing) {
      main.emitError("cannot count");
      signalPassFailure();
    }
    if (invalid)
      main.getBody().front().getTerminator()->erase();
  }
};

class Counter : public Executable {
public:
  Counter(Signature signature, int64_t count, StageLog &log) : signature(std::move(signature)), count(count) {
    log.finish("count", std::to_string(count) + " ops\n");
    dumps = log.take();
  }
  std::string run(ArrayRef<void *>, ArrayRef<void *>, llvm::function_ref<bool()>) const override {
    return "counted " + std::to_string(count) + " ops";
  }
  ArrayRef<BufferType> argumentTypes() const override { return signature.arguments; }
  ArrayRef<BufferType> resultTypes() const override { return signature.results; }
  ArrayRef<StageDump> stages() const override { return dumps; }
  ArrayRef<SmallVector<char, 0>> objectCode() const override { return {}; }
  int64_t arenaSize() const override { return 0; }

private:
  Signature signature;
  int64_t count;
  std::vector<StageDump> dumps;
};

struct CounterTarget : Target {
  LoweringOptions lowering() const override { return {}; }
  FailureOr<std::unique_ptr<Executable>> generate(ModuleOp module, Signature signature, StageLog &log) const override {
    auto count = module->getAttrOfType<IntegerAttr>("counter.ops");
    return std::unique_ptr<Executable>(std::make_unique<Counter>(std::move(signature), count.getInt(), log));
  }
};

struct CounterBackend : Backend {
  static constexpr Stage kStages[] = {
      kXla,
      kLegal,
      kLinalg,
      {"counted", "the number of ops is known",
       [](OpPassManager &passes, const LoweringOptions &) { passes.addPass(std::make_unique<CountOpsPass>()); }},
      {"count", "a number", nullptr, false, "txt"}};
  StringRef name() const override { return "counter"; }
  ArrayRef<Stage> stages() const override { return kStages; }
  ArrayRef<StringLiteral> options() const override { return {}; }
  FailureOr<std::unique_ptr<Target>> createTarget(const CompileOptions &, std::string &) const override {
    return std::unique_ptr<Target>(std::make_unique<CounterTarget>());
  }
};
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "compiles a module for a backend of its own\n");
  registerBackend(std::make_unique<CounterBackend>());
  DialectRegistry registry;
  registerLoweringDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  std::string error;
  auto file = openInputFile(input, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return 1;
  }
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  CompileOptions options;
  options.target = target;
  options.threads = threads;
  options.keepStages = true;
  std::optional<InternalError> internal;
  options.internalError = &internal;
  auto executable = mlir::xla::compile(*module, options);
  if (internal)
    llvm::outs() << "reproducer: " << internal->reproducer << "\n";
  if (failed(executable))
    return 1;
  for (const StageDump &stage : (*executable)->stages())
    llvm::outs() << "stage " << stage.stage << "\n" << stage.text;
  llvm::outs() << (*executable)->run({}, {}) << "\n";
  return 0;
}
