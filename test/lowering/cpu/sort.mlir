// RUN: xla-opt --from=linalg --to=kernels %s | FileCheck %s --check-prefix=KERNELS
// RUN: xla-opt --from=linalg --to=loops %s | FileCheck %s

// A sort by a comparator is a kernel by itself: a merge sort of each column, with the comparator inlined. There is no call
// of a function that compares.

// KERNELS-LABEL: func.func private @sort_
// KERNELS-SAME:    xla_rt.kernel = #xla_rt.kernel<sort>
// KERNELS:         xla_rt.sort ins(%arg0 : tensor<20x8xi16>)

// Columns: where they begin, and the copy into scratch memory.
// CHECK-LABEL: func.func private @sort_{{[0-9]+}}.impl
// CHECK:         arith.remsi
// CHECK:         scf.for
// CHECK:           llvm.load {{.*}} -> i16
// CHECK:           llvm.store
// Runs by insertion.
// CHECK:         scf.while
// CHECK:           arith.subi
// CHECK:           arith.cmpi slt
// CHECK:           scf.condition
// Merges: two passes double runs of 8 until they hold 20 elements; the elements decide no branch.
// CHECK:         scf.for {{.*}} iter_args
// CHECK-NOT:       scf.if
// CHECK:           scf.for {{.*}} iter_args
// CHECK:             arith.subi
// CHECK:             arith.select
// CHECK-NOT:     func.call
// CHECK-NOT:     llvm.call
// CHECK:         return
func.func @main(%x: tensor<20x8xi16>) -> tensor<20x8xi16> {
  %zero = arith.constant 0 : i16
  %e = tensor.empty() : tensor<20x8xi16>
  %0 = xla_rt.sort ins(%x : tensor<20x8xi16>) outs(%e : tensor<20x8xi16>) dimension = 0 {
  ^bb0(%a: i16, %b: i16):
    %difference = arith.subi %a, %b : i16
    %before = arith.cmpi slt, %difference, %zero : i16
    xla_rt.yield %before : i1
  } -> tensor<20x8xi16>
  return %0 : tensor<20x8xi16>
}
