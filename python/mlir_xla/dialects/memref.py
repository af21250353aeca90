# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memref dialect, with inference of the type of a subview."""

import operator
from collections.abc import Sequence
from itertools import accumulate
from typing import Optional

from ..ir import Location, MemRefType, OpResult, ShapedType, StridedLayoutAttr, Value
from ._memref_ops_gen import *  # noqa: F401,F403
from ._memref_ops_gen import LoadOp as _GeneratedLoadOp
from ._memref_ops_gen import SubViewOp, _Dialect
from ._ods_common import MixedValues
from ._ods_common import _cext as _ods_cext
from ._ods_common import dispatch_mixed_values as _dispatch_mixed_values
from ._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from ._ods_common import get_op_result_or_value as _get_op_result_or_value
from .arith import ConstantOp, _is_integer_like_type


@_ods_cext.register_operation(_Dialect, replace=True)
class LoadOp(_GeneratedLoadOp):
    """Reads one element."""

    def __init__(
        self, memref, indices=None, *, nontemporal=None, alignment=None, loc: Optional[Location] = None, ip=None
    ):
        super().__init__(memref, indices or [], nontemporal=nontemporal, alignment=alignment, loc=loc, ip=ip)


def load(memref, indices=None, *, nontemporal=None, alignment=None, loc: Optional[Location] = None, ip=None) -> Value:
    """The value of a new `memref.load`."""
    op = LoadOp(memref, indices, nontemporal=nontemporal, alignment=alignment, loc=loc, ip=ip)
    return _get_op_result_or_op_results(op)


def _constant_int(value) -> Optional[int]:
    """The integer that a Python int or a constant operation stands for, else None."""
    if isinstance(value, int):
        return None if value == ShapedType.get_dynamic_size() else value
    owner = getattr(_get_op_result_or_value(value), "owner", None)
    view = getattr(owner, "opview", None)
    if isinstance(view, ConstantOp) and _is_integer_like_type(view.type):
        return view.literal_value
    return None


def _is_static_int_like(value) -> bool:
    return isinstance(value, int) and not ShapedType.is_dynamic_size(value)


def _infer_memref_subview_result_type(
    source_memref_type: MemRefType,
    offsets: Sequence,
    static_sizes: Sequence[int],
    static_strides: Sequence[int],
) -> MemRefType:
    """The type of a subview with static sizes and strides; the offset may be unknown only if the source's is."""
    source_strides, source_offset = source_memref_type.get_strides_and_offset()
    dynamic = ShapedType.get_dynamic_stride_or_offset()
    all_static = all(
        _is_static_int_like(v) for values in (static_sizes, static_strides, source_strides) for v in values
    )
    if not all_static:
        raise ValueError("Only inferring from python or mlir integer constant is supported.")

    constants = [_constant_int(offset) for offset in offsets]
    target_offset = source_offset
    for offset, stride in zip(constants, source_strides, strict=False):
        if offset is None or target_offset == dynamic:
            target_offset = dynamic
        else:
            target_offset += offset * stride
    target_strides = [source * step for source, step in zip(source_strides, static_strides, strict=False)]

    # A contiguous result at offset zero has the default layout.
    contiguous = list(accumulate([1, *list(static_sizes)[:0:-1]], operator.mul))[::-1]
    if target_strides == contiguous and target_offset == 0:
        layout = None
    else:
        layout = StridedLayoutAttr.get(target_offset, target_strides)
    return MemRefType.get(static_sizes, source_memref_type.element_type, layout, source_memref_type.memory_space)


def subview(
    source: Value,
    offsets: MixedValues,
    sizes: MixedValues,
    strides: MixedValues,
    *,
    result_type: Optional[MemRefType] = None,
    loc: Optional[Location] = None,
    ip=None,
) -> OpResult:
    """The value of a new `memref.subview`.

    Offsets, sizes and strides are mixes of ints and values. Values that are constants count as static. With dynamic
    sizes, strides or source layout `result_type` is needed.
    """
    source = _get_op_result_or_value(source)

    def fold(values):
        if not isinstance(values, (list, tuple)):
            return values
        folded = [_constant_int(v) for v in values]
        return [v if f is None else f for v, f in zip(values, folded, strict=False)]

    offsets, sizes, strides = fold(offsets), fold(sizes), fold(strides)
    dynamic_offsets, _, static_offsets = _dispatch_mixed_values(offsets)
    dynamic_sizes, _, static_sizes = _dispatch_mixed_values(sizes)
    dynamic_strides, _, static_strides = _dispatch_mixed_values(strides)
    if result_type is None:
        source_type = source.type
        source_strides, source_offset = source_type.get_strides_and_offset()
        parts = [*static_sizes, *static_strides, *source_strides]
        if not all(_is_static_int_like(v) for v in parts):
            raise ValueError("mixed static/dynamic offset/sizes/strides requires explicit result type.")
        result_type = _infer_memref_subview_result_type(source_type, offsets, list(static_sizes), list(static_strides))
    op = SubViewOp(
        result_type,
        source,
        dynamic_offsets,
        dynamic_sizes,
        dynamic_strides,
        static_offsets,
        static_sizes,
        static_strides,
        loc=loc,
        ip=ip,
    )
    return _get_op_result_or_op_results(op)
