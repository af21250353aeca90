# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folders stand in the order of the data: none includes a later one."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# From a program's meaning to its run. Folders of one line know nothing of each other.
ORDER = [
    ["runtime"],
    ["runtime/core"],
    ["runtime/cpu", "runtime/cuda"],
    ["runtime/library"],
    ["runtime/library/*"],
    ["runtime/cuda/device"],
    ["dialect"],
    ["dialect/ops/*"],
    ["dialect/stablehlo"],
    ["lowering"],
    ["lowering/xla_rt"],
    ["lowering/legalize"],
    ["lowering/linalg"],
    ["lowering/nest"],
    ["lowering/kernels"],
    ["lowering/schedule", "lowering/math"],
    ["lowering/cpu"],
    ["lowering/native"],
    ["lowering/gpu"],
    ["compiler"],
    ["python/bindings", "tools", "test"],
]
RANK = {folder: rank for rank, line in enumerate(ORDER) for folder in line}


def place(folder: str) -> str:
    return re.sub(r"^(dialect/ops|runtime/library)/\w+$", r"\1/*", folder)


def sources():
    for top in ("runtime", "dialect", "lowering", "compiler"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in (".h", ".cpp", ".c", ".td"):
                yield path


def included(path: Path):
    for line, text in enumerate(path.read_text().splitlines(), 1):
        if found := re.match(r'\s*#?include "mlir_xla/([^"]+)"', text):
            yield line, str(Path(found[1]).parent)


def test_every_folder_has_a_place():
    assert {place(str(path.parent.relative_to(ROOT))) for path in sources()} <= set(RANK)


def test_no_folder_includes_a_later_one():
    wrong = []
    for path in sources():
        own = str(path.parent.relative_to(ROOT))
        for line, other in included(path):
            later = RANK[place(other)] > RANK[place(own)]
            beside = RANK[place(other)] == RANK[place(own)] and place(other) != place(own)
            if later or beside:
                wrong.append(f"{path.relative_to(ROOT)}:{line} includes {other}")
    # The lists of all families, and the dialect's registration.
    lists = ("dialect/XlaOps.h", "dialect/XlaOps.td", "dialect/XlaDialect.cpp")
    assert [text for text in wrong if not text.startswith(lists)] == []


def test_the_check_finds_something():
    assert sum(1 for path in sources() for _ in included(path)) > 200
