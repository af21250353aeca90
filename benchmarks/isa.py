# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processors with fewer instructions than this one, which everybody is told to do without.

A processor is chosen before anything is loaded, as libraries look once. The choice is in the environment, which the
processes of peers inherit: `compare.py --isa avx2` makes it for its own, and

    eval "$(python benchmarks/isa.py avx2)"

for all that a shell starts, such as `sizes.py` and `builds.py`.
"""

from __future__ import annotations

import argparse
import dataclasses
import os

CHOICE = "MLIR_XLA_BENCHMARK_ISA"
#: The variable for the clock of `measure.sample`, "wall" or "processor".
CLOCK = "MLIR_XLA_BENCHMARK_CLOCK"


@dataclasses.dataclass(frozen=True)
class Isa:
    """What this project is told, what the C compiler is, and the variables that the peers' libraries look at."""

    features: str
    flags: tuple[str, ...]
    variables: dict[str, str]


ISAS = {
    # AVX2 and FMA, 16 registers of 256 bits: Haswell to Zen 3, Alder Lake but for its VNNI.
    "avx2": Isa(
        features="-avx512f,-avxvnni",
        flags=("-march=x86-64-v3", "-mprefer-vector-width=256"),
        variables={
            # YNNPACK asks the processor itself and cannot be told: without it, products are Eigen's.
            "XLA_FLAGS": "--xla_cpu_max_isa=AVX2 --xla_cpu_experimental_ynn_fusion_type=",
            "OPENBLAS_CORETYPE": "Haswell",
            "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
            "ATEN_CPU_CAPABILITY": "avx2",
            "ONEDNN_MAX_CPU_ISA": "AVX2",
            "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        },
    ),
    # No fused multiply-adds, 16 registers of 128 bits: x86-64-v2, Nehalem to Westmere, and many small processors since.
    "sse4": Isa(
        features="-avx,-bmi,-bmi2,-lzcnt",
        flags=("-march=x86-64-v2",),
        variables={
            "XLA_FLAGS": "--xla_cpu_max_isa=SSE4_2 --xla_cpu_experimental_ynn_fusion_type=",
            "OPENBLAS_CORETYPE": "Nehalem",
            "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
            "ATEN_CPU_CAPABILITY": "default",
            "ONEDNN_MAX_CPU_ISA": "SSE41",
            "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
        },
    ),
}


def restrict(name: str) -> None:
    """Chooses a processor for this process and those that it starts."""
    os.environ[CHOICE] = name
    for variable, value in ISAS[name].variables.items():
        # Of XLA's flags there may be others.
        known = os.environ.get(variable, "") if variable == "XLA_FLAGS" else ""
        os.environ[variable] = f"{known} {value}".strip()


def chosen() -> Isa | None:
    """The processor chosen; none if it is the one at hand."""
    return ISAS[name] if (name := os.environ.get(CHOICE)) else None


def options() -> dict[str, str]:
    """Those of `mlir_xla.compile` for the processor chosen."""
    processor = chosen()
    return {"features": processor.features} if processor else {}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isa", choices=ISAS)
    name = parser.parse_args().isa
    for variable, value in {CHOICE: name, **ISAS[name].variables}.items():
        print(f"export {variable}='{value}'")
