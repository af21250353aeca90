// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conversion from the `loops` stage to the LLVM dialect, as what is worth building once per context.

#ifndef MLIR_XLA_LOWERING_NATIVE_LLVMCONVERTER_H
#define MLIR_XLA_LOWERING_NATIVE_LLVMCONVERTER_H

#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

#include <map>

namespace mlir::xla {

class LLVMConverter {
public:
  /// Adds what a target has beside, to the types, to what is legal and to the patterns.
  using MorePatterns = void (*)(LLVMTypeConverter &types, ConversionTarget &target, RewritePatternSet &patterns);

  explicit LLVMConverter(MLIRContext *context, MorePatterns more = nullptr);

  /// Converts all that has a pattern, and leaves the rest as it is.
  LogicalResult run(ModuleOp module);

private:
  const FrozenRewritePatternSet &patternsFor(unsigned needs);

  LLVMTypeConverter types;
  LLVMConversionTarget target;
  std::map<unsigned, FrozenRewritePatternSet> patterns; // by what is needed
  // Complex arithmetic becomes real arithmetic first: its patterns build on complex values, not on LLVM structs.
  ConversionTarget realTarget;
  FrozenRewritePatternSet realPatterns;
  MorePatterns more;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_LLVMCONVERTER_H
