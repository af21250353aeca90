// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expands the ops of CHLO that have no counterpart.

#include "mlir_xla/dialect/stablehlo/ChloInput.h"

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::xla;

static constexpr StringLiteral broadcastPrefix = "broadcast_";

/// chlo.broadcast_add -> xla.add; none if the name is no such op's.
static std::optional<RegisteredOperationName> broadcastOp(StringRef name, MLIRContext *context) {
  static constexpr StringLiteral known[] = {"add",
                                            "and",
                                            "atan2",
                                            "compare",
                                            "complex",
                                            "divide",
                                            "maximum",
                                            "minimum",
                                            "multiply",
                                            "next_after",
                                            "or",
                                            "polygamma",
                                            "power",
                                            "remainder",
                                            "select",
                                            "shift_left",
                                            "shift_right_arithmetic",
                                            "shift_right_logical",
                                            "subtract",
                                            "xor",
                                            "zeta"};
  if (!name.consume_front("chlo.") || !name.consume_front(broadcastPrefix) || !llvm::is_contained(known, name))
    return std::nullopt;
  return RegisteredOperationName::lookup(("xla." + name).str(), context);
}

bool mlir::xla::isExpandedChloOp(StringRef name, MLIRContext *context) {
  return llvm::is_contained(
             {"chlo.is_inf", "chlo.is_pos_inf", "chlo.is_neg_inf", "chlo.constant_like", "chlo._asin_acos_kernel"},
             name) ||
         broadcastOp(name, context);
}

namespace {

class Expansion {
public:
  explicit Expansion(Operation *op) : op(op), b(op->getLoc(), op) {
    attributes.append(op->getAttrs());
    // Inherent attributes in the generic form sit in the properties.
    if (auto properties = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
      attributes.append(properties.getValue());
  }

  FailureOr<Value> run() {
    StringRef name = op->getName().getStringRef();
    if (op->getNumResults() != 1 || op->getNumRegions() != 0 || op->getNumSuccessors() != 0)
      return error() << "has one result and no regions";
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
      if (auto tensor = dyn_cast<RankedTensorType>(type); !tensor || !isXlaElementType(tensor.getElementType()))
        return error() << "takes and gives ranked tensors, not " << type;
    type = cast<RankedTensorType>(op->getResult(0).getType());
    if (std::optional<RegisteredOperationName> counterpart = broadcastOp(name, op->getContext()))
      return broadcast(*counterpart);
    if (op->getNumOperands() != 1)
      return error() << "takes one operand, not " << op->getNumOperands();
    x = op->getOperand(0);
    auto operand = cast<RankedTensorType>(x.getType());
    if (operand.getShape() != type.getShape())
      return error() << "has the result " << type << " of the operand " << operand;
    if (name == "chlo.constant_like")
      return constantLike();
    if (name == "chlo._asin_acos_kernel")
      return asinAcosKernel();
    return isInfinite(name);
  }

private:
  InFlightDiagnostic error() { return mlir::emitError(op->getLoc()) << "'" << op->getName().getStringRef() << "' op "; }

  Value full(RankedTensorType like, Attribute value) {
    auto scalar = RankedTensorType::get({}, like.getElementType());
    Value constant = ConstantOp::create(b, scalar, DenseElementsAttr::get(scalar, value));
    return like.getRank() == 0 ? constant : BroadcastInDimOp::create(b, like, constant, ArrayRef<int64_t>());
  }

  /// `value` in the dims of the result; null, after an error, if it does not fit.
  Value spread(Value value, ArrayRef<int64_t> dims) {
    auto from = cast<RankedTensorType>(value.getType());
    auto to = RankedTensorType::get(type.getShape(), from.getElementType());
    for (auto [d, size] : llvm::enumerate(from.getShape()))
      if (size != 1 && size != to.getDimSize(dims[d])) {
        error() << "cannot broadcast " << from << " to dims of " << type;
        return {};
      }
    return from == to ? value : BroadcastInDimOp::create(b, to, value, dims);
  }

  /// chlo.broadcast_add %x, %y  ->  xla.add of both in the dims of the result
  FailureOr<Value> broadcast(RegisteredOperationName counterpart) {
    unsigned count = counterpart.getStringRef() == SelectOp::getOperationName() ? 3 : 2;
    if (op->getNumOperands() != count)
      return error() << "takes " << counted(count, "operand") << ", not " << op->getNumOperands();
    int64_t rank = 0;
    for (Type operand : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
      auto tensor = cast<RankedTensorType>(operand);
      if (!tensor.hasStaticShape())
        return error() << "broadcasts " << tensor << ", whose dims are not known";
    }
    for (Type operand : op->getOperandTypes())
      rank = std::max(rank, cast<RankedTensorType>(operand).getRank());
    if (type.getRank() != rank)
      return error() << "has the result " << type << ", but operands of rank " << rank;
    std::optional<ArrayRef<int64_t>> given;
    if (Attribute attribute = attributes.erase("broadcast_dimensions")) {
      auto dims = dyn_cast<DenseI64ArrayAttr>(attribute);
      if (!dims)
        return error() << "has broadcast_dimensions that are no array of i64";
      given = dims.asArrayRef();
    }
    SmallVector<Value> operands;
    llvm::BitVector reached(rank);
    for (Value operand : op->getOperands()) {
      int64_t own = cast<RankedTensorType>(operand.getType()).getRank();
      SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(rank - own, rank));
      if (given && own < rank) {
        if (static_cast<int64_t>(given->size()) != own || !llvm::is_sorted(*given, std::less_equal<int64_t>()) ||
            llvm::any_of(*given, [&](int64_t dim) { return dim < 0 || dim >= rank; }))
          return error() << "has broadcast_dimensions [" << *given << "], which are not " << own
                         << " ascending dimensions of " << type;
        dims.assign(given->begin(), given->end());
      }
      operands.push_back(spread(operand, dims));
      if (!operands.back())
        return failure();
      for (auto [dim, size] : llvm::zip(dims, cast<RankedTensorType>(operand.getType()).getShape()))
        if (size == type.getDimSize(dim))
          reached.set(dim);
    }
    if (!reached.all())
      return error() << "has the result " << type << ", whose dimension " << reached.find_first_unset()
                     << " is that of no operand";
    OperationState state(op->getLoc(), counterpart, operands, TypeRange{type}, attributes);
    Operation *created = b.create(state);
    if (!created)
      return error() << "cannot be built as '" << counterpart.getStringRef() << "'";
    return created->getResult(0);
  }

  FailureOr<Value> constantLike() {
    Attribute value = attributes.get("value");
    Type element = type.getElementType();
    auto typed = dyn_cast_or_null<TypedAttr>(value);
    if (auto integer = dyn_cast_or_null<IntegerAttr>(value);
        integer && isa<IntegerType>(element) && integer.getValue().getBitWidth() == element.getIntOrFloatBitWidth())
      value = IntegerAttr::get(element, integer.getValue());
    else if (!isa_and_nonnull<FloatAttr>(value) || typed.getType() != element)
      return error() << "has no value of the type " << element;
    return full(type, value);
  }

  /// chlo.is_inf %x  ->  xla.compare EQ, (xla.abs %x), inf
  FailureOr<Value> isInfinite(StringRef name) {
    auto operand = cast<RankedTensorType>(x.getType());
    auto element = dyn_cast<FloatType>(operand.getElementType());
    if (!element || !type.getElementType().isInteger(1))
      return error() << "takes floats and gives predicates, not " << operand << " -> " << type;
    const llvm::fltSemantics &semantics = element.getFloatSemantics();
    if (!APFloat::semanticsHasInf(semantics))
      return full(type, b.getBoolAttr(false));
    if (name == "chlo.is_inf")
      x = AbsOp::create(b, operand, x);
    Value infinity = full(operand, FloatAttr::get(element, APFloat::getInf(semantics, name == "chlo.is_neg_inf")));
    OperationState state(op->getLoc(), CompareOp::getOperationName(), {x, infinity}, TypeRange{type});
    state.addAttribute("comparison_direction", ComparisonDirectionAttr::get(op->getContext(), ComparisonDirection::EQ));
    return b.create(state)->getResult(0);
  }

  /// With p + iq = acos(|re x| + i |im x|): cosh(q) * sin(p) + i |q|, which is Re sqrt(1 - x^2) + i |im asin(x)|.
  FailureOr<Value> asinAcosKernel() {
    auto element = dyn_cast<ComplexType>(type.getElementType());
    if (!element || x.getType() != type)
      return error() << "takes and gives complex numbers, not " << x.getType() << " -> " << type;
    auto real = RankedTensorType::get(type.getShape(), element.getElementType());
    auto apply = [&](StringRef name, Type result, ValueRange operands) {
      OperationState state(op->getLoc(), ("xla." + name).str(), operands, TypeRange{result});
      return b.create(state)->getResult(0);
    };
    auto magnitude = [&](StringRef part, Value of) { return apply("abs", real, apply(part, real, of)); };
    Value acos = apply("acos", type, apply("complex", type, {magnitude("real", x), magnitude("imag", x)}));
    Value imaginary = magnitude("imag", acos);
    Value product =
        apply("multiply", real, {apply("cosh", real, imaginary), apply("sine", real, apply("real", real, acos))});
    return apply("complex", type, {product, imaginary});
  }

  Operation *op;
  ImplicitLocOpBuilder b;
  NamedAttrList attributes;
  RankedTensorType type; // of the result
  Value x;               // the only operand
};

} // namespace

LogicalResult mlir::xla::expandChloOp(Operation *op) {
  FailureOr<Value> value = Expansion(op).run();
  if (failed(value))
    return failure();
  op->getResult(0).replaceAllUsesWith(*value);
  op->erase();
  return success();
}

ParseResult mlir::xla::parseChloScan(OpAsmParser &parser, OperationState &state) {
  state.name = OperationName(ScanOp::getOperationName(), parser.getContext());
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  SMLoc loc = parser.getCurrentLocation();
  int64_t dimension = 0;
  if (parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren) || parser.parseKeyword("inits") ||
      parser.parseOperandList(inits, OpAsmParser::Delimiter::Paren) || parser.parseKeyword("dimension") ||
      parser.parseEqual() || parser.parseInteger(dimension) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  FunctionType type;
  if (parser.parseRegion(*state.addRegion()) || parser.parseColonType(type))
    return failure();
  if (type.getNumResults() < inits.size())
    return parser.emitError(loc) << "has " << counted(type.getNumResults(), "result") << ", fewer than the "
                                 << counted(inits.size(), "carried value");
  SmallVector<OpAsmParser::UnresolvedOperand> operands(inputs);
  operands.append(inits);
  if (parser.resolveOperands(operands, type.getInputs(), loc, state.operands))
    return failure();
  Builder &b = parser.getBuilder();
  auto segments = [&](size_t first, size_t second) {
    return b.getDenseI32ArrayAttr({static_cast<int32_t>(first), static_cast<int32_t>(second)});
  };
  state.addAttribute("dimension", b.getI64IntegerAttr(dimension));
  state.addAttribute("operandSegmentSizes", segments(inputs.size(), inits.size()));
  state.addAttribute("resultSegmentSizes", segments(type.getNumResults() - inits.size(), inits.size()));
  state.addTypes(type.getResults());
  return success();
}
