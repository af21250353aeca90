// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions and window reductions: what pads the input is computed for a block of rows at a time.

#ifndef MLIR_XLA_LOWERING_KERNELS_WINDOWS_H
#define MLIR_XLA_LOWERING_KERNELS_WINDOWS_H

#include "mlir_xla/lowering/kernels/Clusters.h"

namespace mlir::xla {

/// Is what `reader` reads padding around memory, which its windows can as well read where that is? Neighbours share
/// what their windows have in common, and whole vectors are inside or outside.
bool readsPaddingInPlace(const KernelOp &reader, const KernelOp::Read &read);

/// Is `op` padding around tensors of pixels, whose last dimension is none of those that it pads? So what says where the
/// padding is is the same for all channels of a pixel.
bool isPaddingOfPixels(linalg::LinalgOp op);

/// Is `reader` a convolution that was written as a product of matrices, whose rows tiles pack from what `read` pads?
/// They read the padding where it is.
bool packsPadding(const KernelOp &reader, const KernelOp::Read &read);

/// Is what `use` reads padding around memory, which a window on a device can as well read where that is? Threads ask of
/// each vector of neighbours whether it is inside; zeros are nothing to multiply.
bool readsPaddingOnDevice(OpOperand &use);

/// Is what `use` reads a tensor of which some dimensions go backwards, as the kernel of a gradient? Threads that
/// multiply read it as well where that is, unless neighbours in memory change places.
bool readsBackwardsOnDevice(OpOperand &use);

/// Is what `use` reads the columns that `--xla-multiply-parts` makes of complex numbers, which so few rows are
/// multiplied with that one block reads each? Then it computes them.
bool readsPartsOnDevice(OpOperand &use);

/// Merges elementwise clusters that only windows read with the clusters of those windows.
void fuseWindows(std::vector<Cluster> &clusters, KernelOps &known);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_WINDOWS_H
