// RUN: xla-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(xla-split-reductions{device=true}))" | FileCheck %s
// For a GPU: as many rows as keep it busy, and what no number of rows divides at the end.

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
// 2^20 elements are 512 rows of 2048.
// CHECK-LABEL: func.func @whole
// CHECK: tensor.expand_shape %{{.*}} : tensor<1048576xf32> into tensor<512x2048xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK-SAME: outs(%{{.*}} : tensor<512xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK-SAME: ins(%{{.*}} : tensor<512xf32>)
// CHECK-NOT: linalg.generic
func.func @whole(%x: tensor<1048576xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id, #scalar], iterator_types = ["reduction"]}
      ins(%x : tensor<1048576xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
// A prime number of elements: 146 rows of 2054, and 139 more.
// CHECK-LABEL: func.func @prime
// CHECK: tensor.extract_slice %{{.*}}[299884] [139] [1]
// CHECK: tensor.extract_slice %{{.*}}[0] [299884] [1]
// CHECK: into tensor<146x2054xf32>
// CHECK-COUNT-3: linalg.generic
func.func @prime(%x: tensor<300023xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id, #scalar], iterator_types = ["reduction"]}
      ins(%x : tensor<300023xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
// Columns: so many parts of each that blocks of 32 of them keep a device busy, two for each multiprocessor.
// CHECK-LABEL: func.func @columns
// CHECK: into tensor<8x512x1024xf32>
// CHECK: outs(%{{.*}} : tensor<8x1024xf32>)
// CHECK: outs(%{{.*}} : tensor<1024xf32>)
func.func @columns(%x: tensor<4096x1024xf32>) -> tensor<1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %0 = linalg.generic {indexing_maps = [#id, #columns], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4096x1024xf32>) outs(%f : tensor<1024xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
// Columns that are no block's, or whose elements have to meet in order: so many parts that neighbouring threads do.
// CHECK-LABEL: func.func @narrow
// CHECK: into tensor<256x16x24xf32>
// CHECK-LABEL: func.func @ordered
// CHECK: into tensor<128x32x1024xf32>
func.func @narrow(%x: tensor<4096x24xf32>) -> tensor<24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24xf32>) -> tensor<24xf32>
  %0 = linalg.generic {indexing_maps = [#id, #columns], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4096x24xf32>) outs(%f : tensor<24xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<24xf32>
  return %0 : tensor<24xf32>
}
func.func @ordered(%x: tensor<4096x1024xf32>) -> tensor<1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %0 = linalg.generic {indexing_maps = [#id, #columns], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4096x1024xf32>) outs(%f : tensor<1024xf32>) {
  ^bb0(%a: f32, %s: f32):
    %p = arith.cmpf oeq, %s, %zero : f32
    %t = arith.select %p, %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
// Many rows are parallel work as they are.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @rows(%x: tensor<4096x1024xf32>) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %0 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x1024xf32>) outs(%f : tensor<4096xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

#in = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d1)>
// So are rows of a few neighbours each, unless their blocks are so small that they ask for little at a time.
// CHECK-LABEL: func.func @large_blocks
// CHECK-NOT: tensor.expand_shape
// CHECK-LABEL: func.func @small_blocks
// CHECK: tensor.expand_shape {{.*}} into tensor<8x4x64x784xf32>
func.func @large_blocks(%x: tensor<32x64x1024xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<32x64x1024xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func @small_blocks(%x: tensor<32x64x784xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<32x64x784xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

#in = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
// The numbers of the greatest elements: those of a part are greater than those of the parts before it.
// CHECK-LABEL: func.func @numbers
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<8x1024xf32>, tensor<8x1024xi32>) attrs = {xla_rt.unread = array<i64: 0>}
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<1024xf32>, tensor<1024xi32>) attrs = {xla_rt.ascending = array<i64: 1>}
func.func @numbers(%x: tensor<4096x1024xf32>) -> tensor<1024xi32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %n = tensor.empty() : tensor<4096x1024xi32>
  %i = linalg.generic {indexing_maps = [#in], iterator_types = ["parallel", "parallel"]} outs(%n : tensor<4096x1024xi32>) {
  ^bb0(%o: i32):
    %at = linalg.index 0 : index
    %number = arith.index_cast %at : index to i32
    linalg.yield %number : i32
  } -> tensor<4096x1024xi32>
  %e = tensor.empty() : tensor<1024xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %g = tensor.empty() : tensor<1024xi32>
  %h = linalg.fill ins(%zero : i32) outs(%g : tensor<1024xi32>) -> tensor<1024xi32>
  %0:2 = linalg.generic {indexing_maps = [#in, #in, #columns, #columns], iterator_types = ["reduction", "parallel"]}
      ins(%x, %i : tensor<4096x1024xf32>, tensor<4096x1024xi32>) outs(%f, %h : tensor<1024xf32>, tensor<1024xi32>) {
  ^bb0(%a: f32, %j: i32, %b: f32, %k: i32):
    %keep = arith.cmpf oge, %b, %a : f32
    %v = arith.select %keep, %b, %a : f32
    %w = arith.select %keep, %k, %j : i32
    linalg.yield %v, %w : f32, i32
  } -> (tensor<1024xf32>, tensor<1024xi32>)
  return %0#1 : tensor<1024xi32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
// A product of vectors is a sum of products, of which the parts are.
// CHECK-LABEL: func.func @dot
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: arith.mulf
// CHECK: tensor.expand_shape %{{.*}} : tensor<1048576xf32> into tensor<512x2048xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK-NOT: linalg.generic
func.func @dot(%x: tensor<1048576xf32>, %y: tensor<1048576xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #scalar], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<1048576xf32>, tensor<1048576xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
