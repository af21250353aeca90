// RUN: xla-opt %s --xla-unroll-reductions --split-input-file | FileCheck %s
// Reductions of up to four elements are elementwise, unless what follows reads their results for every element again.

#xy = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(d0, d1) -> (d0)>

// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0) -> (d0, 0)>
// CHECK-DAG: #[[SECOND:.*]] = affine_map<(d0) -> (d0, 1)>
// CHECK-DAG: #[[THIRD:.*]] = affine_map<(d0) -> (d0, 2)>
// CHECK-DAG: #[[NONE:.*]] = affine_map<(d0) -> ()>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @greatest(
// CHECK: %[[INIT:.*]] = arith.constant 0xFF800000
// CHECK: linalg.generic {indexing_maps = [#[[FIRST]], #[[SECOND]], #[[THIRD]], #[[NONE]], #[[ROW]]],
// CHECK-SAME: iterator_types = ["parallel"]} ins(%arg0, %arg0, %arg0, %[[INIT]] :
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[START:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[ONE:.*]] = arith.maximumf %[[START]], %[[A]]
// CHECK: %[[TWO:.*]] = arith.maximumf %[[ONE]], %[[B]]
// CHECK: %[[ALL:.*]] = arith.maximumf %[[TWO]], %[[C]]
// CHECK: linalg.yield %[[ALL]]
func.func @greatest(%arg0: tensor<8x3xf32>) -> tensor<8xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#xy, #x], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<8x3xf32>) outs(%1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.maximumf %out, %in : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

#xyz = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#xz = affine_map<(d0, d1, d2) -> (d0, d2)>

// Where the reduced dimension is not the last one, others move up; so do indices. What a sum begins with is an input.
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1) -> (d0, 0, d1)>
// CHECK-DAG: #[[SECOND:.*]] = affine_map<(d0, d1) -> (d0, 1, d1)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func @places(
// CHECK: linalg.generic {indexing_maps = [#[[FIRST]], #[[SECOND]], #[[ALL]], #[[ALL]]],
// CHECK-SAME: ins(%arg0, %arg0, %arg1 :
// CHECK: ^bb0(%[[A:.*]]: i64, %[[B:.*]]: i64, %[[START:.*]]: i64, %{{.*}}: i64):
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[LAST:.*]] = linalg.index 1
// CHECK: %[[PLACE:.*]] = arith.addi %[[ZERO]], %[[LAST]]
// CHECK: arith.constant 1 : index
func.func @places(%arg0: tensor<8x2x5xi64>, %arg1: tensor<8x5xi64>) -> tensor<8x5xi64> {
  %0 = linalg.generic {indexing_maps = [#xyz, #xz], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg0 : tensor<8x2x5xi64>) outs(%arg1 : tensor<8x5xi64>) {
  ^bb0(%in: i64, %out: i64):
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %3 = arith.addi %1, %2 : index
    %4 = arith.index_cast %3 : index to i64
    %5 = arith.muli %4, %in : i64
    %6 = arith.addi %out, %5 : i64
    linalg.yield %6 : i64
  } -> tensor<8x5xi64>
  return %0 : tensor<8x5xi64>
}

// -----

#xy = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @five(
// CHECK: "reduction"
func.func @five(%arg0: tensor<8x5xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [#xy, #x], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<8x5xf32>) outs(%arg1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A length by which every element is divided.
// CHECK-LABEL: func @normalized(
// CHECK: "reduction"
func.func @normalized(%arg0: tensor<8x3xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x3xf32>) -> tensor<8x3xf32> {
  %0 = linalg.generic {indexing_maps = [#xy, #x], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<8x3xf32>) outs(%arg1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.addf %out, %in : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#xy, #x, #xy], iterator_types = ["parallel", "parallel"]} ins(%arg0, %0 : tensor<8x3xf32>, tensor<8xf32>) outs(%arg2 : tensor<8x3xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %2 = arith.divf %in, %sum : f32
    linalg.yield %2 : f32
  } -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}

// -----

#xyz = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#xy = affine_map<(d0, d1, d2) -> (d0, d1)>
#xz = affine_map<(d0, d1, d2) -> (d0, d2)>
#yz = affine_map<(d0, d1, d2) -> (d1, d2)>

// All distances of two sets of points read each point many times.
// CHECK-LABEL: func @distances(
// CHECK: "reduction"
func.func @distances(%arg0: tensor<8x3xf32>, %arg1: tensor<9x3xf32>, %arg2: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9x3xf32>
  %1 = linalg.generic {indexing_maps = [#xz, #yz, #xyz], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : tensor<8x3xf32>, tensor<9x3xf32>) outs(%0 : tensor<8x9x3xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %3 = arith.subf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<8x9x3xf32>
  %2 = linalg.generic {indexing_maps = [#xyz, #xy], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<8x9x3xf32>) outs(%arg2 : tensor<8x9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %out, %in : f32
    linalg.yield %3 : f32
  } -> tensor<8x9xf32>
  return %2 : tensor<8x9xf32>
}

// -----

#xyz = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#xy = affine_map<(d0, d1, d2) -> (d0, d1)>
#xz = affine_map<(d0, d1, d2) -> (d0, d2)>
#yz = affine_map<(d0, d1, d2) -> (d1, d2)>

// If another reduction is all that reads them, one kernel has everything.
// CHECK-LABEL: func @forces(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]
func.func @forces(%arg0: tensor<8x3xf32>, %arg1: tensor<9x3xf32>, %arg2: tensor<8x9xf32>, %arg3: tensor<8x3xf32>) -> tensor<8x3xf32> {
  %0 = tensor.empty() : tensor<8x9x3xf32>
  %1 = linalg.generic {indexing_maps = [#xz, #yz, #xyz], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : tensor<8x3xf32>, tensor<9x3xf32>) outs(%0 : tensor<8x9x3xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %4 = arith.subf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<8x9x3xf32>
  %2 = linalg.generic {indexing_maps = [#xyz, #xy], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<8x9x3xf32>) outs(%arg2 : tensor<8x9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.addf %out, %in : f32
    linalg.yield %4 : f32
  } -> tensor<8x9xf32>
  %3 = linalg.generic {indexing_maps = [#xy, #xyz, #xz], iterator_types = ["parallel", "reduction", "parallel"]} ins(%2, %1 : tensor<8x9xf32>, tensor<8x9x3xf32>) outs(%arg3 : tensor<8x3xf32>) {
  ^bb0(%distance: f32, %in: f32, %out: f32):
    %4 = arith.mulf %distance, %in : f32
    %5 = arith.addf %out, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<8x3xf32>
  return %3 : tensor<8x3xf32>
}
