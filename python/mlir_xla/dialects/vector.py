# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The vector dialect."""

from ..extras.meta import region_op
from ..ir import ArrayAttr, Attribute, Block, register_attribute_builder
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_op_results_or_values as _get_op_results_or_values
from ._vector_enum_gen import *  # noqa: F401,F403
from ._vector_ops_gen import *  # noqa: F401,F403
from ._vector_ops_gen import MaskOp as _GeneratedMaskOp
from ._vector_ops_gen import YieldOp, _Dialect


@register_attribute_builder("Vector_IteratorTypeArrayAttr")
def _iterator_types(values, context) -> ArrayAttr:
    def make(value) -> Attribute:
        return value if isinstance(value, Attribute) else Attribute.parse(f"#vector.iterator_type<{value}>", context)

    return ArrayAttr.get([make(value) for value in values], context=context)


@_ods_cext.register_operation(_Dialect, replace=True)
class MaskOp(_GeneratedMaskOp):
    """Predicates the operation in its region."""

    def __init__(self, results_, mask, *, passthru=None, loc=None, ip=None):
        super().__init__(results_, mask, passthru=passthru, loc=loc, ip=ip)
        self.regions[0].blocks.append()

    @property
    def block(self) -> Block:
        return self.regions[0].blocks[0]


def _yield(results):
    return YieldOp(_get_op_results_or_values(results) if results else [])


mask = region_op(MaskOp, terminator=_yield)
mask.__doc__ = "Decorator: a `vector.mask` whose region the function builds; it returns what is yielded."
