// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns written in the PDL dialect, with native constraints and rewrites in Python.

#include "mlir_xla/python/bindings/Rewrite.h"

using namespace mlir::xla::python;

namespace {

struct PyPDLResultList {
  MlirPDLResultList list;
};

class PyPDLModule {
public:
  explicit PyPDLModule(PyOperation &op) : ctx(op.ctx) {
    MlirModule module = mlirModuleFromOperation(mlirOperationClone(op));
    this->module = mlirPDLPatternModuleFromModule(module);
  }
  PyPDLModule(const PyPDLModule &) = delete;
  ~PyPDLModule() {
    if (module.ptr)
      mlirPDLPatternModuleDestroy(module);
  }

  PyFrozenRewritePatternSet freeze() {
    MlirRewritePatternSet set = mlirRewritePatternSetFromPDLPatternModule(get());
    PyFrozenRewritePatternSet frozen(ctx, mlirFreezeRewritePattern(set));
    mlirRewritePatternSetDestroy(set);
    return frozen;
  }

  MlirPDLPatternModule get() const { return module; }
  /// The functions live as long as the process: the frozen patterns refer to them.
  void *keep(nb::callable function) { return function.release().ptr(); }

private:
  Ref<Ctx> ctx;
  MlirPDLPatternModule module;
};

} // namespace

static nb::object toPython(MlirPDLValue value) {
  if (MlirValue v = mlirPDLValueAsValue(value); !mlirValueIsNull(v))
    return wrapValue(v);
  if (MlirOperation op = mlirPDLValueAsOperation(value); !mlirOperationIsNull(op))
    return wrapOpView(op);
  if (MlirAttribute attr = mlirPDLValueAsAttribute(value); !mlirAttributeIsNull(attr))
    return wrapAttribute(attr);
  if (MlirType type = mlirPDLValueAsType(value); !mlirTypeIsNull(type))
    return wrapType(type);
  throwPy(PyExc_TypeError, "unsupported kind of PDL value (a range?)");
}

static MlirLogicalResult callNative(MlirPatternRewriter rewriter, MlirPDLResultList results, size_t count,
                                    MlirPDLValue *values, void *data) {
  return callPattern(mlirPatternRewriterAsBase(rewriter), [&](nb::object rewriterObject) -> nb::object {
    nb::list arguments;
    for (size_t i = 0; i != count; ++i)
      arguments.append(toPython(values[i]));
    return nb::borrow(static_cast<PyObject *>(data))(rewriterObject, PyPDLResultList{results}, arguments);
  });
}

static PyOperation &requireModule(PyOperation &op) {
  if (mlirModuleIsNull(mlirModuleFromOperation(op)))
    throwPy(PyExc_TypeError, "expected a builtin.module");
  return op;
}

void mlir::xla::python::populatePdl(nb::module_ &m) {
  nb::class_<PyPDLResultList>(m, "PDLResultList", "Where a native function of a PDL pattern puts its results.")
      .def("append", [](PyPDLResultList &self, PyValue &value) { mlirPDLResultListPushBackValue(self.list, value); })
      .def("append", [](PyPDLResultList &self,
                        PyOperationBase &op) { mlirPDLResultListPushBackOperation(self.list, op.state()); })
      .def("append", [](PyPDLResultList &self, PyType &type) { mlirPDLResultListPushBackType(self.list, type); })
      .def("append",
           [](PyPDLResultList &self, PyAttribute &attr) { mlirPDLResultListPushBackAttribute(self.list, attr); });

  const char *signature =
      "(self, name: str, fn: Callable[[PatternRewriter, PDLResultList, list], bool | None]) -> None";
  static const std::string rewriteSig = std::string("def register_rewrite_function") + signature;
  static const std::string constraintSig = std::string("def register_constraint_function") + signature;
  nb::class_<PyPDLModule>(m, "PDLModule", "A module of `pdl.pattern` operations as patterns. The module is copied.")
      .def(
          "__init__", [](PyPDLModule *self, PyModule &module) { new (self) PyPDLModule(module.op->state()); },
          nb::arg("module"))
      .def(
          "__init__", [](PyPDLModule *self, PyOperationBase &op) { new (self) PyPDLModule(requireModule(op.state())); },
          nb::arg("module"))
      .def("freeze", &PyPDLModule::freeze, "The patterns for a driver.")
      .def(
          "register_rewrite_function",
          [](PyPDLModule &self, const std::string &name, nb::callable function) {
            mlirPDLPatternModuleRegisterRewriteFunction(self.get(), toRef(name), callNative, self.keep(function));
          },
          nb::arg("name"), nb::arg("fn"), nb::sig(rewriteSig.c_str()), "Defines a native rewrite.")
      .def(
          "register_constraint_function",
          [](PyPDLModule &self, const std::string &name, nb::callable function) {
            mlirPDLPatternModuleRegisterConstraintFunction(self.get(), toRef(name), callNative, self.keep(function));
          },
          nb::arg("name"), nb::arg("fn"), nb::sig(constraintSig.c_str()), "Defines a native constraint.");
}
