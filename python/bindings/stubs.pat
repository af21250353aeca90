# Names that the signatures written out in the sources use. The errors: `Buffer` is not in collections.abc before Python
# 3.12, and some signatures have a plain `list`.
mlir_xla\._mlir_libs\._mlir(\.ir)?\.__prefix__:
    # mypy: disable-error-code="attr-defined, type-arg"
    import collections.abc
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Generic, Literal, Self

    from typing_extensions import TypeVar

    # The default is for `Value` without the class of its type.
    _T = TypeVar("_T", default=Any)
    _U = TypeVar("_U")

mlir_xla\._mlir_libs\._mlir\.(rewrite|passmanager|execution_engine|_mlir\w+)\.__prefix__:
    # mypy: disable-error-code="attr-defined, type-arg"
    from collections.abc import Callable, Sequence

    from mlir_xla._mlir_libs._mlir.ir import (
        Attribute, Context, Location, Module, Operation, OpView, Type, TypeID, Value
    )

mlir_xla\._mlir_libs\._mlir\.compiler\.__prefix__:
    # mypy: disable-error-code="attr-defined, type-arg"
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

mlir_xla\._mlir_libs\._mlir\.ir\.Value\.type:
    @property
    def type(self) -> _T: ...

# What is looked up comes as its own class, which only the program knows.
mlir_xla\._mlir_libs\._mlir\.ir\.(OpAttributeMap|DictAttr)\.__getitem__:
    @overload
    def __getitem__(self, name: str) -> Any: ...
    @overload
    def __getitem__(self, index: int) -> NamedAttribute: ...

mlir_xla\._mlir_libs\._mlir\.ir\.OpAttributeMap\.get:
    def get(self, key: str, default: object = None) -> Any:
        """The attribute, or `default` if there is none of this name."""

mlir_xla\._mlir_libs\._mlir\.ir\.ArrayAttr\.__getitem__:
    def __getitem__(self, index: int, /) -> Any: ...

mlir_xla\._mlir_libs\._mlir\.ir\.ArrayAttr\.__iter__:
    def __iter__(self) -> Iterator[Any]: ...

# They are iterated over by index.
mlir_xla\._mlir_libs\._mlir\.ir\.DenseIntElementsAttr\.__getitem__:
    def __getitem__(self, index: int, /) -> int: ...
    def __iter__(self) -> Iterator[int]: ...

mlir_xla\._mlir_libs\._mlir\.ir\.DenseFPElementsAttr\.__getitem__:
    def __getitem__(self, index: int, /) -> float: ...
    def __iter__(self) -> Iterator[float]: ...

mlir_xla\._mlir_libs\._mlir\.ir\.OpView\._ODS_(OPERAND|RESULT)_SEGMENTS:
    _ODS_\1_SEGMENTS: Sequence[int] | None

# Internals of Python's enum.
mlir_xla\._mlir_libs\._mlir\.\w+\.\w+\._(boundary|flag_mask|singles_mask|all_bits|inverted)_:

mlir_xla\._mlir_libs\._mlir\.\w+\.LevelFormat\.__(str|repr)__:
