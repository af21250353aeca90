// RUN: xla-opt %s --xla-interleave-rows --split-input-file | FileCheck %s

// Two rows of 32 numbers at once: the loop over their vectors is written out, and the memory for them is registers. At
// the end of an odd number of rows the last is done twice.

// CHECK-LABEL: func.func private @sums.impl
// CHECK: %[[BEGIN:.*]] = arith.index_cast
// CHECK: %[[END:.*]] = arith.index_cast
// CHECK: %[[LAST:.*]] = arith.subi %[[END]], %{{.*}} : i64
// CHECK: scf.for %[[ROW:.*]] = %[[BEGIN]] to %[[END]] step %{{.*}} : i64 {
// CHECK: %[[NEXT:.*]] = arith.addi %[[ROW]], %{{.*}} : i64
// CHECK: %[[OTHER:.*]] = arith.minsi %[[NEXT]], %[[LAST]] : i64
// CHECK: arith.muli %[[ROW]]
// CHECK-NEXT: arith.muli %[[OTHER]]
// CHECK-NOT: scf.for
// CHECK-COUNT-4: llvm.load %{{.*}} -> vector<16xf32>
// CHECK: vector.reduction <add>
// CHECK-NEXT: vector.reduction <add>
// CHECK-NOT: llvm.load
// CHECK-COUNT-4: llvm.store %{{.*}} : vector<16xf32>
// CHECK: } {xla_rt.nonempty}
// CHECK: return
func.func private @sums(tensor<7x32xf32>) -> tensor<7x32xf32> attributes {
  xla_rt.kernel = #xla_rt.kernel<rows>,
  xla_rt.implementation = #xla_rt.implementation<@sums.impl, work = 7, cost = 100, scratch = 128, results = [new]>}
func.func private @sums.impl(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr, %first: index, %behind: index) {
  %begin = arith.index_cast %first : index to i64
  %end = arith.index_cast %behind : index to i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c32 = arith.constant 32 : i64
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.for %row = %begin to %end step %c1 : i64 {
    %place = arith.muli %row, %c32 : i64
    %from = llvm.getelementptr %in[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %sums = scf.for %i = %c0 to %c32 step %c16 iter_args(%sum = %zero) -> (vector<16xf32>) : i64 {
      %p = llvm.getelementptr %from[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> vector<16xf32>
      %q = llvm.getelementptr %scratch[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %x, %q : vector<16xf32>, !llvm.ptr
      %next = arith.addf %sum, %x : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    %total = vector.reduction <add>, %sums : vector<16xf32> into f32
    %splat = vector.broadcast %total : f32 to vector<16xf32>
    scf.for %i = %c0 to %c32 step %c16 : i64 {
      %q = llvm.getelementptr %scratch[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %q : !llvm.ptr -> vector<16xf32>
      %y = arith.divf %x, %splat : vector<16xf32>
      %p = llvm.getelementptr %to[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %y, %p : vector<16xf32>, !llvm.ptr
    }
  } {xla_rt.nonempty}
  return
}

// -----

// What is read of the memory for a row was not written as it is read: nothing changes.

// CHECK-LABEL: func.func private @part.impl
// CHECK-NOT: minsi
// CHECK: scf.for %{{.*}} step %c1
// CHECK: llvm.store
// CHECK: llvm.load %{{.*}} -> vector<8xf32>
func.func private @part(tensor<7x16xf32>) -> tensor<7xf32> attributes {
  xla_rt.kernel = #xla_rt.kernel<rows>,
  xla_rt.implementation = #xla_rt.implementation<@part.impl, work = 7, cost = 100, scratch = 64, results = [new]>}
func.func private @part.impl(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr, %first: index, %behind: index) {
  %begin = arith.index_cast %first : index to i64
  %end = arith.index_cast %behind : index to i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  scf.for %row = %begin to %end step %c1 : i64 {
    %place = arith.muli %row, %c16 : i64
    %from = llvm.getelementptr %in[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> vector<16xf32>
    llvm.store %x, %scratch : vector<16xf32>, !llvm.ptr
    %half = llvm.load %scratch : !llvm.ptr -> vector<8xf32>
    %total = vector.reduction <add>, %half : vector<8xf32> into f32
    %to = llvm.getelementptr %out[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %total, %to : f32, !llvm.ptr
  }
  return
}

// -----

// Nobody knows which part of the memory is read, or what is left of it where something is written over: nothing changes.

// CHECK-LABEL: func.func private @data.impl
// CHECK-NOT: minsi
// CHECK: scf.for %{{.*}} step %c1
// CHECK: llvm.store %{{.*}}, %arg2
// CHECK-LABEL: func.func private @over.impl
// CHECK-NOT: minsi
// CHECK: scf.for %{{.*}} step %c1
// CHECK: llvm.load %arg2
func.func private @data(tensor<7x16xf32>) -> tensor<7xf32> attributes {
  xla_rt.kernel = #xla_rt.kernel<rows>,
  xla_rt.implementation = #xla_rt.implementation<@data.impl, work = 7, cost = 100, scratch = 64, results = [new]>}
func.func private @data.impl(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr, %first: index, %behind: index) {
  %begin = arith.index_cast %first : index to i64
  %end = arith.index_cast %behind : index to i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  scf.for %row = %begin to %end step %c1 : i64 {
    %place = arith.muli %row, %c16 : i64
    %from = llvm.getelementptr %in[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> vector<16xf32>
    llvm.store %x, %scratch : vector<16xf32>, !llvm.ptr
    %total = vector.reduction <add>, %x : vector<16xf32> into f32
    %bits = arith.fptosi %total : f32 to i64
    %which = llvm.getelementptr %scratch[%bits] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y = llvm.load %which : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to : f32, !llvm.ptr
  }
  return
}
func.func private @over(tensor<7x16xf32>) -> tensor<7xf32> attributes {
  xla_rt.kernel = #xla_rt.kernel<rows>,
  xla_rt.implementation = #xla_rt.implementation<@over.impl, work = 7, cost = 100, scratch = 64, results = [new]>}
func.func private @over.impl(%in: !llvm.ptr, %out: !llvm.ptr, %scratch: !llvm.ptr, %first: index, %behind: index) {
  %begin = arith.index_cast %first : index to i64
  %end = arith.index_cast %behind : index to i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %row = %begin to %end step %c1 : i64 {
    %place = arith.muli %row, %c16 : i64
    %from = llvm.getelementptr %in[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> vector<16xf32>
    llvm.store %x, %scratch : vector<16xf32>, !llvm.ptr
    %second = llvm.getelementptr %scratch[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %zero, %second : f32, !llvm.ptr
    %y = llvm.load %scratch : !llvm.ptr -> vector<16xf32>
    %total = vector.reduction <add>, %y : vector<16xf32> into f32
    %to = llvm.getelementptr %out[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %total, %to : f32, !llvm.ptr
  }
  return
}

// -----

// Without lanes to be folded nothing waits, and rows that must come in order stay so.

// CHECK-LABEL: func.func private @copy.impl
// CHECK: step %c1
// CHECK-LABEL: func.func private @ordered.impl
// CHECK: step %c1
func.func private @copy(tensor<7xf32>) -> tensor<7xf32> attributes {
  xla_rt.kernel = #xla_rt.kernel<rows>,
  xla_rt.implementation = #xla_rt.implementation<@copy.impl, work = 7, cost = 100, results = [new]>}
func.func private @copy.impl(%in: !llvm.ptr, %out: !llvm.ptr, %first: index, %behind: index) {
  %begin = arith.index_cast %first : index to i64
  %end = arith.index_cast %behind : index to i64
  %c1 = arith.constant 1 : i64
  scf.for %row = %begin to %end step %c1 : i64 {
    %from = llvm.getelementptr %in[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %to : f32, !llvm.ptr
  }
  return
}
func.func private @ordered(tensor<7x16xf32>) -> tensor<7xf32> attributes {
  xla_rt.kernel = #xla_rt.kernel<rows>,
  xla_rt.implementation = #xla_rt.implementation<@ordered.impl, work = 7, cost = 100, ordered, results = [new]>}
func.func private @ordered.impl(%in: !llvm.ptr, %out: !llvm.ptr, %first: index, %behind: index) {
  %begin = arith.index_cast %first : index to i64
  %end = arith.index_cast %behind : index to i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  scf.for %row = %begin to %end step %c1 : i64 {
    %place = arith.muli %row, %c16 : i64
    %from = llvm.getelementptr %in[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> vector<16xf32>
    %total = vector.reduction <add>, %x : vector<16xf32> into f32
    %to = llvm.getelementptr %out[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %total, %to : f32, !llvm.ptr
  }
  return
}
