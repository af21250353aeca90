// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file | FileCheck %s

// CHECK: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<2x3xf32>
func.func @add(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<2x3xf32>
  // CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
  // CHECK-SAME: ins(%[[X]], %[[Y]] : tensor<2x3xf32>, tensor<2x3xf32>) outs(%[[EMPTY]] : tensor<2x3xf32>)
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT:   %[[S:.*]] = arith.addf %[[A]], %[[B]] : f32
  // CHECK-NEXT:   linalg.yield %[[S]] : f32
  // CHECK: return %[[R]]
  %0 = xla.add %x, %y : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Signs are dropped from types, at the boundary too, and chosen by the op.
// CHECK-LABEL: func.func @unsigned(
// CHECK-SAME: tensor<4xi32>, %{{.*}}: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>, tensor<4xi32>)
func.func @unsigned(%x: tensor<4xui32>, %y: tensor<4xui32>) -> (tensor<4xui32>, tensor<4xi1>, tensor<4xui32>) {
  // CHECK: arith.maxui
  %0 = xla.maximum %x, %y : tensor<4xui32>
  // CHECK: arith.cmpi ult
  %1 = xla.compare LT, %x, %y : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  // CHECK: %[[C:.*]] = arith.constant dense<-1> : tensor<4xi32>
  %2 = xla.constant dense<4294967295> : tensor<4xui32>
  // CHECK: return %{{.*}}, %{{.*}}, %[[C]] : tensor<4xi32>, tensor<4xi1>, tensor<4xi32>
  return %0, %1, %2 : tensor<4xui32>, tensor<4xi1>, tensor<4xui32>
}

// -----

// Division never traps: a guarded divisor, which does not depend on the dividend, and the results at zero and -1
// selected.
// CHECK-LABEL: func.func @divide
func.func @divide(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i32, %{{.*}}: i32):
  // CHECK-DAG: %[[ZERO:.*]] = arith.cmpi eq, %[[Y]], %{{.*}} : i32
  // CHECK-DAG: %[[MINUS:.*]] = arith.cmpi eq, %[[Y]], %{{.*}} : i32
  // CHECK: %[[GUARD:.*]] = arith.ori %[[ZERO]], %[[MINUS]]
  // CHECK: %[[DIVISOR:.*]] = arith.select %[[GUARD]], %{{.*}}, %[[Y]]
  // CHECK: %[[Q:.*]] = arith.divsi %[[X]], %[[DIVISOR]]
  // CHECK: %[[NEGATIVE:.*]] = arith.subi %{{.*}}, %[[X]]
  // CHECK: %[[SIGNED:.*]] = arith.select %[[MINUS]], %[[NEGATIVE]], %[[Q]]
  // CHECK: arith.select %[[ZERO]], %{{.*}}, %[[SIGNED]]
  %0 = xla.divide %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @shift
func.func @shift(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  // CHECK: %[[WIDTH:.*]] = arith.constant 32 : i32
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %[[WIDTH]]
  // CHECK: arith.shli
  // CHECK: arith.select %[[IN]]
  %0 = xla.shift_left %x, %y : tensor<4xi32>
  // CHECK: %[[LAST:.*]] = arith.constant 31 : i32
  // CHECK: %[[AMOUNT:.*]] = arith.minui %{{.*}}, %[[LAST]]
  // CHECK: arith.shrsi %{{.*}}, %[[AMOUNT]]
  %1 = xla.shift_right_arithmetic %x, %y : tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// -----

// Narrow floats compute in f32; those of 8 bits are read as f16, in which subnormal numbers cost nothing, and those of
// them that no processor reads so, as f32. bf16 has all of them, and takes the upper half of f32.
// CHECK-LABEL: func.func @narrow
func.func @narrow(%x: tensor<4xbf16>, %y: tensor<4xf8E4M3FN>, %z: tensor<4xf8E5M2>, %w: tensor<4xf8E5M2FNUZ>)
    -> (tensor<4xbf16>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf32>) {
  // CHECK: %[[W:.*]] = arith.extf %{{.*}} : bf16 to f32
  // CHECK: %[[E:.*]] = math.exp %[[W]] : f32
  // CHECK: arith.truncf %[[E]] : f32 to bf16
  %0 = xla.exponential %x : tensor<4xbf16>
  // CHECK: arith.bitcast %{{.*}} : f8E4M3FN to i8
  // CHECK: %[[HALF:.*]] = arith.bitcast %{{.*}} : i16 to f16
  // CHECK-NEXT: %[[SMALL:.*]] = arith.extf %[[HALF]] : f16 to f32
  // CHECK: arith.mulf %[[SMALL]], %{{.*}} : f32
  %1 = xla.convert %y : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  // CHECK: %[[HALF:.*]] = arith.bitcast %{{.*}} : i16 to f16
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[HALF]] : f16 to f32
  // CHECK-NEXT: arith.bitcast %[[WIDE]] : f32 to i32
  // CHECK-NOT: arith.truncf
  // CHECK: arith.bitcast %{{.*}} : i16 to bf16
  %2 = xla.convert %z : (tensor<4xf8E5M2>) -> tensor<4xbf16>
  // CHECK: arith.bitcast %{{.*}} : f8E5M2FNUZ to i8
  // CHECK-NOT: arith.extf
  %3 = xla.convert %w : (tensor<4xf8E5M2FNUZ>) -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xbf16>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf32>
}

// -----

// An f64 has a second formula on the left, of which it takes the result; an f32 has enough digits in f64.
// CHECK-LABEL: func.func @left
func.func @left(%x: tensor<4xf64>, %y: tensor<4xf32>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf32>) {
  // CHECK: ^bb0(%[[X:.*]]: f64, %{{.*}}: f64):
  // CHECK: %[[R:.*]] = xla_rt.lgamma_left %[[X]], %{{.*}} : f64
  // CHECK-NEXT: linalg.yield %[[R]]
  %0 = xla.lgamma %x : tensor<4xf64>
  // CHECK: ^bb0(%[[X:.*]]: f64, %{{.*}}: f64):
  // CHECK: %[[R:.*]] = xla_rt.digamma_left %[[X]], %{{.*}} : f64
  // CHECK-NEXT: linalg.yield %[[R]]
  %1 = xla.digamma %x : tensor<4xf64>
  // CHECK-NOT: xla_rt.lgamma_left
  %2 = xla.lgamma %y : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf64>, tensor<4xf64>, tensor<4xf32>
}

// -----

// What neither math nor libm has stays one operation until vectors are known; narrow floats compute in f64.
// CHECK-LABEL: func.func @zeta
func.func @zeta(%s: tensor<4xf64>, %q: tensor<4xf64>, %n: tensor<4xf16>, %x: tensor<4xf16>)
    -> (tensor<4xf64>, tensor<4xf16>) {
  // CHECK: xla_rt.zeta %{{.*}}, %{{.*}} : f64
  %0 = xla.zeta %s, %q : tensor<4xf64>
  // CHECK: %[[N:.*]] = arith.extf %{{.*}} : f32 to f64
  // CHECK: %[[X:.*]] = arith.extf %{{.*}} : f32 to f64
  // CHECK: %[[R:.*]] = xla_rt.polygamma %[[N]], %[[X]] : f64
  // CHECK: %[[OR_NAN:.*]] = arith.select %{{.*}}, %[[R]], %{{.*}} : f64
  // CHECK: %[[DIGAMMA:.*]] = arith.cmpf oeq, %[[N]], %{{.*}} : f64
  // CHECK: %[[ALL:.*]] = arith.select %[[DIGAMMA]], %{{.*}}, %[[OR_NAN]] : f64
  // CHECK: arith.truncf %[[ALL]] : f64 to f32
  %1 = xla.polygamma %n, %x : tensor<4xf16>
  return %0, %1 : tensor<4xf64>, tensor<4xf16>
}

// -----

// CHECK-LABEL: func.func @compare
func.func @compare(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  // CHECK: arith.cmpf olt
  %0 = xla.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: arith.cmpf une
  %1 = xla.compare NE, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK-COUNT-2: arith.xori
  // CHECK: arith.cmpi slt
  %2 = xla.compare LT, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// -----

// Out of range saturates, NaN is 0.
// CHECK-LABEL: func.func @convert
func.func @convert(%x: tensor<4xf32>, %p: tensor<4xi1>) -> (tensor<4xi32>, tensor<4xi1>, tensor<4xf32>) {
  // CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: i32):
  // CHECK: %[[LOW:.*]] = arith.constant -2.14748365E+9 : f32
  // CHECK: %[[HIGH:.*]] = arith.constant 2.14748365E+9 : f32
  // CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %[[X]], %{{.*}} : f32
  // CHECK: arith.fptosi %[[SAFE]] : f32 to i32
  // CHECK: arith.cmpf oge, %[[X]], %[[HIGH]]
  // CHECK: arith.constant 2147483647
  // CHECK: arith.cmpf olt, %[[X]], %[[LOW]]
  // CHECK: arith.constant -2147483648
  %0 = xla.convert %x : (tensor<4xf32>) -> tensor<4xi32>
  // CHECK: arith.cmpf une
  %1 = xla.convert %x : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: arith.uitofp %{{.*}} : i1 to f32
  %2 = xla.convert %p : (tensor<4xi1>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi1>, tensor<4xf32>
}

// -----

// A scalar predicate or bound is read through a map without results.
// CHECK: #[[SCALAR:.*]] = affine_map<(d0) -> ()>
// CHECK: #[[ID:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @scalars
func.func @scalars(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>, %lo: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: indexing_maps = [#[[SCALAR]], #[[ID]], #[[ID]], #[[ID]]]
  // CHECK: arith.select
  %0 = xla.select %p, %x, %y : tensor<i1>, tensor<4xf32>
  // CHECK: indexing_maps = [#[[SCALAR]], #[[ID]], #[[ID]], #[[ID]]]
  // CHECK: arith.maximumf
  // CHECK: arith.minimumf
  %1 = xla.clamp %lo, %x, %y : (tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @complex
func.func @complex(%z: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xf32>) {
  // CHECK: complex.mul
  %0 = xla.multiply %z, %z : tensor<4xcomplex<f32>>
  // CHECK: complex.abs
  %1 = xla.abs %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0, %1 : tensor<4xcomplex<f32>>, tensor<4xf32>
}

// -----

// The region of a map is the body; a value from outside is one more scalar input, a constant is repeated inside.
// CHECK-LABEL: func.func @map(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<f32>
func.func @map(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<4xi1> {
  %two = xla.constant dense<2.0> : tensor<f32>
  // CHECK: linalg.generic {{.*}} ins(%[[X]], %[[C]] : tensor<4xf32>, tensor<f32>) outs(%{{.*}} : tensor<4xi1>)
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: i1):
  // CHECK-NEXT: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK-NEXT: %[[M:.*]] = arith.mulf %[[A]], %[[TWO]]
  // CHECK-NEXT: arith.cmpf ogt, %[[M]], %[[B]]
  %0 = "xla.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %1 = xla.multiply %a, %two : tensor<f32>
    %2 = xla.compare GT, %1, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %2 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[PART0:.*]] = affine_map<(d0) -> (d0, 0)>
// CHECK-DAG: #[[PART1:.*]] = affine_map<(d0) -> (d0, 1)>
// CHECK-LABEL: func.func @bitcast
func.func @bitcast(%x: tensor<10xf32>, %y: tensor<10x2xf16>) -> (tensor<10x2xf16>, tensor<10xf32>, tensor<10xi32>) {
  // CHECK: linalg.generic {indexing_maps = [#[[FIRST]], #{{.*}}]
  // CHECK: linalg.index 1
  // CHECK: arith.shrui
  // CHECK: arith.bitcast %{{.*}} : i16 to f16
  %0 = xla.bitcast_convert %x : (tensor<10xf32>) -> tensor<10x2xf16>
  // CHECK: linalg.generic {indexing_maps = [#[[PART0]], #[[PART1]], #{{.*}}]
  // CHECK: arith.shli
  // CHECK: arith.ori
  // CHECK: arith.bitcast %{{.*}} : i32 to f32
  %1 = xla.bitcast_convert %y : (tensor<10x2xf16>) -> tensor<10xf32>
  // CHECK: arith.bitcast %{{.*}} : f32 to i32
  %2 = xla.bitcast_convert %x : (tensor<10xf32>) -> tensor<10xi32>
  return %0, %1, %2 : tensor<10x2xf16>, tensor<10xf32>, tensor<10xi32>
}

// -----

// Processors compare no bf16, which then need not be a float anywhere.
// CHECK-LABEL: func.func @reduce_precision_of_bf16(
func.func @reduce_precision_of_bf16(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  // CHECK: arith.bitcast %[[X:[a-z0-9_]+]] : bf16 to i16
  // CHECK: %[[WIDE:.*]] = arith.extf %[[X]] : bf16 to f32
  // CHECK: arith.cmpf uno, %[[WIDE]], %[[WIDE]] : f32
  %0 = xla.reduce_precision %x, format = e5m2 : tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// -----

// Pixels are multiplied by the reciprocal of a constant, in two parts of which their quotients are exact. Integers of
// more bits are not tried, and other floats are divided.
// CHECK-LABEL: func.func @pixels
func.func @pixels(%x: tensor<4xui8>, %y: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: arith.uitofp
  // CHECK: %[[LOW:.*]] = arith.mulf %[[X:.*]], %{{.*}} : f32
  // CHECK: math.fma %[[X]], %{{.*}}, %[[LOW]] : f32
  // CHECK-NOT: arith.divf
  // CHECK: arith.sitofp
  // CHECK: arith.divf
  %c = xla.constant dense<255.0> : tensor<4xf32>
  %0 = xla.convert %x : (tensor<4xui8>) -> tensor<4xf32>
  %1 = xla.divide %0, %c : tensor<4xf32>
  %2 = xla.convert %y : (tensor<4xi32>) -> tensor<4xf32>
  %3 = xla.divide %2, %c : tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The Bessel function of an f32 is computed in f64, by polynomials of as many terms as an f32 needs: 8 steps for small
// arguments, 12 for large ones.
// CHECK-LABEL: func.func @bessel
func.func @bessel(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: arith.extf
  // CHECK-COUNT-20: math.fma
  // CHECK-NOT: math.fma
  // CHECK: arith.truncf
  %0 = xla.bessel_i1e %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
