// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the `kernels` stage.

#ifndef MLIR_XLA_LOWERING_KERNELS_PASSES_TD
#define MLIR_XLA_LOWERING_KERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "mlir_xla/lowering/MachineOptions.td"

def DecomposeWrites : Pass<"xla-decompose-writes", "::mlir::func::FuncOp"> {
  let summary = "Express pad as a choice per element and concatenate as one or as writes of boxes";
  let description = [{
    `tensor.pad` becomes a generic op that reads the source where it is inside. `tensor.concat` becomes a chain of
    `tensor.insert_slice` into one uninitialised tensor; every link of the chain later becomes a kernel that writes its
    box in place, with the producers of the box fused into it. What reads one of the tensors only, as a gather reads the
    components of its positions, reads that one itself. A concatenation of up to four parts of tensors that are in
    memory anyway, every element of which its readers read once and in order, becomes a generic op that reads from the
    part that has the element, and is no tensor in memory; for a `device` also one of any parts that a Fourier transform
    alone reads, which computes what it loads. Boxes of it, if nothing else is read, are concatenations of boxes of the
    parts. One of up to 16 columns (4 for a `device`), each a part, is a choice by the column, if nothing reads it with
    other columns than its own; rows that are stacked and transposed are such columns.

    ```mlir
    %0 = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
    // =>
    %e = tensor.empty() : tensor<5xf32>
    %1 = tensor.insert_slice %a into %e[0] [2] [1] : tensor<2xf32> into tensor<5xf32>
    %0 = tensor.insert_slice %b into %1[2] [3] [1] : tensor<3xf32> into tensor<5xf32>

    %0 = tensor.pad %a low[1] high[2] { tensor.yield %c : f32 } : tensor<2xf32> to tensor<5xf32>
    // =>
    %0 = linalg.generic {iterator_types = ["parallel"], ...} outs(%e : tensor<5xf32>) {
      %i = linalg.index 0
      %at = arith.subi %i, %c1
      %inside = arith.cmpi ult, %at, %c2
      %x = scf.if %inside -> (f32) { scf.yield (tensor.extract %a[%at]) } else { scf.yield %c : f32 }
      linalg.yield %x
    }
    ```
  }];
  let options = [Option<"device", "device", "bool", "false", "For a GPU">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def ChooseUpdates : Pass<"xla-choose-updates", "::mlir::func::FuncOp"> {
  let summary = "Express updates of most of a tensor as a choice per element, where it cannot be updated in place";
  let description = [{
    An update of at least half of a tensor, whose new values are made element by element, becomes a generic op that
    computes them where they are, and reads the tensor elsewhere: if they are made of other elements of the tensor,
    which therefore has to stay until the last of them is known, if it is an argument of the program, and if it is one
    number everywhere. For a `device`, so are the updates that put a tensor together of parts whose elements take turns,
    as the levels of `jax.lax.associative_scan` do: each level is computed where the next one chooses from it.

    ```mlir
    %0 = tensor.insert_slice %a into %x[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
    // =>
    %0 = linalg.generic {iterator_types = ["parallel"], ...} outs(%e : tensor<8xf32>) {
      %i = linalg.index 0
      %at = arith.subi %i, %c1
      %inside = arith.cmpi ult, %at, %c6
      %v = scf.if %inside -> (f32) { scf.yield (tensor.extract %a[%at]) } else { scf.yield (tensor.extract %x[%i]) }
      linalg.yield %v
    }
    ```
  }];
  let options = [Option<"device", "device", "bool", "false", "For a GPU">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FoldReshapes : Pass<"xla-fold-reshapes", "::mlir::func::FuncOp"> {
  let summary = "Read through reshapes that only add or drop dimensions of size 1";
  let description = [{
    ```mlir
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, ...]} ins(%1 : tensor<8x1xf32>) ...
    // =>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, ...]} ins(%0 : tensor<8xf32>) ...
    ```
    For a device, sums of products also lose the loops of one iteration that all readers of their results drop, as of a
    single image, so that these are part of the kernel. Windows of rows of the CPU know images by them.
  }];
  let options = [Option<"device", "device", "bool", "false", "For a GPU">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FoldTransposes : Pass<"xla-fold-transposes", "::mlir::func::FuncOp"> {
  let summary = "Have a contraction write its result in the order that its only reader wants";
  let description = [{
    ```mlir
    %1 = linalg.generic {... -> (m, n)} ins(%x, %y) ...                                             // a contraction
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, ...]} ins(%1) ...           // a copy
    // =>
    %2 = linalg.generic {... -> (n, m)} ins(%x, %y) ...
    ```
    Elementwise code may be in between: it then computes in the other order, too.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def DeferQuotients : Pass<"xla-defer-quotients", "::mlir::func::FuncOp"> {
  let summary = "Divide by the sums of a softmax after the product with it, instead of before";
  let description = [{
    Attention has a product of softmaxes along its keys with values: each result is divided by a sum, instead of each
    weight, of which there are more. Weights are exponentials that are at most 1: sums are at most as many times as
    large as before as they have terms, for which f32 and f64 have room. If the quotients are rounded, say to bf16, before
    they are multiplied, the exponentials are.

    ```mlir
    %p = linalg.generic ins(%e, %s : tensor<512x512xf32>, tensor<512xf32>) ... { arith.divf }
    %r = linalg.generic ins(%p, %v : tensor<512x512xf32>, tensor<512x64xf32>) ...            // a contraction
    // =>
    %q = linalg.generic ins(%e, %v : tensor<512x512xf32>, tensor<512x64xf32>) ...
    %r = linalg.generic ins(%q, %s : tensor<512x64xf32>, tensor<512xf32>) ... { arith.divf }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def MarkWeights : Pass<"xla-mark-weights", "::mlir::func::FuncOp"> {
  let summary = "Mark the softmaxes whose smallest weights may be flushed to zero";
  let description = [{
    The weights of a softmax are exponentials of numbers from which the greatest was subtracted, and their sum is at
    least 1. Those below the smallest normal number may be zero: without such results an exponential takes a quarter
    fewer instructions. `afn`, and no other flag, says so, and that no argument is above 0. Where somebody takes
    logarithms of them, all stay as they are. Where scores are masked, `xla_rt.masked` says so, and code asks whether a
    vector of weights is all zero before it computes them.

    ```mlir
    %w = linalg.generic ins(%d : tensor<8x512xf32>) ... { math.exp %x }
    %s = linalg.generic ins(%w : tensor<8x512xf32>) outs(%z : tensor<8xf32>) ... { arith.addf }
    // =>
    %w = linalg.generic ins(%d : tensor<8x512xf32>) ... { math.exp %x fastmath<afn> }
    %s = linalg.generic ins(%w : tensor<8x512xf32>) outs(%z : tensor<8xf32>) ... { arith.addf }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ArrangeConvolutions : Pass<"xla-arrange-convolutions", "::mlir::func::FuncOp"> {
  let summary = "Write convolutions for tile registers as products of matrices";
  let description = [{
    Tile registers are loaded with rows of memory that are any distance apart. So convolutions and their gradients, of
    bf16 and of bytes and in any order of dimensions, are products of the image, or of a copy of it in order: a row of
    the product is read where it is, at an address that loops of results and of the sum add to. Channels that are no
    whole tiles, or the last loop of the window, are filled up with zeros. What is computed of results follows in the
    order of the product. `--xla-flatten-convolutions` has what is left.

    ```mlir
    %0 = linalg.generic (n, f, h, w, c, y, x) ins(%image[n, c, h + y, w + x], %kernel[f, c, y, x]) outs(%i[n, f, h, w])
    // =>
    %x = linalg.generic ... ins(%image : tensor<2x64x16x16xbf16>) ... -> tensor<2x16x16x64xbf16>
    %y = linalg.generic ... ins(%kernel : tensor<40x64x3x3xbf16>) ... -> tensor<3x3x64x40xbf16>
    %a = tensor.collapse_shape %x [[0, 1, 2, 3]]
    %b = tensor.collapse_shape %y [[0, 1, 2], [3]]
    %1 = linalg.generic (m, f, k)
        ins(%a[m * 64 + m / 14 * 128 + m / 196 * 2048 + k + k / 192 * 832], %b[k, f]) outs(%j[m, f])
    %2 = tensor.expand_shape %1 [[0, 1, 2], [3]] : tensor<392x40xf32> into tensor<2x14x14x40xf32>
    %0 = linalg.generic ... ins(%2) ... -> tensor<2x40x14x14xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let options = machineOptions;
}

def FlattenConvolutions : Pass<"xla-flatten-convolutions", "::mlir::func::FuncOp"> {
  let summary = "Write convolutions of narrow numbers, and those with large kernels, as products of matrices";
  let description = [{
    Where the processor has an instruction for sums of products of narrow numbers, or where a kernel of floats is so
    large that it is not to be read for every row of pixels, a convolution with channels last is a product of matrices:
    its rows are pixels of results, its steps places in the window and channels. The rows are read from the image by
    divisions of indices, and tiles pack blocks of them; nothing is stored beside the padded image. A convolution of
    floats with channels first becomes one of copies with channels last.

    ```mlir
    %0 = linalg.generic (n, h, w, f, y, x, c) ins(%image[n, h + y, w + x, c], %kernel[y, x, c, f]) outs(%i[n, h, w, f])
    // =>
    %a = tensor.collapse_shape %image [[0], [1], [2, 3]]
    %b = tensor.collapse_shape %kernel [[0, 1, 2], [3]]
    %1 = linalg.generic (m, f, k) ins(%a[m / HW, m / W mod H + k / XC, m mod W * C + k mod XC], %b[k, f]) outs(%j[m, f])
    %0 = tensor.expand_shape %1 [[0, 1, 2], [3]]
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let options = machineOptions;
}

def WidenConvolutions : Pass<"xla-widen-convolutions", "::mlir::func::FuncOp"> {
  let summary = "Widen the factors of f16 and bf16 convolutions to f32 beforehand";
  let description = [{
    Each element of the image and of the kernel is read many times, so it is widened once, before. What only the
    convolution reads is widened where it is padded, a block of rows at a time. Those whose elements are read a few
    times, as depthwise ones are, widen what they read, and so do those that `--xla-flatten-convolutions` has made
    products of matrices.

    ```mlir
    %0 = linalg.generic ... ins(%image, %kernel : tensor<8x58x58x20xf16>, tensor<3x3x20x64xf16>) { arith.extf; arith.extf; arith.mulf; arith.addf }
    // =>
    %x = linalg.generic ... ins(%image : tensor<8x58x58x20xf16>) { arith.extf : f16 to f32 }
    %k = linalg.generic ... ins(%kernel : tensor<3x3x20x64xf16>) { arith.extf : f16 to f32 }
    %0 = linalg.generic ... ins(%x, %k : tensor<8x58x58x20xf32>, tensor<3x3x20x64xf32>) { arith.mulf; arith.addf }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def FoldWidenings : Pass<"xla-fold-widenings", "::mlir::func::FuncOp"> {
  let summary = "Move the widening of narrow integers into the contractions that read them";
  let description = [{
    Programs that multiply bytes of either sign, of which one is signed and the other is not, convert them to a common
    type before. Instructions for products of narrow integers want them as they are, so the conversions become the
    contraction's, if both factors are narrow then.

    ```mlir
    %x = linalg.generic ... ins(%a : tensor<64x64xi8>) { arith.extui : i8 to i32 }
    %y = linalg.generic ... ins(%b : tensor<64x64xi8>) { arith.extsi : i8 to i32 }
    %0 = linalg.generic ... ins(%x, %y : tensor<64x64xi32>, tensor<64x64xi32>) { arith.muli; arith.addi }
    // =>
    %0 = linalg.generic ... ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) { arith.extui; arith.extsi; arith.muli; arith.addi }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::arith::ArithDialect"];
}

def MultiplyParts : Pass<"xla-multiply-parts", "::mlir::func::FuncOp"> {
  let summary = "Write sums of products of complex numbers as those of their parts";
  let description = [{
    On a GPU, blocks of threads and tensor cores multiply real numbers. A row of complex numbers is one of twice as many
    parts in memory (`xla_rt.parts`), so a sum of k complex products is one of 2k real ones, of a row of parts with a
    column whose parts are (re, -im) for the real part of the result, and (im, re) for the imaginary one. That column is
    computed where the kernel reads it. Products of few rows or columns stay, as do results whose neighbours in memory
    are those of both factors.

    ```mlir
    %0 = linalg.generic ... ins(%a, %b : tensor<64x32xcomplex<f32>>, tensor<32x48xcomplex<f32>>) { complex.mul; complex.add }
    // =>
    %x = xla_rt.parts %a : tensor<64x32xcomplex<f32>> to tensor<64x64xf32>
    %y = linalg.generic ... ins(%parts_of_b, %parts_of_b : tensor<32x96xf32>, tensor<32x96xf32>) -> tensor<64x96xf32>
    %z = linalg.generic ... ins(%x, %y : tensor<64x64xf32>, tensor<64x96xf32>) { arith.mulf; arith.addf }
    %0 = xla_rt.parts %z : tensor<64x96xf32> to tensor<64x48xcomplex<f32>>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::arith::ArithDialect",
                           "::mlir::xla::XlaRtDialect"];
}

def SplitReductions : Pass<"xla-split-reductions", "::mlir::func::FuncOp"> {
  let summary = "Reduce in two steps where one step would use a single core";
  let description = [{
    A large reduction with few results is cut: first the trailing (or a part of the) reduced dimensions with many
    independent rows, then the partial results.
    A contraction along a dimension so long that what it reads again leaves the cache is cut into blocks of that
    dimension, unless tiles, which walk it in such blocks, have work for all cores. One of few results is cut as well,
    which would be too few items of work: the product of two vectors, or of a tall matrix. So is the gradient of a
    convolution's kernel, of which every element reads all of an image. A GPU has more parallel rows, and cuts
    contractions as it does them; but of a few long sums of products, it cuts the sums. What no number of rows divides
    is reduced last. Parts begin with what changes nothing, where the initial value would count more than once.

    ```mlir
    %s = linalg.generic ... ins(%x : tensor<4096x1024xf32>) outs(%init : tensor<f32>)            // both dimensions
    // =>
    %p = linalg.generic ... ins(%x : tensor<4096x1024xf32>) outs(%rows : tensor<4096xf32>)       // rows in parallel
    %s = linalg.generic ... ins(%p : tensor<4096xf32>) outs(%init : tensor<f32>)
    ```
  }];
  let options = [Option<"device", "device", "bool", "false", "Split for the threads of a GPU">] # machineOptions;
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::xla::XlaRtDialect"];
}

def MergeReductions : Pass<"xla-merge-reductions", "::mlir::func::FuncOp"> {
  let summary = "Merge reductions that read the same elements";
  let description = [{
    The sums of a batch normalisation and of its gradient, the least and the greatest element, a sum and that of the
    squares: reductions with the same loops and the same places of results, that read elements of the same tensor or
    what follows from it element by element, become one op with the results of all, up to four, which reads memory once.
    Each result has a combiner of its own, and its kernel a reduction for each. What stands between the two and needs
    the first comes behind, if that keeps no large tensor; if the second needs it, both stay. A GPU's kernels of rows,
    which have their reductions in common anyway, keep them apart, since a softmax is known by them.

    ```mlir
    %s = linalg.generic ... ins(%x : tensor<512x128xf32>) outs(%zero : tensor<128xf32>)
    %q = linalg.generic ... ins(%squares : tensor<512x128xf32>) outs(%zero : tensor<128xf32>)
    // =>
    %s, %q = linalg.generic ... ins(%x, %squares : ...) outs(%zero, %zero : ...)
    ```
  }];
  let options = [Option<"device", "device", "bool", "false", "Merge for the threads of a GPU">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def UnrollReductions : Pass<"xla-unroll-reductions", "::mlir::func::FuncOp"> {
  let summary = "Unroll reductions of a few elements each into elementwise ops";
  let description = [{
    Reductions of two to four elements, such as the colours of a pixel, have no rows to speak of: lanes are along other
    dimensions, also those of what is computed of their results. Where results are read for every element again, as by a
    softmax, the elements are rows, and stay reductions. Distances of points that another reduction sums the functions
    of are elementwise in any case, so that it is one reduction.

    ```mlir
    %m = linalg.generic {(i, j) -> (i, j), (i, j) -> (i)} ins(%x : tensor<8x2xf32>) outs(%init : tensor<8xf32>)
    // =>
    %m = linalg.generic {(i) -> (i, 0), (i) -> (i, 1), (i) -> (), (i) -> (i)} ins(%x, %x, %cst) outs(%e : tensor<8xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def ShareConditions : Pass<"xla-share-conditions", "::mlir::func::FuncOp"> {
  let summary = "Reuse in the body of a loop what its condition has computed";
  let description = [{
    Batched loops ask in each iteration which of the batch go on, once to know whether any does, and once to choose
    between new and old values. If that follows from a reduction, or from what is a kernel by itself, the body gets the
    answer of the condition.

    ```mlir
    scf.while (%x = %0) : (tensor<8x4xf32>) -> tensor<8x4xf32> {
      %1 = linalg.reduce ... %x
      scf.condition(%p) %x : tensor<8x4xf32>
    } do {
    ^bb0(%x: tensor<8x4xf32>):
      %1 = linalg.reduce ... %x
    // =>
      scf.condition(%p) %x, %1 : tensor<8x4xf32>, tensor<8xf32>
    } do {
    ^bb0(%x: tensor<8x4xf32>, %1: tensor<8xf32>):
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def SinkLoops : Pass<"xla-sink-loops", "::mlir::func::FuncOp"> {
  let summary = "Move counted loops of elementwise ops into the body of one elementwise op";
  let description = [{
    A loop whose iterations read what they compute element by element, and nothing else of it but scalars such as
    counters, becomes one elementwise operation for the results of each shape: what iterations hand on is in registers,
    and scalars are each element's own. `xla_rt.launched` on a loop leaves it as it is, and so do more operations or
    values than a thread has registers for, and more work than a kernel should do that nobody can interrupt. On a CPU,
    so do functions and long iterations, whose instructions wait for each other.

    ```mlir
    %r = scf.for %n = %c0 to %c50 step %c1 iter_args(%z = %x) -> tensor<8xf32> {
      %1 = linalg.generic {(i) -> (i), (i) -> (i)} ins(%z) outs(%e) { ^bb0(%a: f32, %o: f32): %2 = math.sin %a : f32  linalg.yield %2 : f32 }
      scf.yield %1 : tensor<8xf32>
    }
    // =>
    %r = linalg.generic {(i) -> (i), (i) -> (i)} ins(%x) outs(%e) {
    ^bb0(%a: f32, %o: f32):
      %1 = scf.for %n = %c0 to %c50 step %c1 iter_args(%z = %a) -> f32 { %2 = math.sin %z : f32  scf.yield %2 : f32 }
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    ```
  }];
  let options = [Option<"device", "device", "bool", "false", "For a GPU">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect", "::mlir::scf::SCFDialect"];
}

def SplitTransforms : Pass<"xla-split-transforms", "::mlir::func::FuncOp"> {
  let summary = "Split long Fourier transforms into two steps of many short ones";
  let description = [{
    A transform of n1 n2 elements is one of n1 elements along each of n2 columns, a turn of every result, which is
    stored in rows, and one of n2 elements along each of the n1 columns that there are then, in place. So a single long
    one is work for all cores, what each line needs stays in a cache, and no memory but the result's is needed.

    ```mlir
    %y = xla_rt.library_call "xla_rt_fft_f32" ins(%x : tensor<1048576xcomplex<f32>>) outs(%e : ...)
        parameters = [0, 1, 1, 1, 0, 1, 1048576] work = 1 cost = ... scratch = 0 -> ...
    // =>
    %t = xla_rt.library_call "xla_rt_fft_step_f32" ins(%x : ...) outs(%e : ...)
        parameters = [0, 1, 1024, 1024] work = 64 cost = ... scratch = 0 -> ...
    %y = xla_rt.library_call "xla_rt_fft_f32" outs(%t : ...)
        parameters = [0, 1, 1024, 16, 1, 1, 1024] work = 64 cost = ... scratch = 0 -> ...
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect", "::mlir::xla::XlaRtDialect"];
}

def SplitScans : Pass<"xla-split-scans", "::mlir::func::FuncOp"> {
  let summary = "Split scans into blocks where one pass would use a single core";
  let description = [{
    A few long scans are cut into blocks: what each block comes to, a scan of that, and then a scan within every block
    that begins with what comes before it. Blocks are parallel work, for a second pass over the data.

    ```mlir
    %s = xla_rt.scan ins(%x : tensor<4194304xf32>) initial(%zero : tensor<f32>) ... dimension = 0 {...}
    // =>
    %blocks = tensor.expand_shape %x [[0, 1]] output_shape [64, 65536]
    %totals = linalg.generic ... ins(%blocks[0:63, 1:]) outs(%blocks[0:63, 0]) {...}           // rows in parallel
    %ends = xla_rt.scan ins(%totals : tensor<63xf32>) initial(%zero : tensor<f32>) ... dimension = 0 {...}
    %before = linalg.generic ... { 0: %zero, i: %ends[i - 1] }
    %parts = xla_rt.scan ins(%blocks : tensor<64x65536xf32>) initial(%before : tensor<64xf32>) ... dimension = 1 {...}
    %s = tensor.collapse_shape %parts [[0, 1]]
    ```
  }];
  let options = [Option<"device", "device", "bool", "false", "For the threads of a GPU, of which there are many more">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::xla::XlaRtDialect"];
}

def OrderScatters : Pass<"xla-order-scatters", "::mlir::func::FuncOp"> {
  let summary = "Deal the index vectors of scatters to owners of places, or sort them by these";
  let description = [{
    Threads of a GPU that make updates of one place have to do so in the order of the updates, unless the combiner is an
    atomic instruction. Many index vectors are dealt to owners of places: each becomes a word, and those of a tile are
    sorted by owner, who sorts its own by place.

    ```mlir
    %r = xla_rt.scatter indices(%i : tensor<20000xi32>) updates(%u : tensor<20000x8xf32>) outs(%x : tensor<50x8xf32>)
        starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {...}
    // =>
    %dealt = xla_rt.library_call "xla_rt_deal_places" ins(%i) ...   // 20000 words, and where 255 owners' begin in 10 tiles
    %r = xla_rt.scatter indices(%dealt : tensor<22560xi32>) updates(%u : tensor<20000x8xf32>)
        outs(%x : tensor<50x8xf32>) starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 dealt {...}
    ```

    Where windows go across the rows of updates, words are a place, `0 <= i < 50 ? i : 50`, and below it a number, and
    all are sorted (`xla_rt_sort_words`): the first of a place is some thread's who makes the updates of all
    (`ordered = 15`). Index vectors that are sorted by promise are only made such words.

    Few index vectors stay as they are, as do windows of several elements that begin at places which are data.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::xla::XlaRtDialect"];
}

def PackContractions : Pass<"xla-pack-contractions", "::mlir::func::FuncOp"> {
  let summary = "Copy operands of contractions, or transpose results, so that rows and columns are read in order";
  let description = [{
    Rows that lie across, of which each step reads neighbours, are columns if there are few columns: then the product is
    transposed, and its small result transposed back. So is that of few rows by columns that lie across.
    The right-hand side of a large contraction is copied once into panels `[N / panel][K][panel]`, which the
    contraction's inner loop then reads contiguously, whatever the layout of the operand was. Where the processor has
    an instruction for sums of products of narrow numbers, those are left as they are, for tiles, which pack what they
    read themselves. Products of bf16 whose rows are reduced, attention's, have panels `[N / panel][K / 2][panel][2]`.
    Few columns, or those that do not fill panels, are transposed as a whole if they lie across.
    A vector that is a column of a matrix is copied, if a contraction reads it again for each row of another one.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let options = machineOptions;
}

def ArrangeFactors : Pass<"xla-arrange-factors", "::mlir::func::FuncOp"> {
  let summary = "Transpose the factor of which a sum of products reads vectors";
  let description = [{
    Neighbouring results are the lanes of a vector, and the factor that has a dimension for them is best read along it:
    the kernel of a convolution's gradient, whose innermost dimension is summed over, is copied first. Where the
    innermost dimension of the result is too short for the lanes, as the window is in the gradient of a kernel, they
    are for the longest dimension that only one factor has.

    ```mlir
    %y = linalg.generic ... ins(%x : tensor<8x58x58x64xf32>, %k : tensor<3x3x64x64xf32>)  // (h, w, o, i), summed over i
    // =>
    %t = linalg.generic ... ins(%k : tensor<3x3x64x64xf32>) ...                           // (h, w, i, o)
    %y = linalg.generic ... ins(%x : tensor<8x58x58x64xf32>, %t : tensor<3x3x64x64xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let options = [Option<"vectorBits", "vector-bits", "unsigned", "512", "Width of a vector register">];
}

def FormKernels : Pass<"xla-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Fuse ops into kernels and outline them";
  let description = [{
    Greedily joins producers and consumers into clusters that one fused loop nest (or a sequence of nests over common
    rows) can compute, and outlines every cluster as a private function with the attribute `xla_rt.kernel`; what
    remains in `@main` is the schedule.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = linalg.generic ... { math.exp }
      %1 = linalg.generic ... { arith.addf }
      return %1
    }
    // =>
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @elementwise_0(%x) : (tensor<8xf32>) -> tensor<8xf32>
      return %0
    }
    func.func private @elementwise_0(%x: tensor<8xf32>) -> tensor<8xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {...}
    ```
  }];
  let options = [Option<"device", "device", "bool", "false", "For a GPU, whose windows read padding where it is">] #
                machineOptions;
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::xla::XlaRtDialect"];
}

def ShareKernels : Pass<"xla-share-kernels", "::mlir::ModuleOp"> {
  let summary = "Merge equal kernels";
  let description = [{
    Of kernels that differ in nothing but their names and locations, the first is kept and called for all. With
    `constants`, those that take long to compile may differ in offsets of slices, in what is added to indices, and in
    terms and factors of elements, too, which the kernel then takes.

    ```mlir
    %0 = call @reduction_0(%x, %a) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %1 = call @reduction_1(%0, %b) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    // =>
    %0 = call @reduction_0(%x, %a) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %1 = call @reduction_0(%0, %b) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    ```
  }];
  let options = [
    Option<"constants", "constants", "bool", /*default=*/"false", "Let kernels that differ in constants be one, too">,
  ];
}

#endif // MLIR_XLA_LOWERING_KERNELS_PASSES_TD
