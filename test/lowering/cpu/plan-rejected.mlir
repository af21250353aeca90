// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-kernels
// Plans that a nest does not allow: the error names the kernel, the plan and the rule.

// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.nest<12x40x9, lanes d1 16x2, work d0, reduce d2>: it is for a nest of sizes [12, 40, 9], and the nest has [12, 40, 8]}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x40x9, lanes d1 16x2, work d0, reduce d2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.nest<12x40x8, lanes d1 16x2, reduce d2>: it does not walk d0, a parallel dimension of several iterations}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x40x8, lanes d1 16x2, reduce d2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.nest<12x40x8, lanes d1 16x2, work d0, d2>: d2 is no parallel dimension of several iterations}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x40x8, lanes d1 16x2, work d0, d2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.nest<12x40x8, lanes d1 16x2, work d0>: it does not walk d2, a reduced dimension of several iterations}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x40x8, lanes d1 16x2, work d0>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.nest<12x40x8, lanes d1 16x2, jam d2 4, work d0>: the jammed dimension d2 is no parallel dimension of several iterations}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x40x8, lanes d1 16x2, jam d2 4, work d0>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.nest<12x40x8, lanes d2 8x1, work d0, d1, cut d2 8>: cuts d2, which is reduced}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x40x8, lanes d2 8x1, work d0, d1, cut d2 8>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{kernel @fold cannot follow plan 0, #xla_rt.nest<12x20, lanes d1 16x1, work d0, masked>: 'masked' is not for lanes along a dimension that is reduced in order}}
func.func private @fold(%x: tensor<12x20xf32>) -> tensor<12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>, xla_rt.plans = [#xla_rt.nest<12x20, lanes d1 16x1, work d0, masked>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  %0 = linalg.reduce ins(%x : tensor<12x20xf32>) outs(%f : tensor<12xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %product = arith.mulf %out, %in : f32
      %sum = arith.addf %product, %in : f32
      linalg.yield %sum : f32
    }
  return %0 : tensor<12xf32>
}

// -----

// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.nest<12x40x8, lanes d1 16x2, jam d0 13, reduce d2, overlap>: 'overlap' needs a whole step of 13, and d0 has 12 iterations}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x40x8, lanes d1 16x2, jam d0 13, reduce d2, overlap>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.nest<12x40x8, lanes d1 16x2, jam d2 4, work d0, reduce d2, in_memory>: 'in_memory' goes with one vector in a step, not 'masked', and without 'transpose'}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x40x8, lanes d1 16x2, jam d2 4, work d0, reduce d2, in_memory>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.nest<12x40x8, lanes d1 16x2, jam d0 8, reduce d2, transpose 4>: 'transpose' is for nests without a reduction}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x40x8, lanes d1 16x2, jam d0 8, reduce d2, transpose 4>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{kernel @negate cannot follow plan 0, #xla_rt.nest<1x800, lanes d0 16x1, work d1>: the dimension d0 in lanes is no dimension of several iterations}}
func.func private @negate(%x: tensor<20x40xf32>) -> tensor<20x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<1x800, lanes d0 16x1, work d1>]} {
  %e = tensor.empty() : tensor<20x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<20x40xf32>) outs(%e : tensor<20x40xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<20x40xf32>
  return %0 : tensor<20x40xf32>
}

// -----

// expected-error @below {{kernel @negate cannot follow plan 0, #xla_rt.nest<1x800, lanes d1 16x1, work d0>: d0 is no parallel dimension of several iterations}}
func.func private @negate(%x: tensor<20x40xf32>) -> tensor<20x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<1x800, lanes d1 16x1, work d0>]} {
  %e = tensor.empty() : tensor<20x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<20x40xf32>) outs(%e : tensor<20x40xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<20x40xf32>
  return %0 : tensor<20x40xf32>
}

// -----

// Those of arithmetic are pairs of real ones in lanes; other functions of them have none.
// expected-error @below {{kernel @sine cannot follow plan 0, #xla_rt.nest<1x800, lanes d1 4x1>: complex numbers have no lanes}}
func.func private @sine(%x: tensor<20x40xcomplex<f32>>) -> tensor<20x40xcomplex<f32>>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<1x800, lanes d1 4x1>]} {
  %e = tensor.empty() : tensor<20x40xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<20x40xcomplex<f32>>) outs(%e : tensor<20x40xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>):
    %n = complex.sin %a : complex<f32>
    linalg.yield %n : complex<f32>
  } -> tensor<20x40xcomplex<f32>>
  return %0 : tensor<20x40xcomplex<f32>>
}

// -----

// expected-error @below {{kernel @transpose cannot follow plan 0, #xla_rt.nest<20x40, lanes d1 16x1, jam d0 32, overlap, transpose 4>: 'overlap' needs a whole step of 32, and d0 has 20 iterations}}
func.func private @transpose(%x: tensor<40x20xf32>) -> tensor<20x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<20x40, lanes d1 16x1, jam d0 32, overlap, transpose 4>]} {
  %e = tensor.empty() : tensor<20x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<40x20xf32>) outs(%e : tensor<20x40xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<20x40xf32>
  return %0 : tensor<20x40xf32>
}

// -----

// expected-error @below {{kernel @transpose cannot follow plan 0, #xla_rt.nest<20x40, lanes d1 16x1, jam d0 4, overlap>: 'overlap' is for reductions and transpositions into memory of their own, whose results may be computed twice}}
func.func private @transpose(%x: tensor<40x20xf32>) -> tensor<20x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<20x40, lanes d1 16x1, jam d0 4, overlap>]} {
  %e = tensor.empty() : tensor<20x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<40x20xf32>) outs(%e : tensor<20x40xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<20x40xf32>
  return %0 : tensor<20x40xf32>
}

// -----

// What is read as it is stored may be in the memory of the result.
// expected-error @below {{kernel @sum cannot follow plan 0, #xla_rt.nest<21x40, lanes d1 16x1, jam d0 4, overlap, transpose 4>: 'overlap' is for reductions and transpositions into memory of their own, whose results may be computed twice}}
func.func private @sum(%x: tensor<40x21xf32>, %y: tensor<21x40xf32>) -> tensor<21x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<21x40, lanes d1 16x1, jam d0 4, overlap, transpose 4>]} {
  %e = tensor.empty() : tensor<21x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<40x21xf32>, tensor<21x40xf32>) outs(%e : tensor<21x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<21x40xf32>
  return %0 : tensor<21x40xf32>
}

// -----

// expected-error @below {{kernel @transpose cannot follow plan 0, #xla_rt.nest<20x40, lanes d0 16x1, jam d1 4, transpose 4>: no load is contiguous along d1 and strided along d0, so there is nothing to transpose}}
func.func private @transpose(%x: tensor<40x20xf32>) -> tensor<20x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<20x40, lanes d0 16x1, jam d1 4, transpose 4>]} {
  %e = tensor.empty() : tensor<20x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<40x20xf32>) outs(%e : tensor<20x40xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<20x40xf32>
  return %0 : tensor<20x40xf32>
}

// -----

// expected-error @below {{kernel @last cannot follow plan 0, #xla_rt.nest<6x5x40, lanes d0 4x1, reduce d2, d1>: the elements of this reduction meet in index order, so its loops are in order}}
func.func private @last(%x: tensor<5x6x40xf32>) -> tensor<6xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>, xla_rt.plans = [#xla_rt.nest<6x5x40, lanes d0 4x1, reduce d2, d1>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<5x6x40xf32>) outs(%f : tensor<6xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %is = arith.cmpf oeq, %a, %zero : f32
    %v = arith.select %is, %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// expected-error @below {{kernel @last cannot follow plan 0, #xla_rt.nest<6x5x40, lanes d1 4x1, work d0, reduce d2>: the elements of this reduction meet in index order, so only the innermost reduced dimension can be in lanes}}
func.func private @last(%x: tensor<5x6x40xf32>) -> tensor<6xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>, xla_rt.plans = [#xla_rt.nest<6x5x40, lanes d1 4x1, work d0, reduce d2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<5x6x40xf32>) outs(%f : tensor<6xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %is = arith.cmpf oeq, %a, %zero : f32
    %v = arith.select %is, %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// expected-error @below {{kernel @horner cannot follow plan 0, #xla_rt.nest<6x40, lanes d1 16x1, work d0>: nothing folds partial results of this reduction, which the lanes along d1 would hold}}
func.func private @horner(%x: tensor<6x40xf32>) -> tensor<6xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>, xla_rt.plans = [#xla_rt.nest<6x40, lanes d1 16x1, work d0>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x40xf32>) outs(%f : tensor<6xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i32
    %w = arith.sitofp %i : i32 to f32
    %p = arith.mulf %acc, %w : f32
    %v = arith.addf %p, %a : f32
    linalg.yield %v : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// expected-error @below {{kernel @rows cannot follow plan 0, #xla_rt.nest<20x40, lanes d1 16x1, cut d1 16>: the kernel has rows or several nests, which have no parallel work of their own}}
func.func private @rows(%x: tensor<20x40xf32>) -> tensor<20x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [20]>, xla_rt.plans = [#xla_rt.nest<20x40, lanes d1 16x1, cut d1 16>, #xla_rt.nest<20x40, lanes d1 16x1>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x40xf32>) outs(%f : tensor<20xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %v = arith.addf %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<20xf32>
  %o = tensor.empty() : tensor<20x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<20x40xf32>, tensor<20xf32>) outs(%o : tensor<20x40xf32>) {
  ^bb0(%a: f32, %t: f32, %b: f32):
    %v = arith.divf %a, %t : f32
    linalg.yield %v : f32
  } -> tensor<20x40xf32>
  return %0 : tensor<20x40xf32>
}

// -----

// expected-error @below {{kernel @rows cannot follow plan 0, #xla_rt.nest<20x40, lanes d0 16x1, reduce d1>: the dimension d0 in lanes is no dimension of several iterations}}
func.func private @rows(%x: tensor<20x40xf32>) -> tensor<20x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [20]>, xla_rt.plans = [#xla_rt.nest<20x40, lanes d0 16x1, reduce d1>, #xla_rt.nest<20x40, lanes d1 16x1>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x40xf32>) outs(%f : tensor<20xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %v = arith.addf %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<20xf32>
  %o = tensor.empty() : tensor<20x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<20x40xf32>, tensor<20xf32>) outs(%o : tensor<20x40xf32>) {
  ^bb0(%a: f32, %t: f32, %b: f32):
    %v = arith.divf %a, %t : f32
    linalg.yield %v : f32
  } -> tensor<20x40xf32>
  return %0 : tensor<20x40xf32>
}

// -----

// expected-error @below {{kernel @rows has 1 plan for 2 loop nests}}
func.func private @rows(%x: tensor<20x40xf32>) -> tensor<20x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [20]>, xla_rt.plans = [#xla_rt.nest<20x40, lanes d1 16x1>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x40xf32>) outs(%f : tensor<20xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %v = arith.addf %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<20xf32>
  %o = tensor.empty() : tensor<20x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<20x40xf32>, tensor<20xf32>) outs(%o : tensor<20x40xf32>) {
  ^bb0(%a: f32, %t: f32, %b: f32):
    %v = arith.divf %a, %t : f32
    linalg.yield %v : f32
  } -> tensor<20x40xf32>
  return %0 : tensor<20x40xf32>
}

// -----

// Rows of 40 do not begin at multiples of a vector.
// expected-error @below {{kernel @rows_of_40 cannot follow plan 0, #xla_rt.nest<20x40, lanes d1 16x1, jam d0 4, transpose 4, stream>: 'stream' is for results of 16 or more contiguous bytes along d1, at multiples of their size}}
func.func private @rows_of_40(%x: tensor<40x20xf32>) -> tensor<20x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.plans = [#xla_rt.nest<20x40, lanes d1 16x1, jam d0 4, transpose 4, stream>]} {
  %e = tensor.empty() : tensor<20x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<40x20xf32>) outs(%e : tensor<20x40xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<20x40xf32>
  return %0 : tensor<20x40xf32>
}

// -----

// expected-error @below {{'stream' is for the one nest of a kernel that neither reduces nor updates}}
func.func private @sums(%x: tensor<32x64xf32>) -> tensor<64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>,
                xla_rt.plans = [#xla_rt.nest<64x32, lanes d0 16x1, reduce d1, stream>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<32x64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %v = arith.addf %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// -----

// 40 columns are no whole vectors of 16.
// expected-error @below {{cannot follow plan 0, #xla_rt.nest<12x40x8, lanes d1 16x2, work d0, reduce d2, trim>: 'trim' is for a sum of products from zero}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x40x8, lanes d1 16x2, work d0, reduce d2, trim>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// Zeros change a sum that begins at -0.
// expected-error @below {{'trim' is for a sum of products from zero}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x32xf32>) -> tensor<12x32xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<12x32x8, lanes d1 16x2, work d0, reduce d2, trim>]} {
  %zero = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<12x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x32xf32>) -> tensor<12x32xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<12x8xf32>, tensor<8x32xf32>) outs(%f : tensor<12x32xf32>) -> tensor<12x32xf32>
  return %0 : tensor<12x32xf32>
}

// -----

// The edges of rows of 20 are all that there is.
#row = affine_map<(d0) -> (d0)>
// expected-error @below {{kernel @short cannot follow plan 0, #xla_rt.nest<20, lanes d0 16x1, partition>: 'partition' is for comparisons of indices with bounds that come out alike in most steps along d0, or a condition that is the same in all lanes, and there are none}}
func.func private @short(%x: tensor<20xf32>) -> tensor<20xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<20, lanes d0 16x1, partition>]} {
  %e = tensor.empty() : tensor<20xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<20xf32>) outs(%e : tensor<20xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %is_first = arith.cmpi slt, %i, %c1 : index
    %s = arith.select %is_first, %zero, %a : f32
    linalg.yield %s : f32
  } -> tensor<20xf32>
  return %0 : tensor<20xf32>
}

// -----

// A window that goes backwards.
#s = affine_map<(w, c, k) -> (w - k + 2, c)>
#k = affine_map<(w, c, k) -> (k, c)>
#o = affine_map<(w, c, k) -> (w, c)>
// expected-error @below {{kernel @window cannot follow plan 0, #xla_rt.nest<30x16x3, lanes d1 16x1, jam d0 6, reduce d2, slide>: 'slide' is for windows along d2 that move along d0}}
func.func private @window(%x: tensor<32x16xf32>, %k: tensor<3x16xf32>) -> tensor<30x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>, xla_rt.plans = [#xla_rt.nest<30x16x3, lanes d1 16x1, jam d0 6, reduce d2, slide>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<30x16xf32>) -> tensor<30x16xf32>
  %0 = linalg.generic {indexing_maps = [#s, #k, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<32x16xf32>, tensor<3x16xf32>) outs(%f : tensor<30x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<30x16xf32>
  return %0 : tensor<30x16xf32>
}

// -----

#s = affine_map<(w, c, k) -> (w + k, c)>
#k = affine_map<(w, c, k) -> (k, c)>
#o = affine_map<(w, c, k) -> (w, c)>
// expected-error @below {{kernel @window cannot follow plan 0, #xla_rt.nest<30x16x17, lanes d1 16x1, jam d0 6, reduce d2, slide>: 'slide' writes out the 17 iterations of d2; there may be 16}}
func.func private @window(%x: tensor<46x16xf32>, %k: tensor<17x16xf32>) -> tensor<30x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>, xla_rt.plans = [#xla_rt.nest<30x16x17, lanes d1 16x1, jam d0 6, reduce d2, slide>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<30x16xf32>) -> tensor<30x16xf32>
  %0 = linalg.generic {indexing_maps = [#s, #k, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<46x16xf32>, tensor<17x16xf32>) outs(%f : tensor<30x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<30x16xf32>
  return %0 : tensor<30x16xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
// Two steps of the columns are not next to each other.
// expected-error @below {{kernel @pairs cannot follow plan 0, #xla_rt.nest<8x16x6, lanes d1 16x1, work d0, reduce d2, pairs>: 'pairs' is for a sum of products of bf16 in f32, of which both factors have two steps along d2 next to each other, and one whole vectors of those along d1}}
func.func private @pairs(%x: tensor<8x6xbf16>, %y: tensor<6x16xbf16>) -> tensor<8x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<8x16x6, lanes d1 16x1, work d0, reduce d2, pairs>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#x, #y, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<8x6xbf16>, tensor<6x16xbf16>) outs(%f : tensor<8x16xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %l = arith.extf %a : bf16 to f32
    %r = arith.extf %b : bf16 to f32
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (k floordiv 2, n, k mod 2)>
#o = affine_map<(m, n, k) -> (m, n)>
// They are, and the processor that is compiled for has no such instruction.
// expected-error @below {{the processor has no vdpbf16ps of 16 lanes}}
func.func private @pairs(%x: tensor<8x6xbf16>, %y: tensor<3x16x2xbf16>) -> tensor<8x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<8x16x6, lanes d1 16x1, work d0, reduce d2, pairs>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#x, #y, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<8x6xbf16>, tensor<3x16x2xbf16>) outs(%f : tensor<8x16xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %l = arith.extf %a : bf16 to f32
    %r = arith.extf %b : bf16 to f32
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
// Columns are in no panels of pairs.
// expected-error @below {{'tile_registers' is for a sum of products of bf16 from zero in f32, along one dimension, of rows in which its steps are neighbours and columns in panels of two steps, in whole steps along d0}}
func.func private @tiles(%x: tensor<32x32xbf16>, %y: tensor<32x32xbf16>) -> tensor<32x32xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<32x32x32, lanes d1 16x2, jam d0 32, reduce d2, pairs, tile_registers>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %0 = linalg.generic {indexing_maps = [#x, #y, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%f : tensor<32x32xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %l = arith.extf %a : bf16 to f32
    %r = arith.extf %b : bf16 to f32
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (k floordiv 2, n, k mod 2)>
#o = affine_map<(m, n, k) -> (m, n)>
// They are, and the processor that is compiled for has no such registers.
// expected-error @below {{the processor has no tdpbf16ps}}
func.func private @tiles(%x: tensor<32x32xbf16>, %y: tensor<16x32x2xbf16>) -> tensor<32x32xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<32x32x32, lanes d1 16x2, jam d0 32, reduce d2, pairs, tile_registers>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %0 = linalg.generic {indexing_maps = [#x, #y, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<32x32xbf16>, tensor<16x32x2xbf16>) outs(%f : tensor<32x32xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %l = arith.extf %a : bf16 to f32
    %r = arith.extf %b : bf16 to f32
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}

// -----

#row = affine_map<(d0) -> (d0)>
// Registers have too few elements for the table.
// expected-error @below {{kernel @table cannot follow plan 0, #xla_rt.nest<960, lanes d0 16x1, lookup 16>: 'lookup' is for reads at computed places of tables that registers have, in at least 8 lanes along d0, and there are none}}
func.func private @table(%x: tensor<960xi32>, %t: tensor<257xf32>) -> tensor<960xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<960, lanes d0 16x1, lookup 16>]} {
  %e = tensor.empty() : tensor<960xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<960xi32>) outs(%e : tensor<960xf32>) {
  ^bb0(%a: i32, %out: f32):
    %c257 = arith.constant 257 : i32
    %r = arith.remui %a, %c257 : i32
    %at = arith.index_cast %r : i32 to index
    %v = tensor.extract %t[%at] : tensor<257xf32>
    linalg.yield %v : f32
  } -> tensor<960xf32>
  return %0 : tensor<960xf32>
}
