// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of programs on arrays of a device (mlir_xla/device_array.py). What comes from the host is copied there.

#include "mlir_xla/python/bindings/Devices.h"
#include "mlir_xla/python/bindings/Interruption.h"

#include "mlir_xla/dialect/Messages.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <nanobind/stl/shared_ptr.h>

namespace mlir::xla::python {
namespace {

/// The names of mlir_xla/device_array.py that calls need. Never destroyed.
struct Module {
  nb::object arrayClass, fromOthers, ndarray;

  static const Module &get() {
    static auto *module = [] {
      nb::module_ imported = nb::module_::import_("mlir_xla.device_array");
      return new Module{imported.attr("DeviceArray"), imported.attr("from_others"), ndarrayClass()};
    }();
    return *module;
  }
};

/// An argument: an array on a device, or one of the host.
struct Argument {
  std::shared_ptr<DeviceMemory> memory; // once it is there
  nb::object array;                     // that has the memory
  Borrowed borrowed;
  const void *onHost = nullptr;
};

std::string placeOf(size_t index) { return "argument " + std::to_string(index) + ": "; }

/// The array, if it is one on a device: ours, or one of another library in a new array of ours. Otherwise null.
nb::object arrayOnDevice(nb::handle given, size_t index) {
  const Module &module = Module::get();
  if (given.type().is(module.arrayClass))
    return nb::borrow(given);
  if (given.type().is(module.ndarray) || PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr()))
    return nb::object();
  nb::tuple arguments = nb::make_tuple(given, index);
  nb::object found =
      nb::steal(orStay([&] { return PyObject_Call(module.fromOthers.ptr(), arguments.ptr(), nullptr); }));
  if (!found)
    throw nb::python_error();
  return found.is_none() ? nb::object() : found;
}

/// The memory of an array that has to be of that type.
std::shared_ptr<DeviceMemory> memoryOf(nb::handle array, const ArrayType &type, size_t index) {
  nb::object memory = array.attr("_memory");
  if (memory.is_none())
    throw nb::value_error((placeOf(index) + "the array is gone: it was deleted or given away").c_str());
  nb::object dtype = array.attr("dtype"), shape = array.attr("shape"), strides = array.attr("strides");
  auto text = [](nb::handle object) { return std::string(nb::str(object).c_str()); };
  if (!dtype.equal(type.dtype) || !shape.equal(type.shape)) {
    auto described = [&](nb::handle dtype, nb::handle shape) {
      std::string name = text(dtype);
      return (StringRef("aeio").contains(name[0]) ? "an " : "a ") + name + " array of shape " + text(shape);
    };
    throw nb::type_error(
        (placeOf(index) + "expected " + described(type.dtype, type.shape) + ", got " + described(dtype, shape))
            .c_str());
  }
  auto result = nb::cast<std::shared_ptr<DeviceMemory>>(memory);
  if (!strides.equal(type.strides) || result->bytes < type.type.bytes) {
    auto described = [&](nb::handle strides) {
      return strides.is_none() ? "in row-major order" : "at the strides " + text(strides) + " in bytes";
    };
    std::string padded = type.type.padded.empty() ? "" : " with padding";
    throw nb::type_error((placeOf(index) + "the elements lie " + described(strides) + ", and the program wants them " +
                          described(type.strides) + padded + "; nothing is moved silently")
                             .c_str());
  }
  return result;
}

} // namespace

std::optional<nb::list> runOnDevice(const Executable &executable, const std::vector<ArrayType> &arguments,
                                    const std::vector<ArrayType> &results, nb::sequence arrays, nb::handle donate) {
  size_t count = arguments.size();
  std::unique_ptr<Argument[]> given(new Argument[count]);
  std::optional<Device> device;
  size_t first = 0;
  bool isShared = false; // with another library, which may free the memory once the call has returned
  for (size_t i = 0; i < count; ++i) {
    nb::object array = arrayOnDevice(arrays[i], i);
    if (!array)
      continue;
    isShared |= !array.is(arrays[i]);
    given[i].memory = memoryOf(array, arguments[i], i);
    given[i].array = std::move(array);
    const Device &own = given[i].memory->device;
    if (own.kind != executable.deviceKind().str())
      throw nb::type_error((placeOf(i) + "the array is on " + own.name() + ", and the program was compiled for " +
                            executable.deviceKind().str())
                               .c_str());
    if (device && device->device != own.device)
      throw nb::type_error((placeOf(i) + "the array is on " + own.name() + ", and argument " + std::to_string(first) +
                            " on " + device->name())
                               .c_str());
    if (!device) {
      device = own;
      first = i;
    }
  }
  if (!device)
    return std::nullopt;
  const Module &module = Module::get();
  for (size_t i = 0; i < count; ++i) {
    if (given[i].memory)
      continue;
    given[i].onHost = given[i].borrowed.read(arrays[i], arguments[i], i, module.ndarray);
    given[i].memory = std::make_shared<DeviceMemory>(*device, arguments[i].type.bytes, placeOf(i));
  }
  llvm::SmallVector<void *, 16> argumentPointers, resultPointers;
  std::vector<std::shared_ptr<DeviceMemory>> resultMemory;
  for (size_t i = 0; i < count; ++i)
    argumentPointers.push_back(given[i].memory->data);
  // A result takes the memory of an argument that is given away, if nobody else has it.
  resultMemory.resize(results.size());
  llvm::SmallDenseSet<size_t, 4> donated, reused;
  for (nb::handle index : donate)
    donated.insert(nb::cast<size_t>(index));
  for (auto [argument, result] : executable.mayAlias()) {
    const std::shared_ptr<DeviceMemory> &memory = given[argument].memory;
    bool isOurs = given[argument].array && given[argument].array.is(arrays[argument]) && !memory->isShared &&
                  memory->bytes == results[result].type.bytes && llvm::count(argumentPointers, memory->data) == 1;
    if (!isOurs || resultMemory[result] || !donated.contains(argument) || !reused.insert(argument).second)
      continue;
    resultMemory[result] = memory;
  }
  for (auto [i, memory] : llvm::enumerate(resultMemory)) {
    if (!memory)
      memory = std::make_shared<DeviceMemory>(*device, results[i].type.bytes, "result " + std::to_string(i) + ": ");
    resultPointers.push_back(memory->data);
  }
  std::string error;
  {
    LongWork work;
    for (size_t i = 0; i < count && error.empty(); ++i)
      if (given[i].onHost &&
          xla_rt_cuda_upload(device->device, given[i].memory->data, given[i].onHost, arguments[i].type.bytes))
        error = xla_rt_take_error();
    if (error.empty())
      error = executable.enqueue(device->device, argumentPointers, resultPointers,
                                 [&work] { return work.isInterrupted(); });
    if (error.empty() && isShared) {
      auto ask = [](void *work) -> int { return static_cast<LongWork *>(work)->isInterrupted(); };
      if (xla_rt_cuda_wait(device->device, ask, &work))
        error = "the program was interrupted";
      else if (const char *failure = xla_rt_take_error())
        error = failure;
    }
  }
  if (!error.empty()) {
    for (size_t argument : reused) // nobody knows what is in it
      given[argument].array.attr("delete")();
    throwRuntimeError(error);
  }
  for (nb::handle index : donate) {
    Argument &argument = given[nb::cast<size_t>(index)];
    if (argument.array)
      argument.array.attr("delete")();
  }
  nb::list outputs;
  for (auto [type, memory] : llvm::zip_equal(results, resultMemory))
    outputs.append(module.arrayClass(memory, type.shape, type.dtype, type.strides));
  return outputs;
}

} // namespace mlir::xla::python
