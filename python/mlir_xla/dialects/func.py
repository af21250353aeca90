# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The func dialect: functions, calls and returns, and Python functions as the bodies of `func.func`."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from ..ir import (
    ArrayAttr,
    Block,
    BlockArgumentList,
    DictAttr,
    FlatSymbolRefAttr,
    FunctionType,
    InsertionPoint,
    Location,
    Operation,
    OpView,
    Region,
    StringAttr,
    Type,
    TypeAttr,
)
from ._func_ops_gen import *  # noqa: F401,F403
from ._func_ops_gen import CallOp as _GeneratedCallOp
from ._func_ops_gen import ConstantOp as _GeneratedConstantOp
from ._func_ops_gen import FuncOp as _GeneratedFuncOp
from ._func_ops_gen import ReturnOp, _Dialect
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_default_loc_context as _get_default_loc_context

ARGUMENT_ATTRIBUTE_NAME = "arg_attrs"
RESULT_ATTRIBUTE_NAME = "res_attrs"


@_ods_cext.register_operation(_Dialect, replace=True)
class ConstantOp(_GeneratedConstantOp):
    """Makes an SSA value of a function symbol."""

    @property
    def type(self) -> Type:
        return self.results[0].type


@_ods_cext.register_operation(_Dialect, replace=True)
class FuncOp(_GeneratedFuncOp):
    """A function with a name and a body, or a declaration."""

    def __init__(
        self,
        name: Union[str, StringAttr],
        type: Union[FunctionType, TypeAttr, tuple[Sequence[Type], Sequence[Type]]],
        *,
        visibility: Union[str, StringAttr, None] = None,
        body_builder: Optional[Callable[["FuncOp"], Any]] = None,
        loc: Optional[Location] = None,
        ip: Optional[InsertionPoint] = None,
    ):
        """Creates a function without a body, or with the one that `body_builder` builds.

        Args:
            name: The symbol's name.
            type: A function type, or a tuple of input types and result types.
            visibility: `public`, `private` or `nested`; public when absent.
            body_builder: Called with the new function; the insertion point is in its entry block. If it raises, the
                function is erased.
        """
        context = _get_default_loc_context(loc)
        if isinstance(type, tuple):
            type = FunctionType.get(list(type[0]), list(type[1]), context=context)
        if not isinstance(type, TypeAttr):
            type = TypeAttr.get(type)
        if not isinstance(name, StringAttr):
            name = StringAttr.get(str(name), context=context)
        if visibility is not None and not isinstance(visibility, StringAttr):
            visibility = StringAttr.get(str(visibility), context=context)
        super().__init__(name, type, sym_visibility=visibility, loc=loc, ip=ip)
        if body_builder:
            try:
                with InsertionPoint(self.add_entry_block()):
                    body_builder(self)
            except BaseException:
                self.operation.erase()
                raise

    @property
    def is_external(self) -> bool:
        """Whether the function is a declaration."""
        return len(self.regions[0].blocks) == 0

    @property
    def body(self) -> Region:
        return self.regions[0]

    @property
    def type(self) -> FunctionType:
        return FunctionType(TypeAttr(self.attributes["function_type"]).value)

    @property
    def visibility(self) -> Optional[StringAttr]:
        return self.attributes["sym_visibility"] if "sym_visibility" in self.attributes else None

    @property
    def name(self) -> StringAttr:
        return StringAttr(self.attributes["sym_name"])

    @property
    def entry_block(self) -> Block:
        if self.is_external:
            raise IndexError("External function does not have a body")
        return self.regions[0].blocks[0]

    def add_entry_block(self, arg_locs: Optional[Sequence[Location]] = None) -> Block:
        """Adds the entry block, whose arguments have the function's input types."""
        if not self.is_external:
            raise IndexError("The function already has an entry block!")
        self.body.blocks.append(*self.type.inputs, arg_locs=arg_locs)
        return self.body.blocks[0]

    @property
    def arg_attrs(self) -> ArrayAttr:
        if ARGUMENT_ATTRIBUTE_NAME not in self.attributes:
            return ArrayAttr.get([DictAttr.get({}) for _ in self.type.inputs])
        return ArrayAttr(self.attributes[ARGUMENT_ATTRIBUTE_NAME])

    @arg_attrs.setter
    def arg_attrs(self, attribute: Union[ArrayAttr, list]):
        if not isinstance(attribute, ArrayAttr):
            attribute = ArrayAttr.get(attribute)
        self.attributes[ARGUMENT_ATTRIBUTE_NAME] = attribute

    @property
    def arguments(self) -> BlockArgumentList:
        return self.entry_block.arguments

    @property
    def result_attrs(self) -> ArrayAttr:
        return self.attributes[RESULT_ATTRIBUTE_NAME]

    @result_attrs.setter
    def result_attrs(self, attribute: ArrayAttr):
        self.attributes[RESULT_ATTRIBUTE_NAME] = attribute

    @classmethod
    def from_py_func(
        cls,
        *inputs: Type,
        results: Optional[Sequence[Type]] = None,
        name: Optional[str] = None,
        loc: Optional[Location] = None,
        ip: Optional[InsertionPoint] = None,
    ) -> Callable[[Callable[..., Any]], Any]:
        """Decorator: the Python function builds the body of a `func.func` when it is decorated.

        It gets one value per type in `inputs`, and the new operation as `func_op` if it has such a parameter. What it
        returns (None, a value, or a sequence of values) becomes the `func.return`; with explicit `results` it may
        create the terminator itself and return nothing. The decorated function, when called, creates a `func.call`;
        its attribute `func_op` is the operation.
        """

        def decorator(f):
            parameters = inspect.signature(f).parameters
            has_func_op = "func_op" in parameters or any(
                p.kind == inspect.Parameter.VAR_KEYWORD for p in parameters.values()
            )
            symbol = name or f.__name__
            input_types = list(inputs)
            context = _get_default_loc_context(loc)
            func_op = FuncOp(
                name=symbol,
                type=FunctionType.get(input_types, list(results) if results is not None else [], context=context),
                loc=loc,
                ip=ip,
            )
            try:
                with InsertionPoint(func_op.add_entry_block()):
                    kwargs = {"func_op": func_op} if has_func_op else {}
                    returned = f(*func_op.entry_block.arguments, **kwargs)
                    values = _to_values(returned)
                    if results is None:
                        ReturnOp(values)
                        result_types = [v.type for v in values]
                        function_type = FunctionType.get(input_types, result_types, context=context)
                        func_op.attributes["function_type"] = TypeAttr.get(function_type)
                    else:
                        if returned is not None:
                            raise AssertionError(
                                "Capturing a python function with explicit `results=` "
                                "requires that the wrapped function returns None."
                            )
                        result_types = list(results)
            except BaseException:
                func_op.operation.erase()
                raise

            def emit_call_op(*call_args):
                call = CallOp(
                    result_types,
                    FlatSymbolRefAttr.get(symbol, context=func_op.operation.context),
                    _to_values(call_args),
                )
                if len(result_types) == 0:
                    return None
                return call.results[0] if len(result_types) == 1 else call.results

            wrapped = emit_call_op
            wrapped.__name__ = f.__name__
            wrapped.func_op = func_op
            return wrapped

        return decorator


def _to_values(returned) -> list:
    """The values of what a Python function returned."""
    if returned is None:
        return []
    if isinstance(returned, (Operation, OpView)):
        return list(returned.results)
    if not isinstance(returned, Sequence):
        return [returned]
    values = []
    for item in returned:
        values.extend(item.results if isinstance(item, (Operation, OpView)) else [item])
    return values


func = FuncOp.from_py_func


@_ods_cext.register_operation(_Dialect, replace=True)
class CallOp(_GeneratedCallOp):
    """A direct call of a function."""

    def __init__(
        self,
        calleeOrResults: Union[FuncOp, Sequence[Type]],
        argumentsOrCallee: Union[Sequence, str, FlatSymbolRefAttr],
        arguments: Optional[Sequence] = None,
        *,
        arg_attrs=None,
        res_attrs=None,
        no_inline=None,
        loc: Optional[Location] = None,
        ip: Optional[InsertionPoint] = None,
    ):
        """Three forms: `CallOp(func_op, args)`, `CallOp(types, "name", args)`, `CallOp(types, reference, args)`."""
        if isinstance(calleeOrResults, FuncOp):
            if not isinstance(argumentsOrCallee, Sequence) or isinstance(argumentsOrCallee, str):
                raise ValueError(
                    "when constructing a call to a function, expected "
                    "the second argument to be a list of call arguments, "
                    f"got {type(argumentsOrCallee)}"
                )
            if arguments is not None:
                raise ValueError("unexpected third argument when constructing a call to a function")
            result_types = calleeOrResults.type.results
            callee = FlatSymbolRefAttr.get(calleeOrResults.name.value, context=_get_default_loc_context(loc))
            arguments = argumentsOrCallee
        else:
            if not isinstance(argumentsOrCallee, (str, FlatSymbolRefAttr)):
                raise ValueError(
                    "when constructing a call to a function by name, expected "
                    "the second argument to be a string or a FlatSymbolRefAttr, "
                    f"got {type(argumentsOrCallee)}"
                )
            if arguments is None:
                raise ValueError("missing the arguments of a call to a function by name")
            result_types = calleeOrResults
            callee = argumentsOrCallee
            if isinstance(callee, str):
                callee = FlatSymbolRefAttr.get(callee, context=_get_default_loc_context(loc))
        super().__init__(
            result_types,
            callee,
            arguments,
            arg_attrs=arg_attrs,
            res_attrs=res_attrs,
            no_inline=no_inline,
            loc=loc,
            ip=ip,
        )
