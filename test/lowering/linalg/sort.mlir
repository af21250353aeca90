// RUN: xla-opt --to=linalg --split-input-file %s | FileCheck %s
// RUN: xla-opt --target=cuda --to=linalg --split-input-file %s | FileCheck %s --check-prefix=DEVICE

// Keys without other arrays: words of the key alone.
// CHECK-LABEL: func.func @main
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<1000xf32>
// CHECK:         xla_rt.library_call "xla_rt_sort" ins(%{{.*}} : tensor<1000xf32>) outs(%[[E]] : tensor<1000xf32>)
// length, stride, lines, lines for an item, bytes of a word, bits of positions, lanes, keys, arrays;
// the key's buffer, bytes, order (by value), bits, descending, infinity; the array's buffer, bytes, result.
// CHECK-SAME:      parameters = [1000, 1, 1, 16, 4, 0, 0, 1, 1, 0, 4, 3, 32, 0, 2139095040, -1, 4, 1] work = 1
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %0 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.select %0, %zero, %a : tensor<i1>, tensor<f32>
    %2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.select %2, %nan, %1 : tensor<i1>, tensor<f32>
    %4 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.select %4, %zero, %b : tensor<i1>, tensor<f32>
    %6 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %7 = stablehlo.select %6, %nan, %5 : tensor<i1>, tensor<f32>
    %8 = stablehlo.compare LT, %3, %7, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  }) : (tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// -----

// The order of short rows: the positions are what an iota holds, 16 rows are sorted together.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     linalg
// CHECK:         xla_rt.library_call "xla_rt_sort" ins(%{{.*}} : tensor<64x20xi16>) outs(%{{.*}} : tensor<64x20xi32>)
// CHECK-SAME:      parameters = [20, 1, 64, 832, 4, 16, 16, 1, 1, 0, 2, 1, 16, 1, 0, -1, 4, 1]
func.func @main(%x: tensor<64x20xi16>) -> tensor<64x20xi32> {
  %i = stablehlo.iota dim = 1 : tensor<64x20xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>, %p: tensor<i32>, %q: tensor<i32>):
    %0 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<64x20xi16>, tensor<64x20xi32>) -> (tensor<64x20xi16>, tensor<64x20xi32>)
  return %0#1 : tensor<64x20xi32>
}

// -----

// Two keys, the second one an iota, which breaks ties as positions do; an array that goes with them; columns.
// CHECK-LABEL: func.func @main
// CHECK:         xla_rt.library_call "xla_rt_sort" ins(%{{.*}}, %{{.*}} : tensor<300x7xi32>, tensor<300x7xcomplex<f64>>)
// CHECK-SAME:      parameters = [300, 7, 7, 54, 8, 16, 0, 1, 1, 0, 4, 0, 32, 0, 0, 1, 16, 2]
func.func @main(%x: tensor<300x7xui32>, %c: tensor<300x7xcomplex<f64>>) -> tensor<300x7xcomplex<f64>> {
  %i = stablehlo.iota dim = 0 : tensor<300x7xi32>
  %0:3 = "stablehlo.sort"(%x, %i, %c) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>, %p: tensor<i32>, %q: tensor<i32>, %c0: tensor<complex<f64>>, %c1: tensor<complex<f64>>):
    %0 = stablehlo.compare LT, %a, %b : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %1 = stablehlo.compare EQ, %a, %b : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %2 = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.and %1, %2 : tensor<i1>
    %4 = stablehlo.or %0, %3 : tensor<i1>
    stablehlo.return %4 : tensor<i1>
  }) : (tensor<300x7xui32>, tensor<300x7xi32>, tensor<300x7xcomplex<f64>>) -> (tensor<300x7xui32>, tensor<300x7xi32>, tensor<300x7xcomplex<f64>>)
  return %0#2 : tensor<300x7xcomplex<f64>>
}

// -----

// A key is any function of one element: here the absolute value, compared from the right.
// CHECK-LABEL: func.func @main
// CHECK:         %[[KEY:.*]] = linalg.generic
// CHECK:           math.absf
// CHECK:         xla_rt.library_call "xla_rt_sort" ins(%[[KEY]], %{{.*}} : tensor<50xf32>, tensor<50xf32>)
// CHECK-SAME:      parameters = [50, 1, 1, {{[0-9]+}}, 8, 16, 0, 1, 1, 0, 4, 3, 32, 1, 2139095040, 1, 4, 2]
func.func @main(%x: tensor<50xf32>) -> tensor<50xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.abs %a : tensor<f32>
    %1 = stablehlo.abs %b : tensor<f32>
    %2 = stablehlo.compare LT, %1, %0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<50xf32>) -> tensor<50xf32>
  return %0 : tensor<50xf32>
}

// -----

// No function of one element: the comparator is generated.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%[[X:.*]]: tensor<50xf32>, %[[C:.*]]: tensor<f32>)
// CHECK:         xla_rt.sort ins(%[[X]] : tensor<50xf32>) scalars(%[[C]] : tensor<f32>) outs(%{{.*}}) dimension = 0 {
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[LIMIT:.*]]: f32):
// CHECK-NEXT:      %[[D:.*]] = arith.subf %[[A]], %[[B]] : f32
// CHECK-NEXT:      %[[P:.*]] = arith.cmpf olt, %[[D]], %[[LIMIT]] : f32
// CHECK-NEXT:      xla_rt.yield %[[P]] : i1
func.func @main(%x: tensor<50xf32>, %c: tensor<f32>) -> tensor<50xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.subtract %a, %b : tensor<f32>
    %1 = stablehlo.compare LT, %0, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<50xf32>) -> tensor<50xf32>
  return %0 : tensor<50xf32>
}

// -----

// Nothing is sorted where a line has one element, or nobody wants the result.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     xla_rt
// CHECK:         return
func.func @main(%x: tensor<1x3xf32>, %y: tensor<5xf32>) -> tensor<1x3xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK:         xla_rt.library_call "xla_rt_sort_top_k" ins(%{{.*}} : tensor<8x100000xf32>)
// CHECK-SAME:      parameters = [100000, 64, 8, 1, 8, 448, 0, 4, 1, 2, 0, 4, 2, 32, 1, 2139095040] work = 8
func.func @main(%x: tensor<8x100000xf32>) -> (tensor<8x64xf32>, tensor<8x64xi32>) {
  %v, %i = chlo.top_k(%x, k = 64) : tensor<8x100000xf32> -> (tensor<8x64xf32>, tensor<8x64xi32>)
  return %v, %i : tensor<8x64xf32>, tensor<8x64xi32>
}

// -----

// One long line: its pieces and buckets are work for all cores, and words become elements where they are. A GPU's
// library divides it by itself.
// DEVICE-NOT: xla_rt_sort_split
// DEVICE: xla_rt.library_call "xla_rt_sort" ins(%{{.*}} : tensor<200000xf32>)
// CHECK-LABEL: func.func @main
// CHECK:         %[[S:.*]] = xla_rt.library_call "xla_rt_sort_split" ins(%arg0 : tensor<200000xf32>)
// CHECK:         %[[C:.*]] = xla_rt.library_call "xla_rt_sort_count" ins(%arg0, %[[S]] : {{.*}} work = 7
// CHECK:         %[[D:.*]] = xla_rt.library_call "xla_rt_sort_distribute" ins(%arg0, %[[S]], %[[C]] : {{.*}} work = 7 {{.*}} -> tensor<200000xf32>
// CHECK:         %[[B:.*]] = xla_rt.library_call "xla_rt_sort_buckets" ins(%[[C]] : {{.*}}) outs(%[[D]] : {{.*}} work = 16
// CHECK:         %[[U:.*]] = xla_rt.library_call "xla_rt_sort_unpack" outs(%[[B]] : {{.*}} work = 7 {{.*}} -> tensor<200000xf32>
// CHECK:         %[[R:.*]] = xla_rt.library_call "xla_rt_sort_restore" ins(%arg0, %[[C]] : {{.*}}) outs(%[[U]] : tensor<200000xf32>)
// CHECK:         return %[[R]]
func.func @main(%x: tensor<200000xf32>) -> tensor<200000xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<200000xf32>) -> tensor<200000xf32>
  return %0 : tensor<200000xf32>
}

// -----

// With an array that goes along: the halves of words are where the results go.
// DEVICE: xla_rt.library_call "xla_rt_sort" ins(%{{.*}} : tensor<200000xf32>, tensor<200000xi64>)
// CHECK-LABEL: func.func @main
// CHECK:         %[[C:.*]] = xla_rt.library_call "xla_rt_sort_count" {{.*}} -> tensor<119xi32>
// CHECK:         %[[W:.*]]:2 = xla_rt.library_call "xla_rt_sort_distribute_halves" ins(%arg0, %{{.*}}, %[[C]] : {{.*}} -1, 4, 3, -1, 8, 4] work = 7 {{.*}} -> tensor<200000xf32>, tensor<200000xi64>
// CHECK:         %[[R:.*]]:2 = xla_rt.library_call "xla_rt_sort_buckets_of_halves" ins(%[[C]], %arg0, %arg1 : {{.*}}) outs(%[[W]]#0, %[[W]]#1 : {{.*}} work = 16
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @main(%x: tensor<200000xf32>, %y: tensor<200000xi64>) -> (tensor<200000xf32>, tensor<200000xi64>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i64>, %d: tensor<i64>):
    %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<200000xf32>, tensor<200000xi64>) -> (tensor<200000xf32>, tensor<200000xi64>)
  return %0#0, %0#1 : tensor<200000xf32>, tensor<200000xi64>
}

// -----

// What is computed for the sort alone is sorted where it is, if its words are as wide. A GPU's library has copies.
// DEVICE: xla_rt.library_call "xla_rt_sort" ins(%{{.*}} : tensor<8x1000xf32>)
// CHECK-LABEL: func.func @main
// CHECK:         %[[Y:.*]] = linalg.generic
// CHECK:         xla_rt.library_call "xla_rt_sort" outs(%[[Y]] : tensor<8x1000xf32>)
// CHECK-SAME:      parameters = [1000, 1, 8, 16, 4, 0, 0, 1, 1, 0, 4, 3, 32, 0, 2139095040, -1, 4, 0] work = 1
func.func @main(%x: tensor<8x1000xf32>) -> tensor<8x1000xf32> {
  %y = stablehlo.add %x, %x : tensor<8x1000xf32>
  %0 = "stablehlo.sort"(%y) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<8x1000xf32>) -> tensor<8x1000xf32>
  return %0 : tensor<8x1000xf32>
}
