# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PTX is written for, whether it refers to the program, and what errors make of that."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

import mlir_xla
from mlir_xla.tools import run

PROGRAM = """func.func @main(%x: tensor<9xf32>) -> tensor<9xf32> {
  %y = xla.exponential %x : tensor<9xf32>
  %z = xla.reverse %y, dims = [0] : tensor<9xf32>
  return %z : tensor<9xf32>
}"""
MOVES = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"


def targets(ptx):
    return re.findall(r"^\.target (\S+)$", ptx, re.M)


def test_architectures():
    assert targets(mlir_xla.compile(PROGRAM, target="cuda").stages["binary"]) == ["sm_80"]
    for chip in ("sm_86", "sm_90a", "sm_100"):
        assert targets(mlir_xla.compile(PROGRAM, target="cuda", chip=chip).stages["binary"]) == [chip]
    both = mlir_xla.compile(PROGRAM, target="cuda", chip="sm_80, sm_90a").stages["binary"]
    assert targets(both) == ["sm_80", "sm_90a"]
    assert "// For sm_90a:" in both


@pytest.mark.parametrize("chip", ["sm_75", "hopper", "sm_80,", "sm_90A"])
def test_unknown_architectures(chip):
    with pytest.raises(mlir_xla.MLIRError, match=r"unknown chip '.*'; known are .*sm_80 .*sm_90a"):
        mlir_xla.compile(PROGRAM, target="cuda", chip=chip)


def test_options_of_others():
    with pytest.raises(mlir_xla.MLIRError, match="has no option 'chip'; its options are cpu features threads"):
        mlir_xla.compile(PROGRAM, chip="sm_80")
    with pytest.raises(mlir_xla.MLIRError, match="has no option 'threads'; its options are chip lines"):
        mlir_xla.compile(PROGRAM, target="cuda", threads=1)
    with pytest.raises(TypeError, match="chip is 90, not a string"):
        mlir_xla.compile(PROGRAM, target="cuda", chip=90)


def test_the_device_chooses():
    """The emulator is of compute capability 9.0."""
    x = np.arange(9, dtype=np.float32) / 8
    want = np.exp(x)[::-1]
    for chip in ("sm_80,sm_90a", "sm_90a", "sm_100,sm_86,sm_120"):
        np.testing.assert_allclose(mlir_xla.compile(PROGRAM, target="cuda-emulated", chip=chip)(x), want, rtol=1e-6)
    with pytest.raises(RuntimeError, match=r"it has compute capability 9\.0, and there is code for sm_100 and newer"):
        mlir_xla.compile(PROGRAM, target="cuda-emulated", chip="sm_100")(x)


@pytest.mark.parametrize("target", ["cuda", "cuda-emulated"])
def test_programs_without_kernels(target, tmp_path, capsys):
    program = mlir_xla.compile(MOVES, target=target)
    assert list(program.stages)[-1] == "binary"
    assert ".version" in program.stages["binary"] and ".entry" not in program.stages["binary"]
    (tmp_path / "moves.mlir").write_text(MOVES)
    assert run.main([str(tmp_path / "moves.mlir"), f"--target={target}", "--to=binary", "--chip=sm_90a"]) == 0
    assert ".target sm_90a" in capsys.readouterr().out


def test_lines(tmp_path):
    path = tmp_path / "model.mlir"
    path.write_text(PROGRAM)
    plain = mlir_xla.compile(path, target="cuda").stages["binary"]
    assert ".loc" not in plain and ".file" not in plain
    ptx = mlir_xla.compile(path, target="cuda", lines=True).stages["binary"]
    assert re.search(r'\.file\s+1 ".*model\.mlir"', ptx)
    assert re.search(r"\.loc\s+1 [23] ", ptx)
    assert ".section" not in ptx and "inlined_at" not in ptx


SUM = """func.func @main(%x: tensor<2x3000xf32>) -> tensor<2xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1]
      : (tensor<2x3000xf32>, tensor<f32>) -> tensor<2xf32>
  return %s : tensor<2xf32>
}"""
#: Kernels of which one launch comes.
SUMS = """func.func @main({arguments}) -> ({types}) {{
  %zero = xla.constant dense<0.0> : tensor<f32>{sums}
  return {results} : {types}
}}"""
FAILS = """
import sys, pathlib, numpy as np, mlir_xla
program = mlir_xla.compile(pathlib.Path(sys.argv[1]), target="cuda-emulated", lines=sys.argv[2] == "lines")
try:
    program(*[np.zeros(type.shape, np.float32) for type in program.arg_types])
except RuntimeError as error:
    print(error)
"""


def error_without_barrier(path, lines):
    """What a call says if the first barrier of the program's PTX is left out."""
    ptx = mlir_xla.compile(path, target="cuda-emulated", lines=lines == "lines").stages["binary"]
    barrier = next(i for i, line in enumerate(ptx.split("\n"), start=1) if line.strip().startswith("bar"))
    environment = {**os.environ, "CUDA_EMU_CHECK": "1", "CUDA_EMU_SKIP_LINE": str(barrier)}
    command = [sys.executable, "-c", FAILS, str(path), lines]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_errors_say_what_was_found(tmp_path):
    """A barrier is left out of the PTX; what the emulator finds is in the error, with the line of the program."""
    path = tmp_path / "model.mlir"
    path.write_text(SUM)
    assert re.search(
        r"kernel '\w+' \(.*failed: .*\(kernel '\w+', PTX line .*model\.mlir:3:8.*nothing was written",
        error_without_barrier(path, "lines"),
    )


@pytest.mark.parametrize("count, more", [(2, ""), (4, ""), (5, " and 1 more place"), (7, " and 3 more places")])
def test_errors_name_the_places_of_merged_kernels(tmp_path, count, more):
    """Those of all that one launch does, up to four, in the order of the program."""
    path = tmp_path / "model.mlir"
    rows = [f"tensor<{2 + i}x3000xf32>" for i in range(count)]
    sums = [f"tensor<{2 + i}xf32>" for i in range(count)]
    body = "".join(
        f"""
  %s{i} = xla.reduce(%x{i} init: %zero) applies xla.add across dimensions = [1] : ({x}, tensor<f32>) -> {s}"""
        for i, (x, s) in enumerate(zip(rows, sums, strict=True))
    )
    arguments = ", ".join(f"%x{i}: {x}" for i, x in enumerate(rows))
    results = ", ".join(f"%s{i}" for i in range(count))
    path.write_text(SUMS.format(arguments=arguments, types=", ".join(sums), sums=body, results=results))
    found = re.search(r"kernel '(\w+)' \((\w+) at ([^)]*)\)", error := error_without_barrier(path, "plain"))
    assert found, error
    name, op, places = found.groups()
    assert name == op
    assert name.endswith(f"_and_{count - 1}_more") or (count == 2 and "_and_" in name)
    assert places == ", ".join(f"{path}:{3 + i}:{9}" for i in range(min(count, 4))) + more
