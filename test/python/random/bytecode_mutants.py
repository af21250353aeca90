# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Corrupted bytecode: `bytecode_mutants.py compile FIRST LAST` gives the mutants of the seeds from FIRST to before LAST
to `mlir_xla.compile` (both targets), `opt` to xla-opt, `run` to xla-run, `raw` to MLIR's reader alone. Prints what dies
by a signal, takes longer than five minutes or raises what is not an error of the program.

A mutant is a sound program's bytecode with up to three changes: bits, bytes, numbers, missing, doubled, inserted and
foreign pieces. Programs and changes follow from the seed alone.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import os
import pathlib
import random
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import mlir_xla
from mlir_xla import ir
from mlir_xla.tools import run

SECONDS = 300  # what takes longer counts as endless; the reader itself stops after some seconds of processor time
MODES = ("compile", "opt", "run", "raw")

# What bytecode can hold, in programs that are small: most of their bytes matter.
LOCATIONS = """
#name = loc("x"("model.py":12:9))
#inlined = loc(callsite("f"("util.py":3:4) at callsite("g" at "model.py":20:1)))
#fused = loc(fused<{kind = "both"}>["a.py":1:1, #inlined, unknown])
func.func @main(%x: tensor<4xf32> loc(#name), %y: tensor<4xf32>) -> (tensor<4xf32> {xla.name = "sum"}) {
  %0 = xla.add %x, %y : tensor<4xf32> loc(#inlined)
  %1 = xla.tanh %0 {note = ["text", 1 : i8, 2.5 : f64, unit, @main]} : tensor<4xf32> loc(#fused)
  return %1 : tensor<4xf32>
}
"""
CONSTANTS = """
func.func @main() -> (tensor<2x3xf32>, tensor<5xi1>, tensor<2xcomplex<f32>>, tensor<3xui8>, tensor<4xf32>, tensor<2xbf16>) {
  %a = xla.constant dense<[[1.0, -0.0, 0x7F800000], [2.5, 3.0, 1.0e-40]]> : tensor<2x3xf32>
  %b = xla.constant dense<[true, false, true, true, false]> : tensor<5xi1>
  %c = xla.constant dense<[(1.0, 2.0), (-3.0, 0.5)]> : tensor<2xcomplex<f32>>
  %d = xla.constant dense<7> : tensor<3xui8>
  %e = xla.constant dense_resource<weights> : tensor<4xf32>
  %f = xla.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  return %a, %b, %c, %d, %e, %f
    : tensor<2x3xf32>, tensor<5xi1>, tensor<2xcomplex<f32>>, tensor<3xui8>, tensor<4xf32>, tensor<2xbf16>
}
{-# dialect_resources: {builtin: {weights: "0x040000000000803F000000400000404000008040"}} #-}
"""  # noqa: E501
REGIONS = """
func.func @main(%x: tensor<3x4xf32>, %p: tensor<i1>, %i: tensor<i32>) -> (tensor<3xf32>, tensor<f32>, tensor<i32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.reduce"(%x, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.maximum %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = "xla.if"(%p) ({
    %n = xla.negate %zero : tensor<f32>
    xla.return %n : tensor<f32>
  }, {
    xla.return %zero : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %2 = "xla.case"(%i) ({
    xla.return %i : tensor<i32>
  }, {
    %m = xla.multiply %i, %i : tensor<i32>
    xla.return %m : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0, %1, %2 : tensor<3xf32>, tensor<f32>, tensor<i32>
}
"""
CALLS = """
module @calls attributes {mhlo.num_partitions = 1 : i32} {
  func.func @main(%x: tensor<2xf32>, %y: tensor<2x2xf32>) -> tuple<tensor<2xf32>, tensor<2xf32>> {
    %0 = call @inner(%x, %y) : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
    %1 = xla.composite "my.square" %0 {decomposition = @square, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
    %2 = xla.tuple %0, %1 : tuple<tensor<2xf32>, tensor<2xf32>>
    return %2 : tuple<tensor<2xf32>, tensor<2xf32>>
  }
  func.func private @inner(%x: tensor<2xf32>, %y: tensor<2x2xf32>) -> tensor<2xf32> {
    %0 = xla.dot_general %x, %y, contracting_dims = [0] x [1] : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @square(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = xla.multiply %x, %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""
ATTRIBUTES = """
func.func @main(%x: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %i: tensor<3xi32>) -> (tensor<1x6x6x4xf32>, tensor<3x2xf32>) {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  %1 = xla.slice %x [0:1, 0:1, 0:8:2, 0:2] : (tensor<1x8x8x2xf32>) -> tensor<1x1x4x2xf32>
  %2 = xla.reshape %1 : (tensor<1x1x4x2xf32>) -> tensor<4x2xf32>
  %3 = "xla.gather"(%2, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}>
      : (tensor<4x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  return %0, %3 : tensor<1x6x6x4xf32>, tensor<3x2xf32>
}
"""  # noqa: E501
# Nothing that can be compiled: what xla-opt reads besides.
UPSTREAM = """
#map = affine_map<(d0, d1)[s0] -> (d0 * 2 + s0, d1 floordiv 3)>
func.func @main(%m: memref<?x4xf32, strided<[8, 1], offset: ?>, 1>, %n: index, %t: tensor<2x3xf32>) -> vector<4x[2]xf32>
    attributes {map = #map, set = affine_set<(d0) : (d0 - 1 >= 0)>, distinct = distinct[0]<unit>, s = si7} {
  %c = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %v = arith.constant dense<0.5> : vector<4x[2]xf32>
  %z = arith.constant sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>
  %r = scf.for %i = %n to %n step %n iter_args(%a = %c) -> (tensor<2x3xf32>) {
    %s = arith.addf %a, %t fastmath<nnan,ninf> : tensor<2x3xf32>
    scf.yield %s : tensor<2x3xf32>
  }
  cf.br ^next(%v : vector<4x[2]xf32>)
^next(%w: vector<4x[2]xf32>):
  return %w : vector<4x[2]xf32>
}
"""
PROGRAMS = (LOCATIONS, CONSTANTS, REGIONS, CALLS, ATTRIBUTES, UPSTREAM)


@functools.cache
def sound() -> tuple[bytes, ...]:
    """The programs' bytecode."""

    def bytecode(text: str) -> bytes:
        stream = io.BytesIO()
        with ir.Context():
            ir.Module.parse(text).operation.write_bytecode(stream)
        return stream.getvalue()

    return tuple(map(bytecode, PROGRAMS))


def mutant(seed: int) -> bytes:
    rng = random.Random(seed)
    return changed(rng, rng.choice(sound()), sound())


def changed(rng: random.Random, program: bytes, others: Sequence[bytes]) -> bytes:
    """A program's bytecode with up to three changes; foreign pieces are of the `others`."""
    data = bytearray(program)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at, length = rng.randrange(len(data)), min(rng.choice((1, 1, 2, 4, 16, 64)), len(data))
        match rng.randrange(10):
            case 0 | 1 | 2:
                data[at] ^= 1 << rng.randrange(8)
            case 3 | 4:
                data[at] = rng.choice((0, 1, 2, 3, 0x7F, 0x80, 0xFE, 0xFF, rng.randrange(256)))
            case 5:  # a number of 64 bits, as the format writes it
                data[at : at + rng.choice((0, 1, 9))] = b"\0" + rng.choice((rng.randbytes(8), b"\xff" * 8, b"\1" * 8))
            case 6:
                data[at : at + length] = b"" if rng.random() < 0.5 else rng.randbytes(length)
            case 7:
                data[at:at] = data[at : at + length] if rng.random() < 0.5 else rng.randbytes(length)
            case 8:
                other = rng.choice(others)
                start = rng.randrange(len(other))
                data[at : at + length] = other[start : start + length]
            case 9:
                del data[max(at, 4) :]
        if not data:
            data = bytearray(b"ML\xefR")
    return bytes(data)


def judge(mode: str, seed: int) -> str | None:
    """Gives a mutant to one of the readers, in this process or, for a tool, in its own; what is wrong with it."""
    data = mutant(seed)
    if mode == "raw":
        with contextlib.suppress(ir.MLIRError), ir.Context():
            ir.Module.parse(mlir_xla._bytecode.SoundBytecode(data))
        return None
    if mode == "compile":
        try:
            sound = mlir_xla.api._source(data)  # which is what takes the time, once for both
        except ir.MLIRError:
            return None
        for target in mlir_xla.api.TARGETS:
            try:
                mlir_xla.compile(sound, target=target)
            except (ir.MLIRError, mlir_xla.XlaError, UnicodeDecodeError):
                pass
            except Exception as error:
                return f"{target}: {type(error).__name__}: {error}"
        return None
    with tempfile.NamedTemporaryFile(suffix=".mlirbc") as file:
        file.write(data)
        file.flush()
        if mode == "run":
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                run.main([file.name])
            return None
        tool = subprocess.run([xla_opt(), file.name], capture_output=True, timeout=SECONDS, check=False)
        return None if tool.returncode in (0, 1) else f"xla-opt ended with {tool.returncode}"


def xla_opt() -> str:
    """The tool of the build or the environment that the package belongs to."""
    package = pathlib.Path(mlir_xla.__file__).parent
    found = [package.parents[1] / "bin" / "xla-opt", pathlib.Path(sys.executable).with_name("xla-opt")]
    return next((str(path) for path in found if path.exists()), shutil.which("xla-opt") or "xla-opt")


class _Worker:
    """A process that judges mutants until it dies of one."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.process: subprocess.Popen[str] | None = None

    def judge(self, seed: int) -> str | None:
        if self.process is None:
            command = [sys.executable, __file__, self.mode, "--worker"]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        process = self.process
        assert process.stdin and process.stdout
        process.stdin.write(f"{seed}\n")
        process.stdin.flush()
        answered, _, _ = select.select([process.stdout], [], [], SECONDS)
        answer = process.stdout.readline() if answered else ""
        if answer:
            return answer.strip() or None
        if not answered:
            process.kill()
        status = process.wait()
        self.close()
        return f"died with {status}" if answered else "endless"

    def close(self) -> None:
        if self.process is not None:
            assert self.process.stdin and self.process.stdout
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()
        self.process = None


def findings(mode: str, seeds: Iterable[int]) -> Iterator[tuple[int, str]]:
    """The seeds whose mutants a reader does not survive, and why."""
    worker = _Worker(mode)
    try:
        for seed in seeds:
            found = worker.judge(seed)
            if found:
                yield seed, found
    finally:
        worker.close()


def _serve(mode: str) -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what readers print is no answer
    for line in sys.stdin:
        print(" ".join((judge(mode, int(line)) or "").split()), file=answers, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("last", type=int, nargs="?", default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        _serve(options.mode)
        return 0
    count = 0

    def report(start: int) -> int:
        found = 0
        for seed, what in findings(options.mode, range(options.first + start, options.last, options.jobs)):
            print(f"seed {seed}: {what}", flush=True)
            found += 1
        return found

    with ThreadPoolExecutor(options.jobs) as pool:
        count = sum(pool.map(report, range(options.jobs)))
    print(f"{options.mode}: {count} of {options.last - options.first} mutants are not survived")
    return count > 0


if __name__ == "__main__":
    sys.exit(main())
