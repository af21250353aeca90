# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs on a GPU what the tests run on the emulated one: `make test-gpu`; or there, in checked mode.

    python tools/gpu_tests.py BUILD [WORD ...]              all, or those whose name contains a word
    python tools/gpu_tests.py --checked BUILD [WORD ...]    `make test-gpu-checked`: in the emulator's checked mode
    XLA_RT_CUDA_LIBRARY=build/lib/libcuda-emu.so python tools/gpu_tests.py build

The last runs the same through the emulator instead of the driver. Exits with 3 if there is no GPU, with 1 if a test
fails or the checks find something.

Checked mode looks at each access to memory and each barrier of every kernel: races, bounds, alignment, memory that was
not written, divergence, what nobody waits for. A finding ends the process that it is in, so each file of tests has its
own; the emulator's journal tells what was looked at, also in processes that tests start.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "test" / "python"
EMULATED = "cuda-emulated"
#: Of `test/python/gpu`: what makes mutants, of which findings are wanted, and what is not about kernels that run.
NOT_CHECKED = "test_mutants", "test_gpu_commands", "test_gpu_tables", "test_ptxas"
NO_TESTS = 5  # pytest's status if all of a file's tests are left out


def describe_device(target: str) -> str | None:
    """The GPU that is tested, after it has added two numbers; or None, having said why there is none."""
    import numpy as np

    import mlir_xla

    text = (
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n%0 = xla.add %x, %x : tensor<f32>\nreturn %0 : tensor<f32>}"
    )
    try:
        found = mlir_xla.devices(target)
        if not found:
            raise RuntimeError("the driver finds no device")
        if (answer := float(mlir_xla.compile(text, target=target)(np.float32(1)))) != 2:
            raise RuntimeError(f"the GPU finds that 1 + 1 is {answer}")
    except RuntimeError as error:
        print(f"There is no GPU that can be used here. {error}", file=sys.stderr)
        return None
    device = found[0]
    capability = ".".join(map(str, device.compute_capability))
    return f"{device.name}, compute capability {capability}, {device.multiprocessors} multiprocessors"


def commands(build: pathlib.Path, is_checked: bool, jobs: int = 1) -> dict[str, list[str]]:
    """What is run, by name."""
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    if not is_checked:
        # A worker whose GPU is lost ends, and another takes its place (test/python/conftest.py).
        pytest += ["-n", str(jobs), "--dist", "worksteal", "--max-worker-restart", "1000"]
    lit = [sys.executable, "-c", "from lit.main import main; main()", "-sv", "-j", str(jobs)]
    kernels = {"kernels": [*pytest, str(TESTS / "gpu")]} if is_checked else {}
    return {
        "run": [*lit, *([] if is_checked else ["-Dcuda=1"]), str(build / "test" / "run")],
        "vectors": [*pytest, str(TESTS / "vectors"), "-k", "accepted"],
        "programs": [*pytest, str(TESTS / "api" / "test_programs.py"), "-k", "on_a_gpu"],
        "exported": [*pytest, str(TESTS / "api" / "test_exported_programs.py"), "-k", "test_program"],
        "linear-algebra": [*pytest, str(TESTS / "test_linear_algebra.py")],
        **kernels,
        "random": [*pytest, str(TESTS / "random"), "-k", "not bytecode and not mutate and not signals"],
    }


def run_on_device(chosen: dict[str, list[str]]) -> list[str]:
    """What failed."""
    # What tests compute with JAX beside it stays off the GPU, whose memory JAX would take.
    environment = os.environ | {"MLIR_XLA_TEST_TARGETS": "reference,cuda", "JAX_PLATFORMS": "cpu"}
    if library := os.environ.get("XLA_RT_CUDA_LIBRARY"):  # tests run in other folders, too
        if "/" in library:
            environment["XLA_RT_CUDA_LIBRARY"] = os.path.abspath(library)
    failed = []
    for name, command in chosen.items():
        print(f"\n=== {name}", flush=True)
        start = time.perf_counter()
        if subprocess.run(command, cwd=ROOT, env=environment).returncode:
            failed.append(name)
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    return failed


# === In checked mode ===


@dataclasses.dataclass
class Record:
    """What the emulator's journal has: kernels with the hashes of their programs, those whose threads wait for each
    other, and findings."""

    kernels: set[str] = dataclasses.field(default_factory=set)
    shared: set[str] = dataclasses.field(default_factory=set)
    findings: list[str] = dataclasses.field(default_factory=list)

    def read(self, journal: pathlib.Path) -> None:
        for line in journal.read_text().splitlines() if journal.exists() else ():
            what, _, text = line.partition(" ")
            if what == "finding":
                self.findings.append(text)
                continue
            kernel, _, how = text.rpartition(" ")
            self.kernels.add(kernel)
            if how == "shared":
                self.shared.add(kernel)

    def add(self, other: Record) -> None:
        self.kernels |= other.kernels
        self.shared |= other.shared
        self.findings += other.findings

    def __str__(self) -> str:
        programs = len({kernel.split()[0] for kernel in self.kernels})
        return (
            f"{programs} programs, {len(self.kernels)} kernels, {len(self.shared)} of them with threads that wait for "
            f"each other, {len(self.findings)} findings"
        )


def pieces(command: list[str]) -> list[list[str]]:
    """A command for a folder of pytest's files as one for each of them."""
    for place, word in enumerate(command):
        folder = pathlib.Path(word)
        if "pytest" in command and folder.is_dir():
            files = [file for file in sorted(folder.glob("test_*.py")) if file.stem not in NOT_CHECKED]
            return [[*command[:place], str(file), *command[place + 1 :]] for file in files]
    return [command]


def run_checked(chosen: dict[str, list[str]], jobs: int) -> list[str]:
    """What failed, or was not even looked at."""
    environment = os.environ | {"MLIR_XLA_TEST_TARGETS": f"reference,{EMULATED}", "CUDA_EMU_CHECK": "1"}
    records = {name: Record() for name in chosen}
    failed = []

    def run(command: list[str], journal: pathlib.Path) -> tuple[subprocess.CompletedProcess[str], float]:
        start = time.perf_counter()
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment | {"CUDA_EMU_JOURNAL": str(journal)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done, time.perf_counter() - start

    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pending = {}
        for name, command in chosen.items():
            for piece in pieces(command):
                journal = pathlib.Path(scratch) / str(len(pending))
                pending[pool.submit(run, piece, journal)] = name, piece, journal
        for job in concurrent.futures.as_completed(pending):
            name, piece, journal = pending[job]
            done, seconds = job.result()
            found = Record()
            found.read(journal)
            records[name].add(found)
            what = next((f"{name} {path.stem}" for path in map(pathlib.Path, piece) if path.suffix == ".py"), name)
            if done.returncode not in (0, NO_TESTS):
                failed.append(what)
                print(done.stdout)
            elif found.findings:
                failed.append(what)
            print(f"{what}: {seconds:.0f} s, {found}", flush=True)
            for finding in found.findings:
                print(f"  {finding}", flush=True)
    everything = Record()
    print()
    for name, record in records.items():
        everything.add(record)
        print(f"{name}: {record}")
        if not record.kernels:
            failed.append(f"{name} (no kernel ran)")
    print(f"all: {everything}")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="the build folder")
    parser.add_argument("words", nargs="*", help="parts of names of what is run")
    parser.add_argument("--checked", action="store_true", help="in the emulator's checked mode")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    settings = parser.parse_intermixed_args()
    about = describe_device(EMULATED if settings.checked else "cuda")
    if about is None:
        return 3
    print(about, flush=True)
    known = commands(settings.build.resolve(), settings.checked, settings.jobs)
    chosen = {
        name: command
        for name, command in known.items()
        if not settings.words or any(word in name for word in settings.words)
    }
    if not chosen:
        parser.error(f"nothing has such a name; there are {', '.join(known)}")
    start = time.perf_counter()
    failed = run_checked(chosen, settings.jobs) if settings.checked else run_on_device(chosen)
    took = f"{(time.perf_counter() - start) / 60:.0f} minutes"
    print(f"\n{about}, {took}: {'failed: ' + ', '.join(failed) if failed else 'all passed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
