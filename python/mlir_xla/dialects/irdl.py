# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The IRDL dialect: dialects defined as IR, which `load_dialects` makes usable."""

from collections.abc import Sequence
from typing import Union

from .._mlir_libs._mlir._mlirDialectsIRDL import _variadicity_array, load_dialects  # noqa: F401
from ..ir import Block, register_attribute_builder
from . import _irdl_ops_gen as _gen
from ._irdl_enum_gen import *  # noqa: F401,F403
from ._irdl_enum_gen import Variadicity
from ._irdl_ops_gen import *  # noqa: F401,F403
from ._irdl_ops_gen import _Dialect
from ._ods_common import _cext as _ods_cext


@register_attribute_builder("VariadicityArrayAttr")
def _build_variadicities(values: Sequence[Union[str, Variadicity]], context):
    return _variadicity_array([str(value) for value in values], context)


class _WithBody:
    """An operation whose single block is created with it."""

    def __init__(self, sym_name, *, loc=None, ip=None):
        super().__init__(sym_name, loc=loc, ip=ip)
        self.regions[0].blocks.append()

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]


@_ods_cext.register_operation(_Dialect, replace=True)
class DialectOp(_WithBody, _gen.DialectOp):
    """A dialect."""


@_ods_cext.register_operation(_Dialect, replace=True)
class OperationOp(_WithBody, _gen.OperationOp):
    """An operation of the dialect."""


@_ods_cext.register_operation(_Dialect, replace=True)
class TypeOp(_WithBody, _gen.TypeOp):
    """A type of the dialect."""


@_ods_cext.register_operation(_Dialect, replace=True)
class AttributeOp(_WithBody, _gen.AttributeOp):
    """An attribute of the dialect."""


def dialect(sym_name, *, loc=None, ip=None) -> DialectOp:
    return DialectOp(sym_name, loc=loc, ip=ip)


def operation_(sym_name, *, loc=None, ip=None) -> OperationOp:
    return OperationOp(sym_name, loc=loc, ip=ip)


def type_(sym_name, *, loc=None, ip=None) -> TypeOp:
    return TypeOp(sym_name, loc=loc, ip=ip)


def attribute(sym_name, *, loc=None, ip=None) -> AttributeOp:
    return AttributeOp(sym_name, loc=loc, ip=ip)
