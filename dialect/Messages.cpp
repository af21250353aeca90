// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/Messages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

std::string mlir::xla::counted(int64_t count, StringRef noun) {
  std::string words = llvm::itostr(count) + " " + noun.str();
  if (count == 1)
    return words;
  if (!noun.ends_with("y"))
    return words + "s";
  words.pop_back();
  return words + "ies";
}

std::string mlir::xla::listed(TypeRange types) {
  if (types.empty())
    return "nothing";
  std::string words;
  llvm::raw_string_ostream stream(words);
  llvm::interleaveComma(types, stream, [&](Type type) { stream << "'" << type << "'"; });
  return words;
}

StringRef mlir::xla::closest(StringRef name, ArrayRef<StringRef> known) {
  auto letters = [](StringRef word) {
    std::string sorted = word.lower();
    llvm::sort(sorted);
    return sorted;
  };
  // One letter in four, or two that have changed places. Of several, the one that begins like the name.
  size_t most = std::max<size_t>(1, name.size() / 4);
  std::pair<size_t, size_t> best(name.size(), 0);
  StringRef found;
  for (StringRef candidate : known) {
    auto [inName, inCandidate] = std::mismatch(name.begin(), name.end(), candidate.begin(), candidate.end());
    std::pair<size_t, size_t> rank(name.edit_distance_insensitive(candidate), candidate.end() - inCandidate);
    if (rank.first == 2 && letters(name) == letters(candidate))
      rank = {1, 0};
    if (rank.first <= most && rank < best) {
      best = rank;
      found = candidate;
    }
  }
  return found;
}
