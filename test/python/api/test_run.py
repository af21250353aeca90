# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tool xla-run: inputs, outputs, assertions, exit statuses, and errors without tracebacks."""

import io
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
from api_programs import ADD, STABLEHLO, TARGETS, checks

from mlir_xla.tools.run import main

A = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.fixture
def program(tmp_path):
    def write(text, name="program.mlir"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


@pytest.mark.parametrize("target", TARGETS)
def test_npy(program, tmp_path, capsys, target):
    np.save(tmp_path / "a.npy", A)
    np.save(tmp_path / "b.npy", np.float32(2))
    arguments = [program(ADD), "--target", target, "--args", str(tmp_path / "a.npy"), str(tmp_path / "b.npy")]
    assert main(arguments) == 0
    assert "result 0: f32[2,3] =\n[[2. 3. 4.]\n [5. 6. 7.]]" in capsys.readouterr().out
    assert main([*arguments, "--output", str(tmp_path / "out.npz")]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out.npz")["out0"], A + 2)
    assert main([*arguments, "--output", str(tmp_path / "out.npy")]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), A + 2)


def test_npz_is_ordered_by_number(program, tmp_path):
    text = "func.func @main(%a: tensor<2xi32>, %b: tensor<i32>) -> tensor<i32> { return %b : tensor<i32> }"
    np.savez(tmp_path / "in.npz", arg1=np.int32(7), arg0=np.zeros(2, np.int32))
    output = str(tmp_path / "out.npy")
    assert main([program(text), "--args", str(tmp_path / "in.npz"), "--target", "reference", "--output", output]) == 0
    assert np.load(output) == 7


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.int4])
def test_ml_dtypes_survive_files(program, tmp_path, dtype):
    name = {"bfloat16": "bf16", "float8_e5m2": "f8E5M2", "int4": "i4"}[np.dtype(dtype).name]
    text = f"func.func @main(%a: tensor<3x{name}>) -> tensor<3x{name}> {{ return %a : tensor<3x{name}> }}"
    given = np.array([1, 2, 3]).astype(dtype)
    np.savez(tmp_path / "in.npz", arg0=given)
    first, second = str(tmp_path / "1.npz"), str(tmp_path / "2.npz")
    assert main([program(text), "--target", "reference", "--args", str(tmp_path / "in.npz"), "--output", first]) == 0
    assert main([program(text), "--target", "reference", "--args", first, "--output", second]) == 0
    np.testing.assert_array_equal(np.load(second)["out0"].view(dtype), given)


def test_synthetic_inputs(program, capsys):
    runs = []
    for seed in ("1", "1", "2"):
        assert main([program(ADD), "--target", "reference", "--seed", seed]) == 0
        captured = capsys.readouterr()
        assert f"synthetic inputs with --seed={seed} for f32[2,3], f32[]" in captured.err
        runs.append(captured.out)
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("target", TARGETS)
def test_checks(program, capsys, target):
    assert main([program(checks("op", "6.0")), "--target", target]) == 0
    assert main([program(checks("op", "6.5")), "--target", target]) == 1
    assert "program.mlir" in (message := capsys.readouterr().err)
    assert "check.expect_eq: element [2] is 6.0, expected 6.5" in message


def test_function(program, capsys):
    assert main([program(checks("op", "6.5")), "--target", "reference", "--function", "inputs"]) == 0
    assert "[1. 2. 3.]" in capsys.readouterr().out


@pytest.mark.parametrize("target", TARGETS)
def test_repeat_and_dump(program, tmp_path, capsys, target):
    folder = tmp_path / "stages"
    assert main([program(STABLEHLO), "--target", target, "--repeat", "3", "--dump", str(folder)]) == 0
    assert "3 calls: median" in capsys.readouterr().err
    assert "xla.reduce" in (folder / "01-xla.mlir").read_text()


def test_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(checks("op", "6.0")))
    assert main(["-", "--target", "reference"]) == 0


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("nonsense", [], "bad.mlir:1:1: error:"),
        (ADD.replace("[]", "[5]"), [], "bad.mlir:3:8: error: .*BroadcastInDim"),
        (ADD, ["--args", "missing.npy"], "missing.npy"),
        (ADD, ["--args", "bad.mlir"], "neither .npy nor .npz"),
        (ADD, ["--args", "one.npy"], r"takes 2 arguments \(f32\[2,3\], f32\[\]\), --args has 1"),
        (ADD, ["--args", "one.npy", "one.npy"], r"argument 0 of the program is f32\[2,3\], --args has f64\[\]"),
        (ADD, ["--function", "other"], "no function @other"),
        (ADD, ["--output", "no/such/folder.npz"], "no/such/folder.npz"),
        (ADD, ["--output", "out.txt"], "out.txt: results are written as .npz or .npy"),
    ],
)
def test_bad_input(tmp_path, monkeypatch, capfd, text, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.mlir").write_text(text)
    np.save(tmp_path / "one.npy", np.float64(1))
    assert main(["bad.mlir", "--target", "reference", *arguments]) == 2
    captured = capfd.readouterr()
    import re

    assert re.search(message, captured.err), captured.err
    assert "Traceback" not in captured.err


CHECKED = """
func.func @main(%x: tensor<2xf32>) {
  CHECK
  return
}
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("check", "message"),
    [
        (
            "stablehlo.custom_call @check.expect_foo(%x) {has_side_effect = true} : (tensor<2xf32>) -> ()",
            "expect_foo: no such",
        ),
        (
            "stablehlo.custom_call @check.expect_eq(%x) {has_side_effect = true} : (tensor<2xf32>) -> ()",
            "two arrays, got 1",
        ),
        ('check.expect_foo %x, "x.npy" : tensor<2xf32>', "expect_foo: no such"),
        (
            "%0 = xla.custom_call @check.expect_eq(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>",
            "gives no results, but 1 is wanted",
        ),
        (
            "stablehlo.custom_call @check.expect_eq(%x, %x) {value = dense<1.0> : tensor<2xf32>} "
            ": (tensor<2xf32>, tensor<2xf32>) -> ()",
            "two arrays, got 2 and a value",
        ),
    ],
)
def test_bad_checks(program, capsys, target, check, message):
    """Assertions that are none are bad input, not failed checks."""
    assert main([program(CHECKED.replace("CHECK", check)), "--target", target]) == 2
    error = capsys.readouterr().err
    assert message in error and "program.mlir:3:" in error


OWN_DATA = """
func.func private @inputs() -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  return %0, %1 : tensor<2xf32>, tensor<2xi32>
}
func.func private @expected() -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[6, 8]> : tensor<2xi32>
  return %0, %1 : tensor<2xf32>, tensor<2xi32>
}
func.func @main(%x: tensor<2xf32>, %y: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %1 = stablehlo.add %y, %y : tensor<2xi32>
  return %0, %1 : tensor<2xf32>, tensor<2xi32>
}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_own_data(program, tmp_path, capsys, target):
    assert main([program(OWN_DATA), "--target", target]) == 0
    captured = capsys.readouterr()
    assert "[2. 4.]" in captured.out and "synthetic" not in captured.err
    assert main([program(OWN_DATA.replace("[6, 8]", "[6, 9]")), "--target", target]) == 1
    assert "result 1: element [1] is 8, @expected has 9" in capsys.readouterr().err
    # Arguments from outside come without expectations.
    np.savez(tmp_path / "in.npz", x=np.ones(2, np.float32), y=np.zeros(2, np.int32))
    assert main([program(OWN_DATA), "--target", target, "--args", str(tmp_path / "in.npz")]) == 0
    other = OWN_DATA.replace(
        "func private @inputs() -> (tensor<2xf32>, tensor<2xi32>)", "func private @inputs() -> tensor<2xf32>"
    )
    other = other.replace(
        "return %0, %1 : tensor<2xf32>, tensor<2xi32>\n}\nfunc.func private @expected",
        "return %0 : tensor<2xf32>\n}\nfunc.func private @expected",
    )
    assert main([program(other), "--target", target]) == 2
    assert "@inputs gives f32[2], @main takes f32[2], s32[2]" in capsys.readouterr().err


def test_missing_file(capsys):
    assert main(["missing.mlir"]) == 2
    assert "missing.mlir" in capsys.readouterr().err


def test_as_a_module(program):
    command = [sys.executable, "-m", "mlir_xla.tools.run", program(checks("op", "6.5")), "--target", "reference"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 1
    assert finished.stderr.count("\n") == 1 and "Traceback" not in finished.stderr
