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


def test_missing_file(capsys):
    assert main(["missing.mlir"]) == 2
    assert "missing.mlir" in capsys.readouterr().err


def test_as_a_module(program):
    command = [sys.executable, "-m", "mlir_xla.tools.run", program(checks("op", "6.5")), "--target", "reference"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 1
    assert finished.stderr.count("\n") == 1 and "Traceback" not in finished.stderr
