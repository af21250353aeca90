// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler decides of a sort by keys: the parameters of the calls, which lowering/linalg/Sort.cpp writes.

#ifndef MLIR_XLA_RUNTIME_LIBRARY_SORT_SORTPLAN_H
#define MLIR_XLA_RUNTIME_LIBRARY_SORT_SORTPLAN_H

#include "mlir_xla/runtime/library/sort/SortKeys.h"

#include <cstddef>
#include <cstring>

namespace xla_rt {

/// An array that is permuted. Its source is a buffer, or -1 where it counts up from 0.
struct Array {
  int64_t source, bytes, result;
};

/// What the compiler has decided.
struct Plan {
  int64_t length;       // of a line
  int64_t stride;       // from an element of a line to the next one: the product of the dimensions behind
  int64_t lines;        // all lines
  int64_t linesPerItem; // of parallel work
  int64_t wordBytes;
  int64_t indexBits; // of the position in a word; 0 without
  int64_t lanes;     // so many lines are sorted together by a network; 0: one by one
  int64_t numKeys, numArrays;
  const Key *keys;
  const Array *arrays;

  /// Of what the compiler wrote.
  static Plan read(const int64_t *parameters) {
    Plan plan;
    memcpy(&plan, parameters, offsetof(Plan, keys));
    parameters += offsetof(Plan, keys) / sizeof(int64_t);
    plan.keys = reinterpret_cast<const Key *>(parameters);
    plan.arrays = reinterpret_cast<const Array *>(parameters + plan.numKeys * sizeof(Key) / sizeof(int64_t));
    return plan;
  }
  int64_t lineBegin(int64_t line) const { return line / stride * length * stride + line % stride; }
};

} // namespace xla_rt

#endif // MLIR_XLA_RUNTIME_LIBRARY_SORT_SORTPLAN_H
