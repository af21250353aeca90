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
