// RUN: xla-opt %s --xla-plan-threads | FileCheck %s
// RUN: xla-opt %s --xla-plan-threads --xla-emit-kernels=device | FileCheck %s --check-prefix=CODE
// How threads share scatters.

// Nobody else updates what a thread does: four neighbours at once.
// CHECK: @each{{.*}} xla_rt.plans = [#xla_rt.updates<each 4>]
// CODE-LABEL: func.func private @each.impl(
// CODE:         llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CODE:         llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>
// CODE:       @each.impl, work = 210,
func.func private @each(%i: tensor<70xi32>, %u: tensor<70x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 unique {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// Sums of integers are the same in any order.
// CHECK: @atomic{{.*}} xla_rt.plans = [#xla_rt.updates<atomic 1>]
// CODE-LABEL: func.func private @atomic.impl(
// CODE:         llvm.atomicrmw add {{.*}} syncscope("device") monotonic
// CODE:       @atomic.impl, work = 840,
func.func private @atomic(%i: tensor<70xi32>, %u: tensor<70x12xi32>, %x: tensor<50x12xi32>) -> tensor<50x12xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xi32>) outs(%x : tensor<50x12xi32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: i32, %update: i32):
    %sum = arith.addi %current, %update : i32
    xla_rt.yield %sum : i32
  } -> tensor<50x12xi32>
  return %0 : tensor<50x12xi32>
}

// Sums of floats are not: a block has a place of 50, or more, and finds what is added there.
// CHECK: @owners{{.*}} xla_rt.plans = [#xla_rt.updates<owners 1056>]
// CODE-LABEL: func.func private @owners.impl(
// CODE:         nvvm.vote.sync ballot
// CODE:         gpu.barrier
// CODE:         gpu.barrier
// CODE:       @owners.impl, work = 50, {{.*}}team = 256
func.func private @owners(%i: tensor<70xi32>, %u: tensor<70x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// Few elements: each block has a table of them.
// CHECK: @tables{{.*}} xla_rt.plans = [#xla_rt.updates<tables 24>]
// CODE-LABEL: func.func private @tables.impl(
// CODE:         gpu.barrier
// CODE:         llvm.atomicrmw add {{.*}} syncscope("device") monotonic : !llvm.ptr<3>, i32
// CODE:         gpu.barrier
// CODE:         llvm.atomicrmw add {{.*}} syncscope("device") monotonic : !llvm.ptr, i32
// CODE:       @tables.impl, work = 24, {{.*}}team = 256
func.func private @tables(%i: tensor<100000xi32>, %u: tensor<100000xi32>, %x: tensor<50xi32>) -> tensor<50xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<100000xi32>) updates(%u : tensor<100000xi32>) outs(%x : tensor<50xi32>)
      starts = [0] steps = [-1] batch = [0] vector = 1 {
  ^bb0(%current: i32, %update: i32):
    %sum = arith.addi %current, %update : i32
    xla_rt.yield %sum : i32
  } -> tensor<50xi32>
  return %0 : tensor<50xi32>
}

// Ordered index vectors: who has the first of a place goes on until there is another place.
// CHECK: @ordered{{.*}} xla_rt.plans = [#xla_rt.updates<each 4>]
// CODE-LABEL: func.func private @ordered.impl(
// CODE:         scf.if
// CODE:           scf.while
// CODE-COUNT-8:     arith.select {{.*}} : vector<4xf32>
// CODE:             scf.condition
// CODE:           llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>
// CODE:       @ordered.impl, work = 938, {{.*}}team = 64
func.func private @ordered(%i: tensor<20000xi32>, %u: tensor<20000x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<20000xi32>) updates(%u : tensor<20000x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 ordered = 15 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// Or, if what is there does not count, the last one of a place alone.
// CHECK: @ordered_last{{.*}} xla_rt.plans = [#xla_rt.updates<each 1>]
// CODE-LABEL: func.func private @ordered_last.impl(
// CODE-NOT:     scf.while
// CODE:       @ordered_last.impl, work = 313, {{.*}}team = 64
func.func private @ordered_last(%i: tensor<20000xi64>, %u: tensor<20000xf32>, %x: tensor<50xf32>) -> tensor<50xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<20000xi64>) updates(%u : tensor<20000xf32>) outs(%x : tensor<50xf32>)
      starts = [0] steps = [-1] batch = [0] vector = 1 ordered = 15 {
  ^bb0(%current: f32, %update: f32):
    xla_rt.yield %update : f32
  } -> tensor<50xf32>
  return %0 : tensor<50xf32>
}

// Index vectors that were dealt to owners: a block takes its own of 256 tiles and sorts them by place, 2048 at a time; then
// a thread has all updates of a place.
// CHECK: @dealt{{.*}} xla_rt.plans = [#xla_rt.updates<dealt 4>]
// CODE-LABEL: func.func private @dealt.impl(
// CODE:         scf.for
// CODE:           scf.while
// CODE:             %[[TAKEN:.*]] = func.call @xla_rt_gpu_take_owned_4({{.*}}) : {{.*}} -> i64
// CODE:             arith.andi %[[TAKEN]], %c4294967295_i64
// CODE:             scf.for
// CODE:               scf.for
// CODE-COUNT-8:         arith.select {{.*}} : vector<4xf32>
// CODE:               llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>
// CODE:             arith.shrui %[[TAKEN]], %c32_i64
// CODE:             scf.condition
// CODE:       @dealt.impl, work = 255, {{.*}}team = 256
func.func private @dealt(%i: tensor<22560xi32>, %u: tensor<20000x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<22560xi32>) updates(%u : tensor<20000x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 dealt {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// Or, if what is there does not count, makes the last one alone.
// CHECK: @dealt_last{{.*}} xla_rt.plans = [#xla_rt.updates<dealt 1>]
// CODE-LABEL: func.func private @dealt_last.impl(
// CODE-NOT:     arith.select
// CODE:       @dealt_last.impl, work = 255, {{.*}}team = 256
func.func private @dealt_last(%i: tensor<22560xi32>, %u: tensor<20000xf32>, %x: tensor<50xf32>) -> tensor<50xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  %0 = xla_rt.scatter indices(%i : tensor<22560xi32>) updates(%u : tensor<20000xf32>) outs(%x : tensor<50xf32>)
      starts = [0] steps = [-1] batch = [0] vector = 1 dealt {
  ^bb0(%current: f32, %update: f32):
    xla_rt.yield %update : f32
  } -> tensor<50xf32>
  return %0 : tensor<50xf32>
}
