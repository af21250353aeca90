// RUN: xla-opt %s --xla-emit-kernels --split-input-file --verify-diagnostics

// Kernels that a window reads within, and that have no blocks of the rows that they name.

#p = affine_map<(n, y, z, c) -> (n, y, z, c)>
#x = affine_map<(n, y, z, f, t, c) -> (n, y * 2 + t, z, c)>
#k = affine_map<(n, y, z, f, t, c) -> (t, c, f)>
#o = affine_map<(n, y, z, f, t, c) -> (n, y, z, f)>

// The first rows of the window are those of the kernel, the others are not.
func.func private @window(%x: tensor<3x21x9x8xf32>, %k: tensor<3x8x16xf32>) -> tensor<3x10x9x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [2, 10] by 4>} {
  %zero = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<3x23x9x8xf32>
  %eo = tensor.empty() : tensor<3x10x9x16xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x10x9x16xf32>) -> tensor<3x10x9x16xf32>
  // expected-error @below {{cannot be computed inside a kernel: its dimensions are not the rows of the kernel}}
  %p = linalg.generic {indexing_maps = [#p], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%ep : tensor<3x23x9x8xf32>) {
  ^bb0(%a: f32):
    %one = arith.constant 1 : index
    %size = arith.constant 21 : index
    %n = linalg.index 0 : index
    %y = linalg.index 1 : index
    %z = linalg.index 2 : index
    %c = linalg.index 3 : index
    %from = arith.subi %y, %one : index
    %inside = arith.cmpi ult, %from, %size : index
    %0 = scf.if %inside -> (f32) {
      %1 = tensor.extract %x[%n, %from, %z, %c] : tensor<3x21x9x8xf32>
      scf.yield %1 : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %0 : f32
  } -> tensor<3x23x9x8xf32>
  %r = linalg.generic {indexing_maps = [#x, #k, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %k : tensor<3x23x9x8xf32>, tensor<3x8x16xf32>) outs(%io : tensor<3x10x9x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x10x9x16xf32>
  return %r : tensor<3x10x9x16xf32>
}

// -----

#p = affine_map<(n, y, z, c) -> (n, y, z, c)>
#x = affine_map<(n, y, z, f, t, c) -> (n, y * 2 + t, z, c)>
#k = affine_map<(n, y, z, f, t, c) -> (t, c, f)>
#o = affine_map<(n, y, z, f, t, c) -> (n, y, z, f)>

func.func private @window(%x: tensor<3x21x9x8xf32>, %k: tensor<3x8x16xf32>) -> tensor<3x10x9x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 11] by 4>} {
  %zero = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<3x23x9x8xf32>
  %eo = tensor.empty() : tensor<3x10x9x16xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x10x9x16xf32>) -> tensor<3x10x9x16xf32>
  %p = linalg.generic {indexing_maps = [#p], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%ep : tensor<3x23x9x8xf32>) {
  ^bb0(%a: f32):
    %one = arith.constant 1 : index
    %size = arith.constant 21 : index
    %n = linalg.index 0 : index
    %y = linalg.index 1 : index
    %z = linalg.index 2 : index
    %c = linalg.index 3 : index
    %from = arith.subi %y, %one : index
    %inside = arith.cmpi ult, %from, %size : index
    %0 = scf.if %inside -> (f32) {
      %1 = tensor.extract %x[%n, %from, %z, %c] : tensor<3x21x9x8xf32>
      scf.yield %1 : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %0 : f32
  } -> tensor<3x23x9x8xf32>
  // expected-error @below {{cannot be computed inside a kernel: its leading dimensions are not the rows of the kernel}}
  %r = linalg.generic {indexing_maps = [#x, #k, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %k : tensor<3x23x9x8xf32>, tensor<3x8x16xf32>) outs(%io : tensor<3x10x9x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x10x9x16xf32>
  return %r : tensor<3x10x9x16xf32>
}

// -----

#p = affine_map<(n, y, z, c) -> (n, y, z, c)>
#x = affine_map<(n, y, z, f, t, c) -> (n, y * 2 + t, z, c)>
#k = affine_map<(n, y, z, f, t, c) -> (t, c, f)>
#o = affine_map<(n, y, z, f, t, c) -> (n, y, z, f)>

// The window is along the second of three rows.
func.func private @window(%x: tensor<3x21x9x8xf32>, %k: tensor<3x8x16xf32>) -> tensor<3x10x9x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 10, 9] by 4>} {
  %zero = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<3x23x9x8xf32>
  %eo = tensor.empty() : tensor<3x10x9x16xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x10x9x16xf32>) -> tensor<3x10x9x16xf32>
  %p = linalg.generic {indexing_maps = [#p], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%ep : tensor<3x23x9x8xf32>) {
  ^bb0(%a: f32):
    %one = arith.constant 1 : index
    %size = arith.constant 21 : index
    %n = linalg.index 0 : index
    %y = linalg.index 1 : index
    %z = linalg.index 2 : index
    %c = linalg.index 3 : index
    %from = arith.subi %y, %one : index
    %inside = arith.cmpi ult, %from, %size : index
    %0 = scf.if %inside -> (f32) {
      %1 = tensor.extract %x[%n, %from, %z, %c] : tensor<3x21x9x8xf32>
      scf.yield %1 : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %0 : f32
  } -> tensor<3x23x9x8xf32>
  // expected-error @below {{cannot be computed inside a kernel: it reads another row of what its kernel computes}}
  %r = linalg.generic {indexing_maps = [#x, #k, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %k : tensor<3x23x9x8xf32>, tensor<3x8x16xf32>) outs(%io : tensor<3x10x9x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x10x9x16xf32>
  return %r : tensor<3x10x9x16xf32>
}

// -----

#p = affine_map<(n, y, z, c) -> (n, y, z, c)>
#x = affine_map<(n, y, z, f, t, c) -> (n, 20 - y * 2 + t, z, c)>
#k = affine_map<(n, y, z, f, t, c) -> (t, c, f)>
#o = affine_map<(n, y, z, f, t, c) -> (n, y, z, f)>

// From the last row to the first.
func.func private @window(%x: tensor<3x21x9x8xf32>, %k: tensor<3x8x16xf32>) -> tensor<3x10x9x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 10] by 4>} {
  %zero = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<3x23x9x8xf32>
  %eo = tensor.empty() : tensor<3x10x9x16xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x10x9x16xf32>) -> tensor<3x10x9x16xf32>
  %p = linalg.generic {indexing_maps = [#p], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%ep : tensor<3x23x9x8xf32>) {
  ^bb0(%a: f32):
    %one = arith.constant 1 : index
    %size = arith.constant 21 : index
    %n = linalg.index 0 : index
    %y = linalg.index 1 : index
    %z = linalg.index 2 : index
    %c = linalg.index 3 : index
    %from = arith.subi %y, %one : index
    %inside = arith.cmpi ult, %from, %size : index
    %0 = scf.if %inside -> (f32) {
      %1 = tensor.extract %x[%n, %from, %z, %c] : tensor<3x21x9x8xf32>
      scf.yield %1 : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %0 : f32
  } -> tensor<3x23x9x8xf32>
  // expected-error @below {{cannot be computed inside a kernel: it reads another row of what its kernel computes}}
  %r = linalg.generic {indexing_maps = [#x, #k, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %k : tensor<3x23x9x8xf32>, tensor<3x8x16xf32>) outs(%io : tensor<3x10x9x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x10x9x16xf32>
  return %r : tensor<3x10x9x16xf32>
}

// -----

#p = affine_map<(n, y, z, c) -> (n, y, z, c)>
#x = affine_map<(n, y, z, f, t, c) -> (n, y * 2 + t, z, c)>
#k = affine_map<(n, y, z, f, t, c) -> (t, c, f)>
#o = affine_map<(n, y, z, f, t, c) -> (n, y, z, f)>

// All of what the window reads is wanted, too.
func.func private @window(%x: tensor<3x21x9x8xf32>, %k: tensor<3x8x16xf32>) -> (tensor<3x10x9x16xf32>, tensor<3x23x9x8xf32>)
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 10] by 4>} {
  %zero = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<3x23x9x8xf32>
  %eo = tensor.empty() : tensor<3x10x9x16xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x10x9x16xf32>) -> tensor<3x10x9x16xf32>
  // expected-error @below {{cannot be computed inside a kernel: a window reads it, so it is elementwise code, and no result}}
  %p = linalg.generic {indexing_maps = [#p], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%ep : tensor<3x23x9x8xf32>) {
  ^bb0(%a: f32):
    %one = arith.constant 1 : index
    %size = arith.constant 21 : index
    %n = linalg.index 0 : index
    %y = linalg.index 1 : index
    %z = linalg.index 2 : index
    %c = linalg.index 3 : index
    %from = arith.subi %y, %one : index
    %inside = arith.cmpi ult, %from, %size : index
    %0 = scf.if %inside -> (f32) {
      %1 = tensor.extract %x[%n, %from, %z, %c] : tensor<3x21x9x8xf32>
      scf.yield %1 : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %0 : f32
  } -> tensor<3x23x9x8xf32>
  %r = linalg.generic {indexing_maps = [#x, #k, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %k : tensor<3x23x9x8xf32>, tensor<3x8x16xf32>) outs(%io : tensor<3x10x9x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x10x9x16xf32>
  return %r, %p : tensor<3x10x9x16xf32>, tensor<3x23x9x8xf32>
}

// -----

#p = affine_map<(n, y, z, c) -> (n, y, z, c)>
#x = affine_map<(n, y, z, f, t, c) -> (n, y * 2 + t, z, c)>
#k = affine_map<(n, y, z, f, t, c) -> (t, c, f)>
#o = affine_map<(n, y, z, f, t, c) -> (n, y, z, f)>

// A plan for as many rows as the block has, not for those that its window reads.
// expected-error @below {{it is for a nest of sizes [3, 10, 4, 9, 8], and the nest has [3, 10, 9, 1, 72, 1, 1]}}
func.func private @window(%x: tensor<3x21x9x8xf32>, %k: tensor<3x8x16xf32>) -> tensor<3x10x9x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 10] by 4>,
    xla_rt.plans = [#xla_rt.nest<3x10x4x9x8, lanes d4 8x1, loop d2, d3>, #xla_rt.nest<3x10x4x9x16x24, lanes d4 16x1, jam d3 9, loop d2, reduce d5>]} {
  %zero = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<3x23x9x8xf32>
  %eo = tensor.empty() : tensor<3x10x9x16xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x10x9x16xf32>) -> tensor<3x10x9x16xf32>
  %p = linalg.generic {indexing_maps = [#p], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%ep : tensor<3x23x9x8xf32>) {
  ^bb0(%a: f32):
    %one = arith.constant 1 : index
    %size = arith.constant 21 : index
    %n = linalg.index 0 : index
    %y = linalg.index 1 : index
    %z = linalg.index 2 : index
    %c = linalg.index 3 : index
    %from = arith.subi %y, %one : index
    %inside = arith.cmpi ult, %from, %size : index
    %0 = scf.if %inside -> (f32) {
      %1 = tensor.extract %x[%n, %from, %z, %c] : tensor<3x21x9x8xf32>
      scf.yield %1 : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %0 : f32
  } -> tensor<3x23x9x8xf32>
  %r = linalg.generic {indexing_maps = [#x, #k, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %k : tensor<3x23x9x8xf32>, tensor<3x8x16xf32>) outs(%io : tensor<3x10x9x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x10x9x16xf32>
  return %r : tensor<3x10x9x16xf32>
}
