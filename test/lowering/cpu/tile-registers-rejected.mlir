// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-kernels="instructions=pmaddwd,tdpbssd,tdpbf16ps"
// What tile registers do not allow of a nest or a processor.

// expected-error @below {{the processor has no tdpfp16ps}}
func.func private @product(%x: tensor<12x64xf16>, %y: tensor<64x40xf16>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x64, m d0 12, n d1 48, k d2 64, register 12x3, lanes 16, instruction tdpfp16ps, pack b>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x64xf16>, tensor<64x40xf16>) outs(%f : tensor<12x40xf32>) {
    ^bb0(%a: f16, %b: f16, %c: f32):
      %ea = arith.extf %a : f16 to f32
      %eb = arith.extf %b : f16 to f32
      %p = arith.mulf %ea, %eb : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  } -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{tdpbssd sums integers of 32 bits, not 'f32'}}
func.func private @product(%x: tensor<12x64xbf16>, %y: tensor<64x40xbf16>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x64, m d0 12, n d1 48, k d2 64, register 12x3, lanes 16, instruction tdpbssd, pack a, b>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x64xbf16>, tensor<64x40xbf16>) outs(%f : tensor<12x40xf32>) {
    ^bb0(%a: bf16, %b: bf16, %c: f32):
      %ea = arith.extf %a : bf16 to f32
      %eb = arith.extf %b : bf16 to f32
      %p = arith.mulf %ea, %eb : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  } -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{tdpbf16ps multiplies bf16 that are neighbours in memory along d0 or d2}}
func.func private @product(%x: tensor<12x64xf16>, %y: tensor<64x40xf16>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x64, m d0 12, n d1 48, k d2 64, register 12x3, lanes 16, instruction tdpbf16ps, pack a, b>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x64xf16>, tensor<64x40xf16>) outs(%f : tensor<12x40xf32>) {
    ^bb0(%a: f16, %b: f16, %c: f32):
      %ea = arith.extf %a : f16 to f32
      %eb = arith.extf %b : f16 to f32
      %p = arith.mulf %ea, %eb : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  } -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// expected-error @below {{tdpbf16ps reads rows that are not packed along d2, in whole steps of 32}}
func.func private @product(%x: tensor<12x63xbf16>, %y: tensor<63x40xbf16>) -> tensor<12x40xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.tiles<12x40x63, m d0 12, n d1 48, k d2 64, register 12x3, lanes 16, instruction tdpbf16ps, pack b>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12x63xbf16>, tensor<63x40xbf16>) outs(%f : tensor<12x40xf32>) {
    ^bb0(%a: bf16, %b: bf16, %c: f32):
      %ea = arith.extf %a : bf16 to f32
      %eb = arith.extf %b : bf16 to f32
      %p = arith.mulf %ea, %eb : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  } -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}
