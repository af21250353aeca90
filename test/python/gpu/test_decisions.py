# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops and branches that a GPU decides: programs with them are graphs, and the host does not wait for a predicate."""

import ctypes
import os
import pathlib
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import mlir_xla
from mlir_xla import ir
from mlir_xla.api import compile_stage

TARGET = "cuda-emulated"
PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "programs"
EMULATOR = pathlib.Path(mlir_xla.__file__).parents[2] / "lib" / "libcuda-emu.so"
WHILE = """
func.func @main(%x: tensor<{n}xf32>, %limit: tensor<f32>) -> (tensor<{n}xf32>, tensor<i32>) {{
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<{n}xf32>
  cond {{
    %none = xla.constant dense<0.0> : tensor<f32>
    %s = xla.reduce(%v init: %none) applies xla.add across dimensions = [0]
        : (tensor<{n}xf32>, tensor<f32>) -> tensor<f32>
    %p = xla.compare GT, %s, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }} do {{
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %half = xla.constant dense<0.5> : tensor<{n}xf32>
    %w = xla.multiply %v, %half : tensor<{n}xf32>
    {body}
    xla.return %j, %u : tensor<i32>, tensor<{n}xf32>
  }}
  return %r#1, %r#0 : tensor<{n}xf32>, tensor<i32>
}}"""
IN_PLACE = "%u = xla.multiply %w, %w : tensor<{n}xf32>"
BESIDE = "%u = xla.reverse %w, dims = [0] : tensor<{n}xf32>"
BRANCH = """
    %count = xla.constant dense<3> : tensor<i32>
    %rest = xla.remainder %i, %count : tensor<i32>
    %u = "xla.case"(%rest) ({{
      %y = xla.reverse %w, dims = [0] : tensor<{n}xf32>
      xla.return %y : tensor<{n}xf32>
    }}, {{
      xla.return %w : tensor<{n}xf32>
    }}, {{
      %y = xla.multiply %w, %w : tensor<{n}xf32>
      xla.return %y : tensor<{n}xf32>
    }}) : (tensor<i32>) -> tensor<{n}xf32>"""
COUNTED = """
func.func @main(%x: tensor<{n}xf32>, %y: tensor<{n}xf32>) -> (tensor<{n}xf32>, tensor<{n}xf32>) {{
  %zero = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<{n}xf32>, tensor<{n}xf32>
  cond {{
    %end = xla.constant dense<{trips}> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }} do {{
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %k = xla.convert %i : (tensor<i32>) -> tensor<f32>
    %f = xla.constant dense<0.001> : tensor<f32>
    %kf = xla.multiply %k, %f : tensor<f32>
    %s = xla.broadcast_in_dim %kf, dims = [] : (tensor<f32>) -> tensor<{n}xf32>
    %t = xla.reverse %a, dims = [0] : tensor<{n}xf32>
    %c = xla.cosine %t : tensor<{n}xf32>
    %d = xla.add %c, %s : tensor<{n}xf32>
    xla.return %j, %b, %d : tensor<i32>, tensor<{n}xf32>, tensor<{n}xf32>
  }}
  return %r#1, %r#2 : tensor<{n}xf32>, tensor<{n}xf32>
}}"""
NESTED = """
func.func @main(%x: tensor<f32>, %limit: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r:2 = xla.while(%a = %x, %b = %x) : tensor<f32>, tensor<f32>
  cond {
    %p = xla.compare LT, %a, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %s = xla.while(%c = %b) : tensor<f32>
    cond {
      %p = xla.compare LT, %c, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
      xla.return %p : tensor<i1>
    } do {
      %three = xla.constant dense<3.0> : tensor<f32>
      %d = xla.add %c, %three : tensor<f32>
      xla.return %d : tensor<f32>
    }
    %q = xla.compare LT, %s, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %t = "xla.if"(%q) ({
      %e = xla.add %a, %s : tensor<f32>
      xla.return %e : tensor<f32>
    }, {
      %one = xla.constant dense<1.5> : tensor<f32>
      %e = xla.multiply %a, %one : tensor<f32>
      xla.return %e : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    xla.return %t, %s : tensor<f32>, tensor<f32>
  }
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}"""

# Which of up to four branches: of `if`, of `case` with one that does nothing, of one that is decided by the same value
# again, and nested ones, of which one has a loop.
CHOICES = """
func.func @main(%x: tensor<{n}xf32>, %y: tensor<{n}xf32>, %i: tensor<i32>)
    -> (tensor<{n}xf32>, tensor<{n}xf32>, tensor<{n}xf32>, tensor<i32>) {{
  %one = xla.constant dense<1> : tensor<i32>
  %p = xla.compare LE, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %s = xla.sine %x : tensor<{n}xf32>
  %c = xla.cosine %y : tensor<{n}xf32>
  %a:2 = "xla.if"(%p) ({{
    xla.return %s, %c : tensor<{n}xf32>, tensor<{n}xf32>
  }}, {{
    xla.return %c, %s : tensor<{n}xf32>, tensor<{n}xf32>
  }}) : (tensor<i1>) -> (tensor<{n}xf32>, tensor<{n}xf32>)
  %b = "xla.case"(%i) ({{
    %0 = xla.reverse %a#0, dims = [0] : tensor<{n}xf32>
    xla.return %0 : tensor<{n}xf32>
  }}, {{
    xla.return %a#0 : tensor<{n}xf32>
  }}, {{
    %0 = xla.negate %a#0 : tensor<{n}xf32>
    xla.return %0 : tensor<{n}xf32>
  }}, {{
    %0 = xla.add %a#0, %a#1 : tensor<{n}xf32>
    xla.return %0 : tensor<{n}xf32>
  }}) : (tensor<i32>) -> tensor<{n}xf32>
  %j, %d = "xla.if"(%p) ({{
    %0:2 = "xla.case"(%i) ({{
      %1 = xla.multiply %b, %a#1 : tensor<{n}xf32>
      xla.return %one, %1 : tensor<i32>, tensor<{n}xf32>
    }}, {{
      %1 = xla.reverse %b, dims = [0] : tensor<{n}xf32>
      xla.return %i, %1 : tensor<i32>, tensor<{n}xf32>
    }}) : (tensor<i32>) -> (tensor<i32>, tensor<{n}xf32>)
    xla.return %0#0, %0#1 : tensor<i32>, tensor<{n}xf32>
  }}, {{
    %0:2 = xla.while(%k = %i, %v = %b) : tensor<i32>, tensor<{n}xf32>
    cond {{
      %more = xla.compare GT, %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %more : tensor<i1>
    }} do {{
      %less = xla.subtract %k, %one : tensor<i32>
      %w = xla.reverse %v, dims = [0] : tensor<{n}xf32>
      %u = xla.add %w, %x : tensor<{n}xf32>
      xla.return %less, %u : tensor<i32>, tensor<{n}xf32>
    }}
    xla.return %0#0, %0#1 : tensor<i32>, tensor<{n}xf32>
  }}) : (tensor<i1>) -> (tensor<i32>, tensor<{n}xf32>)
  return %a#0, %b, %d, %j : tensor<{n}xf32>, tensor<{n}xf32>, tensor<{n}xf32>, tensor<i32>
}}"""


def graph_launches():
    count = ctypes.CDLL(str(EMULATOR)).cuda_emu_graph_launches
    count.restype = ctypes.c_ulong
    return count()


def run_all(programs, **variables):
    """Compares the results of programs with each set of arrays several times, and says how many graphs were launched.
    In a process of its own: which addresses results get, and so what is a graph, depends on what a process has done
    before."""
    environment = os.environ | variables
    given = pickle.dumps(programs)
    done = subprocess.run([sys.executable, __file__], input=given, capture_output=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr.decode()
    return pickle.loads(done.stdout)


def as_launches(text):
    """The program with a launch for each kernel of its loops, however small they are."""
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(mlir_xla.compile(text, target=TARGET).stages["linalg"])

        def mark(op):
            if op.name in ("scf.while", "scf.for"):
                op.attributes["xla_rt.launched"] = ir.UnitAttr.get()
            return ir.WalkResult.ADVANCE

        module.operation.walk(mark)
        return compile_stage(str(module), TARGET, "linalg")


def run(text, rounds):
    return run_all([(text, rounds)])[0]


def run_here(text, rounds, times=4, launched=True, against="reference"):
    program = as_launches(text) if launched else mlir_xla.compile(text, target=TARGET)
    reference = mlir_xla.compile(text, target=against)
    device = mlir_xla.devices(TARGET)[0]
    before = graph_launches()
    wanted = [reference(*arrays) for arrays in rounds]
    for arrays, results in zip(rounds, wanted, strict=True):
        on_device = [mlir_xla.device_put(array, device) for array in arrays]
        for _ in range(times):
            # Results that are gone give their addresses to the next.
            have = [np.asarray(each) for each in program(*on_device)]
            for got, want in zip(have, results, strict=True):
                np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)
    assert "xla_rt_cuda_read" not in program.stages["loops"]
    return program.stages["loops"], graph_launches() - before


@pytest.mark.parametrize("body", [IN_PLACE, BESIDE, BRANCH])
def test_predicates(body):
    n = 70
    x = np.random.default_rng(3).uniform(0.5, 1, n).astype(np.float32)
    # The numbers of iterations differ, and may be none.
    rounds = [(x, np.float32(limit)) for limit in (30, 1, 100)]
    loops, launches = run(WHILE.format(n=n, body=body.format(n=n)), rounds)
    assert "xla_rt_cuda_repeat" in loops and launches >= 3


@pytest.mark.parametrize("trips", [0, 1, 9, 100, 5003])
def test_counted(trips):
    n = 33
    draw = np.random.default_rng(trips)
    arrays = [draw.standard_normal(n).astype(np.float32) for _ in range(2)]
    loops, launches = run(COUNTED.format(n=n, trips=trips), [arrays])
    # Else the graph has all iterations.
    assert ("xla_rt_cuda_repeat" in loops) == (trips == 5003)
    assert launches >= (1 if trips > 9 else 0)


def test_nested():
    rounds = [(np.float32(2), np.float32(limit)) for limit in (90, 1, 1000)]
    _, launches = run(NESTED, rounds)
    assert launches >= 3


@pytest.mark.parametrize(
    "variables",
    [
        {},  # one node for all branches
        {"CUDA_EMU_VERSION": "12040"},  # one for each of them
        {"CUDA_EMU_VERSION": "12030"},  # the host decides
        {"CUDA_EMU_CHECK": "1", "CUDA_EMU_STREAMS": "late"},
    ],
    ids=lambda variables: "-".join(variables.values()) or "newest",
)
def test_choices(variables):
    n = 37
    draw = np.random.default_rng(8)
    x, y = (draw.standard_normal(n).astype(np.float32) for _ in range(2))
    rounds = [(x, y, np.int32(i)) for i in (0, 1, 2, 3, 7, -5)]
    [(loops, launches)] = run_all([(CHOICES.format(n=n), rounds, 9)], **variables)
    assert loops.count("call @xla_rt_cuda_begin_branches") == 4
    assert (launches > 0) == (variables.get("CUDA_EMU_VERSION") != "12030")


@pytest.mark.parametrize("name", ["fori_vector", "heat", "mandelbrot", "rnn_while", "swap_loop", "conditional_loop"])
def test_no_loop_waits(name):
    loops = as_launches(PROGRAMS / f"{name}.mlir").stages["loops"]
    assert "scf.while" in loops and "@loop(" not in loops
    assert not re.search(r"call @xla_rt_cuda_read", loops)


if __name__ == "__main__":
    sys.stdout.buffer.write(pickle.dumps([run_here(*each) for each in pickle.load(sys.stdin.buffer)]))


def test_a_result_where_only_one_branch_has_it():
    """The planner looked for its place in the other branches without end."""
    root = pathlib.Path(__file__).resolve().parents[3]
    text = (root / "test" / "lowering" / "gpu" / "branch-result-of-loop.mlir").read_text()
    program, reference = (mlir_xla.compile(text, target=target) for target in (TARGET, "reference"))
    for value in map(np.int32, (-3, 0, 1, 2, 5)):
        for have, want in zip(program(value), reference(value), strict=True):
            np.testing.assert_array_equal(np.asarray(have), want)
