// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small conversions of Python arguments that several sources of the bindings share.

#ifndef MLIR_XLA_PYTHON_BINDINGS_ARGUMENTS_H
#define MLIR_XLA_PYTHON_BINDINGS_ARGUMENTS_H

#include "mlir_xla/python/bindings/IrCore.h"

namespace mlir::xla::python {

/// Maps a Python index (negative counts from the end) into [0, size); IndexError with `message` otherwise.
inline intptr_t checkedIndex(intptr_t index, intptr_t size, const char *message) {
  if (index < 0)
    index += size;
  if (index < 0 || index >= size)
    throw nb::index_error(message);
  return index;
}

/// A location that only places an error message: the given one, else the current one if it is of the same context,
/// else unknown. Unlike DefaultLoc it is never missing.
inline MlirLocation locationOrUnknown(const std::optional<PyLocation> &loc, MlirContext context) {
  if (loc)
    return loc->loc;
  PyLocation current;
  if (nb::try_cast(ContextStack::currentLocation(), current) &&
      mlirContextEqual(mlirLocationGetContext(current.loc), context))
    return current.loc;
  return mlirLocationUnknownGet(context);
}

inline Ref<Ctx> contextOf(MlirType type) { return Ctx::forContext(mlirTypeGetContext(type)); }
inline Ref<Ctx> contextOf(MlirAttribute attr) { return Ctx::forContext(mlirAttributeGetContext(attr)); }

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_ARGUMENTS_H
