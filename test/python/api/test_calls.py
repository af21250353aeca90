# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calling executables: which arrays they take, what they return, what they tell about themselves."""

import threading
from concurrent.futures import ThreadPoolExecutor

import ml_dtypes
import numpy as np
import pytest
from api_programs import ADD, STABLEHLO, TARGETS

import mlir_xla
from mlir_xla import Shape

A = np.arange(6, dtype=np.float32).reshape(2, 3)

ELEMENTS = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
    "i2": ml_dtypes.int2,
    "i4": ml_dtypes.int4,
    "ui2": ml_dtypes.uint2,
    "ui4": ml_dtypes.uint4,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}


class OnlyDLPack:
    """An array of which only DLPack is known."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


@pytest.fixture(params=TARGETS)
def add(request):
    return mlir_xla.compile(ADD, target=request.param)


def test_one_result_is_an_array(add):
    result = add(A, np.float32(1))
    assert isinstance(result, np.ndarray)
    assert result.flags.writeable and result.flags.c_contiguous and result.dtype == np.float32
    np.testing.assert_array_equal(result, A + 1)


@pytest.mark.parametrize("target", TARGETS)
def test_other_numbers_of_results_are_a_tuple(target):
    assert mlir_xla.compile("func.func @main() { return }", target=target)() == ()
    text = "func.func @main(%a: tensor<i32>) -> (tensor<i32>, tensor<i32>) { return %a, %a : tensor<i32>, tensor<i32> }"
    assert mlir_xla.compile(text, target=target)(3) == (3, 3)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("element", ELEMENTS)
def test_element_types(target, element):
    dtype = np.dtype(ELEMENTS[element])
    t = f"tensor<3x{element}>"
    text = f"func.func @main(%a: {t}) -> {t} {{ %0 = xla.reverse %a, dims = [0] : {t} return %0 : {t} }}"
    executable = mlir_xla.compile(text, target=target)
    assert executable.arg_types == (Shape(dtype, (3,)),) == executable.result_types
    given = np.array([1, 0, 1]).astype(dtype)
    given[1:2] = given[0:1] * 0  # also of the right dtype
    result = executable(np.repeat(given, 2)[::2])
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, given[::-1])
    np.testing.assert_array_equal(executable(given), given[::-1])


def test_strides(add):
    big = np.arange(48, dtype=np.float32).reshape(6, 8)
    for array in (A.copy(order="F"), A[::-1, ::-1], big[::3, 1:7:2], np.broadcast_to(np.float32(3), (2, 3))):
        np.testing.assert_array_equal(add(array, 1), array + 1)


def test_order_of_bytes(add):
    np.testing.assert_array_equal(add(A.astype(">f4"), np.array(1, ">f4")), A + 1)


def test_unaligned(add):
    raw = np.zeros(25, np.uint8)
    array = raw[1:].view(np.float32).reshape(2, 3)
    array[...] = A
    np.testing.assert_array_equal(add(array, 1), A + 1)


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.int4])
def test_types_that_the_buffer_protocol_does_not_know(dtype, monkeypatch):
    """They are read in place if they lie as the program wants them, and by way of NumPy otherwise."""
    element = {ml_dtypes.bfloat16: "bf16", ml_dtypes.float8_e4m3fn: "f8E4M3FN", ml_dtypes.int4: "i4"}[dtype]
    text = f"""func.func @main(%a: tensor<2x3x{element}>) -> tensor<3x2x{element}> {{
        %0 = xla.transpose %a, dims = [1, 0] : (tensor<2x3x{element}>) -> tensor<3x2x{element}>
        return %0 : tensor<3x2x{element}> }}"""
    executable = mlir_xla.compile(text)
    array = A.astype(dtype)
    raw = np.zeros(array.nbytes + 1, np.uint8)
    unaligned = raw[1:].view(dtype).reshape(2, 3)
    unaligned[...] = array
    for given in (array, array.copy(order="F"), array[::-1, ::-1], np.broadcast_to(array[0], (2, 3)), unaligned):
        np.testing.assert_array_equal(executable(given), given.T)
    for wrong in (array.T, array[:1], array.reshape(6), array.view(np.uint8)):
        with pytest.raises(TypeError, match=r"argument 0: expected an? .* array of shape \(2, 3\)"):
            executable(wrong)

    def refuse(*_):
        raise AssertionError("converted by NumPy")

    monkeypatch.setattr("mlir_xla._arrays.as_argument", refuse)
    np.testing.assert_array_equal(executable(array), array.T)
    with pytest.raises(AssertionError, match="converted"):
        executable(array.copy(order="F"))


def test_read_only(add):
    array = A.copy()
    array.flags.writeable = False
    np.testing.assert_array_equal(add(array, 1), A + 1)


def test_dlpack(add):
    np.testing.assert_array_equal(add(OnlyDLPack(A), OnlyDLPack(np.array(1, np.float32))), A + 1)


def test_numbers(add):
    for number in (2, 2.0, True, np.float32(2), np.array(2, np.float32)):
        np.testing.assert_array_equal(add(A, number), A + np.float32(number))


def test_arguments_are_not_changed(add):
    array = A.copy()
    result = add(array, 1)
    result[...] = 0
    np.testing.assert_array_equal(array, A)
    assert add(array, 1)[1, 2] == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((A,), "takes 2 arguments, got 1"),
        ((A, 1, 1), "takes 2 arguments, got 3"),
        ((A.astype(np.float64), 1), r"argument 0: expected a float32 array of shape \(2, 3\), got a float64"),
        ((A.astype(object), 1), r"argument 0: .*got an array of Python objects of shape \(2, 3\)"),
        ((A.astype(np.int8), 1), "argument 0: .*got an int8 array"),
        ((A.view(np.int32), 1), "argument 0: expected a float32 array"),
        ((A.T, 1), r"argument 0: .*got a float32 array of shape \(3, 2\)"),
        ((A, np.float64(1)), "argument 1: expected a float32 array"),
        ((A, np.zeros(1, np.float32)), r"argument 1: .*got a float32 array of shape \(1,\)"),
        ((1, 1), r"argument 0: .*shape \(2, 3\), got"),
        ((A, "one"), "argument 1: "),
        ((A, None), "argument 1: "),
    ],
)
def test_wrong_arguments(add, arguments, message):
    with pytest.raises(TypeError, match=message):
        add(*arguments)


def test_threads(add):
    barrier = threading.Barrier(8)

    def call(number):
        barrier.wait()
        return all(np.array_equal(add(A, number), A + np.float32(number)) for _ in range(50))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(call, range(8)))


def test_compiling_in_threads():
    def compile_and_call(number):
        text = ADD.replace("xla.add %a, %0", f"xla.{('add', 'multiply', 'subtract')[number % 3]} %a, %0")
        try:
            mlir_xla.compile("nonsense", target=TARGETS[number % len(TARGETS)])
        except mlir_xla.MLIRError:
            pass
        return mlir_xla.compile(text, target=TARGETS[number % len(TARGETS)])(A, 2)

    with ThreadPoolExecutor(4) as pool:
        for number, result in enumerate(pool.map(compile_and_call, range(12))):
            np.testing.assert_array_equal(result, (A + 2, A * 2, A - 2)[number % 3])


def test_stages_and_dump(add, tmp_path):
    names = list(add.stages)
    assert names[0] == "xla" and "xla.add" in add.stages["xla"]
    if add.target == "cpu":
        assert names == ["xla", "legal", "linalg", "kernels", "loops", "llvm", "binary"]
        assert "linalg." in add.stages["linalg"] and "llvm.func" in add.stages["llvm"]
    paths = add.dump(tmp_path / "new" / "folder")
    assert [p.name for p in paths] == [
        f"{i:02}-{name}.{'s' if name == 'binary' else 'mlir'}" for i, name in enumerate(names, start=1)
    ]
    assert all(path.read_text() == add.stages[name] for path, name in zip(paths, names, strict=True))


def test_timings(add):
    assert next(iter(add.timings)) == "parse"
    assert all(milliseconds >= 0 for milliseconds in add.timings.values())
    if add.target == "cpu":
        assert {"legal", "linalg", "kernels", "loops", "llvm", "binary", "load"} <= set(add.timings)


def test_description(add):
    assert repr(add).endswith("(f32[2,3], f32[]) -> (f32[2,3])>")
    assert isinstance(add, mlir_xla.Executable)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("element", "good", "bad"),
    [
        ("i32", [3, True], [2.5, 2.0, 1j]),
        ("f32", [3, 2.5, True], [1j]),
        ("complex<f32>", [3, 2.5, 1j], []),
        ("i1", [True], [0.5]),
    ],
)
def test_numbers_are_not_rounded(target, element, good, bad):
    t = f"tensor<{element}>"
    executable = mlir_xla.compile(f"func.func @main(%a: {t}) -> {t} {{ return %a : {t} }}", target=target)
    for number in good:
        assert executable(number) == number
    for number in bad:
        with pytest.raises(TypeError, match="argument 0"):
            executable(number)


@pytest.mark.parametrize("target", TARGETS)
def test_empty_arrays(target):
    text = ADD.replace("2x3", "0x3")
    assert mlir_xla.compile(text, target=target)(np.zeros((0, 3), np.float32), 1).shape == (0, 3)
    assert mlir_xla.compile(STABLEHLO.replace("3x", "0x"), target=target)(np.zeros(0, np.float32)) == 0
