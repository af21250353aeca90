# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of the wrong kind: every function says so at the user's line, whatever it is given."""

import inspect
import traceback
import types

import numpy as np
import pytest

from mlir_xla import Shape, ShapeError, XlaBuilder, XlaError, ops

F32 = np.float32
SCALAR = Shape(F32)


def scalar_computation(operation=ops.Add):
    builder = XlaBuilder("combine")
    return builder.build(operation(builder.parameter(0, SCALAR), builder.parameter(1, SCALAR)))


def vectors_step():
    """A step of `Scan`: the carried vector plus a row, twice."""
    builder = XlaBuilder("step")
    row, total = (builder.parameter(i, Shape(F32, (2,))) for i in range(2))
    return builder.build(ops.Tuple(builder, [ops.Add(row, total), ops.Add(row, total)]))


def identity(shape, result=None):
    builder = XlaBuilder("identity")
    parameter = builder.parameter(0, shape)
    return builder.build(parameter if result is None else result(builder))


class Program:
    """A builder, and the values that valid calls take."""

    def __init__(self):
        self.b = XlaBuilder("test")
        self.x = self.b.parameter(0, Shape(F32, (2, 2)))
        self.i = self.b.constant(0)
        self.c = self.b.constant(0.0)
        self.p = self.b.constant(True)
        self.image = self.b.constant(np.ones((1, 1, 4), F32))
        self.features = self.b.constant(np.ones(2, F32))
        self.sum = scalar_computation()

    def calls(self):
        """Arguments with which each function that is not elementwise can be called."""
        b, x, i, c, p, add = self.b, self.x, self.i, self.c, self.p, self.sum
        image, features = self.image, self.features
        windows = (c, add, [2, 2], [1, 1])
        negate = identity(Shape(F32, (2, 2)))
        rows = ops.GatherDimensionNumbers([0], [0], [0], 0)
        scattered = ops.ScatterDimensionNumbers([0], [0], [0], 0)
        conv = ops.ConvDimensionNumbers.default(1)
        greater = scalar_computation(ops.Gt)
        norms = (features, features)
        less = scalar_computation(ops.Lt)
        ragged = ops.RaggedDotDimensionNumbers(ops.DotDimensionNumbers([1], [1]), [0], [0])
        step = vectors_step()
        return {
            "AfterAll": (b, [ops.CreateToken(b)]),
            "BatchNormGrad": (x, features, *norms, x, 0.1, 1),
            "BatchNormInference": (x, features, *norms, features, 0.1, 1),
            "BatchNormTraining": (x, *norms, 0.1, 1),
            "BitcastConvertType": (x, np.int32),
            "Broadcast": (x, [2]),
            "BroadcastInDim": (x, [2, 2, 2], [0, 1]),
            "Call": (b, negate, [x]),
            "Clamp": (c, x, c),
            "Collapse": (x, [0, 1]),
            "ConcatInDim": (b, [x, x], 0),
            "Conditional": (p, x, negate, x, negate),
            "Constant": (b, 1.0, F32),
            "ConstantLiteral": (b, np.ones(2)),
            "ConstantR0": (b, 1.0),
            "ConstantR1": (b, [1.0]),
            "Conv": (image, image, [1], "SAME", 1, 1, "HIGH"),
            "ConvGeneralDilated": (image, image, [1], [(3, 3)], [1], [1], conv, 1, 1, ["HIGH", "HIGH"], [False]),
            "ConvWithGeneralPadding": (image, image, [1], [(3, 3)], [1], [1], 1, 1),
            "ConvertElementType": (x, np.int32),
            "CreateToken": (b,),
            "CustomCall": (b, "f", [x], SCALAR),
            "Dot": (x, x, "HIGHEST"),
            "DotGeneral": (x, x, ops.DotDimensionNumbers([1], [0]), None),
            "DynamicSlice": (x, [i, i], [1, 1]),
            "DynamicSliceInDim": (x, i, 1, 0),
            "DynamicUpdateSlice": (x, x, [i, i]),
            "Cholesky": (x, True),
            "Fft": (x, "RFFT", [2]),
            "Gather": (x, ops.Reshape(i, [1]), rows, [1, 2], True),
            "GetDimensionSize": (x, 0),
            "GetTupleElement": (ops.Tuple(b, [x]), 0),
            "Iota": (b, Shape(F32, (2,)), 0),
            "Map": (b, [x, x], add, [0, 1]),
            "OptimizationBarrier": (x,),
            "Pad": (x, c, [(0, 0, 0), (1, 1, 1)]),
            "PadInDim": (x, c, 0, 1, 1),
            "Parameter": (b, 1, SCALAR, "name"),
            "Polygamma": (x, x),
            "RaggedDot": (x, ops.Reshape(x, [1, 2, 2]), ops.Reshape(i, [1]), ragged, None),
            "Reduce": (x, c, add, [0]),
            "ReduceAll": (x, c, add),
            "ReducePrecision": (x, 5, 10),
            "ReduceWindow": (x, *windows, "SAME", [1, 1], [1, 1]),
            "ReduceWindowWithGeneralPadding": (x, *windows, [1, 1], [1, 1], [(0, 0), (0, 0)]),
            "Reshape": (x, [4], [0, 1]),
            "Rev": (x, [0]),
            "RngBitGenerator": (ops.RandomAlgorithm.RNG_PHILOX, b.constant(np.zeros(3, np.uint64)), SCALAR),
            "RngNormal": (c, c, SCALAR),
            "RngUniform": (c, c, SCALAR),
            "Scan": (x, features, step, 0, False, None),
            "Scatter": (x, ops.Reshape(i, [1]), features, add, scattered, True, True),
            "Select": (p, x, x),
            "SelectAndScatter": (x, greater, [2, 2], [1, 1], "VALID", ops.Reshape(c, [1, 1]), c, add),
            "Slice": (x, [0, 0], [2, 2], [1, 1]),
            "SliceInDim": (x, 0, 1, 1, 0),
            "Sort": ([x], less, 0, True),
            "TopK": (x, 1),
            "Transpose": (x, [1, 0]),
            "TriangularSolve": (x, x, True, True, False, "TRANSPOSE"),
            "Tuple": (b, [x, x]),
            "While": (identity(SCALAR, lambda body: body.constant(False)), identity(SCALAR), c),
            "Zeros": (b, SCALAR),
            "ZerosLike": (x,),
            "Zeta": (x, x),
        }

    def arguments(self, name):
        calls = self.calls()
        if name in calls:
            return calls[name]
        integers = name in INTEGERS or name.startswith("Shift")
        x = ops.ConvertElementType(self.x, np.int32) if integers else self.x
        return (x, x, [0, 1]) if "lhs" in inspect.signature(getattr(ops, name)).parameters else (x,)


class Strange:
    pass


NONSENSE = [
    None,
    1.5,
    "ab",
    b"ab",
    -1,
    2**70,
    True,
    [None],
    [[1]],
    [1.5],
    ["a"],
    {},
    {"a": 1},
    (1, 2, 3),
    [[1, 2, 3]],
    Strange(),
    Strange,
    np.ones(3, F32),
    np.ones((2, 2, 2)),
    np.array(["a"]),
    SCALAR,
    Shape.tuple([SCALAR]),
    Shape.token(),
    ops.DotDimensionNumbers(None, 3),
    ops.GatherDimensionNumbers(None, 3),
    ops.ScatterDimensionNumbers(None, 3),
    ops.ConvDimensionNumbers(None, 0, 0, "a", 0, 0, 0, 0, 0),
    ops.ConvDimensionNumbers.default(5),
    ops.PaddingConfig(None),
    ops.PaddingConfig([ops.PaddingDimension(None)]),
    ops.Precision.HIGH,
    ops.Padding.SAME,
]
INTEGERS = ("Mulhi", "And", "Or", "Xor", "Not", "Clz", "PopulationCount")
NAMES = [name for name in ops.__all__ if isinstance(getattr(ops, name), types.FunctionType)]


def fits(function, arguments):
    """Whether a call succeeds; if not, it must have raised what this file says."""
    try:
        function(*arguments)
    except XlaError as error:
        assert str(error).startswith(f"{__file__}:"), str(error)
        assert error.op and error.op[0].isupper(), str(error)
        frames = traceback.extract_tb(error.__traceback__)
        assert len(frames) <= 2, frames
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_every_argument(name):
    """Each argument in turn replaced by something else, which fits or is an XlaError, and nothing else."""
    program = Program()
    function, valid = getattr(ops, name), program.arguments(name)
    assert fits(function, valid)
    others = [*NONSENSE, program.x, ops.Tuple(program.b, [program.x]), ops.CreateToken(program.b), [program.x], program]
    others += [program.b, program.sum, [program.sum], identity(SCALAR), XlaBuilder("other").constant(1.0)]
    rejected = 0
    for position in range(len(valid)):
        for other in others:
            rejected += not fits(function, [*valid[:position], other, *valid[position + 1 :]])
    assert rejected or name == "Constant"


def test_message():
    program = Program()
    with pytest.raises(XlaError) as caught:
        ops.Tanh(np.ones(3, F32))
    line = caught.traceback[0].lineno + 1
    assert str(caught.value) == (
        f"{__file__}:{line}:9: Tanh: operand is array([1., 1., 1.], dtype=float32), not an XlaOp"
    )
    x, c = program.x, program.c
    for call, message in [
        (lambda: ops.Tanh(None), "Tanh: operand is None, not an XlaOp"),
        (lambda: ops.Dot(x, 1.0), "Dot: rhs is 1.0, not an XlaOp"),
        (lambda: ops.Dot(x, rhs=1.0), "Dot: rhs is 1.0, not an XlaOp"),
        (lambda: ops.Gather(x, x, None, [1]), "Gather: dimension_numbers is None, not a GatherDimensionNumbers"),
        (lambda: ops.While(None, None, x), "While: condition is None, not an XlaComputation"),
        (lambda: ops.Conditional(x), "Conditional: true_operand is None, not an XlaOp"),
        (lambda: ops.Conditional(x, [None], [x]), r"branch_computations\[0\] is None, not an XlaComputation"),
        (lambda: ops.Reshape(x, None), "Reshape: new_sizes is None, not a sequence of integers"),
        (lambda: ops.Transpose(x, "ab"), "Transpose: permutation is 'ab', not a sequence of integers"),
        (lambda: ops.Transpose(x, [0, 1.5]), r"Transpose: permutation\[1\] is 1.5, not an integer"),
        (lambda: ops.Parameter(None, 0, SCALAR), "Parameter: builder is None, not an XlaBuilder"),
        (lambda: ops.Parameter(program.b, "a", SCALAR), "Parameter: parameter_number is 'a', not an integer"),
        (lambda: program.b.parameter("a", SCALAR), "Parameter: number is 'a', not an integer"),
        (lambda: program.b.build(3), "Build: root is 3, not an XlaOp"),
        (lambda: XlaBuilder(3), "XlaBuilder: name is 3, not a string"),
        (lambda: ops.Reduce([x, 1], [c, c], None, [0]), r"Reduce: operand\[1\] is 1, not an XlaOp"),
        (lambda: ops.Reduce([], [], program.sum, [0]), r"Reduce: \[Reduce-C1\] there is no operand"),
        (lambda: ops.Dot(x, x, "fast"), "Dot: precision 'FAST' is neither DEFAULT nor HIGH nor HIGHEST"),
        (
            lambda: ops.DotGeneral(x, x, ops.DotDimensionNumbers(None)),
            r"dimension_numbers.lhs_contracting_dimensions is None, not a sequence of integers",
        ),
        (lambda: ops.CustomCall(program.b, "f", [x], SCALAR, a=None), "CustomCall: None is not the value of"),
    ]:
        with pytest.raises(XlaError, match=f"{__file__}:.*{message}"):
            call()


def test_tracebacks_end_in_the_users_line():
    program = Program()
    x = program.x
    for call in (lambda: ops.Tanh(1), lambda: ops.Reshape(x, [5]), lambda: x + program.features, lambda: x % 1j):
        with pytest.raises(XlaError) as caught:
            call()
        *_, user, package = traceback.extract_tb(caught.value.__traceback__)
        assert user.filename == __file__ and package.filename != __file__


def test_shift_of_the_dtype():
    """To the right, unsigned integers of any width shift zeros in."""
    for dtype, name in [(np.uint8, "logical"), ("u4", "logical"), (np.int8, "arithmetic"), ("s4", "arithmetic")]:
        builder = XlaBuilder("test")
        assert f"shift_right_{name}" in str(builder.build(builder.parameter(0, Shape(dtype)) >> 1))
    program = Program()
    with pytest.raises(ShapeError, match=r"ShiftRight: \[G-C5\]"):
        ops.Tuple(program.b, [program.x]) >> 1


def test_numbers_and_arrays_beside_a_value():
    """Elementwise binary functions take what the operators take, one of the two at least being a value."""
    program = Program()
    b, x = program.b, program.x
    ones = np.ones((2, 2), F32)
    for other in (1, 2.5, True, F32(3), ones):
        assert ops.Max(x, other).shape == ops.Max(other, x).shape == x.shape
        assert ops.Lt(other, x).shape == Shape(bool, (2, 2))
    assert ops.Add(np.ones(2, F32), x, broadcast_dimensions=[1]).shape == x.shape
    assert "xla.constant dense<2.500000e+00> : tensor<f32>" in str(b.build(ops.Sub(2.5, x)))
    x = Program().x
    with pytest.raises(ShapeError, match=r"Add: \[BC-C10\]"):
        ops.Add(x, np.float64(1))
    with pytest.raises(XlaError, match="Add: neither 1 nor 2.0 is an XlaOp"):
        ops.Add(1, 2.0)
    with pytest.raises(XlaError, match="Add: rhs is 'one', not an XlaOp, a number, a NumPy value or an array"):
        ops.Add(x, "one")
    with pytest.raises(ShapeError, match=r"Add: \[G-C5\]"):
        ops.Add(ops.Tuple(x.builder, [x]), 1)


def test_sequences_of_any_kind():
    x = Program().x
    assert ops.Transpose(x, np.array([1, 0])).shape == x.shape
    assert ops.Transpose(x, (d for d in (1, 0))).shape == x.shape
    assert ops.Reshape(x, range(4, 5)).shape == Shape(F32, (4,))
    numbers = ops.DotDimensionNumbers(np.array([1]), (np.int64(0),))
    assert ops.DotGeneral(x, x, numbers).shape == x.shape
    windows = (np.int64([2, 2]), np.int64([1, 1]), "VALID", np.int64([1, 1]), np.int64([1, 1]))
    assert ops.ReduceWindow(x, x.builder.constant(0.0), scalar_computation(), *windows).shape == Shape(F32, (1, 1))
    rows = ops.GatherDimensionNumbers([0], [0], [0], np.int64(0))
    assert ops.Gather(x, x.builder.constant([0]), rows, [1, 2]).shape == Shape(F32, (2,))
