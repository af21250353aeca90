// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python buffers to and from the raw data of elements attributes; see the header.

#include "mlir_xla/python/bindings/ElementsBuffer.h"

#include <algorithm>
#include <cstring>

namespace mlir::xla::python {

//===--- Element types
//-----------------------------------------------------------------------------------------------===//

namespace {

struct ExtendedFloat {
  const char *dtype;
  bool (*isa)(MlirType);
  MlirType (*get)(MlirContext);
};
// NumPy's names of the dtypes in ml_dtypes that stand for MLIR's floats.
constexpr ExtendedFloat extendedFloats[] = {
    {"bfloat16", mlirTypeIsABF16, mlirBF16TypeGet},
    {"float8_e3m4", mlirTypeIsAFloat8E3M4, mlirFloat8E3M4TypeGet},
    {"float8_e4m3", mlirTypeIsAFloat8E4M3, mlirFloat8E4M3TypeGet},
    {"float8_e4m3b11fnuz", mlirTypeIsAFloat8E4M3B11FNUZ, mlirFloat8E4M3B11FNUZTypeGet},
    {"float8_e4m3fn", mlirTypeIsAFloat8E4M3FN, mlirFloat8E4M3FNTypeGet},
    {"float8_e4m3fnuz", mlirTypeIsAFloat8E4M3FNUZ, mlirFloat8E4M3FNUZTypeGet},
    {"float8_e5m2", mlirTypeIsAFloat8E5M2, mlirFloat8E5M2TypeGet},
    {"float8_e5m2fnuz", mlirTypeIsAFloat8E5M2FNUZ, mlirFloat8E5M2FNUZTypeGet},
    {"float8_e8m0fnu", mlirTypeIsAFloat8E8M0FNU, mlirFloat8E8M0FNUTypeGet},
    {"float6_e2m3fn", mlirTypeIsAFloat6E2M3FN, mlirFloat6E2M3FNTypeGet},
    {"float6_e3m2fn", mlirTypeIsAFloat6E3M2FN, mlirFloat6E3M2FNTypeGet},
    {"float4_e2m1fn", mlirTypeIsAFloat4E2M1FN, mlirFloat4E2M1FNTypeGet},
};

MlirType integerType(MlirContext context, unsigned width, bool isSigned, bool signless) {
  if (signless)
    return mlirIntegerTypeGet(context, width);
  return isSigned ? mlirIntegerTypeSignedGet(context, width) : mlirIntegerTypeUnsignedGet(context, width);
}

bool isBool(MlirType type) { return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1; }

/// The buffer protocol's format of an element type; null if it has none.
const char *formatOf(MlirType type) {
  if (mlirTypeIsAIndex(type))
    return "q";
  if (mlirTypeIsAF16(type))
    return "e";
  if (mlirTypeIsAF32(type))
    return "f";
  if (mlirTypeIsAF64(type))
    return "d";
  if (mlirTypeIsAComplex(type)) {
    MlirType element = mlirComplexTypeGetElementType(type);
    return mlirTypeIsAF32(element) ? "Zf" : mlirTypeIsAF64(element) ? "Zd" : nullptr;
  }
  if (!mlirTypeIsAInteger(type))
    return nullptr;
  bool isUnsigned = mlirIntegerTypeIsUnsigned(type);
  switch (mlirIntegerTypeGetWidth(type)) {
  case 1:
    return "?";
  case 8:
    return isUnsigned ? "B" : "b";
  case 16:
    return isUnsigned ? "H" : "h";
  case 32:
    return isUnsigned ? "I" : "i";
  case 64:
    return isUnsigned ? "Q" : "q";
  default:
    return nullptr;
  }
}

} // namespace

int64_t bytesPerElement(MlirType type) {
  if (mlirTypeIsAIndex(type))
    return 8;
  if (mlirTypeIsAComplex(type))
    return 2 * bytesPerElement(mlirComplexTypeGetElementType(type));
  if (mlirTypeIsAInteger(type))
    return (mlirIntegerTypeGetWidth(type) + 7) / 8;
  if (mlirTypeIsAFloat(type))
    return (mlirFloatTypeGetWidth(type) + 7) / 8;
  return 0;
}

int64_t numElements(MlirType shapedType) {
  int64_t count = 1;
  for (int64_t i = 0, e = mlirShapedTypeGetRank(shapedType); i < e; ++i)
    count *= mlirShapedTypeGetDimSize(shapedType, i);
  return count;
}

//===--- Import
//------------------------------------------------------------------------------------------------------===//

bool ContiguousBuffer::request(nb::handle object) {
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_ND | PyBUF_FORMAT) == 0)
    return true;
  PyErr_Clear();
  view = {};
  return false;
}

void ContiguousBuffer::setFormat(const char *text) {
  formatText = text ? text : "B";
  const char *code = formatText.c_str();
  if (*code && std::strchr("<=@|", *code))
    ++code;
  isComplex = *code == 'Z';
  code += isComplex;
  format = std::strlen(code) == 1 ? *code : 0;
}

ContiguousBuffer::ContiguousBuffer(nb::handle object) {
  bool swapped = false;
  if (PyObject_CheckBuffer(object.ptr()) && request(object)) {
    // Byte-swapped elements: NumPy converts them below.
    swapped = view.format && (view.format[0] == '>' || view.format[0] == '!') && view.itemsize > 1;
    if (!swapped) {
      setFormat(view.format);
      itemSize = view.itemsize;
      shape.assign(view.shape, view.shape + view.ndim);
      return;
    }
    PyBuffer_Release(&view);
    view = {};
  }
  if (!PyObject_CheckBuffer(object.ptr()) && !nb::hasattr(object, "__array__"))
    throw nb::next_overload();

  nb::module_ numpy = nb::module_::import_("numpy");
  nb::object array = numpy.attr("asarray")(object);
  for (nb::handle dim : array.attr("shape"))
    shape.push_back(nb::cast<int64_t>(dim));
  if (swapped)
    array = array.attr("astype")(array.attr("dtype").attr("newbyteorder")("="));

  nb::object strides = array.attr("strides");
  nb::list first;
  size_t count = 1;
  broadcast = true;
  for (size_t i = 0; i < shape.size(); ++i) {
    broadcast &= shape[i] == 1 || nb::cast<int64_t>(strides[i]) == 0;
    count *= shape[i];
    first.append(nb::slice(0, 1, 1));
  }
  broadcast &= count > 1;
  if (broadcast)
    array = array[nb::tuple(first)];
  array = numpy.attr("ascontiguousarray")(array);
  itemSize = nb::cast<int64_t>(array.attr("itemsize"));
  if (request(array)) {
    setFormat(view.format);
  } else {
    dtypeName = nb::cast<std::string>(array.attr("dtype").attr("name"));
    formatText = dtypeName;
    array = array.attr("reshape")(-1).attr("view")(numpy.attr("uint8"));
    if (!request(array))
      throwPy(PyExc_ValueError, "cannot read the bytes of an array of dtype " + dtypeName);
  }
  copy = array;
}

ContiguousBuffer::~ContiguousBuffer() {
  if (view.obj)
    PyBuffer_Release(&view);
}

MlirType ContiguousBuffer::elementType(MlirContext context, bool signless) const {
  if (isComplex) {
    if (format == 'f')
      return mlirComplexTypeGet(mlirF32TypeGet(context));
    return format == 'd' ? mlirComplexTypeGet(mlirF64TypeGet(context)) : MlirType{nullptr};
  }
  switch (format) {
  case 'f':
    return mlirF32TypeGet(context);
  case 'd':
    return mlirF64TypeGet(context);
  case 'e':
    return mlirF16TypeGet(context);
  case '?':
    return mlirIntegerTypeGet(context, 1);
  case 'b':
  case 'h':
  case 'i':
  case 'l':
  case 'q':
  case 'n':
    return integerType(context, 8 * itemSize, /*isSigned=*/true, signless);
  case 'B':
  case 'H':
  case 'I':
  case 'L':
  case 'Q':
  case 'N':
    return integerType(context, 8 * itemSize, /*isSigned=*/false, signless);
  }
  for (const ExtendedFloat &entry : extendedFloats)
    if (dtypeName == entry.dtype)
      return entry.get(context);
  for (unsigned width : {1, 2, 4})
    for (bool isSigned : {true, false})
      if (dtypeName == (isSigned ? "int" : "uint") + std::to_string(width))
        return integerType(context, width, isSigned, signless);
  return {nullptr};
}

//===--- Export
//------------------------------------------------------------------------------------------------------===//

namespace {

/// What a Py_buffer of ours points to.
struct Exported {
  std::vector<Py_ssize_t> shape, strides;
  std::vector<char> bytes;
};

/// i1 elements as one byte each, as NumPy has them.
std::vector<char> unpackBools(const ElementsView &elements, int64_t count) {
  std::vector<char> bytes(count);
  const char *data = static_cast<const char *>(elements.data);
  for (int64_t i = 0; i < count; ++i) {
    if (!mlirAttributeIsNull(elements.dense))
      bytes[i] = mlirDenseElementsAttrGetBoolValue(elements.dense, i);
    else if ((int64_t)elements.size >= count)
      bytes[i] = data[i] != 0;
    else
      bytes[i] = data[i / 8] >> (i % 8) & 1;
  }
  return bytes;
}

int bufferError(const std::string &message) {
  PyErr_SetString(PyExc_BufferError, message.c_str());
  return -1;
}

} // namespace

int exportBuffer(PyObject *exporter, Py_buffer *view, int flags, const ElementsView &elements) {
  view->obj = nullptr;
  MlirType elementType = mlirShapedTypeGetElementType(elements.shapedType);
  const char *format = formatOf(elementType);
  if (!format)
    return bufferError("unsupported data type for conversion to Python buffer: " + toString(elementType));
  if (flags & PyBUF_WRITABLE & ~PyBUF_FORMAT)
    return bufferError("attributes are read-only");

  auto exported = std::make_unique<Exported>();
  int64_t rank = mlirShapedTypeGetRank(elements.shapedType);
  for (int64_t i = 0; i < rank; ++i)
    exported->shape.push_back(mlirShapedTypeGetDimSize(elements.shapedType, i));
  int64_t count = numElements(elements.shapedType);
  int64_t itemSize = bytesPerElement(elementType);
  const void *data = elements.data;
  bool splat = elements.splat && count > 1;
  if (isBool(elementType)) {
    exported->bytes = unpackBools(elements, splat ? 1 : count);
    data = exported->bytes.data();
  }
  if (splat && (flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
    // The consumer does not know strides: repeat the element.
    std::vector<char> repeated(count * itemSize);
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(&repeated[i * itemSize], data, itemSize);
    exported->bytes = std::move(repeated);
    data = exported->bytes.data();
    splat = false;
  }
  exported->strides.assign(rank, 0);
  if (!splat) {
    Py_ssize_t stride = itemSize;
    for (int64_t i = rank - 1; i >= 0; --i) {
      exported->strides[i] = stride;
      stride *= exported->shape[i];
    }
  }

  static char empty = 0;
  view->buf = count ? const_cast<void *>(data) : &empty;
  view->len = count * itemSize;
  view->readonly = 1;
  view->itemsize = itemSize;
  view->format = flags & PyBUF_FORMAT ? const_cast<char *>(format) : nullptr;
  view->ndim = rank;
  view->shape = flags & PyBUF_ND ? exported->shape.data() : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? exported->strides.data() : nullptr;
  view->suboffsets = nullptr;
  view->internal = exported.release();
  view->obj = Py_NewRef(exporter);
  return 0;
}

void releaseBuffer(PyObject *, Py_buffer *view) { delete static_cast<Exported *>(view->internal); }

nb::object toExtendedArray(nb::handle exporter, const ElementsView &elements) {
  nb::module_ numpy = nb::module_::import_("numpy");
  MlirType elementType = mlirShapedTypeGetElementType(elements.shapedType);
  if (formatOf(elementType))
    return numpy.attr("asarray")(nb::steal(PyMemoryView_FromObject(exporter.ptr())));

  std::string dtypeName;
  bool isInteger = mlirTypeIsAInteger(elementType), isUnsigned = isInteger && mlirIntegerTypeIsUnsigned(elementType);
  unsigned width = isInteger ? mlirIntegerTypeGetWidth(elementType) : 0;
  if (width == 2 || width == 4)
    dtypeName = (isUnsigned ? "uint" : "int") + std::to_string(width);
  for (const ExtendedFloat &entry : extendedFloats)
    if (entry.isa(elementType))
      dtypeName = entry.dtype;
  if (dtypeName.empty())
    throwPy(PyExc_TypeError, "no NumPy dtype for elements of type " + toString(elementType));
  nb::object dtype = nb::module_::import_("ml_dtypes").attr(dtypeName.c_str());

  int64_t stored = elements.splat ? 1 : numElements(elements.shapedType);
  std::string bytes(static_cast<const char *>(elements.data), stored * bytesPerElement(elementType));
  if (isInteger && !isUnsigned)
    for (char &byte : bytes) // NumPy wants the sign in the upper bits.
      byte = (char)((signed char)(byte << (8 - width)) >> (8 - width));
  nb::object array = numpy.attr("frombuffer")(nb::bytes(bytes.data(), bytes.size()),
                                              numpy.attr(bytesPerElement(elementType) == 2 ? "uint16"
                                                         : isInteger && !isUnsigned        ? "int8"
                                                                                           : "uint8"));
  array = isInteger ? array.attr("astype")(dtype) : array.attr("view")(dtype);
  nb::list shape;
  for (int64_t i = 0, e = mlirShapedTypeGetRank(elements.shapedType); i < e; ++i)
    shape.append(mlirShapedTypeGetDimSize(elements.shapedType, i));
  if (elements.splat)
    return numpy.attr("broadcast_to")(array.attr("reshape")(nb::tuple()), nb::tuple(shape));
  return array.attr("reshape")(nb::tuple(shape));
}

} // namespace mlir::xla::python
