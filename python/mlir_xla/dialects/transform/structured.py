# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: linalg and other structured operations.

Result types may be left out, where the first arguments say so in brackets: they are `!transform.any_op` then. Sizes are
ints, integer attributes or handles, or a handle for all of them; `[size]` marks a scalable one.
"""

from collections.abc import Sequence
from typing import Optional, Union

from ..._mlir_libs._mlir._mlirDialectsTransform import AnyOpType
from ...ir import ArrayAttr, Attribute, DenseI64ArrayAttr, IntegerAttr, IntegerType, ShapedType, StringAttr, Type
from .. import _structured_transform_ops_gen as _gen
from .._ods_common import _cext as _ods_cext
from .._ods_common import dispatch_dynamic_index_list as _dispatch_dynamic_index_list
from .._ods_common import dispatch_mixed_values as _dispatch_mixed_values
from .._ods_common import get_int_array_array_attr as _get_int_array_array_attr
from .._ods_common import get_int_array_attr as _get_int_array_attr
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._structured_transform_enum_gen import *  # noqa: F401,F403
from .._structured_transform_ops_gen import *  # noqa: F401,F403
from .._transform_ops_gen import _Dialect
from ._types import split_types, take_handle


def _i64(value):
    if isinstance(value, int):
        return IntegerAttr.get(IntegerType.get_signless(64), value)
    return value


def _loop_types(arguments, count: int, what: str):
    """The types of `count` loops, given as one type for all, a sequence of types, or not at all."""
    if len(arguments) and isinstance(arguments[0], Type):
        return [arguments[0]] * count, list(arguments[1:])
    if len(arguments) and isinstance(arguments[0], (list, tuple)):
        if len(arguments[0]) != count:
            raise ValueError(f"{what} makes {count} loops, got {len(arguments[0])} types")
        return list(arguments[0]), list(arguments[1:])
    return [AnyOpType.get()] * count, list(arguments)


def _count_loops(static_sizes: Sequence[int]) -> int:
    """A size of zero means that the dimension is not tiled."""
    return sum(1 for size in static_sizes if size != 0)


@_ods_cext.register_operation(_Dialect, replace=True)
class BufferizeToAllocationOp(_gen.BufferizeToAllocationOp):
    def __init__(
        self,
        target,
        *,
        memory_space: Union[int, str, Attribute, None] = None,
        memcpy_op: Optional[str] = None,
        alloc_op: Optional[str] = None,
        bufferize_destination_only: Optional[bool] = None,
        emit_dealloc: Optional[bool] = None,
        loc=None,
        ip=None,
    ):
        if isinstance(memory_space, str):
            memory_space = Attribute.parse(memory_space)
        super().__init__(
            _get_op_result_or_value(target),
            memory_space=_i64(memory_space),
            memcpy_op=memcpy_op,
            alloc_op=alloc_op,
            bufferize_destination_only=bufferize_destination_only,
            emit_dealloc=emit_dealloc,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class DecomposeOp(_gen.DecomposeOp):
    def __init__(self, target, *, loc=None, ip=None):
        super().__init__(AnyOpType.get(), _get_op_result_or_value(target), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class FuseOp(_gen.FuseOp):
    """`FuseOp([loop_types,] target, *, tile_sizes=None, tile_interchange=None, apply_cleanup=False, ...)`"""

    def __init__(
        self,
        *arguments,
        target=None,
        tile_sizes=None,
        tile_interchange=None,
        apply_cleanup: bool = False,
        use_forall: bool = False,
        loc=None,
        ip=None,
    ):
        dynamic_sizes, _, static_sizes = _dispatch_mixed_values(tile_sizes)
        dynamic_order, _, static_order = _dispatch_mixed_values(tile_interchange)
        loops = 1 if use_forall else _count_loops(static_sizes)
        types, rest = _loop_types(arguments, loops, "FuseOp")
        super().__init__(
            AnyOpType.get(),
            types,
            take_handle(rest, target),
            dynamic_sizes,
            dynamic_order,
            static_tile_sizes=static_sizes,
            static_tile_interchange=static_order,
            apply_cleanup=apply_cleanup,
            use_forall=use_forall,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class FuseIntoContainingOp(_gen.FuseIntoContainingOp):
    """`FuseIntoContainingOp([fused_op_type, new_containing_op_type,] producer_op, containing_op)`"""

    def __init__(self, *arguments, producer_op=None, containing_op=None, loc=None, ip=None):
        types, rest = split_types(arguments, 2, "FuseIntoContainingOp")
        producer_op = take_handle(rest, producer_op, "producer_op")
        super().__init__(*types, producer_op, take_handle(rest, containing_op, "containing_op"), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class GeneralizeOp(_gen.GeneralizeOp):
    def __init__(self, target, *, loc=None, ip=None):
        super().__init__(AnyOpType.get(), _get_op_result_or_value(target), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class InterchangeOp(_gen.InterchangeOp):
    def __init__(self, target, *, iterator_interchange=None, loc=None, ip=None):
        super().__init__(
            AnyOpType.get(),
            _get_op_result_or_value(target),
            iterator_interchange=iterator_interchange,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class MapCopyToThreadsOp(_gen.MapCopyToThreadsOp):
    """`MapCopyToThreadsOp([forall_op_type, tiled_op_type,] target, *, total_num_threads, desired_bit_alignment)`"""

    def __init__(self, *arguments, target=None, total_num_threads, desired_bit_alignment, loc=None, ip=None):
        types, rest = split_types(arguments, 2, "MapCopyToThreadsOp")
        super().__init__(*types, take_handle(rest, target), total_num_threads, desired_bit_alignment, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class MatchOp(_gen.MatchOp):
    @classmethod
    def match_op_names(cls, *arguments, target=None, names=None, loc=None, ip=None) -> "MatchOp":
        """`match_op_names([result_type,] target, names)`: matches the operations of the given names."""
        types, rest = split_types(arguments, 1, "match_op_names")
        target = take_handle(rest, target)
        names = rest.pop(0) if rest else names
        if isinstance(names, str):
            names = [names]
        if not isinstance(names, Attribute):
            names = ArrayAttr.get([n if isinstance(n, Attribute) else StringAttr.get(n) for n in names])
        return cls(types[0], target, ops=names, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class MultiTileSizesOp(_gen.MultiTileSizesOp):
    def __init__(self, result_type: Type, target, *, dimension, target_size, divisor=None, loc=None, ip=None):
        super().__init__(
            result_type,
            result_type,
            result_type,
            _get_op_result_or_value(target),
            dimension,
            target_size,
            divisor=divisor,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class PadOp(_gen.PadOp):
    def __init__(
        self,
        target,
        *,
        pad_to_multiple_of=None,
        padding_values=None,
        padding_dimensions=None,
        nofold_flags=None,
        transpose_paddings=None,
        copy_back_op: Union[str, StringAttr, None] = None,
        use_prescribed_tensor_shapes: Optional[bool] = None,
        loc=None,
        ip=None,
    ):
        dynamic, _, static = _dispatch_mixed_values(pad_to_multiple_of)
        if padding_values is not None and not isinstance(padding_values, Attribute):
            padding_values = ArrayAttr.get(list(padding_values))
        any_op = AnyOpType.get()
        super().__init__(
            any_op,
            any_op,
            any_op,
            _get_op_result_or_value(target),
            dynamic,
            padding_values=padding_values,
            padding_dimensions=_get_int_array_attr(padding_dimensions),
            static_pad_to_multiple_of=static,
            nofold_flags=_get_int_array_attr(nofold_flags),
            transpose_paddings=_get_int_array_array_attr(transpose_paddings),
            copy_back_op=copy_back_op,
            use_prescribed_tensor_shapes=use_prescribed_tensor_shapes,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class ScalarizeOp(_gen.ScalarizeOp):
    def __init__(self, target, *, loc=None, ip=None):
        super().__init__(AnyOpType.get(), _get_op_result_or_value(target), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class SplitOp(_gen.SplitOp):
    def __init__(self, target, dimension, chunk_sizes, *, multiway: Optional[bool] = None, loc=None, ip=None):
        dynamic = None
        if isinstance(chunk_sizes, IntegerAttr):
            chunk_sizes = chunk_sizes.value
        if not isinstance(chunk_sizes, int):
            dynamic = _get_op_result_or_value(chunk_sizes)
            chunk_sizes = ShapedType.get_dynamic_size()
        target = _get_op_result_or_value(target)
        super().__init__(
            target.type,
            target,
            dimension,
            chunk_sizes,
            dynamic_chunk_sizes=dynamic,
            multiway=multiway,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class TileUsingForOp(_gen.TileUsingForOp):
    """`TileUsingForOp([loop_types,] target, *, sizes=None, interchange=None)`"""

    def __init__(self, *arguments, target=None, sizes=None, interchange=None, loc=None, ip=None):
        dynamic, static, scalable = _dispatch_dynamic_index_list(sizes)
        types, rest = _loop_types(arguments, _count_loops(static), "TileUsingForOp")
        super().__init__(
            AnyOpType.get(),
            types,
            take_handle(rest, target),
            dynamic,
            static_sizes=static,
            interchange=interchange,
            scalable_sizes=scalable,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class TileUsingForallOp(_gen.TileUsingForallOp):
    """`TileUsingForallOp([loops_type, tiled_op_type,] target, *, num_threads=None, tile_sizes=None, mapping=None)`"""

    def __init__(self, *arguments, target=None, num_threads=None, tile_sizes=None, mapping=None, loc=None, ip=None):
        types, rest = split_types(arguments, 2, "TileUsingForallOp")
        dynamic_threads, packed_threads, static_threads = _dispatch_mixed_values(num_threads)
        dynamic_sizes, packed_sizes, static_sizes = _dispatch_mixed_values(tile_sizes)
        if mapping is not None and not isinstance(mapping, Attribute):
            mapping = ArrayAttr.get(mapping)
        super().__init__(
            *types,
            take_handle(rest, target),
            dynamic_threads,
            dynamic_sizes,
            packed_num_threads=packed_threads,
            packed_tile_sizes=packed_sizes,
            static_num_threads=static_threads,
            static_tile_sizes=static_sizes,
            mapping=mapping,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class VectorizeOp(_gen.VectorizeOp):
    def __init__(
        self,
        target,
        vector_sizes: Union[Sequence, ArrayAttr, DenseI64ArrayAttr, None] = None,
        *,
        vectorize_nd_extract: Optional[bool] = None,
        assume_dynamic_dims_match_vec_sizes: Optional[bool] = None,
        create_named_contraction: Optional[bool] = None,
        scalable_sizes=None,
        static_vector_sizes=None,
        loc=None,
        ip=None,
    ):
        if vector_sizes is None and static_vector_sizes is None:
            dynamic, static, scalable = [], None, None
        else:
            dynamic, static, scalable = _dispatch_dynamic_index_list(vector_sizes)
            if static_vector_sizes is not None:
                static = static_vector_sizes
        if scalable_sizes is not None:
            scalable = scalable_sizes
        super().__init__(
            _get_op_result_or_value(target),
            dynamic,
            static_vector_sizes=static,
            vectorize_nd_extract=vectorize_nd_extract,
            assume_dynamic_dims_match_vec_sizes=assume_dynamic_dims_match_vec_sizes,
            create_named_contraction=create_named_contraction,
            scalable_sizes=scalable,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class VectorizeChildrenAndApplyPatternsOp(_gen.VectorizeChildrenAndApplyPatternsOp):
    def __init__(
        self,
        target,
        *,
        fold_type_extensions_into_contract: bool = False,
        vectorize_padding: bool = False,
        vectorize_nd_extract: bool = False,
        flatten_1d_depthwise_conv: bool = False,
        disable_multi_reduction_to_contract_patterns: bool = False,
        disable_transfer_permutation_map_lowering_patterns: bool = False,
        loc=None,
        ip=None,
    ):
        super().__init__(
            AnyOpType.get(),
            _get_op_result_or_value(target),
            fold_type_extensions_into_contract=fold_type_extensions_into_contract,
            vectorize_padding=vectorize_padding,
            vectorize_nd_extract=vectorize_nd_extract,
            flatten_1d_depthwise_conv=flatten_1d_depthwise_conv,
            disable_multi_reduction_to_contract_patterns=disable_multi_reduction_to_contract_patterns,
            disable_transfer_permutation_map_lowering_patterns=disable_transfer_permutation_map_lowering_patterns,
            loc=loc,
            ip=ip,
        )
