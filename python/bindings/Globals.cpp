// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registries that dialect modules fill (`_cext.register_operation` and so on), the lazy import of these modules,
// and
// `_mlir.globals`.

#include "mlir_xla/python/bindings/Concrete.h"
#include "mlir_xla/python/bindings/Parts.h"
#include "mlir_xla/python/bindings/Tracebacks.h"

using namespace mlir::xla::python;

Globals &Globals::get() {
  static Globals *globals = [] {
    auto *result = new Globals();
    result->dialectSearchPrefixes.push_back(MAKE_MLIR_PYTHON_QUALNAME("dialects"));
    return result;
  }();
  return *globals;
}

bool Globals::loadDialectModule(std::string_view ns) {
  std::string key(ns);
  auto it = loadedModules.find(key);
  if (it != loadedModules.end())
    return it->second;
  // The import may come back here for the same dialect.
  loadedModules[key] = false;
  for (const std::string &prefix : std::vector<std::string>(dialectSearchPrefixes)) {
    std::string name = prefix + "." + key;
    try {
      nb::module_::import_(name.c_str());
      return loadedModules[key] = true;
    } catch (nb::python_error &error) {
      if (!error.matches(PyExc_ModuleNotFoundError)) {
        loadedModules.erase(key);
        throw;
      }
      // Only the absence of the module itself, or of a package above it, means that the dialect has none.
      nb::object missing = nb::getattr(error.value(), "name", nb::none());
      std::string missingName = missing.is_none() ? "" : nb::cast<std::string>(missing);
      if (name != missingName && name.compare(0, missingName.size() + 1, missingName + ".") != 0) {
        loadedModules.erase(key);
        throw;
      }
    }
  }
  return false;
}

//===--- Registration
//------------------------------------------------------------------------------------------------===//

static std::string describe(nb::handle object) { return nb::cast<std::string>(nb::str(object)); }

static void checkCallable(nb::handle object, const char *what) {
  if (!PyCallable_Check(object.ptr()))
    throwPy(PyExc_TypeError, std::string(what) + " is not callable: " + describe(object));
}

void Globals::registerDialectClass(const std::string &ns, nb::object cls) {
  auto [it, inserted] = dialectClasses.try_emplace(ns, cls);
  if (!inserted)
    throwPy(PyExc_RuntimeError, "Dialect namespace '" + ns + "' is already registered.");
}

void Globals::registerOperationClass(const std::string &name, nb::object cls, bool replace) {
  nb::object &slot = operationClasses[name];
  if (slot.is_valid() && !replace)
    throwPy(PyExc_RuntimeError, "Operation '" + name + "' is already registered.");
  slot = std::move(cls);
}

void Globals::registerAttributeBuilder(const std::string &kind, nb::object builder, bool replace) {
  checkCallable(builder, "Attribute builder");
  nb::object &slot = attributeBuilders[kind];
  if (slot.is_valid() && !replace)
    throwPy(PyExc_RuntimeError,
            "Attribute builder for '" + kind + "' is already registered with func: " + describe(slot));
  slot = std::move(builder);
}

template <typename Map, typename Key> static nb::object find(const Map &map, const Key &key) {
  auto it = map.find(key);
  return it == map.end() ? nb::object() : it->second;
}

void Globals::registerTypeCaster(MlirTypeID id, nb::object caster, bool replace) {
  checkCallable(caster, "Type caster");
  nb::object slot = find(typeCasters, id.ptr);
  if (slot.is_valid() && !replace)
    throwPy(PyExc_RuntimeError, "Type caster is already registered with caster: " + describe(slot));
  if (!slot.is_valid() && !replace && hasFactory(id))
    throwPy(PyExc_RuntimeError, "Type caster is already registered: the type or attribute has a built-in class");
  typeCasters[id.ptr] = std::move(caster);
}

void Globals::registerValueCaster(MlirTypeID id, nb::object caster, bool replace) {
  checkCallable(caster, "Value caster");
  nb::object &slot = valueCasters[id.ptr];
  if (slot.is_valid() && !replace)
    throwPy(PyExc_RuntimeError, "Value caster is already registered: " + describe(nb::repr(slot)));
  slot = std::move(caster);
}

//===--- Lookup
//------------------------------------------------------------------------------------------------------===//

nb::object Globals::lookupDialectClass(const std::string &ns) {
  if (nb::object cls = find(dialectClasses, ns); cls.is_valid())
    return cls;
  loadDialectModule(ns);
  return find(dialectClasses, ns);
}

nb::object Globals::lookupOperationClass(std::string_view name) {
  std::string key(name);
  if (nb::object cls = find(operationClasses, key); cls.is_valid())
    return cls;
  if (!loadDialectModule(name.substr(0, name.find('.'))))
    return {};
  return find(operationClasses, key);
}

nb::object Globals::lookupAttributeBuilder(const std::string &kind) { return find(attributeBuilders, kind); }

/// The builtin dialect's module registers no casters: it is not worth an import.
static bool mayRegisterCasters(MlirDialect dialect) {
  return !mlirDialectIsNull(dialect) && toView(mlirDialectGetNamespace(dialect)) != "builtin";
}

nb::object Globals::lookupTypeCaster(MlirTypeID id, MlirDialect dialect) {
  if (nb::object caster = find(typeCasters, id.ptr); caster.is_valid())
    return caster;
  if (!mayRegisterCasters(dialect) || !loadDialectModule(toView(mlirDialectGetNamespace(dialect))))
    return {};
  return find(typeCasters, id.ptr);
}

nb::object Globals::lookupValueCaster(MlirTypeID id, MlirDialect dialect) {
  if (nb::object caster = find(valueCasters, id.ptr); caster.is_valid())
    return caster;
  if (!mayRegisterCasters(dialect) || !loadDialectModule(toView(mlirDialectGetNamespace(dialect))))
    return {};
  return find(valueCasters, id.ptr);
}

//===--- Bindings
//----------------------------------------------------------------------------------------------------===//

static void bindGlobalsClass(nb::module_ &m) {
  nb::class_<Globals> c(m, "_Globals", "State of the whole process.");
  c.def_prop_rw(
       "dialect_search_modules", [](Globals &self) { return self.dialectSearchPrefixes; },
       [](Globals &self, std::vector<std::string> prefixes) {
         self.dialectSearchPrefixes = std::move(prefixes);
         self.resetNegativeCache();
       },
       "Packages in which modules named like a dialect are searched.")
      .def(
          "append_dialect_search_prefix",
          [](Globals &self, std::string prefix) {
            self.dialectSearchPrefixes.push_back(std::move(prefix));
            self.resetNegativeCache();
          },
          nb::arg("module_name"), "Adds a package to `dialect_search_modules`.")
      .def(
          "_check_dialect_module_loaded",
          [](Globals &self, const std::string &ns) { return self.loadDialectModule(ns); }, nb::arg("dialect_namespace"))
      .def("_register_dialect_impl", &Globals::registerDialectClass, nb::arg("dialect_namespace"),
           nb::arg("dialect_class"))
      .def("_register_operation_impl", &Globals::registerOperationClass, nb::arg("operation_name"),
           nb::arg("operation_class"), nb::kw_only(), nb::arg("replace") = false);

  c.def("loc_tracebacks_enabled", [](Globals &) { return TracebackSettings::get().enabled; })
      .def("set_loc_tracebacks_enabled", [](Globals &, bool value) { TracebackSettings::get().enabled = value; })
      .def("loc_tracebacks_frame_limit", [](Globals &) { return TracebackSettings::get().frameLimit; })
      .def(
          "set_loc_tracebacks_frame_limit",
          [](Globals &, std::optional<int64_t> value) {
            constexpr size_t maximum = 512;
            if (value && *value < 0)
              throwPy(PyExc_ValueError, "the number of frames must not be negative");
            TracebackSettings::get().frameLimit = value ? std::min<size_t>(*value, maximum) : maximum;
          },
          nb::arg("value").none())
      .def("register_traceback_file_inclusion",
           [](Globals &, std::string file) { TracebackSettings::get().includedFiles.push_back(std::move(file)); })
      .def("register_traceback_file_exclusion",
           [](Globals &, std::string file) { TracebackSettings::get().excludedFiles.push_back(std::move(file)); });
}

/// A decorator from a function: `decorator(f) -> f`.
template <typename Function> static nb::object decorator(Function function) {
  return nb::cpp_function([function](nb::object object) -> nb::object {
    function(object);
    return object;
  });
}

namespace {
/// `AttrBuilder`: the registered builders, by ODS kind.
struct AttrBuilder {};
} // namespace

void mlir::xla::python::populateAttrBuilder(nb::module_ &m) {
  auto get = [](const std::string &kind) {
    nb::object builder = Globals::get().lookupAttributeBuilder(kind);
    if (!builder.is_valid())
      throwPy(PyExc_KeyError, "no attribute builder for '" + kind + "'");
    return builder;
  };
  nb::class_<AttrBuilder>(m, "AttrBuilder", "The functions that make attributes from Python values, by ODS kind.")
      .def_static(
          "contains", [](const std::string &kind) { return Globals::get().lookupAttributeBuilder(kind).is_valid(); },
          nb::arg("attribute_kind"), "Whether a builder is registered for the kind.")
      .def_static("get", get, nb::arg("attribute_kind"),
                  nb::sig("def get(attribute_kind: str) -> Callable[..., Attribute]"),
                  "The builder of the kind; KeyError if there is none.")
      .def_static(
          "insert",
          [](const std::string &kind, nb::object builder, bool replace) {
            Globals::get().registerAttributeBuilder(kind, std::move(builder), replace);
          },
          nb::arg("attribute_kind"), nb::arg("attr_builder"), nb::arg("replace") = false,
          nb::sig(
              "def insert(attribute_kind: str, attr_builder: Callable[..., Attribute], replace: bool = False) -> None"),
          "Registers a builder.");
}

void mlir::xla::python::populateGlobals(nb::module_ &m) {
  bindGlobalsClass(m);
  m.attr("globals") = nb::cast(&Globals::get(), nb::rv_policy::reference);

  m.def(
      "register_dialect",
      [](nb::type_object cls) -> nb::object {
        Globals::get().registerDialectClass(nb::cast<std::string>(cls.attr("DIALECT_NAMESPACE")), cls);
        return nb::object(cls);
      },
      nb::arg("dialect_class"), nb::sig("def register_dialect(dialect_class: type, /) -> type"),
      "Class decorator for the class of a dialect.");
  m.def(
      "register_operation",
      [](nb::type_object dialect, bool replace) {
        nb::object owner(dialect);
        return decorator([owner, replace](const nb::object &cls) {
          std::string name = nb::cast<std::string>(cls.attr("OPERATION_NAME"));
          Globals::get().registerOperationClass(name, cls, replace);
          // Dict-style access to the operations of a dialect: `ctx.dialects.func.FuncOp`.
          nb::setattr(owner, cls.attr("__name__"), cls);
        });
      },
      nb::arg("dialect_class"), nb::kw_only(), nb::arg("replace") = false,
      nb::sig(
          "def register_operation(dialect_class: type, *, replace: bool = False) -> Callable[[type[_T]], type[_T]]"),
      "Class decorator for the class of an operation of the dialect.");
  m.def(
      "register_op_adaptor",
      [](nb::type_object opClass, bool replace) {
        nb::object owner(opClass);
        return decorator([owner](const nb::object &cls) { nb::setattr(owner, "Adaptor", cls); });
      },
      nb::arg("op_class"), nb::kw_only(), nb::arg("replace") = false,
      nb::sig("def register_op_adaptor(op_class: type, *, replace: bool = False) -> Callable[[type[_T]], type[_T]]"),
      "Class decorator for the adaptor class of an operation.");
  m.def(
      MLIR_PYTHON_CAPI_TYPE_CASTER_REGISTER_ATTR,
      [](PyTypeID id, bool replace) {
        return decorator(
            [id, replace](const nb::object &caster) { Globals::get().registerTypeCaster(id.id, caster, replace); });
      },
      nb::arg("typeid"), nb::kw_only(), nb::arg("replace") = false,
      nb::sig("def register_type_caster(typeid: ir.TypeID, *, replace: bool = False) -> Callable[[Callable[[_T], _U]], "
              "Callable[[_T], _U]]"),
      "Decorator for what makes the Python object of a type or attribute.");
  m.def(
      MLIR_PYTHON_CAPI_VALUE_CASTER_REGISTER_ATTR,
      [](PyTypeID id, bool replace) {
        return decorator(
            [id, replace](const nb::object &caster) { Globals::get().registerValueCaster(id.id, caster, replace); });
      },
      nb::arg("typeid"), nb::kw_only(), nb::arg("replace") = false,
      nb::sig(
          "def register_value_caster(typeid: ir.TypeID, *, replace: bool = False) -> Callable[[Callable[[_T], _U]], "
          "Callable[[_T], _U]]"),
      "Decorator for what makes the Python object of a value of a type.");
  populateContextGlobals(m);
}
