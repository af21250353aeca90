// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How deep brackets nest in text, in one pass over it.

#include "mlir_xla/python/bindings/Nesting.h"

#include "mlir/Bytecode/BytecodeReader.h"
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

std::optional<size_t> mlir::xla::python::findTooDeep(std::string_view text) {
  if (text.size() <= maxNesting || mlir::isBytecode(llvm::MemoryBufferRef({text.data(), text.size()}, "")))
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
      return i;
    closers[depth++] = closer;
  }
  return std::nullopt;
}

bool mlir::xla::python::checkNesting(MlirContext ctx, std::string_view text, std::string_view name) {
  std::optional<size_t> at = findTooDeep(text);
  if (!at)
    return true;
  std::string_view before = text.substr(0, *at);
  size_t line = std::count(before.begin(), before.end(), '\n') + 1, column = *at - (before.rfind('\n') + 1) + 1;
  mlirEmitError(mlirLocationFileLineColGet(ctx, toRef(name), line, column),
                ("brackets are nested more than " + std::to_string(maxNesting) + " levels deep").c_str());
  return false;
}
