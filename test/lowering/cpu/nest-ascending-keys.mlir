// RUN: xla-opt %s --to=loops --split-input-file | FileCheck %s
// Maxima with their indices: down a column these ascend, so no index is compared with the running one.

// Nobody reads the maxima, of which equal ones are as good as each other: one condition is for both.
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: iter_args
// CHECK: %[[GREATER:.*]] = arith.cmpf ogt, %[[VALUE:.*]], %[[NEXT:.*]] : vector<16xf32>
// CHECK-NEXT: %[[EQUAL:.*]] = arith.cmpf oeq, %[[VALUE]], %[[NEXT]]
// CHECK-NEXT: %[[OLD:.*]] = arith.ori %[[GREATER]], %[[EQUAL]]
// CHECK-NEXT: %[[NAN:.*]] = arith.cmpf une, %[[VALUE]], %[[VALUE]]
// CHECK-NEXT: %[[STAYS:.*]] = arith.ori %[[OLD]], %[[NAN]]
// CHECK-NEXT: arith.select %[[STAYS]], %[[VALUE]], %[[NEXT]]
// CHECK: arith.select %[[STAYS]], {{.*}} : vector<16xi1>, vector<16xi32>
// CHECK-NOT: arith.cmpi {{.*}} : vector<16xi32>
// CHECK: return
func.func @main(%x: tensor<512x256xf32>) -> tensor<256xi32> {
  %i = stablehlo.iota dim = 0 : tensor<512x256xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [0] : (tensor<512x256xf32>, tensor<512x256xi32>, tensor<f32>, tensor<i32>) -> (tensor<256xf32>, tensor<256xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
    %greater = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %wins = stablehlo.or %greater, %nan : tensor<i1>
    %equal = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %before = stablehlo.compare LT, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %first = stablehlo.and %equal, %before : tensor<i1>
    %stays = stablehlo.or %wins, %first : tensor<i1>
    %value = stablehlo.select %wins, %a, %b : tensor<i1>, tensor<f32>
    %key = stablehlo.select %stays, %m, %n : tensor<i1>, tensor<i32>
    stablehlo.return %value, %key : tensor<f32>, tensor<i32>
  }
  return %r#1 : tensor<256xi32>
}

// -----

// Equal maxima that are read may be -0 and +0, and this takes one and the index of the other: their order counts.
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: arith.cmpi slt
// CHECK: return
func.func @main(%x: tensor<512x256xf32>) -> (tensor<256xf32>, tensor<256xi32>) {
  %i = stablehlo.iota dim = 0 : tensor<512x256xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [0] : (tensor<512x256xf32>, tensor<512x256xi32>, tensor<f32>, tensor<i32>) -> (tensor<256xf32>, tensor<256xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
    %greater = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %wins = stablehlo.or %greater, %nan : tensor<i1>
    %equal = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %before = stablehlo.compare LT, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %first = stablehlo.and %equal, %before : tensor<i1>
    %stays = stablehlo.or %wins, %first : tensor<i1>
    %value = stablehlo.select %wins, %a, %b : tensor<i1>, tensor<f32>
    %key = stablehlo.select %stays, %m, %n : tensor<i1>, tensor<i32>
    stablehlo.return %value, %key : tensor<f32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<256xf32>, tensor<256xi32>
}

// -----

// The initial index may be one that comes later.
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: arith.cmpi slt
// CHECK: return
func.func @main(%x: tensor<512x256xf32>) -> tensor<256xi32> {
  %i = stablehlo.iota dim = 0 : tensor<512x256xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<7> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [0] : (tensor<512x256xf32>, tensor<512x256xi32>, tensor<f32>, tensor<i32>) -> (tensor<256xf32>, tensor<256xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
    %greater = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %wins = stablehlo.or %greater, %nan : tensor<i1>
    %equal = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %before = stablehlo.compare LT, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %first = stablehlo.and %equal, %before : tensor<i1>
    %stays = stablehlo.or %wins, %first : tensor<i1>
    %value = stablehlo.select %wins, %a, %b : tensor<i1>, tensor<f32>
    %key = stablehlo.select %stays, %m, %n : tensor<i1>, tensor<i32>
    stablehlo.return %value, %key : tensor<f32>, tensor<i32>
  }
  return %r#1 : tensor<256xi32>
}
