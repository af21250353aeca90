# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that work element by element: arithmetic, comparisons, functions, conversions, select, clamp and map.

Binary operations and comparisons broadcast: see `broadcast_dimensions` in `_broadcasting.py`. As with Python's
operators, one of the two operands may be a Python number, which takes the other's element type, or a NumPy value, which
keeps its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..builder import Operand, XlaBuilder, XlaComputation, XlaOp
from ..shape import DTypeLike, Shape, element_dtype
from ._broadcasting import broadcast

_Dimensions = Sequence[int] | None


def _unary(label: str, name: str, operand: XlaOp) -> XlaOp:
    return operand.builder.emit(label, name, [operand])


def _binary(label: str, name: str, lhs: Operand, rhs: Operand, dimensions: _Dimensions) -> XlaOp:
    operands = broadcast(label, lhs, rhs, dimensions)
    return operands[0].builder.emit(label, name, operands)


def Abs(operand: XlaOp) -> XlaOp:
    """The absolute value; of a complex number its modulus.

    Example:
        >>> run(ops.Abs(value([-1.5, 2])))
        array([1.5, 2. ], dtype=float32)
    """
    return _unary("Abs", "abs", operand)


def Neg(operand: XlaOp) -> XlaOp:
    """The negation.

    Example:
        >>> run(ops.Neg(value([1, -2])))
        array([-1,  2], dtype=int32)
    """
    return _unary("Neg", "negate", operand)


def Sign(operand: XlaOp) -> XlaOp:
    """-1, 0 or 1; zeros keep their sign; of a complex number its direction.

    Example:
        >>> run(ops.Sign(value([-3.0, -0.0, 2.0, np.nan])))
        array([-1., -0.,  1., nan], dtype=float32)
    """
    return _unary("Sign", "sign", operand)


def Ceil(operand: XlaOp) -> XlaOp:
    """The smallest integer that is not less.

    Example:
        >>> run(ops.Ceil(value([-0.5, 1.2])))
        array([-0.,  2.], dtype=float32)
    """
    return _unary("Ceil", "ceil", operand)


def Floor(operand: XlaOp) -> XlaOp:
    """The largest integer that is not greater.

    Example:
        >>> run(ops.Floor(value([-0.5, 1.2])))
        array([-1.,  1.], dtype=float32)
    """
    return _unary("Floor", "floor", operand)


def Round(operand: XlaOp) -> XlaOp:
    """The nearest integer, ties away from zero.

    Example:
        >>> run(ops.Round(value([0.5, 1.5, 2.5, -0.5])))
        array([ 1.,  2.,  3., -1.], dtype=float32)
    """
    return _unary("Round", "round_nearest_afz", operand)


def RoundNearestEven(operand: XlaOp) -> XlaOp:
    """The nearest integer, ties to even.

    Example:
        >>> run(ops.RoundNearestEven(value([0.5, 1.5, 2.5, -0.5])))
        array([ 0.,  2.,  2., -0.], dtype=float32)
    """
    return _unary("RoundNearestEven", "round_nearest_even", operand)


def Sqrt(operand: XlaOp) -> XlaOp:
    """The square root.

    Example:
        >>> run(ops.Sqrt(value([4.0, 2.25, -1.0])))
        array([2. , 1.5, nan], dtype=float32)
    """
    return _unary("Sqrt", "sqrt", operand)


def Rsqrt(operand: XlaOp) -> XlaOp:
    """One divided by the square root.

    Example:
        >>> run(ops.Rsqrt(value([4.0, 0.0])))
        array([0.5, inf], dtype=float32)
    """
    return _unary("Rsqrt", "rsqrt", operand)


def Cbrt(operand: XlaOp) -> XlaOp:
    """The real cube root.

    Example:
        >>> run(ops.Cbrt(value([-8.0, 27.0])))
        array([-2.,  3.], dtype=float32)
    """
    return _unary("Cbrt", "cbrt", operand)


def Exp(operand: XlaOp) -> XlaOp:
    """The exponential function.

    Example:
        >>> run(ops.Exp(value([0.0, 1.0])))
        array([1.    , 2.7183], dtype=float32)
    """
    return _unary("Exp", "exponential", operand)


def Expm1(operand: XlaOp) -> XlaOp:
    """`exp(x) - 1`, accurate near 0.

    Example:
        >>> run(ops.Expm1(value([0.0, 1.0])))
        array([0.    , 1.7183], dtype=float32)
    """
    return _unary("Expm1", "exponential_minus_one", operand)


def Log(operand: XlaOp) -> XlaOp:
    """The natural logarithm.

    Example:
        >>> run(ops.Log(value([1.0, 10.0, 0.0])))
        array([0.    , 2.3026,   -inf], dtype=float32)
    """
    return _unary("Log", "log", operand)


def Log1p(operand: XlaOp) -> XlaOp:
    """`log(1 + x)`, accurate near 0.

    Example:
        >>> run(ops.Log1p(value([0.0, 9.0])))
        array([0.    , 2.3026], dtype=float32)
    """
    return _unary("Log1p", "log_plus_one", operand)


def Logistic(operand: XlaOp) -> XlaOp:
    """`1 / (1 + exp(-x))`.

    Example:
        >>> run(ops.Logistic(value([-np.inf, 0.0, 1.0])))
        array([0.    , 0.5   , 0.7311], dtype=float32)
    """
    return _unary("Logistic", "logistic", operand)


def Sin(operand: XlaOp) -> XlaOp:
    """The sine.

    Example:
        >>> run(ops.Sin(value([0.0, 1.0])))
        array([0.    , 0.8415], dtype=float32)
    """
    return _unary("Sin", "sine", operand)


def Cos(operand: XlaOp) -> XlaOp:
    """The cosine.

    Example:
        >>> run(ops.Cos(value([0.0, 1.0])))
        array([1.    , 0.5403], dtype=float32)
    """
    return _unary("Cos", "cosine", operand)


def Tan(operand: XlaOp) -> XlaOp:
    """The tangent.

    Example:
        >>> run(ops.Tan(value([0.0, 1.0])))
        array([0.    , 1.5574], dtype=float32)
    """
    return _unary("Tan", "tan", operand)


def Tanh(operand: XlaOp) -> XlaOp:
    """The hyperbolic tangent.

    Example:
        >>> run(ops.Tanh(value([0.0, 1.0])))
        array([0.    , 0.7616], dtype=float32)
    """
    return _unary("Tanh", "tanh", operand)


def Sinh(operand: XlaOp) -> XlaOp:
    """The hyperbolic sine.

    Example:
        >>> run(ops.Sinh(value([0.0, 1.0])))
        array([0.    , 1.1752], dtype=float32)
    """
    return _unary("Sinh", "sinh", operand)


def Cosh(operand: XlaOp) -> XlaOp:
    """The hyperbolic cosine.

    Example:
        >>> run(ops.Cosh(value([0.0, 1.0])))
        array([1.    , 1.5431], dtype=float32)
    """
    return _unary("Cosh", "cosh", operand)


def Asin(operand: XlaOp) -> XlaOp:
    """The inverse sine.

    Example:
        >>> run(ops.Asin(value([0.0, 1.0])))
        array([0.    , 1.5708], dtype=float32)
    """
    return _unary("Asin", "asin", operand)


def Acos(operand: XlaOp) -> XlaOp:
    """The inverse cosine.

    Example:
        >>> run(ops.Acos(value([0.0, 1.0])))
        array([1.5708, 0.    ], dtype=float32)
    """
    return _unary("Acos", "acos", operand)


def Atan(operand: XlaOp) -> XlaOp:
    """The inverse tangent.

    Example:
        >>> run(ops.Atan(value([0.0, 1.0])))
        array([0.    , 0.7854], dtype=float32)
    """
    return _unary("Atan", "atan", operand)


def Asinh(operand: XlaOp) -> XlaOp:
    """The inverse hyperbolic sine.

    Example:
        >>> run(ops.Asinh(value([0.0, 1.0])))
        array([0.    , 0.8814], dtype=float32)
    """
    return _unary("Asinh", "asinh", operand)


def Acosh(operand: XlaOp) -> XlaOp:
    """The inverse hyperbolic cosine.

    Example:
        >>> run(ops.Acosh(value([1.0, 2.0])))
        array([0.   , 1.317], dtype=float32)
    """
    return _unary("Acosh", "acosh", operand)


def Atanh(operand: XlaOp) -> XlaOp:
    """The inverse hyperbolic tangent.

    Example:
        >>> run(ops.Atanh(value([0.0, 0.5])))
        array([0.    , 0.5493], dtype=float32)
    """
    return _unary("Atanh", "atanh", operand)


def Erf(operand: XlaOp) -> XlaOp:
    """The error function.

    Example:
        >>> run(ops.Erf(value([0.0, 1.0])))
        array([0.    , 0.8427], dtype=float32)
    """
    return _unary("Erf", "erf", operand)


def Erfc(operand: XlaOp) -> XlaOp:
    """The complementary error function.

    Example:
        >>> run(ops.Erfc(value([0.0, 1.0])))
        array([1.    , 0.1573], dtype=float32)
    """
    return _unary("Erfc", "erfc", operand)


def ErfInv(operand: XlaOp) -> XlaOp:
    """The inverse error function.

    Example:
        >>> run(ops.ErfInv(value([0.0, 0.5])))
        array([0.    , 0.4769], dtype=float32)
    """
    return _unary("ErfInv", "erf_inv", operand)


def Lgamma(operand: XlaOp) -> XlaOp:
    """The logarithm of the gamma function's absolute value.

    Example:
        >>> run(ops.Lgamma(value([1.0, 5.0])))
        array([0.    , 3.1781], dtype=float32)
    """
    return _unary("Lgamma", "lgamma", operand)


def Digamma(operand: XlaOp) -> XlaOp:
    """The derivative of the logarithm of the gamma function.

    Example:
        >>> run(ops.Digamma(value([1.0, 2.0])))
        array([-0.5772,  0.4228], dtype=float32)
    """
    return _unary("Digamma", "digamma", operand)


def BesselI1e(operand: XlaOp) -> XlaOp:
    """The modified Bessel function of the first kind of order 1, times `e^-|operand|`.

    Example:
        >>> run(ops.BesselI1e(value([0.0, 1.0])))
        array([0.    , 0.2079], dtype=float32)
    """
    return _unary("BesselI1e", "bessel_i1e", operand)


def Real(operand: XlaOp) -> XlaOp:
    """The real part.

    Example:
        >>> run(ops.Real(value([1 + 2j])))
        array([1.], dtype=float32)
    """
    return _unary("Real", "real", operand)


def Imag(operand: XlaOp) -> XlaOp:
    """The imaginary part.

    Example:
        >>> run(ops.Imag(value([1 + 2j])))
        array([2.], dtype=float32)
    """
    return _unary("Imag", "imag", operand)


def Conj(operand: XlaOp) -> XlaOp:
    """The complex conjugate.

    Example:
        >>> run(ops.Conj(value([1 + 2j])))
        array([1.-2.j], dtype=complex64)
    """
    return _unary("Conj", "conj", operand)


def Square(operand: XlaOp) -> XlaOp:
    """The square.

    Example:
        >>> run(ops.Square(value([3, -4])))
        array([ 9, 16], dtype=int32)
    """
    return _unary("Square", "square", operand)


def IsFinite(operand: XlaOp) -> XlaOp:
    """Whether the number is neither infinite nor NaN.

    Example:
        >>> run(ops.IsFinite(value([1.0, np.inf, np.nan])))
        array([ True, False, False])
    """
    return _unary("IsFinite", "is_finite", operand)


def Not(operand: XlaOp) -> XlaOp:
    """Logical not of pred, bitwise not of integers.

    Example:
        >>> run(ops.Not(value([5, -1])))
        array([-6,  0], dtype=int32)
    """
    return _unary("Not", "not", operand)


def PopulationCount(operand: XlaOp) -> XlaOp:
    """The number of bits that are set.

    Example:
        >>> run(ops.PopulationCount(value([5, -1])))
        array([ 2, 32], dtype=int32)
    """
    return _unary("PopulationCount", "popcnt", operand)


def Clz(operand: XlaOp) -> XlaOp:
    """The number of leading zero bits.

    Example:
        >>> run(ops.Clz(value([1, 0, -1])))
        array([31, 32,  0], dtype=int32)
    """
    return _unary("Clz", "count_leading_zeros", operand)


def Reciprocal(operand: XlaOp) -> XlaOp:
    """One divided by the operand.

    Example:
        >>> run(ops.Reciprocal(value([2.0, 4.0])))
        array([0.5 , 0.25], dtype=float32)
    """
    return Div(operand.builder.constant(1, operand.dtype), operand)


def Add(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """The sum; integers wrap.

    Example:
        >>> x = value([[1, 2, 3], [4, 5, 6]])
        >>> run(ops.Add(x, value([10, 20, 30]), broadcast_dimensions=[1]))
        array([[11, 22, 33],
               [14, 25, 36]], dtype=int32)
    """
    return _binary("Add", "add", lhs, rhs, broadcast_dimensions)


def Sub(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """The difference; integers wrap.

    Example:
        >>> run(ops.Sub(value([1, 2]), value([3, 5])))
        array([-2, -3], dtype=int32)
    """
    return _binary("Sub", "subtract", lhs, rhs, broadcast_dimensions)


def Mul(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """The product; integers wrap.

    Example:
        >>> run(ops.Mul(value([1, 2]), value([3, 5])))
        array([ 3, 10], dtype=int32)
    """
    return _binary("Mul", "multiply", lhs, rhs, broadcast_dimensions)


def Div(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """The quotient; integers truncate toward zero.

    Example:
        >>> run(ops.Div(value([7, -7]), value([2, 2])))
        array([ 3, -3], dtype=int32)
    """
    return _binary("Div", "divide", lhs, rhs, broadcast_dimensions)


def Rem(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """The remainder, with the sign of `lhs`.

    Example:
        >>> run(ops.Rem(value([7, -7]), value([3, 3])))
        array([ 1, -1], dtype=int32)
    """
    return _binary("Rem", "remainder", lhs, rhs, broadcast_dimensions)


def Pow(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """`lhs` to the power of `rhs`.

    Example:
        >>> run(ops.Pow(value([2.0, 3.0]), value([3.0, 2.0])))
        array([8., 9.], dtype=float32)
    """
    return _binary("Pow", "power", lhs, rhs, broadcast_dimensions)


def Max(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """The larger; NaN if either is NaN.

    Example:
        >>> run(ops.Max(value([1.0, np.nan]), value([2.0, 0.0])))
        array([ 2., nan], dtype=float32)
    """
    return _binary("Max", "maximum", lhs, rhs, broadcast_dimensions)


def Min(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """The smaller; NaN if either is NaN.

    Example:
        >>> run(ops.Min(value([1.0, np.nan]), value([2.0, 0.0])))
        array([ 1., nan], dtype=float32)
    """
    return _binary("Min", "minimum", lhs, rhs, broadcast_dimensions)


def And(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Logical and of pred, bitwise and of integers.

    Example:
        >>> run(ops.And(value([12, 5]), value([10, 3])))
        array([8, 1], dtype=int32)
    """
    return _binary("And", "and", lhs, rhs, broadcast_dimensions)


def Or(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Logical or of pred, bitwise or of integers.

    Example:
        >>> run(ops.Or(value([12, 5]), value([10, 3])))
        array([14,  7], dtype=int32)
    """
    return _binary("Or", "or", lhs, rhs, broadcast_dimensions)


def Xor(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Exclusive or.

    Example:
        >>> run(ops.Xor(value([12, 5]), value([10, 3])))
        array([6, 6], dtype=int32)
    """
    return _binary("Xor", "xor", lhs, rhs, broadcast_dimensions)


def ShiftLeft(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """`lhs << rhs`.

    Example:
        >>> run(ops.ShiftLeft(value([1, 3]), value([4, 1])))
        array([16,  6], dtype=int32)
    """
    return _binary("ShiftLeft", "shift_left", lhs, rhs, broadcast_dimensions)


def ShiftRightArithmetic(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """`lhs >> rhs`, filled with copies of the top bit.

    Example:
        >>> run(ops.ShiftRightArithmetic(value([-8, 8]), value([1, 1])))
        array([-4,  4], dtype=int32)
    """
    return _binary("ShiftRightArithmetic", "shift_right_arithmetic", lhs, rhs, broadcast_dimensions)


def ShiftRightLogical(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """`lhs >> rhs`, filled with zeros.

    Example:
        >>> run(ops.ShiftRightLogical(value([-8, 8]), value([1, 1])))
        array([2147483644,          4], dtype=int32)
    """
    return _binary("ShiftRightLogical", "shift_right_logical", lhs, rhs, broadcast_dimensions)


def Atan2(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """The angle of the point with the coordinates y = `lhs`, x = `rhs`.

    Example:
        >>> run(ops.Atan2(value([1.0, 0.0]), value([0.0, -1.0])))
        array([1.5708, 3.1416], dtype=float32)
    """
    return _binary("Atan2", "atan2", lhs, rhs, broadcast_dimensions)


def Zeta(x: Operand, q: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Hurwitz' zeta function: the sum of `(q + n)^-x` over n >= 0. NaN for `x < 1`, infinite for `x = 1`.

    Example:
        >>> run(ops.Zeta(value([2.0, 4.0]), value([1.0, 1.0])))
        array([1.6449, 1.0823], dtype=float32)
    """
    return _binary("Zeta", "zeta", x, q, broadcast_dimensions)


def Polygamma(n: Operand, x: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """The derivative of `Digamma` of order n at x; n has the element type of x and is whole.

    Example:
        >>> run(ops.Polygamma(value([1.0, 2.0]), value([1.0, 1.0])))
        array([ 1.6449, -2.4041], dtype=float32)
    """
    return _binary("Polygamma", "polygamma", n, x, broadcast_dimensions)


def NextAfter(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """The number next to `lhs` on the way to `rhs`, in their element type.

    Example:
        >>> run(ops.NextAfter(value([0.0]), value([1.0])))
        array([0.], dtype=float32)
    """
    return _binary("NextAfter", "next_after", lhs, rhs, broadcast_dimensions)


def Mulhi(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """The upper half of the product, of which `Mul` gives the lower one.

    Example:
        >>> run(ops.Mulhi(value([2**30, -1]), value([8, 1])))
        array([ 2, -1], dtype=int32)
    """
    return _binary("Mulhi", "mulhi", lhs, rhs, broadcast_dimensions)


def Complex(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """`lhs + i rhs`.

    Example:
        >>> run(ops.Complex(value([1.0, 2.0]), value([3.0, 4.0])))
        array([1.+3.j, 2.+4.j], dtype=complex64)
    """
    return _binary("Complex", "complex", lhs, rhs, broadcast_dimensions)


def Select(pred: XlaOp, on_true: XlaOp, on_false: XlaOp) -> XlaOp:
    """Each element from `on_true` where `pred` holds, else from `on_false`.

    A scalar `pred` selects one of the two, which then may be tuples.

    Example:
        >>> run(ops.Select(value([True, False]), value([1, 2]), value([10, 20])))
        array([ 1, 20], dtype=int32)
    """
    builder = pred.builder
    if not on_true.shape.is_tuple:
        return builder.emit("Select", "select", [pred, on_true, on_false])
    if on_true.shape != on_false.shape:
        builder.fail("Select", f"the choices have different shapes, {on_true.shape} and {on_false.shape}", "Select-C2")
    if pred.shape.rank != 0:
        builder.fail("Select", f"tuples are selected by a scalar, not {pred.shape}", "Select-C4")
    pairs = zip(on_true.elements, on_false.elements, strict=True)
    return builder.make_tuple([Select(pred, a, b) for a, b in pairs])


def Clamp(min: XlaOp, operand: XlaOp, max: XlaOp) -> XlaOp:
    """`min(max(min, operand), max)`; the bounds have the operand's dimensions or are scalars.

    Example:
        >>> run(ops.Clamp(value(0), value([-1, 5, 9]), value(6)))
        array([0, 5, 6], dtype=int32)
    """
    return operand.builder.emit("Clamp", "clamp", [min, operand, max])


def ConvertElementType(operand: XlaOp, new_element_type: DTypeLike) -> XlaOp:
    """The values in another element type; floats become integers by truncation.

    Example:
        >>> run(ops.ConvertElementType(value([1.9, -1.9]), np.int32))
        array([ 1, -1], dtype=int32)
    """
    shape = Shape(_element_type("ConvertElementType", operand, new_element_type), operand.shape.dims)
    return operand.builder.emit("ConvertElementType", "convert", [operand], results=[shape])


def BitcastConvertType(operand: XlaOp, new_element_type: DTypeLike) -> XlaOp:
    """The bits as another element type. Narrower elements get a last dimension of their own, wider ones use one up.

    Example:
        >>> run(ops.BitcastConvertType(value(0x01020304), np.int8))
        array([4, 3, 2, 1], dtype=int8)
    """
    dtype = _element_type("BitcastConvertType", operand, new_element_type)
    old, new = (_bits(each) for each in (operand.dtype, dtype))
    dims = operand.shape.dims
    if old > new:
        dims = (*dims, old // new)
    elif new > old:
        if not dims or dims[-1] * old != new:
            operand.builder.fail(
                "BitcastConvertType",
                f"{operand.shape} does not end in a dimension of {new}/{old} elements, which would make one {dtype}",
                "BitcastConvertType-C3",
            )
        dims = dims[:-1]
    return operand.builder.emit("BitcastConvertType", "bitcast_convert", [operand], results=[Shape(dtype, dims)])


def ReducePrecision(operand: XlaOp, exponent_bits: int, mantissa_bits: int) -> XlaOp:
    """Rounded to a float format with that many bits, and back.

    Example:
        >>> run(ops.ReducePrecision(value([3.14159, 70000.0]), exponent_bits=5, mantissa_bits=10))
        array([3.1406,    inf], dtype=float32)
    """
    attributes = {"exponent_bits": f"{int(exponent_bits)} : i32", "mantissa_bits": f"{int(mantissa_bits)} : i32"}
    return operand.builder.emit("ReducePrecision", "reduce_precision", [operand], attributes)


def Map(
    builder: XlaBuilder,
    operands: Sequence[XlaOp],
    computation: XlaComputation,
    dimensions: Sequence[int] | None = None,
    static_operands: Sequence[XlaOp] = (),
) -> XlaOp:
    """A scalar computation applied to the elements at each index. `dimensions`, if given, are all of them in order.

    Example:
        >>> f = XlaBuilder("f")
        >>> half = f.build(ops.Mul(ops.Parameter(f, 0, Shape(np.float32)), 0.5))
        >>> run(ops.Map(b, [value([1.0, 2.0])], half))
        array([0.5, 1. ], dtype=float32)
    """
    if static_operands:
        builder.fail("Map", "static operands are not supported", "Map-C6")
    if not operands:
        builder.fail("Map", "there is no operand", "Map-C1")
    shape = operands[0].shape
    result = computation.program_shape.result
    if not result.is_array or result.rank:
        builder.fail("Map", f"the computation returns {result}, not a scalar", "Map-C3")
    attributes = {"dimensions": list(range(shape.rank)) if dimensions is None else dimensions}
    results = [Shape(result.dtype, shape.dims)]
    return builder.emit("Map", "map", operands, attributes, results=results, computations=[(computation, None)])


def _bits(dtype: np.dtype) -> int:
    if dtype.name.startswith(("int", "uint")):
        return int(dtype.name.partition("int")[2])
    if dtype.name.startswith(("float4", "float6")):
        return int(dtype.name[len("float")])
    return 1 if dtype == np.bool_ else 8 * dtype.itemsize


def _element_type(label: str, operand: XlaOp, dtype: DTypeLike) -> np.dtype:
    try:
        return element_dtype(dtype)
    except ValueError as error:
        operand.builder.fail(label, str(error))
