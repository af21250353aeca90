// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect itself, its type predicates and the base classes that the op families build on.

#ifndef MLIR_XLA_DIALECT_XLABASE_TD
#define MLIR_XLA_DIALECT_XLABASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Xla_Dialect : Dialect {
  let name = "xla";
  let cppNamespace = "::mlir::xla";
  let summary = "The XLA operation set on tensors, tuples and tokens";
  let description = [{
    Operations of XLA with the names, attributes and custom assembly of StableHLO where StableHLO has the operation.
    Every verifier message carries the identifier of the violated constraint (for example `Slice-C3`); the description
    of each operation lists its constraints.

    Values are ranked tensors, builtin tuples and tokens. The element types are sorted into classes:

    | class | element types |
    | :---- | :------------ |
    | PRED | `i1` |
    | SINT | `i2`, `i4`, `i8`, `i16`, `i32`, `i64`: signless integers are signed |
    | UINT | `ui2`, `ui4`, `ui8`, `ui16`, `ui32`, `ui64` |
    | INT | SINT and UINT |
    | FLOAT | `f64`, `f32`, `f16`, `bf16` and the formats of 8, 6 and 4 bits |
    | COMPLEX | `complex<f32>`, `complex<f64>` |

    Integer arithmetic wraps; floating-point arithmetic rounds to nearest even. Operands are never broadcast implicitly.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::func::FuncDialect"];
  let extraClassDeclaration = [{
    /// Reports an op that there is not, with what may have been meant.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;

  private:
    void registerAttributes();
    void registerElementwiseOps();
    void registerShapeOps();
    void registerIndexingOps();
    void registerReductionOps();
    void registerLinearOps();
    void registerControlOps();
    void registerNormalizationOps();
    void registerSortOps();
    void registerFftOps();
    void registerSolveOps();
    void registerRandomOps();
  }];
}

//===- Types ------------------------------------------------------------------------------------------------------===//
// The predicates are deliberately wide: which element types an op accepts is checked by its verifier, so that the
// message can name the constraint.

def Xla_ElementType : Type<
    CPred<"::mlir::xla::isXlaElementType($_self)">, "XLA element type">;
def Xla_Tensor : Type<
    CPred<"::llvm::isa<::mlir::RankedTensorType>($_self) && "
          "::mlir::xla::isXlaElementType(::llvm::cast<::mlir::RankedTensorType>($_self).getElementType())">,
    "ranked tensor of XLA elements", "::mlir::RankedTensorType">;
def Xla_Token : Type<CPred<"::llvm::isa<::mlir::xla::TokenType>($_self)">, "token">;
def Xla_Tuple : Type<CPred<"::llvm::isa<::mlir::TupleType>($_self)">, "tuple", "::mlir::TupleType">;
def Xla_Value : AnyTypeOf<[Xla_Tensor, Xla_Token, Xla_Tuple], "tensor, token or tuple">;

//===- Base classes -----------------------------------------------------------------------------------------------===//

class Xla_Op<string mnemonic, list<Trait> traits = []> : Op<Xla_Dialect, mnemonic, traits>;

/// Every operand is a ranked tensor of XLA elements. Structural, which is checked before the operand types of ODS: its
/// message names the constraint.
def Xla_HasTensorOperands : NativeOpTrait<"HasTensorOperands">, StructuralOpTrait {
  let cppNamespace = "::mlir::xla";
}
/// Element i of the result depends on element i of each operand only.
def Xla_IsElementwise : NativeOpTrait<"IsElementwise"> { let cppNamespace = "::mlir::xla"; }

/// Type inference through `inferReturnTypes(context, location, adaptor, types)`, which may rely on the operand count
/// and on the presence of attributes and, with Xla_HasTensorOperands, on ranked tensors: builders call it before
/// anything has been verified.
/// Op-specific `compatible` decides which result types agree with the inferred ones.
class Xla_InferTypesUpTo<string compatible> : TraitList<[
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
    NativeOpTrait<"InferTypeOpAdaptor", [], [{
      static ::llvm::LogicalResult inferReturnTypes(
          ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location, Adaptor adaptor,
          ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes);
      static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange actual);
    }], [{
      ::llvm::LogicalResult $cppClass::inferReturnTypes(
          ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location, ::mlir::ValueRange operands,
          ::mlir::DictionaryAttr attributes, ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
          ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes) {
        if (failed(::mlir::xla::checkInferenceOperands<$cppClass>(location, operands)))
          return ::mlir::failure();
        Adaptor adaptor(operands, attributes, properties, regions);
        if (failed(adaptor.verify(location.value_or(::mlir::UnknownLoc::get(context)))))
          return ::mlir::failure();
        return inferReturnTypes(context, location, adaptor, inferredReturnTypes);
      }
      bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange actual) {
        return }] # compatible # [{(inferred, actual);
      }
    }]>]>;
def Xla_InferTypes : Xla_InferTypesUpTo<"::mlir::xla::areCompatibleTypes">;

/// An op whose result types follow from operands, attributes and regions. `inferReturnTypes` is the one place that
/// checks the op's constraints (see InferTypes.h); `verify` re-runs it and compares the result types.
class Xla_InferredOp<string mnemonic, list<Trait> traits = []> : Xla_Op<mnemonic, traits # [Xla_InferTypes]> {
  let hasVerifier = 1;
}

#endif // MLIR_XLA_DIALECT_XLABASE_TD
