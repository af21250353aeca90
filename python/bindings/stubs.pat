# Names that the signatures written out in the sources use.
mlir_xla\._mlir_libs\._mlir(\.ir)?\.__prefix__:
    import collections.abc
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Generic, Literal, Self, TypeVar

    _T = TypeVar("_T")
    _U = TypeVar("_U")

mlir_xla\._mlir_libs\._mlir\.(rewrite|passmanager|execution_engine|_mlir\w+)\.__prefix__:
    from collections.abc import Callable, Sequence

    from mlir_xla._mlir_libs._mlir.ir import (
        Attribute, Context, Location, Module, Operation, OpView, Type, TypeID, Value
    )
