# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random changes to plans. Each is refused with a message that names the kernel and the rule, or gives the results of
the planner's plans. `python plan_mutants.py COUNT SEED` tries more of them than the tests do."""

from __future__ import annotations

import random
import re
import sys
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from comparison import difference
from plan_text import HOST, kernels, plans, replan, run

from mlir_xla import MLIRError
from mlir_xla.tuning.plans import Nest

SEED = 3

# A plan that is wrong by itself, at the attribute, or for its nest, at the kernel.
REFUSED = re.compile(
    r"kernel @\S+ cannot follow plan \d+, #xla_rt\.nest<.*>: |"
    r"has \d+ (dimensions and speaks of|lanes;|vectors by)|walks d\d+ in two ways|has a dimension of size|"
    r"(cuts|accumulates|transposes|distributes) |is '(masked|overlap|in_memory|stream|trim|slide|partition)'[ ,]|"
    r"has '(lookup|distribute|pairs|tile_registers)'|looks up in |expected "
)


@dataclass
class Program:
    name: str
    text: str
    within: float = 0.0  # results whose roundings depend on the plan: the difference that is allowed


def function(signature: str, body: str) -> str:
    return f"func.func @main({signature} {{\n{body}\n}}"


def reduction(name: str, shape: str, dims: str, result: str, combiner: str = "xla.add", init: str = "0.0") -> Program:
    element = re.sub(r"^(\d+x)*", "", shape)
    return Program(
        name,
        function(
            f"%x: tensor<{shape}>) -> tensor<{result}>",
            f"""%c = xla.constant dense<{init}> : tensor<{element}>
    %0 = xla.reduce(%x init: %c) applies {combiner} across dimensions = [{dims}]
        : (tensor<{shape}>, tensor<{element}>) -> tensor<{result}>
    return %0 : tensor<{result}>""",
        ),
    )


def dot(name: str, left: str, right: str, result: str, dims: str) -> Program:
    return Program(
        name,
        function(
            f"%x: tensor<{left}>, %y: tensor<{right}>) -> tensor<{result}>",
            f"""%0 = xla.dot_general %x, %y, {dims} : (tensor<{left}>, tensor<{right}>) -> tensor<{result}>
    return %0 : tensor<{result}>""",
        ),
    )


def transpose(name: str, shape: str, permutation: str, result: str) -> Program:
    return Program(
        name,
        function(
            f"%x: tensor<{shape}>) -> tensor<{result}>",
            f"""%0 = xla.transpose %x, dims = [{permutation}] : (tensor<{shape}>) -> tensor<{result}>
    return %0 : tensor<{result}>""",
        ),
    )


SOFTMAX = """
func.func @main(%x: tensor<9x70xf32>) -> tensor<9x70xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%x init: %ninf) applies xla.maximum across dimensions = [1]
      : (tensor<9x70xf32>, tensor<f32>) -> tensor<9xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<9xf32>) -> tensor<9x70xf32>
  %d = xla.subtract %x, %mb : tensor<9x70xf32>
  %e = xla.exponential %d : tensor<9x70xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1]
      : (tensor<9x70xf32>, tensor<f32>) -> tensor<9xf32>
  %sb = xla.broadcast_in_dim %s, dims = [0] : (tensor<9xf32>) -> tensor<9x70xf32>
  %r = xla.divide %e, %sb : tensor<9x70xf32>
  return %r : tensor<9x70xf32>
}
"""

EPILOGUE = """
func.func @main(%x: tensor<90x80xf32>, %y: tensor<80xf32>) -> tensor<80xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0]
      : (tensor<90x80xf32>, tensor<f32>) -> tensor<80xf32>
  %0 = xla.multiply %s, %y : tensor<80xf32>
  %1 = xla.subtract %0, %y : tensor<80xf32>
  return %1 : tensor<80xf32>
}
"""

# Rows that are folded together, what is read of them inside and behind, their numbers, and two results.
SHORT_ROWS = """
func.func @main(%x: tensor<39x18xf32>, %y: tensor<39xf32>) -> (tensor<39xf32>, tensor<39xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %yb = xla.broadcast_in_dim %y, dims = [0] : (tensor<39xf32>) -> tensor<39x18xf32>
  %p = xla.multiply %x, %yb : tensor<39x18xf32>
  %s = xla.reduce(%p init: %zero) applies xla.add across dimensions = [1]
      : (tensor<39x18xf32>, tensor<f32>) -> tensor<39xf32>
  %i = xla.iota dim = 0 : tensor<39xf32>
  %0 = xla.multiply %s, %i : tensor<39xf32>
  %1 = xla.subtract %0, %y : tensor<39xf32>
  return %1, %s : tensor<39xf32>, tensor<39xf32>
}
"""

# The left operand of equals: the lower index wins, whatever the order of lanes.
ARGMAX = """
func.func @main(%x: tensor<7x75xf32>) -> (tensor<7xf32>, tensor<7xi32>) {
  %i = xla.iota dim = 1 : tensor<7x75xi32>
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0> : tensor<i32>
  %m, %at = "xla.reduce"(%x, %i, %ninf, %zero) ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %gt = xla.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %eq = xla.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = xla.compare LT, %ai, %bi : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = xla.and %eq, %lt : tensor<i1>
    %first = xla.or %gt, %tie : tensor<i1>
    %v = xla.select %first, %a, %b : tensor<i1>, tensor<f32>
    %w = xla.select %first, %ai, %bi : tensor<i1>, tensor<i32>
    xla.return %v, %w : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>}
      : (tensor<7x75xf32>, tensor<7x75xi32>, tensor<f32>, tensor<i32>) -> (tensor<7xf32>, tensor<7xi32>)
  return %m, %at : tensor<7xf32>, tensor<7xi32>
}
"""

# A combiner that does not commute: of two elements the right one, if it is not zero.
LAST = """
func.func @main(%x: tensor<5x6x40xf32>) -> tensor<6xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %z = xla.constant dense<0.0> : tensor<f32>
    %is = xla.compare EQ, %b, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = xla.select %is, %a, %b : tensor<i1>, tensor<f32>
    xla.return %v : tensor<f32>
  }) {dimensions = array<i64: 0, 2>} : (tensor<5x6x40xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
"""


def scan(
    name: str, shape: str, dim: int, element: str = "f32", combiner: str = "xla.add", reverse: bool = False
) -> Program:
    sizes = [int(size) for size in shape.split("x")]
    window = ", ".join(str(size if d == dim else 1) for d, size in enumerate(sizes))
    before = [[size - 1 if d == dim else 0, 0][:: -1 if reverse else 1] for d, size in enumerate(sizes)]
    return Program(
        name,
        function(
            f"%x: tensor<{shape}x{element}>) -> tensor<{shape}x{element}>",
            f"""%c = xla.constant dense<{"0" if element[0] == "i" else "0.0"}> : tensor<{element}>
    %0 = "xla.reduce_window"(%x, %c) <{{window_dimensions = array<i64: {window}>,
        padding = dense<{before}> : tensor<{len(sizes)}x2xi64>}}> ({{
    ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
      %m = {combiner} %a, %b : tensor<{element}>
      xla.return %m : tensor<{element}>
    }}) : (tensor<{shape}x{element}>, tensor<{element}>) -> tensor<{shape}x{element}>
    return %0 : tensor<{shape}x{element}>""",
        ),
    )


PROGRAMS = [
    dot("matmul", "50x33xf32", "33x70xf32", "50x70xf32", "contracting_dims = [1] x [0]"),
    dot(
        "batched",
        "3x20x17xf32",
        "3x17x40xf32",
        "3x20x40xf32",
        "batching_dims = [0] x [0], contracting_dims = [2] x [1]",
    ),
    dot("row times matrix", "130xf32", "130x130xf32", "130xf32", "contracting_dims = [0] x [0]"),
    dot("matrix times row", "30x100xf64", "100xf64", "30xf64", "contracting_dims = [1] x [0]"),
    Program(
        "convolution",
        function(
            "%x: tensor<1x9x10x5xf32>, %w: tensor<3x3x5x20xf32>) -> tensor<1x7x8x20xf32>",
            """%0 = xla.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 0]}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<1x9x10x5xf32>, tensor<3x3x5x20xf32>) -> tensor<1x7x8x20xf32>
    return %0 : tensor<1x7x8x20xf32>""",
        ),
    ),
    Program(
        "depthwise convolution",
        function(
            "%x: tensor<2x9x14x36xf32>, %w: tensor<3x3x1x36xf32>) -> tensor<2x7x12x36xf32>",
            """%0 = xla.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
        {batch_group_count = 1 : i64, feature_group_count = 36 : i64}
        : (tensor<2x9x14x36xf32>, tensor<3x3x1x36xf32>) -> tensor<2x7x12x36xf32>
    return %0 : tensor<2x7x12x36xf32>""",
        ),
    ),
    reduction("columns", "90x200xf32", "0", "200xf32"),
    reduction("rows", "20x90xf32", "1", "20xf32"),
    reduction("three dimensions", "6x21x35xf32", "0, 2", "21xf32"),
    reduction("extremum", "40x50xf32", "0", "50xf32", "xla.maximum", "0xFF800000"),
    reduction("integers", "33x65xi8", "1", "33xi8", "xla.xor", "0"),
    reduction("complex", "6x9xcomplex<f32>", "1", "6xcomplex<f32>", "xla.add", "(0.0, 0.0)"),
    transpose("transposition", "50x37xf32", "1, 0", "37x50xf32"),
    transpose("transposition of bytes", "5x40x33xi8", "0, 2, 1", "5x33x40xi8"),
    transpose("transposition of f64", "33x2x40xf64", "2, 1, 0", "40x2x33xf64"),
    Program(
        "reverse",
        function(
            "%x: tensor<9x41xi16>) -> tensor<9x41xi16>",
            """%0 = xla.reverse %x, dims = [1] : tensor<9x41xi16>
    return %0 : tensor<9x41xi16>""",
        ),
    ),
    Program(
        "broadcast",
        function(
            "%x: tensor<11x1x35xf32>, %y: tensor<6xf32>) -> tensor<11x6x35xf32>",
            """%a = xla.broadcast_in_dim %x, dims = [0, 1, 2] : (tensor<11x1x35xf32>) -> tensor<11x6x35xf32>
    %b = xla.broadcast_in_dim %y, dims = [1] : (tensor<6xf32>) -> tensor<11x6x35xf32>
    %0 = xla.subtract %a, %b : tensor<11x6x35xf32>
    return %0 : tensor<11x6x35xf32>""",
        ),
    ),
    Program(
        "table",
        function(
            "%x: tensor<3x100xi32>, %y: tensor<13xf32>) -> tensor<3x100xf32>",
            """%c = xla.constant dense<13> : tensor<3x100xi32>
    %r = xla.remainder %x, %c : tensor<3x100xi32>
    %0 = "xla.gather"(%y, %r) <{dimension_numbers = #xla.gather<collapsed_slice_dims = [0], start_index_map = [0],
        index_vector_dim = 2>, slice_sizes = array<i64: 1>}> : (tensor<13xf32>, tensor<3x100xi32>) -> tensor<3x100xf32>
    return %0 : tensor<3x100xf32>""",
        ),
    ),
    Program(
        "chain",
        function(
            "%x: tensor<3x700xf32>) -> tensor<3x700xf32>",
            """%0 = xla.exponential %x : tensor<3x700xf32>
    %1 = xla.log_plus_one %0 : tensor<3x700xf32>
    %2 = xla.tanh %1 : tensor<3x700xf32>
    return %2 : tensor<3x700xf32>""",
        ),
    ),
    Program(
        "chain behind a sum",
        function(
            "%x: tensor<7x300xf32>) -> tensor<300xf32>",
            """%z = xla.constant dense<0.0> : tensor<f32>
    %s = xla.reduce(%x init: %z) applies xla.add across dimensions = [0]
        : (tensor<7x300xf32>, tensor<f32>) -> tensor<300xf32>
    %0 = xla.exponential %s : tensor<300xf32>
    %1 = xla.log_plus_one %0 : tensor<300xf32>
    %2 = xla.tanh %1 : tensor<300xf32>
    return %2 : tensor<300xf32>""",
        ),
        within=1e-5,
    ),
    Program("softmax", SOFTMAX, within=1e-5),
    Program("epilogue", EPILOGUE),
    Program("short rows", SHORT_ROWS),
    Program("argmax", ARGMAX),
    Program("last", LAST),
    scan("sums of rows", "7x90", 1),
    scan("sums of columns", "90x70", 0, reverse=True),
    scan("scan of bits", "5x40x6", 1, "i8", "xla.xor"),
]


def arguments(text: str, seed: int) -> list[np.ndarray]:
    """Small integers, whatever the type: no order of sums and products rounds."""
    rng = np.random.default_rng(seed)
    names = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16, "i32": np.int32}
    names["complex<f32>"] = np.complex64
    signature = re.search(r"@main\((.*?)\) ->", text)[1]
    found = []
    for shape in re.findall(r"tensor<([^ ]*)>(?:,|$)", signature):
        *sizes, element = re.fullmatch(r"((?:\d+x)*)(.*)", shape).groups()
        dims = [int(size) for size in sizes[0].split("x") if size]
        found.append(rng.integers(1, 5, dims).astype(names[element]) * rng.choice([-1, 1], dims).astype(names[element]))
    return found


def lists(plan: Nest) -> list[list[int]]:
    return [plan.work, plan.loop, plan.reduce]


def leave(plan: Nest, dim: int) -> None:
    for dims in lists(plan):
        if dim in dims:
            dims.remove(dim)
    plan.cut.pop(dim, None)


class Mutator:
    """Changes that keep a plan whole as often as not: a dimension that leaves one place goes to another."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)

    def __call__(self, plan: Nest) -> Nest:
        plan = deepcopy(plan)
        changes = [
            self.ordered,
            self.lanes,
            self.width,
            self.vectors,
            self.jam,
            self.copies,
            self.order,
            self.sharing,
            self.block,
            self.flag,
            self.transposition,
            self.lookup,
            self.distribution,
            self.memory,
            self.confusion,
        ]
        weights = [1, 3, 3, 3, 3, 3, 2, 2, 3, 2, 2, 1, 1, 2, 1]
        for change in self.random.choices(changes, weights, k=self.random.randint(1, 4)):
            change(plan)
        return plan

    def dim(self, plan: Nest) -> int:
        return self.random.randrange(len(plan.sizes)) if plan.sizes else 0

    def home(self, plan: Nest, dim: int, was_reduced: bool) -> None:
        if (
            dim < len(plan.sizes)
            and plan.sizes[dim] != 1
            and dim != plan.ordered
            and not any(dim in dims for dims in lists(plan))
        ):
            dims = plan.reduce if was_reduced else self.random.choice([plan.work, plan.loop])
            dims.insert(self.random.randint(0, len(dims)), dim)

    def is_reduced(self, plan: Nest, dim: int) -> bool:
        return dim in plan.reduce or (self.random.random() < 0.5 and dim == len(plan.sizes) - 1)

    def lanes(self, plan: Nest) -> None:
        old, dim = plan.lanes, self.dim(plan)
        if old:
            plan.cut.pop(old[0], None)
            self.home(plan, old[0], self.is_reduced(plan, old[0]))
        if self.random.random() < 0.15:
            plan.lanes = None
            plan.flags.discard("masked")
            return
        leave(plan, dim)
        if plan.jam and plan.jam[0] == dim:
            plan.jam = None
        plan.lanes = (dim, old[1] if old else 8, old[2] if old else 1)

    def ordered(self, plan: Nest) -> None:
        plan.ordered = self.random.choice([None, self.dim(plan), plan.ordered])

    def width(self, plan: Nest) -> None:
        if plan.lanes:
            plan.lanes = (plan.lanes[0], self.random.choice([2, 4, 8, 16, 32, 64]), plan.lanes[2])
            plan.cut.pop(plan.lanes[0], None)

    def vectors(self, plan: Nest) -> None:
        if plan.lanes:
            plan.lanes = (*plan.lanes[:2], self.random.choice([1, 2, 3, 4, 5, 8]))
            plan.cut.pop(plan.lanes[0], None)

    def jam(self, plan: Nest) -> None:
        old, dim = plan.jam, self.dim(plan)
        if old and "in_memory" not in plan.flags:
            plan.cut.pop(old[0], None)
            self.home(plan, old[0], was_reduced=False)
        plan.jam = None
        if self.random.random() < 0.8 and not (plan.lanes and plan.lanes[0] == dim):
            leave(plan, dim)
            plan.jam = (dim, self.random.choice([1, 2, 3, 4, 6, 8, 12]))

    def copies(self, plan: Nest) -> None:
        if plan.jam:
            plan.jam = (plan.jam[0], self.random.choice([1, 2, 3, 4, 5, 7, 8, 16, 24]))
            plan.cut.pop(plan.jam[0], None)

    def order(self, plan: Nest) -> None:
        self.random.shuffle(self.random.choice(lists(plan)))

    def sharing(self, plan: Nest) -> None:
        dims = plan.work + plan.loop
        self.random.shuffle(dims)
        count = self.random.randint(0, len(dims))
        plan.work, plan.loop = dims[:count], dims[count:]

    def block(self, plan: Nest) -> None:
        steps = {}
        if plan.lanes:
            steps[plan.lanes[0]] = plan.lanes[1] * plan.lanes[2]
        if plan.jam:
            steps[plan.jam[0]] = plan.jam[1]
        if steps:
            dim = self.random.choice(sorted(steps))
            plan.cut[dim] = steps[dim] * self.random.choice([1, 1, 2, 3, 5])

    def flag(self, plan: Nest) -> None:
        flags = ["masked", "overlap", "stream", "trim", "slide", "pairs", "tile_registers", "partition"]
        plan.flags ^= {self.random.choice(flags)}

    def transposition(self, plan: Nest) -> None:
        plan.transpose = self.random.choice([1, 2, 4, 8, 16])
        if plan.jam and self.random.random() < 0.8:
            plan.jam = (plan.jam[0], plan.transpose * self.random.choice([1, 2]))

    def lookup(self, plan: Nest) -> None:
        plan.lookup = self.random.choice([0, 8, 16])

    def distribution(self, plan: Nest) -> None:
        plan.distribute = self.random.choice([0, 1, 2, 3, 32, 256])

    def memory(self, plan: Nest) -> None:
        plan.flags ^= {"in_memory"}
        if "in_memory" in plan.flags and plan.reduce and self.random.random() < 0.9:
            if plan.jam and plan.jam[0] not in plan.reduce:
                self.home(plan, plan.jam[0], was_reduced=False)
            plan.jam = (plan.reduce[-1], self.random.choice([1, 3, 4, 16]))
            plan.lanes = plan.lanes and (*plan.lanes[:2], 1)
            plan.flags -= {"masked", "overlap"}
            plan.transpose = 1
        elif plan.jam and plan.jam[0] in plan.reduce:
            plan.jam = None

    def confusion(self, plan: Nest) -> None:
        """Anything that is not a plan of this nest."""
        dim = self.dim(plan)
        kind = self.random.randrange(5)
        if kind == 0 and plan.sizes:
            plan.sizes[dim] += self.random.choice([-1, 1])
        elif kind == 1:
            plan.work.append(dim + self.random.randint(0, 2))
        elif kind == 2:
            leave(plan, dim)
        elif kind == 3 and plan.lanes:
            plan.lanes = (plan.lanes[0], self.random.choice([0, 1, 3, 12, 128]), plan.lanes[2])
        else:
            plan.cut[dim] = self.random.choice([-8, 0, 7, 2**62])


def shown(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "xla_rt.plans" in line)


def check(program: Program, text: str, want: list[np.ndarray]) -> str:
    """What became of a program with other plans: `refused` or `right`, which is `want`. Anything else is an
    AssertionError that shows the plans."""
    try:
        have = run(text, arguments(program.text, SEED))
    except MLIRError as error:
        assert REFUSED.search(str(error)), f"{program.name}: {error}\n{shown(text)}"
        return "refused"
    for x, y in zip(have, want, strict=True):
        wrong = difference(x, y, program.within, signed_zeros=False)
        assert wrong is None, f"{program.name}: {wrong}\n{shown(text)}"
    return "right"


def mutants(program: Program, seeds: range) -> dict[str, int]:
    text = kernels(program.text, HOST)
    count = len(plans(text))
    want = run(text, arguments(program.text, SEED))
    found = {"refused": 0, "right": 0}
    for seed in seeds:
        mutate = Mutator(seed)

        def change(number: int, plan: Nest, seed: int = seed, mutate: Mutator = mutate) -> Nest:
            return mutate(plan) if number == seed % count else plan

        found[check(program, replan(text, change), want)] += 1
    return found


if __name__ == "__main__":
    count, first = int(sys.argv[1]), int(sys.argv[2])
    for program in PROGRAMS:
        try:
            print(program.name, mutants(program, range(first, first + count)), flush=True)
        except AssertionError as error:
            print("WRONG", error, flush=True)
