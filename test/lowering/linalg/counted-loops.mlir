// RUN: xla-opt %s --xla-legalize-to-linalg=device | FileCheck %s
// RUN: xla-opt %s --xla-legalize-to-linalg | FileCheck %s --check-prefix=HOST

// A GPU is not asked whether a loop goes on if its iterations can be counted; the counter is what the body makes of it.

// CHECK-LABEL: @counted
// CHECK:         %[[R:.*]]:2 = scf.for %{{.*}} = %c0 to %c5 step %c1 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<i32>, tensor<4xf32>)
// CHECK:           scf.yield %{{.*}}, %{{.*}} : tensor<i32>, tensor<4xf32>
// CHECK:         return %[[R]]#1, %[[R]]#0
// HOST-LABEL: @counted
// HOST:         scf.while
func.func @counted(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %begin = xla.constant dense<3> : tensor<i32>
  %r:2 = xla.while(%i = %begin, %v = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %end = xla.constant dense<13> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %step = xla.constant dense<2> : tensor<i32>
    %next = xla.add %i, %step : tensor<i32>
    %w = xla.add %v, %v : tensor<4xf32>
    xla.return %next, %w : tensor<i32>, tensor<4xf32>
  }
  return %r#1, %r#0 : tensor<4xf32>, tensor<i32>
}

// The end is not known.
// CHECK-LABEL: @asked
// CHECK:         scf.while
func.func @asked(%end: tensor<i32>) -> tensor<i32> {
  %begin = xla.constant dense<3> : tensor<i32>
  %r = xla.while(%i = %begin) : tensor<i32>
  cond {
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %step = xla.constant dense<2> : tensor<i32>
    %next = xla.add %i, %step : tensor<i32>
    xla.return %next : tensor<i32>
  }
  return %r : tensor<i32>
}

// The counter is gone where only the end of the loop depended on it, and what else nothing reads.
// CHECK-LABEL: @unread
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>
// CHECK:         %[[R:.*]] = scf.for %{{.*}} = %c0 to %c9 step %c1 iter_args(%[[V:.*]] = %[[X]]) -> (tensor<4xf32>)
// CHECK:           linalg.generic
// CHECK-NOT:       linalg.generic
// CHECK:           scf.yield %{{.*}} : tensor<4xf32>
// CHECK:         return %[[R]]
func.func @unread(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %begin = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%i = %begin, %u = %y, %v = %x) : tensor<i32>, tensor<2xf32>, tensor<4xf32>
  cond {
    %end = xla.constant dense<9> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %step = xla.constant dense<1> : tensor<i32>
    %next = xla.add %i, %step : tensor<i32>
    %t = xla.negate %u : tensor<2xf32>
    %w = xla.add %v, %v : tensor<4xf32>
    xla.return %next, %t, %w : tensor<i32>, tensor<2xf32>, tensor<4xf32>
  }
  return %r#2 : tensor<4xf32>
}

// What is computed by way of another value, or does something, stays.
// CHECK-LABEL: @read_by_another
// CHECK:         scf.for {{.*}} -> (tensor<i32>, tensor<i32>)
// CHECK-LABEL: @with_effects
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<i32>)
// CHECK:           xla.custom_call
func.func @read_by_another(%x: tensor<i32>) -> tensor<i32> {
  %begin = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %begin, %v = %x) : tensor<i32>, tensor<i32>
  cond {
    %end = xla.constant dense<9> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %step = xla.constant dense<1> : tensor<i32>
    %next = xla.add %i, %step : tensor<i32>
    %w = xla.multiply %v, %i : tensor<i32>
    xla.return %next, %w : tensor<i32>, tensor<i32>
  }
  return %r#1 : tensor<i32>
}

func.func @with_effects() {
  %begin = xla.constant dense<0> : tensor<i32>
  %r = xla.while(%i = %begin) : tensor<i32>
  cond {
    %end = xla.constant dense<9> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %step = xla.constant dense<1> : tensor<i32>
    xla.custom_call @show(%i) {has_side_effect = true} : (tensor<i32>) -> ()
    %next = xla.add %i, %step : tensor<i32>
    xla.return %next : tensor<i32>
  }
  return
}

// However much that is.
// CHECK-LABEL: @much_unread
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>
// CHECK:         %[[R:.*]] = scf.for %{{.*}} = %c0 to %c9 step %c1 iter_args(%[[V:.*]] = %[[X]]) -> (tensor<4xf32>)
// CHECK-NEXT:      scf.yield %[[V]]
// CHECK:         return %[[R]]
func.func @much_unread(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %begin = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%i = %begin, %u = %y, %v = %x) : tensor<i32>, tensor<2xf32>, tensor<4xf32>
  cond {
    %end = xla.constant dense<9> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %next = xla.add %i, %one : tensor<i32>
    %0 = xla.sine %u : tensor<2xf32>
    %1 = xla.cosine %0 : tensor<2xf32>
    %2 = xla.multiply %1, %u : tensor<2xf32>
    %3 = xla.add %2, %0 : tensor<2xf32>
    %4 = xla.negate %3 : tensor<2xf32>
    %5 = xla.exponential %4 : tensor<2xf32>
    xla.return %next, %5, %v : tensor<i32>, tensor<2xf32>, tensor<4xf32>
  }
  return %r#2 : tensor<4xf32>
}
