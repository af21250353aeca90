// RUN: xla-opt %s --to=kernels --split-input-file | FileCheck %s

// What the second step reads at five places, six operations and five loads each, is in memory.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[FIRST:.*]] = call @elementwise_0(%arg0)
// CHECK-NEXT: %[[SECOND:.*]] = call @elementwise_0(%[[FIRST]])
// CHECK-NEXT: return %[[SECOND]]
// CHECK: func.func private @elementwise_0
// CHECK-SAME: xla_rt.plans = [#xla_rt.nest<200x300, lanes d1 16x1, work d0, partition>]
func.func @main(%x: tensor<200x300xf32>) -> tensor<200x300xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %p = xla.pad %x, %zero, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<200x300xf32>, tensor<f32>) -> tensor<202x302xf32>
  %a = xla.slice %p [0:200, 1:301] : (tensor<202x302xf32>) -> tensor<200x300xf32>
  %b = xla.slice %p [2:202, 1:301] : (tensor<202x302xf32>) -> tensor<200x300xf32>
  %c = xla.slice %p [1:201, 0:300] : (tensor<202x302xf32>) -> tensor<200x300xf32>
  %d = xla.slice %p [1:201, 2:302] : (tensor<202x302xf32>) -> tensor<200x300xf32>
  %ab = xla.add %a, %b : tensor<200x300xf32>
  %cd = xla.add %c, %d : tensor<200x300xf32>
  %n = xla.add %ab, %cd : tensor<200x300xf32>
  %y = xla.multiply %n, %x : tensor<200x300xf32>
  %q = xla.pad %y, %zero, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<200x300xf32>, tensor<f32>) -> tensor<202x302xf32>
  %e = xla.slice %q [0:200, 1:301] : (tensor<202x302xf32>) -> tensor<200x300xf32>
  %f = xla.slice %q [2:202, 1:301] : (tensor<202x302xf32>) -> tensor<200x300xf32>
  %g = xla.slice %q [1:201, 0:300] : (tensor<202x302xf32>) -> tensor<200x300xf32>
  %h = xla.slice %q [1:201, 2:302] : (tensor<202x302xf32>) -> tensor<200x300xf32>
  %ef = xla.add %e, %f : tensor<200x300xf32>
  %gh = xla.add %g, %h : tensor<200x300xf32>
  %m = xla.add %ef, %gh : tensor<200x300xf32>
  %z = xla.multiply %m, %y : tensor<200x300xf32>
  return %z : tensor<200x300xf32>
}

// -----

// A difference of differences is computed at one go: an operation more is less than a tensor in memory.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @elementwise_0(%arg0)
// CHECK-NEXT: return %[[R]]
func.func @main(%x: tensor<1002xf32>) -> tensor<1000xf32> {
  %a = xla.slice %x [1:1002] : (tensor<1002xf32>) -> tensor<1001xf32>
  %b = xla.slice %x [0:1001] : (tensor<1002xf32>) -> tensor<1001xf32>
  %y = xla.subtract %a, %b : tensor<1001xf32>
  %c = xla.slice %y [1:1001] : (tensor<1001xf32>) -> tensor<1000xf32>
  %d = xla.slice %y [0:1000] : (tensor<1001xf32>) -> tensor<1000xf32>
  %z = xla.subtract %c, %d : tensor<1000xf32>
  return %z : tensor<1000xf32>
}
