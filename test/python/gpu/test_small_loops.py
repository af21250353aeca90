# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of small kernels are kernels of one block: same results, one launch, barriers where they are needed."""

import mutants
import numpy as np
import pytest
from test_decisions import BESIDE, BRANCH, COUNTED, IN_PLACE, NESTED, WHILE

import mlir_xla

TARGET = "cuda-emulated"

# Neighbours read what a step before has written.
HEAT = """
func.func @main(%x: tensor<{n}xf32>) -> tensor<{n}xf32> {{
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<{n}xf32>
  cond {{
    %end = xla.constant dense<{trips}> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }} do {{
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %back = xla.reverse %v, dims = [0] : tensor<{n}xf32>
    %half = xla.constant dense<0.5> : tensor<{n}xf32>
    %s = xla.add %v, %back : tensor<{n}xf32>
    %w = xla.multiply %s, %half : tensor<{n}xf32>
    %c = xla.cosine %w : tensor<{n}xf32>
    xla.return %j, %c : tensor<i32>, tensor<{n}xf32>
  }}
  return %r#1 : tensor<{n}xf32>
}}"""

# A block's worth of sums and what is computed of them: threads meet within a kernel, too.
NORMS = """
func.func @main(%x: tensor<2000xf32>) -> tensor<2000xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2000xf32>
  cond {
    %end = xla.constant dense<5> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %none = xla.constant dense<0.0> : tensor<f32>
    %q = xla.multiply %v, %v : tensor<2000xf32>
    %s = xla.reduce(%q init: %none) applies xla.add across dimensions = [0]
        : (tensor<2000xf32>, tensor<f32>) -> tensor<f32>
    %t = xla.rsqrt %s : tensor<f32>
    %b = xla.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<2000xf32>
    %w = xla.multiply %v, %b : tensor<2000xf32>
    %u = xla.sine %w : tensor<2000xf32>
    xla.return %j, %u : tensor<i32>, tensor<2000xf32>
  }
  return %r#1 : tensor<2000xf32>
}"""

# What a step makes of a copy, in place, and by branches.
STEPS = """
func.func @main(%x: tensor<{n}xf32>) -> (tensor<{n}xf32>, tensor<i32>) {{
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<{n}xf32>
  cond {{
    %end = xla.constant dense<{trips}> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }} do {{
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %half = xla.constant dense<0.9> : tensor<{n}xf32>
    %w = xla.multiply %v, %half : tensor<{n}xf32>
    {body}
    xla.return %j, %u : tensor<i32>, tensor<{n}xf32>
  }}
  return %r#1, %r#0 : tensor<{n}xf32>, tensor<i32>
}}"""

# Counted loops in counted loops.
NESTED_STEPS = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %few = xla.constant dense<11> : tensor<i32>
  %many = xla.constant dense<5000> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %a = %x) : tensor<i32>, tensor<f32>
  cond {
    %p = xla.compare LT, %i, %few : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %s:2 = xla.while(%k = %zero, %b = %a) : tensor<i32>, tensor<f32>
    cond {
      %p = xla.compare LT, %k, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %p : tensor<i1>
    } do {
      %l = xla.add %k, %one : tensor<i32>
      %c = xla.cosine %b : tensor<f32>
      xla.return %l, %c : tensor<i32>, tensor<f32>
    }
    %j = xla.add %i, %one : tensor<i32>
    %d = xla.multiply %s#1, %s#1 : tensor<f32>
    xla.return %j, %d : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}"""

# A small recurrent network: products too few for blocks.
RECURRENT = """
func.func @main(%x: tensor<33xf32>, %w: tensor<33x33xf32>) -> tensor<33xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<33xf32>
  cond {
    %end = xla.constant dense<20> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %p = xla.dot_general %v, %w, contracting_dims = [0] x [0] : (tensor<33xf32>, tensor<33x33xf32>) -> tensor<33xf32>
    %s = xla.add %p, %x : tensor<33xf32>
    %t = xla.tanh %s : tensor<33xf32>
    xla.return %j, %t : tensor<i32>, tensor<33xf32>
  }
  return %r#1 : tensor<33xf32>
}"""

# One thread does it all, so nobody waits for anybody.
SCALAR = """
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<i32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<f32>
  cond {
    %end = xla.constant dense<6000> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %f = xla.convert %i : (tensor<i32>) -> tensor<f32>
    %c = xla.cosine %v : tensor<f32>
    %d = xla.atan2 %c, %f : tensor<f32>
    xla.return %j, %d : tensor<i32>, tensor<f32>
  }
  return %r#1, %r#0 : tensor<f32>, tensor<i32>
}"""


def loops_of(text):
    program = mlir_xla.compile(text, target=TARGET)
    return program, program.stages["loops"]


def agree(text, *arrays, tolerance=1e-5):
    program, loops = loops_of(text)
    reference = mlir_xla.compile(text, target="reference")
    for _ in range(2):  # at once, and as a graph
        for got, want in zip(results(program(*arrays)), results(reference(*arrays)), strict=True):
            np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)
    return loops


def results(given):
    return [np.asarray(each) for each in (given if isinstance(given, (tuple, list)) else [given])]


def is_one_launch(loops):
    return loops.count("gpu.launch_func") == 1 and "xla_rt_cuda_repeat" not in loops and "@loop(" in loops


@pytest.mark.parametrize("n", [1, 3, 33, 70, 1024, 2050])
def test_neighbours(n):
    x = np.random.default_rng(n).standard_normal(n).astype(np.float32)
    assert is_one_launch(agree(HEAT.format(n=n, trips=11), x))


def test_large_arrays_are_launched():
    _, loops = loops_of(HEAT.format(n=1 << 18, trips=7))
    assert "@loop(" not in loops


def test_threads_that_meet():
    x = np.random.default_rng(1).standard_normal(2000).astype(np.float32)
    assert is_one_launch(agree(NORMS, x))


def test_recurrent_network():
    draw = np.random.default_rng(2)
    arrays = draw.standard_normal(33).astype(np.float32), draw.standard_normal((33, 33)).astype(np.float32) / 33
    assert is_one_launch(agree(RECURRENT, *arrays))


def test_scalars():
    program, loops = loops_of(SCALAR)
    assert is_one_launch(agree(SCALAR, np.float32(0.3)))
    assert "bar.sync" not in program.stages["binary"]


@pytest.mark.parametrize("trips", [12, 5001])
@pytest.mark.parametrize("body", [IN_PLACE, BESIDE, BRANCH])
def test_steps_and_branches(body, trips):
    n = 70
    x = np.random.default_rng(3).uniform(0.5, 1, n).astype(np.float32)
    loops = agree(STEPS.format(n=n, trips=trips, body=body.format(n=n)), x)
    assert is_one_launch(loops)


@pytest.mark.parametrize("trips", [0, 1, 9, 5003])
def test_counted_with_changing_addresses(trips):
    draw = np.random.default_rng(trips)
    arrays = [draw.standard_normal(33).astype(np.float32) for _ in range(2)]
    loops = agree(COUNTED.format(n=33, trips=trips), *arrays)
    assert trips == 0 or is_one_launch(loops)


def test_loops_in_loops():
    assert is_one_launch(agree(NESTED_STEPS, np.float32(0.5)))


def test_long_loops_of_loops():
    """Together they turn more than a million times: the inner one is one launch."""
    text = NESTED_STEPS.replace("dense<11>", "dense<300>")
    program, loops = loops_of(text)
    assert not is_one_launch(loops) and "@loop(" in loops
    np.testing.assert_allclose(program(np.float32(0.5)), mlir_xla.compile(text)(np.float32(0.5)), rtol=1e-5)


def test_predicates_are_launched():
    """A loop that may not end, or not soon, has launches, so that it can be interrupted."""
    assert "@loop(" not in loops_of(SCALAR.replace("6000", "2000000"))[1]
    x = np.random.default_rng(3).uniform(0.5, 1, 70).astype(np.float32)
    assert "@loop(" not in agree(WHILE.format(n=70, body=BRANCH.format(n=70)), x, np.float32(30))
    assert "@loop(" not in agree(NESTED, np.float32(2), np.float32(90))


CHECKED = {
    "neighbours": HEAT.format(n=1500, trips=11),
    "threads that meet": NORMS,
    "one thread": SCALAR,
    "recurrent network": RECURRENT,
    "counted": COUNTED.format(n=33, trips=9),
} | {
    name: STEPS.format(n=70, trips=12, body=body.format(n=70))
    for name, body in (("in place", IN_PLACE), ("branches", BRANCH))
}


@pytest.mark.parametrize("name", CHECKED)
def test_no_races(name):
    assert not mutants.run(CHECKED[name])


def test_needed_barriers():
    """Without the one between two steps, neighbours race."""
    text = HEAT.format(n=70, trips=50)
    ptx = loops_of(text)[0].stages["binary"]
    lines = mutants.synchronisations(ptx)
    assert lines and set(lines) <= mutants.in_loops(ptx)
    for line in lines:
        assert mutants.FINDING in mutants.run(text, line)
