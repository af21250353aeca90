// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's own JIT, as upstream binds it; mlir_xla's compiler has another one.

#include "mlir_xla/python/bindings/IrCore.h"

#include "mlir-c/ExecutionEngine.h"

using namespace mlir::xla::python;

#ifdef MLIR_XLA_HAS_EXECUTION_ENGINE

namespace {
class PyExecutionEngine {
public:
  explicit PyExecutionEngine(MlirExecutionEngine engine) : engine(engine) {}
  PyExecutionEngine(const PyExecutionEngine &) = delete;
  ~PyExecutionEngine() {
    if (!mlirExecutionEngineIsNull(engine))
      mlirExecutionEngineDestroy(engine);
  }
  MlirExecutionEngine get() const {
    if (mlirExecutionEngineIsNull(engine))
      throwPy(PyExc_RuntimeError, "the execution engine has been released");
    return engine;
  }
  void release() {
    engine.ptr = nullptr;
    kept.clear();
  }

  /// Callbacks that generated code may call.
  std::vector<nb::object> kept;

private:
  MlirExecutionEngine engine;
};
} // namespace

static MlirExecutionEngine create(PyModule &module, int optLevel, const std::vector<std::string> &sharedLibs,
                                  bool enableObjectDump, bool enablePic) {
  std::vector<MlirStringRef> libs;
  for (const std::string &lib : sharedLibs)
    libs.push_back(toRef(lib));
  MlirModule handle = module.get();
  ErrorCapture errors(module.op->ctx);
  MlirExecutionEngine engine;
  {
    nb::gil_scoped_release release;
    engine = mlirExecutionEngineCreate(handle, optLevel, libs.size(), libs.data(), enableObjectDump, enablePic);
  }
  if (mlirExecutionEngineIsNull(engine)) {
    std::string message = "Failure while creating the ExecutionEngine.";
    for (const DiagnosticInfo &error : errors.take())
      message += "\n" + toString(error.location.loc) + ": " + error.message;
    throwPy(PyExc_RuntimeError, message);
  }
  return engine;
}

void mlir::xla::python::populateExecution(nb::module_ &m) {
  nb::class_<PyExecutionEngine>(m, "ExecutionEngine", "Compiles a module in the LLVM dialect and runs its functions.")
      .def(
          "__init__",
          [](PyExecutionEngine *self, PyModule &module, int optLevel, const std::vector<std::string> &sharedLibs,
             bool enableObjectDump, bool enablePic) {
            new (self) PyExecutionEngine(create(module, optLevel, sharedLibs, enableObjectDump, enablePic));
          },
          nb::arg("module"), nb::arg("opt_level") = 2, nb::arg("shared_libs") = nb::list(),
          nb::arg("enable_object_dump") = true, nb::arg("enable_pic") = false,
          "Compiles every function of `module`; RuntimeError if that fails.")
      .def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR,
                   [](PyExecutionEngine &self) { return nb::steal(mlirPythonExecutionEngineToCapsule(self.get())); })
      .def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR,
                  [](nb::object capsule) {
                    MlirExecutionEngine engine = mlirPythonCapsuleToExecutionEngine(capsule.ptr());
                    if (mlirExecutionEngineIsNull(engine))
                      throw nb::python_error();
                    return new PyExecutionEngine(engine);
                  })
      .def("_testing_release", &PyExecutionEngine::release, "Gives up the ownership of the C++ object.")
      .def(
          "raw_lookup",
          [](PyExecutionEngine &self, const std::string &name) -> std::optional<uintptr_t> {
            void *function = mlirExecutionEngineLookupPacked(self.get(), toRef(name));
            if (!function)
              return std::nullopt;
            return reinterpret_cast<uintptr_t>(function);
          },
          nb::arg("func_name"), "The address of a function with packed arguments, or None.")
      .def(
          "raw_register_runtime",
          [](PyExecutionEngine &self, const std::string &name, nb::object callback) {
            mlirExecutionEngineRegisterSymbol(self.get(), toRef(name),
                                              reinterpret_cast<void *>(nb::cast<uintptr_t>(callback.attr("value"))));
            self.kept.push_back(std::move(callback));
          },
          nb::arg("name"), nb::arg("callback"), "Defines a symbol for generated code: a ctypes pointer.")
      .def(
          "initialize", [](PyExecutionEngine &self) { mlirExecutionEngineInitialize(self.get()); },
          "Runs global constructors, after all symbols are registered.")
      .def(
          "dump_to_object_file",
          [](PyExecutionEngine &self, const std::string &name) {
            mlirExecutionEngineDumpToObjectFile(self.get(), toRef(name));
          },
          nb::arg("file_name"), "Writes the object code.");
}

#else

void mlir::xla::python::populateExecution(nb::module_ &m) {}

#endif
