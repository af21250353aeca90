// RUN: xla-opt %s --split-input-file --xla-narrow-arithmetic="fp16=true" | FileCheck %s --check-prefixes=CHECK,FP16
// RUN: xla-opt %s --split-input-file --xla-narrow-arithmetic | FileCheck %s --check-prefixes=CHECK,WIDE

// The second rounding changes nothing. A product keeps its own, whatever is added to it.
// CHECK-LABEL: @chain(
// FP16-SAME: %[[X:.*]]: vector<16xf16>, %[[Y:.*]]: vector<16xf16>)
// FP16-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[Y]] : vector<16xf16>
// FP16-NEXT: %[[ROUNDED:.*]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[PRODUCT]])
// FP16-NEXT: %[[SUM:.*]] = arith.addf %[[ROUNDED]], %[[Y]] : vector<16xf16>
// FP16-NEXT: %[[ROOT:.*]] = math.sqrt %[[SUM]] : vector<16xf16>
// FP16-NEXT: return %[[ROOT]]
// WIDE-COUNT-3: arith.truncf
func.func @chain(%x: vector<16xf16>, %y: vector<16xf16>) -> vector<16xf16> {
  %0 = arith.extf %x : vector<16xf16> to vector<16xf32>
  %1 = arith.extf %y : vector<16xf16> to vector<16xf32>
  %2 = arith.mulf %0, %1 : vector<16xf32>
  %3 = arith.truncf %2 : vector<16xf32> to vector<16xf16>
  %4 = arith.extf %3 : vector<16xf16> to vector<16xf32>
  %5 = arith.extf %y : vector<16xf16> to vector<16xf32>
  %6 = arith.addf %4, %5 : vector<16xf32>
  %7 = arith.truncf %6 : vector<16xf32> to vector<16xf16>
  %8 = arith.extf %7 : vector<16xf16> to vector<16xf32>
  %9 = math.sqrt %8 : vector<16xf32>
  %10 = arith.truncf %9 : vector<16xf32> to vector<16xf16>
  return %10 : vector<16xf16>
}

// -----

// Numbers of f16 stay what they are, on any processor.
// CHECK-LABEL: @clipped(
// WIDE-SAME: %[[X:.*]]: vector<8xf16>)
// WIDE: %[[WIDE:.*]] = arith.extf %[[X]]
// WIDE-NEXT: %[[ROUND:.*]] = math.roundeven %[[WIDE]]
// WIDE-NEXT: %[[CLIPPED:.*]] = arith.maximumf %[[ROUND]],
// WIDE-NEXT: %[[OPPOSITE:.*]] = arith.negf %[[CLIPPED]] : vector<8xf32>
// WIDE-NEXT: arith.fptosi %[[OPPOSITE]]
// FP16: arith.negf {{.*}} : vector<8xf16>
func.func @clipped(%x: vector<8xf16>) -> vector<8xi32> {
  %low = arith.constant dense<-128.0> : vector<8xf32>
  %0 = arith.extf %x : vector<8xf16> to vector<8xf32>
  %1 = math.roundeven %0 : vector<8xf32>
  %2 = arith.truncf %1 : vector<8xf32> to vector<8xf16>
  %3 = arith.extf %2 : vector<8xf16> to vector<8xf32>
  %4 = arith.maximumf %3, %low : vector<8xf32>
  %5 = arith.truncf %4 : vector<8xf32> to vector<8xf16>
  %6 = arith.extf %5 : vector<8xf16> to vector<8xf32>
  %7 = arith.negf %6 : vector<8xf32>
  %8 = arith.truncf %7 : vector<8xf32> to vector<8xf16>
  %9 = arith.extf %8 : vector<8xf16> to vector<8xf32>
  %10 = arith.fptosi %9 : vector<8xf32> to vector<8xi32>
  return %10 : vector<8xi32>
}

// -----

// Constants and broadcasts are made in f16; choices and comparisons need no wider numbers.
// CHECK-LABEL: @constants(
// FP16-SAME: %[[X:.*]]: vector<8xf16>, %[[S:.*]]: f16)
// FP16-DAG: %[[HALF:.*]] = arith.constant dense<5.000000e-01> : vector<8xf16>
// FP16-DAG: %[[ALL:.*]] = vector.broadcast %[[S]] : f16 to vector<8xf16>
// FP16: %[[DIFFERENCE:.*]] = arith.subf %[[X]], %[[ALL]] : vector<8xf16>
// FP16-NEXT: %[[IS_LESS:.*]] = arith.cmpf olt, %[[DIFFERENCE]], %[[HALF]] : vector<8xf16>
// FP16-NEXT: arith.select %[[IS_LESS]], %[[DIFFERENCE]], %[[HALF]] : vector<8xi1>, vector<8xf16>
func.func @constants(%x: vector<8xf16>, %s: f16) -> vector<8xf16> {
  %half = arith.constant dense<0.5> : vector<8xf32>
  %wide = arith.extf %s : f16 to f32
  %all = vector.broadcast %wide : f32 to vector<8xf32>
  %0 = arith.extf %x : vector<8xf16> to vector<8xf32>
  %1 = arith.subf %0, %all : vector<8xf32>
  %2 = arith.truncf %1 : vector<8xf32> to vector<8xf16>
  %3 = arith.extf %2 : vector<8xf16> to vector<8xf32>
  %4 = arith.cmpf olt, %3, %half : vector<8xf32>
  %5 = arith.select %4, %3, %half : vector<8xi1>, vector<8xf32>
  %6 = arith.truncf %5 : vector<8xf32> to vector<8xf16>
  return %6 : vector<8xf16>
}

// -----

// What is not rounded between, has a factor that f16 does not have, or is a number of another type, stays in f32.
// CHECK-LABEL: @wide(
// CHECK: arith.mulf {{.*}} : vector<8xf32>
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: arith.mulf {{.*}} : vector<8xf32>
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK-NOT: llvm.arithmetic.fence
func.func @wide(%x: vector<8xf16>, %y: vector<8xbf16>) -> (vector<8xf16>, vector<8xf16>, vector<8xbf16>) {
  %tenth = arith.constant dense<0.1> : vector<8xf32>
  %0 = arith.extf %x : vector<8xf16> to vector<8xf32>
  %1 = arith.mulf %0, %0 : vector<8xf32>
  %2 = arith.addf %1, %0 : vector<8xf32>
  %3 = arith.truncf %2 : vector<8xf32> to vector<8xf16>
  %4 = arith.mulf %0, %tenth : vector<8xf32>
  %5 = arith.truncf %4 : vector<8xf32> to vector<8xf16>
  %6 = arith.extf %y : vector<8xbf16> to vector<8xf32>
  %7 = arith.addf %6, %6 : vector<8xf32>
  %8 = arith.truncf %7 : vector<8xf32> to vector<8xbf16>
  return %3, %5, %8 : vector<8xf16>, vector<8xf16>, vector<8xbf16>
}

// -----

// There and back.
// CHECK-LABEL: @both_ways(
// CHECK-SAME: %[[X:.*]]: f16)
// CHECK-NEXT: return %[[X]]
func.func @both_ways(%x: f16) -> f16 {
  %0 = arith.extf %x : f16 to f32
  %1 = arith.truncf %0 : f32 to f16
  return %1 : f16
}
