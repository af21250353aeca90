# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results in the memory of arguments are those in memory of their own, to the bit, in whatever way nests are walked."""

from pathlib import Path

import numpy as np
import pytest
from plan_text import HOST, VECTOR_BITS, kernels

import mlir_xla
from mlir_xla import ir, parse
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.passmanager import PassManager
from mlir_xla.tools import _arrays

PROGRAMS = sorted((Path(__file__).resolve().parents[2] / "programs").glob("*.mlir"))


def emitted(program, reuse: bool) -> ir.Module:
    """The program with its kernels as loops, and buffers still to be placed."""
    module = parse(program)
    with module.context:
        options = f"vector-bits={VECTOR_BITS} reuse={str(reuse).lower()}"
        passes = f"xla-to-kernels{HOST},xla-emit-kernels{{{options}}}"
        PassManager.parse(f"builtin.module({passes})").run(module.operation)
    return module


def compiled(module: ir.Module) -> compiler.Executable:
    with module.context:
        PassManager.parse("builtin.module(xla-assign-buffers)").run(module.operation)
    return compiler.compile(module.operation, from_stage="loops")


def signless(array: np.ndarray) -> np.ndarray:
    """As the signature is at the stage `loops`."""
    return array.view(array.dtype.name.replace("uint", "int")) if array.dtype.kind == "u" else array


def check(program) -> tuple[int, int]:
    """Bytes of the arena in place and out of place, whose results are the same."""
    inside, outside = (compiled(emitted(program, reuse)) for reuse in (True, False))
    arguments = [signless(x) for x in _arrays.synthetic(mlir_xla.compile(program).arg_types, seed=7)]
    for have, want in zip(inside.run(arguments), outside.run(arguments), strict=True):
        assert have.tobytes() == want.tobytes()
    return inside.arena_size, outside.arena_size


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs(path):
    check(path)


def program(arguments: str, body: str, result: str) -> str:
    """`body` on %y, an intermediate value of the type of the result that nothing else reads, as is what it gives."""
    return f"""func.func @main({arguments}, %given: tensor<{result}>) -> tensor<{result}> {{
      %zero = xla.constant dense<0.0> : tensor<f32>
      %sum = xla.add %given, %given : tensor<{result}>
      %y = xla.optimization_barrier %sum : tensor<{result}>
      {body}
      %kept = xla.optimization_barrier %r : tensor<{result}>
      %0 = xla.negate %kept : tensor<{result}>
      return %0 : tensor<{result}>
    }}"""


def product(m: int, k: int, n: int) -> tuple[str, str, str]:
    return (
        f"%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>",
        f"""%d = xla.dot_general %a, %b, contracting_dims = [1] x [0]
            : (tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
        %r = xla.multiply %d, %y : tensor<{m}x{n}xf32>""",
        f"{m}x{n}xf32",
    )


COLUMNS = (
    "%a: tensor<200x300xf32>",
    """%s = xla.reduce(%a init: %zero) applies xla.add across dimensions = [0]
        : (tensor<200x300xf32>, tensor<f32>) -> tensor<300xf32>
    %r = xla.multiply %s, %y : tensor<300xf32>""",
    "300xf32",
)
TRANSPOSED = (
    "%a: tensor<70x50xf32>",
    """%t = xla.transpose %a, dims = [1, 0] : (tensor<70x50xf32>) -> tensor<50x70xf32>
    %r = xla.subtract %t, %y : tensor<50x70xf32>""",
    "50x70xf32",
)
REVERSED = (
    "%a: tensor<f32>",
    """%t = xla.reverse %y, dims = [0] : tensor<100xf32>
    %r = xla.multiply %t, %t : tensor<100xf32>""",
    "100xf32",
)
ELEMENTWISE = ("%a: tensor<101xf32>", "%r = xla.multiply %y, %a : tensor<101xf32>", "101xf32")
ROWS = (
    "%a: tensor<40x100xf32>",
    """%s = xla.reduce(%y init: %zero) applies xla.add across dimensions = [1]
        : (tensor<40x100xf32>, tensor<f32>) -> tensor<40xf32>
    %sb = xla.broadcast_in_dim %s, dims = [0] : (tensor<40xf32>) -> tensor<40x100xf32>
    %e = xla.subtract %y, %sb : tensor<40x100xf32>
    %e2 = xla.exponential %e : tensor<40x100xf32>
    %t = xla.reduce(%e2 init: %zero) applies xla.add across dimensions = [1]
        : (tensor<40x100xf32>, tensor<f32>) -> tensor<40xf32>
    %tb = xla.broadcast_in_dim %t, dims = [0] : (tensor<40xf32>) -> tensor<40x100xf32>
    %r = xla.multiply %a, %tb : tensor<40x100xf32>""",
    "40x100xf32",
)

SCAN = (
    "%a: tensor<9x100xf32>",
    """%s = "xla.reduce_window"(%y, %zero) <{window_dimensions = array<i64: 1, 100>,
        padding = dense<[[0, 0], [99, 0]]> : tensor<2x2xi64>}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %m = xla.add %p, %q : tensor<f32>
        xla.return %m : tensor<f32>
      }) : (tensor<9x100xf32>, tensor<f32>) -> tensor<9x100xf32>
    %r = xla.multiply %s, %a : tensor<9x100xf32>""",
    "9x100xf32",
)

# The way of walking, what its kernel says, and whether the result may be in the memory of %y.
WALKS = {
    "elementwise": (ELEMENTWISE, "arith.mulf", True),
    "another element": (REVERSED, "arith.mulf", False),
    "transposed": (TRANSPOSED, "transpose 4", True),
    "reduction with epilogue": (product(48, 30, 64), "jam", True),
    "masked": (product(24, 300, 200), "masked", True),
    "overlapping": (product(47, 30, 64), "overlap", False),
    "in memory": (COLUMNS, "in_memory", False),
    "scan": (SCAN, "ordered", True),
    "rows in several nests": (ROWS, "#xla_rt.kernel<rows", True),
}


@pytest.mark.parametrize("name", ["f32", "f64", "bf16", "i8", "i4"])
def test_ends_of_rows(name):
    """What is behind the last whole vector of a row is stored without a trace in the next row, or lanes left out."""
    for columns in [*range(9, 16), *range(17, 32), 63]:
        result = f"5x{columns}x{name}"
        body = f"""%b = xla.broadcast_in_dim %a, dims = [1] : (tensor<{columns}x{name}>) -> tensor<{result}>
          %r = xla.add %y, %b : tensor<{result}>"""
        text = program(f"%a: tensor<{columns}x{name}>", body, result)
        check(text)
        executable = mlir_xla.compile(text)
        arguments = _arrays.synthetic(executable.arg_types, seed=columns)
        np.testing.assert_array_equal(executable(*arguments), mlir_xla.compile(text, target="reference")(*arguments))


@pytest.mark.parametrize("walk", WALKS)
def test_walks(walk):
    (arguments, body, result), says, is_reused = WALKS[walk]
    text = program(arguments, body, result)
    (name,) = (kernel.partition("(")[0] for kernel in kernels(text).split("func.func private @")[1:] if says in kernel)
    lines = emitted(text, reuse=True).operation.get_asm().splitlines()
    (line,) = (line for line in lines if f"implementation<@{name}.impl" in line)
    inside, outside = check(text)
    assert inside <= outside
    assert ("may_reuse" in line) == is_reused
    assert "may_reuse" not in emitted(text, reuse=False).operation.get_asm()
