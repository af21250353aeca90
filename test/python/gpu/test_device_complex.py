# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers that are neither read nor written, between real ones: kernels that would have lanes without them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")

SHAPE = (16, 256)


def turned(x, y):
    return lax.complex(x, y) * lax.complex(y, -x)


def rows(x, y):
    z = turned(x, y)
    norm = jnp.abs(z).sum(axis=1, keepdims=True)
    return jnp.real(z) / norm + jnp.imag(z)


def scanned(x, y):
    return lax.cumsum(jnp.abs(turned(x, y)), axis=1) + x


def complex_scan(x, y):
    return jnp.imag(lax.cumsum(lax.complex(x, y), axis=1))


PROGRAMS = {
    "real": lambda x, y: jnp.real(turned(x, y)) + 1,
    "both": lambda x, y: (jnp.real(turned(x, y)), jnp.imag(turned(x, y))),
    "abs": lambda x, y: jnp.abs(lax.complex(x, y)) * 2,
    "angle": lambda x, y: jnp.angle(lax.complex(x, y)),
    "exp": lambda x, y: jnp.real(jnp.exp(lax.complex(x, y))),
    "pow": lambda x, y: jnp.imag(lax.complex(x, y) ** lax.complex(y, x)),
    "quotient": lambda x, y: jnp.real(lax.complex(x, y) / lax.complex(y + 3, x)),
    "chosen": lambda x, y: jnp.real(jnp.where(x > y, lax.complex(x, y), lax.complex(y, x) * 2j)),
    "compared": lambda x, y: turned(x, y) == turned(y, x),
    "transposed": lambda x, y: jnp.imag(turned(x, y)).T,
    "sum of rows": lambda x, y: jnp.abs(turned(x, y)).sum(1),
    "sum of columns": lambda x, y: jnp.real(turned(x, y)).sum(0),
    "sum of all": lambda x, y: jnp.real(turned(x, y).sum()),
    "rows": rows,
    "scanned": scanned,
    "scanned columns": lambda x, y: lax.cumsum(jnp.imag(turned(x, y)), axis=0),
    "complex scan": complex_scan,
    "read": lambda x, y: jnp.real(lax.complex(x, y).T @ lax.complex(y, x)),
}


@pytest.mark.parametrize("target", ["cpu", "cuda-emulated"])
@pytest.mark.parametrize("element", [np.float32, np.float64])
@pytest.mark.parametrize("name", PROGRAMS)
def test_between_real_numbers(name, element, target):
    rng = np.random.default_rng(11)
    x, y = (rng.uniform(0.25, 1.75, SHAPE).astype(element) for _ in range(2))
    with jax.enable_x64(True):
        text = jax.jit(PROGRAMS[name]).lower(x, y).as_text()
    have = mlir_xla.compile(text, target=target)(x, y)
    want = mlir_xla.compile(text, target="reference")(x, y)
    rtol = 1e-5 if element == np.float32 else 1e-12
    for left, right in zip(jax.tree.leaves(have), jax.tree.leaves(want), strict=True):
        np.testing.assert_allclose(left, right, rtol=rtol, atol=rtol * max(1.0, float(np.abs(right).max())))
