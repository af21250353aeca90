// RUN: xla-opt %s --target=cuda --to=loops | FileCheck %s
// The first branch's result is in a place that only a loop in it has: it is not looked for in the others without end.

// CHECK-LABEL: func.func @main
// CHECK: scf.index_switch
// CHECK: scf.while
func.func @main(%arg0: tensor<i32>) -> (tensor<1x1xi32>, tensor<i32>, tensor<i32>) {
  %0 = xla.constant dense<0> : tensor<i32>
  %1 = xla.constant dense<0> : tensor<1x1xi32>
  %2 = xla.constant dense<0> : tensor<i32>
  %3:2 = xla.optimization_barrier %2, %0 : tensor<i32>, tensor<i32>
  %4 = xla.constant dense<0> : tensor<i32>
  %5:3 = xla.while(%iterArg = %4, %iterArg_0 = %2, %iterArg_1 = %3#1) : tensor<i32>, tensor<i32>, tensor<i32>
  cond {
    %7 = xla.constant dense<false> : tensor<i1>
    xla.return %7 : tensor<i1>
  } do {
    xla.return %iterArg, %0, %iterArg_1 : tensor<i32>, tensor<i32>, tensor<i32>
  }
  %6 = "xla.case"(%5#2) ({
    %7 = xla.constant dense<0> : tensor<i32>
    %8:4 = xla.while(%iterArg = %7, %iterArg_0 = %5#2, %iterArg_1 = %3#1, %iterArg_2 = %arg0) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
    cond {
      %9 = xla.constant dense<3> : tensor<i32>
      %10 = xla.compare  LT, %iterArg, %9 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %10 : tensor<i1>
    } do {
      %9:2 = xla.optimization_barrier %iterArg_1, %iterArg_0 : tensor<i32>, tensor<i32>
      %10 = xla.constant dense<1> : tensor<i32>
      %11 = xla.add %iterArg, %10 : tensor<i32>
      xla.return %11, %9#0, %9#0, %9#1 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
    }
    xla.return %8#3 : tensor<i32>
  }, {
    xla.return %5#2 : tensor<i32>
  }, {
    xla.return %3#1 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %1, %3#1, %6 : tensor<1x1xi32>, tensor<i32>, tensor<i32>
}
