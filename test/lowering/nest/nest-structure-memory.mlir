// RUN: xla-opt %s --xla-emit-kernels | FileCheck %s

// Fusion would not form this kernel, because its nests are not parallel. The second reads the sums of other elements,
// which the first leaves in memory.
// CHECK: func.func private @transposed(
// CHECK-SAME: scratch = 256
module {
  func.func @main(%x: tensor<8x8x8xf32>, %zero: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = call @transposed(%x, %zero) : (tensor<8x8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  func.func private @transposed(%x: tensor<8x8x8xf32>, %zero: tensor<8x8xf32>) -> tensor<8x8xf32>
      attributes {xla_rt.kernel = #xla_rt.kernel<reduction>} {
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
                         iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x : tensor<8x8x8xf32>) outs(%zero : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
    } -> tensor<8x8xf32>
    %e = tensor.empty() : tensor<8x8xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<8x8xf32>
    return %r : tensor<8x8xf32>
  }
}
