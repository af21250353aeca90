# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is wrong with the arguments of a call, said at the user's line before anything else happens.

`checked` reads the kinds of arguments from a function's annotations. Sequences become lists and integers Python's, so
that functions need not care whether they were given tuples, ranges or NumPy arrays.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import operator
import types
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from .._messages import article, short, suggestion
from ..errors import XlaError
from ._location import caller

_P = ParamSpec("_P")
_R = TypeVar("_R")


@dataclasses.dataclass(frozen=True)
class Kind:
    """Values of one kind: its name, that of several, and what makes a value one (`_Mismatch` if it is none)."""

    name: str
    plural: str
    convert: Callable[[Any, str], Any]


class _Mismatch(Exception):
    def __init__(self, path: str, value: Any, kind: str) -> None:
        self.path, self.value, self.kind = path, value, kind


def fail(reason: str, *, op: str, constraint: str | None = None, kind: type[XlaError] = XlaError) -> NoReturn:
    """Raises an error at the user's line."""
    path, line, column = caller()
    raise kind(reason, op=op, constraint=constraint, location=f"{path}:{line}:{column}") from None


def checked(label: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """The function with arguments of the kinds that its annotations name; XlaError at the user's line for others.

    Errors that name no place get that of the user, and tracebacks end where the function was called.
    """

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        @functools.wraps(function)
        def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            __tracebackhide__ = True  # pytest and IPython show the caller as the place of an error
            in_order, by_name = _kinds(function)
            try:
                given = [
                    kind.convert(arg, name) if kind else arg for arg, (name, kind) in zip(args, in_order, strict=False)
                ]
                for name, arg in kwargs.items():
                    kind = by_name.get(name)
                    if name not in by_name and not takes_any_name(function):
                        meant = suggestion(name, by_name)
                        raise TypeError(f"{label}: unexpected keyword argument '{name}'{meant}")
                    if kind:
                        kwargs[name] = kind.convert(arg, name)
                return function(*given, *args[len(given) :], **kwargs)  # type: ignore[arg-type]
            except _Mismatch as mismatch:
                error = XlaError(f"{mismatch.path} is {short(mismatch.value)}, not {mismatch.kind}", op=label)
            except XlaError as raised:
                error = raised
            try:
                raise located(error, label).with_traceback(None) from error.__cause__
            finally:
                del error  # which refers to this frame

        return call

    return decorate


def located(error: XlaError, label: str) -> XlaError:
    """The error, with the user's line and the operation if it names none."""
    if error.location is not None:
        return error
    path, line, column = caller()
    return type(error)(
        error.reason, op=error.op or label, constraint=error.constraint, location=f"{path}:{line}:{column}"
    )


@functools.cache
def _kinds(function: Callable[..., Any]) -> tuple[list[tuple[str, Kind | None]], dict[str, Kind | None]]:
    """The kinds of a function's arguments: of those given by position, and of all by name."""
    hints = get_type_hints(function)
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    kinds = {name: None if name == "self" else kind_of(hints.get(name, Any)) for name in names}
    return list(kinds.items())[: code.co_argcount], kinds


def takes_any_name(function: Callable[..., Any]) -> bool:
    """Whether the function has `**attributes`."""
    return bool(function.__code__.co_flags & inspect.CO_VARKEYWORDS)


@functools.cache
def kind_of(annotation: Any) -> Kind | None:
    """The kind that an annotation names; None if it takes anything."""
    origin, args = get_origin(annotation), get_args(annotation)
    if annotation is Any:
        return None
    if origin in (Union, types.UnionType):
        kinds = [kind_of(arg) for arg in args]
        return None if None in kinds else _union([kind for kind in kinds if kind])
    if origin is tuple:
        return _sequence(kind_of(args[0]))
    if origin in (Sequence, list):
        return _sequence(kind_of(args[0]))
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if dataclasses.is_dataclass(annotation):
        return _record(annotation)
    return _instance(annotation)


def _instance(cls: type, name: str = "", plural: str = "") -> Kind:
    def convert(value: Any, path: str) -> Any:
        if not isinstance(value, cls):
            raise _Mismatch(path, value, name)
        return value

    name = name or article(cls.__name__)
    return Kind(name, plural or f"{cls.__name__}s", convert)


def _record(cls: Any) -> Kind:
    """A dataclass, whose fields are looked at as well."""
    instance = _instance(cls)

    def convert(value: Any, path: str) -> Any:
        instance.convert(value, path)
        fields = {}
        for name, hint in get_type_hints(cls).items():
            kind = kind_of(hint)
            fields[name] = kind.convert(getattr(value, name), f"{path}.{name}") if kind else getattr(value, name)
        return dataclasses.replace(value, **fields)

    return Kind(instance.name, instance.plural, convert)


def _sequence(element: Kind | None) -> Kind:
    plural = element.plural if element else "values"
    name = f"a sequence of {plural}"

    def convert(value: Any, path: str) -> list[Any]:
        if isinstance(value, (str, bytes, bytearray, dict, set, frozenset)):
            raise _Mismatch(path, value, name)
        try:
            elements = list(value)
        except TypeError:
            raise _Mismatch(path, value, name) from None
        if not element:
            return elements
        return [element.convert(each, f"{path}[{i}]") for i, each in enumerate(elements)]

    return Kind(name, f"sequences of {plural}", convert)


def _union(kinds: list[Kind]) -> Kind:
    names = [kind.name for kind in kinds if kind is not _NONE]
    name = " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))

    def convert(value: Any, path: str) -> Any:
        deeper = []
        for kind in kinds:
            try:
                return kind.convert(value, path)
            except _Mismatch as mismatch:
                if mismatch.path != path:
                    deeper.append(mismatch)
        # If only its inside is wrong, that is what to say.
        raise deeper[0] if len(deeper) == 1 else _Mismatch(path, value, name)

    return Kind(name, f"({name})", convert)


def _none(value: Any, path: str) -> None:
    if value is not None:
        raise _Mismatch(path, value, "None")


def _integer(value: Any, path: str) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise _Mismatch(path, value, "an integer") from None
    if isinstance(value, bool):
        raise _Mismatch(path, value, "an integer")
    if not -(2**63) <= number < 2**63:
        raise _Mismatch(path, value, "an integer of 64 bits")
    return number


def _boolean(value: Any, path: str) -> bool:
    if not isinstance(value, (bool, np.bool_, int, np.integer)):
        raise _Mismatch(path, value, "a bool")
    return bool(value)


def _real(value: Any, path: str) -> float:
    if isinstance(value, (int, float, np.generic)):
        try:
            return float(value)
        except (OverflowError, TypeError, ValueError):
            pass
    raise _Mismatch(path, value, "a number")


def _number(value: Any, path: str) -> Any:
    if not isinstance(value, (bool, int, float, complex)):
        raise _Mismatch(path, value, "a number")
    return value


_NONE = Kind("None", "None", _none)
_PLAIN = {
    types.NoneType: _NONE,
    bool: Kind("a bool", "bools", _boolean),
    int: Kind("an integer", "integers", _integer),
    float: Kind("a number", "numbers", _real),
    complex: Kind("a number", "numbers", _number),
    str: _instance(str, "a string", "strings"),
    bytes: _instance(bytes, "bytes", "bytes"),
    np.generic: _instance(np.generic, "a NumPy value", "NumPy values"),
    np.ndarray: _instance(np.ndarray, "an array", "arrays"),
}
