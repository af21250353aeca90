# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Deletes every synchronisation of compiled kernels in turn.

    mutants.py                     of some programs of each class of kernels, as `test_mutants.py` does
    mutants.py FILE.mlir ...       of these
    mutants.py test_blocks.py ...  of what tests of kernels compile
    mutants.py --all               of all in test/programs, and of what tests of kernels compile (`mutant_programs.py`)
               --minutes 60 --jobs 2 --report FILE.md --resume FILE.json

Each mutant runs on the emulator in checked mode, which must report it. The wait for kernels in front, with which each
kernel begins and which is a comment in PTX for older devices, is one of the synchronisations. A mutant that is not
reported is tried with blocks in other orders, any of which may be the last one, and with other arguments, for loops
that a predicate ends and branches that are taken. One that survives shows that the check misses something, or that the
synchronisation is one too many; the exit status is then 1. Barriers of loops that are kernels, commits of empty groups,
fences between products of warpgroups, and barriers before a block counts itself for what one thread does then, may
survive and are counted apart. Kernels of the same text are one, whose mutants run in the first program that has it,
short programs first. A program that is not even checked in a minute is left out, and so is what is left when the time
is over: both are counted. `--resume` keeps what was found of each kernel, by its text, for the next time, which goes on
from there.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import dataclasses
import functools
import hashlib
import json
import multiprocessing
import multiprocessing.connection
import os
import re
import resource
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mutant_programs import HERE, LIBRARY, TARGET, all_programs, own_programs, recorded

import mlir_xla
from mlir_xla import api

__all__ = ["FINDING", "HERE", "LIBRARY", "in_loops", "own_programs", "run", "survivors", "synchronisations"]

SYNCHRONISATION = re.compile(
    r"^\s*(@!?%?p\d*\s+)?(bar\.|barrier\.|cp\.async\.(wait|commit|mbarrier)|mbarrier\.(init|arrive|test_wait|try_wait)|"
    r"wgmma\.(fence|commit_group|wait_group)|fence\.|(//\.sm_90 )?griddepcontrol\.wait)"
)
FUNCTION = re.compile(r"^\s*(?:\.\w+\s+)*\.(?:entry|func)\s+(?:\([^)]*\)\s*)?(\w+)")
#: Loops that are kernels have a barrier where it is not known that threads keep to themselves: it may survive.
LOOP = re.compile(r"loop(_\d+)?$")
COMMIT = re.compile(r"\s*cp\.async\.commit_group")
#: PTX wants one before the first product; NVIDIA's assembler injects those that later ones lack, by its remark C7519.
FENCE = re.compile(r"\s*wgmma\.fence")
PRODUCT = re.compile(r"\s*wgmma\.mma_async")
COPY = re.compile(r"\s*(@!?%p\d+\s+)?cp\.async\.c[ag]\.")
BARRIER = re.compile(r"\s*bar\.sync\s+0;")
FIRST = re.compile(r"\s*@(%p\d+) bra\s+(\$L\w+);")
LABEL = re.compile(r"(\$L\w+):")
FINDING = "cuda-emu: kernel"
#: Seconds of the processor for a program without a change, and for a mutant, which may go through a loop for ever.
#: On a machine that is busy they take longer, but not so much.
CHECKED, MUTATED, STRETCH = 60, 300, 20
#: Of further arguments a mutant that is not found has a look at those that are quick.
FURTHER = 10
#: Seeds of other orders of threads and blocks.
ORDERS = (1, 2, 3, 4)


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str
    lines: tuple[int, ...]  # of its synchronisations, in the PTX
    spared: frozenset[int]  # of these, what may survive
    key: str  # of its text, whatever it and what it names are called, and of what counts as synchronisation


def synchronisations(ptx: str) -> list[int]:
    return [number for number, line in enumerate(ptx.split("\n"), start=1) if SYNCHRONISATION.match(line)]


def without_names(name: str, lines: Sequence[str]) -> str:
    """The text of a kernel as it would be in any program: names are its own, its labels' and those of shared memory."""
    text = "\n".join(line.partition("//")[0] for line in lines)
    text = re.sub(r"\w+_param_", "param_", re.sub(r"\$L__BB\d+_", "$L_", text))
    names: dict[str, str] = {}
    text = re.sub(r"(?<!\.)\bshared(_\d+)?\b", lambda name: names.setdefault(name[0], f"shared_{len(names)}"), text)
    return text.replace(name, "kernel")


def empty_groups(lines: Sequence[str], begin: int, end: int) -> frozenset[int]:
    """Commits that no copy comes before, or none since the last one, as at the end of a pipeline: waits count them, or
    nobody waits. Copies may come by any branch to a label, by one from below before the first of the text."""
    found, is_empty, has_copies = set(), True, False
    for i in range(begin, end):
        if COMMIT.match(lines[i]):
            if is_empty:
                found.add(i + 1)
            is_empty = True
        elif COPY.match(lines[i]):
            is_empty, has_copies = False, True
        elif label := LABEL.match(lines[i]):
            back = [j for j in range(i + 1, end) if lines[j].rstrip(";").endswith(label[1])]
            if back and not any(map(COPY.match, lines[i : back[-1]])):
                continue  # a loop without copies
            is_empty = is_empty and not has_copies and not back
    return frozenset(found)


def arrivals_of_one(lines: Sequence[str], begin: int, end: int) -> frozenset[int]:
    """Barriers before a block counts itself, if the last block's first thread does alone what follows. That may read
    what the first threads have written, and nothing else; which thread has, no pass knows. Then
        bar.sync; @%others bra; fence; atom.inc; fence; ... bar.sync; ...; or.pred %no, %others, %is_not_last; @%no bra
    """
    found = set()
    for i in range(begin, end - 3):
        branch = FIRST.match(lines[i + 1])
        if not (BARRIER.match(lines[i]) and branch and "fence.acq_rel" in lines[i + 2]):
            continue
        skipped = next((j for j in range(i + 2, end) if lines[j].startswith(branch[2] + ":")), end)
        if not any("atom.global.inc" in line for line in lines[i + 2 : skipped]):
            continue
        following = "\n".join(lines[skipped : skipped + 6])
        if re.search(rf"or\.pred\s+(%p\d+), {branch[1]}, %p\d+;\n\s*@\1 bra", following):
            found.add(i + 1)
    return frozenset(found)


def later_fences(lines: Sequence[str], begin: int, end: int) -> frozenset[int]:
    """Fences of registers behind the first product of the text, as in loops that are unrolled. They survive where
    nothing but products touches sums in between."""
    products = [i for i in range(begin, end) if PRODUCT.match(lines[i])]
    return frozenset(i + 1 for i in range(products[0] if products else end, end) if FENCE.match(lines[i]))


def kernels(ptx: str) -> list[Kernel]:
    """Those, and functions that they call, with synchronisations."""
    lines = ptx.split("\n")
    begins = [i for i, line in enumerate(lines) if FUNCTION.match(line)]
    wanted = synchronisations(ptx)
    found = []
    for begin, end in zip(begins, [*begins, len(lines)][1:], strict=True):
        own = tuple(number for number in wanted if begin < number <= end)
        if own:
            match = FUNCTION.match(lines[begin])
            assert match
            closed = next((number for number in range(begin, end) if lines[number] == "}"), end)
            text = without_names(match[1], lines[begin:closed])
            spared = empty_groups(lines, begin, end) | later_fences(lines, begin, end)
            spared |= arrivals_of_one(lines, begin, end)
            if LOOP.match(match[1]):
                spared |= {number for number in own if BARRIER.match(lines[number - 1])}
            key = hashlib.sha256((SYNCHRONISATION.pattern + text).encode()).hexdigest()[:16]
            found.append(Kernel(match[1], own, spared, key))
    return found


def in_loops(ptx: str) -> set[int]:
    """The synchronisations of kernels that are loops."""
    return {line for kernel in kernels(ptx) if LOOP.match(kernel.name) for line in kernel.lines}


# === Running ===


def compiled(text: str, from_stage: str = "") -> mlir_xla.Executable:
    return api.compile_stage(text, TARGET, from_stage) if from_stage else mlir_xla.compile(text, target=TARGET)


#: Scalars with which loops go on that a predicate of arguments ends, and with which branches are taken: of integers,
#: and of floats, the first and those that follow. The first entry leaves them to chance.
SCALARS: list[tuple[int, float, float] | None] = [
    None,
    (9, 1.0, 90.0),
    (2, 0.0, 1.0),
    (3, -1.0, -1.0),
    (5, 1e-3, 1e-3),
    (0, 1.0, -1.0),
]
#: A further variant, for programs that promise of their indices that they ascend, or that no two are equal.
PROMISED = len(SCALARS)


def arguments_of(types: Sequence[mlir_xla.Shape], variant: int = 0) -> list[np.ndarray]:
    """Zeros and ones, which are indices as well; floats on the diagonals of square matrices are large, or factors would
    fail before anybody reads what is shared. In further variants all floats differ, and scalars are those above; in the
    last one integers ascend."""
    draw = np.random.default_rng(1 + variant)
    arrays = [draw.integers(0, 2, each.dims).astype(each.dtype) for each in types]
    if variant == PROMISED:
        arrays = [np.arange(each.size).reshape(each.shape).astype(each.dtype) for each in arrays]
    elif scalars := SCALARS[variant]:
        floats = 0
        for array in arrays:
            if array.ndim and np.issubdtype(array.dtype, np.floating):
                array[...] = draw.uniform(0.5, 1.0, array.shape)
            elif not array.ndim and np.issubdtype(array.dtype, np.floating):
                array[...] = scalars[1 + min(floats, 1)]
                floats += 1
            elif not array.ndim and np.issubdtype(array.dtype, np.signedinteger):
                array[...] = scalars[0]
    for array in arrays:
        if array.dtype.kind == "f" and array.ndim > 1 and array.shape[-1] == array.shape[-2]:
            np.einsum("...ii->...i", array)[...] += array.shape[-1]
    return arrays


def serve(pipe: multiprocessing.connection.Connection, text: str, from_stage: str) -> None:
    """Compiles a program, tells its PTX, and runs it without the lines that are asked for, each in a fork: what a
    mutant does ends the process that it is in."""
    # Nearly all of the time would go into the optimisation of code that runs once.
    os.environ |= {"CUDA_EMU_CHECK": "1", "CUDA_EMU_OPT": "0"}
    try:
        program = compiled(text, from_stage)
    except Exception as error:  # noqa: BLE001  whatever it is, who has asked is told
        return pipe.send(RuntimeError(f"cannot compile the program: {error}"))
    # Of several, the emulated device takes this one.
    pipe.send(program.stages["binary"].rpartition("// For sm_90a:\n")[2])
    variants = [arguments_of(program.arg_types, variant) for variant in range(PROMISED + 1)]
    while True:
        line, variant, order = pipe.recv()
        seconds = FURTHER if variant not in (0, PROMISED) or order else MUTATED if line else CHECKED
        arrays = variants[variant]
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(writing, 2)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            if line:
                os.environ["CUDA_EMU_SKIP_LINE"] = str(line)
            if order:
                os.environ["CUDA_EMU_SEED"] = str(order)
            try:
                program(*arrays)
            except BaseException as error:  # noqa: BLE001  nothing may leave the fork
                os.write(2, f"{type(error).__name__}: {error}\n".encode())
                os._exit(1)
            os._exit(0)
        os.close(writing)
        pipe.send(outcome(child, reading, STRETCH * seconds))


def outcome(child: int, reading: int, seconds: float) -> str | None:
    """What the emulator says, or another error; empty if it finds nothing; None if it takes too long."""
    end, said = time.monotonic() + seconds, b""
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
            if not (piece := pipe.read(1 << 16)):
                status = os.waitpid(child, 0)[1]
                if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
                    return None
                lines = said.decode(errors="replace").splitlines(keepends=True)
                found = "".join(line for line in lines if FINDING in line)
                return found or ("".join(lines) or f"status {status}" if status else "")
            said += piece
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


#: Forks of a process that has what it takes to compile, and has compiled nothing.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["mlir_xla.api", "numpy"])


class Mutants:
    """A program, compiled in a process of its own."""

    def __init__(self, text: str, from_stage: str):
        self.pipe, theirs = PROCESSES.Pipe()
        self.process = PROCESSES.Process(target=serve, args=(theirs, text, from_stage), daemon=True)
        self.process.start()
        theirs.close()
        self.ptx: str = self.answer()

    def answer(self) -> Any:
        try:
            found = self.pipe.recv()
        except EOFError:
            self.process.join()
            raise RuntimeError(f"the process that compiles ended with {self.process.exitcode}") from None
        if isinstance(found, Exception):
            raise found
        return found

    def ask(self, line: int, variant: int = 0, order: int = 0) -> str | None:
        self.pipe.send((line, variant, order))
        return self.answer()

    def without(self, line: int) -> str:
        """What is found if that line is not there; 0 leaves out none."""
        if (found := self.ask(line, self.usual)) is None:
            raise TimeoutError(f"took longer than {MUTATED if line else CHECKED} s")
        return found

    @functools.cached_property
    def usual(self) -> int:
        """The arguments that are tried first: those that keep promises, where others break them."""
        return PROMISED if FINDING in (self.ask(0) or "") and self.ask(0, PROMISED) == "" else 0

    @functools.cached_property
    def further(self) -> list[int]:
        """Variants of arguments with which the program is right, and quick."""
        return [variant for variant in range(1, len(SCALARS)) if self.ask(0, variant) == ""]

    def is_alive(self, line: int) -> bool:
        """Whether nothing is said of the program without that line, whatever the order and the arguments."""
        if FINDING in self.without(line):
            return False
        if any(FINDING in (self.ask(line, self.usual, order) or "") for order in ORDERS):
            return False
        return not any(FINDING in (self.ask(line, variant) or "") for variant in self.further)

    def survivors(self, kernel: Kernel) -> tuple[list[str], int]:
        """Those that nothing is said of, and how many more that may be."""
        alive = [line for line in kernel.lines if self.is_alive(line)]
        bad = [line for line in alive if line not in kernel.spared]
        return [f"line {line}: {self.ptx.splitlines()[line - 1].strip()}" for line in bad], len(alive) - len(bad)


@contextlib.contextmanager
def mutants_of(text: str, from_stage: str = "") -> Iterator[Mutants]:
    found = Mutants(text, from_stage)
    try:
        yield found
    finally:
        found.process.kill()
        found.process.join()
        found.pipe.close()


def run(text: str, line: int = 0, from_stage: str = "") -> str:
    """What the emulator says of the program without that line of its PTX; empty if it finds nothing."""
    with mutants_of(text, from_stage) as program:
        return program.without(line)


def survivors(text: str, from_stage: str = "") -> tuple[int, list[str]]:
    """How many mutants there are, and those that nothing is said of and that may not survive."""
    with mutants_of(text, from_stage) as program:
        own = kernels(program.ptx)
        count = sum(len(kernel.lines) for kernel in own)
        if count and (found := program.without(0)):
            return count, [f"not even a mutant: {found}"]
        return count, [alive for kernel in own for alive in program.survivors(kernel)[0]]


# === All programs ===


@dataclasses.dataclass
class Verdict:
    """Of a kernel, in the program that it was tried in."""

    program: str
    kernel: str
    mutants: int
    alive: list[str]
    seconds: float
    spared: int = 0  # survivors that may be


class Night:
    """What is known of kernels, by their keys, and of programs that were left out."""

    def __init__(self, end: float, known: dict[str, Verdict]):
        self.end = end
        self.verdicts = known
        self.taken = set(known)
        self.left_out: dict[str, str] = {}
        self.lock = threading.Lock()

    def take(self, all_of_it: Sequence[Kernel]) -> list[Kernel]:
        """Those that nobody has tried."""
        with self.lock:
            own = {kernel.key: kernel for kernel in all_of_it if kernel.key not in self.taken}
            self.taken |= own.keys()
            return list(own.values())

    def judge(self, name: str, text: str, from_stage: str) -> None:
        if time.monotonic() > self.end:
            self.left_out[name] = "no time left"
            return
        pending: list[Kernel] = []
        try:
            with mutants_of(text, from_stage) as program:
                pending = self.take(kernels(program.ptx))
                if pending and (found := program.without(0)):
                    kernel = pending.pop(0)
                    self.verdicts[kernel.key] = Verdict(name, kernel.name, 0, [f"not even a mutant: {found}"], 0)
                while pending:
                    begin = time.monotonic()
                    alive, spared = program.survivors(pending[0])
                    kernel = pending.pop(0)
                    seconds = time.monotonic() - begin
                    self.verdicts[kernel.key] = Verdict(name, kernel.name, len(kernel.lines), alive, seconds, spared)
        except Exception as error:  # noqa: BLE001  one program that fails does not end the night
            self.left_out[name] = f"{type(error).__name__}: {str(error)[:200]}"
        with self.lock:  # for another program that has them
            self.taken -= {kernel.key for kernel in pending}

    def report(self) -> str:
        lines = ["| kernel | of | mutants | survived | seconds |", "|---|---|---|---|---|"]
        for each in sorted(self.verdicts.values(), key=lambda each: (each.program, each.kernel)):
            survived = "; ".join(each.alive) or (f"0, but {each.spared} that may" if each.spared else "0")
            lines.append(f"| {each.kernel} | {each.program} | {each.mutants} | {survived} | {each.seconds:.0f} |")
        return "\n".join([*lines, "", *(f"- {name} was left out: {why}" for name, why in self.left_out.items()), ""])

    def summary(self) -> str:
        total = sum(each.mutants for each in self.verdicts.values())
        bad = sum(len(each.alive) for each in self.verdicts.values())
        spared = sum(each.spared for each in self.verdicts.values())
        return (
            f"{total} mutants of {len(self.verdicts)} kernels, {bad} survived, {spared} may; "
            f"{len(self.left_out)} programs were left out"
        )


def read(path: Path | None) -> dict[str, Verdict]:
    """Of kernels without survivors; others are tried again, if there still are such."""
    if not path or not path.exists():
        return {}
    found = {key: Verdict(**verdict) for key, verdict in json.loads(path.read_text()).items()}
    return {key: verdict for key, verdict in found.items() if not verdict.alive}


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--all", action="store_true", help="all programs of the tests")
    parser.add_argument("--minutes", type=float, default=1e6, help="begin with no program after that")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report", type=Path, help="a table of all kernels")
    parser.add_argument("--resume", type=Path, help="what is known of kernels, read and written")
    settings = parser.parse_args(arguments)
    end = time.monotonic() + 60 * settings.minutes
    if settings.files:
        tests = [path for path in settings.files if path.suffix == ".py"]
        programs = {str(path): (path.read_text(), "") for path in settings.files if path not in tests}
        programs |= recorded(tests) if tests else {}
    else:
        programs = all_programs() if settings.all else own_programs()
    night = Night(end, read(settings.resume))
    with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
        order = sorted(programs, key=lambda name: len(programs[name][0]))
        jobs = [pool.submit(night.judge, name, *programs[name]) for name in order]
        for job in concurrent.futures.as_completed(jobs):
            job.result()
            with night.lock:
                known = {key: dataclasses.asdict(verdict) for key, verdict in night.verdicts.items()}
            if settings.resume:
                settings.resume.write_text(json.dumps(known, indent=1))
            if settings.report:
                settings.report.write_text(night.report())
    for each in night.verdicts.values():
        for line in each.alive:
            print(f"{each.program}, {each.kernel}: survived: {line}")
    print(night.summary())
    return int(any(each.alive for each in night.verdicts.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
