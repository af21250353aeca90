// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of ops on constant elements. Splats stay splats whatever their size; other constants are only evaluated up
// to a size limit, so that folding neither takes long nor fills the module with data.

#ifndef MLIR_XLA_DIALECT_CONSTANTFOLDING_H
#define MLIR_XLA_DIALECT_CONSTANTFOLDING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/TypeUtilities.h"

#include <complex>
#include <optional>

namespace mlir::xla {

/// Larger results of non-splat constants are computed by the program, not by the compiler.
inline constexpr int64_t kFoldLimit = 64 * 1024;

using ComplexAPFloat = std::complex<APFloat>;

/// Whether APFloat computes in the format as the program would: formats without NaN, zero or a sign have no agreed
/// results.
bool hasUsualArithmetic(FloatType type);

/// `attr` as elements that may be evaluated: dense (not a resource), not empty, a splat or at most kFoldLimit elements.
DenseElementsAttr asFoldable(Attribute attr);

/// The value of every element of a splat, as APInt or APFloat; none if `attr` is anything else.
template <typename T> std::optional<T> splatOf(Attribute attr) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attr);
  using ElementType = std::conditional_t<std::is_same_v<T, APInt>, IntegerType, FloatType>;
  if (!elements || !elements.isSplat() || !isa<ElementType>(elements.getElementType()))
    return std::nullopt;
  return elements.getSplatValue<T>();
}

/// Integer splats of a given value, the value 1 for FLOAT as well.
bool isSplatZero(Attribute attr);    // integers and predicates
bool isSplatOne(Attribute attr);     // integers (not predicates) and floats
bool isSplatAllOnes(Attribute attr); // integers and predicates

/// A constant of `type` whose elements all are the integer `value`; for FLOAT and COMPLEX its conversion.
DenseElementsAttr splatInteger(Type type, int64_t value);

/// Is it the type of a tensor of static shape, without layout or bounds?
inline bool isPlainStatic(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.hasStaticShape() && !tensor.getEncoding();
}

/// `value` if it has exactly this type: what a fold may return as the result of an op.
inline OpFoldResult ifTyped(Value value, Type type) {
  return value.getType() == type ? OpFoldResult(value) : OpFoldResult();
}

/// What the functions below may return: a value, or an optional one where some elements have no answer.
template <typename T> struct FoldedElement {
  using type = T;
  static bool append(T value, SmallVectorImpl<T> &results) {
    results.push_back(std::move(value));
    return true;
  }
};
template <typename T> struct FoldedElement<std::optional<T>> {
  using type = T;
  static bool append(std::optional<T> value, SmallVectorImpl<T> &results) {
    if (value)
      results.push_back(std::move(*value));
    return value.has_value();
  }
};

/// Applies `fn` to every element. An element for which `fn` has no answer prevents folding.
template <typename In, typename Fn> DenseElementsAttr mapElements(Attribute operand, Type resultType, Fn fn) {
  using Out = FoldedElement<decltype(fn(std::declval<In>()))>;
  DenseElementsAttr elements = asFoldable(operand);
  auto type = cast<RankedTensorType>(resultType);
  if (!elements || !type.hasStaticShape())
    return {};
  SmallVector<typename Out::type> results;
  int64_t count = elements.isSplat() ? 1 : elements.getNumElements();
  results.reserve(count);
  auto it = elements.getValues<In>().begin();
  for (int64_t i = 0; i < count; ++i, ++it)
    if (!Out::append(fn(*it), results))
      return {};
  return DenseElementsAttr::get(type, ArrayRef(results));
}

/// Applies `fn` to every pair of elements.
template <typename In, typename Fn>
DenseElementsAttr zipElements(Attribute lhs, Attribute rhs, Type resultType, Fn fn) {
  using Out = FoldedElement<decltype(fn(std::declval<In>(), std::declval<In>()))>;
  DenseElementsAttr left = asFoldable(lhs), right = asFoldable(rhs);
  auto type = cast<RankedTensorType>(resultType);
  if (!left || !right || !type.hasStaticShape())
    return {};
  bool splat = left.isSplat() && right.isSplat();
  if (!splat && type.getNumElements() > kFoldLimit)
    return {};
  SmallVector<typename Out::type> results;
  auto leftIt = left.getValues<In>().begin(), rightIt = right.getValues<In>().begin();
  int64_t count = splat ? 1 : type.getNumElements();
  results.reserve(count);
  for (int64_t i = 0; i < count; ++i, ++leftIt, ++rightIt)
    if (!Out::append(fn(*leftIt, *rightIt), results))
      return {};
  return DenseElementsAttr::get(type, ArrayRef(results));
}

/// Calls `fn` with a value-less tag of the type (APInt, APFloat or ComplexAPFloat) that holds elements of
/// `elementType`.
template <typename T> struct ElementTag {
  using type = T;
};
template <typename Fn> DenseElementsAttr dispatchElementType(Type elementType, Fn fn) {
  if (isa<IntegerType>(elementType))
    return fn(ElementTag<APInt>());
  if (isa<FloatType>(elementType))
    return fn(ElementTag<APFloat>());
  return fn(ElementTag<ComplexAPFloat>());
}

/// Builds a constant of `type` by copying: `source(index)` says from which operand and which of its elements (a
/// row-major position) the element at `index` comes.
DenseElementsAttr copyElements(ArrayRef<DenseElementsAttr> operands, RankedTensorType type,
                               function_ref<std::pair<size_t, int64_t>(ArrayRef<int64_t> index)> source);

/// Row-major strides of a static shape.
SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_CONSTANTFOLDING_H
