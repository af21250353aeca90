# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of one op: what they have in common, and how a target is compared with the reference interpreter.

Shapes and attributes are drawn by hypothesis (so that failures shrink); elements come from a drawn seed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from comparison import difference, spacing
from hypothesis import note
from hypothesis import strategies as st
from vector_cases import ELEMENTS, TARGETS, evaluate

MLIR_NAMES = {np.dtype(dtype): name for name, dtype in ELEMENTS.values()}
DTYPES = {name: np.dtype(dtype) for name, (_, dtype) in ELEMENTS.items()}
for _name in ("float8_e4m3fn", "float8_e5m2"):
    _dtype = np.dtype(getattr(ml_dtypes, _name))
    MLIR_NAMES[_dtype] = {"float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2"}[_name]
    DTYPES[_name] = _dtype

PRED = ["pred"]
SINT = ["s8", "s16", "s32", "s64"]
UINT = ["u8", "u16", "u32", "u64"]
INT = SINT + UINT
NARROW = ["s2", "u2", "s4", "u4"]
FLOAT = ["bf16", "f16", "f32", "f64"]
COMPLEX = ["c64", "c128"]


@dataclass
class Case:
    """A program with its arguments. Results are equal to the bit, unless they may be some ``ulps``, units in their last
    place, apart, or ``within`` has a bound of the absolute difference for each result and element. Without
    ``signed_zeros`` the contract leaves the sign of a zero open."""

    text: str
    arrays: list[np.ndarray]
    ulps: float = 0
    within: Sequence[np.ndarray] | None = None
    signed_zeros: bool = True


def tensor(dtype: Any, dims: Sequence[int]) -> str:
    """The MLIR type of an array."""
    return f"tensor<{''.join(f'{d}x' for d in dims)}{MLIR_NAMES[np.dtype(dtype)]}>"


def type_of(array: np.ndarray) -> str:
    return tensor(array.dtype, array.shape)


def ints(values: Sequence[int]) -> str:
    """An ``array<i64>`` attribute."""
    return f"array<i64: {', '.join(str(int(v)) for v in values)}>" if len(values) else "array<i64>"


def region(*types: str, body: str) -> str:
    """A region with parameters ``%p0``, ``%p1``, ... of the given types."""
    parameters = ", ".join(f"%p{i}: {t}" for i, t in enumerate(types))
    return f"{{\n^bb0({parameters}):\n{body}\n}}"


def binary_region(op: str, dtype: Any) -> str:
    """A region that applies a binary op to its two scalar parameters."""
    t = tensor(dtype, ())
    return region(t, t, body=f'  %r = "xla.{op}"(%p0, %p1) : ({t}, {t}) -> {t}\n  "xla.return"(%r) : ({t}) -> ()')


def one_op(
    op: str,
    arrays: Sequence[np.ndarray],
    results: Sequence[str],
    attributes: dict[str, str] | None = None,
    regions: Sequence[str] = (),
    constants: int = 0,
    **options: Any,
) -> Case:
    """The program that applies ``op`` to its arguments, the last ``constants`` of which are written in the program."""
    types = [type_of(a) for a in arrays]
    given = len(types) - constants
    parameters = ", ".join(f"%arg{i}: {t}" for i, t in enumerate(types[:given]))
    written_down = ""
    for i in range(given, len(types)):
        value = f'dense<"0x{arrays[i].tobytes().hex().upper()}"> : {types[i]}'
        written_down += f'\n  %arg{i} = "xla.constant"() {{value = {value}}} : () -> {types[i]}'
    operands = ", ".join(f"%arg{i}" for i in range(len(types)))
    values = [f"%r#{i}" for i in range(len(results))] if len(results) > 1 else ["%r"]
    definition = f"%r:{len(results)}" if len(results) > 1 else "%r"
    written = ", ".join(f"{key} = {value}" for key, value in (attributes or {}).items())
    body = f"({', '.join(regions)})" if regions else ""
    text = f"""func.func @main({parameters}) -> ({", ".join(results)}) {{{written_down}
  {definition} = "xla.{op}"({operands}) {body} {{{written}}} : ({", ".join(types)}) -> ({", ".join(results)})
  return {", ".join(values)} : {", ".join(results)}
}}"""
    return Case(text, list(arrays[:given]), **options)


# ---- Strategies ------------------------------------------------------------------------------------------------------

SIZES = st.one_of(st.integers(1, 5), st.sampled_from([0, 1, 7, 8, 16, 17, 33, 64]))


def shapes(min_rank: int = 0, max_rank: int = 4, sizes: st.SearchStrategy[int] = SIZES, limit: int = 6000) -> Any:
    """Dimension lists with few enough elements."""
    lists = st.lists(sizes, min_size=min_rank, max_size=max_rank).map(tuple)
    return lists.filter(lambda dims: np.prod(dims, dtype=np.int64) <= limit)


SEEDS = st.integers(0, 2**31)


def elements(dtype: Any, dims: Sequence[int], seed: int, kind: str = "any") -> np.ndarray:
    """Random elements.

    ``any``: all magnitudes, infinities, NaN, zeros of both signs, integers over their whole range and around 0;
    ``moderate``: finite, of magnitude up to about 8; ``small``: whole numbers in -2..2 (0..2 if unsigned) with zeros of
    both signs, whose sums and products are exact in every type; ``unit``: in (-1, 1).
    """
    dtype, rng = np.dtype(dtype), np.random.default_rng(seed)
    if dtype == np.bool_:
        return rng.integers(0, 2, dims).astype(bool)
    if dtype.kind == "c":
        part = np.float32 if dtype.itemsize == 8 else np.float64
        result = np.empty(dims, dtype)
        result.real, result.imag = (elements(part, dims, seed + i, kind) for i in (1, 2))
        return result
    if "int" in dtype.name:
        info = ml_dtypes.iinfo(dtype)
        low, high = int(info.min), int(info.max)
        near = rng.integers(
            max(low, -2 if kind == "small" else -9), min(high, 2 if kind == "small" else 9), dims, endpoint=True
        )
        if kind != "any" or dtype.itemsize * 8 > info.bits:  # the narrow types have few values anyway
            return near.astype(dtype)
        wide = rng.integers(low, high, dims, np.uint64 if low == 0 else np.int64, endpoint=True).astype(dtype)
        edges = (
            rng.choice(np.array([low, high, 0, 1], object), dims)
            .astype(np.uint64 if low == 0 else np.int64)
            .astype(dtype)
        )
        pick = rng.random(dims)
        return np.where(pick < 0.45, wide, np.where(pick < 0.9, near.astype(dtype), edges))
    if kind == "small":
        whole = rng.integers(-2, 2, dims, endpoint=True).astype(np.float64)
        return np.where(rng.random(dims) < 0.5, whole, -whole).astype(dtype)
    if kind == "unit":
        return rng.uniform(-0.98, 0.98, dims).astype(dtype)
    values = rng.standard_normal(dims) * (2.0 ** rng.integers(-3, 3, dims))
    if kind == "any":
        exponents = 20 if dtype.itemsize > 2 or dtype.name == "bfloat16" else 4
        values = np.where(rng.random(dims) < 0.2, values * 2.0 ** rng.integers(-exponents, exponents, dims), values)
        special = rng.choice(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, 2.5]), dims)
        values = np.where(rng.random(dims) < 0.15, special, values)
    return values.astype(dtype)


def arrays(names: Sequence[str], dims: Any = None, kind: str = "any") -> Any:
    """One array of one of the named element types."""
    dims = shapes() if dims is None else dims
    return st.builds(
        lambda name, shape, seed: elements(DTYPES[name], shape, seed, kind), st.sampled_from(names), dims, SEEDS
    )


# ---- Comparison ------------------------------------------------------------------------------------------------------


def check(case: Case) -> None:
    """Runs a case on the reference interpreter and on every other target, and compares."""
    note(case.text)
    expected = evaluate(case.text, case.arrays, "reference")
    for target in TARGETS:
        if target == "reference":
            continue
        actual = evaluate(case.text, case.arrays, target)
        assert len(actual) == len(expected), f"{target}: {len(actual)} results instead of {len(expected)}"
        for i, (have, want) in enumerate(zip(actual, expected, strict=True)):
            want = np.asarray(want)
            within = case.within[i] if case.within else case.ulps * spacing(want) if case.ulps else 0.0
            found = difference(have, want, within, case.signed_zeros)
            assert not found, f"{target}, result {i}: {found}"
