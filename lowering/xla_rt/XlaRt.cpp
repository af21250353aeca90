// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly and verification of the kernel contract.

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

#include "mlir_xla/lowering/xla_rt/XlaRtDialect.cpp.inc"

#include "mlir_xla/lowering/xla_rt/XlaRtEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "mlir_xla/lowering/xla_rt/XlaRtAttrs.cpp.inc"

void XlaRtDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mlir_xla/lowering/xla_rt/XlaRtAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/lowering/xla_rt/XlaRtOps.cpp.inc"
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

/// Null if `value` is what the attribute `name` holds on `op`, else what is wrong.
static const char *misuse(Operation *op, StringRef name, Attribute value) {
  if (name == XlaRtDialect::kTask)
    return isa<UnitAttr>(value) && isa<FunctionOpInterface>(op) ? nullptr : "is a mark of functions";
  if (name == XlaRtDialect::kNonEmpty)
    return isa<UnitAttr>(value) && isa<scf::ForOp>(op) ? nullptr : "is a mark of scf.for";
  if (name == XlaRtDialect::kArenaSize) {
    auto size = dyn_cast<IntegerAttr>(value);
    return size && size.getType().isInteger(64) && !size.getValue().isNegative() && isa<FunctionOpInterface>(op)
               ? nullptr
               : "is a number of bytes, an i64, on a function";
  }
  if (name == XlaRtDialect::kSignature) {
    auto type = dyn_cast<TypeAttr>(value);
    return type && isa<FunctionType>(type.getValue()) ? nullptr : "is a function type";
  }
  if (name == XlaRtDialect::kData) {
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    return global && !global.getValueOrNull() && global.getInitializerRegion().empty() && isa<ElementsAttr>(value)
               ? nullptr
               : "holds the elements of an external llvm.mlir.global";
  }
  if (name == XlaRtDialect::kUnread) {
    auto results = dyn_cast<DenseI64ArrayAttr>(value);
    bool valid = results && isa<DestinationStyleOpInterface>(op) &&
                 llvm::all_of(results.asArrayRef(), [&](int64_t i) { return i >= 0 && i < op->getNumResults(); });
    return valid ? nullptr : "is an array<i64> of numbers of results, on an op in destination style";
  }
  return "the dialect xla_rt does not have";
}

LogicalResult XlaRtDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name != kKernel && name != kImplementation) {
    if (const char *why = misuse(op, name, attribute.getValue()))
      return op->emitOpError("has the attribute '") << name << "', which " << why;
    return success();
  }
  auto wrong = [&](StringRef kind) {
    return op->emitOpError("has the attribute '") << name << "', which is no " << kind;
  };
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    return op->emitOpError("has the attribute '") << name << "', which is one of functions";
  if (name == kKernel) {
    auto kernel = dyn_cast<KernelAttr>(attribute.getValue());
    return kernel ? verifyKernel(function, kernel) : wrong("#xla_rt.kernel");
  }
  auto implementation = dyn_cast<ImplementationAttr>(attribute.getValue());
  if (!implementation)
    return wrong("#xla_rt.implementation");
  if (!kernelOf(function))
    return op->emitOpError("has an implementation and is no kernel: it has no attribute '") << kKernel << "'";
  return verifyImplementation(function, implementation);
}
