# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's core in Python: contexts, operations, types, attributes. The interface is that of upstream's ``mlir.ir``."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from . import _bytecode

# `X as X` says to a type checker that the name may be imported from here.
from ._mlir_libs import MLIRError as MLIRError
from ._mlir_libs import _mlir
from ._mlir_libs import append_load_on_create_dialect as append_load_on_create_dialect
from ._mlir_libs import get_dialect_registry as get_dialect_registry
from ._mlir_libs import get_load_on_create_dialects as get_load_on_create_dialects
from ._mlir_libs._mlir import ir as _ir
from ._mlir_libs._mlir import register_type_caster as register_type_caster
from ._mlir_libs._mlir import register_value_caster as register_value_caster
from ._mlir_libs._mlir.ir import *
from ._mlir_libs._mlir.ir import _GlobalDebug as _GlobalDebug
from ._mlir_libs._mlir.ir import _OperationBase as _OperationBase

# A type checker cannot evaluate this, and takes the public names.
if not TYPE_CHECKING:
    __all__ = [
        *(name for name in dir(_ir) if not name.startswith("_")),
        "MLIRError",
        "append_load_on_create_dialect",
        "get_dialect_registry",
        "get_load_on_create_dialects",
        "get_ops_of_type",
        "get_parent_of_type",
        "_GlobalDebug",
        "_OperationBase",
        "loc_tracebacks",
        "register_attribute_builder",
        "register_type_caster",
        "register_value_caster",
    ]

_parse, _parse_file = Module.parse, Module.parseFile


def _parse_contained(asm: str | bytes, context: Context | None = None, *, source_name: str = "-") -> Module:
    return _parse(_bytecode.contained(asm), context, source_name=source_name)


def _parse_file_contained(path: str | os.PathLike[str], context: Context | None = None) -> Module:
    bytecode = _bytecode.read(path)
    return _parse_file(path, context) if bytecode is None else _parse(bytecode, context)


_parse_contained.__doc__, _parse_file_contained.__doc__ = _parse.__doc__, _parse_file.__doc__
# Corrupt bytecode is an error, which it is not for MLIR's own reader.
Module.parse, Module.parseFile = staticmethod(_parse_contained), staticmethod(_parse_file_contained)

_Builder = TypeVar("_Builder", bound=Callable[..., Any])


def register_attribute_builder(kind: str, replace: bool = False) -> Callable[[_Builder], _Builder]:
    """Decorator: the function makes an attribute of ODS kind ``kind`` from a Python value, ``f(value, context=...)``."""  # noqa: E501

    def register(builder: _Builder) -> _Builder:
        _ir.AttrBuilder.insert(kind, builder, replace=replace)
        return builder

    return register


@contextmanager
def loc_tracebacks(*, max_depth: int | None = None) -> Iterator[None]:
    """Within the block, operations created without a location get the Python call stack as theirs.

    Args:
        max_depth: The number of frames to record; None keeps the current limit. 0 gives unknown locations.
    """
    settings = _mlir.globals
    enabled, limit = settings.loc_tracebacks_enabled(), settings.loc_tracebacks_frame_limit()
    try:
        if max_depth is not None:
            settings.set_loc_tracebacks_frame_limit(max_depth)
        settings.set_loc_tracebacks_enabled(True)
        yield
    finally:
        settings.set_loc_tracebacks_enabled(enabled)
        settings.set_loc_tracebacks_frame_limit(limit)


def get_parent_of_type(op: OpView | Operation, op_class: type[OpView]) -> OpView | None:
    """The innermost operation around ``op`` that is an ``op_class``; None if there is none."""
    if not (isinstance(op_class, type) and issubclass(op_class, OpView)):
        raise TypeError(f"op_class must be an OpView subclass, got {op_class!r}")
    parent = op.operation.parent
    while parent is not None and not isinstance(parent.opview, op_class):
        parent = parent.operation.parent
    return None if parent is None else parent.opview


def get_ops_of_type(root: Module | OpView | Operation, op_class: type[OpView] | None = None) -> list[OpView]:
    """The operations in ``root``, itself included, that are of ``op_class``: inner ones before those around them."""
    found = []

    def visit(op: Operation) -> WalkResult:
        if op_class is None or isinstance(op.opview, op_class):
            found.append(op.opview)
        return WalkResult.ADVANCE

    root.operation.walk(visit)
    return found


def _register_builders() -> None:
    """The builders by which generated classes accept Python values for attributes."""

    def builder(*kinds: str) -> Callable[[Callable], Callable]:
        def register(function: Callable) -> Callable:
            for kind in kinds:
                register_attribute_builder(kind)(function)
            return function

        return register

    def integer(width: int, signedness: str, *kinds: str) -> None:
        @builder(*kinds)
        def build(value, context=None):
            get_type = getattr(_ir.IntegerType, f"get_{signedness}")
            return _ir.IntegerAttr.get(get_type(width, context=context), value)

    for width in (1, 8, 16, 32, 64):
        integer(width, "signless", f"I{width}Attr")
    for width in (8, 16, 32, 64):
        integer(width, "signed", f"SI{width}Attr")
        integer(width, "unsigned", f"UI{width}Attr")

    @builder("BoolAttr")
    def _bool(value, context=None):
        return _ir.BoolAttr.get(value, context=context)

    @builder("IndexAttr")
    def _index(value, context=None):
        return _ir.IntegerAttr.get(_ir.IndexType.get(context=context), value)

    @builder("F32Attr")
    def _f32(value, context=None):
        return _ir.FloatAttr.get_f32(value, context=context)

    @builder("F64Attr")
    def _f64(value, context=None):
        return _ir.FloatAttr.get_f64(value, context=context)

    @builder("StrAttr", "Builtin_StringAttr")
    def _string(value, context=None):
        return _ir.StringAttr.get(value, context=context)

    @builder("SymbolNameAttr")
    def _symbol_name(value, context=None):
        return value if isinstance(value, _ir.Attribute) else _ir.StringAttr.get(value, context=context)

    @builder("SymbolRefAttr")
    def _symbol_ref(value, context=None):
        symbols = [value] if isinstance(value, str) else list(value)
        return _ir.SymbolRefAttr.get(symbols, context=context)

    @builder("FlatSymbolRefAttr")
    def _flat_symbol_ref(value, context=None):
        return _ir.FlatSymbolRefAttr.get(value, context=context)

    @builder("UnitAttr")
    def _unit(value, context=None):
        return _ir.UnitAttr.get(context=context) if value else None

    @builder("TypeAttr", "MemRefTypeAttr")
    def _type(value, context=None):
        return _ir.TypeAttr.get(value, context=context)

    @builder("DictAttr", "DictionaryAttr")
    def _dictionary(value, context=None):
        return _ir.DictAttr.get(value, context=context)

    @builder("ArrayAttr")
    def _array(value, context=None):
        return _ir.ArrayAttr.get(list(value), context=context)

    def array_of(element: str, *kinds: str) -> None:
        @builder(*kinds)
        def build(value, context=None):
            make = _ir.AttrBuilder.get(element)
            items = [item if isinstance(item, _ir.Attribute) else make(item, context=context) for item in value]
            return _ir.ArrayAttr.get(items, context=context)

    array_of("BoolAttr", "BoolArrayAttr")
    array_of("I32Attr", "I32ArrayAttr")
    array_of("I64Attr", "I64ArrayAttr", "I64SmallVectorArrayAttr")
    array_of("F32Attr", "F32ArrayAttr")
    array_of("F64Attr", "F64ArrayAttr")
    array_of("StrAttr", "StrArrayAttr")
    array_of("SymbolRefAttr", "SymbolRefArrayAttr")
    array_of("FlatSymbolRefAttr", "FlatSymbolRefArrayAttr")
    array_of("TypeAttr", "TypeArrayAttr")
    array_of("AffineMapAttr", "AffineMapArrayAttr")
    array_of("DictAttr", "DictArrayAttr")

    @builder("IndexListArrayAttr")
    def _index_lists(value, context=None):
        make = _ir.AttrBuilder.get("I64ArrayAttr")
        return _ir.ArrayAttr.get([make(list(item), context=context) for item in value], context=context)

    @builder("AffineMapAttr")
    def _affine_map(value, context=None):
        return _ir.AffineMapAttr.get(value)

    @builder("IntegerSetAttr")
    def _integer_set(value, context=None):
        return _ir.IntegerSetAttr.get(value)

    for name in ("Bool", "I8", "I16", "I32", "I64", "F32", "F64"):
        cls = getattr(_ir, f"Dense{name}ArrayAttr", None)
        if cls is not None:

            @builder(f"Dense{name}ArrayAttr")
            def _dense_array(value, context=None, cls=cls):
                return cls.get(value, context=context)

    def elements(width: int, *kinds: str) -> None:
        @builder(*kinds)
        def build(value, context=None):
            import numpy as np

            data = np.asarray(value, dtype=f"int{width}")
            return _ir.DenseElementsAttr.get(
                data, type=_ir.IntegerType.get_signless(width, context=context), context=context
            )

    elements(32, "I32ElementsAttr")
    elements(64, "I64ElementsAttr")

    @builder("IndexElementsAttr")
    def _index_elements(value, context=None):
        import numpy as np

        data = np.asarray(value, dtype="int64")
        return _ir.DenseElementsAttr.get(data, type=_ir.IndexType.get(context=context), context=context)

    @builder("F64ElementsAttr")
    def _f64_elements(value, context=None):
        import numpy as np

        data = np.asarray(value, dtype="float64")
        return _ir.DenseElementsAttr.get(data, type=_ir.F64Type.get(context=context), context=context)


_register_builders()
