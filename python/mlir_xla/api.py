# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`compile`: from a program to something that can be called."""

from __future__ import annotations

import dataclasses
import errno
import io
import os
import stat
import time
from collections.abc import Callable
from typing import Any, TypeAlias

from . import _bytecode, _checks, _contexts, _functions, _processors, ir
from ._internal_error import InternalCompilerError
from ._messages import article, integer, short, suggestion
from ._mlir_libs._xla import compiler
from .builder import XlaBuilder, XlaComputation, XlaOp
from .errors import XlaError
from .executable import Executable, NativeExecutable, ReferenceExecutable
from .shape import Shape

#: The compiler's backends, and the interpreter.
TARGETS = (*compiler.TARGETS, "reference")

Program: TypeAlias = str | bytes | os.PathLike | ir.Module | XlaComputation


def compile(
    program: Program,
    target: str = "cpu",
    *,
    function: str = "main",
    cpu: str = "",
    features: str = "",
    threads: int = 0,
    chip: str = "",
    lines: bool = False,
    tune: bool = False,
) -> Executable:
    """Compiles a program for a target.

    Args:
        program: An `XlaComputation`, an `ir.Module`, text or bytecode of the `xla` dialect or of StableHLO, or the path
            of a file with one of these.
        target: `"cpu"` for machine code; `"cuda"` for NVIDIA's GPUs, or `"cuda-emulated"` for the same code in an
            emulator of one; `"reference"` for the interpreter that is the oracle of the tests.
        function: The function that is the program; empty for `@main` or, in a program without, the only public one.
        cpu: The processor to generate code for, as LLVM names it; empty for this machine's. Code for a processor with
            instructions that this one has not is not run. (cpu)
        features: Features on top of the processor's, such as `"-avx512f"`. (cpu)
        threads: 1 for code without parallel loops; otherwise the thread pool decides. (cpu)
        chip: What PTX is written for: GPUs of this architecture and newer ones, but of one like `"sm_90a"` only these.
            Several are code for each; a device takes the newest that it can run. By default `"sm_80"`, and `"sm_90a"`
            if there are kernels for that alone. (cuda)
        lines: Have code say which line of the program it is of, for findings of the emulator, debuggers and profilers.
            (cuda)
        tune: Measure every kernel with other schedules on this machine and take the fastest. That takes seconds for
            each kernel, once: what was found is kept among the user's caches (`$MLIR_XLA_CACHE`, or `mlir_xla` in
            `$XDG_CACHE_HOME`). Sums of floating-point numbers may be added up in another order. (cpu)

    Returns:
        An `Executable`: call it on arrays.

    Raises:
        MLIRError: The program is invalid or cannot be compiled; says where, and the id of the rule that is broken.
        InternalCompilerError: The compiler failed, which is a bug of its own; names a file that reproduces it.
        XlaError: There is no such target or function, the interpreter is given an option, the function's signature has
            no meaning for arrays, or an assertion of the program is not one.
        ValueError: `threads` is negative, or the text is HLO's or a file's name.
        TypeError: An argument is of the wrong kind.
        OSError: The file cannot be read.
        MemoryError: The compiler or a constant of the program takes more memory than there is.
    """
    for name, value in {"target": target, "function": function, "cpu": cpu, "features": features, "chip": chip}.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is {short(value)}, not a string")
    if target not in TARGETS:
        raise XlaError(f"unknown target {target!r}; the targets are {', '.join(TARGETS)}{suggestion(target, TARGETS)}")
    threads = integer(threads, "threads")
    if not 0 <= threads < 2**63:
        raise ValueError(f"threads must not be {'negative' if threads < 0 else 'beyond 64 bits'}, got {threads}")
    source = _source(program)
    try:
        if tune and target != "cpu":
            raise XlaError(f"the target {target!r} has no schedules to tune")
        options = {"cpu": cpu, "features": features, "threads": threads, "chip": chip, "lines": bool(lines)}
        if target == "reference":
            for name, value in options.items():
                if value:
                    raise XlaError(f"the target {target!r} has no option {name!r}; it has none")
            return _reference(source, function)
        return (_tuned if tune else _native)(source, function, target=target, **options)
    except RecursionError:
        raise XlaError("the program is nested too deeply") from None
    except MemoryError as error:
        raise MemoryError(f"out of memory while compiling the program ({error})") from error


def compile_stage(program: Program, target: str, stage: str, **options: Any) -> Executable:
    """Compiles what the compiler itself made: a program in a stage of a target, such as a reproducer.

    `options` are those of `compile` for that target. The program is trusted. Raises what `compile` raises, and XlaError
    if the target has no such stage.
    """
    stages = [name for name, _, _ in compiler.TARGETS.get(target, ())[:-1]]
    if stage not in stages:
        known = f"its stages are {', '.join(stages)}" if stages else "it has no stages"
        raise XlaError(f"unknown stage {stage!r} of the target {target!r}; {known}{suggestion(stage, stages)}")
    return _native(_source(program), "main", target=target, from_stage=stage, **options)


def _native(source: str | bytes | os.PathLike, function: str, **options: Any) -> NativeExecutable:
    is_program = options.get("from_stage", "xla") == "xla"

    def build(**more: bool) -> tuple[compiler.Executable, _checks.Checks, bool, float]:
        start = time.perf_counter()
        with _contexts.Lease(len(source) if isinstance(source, (str, bytes)) else 0) as context:
            module = _parse(source, context)
            returns_tuple = _select(module, function) if is_program else True
            checks = _checks.extract(module) if is_program else _checks.Checks()
            parsed = time.perf_counter() - start
            native = compiler.compile(module.operation, in_place=True, **options, **more)
            del module
        return native, checks, returns_tuple, parsed

    try:
        native, checks, returns_tuple, parsed = build()
    except InternalCompilerError as error:
        raise (_reproduced(build) or error) from None
    return NativeExecutable(
        options["target"],
        native,
        checks,
        returns_tuple,
        parsed,
        lambda: build(keep_stages=True)[0].stages,
        _processors.fault(options.get("cpu", ""), options.get("features", "")),
    )


def _tuned(source: str | bytes | os.PathLike, function: str, **options: Any) -> NativeExecutable:
    """Compiles twice: as far as the kernels, and from there with the plans that are fastest."""
    from . import tuning

    plain = _native(source, function, **options)
    if fault := _processors.fault(options["cpu"], options["features"]):
        raise XlaError(f"kernels cannot be measured here: {fault}")
    stages = dict(plain.stages)
    settings = {field.name: options[field.name] for field in dataclasses.fields(tuning.Settings)}
    text = tuning.tune(stages["kernels"], tuning.Settings(**settings))
    tuned = _native(text, "main", from_stage="kernels", **options)
    names = list(stages)
    before = {name: stages[name] for name in names[: names.index("kernels")]}
    return plain.replaced(tuned, lambda: before | dict(tuned.stages))


def _reproduced(build: Callable[..., Any]) -> InternalCompilerError | None:
    """The error of a compilation that failed before, with what it takes to repeat it."""
    try:
        build(reproduce=True)
    except InternalCompilerError as error:
        return error
    return None


def parse(program: Program, context: ir.Context | None = None) -> ir.Module:
    """The module of a program, in `context` (by default the active one, or else one of this thread).

    Raises MLIRError if the text is not a valid program.
    """
    return _parse(_source(program), context or _contexts.of_this_thread())


def _reference(source: str | bytes | os.PathLike, function: str) -> ReferenceExecutable:
    start = time.perf_counter()
    with _contexts.Lease() as context:
        module = _parse(source, context)
        _select(module, function)
        _checks.validate(module)
        text = str(module)
        executable = ReferenceExecutable(module, text, time.perf_counter() - start)
        del module
    return executable


def _source(program: Program) -> str | bytes | os.PathLike:
    """A program as text, bytecode or a path: what later changes to a module do not affect."""
    if isinstance(program, (str, bytes)):
        return _bytecode.contained(program)
    if isinstance(program, os.PathLike):
        return _bytecode.read(program) or program
    module = program.module if isinstance(program, XlaComputation) else program
    if isinstance(module, ir.Module):
        stream = io.BytesIO()
        module.operation.write_bytecode(stream)
        return _bytecode.SoundBytecode(stream.getvalue())
    given = article(type(program).__name__)
    reason = f"cannot compile {given}: not a computation, a module, text, bytecode or a path"
    raise TypeError(f"{reason}{_instead(program)}")


def _instead(given: Any) -> str:
    """What whoever gave that for a program may have meant to give."""
    if isinstance(given, (XlaBuilder, XlaOp)):
        return "; give what the builder's build(op) returns"
    if callable(getattr(given, "as_text", None)):  # what JAX lowers to
        return "; give its text, as_text()"
    if callable(getattr(given, "mlir_module", None)):  # what JAX exports
        return "; give its text, mlir_module()"
    if callable(getattr(given, "lower", None)):  # a function of jax.jit
        return "; give the text of what it is lowered to, lower(*args).as_text()"
    if type(given).__module__.startswith("jaxlib."):  # modules of another MLIR
        return "; give its text, str(module)"
    return ""


def _parse(source: str | bytes | os.PathLike, context: ir.Context) -> ir.Module:
    if not isinstance(source, (str, bytes)):
        if stat.S_ISDIR(os.stat(source).st_mode):  # MLIR's reader gives no reason
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(source))
        return compiler.parse_file(source, context)
    if isinstance(source, str) and "\n" not in source and source.endswith((".mlir", ".mlirbc", ".stablehlo")):
        raise ValueError(f"{source!r} is no program text: for a file give a path, pathlib.Path({source!r})")
    if isinstance(source, str) and source.lstrip().startswith("HloModule"):
        raise ValueError(
            "HLO's text is not read: give StableHLO's, which is as_text() of what jax.jit(f).lower returns"
        )
    if isinstance(source, str) and not source.isascii():
        source = source.encode()  # UnicodeEncodeError, a ValueError, for half a surrogate pair
    return compiler.parse(source, context)


def _select(module: ir.Module, function: str) -> bool:
    """Makes `@function` the module's `@main`; returns whether what it gives is a tuple."""
    if function in ("", "main"):  # most programs, which all of what follows would take longer to find out
        results = compiler.plain_results(module.operation)
        if results is not None:
            return results != 1
    function = function or _functions.choice(module)
    functions = _functions.functions(module)
    chosen = functions.get(function)
    if chosen is None or not _functions.has_body(chosen):
        known = ", ".join(f"@{name}" for name in functions) or "none"
        reason = f"the program has no function @{function} with a body; its functions: {known}"
        reason += suggestion(f"@{function}", [f"@{name}" for name in functions if name != function])
        raise XlaError(reason, location=_functions.place(module.operation))
    if function != "main":
        symbols = ir.SymbolTable(module.operation)
        if "main" in functions:
            _rename(symbols, module, functions["main"], "main_")
        _rename(symbols, module, chosen, "main")
    if "sym_visibility" in chosen.attributes:
        chosen.attributes["sym_visibility"] = ir.StringAttr.get("public", context=module.context)
    signature = _functions.signature(chosen)
    for i, type_ in enumerate(signature.inputs):
        _shape(type_, f"argument {i}", chosen)
    shapes = [_shape(type_, f"result {i}", chosen) for i, type_ in enumerate(signature.results)]
    return len(shapes) != 1 or shapes[0].is_tuple


def _shape(type_: ir.Type, what: str, function: ir.Operation) -> Shape:
    try:
        return Shape.parse(str(type_))
    except XlaError as error:
        raise XlaError(f"{what} of the program: {error.reason}", location=_functions.place(function)) from None


def _rename(symbols: ir.SymbolTable, module: ir.Module, function: ir.Operation, name: str) -> None:
    taken = {_functions.symbol_name(view.operation) for view in module.body.operations}
    while name in taken:
        name += "_"
    ir.SymbolTable.replace_all_symbol_uses(_functions.symbol_name(function), name, module.operation)
    ir.SymbolTable.set_symbol_name(function, name)
