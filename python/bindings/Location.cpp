// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Location: construction and inspection of every kind.

#include "mlir_xla/python/bindings/Parts.h"

using namespace mlir::xla::python;

static std::vector<MlirLocation> toHandles(const std::vector<PyLocation> &locations) {
  return std::vector<MlirLocation>(locations.begin(), locations.end());
}

static MlirLocation callsite(MlirLocation callee, const std::vector<MlirLocation> &frames) {
  if (frames.empty())
    throwPy(PyExc_ValueError, "No caller frames provided.");
  MlirLocation caller = frames.back();
  for (size_t i = frames.size() - 1; i-- > 0;)
    caller = mlirLocationCallSiteGet(frames[i], caller);
  return mlirLocationCallSiteGet(callee, caller);
}

static void bindConstructors(nb::class_<PyLocation> &c) {
  c.def_static(
       "unknown", [](DefaultCtx ctx) { return PyLocation{ctx.ctx, mlirLocationUnknownGet(ctx)}; },
       nb::arg("context") = nb::none(), "The location of what comes from nowhere.")
      .def_static(
          "file",
          [](const std::string &file, unsigned line, unsigned column, DefaultCtx ctx) {
            return PyLocation{ctx.ctx, mlirLocationFileLineColGet(ctx, toRef(file), line, column)};
          },
          nb::arg("filename"), nb::arg("line"), nb::arg("col"), nb::arg("context") = nb::none(),
          "A position in a file; lines and columns count from 1.")
      .def_static(
          "file",
          [](const std::string &file, unsigned startLine, unsigned startColumn, unsigned endLine, unsigned endColumn,
             DefaultCtx ctx) {
            return PyLocation{
                ctx.ctx, mlirLocationFileLineColRangeGet(ctx, toRef(file), startLine, startColumn, endLine, endColumn)};
          },
          nb::arg("filename"), nb::arg("start_line"), nb::arg("start_col"), nb::arg("end_line"), nb::arg("end_col"),
          nb::arg("context") = nb::none(), "A range in a file.")
      .def_static(
          "name",
          [](const std::string &name, std::optional<PyLocation> child, DefaultCtx ctx) {
            MlirLocation inner = child ? child->loc : mlirLocationUnknownGet(ctx);
            return PyLocation{ctx.ctx, mlirLocationNameGet(ctx, toRef(name), inner)};
          },
          nb::arg("name"), nb::arg("childLoc") = nb::none(), nb::arg("context") = nb::none(),
          "A name, with the location that it stands for.")
      .def_static(
          "callsite",
          [](const PyLocation &callee, const std::vector<PyLocation> &frames, DefaultCtx ctx) {
            return PyLocation{ctx.ctx, callsite(callee, toHandles(frames))};
          },
          nb::arg("callee"), nb::arg("frames"), nb::arg("context") = nb::none(),
          "`callee` as reached through the callers in `frames`, the innermost first.")
      .def_static(
          "fused",
          [](const std::vector<PyLocation> &locations, std::optional<PyAttribute> metadata, DefaultCtx ctx) {
            std::vector<MlirLocation> handles = toHandles(locations);
            return PyLocation{ctx.ctx, mlirLocationFusedGet(ctx, handles.size(), handles.data(),
                                                            metadata ? metadata->attr : MlirAttribute{nullptr})};
          },
          nb::arg("locations"), nb::arg("metadata") = nb::none(), nb::arg("context") = nb::none(),
          "Several locations as one, optionally with an attribute.")
      .def_static(
          "from_attr",
          [](const PyAttribute &attribute, DefaultCtx ctx) {
            MlirLocation location = mlirLocationFromAttribute(attribute);
            if (mlirLocationIsNull(location))
              throwPy(PyExc_ValueError, "not a location attribute: " + toString(attribute.attr));
            return PyLocation{ctx.ctx, location};
          },
          nb::arg("attribute"), nb::arg("context") = nb::none(), "The location that a LocationAttr holds.");
}

using Predicate = bool (*)(MlirLocation);

/// Inspectors return nothing sensible for other kinds: raise instead of reading the wrong storage.
static MlirLocation require(const PyLocation &self, Predicate is, const char *kind) {
  if (!is(self.loc))
    throwPy(PyExc_ValueError, "expected a " + std::string(kind) + " location, got " + toString(self.loc));
  return self.loc;
}

static void bindInspectors(nb::class_<PyLocation> &c) {
  c.def("is_a_file", [](PyLocation &self) { return mlirLocationIsAFileLineColRange(self); })
      .def("is_a_name", [](PyLocation &self) { return mlirLocationIsAName(self); })
      .def("is_a_callsite", [](PyLocation &self) { return mlirLocationIsACallSite(self); })
      .def("is_a_fused", [](PyLocation &self) { return mlirLocationIsAFused(self); });

  c.def_prop_ro("filename", [](PyLocation &self) {
    return toStr(mlirIdentifierStr(
        mlirLocationFileLineColRangeGetFilename(require(self, mlirLocationIsAFileLineColRange, "file"))));
  });
  auto position = [&c](const char *name, int (*get)(MlirLocation)) {
    c.def_prop_ro(name,
                  [get](PyLocation &self) { return get(require(self, mlirLocationIsAFileLineColRange, "file")); });
  };
  position("start_line", mlirLocationFileLineColRangeGetStartLine);
  position("start_col", mlirLocationFileLineColRangeGetStartColumn);
  position("end_line", mlirLocationFileLineColRangeGetEndLine);
  position("end_col", mlirLocationFileLineColRangeGetEndColumn);

  auto inner = [&c](const char *name, Predicate is, const char *kind, MlirLocation (*get)(MlirLocation)) {
    c.def_prop_ro(name, [=](PyLocation &self) { return PyLocation{self.ctx, get(require(self, is, kind))}; });
  };
  inner("callee", mlirLocationIsACallSite, "callsite", mlirLocationCallSiteGetCallee);
  inner("caller", mlirLocationIsACallSite, "callsite", mlirLocationCallSiteGetCaller);
  inner("child_loc", mlirLocationIsAName, "name", mlirLocationNameGetChildLoc);
  c.def_prop_ro("name_str", [](PyLocation &self) {
    return toStr(mlirIdentifierStr(mlirLocationNameGetName(require(self, mlirLocationIsAName, "name"))));
  });
  c.def_prop_ro("locations", [](PyLocation &self) {
    require(self, mlirLocationIsAFused, "fused");
    std::vector<MlirLocation> handles(mlirLocationFusedGetNumLocations(self));
    if (!handles.empty())
      mlirLocationFusedGetLocations(self, handles.data());
    std::vector<PyLocation> result;
    for (MlirLocation handle : handles)
      result.push_back({self.ctx, handle});
    return result;
  });
}

void mlir::xla::python::populateLocation(nb::module_ &m) {
  nb::class_<PyLocation> c(m, "Location", "Where an operation comes from. `with location:` makes it the default.");
  bindConstructors(c);
  bindInspectors(c);
  c.def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR,
                [](PyLocation &self) { return nb::steal(mlirPythonLocationToCapsule(self)); })
      .def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR,
                  [](nb::object capsule) {
                    MlirLocation location = mlirPythonCapsuleToLocation(capsule.ptr());
                    if (mlirLocationIsNull(location))
                      throw nb::python_error();
                    return PyLocation{Ctx::forContext(mlirLocationGetContext(location)), location};
                  })
      .def(
          "__enter__",
          [](nb::object self) {
            ContextStack::push(ContextStack::Kind::Location, nb::cast<PyLocation &>(self).ctx, self);
            return self;
          },
          nb::sig("def __enter__(self) -> Location"))
      .def(
          "__exit__",
          [](nb::handle self, nb::handle, nb::handle, nb::handle) {
            ContextStack::pop(ContextStack::Kind::Location, self);
          },
          nb::arg("exc_type").none(), nb::arg("exc_value").none(), nb::arg("traceback").none())
      .def("__eq__", [](PyLocation &self, PyLocation &other) { return mlirLocationEqual(self, other); })
      .def(
          "__eq__", [](PyLocation &, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__", [](PyLocation &self) { return std::hash<const void *>()(self.loc.ptr); })
      .def_prop_ro_static(
          "current", [](nb::handle) { return ContextStack::currentLocation(); },
          nb::sig("def current(/) -> Location | None"), "The location bound to the thread, or None.")
      .def_prop_ro(
          "context", [](PyLocation &self) { return self.ctx; }, "The context that owns the location.")
      .def_prop_ro(
          "attr", [](PyLocation &self) { return wrapAttribute(mlirLocationGetAttribute(self)); },
          "The location as an attribute.")
      .def(
          "get_attr", [](PyLocation &self) { return wrapAttribute(mlirLocationGetAttribute(self)); },
          "The location as an attribute.")
      .def(
          "emit_error", [](PyLocation &self, const std::string &message) { mlirEmitError(self, message.c_str()); },
          nb::arg("message"), "Reports an error at this location.")
      .def("__str__", [](PyLocation &self) { return toString(self.loc); })
      .def("__repr__", [](PyLocation &self) { return toString(self.loc); });
}
