// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/python/bindings/Dlpack.h"

namespace mlir::xla::python {
namespace {

// DLPack's structures, as its specification has them (version 1.1).

struct Tensor {
  void *data;
  int32_t deviceType, deviceId;
  int32_t ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byteOffset;
};

struct Managed {
  static constexpr const char *name = "dltensor";
  Tensor tensor;
  void *context;
  void (*deleter)(Managed *);
};

struct ManagedVersioned {
  static constexpr const char *name = "dltensor_versioned";
  uint32_t major, minor;
  void *context;
  void (*deleter)(ManagedVersioned *);
  uint64_t flags;
  Tensor tensor;
};

constexpr int32_t kCuda = 2;

/// What a capsule's tensor points to.
template <typename M> struct Exported {
  M managed;
  std::shared_ptr<DeviceMemory> memory;
  std::vector<int64_t> shape, strides;
};

template <typename M>
nb::object capsuleOf(std::shared_ptr<DeviceMemory> memory, const std::vector<int64_t> &shape,
                     const std::vector<int64_t> &strides, int code, int bits, uint64_t flags) {
  auto *exported = new Exported<M>{{}, std::move(memory), shape, strides};
  M &managed = exported->managed;
  Tensor &tensor = managed.tensor;
  tensor.data = exported->memory->data;
  tensor.deviceType = kCuda;
  tensor.deviceId = exported->memory->device.ordinal();
  tensor.ndim = static_cast<int32_t>(shape.size());
  tensor.code = static_cast<uint8_t>(code);
  tensor.bits = static_cast<uint8_t>(bits);
  tensor.lanes = 1;
  tensor.shape = exported->shape.data();
  tensor.strides = exported->strides.data();
  managed.context = exported;
  managed.deleter = [](M *self) { delete static_cast<Exported<M> *>(self->context); };
  if constexpr (std::is_same_v<M, ManagedVersioned>) {
    managed.major = 1;
    managed.minor = 1;
    managed.flags = flags;
  }
  PyObject *capsule = PyCapsule_New(&managed, M::name, [](PyObject *capsule) {
    if (!PyCapsule_IsValid(capsule, M::name))
      return; // a consumer has it
    auto *unused = static_cast<M *>(PyCapsule_GetPointer(capsule, M::name));
    unused->deleter(unused);
  });
  if (!capsule) {
    delete exported;
    throw nb::python_error();
  }
  return nb::steal(capsule);
}

} // namespace

nb::object toDlpack(std::shared_ptr<DeviceMemory> memory, const std::vector<int64_t> &shape,
                    const std::optional<std::vector<int64_t>> &strides, int code, int bits, uint64_t flags,
                    bool isVersioned) {
  std::vector<int64_t> steps(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    steps[i - 1] = steps[i] * shape[i];
  if (strides)
    steps = *strides;
  return isVersioned ? capsuleOf<ManagedVersioned>(std::move(memory), shape, steps, code, bits, flags)
                     : capsuleOf<Managed>(std::move(memory), shape, steps, code, bits, flags);
}

} // namespace mlir::xla::python
