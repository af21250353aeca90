// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/stablehlo/ForeignOps.h"
#include "mlir_xla/dialect/stablehlo/StablehloInput.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// Bytecode holds the dictionary; every op with properties has to write them.
struct ForeignBytecode : BytecodeOpInterface::FallbackModel<ForeignBytecode> {
  static LogicalResult readProperties(DialectBytecodeReader &reader, OperationState &state) {
    return reader.readOptionalAttribute(state.propertiesAttr);
  }
  void writeProperties(Operation *op, DialectBytecodeWriter &writer) const {
    writer.writeOptionalAttribute(op->getPropertiesAsAttribute());
  }
};

mlir::detail::InterfaceMap bytecodeInterface() {
  mlir::detail::InterfaceMap interfaces;
  interfaces.insertModels<ForeignBytecode>();
  return interfaces;
}

/// Inherent attributes stay one dictionary, as they are in unregistered ops.
class ForeignOpModel : public OperationName::Impl {
public:
  ForeignOpModel(Dialect &dialect, StringRef name, RegisteredOperationName counterpart, TypeID id,
                 ParseForeignOpFn parse)
      : Impl(name, &dialect, id, bytecodeInterface()), counterpart(counterpart), parse(parse) {}

  LogicalResult foldHook(Operation *, ArrayRef<Attribute>, SmallVectorImpl<OpFoldResult> &) override {
    return failure();
  }
  void getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) override {}
  /// What blocks may end with is all that is asked before the op is replaced.
  bool hasTrait(TypeID trait) override {
    return (trait == TypeID::get<OpTrait::IsTerminator>() || trait == TypeID::get<OpTrait::NoTerminator>()) &&
           counterpart.hasTrait(trait);
  }
  OperationName::ParseAssemblyFn getParseAssemblyFn() override { return parse; }
  void populateDefaultAttrs(const OperationName &, NamedAttrList &) override {}
  void printAssembly(Operation *op, OpAsmPrinter &printer, StringRef) override { printer.printGenericOp(op); }

  /// Imports a copy into a module of its own and verifies that; ops in its regions are verified when it is their turn.
  LogicalResult verifyInvariants(Operation *op) override {
    OwningOpRef<ModuleOp> holder = ModuleOp::create(op->getLoc());
    holder->push_back(op->clone());
    if (failed(importStablehlo(*holder)))
      return failure();
    // The copy of a sharding is dropped.
    if (holder->getBody()->empty())
      return success();
    Operation *copy = &holder->getBody()->front();
    return success(succeeded(copy->getName().verifyInvariants(copy)) &&
                   succeeded(copy->getName().verifyRegionInvariants(copy)));
  }
  LogicalResult verifyRegionInvariants(Operation *) override { return success(); }

  std::optional<Attribute> getInherentAttr(Operation *op, StringRef name) override {
    DictionaryAttr dictionary = dictionaryOf(op);
    Attribute value = dictionary ? dictionary.get(name) : Attribute();
    return value ? std::optional(value) : std::nullopt;
  }
  void setInherentAttr(Operation *op, StringAttr name, Attribute value) override {
    NamedAttrList attributes(dictionaryOf(op));
    attributes.set(name, value);
    attributeOf(op->getPropertiesStorage()) = attributes.getDictionary(op->getContext());
  }
  void populateInherentAttrs(Operation *op, NamedAttrList &attributes) override {
    if (DictionaryAttr dictionary = dictionaryOf(op))
      attributes.append(dictionary.getValue());
  }
  LogicalResult verifyInherentAttrs(OperationName, NamedAttrList &, function_ref<InFlightDiagnostic()>) override {
    return success();
  }

  int getOpPropertyByteSize() override { return sizeof(Attribute); }
  void initProperties(OperationName, OpaqueProperties storage, OpaqueProperties init) override {
    new (storage.as<Attribute *>()) Attribute(init ? attributeOf(init) : Attribute());
  }
  void deleteProperties(OpaqueProperties properties) override { attributeOf(properties).~Attribute(); }
  void populateDefaultProperties(OperationName, OpaqueProperties) override {}
  LogicalResult setPropertiesFromAttr(OperationName, OpaqueProperties properties, Attribute attribute,
                                      function_ref<InFlightDiagnostic()>) override {
    attributeOf(properties) = attribute;
    return success();
  }
  Attribute getPropertiesAsAttr(Operation *op) override { return attributeOf(op->getPropertiesStorage()); }
  void copyProperties(OpaqueProperties to, OpaqueProperties from) override { attributeOf(to) = attributeOf(from); }
  bool compareProperties(OpaqueProperties lhs, OpaqueProperties rhs) override {
    return attributeOf(lhs) == attributeOf(rhs);
  }
  llvm::hash_code hashProperties(OpaqueProperties properties) override { return hash_value(attributeOf(properties)); }

private:
  static Attribute &attributeOf(OpaqueProperties properties) { return *properties.as<Attribute *>(); }
  static DictionaryAttr dictionaryOf(Operation *op) {
    return dyn_cast_or_null<DictionaryAttr>(attributeOf(op->getPropertiesStorage()));
  }

  RegisteredOperationName counterpart;
  ParseForeignOpFn parse;
};
} // namespace

void mlir::xla::registerForeignOp(Dialect &dialect, StringRef name, StringRef counterpart, TypeID id,
                                  ParseForeignOpFn parse) {
  auto info = RegisteredOperationName::lookup(counterpart, dialect.getContext());
  assert(info && "a foreign op stands for a registered one");
  RegisteredOperationName::insert(std::make_unique<ForeignOpModel>(dialect, name, *info, id, parse), {});
}
