# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in files, and made-up arrays: the inputs and outputs of `xla-run`.

NumPy's files know no ml_dtypes: such arrays are written as bytes of the same size (`V2`), and read by the program's
signature. Files in which other programs left a dtype that NumPy cannot read back are read the same way.
"""

from __future__ import annotations

import ast
import math
import pathlib
import re
import zipfile
from collections.abc import Iterable, Sequence
from typing import IO, Any

import numpy as np

from .._arrays import in_native_order
from .._messages import counted
from ..shape import Shape


def read(paths: Iterable[pathlib.Path]) -> list[np.ndarray]:
    """The arrays of `.npy` and `.npz` files, one after the other.

    Arrays of an `.npz` are ordered by the number at the end of their names if all have one (`arg0`, `arg1`, ...), else
    as they were written. Raises OSError for what cannot be opened, ValueError for what is no such file.
    """
    arrays: list[np.ndarray] = []
    for path in paths:
        with path.open("rb") as stream:
            is_archive = stream.read(2) == b"PK"
            stream.seek(0)
            try:
                arrays.extend(_read_npz(stream) if is_archive else [_read_npy(stream)])
            except MemoryError:
                raise MemoryError(f"out of memory for the arrays of {path}") from None
            except Exception as error:  # whatever zipfile, its decompressors and NumPy raise about a broken file
                broken = "a broken .npz" if is_archive else "neither .npy nor .npz"
                raise ValueError(f"{path} is {broken} ({error or type(error).__name__})") from None
    return arrays


def require_suffix(path: pathlib.Path) -> None:
    """Raises ValueError for a file that `write` would not write."""
    if path.suffix not in (".npy", ".npz"):
        raise ValueError(f"{path}: results are written as .npz or .npy")


def write(path: pathlib.Path, arrays: Sequence[np.ndarray]) -> None:
    """Writes arrays as `out0`, `out1`, ... of an `.npz`, or the only one as an `.npy`.

    Raises ValueError for several arrays and an `.npy`, and for another suffix.
    """
    require_suffix(path)
    plain = [a if _is_numpy(a.dtype) else a.view(f"V{a.dtype.itemsize}") for a in arrays]
    if path.suffix == ".npy" and len(plain) != 1:
        raise ValueError(f"{path} can hold one array, the program has {counted(len(plain), 'result')}: use .npz")
    try:
        if path.suffix == ".npy":
            np.save(path, plain[0])
        else:
            np.savez(path, **{f"out{i}": a for i, a in enumerate(plain)})  # type: ignore[arg-type]  # for the stub: allow_pickle
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None  # writing knows no name


def fit(array: np.ndarray, shape: Shape) -> np.ndarray:
    """The array with the dtype that the program wants, where a file only had bytes of its size, or in another order."""
    array = in_native_order(array)
    if array.dtype.kind == "V" and array.dtype.itemsize == shape.dtype.itemsize and not array.dtype.names:
        return array.view(shape.dtype)
    return array


def synthetic(shapes: Sequence[Shape], seed: int) -> list[np.ndarray]:
    """Random arrays: floats from the normal distribution, integers from -8 to 8 (0 to 8), booleans."""
    rng = np.random.default_rng(seed)
    return [_random(shape, rng) for shape in shapes]


def _random(shape: Shape, rng: np.random.Generator) -> np.ndarray:
    dtype = shape.dtype
    if dtype == np.bool_:
        return rng.random(shape.dims) < 0.5
    if dtype.name.startswith(("int", "uint")):
        bits = int(dtype.name.partition("int")[2])
        high = min(8, 2 ** (bits - dtype.name.startswith("int")) - 1)
        low = 0 if dtype.name.startswith("uint") else -high
        return rng.integers(low, high, shape.dims, endpoint=True).astype(dtype)
    if dtype.kind == "c":
        return (rng.standard_normal(shape.dims) + 1j * rng.standard_normal(shape.dims)).astype(dtype)
    return np.asarray(rng.standard_normal(shape.dims)).astype(dtype)


def _is_numpy(dtype: np.dtype) -> bool:
    return dtype.type.__module__ == "numpy"


def _read_npz(stream: IO[bytes]) -> list[np.ndarray]:
    with zipfile.ZipFile(stream) as archive:
        names = [name for name in archive.namelist() if name.endswith(".npy")]
        numbers = [re.search(r"(\d+)\.npy$", name) for name in names]
        if all(numbers):
            names.sort(key=lambda name: int(re.search(r"(\d+)\.npy$", name)[1]))  # type: ignore[index]
        arrays = []
        for name in names:
            with archive.open(name) as file:
                arrays.append(_read_npy(file))
        return arrays


def _read_npy(stream: IO[bytes]) -> np.ndarray:
    version = np.lib.format.read_magic(stream)
    size = int.from_bytes(stream.read(2 if version == (1, 0) else 4), "little")
    header: dict[str, Any] = ast.literal_eval(stream.read(size).decode())
    try:
        dtype = np.dtype(header["descr"])
    except TypeError:
        dtype = np.dtype(f"V{re.sub(r'[^0-9]', '', str(header['descr']))}")
    if dtype.hasobject:
        raise ValueError("it holds Python objects")
    shape, bytes_ = header["shape"], stream.read()
    wanted = math.prod(shape) * dtype.itemsize
    if len(bytes_) != wanted:
        raise ValueError(f"it holds {len(bytes_)} bytes of elements, {dtype}{list(shape)} takes {wanted}")
    data = np.frombuffer(bytes_, dtype)
    return data.reshape(header["shape"], order="F" if header["fortran_order"] else "C")
