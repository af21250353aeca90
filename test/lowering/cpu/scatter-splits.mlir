// RUN: xla-opt --xla-emit-kernels=vector-bits=512 --split-input-file %s | FileCheck %s

// Who does what of a scatter that is worth sharing. Owners of positions compare 16 indices at a time with their range,
// the last step once more those that are left, and visit what they noted.
// CHECK-LABEL: func.func private @owners.impl(
// CHECK:         %[[NOTED:.*]] = llvm.alloca %{{.*}} x i32
// CHECK:         arith.muli %{{.*}}, %c50_i64
// CHECK:         scf.for {{.*}} to %c20001_i64 step %c1024_i64
// CHECK:           %[[COUNT:.*]] = scf.for {{.*}} step %c16_i64 iter_args
// CHECK:             llvm.load {{.*}} -> vector<16xi32>
// CHECK:             arith.cmpi ult, {{.*}} : vector<16xi32>
// CHECK:             arith.shli
// CHECK:             llvm.call_intrinsic "llvm.experimental.vector.compress"
// CHECK:             llvm.intr.ctpop
// CHECK:           scf.for {{.*}} to %[[COUNT]] step
// CHECK-NOT:         scf.if
// CHECK:             arith.addf {{.*}} : vector<16xf32>
// CHECK:       func.func private @owners(
// CHECK-SAME:    @owners.impl, work = 4, cost = {{[0-9]+}}, results = [updates 2]>
func.func private @owners(%i: tensor<20001xi32>, %u: tensor<20001x16xf32>, %x: tensor<200x16xf32>) -> tensor<200x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<20001xi32>) updates(%u : tensor<20001x16xf32>) outs(%x : tensor<200x16xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<200x16xf32>
  return %0 : tensor<200x16xf32>
}

// -----

// Owners of positions find the first and the last of their index vectors by bisection, if these are sorted, and look at
// those between.
// CHECK-LABEL: func.func private @sorted.impl(
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[HALVES:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %c15_i64 step %{{.*}} iter_args(
// CHECK:           arith.cmpi slt
// CHECK:         %[[FIRST:.*]] = arith.select %{{.*}}, %{{.*}}, %[[HALVES]]#0
// CHECK:         %[[MORE:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %c15_i64
// CHECK:         %[[BEHIND:.*]] = arith.select %{{.*}}, %{{.*}}, %[[MORE]]#0
// CHECK:         scf.for %{{.*}} = %[[FIRST]] to %[[BEHIND]] step
// CHECK:           arith.cmpi ult
// CHECK:           scf.if
// CHECK:             arith.addf {{.*}} : vector<16xf32>
// CHECK:       func.func private @sorted(
// CHECK-SAME:    @sorted.impl, work = 50, cost
func.func private @sorted(%i: tensor<20001xi32>, %u: tensor<20001x16xf32>, %x: tensor<200x16xf32>) -> tensor<200x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<20001xi32>) updates(%u : tensor<20001x16xf32>) outs(%x : tensor<200x16xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 sorted {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<200x16xf32>
  return %0 : tensor<200x16xf32>
}

// -----

// Nobody updates an element twice: every index vector is an item.
// CHECK-LABEL: func.func private @unique.impl(
// CHECK-SAME:    %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK-NOT:     llvm.alloca
// CHECK:       func.func private @unique(
// CHECK-SAME:    work = {{[0-9]+}}, cost
func.func private @unique(%i: tensor<20001xi32>, %u: tensor<20001x16xf32>, %x: tensor<200x16xf32>) -> tensor<200x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<20001xi32>) updates(%u : tensor<20001x16xf32>) outs(%x : tensor<200x16xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 unique {
  ^bb0(%current: f32, %update: f32):
    xla_rt.yield %update : f32
  } -> tensor<200x16xf32>
  return %0 : tensor<200x16xf32>
}

// -----

// Rows of the array that are rows of the updates are items; windows are cut to what lies inside.
// CHECK-LABEL: func.func private @rows.impl(
// CHECK:         scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %c1_i64
// CHECK:           scf.for %{{.*}} = %c0_i64 to %c300_i64
// CHECK:             %[[LOW:.*]] = arith.maxsi %{{.*}}, %c-3_i64
// CHECK:             %[[START:.*]] = arith.minsi %[[LOW]], %c40_i64
// CHECK:             arith.subi %c0_i64, %[[START]]
// CHECK:             arith.subi %c40_i64, %[[START]]
// CHECK:       func.func private @rows(
// CHECK-SAME:    work = 99, cost
func.func private @rows(%i: tensor<300xi32>, %u: tensor<99x300x3xf32>, %x: tensor<99x40xf32>) -> tensor<99x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<300xi32>) updates(%u : tensor<99x300x3xf32>) outs(%x : tensor<99x40xf32>)
      starts = [-1, 0] steps = [0, 2] batch = [1] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<99x40xf32>
  return %0 : tensor<99x40xf32>
}

// -----

// Few places, each of a long row, whose parts are items.
// CHECK-LABEL: func.func private @wide(
// CHECK-SAME:    work = {{[0-9][0-9]+}}, cost
func.func private @wide(%i: tensor<4xi32>, %u: tensor<4x100000xf32>, %x: tensor<2x100000xf32>) -> tensor<2x100000xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<4xi32>) updates(%u : tensor<4x100000xf32>) outs(%x : tensor<2x100000xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<2x100000xf32>
  return %0 : tensor<2x100000xf32>
}

// -----

// A stream of updates from memory is left to one core.
// CHECK-LABEL: func.func private @stream(
// CHECK-NOT:     work =
// CHECK:         return
func.func private @stream(%i: tensor<200000xi32>, %u: tensor<200000x32xf32>, %x: tensor<5000x32xf32>) -> tensor<5000x32xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<200000xi32>) updates(%u : tensor<200000x32xf32>) outs(%x : tensor<5000x32xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<5000x32xf32>
  return %0 : tensor<5000x32xf32>
}
func.func @f() {
  return
}

// -----

// Rows of 256 bytes have owners all the same, who ask for the updates of what they noted, here 16 of their own ahead,
// or the last one.
// CHECK-LABEL: func.func private @asked.impl(
// CHECK:         %[[COUNT:.*]] = scf.for {{.*}} step %c16_i64 iter_args
// CHECK:         scf.for %[[NUMBER:.*]] = %{{.*}} to %[[COUNT]] step
// CHECK:           %[[LATER:.*]] = arith.addi %[[NUMBER]], %c16_i64
// CHECK:           arith.minsi %[[LATER]], %{{.*}}
// CHECK-COUNT-4:   llvm.intr.prefetch{{.*}}hint = 3
// CHECK-NOT:       llvm.intr.prefetch
// CHECK:           arith.addf {{.*}} : vector<16xf32>
// CHECK:       func.func private @asked(
// CHECK-SAME:    @asked.impl, work = 4, cost = {{[0-9]+}}, results = [updates 2]>
func.func private @asked(%i: tensor<200000xi32>, %u: tensor<200000x64xf32>, %x: tensor<5000x64xf32>) -> tensor<5000x64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<200000xi32>) updates(%u : tensor<200000x64xf32>) outs(%x : tensor<5000x64xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<5000x64xf32>
  return %0 : tensor<5000x64xf32>
}
func.func @f() {
  return
}

// -----

// Each batch has a part of its own, which begins as whoever updates it says: whole vectors, then what is left.
// CHECK-LABEL: func.func private @parts.impl(
// CHECK-DAG:     %[[INIT:.*]] = arith.constant -0.0{{.*}} : f32
// CHECK:         scf.for %[[PART:.*]] = %{{.*}} to %{{.*}} step %c1_i64
// CHECK:           %[[NEXT:.*]] = arith.addi %[[PART]], %c1_i64
// CHECK:           %[[FROM:.*]] = arith.muli %[[PART]], %c16080_i64
// CHECK:           %[[TO:.*]] = arith.muli %[[NEXT]], %c16080_i64
// CHECK:           %[[WHOLE:.*]] = arith.andi %{{.*}}, %c-16_i64
// CHECK:           %[[END:.*]] = arith.addi %[[FROM]], %[[WHOLE]]
// CHECK:           scf.for %{{.*}} = %[[FROM]] to %[[END]] step %c16_i64
// CHECK:             %[[VECTOR:.*]] = vector.broadcast %[[INIT]] : f32 to vector<16xf32>
// CHECK:             llvm.store %[[VECTOR]]
// CHECK:           scf.for %{{.*}} = %[[END]] to %[[TO]] step %c1_i64
// CHECK:             llvm.store %[[INIT]]
// CHECK:           scf.for %{{.*}} = %c0_i64 to %c50000_i64
// CHECK:             scf.if
// CHECK:       func.func private @parts(
// CHECK-SAME:    work = 4, cost = {{[0-9]+}}>, 
func.func private @parts(%i: tensor<4x50000xi32>, %u: tensor<4x50000x16xf32>) -> tensor<4x1005x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %x = tensor.empty() : tensor<4x1005x16xf32>
  %0 = xla_rt.scatter indices(%i : tensor<4x50000xi32>) updates(%u : tensor<4x50000x16xf32>)
      outs(%x : tensor<4x1005x16xf32>)
      starts = [-1, 0, -1] steps = [0, -1, 2] batch = [0, 1] vector = 2 init = -0.0 : f32 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<4x1005x16xf32>
  return %0 : tensor<4x1005x16xf32>
}

// -----

// Places that no pattern tells are asked for while others are updated, here 16 rows of 256 bytes ahead, and the last one
// where there are no more, unless the one before is the same. Updates that stream from memory are asked for as well.
// CHECK-LABEL: func.func private @ahead.impl(
// CHECK:         scf.for %[[K:.*]] = %c0_i64 to %c50000_i64
// CHECK:           %[[LATER:.*]] = arith.addi %[[K]], %c16_i64
// CHECK:           %[[BEFORE:.*]] = arith.addi %[[K]], %c15_i64
// CHECK:           arith.minsi %[[BEFORE]], %c49999_i64
// CHECK:           arith.minsi %[[LATER]], %c49999_i64
// CHECK:           %[[ELSEWHERE:.*]] = arith.cmpi ne
// CHECK:           scf.if %[[ELSEWHERE]]
// CHECK-COUNT-4:     llvm.intr.prefetch{{.*}}hint = 3
// CHECK-COUNT-4:     llvm.intr.prefetch{{.*}}hint = 3
// CHECK-NOT:       llvm.intr.prefetch
// CHECK:       func.func private @ahead(
func.func private @ahead(%i: tensor<4x50000xi32>, %u: tensor<4x50000x64xf32>, %x: tensor<4x5000x64xf32>) -> tensor<4x5000x64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<4x50000xi32>) updates(%u : tensor<4x50000x64xf32>)
      outs(%x : tensor<4x5000x64xf32>) starts = [-1, 0, -1] steps = [0, -1, 2] batch = [0, 1] vector = 2 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<4x5000x64xf32>
  return %0 : tensor<4x5000x64xf32>
}

// -----

// Not where all of them are in a cache anyway.
// CHECK-NOT: llvm.intr.prefetch
func.func private @small(%i: tensor<4x50000xi32>, %u: tensor<4x50000x64xf32>, %x: tensor<4x500x64xf32>) -> tensor<4x500x64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<4x50000xi32>) updates(%u : tensor<4x50000x64xf32>)
      outs(%x : tensor<4x500x64xf32>) starts = [-1, 0, -1] steps = [0, -1, 2] batch = [0, 1] vector = 2 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<4x500x64xf32>
  return %0 : tensor<4x500x64xf32>
}
