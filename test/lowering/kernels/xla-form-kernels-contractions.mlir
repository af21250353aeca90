// RUN: xla-opt --from=linalg --to=kernels %s | FileCheck %s

// Two contractions that meet, each work for all cores, keep the register tiles of their own nests; the sum is the
// epilogue of the second. What is less is one kernel: product-sums.mlir.
// CHECK-DAG: func.func private @{{.*}}(%{{.*}}: tensor<288x64xf32>, %{{.*}}: tensor<64x128xf32>) -> {{.*}}plans = [#xla_rt.nest<288x128x64, lanes d1 {{.*}}, jam d0 6, reduce d2{{.*}}>]
// CHECK-DAG: func.func private @{{.*}}(%{{.*}}: tensor<288x64xf32>, %{{.*}}: tensor<64x128xf32>, %{{.*}}: tensor<288x128xf32>) -> {{.*}}plans = [#xla_rt.nest<288x128x64, lanes d1 {{.*}}, jam d0 6, reduce d2{{.*}}>]
#m = affine_map<(i, j, k) -> (i, k)>
#n = affine_map<(i, j, k) -> (k, j)>
#r = affine_map<(i, j, k) -> (i, j)>
#one = affine_map<(i, j) -> (i, j)>
func.func @main(%a: tensor<288x64xf32>, %b: tensor<64x128xf32>, %c: tensor<288x64xf32>, %d: tensor<64x128xf32>) -> tensor<288x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<288x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<288x128xf32>) -> tensor<288x128xf32>
  %0 = linalg.generic {indexing_maps = [#m, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<288x64xf32>, tensor<64x128xf32>) outs(%f : tensor<288x128xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<288x128xf32>
  %1 = linalg.generic {indexing_maps = [#m, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%c, %d : tensor<288x64xf32>, tensor<64x128xf32>) outs(%f : tensor<288x128xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<288x128xf32>
  %2 = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<288x128xf32>, tensor<288x128xf32>) outs(%e : tensor<288x128xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<288x128xf32>
  return %2 : tensor<288x128xf32>
}
