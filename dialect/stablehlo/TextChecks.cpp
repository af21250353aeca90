// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would crash MLIR's parsers, found in one pass over the text.

#include "mlir_xla/dialect/stablehlo/TextChecks.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <array>

using llvm::StringRef;
using namespace mlir::xla;

/// The position of the last character of the string that begins at `at`.
static size_t endOfString(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  return at;
}

/// True if the `<` at `at` is that of `array<index`.
static bool opensIndexArray(StringRef text, size_t at) {
  StringRef after = text.drop_front(at + 1).ltrim();
  return text.take_front(at).rtrim().ends_with("array") && after.consume_front("index") &&
         !(after.starts_with("_") || (!after.empty() && llvm::isAlnum(after.front())));
}

static bool mayHaveIndexArray(StringRef text) { return text.contains("array") && text.contains("index"); }

std::optional<TextProblem> mlir::xla::findProblem(StringRef text) {
  // The parser calls them unexpected characters, and nobody sees them.
  if (text.starts_with("\xEF\xBB\xBF"))
    return TextProblem{0, "the text begins with a byte order mark: save it without"};
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return TextProblem{0, "the text is UTF-16: save it as UTF-8"};
  bool mayHaveArray = mayHaveIndexArray(text);
  if ((text.size() <= maxNesting && !mayHaveArray) || mlir::isBytecode(llvm::MemoryBufferRef(text, "")))
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

std::pair<size_t, size_t> mlir::xla::lineAndColumn(StringRef text, size_t at) {
  StringRef before = text.take_front(at);
  return {before.count('\n') + 1, at - (before.rfind('\n') + 1) + 1};
}

std::string mlir::xla::describeProblem(llvm::MemoryBufferRef input) {
  std::optional<TextProblem> problem = findProblem(input.getBuffer());
  if (!problem)
    return "";
  auto [line, column] = lineAndColumn(input.getBuffer(), problem->at);
  return (input.getBufferIdentifier() + ":" + llvm::Twine(line) + ":" + llvm::Twine(column) +
          ": error: " + problem->what)
      .str();
}
