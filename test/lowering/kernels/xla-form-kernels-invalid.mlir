// RUN: xla-opt %s --xla-form-kernels --split-input-file --verify-diagnostics

// What no kernel can compute is an error before kernels are formed.

#one = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{cannot be computed inside a kernel: a type has no static shape or scalar elements}}
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func private @f(f32) -> f32
#one = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    // expected-error @below {{cannot be computed inside a kernel: the operation is not a scalar computation}}
    %0 = func.call @f(%a) : (f32) -> f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

#twice = affine_map<(d0) -> (d0, d0)>
#one = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{a result map is not a permutation of the parallel loops}}
  %r = linalg.generic {indexing_maps = [#one, #twice], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

#one = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xf32>, %step: index) -> tensor<2xf32> {
  // expected-error @below {{a stride is not a constant}}
  %s = tensor.extract_slice %x[0] [2] [%step] : tensor<8xf32> to tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%s : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}
