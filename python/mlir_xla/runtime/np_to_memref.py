# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ctypes structures of MLIR's memref descriptors, and conversions from and to NumPy arrays without a copy.

A ranked descriptor is {allocated, aligned, offset, shape[rank], strides[rank]}, strides in elements; an unranked one
is {rank, pointer to a ranked descriptor}.
"""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np

try:
    import ml_dtypes
except ModuleNotFoundError:  # The small floats and bfloat16 are optional.
    ml_dtypes = None


class C128(ctypes.Structure):
    """A complex128 as C has it."""

    _fields_ = [("real", ctypes.c_double), ("imag", ctypes.c_double)]


class C64(ctypes.Structure):
    """A complex64 as C has it."""

    _fields_ = [("real", ctypes.c_float), ("imag", ctypes.c_float)]


class F16(ctypes.Structure):
    """The bits of a float16."""

    _fields_ = [("f16", ctypes.c_int16)]


class BF16(ctypes.Structure):
    """The bits of a bfloat16."""

    _fields_ = [("bf16", ctypes.c_int16)]


class F8E5M2(ctypes.Structure):
    """The bits of a float8_e5m2."""

    _fields_ = [("f8E5M2", ctypes.c_int8)]


class F8E4M3(ctypes.Structure):
    """The bits of a float8_e4m3."""

    _fields_ = [("f8E4M3", ctypes.c_int8)]


class F8E3M4(ctypes.Structure):
    """The bits of a float8_e3m4."""

    _fields_ = [("f8E3M4", ctypes.c_int8)]


@cache
def _structures() -> dict[np.dtype, type]:
    """A class for each dtype that ctypes lacks; fields have different names because NumPy compares by them."""
    table = {np.dtype(np.complex128): C128, np.dtype(np.complex64): C64, np.dtype(np.float16): F16}
    named = {"bfloat16": BF16, "float8_e5m2": F8E5M2, "float8_e4m3": F8E4M3, "float8_e3m4": F8E3M4}
    for name in dir(ml_dtypes) if ml_dtypes is not None else ():
        if name.startswith(("bfloat", "float", "int", "uint")):
            dtype = np.dtype(getattr(ml_dtypes, name))
            bits = ctypes.c_int8 if dtype.itemsize == 1 else ctypes.c_int16
            table[dtype] = named.get(name) or type(name, (ctypes.Structure,), {"_fields_": [(name, bits)]})
    return table


def as_ctype(dtype) -> type:
    """The ctypes type with the layout of a NumPy dtype."""
    dtype = np.dtype(dtype)
    return _structures().get(dtype) or np.ctypeslib.as_ctypes_type(dtype)


def to_numpy(array: np.ndarray) -> np.ndarray:
    """An array of one of the structures above as one of the dtype that it stands for."""
    for dtype, structure in _structures().items():
        if array.dtype == np.dtype(structure):
            return array.view(dtype)
    return array


def make_nd_memref_descriptor(rank: int, dtype: type) -> type:
    """The descriptor class of memrefs of a rank above zero and elements of a ctypes type."""
    return _make_descriptor(rank, dtype)


def make_zero_d_memref_descriptor(dtype: type) -> type:
    """The descriptor class of memrefs of rank zero."""
    return _make_descriptor(0, dtype)


@cache
def _make_descriptor(rank: int, dtype: type) -> type:
    fields = [
        ("allocated", ctypes.c_longlong),
        ("aligned", ctypes.POINTER(dtype)),
        ("offset", ctypes.c_longlong),
    ]
    if rank:
        fields += [("shape", ctypes.c_longlong * rank), ("strides", ctypes.c_longlong * rank)]
    return type("MemRefDescriptor", (ctypes.Structure,), {"_fields_": fields, "__doc__": f"A memref of rank {rank}."})


class UnrankedMemRefDescriptor(ctypes.Structure):
    """The descriptor of a memref whose rank is known at run time."""

    _fields_ = [("rank", ctypes.c_longlong), ("descriptor", ctypes.c_void_p)]


def get_ranked_memref_descriptor(array: np.ndarray):
    """The descriptor of a NumPy array, which must outlive it."""
    element = as_ctype(array.dtype)
    for stride in array.strides:
        if stride % array.itemsize:
            raise ValueError(f"strides {array.strides} are not multiples of the item size {array.itemsize}")
    descriptor = _make_descriptor(array.ndim, element)()
    descriptor.allocated = array.ctypes.data
    descriptor.aligned = ctypes.cast(ctypes.c_void_p(array.ctypes.data), ctypes.POINTER(element))
    descriptor.offset = 0
    if array.ndim:
        descriptor.shape = tuple(array.shape)
        descriptor.strides = tuple(stride // array.itemsize for stride in array.strides)
    return descriptor


def get_unranked_memref_descriptor(array: np.ndarray) -> UnrankedMemRefDescriptor:
    """The unranked descriptor of a NumPy array, which must outlive it."""
    ranked = get_ranked_memref_descriptor(array)
    descriptor = UnrankedMemRefDescriptor()
    descriptor.rank = array.ndim
    descriptor.descriptor = ctypes.cast(ctypes.pointer(ranked), ctypes.c_void_p)
    descriptor._ranked = ranked  # The pointer does not keep it alive.
    return descriptor


def move_aligned_ptr_by_offset(aligned_ptr, offset: int):
    """The pointer to the element `offset` elements further."""
    element = type(aligned_ptr)._type_
    address = ctypes.cast(aligned_ptr, ctypes.c_void_p).value or 0
    return ctypes.cast(ctypes.c_void_p(address + offset * ctypes.sizeof(element)), ctypes.POINTER(element))


def _to_array(descriptor, rank: int) -> np.ndarray:
    pointer = move_aligned_ptr_by_offset(descriptor.aligned, descriptor.offset)
    shape = tuple(descriptor.shape) if rank else ()
    if 0 in shape:
        return to_numpy(np.empty(shape, dtype=np.dtype(type(pointer)._type_)))
    item = ctypes.sizeof(type(pointer)._type_)
    strides = tuple(stride * item for stride in descriptor.strides) if rank else ()
    first = np.ctypeslib.as_array(pointer, shape=(1,))
    return to_numpy(np.lib.stride_tricks.as_strided(first, shape=shape, strides=strides))


def ranked_memref_to_numpy(ranked_memref) -> np.ndarray:
    """The array that a pointer to a ranked descriptor describes; shares its memory."""
    descriptor = ranked_memref[0]
    return _to_array(descriptor, len(descriptor.shape) if hasattr(descriptor, "shape") else 0)


def unranked_memref_to_numpy(unranked_memref, np_dtype) -> np.ndarray:
    """The array that a pointer to an unranked descriptor describes; shares its memory."""
    descriptor = unranked_memref[0]
    ranked = ctypes.cast(descriptor.descriptor, ctypes.POINTER(_make_descriptor(descriptor.rank, as_ctype(np_dtype))))
    return ranked_memref_to_numpy(ranked)
