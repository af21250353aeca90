# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorting by the device's library: the same as by the CPU's, to the bit."""

import itertools

import ml_dtypes
import numpy as np
import pytest
from device_library import Program

DTYPES = {
    "i1": np.bool_, "i8": np.int8, "ui8": np.uint8, "i16": np.int16, "ui16": np.uint16, "i32": np.int32,
    "ui32": np.uint32, "i64": np.int64, "ui64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64,
    "bf16": None, "complex<f32>": np.complex64, "complex<f64>": np.complex128,
}  # fmt: skip


def dtype_of(element: str) -> np.dtype:
    return np.dtype(DTYPES[element] or ml_dtypes.bfloat16)


def values(rng: np.random.Generator, shape, element: str) -> np.ndarray:
    """Many are equal, and some are not numbers."""
    dtype, size = dtype_of(element), int(np.prod(shape))
    if element == "i1":
        return rng.integers(0, 2, shape).astype(dtype)
    if element[0] in "iu":
        info = np.iinfo(dtype)
        few = rng.integers(info.min, info.max, size, dtype=dtype, endpoint=True)
        return np.where(rng.random(size) < 0.3, rng.choice(few[:3], size), few).reshape(shape)
    if element.startswith("complex"):
        part = element[8:-1]
        parts = np.stack([values(rng, shape, part), values(rng, shape, part)], axis=-1)
        return parts.view(dtype)[..., 0]
    x = rng.standard_normal(size).astype(dtype)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0]).astype(dtype)
    x = np.where(rng.random(size) < 0.3, rng.choice(special, size), x)
    bits = x.view(f"u{dtype.itemsize}")
    # Other NaNs, of both signs.
    strange = np.isnan(x.astype(np.float64)) & (rng.random(size) < 0.5)
    bits[strange] |= rng.integers(0, 4, int(strange.sum())).astype(bits.dtype)
    bits[strange] ^= (rng.integers(0, 2, int(strange.sum())) << (8 * dtype.itemsize - 1)).astype(bits.dtype)
    return bits.view(dtype).reshape(shape)


def sort_program(shape, dimension, elements, keys) -> str:
    """Keys are numbers of operands, with a direction and a kind of comparison each."""
    dims = "x".join(map(str, shape))
    types = [f"tensor<{dims}x{e}>" for e in elements]
    args = ", ".join(f"%x{i}: {t}" for i, t in enumerate(types))
    names = ", ".join(f"%x{i}" for i in range(len(types)))
    params = ", ".join(f"%a{i}: tensor<{e}>, %b{i}: tensor<{e}>" for i, e in enumerate(elements))
    lines, last = [], None
    for number, (operand, direction, kind) in reversed(list(enumerate(keys))):
        t = f"tensor<{elements[operand]}>"
        a, b = f"%a{operand}", f"%b{operand}"
        if kind == "JAX":  # zeros are equal, and so are NaNs
            lines.append(f"%z{number} = stablehlo.constant dense<0.0> : {t}")
            lines.append(f"%n{number} = stablehlo.constant dense<0x{nan_bits(elements[operand])}> : {t}")
            for side in (a, b):
                s = side[1:]
                lines += [
                    f"%iz{number}{s} = stablehlo.compare EQ, {side}, %z{number} : ({t}, {t}) -> tensor<i1>",
                    f"%cz{number}{s} = stablehlo.select %iz{number}{s}, %z{number}, {side} : tensor<i1>, {t}",
                    f"%in{number}{s} = stablehlo.compare NE, {side}, {side} : ({t}, {t}) -> tensor<i1>",
                    f"%c{number}{s} = stablehlo.select %in{number}{s}, %n{number}, %cz{number}{s} : tensor<i1>, {t}",
                ]
            a, b, kind = f"%c{number}{a[1:]}", f"%c{number}{b[1:]}", "TOTALORDER"
        kind = f", {kind}" if kind else ""
        lines.append(f"%l{number} = stablehlo.compare {direction}, {a}, {b}{kind} : ({t}, {t}) -> tensor<i1>")
        if last is None:
            last = f"%l{number}"
            continue
        lines.append(f"%e{number} = stablehlo.compare EQ, {a}, {b}{kind} : ({t}, {t}) -> tensor<i1>")
        lines.append(f"%t{number} = stablehlo.and %e{number}, {last} : tensor<i1>")
        lines.append(f"%o{number} = stablehlo.or %l{number}, %t{number} : tensor<i1>")
        last = f"%o{number}"
    body = "\n    ".join(lines)
    results = ", ".join(types)
    count = f":{len(types)}" if len(types) > 1 else ""
    returned = ", ".join(f"%r#{i}" for i in range(len(types))) if count else "%r"
    return f"""func.func @main({args}) -> ({results}) {{
  %r{count} = "stablehlo.sort"({names}) <{{dimension = {dimension} : i64, is_stable = true}}> ({{
  ^bb0({params}):
    {body}
    stablehlo.return {last} : tensor<i1>
  }}) : ({results}) -> ({results})
  return {returned} : {results}
}}"""


def nan_bits(element: str) -> str:
    return {"f16": "7E00", "bf16": "7FC0", "f32": "7FC00000", "f64": "7FF8000000000000"}[element]


def check(text: str, arguments) -> Program:
    program = Program(text)
    want = program.executable(*arguments)
    want = list(want) if isinstance(want, (list, tuple)) else [want]
    have = program.run(*arguments)
    assert len(have) == len(want)
    for x, y in zip(have, want, strict=True):
        assert x.tobytes() == np.asarray(y).tobytes()
    return program


SIMPLE = [e for e in DTYPES if not e.startswith("complex")]


@pytest.mark.parametrize("element", SIMPLE)
@pytest.mark.parametrize("direction", ["LT", "GT"])
def test_keys_alone(element, direction):
    rng = np.random.default_rng(1)
    kinds = ("", "TOTALORDER", "JAX") if "f" in element else ("",)
    for kind, (shape, dimension) in zip(kinds, (((20, 3, 5), 0), ((2, 33), 1), ((200,), 0)), strict=False):
        check(sort_program(shape, dimension, [element], [(0, direction, kind)]), [values(rng, shape, element)])


@pytest.mark.parametrize("key,payload", [*(("i32", e) for e in DTYPES), ("i1", "i8"), ("f64", "bf16"), ("bf16", "f64")])
def test_payloads(key, payload):
    rng = np.random.default_rng(2)
    shape = (3, 65)
    kind = "TOTALORDER" if "f" in key else ""
    text = sort_program(shape, 1, [key, payload], [(0, "LT", kind)])
    check(text, [values(rng, shape, key), values(rng, shape, payload)])


@pytest.mark.parametrize("keys", [("i8", "f16"), ("i32", "i16", "ui8"), ("f64", "f32"), ("i64", "f64", "ui64", "i1")])
def test_several_keys(keys):
    """Those that do not fit into a word are sorted by in turn, the last ones first."""
    rng = np.random.default_rng(3)
    directions = itertools.cycle(["LT", "GT"])
    order = [(i, d, "TOTALORDER" if "f" in e else "") for i, (e, d) in enumerate(zip(keys, directions, strict=False))]
    for shape, dimension in ((130,), 0), ((40, 3), 0):
        arrays = [values(rng, shape, e) for e in keys]
        for array in arrays[:-1]:  # ties
            array[...] = rng.choice(array.reshape(-1)[:3], shape)
        payload = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        check(sort_program(shape, dimension, [*keys, "f32"], order), [*arrays, payload])


@pytest.mark.parametrize("length", [2, 15, 16, 17, 31, 32, 33, 48, 49, 1000, 4096, 70000])
def test_lengths(length):
    rng = np.random.default_rng(length)
    for lines in (1, 3) if length < 5000 else (1,):
        shape = (lines, length)
        x, payload = values(rng, shape, "f32"), rng.integers(0, 99, shape).astype(np.int32)
        check(sort_program(shape, 1, ["f32", "i32"], [(0, "LT", "TOTALORDER")]), [x, payload])
        check(sort_program(shape, 1, ["i32"], [(0, "GT", "")]), [payload])


@pytest.mark.parametrize("element", ["i16", "f32", "ui64"])
@pytest.mark.parametrize("shape, dimension", [((700, 20), 1), ((20, 700), 0), ((3, 50, 300), 1), ((300, 16, 9), 1)])
def test_several_lines_of_a_block(shape, dimension, element):
    """Rows, and columns that lie beside each other; the last block has fewer."""
    rng = np.random.default_rng(6)
    x = values(rng, shape, element)
    program = check(sort_program(shape, dimension, [element], [(0, "GT", "")]), [x])
    [[step]] = [call.steps for call in program.calls]
    assert step["function"].startswith("xla_rt_gpu_sort_lines_")
    assert 1 < step["work"] < x.size // shape[dimension]
    text = sort_program(shape, dimension, [element, "i32"], [(0, "LT", "TOTALORDER" if element == "f32" else "")])
    check(text, [x, np.arange(x.size, dtype=np.int32).reshape(shape)])


@pytest.mark.parametrize("shape", [(1, 4097), (2, 9000), (1, 40000)])
@pytest.mark.parametrize(
    "element, payload", [("i8", None), ("ui16", None), ("i1", "i8"), ("bf16", "f64"), ("i32", "f32")]
)
def test_long_rows_by_digits(element, payload, shape):
    """Longer than a tile, by few digits; in parts of the values, which leave some digits out."""
    rng = np.random.default_rng(7)
    for choose in (lambda x: x, lambda x: rng.choice(x.reshape(-1)[:2], shape)):
        arrays = [choose(values(rng, shape, element))]
        if payload:
            arrays.append(values(rng, shape, payload))
        order = [(0, "GT", "TOTALORDER" if "f" in element else "")]
        program = check(sort_program(shape, 1, [element, payload] if payload else [element], order), arrays)
        steps = [step["function"] for call in program.calls for step in call.steps]
        is_worth_it = element != "i32" or shape[1] > 9000
        assert any("sort_place" in step for step in steps) == is_worth_it, steps


def test_all_equal_and_greatest():
    """The greatest word is also what fills up a run."""
    for fill in (0, 255):
        check(sort_program((37,), 0, ["ui8"], [(0, "LT", "")]), [np.full(37, fill, np.uint8)])
    x = np.full(37, 2**64 - 1, np.uint64)
    check(sort_program((37,), 0, ["ui64", "i32"], [(0, "LT", "")]), [x, np.arange(37, dtype=np.int32)])


@pytest.mark.parametrize("element", [e for e in SIMPLE if e != "i1"])
@pytest.mark.parametrize(
    "shape,k", [((3, 50), 1), ((2, 300), 7), ((33,), 33), ((2, 1000), 100), ((5,), 2), ((9000,), 20), ((600,), 599)]
)
def test_top_k(element, shape, k):
    rng = np.random.default_rng(4)
    *batch, length = shape
    t = "tensor<" + "x".join(map(str, [*shape, element])) + ">"
    results = ["tensor<" + "x".join(map(str, [*batch, k, e])) + ">" for e in (element, "i32")]
    text = f"""func.func @main(%x: {t}) -> ({", ".join(results)}) {{
  %v, %i = chlo.top_k(%x, k = {k}) : {t} -> ({", ".join(results)})
  return %v, %i : {", ".join(results)}
}}"""
    check(text, [values(rng, shape, element)])


def test_top_k_of_many_runs():
    """A thread looks at several runs; the steps keep less and less."""
    rng = np.random.default_rng(5)
    for k in (1, 16, 40):
        text = f"""func.func @main(%x: tensor<2x100000xf32>) -> (tensor<2x{k}xf32>, tensor<2x{k}xi32>) {{
  %v, %i = chlo.top_k(%x, k = {k}) : tensor<2x100000xf32> -> (tensor<2x{k}xf32>, tensor<2x{k}xi32>)
  return %v, %i : tensor<2x{k}xf32>, tensor<2x{k}xi32>
}}"""
        program = check(text, [values(rng, (2, 100000), "f32")])
        assert len(program.calls[0].steps) <= (3 if k <= 16 else 15)
        if k <= 16:
            assert program.calls[0].functions[-1] == "xla_rt_gpu_sort_finish_8"
