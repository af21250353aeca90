// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler of mlir_xla as seen from Python: `compile` and `Executable`. Calls are meant to be cheap: an array that
// already is what the program wants is read in place through the buffer protocol.

#include "mlir_xla/python/bindings/Devices.h"
#include "mlir_xla/python/bindings/Interruption.h"

#include "mlir_xla/compiler/Backend.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/native/TargetSpec.h"
#include "mlir_xla/runtime/xla_rt.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/Support/MathExtras.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <pthread.h>

namespace mlir::xla::python {
namespace {

int getResultBuffer(PyObject *self, Py_buffer *view, int flags) {
  auto *buffer = nb::inst_ptr<ResultBuffer>(nb::handle(self));
  return PyBuffer_FillInfo(view, self, buffer->data, buffer->bytes, /*readonly=*/0, flags);
}

PyType_Slot resultBufferSlots[] = {{Py_bf_getbuffer, reinterpret_cast<void *>(getResultBuffer)}, {0, nullptr}};

class PyExecutable {
public:
  explicit PyExecutable(std::unique_ptr<Executable> given) : executable(std::move(given)) {
    for (const BufferType &type : executable->argumentTypes())
      arguments.emplace_back(type);
    for (const BufferType &type : executable->resultTypes())
      results.emplace_back(type);
    ndarray = ndarrayClass();
    isForDevices = !executable->deviceKind().empty();
  }

  nb::list run(nb::sequence arrays, nb::sequence donate) const {
    Busy busy;
    size_t count = nb::len(arrays);
    if (count != arguments.size())
      throwPy(PyExc_TypeError,
              "the program takes " + counted(arguments.size(), "argument") + ", got " + std::to_string(count));
    if (isForDevices)
      if (std::optional<nb::list> outputs = runOnDevice(*executable, arguments, results, arrays, donate))
        return *outputs;
    constexpr size_t few = 16;
    Borrowed fewBorrowed[few];
    std::unique_ptr<Borrowed[]> manyBorrowed(count > few ? new Borrowed[count] : nullptr);
    Borrowed *borrowed = count > few ? manyBorrowed.get() : fewBorrowed;
    llvm::SmallVector<void *, few> argumentPointers(count), resultPointers;
    for (size_t i = 0; i < count; ++i)
      argumentPointers[i] = borrowed[i].read(arrays[i], arguments[i], i, ndarray);

    nb::list outputs;
    for (const ArrayType &type : results) {
      ResultBuffer buffer(type.type.bytes);
      if (!buffer.data)
        throwPy(PyExc_MemoryError, "out of memory for a result of " + counted(type.type.bytes, "byte"));
      resultPointers.push_back(buffer.data);
      nb::object memory = nb::cast(std::move(buffer));
      outputs.append(type.arrayOn(ndarray, memory));
    }
    execute(argumentPointers, resultPointers);
    return outputs;
  }

  void execute(llvm::ArrayRef<void *> argumentPointers, llvm::ArrayRef<void *> resultPointers) const {
    std::string error;
    {
      LongWork work;
      error = executable->run(argumentPointers, resultPointers, [&work] { return work.isInterrupted(); });
    }
    if (!error.empty())
      throwRuntimeError(error);
  }

  std::unique_ptr<Executable> executable;
  std::vector<ArrayType> arguments, results;
  nb::object ndarray;
  bool isForDevices = false;
};

nb::list describe(const std::vector<ArrayType> &types) {
  nb::list list;
  for (const ArrayType &type : types)
    list.append(nb::make_tuple(type.type.element, type.shape, type.dtype));
  return list;
}

nb::list layouts(const std::vector<ArrayType> &types) {
  nb::list list;
  for (const ArrayType &type : types)
    list.append(type.layout);
  return list;
}

/// A compilation, with the Python objects that it needs: made and destroyed with the GIL held.
struct Compilation {
  PyOperationRef keepAlive;
  ModuleOp module;
  CompileOptions options;
  bool inPlace;
  ErrorCapture errors;
  FailureOr<std::unique_ptr<Executable>> executable = failure();
  std::optional<InternalError> internalError;
  std::string outOfMemory; // why there is none
  std::atomic<bool> cancelled{false};

  Compilation(PyOperationRef op, ModuleOp module, const CompileOptions &given, bool inPlace)
      : keepAlive(op), module(module), options(given), inPlace(inPlace), errors(op->getContext()) {
    options.internalError = &internalError;
  }

  void run() {
    executable = inPlace ? compileInPlace(module, options) : mlir::xla::compile(module, options);
    if (const char *error = failed(executable) ? xla_rt_take_error() : nullptr; error && xla_rt_out_of_memory())
      outOfMemory = error;
  }

  void runHere() {
    LongWork work;
    run();
  }

  /// Runs in a thread of its own, so that the calling thread can turn to signals. What one of them interrupts goes on
  /// to a place where it can stop; nobody waits for that, unless the module is not the compiler's own.
  static void runAside(std::unique_ptr<Compilation> &self) {
    Compilation &it = *self;
    it.options.cancelled = &it.cancelled;
    {
      LongWork work; // first, because it throws when Python is about to end
      ++backgroundThreads;
      if (!startThread(runInThread, self.get())) {
        --backgroundThreads;
        it.options.cancelled = nullptr;
        return it.run();
      }
      std::unique_lock<std::mutex> lock(it.mutex);
      while (!it.isDone.wait_for(lock, std::chrono::milliseconds(20), [&] { return it.done; })) {
        lock.unlock();
        if (!it.cancelled && work.isInterrupted())
          it.cancelled = true;
        lock.lock();
        if (it.cancelled && it.inPlace && !it.done) {
          it.isAbandoned = true;
          self.release();
          break;
        }
      }
    }
    if (!self || it.cancelled)
      LongWork::rethrow();
  }

private:
  std::mutex mutex;
  std::condition_variable isDone;
  bool done = false, isAbandoned = false;

  static void *runInThread(void *data) {
    auto *self = static_cast<Compilation *>(data);
    self->run();
    std::unique_lock<std::mutex> lock(self->mutex);
    self->done = true;
    bool isOwner = self->isAbandoned;
    self->isDone.notify_one();
    lock.unlock();
    // Python objects are released with the GIL; those that Python finds no time for are kept.
    if (isOwner && !isAboutToEnd())
      Py_AddPendingCall(
          [](void *data) {
            if (!isAboutToEnd())
              delete static_cast<Compilation *>(data);
            return 0;
          },
          self);
    --backgroundThreads;
    return nullptr;
  }

  static bool startThread(void *(*function)(void *), void *data) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, size_t(64) << 20); // nested programs are visited recursively
    bool started = pthread_create(&thread, &attributes, function, data) == 0;
    pthread_attr_destroy(&attributes);
    return started;
  }
};

/// More operations than this take longer than a tenth of a second to compile, in which nobody misses an answer.
constexpr int64_t kLarge = 200;

bool isLarge(ModuleOp module) {
  int64_t count = 0;
  return module->walk([&](Operation *) { return ++count > kLarge ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

[[noreturn]] void throwInternalError(Compilation &compilation) {
  auto orNone = [](const std::string &text) { return text.empty() ? nb::none() : nb::object(nb::cast(text)); };
  const InternalError &error = *compilation.internalError;
  nb::object type = nb::module_::import_("mlir_xla._internal_error").attr("InternalCompilerError");
  nb::object raised = type("Failure of the compiler", compilation.errors.take(), error.stage, orNone(error.reproducer),
                           orNone(error.command));
  PyErr_SetObject(type.ptr(), raised.ptr());
  throw nb::python_error();
}

PyExecutable compile(PyOperationBase &operation, const std::string &target, const std::string &cpu,
                     const std::string &features, int64_t threads, const std::string &chip, bool lines, bool keepStages,
                     const std::string &from, bool inPlace, bool verifyEach, bool reproduce, bool allCodegenPasses) {
  PyOperationRef op = operation.getOperation().getRef();
  auto module = llvm::dyn_cast<ModuleOp>(unwrap(op->get()));
  if (!module)
    throwPy(PyExc_TypeError, "only a module can be compiled");
  std::string error;
  const Backend *backend = findBackend(target, error);
  if (!backend || (!from.empty() && !backend->findStage(from, error)))
    throwPy(PyExc_ValueError, error);
  CompileOptions options;
  options.target = target;
  options.cpu = cpu;
  options.features = features;
  options.threads = threads;
  options.chip = chip;
  options.lines = lines;
  options.keepStages = keepStages;
  options.from = from;
  options.verifyEach = verifyEach;
  options.reproduce = reproduce;
  options.allCodegenPasses = allCodegenPasses;
  auto compilation = std::make_unique<Compilation>(op, module, options, inPlace);
  if (isLarge(module))
    Compilation::runAside(compilation);
  else
    compilation->runHere();
  if (failed(compilation->executable)) {
    if (!compilation->outOfMemory.empty())
      throwPy(PyExc_MemoryError, compilation->outOfMemory);
    if (compilation->internalError)
      throwInternalError(*compilation);
    compilation->errors.fail("Failure while compiling the program");
  }
  return PyExecutable(std::move(*compilation->executable));
}

/// For each backend the name, the sentence and the suffix of files of its stages.
nb::dict describeBackends() {
  auto text = [](StringRef value) { return nb::str(value.data(), value.size()); };
  nb::dict targets;
  for (const Backend *backend : allBackends()) {
    nb::list stages;
    for (const Stage &stage : backend->stages())
      stages.append(nb::make_tuple(text(stage.name), text(stage.sentence), text(stage.suffix)));
    targets[text(backend->name())] = nb::tuple(stages);
  }
  return targets;
}

bool hasCustomCall(PyOperationBase &operation, const std::string &prefix) {
  WalkResult result = unwrap(operation.getOperation().get())->walk([&](CustomCallOp call) {
    StringAttr target = call.getCallTargetNameAttr(); // null in what has not been verified
    return target && target.getValue().starts_with(prefix) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// True for arrays that are a program's arguments and results as they are: what Python's `Shape.parse` would take.
bool isPlainArray(Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding())
    return false;
  Type element = tensor.getElementType();
  int64_t bytes = 16;
  for (int64_t size : tensor.getShape())
    if (llvm::MulOverflow(bytes, std::max<int64_t>(size, 1), bytes))
      return false;
  if (auto integer = llvm::dyn_cast<IntegerType>(element))
    return integer.getWidth() == 1 ? integer.isSignless()
                                   : !integer.isSigned() && llvm::is_contained({8, 16, 32, 64}, integer.getWidth());
  if (auto complex = llvm::dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  else if (element.isF16() || element.isBF16())
    return true;
  return element.isF32() || element.isF64();
}

/// How many results `@main` has, if it can be compiled as it is; None if it has to be looked at.
nb::object plainResults(PyOperationBase &operation) {
  auto module = llvm::dyn_cast<ModuleOp>(unwrap(operation.getOperation().get()));
  if (!module)
    return nb::none();
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (SymbolTable::getSymbolName(function) != "main")
      continue;
    if (function->getName().getStringRef() != "func.func" || function.isExternal() ||
        SymbolTable::getSymbolVisibility(function) != SymbolTable::Visibility::Public ||
        !llvm::all_of(function.getArgumentTypes(), isPlainArray) ||
        !llvm::all_of(function.getResultTypes(), isPlainArray))
      return nb::none();
    return nb::int_(function.getNumResults());
  }
  return nb::none();
}

std::vector<void *> pointers(const std::vector<uintptr_t> &addresses) {
  std::vector<void *> result;
  for (uintptr_t address : addresses)
    result.push_back(reinterpret_cast<void *>(address));
  return result;
}

} // namespace

void populateCompiler(nb::module_ &compiler) {
  nb::class_<ResultBuffer>(compiler, "ResultBuffer", nb::type_slots(resultBufferSlots),
                           "The memory of a result; arrays refer to it.");
  nb::class_<PyExecutable>(compiler, "Executable", "A compiled program. May run on several threads at once.")
      .def("run", &PyExecutable::run, nb::arg("arrays"), nb::arg("donate") = nb::make_tuple(),
           nb::sig("def run(self, arrays: Sequence[object], donate: Sequence[int] = ()) -> list[Any]"),
           "Runs the program on arrays (NumPy, ml_dtypes, DLPack, Python numbers) and returns new ones.\n\n"
           "Contiguous arrays are not copied. With an array on a device (DeviceArray), the results stay there, and the "
           "arrays whose numbers are in `donate` are gone. TypeError if the number, a dtype or a shape is wrong.")
      .def(
          "execute",
          [](PyExecutable &self, const std::vector<uintptr_t> &arguments, const std::vector<uintptr_t> &results) {
            self.execute(pointers(arguments), pointers(results));
          },
          nb::arg("arguments"), nb::arg("results"),
          "Runs the program on the addresses of aligned buffers, which are dense in the order of their layouts; "
          "nothing "
          "is checked but their number.")
      .def_prop_ro(
          "argument_types", [](PyExecutable &self) { return describe(self.arguments); },
          nb::sig("def argument_types(self) -> list[tuple[str, tuple[int, ...], dtype[Any]]]"),
          "For each argument the element type as MLIR writes it, the shape and the dtype.")
      .def_prop_ro(
          "result_types", [](PyExecutable &self) { return describe(self.results); },
          nb::sig("def result_types(self) -> list[tuple[str, tuple[int, ...], dtype[Any]]]"),
          "Likewise for the results.")
      .def_prop_ro(
          "argument_layouts", [](PyExecutable &self) { return layouts(self.arguments); },
          nb::sig("def argument_layouts(self) -> list[tuple[tuple[int, ...], tuple[int, ...] | None, str | None] | "
                  "None]"),
          "For each argument the order of the dimensions (minor to major), the padded sizes and what padding holds; "
          "None if it is row-major.")
      .def_prop_ro(
          "result_layouts", [](PyExecutable &self) { return layouts(self.results); },
          nb::sig(
              "def result_layouts(self) -> list[tuple[tuple[int, ...], tuple[int, ...] | None, str | None] | None]"),
          "Likewise for the results.")
      .def_prop_ro(
          "stages",
          [](PyExecutable &self) {
            nb::dict stages;
            for (const StageDump &stage : self.executable->stages())
              if (!stage.text.empty())
                stages[stage.stage.c_str()] = stage.text;
            return stages;
          },
          nb::sig("def stages(self) -> dict[str, str]"),
          "The IR after each stage, by name; empty unless compiled with keep_stages.")
      .def_prop_ro(
          "timings",
          [](PyExecutable &self) {
            nb::dict timings;
            for (const StageDump &stage : self.executable->stages())
              timings[stage.stage.c_str()] = stage.seconds;
            return timings;
          },
          nb::sig("def timings(self) -> dict[str, float]"), "Seconds spent on each stage of the compilation.")
      .def_prop_ro(
          "arena_size", [](PyExecutable &self) { return self.executable->arenaSize(); },
          "Bytes of intermediate values while the program runs.")
      .def_prop_ro(
          "object_code",
          [](PyExecutable &self) {
            nb::list objects;
            for (const auto &object : self.executable->objectCode())
              objects.append(nb::bytes(object.data(), object.size()));
            return objects;
          },
          nb::sig("def object_code(self) -> list[bytes]"),
          "The machine code as object files that refer to each other.");

  compiler.def(
      "compile", compile, nb::arg("operation"), nb::kw_only(), nb::arg("target") = "cpu", nb::arg("cpu") = "",
      nb::arg("features") = "", nb::arg("threads") = 0, nb::arg("chip") = "", nb::arg("lines") = false,
      nb::arg("keep_stages") = false, nb::arg("from_stage") = "", nb::arg("in_place") = false,
      nb::arg("verify_each") = false, nb::arg("reproduce") = false, nb::arg("all_codegen_passes") = false,
      "Compiles a copy of a module, whose function `main` is the program, for one of TARGETS.\n\n"
      "`cpu` and `features` (\"-avx512f\") name another processor, `threads=1` gives single-threaded code. "
      "`chip` (\"sm_90a\", \"sm_80,sm_90a\") names GPUs, `lines` has their code refer to lines of the program. "
      "`from_stage` "
      "is the stage of the module, by default the first. `in_place` saves the copy: the module and its context are the "
      "compiler's meanwhile, and nothing useful is left of the module. `verify_each` verifies the IR after every pass, "
      "`all_codegen_passes`, for tests, leaves out none of LLVM's. MLIRError with the diagnostics if the program "
      "cannot "
      "be compiled; InternalCompilerError if that is a fault of the compiler's, with a file that reproduces it if the "
      "module was copied or with `reproduce`, which takes longer. ValueError if there is no such target or stage. The "
      "GIL is released meanwhile.");
  compiler.def("has_custom_call", hasCustomCall, nb::arg("operation"), nb::arg("prefix"),
               "Whether there is a `custom_call` in the operation whose target begins so.");
  populateProcessors(compiler);
  compiler.def("plain_results", plainResults, nb::arg("operation"),
               nb::sig("def plain_results(operation: mlir_xla._mlir_libs._mlir.ir._OperationBase) -> int | None"),
               "The number of results of the module's `main`, if all it takes and returns are arrays of common types.");

  registerEndOfPython();
  compiler.attr("TARGETS") = describeBackends();
  compiler.def("begin_work", Busy::begin,
               "Has the end of Python wait until this thread says `end_work`; SystemExit if it is near.");
  compiler.def("end_work", Busy::end, "Ends what `begin_work` began.");
  compiler.def("set_num_threads", xla_rt_set_num_threads, nb::arg("n"),
               "The number of threads that programs may use; 0 for one per core.");
  compiler.def(
      "num_threads",
      [] {
        int64_t count = xla_rt_num_threads();
        if (count < 1)
          throw nb::value_error(xla_rt_take_error());
        return count;
      },
      "The number of threads that programs may use. ValueError if XLA_RT_NUM_THREADS is none.");
}

} // namespace mlir::xla::python
