// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the `legal` stage: from any xla program to one function on static tensors.

#ifndef MLIR_XLA_LOWERING_LEGALIZE_PASSES_TD
#define MLIR_XLA_LOWERING_LEGALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckInput : Pass<"xla-check-input", "::mlir::ModuleOp"> {
  let summary = "Report what is no program of the stage `xla`";
  let description = [{
    The input is to hold functions, calls and ops of the dialect `xla`, and the data of its constants. The first op of
    another stage is reported, as is every constant whose resource is missing or of another size.

    ```mlir
    // error: 'tensor.empty' op is not an op of the stage `xla`; `xla-opt --from=<stage> --to=<stage>` goes on from a later one
    %0 = tensor.empty() : tensor<4xf32>
    ```
  }];
}

def RecognizeComposites : Pass<"xla-recognize-composites", "::mlir::ModuleOp"> {
  let summary = "Make ops of composites whose decompositions do more than the op";
  let description = [{
    A composite `chlo.top_k`, as JAX exports the largest elements of rows, becomes `xla.top_k`, if operand, results and
    `k` are such as that takes; its decomposition sorts all elements. Other composites are left.

    ```mlir
    %0:2 = xla.composite "chlo.top_k" %x {composite_attributes = {is_stable = true, k = 3 : i64}, decomposition = @chlo.top_k.impl}
      : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    ```
    becomes
    ```mlir
    %values, %indices = xla.top_k(%x, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
    ```
  }];
}

def InlineCalls : Pass<"xla-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Inline all calls into @main and drop the other functions";
  let description = [{
    The entry is `@main` or, failing that, the only public function, which is renamed. Calls and composites are replaced
    by what they call. A function that calls itself, directly or not, is an error (`Call-N2`). Of equal calls in one
    block the first does for all, if it has no side effects. Calls that multiply a program beyond 100,000 operations,
    and regions more than 400 deep in each other, are errors that take no longer to find than the program is long.

    ```mlir
    func.func public @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @double(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    func.func private @double(%x: tensor<f32>) -> tensor<f32> {
      %0 = xla.add %x, %x : tensor<f32>
      return %0 : tensor<f32>
    }
    ```
    becomes
    ```mlir
    func.func public @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = xla.add %x, %x : tensor<f32>
      return %0 : tensor<f32>
    }
    ```
  }];
}

def ExpandApproxTopK : Pass<"xla-expand-approx-top-k", "::mlir::ModuleOp"> {
  let summary = "Sort where JAX asks for the approximately largest elements";
  let description = [{
    The custom call has the arrays, their initial values, the function that compares and, in `mhlo.backend_config`, the
    dimension.

    ```mlir
    %0:2 = xla.custom_call @ApproxTopK(%x, %i, %lowest, %none) {called_computations = [@greater], ...}
        : (tensor<8x16xf32>, tensor<8x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x3xf32>, tensor<8x3xi32>)
    // =>
    %s:2 = "xla.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({...})
    %0 = xla.slice %s#0 [0:8, 0:3]
    %1 = xla.slice %s#1 [0:8, 0:3]
    ```
  }];
}

def FlattenTuples : Pass<"xla-flatten-tuples", "::mlir::ModuleOp"> {
  let summary = "Replace tuples by their elements";
  let description = [{
    Function signatures, loops, branches, barriers and custom calls take and return the elements of (nested) tuples.

    ```mlir
    %t = xla.tuple %a, %b : tuple<tensor<f32>, tensor<i32>>
    %0 = xla.optimization_barrier %t : tuple<tensor<f32>, tensor<i32>>
    %1 = xla.get_tuple_element %0[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
    ```
    becomes
    ```mlir
    %0:2 = xla.optimization_barrier %a, %b : tensor<f32>, tensor<i32>    // %1 is %0#1
    ```
  }];
}

def DropLayouts : Pass<"xla-drop-layouts", "::mlir::ModuleOp"> {
  let summary = "Turn layouts into the shapes of buffers, and drop them";
  let description = [{
    No op's result depends on a layout: inside the program every tensor is row-major. Arguments and results of `@main`,
    and operands and results of custom calls, become row-major tensors of the same memory: their dimensions are those of
    the layout from major to minor, padding included. `xla_rt.signature` then has the types with the layouts. The calls
    of LAPACK have layouts of their own, which are left to their lowering.

    ```mlir
    func.func @main(%x: tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1], padded = [2, 5]>>) -> tensor<2x3xf32> {
      %0 = xla.negate %x : (tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1], padded = [2, 5]>>) -> tensor<2x3xf32>
    ```
    becomes
    ```mlir
    func.func @main(%x: tensor<5x2xf32>) -> tensor<2x3xf32> attributes {xla_rt.signature = ...} {
      %0 = xla.slice %x [0:3, 0:2] : (tensor<5x2xf32>) -> tensor<3x2xf32>
      %1 = xla.transpose %0, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
      %2 = xla.negate %1 : tensor<2x3xf32>
    ```
  }];
  let dependentDialects = ["::mlir::xla::XlaRtDialect"];
}

def DecomposeComposites : Pass<"xla-decompose-composites", "::mlir::ModuleOp"> {
  let summary = "Express composite ops by simpler ones";
  let description = [{
    `batch_norm_training`, `batch_norm_inference` and `batch_norm_grad` become reductions and elementwise ops (computed
    in f32 for narrower types), `dot` becomes `dot_general`, `broadcast` becomes `broadcast_in_dim`. `rng` becomes a
    formula of the bits that follow from the runtime's next state, `ragged_dot` a loop over its groups, `scan` a
    cumulative `reduce_window` or a loop. A `scatter` of many updates into few elements is split into parts with targets
    of their own, which a `reduce` combines; for a `device` into more parts, unless its threads have an atomic
    instruction.

    ```mlir
    %0 = xla.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    ```
    becomes
    ```mlir
    %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let options = [Option<"device", "device", "bool", "false", "For the threads of a GPU, of which there are many more">];
}

def Simplify : Pass<"xla-simplify", "::mlir::ModuleOp"> {
  let summary = "Canonicalize, and fold transposes, powers and gathers into what they amount to";
  let description = [{
    Runs the canonicalizations of the ops together with rewrites that pay off before lowering: transposes move into the
    dimension numbers of `dot_general`, powers with small constant exponents become products, angles of points `(1, y)`,
    as JAX writes them, arcus tangents, a gather of one slice becomes a `dynamic_slice`, a scatter of one window a
    `dynamic_update_slice`. A choice for all elements between an array and the same with windows updated is one of what
    the windows hold. Elementwise ops of a concatenation of a few parts are done part by part, if of all that follows
    one tensor at most is needed as a whole, and a transposition of a few rows that are stacked is one of the rows; many
    columns side by side are rows that are stacked and transposed, and stacks of stacks of columns, as rotations are,
    are rows of all of their columns, unless for a `device`. An extremum of narrow floats is found in f32, which rounds
    nothing. Factors of 8 bits and less of `dot_general` and `convolution` are widened to bf16 before, which has their
    numbers.

    A loop of up to eight iterations of elementwise code, such as the rounds of a random generator, is written out, so
    that one kernel computes it without arrays in between. A contraction in a counted loop of one index of an array with
    an array that all iterations share becomes one contraction before the loop, and a slice of it in the loop. What the
    loop stacks up, slice by slice, begins with these products, if it reads the same slices of them. With
    `sinks-products`, a contraction that takes no longer by itself stays in the loop if nothing does. With `device`, the
    stack has memory of its own, so that writing it is no part of what the next iteration waits for; and contractions of
    what is concatenated are sums of contractions of its parts, if some of those leave the loop then. What costs time
    and is alike in every iteration leaves the loop, and so does, unless for a `device`, the transposition of a small
    matrix that a contraction would read across.

    ```mlir
    %t = xla.transpose %a, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %0 = xla.dot_general %t, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    ```
    becomes
    ```mlir
    %0 = xla.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<3x2xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let options = [Option<"sinksProducts", "sinks-products", "bool", "false",
                        "Leave contractions in loops whose iterations compute them as fast, as those of a CPU may">,
                 Option<"device", "device", "bool", "false", "Loops are for a device, which launches kernels">];
}

def SplitComplexProducts : Pass<"xla-split-complex-products", "::mlir::ModuleOp"> {
  let summary = "Write contractions and convolutions of complex numbers as those of their parts";
  let description = [{
    Rows of real and imaginary parts side by side, times the four parts of the columns, are as many multiplications as
    complex numbers take, of real numbers, of which a CPU packs blocks for its caches. The operand with fewer rows or
    columns has the four parts. Small contractions stay, as copies would take as long as they do. Convolutions without
    groups are split alike, by their channels and features.

    ```mlir
    %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<256x256xcomplex<f32>>, tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>>
    ```
    becomes
    ```mlir
    %l = xla.concatenate %a_re, %a_im, dim = 1
    %r = xla.concatenate %b_re_im, %minus_b_im_re, dim = 0
    %p = xla.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
    %0 = xla.complex (%p [0:256, 0:256]), (%p [0:256, 256:512])
    ```
  }];
}

def CheckLegal : Pass<"xla-check-legal", "::mlir::ModuleOp"> {
  let summary = "Report what the compiler cannot lower";
  let description = [{
    After it the program consists of one function `@main` of ops that the `linalg` stage lowers, on tensors of static
    shape. Everything else is reported at the op that has it: dynamic dimensions, tokens, ops that communicate.

    ```mlir
    // error: 'xla.negate' op cannot be compiled: 'tensor<?xf32>' has a dynamic dimension
    %0 = xla.negate %x : tensor<?xf32>
    ```
  }];
}

#endif // MLIR_XLA_LOWERING_LEGALIZE_PASSES_TD
