// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// List-like views (results, operands, arguments, ...) with Python's indexing, slicing and concatenation. They read
// through to the IR, so that a view follows changes.

#ifndef MLIR_XLA_PYTHON_BINDINGS_SEQUENCES_H
#define MLIR_XLA_PYTHON_BINDINGS_SEQUENCES_H

#include "mlir_xla/python/bindings/IrCore.h"

namespace mlir::xla::python {

/// Runs `function` for a slot of the C API, which must not throw.
template <typename Result, typename Function> Result guardSlot(Result onError, Function &&function) noexcept {
  try {
    return function();
  } catch (nb::python_error &error) {
    error.restore();
  } catch (std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return onError;
}

/// Makes the class match sequence patterns, and isinstance(x, collections.abc.Sequence) hold.
inline void registerAbstract(nb::handle cls, const char *abstract) {
  nb::module_::import_("collections.abc").attr(abstract).attr("register")(cls);
}

/// A slice of the list that Derived describes by
///   static constexpr const char *className, *elementName;
///   nb::object element(intptr_t index);   // of the unsliced list; checks validity
/// Derived is copyable and starts with the whole list.
template <typename Derived> class Sequence {
public:
  explicit Sequence(intptr_t length) : length(length) {}

  intptr_t size() const { return length; }
  nb::object at(intptr_t index) { return derived().element(start + index * step); }

  /// The index into the unsliced list for a Python index; IndexError if it is out of range.
  intptr_t resolve(intptr_t index) const {
    if (index < 0)
      index += length;
    if (index < 0 || index >= length)
      throwPy(PyExc_IndexError, "index out of range");
    return start + index * step;
  }

  static nb::class_<Derived> bind(nb::module_ &m) {
    static PyType_Slot slots[] = {{Py_sq_length, (void *)lengthSlot},
                                  {Py_mp_length, (void *)lengthSlot},
                                  {Py_sq_item, (void *)itemSlot},
                                  {Py_mp_subscript, (void *)subscriptSlot},
                                  {0, nullptr}};
    static const std::string sig =
        std::string("class ") + Derived::className + "(collections.abc.Sequence[" + Derived::elementName + "])";
    nb::class_<Derived> c(m, Derived::className, nb::type_slots(slots), nb::sig(sig.c_str()));
    static const std::string addSig =
        std::string("def __add__(self, other: ") + Derived::className + ") -> list[" + Derived::elementName + "]";
    c.def(
        "__add__",
        [](Derived &self, Derived &other) {
          nb::list result;
          for (intptr_t i = 0; i != self.size(); ++i)
            result.append(self.at(i));
          for (intptr_t i = 0; i != other.size(); ++i)
            result.append(other.at(i));
          return result;
        },
        nb::sig(addSig.c_str()));
    registerAbstract(c, "Sequence");
    return c;
  }

private:
  Derived &derived() { return static_cast<Derived &>(*this); }

  static Py_ssize_t lengthSlot(PyObject *self) { return nb::inst_ptr<Derived>(self)->length; }

  static PyObject *itemSlot(PyObject *self, Py_ssize_t index) {
    auto *sequence = nb::inst_ptr<Derived>(self);
    // Iteration ends here: do not pay for a C++ exception.
    if (index < 0 || index >= sequence->length) {
      PyErr_SetString(PyExc_IndexError, "index out of range");
      return nullptr;
    }
    return guardSlot<PyObject *>(nullptr, [&] { return sequence->at(index).release().ptr(); });
  }

  static PyObject *subscriptSlot(PyObject *self, PyObject *subscript) {
    auto *sequence = nb::inst_ptr<Derived>(self);
    return guardSlot<PyObject *>(nullptr, [&]() -> PyObject * {
      if (PySlice_Check(subscript)) {
        Py_ssize_t from, to, stride;
        if (PySlice_Unpack(subscript, &from, &to, &stride) != 0)
          return nullptr;
        Derived slice = *sequence;
        slice.length = PySlice_AdjustIndices(sequence->length, &from, &to, stride);
        slice.start = sequence->start + from * sequence->step;
        slice.step = sequence->step * stride;
        return nb::cast(std::move(slice)).release().ptr();
      }
      if (!PyIndex_Check(subscript)) {
        PyErr_SetString(PyExc_TypeError, "expected integer or slice");
        return nullptr;
      }
      Py_ssize_t index = PyNumber_AsSsize_t(subscript, PyExc_IndexError);
      if (index == -1 && PyErr_Occurred())
        return nullptr;
      return sequence->derived().element(sequence->resolve(index)).release().ptr();
    });
  }

  intptr_t start = 0;
  intptr_t length;
  intptr_t step = 1;
};

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_SEQUENCES_H
