// Compare, select and clamp.
// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @compare(
func.func @compare(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // CHECK: xla.compare{{ +}}EQ, %{{.+}}, %{{.+}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %0 = xla.compare EQ, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}NE, %{{.+}}, %{{.+}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = xla.compare NE, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}GE, %{{.+}}, %{{.+}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = xla.compare GE, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}GT, %{{.+}}, %{{.+}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = xla.compare GT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}LE, %{{.+}}, %{{.+}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = xla.compare LE, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}LT, %{{.+}}, %{{.+}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = xla.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}EQ, %{{.+}}, %{{.+}},{{ +}}TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %t0 = xla.compare EQ, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}NE, %{{.+}}, %{{.+}},{{ +}}TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %t1 = xla.compare NE, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}GE, %{{.+}}, %{{.+}},{{ +}}TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %t2 = xla.compare GE, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}GT, %{{.+}}, %{{.+}},{{ +}}TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %t3 = xla.compare GT, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}LE, %{{.+}}, %{{.+}},{{ +}}TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %t4 = xla.compare LE, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}LT, %{{.+}}, %{{.+}},{{ +}}TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %t5 = xla.compare LT, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}LT, %{{.+}}, %{{.+}},{{ +}}FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %f = xla.compare LT, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: xla.compare{{ +}}LT, %{{.+}}, %{{.+}},{{ +}}NOTYPE : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %n = xla.compare LT, %x, %y, NOTYPE : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @compare_other(
func.func @compare_other(%i: tensor<i32>, %u: tensor<ui8>, %p: tensor<i1>, %z: tensor<complex<f32>>) {
  // CHECK: xla.compare{{ +}}GT, %{{.+}}, %{{.+}},{{ +}}SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = xla.compare GT, %i, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK: xla.compare{{ +}}GT, %{{.+}}, %{{.+}},{{ +}}UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %1 = xla.compare GT, %u, %u, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  // CHECK: xla.compare{{ +}}LE, %{{.+}}, %{{.+}},{{ +}}UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %2 = xla.compare LE, %p, %p, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  // CHECK: xla.compare{{ +}}NE, %{{.+}}, %{{.+}},{{ +}}FLOAT : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<i1>
  %3 = xla.compare NE, %z, %z, FLOAT : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<i1>
  return
}

// CHECK-LABEL: func.func @select(
func.func @select(%p: tensor<4xi1>, %s: tensor<i1>, %x: tensor<4xf32>, %d: tensor<?xf32>) {
  // CHECK: xla.select %{{.+}}, %{{.+}}, %{{.+}} : tensor<4xi1>, tensor<4xf32>
  %0 = xla.select %p, %x, %x : tensor<4xi1>, tensor<4xf32>
  // CHECK: xla.select %{{.+}}, %{{.+}}, %{{.+}} : tensor<i1>, tensor<4xf32>
  %1 = xla.select %s, %x, %x : tensor<i1>, tensor<4xf32>
  // CHECK: xla.select %{{.+}}, %{{.+}}, %{{.+}} : (tensor<4xi1>, tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  %2 = xla.select %p, %x, %d : (tensor<4xi1>, tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @clamp(
func.func @clamp(%s: tensor<i32>, %x: tensor<3xi32>) {
  // CHECK: xla.clamp %{{.+}}, %{{.+}}, %{{.+}} : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  %0 = xla.clamp %s, %x, %s : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  // CHECK: xla.clamp %{{.+}}, %{{.+}}, %{{.+}} : tensor<3xi32>
  %1 = xla.clamp %x, %x, %x : tensor<3xi32>
  // CHECK: xla.clamp %{{.+}}, %{{.+}}, %{{.+}} : (tensor<i32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %2 = xla.clamp %s, %x, %x : (tensor<i32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return
}
