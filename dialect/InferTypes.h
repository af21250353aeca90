// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors that name the op, the violated constraint and the offending values; and the check of an op's result types
// against its shape rule.

#ifndef MLIR_XLA_DIALECT_INFERTYPES_H
#define MLIR_XLA_DIALECT_INFERTYPES_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include <optional>

namespace mlir::xla {

/// Emits `'xla.slice' op [Slice-C3] ` followed by what is streamed into the result. Shape rules run without an
/// operation (type inference) as well as with one (verification); `opName` names the op in both cases.
/// Returns a diagnostic that converts to failure().
class ConstraintError {
public:
  ConstraintError(std::optional<Location> loc, StringRef opName, StringRef constraint);
  template <typename T> ConstraintError &operator<<(T &&value) {
    if (diagnostic)
      *diagnostic << std::forward<T>(value);
    return *this;
  }
  operator LogicalResult() { return failure(); }
  template <typename T> operator FailureOr<T>() { return failure(); }

private:
  std::optional<InFlightDiagnostic> diagnostic;
};

/// Equality of types up to the layout encoding of tensors, which never takes part in an op's typing.
bool areCompatibleTypes(TypeRange inferred, TypeRange actual);

/// Re-runs the shape rule of `op` and reports result types that differ from it under `constraint`.
LogicalResult verifyInferredTypes(InferTypeOpInterface op, StringRef constraint);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_INFERTYPES_H
