// RUN: xla-opt %s --to=kernels | sed 's/lanes d1 16x1, jam d0 15, reduce d2/lanes d1 4x2, jam d0 5, reduce d2/' > %t.mlir
// RUN: FileCheck %s --check-prefix=EDITED < %t.mlir
// RUN: xla-opt %t.mlir --from=kernels --to=loops | FileCheck %s --check-prefix=LOOPS
// RUN: xla-test-execute %t.mlir --from=kernels > %t.edited
// RUN: xla-opt %t.mlir --xla-plan-kernels | FileCheck %s --check-prefix=EDITED
// RUN: xla-test-execute %s > %t.given
// RUN: diff %t.edited %t.given
// RUN: sed 's/4x2, jam d0 5/4x2, overlap, jam d0 32/' %t.mlir > %t.wrong.mlir
// RUN: not xla-test-execute %t.wrong.mlir --from=kernels 2>&1 | FileCheck %s --check-prefix=WRONG

// A schedule is overridden in a dump: the program does as it says, and computes the same.
// EDITED: xla_rt.plans = [#xla_rt.nest<30x16x20, lanes d1 4x2, jam d0 5, reduce d2>]
// LOOPS-COUNT-10: math.fma {{.*}} : vector<4xf32>
// LOOPS-NOT: math.fma
// WRONG: plan-edited.mlir.tmp.wrong.mlir
// WRONG-SAME: error: kernel @contraction_0 cannot follow plan 0, {{.*}}: 'overlap' needs a whole step of 32, and d0 has 30 iterations
func.func @main(%x: tensor<30x20xf32>, %y: tensor<20x16xf32>) -> tensor<30x16xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<30x20xf32>, tensor<20x16xf32>) -> tensor<30x16xf32>
  return %0 : tensor<30x16xf32>
}
