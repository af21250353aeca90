// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler of mlir_xla as seen from Python: `compile` and `Executable`. Calls are meant to be cheap: an array that
// already is what the program wants is read in place through the buffer protocol.

#include "mlir_xla/python/bindings/CustomCalls.h"
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

/// Memory of one result, from the runtime's cache; NumPy arrays refer to it through the buffer protocol.
struct ResultBuffer {
  void *data = nullptr;
  int64_t bytes = 0;

  explicit ResultBuffer(int64_t bytes) : data(xla_rt_alloc(bytes)), bytes(bytes) {}
  ResultBuffer(ResultBuffer &&other) noexcept : data(std::exchange(other.data, nullptr)), bytes(other.bytes) {}
  ~ResultBuffer() { xla_rt_free(data); }
};

int getResultBuffer(PyObject *self, Py_buffer *view, int flags) {
  auto *buffer = nb::inst_ptr<ResultBuffer>(nb::handle(self));
  return PyBuffer_FillInfo(view, self, buffer->data, buffer->bytes, /*readonly=*/0, flags);
}

PyType_Slot resultBufferSlots[] = {{Py_bf_getbuffer, reinterpret_cast<void *>(getResultBuffer)}, {0, nullptr}};

/// How an array of a BufferType looks to NumPy and to the buffer protocol.
struct ArrayType {
  BufferType type;
  nb::object dtype;
  nb::tuple shape;
  nb::object strides;  // in bytes; None if row-major
  nb::object layout;   // (minor_to_major, padded or None, padding or None); None if row-major
  const char *formats; // acceptable format characters; "" if the buffer protocol has none for the element type

  explicit ArrayType(const BufferType &type) : type(type) {
    struct Entry {
      const char *element, *dtype, *formats;
    };
    static constexpr Entry table[] = {
        {"i1", "bool", "?"},
        {"i8", "int8", "b"},
        {"i16", "int16", "h"},
        {"i32", "int32", "i"},
        {"i64", "int64", "lq"},
        {"ui8", "uint8", "B"},
        {"ui16", "uint16", "H"},
        {"ui32", "uint32", "I"},
        {"ui64", "uint64", "LQ"},
        {"f16", "float16", "e"},
        {"f32", "float32", "f"},
        {"f64", "float64", "d"},
        {"complex<f32>", "complex64", "Zf"},
        {"complex<f64>", "complex128", "Zd"},
        {"i2", "int2", ""},
        {"i4", "int4", ""},
        {"ui2", "uint2", ""},
        {"ui4", "uint4", ""},
        {"bf16", "bfloat16", ""},
    };
    std::string name;
    formats = "";
    for (const Entry &entry : table)
      if (type.element == entry.element) {
        name = entry.dtype;
        formats = entry.formats;
      }
    if (name.empty() && type.element.rfind("f", 0) == 0) { // f8E4M3FN -> float8_e4m3fn
      name = "float" + type.element.substr(1);
      if (size_t at = name.find('E'); at != std::string::npos)
        name.insert(at, "_");
      for (char &c : name)
        c = std::tolower(c);
    }
    bool isBuiltin = *formats != 0;
    nb::module_ module = nb::module_::import_(isBuiltin ? "numpy" : "ml_dtypes");
    dtype = nb::module_::import_("numpy").attr("dtype")(isBuiltin ? nb::object(nb::str(name.c_str()))
                                                                  : nb::object(module.attr(name.c_str())));
    shape = tupleOf(type.shape);
    strides = layout = nb::none();
    if (!type.isRowMajor()) {
      std::vector<int64_t> bytes = type.strides();
      for (int64_t &stride : bytes)
        stride *= type.elementBytes;
      strides = tupleOf(bytes);
      nb::object padded = type.padded.empty() ? nb::none() : nb::object(tupleOf(type.padded));
      nb::object padding = type.padding.empty() ? nb::none() : nb::object(nb::str(type.padding.c_str()));
      layout = nb::make_tuple(tupleOf(type.minorToMajor), padded, padding);
    }
  }

  static nb::tuple tupleOf(const std::vector<int64_t> &numbers) {
    nb::list list;
    for (int64_t number : numbers)
      list.append(number);
    return nb::tuple(list);
  }

  /// Whether the elements of a view lie as the program wants them. Steps along dimensions of one element do not matter.
  bool liesAsWanted(const Py_buffer &view) const {
    if (type.isRowMajor())
      return true; // which was asked for
    if (!type.padded.empty())
      return false; // nobody knows whether there is memory for the padding
    std::vector<int64_t> wanted = type.strides();
    for (int i = 0; i < view.ndim; ++i)
      if (view.shape[i] > 1 && view.strides[i] != wanted[i] * type.elementBytes)
        return false;
    return true;
  }

  bool matches(const Py_buffer &view) const {
    if (!view.format || view.len != type.bytes || view.ndim != int(type.shape.size()) || !*formats)
      return false;
    const char *format = view.format;
    if (*format == '<' || *format == '=' || *format == '@')
      ++format;
    if (formats[0] == 'Z') {
      if (std::string_view(format) != formats)
        return false;
    } else if (!format[0] || format[1] || std::string_view(formats).find(format[0]) == std::string_view::npos) {
      return false;
    }
    for (int i = 0; i < view.ndim; ++i)
      if (view.shape[i] != type.shape[i])
        return false;
    if (!liesAsWanted(view))
      return false;
    return reinterpret_cast<uintptr_t>(view.buf) % type.elementBytes == 0;
  }
};

/// An argument for the time of a call.
struct Borrowed {
  Py_buffer view{};
  nb::object array; // a copy or a view by other means

  Borrowed() = default;
  Borrowed(const Borrowed &) = delete;
  ~Borrowed() {
    if (view.obj)
      PyBuffer_Release(&view);
  }

  void *read(nb::handle argument, const ArrayType &type, size_t index, nb::handle ndarray) {
    // What an array of another class means beside its elements, such as a mask, is not for the buffer protocol to say.
    if (*type.formats &&
        (argument.type().is(ndarray) || !PyObject_TypeCheck(argument.ptr(), (PyTypeObject *)ndarray.ptr()))) {
      int order = type.type.isRowMajor() ? PyBUF_C_CONTIGUOUS : PyBUF_STRIDES;
      if (PyObject_GetBuffer(argument.ptr(), &view, order | PyBUF_FORMAT) == 0) {
        if (type.matches(view))
          return view.buf;
        PyBuffer_Release(&view);
      } else {
        PyErr_Clear();
      }
    }
    return readThroughNumPy(argument, type, index);
  }

  /// Strided arrays, ml_dtypes, DLPack, Python numbers.
  void *readThroughNumPy(nb::handle argument, const ArrayType &type, size_t index) {
    nb::object convert = nb::module_::import_("mlir_xla._arrays").attr("as_argument");
    nb::tuple given = nb::make_tuple(argument, type.dtype, type.shape, index);
    array = nb::steal(orStay([&] { return PyObject_Call(convert.ptr(), given.ptr(), nullptr); }));
    if (!array)
      throw nb::python_error();
    if (type.type.isRowMajor())
      array = nb::module_::import_("numpy").attr("require")(array, nb::none(), "CA"); // contiguous and aligned
    else
      array = nb::module_::import_("mlir_xla._arrays")
                  .attr("in_memory")(array, type.strides, type.type.bytes, !type.type.padded.empty());
    nb::object interface = array.attr("__array_interface__");
    return reinterpret_cast<void *>(nb::cast<uintptr_t>(interface["data"][0]));
  }
};

class PyExecutable {
public:
  explicit PyExecutable(std::unique_ptr<Executable> given) : executable(std::move(given)) {
    for (const BufferType &type : executable->argumentTypes())
      arguments.emplace_back(type);
    for (const BufferType &type : executable->resultTypes())
      results.emplace_back(type);
    ndarray = nb::module_::import_("numpy").attr("ndarray");
  }

  nb::list run(nb::sequence arrays) const {
    Busy busy;
    size_t count = nb::len(arrays);
    if (count != arguments.size())
      throwPy(PyExc_TypeError,
              "the program takes " + counted(arguments.size(), "argument") + ", got " + std::to_string(count));
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
      outputs.append(type.type.isRowMajor() ? ndarray(type.shape, type.dtype, memory)
                                            : ndarray(type.shape, type.dtype, memory, 0, type.strides));
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
    if (error.empty())
      return;
    rethrowFromCustomCall();
    LongWork::rethrow();
    throwPy(xla_rt_out_of_memory() ? PyExc_MemoryError : PyExc_RuntimeError, error);
  }

  std::unique_ptr<Executable> executable;
  std::vector<ArrayType> arguments, results;
  nb::object ndarray;
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
                     const std::string &features, int64_t threads, bool keepStages, const std::string &from,
                     bool inPlace, bool verifyEach, bool reproduce, bool allCodegenPasses) {
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

std::string describeProcessor(const std::string &cpu, const std::string &features) {
  std::string error;
  FailureOr<TargetSpec> spec = TargetSpec::resolve(cpu, features, error);
  if (failed(spec))
    throw nb::value_error(error.c_str());
  return spec->cpu + " " + spec->features;
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
      .def("run", &PyExecutable::run, nb::arg("arrays"),
           nb::sig("def run(self, arrays: Sequence[object]) -> list[NDArray[Any]]"),
           "Runs the program on arrays (NumPy, ml_dtypes, DLPack, Python numbers) and returns new ones.\n\n"
           "Contiguous arrays are not copied. TypeError if the number, a dtype or a shape is wrong.")
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
      nb::arg("features") = "", nb::arg("threads") = 0, nb::arg("keep_stages") = false, nb::arg("from_stage") = "",
      nb::arg("in_place") = false, nb::arg("verify_each") = false, nb::arg("reproduce") = false,
      nb::arg("all_codegen_passes") = false,
      "Compiles a copy of a module, whose function `main` is the program, for one of TARGETS.\n\n"
      "`cpu` and `features` (\"-avx512f\") name another processor, `threads=1` gives single-threaded code. "
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
  compiler.def("processor", describeProcessor, nb::arg("cpu") = "", nb::arg("features") = "",
               "The name and the features of the processor that `compile` generates code for, as LLVM spells them.");
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
  compiler.def("num_threads", xla_rt_num_threads, "The number of threads that programs may use.");
}

} // namespace mlir::xla::python
