# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products in tile registers (AMX): what is compiled for processors that have them runs here, by an emulation of these
instructions (test/runtime/emulated-tiles.c), and its loops are read. Instructions that the processor has are not
emulated."""

from __future__ import annotations

import ctypes
import pathlib
import random
import re
from collections.abc import Iterator

import ml_dtypes
import numpy as np
import pytest
from byte_products import extreme_integers, wrapped_product
from plan_text import kernels, replan

import mlir_xla
from mlir_xla import MLIRError, _processors, ir
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.tuning.plans import Nest

EMULATION = pathlib.Path(mlir_xla.__file__).parents[2] / "lib" / "libemulated-tiles.so"
CPUINFO = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
runs = pytest.mark.skipif("avx512bw" not in CPUINFO, reason="the emulation needs AVX-512 beside it")
FEATURES = "+amx-tile,+amx-int8,+amx-bf16,+amx-fp16"
TYPES = {"i8": np.int8, "ui8": np.uint8, "bf16": ml_dtypes.bfloat16, "f16": np.float16}
# Rows, steps, columns: whole tiles, remainders of each, several blocks, one tile, few rows of which many steps are
# cut, few columns, many columns.
SIZES = [
    (64, 64, 64),
    (37, 41, 53),
    (4, 1000, 100),
    (70, 9001, 40),
    (6, 66, 48),
    (24, 66, 16),
    (16, 128, 16),
    (96, 192, 9),
    (5, 1024, 1100),
    (70, 64, 300),
]
PLAN = re.compile(r"#xla_rt\.tiles<[^<>]*>")


class Emulation:
    """Nobody counts what real registers do."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(str(EMULATION))
        self.library.emulated_tile_products.restype = ctypes.c_int64
        self.is_real = "amx_tile" in CPUINFO
        self.library.emulate_tiles(int(self.is_real))

    def products(self) -> int:
        return self.library.emulated_tile_products()

    def check(self, before: int) -> None:
        """Tile registers were used, and are no more."""
        assert self.is_real or self.products() > before
        assert not self.library.tiles_in_use()


@pytest.fixture(scope="module")
def emulation() -> Iterator[Emulation]:
    with pytest.MonkeyPatch.context() as patch:
        # With the emulation this machine has them.
        patch.setattr(_processors, "missing", lambda cpu, features: ())
        yield Emulation()


def program(
    left: tuple[tuple, str], right: tuple[tuple, str], result: tuple[tuple, str], dims: str, end: str = ""
) -> str:
    x, y, r = (f"tensor<{'x'.join(map(str, shape))}x{element}>" for shape, element in (left, right, result))
    return f"""
    func.func @main(%x: {x}, %y: {y}) -> {r} {{
      %0 = xla.dot_general %x, %y, {dims} : ({x}, {y}) -> {r}
      {end}
      return {"%1" if end else "%0"} : {r}
    }}"""


@runs
@pytest.mark.parametrize("element", ["i8", "ui8"])
def test_bytes(element, emulation):
    rng = np.random.default_rng(1)
    for m, k, n in SIZES:
        for left_k, right_k in [(1, 0), (0, 0), (1, 1), (0, 1)]:
            x = extreme_integers((m, k) if left_k else (k, m), TYPES[element], rng)
            y = extreme_integers((n, k) if right_k else (k, n), TYPES[element], rng)
            dims = f"contracting_dims = [{left_k}] x [{right_k}]"
            text = program((x.shape, element), (y.shape, element), ((m, n), "i32"), dims)
            before = emulation.products()
            have = np.asarray(mlir_xla.compile(text, features=FEATURES, threads=m % 2)(x, y))
            emulation.check(before)
            want = wrapped_product(x if left_k else x.T, y.T if right_k else y)
            np.testing.assert_array_equal(have, want, f"{m}x{k}x{n} {left_k} {right_k}")


@runs
@pytest.mark.parametrize(("left", "right"), [("ui8", "i8"), ("i8", "ui8")])
def test_bytes_of_two_types(left, right, emulation):
    rng = np.random.default_rng(4)
    for m, k, n in [(64, 64, 64), (37, 41, 53)]:
        x, y = extreme_integers((m, k), TYPES[left], rng), extreme_integers((k, n), TYPES[right], rng)
        text = f"""
        func.func @main(%x: tensor<{m}x{k}x{left}>, %y: tensor<{k}x{n}x{right}>) -> tensor<{m}x{n}xi32> {{
          %0 = xla.convert %x : (tensor<{m}x{k}x{left}>) -> tensor<{m}x{k}xi32>
          %1 = xla.convert %y : (tensor<{k}x{n}x{right}>) -> tensor<{k}x{n}xi32>
          %2 = xla.dot_general %0, %1, contracting_dims = [1] x [0]
            : (tensor<{m}x{k}xi32>, tensor<{k}x{n}xi32>) -> tensor<{m}x{n}xi32>
          return %2 : tensor<{m}x{n}xi32>
        }}"""
        before = emulation.products()
        have = np.asarray(mlir_xla.compile(text, features=FEATURES)(x, y))
        emulation.check(before)
        np.testing.assert_array_equal(have, wrapped_product(x, y), f"{m}x{k}x{n}")


@runs
@pytest.mark.parametrize("element", ["bf16", "f16"])
def test_floats(element, emulation):
    """Errors of sums in f32, and of one rounding where the result is narrow."""
    rng = np.random.default_rng(1)
    for number, (m, k, n) in enumerate(SIZES):
        for left_k, right_k in [(1, 0), (0, 0), (1, 1), (0, 1)]:
            x = rng.standard_normal((m, k) if left_k else (k, m)).astype(TYPES[element])
            y = rng.standard_normal((n, k) if right_k else (k, n)).astype(TYPES[element])
            a, b = (x if left_k else x.T).astype(np.float64), (y.T if right_k else y).astype(np.float64)
            result = "f32" if number % 2 else element
            dims = f"contracting_dims = [{left_k}] x [{right_k}]"
            text = program((x.shape, element), (y.shape, element), ((m, n), result), dims)
            before = emulation.products()
            have = np.asarray(mlir_xla.compile(text, features=FEATURES)(x, y)).astype(np.float64)
            emulation.check(before)
            bound = 2.0**-22 * np.sqrt(k) * (np.abs(a) @ np.abs(b)) + 2.0**-8 * np.abs(a @ b) * (result == element)
            assert np.all(np.abs(have - a @ b) <= bound), f"{m}x{k}x{n} {left_k} {right_k}"


@runs
def test_no_value_leaves_its_row_and_column(emulation):
    """Infinities and NaN beside the padding of odd steps and of the last columns; overflow."""
    rng = np.random.default_rng(2)
    x, y = rng.integers(-4, 5, (50, 33)).astype(TYPES["bf16"]), rng.integers(-4, 5, (33, 70)).astype(TYPES["bf16"])
    x[49, 32], x[0, 0], y[32, 69], y[32, 63] = np.nan, np.inf, np.inf, np.nan
    x[7, :], x[7, 3] = 0, 3e38
    with np.errstate(invalid="ignore", over="ignore"):
        want = x.astype(np.float32) @ y.astype(np.float32)
    for k in (160, 33):  # what is behind the steps of the second one is what the first one packed there
        left, right = np.full((50, k), np.nan).astype(x.dtype), np.full((k, 70), np.nan).astype(x.dtype)
        left[:, :33], right[:33] = x, y
        text = program((left.shape, "bf16"), (right.shape, "bf16"), (want.shape, "f32"), "contracting_dims = [1] x [0]")
        have = np.asarray(mlir_xla.compile(text, features=FEATURES, threads=1)(left, right))
    np.testing.assert_array_equal(np.isnan(have), np.isnan(want))
    np.testing.assert_array_equal(have[np.isfinite(want)], want[np.isfinite(want)])


@runs
def test_batches_and_epilogue(emulation):
    """Several blocks of steps, and what is computed of the sums behind them."""
    rng = np.random.default_rng(3)
    x, y = extreme_integers((3, 40, 4200), TYPES["i8"], rng), extreme_integers((3, 4200, 50), TYPES["i8"], rng)
    dims = "batching_dims = [0] x [0], contracting_dims = [2] x [1]"
    end = """%2 = xla.constant dense<7> : tensor<3x40x50xi32>
      %1 = xla.maximum %0, %2 : tensor<3x40x50xi32>"""
    text = program((x.shape, "i8"), (y.shape, "i8"), ((3, 40, 50), "i32"), dims, end)
    before = emulation.products()
    have = np.asarray(mlir_xla.compile(text, features=FEATURES)(x, y))
    emulation.check(before)
    np.testing.assert_array_equal(have, np.maximum(wrapped_product(x, y), 7))


@runs
def test_window_of_one_element(emulation):
    """A convolution that is a product."""
    rng = np.random.default_rng(6)
    x, w = rng.integers(-4, 5, (2, 9, 9, 48)).astype(TYPES["bf16"]), rng.integers(-4, 5, (48, 40)).astype(TYPES["bf16"])
    text = """
    func.func @main(%x: tensor<2x9x9x48xbf16>, %w: tensor<1x1x48x40xbf16>) -> tensor<2x9x9x40xbf16> {
      %0 = xla.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
        : (tensor<2x9x9x48xbf16>, tensor<1x1x48x40xbf16>) -> tensor<2x9x9x40xbf16>
      return %0 : tensor<2x9x9x40xbf16>
    }"""
    before = emulation.products()
    have = np.asarray(mlir_xla.compile(text, features=FEATURES)(x, w.reshape(1, 1, 48, 40)))
    emulation.check(before)
    np.testing.assert_array_equal(have, (x.astype(np.float32) @ w.astype(np.float32)).astype(TYPES["bf16"]))


@runs
@pytest.mark.parametrize("channels", [16, 48, 80])
def test_windows_of_pixels(channels, emulation):
    """Steps that are no whole tiles, packed by vectors shorter than these: what was there before is no factor."""
    rng = np.random.default_rng(8)
    nan = np.full((512, 512), np.nan, TYPES["bf16"])
    text = program((nan.shape, "bf16"), (nan.shape, "bf16"), (nan.shape, "f32"), "contracting_dims = [1] x [0]")
    assert np.isnan(np.asarray(mlir_xla.compile(text, features=FEATURES, threads=1)(nan, nan))).all()
    x = rng.integers(-4, 5, (2, 16, 16, channels)).astype(TYPES["bf16"])
    w = rng.integers(-4, 5, (3, 3, channels, 32)).astype(TYPES["bf16"])
    text = f"""
    func.func @main(%x: tensor<2x16x16x{channels}xbf16>, %w: tensor<3x3x{channels}x32xbf16>)
        -> tensor<2x14x14x32xf32> {{
      %0 = xla.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{}}
        : (tensor<2x16x16x{channels}xbf16>, tensor<3x3x{channels}x32xbf16>) -> tensor<2x14x14x32xf32>
      return %0 : tensor<2x14x14x32xf32>
    }}"""
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.float32), (3, 3), axis=(1, 2))
    before = emulation.products()
    have = np.asarray(mlir_xla.compile(text, features=FEATURES, threads=1)(x, w))
    emulation.check(before)
    np.testing.assert_array_equal(have, np.einsum("bhwcyx,yxcf->bhwf", windows, w.astype(np.float32)))


@runs
@pytest.mark.parametrize(("element", "name"), [("i8", "tdpbssd"), ("bf16", "tdpbf16ps")])
def test_written_plans(element, name, emulation):
    """Whatever the tiles and blocks: refused with a message, or right."""
    rng, chance, right = np.random.default_rng(7), random.Random(name), 0
    group = 4 if element == "i8" else 2
    m, n, k = 75, 90, 128
    x, y = rng.integers(-4, 5, (m, k)).astype(TYPES[element]), rng.integers(-4, 5, (k, n)).astype(TYPES[element])
    result = "i32" if element == "i8" else "f32"
    text = program((x.shape, element), (y.shape, element), ((m, n), result), "contracting_dims = [1] x [0]")
    text = kernels(text, f"{{instructions=pmaddwd,{name}}}")
    want = x.astype(np.float32) @ y.astype(np.float32)
    for _ in range(24):
        rows, vectors = chance.choice([1, 5, 16, 23, 31, 32, 40, 48, 64]), chance.choice([1, 2, 3, 4])
        plan = (
            f"#xla_rt.tiles<{m}x{n}x{k}, m d0 {rows * chance.choice([1, 2, 100])}, "
            f"n d1 {vectors * 16 * chance.choice([1, 2, 100])}, k d2 {group * 16 * chance.choice([1, 3, 100])}, "
            f"register {rows}x{vectors}, lanes 16, instruction {name}, pack {chance.choice(['b', 'a, b'])}>"
        )
        changed, count = PLAN.subn(plan, text)
        assert count == 1
        before = emulation.products()
        try:
            with ir.Context():
                module = ir.Module.parse(changed)
                (have,) = compiler.compile(module.operation, from_stage="kernels", features=FEATURES).run([x, y])
        except MLIRError as error:
            assert "in tile registers" in str(error) or "rows by" in str(error), str(error)
            continue
        emulation.check(before)
        np.testing.assert_array_equal(have, want, plan)
        right += 1
    assert right >= 6


def attention(batch: int, queries: int, keys: int, depth: int, columns: int, is_causal: bool) -> str:
    """Scores, their softmax in f32, and sums of values by weights of bf16."""
    q, k, v = f"{batch}x{queries}x{depth}xbf16", f"{batch}x{keys}x{depth}xbf16", f"{batch}x{keys}x{columns}xbf16"
    scores, rows = f"{batch}x{queries}x{keys}", f"{batch}x{queries}xf32"
    mask = f"""
      %row = xla.iota dim = 1 : tensor<{scores}xi32>
      %column = xla.iota dim = 2 : tensor<{scores}xi32>
      %is = xla.compare GE, %row, %column : (tensor<{scores}xi32>, tensor<{scores}xi32>) -> tensor<{scores}xi1>
      %least = xla.constant dense<-1.0e30> : tensor<{scores}xf32>
      %s = xla.select %is, %scaled, %least : tensor<{scores}xi1>, tensor<{scores}xf32>"""
    return f"""
    func.func @main(%q: tensor<{q}>, %k: tensor<{k}>, %v: tensor<{v}>) -> tensor<{batch}x{queries}x{columns}xf32> {{
      %low = xla.constant dense<0xFF800000> : tensor<f32>
      %zero = xla.constant dense<0.0> : tensor<f32>
      %scale = xla.constant dense<0.25> : tensor<{scores}xf32>
      %0 = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
        : (tensor<{q}>, tensor<{k}>) -> tensor<{scores}xf32>
      %{"scaled" if is_causal else "s"} = xla.multiply %0, %scale : tensor<{scores}xf32>{mask if is_causal else ""}
      %1 = xla.reduce(%s init: %low) applies xla.maximum across dimensions = [2]
        : (tensor<{scores}xf32>, tensor<f32>) -> tensor<{rows}>
      %2 = xla.broadcast_in_dim %1, dims = [0, 1] : (tensor<{rows}>) -> tensor<{scores}xf32>
      %3 = xla.subtract %s, %2 : tensor<{scores}xf32>
      %4 = xla.exponential %3 : tensor<{scores}xf32>
      %5 = xla.reduce(%4 init: %zero) applies xla.add across dimensions = [2]
        : (tensor<{scores}xf32>, tensor<f32>) -> tensor<{rows}>
      %6 = xla.broadcast_in_dim %5, dims = [0, 1] : (tensor<{rows}>) -> tensor<{scores}xf32>
      %7 = xla.divide %4, %6 : tensor<{scores}xf32>
      %8 = xla.convert %7 : (tensor<{scores}xf32>) -> tensor<{scores}xbf16>
      %9 = xla.dot_general %8, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
        : (tensor<{scores}xbf16>, tensor<{v}>) -> tensor<{batch}x{queries}x{columns}xf32>
      return %9 : tensor<{batch}x{queries}x{columns}xf32>
    }}"""


def weighted(q: np.ndarray, k: np.ndarray, v: np.ndarray, is_causal: bool) -> np.ndarray:
    q, k, v = (each.astype(np.float64) for each in (q, k, v))
    scores = np.einsum("bqd,bkd->bqk", q, k) / 4
    if is_causal:
        scores = np.where(np.arange(q.shape[1])[:, None] >= np.arange(k.shape[1]), scores, -1e30)
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    return np.einsum("bqk,bkd->bqd", weights / weights.sum(axis=2, keepdims=True), v)


@runs
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(
    ("queries", "keys", "depth", "columns"),
    [
        (64, 128, 64, 64),
        (70, 197, 32, 64),
        (128, 130, 80, 80),
        (33, 577, 16, 40),
        (24, 96, 62, 128),
        (150, 150, 96, 17),
    ],
)
def test_rows(queries, keys, depth, columns, is_causal, emulation):
    """Attention: steps, columns and rows that are no whole tiles, and halves of pairs."""
    rng = np.random.default_rng(9)
    shapes = [(3, queries, depth), (3, keys, depth), (3, keys, columns)]
    q, k, v = (rng.standard_normal(shape).astype(TYPES["bf16"]) for shape in shapes)
    before = emulation.products()
    compiled = mlir_xla.compile(attention(3, queries, keys, depth, columns, is_causal), features=FEATURES, threads=2)
    have = np.asarray(compiled(q, k, v)).astype(np.float64)
    emulation.check(before)
    assert compiled.stages["kernels"].count(", tile_registers") == 2
    np.testing.assert_allclose(have, weighted(q, k, v, is_causal), rtol=2.0**-6, atol=2.0**-6)


@runs
@pytest.mark.parametrize("keys", [64, 93])
def test_no_value_leaves_its_row_of_weights(keys, emulation):
    """A query, a key and values that are no numbers, beside what is behind the rows and columns."""
    rng = np.random.default_rng(10)
    shapes = [(2, 50, 48), (2, keys, 48), (2, keys, 24)]
    q, k, v = (rng.standard_normal(shape).astype(TYPES["bf16"]) for shape in shapes)
    q[0, 7, 3], k[1, keys - 1, 47], v[0, keys - 1, 5] = np.nan, np.nan, np.inf
    q[0, 49] = 0
    before = emulation.products()
    have = np.asarray(mlir_xla.compile(attention(2, 50, keys, 48, 24, False), features=FEATURES)(q, k, v))
    emulation.check(before)
    want = weighted(q, k, v, False)
    np.testing.assert_array_equal(np.isfinite(have), np.isfinite(want))
    finite = np.isfinite(want)
    np.testing.assert_allclose(have[finite], want[finite], rtol=2.0**-6, atol=2.0**-6)


@runs
def test_written_plans_of_rows(emulation):
    """Whatever the steps of both products: refused with a message, or right."""
    rng, chance, right = np.random.default_rng(11), random.Random(5), 0
    shapes = [(2, 70, 48), (2, 93, 48), (2, 93, 40)]
    q, k, v = (rng.standard_normal(shape).astype(TYPES["bf16"]) for shape in shapes)
    text = kernels(attention(2, 70, 93, 48, 40, False), "{instructions=vdpbf16ps,tdpbf16ps}")
    assert text.count(", tile_registers") == 2

    def change(number: int, plan: Nest) -> Nest:
        if "tile_registers" in plan.flags and plan.lanes and plan.jam and chance.random() < 0.5:
            plan.lanes = plan.lanes[0], chance.choice([8, 16, 16, 16, 16]), chance.choice([1, 2, 2, 3, 4])
            plan.jam = plan.jam[0], chance.choice([8, 16, 16, 32, 32, 48, 64])
            plan.flags ^= set(chance.sample(["trim", "overlap", "masked", "pairs"], chance.choice([0, 0, 0, 1])))
        return plan

    for _ in range(40):
        changed = replan(text, change)
        before = emulation.products()
        try:
            with ir.Context():
                module = ir.Module.parse(changed)
                (have,) = compiler.compile(module.operation, from_stage="kernels", features=FEATURES).run([q, k, v])
        except MLIRError as error:
            assert re.search("'(tile_registers|overlap|trim)'|vectors by", str(error)), str(error)
            continue
        emulation.check(before)
        np.testing.assert_allclose(have, weighted(q, k, v, False), rtol=2.0**-6, atol=2.0**-6)
        right += 1
    assert right >= 6


def loop_of(assembly: str, product: str) -> list[str]:
    """The instructions of the innermost loop around the first `product`."""
    lines = [line.split("#")[0].strip() for line in assembly.splitlines()]
    at = next(i for i, line in enumerate(lines) if line.startswith(product))
    begin = max(i for i in range(at) if re.match(r"\.L\w+:", lines[i]))
    end = next(i for i in range(at, len(lines)) if lines[i].endswith(lines[begin].rstrip(":")))
    return lines[begin + 1 : end + 1]


@pytest.mark.parametrize(
    ("element", "shape", "cpu", "product", "loads", "products"),
    [
        ("i8", (512, 512, 512), "sapphirerapids", "tdpbssd", 4, 4),
        ("ui8", (512, 512, 512), "sapphirerapids", "tdpbuud", 4, 4),
        ("bf16", (500, 333, 300), "sapphirerapids", "tdpbf16ps", 4, 4),
        ("f16", (512, 512, 512), "graniterapids", "tdpfp16ps", 4, 4),
        ("i8", (8, 512, 512), "sapphirerapids", "tdpbssd", 5, 4),
        ("bf16", (512, 512, 10), "sapphirerapids", "tdpbf16ps", 5, 4),
    ],
)
def test_loops(element, shape, cpu, product, loads, products):
    """Code for processors that this one need not be: loads and products of tiles, nothing else that reads memory."""
    m, k, n = shape
    result = "i32" if element.endswith("i8") else "f32"
    text = program(((m, k), element), ((k, n), element), ((m, n), result), "contracting_dims = [1] x [0]")
    with ir.Context():
        executable = compiler.compile(ir.Module.parse(text).operation, cpu=cpu, keep_stages=True)
    assembly = executable.stages["binary"]
    loop = loop_of(assembly, product)
    assert sum(line.startswith("tileloadd\t") for line in loop) == loads
    assert sum(line.startswith(f"{product}\t") for line in loop) == products
    others = [line for line in loop if not line.startswith(("tileloadd", product))]
    assert not any("(" in line and not line.startswith("lea") for line in others), others
    assert assembly.count("ldtilecfg") == assembly.count("tilerelease") == 1


def test_processors_without():
    """Half of the features are none."""
    text = program(((64, 64), "i8"), ((64, 64), "i8"), ((64, 64), "i32"), "contracting_dims = [1] x [0]")
    for cpu, features in [("sapphirerapids", "-amx-int8"), ("sapphirerapids", "-avx512f"), ("znver4", "")]:
        with ir.Context():
            operation = ir.Module.parse(text).operation
            executable = compiler.compile(operation, cpu=cpu, features=features, keep_stages=True)
        assert "tdpb" not in executable.stages["binary"]
