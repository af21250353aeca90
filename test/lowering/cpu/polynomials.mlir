// RUN: xla-opt --split-input-file --to=loops="vector-bits=256 threads=1" %s | FileCheck %s

// Polynomials go by pairs of terms, which do not wait for each other: the products with the square are half of the steps
// of Horner's rule. Their products may be rounded, what takes back a rounding may not.

// The square of a small number is not subnormal, nor what is multiplied by it.
// CHECK-LABEL: @tanh
// CHECK:         %[[TINY:.*]] = arith.constant dense<8.67361737E-19>
// CHECK:         %[[SQUARE:.*]] = math.fma %[[R:.*]], %[[R]], %[[TINY]] fastmath<contract> : vector<8xf32>
// CHECK:         %[[HIGH:.*]] = math.fma %[[R]], %{{.*}}, %{{.*}} fastmath<contract> : vector<8xf32>
// CHECK:         %[[SUM:.*]] = math.fma %{{.*}}, %[[SQUARE]], %[[HIGH]] fastmath<contract> : vector<8xf32>
// CHECK:         %[[LOW:.*]] = math.fma %[[R]], %{{.*}}, %{{.*}} fastmath<contract> : vector<8xf32>
// CHECK:         %[[ALL:.*]] = math.fma %[[SUM]], %[[SQUARE]], %[[LOW]] fastmath<contract> : vector<8xf32>
// CHECK:         math.fma %[[SQUARE]], %[[ALL]], %[[R]] fastmath<contract> : vector<8xf32>
// One division, and a product that takes back its rounding where h q is small beside h.
// CHECK:         %[[Q:.*]] = arith.divf %[[H:.*]], %{{.*}} : vector<8xf32>
// CHECK:         %[[NEAR:.*]] = math.fma %{{.*}}, %[[Q]], %[[H]] : vector<8xf32>
// CHECK:         arith.select %{{.*}}, %[[NEAR]], %[[Q]]
module @tanh {
  func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
    %0 = xla.tanh %x : tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}

// -----

// CHECK-LABEL: @log
// CHECK:         %[[SQUARE:.*]] = arith.mulf %[[F:.*]], %[[F]] : vector<8xf32>
// CHECK-COUNT-4: math.fma %{{.*}}, %[[SQUARE]], %{{.*}} fastmath<contract> : vector<8xf32>
module @log {
  func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
    %0 = xla.log %x : tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}

// -----

// The arcsine of f32 is that of f64, of which the root takes a division by a number of f64, and no arctangent.
// CHECK-LABEL: @asin
// CHECK:         arith.extf
// CHECK:         math.sqrt
// CHECK:         arith.divf
// CHECK-NOT:     arith.divf
// CHECK:         arith.truncf
module @asin {
  func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
    %0 = xla.asin %x : tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}
