// RUN: xla-opt %s --xla-join-reductions --split-input-file | FileCheck %s

// Both read %x, one of them through a view. What needs the first comes behind the second.
// CHECK-LABEL: func.func @main
// CHECK: %[[R:.*]]:2 = call @reduction_0_0(%arg0, %arg1)
// CHECK-NEXT: %[[S:.*]] = call @elementwise_1(%[[R]]#0)
// CHECK-NEXT: return %[[S]], %[[R]]#1
// CHECK-NOT: @reduction_0(
// CHECK: func.func private @reduction_0_0(%[[X:.*]]: tensor<512x64xf32>, %[[Y:.*]]: tensor<8x64x64xf32>)
// CHECK: tensor.expand_shape %[[X]]
// CHECK: :2 = linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: } -> (tensor<8x64xf32>, tensor<8x64xf32>)
// CHECK-NOT: @reduction_2(
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#sum = affine_map<(d0, d1, d2) -> (d0, d2)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<512x64xf32>, %y: tensor<8x64x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %view = tensor.expand_shape %x [[0, 1], [2]] output_shape [8, 64, 64] : tensor<512x64xf32> into tensor<8x64x64xf32>
  %0 = call @reduction_0(%view) : (tensor<8x64x64xf32>) -> tensor<8x64xf32>
  %1 = call @elementwise_1(%0) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = call @reduction_2(%y, %view) : (tensor<8x64x64xf32>, tensor<8x64x64xf32>) -> tensor<8x64xf32>
  return %1, %2 : tensor<8x64xf32>, tensor<8x64xf32>
}
func.func private @reduction_0(%x: tensor<8x64x64xf32>) -> tensor<8x64xf32> attributes {xla_rt.kernel = #xla_rt.kernel<reduction>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [#all, #sum], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<8x64x64xf32>) outs(%i : tensor<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
func.func private @elementwise_1(%x: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = math.exp %in : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
func.func private @reduction_2(%x: tensor<8x64x64xf32>, %y: tensor<8x64x64xf32>) -> tensor<8x64xf32> attributes {xla_rt.kernel = #xla_rt.kernel<reduction>} {
  %z = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<8x64x64xf32>
  %p = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<8x64x64xf32>, tensor<8x64x64xf32>) outs(%t : tensor<8x64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x64x64xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [#all, #sum], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%p : tensor<8x64x64xf32>) outs(%i : tensor<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}

// -----

// One needs the other; of the next two, one is of another type of combiner, and what needs the last one before its
// partner is a branch.
// CHECK-LABEL: func.func @main
// CHECK: call @sum_0(
// CHECK: call @sum_1(
// CHECK: call @greatest(
// CHECK: call @sum_0(
// CHECK: scf.if
// CHECK: call @sum_0(
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %p: i1) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = call @sum_0(%x) : (tensor<64x64xf32>) -> tensor<64xf32>
  %1 = call @sum_1(%x, %0) : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %2 = call @greatest(%x) : (tensor<64x64xf32>) -> tensor<64xf32>
  %3 = call @sum_0(%y) : (tensor<64x64xf32>) -> tensor<64xf32>
  %4 = scf.if %p -> tensor<64xf32> {
    scf.yield %3 : tensor<64xf32>
  } else {
    scf.yield %2 : tensor<64xf32>
  }
  %5 = call @sum_0(%y) : (tensor<64x64xf32>) -> tensor<64xf32>
  return %1, %2, %4, %5 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
func.func private @sum_0(%x: tensor<64x64xf32>) -> tensor<64xf32> attributes {xla_rt.kernel = #xla_rt.kernel<reduction>} {
  %z = arith.constant dense<0.0> : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func private @sum_1(%x: tensor<64x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> attributes {xla_rt.kernel = #xla_rt.kernel<reduction>} {
  %r = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func private @greatest(%x: tensor<64x64xf32>) -> tensor<64xf32> attributes {xla_rt.kernel = #xla_rt.kernel<reduction>} {
  %z = arith.constant dense<0xFF800000> : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.maximumf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
