# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that are long, deep or multiply: each compiles in time that grows with it, or names the limit that it
exceeds. What is wrong here does not end, or not well."""

import sys
from pathlib import Path

import numpy as np
import pytest

import mlir_xla
from mlir_xla import Shape, XlaBuilder, XlaError, ir, ops

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

import scaling  # noqa: E402

X = np.float32([0.5, -1, 2, 0.25])


def test_equal_calls():
    """A function calls the next twice, with the same operands: 2^60 calls."""
    np.testing.assert_allclose(
        mlir_xla.compile(scaling.equal_calls(60))(X), np.tanh(X) * np.float32(2.0**60), rtol=1e-6
    )


@pytest.mark.parametrize(("levels", "count"), [(20, r"\d{7}"), (40, r"\d{13}"), (200, r"more than 2\^64")])
def test_calls_that_multiply(levels, count):
    with pytest.raises(ir.MLIRError, match=rf"\d+ operations would be {count}, the limit is 100000") as error:
        mlir_xla.compile(scaling.calls_of_calls(levels))
    (diagnostic,) = error.value.error_diagnostics
    assert [note.message.split(" makes")[0] for note in diagnostic.notes] == ["@f0", "@f1", "@f2", "@f3"]


def test_calls_that_multiply_within_the_limit():
    assert np.isfinite(mlir_xla.compile(scaling.calls_of_calls(8))(X)).all()


def test_chain_of_calls():
    np.testing.assert_array_equal(mlir_xla.compile(scaling.call_chain(3000))(X), np.abs(X))


@pytest.mark.parametrize("make", [scaling.nested_ifs, scaling.nested_whiles])
def test_deep_regions(make):
    with pytest.raises(ir.MLIRError, match="regions are nested more than 400 deep"):
        mlir_xla.compile(make(450))


def test_deep_computations(monkeypatch):
    monkeypatch.setattr("mlir_xla.builder._builder._MOST_NESTED", 20)
    assert "xla.if" in str(scaling.builder_ifs(20))
    with pytest.raises(XlaError, match=r"scaling.py:.*Conditional: computations are nested more than 20 deep"):
        scaling.builder_ifs(10**6)


def test_regions_within_the_limit():
    x, p = X, np.bool_(True)
    expected = np.tanh(x)
    for _ in range(100):
        expected = (x + x) + expected
    np.testing.assert_allclose(mlir_xla.compile(scaling.nested_ifs(100))(x, p), expected, rtol=1e-5)


def test_regions_nested_by_calls():
    levels = 500
    functions = [
        f"""func.func private @f{i}(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {{
              %0 = "xla.if"(%p) ({{
                %1 = func.call @f{i + 1}(%x, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>
                xla.return %1 : tensor<f32>
              }}, {{ xla.return %x : tensor<f32> }}) : (tensor<i1>) -> tensor<f32>
              return %0 : tensor<f32>
            }}"""
        for i in range(levels)
    ]
    text = f"""func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {{
                 %0 = call @f0(%x, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>
                 return %0 : tensor<f32>
               }}
               {"".join(functions)}
               func.func private @f{levels}(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {{
                 return %x : tensor<f32>
               }}"""
    with pytest.raises(ir.MLIRError, match="with @f100 inlined, regions are nested more than 400 deep"):
        mlir_xla.compile(text)


def test_concatenation_of_many():
    got = mlir_xla.compile(scaling.concatenate(1500))(X)
    np.testing.assert_array_equal(got, (X[None] + np.arange(1500, dtype=np.float32)[:, None]).reshape(-1))


def test_nested_conditionals_of_builders():
    """Every level copies the levels in it, and none looks at what it copies."""
    inner = scaling.builder_ifs(60)
    assert "xla.if" in str(inner)
    state = (np.bool_(False), X)
    expected = -(X + X)  # the outermost condition is false
    np.testing.assert_array_equal(mlir_xla.compile(inner)(*state), expected)


def test_captured_values_of_copied_regions():
    """Regions of a computation use its values and tuples; copied into another, they use the copies."""
    pair = Shape.tuple([Shape(np.float32, (2,)), Shape(np.float32, (2,))])
    leaf = XlaBuilder("leaf")
    t = ops.Parameter(leaf, 0, pair)
    first = leaf.build(ops.Sub(ops.GetTupleElement(t, 0), ops.GetTupleElement(t, 1)))
    middle = XlaBuilder("middle")
    m = ops.Parameter(middle, 0, pair)
    a, b = ops.GetTupleElement(m, 0), ops.GetTupleElement(m, 1)
    chosen = ops.Conditional(
        ops.Eq(ops.Constant(middle, 1), ops.Constant(middle, 1)), ops.Tuple(middle, [ops.Add(a, a), b]), first, m, first
    )
    branch = middle.build(ops.Mul(chosen, a))
    outer = XlaBuilder("outer")
    x, y = ops.Parameter(outer, 0, Shape(np.float32, (2,))), ops.Parameter(outer, 1, Shape(np.float32, (2,)))
    p = ops.Parameter(outer, 2, Shape(bool))
    both = ops.Tuple(outer, [x, y])
    program = outer.build(ops.Conditional(p, both, branch, ops.Tuple(outer, [y, x]), branch))
    u, v = np.float32([1, 2]), np.float32([10, 20])
    for target in ("cpu", "reference"):
        run = mlir_xla.compile(program, target=target)
        np.testing.assert_array_equal(run(u, v, True), (2 * u - v) * u)
        np.testing.assert_array_equal(run(u, v, False), (2 * v - u) * v)


@pytest.mark.parametrize("count", [20, 100])
def test_addresses_of_long_schedules(count):
    """Few addresses are computed once, before the first call; many are computed where they are used."""
    t = "tensor<4x4xf32>"
    lines = [f"%v{i + 1} = xla.dot %v{i}, %p{i} : ({t}, {t}) -> {t}" for i in range(count)]
    parameters = ", ".join(f"%p{i}: {t}" for i in range(count))
    body = "\n".join([f"%v0 = xla.abs %p0 : {t}", *lines, f"return %v{count} : {t}"])
    executable = mlir_xla.compile(f"func.func @main({parameters}) -> {t} {{\n{body}\n}}")
    main = executable.stages["loops"].split("func.func @main(")[1].split("return")[0]
    loads, calls = (
        [number for number, line in enumerate(main.splitlines()) if text in line]
        for text in ("!llvm.ptr -> !llvm.ptr", "call @")
    )
    assert len(calls) >= count
    assert (max(loads) < calls[0]) == (count == 20)
    arguments = [np.full((4, 4), 1 / 4 + i / 1024, np.float32) for i in range(count)]
    expected = arguments[0]
    for argument in arguments:
        expected = expected @ argument
    np.testing.assert_allclose(executable(*arguments), expected, rtol=1e-4)
