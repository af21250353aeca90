# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `benchmarks/` measures with, apart from the times: peers in processes of their own, what is found wrong there,
which Python the newest peer gets, how much work programs are."""

from __future__ import annotations

import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import numpy as np
import pytest

from mlir_xla._mlir_libs._xla import compiler

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))

import compare
import environment
import functions
import isa
import jax
import limits
import report
import systems
from jax import lax
from jax import numpy as jnp
from measure import CLOCK, disagreement, interleave, sample
from program import Program, spec
from programs import PROGRAMS, choose
from small_programs import small_programs
from torch_forms import FORMS
from work import Work, counted
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


def test_both_tell_how_much_memory_they_need(remote):
    """One spectrum, at least, of 64 rows of 16384 + 1022 elements."""
    program = PROGRAMS["fft_convolve"]
    ours = systems.MlirXla()
    for system in (ours, remote):
        system.load(program.name, program.export(), program.arguments())
        system.compile()
        assert system.memory() >= 64 * 17406 * 4


def test_numpy_is_a_peer_of_programs_that_have_its_form():
    """On fewer numbers than are measured, of the same shapes in relation to each other."""
    chosen = [each for each in PROGRAMS.values() if each.numpy]
    assert {"matmul_512", "matmul_bt", "matmul_bias_relu", "matvec", "matmul_batched_64"} <= {
        each.name for each in chosen
    }
    small = {each.name: each for each in small_programs().values()}
    for program in chosen:
        program = small[f"{program.name}_small"]
        arguments = program.arguments()
        found = [np.asarray(program.numpy(*arguments))]
        assert disagreement(found, program.expected(arguments), program.rtol, program.atol)[1] == ""
    system = systems.NumPy()
    system.load("matmul_skinny_m", "", PROGRAMS["matmul_skinny_m"].arguments())
    assert system.results()[0].shape == (16, 1024) and "openblas" in system.version()


def test_forms_in_pytorch_are_of_programs_and_of_their_arguments():
    """Their results are compared where PyTorch is, by `compare.py --also torch`."""
    assert {"softmax", "conv_3x3", "attention_causal", "segment_sum_64", "matmul_i8_512"} <= set(FORMS)
    for name, form in FORMS.items():
        inspect.signature(form).bind("torch", *PROGRAMS[name].specs)
    runs = systems.CAN_RUN["torch"]
    assert runs(PROGRAMS["softmax"]) and not runs(PROGRAMS["fori_tiny"])


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
    arguments = [
        "dot_8",
        "add_16",
        "--peer",
        "xla-process",
        "--also",
        "xla",
        "--rounds",
        "2",
        "--sample-ms",
        "0.1",
        "--json",
        path,
    ]
    environment_ = {**os.environ, "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, FOLDER / "compare.py", *arguments]
    found = subprocess.run(command, capture_output=True, text=True, env=environment_)
    assert found.returncode == 0, found.stdout + found.stderr
    written = json.loads(path.read_text())
    assert "jaxlib" in written["about"]["peer"] and "mlir_xla" in written["about"]["subject"]
    assert [each["name"] for each in written["programs"]] == ["add_16", "dot_8"]
    assert all(each["run"]["ratio"] > 0 for each in written["programs"])
    assert len(written["about"]["others"]) == 1
    assert all(list(each["run"]["others"]) == ["xla"] for each in written["programs"])
    assert all(each["memory"] == {"ours": 0, "peer": 0} for each in written["programs"])
    assert all(0 < each["limit"]["share"] < 1 for each in written["programs"])
    page = subprocess.run([sys.executable, FOLDER / "report.py", path], capture_output=True, text=True)
    assert page.returncode == 0 and "| dot_8 |" in page.stdout and "% of bytes |" in page.stdout, page.stderr


def _work(function, *inputs, **more) -> Work:
    return counted(Program("counted", "test", function, tuple(map(spec, inputs)), **more))


def _scan(xs, w):
    return lax.scan(lambda h, x: (h @ w + x, None), jnp.zeros_like(xs[0]), xs)[0]


def _widened(a, b):
    return a.astype(jnp.int32) @ b.astype(jnp.int32)


def _chosen(flag, x):
    return lax.cond(flag > 0, lambda x: x @ x, lambda x: x, x)


@pytest.mark.parametrize(
    ("function", "inputs", "flops"),
    [
        (lambda a, b: a @ b, ("4x8xf32", "8x5xf32"), {"f32": 2 * 4 * 5 * 8}),
        (lambda a, b: a @ b, ("3x4x8xbf16", "3x8x5xbf16"), {"bf16": 3 * 2 * 4 * 5 * 8}),
        (lambda a, b: a @ b, ("4x8xc64", "8x5xc64"), {"f32": 4 * 2 * 4 * 5 * 8}),
        (functions.integer_matmul, ("4x8xi8", "8x5xi8"), {"i8": 2 * 4 * 5 * 8}),
        (functions.integer_matmul, ("4x8xui8", "8x5xi8"), {"i8": 2 * 4 * 5 * 8}),
        (_widened, ("4x8xi16", "8x5xi16"), {"f32": 2 * 4 * 5 * 8 / 2}),
        (functions.conv(), ("2x6x6x3xf32", "3x3x3x4xf32"), {"f32": 2 * 2 * 36 * 4 * 27}),
        (functions.conv(groups=3), ("2x6x6x3xf32", "3x3x1x3xf32"), {"f32": 2 * 2 * 36 * 3 * 9}),
        # The gradient by the input takes as much: zeros between its operand's elements count nothing.
        (
            functions.conv_input_gradient((2, 6, 6, 3), strides=(2, 2)),
            ("3x3x3x4xf32", "2x3x3x4xf32"),
            {"f32": 2 * 2 * 9 * 4 * 27},
        ),
        (_scan, ("7x2x4xf32", "4x4xf32"), {"f32": 7 * (2 * 2 * 4 * 4 + 2 * 4) + 7}),
        (_chosen, ("i32", "4x4xf32"), {}),
        (lambda x: jnp.exp(x) * x, ("10xf32",), {"f32": 20}),
        (lambda x: x + jnp.arange(10.0) * 2, ("10xf32",), {"f32": 10}),
        (lambda x: jnp.sum(x, axis=1), ("10x20xf64",), {"f64": 200}),
        (jnp.fft.fft, ("4x8xc64",), {"f32": 4 * 5 * 8 * 3}),
        (jnp.transpose, ("4x8xf32",), {}),
    ],
)
def test_operations_are_counted(function, inputs, flops):
    x64 = "f64" in inputs[0]
    found = {kind: count for kind, count in _work(function, *inputs, x64=x64).flops.items() if count}
    assert found == pytest.approx(flops)


def test_what_nobody_uses_is_not_counted():
    def gradient(x, w):
        return jax.vjp(lambda w: x @ w, w)[1](jnp.ones((4, 5)))[0]

    assert _work(gradient, "4x8xf32", "8x5xf32").flops == {"f32": 2 * 4 * 8 * 5}


def test_bytes_are_those_of_arguments_and_results():
    work = _work(lambda x, y: (x.astype(jnp.bfloat16), y), "10xf32", "3xi1")
    assert (work.bytes, work.written) == (40 + 20 + 3 + 3, 20 + 3)


def test_a_filter_selects_something():
    assert [each.name for each in choose(["matmul_512", "tiny"])][-1] == "matmul_512"
    with pytest.raises(SystemExit, match="'nosuch' is no program"):
        choose(["matmul_512", "nosuch"])


def test_what_a_program_states_is_its_work():
    assert counted(PROGRAMS["embedding"]).bytes == PROGRAMS["embedding"].bytes
    assert counted(PROGRAMS["attention_long_causal"]).flops == {"f32": PROGRAMS["attention_long_causal"].flops}
    assert set(counted(PROGRAMS["matmul_u8_i8_512"]).flops) == {"i8"}


def test_the_limit_is_the_slower_of_both():
    ours, peer = [4.0, 5.0, 8.0], [8.0, 8.0, 8.0]
    found = compare.limit(3.0, [1.0, 2.0, 2.0], (ours, peer))
    assert found == {"seconds": 3.0, "by": "flops", "share": 3 / 5, "share_peer": 3 / 8}
    # By bytes, a round's share is that of the round's bandwidth.
    found = compare.limit(1.0, [1.0, 2.0, 2.0], (ours, peer))
    assert found == {"seconds": 2.0, "by": "bytes", "share": 1 / 4, "share_peer": 2 / 8}


@pytest.fixture(scope="module")
def machine():
    return limits.Limits(rounds=1, seconds=1e-4)


@pytest.mark.parametrize(
    ("written", "mix"), [(0, "read"), (190, "read"), (400, "triad"), (900, "copy"), (1600, "fill"), (2000, "fill")]
)
def test_bandwidth_is_that_of_as_much_writing(machine, monkeypatch, written, mix):
    asked = []
    monkeypatch.setattr(machine, "_passes", lambda name, *_: asked.append(name) or (lambda _: 1.0))
    assert machine.memory(Work({}, 2000.0, written))(1) == pytest.approx(2000 / limits.LEAST)
    assert {each.split("_")[0] for each in asked} == {mix}


def test_limits_of_this_machine(machine):
    assert set(machine.peaks) == {"f32", "f64", "bf16", "i8"} and all(each > 0 for each in machine.peaks.values())
    operations = {"f32": machine.peaks["f32"], "i8": machine.peaks["i8"] / 2}
    assert machine.arithmetic(Work(operations, 0.0, 0.0)) == pytest.approx(1.5)
    for written in (0, 1 << 19, 1 << 20):
        assert machine.memory(Work({}, 1 << 20, written))(2) > 0


def test_peaks_of_tile_registers(machine, monkeypatch):
    """Narrow products are measured in them where the compiler may use them, and otherwise by vectors."""
    missing = compiler.missing_features("sapphirerapids", "")
    has_tiles = not any(each.startswith("amx") for each in missing)
    assert has_tiles == (machine._loop("bf16") == "bf16_tiles") == (machine._loop("i8") == "i8_tiles")
    assert machine._loop("f32") == "f32"
    monkeypatch.setenv(isa.CHOICE, "avx2")
    assert limits.Limits(rounds=1, seconds=1e-4)._loop("i8") == "i8"


def test_how_long_from_core_to_core(machine, monkeypatch):
    if machine.threads > 1:
        assert machine.handover(100) > 0
    monkeypatch.setattr(machine, "threads", 1)
    assert machine.handover() is None
    records = [{"handover": each} for each in (60e-9, 200e-9, 70e-9, None)] + [{}]
    assert report.handovers(records) == ["From core to core a word takes 60 to 200 ns, in the median 70 ns."]
    assert report.handovers([{}]) == []


def test_without_a_compiler_there_are_no_limits(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(limits.Unmeasured, match="no C compiler"):
        limits.Limits()


def test_what_to_look_at():
    def record(name, ratio, share, ours, peer, **more):
        run = {"ratio": ratio, "others": {"numpy": {"ratio": 3.0}}}
        return {"name": name, "run": run, "limit": {"share": share}, "memory": {"ours": ours, "peer": peer}} | more

    fast = record("fast", 2.0, 0.7, 0, 0)
    slow = record("slow", 0.8, 0.7, 2048, 1024)
    far = record("far", 1.5, 0.2, 10, None)
    far["run"]["others"]["numpy"]["ratio"] = 0.5
    wrong = record("wrong", 0.1, 0.1, 1, 0, error="results differ")
    found = report.remarks([fast, slow, far, wrong, {"name": "failed", "error": "Error: no"}])
    assert found == {
        "slower than a peer": ["far 0.50", "slow 0.80"],
        "below half of the limit": ["far 0.20"],
        "more memory than XLA": ["slow 2 KiB (1 KiB)"],
    }


def test_the_page_says_what_stands_between():
    """Every program of the table that reaches less than half of the limit is spoken of."""
    page = (FOLDER.parent / "docs" / "benchmarks.md").read_text()
    table, reasons = page.split("## Below half of the limit")
    shares = re.findall(r"^\| (\w+) \|(?:[^|]*\|){4} (\d+)% of", table, re.MULTILINE)
    assert len(shares) > 100
    far = {name for name, share in shares if int(share) < 50}
    assert far - set(re.findall(r"`(\w+)`", reasons)) == set()


def test_everybody_is_told_to_do_with_fewer_instructions():
    """In a process of its own: the choice is for all that follows."""
    told = """
import isa, os, sys
os.environ["XLA_FLAGS"] = "--xla_cpu_enable_fast_math=false"
isa.restrict("avx2")
import systems
from programs import PROGRAMS
program = PROGRAMS["fma_1k"]
ours, xla = systems.MlirXla(), systems.Remote("here", "xla")
for system in (ours, xla):
    system.load(program.name, program.export(), program.arguments())
    system.compile()
print(os.environ["XLA_FLAGS"], "zmm" in ours._executable.stages["binary"], xla.results()[0].shape)
"""
    command = [sys.executable, "-c", told]
    found = subprocess.run(
        command, capture_output=True, text=True, cwd=FOLDER, env={**os.environ, "JAX_PLATFORMS": "cpu"}
    )
    flags = "--xla_cpu_enable_fast_math=false " + isa.ISAS["avx2"].variables["XLA_FLAGS"]
    assert found.stdout.strip() == f"{flags} False (1024,)", found.stderr


def test_limits_are_those_of_fewer_instructions(machine, monkeypatch):
    monkeypatch.setenv(isa.CHOICE, "avx2")
    narrow = limits.Limits(rounds=1, seconds=1e-4)
    assert narrow._vector <= 32


def test_samples_of_processor_time(monkeypatch):
    """Who sleeps takes none."""
    assert sample(lambda: time.sleep(0.01), 2) >= 0.01
    monkeypatch.setenv(CLOCK, "processor")
    # Threads of libraries may spin meanwhile.
    assert sample(lambda: time.sleep(0.2), 1) < 0.1
