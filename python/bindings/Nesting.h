// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A limit to how deep brackets nest in text that is to be parsed: MLIR's parsers recurse, and would exhaust the stack.

#ifndef MLIR_XLA_PYTHON_BINDINGS_NESTING_H
#define MLIR_XLA_PYTHON_BINDINGS_NESTING_H

#include "mlir_xla/python/bindings/IrCore.h"

namespace mlir::xla::python {

/// Far above what programs have. A thread's stack of 8 MiB holds several times as many levels of the parsers, the
/// verifier and the printer.
constexpr size_t maxNesting = 1000;

/// Where the first bracket stands that is nested deeper than `maxNesting`. Brackets in strings and comments, arrows
/// and bytecode do not count.
std::optional<size_t> findTooDeep(std::string_view text);

/// Reports a bracket that is nested too deep as an error at its line of `name`; false if there is one. Needs no GIL.
bool checkNesting(MlirContext ctx, std::string_view text, std::string_view name);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_NESTING_H
