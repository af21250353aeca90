# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The corpus of `benchmarks/`: what `write_corpus.py` writes, `check_corpus.py` finds right on both targets. A sample;
the whole is `python benchmarks/write_corpus.py FOLDER && python benchmarks/check_corpus.py FOLDER`."""

import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"


def run(script, *arguments):
    command = [sys.executable, FOLDER / script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    written = run("write_corpus.py", folder, "--every", 40)
    assert written.returncode == 0, written.stdout + written.stderr
    return folder


@pytest.mark.parametrize("target", ["cpu", "reference"])
@pytest.mark.parametrize("form", ["", "generic"], ids=["pretty", "generic"])
def test_programs_agree_with_xla(corpus, form, target):
    found = run("check_corpus.py", corpus / form, "--target", target)
    count = len(list((corpus / form).glob("*.mlir")))
    assert count > 8
    assert (found.returncode, found.stdout.splitlines()[-1]) == (0, f"{count} of {count} pass"), found.stdout


def test_cases_of_jax_agree_with_xla(tmp_path):
    """A sample of what `write_corpus.py FOLDER --harnesses` writes."""
    written = run("write_corpus.py", tmp_path, "--harnesses", "--every", 400)
    assert written.returncode == 0, written.stdout + written.stderr
    found = run("check_corpus.py", tmp_path)
    count = len(list(tmp_path.glob("*.mlir")))
    assert count > 8
    assert (found.returncode, found.stdout.splitlines()[-1]) == (0, f"{count} of {count} pass"), found.stdout


def test_a_wrong_result_is_found(corpus):
    """One more than right."""
    import numpy as np

    path = next(path for path in sorted(corpus.glob("*.out.npz")) if "f32" in path.name)
    with np.load(path) as file:
        results = dict(file)
    name, _, _ = path.name.partition(".")
    try:
        np.savez(path, **{key: value + 1 for key, value in results.items()})
        found = run("check_corpus.py", corpus, name)
    finally:
        np.savez(path, **results)
    assert found.returncode == 1 and "elements differ" in found.stdout
