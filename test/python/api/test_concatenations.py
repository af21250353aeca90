# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Concatenations that are read element by element are in no memory: each element is read from the part that has it."""

import itertools

import numpy as np
import pytest

import mlir_xla

TYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i1": np.bool_,
    "ui16": np.uint16,
    "complex<f32>": np.complex64,
}


class Program:
    """Text of `xla` ops on tensors of one shape."""

    def __init__(self, name, shape):
        self.name, self.shape, self.lines = name, tuple(shape), []

    def type(self, shape):
        return f"tensor<{''.join(f'{each}x' for each in shape)}{self.name}>"

    def add(self, line):
        self.lines.append(f"%v{len(self.lines)} = {line}")
        return f"%v{len(self.lines) - 1}"

    def roll(self, value, by, dim):
        """As jnp.roll: the last `by` come first."""
        size, parts, types = self.shape[dim], [], []
        for begin, end in ((size - by, size), (0, size - by)):
            shape, bounds = list(self.shape), [f"0:{each}" for each in self.shape]
            shape[dim], bounds[dim] = end - begin, f"{begin}:{end}"
            types.append(self.type(shape))
            whole = self.type(self.shape)
            parts.append(self.add(f"xla.slice {value} [{', '.join(bounds)}] : ({whole}) -> {types[-1]}"))
        types = f"({', '.join(types)}) -> {self.type(self.shape)}"
        return self.add(f"xla.concatenate {', '.join(parts)}, dim = {dim} : {types}")

    def sum(self, values):
        total, *others = values
        for each in others:
            total = self.add(f"xla.add {total}, {each} : {self.type(self.shape)}")
        return total

    def text(self, result):
        whole = self.type(self.shape)
        body = "\n".join([*self.lines, f"return {result} : {whole}"])
        return f"func.func @main(%x: {whole}) -> {whole} {{\n{body}\n}}"


def drawn(shape, dtype):
    values = np.random.default_rng(7).integers(-9, 9, (2, *shape))
    return (values[0] + 1j * values[1]).astype(dtype) if dtype == np.complex64 else values[0].astype(dtype)


def summed(values):
    total = values[0]
    for each in values[1:]:
        total = total + each
    return total


def check(program, result, x, want, **options):
    run = mlir_xla.compile(program.text(result), **options)
    assert "tensor.insert_slice" not in run.stages["kernels"]
    np.testing.assert_array_equal(np.asarray(run(x)), want)


@pytest.mark.parametrize("shape", [(5,), (70,), (3000,), (3, 50), (17, 33), (4, 5, 6)])
@pytest.mark.parametrize("name", TYPES)
def test_rolled_arrays_are_added(name, shape):
    x, program = drawn(shape, TYPES[name]), Program(name, shape)
    moves = [(by, dim) for dim in range(len(shape)) for by in (1, shape[dim] // 2, shape[dim] - 1)]
    result = program.sum(["%x", *(program.roll("%x", *each) for each in moves)])
    want = summed([x, *(np.roll(x, *each) for each in moves)])
    for features in ("", "-avx512f", "-avx"):
        check(program, result, x, want, features=features)
    check(program, result, x, want, target="cuda-emulated")


@pytest.mark.parametrize("shape", [(6, 40), (33, 100)])
def test_arrays_are_rolled_along_both_dimensions(shape):
    x, program = drawn(shape, np.int32), Program("i32", shape)
    terms, want = [], []
    for rows, columns in itertools.product((1, shape[0] - 1), (0, 1, shape[1] - 1)):
        rolled = program.roll("%x", rows, 0)
        terms.append(program.roll(rolled, columns, 1) if columns else rolled)
        want.append(np.roll(x, (rows, columns), (0, 1)))
    result = program.sum(terms)
    for target in ("cpu", "cuda-emulated"):
        check(program, result, x, summed(want), target=target)


@pytest.mark.parametrize("sizes", [(1, 2), (40, 3, 60), (100000, 100000), (7, 0, 1, 70000)])
def test_parts_are_far_apart(sizes):
    """Where vectors of one part are read, the other's would be in no memory at all."""
    arguments = ", ".join(f"%x{i}: tensor<{size}xf32>" for i, size in enumerate(sizes))
    names, types = (
        ", ".join(form(i, size) for i, size in enumerate(sizes))
        for form in (lambda i, _: f"%x{i}", lambda _, size: f"tensor<{size}xf32>")
    )
    whole = f"tensor<{sum(sizes)}xf32>"
    text = f"""
    func.func @main({arguments}, %y: {whole}) -> {whole} {{
      %0 = xla.concatenate {names}, dim = 0 : ({types}) -> {whole}
      %1 = xla.multiply %0, %y : {whole}
      return %1 : {whole}
    }}"""
    rng = np.random.default_rng(3)
    parts = [rng.random(size, np.float32) for size in sizes]
    y = rng.random(sum(sizes), np.float32)
    for features in ("", "-avx512f"):
        found = mlir_xla.compile(text, features=features)(*parts, y)
        np.testing.assert_array_equal(np.asarray(found), np.concatenate(parts) * y)


def test_rolls_of_rolls_of_rolls_do_not_multiply():
    x, program = drawn((8, 64), np.float32), Program("f32", (8, 64))
    value, want = "%x", x
    for step in range(40):
        value, want = program.roll(value, 1 + step % 5, step % 2), np.roll(want, 1 + step % 5, step % 2)
    run = mlir_xla.compile(program.text(program.sum([value, "%x"])))
    assert len(run.stages["loops"]) < 200_000
    np.testing.assert_array_equal(np.asarray(run(x)), want + x)


@pytest.mark.parametrize("size", [24, 102, 1000])
@pytest.mark.parametrize("name", ["f32", "i8", "complex<f32>"])
def test_a_reversed_one_is_added_to_one_of_other_parts(name, size):
    """Each is computed part by part of the first one's, so that neither is in memory."""
    x, program = drawn((5, size), TYPES[name]), Program(name, (5, size))
    whole, half = (program.type((5, each)) for each in (size, size // 2))
    parts = [program.add(f"xla.slice %x [0:5, {i}:{size}:2] : ({whole}) -> {half}") for i in range(2)]
    both = program.add(f"xla.concatenate {', '.join(parts)}, dim = 1 : ({half}, {half}) -> {whole}")
    both = program.add(f"xla.reverse {both}, dims = [0, 1] : {whole}")
    both = program.sum([both, "%x"])
    result = program.sum([both, program.roll("%x", 3, 1)])
    want = np.concatenate([x[:, ::2], x[:, 1::2]], 1)[::-1, ::-1] + x + np.roll(x, 3, 1)
    for options in ({}, {"features": "-avx512f"}, {"target": "cuda-emulated"}):
        run = mlir_xla.compile(program.text(result), **options)
        np.testing.assert_array_equal(np.asarray(run(x)), want)
        assert run.arena_size == 0
