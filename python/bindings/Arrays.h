// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments and results of programs as arrays of NumPy.

#ifndef MLIR_XLA_PYTHON_BINDINGS_ARRAYS_H
#define MLIR_XLA_PYTHON_BINDINGS_ARRAYS_H

#include "mlir_xla/python/bindings/Bindings.h"

#include "mlir_xla/compiler/Compiler.h"

namespace mlir::xla::python {

/// NumPy's class of arrays.
nb::object ndarrayClass();

/// How an array of a BufferType looks to NumPy and to the buffer protocol.
struct ArrayType {
  BufferType type;
  nb::object dtype;
  nb::tuple shape;
  nb::object strides;  // in bytes; None if row-major
  nb::object layout;   // (minor_to_major, padded or None, padding or None); None if row-major
  const char *formats; // acceptable format characters; "" if the buffer protocol has none for the element type

  explicit ArrayType(const BufferType &type);

  /// An array on `memory`, which has a buffer.
  nb::object arrayOn(nb::handle ndarray, nb::handle memory) const;
  /// Whether a program can read the view as it is.
  bool matches(const Py_buffer &view) const;

private:
  /// Whether the elements of a view lie as the program wants them. Steps along dimensions of one element do not matter.
  bool liesAsWanted(const Py_buffer &view) const;
};

/// An argument for the time of a call.
struct Borrowed {
  Borrowed() = default;
  Borrowed(const Borrowed &) = delete;
  ~Borrowed() {
    if (view.obj)
      PyBuffer_Release(&view);
  }

  /// The address of its elements, which lie as the program wants them. TypeError if it is no array of the type.
  void *read(nb::handle argument, const ArrayType &type, size_t index, nb::handle ndarray);

private:
  /// Arrays of element types that the buffer protocol does not know, where they lie as the program wants them; null
  /// otherwise.
  void *readInPlace(nb::handle argument, const ArrayType &type);
  /// Strided arrays, DLPack, Python numbers.
  void *readThroughNumPy(nb::handle argument, const ArrayType &type, size_t index);

  Py_buffer view{};
  nb::object array; // a copy, or what keeps the elements of a view by other means
};

/// Memory of one result, from the runtime's cache; NumPy arrays refer to it through the buffer protocol.
struct ResultBuffer {
  void *data = nullptr;
  int64_t bytes = 0;

  explicit ResultBuffer(int64_t bytes);
  ResultBuffer(ResultBuffer &&other) noexcept : data(std::exchange(other.data, nullptr)), bytes(other.bytes) {}
  ~ResultBuffer();
};

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_ARRAYS_H
