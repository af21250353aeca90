// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with text that MLIR's parsers do not survive: they recurse for every bracket until the stack is
// exhausted, and `array<index: ...>` makes them ask for the width of `index`. And what they have no word for: the marks
// that editors put before text.

#ifndef MLIR_XLA_DIALECT_STABLEHLO_TEXTCHECKS_H
#define MLIR_XLA_DIALECT_STABLEHLO_TEXTCHECKS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>
#include <string>

namespace mlir::xla {

/// Far above what programs have. A thread's stack of 8 MiB holds several times as many levels of the parsers, the
/// verifier and the printer.
constexpr size_t maxNesting = 1000;

struct TextProblem {
  size_t at; // position in the text
  std::string what;
};

/// A byte order mark, the first bracket that is nested deeper than `maxNesting`, or array of `index`. Brackets in
/// strings and comments, arrows and bytecode do not count.
std::optional<TextProblem> findProblem(llvm::StringRef text);

/// Line and column, from 1, of a position in the text.
std::pair<size_t, size_t> lineAndColumn(llvm::StringRef text, size_t at);

/// Such a problem of a tool's input as `name:line:column: error: ...`; empty if there is none.
std::string describeProblem(llvm::MemoryBufferRef input);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_STABLEHLO_TEXTCHECKS_H
