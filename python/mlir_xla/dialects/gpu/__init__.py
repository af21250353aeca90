# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gpu dialect: modules and functions for the device, launches from the host."""

from collections.abc import Callable, Sequence
from typing import Optional

from ..._mlir_libs._mlir._mlirDialectsGPU import *  # noqa: F401,F403
from ..._mlir_libs._mlir._mlirDialectsGPU import AsyncTokenType
from ...extras.meta import region_op
from ...ir import (
    ArrayAttr,
    Attribute,
    Block,
    DenseI32ArrayAttr,
    FunctionType,
    IndexType,
    InsertionPoint,
    StringAttr,
    SymbolRefAttr,
    Type,
    TypeAttr,
    UnitAttr,
    register_attribute_builder,
)
from .._gpu_enum_gen import *  # noqa: F401,F403
from .._gpu_ops_gen import *  # noqa: F401,F403
from .._gpu_ops_gen import GPUFuncOp as _GeneratedGPUFuncOp
from .._gpu_ops_gen import GPUModuleOp as _GeneratedGPUModuleOp
from .._gpu_ops_gen import LaunchFuncOp as _GeneratedLaunchFuncOp
from .._gpu_ops_gen import LaunchOp as _GeneratedLaunchOp
from .._gpu_ops_gen import PrintfOp, TerminatorOp, WaitOp, _Dialect
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_default_loc_context as _get_default_loc_context
from .._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from .._ods_common import get_op_result_or_value as _get_op_result_or_value

for _kind in ("GPUTargetArrayAttr", "GPUObjectArrayAttr"):
    register_attribute_builder(_kind)(lambda values, context: ArrayAttr.get(list(values), context=context))

KERNEL_ATTRIBUTE_NAME = "gpu.kernel"


def gpu_async_token() -> AsyncTokenType:
    """The type `!gpu.async.token`."""
    return AsyncTokenType.get()


@_ods_cext.register_operation(_Dialect, replace=True)
class GPUModuleOp(_GeneratedGPUModuleOp):
    """A module for the device. Its region begins empty: `bodyRegion.blocks.append()` makes the block."""

    def __init__(self, sym_name, *, targets=None, offloadingHandler=None, loc=None, ip=None):
        context = _get_default_loc_context(loc)
        if targets is not None and not isinstance(targets, ArrayAttr):
            parsed = [t if isinstance(t, Attribute) else Attribute.parse(t, context=context) for t in targets]
            targets = ArrayAttr.get(parsed, context=context)
        super().__init__(sym_name, targets=targets, offloadingHandler=offloadingHandler, loc=loc, ip=ip)

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]


@region_op
def module(sym_name, targets=None, *, offloading_handler=None, loc=None, ip=None):
    """Decorator: a device module whose body the function builds."""
    return GPUModuleOp(sym_name, targets=targets, offloadingHandler=offloading_handler, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class GPUFuncOp(_GeneratedGPUFuncOp):
    """A function for the device."""

    FUNCTION_TYPE_ATTR_NAME = "function_type"
    SYM_NAME_ATTR_NAME = "sym_name"
    KERNEL_ATTR_NAME = KERNEL_ATTRIBUTE_NAME
    KNOWN_BLOCK_SIZE_ATTR_NAME = "known_block_size"
    KNOWN_GRID_SIZE_ATTR_NAME = "known_grid_size"

    def __init__(
        self,
        function_type,
        sym_name=None,
        arg_attrs=None,
        res_attrs=None,
        kernel: Optional[bool] = None,
        workgroup_attrib_attrs=None,
        private_attrib_attrs=None,
        known_block_size: Optional[Sequence[int]] = None,
        known_grid_size: Optional[Sequence[int]] = None,
        loc=None,
        ip=None,
        body_builder: Optional[Callable[["GPUFuncOp"], None]] = None,
        *,
        known_cluster_size: Optional[Sequence[int]] = None,
    ):
        """Creates a function without a body, or with the one that `body_builder` builds in its entry block."""
        if not isinstance(sym_name, (str, StringAttr)):
            raise ValueError("sym_name must be a string or a StringAttr")
        context = _get_default_loc_context(loc)
        if isinstance(function_type, tuple):
            function_type = FunctionType.get(*map(list, function_type), context=context)
        if isinstance(function_type, Type):
            function_type = TypeAttr.get(function_type)

        def sizes(values):
            if values is None or isinstance(values, Attribute):
                return values
            return DenseI32ArrayAttr.get(values, context=context)

        super().__init__(
            function_type,
            arg_attrs=arg_attrs,
            res_attrs=res_attrs,
            workgroup_attrib_attrs=workgroup_attrib_attrs,
            private_attrib_attrs=private_attrib_attrs,
            known_block_size=sizes(known_block_size),
            known_grid_size=sizes(known_grid_size),
            known_cluster_size=sizes(known_cluster_size),
            loc=loc,
            ip=ip,
        )
        if isinstance(sym_name, str):
            sym_name = StringAttr.get(sym_name, context=context)
        self.attributes[self.SYM_NAME_ATTR_NAME] = sym_name
        if kernel:
            self.attributes[self.KERNEL_ATTR_NAME] = UnitAttr.get(context)
        if body_builder is not None:
            with InsertionPoint(self.add_entry_block()):
                body_builder(self)

    @property
    def name(self) -> StringAttr:
        return StringAttr(self.attributes[self.SYM_NAME_ATTR_NAME])

    @property
    def is_kernel(self) -> bool:
        return self.KERNEL_ATTR_NAME in self.attributes

    @property
    def type(self) -> FunctionType:
        return FunctionType(TypeAttr(self.attributes[self.FUNCTION_TYPE_ATTR_NAME]).value)

    def add_entry_block(self) -> Block:
        if len(self.body.blocks) > 0:
            raise RuntimeError(f"Entry block already exists for {self.name.value}")
        return self.body.blocks.append(*self.type.inputs)

    @property
    def entry_block(self) -> Block:
        if len(self.body.blocks) == 0:
            raise RuntimeError(
                f"Entry block does not exist for {self.name.value}. "
                "Do you need to call the add_entry_block() method on this GPUFuncOp?"
            )
        return self.body.blocks[0]

    @property
    def arguments(self) -> Sequence[Type]:
        return self.type.inputs


def _async(async_dependencies, context) -> tuple[Optional[Type], list]:
    """An operation that waits for tokens is asynchronous itself: it returns a token."""
    if not async_dependencies:
        return None, []
    return AsyncTokenType.get(context), [_get_op_result_or_value(dep) for dep in async_dependencies]


def _dimensions(sizes) -> list:
    """Three index values; missing ones and ints become constants."""
    from ..arith import ConstantOp

    sizes = list(sizes)
    if len(sizes) > 3:
        raise ValueError(f"expected up to three sizes, got {len(sizes)}")
    sizes += [1] * (3 - len(sizes))
    return [ConstantOp.create_index(s).result if isinstance(s, int) else _get_op_result_or_value(s) for s in sizes]


@_ods_cext.register_operation(_Dialect, replace=True)
class LaunchFuncOp(_GeneratedLaunchFuncOp):
    """A launch of a kernel that is a function."""

    def __init__(
        self,
        kernel,
        grid_size,
        block_size,
        kernel_operands=None,
        async_dependencies=None,
        dynamic_shared_memory_size=None,
        async_object=None,
        *,
        loc=None,
        ip=None,
    ):
        """Creates the launch.

        Args:
            kernel: `[module, function]` as a list of names or a SymbolRefAttr.
            grid_size, block_size: Up to three ints or index values.
            async_dependencies: Tokens to wait for; if there are any, the launch is asynchronous.
        """
        context = _get_default_loc_context(loc)
        if not isinstance(kernel, Attribute):
            kernel = SymbolRefAttr.get(list(kernel), context=context)
        token, dependencies = _async(async_dependencies, context)
        super().__init__(
            token,
            dependencies,
            kernel,
            *_dimensions(grid_size),
            *_dimensions(block_size),
            [_get_op_result_or_value(operand) for operand in kernel_operands or []],
            dynamicSharedMemorySize=dynamic_shared_memory_size,
            asyncObject=async_object,
            loc=loc,
            ip=ip,
        )


def launch_func(*args, **kwargs):
    """Creates a LaunchFuncOp; returns its token, or the operation if it is synchronous."""
    return _get_op_result_or_op_results(LaunchFuncOp(*args, **kwargs))


@_ods_cext.register_operation(_Dialect, replace=True)
class LaunchOp(_GeneratedLaunchOp):
    """A launch of a kernel that is the region of the operation."""

    def __init__(
        self,
        grid_size,
        block_size,
        async_dependencies=None,
        dynamic_shared_memory_size=None,
        *,
        loc=None,
        ip=None,
    ):
        """Creates the launch with an empty body, whose twelve arguments are ids and sizes of block and thread."""
        context = _get_default_loc_context(loc)
        token, dependencies = _async(async_dependencies, context)
        super().__init__(
            token,
            dependencies,
            *_dimensions(grid_size),
            *_dimensions(block_size),
            dynamicSharedMemorySize=dynamic_shared_memory_size,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(*[IndexType.get(context=self.context)] * 12)

    @property
    def body_block(self) -> Block:
        return self.regions[0].blocks[0]


def launch_(
    grid_size, block_size, async_dependencies=None, dynamic_shared_memory_size=None, *, loc=None, ip=None
) -> LaunchOp:
    """Creates a LaunchOp with an empty body."""
    return LaunchOp(grid_size, block_size, async_dependencies, dynamic_shared_memory_size, loc=loc, ip=ip)


launch = region_op(launch_, terminator=lambda *_: TerminatorOp())


def wait(async_dependencies=None, *, loc=None, ip=None):
    """Waits for tokens and returns a new one."""
    token = AsyncTokenType.get(_get_default_loc_context(loc))
    dependencies = [_get_op_result_or_value(dependency) for dependency in async_dependencies or []]
    return _get_op_result_or_op_results(WaitOp(token, dependencies, loc=loc, ip=ip))


def printf(format, *args, loc=None, ip=None) -> PrintfOp:
    """Prints from the device; `format` is C's."""
    return PrintfOp(format=format, args=list(args), loc=loc, ip=ip)


def get_compile_object_bytes(compile_object) -> bytes:
    """The machine code in the first object of a `gpu.binary`."""
    from ..._mlir_libs._mlir._mlirDialectsGPU import ObjectAttr

    objects = compile_object.objects if hasattr(compile_object, "objects") else [compile_object]
    return ObjectAttr(objects[0]).object
