// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerations, spelled as StableHLO spells them.

#ifndef MLIR_XLA_DIALECT_XLAENUMS_TD
#define MLIR_XLA_DIALECT_XLAENUMS_TD

include "mlir_xla/dialect/XlaBase.td"

class Xla_Enum<string name, string description, list<I32EnumAttrCase> cases> : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::mlir::xla";
  let genSpecializedAttr = 0;
}

def Xla_ComparisonDirection : Xla_Enum<"ComparisonDirection", "which comparison to perform", [
    I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>, I32EnumAttrCase<"GE", 2>,
    I32EnumAttrCase<"GT", 3>, I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def Xla_ComparisonDirectionAttr : EnumAttr<Xla_Dialect, Xla_ComparisonDirection, "comparison_direction">;

#endif // MLIR_XLA_DIALECT_XLAENUMS_TD
