// RUN: xla-opt %s --pass-pipeline='builtin.module(func.func(xla-arrange-factors))' --split-input-file | FileCheck %s

// The gradient of a convolution's input sums over the innermost dimension of the kernel, which is transposed.
// CHECK-DAG: #[[FROM:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
// CHECK-LABEL: func.func @gradient(
// CHECK-SAME: %[[X:.*]]: tensor<2x18x18x24xf32>, %[[K:.*]]: tensor<3x3x40x24xf32>,
// CHECK: %[[T:.*]] = linalg.generic {indexing_maps = [#[[FROM]], {{.*}} ins(%[[K]] : {{.*}} outs(%{{.*}} : tensor<3x3x24x40xf32>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[READ]], {{.*}} ins(%[[X]], %[[T]] :
#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)>
#k = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d3, d4)>
#y = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @gradient(%x: tensor<2x18x18x24xf32>, %k: tensor<3x3x40x24xf32>, %init: tensor<2x16x16x40xf32>) -> tensor<2x16x16x40xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<2x18x18x24xf32>, tensor<3x3x40x24xf32>) outs(%init : tensor<2x16x16x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x16x16x40xf32>
  return %0 : tensor<2x16x16x40xf32>
}

// -----

// A window of three fills no lanes: those are for the output channels, of which the other factor has neighbours then.
// CHECK-DAG: #[[FROM:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d0)>
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME: %[[X:.*]]: tensor<2x32x18x18xf32>, %[[G:.*]]: tensor<2x40x16x16xf32>,
// CHECK: %[[T:.*]] = linalg.generic {indexing_maps = [#[[FROM]], {{.*}} ins(%[[G]] : {{.*}} outs(%{{.*}} : tensor<2x16x16x40xf32>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[READ]], {{.*}} ins(%[[X]], %[[T]] :
#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d1, d2 + d5, d3 + d6)>
#g = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d0, d5, d6)>
#y = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @kernel(%x: tensor<2x32x18x18xf32>, %g: tensor<2x40x16x16xf32>, %init: tensor<40x32x3x3xf32>) -> tensor<40x32x3x3xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #g, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %g : tensor<2x32x18x18xf32>, tensor<2x40x16x16xf32>) outs(%init : tensor<40x32x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x32x3x3xf32>
  return %0 : tensor<40x32x3x3xf32>
}

// -----

// What is read a few times only stays as it is, and so does what has neighbours along the lanes.
// CHECK-LABEL: func.func @few
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#k = affine_map<(d0, d1, d2) -> (d1, d2)>
#y = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @few(%x: tensor<8x64xf32>, %k: tensor<64x64xf32>, %init: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<8x64xf32>, tensor<64x64xf32>) outs(%init : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

// CHECK-LABEL: func.func @contiguous
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#k = affine_map<(d0, d1, d2) -> (d2, d1)>
#y = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @contiguous(%x: tensor<80x64xf32>, %k: tensor<64x64xf32>, %init: tensor<80x64xf32>) -> tensor<80x64xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<80x64xf32>, tensor<64x64xf32>) outs(%init : tensor<80x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<80x64xf32>
  return %0 : tensor<80x64xf32>
}

// -----

// Panels have neighbours along the lanes, also where a row of pixels is short.
// CHECK-LABEL: func.func @panels
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
#x = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#k = affine_map<(d0, d1, d2, d3) -> (d2 floordiv 64, d3, d2 mod 64)>
#y = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func @panels(%x: tensor<80x28x512xf32>, %k: tensor<2x512x64xf32>, %init: tensor<80x28x128xf32>) -> tensor<80x28x128xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<80x28x512xf32>, tensor<2x512x64xf32>) outs(%init : tensor<80x28x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<80x28x128xf32>
  return %0 : tensor<80x28x128xf32>
}

// -----

// So are those of pixels whose few channels are the last: the weights of an image that becomes wider. The first product
// of such an image keeps its rows, of whole vectors, which tiles walk.
// CHECK-DAG: #[[FROM:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d1)>
// CHECK-LABEL: func.func @wider(
// CHECK-SAME: %[[X:.*]]: tensor<64x48x3xf32>, %[[W:.*]]: tensor<96x48xf32>,
// CHECK: %[[T:.*]] = linalg.generic {indexing_maps = [#[[FROM]], {{.*}} ins(%[[W]] : {{.*}} outs(%{{.*}} : tensor<48x96xf32>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[READ]], {{.*}} ins(%[[X]], %[[T]] :
#x = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#w = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#y = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func @wider(%x: tensor<64x48x3xf32>, %w: tensor<96x48xf32>, %init: tensor<64x96x3xf32>) -> tensor<64x96x3xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x48x3xf32>, tensor<96x48xf32>) outs(%init : tensor<64x96x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x96x3xf32>
  return %0 : tensor<64x96x3xf32>
}

// -----

// CHECK-LABEL: func.func @higher(
// CHECK-NEXT: linalg.generic
// CHECK-SAME: ins(%arg1, %arg0 :
#w = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#x = affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>
#y = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func @higher(%x: tensor<48x64x3xf32>, %w: tensor<96x48xf32>, %init: tensor<96x64x3xf32>) -> tensor<96x64x3xf32> {
  %0 = linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %x : tensor<96x48xf32>, tensor<48x64x3xf32>) outs(%init : tensor<96x64x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<96x64x3xf32>
  return %0 : tensor<96x64x3xf32>
}

// -----

// Of a sum along two dimensions, of which each factor has another as its innermost, a factor would be gathered: the
// right-hand side is copied for four rows already.
// CHECK-LABEL: func.func @gathered(
// CHECK-SAME: %[[X:.*]]: tensor<4x30x40xf32>, %[[Y:.*]]: tensor<40x50x30xf32>,
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[Y]] : {{.*}} outs(%{{.*}} : tensor<40x30x50xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[T]] :
#x = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#y = affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>
#r = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
func.func @gathered(%x: tensor<4x30x40xf32>, %y: tensor<40x50x30xf32>, %init: tensor<4x50xf32>) -> tensor<4x50xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #y, #r], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %y : tensor<4x30x40xf32>, tensor<40x50x30xf32>) outs(%init : tensor<4x50xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x50xf32>
  return %0 : tensor<4x50xf32>
}

// -----

// Integers, too.
// CHECK-LABEL: func.func @integers(
// CHECK-SAME: %[[X:.*]]: tensor<4x30x40xi32>, %[[Y:.*]]: tensor<40x50x30xi32>,
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[Y]] : {{.*}} outs(%{{.*}} : tensor<40x30x50xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[T]] :
#x = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#y = affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>
#r = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
func.func @integers(%x: tensor<4x30x40xi32>, %y: tensor<40x50x30xi32>, %init: tensor<4x50xi32>) -> tensor<4x50xi32> {
  %0 = linalg.generic {indexing_maps = [#x, #y, #r], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %y : tensor<4x30x40xi32>, tensor<40x50x30xi32>) outs(%init : tensor<4x50xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %p = arith.muli %a, %b : i32
    %s = arith.addi %c, %p : i32
    linalg.yield %s : i32
  } -> tensor<4x50xi32>
  return %0 : tensor<4x50xi32>
}
