# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How threads of fast kernels share accesses, counted by the emulator: no bank of shared memory is asked for two words
at a time, and of each sector of global memory that is touched, all bytes are used."""

import os
import re
import subprocess
import sys

import pytest

RUN = r"""
import ctypes, re, sys
import numpy as np
from mlir_xla import ir, parse
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.passmanager import PassManager
module = parse(sys.stdin.read())
with module.context:
    PassManager.parse("builtin.module(xla-to-kernels{target=cuda-emulated})").run(module.operation)
planned, count = re.subn(r"(#xla_rt\.blocks<\w+), [^<>]*>", rf"\1, {sys.argv[1]}>", str(module))
assert count == 1
with ir.Context():
    program = compiler.compile(ir.Module.parse(planned).operation, target="cuda-emulated", from_stage="kernels")
draw = np.random.default_rng(1)
program.run([draw.integers(0, 2, shape).astype(dtype) for _, shape, dtype in program.argument_types])
library = next(line.split()[-1] for line in open("/proc/self/maps") if "libcuda-emu" in line)
profile = ctypes.CDLL(library).cuda_emu_profile
profile.restype = ctypes.c_char_p
print(profile().decode())
"""
LINE = re.compile(
    r"(?P<where>.*): (?P<space>shared|global) (?P<kind>read|write), (?P<requests>\d+) requests, "
    r"(?P<units>\d+) (?:wavefronts|sectors), (?P<least>\d+) at least"
)


def product(left: str, right: str, result: str, dims: str) -> str:
    return f"""
    func.func @main(%x: tensor<{left}>, %y: tensor<{right}>) -> tensor<{result}> {{
      %0 = xla.dot_general %x, %y, contracting_dims = {dims} : (tensor<{left}>, tensor<{right}>) -> tensor<{result}>
      return %0 : tensor<{result}>
    }}"""


ORDERS = {
    "plain": ("64x128", "128x64", "[1] x [0]"),
    "along k": ("64x128", "64x128", "[1] x [1]"),
    "transposed": ("128x64", "64x128", "[0] x [1]"),
}
PLANS = {
    "f32": ("f32", "m d0 64, n d1 64, k d2 16, register 8x8"),
    "bf16": ("f32", "m d0 64, n d1 64, k d2 64, register 32x32, instruction mma, stages 3"),
    "f64": ("f64", "m d0 64, n d1 64, k d2 16, register 32x32, instruction mma, stages 3"),
    "i8": ("i32", "m d0 64, n d1 64, k d2 128, register 32x32, instruction mma, stages 3"),
}
PROGRAMS = {
    f"{element}, {order}": (product(f"{left}x{element}", f"{right}x{element}", f"64x64x{result}", dims), plan)
    for element, (result, plan) in PLANS.items()
    for order, (left, right, dims) in ORDERS.items()
}
# Warps of 4 by 8 threads, and a part of the sums at a time.
PROGRAMS["f32, transposed, wide"] = (
    product("32x128xf32", "256x32xf32", "128x256xf32", "[0] x [1]"),
    "m d0 128, n d1 128, k d2 16, register 8x8",
)
PROGRAMS["vector f32"] = (
    product("64xf32", "64x256xf32", "256xf32", "[0] x [0]"),
    "m 8, n d0 128, k d1 32, register 2x4, split 2",
)
# Threads have columns far from each other, of rows shorter than all banks.
PROGRAMS["vector f32, along k"] = (
    product("256x128xf32", "128xf32", "256xf32", "[1] x [0]"),
    "m 16, n d0 16, k d1 16, register 4x2, split 2",
)
PROGRAMS["vector bf16"] = (
    product("256x128xbf16", "128xbf16", "256xbf16", "[1] x [0]"),
    "m 16, n d0 64, k d1 64, register 16x16, instruction mma",
)
FEW = "m d0 8, n d1 32, k d2 64, register 1x2"
PROGRAMS |= {
    f"few, {order}": (product(f"{left}xf32", f"{right}xf32", "64x64xf32", dims), FEW)
    for order, (left, right, dims) in ORDERS.items()
}
# What warpgroups do themselves: sums go through shared memory. The rest is the hardware's, with its own swizzles.
WARPGROUPS = "k d2 64, instruction wgmma"
PROGRAMS["warpgroups, f32"] = (
    product("128x64xbf16", "64x128xbf16", "128x128xf32", "[1] x [0]"),
    f"m d0 64, n d1 128, register 64x64, stages 2, cluster 2, {WARPGROUPS}",
)
PROGRAMS["warpgroups, bf16"] = (
    product("128x64xbf16", "256x64xbf16", "128x256xbf16", "[1] x [1]"),
    f"m d0 128, n d1 256, register 64x256, stages 2, {WARPGROUPS}",
)
PROGRAMS["warpgroups, split"] = (
    product("128x64xf16", "128x128xf16", "64x128xf16", "[0] x [0]"),
    f"m d0 64, n d1 64, register 64x64, stages 2, split 2, {WARPGROUPS}",
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_accesses(name):
    environment = {**os.environ, "CUDA_EMU_PROFILE": "1"}
    text, plan = PROGRAMS[name]
    command = [sys.executable, "-c", RUN, plan]
    done = subprocess.run(command, input=text, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = [match for match in map(LINE.fullmatch, done.stdout.splitlines()) if match]
    assert {match["space"] for match in found} == {"shared", "global"}
    wasted = [match[0] for match in found if int(match["units"]) > int(match["least"])]
    assert not wasted, "\n".join(wasted)
