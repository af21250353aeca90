// RUN: xla-opt %s --split-input-file --xla-arrange-convolutions=instructions=tdpbssd,tdpbf16ps | FileCheck %s
// RUN: xla-opt %s --split-input-file --xla-arrange-convolutions=instructions=vpdpbusd,vdpbf16ps | FileCheck %s --check-prefix=WITHOUT
// Convolutions for tile registers: rows of pixels that are in memory, in any layout.

#image = affine_map<(n, f, h, w, c, y, x) -> (n, c, h + y, w + x)>
#kernel = affine_map<(n, f, h, w, c, y, x) -> (f, c, y, x)>
#result = affine_map<(n, f, h, w, c, y, x) -> (n, f, h, w)>
#identity = affine_map<(n, f, h, w) -> (n, f, h, w)>
#bias = affine_map<(n, f, h, w) -> (f)>
// One division for each loop of results and of the sum; what a loop adds, the next one takes back.
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0 * 64 + (d0 floordiv 14) * 128 + (d0 floordiv 196) * 2048 + d2 + (d2 floordiv 192) * 832)>
// CHECK-DAG: #[[BIAS:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @channels_first
// WITHOUT-LABEL: func.func @channels_first
// WITHOUT-NOT: floordiv
// CHECK-SAME: %[[X:.*]]: tensor<2x64x16x16xbf16>, %[[K:.*]]: tensor<40x64x3x3xbf16>
func.func @channels_first(%x: tensor<2x64x16x16xbf16>, %k: tensor<40x64x3x3xbf16>, %b: tensor<40xf32>) -> tensor<2x40x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x40x14x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x40x14x14xf32>) -> tensor<2x40x14x14xf32>
  // CHECK: %[[TX:.*]] = linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%{{.*}} : tensor<2x16x16x64xbf16>)
  // CHECK: %[[TK:.*]] = linalg.generic {{.*}} ins(%[[K]] : {{.*}}) outs(%{{.*}} : tensor<3x3x64x40xbf16>)
  // CHECK: %[[M:.*]] = tensor.collapse_shape %[[TK]] {{\[\[}}0, 1, 2], [3]] : tensor<3x3x64x40xbf16> into tensor<576x40xbf16>
  // CHECK: %[[V:.*]] = tensor.collapse_shape %[[TX]] {{\[\[}}0, 1, 2, 3]] : tensor<2x16x16x64xbf16> into tensor<32768xbf16>
  // CHECK: linalg.generic {indexing_maps = [#[[ROWS]], {{.*}}], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[V]], %[[M]] :
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<2x64x16x16xbf16>, tensor<40x64x3x3xbf16>) outs(%f : tensor<2x40x14x14xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x40x14x14xf32>
  // The bias is added to rows of the product, before these are transposed.
  // CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[BIAS]], #{{.*}}], iterator_types = ["parallel", "parallel"]}
  // CHECK: %[[R:.*]] = tensor.expand_shape %[[SUM]] {{\[\[}}0, 1, 2], [3]] output_shape [2, 14, 14, 40]
  // CHECK: linalg.generic {{.*}} ins(%[[R]] : {{.*}}) outs(%{{.*}} : tensor<2x40x14x14xf32>)
  %1 = linalg.generic {indexing_maps = [#identity, #bias, #identity], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %b : tensor<2x40x14x14xf32>, tensor<40xf32>) outs(%e : tensor<2x40x14x14xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %t = arith.addf %l, %r : f32
    linalg.yield %t : f32
  } -> tensor<2x40x14x14xf32>
  return %1 : tensor<2x40x14x14xf32>
}

// -----

// Seven steps of three channels are a row of 32, for each result: zeros meet zeros.
#image = affine_map<(n, h, w, f, y, x, c) -> (n, h * 2 + y, w * 2 + x, c)>
#kernel = affine_map<(n, h, w, f, y, x, c) -> (y, x, c, f)>
#result = affine_map<(n, h, w, f, y, x, c) -> (n, h, w, f)>
// CHECK-LABEL: func.func @few_channels
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2], [3, 4]] : tensor<1x37x16x7x3xbf16> into tensor<1x37x16x21xbf16>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x37x16x32xbf16>)
// CHECK: tensor<7x32x24xbf16> into tensor<224x24xbf16>
// CHECK: outs(%{{.*}} : tensor<256x24xf32>)
func.func @few_channels(%x: tensor<1x37x37x3xbf16>, %k: tensor<7x7x3x24xbf16>) -> tensor<1x16x16x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x24xf32>) -> tensor<1x16x16x24xf32>
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<1x37x37x3xbf16>, tensor<7x7x3x24xbf16>) outs(%f : tensor<1x16x16x24xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16x16x24xf32>
  return %0 : tensor<1x16x16x24xf32>
}

// -----

// Of a kernel: rows of a register are channels. The last loop of the window is copied out, with both images' pixels.
#image = affine_map<(y, x, c, f, n, h, w) -> (n, y + h, x + w, c)>
#kernel = affine_map<(y, x, c, f, n, h, w) -> (n, h, w, f)>
#result = affine_map<(y, x, c, f, n, h, w) -> (y, x, c, f)>
// CHECK-LABEL: func.func @gradient
// CHECK: outs(%{{.*}} : tensor<18x48x34x2xi8>)
// CHECK: outs(%{{.*}} : tensor<18x3x48x32x2xi8>)
// CHECK: tensor<16x64x40xi8> into tensor<1024x40xi8>
// CHECK: outs(%{{.*}} : tensor<432x40xi32>)
func.func @gradient(%x: tensor<2x18x34x48xi8>, %k: tensor<2x16x32x40xi8>) -> tensor<3x3x48x40xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x3x48x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x3x48x40xi32>) -> tensor<3x3x48x40xi32>
  %0 = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<2x18x34x48xi8>, tensor<2x16x32x40xi8>) outs(%f : tensor<3x3x48x40xi32>) {
  ^bb0(%l: i8, %r: i8, %s: i32):
    %wl = arith.extsi %l : i8 to i32
    %wr = arith.extsi %r : i8 to i32
    %p = arith.muli %wl, %wr : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<3x3x48x40xi32>
  return %0 : tensor<3x3x48x40xi32>
}
