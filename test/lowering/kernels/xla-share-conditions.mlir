// RUN: xla-opt %s --xla-share-conditions --split-input-file | FileCheck %s

#matrix = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#row = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// The sums, of which the body makes something else; not the numbers that are summed, which are no work.
// CHECK-LABEL: func.func @sums(
// CHECK:         %[[W:.*]]:2 = scf.while (%[[X:.*]] = %{{.*}}) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
// CHECK:           %[[SUMS:.*]] = linalg.generic {{.*}}"reduction"
// CHECK:           scf.condition(%{{.*}}) %[[X]], %[[SUMS]] : tensor<4x8xf32>, tensor<4xf32>
// CHECK:         ^bb0(%[[Y:.*]]: tensor<4x8xf32>, %[[OWN:.*]]: tensor<4xf32>):
// CHECK-NOT:       "reduction"
// CHECK:           linalg.generic {{.*}} ins(%[[Y]], %[[OWN]] :
// CHECK:           scf.yield
// CHECK:         return %[[W]]#0
func.func @sums(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %e = tensor.empty() : tensor<4x8xf32>
  %w = scf.while (%a = %x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
    %s = linalg.generic {indexing_maps = [#matrix, #rows], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %0 = arith.addf %acc, %v : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    %most = linalg.generic {indexing_maps = [#row, #none], iterator_types = ["reduction"]}
        ins(%s : tensor<4xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%v: f32, %acc: f32):
      %0 = arith.maximumf %acc, %v : f32
      linalg.yield %0 : f32
    } -> tensor<f32>
    %number = tensor.extract %most[] : tensor<f32>
    %one = arith.constant 1.0 : f32
    %p = arith.cmpf ogt, %number, %one : f32
    scf.condition(%p) %a : tensor<4x8xf32>
  } do {
  ^bb0(%a: tensor<4x8xf32>):
    %s = linalg.generic {indexing_maps = [#matrix, #rows], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %0 = arith.addf %acc, %v : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    %r = linalg.generic {indexing_maps = [#matrix, #rows, #matrix], iterator_types = ["parallel", "parallel"]}
        ins(%a, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%v: f32, %sum: f32, %out: f32):
      %0 = arith.divf %v, %sum : f32
      linalg.yield %0 : f32
    } -> tensor<4x8xf32>
    scf.yield %r : tensor<4x8xf32>
  }
  return %w : tensor<4x8xf32>
}

// -----

// Sums of other values, and elementwise work, are done again.
// CHECK-LABEL: func.func @others(
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
#row = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @others(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %e = tensor.empty() : tensor<8xf32>
  %w:2 = scf.while (%a = %x, %b = %y) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %double = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%v: f32, %out: f32):
      %0 = arith.addf %v, %v : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    %s = linalg.generic {indexing_maps = [#row, #none], iterator_types = ["reduction"]}
        ins(%double : tensor<8xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%v: f32, %acc: f32):
      %0 = arith.addf %acc, %v : f32
      linalg.yield %0 : f32
    } -> tensor<f32>
    %number = tensor.extract %s[] : tensor<f32>
    %one = arith.constant 1.0 : f32
    %p = arith.cmpf ogt, %number, %one : f32
    scf.condition(%p) %b, %a : tensor<8xf32>, tensor<8xf32>
  } do {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    %double = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%v: f32, %out: f32):
      %0 = arith.addf %v, %v : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    %s = linalg.generic {indexing_maps = [#row, #none], iterator_types = ["reduction"]}
        ins(%double : tensor<8xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%v: f32, %acc: f32):
      %0 = arith.addf %acc, %v : f32
      linalg.yield %0 : f32
    } -> tensor<f32>
    %again = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
        ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%v: f32, %out: f32):
      %0 = arith.addf %v, %v : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    %r = linalg.generic {indexing_maps = [#row, affine_map<(d0) -> ()>, #row], iterator_types = ["parallel"]}
        ins(%again, %s : tensor<8xf32>, tensor<f32>) outs(%e : tensor<8xf32>) {
    ^bb0(%v: f32, %sum: f32, %out: f32):
      %0 = arith.divf %v, %sum : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    scf.yield %r, %a : tensor<8xf32>, tensor<8xf32>
  }
  return %w#0 : tensor<8xf32>
}
