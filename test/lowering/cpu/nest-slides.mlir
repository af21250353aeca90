// RUN: xla-opt %s --xla-emit-kernels --split-input-file | FileCheck %s

// Four neighbours with windows of three: six elements are read, once each, and the three of the other factor. Lanes are
// walked inside the jammed dimension.
// CHECK-LABEL: func.func private @window.impl
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK-COUNT-9: llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT: llvm.load
// CHECK-COUNT-4: llvm.store
// CHECK-NOT: llvm.store
// CHECK: func.func private @window(
#s = affine_map<(w, c, k) -> (w + k, c)>
#k = affine_map<(w, c, k) -> (k, c)>
#o = affine_map<(w, c, k) -> (w, c)>
func.func private @window(%x: tensor<30x16xf32>, %k: tensor<3x16xf32>) -> tensor<28x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>,
                xla_rt.plans = [#xla_rt.nest<28x16x3, lanes d1 16x1, jam d0 4, reduce d2, slide>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<28x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<28x16xf32>) -> tensor<28x16xf32>
  %0 = linalg.generic {indexing_maps = [#s, #k, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<30x16xf32>, tensor<3x16xf32>) outs(%f : tensor<28x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<28x16xf32>
  return %0 : tensor<28x16xf32>
}

// -----

// With a stride of two, four neighbours read nine elements of twelve.
// CHECK-LABEL: func.func private @strided.impl
// CHECK-COUNT-12: llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT: llvm.load
#s = affine_map<(w, c, k) -> (w * 2 + k, c)>
#k = affine_map<(w, c, k) -> (k, c)>
#o = affine_map<(w, c, k) -> (w, c)>
func.func private @strided(%x: tensor<57x16xf32>, %k: tensor<3x16xf32>) -> tensor<28x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>,
                xla_rt.plans = [#xla_rt.nest<28x16x3, lanes d1 16x1, jam d0 4, reduce d2, slide>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<28x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<28x16xf32>) -> tensor<28x16xf32>
  %0 = linalg.generic {indexing_maps = [#s, #k, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<57x16xf32>, tensor<3x16xf32>) outs(%f : tensor<28x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<28x16xf32>
  return %0 : tensor<28x16xf32>
}
