// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes from the `linalg` stage to the `kernels` stage, in order.

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/kernels/Passes.h"

#include "mlir/Transforms/Passes.h"

void mlir::xla::buildKernelsPipeline(OpPassManager &passes, unsigned vectorBits, StringRef instructions) {
  OpPassManager &functions = passes.nest<func::FuncOp>();
  functions.addPass(createShareConditions());
  functions.addPass(createChooseUpdates());
  functions.addPass(createDecomposeWrites());
  functions.addPass(createArrangeConvolutions({vectorBits, instructions.str()}));
  functions.addPass(createFlattenConvolutions({vectorBits, instructions.str()}));
  functions.addPass(createWidenConvolutions());
  functions.addPass(createFoldReshapes());
  functions.addPass(createSinkLoops({/*device=*/false}));
  functions.addPass(createFoldTransposes());
  functions.addPass(createDeferQuotients());
  functions.addPass(createMarkWeights());
  functions.addPass(createUnrollReductions());
  functions.addPass(createSplitReductions({/*device=*/false, vectorBits, instructions.str()}));
  functions.addPass(createMergeReductions());
  functions.addPass(createSplitScans());
  functions.addPass(createSplitTransforms());
  // Without such an instruction, bytes are widened once and not for every product.
  if (Machine::withVectors(vectorBits, instructions).hasPmaddwd)
    functions.addPass(createFoldWidenings());
  functions.addPass(createPackContractions({vectorBits, instructions.str()}));
  functions.addPass(createArrangeFactors({vectorBits}));
  functions.addPass(createCSEPass());
  passes.addPass(createFormKernels({/*device=*/false, vectorBits, instructions.str()}));
  passes.addPass(createShareKernels({/*constants=*/true}));
}

void mlir::xla::buildGpuKernelsPipeline(OpPassManager &passes) {
  OpPassManager &functions = passes.nest<func::FuncOp>();
  functions.addPass(createShareConditions());
  functions.addPass(createChooseUpdates({/*device=*/true}));
  functions.addPass(createOrderScatters());
  functions.addPass(createDecomposeWrites({/*device=*/true}));
  functions.addPass(createFoldReshapes({/*device=*/true}));
  functions.addPass(createSinkLoops({/*device=*/true}));
  functions.addPass(createFoldTransposes());
  functions.addPass(createMultiplyParts());
  functions.addPass(createFoldWidenings());
  functions.addPass(createUnrollReductions());
  functions.addPass(createSplitReductions({/*device=*/true}));
  functions.addPass(createMergeReductions({/*device=*/true}));
  functions.addPass(createSplitScans({/*device=*/true}));
  functions.addPass(createCSEPass());
  passes.addPass(createFormKernels({/*device=*/true}));
  passes.addPass(createShareKernels());
}
