# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The builder: parameters, constants, operators, computations, locations, errors at the user's line."""

import inspect
import re
import threading

import ml_dtypes
import numpy as np
import pytest
from vector_cases import TARGETS

import mlir_xla
from mlir_xla import Shape, ShapeError, XlaBuilder, XlaComputation, XlaError, ir, ops

F32 = np.float32
SCALAR = Shape(F32)


def line():
    """The number of the line that calls this."""
    return inspect.currentframe().f_back.f_lineno


def run(computation, *arrays, target):
    return mlir_xla.compile(computation, target=target)(*arrays)


def binary(operation, shape=SCALAR, name="combine"):
    builder = XlaBuilder(name)
    return builder.build(operation(builder.parameter(0, shape), builder.parameter(1, shape)))


@pytest.fixture
def b():
    return XlaBuilder("test")


class TestParameters:
    @pytest.mark.parametrize("target", TARGETS)
    def test_any_order(self, b, target):
        second = b.parameter(1, SCALAR, "second")
        first = b.parameter(0, SCALAR, "first")
        computation = b.build(first - second)
        assert run(computation, 5.0, 3.0, target=target) == 2
        assert str(computation.program_shape) == "(f32[], f32[]) -> f32[]"

    def test_missing(self, b):
        b.parameter(1, SCALAR)
        with pytest.raises(XlaError, match="no parameter 0"):
            b.build()

    def test_twice(self, b):
        b.parameter(0, SCALAR)
        with pytest.raises(XlaError, match="parameter 0 exists already"):
            b.parameter(0, SCALAR)

    def test_names_are_printed(self, b):
        computation = b.build(ops.Neg(b.parameter(0, SCALAR, "speed")))
        assert "%speed" in str(computation)


class TestConstants:
    @pytest.mark.parametrize(
        ("value", "dtype"),
        [(1, np.int32), (1.5, np.float32), (True, np.bool_), (1j, np.complex64), (np.float64(2), np.float64)],
    )
    def test_default_dtype(self, b, value, dtype):
        constant = b.constant(value)
        assert constant.shape == Shape(dtype)

    @pytest.mark.parametrize(
        "dtype",
        [
            np.bool_,
            np.int8,
            np.uint8,
            np.uint32,
            np.int64,
            np.float16,
            np.float64,
            np.complex64,
            np.complex128,
            ml_dtypes.bfloat16,
            ml_dtypes.float8_e4m3fn,
            ml_dtypes.int4,
            ml_dtypes.uint2,
        ],
    )
    def test_arrays_keep_their_values(self, b, dtype):
        array = np.array([[1, 0, 1], [0, 0, 1]]).astype(dtype)
        result = run(b.build(ops.ConstantLiteral(b, array.T)), target="reference")
        assert result.dtype == dtype
        np.testing.assert_array_equal(result, array.T)

    def test_no_elements(self, b):
        assert run(b.build(b.constant(np.zeros((2, 0), F32))), target="reference").shape == (2, 0)

    @pytest.mark.parametrize(("value", "dtype"), [(300, np.int8), (2.5, np.int32), (1j, np.float32), ("x", None)])
    def test_unfit_values(self, b, value, dtype):
        with pytest.raises(XlaError, match="Constant"):
            b.constant(value, dtype)

    def test_rank(self, b):
        with pytest.raises(XlaError, match="rank 1"):
            ops.ConstantR0(b, [1.0])


class TestOperators:
    @pytest.mark.parametrize("target", TARGETS)
    def test_arithmetic(self, b, target):
        x, y = b.parameter(0, Shape(F32, (3,))), b.parameter(1, Shape(F32, (3,)))
        results = [x + y, x - y, x * y, x / y, x % y, x**y, -x, abs(-x), 2 - x, 1.0 / x, x @ y, x < y, x >= 2]
        u, v = np.float32([1, 2, 3]), np.float32([3, 2, 2])
        expected = [u + v, u - v, u * v, u / v, np.fmod(u, v), u**v, -u, u, 2 - u, 1 / u, u @ v, u < v, u >= 2]
        for found, wanted in zip(run(b.build(ops.Tuple(b, results)), u, v, target=target), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)

    @pytest.mark.parametrize("target", TARGETS)
    def test_integers(self, b, target):
        x, y = b.parameter(0, Shape(np.int32, (2,))), b.parameter(1, Shape(np.uint32, (2,)))
        results = [x & 6, x | 1, x ^ 3, ~x, x << 2, x >> 1, y >> 1]
        u, v = np.int32([5, -8]), np.uint32([5, 0xFFFFFFFF])
        expected = [u & 6, u | 1, u ^ 3, ~u, u << 2, u >> 1, v >> 1]
        for found, wanted in zip(run(b.build(ops.Tuple(b, results)), u, v, target=target), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)

    def test_numpy_values_keep_their_dtype(self, b):
        x = b.parameter(0, SCALAR)
        assert (np.float32(2) * x).shape == SCALAR
        with pytest.raises(ShapeError, match=r"\[BC-C10\]"):
            x * np.float64(2)

    def test_python_numbers_take_the_dtype(self, b):
        x = b.parameter(0, Shape(np.int8, (2,)))
        assert (x + 1).dtype == np.int8
        with pytest.raises(XlaError, match="2.5"):
            x + 2.5

    def test_unknown_operand(self, b):
        with pytest.raises(TypeError):
            b.parameter(0, SCALAR) + "one"

    def test_no_truth_value(self, b):
        with pytest.raises(TypeError, match="Conditional"):
            bool(b.parameter(0, Shape(np.bool_)))


class TestErrors:
    def test_line_and_rule(self, b):
        x = b.parameter(0, Shape(F32, (2, 3)))
        with pytest.raises(ShapeError) as caught:
            ops.Dot(x, x)
        here = line() - 1
        error = caught.value
        assert (error.op, error.constraint) == ("Dot", "Dot-C2")
        assert error.location.startswith(f"{__file__}:{here}:")
        assert str(error).startswith(f"{__file__}:{here}:13: Dot: [Dot-C2] ")

    def test_locations_in_the_module(self, b):
        x = b.parameter(0, SCALAR, "x")
        negated = -x
        here = line() - 1
        text = b.build(negated).module.operation.get_asm(enable_debug_info=True)
        assert f'loc("{__file__}":{here}:19)' in text

    def test_failed_operation_leaves_nothing(self, b):
        x = b.parameter(0, Shape(F32, (2, 3)))
        for _ in range(2):
            with pytest.raises(ShapeError):
                ops.Transpose(x, [0, 0])
        assert "transpose" not in str(b.build(-x))

    def test_other_builder(self, b):
        other = XlaBuilder("other").parameter(0, SCALAR)
        with pytest.raises(XlaError, match="operand 1 belongs to another builder, 'other'"):
            b.parameter(0, SCALAR) + other

    def test_after_build(self, b):
        x = b.parameter(0, SCALAR)
        b.build(x)
        with pytest.raises(XlaError, match="has built its computation"):
            ops.Neg(x)
        with pytest.raises(XlaError, match="has built its computation"):
            b.build(x)

    def test_empty(self, b):
        with pytest.raises(XlaError, match="empty"):
            b.build()

    def test_not_a_computation(self, b):
        x = b.parameter(0, Shape(F32, (2,)))
        with pytest.raises(XlaError, match="not an XlaComputation"):
            ops.Reduce(x, b.constant(0.0), lambda a, c: a, [0])

    @pytest.mark.parametrize(
        ("rule", "make"),
        [
            ("Broadcast-C1", lambda b, x: ops.Broadcast(x, [-1])),
            ("BroadcastInDim-C1", lambda b, x: ops.BroadcastInDim(x, [2, 3], [1])),
            ("BroadcastInDim-C4", lambda b, x: ops.BroadcastInDim(x, [3, 3], [0, 1])),
            ("Reshape-C2", lambda b, x: ops.Reshape(x, [5])),
            ("Reshape-C3", lambda b, x: ops.Reshape(x, [-6])),
            ("Concatenate-C1", lambda b, x: ops.ConcatInDim(b, [], 0)),
            ("Concatenate-C5", lambda b, x: ops.ConcatInDim(b, [x, ops.Transpose(x, [1, 0])], 0)),
            ("Slice-C3", lambda b, x: ops.Slice(x, [0, 0], [2, 4])),
            ("G-C2", lambda b, x: ops.SliceInDim(x, 0, 1, 1, 2)),
            ("Pad-C2", lambda b, x: ops.Pad(x, b.constant(0.0), [(0, 0, 0)])),
            ("Pad-C1", lambda b, x: ops.Pad(x, b.constant(0), [(0, 0, 0)] * 2)),
            ("DynamicSlice-C1", lambda b, x: ops.DynamicSlice(x, [b.constant(0)], [1, 1])),
            ("Rev-C1", lambda b, x: ops.Rev(x, [0, 0])),
            ("Iota-C1", lambda b, x: ops.Iota(b, Shape(np.int32, (4,)), 1)),
            ("Clamp-C1", lambda b, x: ops.Clamp(b.constant(0), x, b.constant(1))),
            ("Select-C1", lambda b, x: ops.Select(x, x, x)),
            ("Select-C2", lambda b, x: ops.Select(ops.Gt(x, x), x, ops.ZerosLike(ops.Transpose(x, [1, 0])))),
            ("BitcastConvertType-C3", lambda b, x: ops.BitcastConvertType(x, np.float64)),
            ("Unary-C2", lambda b, x: ops.Clz(x)),
            ("Compare-C6", lambda b, x: ops.Lt(ops.Complex(x, x), ops.Complex(x, x))),
            ("G-C5", lambda b, x: ops.Add(x, ops.Tuple(b, [x]))),
            ("GetTupleElement-C1", lambda b, x: ops.GetTupleElement(x, 0)),
            ("GetTupleElement-C3", lambda b, x: ops.GetTupleElement(ops.Tuple(b, [x]), 1)),
            ("Select-C4", lambda b, x: ops.Select(ops.Eq(x, x), ops.Tuple(b, [x]), ops.Tuple(b, [x]))),
            ("Reduce-C5", lambda b, x: ops.Reduce(x, b.constant(0.0), binary(ops.Add), [2])),
            ("Reduce-C3", lambda b, x: ops.Reduce(x, b.constant(0), binary(ops.Add), [1])),
            ("Reduce-C4", lambda b, x: ops.Reduce(x, b.constant(0.0), binary(ops.Lt), [1])),
            ("ReduceWindow-C5", lambda b, x: ops.ReduceWindow(x, b.constant(0.0), binary(ops.Add), [2], [1], "SAME")),
            (
                "ReduceWindow-C6",
                lambda b, x: ops.ReduceWindow(x, b.constant(0.0), binary(ops.Add), [2, 2], [1, 0], "VALID"),
            ),
            ("Map-C4", lambda b, x: ops.Map(b, [x], binary(lambda a, _: -a), [0])),
            ("Call-C1", lambda b, x: ops.Call(b, binary(ops.Add), [b.constant(1.0)])),
            ("Call-C2", lambda b, x: ops.Call(b, binary(ops.Add), [x, x])),
            ("While-C2", lambda b, x: ops.While(binary(ops.Lt), binary(ops.Add), x)),
            ("BatchNormTraining-C1", lambda b, x: ops.BatchNormTraining(x, x, x, 0.1, 2)),
            ("ConvWithGeneralPadding-C1", lambda b, x: ops.Conv(x, ops.Reshape(x, [6]), [], "SAME")),
            ("Conv-C1", lambda b, x: ops.Conv(x, x, [], "FULL")),
        ],
    )
    def test_rejected(self, b, rule, make):
        x = b.parameter(0, Shape(F32, (2, 3)))
        with pytest.raises(XlaError, match=r"\[[\w-]+\]") as caught:
            make(b, x)
        if rule == "While-C2":
            assert caught.value.constraint in ("While-C1", "While-C2")
        elif rule == "Map-C4":
            assert caught.value.constraint in ("Map-C3", "Map-C4")
        else:
            assert caught.value.constraint == rule, str(caught.value)
        assert re.match(rf"{re.escape(__file__)}:\d+:\d+: ", str(caught.value))


class TestComputations:
    @pytest.mark.parametrize("target", TARGETS)
    def test_reduce_several(self, b, target):
        """The largest value and its index."""
        step = b.create_sub_builder("largest")
        shapes = [SCALAR, Shape(np.int32)] * 2
        m, k, v, i = (step.parameter(n, shape) for n, shape in enumerate(shapes))
        better = v > m
        largest = step.build(ops.Tuple(step, [ops.Select(better, v, m), ops.Select(better, i, k)]))
        x = b.parameter(0, Shape(F32, (2, 4)))
        index = ops.Iota(b, Shape(np.int32, (2, 4)), 1)
        inits = [b.constant(-np.inf), b.constant(0)]
        value, place = ops.Reduce([x, index], inits, largest, [1])
        array = np.float32([[3, 7, 1, 2], [9, 0, 8, 1]])
        found = run(b.build(ops.Tuple(b, [value, place])), array, target=target)
        np.testing.assert_array_equal(found[0], [7, 9])
        np.testing.assert_array_equal(found[1], [1, 0])

    @pytest.mark.parametrize("target", TARGETS)
    def test_reduce_all_and_window(self, b, target):
        x = b.parameter(0, Shape(F32, (5,)))
        zero = b.constant(0.0)
        total = ops.ReduceAll(x, zero, binary(ops.Add))
        window = ops.ReduceWindow(x, zero, binary(ops.Add), [3], [2], mlir_xla.Padding.SAME)
        wide = ops.ReduceWindowWithGeneralPadding(x, zero, binary(ops.Add), [2], [1], [], [3], [(1, 0)])
        found = run(b.build(ops.Tuple(b, [total, window, wide])), np.arange(1, 6, dtype=F32), target=target)
        assert found[0] == 15
        np.testing.assert_array_equal(found[1], [3, 9, 9])
        np.testing.assert_array_equal(found[2], [3, 5, 7])

    @pytest.mark.parametrize("target", TARGETS)
    def test_while_over_a_nested_tuple(self, b, target):
        state = Shape.tuple([Shape(np.int32), Shape.tuple([SCALAR, SCALAR])])
        more = XlaBuilder("more")
        number = ops.GetTupleElement(more.parameter(0, state), 0)
        condition = more.build(number < 10)
        step = XlaBuilder("fibonacci")
        count, (older, newer) = step.parameter(0, state)
        body = step.build(ops.Tuple(step, [count + 1, ops.Tuple(step, [newer, older + newer])]))
        init = ops.Tuple(b, [b.constant(0), ops.Tuple(b, [b.parameter(0, SCALAR), b.constant(1.0)])])
        count, (older, newer) = ops.While(condition, body, init)
        computation = b.build(ops.Tuple(b, [count, older, newer]))
        assert "get_tuple_element" not in str(computation)
        assert run(computation, 0.0, target=target) == (10, 55, 89)

    @pytest.mark.parametrize("target", TARGETS)
    def test_while_over_an_array(self, b, target):
        more, double = XlaBuilder("more"), XlaBuilder("double")
        condition = more.build(more.parameter(0, SCALAR) < 100)
        body = double.build(double.parameter(0, SCALAR) * 2)
        assert run(b.build(ops.While(condition, body, b.parameter(0, SCALAR))), 3.0, target=target) == 192

    @pytest.mark.parametrize("target", TARGETS)
    def test_conditional(self, b, target):
        def unary(operation, shape):
            builder = XlaBuilder("branch")
            return builder.build(operation(builder.parameter(0, shape)))

        pair = Shape.tuple([SCALAR, SCALAR])
        pred, x = b.parameter(0, Shape(np.bool_)), b.parameter(1, SCALAR)
        result = ops.Conditional(
            pred, x, unary(lambda a: a + 1, SCALAR), ops.Tuple(b, [x, x]), unary(lambda t: t[0] * t[1], pair)
        )
        compiled = mlir_xla.compile(b.build(result), target=target)
        assert (compiled(True, 3.0), compiled(False, 3.0)) == (4, 9)

        b = XlaBuilder("indexed")
        index = b.parameter(0, Shape(np.int32))
        branches = [unary(lambda a, k=k: ops.Tuple(a.builder, [a, a * k]), SCALAR) for k in range(3)]
        result = ops.Conditional(index, branches, [b.constant(float(k + 1)) for k in range(3)])
        compiled = mlir_xla.compile(b.build(result), target=target)
        assert [compiled(i) for i in (0, 1, 2, 3, -1)] == [(1, 0), (2, 2), (3, 6), (3, 6), (3, 6)]

    @pytest.mark.parametrize("target", TARGETS)
    def test_call_map_and_functions_of_functions(self, b, target):
        inner = binary(ops.Sub, name="difference")
        outer = XlaBuilder("difference")  # the same name again
        p, q = outer.parameter(0, SCALAR), outer.parameter(1, SCALAR)
        twice = outer.build(ops.Call(outer, inner, [p, q]) * 2)
        x, y = b.parameter(0, SCALAR), b.parameter(1, SCALAR)
        called = ops.Call(b, twice, [x, y]) + ops.Call(b, twice, [y, x]) + ops.Call(b, inner, [x, y])
        vectors = [ops.Broadcast(each, [3]) for each in (x, y)]
        mapped = ops.Map(b, vectors, twice, [0])
        found = run(b.build(ops.Tuple(b, [called, mapped])), 7.0, 4.0, target=target)
        assert found[0] == 3
        np.testing.assert_array_equal(found[1], [6, 6, 6])

    def test_computation_of_another_context(self, b):
        with ir.Context():
            add = binary(ops.Add)
        made = []
        thread = threading.Thread(target=lambda: made.append(binary(ops.Mul)))
        thread.start()
        thread.join()
        x = b.parameter(0, Shape(F32, (3,)))
        results = [ops.Reduce(x, b.constant(1.0), computation, [0]) for computation in (add, *made)]
        found = run(b.build(ops.Tuple(b, results)), np.float32([2, 3, 4]), target="reference")
        assert found == (10, 24)

    def test_module_as_computation(self, b):
        text = """func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
          %0 = stablehlo.maximum %a, %b : tensor<f32>
          return %0 : tensor<f32>
        }"""
        larger = XlaComputation(mlir_xla.parse(text), "larger")
        x = b.parameter(0, Shape(F32, (3,)))
        assert run(b.build(ops.ReduceAll(x, b.constant(0.0), larger)), np.float32([2, 9, 4]), target="reference") == 9

    @pytest.mark.parametrize("target", TARGETS)
    def test_tuple_parameter_and_result(self, b, target):
        pair = b.parameter(0, Shape.tuple([SCALAR, Shape(F32, (2,))]))
        first, second = pair
        computation = b.build(ops.Tuple(b, [second, pair]))
        found = run(computation, 1.0, np.float32([2, 3]), target=target)
        assert [each.tolist() for each in found] == [[2, 3], 1, [2, 3]]
        assert str(computation.program_shape.result) == "(f32[2], (f32[], f32[2]))"

    @pytest.mark.parametrize("target", TARGETS)
    def test_select_tuples(self, b, target):
        """Select-X1."""
        x, y = (ops.Tuple(b, [b.constant(n), b.constant([n + 1, n + 2])]) for n in (1, 4))
        chosen = b.build(ops.Select(b.parameter(0, Shape(np.bool_)), x, y))
        assert [each.tolist() for each in run(chosen, False, target=target)] == [4, [5, 6]]
        assert [each.tolist() for each in run(chosen, True, target=target)] == [1, [2, 3]]


class TestOps:
    """Each checked against NumPy."""

    @pytest.mark.parametrize("target", TARGETS)
    def test_shape_family(self, b, target):
        a = np.arange(24, dtype=F32).reshape(2, 3, 4)
        x = b.parameter(0, Shape(F32, a.shape))
        zero = b.constant(0)
        cases = [
            (ops.Transpose(x, [2, 0, 1]), a.transpose(2, 0, 1)),
            (ops.Rev(x, [1]), a[:, ::-1]),
            (ops.Reshape(x, [6, 4]), a.reshape(6, 4)),
            (ops.Collapse(x, [1, 2]), a.reshape(2, 12)),
            (ops.Slice(x, [0, 1, 0], [2, 3, 4], [1, 1, 2]), a[:, 1:3, ::2]),
            (ops.SliceInDim(x, 1, 4, 2, 2), a[:, :, 1:4:2]),
            (ops.ConcatInDim(b, [x, x], 1), np.concatenate([a, a], 1)),
            (ops.PadInDim(x, b.constant(9.0), 1, 1, 2), np.pad(a, [(0, 0), (1, 2), (0, 0)], constant_values=9)),
            (ops.DynamicSlice(x, [zero, b.constant(5), zero], [1, 2, 4]), a[:1, 1:]),
            (ops.DynamicSliceInDim(x, b.constant(1), 2, 2), a[:, :, 1:3]),
            (ops.Broadcast(x, [2]), np.broadcast_to(a, (2, *a.shape))),
            (ops.Iota(b, np.int32, 3), np.arange(3)),
            (ops.ZerosLike(x), np.zeros_like(a)),
            (ops.GetDimensionSize(x, 2), 4),
        ]
        found = run(b.build(ops.Tuple(b, [each for each, _ in cases])), a, target=target)
        for result, (_, expected) in zip(found, cases, strict=True):
            np.testing.assert_array_equal(result, expected)

    @pytest.mark.parametrize("target", TARGETS)
    def test_contractions(self, b, target):
        rng = np.random.default_rng(0)
        u, v = (rng.integers(-9, 9, shape).astype(F32) for shape in ((2, 3, 4), (2, 5, 4)))  # exact in every order
        x, y = b.parameter(0, Shape(F32, u.shape)), b.parameter(1, Shape(F32, v.shape))
        numbers = mlir_xla.DotDimensionNumbers([2], [2], [0], [0])
        product = ops.DotGeneral(x, y, numbers, precision_config="highest")
        image = ops.Reshape(x, [1, 2, 3, 4])
        kernel = ops.Reshape(ops.Slice(y, [0, 0, 0], [2, 4, 4]), [4, 2, 2, 2])
        nchw = ops.ConvWithGeneralPadding(image, kernel, [1, 1], [(1, 0), (0, 0)])
        last = mlir_xla.ConvDimensionNumbers(0, 3, (1, 2), 3, 2, (0, 1), 0, 3, (1, 2))
        nhwc = ops.ConvGeneralDilated(
            ops.Transpose(image, [0, 2, 3, 1]),
            ops.Transpose(kernel, [2, 3, 1, 0]),
            [1, 1],
            [(1, 0), (0, 0)],
            dimension_numbers=last,
        )
        found = run(b.build(ops.Tuple(b, [product, nchw, nhwc])), u, v, target=target)
        np.testing.assert_array_equal(found[0], np.einsum("bmk,bnk->bmn", u, v))
        assert found[1].shape == (1, 4, 3, 3)
        np.testing.assert_array_equal(found[2].transpose(0, 3, 1, 2), found[1])

    @pytest.mark.parametrize("target", TARGETS)
    def test_gather_and_scatter_of_rows(self, b, target):
        a = np.arange(12, dtype=F32).reshape(4, 3)
        x = b.parameter(0, Shape(F32, a.shape))
        indices = ops.ConstantR1(b, [2, 0])
        numbers = mlir_xla.GatherDimensionNumbers([1], [0], [0], 1)
        found = run(b.build(ops.Gather(x, indices, numbers, [1, 3])), a, target=target)
        np.testing.assert_array_equal(found, a[[2, 0]])

    @pytest.mark.parametrize("target", TARGETS)
    def test_normalization(self, b, target):
        a = np.float32([[1, 10], [3, 30]])
        x = b.parameter(0, Shape(F32, (2, 2)))
        scale, offset = b.constant(np.float32([1, 2])), b.constant(np.float32([0, 5]))
        normal, mean, variance = ops.BatchNormTraining(x, scale, offset, 0.0, 1)
        same = ops.BatchNormInference(x, scale, offset, mean, variance, 0.0, 1)
        gradients = ops.BatchNormGrad(x, scale, mean, variance, x, 0.0, 1)
        found = run(b.build(ops.Tuple(b, [normal, mean, variance, same, *gradients])), a, target=target)
        for result, expected in zip(found, ([[-1, 3], [1, 7]], [2, 20], [1, 100], [[-1, 3], [1, 7]]), strict=False):
            np.testing.assert_array_equal(result, expected)
        assert [each.shape for each in found[4:]] == [(2, 2), (2,), (2,)]

    @pytest.mark.parametrize("target", TARGETS)
    def test_conversions(self, b, target):
        a = np.float32([1.9, -1.9])
        x = b.parameter(0, Shape(F32, (2,)))
        results = [
            ops.ConvertElementType(x, np.int32),
            ops.BitcastConvertType(x, np.uint32),
            ops.BitcastConvertType(ops.BitcastConvertType(x, np.uint16), F32),
            ops.ReducePrecision(x, 8, 7),
            ops.Clamp(b.constant(-1.0), x, b.constant(1.0)),
            ops.OptimizationBarrier(ops.Tuple(b, [x, x]))[1],
            ops.LtTotalOrder(x, b.constant(0.0)),
            ops.Eq(x, x),
        ]
        expected = [[1, -1], a.view(np.uint32), a, a.astype(ml_dtypes.bfloat16), [1, -1], a, [False, True], [True] * 2]
        for result, wanted in zip(run(b.build(ops.Tuple(b, results)), a, target=target), expected, strict=True):
            np.testing.assert_array_equal(result, np.asarray(wanted).astype(result.dtype))

    def test_names_in_lower_case(self):
        assert ops.broadcast_in_dim is ops.BroadcastInDim
        assert ops.eq_total_order is ops.EqTotalOrder
        assert ops.and_ is ops.And

    def test_every_unary_function_exists_in_the_dialect(self, b):
        from mlir_xla.ops import elementwise

        x, n, c = (b.parameter(i, Shape(dtype, (2,))) for i, dtype in enumerate((F32, np.int32, np.complex64)))
        for name, function in vars(elementwise).items():
            if not name.startswith("_") and list(getattr(function, "__annotations__", {})) == ["operand", "return"]:
                operand = n if name in ("Not", "PopulationCount", "Clz") else c if name in ("Real", "Imag") else x
                assert function(operand).shape.dims == (2,), name
