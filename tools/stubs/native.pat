# Names that the signatures written out in the sources use, and what mypy has against signatures that are upstream's.
mlir_xla\._mlir_libs\._mlir\.ir\.__prefix__:
    # mypy: disable-error-code="misc, override, overload-cannot-match"
    from typing import Any, Generic

mlir_xla\._mlir_libs\.(_mlir\.\w+|_mlir|_mlir[A-Z]\w*|_xla(\.\w+)?)\.__prefix__:
    # mypy: disable-error-code="attr-defined, misc, override, overload-cannot-match"
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy import dtype
    from numpy.typing import NDArray

    from mlir_xla._mlir_libs._mlir.ir import (
        Attribute, Context, Location, Module, Operation, OpView, Type, TypeID, Value, _OperationBase
    )

mlir_xla\._mlir_libs\._mlir\.(register_type_caster|register_value_caster):
    def \1(typeid: TypeID, *, replace: bool = False) -> Callable[[Callable[[T], U]], Callable[[T], U]]: ...

mlir_xla\._mlir_libs\._mlir\.passmanager\.PassManager\.run:
    def run(self, operation: _OperationBase) -> None:
        \doc

# What upstream says is an `object`.
mlir_xla\._mlir_libs\._mlir\.ir\.Context\.__enter__:
    def __enter__(self) -> Context: ...

mlir_xla\._mlir_libs\._mlir\.ir\.DiagnosticHandler\.__enter__:
    def __enter__(self) -> DiagnosticHandler: ...

mlir_xla\._mlir_libs\._mlir\.ir\.Context\.attach_diagnostic_handler:
    def attach_diagnostic_handler(self, callback: Callable[[Diagnostic], bool]) -> DiagnosticHandler: ...

mlir_xla\._mlir_libs\._mlir\.ir\.(OpAttributeMap|DictAttr)\.__getitem__:
    @overload
    def __getitem__(self, name: str) -> Any: ...
    @overload
    def __getitem__(self, index: int) -> NamedAttribute: ...

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

# What `_mlir_libs/_dense_elements.py` adds.
mlir_xla\._mlir_libs\._mlir\.ir\.DenseElementsAttr\.get$:
    @staticmethod
    def get(
        array: Any,
        signless: bool = True,
        type: Type | None = None,
        shape: Sequence[int] | None = None,
        context: Context | None = None,
    ) -> DenseElementsAttr:
        \doc

# What `_mlir_libs/__init__.py` adds to `ir`.
mlir_xla\._mlir_libs\._mlir\.ir\.Context\.__init__:
    def __init__(
        self, load_on_create_dialects: Sequence[str] | None = None, thread_pool: ThreadPool | None = None
    ) -> None: ...

mlir_xla\._mlir_libs\._mlir\.ir\.__suffix__:
    class MLIRError(Exception):
        message: str
        error_diagnostics: list[DiagnosticInfo]

        def __init__(self, message: str, error_diagnostics: Sequence[DiagnosticInfo]) -> None: ...

# The slots of list-like classes come without signatures.
mlir_xla\._mlir_libs\._mlir\.ir\.(OpResultList|OpOperandList|OpSuccessors|BlockArgumentList|BlockSuccessors|BlockPredecessors|RegionSequence|AffineExprList|IntegerSetConstraintList)\.__len__:
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

mlir_xla\._mlir_libs\._mlir\.ir\.AffineExprList\.__getitem__:
    @overload
    def __getitem__(self, index: int) -> AffineExpr: ...
    @overload
    def __getitem__(self, index: slice) -> AffineExprList: ...

mlir_xla\._mlir_libs\._mlir\.ir\.IntegerSetConstraintList\.__getitem__:
    @overload
    def __getitem__(self, index: int) -> IntegerSetConstraint: ...
    @overload
    def __getitem__(self, index: slice) -> IntegerSetConstraintList: ...

mlir_xla\._mlir_libs\._mlirDialectsSparseTensor\.LevelFormat\.__(str|repr)__:
