// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affine maps and integer sets of `mlir_xla.ir`, with the list classes of their expressions and constraints.

#include "mlir_xla/python/bindings/IrAffine.h"

namespace mlir::xla::python {
namespace {

/// Elements [start, start + length * step) of what `Owner` holds: a Python sequence that slices without copying.
template <typename Derived, typename Owner> struct Slice {
  Owner owner;
  intptr_t start, length, step;

  static Derived whole(Owner owner, intptr_t length) { return Derived{{std::move(owner), 0, length, 1}}; }

  void addTo(nb::list &list) const {
    for (intptr_t i = 0; i < length; ++i)
      list.append(Derived::element(owner, start + i * step));
  }

  static void bind(nb::module_ &m) {
    nb::class_<Derived> cls(m, Derived::className);
    cls.def("__len__", [](const Derived &self) { return self.length; });
    cls.def("__getitem__", [](const Derived &self, intptr_t index) {
      if (index < 0)
        index += self.length;
      if (index < 0 || index >= self.length)
        throw nb::index_error("index out of range");
      return Derived::element(self.owner, self.start + index * self.step);
    });
    cls.def("__getitem__", [](const Derived &self, nb::slice slice) {
      auto [start, stop, step, length] = slice.compute(self.length);
      return Derived{
          {self.owner, self.start + (intptr_t)start * self.step, (intptr_t)length, (intptr_t)step * self.step}};
    });
    std::string add =
        std::string("def __add__(self, arg: ") + Derived::className + ", /) -> list[" + Derived::elementName + "]";
    cls.def(
        "__add__",
        [](const Derived &self, const Derived &other) {
          nb::list all;
          for (const Derived *part : {&self, &other})
            part->addTo(all);
          return all;
        },
        nb::sig(add.c_str()));
    std::string iterate = std::string("def __iter__(self) -> collections.abc.Iterator[") + Derived::elementName + "]";
    cls.def(
        "__iter__",
        [](const Derived &self) {
          nb::list all;
          self.addTo(all);
          return nb::iter(all);
        },
        nb::sig(iterate.c_str()));
  }
};

struct ExprList : Slice<ExprList, PyAffineMap> {
  static constexpr const char *className = "AffineExprList";
  static constexpr const char *elementName = "AffineExpr";
  static ExprObject element(const PyAffineMap &map, intptr_t pos) {
    return wrapExpr(map.ctx, mlirAffineMapGetResult(map, pos));
  }
};

struct Constraint {
  PyIntegerSet set;
  intptr_t pos;
};

struct ConstraintList : Slice<ConstraintList, PyIntegerSet> {
  static constexpr const char *className = "IntegerSetConstraintList";
  static constexpr const char *elementName = "IntegerSetConstraint";
  static Constraint element(const PyIntegerSet &set, intptr_t pos) { return {set, pos}; }
};

/// The expressions of a Python list; RuntimeError names the purpose if an element is something else.
std::vector<MlirAffineExpr> toExprs(nb::list list, const char *action) {
  std::vector<MlirAffineExpr> exprs;
  for (nb::handle element : list) {
    PyAffineExpr *expr = nullptr;
    if (!nb::try_cast<PyAffineExpr *>(element, expr) || !expr)
      throwPy(PyExc_RuntimeError, std::string("Invalid expression ") + (element.is_none() ? "(None?) " : "") +
                                      "when attempting to " + action);
    exprs.push_back(expr->expr);
  }
  return exprs;
}

std::vector<MlirAffineExpr> toExprs(nb::list list, intptr_t numDims, intptr_t numSymbols, const char *action) {
  std::vector<MlirAffineExpr> exprs = toExprs(list, action);
  for (MlirAffineExpr expr : exprs)
    checkPositions(expr, numDims, numSymbols);
  return exprs;
}

void checkCounts(intptr_t numDims, intptr_t numSymbols) {
  if (numDims < 0 || numSymbols < 0)
    throwPy(PyExc_ValueError, "the numbers of dimensions and symbols must not be negative");
}

std::string print(const PyAffineMap &map) {
  PrintBuffer out;
  mlirAffineMapPrint(map, out.callback(), out.data());
  return out.text;
}

std::string print(const PyIntegerSet &set) {
  PrintBuffer out;
  mlirIntegerSetPrint(set, out.callback(), out.data());
  return out.text;
}

/// Members that maps and sets share: identity, printing and the C API capsule.
template <typename T, auto equal, auto dump, auto toCapsuleFn, auto fromCapsuleFn>
void bindCommon(nb::class_<T> &cls, const char *className) {
  cls.def_prop_ro("_CAPIPtr", [](const T &self) { return nb::steal(toCapsuleFn(self)); });
  cls.def_static("_CAPICreate", [](nb::object capsule) {
    auto handle = fromCapsuleFn(capsule.ptr());
    if (!handle.ptr)
      throw nb::python_error();
    return T::make(handle);
  });
  cls.def_prop_ro("context", [](const T &self) { return self.ctx; });
  cls.def("__eq__", [](const T &self, const T &other) { return equal(self, other); });
  cls.def("__eq__", [](const T &, nb::handle) { return false; });
  cls.def("__str__", [](const T &self) { return print(self); });
  cls.def("__repr__", [className](const T &self) { return std::string(className) + "(" + print(self) + ")"; });
  cls.def("dump", [](const T &self) { dump(self); }, "Dumps a debug representation of the object to stderr.");
}

//===--- AffineMap
//---------------------------------------------------------------------------------------------------===//

void bindMapFactories(nb::class_<PyAffineMap> &cls) {
  cls.def_static(
      "get",
      [](intptr_t numDims, intptr_t numSymbols, nb::list list, DefaultCtx ctx) {
        checkCounts(numDims, numSymbols);
        auto exprs = toExprs(list, numDims, numSymbols, "create an AffineMap");
        return PyAffineMap{ctx.ctx, mlirAffineMapGet(ctx, numDims, numSymbols, exprs.size(), exprs.data())};
      },
      nb::arg("dim_count"), nb::arg("symbol_count"), nb::arg("exprs"), nb::arg("context") = nb::none(),
      "Gets a map with the given expressions as results.");
  cls.def_static(
      "get_constant",
      [](intptr_t value, DefaultCtx ctx) { return PyAffineMap{ctx.ctx, mlirAffineMapConstantGet(ctx, value)}; },
      nb::arg("value"), nb::arg("context") = nb::none(), "Gets an affine map with a single constant result");
  cls.def_static(
      "get_empty", [](DefaultCtx ctx) { return PyAffineMap{ctx.ctx, mlirAffineMapEmptyGet(ctx)}; },
      nb::arg("context") = nb::none(), "Gets an empty affine map.");
  cls.def_static(
      "get_identity",
      [](intptr_t numDims, DefaultCtx ctx) {
        checkCounts(numDims, 0);
        return PyAffineMap{ctx.ctx, mlirAffineMapMultiDimIdentityGet(ctx, numDims)};
      },
      nb::arg("n_dims"), nb::arg("context") = nb::none(), "Gets an identity map with the given number of dimensions.");
  cls.def_static(
      "get_minor_identity",
      [](intptr_t numDims, intptr_t numResults, DefaultCtx ctx) {
        checkCounts(numDims, 0);
        if (numResults < 0 || numResults > numDims)
          throwPy(PyExc_ValueError, "number of results out of bounds");
        return PyAffineMap{ctx.ctx, mlirAffineMapMinorIdentityGet(ctx, numDims, numResults)};
      },
      nb::arg("n_dims"), nb::arg("n_results"), nb::arg("context") = nb::none(),
      "Gets a minor identity map with the given number of dimensions and results.");
  cls.def_static(
      "get_permutation",
      [](std::vector<unsigned> permutation, DefaultCtx ctx) {
        if (permutation.empty())
          throwPy(PyExc_ValueError, "a permutation map has at least one dimension");
        std::vector<bool> seen(permutation.size(), false);
        for (unsigned value : permutation) {
          if (value >= permutation.size() || seen[value])
            throwPy(PyExc_RuntimeError, "Invalid permutation when attempting to create an AffineMap");
          seen[value] = true;
        }
        return PyAffineMap{ctx.ctx, mlirAffineMapPermutationGet(ctx, permutation.size(), permutation.data())};
      },
      nb::arg("permutation"), nb::arg("context") = nb::none(), "Gets an affine map that permutes its inputs.");
  cls.def_static(
      "compress_unused_symbols",
      [](nb::list list, DefaultCtx) {
        std::vector<MlirAffineMap> maps, compressed;
        for (nb::handle element : list)
          maps.push_back(nb::cast<PyAffineMap &>(element));
        compressed.resize(maps.size());
        auto store = [](void *result, intptr_t index, MlirAffineMap map) {
          (*static_cast<std::vector<MlirAffineMap> *>(result))[index] = map;
        };
        mlirAffineMapCompressUnusedSymbols(maps.data(), maps.size(), &compressed, store);
        std::vector<PyAffineMap> result;
        for (MlirAffineMap map : compressed)
          result.push_back(PyAffineMap::make(map));
        return result;
      },
      nb::arg("maps"), nb::arg("context") = nb::none(), "Compresses a list of affine maps by removing unused symbols.");
}

void bindMapMembers(nb::class_<PyAffineMap> &cls) {
  cls.def("__hash__", [](const PyAffineMap &self) { return std::hash<const void *>()(self.map.ptr); });
  cls.def_prop_ro("n_dims", [](const PyAffineMap &self) { return mlirAffineMapGetNumDims(self); });
  cls.def_prop_ro("n_symbols", [](const PyAffineMap &self) { return mlirAffineMapGetNumSymbols(self); });
  cls.def_prop_ro("n_inputs", [](const PyAffineMap &self) { return mlirAffineMapGetNumInputs(self); });
  cls.def_prop_ro(
      "results", [](const PyAffineMap &self) { return ExprList::whole(self, mlirAffineMapGetNumResults(self)); },
      "Returns the result expressions of the map.");
  cls.def_prop_ro(
      "is_permutation", [](const PyAffineMap &self) { return mlirAffineMapIsPermutation(self); },
      "Returns True if the affine map represents a symbol-less permutation map.");
  cls.def_prop_ro(
      "is_projected_permutation", [](const PyAffineMap &self) { return mlirAffineMapIsProjectedPermutation(self); },
      "Returns True if the affine map represents a subset of a symbol-less permutation map.");
  cls.def(
      "get_submap",
      [](const PyAffineMap &self, std::vector<intptr_t> positions) {
        for (intptr_t pos : positions)
          if (pos < 0 || pos >= mlirAffineMapGetNumResults(self))
            throwPy(PyExc_ValueError, "result position out of bounds");
        return PyAffineMap{self.ctx, mlirAffineMapGetSubMap(self, positions.size(), positions.data())};
      },
      nb::arg("result_positions"));
  auto checkResults = [](const PyAffineMap &self, intptr_t count) {
    if (count < 0 || count >= mlirAffineMapGetNumResults(self))
      throwPy(PyExc_ValueError, "number of results out of bounds");
  };
  cls.def(
      "get_major_submap",
      [checkResults](const PyAffineMap &self, intptr_t count) {
        checkResults(self, count);
        return PyAffineMap{self.ctx, mlirAffineMapGetMajorSubMap(self, count)};
      },
      nb::arg("n_results"));
  cls.def(
      "get_minor_submap",
      [checkResults](const PyAffineMap &self, intptr_t count) {
        checkResults(self, count);
        return PyAffineMap{self.ctx, mlirAffineMapGetMinorSubMap(self, count)};
      },
      nb::arg("n_results"));
  cls.def(
      "replace",
      [](const PyAffineMap &self, const PyAffineExpr &expr, const PyAffineExpr &replacement, intptr_t numDims,
         intptr_t numSymbols) {
        checkCounts(numDims, numSymbols);
        return PyAffineMap{self.ctx, mlirAffineMapReplace(self, expr, replacement, numDims, numSymbols)};
      },
      nb::arg("expr"), nb::arg("replacement"), nb::arg("n_result_dims"), nb::arg("n_result_syms"));
}

//===--- IntegerSet
//--------------------------------------------------------------------------------------------------===//

void bindSet(nb::class_<PyIntegerSet> &cls) {
  cls.def("__hash__", [](const PyIntegerSet &self) { return std::hash<const void *>()(self.set.ptr); });
  cls.def_static(
      "get",
      [](intptr_t numDims, intptr_t numSymbols, nb::list list, std::vector<bool> eqFlags, DefaultCtx ctx) {
        checkCounts(numDims, numSymbols);
        if (nb::len(list) != eqFlags.size())
          throwPy(PyExc_ValueError, "Expected the number of constraints to match that of equality flags");
        if (eqFlags.empty())
          throwPy(PyExc_ValueError, "Expected non-empty list of constraints");
        auto exprs = toExprs(list, numDims, numSymbols, "create an IntegerSet");
        auto flags = std::make_unique<bool[]>(eqFlags.size());
        std::copy(eqFlags.begin(), eqFlags.end(), flags.get());
        return PyIntegerSet{ctx.ctx,
                            mlirIntegerSetGet(ctx, numDims, numSymbols, exprs.size(), exprs.data(), flags.get())};
      },
      nb::arg("num_dims"), nb::arg("num_symbols"), nb::arg("exprs"), nb::arg("eq_flags"),
      nb::arg("context") = nb::none());
  cls.def_static(
      "get_empty",
      [](intptr_t numDims, intptr_t numSymbols, DefaultCtx ctx) {
        checkCounts(numDims, numSymbols);
        return PyIntegerSet{ctx.ctx, mlirIntegerSetEmptyGet(ctx, numDims, numSymbols)};
      },
      nb::arg("num_dims"), nb::arg("num_symbols"), nb::arg("context") = nb::none());
  cls.def(
      "get_replaced",
      [](const PyIntegerSet &self, nb::list dims, nb::list symbols, intptr_t numDims, intptr_t numSymbols) {
        checkCounts(numDims, numSymbols);
        if ((intptr_t)nb::len(dims) != mlirIntegerSetGetNumDims(self))
          throwPy(PyExc_ValueError,
                  "Expected the number of dimension replacement expressions to match that of dimensions");
        if ((intptr_t)nb::len(symbols) != mlirIntegerSetGetNumSymbols(self))
          throwPy(PyExc_ValueError, "Expected the number of symbol replacement expressions to match that of symbols");
        auto dimExprs = toExprs(dims, numDims, numSymbols, "create an IntegerSet by replacing dimensions");
        auto symbolExprs = toExprs(symbols, numDims, numSymbols, "create an IntegerSet by replacing symbols");
        return PyIntegerSet{self.ctx,
                            mlirIntegerSetReplaceGet(self, dimExprs.data(), symbolExprs.data(), numDims, numSymbols)};
      },
      nb::arg("dim_exprs"), nb::arg("symbol_exprs"), nb::arg("num_result_dims"), nb::arg("num_result_symbols"));
  cls.def_prop_ro("is_canonical_empty", [](const PyIntegerSet &self) { return mlirIntegerSetIsCanonicalEmpty(self); });
  cls.def_prop_ro("n_dims", [](const PyIntegerSet &self) { return mlirIntegerSetGetNumDims(self); });
  cls.def_prop_ro("n_symbols", [](const PyIntegerSet &self) { return mlirIntegerSetGetNumSymbols(self); });
  cls.def_prop_ro("n_inputs", [](const PyIntegerSet &self) { return mlirIntegerSetGetNumInputs(self); });
  cls.def_prop_ro("n_equalities", [](const PyIntegerSet &self) { return mlirIntegerSetGetNumEqualities(self); });
  cls.def_prop_ro("n_inequalities", [](const PyIntegerSet &self) { return mlirIntegerSetGetNumInequalities(self); });
  cls.def_prop_ro("constraints", [](const PyIntegerSet &self) {
    return ConstraintList::whole(self, mlirIntegerSetGetNumConstraints(self));
  });
}

} // namespace

void populateAffineMaps(nb::module_ &m) {
  nb::class_<PyAffineMap> map = nb::borrow<nb::class_<PyAffineMap>>(nb::type<PyAffineMap>());
  bindCommon<PyAffineMap, mlirAffineMapEqual, mlirAffineMapDump, mlirPythonAffineMapToCapsule,
             mlirPythonCapsuleToAffineMap>(map, "AffineMap");
  ExprList::bind(m);
  bindMapFactories(map);
  bindMapMembers(map);

  nb::class_<PyIntegerSet> set(m, "IntegerSet");
  bindCommon<PyIntegerSet, mlirIntegerSetEqual, mlirIntegerSetDump, mlirPythonIntegerSetToCapsule,
             mlirPythonCapsuleToIntegerSet>(set, "IntegerSet");
  nb::class_<Constraint> constraint(m, "IntegerSetConstraint");
  constraint.def_prop_ro("expr", [](const Constraint &self) {
    return wrapExpr(self.set.ctx, mlirIntegerSetGetConstraint(self.set, self.pos));
  });
  constraint.def_prop_ro("is_eq",
                         [](const Constraint &self) { return mlirIntegerSetIsConstraintEq(self.set, self.pos); });
  ConstraintList::bind(m);
  bindSet(set);
}

} // namespace mlir::xla::python
