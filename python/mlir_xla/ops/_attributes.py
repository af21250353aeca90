# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structured arguments of operations: dimension numbers, padding, precision; and their MLIR text."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..builder import XlaBuilder
from ..errors import XlaError


class Padding(enum.Enum):
    """Padding by keyword. SAME: as many windows as elements if the stride is 1; VALID: none."""

    SAME = "SAME"
    VALID = "VALID"

    @classmethod
    def _missing_(cls, value: object) -> Padding:
        raise XlaError(f"padding {value!r} is neither SAME nor VALID", op="Padding", constraint="Conv-C1")


class Precision(enum.Enum):
    """How precise a contraction has to be."""

    DEFAULT = "DEFAULT"
    HIGH = "HIGH"
    HIGHEST = "HIGHEST"

    @classmethod
    def _missing_(cls, value: object) -> Precision:
        raise XlaError(f"precision {value!r} is neither DEFAULT nor HIGH nor HIGHEST")


class FftType(enum.Enum):
    """Which Fourier transform: of complex numbers, its inverse, of real numbers, its inverse."""

    FFT = "FFT"
    IFFT = "IFFT"
    RFFT = "RFFT"
    IRFFT = "IRFFT"

    @classmethod
    def _missing_(cls, value: object) -> FftType:
        raise XlaError(f"fft_type {value!r} is neither FFT nor IFFT nor RFFT nor IRFFT")


@dataclass
class DotDimensionNumbers:
    """Which dimensions `DotGeneral` sums over (paired by position) and which are batch dimensions."""

    lhs_contracting_dimensions: Sequence[int] = ()
    rhs_contracting_dimensions: Sequence[int] = ()
    lhs_batch_dimensions: Sequence[int] = ()
    rhs_batch_dimensions: Sequence[int] = ()

    @property
    def mlir(self) -> str:
        """The MLIR attribute."""
        return _struct(
            "dot",
            lhs_batching_dimensions=self.lhs_batch_dimensions,
            rhs_batching_dimensions=self.rhs_batch_dimensions,
            lhs_contracting_dimensions=self.lhs_contracting_dimensions,
            rhs_contracting_dimensions=self.rhs_contracting_dimensions,
        )


@dataclass
class RaggedDotDimensionNumbers:
    """Those of a `DotGeneral`, with the dimension of `lhs` that `RaggedDot` cuts into groups, and the one of `rhs` that
    has a matrix for each group, if there is one."""

    dot_dimension_numbers: DotDimensionNumbers
    lhs_ragged_dimensions: Sequence[int] = ()
    rhs_group_dimensions: Sequence[int] = ()

    @property
    def mlir(self) -> str:
        """The MLIR attribute."""
        numbers = self.dot_dimension_numbers
        return _struct(
            "ragged_dot",
            lhs_batching_dimensions=numbers.lhs_batch_dimensions,
            rhs_batching_dimensions=numbers.rhs_batch_dimensions,
            lhs_contracting_dimensions=numbers.lhs_contracting_dimensions,
            rhs_contracting_dimensions=numbers.rhs_contracting_dimensions,
            lhs_ragged_dimensions=self.lhs_ragged_dimensions,
            rhs_group_dimensions=self.rhs_group_dimensions,
        )


@dataclass
class GatherDimensionNumbers:
    """How `Gather` places slices in its result and finds them in its operand."""

    offset_dims: Sequence[int] = ()
    collapsed_slice_dims: Sequence[int] = ()
    start_index_map: Sequence[int] = ()
    index_vector_dim: int = 0
    operand_batching_dims: Sequence[int] = ()
    start_indices_batching_dims: Sequence[int] = ()

    @property
    def mlir(self) -> str:
        """The MLIR attribute."""
        return _struct(
            "gather",
            offset_dims=self.offset_dims,
            collapsed_slice_dims=self.collapsed_slice_dims,
            operand_batching_dims=self.operand_batching_dims,
            start_indices_batching_dims=self.start_indices_batching_dims,
            start_index_map=self.start_index_map,
            index_vector_dim=self.index_vector_dim,
        )


@dataclass
class ScatterDimensionNumbers:
    """How `Scatter` finds the places of its updates."""

    update_window_dims: Sequence[int] = ()
    inserted_window_dims: Sequence[int] = ()
    scatter_dims_to_operand_dims: Sequence[int] = ()
    index_vector_dim: int = 0
    input_batching_dims: Sequence[int] = ()
    scatter_indices_batching_dims: Sequence[int] = ()

    @property
    def mlir(self) -> str:
        """The MLIR attribute."""
        return _struct(
            "scatter",
            update_window_dims=self.update_window_dims,
            inserted_window_dims=self.inserted_window_dims,
            input_batching_dims=self.input_batching_dims,
            scatter_indices_batching_dims=self.scatter_indices_batching_dims,
            scatter_dims_to_operand_dims=self.scatter_dims_to_operand_dims,
            index_vector_dim=self.index_vector_dim,
        )


@dataclass
class ConvDimensionNumbers:
    """Which dimensions of a convolution's arrays are batch, feature and spatial ones."""

    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: Sequence[int]
    kernel_output_feature_dimension: int
    kernel_input_feature_dimension: int
    kernel_spatial_dimensions: Sequence[int]
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: Sequence[int]

    @classmethod
    def default(cls, spatial: int) -> ConvDimensionNumbers:
        """XLA's order: [batch, feature, spatial...], [output, input, spatial...], [batch, feature, spatial...]."""
        dims = tuple(range(2, spatial + 2))
        return cls(0, 1, dims, 0, 1, dims, 0, 1, dims)

    @property
    def mlir(self) -> str:
        """The MLIR attribute."""

        def side(first: tuple[str, int], second: tuple[str, int], spatial: Sequence[int]) -> str:
            places = {second[1]: second[0], first[1]: first[0]}
            places.update({int(dimension): str(k) for k, dimension in enumerate(spatial)})
            if sorted(places) != list(range(len(spatial) + 2)):
                raise XlaError(
                    f"the dimensions {sorted([first[1], second[1], *spatial])} of a convolution are not "
                    f"0 to {len(spatial) + 1}"
                )
            return f"[{', '.join(places[i] for i in range(len(places)))}]"

        given = side(
            ("b", self.input_batch_dimension), ("f", self.input_feature_dimension), self.input_spatial_dimensions
        )
        kernel = side(
            ("i", self.kernel_input_feature_dimension),
            ("o", self.kernel_output_feature_dimension),
            self.kernel_spatial_dimensions,
        )
        result = side(
            ("b", self.output_batch_dimension), ("f", self.output_feature_dimension), self.output_spatial_dimensions
        )
        return f"#xla.conv<{given}x{kernel}->{result}>"


@dataclass
class PaddingDimension:
    """The padding of one dimension of `Pad`."""

    edge_padding_low: int = 0
    edge_padding_high: int = 0
    interior_padding: int = 0

    def __iter__(self) -> Any:
        return iter((self.edge_padding_low, self.edge_padding_high, self.interior_padding))


@dataclass
class PaddingConfig:
    """The padding of all dimensions of `Pad`."""

    dimensions: list[PaddingDimension] = field(default_factory=list)


PrecisionConfig = Precision | Sequence[Precision | str] | str | None


def precision_attribute(precision: PrecisionConfig) -> dict[str, str]:
    """The attribute `precision_config` of a contraction: one precision, or one per operand."""
    if precision is None:
        return {}
    each = [precision] * 2 if isinstance(precision, (Precision, str)) else list(precision)
    names = [Precision(p.upper() if isinstance(p, str) else p).value for p in each]
    return {"precision_config": f"[{', '.join(f'#xla<precision {name}>' for name in names)}]"}


def padding_matrix(pairs: Sequence[Sequence[int]]) -> str:
    """Pairs (low, high) as the MLIR attribute."""
    rows = [(int(low), int(high)) for low, high in pairs]
    body = ", ".join(f"[{low}, {high}]" for low, high in rows)
    return f"dense<{f'[{body}]' if rows else ''}> : tensor<{len(rows)}x2xi64>"


def window_padding(
    builder: XlaBuilder,
    label: str,
    padding: Padding | str | Sequence[Sequence[int]],
    base: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    base_dilations: Sequence[int] | None = None,
    window_dilations: Sequence[int] | None = None,
) -> list[tuple[int, int]]:
    """Padding as pairs (low, high). SAME puts the odd element at the high end."""
    if isinstance(padding, str):
        padding = Padding(padding.upper())
    if not isinstance(padding, Padding):
        if any(len(pair) != 2 for pair in padding):
            builder.fail(label, f"padding {[[*pair] for pair in padding]} needs (low, high) per dimension", "WIN-C1")
        return [(int(low), int(high)) for low, high in padding]
    if padding is Padding.VALID:
        return [(0, 0)] * len(base)
    pairs = []
    ones = [1] * len(base)
    lists = (base, window, strides, base_dilations or ones, window_dilations or ones)
    if len({len(each) for each in lists}) > 1:
        builder.fail(
            label, f"strides {list(strides)} and the like must have one entry per windowed dimension", "WIN-C1"
        )
    for size, w, stride, base_dilation, window_dilation in zip(*lists, strict=True):
        if stride < 1:
            builder.fail(label, f"stride {stride} is below 1", "WIN-C2")
        dilated, effective = _dilate(size, base_dilation), _dilate(w, window_dilation)
        total = max((-(-dilated // stride) - 1) * stride + effective - dilated, 0)
        pairs.append((total // 2, total - total // 2))
    return pairs


def window_size(size: int, window: int, stride: int, padding: tuple[int, int], base: int = 1, dilation: int = 1) -> int:
    """The number of window positions in a dimension."""
    padded, effective = _dilate(size, base) + sum(padding), _dilate(window, dilation)
    return 0 if padded < effective else (padded - effective) // max(stride, 1) + 1


def _dilate(size: int, dilation: int) -> int:
    return 0 if size == 0 else (size - 1) * dilation + 1


def _struct(name: str, **fields: int | Iterable[int]) -> str:
    parts = []
    for key, value in fields.items():
        if isinstance(value, int):
            parts.append(f"{key} = {value}")
        elif list(value):
            parts.append(f"{key} = [{', '.join(str(int(d)) for d in value)}]")
    return f"#xla.{name}<{', '.join(parts)}>"
