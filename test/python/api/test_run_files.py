# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xla-run on files as StableHLO's tests are: functions of any name, several programs, settings of assertions."""

import io
import re
import sys

import pytest
from api_programs import TARGETS

import mlir_xla
from mlir_xla.tools.run import main

ONE = """
func.func private @helper(%x: tensor<2xi4>) -> tensor<2xi4> {
  %0 = stablehlo.add %x, %x : tensor<2xi4>
  return %0 : tensor<2xi4>
}
func.func @doubles() -> tensor<2xi4> {
  %0 = stablehlo.constant dense<[3, -3]> : tensor<2xi4>
  %1 = call @helper(%0) : (tensor<2xi4>) -> tensor<2xi4>
  check.expect_eq_const %1, dense<[6, -6]> : tensor<2xi4>
  return %1 : tensor<2xi4>
}
"""
TWO = "func.func @a() { return }\nfunc.func @b() { return }\nfunc.func private @c() { return }\n"
PASSES = """func.func @passes() -> tensor<i32> {
  %0 = stablehlo.constant dense<7> : tensor<i32>
  return %0 : tensor<i32>
}
"""
FAILS = """func.func @fails() {
  %0 = stablehlo.constant dense<7> : tensor<i32>
  check.expect_eq_const %0, dense<8> : tensor<i32>
  return
}
"""
INVALID = "func.func @invalid(%x: tensor<i32>) {\n  %0 = stablehlo.floor %x : tensor<i32>\n  return\n}\n"


@pytest.fixture
def write(tmp_path):
    def write(*parts):
        path = tmp_path / "program.mlir"
        path.write_text("// RUN: something\n\n// -----\n" + "// -----\n".join(parts) if len(parts) > 1 else parts[0])
        return str(path)

    return write


@pytest.mark.parametrize("target", TARGETS)
def test_only_public_function(write, capsys, target):
    assert main([write(ONE), "--target", target]) == 0
    assert "result 0: s4[2] = [6 -6]" in capsys.readouterr().out
    assert main([write(ONE.replace("-6]", "-7]")), "--target", target]) == 1
    assert re.search(r'program\.mlir"?:9:3', capsys.readouterr().err)
    # In Python the program is @main unless the choice is asked for.
    assert list(mlir_xla.compile(ONE, target=target, function="")()) == [6, -6]
    with pytest.raises(mlir_xla.XlaError, match="no function @main"):
        mlir_xla.compile(ONE, target=target)


def test_several_functions(write, capsys):
    assert main([write(TWO), "--target", "reference"]) == 2
    error = capsys.readouterr().err
    assert "the program has no @main" in error and "--function NAME" in error and "@a, @b\n" in error
    assert main([write(TWO), "--target", "reference", "--function", "b"]) == 0
    assert main([write("func.func private @c() { return }"), "--target", "reference"]) == 2
    path = write("")
    assert main([path, "--target", "reference"]) == 2
    reason = "the program has no @main and no other public function with a body"
    error = capsys.readouterr().err
    assert reason in error and f"{path}: error: {reason}\n" in error
    # @main is the program beside whatever others there are.
    assert main([write(TWO + "func.func @main() { return }"), "--target", "reference"]) == 0


@pytest.mark.parametrize("target", TARGETS)
def test_split(write, capsys, target):
    run = ["--target", target, "--split-input-file"]
    assert main([write(PASSES, PASSES.replace("passes", "too"), PASSES), *run]) == 0
    captured = capsys.readouterr()
    assert captured.out == "".join(f"@{name}\nresult 0: s32[] = 7\n" for name in ("passes", "too", "passes"))
    assert "3 programs, 0 of them failed" in captured.err
    # Every program runs, whatever becomes of those before it.
    assert main([write(PASSES, FAILS, PASSES), *run]) == 1
    captured = capsys.readouterr()
    assert captured.out.count("result 0") == 2 and "@fails" in captured.out
    assert re.search(r'program\.mlir"?:11:3: check.expect_eq_const: element \[\] is 7, expected 8', captured.err)
    assert "3 programs, 1 of them failed" in captured.err
    assert main([write(INVALID, FAILS, PASSES), *run]) == 2
    captured = capsys.readouterr()
    assert "program.mlir:5:8: error: 'xla.floor' op [Unary-C2]" in captured.err
    assert re.search(r'program\.mlir"?:11:3: check', captured.err) and "3 programs, 2 of them failed" in captured.err


def test_split_of_the_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{PASSES}// ----- \n{FAILS}"))
    assert main(["-", "--target", "reference", "--split-input-file"]) == 1
    assert re.search(r'"?-"?:8:3: check', capsys.readouterr().err)
    monkeypatch.setattr(sys, "stdin", io.StringIO("// nothing\n"))
    assert main(["-", "--target", "reference", "--split-input-file"]) == 0
    assert "0 programs" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--output", "x.npz"], ["--dump", "x"]])
def test_split_writes_no_files(write, capsys, option):
    with pytest.raises(SystemExit) as stopped:
        main([write(PASSES, PASSES), "--split-input-file", *option])
    assert stopped.value.code == 2
    assert "--output and --dump are for one program" in capsys.readouterr().err


CHECK = "func.func @main() {{\n  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n  {}\n  return\n}}\n"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("check", "status", "message"),
    [
        ("check.expect_almost_eq_const %x, dense<[1.0, 2.1]> : tensor<2xf32> {tolerance = 0.2 : f64}", 0, ""),
        (
            "check.expect_almost_eq_const %x, dense<[1.0, 2.1]> : tensor<2xf32> {tolerance = 0.05 : f64}",
            1,
            "[1] is 2.0",
        ),
        ("check.expect_almost_eq_const %x, dense<[1.0, 2.1]> : tensor<2xf32>", 1, "element [1] is 2.0"),
        ("check.expect_eq_const %x, dense_resource<none> : tensor<2xf32>", 1, "'value' has no elements"),
        ("check.expect_close %x, %x, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>", 1, "element [0]"),
        ("check.expect_almost_eq %x, %x, tolerance = : tensor<2xf32>", 2, "program.mlir:3:"),
        (
            "check.expect_almost_eq %x, %x {atol = 0.1 : f32} : tensor<2xf32>",
            2,
            "no setting 'atol'; there are max_ulp_difference, min_ulp_difference, tolerance",
        ),
        ('check.expect_serialized_eq %x, probe_id = "p" : tensor<2xf32>', 2, "interpreter.probe"),
        ('check.expect_serialized_eq %x, probe_id = "p", iteration = 2 : tensor<2xf32>', 2, "interpreter.probe"),
        ('"check.expect_serialized_eq"(%x) <{probe_id = "p"}> : (tensor<2xf32>) -> ()', 2, "interpreter.probe"),
    ],
)
def test_settings(write, capsys, target, check, status, message):
    assert main([write(CHECK.format(check)), "--target", target]) == status
    error = capsys.readouterr().err
    assert message in error and (not status or "program.mlir" in error) and "Traceback" not in error
