# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A loop that runs until it has converged: cube roots by Newton's iteration, as a While of the builder.

    python examples/newton.py

The loop is a loop of machine code: no step of it returns to Python or to a dispatcher.
"""

import time

import numpy as np

import mlir_xla
from mlir_xla import Shape, XlaBuilder, ops

COUNT = 4096
vector = Shape(np.float32, (COUNT,))
scalar = Shape(np.float32, ())
state = Shape.tuple([vector, vector, scalar])  # the numbers, the guesses, the largest relative change of the last step


def maximum():
    """The larger of two scalars, for a reduction."""
    builder = XlaBuilder("maximum")
    a, b = (ops.Parameter(builder, i, scalar, "ab"[i]) for i in range(2))
    return builder.build(ops.Max(a, b))


def moving():
    """Whether any guess still moved by more than 1e-6 of itself."""
    builder = XlaBuilder("moving")
    _, _, change = ops.Parameter(builder, 0, state, "state")
    return builder.build(change > 1e-6)


def step():
    """x <- (2 x + a / x^2) / 3."""
    builder = XlaBuilder("step")
    a, x, _ = ops.Parameter(builder, 0, state, "state")
    new = (2 * x + a / (x * x)) / 3
    change = ops.Reduce(abs((new - x) / new), ops.ConstantR0(builder, np.float32(0)), maximum(), [0])
    return builder.build(ops.Tuple(builder, [a, new, change]))


def cube_roots():
    """The whole program."""
    builder = XlaBuilder("cube_roots")
    a = ops.Parameter(builder, 0, vector, "a")
    start = ops.Tuple(builder, [a, a, ops.ConstantR0(builder, np.float32(1))])
    _, roots, _ = ops.While(moving(), step(), start)
    return builder.build(roots)


program = mlir_xla.compile(cube_roots())
numbers = np.random.default_rng(0).uniform(0.1, 1000.0, COUNT).astype(np.float32)
roots = program(numbers)
print("largest error:", float(np.abs(roots**3 / numbers - 1).max()))
np.testing.assert_allclose(roots, np.cbrt(numbers), rtol=1e-5)

begin = time.perf_counter()
for _ in range(100):
    program(numbers)
compiled = (time.perf_counter() - begin) / 100

begin = time.perf_counter()
x = numbers.copy()
change = 1.0
while change > 1e-6:
    new = (2 * x + numbers / (x * x)) / 3
    change = np.max(np.abs((new - x) / new))
    x = new
print(f"compiled: {compiled * 1e6:.0f} us a call; the same loop in NumPy: {(time.perf_counter() - begin) * 1e6:.0f} us")
