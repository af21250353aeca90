# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that need nothing of each other are one launch: same results, to the bit where those do not depend on the
order of sums, and nothing that checked mode finds."""

import re

import jax
import numpy as np
import pytest
from test_decisions import run_all

import mlir_xla

TARGET = "cuda-emulated"


def launches(loops):
    """Calls of the schedule that launch."""
    main = loops[loops.index("@main(") : loops.index("func.func private")]
    return len(re.findall(r"call @\w+\.impl\(", main))


def steps(sizes):
    """A step of momentum for each parameter."""
    types = [f"tensor<{n}xf32>" for n in sizes]
    parameters = ", ".join(f"%p{i}: {t}, %m{i}: {t}, %g{i}: {t}" for i, t in enumerate(types))
    body = "".join(
        f"""
  %n{i} = xla.add %m{i}, %g{i} : {t}
  %rate{i} = xla.broadcast_in_dim %rate, dims = [] : (tensor<f32>) -> {t}
  %d{i} = xla.multiply %n{i}, %rate{i} : {t}
  %q{i} = xla.subtract %p{i}, %d{i} : {t}"""
        for i, t in enumerate(types)
    )
    results = ", ".join(f"%q{i}, %n{i}" for i in range(len(sizes)))
    types_of_results = ", ".join(f"{t}, {t}" for t in types)
    return f"""
func.func @main(%rate: tensor<f32>, {parameters}) -> ({types_of_results}) {{{body}
  return {results} : {types_of_results}
}}"""


CONCATENATED = """
func.func @main(%x: tensor<8x33xf32>, %y: tensor<8x5xf32>, %z: tensor<8x64xf32>)
    -> (tensor<8x168xf32>, tensor<8x33xf32>) {
  %a = xla.slice %x [0:8, 0:33] : (tensor<8x33xf32>) -> tensor<8x33xf32>
  %b = xla.negate %y : tensor<8x5xf32>
  %c = xla.add %z, %z : tensor<8x64xf32>
  %d = xla.reverse %z, dims = [1] : tensor<8x64xf32>
  %e = xla.slice %d [0:8, 62:64] : (tensor<8x64xf32>) -> tensor<8x2xf32>
  %r = xla.concatenate %a, %b, %c, %d, %e, dim = 1
      : (tensor<8x33xf32>, tensor<8x5xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x2xf32>) -> tensor<8x168xf32>
  %q = xla.multiply %x, %x : tensor<8x33xf32>
  return %r, %q : tensor<8x168xf32>, tensor<8x33xf32>
}"""

# Blocks of threads that meet in shared memory, and rows of warps.
SUMS = """
func.func @main(%x: tensor<3x3000xf32>, %y: tensor<3x3000xf32>, %z: tensor<4x2500xf32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<4xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1]
      : (tensor<3x3000xf32>, tensor<f32>) -> tensor<3xf32>
  %b = xla.reduce(%y init: %zero) applies xla.add across dimensions = [1]
      : (tensor<3x3000xf32>, tensor<f32>) -> tensor<3xf32>
  %c = xla.reduce(%z init: %zero) applies xla.maximum across dimensions = [1]
      : (tensor<4x2500xf32>, tensor<f32>) -> tensor<4xf32>
  return %a, %b, %c : tensor<3xf32>, tensor<3xf32>, tensor<4xf32>
}"""

PRODUCTS = """
func.func @main(%x: tensor<96x64xf32>, %y: tensor<64x80xf32>, %z: tensor<96x80xf32>)
    -> (tensor<96x80xf32>, tensor<96x96xf32>) {
  %a = xla.dot_general %x, %y, contracting_dims = [1] x [0]
      : (tensor<96x64xf32>, tensor<64x80xf32>) -> tensor<96x80xf32>
  %b = xla.dot_general %z, %z, contracting_dims = [1] x [1]
      : (tensor<96x80xf32>, tensor<96x80xf32>) -> tensor<96x96xf32>
  return %a, %b : tensor<96x80xf32>, tensor<96x96xf32>
}"""

# The second kernel waits for the first; the third only for the argument.
CHAIN = """
func.func @main(%x: tensor<601xf32>, %y: tensor<601x40xf32>) -> (tensor<601xf32>, tensor<601xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.reduce(%y init: %zero) applies xla.add across dimensions = [1]
      : (tensor<601x40xf32>, tensor<f32>) -> tensor<601xf32>
  %o = xla.optimization_barrier %a : tensor<601xf32>
  %b = xla.reverse %o, dims = [0] : tensor<601xf32>
  %c = xla.multiply %x, %x : tensor<601xf32>
  return %b, %c : tensor<601xf32>, tensor<601xf32>
}"""

# Functions of the device's library for blocks of 256 threads, with 17 and 35 KB of shared memory, and columns of blocks
# of 1024 threads. None can be with another in one launch, but sorts of the same words.
LIBRARY = """
func.func @main(%x: tensor<600x90xf32>, %y: tensor<600x90xf32>, %z: tensor<512x32xf32>)
    -> (tensor<600x90xf32>, tensor<600x90xf32>, tensor<600x90xi16>, tensor<32xf32>) {
  %a = "xla.sort"(%x) ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %p = xla.compare LT, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<600x90xf32>) -> tensor<600x90xf32>
  %b = "xla.sort"(%y) ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %p = xla.compare LT, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<600x90xf32>) -> tensor<600x90xf32>
  %i = xla.iota dim = 1 : tensor<600x90xi16>
  %c:2 = "xla.sort"(%y, %i) ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>, %m: tensor<i16>, %n: tensor<i16>):
    %p = xla.compare LT, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true}
      : (tensor<600x90xf32>, tensor<600x90xi16>) -> (tensor<600x90xf32>, tensor<600x90xi16>)
  %zero = xla.constant dense<0xFF800000> : tensor<f32>
  %d = xla.reduce(%z init: %zero) applies xla.maximum across dimensions = [0]
      : (tensor<512x32xf32>, tensor<f32>) -> tensor<32xf32>
  return %a, %b, %c#1, %d : tensor<600x90xf32>, tensor<600x90xf32>, tensor<600x90xi16>, tensor<32xf32>
}"""

# What follows blocks of 256 threads, through a view, and reads one more argument: the last block does it.
FOLLOWED = """
func.func @main(%x: tensor<6x3000xf32>, %y: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<2x3xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.reduce(%x init: %zero) applies xla.maximum across dimensions = [1]
      : (tensor<6x3000xf32>, tensor<f32>) -> tensor<6xf32>
  %o = xla.optimization_barrier %a : tensor<6xf32>
  %b = xla.reverse %o, dims = [0] : tensor<6xf32>
  %c = xla.add %b, %y : tensor<6xf32>
  %p = xla.optimization_barrier %c : tensor<6xf32>
  %v = xla.reshape %p : (tensor<6xf32>) -> tensor<2x3xf32>
  %d = xla.reverse %v, dims = [0, 1] : tensor<2x3xf32>
  return %a, %c, %d : tensor<6xf32>, tensor<6xf32>, tensor<2x3xf32>
}"""

# Sums of columns of an argument could come first, and wait for those of the rows' results: both have parts.
TWINS = """
func.func @main(%x: tensor<2048x64xf32>) -> (tensor<2048x64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0]
      : (tensor<2048x64xf32>, tensor<f32>) -> tensor<64xf32>
  %m = xla.reduce(%x init: %zero) applies xla.maximum across dimensions = [1]
      : (tensor<2048x64xf32>, tensor<f32>) -> tensor<2048xf32>
  %b = xla.broadcast_in_dim %m, dims = [0] : (tensor<2048xf32>) -> tensor<2048x64xf32>
  %d = xla.subtract %x, %b : tensor<2048x64xf32>
  %c = xla.reduce(%d init: %zero) applies xla.add across dimensions = [0]
      : (tensor<2048x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %d, %a, %c : tensor<2048x64xf32>, tensor<64xf32>, tensor<64xf32>
}"""

# The kernel of the indices and the copy that the scatter works on are one launch.
COPIED = """
func.func @main(%x: tensor<100x8xf32>, %f: tensor<40x1xf32>, %u: tensor<40x8xf32>)
    -> (tensor<100x8xf32>, tensor<40x8xf32>) {
  %i = xla.convert %f : (tensor<40x1xf32>) -> tensor<40x1xi32>
  %zero = xla.constant dense<0> : tensor<40x1xi32>
  %size = xla.constant dense<100> : tensor<40x1xi32>
  %is = xla.compare LT, %i, %zero : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x1xi1>
  %j = xla.add %i, %size : tensor<40x1xi32>
  %k = xla.select %is, %j, %i : tensor<40x1xi1>, tensor<40x1xi32>
  %r = "xla.scatter"(%x, %k, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.maximum %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<100x8xf32>, tensor<40x1xi32>, tensor<40x8xf32>) -> tensor<100x8xf32>
  %n = xla.negate %u : tensor<40x8xf32>
  return %r, %n : tensor<100x8xf32>, tensor<40x8xf32>
}"""
# Two passes each, of which the first ones are one launch, and the second ones.
TRANSFORMS = """
func.func @main(%x: tensor<40x36xf32>, %y: tensor<40x36xf32>) -> (tensor<40x36xf32>, tensor<40x36xf32>) {
  %a = xla.fft %x, type = RFFT, length = [40, 36] : (tensor<40x36xf32>) -> tensor<40x19xcomplex<f32>>
  %b = xla.fft %y, type = RFFT, length = [40, 36] : (tensor<40x36xf32>) -> tensor<40x19xcomplex<f32>>
  %c = xla.subtract %a, %b : tensor<40x19xcomplex<f32>>
  %d = xla.add %a, %b : tensor<40x19xcomplex<f32>>
  %e = xla.fft %c, type = IRFFT, length = [40, 36] : (tensor<40x19xcomplex<f32>>) -> tensor<40x36xf32>
  %f = xla.fft %d, type = IRFFT, length = [40, 36] : (tensor<40x19xcomplex<f32>>) -> tensor<40x36xf32>
  return %e, %f : tensor<40x36xf32>, tensor<40x36xf32>
}"""

FILLED = "%x = xla.constant dense<-0.25> : tensor<100x8xf32>\n  %i ="


def stages(count):
    """Two times as many kernels that wait for each other; of those that are as far, neither waits for the other."""
    body = "".join(
        f"""
  %{name}r{i} = xla.reverse %{name}{i}, dims = [0] : tensor<301xf32>
  %{name}{i + 1} = xla.optimization_barrier %{name}r{i} : tensor<301xf32>"""
        for name in "xy"
        for i in range(count)
    )
    return f"""
func.func @main(%x0: tensor<301xf32>, %y0: tensor<301xf32>) -> (tensor<301xf32>, tensor<301xf32>) {{{body}
  return %x{count}, %y{count} : tensor<301xf32>, tensor<301xf32>
}}"""


def draw(text, seed=0):
    types = mlir_xla.compile(text, target="reference").arg_types
    draws = np.random.default_rng(seed)
    return [draws.standard_normal(tuple(each.shape)).astype(np.float32) for each in types]


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize(
    ("text", "count"),
    [
        (steps([100] * 8), 1),
        (steps([1, 7, 33, 128, 1000, 4096, 33, 7]), 1),
        (CONCATENATED, 1),
        (SUMS, 1),
        (PRODUCTS, 1),
        (CHAIN, 2),
        (LIBRARY, 3),
        (FOLLOWED, 1),
        (COPIED, 2),
        (TWINS, 2),
        (TRANSFORMS, 4),
        (COPIED.replace("%x: tensor<100x8xf32>, ", "").replace("%i =", FILLED), 2),
    ],
    ids=[
        "one kernel",
        "kernels of all sizes",
        "concatenation",
        "sums",
        "products",
        "chain",
        "library",
        "followed",
        "copied",
        "sums of columns",
        "transforms",
        "filled",
    ],
)
def test_results(text, count, checked):
    rounds = [draw(text), draw(text, 1)]
    [(loops, _)] = run_all([(text, rounds, 2, False)], **({"CUDA_EMU_CHECK": "1"} if checked else {}))
    assert launches(loops) == count and "xla_rt_cuda_copy" not in loops and "xla_rt_cuda_fill" not in loops


def test_graphs():
    """The table is a parameter of the launch that a graph keeps."""
    text = stages(9)
    [(loops, graphs)] = run_all([(text, [draw(text), draw(text, 1)], 9, False)])
    assert launches(loops) == 9
    assert graphs > 0


def test_table_of_arguments():
    """4 KB are the parameters of a launch: 3 addresses in common, and 5 of each call."""
    loops = mlir_xla.compile(steps([64] * 150), target=TARGET).stages["loops"]
    assert launches(loops) == 2
    sizes = [8 * int(n) for n in re.findall(r"llvm\.byval = !llvm\.array<(\d+) x i64>", loops)]
    assert len(sizes) == 2
    assert max(sizes) <= 4096


def test_code_is_there_once():
    one, many = (mlir_xla.compile(steps([64] * n), target=TARGET).stages["binary"] for n in (2, 40))
    assert len(many) < 1.1 * len(one)


def test_donated_copies():
    """What is copied with something else may stay where it is."""
    program = mlir_xla.compile(COPIED, target=TARGET)
    arrays = draw(COPIED)
    want = np.asarray(mlir_xla.compile(COPIED, target="reference")(*arrays)[0])
    for donate in ([], [0]):
        given = [mlir_xla.device_put(array, mlir_xla.devices(TARGET)[0]) for array in arrays]
        before = given[0]._memory.address
        have = program(*given, donate=donate)[0]
        assert (have._memory.address == before) == bool(donate)
        np.testing.assert_array_equal(np.asarray(have), want)


def test_donated_arguments():
    """A result may take the memory of its argument, unless another part reads that."""
    text = steps([50, 50])
    program = mlir_xla.compile(text, target=TARGET)
    reference = mlir_xla.compile(text, target="reference")
    arrays = draw(text)
    device = mlir_xla.devices(TARGET)[0]
    have = program(*[mlir_xla.device_put(array, device) for array in arrays], donate=list(range(1, 7)))
    for got, want in zip(have, reference(*arrays), strict=True):
        np.testing.assert_array_equal(np.asarray(got), want)


def test_scatters(checked):
    """Their threads have as many registers as two blocks of a multiprocessor leave them, together as alone; and what
    they have of the device's library is there once."""
    draw = np.random.default_rng(4)
    arrays = [
        *(draw.integers(0, 900, 8300).astype(np.int32) for _ in range(2)),
        draw.standard_normal((8300, 4)).astype(np.float32),
        draw.standard_normal(8300).astype(np.float32),
    ]

    def sums(i, j, x, y):
        return jax.ops.segment_sum(x, i, 900), jax.ops.segment_max(y, j, 900)

    text = jax.jit(sums).lower(*arrays).as_text()
    found, reference = (mlir_xla.compile(text, target=target) for target in (TARGET, "reference"))
    assert re.search(r"\.entry scatter_\d+_and_scatter_\d+\([^{]*\.minnctapersm 2", found.stages["binary"])
    for have, want in zip(found(*arrays), reference(*arrays), strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-5, atol=1e-5)
