# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms by the device's library, against NumPy's in double precision or better."""

import numpy as np
import pytest
from device_library import Program

COMPLEX = {"f32": np.complex64, "f64": np.complex128}
REAL = {"f32": np.float32, "f64": np.float64}
KINDS = ("FFT", "IFFT", "RFFT", "IRFFT")


def fft_program(kind: str, part: str, batch, lengths) -> tuple[str, tuple[int, ...], str, str]:
    """With the shape of the operand and the element types."""
    half = [*lengths[:-1], lengths[-1] // 2 + 1]
    operand = [*batch, *(half if kind == "IRFFT" else lengths)]
    result = [*batch, *(half if kind == "RFFT" else lengths)]
    source = part if kind == "RFFT" else f"complex<{part}>"
    target = part if kind == "IRFFT" else f"complex<{part}>"
    x = "tensor<" + "x".join(map(str, [*operand, source])) + ">"
    y = "tensor<" + "x".join(map(str, [*result, target])) + ">"
    text = f"""func.func @main(%x: {x}) -> {y} {{
  %y = stablehlo.fft %x, type = {kind}, length = [{", ".join(map(str, lengths))}] : ({x}) -> {y}
  return %y : {y}
}}"""
    return text, tuple(operand), source, target


def operand_of(rng, kind, part, shape):
    x = rng.standard_normal(shape)
    if kind != "RFFT":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(REAL[part] if kind == "RFFT" else COMPLEX[part])


def exact(kind, x, lengths):
    """In extended precision, along one dimension after the other, by the definition."""
    x = x.astype(np.clongdouble)
    axes = list(range(x.ndim - len(lengths), x.ndim))

    def along(x, axis, inverse):
        n = x.shape[axis]
        k = np.arange(n, dtype=np.int64)
        turns = (k[:, None] * k[None, :] % n).astype(np.longdouble) * (2 * np.arccos(np.longdouble(-1)) / n)
        w = np.cos(turns) + (1j if inverse else -1j) * np.sin(turns)
        y = np.moveaxis(np.tensordot(x, w, axes=(axis, 0)), -1, axis)
        return y / n if inverse else y

    if kind == "RFFT":
        x = along(x, axes[-1], False)[..., : lengths[-1] // 2 + 1]
        axes.pop()
    for axis in axes[:-1] if kind == "IRFFT" else axes:
        x = along(x, axis, "I" in kind)
    if kind == "IRFFT":
        n = lengths[-1]
        x[..., 0] = x[..., 0].real
        if n % 2 == 0:
            x[..., -1] = x[..., -1].real
        mirrored = np.conj(x[..., 1 : (n + 1) // 2][..., ::-1])
        x = along(np.concatenate([x, mirrored], axis=-1), axes[-1], True).real
    return x


def error(have, want) -> float:
    """Relative to the whole, in units of the last place."""
    scale = np.sqrt(np.mean(np.abs(want) ** 2, dtype=np.longdouble))
    return float(np.max(np.abs(have.astype(want.dtype) - want)) / scale / np.finfo(have.dtype).eps)


def check(kind, part, batch, lengths) -> tuple[Program, float, float]:
    rng = np.random.default_rng(sum(lengths))
    text, shape, *_ = fft_program(kind, part, batch, lengths)
    x = operand_of(rng, kind, part, shape)
    program = Program(text)
    (have,) = program.run(x)
    want = exact(kind, x, lengths)
    cpu = np.asarray(program.executable(x))
    assert have.shape == want.shape and have.dtype == cpu.dtype
    errors = error(have, want), error(cpu, want)
    # Of a random walk the length of which is the number of passes; several times that for the largest of all elements.
    assert errors[0] < 4 + 2 * errors[1], errors
    return program, *errors


SHORT = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 30, 31, 34, 36, 37, 62, 64, 74]
LONG = [97, 100, 101, 128, 169, 210, 243, 256, 289, 437, 512, 625, 899, 1009, 1024, 1018]


@pytest.mark.parametrize("length", SHORT + LONG)
def test_rows(length):
    """All kinds; those of long lines in one precision each."""
    for i, kind in enumerate(KINDS):
        for part in ("f32", "f64") if length in SHORT else (("f32", "f64")[(i + length) // 2 % 2],):
            check(kind, part, (3,), (length,))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lengths", [(4, 6), (7, 37), (16, 1, 5), (3, 4, 8), (37, 12), (1, 9), (9, 1), (130, 18)])
def test_several_dimensions(kind, lengths):
    for batch, part in ((), "f32"), ((2,), "f64"), ((17,), "f32"):
        check(kind, part, batch, lengths)


def test_longer():
    """Several passes of the greatest radix, and a large prime."""
    rng = np.random.default_rng(0)
    for length in (1 << 16, 3 * 5 * 7 * 11 * 13, 65537):
        text, *_ = fft_program("FFT", "f64", (), (length,))
        x = operand_of(rng, "FFT", "f64", (length,))
        (y,) = Program(text).run(x)
        want = np.fft.fft(x.astype(np.complex128))
        assert error(y, want) < 30


def test_roots_of_unity():
    """What a single one becomes: products of as many of them as there are passes."""
    for length in (31 * 16, 7 * 11 * 13, 4096, 3 << 12):
        text, *_ = fft_program("FFT", "f64", (), (length,))
        (y,) = Program(text).run(np.eye(1, length, 1, dtype=np.complex128)[0])
        turns = np.arange(length).astype(np.longdouble) * (2 * np.arccos(np.longdouble(-1)) / length)
        assert np.abs(y.astype(np.clongdouble) - (np.cos(turns) - 1j * np.sin(turns))).max() < 3 * 2.0**-53


def test_steps():
    """A block has a whole transform of many radices, or a large radix of a long one; of others there is a step for each
    radix. A prime has a convolution by two transforms."""

    def steps(kind, lengths):
        functions = Program(fft_program(kind, "f32", (5,), lengths)[0]).calls[0].functions
        return [name.removeprefix("xla_rt_gpu_fft_").removesuffix("_f32") for name in functions]

    assert steps("FFT", (16,)) == ["pass_16"]
    assert steps("FFT", (44,)) == ["pass_4", "pass_11"]
    assert steps("FFT", (4096,)) == ["block"]
    assert steps("FFT", (6000,)) == ["block"] * 2
    assert steps("FFT", (1 << 21,)) == ["block"] * 3
    assert steps("FFT", (24, 60)) == ["block"] * 2
    assert steps("RFFT", (38,)) == ["pass_19", "split"]
    assert steps("RFFT", (8192,)) == ["block"]
    assert steps("RFFT", (16384,)) == ["block"] * 2 + ["split"]
    assert steps("IRFFT", (24,)) == ["block"]
    assert steps("FFT", (127,)) == ["block"] * 2
    assert steps("FFT", (4099,)) == ["block"] * 4
    assert steps("RFFT", (254,)) == ["block"] * 2 + ["split"]
