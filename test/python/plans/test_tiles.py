# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of products in tiles, whatever the tiles: refused with a message, or right. Types, orders of dimensions,
remainders of all of them, blocks of each, epilogues, infinities and NaN beside the last columns and rows."""

from __future__ import annotations

import random
import re

import ml_dtypes
import numpy as np
import pytest
from plan_text import kernels, run

from mlir_xla import MLIRError

# The plan of the product; a kernel that packs an operand has another one.
PLAN = re.compile(r"#xla_rt\.(nest(?=<[^<>]*reduce)|tiles)<([^<>]*)>")
REFUSED = re.compile(r"kernel @\S+ cannot follow plan 0, #xla_rt\.tiles<.*>: ")
TYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "i32": np.int32,
    "i8": np.int8,
}

MATRICES = ("50x33", "33x70", "50x70", "contracting_dims = [1] x [0]")
# name: element, the types of the sum and the shapes, and what comes behind
PROGRAMS = {
    "f32": ("f32", "f32", *MATRICES),
    "f64": ("f64", "f64", *MATRICES),
    "bf16": ("bf16", "f32", *MATRICES),
    "bf16, columns transposed": ("bf16", "f32", "50x33", "70x33", "50x70", "contracting_dims = [1] x [1]"),
    "bf16, columns transposed, vectors": ("bf16", "f32", "50x40", "80x40", "50x80", "contracting_dims = [1] x [1]"),
    "f16": ("f16", "f32", *MATRICES),
    "i32": ("i32", "i32", *MATRICES),
    "i8": ("i8", "i32", *MATRICES),
    "rows transposed": ("f32", "f32", "33x50", "33x70", "50x70", "contracting_dims = [0] x [0]"),
    "columns transposed": ("f32", "f32", "50x33", "70x33", "50x70", "contracting_dims = [1] x [1]"),
    "rows transposed, f64": ("f64", "f64", "33x50", "33x70", "50x70", "contracting_dims = [0] x [0]"),
    "rows transposed, vectors": ("f32", "f32", "48x50", "48x80", "50x80", "contracting_dims = [0] x [0]"),
    "columns transposed, vectors": ("f64", "f64", "50x33", "80x33", "50x80", "contracting_dims = [1] x [1]"),
    "both transposed": ("f32", "f32", "64x50", "96x64", "50x96", "contracting_dims = [0] x [1]"),
    "long": ("f32", "f32", "9x700", "700x40", "9x40", "contracting_dims = [1] x [0]"),
    "batched": ("f32", "f32", "3x9x30", "3x30x40", "3x9x40", "batching_dims = [0] x [0], contracting_dims = [2] x [1]"),
}


def program(element: str, result: str, left: str, right: str, shape: str, dims: str) -> str:
    x, y, r = f"tensor<{left}x{element}>", f"tensor<{right}x{element}>", f"tensor<{shape}x{result}>"
    return f"""
    func.func @main(%x: {x}, %y: {y}, %z: {r}) -> {r} {{
      %0 = xla.dot_general %x, %y, {dims} : ({x}, {y}) -> {r}
      %1 = xla.add %0, %z : {r}
      %2 = xla.maximum %1, %z : {r}
      return %2 : {r}
    }}"""


def arguments(element: str, result: str, left: str, right: str, shape: str, dims: str) -> list[np.ndarray]:
    """Small integers, whatever the type: no order of sums and products rounds."""
    rng = np.random.default_rng(5)
    shapes = [tuple(map(int, text.split("x"))) for text in (left, right, shape)]
    return [rng.integers(-4, 5, s).astype(TYPES[t]) for s, t in zip(shapes, (element, element, result), strict=True)]


def tiles(sizes: list[int], chance: random.Random, instruction: str | None = None) -> str:
    """Tiles of a nest whose last dimensions are m, n and k; the others are work."""
    m, n, k = range(len(sizes) - 3, len(sizes))
    rows, vectors = chance.choice([1, 2, 3, 5, 6, 12]), chance.choice([1, 2, 3, 4])
    lanes = chance.choice([2, 4, 8, 16, 32])
    instruction = instruction or chance.choice(["fma", "fma", "fma", "pmaddwd", "vpdpbusd", "vdpbf16ps"])
    packed = chance.choice(["", ", pack a", ", pack b", ", pack a, b"]) if instruction == "fma" else ", pack a, b"
    prefetch = ", prefetch 4" if packed.endswith("b") and chance.random() < 0.3 else ""
    work = [f"d{dim}" for dim in range(m)]
    return (
        f"#xla_rt.tiles<{'x'.join(map(str, sizes))}, m d{m} {rows * chance.choice([1, 2, 3, 100])}, "
        f"n d{n} {vectors * lanes * chance.choice([1, 1, 2, 100])}, k d{k} {4 * chance.choice([1, 2, 5, 100])}, "
        f"register {rows}x{vectors}, lanes {lanes}, instruction {instruction}{packed}{prefetch}"
        + (f", work {', '.join(work)}" if work else "")
        + ">"
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_random_tiles(name):
    text, args = kernels(program(*PROGRAMS[name])), arguments(*PROGRAMS[name])
    sizes = [int(size) for size in PLAN.search(text)[2].split(",")[0].split("x")]
    (want,) = run(text, args)
    chance, right = random.Random(name), 0
    for _ in range(24):
        plan = tiles(sizes, chance)
        changed, count = PLAN.subn(plan, text)
        assert count == 1
        try:
            (have,) = run(changed, args)
        except MLIRError as error:
            assert REFUSED.search(str(error)), str(error)
            continue
        np.testing.assert_array_equal(have, want, plan)
        right += 1
    assert right >= 5


@pytest.mark.parametrize("element, k", [("f32", 1100), ("f64", 603)])
def test_large_columns_are_packed(element, k):
    """By the planner: several blocks of everything, with remainders."""
    spec = (element, element, f"1049x{k}", f"{k}x1003", "1049x1003", "contracting_dims = [1] x [0]")
    text, args = kernels(program(*spec)), arguments(*spec)
    (plan,) = PLAN.finditer(text)
    assert plan[1] == "tiles" and plan[2].endswith("instruction fma, pack b, prefetch 8")
    np.testing.assert_array_equal(run(text, args)[0], np.maximum(args[0] @ args[1] + args[2], args[2]))


@pytest.mark.parametrize("shape", [(3, 61, 600, 203), (2, 300, 1100, 65), (9, 49, 260, 200)])
def test_columns_of_batches_are_packed(shape):
    batches, m, k, n = shape
    dims = "batching_dims = [0] x [0], contracting_dims = [2] x [1]"
    spec = ("f32", "f32", f"{batches}x{m}x{k}", f"{batches}x{k}x{n}", f"{batches}x{m}x{n}", dims)
    text, args = kernels(program(*spec)), arguments(*spec)
    (plan,) = PLAN.finditer(text)
    assert plan[1] == "tiles" and plan[2].endswith("instruction fma, pack b, prefetch 8, work d0")
    np.testing.assert_array_equal(run(text, args)[0], np.maximum(args[0] @ args[1] + args[2], args[2]))


@pytest.mark.parametrize("element", ["bf16", "f16"])
@pytest.mark.parametrize("columns_along_k", [False, True])
@pytest.mark.parametrize("vector_bits", [256, 512])
def test_narrow_floats_are_widened_while_packed(element, columns_along_k, vector_bits):
    """By the planner, for a processor without an instruction: several blocks, remainders, few rows."""
    for m, k, n in [(110, 1500, 203), (70, 700, 100), (33, 301, 300), (20, 200, 1000)]:
        right = f"{n}x{k}" if columns_along_k else f"{k}x{n}"
        dims = f"contracting_dims = [1] x [{int(columns_along_k)}]"
        spec = (element, "f32", f"{m}x{k}", right, f"{m}x{n}", dims)
        text = kernels(program(*spec), f"{{vector-bits={vector_bits} instructions=pmaddwd}}")
        (plan,) = PLAN.finditer(text)
        packed = "pack a, b" if m > 24 or columns_along_k else "pack a"
        assert plan[1] == "tiles" and re.search(f"instruction fma, {packed}(, prefetch 8)?$", plan[2]), plan[0]
        args = arguments(*spec)
        x, y = args[0].astype(np.float32), args[1].astype(np.float32)
        want = np.maximum(x @ (y.T if columns_along_k else y) + args[2], args[2])
        np.testing.assert_array_equal(run(text, args)[0], want, f"{m}x{k}x{n}")


def test_no_value_leaves_its_row_and_column():
    """Infinities and NaN at the ends of rows and columns, next to padding and to what tiles compute twice."""
    spec = PROGRAMS["f32"]
    x, y, z = arguments(*spec)
    x[49, 32] = np.nan
    x[0, 0] = np.inf
    y[32, 69] = np.inf
    y[32, 63] = np.nan
    text, chance = kernels(program(*spec)), random.Random(1)
    with np.errstate(invalid="ignore"):
        want = np.maximum(x @ y + z, z)
    for _ in range(12):
        plan = tiles([50, 70, 33], chance, "fma")
        (have,) = run(PLAN.sub(plan, text), [x, y, z])
        np.testing.assert_array_equal(have, want, plan)


def test_tiles_are_fed_back():
    """What the planner decides is printed, edited, and obeyed."""
    spec = ("i8", "i32", "16x700", "700x1024", "16x1024", "contracting_dims = [1] x [0]")
    text, args = kernels(program(*spec), "{instructions=pmaddwd}"), arguments(*spec)
    (plan,) = PLAN.finditer(text)
    assert plan[1] == "tiles" and "lanes 16, instruction pmaddwd, pack a, b" in plan[2]
    edited = PLAN.sub(tiles([16, 1024, 700], random.Random(2), "fma"), text)
    want = np.maximum(args[0].astype(np.int32) @ args[1].astype(np.int32) + args[2], args[2])
    np.testing.assert_array_equal(run(edited, args)[0], want)
