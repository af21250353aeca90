// RUN: xla-opt %s --pass-pipeline='builtin.module(func.func(xla-decompose-writes))' --split-input-file | FileCheck %s
// RUN: xla-opt %s --pass-pipeline='builtin.module(func.func(xla-decompose-writes{device=true}))' --split-input-file | FileCheck %s --check-prefix=DEVICE

// CHECK-LABEL: func.func @concat
// CHECK: %[[E:.*]] = tensor.empty() : tensor<5xf32>
// CHECK: %[[A:.*]] = tensor.insert_slice %arg0 into %[[E]][0] [2] [1]
// CHECK: %[[B:.*]] = tensor.insert_slice %arg1 into %[[A]][2] [3] [1]
// CHECK: return %[[B]]
func.func @concat(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// An element that is read once is chosen where it is read, also that of parts of concatenations.
// CHECK-LABEL: func.func @roll
// CHECK-NOT: insert_slice
// CHECK: %[[INNER:.*]] = linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[HERE:.*]] = arith.cmpi slt, %[[I]], %c3
// CHECK: scf.if %[[HERE]] -> (f32) {
// CHECK:   tensor.extract %{{.*}}[%[[I]]] : tensor<3xf32>
// CHECK: } else {
// CHECK:   %[[REST:.*]] = arith.subi %[[I]], %c3
// CHECK:   tensor.extract %{{.*}}[%[[REST]]] : tensor<5xf32>
// CHECK: %[[FRONT:.*]] = tensor.extract_slice %[[INNER]][0] [7] [1]
// CHECK: linalg.generic
// CHECK: tensor.extract %[[FRONT]]
#whole = affine_map<(i) -> (i)>
func.func @roll(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = tensor.extract_slice %x[5] [3] [1] : tensor<8xf32> to tensor<3xf32>
  %b = tensor.extract_slice %x[0] [5] [1] : tensor<8xf32> to tensor<5xf32>
  %0 = tensor.concat dim(0) %a, %b : (tensor<3xf32>, tensor<5xf32>) -> tensor<8xf32>
  %c = tensor.extract_slice %0[7] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %d = tensor.extract_slice %0[0] [7] [1] : tensor<8xf32> to tensor<7xf32>
  %1 = tensor.concat dim(0) %c, %d : (tensor<1xf32>, tensor<7xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#whole, #whole, #whole], iterator_types = ["parallel"]} ins(%0, %1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// All parts of a roll are of one tensor: where they are read, it may be in memory, or computed.
// CHECK-LABEL: func.func @roll_of_result
// CHECK-NOT: insert_slice
// CHECK: scf.if
// CHECK-NOT: insert_slice
// CHECK: return
#whole = affine_map<(i) -> (i)>
func.func @roll_of_result(%x: tensor<8xf32>) -> tensor<8xf32> {
  %t = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%p: f32, %out: f32):
    %s = math.exp %p : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %a = tensor.extract_slice %y[5] [3] [1] : tensor<8xf32> to tensor<3xf32>
  %b = tensor.extract_slice %y[0] [5] [1] : tensor<8xf32> to tensor<5xf32>
  %0 = tensor.concat dim(0) %a, %b : (tensor<3xf32>, tensor<5xf32>) -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#whole, #whole, #whole], iterator_types = ["parallel"]} ins(%0, %y : tensor<8xf32>, tensor<8xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// What is computed is written to its place; so is what is read in another order.
// CHECK-LABEL: func.func @computed
// CHECK-COUNT-4: insert_slice
#whole = affine_map<(i) -> (i)>
#back = affine_map<(i) -> (-i + 9)>
func.func @computed(%x: tensor<5xf32>, %y: tensor<5xf32>) -> tensor<10xf32> {
  %t = tensor.empty() : tensor<5xf32>
  %a = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel"]} ins(%x : tensor<5xf32>) outs(%t : tensor<5xf32>) {
  ^bb0(%p: f32, %out: f32):
    %s = math.exp %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  %0 = tensor.concat dim(0) %a, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<10xf32>
  %1 = tensor.concat dim(0) %x, %y : (tensor<5xf32>, tensor<5xf32>) -> tensor<10xf32>
  %e = tensor.empty() : tensor<10xf32>
  %2 = linalg.generic {indexing_maps = [#whole, #back, #whole], iterator_types = ["parallel"]} ins(%0, %1 : tensor<10xf32>, tensor<10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  return %2 : tensor<10xf32>
}

// -----

// Components of the positions of a gather are read where they are: nothing is concatenated.
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0) -> (d0, 0)>
// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0) -> (d0, 1)>
// CHECK-LABEL: func.func @read_pieces
// CHECK-SAME: (%[[A:.*]]: tensor<5x1xi32>, %[[B:.*]]: tensor<5x2xi32>)
// CHECK-NOT: insert_slice
// CHECK: linalg.generic {indexing_maps = [#[[FIRST]], #[[LAST]], #{{.*}}], {{.*}} ins(%[[A]], %[[B]] :
#whole = affine_map<(i) -> (i)>
#first = affine_map<(i) -> (i, 0)>
#last = affine_map<(i) -> (i, 2)>
func.func @read_pieces(%a: tensor<5x1xi32>, %b: tensor<5x2xi32>) -> tensor<5xi32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<5x1xi32>, tensor<5x2xi32>) -> tensor<5x3xi32>
  %e = tensor.empty() : tensor<5xi32>
  %1 = linalg.generic {indexing_maps = [#first, #last, #whole], iterator_types = ["parallel"]} ins(%0, %0 : tensor<5x3xi32>, tensor<5x3xi32>) outs(%e : tensor<5xi32>) {
  ^bb0(%x: i32, %y: i32, %out: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<5xi32>
  return %1 : tensor<5xi32>
}

// -----

// Other readers have it in memory.
// CHECK-LABEL: func.func @read_row
// CHECK-COUNT-2: tensor.insert_slice
#whole = affine_map<(i) -> (i)>
#row = affine_map<(i) -> (1, i)>
func.func @read_row(%a: tensor<5x1xi32>, %b: tensor<5x2xi32>) -> tensor<3xi32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<5x1xi32>, tensor<5x2xi32>) -> tensor<5x3xi32>
  %e = tensor.empty() : tensor<3xi32>
  %1 = linalg.generic {indexing_maps = [#row, #whole], iterator_types = ["parallel"]} ins(%0 : tensor<5x3xi32>) outs(%e : tensor<3xi32>) {
  ^bb0(%x: i32, %out: i32):
    linalg.yield %x : i32
  } -> tensor<3xi32>
  return %1 : tensor<3xi32>
}

// -----

// Inside the source its element, elsewhere the padding; nothing is read where there is nothing.
// CHECK-LABEL: func.func @pad
// CHECK-SAME: (%[[X:.*]]: tensor<3x16xf32>)
// CHECK: %[[C:.*]] = arith.constant 1.000000e+00
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<6x16xf32>
// CHECK: linalg.generic {{.*}} outs(%[[EMPTY]] : tensor<6x16xf32>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = arith.subi %[[I]], %{{.*}}
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %{{.*}}
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: scf.if %[[IN]] -> (f32)
// CHECK: tensor.extract %[[X]][%[[AT]], %[[J]]]
// CHECK: } else {
// CHECK: scf.yield %[[C]]
// CHECK-NOT: tensor.pad
func.func @pad(%x: tensor<3x16xf32>) -> tensor<6x16xf32> {
  %c = arith.constant 1.0 : f32
  %0 = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<3x16xf32> to tensor<6x16xf32>
  return %0 : tensor<6x16xf32>
}

// -----

// Nothing to read at all.
// CHECK-LABEL: func.func @pad_nothing
// CHECK: %[[R:.*]] = linalg.fill
// CHECK: return %[[R]]
func.func @pad_nothing(%x: tensor<0x16xf32>) -> tensor<2x16xf32> {
  %c = arith.constant 1.0 : f32
  %0 = tensor.pad %x low[2, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<0x16xf32> to tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}

// -----

// A vector of a few numbers is chosen from, so that what computes the numbers and what reads the vector share a kernel.
// CHECK-DAG: #[[NUMBER:.*]] = affine_map<(d0) -> (0)>
// CHECK-LABEL: func.func @numbers
// CHECK-NOT: insert_slice
// CHECK: linalg.generic {indexing_maps = [#[[NUMBER]], #[[NUMBER]], #[[NUMBER]], #{{.*}}], {{.*}} ins(%arg0, %arg1, %arg2
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[SECOND:.*]] = arith.cmpi eq, %[[I]], %c1
// CHECK: %[[REST:.*]] = arith.select %[[SECOND]], %[[B]], %[[C]]
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[I]], %c0
// CHECK: %[[ALL:.*]] = arith.select %[[FIRST]], %[[A]], %[[REST]]
// CHECK: linalg.yield %[[ALL]]
func.func @numbers(%a: tensor<1xf32>, %b: tensor<1xf32>, %c: tensor<1xf32>) -> tensor<3xf32> {
  %0 = tensor.concat dim(0) %a, %b, %c : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Rows that are stacked and transposed are columns, of which each is another one's. Of a device, they stay rows.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: insert_slice
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1, %arg0, %arg1, %arg0
// CHECK: linalg.index 1
// DEVICE-LABEL: func.func @columns
// DEVICE-COUNT-5: tensor.insert_slice
#rows = affine_map<(d0, d1) -> (d1, d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @columns(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64x5xf32> {
  %x = tensor.expand_shape %a [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
  %y = tensor.expand_shape %b [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
  %0 = tensor.concat dim(0) %x, %y, %x, %y, %x : (tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<5x64xf32>
  %e = tensor.empty() : tensor<64x5xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<5x64xf32>) outs(%e : tensor<64x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<64x5xf32>
  return %1 : tensor<64x5xf32>
}

// -----

// Boxes of a concatenation are concatenations of boxes of its parts, or lie in one: the image, of which the first and
// the last row are repeated, is nowhere in memory with them.
// CHECK-LABEL: func.func @edges
// CHECK-NOT: insert_slice
// CHECK-DAG: %[[BEHIND:.*]] = tensor.extract_slice %arg0[1, 0] [7, 16] [1, 1]
// CHECK: tensor.extract %[[BEHIND]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %arg0 :
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @edges(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %first = tensor.extract_slice %x[0, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<1x16xf32>
  %last = tensor.extract_slice %x[7, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<1x16xf32>
  %0 = tensor.concat dim(0) %first, %x, %last : (tensor<1x16xf32>, tensor<8x16xf32>, tensor<1x16xf32>) -> tensor<10x16xf32>
  %before = tensor.extract_slice %0[0, 0] [8, 16] [1, 1] : tensor<10x16xf32> to tensor<8x16xf32>
  %here = tensor.extract_slice %0[1, 0] [8, 16] [1, 1] : tensor<10x16xf32> to tensor<8x16xf32>
  %behind = tensor.extract_slice %0[2, 0] [8, 16] [1, 1] : tensor<10x16xf32> to tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%before, %behind, %here : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    %all = arith.subf %sum, %c : f32
    linalg.yield %all : f32
  } -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

// Something else reads it, too: it is in memory, and boxes of it are.
// CHECK-LABEL: func.func @edges_in_memory
// CHECK-COUNT-2: tensor.insert_slice
func.func @edges_in_memory(%x: tensor<8x16xf32>) -> (tensor<9x16xf32>, tensor<8x16xf32>) {
  %first = tensor.extract_slice %x[0, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<1x16xf32>
  %0 = tensor.concat dim(0) %first, %x : (tensor<1x16xf32>, tensor<8x16xf32>) -> tensor<9x16xf32>
  %before = tensor.extract_slice %0[0, 0] [8, 16] [1, 1] : tensor<9x16xf32> to tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %1 = linalg.add ins(%before, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0, %1 : tensor<9x16xf32>, tensor<8x16xf32>
}

// -----

// What is rolled and stacked is chosen where a kernel of a GPU writes it. Vectors of a CPU copy it in two boxes.
// CHECK-LABEL: func.func @stack_of_rolls
// CHECK-NOT: scf.if
// CHECK: return
// DEVICE-LABEL: func.func @stack_of_rolls
// DEVICE: %[[FIRST:.*]] = linalg.generic
// DEVICE: scf.if
// DEVICE: %[[SECOND:.*]] = linalg.generic
// DEVICE: scf.if
// DEVICE-DAG: %[[A:.*]] = tensor.expand_shape %[[FIRST]]
// DEVICE-DAG: %[[B:.*]] = tensor.expand_shape %[[SECOND]]
// DEVICE: tensor.insert_slice %[[A]] into
// DEVICE: tensor.insert_slice %[[B]] into
func.func @stack_of_rolls(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<2x8xf32> {
  %a = tensor.extract_slice %x[5] [3] [1] : tensor<8xf32> to tensor<3xf32>
  %b = tensor.extract_slice %x[0] [5] [1] : tensor<8xf32> to tensor<5xf32>
  %0 = tensor.concat dim(0) %a, %b : (tensor<3xf32>, tensor<5xf32>) -> tensor<8xf32>
  %c = tensor.extract_slice %y[7] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %d = tensor.extract_slice %y[0] [7] [1] : tensor<8xf32> to tensor<7xf32>
  %1 = tensor.concat dim(0) %c, %d : (tensor<1xf32>, tensor<7xf32>) -> tensor<8xf32>
  %e = tensor.expand_shape %0 [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %f = tensor.expand_shape %1 [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %2 = tensor.concat dim(0) %e, %f : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// -----

// A transform on a GPU chooses what it loads, be it computed or in memory. On a CPU it is put together in memory.
// CHECK-LABEL: func.func @transform
// CHECK-COUNT-2: insert_slice
// DEVICE-LABEL: func.func @transform
// DEVICE-NOT: insert_slice
// DEVICE: %[[TWICE:.*]] = linalg.add
// DEVICE: linalg.generic
// DEVICE: scf.if
// DEVICE:   tensor.extract %arg0
// DEVICE: else
// DEVICE:   tensor.extract %[[TWICE]]
// DEVICE-NOT: insert_slice
// DEVICE: xla_rt.library_call
func.func @transform(%x: tensor<8xcomplex<f32>>, %y: tensor<8xcomplex<f32>>, %e: tensor<8xcomplex<f32>>) -> tensor<1x16xcomplex<f32>> {
  %twice = linalg.add ins(%y, %y : tensor<8xcomplex<f32>>, tensor<8xcomplex<f32>>) outs(%e : tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %0 = tensor.concat dim(0) %x, %twice : (tensor<8xcomplex<f32>>, tensor<8xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 16] : tensor<16xcomplex<f32>> into tensor<1x16xcomplex<f32>>
  %2 = xla_rt.library_call "xla_rt_fft_f32" outs(%1 : tensor<1x16xcomplex<f32>>) parameters = [0, 1, 1, 1, 1, 1, 16] work = 1 cost = 64 scratch = 0 -> tensor<1x16xcomplex<f32>>
  return %2 : tensor<1x16xcomplex<f32>>
}
