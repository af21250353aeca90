# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other processors that programs are compiled for in the tests."""

import platform
from pathlib import Path


def _other_processors() -> list[str]:
    """Processors whose code this machine can run: vectors of 128 bits without fused multiplication, and of 256."""
    info = Path("/proc/cpuinfo")
    flags = set(info.read_text().split()) if info.exists() and platform.machine() == "x86_64" else set()
    return [cpu for cpu, flag in (("x86-64", "sse2"), ("haswell", "avx2")) if flag in flags]


OTHER_PROCESSORS = _other_processors()
