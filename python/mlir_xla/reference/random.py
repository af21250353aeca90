# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The random family: threefry2x32 of 20 rounds and philox4x32 of 10 (Salmon et al., Parallel random numbers: as easy as
1, 2, 3, SC 2011), and numbers of hidden state, which NumPy's generator draws."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ._numerics import narrow, widen
from ._program import Op

Array = np.ndarray
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)

_VARIABLE = "XLA_RT_RANDOM_SEED"

_generator: np.random.Generator | None = None


def set_seed(seed: int) -> None:
    """Makes the hidden state begin anew."""
    global _generator
    _generator = np.random.default_rng(seed)


def _hidden() -> np.random.Generator:
    """The generator that has the hidden state; its seed is the environment's if there is one, as in the runtime."""
    global _generator
    if _generator is None:
        _generator = np.random.default_rng(_seed_of(os.environ.get(_VARIABLE, "")))
    return _generator


def _seed_of(text: str) -> int | None:
    if not text:
        return None
    base = 16 if text[:2].lower() == "0x" else 10
    digits = text[2:] if base == 16 else text
    if not re.fullmatch("[0-9a-fA-F]+" if base == 16 else "[0-9]+", digits) or (seed := int(digits, base)) >= 1 << 64:
        raise ValueError(
            f"the environment variable {_VARIABLE} is '{text[:40]}'; it has to be an integer from 0 to {(1 << 64) - 1}"
        )
    return seed


def _split(words: Array) -> tuple[Array, Array]:
    return words & _LOW, words >> _HALF


def threefry(key: Array, counters: Array) -> tuple[Array, Array]:
    """Both words of 32 bits, in uint64, for each counter."""
    k0, k1 = _split(key)
    keys = [k0, k1, k0 ^ k1 ^ np.uint64(0x1BD11BDA)]
    x, y = _split(counters)
    x, y = (x + keys[0]) & _LOW, (y + keys[1]) & _LOW
    for group in range(5):
        for rotation in ((13, 15, 26, 6), (17, 29, 16, 24))[group % 2]:
            x = (x + y) & _LOW
            y = ((y << np.uint64(rotation) | y >> np.uint64(32 - rotation)) & _LOW) ^ x
        x = (x + keys[(group + 1) % 3]) & _LOW
        y = (y + keys[(group + 2) % 3] + np.uint64(group + 1)) & _LOW
    return x, y


def philox(key: Array, low: Array, high: Array) -> Array:
    """[n, 4] words of 32 bits, in uint64, for n counters of 128 bits."""
    k0, k1 = _split(key)
    c0, c1, c2, c3 = *_split(low), *_split(high)
    for _ in range(10):
        first, second = c0 * np.uint64(0xD2511F53), c2 * np.uint64(0xCD9E8D57)
        c0, c1, c2, c3 = (second >> _HALF) ^ c1 ^ k0, second & _LOW, (first >> _HALF) ^ c3 ^ k1, first & _LOW
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & _LOW, (k1 + np.uint64(0xBB67AE85)) & _LOW
    return np.stack([c0, c1, c2, c3], -1)


def _threefry_bits(state: Array, shape: tuple[int, ...], width: int) -> tuple[Array, int]:
    """The words in an array of `shape`, and how many counters they took."""

    def counters(count: int) -> Array:
        return state[1] + np.arange(count, dtype=np.uint64)

    if width == 64:
        count = int(np.prod(shape, dtype=np.int64))
        x, y = threefry(state[0], counters(count))
        return (x | y << _HALF).reshape(shape), count
    if not shape:
        return threefry(state[0], counters(1))[0].reshape(()), 1
    even = [d for d, size in enumerate(shape) if size % 2 == 0]
    split = even[0] if even else shape.index(max(shape))
    half = (*shape[:split], (shape[split] + 1) // 2, *shape[split + 1 :])
    count = int(np.prod(half, dtype=np.int64))
    words = np.stack([word.reshape(half) for word in threefry(state[0], counters(count))], split + 1)
    whole = words.reshape(*shape[:split], 2 * half[split], *shape[split + 1 :])
    return np.take(whole, np.arange(shape[split]), split), count


def _philox_bits(state: Array, shape: tuple[int, ...], width: int) -> tuple[Array, int]:
    elements = int(np.prod(shape, dtype=np.int64))
    count = -(-elements * (2 if width == 64 else 1) // 4)
    low = state[1] + np.arange(count, dtype=np.uint64)
    high = (state[2] if len(state) > 2 else state[0]) + (low < state[1]).astype(np.uint64)
    words = philox(state[0], low, high).reshape(-1)
    if width == 64:
        words = words[0::2] | words[1::2] << _HALF
    return words[:elements].reshape(shape), count


def _rng_bit_generator(op: Op, state: Array) -> list[Array]:
    element, shape = op.result_types[1].element, op.result_types[1].shape  # type: ignore[union-attr]
    with np.errstate(over="ignore"):  # NumPy warns of scalars that wrap
        generate = _threefry_bits if op.attributes["rng_algorithm"] == "THREE_FRY" else _philox_bits
        bits, count = generate(state, tuple(shape), element.bits)
        after = state.copy()
        after[1] += np.uint64(count)
        if len(state) > 2:
            after[2] += np.uint64(after[1] < np.uint64(count))
    return [after, bits.astype(f"u{element.bits // 8}").view(element.dtype)]


def _rng(op: Op, a: Array, b: Array, shape: Array) -> Array:
    element, dims = op.array.element, tuple(int(size) for size in shape)
    low, high = widen(a)[()], widen(b)[()]
    if op.attributes["rng_distribution"] == "NORMAL":
        return narrow(low + high * _hidden().standard_normal(dims), element)
    if element.kind == "pred" or not low < high:
        return np.full(dims, a)
    if element.kind != "float":
        return narrow(_hidden().integers(low, high, dims, dtype=low.dtype), element)
    values = np.asarray(narrow(low + (high - low) * _hidden().random(dims), element))
    while (outside := widen(values) >= high).any():  # rounded up to b
        again = narrow(low + (high - low) * _hidden().random(int(outside.sum())), element)
        values[outside] = again
    return values


OPS: dict[str, Callable[..., Any]] = {"rng": _rng, "rng_bit_generator": _rng_bit_generator}
