# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for other processors, which is made anywhere and must not be run where an instruction would be illegal."""

from __future__ import annotations

import functools

from ._mlir_libs._xla import compiler


@functools.lru_cache(maxsize=64)
def missing(cpu: str, features: str) -> tuple[str, ...]:
    """What code for such a processor may need and this machine does not have. ValueError if there is none such."""
    return tuple(compiler.missing_features(cpu, features)) if cpu or features else ()


def fault(cpu: str, features: str) -> str:
    """Why that code cannot run here; empty if it can."""
    lacking = missing(cpu, features)
    if not lacking:
        return ""
    reason = f"the program is for a processor with {', '.join(lacking)}, which this machine does not have"
    # Linux refuses tile registers to a process with an alternate signal stack that is too small for them.
    return f"{reason}, or does not let this process use" if any(each.startswith("amx") for each in lacking) else reason
