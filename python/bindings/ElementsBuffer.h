// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python buffers to and from the raw data of elements attributes. MLIR keeps elements row-major, each in whole bytes
// with zeros above the type's bits; only i1 may be packed, and is read and written one by one.

#ifndef MLIR_XLA_PYTHON_BINDINGS_ELEMENTSBUFFER_H
#define MLIR_XLA_PYTHON_BINDINGS_ELEMENTSBUFFER_H

#include "mlir_xla/python/bindings/IrCore.h"

namespace mlir::xla::python {

/// A C-contiguous Python buffer, held until the end of the scope.
class ContiguousBuffer {
public:
  /// Takes the object's own buffer, or a contiguous copy that NumPy makes: of strided and byte-swapped arrays, and of
  /// those whose dtype the buffer protocol cannot express (ml_dtypes), as bytes. Raises ValueError or BufferError.
  explicit ContiguousBuffer(nb::handle object);
  ContiguousBuffer(const ContiguousBuffer &) = delete;
  ~ContiguousBuffer();

  const void *data() const { return view.buf; }
  size_t size() const { return (size_t)view.len; }

  /// The shape of the array; the elements of `data` are fewer if `broadcast`.
  std::vector<int64_t> shape;
  /// The format character, after a complex one's `Z`; 0 for dtypes of ml_dtypes, which `dtypeName` then names.
  char format = 0;
  bool isComplex = false;
  std::string formatText, dtypeName;
  int64_t itemSize = 0;
  /// All elements are the same one (NumPy's zero strides) and only that one is in `data`.
  bool broadcast = false;

  /// The MLIR type of an element; null if there is none.
  MlirType elementType(MlirContext context, bool signless) const;

private:
  bool request(nb::handle object);
  void setFormat(const char *text);
  nb::object copy;
  Py_buffer view = {};
};

/// What `bf_getbuffer` of an elements attribute exports.
struct ElementsView {
  MlirType shapedType;
  const void *data;
  size_t size;
  bool splat;
  /// Set for dense attributes, whose i1 elements only the C API can read.
  MlirAttribute dense;
};

/// Fills a read-only `view` owned by `exporter`; sets a Python error and returns -1 if the element type has no format.
int exportBuffer(PyObject *exporter, Py_buffer *view, int flags, const ElementsView &elements);
void releaseBuffer(PyObject *exporter, Py_buffer *view);

/// The attribute as a NumPy array whose dtype the buffer protocol cannot express: ml_dtypes of MLIR's small types.
nb::object toExtendedArray(nb::handle exporter, const ElementsView &elements);

/// Bytes per element in the raw data, or 0 for element types that have none (strings, ...).
int64_t bytesPerElement(MlirType elementType);
int64_t numElements(MlirType shapedType);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_ELEMENTSBUFFER_H
