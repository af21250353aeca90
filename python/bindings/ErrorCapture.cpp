// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/python/bindings/Bindings.h"

#include "mlir-c/Diagnostics.h"

using namespace mlir::xla::python;

/// What the handler may keep while the GIL is released: no Python object.
struct ErrorCapture::Raw {
  MlirDiagnosticSeverity severity;
  MlirLocation location;
  std::string message;
  std::vector<Raw> notes;

  explicit Raw(MlirDiagnostic diagnostic)
      : severity(mlirDiagnosticGetSeverity(diagnostic)), location(mlirDiagnosticGetLocation(diagnostic)) {
    mlirDiagnosticPrint(
        diagnostic,
        [](MlirStringRef part, void *message) { static_cast<std::string *>(message)->append(part.data, part.length); },
        &message);
    for (intptr_t i = 0, e = mlirDiagnosticGetNumNotes(diagnostic); i != e; ++i)
      notes.emplace_back(mlirDiagnosticGetNote(diagnostic, i));
  }

  PyDiagnostic::DiagnosticInfo info(const PyMlirContextRef &ctx) const {
    PyDiagnostic::DiagnosticInfo result{PyDiagnosticSeverity(severity), PyLocation(ctx, location), message, {}};
    for (const Raw &note : notes)
      result.notes.push_back(note.info(ctx));
    return result;
  }
};

ErrorCapture::ErrorCapture(PyMlirContextRef ctx)
    : ctx(std::move(ctx)), id(mlirContextAttachDiagnosticHandler(this->ctx->get(), handle, this, nullptr)) {}

ErrorCapture::~ErrorCapture() { mlirContextDetachDiagnosticHandler(ctx->get(), id); }

MlirLogicalResult ErrorCapture::handle(MlirDiagnostic diagnostic, void *self) {
  auto *capture = static_cast<ErrorCapture *>(self);
  if (capture->ctx->getEmitErrorDiagnostics() || mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultFailure();
  capture->errors.emplace_back(diagnostic);
  return mlirLogicalResultSuccess();
}

std::vector<PyDiagnostic::DiagnosticInfo> ErrorCapture::take() {
  std::vector<PyDiagnostic::DiagnosticInfo> infos;
  for (const Raw &error : errors)
    infos.push_back(error.info(ctx));
  errors.clear();
  return infos;
}

void ErrorCapture::fail(const std::string &message) { throw MLIRError(message, take()); }
