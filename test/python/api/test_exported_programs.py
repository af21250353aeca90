# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs that JAX exports (`test/programs/exported`), on every target, against XLA's results as
`test/programs/export.py` has stored them."""

from pathlib import Path

import exported_data
import numpy as np
import pytest
from api_programs import ALL_TARGETS

import mlir_xla

FOLDER = Path(__file__).resolve().parents[2] / "programs" / "exported"
NAMES = sorted(path.stem for path in FOLDER.glob("*.mlir"))


def results(name, target, inputs):
    found = mlir_xla.compile(FOLDER / f"{name}.mlir", target=target)(*exported_data.drawn(name, inputs))
    return [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("target", ALL_TARGETS)
@pytest.mark.parametrize("name", NAMES)
def test_program(name, target):
    about = exported_data.load(FOLDER / f"{name}.json")
    problem = exported_data.disagreement(results(name, target, about["inputs"]), about)
    assert not problem, problem


@pytest.mark.parametrize("wrong", ["one element", "another type", "a missing result"])
def test_a_wrong_result_is_found(wrong):
    name = "lstm"
    about = exported_data.load(FOLDER / f"{name}.json")
    found = results(name, "reference", about["inputs"])
    assert exported_data.disagreement(found, about) is None
    largest = max(range(len(found)), key=lambda i: found[i].size)
    if wrong == "one element":
        places = np.random.RandomState(0).choice(found[largest].size, 20, replace=False)
        for place in places:
            changed = found[largest].copy()
            changed.reshape(-1)[place] += 0.01 * np.abs(changed).max()
            problem = exported_data.disagreement([*found[:largest], changed, *found[largest + 1 :]], about)
            assert problem and f"result {largest}" in problem
        return
    found[largest:] = [found[largest].astype(np.float64), *found[largest + 1 :]] if wrong == "another type" else []
    problem = exported_data.disagreement(found, about)
    assert problem and "instead of" in problem


def test_there_is_a_result_for_every_program():
    assert len(NAMES) >= 16 and {path.stem for path in FOLDER.glob("*.json")} == set(NAMES)
