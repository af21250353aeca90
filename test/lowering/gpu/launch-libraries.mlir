// RUN: xla-opt %s --split-input-file --xla-launch-libraries | FileCheck %s
// Calls of libraries: steps of the device's library, or the host's function.

// So many small matrices that each is a thread's.
// CHECK: func.func private @cholesky.impl(%[[A:.*]]: !llvm.ptr, %[[RESULT:.*]]: !llvm.ptr, %[[SCRATCH:.*]]: !llvm.ptr, %{{.*}}: index, %{{.*}}: index) attributes {xla_rt.launches}
// CHECK: gpu.launch_func @kernels::@cholesky_step0 {{.*}} args(%[[A]] : !llvm.ptr, %[[RESULT]] : !llvm.ptr, %[[SCRATCH]] : !llvm.ptr)
// CHECK: gpu.launch_func @kernels::@cholesky_step1
// CHECK: func.func private @cholesky(tensor<9000x8x8xf32>) -> tensor<9000x8x8xf32>
// CHECK-SAME: #xla_rt.implementation<@cholesky.impl, cost = 10000, scratch = {{[0-9]+}}, results = [updates 0]>
// CHECK: gpu.module @kernels
// CHECK: func.func private @xla_rt_gpu_factor_tiny_s
// CHECK: gpu.func @cholesky_step0
// CHECK: call @xla_rt_gpu_factor_tiny_s
func.func private @cholesky(%x: tensor<9000x8x8xf32>) -> tensor<9000x8x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
  %0 = xla_rt.library_call "xla_rt_lapack_spotrf" outs(%x : tensor<9000x8x8xf32>) parameters = [8, 9000, 1, 0, 1] work = 1 cost = 100 scratch = 0
      -> tensor<9000x8x8xf32>
  return %0 : tensor<9000x8x8xf32>
}

// -----

// Equal steps of two calls are one kernel, which comes from both places.
// CHECK: func.func private @first.impl
// CHECK: gpu.launch_func @kernels::@first blocks
// CHECK: func.func private @second.impl
// CHECK: gpu.launch_func @kernels::@first blocks
// CHECK: func.func private @third.impl
// CHECK: gpu.launch_func @kernels::@third blocks
// CHECK: gpu.func @first
// CHECK-NOT: gpu.func @second
// CHECK: gpu.func @third
func.func private @first(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
  %0 = xla_rt.library_call "xla_rt_lapack_spotrf" outs(%x : tensor<8x8xf32>) parameters = [8, 1, 1, 0, 1] work = 1 cost = 100 scratch = 0
      -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func private @second(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
  %0 = xla_rt.library_call "xla_rt_lapack_spotrf" outs(%x : tensor<8x8xf32>) parameters = [8, 1, 1, 0, 1] work = 1 cost = 100 scratch = 0
      -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func private @third(%x: tensor<7x7xf32>) -> tensor<7x7xf32> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
  %0 = xla_rt.library_call "xla_rt_lapack_spotrf" outs(%x : tensor<7x7xf32>) parameters = [7, 1, 1, 0, 1] work = 1 cost = 100 scratch = 0
      -> tensor<7x7xf32>
  return %0 : tensor<7x7xf32>
}

// -----

// Of fewer, each is a block's, which does all of it.
// CHECK: gpu.launch_func @kernels::@cholesky blocks
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @cholesky({{.*}}) kernel attributes {{[{].*}}, nvvm.minctasm = 1 : i32{{.*}}} {
// CHECK: call @xla_rt_gpu_factor_small_s
func.func private @cholesky(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
  %0 = xla_rt.library_call "xla_rt_lapack_spotrf" outs(%x : tensor<8x8xf32>) parameters = [8, 1, 1, 0, 1] work = 1 cost = 100 scratch = 0
      -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// CHECK: func.func private @unknown.impl(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: index, %{{.*}}: index) attributes {xla_rt.launches}
// CHECK: llvm.mlir.addressof @xla_rt_lapack_unknown : !llvm.ptr
// CHECK: call @xla_rt_cuda_call_library(%{{.*}}) : (!llvm.ptr) -> ()
// CHECK: func.func private @unknown(tensor<8xf32>) -> tensor<8xf32>
// CHECK-SAME: #xla_rt.implementation<@unknown.impl, cost = 50000>
// CHECK-NOT: gpu.module
func.func private @unknown(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = xla_rt.library_call "xla_rt_lapack_unknown" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) parameters = [8] work = 1 cost = 100 scratch = 0
      -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
