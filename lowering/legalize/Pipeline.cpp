// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipeline of the `legal` stage.

#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::xla::buildLegalizePipeline(OpPassManager &manager, bool device) {
  manager.addPass(createCheckInput());
  manager.addPass(createRecognizeComposites());
  manager.addPass(createInlineCalls());
  manager.addPass(createExpandApproxTopK());
  manager.addPass(createFlattenTuples());
  manager.addPass(createDropLayouts());
  manager.addPass(createDecomposeComposites({device}));
  if (!device)
    manager.addPass(createSplitComplexProducts());
  manager.addNestedPass<func::FuncOp>(createCSEPass());
  manager.addPass(createSimplify({/*sinksProducts=*/!device, device}));
  manager.addNestedPass<func::FuncOp>(createCSEPass());
  manager.addPass(createCheckLegal());
}
