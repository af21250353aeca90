// RUN: xla-opt %s --xla-order-scatters --split-input-file | FileCheck %s
// Index vectors become words, a place and below it a number, which are dealt to owners of places, or sorted.

// 20000 index vectors of 1 component of 4 bytes, for places that are 50, in 10 tiles.

// CHECK-LABEL: func.func @rows
// CHECK:         %[[ROW:.*]] = tensor.empty() : tensor<22560xi32>
// CHECK:         %[[DEALT:.*]] = xla_rt.library_call "xla_rt_deal_places" ins(%arg0 : tensor<20000xi32>)
// CHECK-SAME:      outs(%[[ROW]] : tensor<22560xi32>) parameters = [20000, 0, 1, 4, 0, 1, 1, 1, 50, 0, 0, 1, 0]
// CHECK:         xla_rt.scatter indices(%[[DEALT]] : tensor<22560xi32>) updates(%arg1 : tensor<20000x8xf32>)
// CHECK-SAME:      outs(%arg2 : tensor<50x8xf32>) starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 dealt {
func.func @rows(%i: tensor<20000xi32>, %u: tensor<20000x8xf32>, %x: tensor<50x8xf32>) -> tensor<50x8xf32> {
  %0 = xla_rt.scatter indices(%i : tensor<20000xi32>) updates(%u : tensor<20000x8xf32>) outs(%x : tensor<50x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x8xf32>
  return %0 : tensor<50x8xf32>
}

// -----

// Batches are part of the place, and what an array begins with is written before. Eight neighbours have one owner.

// CHECK-LABEL: func.func @batches
// CHECK:         xla_rt.library_call "xla_rt_deal_places" ins(%arg0 : tensor<4x10000xi32>)
// CHECK-SAME:      parameters = [40000, 12, 8, 4, 0, 1, 1, 2, 4, -1, 10000, 1, 0, 200000, 0, 0, 1, 0]
// CHECK:         %[[OUT:.*]] = linalg.fill
// CHECK:         xla_rt.scatter {{.*}} outs(%[[OUT]] : tensor<4x200000xf32>)
// CHECK-SAME:      starts = [-1, 0] steps = [0, -1] batch = [0, 1] vector = 2 dealt {
func.func @batches(%i: tensor<4x10000xi32>, %u: tensor<4x10000xf32>) -> tensor<4x200000xf32> {
  %x = tensor.empty() : tensor<4x200000xf32>
  %0 = xla_rt.scatter indices(%i : tensor<4x10000xi32>) updates(%u : tensor<4x10000xf32>)
      outs(%x : tensor<4x200000xf32>) starts = [-1, 0] steps = [0, -1] batch = [0, 1] vector = 2 init = 0.0 : f32 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<4x200000xf32>
  return %0 : tensor<4x200000xf32>
}

// -----

// Two components of unsigned index vectors, which are 20000 apart.

// CHECK-LABEL: func.func @points
// CHECK:         xla_rt.library_call "xla_rt_deal_places" ins(%arg0 : tensor<2x20000xi8>)
// CHECK-SAME:      parameters = [20000, 2, 1, 1, 1, 20000, 1, 2, 30, 0, 0, 2, 0, 20, 0, 1, 2, 0]
func.func @points(%i: tensor<2x20000xi8>, %u: tensor<20000xf32>, %x: tensor<30x20xf32>) -> tensor<30x20xf32> {
  %0 = xla_rt.scatter indices(%i : tensor<2x20000xi8>) updates(%u : tensor<20000xf32>) outs(%x : tensor<30x20xf32>)
      starts = [0, 1] steps = [-1, -1] batch = [0] vector = 0 unsigned {
  ^bb0(%current: f32, %update: f32):
    xla_rt.yield %update : f32
  } -> tensor<30x20xf32>
  return %0 : tensor<30x20xf32>
}

// -----

// Components that are beside each other, of which one counts from the end below zero, are read where they are.

// CHECK-LABEL: func.func @wrapped
// CHECK:         xla_rt.library_call "xla_rt_deal_places" ins(%arg0, %arg1 : tensor<20000xi32>, tensor<20000xi32>)
// CHECK-SAME:      parameters = [20000, 2, 1, 4, 0, 1, 2, 2, 30, 0, 0, 1, 30, 20, 1, 0, 1, 0]
func.func @wrapped(%i: tensor<20000xi32>, %j: tensor<20000xi32>, %u: tensor<20000xf32>, %x: tensor<30x20xf32>)
    -> tensor<30x20xf32> {
  %zero = arith.constant dense<0> : tensor<20000xi32>
  %size = arith.constant dense<30> : tensor<20000xi32>
  %bits = tensor.empty() : tensor<20000xi1>
  %numbers = tensor.empty() : tensor<20000xi32>
  %below = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%i, %zero : tensor<20000xi32>, tensor<20000xi32>) outs(%bits : tensor<20000xi1>) {
  ^bb0(%a: i32, %b: i32, %o: i1):
    %0 = arith.cmpi slt, %a, %b : i32
    linalg.yield %0 : i1
  } -> tensor<20000xi1>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%i, %size : tensor<20000xi32>, tensor<20000xi32>)
      outs(%numbers : tensor<20000xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.addi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<20000xi32>
  %wrapped = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>,
      affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%below, %sum, %i : tensor<20000xi1>, tensor<20000xi32>, tensor<20000xi32>) outs(%numbers : tensor<20000xi32>) {
  ^bb0(%c: i1, %a: i32, %b: i32, %o: i32):
    %0 = arith.select %c, %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<20000xi32>
  %first = tensor.expand_shape %wrapped [[0, 1]] output_shape [20000, 1] : tensor<20000xi32> into tensor<20000x1xi32>
  %second = tensor.expand_shape %j [[0, 1]] output_shape [20000, 1] : tensor<20000xi32> into tensor<20000x1xi32>
  %both = tensor.concat dim(1) %first, %second : (tensor<20000x1xi32>, tensor<20000x1xi32>) -> tensor<20000x2xi32>
  %r = xla_rt.scatter indices(%both : tensor<20000x2xi32>) updates(%u : tensor<20000xf32>) outs(%x : tensor<30x20xf32>)
      starts = [0, 1] steps = [-1, -1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    xla_rt.yield %update : f32
  } -> tensor<30x20xf32>
  return %r : tensor<30x20xf32>
}

// -----

// Windows across the rows of updates: neighbouring threads have neighbours in the order of all words, of 64 bits.

// CHECK-LABEL: func.func @columns
// CHECK:         %[[WORDS:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<20000xi32>) outs({{.*}} : tensor<20000xi64>)
// CHECK:         ^bb0(%[[I:.*]]: i32,
// CHECK:           %[[WIDE:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %[[WIDE]], %{{.*}} : i64
// CHECK:           %[[PLACE:.*]] = arith.select %[[INSIDE]], %[[WIDE]], %{{.*}} : i64
// CHECK:           %[[HIGH:.*]] = arith.shli %[[PLACE]], %{{.*}} : i64
// CHECK:           arith.ori %[[HIGH]], %{{.*}} : i64
// CHECK:         %[[SORTED:.*]] = xla_rt.library_call "xla_rt_sort_words" ins(%[[WORDS]] : tensor<20000xi64>)
// CHECK:         xla_rt.scatter indices(%[[SORTED]] : tensor<20000xi64>) updates(%arg1 : tensor<3x20000xf32>)
// CHECK-SAME:      outs(%arg2 : tensor<3x200000xf32>) starts = [-1, 0] steps = [0, -1] batch = [1] vector = 1 ordered = 15 {
func.func @columns(%i: tensor<20000xi32>, %u: tensor<3x20000xf32>, %x: tensor<3x200000xf32>) -> tensor<3x200000xf32> {
  %0 = xla_rt.scatter indices(%i : tensor<20000xi32>) updates(%u : tensor<3x20000xf32>) outs(%x : tensor<3x200000xf32>)
      starts = [-1, 0] steps = [0, -1] batch = [1] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<3x200000xf32>
  return %0 : tensor<3x200000xf32>
}

// -----

// What is sorted by promise is not sorted.

// CHECK-LABEL: func.func @sorted
// CHECK:         %[[WORDS:.*]] = linalg.generic
// CHECK-NOT:     xla_rt.library_call
// CHECK:         xla_rt.scatter indices(%[[WORDS]]
// CHECK-SAME:      vector = 1 ordered = 12 {
func.func @sorted(%i: tensor<4000xi32>, %u: tensor<4000x8xf32>, %x: tensor<50x8xf32>) -> tensor<50x8xf32> {
  %0 = xla_rt.scatter indices(%i : tensor<4000xi32>) updates(%u : tensor<4000x8xf32>) outs(%x : tensor<50x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 sorted {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x8xf32>
  return %0 : tensor<50x8xf32>
}

// -----

// Few; unique ones; a combiner that is an instruction; windows that may meet at other positions.

// CHECK-LABEL: func.func @few
// CHECK-NOT:     linalg.generic
func.func @few(%i: tensor<4000xi32>, %u: tensor<4000x8xf32>, %x: tensor<50x8xf32>) -> tensor<50x8xf32> {
  %0 = xla_rt.scatter indices(%i : tensor<4000xi32>) updates(%u : tensor<4000x8xf32>) outs(%x : tensor<50x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x8xf32>
  return %0 : tensor<50x8xf32>
}
// CHECK-LABEL: func.func @unique
// CHECK-NOT:     linalg.generic
func.func @unique(%i: tensor<20000xi32>, %u: tensor<20000xf32>, %x: tensor<50000xf32>) -> tensor<50000xf32> {
  %0 = xla_rt.scatter indices(%i : tensor<20000xi32>) updates(%u : tensor<20000xf32>) outs(%x : tensor<50000xf32>)
      starts = [0] steps = [-1] batch = [0] vector = 1 unique {
  ^bb0(%current: f32, %update: f32):
    xla_rt.yield %update : f32
  } -> tensor<50000xf32>
  return %0 : tensor<50000xf32>
}
// CHECK-LABEL: func.func @atomic
// CHECK-NOT:     linalg.generic
func.func @atomic(%i: tensor<20000xi32>, %u: tensor<20000xi32>, %x: tensor<50xi32>) -> tensor<50xi32> {
  %0 = xla_rt.scatter indices(%i : tensor<20000xi32>) updates(%u : tensor<20000xi32>) outs(%x : tensor<50xi32>)
      starts = [0] steps = [-1] batch = [0] vector = 1 {
  ^bb0(%current: i32, %update: i32):
    %sum = arith.addi %current, %update : i32
    xla_rt.yield %sum : i32
  } -> tensor<50xi32>
  return %0 : tensor<50xi32>
}
// CHECK-LABEL: func.func @windows
// CHECK-NOT:     linalg.generic
func.func @windows(%i: tensor<20000xi32>, %u: tensor<20000x3xf32>, %x: tensor<50xf32>) -> tensor<50xf32> {
  %0 = xla_rt.scatter indices(%i : tensor<20000xi32>) updates(%u : tensor<20000x3xf32>) outs(%x : tensor<50xf32>)
      starts = [0] steps = [1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    xla_rt.yield %update : f32
  } -> tensor<50xf32>
  return %0 : tensor<50xf32>
}
