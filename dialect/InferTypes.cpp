// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vocabulary of shape rules.

#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaDialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

ConstraintError::ConstraintError(std::optional<Location> loc, StringRef opName, StringRef constraint) {
  if (!loc)
    return;
  diagnostic.emplace(emitError(*loc));
  *diagnostic << "'" << opName << "' op [" << constraint << "] ";
}

//===- Element types ----------------------------------------------------------------------------------------------===//

unsigned mlir::xla::classOf(Type elementType) {
  if (!isXlaElementType(elementType))
    return 0;
  if (isa<ComplexType>(elementType))
    return kComplex;
  if (isa<FloatType>(elementType))
    return kFloat;
  if (elementType.isInteger(1))
    return kPred;
  return elementType.isUnsignedInteger() ? kUint : kSint;
}

std::string mlir::xla::describeClasses(unsigned classes) {
  SmallVector<StringRef> names;
  if (classes & kPred)
    names.push_back("PRED");
  if ((classes & kInt) == kInt)
    names.push_back("INT");
  else if (classes & kSint)
    names.push_back("SINT");
  else if (classes & kUint)
    names.push_back("UINT");
  if (classes & kFloat)
    names.push_back("FLOAT");
  if (classes & kComplex)
    names.push_back("COMPLEX");
  std::string text;
  for (auto [i, name] : llvm::enumerate(names))
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + name.str();
  return text;
}

Type mlir::xla::elementTypeOf(Type type) { return cast<ShapedType>(type).getElementType(); }
Type mlir::xla::elementTypeOf(Value value) { return elementTypeOf(value.getType()); }

Type mlir::xla::realTypeOf(Type elementType) {
  auto complex = dyn_cast<ComplexType>(elementType);
  return complex ? complex.getElementType() : elementType;
}

int64_t mlir::xla::bitWidthOf(Type elementType) {
  int64_t width = realTypeOf(elementType).getIntOrFloatBitWidth();
  return isa<ComplexType>(elementType) ? 2 * width : width;
}

//===- Shapes -----------------------------------------------------------------------------------------------------===//

std::optional<int64_t> mlir::xla::elementCount(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(count, size, count))
      return std::nullopt;
  return count;
}

bool mlir::xla::areCompatibleDims(int64_t lhs, int64_t rhs) {
  return lhs == rhs || ShapedType::isDynamic(lhs) || ShapedType::isDynamic(rhs);
}

bool mlir::xla::areCompatibleDims(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  return lhs.size() == rhs.size() && llvm::all_of(llvm::zip(lhs, rhs), [](auto dims) {
           return areCompatibleDims(std::get<0>(dims), std::get<1>(dims));
         });
}

bool mlir::xla::areSameShape(Type lhs, Type rhs) { return areCompatibleTypes(lhs, rhs); }

std::string mlir::xla::dimsToString(ArrayRef<int64_t> dims) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(dims, os, [&](int64_t dim) {
    if (ShapedType::isDynamic(dim))
      os << '?';
    else
      os << dim;
  });
  os << ']';
  return text;
}

RankedTensorType mlir::xla::tensorLike(RankedTensorType like, ArrayRef<int64_t> shape, Type elementType) {
  auto bounds = dyn_cast_or_null<BoundsAttr>(like.getEncoding());
  bool keep = bounds && shape.size() == bounds.getBounds().size() &&
              llvm::all_of(llvm::zip(shape, bounds.getBounds()), [](auto pair) {
                auto [size, bound] = pair;
                return ShapedType::isDynamic(bound) || ShapedType::isDynamic(size);
              });
  return RankedTensorType::get(shape, elementType, keep ? Attribute(bounds) : Attribute());
}

//===- Result types -----------------------------------------------------------------------------------------------===//

static bool isCompatible(Type lhs, Type rhs) {
  if (lhs == rhs)
    return true;
  if (auto tensor = dyn_cast<RankedTensorType>(lhs)) {
    auto other = dyn_cast<RankedTensorType>(rhs);
    return other && tensor.getElementType() == other.getElementType() &&
           areCompatibleDims(tensor.getShape(), other.getShape());
  }
  auto tuple = dyn_cast<TupleType>(lhs);
  auto other = dyn_cast<TupleType>(rhs);
  return tuple && other && areCompatibleTypes(tuple.getTypes(), other.getTypes());
}

bool mlir::xla::areCompatibleTypes(TypeRange inferred, TypeRange actual) {
  return llvm::equal(inferred, actual, isCompatible);
}

LogicalResult mlir::xla::verifyInferredTypes(InferTypeOpInterface op, StringRef constraint) {
  SmallVector<Type> inferred;
  Operation *operation = op;
  if (failed(op.inferReturnTypes(op->getContext(), op->getLoc(), operation->getOperands(),
                                 operation->getAttrDictionary(), operation->getPropertiesStorage(),
                                 operation->getRegions(), inferred)))
    return failure();
  if (op.isCompatibleReturnTypes(inferred, operation->getResultTypes()))
    return success();
  return ConstraintError(op->getLoc(), operation->getName().getStringRef(), constraint)
         << "result types " << operation->getResultTypes() << " differ from the inferred " << TypeRange(inferred);
}

LogicalResult mlir::xla::checkInferenceOperands(std::optional<Location> loc, StringRef opName, ValueRange operands,
                                                size_t minimum, bool exact, bool tensors) {
  // Without a location nothing is printed; the diagnostic would then convert to success.
  auto error = [&](const Twine &message) {
    if (loc)
      emitError(*loc) << "'" << opName << "' op " << message;
    return failure();
  };
  if (exact ? operands.size() != minimum : operands.size() < minimum)
    return error("expects " + Twine(exact ? "" : "at least ") + Twine(minimum) + " operands, but got " +
                 Twine(operands.size()));
  return tensors ? checkTensorOperands(loc, opName, operands.getTypes()) : success();
}

/// What a contract calls an array is neither a tuple nor a token: some name the rule themselves.
static StringRef arrayConstraint(StringRef opName) {
  return llvm::StringSwitch<StringRef>(opName)
      .Case("xla.convert", "ConvertElementType-C1")
      .Case("xla.bitcast_convert", "BitcastConvertType-C1")
      .Case("xla.get_dimension_size", "GetDimensionSize-C1")
      .Case("xla.select", "Select-C4")
      .Default("G-C5");
}

LogicalResult mlir::xla::checkTensorOperands(std::optional<Location> loc, StringRef opName, TypeRange types) {
  for (auto [i, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !isXlaElementType(tensor.getElementType()))
      return ConstraintError(loc, opName, arrayConstraint(opName))
             << "operand #" << i << " must be a ranked tensor of XLA elements, but got " << type;
    // Sparse tensors and the like, which lie in memory as nothing here expects.
    if (Attribute encoding = tensor.getEncoding(); encoding && !isa<LayoutAttr, BoundsAttr>(encoding))
      return ConstraintError(loc, opName, arrayConstraint(opName))
             << "operand #" << i << " has an encoding that is neither a layout nor bounds: " << type;
  }
  return success();
}
