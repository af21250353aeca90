# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes, element types and names that are none: said at once, and nothing is taken for something else."""

import math

import numpy as np
import pytest

from mlir_xla import Layout, Shape, ShapeError, XlaBuilder, XlaError, ops

F32 = np.float32
S = Shape(F32, (2, 3))


@pytest.mark.parametrize(
    ("dims", "message"),
    [
        ((1.5,), "dims[0] is 1.5, not an integer"),
        ((2, 1.0), "dims[1] is 1.0, not an integer"),
        ((np.float64(2),), "dims[0] is np.float64(2.0), not an integer"),
        (np.array([2.0]), "dims[0] is np.float64(2.0), not an integer"),
        (("2",), "dims[0] is '2', not an integer"),
        ((True,), "dims[0] is True, not an integer"),
        ((np.bool_(True),), "dims[0] is np.True_, not an integer"),
        ((None,), "dims[0] is None, not an integer"),
        (([1],), "dims[0] is [1], not an integer"),
        ((math.nan,), "dims[0] is nan, not an integer"),
        ("23", "dims is '23', not a sequence of integers"),
        (b"23", "dims is b'23', not a sequence of integers"),
        (5, "dims is 5, not a sequence of integers"),
        (np.array(5), "dims is array(5), not a sequence of integers"),
        (None, "dims is None, not a sequence of integers"),
        ({2, 3}, "dims is {2, 3}, not a sequence of integers"),
        ({2: 3}, "dims is {2: 3}, not a sequence of integers"),
        (S, "dims is Shape<f32[2,3]>, not a sequence of integers"),
    ],
)
def test_sizes_that_are_none(dims, message):
    with pytest.raises(TypeError) as caught:
        Shape(F32, dims)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("dtype", "dims", "message"),
    [
        (F32, (-1,), "[G-C4] size -1 of dimension 0 is negative"),
        (F32, (2, -(2**70)), "[G-C4] size -1180591620717411303424 of dimension 1 is negative"),
        (F32, (2**63,), "f32[9223372036854775808] takes more than 2^63 - 1 bytes"),
        (F32, (2**61,), "f32[2305843009213693952] takes more than 2^63 - 1 bytes"),
        (F32, (2**31, 2**31), "takes more than 2^63 - 1 bytes"),
        (np.int8, (2**63,), "takes more than 2^63 - 1 bytes"),
        (F32, (0, 2**63), "takes more than 2^63 - 1 bytes"),
        (F32, [2] * 1000, "f32[2, 2, 2, 2, 2, 2, 2, 2, ...] takes more than 2^63 - 1 bytes"),
    ],
)
def test_sizes_that_no_memory_has(dtype, dims, message):
    with pytest.raises(ShapeError) as caught:
        Shape(dtype, dims)
    assert message in str(caught.value)


def test_sizes_of_any_integer_type():
    for dims in ((2, 3), [2, 3], np.array([2, 3]), (np.uint8(2), np.int64(3)), range(2, 4), (d for d in (2, 3))):
        assert Shape(F32, dims) == S and all(type(d) is int for d in Shape(F32, S.dims).dims)
    assert Shape(np.int8, (2**63 - 1,)).num_elements == 2**63 - 1
    assert Shape(F32, (0, 2**62, 2**62)).num_elements == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Shape(F32, (2,), [0]), "layout is [0], not a Layout"),
        (lambda: S.with_layout(3), "layout is 3, not a Layout"),
        (lambda: Layout([1.0, 0]), "minor_to_major[0] is 1.0, not an integer"),
        (lambda: Layout([True, 0]), "minor_to_major[0] is True, not an integer"),
        (lambda: Layout("01"), "minor_to_major is '01', not a sequence of integers"),
        (lambda: Layout(None), "minor_to_major is None, not a sequence of integers"),
        (lambda: Layout([0], [2.5]), "padded_dimensions[0] is 2.5, not an integer"),
        (lambda: Layout([0], "3"), "padded_dimensions is '3', not a sequence of integers"),
        (lambda: S.linear_index((1.5, 0)), "index[0] is 1.5, not an integer"),
        (lambda: S.linear_index("01"), "index is '01', not a sequence of integers"),
        (lambda: S.multi_index(1.5), "the position is 1.5, not an integer"),
        (lambda: S.dimension_number(1.5), "the dimension number is 1.5, not an integer"),
        (lambda: S.dimension_number(None), "the dimension number is None, not an integer"),
        (lambda: Shape.tuple([S, 3]), "element 1 of the tuple is 3, not a Shape"),
        (lambda: Shape.parse(3), "the text of a type is 3, not a string"),
    ],
)
def test_arguments_of_shapes(call, message):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("dtype", "message"),
    [
        ("flaot32", "'flaot32' is not an element type; did you mean 'float32'?"),
        ("F32", "'F32' is not an element type; did you mean 'f32'?"),
        ("f33", "'f33' is not an element type; did you mean 'f32'?"),
        ("bfloat", "'bfloat' is not an element type; did you mean 'bfloat16'?"),
        ("f8E4M3FNN", "did you mean 'f8E4M3FN'?"),
        ("frobnicate", "'frobnicate' is not an element type"),
        ("", "'' is not an element type"),
        (None, "None is not an element type"),
        (3, "3 is not an element type"),
        (object, "object is not an element type of XLA"),
        ("M8[s]", "datetime64[s] is not an element type of XLA"),
        ([("a", "f4")], "is not an element type of XLA"),
        (np.longdouble, "float128 is not an element type of XLA"),
    ],
)
def test_element_types(dtype, message):
    with pytest.raises(ShapeError) as caught:
        Shape(dtype)
    assert str(caught.value).endswith(message)


def test_shapes_of_swapped_arrays():
    assert Shape.of(np.ones((2, 3), ">f4")) == S


def value():
    return XlaBuilder("odd").parameter(0, S)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: ops.Reshape(x, [True, 6]), XlaError, "Reshape: new_sizes[0] is True, not an integer"),
        (lambda x: ops.Reshape(x, {6}), XlaError, "Reshape: new_sizes is {6}, not a sequence of integers"),
        (
            lambda x: ops.Reshape(x, [2**62] * 2),
            ShapeError,
            "Reshape: f32[4611686018427387904, 4611686018427387904] takes more",
        ),
        (lambda x: ops.Broadcast(x, [2**62]), ShapeError, "Broadcast: f32[4611686018427387904, 2, 3] takes more than"),
        (
            lambda x: ops.BroadcastInDim(x, [2**62, 2, 3], [1, 2]),
            ShapeError,
            "BroadcastInDim: f32[4611686018427387904, 2, 3] takes",
        ),
        (lambda x: ops.Iota(x.builder, F32, 2**62), ShapeError, "Iota: f32[4611686018427387904] takes more than"),
        (
            lambda x: ops.Iota(x.builder, "f33", 3),
            ShapeError,
            "Iota: 'f33' is not an element type; did you mean 'f32'?",
        ),
        (
            lambda x: ops.ConvertElementType(x, "flaot32"),
            XlaError,
            "ConvertElementType: 'flaot32' is not an element type; did",
        ),
        (lambda x: ops.ConvertElementType(x, None), XlaError, "ConvertElementType: None is not an element type"),
        (lambda x: ops.GetDimensionSize(x, True), XlaError, "GetDimensionSize: dimension is True, not an integer"),
        (lambda x: ops.CustomCall(x.builder, 3, [x], S), XlaError, "call_target_name is 3, not a string or bytes"),
        (lambda x: ops.Constant(x.builder, 16, "u4"), XlaError, "Constant: 16 is not a value of uint4"),
        (lambda x: ops.Constant(x.builder, [1, -9], "s4"), XlaError, "Constant: [1, -9] is not a value of int4"),
        (
            lambda x: ops.Constant(x.builder, 300, np.int8),
            XlaError,
            "Constant: Python integer 300 out of bounds for int8",
        ),
        (lambda x: ops.Constant(x.builder, 2, bool), XlaError, "Constant: 2 is not a value of bool"),
        (
            lambda x: ops.Constant(x.builder, np.ma.masked),
            XlaError,
            "Constant: a masked array, whose mask would be lost",
        ),
        (
            lambda x: ops.Constant(x.builder, [np.ma.masked]),
            XlaError,
            "Constant: a masked array, whose mask would be lost",
        ),
        (lambda x: x + np.ma.array([1, 2, 3], mask=[0, 1, 0]), XlaError, "a masked array, whose mask would be lost"),
        (lambda x: ops.Max(x, np.ma.ones((2, 3))), XlaError, "a masked array, whose mask would be lost"),
    ],
)
def test_operations(call, error, message):
    x = value()
    with pytest.raises(error) as caught:
        call(x)
    assert message in str(caught.value) and f"{__file__}:" in str(caught.value)
    assert "xla." not in str(x.builder.build(x))  # nothing is left behind


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda x: ops.Add(x, x, broadcast_dims=[0]),
            "Add: unexpected keyword argument 'broadcast_dims'; did you mean 'broadcast_dimensions'?",
        ),
        (
            lambda x: ops.Reshape(x, new_size=[6]),
            "Reshape: unexpected keyword argument 'new_size'; did you mean 'new_sizes'?",
        ),
        (lambda x: ops.Reshape(x, nosuch=[6]), "Reshape: unexpected keyword argument 'nosuch'"),
        (
            lambda x: x.builder.parameter(1, shpae=S),
            "Parameter: unexpected keyword argument 'shpae'; did you mean 'shape'?",
        ),
    ],
)
def test_misspelt_arguments(call, message):
    with pytest.raises(TypeError) as caught:
        call(value())
    assert str(caught.value) == message


def test_constants_of_swapped_arrays():
    builder = XlaBuilder("odd")
    constant = builder.constant(np.array([1, 2], ">i4"))
    assert constant.shape == Shape(np.int32, (2,)) and "dense<[1, 2]>" in str(builder.build(constant))
    assert (value() + np.ones((2, 3), ">f4")).shape == S
    assert "attributes" not in str(ops.CustomCall)  # which takes any
    call = XlaBuilder("any")
    assert ops.CustomCall(call, "f", [call.constant(1.0)], S, frobnicate=3).shape == S


def test_one_of_something():
    x = value()
    add = XlaBuilder("add")
    add = add.build(ops.Add(add.parameter(0, Shape(F32)), add.parameter(1, Shape(F32))))
    for call, message in [
        (lambda: ops.Call(x.builder, add, [x]), "1 operand for 2 parameters"),
        (lambda: ops.Conditional(x, [add], [x, x]), "1 computation and 2 operands"),
        (lambda: ops.Slice(x, [0], [1]), "start_indices has 1 entry for an operand of rank 2"),
        (lambda: ops.Slice(x, [0] * 3, [1] * 3), "start_indices has 3 entries for an operand of rank 2"),
        (lambda: Layout([0, 1], [1]), "1 padded dimension for 2 dimensions"),
    ]:
        with pytest.raises(ShapeError) as caught:
            call()
        assert str(caught.value).endswith(message)
