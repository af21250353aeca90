# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The builtin dialect: modules and unrealized conversion casts."""

from collections.abc import Mapping
from typing import Optional

from ..extras.meta import region_op
from ..ir import Attribute, Block, Location, Module, StringAttr  # noqa: F401 - Module is upstream's name here, too
from ._builtin_ops_gen import *  # noqa: F401,F403
from ._builtin_ops_gen import ModuleOp as _GeneratedModuleOp
from ._builtin_ops_gen import _Dialect
from ._ods_common import _cext as _ods_cext


@_ods_cext.register_operation(_Dialect, replace=True)
class ModuleOp(_GeneratedModuleOp):
    """A module operation, whose single block is created with it."""

    def __init__(self, *, sym_name=None, sym_visibility=None, loc: Optional[Location] = None, ip=None):
        super().__init__(sym_name=sym_name, sym_visibility=sym_visibility, loc=loc, ip=ip)
        self.regions[0].blocks.append()

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]


@region_op
def module(*, sym_name=None, sym_visibility=None, attrs: Optional[Mapping[str, Attribute]] = None, loc=None, ip=None):
    """Decorator: a module, with further attributes `attrs`, whose body the function builds."""
    if isinstance(sym_name, str):
        sym_name = StringAttr.get(sym_name)
    op = ModuleOp(sym_name=sym_name, sym_visibility=sym_visibility, loc=loc, ip=ip)
    for name, attribute in (attrs or {}).items():
        op.attributes[name] = attribute
    return op
