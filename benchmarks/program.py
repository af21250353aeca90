# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program: a JAX function, the shapes it runs on, and how it becomes StableHLO text.

A `Program` is a function of flat arrays together with its inputs. `export` lowers it for an invented platform, so that
the text holds only platform-neutral StableHLO, and that one text is what every system under comparison runs.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Sequence

import jax
import ml_dtypes
import numpy as np

# The platform does not exist: JAX then takes the platform-neutral lowering of every primitive.
PLATFORM = "mlir_xla"

# Element types by the names MLIR gives them, c64 and c128 excepted.
DTYPES = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "c64": np.complex64,
    "c128": np.complex128,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "i4": ml_dtypes.int4,
    "ui4": ml_dtypes.uint4,
}


@dataclasses.dataclass(frozen=True)
class Spec:
    """An input: shape, dtype, and bounds of the values to draw (without bounds, floats are drawn from a normal).

    `order`: integers are drawn independently ("any"), then sorted ("sorted"), or no two are equal ("distinct").
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    low: float | None = None
    high: float | None = None
    order: str = "any"

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Values of this spec from `rng`."""
        kind = np.dtype(self.dtype)
        if kind == np.bool_:
            return rng.integers(0, 2, self.shape).astype(np.bool_)
        if kind in (np.complex64, np.complex128):
            return np.asarray(rng.standard_normal(self.shape) + 1j * rng.standard_normal(self.shape)).astype(kind)
        integer = kind.kind in "iu" or kind in (np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.uint4))
        if integer:
            low = (0 if kind.kind == "u" or kind == ml_dtypes.uint4 else -8) if self.low is None else self.low
            high = 8 if self.high is None else self.high
            if self.order == "distinct":
                chosen = rng.permutation(np.arange(int(low), int(high)))[: int(np.prod(self.shape))]
                return chosen.reshape(self.shape).astype(kind)
            drawn = np.asarray(rng.integers(int(low), int(high), self.shape)).astype(kind)
            return np.sort(drawn, axis=None).reshape(self.shape) if self.order == "sorted" else drawn
        if self.low is not None or self.high is not None:
            return np.asarray(rng.uniform(self.low or 0.0, 1.0 if self.high is None else self.high, self.shape)).astype(
                kind
            )
        return np.asarray(rng.standard_normal(self.shape)).astype(kind)


def spec(text: str, low: float | None = None, high: float | None = None, order: str = "any") -> Spec:
    """`spec("4x8xf32")`: a 4 by 8 array of f32; `spec("i32")` is a scalar."""
    *dims, dtype = text.split("x")
    return Spec(tuple(int(dim) for dim in dims), np.dtype(DTYPES[dtype]), low, high, order)


@dataclasses.dataclass(frozen=True)
class Program:
    """A measured program.

    `flops` (of products) and `bytes` are what one run must at least compute and move, where that is not what `work.py`
    counts in the text.
    `rtol` and `atol` bound the difference that two correct implementations may show, and `mismatch` is the share of
    elements allowed beyond them (where a rounding decides a branch). `x64` lowers with JAX's 64-bit types enabled.
    `turns`: how often a loop turns for these inputs, if they end it.
    `numpy` is the same in NumPy, where that calls a library made for it.
    """

    name: str
    family: str
    function: Callable[..., object]
    specs: tuple[Spec, ...]
    flops: float = 0.0
    bytes: float = 0.0
    rtol: float = 1e-4
    atol: float = 1e-5
    mismatch: float = 0.0
    x64: bool = False
    turns: int = 1
    numpy: Callable[..., object] | None = None

    def arguments(self) -> list[np.ndarray]:
        """The inputs: the same in every process, different from program to program."""
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        return [each.draw(rng) for each in self.specs]

    def jitted(self) -> Callable[..., object]:
        """The function under `jax.jit`, every argument kept even when unused."""
        return jax.jit(self.function, keep_unused=True)

    def module(self):
        """The program in StableHLO, as a module of JAX's MLIR."""
        with jax.enable_x64(self.x64):
            shapes = [jax.ShapeDtypeStruct(each.shape, each.dtype) for each in self.specs]
            return self.jitted().trace(*shapes).lower(lowering_platforms=(PLATFORM,)).compiler_ir("stablehlo")

    def export(self, generic: bool = False) -> str:
        """The program as StableHLO text, pretty as JAX prints it or in MLIR's generic form."""
        with jax.enable_x64(self.x64):
            return self.module().operation.get_asm(print_generic_op_form=generic)

    def expected(self, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
        """What JAX computes for these arguments, as a flat list."""
        with jax.enable_x64(self.x64):
            return [np.asarray(each) for each in jax.tree.leaves(self.jitted()(*arguments))]
