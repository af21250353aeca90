# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is left of a failure of the compiler's own: an exception, a file and a command that repeats it. Programs that
are at fault themselves leave nothing."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import mlir_xla
from mlir_xla import InternalCompilerError, ir
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.api import compile_stage

ROOT = Path(__file__).resolve().parents[3]
TOOLS = Path(mlir_xla.__file__).parents[2] / "bin"
# Not what `linalg` holds: a loop in a kernel's body, which the stage `kernels` takes and `loops` does not.
LOOP = (ROOT / "test" / "tools" / "Inputs" / "loop-in-kernel.mlir").read_text()
# A valid program without a lowering, which only the stage `linalg` notices.
NO_SCALAR_FORM = (ROOT / "test" / "tools" / "Inputs" / "no-scalar-form.mlir").read_text()
# Not what `llvm` holds: the translation does not know `arith`.
UNTRANSLATED = """
llvm.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr)
    attributes {xla_rt.arena_size = 0 : i64, xla_rt.signature = (tensor<4xf32>) -> tensor<4xf32>} {
  %0 = arith.constant 1.0 : f32
  llvm.return
}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where temporary files go."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def in_place(text, **options):
    with ir.Context():
        return compiler.compile(ir.Module.parse(text).operation, in_place=True, **options)


def copied(text, **options):
    with ir.Context():
        return compiler.compile(ir.Module.parse(text).operation, **options)


def check(error, folder):
    """The error is complete, and what it names is there."""
    assert error.stage == "loops"
    (diagnostic,) = error.error_diagnostics
    assert diagnostic.message.startswith("internal compiler error in the stage 'loops', pass 'xla-emit-kernels': ")
    assert "this is a bug of mlir-xla" in diagnostic.message
    what, where = diagnostic.notes
    assert what.message.startswith("'scf.for' op cannot be computed inside a kernel")
    assert str(diagnostic.location) == str(what.location) and ":14:10" in str(what.location)
    (path,) = folder.iterdir()
    assert error.reproducer == str(path) and error.reproducer in where.message and error.command in where.message
    assert re.match(r"mlir-xla-kernels-\w+\.mlir", path.name)
    assert "xla_rt.kernel" in path.read_text()


def test_compile(folder):
    with pytest.raises(InternalCompilerError) as caught:
        compile_stage(LOOP, "cpu", "linalg")
    check(caught.value, folder)
    assert caught.value.__suppress_context__


def test_compile_of_a_module(folder):
    with pytest.raises(InternalCompilerError) as caught:
        copied(LOOP, from_stage="linalg")
    check(caught.value, folder)


def test_in_place_leaves_no_file(folder):
    with pytest.raises(InternalCompilerError, match="internal compiler error in the stage 'loops'") as caught:
        in_place(LOOP, from_stage="linalg")
    assert caught.value.reproducer is None and caught.value.command is None and not list(folder.iterdir())


def test_the_command_repeats_it(folder):
    with pytest.raises(InternalCompilerError) as caught:
        compile_stage(LOOP, "cpu", "linalg")
    tool, *arguments = shlex.split(caught.value.command)
    again = subprocess.run([TOOLS / tool, *arguments], capture_output=True, text=True, check=False)
    assert again.returncode == 1
    assert "internal compiler error in the stage 'loops', pass 'xla-emit-kernels'" in again.stderr


def test_code_generation(folder):
    """Behind the last stage that is IR. The text that was given is the reproducer."""
    with pytest.raises(InternalCompilerError, match="unless the stage 'llvm' was written by hand") as caught:
        compile_stage(UNTRANSLATED, "cpu", "llvm")
    assert caught.value.stage == "binary" and "arith" in str(caught.value) and not list(folder.iterdir())


def test_xla_run(folder):
    path = folder / "program.mlir"
    path.write_text(LOOP)
    command = [sys.executable, "-m", "mlir_xla.tools.run", "--from=linalg", path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 3, run.stderr
    assert f"{path}:14:10: error: internal compiler error in the stage 'loops'" in run.stderr
    (reproducer,) = folder.glob("mlir-xla-kernels-*.mlir")
    assert str(reproducer) in run.stderr


def test_no_room_for_a_file(folder, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(folder / "missing"))
    with pytest.raises(InternalCompilerError, match="'scf.for' op cannot be computed") as caught:
        compile_stage(LOOP, "cpu", "linalg")
    assert caught.value.reproducer is None and caught.value.command is None


@pytest.mark.parametrize(
    "text", ["func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }", NO_SCALAR_FORM]
)
def test_errors_of_programs(folder, text):
    with pytest.raises((ir.MLIRError, mlir_xla.XlaError)) as caught:
        mlir_xla.compile(text)
    assert not isinstance(caught.value, InternalCompilerError) and "internal" not in str(caught.value)
    assert not list(folder.iterdir())


def test_unknown_stage():
    with pytest.raises(mlir_xla.XlaError, match="unknown stage 'loop' of the target 'cpu'; its .*'loops'"):
        compile_stage(LOOP, "cpu", "loop")
    with pytest.raises(mlir_xla.XlaError, match="unknown stage 'linalg' of the target 'reference'; it has no stages"):
        compile_stage(LOOP, "reference", "linalg")
