// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/stablehlo/ShardingInput.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/stablehlo/ForeignOps.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::xla;

static constexpr StringLiteral kMesh = "sdy.mesh", kConstraint = "sdy.sharding_constraint";

static constexpr StringLiteral kUnsupported = "is not supported: a program runs on one device here";

/// Skips what follows an opening bracket up to its end: `["x"], {?}p1, replicated = {"y":(1)2}>`. The last bracket is
/// `parseEnd`'s.
static ParseResult skipBody(AsmParser &parser, function_ref<ParseResult()> parseOptionalEnd) {
  std::string text;
  StringAttr symbol;
  StringRef keyword;
  APInt integer;
  while (failed(parseOptionalEnd())) {
    OptionalParseResult parsedInteger;
    if (succeeded(parser.parseOptionalLess())) {
      if (skipBody(parser, [&] { return parser.parseOptionalGreater(); }))
        return failure();
    } else if (succeeded(parser.parseOptionalLSquare())) {
      if (skipBody(parser, [&] { return parser.parseOptionalRSquare(); }))
        return failure();
    } else if (succeeded(parser.parseOptionalLBrace())) {
      if (skipBody(parser, [&] { return parser.parseOptionalRBrace(); }))
        return failure();
    } else if (succeeded(parser.parseOptionalLParen())) {
      if (skipBody(parser, [&] { return parser.parseOptionalRParen(); }))
        return failure();
    } else if (failed(parser.parseOptionalComma()) && failed(parser.parseOptionalEqual()) &&
               failed(parser.parseOptionalColon()) && failed(parser.parseOptionalQuestion()) &&
               failed(parser.parseOptionalString(&text)) && failed(parser.parseOptionalSymbolName(symbol)) &&
               failed(parser.parseOptionalKeyword(&keyword)) &&
               !(parsedInteger = parser.parseOptionalInteger(integer)).has_value()) {
      return parser.emitError(parser.getCurrentLocation(), "cannot read this sharding");
    } else if (parsedInteger.has_value() && failed(*parsedInteger)) {
      return failure();
    }
  }
  return success();
}

static ParseResult skipAngles(AsmParser &parser) {
  return failure(parser.parseLess() || skipBody(parser, [&] { return parser.parseOptionalGreater(); }));
}

/// sdy.mesh @mesh = <["x"=2]>
/// sdy.sharding_constraint %x <@mesh, [{"x"}, {}]> : tensor<4x3xf32>
static ParseResult parseSdyOp(OpAsmParser &parser, OperationState &state) {
  StringRef name = state.name.getStringRef();
  if (name == kMesh) {
    StringAttr symbol;
    return failure(parser.parseSymbolName(symbol) || parser.parseEqual() || skipAngles(parser) ||
                   parser.parseOptionalAttrDict(state.attributes));
  }
  if (name == kConstraint) {
    OpAsmParser::UnresolvedOperand operand;
    Type type;
    if (parser.parseOperand(operand) || skipAngles(parser) || parser.parseOptionalAttrDict(state.attributes) ||
        parser.parseColonType(type))
      return failure();
    state.addTypes(type);
    return parser.resolveOperand(operand, type, state.operands);
  }
  return parser.emitError(parser.getNameLoc(), kUnsupported);
}

/// Whether `op` is one whose result is its operand on one device; reports one that cannot be that.
static FailureOr<bool> isIdentity(Operation *op) {
  std::string target;
  if (auto call = dyn_cast<CustomCallOp>(op)) {
    // Not verified yet: it may be missing.
    StringAttr attribute = call.getCallTargetNameAttr();
    StringRef name = attribute ? attribute.getValue() : StringRef();
    if (name != "Sharding" && name != "SPMDFullToShardShape" && name != "SPMDShardToFullShape")
      return false;
    target = (" of @" + name).str();
  } else if (op->getName().getStringRef() != kConstraint) {
    return false;
  }
  if (op->getNumOperands() == 1 && op->getOperandTypes() == op->getResultTypes())
    return true;
  return op->emitError() << "'" << op->getName().getStringRef() << "'" << target << " from (" << op->getOperandTypes()
                         << ") to (" << op->getResultTypes() << ") " << kUnsupported;
}

static LogicalResult verifySdyOp(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == kMesh)
    return success();
  if (name != kConstraint)
    return op->emitError() << "'" << name << "' " << kUnsupported;
  return isIdentity(op);
}

namespace {
/// Its ops are not registered: they hold any attributes until they are dropped.
struct ShardyDialect : Dialect {
  explicit ShardyDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<ShardyDialect>()), verifier(verifySdyOp) {
    allowUnknownOperations();
  }
  static constexpr StringLiteral getDialectNamespace() { return "sdy"; }

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    // A ParseOpHook refers to its function, which must outlive the call: a static function does.
    static const auto hook = parseSdyOp;
    return ParseOpHook(hook);
  }
  void *getRegisteredInterfaceForOp(TypeID interface, OperationName name) override {
    return verifier.interfaceFor(interface, name);
  }
  /// `#sdy.sharding<@mesh, [{"x"}, {}]>`: the text between balanced brackets, unread.
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()), parser.getFullSymbolSpec(),
                           type ? type : NoneType::get(getContext()));
  }

private:
  UnknownOpVerifier verifier;
};
} // namespace

MLIR_DECLARE_EXPLICIT_TYPE_ID(ShardyDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(ShardyDialect)

void mlir::xla::registerShardingInput(DialectRegistry &registry) { registry.insert<ShardyDialect>(); }

/// `sdy.sharding` and the like.
static bool isSharding(NamedAttribute attribute) { return attribute.getName().getValue().starts_with("sdy."); }

static void dropAttributes(Operation *op) {
  for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
    if (isSharding(attribute))
      op->removeDiscardableAttr(attribute.getName());
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (NamedAttribute attribute : function.getArgAttrs(i))
      if (isSharding(attribute))
        function.removeArgAttr(i, attribute.getName());
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    for (NamedAttribute attribute : function.getResultAttrs(i))
      if (isSharding(attribute))
        function.removeResultAttr(i, attribute.getName());
}

LogicalResult mlir::xla::dropShardings(Operation *root) {
  // Where nothing of `sdy` was parsed, only custom calls can be shardings.
  bool hasSdy = root->getContext()->getLoadedDialect<ShardyDialect>();
  SmallVector<Operation *> dropped;
  // Every unsupported op is reported, not only the first.
  LogicalResult result = success();
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (hasSdy)
      dropAttributes(op);
    bool isSdy = op->getName().getDialectNamespace() == ShardyDialect::getDialectNamespace();
    FailureOr<bool> identity = isIdentity(op);
    if (failed(identity) || (isSdy && failed(verifySdyOp(op)))) {
      result = failure();
      return WalkResult::skip();
    }
    if (*identity || isSdy)
      dropped.push_back(op);
    return WalkResult::advance();
  });
  if (failed(result))
    return failure();
  for (Operation *op : dropped) {
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
  }
  return success();
}
