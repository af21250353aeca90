// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect `xla_rt`: the contract between the schedule of a program and its kernels.

#ifndef MLIR_XLA_LOWERING_XLA_RT_XLART_H
#define MLIR_XLA_LOWERING_XLA_RT_XLART_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::xla {

/// Where a kernel puts a result.
struct ResultMemory {
  enum Kind : uint8_t { New, MayReuse, Updates };
  Kind kind = New;
  unsigned argument = 0; // whose memory it is; 0 for new memory

  bool operator==(const ResultMemory &other) const { return kind == other.kind && argument == other.argument; }
};
inline llvm::hash_code hash_value(const ResultMemory &memory) {
  return llvm::hash_combine(memory.kind, memory.argument);
}

} // namespace mlir::xla

#include "mlir_xla/lowering/xla_rt/XlaRtEnums.h.inc"

#include "mlir_xla/lowering/xla_rt/XlaRtDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "mlir_xla/lowering/xla_rt/XlaRtAttrs.h.inc"

#define GET_OP_CLASSES
#include "mlir_xla/lowering/xla_rt/XlaRtOps.h.inc"

namespace mlir::xla {

/// Null unless `function` is a kernel.
KernelAttr kernelOf(func::FuncOp function);
/// Null unless `function` is a kernel with an implementation.
ImplementationAttr implementationOf(func::FuncOp function);

/// What kernel `op` is by itself, if it is one that shares none with other ops.
std::optional<KernelKind> wholeKernelKind(Operation *op);
/// The op of that kind which `kernel`, with a body, holds; null if it holds loop nests.
DestinationStyleOpInterface wholeKernelIn(func::FuncOp kernel);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_XLA_RT_XLART_H
