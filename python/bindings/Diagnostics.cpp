// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics: the exception MLIRError with what was reported, and handlers written in Python.

#include "mlir_xla/python/bindings/Parts.h"

using namespace mlir::xla::python;

//===--- Errors
//------------------------------------------------------------------------------------------------------===//

/// What a handler may keep while the GIL is released: no Python object.
struct ErrorCapture::Raw {
  MlirDiagnosticSeverity severity;
  MlirLocation location;
  std::string message;
  std::vector<Raw> notes;

  explicit Raw(MlirDiagnostic diagnostic)
      : severity(mlirDiagnosticGetSeverity(diagnostic)), location(mlirDiagnosticGetLocation(diagnostic)) {
    PrintBuffer out;
    mlirDiagnosticPrint(diagnostic, out.callback(), out.data());
    message = std::move(out.text);
    for (intptr_t i = 0, e = mlirDiagnosticGetNumNotes(diagnostic); i != e; ++i)
      notes.emplace_back(mlirDiagnosticGetNote(diagnostic, i));
  }

  DiagnosticInfo info(const Ref<Ctx> &ctx) const {
    DiagnosticInfo result{severity, PyLocation{ctx, location}, message, {}};
    for (const Raw &note : notes)
      result.notes.push_back(note.info(ctx));
    return result;
  }
};

ErrorCapture::ErrorCapture(Ref<Ctx> ctx)
    : ctx(std::move(ctx)), id(mlirContextAttachDiagnosticHandler(*this->ctx, handle, this, nullptr)) {}

ErrorCapture::~ErrorCapture() { mlirContextDetachDiagnosticHandler(*ctx, id); }

MlirLogicalResult ErrorCapture::handle(MlirDiagnostic diagnostic, void *self) {
  auto *capture = static_cast<ErrorCapture *>(self);
  if (capture->ctx->emitErrorDiagnostics || mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultFailure();
  capture->errors.emplace_back(diagnostic);
  return mlirLogicalResultSuccess();
}

std::vector<DiagnosticInfo> ErrorCapture::take() {
  std::vector<DiagnosticInfo> result;
  for (const Raw &error : errors)
    result.push_back(error.info(ctx));
  errors.clear();
  return result;
}

void ErrorCapture::fail(std::string message) { throw MLIRError(std::move(message), take()); }

MLIRError::MLIRError(std::string message, std::vector<DiagnosticInfo> diagnostics)
    : message(std::move(message)), diagnostics(std::move(diagnostics)) {}
MLIRError::~MLIRError() = default;

void mlir::xla::python::throwPy(PyObject *type, const std::string &message) {
  PyErr_SetString(type, message.c_str());
  throw nb::python_error();
}

//===--- Diagnostics inside a handler
//--------------------------------------------------------------------------------===//

namespace {

/// Valid during the callback only. It must not keep the context alive: context -> handler -> callback -> saved
/// diagnostic would be a cycle.
struct PyDiagnostic {
  MlirDiagnostic diagnostic;
  MlirContext context;
  bool valid = true;
  nb::object notes;

  void check() const {
    if (!valid)
      throwPy(PyExc_ValueError, "Diagnostic is invalid (used outside of callback)");
  }
};

} // namespace

static std::string messageOf(MlirDiagnostic diagnostic) {
  PrintBuffer out;
  mlirDiagnosticPrint(diagnostic, out.callback(), out.data());
  return std::move(out.text);
}

static nb::object notesOf(PyDiagnostic &self) {
  self.check();
  if (!self.notes.is_valid()) {
    nb::list notes;
    for (intptr_t i = 0, e = mlirDiagnosticGetNumNotes(self.diagnostic); i != e; ++i)
      notes.append(nb::cast(PyDiagnostic{mlirDiagnosticGetNote(self.diagnostic, i), self.context, true, {}}));
    self.notes = nb::tuple(notes);
  }
  return self.notes;
}

static void invalidateDiagnostic(PyDiagnostic &self) {
  self.valid = false;
  if (self.notes.is_valid())
    for (nb::handle note : self.notes)
      invalidateDiagnostic(nb::cast<PyDiagnostic &>(note));
}

static DiagnosticInfo infoOf(MlirDiagnostic diagnostic, const Ref<Ctx> &ctx) {
  DiagnosticInfo result{mlirDiagnosticGetSeverity(diagnostic),
                        PyLocation{ctx, mlirDiagnosticGetLocation(diagnostic)},
                        messageOf(diagnostic),
                        {}};
  for (intptr_t i = 0, e = mlirDiagnosticGetNumNotes(diagnostic); i != e; ++i)
    result.notes.push_back(infoOf(mlirDiagnosticGetNote(diagnostic, i), ctx));
  return result;
}

//===--- Handlers
//----------------------------------------------------------------------------------------------------===//

namespace mlir::xla::python {
/// Python's DiagnosticHandler. The context holds it while it is attached.
class DiagnosticHandler {
public:
  DiagnosticHandler(MlirContext context, nb::callable callback) : context(context), callback(std::move(callback)) {}
  nb::handle self;
  MlirContext context;
  nb::object callback;
  std::optional<MlirDiagnosticHandlerID> id;
  bool hadError = false;

  static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *data) {
    nb::gil_scoped_acquire gil;
    // The callback may detach its own handler.
    nb::object keepAlive = nb::borrow(static_cast<DiagnosticHandler *>(data)->self);
    auto *handler = static_cast<DiagnosticHandler *>(data);
    if (!handler->callback.is_valid())
      return mlirLogicalResultFailure();
    bool handled = false;
    nb::object object = nb::cast(PyDiagnostic{diagnostic, handler->context, true, {}});
    try {
      handled = nb::cast<bool>(nb::bool_(handler->callback(object)));
    } catch (nb::python_error &error) {
      error.discard_as_unraisable("MLIR Python diagnostic handler");
      handler->hadError = true;
    }
    invalidateDiagnostic(nb::cast<PyDiagnostic &>(object));
    return handled ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
  }

  void attach() { id = mlirContextAttachDiagnosticHandler(context, handle, this, nullptr); }

  void detach() {
    if (!id)
      return;
    mlirContextDetachDiagnosticHandler(context, *id);
    id.reset();
    callback.reset();
    if (Ctx *ctx = Ctx::lookup(context)) {
      auto &handlers = ctx->diagnosticHandlers;
      for (size_t i = 0; i != handlers.size(); ++i)
        if (handlers[i].is(self)) {
          nb::object last = std::move(handlers[i]);
          handlers.erase(handlers.begin() + i);
          break;
        }
    }
  }
};
} // namespace mlir::xla::python

void mlir::xla::python::markHandlersDetached(Ctx &ctx) {
  while (!ctx.diagnosticHandlers.empty()) {
    nb::object handler = ctx.diagnosticHandlers.back();
    nb::cast<DiagnosticHandler &>(handler).detach();
  }
}

nb::object mlir::xla::python::attachDiagnosticHandler(const Ref<Ctx> &ctx, nb::callable callback) {
  Ref<DiagnosticHandler> handler = makeRef<DiagnosticHandler>(ctx->get(), std::move(callback));
  ctx->diagnosticHandlers.push_back(handler.object());
  handler->attach();
  return handler.object();
}

static int traverseHandler(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    Py_VISIT(nb::inst_ptr<DiagnosticHandler>(self)->callback.ptr());
  return 0;
}

static int clearHandler(PyObject *self) {
  if (nb::inst_ready(self))
    nb::inst_ptr<DiagnosticHandler>(self)->callback.reset();
  return 0;
}

static PyType_Slot handlerSlots[] = {
    {Py_tp_traverse, (void *)traverseHandler}, {Py_tp_clear, (void *)clearHandler}, {0, nullptr}};

//===--- Bindings
//----------------------------------------------------------------------------------------------------===//

void mlir::xla::python::populateDiagnostics(nb::module_ &m) {
  nb::enum_<MlirDiagnosticSeverity>(m, "DiagnosticSeverity")
      .value("ERROR", MlirDiagnosticError)
      .value("WARNING", MlirDiagnosticWarning)
      .value("NOTE", MlirDiagnosticNote)
      .value("REMARK", MlirDiagnosticRemark);

  nb::class_<DiagnosticInfo>(m, "DiagnosticInfo", "A diagnostic that may be kept.")
      .def("__init__",
           [](DiagnosticInfo *self, PyDiagnostic &diagnostic) {
             diagnostic.check();
             new (self) DiagnosticInfo(infoOf(diagnostic.diagnostic, Ctx::forContext(diagnostic.context)));
           })
      .def_ro("severity", &DiagnosticInfo::severity)
      .def_ro("location", &DiagnosticInfo::location)
      .def_ro("message", &DiagnosticInfo::message)
      .def_ro("notes", &DiagnosticInfo::notes)
      .def("__str__", [](DiagnosticInfo &self) { return self.message; });

  nb::class_<PyDiagnostic>(m, "Diagnostic", "A diagnostic inside a handler; keep a DiagnosticInfo, not this.")
      .def_prop_ro(
          "severity",
          [](PyDiagnostic &self) {
            self.check();
            return mlirDiagnosticGetSeverity(self.diagnostic);
          },
          "ERROR, WARNING, NOTE or REMARK.")
      .def_prop_ro(
          "location",
          [](PyDiagnostic &self) {
            self.check();
            return PyLocation{Ctx::forContext(self.context), mlirDiagnosticGetLocation(self.diagnostic)};
          },
          "Where it was reported.")
      .def_prop_ro(
          "message",
          [](PyDiagnostic &self) {
            self.check();
            return messageOf(self.diagnostic);
          },
          "The text, without location and notes.")
      .def_prop_ro("notes", notesOf, nb::sig("def notes(self) -> tuple[Diagnostic, ...]"), "The attached notes.")
      .def("__str__", [](PyDiagnostic &self) {
        return self.valid ? messageOf(self.diagnostic) : std::string("<Invalid Diagnostic>");
      });

  nb::class_<DiagnosticHandler>(m, "DiagnosticHandler", nb::type_slots(handlerSlots),
                                "An attached callback; `with` detaches it at the end.")
      .def_prop_ro(
          "attached", [](DiagnosticHandler &self) { return self.id.has_value(); },
          "Whether it is attached to its context.")
      .def_prop_ro(
          "had_error", [](DiagnosticHandler &self) { return self.hadError; }, "Whether the callback raised.")
      .def("detach", &DiagnosticHandler::detach, "Detaches the callback.")
      .def("__enter__", [](Ref<DiagnosticHandler> self) { return self; })
      .def(
          "__exit__", [](DiagnosticHandler &self, nb::handle, nb::handle, nb::handle) { self.detach(); },
          nb::arg("exc_type").none(), nb::arg("exc_value").none(), nb::arg("traceback").none());

  nb::register_exception_translator([](const std::exception_ptr &pointer, void *) {
    try {
      std::rethrow_exception(pointer);
    } catch (MLIRError &error) {
      nb::object cls = nb::module_::import_(MAKE_MLIR_PYTHON_QUALNAME("_mlir_libs._mlir.ir")).attr("MLIRError");
      nb::object instance = cls(error.message, std::move(error.diagnostics));
      PyErr_SetObject(cls.ptr(), instance.ptr());
    }
  });
}
