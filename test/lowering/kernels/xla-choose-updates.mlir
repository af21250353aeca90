// RUN: xla-opt %s --xla-choose-updates --split-input-file | FileCheck %s

// Neighbours are read, so that the tensor stays until all new values are known.
// CHECK-LABEL: func.func @neighbours(
// CHECK:         scf.while
// CHECK:         %[[SUM:.*]] = linalg.generic
// CHECK-NOT:     tensor.insert_slice
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<8xf32>)
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[AT:.*]] = arith.subi %[[I]], %c1
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %c6
// CHECK:           scf.if %[[INSIDE]]
// CHECK:             tensor.extract %[[SUM]][%[[AT]]] : tensor<6xf32>
// CHECK:           else
// CHECK:             tensor.extract %{{.*}}[%[[I]]] : tensor<8xf32>
#row = affine_map<(d0) -> (d0)>
func.func @neighbours(%y: tensor<8xf32>, %p: tensor<i1>) -> tensor<8xf32> {
  %w = scf.while (%x = %y) : (tensor<8xf32>) -> tensor<8xf32> {
    %q = tensor.extract %p[] : tensor<i1>
    scf.condition(%q) %x : tensor<8xf32>
  } do {
  ^bb0(%x: tensor<8xf32>):
    %s = tensor.extract_slice %x[0] [6] [1] : tensor<8xf32> to tensor<6xf32>
    %t = tensor.extract_slice %x[2] [6] [1] : tensor<8xf32> to tensor<6xf32>
    %e = tensor.empty() : tensor<6xf32>
    %0 = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
        ins(%s, %t : tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<6xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<6xf32>
    %r = tensor.insert_slice %0 into %x[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
    scf.yield %r : tensor<8xf32>
  }
  return %w : tensor<8xf32>
}

// -----

// Each element at its own place is updated in place, where that may be: not what the caller has.
// CHECK-LABEL: func.func @own_place(
// CHECK:         scf.while
// CHECK:           tensor.insert_slice
// CHECK:         return
// CHECK-LABEL: func.func @of_caller(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         return
#row = affine_map<(d0) -> (d0)>
func.func @own_place(%y: tensor<8xf32>, %p: tensor<i1>) -> tensor<8xf32> {
  %w = scf.while (%x = %y) : (tensor<8xf32>) -> tensor<8xf32> {
    %q = tensor.extract %p[] : tensor<i1>
    scf.condition(%q) %x : tensor<8xf32>
  } do {
  ^bb0(%x: tensor<8xf32>):
    %s = tensor.extract_slice %x[1] [6] [1] : tensor<8xf32> to tensor<6xf32>
    %e = tensor.empty() : tensor<6xf32>
    %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
        ins(%s : tensor<6xf32>) outs(%e : tensor<6xf32>) {
    ^bb0(%a: f32, %c: f32):
      %1 = arith.addf %a, %a : f32
      linalg.yield %1 : f32
    } -> tensor<6xf32>
    %r = tensor.insert_slice %0 into %x[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
    scf.yield %r : tensor<8xf32>
  }
  return %w : tensor<8xf32>
}
func.func @of_caller(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = tensor.extract_slice %x[1] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %e = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%s : tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.addf %a, %a : f32
    linalg.yield %1 : f32
  } -> tensor<6xf32>
  %r = tensor.insert_slice %0 into %x[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// A small part, one at a place that is data, one with strides.
// CHECK-LABEL: func.func @small(
// CHECK:         tensor.insert_slice
// CHECK-LABEL: func.func @at_data(
// CHECK:         tensor.insert_slice
// CHECK-LABEL: func.func @strided(
// CHECK:         tensor.insert_slice
func.func @small(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = tensor.extract_slice %x[0] [3] [1] : tensor<8xf32> to tensor<3xf32>
  %r = tensor.insert_slice %s into %x[1] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @at_data(%x: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %s = tensor.extract_slice %x[0] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %r = tensor.insert_slice %s into %x[%i] [6] [1] : tensor<6xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @strided(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = tensor.extract_slice %x[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
  %r = tensor.insert_slice %s into %x[1] [4] [2] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// The sums are made where they are written.
// CHECK-LABEL: func.func @sums(
// CHECK:         tensor.insert_slice
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
func.func @sums(%x: tensor<8xf32>, %m: tensor<6x9xf32>) -> tensor<8xf32> {
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [#matrix, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<6x9xf32>) outs(%zero : tensor<6xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %1 = arith.addf %acc, %a : f32
    linalg.yield %1 : f32
  } -> tensor<6xf32>
  %r = tensor.insert_slice %0 into %x[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Both fields at once, as they share what they are made of.
// CHECK-LABEL: func.func @two(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         scf.if {{.*}} -> (f32, f32)
// CHECK-NOT:     tensor.insert_slice
// CHECK:         return
#row = affine_map<(d0) -> (d0)>
func.func @two(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %s = tensor.extract_slice %x[0] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %t = tensor.extract_slice %y[2] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %e = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%s, %t : tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %3 = arith.mulf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<6xf32>
  %1 = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%0, %s : tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %3 = arith.addf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<6xf32>
  %u = tensor.insert_slice %1 into %x[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%0, %t : tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %3 = arith.subf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<6xf32>
  %v = tensor.insert_slice %2 into %y[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
  return %u, %v : tensor<8xf32>, tensor<8xf32>
}

// -----

// New values that are also needed by themselves are in memory.
// CHECK-LABEL: func.func @needed(
// CHECK:         tensor.insert_slice
#row = affine_map<(d0) -> (d0)>
func.func @needed(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<6xf32>) {
  %s = tensor.extract_slice %x[0] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %e = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%s : tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.addf %a, %a : f32
    linalg.yield %1 : f32
  } -> tensor<6xf32>
  %r = tensor.insert_slice %0 into %x[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
  return %r, %0 : tensor<8xf32>, tensor<6xf32>
}
