// RUN: xla-opt %s --xla-emit-kernels --split-input-file --verify-diagnostics

// Kernels that fusion does not form, because they have no nests.

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#other = affine_map<(d0, d1) -> (d1)>
func.func private @other_row(%x: tensor<8x8xf32>, %zero: tensor<8xf32>) -> tensor<8x8xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [8]>} {
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x8xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-error @below {{cannot be computed inside a kernel: it reads another row of what its kernel computes}}
  %r = linalg.generic {indexing_maps = [#other, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0) -> (d0)>
func.func private @through_view(%x: tensor<8x8xf32>, %zero: tensor<8xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>} {
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x8xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %v = tensor.extract_slice %s[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{it reads what its kernel computes other than by its own indices}}
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%v : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#column = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func private @columns(%x: tensor<8x4xf32>, %zero: tensor<4xf32>) -> tensor<8x4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [8]>} {
  // expected-error @below {{its leading dimensions are not the rows of the kernel}}
  %s = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<8x4xf32>) outs(%zero : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %r = linalg.generic {indexing_maps = [#column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// -----

#one = affine_map<(d0) -> (d0)>
func.func private @reads_overwritten(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<update>} {
  %v = tensor.extract_slice %x[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  // expected-error @below {{an op of its kernel reads what an update overwrites}}
  %r = tensor.insert_slice %v into %x[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func private @two_updates(%x: tensor<8xf32>, %y: tensor<2xf32>) -> tensor<8xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<update>} {
  // expected-error @below {{an update is the only result of its kernel}}
  %a = tensor.insert_slice %y into %x[0] [2] [1] : tensor<2xf32> into tensor<8xf32>
  %r = tensor.insert_slice %y into %x[4] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

#mk = affine_map<(d0, d1) -> (d0, d1)>
#m = affine_map<(d0, d1) -> (d0)>
func.func private @moves_sums(%x: tensor<4x8xf32>, %r: tensor<2x9xf32>) -> tensor<2x9xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %v = tensor.expand_shape %s [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  // expected-error @below {{it reads what its kernel computes other than by its own indices}}
  %u = tensor.insert_slice %v into %r[0, 3] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x9xf32>
  return %u : tensor<2x9xf32>
}

// -----

#mk = affine_map<(d0, d1) -> (d0, d1)>
#m = affine_map<(d0, d1) -> (d0)>
func.func private @update_of_rows(%x: tensor<4x8xf32>, %r: tensor<4x9xf32>) -> tensor<4x9xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [4]>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %w = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%w : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  // expected-error @below {{an update has one nest, or is the end of a block of rows}}
  %u = tensor.insert_slice %d into %r[0, 1] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x9xf32>
  return %u : tensor<4x9xf32>
}

// -----

func.func private @fills(%y: tensor<2xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<update>} {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{an update writes to an argument}}
  %r = tensor.insert_slice %y into %e[0] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func private @pads(%x: tensor<8xf32>) -> tensor<10xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{the operation has no elementwise meaning}}
  %r = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %r : tensor<10xf32>
}

// -----

func.func private @returns_argument(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  // expected-error @below {{a result is a tensor that the kernel computes}}
  return %x : tensor<8xf32>
}
