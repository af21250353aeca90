// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What shape rules are written with: errors that name the op, the violated constraint and the offending values; classes
// of element types; comparison of shapes; and the check of an op's result types against its shape rule.

#ifndef MLIR_XLA_DIALECT_INFERTYPES_H
#define MLIR_XLA_DIALECT_INFERTYPES_H

#include "mlir_xla/dialect/Traits.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include <optional>

namespace mlir::xla {

/// Emits `'xla.slice' op [Slice-C3] ` followed by what is streamed into the result. Shape rules run without an
/// operation (type inference) as well as with one (verification); `opName` names the op in both cases.
/// Returns a diagnostic that converts to failure().
class ConstraintError {
public:
  ConstraintError(std::optional<Location> loc, StringRef opName, StringRef constraint);
  template <typename T> ConstraintError &operator<<(T &&value) {
    if (diagnostic)
      *diagnostic << std::forward<T>(value);
    return *this;
  }
  operator LogicalResult() { return failure(); }
  template <typename T> operator FailureOr<T>() { return failure(); }

private:
  std::optional<InFlightDiagnostic> diagnostic;
};

//===- Element types ----------------------------------------------------------------------------------------------===//

/// The classes into which constraints sort element types; signless integers count as signed, `i1` is kPred only.
enum ElementClass : unsigned { kPred = 1, kSint = 2, kUint = 4, kFloat = 8, kComplex = 16, kInt = kSint | kUint };

/// The class of an XLA element type, 0 for any other type.
unsigned classOf(Type elementType);

/// `INT, FLOAT or COMPLEX`.
std::string describeClasses(unsigned classes);

/// The element type of a tensor; f32 for complex<f32>.
Type elementTypeOf(Value value);
Type elementTypeOf(Type type);
Type realTypeOf(Type elementType);

/// Bits of one element; two parts for complex types.
int64_t bitWidthOf(Type elementType);

//===- Shapes -----------------------------------------------------------------------------------------------------===//

/// The number of elements of a static shape; none if 64 bits do not hold it.
std::optional<int64_t> elementCount(ArrayRef<int64_t> shape);

/// Equality of dimension sizes, where `?` may turn out to be anything.
bool areCompatibleDims(int64_t lhs, int64_t rhs);
bool areCompatibleDims(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs);

/// Equality of tensor types: element type and dims, layout never takes part.
bool areSameShape(Type lhs, Type rhs);

/// Dims for a message: `[2, ?, 3]`.
std::string dimsToString(ArrayRef<int64_t> dims);

/// A tensor type of `shape` without layout. Bounds of `like` are kept where the rank allows.
RankedTensorType tensorLike(RankedTensorType like, ArrayRef<int64_t> shape, Type elementType);

//===- Result types -----------------------------------------------------------------------------------------------===//

/// Equality of types up to `?` dimensions and the encoding of tensors, which never takes part in an op's typing.
bool areCompatibleTypes(TypeRange inferred, TypeRange actual);

/// Re-runs the shape rule of `op` and reports result types that differ from it under `constraint`.
LogicalResult verifyInferredTypes(InferTypeOpInterface op, StringRef constraint);

/// Rejects operands that the adaptor of an op could not be asked about.
LogicalResult checkInferenceOperands(std::optional<Location> loc, StringRef opName, ValueRange operands, size_t minimum,
                                     bool exact, bool tensors);
template <typename Op> LogicalResult checkInferenceOperands(std::optional<Location> loc, ValueRange operands) {
  constexpr bool tensors = Op::template hasTrait<HasTensorOperands>();
  size_t minimum = 0;
  bool exact = true;
  if constexpr (Op::template hasTrait<OpTrait::OneOperand>())
    minimum = 1;
  else if constexpr (Op::template hasTrait<OpTrait::NOperands<2>::Impl>())
    minimum = 2;
  else if constexpr (Op::template hasTrait<OpTrait::NOperands<3>::Impl>())
    minimum = 3;
  else if constexpr (Op::template hasTrait<OpTrait::NOperands<4>::Impl>())
    minimum = 4;
  else if constexpr (Op::template hasTrait<OpTrait::NOperands<5>::Impl>())
    minimum = 5;
  else if constexpr (!Op::template hasTrait<OpTrait::ZeroOperands>()) {
    exact = false;
    if constexpr (Op::template hasTrait<OpTrait::AtLeastNOperands<1>::Impl>())
      minimum = 1;
    else if constexpr (Op::template hasTrait<OpTrait::AtLeastNOperands<2>::Impl>())
      minimum = 2;
    else if constexpr (Op::template hasTrait<OpTrait::AtLeastNOperands<3>::Impl>())
      minimum = 3;
  }
  return checkInferenceOperands(loc, Op::getOperationName(), operands, minimum, exact, tensors);
}

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_INFERTYPES_H
