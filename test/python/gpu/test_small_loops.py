# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of small kernels are kernels of one block: same results, one launch, barriers where they are needed."""

import re

import mutants
import numpy as np
import pytest
from test_decisions import BESIDE, BRANCH, CHOICES, COUNTED, IN_PLACE, NESTED, WHILE, run_all

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
    %same = xla.optimization_barrier %v : tensor<{n}xf32>
    %w = xla.multiply %same, %half : tensor<{n}xf32>
    {body}
    xla.return %j, %u : tensor<i32>, tensor<{n}xf32>
  }}
  return %r#1, %r#0 : tensor<{n}xf32>, tensor<i32>
}}"""

# Elements that are computed in place, by two kernels.
TWICE = """
    %o = xla.optimization_barrier %w : tensor<{n}xf32>
    %u = xla.cosine %o : tensor<{n}xf32>"""

# Elements that another kernel computes in other pieces: of the first ones, what the last ones are.
PIECES = """
    %o = xla.optimization_barrier %w : tensor<70xf32>
    %l = xla.slice %o [3:70] : (tensor<70xf32>) -> tensor<67xf32>
    %z = xla.constant dense<0> : tensor<i32>
    %c = xla.cosine %l : tensor<67xf32>
    %u = "xla.dynamic_update_slice"(%o, %c, %z) : (tensor<70xf32>, tensor<67xf32>, tensor<i32>) -> tensor<70xf32>"""

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
      %o = xla.optimization_barrier %b : tensor<f32>
      %c = xla.cosine %o : tensor<f32>
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
    %o = xla.optimization_barrier %c : tensor<f32>
    %d = xla.atan2 %o, %f : tensor<f32>
    xla.return %j, %d : tensor<i32>, tensor<f32>
  }
  return %r#1, %r#0 : tensor<f32>, tensor<i32>
}"""

# A predicate ends it, after {limit} iterations; a step reads what its neighbours have written in the step before.
UNTIL = """
func.func @main(%x: tensor<{n}xf32>, %limit: tensor<i32>) -> (tensor<{n}xf32>, tensor<i32>) {{
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<{n}xf32>
  cond {{
    %p = xla.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }} do {{
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    {body}
    xla.return %j, %u : tensor<i32>, tensor<{n}xf32>
  }}
  return %r#1, %r#0 : tensor<{n}xf32>, tensor<i32>
}}"""
NEIGHBOURS = """
    %back = xla.reverse %v, dims = [0] : tensor<{n}xf32>
    %half = xla.constant dense<0.5> : tensor<{n}xf32>
    %h = xla.multiply %back, %half : tensor<{n}xf32>
    %s = xla.subtract %v, %h : tensor<{n}xf32>
    %u = xla.cosine %s : tensor<{n}xf32>"""
# Loops within, which count.
INNER = """
    %end = xla.constant dense<{trips}> : tensor<i32>
    %z = xla.constant dense<0> : tensor<i32>
    %q:2 = xla.while(%k = %z, %w = %v) : tensor<i32>, tensor<{n}xf32>
    cond {{
      %p = xla.compare LT, %k, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %p : tensor<i1>
    }} do {{
      %o = xla.constant dense<1> : tensor<i32>
      %l = xla.add %k, %o : tensor<i32>
      %none = xla.constant dense<0.0> : tensor<f32>
      %sum = xla.reduce(%w init: %none) applies xla.add across dimensions = [0]
          : (tensor<{n}xf32>, tensor<f32>) -> tensor<f32>
      %b = xla.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<{n}xf32>
      %s = xla.divide %w, %b : tensor<{n}xf32>
      %t = xla.cosine %s : tensor<{n}xf32>
      xla.return %l, %t : tensor<i32>, tensor<{n}xf32>
    }}
    %u = xla.add %q#1, %v : tensor<{n}xf32>"""
# A predicate of all elements, of a value that nothing else needs: what computes it may do so in place.
SETTLES = """
func.func @main(%x: tensor<{n}xf32>, %limit: tensor<f32>) -> (tensor<{n}xf32>, tensor<i32>) {{
  %zero = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%i = %zero, %v = %x, %d = %x) : tensor<i32>, tensor<{n}xf32>, tensor<{n}xf32>
  cond {{
    %none = xla.constant dense<0.0> : tensor<f32>
    %c = xla.multiply %d, %d : tensor<{n}xf32>
    %e = xla.reverse %c, dims = [0] : tensor<{n}xf32>
    %f = xla.multiply %e, %c : tensor<{n}xf32>
    %s = xla.reduce(%f init: %none) applies xla.add across dimensions = [0]
        : (tensor<{n}xf32>, tensor<f32>) -> tensor<f32>
    %large = xla.compare GT, %s, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %most = xla.constant dense<20> : tensor<i32>
    %more = xla.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %p = xla.and %large, %more : tensor<i1>
    xla.return %p : tensor<i1>
  }} do {{
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %back = xla.reverse %v, dims = [0] : tensor<{n}xf32>
    %half = xla.constant dense<0.4> : tensor<{n}xf32>
    %sum = xla.add %v, %back : tensor<{n}xf32>
    %u = xla.multiply %sum, %half : tensor<{n}xf32>
    %new = xla.subtract %u, %v : tensor<{n}xf32>
    xla.return %j, %u, %new : tensor<i32>, tensor<{n}xf32>, tensor<{n}xf32>
  }}
  return %r#1, %r#0 : tensor<{n}xf32>, tensor<i32>
}}"""


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


@pytest.mark.parametrize("n", [2, 3, 33, 70, 1024, 2050])
def test_neighbours(n):
    x = np.random.default_rng(n).standard_normal(n).astype(np.float32)
    assert is_one_launch(agree(HEAT.format(n=n, trips=11), x))


def test_large_arrays_are_launched():
    _, loops = loops_of(HEAT.format(n=1 << 18, trips=7))
    assert "@loop(" not in loops


def test_threads_that_meet():
    x = np.random.default_rng(1).standard_normal(2000).astype(np.float32)
    assert is_one_launch(agree(NORMS, x))


#: A function of the device's library for a block of 256 threads, beside {other}.
LIBRARY = """
func.func @main(%c: tensor<1x100xf32>, %d: tensor<512x32xf32>) -> (tensor<1x100xf32>, tensor<512x32xf32>) {{
  %zero = xla.constant dense<0> : tensor<i32>
  %r:3 = xla.while(%i = %zero, %v = %c, %w = %d) : tensor<i32>, tensor<1x100xf32>, tensor<512x32xf32>
  cond {{
    %end = xla.constant dense<5> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }} do {{
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %s = "xla.sort"(%v) ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %lt = xla.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      xla.return %lt : tensor<i1>
    }}) {{dimension = 1 : i64, is_stable = true}} : (tensor<1x100xf32>) -> tensor<1x100xf32>
    %t = xla.reverse %s, dims = [1] : tensor<1x100xf32>
    %u = xla.cosine %t : tensor<1x100xf32>
    {other}
    xla.return %j, %u, %x : tensor<i32>, tensor<1x100xf32>, tensor<512x32xf32>
  }}
  return %r#1, %r#2 : tensor<1x100xf32>, tensor<512x32xf32>
}}"""
COLUMNS = """
    %none = xla.constant dense<0.0> : tensor<f32>
    %q = xla.reduce(%w init: %none) applies xla.maximum across dimensions = [0]
        : (tensor<512x32xf32>, tensor<f32>) -> tensor<32xf32>
    %e = xla.broadcast_in_dim %q, dims = [1] : (tensor<32xf32>) -> tensor<512x32xf32>
    %x = xla.subtract %w, %e : tensor<512x32xf32>"""


@pytest.mark.parametrize(
    "other, is_one", [("%x = xla.optimization_barrier %w : tensor<512x32xf32>", True), (COLUMNS, False)]
)
def test_functions_of_the_library(other, is_one, checked):
    """Their threads meet, so all kernels of the loop have blocks of their size, or it stays a loop of launches: sums of
    columns have blocks of 1024 threads."""
    draw = np.random.default_rng(8)
    arrays = [draw.standard_normal(shape).astype(np.float32) for shape in ((1, 100), (512, 32))]
    loops = agree(LIBRARY.format(other=other), *arrays)
    assert "@xla_rt_gpu_sort_lines_8" in loops
    assert is_one_launch(loops) == is_one


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


@pytest.mark.parametrize("n", [8, 70, 1500, 5000])
def test_elements_of_threads(n):
    """Threads go on with elements that are theirs: nobody waits for anybody."""
    x = np.random.default_rng(n).uniform(0.5, 1, n).astype(np.float32)
    loops = agree(STEPS.format(n=n, trips=12, body=TWICE.format(n=n)), x)
    assert is_one_launch(loops) and "gpu.barrier" not in loops


def test_elements_of_other_threads():
    """One kernel has four elements for a thread and the other, for which vectors are too few, has one."""
    text = STEPS.format(n=70, trips=12, body=PIECES)
    loops = agree(text, np.random.default_rng(4).uniform(0.5, 1, 70).astype(np.float32))
    assert is_one_launch(loops) and "gpu.barrier" in loops
    assert not mutants.run(text)


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


def test_long_loops_are_launched():
    assert "@loop(" not in loops_of(SCALAR.replace("6000", "2000000"))[1]


def until(n, body, **parameters):
    return UNTIL.format(n=n, body=body.format(n=n, **parameters))


def is_asked_anew(loops):
    """Whether a loop has one launch and asks the runtime after it, and nothing else."""
    main = loops[loops.index("@main(") :]
    body = main[main.index("scf.while") : main.index("return")]
    return "xla_rt_cuda_repeat" in body and body.count("gpu.launch_func") == 1 and ".impl(" not in body


@pytest.mark.parametrize("body", [NEIGHBOURS, "%u = xla.cosine %v : tensor<{n}xf32>", BRANCH.replace("%w", "%v")])
@pytest.mark.parametrize("n", [1, 70])
def test_predicates(n, body):
    """A launch goes through 4096 iterations at most."""
    text = until(n, body)
    x = np.random.default_rng(n).uniform(0.5, 1, n).astype(np.float32)
    rounds = [(x, np.int32(limit)) for limit in (-1, 0, 1, 2, 4095, 4096, 4097, 8192, 8193, 10000)]
    # The host asks, then a node of a graph.
    [(loops, launches)] = run_all([(text, rounds, 4, False, "cpu")])
    assert is_asked_anew(loops) and launches > 0
    _, count = mlir_xla.compile(text)(*rounds[-1])
    assert count == 10000


def test_predicates_of_one_thread():
    program, _ = loops_of(until(1, "%u = xla.cosine %v : tensor<{n}xf32>"))
    assert "bar.sync" not in program.stages["binary"]


@pytest.mark.parametrize("trips", [7, 3000])
def test_loops_in_loops_of_predicates(trips):
    """Together they turn a million times in a launch at most, and so 349 times if those in them turn 3000 times."""
    text = until(9, INNER, trips=trips)
    x = np.random.default_rng(9).uniform(0.5, 1, 9).astype(np.float32)
    program, loops = loops_of(text)
    assert is_asked_anew(loops)
    assert f"arith.constant {4096 if trips == 7 else (1 << 20) // trips} : i64" in loops
    for limit in (0, 1, 349, 350, 351):
        have, want = program(x, np.int32(limit)), mlir_xla.compile(text)(x, np.int32(limit))
        np.testing.assert_allclose(have[0], want[0], rtol=1e-5, atol=1e-5)
        assert np.asarray(have[1]) == limit


@pytest.mark.parametrize("n", [3, 70, 1500])
def test_predicates_of_all_elements(n):
    x = np.random.default_rng(n).uniform(0.5, 1, n).astype(np.float32)
    for limit in (1e9, 1e-2, 1e-4, -1):
        assert is_asked_anew(agree(SETTLES.format(n=n), x, np.float32(limit)))
    for body in (IN_PLACE, BESIDE, BRANCH):
        assert is_asked_anew(agree(WHILE.format(n=n, body=body.format(n=n)), x, np.float32(n / 100)))


def test_predicates_in_loops_of_predicates():
    """The inner one is a kernel: nobody could interrupt the outer one."""
    loops = agree(NESTED, np.float32(2), np.float32(90))
    assert loops.count("call @xla_rt_cuda_repeat") == 2 and loops.count("gpu.func @loop") == 1


@pytest.mark.parametrize("choice", [0, 1, 2, 3, 7, -5])
def test_predicates_in_branches(choice):
    x, y = (np.random.default_rng(seed).standard_normal(37).astype(np.float32) for seed in (8, 9))
    loops = agree(CHOICES.format(n=37), x, y, np.int32(choice))
    assert loops.count("gpu.func @loop") == 1 and "call @xla_rt_cuda_repeat" in loops


def test_waits_in_branches():
    """Some arguments take each branch: a wait for the kernels in front of it is missed."""
    with mutants.mutants_of(CHOICES.format(n=37)) as program:
        lines = [line for kernel in mutants.kernels(program.ptx) for line in kernel.lines]
        assert lines and not any(program.is_alive(line) for line in lines)


CHECKED = {
    "neighbours": HEAT.format(n=1500, trips=11),
    "threads that meet": NORMS,
    "one thread": SCALAR,
    "recurrent network": RECURRENT,
    "counted": COUNTED.format(n=33, trips=9),
    "predicate": SETTLES.format(n=1500),
    "predicate of one thread": until(1, "%u = xla.cosine %v : tensor<{n}xf32>"),
    "predicate and branches": WHILE.format(n=70, body=BRANCH.format(n=70)),
} | {
    name: STEPS.format(n=70, trips=12, body=body.format(n=70))
    for name, body in (("in place", IN_PLACE), ("branches", BRANCH), ("elements of threads", TWICE))
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


def test_needed_barriers_of_predicates():
    """Without the one before the predicate is read, that races with the kernel that writes it. Behind, none is needed:
    a round has others before it is written."""
    text = SETTLES.format(n=70)
    lines = loops_of(text)[0].stages["binary"].split("\n")
    reads = [number for number, line in enumerate(lines, start=1) if "ld.global.b8" in line]
    following = next(line for line in lines[reads[0] :] if re.search("bar.sync|global|bra", line))
    assert len(reads) == 1 and "bar.sync" in lines[reads[0] - 2] and "bar.sync" not in following
    with mutants.mutants_of(text) as program:
        (kernel,) = (each for each in mutants.kernels(program.ptx) if mutants.LOOP.match(each.name))
        assert reads[0] - 1 in kernel.lines
        assert not any(program.is_alive(line) for line in kernel.lines)


@pytest.mark.parametrize("count", [512, 513])
def test_parameters(count):
    """A kernel has 4 KB of them: of a loop that has more arrays, the kernels are launched."""
    scalars = ", ".join(["tensor<f32>"] * count)
    names = [f"%a{i}" for i in range(count)]
    text = f"""func.func @main({", ".join(f"{name}: tensor<f32>" for name in names)}) -> ({scalars}) {{
      %zero = xla.constant dense<0> : tensor<i32>
      %r:{count + 1} = xla.while(%i = %zero, {", ".join(f"%x{i} = {name}" for i, name in enumerate(names))})
          : tensor<i32>, {scalars}
      cond {{
        %end = xla.constant dense<3> : tensor<i32>
        %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        xla.return %p : tensor<i1>
      }} do {{
        %one = xla.constant dense<1> : tensor<i32>
        %j = xla.add %i, %one : tensor<i32>
        {chr(10).join(f"%y{i} = xla.sine %x{i} : tensor<f32>" for i in range(count))}
        xla.return %j, {", ".join(f"%y{i}" for i in range(count))} : tensor<i32>, {scalars}
      }}
      return {", ".join(f"%r#{i + 1}" for i in range(count))} : {scalars}
    }}"""
    program = mlir_xla.compile(text, target=TARGET)
    names = re.findall(r"\.entry (\w+)", program.stages["binary"])
    assert names == ["loop"] if count == 512 else "loop" not in names
