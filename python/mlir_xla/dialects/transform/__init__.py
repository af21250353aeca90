# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transform dialect: transformations of other IR, written as IR. Extensions are submodules (`structured`, ...)."""

from collections.abc import Mapping, Sequence
from typing import Optional, Union

from ..._mlir_libs._mlir._mlirDialectsTransform import *  # noqa: F401,F403
from ..._mlir_libs._mlir._mlirDialectsTransform import AnyOpType, AnyParamType, AnyValueType, OperationType
from ...ir import (
    ArrayAttr,
    Attribute,
    Block,
    BoolAttr,
    DictAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    Operation,
    OpView,
    StringAttr,
    SymbolRefAttr,
    Type,
    TypeAttr,
    Value,
)
from .. import _transform_ops_gen as _gen
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._ods_common import get_op_results_or_values as _get_op_results_or_values
from .._transform_enum_gen import *  # noqa: F401,F403
from .._transform_enum_gen import FailurePropagationMode
from .._transform_ops_gen import *  # noqa: F401,F403
from .._transform_ops_gen import _Dialect

_Handle = Union[Operation, OpView, Value]


def any_op_t() -> AnyOpType:
    return AnyOpType.get()


def any_param_t() -> AnyParamType:
    return AnyParamType.get()


def any_value_t() -> AnyValueType:
    return AnyValueType.get()


def operation_t(name: str) -> OperationType:
    return OperationType.get(name)


@_ods_cext.register_operation(_Dialect, replace=True)
class CastOp(_gen.CastOp):
    def __init__(self, result_type: Type, target: _Handle, *, loc=None, ip=None):
        super().__init__(result_type, _get_op_result_or_value(target), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class ApplyPatternsOp(_gen.ApplyPatternsOp):
    def __init__(
        self, target: _Handle, *, apply_cse=None, max_iterations=None, max_num_rewrites=None, loc=None, ip=None
    ):
        super().__init__(
            _get_op_result_or_value(target),
            apply_cse=apply_cse,
            max_iterations=max_iterations,
            max_num_rewrites=max_num_rewrites,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append()

    @property
    def patterns(self) -> Block:
        """The block of pattern descriptors."""
        return self.regions[0].blocks[0]


@_ods_cext.register_operation(_Dialect, replace=True)
class GetParentOp(_gen.GetParentOp):
    def __init__(
        self,
        result_type: Type,
        target: _Handle,
        *,
        isolated_from_above: bool = False,
        allow_empty_results: bool = False,
        op_name: Optional[str] = None,
        deduplicate: bool = False,
        nth_parent: int = 1,
        loc=None,
        ip=None,
    ):
        super().__init__(
            result_type,
            _get_op_result_or_value(target),
            isolated_from_above=isolated_from_above,
            allow_empty_results=allow_empty_results,
            op_name=op_name,
            deduplicate=deduplicate,
            nth_parent=nth_parent,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class MergeHandlesOp(_gen.MergeHandlesOp):
    def __init__(self, handles: Sequence[_Handle], *, deduplicate: bool = False, loc=None, ip=None):
        super().__init__(
            [_get_op_result_or_value(handle) for handle in handles], deduplicate=deduplicate, loc=loc, ip=ip
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class ReplicateOp(_gen.ReplicateOp):
    def __init__(self, pattern: _Handle, handles: Sequence[_Handle], *, loc=None, ip=None):
        values = [_get_op_result_or_value(handle) for handle in handles]
        super().__init__([value.type for value in values], _get_op_result_or_value(pattern), values, loc=loc, ip=ip)


class _WithBodyTarget:
    """Members of operations whose block's first argument is the handle to transform."""

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]

    @property
    def bodyTarget(self) -> Value:
        return self.body.arguments[0]

    @property
    def bodyExtraArgs(self):
        return self.body.arguments[1:]


@_ods_cext.register_operation(_Dialect, replace=True)
class SequenceOp(_WithBodyTarget, _gen.SequenceOp):
    """A sequence of transformations of one handle."""

    def __init__(
        self,
        failure_propagation_mode,
        results: Sequence[Type],
        target: Union[_Handle, Type],
        extra_bindings=None,
        *,
        loc=None,
        ip=None,
    ):
        """Creates a sequence with an empty body.

        Args:
            target: The handle to transform, or the type of the argument of a top-level sequence.
            extra_bindings: Further handles, or types of further arguments.
        """
        root = None if isinstance(target, Type) else _get_op_result_or_value(target)
        root_type = target if root is None else root.type
        extra = extra_bindings if extra_bindings is not None else []
        if isinstance(extra, (Operation, OpView)):
            extra = extra.results
        extra = list(extra)
        if extra and isinstance(extra[0], Type):
            bindings, extra_types = [], extra
        else:
            bindings = [_get_op_result_or_value(binding) for binding in extra]
            extra_types = [binding.type for binding in bindings]
        super().__init__(results, failure_propagation_mode, bindings, root=root, loc=loc, ip=ip)
        self.regions[0].blocks.append(root_type, *extra_types)


@_ods_cext.register_operation(_Dialect, replace=True)
class NamedSequenceOp(_WithBodyTarget, _gen.NamedSequenceOp):
    """A sequence with a name: a function of the transform dialect."""

    def __init__(
        self,
        sym_name,
        input_types: Sequence[Type],
        result_types: Sequence[Type],
        *,
        sym_visibility=None,
        arg_attrs=None,
        res_attrs=None,
        loc=None,
        ip=None,
    ):
        super().__init__(
            sym_name,
            TypeAttr.get(FunctionType.get(list(input_types), list(result_types))),
            sym_visibility=sym_visibility,
            arg_attrs=_dictionaries(arg_attrs),
            res_attrs=_dictionaries(res_attrs),
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(*input_types)

    def apply(self, payload, transform_options=None):
        """Applies the sequence to `payload`; see `interpreter.apply_named_sequence`."""
        from .interpreter import apply_named_sequence

        return apply_named_sequence(payload, self, self.operation.parent, transform_options)


def _dictionaries(attrs):
    if attrs is None or isinstance(attrs, Attribute):
        return attrs
    return ArrayAttr.get([a if isinstance(a, Attribute) else DictAttr.get(a) for a in attrs])


def named_sequence(sym_name, input_types, result_types, **kwargs):
    """Decorator: a named sequence whose body the function builds."""
    from ...extras.meta import region_op

    def decorate(function):
        build = region_op(lambda: NamedSequenceOp(sym_name or function.__name__, input_types, result_types, **kwargs))
        return build()(function)

    return decorate


@_ods_cext.register_operation(_Dialect, replace=True)
class YieldOp(_gen.YieldOp):
    def __init__(self, operands=None, *, loc=None, ip=None):
        super().__init__(_get_op_results_or_values(operands) if operands is not None else [], loc=loc, ip=ip)


def yield_(operands=None, *, loc=None, ip=None) -> YieldOp:
    return YieldOp(operands, loc=loc, ip=ip)


OptionValue = Union[Sequence, Attribute, Value, Operation, OpView, str, int, bool]


@_ods_cext.register_operation(_Dialect, replace=True)
class ApplyRegisteredPassOp(_gen.ApplyRegisteredPassOp):
    """Runs a registered pass on the payload."""

    def __init__(
        self,
        result: Type,
        target: _Handle,
        pass_name: Union[str, StringAttr],
        *,
        options: Optional[Mapping[Union[str, StringAttr], OptionValue]] = None,
        loc=None,
        ip=None,
    ):
        """Creates the operation; the values of options are Python values, attributes or param handles."""
        dynamic: list[Value] = []

        def to_attribute(value) -> Attribute:
            if isinstance(value, Attribute):
                return value
            if isinstance(value, bool):
                return BoolAttr.get(value)
            if isinstance(value, int):
                return IntegerAttr.get(IntegerType.get_signless(64), value)
            if isinstance(value, str):
                return StringAttr.get(value)
            if isinstance(value, (Operation, OpView, Value)):
                dynamic.append(_get_op_result_or_value(value))
                return Attribute.parse(f"#transform.param_operand<index={len(dynamic) - 1}>")
            if isinstance(value, Sequence):
                return ArrayAttr.get([to_attribute(item) for item in value])
            raise TypeError(f"Unsupported option type: {type(value)}")

        # Sorted as the dictionary will be, so that operands are numbered in the order of printing.
        named = {key.value if isinstance(key, StringAttr) else key: value for key, value in (options or {}).items()}
        attribute = DictAttr.get({key: to_attribute(named[key]) for key in sorted(named)})
        super().__init__(result, _get_op_result_or_value(target), pass_name, dynamic, options=attribute, loc=loc, ip=ip)


def apply_registered_pass(result: Type, target, pass_name, *, options=None, loc=None, ip=None) -> Value:
    return _get_op_result_or_op_results(
        ApplyRegisteredPassOp(result, target, pass_name, options=options, loc=loc, ip=ip)
    )


@_ods_cext.register_operation(_Dialect, replace=True)
class IncludeOp(_gen.IncludeOp):
    """Applies a named sequence as part of another."""

    def __init__(
        self,
        results: Sequence[Type],
        target,
        failure_propagation_mode=None,
        operands: Optional[Sequence[_Handle]] = None,
        *,
        loc=None,
        ip=None,
    ):
        if isinstance(target, str):
            target = SymbolRefAttr.get([target])
        if failure_propagation_mode is None:
            failure_propagation_mode = FailurePropagationMode.Propagate
        values = [_get_op_result_or_value(operand) for operand in operands or []]
        super().__init__(results, target, failure_propagation_mode, values, loc=loc, ip=ip)


def include(results, target, failure_propagation_mode=None, operands=None, *, loc=None, ip=None):
    return _get_op_result_or_op_results(IncludeOp(results, target, failure_propagation_mode, operands, loc=loc, ip=ip))


@_ods_cext.register_operation(_Dialect, replace=True)
class ForeachOp(_gen.ForeachOp):
    """Runs its body for each payload operation of the targets."""

    def __init__(self, results: Sequence[Type], targets, *, with_zip_shortest: bool = False, loc=None, ip=None):
        targets = list(_get_op_results_or_values(targets))
        super().__init__(results, targets, with_zip_shortest=with_zip_shortest, loc=loc, ip=ip)
        self.regions[0].blocks.append(*[target.type for target in targets])

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]

    @property
    def bodyTargets(self):
        return self.body.arguments
