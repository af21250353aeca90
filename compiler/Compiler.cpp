// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drives the stages, in the context of the module or, where that may only be read, in one that is kept for this.

#include "mlir_xla/compiler/Compiler.h"

#include "mlir_xla/compiler/Executable.h"
#include "mlir_xla/compiler/Pipelines.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/native/Codegen.h"
#include "mlir_xla/lowering/native/ForkGuard.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"
#include "mlir_xla/runtime/xla_rt.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/ScopeExit.h"

#include <chrono>
#include <mutex>
#include <thread>

namespace mlir::xla {
namespace {

const DialectRegistry &loweringRegistry() {
  static const DialectRegistry *registry = [] {
    auto *registry = new DialectRegistry;
    registerLoweringDialects(*registry);
    return registry;
  }();
  return *registry;
}

/// The pass managers of one context, built when first used. Their pattern sets are expensive to build, so they live as
/// long as the context, in an interface of its dialect.
class StagePasses : public DialectInterface::Base<StagePasses> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StagePasses)
  explicit StagePasses(Dialect *dialect) : Base(dialect) {}

  static StagePasses &of(MLIRContext *context) {
    auto *dialect = context->getOrLoadDialect<XlaDialect>();
    if (auto *passes = dialect->getRegisteredInterface<StagePasses>())
      return *passes;
    context->appendDialectRegistry(loweringRegistry());
    return dialect->addInterface<StagePasses>();
  }

  PassManager &get(Stage stage, const LoweringOptions &options) {
    for (Manager &entry : managers)
      if (entry.stage == stage && entry.options == options)
        return *entry.manager;
    auto manager = std::make_unique<PassManager>(getDialect()->getContext());
    manager->enableVerifier(false);
    buildStage(*manager, stage, options);
    managers.push_back({stage, options, std::move(manager)});
    return *managers.back().manager;
  }

private:
  struct Manager {
    Stage stage;
    LoweringOptions options;
    std::unique_ptr<PassManager> manager;
  };
  std::vector<Manager> managers;
};

/// A context is given up after this many bytes of modules: what it uniques, it never frees.
constexpr size_t kMaxBytesPerContext = 64 << 20;

struct CompileContext {
  MLIRContext context;
  size_t bytes = 0;

  CompileContext() : context(loweringRegistry(), MLIRContext::Threading::DISABLED) {
    context.allowUnregisteredDialects();
    context.printOpOnDiagnostic(false);
  }
};

/// Lends a context to one compilation.
class Lease {
public:
  Lease() {
    std::lock_guard<std::mutex> lock(mutex());
    if (!idle().empty()) {
      held = std::move(idle().back());
      idle().pop_back();
    }
    if (!held)
      held = std::make_unique<CompileContext>();
  }
  ~Lease() {
    if (held->bytes > kMaxBytesPerContext)
      return;
    std::lock_guard<std::mutex> lock(mutex());
    idle().push_back(std::move(held));
  }
  CompileContext *operator->() { return held.get(); }

private:
  static std::mutex &mutex() {
    static auto *mutex = new std::mutex;
    return *mutex;
  }
  static std::vector<std::unique_ptr<CompileContext>> &idle() {
    static auto *idle = new std::vector<std::unique_ptr<CompileContext>>;
    return *idle;
  }
  std::unique_ptr<CompileContext> held;
};

Location copyLocation(Location location, MLIRContext *context) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return FileLineColLoc::get(context, file.getFilename(), file.getLine(), file.getColumn());
  if (auto name = dyn_cast<NameLoc>(location))
    return NameLoc::get(StringAttr::get(context, name.getName().getValue()), copyLocation(name.getChildLoc(), context));
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return CallSiteLoc::get(copyLocation(call.getCallee(), context), copyLocation(call.getCaller(), context));
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    SmallVector<Location> parts;
    for (Location part : fused.getLocations())
      parts.push_back(copyLocation(part, context));
    return FusedLoc::get(context, parts);
  }
  return UnknownLoc::get(context);
}

/// Diagnostics of the compilation become diagnostics of the user's context.
class DiagnosticForwarder : public ScopedDiagnosticHandler {
public:
  DiagnosticForwarder(MLIRContext *from, ModuleOp module) : ScopedDiagnosticHandler(from) {
    setHandler([module](Diagnostic &diagnostic) {
      MLIRContext *context = module->getContext();
      auto place = [&](Location location) {
        Location copied = copyLocation(location, context);
        return isa<UnknownLoc>(copied) ? module->getLoc() : copied;
      };
      if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
        return success();
      InFlightDiagnostic copy = diagnostic.getSeverity() == DiagnosticSeverity::Error
                                    ? emitError(place(diagnostic.getLocation()), diagnostic.str())
                                    : emitWarning(place(diagnostic.getLocation()), diagnostic.str());
      for (Diagnostic &note : diagnostic.getNotes())
        copy.attachNote(place(note.getLocation())) << note.str();
      return success();
    });
  }
};

LogicalResult appendBufferTypes(Type type, func::FuncOp main, std::vector<BufferType> &types) {
  if (auto tuple = dyn_cast<TupleType>(type)) {
    for (Type element : tuple.getTypes())
      if (failed(appendBufferTypes(element, main, types)))
        return failure();
    return success();
  }
  if (isa<TokenType>(type))
    return success();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return emitError(main.getLoc(), "'main' cannot be compiled: its signature has the type ")
           << type << ", only tensors of static shape, tuples of them and tokens are supported";
  BufferType buffer;
  llvm::raw_string_ostream(buffer.element) << tensor.getElementType();
  buffer.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  buffer.elementBytes = elementStorageBytes(tensor.getElementType());
  buffer.bytes = bufferBytes(tensor);
  types.push_back(std::move(buffer));
  return success();
}

/// At the stage `loops` and later the buffers' types are no longer in the signature; passes leave them in attributes.
LogicalResult readSignature(ModuleOp module, ProgramImage &image) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return emitError(module.getLoc(), "cannot be compiled: it has no function @main");
  FunctionType type = main.getFunctionType();
  if (auto given = main->getAttrOfType<TypeAttr>(XlaRtDialect::kSignature))
    type = cast<FunctionType>(given.getValue());
  for (Type input : type.getInputs())
    if (failed(appendBufferTypes(input, main, image.arguments)))
      return failure();
  for (Type result : type.getResults())
    if (failed(appendBufferTypes(result, main, image.results)))
      return failure();
  return success();
}

/// Constants too large for the object are external globals that carry their value; they move to the image.
LogicalResult takeConstants(ModuleOp module, ProgramImage &image) {
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    auto value = global->getAttrOfType<ElementsAttr>(XlaRtDialect::kData);
    if (!value)
      continue;
    int64_t bytes = bufferBytes(value.getShapedType());
    ConstantData constant{global.getSymName().str(), xla_rt_alloc(bytes), bytes};
    if (!constant.data) {
      std::string error = "out of memory for a constant of " + counted(bytes, "byte");
      xla_rt_set_out_of_memory(error.c_str());
      return global.emitError(error);
    }
    image.constants.push_back(constant);
    if (failed(writeElements(value, {static_cast<char *>(constant.data), static_cast<size_t>(bytes)})))
      return global.emitError("cannot read the value of the constant");
    global->removeAttr(XlaRtDialect::kData);
  }
  return success();
}

/// Lets a compilation end before its time: while this exists, passes and patterns are skipped once `cancelled` is set.
/// What that leaves of the module is not to be used.
class Cancellation {
public:
  Cancellation(MLIRContext *context, const std::atomic<bool> *cancelled)
      : context(context), cancelled(cancelled), skips(cancelled && !context->hasActionHandler()) {
    if (skips)
      context->registerActionHandler([cancelled](llvm::function_ref<void()> action, const tracing::Action &) {
        if (!*cancelled)
          action();
      });
  }
  ~Cancellation() {
    if (skips)
      context->registerActionHandler(nullptr);
  }
  bool isRequested() const { return cancelled && *cancelled; }

private:
  MLIRContext *context;
  const std::atomic<bool> *cancelled;
  bool skips;
};

LogicalResult checkForks(ModuleOp module) {
  if (!ForkGuard::hasLostLocks())
    return success();
  return emitError(module.getLoc()) << "cannot be compiled: this process was forked while another thread compiled";
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().useLocalScope().elideLargeElementsAttrs(64));
  return text;
}

} // namespace

FailureOr<std::unique_ptr<Executable>> compileForCpu(ModuleOp module, const CompileOptions &options) {
  if (failed(checkForks(module)))
    return failure();
  ForkGuard guard;
  std::string bytecode;
  {
    llvm::raw_string_ostream stream(bytecode);
    if (failed(writeBytecodeToFile(module, stream)))
      return failure();
  }
  Lease lease;
  lease->bytes += bytecode.size();
  DiagnosticForwarder forwarder(&lease->context, module);
  ParserConfig config(&lease->context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> copy = parseSourceString<ModuleOp>(bytecode, config);
  if (!copy)
    return failure();
  bytecode.clear();
  return compileInPlace(*copy, options);
}

FailureOr<std::unique_ptr<Executable>> compileInPlace(ModuleOp module, const CompileOptions &options) {
  if (failed(checkForks(module)))
    return failure();
  ForkGuard guard;
  using Clock = std::chrono::steady_clock;
  auto since = [](Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); };
  auto start = Clock::now();
  MLIRContext *context = module.getContext();
  bool printsOps = context->shouldPrintOpOnDiagnostic();
  context->printOpOnDiagnostic(false);
  llvm::scope_exit restore([&] { context->printOpOnDiagnostic(printsOps); });
  std::string error;
  FailureOr<TargetSpec> target = TargetSpec::resolve(options.cpu, options.features, error);
  if (failed(target))
    return emitError(module.getLoc()) << error;
  ProgramImage image;
  if (failed(readSignature(module, image)))
    return failure();

  LoweringOptions lowering;
  lowering.vectorBits = target->vectorBits();
  lowering.threads = options.threads;
  // Loop nests are built once if nobody looks at their plans.
  lowering.writesPlans = options.keepStages;
  std::vector<StageDump> stages;
  auto finish = [&](Stage stage, std::string text) {
    stages.push_back({stageName(stage).str(), std::move(text), since(start)});
    start = Clock::now();
  };
  finish(options.from, options.keepStages ? print(module) : "");
  // Known from the stage `loops` on, which may also be the one that was given.
  auto readArenaSize = [&] {
    Operation *main = module.lookupSymbol("main");
    if (auto size = main ? main->getAttrOfType<IntegerAttr>(XlaRtDialect::kArenaSize) : IntegerAttr())
      image.arenaSize = size.getInt();
  };
  readArenaSize();
  StagePasses &passes = StagePasses::of(context);
  std::optional<Cancellation> cancellation(std::in_place, context, options.cancelled);
  for (Stage stage : {Stage::Legal, Stage::Linalg, Stage::Kernels, Stage::Loops, Stage::LLVM}) {
    if (stage <= options.from)
      continue;
    if (failed(passes.get(stage, lowering).run(module)))
      return failure();
    if (cancellation->isRequested())
      return emitError(module.getLoc()) << "the compilation was cancelled";
    if (stage == Stage::Loops)
      readArenaSize();
    if (stage == Stage::LLVM && failed(takeConstants(module, image)))
      return failure();
    finish(stage, options.keepStages ? print(module) : "");
  }

  CodegenOptions codegen;
  codegen.cancelled = options.cancelled;
  codegen.target = *target;
  codegen.keepAssembly = options.keepStages;
  codegen.allPasses = options.allCodegenPasses;
  constexpr unsigned maxThreads = 4;
  codegen.threads = options.threads == 1 ? 1 : std::min(maxThreads, std::max(1u, std::thread::hardware_concurrency()));
  FailureOr<GeneratedCode> code = generateCode(module, codegen);
  if (failed(code))
    return failure();
  if (cancellation->isRequested())
    return emitError(module.getLoc()) << "the compilation was cancelled";
  cancellation.reset();
  image.objects = std::move(code->objects);
  finish(Stage::Binary, std::move(code->assembly));

  auto executable = loadExecutable(std::move(image), std::move(stages), error);
  if (failed(executable))
    return emitError(module.getLoc()) << error;
  return executable;
}

} // namespace mlir::xla
