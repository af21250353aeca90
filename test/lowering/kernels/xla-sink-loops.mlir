// RUN: xla-opt %s --xla-sink-loops=device=true --split-input-file | FileCheck %s
// Loops of elementwise operations are loops for each element, with what they hand on in registers.

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
#scalar = affine_map<() -> ()>

// A counter that is read is each element's own.
// CHECK-LABEL: func.func @counted(
// CHECK-SAME:    %[[X:.*]]: tensor<100xf32>
// CHECK-NOT:     scf.for
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<100xf32>)
// CHECK:         ^bb0(%[[A:.*]]: f32, %{{.*}}: f32):
// CHECK-DAG:       %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG:       %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:           %[[L:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[I:.*]] = %[[ZERO]], %[[V:.*]] = %[[A]]) -> (i32, f32)
// CHECK:             %[[NEXT:.*]] = arith.addi %[[I]], %[[ONE]]
// CHECK:             %[[F:.*]] = arith.sitofp %[[I]]
// CHECK:             %[[S:.*]] = arith.addf %[[V]], %[[F]]
// CHECK:             scf.yield %[[NEXT]], %[[S]]
// CHECK:           linalg.yield %[[L]]#1
// CHECK:         return %[[R]]
func.func @counted(%x: tensor<100xf32>) -> tensor<100xf32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c300 = arith.constant 300 : index
  %0:2 = scf.for %n = %c0 to %c300 step %c1 iter_args(%i = %zero, %v = %x) -> (tensor<i32>, tensor<100xf32>) {
    %one = arith.constant dense<1> : tensor<i32>
    %e = tensor.empty() : tensor<i32>
    %j = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []}
        ins(%i, %one : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
    ^bb0(%a: i32, %b: i32, %out: i32):
      %s = arith.addi %a, %b : i32
      linalg.yield %s : i32
    } -> tensor<i32>
    %f = tensor.empty() : tensor<100xf32>
    %w = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]}
        ins(%v, %i : tensor<100xf32>, tensor<i32>) outs(%f : tensor<100xf32>) {
    ^bb0(%a: f32, %b: i32, %out: f32):
      %c = arith.sitofp %b : i32 to f32
      %s = arith.addf %a, %c : f32
      linalg.yield %s : f32
    } -> tensor<100xf32>
    scf.yield %j, %w : tensor<i32>, tensor<100xf32>
  }
  return %0#1 : tensor<100xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// Each shape has an operation of its own. What comes from outside is read wherever it was, and what is made of it and
// of indices alone is computed before.
// CHECK: #[[ID2:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @shapes(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x100xf32>, %[[Y:[^:]*]]: tensor<7xf32>, %[[B:[^:]*]]: tensor<100xf32>
// CHECK:         %[[P:.*]] = linalg.generic {indexing_maps = [#[[ID2]], #[[ROW]], #[[ID2]]]{{.*}} ins(%[[X]], %[[B]] :
// CHECK:         ^bb0(%{{.*}}: f32, %[[BIAS:.*]]: f32, %{{.*}}: f32):
// CHECK:           linalg.index 0
// CHECK:           %[[K:.*]] = arith.sitofp
// CHECK:           %[[SHIFT:.*]] = arith.mulf %[[BIAS]], %[[K]]
// CHECK:           scf.for
// CHECK-NEXT:        arith.subf %{{.*}}, %[[SHIFT]]
// CHECK-NEXT:        scf.yield
// CHECK:         %[[Q:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<7xf32>)
// CHECK:           scf.for
// CHECK-NEXT:        arith.mulf
// CHECK-NEXT:        scf.yield
// CHECK:         return %[[P]], %[[Q]]
func.func @shapes(%x: tensor<4x100xf32>, %y: tensor<7xf32>, %b: tensor<100xf32>) -> (tensor<4x100xf32>, tensor<7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c300 = arith.constant 300 : index
  %0:2 = scf.for %n = %c0 to %c300 step %c1 iter_args(%v = %x, %u = %y) -> (tensor<4x100xf32>, tensor<7xf32>) {
    %e = tensor.empty() : tensor<4x100xf32>
    %w = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%v, %b : tensor<4x100xf32>, tensor<100xf32>) outs(%e : tensor<4x100xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %k = arith.sitofp %j : i32 to f32
      %s = arith.mulf %q, %k : f32
      %t = arith.subf %p, %s : f32
      linalg.yield %t : f32
    } -> tensor<4x100xf32>
    %f = tensor.empty() : tensor<7xf32>
    %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%u, %u : tensor<7xf32>, tensor<7xf32>) outs(%f : tensor<7xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %s = arith.mulf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<7xf32>
    scf.yield %w, %z : tensor<4x100xf32>, tensor<7xf32>
  }
  return %0#0, %0#1 : tensor<4x100xf32>, tensor<7xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Loops in loops, and constants of complex numbers.
// CHECK-LABEL: func.func @nested(
// CHECK-NOT:     scf.for
// CHECK:         linalg.generic
// CHECK:           complex.constant
// CHECK:           scf.for {{.*}} -> (complex<f32>)
// CHECK:             scf.for {{.*}} -> (complex<f32>)
// CHECK-NEXT:          complex.mul
// CHECK-NEXT:          scf.yield
// CHECK:         return
func.func @nested(%x: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %c40 = arith.constant 40 : index
  %0 = scf.for %n = %c0 to %c30 step %c1 iter_args(%v = %x) -> (tensor<9xcomplex<f32>>) {
    %1 = scf.for %m = %c0 to %c40 step %c1 iter_args(%w = %v) -> (tensor<9xcomplex<f32>>) {
      %unit = arith.constant dense<(0.0, 1.0)> : tensor<9xcomplex<f32>>
      %e = tensor.empty() : tensor<9xcomplex<f32>>
      %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
          ins(%w, %unit : tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) outs(%e : tensor<9xcomplex<f32>>) {
      ^bb0(%p: complex<f32>, %q: complex<f32>, %out: complex<f32>):
        %s = complex.mul %p, %q : complex<f32>
        linalg.yield %s : complex<f32>
      } -> tensor<9xcomplex<f32>>
      scf.yield %2 : tensor<9xcomplex<f32>>
    }
    scf.yield %1 : tensor<9xcomplex<f32>>
  }
  return %0 : tensor<9xcomplex<f32>>
}

// -----

#id = affine_map<(d0) -> (d0)>

// What is read at places that are data is written out.
// CHECK-LABEL: func.func @search(
// CHECK-SAME:    %{{.*}}: tensor<10xi32>, %[[TABLE:.*]]: tensor<50xi32>
// CHECK-NOT:     scf.for
// CHECK:         linalg.generic
// CHECK-COUNT-3:   tensor.extract %[[TABLE]]
// CHECK-NOT:       tensor.extract
// CHECK:         return
func.func @search(%x: tensor<10xi32>, %table: tensor<50xi32>) -> tensor<10xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %n = %c0 to %c3 step %c1 iter_args(%v = %x) -> (tensor<10xi32>) {
    %e = tensor.empty() : tensor<10xi32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%v : tensor<10xi32>) outs(%e : tensor<10xi32>) {
    ^bb0(%p: i32, %out: i32):
      %i = arith.index_cast %p : i32 to index
      %s = tensor.extract %table[%i] : tensor<50xi32>
      linalg.yield %s : i32
    } -> tensor<10xi32>
    scf.yield %1 : tensor<10xi32>
  }
  return %0 : tensor<10xi32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
#back = affine_map<(d0) -> (-d0 + 9)>

// Elements at other places, and at places of what the loop computes; marked; too much work for one kernel; too many
// iterations to write out.
// CHECK-LABEL: func.func @loops(
// CHECK-COUNT-5: scf.for
// CHECK:         return
func.func @loops(%x: tensor<10xi32>) -> (tensor<10xi32>, tensor<10xi32>, tensor<10xi32>, tensor<10xi32>, tensor<10xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %many = arith.constant 1000000000 : index
  %0 = scf.for %n = %c0 to %c9 step %c1 iter_args(%v = %x) -> (tensor<10xi32>) {
    %e = tensor.empty() : tensor<10xi32>
    %1 = linalg.generic {indexing_maps = [#id, #back, #id], iterator_types = ["parallel"]}
        ins(%v, %v : tensor<10xi32>, tensor<10xi32>) outs(%e : tensor<10xi32>) {
    ^bb0(%p: i32, %q: i32, %out: i32):
      %s = arith.addi %p, %q : i32
      linalg.yield %s : i32
    } -> tensor<10xi32>
    scf.yield %1 : tensor<10xi32>
  }
  %2 = scf.for %n = %c0 to %c9 step %c1 iter_args(%v = %x) -> (tensor<10xi32>) {
    %e = tensor.empty() : tensor<10xi32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%v : tensor<10xi32>) outs(%e : tensor<10xi32>) {
    ^bb0(%p: i32, %out: i32):
      %i = arith.index_cast %p : i32 to index
      %s = tensor.extract %v[%i] : tensor<10xi32>
      linalg.yield %s : i32
    } -> tensor<10xi32>
    scf.yield %1 : tensor<10xi32>
  }
  %3 = scf.for %n = %c0 to %c9 step %c1 iter_args(%v = %x) -> (tensor<10xi32>) {
    %e = tensor.empty() : tensor<10xi32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%v : tensor<10xi32>) outs(%e : tensor<10xi32>) {
    ^bb0(%p: i32, %out: i32):
      %s = arith.addi %p, %p : i32
      linalg.yield %s : i32
    } -> tensor<10xi32>
    scf.yield %1 : tensor<10xi32>
  } {xla_rt.launched}
  %4 = scf.for %n = %c0 to %many step %c1 iter_args(%v = %x) -> (tensor<10xi32>) {
    %e = tensor.empty() : tensor<10xi32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%v : tensor<10xi32>) outs(%e : tensor<10xi32>) {
    ^bb0(%p: i32, %out: i32):
      %s = arith.addi %p, %p : i32
      linalg.yield %s : i32
    } -> tensor<10xi32>
    scf.yield %1 : tensor<10xi32>
  }
  %5 = scf.for %n = %c0 to %many step %c1 iter_args(%v = %x) -> (tensor<10xi32>) {
    %e = tensor.empty() : tensor<10xi32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%v : tensor<10xi32>) outs(%e : tensor<10xi32>) {
    ^bb0(%p: i32, %out: i32):
      %i = arith.index_cast %p : i32 to index
      %s = tensor.extract %x[%i] : tensor<10xi32>
      linalg.yield %s : i32
    } -> tensor<10xi32>
    scf.yield %1 : tensor<10xi32>
  }
  return %0, %2, %3, %4, %5 : tensor<10xi32>, tensor<10xi32>, tensor<10xi32>, tensor<10xi32>, tensor<10xi32>
}
