# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sample of `mutate.py`: corrupted programs end no tool."""

import random
import stat

import bytecode_mutants
import mutate
import pytest


@pytest.fixture
def session(tmp_path):
    return mutate.Session(tmp_path / "findings", str(tmp_path))


@pytest.mark.parametrize("seed", [1000, 2000])
def test_xla_opt(session, seed):
    session.opt_texts(seed, random.Random(seed))
    assert session.counts and not session.findings


def test_xla_run(session, monkeypatch, tmp_path):
    monkeypatch.setattr(mutate, "BATCH", 12)
    runner = mutate.Runner(str(tmp_path))
    session.run_texts(3000, random.Random(0), runner)
    session.bytecodes(4000, random.Random(0), runner)
    runner.close()
    assert not session.findings


def test_mutants_follow_from_their_seeds():
    texts = [mutate.text_mutant(seed) for seed in range(60)]
    assert texts == [mutate.text_mutant(seed) for seed in range(60)]
    assert len(set(texts)) > 50 and len(mutate.sources()) > 300


@pytest.mark.parametrize(
    ("tool", "problem"),
    [
        ("kill -SEGV $$", "exit status -11"),
        ("echo 'p.mlir:1:1: error: internal compiler error in the stage' >&2; exit 1", "internal compiler error"),
        ("exit 0", None),
    ],
)
def test_a_crash_is_found(session, monkeypatch, tmp_path, tool, problem):
    path = tmp_path / "xla-opt"
    path.write_text(f"#!/bin/sh\n{tool}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(bytecode_mutants, "xla_opt", lambda: str(path))
    monkeypatch.setattr(mutate, "BATCH", 3)
    session.opt_texts(1, random.Random(1))
    assert session.findings == (3 if problem else 0)
    if problem:
        kept = (session.out / "findings.txt").read_text()
        assert kept.count(problem) == 3 and len(list(session.out.glob("*.mlir"))) == 3


def test_a_process_runs_one_program_after_the_other(tmp_path):
    runner = mutate.Runner(str(tmp_path))
    t = "tensor<f32>"
    text = f"func.func @main() -> {t} {{\n  %0 = xla.constant dense<1.0> : {t}\n  return %0 : {t}\n}}\n"
    assert runner.problem(text.encode(), ".mlir", "cpu") is None
    process = runner._process
    assert runner.problem(text[:30].encode(), ".mlir", "reference") is None
    assert process is not None and process is runner._process
    process.kill()  # as by a program
    process.wait()
    assert runner.problem(text.encode(), ".mlir", "cpu") == "xla-run died with -9"
    assert runner.problem(text.encode(), ".mlir", "cpu") is None
    runner.close()
