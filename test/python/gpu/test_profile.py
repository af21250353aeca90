# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the fast classes of kernels touch memory: of global memory, warps ask for whole sectors and nothing else, and an
access to shared memory takes one wavefront. Sizes are such that vectors are aligned."""

from __future__ import annotations

import ctypes
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import mlir_xla

LINE = re.compile(r"(.*): (global|shared) (read|write), (\d+) requests, (\d+) \w+, (\d+) at least")


def f32(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, np.float32)


def i32(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, np.int32)


def bf16(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, jnp.bfloat16)


def layer_norm(x, scale, bias):
    centred = x - x.mean(-1, keepdims=True)
    return centred * lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5) * scale + bias


#: Bytes that a thread reads and writes of global memory, for each of its accesses. Columns that are gathered and what a
#: transpose exchanges are read by the element, 128 bytes for each warp.
WIDE, NARROW = 16, 4
PROGRAMS: dict[str, tuple[int, Callable, list[jax.ShapeDtypeStruct]]] = {
    "elementwise": (WIDE, lambda x, y: jnp.exp(x) + y, [f32(64, 64), f32(64, 64)]),
    "elementwise of 2 bytes": (WIDE, lambda x, y: x + y, [bf16(64, 64), bf16(64, 64)]),
    "broadcast along columns": (WIDE, lambda x, y: x + y[:, None], [f32(64, 128), f32(64)]),
    "broadcast along rows": (WIDE, lambda x, y: x + y, [f32(64, 128), f32(128)]),
    "pad": (NARROW, lambda x: jnp.pad(x, ((1, 1), (32, 32))), [f32(64, 64)]),
    # Of so many elements that a thread has several, which are apart.
    "pad of many": (NARROW, lambda x: jnp.pad(x, ((1, 1), (32, 32))), [f32(510, 704)]),
    "slice": (WIDE, lambda x: x[8:40, 32:160], [f32(64, 256)]),
    "concatenate": (WIDE, lambda x, y: jnp.concatenate([x, y], axis=1), [f32(64, 128), f32(64, 256)]),
    "gather of rows": (WIDE, lambda x, i: jnp.take(x, i, axis=0, mode="clip"), [f32(100, 128), i32(48)]),
    "gather along columns": (NARROW, lambda x, i: jnp.take(x, i, axis=1, mode="clip"), [f32(32, 128), i32(64)]),
    "transpose": (NARROW, lambda x: x.T, [f32(64, 96)]),
    "transpose of a square": (NARROW, lambda x: x.T + 1, [f32(64, 64)]),
    "transpose of 2 bytes": (2, lambda x: x.T, [bf16(64, 64)]),
    "transpose that keeps rows": (WIDE, lambda x: jnp.transpose(x, (0, 2, 1, 3)), [f32(2, 8, 16, 32)]),
    "transpose of pixels": (NARROW, lambda x: jnp.transpose(x, (0, 3, 1, 2)), [f32(2, 16, 32, 64)]),
    "sum of rows": (WIDE, lambda x: x.sum(1), [f32(64, 128)]),
    "greatest of rows of 2 bytes": (WIDE, lambda x: x.max(1), [bf16(64, 256)]),
    "sum of long rows": (WIDE, lambda x: x.sum(1), [f32(2, 4096)]),
    "sum of columns": (NARROW, lambda x: x.sum(0), [f32(96, 128)]),
    "sum of tall columns": (NARROW, lambda x: x.sum(0), [f32(512, 64)]),
    # Where what is read of each row lies along the rows that are added up.
    "sum of columns of centred rows": (NARROW, lambda x, y: ((x - y[:, None]) * x).sum(0), [f32(512, 128), f32(512)]),
    "sum of all": (WIDE, lambda x: x.sum(), [f32(512, 512)]),
    "sum of the middle": (NARROW, lambda x: x.sum(1), [f32(64, 40, 256)]),
    "greatest of rows": (NARROW, lambda x: x.argmax(1), [f32(64, 128)]),
    "greatest of columns": (NARROW, lambda x: x.argmax(0), [f32(1024, 128)]),
    "sum of windows": (
        NARROW,
        lambda x: lax.reduce_window(x, 0.0, lax.add, (4, 1), (4, 1), "VALID"),
        [f32(64, 128)],
    ),
    "softmax of rows by blocks": (WIDE, lambda x: jax.nn.softmax(x, axis=-1), [f32(140, 512)]),
    "threefry": (
        WIDE,
        lambda k: jax.random.bits(jax.random.wrap_key_data(k), (4096,)),
        [jax.ShapeDtypeStruct((2,), "u4")],
    ),
    "transform": (8, lambda x: jnp.fft.fft(x), [jax.ShapeDtypeStruct((16, 256), np.complex64)]),
    "sums at places": (
        WIDE,
        lambda x, i, u: (x + 1).at[i].add(u, mode="drop"),
        [f32(64, 128), i32(256), f32(256, 128)],
    ),
    "softmax": (WIDE, lambda x: jax.nn.softmax(x, axis=-1), [f32(16, 256)]),
    "layer norm": (WIDE, layer_norm, [f32(16, 256), f32(256), f32(256)]),
    "scan of rows": (WIDE, lambda x: jnp.cumsum(x, axis=1), [f32(8, 256)]),
    "scan of long rows": (WIDE, lambda x: jnp.cumsum(x, axis=1), [f32(2, 4096)]),
    "scan of one long row": (WIDE, lambda x: jnp.cumsum(x), [f32(131072)]),
    "scan of columns": (NARROW, lambda x: jnp.cumsum(x, axis=0), [f32(8, 16384)]),
    "updates of rows": (
        WIDE,
        lambda x, i, u: x.at[i].set(u, unique_indices=True, mode="drop"),
        [f32(100, 128), i32(40), f32(40, 128)],
    ),
    "counts at places": (
        WIDE,
        lambda x, i, u: x.at[i].add(u, mode="drop"),
        [i32(64, 128), i32(256), i32(256, 128)],
    ),
    "transform across rows": (8, lambda x: jnp.fft.fft(x, axis=0), [jax.ShapeDtypeStruct((256, 16), np.complex64)]),
    "conversion": (WIDE, lambda x: x.astype(jnp.bfloat16), [f32(64, 64)]),
    "choice": (WIDE, lambda p, x, y: jnp.where(p > 0, x, y), [f32(64, 64), f32(64, 64), f32(64, 64)]),
    "reverse": (WIDE, lambda x: x[:, ::-1], [f32(64, 128)]),
    "reverse of both": (WIDE, lambda x: x[::-1, ::-1] + 1, [bf16(64, 128)]),
    "slice at an index": (
        WIDE,
        lambda x, i: lax.dynamic_slice(x, (i[0], 0), (16, 128)),
        [f32(64, 128), i32(1)],
    ),
    "update of a slice": (
        WIDE,
        lambda x, y, i: lax.dynamic_update_slice(x + 1, y, (i[0], 0)),
        [f32(64, 128), f32(16, 128), i32(1)],
    ),
    "greatest of windows": (
        NARROW,
        lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"),
        [f32(2, 16, 16, 32)],
    ),
    "sum and greatest of rows": (WIDE, lambda x: (x.sum(1), x.max(1)), [f32(64, 128)]),
    "product of a matrix with a vector": (WIDE, lambda x, y: x @ y, [f32(2048, 512), f32(512)]),
    "product of a small matrix with a vector": (WIDE, lambda x, y: x @ y, [f32(256, 512), f32(512)]),
    "product of a vector with a matrix": (WIDE, lambda x, y: y @ x, [f32(512, 256), f32(512)]),
    "batches of small products": (NARROW, lambda x, y: x @ y, [f32(64, 8, 8), f32(64, 8, 8)]),
    "convolution": (
        WIDE,
        lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
        [f32(2, 16, 16, 32), f32(3, 3, 32, 64)],
    ),
    "random bits": (
        WIDE,
        lambda x: lax.rng_bit_generator(x, (4096,), np.uint32)[1],
        [jax.ShapeDtypeStruct((4,), "u4")],
    ),
}


def attention(q, k, v):
    scores = jax.nn.softmax((q @ k.T).astype(np.float32), axis=-1)
    return scores.astype(v.dtype) @ v


#: By threads of 16 and of 8 columns, by warps; few rows, past which keys are streamed.
PROGRAMS |= {
    "attention": (WIDE, attention, [f32(128, 64), f32(128, 64), f32(128, 64)]),
    "attention of many rows": (WIDE, attention, [f32(4224, 16), f32(64, 16), f32(64, 32)]),
    "attention by warps": (WIDE, attention, [bf16(128, 64), bf16(128, 64), bf16(128, 64)]),
    "attention of one row": (WIDE, attention, [bf16(1, 64), bf16(2048, 64), bf16(2048, 64)]),
    "attention of heads that share keys": (
        WIDE,
        lambda q, k, v: jax.vmap(attention)(q, k, v),
        [bf16(2, 8, 64), bf16(2, 2048, 64), bf16(2, 2048, 64)],
    ),
}


def factor(x):
    return lax.linalg.cholesky(x + 1e9 * jnp.eye(x.shape[-1], dtype=x.dtype), symmetrize_input=False)


#: Factors of one tile and of several, whose rows are read 32 bytes at a time; sums on their diagonals come before.
PROGRAMS |= {
    "factor of a tile": (WIDE, factor, [f32(32, 32)]),
    "factor": (WIDE, factor, [f32(96, 96)]),
    "factor in double precision": (WIDE, factor, [jax.ShapeDtypeStruct((96, 96), np.float64)]),
}
#: Where merges read, the data says; all else is as everywhere. Positions are all that is gathered. Columns are long
#: enough for the lanes that have their chunks to be those of one.
SORTS: dict[str, tuple[int, Callable, list[jax.ShapeDtypeStruct]]] = {
    "sort of rows": (NARROW, lax.sort, [i32(64, 256)]),
    "sort of short rows": (NARROW, lax.sort, [i32(2112, 16)]),
    "sort of columns": (NARROW, lambda x: lax.sort(x, dimension=0), [i32(512, 64)]),
    "order of rows": (NARROW, lambda x: jnp.argsort(x, axis=1), [f32(64, 256)]),
    "order of columns": (NARROW, lambda x: jnp.argsort(x, axis=0), [f32(256, 64)]),
}
PROGRAMS |= SORTS
#: Rows of spectra are an odd number of complex numbers, so three of four begin within a sector.
SPECTRUM = "transform of real numbers"
ROWS, HALF = 16, 128
PROGRAMS[SPECTRUM] = (8, lambda x: jnp.fft.rfft(x), [f32(ROWS, 2 * HALF)])


def emulator() -> ctypes.CDLL:
    """The library that this process runs programs with."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return ctypes.CDLL(next(line.split()[-1] for line in maps if line.rstrip().endswith("libcuda-emu.so")))


def measure() -> None:
    """Runs all programs; what the profile has of each goes to stdout."""
    before: dict[str, list[int]] = {}
    found: dict[str, list] = {}
    for name, (_, function, arguments) in PROGRAMS.items():
        with jax.enable_x64(any(each.dtype == np.float64 for each in arguments)):
            text = jax.jit(function).lower(*arguments).as_text()
        program = mlir_xla.compile(text, target="cuda-emulated")
        values = [np.arange(np.prod(each.dims)).reshape(each.dims).astype(each.dtype) for each in program.arg_types]
        program(*values)
        library = emulator()
        library.cuda_emu_profile.restype = ctypes.c_char_p
        found[name] = []
        for line in library.cuda_emu_profile().decode().splitlines():
            where, space, access, *counts = LINE.fullmatch(line).groups()  # type: ignore[union-attr]
            now = [int(count) for count in counts]
            new = [after - past for after, past in zip(now, before.get(where, [0, 0, 0]), strict=True)]
            before[where] = now
            if new[0]:
                found[name].append([space, access, where, *new])
    json.dump(found, sys.stdout)


@pytest.fixture(scope="module")
def profile() -> dict[str, list]:
    environment = {**os.environ, "CUDA_EMU_PROFILE": "1"}
    done = subprocess.run([sys.executable, __file__], env=environment, stdout=subprocess.PIPE, timeout=300, check=True)
    return json.loads(done.stdout)


def test_spectra(profile):
    """Lanes write frequencies one after the other, and those that mirror them. Where the first of a warp's are whole
    sectors the others cannot be, because both begin as far from the row's ends, and a row has an odd number: so many
    sectors, and no more, are touched. Whatever else there is, is read and written as everywhere."""

    def sectors(row: int, frequencies: range) -> int:
        begin = 8 * (row * (HALF + 1) + min(frequencies))
        return (begin + 8 * len(frequencies) - 1) // 32 - begin // 32 + 1

    low = mirrored = 0
    for row in range(ROWS):
        for first in range(0, HALF // 2 + 1, 32):
            last = min(first + 31, HALF // 2)
            low += sectors(row, range(first, last + 1))
            others = range(HALF - min(last, HALF // 2 - 1), HALF - first + 1)  # the one in the middle mirrors itself
            mirrored += sectors(row, others) if others else 0
    written = [units for space, access, _, _, units, _ in profile[SPECTRUM] if (space, access) == ("global", "write")]
    assert written == [low, mirrored] == [296, 280]
    others = [each for each in profile[SPECTRUM] if each[:2] not in (["global", "write"], ["shared", "read"])]
    assert others and all(units <= least for *_, units, least in others)
    # What mirrors half of a warp lies on both sides of one of the gaps that keep other accesses apart.
    assert all(units <= requests + least for *_, requests, units, least in profile[SPECTRUM])


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != SPECTRUM])
def test_accesses(name, profile):
    width = PROGRAMS[name][0]
    widest = 0.0
    for space, access, where, requests, units, least in profile[name]:
        if name in SORTS and (space, access) == ("shared", "read"):
            continue
        # What threads have in common is read once. Four wavefronts serve 16 bytes of each thread.
        assert units <= least, f"{where}: {space} {access} of {units} where {least} would do"
        if space == "global":
            widest = max(widest, units / requests)
    assert widest == width, f"{name}: {widest} sectors for an access"


if __name__ == "__main__":
    measure()
