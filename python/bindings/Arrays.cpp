// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/python/bindings/Arrays.h"

#include "mlir_xla/python/bindings/Interruption.h"
#include "mlir_xla/runtime/xla_rt.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::xla::python {

static nb::tuple tupleOf(const std::vector<int64_t> &numbers) {
  nb::list list;
  for (int64_t number : numbers)
    list.append(number);
  return nb::tuple(list);
}

/// NumPy's dtype of a name, or that of a type in ml_dtypes. Looked up once, and never destroyed: imports are slow, and
/// a program may have hundreds of arrays.
static nb::object dtypeNamed(const std::string &name, bool isBuiltin) {
  static auto *known = new llvm::StringMap<nb::object>;
  if (auto found = known->find(name); found != known->end())
    return found->second;
  nb::object given =
      isBuiltin ? nb::object(nb::str(name.c_str())) : nb::object(nb::module_::import_("ml_dtypes").attr(name.c_str()));
  nb::object dtype = nb::module_::import_("numpy").attr("dtype")(given);
  (*known)[name] = dtype;
  return dtype;
}

nb::object ndarrayClass() {
  static PyObject *known = nullptr; // not initialised by a call, in which another thread might wait for this one
  if (!known)
    known = nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();
  return nb::borrow(known);
}

ArrayType::ArrayType(const BufferType &type) : type(type) {
  struct Entry {
    const char *element, *dtype, *formats;
  };
  static constexpr Entry table[] = {
      {"i1", "bool", "?"},
      {"i8", "int8", "b"},
      {"i16", "int16", "h"},
      {"i32", "int32", "i"},
      {"i64", "int64", "lq"},
      {"ui8", "uint8", "B"},
      {"ui16", "uint16", "H"},
      {"ui32", "uint32", "I"},
      {"ui64", "uint64", "LQ"},
      {"f16", "float16", "e"},
      {"f32", "float32", "f"},
      {"f64", "float64", "d"},
      {"complex<f32>", "complex64", "Zf"},
      {"complex<f64>", "complex128", "Zd"},
      {"i2", "int2", ""},
      {"i4", "int4", ""},
      {"ui2", "uint2", ""},
      {"ui4", "uint4", ""},
      {"bf16", "bfloat16", ""},
  };
  std::string name;
  formats = "";
  for (const Entry &entry : table)
    if (type.element == entry.element) {
      name = entry.dtype;
      formats = entry.formats;
    }
  if (name.empty() && type.element.rfind("f", 0) == 0) { // f8E4M3FN -> float8_e4m3fn
    name = "float" + type.element.substr(1);
    if (size_t at = name.find('E'); at != std::string::npos)
      name.insert(at, "_");
    for (char &c : name)
      c = std::tolower(c);
  }
  dtype = dtypeNamed(name, /*isBuiltin=*/*formats != 0);
  shape = tupleOf(type.shape);
  strides = layout = nb::none();
  if (!type.isRowMajor()) {
    std::vector<int64_t> bytes = type.strides();
    for (int64_t &stride : bytes)
      stride *= type.elementBytes;
    strides = tupleOf(bytes);
    nb::object padded = type.padded.empty() ? nb::none() : nb::object(tupleOf(type.padded));
    nb::object padding = type.padding.empty() ? nb::none() : nb::object(nb::str(type.padding.c_str()));
    layout = nb::make_tuple(tupleOf(type.minorToMajor), padded, padding);
  }
}

nb::object ArrayType::arrayOn(nb::handle ndarray, nb::handle memory) const {
  return type.isRowMajor() ? ndarray(shape, dtype, memory) : ndarray(shape, dtype, memory, 0, strides);
}

bool ArrayType::liesAsWanted(const Py_buffer &view) const {
  if (type.isRowMajor())
    return true; // which was asked for
  if (!type.padded.empty())
    return false; // nobody knows whether there is memory for the padding
  std::vector<int64_t> wanted = type.strides();
  for (int i = 0; i < view.ndim; ++i)
    if (view.shape[i] > 1 && view.strides[i] != wanted[i] * type.elementBytes)
      return false;
  return true;
}

bool ArrayType::matches(const Py_buffer &view) const {
  if (!view.format || view.len != type.bytes || view.ndim != int(type.shape.size()) || !*formats)
    return false;
  const char *format = view.format;
  if (*format == '<' || *format == '=' || *format == '@')
    ++format;
  if (formats[0] == 'Z') {
    if (std::string_view(format) != formats)
      return false;
  } else if (!format[0] || format[1] || std::string_view(formats).find(format[0]) == std::string_view::npos) {
    return false;
  }
  for (int i = 0; i < view.ndim; ++i)
    if (view.shape[i] != type.shape[i])
      return false;
  if (!liesAsWanted(view))
    return false;
  return reinterpret_cast<uintptr_t>(view.buf) % type.elementBytes == 0;
}

namespace {
/// What `__array_struct__` points to: NumPy's array interface as a structure (its documentation has the layout).
struct ArrayInterface {
  static constexpr int kContiguous = 0x1, kAligned = 0x100, kNotSwapped = 0x200; // flags

  int two; // the version
  int rank;
  char kind;
  int elementBytes;
  int flags;
  Py_intptr_t *shape;
  Py_intptr_t *strides;
  void *data;
  PyObject *description;
};
} // namespace

void *Borrowed::readInPlace(nb::handle argument, const ArrayType &type) {
  if (!type.type.isRowMajor() || !argument.attr("dtype").is(type.dtype))
    return nullptr;
  nb::object capsule = argument.attr("__array_struct__");
  const auto *lies = static_cast<const ArrayInterface *>(PyCapsule_GetPointer(capsule.ptr(), /*name=*/nullptr));
  constexpr int wanted = ArrayInterface::kContiguous | ArrayInterface::kAligned | ArrayInterface::kNotSwapped;
  const std::vector<int64_t> &shape = type.type.shape;
  if (!lies)
    throw nb::python_error();
  if (lies->two != 2 || (lies->flags & wanted) != wanted ||
      !std::equal(shape.begin(), shape.end(), lies->shape, lies->shape + lies->rank))
    return nullptr;
  array = std::move(capsule);
  return lies->data;
}

void *Borrowed::read(nb::handle argument, const ArrayType &type, size_t index, nb::handle ndarray) {
  // What an array of another class means beside its elements, such as a mask, is not for the buffer protocol to say.
  if (*type.formats &&
      (argument.type().is(ndarray) || !PyObject_TypeCheck(argument.ptr(), (PyTypeObject *)ndarray.ptr()))) {
    int order = type.type.isRowMajor() ? PyBUF_C_CONTIGUOUS : PyBUF_STRIDES;
    if (PyObject_GetBuffer(argument.ptr(), &view, order | PyBUF_FORMAT) == 0) {
      if (type.matches(view))
        return view.buf;
      PyBuffer_Release(&view);
    } else {
      PyErr_Clear();
    }
  }
  if (!*type.formats && argument.type().is(ndarray))
    if (void *data = readInPlace(argument, type))
      return data;
  return readThroughNumPy(argument, type, index);
}

void *Borrowed::readThroughNumPy(nb::handle argument, const ArrayType &type, size_t index) {
  nb::object convert = nb::module_::import_("mlir_xla._arrays").attr("as_argument");
  nb::tuple given = nb::make_tuple(argument, type.dtype, type.shape, index);
  array = nb::steal(orStay([&] { return PyObject_Call(convert.ptr(), given.ptr(), nullptr); }));
  if (!array)
    throw nb::python_error();
  if (type.type.isRowMajor())
    array = nb::module_::import_("numpy").attr("require")(array, nb::none(), "CA"); // contiguous and aligned
  else
    array = nb::module_::import_("mlir_xla._arrays")
                .attr("in_memory")(array, type.strides, type.type.bytes, !type.type.padded.empty());
  nb::object interface = array.attr("__array_interface__");
  return reinterpret_cast<void *>(nb::cast<uintptr_t>(interface["data"][0]));
}

ResultBuffer::ResultBuffer(int64_t bytes) : data(xla_rt_alloc(bytes)), bytes(bytes) {}
ResultBuffer::~ResultBuffer() { xla_rt_free(data); }

} // namespace mlir::xla::python
