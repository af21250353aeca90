// RUN: xla-opt %s --xla-share-kernels --split-input-file | FileCheck %s
// RUN: xla-opt %s --xla-share-kernels=constants=true --split-input-file | FileCheck %s --check-prefix=CONSTANTS

// Kernels that differ in names and locations only are one, also for calls inside of loops.
// CHECK-LABEL: func.func @main
// CHECK: call @elementwise_0(%arg0)
// CHECK: call @elementwise_0(
// CHECK: scf.if
// CHECK: call @elementwise_0(
// CHECK: call @elementwise_3(
// CHECK: func.func private @elementwise_0
// CHECK-NOT: @elementwise_1
// CHECK-NOT: @elementwise_2
// CHECK: func.func private @elementwise_3
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xf32>, %p: i1) -> tensor<8xf32> {
  %0 = call @elementwise_0(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @elementwise_1(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = scf.if %p -> tensor<8xf32> {
    %a = func.call @elementwise_2(%1) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %a : tensor<8xf32>
  } else {
    %b = func.call @elementwise_3(%1) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %2 : tensor<8xf32>
}
func.func private @elementwise_0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %in : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @elementwise_1(%y: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y0 = arith.addf %in, %in : f32
    linalg.yield %y0 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @elementwise_2(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %in : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
// Flags of an operation are a difference.
func.func private @elementwise_3(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %in fastmath<reassoc> : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Constants, operands, and what is said of a kernel are differences.
// CHECK-LABEL: func.func @main
// CHECK: call @a
// CHECK: call @constant
// CHECK: call @operand
// CHECK: call @plan
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = call @a(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = call @constant(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %2 = call @operand(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %3 = call @plan(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
func.func private @a(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %c = arith.constant dense<1.0> : tensor<f32>
  %r = arith.addf %x, %c : tensor<f32>
  return %r : tensor<f32>
}
func.func private @constant(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %c = arith.constant dense<2.0> : tensor<f32>
  %r = arith.addf %x, %c : tensor<f32>
  return %r : tensor<f32>
}
func.func private @operand(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %c = arith.constant dense<1.0> : tensor<f32>
  %r = arith.addf %y, %c : tensor<f32>
  return %r : tensor<f32>
}
func.func private @plan(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {xla_rt.kernel = #xla_rt.kernel<reduction>} {
  %c = arith.constant dense<1.0> : tensor<f32>
  %r = arith.addf %x, %c : tensor<f32>
  return %r : tensor<f32>
}

// -----

// With `constants`, those that take long to compile are one if they differ in offsets; what always agrees is one argument, and what
// is the same for all stays a constant.
// CONSTANTS-LABEL: func.func @main
// CONSTANTS-DAG: %[[C0:.*]] = arith.constant 0 : index
// CONSTANTS-DAG: %[[C3:.*]] = arith.constant 3 : index
// CONSTANTS: call @contraction_0(%arg0, %arg1, %[[C0]], %[[C3]])
// CONSTANTS-DAG: %[[C2:.*]] = arith.constant 2 : index
// CONSTANTS-DAG: %[[C5:.*]] = arith.constant 5 : index
// CONSTANTS: call @contraction_0(%arg0, %{{.*}}, %[[C2]], %[[C5]])
// CONSTANTS: func.func private @contraction_0(%{{.*}}: tensor<4x8x8xf32>, %{{.*}}: tensor<8x8xf32>, %[[A:.*]]: index, %[[B:.*]]: index)
// CONSTANTS: tensor.extract_slice %{{.*}}[%[[A]], 0, 0]
// CONSTANTS: %[[ONE:.*]] = arith.constant 1 : index
// CONSTANTS: arith.addi %{{.*}}, %[[ONE]]
// CONSTANTS: arith.subi %{{.*}}, %[[B]]
// CONSTANTS: tensor.insert_slice %{{.*}} into %{{.*}}[%[[A]], 0]
// CONSTANTS-NOT: @contraction_1
// CONSTANTS: func.func private @elementwise_2
// CONSTANTS: func.func private @elementwise_3
// CHECK-LABEL: func.func @main
// CHECK: func.func private @contraction_1
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
#two = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%w: tensor<4x8x8xf32>, %x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = call @contraction_0(%w, %x) : (tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = call @contraction_1(%w, %0) : (tensor<4x8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = call @elementwise_2(%1) : (tensor<8x8xf32>) -> tensor<4xf32>
  %3 = call @elementwise_3(%1) : (tensor<8x8xf32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<8x8xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @contraction_0(%w: tensor<4x8x8xf32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<contraction>} {
  %s = tensor.extract_slice %w[0, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<4x8x8xf32> to tensor<8x8xf32>
  %e = tensor.empty() : tensor<6x8xf32>
  %rows = linalg.generic {indexing_maps = [#two], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<6x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %i1 = arith.addi %i, %c1 : index
    %j3 = arith.subi %j, %c3 : index
    %c8 = arith.constant 8 : index
    %p = arith.cmpi ult, %j3, %c8 : index
    %zero = arith.constant 0.0 : f32
    %v = scf.if %p -> (f32) {
      %l = tensor.extract %x[%i1, %j3] : tensor<8x8xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<6x8xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows, %s : tensor<6x8xf32>, tensor<8x8xf32>) outs(%f : tensor<6x8xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %n = arith.addf %out, %m : f32
    linalg.yield %n : f32
  } -> tensor<6x8xf32>
  %u = tensor.insert_slice %r into %x[0, 0] [6, 8] [1, 1] : tensor<6x8xf32> into tensor<8x8xf32>
  return %u : tensor<8x8xf32>
}
func.func private @contraction_1(%w: tensor<4x8x8xf32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<contraction>} {
  %s = tensor.extract_slice %w[2, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<4x8x8xf32> to tensor<8x8xf32>
  %e = tensor.empty() : tensor<6x8xf32>
  %rows = linalg.generic {indexing_maps = [#two], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<6x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c1 = arith.constant 1 : index
    %i1 = arith.addi %i, %c1 : index
    %c5 = arith.constant 5 : index
    %j5 = arith.subi %j, %c5 : index
    %c8 = arith.constant 8 : index
    %p = arith.cmpi ult, %j5, %c8 : index
    %zero = arith.constant 0.0 : f32
    %v = scf.if %p -> (f32) {
      %l = tensor.extract %x[%i1, %j5] : tensor<8x8xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<6x8xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows, %s : tensor<6x8xf32>, tensor<8x8xf32>) outs(%f : tensor<6x8xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %n = arith.addf %out, %m : f32
    linalg.yield %n : f32
  } -> tensor<6x8xf32>
  %u = tensor.insert_slice %r into %x[2, 0] [6, 8] [1, 1] : tensor<6x8xf32> into tensor<8x8xf32>
  return %u : tensor<8x8xf32>
}
// Short kernels keep their constants.
func.func private @elementwise_2(%x: tensor<8x8xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %s = tensor.extract_slice %x[0, 0] [1, 4] [1, 1] : tensor<8x8xf32> to tensor<4xf32>
  return %s : tensor<4xf32>
}
func.func private @elementwise_3(%x: tensor<8x8xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %s = tensor.extract_slice %x[1, 4] [1, 4] [1, 1] : tensor<8x8xf32> to tensor<4xf32>
  return %s : tensor<4xf32>
}
