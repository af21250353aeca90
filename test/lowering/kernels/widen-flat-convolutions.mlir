// RUN: xla-opt %s --pass-pipeline='builtin.module(func.func(xla-widen-convolutions))' | FileCheck %s

// Products that convolutions became read pixels by divisions, and have no windows.
#image = affine_map<(m, n, k) -> (m floordiv 10, m mod 10 + k floordiv 16, k mod 16)>
#kernel = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<4x12x16xbf16>, tensor<48x64xbf16>)
func.func @main(%x: tensor<4x12x16xbf16>, %k: tensor<48x64xbf16>, %f: tensor<40x64xf32>) -> tensor<40x64xf32> {
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<4x12x16xbf16>, tensor<48x64xbf16>) outs(%f : tensor<40x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<40x64xf32>
  return %0 : tensor<40x64xf32>
}
