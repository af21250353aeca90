// RUN: xla-opt --target=cuda --to=loops --split-input-file %s | FileCheck %s

// A step for each 32 columns: those with the same function are launches of one kernel, which say what they need.

// CHECK-LABEL: func.func @main
// CHECK:       func.func private @library_0.impl(%[[A:.*]]: !llvm.ptr, %[[L:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr,
// CHECK:       gpu.launch_func @kernels::@library_0_step0 blocks in (%c12, {{.*}}) args(%[[A]] : !llvm.ptr, %[[L]] : !llvm.ptr, %[[S]] : !llvm.ptr, %c12_i64 : i64, %c0_i64 : i64)
// CHECK-SAME:    {xla_rt.step = {asked = {{[0-9]+}} : i64, phases = 32 : i64, products = {{[0-9]+}} : i64, read = {{[0-9]+}} : i64, waits = 1 : i64, written = {{[0-9]+}} : i64}}
// CHECK-COUNT-3: gpu.launch_func @kernels::@library_0_step0
// CHECK:       gpu.launch_func @kernels::@library_0_step4
// CHECK-NOT:   gpu.launch_func
// CHECK:       gpu.module @kernels
// CHECK:         func.func private @xla_rt_gpu_factor_step_d(!llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr)
// CHECK:         gpu.func @library_0_step0(
// CHECK:           call @xla_rt_gpu_factor_step_d
// CHECK:         gpu.func @library_0_step4(
// CHECK:           call @xla_rt_gpu_factor_finish_d
// CHECK-NOT:     gpu.func
func.func @main(%a: tensor<3x100x100xf64>) -> tensor<3x100x100xf64> {
  %l = stablehlo.cholesky %a, lower = true : tensor<3x100x100xf64>
  return %l : tensor<3x100x100xf64>
}

// -----

// Steps that differ in more than two numbers have code of their own, in which all parameters are constants.

// CHECK-LABEL: func.func @main
// CHECK:       gpu.launch_func @kernels::@library_0_step0
// CHECK:       gpu.launch_func @kernels::@library_0_step1
// CHECK:         gpu.func @library_0_step0(
// CHECK:           call @xla_rt_gpu_fft_block_f32
// CHECK:         gpu.func @library_0_step1(
// CHECK:           call @xla_rt_gpu_fft_block_f32
// CHECK-NOT:     gpu.func
func.func @main(%x: tensor<5x8192xcomplex<f32>>) -> tensor<5x8192xcomplex<f32>> {
  %y = stablehlo.fft %x, type = FFT, length = [8192] : (tensor<5x8192xcomplex<f32>>) -> tensor<5x8192xcomplex<f32>>
  return %y : tensor<5x8192xcomplex<f32>>
}

// -----

// Short real lines are transformed as a whole: half of one, which has no steps that blocks of threads meet in, would be
// taken apart into the spectrum by a launch of its own.

// CHECK-LABEL: func.func @main
// CHECK:         gpu.func @library_0_and_library_1(
// CHECK-NOT:       xla_rt_gpu
// CHECK:           call @xla_rt_gpu_fft_pass_16_f32
// CHECK-NOT:       xla_rt_gpu
// CHECK:           call @xla_rt_gpu_fft_block_f32
// CHECK-NOT:     {{gpu.func|xla_rt_gpu}}
func.func @main(%x: tensor<5x16xf32>, %y: tensor<5x17xcomplex<f32>>) -> (tensor<5x9xcomplex<f32>>, tensor<5x32xf32>) {
  %0 = stablehlo.fft %x, type = RFFT, length = [16] : (tensor<5x16xf32>) -> tensor<5x9xcomplex<f32>>
  %1 = stablehlo.fft %y, type = IRFFT, length = [32] : (tensor<5x17xcomplex<f32>>) -> tensor<5x32xf32>
  return %0, %1 : tensor<5x9xcomplex<f32>>, tensor<5x32xf32>
}

// -----

// Blocks sort whole lines, from the keys to the results; of few lines each has one.

// CHECK-LABEL: func.func @main
// CHECK-DAG:     %[[BLOCKS:.*]] = arith.constant 100 : index
// CHECK-DAG:     %[[THREADS:.*]] = arith.constant 256 : index
// CHECK:         gpu.launch_func @kernels::@library_0 blocks in (%[[BLOCKS]], {{.*}}) threads in (%[[THREADS]],
// CHECK:         gpu.func @library_0(
// CHECK:           call @xla_rt_gpu_sort_lines_4
// CHECK-NOT:     gpu.func
func.func @main(%x: tensor<100x4096xi32>) -> tensor<100x4096xi32> {
  %y = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<100x4096xi32>) -> tensor<100x4096xi32>
  return %y : tensor<100x4096xi32>
}

// -----

// Of the least of short lines, too, if all blocks are there at once.

// CHECK-LABEL: func.func @main
// CHECK-DAG:     %[[BLOCKS:.*]] = arith.constant 16 : index
// CHECK:         gpu.launch_func @kernels::@library_0 blocks in (%[[BLOCKS]],
// CHECK:         gpu.func @library_0(
// CHECK:           call @xla_rt_gpu_sort_lines_8
// CHECK-NOT:     gpu.func
func.func @main(%x: tensor<16x1000xf32>) -> (tensor<16x4xf32>, tensor<16x4xi32>) {
  %v, %i = chlo.top_k(%x, k = 4) : tensor<16x1000xf32> -> (tensor<16x4xf32>, tensor<16x4xi32>)
  return %v, %i : tensor<16x4xf32>, tensor<16x4xi32>
}

// -----

// Of more lines, threads look for the least words, and then a block for each line.

// CHECK-LABEL: func.func @main
// CHECK:         gpu.func @library_0_step0(
// CHECK:           call @xla_rt_gpu_sort_pack_8
// CHECK:         gpu.func @library_0_step1(
// CHECK:           call @xla_rt_gpu_sort_finish_8
// CHECK-NOT:     gpu.func
func.func @main(%x: tensor<1000x1000xf32>) -> (tensor<1000x4xf32>, tensor<1000x4xi32>) {
  %v, %i = chlo.top_k(%x, k = 4) : tensor<1000x1000xf32> -> (tensor<1000x4xf32>, tensor<1000x4xi32>)
  return %v, %i : tensor<1000x4xf32>, tensor<1000x4xi32>
}

// -----

// Lines for which there are not that many blocks at a time.

// CHECK-LABEL: func.func @main
// CHECK:         call @xla_rt_gpu_sort_pack_8
// CHECK:         call @xla_rt_gpu_sort_select_8
// CHECK:         call @xla_rt_gpu_sort_unpack_8
func.func @main(%x: tensor<3000x1000xf32>) -> (tensor<3000x4xf32>, tensor<3000x4xi32>) {
  %v, %i = chlo.top_k(%x, k = 4) : tensor<3000x1000xf32> -> (tensor<3000x4xf32>, tensor<3000x4xi32>)
  return %v, %i : tensor<3000x4xf32>, tensor<3000x4xi32>
}

// -----

// Of longer ones tiles, which are merged.

// CHECK-LABEL: func.func @main
// CHECK:         gpu.func @library_0_step0(
// CHECK:           call @xla_rt_gpu_sort_lines_8
// CHECK:         gpu.func @library_0_step1(
// CHECK:           call @xla_rt_gpu_sort_merge_tiles_8
// CHECK:         gpu.func @library_0_step2(
// CHECK:           call @xla_rt_gpu_sort_unpack_8
// CHECK-NOT:     gpu.func
func.func @main(%x: tensor<5000xi32>, %y: tensor<5000xf32>) -> (tensor<5000xi32>, tensor<5000xf32>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<5000xi32>, tensor<5000xf32>) -> (tensor<5000xi32>, tensor<5000xf32>)
  return %0#0, %0#1 : tensor<5000xi32>, tensor<5000xf32>
}

// -----

// Columns that lie next to each other are a block's.

// CHECK-LABEL: func.func @main
// CHECK-DAG:     %[[BLOCKS:.*]] = arith.constant 4 : index
// CHECK:         gpu.launch_func @kernels::@library_0 blocks in (%[[BLOCKS]],
// CHECK:           call @xla_rt_gpu_sort_lines_4
func.func @main(%x: tensor<500x32xi32>) -> tensor<500x32xi32> {
  %y = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<500x32xi32>) -> tensor<500x32xi32>
  return %y : tensor<500x32xi32>
}
