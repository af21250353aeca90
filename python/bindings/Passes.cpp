// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PassManager, and passes that are Python callables.

#include "mlir_xla/python/bindings/Lifetime.h"
#include "mlir_xla/python/bindings/Printing.h"
#include "mlir_xla/python/bindings/TextChecks.h"

#include "mlir-c/Pass.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/IR/MLIRContext.h"

#include <atomic>

using namespace mlir::xla::python;

//===--- Passes in Python
//--------------------------------------------------------------------------------------------===//

namespace {

/// Python's ExternalPass: valid during the call.
struct PyExternalPass {
  MlirExternalPass pass;
  bool valid = true;
};

/// The state of one Python pass, shared by the clones that MLIR makes for its threads.
struct PythonPass {
  nb::object callable;
  bool takesPass;
  /// MLIR's pass refers to this text.
  std::string opName;
  /// The first exception of a run: it cannot travel through MLIR's frames. Shared with the pass manager, which raises
  /// it.
  std::shared_ptr<std::optional<nb::python_error>> error;
  std::atomic<size_t> references = 0;
};

} // namespace

static void runPythonPass(PythonPass &self, MlirOperation op, MlirExternalPass pass) {
  nb::gil_scoped_acquire gil;
  if (self.error && *self.error)
    return mlirExternalPassSignalFailure(pass);
  nb::object passObject;
  size_t depth = ContextStack::depth();
  try {
    Ref<PyOperation> state = PyOperation::forOperation(op);
    // C++ passes ran since the last time Python looked.
    {
      SurvivorTracking refresh(*state);
    }
    ContextStack::push(ContextStack::Kind::Context, state->ctx, state->ctx.object());
    passObject = nb::cast(PyExternalPass{pass});
    if (self.takesPass)
      self.callable(state->opView(), passObject);
    else
      self.callable(state->opView());
  } catch (nb::python_error &error) {
    if (self.error && !*self.error)
      self.error->emplace(std::move(error));
    mlirExternalPassSignalFailure(pass);
  }
  ContextStack::unwind(depth);
  if (passObject.is_valid())
    nb::cast<PyExternalPass &>(passObject).valid = false;
}

/// Whether the callable accepts `(op, pass)`, or only `(op)`.
static bool acceptsTwoArguments(nb::handle callable) {
  try {
    nb::module_::import_("inspect").attr("signature")(callable).attr("bind")(nb::none(), nb::none());
    return true;
  } catch (nb::python_error &) {
    return false;
  }
}

static MlirPass createPythonPass(nb::callable callable, const std::optional<std::string> &name,
                                 const std::string &argument, const std::string &description, const std::string &opName,
                                 std::shared_ptr<std::optional<nb::python_error>> error) {
  static MlirTypeIDAllocator allocator = mlirTypeIDAllocatorCreate();
  std::string passName =
      name ? *name : nb::cast<std::string>(nb::getattr(callable, "__name__", nb::getattr(callable.type(), "__name__")));
  bool takesPass = acceptsTwoArguments(callable);
  auto *data = new PythonPass{std::move(callable), takesPass, opName, std::move(error), {0}};

  MlirExternalPassCallbacks callbacks = {};
  callbacks.construct = [](void *data) { ++static_cast<PythonPass *>(data)->references; };
  callbacks.destruct = [](void *data) {
    nb::gil_scoped_acquire gil;
    auto *self = static_cast<PythonPass *>(data);
    if (--self->references == 0)
      delete self;
  };
  callbacks.clone = [](void *data) -> void * {
    nb::gil_scoped_acquire gil;
    // MLIR calls `construct` for the clone.
    return data;
  };
  callbacks.run = [](MlirOperation op, MlirExternalPass pass, void *data) {
    runPythonPass(*static_cast<PythonPass *>(data), op, pass);
  };
  return mlirCreateExternalPass(mlirTypeIDAllocatorAllocateTypeID(allocator), toRef(passName), toRef(argument),
                                toRef(description), toRef(data->opName), 0, nullptr, callbacks, data);
}

//===--- PassManager
//-------------------------------------------------------------------------------------------------===//

namespace {
class PyPassManager {
public:
  PyPassManager(Ref<Ctx> ctx, MlirPassManager manager) : ctx(std::move(ctx)), manager(manager) {}
  PyPassManager(PyPassManager &&other) noexcept
      : ctx(std::move(other.ctx)), error(std::move(other.error)),
        manager(std::exchange(other.manager, MlirPassManager{nullptr})) {}
  ~PyPassManager() {
    if (!mlirPassManagerIsNull(manager))
      mlirPassManagerDestroy(manager);
  }
  MlirPassManager get() const {
    if (mlirPassManagerIsNull(manager))
      throwPy(PyExc_RuntimeError, "the pass manager has been released");
    return manager;
  }
  MlirOpPassManager asOp() const { return mlirPassManagerGetAsOpPassManager(get()); }
  void release() { manager.ptr = nullptr; }

  Ref<Ctx> ctx;
  std::shared_ptr<std::optional<nb::python_error>> error = std::make_shared<std::optional<nb::python_error>>();

private:
  MlirPassManager manager;
};
} // namespace

static void requireShallow(const std::string &pipeline) {
  if (std::optional<TextProblem> problem = findProblem(pipeline))
    throwPy(PyExc_ValueError, problem->what);
}

static PyPassManager parsePipeline(const std::string &pipeline, DefaultCtx ctx) {
  requireShallow(pipeline);
  globalDialectRegistry(); // registers the passes, should the context be someone else's
  PyPassManager result(ctx.ctx, mlirPassManagerCreate(ctx));
  PrintBuffer errors;
  if (mlirLogicalResultIsFailure(
          mlirParsePassPipeline(result.asOp(), toRef(pipeline), errors.callback(), errors.data())))
    throwPy(PyExc_ValueError, errors.text);
  return result;
}

static void addPipeline(PyPassManager &self, const std::string &pipeline) {
  requireShallow(pipeline);
  PrintBuffer errors;
  if (mlirLogicalResultIsFailure(
          mlirOpPassManagerAddPipeline(self.asOp(), toRef(pipeline), errors.callback(), errors.data())))
    throwPy(PyExc_ValueError, errors.text);
}

static void run(PyPassManager &self, PyOperationBase &target) {
  PyOperation &op = target.state();
  if (!(op.ctx == self.ctx))
    throwPy(PyExc_ValueError, "the operation belongs to another context than the pass manager");
  Ref<PyOperation> keepAlive(&op);
  MlirPassManager manager = self.get();
  MlirOperation handle = op;
  self.error->reset();
  ErrorCapture errors(op.ctx);
  MlirLogicalResult status;
  {
    SurvivorTracking tracking(op);
    nb::gil_scoped_release release;
    status = mlirPassManagerRunOnOp(manager, handle);
  }
  if (*self.error) {
    nb::python_error error = std::move(**self.error);
    self.error->reset();
    throw error;
  }
  if (mlirLogicalResultIsFailure(status))
    errors.fail("Failure while executing pass pipeline");
}

static void enableIRPrinting(PyPassManager &self, bool beforeAll, bool afterAll, bool moduleScope, bool afterChange,
                             bool afterFailure, std::optional<int64_t> largeElementsLimit,
                             std::optional<int64_t> largeResourceLimit, bool enableDebugInfo, bool printGenericOpForm,
                             std::optional<std::string> treePath) {
  if (moduleScope && unwrap(self.ctx->get())->isMultithreadingEnabled())
    throwPy(PyExc_ValueError,
            "printing at module scope needs a single thread: call context.enable_multithreading(False) "
            "first");
  PrintingFlags flags;
  if (largeElementsLimit)
    mlirOpPrintingFlagsElideLargeElementsAttrs(flags, *largeElementsLimit);
  if (largeResourceLimit)
    mlirOpPrintingFlagsElideLargeResourceString(flags, *largeResourceLimit);
  if (enableDebugInfo)
    mlirOpPrintingFlagsEnableDebugInfo(flags, /*enable=*/true, /*prettyForm=*/false);
  if (printGenericOpForm)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  std::string path = treePath.value_or("");
  mlirPassManagerEnableIRPrinting(self.get(), beforeAll, afterAll, moduleScope, afterChange, afterFailure, flags,
                                  toRef(path));
}

//===--- Bindings
//----------------------------------------------------------------------------------------------------===//

void mlir::xla::python::populatePasses(nb::module_ &m) {
  nb::enum_<MlirPassDisplayMode>(m, "PassDisplayMode")
      .value("LIST", MLIR_PASS_DISPLAY_MODE_LIST)
      .value("PIPELINE", MLIR_PASS_DISPLAY_MODE_PIPELINE);

  nb::class_<PyExternalPass>(m, "ExternalPass", "What a pass written in Python gets beside the operation.")
      .def(
          "signal_pass_failure",
          [](PyExternalPass &self) {
            if (!self.valid)
              throwPy(PyExc_RuntimeError, "signal_pass_failure() may be called only while the pass runs");
            mlirExternalPassSignalFailure(self.pass);
          },
          "Makes the pipeline fail after this pass.");

  nb::class_<PyPassManager>(m, "PassManager", "A pipeline of passes on a kind of operation.")
      .def(
          "__init__",
          [](PyPassManager *self, const std::string &anchor, DefaultCtx ctx) {
            new (self) PyPassManager(ctx.ctx, mlirPassManagerCreateOnOperation(ctx, toRef(anchor)));
          },
          nb::arg("anchor_op") = "any", nb::arg("context") = nb::none(),
          "An empty pipeline for operations named `anchor_op`, or for any.")
      .def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR,
                   [](PyPassManager &self) { return nb::steal(mlirPythonPassManagerToCapsule(self.get())); })
      .def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR,
                  [](nb::object capsule) {
                    MlirPassManager manager = mlirPythonCapsuleToPassManager(capsule.ptr());
                    if (mlirPassManagerIsNull(manager))
                      throw nb::python_error();
                    MlirContext context = wrap(unwrap(manager)->getContext());
                    return PyPassManager(Ctx::forContext(context), manager);
                  })
      .def("_testing_release", &PyPassManager::release, "Gives up the ownership of the C++ object.")
      .def("enable_ir_printing", enableIRPrinting, nb::arg("print_before_all") = false,
           nb::arg("print_after_all") = true, nb::arg("print_module_scope") = false,
           nb::arg("print_after_change") = false, nb::arg("print_after_failure") = false,
           nb::arg("large_elements_limit") = nb::none(), nb::arg("large_resource_limit") = nb::none(),
           nb::arg("enable_debug_info") = false, nb::arg("print_generic_op_form") = false,
           nb::arg("tree_printing_dir_path") = nb::none(),
           "Prints the IR around passes to stderr, or into files below `tree_printing_dir_path`.")
      .def(
          "enable_verifier",
          [](PyPassManager &self, bool enable) { mlirPassManagerEnableVerifier(self.get(), enable); },
          nb::arg("enable"), "Whether the IR is verified after each pass.")
      .def(
          "enable_timing", [](PyPassManager &self) { mlirPassManagerEnableTiming(self.get()); },
          "Reports the time of each pass to stderr when the pass manager goes.")
      .def(
          "enable_statistics",
          [](PyPassManager &self, MlirPassDisplayMode mode) { mlirPassManagerEnableStatistics(self.get(), mode); },
          nb::arg("displayMode") = MLIR_PASS_DISPLAY_MODE_PIPELINE,
          "Reports the passes' statistics to stderr after each run.")
      .def_static("parse", parsePipeline, nb::arg("pipeline"), nb::arg("context") = nb::none(),
                  "Parses `anchor(pass{option=value},...)`; ValueError if it is malformed or names an unknown pass.")
      .def("add", addPipeline, nb::arg("pipeline"), "Adds passes by name, such as `cse` or `func.func(cse)`.")
      .def(
          "add",
          [](PyPassManager &self, nb::callable callable, std::optional<std::string> name, const std::string &argument,
             const std::string &description, const std::string &opName) {
            MlirPass pass = createPythonPass(std::move(callable), name, argument, description, opName, self.error);
            // MLIR aborts on a pass for another kind of operation than the pipeline's.
            llvm::StringRef anchor = unwrap(self.get())->getOpAnchorName();
            if (!opName.empty() && anchor != "any" && anchor != opName)
              mlirOpPassManagerAddOwnedPass(mlirPassManagerGetNestedUnder(self.get(), toRef(opName)), pass);
            else
              mlirPassManagerAddOwnedPass(self.get(), pass);
          },
          nb::arg("run"), nb::arg("name") = nb::none(), nb::arg("argument") = "", nb::arg("description") = "",
          nb::arg("op_name") = "",
          nb::sig(
              "def add(self, run: Callable[[OpView, ExternalPass], None] | Callable[[OpView], None], name: str | None "
              "= None, argument: str = '', description: str = '', op_name: str = '') -> None"),
          "Adds a pass written in Python, called with the operation and, if it takes two arguments, an "
          "ExternalPass.\n\n"
          "An exception in it ends the run and is raised from there.")
      .def("run", run, nb::arg("operation"),
           "Runs the pipeline; MLIRError with what was reported if it fails.\n\n"
           "Python objects of operations and blocks that the passes kept stay valid, the others raise when used.")
      .def(
          "__str__",
          [](PyPassManager &self) {
            PrintBuffer out;
            mlirPrintPassPipeline(self.asOp(), out.callback(), out.data());
            return std::move(out.text);
          },
          "The pipeline in the form that `parse` reads.");
}
