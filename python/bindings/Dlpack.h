// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays on devices for other libraries, by DLPack.

#ifndef MLIR_XLA_PYTHON_BINDINGS_DLPACK_H
#define MLIR_XLA_PYTHON_BINDINGS_DLPACK_H

#include "mlir_xla/python/bindings/Devices.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <memory>

namespace mlir::xla::python {

/// A capsule that holds the memory until its consumer has done with it, on whatever thread.
nb::object toDlpack(std::shared_ptr<DeviceMemory> memory, const std::vector<int64_t> &shape,
                    const std::optional<std::vector<int64_t>> &strides, int code, int bits, uint64_t flags,
                    bool isVersioned);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_DLPACK_H
