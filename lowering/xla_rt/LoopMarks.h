// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs say of their loops to whoever makes kernels of them.

#ifndef MLIR_XLA_LOWERING_XLA_RT_LOOPMARKS_H
#define MLIR_XLA_LOWERING_XLA_RT_LOOPMARKS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::xla {

/// On a loop: its kernels are launched for every iteration, however small they are (lowering/gpu/LaunchLoops.cpp), and
/// are kernels (lowering/kernels/SinkLoops.cpp).
inline constexpr llvm::StringLiteral kLaunched = "xla_rt.launched";

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_XLA_RT_LOOPMARKS_H
