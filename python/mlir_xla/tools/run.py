# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xla-run`: compiles a file of `xla` or StableHLO and runs it on arrays.

Assertions in the program (`check.expect_eq`, `check.expect_close`, `check.expect_almost_eq` and their `_const` forms,
as custom calls or as ops) are evaluated; the exit status is 1 if one fails, 2 if the input cannot be used or the
results cannot be written, 3 if the compiler fails by its own fault, 130 after an interruption, else 0.

A program may bring its own test data: functions without arguments `@inputs` and `@expected`. Where `@main` takes
arguments, and there is no `--args`, it gets the results of `@inputs`; its results are then compared with those of
`@expected` as `check.expect_almost_eq` does.

With `--split-input-file` a file holds several programs, as StableHLO's tests do. Each is run, and the exit status is
that of the worst.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import os
import pathlib
import re
import signal
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _bytecode, _contexts, _functions, api, ir
from .._internal_error import InternalCompilerError
from .._messages import counted, suggestion
from ..errors import XlaError
from ..executable import Executable
from ..reference import CheckError, InterpreterError, checks
from ..shape import Shape
from . import _arrays


def main(arguments: Sequence[str] | None = None) -> int:
    """The tool; returns its exit status."""
    settings = _settings(arguments)

    def run() -> int:
        program = _program(settings.file)
        return _run_chunks(program, settings) if settings.split_input_file else _run(program, settings)

    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: _say(f"xla-run: warning: {message}")
            return _status(run)
    except KeyboardInterrupt:
        return 130


def _status(run: Callable[[], int]) -> int:
    """The exit status of a run, whose errors are reported."""
    try:
        return run()
    except CheckError as error:
        _say(f"check failed: {error}")
        return 1
    except ir.MLIRError as error:
        for diagnostic in error.error_diagnostics:
            _report(diagnostic, "error")
        if not error.error_diagnostics:
            _say(f"xla-run: error: {error}")
        return 3 if isinstance(error, InternalCompilerError) else 2
    except BrokenPipeError:  # nobody reads on: the status of tools which the signal for this ends
        _drop(sys.stdout)
        return 128 + signal.SIGPIPE
    except OSError as error:
        _say(f"xla-run: error: {_reason(error)}")
    except MemoryError as error:
        _say(f"xla-run: error: {str(error) or 'out of memory'}")
    except XlaError as error:
        place = error.location or "xla-run"
        _say(f"{place}: error: {str(error).removeprefix(f'{place}: ')}")
    except (InterpreterError, TypeError, ValueError, OverflowError, RuntimeError) as error:
        _say(f"xla-run: error: {error}")
    return 2


def _write(text: str) -> None:
    """Prints text and sees to it that it gets to where it goes."""
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        _drop(sys.stdout)
        raise XlaError(f"the results cannot be written: {_reason(error)}") from None


def _drop(stream: Any) -> None:
    """Leaves out what cannot be written, so that Python does not try again when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _say(line: str) -> None:
    """A line on the standard error, if there is one."""
    if sys.stderr is None:
        return
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def _reason(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{os.fsdecode(error.filename)}: {reason}" if isinstance(error.filename, (str, bytes)) else reason


def _run_chunks(program: Any, settings: argparse.Namespace) -> int:
    """Runs the parts of a file between lines `// -----`, each a program, and returns the worst status."""
    text = program.read_text() if isinstance(program, pathlib.Path) else program
    text = text.decode() if isinstance(text, bytes) else text
    parts = re.split(r"^// -----[ \t]*$", text, flags=re.MULTILINE)
    statuses: list[int] = []
    before = 0  # lines
    for part in parts:
        # Blank lines in front give its operations their line in the file; a part with comments only is none.
        if re.sub(r"//.*", "", part).strip():
            padded = "\n" * before + part
            statuses.append(_status(functools.partial(_run_chunk, padded, settings)))
        before += part.count("\n")
    failed = sum(status != 0 for status in statuses)
    _say(f"{counted(len(statuses), 'program')}, {failed} of them failed")
    return max(statuses, default=0)


def _run_chunk(text: str, settings: argparse.Namespace) -> int:
    from .._mlir_libs._xla import compiler

    with _contexts.Lease(len(text)) as context:
        module = compiler.parse(text.encode(), context, source_name=settings.file)
        name = settings.function or _functions.choice(module)
        _write(f"@{name}\n")
        status = _run(module, settings)
        del module
    return status


def _run(program: Any, settings: argparse.Namespace) -> int:
    if settings.output is None and sys.stdout is None:
        raise XlaError("the standard output is closed; --output=FILE writes the results to a file")
    if settings.output is not None:
        _arrays.require_suffix(settings.output)
    start = time.perf_counter()
    if settings.from_stage:
        if settings.tune:
            raise XlaError("--tune is for programs, not for stages of the compiler")
        executable = api.compile_stage(program, settings.target, settings.from_stage, **_options(settings))
    else:
        executable = api.compile(
            program, target=settings.target, function=settings.function, tune=settings.tune, **_options(settings)
        )
    compiled = time.perf_counter() - start
    if settings.to_stage:
        stages = executable.stages
        if settings.to_stage not in stages:
            known = f"{' '.join(stages)}{suggestion(settings.to_stage, stages)}"
            raise XlaError(f"the target '{settings.target}' has no stage '{settings.to_stage}' here; there are {known}")
        _write(stages[settings.to_stage])
        return 0
    if settings.dump is not None:
        paths = executable.dump(settings.dump)
        names = f"{paths[0]}{f' ... {paths[-1].name}' if len(paths) > 1 else ''}"
        _say(f"wrote {counted(len(paths), 'stage')}: {names}")
    own = _own_data(program, executable, settings)
    inputs = _inputs(executable, settings) if own is None else own.inputs

    results = _tuple(executable(*inputs))
    if own is not None and own.expected is not None:
        _compare(results, own.expected)
    if settings.output is not None:
        _arrays.write(settings.output, results)
        _say(f"wrote {counted(len(results), 'result')} to {settings.output}")
    else:
        for i, (result, shape) in enumerate(zip(results, executable.result_types, strict=True)):
            text = np.array2string(result, threshold=100, edgeitems=3)
            _write(f"result {i}: {shape} ={chr(10) if result.ndim > 1 else ' '}{text}\n")
    if settings.repeat:
        _time(executable, inputs, settings.repeat, compiled)
    return 0


def _options(settings: argparse.Namespace) -> dict[str, Any]:
    return {"chip": settings.chip, "lines": settings.lines}


def _program(file: str) -> Any:
    """What to compile. `-` is the standard input; a file is parsed as a file, so that errors name it."""
    if file != "-":
        path = pathlib.Path(file)
        return _bytecode.read(path) or path  # bytecode is read once, and not each time that it is compiled
    if sys.stdin is None:
        raise XlaError("the standard input is closed")
    given = getattr(sys.stdin, "buffer", sys.stdin).read()
    return given if isinstance(given, str) else _bytecode.contained(given)


@dataclasses.dataclass
class _Data:
    inputs: Sequence[np.ndarray]
    expected: Sequence[np.ndarray] | None


def _own_data(program: Any, executable: Executable, settings: argparse.Namespace) -> _Data | None:
    """What `@inputs` and `@expected` of the program give, if they are for the function that is run."""
    if settings.args is not None or not executable.arg_types or settings.from_stage:
        return None
    with _contexts.Lease() as context:
        module = api.parse(program, context)
        function = settings.function or _functions.choice(module)
        names = {name for name, op in _functions.functions(module).items() if _functions.has_body(op)}
        del module

    def results(name: str, wanted: Sequence[Shape], what: str) -> tuple[np.ndarray, ...] | None:
        if name not in names or name == function:
            return None
        source = api.compile(program, target=settings.target, function=name)
        given = source.result_types
        if source.arg_types or [str(shape) for shape in given] != [str(shape) for shape in wanted]:
            found = (
                f"takes {counted(len(source.arg_types), 'argument')}" if source.arg_types else f"gives {_list(given)}"
            )
            raise XlaError(f"@{name} {found}, @{function} {what} {_list(wanted)}")
        return _tuple(source())

    inputs = results("inputs", executable.arg_types, "takes")
    if inputs is None:
        return None
    return _Data(inputs, results("expected", executable.result_types, "gives"))


def _list(shapes: Sequence[Shape]) -> str:
    return ", ".join(map(str, shapes)) or "nothing"


def _compare(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    for i, (actual, wanted) in enumerate(zip(results, expected, strict=True)):
        index = checks.differing(actual, wanted, checks.almost_equal(checks.TOLERANCE))
        if index is not None:
            raise CheckError(f"result {i}: element {list(index)} is {actual[index]}, @expected has {wanted[index]}")


def _inputs(executable: Executable, settings: argparse.Namespace) -> list[np.ndarray]:
    types = executable.arg_types
    if settings.args is None:
        if types:
            _say(f"no --args: synthetic inputs with --seed={settings.seed} for {', '.join(map(str, types))}")
        return _arrays.synthetic(types, settings.seed)
    arrays = _arrays.read(settings.args)
    if len(arrays) != len(types):
        wanted, given = counted(len(types), "argument"), counted(len(arrays), "array")
        raise XlaError(f"the program takes {wanted} ({_list(types)}), --args has {given}")
    arrays = [_arrays.fit(array, type_) for array, type_ in zip(arrays, types, strict=True)]
    for i, (array, type_) in enumerate(zip(arrays, types, strict=True)):
        if array.shape != type_.dims or array.dtype != type_.dtype:
            raise XlaError(f"argument {i} of the program is {type_}, --args has {_describe(array)}")
    return arrays


def _describe(array: np.ndarray) -> str:
    try:
        return str(Shape.of(array))
    except XlaError:
        return f"{array.dtype}{list(array.shape)}"


def _time(executable: Executable, inputs: Sequence[np.ndarray], repeat: int, compiled: float) -> None:
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        executable(*inputs)
        seconds.append(time.perf_counter() - start)
    phases = ", ".join(f"{phase} {ms:.2f}" for phase, ms in executable.timings.items())
    _say(f"compiled in {compiled * 1e3:.2f} ms ({phases})")
    _say(
        f"{counted(repeat, 'call')}: median {statistics.median(seconds) * 1e6:.1f} us, "
        f"fastest {min(seconds) * 1e6:.1f} us, slowest {max(seconds) * 1e6:.1f} us"
    )


def _tuple(results: Any) -> tuple[np.ndarray, ...]:
    return results if isinstance(results, tuple) else (results,)


def _report(diagnostic: Any, kind: str) -> None:
    # What is about a file as a whole is at 0:0.
    where = str(diagnostic.location).removeprefix("loc(").removesuffix(")").replace('"', "").removesuffix(":0:0")
    _say(f"{where}: {kind}: {diagnostic.message}")
    for note in diagnostic.notes:
        _report(note, "note")


def _settings(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _parser()
    settings = parser.parse_args(arguments)
    if settings.split_input_file and (settings.output or settings.dump):
        parser.error("--output and --dump are for one program, not for --split-input-file")
    if settings.from_stage and (settings.function or settings.split_input_file):
        parser.error("--function and --split-input-file are for programs, not for what --from names")
    if settings.to_stage and (settings.args or settings.output or settings.dump or settings.repeat):
        parser.error("--to prints a stage and runs nothing: no --args, --output, --dump or --repeat")
    return settings


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="xla-run", description="Compiles a file of xla or StableHLO and runs it on arrays, with its assertions."
    )
    parser.add_argument("file", metavar="FILE.mlir", help="the program, text or bytecode; - for the standard input")
    parser.add_argument(
        "--target", choices=api.TARGETS, default="cpu", help="what to compile for (default: %(default)s)"
    )
    parser.add_argument(
        "--chip", default="", metavar="SM", help="cuda: architectures to write PTX for, such as sm_80,sm_90a"
    )
    parser.add_argument("--lines", action="store_true", help="cuda: PTX refers to lines of the program")
    parser.add_argument(
        "--args",
        nargs="+",
        type=pathlib.Path,
        metavar="FILE",
        help="inputs: .npy files or an .npz; without, the results of @inputs, or made up",
    )
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE", help="write the results there: .npz or .npy")
    parser.add_argument(
        "--function",
        default="",
        metavar="NAME",
        help="the function to run (default: main, or else the only public one)",
    )
    parser.add_argument(
        "--from",
        dest="from_stage",
        default="",
        metavar="STAGE",
        help="the file is what the compiler made in that stage, as --dump and xla-opt --to write it; it is trusted",
    )
    parser.add_argument(
        "--to",
        dest="to_stage",
        default="",
        metavar="STAGE",
        help="print the program in that stage instead of running it: assembly or PTX for binary",
    )
    parser.add_argument(
        "--split-input-file", action="store_true", help="the file holds several programs, between lines // -----"
    )
    parser.add_argument(
        "--tune", action="store_true", help="measure other schedules of every kernel first and take the fastest"
    )
    parser.add_argument("--repeat", type=_count, default=0, metavar="N", help="time N more calls")
    parser.add_argument("--dump", type=pathlib.Path, metavar="DIR", help="write the IR after each stage to that folder")
    parser.add_argument("--seed", type=_count, default=0, metavar="N", help="of made-up inputs (default: %(default)s)")
    return parser


def _count(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer") from None
    if value < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value


if __name__ == "__main__":
    sys.exit(main())
