# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What README.md shows runs, and says what comes out; what it and the other pages name exists."""

import json
import math
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("*/README.md")]
FILES = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")


def shown_commands() -> list[str]:
    """The commands of tools on files of the project."""
    blocks = (block for page in PAGES for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL))
    lines = (line.split("  #")[0].strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if re.match(r"xla-(opt|run) .*\b(examples|test)/", line)]


def spans(page: pathlib.Path) -> list[str]:
    """What is in backquotes, outside of blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL))


def test_python_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "0.995" in done.stdout  # tanh(3)
    assert "20.08" in done.stdout  # exp(3)
    assert "['xla', 'legal', 'linalg', 'kernels', 'loops', 'llvm', 'binary']" in done.stdout


@pytest.mark.parametrize("command", shown_commands())
def test_commands_run(command: str) -> None:
    tools = pathlib.Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    # A program of assertions that hold says nothing.
    assert bool(done.stdout) != ("test/run/" in command)


def test_commands_are_found() -> None:
    assert "xla-opt --to=kernels examples/softmax.mlir" in shown_commands() and len(shown_commands()) >= 4


@pytest.mark.parametrize(
    ("example", "shows"),
    [
        ("quickstart.py", "stages: xla > legal > linalg"),
        ("run_stablehlo.py", "the reference interpreter agrees"),
        ("stages.py", "07-binary.s"),
        ("newton.py", "largest error: "),
        ("digits/train.py --model=mlp --epochs=1", "new digits in"),
        ("digits/train.py --model=cnn --epochs=0", "new digits in"),
    ],
)
def test_examples_run(example: str, shows: str, tmp_path: pathlib.Path) -> None:
    file, *arguments = example.split()
    assert f"`{file}`" in (ROOT / "examples" / "README.md").read_text()
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, str(ROOT / "examples" / file), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and shows in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("wrong", ["--epochs=-1", "--seed=-1", "--target=abacus", "--model=rnn"])
def test_wrong_arguments_of_the_demo(wrong: str) -> None:
    command = [sys.executable, str(ROOT / "examples" / "digits" / "train.py"), wrong]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2 and f"error: argument {wrong.split('=')[0]}: invalid" in done.stderr


def test_figures_are_those_of_the_results() -> None:
    results = json.loads(max((ROOT / "benchmarks" / "results").glob("*.json")).read_text())
    text = " ".join((ROOT / "README.md").read_text().split())
    means = results["geometric_means"]["all"]
    torch = [p["run"]["others"]["torch"]["ratio"] for p in results["programs"] if "torch" in p["run"].get("others", {})]
    assert f"compares {means['programs']} programs" in text
    assert f"geometric means {means['run']:.1f}x in run time and {means['compile']:.1f}x in compile time" in text
    mean = math.exp(sum(map(math.log, torch)) / len(torch))
    assert f"{mean:.1f}x the speed of PyTorch for the {len(torch)} that have a form there" in text


def test_files_that_are_named_exist() -> None:
    """Paths from the project's root or the end of one; patterns and what `make docs` writes are something else."""
    known = [f"/{file}" for file in FILES]
    for page in PAGES:
        for name in spans(page):
            if not re.fullmatch(r"[\w./-]+/[\w.-]*\.(cpp|h|c|td|py|md|sh|mlir|txt)|(\w+/)+", name):
                continue
            where = f"{page.relative_to(ROOT)} names {name}"
            if name.startswith(("src/", "mlir/", "_mlir_libs/")):  # of ducc0, of LLVM, of the package that is built
                continue
            found = any(f"/{name}" in file if name.endswith("/") else file.endswith(f"/{name}") for file in known)
            assert found, f"{where}, which does not exist"


@pytest.mark.parametrize(
    ("page", "folder", "families"),
    [("python.md", "python/mlir_xla", False), ("reference.md", "python/mlir_xla/reference", True)],
)
def test_lists_of_modules_are_complete(page: str, folder: str, families: bool) -> None:
    text = (ROOT / "docs" / "design" / page).read_text()
    for path in sorted((ROOT / folder).glob("*.py")):
        is_family = families and (ROOT / "dialect" / "ops" / path.stem).is_dir()
        assert is_family or path.name == "__init__.py" or path.name in text, f"{page} does not name {path.name}"


def test_flags_that_are_named_exist() -> None:
    declared = set(
        re.findall(r'"(xla-[\w-]+)"', "".join((ROOT / f).read_text() for f in FILES if f.endswith((".td", ".cpp"))))
    )
    stages = {f"xla-to-{stage}" for stage in ("legal", "linalg", "kernels", "loops", "llvm")}
    for page in PAGES:
        for flag in re.findall(r"--(xla-[a-z][\w-]*)", page.read_text()):
            if flag != "xla-foo-bar":
                assert flag in declared | stages, f"{page.relative_to(ROOT)} names --{flag}, which does not exist"


def test_environment_variables_are_explained() -> None:
    """docs/environment.md and the emulator's page have a row for every variable that is read, and for no other."""
    read: set[str] = set()
    for file in FILES:
        if file.endswith((".cpp", ".h", ".c", ".py")) and "/test/" not in f"/{file}" and file != "test/lit.cfg.py":
            read |= set(re.findall(r'"((?:XLA_RT|MLIR_XLA|CUDA_EMU)_[A-Z_]+)"', (ROOT / file).read_text()))
    pages = (ROOT / "docs" / "environment.md").read_text() + (ROOT / "emulator" / "README.md").read_text()
    rows = re.findall(r"^\| (`[^|]*`) \|", pages, re.MULTILINE)
    explained = {name for row in rows for name in re.findall(r"(?:XLA_RT|MLIR_XLA|CUDA_EMU)_\w+", row)}
    assert read | {"MLIR_XLA_TEST_TARGETS"} == explained


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.relative_to(ROOT)} links to {link}, which does not exist"
