# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the vectors of the operation contracts (test/vectors/*.json) and checks them.

The notation of the entries is explained in test/vectors/README.md.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from comparison import difference

import mlir_xla

DATA = Path(__file__).resolve().parents[2] / "vectors"
TARGETS = os.environ.get("MLIR_XLA_TEST_TARGETS", "reference,cpu,cuda-emulated").split(",")

# notation -> (MLIR element type, NumPy dtype)
ELEMENTS: dict[str, tuple[str, Any]] = {
    "pred": ("i1", np.bool_),
    "bf16": ("bf16", ml_dtypes.bfloat16),
    "f16": ("f16", np.float16),
    "f32": ("f32", np.float32),
    "f64": ("f64", np.float64),
    "c64": ("complex<f32>", np.complex64),
    "c128": ("complex<f64>", np.complex128),
}
for _bits in (2, 4, 8, 16, 32, 64):
    for _letter, _mlir, _numpy in (("s", "i", "int"), ("u", "ui", "uint")):
        _owner = ml_dtypes if _bits < 8 else np
        ELEMENTS[f"{_letter}{_bits}"] = (f"{_mlir}{_bits}", getattr(_owner, f"{_numpy}{_bits}"))

_HEAD = re.compile(r"(\w+)\[([\d,]*)\]\s*(.*)", re.DOTALL)
_COMPLEX = re.compile(r"(-?(?:inf|nan|[\d.]+(?:e[-+]?\d+)?))([-+](?:inf|nan|[\d.]+(?:e[-+]?\d+)?))i")


def load(family: str) -> list[dict[str, Any]]:
    """All entries of one file."""
    return json.loads((DATA / f"{family}.json").read_text())


def accepted(family: str) -> list[Any]:
    """The entries that describe results, as parameters of a test."""
    return [
        pytest.param(v, id=v["id"]) for v in load(family) if "results" in v or "alternatives" in v if not _rejects(v)
    ]


def rejected(family: str) -> list[Any]:
    """The entries that must be refused, as parameters of a test."""
    return [pytest.param(v, id=v["id"]) for v in load(family) if _rejects(v)]


def _rejects(vector: dict[str, Any]) -> bool:
    return "rejects" in vector or "message" in vector


def mlir_type(value: str) -> str:
    """``f32[2,3]{...}`` -> ``tensor<2x3xf32>``."""
    element, dims, _ = _split(value)
    return f"tensor<{''.join(f'{d}x' for d in dims)}{ELEMENTS[element][0]}>"


def array(value: str) -> np.ndarray:
    """``f32[2]{1,2}`` as a NumPy array."""
    element, dims, body = _split(value)
    dtype = np.dtype(ELEMENTS[element][1])
    if body == "iota":
        return np.arange(int(np.prod(dims))).astype(dtype).reshape(dims)
    if body.startswith("splat"):
        return np.full(dims, _number(body.removeprefix("splat").strip(), dtype))
    elements = [_number(item, dtype) for item in re.findall(r"[^{},\s]+", body)]
    return np.array(elements, dtype).reshape(dims)


def _split(value: str) -> tuple[str, tuple[int, ...], str]:
    match = _HEAD.fullmatch(value.strip())
    assert match, f"'{value}' is not a value"
    return match[1], tuple(int(d) for d in match[2].split(",") if d), match[3]


def _number(text: str, dtype: np.dtype) -> Any:
    if text in ("true", "false"):
        return dtype.type(text == "true")
    if text.startswith("0x"):
        return np.array(int(text, 16), f"u{dtype.itemsize}").view(dtype)[()]
    if match := _COMPLEX.fullmatch(text):
        return dtype.type(complex(float(match[1]), float(match[2])))
    return dtype.type(float(text)) if dtype.kind in "fcV" and "int" not in dtype.name else dtype.type(int(text))


def _attribute(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value} : i64"
    if isinstance(value, list):
        return f"array<i64: {', '.join(map(str, value))}>" if value else "array<i64>"
    return str(value)


def _region(region: Any) -> str:
    if isinstance(region, list):
        return "\n".join(region)
    op, element = region.split()
    t = f"tensor<{ELEMENTS[element][0]}>"
    return f'^bb0(%a: {t}, %b: {t}):\n%c = "xla.{op}"(%a, %b) : ({t}, {t}) -> {t}\n"xla.return"(%c) : ({t}) -> ()'


def program(vector: dict[str, Any]) -> str:
    """The module of an entry: its text, or its op applied once to the arguments, in generic form."""
    if "text" in vector:
        return "\n".join(vector["text"])
    operands = [mlir_type(v) for v in vector["operands"]]
    expected = vector["results"] if "results" in vector else vector["alternatives"][0]
    results = [mlir_type(v) for v in expected]
    names = [f"%arg{i}" for i in range(len(operands))]
    parameters = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, operands, strict=True))
    attributes = ", ".join(f"{key} = {_attribute(value)}" for key, value in vector.get("attributes", {}).items())
    regions = ", ".join(f"{{\n{_region(region)}\n}}" for region in vector.get("regions", []))
    count = len(results)
    result, values = ("%r", ["%r"]) if count == 1 else (f"%r:{count}", [f"%r#{i}" for i in range(count)])
    op = f'"xla.{vector["op"]}"({", ".join(names)}) {f"({regions})" if regions else ""} {{{attributes}}}'
    return f"""func.func @main({parameters}) -> ({", ".join(results)}) {{
  {result} = {op} : ({", ".join(operands)}) -> ({", ".join(results)})
  return {", ".join(values)} : {", ".join(results)}
}}"""


def evaluate(text: str, arrays: list[np.ndarray], target: str) -> list[np.ndarray]:
    """Compiles ``text`` for ``target`` and runs it; the results as a list."""
    results = mlir_xla.compile(text, target=target)(*arrays)
    return list(results) if isinstance(results, (tuple, list)) else [results]


def check_accepted(vector: dict[str, Any], target: str) -> None:
    """Runs an entry and compares the results with the expected ones."""
    if target not in vector.get("targets", [target]):
        pytest.skip(f"not for {target}")
    actual = evaluate(program(vector), [array(v) for v in vector.get("operands", [])], target)
    alternatives = vector.get("alternatives") or [vector["results"]]
    complaints = [_difference(actual, [array(v) for v in expected], vector) for expected in alternatives]
    assert None in complaints, f"{vector['id']} on {target}: {complaints[0]}\n{program(vector)}"


def _difference(actual: list[np.ndarray], expected: list[np.ndarray], vector: dict[str, Any]) -> str | None:
    if len(actual) != len(expected):
        return f"{len(actual)} results, expected {len(expected)}"
    for i, (have, want) in enumerate(zip(actual, expected, strict=True)):
        found = difference(have, want) if "rtol" not in vector else _far(np.asarray(have), want, vector)
        if found:
            return f"result {i} is\n{have}, expected\n{want}: {found}"
    return None


def _far(have: np.ndarray, want: np.ndarray, vector: dict[str, Any]) -> str | None:
    if have.dtype.kind == want.dtype.kind == "c":  # as pairs of real numbers
        have, want = (np.stack([x.real, x.imag], -1) for x in (have, want))
    sizes = np.abs(np.where(np.isfinite(want), want, 0).astype(np.float64))
    return difference(have, want, vector.get("atol", 0.0) + vector["rtol"] * sizes)


def check_rejected(vector: dict[str, Any]) -> None:
    """Parses an entry, which must fail with an error that names the constraint."""
    with mlir_xla.ir.Context(), pytest.raises(mlir_xla.ir.MLIRError) as error:
        mlir_xla.parse(program(vector))
    message = str(error.value)
    if "message" in vector:
        assert vector["message"] in message
        return
    wanted = [f"[{identifier}]" for identifier in vector["rejects"].split("|")]
    assert any(identifier in message for identifier in wanted), f"{' or '.join(wanted)} is not in the error:\n{message}"
