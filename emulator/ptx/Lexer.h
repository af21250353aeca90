// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of PTX. An opcode with all its modifiers is one word, and so is a special register such as %tid.x.

#ifndef CUDA_EMU_PTX_LEXER_H
#define CUDA_EMU_PTX_LEXER_H

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace cuda_emu::ptx {

struct Token {
  enum Kind { Word, Number, String, Punctuation, End };
  Kind kind;
  llvm::StringRef text;
  unsigned line;
  bool is(llvm::StringRef other) const { return kind != String && text == other; }
};

/// Ends with a token End. Characters that cannot be are punctuation, for the parser to complain about.
std::vector<Token> tokenize(llvm::StringRef text);

} // namespace cuda_emu::ptx

#endif // CUDA_EMU_PTX_LEXER_H
