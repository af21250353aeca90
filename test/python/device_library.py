# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the steps that a GPU makes of a program's library calls, on the host.

The functions of `runtime/cuda/device/` are compiled for the host as well (`libxla-test-device.so`), and
`xla-test-device-library` prints the steps of the calls of a program. A step's items are done in two orders and in
ranges of different sizes; the result has to be the same to the bit, because a GPU does them all at the same time.
"""

import ctypes
import functools
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

import mlir_xla

BUILD = Path(mlir_xla.__file__).parents[2]
LIBRARY = BUILD / "lib" / "libxla-test-device.so"
PRINTER = BUILD / "bin" / "xla-test-device-library"
ALIGNMENT = 256

Array = np.ndarray


def _dtype(element: str) -> np.dtype:
    if match := re.fullmatch(r"complex<(f\d+)>", element):
        return np.dtype({"f32": np.complex64, "f64": np.complex128}[match[1]])
    if element == "bf16":
        return np.dtype(ml_dtypes.bfloat16)
    if match := re.fullmatch(r"i(\d+)", element):
        return np.dtype(f"int{max(8, int(match[1]))}")
    return np.dtype({"f16": np.float16, "f32": np.float32, "f64": np.float64}[element])


def _empty(type_: str) -> Array:
    """Elements that nobody may read."""
    match = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", type_)
    assert match
    dtype = _dtype(match[2])
    sizes = [int(size) for size in match[1].split("x")[:-1]]
    return _aligned(int(np.prod(sizes, dtype=np.int64)) * dtype.itemsize).view(dtype).reshape(sizes)


def _aligned(size: int) -> Array:
    memory = np.full(size + ALIGNMENT, 0xA5, np.uint8)
    begin = -memory.ctypes.data % ALIGNMENT
    return memory[begin : begin + size]


def _copied(array: Array) -> Array:
    copy = _aligned(array.nbytes).view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def _ranges(work: int, seed: int) -> list[tuple[int, int]]:
    """All items, in ranges of any size, those behind first."""
    few = np.random.default_rng(seed).integers(0, work + 1, 30)
    edges = sorted({0, work, *few.tolist()})
    return list(zip(edges[:-1], edges[1:], strict=True))[::-1]


@dataclass
class Call:
    """A library call; without steps it is not for the device."""

    function: str
    steps: list[dict[str, Any]]
    scratch: int
    inputs: list[int]
    outs: list[int]
    results: list[int]
    types: list[str]

    @property
    def functions(self) -> list[str]:
        return [step["function"] for step in self.steps]


class Program:
    """A program of library calls only."""

    def __init__(self, text: str):
        self.executable = mlir_xla.compile(text)
        linalg = dict(self.executable.stages)["linalg"]
        found = _steps(linalg)
        self.returns: list[int] = found["returns"]
        self.calls = [Call(**{"steps": [], "scratch": 0} | call) for call in found["calls"]]

    def run(self, *arguments: Array) -> list[Array]:
        values: dict[int, Array] = {i: _copied(argument) for i, argument in enumerate(arguments)}
        for call in self.calls:
            outs = [
                _empty(type_) if out < 0 else _copied(values[out])
                for out, type_ in zip(call.outs, call.types, strict=True)
            ]
            inputs = [values[i] for i in call.inputs]
            kept = [array.tobytes() for array in inputs]
            _run(call, [*inputs, *outs])
            assert kept == [array.tobytes() for array in inputs]
            values.update(zip(call.results, outs, strict=True))
        return [values[i] for i in self.returns]


@functools.cache
def _printer() -> subprocess.Popen[str]:
    return subprocess.Popen([PRINTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _steps(program: str) -> dict[str, Any]:
    printer = _printer()
    assert printer.stdin and printer.stdout
    printer.stdin.write(program + "\n// -----\n")
    printer.stdin.flush()
    line = printer.stdout.readline()
    if not line:
        _printer.cache_clear()
    assert line, f"no program of library calls only:\n{program}"
    return dict(json.loads(line))


def _states(buffers: Sequence[Array]) -> Iterator[bytes]:
    yield from (buffer.tobytes() for buffer in buffers)


def _run(call: Call, buffers: list[Array]) -> None:
    library = ctypes.CDLL(str(LIBRARY))
    assert call.steps, f"{call.function} is not for the device"
    scratch = _aligned(call.scratch + ALIGNMENT)
    memory = [*buffers, scratch]
    addresses = (ctypes.c_void_p * len(buffers))(*(buffer.ctypes.data for buffer in buffers))
    for number, step in enumerate(call.steps):
        function = getattr(library, step["function"])
        parameters = (ctypes.c_int64 * len(step["parameters"]))(*step["parameters"])
        before = [buffer.copy() for buffer in memory]
        results = []
        for ranges in (_ranges(step["work"], number), _ranges(step["work"], number + 1000)[::-1]):
            for buffer, old in zip(memory, before, strict=True):
                buffer[...] = old
            for begin, end in ranges:
                function(
                    parameters,
                    addresses,
                    ctypes.c_int64(begin),
                    ctypes.c_int64(end),
                    ctypes.c_void_p(scratch.ctypes.data),
                )
            results.append(list(_states(memory)))
        assert results[0] == results[1], f"the items of step {number}, {step['function']}, depend on each other"
    assert (scratch[call.scratch :] == 0xA5).all()
