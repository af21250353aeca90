// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registered names of foreign ops: `"stablehlo.add"(...)` in generic form is an op that holds what it was given and is
// verified as the `xla` op that it stands for. Tools that verify while they parse, such as the language server, thus
// report what is wrong with it; others replace it before anything is verified (importStablehlo).

#ifndef MLIR_XLA_DIALECT_FOREIGNOPS_H
#define MLIR_XLA_DIALECT_FOREIGNOPS_H

#include "mlir/IR/Dialect.h"

namespace mlir::xla {

using ParseForeignOpFn = ParseResult (*)(OpAsmParser &, OperationState &);

/// The op `name` of `dialect`, in place of the registered op `counterpart`, whose custom form `parse` reads. `id`
/// belongs to the name alone.
void registerForeignOp(Dialect &dialect, StringRef name, StringRef counterpart, TypeID id, ParseForeignOpFn parse);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_FOREIGNOPS_H
