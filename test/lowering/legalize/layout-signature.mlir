// RUN: xla-opt %s --to=loops | FileCheck %s
// RUN: xla-opt %s --to=linalg | xla-opt --from=linalg --to=loops | FileCheck %s

// Where buffers have no types of their own, the types with the layouts are still known.
// CHECK: func.func @main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK-SAME: xla_rt.signature = (tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>) -> tensor<2x3xf32>
func.func @main(%x: tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>) -> tensor<2x3xf32> {
  %0 = xla.negate %x : (tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
