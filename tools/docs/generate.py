#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated documentation.

generate.py BUILD        writes BUILD/docs: the hand-written pages, dialect.md and passes.md (from the .td files), and
                         a page for each family of operations
generate.py --check      fails if a table in README.md or the list in docs/operations.md is stale or incomplete
generate.py --write      brings both up to date

They are read from the sources, so neither `--check` nor `--write` needs a build.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import constraints
import families
import op_table
import stages

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
OPERATIONS = ROOT / "docs" / "operations.md"
MARK = "<!-- {}: tools/docs/generate.py --write -->\n"
END = "<!-- end of {} -->"
CONSTRAINT = re.compile(r"\b(?:[A-Z][A-Za-z0-9]*)-[CN]\d+\b")


def check() -> list[str]:
    """What is stale, in words; empty if nothing is."""
    problems = [
        f"{path.relative_to(ROOT)} is stale; run tools/docs/generate.py --write"
        for path, text in _current().items()
        if text != path.read_text()
    ]
    documented = set(CONSTRAINT.findall(OPERATIONS.read_text()))
    for identifier, where in sorted(_reported_constraints().items()):
        if identifier not in documented:
            problems.append(f"docs/operations.md does not explain {identifier}, which {where} reports")
    return problems


def _current() -> dict[pathlib.Path, str]:
    """The committed pages with generated parts, as they should be."""
    parts = [
        (README, "stages", stages.markdown(ROOT)),
        (README, "op table", op_table.markdown(ROOT)),
        (OPERATIONS, "constraints", constraints.markdown(ROOT)),
    ]
    pages: dict[pathlib.Path, str] = {}
    for path, name, part in parts:
        head, rest = pages.get(path, path.read_text()).split(MARK.format(name))
        _, tail = rest.split(END.format(name))
        pages[path] = head + MARK.format(name) + part + END.format(name) + tail
    return pages


def _reported_constraints() -> dict[str, str]:
    """Every constraint that a source names in a string, with the file that does."""
    found: dict[str, str] = {}
    sources = [*ROOT.glob("dialect/**/*.cpp"), *ROOT.glob("dialect/**/*.h"), *ROOT.glob("lowering/**/*.cpp")]
    sources += ROOT.glob("python/mlir_xla/**/*.py")
    for path in sources:
        for string in re.findall(r'"[^"\n]*"', path.read_text()):
            for identifier in CONSTRAINT.findall(string):
                found.setdefault(identifier, str(path.relative_to(ROOT)))
    return found


def generate(build: pathlib.Path) -> pathlib.Path:
    """Writes BUILD/docs and returns the folder."""
    out = build / "docs"
    shutil.copytree(ROOT / "docs", out, dirs_exist_ok=True)
    dialect = _tblgen(build, "dialect/XlaOps.td", "-gen-dialect-doc", "-dialect=xla")
    (out / "dialect.md").write_text(dialect)
    for family, text in families.pages(ROOT, dialect).items():
        (out / f"{family}.md").write_text(text)
    pages = [
        "# Passes\n\n"
        "In the order of the stages; a pipeline `--xla-to-<stage>` runs all of them up to a stage. Before any\n"
        "other comes `-xla-import-stablehlo` (`dialect/stablehlo/`), which makes `xla` of StableHLO in generic form.\n"
    ]
    folders = re.search(r"foreach\(folder ([^)]*)\)", (ROOT / "lowering" / "CMakeLists.txt").read_text())
    assert folders, "lowering/CMakeLists.txt lists no folders"
    for path in (ROOT / "lowering" / folder / "Passes.td" for folder in folders[1].split()):
        if not path.exists():
            continue
        pages.append(f"## `lowering/{path.parent.name}/`\n")
        pages.append(_tblgen(build, str(path.relative_to(ROOT)), "-gen-pass-doc"))
    (out / "passes.md").write_text("\n".join(pages))
    return out


def _tblgen(build: pathlib.Path, td: str, *arguments: str) -> str:
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE))
    mlir = pathlib.Path(cache["MLIR_DIR"]).parents[2]
    command = [mlir / "bin" / "mlir-tblgen", *arguments, f"-I{build}/include", f"-I{mlir}/include", ROOT / td]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path, help="a configured build folder")
    parser.add_argument("--check", action="store_true", help="only say whether what is committed is up to date")
    parser.add_argument("--write", action="store_true", help="update them")
    settings = parser.parse_args()
    if not (settings.build or settings.check or settings.write):
        parser.error("nothing to do: give BUILD, --check or --write")
    if settings.build and not (settings.build / "CMakeCache.txt").exists():
        parser.error(f"{settings.build} is no configured build folder")
    if settings.write:
        for path, text in _current().items():
            path.write_text(text)
    if settings.check:
        problems = check()
        print("\n".join(problems) or "up to date", file=sys.stderr if problems else sys.stdout)
        return bool(problems)
    if settings.build:
        print(f"wrote {generate(settings.build.resolve())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
