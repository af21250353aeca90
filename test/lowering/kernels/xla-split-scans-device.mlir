// RUN: xla-opt %s --pass-pipeline='builtin.module(func.func(xla-split-scans{device=true}))' | FileCheck %s

// On a device both passes convert what they read, and the second one what it writes: nothing of it is in memory.
// CHECK-LABEL: func.func @converted(
// CHECK-SAME:      %[[X:.*]]: tensor<4096x1024xbf16>,
// CHECK:         %[[BLOCKS:.*]] = tensor.expand_shape %[[X]]
// CHECK:         %[[FIRST:.*]] = tensor.extract_slice %[[BLOCKS]]
// CHECK:         %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[FIRST]] : tensor<63x64x1024xbf16>)
// CHECK:         linalg.generic {{.*}}"reduction"{{.*}} ins(%[[WIDE]] :
// CHECK:         %[[AGAIN:.*]] = linalg.generic {{.*}} ins(%[[BLOCKS]] : tensor<64x64x1024xbf16>)
// CHECK:         %[[SUMS:.*]] = xla_rt.scan ins(%[[AGAIN]] :
// CHECK:         %[[NARROW:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<64x64x1024xf32>)
// CHECK:         %[[RESULT:.*]] = tensor.collapse_shape %[[NARROW]]
// CHECK:         return %[[RESULT]] : tensor<4096x1024xbf16>
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @converted(%x: tensor<4096x1024xbf16>, %init: tensor<1024xf32>) -> tensor<4096x1024xbf16> {
  %empty = tensor.empty() : tensor<4096x1024xf32>
  %wide = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4096x1024xbf16>) outs(%empty : tensor<4096x1024xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<4096x1024xf32>
  %sums = xla_rt.scan ins(%wide : tensor<4096x1024xf32>) initial(%init : tensor<1024xf32>) outs(%empty : tensor<4096x1024xf32>)
      dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    xla_rt.yield %sum : f32
  } -> tensor<4096x1024xf32>
  %narrow = tensor.empty() : tensor<4096x1024xbf16>
  %result = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<4096x1024xf32>) outs(%narrow : tensor<4096x1024xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4096x1024xbf16>
  return %result : tensor<4096x1024xbf16>
}
