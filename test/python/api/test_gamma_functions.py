# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lgamma, digamma and bessel_i1e: the error in units of the last place, also next to zeros, and the poles."""

import math
from decimal import Decimal, localcontext

import ml_dtypes
import numpy as np
import pytest

import mlir_xla

# The f32 nearest to each zero, and the function there: mpmath in 60 digits.
NEAR_ZEROS = {
    "lgamma": [
        (-2.747682571411133, -1.4418167987778365e-07),
        (-2.4570248126983643, -1.1287842529645816e-07),
        (-3.955294370651245, 1.7780596858250852e-06),
        (-3.143580913543701, -1.9605461541614247e-07),
        (-4.991544723510742, 9.666772148365217e-06),
        (-4.039361953735352, -3.053971690394376e-06),
        (-5.998607635498047, 0.00011132306745354033),
        (-5.008218288421631, -1.4815572806334704e-05),
        (-6.9998016357421875, 0.0006440637640683667),
        (-6.00138521194458, 5.9716251821000246e-05),
        (-7.999975204467773, 0.0002972497521375302),
        (-7.0001983642578125, -0.0001555986874670934),
        (-8.99999713897705, -0.03748971522180572),
        (-8.000024795532227, 0.00019109306263327084),
        (-9.00000286102295, -0.037502599853472283),
    ],
    "digamma": [
        (1.4616321325302124, -1.203605254910667e-08),
        (-0.5040830373764038, -2.602549550299359e-07),
        (-1.5734984874725342, -1.4226449024506777e-07),
        (-2.6107208728790283, -4.811107649295407e-08),
        (-3.635293483734131, -1.3666231440553986e-06),
        (-4.653237819671631, -7.165545005566692e-07),
        (-5.6671624183654785, 3.0198472259446285e-07),
        (-6.678418159484863, 7.298146316066773e-07),
        (-7.687788486480713, -2.287950788523026e-06),
        (-8.695764541625977, -5.548504013357401e-06),
        (-9.702672958374023, -6.3459701615588964e-06),
        (-10.708741188049316, -5.464664894296032e-06),
        (-11.714133262634277, -3.2329899809104413e-06),
    ],
}
# Numbers of f64 in every range of the formulas, and next to the positive zeros, likewise.
DOUBLE = {
    "lgamma": [
        (1e-300, 690.7755278982137),
        (1e-05, 11.512919692895826),
        (0.1, 2.252712651734206),
        (0.37, 0.8769468194848793),
        (0.58, 0.42978709263811143),
        (0.62499, 0.3608440227466465),
        (0.626, 0.35937848583953325),
        (0.75, 0.20328095143129538),
        (0.9, 0.06637623973474295),
        (0.999, 0.0005780385328913802),
        (0.9999999999999999, 6.408381213480008e-17),
        (1.0000000000000002, -1.2816762426960008e-16),
        (1.0001, -5.771334222047127e-05),
        (1.3, -0.10817480950786047),
        (1.4616, -0.12148629003589732),
        (1.8, -0.07108387291437215),
        (1.9999, -4.227520877215346e-05),
        (1.9999999999999998, -9.387698065543117e-17),
        (2.0000000000000004, 1.8775396131086244e-16),
        (2.001, 0.000423106734800117),
        (2.37, 0.19750528598104597),
        (2.38, 0.2039046783103754),
        (3.1, 0.7873750832738625),
        (4.9, 3.028556900377341),
        (7.99, 8.50501160608848),
        (8.01, 8.545324429747733),
        (20.5, 40.8315009745308),
        (171.7, 710.171612940375),
        (1000000.0, 12815504.569147611),
        (1e300, 6.897755278982137e302),
        (-1e-05, 11.512931237209125),
        (-0.2, 1.7614975908339379),
        (-0.7, 1.4524729387568078),
        (-1.5, 0.860047015376481),
        (-30.3, -74.32837301253049),
    ],
    "digamma": [
        (1e-300, -9.999999999999999e299),
        (1e-05, -100000.57719921567),
        (0.1, -10.423754940411076),
        (0.49, -2.013716050695126),
        (0.51, -1.9149875241635756),
        (0.83, -0.8979511566119328),
        (0.999, -0.5788618021086455),
        (1.0, -0.5772156649015329),
        (1.01, -0.5608854578686745),
        (1.3, -0.16919088886679962),
        (1.46, -0.0015805619870834522),
        (1.461632144968362, -3.072790566546293e-16),
        (1.4616321449683622, -9.241265521729427e-17),
        (1.4616321449683625, 1.2245374622004068e-16),
        (1.47, 0.008066489011364869),
        (1.8, 0.28499143329386156),
        (1.9999, 0.42271983967113097),
        (2.0, 0.42278433509846713),
        (2.01, 0.4292135520323155),
        (3.0, 0.9227843350984671),
        (4.9, 1.483737793254897),
        (7.83, 1.992748512560552),
        (8.01, 2.0169719639065193),
        (20.5, 2.9958363947076467),
        (1000000.0, 13.815510057964191),
        (1e300, 690.7755278982137),
        (-1e-05, 99999.42276788563),
        (-0.2, 4.034991433293861),
        (-0.7, -2.073952793628704),
        (-1.3, 2.8825405488661673),
        (-30.3, 5.7100592729113115),
    ],
}


def run(op, x, target="cpu"):
    name = {"float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16"}[x.dtype.name]
    tensor = f"tensor<{x.size}x{name}>"
    text = f"func.func @main(%x: {tensor}) -> {tensor} {{\n  %0 = xla.{op} %x : {tensor}\n  return %0 : {tensor}\n}}"
    return np.asarray(mlir_xla.compile(text, target=target)(x))


def ulps(given, exact):
    return np.abs(given.astype(np.float64) - exact) / np.spacing(np.abs(exact.astype(given.dtype))).astype(np.float64)


@pytest.mark.parametrize("op", NEAR_ZEROS)
def test_f32_next_to_zeros(op):
    x, exact = np.array(NEAR_ZEROS[op]).T
    assert ulps(run(op, x.astype(np.float32)), exact).max() <= 1


@pytest.mark.parametrize("op", DOUBLE)
def test_f64(op):
    x, exact = np.array(DOUBLE[op]).T
    assert ulps(run(op, x), exact).max() <= 4


@np.errstate(all="ignore")
def test_f32_lgamma():
    """Every order of magnitude on both sides; libm's f64 is exact in comparison."""
    random = np.random.default_rng(0)
    parts = [random.uniform(0, 3, 2000), random.uniform(-40, 40, 2000), 2.0 ** random.uniform(-140, 121, 1000)]
    parts.append(-(2.0 ** random.uniform(-140, 20, 1000)))
    x = np.concatenate(parts).astype(np.float32)
    x = x[(x > 0) | (x != np.rint(x))]
    exact = np.vectorize(math.lgamma, otypes=[float])(x.astype(np.float64))
    assert ulps(run("lgamma", x), exact).max() <= 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_special_values(dtype):
    inf, nan = math.inf, math.nan
    x = np.array([0.0, -0.0, -1, -2, -1e30, 1, 2, inf, -inf, nan], dtype)
    np.testing.assert_array_equal(run("lgamma", x), np.array([inf] * 5 + [0, 0, inf, inf, nan], dtype))
    np.testing.assert_array_equal(run("digamma", x[[0, 1, 2, 3, 4, 7, 8, 9]]), [nan] * 5 + [inf, nan, nan])


@pytest.mark.parametrize("op", ["lgamma", "digamma"])
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
@np.errstate(all="ignore")
def test_narrow_floats_are_rounded_once(op, dtype):
    every = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    wide = run(op, every.astype(np.float64))
    odd = wide.astype(np.float32)  # to odd, so that the next rounding sees whether something was left
    bits = odd.view(np.uint32)
    bits -= (np.abs(odd.astype(np.float64)) > np.abs(wide)).astype(np.uint32)
    bits |= (odd.astype(np.float64) != wide) & np.isfinite(odd)
    np.testing.assert_array_equal(run(op, every).astype(np.float32), odd.astype(dtype).astype(np.float32))


@pytest.mark.parametrize(("target", "most"), [("reference", 1), ("cpu", 2)])
def test_bessel_i1e(target, most):
    """By its power series in 200 digits (Abramowitz and Stegun 9.6.10)."""
    x = np.concatenate([np.geomspace(1e-3, 300, 60), -np.linspace(7.5, 32, 50)])
    exact = []
    with localcontext() as context:
        context.prec = 200
        for value in x:
            half = Decimal(float(value)) / 2
            total = term = half
            k = 1
            while abs(term) > abs(total) * Decimal(10) ** -40:
                term *= half * half / (k * (k + 1))
                total += term
                k += 1
            exact.append(float(total * (-2 * abs(half)).exp()))
    assert ulps(run("bessel_i1e", x, target), np.array(exact)).max() <= most
