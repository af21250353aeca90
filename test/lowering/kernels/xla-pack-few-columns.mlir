// RUN: xla-opt %s --split-input-file --to=linalg | xla-opt --split-input-file --pass-pipeline='builtin.module(func.func(xla-pack-contractions{vector-bits=256}))' | FileCheck %s
// RUN: xla-opt %s --split-input-file --to=linalg | xla-opt --split-input-file --pass-pipeline='builtin.module(func.func(xla-pack-contractions{vector-bits=512}))' | FileCheck %s --check-prefix=WIDE

// Of many rows that are not contiguous and few columns, results are transposed, whatever vectors the processor has. Narrow
// tiles have more blocks of columns, for each of which rows would be packed: more columns are few then.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}} outs({{.*}} : tensor<33x300xf32>)
// WIDE-LABEL: func.func @main
// WIDE: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}} outs({{.*}} : tensor<33x300xf32>)
func.func @main(%a: tensor<2048x300xf32>, %b: tensor<2048x33xf32>) -> tensor<300x33xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2048x300xf32>, tensor<2048x33xf32>) -> tensor<300x33xf32>
  return %0 : tensor<300x33xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}} outs({{.*}} : tensor<100x1021xf32>)
// WIDE-LABEL: func.func @main
// WIDE: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}} outs({{.*}} : tensor<1021x100xf32>)
func.func @main(%a: tensor<5000x1021xf32>, %b: tensor<5000x100xf32>) -> tensor<1021x100xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<5000x1021xf32>, tensor<5000x100xf32>) -> tensor<1021x100xf32>
  return %0 : tensor<1021x100xf32>
}

// -----

// Not of few rows, which are no more than the columns.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}} outs({{.*}} : tensor<300x100xf32>)
func.func @main(%a: tensor<5000x300xf32>, %b: tensor<5000x100xf32>) -> tensor<300x100xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<5000x300xf32>, tensor<5000x100xf32>) -> tensor<300x100xf32>
  return %0 : tensor<300x100xf32>
}
