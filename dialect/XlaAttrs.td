// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structured attributes (dimension numbers, layout, channel handle and the like) and the constraints on plain
// attributes that several families share.

#ifndef MLIR_XLA_DIALECT_XLAATTRS_TD
#define MLIR_XLA_DIALECT_XLAATTRS_TD

include "mlir/IR/TensorEncoding.td"
include "mlir_xla/dialect/XlaEnums.td"

class Xla_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Xla_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===- Parameters of structured attributes ------------------------------------------------------------------------===//

/// `[0, 2, ?]`; `?` is ShapedType::kDynamic. Omitted from a struct when empty.
class Xla_DimsParameter<string desc = ""> : OptionalArrayRefParameter<"int64_t", desc> {
  let parser = "::mlir::xla::parseDims($_parser)";
  let printer = "::mlir::xla::printDims($_printer, $_self)";
}
/// As Xla_DimsParameter, but always printed and required.
class Xla_RequiredDimsParameter<string desc = ""> : ArrayRefParameter<"int64_t", desc> {
  let parser = "::mlir::xla::parseDims($_parser)";
  let printer = "::mlir::xla::printDims($_printer, $_self)";
}
/// An integer; omitted from a struct when zero.
class Xla_IntParameter<string desc = ""> : DefaultValuedParameter<"int64_t", "0", desc>;
/// A double; omitted from a struct when +0.0.
class Xla_DoubleParameter<string desc = ""> : DefaultValuedParameter<"::llvm::APFloat", "::llvm::APFloat(0.0)", desc> {
  let comparator = "$_lhs.bitwiseIsEqual($_rhs)";
  let parser = "::mlir::xla::parseDouble($_parser)";
  let printer = "$_printer.printFloat($_self)";
}

//===- Dimension numbers ------------------------------------------------------------------------------------------===//

def Xla_DotDimensionNumbersAttr : Xla_Attr<"DotDimensionNumbers", "dot"> {
  let summary = "batching and contracting dimensions of `xla.dot_general`";
  let description = [{
    ```mlir
    #xla.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
             lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>
    ```
    Empty lists are omitted.
  }];
  let parameters = (ins
    Xla_DimsParameter<>:$lhs_batching_dimensions,
    Xla_DimsParameter<>:$rhs_batching_dimensions,
    Xla_DimsParameter<>:$lhs_contracting_dimensions,
    Xla_DimsParameter<>:$rhs_contracting_dimensions);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xla_RaggedDotDimensionNumbersAttr : Xla_Attr<"RaggedDotDimensionNumbers", "ragged_dot"> {
  let summary = "batching, contracting, ragged and group dimensions of `xla.ragged_dot`";
  let description = [{
    ```mlir
    #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
                    rhs_group_dimensions = [0]>
    ```
    Empty lists are omitted.
  }];
  let parameters = (ins
    Xla_DimsParameter<>:$lhs_batching_dimensions,
    Xla_DimsParameter<>:$rhs_batching_dimensions,
    Xla_DimsParameter<>:$lhs_contracting_dimensions,
    Xla_DimsParameter<>:$rhs_contracting_dimensions,
    Xla_DimsParameter<>:$lhs_ragged_dimensions,
    Xla_DimsParameter<>:$rhs_group_dimensions);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xla_GatherDimensionNumbersAttr : Xla_Attr<"GatherDimensionNumbers", "gather"> {
  let summary = "dimension numbers of `xla.gather`";
  let description = [{
    ```mlir
    #xla.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>
    ```
    Empty lists and an `index_vector_dim` of 0 are omitted.
  }];
  let parameters = (ins
    Xla_DimsParameter<>:$offset_dims,
    Xla_DimsParameter<>:$collapsed_slice_dims,
    Xla_DimsParameter<>:$operand_batching_dims,
    Xla_DimsParameter<>:$start_indices_batching_dims,
    Xla_DimsParameter<>:$start_index_map,
    Xla_IntParameter<>:$index_vector_dim);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xla_ScatterDimensionNumbersAttr : Xla_Attr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "dimension numbers of `xla.scatter`";
  let description = [{
    ```mlir
    #xla.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0],
                 index_vector_dim = 2>
    ```
    Empty lists and an `index_vector_dim` of 0 are omitted.
  }];
  let parameters = (ins
    Xla_DimsParameter<>:$update_window_dims,
    Xla_DimsParameter<>:$inserted_window_dims,
    Xla_DimsParameter<>:$input_batching_dims,
    Xla_DimsParameter<>:$scatter_indices_batching_dims,
    Xla_DimsParameter<>:$scatter_dims_to_operand_dims,
    Xla_IntParameter<>:$index_vector_dim);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xla_ConvDimensionNumbersAttr : Xla_Attr<"ConvDimensionNumbers", "conv"> {
  let summary = "dimension numbers of `xla.convolution`";
  let description = [{
    Three lists name the dimensions of input, kernel and output: `b` batch, `f` feature, `i` and `o` the kernel's input
    and output feature, numbers the spatial dimensions.
    ```mlir
    #xla.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>
    ```
    Numbers that do not form such lists (which no valid op has) are written as
    `#xla.conv<raw input_batch_dimension = 0, ...>`.
  }];
  let parameters = (ins
    Xla_IntParameter<>:$input_batch_dimension,
    Xla_IntParameter<>:$input_feature_dimension,
    Xla_DimsParameter<>:$input_spatial_dimensions,
    Xla_IntParameter<>:$kernel_input_feature_dimension,
    Xla_IntParameter<>:$kernel_output_feature_dimension,
    Xla_DimsParameter<>:$kernel_spatial_dimensions,
    Xla_IntParameter<>:$output_batch_dimension,
    Xla_IntParameter<>:$output_feature_dimension,
    Xla_DimsParameter<>:$output_spatial_dimensions);
  let hasCustomAssemblyFormat = 1;
}

//===- Extensions of tensor types ---------------------------------------------------------------------------------===//

def Xla_LayoutAttr : Xla_Attr<"Layout", "layout", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "order and padding of a tensor's elements in memory";
  let description = [{
    `minor_to_major` lists the dimensions from the one that varies fastest in memory to the slowest (`LAY-C1`: a
    permutation). `padded`, if present, gives the width every dimension occupies in memory (`LAY-C2`: one entry per
    dimension, none smaller than the size); `padding` says what the extra elements hold (`LAY-C3`).
    ```mlir
    tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1], padded = [3, 5], padding = ZERO>>
    ```
    Without this encoding a tensor is row-major. No operation's result depends on a layout; what lies in memory in its
    order is arguments and results of the program, and those of `custom_call`.
  }];
  let parameters = (ins
    Xla_RequiredDimsParameter<>:$minor_to_major,
    Xla_DimsParameter<>:$padded,
    OptionalParameter<"::std::optional<::mlir::xla::PaddingValue>">:$padding);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What each dimension of a tensor of this shape occupies in memory.
    ::llvm::ArrayRef<int64_t> getWidths(::llvm::ArrayRef<int64_t> shape) const {
      return getPadded().empty() ? shape : getPadded();
    }
    /// Whether a tensor of this shape lies in memory as one without a layout.
    bool isRowMajor(::llvm::ArrayRef<int64_t> shape) const;
  }];
}

def Xla_BoundsAttr : Xla_Attr<"Bounds", "bounds", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "upper bounds of a tensor's dynamic dimensions";
  let description = [{
    One entry per dimension: the bound of a dynamic dimension, `?` for a static or an unbounded one.
    ```mlir
    tensor<?x4xf32, #xla.bounds<8, ?>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$bounds);
  let hasCustomAssemblyFormat = 1;
}

//===- Communication ----------------------------------------------------------------------------------------------===//

def Xla_ChannelHandleAttr : Xla_Attr<"ChannelHandle", "channel_handle"> {
  let summary = "names the channel on which ops of different replicas or modules communicate";
  let description = [{
    ```mlir
    #xla.channel_handle<handle = 1, type = 1>
    ```
    `type` is 1 between devices, 2 from device to host, 3 from host to device.
  }];
  let parameters = (ins Xla_IntParameter<>:$handle, Xla_IntParameter<>:$type);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xla_OutputOperandAliasAttr : Xla_Attr<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "an output of a custom call that shares the buffer of an operand";
  let description = [{
    ```mlir
    #xla.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = [1]>
    ```
    The index lists walk into (nested) tuples and are empty for arrays.
  }];
  let parameters = (ins
    Xla_DimsParameter<>:$output_tuple_indices,
    Xla_IntParameter<>:$operand_index,
    Xla_DimsParameter<>:$operand_tuple_indices);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===- Accuracy ---------------------------------------------------------------------------------------------------===//

def Xla_ResultAccuracyAttr : Xla_Attr<"ResultAccuracy", "result_accuracy"> {
  let summary = "required accuracy of a transcendental function";
  let description = [{
    `mode` is `DEFAULT`, `HIGHEST`, or `TOLERANCE` with at least one of `atol`, `rtol`, `ulps` set.
    ```mlir
    #xla.result_accuracy<rtol = 1.000000e-05, ulps = 4, mode = #xla.result_accuracy_mode<TOLERANCE>>
    ```
  }];
  let parameters = (ins
    Xla_DoubleParameter<"absolute tolerance">:$atol,
    Xla_DoubleParameter<"relative tolerance">:$rtol,
    Xla_IntParameter<"tolerance in units in the last place">:$ulps,
    OptionalParameter<"::mlir::xla::ResultAccuracyModeAttr">:$mode);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Xla_DotAlgorithmAttr : Xla_Attr<"DotAlgorithm", "dot_algorithm"> {
  let summary = "how the products and sums of a contraction are computed";
  let description = [{
    ```mlir
    #xla.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
                       lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
                       allow_imprecise_accumulation = false>
    ```
  }];
  let parameters = (ins
    "::mlir::Type":$lhs_precision_type,
    "::mlir::Type":$rhs_precision_type,
    "::mlir::Type":$accumulation_type,
    DefaultValuedParameter<"int64_t", "1">:$lhs_component_count,
    DefaultValuedParameter<"int64_t", "1">:$rhs_component_count,
    DefaultValuedParameter<"int64_t", "1">:$num_primitive_operations,
    DefaultValuedParameter<"bool", "false">:$allow_imprecise_accumulation);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===- Constraints on plain attributes ----------------------------------------------------------------------------===//

/// `precision_config = [DEFAULT, HIGHEST]`.
def Xla_PrecisionConfigAttr : TypedArrayAttrBase<Xla_PrecisionAttr, "precision of each operand">;

/// A 2-D `dense<...> : tensor<NxMxi64>`: replica groups (rows padded with -1), padding (N x 2), source-target pairs (N x 2).
def Xla_I64MatrixAttr : ElementsAttrBase<
    And<[I64ElementsAttr.predicate,
         CPred<"::llvm::cast<::mlir::DenseIntElementsAttr>($_self).getType().getRank() == 2">]>,
    "2-D 64-bit integer elements"> {
  let storageType = "::mlir::DenseIntElementsAttr";
  let returnType = "::mlir::DenseIntElementsAttr";
  let convertFromStorage = "$_self";
}

/// `dense<[1, 0]> : tensor<2xindex>`: minor_to_major of an operand or result, as StableHLO writes it.
def Xla_IndexVectorAttr : Attr<
    And<[IndexElementsAttr.predicate,
         CPred<"::llvm::cast<::mlir::DenseIntElementsAttr>($_self).getType().getRank() == 1">]>, "1-D index elements"> {
  let storageType = IndexElementsAttr.storageType;
  let returnType = IndexElementsAttr.returnType;
  let convertFromStorage = IndexElementsAttr.convertFromStorage;
}
def Xla_ArrayOfLayoutAttr : TypedArrayAttrBase<Xla_IndexVectorAttr, "array of minor-to-major lists">;

#endif // MLIR_XLA_DIALECT_XLAATTRS_TD
