// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes about the schedule on tensors, which all backends share.

#ifndef MLIR_XLA_LOWERING_SCHEDULE_PASSES_TD
#define MLIR_XLA_LOWERING_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrintBufferPlan : Pass<"xla-print-buffer-plan", "ModuleOp"> {
  let summary = "Print where every tensor of the schedule lives";
  let description = [{
    Plans the buffers of the schedule `@main` as `--xla-assign-buffers` does, with the scratch memory of all kernels in
    the arena, and prints the plan. `v0`, `v1`, ... are variables: addresses that a loop or a branch hands on.

    ```mlir
    func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
      %r:2 = scf.while (%i = %n, %a = %x) ... {
        %p = func.call @positive(%i) : (tensor<i32>) -> tensor<i1>
        %more = tensor.extract %p[] : tensor<i1>
        scf.condition(%more) %i, %a : tensor<i32>, tensor<4xf32>
      } do {
      ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
        %0 = func.call @decrement(%i) : (tensor<i32>) -> tensor<i32>
        %1 = func.call @reverse(%a) : (tensor<4xf32>) -> tensor<4xf32>
        scf.yield %0, %1 : tensor<i32>, tensor<4xf32>
      }
      return %r#1 : tensor<4xf32>
    }
    // prints
    @main in an arena of 144 bytes
      copy argument[0] -> arena[64:68]
      copy argument[1] -> result[0]
      scf.while (result[0], arena[0:16])
        block (v0, v1)
          @positive (arena[64:68]) -> arena[128:129]
          tensor.extract (arena[128:129]) -> i1
          hands on (v0, v1)
        block (v2, v3)
          @decrement (arena[64:68]) -> arena[64:68]
          @reverse (v2) -> v3
          hands on (v3, v2)
        gives (v4, v5)
      copy v4 -> result[0]
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let options = [
    Option<"frame", "frame", "int64_t", "0", "Bytes of the stack that small values may take">,
    Option<"device", "device", "bool", "false", "For a GPU, which decides what it can">,
  ];
}

#endif // MLIR_XLA_LOWERING_SCHEDULE_PASSES_TD
