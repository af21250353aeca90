# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of operations, read from the sources: what each layer says about every op of the dialect."""

from __future__ import annotations

import ast
import pathlib
import re
from dataclasses import dataclass, field

FAMILIES = (
    "elementwise",
    "shape",
    "indexing",
    "reduction",
    "linear",
    "control",
    "normalization",
    "sort",
    "fft",
    "solve",
    "random",
)
# Modules of the builder beside the one that has the family's name.
MORE_MODULES = {"comparisons": "elementwise"}
# Passes before the `linalg` stage that leave nothing of an op.
REWRITES = (
    "DecomposeComposites.cpp",
    "FlattenTuples.cpp",
    "InlineCalls.cpp",
    "RaggedDotPatterns.cpp",
    "RandomPatterns.cpp",
)


# Functions of the builder that keep Python values, of which ops are made only where something needs one.
VALUES = {"Tuple": "tuple", "GetTupleElement": "get_tuple_element"}
# Functions that make no op of the dialect.
OTHERS = {"Call": "`func.call`", "Parameter": "an argument"}


@dataclass
class Operation:
    name: str
    family: str
    class_name: str
    lowering: str = "–"
    in_reference: bool = False
    builders: list[str] = field(default_factory=list)


def operations(root: pathlib.Path) -> list[Operation]:
    """Every op of the dialect, by family, in the order of definition."""
    found = []
    for family in FAMILIES:
        text = (root / "dialect/ops" / family / f"{family.capitalize()}Ops.td").read_text()
        for class_name, name in re.findall(r'def Xla_(\w+Op)\s*:\s*Xla_\w+<\s*"(\w+)"', text):
            found.append(Operation(name, family, class_name))
    _fill_lowering(root, found)
    _fill_reference(root, found)
    _fill_builders(root, found)
    return found


def markdown(root: pathlib.Path) -> str:
    """The table, one row per op, and one per function of the builder that is made of others."""
    lines = ["| `xla.` | family | compiled | reference | builder |", "|---|---|---|---|---|"]
    for op in operations(root):
        builders = ", ".join(f"`{name}`" for name in op.builders) or "–"
        reference = "yes" if op.in_reference else "–"
        lines.append(f"| `{op.name}` | {op.family} | {op.lowering} | {reference} | {builders} |")
    lines += [f"| – | {family} | as {what} | as {what} | `{name}` |" for name, family, what in shorthands(root)]
    return "\n".join(lines) + "\n"


def modules(root: pathlib.Path) -> dict[pathlib.Path, str]:
    """The modules of the builder's functions, with their families."""
    families = {**{family: family for family in FAMILIES}, **MORE_MODULES}
    return {root / "python/mlir_xla/ops" / f"{name}.py": family for name, family in families.items()}


def shorthands(root: pathlib.Path) -> list[tuple[str, str, str]]:
    """The functions of the builder that have no op of their own: name, family, and what they are made of."""
    listed = {name for op in operations(root) for name in op.builders}
    _, calls, public = _builder_functions(root, set())
    found = []
    for name, family in public.items():
        if name not in listed:
            others = " and ".join(f"`{each}`" for each in sorted(calls[name] & set(public)))
            found.append((name, family, OTHERS.get(name) or others))
    return found


def _fill_lowering(root: pathlib.Path, ops: list[Operation]) -> None:
    linalg = "\n".join(path.read_text() for path in sorted((root / "lowering" / "linalg").glob("*.cpp")))
    rewrites = "\n".join((root / "lowering" / "legalize" / name).read_text() for name in REWRITES)
    for op in ops:
        # Upstream dialects have classes of the same names; elementwise ops are rows of a table of scalar forms.
        named = rf"(?<!math::)(?<!arith::)(?<!complex::)\b{op.class_name}\b"
        if re.search(named, linalg) or re.search(rf'{{"{op.name}",', linalg):
            op.lowering = "yes"
        elif re.search(named, rewrites):
            op.lowering = "rewritten"


def _fill_reference(root: pathlib.Path, ops: list[Operation]) -> None:
    known = {"custom_call", "return"}  # the interpreter itself
    for path in (root / "python" / "mlir_xla" / "reference").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            target = node.target if isinstance(node, ast.AnnAssign) else None
            if isinstance(target, ast.Name) and target.id in ("OPS", "REGION_OPS") and isinstance(node.value, ast.Dict):
                known |= {key.value for key in node.value.keys if isinstance(key, ast.Constant)}
    for op in ops:
        op.in_reference = op.name in known


def _builder_functions(
    root: pathlib.Path, names: set[str]
) -> tuple[dict[str, set[str]], dict[str, set[str]], dict[str, str]]:
    """What each function makes of the ops of these names, and what it calls; and the public ones with their family."""
    makes: dict[str, set[str]] = {}
    calls: dict[str, set[str]] = {}
    public: dict[str, str] = {}
    for path in [*modules(root), root / "python/mlir_xla/builder/_builder.py"]:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef) or node.name == "emit":
                continue
            strings = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
            makes.setdefault(node.name, set()).update({s.removeprefix("xla.") for s in strings} & names)
            for call in (n.func for n in ast.walk(node) if isinstance(n, ast.Call)):
                name = call.id if isinstance(call, ast.Name) else getattr(call, "attr", "")
                calls.setdefault(node.name, set()).add(name)
            if path.parent.name == "ops" and node.name[0].isupper():
                public.setdefault(node.name, modules(root)[path])
    return makes, calls, public


def _fill_builders(root: pathlib.Path, ops: list[Operation]) -> None:
    """A public function of `ops` makes the ops that it, or a helper that it calls, names in a string."""
    makes, calls, public = _builder_functions(root, {op.name for op in ops})

    def made_by(function: str, seen: frozenset[str] = frozenset()) -> set[str]:
        made = set(makes.get(function, ()))
        for callee in calls.get(function, set()) - seen:
            if callee in makes and not callee[0].isupper():
                made |= made_by(callee, seen | {function})
        return made

    # A function that calls another of them is sugar for it, unless it names the op itself.
    sugar = {name for name in public if calls.get(name, set()) & set(public)}
    for op in ops:
        op.builders = [name for name in public if op.name in (makes[name] if name in sugar else made_by(name))]
        op.builders += [name for name, made in VALUES.items() if made == op.name]
