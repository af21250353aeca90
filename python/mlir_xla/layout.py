# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts: in which order the dimensions of an array follow each other in memory, and how they are padded there.

A layout never changes the value of an array; it only moves elements in memory.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence

from ._messages import counted, integers
from .errors import ShapeError


class PaddingValue(enum.Enum):
    """What padding in memory holds."""

    INVALID = "INVALID"
    ZERO = "ZERO"
    ONE = "ONE"
    LOWEST = "LOWEST"
    HIGHEST = "HIGHEST"
    UNKNOWN = "UNKNOWN"


class Layout:
    """`minor_to_major` lists the dimensions beginning with the one that varies fastest in memory.

    `padded_dimensions` are the widths to which the dimensions are padded at their high ends, `padding_value` says what
    the padding holds. Raises TypeError for what are no integers, ShapeError if `minor_to_major` is no permutation
    (LAY-C1), the widths do not fit it (LAY-C2) or there is no such value (LAY-C3).
    """

    __slots__ = ("minor_to_major", "padded_dimensions", "padding_value")

    def __init__(
        self,
        minor_to_major: Iterable[int],
        padded_dimensions: Iterable[int] | None = None,
        padding_value: PaddingValue | str | None = None,
    ) -> None:
        self.minor_to_major = integers(minor_to_major, "minor_to_major")
        self.padded_dimensions = None if padded_dimensions is None else integers(padded_dimensions, "padded_dimensions")
        try:
            self.padding_value = None if padding_value is None else PaddingValue(padding_value)
        except ValueError:
            known = ", ".join(value.value for value in PaddingValue)
            raise ShapeError(f"padding {padding_value!r} is none of {known}", constraint="LAY-C3") from None
        if sorted(self.minor_to_major) != list(range(len(self.minor_to_major))):
            raise ShapeError(
                f"minor_to_major {list(self.minor_to_major)} is not a permutation of the dimension numbers",
                constraint="LAY-C1",
            )
        if self.padded_dimensions is not None and len(self.padded_dimensions) != len(self.minor_to_major):
            raise ShapeError(
                f"{counted(len(self.padded_dimensions), 'padded dimension')} for "
                f"{counted(len(self.minor_to_major), 'dimension')}",
                constraint="LAY-C2",
            )

    def check(self, dims: Sequence[int]) -> None:
        """Raises ShapeError if this is not a layout for arrays of these sizes."""
        if len(self.minor_to_major) != len(dims):
            raise ShapeError(
                f"minor_to_major {list(self.minor_to_major)} is not a permutation of the "
                f"{counted(len(dims), 'dimension number')} "
                f"of an array with sizes {list(dims)}",
                constraint="LAY-C1",
            )
        for number, (width, size) in enumerate(zip(self.widths(dims), dims, strict=True)):
            if width < size:
                raise ShapeError(f"dimension {number} of size {size} is padded to less, {width}", constraint="LAY-C2")

    def widths(self, dims: Sequence[int]) -> tuple[int, ...]:
        """The padded sizes of an array of sizes `dims`."""
        return tuple(dims) if self.padded_dimensions is None else self.padded_dimensions

    def strides(self, dims: Sequence[int]) -> tuple[int, ...]:
        """The distance between neighbours along each dimension, in elements."""
        strides = [0] * len(dims)
        widths = self.widths(dims)
        step = 1
        for dimension in self.minor_to_major:
            strides[dimension] = step
            step *= widths[dimension]
        return tuple(strides)

    @property
    def mlir(self) -> str:
        """The MLIR attribute: `#xla.layout<minor_to_major = [0, 1]>`."""
        parts = [f"minor_to_major = {list(self.minor_to_major)}"]
        if self.padded_dimensions is not None:
            parts.append(f"padded = {list(self.padded_dimensions)}")
        if self.padding_value is not None:
            parts.append(f"padding = {self.padding_value.value}")
        return f"#xla.layout<{', '.join(parts)}>"

    def __eq__(self, other: object) -> bool:
        """Equal order, widths and padding."""
        if not isinstance(other, Layout):
            return NotImplemented
        return (self.minor_to_major, self.padded_dimensions, self.padding_value) == (
            other.minor_to_major,
            other.padded_dimensions,
            other.padding_value,
        )

    def __hash__(self) -> int:
        return hash((self.minor_to_major, self.padded_dimensions, self.padding_value))

    def __str__(self) -> str:
        """As XLA prints it: `{1,0}`."""
        return "{" + ",".join(map(str, self.minor_to_major)) + "}"

    def __repr__(self) -> str:
        padded = "" if self.padded_dimensions is None else f", {list(self.padded_dimensions)}"
        return f"Layout({list(self.minor_to_major)}{padded})"
