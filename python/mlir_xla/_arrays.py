# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of executables as NumPy arrays: ml_dtypes, DLPack, Python numbers; memory is shared where possible."""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from ._messages import article, short
from .layout import PaddingValue

if TYPE_CHECKING:
    from .shape import Shape


def as_argument(value: Any, dtype: np.dtype, shape: tuple[int, ...], position: int) -> np.ndarray:
    """An argument as an array; TypeError unless it has that shape and dtype. A Python number takes the dtype."""
    # Python's own numbers only: np.float64, a subclass of float, has an element type that has to be right. Nothing is
    # rounded to an integer or loses its imaginary part.
    name = dtype.name
    fits = {bool: True, int: True, float: "float" in name or "complex" in name, complex: "complex" in name}
    try:
        array = _number(value, dtype) if fits.get(type(value), False) else in_native_order(to_array(value))
    except OverflowError:
        raise OverflowError(f"argument {position}: {short(value)} is not a value of {dtype}") from None
    except (TypeError, ValueError) as error:
        raise TypeError(f"argument {position}: {error}") from error
    if array.dtype == dtype and array.shape == shape:
        return array
    kind = _NO_NUMBERS.get(array.dtype.kind) if array.dtype.isbuiltin != 2 else None  # 2: those of ml_dtypes
    if type(value) in fits or (kind and not isinstance(value, (np.ndarray, list, tuple)) and not array.ndim):
        given = article(type(value).__name__)
    else:
        given = (f"an array of {kind}" if kind else f"{article(array.dtype)} array") + f" of shape {array.shape}"
    raise TypeError(f"argument {position}: expected {article(dtype)} array of shape {shape}, got {given}")


# What kinds of dtypes hold that no program computes with.
_NO_NUMBERS = {
    "O": "Python objects",
    "S": "bytes",
    "U": "strings",
    "T": "strings",
    "M": "dates",
    "m": "time differences",
    "V": "records",
}


def _number(value: Any, dtype: np.dtype) -> np.ndarray:
    if type(value) is int and dtype.isbuiltin == 2 and "float" in dtype.name:
        value = float(value)  # OverflowError for what ml_dtypes calls no number
    array = np.asarray(value, dtype)
    if ("int" in dtype.name or dtype.kind == "b") and int(array) != value:  # where NumPy and ml_dtypes wrap
        raise OverflowError
    return array


def in_memory(array: np.ndarray, strides: tuple[int, ...], size: int, is_padded: bool) -> np.ndarray:
    """The array with its elements at these strides (in bytes), in memory of `size` bytes.

    That is the array itself if it lies so and there is no padding, for which there might be no memory behind it. New
    padding is zero.
    """
    steps = [(have, want) for have, want, count in zip(array.strides, strides, array.shape, strict=True) if count > 1]
    if not is_padded and array.flags.aligned and all(have == want for have, want in steps):
        return array
    placed: np.ndarray = np.ndarray(array.shape, array.dtype, np.zeros(size, np.uint8), 0, strides)
    placed[...] = array
    return placed


def in_layout(array: np.ndarray, shape: Shape) -> np.ndarray:
    """The array in memory as its shape says, with what the layout asks for in the padding."""
    if shape.has_default_layout:
        return array
    item = array.dtype.itemsize
    strides = tuple(stride * item for stride in shape.strides)
    if shape.layout.padded_dimensions is None:
        return in_memory(array, strides, shape.buffer_length * item, False)
    memory = np.full(shape.buffer_length, _padding(array.dtype, shape.layout.padding_value), array.dtype)
    placed: np.ndarray = np.ndarray(array.shape, array.dtype, memory, 0, strides)
    placed[...] = array
    return placed


def _padding(dtype: np.dtype, value: PaddingValue | None) -> Any:
    """What padding holds: zero, if nothing is asked for and there is a zero."""
    if value not in (PaddingValue.LOWEST, PaddingValue.HIGHEST):
        return 1 if value is PaddingValue.ONE or dtype.type(0) != 0 else 0
    highest = value is PaddingValue.HIGHEST
    if dtype.kind == "b":
        return highest
    if dtype.kind == "c":
        part = _padding(np.empty(0, dtype).real.dtype, value)
        return complex(part, part)
    if "int" in dtype.name:
        limits = ml_dtypes.iinfo(dtype)
        return limits.max if highest else limits.min
    infinity = dtype.type(np.inf if highest else -np.inf)
    if np.isinf(infinity):
        return infinity
    limit = ml_dtypes.finfo(dtype)
    return limit.max if highest else limit.min


def require_unmasked(value: Any) -> None:
    """TypeError for a masked array, or a list of them: programs know no masks, and what lies under one is arbitrary."""
    ma = sys.modules.get("numpy.ma")  # where it has not been imported there is no such array
    if ma is None:
        return
    if any(isinstance(each, ma.MaskedArray) for each in (value if isinstance(value, (list, tuple)) else (value,))):
        raise TypeError(
            "a masked array, whose mask would be lost: give array.filled(value), or array.data to ignore it"
        )


def require_on_host(value: Any) -> None:
    """TypeError for a DeviceArray: what is on a device is brought to the host only where that is asked for."""
    module = sys.modules.get("mlir_xla.device_array")  # where it has not been imported there is no such array
    if module is not None and isinstance(value, module.DeviceArray):
        raise TypeError(f"{value!r} is not in the host's memory: give array.to_numpy()")


def in_native_order(array: np.ndarray) -> np.ndarray:
    """The array with its elements' bytes in the order of this machine, which is no matter of their values."""
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def to_array(value: Any) -> np.ndarray:
    """Whatever has a buffer, `__array__` or `__dlpack__` as an array; TypeError for a masked one."""
    require_unmasked(value)
    if isinstance(value, np.ndarray):
        return value
    require_on_host(value)
    if not hasattr(value, "__dlpack__"):
        array = np.asanyarray(value)
        require_unmasked(array)
        return np.asarray(array)
    if hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        try:
            return np.asarray(value)
        except TypeError:  # PyTorch's answer for the element types that NumPy alone lacks.
            pass
    return from_dlpack(value)


# === DLPack, for the element types that NumPy does not import ===


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _ManagedVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


_READ_ONLY, SUBBYTE_PADDED = 1, 4
_HOST_DEVICES = (1, 3, 11, 13)  # CPU; memory of CUDA and ROCm that the host can read
_KINDS = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}
SMALL_FLOATS = {
    7: "float8_e3m4",
    8: "float8_e4m3",
    9: "float8_e4m3b11fnuz",
    10: "float8_e4m3fn",
    11: "float8_e4m3fnuz",
    12: "float8_e5m2",
    13: "float8_e5m2fnuz",
    14: "float8_e8m0fnu",
    15: "float6_e2m3fn",
    16: "float6_e3m2fn",
    17: "float4_e2m1fn",
}


def _capsule_function(name: str, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_is_valid = _capsule_function("PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_get_pointer = _capsule_function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_set_name = _capsule_function("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
# A capsule does not copy its name.
_NAMES = {b"dltensor_versioned": b"used_dltensor_versioned", b"dltensor": b"used_dltensor"}


class Imported:
    """Owns an imported tensor: arrays made of it keep it, and the exporter is told when the last is gone."""

    def __init__(self, capsule: Any) -> None:
        self._managed: Any = None
        for name, used in _NAMES.items():
            if _is_valid(capsule, name):
                self._address = _get_pointer(capsule, name)
                kind = _ManagedVersioned if name == b"dltensor_versioned" else _Managed
                managed = kind.from_address(self._address)
                if getattr(managed, "major", 1) > 1:
                    raise BufferError(f"DLPack {managed.major}.{managed.minor} is not known")
                _set_name(capsule, used)  # Now it is ours.
                self._managed = managed
                return
        raise BufferError("__dlpack__ did not return an unused capsule")

    def __del__(self) -> None:
        if self._managed is not None and self._managed.deleter:
            _DELETER(self._managed.deleter)(self._address)

    def dtype(self) -> np.dtype:
        tensor = self._managed.tensor
        padded = getattr(self._managed, "flags", 0) & SUBBYTE_PADDED
        name = SMALL_FLOATS.get(tensor.code)
        if name is None and tensor.code in _KINDS:
            name = "bool" if tensor.code == 6 else f"{_KINDS[tensor.code]}{tensor.bits}"
        if name is None or tensor.lanes != 1 or (tensor.bits < 8 and not padded):
            packed = ", packed" if tensor.bits < 8 and not padded else ""
            kind = f"type code {tensor.code} with {tensor.bits} bits, {tensor.lanes} lanes{packed}"
            raise BufferError(f"no element type for DLPack's {kind}")
        return np.dtype(getattr(ml_dtypes, name) if hasattr(ml_dtypes, name) else name)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        tensor = self._managed.tensor
        item = self.dtype().itemsize
        shape = tuple(tensor.shape[: tensor.ndim])
        strides = tuple(stride * item for stride in tensor.strides[: tensor.ndim]) if tensor.strides else None
        read_only = bool(getattr(self._managed, "flags", 0) & _READ_ONLY)
        return {
            "version": 3,
            "shape": shape,
            "strides": strides,
            "typestr": f"|V{item}",
            "data": ((tensor.data or 0) + tensor.byte_offset, read_only),
        }


def from_dlpack(exporter: Any) -> np.ndarray:
    """An array on the memory of a tensor with `__dlpack__`, of any strides and any element type of ml_dtypes."""
    if hasattr(exporter, "__dlpack_device__"):
        device, number = exporter.__dlpack_device__()
        if int(device) not in _HOST_DEVICES:
            raise TypeError(f"the array is on device ({int(device)}, {number}), not in the host's memory")
    try:
        capsule = exporter.__dlpack__(max_version=(1, 1))
    except TypeError:  # Exporters older than DLPack 1.0.
        capsule = exporter.__dlpack__()
    memory = Imported(capsule)
    return np.asarray(memory).view(memory.dtype())
