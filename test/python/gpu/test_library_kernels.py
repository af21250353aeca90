# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of the device's library whose threads share work, in checked mode: factors and systems, transforms, sorts and
top-k, of one to four tiles and with remainders."""

import jax
import mutants
import numpy as np
import pytest
from jax import lax

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")


@pytest.mark.parametrize("name", mutants.LIBRARY)
def test_nothing_is_found(name):
    assert mutants.run(mutants.LIBRARY[name]) == ""


@pytest.mark.parametrize(
    "dims, right",
    [((15, 15), (15, 130)), ((5, 20, 20), (5, 20, 3)), ((6, 7, 7), (6, 7, 2)), ((8200, 2, 2), (8200, 2, 1))],
)
def test_small_systems_and_factors_have_a_block_each(dims, right):
    """Of 64 threads, which is fewer than other kernels' blocks have. Of many that are tiny, each is a thread's."""
    n, a, b = dims[-1], *("x".join(map(str, each)) + "xf32" for each in (dims, right))
    text = f"""
    func.func @main(%a: tensor<{a}>, %b: tensor<{b}>) -> tensor<{b}> {{
      %l = xla.cholesky %a, lower = true : tensor<{a}>
      %x = "xla.triangular_solve"(%l, %b) <{{left_side = true, lower = true, unit_diagonal = false,
          transpose_a = #xla<transpose NO_TRANSPOSE>}}> : (tensor<{a}>, tensor<{b}>) -> tensor<{b}>
      return %x : tensor<{b}>
    }}"""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(dims).astype(np.float32)
    arguments = [
        x @ x.swapaxes(-1, -2) + n * np.eye(n, dtype=np.float32),
        rng.standard_normal(right).astype(np.float32),
    ]
    want = mlir_xla.compile(text, target="reference")(*arguments)
    found = mlir_xla.compile(text, target="cuda-emulated")(*arguments)
    np.testing.assert_allclose(np.asarray(found), np.asarray(want), rtol=1e-4, atol=1e-5)


def compiled(function, *arrays):
    with jax.enable_x64(True):
        return mlir_xla.compile(jax.jit(function).lower(*arrays).as_text(), target="cuda-emulated")


@pytest.mark.parametrize("shape", [(2, 600), (1, 4096), (2, 4100), (1, 12289)])
def test_sorts(shape):
    """Words of 4 and 8 bytes, of which a tile has 4096."""
    numbers = np.random.default_rng(1).integers(-900, 900, shape)
    arrays = [numbers.astype(element) for element in (np.int16, np.int32, np.float32)]
    sort = compiled(lambda *arrays: [lax.sort(x) for x in arrays], *arrays)
    assert ".shared" in sort.stages["binary"]
    for have in sort(*arrays):
        np.testing.assert_array_equal(have, np.sort(numbers, axis=1))


@pytest.mark.parametrize("shape", [(2, 600), (1, 2048), (1, 6200)])
def test_sorts_of_wide_words(shape):
    """Keys of 64 bits, and the order of equal ones: a tile has 2048 words."""
    x = np.random.default_rng(2).integers(-900, 900, shape).astype(np.float64)
    sort = compiled(lambda x: jax.numpy.argsort(x, axis=1, stable=True), x)
    np.testing.assert_array_equal(sort(x), np.argsort(x, axis=1, kind="stable"))


@pytest.mark.parametrize("length, count", [(600, 40), (4096, 17), (9000, 100), (17000, 1000), (5000, 3)])
def test_top(length, count):
    """The greatest of tiles, of which the greatest are kept, and few, which threads keep in registers."""
    x = np.random.default_rng(3).permutation(2 * length).astype(np.float32).reshape(2, length)
    values, places = compiled(lambda x: lax.top_k(x, count), x)(x)
    want = np.argsort(-x, axis=1, kind="stable")[:, :count]
    np.testing.assert_array_equal(places, want)
    np.testing.assert_array_equal(values, np.take_along_axis(x, want, 1))


@pytest.mark.parametrize(
    "element, shapes",
    [
        (np.complex64, [(3, 16), (2, 256), (1, 1000), (2, 729), (3, 62), (1, 37)]),
        (np.complex64, [(1, 4096), (1, 5000), (9, 512), (3, 768), (2, 1280), (2, 2053)]),
        (np.complex128, [(2, 128), (1, 1000), (3, 35), (1, 2048), (1, 41)]),
    ],
)
def test_transforms(element, shapes):
    """Whole ones in shared memory, passes of large radices, large primes."""
    draw = np.random.default_rng(4)
    arrays = [(draw.standard_normal(shape) + 1j * draw.standard_normal(shape)).astype(element) for shape in shapes]
    found = compiled(lambda *arrays: [jax.numpy.fft.fft(x, axis=1) for x in arrays], *arrays)(*arrays)
    for have, x in zip(found, arrays, strict=True):
        assert have.dtype == element
        want = np.fft.fft(x.astype(np.complex128), axis=1)
        close = 4 * float(np.finfo(element).eps) * x.shape[1] ** 0.5
        np.testing.assert_allclose(have, want, rtol=0, atol=close * np.abs(want).max())


@pytest.mark.parametrize("element, length", [(np.complex64, 4096), (np.complex128, 2048)])
def test_threads_keep_elements_of_transforms(element, length):
    """As many butterflies as threads: of three passes, those in between are what threads wait for."""
    x = np.zeros((2, length), element)
    ptx = compiled(lambda x: jax.numpy.fft.fft(x, axis=1), x).stages["binary"]
    assert ptx.count("bar.sync") == 4


@pytest.mark.parametrize("n", [2, 16, 17, 32])
def test_columns_of_factors_take_a_barrier_each(n):
    """The last one takes none; there are three around them."""
    x = np.eye(n, dtype=np.float32)[None]
    ptx = compiled(lambda x: lax.linalg.cholesky(x, symmetrize_input=False), x).stages["binary"]
    assert ptx.count("bar.sync") == n - 1 + 3


@pytest.mark.parametrize(
    "element, shape",
    [
        (np.float32, (1, 32)),
        (np.float32, (2, 33)),
        (np.float32, (1, 128)),
        (np.complex128, (1, 64)),
        (np.complex128, (1, 97)),
    ],
)
def test_factors_and_systems_of_several_tiles(element, shape):
    batch, n = shape
    draw = np.random.default_rng(5)
    a, b = (
        (draw.standard_normal(size) + (1j * draw.standard_normal(size) if element == np.complex128 else 0))
        for size in [(batch, n, n), (batch, n, 35)]
    )
    a = (a @ a.conj().swapaxes(-1, -2) + n * np.eye(n)).astype(element)
    b = b.astype(element)

    def solved(a, b):
        factor = lax.linalg.cholesky(a, symmetrize_input=False)
        return factor, lax.linalg.triangular_solve(factor, b, left_side=True, lower=True)

    factor, x = compiled(solved, a, b)(a, b)
    want = np.linalg.cholesky(a.astype(np.complex128))
    close = 50 * float(np.finfo(element).eps)
    np.testing.assert_allclose(factor, want, rtol=0, atol=close * np.abs(want).max())
    np.testing.assert_allclose(x, np.linalg.solve(want, b), rtol=0, atol=close * np.abs(b).max())


@pytest.mark.parametrize(
    "element, shape", [(np.float32, (3, 7, 7)), (np.float64, (1, 32, 20)), (np.complex64, (2, 3, 9))]
)
def test_lu(element, shape):
    """With pivots, by LAPACK's name and by XLA's: a block for each matrix, and nothing for the host to do."""
    draw = np.random.default_rng(6)
    a = (draw.standard_normal(shape) + (1j * draw.standard_normal(shape) if element == np.complex64 else 0)).astype(
        element
    )
    with jax.enable_x64(True):
        lowered = jax.jit(lax.linalg.lu).trace(a)
        texts = [lowered.lower(lowering_platforms=(platform,)).as_text() for platform in ("cpu", "tpu")]
    assert "getrf_ffi" in texts[0] and "@LuDecomposition" in texts[1]
    for text in texts:
        found = mlir_xla.compile(text, target="cuda-emulated")
        assert "call_library" not in found.stages["loops"]
        factors, pivots, rows = found(a)
        want, places, order = mlir_xla.compile(text, target="reference")(a)
        np.testing.assert_array_equal(pivots, places)
        np.testing.assert_array_equal(rows, order)
        np.testing.assert_allclose(factors, want, rtol=0, atol=200 * float(np.finfo(element).eps))


@pytest.mark.parametrize("n", [2, 16, 32])
def test_columns_of_lu_factors_take_a_barrier_each(n):
    """In a loop; there is one before."""
    ptx = compiled(lax.linalg.lu, np.eye(n, dtype=np.float32)).stages["binary"]
    kernel = ptx[ptx.index(".entry library") :]
    assert kernel[: kernel.index("\n}")].count("bar.sync") == 2
