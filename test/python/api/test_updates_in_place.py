# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Updates of a box that are made of the array itself: of each element at its own place, of neighbours, of other arrays
that are updated in the same step; remainders, places that are data, and the memory that this needs."""

import numpy as np
import pytest

import mlir_xla

ELEMENTS = {"f32": np.float32, "f64": np.float64, "i8": np.int8}


def check(text, *arguments, arena=None, kernels=None):
    """To the bit: all values are small integers, whose products are exact."""
    given = [each.copy() for each in arguments]
    want = mlir_xla.compile(text, target="reference")(*arguments)
    for threads in (1, 2):
        for features in ("", "-avx512f"):
            exe = mlir_xla.compile(text, threads=threads, features=features)
            got = exe(*arguments)
            for one, other in zip(as_list(got), as_list(want), strict=True):
                np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
    for one, other in zip(arguments, given, strict=True):
        np.testing.assert_array_equal(one, other)
    if arena is not None:
        assert exe.arena_size <= arena
    if kernels is not None:
        assert exe.stages["kernels"].count("call @") == kernels


def as_list(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


def integers(shape, element="f32", seed=3):
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(ELEMENTS[element])


def tensor(shape, element="f32"):
    return f"tensor<{'x'.join(map(str, [*shape, element]))}>"


def slice_of(source, starts, sizes, shape, element="f32"):
    ranges = ", ".join(f"{start}:{start + size}" for start, size in zip(starts, sizes, strict=True))
    return f"stablehlo.slice %{source} [{ranges}] : ({tensor(shape, element)}) -> {tensor(sizes, element)}"


def update_of(target, source, starts, sizes, shape, element="f32"):
    """Needs the constants `c0`, `c1`, .. of its starts."""
    places = "".join(f", %c{start}" for start in starts)
    types = ", ".join([tensor(shape, element), tensor(sizes, element), *["tensor<i32>"] * len(starts)])
    result = tensor(shape, element)
    return f"stablehlo.dynamic_update_slice %{target}, %{source}{places} : ({types}) -> {result}"


def constants(starts):
    return "\n".join(f"%c{each} = stablehlo.constant dense<{each}> : tensor<i32>" for each in sorted(set(starts)))


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize(
    "shape, starts, sizes",
    [
        ((9,), (1,), (7,)),
        ((1000,), (3,), (990,)),
        ((37, 50), (0, 0), (37, 49)),
        ((37, 50), (1, 1), (35, 48)),
        ((64, 64), (5, 17), (9, 3)),
        ((5, 9, 40), (0, 1, 1), (5, 7, 38)),
        ((5, 9, 40), (1, 0, 0), (3, 9, 40)),
        ((40, 9, 3), (1, 2, 0), (38, 5, 3)),
    ],
)
def test_each_element_at_its_own_place(shape, starts, sizes, element):
    whole, box = tensor(shape, element), tensor(sizes, element)
    text = f"""
    func.func @main(%x: {whole}, %y: {whole}) -> {whole} {{
      {constants(starts)}
      %a = {slice_of("x", starts, sizes, shape, element)}
      %b = {slice_of("y", starts, sizes, shape, element)}
      %0 = stablehlo.multiply %a, %b : {box}
      %1 = stablehlo.add %0, %a : {box}
      %r = {update_of("x", "1", starts, sizes, shape, element)}
      return %r : {whole}
    }}"""
    check(text, integers(shape, element), integers(shape, element, 4), arena=0, kernels=1)


@pytest.mark.parametrize("shape", [(17, 33), (40, 64), (3, 130)])
def test_fields_that_update_each_other_in_a_loop(shape):
    rows, columns = shape
    low, high = (0, 0), (0, 1)
    box = (rows, columns - 1)
    whole, part = tensor(shape), tensor(box)
    text = f"""
    func.func @main(%x: {whole}, %y: {whole}) -> ({whole}, {whole}) {{
      {constants((0, 1))}
      %n = stablehlo.constant dense<4> : tensor<i32>
      %r:3 = stablehlo.while(%i = %c0, %e = %x, %h = %y) : tensor<i32>, {whole}, {whole}
        cond {{
          %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        }} do {{
          %a = {slice_of("e", high, box, shape)}
          %b = {slice_of("e", low, box, shape)}
          %c = stablehlo.subtract %a, %b : {part}
          %d = {slice_of("h", low, box, shape)}
          %f = stablehlo.add %d, %c : {part}
          %g = {update_of("h", "f", low, box, shape)}
          %j = {slice_of("g", high, box, shape)}
          %k = {slice_of("g", low, box, shape)}
          %l = stablehlo.subtract %j, %k : {part}
          %m = {slice_of("e", high, box, shape)}
          %o = stablehlo.add %m, %l : {part}
          %q = {update_of("e", "o", high, box, shape)}
          %s = stablehlo.add %i, %c1 : tensor<i32>
          stablehlo.return %s, %q, %g : tensor<i32>, {whole}, {whole}
        }}
      return %r#1, %r#2 : {whole}, {whole}
    }}"""
    check(text, integers(shape), integers(shape, seed=4), arena=256)


@pytest.mark.parametrize("place", [-2, 0, 3, 100])
def test_place_that_is_data(place):
    text = """
    func.func @main(%x: tensor<9x21xf32>, %i: tensor<i32>) -> tensor<9x21xf32> {
      %z = stablehlo.constant dense<0> : tensor<i32>
      %s = stablehlo.dynamic_slice %x, %i, %z, sizes = [2, 21]
        : (tensor<9x21xf32>, tensor<i32>, tensor<i32>) -> tensor<2x21xf32>
      %0 = stablehlo.add %s, %s : tensor<2x21xf32>
      %r = stablehlo.dynamic_update_slice %x, %0, %i, %z
        : (tensor<9x21xf32>, tensor<2x21xf32>, tensor<i32>, tensor<i32>) -> tensor<9x21xf32>
      return %r : tensor<9x21xf32>
    }"""
    check(text, integers((9, 21)), np.array(place, np.int32), arena=0, kernels=1)


def test_elements_of_the_box_in_another_order():
    text = f"""
    func.func @main(%x: tensor<40x40xf32>) -> tensor<40x40xf32> {{
      {constants((1,))}
      %a = {slice_of("x", (1, 1), (37, 37), (40, 40))}
      %b = stablehlo.transpose %a, dims = [1, 0] : (tensor<37x37xf32>) -> tensor<37x37xf32>
      %0 = stablehlo.subtract %a, %b : tensor<37x37xf32>
      %r = {update_of("x", "0", (1, 1), (37, 37), (40, 40))}
      return %r : tensor<40x40xf32>
    }}"""
    check(text, integers((40, 40)))


INNER = [
    ((9,), (1,), (7,)),
    ((1000,), (3,), (990,)),
    ((37, 50), (1, 1), (35, 48)),
    ((64, 67), (2, 1), (61, 65)),
    ((40, 5), (1, 0), (38, 4)),
    ((9, 12, 40), (1, 1, 1), (7, 10, 38)),
]


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("shape, starts, sizes", INNER)
def test_neighbours_in_a_loop(shape, starts, sizes, element):
    whole, box = tensor(shape, element), tensor(sizes, element)
    before = tuple(max(each - 1, 0) for each in starts)
    behind = tuple(min(each + 1, room - size) for each, size, room in zip(starts, sizes, shape, strict=True))
    text = f"""
    func.func @main(%x: {whole}) -> {whole} {{
      {constants((0, 1, *starts))}
      %n = stablehlo.constant dense<5> : tensor<i32>
      %r:2 = stablehlo.while(%i = %c0, %u = %x) : tensor<i32>, {whole}
        cond {{
          %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        }} do {{
          %a = {slice_of("u", before, sizes, shape, element)}
          %b = {slice_of("u", starts, sizes, shape, element)}
          %c = {slice_of("u", behind, sizes, shape, element)}
          %d = stablehlo.subtract %a, %b : {box}
          %e = stablehlo.add %d, %c : {box}
          %f = {update_of("u", "e", starts, sizes, shape, element)}
          %g = stablehlo.add %i, %c1 : tensor<i32>
          stablehlo.return %g, %f : tensor<i32>, {whole}
        }}
      return %r#1 : {whole}
    }}"""
    # The loop's test, its counter and the step; and one buffer beside the result.
    size = int(np.prod(shape)) * np.dtype(ELEMENTS[element]).itemsize
    check(text, integers(shape, element), arena=size + 256, kernels=3)


@pytest.mark.parametrize("shape, starts, sizes", INNER)
@pytest.mark.parametrize("edge", ["x", "y", "zero"])
def test_one_step_is_one_kernel(shape, starts, sizes, edge):
    whole, box = tensor(shape), tensor(sizes)
    first = (0,) * len(shape)
    text = f"""
    func.func @main(%x: {whole}, %y: {whole}) -> {whole} {{
      {constants(starts)}
      %zero = stablehlo.constant dense<0.0> : {whole}
      %a = {slice_of("x", first, sizes, shape)}
      %b = {slice_of("y", starts, sizes, shape)}
      %0 = stablehlo.multiply %a, %b : {box}
      %r = {update_of(edge, "0", starts, sizes, shape)}
      return %r : {whole}
    }}"""
    check(text, integers(shape), integers(shape, seed=4), arena=0, kernels=1)


@pytest.mark.parametrize("shape, starts, sizes", INNER)
def test_fields_that_share_their_new_values(shape, starts, sizes):
    whole, box = tensor(shape), tensor(sizes)
    first = (0,) * len(shape)
    text = f"""
    func.func @main(%x: {whole}, %y: {whole}) -> ({whole}, {whole}) {{
      {constants(starts)}
      %a = {slice_of("x", first, sizes, shape)}
      %b = {slice_of("y", starts, sizes, shape)}
      %0 = stablehlo.multiply %a, %b : {box}
      %1 = stablehlo.add %0, %a : {box}
      %u = {update_of("x", "1", starts, sizes, shape)}
      %2 = stablehlo.subtract %0, %b : {box}
      %v = {update_of("y", "2", starts, sizes, shape)}
      return %u, %v : {whole}, {whole}
    }}"""
    check(text, integers(shape), integers(shape, seed=4), arena=0, kernels=1)


def test_fields_of_which_one_needs_the_other():
    """The second field's new values are made of the first one's, and of what both share."""
    shape, starts, sizes = (20, 40), (1, 1), (18, 38)
    whole, box = tensor(shape), tensor(sizes)
    text = f"""
    func.func @main(%x: {whole}, %y: {whole}) -> ({whole}, {whole}) {{
      {constants(starts)}
      %a = {slice_of("x", (0, 0), sizes, shape)}
      %b = {slice_of("y", (2, 2), sizes, shape)}
      %0 = stablehlo.multiply %a, %b : {box}
      %u = {update_of("x", "0", starts, sizes, shape)}
      %c = {slice_of("u", (0, 1), sizes, shape)}
      %1 = stablehlo.subtract %c, %0 : {box}
      %v = {update_of("y", "1", starts, sizes, shape)}
      return %u, %v : {whole}, {whole}
    }}"""
    check(text, integers(shape), integers(shape, seed=4))
