// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fft family: Fourier transforms.

#ifndef MLIR_XLA_DIALECT_OPS_FFT_FFTOPS_TD
#define MLIR_XLA_DIALECT_OPS_FFT_FFTOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

def Xla_FftOp : Xla_InferredOp<"fft", [Pure, Xla_HasTensorOperands]> {
  let summary = "discrete Fourier transform over the last dimensions";
  let description = [{
    Transforms the innermost 1 to 3 dimensions, of time-domain lengths `fft_length`; the others are batch dimensions.
    Along an axis of length n, `FFT` is `X[f] = sum over t of x[t] exp(-2 pi i f t / n)` and `IFFT` its inverse, which
    divides by n. `RFFT` takes real numbers and gives the first `n/2 + 1` frequencies of the last axis; `IRFFT` takes those
    and gives real numbers, and ignores what cannot be in the transform of real numbers. The step between real and
    complex numbers is on the last axis, first for `RFFT` and last for `IRFFT`.

    ```mlir
    %spectrum = xla.fft %x, type = RFFT, length = [512, 512] : (tensor<16x512x512xf32>) -> tensor<16x512x257xcomplex<f32>>
    ```

    Constraints, with k the number of lengths:
    - `Fft-C1` k is 1, 2 or 3 and no more than the operand's rank.
    - `Fft-C2` `FFT` and `IFFT` take and give complex elements, `RFFT` takes `f32` or `f64` and gives the complex type,
      `IRFFT` the other way round.
    - `Fft-C3` the last k sizes of the operand are the lengths; the last one is `length / 2 + 1` for `IRFFT`.
    - `Fft-C4` the result has the operand's dims but for the last one of `RFFT` and `IRFFT`.
  }];
  let arguments = (ins Xla_Tensor:$operand, Xla_FftTypeAttr:$fft_type, DenseI64ArrayAttr:$fft_length);
  let results = (outs Xla_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // MLIR_XLA_DIALECT_OPS_FFT_FFTOPS_TD
