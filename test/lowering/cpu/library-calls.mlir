// RUN: xla-opt --from=linalg --to=kernels %s | FileCheck %s --check-prefix=KERNELS
// RUN: xla-opt --from=linalg --to=loops %s | FileCheck %s

// A call of a library is a kernel by itself. One with items of work is done on all cores; one that changes an array that
// is still needed works on a copy.

// KERNELS-LABEL: func.func private @library_
// KERNELS-SAME:    xla_rt.kernel = #xla_rt.kernel<library>
// KERNELS:         tensor.empty
// KERNELS:         xla_rt.library_call "xla_rt_fft_test" ins(%arg0 : tensor<8x64xf32>) outs(%0
// KERNELS-SAME:      parameters = [64, 1] work = 8

// CHECK-LABEL: func.func @main
// CHECK:         call @xla_rt_parallel_for
// CHECK:         call @elementwise_
// CHECK:         call @library_
// CHECK-LABEL: func.func private @library_{{.*}}xla_rt.task
// CHECK:         llvm.alloca {{.*}} x i64
// CHECK:         call @xla_rt_fft_test(
func.func @main(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %e = tensor.empty() : tensor<8x64xf32>
  %y = xla_rt.library_call "xla_rt_fft_test" ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>)
    parameters = [64, 1] work = 8 cost = 100000 scratch = 0 -> tensor<8x64xf32>
  %z = xla_rt.library_call "xla_rt_fft_test" ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>)
    parameters = [] work = 1 cost = 1000 scratch = 128 -> tensor<8x64xf32>
  return %y, %z : tensor<8x64xf32>, tensor<8x64xf32>
}
