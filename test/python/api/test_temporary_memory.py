# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that need no memory, or little, beside their arguments and results, and what they compute with that."""

import numpy as np
import pytest
from api_programs import TARGETS

import mlir_xla

pytestmark = pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")


def check(text, *arguments, arena=0, tolerance=0.0):
    """The results are the interpreter's, on one thread, on all, and with shorter vectors."""
    want = mlir_xla.compile(text, target="reference")(*arguments)
    for options in ({"threads": 1}, {"features": "-avx512f"}, {}):
        program = mlir_xla.compile(text, **options)
        assert program.arena_size <= arena
        have = program(*arguments)
        for one, other in zip(*((x if isinstance(x, tuple) else (x,)) for x in (have, want)), strict=True):
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def floats(*shape):
    return np.random.default_rng(5).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("dimensions", [2, 3, 4])
def test_forces_between_all_pairs_are_summed_as_they_are_computed(dimensions):
    n = 300
    pairs, points = f"tensor<{n}x{n}xf32>", f"tensor<{n}x{dimensions}xf32>"
    vectors = f"tensor<{n}x{n}x{dimensions}xf32>"
    text = f"""
    func.func @main(%p: {points}, %m: tensor<{n}xf32>) -> {points} {{
      %zero = xla.constant dense<0.0> : tensor<f32>
      %soft = xla.constant dense<0.01> : {pairs}
      %a = xla.broadcast_in_dim %p, dims = [1, 2] : ({points}) -> {vectors}
      %b = xla.broadcast_in_dim %p, dims = [0, 2] : ({points}) -> {vectors}
      %d = xla.subtract %a, %b : {vectors}
      %dd = xla.multiply %d, %d : {vectors}
      %s = xla.reduce(%dd init: %zero) applies xla.add across dimensions = [2] : ({vectors}, tensor<f32>) -> {pairs}
      %t = xla.add %s, %soft : {pairs}
      %r = xla.rsqrt %t : {pairs}
      %rr = xla.multiply %r, %r : {pairs}
      %rrr = xla.multiply %rr, %r : {pairs}
      %w = xla.broadcast_in_dim %m, dims = [1] : (tensor<{n}xf32>) -> {pairs}
      %f = xla.multiply %w, %rrr : {pairs}
      %ff = xla.broadcast_in_dim %f, dims = [0, 1] : ({pairs}) -> {vectors}
      %fd = xla.multiply %ff, %d : {vectors}
      %0 = xla.reduce(%fd init: %zero) applies xla.add across dimensions = [1] : ({vectors}, tensor<f32>) -> {points}
      return %0 : {points}
    }}"""
    check(text, floats(n, dimensions), np.abs(floats(n)), tolerance=2e-3)


def loop(trips, carried, body, yielded, begin=0):
    """Of `carried`, pairs of names and what they begin with; `body` may read the counter %i."""
    types = ", ".join(type for _, _, type in carried)
    arguments = ", ".join(f"%{name} = %{init}" for name, init, _ in carried)
    return f"""
      %begin = xla.constant dense<{begin}> : tensor<i32>
      %r:{len(carried) + 1} = xla.while(%i = %begin, {arguments}) : tensor<i32>, {types}
      cond {{
        %end = xla.constant dense<{trips + begin}> : tensor<i32>
        %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        xla.return %c : tensor<i1>
      }} do {{
        %one = xla.constant dense<1> : tensor<i32>
        {body}
        %n = xla.add %i, %one : tensor<i32>
        xla.return %n, {yielded} : tensor<i32>, {types}
      }}"""


@pytest.mark.parametrize("trips", [11, 12, 13])
def test_values_that_change_places_in_a_loop_are_in_a_result(trips):
    t = "tensor<4096xf32>"
    body = f"%h = xla.constant dense<0.5> : {t}\n %s = xla.add %a, %b : {t}\n %m = xla.multiply %s, %h : {t}"
    text = f"""func.func @main(%x: {t}, %y: {t}) -> ({t}, {t}) {{
      {loop(trips, [("a", "x", t), ("b", "y", t)], body, "%b, %m")}
      return %r#1, %r#2 : {t}, {t}
    }}"""
    check(text, floats(4096), floats(4096)[::-1].copy(), arena=4 * 4096)


@pytest.mark.parametrize("trips", [11, 12])
@pytest.mark.parametrize("results", ["%r#1, %r#1", "%r#1, %x"])
def test_the_value_of_a_loop_is_returned_twice_or_beside_another(trips, results):
    t = "tensor<2000xf32>"
    text = f"""func.func @main(%x: {t}) -> ({t}, {t}) {{
      {loop(trips, [("a", "x", t)], f"%s = xla.reverse %a, dims = [0] : {t}%m = xla.add %s, %s : {t}", "%m")}
      return {results} : {t}, {t}
    }}"""
    check(text, floats(2000), arena=4 * 2000 + 64)


@pytest.mark.parametrize("rows, inputs, states", [(32, 128, 128), (50, 64, 200), (128, 96, 60)])
@pytest.mark.parametrize("isFirst", [True, False])
def test_inputs_are_multiplied_in_each_step_where_that_is_one_kernel_with_its_states(rows, inputs, states, isFirst):
    state, one, row = f"tensor<{rows}x{states}xf32>", f"tensor<1x{rows}x{inputs}xf32>", f"tensor<{rows}x{inputs}xf32>"
    array, ofInputs, ofStates = f"tensor<20x{rows}x{inputs}xf32>", f"{inputs}x{states}", f"{states}x{states}"
    body = f"""
        %zero = xla.constant dense<0> : tensor<i32>
        %slice = xla.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, {rows}, {inputs}]
          : ({array}, tensor<i32>, tensor<i32>, tensor<i32>) -> {one}
        %x = xla.reshape %slice : ({one}) -> {row}
        %p = xla.dot_general %x, %w, contracting_dims = [1] x [0] : ({row}, tensor<{ofInputs}xf32>) -> {state}
        %q = xla.dot_general %h, %u, contracting_dims = [1] x [0] : ({state}, tensor<{ofStates}xf32>) -> {state}
        %b = xla.broadcast_in_dim %bias, dims = [1] : (tensor<{states}xf32>) -> {state}
        %a = xla.add {"%p, %b" if isFirst else "%q, %b"} : {state}
        %s = xla.add %a, {"%q" if isFirst else "%p"} : {state}
        %t = xla.tanh %s : {state}
    """
    text = f"""
    func.func @main(%xs: {array}, %w: tensor<{ofInputs}xf32>, %u: tensor<{ofStates}xf32>, %bias: tensor<{states}xf32>,
        %start: {state}) -> {state} {{
      {loop(20, [("h", "start", state)], body, "%t")}
      return %r#1 : {state}
    }}"""
    weights = floats(inputs, states) / 16, floats(states, states)[::-1].copy() / 16
    arguments = floats(20, rows, inputs), *weights, floats(states), floats(rows, states)
    blocks = 12  # rows at most, whose sums a single thread has in the arena, too
    check(text, *arguments, arena=4 * (rows + blocks) * states + 64, tolerance=1e-3)


@pytest.mark.parametrize("begin, reads, reuses", [(0, "%i", True), (1, "%i", False), (0, "%last", False)])
def test_states_of_a_recurrence_are_stacked_over_what_goes_into_them(begin, reads, reuses):
    """Unless some of it is read again, or not overwritten."""
    steps, stack, state = 16, "tensor<16x8x32xf32>", "tensor<8x32xf32>"
    one = "tensor<1x8x32xf32>"
    body = f"""
        %zero = xla.constant dense<0> : tensor<i32>
        %last = xla.subtract %i, %one : tensor<i32>
        %slice = xla.dynamic_slice %xs, {reads}, %zero, %zero, sizes = [1, 8, 32]
          : ({stack}, tensor<i32>, tensor<i32>, tensor<i32>) -> {one}
        %x = xla.reshape %slice : ({one}) -> {state}
        %d = xla.dot_general %x, %w, contracting_dims = [1] x [0] : ({state}, tensor<32x32xf32>) -> {state}
        %s = xla.add %d, %h : {state}
        %t = xla.tanh %s : {state}
        %u = xla.reshape %t : ({state}) -> {one}
        %stacked = xla.dynamic_update_slice %ys, %u, %i, %zero, %zero
          : ({stack}, {one}, tensor<i32>, tensor<i32>, tensor<i32>) -> {stack}"""
    text = f"""func.func @main(%xs: {stack}, %w: tensor<32x32xf32>, %h0: {state}) -> ({state}, {stack}) {{
      %none = xla.constant dense<7.0> : {stack}
      {loop(steps - begin, [("h", "h0", state), ("ys", "none", stack)], body, "%t, %stacked", begin)}
      return %r#1, %r#2 : {state}, {stack}
    }}"""
    check(text, floats(steps, 8, 32), floats(32, 32) / 8, floats(8, 32), arena=0 if reuses else 1 << 17, tolerance=1e-5)


@pytest.mark.parametrize("kind", ["FFT", "IFFT"])
def test_a_long_transform_is_in_its_result(kind):
    t = "tensor<75000xcomplex<f32>>"
    text = f"""func.func @main(%x: {t}) -> {t} {{
      %0 = xla.fft %x, type = {kind}, length = [75000] : ({t}) -> {t}
      return %0 : {t}
    }}"""
    check(text, (floats(75000) + 1j * floats(75000)[::-1]).astype(np.complex64), tolerance=2e-3)


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.float64])
def test_a_long_line_is_sorted_in_its_result(dtype):
    name = {"float32": "f32", "int32": "i32", "float64": "f64"}[np.dtype(dtype).name]
    t = f"tensor<200001x{name}>"
    text = f"""func.func @main(%x: {t}) -> {t} {{
      %0 = "xla.sort"(%x) <{{dimension = 0 : i64, is_stable = true}}> ({{
      ^bb0(%a: tensor<{name}>, %b: tensor<{name}>):
        %p = xla.compare LT, %a, %b : (tensor<{name}>, tensor<{name}>) -> tensor<i1>
        xla.return %p : tensor<i1>
      }}) : ({t}) -> {t}
      return %0 : {t}
    }}"""
    x = (np.random.default_rng(2).standard_normal(200001) * 1e6).astype(dtype)
    for equals in (False, True):
        if equals:  # zeros of both signs in one piece of it only
            x[150000:150100] = 0
            x[150000:150100:3] *= -1
        program = mlir_xla.compile(text)
        assert program.arena_size == 0
        assert np.asarray(program(x)).tobytes() == np.sort(x, kind="stable").tobytes()


@pytest.mark.parametrize("index", ["i32", "i64", "ui32"])
@pytest.mark.parametrize("promise", [True, False])
def test_sums_of_sorted_groups_are_in_the_result(index, promise):
    rows, groups, width = 40000, 300, 16
    rng = np.random.default_rng(1)
    low = 0 if index[0] == "u" else -50
    ids = np.sort(rng.integers(low, groups + 50, rows)).astype({"i32": "i4", "i64": "i8", "ui32": "u4"}[index])
    ids[20000:25000] = ids[20000]  # a large group
    flag = ", indices_are_sorted = true" if promise else ""
    x, u = f"tensor<{groups}x{width}xf32>", f"tensor<{rows}x{width}xf32>"
    text = f"""func.func @main(%x: {x}, %i: tensor<{rows}x1x{index}>, %u: {u}) -> {x} {{
      %0 = "xla.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>{flag}}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = xla.add %a, %b : tensor<f32>
        xla.return %s : tensor<f32>
      }}) : ({x}, tensor<{rows}x1x{index}>, {u}) -> {x}
      return %0 : {x}
    }}"""
    parts = 0 if promise else 8 * groups * width * 4
    check(text, floats(groups, width), ids[:, None], floats(rows, width), arena=parts, tolerance=1e-2)


def test_a_broken_promise_of_order_updates_nothing_twice():
    rows, groups = 100000, 64
    ids = np.random.default_rng(1).integers(0, groups, rows).astype(np.int32)
    x, u = f"tensor<{groups}xi32>", f"tensor<{rows}xi32>"
    text = f"""func.func @main(%x: {x}, %i: {u}, %u: {u}) -> {x} {{
      %0 = "xla.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [0],
          scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = true}}> ({{
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %s = xla.add %a, %b : tensor<i32>
        xla.return %s : tensor<i32>
      }}) : ({x}, {u}, {u}) -> {x}
      return %0 : {x}
    }}"""
    have = mlir_xla.compile(text)(np.zeros(groups, np.int32), ids, np.ones(rows, np.int32))
    assert (np.asarray(have) <= np.bincount(ids, minlength=groups)).all()


@pytest.mark.parametrize("shape", [(4096, 64), (50, 10, 700), (48, 40, 64)])
def test_partial_results_of_a_large_sum_are_on_the_stack(shape):
    t, kept = f"tensor<{'x'.join(map(str, shape))}xf32>", 64 if shape[-1] == 64 and len(shape) == 3 else 0
    r = f"tensor<{f'{kept}x' if kept else ''}f32>"
    dims = list(range(len(shape) - bool(kept)))
    text = f"""func.func @main(%x: {t}) -> {r} {{
      %zero = xla.constant dense<0.0> : tensor<f32>
      %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = {dims} : ({t}, tensor<f32>) -> {r}
      return %0 : {r}
    }}"""
    check(text, floats(*shape), tolerance=1e-3)


@pytest.mark.parametrize("length", [1001, 3000])
def test_rows_that_are_computed_are_sorted_where_they_are(length):
    """Zeros keep their signs, and NaNs their bits, in the order in which they come."""
    t = f"tensor<40x{length}xf32>"
    text = f"""func.func @main(%x: {t}, %two: tensor<f32>) -> tensor<40x{length - 1}xf32> {{
      %scale = xla.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> {t}
      %c = xla.compare GT, %x, %scale : ({t}, {t}) -> tensor<40x{length}xi1>
      %y = xla.select %c, %scale, %x : tensor<40x{length}xi1>, {t}
      %0 = "xla.sort"(%y) <{{dimension = 1 : i64, is_stable = true}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %p = xla.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        xla.return %p : tensor<i1>
      }}) : ({t}) -> {t}
      %1 = xla.slice %0[0:40, 1:{length}] : ({t}) -> tensor<40x{length - 1}xf32>
      return %1 : tensor<40x{length - 1}xf32>
    }}"""
    x = floats(40, length)
    x[3, 10:50], x[3, 11:50:3] = 0.0, -0.0
    x[7, 20:30] = np.arange(0x7FC00001, 0x7FC0000B, dtype=np.uint32).view(np.float32)
    x[7, 40:44] = -0.0
    want = np.sort(np.where(x > 2, np.float32(2), x), axis=1, kind="stable")[:, 1:]
    program = mlir_xla.compile(text)
    assert program.arena_size < x.nbytes + 64  # a line
    assert np.asarray(program(x, np.float32(2))).tobytes() == want.tobytes()


@pytest.mark.parametrize("combiner, init", [("add", 0.5), ("maximum", -1000.0), ("multiply", 2.0)])
@pytest.mark.parametrize("dimensions", [[0], [1], [0, 1]])
def test_what_is_put_together_to_be_reduced_is_reduced_where_it_is(combiner, init, dimensions):
    kept = [(180, 64)[d] for d in (0, 1) if d not in dimensions]
    whole, r = "tensor<180x64xf32>", f"tensor<{''.join(f'{size}x' for size in kept)}f32>"
    a, b = (f"tensor<{size}x64xf32>" for size in (80, 100))
    text = f"""
    func.func @main(%x: {a}, %y: {b}) -> {r} {{
      %init = xla.constant dense<{init}> : tensor<f32>
      %t = xla.tanh %y : {b}
      %0 = xla.concatenate %x, %t, dim = 0 : ({a}, {b}) -> {whole}
      %1 = xla.reduce(%0 init: %init) applies xla.{combiner} across dimensions = {dimensions}
        : ({whole}, tensor<f32>) -> {r}
      return %1 : {r}
    }}"""
    check(text, 1 + floats(80, 64) / 9, 3 + floats(100, 64), tolerance=1e-4)


@pytest.mark.parametrize("rows, columns, steps", [(600, 500, 64), (403, 77, 33), (1000, 300, 7)])
@pytest.mark.parametrize("kind", ["maximum", "logsumexp", "place"])
def test_products_of_which_a_number_is_left_for_each_row_are_not_in_memory(rows, columns, steps, kind):
    p, r = f"tensor<{rows}x{columns}xf32>", f"tensor<{rows}xf32>"
    result, element = (f"tensor<{rows}xi32>", "i32") if kind == "place" else (r, "f32")
    ends = {
        "maximum": f"""
          %r = xla.reduce(%p init: %low) applies xla.maximum across dimensions = [1] : ({p}, tensor<f32>) -> {r}""",
        "logsumexp": f"""
          %m = xla.reduce(%p init: %low) applies xla.maximum across dimensions = [1] : ({p}, tensor<f32>) -> {r}
          %mb = xla.broadcast_in_dim %m, dims = [0] : ({r}) -> {p}
          %d = xla.subtract %p, %mb : {p}
          %e = xla.exponential %d : {p}
          %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : ({p}, tensor<f32>) -> {r}
          %l = xla.log %s : {r}
          %r = xla.add %l, %m : {r}""",
        "place": f"""
          %i = xla.iota dim = 1 : tensor<{rows}x{columns}xi32>
          %none = xla.constant dense<0> : tensor<i32>
          %both:2 = "xla.reduce"(%p, %i, %low, %none) <{{dimensions = array<i64: 1>}}> ({{
          ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
            %gt = xla.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
            %eq = xla.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
            %lt = xla.compare LT, %ai, %bi : (tensor<i32>, tensor<i32>) -> tensor<i1>
            %tie = xla.and %eq, %lt : tensor<i1>
            %is = xla.or %gt, %tie : tensor<i1>
            %v = xla.select %is, %a, %b : tensor<i1>, tensor<f32>
            %vi = xla.select %is, %ai, %bi : tensor<i1>, tensor<i32>
            xla.return %v, %vi : tensor<f32>, tensor<i32>
          }}) : ({p}, tensor<{rows}x{columns}xi32>, tensor<f32>, tensor<i32>) -> ({r}, tensor<{rows}xi32>)
          %r = xla.add %both#1, %shift : tensor<{rows}xi32>""",
    }
    text = f"""
    func.func @main(%x: tensor<{rows}x{steps}xf32>, %y: tensor<{steps}x{columns}xf32>) -> {result} {{
      %low = xla.constant dense<-1.0e30> : tensor<f32>
      %zero = xla.constant dense<0.0> : tensor<f32>
      %shift = xla.constant dense<3> : tensor<{rows}xi32>
      %p = xla.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<{rows}x{steps}xf32>, tensor<{steps}x{columns}xf32>) -> {p}
      {ends[kind]}
      return %r : {result}
    }}"""
    # Kernels that look for the places in several short rows at a time have these in memory.
    arena = 4 * rows * columns * 2 if kind == "place" else 4 * rows * columns // 2
    check(text, floats(rows, steps), floats(steps, columns), arena=arena, tolerance=1e-4 if element == "f32" else 0)


@pytest.mark.parametrize(
    ("left", "right", "subscripts", "arena"),
    [
        ((8192, 128), (8192, 128), "km,kn->mn", 530_000),  # partial sums for all cores
        ((4096, 128), (4096, 16), "km,kn->mn", 80_000),
        ((8, 512, 128), (8, 512, 128), "bkm,bkn->bmn", 0),
    ],
)
def test_sums_over_many_rows_need_no_transposed_copy(left, right, subscripts, arena):
    """A block of rows is packed at a time, or the result is transposed."""
    x, y = floats(*left), floats(*right)
    want = np.einsum(subscripts, x, y)
    batches, along = ("", 0) if len(left) == 2 else ("batching_dims = [0] x [0], ", 1)
    a, b, r = ("x".join(map(str, each)) for each in (left, right, want.shape))
    text = f"""
    func.func @main(%a: tensor<{a}xf32>, %b: tensor<{b}xf32>) -> tensor<{r}xf32> {{
      %0 = xla.dot_general %a, %b, {batches}contracting_dims = [{along}] x [{along}]
          : (tensor<{a}xf32>, tensor<{b}xf32>) -> tensor<{r}xf32>
      return %0 : tensor<{r}xf32>
    }}"""
    for options in ({"threads": 1}, {"features": "-avx512f"}, {}):
        program = mlir_xla.compile(text, **options)
        # What a single thread packs, of one operand or both, and its sums are in the arena.
        block = 350_000 if options.get("threads") == 1 else 0
        assert program.arena_size <= arena + block
        np.testing.assert_allclose(program(x, y), want, rtol=1e-2, atol=1e-2)


def test_long_elementwise_code_is_one_kernel():
    """300 operations, of which dozens are needed again later, as in a logarithm of the gamma function written out."""
    size, count, back = 1000, 300, 40
    values = ["%x", "%y"]
    lines = []
    for number in range(count):
        op = ("add", "multiply", "subtract", "maximum")[number % 4]
        lines.append(f"%v{number} = xla.{op} {values[-1]}, {values[max(0, len(values) - back)]} : tensor<{size}xf32>")
        values.append(f"%v{number}")
    body = "\n".join(lines)
    text = f"""
    func.func @main(%x: tensor<{size}xf32>, %y: tensor<{size}xf32>) -> tensor<{size}xf32> {{
      {body}
      return {values[-1]} : tensor<{size}xf32>
    }}"""
    program = mlir_xla.compile(text)
    assert program.arena_size == 0
    assert program.stages["kernels"].count("call @") == 1
