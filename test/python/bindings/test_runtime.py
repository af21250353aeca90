# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MemRef descriptors from and to NumPy."""

import ctypes

import ml_dtypes
import numpy as np
import pytest

from mlir_xla import runtime as rt

DTYPES = [
    np.bool_,
    np.int8,
    np.uint16,
    np.int32,
    np.int64,
    np.float16,
    np.float32,
    np.float64,
    np.complex64,
    np.complex128,
    ml_dtypes.bfloat16,
    ml_dtypes.float8_e5m2,
    ml_dtypes.float8_e4m3,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e3m4,
    ml_dtypes.float4_e2m1fn,
    ml_dtypes.int4,
]


@pytest.mark.parametrize("dtype", DTYPES)
def test_round_trip(dtype):
    for array in (
        (np.arange(24) % 4).reshape(2, 3, 4).astype(dtype),
        (np.arange(24) % 4).reshape(2, 3, 4).astype(dtype)[:, ::2, 1:3],
        (np.arange(6) % 4).reshape(2, 3).astype(dtype).T,
        np.array(1).astype(dtype),
        np.zeros((0, 3)).astype(dtype),
    ):
        ranked = rt.get_ranked_memref_descriptor(array)
        back = rt.ranked_memref_to_numpy(ctypes.pointer(ranked))
        assert back.dtype == array.dtype and back.shape == array.shape
        np.testing.assert_array_equal(back.astype(np.complex128), array.astype(np.complex128))
        unranked = rt.get_unranked_memref_descriptor(array)
        assert unranked.rank == array.ndim
        back = rt.unranked_memref_to_numpy(ctypes.pointer(unranked), dtype)
        np.testing.assert_array_equal(back.astype(np.complex128), array.astype(np.complex128))


def test_the_memory_is_shared():
    array = np.zeros((2, 3), np.float32)
    view = rt.ranked_memref_to_numpy(ctypes.pointer(rt.get_ranked_memref_descriptor(array)))
    view[1, 2] = 7
    assert array[1, 2] == 7


def test_layout():
    array = np.arange(12, dtype=np.int32).reshape(3, 4)
    descriptor = rt.get_ranked_memref_descriptor(array[1:, ::2])
    assert list(descriptor.shape) == [2, 2] and list(descriptor.strides) == [4, 2] and descriptor.offset == 0
    assert descriptor.allocated == array[1:].ctypes.data
    moved = rt.move_aligned_ptr_by_offset(descriptor.aligned, 2)
    assert moved[0] == 6
    descriptor.offset = 2
    descriptor.shape[1] = 1
    assert rt.ranked_memref_to_numpy(ctypes.pointer(descriptor)).tolist() == [[6], [10]]
    fields = [name for name, _ in rt.make_nd_memref_descriptor(2, ctypes.c_float)._fields_]
    assert fields == ["allocated", "aligned", "offset", "shape", "strides"]
    assert len(rt.make_zero_d_memref_descriptor(ctypes.c_float)._fields_) == 3


def test_strides_must_be_whole_elements():
    raw = np.zeros(9, np.uint8)
    array = np.ndarray((2,), np.int16, raw, strides=(3,))
    with pytest.raises(ValueError, match="not multiples of the item size"):
        rt.get_ranked_memref_descriptor(array)
