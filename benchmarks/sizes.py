# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices of sizes and layouts drawn at random, beside NumPy's library: where do sizes fall off a cliff?

    python benchmarks/sizes.py                     100 products of f32
    python benchmarks/sizes.py --seed 3 --count 200 --dtype f64

Rows, steps and columns are few or many, powers of two or primes, and either factor may be transposed. Both libraries
run in this process, in turns, and have all cores. Printed are the products at which this project is slowest beside
NumPy, by the least times of all turns: the ratio (above 1 this project is faster), its operations and bytes per
second, and how many kernels the product became.
"""

from __future__ import annotations

import argparse
import functools
import random
import time

import isa
import numpy as np
from measure import aligned

import mlir_xla

SIZES = (3, 5, 8, 17, 33, 50, 64, 100, 130, 197, 256, 300, 384, 500, 768, 1000, 1021, 2048, 3000, 5000)
DTYPES = {"f32": np.float32, "f64": np.float64}
#: Operations of a product: more than waking a core takes, and few enough for many products.
LEAST, MOST = 3e7, 2e9


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100, help="products")
    parser.add_argument("--dtype", choices=DTYPES, default="f32")
    parser.add_argument("--shown", type=int, default=20, help="products that are printed")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each library per product")
    parser.add_argument("--sample-ms", type=float, default=40.0, help="length of a turn's calls")
    return parser.parse_args()


def program(m: int, k: int, n: int, left: bool, right: bool, dtype: str) -> str:
    """The product of m by k and k by n elements; `left` and `right`: this factor is transposed in memory."""

    def tensor(*dims: int) -> str:
        return f"tensor<{'x'.join(map(str, dims))}x{dtype}>"

    x, y, result = tensor(*((k, m) if left else (m, k))), tensor(*((n, k) if right else (k, n))), tensor(m, n)
    dims = f"contracting_dims = [{0 if left else 1}] x [{1 if right else 0}]"
    return f"""
func.func @main(%x: {x}, %y: {y}) -> {result} {{
  %0 = xla.dot_general %x, %y, {dims} : ({x}, {y}) -> {result}
  return %0 : {result}
}}
"""


def least_time(call, seconds: float) -> float:
    """The least time of the calls that fit into so many seconds."""
    least, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()
        least = min(least, time.perf_counter() - start)
    return least


def main() -> None:
    settings = options()
    chance, rng = random.Random(settings.seed), np.random.default_rng(settings.seed)
    dtype = DTYPES[settings.dtype]
    found = []
    while len(found) < settings.count:
        m, k, n = (chance.choice(SIZES) for _ in range(3))
        left, right = chance.random() < 0.5, chance.random() < 0.5
        if not LEAST < 2 * m * k * n < MOST:
            continue
        executable = mlir_xla.compile(program(m, k, n, left, right, settings.dtype), **isa.options())
        x = aligned(rng.standard_normal((k, m) if left else (m, k)).astype(dtype))
        y = aligned(rng.standard_normal((n, k) if right else (k, n)).astype(dtype))
        a, b = x.T if left else x, y.T if right else y
        np.testing.assert_allclose(executable(x, y), a @ b, rtol=1e-3, atol=1e-2)
        ours = theirs = float("inf")
        for _ in range(settings.rounds):
            ours = min(ours, least_time(functools.partial(executable, x, y), settings.sample_ms / 1e3))
            theirs = min(theirs, least_time(functools.partial(np.matmul, a, b), settings.sample_ms / 1e3))
        layout = ("transposed" if left else "rows") + " by " + ("transposed" if right else "columns")
        kernels = executable.stages["kernels"].count("call @")
        moved = (m * k + k * n + m * n) * x.itemsize / ours / 1e9
        found.append((theirs / ours, f"{m}x{k}x{n}", layout, ours * 1e6, 2e-9 * m * k * n / ours, moved, kernels))
    found.sort()
    for ratio, sizes, layout, micros, flops, moved, kernels in found[: settings.shown]:
        rates = f"{micros:9.1f} us {flops:7.1f} GF/s {moved:5.0f} GB/s"
        print(f"{ratio:6.2f}x {sizes:16} {layout:26} {rates}  kernels {kernels}")
    slower = sum(each[0] < 1 for each in found)
    mean = np.exp(np.mean(np.log([each[0] for each in found])))
    print(f"{len(found)} products, geometric mean {mean:.2f}x, {slower} slower than NumPy")


if __name__ == "__main__":
    main()
