// RUN: xla-opt %s --split-input-file --xla-fuse-transforms | FileCheck %s
// Elementwise code beside a transform is a part of its kernel.

// What is transformed is padded, and a slice of the result is scaled; reshapes between them change no element's number.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<3x50xf32>, %[[W:.*]]: tensor<20xf32>)
// CHECK-NEXT:    %[[Y:.*]] = call @fft_0(%[[X]], %[[W]]) : (tensor<3x50xf32>, tensor<20xf32>) -> tensor<3x20xf32>
// CHECK-NEXT:    return %[[Y]]
// CHECK:       func.func private @fft_0(%[[X:.*]]: tensor<3x50xf32>, %[[W:.*]]: tensor<20xf32>)
// CHECK-SAME:      -> tensor<3x20xf32> attributes {xla_rt.kernel = #xla_rt.kernel<library>}
// CHECK:         %[[PADDED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3x64xcomplex<f32>>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<3x64xcomplex<f32>>
// The transform was in place, and is no longer.
// CHECK:         %[[F:.*]] = xla_rt.library_call "xla_rt_fft_f32" ins(%[[PADDED]] : {{.*}}) outs(%[[E]] : {{.*}}) parameters = [0, 3, 1, 8, 0, 1, 64]
// CHECK:         tensor.extract_slice %[[F]]
// CHECK:         %[[R:.*]] = linalg.generic
// CHECK:         return %[[R]] : tensor<3x20xf32>
// CHECK-NOT:   @before
// CHECK-NOT:   @behind
func.func @main(%x: tensor<3x50xf32>, %w: tensor<20xf32>) -> tensor<3x20xf32> {
  %0 = call @before(%x) : (tensor<3x50xf32>) -> tensor<3x64xcomplex<f32>>
  %flat = tensor.collapse_shape %0 [[0, 1]] : tensor<3x64xcomplex<f32>> into tensor<192xcomplex<f32>>
  %again = tensor.expand_shape %flat [[0, 1]] output_shape [3, 64] : tensor<192xcomplex<f32>> into tensor<3x64xcomplex<f32>>
  %1 = call @fft(%again) : (tensor<3x64xcomplex<f32>>) -> tensor<3x64xcomplex<f32>>
  %2 = call @behind(%w, %1) : (tensor<20xf32>, tensor<3x64xcomplex<f32>>) -> tensor<3x20xf32>
  return %2 : tensor<3x20xf32>
}
func.func private @before(%x: tensor<3x50xf32>) -> tensor<3x64xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %zero = arith.constant 0.0 : f32
  %fifty = arith.constant 50 : index
  %e = tensor.empty() : tensor<3x64xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x64xcomplex<f32>>) {
  ^bb0(%out: complex<f32>):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %inside = arith.cmpi slt, %j, %fifty : index
    %value = scf.if %inside -> f32 {
      %element = tensor.extract %x[%i, %j] : tensor<3x50xf32>
      scf.yield %element : f32
    } else {
      scf.yield %zero : f32
    }
    %c = complex.create %value, %zero : complex<f32>
    linalg.yield %c : complex<f32>
  } -> tensor<3x64xcomplex<f32>>
  return %0 : tensor<3x64xcomplex<f32>>
}
func.func private @fft(%x: tensor<3x64xcomplex<f32>>) -> tensor<3x64xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
  %0 = xla_rt.library_call "xla_rt_fft_f32" outs(%x : tensor<3x64xcomplex<f32>>)
      parameters = [0, 3, 1, 8, 1, 1, 64] work = 1 cost = 100 scratch = 0 -> tensor<3x64xcomplex<f32>>
  return %0 : tensor<3x64xcomplex<f32>>
}
func.func private @behind(%w: tensor<20xf32>, %y: tensor<3x64xcomplex<f32>>) -> tensor<3x20xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %s = tensor.extract_slice %y[0, 5] [3, 20] [1, 1] : tensor<3x64xcomplex<f32>> to tensor<3x20xcomplex<f32>>
  %e = tensor.empty() : tensor<3x20xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%s, %w : tensor<3x20xcomplex<f32>>, tensor<20xf32>) outs(%e : tensor<3x20xf32>) {
  ^bb0(%c: complex<f32>, %f: f32, %out: f32):
    %re = complex.re %c : complex<f32>
    %p = arith.mulf %re, %f : f32
    linalg.yield %p : f32
  } -> tensor<3x20xf32>
  return %0 : tensor<3x20xf32>
}

// -----

// A transposition would read columns; what somebody else reads, too, is in memory anyway; a broadcast of what has been
// transformed has several elements for each.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[T:.*]] = call @transposed(
// CHECK-NEXT:    %[[A:.*]] = call @fft(%[[T]])
// CHECK-NEXT:    %[[S:.*]] = call @scaled(
// CHECK-NEXT:    %[[B:.*]] = call @fft(%[[S]])
// CHECK-NEXT:    %[[C:.*]] = call @repeated(%[[A]])
// CHECK-NEXT:    return %[[C]], %[[S]], %[[B]]
func.func @main(%x: tensor<256x256xcomplex<f32>>) -> (tensor<2x256x256xcomplex<f32>>, tensor<256x256xcomplex<f32>>, tensor<256x256xcomplex<f32>>) {
  %0 = call @transposed(%x) : (tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>>
  %1 = call @fft(%0) : (tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>>
  %2 = call @scaled(%x) : (tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>>
  %3 = call @fft(%2) : (tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>>
  %4 = call @repeated(%1) : (tensor<256x256xcomplex<f32>>) -> tensor<2x256x256xcomplex<f32>>
  return %4, %2, %3 : tensor<2x256x256xcomplex<f32>>, tensor<256x256xcomplex<f32>>, tensor<256x256xcomplex<f32>>
}
func.func private @transposed(%x: tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<256x256xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<256x256xcomplex<f32>>) outs(%e : tensor<256x256xcomplex<f32>>) {
  ^bb0(%c: complex<f32>, %out: complex<f32>):
    linalg.yield %c : complex<f32>
  } -> tensor<256x256xcomplex<f32>>
  return %0 : tensor<256x256xcomplex<f32>>
}
func.func private @scaled(%x: tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<256x256xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<256x256xcomplex<f32>>) outs(%e : tensor<256x256xcomplex<f32>>) {
  ^bb0(%c: complex<f32>, %out: complex<f32>):
    %sum = complex.add %c, %c : complex<f32>
    linalg.yield %sum : complex<f32>
  } -> tensor<256x256xcomplex<f32>>
  return %0 : tensor<256x256xcomplex<f32>>
}
func.func private @repeated(%x: tensor<256x256xcomplex<f32>>) -> tensor<2x256x256xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<2x256x256xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<256x256xcomplex<f32>>) outs(%e : tensor<2x256x256xcomplex<f32>>) {
  ^bb0(%c: complex<f32>, %out: complex<f32>):
    linalg.yield %c : complex<f32>
  } -> tensor<2x256x256xcomplex<f32>>
  return %0 : tensor<2x256x256xcomplex<f32>>
}
func.func private @fft(%x: tensor<256x256xcomplex<f32>>) -> tensor<256x256xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
  %e = tensor.empty() : tensor<256x256xcomplex<f32>>
  %0 = xla_rt.library_call "xla_rt_fft_f32" ins(%x : tensor<256x256xcomplex<f32>>) outs(%e : tensor<256x256xcomplex<f32>>)
      parameters = [0, 256, 1, 8, 0, 1, 256] work = 32 cost = 100 scratch = 0 -> tensor<256x256xcomplex<f32>>
  return %0 : tensor<256x256xcomplex<f32>>
}

// -----

// What an update between them overwrites would be copied for a transform that reads it.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    call @scaled(
// CHECK-NEXT:    call @update(
// CHECK-NEXT:    call @fft(
func.func @main(%x: tensor<8x64xcomplex<f32>>, %u: tensor<1x64xcomplex<f32>>) -> (tensor<8x64xcomplex<f32>>, tensor<8x64xcomplex<f32>>) {
  %0 = call @scaled(%x) : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  %1 = call @update(%u, %x) : (tensor<1x64xcomplex<f32>>, tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  %2 = call @fft(%0) : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  return %1, %2 : tensor<8x64xcomplex<f32>>, tensor<8x64xcomplex<f32>>
}
func.func private @scaled(%x: tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8x64xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xcomplex<f32>>) outs(%e : tensor<8x64xcomplex<f32>>) {
  ^bb0(%c: complex<f32>, %out: complex<f32>):
    %sum = complex.add %c, %c : complex<f32>
    linalg.yield %sum : complex<f32>
  } -> tensor<8x64xcomplex<f32>>
  return %0 : tensor<8x64xcomplex<f32>>
}
func.func private @update(%u: tensor<1x64xcomplex<f32>>, %x: tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<update>} {
  %0 = tensor.insert_slice %u into %x[3, 0] [1, 64] [1, 1] : tensor<1x64xcomplex<f32>> into tensor<8x64xcomplex<f32>>
  return %0 : tensor<8x64xcomplex<f32>>
}
func.func private @fft(%x: tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
  %e = tensor.empty() : tensor<8x64xcomplex<f32>>
  %0 = xla_rt.library_call "xla_rt_fft_f32" ins(%x : tensor<8x64xcomplex<f32>>) outs(%e : tensor<8x64xcomplex<f32>>)
      parameters = [0, 8, 1, 8, 0, 1, 64] work = 1 cost = 100 scratch = 0 -> tensor<8x64xcomplex<f32>>
  return %0 : tensor<8x64xcomplex<f32>>
}

// -----

// What reads two transforms is a part of one of them.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<16xcomplex<f32>>, %[[Y:.*]]: tensor<16xcomplex<f32>>)
// CHECK-NEXT:    %[[FY:.*]] = call @fft(%[[Y]])
// CHECK-NEXT:    %[[R:.*]] = call @fft_0(%[[X]], %[[FY]])
// CHECK-NEXT:    return %[[R]]
func.func @main(%x: tensor<16xcomplex<f32>>, %y: tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>> {
  %0 = call @fft(%x) : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  %1 = call @fft(%y) : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  %2 = call @difference(%0, %1) : (tensor<16xcomplex<f32>>, tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  return %2 : tensor<16xcomplex<f32>>
}
// What has been transformed is the first argument in one call, and the second one in another.
// CHECK-LABEL: func.func @both(
// CHECK-SAME:    %[[X:.*]]: tensor<16xcomplex<f32>>, %[[Y:.*]]: tensor<16xcomplex<f32>>)
// CHECK-NEXT:    %[[A:.*]] = call @fft_0(%[[X]], %[[Y]])
// CHECK-NEXT:    %[[B:.*]] = call @fft_1(%[[X]], %[[Y]])
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @both(%x: tensor<16xcomplex<f32>>, %y: tensor<16xcomplex<f32>>) -> (tensor<16xcomplex<f32>>, tensor<16xcomplex<f32>>) {
  %0 = call @fft(%x) : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  %1 = call @difference(%0, %y) : (tensor<16xcomplex<f32>>, tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  %2 = call @fft(%x) : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  %3 = call @difference(%y, %2) : (tensor<16xcomplex<f32>>, tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  return %1, %3 : tensor<16xcomplex<f32>>, tensor<16xcomplex<f32>>
}
func.func private @fft(%x: tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<library>} {
  %e = tensor.empty() : tensor<16xcomplex<f32>>
  %0 = xla_rt.library_call "xla_rt_fft_f32" ins(%x : tensor<16xcomplex<f32>>) outs(%e : tensor<16xcomplex<f32>>)
      parameters = [0, 1, 1, 8, 0, 1, 16] work = 1 cost = 100 scratch = 0 -> tensor<16xcomplex<f32>>
  return %0 : tensor<16xcomplex<f32>>
}
func.func private @difference(%x: tensor<16xcomplex<f32>>, %y: tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<16xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<16xcomplex<f32>>, tensor<16xcomplex<f32>>) outs(%e : tensor<16xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %out: complex<f32>):
    %d = complex.sub %a, %b : complex<f32>
    linalg.yield %d : complex<f32>
  } -> tensor<16xcomplex<f32>>
  return %0 : tensor<16xcomplex<f32>>
}
