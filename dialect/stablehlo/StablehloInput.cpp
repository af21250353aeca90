// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The foreign namespaces, and the renaming of generic ops.

#include "mlir_xla/dialect/stablehlo/StablehloInput.h"
#include "mlir_xla/dialect/Calls.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/stablehlo/ChloInput.h"
#include "mlir_xla/dialect/stablehlo/CollectiveInput.h"
#include "mlir_xla/dialect/stablehlo/ForeignOps.h"
#include "mlir_xla/dialect/stablehlo/ShardingInput.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xla;

/// `stablehlo.add` -> `xla.add`.
static std::string xlaName(StringRef foreign) { return ("xla." + foreign.split('.').second).str(); }

static bool isForeign(StringRef dialect) {
  return dialect == "stablehlo" || dialect == "chlo" || dialect == "mhlo" || dialect == "check";
}

static constexpr StringLiteral checkOps[] = {
    "expect_eq",        "expect_eq_const",        "expect_close",         "expect_close_const",
    "expect_almost_eq", "expect_almost_eq_const", "expect_serialized_eq", "eq",
    "almost_eq"};

InFlightDiagnostic &mlir::xla::unknownOp(InFlightDiagnostic &&error, StringRef name, MLIRContext *context) {
  auto [dialect, op] = name.split('.');
  // No misspelling but an op of StableHLO with such a neighbour here.
  bool exists = op == "set_dimension_size";
  SmallVector<StringRef> known;
  if (dialect == "check")
    llvm::append_range(known, checkOps);
  else
    for (RegisteredOperationName info : context->getRegisteredOperationsByDialect(XlaDialect::getDialectNamespace()))
      known.push_back(info.stripDialect());
  if (llvm::is_contained(known, op))
    return error << "'" << name << "' has only the generic form, \"" << name << "\"(...)";
  StringRef meant = exists ? "" : closest(op, known);
  if (!meant.empty())
    return error << "unknown operation '" << name << "'; did you mean '" << dialect << "." << meant << "'?";
  if (dialect == XlaDialect::getDialectNamespace() || dialect == "check")
    return error << "unknown operation '" << name << "'";
  error << "'" << name << "' has no counterpart in the xla dialect (looked for '" << xlaName(name) << "')";
  if (op.starts_with("dynamic_") || op.starts_with("real_dynamic_"))
    error << "; all shapes are static: export the program for shapes that are numbers";
  return error;
}

ParseResult mlir::xla::unknownOp(OpAsmParser &parser, StringRef name) {
  // The parser's own errors begin with the name.
  return unknownOp(mlir::emitError(parser.getEncodedSourceLoc(parser.getNameLoc())), name, parser.getContext());
}

/// algorithm = PHILOX on tensor<2xui64>  ->  algorithm = DEFAULT, which is the same there
/// StableHLO has Philox with two words of state, XLA's contract has not.
static RngAlgorithm algorithmFor(RngAlgorithm algorithm, ValueRange operands) {
  auto state = operands.empty() ? RankedTensorType() : dyn_cast<RankedTensorType>(operands[0].getType());
  bool hasTwoWords = state && state.hasStaticShape() && state.getNumElements() == 2;
  return algorithm == RngAlgorithm::PHILOX && hasTwoWords ? RngAlgorithm::DEFAULT : algorithm;
}

/// On a product in custom form whose factors differ in type, until it is imported.
static constexpr StringLiteral kMixed = "stablehlo.mixed";

/// The type that factors of two types are widened to: the wider one, or f32 for floats of as many bits; null if none
/// holds both, or if there is nothing to widen. XLA takes what StableHLO's constraints forbid, and JAX writes it for
/// products of bf16 with a result of f32.
static Type commonFactor(Type lhs, Type rhs) {
  if (lhs == rhs || !lhs.isIntOrFloat() || !rhs.isIntOrFloat())
    return {};
  unsigned left = lhs.getIntOrFloatBitWidth(), right = rhs.getIntOrFloatBitWidth();
  Type wider = left > right ? lhs : rhs;
  if (isa<FloatType>(lhs) && isa<FloatType>(rhs))
    return std::max(left, right) > 16 ? wider : Float32Type::get(lhs.getContext());
  auto leftInteger = dyn_cast<IntegerType>(lhs), rightInteger = dyn_cast<IntegerType>(rhs);
  return leftInteger && rightInteger && leftInteger.getSignedness() == rightInteger.getSignedness() ? wider : Type();
}
static Type commonFactor(ValueRange factors) {
  return factors.size() == 2
             ? commonFactor(getElementTypeOrSelf(factors[0].getType()), getElementTypeOrSelf(factors[1].getType()))
             : Type();
}

/// dot_general %a, %b : (tensor<2x3xf32>, tensor<3x4xbf16>)  ->  the same of %a and %b as f32
static void widenFactors(DotGeneralOp op) {
  Type common = commonFactor(op->getOperands());
  if (!common)
    return;
  OpBuilder b(op);
  for (OpOperand &factor : op->getOpOperands())
    if (auto type = dyn_cast<ShapedType>(factor.get().getType()); type && type.getElementType() != common)
      factor.set(ConvertOp::create(b, op.getLoc(), type.clone(common), factor.get()));
}

/// Parses the custom form of a foreign op as that of the `xla` op of the same name.
static ParseResult parseForeignOp(OpAsmParser &parser, OperationState &state) {
  StringRef foreign = state.name.getStringRef();
  if (isCollectiveOp(foreign))
    return parseCollectiveOp(parser, state);
  std::optional<RegisteredOperationName> info = RegisteredOperationName::lookup(xlaName(foreign), parser.getContext());
  if (!info)
    return unknownOp(parser, foreign);
  state.name = OperationName(*info);
  if (failed(info->getParseAssemblyFn()(parser, state)))
    return failure();
  if (foreign == "stablehlo.rng_bit_generator") {
    auto &properties = state.getOrAddProperties<RngBitGeneratorOp::Properties>();
    if (auto algorithm = properties.rng_algorithm)
      properties.rng_algorithm =
          RngAlgorithmAttr::get(parser.getContext(), algorithmFor(algorithm.getValue(), state.operands));
  }
  if (state.name.getStringRef() == DotGeneralOp::getOperationName() && commonFactor(state.operands))
    state.addAttribute(kMixed, parser.getBuilder().getUnitAttr());
  return success();
}

/// chlo.erf %x : T -> T, the assembly of CHLO's elementwise ops: types of the operands, then of the results.
static ParseResult parseChloOp(OpAsmParser &parser, OperationState &state) {
  StringRef foreign = state.name.getStringRef();
  // What is not elementwise has the assembly of its counterpart.
  if (foreign == "chlo.constant" || foreign == "chlo.top_k")
    return parseForeignOp(parser, state);
  if (foreign == "chlo.scan")
    return parseChloScan(parser, state);
  if (!isExpandedChloOp(foreign, parser.getContext())) {
    std::optional<RegisteredOperationName> info =
        RegisteredOperationName::lookup(xlaName(foreign), parser.getContext());
    if (!info)
      return unknownOp(parser, foreign);
    state.name = OperationName(*info);
  }
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(state.attributes) || parser.parseColon())
    return failure();
  if (succeeded(parser.parseOptionalLParen())) {
    // `(A, B) -> C`
    if (failed(parser.parseOptionalRParen()) && (parser.parseTypeList(types) || parser.parseRParen()))
      return failure();
  } else if (parser.parseTypeList(types)) {
    return failure();
  }
  if (failed(parser.parseOptionalArrow()))
    state.addTypes(types);
  else if (parser.parseTypeList(state.types))
    return failure();
  if (types.size() == 1 && !operands.empty())
    types.append(operands.size() - 1, types[0]);
  return parser.resolveOperands(operands, types, loc, state.operands);
}

/// `, tolerance = 0.1` and the like, into `config`. Numbers come without a type: what a colon after one begins are the
/// types of the operands.
static ParseResult parseCheckSettings(OpAsmParser &parser, NamedAttrList &config) {
  Builder &b = parser.getBuilder();
  while (succeeded(parser.parseOptionalComma())) {
    std::string key, text;
    if (parser.parseKeywordOrString(&key) || parser.parseEqual())
      return failure();
    if (succeeded(parser.parseOptionalString(&text))) {
      config.set(key, b.getStringAttr(text));
      continue;
    }
    int64_t integer = 0;
    double number = 0;
    if (OptionalParseResult isInteger = parser.parseOptionalInteger(integer); isInteger.has_value()) {
      if (failed(*isInteger))
        return failure();
      config.set(key, b.getI64IntegerAttr(integer));
    } else if (succeeded(parser.parseFloat(number))) {
      config.set(key, b.getF64FloatAttr(number));
    } else {
      return failure();
    }
  }
  return success();
}

/// check.expect_eq %a, %b : T   ->  xla.custom_call @check.expect_eq(%a, %b)
/// check.expect_eq_const %a, dense<..> : T  ->  the same with the constant as `backend_config`
/// check.expect_close %a, %b, max_ulp_difference = .. : T, T
/// check.expect_serialized_eq %a, probe_id = ".." : T, which has no expected value here: an error when it is run
static ParseResult parseCheckOp(OpAsmParser &parser, OperationState &state) {
  Builder &b = parser.getBuilder();
  std::string target = state.name.getStringRef().str();
  state.name = OperationName(CustomCallOp::getOperationName(), parser.getContext());
  state.addAttribute("call_target_name", b.getStringAttr(target));
  state.addAttribute("has_side_effect", b.getBoolAttr(true));

  SmallVector<OpAsmParser::UnresolvedOperand> operands(1);
  NamedAttrList config;
  if (target == "check.expect_serialized_eq") {
    Type type;
    if (parser.parseOperand(operands[0]) || parseCheckSettings(parser, config) ||
        parser.parseOptionalAttrDict(config) || parser.parseColonType(type))
      return failure();
    state.addAttribute("backend_config", config.getDictionary(parser.getContext()));
    return parser.resolveOperand(operands[0], type, state.operands);
  }
  if (parser.parseOperand(operands[0]) || parser.parseComma())
    return failure();
  OptionalParseResult second = parser.parseOptionalOperand(operands.emplace_back());
  if (second.has_value()) {
    if (failed(*second))
      return failure();
  } else {
    operands.pop_back();
    Attribute value;
    if (parser.parseAttribute(value) || parseCheckSettings(parser, config) || parser.parseOptionalAttrDict(config))
      return failure();
    config.set("value", value);
    // The attribute carries its type, which is the operand's.
    Type type;
    if (succeeded(parser.parseOptionalColon())) {
      if (parser.parseType(type))
        return failure();
    } else if (auto typed = dyn_cast<TypedAttr>(value)) {
      type = typed.getType();
    }
    if (!type)
      return parser.emitError(parser.getCurrentLocation()) << "'" << target << "' needs the type of its operand";
    state.addAttribute("backend_config", config.getDictionary(parser.getContext()));
    return parser.resolveOperand(operands[0], type, state.operands);
  }
  SmallVector<Type> types;
  if (parseCheckSettings(parser, config) || parser.parseOptionalAttrDict(config) || parser.parseColonTypeList(types))
    return failure();
  if (types.size() == 1)
    types.push_back(types[0]);
  if (!config.empty())
    state.addAttribute("backend_config", config.getDictionary(parser.getContext()));
  return parser.resolveOperands(operands, types, parser.getNameLoc(), state.operands);
}

/// An op that is left after parsing, of a namespace that holds only foreign ops: one that is expanded when it is
/// imported is verified as a copy, one between devices by what it says, any other is not known.
static LogicalResult verifyUnknownOp(Operation *op) {
  if (isCollectiveOp(op->getName().getStringRef()))
    return verifyCollectiveOp(op);
  if (isExpandedChloOp(op->getName().getStringRef(), op->getContext())) {
    OwningOpRef<ModuleOp> holder = ModuleOp::create(op->getLoc());
    holder->push_back(op->clone());
    if (failed(importStablehlo(*holder)))
      return failure();
    return success(llvm::all_of(*holder->getBody(),
                                [](Operation &copy) { return succeeded(copy.getName().verifyInvariants(&copy)); }));
  }
  return unknownOp(mlir::emitError(op->getLoc()), op->getName().getStringRef(), op->getContext());
}

namespace {

/// A namespace whose ops, attributes and types are those of `xla`.
template <typename Self> class ForeignDialect : public Dialect {
public:
  explicit ForeignDialect(MLIRContext *context)
      : Dialect(Self::getDialectNamespace(), context, TypeID::get<Self>()), verifier(verifyUnknownOp) {
    context->loadDialect<XlaDialect>();
    // Ops that `xla` lacks are unregistered; importStablehlo or the verifier reports them.
    allowUnknownOperations();
    Self::forEachOp(context, [&](StringRef mnemonic, StringRef counterpart) {
      std::string name = (Self::getDialectNamespace() + "." + mnemonic).str();
      registerForeignOp(*this, name, counterpart, ids.allocate(), Self::parseOp);
    });
  }

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    // A ParseOpHook refers to its function, which must outlive the call: a static function does.
    static const auto hook = Self::parseOp;
    return ParseOpHook(hook);
  }
  void *getRegisteredInterfaceForOp(TypeID interface, OperationName name) override {
    return verifier.interfaceFor(interface, name);
  }
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return getContext()->template getLoadedDialect<XlaDialect>()->parseAttribute(parser, type);
  }
  Type parseType(DialectAsmParser &parser) const override {
    return getContext()->template getLoadedDialect<XlaDialect>()->parseType(parser);
  }
  /// The ops by their mnemonics and counterparts: all of `xla`, under the same mnemonics.
  static void forEachOp(MLIRContext *context, function_ref<void(StringRef, StringRef)> visit) {
    // A copy: the context's own list changes with every op that is registered.
    for (RegisteredOperationName name :
         llvm::to_vector(context->getRegisteredOperationsByDialect(XlaDialect::getDialectNamespace())))
      visit(name.stripDialect(), name.getStringRef());
  }

private:
  TypeIDAllocator ids;
  UnknownOpVerifier verifier;
};

struct StablehloDialect : ForeignDialect<StablehloDialect> {
  using ForeignDialect::ForeignDialect;
  static constexpr StringLiteral getDialectNamespace() { return "stablehlo"; }
  static constexpr auto *parseOp = parseForeignOp;
};
struct ChloDialect : ForeignDialect<ChloDialect> {
  using ForeignDialect::ForeignDialect;
  static constexpr StringLiteral getDialectNamespace() { return "chlo"; }
  static constexpr auto *parseOp = parseChloOp;
};
struct MhloDialect : ForeignDialect<MhloDialect> {
  using ForeignDialect::ForeignDialect;
  static constexpr StringLiteral getDialectNamespace() { return "mhlo"; }
  static constexpr auto *parseOp = parseForeignOp;
};
struct CheckDialect : ForeignDialect<CheckDialect> {
  using ForeignDialect::ForeignDialect;
  static constexpr StringLiteral getDialectNamespace() { return "check"; }
  static constexpr auto *parseOp = parseCheckOp;
  static void forEachOp(MLIRContext *, function_ref<void(StringRef, StringRef)> visit) {
    for (StringRef mnemonic : checkOps)
      visit(mnemonic, CustomCallOp::getOperationName());
  }
};

} // namespace

MLIR_DECLARE_EXPLICIT_TYPE_ID(StablehloDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(StablehloDialect)
MLIR_DECLARE_EXPLICIT_TYPE_ID(ChloDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(ChloDialect)
MLIR_DECLARE_EXPLICIT_TYPE_ID(MhloDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(MhloDialect)
MLIR_DECLARE_EXPLICIT_TYPE_ID(CheckDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(CheckDialect)

void mlir::xla::registerStablehloInput(DialectRegistry &registry) {
  registry.insert<StablehloDialect, ChloDialect, MhloDialect, CheckDialect>();
  registerShardingInput(registry);
}

/// dense<"0xFF"> : tensor<ui4>  ->  dense<15> : tensor<ui4>
/// MLIR takes the bytes of a hexadecimal constant as they are, but its integers must have zeros above their width.
static DenseElementsAttr clearUnusedBits(DenseElementsAttr elements) {
  auto dense = dyn_cast<DenseIntOrFPElementsAttr>(elements);
  if (!dense || !dense.getElementType().isIntOrFloat())
    return elements;
  unsigned width = dense.getElementType().getIntOrFloatBitWidth();
  char used = static_cast<char>((1u << (width % 8)) - 1);
  // i1 is what is not zero.
  if (width == 1 || width >= 8 || llvm::all_of(dense.getRawData(), [&](char byte) { return (byte & ~used) == 0; }))
    return elements;
  auto bytes = llvm::map_to_vector(dense.getRawData(), [&](char byte) { return static_cast<char>(byte & used); });
  return DenseElementsAttr::getFromRawBuffer(dense.getType(), bytes);
}

/// In constants, and in what assertions expect. Nothing has been verified yet: attributes may be missing.
static void clearUnusedBits(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (auto dense = dyn_cast_or_null<DenseElementsAttr>(constant.getProperties().value))
      constant.getProperties().value = clearUnusedBits(dense);
  } else if (isa<CustomCallOp>(op)) {
    AttrTypeReplacer replacer;
    replacer.addReplacement([](DenseElementsAttr dense) -> Attribute { return clearUnusedBits(dense); });
    replacer.replaceElementsIn(op);
  }
}

/// An error for a name among the inherent attributes, `<{...}>`, that the operation does not know: it would mean
/// nothing.
static LogicalResult checkNames(Operation *op, DictionaryAttr properties, RegisteredOperationName info) {
  auto known = llvm::map_to_vector(info.getAttributeNames(), [](StringAttr name) { return name.getValue(); });
  for (NamedAttribute attribute : properties) {
    StringRef name = attribute.getName();
    // Segments are the form's: which operands and results belong together follows here from the operation.
    if (name.contains('.') || name.ends_with("SegmentSizes") || llvm::is_contained(known, name))
      continue;
    InFlightDiagnostic error = mlir::emitError(op->getLoc()) << "'" << info << "' op has no attribute '" << name << "'";
    if (StringRef meant = closest(name, known); !meant.empty())
      error << "; did you mean '" << meant << "'?";
    return error;
  }
  return success();
}

/// Replaces the foreign `op` by its `xla` op; regions move over.
static LogicalResult rename(Operation *op) {
  StringRef foreign = op->getName().getStringRef();
  if (isExpandedChloOp(foreign, op->getContext()))
    return expandChloOp(op);
  if (isCollectiveOp(foreign))
    return expandCollectiveOp(op);
  bool isCheck = foreign.starts_with("check.");
  std::string name = isCheck ? CustomCallOp::getOperationName().str() : xlaName(foreign);
  std::optional<RegisteredOperationName> info = RegisteredOperationName::lookup(name, op->getContext());
  if (!info)
    return unknownOp(mlir::emitError(op->getLoc()), foreign, op->getContext());

  OperationState state(op->getLoc(), *info);
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.addSuccessors(op->getSuccessors());
  // Inherent attributes in the generic form of a foreign op sit in its properties.
  NamedAttrList attributes(op->getAttrs());
  if (auto properties = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute())) {
    if (!isCheck && failed(checkNames(op, properties, *info)))
      return failure();
    for (NamedAttribute attribute : properties)
      attributes.set(attribute.getName(), attribute.getValue());
  }
  OpBuilder b(op);
  if (isCheck) {
    NamedAttrList config = attributes;
    attributes = NamedAttrList();
    attributes.set("call_target_name", b.getStringAttr(foreign));
    attributes.set("has_side_effect", b.getBoolAttr(true));
    if (!config.empty())
      attributes.set("backend_config", config.getDictionary(op->getContext()));
  }
  // Creation would leave out what is of another kind.
  auto error = [&] { return mlir::emitError(op->getLoc()) << "'" << name << "' op "; };
  if (failed(info->verifyInherentAttrs(attributes, error)))
    return failure();
  state.attributes = attributes;
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *created = b.create(state);
  if (!created)
    return op->emitError() << "'" << foreign << "' cannot be built as '" << name << "'";
  clearUnusedBits(created);
  // Nothing has been verified yet.
  if (auto generator = dyn_cast<RngBitGeneratorOp>(created))
    if (RngAlgorithmAttr algorithm = generator.getProperties().rng_algorithm)
      generator.setRngAlgorithm(algorithmFor(algorithm.getValue(), generator->getOperands()));
  if (auto product = dyn_cast<DotGeneralOp>(created))
    widenFactors(product);
  op->replaceAllUsesWith(created);
  op->erase();
  return success();
}

/// stablehlo.return %0 : T  ->  func.return %0 : T, at the end of a function
/// StableHLO allows both there, and JAX writes comparators with the former.
static void endFunctions(Operation *root) {
  root->walk<WalkOrder::PreOrder>([](Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return WalkResult::advance();
    for (Block &block : function) {
      auto end = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(block.back());
      if (!end)
        continue;
      OpBuilder b(end);
      func::ReturnOp::create(b, end.getLoc(), end.getOperands());
      end.erase();
    }
    return WalkResult::skip();
  });
}

LogicalResult mlir::xla::importStablehlo(Operation *root) {
  SmallVector<Operation *> foreign;
  // Every missing op is reported, not only the first.
  LogicalResult result = success();
  root->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (isForeign(dialect))
      foreign.push_back(op);
    else if (dialect == XlaDialect::getDialectNamespace() && !op->isRegistered())
      result = unknownOp(mlir::emitError(op->getLoc()), op->getName().getStringRef(), op->getContext());
    else
      clearUnusedBits(op);
    if (auto product = dyn_cast<DotGeneralOp>(op); product && product->removeDiscardableAttr(kMixed))
      widenFactors(product);
  });
  for (Operation *op : foreign)
    if (failed(rename(op)))
      result = failure();
  if (failed(dropShardings(root)))
    result = failure();
  endFunctions(root);
  return succeeded(result) ? checkFunctions(root) : failure();
}

namespace {
struct ImportStablehloPass : public PassWrapper<ImportStablehloPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ImportStablehloPass)
  StringRef getArgument() const override { return "xla-import-stablehlo"; }
  StringRef getDescription() const override { return "Turn StableHLO, CHLO and MHLO ops in generic form into xla ops"; }
  void getDependentDialects(DialectRegistry &registry) const override { registry.insert<XlaDialect>(); }
  void runOnOperation() override {
    if (failed(importStablehlo(getOperation())))
      signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> mlir::xla::createImportStablehloPass() { return std::make_unique<ImportStablehloPass>(); }

void mlir::xla::registerImportStablehloPass() {
  PassRegistration<ImportStablehloPass>([] { return createImportStablehloPass(); });
}
