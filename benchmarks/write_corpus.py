# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes programs as files: StableHLO text, inputs and JAX's results, as test material.

    python benchmarks/write_corpus.py OUT [--large | --harnesses] [--filter WORD] [--every N]

For each program `NAME.mlir` (as JAX prints it), `generic/NAME.mlir` (generic form), `NAME.in.npz` (arg0, arg1, ...),
`NAME.out.npz` (out0, ...) and `NAME.json` (dtypes and tolerances; NumPy cannot store the names of bf16 and the like).
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys

import numpy as np
from harnesses import harness_programs
from op_cases import op_cases
from program import Program
from programs import PROGRAMS
from small_programs import small_programs
from text_cases import TEXT_CASES, run_text, text_specs


def save(path: pathlib.Path, stem: str, arrays: list[np.ndarray]) -> list[str]:
    """Writes `arrays` as stem0, stem1, ... (bf16 and the like as their bits) and returns their dtype names."""
    plain = [each if each.dtype.isbuiltin == 1 else each.view(f"u{each.itemsize}") for each in arrays]
    np.savez(path, **{f"{stem}{index}": each for index, each in enumerate(plain)})
    return [str(each.dtype) for each in arrays]


def load(path: pathlib.Path, stem: str, dtypes: list[str]) -> list[np.ndarray]:
    """The arrays that `save` wrote, with their own dtypes."""
    import ml_dtypes

    with np.load(path) as file:
        found = [file[f"{stem}{index}"] for index in range(len(dtypes))]
    return [each.view(getattr(ml_dtypes, name, name)) for each, name in zip(found, dtypes, strict=True)]


def write(program: Program, folder: pathlib.Path) -> None:
    """Writes one program."""
    arguments = program.arguments()
    text = TEXT_CASES.get(program.name.removeprefix("text_"))
    if text:
        # XLA does not read resources; the values are those of the resource in the text.
        results = run_text(text.replace("dense_resource<weights>", "dense<[1.0, 2.0, 3.0, 4.0]>"), arguments)
    else:
        results = program.expected(arguments)
        (folder / "generic" / f"{program.name}.mlir").write_text(program.export(generic=True))
    (folder / f"{program.name}.mlir").write_text(text or program.export())
    about = {
        "family": program.family,
        "args": save(folder / f"{program.name}.in.npz", "arg", arguments),
        "outs": save(folder / f"{program.name}.out.npz", "out", results),
        "rtol": program.rtol,
        "atol": program.atol,
        "mismatch": program.mismatch,
    }
    (folder / f"{program.name}.json").write_text(json.dumps(about, indent=1) + "\n")


def text_programs() -> dict[str, Program]:
    """The hand-written programs; their function is never called."""
    return {
        f"text_{name}": Program(
            f"text_{name}", "text", lambda *_: None, text_specs(text), rtol=2e-2 if "bf16" in text else 1e-4
        )
        for name, text in TEXT_CASES.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--large", action="store_true", help="the measured programs at full size instead")
    parser.add_argument("--harnesses", action="store_true", help="JAX's own test cases of its primitives instead")
    parser.add_argument("--filter", default="", help="only programs whose name holds this")
    parser.add_argument("--every", type=int, default=1, help="only every Nth of them, always the same")
    arguments = parser.parse_args()
    (arguments.out / "generic").mkdir(parents=True, exist_ok=True)
    failed = 0
    if arguments.harnesses:
        chosen = list(harness_programs(arguments.filter, arguments.every))
    else:
        programs = PROGRAMS if arguments.large else op_cases() | small_programs() | text_programs()
        chosen = [each for each in programs.values() if arguments.filter in each.name][:: arguments.every]
    for program in chosen:
        try:
            write(program, arguments.out)
        except Exception as error:  # noqa: BLE001  the others are still wanted
            failed += 1
            print(f"{program.name}: {type(error).__name__}: {str(error)[:400]}")
    print(f"{len(chosen) - failed} programs in {arguments.out}, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
