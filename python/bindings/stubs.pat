# Names that the signatures written out in the sources use.
mlir_xla\._mlir_libs\._mlir(\.\w+)?\.__prefix__:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Generic, Literal, Self, TypeVar

    _T = TypeVar("_T")
    _U = TypeVar("_U")
