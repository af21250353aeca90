// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/python/bindings/Devices.h"

#include "mlir_xla/python/bindings/CustomCalls.h"
#include "mlir_xla/python/bindings/Dlpack.h"
#include "mlir_xla/python/bindings/Interruption.h"

#include "mlir_xla/compiler/CudaExecutable.h"

#include <nanobind/stl/shared_ptr.h>

namespace mlir::xla::python {

void throwRuntimeError(const std::string &error) {
  rethrowFromCustomCall();
  LongWork::rethrow();
  throwPy(xla_rt_out_of_memory() ? PyExc_MemoryError : PyExc_RuntimeError, error);
}

/// Of a call of the runtime that has failed.
[[noreturn]] static void throwRuntimeError() {
  const char *error = xla_rt_take_error();
  throwRuntimeError(error ? error : "unknown error");
}

static void *allocate(const Device &device, int64_t bytes, const std::string &where) {
  if (void *data = xla_rt_cuda_alloc(device.device, bytes))
    return data;
  std::string error = xla_rt_take_error();
  throwRuntimeError(xla_rt_out_of_memory() ? where + error : error);
}

DeviceMemory::DeviceMemory(const Device &device, int64_t bytes, const std::string &where)
    : device(device), data(allocate(device, bytes, where)), bytes(bytes) {}

DeviceMemory::DeviceMemory(const Device &device, void *data, int64_t bytes, nb::object owner)
    : device(device), data(data), bytes(bytes), owner(owner.release().ptr()) {}

DeviceMemory::~DeviceMemory() {
  if (!owner) {
    (isShared ? xla_rt_cuda_free_shared : xla_rt_cuda_free)(device.device, data);
    return;
  }
  if (isAboutToEnd())
    return;
  // Its owner does not know how long this device's stream needs it.
  auto wait = [&] {
    if (xla_rt_cuda_synchronize(device.device))
      xla_rt_take_error(); // the next call says it again
  };
  if (PyGILState_Check()) {
    nb::gil_scoped_release release;
    wait();
  } else {
    wait();
  }
  nb::gil_scoped_acquire gil;
  Py_DECREF(owner);
}

namespace {

int deviceCount(const std::string &kind) {
  int count = xla_rt_cuda_device_count(cudaLibrary(kind));
  if (count < 0)
    throwRuntimeError();
  return count;
}

Device openDevice(const std::string &kind, int ordinal) {
  xla_rt_cuda_device *device;
  {
    LongWork work; // seconds, the first time
    device = xla_rt_cuda_open(cudaLibrary(kind), ordinal);
  }
  if (!device)
    throwRuntimeError();
  return {kind, device};
}

/// Waits as programs of the host are waited for: signals and the end of Python end it.
void await(const Device &device) {
  int stopped;
  const char *error;
  {
    LongWork work;
    stopped = xla_rt_cuda_wait(
        device.device, [](void *work) -> int { return static_cast<LongWork *>(work)->isInterrupted(); }, &work);
    error = xla_rt_take_error();
  }
  if (stopped)
    throwRuntimeError("the wait was interrupted");
  if (error)
    throwRuntimeError(error);
}

void copyToDevice(const DeviceMemory &memory, uintptr_t from) {
  int failed;
  {
    LongWork work;
    failed = xla_rt_cuda_upload(memory.device.device, memory.data, reinterpret_cast<void *>(from), memory.bytes);
  }
  if (failed)
    throwRuntimeError();
}

void copyToHost(const DeviceMemory &memory, uintptr_t to) {
  Busy busy;
  await(memory.device);
  int failed;
  {
    LongWork work;
    failed = xla_rt_cuda_download(memory.device.device, reinterpret_cast<void *>(to), memory.data, memory.bytes);
  }
  if (failed)
    throwRuntimeError();
}

void releaseTo(DeviceMemory &memory, uintptr_t stream) {
  memory.isShared = true;
  if (xla_rt_cuda_release_to(memory.device.device, reinterpret_cast<void *>(stream)))
    throwRuntimeError();
}

void acquireFrom(const Device &device, uintptr_t stream) {
  if (xla_rt_cuda_acquire_from(device.device, reinterpret_cast<void *>(stream)))
    throwRuntimeError();
}

} // namespace

void populateDevices(nb::module_ &compiler) {
  nb::class_<Device>(compiler, "Device", "A GPU that programs run on.")
      .def_prop_ro(
          "kind", [](const Device &self) { return self.kind; }, "The target of programs that run there.")
      .def_prop_ro("ordinal", &Device::ordinal, "Its number among the devices of that kind.")
      .def_prop_ro(
          "name", [](const Device &self) { return std::string(xla_rt_cuda_device_name(self.device)); },
          "What its driver calls it.")
      .def_prop_ro(
          "compute_capability",
          [](const Device &self) {
            int number = xla_rt_cuda_compute_capability(self.device);
            return std::make_pair(number / 10, number % 10);
          },
          nb::sig("def compute_capability(self) -> tuple[int, int]"), "`(9, 0)` for an H100.")
      .def_prop_ro(
          "multiprocessors", [](const Device &self) { return xla_rt_cuda_multiprocessors(self.device); },
          "How many processors it has.")
      .def_prop_ro(
          "stream", [](const Device &self) { return reinterpret_cast<uintptr_t>(xla_rt_cuda_stream(self.device)); },
          "The CUstream in whose order programs run and arrays are copied.")
      .def("synchronize", await,
           "Waits for all that has been enqueued. RuntimeError if a kernel has failed; says which, at which line.")
      .def("acquire_from", acquireFrom, nb::arg("stream"),
           "What is enqueued from now on waits for what another CUstream has been given.")
      .def("__str__", &Device::name)
      .def("__repr__",
           [](const Device &self) {
             return "<Device " + self.name() + ": " + xla_rt_cuda_device_name(self.device) + ">";
           })
      .def("__hash__", [](const Device &self) { return std::hash<void *>()(self.device); })
      .def(
          "__eq__", [](const Device &self, const Device &other) { return self.device == other.device; },
          nb::is_operator());
  nb::class_<DeviceMemory>(compiler, "DeviceMemory", "Memory on a device, freed when nothing refers to it.")
      .def(nb::init<const Device &, int64_t>(), nb::arg("device"), nb::arg("nbytes"))
      .def_static(
          "of",
          [](const Device &device, uintptr_t address, int64_t bytes, nb::object owner) {
            return std::make_shared<DeviceMemory>(device, reinterpret_cast<void *>(address), bytes, owner);
          },
          nb::arg("device"), nb::arg("address"), nb::arg("nbytes"), nb::arg("owner"),
          "Memory of another object, which is kept as long.")
      .def_prop_ro("device", [](const DeviceMemory &self) { return self.device; })
      .def_prop_ro("address", [](const DeviceMemory &self) { return reinterpret_cast<uintptr_t>(self.data); })
      .def_ro("nbytes", &DeviceMemory::bytes)
      .def("upload", copyToDevice, nb::arg("address"), "Copies `nbytes` from the host, which may change them then.")
      .def("download", copyToHost, nb::arg("address"), "Waits for the device and copies `nbytes` to the host.")
      .def("release_to", releaseTo, nb::arg("stream"),
           "Another CUstream waits for what has been enqueued; from now on others use the memory, too.")
      .def("to_dlpack", toDlpack, nb::arg("shape"), nb::arg("strides"), nb::arg("code"), nb::arg("bits"),
           nb::arg("flags"), nb::arg("versioned"),
           nb::sig("def to_dlpack(self, shape: Sequence[int], strides: "
                   "Sequence[int] | None, code: int, bits: int, flags: int, versioned: bool) -> object"),
           "A capsule with a DLManagedTensor or a DLManagedTensorVersioned; strides in elements.");
  compiler.def("open_device", openDevice, nb::arg("kind"), nb::arg("ordinal"),
               "The device of a target, with that number. RuntimeError if there is none; says what is missing.");
  compiler.def("device_count", deviceCount, nb::arg("kind"),
               "How many devices a target has. RuntimeError if there is no driver for it.");
}

} // namespace mlir::xla::python
