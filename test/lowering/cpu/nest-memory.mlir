// RUN: xla-opt %s --to=loops --split-input-file | FileCheck %s
// How a nest reads and writes memory, by stride and element type.

// Backwards: the vector that ends with the first lane's element, turned round.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[FROM:.*]] = arith.muli %[[I:.*]], %c-1_i64
// CHECK: %[[BASE:.*]] = llvm.getelementptr %arg0[%[[FROM]]]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[BASE]][48]
// CHECK: %[[V:.*]] = llvm.load %[[AT]] {{.*}} -> vector<16xf32>
// CHECK: %[[R:.*]] = vector.shuffle %[[V]], %[[V]] [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
// CHECK: %[[TO:.*]] = llvm.getelementptr %arg1[%[[I]]]
// CHECK: llvm.store %[[R]], %[[TO]]
// CHECK: llvm.getelementptr %[[BASE]][32]
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = xla.reverse %x, dims = [0] : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Every second element: those of two vectors, of which the last ends with the last element. What lies behind it may be
// behind the tensor, and is not read; no mask says so.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[FROM:.*]] = arith.muli %{{.*}}, %c2_i64
// CHECK: %[[AT:.*]] = llvm.getelementptr %arg0[%[[FROM]]]
// CHECK: %[[LOW:.*]] = llvm.load %[[AT]] {{.*}} -> vector<16xf32>
// CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[AT]][15]
// CHECK: %[[HIGH:.*]] = llvm.load %[[NEXT]] {{.*}} -> vector<16xf32>
// CHECK: vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31]
// CHECK-NOT: gather
func.func @main(%x: tensor<128xf32>) -> tensor<64xf32> {
  %0 = xla.slice %x [0:128:2] : (tensor<128xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Every third: those of three vectors, the last of which ends likewise.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[FROM:.*]] = arith.muli %{{.*}}, %c3_i64
// CHECK: %[[AT:.*]] = llvm.getelementptr %arg0[%[[FROM]]]
// CHECK: %[[LOW:.*]] = llvm.load %[[AT]] {{.*}} -> vector<16xf32>
// CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[AT]][16]
// CHECK: %[[MIDDLE:.*]] = llvm.load %[[NEXT]]
// CHECK: %[[BOTH:.*]] = vector.shuffle %[[LOW]], %[[MIDDLE]] [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 11, 12, 13, 14, 15]
// CHECK: %[[LAST:.*]] = llvm.getelementptr %[[AT]][30]
// CHECK: %[[HIGH:.*]] = llvm.load %[[LAST]] {{.*}} -> vector<16xf32>
// CHECK: vector.shuffle %[[BOTH]], %[[HIGH]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 19, 22, 25, 28, 31]
// CHECK-NOT: gather
func.func @main(%x: tensor<192xf32>) -> tensor<64xf32> {
  %0 = xla.slice %x [0:192:3] : (tensor<192xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Of 16 bits, where shuffles take longer with such a vector, what may lie behind the tensor is masked.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[MASK:.*]] = arith.constant dense<[true, {{.*}}, false]> : vector<32xi1>
// CHECK: llvm.intr.masked.load %{{.*}}, %[[MASK]]
func.func @main(%x: tensor<256xi16>) -> tensor<128xi16> {
  %0 = xla.slice %x [0:256:2] : (tensor<256xi16>) -> tensor<128xi16>
  return %0 : tensor<128xi16>
}

// -----

// Every thirteenth: gathered.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK-DAG: %[[ALL:.*]] = arith.constant dense<true> : vector<16xi1>
// CHECK-DAG: %[[STEPS:.*]] = arith.constant dense<[0, 13, 26, 39, 52, 65, 78, 91, 104, 117, 130, 143, 156, 169, 182, 195]> : vector<16xi64>
// CHECK: %[[FROM:.*]] = arith.muli %{{.*}}, %c13_i64
// CHECK: %[[AT:.*]] = llvm.getelementptr %arg0[%[[FROM]]]
// CHECK: %[[LANES:.*]] = llvm.getelementptr %[[AT]][%[[STEPS]]]
// CHECK: llvm.intr.masked.gather %[[LANES]], %[[ALL]]
func.func @main(%x: tensor<832xf32>) -> tensor<64xf32> {
  %0 = xla.slice %x [0:832:13] : (tensor<832xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// The same element in all lanes is read once, before the loop.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[Y:.*]] = llvm.load %arg0 {{.*}} -> f32
// CHECK: %[[B:.*]] = vector.broadcast %[[Y]] : f32 to vector<16xf32>
// CHECK: scf.for
// CHECK-COUNT-4: arith.addf %{{.*}}, %[[B]]
func.func @main(%x: tensor<64xf32>, %y: tensor<f32>) -> tensor<64xf32> {
  %b = xla.broadcast_in_dim %y, dims = [] : (tensor<f32>) -> tensor<64xf32>
  %0 = xla.add %x, %b : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Complex numbers one by one, in two parts.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[RE:.*]] = llvm.load %arg0 {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK: %[[R:.*]] = arith.negf %[[RE]]
// CHECK: %[[AT1:.*]] = llvm.getelementptr %arg0[1] {{.*}} f32
// CHECK: %[[IM:.*]] = llvm.load %[[AT1]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK: %[[J:.*]] = arith.negf %[[IM]]
// CHECK: llvm.store %[[R]], %arg1 {alignment = 4 : i64} : f32
// CHECK: %[[TO1:.*]] = llvm.getelementptr %arg1[1] {{.*}} f32
// CHECK: llvm.store %[[J]], %[[TO1]]
func.func @main(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = xla.negate %x : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// -----

// In lanes, every second element of a vector is of the one part; the last few of both have one mask.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[MASK:.*]] = arith.constant dense<[true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false]> : vector<16xi1>
// CHECK: scf.for
// CHECK: %[[AT:.*]] = llvm.getelementptr %arg0[%{{.*}}] {{.*}} !llvm.struct<(f64, f64)>
// CHECK: %[[BOTH:.*]] = llvm.load %[[AT]] {alignment = 8 : i64} : !llvm.ptr -> vector<16xf64>
// CHECK: %[[RE:.*]] = vector.shuffle %[[BOTH]], %[[BOTH]] [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK: %[[IM:.*]] = vector.shuffle %[[BOTH]], %[[BOTH]] [1, 3, 5, 7, 9, 11, 13, 15]
// CHECK: %[[TO:.*]] = vector.shuffle %[[IM]], %[[RE]] [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]
// CHECK: llvm.store %[[TO]], %{{.*}} {alignment = 8 : i64} : vector<16xf64>
// CHECK: llvm.intr.masked.load %{{.*}}, %[[MASK]]
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[MASK]]
func.func @main(%x: tensor<36xcomplex<f64>>) -> tensor<36xcomplex<f64>> {
  %re = xla.real %x : (tensor<36xcomplex<f64>>) -> tensor<36xf64>
  %im = xla.imag %x : (tensor<36xcomplex<f64>>) -> tensor<36xf64>
  %0 = xla.complex %im, %re : (tensor<36xf64>, tensor<36xf64>) -> tensor<36xcomplex<f64>>
  return %0 : tensor<36xcomplex<f64>>
}

// -----

// Those that are no neighbours are gathered as 64 bits.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[BITS:.*]] = llvm.intr.masked.gather {{.*}} -> vector<16xi64>
// CHECK: %[[BOTH:.*]] = llvm.bitcast %[[BITS]] : vector<16xi64> to vector<32xf32>
// CHECK: vector.shuffle %[[BOTH]], %[[BOTH]]
func.func @main(%x: tensor<192xcomplex<f32>>) -> tensor<64xcomplex<f32>> {
  %t = xla.slice %x[0:192:3] : (tensor<192xcomplex<f32>>) -> tensor<64xcomplex<f32>>
  %0 = xla.negate %t : tensor<64xcomplex<f32>>
  return %0 : tensor<64xcomplex<f32>>
}

// -----

// They are transposed as such, two to a chunk.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<2xi64>
// CHECK: %[[ROW:.*]] = vector.shuffle {{.*}} : vector<16xi64>, vector<16xi64>
// CHECK: %[[BOTH:.*]] = llvm.bitcast %[[ROW]] : vector<16xi64> to vector<32xf32>
// CHECK: vector.shuffle %[[BOTH]], %[[BOTH]]
func.func @main(%x: tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>> {
  %t = xla.transpose %x, dims = [1, 0] : (tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>>
  %0 = xla.negate %t : tensor<64x64xcomplex<f32>>
  return %0 : tensor<64x64xcomplex<f32>>
}

// -----

// A truth value is a byte that is not 0, and 1 when it is written.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[ZERO:.*]] = arith.constant dense<0> : vector<32xi8>
// CHECK: %[[BYTES:.*]] = llvm.load {{.*}} -> vector<32xi8>
// CHECK: arith.cmpi ne, %[[BYTES]], %[[ZERO]]
// CHECK: %[[AND:.*]] = arith.andi
// CHECK: arith.extui %[[AND]] : vector<32xi1> to vector<32xi8>
func.func @main(%x: tensor<64xi1>, %y: tensor<64xi1>) -> tensor<64xi1> {
  %0 = xla.and %x, %y : tensor<64xi1>
  return %0 : tensor<64xi1>
}

// -----

// Narrow integers have a byte each, with their sign.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: arith.trunci %{{.*}} : vector<32xi8> to vector<32xi4>
// CHECK: %[[NOT:.*]] = arith.xori
// CHECK: %[[BYTES:.*]] = arith.extui %[[NOT]] : vector<32xi4> to vector<32xi8>
// CHECK: llvm.store %[[BYTES]]
func.func @main(%x: tensor<64xi4>) -> tensor<64xi4> {
  %0 = xla.not %x : tensor<64xi4>
  return %0 : tensor<64xi4>
}

// -----

// What is left over is masked, except for a single element.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[MASK:.*]] = arith.constant dense<[true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false]> : vector<16xi1>
// CHECK: scf.for %{{.*}} = %c0_i64 to %c32_i64 step %c32_i64
// CHECK: %[[AT:.*]] = llvm.getelementptr %arg0[32]
// CHECK: llvm.intr.masked.load %[[AT]], %[[MASK]]
// CHECK: %[[LAST:.*]] = arith.negf
// CHECK: %[[TO:.*]] = llvm.getelementptr %arg1[32]
// CHECK: %[[ONE:.*]] = vector.extract %[[LAST]][0]
// CHECK: llvm.store %[[ONE]], %[[TO]]
// CHECK-NOT: masked.store
func.func @main(%x: tensor<33xf32>) -> tensor<33xf32> {
  %0 = xla.negate %x : tensor<33xf32>
  return %0 : tensor<33xf32>
}

// -----

// Lanes that are near each other in the result are written by masked stores, which leave what is between them.
// CHECK-LABEL: func.func private @update_0.impl
// CHECK: %[[MASK:.*]] = arith.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true]> : vector<16xi1>
// CHECK: %[[V:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK: %[[LOW:.*]] = vector.shuffle %[[V]], %[[V]] [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5]
// CHECK: llvm.intr.masked.store %[[LOW]], %[[AT:.*]], %[[MASK]]
// CHECK: llvm.intr.masked.store
// CHECK: llvm.intr.masked.store
// CHECK-NOT: scatter
func.func @main(%x: tensor<64x1xf32>, %y: tensor<64x2xf32>) -> tensor<64x3xf32> {
  %0 = xla.concatenate %x, %y, dim = 1 : (tensor<64x1xf32>, tensor<64x2xf32>) -> tensor<64x3xf32>
  return %0 : tensor<64x3xf32>
}

// -----

// Lanes that are far from each other in the result are scattered.
// CHECK-LABEL: func.func private @update_0.impl
// CHECK: %[[STEPS:.*]] = arith.constant dense<[0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75]> : vector<16xi64>
// CHECK: %[[V:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK: %[[LANES:.*]] = llvm.getelementptr %{{.*}}[%[[STEPS]]]
// CHECK: llvm.intr.masked.scatter %[[V]], %[[LANES]]
func.func @main(%x: tensor<64x1xf32>, %y: tensor<64x4xf32>) -> tensor<64x5xf32> {
  %0 = xla.concatenate %x, %y, dim = 1 : (tensor<64x1xf32>, tensor<64x4xf32>) -> tensor<64x5xf32>
  return %0 : tensor<64x5xf32>
}

// -----

// Rows at positions of a table: clamped, then a vector of the row.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[I:.*]] = llvm.load {{.*}} -> i32
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
func.func @main(%x: tensor<100x10xf32>, %i: tensor<64x1xi32>) -> tensor<64x10xf32> {
  %0 = "xla.gather"(%x, %i) {dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 10>, indices_are_sorted = false} : (tensor<100x10xf32>, tensor<64x1xi32>) -> tensor<64x10xf32>
  return %0 : tensor<64x10xf32>
}

// -----

// The last step along the columns is whole behind a long sum, with masks of the lanes inside; the last one along the rows
// overlaps.
// CHECK-LABEL: func.func private @reduction_{{.}}.impl
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = arith.minsi %{{.*}}, %c997_i64
// CHECK-COUNT-24: arith.muli {{.*}} : vector<16xi32>
// CHECK-NOT: arith.muli {{.*}} : vector
// CHECK-COUNT-24: llvm.intr.masked.store
// CHECK-NOT: masked.store
func.func @main(%x: tensor<1003x300xi32>, %y: tensor<300x200xi32>) -> tensor<1003x200xi32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1003x300xi32>, tensor<300x200xi32>) -> tensor<1003x200xi32>
  return %0 : tensor<1003x200xi32>
}

// -----

// Rows of 22 where rows alike are read, whose memory they may be: what is behind the first vector is two stores of
// narrower ones, which write nothing that the next row is read from.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: llvm.store {{.*}} : vector<16xf32>
// CHECK: %[[FOUR:.*]] = vector.extract_strided_slice %[[LAST:.*]] {offsets = [0], sizes = [4], strides = [1]}
// CHECK-NEXT: llvm.store %[[FOUR]], %[[AT:.*]] {alignment = 4
// CHECK-NEXT: %[[TWO:.*]] = vector.extract_strided_slice %[[LAST]] {offsets = [4], sizes = [2], strides = [1]}
// CHECK-NEXT: %[[NEXT:.*]] = llvm.getelementptr %[[AT]][4]
// CHECK-NEXT: llvm.store %[[TWO]], %[[NEXT]] {alignment = 4
// CHECK-NOT: masked.store
func.func @main(%x: tensor<40x22xf32>, %y: tensor<22xf32>) -> tensor<40x22xf32> {
  %0 = xla.broadcast_in_dim %y, dims = [1] : (tensor<22xf32>) -> tensor<40x22xf32>
  %1 = xla.multiply %x, %0 : tensor<40x22xf32>
  return %1 : tensor<40x22xf32>
}

// -----

// Columns that become rows are other memory.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: llvm.intr.masked.store
// CHECK-NOT: extract_strided_slice
func.func @main(%x: tensor<1x22xf32>) -> tensor<40x22xf32> {
  %0 = xla.broadcast_in_dim %x, dims = [0, 1] : (tensor<1x22xf32>) -> tensor<40x22xf32>
  return %0 : tensor<40x22xf32>
}

// -----

// Rows of 12: what is kept of one for later has room for a whole vector, which is read as it was written. How far apart
// rows are is in bytes.
// CHECK-LABEL: func.func private @rows_0.impl
// CHECK: llvm.intr.masked.load %{{.*}}vector<16xf32>
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c64_i64
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[SCRATCH:[a-z0-9]*]][%[[ROW]]]
// CHECK: llvm.store %{{.*}}, %[[AT]] {{.*}}vector<16xf32>
// CHECK: %[[AGAIN:.*]] = llvm.getelementptr %[[SCRATCH]][
// CHECK: llvm.load %[[AGAIN]] {{.*}}vector<16xf32>
// CHECK: llvm.intr.masked.store
func.func @main(%x: tensor<64x12xf32>) -> tensor<64x12xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<64x12xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<64x12xf32>, tensor<f32>) -> tensor<64xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<64xf32>) -> tensor<64x12xf32>
  %d = xla.divide %e, %b : tensor<64x12xf32>
  return %d : tensor<64x12xf32>
}

// -----

// The greater of two bf16 is one: the upper half of its bits in f32, of which nothing is rounded.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: arith.maximumf
// CHECK-NOT: arith.addi {{.*}}vector
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi16>
func.func @main(%x: tensor<64xbf16>, %y: tensor<64xbf16>) -> tensor<64xbf16> {
  %m = xla.maximum %x, %y : tensor<64xbf16>
  return %m : tensor<64xbf16>
}

// -----

// The greatest of rows of 6: a step along the rows reads six vectors, and takes what it needs out of them.
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK-COUNT-5: llvm.load {{.*}}vector<16xf32>
// CHECK-NOT: gather
func.func @main(%x: tensor<4096x6xf32>) -> tensor<4096xf32> {
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %m = xla.reduce(%x init: %least) applies xla.maximum across dimensions = [1] : (tensor<4096x6xf32>, tensor<f32>) -> tensor<4096xf32>
  return %m : tensor<4096xf32>
}

// -----

// Narrow elements that are transposed in registers on their way to f32, in which they are added to.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: llvm.load {{.*}}vector<8xbf16>
// CHECK-NOT: gather
// CHECK: arith.addf {{.*}}vector<16xf32>
func.func @main(%x: tensor<64x128xbf16>, %y: tensor<128x64xbf16>) -> tensor<128x64xbf16> {
  %t = xla.transpose %x, dims = [1, 0] : (tensor<64x128xbf16>) -> tensor<128x64xbf16>
  %s = xla.add %t, %y : tensor<128x64xbf16>
  return %s : tensor<128x64xbf16>
}

// -----

// Every third element, of lanes whose window has it: parts of a vector are read where such an element is one of theirs.
// CHECK-LABEL: func.func private @convolution_0.impl
// CHECK-NOT: gather
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, {{.*}} : vector<16xi32>
// CHECK: %[[FIRST:.*]] = vector.shuffle %[[INSIDE]], %{{.*}} [0, 16, 16, 1, 16, 16, 2, 16, 16, 3, 16, 16, 4, 16, 16, 5] : vector<16xi1>, vector<16xi1>
// CHECK: llvm.intr.masked.load %{{.*}}, %[[FIRST]],
// CHECK: %[[SECOND:.*]] = vector.shuffle %[[INSIDE]], %{{.*}} [16, 16, 6, 16, 16, 7, 16, 16, 8, 16, 16, 9, 16, 16, 10, 16] : vector<16xi1>, vector<16xi1>
// CHECK: llvm.intr.masked.load %{{.*}}, %[[SECOND]],
// CHECK: vector.shuffle {{.*}} [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 11, 12, 13, 14, 15] : vector<16xf32>, vector<16xf32>
// CHECK-NOT: gather
func.func @main(%x: tensor<100x192xf32>) -> tensor<100x64xf32> {
  %low = xla.constant dense<0xFF800000> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %low) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.maximum %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) : (tensor<100x192xf32>, tensor<f32>) -> tensor<100x64xf32>
  return %0 : tensor<100x64xf32>
}

// -----

// Frames of 64 that begin at multiples of 16 are read at computed indices, which are linear and never outside.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: arith.muli %{{.*}}, %c16_i64
// CHECK-NOT: gather
// CHECK: %[[X:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK-NEXT: llvm.getelementptr
// CHECK-NEXT: llvm.store %[[X]]
func.func @main(%x: tensor<1600xf32>) -> tensor<90x64xf32> {
  %step = xla.constant dense<16> : tensor<90xi32>
  %i = xla.iota dim = 0 : tensor<90xi32>
  %begin = xla.multiply %i, %step : tensor<90xi32>
  %j = xla.iota dim = 0 : tensor<64xi32>
  %row = xla.broadcast_in_dim %begin, dims = [0] : (tensor<90xi32>) -> tensor<90x64xi32>
  %column = xla.broadcast_in_dim %j, dims = [1] : (tensor<64xi32>) -> tensor<90x64xi32>
  %sum = xla.add %row, %column : tensor<90x64xi32>
  %places = xla.reshape %sum : (tensor<90x64xi32>) -> tensor<90x64x1xi32>
  %0 = "xla.gather"(%x, %places) <{dimension_numbers = #xla.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<1600xf32>, tensor<90x64x1xi32>) -> tensor<90x64xf32>
  return %0 : tensor<90x64xf32>
}

// -----

// Of which the last ones are outside, indices are bounded by the last element: they are not linear.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: gather
func.func @main(%x: tensor<1400xf32>) -> tensor<90x64xf32> {
  %step = xla.constant dense<16> : tensor<90xi32>
  %i = xla.iota dim = 0 : tensor<90xi32>
  %begin = xla.multiply %i, %step : tensor<90xi32>
  %j = xla.iota dim = 0 : tensor<64xi32>
  %row = xla.broadcast_in_dim %begin, dims = [0] : (tensor<90xi32>) -> tensor<90x64xi32>
  %column = xla.broadcast_in_dim %j, dims = [1] : (tensor<64xi32>) -> tensor<90x64xi32>
  %sum = xla.add %row, %column : tensor<90x64xi32>
  %places = xla.reshape %sum : (tensor<90x64xi32>) -> tensor<90x64x1xi32>
  %0 = "xla.gather"(%x, %places) <{dimension_numbers = #xla.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<1400xf32>, tensor<90x64x1xi32>) -> tensor<90x64xf32>
  return %0 : tensor<90x64xf32>
}

// -----

// Where an index is clamped to what there is, most vectors are whole. It is their indices that tell.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: scf.for
// CHECK: %[[I:.*]] = arith.extsi {{.*}} : vector<16xi32> to vector<16xi64>
// CHECK: %[[FIRST:.*]] = vector.extract %[[I]][0]
// CHECK: %[[ORDER:.*]] = arith.cmpi eq, %[[I]]
// CHECK: %[[ALL:.*]] = vector.reduction <and>, %[[ORDER]]
// CHECK: scf.if %[[ALL]] -> (vector<16xf32>)
// CHECK: %[[AT:.*]] = llvm.getelementptr %arg1[%[[FIRST]]]
// CHECK: llvm.load %[[AT]]
// CHECK: else
// CHECK: llvm.intr.masked.gather
func.func @main(%x: tensor<1024xf32>, %by: tensor<i32>) -> tensor<1024xf32> {
  %i = xla.iota dim = 0 : tensor<1024xi32>
  %s = xla.broadcast_in_dim %by, dims = [] : (tensor<i32>) -> tensor<1024xi32>
  %j = xla.subtract %i, %s : tensor<1024xi32>
  %k = xla.reshape %j : (tensor<1024xi32>) -> tensor<1024x1xi32>
  %0 = "xla.gather"(%x, %k) {dimension_numbers = #xla.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false} : (tensor<1024xf32>, tensor<1024x1xi32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}

// -----

// Not those that data give.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK-NOT: vector.reduction
// CHECK: llvm.intr.masked.gather
// CHECK-NOT: scf.if
func.func @main(%x: tensor<1024xf32>, %i: tensor<1024xi32>) -> tensor<1024xf32> {
  %k = xla.reshape %i : (tensor<1024xi32>) -> tensor<1024x1xi32>
  %0 = "xla.gather"(%x, %k) {dimension_numbers = #xla.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false} : (tensor<1024xf32>, tensor<1024x1xi32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
