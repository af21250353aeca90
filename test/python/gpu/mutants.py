# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Deletes every synchronisation of compiled kernels in turn: `mutants.py [FILE.mlir ...]`, or of the programs below.

Each mutant runs on the emulator in checked mode, which must report it. One that survives shows that the check misses
something, or that the synchronisation is one too many; the exit status is then 1.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import mlir_xla

SYNCHRONISATION = re.compile(
    r"^\s*(@!?%p\d+\s+)?(bar\.|barrier\.|cp\.async\.(wait|mbarrier)|mbarrier\.(test|try)_wait|wgmma\.(fence|wait_group)|fence\.proxy)"
)
FINDING = "cuda-emu: kernel"

NORMALIZED = """
func.func private @{name}(%x: tensor<{rows}x{n}xf32>) -> tensor<{rows}x{n}xf32> {{
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<{rows}x{n}xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1]
      : (tensor<{rows}x{n}xf32>, tensor<f32>) -> tensor<{rows}xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<{rows}xf32>) -> tensor<{rows}x{n}xf32>
  %d = xla.divide %e, %b : tensor<{rows}x{n}xf32>
  %r = xla.reverse %d, dims = [1] : tensor<{rows}x{n}xf32>
  return %r : tensor<{rows}x{n}xf32>
}}"""
PROGRAMS = {
    "sum by a block": """
func.func @main(%x: tensor<3x3000xf32>) -> tensor<3xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1]
      : (tensor<3x3000xf32>, tensor<f32>) -> tensor<3xf32>
  return %s : tensor<3xf32>
}""",
    "rows of warps and of blocks, with memory for a row": """
func.func @main(%x: tensor<9x400xf32>, %y: tensor<2x3000xf32>) -> (tensor<9x400xf32>, tensor<2x3000xf32>) {
  %0 = call @normalized(%x) : (tensor<9x400xf32>) -> tensor<9x400xf32>
  %1 = call @normalized_long(%y) : (tensor<2x3000xf32>) -> tensor<2x3000xf32>
  return %0, %1 : tensor<9x400xf32>, tensor<2x3000xf32>
}
"""
    + NORMALIZED.format(name="normalized", rows=9, n=400)
    + NORMALIZED.format(name="normalized_long", rows=2, n=3000),
    "transposition": """
func.func @main(%x: tensor<40x70xf32>) -> tensor<70x40xf32> {
  %t = xla.transpose %x, dims = [1, 0] : (tensor<40x70xf32>) -> tensor<70x40xf32>
  return %t : tensor<70x40xf32>
}""",
}


PROGRAMS |= {
    f"product of {element}": f"""
func.func @main(%x: tensor<200x40x{element}>, %y: tensor<200x40x{element}>) -> tensor<40x40x{result}> {{
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0]
      : (tensor<200x40x{element}>, tensor<200x40x{element}>) -> tensor<40x40x{result}>
  return %0 : tensor<40x40x{result}>
}}"""
    for element, result in (("f32", "f32"), ("bf16", "f32"), ("i8", "i32"))
}
PROGRAMS["product with a vector, whose sums are split"] = """
func.func @main(%x: tensor<2000xf32>, %y: tensor<2000x40xf32>) -> tensor<40xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<2000xf32>, tensor<2000x40xf32>) -> tensor<40xf32>
  return %0 : tensor<40xf32>
}"""


def synchronisations(ptx: str) -> list[int]:
    return [number for number, line in enumerate(ptx.split("\n"), start=1) if SYNCHRONISATION.match(line)]


def run(text: str, line: int = 0) -> str:
    """What the emulator says of the program without that line of its PTX; empty if it finds nothing."""
    environment = {**os.environ, "CUDA_EMU_CHECK": "1"}
    if line:
        environment["CUDA_EMU_SKIP_LINE"] = str(line)
    done = subprocess.run(
        [sys.executable, __file__, "--execute"],
        input=text,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return "".join(found for found in done.stderr.splitlines(keepends=True) if FINDING in found) or (
        done.stderr if done.returncode else ""
    )


def execute(text: str) -> None:
    program = mlir_xla.compile(text, target="cuda-emulated")
    draw = np.random.default_rng(1)
    program(*[draw.integers(0, 2, each.dims).astype(each.dtype) for each in program.arg_types])


def survivors(text: str) -> tuple[int, list[str]]:
    """How many mutants there are, and those that nothing is said of."""
    ptx = mlir_xla.compile(text, target="cuda-emulated").stages["binary"]
    lines = synchronisations(ptx)
    if found := run(text):
        return len(lines), [f"not even a mutant: {found}"]
    alive = [number for number in lines if FINDING not in run(text, number)]
    return len(lines), [f"line {number}: {ptx.splitlines()[number - 1].strip()}" for number in alive]


def main(files: Sequence[str]) -> int:
    programs = {name: Path(name).read_text() for name in files} or PROGRAMS
    total = bad = 0
    for name, text in programs.items():
        count, alive = survivors(text)
        total += count
        bad += len(alive)
        for line in alive:
            print(f"{name}: survived: {line}", flush=True)
    print(f"{total} mutants of {len(programs)} programs, {bad} survived")
    return bool(bad)


if __name__ == "__main__":
    if sys.argv[1:] == ["--execute"]:
        execute(sys.stdin.read())
    else:
        sys.exit(main(sys.argv[1:]))
