# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arith dialect: constants and arithmetic on integers, floats, vectors and tensors of them."""

from array import array as _array
from typing import Any, Optional, Protocol, Union

from ..ir import (
    Attribute,
    DenseElementsAttr,
    FloatAttr,
    FloatType,
    IndexType,
    InsertionPoint,
    IntegerAttr,
    IntegerType,
    Location,
    OpResult,
    ShapedType,
    Type,
)
from ._arith_enum_gen import *  # noqa: F401,F403
from ._arith_ops_gen import *  # noqa: F401,F403
from ._arith_ops_gen import ConstantOp as _GeneratedConstantOp
from ._arith_ops_gen import _Dialect
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_default_loc_context as _get_default_loc_context
from ._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results


class _NumPyArray(Protocol):
    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...


def _is_any_of(obj: Type, classes) -> bool:
    return isinstance(obj, tuple(classes))


def _is_integer_like_type(type: Type) -> bool:
    return _is_any_of(type, [IntegerType, IndexType])


def _is_float_type(type: Type) -> bool:
    return isinstance(type, FloatType)


@_ods_cext.register_operation(_Dialect, replace=True)
class ConstantOp(_GeneratedConstantOp):
    """A constant of integer, index, float, vector or tensor type."""

    def __init__(
        self,
        result: Type,
        value: Union[int, float, Attribute, _array, _NumPyArray],
        *,
        loc: Optional[Location] = None,
        ip: Optional[InsertionPoint] = None,
    ):
        """Creates a constant of type `result` from a number, an attribute or an array (for shaped types)."""
        if isinstance(value, Attribute):
            attribute = value
        elif isinstance(value, int) and _is_integer_like_type(result):
            attribute = IntegerAttr.get(result, value)
        elif isinstance(value, (int, float)) and isinstance(result, FloatType):
            attribute = FloatAttr.get(result, value, loc=loc)
        elif isinstance(value, _array) and value.typecode in "fdbBhHiIlLqQ" and isinstance(result, ShapedType):
            attribute = DenseElementsAttr.get(value, type=result, context=_get_default_loc_context(loc))
        elif isinstance(result, ShapedType) and isinstance(value, (int, float)):
            element = result.element_type
            scalar = (
                IntegerAttr.get(element, value) if _is_integer_like_type(element) else FloatAttr.get(element, value)
            )
            attribute = DenseElementsAttr.get_splat(result, scalar)
        elif isinstance(result, ShapedType) and hasattr(value, "__array__"):
            attribute = DenseElementsAttr.get(value, type=result, context=_get_default_loc_context(loc))
        else:
            raise NotImplementedError(
                "Building `arith.constant` not supported for "
                f"result={result}, value={value!r}; only integers, floats, arrays and attributes are"
            )
        # The attribute must have the type of the result, which the operation infers from it.
        super().__init__(attribute, results=[result], loc=loc, ip=ip)

    @classmethod
    def create_index(
        cls, value: int, *, loc: Optional[Location] = None, ip: Optional[InsertionPoint] = None
    ) -> "ConstantOp":
        """A constant of index type."""
        return cls(IndexType.get(context=_get_default_loc_context(loc)), value, loc=loc, ip=ip)

    @property
    def type(self) -> Type:
        return self.results[0].type

    @property
    def value(self) -> Attribute:
        return self.operation.attributes["value"]

    @property
    def literal_value(self) -> Union[int, float]:
        if _is_integer_like_type(self.type):
            return IntegerAttr(self.value).value
        if _is_float_type(self.type):
            return FloatAttr(self.value).value
        raise ValueError("only integer and float constants have literal values")


def constant(
    result: Type,
    value: Union[int, float, Attribute, _array, _NumPyArray],
    *,
    loc: Optional[Location] = None,
    ip: Optional[InsertionPoint] = None,
) -> OpResult:
    """The value of a new constant; see `ConstantOp`."""
    return _get_op_result_or_op_results(ConstantOp(result, value, loc=loc, ip=ip))
