// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-launch-libraries | FileCheck %s
// What is computed around a transform, element by element, are functions that its steps call.

// The real numbers that are transformed have a number each; a pass asks for two of them.
// CHECK-LABEL: gpu.module @kernels
// CHECK:         llvm.func internal @fft_load(%[[ARGUMENTS:.*]]: !llvm.ptr, %[[NUMBER:.*]]: i64, %[[ELEMENT:.*]]: !llvm.ptr) attributes {always_inline}
// CHECK:           %[[PLACE:.*]] = llvm.getelementptr %[[ARGUMENTS]][0]
// CHECK:           %[[X:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> !llvm.ptr
// CHECK:           %[[FROM:.*]] = llvm.getelementptr %[[X]][
// CHECK:           %[[VALUE:.*]] = llvm.load %[[FROM]]
// CHECK:           %[[TWICE:.*]] = arith.addf %[[VALUE]], %[[VALUE]]
// CHECK:           llvm.store %[[TWICE]], %[[ELEMENT]]
// CHECK-NEXT:      llvm.return
// CHECK:         gpu.func @fft(%[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr) kernel
// CHECK-DAG:       llvm.mlir.addressof @fft_load
// CHECK-DAG:       llvm.mlir.zero
module attributes {gpu.container_module} {
  func.func private @fft(%x: tensor<3x64xf32>) -> tensor<3x33xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
    %e = tensor.empty() : tensor<3x64xf32>
    %twice = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x64xf32>) outs(%e : tensor<3x64xf32>) {
    ^bb0(%c: f32, %out: f32):
      %sum = arith.addf %c, %c : f32
      linalg.yield %sum : f32
    } -> tensor<3x64xf32>
    %s = tensor.empty() : tensor<3x33xcomplex<f32>>
    %0 = xla_rt.library_call "xla_rt_fft_f32" ins(%twice : tensor<3x64xf32>) outs(%s : tensor<3x33xcomplex<f32>>)
        parameters = [2, 3, 1, 8, 0, 1, 64] work = 1 cost = 100 scratch = 0 -> tensor<3x33xcomplex<f32>>
    return %0 : tensor<3x33xcomplex<f32>>
  }
}

// -----

// Where a guard does not hold there is a zero, and not poison: a function of it branches.
// CHECK-LABEL: gpu.module @kernels
// CHECK:         llvm.func internal @fft_load(
// CHECK:           %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:           %[[X:.*]] = scf.if %[[INSIDE:.*]] -> (f32) {
// CHECK-NEXT:        %[[LOADED:.*]] = llvm.load
// CHECK-NEXT:        scf.yield %[[LOADED]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %[[ZERO]]
// CHECK:           %[[SMALL:.*]] = arith.cmpf olt
// CHECK:           scf.if %[[SMALL]]
// CHECK:           arith.select %[[INSIDE]]
module attributes {gpu.container_module} {
  func.func private @fft(%x: tensor<9xf32>) -> tensor<9xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
    %one = arith.constant 1.0 : f32
    %nine = arith.constant 9 : index
    %a = tensor.empty() : tensor<9xf32>
    %sine = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<9xf32>) outs(%a : tensor<9xf32>) {
    ^bb0(%c: f32, %out: f32):
      %s = math.sin %c : f32
      linalg.yield %s : f32
    } -> tensor<9xf32>
    %e = tensor.empty() : tensor<17xf32>
    %padded = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<17xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %inside = arith.cmpi ult, %i, %nine : index
      %value = scf.if %inside -> f32 {
        %element = tensor.extract %sine[%i] : tensor<9xf32>
        scf.yield %element : f32
      } else {
        scf.yield %one : f32
      }
      linalg.yield %value : f32
    } -> tensor<17xf32>
    %s = tensor.empty() : tensor<9xcomplex<f32>>
    %0 = xla_rt.library_call "xla_rt_fft_f32" ins(%padded : tensor<17xf32>) outs(%s : tensor<9xcomplex<f32>>)
        parameters = [2, 1, 1, 8, 0, 1, 17] work = 1 cost = 100 scratch = 0 -> tensor<9xcomplex<f32>>
    return %0 : tensor<9xcomplex<f32>>
  }
}

// -----

// Elements that nobody wants are not stored, nor is anything read for them.
// CHECK-LABEL: gpu.module @kernels
// CHECK:         llvm.func internal @fft_store(%[[ARGUMENTS:.*]]: !llvm.ptr, %[[NUMBER:.*]]: i64, %[[ELEMENT:.*]]: !llvm.ptr)
// CHECK:           %[[RE:.*]] = llvm.load %[[ELEMENT]]
// CHECK:           scf.if
// CHECK:             %[[FACTOR:.*]] = llvm.load
// CHECK:             %[[PRODUCT:.*]] = arith.mulf %{{.*}}, %[[FACTOR]]
// CHECK:             llvm.store %[[PRODUCT]]
// CHECK-NEXT: {{^ *}}}
// CHECK-NEXT:      llvm.return
module attributes {gpu.container_module} {
  func.func private @fft(%x: tensor<3x64xcomplex<f32>>, %w: tensor<20xf32>) -> tensor<3x20xf32> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
    %e = tensor.empty() : tensor<3x64xcomplex<f32>>
    %y = xla_rt.library_call "xla_rt_fft_f32" ins(%x : tensor<3x64xcomplex<f32>>) outs(%e : tensor<3x64xcomplex<f32>>)
        parameters = [0, 3, 1, 8, 0, 1, 64] work = 1 cost = 100 scratch = 0 -> tensor<3x64xcomplex<f32>>
    %s = tensor.extract_slice %y[0, 5] [3, 20] [1, 1] : tensor<3x64xcomplex<f32>> to tensor<3x20xcomplex<f32>>
    %r = tensor.empty() : tensor<3x20xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%s, %w : tensor<3x20xcomplex<f32>>, tensor<20xf32>) outs(%r : tensor<3x20xf32>) {
    ^bb0(%c: complex<f32>, %f: f32, %out: f32):
      %re = complex.re %c : complex<f32>
      %p = arith.mulf %re, %f : f32
      linalg.yield %p : f32
    } -> tensor<3x20xf32>
    return %0 : tensor<3x20xf32>
  }
}

// -----

module attributes {gpu.container_module} {
  // expected-error@+1 {{kernel @fft has something around its transform that is no function of an element}}
  func.func private @fft(%x: tensor<3x64x2xcomplex<f32>>) -> tensor<3x64xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
    %e = tensor.empty() : tensor<3x64xcomplex<f32>>
    %sums = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<3x64x2xcomplex<f32>>) outs(%e : tensor<3x64xcomplex<f32>>) {
    ^bb0(%c: complex<f32>, %out: complex<f32>):
      %sum = complex.add %c, %out : complex<f32>
      linalg.yield %sum : complex<f32>
    } -> tensor<3x64xcomplex<f32>>
    %0 = xla_rt.library_call "xla_rt_fft_f32" ins(%sums : tensor<3x64xcomplex<f32>>) outs(%e : tensor<3x64xcomplex<f32>>)
        parameters = [0, 3, 1, 8, 0, 1, 64] work = 1 cost = 100 scratch = 0 -> tensor<3x64xcomplex<f32>>
    return %0 : tensor<3x64xcomplex<f32>>
  }
}
