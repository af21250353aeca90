// RUN: xla-opt %s --split-input-file --to=linalg | xla-opt --split-input-file --pass-pipeline='builtin.module(func.func(xla-pack-contractions))' | FileCheck %s

// Tiles transpose the right-hand side themselves, a block at a time, also if no vector divides its columns.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<1024x1024xf32>, tensor<1030x1024xf32>)
func.func @main(%a: tensor<1024x1024xf32>, %b: tensor<1030x1024xf32>) -> tensor<1024x1030xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<1024x1024xf32>, tensor<1030x1024xf32>) -> tensor<1024x1030xf32>
  return %0 : tensor<1024x1030xf32>
}

// -----

// So they do rows of the left-hand side that are not contiguous.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<1024x768xf32>, tensor<512x1024xf32>)
func.func @main(%a: tensor<1024x768xf32>, %b: tensor<512x1024xf32>) -> tensor<768x512xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<1024x768xf32>, tensor<512x1024xf32>) -> tensor<768x512xf32>
  return %0 : tensor<768x512xf32>
}

// -----

// What is reduced along rows will be walked by a kernel of rows, for which the columns are packed.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<8x192x64xf32>)
func.func @main(%a: tensor<768x192xf32>, %b: tensor<512x192xf32>) -> tensor<768xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<768x192xf32>, tensor<512x192xf32>) -> tensor<768x512xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %1 = xla.abs %0 : tensor<768x512xf32>
  %2 = xla.reduce(%1 init: %zero) applies xla.add across dimensions = [1] : (tensor<768x512xf32>, tensor<f32>) -> tensor<768xf32>
  return %2 : tensor<768xf32>
}

// -----

// Blocks of rows would read these columns again and again: tiles have them.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<768x1024xf32>, tensor<512x1024xf32>)
func.func @main(%a: tensor<768x1024xf32>, %b: tensor<512x1024xf32>) -> tensor<768xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<768x1024xf32>, tensor<512x1024xf32>) -> tensor<768x512xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %1 = xla.abs %0 : tensor<768x512xf32>
  %2 = xla.reduce(%1 init: %zero) applies xla.add across dimensions = [1] : (tensor<768x512xf32>, tensor<f32>) -> tensor<768xf32>
  return %2 : tensor<768xf32>
}

// -----

// Tiles read contiguous rows where they are.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<1024x1024xf32>, tensor<1024x1024xf32>)
func.func @main(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// The pixels of all images are rows of one dimension, however few a line has: tiles read the columns where they are.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor<4x256x64xf32>
// CHECK: return
func.func @main(%x: tensor<8x28x28x256xf32>, %k: tensor<256x256xf32>) -> tensor<8x28x28x256xf32> {
  %0 = xla.dot_general %x, %k, contracting_dims = [3] x [0] : (tensor<8x28x28x256xf32>, tensor<256x256xf32>) -> tensor<8x28x28x256xf32>
  return %0 : tensor<8x28x28x256xf32>
}

// -----

// A column that all rows are multiplied by is copied, so that lanes go along rows.
// CHECK-LABEL: func.func @main
// CHECK: %[[COLUMN:.*]] = tensor.extract_slice %arg1[0, 3] [200, 1]
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[COLUMN]]
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]{{.*}} ins(%[[FLAT]]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} ins(%arg0, %[[COPY]]
func.func @main(%a: tensor<100x200xf32>, %v: tensor<200x21xf32>) -> tensor<100xf32> {
  %0 = xla.slice %v [0:200, 3:4] : (tensor<200x21xf32>) -> tensor<200x1xf32>
  %1 = xla.reshape %0 : (tensor<200x1xf32>) -> tensor<200xf32>
  %2 = xla.dot_general %a, %1, contracting_dims = [1] x [0] : (tensor<100x200xf32>, tensor<200xf32>) -> tensor<100xf32>
  return %2 : tensor<100xf32>
}

// -----

// Neither is a row, whose elements are neighbours, nor what few rows read.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
func.func @main(%a: tensor<100x200xf32>, %b: tensor<4x200xf32>, %v: tensor<21x200xf32>, %c: tensor<200x21xf32>) -> (tensor<100xf32>, tensor<4xf32>) {
  %0 = xla.slice %v [3:4, 0:200] : (tensor<21x200xf32>) -> tensor<1x200xf32>
  %1 = xla.reshape %0 : (tensor<1x200xf32>) -> tensor<200xf32>
  %2 = xla.dot_general %a, %1, contracting_dims = [1] x [0] : (tensor<100x200xf32>, tensor<200xf32>) -> tensor<100xf32>
  %3 = xla.slice %c [0:200, 3:4] : (tensor<200x21xf32>) -> tensor<200x1xf32>
  %4 = xla.reshape %3 : (tensor<200x1xf32>) -> tensor<200xf32>
  %5 = xla.dot_general %b, %4, contracting_dims = [1] x [0] : (tensor<4x200xf32>, tensor<200xf32>) -> tensor<4xf32>
  return %2, %5 : tensor<100xf32>, tensor<4xf32>
}

// -----

// Rows of two dimensions may stay two, if what is computed of the results keeps them apart; 64 are too few for tiles.
// CHECK-LABEL: func.func @main
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<288x96xf32>)
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[P]] : tensor<64x64x288xf32>, tensor<288x96xf32>)
func.func @main(%a: tensor<64x64x288xf32>, %b: tensor<96x288xf32>) -> tensor<64x64x96xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [2] x [1] : (tensor<64x64x288xf32>, tensor<96x288xf32>) -> tensor<64x64x96xf32>
  return %0 : tensor<64x64x96xf32>
}

// -----

// Of 256 rows each, tiles pack the columns in either case.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<64x256x288xf32>, tensor<96x288xf32>)
func.func @main(%a: tensor<64x256x288xf32>, %b: tensor<96x288xf32>) -> tensor<64x256x96xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [2] x [1] : (tensor<64x256x288xf32>, tensor<96x288xf32>) -> tensor<64x256x96xf32>
  return %0 : tensor<64x256x96xf32>
}

// -----

// Integers, which tiles do not multiply, go to panels of 64 columns, which the contraction reads.
// CHECK: affine_map<(d0, d1, d2) -> (d1 floordiv 64, d2, d1 mod 64)>
// CHECK-LABEL: func.func @main
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<8x400x64xi32>)
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[P]] : tensor<300x400xi32>, tensor<8x400x64xi32>)
func.func @main(%a: tensor<300x400xi32>, %b: tensor<512x400xi32>) -> tensor<300x512xi32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<300x400xi32>, tensor<512x400xi32>) -> tensor<300x512xi32>
  return %0 : tensor<300x512xi32>
}

// -----

// Columns that do not fill panels are transposed as a whole.
// CHECK-LABEL: func.func @main
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<400x500xi32>)
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[P]] : tensor<300x400xi32>, tensor<400x500xi32>)
func.func @main(%a: tensor<300x400xi32>, %b: tensor<500x400xi32>) -> tensor<300x500xi32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<300x400xi32>, tensor<500x400xi32>) -> tensor<300x500xi32>
  return %0 : tensor<300x500xi32>
}

// -----

// So are few of them, which all rows read.
// CHECK-LABEL: func.func @main
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<5000x8xf32>)
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[P]] : tensor<768x5000xf32>, tensor<5000x8xf32>)
func.func @main(%a: tensor<768x5000xf32>, %b: tensor<8x5000xf32>) -> tensor<768x8xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<768x5000xf32>, tensor<8x5000xf32>) -> tensor<768x8xf32>
  return %0 : tensor<768x8xf32>
}

// -----

// And those of a few steps.
// CHECK-LABEL: func.func @main
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<8x1021xf32>)
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[P]] : tensor<8x2048xf32>, tensor<8x1021xf32>)
func.func @main(%a: tensor<8x2048xf32>, %b: tensor<1021x8xf32>) -> tensor<2048x1021xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<8x2048xf32>, tensor<1021x8xf32>) -> tensor<2048x1021xf32>
  return %0 : tensor<2048x1021xf32>
}

// -----

// Of many rows that are not contiguous and few columns, results are transposed and not the rows, which are columns then.
// CHECK: #[[RESULT:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-LABEL: func.func @main
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[RESULT]]], {{.*}} ins(%arg0, %arg1 : {{.*}} outs({{.*}} : tensor<17x3000xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[R]] : {{.*}} outs({{.*}} : tensor<3000x17xf32>)
func.func @main(%a: tensor<2048x3000xf32>, %b: tensor<2048x17xf32>) -> tensor<3000x17xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2048x3000xf32>, tensor<2048x17xf32>) -> tensor<3000x17xf32>
  return %0 : tensor<3000x17xf32>
}

// -----

// Of few rows by columns that are not contiguous, too: these are the rows then, the few are transposed.
// CHECK-LABEL: func.func @main
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%arg0 : {{.*}} outs({{.*}} : tensor<1021x8xf32>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[C]], %arg1 : {{.*}} outs({{.*}} : tensor<5000x8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[R]] : {{.*}} outs({{.*}} : tensor<8x5000xf32>)
func.func @main(%a: tensor<8x1021xf32>, %b: tensor<5000x1021xf32>) -> tensor<8x5000xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<8x1021xf32>, tensor<5000x1021xf32>) -> tensor<8x5000xf32>
  return %0 : tensor<8x5000xf32>
}

// -----

// Unless a kernel of rows reduces the results.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor<17x3000xf32>
// CHECK: return
func.func @main(%a: tensor<2048x3000xf32>, %b: tensor<2048x17xf32>) -> tensor<3000xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2048x3000xf32>, tensor<2048x17xf32>) -> tensor<3000x17xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %1 = xla.reduce(%0 init: %zero) applies xla.add across dimensions = [1] : (tensor<3000x17xf32>, tensor<f32>) -> tensor<3000xf32>
  return %1 : tensor<3000xf32>
}

// -----

// Or each product would widen an element of a row, which columns do a vector at a time.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor<5000x8xf32>
// CHECK: return
func.func @main(%a: tensor<8x1024xf16>, %b: tensor<5000x1024xf16>) -> tensor<8x5000xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<8x1024xf16>, tensor<5000x1024xf16>) -> tensor<8x5000xf32>
  return %0 : tensor<8x5000xf32>
}

// -----

// Rows of f16 and bf16 are widened once, columns as they are copied.
// CHECK-LABEL: module @rows
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<48x96xf16>) outs({{.*}} : tensor<48x96xf32>)
// CHECK: %[[COLUMNS:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<2x96x64xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]], %[[COLUMNS]] : tensor<48x96xf32>, tensor<2x96x64xf32>)
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} ins(%arg2 : tensor<48x96xbf16>) outs({{.*}} : tensor<48x96xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]], {{.*}} : tensor<48x96xf32>, tensor<2x96x64xf32>)
// One row is read once, and so is bf16 by columns of one vector.
// CHECK: linalg.generic {{.*}} ins(%arg4, %arg1 : tensor<96xf16>, tensor<96x128xf16>)
// CHECK: linalg.generic {{.*}} ins(%arg2, {{.*}} : tensor<48x96xbf16>, 
module @rows {
  func.func @main(%a: tensor<48x96xf16>, %b: tensor<96x128xf16>, %c: tensor<48x96xbf16>, %d: tensor<96x128xbf16>,
                  %e: tensor<96xf16>, %f: tensor<96x16xbf16>)
      -> (tensor<48x128xf32>, tensor<48x128xf32>, tensor<128xf32>, tensor<48x16xf32>) {
    %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<48x96xf16>, tensor<96x128xf16>) -> tensor<48x128xf32>
    %1 = xla.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<48x96xbf16>, tensor<96x128xbf16>) -> tensor<48x128xf32>
    %2 = xla.dot_general %e, %b, contracting_dims = [0] x [0] : (tensor<96xf16>, tensor<96x128xf16>) -> tensor<128xf32>
    %3 = xla.dot_general %c, %f, contracting_dims = [1] x [0] : (tensor<48x96xbf16>, tensor<96x16xbf16>) -> tensor<48x16xf32>
    return %0, %1, %2, %3 : tensor<48x128xf32>, tensor<48x128xf32>, tensor<128xf32>, tensor<48x16xf32>
  }
}

// -----

// The rows of a product whose results are reduced along theirs, as attention's queries are, are widened before; weights
// by the kernel that computes them.
// CHECK-LABEL: module @attention
// CHECK: %[[Q:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<100x64xbf16>) outs({{.*}} : tensor<100x64xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[Q]], {{.*}} : tensor<100x64xf32>
module @attention {
  func.func @main(%q: tensor<100x64xbf16>, %k: tensor<200x64xbf16>) -> tensor<100xf32> {
    %0 = xla.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<100x64xbf16>, tensor<200x64xbf16>) -> tensor<100x200xf32>
    %1 = xla.constant dense<0xFF800000> : tensor<f32>
    %2 = xla.reduce(%0 init: %1) applies xla.maximum across dimensions = [1] : (tensor<100x200xf32>, tensor<f32>) -> tensor<100xf32>
    return %2 : tensor<100xf32>
  }
}
