// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structured attributes: dimension numbers, layout, channel handle and the like.

#ifndef MLIR_XLA_DIALECT_XLAATTRS_TD
#define MLIR_XLA_DIALECT_XLAATTRS_TD

include "mlir_xla/dialect/XlaEnums.td"

class Xla_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Xla_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Xla_DotDimensionNumbersAttr : Xla_Attr<"DotDimensionNumbers", "dot"> {
  let summary = "batching and contracting dimensions of `xla.dot_general`";
  let parameters = (ins
    OptionalArrayRefParameter<"int64_t">:$lhs_batching_dimensions,
    OptionalArrayRefParameter<"int64_t">:$rhs_batching_dimensions,
    OptionalArrayRefParameter<"int64_t">:$lhs_contracting_dimensions,
    OptionalArrayRefParameter<"int64_t">:$rhs_contracting_dimensions);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // MLIR_XLA_DIALECT_XLAATTRS_TD
