# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is no array, no program and no option: compile() and executables say so, in one sentence, and take nothing for
something else."""

import decimal
import fractions
import pathlib
import sys

import ml_dtypes
import numpy as np
import pytest
from api_programs import ADD, TARGETS

import mlir_xla
from mlir_xla import Shape, XlaBuilder, XlaError, ir, ops

F32 = np.float32
A = np.arange(6, dtype=F32).reshape(2, 3)
MASKED = np.ma.array(A, mask=A > 3)
KNOWN = "cpu, cuda, cuda-emulated, reference"


class Converts:
    def __init__(self, array):
        self._array = array

    def __array__(self, dtype=None, copy=None):
        return self._array


class Fails:
    def __array__(self, dtype=None, copy=None):
        raise ValueError("no array today")


class OnDevice:
    def __dlpack__(self, **options):
        raise AssertionError

    def __dlpack_device__(self):
        return (2, 0)


class Nothing:
    pass


@pytest.fixture(params=TARGETS)
def add(request):
    return mlir_xla.compile(ADD, target=request.param)


@pytest.mark.parametrize(
    "given",
    [
        np.asmatrix(A),
        Converts(A),
        A.astype(">f4"),
        Converts(A.astype(">f4")),
        np.asfortranarray(A),
        A[::-1, ::-1],
        np.broadcast_to(F32(3), (2, 3)),
        np.lib.stride_tricks.as_strided(A, (2, 3), (0, 4)),
        memoryview(A),
        [list(row) for row in A],
        tuple(map(tuple, A)),
        np.repeat(A, 2, axis=1)[:, ::2],
        np.ma.array(A, mask=A > 3).filled(0),
        np.ma.array(A, mask=A > 3).data,
    ],
    ids=lambda given: type(given).__name__,
)
def test_arrays_of_any_kind(add, given):
    expected = given._array if isinstance(given, Converts) else np.asarray(given)
    np.testing.assert_array_equal(add(given, 1), expected + F32(1))


@pytest.mark.parametrize(
    "given", [MASKED, np.ma.masked, [MASKED[0], MASKED[1]], Converts(MASKED), np.ma.array(A)], ids=lambda _: "masked"
)
def test_masks_are_not_lost(add, given):
    with pytest.raises(TypeError, match=r"^argument 0: a masked array, whose mask would be lost: give array.filled"):
        add(given, 1)


WANTED = r"^argument 0: expected a float32 array of shape \(2, 3\), got "


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (A.astype(object), WANTED + r"an array of Python objects of shape \(2, 3\)$"),
        (np.zeros((2, 3), [("a", "f4")]), WANTED + r"an array of records of shape \(2, 3\)$"),
        (np.zeros((2, 3), [("a", "f4")]).view(np.recarray), WANTED + r"an array of records of shape \(2, 3\)$"),
        (np.full((2, 3), "a"), WANTED + r"an array of strings of shape \(2, 3\)$"),
        (np.full((2, 3), b"a"), WANTED + r"an array of bytes of shape \(2, 3\)$"),
        (np.array(["a"], np.dtypes.StringDType()), WANTED + r"an array of strings of shape \(1,\)$"),
        (np.full((2, 3), "2020", "M8[D]"), WANTED + r"an array of dates of shape \(2, 3\)$"),
        (np.full((2, 3), 1, "m8[s]"), WANTED + r"an array of time differences of shape \(2, 3\)$"),
        (A.astype(ml_dtypes.bfloat16), WANTED + r"a bfloat16 array of shape \(2, 3\)$"),
        (A.astype(">f8"), WANTED + r"a float64 array of shape \(2, 3\)$"),
        (A.astype(np.int8), WANTED + r"an int8 array of shape \(2, 3\)$"),
        (A.astype(np.uint8), WANTED + r"a uint8 array of shape \(2, 3\)$"),
        (A.astype(np.longdouble), WANTED + r"a float128 array of shape \(2, 3\)$"),
        (A.T, WANTED + r"a float32 array of shape \(3, 2\)$"),
        (A[None], WANTED + r"a float32 array of shape \(1, 2, 3\)$"),
        (A.tolist(), WANTED + r"a float64 array of shape \(2, 3\)$"),
        ([[1, 2], [3]], r"^argument 0: setting an array element with a sequence"),
        (1.0, WANTED + "a float$"),
        (2**200, WANTED + "an int$"),
        (1j, WANTED + "a complex$"),
        (np.bool_(True), WANTED + r"a bool array of shape \(\)$"),
        (None, WANTED + "a NoneType$"),
        ("ab", WANTED + "a str$"),
        (b"ab", WANTED + "a bytes$"),
        ({}, WANTED + "a dict$"),
        ({1}, WANTED + "a set$"),
        ((x for x in A), WANTED + "a generator$"),
        (Nothing(), WANTED + "a Nothing$"),
        (Shape(F32), WANTED + "a Shape$"),
        (fractions.Fraction(1, 2), WANTED + "a Fraction$"),
        (decimal.Decimal(1), WANTED + "a Decimal$"),
        (bytearray(24), WANTED + r"a uint8 array of shape \(24,\)$"),
        (Fails(), "^argument 0: no array today$"),
        (OnDevice(), r"^argument 0: the array is on device \(2, 0\), not in the host's memory$"),
    ],
)
def test_what_is_no_array(add, given, message):
    with pytest.raises(TypeError, match=message):
        add(given, 1)


def test_a_value_of_a_program_is_no_array(add):
    value = XlaBuilder("b").constant(A)
    with pytest.raises(TypeError, match=WANTED + "an XlaOp$"):
        add(value, 1)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("element", "number", "kept"),
    [
        ("i8", 127, True),
        ("i8", 128, False),
        ("i8", -129, False),
        ("ui8", -1, False),
        ("i64", 2**63, False),
        ("ui64", 2**63, True),
        ("ui4", 15, True),
        ("ui4", 16, False),
        ("i4", -9, False),
        ("i2", 2, False),
        ("i1", 1, True),
        ("i1", 2, False),
        ("i1", -1, False),
    ],
)
def test_numbers_do_not_wrap(target, element, number, kept):
    same = mlir_xla.compile(
        f"func.func @main(%a: tensor<{element}>) -> tensor<{element}> {{ return %a : tensor<{element}> }}",
        target=target,
    )
    if kept:
        assert int(same(number)) == number
    else:
        with pytest.raises(OverflowError, match=f"^argument 0: {number} is not a value of "):
            same(number)


@pytest.mark.parametrize("element", ["f32", "f64", "bf16", "f16", "f8E5M2"])
@pytest.mark.parametrize("target", TARGETS)
def test_numbers_beyond_floats(target, element):
    same = mlir_xla.compile(
        f"func.func @main(%a: tensor<{element}>) -> tensor<{element}> {{ return %a : tensor<{element}> }}",
        target=target,
    )
    with pytest.raises(OverflowError, match="^argument 0: 1000.* is not a value of "):
        same(10**400)


@pytest.mark.parametrize("target", TARGETS)
def test_counts_of_arguments(target):
    one = mlir_xla.compile("func.func @main(%a: tensor<i8>) -> tensor<i8> { return %a : tensor<i8> }", target=target)
    with pytest.raises(TypeError, match="^the program takes 1 argument, got 0$"):
        one()
    with pytest.raises(TypeError, match="^the program takes 1 argument, got 2$"):
        one(1, 2)
    none = mlir_xla.compile("func.func @main() { return }", target=target)
    with pytest.raises(TypeError, match="^the program takes 0 arguments, got 1$"):
        none(1)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"target": "cup"}, XlaError, f"unknown target 'cup'; the targets are {KNOWN}; did you mean 'cpu'?"),
        ({"target": "refrence"}, XlaError, "did you mean 'reference'?"),
        ({"target": "tpu-v9"}, XlaError, f"unknown target 'tpu-v9'; the targets are {KNOWN}"),
        ({"target": 3}, TypeError, "target is 3, not a string"),
        ({"target": None}, TypeError, "target is None, not a string"),
        ({"target": []}, TypeError, "target is [], not a string"),
        ({"threads": "a"}, TypeError, "threads is 'a', not an integer"),
        ({"threads": 1.5}, TypeError, "threads is 1.5, not an integer"),
        ({"threads": 1.0}, TypeError, "threads is 1.0, not an integer"),
        ({"threads": True}, TypeError, "threads is True, not an integer"),
        ({"threads": None}, TypeError, "threads is None, not an integer"),
        ({"threads": -1}, ValueError, "threads must not be negative, got -1"),
        ({"threads": 2**70}, ValueError, "threads must not be beyond 64 bits"),
        ({"features": 3}, TypeError, "features is 3, not a string"),
        ({"features": ["-avx2"]}, TypeError, "features is ['-avx2'], not a string"),
        ({"cpu": 3}, TypeError, "cpu is 3, not a string"),
        ({"function": 3}, TypeError, "function is 3, not a string"),
        ({"function": "mian"}, XlaError, "no function @mian with a body; its functions: @main; did you mean '@main'?"),
        ({"thread": 1}, TypeError, "unexpected keyword argument 'thread'"),
    ],
)
def test_options(options, error, message):
    with pytest.raises(error) as caught:
        mlir_xla.compile(ADD, **options)
    assert message in str(caught.value) and type(caught.value) is error


@pytest.mark.skipif("cpu" not in TARGETS, reason="options of machine code")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cpu": "haswel"}, "unknown CPU 'haswel' for target x86_64-pc-linux-gnu; did you mean 'haswell'?"),
        (
            {"features": "-avx512ff"},
            "unknown CPU feature '-avx512ff' (features are written +name or -name); did you mean '-avx512f'?",
        ),
        (
            {"features": "avx2"},
            "unknown CPU feature 'avx2' (features are written +name or -name); did you mean '+avx2'?",
        ),
        ({"features": "+"}, "unknown CPU feature '+'"),
        ({"features": "+frobnicate"}, "unknown CPU feature '+frobnicate' (features are written +name or -name)"),
        # What LLVM crashes with, or makes wrong code with.
        (
            {"cpu": "x86-64", "features": "-sse2"},
            "code for x86-64 needs the CPU feature 'sse2' (CPU 'x86-64', features '-sse2')",
        ),
        (
            {"cpu": "x86-64", "features": "-avx,-sse"},
            "code for x86-64 needs the CPU feature 'sse' (CPU 'x86-64', features '-avx,-sse')",
        ),
        ({"cpu": "i686"}, "code for x86-64 needs the CPU feature '64bit' (CPU 'i686', features '')"),
        (
            {"cpu": "x86-64", "features": "-64bit-mode"},
            "code for x86-64 needs the CPU feature '64bit-mode' (CPU 'x86-64', features '-64bit-mode')",
        ),
        (
            {"cpu": "x86-64", "features": "+16bit-mode"},
            "code for x86-64 excludes the CPU feature '16bit-mode' (CPU 'x86-64', features '+16bit-mode')",
        ),
        (
            {"cpu": "x86-64", "features": "+x32"},
            "code for x86-64 excludes the CPU feature 'x32' (CPU 'x86-64', features '+x32')",
        ),
        (
            {"cpu": "x86-64", "features": "+soft-float"},
            "code for x86-64 excludes the CPU feature 'soft-float' (CPU 'x86-64', features '+soft-float')",
        ),
    ],
)
def test_processors(options, message):
    with pytest.raises(ir.MLIRError) as caught:
        mlir_xla.compile(ADD, **options)
    assert caught.value.error_diagnostics[0].message == message or message.endswith("'")


@pytest.mark.parametrize("target", TARGETS)
def test_unknown_stages(target):
    stages = mlir_xla.compile(ADD, target=target).stages
    with pytest.raises(KeyError, match=f"no stage 'xlaa'; the stages are {', '.join(stages)}; did you mean 'xla'?"):
        stages["xlaa"]
    with pytest.raises(KeyError, match="no stage 0; the stages are xla"):
        stages[0]
    assert stages.get("xlaa") is None and "xlaa" not in stages


def test_threads_of_any_integer_type():
    assert mlir_xla.compile(ADD, threads=np.int64(1))(A, 1)[0, 0] == 1


@pytest.mark.parametrize(
    ("program", "error", "message"),
    [
        (3, TypeError, "cannot compile an int: not a computation, a module, text, bytecode or a path"),
        (None, TypeError, "cannot compile a NoneType"),
        ([], TypeError, "cannot compile a list"),
        (A, TypeError, "cannot compile a ndarray"),
        (sys.stdout, TypeError, "cannot compile "),
        (bytearray(b"module {}"), TypeError, "cannot compile a bytearray"),
        (XlaBuilder("b"), TypeError, "cannot compile an XlaBuilder"),
        (len, TypeError, "cannot compile a builtin_function_or_method"),
        ("f.mlir", ValueError, "for a file give a path"),
        (pathlib.Path("no/such.mlir"), FileNotFoundError, "No such file or directory: 'no/such.mlir'"),
        (pathlib.Path("/"), IsADirectoryError, "Is a directory: '/'"),
        ("", XlaError, "no function @main with a body; its functions: none"),
        (b"", XlaError, "no function @main with a body; its functions: none"),
        ("func.func private @main()", XlaError, "no function @main with a body; its functions: @main"),
        ("func.func @mian() { return }", XlaError, "its functions: @mian; did you mean '@mian'?"),
        (b"ML\xefR", ir.MLIRError, "bytecode"),
        (b"\x00\x01", ir.MLIRError, "unexpected character"),
        ("hello", ir.MLIRError, "hello"),
        ("\ud800", ValueError, "surrogates not allowed"),
    ],
)
@pytest.mark.parametrize("target", TARGETS)
def test_programs(target, program, error, message):
    with pytest.raises(error) as caught:
        mlir_xla.compile(program, target=target)
    assert message in str(caught.value)


OPERATION = (
    "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{\n  %0 = {} : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}}"
)


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (
            "stablehlo.exponentail %a",
            "unknown operation 'stablehlo.exponentail'; did you mean 'stablehlo.exponential'?",
        ),
        ("xla.tanhh %a", "unknown operation 'xla.tanhh'; did you mean 'xla.tanh'?"),
        ("xla.Tanh %a", "unknown operation 'xla.Tanh'; did you mean 'xla.tanh'?"),
        ("mhlo.ad %a, %a", "unknown operation 'mhlo.ad'; did you mean 'mhlo.add'?"),
        ("chlo.tahn %a", "unknown operation 'chlo.tahn'; did you mean 'chlo.tanh'?"),
        ("xla.frobnicate %a", "unknown operation 'xla.frobnicate'"),
        (
            "stablehlo.frobnicate %a",
            "'stablehlo.frobnicate' has no counterpart in the xla dialect (looked for 'xla.frobnicate')",
        ),
        (
            "stablehlo.set_dimension_size %a",
            "'stablehlo.set_dimension_size' has no counterpart in the xla dialect"
            " (looked for 'xla.set_dimension_size')",
        ),
    ],
)
@pytest.mark.parametrize("target", TARGETS)
def test_misspelt_operations(target, operation, message):
    with pytest.raises(ir.MLIRError) as caught:
        mlir_xla.compile(OPERATION.format(operation), target=target)
    (diagnostic,) = caught.value.error_diagnostics
    assert diagnostic.message == message and ":2:8" in str(diagnostic.location)


@pytest.mark.parametrize("target", TARGETS)
def test_misspelt_assertions(target):
    text = OPERATION.format("xla.abs %a").replace("  return", "  check.expect_eqq %0, %a : tensor<4xf32>\n  return")
    with pytest.raises(
        XlaError, match="check.expect_eqq: no such assertion; there are .*; did you mean 'check.expect_eq'?"
    ):
        mlir_xla.compile(text, target=target)


@pytest.mark.parametrize("target", TARGETS)
def test_assertions_are_found_however_they_are_written(target):
    """A name may be spelt with escapes, and bytecode holds that of an op in parts."""
    call = 'xla.custom_call @"check.expect_eq"(%0, %a)'.replace("check.", "check\\2E")
    text = OPERATION.format("xla.negate %a").replace(
        "  return", f"  {call} : (tensor<4xf32>, tensor<4xf32>) -> ()\n  return"
    )
    assert "check." not in text
    for program in (text, mlir_xla.parse(text), text.encode()):
        with pytest.raises(mlir_xla.reference.CheckError, match="expect_eq"):
            mlir_xla.compile(program, target=target)(np.ones(4, F32))


def test_custom_calls_keep_no_masks():
    masked = np.ma.array(np.ones(4, F32), mask=[1, 0, 0, 0])
    mlir_xla.register_custom_call("odd.masked", lambda x: masked)
    mlir_xla.register_custom_call("odd.swapped", lambda x: x.astype(">f4"))
    call = "xla.custom_call @odd.{}(%a) : (tensor<4xf32>) ->"
    for target in TARGETS:
        with pytest.raises(
            Exception, match="custom call 'odd.masked' returned a masked array, whose mask would be lost"
        ):
            mlir_xla.compile(OPERATION.format(call.format("masked")).replace("-> :", "->"), target=target)(
                np.ones(4, F32)
            )
        swapped = mlir_xla.compile(OPERATION.format(call.format("swapped")).replace("-> :", "->"), target=target)
        assert swapped(np.arange(4, dtype=F32)).tolist() == [0, 1, 2, 3]
    with pytest.raises(TypeError, match="the target of a custom call is 3, not a string"):
        mlir_xla.register_custom_call(3, None)


@pytest.mark.parametrize(
    ("owner", "name", "message"),
    [
        (ops, "Tanhh", "module 'mlir_xla.ops' has no attribute 'Tanhh'; did you mean 'Tanh'?"),
        (ops, "tanhh", "module 'mlir_xla.ops' has no attribute 'tanhh'; did you mean 'tanh'?"),
        (ops, "BroadcastInDims", "did you mean 'BroadcastInDim'?"),
        (ops, "frobnicate", "module 'mlir_xla.ops' has no attribute 'frobnicate'"),
        (mlir_xla, "complie", "module 'mlir_xla' has no attribute 'complie'; did you mean 'compile'?"),
        (mlir_xla, "Shapes", "did you mean 'Shape'?"),
    ],
)
def test_misspelt_names(owner, name, message):
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    assert str(caught.value).endswith(message)
    assert not hasattr(owner, name)


HUGE = """func.func @main(%x: tensor<f32>) -> tensor<4398046511100xf32> {
  %0 = xla.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<4398046511100xf32>
  %1 = xla.negate %0 : tensor<4398046511100xf32>
  return %1 : tensor<4398046511100xf32>
}"""
# Its large arrays are no results.
HUGE_BETWEEN = """func.func @main(%x: tensor<f32>, %i: tensor<i64>) -> tensor<1xf32> {
  %z = xla.constant dense<0> : tensor<i64>
  %n = xla.constant dense<4398046511100> : tensor<i64>
  %one = xla.constant dense<1> : tensor<i64>
  %0 = xla.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<4398046511100xf32>
  %1:2 = xla.while(%k = %z, %v = %0) : tensor<i64>, tensor<4398046511100xf32> cond {
    %c = xla.compare LT, %k, %i : (tensor<i64>, tensor<i64>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %w = xla.reverse %v, dims = [0] : tensor<4398046511100xf32>
    %j = xla.add %k, %one : tensor<i64>
    xla.return %j, %w : tensor<i64>, tensor<4398046511100xf32>
  }
  %2 = xla.dynamic_slice %1#1, %i, sizes = [1] : (tensor<4398046511100xf32>, tensor<i64>) -> tensor<1xf32>
  return %2 : tensor<1xf32>
}"""


@pytest.mark.parametrize("target", TARGETS)
def test_memory(target):
    with pytest.raises(MemoryError):
        mlir_xla.compile(HUGE, target=target)(1.0)
    if target == "cpu":  # the interpreter needs none: it looks at one array from several sides
        with pytest.raises(MemoryError, match="out of memory: the program needs [0-9]+ bytes for intermediate values"):
            mlir_xla.compile(HUGE_BETWEEN)(1.0, 1)
