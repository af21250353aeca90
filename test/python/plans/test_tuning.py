# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuning: what it measures is legal, computes the same, is kept, and is found again."""

from __future__ import annotations

import json

import numpy as np
import pytest
from comparison import difference
from plan_mutants import PROGRAMS, arguments
from plan_text import kernels

import mlir_xla
from mlir_xla.tuning import candidates, plans, tuner

MATMUL = """
func.func @main(%x: tensor<96x80xf32>, %y: tensor<80x112xf32>) -> tensor<96x112xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0]
      : (tensor<96x80xf32>, tensor<80x112xf32>) -> tensor<96x112xf32>
  return %0 : tensor<96x112xf32>
}
"""
TILES = "8x512x512x512, m d1 258, n d2 128, k d3 512, register 6x4, lanes 16, instruction vpdpbusd, pack a, b, work d0"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MLIR_XLA_CACHE", str(tmp_path))
    monkeypatch.setattr(tuner, "WORTHWHILE", 0.0)
    monkeypatch.setattr(tuner, "SAMPLE", 0.0)
    return tmp_path / "plans.json"


def inputs(seed: int = 0) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    return [generator.standard_normal(shape).astype(np.float32) for shape in ((96, 80), (80, 112))]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_text(program) -> None:
    """Plans are printed as they were read."""
    text = kernels(program.text)
    assert plans.replaced(text, plans.plans(text)) == text


def test_text_of_tiles() -> None:
    assert str(plans.Tiles.read(TILES)) == f"#xla_rt.tiles<{TILES}>"


def chosen_by(monkeypatch, seed: int) -> list[float]:
    """Lets chance decide which plan is faster, and notes each decision."""
    generator, ratios = np.random.default_rng(seed), []

    def ratio(self, new, old, seconds):
        # What is decided at the end: whether the plan is faster than the compiler's.
        ratios.append(0.5 if seconds == 5 * tuner.SAMPLE or generator.random() < 0.3 else 1.5)
        new.run(self._arguments)
        return ratios[-1]

    monkeypatch.setattr(tuner._Kernel, "_ratio", ratio)
    monkeypatch.setattr(tuner, "SAMPLE", 1.0)
    return ratios


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_any_choice(program, monkeypatch) -> None:
    """Whichever plans are taken, the program computes the same."""
    given = arguments(program.text, 1)
    expected = mlir_xla.compile(program.text)(*given)
    chosen_by(monkeypatch, 1)
    tuned = mlir_xla.compile(program.text, tune=True)
    found = tuned(*given)
    expected, found = (each if isinstance(each, tuple) else (each,) for each in (expected, found))
    for one, other in zip(expected, found, strict=True):
        assert difference(other, one, program.within) is None


def test_stages(monkeypatch) -> None:
    """The plans taken are those of the stage `kernels`, and the stages before it are there."""
    ratios = chosen_by(monkeypatch, 2)
    plain, tuned = mlir_xla.compile(MATMUL), mlir_xla.compile(MATMUL, tune=True)
    assert any(ratio < 1 for ratio in ratios)
    assert list(tuned.stages) == list(plain.stages)
    assert tuned.stages["linalg"] == plain.stages["linalg"]
    before, after = (plans.plans(each.stages["kernels"]) for each in (plain, tuned))
    assert len(before) == len(after)
    assert list(map(str, before)) != list(map(str, after))
    np.testing.assert_allclose(tuned(*inputs()), plain(*inputs()), rtol=1e-4, atol=1e-5)


def test_cache(cache, monkeypatch) -> None:
    """What was measured is not measured again, until processor, threads or kernel are others."""
    mlir_xla.compile(MATMUL, tune=True)
    known = json.loads(cache.read_text())
    assert known
    monkeypatch.setattr(tuner._Kernel, "best", lambda self: pytest.fail("measured again"))
    mlir_xla.compile(MATMUL.replace("@main", "@other"), function="other", tune=True)
    for changes in ({"threads": 1}, {"features": "-avx"}):
        with pytest.raises(pytest.fail.Exception, match="measured again"):
            mlir_xla.compile(MATMUL, tune=True, **changes)
    assert json.loads(cache.read_text()) == known


@pytest.mark.parametrize("content", ["", "[1]", '{"a": 1', '{"a": [1, 2]}'])
def test_cache_that_is_none(cache, content) -> None:
    cache.write_text(content)
    mlir_xla.compile(MATMUL, tune=True)
    assert all(isinstance(plan, str) for each in json.loads(cache.read_text()).values() for plan in each)


def test_constants() -> None:
    """Tuning goes on from the text of a stage, which holds all of a program's constants."""
    values = inputs()[1]
    text = MATMUL.replace(", %y: tensor<80x112xf32>)", ")").replace(
        "{\n", f"{{\n  %y = xla.constant dense<{values.tolist()}> : tensor<80x112xf32>\n", 1
    )
    (x, y), compiled = inputs(), mlir_xla.compile(text, tune=True)
    np.testing.assert_allclose(compiled(x), x @ y, rtol=1e-4, atol=1e-5)


def test_plans_that_do_not_fit(cache) -> None:
    """A file with plans of something else does not stop anybody."""
    mlir_xla.compile(MATMUL, tune=True)
    known = json.loads(cache.read_text())
    cache.write_text(json.dumps(dict.fromkeys(known, ["#xla_rt.nest<1x2>"])))
    compiled = mlir_xla.compile(MATMUL, tune=True)
    np.testing.assert_allclose(compiled(*inputs()), mlir_xla.compile(MATMUL)(*inputs()), rtol=1e-4, atol=1e-5)


def test_cache_that_cannot_be_written(cache, monkeypatch) -> None:
    monkeypatch.setenv("MLIR_XLA_CACHE", str(cache / "below" / "a file"))
    cache.write_text("{}")
    with pytest.warns(UserWarning, match="plans cannot be kept in"):
        mlir_xla.compile(MATMUL, tune=True)


def test_neighbours_are_different() -> None:
    plan = plans.Tiles.read(TILES)
    groups = list(candidates.neighbours(plan))
    assert groups
    assert all(str(each) != str(plan) for group in groups for each in group)


@pytest.mark.parametrize("target", ["reference", "cuda", "cuda-emulated"])
def test_targets(target: str) -> None:
    with pytest.raises(mlir_xla.XlaError, match=f"the target '{target}' has no schedules to tune"):
        mlir_xla.compile(MATMUL, target=target, tune=True)
