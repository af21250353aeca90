// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-kernels="vector-bits=256 instructions=pmaddwd,vdpbf16ps"
// Tiles that a nest or the processor does not allow: the error names the kernel, the plan and the rule.

// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.tiles<12x40x9, m d0 12, n d1 48, k d2 8, register 6x1, lanes 16, instruction fma>: it is for a nest of sizes [12, 40, 9], and the nest has [12, 40, 8]}}
func.func private @product(%x: tensor<12x8xi8>, %y: tensor<8x40xi8>) -> tensor<12x40xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x9, m d0 12, n d1 48, k d2 8, register 6x1, lanes 16>]} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<12x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x40xi32>) -> tensor<12x40xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xi8>, tensor<8x40xi8>) outs(%f : tensor<12x40xi32>) {
    ^bb0(%a: i8, %b: i8, %c: i32):
      %ea = arith.extsi %a : i8 to i32
      %eb = arith.extsi %b : i8 to i32
      %p = arith.muli %ea, %eb : i32
      %s = arith.addi %c, %p : i32
      linalg.yield %s : i32
  } -> tensor<12x40xi32>
  return %0 : tensor<12x40xi32>
}

// -----

// expected-error @below {{m is d2, which is no parallel dimension of several iterations}}
func.func private @product(%x: tensor<12x8xi8>, %y: tensor<8x40xi8>) -> tensor<12x40xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d2 12, n d1 48, k d0 8, register 6x1, lanes 16>]} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<12x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x40xi32>) -> tensor<12x40xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xi8>, tensor<8x40xi8>) outs(%f : tensor<12x40xi32>) {
    ^bb0(%a: i8, %b: i8, %c: i32):
      %ea = arith.extsi %a : i8 to i32
      %eb = arith.extsi %b : i8 to i32
      %p = arith.muli %ea, %eb : i32
      %s = arith.addi %c, %p : i32
      linalg.yield %s : i32
  } -> tensor<12x40xi32>
  return %0 : tensor<12x40xi32>
}

// -----

// expected-error @below {{m is d2, which is no parallel dimension of several iterations}}
func.func private @product(%x: tensor<12x8xi8>, %y: tensor<8x40xi8>) -> tensor<12x40xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d2 12, n d1 48, k d0 8, register 6x1, lanes 16>]} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<12x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x40xi32>) -> tensor<12x40xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xi8>, tensor<8x40xi8>) outs(%f : tensor<12x40xi32>) {
    ^bb0(%a: i8, %b: i8, %c: i32):
      %ea = arith.extsi %a : i8 to i32
      %eb = arith.extsi %b : i8 to i32
      %p = arith.muli %ea, %eb : i32
      %s = arith.addi %c, %p : i32
      linalg.yield %s : i32
  } -> tensor<12x40xi32>
  return %0 : tensor<12x40xi32>
}

// -----

// expected-error @below {{d0 has 12 iterations, fewer than the 13 rows in registers}}
func.func private @product(%x: tensor<12x8xi8>, %y: tensor<8x40xi8>) -> tensor<12x40xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d0 26, n d1 48, k d2 8, register 13x1, lanes 16>]} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<12x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x40xi32>) -> tensor<12x40xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xi8>, tensor<8x40xi8>) outs(%f : tensor<12x40xi32>) {
    ^bb0(%a: i8, %b: i8, %c: i32):
      %ea = arith.extsi %a : i8 to i32
      %eb = arith.extsi %b : i8 to i32
      %p = arith.muli %ea, %eb : i32
      %s = arith.addi %c, %p : i32
      linalg.yield %s : i32
  } -> tensor<12x40xi32>
  return %0 : tensor<12x40xi32>
}

// -----

// expected-error @below {{the processor has no vpdpbusd}}
func.func private @product(%x: tensor<12x8xi8>, %y: tensor<8x40xi8>) -> tensor<12x40xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d0 12, n d1 48, k d2 8, register 6x1, lanes 16, instruction vpdpbusd, pack a, b>]} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<12x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x40xi32>) -> tensor<12x40xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xi8>, tensor<8x40xi8>) outs(%f : tensor<12x40xi32>) {
    ^bb0(%a: i8, %b: i8, %c: i32):
      %ea = arith.extsi %a : i8 to i32
      %eb = arith.extsi %b : i8 to i32
      %p = arith.muli %ea, %eb : i32
      %s = arith.addi %c, %p : i32
      linalg.yield %s : i32
  } -> tensor<12x40xi32>
  return %0 : tensor<12x40xi32>
}

// -----

// expected-error @below {{pmaddwd has 4, 8 or 16 lanes, not 32}}
func.func private @product(%x: tensor<12x8xi8>, %y: tensor<8x40xi8>) -> tensor<12x40xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d0 12, n d1 64, k d2 8, register 6x1, lanes 32, instruction pmaddwd, pack a, b>]} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<12x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x40xi32>) -> tensor<12x40xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xi8>, tensor<8x40xi8>) outs(%f : tensor<12x40xi32>) {
    ^bb0(%a: i8, %b: i8, %c: i32):
      %ea = arith.extsi %a : i8 to i32
      %eb = arith.extsi %b : i8 to i32
      %p = arith.muli %ea, %eb : i32
      %s = arith.addi %c, %p : i32
      linalg.yield %s : i32
  } -> tensor<12x40xi32>
  return %0 : tensor<12x40xi32>
}

// -----

// expected-error @below {{the processor has no pmaddwd of 16 lanes}}
func.func private @product(%x: tensor<12x8xi8>, %y: tensor<8x40xi8>) -> tensor<12x40xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d0 12, n d1 48, k d2 8, register 6x1, lanes 16, instruction pmaddwd, pack a, b>]} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<12x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x40xi32>) -> tensor<12x40xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xi8>, tensor<8x40xi8>) outs(%f : tensor<12x40xi32>) {
    ^bb0(%a: i8, %b: i8, %c: i32):
      %ea = arith.extsi %a : i8 to i32
      %eb = arith.extsi %b : i8 to i32
      %p = arith.muli %ea, %eb : i32
      %s = arith.addi %c, %p : i32
      linalg.yield %s : i32
  } -> tensor<12x40xi32>
  return %0 : tensor<12x40xi32>
}

// -----

// expected-error @below {{pmaddwd sums integers of 32 bits, not 'f32'}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d0 12, n d1 48, k d2 8, register 6x1, lanes 8, instruction pmaddwd, pack a, b>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  } -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{pmaddwd multiplies integers of at most 16 bits that are neighbours in memory along d0 or d2}}
func.func private @product(%x: tensor<12x8xi32>, %y: tensor<8x40xi32>) -> tensor<12x40xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d0 12, n d1 48, k d2 8, register 6x1, lanes 8, instruction pmaddwd, pack a, b>]} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<12x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x40xi32>) -> tensor<12x40xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xi32>, tensor<8x40xi32>) outs(%f : tensor<12x40xi32>) {
    ^bb0(%a: i32, %b: i32, %c: i32):
      %p = arith.muli %a, %b : i32
      %s = arith.addi %c, %p : i32
      linalg.yield %s : i32
  } -> tensor<12x40xi32>
  return %0 : tensor<12x40xi32>
}

// -----

// expected-error @below {{vdpbf16ps sums f32, not 'i32'}}
func.func private @product(%x: tensor<12x8xi32>, %y: tensor<8x40xi32>) -> tensor<12x40xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d0 12, n d1 48, k d2 8, register 6x1, lanes 8, instruction vdpbf16ps, pack a, b>]} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<12x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x40xi32>) -> tensor<12x40xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xi32>, tensor<8x40xi32>) outs(%f : tensor<12x40xi32>) {
    ^bb0(%a: i32, %b: i32, %c: i32):
      %p = arith.muli %a, %b : i32
      %s = arith.addi %c, %p : i32
      linalg.yield %s : i32
  } -> tensor<12x40xi32>
  return %0 : tensor<12x40xi32>
}

// -----

// expected-error @below {{vdpbf16ps multiplies bf16 that are neighbours in memory along d0 or d2}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d0 12, n d1 48, k d2 8, register 6x1, lanes 8, instruction vdpbf16ps, pack a, b>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  } -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{tiles are for the sum of products that is all a kernel computes, but for what it does with the sums}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d0 12, n d1 48, k d2 8, register 6x1, lanes 16>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.addf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  } -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{one factor must depend on d0 and d2 and not on d1, the other on d1 and d2 and not on d0}}
func.func private @product(%x: tensor<12x8xf32>, %y: tensor<8x40xf32>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d0 12, n d1 48, k d2 8, register 6x1, lanes 16>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xf32>, tensor<8x40xf32>) outs(%f : tensor<12x40xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %a : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  } -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{elements of type 'i4' are no lanes in memory, where packed ones would be}}
func.func private @product(%x: tensor<12x8xi4>, %y: tensor<8x40xi4>) -> tensor<12x40xi4>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x8, m d0 12, n d1 48, k d2 8, register 6x1, lanes 8>]} {
  %zero = arith.constant 0 : i4
  %e = tensor.empty() : tensor<12x40xi4>
  %f = linalg.fill ins(%zero : i4) outs(%e : tensor<12x40xi4>) -> tensor<12x40xi4>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x8xi4>, tensor<8x40xi4>) outs(%f : tensor<12x40xi4>) {
    ^bb0(%a: i4, %b: i4, %c: i4):
      %p = arith.muli %a, %b : i4
      %s = arith.addi %c, %p : i4
      linalg.yield %s : i4
  } -> tensor<12x40xi4>
  return %0 : tensor<12x40xi4>
}
