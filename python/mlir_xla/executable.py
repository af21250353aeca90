# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executables: compiled programs that are called on arrays."""

from __future__ import annotations

import functools
import os
import pathlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import ir
from ._arrays import as_argument, in_layout
from ._messages import counted, integers, suggestion
from .layout import Layout
from .shape import Shape

if TYPE_CHECKING:
    from ._checks import Checks

Array = np.ndarray


class Stages(dict[str, str]):
    """Text by the name of the stage."""

    def __missing__(self, stage: str) -> str:
        raise KeyError(f"no stage {stage!r}; the stages are {', '.join(self)}{suggestion(str(stage), self)}")


class Executable(ABC):
    """A compiled program.

    Call it on one array per argument: NumPy arrays of any strides, with ml_dtypes' element types, anything with
    `__dlpack__` or `__array__`, Python numbers for scalars. Shapes and dtypes must be those of `arg_types`; nothing is
    converted silently. Arrays that lie in memory as the program wants them (C-contiguous, unless the type of the
    argument has a layout without padding) are read in place, and results lie as their types say. A program with one
    result returns an array, others return a tuple of arrays (of a result that is a tuple, its elements). May be called
    by several threads at once.

    A program for GPUs that is called with an array on one, a `DeviceArray` or an array of another library that shares
    its memory, runs there, and its results are `DeviceArray`s of that GPU; what else it is given is copied there. The
    call returns while the GPU is computing, unless it was given memory of another library. With the host's arrays only,
    results are such arrays.
    """

    #: What the program was compiled for: `"cpu"`, `"cuda"`, ..., or `"reference"` for the interpreter.
    target: str
    #: The shapes of the arguments; tuples are taken apart, tokens left out.
    arg_types: tuple[Shape, ...]
    #: The shapes of the results, likewise.
    result_types: tuple[Shape, ...]

    @abstractmethod
    def __call__(self, *arrays: Any, donate: Sequence[int] = ()) -> Any:
        """Runs the program.

        Args:
            arrays: The arguments.
            donate: Numbers of arguments that are given away. A `DeviceArray` among them is gone after the call; its
                memory is that of a result of its type where the program does not need it any more when it writes that,
                and otherwise free as soon as the program has run. Of other arrays nothing is taken.

        Raises TypeError for a wrong number of arguments, a wrong dtype, shape or device; MemoryError if there is no
        memory for results or intermediate values; RuntimeError if the program is for another processor than this one,
        or fails otherwise; `reference.CheckError` where an assertion in the program fails.
        """

    @property
    @abstractmethod
    def stages(self) -> Mapping[str, str]:
        """The IR after each stage of the compilation, by the stage's name, in order; assembly code for `binary`.

        KeyError for another name, with those that there are.
        """

    @property
    @abstractmethod
    def timings(self) -> Mapping[str, float]:
        """The phases of the compilation, in order, in milliseconds."""

    def dump(self, folder: str | os.PathLike) -> list[pathlib.Path]:
        """Writes the stages to numbered files in a folder (made if needed): `01-xla.mlir`, ...; returns the paths."""
        from ._mlir_libs._xla import compiler

        suffixes = {name: suffix for name, _, suffix in compiler.TARGETS.get(self.target, ())}
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        paths = []
        for number, (stage, text) in enumerate(self.stages.items(), start=1):
            path = folder / f"{number:02}-{stage}.{suffixes.get(stage, 'mlir')}"
            path.write_text(text)
            paths.append(path)
        return paths

    def __repr__(self) -> str:
        arguments, results = (", ".join(map(str, types)) for types in (self.arg_types, self.result_types))
        return f"<{type(self).__name__}: ({arguments}) -> ({results})>"


class NativeExecutable(Executable):
    """A program that the compiler compiled."""

    def __init__(
        self,
        target: str,
        native: Any,
        checks: Checks,
        returns_tuple: bool,
        parse_seconds: float,
        make_stages: Callable[[], Mapping[str, str]],
        fault: str = "",
    ) -> None:
        """`fault` says why the code cannot run here; empty if it can."""
        self.target = target
        self._native = native
        self._run = functools.partial(_refuse, fault) if fault else native.run
        self._single = not returns_tuple and not checks.after_run
        self._returns_tuple = returns_tuple
        self._checks = checks
        self._parse_seconds = parse_seconds
        self._make_stages = make_stages
        self._stages: Mapping[str, str] | None = None

    @functools.cached_property
    def arg_types(self) -> tuple[Shape, ...]:
        return _shapes(self._native.argument_types, self._native.argument_layouts)

    @functools.cached_property
    def result_types(self) -> tuple[Shape, ...]:
        results = _shapes(self._native.result_types, self._native.result_layouts)
        return results[: len(results) - self._checks.count]

    def __call__(self, *arrays: Any, donate: Sequence[int] = ()) -> Any:
        is_none = type(donate) is tuple and not donate
        results = self._run(arrays) if is_none else self._run(arrays, _numbers(donate, len(arrays)))
        if self._single:
            return results[0]
        if self._checks.after_run:
            count = len(self.result_types)
            self._checks.evaluate([np.asarray(result) for result in results[count:]])
            results = results[:count]
        return tuple(results) if self._returns_tuple else results[0]

    def replaced(self, other: NativeExecutable, make_stages: Callable[[], Mapping[str, str]]) -> NativeExecutable:
        """This program, run by the code of `other`, which is compiled of one of its stages."""
        return NativeExecutable(
            self.target, other._native, self._checks, self._returns_tuple, self._parse_seconds, make_stages
        )

    @property
    def stages(self) -> Mapping[str, str]:
        """The IR after each stage. Printing takes longer than compiling: the program is compiled again for it, once."""
        if self._stages is None:
            self._stages = Stages(self._make_stages())
        return self._stages

    @property
    def timings(self) -> Mapping[str, float]:
        native = {phase: seconds * 1e3 for phase, seconds in self._native.timings.items()}
        return {"parse": self._parse_seconds * 1e3, **native}

    @property
    def arena_size(self) -> int:
        """Bytes of intermediate values while the program runs, without a few small ones on the stack."""
        return self._native.arena_size

    @property
    def object_code(self) -> list[bytes]:
        """The machine code, as object files that refer to each other (one per thread that generated code)."""
        return self._native.object_code


class ReferenceExecutable(Executable):
    """A program that the reference interpreter evaluates."""

    target = "reference"

    def __init__(self, module: ir.Module, text: str, parse_seconds: float) -> None:
        from . import custom_calls
        from .reference import Interpreter

        start = time.perf_counter()
        self._interpreter = Interpreter(module, custom_calls.for_interpreter())
        main = self._interpreter.functions["main"]
        self._parameters = [Shape.parse(str(type_)) for type_ in main.type.inputs]
        results = [Shape.parse(str(type_)) for type_ in main.type.results]
        self._returns_tuple = len(results) != 1 or results[0].is_tuple
        self.arg_types = tuple(array for shape in self._parameters for array in shape.flattened())
        self.result_types = tuple(array for shape in results for array in shape.flattened())
        self._text = text
        self._timings = {"parse": parse_seconds * 1e3, "read": (time.perf_counter() - start) * 1e3}

    def __call__(self, *arrays: Any, donate: Sequence[int] = ()) -> Any:
        _numbers(donate, len(arrays))
        if len(arrays) != len(self.arg_types):
            raise TypeError(f"the program takes {counted(len(self.arg_types), 'argument')}, got {len(arrays)}")
        converted = [
            as_argument(array, type_.dtype, type_.dims, i)
            for i, (array, type_) in enumerate(zip(arrays, self.arg_types, strict=True))
        ]
        remaining = iter(converted)
        try:
            values = self._interpreter.run([_pack(shape, remaining) for shape in self._parameters])
        except RecursionError:
            from .reference import InterpreterError

            raise InterpreterError("the program is nested too deeply") from None
        results = [in_layout(array, type_) for array, type_ in zip(_flatten(values), self.result_types, strict=True)]
        return tuple(results) if self._returns_tuple else results[0]

    @property
    def stages(self) -> Mapping[str, str]:
        return Stages(xla=self._text)

    @property
    def timings(self) -> Mapping[str, float]:
        return dict(self._timings)


def _refuse(fault: str, *_: Any) -> Any:
    raise RuntimeError(fault)


def _numbers(donate: Sequence[int], count: int) -> tuple[int, ...]:
    numbers = integers(donate, "donate")
    for number in numbers:
        if not 0 <= number < count:
            raise ValueError(f"donate names argument {number} of {counted(count, 'argument')}, which begin with 0")
    return numbers


def _shapes(types: Any, layouts: Any) -> tuple[Shape, ...]:
    return tuple(
        Shape(dtype, dims, None if layout is None else Layout(*layout))
        for (_, dims, dtype), layout in zip(types, layouts, strict=True)
    )


def _pack(shape: Shape, arrays: Any) -> Any:
    if shape.is_tuple:
        return tuple(_pack(element, arrays) for element in shape.tuple_shapes)
    if shape.is_token:
        from .reference import TOKEN

        return TOKEN
    return next(arrays)


def _flatten(values: Sequence[Any]) -> list[Array]:
    flat: list[Array] = []
    for value in values:
        if isinstance(value, (tuple, list)):
            flat.extend(_flatten(value))
        elif isinstance(value, np.ndarray):
            flat.append(value)
    return flat
