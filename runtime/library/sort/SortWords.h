// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words: unsigned integers of 4, 8 or 16 bytes that hold keys and, in their lowest bits, a position.

#ifndef MLIR_XLA_RUNTIME_LIBRARY_SORT_SORTWORDS_H
#define MLIR_XLA_RUNTIME_LIBRARY_SORT_SORTWORDS_H

#include "mlir_xla/runtime/library/sort/SortKeys.h"

namespace xla_rt {

using U128 = unsigned __int128;

struct PackArgs {
  const void *source;
  int64_t sourceStride; // in elements
  void *words;
  int64_t wordStride;
  int64_t length;
  const int64_t *permutation; // null: the elements as they come
  const Key *key;
  int64_t wordBytes, indexBits;
  int64_t firstIndex;   // the position of the first element
  bool isFirst, isLast; // of the keys in the word
  bool special;         // result: there are elements that are not what their key says, -0 or NaN
};
/// Makes words of elements, where these are or somewhere else, or appends a less significant key to those that are
/// there.
void packWords(PackArgs &args);

struct UnpackArgs {
  const void *words;
  int64_t wordStride;
  void *result;
  int64_t resultStride;
  int64_t length;
  const Key *key;
  int64_t wordBytes;
};
/// The elements whose keys words without positions are, where the words are or somewhere else.
void unpackWords(UnpackArgs &args);

struct GatherArgs {
  const void *words;
  int64_t wordStride, wordBytes, indexBits;
  const void *source; // null: the positions themselves
  void *result;
  int64_t stride, length, bytes;
};
/// The elements at the positions in words.
void gatherByWords(GatherArgs &args);

struct RestoreArgs {
  const void *source;
  void *result;
  int64_t stride, length;
  const Key *key;
};
/// Gives sorted zeros their signs back, and NaNs their bits, in the order in which they came, where there are elements
/// that are not what their key says.
void restoreSpecial(RestoreArgs &args);

struct NetworkArgs {
  void *words; // of each position `lanes` lines
  int64_t length, wordBytes;
};
/// Sorts lines that lie beside each other, one in each of 64 / wordBytes lanes.
void sortLanes(NetworkArgs &args);

/// Words that differ in their lowest `indexBits` only come, and stay, in the order of these.
void sortWords(void *words, int64_t length, int64_t wordBytes, int64_t indexBits);
/// The same with memory for as many others; which of the two has the sorted words then.
void *sortWords(void *words, void *other, int64_t length, int64_t wordBytes, int64_t indexBits);

} // namespace xla_rt

#endif // MLIR_XLA_RUNTIME_LIBRARY_SORT_SORTWORDS_H
