// RUN: xla-opt %s --target=cuda --from=kernels --to=loops | FileCheck %s
// By hand: a loop whose kernels are launched, however small they are.

// CHECK:       func.func @main
// CHECK:         scf.while
// CHECK:           func.call @double.impl
// CHECK-NOT:   @loop
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %0 = scf.for %i = %c0 to %c20 step %c1 iter_args(%v = %x) -> (tensor<8xf32>) {
    %1 = func.call @double(%v) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } {xla_rt.launched}
  return %0 : tensor<8xf32>
}
func.func private @double(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<8, work d0>]} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
