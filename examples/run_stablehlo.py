# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a StableHLO file on NumPy arrays, and on the reference interpreter to see that both agree.

python examples/run_stablehlo.py
"""

import pathlib
import time

import numpy as np

import mlir_xla

program = pathlib.Path(__file__).resolve().parent / "softmax.mlir"
softmax = mlir_xla.compile(program)  # a path; the text itself will do as well
x = np.random.default_rng(0).standard_normal((256, 1000)).astype(np.float32)

y = softmax(x)
print(f"rows sum to {y.sum(axis=1).min():.6f} .. {y.sum(axis=1).max():.6f}")

start = time.perf_counter()
for _ in range(100):
    softmax(x)
print(f"{(time.perf_counter() - start) * 1e4:.0f} us a call")

# Any strides will do; a call copies where it must.
columns = np.asfortranarray(x)
np.testing.assert_array_equal(softmax(columns), y)

# The interpreter shares no code with the compiler: it is the oracle of the tests.
oracle = mlir_xla.compile(program, target="reference")
np.testing.assert_allclose(oracle(x), y, rtol=1e-5)
print("the reference interpreter agrees")

# Wrong arrays are refused in words.
try:
    softmax(x[:10])
except TypeError as error:
    print(f"{type(error).__name__}: {error}")
