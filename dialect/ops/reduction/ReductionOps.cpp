// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers, shape rules and assembly of the reduction family.

#include "mlir_xla/dialect/Assembly.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/Regions.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/reduction/ReductionComputation.h"
#include "mlir_xla/dialect/ops/reduction/Window.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::xla;

//===- Shape rules ------------------------------------------------------------------------------------------------===//

/// Checks the operands that reduce and reduce_window have in common: N >= 1 arrays of equal dims and N scalars.
static LogicalResult checkArraysAndInits(std::optional<Location> loc, StringRef opName, StringRef family,
                                         ValueRange operands, ValueRange inputs, ValueRange inits) {
  std::string prefix = (family + "-C").str();
  if (operands.empty() || operands.size() % 2 != 0)
    return ConstraintError(loc, opName, prefix + "1")
           << "has " << counted(operands.size(), "operand") << " instead of N >= 1 arrays and N initial values";
  auto first = cast<RankedTensorType>(inputs[0].getType());
  for (auto [i, input, init] : llvm::enumerate(inputs, inits)) {
    auto type = cast<RankedTensorType>(input.getType());
    if (!areCompatibleDims(type.getShape(), first.getShape()))
      return ConstraintError(loc, opName, prefix + "2")
             << "dims of array " << i << " differ from those of array 0: " << type << " and " << first;
    if (!isScalar(init.getType(), type.getElementType()))
      return ConstraintError(loc, opName, prefix + "3")
             << "initial value " << i << " is " << init.getType() << " instead of a scalar " << type.getElementType();
  }
  return success();
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (failed(checkArraysAndInits(loc, getOperationName(), "Reduce", adaptor.getOperands(), adaptor.getInputs(),
                                 adaptor.getInitValues())))
    return failure();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(adaptor.getInputs()[0].getType()).getShape();
  llvm::BitVector reduced(shape.size());
  for (int64_t dim : adaptor.getDimensions()) {
    if (dim < 0 || dim >= static_cast<int64_t>(shape.size()))
      return ConstraintError(loc, getOperationName(), "Reduce-C5")
             << "dimension " << dim << " is outside of rank " << shape.size();
    if (reduced.test(dim))
      return ConstraintError(loc, getOperationName(), "Reduce-C5") << "dimension " << dim << " is listed twice";
    reduced.set(dim);
  }
  SmallVector<int64_t> dims;
  for (auto [i, size] : llvm::enumerate(shape))
    if (!reduced.test(i))
      dims.push_back(size);
  for (Type element : getElementTypes(adaptor.getInputs().getTypes()))
    types.push_back(RankedTensorType::get(dims, element));
  return success();
}

LogicalResult ReduceOp::verify() { return verifyInferredTypes(*this, "Reduce-C7"); }

LogicalResult ReduceOp::verifyRegions() {
  return verifyReductionComputation(*this, getBody(), "body", "Reduce-C4", getElementTypes(getInputs().getTypes()));
}

LogicalResult ReduceWindowOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  if (failed(checkArraysAndInits(loc, getOperationName(), "ReduceWindow", adaptor.getOperands(), adaptor.getInputs(),
                                 adaptor.getInitValues())))
    return failure();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(adaptor.getInputs()[0].getType()).getShape();
  auto window = getWindow(loc, getOperationName(), "ReduceWindow-C5", "ReduceWindow-C6", shape.size(),
                          {adaptor.getWindowDimensions(), adaptor.getWindowStrides(), adaptor.getPaddingAttr(),
                           adaptor.getBaseDilations(), adaptor.getWindowDilations()});
  if (failed(window))
    return failure();
  SmallVector<int64_t> dims;
  for (auto [size, dim] : llvm::zip_equal(shape, *window))
    dims.push_back(getWindowedSize(size, dim));
  for (Type element : getElementTypes(adaptor.getInputs().getTypes()))
    types.push_back(RankedTensorType::get(dims, element));
  return success();
}

LogicalResult ReduceWindowOp::verify() { return verifyInferredTypes(*this, "ReduceWindow-C7"); }

LogicalResult ReduceWindowOp::verifyRegions() {
  return verifyReductionComputation(*this, getBody(), "body", "ReduceWindow-C4",
                                    getElementTypes(getInputs().getTypes()));
}

LogicalResult SelectAndScatterOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                                   SmallVectorImpl<Type> &types) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  auto source = cast<RankedTensorType>(adaptor.getSource().getType());
  Type init = adaptor.getInitValue().getType();
  if (!isScalar(init, operand.getElementType()))
    return ConstraintError(loc, getOperationName(), "SelectAndScatter-C3")
           << "init_value is " << init << " instead of a scalar " << operand.getElementType();
  if (source.getElementType() != operand.getElementType())
    return ConstraintError(loc, getOperationName(), "SelectAndScatter-C3")
           << "element types of source and operand differ: " << source << " and " << operand;

  SmallVector<int64_t> ones(operand.getRank(), 1);
  auto window =
      getWindow(loc, getOperationName(), "SelectAndScatter-C4", "SelectAndScatter-C4", operand.getRank(),
                {adaptor.getWindowDimensions().value_or(ones), adaptor.getWindowStrides(), adaptor.getPaddingAttr()});
  if (failed(window))
    return failure();
  SmallVector<int64_t> dims;
  for (auto [size, dim] : llvm::zip_equal(operand.getShape(), *window))
    dims.push_back(getWindowedSize(size, dim));
  if (!areCompatibleDims(source.getShape(), dims))
    return ConstraintError(loc, getOperationName(), "SelectAndScatter-C1")
           << "source is " << source << " but the window has the positions "
           << RankedTensorType::get(dims, operand.getElementType());
  types.push_back(RankedTensorType::get(operand.getShape(), operand.getElementType()));
  return success();
}

LogicalResult SelectAndScatterOp::verify() { return verifyInferredTypes(*this, "SelectAndScatter-C5"); }

LogicalResult SelectAndScatterOp::verifyRegions() {
  Type element = elementTypeOf(getOperand());
  Type scalar = RankedTensorType::get({}, element);
  ReturnOp selected = getReturn(getSelect());
  if (!areCompatibleTypes(TypeRange({scalar, scalar}), getSelect().getArgumentTypes()) || !selected ||
      selected->getNumOperands() != 1 ||
      !isScalar(selected->getOperand(0).getType(), IntegerType::get(getContext(), 1)))
    return ConstraintError(getLoc(), getOperationName(), "SelectAndScatter-C2")
           << "select is (" << getSelect().getArgumentTypes() << ") -> ("
           << (selected ? TypeRange(selected->getOperandTypes()) : TypeRange()) << ") instead of (" << scalar << ", "
           << scalar << ") -> tensor<i1>";
  return verifyReductionComputation(*this, getScatter(), "scatter", "SelectAndScatter-C2", element);
}

//===- Scan -------------------------------------------------------------------------------------------------------===//

int64_t ScanOp::getCount() {
  if (std::optional<uint64_t> size = getScanDimSize())
    return *size;
  Value array = getInputs().empty() ? getOutputs().front() : getInputs().front();
  return cast<RankedTensorType>(array.getType()).getDimSize(getDimension());
}

LogicalResult ScanOp::verify() {
  auto error = [&](StringRef number) {
    return ConstraintError(getLoc(), getOperationName(), ("Scan-C" + number).str());
  };
  int64_t dimension = getDimension(), size = ShapedType::kDynamic;
  if (std::optional<uint64_t> given = getScanDimSize())
    size = *given;
  else if (getInputs().empty() && getOutputs().empty())
    return error("1") << "has neither inputs, outputs nor scan_dim_size: nothing says how often the body runs";
  for (Type array :
       llvm::concat<Type>(llvm::to_vector(getInputs().getTypes()), llvm::to_vector(getOutputs().getTypes()))) {
    auto type = cast<RankedTensorType>(array);
    if (dimension < 0 || dimension >= type.getRank())
      return error("1") << "dimension " << dimension << " is no dimension of " << type;
    if (!areCompatibleDims(type.getDimSize(dimension), size))
      return error("1") << "dimension " << dimension << " of " << type << " does not have the size " << size
                        << " of the others";
    if (ShapedType::isDynamic(size))
      size = type.getDimSize(dimension);
  }
  if (!areCompatibleTypes(getInits().getTypes(), getCarries().getTypes()))
    return error("3") << "carries values of types (" << getCarries().getTypes() << "), but inits are of types ("
                      << getInits().getTypes() << ")";
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  auto error = [&] { return ConstraintError(getLoc(), getOperationName(), "Scan-C2"); };
  auto addSlices = [&](TypeRange arrays, SmallVectorImpl<Type> &types) {
    for (Type array : arrays) {
      auto type = cast<RankedTensorType>(array);
      SmallVector<int64_t> dims(type.getShape());
      dims.erase(dims.begin() + getDimension());
      types.push_back(RankedTensorType::get(dims, type.getElementType()));
    }
  };
  SmallVector<Type> parameters, returned;
  addSlices(getInputs().getTypes(), parameters);
  addSlices(getOutputs().getTypes(), returned);
  llvm::append_range(parameters, getInits().getTypes());
  llvm::append_range(returned, getInits().getTypes());
  if (!areCompatibleTypes(parameters, getBody().getArgumentTypes()))
    return error() << "the body takes (" << getBody().getArgumentTypes() << ") instead of (" << TypeRange(parameters)
                   << ")";
  ReturnOp ret = getReturn(getBody());
  if (!ret || !areCompatibleTypes(returned, ret.getOperandTypes()))
    return error() << "the body returns (" << (ret ? TypeRange(ret.getOperandTypes()) : TypeRange()) << ") instead of ("
                   << TypeRange(returned) << ")";
  return success();
}

//===- Assembly ---------------------------------------------------------------------------------------------------===//

/// The op that the compact form `applies <op>` can stand for; null if the body has to be printed.
static Operation *getAppliedOp(ReduceOp reduce) {
  if (reduce.getInputs().size() != 1)
    return nullptr;
  Operation *op = getSingleBinaryOp(reduce.getBody());
  Type scalar = RankedTensorType::get({}, elementTypeOf(reduce.getInputs()[0]));
  auto isScalarType = [&](Type type) { return type == scalar; };
  bool plain =
      op && isa_and_present<XlaDialect>(op->getDialect()) && op->getNumRegions() == 0 && op->getAttrs().empty();
  if (!plain || !llvm::all_of(op->getOperandTypes(), isScalarType) ||
      !llvm::all_of(op->getResultTypes(), isScalarType) || !op->getBlock()->getTerminator()->getAttrs().empty())
    return nullptr;
  return op;
}

void ReduceOp::print(OpAsmPrinter &p) {
  p << '(';
  llvm::interleave(
      llvm::zip_equal(getInputs(), getInitValues()), p,
      [&](auto pair) { p << std::get<0>(pair) << " init: " << std::get<1>(pair); }, "), (");
  p << ')';
  Operation *applied = getAppliedOp(*this);
  if (applied)
    p << " applies " << applied->getName();
  p << " across dimensions = ";
  printDims(p, getDimensions());
  p.printOptionalAttrDict((*this)->getAttrs(), {"dimensions"});
  p << " : ";
  p.printFunctionalType(*this);
  if (applied)
    return;

  p.printNewline();
  p << " reducer";
  size_t count = getInputs().size();
  for (size_t i = 0; i < count; ++i) {
    p << '(';
    p.printRegionArgument(getBody().getArgument(i));
    p << ", ";
    p.printRegionArgument(getBody().getArgument(i + count));
    p << ") ";
  }
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  do {
    if (parser.parseLParen() || parser.parseOperand(inputs.emplace_back()) || parser.parseKeyword("init") ||
        parser.parseColon() || parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));

  std::optional<RegisteredOperationName> applied;
  SMLoc appliedLoc;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    appliedLoc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    applied = lookUpReducer(parser.getContext(), name);
    if (!applied)
      return parser.emitError(appliedLoc) << "'applies' names the unknown operation '" << name << "'";
  }

  Attribute dimensions;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") || parser.parseEqual() ||
      !(dimensions = DenseI64ArrayAttr::parse(parser, Type())) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  SmallVector<OpAsmParser::UnresolvedOperand> operands(inputs);
  operands.append(inits);
  if (parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  result.addAttribute(getDimensionsAttrName(result.name), dimensions);
  result.addTypes(type.getResults());
  Region *body = result.addRegion();

  if (applied) {
    auto input = dyn_cast<RankedTensorType>(type.getInput(0));
    if (inputs.size() != 1 || !input)
      return parser.emitError(appliedLoc, "'applies' needs exactly one array");
    OpBuilder builder(parser.getContext());
    buildSingleBinaryOp(builder, parser.getEncodedSourceLoc(appliedLoc), *body, *applied, input.getElementType());
    return success();
  }

  SmallVector<OpAsmParser::Argument> arguments(2 * inputs.size());
  if (parser.parseKeyword("reducer"))
    return failure();
  for (size_t i = 0; i < inputs.size(); ++i)
    if (parser.parseLParen() || parser.parseArgument(arguments[i], /*allowType=*/true) || parser.parseComma() ||
        parser.parseArgument(arguments[i + inputs.size()], /*allowType=*/true) || parser.parseRParen())
      return failure();
  return parser.parseRegion(*body, arguments);
}

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/reduction/ReductionOps.cpp.inc"

void XlaDialect::registerReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ops/reduction/ReductionOps.cpp.inc"
      >();
}
