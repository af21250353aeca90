// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the bindings need that let C++ change operations behind Python's wrappers.

#ifndef MLIR_XLA_PYTHON_BINDINGS_LIFETIME_H
#define MLIR_XLA_PYTHON_BINDINGS_LIFETIME_H

#include "mlir_xla/python/bindings/IrCore.h"

namespace mlir::xla::python {

/// Put one on the stack around C++ code that may erase, move or replace operations inside `root` (a pass pipeline, a
/// rewrite). RuntimeError if a detached operation uses a value inside: it would dangle. Afterwards, wrappers of what
/// survived are linked to their present place and all others are invalid. Needs the GIL at both ends, not in between.
class SurvivorTracking {
public:
  explicit SurvivorTracking(PyOperation &root);
  SurvivorTracking(const SurvivorTracking &) = delete;
  ~SurvivorTracking();

private:
  Ref<PyOperation> root;
};

/// RuntimeError if anything outside of the operation uses its results, or values and blocks inside of it.
void requireUnused(PyOperation &op);

/// Says what inside of the operation would crash MLIR's verifier, and therefore its printer and passes; empty if
/// nothing: an operand that is the result of a detached operation, a linalg operation without its body, or a
/// `pdl.attribute` outside of any operation.
std::string findUnverifiable(MlirOperation op);

/// An instance of the OpView subclass `cls`, whose `__init__` is not called.
nb::object makeOpView(nb::handle cls, Ref<PyOperation> op);

/// Tells the context's diagnostic handlers that it goes.
void markHandlersDetached(Ctx &ctx);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_LIFETIME_H
