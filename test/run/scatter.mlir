// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

func.func @main() {
  %x0 = stablehlo.constant dense<0.0> : tensor<5xf32>
  %i0 = stablehlo.constant dense<[[1], [3], [1]]> : tensor<3x1xi32>
  %u0 = stablehlo.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %x, %i, %u = stablehlo.optimization_barrier %x0, %i0, %u0 : tensor<5xf32>, tensor<3x1xi32>, tensor<3xf32>
  // x.at[i].add(u)
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<5xf32>
  check.expect_eq_const %0, dense<[0.0, 40.0, 0.0, 20.0, 0.0]> : tensor<5xf32>
  // What was scattered into is as it was: the scatter above works on a copy.
  check.expect_eq_const %x, dense<0.0> : tensor<5xf32>

  // Windows of two rows and three columns, of which only a part lies inside: each element counts by itself.
  %y0 = stablehlo.constant dense<1> : tensor<3x4xi32>
  %j0 = stablehlo.constant dense<[[-1, 0], [2, 2], [7, 0]]> : tensor<3x2xi32>
  %v0 = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]], [[10, 20, 30], [40, 50, 60]], [[7, 7, 7], [7, 7, 7]]]> : tensor<3x2x3xi32>
  %y, %j, %v = stablehlo.optimization_barrier %y0, %j0, %v0 : tensor<3x4xi32>, tensor<3x2xi32>, tensor<3x2x3xi32>
  %1 = "stablehlo.scatter"(%y, %j, %v) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.subtract %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<3x4xi32>, tensor<3x2xi32>, tensor<3x2x3xi32>) -> tensor<3x4xi32>
  check.expect_eq_const %1, dense<[[-3, -4, -5, 1], [1, 1, 1, 1], [1, 1, -9, -19]]> : tensor<3x4xi32>

  // The place of the largest element of each group, with its value: two arrays and a condition.
  %k0 = stablehlo.constant dense<[0, 1, 0, 1, 5]> : tensor<5xi32>
  %w0 = stablehlo.constant dense<[2.0, 9.0, 7.0, 3.0, 8.0]> : tensor<5xf32>
  %k, %w = stablehlo.optimization_barrier %k0, %w0 : tensor<5xi32>, tensor<5xf32>
  %best = stablehlo.constant dense<0xFF800000> : tensor<2xf32>
  %at = stablehlo.constant dense<-1> : tensor<2xi32>
  %places = stablehlo.iota dim = 0 : tensor<5xi32>
  %2:2 = "stablehlo.scatter"(%best, %at, %k, %w, %places) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %ia: tensor<i32>, %b: tensor<f32>, %ib: tensor<i32>):
    %greater = stablehlo.compare GT, %b, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %m = stablehlo.select %greater, %b, %a : tensor<i1>, tensor<f32>
    %im = stablehlo.select %greater, %ib, %ia : tensor<i1>, tensor<i32>
    stablehlo.return %m, %im : tensor<f32>, tensor<i32>
  }) : (tensor<2xf32>, tensor<2xi32>, tensor<5xi32>, tensor<5xf32>, tensor<5xi32>) -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_eq_const %2#0, dense<[7.0, 9.0]> : tensor<2xf32>
  check.expect_eq_const %2#1, dense<[2, 1]> : tensor<2xi32>

  // One element at a time, of which the first and the last one lie outside.
  %first = stablehlo.constant dense<-1> : tensor<i32>
  %tens = stablehlo.constant dense<10> : tensor<4xi32>
  %3:2 = stablehlo.while(%n = %first, %t = %tens) : tensor<i32>, tensor<4xi32>
  cond {
    %last = stablehlo.constant dense<4> : tensor<i32>
    %more = stablehlo.compare LE, %n, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %n, %one : tensor<i32>
    %index = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %less = "stablehlo.scatter"(%t, %index, %next) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.subtract %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    stablehlo.return %next, %less : tensor<i32>, tensor<4xi32>
  }
  check.expect_eq_const %3#1, dense<[9, 8, 7, 6]> : tensor<4xi32>

  // The constant of the computation is that of the cumulative conjunction before it, too.
  %bits0 = stablehlo.constant dense<[7, 6, 14, 8]> : tensor<4xi32>
  %bits = stablehlo.optimization_barrier %bits0 : tensor<4xi32>
  %ones = stablehlo.constant dense<-1> : tensor<i32>
  %common = "stablehlo.reduce_window"(%bits, %ones) <{window_dimensions = array<i64: 4>, padding = dense<[[3, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %both = stablehlo.and %a, %b : tensor<i32>
    stablehlo.return %both : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %common, dense<[7, 6, 6, 0]> : tensor<4xi32>
  %4 = "stablehlo.scatter"(%bits, %k, %places) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %not = stablehlo.not %b : tensor<i32>
    %rest = stablehlo.and %a, %not : tensor<i32>
    stablehlo.return %rest : tensor<i32>
  }) : (tensor<4xi32>, tensor<5xi32>, tensor<5xi32>) -> tensor<4xi32>
  check.expect_eq_const %4, dense<[5, 4, 14, 8]> : tensor<4xi32>
  return
}
