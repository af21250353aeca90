// RUN: xla-opt --to=loops --split-input-file %s | FileCheck %s

// Vectors of integers are divided as floats, those of 32 bits in f64: LLVM would take them apart.
// CHECK-LABEL: func.func private @elementwise_{{[0-9]+}}.impl
// CHECK:         scf.for
// CHECK-DAG:       %[[A:.*]] = arith.sitofp %{{.*}} : vector<16xi32> to vector<16xf64>
// CHECK-DAG:       %[[B:.*]] = arith.sitofp %{{.*}} : vector<16xi32> to vector<16xf64>
// CHECK:           %[[Q:.*]] = arith.divf %[[A]], %[[B]] : vector<16xf64>
// CHECK:           arith.fptosi %[[Q]] : vector<16xf64> to vector<16xi32>
// CHECK-NOT:       arith.remsi
func.func @main(%x: tensor<160xi32>, %y: tensor<160xi32>) -> tensor<160xi32> {
  %0 = xla.remainder %x, %y : tensor<160xi32>
  return %0 : tensor<160xi32>
}

// -----

// Narrower ones are exact in f32. Quotients have no more than 32 bits, from where they wrap.
// CHECK-LABEL: func.func private @elementwise_{{[0-9]+}}.impl
// CHECK:         arith.uitofp %{{.*}} : vector<32xi16> to vector<32xf32>
// CHECK:         arith.divf %{{.*}} : vector<32xf32>
// CHECK:         arith.fptoui %{{.*}} : vector<32xf32> to vector<32xi32>
// CHECK-NOT:     arith.divui
func.func @main(%x: tensor<160xui16>, %y: tensor<160xui16>) -> tensor<160xui16> {
  %0 = xla.divide %x, %y : tensor<160xui16>
  return %0 : tensor<160xui16>
}

// -----

// One divisor for all has its reciprocal, and its guard, in front of the loop.
// CHECK-LABEL: func.func private @elementwise_{{[0-9]+}}.impl
// CHECK:         %[[R:.*]] = arith.divf %{{.*}} : f64
// CHECK:         %[[UP:.*]] = arith.mulf %[[R]], %{{.*}} : f64
// CHECK:         %[[ALL:.*]] = vector.broadcast %[[UP]] : f64 to vector<16xf64>
// CHECK:         scf.for
// CHECK-NOT:       arith.divf
// CHECK:           arith.mulf %{{.*}}, %[[ALL]] : vector<16xf64>
// CHECK-NOT:       arith.divf
// CHECK:         return
func.func @main(%x: tensor<160xi32>, %y: tensor<i32>) -> tensor<160xi32> {
  %all = xla.broadcast_in_dim %y, dims = [] : (tensor<i32>) -> tensor<160xi32>
  %0 = xla.divide %x, %all : tensor<160xi32>
  return %0 : tensor<160xi32>
}

// -----

// Division by a constant is LLVM's multiplication, and so are numbers that are no vectors left to it.
// CHECK-LABEL: func.func private @elementwise_{{[0-9]+}}.impl
// CHECK:         arith.remsi %{{.*}} : vector<16xi32>
// CHECK-LABEL: func.func private @elementwise_{{[0-9]+}}.impl
// CHECK:         arith.divsi %{{.*}} : i32
func.func @main(%x: tensor<160xi32>, %y: tensor<i32>) -> (tensor<160xi32>, tensor<i32>) {
  %seven = xla.constant dense<7> : tensor<160xi32>
  %0 = xla.remainder %x, %seven : tensor<160xi32>
  %1 = xla.divide %y, %y : tensor<i32>
  return %0, %1 : tensor<160xi32>, tensor<i32>
}

// -----

// Integers of 64 bits in vectors of 512: a quotient that is too small by little, and that of what it leaves. Constants,
// too: the highest half of a product takes longer; but not of powers of two, which are shifts.
// CHECK-LABEL: func.func private @elementwise_{{[0-9]+}}.impl
// CHECK:         scf.for
// CHECK:           arith.uitofp %{{.*}} : vector<8xi64> to vector<8xf64>
// CHECK:           arith.fptoui %{{.*}} : vector<8xf64> to vector<8xi64>
// CHECK:           %[[REST:.*]] = arith.subi
// CHECK:           arith.uitofp %[[REST]] : vector<8xi64> to vector<8xf64>
// CHECK:           arith.cmpi uge
// CHECK-NOT:       arith.remsi
// CHECK-LABEL: func.func private @elementwise_{{[0-9]+}}.impl
// CHECK:           arith.remsi %{{.*}} : vector<8xi64>
func.func @main(%x: tensor<160xi64>, %y: tensor<80xi64>) -> (tensor<160xi64>, tensor<80xi64>) {
  %ten = xla.constant dense<10> : tensor<160xi64>
  %eight = xla.constant dense<8> : tensor<80xi64>
  %0 = xla.remainder %x, %ten : tensor<160xi64>
  %1 = xla.remainder %y, %eight : tensor<80xi64>
  return %0, %1 : tensor<160xi64>, tensor<80xi64>
}
