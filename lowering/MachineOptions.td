// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of passes that decide by the processor.

#ifndef MLIR_XLA_LOWERING_MACHINEOPTIONS_TD
#define MLIR_XLA_LOWERING_MACHINEOPTIONS_TD

include "mlir/Pass/PassBase.td"

/// Of which Machine::withVectors makes what a pass knows of it, and which Machine::checkVectors checks.
defvar machineOptions = [
  Option<"vectorBits", "vector-bits", "unsigned", "512", "Width of a vector register">,
  Option<"instructions", "instructions", "std::string", [{""}],
         "What products of narrow numbers may use: pmaddwd,vpdpbusd,vdpbf16ps,tdpbssd,tdpbf16ps,tdpfp16ps or fewer; "
         "mulps: what those of floats have to use">,
];

#endif // MLIR_XLA_LOWERING_MACHINEOPTIONS_TD
