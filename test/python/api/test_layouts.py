# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments and results in a layout lie in memory exactly so, padding included: looked at byte by byte."""

import ctypes
from itertools import permutations

import ml_dtypes
import numpy as np
import pytest
from vector_cases import TARGETS, load

import mlir_xla
from mlir_xla import Layout, PaddingValue, Shape

MEMORY = [pytest.param(v, id=v["id"]) for v in load("layout")["memory"]]


def identity(argument, result):
    """A program that gives its argument, in a layout of its own."""
    return f"""func.func @main(%x: {argument.mlir}) -> {result.mlir} {{
  %0 = xla.optimization_barrier %x : {argument.mlir}
  %1 = "xla.reshape"(%0) : ({argument.mlir}) -> {result.mlir}
  return %1 : {result.mlir}
}}"""


def memory_of(array, shape):
    """All places in the buffer that a result lies in."""
    return np.lib.stride_tricks.as_strided(array, (shape.buffer_length,), (shape.dtype.itemsize,))


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("vector", MEMORY)
def test_result(vector, target):
    """Element k lies where `memory` holds k; what is asked for is where it holds null."""
    plain = Shape(np.float32, vector["dims"])
    shape = plain.with_layout(
        Layout(vector["minor_to_major"], vector.get("padded"), "ONE" if "padded" in vector else None)
    )
    exe = mlir_xla.compile(identity(plain, shape), target=target)
    given = np.arange(plain.num_elements, dtype=np.float32).reshape(plain.dims) + 10
    found = exe(given)
    np.testing.assert_array_equal(found, given)
    assert exe.result_types == (shape,)
    expected = [1 if k is None else k + 10 for k in vector["memory"]]
    assert memory_of(found, shape).tolist() == expected


@pytest.mark.parametrize("vector", MEMORY)
def test_buffers(vector):
    """The compiled program reads a buffer of bytes in its layout, and writes all of one."""
    shape = Shape(np.int16, vector["dims"], Layout(vector["minor_to_major"], vector.get("padded"), "LOWEST"))
    native = mlir_xla.compile(identity(shape, shape))._native
    data = np.int16([-1 if k is None else 7 * k + 3 for k in vector["memory"]])
    result = np.full(shape.buffer_length + 1, 99, np.int16)
    native.execute([address(data)], [address(result)])
    assert result.tolist() == [-(2**15) if k is None else 7 * k + 3 for k in vector["memory"]] + [99]


PADDING = {
    np.dtype(np.bool_): (False, True, False, True),
    np.dtype(np.int8): (0, 1, -128, 127),
    np.dtype(np.uint16): (0, 1, 0, 65535),
    np.dtype(ml_dtypes.int4): (0, 1, -8, 7),
    np.dtype(np.float64): (0, 1, -np.inf, np.inf),
    np.dtype(ml_dtypes.bfloat16): (0, 1, -np.inf, np.inf),
    np.dtype(ml_dtypes.float8_e4m3fn): (0, 1, -448, 448),
    np.dtype(np.complex64): (0, 1, complex(-np.inf, -np.inf), complex(np.inf, np.inf)),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", PADDING, ids=str)
def test_padding_values(dtype, target):
    plain = Shape(dtype, (1, 2))
    for value, expected in zip(("ZERO", "ONE", "LOWEST", "HIGHEST"), PADDING[dtype], strict=True):
        shape = plain.with_layout(Layout([0, 1], [2, 2], value))
        found = memory_of(mlir_xla.compile(identity(plain, shape), target=target)(np.zeros((1, 2), dtype)), shape)
        assert found[1] == found[3] == np.asarray(expected).astype(dtype), (value, found)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("value", [None, "UNKNOWN", "INVALID"])
def test_padding_that_does_not_matter_is_zero(value, target):
    plain = Shape(np.float32, (2,))
    shape = plain.with_layout(Layout([0], [4], value and PaddingValue(value)))
    found = mlir_xla.compile(identity(plain, shape), target=target)(np.float32([1, 2]))
    assert memory_of(found, shape).tolist() == [1, 2, 0, 0]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_any_order(order, target):
    """Arguments in any order and of any strides; some padded; results of a reduction."""
    dims, rng = (3, 4, 5), np.random.default_rng(sum(order))
    array = rng.integers(-100, 100, dims, np.int32)
    plain, total = Shape(np.int32, dims), Shape(np.int32, (3, 5))
    for padded in (None, (3, 6, 5), (4, 4, 9)):
        x = plain.with_layout(Layout(order, padded))
        y = total.with_layout(Layout([0, 1], padded and [5, 5]))
        text = f"""func.func @main(%x: {x.mlir}, %y: {plain.mlir}) -> ({y.mlir}, {x.mlir}) {{
          %zero = xla.constant dense<0> : tensor<i32>
          %0 = "xla.add"(%x, %y) : ({x.mlir}, {plain.mlir}) -> {x.mlir}
          %1 = "xla.reduce"(%0, %zero) ({{
          ^bb0(%a: tensor<i32>, %b: tensor<i32>):
            %c = xla.add %a, %b : tensor<i32>
            "xla.return"(%c) : (tensor<i32>) -> ()
          }}) {{dimensions = array<i64: 1>}} : ({x.mlir}, tensor<i32>) -> {y.mlir}
          return %1, %0 : {y.mlir}, {x.mlir}
        }}"""
        exe = mlir_xla.compile(text, target=target)
        assert exe.arg_types == (x, plain) and exe.result_types == (y, x)
        for given in (array, np.asfortranarray(array), np.repeat(array, 2, 1)[:, ::2]):
            sums, twice = exe(given, array)
            np.testing.assert_array_equal(twice, 2 * array)
            np.testing.assert_array_equal(sums, 2 * array.sum(1))
            for found, shape in ((sums, y), (twice, x)):
                assert found.strides == tuple(4 * stride for stride in shape.strides)
        again, _ = exe(twice, array)  # a result as an argument
        np.testing.assert_array_equal(again, 3 * array.sum(1))


def test_arrays_that_lie_so_are_not_copied(monkeypatch):
    shape = Shape(np.float32, (40, 30), Layout([0, 1]))
    exe = mlir_xla.compile(identity(shape, shape))
    array = np.asfortranarray(np.arange(1200, dtype=np.float32).reshape(40, 30))

    def forbidden(*_):
        raise AssertionError("the array was converted")

    monkeypatch.setattr("mlir_xla._arrays.as_argument", forbidden)
    found = exe(array)
    np.testing.assert_array_equal(found, array)
    np.testing.assert_array_equal(exe(found), array)
    assert found.flags.f_contiguous
    with pytest.raises(AssertionError, match="was converted"):
        exe(np.ascontiguousarray(array))


@pytest.mark.parametrize("target", TARGETS)
def test_sizes_of_zero_and_rank_zero(target):
    for dims, order, padded in (
        ((), (), None),
        ((0, 3), (0, 1), None),
        ((0, 3), (0, 1), (2, 3)),
        ((1, 3), (0, 1), None),
    ):
        plain = Shape(np.float32, dims)
        shape = plain.with_layout(Layout(order, padded, "ONE"))
        exe = mlir_xla.compile(identity(shape, shape), target=target)
        given = np.arange(plain.num_elements, dtype=np.float32).reshape(dims)
        found = exe(given)
        np.testing.assert_array_equal(found, given)
        assert found.shape == dims


@pytest.mark.parametrize("target", TARGETS)
def test_wrong_arguments_are_still_refused(target):
    shape = Shape(np.float32, (2, 3), Layout([0, 1], [2, 4]))
    exe = mlir_xla.compile(identity(shape, shape), target=target)
    with pytest.raises(TypeError, match=r"expected a float32 array of shape \(2, 3\), got a float32 array"):
        exe(np.zeros((2, 4), np.float32))


@pytest.mark.parametrize("target", TARGETS)
def test_tuples(target):
    shape = Shape(np.float32, (2, 3), Layout([0, 1]))
    text = f"""func.func @main(%x: tuple<{shape.mlir}, tensor<f32>>) -> tuple<tensor<f32>, {shape.mlir}> {{
      %0 = xla.get_tuple_element %x[0] : (tuple<{shape.mlir}, tensor<f32>>) -> {shape.mlir}
      %1 = xla.get_tuple_element %x[1] : (tuple<{shape.mlir}, tensor<f32>>) -> tensor<f32>
      %2 = xla.tuple %1, %0 : tuple<tensor<f32>, {shape.mlir}>
      return %2 : tuple<tensor<f32>, {shape.mlir}>
    }}"""
    exe = mlir_xla.compile(text, target=target)
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    first, second = exe(array, 7.0)
    assert first == 7 and second.flags.f_contiguous
    np.testing.assert_array_equal(second, array)


# === Custom calls: the callee sees buffers in the layout of operands and result ===


@pytest.fixture
def register():
    names = []

    def call(name, function):
        mlir_xla.register_custom_call(name, function)
        names.append(name)

    yield call
    for name in names:
        mlir_xla.register_custom_call(name, None)


BY_ATTRIBUTE = """func.func @main(%x: tensor<2x3xui8>) -> tensor<2x3xui8> {
  %0 = xla.custom_call @callee(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
    result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xui8>) -> tensor<2x3xui8>
  return %0 : tensor<2x3xui8>
}"""
BY_TYPE = """func.func @main(%x: tensor<2x3xui8>) -> tensor<2x3xui8> {
  %0 = "xla.reshape"(%x) : (tensor<2x3xui8>) -> tensor<2x3xui8, #xla.layout<minor_to_major = [0, 1]>>
  %1 = xla.custom_call @callee(%0) : (tensor<2x3xui8, #xla.layout<minor_to_major = [0, 1]>>)
    -> tensor<2x3xui8, #xla.layout<minor_to_major = [0, 1]>>
  %2 = "xla.reshape"(%1) : (tensor<2x3xui8, #xla.layout<minor_to_major = [0, 1]>>) -> tensor<2x3xui8>
  return %2 : tensor<2x3xui8>
}"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("text", [BY_ATTRIBUTE, BY_TYPE], ids=["attribute", "type"])
def test_call_of_a_pointer(text, target, register):
    """It gets bytes, and gives bytes."""
    seen = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
    def function(out, operands):
        x, z = (ctypes.cast(at, ctypes.POINTER(ctypes.c_uint8)) for at in (operands[0], out))
        seen.append(list(x[:6]))
        for i in range(6):
            z[i] = x[i] + 10 * i

    register("callee", function)
    x = np.arange(6, dtype=np.uint8).reshape(2, 3)
    result = mlir_xla.compile(text, target=target)(x)
    assert seen[0] == [0, 3, 1, 4, 2, 5]
    np.testing.assert_array_equal(result, [[0, 1 + 20, 2 + 40], [3 + 10, 4 + 30, 5 + 50]])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("text", [BY_ATTRIBUTE, BY_TYPE], ids=["attribute", "type"])
def test_call_of_a_function(text, target, register):
    """It gets arrays, whose memory is not its business."""
    register("callee", lambda x: x * np.uint8([[1], [2]]))
    x = np.arange(6, dtype=np.uint8).reshape(2, 3)
    result = mlir_xla.compile(text, target=target)(x)
    np.testing.assert_array_equal(result, [[0, 1, 2], [6, 8, 10]])


@pytest.mark.parametrize("target", TARGETS)
def test_call_with_padding(target, register):
    seen = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
    def function(out, operands):
        x, z = (ctypes.cast(at, ctypes.POINTER(ctypes.c_float)) for at in (operands[0], out))
        seen.append(list(x[:6]))
        z[0] = sum(x[:6])

    register("callee", function)
    padded = "tensor<2x2xf32, #xla.layout<minor_to_major = [1, 0], padded = [2, 3], padding = ONE>>"
    text = f"""func.func @main(%x: tensor<2x2xf32>) -> tensor<f32> {{
      %0 = "xla.reshape"(%x) : (tensor<2x2xf32>) -> {padded}
      %1 = xla.custom_call @callee(%0) : ({padded}) -> tensor<f32>
      return %1 : tensor<f32>
    }}"""
    assert mlir_xla.compile(text, target=target)(np.float32([[1, 2], [3, 4]])) == 12
    assert seen[0] == [1, 2, 1, 3, 4, 1]
