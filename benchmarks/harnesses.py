# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's own test cases, some thousands for all of its primitives, as programs of the corpus."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Iterator

import jax
import ml_dtypes
import numpy as np
from program import Program, Spec

# What two correct implementations may differ by, by the bits of a significand.
_TOLERANCES = {3: 0.15, 4: 0.1, 8: 2e-2, 11: 3e-3, 24: 1e-4, 53: 1e-11}

_NARROW = (np.float16, ml_dtypes.bfloat16)


@dataclasses.dataclass(frozen=True)
class HarnessProgram(Program):
    """A program with the inputs that JAX draws for it."""

    drawn: tuple[np.ndarray, ...] = ()

    def arguments(self) -> list[np.ndarray]:
        return list(self.drawn)


def _tolerance(arrays: tuple[np.ndarray, ...]) -> float:
    bits = [ml_dtypes.finfo(each.real.dtype).nmant + 1 for each in arrays if each.dtype.kind not in "biu"]
    return max((_TOLERANCES[each] for each in bits if each in _TOLERANCES), default=1e-4)


def _is_comparable(harness) -> bool:
    """False where JAX has the CPU do otherwise than it writes down for other platforms, or leaves results open."""
    if harness.group_name == "sort" and not harness.params.get("is_stable", True):
        return False  # values of equal keys, in any order
    # Sums of narrow floats are in an order of the CPU's own.
    if harness.group_name.startswith(("cumsum", "cumprod", "reduce_window")) and harness.dtype in _NARROW:
        return False
    # What is beyond a factor is open. Eigenvalues and singular values have no neutral form, and the approximation is
    # none on CPUs.
    return harness.group_name not in {"cholesky", "eig", "eigh", "svd", "approx_top_k"}


def harness_programs(word: str = "", every: int = 1) -> Iterator[Program]:
    """Those whose name holds `word`, or every so many of them. Needs absl-py, which JAX's module imports."""
    from jax._src.internal_test_util.test_harnesses import all_harnesses

    wanted = [each for each in all_harnesses if each.filter("cpu") and _is_comparable(each) and word in each.fullname]
    for number, harness in enumerate(wanted[::every]):
        # Names of a primitive's cases may begin with the same hundred characters.
        name = f"jax_{harness.fullname[:100]}_{zlib.crc32(harness.fullname.encode()):08x}_{number}"
        with jax.enable_x64(True):
            random = np.random.RandomState(zlib.crc32(harness.fullname.encode()))
            leaves, tree = jax.tree.flatten(harness.dyn_args_maker(random))
            drawn = tuple(np.asarray(jax.numpy.asarray(each)) for each in leaves)

        def function(*arrays, harness=harness, tree=tree):
            return harness.dyn_fun(*jax.tree.unflatten(tree, arrays))

        specs = tuple(Spec(each.shape, each.dtype) for each in drawn)
        rtol = _tolerance(drawn)
        yield HarnessProgram(name, harness.group_name, function, specs, rtol=rtol, atol=rtol, x64=True, drawn=drawn)
