# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The type stubs: programs with types pass mypy, wrong ones do not; what a module has at run time is in its stub."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mlir_xla

PROGRAMS = [Path(__file__).with_name(name) for name in ("stub_program.py", "stub_dialects.py")]
PACKAGE = Path(mlir_xla.__file__).parent
STUBS = PACKAGE / "_mlir_libs" / "_mlir"
DIALECTS = sorted(path for path in PACKAGE.joinpath("dialects").rglob("*.py") if path.with_suffix(".pyi").exists())

WRONG = """\
from mlir_xla.dialects import arith, linalg, scf, xla
from mlir_xla.ir import *

def wrong(value: Value[RankedTensorType]) -> None:
    x: int = Module.create()
    Module.nonsense
    scf.IfOp(value, has_els=True)
    arith.constant(value, 1)
    xla.add(value, 1)
    xla.TanhOp(value).results_
    linalg.matmul(value, value)
    value.type.width
"""


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Runs mypy with the given arguments and returns what it prints."""
    folder = tmp_path_factory.mktemp("mypy")
    config = folder / "mypy.ini"
    config.write_text(f"[mypy]\nfollow_imports = silent\nmypy_path = {PACKAGE.parent}\ncache_dir = {folder}\n")

    def run(*arguments) -> str:
        command = [sys.executable, "-m", "mypy", "--config-file", config, *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=folder).stdout

    return run


def test_programs_with_types(mypy):
    assert mypy(*PROGRAMS) == "Success: no issues found in 2 source files\n"


def test_wrong_lines_are_found(mypy, tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    output = mypy(path)
    found = {int(line.split(":")[1]) for line in output.splitlines() if ": error: " in line}
    assert found == set(range(5, WRONG.count("\n") + 1)), output
    for text in ('has no attribute "nonsense"', '"TanhOp" has no attribute "results_"', '"outs"'):
        assert text in output


def test_no_error_in_the_stubs(mypy):
    output = mypy("-p", "mlir_xla.dialects", "-p", "mlir_xla._mlir_libs")
    # Upstream's sources that have no stub, OpDSL's and `_mlir_libs/__init__.py`, have types that do not hold.
    assert "checked" in output and not re.findall(r"^.*\.pyi:\d+: error:.*", output, re.MULTILINE)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_the_program_runs(program):
    result = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "func.return" in result.stdout


def test_every_class_has_a_stub():
    text = (STUBS / "ir.pyi").read_text()
    from mlir_xla._mlir_libs._mlir import ir as native

    classes = {name for name, value in vars(native).items() if isinstance(value, type)} - {"_Context"}
    missing = [name for name in classes if f"class {name}" not in text]
    assert len(classes) > 100 and not missing


def bound_names(stub: ast.Module) -> set[str]:
    names = set()
    for node in stub.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        else:
            names |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names


@pytest.mark.parametrize("path", DIALECTS, ids=lambda path: path.stem)
def test_what_a_dialect_module_has_is_in_its_stub(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
    public = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and re.fullmatch(r"mlir_xla\.dialects\.\w+", str(getattr(value, "__module__", None)))
    }
    assert public <= bound_names(ast.parse(path.with_suffix(".pyi").read_text()))
