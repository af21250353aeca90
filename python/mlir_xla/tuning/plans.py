# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of kernels as data: `#xla_rt.nest` and `#xla_rt.tiles`, read from text and printed as the compiler does."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

#: A plan in the text of a module.
PLAN = re.compile(r"#xla_rt\.(nest|tiles)<([^<>]*)>")


def _dim(text: str) -> int:
    return int(text.removeprefix("d"))


def _dims(name: str, dims: list[int]) -> list[str]:
    return [f"{name} " + ", ".join(f"d{dim}" for dim in dims)] if dims else []


def _parts(text: str) -> tuple[list[int], list[list[str]]]:
    """The sizes, and the parts after them; the members of a list are with its name."""
    first, *rest = text.split(", ")
    parts: list[list[str]] = []
    for part in rest:
        words = part.split()
        # `work d0, d1` and `pack a, b`: what is no part by itself belongs to the one before.
        if re.fullmatch(r"d\d+|[ab]", words[0]):
            parts[-1] += words
        else:
            parts.append(words)
    return [int(size) for size in first.split("x")] if first else [], parts


@dataclass
class Nest:
    """`#xla_rt.nest`: how loops are walked. The dialect's documentation says what the parts mean."""

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
    lookup: int = 0
    distribute: int = 0

    @staticmethod
    def read(text: str) -> Nest:
        """From what is between the angle brackets."""
        sizes, parts = _parts(text)
        plan = Nest(sizes)
        for name, *rest in parts:
            if name == "lanes":
                width, vectors = rest[1].split("x")
                plan.lanes = _dim(rest[0]), int(width), int(vectors)
            elif name == "jam":
                plan.jam = _dim(rest[0]), int(rest[1])
            elif name == "ordered":
                plan.ordered = _dim(rest[0])
            elif name == "cut":
                plan.cut[_dim(rest[0])] = int(rest[1])
            elif name in ("transpose", "lookup", "distribute"):
                setattr(plan, name, int(rest[0]))
            elif rest:
                {"work": plan.work, "loop": plan.loop, "reduce": plan.reduce}[name].extend(map(_dim, rest))
            else:
                plan.flags.add(name)
        return plan

    def __str__(self) -> str:
        parts = ["x".join(map(str, self.sizes))]
        if self.lanes:
            parts.append("lanes d{} {}x{}".format(*self.lanes))
        if self.jam:
            parts.append("jam d{} {}".format(*self.jam))
        parts += _dims("work", self.work) + _dims("loop", self.loop) + _dims("reduce", self.reduce)
        if self.ordered is not None:
            parts.append(f"ordered d{self.ordered}")
        parts += [f"cut d{dim} {block}" for dim, block in self.cut.items()]
        parts += [flag for flag in ("masked", "overlap", "in_memory") if flag in self.flags]
        if self.transpose != 1:
            parts.append(f"transpose {self.transpose}")
        parts += [
            flag for flag in ("stream", "trim", "slide", "pairs", "tile_registers", "partition") if flag in self.flags
        ]
        if self.lookup:
            parts.append(f"lookup {self.lookup}")
        if self.distribute:
            parts.append(f"distribute {self.distribute}")
        return f"#xla_rt.nest<{', '.join(parts)}>"


@dataclass
class Tiles:
    """`#xla_rt.tiles`: how a product is walked in blocks."""

    sizes: list[int]
    dims: dict[str, int] = field(default_factory=dict)  # those of m, n and k
    blocks: dict[str, int] = field(default_factory=dict)
    register: tuple[int, int] = (1, 1)  # rows, vectors
    lanes: int = 1
    instruction: str = "fma"
    pack: list[str] = field(default_factory=list)
    prefetch: int = 0
    work: list[int] = field(default_factory=list)

    @staticmethod
    def read(text: str) -> Tiles:
        """From what is between the angle brackets."""
        sizes, parts = _parts(text)
        plan = Tiles(sizes)
        for name, *rest in parts:
            if name in ("m", "n", "k"):
                plan.dims[name], plan.blocks[name] = _dim(rest[0]), int(rest[1])
            elif name == "register":
                rows, vectors = rest[0].split("x")
                plan.register = int(rows), int(vectors)
            elif name == "pack":
                plan.pack = [each.rstrip(",") for each in rest]
            elif name == "work":
                plan.work = [_dim(each) for each in rest]
            elif name == "instruction":
                plan.instruction = rest[0]
            else:
                setattr(plan, name, int(rest[0]))
        return plan

    def __str__(self) -> str:
        parts = ["x".join(map(str, self.sizes))]
        parts += [f"{name} d{self.dims[name]} {self.blocks[name]}" for name in ("m", "n", "k")]
        parts += ["register {}x{}".format(*self.register), f"lanes {self.lanes}", f"instruction {self.instruction}"]
        if self.pack:
            parts.append("pack " + ", ".join(self.pack))
        if self.prefetch:
            parts.append(f"prefetch {self.prefetch}")
        parts += _dims("work", self.work)
        return f"#xla_rt.tiles<{', '.join(parts)}>"


Plan = Nest | Tiles


def plans(text: str) -> list[Plan]:
    """The plans in the text of a module, in order."""
    return [(Nest if kind == "nest" else Tiles).read(body) for kind, body in PLAN.findall(text)]


def replaced(text: str, new: list[Plan] | list[str]) -> str:
    """The text with its plans replaced, one by one."""
    remaining = iter(new)
    return PLAN.sub(lambda _: str(next(remaining)), text)
