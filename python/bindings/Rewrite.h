// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rewrite patterns in Python and native functions of PDL patterns share: the rewriter object and how errors leave
// their callbacks.

#ifndef MLIR_XLA_PYTHON_BINDINGS_REWRITE_H
#define MLIR_XLA_PYTHON_BINDINGS_REWRITE_H

#include "mlir_xla/python/bindings/Lifetime.h"

#include "mlir-c/Rewrite.h"

namespace mlir::xla::python {

/// Python's PatternRewriter: valid during the callback.
struct PyPatternRewriter {
  MlirRewriterBase base;
  bool valid = true;
  MlirRewriterBase get() const {
    if (!valid)
      throwPy(PyExc_RuntimeError, "the rewriter may be used only while the pattern runs");
    return base;
  }
};

/// Python's FrozenRewritePatternSet.
class PyFrozenRewritePatternSet {
public:
  PyFrozenRewritePatternSet(Ref<Ctx> ctx, MlirFrozenRewritePatternSet set) : ctx(std::move(ctx)), set(set) {}
  PyFrozenRewritePatternSet(PyFrozenRewritePatternSet &&other) noexcept
      : ctx(std::move(other.ctx)), set(std::exchange(other.set, MlirFrozenRewritePatternSet{nullptr})) {}
  ~PyFrozenRewritePatternSet() {
    if (set.ptr)
      mlirFrozenRewritePatternSetDestroy(set);
  }
  MlirFrozenRewritePatternSet get() const { return set; }
  /// The patterns refer to names in their context. Null if the set came from elsewhere.
  Ref<Ctx> ctx;

private:
  MlirFrozenRewritePatternSet set;
};

/// Calls a Python callback `function(rewriter object)` of a running rewrite. None and False from it mean success, True
/// failure; an exception is kept for `RewriteScope` to raise, and further callbacks fail at once.
MlirLogicalResult callPattern(MlirRewriterBase rewriter, const std::function<nb::object(nb::object)> &function);

/// Around a rewrite: raises the first exception of its callbacks.
class RewriteScope {
public:
  RewriteScope();
  RewriteScope(const RewriteScope &) = delete;
  ~RewriteScope();
  void rethrow();

private:
  std::optional<nb::python_error> error;
  RewriteScope *outer;
  friend MlirLogicalResult callPattern(MlirRewriterBase, const std::function<nb::object(nb::object)> &);
};

void populatePdl(nb::module_ &m);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_REWRITE_H
