# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs with elementwise code before and behind Fourier transforms: functions that branch, what is padded,
sliced, reversed and concatenated, and complex numbers. Transforms have up to three dimensions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

import mlir_xla

LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 20, 23, 24, 30, 31, 32, 37, 48, 53, 64, 67, 97, 101, 128]
MOST_ELEMENTS = 6000
#: Without jumps, which would make large differences of small ones.
FUNCTIONS: list[Callable] = [
    jnp.sin,
    jnp.cos,
    jnp.tanh,
    jnp.arctan,
    jax.lax.erf,
    lambda x: jnp.exp(-jnp.abs(x)),
    lambda x: jnp.log1p(jnp.abs(x)),
    lambda x: jnp.sqrt(jnp.abs(x)),
    lambda x: jax.lax.rsqrt(1 + x * x),
    lambda x: jnp.where(x > 0, x, x / 4),
    lambda x: jnp.power(jnp.abs(x) + 1, 0.3),
    lambda x: 3 / (1 + x * x),
    lambda x: jnp.clip(x, -1, 1) * 2,
    lambda x: jnp.exp(1j * x),
    lambda x: (x * (1 + 2j)).astype(jnp.result_type(x.dtype, jnp.complex64)),
]
COMPLEX_FUNCTIONS: list[Callable] = [
    jnp.real,
    jnp.imag,
    jnp.conj,
    lambda z: jnp.sqrt(jnp.real(z) ** 2 + jnp.imag(z) ** 2),
    lambda z: z * (2 - 1j),
    lambda z: z / (1.5 + jnp.real(z * jnp.conj(z))),
    lambda z: jnp.sin(jnp.real(z)) + 1j * jnp.cos(jnp.imag(z)),
    lambda z: jnp.exp(1j * jnp.imag(z)),
]


@dataclasses.dataclass
class Program:
    function: Callable
    arguments: list[np.ndarray]

    def text(self) -> str:
        with jax.enable_x64(True):
            return jax.jit(self.function, keep_unused=True).lower(*self.arguments).as_text()


class Writer:
    """Chooses the steps; each is a function of the value and of the program's arguments."""

    def __init__(self, seed: int):
        self.rng = np.random.default_rng(seed)
        self.element = np.float64 if self.rng.random() < 0.15 else np.float32
        self.arguments: list[np.ndarray] = []
        self.steps: list[Callable] = []

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def argument(self, shape: tuple[int, ...], is_complex: bool = False) -> int:
        value = self.rng.standard_normal(shape).astype(self.element)
        if is_complex:
            value = value + 1j * self.rng.standard_normal(shape).astype(self.element)
        self.arguments.append(value)
        return len(self.arguments) - 1

    def step(self, shape: jax.ShapeDtypeStruct, function: Callable) -> jax.ShapeDtypeStruct:
        """Appends one, unless it makes too much or nothing of the value."""
        with jax.enable_x64(True):
            result = jax.eval_shape(function, shape, self.arguments)
        if not 0 < result.size <= MOST_ELEMENTS:
            return shape
        self.steps.append(function)
        return result

    def elementwise(self, x: jax.ShapeDtypeStruct) -> jax.ShapeDtypeStruct:
        kinds = [self.function, self.pad, self.slice, self.reverse, self.concatenate, self.other, self.choose]
        kind = kinds[self.rng.choice(len(kinds), p=[0.36, 0.18, 0.12, 0.08, 0.08, 0.12, 0.06])]
        return self.step(x, kind(x))

    def function(self, x: jax.ShapeDtypeStruct) -> Callable:
        functions = COMPLEX_FUNCTIONS if jnp.issubdtype(x.dtype, jnp.complexfloating) else FUNCTIONS
        function = functions[self.rng.integers(len(functions))]
        return lambda value, _: function(value)

    def pad(self, x: jax.ShapeDtypeStruct) -> Callable:
        def amount(size: int) -> tuple[int, int, int]:
            low, high = (max(int(number), -((size - 1) // 2)) for number in self.rng.integers(-2, 12, size=2))
            return low, high, int(self.rng.integers(1, 3)) if self.chance(0.15) else 0

        padding = [amount(size) if self.chance(0.6) else (0, 0, 0) for size in x.shape]
        fill = float(self.rng.choice([0, 0, 1.5]))
        return lambda value, _: jax.lax.pad(value, jnp.asarray(fill, value.dtype), padding)

    def slice(self, x: jax.ShapeDtypeStruct) -> Callable:
        def part(size: int) -> slice:
            start = int(self.rng.integers(0, max(1, size // 2)))
            stop = int(self.rng.integers(start + 1, size + 1))
            return slice(start, stop, int(self.rng.choice([1, 1, 1, 2, 3])))

        parts = tuple(part(size) if self.chance(0.5) else slice(None) for size in x.shape)
        return lambda value, _: value[parts]

    def reverse(self, x: jax.ShapeDtypeStruct) -> Callable:
        dims = [dim for dim in range(len(x.shape)) if self.chance(0.5)]
        return lambda value, _: jnp.flip(value, dims)

    def concatenate(self, x: jax.ShapeDtypeStruct) -> Callable:
        dim = int(self.rng.integers(len(x.shape)))
        if self.chance(0.5):  # as cosine transforms do
            return lambda value, _: jnp.concatenate([value, jnp.flip(value, dim)], dim)
        shape = list(x.shape)
        shape[dim] = int(self.rng.integers(1, 9))
        number = self.argument(tuple(shape))
        return lambda value, arguments: jnp.concatenate([jnp.sin(arguments[number]).astype(value.dtype), value], dim)

    def other(self, x: jax.ShapeDtypeStruct) -> Callable:
        shape = tuple(size if self.chance(0.6) else 1 for size in x.shape)
        number = self.argument(shape, is_complex=self.chance(0.3))
        if self.chance(0.5):
            return lambda value, arguments: value * arguments[number]
        return lambda value, arguments: value + jnp.cos(arguments[number].real)

    def choose(self, x: jax.ShapeDtypeStruct) -> Callable:
        dim = int(self.rng.integers(len(x.shape)))
        first = int(self.rng.integers(0, x.shape[dim] + 1))

        def chosen(value, _):
            index = jax.lax.broadcasted_iota(jnp.int32, value.shape, dim)
            return jnp.where(index < first, value * 2, jnp.sin(index.astype(value.real.dtype)).astype(value.dtype))

        return chosen

    def transform(self, x: jax.ShapeDtypeStruct) -> jax.ShapeDtypeStruct:
        """Orthonormal ones keep numbers about as large as they are."""
        rank = int(self.rng.integers(1, min(3, len(x.shape)) + 1))
        axes = tuple(range(len(x.shape) - rank, len(x.shape)))
        is_complex = jnp.issubdtype(x.dtype, jnp.complexfloating)
        kinds = [jnp.fft.fftn, jnp.fft.ifftn, jnp.fft.irfftn] if is_complex else [jnp.fft.rfftn, jnp.fft.fftn]
        kind = kinds[self.rng.integers(len(kinds))]
        if kind is jnp.fft.irfftn:
            last = 2 * (x.shape[-1] - 1) + int(self.rng.integers(2))
            sizes = (*x.shape[-rank:-1], max(1, last))
            return self.step(x, lambda value, _: jnp.fft.irfftn(value, sizes, axes, norm="ortho"))
        return self.step(x, lambda value, _: kind(value, axes=axes, norm="ortho"))


def program(seed: int) -> Program:
    writer = Writer(seed)
    rng = writer.rng
    while True:
        shape = tuple(int(rng.choice(LENGTHS)) for _ in range(rng.integers(1, 4)))
        if np.prod(shape) <= MOST_ELEMENTS // 4:
            break
    number = writer.argument(shape, is_complex=writer.chance(0.4))
    x = jax.ShapeDtypeStruct(shape, writer.arguments[number].dtype)
    for _ in range(rng.integers(1, 3)):
        for _ in range(rng.integers(0, 5)):
            x = writer.elementwise(x)
        x = writer.transform(x)
    for _ in range(rng.integers(0, 4)):
        x = writer.elementwise(x)
    steps = writer.steps

    def function(*arguments):
        value = arguments[number]
        for step in steps:
            value = step(value, arguments)
        return value

    return Program(function, writer.arguments)


def verdict(p: Program, target: str) -> str | None:
    """What is wrong with a program on a target, or None."""
    text = p.text()
    try:
        found = np.asarray(mlir_xla.compile(text, target=target)(*p.arguments))
    except Exception as error:  # whatever is raised is the finding
        return f"error: {error}"
    want = np.asarray(mlir_xla.compile(text, target="reference")(*p.arguments))
    scale = max(1.0, float(np.abs(want).max()))
    difference = float(np.abs(found - want).max())  # NaN is one, too
    return None if difference <= 1e-4 * scale else f"differs by {difference}, of {scale}"
