# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the generated dialect modules and their hand-written extensions share.

The names and argument orders are fixed by `mlir-tblgen -gen-python-op-bindings`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Optional, TypeAlias, TypeVar, Union

from .._mlir_libs import _mlir

_cext = _mlir
__all__ = [
    "MixedInt",
    "MixedValues",
    "SubClassValueT",
    "dispatch_mixed_values",
    "equally_sized_accessor",
    "get_default_loc_context",
    "get_op_result_or_op_results",
    "get_op_result_or_value",
    "get_op_results_or_values",
    "segmented_accessor",
]

_ir = _cext.ir

SubClassValueT = TypeVar("SubClassValueT", bound=_ir.Value)

ResultValueTypeTuple = (_ir.Operation, _ir.OpView, _ir.Value)
ResultValueT: TypeAlias = Union[_ir.Operation, _ir.OpView, _ir.Value]
VariadicResultValueT: TypeAlias = Union[ResultValueT, Sequence[ResultValueT]]

MixedInt: TypeAlias = Union[int, _ir.IntegerAttr, ResultValueT]
MixedValues: TypeAlias = Union[Sequence[MixedInt], _ir.ArrayAttr, _ir.DenseI64ArrayAttr, ResultValueT]


def segmented_accessor(elements: Any, raw_segments: _ir.Attribute, idx: int) -> Any:
    """The `idx`-th group of `elements`, whose group sizes are listed in the attribute `raw_segments`."""
    segments = _ir.DenseI32ArrayAttr(raw_segments)
    start = sum(segments[i] for i in range(idx))
    return elements[start : start + segments[idx]]


def equally_sized_accessor(
    elements: Any, n_simple: int, n_variadic: int, n_preceding_simple: int, n_preceding_variadic: int
) -> tuple[int, int]:
    """Start and length of a variadic group, when all `n_variadic` groups of `elements` have the same length."""
    length = (len(elements) - n_simple) // n_variadic
    return n_preceding_simple + n_preceding_variadic * length, length


def get_default_loc_context(location: Optional[_ir.Location] = None) -> Optional[_ir.Context]:
    """The context of `location`, else of the current location, else None."""
    if location is None:
        current = _ir.Location.current
        return current.context if current else None
    return location.context


def get_op_result_or_value(arg: ResultValueT | _ir.OpResultList) -> _ir.Value:
    """The value that `arg` stands for: itself, or the single result of an operation."""
    if isinstance(arg, _ir.OpView):
        return arg.operation.result
    if isinstance(arg, _ir.Operation):
        return arg.result
    if isinstance(arg, _ir.OpResultList):
        return arg[0]
    return arg


def get_op_results_or_values(arg: ResultValueT | Iterable[ResultValueT]) -> Sequence[_ir.Value]:
    """The values that `arg` stands for: the results of an operation, a value, or those of a sequence's elements."""
    if isinstance(arg, _ir.OpView):
        return arg.operation.results
    if isinstance(arg, _ir.Operation):
        return arg.results
    if isinstance(arg, _ir.Value):
        return [arg]
    return [get_op_result_or_value(element) for element in arg]


def get_op_result_or_op_results(op: _ir.Operation | _ir.OpView) -> Any:
    """What a builder function returns: the only result, the list of several results, or the op if it has none."""
    results = op.results
    if len(results) == 1:
        return results[0]
    return results if len(results) > 1 else op


def dispatch_mixed_values(values: MixedValues) -> tuple[list[_ir.Value], Optional[_ir.Value], _ir.DenseI64ArrayAttr]:
    """Splits sizes given as a mix of ints, attributes and values into ODS's dynamic, packed and static parts.

    A single value is the packed form. In the static part a dynamic size is the marker `ShapedType.get_dynamic_size()`.
    """
    dynamic: list[_ir.Value] = []
    packed = None
    static: Union[_ir.DenseI64ArrayAttr, list[int], None] = None
    if values is None:
        static = []
    elif isinstance(values, _ir.ArrayAttr):
        static = [int(_ir.IntegerAttr(v)) for v in values]
    elif isinstance(values, _ir.DenseI64ArrayAttr):
        static = values
    elif isinstance(values, ResultValueTypeTuple):
        packed = get_op_result_or_value(values)
        static = []
    else:
        static = []
        for size in values:
            if isinstance(size, int):
                static.append(size)
            elif isinstance(size, _ir.IntegerAttr):
                static.append(int(size))
            else:
                static.append(_ir.ShapedType.get_dynamic_size())
                dynamic.append(get_op_result_or_value(size))
    if not isinstance(static, _ir.DenseI64ArrayAttr):
        static = _ir.DenseI64ArrayAttr.get(static)
    return dynamic, packed, static


def dispatch_dynamic_index_list(indices: Any) -> tuple[list[_ir.Value], list[int], list[bool]]:
    """Like `dispatch_mixed_values` for index lists in which `[size]` marks a scalable dimension.

    Returns the dynamic values, the static sizes and one scalable flag per index.
    """
    dynamic: list[_ir.Value] = []
    static: list[int] = []
    scalable: list[bool] = []
    elements: Iterable[Any] = indices if indices is not None else ()
    for index in elements:
        scalable.append(isinstance(index, (list, _ir.ArrayAttr)))
        if scalable[-1]:
            if len(index) != 1:
                raise ValueError("a scalable size is written as a list of one element")
            index = index[0]
        if isinstance(index, int):
            static.append(index)
        elif isinstance(index, _ir.IntegerAttr):
            static.append(int(index))
        elif isinstance(index, ResultValueTypeTuple):
            static.append(_ir.ShapedType.get_dynamic_size())
            dynamic.append(get_op_result_or_value(index))
        else:
            raise TypeError(f"expected an int, an integer attribute or a value, got {index!r}")
    return dynamic, static, scalable


def get_int_array_attr(values: Any) -> Optional[_ir.Attribute]:
    """An array attribute of i64 from a mix of ints and attributes; None stays None."""
    if values is None or isinstance(values, _ir.Attribute):
        return values
    i64 = _ir.IntegerType.get_signless(64)
    return _ir.ArrayAttr.get([v if isinstance(v, _ir.Attribute) else _ir.IntegerAttr.get(i64, v) for v in values])


def get_int_array_array_attr(values: Any) -> Optional[_ir.Attribute]:
    """An array attribute of integer array attributes from nested sequences; None stays None."""
    if values is None or isinstance(values, _ir.Attribute):
        return values
    return _ir.ArrayAttr.get([get_int_array_attr(v) for v in values])
