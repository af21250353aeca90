// RUN: xla-opt --from=linalg --to=kernels %s | FileCheck %s --check-prefix=KERNELS
// RUN: xla-opt --from=linalg --to=loops="vector-bits=256" %s | FileCheck %s

// Random bits are a kernel by themselves. Each block of rounds is computed once, in lanes of counters, and its words are
// put into their order in registers. Of the last step, only what there is is stored.

// KERNELS-LABEL: func.func private @random_0
// KERNELS-SAME:    xla_rt.kernel = #xla_rt.kernel<random>
// KERNELS:         xla_rt.random_bits philox
// KERNELS-NEXT:    return

// CHECK-LABEL: func.func private @random_0.impl
// Rounds are a loop: two at a time, which are five.
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
// CHECK-COUNT-8:   arith.muli %{{.*}} : vector<4xi64>
// CHECK-NOT:       arith.muli %{{.*}} : vector<4xi64>
// CHECK:         vector.shuffle %{{.*}} [0, 4, 2, 6]
// CHECK:         vector.shuffle %{{.*}} [1, 5, 3, 7]
// CHECK:         %[[WORDS:.*]] = vector.bitcast {{.*}} to vector<8xi32>
// CHECK:         scf.if
// CHECK-COUNT-4:   llvm.store %{{.*}} : vector<8xi32>
// CHECK:         } else {
// CHECK:           llvm.intr.masked.store %[[WORDS]]
func.func @main(%s: tensor<3xi64>) -> tensor<100xi32> {
  %e = tensor.empty() : tensor<100xi32>
  %bits = xla_rt.random_bits philox ins(%s : tensor<3xi64>) outs(%e : tensor<100xi32>) -> tensor<100xi32>
  return %bits : tensor<100xi32>
}
