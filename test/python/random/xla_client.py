# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs of the `xla` dialect on XLA:CPU: their text, with the names of StableHLO and CHLO, by jaxlib."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

# Operations that CHLO has and StableHLO has not.
_CHLO = {
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "conj", "cosh", "digamma", "erf", "erf_inv"),
    *("erfc", "lgamma", "mulhi", "next_after", "polygamma", "ragged_dot", "sinh", "square", "top_k", "zeta"),
}


def stablehlo(text: str) -> str:
    """A program as StableHLO and CHLO."""
    text = text.replace("#xla.ragged_dot<", "#chlo.ragged_dot<")
    text = re.sub(r"#xla([.<])", r"#stablehlo\1", text)
    return re.sub(r"\bxla\.(\w+)", lambda m: f"{'chlo' if m[1] in _CHLO else 'stablehlo'}.{m[1]}", text)


def evaluated_by_xla(text: str, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """The results of XLA:CPU."""
    import jax
    from jax._src import xla_bridge
    from jax._src.lib import xla_client

    with jax.enable_x64(True):
        client: Any = xla_bridge.get_backend("cpu")
        devices = xla_client.DeviceList(tuple(client.local_devices()[:1]))
        executable = client.compile_and_load(stablehlo(text), devices, xla_client.CompileOptions())
        return [np.asarray(each) for each in executable.execute([jax.device_put(each) for each in arrays])]
