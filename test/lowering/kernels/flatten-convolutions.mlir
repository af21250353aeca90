// RUN: xla-opt %s --split-input-file --xla-flatten-convolutions=instructions=vpdpbusd,vdpbf16ps | FileCheck %s
// RUN: xla-opt %s --split-input-file --xla-flatten-convolutions | FileCheck %s --check-prefix=WITHOUT
// Convolutions as products of matrices: of narrow numbers, where the processor multiplies those, and of floats with large
// kernels.

#image = affine_map<(n, h, w, f, y, x, c) -> (n, h * 2 + y, w + x, c)>
#kernel = affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>
#result = affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>
#identity = affine_map<(n, h, w, f) -> (n, h, w, f)>
#bias = affine_map<(n, h, w, f) -> (f)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> ((d0 floordiv 6) floordiv 4, ((d0 floordiv 6) mod 4) * 2 + d2 floordiv 96, (d0 mod 6) * 32 + d2 mod 96)>
// CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: func.func @convolution
// WITHOUT-LABEL: func.func @convolution
// WITHOUT-NOT: tensor.collapse_shape
func.func @convolution(%x: tensor<2x9x8x32xi8>, %k: tensor<3x3x32x24xi8>, %b: tensor<24xi32>) -> tensor<2x4x6x24xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x4x6x24xi32>
  // CHECK: %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] : tensor<2x9x8x32xi8> into tensor<2x9x256xi8>
  // CHECK: %[[K:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] : tensor<3x3x32x24xi8> into tensor<288x24xi8>
  // CHECK: linalg.fill ins(%{{.*}} : i32) outs(%{{.*}} : tensor<48x24xi32>)
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x4x6x24xi32>) -> tensor<2x4x6x24xi32>
  // CHECK: linalg.generic {indexing_maps = [#[[ROWS]], #[[COLUMNS]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
  // CHECK-SAME: ins(%[[X]], %[[K]] : tensor<2x9x256xi8>, tensor<288x24xi8>)
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<2x9x8x32xi8>, tensor<3x3x32x24xi8>) outs(%f : tensor<2x4x6x24xi32>) {
  ^bb0(%l: i8, %r: i8, %s: i32):
    %wl = arith.extsi %l : i8 to i32
    %wr = arith.extsi %r : i8 to i32
    %p = arith.muli %wl, %wr : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<2x4x6x24xi32>
  // What is computed of the sums is of the rows of the product, too.
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel"]} ins(%{{.*}}, %{{.*}} : tensor<48x24xi32>, tensor<24xi32>)
  %1 = linalg.generic {indexing_maps = [#identity, #bias, #identity], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %b : tensor<2x4x6x24xi32>, tensor<24xi32>) outs(%e : tensor<2x4x6x24xi32>) {
  ^bb0(%l: i32, %r: i32, %s: i32):
    %t = arith.addi %l, %r : i32
    linalg.yield %t : i32
  } -> tensor<2x4x6x24xi32>
  // CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] output_shape [2, 4, 6, 24]
  return %1 : tensor<2x4x6x24xi32>
}

// -----

// Steps of the window are two pixels apart along the row: what is between them is left out.
#image = affine_map<(n, h, w, f, y, x, c) -> (n, h + y, w + x * 2, c)>
#kernel = affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>
#result = affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> ((d0 floordiv 4) floordiv 7, (d0 floordiv 4) mod 7 + d2 floordiv 96, (d0 mod 4) * 32 + d2 + (d2 floordiv 32) * 32 - (d2 floordiv 96) * 192)>
// CHECK-LABEL: func.func @dilated
// CHECK: linalg.generic {indexing_maps = [#[[ROWS]],
// CHECK-SAME: tensor<8x9x256xi8>, tensor<288x24xi8>
func.func @dilated(%x: tensor<8x9x8x32xi8>, %k: tensor<3x3x32x24xi8>, %f: tensor<8x7x4x24xi32>) -> tensor<8x7x4x24xi32> {
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<8x9x8x32xi8>, tensor<3x3x32x24xi8>) outs(%f : tensor<8x7x4x24xi32>) {
  ^bb0(%l: i8, %r: i8, %s: i32):
    %wl = arith.extsi %l : i8 to i32
    %wr = arith.extsi %r : i8 to i32
    %p = arith.muli %wl, %wr : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<8x7x4x24xi32>
  return %0 : tensor<8x7x4x24xi32>
}

// -----

// Rows of the window of 27 bytes are no vectors.
#image = affine_map<(n, h, w, f, y, x, c) -> (n, h + y, w + x, c)>
#kernel = affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>
#result = affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>
// CHECK-LABEL: func.func @few_channels
// CHECK-NOT: tensor.collapse_shape
func.func @few_channels(%x: tensor<8x9x8x9xi8>, %k: tensor<3x3x9x24xi8>, %f: tensor<8x7x6x24xi32>) -> tensor<8x7x6x24xi32> {
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<8x9x8x9xi8>, tensor<3x3x9x24xi8>) outs(%f : tensor<8x7x6x24xi32>) {
  ^bb0(%l: i8, %r: i8, %s: i32):
    %wl = arith.extsi %l : i8 to i32
    %wr = arith.extsi %r : i8 to i32
    %p = arith.muli %wl, %wr : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<8x7x6x24xi32>
  return %0 : tensor<8x7x6x24xi32>
}

// -----

// The channels of padding that only the convolution reads are 32 bytes: it keeps its dimensions, and is read in place.
#image = affine_map<(n, h, w, f, y, x, c) -> (n, h + y, w * 2 + x, c)>
#kernel = affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>
#result = affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>
#identity = affine_map<(n, h, w, c) -> (n, h, w, c)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> ((d0 floordiv 4) floordiv 8, (d0 floordiv 4) mod 8 + d2 floordiv 96, (d0 mod 4) * 2 + d2 floordiv 32 - (d2 floordiv 96) * 3, d2 mod 32)>
// CHECK-LABEL: func.func @padded(
// CHECK: %[[P:.*]] = linalg.generic
// CHECK: linalg.generic {indexing_maps = [#[[ROWS]], {{.*}}ins(%[[P]], %{{.*}} : tensor<2x10x10x32xi8>, tensor<288x24xi8>)
func.func @padded(%x: tensor<2x8x8x32xi8>, %k: tensor<3x3x32x24xi8>, %f: tensor<2x8x4x24xi32>) -> tensor<2x8x4x24xi32> {
  %p = tensor.empty() : tensor<2x10x10x32xi8>
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i8
  %0 = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%p : tensor<2x10x10x32xi8>) {
  ^bb0(%o: i8):
    %n = linalg.index 0 : index
    %i = linalg.index 1 : index
    %h = arith.subi %i, %c1 : index
    %a = arith.cmpi ult, %h, %c8 : index
    %j = linalg.index 2 : index
    %w = arith.subi %j, %c1 : index
    %b = arith.cmpi ult, %w, %c8 : index
    %inside = arith.andi %a, %b : i1
    %c = linalg.index 3 : index
    %v = scf.if %inside -> (i8) {
      %e = tensor.extract %x[%n, %h, %w, %c] : tensor<2x8x8x32xi8>
      scf.yield %e : i8
    } else {
      scf.yield %zero : i8
    }
    linalg.yield %v : i8
  } -> tensor<2x10x10x32xi8>
  %1 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x10x10x32xi8>, tensor<3x3x32x24xi8>) outs(%f : tensor<2x8x4x24xi32>) {
  ^bb0(%l: i8, %r: i8, %s: i32):
    %wl = arith.extsi %l : i8 to i32
    %wr = arith.extsi %r : i8 to i32
    %q = arith.muli %wl, %wr : i32
    %t = arith.addi %s, %q : i32
    linalg.yield %t : i32
  } -> tensor<2x8x4x24xi32>
  return %1 : tensor<2x8x4x24xi32>
}

// -----

// A kernel of floats that does not stay in the cache, for few pixels.
#image = affine_map<(n, h, w, f, y, x, c) -> (n, h + y, w + x, c)>
#kernel = affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>
#result = affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>
// CHECK-LABEL: func.func @large_kernel
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}} : tensor<1x16x4096xf32>, tensor<2304x256xf32>)
// WITHOUT-LABEL: func.func @large_kernel
// WITHOUT: tensor<2304x256xf32>
func.func @large_kernel(%x: tensor<1x16x16x256xf32>, %k: tensor<3x3x256x256xf32>, %f: tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32> {
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<1x16x16x256xf32>, tensor<3x3x256x256xf32>) outs(%f : tensor<1x14x14x256xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x14x14x256xf32>
  return %0 : tensor<1x14x14x256xf32>
}

// -----

// The same for many pixels, along whose rows a nest uses what it reads often enough.
#image = affine_map<(n, h, w, f, y, x, c) -> (n, h + y, w + x, c)>
#kernel = affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>
#result = affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>
// CHECK-LABEL: func.func @many_pixels
// CHECK-NOT: tensor.collapse_shape
func.func @many_pixels(%x: tensor<1x58x58x256xf32>, %k: tensor<3x3x256x256xf32>, %f: tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32> {
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<1x58x58x256xf32>, tensor<3x3x256x256xf32>) outs(%f : tensor<1x56x56x256xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x56x56x256xf32>
  return %0 : tensor<1x56x56x256xf32>
}

// -----

// One step of the kernel is far from the next.
#image = affine_map<(n, h, w, f, y, x, c) -> (n, h + y, w + x, c)>
#kernel = affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>
#result = affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>
// CHECK-LABEL: func.func @far_steps
// CHECK: tensor<2304x512xf32>
func.func @far_steps(%x: tensor<1x58x58x256xf32>, %k: tensor<3x3x256x512xf32>, %f: tensor<1x56x56x512xf32>) -> tensor<1x56x56x512xf32> {
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<1x58x58x256xf32>, tensor<3x3x256x512xf32>) outs(%f : tensor<1x56x56x512xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x56x56x512xf32>
  return %0 : tensor<1x56x56x512xf32>
}

// -----

// One that stays in the cache.
#image = affine_map<(n, h, w, f, y, x, c) -> (n, h + y, w + x, c)>
#kernel = affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>
#result = affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>
// CHECK-LABEL: func.func @small_kernel
// CHECK-NOT: tensor.collapse_shape
func.func @small_kernel(%x: tensor<1x16x16x256xf32>, %k: tensor<3x3x256x64xf32>, %f: tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32> {
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<1x16x16x256xf32>, tensor<3x3x256x64xf32>) outs(%f : tensor<1x14x14x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x14x14x64xf32>
  return %0 : tensor<1x14x14x64xf32>
}

// -----

// A large kernel, channels first: image, kernel and results are copied.
#image = affine_map<(n, f, h, w, c, y, x) -> (n, c, h + y, w + x)>
#kernel = affine_map<(n, f, h, w, c, y, x) -> (f, c, y, x)>
#result = affine_map<(n, f, h, w, c, y, x) -> (n, f, h, w)>
// CHECK-LABEL: func.func @channels_first
// CHECK: %[[IMAGE:.*]] = linalg.generic {{.*}} ins(%arg0 : {{.*}}) outs(%{{.*}} : tensor<1x16x16x256xf32>)
// CHECK: %[[KERNEL:.*]] = linalg.generic {{.*}} ins(%arg1 : {{.*}}) outs(%{{.*}} : tensor<3x3x256x128xf32>)
// CHECK: %[[A:.*]] = tensor.collapse_shape %[[IMAGE]] {{.*}} into tensor<1x16x4096xf32>
// CHECK: %[[B:.*]] = tensor.collapse_shape %[[KERNEL]] {{.*}} into tensor<2304x128xf32>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%{{.*}} : tensor<196x128xf32>)
// CHECK: %[[PIXELS:.*]] = tensor.expand_shape %[[SUMS]] {{.*}} into tensor<1x14x14x128xf32>
// CHECK: %[[BACK:.*]] = linalg.generic {{.*}} ins(%[[PIXELS]] : {{.*}}) outs(%{{.*}} : tensor<1x128x14x14xf32>)
// CHECK: return %[[BACK]]
func.func @channels_first(%x: tensor<1x256x16x16xf32>, %k: tensor<128x256x3x3xf32>) -> tensor<1x128x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x128x14x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x128x14x14xf32>) -> tensor<1x128x14x14xf32>
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<1x256x16x16xf32>, tensor<128x256x3x3xf32>) outs(%f : tensor<1x128x14x14xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x128x14x14xf32>
  return %0 : tensor<1x128x14x14xf32>
}

// -----

// Nothing is copied where there is no product of matrices then: windows of several rows of rows, and few pixels.
#image = affine_map<(n, f, d, h, w, c, z, y, x) -> (n, c, d + z, h + y, w + x)>
#kernel = affine_map<(n, f, d, h, w, c, z, y, x) -> (f, c, z, y, x)>
#result = affine_map<(n, f, d, h, w, c, z, y, x) -> (n, f, d, h, w)>
// CHECK-LABEL: func.func @volumes_of_channels_first
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @volumes_of_channels_first(%x: tensor<1x128x6x6x6xf32>, %k: tensor<128x128x3x3x3xf32>) -> tensor<1x128x4x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x128x4x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x128x4x4x4xf32>) -> tensor<1x128x4x4x4xf32>
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<1x128x6x6x6xf32>, tensor<128x128x3x3x3xf32>) outs(%f : tensor<1x128x4x4x4xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x128x4x4x4xf32>
  return %0 : tensor<1x128x4x4x4xf32>
}

// -----

#image = affine_map<(n, f, h, w, c, y, x) -> (n, c, h + y, w + x)>
#kernel = affine_map<(n, f, h, w, c, y, x) -> (f, c, y, x)>
#result = affine_map<(n, f, h, w, c, y, x) -> (n, f, h, w)>
// CHECK-LABEL: func.func @few_pixels_of_channels_first
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @few_pixels_of_channels_first(%x: tensor<1x256x3x5xf32>, %k: tensor<128x256x3x3xf32>) -> tensor<1x128x1x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x128x1x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x128x1x3xf32>) -> tensor<1x128x1x3xf32>
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<1x256x3x5xf32>, tensor<128x256x3x3xf32>) outs(%f : tensor<1x128x1x3xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x128x1x3xf32>
  return %0 : tensor<1x128x1x3xf32>
}
