// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads StableHLO, CHLO and MHLO text (and the `check` ops of StableHLO's tests) as the `xla` dialect, without the
// StableHLO project.
//
// Ops in pretty form become `xla` ops while they are parsed: small dialects under the foreign namespaces hand each op
// to the parser of the `xla` op of the same name. Ops in generic form stay what they are (ForeignOps.h) until
// `importStablehlo` replaces them.

#ifndef MLIR_XLA_DIALECT_STABLEHLO_STABLEHLOINPUT_H
#define MLIR_XLA_DIALECT_STABLEHLO_STABLEHLOINPUT_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xla {

/// Appends to an error that the dialect has no op for `name` (`xla.tanhh`, `stablehlo.tanhh`), and what it may have
/// meant.
InFlightDiagnostic &unknownOp(InFlightDiagnostic &&error, StringRef name, MLIRContext *context);
/// The same, of the op that is being parsed.
ParseResult unknownOp(OpAsmParser &parser, StringRef name);

/// Makes the namespaces `stablehlo`, `chlo`, `mhlo` and `check` readable, and `sdy` (ShardingInput.h).
void registerStablehloInput(DialectRegistry &registry);

/// Turns every op of a foreign namespace below `root` into its `xla` op, in place. Fails, with an error at the op,
/// where there is none. Shardings are dropped (ShardingInput.h); otherwise a module without foreign ops is left
/// untouched. Also checks calls (Calls.h): this is the step between parsing and verification.
LogicalResult importStablehlo(Operation *root);

/// `--xla-import-stablehlo`: `importStablehlo` as a pass. Tools run it right after parsing.
std::unique_ptr<Pass> createImportStablehloPass();
void registerImportStablehloPass();

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_STABLEHLO_STABLEHLOINPUT_H
