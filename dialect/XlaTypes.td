// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of the dialect: only the token; arrays are builtin ranked tensors, tuples are builtin tuples.

#ifndef MLIR_XLA_DIALECT_XLATYPES_TD
#define MLIR_XLA_DIALECT_XLATYPES_TD

include "mlir_xla/dialect/XlaBase.td"

def Xla_TokenType : TypeDef<Xla_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "orders operations with side effects; carries no data";
  let description = [{ Written `!xla.token`. }];
}

#endif // MLIR_XLA_DIALECT_XLATYPES_TD
