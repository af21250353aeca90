// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/Diagnostics.h"

namespace mlir::xla {

static Location copyLocation(Location location, MLIRContext *context) {
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

DiagnosticForwarder::DiagnosticForwarder(MLIRContext *from, ModuleOp module) : ScopedDiagnosticHandler(from) {
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

ErrorCollector::ErrorCollector(MLIRContext *context) : ScopedDiagnosticHandler(context) {
  setHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return failure();
    errors.push_back(std::move(diagnostic));
    return success();
  });
}

} // namespace mlir::xla
