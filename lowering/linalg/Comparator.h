// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparators of sorts that order by keys.

#ifndef MLIR_XLA_LOWERING_LINALG_COMPARATOR_H
#define MLIR_XLA_LOWERING_LINALG_COMPARATOR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Region.h"

namespace mlir::xla {

/// How the elements of a key are ordered. The numbers are those of the runtime (`runtime/library/sort/SortKeys.h`).
enum class KeyOrder : int64_t {
  Unsigned = 0,
  Signed = 1,
  Total = 2,  // floats by their bits
  Number = 3, // floats by value: zeros are equal, and so are NaNs, which come last
};

/// A function of the elements at one position: an element comes before those with a greater key.
struct SortKey {
  Value value; // inside the comparator, computed from parameters of the first elements, the even ones
  KeyOrder order;
  bool descending;
};

/// The keys by which `comparator` orders, the most significant first: it holds if the first key that differs is smaller
/// (or, descending, greater). Fails, without an error, if it is not of that form.
FailureOr<SmallVector<SortKey>> readComparator(Region &comparator);

/// The parameters of `comparator` and the scalars from outside, other than constants, of which `value` is a function.
SmallVector<Value> getSortKeyInputs(Value value, Region &comparator);

/// The scalar form of `value`, which is computed in `comparator` from its parameters and from scalars of outside.
Value emitSortKey(OpBuilder &b, Value value, Region &comparator, function_ref<Value(Value)> lookup);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LINALG_COMPARATOR_H
