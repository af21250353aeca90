// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits the text into words, numbers, strings and single characters.

#include "Lexer.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace cuda_emu::ptx {

static bool startsWord(char c) { return llvm::isAlpha(c) || c == '_' || c == '$' || c == '%'; }
static bool continuesWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

std::vector<Token> tokenize(StringRef text) {
  std::vector<Token> tokens;
  tokens.reserve(text.size() / 4);
  size_t at = 0, size = text.size();
  unsigned line = 1;
  auto add = [&](Token::Kind kind, size_t end) {
    tokens.push_back({kind, text.slice(at, end), line});
    at = end;
  };
  while (at < size) {
    char c = text[at], next = at + 1 < size ? text[at + 1] : '\0';
    if (c == '\n') {
      ++line;
      ++at;
    } else if (llvm::isSpace(c) || c == '\0') {
      ++at;
    } else if (c == '/' && next == '/') {
      at = std::min(size, text.find('\n', at));
    } else if (c == '/' && next == '*') {
      size_t end = text.find("*/", at + 2);
      end = end == StringRef::npos ? size : end + 2;
      line += text.slice(at, end).count('\n');
      at = end;
    } else if (c == '"') {
      size_t end = text.find('"', at + 1);
      add(Token::String, end == StringRef::npos ? size : end + 1);
    } else if (llvm::isDigit(c)) {
      size_t end = at + 1;
      while (end < size && (llvm::isAlnum(text[end]) || text[end] == '.'))
        ++end;
      add(Token::Number, end);
    } else if (startsWord(c) || (c == '.' && startsWord(next))) {
      size_t end = at + 1;
      while (end < size) {
        char d = text[end], after = end + 1 < size ? text[end + 1] : '\0';
        if (continuesWord(d) || (d == '.' && continuesWord(after)))
          ++end;
        else if (d == ':' && after == ':')
          end += 2;
        else
          break;
      }
      add(Token::Word, end);
    } else {
      add(Token::Punctuation, at + 1);
    }
  }
  tokens.push_back({Token::End, StringRef(), line});
  return tokens;
}

} // namespace cuda_emu::ptx
