// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly and verification of the kernel contract.

#include "mlir_xla/lowering/kernels/XlaRt.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

#include "mlir_xla/lowering/kernels/XlaRtDialect.cpp.inc"

#include "mlir_xla/lowering/kernels/XlaRtEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "mlir_xla/lowering/kernels/XlaRtAttrs.cpp.inc"

void XlaRtDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mlir_xla/lowering/kernels/XlaRtAttrs.cpp.inc"
      >();
}

KernelAttr mlir::xla::kernelOf(func::FuncOp function) {
  return function ? function->getAttrOfType<KernelAttr>(XlaRtDialect::kKernel) : KernelAttr();
}

ImplementationAttr mlir::xla::implementationOf(func::FuncOp function) {
  return function ? function->getAttrOfType<ImplementationAttr>(XlaRtDialect::kImplementation) : ImplementationAttr();
}

//===- Assembly ---------------------------------------------------------------------------------------------------===//

static ParseResult parseResultMemory(AsmParser &parser, ResultMemory &memory) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  if (keyword == "new")
    return success();
  if (keyword != "may_reuse" && keyword != "updates")
    return parser.emitError(loc, "expected 'new', 'may_reuse' or 'updates'");
  memory.kind = keyword == "updates" ? ResultMemory::Updates : ResultMemory::MayReuse;
  return parser.parseInteger(memory.argument);
}

Attribute ImplementationAttr::parse(AsmParser &parser, Type) {
  FlatSymbolRefAttr function;
  int64_t work = 1, cost = 0, scratch = 0;
  bool ordered = false;
  SmallVector<ResultMemory> results;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseAttribute(function))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return {};
    if (name == "ordered") {
      ordered = true;
      continue;
    }
    if (parser.parseEqual())
      return {};
    if (name == "results") {
      if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                         [&] { return parseResultMemory(parser, results.emplace_back()); }))
        return {};
      continue;
    }
    int64_t *number = name == "work" ? &work : name == "cost" ? &cost : name == "scratch" ? &scratch : nullptr;
    if (!number)
      return parser.emitError(at, "expected 'work', 'cost', 'scratch', 'ordered' or 'results'"), Attribute();
    if (parser.parseInteger(*number))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ImplementationAttr>(loc, parser.getContext(), function, work, cost, scratch, ordered,
                                               results);
}

void ImplementationAttr::print(AsmPrinter &printer) const {
  printer << '<' << getFunction();
  if (getWork() != 1)
    printer << ", work = " << getWork();
  if (getCost() != 0)
    printer << ", cost = " << getCost();
  if (getScratch() != 0)
    printer << ", scratch = " << getScratch();
  if (getOrdered())
    printer << ", ordered";
  if (llvm::any_of(getResults(), [](ResultMemory memory) { return memory.kind != ResultMemory::New; })) {
    printer << ", results = [";
    llvm::interleaveComma(getResults(), printer, [&](ResultMemory memory) {
      if (memory.kind == ResultMemory::New)
        printer << "new";
      else
        printer << (memory.kind == ResultMemory::Updates ? "updates " : "may_reuse ") << memory.argument;
    });
    printer << ']';
  }
  printer << '>';
}

//===- Verification -----------------------------------------------------------------------------------------------===//

LogicalResult KernelAttr::verify(function_ref<InFlightDiagnostic()> emitError, KernelKind kind,
                                 ArrayRef<int64_t> rows) {
  if (kind != KernelKind::Rows && !rows.empty())
    return emitError() << "a kernel of kind '" << stringifyKernelKind(kind) << "' has no rows";
  for (int64_t size : rows)
    if (size < 0)
      return emitError() << "the size " << size << " of a dimension of rows is negative";
  return success();
}

LogicalResult ImplementationAttr::verify(function_ref<InFlightDiagnostic()> emitError, FlatSymbolRefAttr, int64_t work,
                                         int64_t cost, int64_t scratch, bool, ArrayRef<ResultMemory> results) {
  auto number = [&](StringRef name, int64_t value) -> LogicalResult {
    if (value < 0)
      return emitError() << name << " is negative: " << value;
    return success();
  };
  if (failed(number("work", work)) || failed(number("cost", cost)) || failed(number("scratch", scratch)))
    return failure();
  for (auto [i, memory] : llvm::enumerate(results))
    for (auto [j, other] : llvm::enumerate(results.take_front(i)))
      if (memory.kind != ResultMemory::New && other.kind != ResultMemory::New && memory.argument == other.argument)
        return emitError() << "results " << j << " and " << i << " share the memory of argument " << memory.argument;
  return success();
}

static LogicalResult verifyKernel(func::FuncOp function, KernelAttr kernel) {
  auto isOperand = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? tensor.hasStaticShape() : type.isIntOrIndexOrFloat();
  };
  for (Type type : function.getArgumentTypes())
    if (!isOperand(type))
      return function.emitOpError("is a kernel with an argument of type ")
             << type << "; it takes tensors of static shape and scalars";
  for (Type type : function.getResultTypes())
    if (!isa<RankedTensorType>(type) || !isOperand(type))
      return function.emitOpError("is a kernel with a result of type ") << type << "; it gives tensors of static shape";
  for (Type type : function.getResultTypes()) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
    if (shape.size() < kernel.getRows().size() || shape.take_front(kernel.getRows().size()) != kernel.getRows())
      return function.emitOpError("is a kernel over rows [")
             << kernel.getRows() << "], but has a result of type " << type;
  }
  return success();
}

static LogicalResult verifyImplementation(func::FuncOp kernel, ImplementationAttr given) {
  if (!kernel.isExternal())
    return kernel.emitOpError("has an implementation and a body");
  if (given.getResults().size() > kernel.getNumResults())
    return kernel.emitOpError("has ") << kernel.getNumResults() << " results, but its implementation speaks of "
                                      << given.getResults().size();
  for (auto [i, memory] : llvm::enumerate(given.getResults())) {
    if (memory.kind == ResultMemory::New)
      continue;
    Type type = kernel.getResultTypes()[i];
    if (memory.argument >= kernel.getNumArguments())
      return kernel.emitOpError("has ") << kernel.getNumArguments() << " arguments; result " << i
                                        << " cannot be in the memory of argument " << memory.argument;
    if (kernel.getArgumentTypes()[memory.argument] != type)
      return kernel.emitOpError("has result ")
             << i << " of type " << type << " in the memory of argument " << memory.argument << " of type "
             << kernel.getArgumentTypes()[memory.argument];
  }
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(kernel, given.getFunction());
  if (!function)
    return kernel.emitOpError("has no implementation ") << given.getFunction();
  SmallVector<Type> inputs;
  Type pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  for (Type type : kernel.getArgumentTypes())
    inputs.push_back(isa<RankedTensorType>(type) ? pointer : type);
  inputs.append(kernel.getNumResults() + (given.getScratch() ? 1 : 0), pointer);
  inputs.append(2, IndexType::get(kernel.getContext()));
  auto expected = FunctionType::get(kernel.getContext(), inputs, {});
  if (function.getFunctionType() != expected)
    return function.emitOpError("implements the kernel @")
           << kernel.getName() << " and has the type " << function.getFunctionType() << " instead of " << expected;
  return success();
}

LogicalResult XlaRtDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto function = dyn_cast<func::FuncOp>(op);
  auto wrong = [&](StringRef kind) {
    return op->emitOpError("has the attribute '") << name << "', which is no " << kind;
  };
  if (!function)
    return op->emitOpError("has the attribute '") << name << "', which is one of functions";
  if (name == kKernel) {
    auto kernel = dyn_cast<KernelAttr>(attribute.getValue());
    return kernel ? verifyKernel(function, kernel) : wrong("#xla_rt.kernel");
  }
  if (name == kImplementation) {
    auto implementation = dyn_cast<ImplementationAttr>(attribute.getValue());
    if (!implementation)
      return wrong("#xla_rt.implementation");
    if (!kernelOf(function))
      return op->emitOpError("has an implementation and is no kernel: it has no attribute '") << kKernel << "'";
    return verifyImplementation(function, implementation);
  }
  return op->emitOpError("has the attribute '") << name << "', which the dialect xla_rt does not have";
}
