# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise code around transforms is done by their passes, in checked mode: all forms in which passes load and store
elements, with functions of one element instead."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")

rng = np.random.default_rng(0)


def real(*dims: int, element: type = np.float32) -> np.ndarray:
    return rng.standard_normal(dims).astype(element)


def complex_(*dims: int) -> np.ndarray:
    return (real(*dims) + 1j * real(*dims)).astype(np.complex64)


def padded(x):
    return jnp.fft.rfft(jnp.pad(x, ((0, 0), (3, 25))))


def padded_sine(x):
    """A thread has elements where nothing is read by constants: what branches by them has to do without."""
    return jnp.fft.rfft(jnp.pad(jnp.sin(x), ((0, 0), (0, 8))))


def padded_quotients(x):
    return jnp.fft.rfft(jnp.pad((100 // x).astype(np.float32), ((0, 0), (2, 6))))


def cosine_transform(x):
    """The even elements, and then the odd ones in the opposite order."""
    reordered = jnp.concatenate([x[:, ::2], jnp.flip(x, 1)[:, x.shape[1] % 2 :: 2]], 1)
    return jnp.real(jnp.fft.fft(reordered) * np.exp(-0.5j * np.pi * np.arange(x.shape[1]) / x.shape[1]))


def filtered(images):
    spectrum = jnp.fft.rfft2(images)
    rows = jnp.abs(jnp.fft.fftfreq(images.shape[-2]))[:, None]
    return jnp.fft.irfft2(jnp.where(rows < 0.1, spectrum, 0), images.shape[-2:])


#: By name: a function, its argument, and how many launches it is.
CASES = {
    "a real line of even length": (padded, real(3, 100), 1),
    "a real line of odd length": (padded, real(3, 107), 1),
    "lines of a pair": (lambda x: jnp.fft.irfft(jnp.fft.rfft(x * 2) * 3) + 1, real(3, 2), 2),
    "short real lines": (lambda x: jnp.fft.irfft(jnp.fft.rfft(x * 2) * 3) + 1, real(3, 32), 2),
    "a function of what is padded": (padded_sine, real(1, 9), 1),
    "quotients of what is padded": (padded_quotients, rng.integers(1, 9, (2, 9), dtype=np.int32), 1),
    "indices alone": (lambda x: jnp.fft.rfft(jnp.sin(jax.lax.iota(x.dtype, 11))), real(1), 1),
    "a cosine transform": (cosine_transform, real(3, 45), 1),
    "what is computed, and what is in memory": (lambda x: jnp.fft.fft(jnp.concatenate([x, jnp.cos(x)])), real(16), 1),
    "rolled along two dimensions": (lambda x: jnp.fft.fft2(jnp.fft.ifftshift(x)), complex_(16, 24), 2),
    "between two transforms along two dimensions": (filtered, real(2, 32, 48), 4),
    "half a spectrum of odd length, and a slice": (
        lambda x: jnp.fft.irfft(x * 2, 45)[:, 3:40] + 1,
        complex_(3, 23),
        1,
    ),
    "two dimensions": (lambda x: jnp.abs(jnp.fft.fft2(x * (1 + 2j))), complex_(3, 16, 24), 2),
    "a convolution": (lambda x: jnp.real(jnp.fft.fft(x * 2))[:, 5:50], real(3, 67), 2),
    "columns, and a slice": (lambda x: jnp.fft.fft(x * 2, axis=0)[3:7, 2:9] * 2, complex_(16, 24), 1),
    "a slice times what has no element for others": (
        lambda x: jnp.fft.fft(x)[1:3, :4] * np.arange(4, dtype=np.float32),
        complex_(3, 16),
        1,
    ),
    "every third element": (lambda x: jnp.fft.fft(x)[:, 2:47:3] + 1, complex_(3, 48), 1),
    "passes of a long line": (lambda x: jnp.fft.fft(x * 2) * 2, complex_(1, 8192), 2),
    "radices in registers": (lambda x: jnp.fft.fft(x * 2) * 2, complex_(5, 11), 1),
    "double precision": (lambda x: jnp.fft.irfft(jnp.fft.rfft(x * 2))[:, 1:7] * 3, real(3, 16, element=np.float64), 2),
    "long real lines": (lambda x: jnp.fft.irfft(jnp.fft.rfft(x * 2) * 3)[:, 5:9000], real(1, 16384), 6),
}


@pytest.mark.parametrize("name", CASES)
def test_a_pass_does_it(name):
    function, argument, launches = CASES[name]
    with jax.enable_x64(True):
        text = jax.jit(function, keep_unused=True).lower(argument).as_text()
    found, reference = (mlir_xla.compile(text, target=target) for target in ("cuda-emulated", "reference"))
    assert found.stages["loops"].count("gpu.launch_func") == launches
    assert not re.search(r"^\s*call", found.stages["binary"], re.MULTILINE)  # functions are inlined
    want = np.asarray(reference(argument))
    for _ in range(2):  # the second time is captured as a graph
        np.testing.assert_allclose(np.asarray(found(argument)), want, rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize(
    "function, argument",
    [
        (lambda x: jnp.fft.fft(x.T), complex_(96, 96)),  # columns are no neighbours
        (lambda x: jnp.fft.fft(x).T + 1, complex_(96, 96)),
        (lambda x: (lambda y: (y, jnp.fft.fft(y)))(x * 2), complex_(3, 16)),  # it is a result itself
        (lambda x: jnp.fft.fft(x)[:, :, None] * np.arange(1, 4, dtype=np.float32), complex_(3, 16)),  # three of each
        (lambda x: jnp.pad(jnp.fft.fft(x), ((0, 0), (0, 5))) + 1, complex_(3000, 16)),  # and some of none
    ],
)
def test_what_is_a_kernel_of_its_own(function, argument):
    text = jax.jit(function).lower(argument).as_text()
    found, reference = (mlir_xla.compile(text, target=target) for target in ("cuda-emulated", "reference"))
    assert found.stages["loops"].count("gpu.launch_func") == 2
    for have, want in zip(jax.tree.leaves(found(argument)), jax.tree.leaves(reference(argument)), strict=True):
        np.testing.assert_allclose(np.asarray(have), np.asarray(want), rtol=2e-4, atol=2e-4)


def test_what_reads_two_transforms():
    """Each of the calls is a part of one of them, with the transform in the argument where it is."""

    def differences(a, b):
        return jnp.fft.fft(a) - jnp.fft.fft(b), jnp.fft.fft(a * 2) - b, a - jnp.fft.fft(b * 2)

    arguments = complex_(3, 16), complex_(3, 16)
    text = jax.jit(differences).lower(*arguments).as_text()
    found, reference = (mlir_xla.compile(text, target=target) for target in ("cuda-emulated", "reference"))
    assert "call @elementwise" not in found.stages["kernels"]
    for have, want in zip(found(*arguments), reference(*arguments), strict=True):
        np.testing.assert_allclose(np.asarray(have), np.asarray(want), rtol=2e-4, atol=2e-4)


def test_in_a_loop_of_one_block():
    """Which is one kernel of all that its iterations do."""

    def smoothed(x):
        return jax.lax.fori_loop(0, 5, lambda i, x: jnp.real(jnp.fft.ifft(jnp.fft.fft(x * 0.5) * 2)) + x, x)

    x = real(1, 48)
    text = jax.jit(smoothed).lower(x).as_text()
    found, reference = (mlir_xla.compile(text, target=target) for target in ("cuda-emulated", "reference"))
    assert "gpu.func @loop" in found.stages["loops"]
    want = np.asarray(reference(x))
    for _ in range(2):
        np.testing.assert_allclose(np.asarray(found(x)), want, rtol=2e-4, atol=2e-4)
