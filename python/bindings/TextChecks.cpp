// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would crash MLIR's parsers, found in one pass over the text.

#include "mlir_xla/python/bindings/TextChecks.h"

#include "mlir-c/Diagnostics.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <algorithm>
#include <array>

using namespace mlir::xla::python;

/// The position of the last character of the string that begins at `at`.
static size_t endOfString(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  return at;
}

/// True if the `<` at `at` is that of `array<index`.
static bool opensIndexArray(llvm::StringRef text, size_t at) {
  llvm::StringRef after = text.drop_front(at + 1).ltrim();
  return text.take_front(at).rtrim().ends_with("array") && after.consume_front("index") &&
         !(after.starts_with("_") || (!after.empty() && llvm::isAlnum(after.front())));
}

static bool mayHaveIndexArray(llvm::StringRef text) { return text.contains("array") && text.contains("index"); }

std::optional<TextProblem> mlir::xla::python::findProblem(std::string_view text) {
  bool mayHaveArray = mayHaveIndexArray(text);
  if ((text.size() <= maxNesting && !mayHaveArray) ||
      mlir::isBytecode(llvm::MemoryBufferRef({text.data(), text.size()}, "")))
    return std::nullopt;
  std::array<char, maxNesting> closers;
  size_t depth = 0;
  for (size_t i = 0, e = text.size(); i < e; ++i) {
    char c = text[i], next = i + 1 < e ? text[i + 1] : '\0', closer;
    switch (c) {
    case '"':
      i = endOfString(text, i);
      continue;
    case '/':
      if (next == '/')
        i = std::min(text.find('\n', i), e);
      continue;
    case '-':
      i += next == '>';
      continue;
    case '(':
      closer = ')';
      break;
    case '[':
      closer = ']';
      break;
    case '{':
      closer = '}';
      break;
    case '<':
      if (mayHaveArray && opensIndexArray(text, i))
        return TextProblem{i, "a dense array has integers or floats as elements, not 'index'"};
      closer = '>';
      break;
    case '>':
      // Elsewhere it compares.
      depth -= depth && closers[depth - 1] == '>';
      continue;
    case ')':
    case ']':
    case '}':
      // What is open within is a `<` that compares.
      while (depth && closers[depth - 1] == '>')
        --depth;
      depth -= depth && closers[depth - 1] == c;
      continue;
    default:
      continue;
    }
    if (depth == maxNesting)
      return TextProblem{i, "brackets are nested more than " + std::to_string(maxNesting) + " levels deep"};
    closers[depth++] = closer;
  }
  return std::nullopt;
}

bool mlir::xla::python::checkText(MlirContext ctx, std::string_view text, std::string_view name) {
  std::optional<TextProblem> problem = findProblem(text);
  if (!problem)
    return true;
  std::string_view before = text.substr(0, problem->at);
  size_t line = std::count(before.begin(), before.end(), '\n') + 1, column = problem->at - (before.rfind('\n') + 1) + 1;
  mlirEmitError(mlirLocationFileLineColGet(ctx, mlirStringRefCreate(name.data(), name.size()), line, column),
                problem->what.c_str());
  return false;
}
