// RUN: xla-opt --from=linalg --to=loops="vector-bits=256" %s | FileCheck %s --check-prefix=SHIFTS
// RUN: xla-opt --from=linalg --to=loops="vector-bits=512" %s | FileCheck %s --check-prefix=ROTATIONS

// ThreeFry rotates four registers of words in each of the four rounds of an iteration: by two shifts, whose distances are
// read, where the processor has no rotations of vectors.

// SHIFTS-LABEL: func.func private @random_0.impl
// SHIFTS:         llvm.alloca %c50{{.*}} x i32
// SHIFTS:         scf.for %{{.*}} iter_args(
// SHIFTS-NOT:       fshl
// SHIFTS-COUNT-16:  arith.shrui %{{.*}} : vector<8xi32>
// SHIFTS-NOT:       {{fshl|arith.shrui %.* : vector<8xi32>}}
// SHIFTS:           scf.yield

// ROTATIONS-LABEL: func.func private @random_0.impl
// ROTATIONS:         llvm.alloca %c30{{.*}} x i32
// ROTATIONS:         scf.for %{{.*}} iter_args(
// ROTATIONS-NOT:       arith.shrui
// ROTATIONS-COUNT-32:  llvm.intr.fshl{{.*}}vector<16xi32>
// ROTATIONS-NOT:       {{fshl|arith.shrui}}
// ROTATIONS:           scf.yield
func.func @main(%s: tensor<2xi64>) -> tensor<65536xi32> {
  %e = tensor.empty() : tensor<65536xi32>
  %bits = xla_rt.random_bits three_fry ins(%s : tensor<2xi64>) outs(%e : tensor<65536xi32>) -> tensor<65536xi32>
  return %bits : tensor<65536xi32>
}
