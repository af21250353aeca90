# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random numbers and random bits."""

from __future__ import annotations

import enum

import numpy as np

from ..builder import XlaOp
from ..shape import Shape


class RandomAlgorithm(enum.Enum):
    """A generator of `RngBitGenerator`, of which RNG_DEFAULT is Philox."""

    RNG_DEFAULT = "DEFAULT"
    RNG_THREE_FRY = "THREE_FRY"
    RNG_PHILOX = "PHILOX"


def _rng(label: str, distribution: str, a: XlaOp, b: XlaOp, shape: Shape) -> XlaOp:
    builder = a.builder
    sizes = builder.constant(np.asarray(shape.dims, np.int64))
    attributes = {"rng_distribution": f"#xla<rng_distribution {distribution}>"}
    return builder.emit(label, "rng", [a, b, sizes], attributes, results=[shape])


def RngUniform(a: XlaOp, b: XlaOp, shape: Shape) -> XlaOp:
    """Independent numbers of [a, b), never b, from a hidden state (`set_random_seed`). a, b and `shape` have one
    element type.

    Example:
        >>> run(ops.RngUniform(value(2), value(3), Shape(np.int32, (3,))))
        array([2, 2, 2], dtype=int32)
    """
    return _rng("RngUniform", "UNIFORM", a, b, shape)


def RngNormal(mu: XlaOp, sigma: XlaOp, shape: Shape) -> XlaOp:
    """Independent numbers of the normal distribution with mean `mu` and standard deviation `sigma`, from a hidden state
    (`set_random_seed`).

    Example:
        >>> run(ops.RngNormal(value(3.0), value(0.0), Shape(np.float32, (3,))))
        array([3., 3., 3.], dtype=float32)
    """
    return _rng("RngNormal", "NORMAL", mu, sigma, shape)


def RngBitGenerator(algorithm: RandomAlgorithm, initial_state: XlaOp, shape: Shape) -> XlaOp:
    """The next state and random bits of `shape`, a tuple. The state is `u64[2]` for RNG_THREE_FRY (key and counter) and
    `u64[3]` for RNG_PHILOX (key, and a counter in two words, the low one first).

    Example:
        >>> state = value(np.zeros(3, np.uint64))
        >>> run(ops.RngBitGenerator(ops.RandomAlgorithm.RNG_PHILOX, state, Shape(np.uint32, (4,))))
        (array([0, 1, 0], dtype=uint64), array([1713891541, 3781805453, 3159862348, 2600524760], dtype=uint32))
    """
    attributes = {"rng_algorithm": f"#xla<rng_algorithm {algorithm.value}>"}
    return initial_state.builder.emit(
        "RngBitGenerator",
        "rng_bit_generator",
        [initial_state],
        attributes,
        results=[initial_state.shape, shape],
    )
