// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Context, DialectRegistry and the access to dialects (`ctx.dialects.func`, `ctx.d["func"]`, descriptors).

#include "mlir_xla/python/bindings/Parts.h"

#include "mlir/CAPI/Support.h"
#include "llvm/Support/ThreadPool.h"

using namespace mlir::xla::python;

namespace {

/// Python's ThreadPool: owns the LLVM pool.
struct PyThreadPool {
  std::unique_ptr<llvm::ThreadPoolInterface> pool = std::make_unique<llvm::DefaultThreadPool>();
};

struct PyDialectDescriptor {
  Ref<Ctx> ctx;
  MlirDialect dialect;
};

struct PyDialects {
  Ref<Ctx> ctx;
};

struct PyDialect {
  nb::object descriptor;
};

struct PyDialectRegistry {
  PyDialectRegistry() : registry(mlirDialectRegistryCreate()) {}
  explicit PyDialectRegistry(MlirDialectRegistry registry) : registry(registry), owned(false) {}
  PyDialectRegistry(const PyDialectRegistry &) = delete;
  ~PyDialectRegistry() {
    if (owned)
      mlirDialectRegistryDestroy(registry);
  }
  MlirDialectRegistry registry;
  bool owned = true;
};

} // namespace

static std::optional<std::vector<std::string>> &loadOnCreateDialects() {
  static auto *dialects = new std::optional<std::vector<std::string>>();
  return *dialects;
}

static void setThreadPool(Ctx &ctx, nb::handle object) {
  PyThreadPool &pool = nb::cast<PyThreadPool &>(object);
  mlirContextEnableMultithreading(ctx, false);
  mlirContextSetThreadPool(ctx, wrap(pool.pool.get()));
  ctx.threadPool = nb::borrow(object);
}

/// Context(): starts from the global registry and loads every dialect, unless told which ones.
static MlirContext createContext(const std::optional<std::vector<std::string>> &load) {
  MlirContext context = mlirContextCreateWithRegistry(globalDialectRegistry(), /*threadingEnabled=*/true);
  const auto &wanted = load ? load : loadOnCreateDialects();
  if (!wanted) {
    mlirContextLoadAllAvailableDialects(context);
    return context;
  }
  for (const std::string &name : *wanted)
    if (mlirDialectIsNull(mlirContextGetOrLoadDialect(context, toRef(name)))) {
      mlirContextDestroy(context);
      throwPy(PyExc_ValueError, "Dialect '" + name + "' not found");
    }
  return context;
}

static MlirDialect getDialect(Ctx &ctx, const std::string &name, PyObject *error) {
  MlirDialect dialect = mlirContextGetOrLoadDialect(ctx, toRef(name));
  if (mlirDialectIsNull(dialect))
    throwPy(error, "Dialect '" + name + "' not found");
  return dialect;
}

static nb::object makeDialect(const Ref<Ctx> &ctx, MlirDialect dialect) {
  nb::object cls = Globals::get().lookupDialectClass(std::string(toView(mlirDialectGetNamespace(dialect))));
  nb::object descriptor = nb::cast(PyDialectDescriptor{ctx, dialect});
  return cls.is_valid() ? cls(descriptor) : nb::cast(PyDialect{descriptor});
}

//===--- Garbage collection: context -> handlers -> callbacks -> context
//--------------------------------------------===//

static int traverseContext(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self))
    return 0;
  Ctx *ctx = nb::inst_ptr<Ctx>(self);
  for (nb::object &handler : ctx->diagnosticHandlers)
    Py_VISIT(handler.ptr());
  return 0;
}

static int clearContext(PyObject *self) {
  if (nb::inst_ready(self))
    markHandlersDetached(*nb::inst_ptr<Ctx>(self));
  return 0;
}

static PyType_Slot contextSlots[] = {
    {Py_tp_traverse, (void *)traverseContext}, {Py_tp_clear, (void *)clearContext}, {0, nullptr}};

//===--- Bindings
//----------------------------------------------------------------------------------------------------===//

static void bindDialects(nb::module_ &m) {
  nb::class_<PyDialectDescriptor>(m, "DialectDescriptor", "A loaded dialect of a context.")
      .def_prop_ro(
          "namespace", [](PyDialectDescriptor &self) { return toStr(mlirDialectGetNamespace(self.dialect)); },
          "The dialect's prefix, such as `func`.")
      .def("__repr__", [](PyDialectDescriptor &self) {
        return "<DialectDescriptor " + std::string(toView(mlirDialectGetNamespace(self.dialect))) + ">";
      });

  nb::class_<PyDialects>(m, "Dialects", "The dialects of a context, by attribute or by index.")
      .def(
          "__getitem__",
          [](PyDialects &self, const std::string &name) {
            return makeDialect(self.ctx, getDialect(*self.ctx, name, PyExc_IndexError));
          },
          nb::sig("def __getitem__(self, name: str, /) -> Dialect"))
      .def(
          "__getattr__",
          [](PyDialects &self, const std::string &name) {
            return makeDialect(self.ctx, getDialect(*self.ctx, name, PyExc_AttributeError));
          },
          nb::sig("def __getattr__(self, name: str, /) -> Dialect"));

  nb::class_<PyDialect>(m, "Dialect", "Base of the dialect classes that dialect modules register.")
      .def(
          "__init__",
          [](PyDialect *self, nb::object descriptor) {
            if (!nb::isinstance<PyDialectDescriptor>(descriptor))
              throwPy(PyExc_TypeError, "Dialect() needs a DialectDescriptor");
            new (self) PyDialect{std::move(descriptor)};
          },
          nb::arg("descriptor"), nb::sig("def __init__(self, descriptor: DialectDescriptor) -> None"))
      .def_prop_ro(
          "descriptor", [](PyDialect &self) { return self.descriptor; },
          nb::sig("def descriptor(self) -> DialectDescriptor"), "The low-level object.")
      .def("__repr__", [](nb::object self) {
        nb::object cls = self.attr("__class__");
        return nb::str("<Dialect {} (class {}.{})>")
            .format(self.attr("descriptor").attr("namespace"), cls.attr("__module__"), cls.attr("__name__"));
      });

  nb::class_<PyDialectRegistry>(m, "DialectRegistry", "The dialects that a context may load.")
      .def(nb::init<>())
      .def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR,
                   [](PyDialectRegistry &self) { return nb::steal(mlirPythonDialectRegistryToCapsule(self.registry)); })
      .def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR, [](nb::object capsule) {
        MlirDialectRegistry registry = mlirPythonCapsuleToDialectRegistry(capsule.ptr());
        if (mlirDialectRegistryIsNull(registry))
          throw nb::python_error();
        return new PyDialectRegistry(registry);
      });
}

static void bindContext(nb::module_ &m) {
  nb::class_<PyThreadPool>(m, "ThreadPool", "Threads that several contexts may share.")
      .def(nb::init<>())
      .def(
          "get_max_concurrency", [](PyThreadPool &self) { return self.pool->getMaxConcurrency(); },
          "The number of threads.")
      .def("_mlir_thread_pool_ptr", [](PyThreadPool &self) { return (uintptr_t)self.pool.get(); });

  nb::class_<Ctx>(m, "Context", nb::is_weak_referenceable(), nb::type_slots(contextSlots),
                  "Owns types, attributes and the loaded dialects. `with context:` makes it the default of the thread.")
      .def(
          "__init__",
          [](nb::pointer_and_handle<Ctx> self, std::optional<std::vector<std::string>> load, nb::object pool) {
            new (self.p) Ctx(createContext(load));
            self.p->self = self.h;
            if (!pool.is_none())
              setThreadPool(*self.p, pool);
          },
          nb::arg("load_on_create_dialects") = nb::none(), nb::arg("thread_pool") = nb::none(),
          nb::sig("def __init__(self, load_on_create_dialects: Sequence[str] | None = None, "
                  "thread_pool: ThreadPool | None = None) -> None"),
          "Creates a context with every dialect loaded, or only those named.")
      .def_static("_get_live_count", &Ctx::liveCount)
      .def("_get_live_module_count", [](Ctx &self) { return self.liveModules; })
      .def("_get_live_operation_count", [](Ctx &self) { return self.operations.size(); })
      .def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR, [](Ctx &self) { return nb::steal(mlirPythonContextToCapsule(self)); })
      .def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR,
                  [](nb::object capsule) {
                    MlirContext context = mlirPythonCapsuleToContext(capsule.ptr());
                    if (mlirContextIsNull(context))
                      throw nb::python_error();
                    return Ctx::forContext(context);
                  })
      .def("__enter__",
           [](Ref<Ctx> self) {
             ContextStack::push(ContextStack::Kind::Context, self, self.object());
             return self;
           })
      .def(
          "__exit__",
          [](Ref<Ctx> self, nb::handle, nb::handle, nb::handle) {
            ContextStack::pop(ContextStack::Kind::Context, self.object());
          },
          nb::arg("exc_type").none(), nb::arg("exc_value").none(), nb::arg("traceback").none())
      .def_prop_ro_static(
          "current",
          [](nb::handle) -> nb::object {
            Ctx *ctx = ContextStack::currentContext();
            return ctx ? nb::borrow(ctx->self) : nb::none();
          },
          nb::sig("def current(/) -> Context | None"), "The context bound to the thread, or None.")
      .def_prop_ro(
          "dialects", [](Ref<Ctx> self) { return PyDialects{self}; },
          "Dialects by attribute (`ctx.dialects.func`) or index; loads them as needed.")
      .def_prop_ro(
          "d", [](Ref<Ctx> self) { return PyDialects{self}; }, "Alias of `dialects`.")
      .def(
          "get_dialect_descriptor",
          [](Ref<Ctx> self, const std::string &name) {
            return PyDialectDescriptor{self, getDialect(*self, name, PyExc_ValueError)};
          },
          nb::arg("dialect_name"), "The descriptor of a dialect; ValueError if it is unknown.")
      .def_prop_rw(
          "allow_unregistered_dialects", [](Ctx &self) { return mlirContextGetAllowUnregisteredDialects(self); },
          [](Ctx &self, bool allow) { mlirContextSetAllowUnregisteredDialects(self, allow); },
          "Whether operations of unknown dialects may be created and parsed.")
      .def(
          "enable_multithreading", [](Ctx &self, bool enable) { mlirContextEnableMultithreading(self, enable); },
          nb::arg("enable"), "Lets pass managers use several threads.")
      .def(
          "set_thread_pool", [](Ctx &self, nb::object pool) { setThreadPool(self, pool); }, nb::arg("thread_pool"),
          nb::sig("def set_thread_pool(self, thread_pool: ThreadPool) -> None"),
          "Uses the threads of `thread_pool` instead of the context's own.")
      .def(
          "get_num_threads", [](Ctx &self) { return mlirContextGetNumThreads(self); }, "The size of the thread pool.")
      .def(
          "is_registered_operation",
          [](Ctx &self, const std::string &name) { return mlirContextIsRegisteredOperation(self, toRef(name)); },
          nb::arg("operation_name"), "Whether an operation such as `func.return` is known.")
      .def(
          "append_dialect_registry",
          [](Ctx &self, PyDialectRegistry &registry) { mlirContextAppendDialectRegistry(self, registry.registry); },
          nb::arg("registry"), "Adds to the dialects that the context may load.")
      .def(
          "load_all_available_dialects", [](Ctx &self) { mlirContextLoadAllAvailableDialects(self); },
          "Loads every dialect of the registry.")
      .def(
          "attach_diagnostic_handler",
          [](Ref<Ctx> self, nb::callable callback) { return attachDiagnosticHandler(self, std::move(callback)); },
          nb::arg("callback"),
          nb::sig(
              "def attach_diagnostic_handler(self, callback: Callable[[Diagnostic], bool], /) -> DiagnosticHandler"),
          "Calls `callback` for every diagnostic; it returns whether it dealt with it. Can be used in a `with`.")
      .def_prop_rw(
          "emit_error_diagnostics", [](Ctx &self) { return self.emitErrorDiagnostics; },
          [](Ctx &self, bool value) { self.emitErrorDiagnostics = value; },
          "Whether errors go to the diagnostic handlers (and, without one, to stderr) instead of into the MLIRError.");
}

void mlir::xla::python::populateContext(nb::module_ &m) {
  bindDialects(m);
  bindContext(m);
}

void mlir::xla::python::populateContextGlobals(nb::module_ &m) {
  m.def(
      "get_dialect_registry", [] { return new PyDialectRegistry(globalDialectRegistry()); },
      nb::sig("def get_dialect_registry() -> ir.DialectRegistry"), "The registry that every new Context starts from.");
  m.def(
      "append_load_on_create_dialect",
      [](std::string name) {
        if (!loadOnCreateDialects())
          loadOnCreateDialects().emplace();
        loadOnCreateDialects()->push_back(std::move(name));
      },
      nb::arg("dialect"), "From now on, contexts load only the dialects appended so.");
  m.def(
      "get_load_on_create_dialects", [] { return loadOnCreateDialects(); },
      "The dialects that new contexts load, or None for all.");
}
