// RUN: xla-opt %s --split-input-file --xla-emit-kernels | FileCheck %s
// Kernels are walked as their plans say, not as the planner would.

// Three rows by two vectors of eight columns, with a copy of the code for the last of the ten rows.
// CHECK-LABEL: func.func private @product.impl
// CHECK: scf.for %{{.*}} = %c0_i64 to %c32_i64 step %c16_i64
// CHECK: scf.for %{{.*}} = %c0_i64 to %c9_i64 step %c3_i64
// CHECK: %{{.*}}:6 = scf.for
// CHECK-COUNT-6: math.fma {{.*}} : vector<8xf32>
// CHECK-NOT: math.fma
// CHECK: %{{.*}}:2 = scf.for
// CHECK-COUNT-2: math.fma {{.*}} : vector<8xf32>
func.func private @product(%x: tensor<10x8xf32>, %y: tensor<8x32xf32>) -> tensor<10x32xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>,
                xla_rt.plans = [#xla_rt.nest<10x32x8, lanes d1 8x2, jam d0 3, reduce d2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x32xf32>) -> tensor<10x32xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<10x8xf32>, tensor<8x32xf32>) outs(%f : tensor<10x32xf32>) -> tensor<10x32xf32>
  return %0 : tensor<10x32xf32>
}

// -----

// Without lanes, two columns at a time: scalars. Each row and each block of four columns is an item of work.
// CHECK-LABEL: func.func private @scalar.impl
// CHECK-NOT: vector<
// CHECK: %{{.*}}:2 = scf.for
// CHECK-COUNT-2: math.fma {{.*}} : f32
// CHECK-NOT: vector<
// CHECK: #xla_rt.implementation<@scalar.impl, work = 80
func.func private @scalar(%x: tensor<10x8xf32>, %y: tensor<8x32xf32>) -> tensor<10x32xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>,
                xla_rt.plans = [#xla_rt.nest<10x32x8, jam d1 2, work d0, reduce d2, cut d1 4>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x32xf32>) -> tensor<10x32xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<10x8xf32>, tensor<8x32xf32>) outs(%f : tensor<10x32xf32>) -> tensor<10x32xf32>
  return %0 : tensor<10x32xf32>
}

// -----

// The first reduced dimension inside the last one, which the planner would have inside.
// CHECK-LABEL: func.func private @sum.impl
// CHECK: scf.for %{{.*}} = %c0_i64 to %c7_i64
// CHECK: scf.for %{{.*}} = %c0_i64 to %c5_i64
func.func private @sum(%x: tensor<5x16x7xf32>) -> tensor<16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>,
                xla_rt.plans = [#xla_rt.nest<16x5x7, lanes d0 16x1, reduce d2, d1>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>],
                       iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<5x16x7xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %v = arith.addf %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Two rows at a time on top of the result in memory, which the planner does for tall reductions only. No register carries
// a running value from row to row, and the result is not in the memory of an argument, which is read after it is written.
// CHECK-LABEL: func.func private @memory.impl
// CHECK-NOT: iter_args
// CHECK: scf.for %{{.*}} = %c0_i64 to %c10_i64 step %c2_i64
// CHECK-NOT: iter_args
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK: llvm.store
// CHECK-NOT: iter_args
// CHECK: #xla_rt.implementation<@memory.impl, cost = {{[0-9]+}}>
func.func private @memory(%x: tensor<10x16xf32>, %y: tensor<16xf32>) -> tensor<16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>,
                xla_rt.plans = [#xla_rt.nest<16x10, lanes d0 4x1, jam d1 2, reduce d1, in_memory>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<10x16xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %v = arith.addf %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%s, %y : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// A transposition in squares of two, for which the planner takes four.
// CHECK-LABEL: func.func private @transpose.impl
// CHECK-COUNT-8: llvm.load {{.*}} -> vector<2xf32>
// CHECK-COUNT-2: vector.shuffle
// CHECK-NOT: vector.shuffle
func.func private @transpose(%x: tensor<32x8xf32>) -> tensor<8x32xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.plans = [#xla_rt.nest<8x32, lanes d1 16x1, jam d0 2, transpose 2>]} {
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<32x8xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// Or none: sixteen elements of a column at a time are gathered.
// CHECK-LABEL: func.func private @gathered.impl
// CHECK: llvm.intr.masked.gather
func.func private @gathered(%x: tensor<32x16xf32>) -> tensor<16x32xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<16x32, lanes d1 16x1, work d0>]} {
  %e = tensor.empty() : tensor<16x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<32x16xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// -----

// A sum that ends before groups of 64 steps of which x is zero in all rows and y finite: the last group first.
// CHECK-LABEL: func.func private @trimmed.impl
// CHECK: %[[END:.*]] = scf.while (%[[AT:.*]] = %c128_i64)
// CHECK: %[[LOW:.*]] = arith.subi %[[AT]], %c64_i64
// CHECK: arith.cmpi sge, %[[LOW]], %c0_i64
// CHECK: scf.for %{{.*}} = %c0_i64 to %c12_i64 step %c1_i64 iter_args(%{{.*}} = %cst{{.*}}) -> (vector<16xi32>)
// CHECK-COUNT-4: arith.ori
// CHECK: arith.cmpf ord
// CHECK: scf.condition
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[END]] step %c1_i64 iter_args
func.func private @trimmed(%x: tensor<12x128xf32>, %y: tensor<128x32xf32>) -> tensor<12x32xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x32x128, lanes d1 16x2, jam d0 6, reduce d2, trim>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x32xf32>) -> tensor<12x32xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x128xf32>, tensor<128x32xf32>) outs(%f : tensor<12x32xf32>) -> tensor<12x32xf32>
  return %0 : tensor<12x32xf32>
}

// -----

// A kernel without plans is planned where it is emitted.
// CHECK-LABEL: func.func private @unplanned.impl
// CHECK: llvm.load {{.*}} -> vector<16xf32>
func.func private @unplanned(%x: tensor<64xf32>) -> tensor<64xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
