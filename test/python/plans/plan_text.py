# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans (#xla_rt.nest) as data that a test can change, and programs lowered to the stage `kernels` and run from it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from mlir_xla import ir, parse
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.passmanager import PassManager

NEST = re.compile(r"#xla_rt\.nest<([^<>]*)>")


@dataclass
class Plan:
    sizes: list[int]
    lanes: tuple[int, int, int] | None = None  # dimension, lanes, vectors
    jam: tuple[int, int] | None = None  # dimension, iterations
    work: list[int] = field(default_factory=list)
    loop: list[int] = field(default_factory=list)
    reduce: list[int] = field(default_factory=list)
    ordered: int | None = None
    cut: dict[int, int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    transpose: int = 1

    @staticmethod
    def read(text: str) -> Plan:
        first, *parts = text.split(", ")
        plan = Plan([int(size) for size in first.split("x")] if first else [])
        dims: list[int] = []
        for part in parts:
            name, *rest = part.split()
            if re.fullmatch(r"d\d+", name):
                dims.append(int(name[1:]))
            elif name == "lanes":
                width, vectors = rest[1].split("x")
                plan.lanes = int(rest[0][1:]), int(width), int(vectors)
            elif name == "jam":
                plan.jam = int(rest[0][1:]), int(rest[1])
            elif name == "ordered":
                plan.ordered = int(rest[0][1:])
            elif name == "cut":
                plan.cut[int(rest[0][1:])] = int(rest[1])
            elif name == "transpose":
                plan.transpose = int(rest[0])
            elif rest:
                dims = {"work": plan.work, "loop": plan.loop, "reduce": plan.reduce}[name]
                dims.append(int(rest[0][1:]))
            else:
                plan.flags.add(name)
        return plan

    def __str__(self) -> str:
        parts = ["x".join(map(str, self.sizes))]
        if self.lanes:
            parts.append("lanes d{} {}x{}".format(*self.lanes))
        if self.jam:
            parts.append("jam d{} {}".format(*self.jam))
        for name in ("work", "loop", "reduce"):
            if dims := getattr(self, name):
                parts.append(f"{name} " + ", ".join(f"d{dim}" for dim in dims))
        if self.ordered is not None:
            parts.append(f"ordered d{self.ordered}")
        parts += [f"cut d{dim} {block}" for dim, block in self.cut.items()]
        parts += sorted(self.flags)
        if self.transpose != 1:
            parts.append(f"transpose {self.transpose}")
        return f"#xla_rt.nest<{', '.join(parts)}>"


def kernels(program: str, options: str = "") -> str:
    """The program at the stage `kernels`, with the planner's plans."""
    module = parse(program)
    with module.context:
        PassManager.parse(f"builtin.module(xla-to-kernels{options})").run(module.operation)
    return str(module)


def plans(text: str) -> list[Plan]:
    return [Plan.read(match[1]) for match in NEST.finditer(text)]


def replan(text: str, change: Callable[[int, Plan], Plan]) -> str:
    """`text` with every plan, of which there is a number, changed."""
    numbers = iter(range(text.count("#xla_rt.nest<")))
    return NEST.sub(lambda match: str(change(next(numbers), Plan.read(match[1]))), text)


def run(text: str, arguments: list[np.ndarray], stage: str = "kernels") -> list[np.ndarray]:
    with ir.Context():
        return compiler.compile(ir.Module.parse(text).operation, from_stage=stage).run(arguments)
