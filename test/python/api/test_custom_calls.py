# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that programs call by name."""

import ctypes

import ml_dtypes
import numpy as np
import pytest
from api_programs import LOOP, TARGETS

import mlir_xla
from mlir_xla import Shape, XlaBuilder, ops

X, Y = np.float32([1, 2]), np.float32([[10, 20, 30], [40, 50, 60]])


@pytest.fixture
def register():
    """`register_custom_call` whose effect ends with the test."""
    names = []

    def call(name, function):
        names.append(name)
        mlir_xla.register_custom_call(name, function)

    yield call
    for name in names:
        mlir_xla.register_custom_call(name, None)


def program(name):
    """CustomCall-T1: `CustomCall("myfunc", {x, y}, f32[3,3])`."""
    b = XlaBuilder("custom")
    x, y = (b.parameter(i, Shape(np.float32, each.shape)) for i, each in enumerate((X, Y)))
    return b.build(ops.CustomCall(b, name, [x, y], Shape(np.float32, (3, 3))))


@pytest.mark.parametrize("target", TARGETS)
def test_function(register, target):
    """CustomCall-T1, all nine elements filled."""
    seen = []

    def function(x, y):
        seen.append((x.copy(), y.copy()))
        return np.full((3, 3), x[1] + y[1, 0])

    register("myfunc", function)
    result = mlir_xla.compile(program("myfunc"), target=target)(X, Y)
    np.testing.assert_array_equal(result, np.full((3, 3), 42, np.float32))
    np.testing.assert_array_equal(seen[0][0], X)
    np.testing.assert_array_equal(seen[0][1], Y)


@pytest.mark.parametrize("target", TARGETS)
def test_function_pointer(register, target):
    """CustomCall-T1 as `extern "C" void myfunc(void* out, void** in)` has it."""

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
    def function(out, operands):
        x, y, z = (ctypes.cast(at, ctypes.POINTER(ctypes.c_float)) for at in (operands[0], operands[1], out))
        for i in range(9):
            z[i] = x[1] + y[3]

    register("myfunc", function)
    result = mlir_xla.compile(program("myfunc"), target=target)(X, Y)
    np.testing.assert_array_equal(result, np.full((3, 3), 42, np.float32))


@pytest.mark.parametrize("target", TARGETS)
def test_element_types_and_several_results(register, target):
    def function(a, b, c):
        assert (a.dtype, b.dtype, c.dtype) == (np.uint32, ml_dtypes.bfloat16, np.bool_)
        return a + np.uint32(1), b * b

    register("several", function)
    text = """
    func.func @main(%a: tensor<2xui32>, %b: tensor<bf16>, %c: tensor<0xi1>) -> (tensor<2xui32>, tensor<bf16>) {
      %0:2 = stablehlo.custom_call @several(%a, %b, %c)
        : (tensor<2xui32>, tensor<bf16>, tensor<0xi1>) -> (tensor<2xui32>, tensor<bf16>)
      return %0#0, %0#1 : tensor<2xui32>, tensor<bf16>
    }"""
    arguments = np.uint32([0, 2**32 - 2]), ml_dtypes.bfloat16(3), np.zeros(0, bool)
    first, second = mlir_xla.compile(text, target=target)(*arguments)
    assert first.tolist() == [1, 2**32 - 1] and float(second) == 9


@pytest.mark.parametrize("target", TARGETS)
def test_loop(register, target):
    """Called in every iteration, in order; an exception ends the calls and arrives at the caller."""
    seen = []

    def function(y, _):
        seen.append(float(y[0]))
        if len(seen) == 3:
            raise KeyError("third")

    register("observe", function)
    text = LOOP.replace("LIMIT", "6").replace(
        "@check.expect_eq(%next, %bounded)", "@observe(%next, %bounded) {has_side_effect = true}"
    )
    compiled = mlir_xla.compile(text, target=target)
    with pytest.raises((KeyError, mlir_xla.reference.InterpreterError), match="third"):
        compiled(X)
    assert seen == [2, 4, 8]
    seen[:] = [0] * 10
    compiled(X)
    assert len(seen) == 16


@pytest.mark.parametrize("target", TARGETS)
def test_wrong_result(register, target):
    register("myfunc", lambda x, y: x)
    compiled = mlir_xla.compile(program("myfunc"), target=target)
    with pytest.raises(Exception, match=r"'myfunc' returned float32\[2\], the program wants float32\[3, 3\]"):
        compiled(X, Y)


@pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
def test_unknown():
    with pytest.raises(RuntimeError, match="'nowhere' is not registered"):
        mlir_xla.compile(program("nowhere"))(X, Y)


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "reference"])
def test_where_an_unknown_one_is(target, tmp_path):
    path = tmp_path / "calls.mlir"
    path.write_text("""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = xla.custom_call @nowhere(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}""")
    with pytest.raises(RuntimeError, match=r"'nowhere' is not registered with the runtime: .*calls.mlir:2:8"):
        mlir_xla.compile(path, target=target)(X)


def test_what_cannot_be_called():
    with pytest.raises(TypeError, match="custom call 'three': int is no function"):
        mlir_xla.register_custom_call("three", 3)
