// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registered names of foreign ops: `"stablehlo.add"(...)` in generic form is an op that holds what it was given and is
// verified as the `xla` op that it stands for. Tools that verify while they parse, such as the language server, thus
// report what is wrong with it; others replace it before anything is verified (importStablehlo).

#ifndef MLIR_XLA_DIALECT_STABLEHLO_FOREIGNOPS_H
#define MLIR_XLA_DIALECT_STABLEHLO_FOREIGNOPS_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::xla {

using ParseForeignOpFn = ParseResult (*)(OpAsmParser &, OperationState &);

/// The op `name` of `dialect`, in place of the registered op `counterpart`, whose custom form `parse` reads. `id`
/// belongs to the name alone.
void registerForeignOp(Dialect &dialect, StringRef name, StringRef counterpart, TypeID id, ParseForeignOpFn parse);

/// Lets a dialect verify ops that it does not know and that only exist in generic form. About such an op MLIR asks its
/// dialect one thing while it verifies: how it uses symbols.
class UnknownOpVerifier : public SymbolUserOpInterface::FallbackModel<UnknownOpVerifier> {
public:
  explicit UnknownOpVerifier(LogicalResult (*verify)(Operation *)) : verify(verify) {}

  LogicalResult verifySymbolUses(Operation *op, SymbolTableCollection &) const { return verify(op); }

  /// What `Dialect::getRegisteredInterfaceForOp` answers.
  void *interfaceFor(TypeID interface, OperationName name) {
    bool asked = interface == SymbolUserOpInterface::getInterfaceID() && !name.isRegistered();
    return asked ? static_cast<SymbolUserOpInterface::Concept *>(this) : nullptr;
  }

private:
  LogicalResult (*verify)(Operation *);
};

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_STABLEHLO_FOREIGNOPS_H
