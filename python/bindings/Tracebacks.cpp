// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locations taken from the Python call stack: the innermost user frames, each a name location around a file range, as
// nested call sites.

#include "mlir_xla/python/bindings/Tracebacks.h"

#include <algorithm>

using namespace mlir::xla::python;

TracebackSettings &TracebackSettings::get() {
  static auto *settings = new TracebackSettings();
  return *settings;
}

static bool matchesPrefix(const std::vector<std::string> &prefixes, std::string_view file) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string &prefix) { return file.substr(0, prefix.size()) == prefix; });
}

static bool isUserFile(std::string_view file) {
  const TracebackSettings &settings = TracebackSettings::get();
  return matchesPrefix(settings.includedFiles, file) || !matchesPrefix(settings.excludedFiles, file);
}

static std::string_view utf8(PyObject *text) {
  Py_ssize_t size = 0;
  const char *data = PyUnicode_AsUTF8AndSize(text, &size);
  if (!data) {
    PyErr_Clear();
    return "<unknown>";
  }
  return {data, (size_t)size};
}

static MlirLocation frameLocation(MlirContext context, PyFrameObject *frame, PyCodeObject *code) {
  std::string_view file = utf8(code->co_filename);
  int startLine = 0, startColumn = 0, endLine = 0, endColumn = 0;
  MlirLocation location;
  if (PyCode_Addr2Location(code, PyFrame_GetLasti(frame), &startLine, &startColumn, &endLine, &endColumn) &&
      startColumn >= 0)
    location = mlirLocationFileLineColRangeGet(context, toRef(file), startLine, startColumn, endLine, endColumn);
  else
    location = mlirLocationFileLineColGet(context, toRef(file), PyFrame_GetLineNumber(frame), 0);
  return mlirLocationNameGet(context, toRef(utf8(code->co_qualname)), location);
}

std::optional<PyLocation> mlir::xla::python::currentTracebackLocation() {
  const TracebackSettings &settings = TracebackSettings::get();
  if (!settings.enabled)
    return std::nullopt;
  Ref<Ctx> ctx = DefaultCtx::resolve();
  std::vector<MlirLocation> locations;
  PyFrameObject *frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  while (frame && locations.size() < settings.frameLimit) {
    PyCodeObject *code = PyFrame_GetCode(frame);
    if (isUserFile(utf8(code->co_filename)))
      locations.push_back(frameLocation(ctx->get(), frame, code));
    Py_DECREF(code);
    PyFrameObject *back = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = back;
  }
  Py_XDECREF(frame);

  if (locations.empty())
    return PyLocation{ctx, mlirLocationUnknownGet(ctx->get())};
  MlirLocation caller = locations.back();
  for (size_t i = locations.size() - 1; i-- > 0;)
    caller = mlirLocationCallSiteGet(locations[i], caller);
  return PyLocation{ctx, caller};
}
