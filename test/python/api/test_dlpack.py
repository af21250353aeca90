# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments that are known through DLPack only, with the element types and strides that NumPy does not import."""

import ctypes
import gc
import weakref

import ml_dtypes
import numpy as np
import pytest

from mlir_xla import _arrays, compile

CODES = {
    "bfloat16": 4,
    "float8_e3m4": 7,
    "float8_e4m3": 8,
    "float8_e4m3b11fnuz": 9,
    "float8_e4m3fn": 10,
    "float8_e4m3fnuz": 11,
    "float8_e5m2": 12,
    "float8_e5m2fnuz": 13,
}
new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
exported = {}  # What consumers hold, by address.


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def delete(address):
    del exported[address]


class Tensor:
    """A tensor with nothing but `__dlpack__`, as a small library would write it."""

    def __init__(self, array, *, versioned=True, device=(1, 0), flags=0, code=None):
        self.array, self.versioned, self.device, self.flags = array, versioned, device, flags
        kinds = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
        self.code = CODES.get(array.dtype.name, kinds.get(array.dtype.kind)) if code is None else code

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        if options and not self.versioned:
            raise TypeError("unexpected keyword argument")
        array, rank = self.array, self.array.ndim
        managed = (_arrays._ManagedVersioned if self.versioned else _arrays._Managed)()
        shape = (ctypes.c_int64 * max(rank, 1))(*array.shape)
        strides = (ctypes.c_int64 * max(rank, 1))(*(stride // array.itemsize for stride in array.strides))
        tensor = managed.tensor
        tensor.data, tensor.device_type, tensor.device_id = array.ctypes.data - 8, *self.device
        tensor.byte_offset, tensor.ndim = 8, rank
        tensor.code, tensor.bits, tensor.lanes = self.code, 8 * array.itemsize, 1
        tensor.shape = ctypes.cast(shape, type(tensor.shape))
        tensor.strides = ctypes.cast(strides, type(tensor.strides))
        managed.deleter = ctypes.cast(delete, ctypes.c_void_p)
        if self.versioned:
            managed.major, managed.minor, managed.flags = 1, 1, self.flags
        address = ctypes.addressof(managed)
        exported[address] = (managed, shape, strides, array)
        return new_capsule(address, b"dltensor_versioned" if self.versioned else b"dltensor", None)


def program(element, shape="2x3"):
    return compile(
        f"""
        func.func @main(%a: tensor<{shape}x{element}>) -> tensor<{shape}x{element}> {{
          %0 = xla.add %a, %a : tensor<{shape}x{element}>
          return %0 : tensor<{shape}x{element}>
        }}
        """
    )


ELEMENTS = {"bfloat16": "bf16", "float8_e5m2": "f8E5M2", "float8_e4m3fn": "f8E4M3FN", "float32": "f32", "int8": "i8"}


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("name", ELEMENTS)
def test_programs(name, versioned):
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    array = np.arange(6).reshape(2, 3).astype(dtype)
    run = program(ELEMENTS[name])
    for view in (
        array,
        np.asfortranarray(array),
        np.repeat(array, 2, axis=1)[:, ::2],
        array[::-1, ::-1].copy()[::-1, ::-1],
    ):
        result = run(Tensor(view, versioned=versioned))
        assert result.dtype == dtype
        np.testing.assert_array_equal(result.astype(np.float32), (array + array).astype(np.float32))
    gc.collect()
    assert not exported


@pytest.mark.parametrize("name", CODES)
def test_memory_is_shared(name):
    array = np.arange(6).reshape(2, 3).astype(getattr(ml_dtypes, name))
    view = _arrays.to_array(Tensor(array.T))
    assert view.dtype == array.dtype and view.shape == (3, 2) and view.strides == array.T.strides
    assert view.ctypes.data == array.ctypes.data
    view[2, 1] = 0
    assert array[1, 2] == 0


def test_the_exporter_is_told_when_the_array_is_gone():
    array = np.ones((2, 3), ml_dtypes.bfloat16)
    gone = weakref.ref(array)
    view = _arrays.to_array(Tensor(array))
    part = view[1:]
    del array, view
    gc.collect()
    assert len(exported) == 1 and part.shape == (1, 3)
    del part
    gc.collect()
    assert not exported and gone() is None


def test_scalars_empty_tensors_and_flags():
    assert _arrays.to_array(Tensor(np.array(2, ml_dtypes.bfloat16))) == 2
    assert _arrays.to_array(Tensor(np.zeros((0, 3), ml_dtypes.bfloat16))).shape == (0, 3)
    assert not _arrays.to_array(Tensor(np.ones(2, np.float32), flags=1)).flags.writeable
    np.testing.assert_array_equal(_arrays.to_array(Tensor(np.array([True, False]))), [True, False])
    np.testing.assert_array_equal(_arrays.to_array(Tensor(np.array([1 + 2j]))), [1 + 2j])


class Refusing(Tensor):
    """PyTorch's tensors have `__array__`, which refuses bfloat16."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")


def test_array_protocol_that_refuses():
    array = np.ones((2, 3), ml_dtypes.bfloat16)
    np.testing.assert_array_equal(program("bf16")(Refusing(array)), array + array)


def test_rejects():
    array = np.ones((2, 3), np.float32)
    run = program("f32")
    with pytest.raises(TypeError, match=r"on device \(2, 1\), not in the host's memory"):
        run(Tensor(array, device=(2, 1)))
    with pytest.raises(BufferError, match="no element type for DLPack's type code 99"):
        run(Tensor(array, code=99))
    with pytest.raises(TypeError, match=r"expected a float32 array of shape \(2, 3\), got a bfloat16 array"):
        run(Tensor(array.astype(ml_dtypes.bfloat16)))
    with pytest.raises(TypeError, match=r"argument 0: expected a float32 array of shape \(2, 3\), got a NoneType"):
        run(None)
    with pytest.raises(TypeError, match="got a dict"):
        run({})
    gc.collect()
    assert not exported
