// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops and the intrinsics of the llvm dialect in one file, for the Python bindings.

include "mlir/Dialect/LLVMIR/LLVMOps.td"
include "mlir/Dialect/LLVMIR/LLVMIntrinsicOps.td"
