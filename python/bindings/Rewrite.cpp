// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrite patterns that are Python callables, and the drivers that apply them.

#include "mlir_xla/python/bindings/Rewrite.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir::xla::python;

//===--- Callbacks
//---------------------------------------------------------------------------------------------------===//

static RewriteScope *&currentScope() {
  static thread_local RewriteScope *scope = nullptr;
  return scope;
}

RewriteScope::RewriteScope() : outer(currentScope()) { currentScope() = this; }
RewriteScope::~RewriteScope() { currentScope() = outer; }

void RewriteScope::rethrow() {
  if (!error)
    return;
  nb::python_error raised = std::move(*error);
  error.reset();
  throw raised;
}

MlirLogicalResult mlir::xla::python::callPattern(MlirRewriterBase rewriter,
                                                 const std::function<nb::object(nb::object)> &function) {
  nb::gil_scoped_acquire gil;
  RewriteScope *scope = currentScope();
  if (scope && scope->error)
    return mlirLogicalResultFailure();
  nb::object object = nb::cast(PyPatternRewriter{rewriter});
  size_t depth = ContextStack::depth();
  bool failed = true;
  try {
    MlirContext context = mlirRewriterBaseGetContext(rewriter);
    Ref<Ctx> ctx = Ctx::forContext(context);
    ContextStack::push(ContextStack::Kind::Context, ctx, ctx.object());
    nb::object result = function(object);
    failed = !result.is_none() && nb::cast<bool>(result);
  } catch (nb::python_error &error) {
    if (scope)
      scope->error.emplace(std::move(error));
    else
      error.discard_as_unraisable("MLIR rewrite pattern");
  } catch (std::exception &) {
    PyErr_SetString(PyExc_TypeError, "a rewrite pattern must return None or a bool");
    if (scope)
      scope->error.emplace();
    else
      PyErr_Clear();
  }
  ContextStack::unwind(depth);
  nb::cast<PyPatternRewriter &>(object).valid = false;
  return failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

namespace {

/// Invalidates the Python objects of what a driver erases, at once: later patterns of the same run may see them.
struct InvalidatingListener final : mlir::RewriterBase::Listener {
  explicit InvalidatingListener(const Ref<Ctx> &ctx) : ctx(ctx) {}
  void notifyOperationErased(mlir::Operation *op) override {
    auto it = ctx->operations.find(op);
    if (it != ctx->operations.end())
      Ref<PyOperation>(it->second)->invalidateTree();
  }
  void notifyBlockErased(mlir::Block *block) override {
    auto it = ctx->blocks.find(block);
    if (it != ctx->blocks.end())
      it->second->invalidate();
  }
  Ref<Ctx> ctx;
};

} // namespace

//===--- PatternRewriter
//---------------------------------------------------------------------------------------------===//

static PyInsertionPoint insertionPoint(PyPatternRewriter &self) {
  MlirBlock block = mlirRewriterBaseGetInsertionBlock(self.get());
  if (mlirBlockIsNull(block))
    throwPy(PyExc_RuntimeError, "the rewriter has no insertion point");
  MlirOperation next = mlirRewriterBaseGetOperationAfterInsertion(self.get());
  return {PyBlock::forBlock(block), mlirOperationIsNull(next) ? Ref<PyOperation>() : PyOperation::forOperation(next)};
}

static void requireCount(PyOperation &op, intptr_t count) {
  intptr_t expected = mlirOperationGetNumResults(op);
  if (expected != count)
    throwPy(PyExc_ValueError, "operation " + std::string(toView(mlirIdentifierStr(mlirOperationGetName(op)))) +
                                  " has " + std::to_string(expected) + " results but got " + std::to_string(count) +
                                  " replacements");
}

static void replaceWithValues(PyPatternRewriter &self, PyOperation &op, const nb::sequence &replacements) {
  std::vector<MlirValue> values;
  for (nb::handle value : replacements)
    values.push_back(toValue(value));
  requireCount(op, values.size());
  mlirRewriterBaseReplaceOpWithValues(self.get(), op, values.size(), values.data());
}

static void replaceWithOperation(PyPatternRewriter &self, PyOperation &op, PyOperation &replacement) {
  requireCount(op, mlirOperationGetNumResults(replacement));
  if (&op == &replacement)
    throwPy(PyExc_ValueError, "cannot replace an operation with itself");
  mlirRewriterBaseReplaceOpWithOperation(self.get(), op, replacement);
}

static void eraseOp(PyPatternRewriter &self, PyOperation &op) {
  requireUnused(op);
  mlirRewriterBaseEraseOp(self.get(), op);
}

//===--- Pattern sets
//------------------------------------------------------------------------------------------------===//

namespace {
class PyRewritePatternSet {
public:
  explicit PyRewritePatternSet(Ref<Ctx> ctx) : ctx(std::move(ctx)), set(mlirRewritePatternSetCreate(*this->ctx)) {}
  PyRewritePatternSet(const PyRewritePatternSet &) = delete;
  ~PyRewritePatternSet() {
    if (set.ptr)
      mlirRewritePatternSetDestroy(set);
  }

  void add(nb::handle root, nb::callable function, unsigned benefit) {
    std::string name = nb::isinstance<nb::str>(root) ? nb::cast<std::string>(root)
                                                     : nb::cast<std::string>(root.attr("OPERATION_NAME"));
    MlirRewritePatternCallbacks callbacks = {};
    callbacks.destruct = [](void *data) {
      nb::gil_scoped_acquire gil;
      Py_DECREF(static_cast<PyObject *>(data));
    };
    callbacks.matchAndRewrite = [](MlirRewritePattern, MlirOperation op, MlirPatternRewriter rewriter, void *data) {
      return callPattern(mlirPatternRewriterAsBase(rewriter), [&](nb::object rewriterObject) -> nb::object {
        return nb::borrow(static_cast<PyObject *>(data))(PyOperation::forOperation(op)->opView(), rewriterObject);
      });
    };
    MlirRewritePattern pattern =
        mlirOpRewritePatternCreate(toRef(name), benefit, *ctx, callbacks, function.release().ptr(), 0, nullptr);
    mlirRewritePatternSetAdd(get(), pattern);
  }

  PyFrozenRewritePatternSet freeze() {
    MlirFrozenRewritePatternSet frozen = mlirFreezeRewritePattern(get());
    // Freezing empties the set, which still has to be destroyed.
    mlirRewritePatternSetDestroy(set);
    set.ptr = nullptr;
    return PyFrozenRewritePatternSet(ctx, frozen);
  }

private:
  MlirRewritePatternSet get() const {
    if (!set.ptr)
      throwPy(PyExc_RuntimeError, "the pattern set has been frozen");
    return set;
  }
  Ref<Ctx> ctx;
  MlirRewritePatternSet set;
};
} // namespace

//===--- Drivers
//-----------------------------------------------------------------------------------------------------===//

static PyOperation &target(nb::handle object) {
  if (nb::isinstance<PyModule>(object))
    return nb::cast<PyModule &>(object).op->state();
  if (nb::isinstance<PyOperationBase>(object))
    return nb::cast<PyOperationBase &>(object).state();
  throwPy(PyExc_TypeError, "expected a Module, Operation or OpView, got " + nb::cast<std::string>(nb::repr(object)));
}

static void applyGreedily(nb::handle object, PyFrozenRewritePatternSet &set,
                          std::optional<mlir::GreedyRewriteConfig> config) {
  PyOperation &op = target(object);
  if (set.ctx && !(set.ctx == op.ctx))
    throwPy(PyExc_ValueError, "the patterns belong to another context than the operation");
  InvalidatingListener listener(op.ctx);
  mlir::GreedyRewriteConfig options = config.value_or(mlir::GreedyRewriteConfig());
  options.setListener(&listener);
  RewriteScope scope;
  bool converged;
  {
    SurvivorTracking tracking(op);
    converged = succeeded(applyPatternsGreedily(unwrap(op.get()), *unwrap(set.get()), options));
  }
  scope.rethrow();
  if (!converged)
    throwPy(PyExc_RuntimeError, "pattern application failed to converge");
}

static void applyWalking(nb::handle object, PyFrozenRewritePatternSet &set) {
  PyOperation &op = target(object);
  if (set.ctx && !(set.ctx == op.ctx))
    throwPy(PyExc_ValueError, "the patterns belong to another context than the operation");
  InvalidatingListener listener(op.ctx);
  RewriteScope scope;
  {
    SurvivorTracking tracking(op);
    walkAndApplyPatterns(unwrap(op.get()), *unwrap(set.get()), &listener);
  }
  scope.rethrow();
}

//===--- Bindings
//----------------------------------------------------------------------------------------------------===//

static void bindConfig(nb::module_ &m) {
  using mlir::GreedyRewriteConfig;
  using mlir::GreedyRewriteStrictness;
  using mlir::GreedySimplifyRegionLevel;
  nb::enum_<GreedyRewriteStrictness>(m, "GreedyRewriteStrictness")
      .value("ANY_OP", GreedyRewriteStrictness::AnyOp)
      .value("EXISTING_AND_NEW_OPS", GreedyRewriteStrictness::ExistingAndNewOps)
      .value("EXISTING_OPS", GreedyRewriteStrictness::ExistingOps);
  nb::enum_<GreedySimplifyRegionLevel>(m, "GreedySimplifyRegionLevel")
      .value("DISABLED", GreedySimplifyRegionLevel::Disabled)
      .value("NORMAL", GreedySimplifyRegionLevel::Normal)
      .value("AGGRESSIVE", GreedySimplifyRegionLevel::Aggressive);
  nb::class_<GreedyRewriteConfig>(m, "GreedyRewriteConfig", "Options of the greedy driver.")
      .def(nb::init<>())
      .def_prop_rw(
          "max_iterations", [](GreedyRewriteConfig &self) { return self.getMaxIterations(); },
          [](GreedyRewriteConfig &self, int64_t value) { self.setMaxIterations(value); }, "-1 for no limit.")
      .def_prop_rw(
          "max_num_rewrites", [](GreedyRewriteConfig &self) { return self.getMaxNumRewrites(); },
          [](GreedyRewriteConfig &self, int64_t value) { self.setMaxNumRewrites(value); }, "-1 for no limit.")
      .def_prop_rw(
          "use_top_down_traversal", [](GreedyRewriteConfig &self) { return self.getUseTopDownTraversal(); },
          [](GreedyRewriteConfig &self, bool value) { self.setUseTopDownTraversal(value); },
          "Whether the first pass over the operations goes from the top.")
      .def_prop_rw(
          "enable_folding", [](GreedyRewriteConfig &self) { return self.isFoldingEnabled(); },
          [](GreedyRewriteConfig &self, bool value) { self.enableFolding(value); }, "Whether operations are folded.")
      .def_prop_rw(
          "strictness", [](GreedyRewriteConfig &self) { return self.getStrictness(); },
          [](GreedyRewriteConfig &self, GreedyRewriteStrictness value) { self.setStrictness(value); },
          "Which operations are visited.")
      .def_prop_rw(
          "region_simplification_level", [](GreedyRewriteConfig &self) { return self.getRegionSimplificationLevel(); },
          [](GreedyRewriteConfig &self, GreedySimplifyRegionLevel value) { self.setRegionSimplificationLevel(value); },
          "How far the control flow is simplified.")
      .def_prop_rw(
          "enable_constant_cse", [](GreedyRewriteConfig &self) { return self.isConstantCSEEnabled(); },
          [](GreedyRewriteConfig &self, bool value) { self.enableConstantCSE(value); },
          "Whether equal constants are merged.");
}

void mlir::xla::python::populateRewrite(nb::module_ &m) {
  bindConfig(m);
  nb::class_<PyPatternRewriter>(m, "PatternRewriter", "How a pattern changes the IR.")
      .def_prop_ro("ip", insertionPoint, "The insertion point: before the matched operation.")
      .def(
          "replace_op",
          [](PyPatternRewriter &self, PyOperationBase &op, PyOperationBase &with) {
            replaceWithOperation(self, op.state(), with.state());
          },
          nb::arg("op"), nb::arg("new_op"), "Replaces an operation with the results of another, and erases it.")
      .def(
          "replace_op",
          [](PyPatternRewriter &self, PyOperationBase &op, nb::sequence values) {
            replaceWithValues(self, op.state(), values);
          },
          nb::arg("op"), nb::arg("values"),
          nb::sig("def replace_op(self, op: Operation | OpView, values: Sequence[Value]) -> None"),
          "Replaces an operation with values, and erases it.")
      .def(
          "erase_op", [](PyPatternRewriter &self, PyOperationBase &op) { eraseOp(self, op.state()); }, nb::arg("op"),
          "Erases an operation without uses.");

  nb::class_<PyFrozenRewritePatternSet>(m, "FrozenRewritePatternSet", "Patterns ready for a driver.")
      .def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR,
                   [](PyFrozenRewritePatternSet &self) {
                     return nb::steal(mlirPythonFrozenRewritePatternSetToCapsule(self.get()));
                   })
      .def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR, [](nb::object capsule) {
        MlirFrozenRewritePatternSet set = mlirPythonCapsuleToFrozenRewritePatternSet(capsule.ptr());
        if (!set.ptr)
          throw nb::python_error();
        return PyFrozenRewritePatternSet(nullptr, set);
      });

  nb::class_<PyRewritePatternSet>(m, "RewritePatternSet", "Collects patterns.")
      .def(
          "__init__", [](PyRewritePatternSet *self, DefaultCtx ctx) { new (self) PyRewritePatternSet(ctx.ctx); },
          nb::arg("context") = nb::none())
      .def("add", &PyRewritePatternSet::add, nb::arg("root"), nb::arg("fn"), nb::arg("benefit") = 1,
           nb::sig(
               "def add(self, root: type[OpView] | str, fn: Callable[[OpView, PatternRewriter], bool | None], benefit: "
               "int = 1) -> None"),
           "Adds `fn(op, rewriter)` for the operations of a class or name. It returns True if it did not match.")
      .def("freeze", &PyRewritePatternSet::freeze, "The patterns for a driver; empties the set.");

  m.def("apply_patterns_and_fold_greedily", applyGreedily, nb::arg("module_or_op"), nb::arg("set"),
        nb::arg("config") = nb::none(),
        nb::sig("def apply_patterns_and_fold_greedily(module_or_op: Module | Operation | OpView, set: "
                "FrozenRewritePatternSet, config: GreedyRewriteConfig | None = None) -> None"),
        "Applies patterns and folds until nothing changes; RuntimeError if that does not happen.");
  m.def("walk_and_apply_patterns", applyWalking, nb::arg("op"), nb::arg("set"),
        nb::sig("def walk_and_apply_patterns(op: Module | Operation | OpView, set: FrozenRewritePatternSet) -> None"),
        "Applies patterns in one walk, without folding.");
  populatePdl(m);
}
