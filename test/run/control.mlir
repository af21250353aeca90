// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

// 1 + 2 + ... + n
func.func private @sum_to(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<i32>, tensor<i32>
    cond {
      %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %added = stablehlo.add %sum, %next : tensor<i32>
      stablehlo.return %next, %added : tensor<i32>, tensor<i32>
    }
  return %0#1 : tensor<i32>
}

// Fibonacci numbers by swapping two buffers.
func.func private @fibonacci(%n: tensor<i32>) -> tensor<2xi64> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a0 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %b0 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %0:3 = "stablehlo.while"(%zero, %a0, %b0) ({
  ^bb0(%i: tensor<i32>, %a: tensor<2xi64>, %b: tensor<2xi64>):
    %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<2xi64>, %b: tensor<2xi64>):
    %next = stablehlo.add %i, %one : tensor<i32>
    %sum = stablehlo.add %a, %b : tensor<2xi64>
    stablehlo.return %next, %b, %sum : tensor<i32>, tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>, tensor<2xi64>, tensor<2xi64>) -> (tensor<i32>, tensor<2xi64>, tensor<2xi64>)
  return %0#1 : tensor<2xi64>
}

func.func private @absolute(%x: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %negative = stablehlo.compare LT, %x, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = "stablehlo.if"(%negative) ({
    %1 = stablehlo.negate %x : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}

// An index out of range chooses the last branch.
func.func private @choose(%index: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%index) ({
    %1 = stablehlo.constant dense<100> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    %1 = stablehlo.constant dense<200> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    %1 = stablehlo.add %index, %index : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// Steps that are products, which a GPU takes all at once: the first eigenvector of a matrix of ones.
func.func private @power_iteration() -> tensor<100xf32> {
  %one = xla.constant dense<1.0> : tensor<f32>
  %ones = xla.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<100x100xf32>
  %a = xla.optimization_barrier %ones : tensor<100x100xf32>
  %v = xla.iota dim = 0 : tensor<100xf32>
  %i = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%n = %i, %x = %v) : tensor<i32>, tensor<100xf32>
  cond {
    %last = xla.constant dense<5> : tensor<i32>
    %more = xla.compare LT, %n, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  } do {
    %step = xla.constant dense<1> : tensor<i32>
    %next = xla.add %n, %step : tensor<i32>
    %y = xla.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100xf32>) -> tensor<100xf32>
    %zero = xla.constant dense<0.0> : tensor<f32>
    %squares = xla.multiply %y, %y : tensor<100xf32>
    %sum = xla.reduce(%squares init: %zero) applies xla.add across dimensions = [0] : (tensor<100xf32>, tensor<f32>) -> tensor<f32>
    %norm = xla.sqrt %sum : tensor<f32>
    %norms = xla.broadcast_in_dim %norm, dims = [] : (tensor<f32>) -> tensor<100xf32>
    %z = xla.divide %y, %norms : tensor<100xf32>
    xla.return %next, %z : tensor<i32>, tensor<100xf32>
  }
  return %r#1 : tensor<100xf32>
}

func.func @main() {
  %ten0 = stablehlo.constant dense<10> : tensor<i32>
  %minus0 = stablehlo.constant dense<-4> : tensor<i32>
  %one0 = stablehlo.constant dense<1> : tensor<i32>
  %ten, %minus, %one = stablehlo.optimization_barrier %ten0, %minus0, %one0 : tensor<i32>, tensor<i32>, tensor<i32>

  %sum = call @sum_to(%ten) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %sum, dense<55> : tensor<i32>
  // The condition is false at once.
  %none = call @sum_to(%minus) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %none, dense<0> : tensor<i32>
  %fibonacci = call @fibonacci(%ten) : (tensor<i32>) -> tensor<2xi64>
  check.expect_eq_const %fibonacci, dense<[55, 123]> : tensor<2xi64>

  %four = call @absolute(%minus) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %four, dense<4> : tensor<i32>
  %same = call @absolute(%ten) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %same, dense<10> : tensor<i32>

  %second = call @choose(%one) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %second, dense<200> : tensor<i32>
  %last = call @choose(%ten) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %last, dense<20> : tensor<i32>
  %also_last = call @choose(%minus) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %also_last, dense<-8> : tensor<i32>

  %pair = stablehlo.tuple %ten, %minus : tuple<tensor<i32>, tensor<i32>>
  %element = stablehlo.get_tuple_element %pair[1] : (tuple<tensor<i32>, tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %element, dense<-4> : tensor<i32>

  // Checks hold in loops, every time they come by, and in the branch that is taken.
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %count = stablehlo.while(%i = %zero) : tensor<i32> cond {
    %more = stablehlo.compare LT, %i, %ten, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %clamped = stablehlo.clamp %one, %next, %ten : tensor<i32>
    check.expect_eq %next, %clamped : tensor<i32>
    %at_end = stablehlo.compare EQ, %next, %ten, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %same_next = "stablehlo.if"(%at_end) ({
      check.expect_eq_const %next, dense<10> : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }, {
      stablehlo.return %next : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %same_next : tensor<i32>
  }
  check.expect_eq_const %count, dense<10> : tensor<i32>
  %vector = func.call @power_iteration() : () -> tensor<100xf32>
  %tenth = stablehlo.constant dense<0.1> : tensor<100xf32>
  check.expect_close %vector, %tenth, max_ulp_difference = 20 : tensor<100xf32>, tensor<100xf32>
  return
}
