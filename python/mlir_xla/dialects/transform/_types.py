# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How extension operations whose result types may be left out tell types and handles apart."""

from ..._mlir_libs._mlir._mlirDialectsTransform import AnyOpType
from ...ir import Type
from .. import _transform_ops_gen  # noqa: F401 - registers the dialect
from .._ods_common import get_op_result_or_value


def split_types(arguments, count: int, what: str):
    """`count` result types and the remaining arguments; the types are `!transform.any_op` if none are given."""
    given = 0
    while given < len(arguments) and isinstance(arguments[given], Type):
        given += 1
    if given not in (0, count):
        raise TypeError(f"{what} takes {count} result types or none, got {given}")
    types = list(arguments[:given]) or [AnyOpType.get()] * count
    return types, list(arguments[given:])


def take(arguments, keyword, name: str):
    """The next positional argument, or the keyword argument of that name."""
    if arguments:
        if keyword is not None:
            raise TypeError(f"got two values for {name}")
        return arguments.pop(0)
    if keyword is None:
        raise TypeError(f"missing argument {name}")
    return keyword


def take_handle(arguments, keyword, name: str = "target"):
    return get_op_result_or_value(take(arguments, keyword, name))
