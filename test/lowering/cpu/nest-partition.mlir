// RUN: xla-opt %s --xla-emit-kernels --split-input-file | FileCheck %s

// A roll of rows of 100: of the seven steps, those from the second to the sixth read their neighbours without masks.
// Only the edges compare, and what they read is read there.
// CHECK-LABEL: func.func private @roll.impl
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %c96_i64 step %c16_i64
// CHECK: %[[FROM:.*]] = arith.subi %[[I]], %c1_i64
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[FROM]], %c84_i64
// CHECK-NOT: masked.load
// CHECK: scf.if %[[INSIDE]] {
// CHECK-NOT: mask
// CHECK: %[[AT:.*]] = llvm.getelementptr %{{.*}}[-1]
// CHECK-NEXT: %[[BEFORE:.*]] = llvm.load %[[AT]] {{.*}} -> vector<16xf32>
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %{{.*}}, %[[BEFORE]]
// CHECK-NEXT: llvm.store %[[SUM]]
// CHECK-NEXT: } else {
// CHECK-COUNT-2: llvm.intr.masked.load
// CHECK: llvm.store {{.*}} !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: } {xla_rt.nonempty}
#row = affine_map<(d0) -> (d0)>
func.func private @roll(%x: tensor<100xf32>) -> tensor<100xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<100, lanes d0 16x1, partition>]} {
  %e = tensor.empty() : tensor<100xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<100xf32>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %c1 = arith.constant 1 : index
    %c99 = arith.constant 99 : index
    %is_first = arith.cmpi slt, %i, %c1 : index
    %b = scf.if %is_first -> f32 {
      %at = arith.addi %i, %c99 : index
      %last = tensor.extract %x[%at] : tensor<100xf32>
      scf.yield %last : f32
    } else {
      %at = arith.subi %i, %c1 : index
      %before = tensor.extract %x[%at] : tensor<100xf32>
      scf.yield %before : f32
    }
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<100xf32>
  return %0 : tensor<100xf32>
}

// -----

// Windows of three with padding: in the interior, none of the three is outside. Rows count, too.
// CHECK-LABEL: func.func private @window.impl
// CHECK: %[[ROW:.*]] = arith.cmpi ult, %{{.*}}, %c38_i64
// CHECK: %[[COLUMN:.*]] = arith.cmpi ult, %{{.*}}, %c83_i64
// CHECK: %[[INSIDE:.*]] = arith.andi %[[ROW]], %[[COLUMN]]
// CHECK: scf.if %[[INSIDE]] {
// CHECK-NOT: mask
// CHECK: } else {
// CHECK: masked.load
#s = affine_map<(i, j, k, l) -> (i + k, j + l)>
#k = affine_map<(i, j, k, l) -> (k, l)>
#o = affine_map<(i, j, k, l) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
func.func private @window(%x: tensor<40x100xf32>) -> tensor<40x100xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>,
                xla_rt.plans = [#xla_rt.nest<40x100x3x3, lanes d1 16x1, work d0, reduce d2, d3, partition>]} {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %c100 = arith.constant 100 : index
  %p = tensor.empty() : tensor<42x102xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %padded = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%p : tensor<42x102xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %r = arith.subi %i, %c1 : index
    %c = arith.subi %j, %c1 : index
    %is_row = arith.cmpi ult, %r, %c40 : index
    %is_column = arith.cmpi ult, %c, %c100 : index
    %is_inside = arith.andi %is_row, %is_column : i1
    %v = scf.if %is_inside -> f32 {
      %e = tensor.extract %x[%r, %c] : tensor<40x100xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<42x102xf32>
  %e = tensor.empty() : tensor<40x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x100xf32>) -> tensor<40x100xf32>
  %0 = linalg.generic {indexing_maps = [#s, #k, #o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %w : tensor<42x102xf32>, tensor<3x3xf32>) outs(%f : tensor<40x100xf32>) {
  ^bb0(%a: f32, %unused: f32, %sum: f32):
    %t = arith.maximumf %sum, %a : f32
    linalg.yield %t : f32
  } -> tensor<40x100xf32>
  return %0 : tensor<40x100xf32>
}

// -----

// Where rows alone have edges, the interior has the last, partial step along the lanes, too.
// CHECK-LABEL: func.func private @rows.impl
// CHECK: %[[INSIDE:.*]] = llvm.intr.get.active.lane.mask
// CHECK: scf.if %{{.*}} {
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[INSIDE]]
// CHECK: } else {
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[INSIDE]]
#whole = affine_map<(d0, d1) -> (d0, d1)>
func.func private @rows(%x: tensor<40x104xf32>) -> tensor<40x104xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<40x104, lanes d1 16x1, work d0, masked, partition>]} {
  %e = tensor.empty() : tensor<40x104xf32>
  %0 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<40x104xf32>) outs(%e : tensor<40x104xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %c1 = arith.constant 1 : index
    %is_first = arith.cmpi slt, %i, %c1 : index
    %s = arith.addf %a, %a : f32
    %m = arith.mulf %a, %a : f32
    %v = arith.select %is_first, %s, %m : f32
    linalg.yield %v : f32
  } -> tensor<40x104xf32>
  return %0 : tensor<40x104xf32>
}

// -----

// What is left of a guard where columns are inside, and the guard that it is alone, are the same lanes: the ones that a
// branch has made are not those that the rows have.
// CHECK-LABEL: func.func private @both_guards.impl
// CHECK: %[[ROW:.*]] = vector.broadcast %{{.*}} : i1 to vector<16xi1>
// CHECK: scf.if
// CHECK: %[[LEFT:.*]] = vector.broadcast %{{.*}} : i1 to vector<16xi1>
// CHECK: llvm.intr.masked.load %{{.*}}, %[[LEFT]]
#whole = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func private @both_guards(%x: tensor<50x100xf32>, %y: tensor<50x100xf32>) -> tensor<5x8x100xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<5x8x100, lanes d2 16x1, work d0, d1, partition>]} {
  %e = tensor.empty() : tensor<5x8x100xf32>
  %0 = linalg.generic {indexing_maps = [#whole], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<5x8x100xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %c30 = arith.constant 30 : index
    %c100 = arith.constant 100 : index
    %zero = arith.constant 0.0 : f32
    %i9 = arith.muli %i, %c9 : index
    %row = arith.addi %i9, %j : index
    %before = arith.subi %k, %c1 : index
    %is_row = arith.cmpi slt, %row, %c30 : index
    %is_column = arith.cmpi ult, %before, %c100 : index
    %is_both = arith.andi %is_row, %is_column : i1
    %u = scf.if %is_both -> f32 {
      %a = tensor.extract %x[%row, %before] : tensor<50x100xf32>
      %s = arith.addf %a, %a : f32
      scf.yield %s : f32
    } else {
      scf.yield %zero : f32
    }
    %v = scf.if %is_row -> f32 {
      %a = tensor.extract %y[%row, %k] : tensor<50x100xf32>
      scf.yield %a : f32
    } else {
      scf.yield %zero : f32
    }
    %w = arith.mulf %u, %v : f32
    linalg.yield %w : f32
  } -> tensor<5x8x100xf32>
  return %0 : tensor<5x8x100xf32>
}

// -----

// A condition that no iteration changes: the branch that it makes of each step is foreseen, and where it does not hold,
// nothing is divided. What both cases read is in both.
// CHECK-LABEL: func.func private @cases.impl
// CHECK: %[[FLAG:.*]] = llvm.load %arg0
// CHECK: %[[HOLDS:.*]] = arith.cmpi sgt, %[[FLAG]]
// CHECK: scf.for
// CHECK-NEXT: scf.if %[[HOLDS]] {
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK: arith.divf
// CHECK-NOT: select
// CHECK: llvm.store {{.*}} !llvm.ptr
// CHECK-NEXT: } else {
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT: divf
// CHECK-NOT: select
// CHECK: llvm.store {{.*}} !llvm.ptr
// CHECK-NEXT: }
#row = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>
func.func private @cases(%f: tensor<i32>, %x: tensor<96xf32>) -> tensor<96xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<96, lanes d0 16x1, partition>]} {
  %e = tensor.empty() : tensor<96xf32>
  %0 = linalg.generic {indexing_maps = [#one, #row, #row], iterator_types = ["parallel"]}
      ins(%f, %x : tensor<i32>, tensor<96xf32>) outs(%e : tensor<96xf32>) {
  ^bb0(%flag: i32, %a: f32, %out: f32):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1.0 : f32
    %holds = arith.cmpi sgt, %flag, %zero : i32
    %q = arith.divf %one, %a : f32
    %s = arith.select %holds, %q, %a : f32
    linalg.yield %s : f32
  } -> tensor<96xf32>
  return %0 : tensor<96xf32>
}
