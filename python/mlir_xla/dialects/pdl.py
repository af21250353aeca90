# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pdl dialect: rewrite patterns as IR."""

from collections.abc import Mapping, Sequence
from typing import Optional, Union

from .._mlir_libs._mlir._mlirDialectsPDL import *  # noqa: F401,F403
from .._mlir_libs._mlir._mlirDialectsPDL import AttributeType, OperationType, RangeType, TypeType, ValueType
from ..extras.meta import region_op
from ..ir import ArrayAttr, Block, StringAttr, Type, TypeAttr
from . import _pdl_ops_gen as _gen
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_op_result_or_value as _get_value
from ._ods_common import get_op_results_or_values as _get_values
from ._pdl_ops_gen import *  # noqa: F401,F403
from ._pdl_ops_gen import _Dialect


def _optional(value):
    return None if value is None else _get_value(value)


@_ods_cext.register_operation(_Dialect, replace=True)
class ApplyNativeConstraintOp(_gen.ApplyNativeConstraintOp):
    def __init__(self, results, name, args: Optional[Sequence] = None, *, isNegated=None, loc=None, ip=None):
        super().__init__(results, name, _get_values(args or []), isNegated=isNegated, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class ApplyNativeRewriteOp(_gen.ApplyNativeRewriteOp):
    def __init__(self, results, name, args: Optional[Sequence] = None, *, loc=None, ip=None):
        super().__init__(results, name, _get_values(args or []), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class AttributeOp(_gen.AttributeOp):
    def __init__(self, valueType=None, value=None, *, loc=None, ip=None):
        super().__init__(AttributeType.get(), valueType=_optional(valueType), value=value, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class EraseOp(_gen.EraseOp):
    def __init__(self, operation=None, *, loc=None, ip=None):
        super().__init__(_get_value(operation), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class OperandOp(_gen.OperandOp):
    def __init__(self, type=None, *, loc=None, ip=None):
        super().__init__(ValueType.get(), valueType=_optional(type), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class OperandsOp(_gen.OperandsOp):
    def __init__(self, types=None, *, loc=None, ip=None):
        super().__init__(RangeType.get(ValueType.get()), valueType=_optional(types), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class OperationOp(_gen.OperationOp):
    def __init__(
        self,
        name: Union[str, StringAttr, None] = None,
        args: Optional[Sequence] = None,
        attributes: Optional[Mapping[str, object]] = None,
        types: Optional[Sequence] = None,
        *,
        loc=None,
        ip=None,
    ):
        attributes = attributes or {}
        super().__init__(
            OperationType.get(),
            _get_values(args or []),
            [_get_value(value) for value in attributes.values()],
            ArrayAttr.get([StringAttr.get(key) for key in attributes]),
            _get_values(types or []),
            opName=name,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class PatternOp(_gen.PatternOp):
    def __init__(self, benefit, name=None, *, loc=None, ip=None):
        super().__init__(benefit, sym_name=name, loc=loc, ip=ip)
        self.regions[0].blocks.append()

    @property
    def body(self) -> Block:
        """The block of matching operations; it ends in a `pdl.rewrite`."""
        return self.regions[0].blocks[0]


@_ods_cext.register_operation(_Dialect, replace=True)
class ReplaceOp(_gen.ReplaceOp):
    def __init__(self, op, *, with_op=None, with_values: Optional[Sequence] = None, loc=None, ip=None):
        super().__init__(
            _get_value(op), _get_values(with_values or []), replOperation=_optional(with_op), loc=loc, ip=ip
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class ResultOp(_gen.ResultOp):
    def __init__(self, parent, index: int, *, loc=None, ip=None):
        super().__init__(ValueType.get(), _get_value(parent), index, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class ResultsOp(_gen.ResultsOp):
    def __init__(self, result: Type, parent, index: Optional[int] = None, *, loc=None, ip=None):
        super().__init__(result, _get_value(parent), index=index, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class RewriteOp(_gen.RewriteOp):
    def __init__(self, root=None, name=None, args: Optional[Sequence] = None, *, loc=None, ip=None):
        super().__init__(_get_values(args or []), root=_optional(root), name=name, loc=loc, ip=ip)

    def add_body(self) -> Block:
        """Adds the block of rewriting operations."""
        self.regions[0].blocks.append()
        return self.body

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]


@_ods_cext.register_operation(_Dialect, replace=True)
class TypeOp(_gen.TypeOp):
    def __init__(self, constantType=None, *, loc=None, ip=None):
        if isinstance(constantType, Type):
            constantType = TypeAttr.get(constantType)
        super().__init__(TypeType.get(), constantType=constantType, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class TypesOp(_gen.TypesOp):
    def __init__(self, constantTypes: Optional[Sequence] = None, *, loc=None, ip=None):
        if constantTypes is not None and not isinstance(constantTypes, ArrayAttr):
            types = [TypeAttr.get(t) if isinstance(t, Type) else t for t in constantTypes]
            constantTypes = ArrayAttr.get(types)
        super().__init__(RangeType.get(TypeType.get()), constantTypes=constantTypes, loc=loc, ip=ip)


@region_op
def pattern(benefit, sym_name=None, *, loc=None, ip=None):
    """Decorator: a `pdl.pattern` whose body the function builds; it ends with a `rewrite`."""
    return PatternOp(benefit, sym_name, loc=loc, ip=ip)


@region_op
def rewrite(*, root=None, name=None, external_args=None, loc=None, ip=None):
    """Decorator: a `pdl.rewrite` whose body the function builds."""
    return RewriteOp(root, name, external_args, loc=loc, ip=ip)
