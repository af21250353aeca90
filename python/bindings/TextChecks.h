// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with text that MLIR's parsers do not survive: they recurse for every bracket until the stack is
// exhausted, and `array<index: ...>` makes them ask for the width of `index`.

#ifndef MLIR_XLA_PYTHON_BINDINGS_TEXTCHECKS_H
#define MLIR_XLA_PYTHON_BINDINGS_TEXTCHECKS_H

#include "mlir-c/IR.h"

#include <optional>
#include <string>
#include <string_view>

namespace mlir::xla::python {

/// Far above what programs have. A thread's stack of 8 MiB holds several times as many levels of the parsers, the
/// verifier and the printer.
constexpr size_t maxNesting = 1000;

struct TextProblem {
  size_t at; // position in the text
  std::string what;
};

/// The first bracket that is nested deeper than `maxNesting`, or array of `index`. Brackets in strings and comments,
/// arrows and bytecode do not count.
std::optional<TextProblem> findProblem(std::string_view text);

/// Reports such a problem as an error at its line of `name`; false if there is one. Needs no GIL.
bool checkText(MlirContext ctx, std::string_view text, std::string_view name);

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_TEXTCHECKS_H
