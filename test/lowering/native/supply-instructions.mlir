// RUN: xla-opt %s --split-input-file --xla-supply-instructions | FileCheck %s
// RUN: xla-opt %s --split-input-file --xla-supply-instructions="fma=true f16c=true" | FileCheck %s --check-prefix=HAS

// HAS-COUNT-4: math.fma
// HAS: arith.extf {{.*}} vector<4xf16>
// HAS: arith.truncf {{.*}} vector<4xf32> to vector<4xf16>

// What may have two roundings has two.
// CHECK-LABEL: @contracted(
// CHECK-SAME: %[[X:.*]]: vector<4xf64>, %[[Y:.*]]: vector<4xf64>, %[[Z:.*]]: vector<4xf64>)
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[Y]] : vector<4xf64>
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[PRODUCT]], %[[Z]] : vector<4xf64>
// CHECK-NEXT: return %[[SUM]]
func.func @contracted(%x: vector<4xf64>, %y: vector<4xf64>, %z: vector<4xf64>) -> vector<4xf64> {
  %0 = math.fma %x, %y, %z fastmath<contract> : vector<4xf64>
  return %0 : vector<4xf64>
}

// -----

// Otherwise f32 is computed in f64.
// CHECK-LABEL: @single(
// CHECK-COUNT-2: arith.extf {{.*}} : f32 to f64
// CHECK: arith.mulf {{.*}} : f64
// CHECK: arith.addf {{.*}} : f64
// CHECK-NEXT: arith.truncf {{.*}} : f64 to f32
// CHECK-NOT: math.fma
func.func @single(%x: f32, %y: f32, %z: f32) -> f32 {
  %0 = math.fma %x, %y, %z : f32
  return %0 : f32
}

// -----

// And f64 with the errors of its product and its sum.
// CHECK-LABEL: @double(
// CHECK: arith.constant dense<-134217728> : vector<2xi64>
// CHECK: %[[COUNTS:.*]] = arith.cmpf one, %[[LOW:.*]], {{.*}} : vector<2xf64>
// CHECK: %[[SUM:.*]] = arith.addf %[[HIGH:.*]], %[[LOW]] : vector<2xf64>
// CHECK: arith.select %[[COUNTS]], %[[SUM]], %[[HIGH]]
// CHECK-NOT: math.fma
func.func @double(%x: vector<2xf64>, %y: vector<2xf64>, %z: vector<2xf64>) -> vector<2xf64> {
  %0 = math.fma %x, %y, %z : vector<2xf64>
  return %0 : vector<2xf64>
}

// -----

// The error of a product needs no sum.
// CHECK-LABEL: @error_of_product(
// CHECK-COUNT-5: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK-NOT: arith.cmpf
func.func @error_of_product(%x: vector<2xf64>, %y: vector<2xf64>) -> vector<2xf64> {
  %0 = arith.mulf %x, %y : vector<2xf64>
  %1 = arith.negf %0 : vector<2xf64>
  %2 = math.fma %x, %y, %1 : vector<2xf64>
  return %2 : vector<2xf64>
}

// -----

// CHECK-LABEL: @half(
// CHECK: arith.extui {{.*}} : vector<4xi16> to vector<4xi32>
// CHECK: arith.trunci {{.*}} : vector<4xi32> to vector<4xi16>
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
func.func @half(%x: vector<4xf16>) -> vector<4xf16> {
  %0 = arith.extf %x : vector<4xf16> to vector<4xf32>
  %1 = arith.addf %0, %0 : vector<4xf32>
  %2 = arith.truncf %1 : vector<4xf32> to vector<4xf16>
  return %2 : vector<4xf16>
}
