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

mlir_xla\._mlir_libs\._mlir\.compiler\.__prefix__:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy import dtype
    from numpy.typing import NDArray

# The slots of list-like classes come without signatures.
mlir_xla\._mlir_libs\._mlir\.ir\.(OpResultList|OpOperandList|OpSuccessors|BlockArgumentList|BlockSuccessors|BlockPredecessors|RegionSequence)\.__len__:
    def __len__(self) -> int: ...

mlir_xla\._mlir_libs\._mlir\.ir\.OpResultList\.__getitem__:
    @overload
    def __getitem__(self, index: int) -> OpResult: ...
    @overload
    def __getitem__(self, index: slice) -> OpResultList: ...

mlir_xla\._mlir_libs\._mlir\.ir\.OpOperandList\.__getitem__:
    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> OpOperandList: ...

mlir_xla\._mlir_libs\._mlir\.ir\.OpSuccessors\.__getitem__:
    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> OpSuccessors: ...

mlir_xla\._mlir_libs\._mlir\.ir\.BlockArgumentList\.__getitem__:
    @overload
    def __getitem__(self, index: int) -> BlockArgument: ...
    @overload
    def __getitem__(self, index: slice) -> BlockArgumentList: ...

mlir_xla\._mlir_libs\._mlir\.ir\.BlockSuccessors\.__getitem__:
    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> BlockSuccessors: ...

mlir_xla\._mlir_libs\._mlir\.ir\.BlockPredecessors\.__getitem__:
    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> BlockPredecessors: ...

mlir_xla\._mlir_libs\._mlir\.ir\.RegionSequence\.__getitem__:
    @overload
    def __getitem__(self, index: int) -> Region: ...
    @overload
    def __getitem__(self, index: slice) -> RegionSequence: ...

# Internals of Python's enum.
mlir_xla\._mlir_libs\._mlir\.\w+\.\w+\._(boundary|flag_mask|singles_mask|all_bits|inverted)_:

mlir_xla\._mlir_libs\._mlir\.\w+\.LevelFormat\.__(str|repr)__:
