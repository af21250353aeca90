# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The seed of random numbers whose state is hidden (`RngUniform`, `RngNormal`)."""

from __future__ import annotations

from ._messages import integer


def set_random_seed(seed: int) -> None:
    """Makes the random numbers of `RngUniform` and `RngNormal` begin anew, on every target: what programs draw from now
    on is the same each time, as long as they run in the same order. Targets draw different numbers.

    Without it, the seed is the environment variable ``XLA_RT_RANDOM_SEED``, or another one in each process.

    Raises TypeError if `seed` is no integer, ValueError if it is not in [0, 2^64).
    """
    from ._mlir_libs._xla import compiler
    from .reference.random import set_seed

    number = integer(seed, "seed")
    if not 0 <= number < 1 << 64:
        raise ValueError(f"the seed {number} is not in [0, 2^64)")
    compiler.set_random_seed(number)
    set_seed(number)
