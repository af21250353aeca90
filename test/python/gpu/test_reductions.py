# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of much to little on the emulated GPU: in two steps, whose results do not depend on their order, and in a
third where something remains."""

import re

import ml_dtypes
import numpy as np
import pytest
from test_teams import FIRST_OF_LARGEST

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")


def reduction(shape: tuple[int, ...], dims: list[int], op: str, initial: str, element: str) -> str:
    operand = f"tensor<{'x'.join(map(str, shape))}x{element}>"
    kept = [str(size) for dim, size in enumerate(shape) if dim not in dims]
    result = f"tensor<{'x'.join([*kept, element])}>"
    return f"""
    func.func @main(%x: {operand}) -> {result} {{
      %init = xla.constant dense<{initial}> : tensor<{element}>
      %r = xla.reduce(%x init: %init) applies xla.{op} across dimensions = {dims}
          : ({operand}, tensor<{element}>) -> {result}
      return %r : {result}
    }}"""


@pytest.mark.parametrize(
    "shape, dims, kernels, launches",
    [
        ((131072,), [0], 2, 1),
        ((100003,), [0], 2, 1),
        ((70, 1100), [0, 1], 2, 1),
        ((3, 40000), [1], 2, 1),
        ((5000, 24), [0], 2, 2),
        ((4999, 40), [0], 3, 1),
        ((40, 50, 40), [0, 1], 2, 1),
        ((64, 2000), [1], 1, 1),
    ],
)
@pytest.mark.parametrize("op, initial, element", [("add", "0", "i32"), ("maximum", "0xFF800000", "f32")])
def test_two_steps(shape, dims, kernels, launches, op, initial, element):
    """The last block does the second one, if that is little."""
    text = reduction(shape, dims, op, initial, element)
    x = np.random.default_rng(shape).integers(-1000, 1000, shape).astype("f4" if element == "f32" else "i4")
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert program.stages["kernels"].count("xla_rt.kernel = ") == kernels
    assert program.stages["loops"].count("gpu.launch_func") == launches
    want = x.sum(tuple(dims), dtype=np.int32) if op == "add" else x.max(tuple(dims))
    np.testing.assert_array_equal(program(x), want)


@pytest.mark.parametrize("size", [100000, 100003])
def test_the_first_of_equal_elements(size):
    """Elements that do not commute meet in order."""
    text = f"""
    func.func @main(%x: tensor<{size}xf32>) -> tensor<i32> {{
      %i = xla.iota dim = 0 : tensor<{size}xi32>
      %low = xla.constant dense<0xFF800000> : tensor<f32>
      %none = xla.constant dense<0> : tensor<i32>
      %r:2 = xla.reduce(%x init: %low), (%i init: %none) across dimensions = [0]
          : (tensor<{size}xf32>, tensor<{size}xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
       reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {{
        %ge = xla.compare GE, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %v = xla.select %ge, %a, %c : tensor<i1>, tensor<f32>
        %j = xla.select %ge, %b, %d : tensor<i1>, tensor<i32>
        xla.return %v, %j : tensor<f32>, tensor<i32>
      }}
      return %r#1 : tensor<i32>
    }}"""
    x = np.floor(np.random.default_rng(size).standard_normal(size) * 3).astype(np.float32)
    assert mlir_xla.compile(text, target="cuda-emulated")(x) == np.argmax(x)


def test_the_first_of_equal_elements_of_columns():
    """Also NaN, of which each wins over what comes behind it, and columns that are like the initial value. The results
    of parts are shared among warps, because their numbers ascend."""
    rows, columns = 8192, 32
    operand, numbers = f"tensor<{rows}x{columns}xf32>", f"tensor<{rows}x{columns}xi32>"
    text = f"""
    func.func @main(%x: {operand}) -> tensor<{columns}xi32> {{
      %i = xla.iota dim = 0 : {numbers}
      %low = xla.constant dense<0xFF800000> : tensor<f32>
      %none = xla.constant dense<0> : tensor<i32>
      %r:2 = xla.reduce(%x init: %low), (%i init: %none) across dimensions = [0]
          : ({operand}, {numbers}, tensor<f32>, tensor<i32>) -> (tensor<{columns}xf32>, tensor<{columns}xi32>)
{FIRST_OF_LARGEST}
      return %r#1 : tensor<{columns}xi32>
    }}"""
    draw = np.random.default_rng(5)
    x = np.floor(draw.standard_normal((rows, columns)) * 3).astype(np.float32)
    for column in range(4):
        x[draw.integers(0, rows, 40), column] = np.nan
    x[0, 4] = np.nan
    x[:, 5] = -np.inf
    x[:1000, 6] = -np.inf
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert "nest<32x64, reduce d1, threads d1 1024, columns d0>" in program.stages["kernels"]
    assert program.stages["loops"].count("gpu.launch_func") == 1
    np.testing.assert_array_equal(program(x), np.argmax(x, axis=0))


NARROW = {"bf16": ml_dtypes.bfloat16, "f16": np.float16}


@pytest.mark.parametrize("element", NARROW)
@pytest.mark.parametrize(
    "shape, dims, op, initial",
    [
        ((70, 300), [1], "add", "1.5"),  # a warp for each row
        ((40, 3000), [1], "multiply", "1.0"),  # a block
        ((1000, 40), [0], "add", "1.5"),  # columns
        ((131072,), [0], "add", "0.0"),  # in two steps
        ((7, 1100, 3), [1], "minimum", "0x7F80"),
        ((7, 1100, 3), [1], "maximum", "0xFF80"),
    ],
)
def test_numbers_of_16_bits(element, shape, dims, op, initial):
    """Threads have parts of what the program rounds at every step: sums that are exact do not depend on it."""
    if element == "f16":
        initial = {"0x7F80": "0x7C00", "0xFF80": "0xFC00"}.get(initial, initial)
    text = reduction(shape, dims, op, initial, element)
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert "threads d" in program.stages["kernels"]
    assert program.stages["loops"].count("gpu.launch_func") == 1
    draw = np.random.default_rng(shape)
    x = draw.integers(-1, 2, shape).astype("f4")
    if op == "multiply":
        x = np.where(draw.random(shape) < 0.002, -2.0, 1.0).astype("f4")
    if len(shape) == 1:
        x[draw.random(shape) < 0.999] = 0
    axes = tuple(dims)
    want = {"add": x.sum(axes) + float(initial) if op == "add" else 0, "multiply": x.prod(axes), "minimum": x.min(axes)}
    have = program(x.astype(NARROW[element]))
    np.testing.assert_array_equal(have.astype("f4"), want.get(op, x.max(axes)))


@pytest.mark.parametrize(
    "shape, dims", [((70, 300), [1]), ((1000, 40), [0]), ((70000,), [0]), ((3, 5, 700, 6), [1, 2])]
)
def test_complex_sums(shape, dims):
    operand = f"tensor<{'x'.join(map(str, shape))}xcomplex<f32>>"
    kept = [str(size) for dim, size in enumerate(shape) if dim not in dims]
    result = f"tensor<{'x'.join([*kept, 'complex<f32>'])}>"
    text = f"""
    func.func @main(%x: {operand}) -> {result} {{
      %init = xla.constant dense<(1.0, -2.0)> : tensor<complex<f32>>
      %r = xla.reduce(%x init: %init) applies xla.add across dimensions = {dims}
          : ({operand}, tensor<complex<f32>>) -> {result}
      return %r : {result}
    }}"""
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert "threads d" in program.stages["kernels"]
    draw = np.random.default_rng(shape)
    x = (draw.integers(-9, 9, shape) + 1j * draw.integers(-9, 9, shape)).astype(np.complex64)
    np.testing.assert_array_equal(program(x), x.sum(tuple(dims)) + (1 - 2j))


@pytest.mark.parametrize(
    "element, dtype",
    [("f32", "f4"), ("f64", "f8"), ("i32", "i4"), ("bf16", ml_dtypes.bfloat16), ("complex<f32>", "c8")],
)
@pytest.mark.parametrize("size", [100000, 100003, 5000])
def test_products_of_vectors(element, dtype, size):
    """A long one is many blocks' work, and the last one adds up what they have."""
    text = f"""
    func.func @main(%x: tensor<{size}x{element}>, %y: tensor<{size}x{element}>) -> tensor<{element}> {{
      %r = xla.dot_general %x, %y, contracting_dims = [0] x [0]
          : (tensor<{size}x{element}>, tensor<{size}x{element}>) -> tensor<{element}>
      return %r : tensor<{element}>
    }}"""
    program = mlir_xla.compile(text, target="cuda-emulated")
    plan = r"work d0, (reduce d1, )?threads d1"  # pieces of rows, or elements
    assert bool(re.search(plan, program.stages["kernels"])) == (size > 65536)
    assert program.stages["loops"].count("gpu.launch_func") == 1
    draw = np.random.default_rng(size)
    x, y = (draw.integers(-1, 2, size).astype("f4") for _ in range(2))
    if element.startswith("complex"):
        x, y = x + 1j * y, y - 2j * x
    want = (x * y).sum()
    x, y = x.astype(dtype), y.astype(dtype)
    np.testing.assert_allclose(np.asarray(program(x, y)).astype("c8"), want, rtol=1e-2 if element == "bf16" else 0)


@pytest.mark.parametrize("shape, dims", [((40, 3000), [1]), ((8192, 32), [0]), ((100003,), [0])])
def test_numbers_of_64_bits(shape, dims):
    """Where JAX has integers of 64 bits, the numbers of elements are those of 32 bits, widened."""
    import jax
    import jax.numpy as jnp

    with jax.enable_x64(True):
        lowered = jax.jit(lambda x: jnp.argmax(x, axis=dims[0])).trace(jax.ShapeDtypeStruct(shape, jnp.float64))
        text = lowered.lower(lowering_platforms=("mlir_xla",)).as_text()
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert "threads d" in program.stages["kernels"]
    x = np.floor(np.random.default_rng(shape).standard_normal(shape) * 3)
    np.testing.assert_array_equal(program(x), np.argmax(x, axis=dims[0]))


def test_groups_of_channels():
    """Of 16 neighbours and many rows, the rows are shared."""
    text = reduction((3, 200, 5, 16), [1, 3], "add", "0", "i32")
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert "reduce d2, d3, threads d2 128" in program.stages["kernels"]
    x = np.random.default_rng(3).integers(-1000, 1000, (3, 200, 5, 16)).astype("i4")
    np.testing.assert_array_equal(program(x), x.sum((1, 3), dtype=np.int32))


def test_large_teams():
    """A few very long rows are blocks' of up to 1024 threads."""
    text = reduction((64, 40000), [1], "add", "0", "i32")
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert "nest<64x40000, lanes d1 4x1, work d0, threads d1 1024, aligned>" in program.stages["kernels"]
    x = np.random.default_rng(3).integers(-1000, 1000, (64, 40000)).astype("i4")
    np.testing.assert_array_equal(program(x), x.sum(1, dtype=np.int32))


@pytest.mark.parametrize(
    "shape, dims",
    [
        ((40, 96), (1,)),  # teams
        ((300, 64), (0,)),  # columns
        ((5000, 24), (0,)),  # two steps
        ((6, 5, 7, 9), (0, 2, 3)),  # dimensions that are no neighbours
        ((70000,), (0,)),
    ],
)
@pytest.mark.parametrize("element, op", [("f32", "add"), ("i32", "add"), ("f32", "maximum"), ("bf16", "minimum")])
def test_reductions_of_the_same(shape, dims, element, op):
    """Those of x and of products with it are one kernel, which reads x once; also three."""
    operand = f"tensor<{'x'.join(map(str, shape))}x{element}>"
    kept = [str(size) for dim, size in enumerate(shape) if dim not in dims]
    result = f"tensor<{'x'.join([*kept, element])}>"
    initial = {"add": "0", "maximum": "-4096", "minimum": "4096"}[op] + (".0" if element != "i32" else "")
    reduce = f"""applies xla.{op} across dimensions = {list(dims)}
          : ({operand}, tensor<{element}>) -> {result}"""
    text = f"""
    func.func @main(%x: {operand}, %y: {operand}) -> ({result}, {result}, {result}) {{
      %init = xla.constant dense<{initial}> : tensor<{element}>
      %r = xla.reduce(%x init: %init) {reduce}
      %xy = xla.multiply %x, %y : {operand}
      %s = xla.reduce(%xy init: %init) {reduce}
      %d = xla.subtract %y, %x : {operand}
      %t = xla.reduce(%d init: %init) {reduce}
      return %r, %s, %t : {result}, {result}, {result}
    }}"""
    random = np.random.default_rng(len(shape))
    numbers = {"f32": np.float32, "i32": np.int32, "bf16": ml_dtypes.bfloat16}[element]
    x, y = (random.integers(-3, 4, shape).astype(numbers) for _ in range(2))
    program = mlir_xla.compile(text, target="cuda-emulated")
    kernels = [line for line in program.stages["kernels"].splitlines() if "func.func private" in line]
    assert max(line.split(" -> ")[1].count("tensor<") for line in kernels) == 3
    wide = [each.astype(np.int64) for each in (x, x * y, y - x)]
    fold = {"add": np.sum, "maximum": np.max, "minimum": np.min}[op]
    for got, each in zip(program(x, y), wide, strict=True):
        np.testing.assert_array_equal(got.astype(np.int64), fold(each, axis=dims))


@pytest.mark.parametrize("element", NARROW)
@pytest.mark.parametrize("shape, dims", [((40, 96), (1,)), ((300, 64), (0,)), ((3, 3000), (1,)), ((4096, 32), (0,))])
def test_reductions_of_the_same_that_round(shape, dims, element):
    """Each has parts of its own, which begin with its neutral element and are rounded as steps are."""
    operand = f"tensor<{'x'.join(map(str, shape))}x{element}>"
    kept = [str(size) for dim, size in enumerate(shape) if dim not in dims]
    result = f"tensor<{'x'.join([*kept, element])}>"
    reduce = f"across dimensions = {list(dims)} : ({operand}, tensor<{element}>) -> {result}"
    text = f"""
    func.func @main(%x: {operand}, %y: {operand}) -> ({result}, {result}, {result}) {{
      %init = xla.constant dense<1.5> : tensor<{element}>
      %r = xla.reduce(%x init: %init) applies xla.add {reduce}
      %xy = xla.multiply %x, %y : {operand}
      %s = xla.reduce(%xy init: %init) applies xla.add {reduce}
      %t = xla.reduce(%x init: %init) applies xla.maximum {reduce}
      return %r, %s, %t : {result}, {result}, {result}
    }}"""
    draw = np.random.default_rng(shape)
    x, y = (draw.integers(-1, 2, shape).astype("f4") for _ in range(2))
    x[draw.random(shape) < 0.9] = 0
    program = mlir_xla.compile(text, target="cuda-emulated")
    kernels = [line for line in program.stages["kernels"].splitlines() if "func.func private" in line]
    assert max(line.split(" -> ")[1].count("tensor<") for line in kernels) == 3
    assert all("threads d" in line for line in kernels)
    wants = x.sum(dims) + 1.5, (x * y).sum(dims) + 1.5, np.maximum(x.max(dims), 1.5)
    for got, want in zip(program(*(each.astype(NARROW[element]) for each in (x, y))), wants, strict=True):
        np.testing.assert_array_equal(got.astype("f4"), want)


@pytest.mark.parametrize("target", ["cpu", "cuda-emulated"])
@pytest.mark.parametrize("shape, dim", [((64, 256), 1), ((64, 256), 0), ((3, 3000), 1)])
def test_results_of_one_reduction_that_round(shape, dim, target):
    """The second result needs the running value of the first, so that they are no reductions of their own."""
    operand, result = f"tensor<{shape[0]}x{shape[1]}xbf16>", f"tensor<{shape[1 - dim]}xbf16>"
    text = f"""
    func.func @main(%x: {operand}, %y: {operand}) -> ({result}, {result}) {{
      %zero = stablehlo.constant dense<0.0> : tensor<bf16>
      %r:2 = stablehlo.reduce(%x init: %zero), (%y init: %zero) across dimensions = [{dim}]
          : ({operand}, {operand}, tensor<bf16>, tensor<bf16>) -> ({result}, {result})
       reducer(%a: tensor<bf16>, %b: tensor<bf16>) (%c: tensor<bf16>, %d: tensor<bf16>) {{
        %sum = stablehlo.add %a, %b : tensor<bf16>
        %both = stablehlo.multiply %a, %b : tensor<bf16>
        %more = stablehlo.add %both, %d : tensor<bf16>
        %pairs = stablehlo.add %c, %more : tensor<bf16>
        stablehlo.return %sum, %pairs : tensor<bf16>, tensor<bf16>
      }}
      return %r#0, %r#1 : {result}, {result}
    }}"""
    draw = np.random.default_rng(dim)
    x, y = ((draw.random(shape) < 6 / shape[dim]).astype(np.float32) for _ in range(2))
    ones = x.sum(dim)
    wants = ones, ones * (ones - 1) / 2 + y.sum(dim)
    program = mlir_xla.compile(text, target=target)
    for got, want in zip(program(*(each.astype(ml_dtypes.bfloat16) for each in (x, y))), wants, strict=True):
        np.testing.assert_array_equal(got.astype(np.float32), want)


def test_reductions_of_mixed_operations():
    """A sum and the greatest of the same rows are one kernel, of which each part begins with its own neutral element;
    what reads other elements at a time is another."""
    text = """
    func.func @main(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
      %zero = xla.constant dense<0.0> : tensor<f32>
      %low = xla.constant dense<0xFF800000> : tensor<f32>
      %r = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1]
          : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
      %s = xla.reduce(%x init: %low) applies xla.maximum across dimensions = [1]
          : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
      %t = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0]
          : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
      return %r, %s, %t : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
    }"""
    x = np.random.default_rng(0).integers(-9, 9, (64, 64)).astype(np.float32)
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert program.stages["kernels"].count("xla_rt.kernel = ") == 2
    for got, want in zip(program(x), (x.sum(1), x.max(1), x.sum(0)), strict=True):
        np.testing.assert_array_equal(got, want)


def test_what_the_only_reader_computes():
    """The sum reads a part of what is computed from x and y, and its readers wait for the sum: no reason to have that
    in memory. The sum computes its part itself, so the rest is computed by what reads it."""
    wide, narrow = "tensor<8x6x40xf32>", "tensor<6xf32>"
    text = f"""
    func.func @main(%x: {wide}, %y: {wide}, %f: {narrow}) -> {wide} {{
      %b = xla.broadcast_in_dim %f, dims = [1] : ({narrow}) -> {wide}
      %m = xla.multiply %x, %b : {wide}
      %n = xla.negate %m : {wide}
      %zero = xla.constant dense<0.0> : tensor<f32>
      %s = xla.reduce(%n init: %zero) applies xla.add across dimensions = [0, 2] : ({wide}, tensor<f32>) -> {narrow}
      %a = xla.add %y, %m : {wide}
      %t = xla.broadcast_in_dim %s, dims = [1] : ({narrow}) -> {wide}
      %r = xla.add %a, %t : {wide}
      return %r : {wide}
    }}"""
    random = np.random.default_rng(7)
    x, y = (random.integers(-4, 5, (8, 6, 40)).astype(np.float32) for _ in range(2))
    f = random.integers(-4, 5, 6).astype(np.float32)
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert program.stages["kernels"].count("xla_rt.kernel = ") == 2
    product = x * f[:, None]
    np.testing.assert_array_equal(program(x, y, f), y + product - product.sum((0, 2))[:, None])


def test_what_the_only_reader_computes_in_16_bits():
    """Conversions are no operations: as many may be computed again as of f32."""
    wide, narrow = "tensor<8x6x40xbf16>", "tensor<6xbf16>"
    chain = "".join(f"%m{i} = xla.multiply %m{i - 1}, %b : {wide}\n" for i in range(1, 11))
    text = f"""
    func.func @main(%m0: {wide}, %y: {wide}, %f: {narrow}) -> {wide} {{
      %b = xla.broadcast_in_dim %f, dims = [1] : ({narrow}) -> {wide}
      {chain}
      %n = xla.negate %m10 : {wide}
      %zero = xla.constant dense<0.0> : tensor<bf16>
      %s = xla.reduce(%n init: %zero) applies xla.add across dimensions = [0, 2] : ({wide}, tensor<bf16>) -> {narrow}
      %a = xla.add %y, %m10 : {wide}
      %t = xla.broadcast_in_dim %s, dims = [1] : ({narrow}) -> {wide}
      %r = xla.add %a, %t : {wide}
      return %r : {wide}
    }}"""
    random = np.random.default_rng(8)
    x, y = (random.integers(-1, 2, (8, 6, 40)).astype(ml_dtypes.bfloat16) for _ in range(2))
    f = np.array([1, -1, 1, 1, -1, -1], ml_dtypes.bfloat16)
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert program.stages["kernels"].count("xla_rt.kernel = ") == 2
    wide_x = x.astype("f4")
    want = (y.astype("f4") + wide_x - wide_x.sum((0, 2))[:, None]).astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(program(x, y, f), want)


@pytest.mark.parametrize("op, element", [("add", "f32"), ("maximum", "bf16")])
def test_all_pairs(op, element):
    """Of 1024 by 520 pairs of rows, a thread has eight, with one row in common."""
    text = f"""
    func.func @main(%x: tensor<1024x5x{element}>, %y: tensor<520x5x{element}>) -> tensor<1024x520x{element}> {{
      %init = xla.constant dense<{"0.0" if op == "add" else "-64.0"}> : tensor<{element}>
      %a = xla.broadcast_in_dim %x, dims = [0, 2] : (tensor<1024x5x{element}>) -> tensor<1024x520x5x{element}>
      %b = xla.broadcast_in_dim %y, dims = [1, 2] : (tensor<520x5x{element}>) -> tensor<1024x520x5x{element}>
      %d = xla.subtract %a, %b : tensor<1024x520x5x{element}>
      %e = xla.abs %d : tensor<1024x520x5x{element}>
      %r = xla.reduce(%e init: %init) applies xla.{op} across dimensions = [2]
          : (tensor<1024x520x5x{element}>, tensor<{element}>) -> tensor<1024x520x{element}>
      return %r : tensor<1024x520x{element}>
    }}"""
    random = np.random.default_rng(5)
    numbers = np.float32 if element == "f32" else ml_dtypes.bfloat16
    x, y = (random.integers(-9, 9, (rows, 5)).astype(numbers) for rows in (1024, 520))
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert "jam d0 8, work d1, reduce d2" in program.stages["kernels"]
    distances = np.abs(x.astype(np.float32)[:, None] - y.astype(np.float32)[None])
    want = distances.sum(-1) if op == "add" else distances.max(-1)
    np.testing.assert_array_equal(program(x, y).astype(np.float32), want)


@pytest.mark.parametrize("shape", [(8, 28, 28, 64), (8, 9, 13, 40), (3, 20, 20, 33)])
def test_columns_of_short_dimensions(shape):
    text = reduction(shape, [0, 1, 2], "add", "0", "i32")
    x = np.random.default_rng(1).integers(-9, 9, shape).astype(np.int32)
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert "columns" in program.stages["kernels"]
    np.testing.assert_array_equal(program(x), x.sum((0, 1, 2), dtype=np.int32))
