// RUN: xla-opt %s --target=cuda --to=loops --split-input-file | FileCheck %s
// A loop of small kernels is one kernel, whose threads do what the kernels' threads did. Each of a team reads of a row
// what it has written itself.

// CHECK-LABEL: func.func @main
// CHECK:         gpu.launch_func @kernels::@loop blocks in (%[[ONE:.*]], %[[ONE]], %[[ONE]]) threads in (%[[T:.*]], %[[ONE]], %[[ONE]]) args(
// CHECK-NOT:     gpu.launch_func
// CHECK:       gpu.func @loop({{.*}}) kernel attributes {known_block_size = array<i32: 32, 1, 1>, nvvm.minctasm = 1 : i32}
// CHECK:         %[[THREAD:.*]] = gpu.thread_id x
// CHECK:         scf.while
// CHECK:         } do {
// CHECK:           arith.addi %{{.*}}, %[[THREAD]]
// CHECK:           scf.if
// CHECK:             func.call @{{[a-z]+}}_0.impl
// CHECK-NOT:       gpu.barrier
// CHECK:           scf.yield
// CHECK-NOT:   xla_rt_cuda_repeat
func.func @main(%x: tensor<401xf32>) -> tensor<401xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<401xf32>
  cond {
    %end = xla.constant dense<20> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %none = xla.constant dense<0.0> : tensor<f32>
    %s = xla.reduce(%v init: %none) applies xla.add across dimensions = [0] : (tensor<401xf32>, tensor<f32>) -> tensor<f32>
    %b = xla.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<401xf32>
    %w = xla.multiply %v, %b : tensor<401xf32>
    xla.return %j, %w : tensor<i32>, tensor<401xf32>
  }
  return %r#1 : tensor<401xf32>
}

// -----

// Read backwards, it is another thread's.
// CHECK-LABEL: func.func @main
// CHECK:       gpu.func @loop({{.*}}) kernel attributes {known_block_size = array<i32: 32, 1, 1>
// CHECK:             func.call @rows_0.impl
// CHECK:           gpu.barrier
// CHECK:           scf.yield
func.func @main(%x: tensor<401xf32>) -> tensor<401xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<401xf32>
  cond {
    %end = xla.constant dense<20> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %none = xla.constant dense<0.0> : tensor<f32>
    %s = xla.reduce(%v init: %none) applies xla.add across dimensions = [0] : (tensor<401xf32>, tensor<f32>) -> tensor<f32>
    %b = xla.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<401xf32>
    %c = xla.reverse %v, dims = [0] : tensor<401xf32>
    %w = xla.multiply %c, %b : tensor<401xf32>
    xla.return %j, %w : tensor<i32>, tensor<401xf32>
  }
  return %r#1 : tensor<401xf32>
}

// -----

// Buffers change places: the host follows, without launches.
// CHECK-LABEL: func.func @main
// CHECK:         gpu.launch_func @kernels::@loop
// CHECK:         %[[R:.*]]:{{[0-9]}} = scf.while
// CHECK-NOT:       func.call @reverse
// CHECK-NOT:       launch_func
// CHECK:         call @xla_rt_cuda_copy(%{{.*}}, %[[R]]#1,
// CHECK:       gpu.func @loop(
// CHECK:           func.call @elementwise_0.impl
// CHECK:           gpu.barrier
// CHECK:           scf.yield
func.func @main(%x: tensor<50xf32>) -> tensor<50xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<50xf32>
  cond {
    %end = xla.constant dense<20> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %b = xla.reverse %v, dims = [0] : tensor<50xf32>
    %c = xla.add %b, %v : tensor<50xf32>
    xla.return %j, %c : tensor<i32>, tensor<50xf32>
  }
  return %r#1 : tensor<50xf32>
}

// -----

// One block would be slow here.
// CHECK-LABEL: func.func @main
// CHECK:         scf.while
// CHECK:           func.call @elementwise_0.impl
// CHECK-NOT:   @loop
func.func @main(%x: tensor<500000xf32>) -> tensor<500000xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<500000xf32>
  cond {
    %end = xla.constant dense<20> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %o = xla.optimization_barrier %v : tensor<500000xf32>
    %c = xla.add %o, %o : tensor<500000xf32>
    xla.return %j, %c : tensor<i32>, tensor<500000xf32>
  }
  return %r#1 : tensor<500000xf32>
}

// -----

// A loop that may not end has a launch for many iterations, so that it can be interrupted. The first predicate is
// computed before.
// CHECK-LABEL: func.func @main
// CHECK:         call @[[BEFORE:elementwise_[0-9]]].impl(%{{[^,]*}}, %{{[^,]*}}, %[[P:[^,]*]],
// CHECK:         call @xla_rt_cuda_begin_loop
// CHECK-NEXT:    scf.while
// CHECK-NEXT:      func.call @xla_rt_cuda_repeat(%[[P]])
// CHECK:         } do {
// CHECK-NEXT:      gpu.launch_func @kernels::@loop blocks in (%[[ONE:.*]], %[[ONE]], %[[ONE]]) threads in (%{{.*}}, %[[ONE]], %[[ONE]]) args(
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    }
// CHECK:       gpu.func @loop({{.*}}) kernel attributes {known_block_size = array<i32: 1, 1, 1>, nvvm.minctasm = 1 : i32}
// CHECK:         %[[MOST:.*]] = arith.constant 4096 : i64
// CHECK:         scf.while (%[[N:.*]] =
// CHECK:           func.call @elementwise_{{[0-9]}}.impl
// CHECK:           func.call @[[BEFORE]].impl
// CHECK:           %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-NEXT:      arith.trunci %[[BYTE]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[N]], %
// CHECK-NEXT:      %[[MORE:.*]] = arith.cmpi ult, %[[NEXT]], %[[MOST]]
// CHECK-NEXT:      %[[BOTH:.*]] = arith.andi %{{.*}}, %[[MORE]]
// CHECK-NEXT:      scf.condition(%[[BOTH]]) %[[NEXT]]
func.func @main(%x: tensor<f32>, %limit: tensor<f32>) -> tensor<f32> {
  %r = xla.while(%v = %x) : tensor<f32>
  cond {
    %p = xla.compare GT, %v, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %w = xla.multiply %v, %v : tensor<f32>
    xla.return %w : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// Threads meet before they read it. Before a kernel overwrites it, they do so in the next round, as others read what
// that computes.
// CHECK-LABEL: func.func @main
// CHECK:       gpu.func @loop
// CHECK:         func.call @{{.*}}.impl
// CHECK:         gpu.barrier
// CHECK:         func.call @reduction_0.impl
// CHECK:         gpu.barrier
// CHECK-NEXT:    llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.condition
func.func @main(%x: tensor<50xf32>, %limit: tensor<f32>) -> tensor<50xf32> {
  %r = xla.while(%v = %x) : tensor<50xf32>
  cond {
    %none = xla.constant dense<0.0> : tensor<f32>
    %s = xla.reduce(%v init: %none) applies xla.add across dimensions = [0] : (tensor<50xf32>, tensor<f32>) -> tensor<f32>
    %p = xla.compare GT, %s, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %b = xla.reverse %v, dims = [0] : tensor<50xf32>
    %c = xla.multiply %b, %v : tensor<50xf32>
    xla.return %c : tensor<50xf32>
  }
  return %r : tensor<50xf32>
}

// -----

// What the first thread alone does waits for nobody if that alone has been before: the number of the next iteration is
// behind the one that begins with it. All meet before all threads go on, and before the first does.
// CHECK-LABEL: func.func @main
// CHECK:       gpu.func @loop
// CHECK:         scf.while
// CHECK:         } do {
// CHECK:           func.call @[[FIRST:elementwise_[0-9]+]].impl
// CHECK-NOT:       gpu.barrier
// CHECK:           func.call @{{elementwise_[0-9]+}}.impl
// CHECK:           gpu.barrier
// CHECK:           func.call @{{elementwise_[0-9]+}}.impl
// CHECK:           gpu.barrier
// CHECK-NOT:       gpu.barrier
// CHECK:           scf.yield
func.func @main(%x: tensor<70xf32>, %y: tensor<f32>) -> (tensor<70xf32>, tensor<f32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%i = %zero, %v = %x, %s = %y) : tensor<i32>, tensor<70xf32>, tensor<f32>
  cond {
    %end = xla.constant dense<20> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %c = xla.cosine %s : tensor<f32>
    %o = xla.optimization_barrier %c : tensor<f32>
    %t = xla.sine %o : tensor<f32>
    %q = xla.optimization_barrier %t : tensor<f32>
    %b = xla.broadcast_in_dim %q, dims = [] : (tensor<f32>) -> tensor<70xf32>
    %w = xla.multiply %v, %b : tensor<70xf32>
    xla.return %j, %w, %q : tensor<i32>, tensor<70xf32>, tensor<f32>
  }
  return %r#1, %r#2 : tensor<70xf32>, tensor<f32>
}

// -----

// Threads go on with what they have written themselves: they do not meet, neither between kernels nor iterations.
// CHECK-LABEL: func.func @main
// CHECK:       gpu.func @loop
// CHECK:         scf.while
// CHECK-NOT:     gpu.barrier
// CHECK:           func.call @elementwise_0.impl(%[[A:.*]], %[[A]],
// CHECK-NOT:     gpu.barrier
// CHECK:           func.call @elementwise_1.impl(%[[A]], %[[A]],
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @main(%x: tensor<72xf32>) -> tensor<72xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<72xf32>
  cond {
    %end = xla.constant dense<20> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %a = xla.multiply %v, %v : tensor<72xf32>
    %b = xla.optimization_barrier %a : tensor<72xf32>
    %c = xla.cosine %b : tensor<72xf32>
    xla.return %j, %c : tensor<i32>, tensor<72xf32>
  }
  return %r#1 : tensor<72xf32>
}

// -----

// All read which branch is to be taken, so they meet before and behind that; the branches' elements are their threads'.
// CHECK-LABEL: func.func @main
// CHECK:       gpu.func @loop
// CHECK:         scf.while
// CHECK:           gpu.barrier
// CHECK-NEXT:      llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-NOT:       gpu.barrier
// CHECK:           func.call @elementwise_{{[0-9]}}.impl
// CHECK-NOT:       gpu.barrier
// CHECK:           func.call @elementwise_{{[0-9]}}.impl
// CHECK-NOT:       gpu.barrier
// CHECK:           arith.addi
// CHECK:           gpu.barrier
// CHECK-NEXT:      scf.yield
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @main(%x: tensor<72xf32>) -> tensor<72xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<72xf32>
  cond {
    %end = xla.constant dense<20> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %few = xla.constant dense<7> : tensor<i32>
    %is = xla.compare LT, %i, %few : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %u = "xla.if"(%is) ({
      %a = xla.multiply %v, %v : tensor<72xf32>
      xla.return %a : tensor<72xf32>
    }, {
      %b = xla.cosine %v : tensor<72xf32>
      xla.return %b : tensor<72xf32>
    }) : (tensor<i1>) -> tensor<72xf32>
    xla.return %j, %u : tensor<i32>, tensor<72xf32>
  }
  return %r#1 : tensor<72xf32>
}

// -----

// Arrays that take turns are not where the counter is: threads meet once for each iteration.
// CHECK-LABEL: func.func @main
// CHECK:       gpu.func @loop
// CHECK:         scf.while
// CHECK:           func.call @elementwise_{{[0-9]}}.impl
// CHECK-NOT:       gpu.barrier
// CHECK:           func.call @elementwise_{{[0-9]}}.impl
// CHECK:           gpu.barrier
// CHECK-NEXT:      scf.yield
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @main(%x: tensor<70xf32>) -> (tensor<70xf32>, tensor<i32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<70xf32>
  cond {
    %end = xla.constant dense<12> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %w = xla.optimization_barrier %v : tensor<70xf32>
    %u = xla.reverse %w, dims = [0] : tensor<70xf32>
    xla.return %j, %u : tensor<i32>, tensor<70xf32>
  }
  return %r#1, %r#0 : tensor<70xf32>, tensor<i32>
}

// -----

// Parts of a concatenation have places of their own: threads do not meet between two of them.
// CHECK-LABEL: func.func @main
// CHECK:       gpu.func @loop
// CHECK:         scf.while
// CHECK:           func.call @update_0.impl
// CHECK-NOT:       gpu.barrier
// CHECK:           func.call @update_1.impl
// CHECK:           gpu.barrier
// CHECK:           func.call @elementwise_2.impl
// CHECK:           gpu.barrier
// CHECK-NEXT:      scf.yield
func.func @main(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4x16xf32>
  cond {
    %end = xla.constant dense<12> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %a = xla.slice %v [0:4, 8:16] : (tensor<4x16xf32>) -> tensor<4x8xf32>
    %b = xla.slice %v [0:4, 0:8] : (tensor<4x16xf32>) -> tensor<4x8xf32>
    %c = xla.cosine %a : tensor<4x8xf32>
    %d = xla.exponential %b : tensor<4x8xf32>
    %u = xla.concatenate %c, %d, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
    %o = xla.optimization_barrier %u : tensor<4x16xf32>
    %w = xla.reverse %o, dims = [0] : tensor<4x16xf32>
    xla.return %j, %w : tensor<i32>, tensor<4x16xf32>
  }
  return %r#1 : tensor<4x16xf32>
}

// -----

// An iteration begins with what threads have written themselves or wait for anyway: they do not meet before it.
// CHECK-LABEL: func.func @main
// CHECK:       gpu.func @loop
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.while
// CHECK:           func.call @[[FIRST:elementwise_[0-9]]].impl
// CHECK:           gpu.barrier
// CHECK:           func.call @{{.*}}.impl
// CHECK:           gpu.barrier
// CHECK:           func.call @{{.*}}.impl
// CHECK-NOT:       gpu.barrier
// CHECK:         gpu.return
func.func @main(%x: tensor<70xf32>) -> tensor<70xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<70xf32>
  cond {
    %end = xla.constant dense<12> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %o = xla.optimization_barrier %v : tensor<70xf32>
    %a = xla.multiply %o, %o : tensor<70xf32>
    %b = xla.optimization_barrier %a : tensor<70xf32>
    %s = xla.slice %b [40:70] : (tensor<70xf32>) -> tensor<30xf32>
    %c = xla.cosine %s : tensor<30xf32>
    %u = xla.dynamic_update_slice %b, %c, %zero : (tensor<70xf32>, tensor<30xf32>, tensor<i32>) -> tensor<70xf32>
    xla.return %j, %u : tensor<i32>, tensor<70xf32>
  }
  return %r#1 : tensor<70xf32>
}

// -----

// What the first thread writes, the result, is no argument that all read: such could only be in its memory if it were
// of its type.
// CHECK-LABEL: func.func @main
// CHECK:       gpu.func @loop
// CHECK-COUNT-2: func.call @elementwise_{{[0-9]}}.impl
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @main(%x: tensor<70xf32>, %y: tensor<70xf32>) -> (tensor<70xf32>, tensor<f32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %r:3 = xla.while(%i = %zero, %v = %x, %s = %one) : tensor<i32>, tensor<70xf32>, tensor<f32>
  cond {
    %end = xla.constant dense<12> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %next = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %next : tensor<i32>
    %o = xla.optimization_barrier %s : tensor<f32>
    %t = xla.cosine %o : tensor<f32>
    %u = xla.optimization_barrier %v : tensor<70xf32>
    %w = xla.multiply %u, %y : tensor<70xf32>
    xla.return %j, %w, %t : tensor<i32>, tensor<70xf32>, tensor<f32>
  }
  return %r#1, %r#2 : tensor<70xf32>, tensor<f32>
}
