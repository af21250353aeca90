# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of stages, from the sources of the backends."""

from __future__ import annotations

import pathlib
import re

_STAGE = re.compile(r'constexpr Stage (k\w+)\{\s*"(\w+)",\s*"([^"]+)"')
_NAME = re.compile(r'StringRef name\(\) const override \{ return "(\w+)"; \}')
_LIST = re.compile(r"constexpr Stage kStages\[\] = \{([^}]*)\}")


def markdown(root: pathlib.Path) -> str:
    """The stages in the order of compilation, with the targets that have them if there are several."""
    backends = stages(root)
    rows: dict[tuple[str, str], list[str]] = {}
    for backend, its in backends.items():
        for stage in its:
            rows.setdefault(stage, []).append(backend)
    several = len(backends) > 1
    lines = [f"| stage |{' targets |' if several else ''} what the program is then |"]
    lines.append(f"|---|{'---|' if several else ''}---|")
    for (name, sentence), having in rows.items():
        targets = ", ".join(f"`{backend}`" for backend in having) if len(having) < len(backends) else "all"
        lines.append(f"| `{name}` |{f' {targets} |' if several else ''} {sentence} |")
    return "\n".join(lines) + "\n"


def stages(root: pathlib.Path) -> dict[str, list[tuple[str, str]]]:
    """For each backend the names of its stages and what the program is in them."""
    texts = {path: path.read_text() for path in sorted((root / "compiler").glob("*Backend.cpp"))}
    shared = (root / "compiler" / "Backend.h").read_text()
    found = {}
    for text in texts.values():
        if not (name := _NAME.search(text)):
            continue
        known = {constant: (stage, sentence) for constant, stage, sentence in _STAGE.findall(shared + text)}
        listed = _LIST.search(text)
        assert listed, f"the backend {name[1]} has no list kStages"
        found[name[1]] = [known[constant.strip()] for constant in listed[1].split(",")]
    assert found, "no backend was found"
    return found
