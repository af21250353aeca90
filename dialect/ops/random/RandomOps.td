// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random family: random numbers from hidden state, random bits from explicit state.

#ifndef MLIR_XLA_DIALECT_OPS_RANDOM_RANDOMOPS_TD
#define MLIR_XLA_DIALECT_OPS_RANDOM_RANDOMOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

def Xla_RngOp : Xla_Op<"rng", [Xla_HasTensorOperands, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "independent random numbers";
  let description = [{
    Draws from the uniform distribution on `[a, b)`, or from the normal one of mean `a` and standard deviation `b`. The
    generator's state is hidden: two of these ops draw different numbers, and neither may be merged with another or done
    twice. `shape` has the dims of the result.

    ```mlir
    %x = xla.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
    ```

    Constraints (those of `RngUniform` for `UNIFORM`):
    - `RngNormal-C1` `RngUniform-C1` `a` and `b` are scalars.
    - `RngNormal-C2` they are FLOAT. `RngUniform-C2` they are PRED, INT or FLOAT.
    - `RngNormal-C3` `RngUniform-C3` `a`, `b` and the result have the same element type.
    - `RngNormal-C5` `RngUniform-C5` `shape` has one integer for each dim of the result, its size if it is constant.
  }];
  let arguments = (ins Xla_Tensor:$a, Xla_Tensor:$b, Xla_Tensor:$shape, Xla_RngDistributionAttr:$rng_distribution);
  let results = (outs Xla_Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Xla_RngBitGeneratorOp : Xla_Op<"rng_bit_generator", [Pure, Xla_HasTensorOperands]> {
  let summary = "random bits and the state for more of them";
  let description = [{
    Fills `output` with uniformly random bits, which only depend on `initial_state`; `output_state` continues the stream.
    `THREE_FRY` (`tensor<2xui64>`: key, counter) and `PHILOX` (`tensor<3xui64>`: key, low and high half of the counter)
    are threefry2x32 of 20 rounds and philox4x32 of 10 rounds (Salmon et al., Parallel random numbers: as easy as 1, 2, 3,
    SC 2011). `DEFAULT` is Philox with 2 or 3 words of state.

    ```mlir
    %state, %bits = xla.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui32>)
    ```

    Constraints:
    - `RngBitGenerator-C1` the state is `tensor<2xui64>` for `THREE_FRY`, `tensor<3xui64>` for `PHILOX`, either for `DEFAULT`
      (which is what StableHLO's `PHILOX` with two words becomes).
    - `RngBitGenerator-C2` the new state has the type of the old one.
    - `RngBitGenerator-C3` the bits are INT or FLOAT elements of 8, 16, 32 or 64 bits.
  }];
  let arguments = (ins Xla_RngAlgorithmAttr:$rng_algorithm, Xla_Tensor:$initial_state);
  let results = (outs Xla_Tensor:$output_state, Xla_Tensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` $rng_algorithm attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // MLIR_XLA_DIALECT_OPS_RANDOM_RANDOMOPS_TD
