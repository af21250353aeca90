// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/python/bindings/CustomCalls.h"

#include "mlir_xla/python/bindings/Interruption.h"
#include "mlir_xla/runtime/xla_rt.h"

#include <map>
#include <optional>

namespace mlir::xla::python {
namespace {

// A program calls on the thread that runs it.
thread_local std::optional<nb::python_error> pending;

nb::tuple addressesOf(void **buffers, int64_t count) {
  nb::list addresses;
  for (int64_t i = 0; i < count; ++i)
    addresses.append(reinterpret_cast<uintptr_t>(buffers[i]));
  return nb::tuple(addresses);
}

int callPython(void *function, const xla_rt_custom_call_info *info) {
  CalledBack acquire;
  try {
    nb::tuple arguments = nb::make_tuple(info->config, info->signature, addressesOf(info->operands, info->num_operands),
                                         addressesOf(info->results, info->num_results));
    PyObject *result =
        orStay([&] { return PyObject_Call(static_cast<PyObject *>(function), arguments.ptr(), nullptr); });
    if (!result)
      throw nb::python_error();
    Py_DECREF(result);
    return 0;
  } catch (nb::python_error &error) {
    pending.emplace(std::move(error));
    return 1;
  }
}

void registerCustomCall(const std::string &target, nb::object function) {
  // Functions are kept for good: a program on another thread may be about to call one that is being replaced.
  PyObject *kept = function.is_none() ? nullptr : function.release().ptr();
  xla_rt_register_custom_call(target.c_str(), kept ? callPython : nullptr, kept);
}

} // namespace

void rethrowFromCustomCall() {
  if (!pending)
    return;
  nb::python_error error = std::move(*pending);
  pending.reset();
  throw error;
}

void populateCustomCalls(nb::module_ &compiler) {
  compiler.def(
      "register_custom_call", registerCustomCall, nb::arg("target"), nb::arg("function").none(),
      nb::sig("def register_custom_call(target: str, function: Callable[[str, str, tuple[int, ...], "
              "tuple[int, ...]], object] | None) -> None"),
      "Makes `function(config, signature, operands, results)` what `custom_call @target` runs; None removes "
      "it.\n\nThe signature is an MLIR function type; operands and results are the addresses of dense buffers. "
      "An exception ends the program and is raised where the program was called.");
  compiler.def("set_random_seed", &xla_rt_set_random_seed, nb::arg("seed"),
               "Makes random numbers of hidden state begin anew.");
}

} // namespace mlir::xla::python
