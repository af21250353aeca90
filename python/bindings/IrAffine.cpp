// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affine expressions of `mlir_xla.ir`: AffineExpr, its ten subclasses and the operators. Maps and integer sets are
// bound in IrAffineMap.cpp.

#include "mlir_xla/python/bindings/IrAffine.h"

namespace mlir::xla::python {

void populateAffineMaps(nb::module_ &m); // IrAffineMap.cpp

namespace {

template <typename Derived, typename Base = PyAffineExpr> struct ConcreteExpr : Base {
  using Class = nb::class_<Derived, Base>;

  static Derived make(Ref<Ctx> ctx, MlirAffineExpr expr) {
    Derived result;
    result.ctx = std::move(ctx);
    result.expr = expr;
    return result;
  }

  static Class bind(nb::module_ &m) {
    Class cls(m, Derived::className);
    cls.def(
        "__init__",
        [](Derived *self, const PyAffineExpr &from) {
          if (!Derived::isa(from))
            throwPy(PyExc_ValueError, std::string("Cannot cast affine expression to ") + Derived::className);
          new (self) Derived(make(from.ctx, from.expr));
        },
        nb::arg("expr"));
    cls.def_static("isinstance", [](const PyAffineExpr &other) { return Derived::isa(other); }, nb::arg("other"));
    return cls;
  }
};

struct PyAffineConstantExpr : ConcreteExpr<PyAffineConstantExpr> {
  static constexpr const char *className = "AffineConstantExpr";
  static constexpr auto isa = mlirAffineExprIsAConstant;
};
struct PyAffineDimExpr : ConcreteExpr<PyAffineDimExpr> {
  static constexpr const char *className = "AffineDimExpr";
  static constexpr auto isa = mlirAffineExprIsADim;
};
struct PyAffineSymbolExpr : ConcreteExpr<PyAffineSymbolExpr> {
  static constexpr const char *className = "AffineSymbolExpr";
  static constexpr auto isa = mlirAffineExprIsASymbol;
};
struct PyAffineBinaryExpr : ConcreteExpr<PyAffineBinaryExpr> {
  static constexpr const char *className = "AffineBinaryExpr";
  static constexpr auto isa = mlirAffineExprIsABinary;
};

#define BINARY_EXPR(Name)                                                                                              \
  struct PyAffine##Name##Expr : ConcreteExpr<PyAffine##Name##Expr, PyAffineBinaryExpr> {                               \
    static constexpr const char *className = "Affine" #Name "Expr";                                                    \
    static constexpr auto isa = mlirAffineExprIsA##Name;                                                               \
    static constexpr auto combine = mlirAffine##Name##ExprGet;                                                         \
  };
BINARY_EXPR(Add)
BINARY_EXPR(Mul)
BINARY_EXPR(Mod)
BINARY_EXPR(FloorDiv)
BINARY_EXPR(CeilDiv)
#undef BINARY_EXPR

template <typename... Classes> nb::object wrapAs(const Ref<Ctx> &ctx, MlirAffineExpr expr) {
  nb::object result;
  (void)((Classes::isa(expr) && (result = nb::cast(Classes::make(ctx, expr)), true)) || ...);
  return result;
}

} // namespace

// The object of the subclass that the expression is of: combining may fold, so `d0 * 1` is a dimension.
ExprObject wrapExpr(const Ref<Ctx> &ctx, MlirAffineExpr expr) {
  if (mlirAffineExprIsNull(expr))
    throwPy(PyExc_ValueError, "the affine expression is not defined");
  nb::object result = wrapAs<PyAffineConstantExpr, PyAffineDimExpr, PyAffineSymbolExpr, PyAffineAddExpr,
                             PyAffineMulExpr, PyAffineModExpr, PyAffineFloorDivExpr, PyAffineCeilDivExpr>(ctx, expr);
  return nb::borrow<ExprObject>(result ? result : nb::cast(PyAffineExpr{ctx, expr}));
}

namespace {

using Combine = MlirAffineExpr (*)(MlirAffineExpr, MlirAffineExpr);

MlirAffineExpr constantLike(const PyAffineExpr &other, int64_t value) {
  return mlirAffineConstantExprGet(other.ctx->get(), value);
}

/// Three overloads of a combination: two expressions, or an integer on either side.
template <Combine combine, typename Def> void defCombination(Def def, const char *doc) {
  def([](const PyAffineExpr &lhs, const PyAffineExpr &rhs) { return wrapExpr(lhs.ctx, combine(lhs, rhs)); }, doc);
  def([](int64_t lhs, const PyAffineExpr &rhs) { return wrapExpr(rhs.ctx, combine(constantLike(rhs, lhs), rhs)); },
      doc);
  def([](const PyAffineExpr &lhs, int64_t rhs) { return wrapExpr(lhs.ctx, combine(lhs, constantLike(lhs, rhs))); },
      doc);
}

template <Combine combine> void defStatic(nb::class_<PyAffineExpr> &cls, const char *name, const char *doc) {
  defCombination<combine>(
      [&](auto function, const char *text) { cls.def_static(name, function, nb::arg("lhs"), nb::arg("rhs"), text); },
      doc);
}

/// `name` with an expression or integer on the right, `reflected` with an integer on the left.
template <Combine combine> void defOperator(nb::class_<PyAffineExpr> &cls, const char *name, const char *reflected) {
  cls.def(
      name, [](const PyAffineExpr &lhs, const PyAffineExpr &rhs) { return wrapExpr(lhs.ctx, combine(lhs, rhs)); },
      nb::is_operator());
  cls.def(
      name,
      [](const PyAffineExpr &lhs, int64_t rhs) { return wrapExpr(lhs.ctx, combine(lhs, constantLike(lhs, rhs))); },
      nb::is_operator());
  cls.def(
      reflected,
      [](const PyAffineExpr &rhs, int64_t lhs) { return wrapExpr(rhs.ctx, combine(constantLike(rhs, lhs), rhs)); },
      nb::is_operator());
}

MlirAffineExpr subtract(MlirAffineExpr lhs, MlirAffineExpr rhs) {
  MlirAffineExpr minusOne = mlirAffineConstantExprGet(mlirAffineExprGetContext(lhs), -1);
  return mlirAffineAddExprGet(lhs, mlirAffineMulExprGet(minusOne, rhs));
}

void checkPosition(intptr_t position) {
  if (position < 0)
    throwPy(PyExc_ValueError, "the position of a dimension or symbol must not be negative");
}

void bindExpr(nb::class_<PyAffineExpr> &cls) {
  cls.def_prop_ro("_CAPIPtr", [](const PyAffineExpr &self) { return nb::steal(mlirPythonAffineExprToCapsule(self)); });
  cls.def_static("_CAPICreate", [](nb::object capsule) {
    MlirAffineExpr expr = mlirPythonCapsuleToAffineExpr(capsule.ptr());
    if (mlirAffineExprIsNull(expr))
      throw nb::python_error();
    return wrapExpr(Ctx::forContext(mlirAffineExprGetContext(expr)), expr);
  });
  cls.def_prop_ro("context", [](const PyAffineExpr &self) { return self.ctx; });
  auto print = [](const PyAffineExpr &self) {
    PrintBuffer out;
    mlirAffineExprPrint(self, out.callback(), out.data());
    return out.text;
  };
  cls.def("__str__", print);
  cls.def("__repr__", [print](const PyAffineExpr &self) { return "AffineExpr(" + print(self) + ")"; });
  cls.def(
      "dump", [](const PyAffineExpr &self) { mlirAffineExprDump(self); },
      "Dumps a debug representation of the object to stderr.");
  cls.def("__eq__",
          [](const PyAffineExpr &self, const PyAffineExpr &other) { return mlirAffineExprEqual(self, other); });
  cls.def("__eq__", [](const PyAffineExpr &, nb::handle) { return false; });
  cls.def("__hash__", [](const PyAffineExpr &self) { return std::hash<const void *>()(self.expr.ptr); });

  defOperator<mlirAffineAddExprGet>(cls, "__add__", "__radd__");
  defOperator<mlirAffineMulExprGet>(cls, "__mul__", "__rmul__");
  defOperator<mlirAffineModExprGet>(cls, "__mod__", "__rmod__");
  defOperator<mlirAffineFloorDivExprGet>(cls, "__floordiv__", "__rfloordiv__");
  defOperator<subtract>(cls, "__sub__", "__rsub__");
  cls.def("__neg__", [](const PyAffineExpr &self) {
    return wrapExpr(self.ctx, mlirAffineMulExprGet(constantLike(self, -1), self));
  });

  cls.def(
      "compose",
      [](const PyAffineExpr &self, const PyAffineMap &map) {
        return wrapExpr(self.ctx, mlirAffineExprCompose(self, map));
      },
      nb::arg("other"));
  cls.def(
      "shift_dims",
      [](const PyAffineExpr &self, uint32_t numDims, uint32_t shift, uint32_t offset) {
        return wrapExpr(self.ctx, mlirAffineExprShiftDims(self, numDims, shift, offset));
      },
      nb::arg("num_dims"), nb::arg("shift"), nb::arg("offset") = 0);
  cls.def(
      "shift_symbols",
      [](const PyAffineExpr &self, uint32_t numSymbols, uint32_t shift, uint32_t offset) {
        return wrapExpr(self.ctx, mlirAffineExprShiftSymbols(self, numSymbols, shift, offset));
      },
      nb::arg("num_symbols"), nb::arg("shift"), nb::arg("offset") = 0);
  cls.def_static(
      "simplify_affine_expr",
      [](const PyAffineExpr &self, uint32_t numDims, uint32_t numSymbols) {
        checkPositions(self, numDims, numSymbols);
        return wrapExpr(self.ctx, mlirSimplifyAffineExpr(self, numDims, numSymbols));
      },
      nb::arg("expr"), nb::arg("num_dims"), nb::arg("num_symbols"),
      "Simplify an affine expression by flattening and some amount of simple analysis.");

  defStatic<mlirAffineAddExprGet>(cls, "get_add", "Gets an affine expression containing a sum of two expressions.");
  defStatic<mlirAffineMulExprGet>(cls, "get_mul", "Gets an affine expression containing a product of two expressions.");
  defStatic<mlirAffineModExprGet>(
      cls, "get_mod", "Gets an affine expression containing the modulo of dividing one expression by another.");
  defStatic<mlirAffineFloorDivExprGet>(
      cls, "get_floor_div",
      "Gets an affine expression containing the rounded-down result of dividing one expression by another.");
  defStatic<mlirAffineCeilDivExprGet>(
      cls, "get_ceil_div",
      "Gets an affine expression containing the rounded-up result of dividing one expression by another.");
}

template <typename Derived> void bindBinary(nb::module_ &m) {
  auto cls = Derived::bind(m);
  cls.def_static(
      "get",
      [](const PyAffineExpr &lhs, const PyAffineExpr &rhs) { return wrapExpr(lhs.ctx, Derived::combine(lhs, rhs)); },
      nb::arg("lhs"), nb::arg("rhs"));
}

} // namespace

void checkPositions(MlirAffineExpr expr, intptr_t numDims, intptr_t numSymbols) {
  if (mlirAffineExprIsABinary(expr)) {
    checkPositions(mlirAffineBinaryOpExprGetLHS(expr), numDims, numSymbols);
    checkPositions(mlirAffineBinaryOpExprGetRHS(expr), numDims, numSymbols);
  } else if (mlirAffineExprIsADim(expr) && mlirAffineDimExprGetPosition(expr) >= numDims) {
    throwPy(PyExc_ValueError, "dimension d" + std::to_string(mlirAffineDimExprGetPosition(expr)) +
                                  " is out of range of " + std::to_string(numDims) + " dimensions");
  } else if (mlirAffineExprIsASymbol(expr) && mlirAffineSymbolExprGetPosition(expr) >= numSymbols) {
    throwPy(PyExc_ValueError, "symbol s" + std::to_string(mlirAffineSymbolExprGetPosition(expr)) +
                                  " is out of range of " + std::to_string(numSymbols) + " symbols");
  }
}

void populateIrAffine(nb::module_ &m) {
  // Maps are declared first: `compose` names them.
  nb::class_<PyAffineExpr> expr(m, "AffineExpr");
  nb::class_<PyAffineMap>(m, "AffineMap");
  bindExpr(expr);

  auto getConstant = [](intptr_t value, DefaultCtx ctx) {
    return PyAffineConstantExpr::make(ctx.ctx, mlirAffineConstantExprGet(ctx, value));
  };
  auto getDim = [](intptr_t position, DefaultCtx ctx) {
    checkPosition(position);
    return PyAffineDimExpr::make(ctx.ctx, mlirAffineDimExprGet(ctx, position));
  };
  auto getSymbol = [](intptr_t position, DefaultCtx ctx) {
    checkPosition(position);
    return PyAffineSymbolExpr::make(ctx.ctx, mlirAffineSymbolExprGet(ctx, position));
  };

  auto constant = PyAffineConstantExpr::bind(m);
  constant.def_static("get", getConstant, nb::arg("value"), nb::arg("context") = nb::none());
  constant.def_prop_ro("value", [](const PyAffineConstantExpr &self) { return mlirAffineConstantExprGetValue(self); });
  auto dim = PyAffineDimExpr::bind(m);
  dim.def_static("get", getDim, nb::arg("position"), nb::arg("context") = nb::none());
  dim.def_prop_ro("position", [](const PyAffineDimExpr &self) { return mlirAffineDimExprGetPosition(self); });
  auto symbol = PyAffineSymbolExpr::bind(m);
  symbol.def_static("get", getSymbol, nb::arg("position"), nb::arg("context") = nb::none());
  symbol.def_prop_ro("position", [](const PyAffineSymbolExpr &self) { return mlirAffineSymbolExprGetPosition(self); });

  auto binary = PyAffineBinaryExpr::bind(m);
  binary.def_prop_ro(
      "lhs", [](const PyAffineBinaryExpr &self) { return wrapExpr(self.ctx, mlirAffineBinaryOpExprGetLHS(self)); });
  binary.def_prop_ro(
      "rhs", [](const PyAffineBinaryExpr &self) { return wrapExpr(self.ctx, mlirAffineBinaryOpExprGetRHS(self)); });
  bindBinary<PyAffineAddExpr>(m);
  bindBinary<PyAffineMulExpr>(m);
  bindBinary<PyAffineModExpr>(m);
  bindBinary<PyAffineFloorDivExpr>(m);
  bindBinary<PyAffineCeilDivExpr>(m);

  expr.def_static("get_constant", getConstant, nb::arg("value"), nb::arg("context") = nb::none(),
                  "Gets a constant affine expression with the given value.");
  expr.def_static("get_dim", getDim, nb::arg("position"), nb::arg("context") = nb::none(),
                  "Gets an affine expression of a dimension at the given position.");
  expr.def_static("get_symbol", getSymbol, nb::arg("position"), nb::arg("context") = nb::none(),
                  "Gets an affine expression of a symbol at the given position.");
  populateAffineMaps(m);
}

} // namespace mlir::xla::python
