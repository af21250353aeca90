# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The type stubs of the extension: a program with types passes mypy, and every public class is in them."""

import subprocess
import sys
from pathlib import Path

import pytest

import mlir_xla
from mlir_xla import ir

PROGRAM = Path(__file__).with_name("stub_program.py")
STUBS = Path(mlir_xla.__file__).parent / "_mlir_libs" / "_mlir"


def test_a_typed_program(tmp_path):
    pytest.importorskip("mypy")
    config = tmp_path / "mypy.ini"
    config.write_text(
        f"[mypy]\nstrict = true\nfollow_imports = silent\nmypy_path = {Path(mlir_xla.__file__).parents[1]}\n"
        f"cache_dir = {tmp_path}\n"
    )
    # It can fail: the stubs are what mypy looks at.
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from mlir_xla import ir\nx: int = ir.Module.create()\nir.Module.nonsense\n")
    command = [sys.executable, "-m", "mypy", "--config-file", config, PROGRAM, wrong]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert "Incompatible types in assignment" in result.stdout and 'has no attribute "nonsense"' in result.stdout
    assert PROGRAM.name not in result.stdout and "Found 2 errors in 1 file" in result.stdout, result.stdout


def test_the_program_runs():
    result = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "func.return" in result.stdout


def test_every_class_has_a_stub():
    text = (STUBS / "ir.pyi").read_text()
    from mlir_xla._mlir_libs._mlir import ir as native

    classes = [name for name, value in vars(native).items() if isinstance(value, type) and value is not ir.MLIRError]
    missing = [name for name in classes if f"class {name}" not in text]
    assert len(classes) > 100 and not missing
