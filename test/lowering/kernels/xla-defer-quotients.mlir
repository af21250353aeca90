// RUN: xla-opt %s --split-input-file --to=linalg | xla-opt --split-input-file --pass-pipeline='builtin.module(func.func(xla-fold-transposes,xla-defer-quotients))' | FileCheck %s

// Exponentials are multiplied by values, and the results, fewer than the weights, are divided by the sums of their rows.
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @main
// CHECK: arith.subf
// CHECK: %[[E:.*]] = linalg.generic {{.*}} {
// CHECK: math.exp
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[E]] :
// CHECK: arith.addf
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[E]], %arg1 :
// CHECK: arith.mulf
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [{{.*}}, #[[ROWS]], {{.*}}]{{.*}} ins(%[[P]], %[[S]] :
// CHECK: arith.divf
// CHECK: return %[[R]]
func.func @main(%s: tensor<8x512x512xf32>, %v: tensor<8x512x64xf32>) -> tensor<8x512x64xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
  %d = xla.subtract %s, %mb : tensor<8x512x512xf32>
  %e = xla.exponential %d : tensor<8x512x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
  %p = xla.divide %e, %tb : tensor<8x512x512xf32>
  %r = xla.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  return %r : tensor<8x512x64xf32>
}

// -----

// The values come first, and the result has its heads behind its rows.
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-LABEL: func.func @main
// CHECK: arith.subf
// CHECK: %[[E:.*]] = linalg.generic {{.*}} {
// CHECK: math.exp
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%arg1, %[[E]] :
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[ROWS]], {{.*}}]{{.*}} ins(%[[P]],
// CHECK: arith.divf
func.func @main(%s: tensor<8x512x512xf32>, %v: tensor<8x512x64xf32>) -> tensor<512x8x64xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
  %d = xla.subtract %s, %mb : tensor<8x512x512xf32>
  %e = xla.exponential %d : tensor<8x512x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
  %p = xla.divide %e, %tb : tensor<8x512x512xf32>
  %r = xla.dot_general %v, %p, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<8x512x64xf32>, tensor<8x512x512xf32>) -> tensor<8x64x512xf32>
  %o = xla.transpose %r, dims = [2, 0, 1] : (tensor<8x64x512xf32>) -> tensor<512x8x64xf32>
  return %o : tensor<512x8x64xf32>
}

// -----

// Without the maximum, exponentials may be large, and so may their sums of products.
// CHECK-LABEL: func.func @main
// CHECK: arith.divf
// CHECK: arith.mulf
func.func @main(%s: tensor<512x512xf32>, %v: tensor<512x64xf32>) -> tensor<512x64xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %s : tensor<512x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
  %p = xla.divide %e, %tb : tensor<512x512xf32>
  %r = xla.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
  return %r : tensor<512x64xf32>
}

// -----

// Somebody reads the weights.
// CHECK-LABEL: func.func @main
// CHECK: arith.divf
// CHECK: arith.mulf
// CHECK-NOT: arith.divf
func.func @main(%s: tensor<512x512xf32>, %v: tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<512x512xf32>) {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
  %d = xla.subtract %s, %mb : tensor<512x512xf32>
  %e = xla.exponential %d : tensor<512x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
  %p = xla.divide %e, %tb : tensor<512x512xf32>
  %r = xla.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
  return %r, %p : tensor<512x64xf32>, tensor<512x512xf32>
}

// -----

// There are more results than weights.
// CHECK-LABEL: func.func @main
// CHECK: arith.divf
// CHECK: arith.mulf
// CHECK-NOT: arith.divf
func.func @main(%s: tensor<512x16xf32>, %v: tensor<16x64xf32>) -> tensor<512x64xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<512x16xf32>, tensor<f32>) -> tensor<512xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<512xf32>) -> tensor<512x16xf32>
  %d = xla.subtract %s, %mb : tensor<512x16xf32>
  %e = xla.exponential %d : tensor<512x16xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<512x16xf32>, tensor<f32>) -> tensor<512xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0] : (tensor<512xf32>) -> tensor<512x16xf32>
  %p = xla.divide %e, %tb : tensor<512x16xf32>
  %r = xla.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
  return %r : tensor<512x64xf32>
}

// -----

// Sums of f16 have no room for products with 512 weights of 1.
// CHECK-LABEL: func.func @main
// CHECK: arith.divf
// CHECK: arith.mulf
// CHECK-NOT: arith.divf
func.func @main(%s: tensor<512x512xf16>, %v: tensor<512x64xf16>) -> tensor<512x64xf16> {
  %ninf = xla.constant dense<0xFC00> : tensor<f16>
  %zero = xla.constant dense<0.0> : tensor<f16>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<512x512xf16>, tensor<f16>) -> tensor<512xf16>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<512xf16>) -> tensor<512x512xf16>
  %d = xla.subtract %s, %mb : tensor<512x512xf16>
  %e = xla.exponential %d : tensor<512x512xf16>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<512x512xf16>, tensor<f16>) -> tensor<512xf16>
  %tb = xla.broadcast_in_dim %t, dims = [0] : (tensor<512xf16>) -> tensor<512x512xf16>
  %p = xla.divide %e, %tb : tensor<512x512xf16>
  %r = xla.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<512x512xf16>, tensor<512x64xf16>) -> tensor<512x64xf16>
  return %r : tensor<512x64xf16>
}

// -----

// Quotients that are rounded before they are multiplied: exponentials are rounded.
// CHECK-LABEL: func.func @main
// CHECK: arith.subf
// CHECK: %[[E:.*]] = linalg.generic {{.*}} {
// CHECK: math.exp
// CHECK: %[[W:.*]] = linalg.generic {{.*}} ins(%[[E]] :
// CHECK: arith.truncf
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[E]] :
// CHECK: arith.addf
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[W]], %arg1 :
// CHECK: linalg.generic {{.*}} ins(%[[P]], %[[S]] :
// CHECK: arith.divf
// CHECK-NOT: arith.divf
func.func @main(%s: tensor<512x512xf32>, %v: tensor<512x64xbf16>) -> tensor<512x64xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
  %d = xla.subtract %s, %mb : tensor<512x512xf32>
  %e = xla.exponential %d : tensor<512x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
  %p = xla.divide %e, %tb : tensor<512x512xf32>
  %w = xla.convert %p : (tensor<512x512xf32>) -> tensor<512x512xbf16>
  %r = xla.dot_general %w, %v, contracting_dims = [1] x [0] : (tensor<512x512xbf16>, tensor<512x64xbf16>) -> tensor<512x64xf32>
  return %r : tensor<512x64xf32>
}
