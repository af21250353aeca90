# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The linalg dialect.

Named operations are functions that take the inputs, then `outs=`: `linalg.matmul(a, b, outs=[c])`. They create the
operation with its region filled and return its result on tensors, the operation itself on memrefs. Operations with a
region of the user's are decorators: `generic`, `map`, `reduce`.
"""

from array import array as _array
from collections.abc import Sequence
from typing import Optional

from ..._mlir_libs._mlir._mlirDialectsLinalg import *  # noqa: F401,F403
from ..._mlir_libs._mlir._mlirDialectsLinalg import fill_builtin_region
from ...extras.meta import region_op
from ...ir import (
    AffineMap,
    ArrayAttr,
    Attribute,
    Block,
    DenseElementsAttr,
    IntegerType,
    RankedTensorType,
    ShapedType,
    Type,
    register_attribute_builder,
)
from .. import _linalg_ops_gen as _gen
from .._linalg_enum_gen import *  # noqa: F401,F403
from .._linalg_ops_gen import *  # noqa: F401,F403
from .._linalg_ops_gen import PackOp, UnPackOp, YieldOp, _Dialect
from .._ods_common import MixedValues
from .._ods_common import _cext as _ods_cext
from .._ods_common import dispatch_mixed_values as _dispatch_mixed_values
from .._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._ods_common import get_op_results_or_values as _get_op_results_or_values


@register_attribute_builder("IteratorTypeArrayAttr")
def _iterator_types(values, context) -> ArrayAttr:
    def make(value) -> Attribute:
        return value if isinstance(value, Attribute) else Attribute.parse(f"#linalg.iterator_type<{value}>", context)

    return ArrayAttr.get([make(value) for value in values], context=context)


# === Operations whose region the user writes ===


def _values(operands) -> list:
    return list(_get_op_results_or_values(operands))


def _tensor_types(values) -> list[Type]:
    return [value.type for value in values if isinstance(value.type, RankedTensorType)]


def _element_types(values) -> list[Type]:
    return [value.type.element_type if isinstance(value.type, ShapedType) else value.type for value in values]


@_ods_cext.register_operation(_Dialect, replace=True)
class GenericOp(_gen.GenericOp):
    """A computation on each point of an iteration space, described by affine maps."""

    def __init__(
        self,
        inputs,
        outputs,
        indexing_maps: Sequence[AffineMap],
        iterator_types,
        *,
        doc: Optional[str] = None,
        library_call: Optional[str] = None,
        loc=None,
        ip=None,
    ):
        inputs, outputs = _values(inputs), _values(outputs)
        super().__init__(
            _tensor_types(outputs),
            inputs,
            outputs,
            indexing_maps,
            iterator_types,
            doc=doc,
            library_call=library_call,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(*_element_types([*inputs, *outputs]))

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]


@_ods_cext.register_operation(_Dialect, replace=True)
class MapOp(_gen.MapOp):
    """An elementwise computation."""

    def __init__(self, result, inputs, init, *, loc=None, ip=None):
        inputs, init = _values(inputs), _get_op_result_or_value(init)
        super().__init__(result, inputs, init, loc=loc, ip=ip)
        self.regions[0].blocks.append(*_element_types([*inputs, init]))

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]


@_ods_cext.register_operation(_Dialect, replace=True)
class ReduceOp(_gen.ReduceOp):
    """A reduction over some dimensions."""

    def __init__(self, result, inputs, inits, dimensions, *, loc=None, ip=None):
        inputs, inits = _values(inputs), _values(inits)
        super().__init__(result, inputs, inits, dimensions, loc=loc, ip=ip)
        self.regions[0].blocks.append(*_element_types([*inputs, *inits]))

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]


@_ods_cext.register_operation(_Dialect, replace=True)
class ElementwiseOp(_gen.ElementwiseOp):
    """A scalar operation on all elements; the indexing maps are identities by default."""

    def __init__(self, result_tensors, inputs, outputs, kind, *, indexing_maps=None, loc=None, ip=None):
        inputs, outputs = _values(inputs), _values(outputs)
        if indexing_maps is None:
            indexing_maps = [AffineMap.get_identity(outputs[0].type.rank)] * (len(inputs) + len(outputs))
        super().__init__(result_tensors, inputs, outputs, kind, indexing_maps=indexing_maps, loc=loc, ip=ip)


generic = region_op(GenericOp, terminator=YieldOp)
map = region_op(MapOp, terminator=YieldOp)
reduce = region_op(ReduceOp, terminator=YieldOp)


# === Named operations ===


def _attribute(value):
    """Strides and dilations, whose ODS constraint has no name for a builder, may be given as integers."""
    if isinstance(value, (list, tuple)) and all(isinstance(v, int) for v in value):
        i64 = IntegerType.get_signless(64)
        return DenseElementsAttr.get(_array("q", value), type=RankedTensorType.get([len(value)], i64))
    return value


def _create(op_class, inputs, outs, attributes, loc, ip):
    inputs, outs = [_get_op_result_or_value(v) for v in inputs], _values(outs)
    op = op_class(_tensor_types(outs), inputs, outs, **attributes, loc=loc, ip=ip)
    fill_builtin_region(op.operation)
    return _get_op_result_or_op_results(op)


def _named(name: str, op_class):
    takes_windows = hasattr(op_class, "strides")

    def build(*inputs, outs, loc=None, ip=None, **attributes):
        if takes_windows:
            attributes = {key: _attribute(value) for key, value in attributes.items()}
        return _create(op_class, inputs, outs, attributes, loc, ip)

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"`linalg.{name}` of the inputs into `outs`; attributes are keyword arguments."
    return build


def _define_named_operations() -> None:
    for op_class in list(vars(_gen).values()):
        name = getattr(op_class, "OPERATION_NAME", None)
        if not isinstance(op_class, type) or name is None or not hasattr(op_class, "inputs"):
            continue
        if op_class in (_gen.GenericOp, _gen.MapOp, _gen.ReduceOp, _gen.ElementwiseOp):
            continue
        function = name.removeprefix("linalg.").replace(".", "_")
        globals()[function] = _named(function, op_class)


_define_named_operations()


def elementwise(*inputs, outs, kind, indexing_maps=None, loc=None, ip=None):
    """`linalg.elementwise` of the given ElementwiseKind, with the region filled; identity maps by default."""
    return _create(ElementwiseOp, inputs, outs, {"kind": kind, "indexing_maps": indexing_maps}, loc, ip)


def _unary(op_class, input, outs, loc, ip, *parameters):
    if len(outs) != 1:
        raise ValueError("expected one output")
    init = _get_op_result_or_value(outs[0])
    op = op_class(_tensor_types([init]), _get_op_result_or_value(input), init, *parameters, loc=loc, ip=ip)
    fill_builtin_region(op.operation)
    return _get_op_result_or_op_results(op)


def transpose(input, *, outs, permutation, loc=None, ip=None):
    """Permutes the dimensions of `input` into `outs[0]`."""
    return _unary(_gen.TransposeOp, input, outs, loc, ip, permutation)


def broadcast(input, *, outs, dimensions, loc=None, ip=None):
    """Repeats `input` into `outs[0]`, whose `dimensions` are the new ones."""
    return _unary(_gen.BroadcastOp, input, outs, loc, ip, dimensions)


def pack(
    source,
    dest,
    inner_dims_pos,
    inner_tiles: MixedValues,
    *,
    padding_value=None,
    outer_dims_perm=None,
    loc=None,
    ip=None,
):
    """Tiles `source` into `dest`; returns the result on tensors, the operation on memrefs."""
    dynamic_tiles, _, static_tiles = _dispatch_mixed_values(inner_tiles)
    dest = _get_op_result_or_value(dest)
    op = PackOp(
        source,
        dest,
        inner_dims_pos,
        dynamic_tiles,
        static_tiles,
        padding_value=padding_value,
        outer_dims_perm=outer_dims_perm or [],
        results=_tensor_types([dest]),
        loc=loc,
        ip=ip,
    )
    return _get_op_result_or_op_results(op)


def unpack(source, dest, inner_dims_pos, inner_tiles: MixedValues, *, outer_dims_perm=None, loc=None, ip=None):
    """The inverse of `pack`."""
    dynamic_tiles, _, static_tiles = _dispatch_mixed_values(inner_tiles)
    dest = _get_op_result_or_value(dest)
    op = UnPackOp(
        source,
        dest,
        inner_dims_pos,
        dynamic_tiles,
        static_tiles,
        outer_dims_perm=outer_dims_perm or [],
        results=_tensor_types([dest]),
        loc=loc,
        ip=ip,
    )
    return _get_op_result_or_op_results(op)
