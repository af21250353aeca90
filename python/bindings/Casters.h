// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nanobind casters: C handles (MlirType, MlirAttribute, MlirLocation, MlirValue) and references may be used directly as
// arguments and results of bound functions. Included by IrCore.h only.

#ifndef MLIR_XLA_PYTHON_BINDINGS_CASTERS_H
#define MLIR_XLA_PYTHON_BINDINGS_CASTERS_H

namespace mlir::xla::python {

/// The capsule of an object of another extension that was built for the same package prefix; null if it has none.
nb::object toCapsule(nb::handle object) noexcept;
/// The value of a Value or of an operation with one result; false (and no Python error) for anything else.
bool tryToValue(nb::handle object, MlirValue &value) noexcept;

} // namespace mlir::xla::python

namespace nanobind::detail {

template <typename T> struct type_caster<mlir::xla::python::Ref<T>> {
  NB_TYPE_CASTER(mlir::xla::python::Ref<T>, make_caster<T>::Name)
  bool from_python(handle src, uint32_t flags, cleanup_list *cleanup) noexcept {
    make_caster<T> caster;
    if (!caster.from_python(src, flags, cleanup))
      return false;
    value = mlir::xla::python::Ref<T>(caster.operator T *());
    return true;
  }
  static handle from_cpp(const mlir::xla::python::Ref<T> &src, rv_policy, cleanup_list *) noexcept {
    return src.object().release();
  }
};

/// C handles that a Python class wraps. `Wrapper` is the class, `handle` the function from it to the C handle.
#define MLIR_XLA_HANDLE_CASTER(Handle, Wrapper, member, fromCapsule, wrapFunction)                                     \
  template <> struct type_caster<Handle> {                                                                             \
    NB_TYPE_CASTER(Handle, make_caster<mlir::xla::python::Wrapper>::Name)                                              \
    bool from_python(handle src, uint32_t flags, cleanup_list *cleanup) noexcept {                                     \
      make_caster<mlir::xla::python::Wrapper> caster;                                                                  \
      if (caster.from_python(src, flags | (uint32_t)cast_flags::none_disallowed, cleanup)) {                           \
        auto *wrapper = caster.operator mlir::xla::python::Wrapper *();                                                \
        if (!wrapper)                                                                                                  \
          return false;                                                                                                \
        value = wrapper->member;                                                                                       \
        return true;                                                                                                   \
      }                                                                                                                \
      object capsule = mlir::xla::python::toCapsule(src);                                                              \
      if (!capsule.is_valid())                                                                                         \
        return false;                                                                                                  \
      value = fromCapsule(capsule.ptr());                                                                              \
      PyErr_Clear();                                                                                                   \
      return value.ptr != nullptr;                                                                                     \
    }                                                                                                                  \
    static handle from_cpp(Handle src, rv_policy, cleanup_list *) noexcept {                                           \
      try {                                                                                                            \
        return mlir::xla::python::wrapFunction(src).release();                                                         \
      } catch (python_error & error) {                                                                                 \
        error.restore();                                                                                               \
        return {};                                                                                                     \
      }                                                                                                                \
    }                                                                                                                  \
  };

MLIR_XLA_HANDLE_CASTER(MlirAttribute, PyAttribute, attr, mlirPythonCapsuleToAttribute, wrapAttribute)
MLIR_XLA_HANDLE_CASTER(MlirType, PyType, type, mlirPythonCapsuleToType, wrapType)
MLIR_XLA_HANDLE_CASTER(MlirLocation, PyLocation, loc, mlirPythonCapsuleToLocation, wrapLocation)
#undef MLIR_XLA_HANDLE_CASTER

/// A Value, or an operation with one result.
template <> struct type_caster<MlirValue> {
  NB_TYPE_CASTER(MlirValue, make_caster<mlir::xla::python::PyValue>::Name)
  bool from_python(handle src, uint32_t, cleanup_list *) noexcept { return mlir::xla::python::tryToValue(src, value); }
  static handle from_cpp(MlirValue src, rv_policy, cleanup_list *) noexcept {
    try {
      return mlir::xla::python::wrapValue(src).release();
    } catch (python_error &error) {
      error.restore();
      return {};
    }
  }
};

template <> struct type_caster<mlir::xla::python::DefaultCtx> {
  using Inner = make_caster<mlir::xla::python::Ctx>;
  NB_TYPE_CASTER(mlir::xla::python::DefaultCtx, Inner::Name)
  bool from_python(handle src, uint32_t flags, cleanup_list *cleanup) {
    if (src.is_none()) {
      value.ctx = mlir::xla::python::DefaultCtx::resolve();
      return true;
    }
    Inner caster;
    if (!caster.from_python(src, flags, cleanup))
      return false;
    value.ctx = mlir::xla::python::Ref<mlir::xla::python::Ctx>(caster.operator mlir::xla::python::Ctx *());
    return true;
  }
  static handle from_cpp(const mlir::xla::python::DefaultCtx &src, rv_policy, cleanup_list *) noexcept {
    return src.ctx.object().release();
  }
};

template <> struct type_caster<mlir::xla::python::DefaultLoc> {
  using Inner = make_caster<mlir::xla::python::PyLocation>;
  NB_TYPE_CASTER(mlir::xla::python::DefaultLoc, Inner::Name)
  bool from_python(handle src, uint32_t flags, cleanup_list *cleanup) {
    if (src.is_none()) {
      value.value = mlir::xla::python::DefaultLoc::resolve();
      return true;
    }
    Inner caster;
    if (!caster.from_python(src, flags, cleanup))
      return false;
    value.value = *caster.operator mlir::xla::python::PyLocation *();
    return true;
  }
  static handle from_cpp(const mlir::xla::python::DefaultLoc &src, rv_policy, cleanup_list *) noexcept {
    return mlir::xla::python::wrapLocation(src.value.loc).release();
  }
};

} // namespace nanobind::detail

#endif // MLIR_XLA_PYTHON_BINDINGS_CASTERS_H
