# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs and expected results of `test/programs/exported`: the inputs drawn from a seed, the results kept as a digest.

A digest of a result has its type, up to 48 of its elements at drawn places, and of numbers sums with drawn signs: over
all elements, and over each of up to 8 slices of the flat array. A wrong element changes two of the sums by its error.
Values are written with as many digits as give them back to the bit.
"""

from __future__ import annotations

import json
import pathlib
import zlib
from typing import Any

import ml_dtypes
import numpy as np
from comparison import difference, is_float

_NUMPY = {"i1": np.bool_, "f32": np.float32, "f64": np.float64, "c64": np.complex64}
_NUMPY |= {f"{m}{n}": getattr(np, f"{p}{n}") for m, p in (("i", "int"), ("ui", "uint")) for n in (8, 16, 32, 64)}
_SAMPLES, _SLICES = 48, 8


def drawn(name: str, inputs: Any) -> list[np.ndarray]:
    """The inputs of a program, spelled `2x3xf32` (normal), `4xi32 0..9` or `f32 3..4` (uniform, without the upper
    bound)."""
    # A generator whose numbers are the same in every version of NumPy.
    random = np.random.RandomState(zlib.crc32(name.encode()))
    return [_draw(random, each) for each in inputs]


def _draw(random: np.random.RandomState, spelled: str) -> np.ndarray:
    shape, _, bounds = spelled.partition(" ")
    *dims, element = shape.split("x")
    dtype, sizes = np.dtype(_NUMPY[element]), [int(each) for each in dims]
    if bounds:
        low, high = map(int, bounds.split(".."))
        draw = random.uniform if dtype.kind == "f" else random.randint
        return np.asarray(draw(low, high, sizes)).astype(dtype)
    if dtype.kind == "u":
        return np.asarray(random.randint(0, 2**32, sizes, np.uint64)).astype(dtype)
    if dtype.kind == "c":
        return np.asarray(random.standard_normal(sizes) + 1j * random.standard_normal(sizes)).astype(dtype)
    return np.asarray(random.standard_normal(sizes)).astype(dtype)


def _parts(array: np.ndarray) -> np.ndarray:
    """Flat, and complex numbers as pairs."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _plan(flat: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[slice]]:
    """Places of samples, signs, and slices."""
    random = np.random.RandomState(flat.size)
    places = np.arange(flat.size)
    if flat.size > _SAMPLES:
        places = np.sort(random.choice(flat.size, _SAMPLES, replace=False))
    signs = random.choice([-1.0, 1.0], flat.size)
    cuts = np.linspace(0, flat.size, _SLICES + 1).astype(int)
    slices = [slice(0, flat.size), *(slice(int(a), int(b)) for a, b in zip(cuts, cuts[1:], strict=False) if a < b)]
    return places, signs, slices if flat.size > _SAMPLES else []


def _sums(flat: np.ndarray) -> list[float]:
    _, signs, slices = _plan(flat)
    wide = flat.astype(np.float64) * signs
    return [float(wide[each].sum()) for each in slices]


def store(path: pathlib.Path, name: str, inputs: Any, roundings: float, results: list[np.ndarray]) -> None:
    """Writes the digest."""
    digests = []
    for result in results:
        flat = _parts(result)
        largest = float(np.abs(flat[np.isfinite(flat)].astype(np.float64)).max(initial=0.0))
        digests.append(
            {
                "dtype": str(result.dtype),
                "dims": list(result.shape),
                "largest": float(np.float32(largest)),
                "samples": [each.item() for each in flat[_plan(flat)[0]]],
                "sums": [float(f"{each:.12g}") for each in _sums(flat)],
            }
        )
    lines = ",\n  ".join(json.dumps(each) for each in digests)
    head = f'"inputs": {json.dumps(list(inputs))},\n "roundings": {roundings}'
    path.write_text(f'{{{head},\n "results": [\n  {lines}\n ]}}\n')


def load(path: pathlib.Path) -> dict[str, Any]:
    """A digest that `store` wrote."""
    return json.loads(path.read_text())


def disagreement(found: list[np.ndarray], about: dict[str, Any]) -> str | None:
    """What is wrong with results, by a digest; None if nothing is."""
    if len(found) != len(about["results"]):
        return f"{len(found)} results instead of {len(about['results'])}"
    complaints = (
        _complaint(np.asarray(have), want, about["roundings"])
        for have, want in zip(found, about["results"], strict=True)
    )
    return next((f"result {i}: {each}" for i, each in enumerate(complaints) if each), None)


def _complaint(have: np.ndarray, want: dict[str, Any], roundings: float) -> str | None:
    if [str(have.dtype), list(have.shape)] != [want["dtype"], want["dims"]]:
        return f"{have.dtype}{list(have.shape)} instead of {want['dtype']}{want['dims']}"
    flat = _parts(have)
    within = 0.0
    if is_float(flat.dtype):
        within = roundings * float(ml_dtypes.finfo(flat.dtype).eps) * want["largest"]
    places, _, slices = _plan(flat)
    if found := difference(flat[places], np.array(want["samples"], flat.dtype), within):
        return f"of the samples, {found}"
    for have_sum, want_sum, each in zip(_sums(flat), want["sums"], slices, strict=True):
        # Errors of either sign: their sum grows with the root of their number. The sum itself is kept with 12 digits.
        bound = within * (each.stop - each.start) ** 0.5 + 1e-11 * abs(want_sum)
        if not (abs(have_sum - want_sum) <= bound or (np.isnan(have_sum) and np.isnan(want_sum))):
            return (
                f"the signed sum of [{each.start}, {each.stop}) is {have_sum} instead of {want_sum} within {bound:.3g}"
            )
    return None
