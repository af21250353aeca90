// RUN: xla-opt %s --split-input-file --xla-launch-libraries --xla-split-steps | FileCheck %s
// RUN: xla-opt %s --split-input-file --xla-launch-libraries --xla-split-steps --xla-merge-launches | FileCheck %s --check-prefix=MERGED
// A launch of a kernel that has a few becomes a kernel, and what they leave in memory a value.

// The first step has new results and scratch memory, the second one updates them: it is given their memory alone.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<5x8192xcomplex<f32>>, %[[Y:.*]]: tensor<5x8192xcomplex<f32>>)
// CHECK:         %[[A:.*]]:2 = call @fft_step0(%[[X]]) : (tensor<5x8192xcomplex<f32>>) -> (tensor<5x8192xcomplex<f32>>, tensor<[[BYTES:[0-9]+]]xi8>)
// CHECK-NEXT:    %[[B:.*]]:2 = call @fft_step1(%[[X]], %[[A]]#0, %[[A]]#1)
// CHECK-NEXT:    %[[C:.*]]:2 = call @fft_step0(%[[Y]])
// CHECK-NEXT:    %[[D:.*]]:2 = call @fft_step1(%[[Y]], %[[C]]#0, %[[C]]#1)
// CHECK-NEXT:    return %[[B]]#0, %[[D]]#0
// CHECK:       func.func private @fft_step0.impl(%[[IN:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr, %{{.*}}: index, %{{.*}}: index)
// CHECK:         gpu.launch_func @kernels::@fft_step0 {{.*}} args(%[[IN]] : !llvm.ptr, %[[OUT]] : !llvm.ptr, %[[S]] : !llvm.ptr)
// CHECK-NEXT:    return
// CHECK:       func.func private @fft_step0(
// CHECK-SAME:    #xla_rt.implementation<@fft_step0.impl, cost = 5000>
// CHECK:       func.func private @fft_step1.impl(%[[IN:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr, %{{.*}}: index, %{{.*}}: index)
// CHECK:         gpu.launch_func @kernels::@fft_step1 {{.*}} args(%[[IN]] : !llvm.ptr, %[[OUT]] : !llvm.ptr, %[[S]] : !llvm.ptr)
// CHECK:       func.func private @fft_step1(
// CHECK-SAME:    #xla_rt.implementation<@fft_step1.impl, cost = 5000, results = [updates 1, updates 2]>
// CHECK-NOT:   func.func private @fft(

// MERGED-LABEL: func.func @main(
// MERGED:         %[[FIRST:.*]]:4 = call @fft_step0_and_1_more(
// MERGED-NEXT:    %[[SECOND:.*]]:4 = call @fft_step1_and_1_more(
// MERGED-NEXT:    return %[[SECOND]]#0, %[[SECOND]]#2
// What both need is said of the launch: 5 rows of 8192 complex numbers each.
// MERGED:       gpu.launch_func @kernels::@fft_step0_and_1_more {{.*}} {xla_rt.step = {{.*}}read = 655360 : i64
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<5x8192xcomplex<f32>>, %y: tensor<5x8192xcomplex<f32>>)
      -> (tensor<5x8192xcomplex<f32>>, tensor<5x8192xcomplex<f32>>) {
    %0 = call @fft(%x) : (tensor<5x8192xcomplex<f32>>) -> tensor<5x8192xcomplex<f32>>
    %1 = call @fft(%y) : (tensor<5x8192xcomplex<f32>>) -> tensor<5x8192xcomplex<f32>>
    return %0, %1 : tensor<5x8192xcomplex<f32>>, tensor<5x8192xcomplex<f32>>
  }
  func.func private @fft(%x: tensor<5x8192xcomplex<f32>>) -> tensor<5x8192xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
    %e = tensor.empty() : tensor<5x8192xcomplex<f32>>
    %0 = xla_rt.library_call "xla_rt_fft_f32" ins(%x : tensor<5x8192xcomplex<f32>>) outs(%e : tensor<5x8192xcomplex<f32>>)
        parameters = [0, 5, 1, 1, 0, 1, 8192] work = 1 cost = 100 scratch = 0 -> tensor<5x8192xcomplex<f32>>
    return %0 : tensor<5x8192xcomplex<f32>>
  }
}

// -----

// What the first step overwrites is the result that the second one is given.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<9000x8x8xf32>)
// CHECK:         %[[A:.*]]:2 = call @cholesky_step0(%[[X]])
// CHECK-NEXT:    %[[B:.*]]:2 = call @cholesky_step1(%[[A]]#0, %[[A]]#1)
// CHECK-NEXT:    return %[[B]]#0
// CHECK:       func.func private @cholesky_step0(
// CHECK-SAME:    results = [updates 0, new]>
// CHECK:       func.func private @cholesky_step1.impl(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr, %{{.*}}: index, %{{.*}}: index)
// CHECK:         gpu.launch_func @kernels::@cholesky_step1 {{.*}} args(%[[OUT]] : !llvm.ptr, %[[OUT]] : !llvm.ptr, %[[S]] : !llvm.ptr)
// CHECK:       func.func private @cholesky_step1(
// CHECK-SAME:    results = [updates 0, updates 1]>
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<9000x8x8xf32>) -> tensor<9000x8x8xf32> {
    %0 = call @cholesky(%x) : (tensor<9000x8x8xf32>) -> tensor<9000x8x8xf32>
    return %0 : tensor<9000x8x8xf32>
  }
  func.func private @cholesky(%x: tensor<9000x8x8xf32>) -> tensor<9000x8x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
    %0 = xla_rt.library_call "xla_rt_lapack_spotrf" outs(%x : tensor<9000x8x8xf32>) parameters = [8, 9000, 1, 0, 1] work = 1 cost = 100
        scratch = 0 -> tensor<9000x8x8xf32>
    return %0 : tensor<9000x8x8xf32>
  }
}

// -----

// Many steps have a kernel together, which the host tells numbers: they are no parts of anything, and stay.
// CHECK-LABEL: func.func @main(
// CHECK:         call @cholesky(
// CHECK:       func.func private @cholesky.impl(
// CHECK-COUNT-4: gpu.launch_func @kernels::@cholesky_step0
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<3x100x100xf64>) -> tensor<3x100x100xf64> {
    %0 = call @cholesky(%x) : (tensor<3x100x100xf64>) -> tensor<3x100x100xf64>
    return %0 : tensor<3x100x100xf64>
  }
  func.func private @cholesky(%x: tensor<3x100x100xf64>) -> tensor<3x100x100xf64> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
    %0 = xla_rt.library_call "xla_rt_lapack_dpotrf" outs(%x : tensor<3x100x100xf64>) parameters = [100, 3, 1, 0, 1] work = 1 cost = 100
        scratch = 0 -> tensor<3x100x100xf64>
    return %0 : tensor<3x100x100xf64>
  }
}

// -----

// More threads than a device has at a time, which move 10 MB together.
// MERGED-LABEL: func.func @main(
// MERGED:         call @fft_and_1_more(
// MERGED-NEXT:    return
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<300000x2xcomplex<f32>>, %y: tensor<300000x2xcomplex<f32>>)
      -> (tensor<300000x2xcomplex<f32>>, tensor<300000x2xcomplex<f32>>) {
    %0 = call @fft(%x) : (tensor<300000x2xcomplex<f32>>) -> tensor<300000x2xcomplex<f32>>
    %1 = call @fft(%y) : (tensor<300000x2xcomplex<f32>>) -> tensor<300000x2xcomplex<f32>>
    return %0, %1 : tensor<300000x2xcomplex<f32>>, tensor<300000x2xcomplex<f32>>
  }
  func.func private @fft(%x: tensor<300000x2xcomplex<f32>>) -> tensor<300000x2xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
    %e = tensor.empty() : tensor<300000x2xcomplex<f32>>
    %0 = xla_rt.library_call "xla_rt_fft_f32" ins(%x : tensor<300000x2xcomplex<f32>>) outs(%e : tensor<300000x2xcomplex<f32>>)
        parameters = [0, 300000, 1, 1, 0, 1, 2] work = 1 cost = 100 scratch = 0 -> tensor<300000x2xcomplex<f32>>
    return %0 : tensor<300000x2xcomplex<f32>>
  }
}
