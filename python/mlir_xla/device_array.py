# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in the memory of GPUs, and the GPUs that there are."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from . import _arrays
from ._messages import article, short, suggestion
from ._mlir_libs._xla import compiler

Device: TypeAlias = compiler.Device

# The targets whose programs run on devices. Other libraries know the devices of the first.
_CUDA, _EMULATED = "cuda", "cuda-emulated"
_KINDS = (_CUDA, _EMULATED)
# DLPack's numbers.
_DL_CPU, _DL_CUDA = 1, 2
_DL_KINDS = {"int": 0, "uint": 1, "float": 2, "bfloat": 4, "complex": 5, "bool": 6}
# The streams that CUDA calls default: of the process, of the thread.
_DEFAULT_STREAM, _NO_STREAM = 1, -1


class DeviceArray:
    """An array in a device's memory: what a program returns that was called with one, and what `device_put` makes.

    Programs of the device's kind take it as it is. All that happens to it happens in the order of the device's stream:
    a program's results can be given to the next while the device is still computing them. `to_numpy` waits, and raises
    RuntimeError if the computation has failed.

    On a GPU of NVIDIA's, other libraries share its memory through `__dlpack__` and `__cuda_array_interface__`. They
    must not change what a program is still to read. Memory that was shared is freed once the GPU has done all its work.
    """

    __slots__ = ("__weakref__", "_memory", "dtype", "shape", "strides")

    #: The element type, of NumPy or ml_dtypes. Elements of less than a byte take one byte each.
    dtype: np.dtype
    shape: tuple[int, ...]
    #: In bytes; None if the elements lie in row-major order.
    strides: tuple[int, ...] | None

    def __init__(
        self,
        memory: compiler.DeviceMemory,
        shape: tuple[int, ...],
        dtype: np.dtype,
        strides: tuple[int, ...] | None = None,
    ) -> None:
        """Not for users: `device_put` makes arrays."""
        self._memory: compiler.DeviceMemory | None = memory
        self.dtype, self.shape, self.strides = dtype, shape, strides

    @property
    def device(self) -> Device:
        """Where the elements are. Raises ValueError if they are gone, as all do that need them."""
        return self._there().device

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes of the elements, without padding."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    def __repr__(self) -> str:
        where = "deleted" if self._memory is None else str(self._memory.device)
        return f"DeviceArray({self.dtype}{list(self.shape)} on {where})"

    # === To the host ===

    def to_numpy(self) -> np.ndarray:
        """A copy of the elements on the host, as soon as they have been computed.

        Raises RuntimeError if a kernel has failed; the error names it, its op and its place in the program.
        """
        memory = self._there()
        host = np.empty(memory.nbytes, np.uint8)
        memory.download(host.ctypes.data)
        return np.ndarray(self.shape, self.dtype, host, 0, self.strides)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError(f"NumPy cannot use the memory of {self.device} without a copy")
        array = self.to_numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def block_until_ready(self) -> DeviceArray:
        """Waits until the elements have been computed, and for all else that the device was to do before; returns self.

        Raises RuntimeError if a kernel has failed.
        """
        self.device.synchronize()
        return self

    # === The end ===

    def delete(self) -> None:
        """Gives the memory back now, in the order of the device's stream; the array cannot be used any more."""
        self._memory = None

    @property
    def is_deleted(self) -> bool:
        """Whether the memory was given back, or away to a program."""
        return self._memory is None

    def _there(self) -> compiler.DeviceMemory:
        if self._memory is None:
            raise ValueError("the array is gone: it was deleted or given away")
        return self._memory

    # === To other libraries ===

    def _require_shareable(self) -> compiler.DeviceMemory:
        memory = self._there()
        if memory.device.kind != _CUDA:
            raise BufferError(f"no other library knows the device {memory.device}; use to_numpy()")
        return memory

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's number of the kind of device, and the device's."""
        return _DL_CUDA, self._require_shareable().device.ordinal

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The array as a DLPack capsule without a copy; the consumer's `stream` waits for what is being computed.

        Raises BufferError where that cannot be: another device, a copy, or a device that is emulated.
        """
        if dl_device is not None and dl_device[0] == _DL_CPU and copy is not False:
            return self.to_numpy().__dlpack__()
        memory = self._require_shareable()
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the array is on {memory.device}, not on DLPack's device {tuple(dl_device)}")
        if copy:
            raise BufferError("the memory is shared, not copied: copy the array that you make of it")
        kind, bits, flags = _dlpack_type(self.dtype)
        versioned = max_version is not None and max_version[0] >= 1
        if flags and not versioned:
            raise BufferError(f"DLPack has {self.dtype} since version 1.1: ask for it with max_version")
        if stream != _NO_STREAM:
            memory.release_to(_DEFAULT_STREAM if stream is None else stream)
        item = self.dtype.itemsize
        strides = None if self.strides is None else [stride // item for stride in self.strides]
        return memory.to_dlpack(self.shape, strides, kind, bits, flags, versioned)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        # Without the attribute an array is none for those who look for it.
        memory = self._there()
        if memory.device.kind != _CUDA or self.dtype.kind not in "biufc":
            raise AttributeError(f"{self!r} has no __cuda_array_interface__, which knows GPUs and NumPy's own dtypes")
        memory.release_to(_DEFAULT_STREAM)
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (memory.address, False),
            "strides": self.strides,
            "stream": memory.device.stream,
        }


def devices(kind: str | None = None) -> list[Device]:
    """The devices of a target, `"cuda"` or `"cuda-emulated"`; by default all that can be used, GPUs first.

    Raises RuntimeError if `kind` is given and there is no driver for it; says what is missing.
    """
    found = []
    for each in _KINDS if kind is None else (_checked(kind),):
        try:
            count = compiler.device_count(each)
            found += [compiler.open_device(each, ordinal) for ordinal in range(count)]
        except RuntimeError:
            if kind is not None:
                raise
    return found


def device_put(array: Any, device: Device | str = "cuda:0") -> DeviceArray:
    """An array on a device.

    Args:
        array: Whatever programs take as an argument. It is copied, unless it is an array on that device already, of
            this library or of another with `__dlpack__` or `__cuda_array_interface__`: its memory is shared.
        device: One of `devices()`, or its name: `"cuda:0"`, `"cuda-emulated"`.

    Raises RuntimeError if there is no such device, says what is missing; MemoryError if it has too little memory;
    TypeError for what is no array; ValueError if `device` is no name of a device.
    """
    place = device if isinstance(device, Device) else _device(device)
    given = array if isinstance(array, DeviceArray) else from_others(array, None)
    if given is not None:
        if given.device == place:
            return given
        array = given.to_numpy()
    host = np.asarray(_arrays.in_native_order(_arrays.to_array(array)), order="C")
    _dlpack_type(host.dtype)  # what has no number there has no elements that programs compute with
    memory = compiler.DeviceMemory(place, host.nbytes)
    memory.upload(host.ctypes.data)
    return DeviceArray(memory, host.shape, host.dtype)


def from_others(array: Any, position: int | None) -> DeviceArray | None:
    """An array of another library in the memory of a GPU, which is shared; None if it is no such array.

    `position` is its number as an argument. TypeError for elements or an order of them that no program takes.
    """
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        kind, ordinal = array.__dlpack_device__()
        return _from_dlpack(array, ordinal, position) if int(kind) == _DL_CUDA else None
    interface = getattr(array, "__cuda_array_interface__", None)
    return None if interface is None else _from_interface(array, interface, position)


def _from_dlpack(array: Any, ordinal: int, position: int | None) -> DeviceArray:
    device = compiler.open_device(_CUDA, ordinal)
    try:
        capsule = array.__dlpack__(stream=device.stream, max_version=(1, 1))
    except TypeError:  # exporters older than DLPack 1.0
        capsule = array.__dlpack__(stream=device.stream)
    memory = _arrays.Imported(capsule)
    interface = memory.__array_interface__
    return _shared(
        device, memory, interface["data"][0], interface["shape"], memory.dtype(), interface["strides"], position
    )


def _from_interface(array: Any, interface: dict[str, Any], position: int | None) -> DeviceArray:
    if interface.get("mask") is not None:
        raise TypeError(f"{_where(position)}a masked array, whose mask would be lost")
    if compiler.device_count(_CUDA) > 1:
        raise TypeError(f"{_where(position)}the array does not tell which GPU it is on, as one with __dlpack__ would")
    device = compiler.open_device(_CUDA, 0)
    stream = interface.get("stream")
    if stream is not None:
        device.acquire_from(stream)
    dtype = np.dtype(interface["typestr"])
    strides = interface.get("strides")
    return _shared(device, array, interface["data"][0], tuple(interface["shape"]), dtype, strides, position)


_ALIGNMENT = 16


def _shared(
    device: Device,
    owner: Any,
    address: int,
    shape: tuple[int, ...],
    dtype: np.dtype,
    strides: tuple[int, ...] | None,
    position: int | None,
) -> DeviceArray:
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if strides is not None:
        # Of the elements in row-major order, steps along dimensions of one element do not matter.
        wanted = _row_major(shape, dtype)
        if size and any(have != want for have, want, count in zip(strides, wanted, shape, strict=True) if count > 1):
            raise TypeError(f"{_where(position)}the array is not contiguous (strides {tuple(strides)}); copy it first")
    # Kernels read 16 bytes at a time.
    if size and address % _ALIGNMENT:
        raise TypeError(f"{_where(position)}the array's memory is not aligned to {_ALIGNMENT} bytes; copy it first")
    return DeviceArray(compiler.DeviceMemory.of(device, address, size, owner), shape, dtype)


def _row_major(shape: tuple[int, ...], dtype: np.dtype) -> tuple[int, ...]:
    steps = [dtype.itemsize]
    for count in reversed(shape[1:]):
        steps.append(steps[-1] * count)
    return tuple(reversed(steps[: len(shape)]))


def _where(position: int | None) -> str:
    return "" if position is None else f"argument {position}: "


def _dlpack_type(dtype: np.dtype) -> tuple[int, int, int]:
    """DLPack's code, bits and flags of an element type; TypeError if it has none."""
    name = dtype.name
    kind = name.rstrip("0123456789")
    if name in _arrays.SMALL_FLOATS.values():
        code = next(code for code, each in _arrays.SMALL_FLOATS.items() if each == name)
        bits = int(name[len("float")])
    elif kind in _DL_KINDS and dtype.kind not in "SUMmO":
        code, bits = _DL_KINDS[kind], 8 if kind == "bool" else int(name[len(kind) :])
    else:
        raise TypeError(f"no program computes with {article(dtype)} array")
    return code, bits, _arrays.SUBBYTE_PADDED if bits < 8 else 0


def _checked(kind: str) -> str:
    if kind not in _KINDS:
        raise ValueError(
            f"unknown kind of devices {short(kind)}; there are {', '.join(_KINDS)}{suggestion(str(kind), _KINDS)}"
        )
    return kind


def _device(name: Any) -> Device:
    if not isinstance(name, str):
        raise TypeError(f"the device is {short(name)}, neither a Device nor its name")
    kind, colon, number = name.partition(":")
    if colon and not number.isdecimal():
        raise ValueError(f"{name!r} is no device: what follows the colon is no number")
    return compiler.open_device(_checked(kind), int(number or 0))
