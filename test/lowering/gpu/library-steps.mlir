// RUN: xla-opt --target=cuda --to=loops --split-input-file %s | FileCheck %s

// A step for each 32 columns: those with the same function are launches of one kernel, and say what they need.

// CHECK-LABEL: func.func @main
// CHECK:       func.func private @library_0.impl(%[[A:.*]]: !llvm.ptr, %[[L:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr,
// CHECK-COUNT-4: gpu.launch_func @kernels::@library_0_step0 blocks in ({{.*}}) threads in ({{.*}}) args(%[[A]] : !llvm.ptr, %[[L]] : !llvm.ptr, %[[S]] : !llvm.ptr, %{{[^,]*}} : i64
// CHECK-SAME:    {xla_rt.step = {asked = {{[0-9]+}} : i64, phases = 4 : i64, products = {{[0-9]+}} : i64, read = {{[0-9]+}} : i64, waits = 1 : i64, written = {{[0-9]+}} : i64}}
// CHECK:       gpu.launch_func @kernels::@library_0_step4 blocks in ({{.*}}) threads in ({{.*}}) args(%[[A]] : !llvm.ptr, %[[L]] : !llvm.ptr, %[[S]] : !llvm.ptr)
// CHECK:       gpu.module @kernels
// CHECK:         func.func private @xla_rt_gpu_factor_step_d(!llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr)
// CHECK:         gpu.func @library_0_step0(
// CHECK:           arith.minsi
// CHECK:           call @xla_rt_gpu_factor_step_d
// CHECK:         gpu.func @library_0_step4(
// CHECK:           call @xla_rt_gpu_factor_finish_d
// CHECK-NOT:     gpu.func
func.func @main(%a: tensor<3x100x100xf64>) -> tensor<3x100x100xf64> {
  %l = stablehlo.cholesky %a, lower = true : tensor<3x100x100xf64>
  return %l : tensor<3x100x100xf64>
}

// -----

// Few steps have a kernel each, in which all parameters are constants.

// CHECK-LABEL: func.func @main
// CHECK:       gpu.launch_func @kernels::@library_0_step0
// CHECK:       gpu.launch_func @kernels::@library_0_step1
// CHECK:         gpu.func @library_0_step0(
// CHECK:           call @xla_rt_gpu_fft_block_f32
// CHECK:         gpu.func @library_0_step1(
// CHECK:           call @xla_rt_gpu_fft_block_f32
func.func @main(%x: tensor<5x8192xcomplex<f32>>) -> tensor<5x8192xcomplex<f32>> {
  %y = stablehlo.fft %x, type = FFT, length = [8192] : (tensor<5x8192xcomplex<f32>>) -> tensor<5x8192xcomplex<f32>>
  return %y : tensor<5x8192xcomplex<f32>>
}
