# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans (#xla_rt.nest) that a test can change, and programs lowered to the stage `kernels` and run from it."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from mlir_xla import _contexts, ir, parse
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.passmanager import PassManager
from mlir_xla.tuning.plans import Nest

# Options for plans that this processor can follow, and kernels that it can run: those for vectors of 512 bits have
# instructions that others lack.
VECTOR_BITS = 256 if compiler.missing_features("x86-64-v4", "") else 512
HOST = f"{{vector-bits={VECTOR_BITS}}}"
NEST = re.compile(r"#xla_rt\.nest<([^<>]*)>")


def kernels(program: str, options: str = "") -> str:
    """The program at the stage `kernels`, with the planner's plans."""
    module = parse(program)
    with module.context:
        PassManager.parse(f"builtin.module(xla-to-kernels{options})").run(module.operation)
    return str(module)


def plans(text: str) -> list[Nest]:
    return [Nest.read(match[1]) for match in NEST.finditer(text)]


def replan(text: str, change: Callable[[int, Nest], Nest]) -> str:
    """`text` with every plan, of which there is a number, changed."""
    numbers = iter(range(text.count("#xla_rt.nest<")))
    return NEST.sub(lambda match: str(change(next(numbers), Nest.read(match[1]))), text)


def run(text: str, arguments: list[np.ndarray], stage: str = "kernels") -> list[np.ndarray]:
    with _contexts.Lease(len(text)) as context:  # a new one took as long as the compilation
        return compiler.compile(ir.Module.parse(text, context).operation, from_stage=stage).run(arguments)
