# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `benchmarks/` measures with, apart from the times: peers in processes of their own, what is found wrong there,
which Python the newest peer gets."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))

import environment
from measure import disagreement, interleave
from programs import PROGRAMS
from worker import Remote, WorkerError

FOLDER = pathlib.Path(environment.__file__).parent


@pytest.fixture
def remote():
    system = Remote("here", "xla")
    yield system
    system.close()


def test_a_worker_computes_what_this_process_does(remote):
    program = PROGRAMS["dot_8"]
    arguments = program.arguments()
    remote.load(program.name, program.export(), arguments)
    assert remote.compile() > 0
    [found] = remote.results()
    np.testing.assert_allclose(found, arguments[0] @ arguments[1], rtol=1e-5)
    assert remote.sample(3) > 0 and remote.sample(2, numpy=True) > 0


@pytest.mark.parametrize("name", ["add_bf16_4m", "rfft_f64"])
def test_all_dtypes_pass_the_pipe(remote, name):
    program = PROGRAMS[name]
    arguments = program.arguments()
    remote.load(program.name, program.export(), arguments)
    remote.compile()
    expected = program.expected(arguments)
    assert disagreement(remote.results(), expected, program.rtol, program.atol) == (0.0, "")


def test_a_failure_in_the_worker_is_told_and_survived(remote):
    with pytest.raises(WorkerError, match="KeyError: 'no such program'"):
        remote.load("no such program", "", [])
    assert "jaxlib" in remote.version()


def test_a_worker_that_dies_is_replaced(remote):
    remote.version()
    remote._process.kill()
    with pytest.raises(WorkerError, match="the process of here ended with -9"):
        remote.version()
    assert "jaxlib" in remote.version()


def test_everyone_begins_a_round_in_turn():
    order: list[str] = []

    def sampler(name):
        return lambda repeats: order.append(name) or 1.0

    samples = interleave([sampler("a"), sampler("b"), sampler("c")], 3, 0.0, 60.0)
    assert "".join(order)[-9:] == "abcbcacab"
    assert samples == [[1.0] * 3] * 3


def _script(path: pathlib.Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_the_newest_python_is_one_that_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert environment.newest_python() is None
    with pytest.raises(environment.Unavailable, match="no Python 3.12 or later"):
        environment.newest_environment(tmp_path / "new")
    _script(tmp_path / "python3.27", "exit 127")
    _script(tmp_path / "python3.25", "echo 25")
    _script(tmp_path / "python3.26", "echo 11")
    _script(tmp_path / "python3.24", "echo 24")
    assert environment.newest_python() == tmp_path / "python3.25"


def test_pythons_that_are_installed_but_not_on_the_path(tmp_path, monkeypatch):
    (tmp_path / "3.26.1" / "bin").mkdir(parents=True)
    _script(tmp_path / "3.26.1" / "bin" / "python3.26", "echo 26")
    known = (
        f'case "$1 $2" in "whence python3.26") echo 3.26.1;; "prefix 3.26.1") echo {tmp_path}/3.26.1;; *) exit 1; esac'
    )
    _script(tmp_path / "pyenv", known)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert environment.newest_python() == tmp_path / "3.26.1" / "bin" / "python3.26"


def test_an_environment_that_cannot_be_made_is_told(tmp_path, monkeypatch):
    _script(tmp_path / "python3.25", 'case "$1" in -c) echo 25;; *) echo no room >&2; exit 1; esac')
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(environment.Unavailable, match="failed: no room"):
        environment.newest_environment(tmp_path / "new")


def test_programs_beside_a_process(tmp_path):
    """The whole command, with the peer of this environment in a process of its own."""
    path = tmp_path / "found.json"
    arguments = ["dot_8", "add_16", "--peer", "xla-process", "--rounds", "2", "--sample-ms", "0.1", "--json", path]
    environment_ = {**os.environ, "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, FOLDER / "compare.py", *arguments]
    found = subprocess.run(command, capture_output=True, text=True, env=environment_)
    assert found.returncode == 0, found.stdout + found.stderr
    written = json.loads(path.read_text())
    assert "jaxlib" in written["about"]["peer"] and "mlir_xla" in written["about"]["subject"]
    assert [each["name"] for each in written["programs"]] == ["add_16", "dot_8"]
    assert all(each["run"]["ratio"] > 0 for each in written["programs"])
    report = subprocess.run([sys.executable, FOLDER / "report.py", path], capture_output=True, text=True)
    assert report.returncode == 0 and "| dot_8 |" in report.stdout, report.stderr
