// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices, their memory as Python objects, and programs that are run on it.

#ifndef MLIR_XLA_PYTHON_BINDINGS_DEVICES_H
#define MLIR_XLA_PYTHON_BINDINGS_DEVICES_H

#include "mlir_xla/python/bindings/Arrays.h"

#include "mlir_xla/runtime/cuda/xla_rt_cuda.h"

#include <optional>

namespace mlir::xla::python {

/// A GPU. There is one object of this for each, equal or not.
struct Device {
  std::string kind; // the backend whose programs run there
  xla_rt_cuda_device *device;

  int ordinal() const { return xla_rt_cuda_device_ordinal(device); }
  /// "cuda:0"
  std::string name() const { return kind + ":" + std::to_string(ordinal()); }
};

/// Memory on a device, which arrays, calls and tensors in other libraries share. Work that has been enqueued when it is
/// freed still has it.
class DeviceMemory {
public:
  /// MemoryError or RuntimeError if there is none.
  /// `where` begins the error if there is too little memory.
  DeviceMemory(const Device &device, int64_t bytes, const std::string &where = "");
  /// Memory of `owner`, which is kept.
  DeviceMemory(const Device &device, void *data, int64_t bytes, nb::object owner);
  DeviceMemory(const DeviceMemory &) = delete;
  ~DeviceMemory();

  const Device device;
  void *const data;
  const int64_t bytes;
  bool isShared = false; // other libraries may be using it on streams of their own

private:
  PyObject *owner = nullptr;
};

/// Throws the runtime's error: that of a custom call, of a signal, MemoryError or RuntimeError.
[[noreturn]] void throwRuntimeError(const std::string &error);

/// Runs a program on arguments of which at least one is in the memory of a device, where the results stay; no list if
/// none is. Arguments whose number is in `donate` are given away: their memory is free once the program has run.
std::optional<nb::list> runOnDevice(const Executable &executable, const std::vector<ArrayType> &arguments,
                                    const std::vector<ArrayType> &results, nb::sequence arrays, nb::handle donate);

void populateDevices(nb::module_ &compiler);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_DEVICES_H
