// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processors with vectors of 256 and 128 bits get the same loops with narrower vectors, none of them scalar.

// RUN: xla-opt %s --xla-to-loops="vector-bits=256" | FileCheck %s --check-prefixes=ALL,AVX -DS=8 -DD=4
// RUN: xla-opt %s --xla-to-loops="vector-bits=128" | FileCheck %s --check-prefixes=ALL,SSE -DS=4 -DD=2

func.func @main(%a: tensor<200x300xf32>, %b: tensor<300x128xf32>, %c: tensor<200x128xf64>)
    -> (tensor<200x128xf32>, tensor<200xf32>, tensor<128xf32>, tensor<128x200xf64>, tensor<200x128xf64>) {
  // Sixteen registers: three rows of four vectors, an operand and a broadcast.
  // ALL-LABEL: func private @contraction_0.impl
  // ALL: scf.for {{.*}} iter_args
  // ALL-COUNT-12: math.fma {{.*}} : vector<[[S]]xf32>
  // ALL-NOT: math.fma
  // ALL-COUNT-12: llvm.store {{.*}} : vector<[[S]]xf32>
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<200x300xf32>, tensor<300x128xf32>) -> tensor<200x128xf32>

  // ALL-LABEL: func private @reduction_1.impl
  // ALL: llvm.load {{.*}} -> vector<[[S]]xf32>
  // ALL: arith.addf {{.*}} : vector<[[S]]xf32>
  // ALL: vector.reduction <add>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %1 = xla.reduce(%a init: %zero) applies xla.add across dimensions = [1] : (tensor<200x300xf32>, tensor<f32>) -> tensor<200xf32>

  // ALL-LABEL: func private @reduction_2.impl
  // ALL-COUNT-4: arith.maximumf {{.*}} : vector<[[S]]xf32>
  %2 = xla.reduce(%b init: %zero) applies xla.maximum across dimensions = [0] : (tensor<300x128xf32>, tensor<f32>) -> tensor<128xf32>

  // ALL-LABEL: func private @elementwise_3.impl
  // AVX: vector.shuffle {{.*}} [0, 4, 2, 6] : vector<4xf64>
  // SSE: vector.shuffle {{.*}} [0, 2] : vector<2xf64>
  // ALL-COUNT-2: llvm.store {{.*}} : vector<[[D]]xf64>
  %3 = xla.transpose %c, dims = [1, 0] : (tensor<200x128xf64>) -> tensor<128x200xf64>

  // ALL-LABEL: func private @elementwise_4.impl
  // ALL: llvm.load {{.*}} -> vector<[[D]]xf64>
  // ALL: math.fma {{.*}} : vector<[[D]]xf64>
  // ALL-NOT: math.fma {{.*}} : f64
  // ALL: llvm.store {{.*}} : vector<[[D]]xf64>
  %4 = xla.tanh %c : tensor<200x128xf64>
  return %0, %1, %2, %3, %4 : tensor<200x128xf32>, tensor<200xf32>, tensor<128xf32>, tensor<128x200xf64>, tensor<200x128xf64>
}
