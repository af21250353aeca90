// RUN: xla-opt %s --xla-emit-kernels --split-input-file --verify-diagnostics

// Plans that kernels over blocks of rows cannot follow, and kernels that have no blocks of rows.

#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, d, j)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
#p = affine_map<(h, i, d, j) -> (h, i, j)>
#v = affine_map<(h, i, d, j) -> (h, j, d)>
#o = affine_map<(h, i, d, j) -> (i, h, d)>
#all = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>

// expected-error @below {{cannot follow plan 0, #xla_rt.nest<3x20x6x32x8, lanes d3 16x2, work d2, reduce d4>: the kernel has rows or several nests, which have no parallel work of their own}}
func.func private @attention(%x: tensor<3x20x8xf32>, %y: tensor<3x8x32xf32>, %z: tensor<3x32x16xf32>) -> tensor<20x3x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 20] by 6>,
    xla_rt.plans = [#xla_rt.nest<3x20x6x32x8, lanes d3 16x2, work d2, reduce d4>, #xla_rt.nest<3x20x6x32x1, lanes d3 16x1>, #xla_rt.nest<3x20x6x32x1, lanes d3 16x1>, #xla_rt.nest<3x20x6x16x32, lanes d3 16x1, jam d2 6, reduce d4>]} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<3x20x32xf32>
  %er = tensor.empty() : tensor<3x20xf32>
  %eo = tensor.empty() : tensor<20x3x16xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<3x20x32xf32>) -> tensor<3x20x32xf32>
  %ir = linalg.fill ins(%low : f32) outs(%er : tensor<3x20xf32>) -> tensor<3x20xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<20x3x16xf32>) -> tensor<20x3x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x20x8xf32>, tensor<3x8x32xf32>) outs(%is : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x32xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<3x20x32xf32>) outs(%es : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %0 = arith.cmpi sge, %i, %j : index
    %1 = arith.select %0, %a, %low : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x32xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<3x20x32xf32>) outs(%ir : tensor<3x20xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x20xf32>
  %d = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %m : tensor<3x20x32xf32>, tensor<3x20xf32>) outs(%es : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<3x20x32xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%d, %z : tensor<3x20x32xf32>, tensor<3x32x16xf32>) outs(%io : tensor<20x3x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<20x3x16xf32>
  return %o : tensor<20x3x16xf32>
}

// -----

#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, d, j)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
#p = affine_map<(h, i, d, j) -> (h, i, j)>
#v = affine_map<(h, i, d, j) -> (h, j, d)>
#o = affine_map<(h, i, d, j) -> (i, h, d)>
#all = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>

// expected-error @below {{the dimension d2 in lanes is no dimension of several iterations}}
func.func private @attention(%x: tensor<3x20x8xf32>, %y: tensor<3x8x32xf32>, %z: tensor<3x32x16xf32>) -> tensor<20x3x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 20] by 6>,
    xla_rt.plans = [#xla_rt.nest<3x20x6x32x8, lanes d3 16x2, jam d2 6, reduce d4>, #xla_rt.nest<3x20x6x32x1, lanes d2 2x1, loop d3>, #xla_rt.nest<3x20x6x32x1, lanes d3 16x1>, #xla_rt.nest<3x20x6x16x32, lanes d3 16x1, jam d2 6, reduce d4>]} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<3x20x32xf32>
  %er = tensor.empty() : tensor<3x20xf32>
  %eo = tensor.empty() : tensor<20x3x16xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<3x20x32xf32>) -> tensor<3x20x32xf32>
  %ir = linalg.fill ins(%low : f32) outs(%er : tensor<3x20xf32>) -> tensor<3x20xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<20x3x16xf32>) -> tensor<20x3x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x20x8xf32>, tensor<3x8x32xf32>) outs(%is : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x32xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<3x20x32xf32>) outs(%es : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %0 = arith.cmpi sge, %i, %j : index
    %1 = arith.select %0, %a, %low : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x32xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<3x20x32xf32>) outs(%ir : tensor<3x20xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x20xf32>
  %d = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %m : tensor<3x20x32xf32>, tensor<3x20xf32>) outs(%es : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<3x20x32xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%d, %z : tensor<3x20x32xf32>, tensor<3x32x16xf32>) outs(%io : tensor<20x3x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<20x3x16xf32>
  return %o : tensor<20x3x16xf32>
}

// -----

#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, d, j)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
#p = affine_map<(h, i, d, j) -> (h, i, j)>
#v = affine_map<(h, i, d, j) -> (h, j, d)>
#o = affine_map<(h, i, d, j) -> (i, h, d)>
#all = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>

// expected-error @below {{it is for a nest of sizes [3, 20, 8, 32, 8], and the nest has [3, 20, 6, 32, 8]}}
func.func private @attention(%x: tensor<3x20x8xf32>, %y: tensor<3x8x32xf32>, %z: tensor<3x32x16xf32>) -> tensor<20x3x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 20] by 6>,
    xla_rt.plans = [#xla_rt.nest<3x20x8x32x8, lanes d3 16x2, jam d2 6, reduce d4>, #xla_rt.nest<3x20x6x32x1, lanes d3 16x1>, #xla_rt.nest<3x20x6x32x1, lanes d3 16x1>, #xla_rt.nest<3x20x6x16x32, lanes d3 16x1, jam d2 6, reduce d4>]} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<3x20x32xf32>
  %er = tensor.empty() : tensor<3x20xf32>
  %eo = tensor.empty() : tensor<20x3x16xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<3x20x32xf32>) -> tensor<3x20x32xf32>
  %ir = linalg.fill ins(%low : f32) outs(%er : tensor<3x20xf32>) -> tensor<3x20xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<20x3x16xf32>) -> tensor<20x3x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x20x8xf32>, tensor<3x8x32xf32>) outs(%is : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x32xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<3x20x32xf32>) outs(%es : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %0 = arith.cmpi sge, %i, %j : index
    %1 = arith.select %0, %a, %low : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x32xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<3x20x32xf32>) outs(%ir : tensor<3x20xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x20xf32>
  %d = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %m : tensor<3x20x32xf32>, tensor<3x20xf32>) outs(%es : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<3x20x32xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%d, %z : tensor<3x20x32xf32>, tensor<3x32x16xf32>) outs(%io : tensor<20x3x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<20x3x16xf32>
  return %o : tensor<20x3x16xf32>
}

// -----

// It sums over the rows.
#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, d, j)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
#p = affine_map<(h, i, d, j) -> (h, i, j)>
#v = affine_map<(h, i, d, j) -> (h, j, d)>
#o = affine_map<(h, i, d, j) -> (h, d)>
#all = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>

func.func private @attention(%x: tensor<3x20x8xf32>, %y: tensor<3x8x32xf32>, %z: tensor<3x32x16xf32>) -> tensor<3x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 20] by 6>} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<3x20x32xf32>
  %er = tensor.empty() : tensor<3x20xf32>
  %eo = tensor.empty() : tensor<3x16xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<3x20x32xf32>) -> tensor<3x20x32xf32>
  %ir = linalg.fill ins(%low : f32) outs(%er : tensor<3x20xf32>) -> tensor<3x20xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x16xf32>) -> tensor<3x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x20x8xf32>, tensor<3x8x32xf32>) outs(%is : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x32xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<3x20x32xf32>) outs(%es : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %0 = arith.cmpi sge, %i, %j : index
    %1 = arith.select %0, %a, %low : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x32xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<3x20x32xf32>) outs(%ir : tensor<3x20xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x20xf32>
  %d = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %m : tensor<3x20x32xf32>, tensor<3x20xf32>) outs(%es : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<3x20x32xf32>
  // expected-error @below {{its leading dimensions are not the rows of the kernel}}
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "reduction", "parallel", "reduction"]}
      ins(%d, %z : tensor<3x20x32xf32>, tensor<3x32x16xf32>) outs(%io : tensor<3x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x16xf32>
  return %o : tensor<3x16xf32>
}
