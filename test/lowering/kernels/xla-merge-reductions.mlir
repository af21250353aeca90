// RUN: xla-opt %s --xla-merge-reductions --split-input-file | FileCheck %s
// RUN: xla-opt %s --xla-merge-reductions=device --split-input-file | FileCheck %s --check-prefix=DEVICE
// Reductions with the same loops that read elements of the same tensor are one op.

#xy = affine_map<(d0, d1) -> (d0, d1)>
#y = affine_map<(d0, d1) -> (d1)>
#each = affine_map<(d0) -> (d0)>

// What reads the first one comes behind all. The tensor that two of them read is one input.
// CHECK-LABEL: func @sums_and_greatest(
// CHECK: %[[SQUARES:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK: %[[MERGED:.*]]:3 = linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%arg0, %[[SQUARES]] :
// CHECK: ^bb0(%[[X:.*]]: f32, %[[S:.*]]: f32, %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32):
// CHECK: %[[SUM:.*]] = arith.addf %[[A]], %[[X]]
// CHECK: %[[TOTAL:.*]] = arith.addf %[[B]], %[[S]]
// CHECK: %[[MOST:.*]] = arith.maximumf %[[X]], %[[C]]
// CHECK: linalg.yield %[[SUM]], %[[TOTAL]], %[[MOST]]
// CHECK: %[[NEGATED:.*]] = linalg.generic {{.*}} ins(%[[MERGED]]#0 :
// CHECK: return %[[NEGATED]], %[[MERGED]]#1, %[[MERGED]]#2
// DEVICE-LABEL: func @sums_and_greatest(
// DEVICE: :3 = linalg.generic
func.func @sums_and_greatest(%x: tensor<8x16xf32>, %zero: tensor<16xf32>, %least: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %f = tensor.empty() : tensor<16xf32>
  %sum = linalg.generic {indexing_maps = [#xy, #y], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%zero : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %negated = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]} ins(%sum : tensor<16xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %squares = linalg.generic {indexing_maps = [#xy, #xy], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %in : f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %total = linalg.generic {indexing_maps = [#xy, #y], iterator_types = ["reduction", "parallel"]} ins(%squares : tensor<8x16xf32>) outs(%zero : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %most = linalg.generic {indexing_maps = [#xy, #y], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%least : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  return %negated, %total, %most : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

#xyz = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#x = affine_map<(d0, d1, d2) -> (d0)>
#xy = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0)>

// Parts of a reduction that was cut; rows of the same elements in another order are not the same.
// CHECK-LABEL: func @parts(
// CHECK: :2 = linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "reduction"]
// CHECK-NOT: :2 = linalg.generic
// CHECK: return
func.func @parts(%x: tensor<8x16xf32>, %zero: tensor<4xf32>, %zeros: tensor<8xf32>, %z: tensor<8x8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = tensor.empty() : tensor<8x8xf32>
  %x3 = tensor.expand_shape %x [[0, 1], [2]] output_shape [4, 2, 16] : tensor<8x16xf32> into tensor<4x2x16xf32>
  %sum = linalg.generic {indexing_maps = [#xyz, #x], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x3 : tensor<4x2x16xf32>) outs(%zero : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %negated = linalg.generic {indexing_maps = [#xy, #xy], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %n3 = tensor.expand_shape %negated [[0, 1], [2]] output_shape [4, 2, 16] : tensor<8x16xf32> into tensor<4x2x16xf32>
  %least = linalg.generic {indexing_maps = [#xyz, #x], iterator_types = ["parallel", "reduction", "reduction"]} ins(%n3 : tensor<4x2x16xf32>) outs(%zero : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.minimumf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %turned = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #xy], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<8x8xf32>) outs(%t : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  %rows = linalg.generic {indexing_maps = [#xy, #first], iterator_types = ["parallel", "reduction"]} ins(%z : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %columns = linalg.generic {indexing_maps = [#xy, #first], iterator_types = ["parallel", "reduction"]} ins(%turned : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %sum, %least, %rows, %columns : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

#xy = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(d0, d1) -> (d0)>

// The sum of a softmax needs its maximum, the mean does not. A kernel of rows for a device keeps its reductions apart.
// CHECK-LABEL: func @softmax(
// CHECK: %[[MOST:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%arg0 :
// CHECK: %[[WEIGHTS:.*]] = linalg.generic {{.*}} ins(%arg0, %[[MOST]] :
// CHECK: :2 = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[WEIGHTS]], %arg0 :
// DEVICE-LABEL: func @softmax(
// DEVICE-NOT: :2 = linalg.generic
// DEVICE: return
func.func @softmax(%x: tensor<8x16xf32>, %zero: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %most = linalg.generic {indexing_maps = [#xy, #x], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %weights = linalg.generic {indexing_maps = [#xy, #x, #xy], iterator_types = ["parallel", "parallel"]} ins(%x, %most : tensor<8x16xf32>, tensor<8xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %shift: f32, %out: f32):
    %0 = arith.subf %in, %shift : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x16xf32>
  %sum = linalg.generic {indexing_maps = [#xy, #x], iterator_types = ["parallel", "reduction"]} ins(%weights : tensor<8x16xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %mean = linalg.generic {indexing_maps = [#xy, #x], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %sum, %mean : tensor<8xf32>, tensor<8xf32>
}

// -----

#xy = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(d0, d1) -> (d0)>

// Nothing in common; and a row in common, which is not an element for each iteration.
// CHECK-LABEL: func @apart(
// CHECK-NOT: :2 = linalg.generic
// CHECK: return
func.func @apart(%x: tensor<8x16xf32>, %z: tensor<8x16xf32>, %row: tensor<16xf32>, %zero: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %sum = linalg.generic {indexing_maps = [#xy, affine_map<(d0, d1) -> (d1)>, #x], iterator_types = ["parallel", "reduction"]} ins(%x, %row : tensor<8x16xf32>, tensor<16xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %0 = arith.subf %in, %other : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %more = linalg.generic {indexing_maps = [#xy, affine_map<(d0, d1) -> (d1)>, #x], iterator_types = ["parallel", "reduction"]} ins(%z, %row : tensor<8x16xf32>, tensor<16xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %0 = arith.subf %in, %other : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %sum, %more : tensor<8xf32>, tensor<8xf32>
}

// -----

#xy = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(d0, d1) -> (d0)>

// What reads the first one has an effect, and stays where it is.
func.func private @log(tensor<8xf32>)
// CHECK-LABEL: func @effect(
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK: call @log(%[[SUM]])
// CHECK: linalg.generic
func.func @effect(%x: tensor<8x16xf32>, %zero: tensor<8xf32>) -> tensor<8xf32> {
  %sum = linalg.generic {indexing_maps = [#xy, #x], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  func.call @log(%sum) : (tensor<8xf32>) -> ()
  %most = linalg.generic {indexing_maps = [#xy, #x], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %most : tensor<8xf32>
}

// -----

#xy = affine_map<(d0, d1) -> (d0, d1)>
#y = affine_map<(d0, d1) -> (d1)>

// What reads the first one would keep a tensor that is computed after it until the second one.
// CHECK-LABEL: func @keeps(
// CHECK-NOT: :2 = linalg.generic
// CHECK: return
func.func @keeps(%x: tensor<8x16xf32>, %z: tensor<8x16xf32>, %zero: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %sum = linalg.generic {indexing_maps = [#xy, #y], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%zero : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %between = linalg.generic {indexing_maps = [#xy, #xy], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %reader = linalg.generic {indexing_maps = [#xy, #y, #xy], iterator_types = ["parallel", "parallel"]} ins(%between, %sum : tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %0 = arith.subf %in, %other : f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %most = linalg.generic {indexing_maps = [#xy, #y], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%zero : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  return %reader, %most : tensor<8x16xf32>, tensor<16xf32>
}

// -----

#xy = affine_map<(d0, d1) -> (d0, d1)>
#y = affine_map<(d0, d1) -> (d1)>

// Those that are rounded at each step are reductions like others, on a GPU. A CPU has their running values in memory.
// CHECK-LABEL: func @rounded(
// CHECK-NOT: :2 = linalg.generic
// DEVICE-LABEL: func @rounded(
// DEVICE: %[[MERGED:.*]]:2 = linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%arg0 :
// DEVICE: return %[[MERGED]]#0, %[[MERGED]]#1
func.func @rounded(%x: tensor<8x16xbf16>, %zero: tensor<16xbf16>) -> (tensor<16xbf16>, tensor<16xbf16>) {
  %sum = linalg.generic {indexing_maps = [#xy, #y], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8x16xbf16>) outs(%zero : tensor<16xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.extf %out : bf16 to f32
    %1 = arith.extf %in : bf16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<16xbf16>
  %product = linalg.generic {indexing_maps = [#xy, #y], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8x16xbf16>) outs(%zero : tensor<16xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.extf %out : bf16 to f32
    %1 = arith.extf %in : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<16xbf16>
  return %sum, %product : tensor<16xbf16>, tensor<16xbf16>
}
