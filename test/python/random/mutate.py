# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds corrupted programs to the tools: `mutate.py --minutes 30 --seed 1 --out findings`.

The programs are the repository's own (test/**/*.mlir, between the lines that split them), as text and as bytecode. A
mutant of a text has some tokens, numbers, types, names or lines exchanged, missing, doubled or foreign; bytecode is
changed as `bytecode_mutants.py` does. `xla-opt` takes them up to a random stage, many texts in one process; `xla-run`
compiles and runs them on either target, in processes that are kept as long as they live.

What ends a tool by a signal, is an internal compiler error or a Python error, or does not end, is printed and kept in
the folder `--out` with the command that repeats it. A text that MLIR's own `mlir-opt` dies of, too, is counted apart:
its parser is not this project's. An endless program is none of these: `xla-run` is interrupted, as
by the user. Mutants follow from the seed and the sources alone; the exit status is 1 if anything is found.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import functools
import io
import os
import pathlib
import random
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import bytecode_mutants

from mlir_xla import ir
from mlir_xla.tools import run

TESTS = pathlib.Path(__file__).resolve().parents[2]
STAGES = ("xla", "legal", "linalg", "kernels", "loops", "llvm")
BATCH = 25  # texts for one process of xla-opt
SECONDS = 90  # what takes longer counts as endless
RUN_SECONDS = 10  # after which xla-run is interrupted
MEMORY = 6 << 30  # bytes of address space
LARGEST = 12_000  # characters of a program
_CRASH = re.compile(r"internal compiler error|LLVM ERROR|Assertion `|runtime error:|AddressSanitizer|Stack dump", re.I)

_TOKEN = re.compile(
    r"%[\w#:]+|[@#!^][\w.<]*|[A-Za-z_][\w.]*|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\"[^\"\n]*\"|->|\n|[^\S\n]+|."
)
_TYPE = re.compile(r"tensor<[\w?.x<>]*?>+")
_ELEMENTS = ["f32", "f64", "bf16", "f16", "i1", "i4", "ui2", "i8", "ui8", "i32", "ui64", "complex<f32>", "f8E4M3FN"]
_ELEMENTS += ["index", "f4E2M1FN", "!xla.token", "i128", "none"]
_NUMBERS = [0, 1, 2, 3, -1, -2, 7, 64, 65, 1000, 2**31 - 1, 2**31, -(2**31), 2**32, 2**62, 2**63 - 1, -(2**63), 2**64]


@functools.cache
def sources() -> tuple[str, ...]:
    """The programs, without the lines that are for FileCheck and lit."""
    found = []
    for path in sorted(TESTS.rglob("*.mlir")):
        for part in re.split(r"^// -----.*$", path.read_text(), flags=re.MULTILINE):
            lines = [line for line in part.splitlines() if line.strip() and not line.lstrip().startswith("//")]
            if lines and len(text := "\n".join(lines)) <= LARGEST:
                found.append(text + "\n")
    return tuple(dict.fromkeys(found))


@functools.cache
def _vocabulary() -> tuple[list[str], list[str]]:
    """Names of operations, and other tokens."""
    tokens = {token for text in sources() for token in _TOKEN.findall(text) if token.strip()}
    names = sorted(token.strip('"') for token in tokens if re.fullmatch(r'"?(xla|stablehlo|chlo)\.\w+"?', token))
    return sorted(set(names)), sorted(tokens)


def _type(rng: random.Random, old: str) -> str:
    """Another tensor type."""
    *dims, element = old.removeprefix("tensor<").removesuffix(">").split("x")
    match rng.randrange(5):
        case 0:
            element = rng.choice(_ELEMENTS)
        case 1 if dims:
            dims[rng.randrange(len(dims))] = rng.choice(["0", "1", "2", "3", "5", "16", "?", "100"])
        case 2:
            dims.insert(rng.randint(0, len(dims)), rng.choice(["0", "1", "2", "7"]))
        case 3 if dims:
            del dims[rng.randrange(len(dims))]
        case _:
            rng.shuffle(dims)
    return f"tensor<{'x'.join([*dims, element])}>"


def _consistent(rng: random.Random, text: str) -> str:
    """A size or an element type changed in all types alike, which often leaves a program sound."""
    types = _TYPE.findall(text)
    if not types:
        return text
    *dims, element = rng.choice(types).removeprefix("tensor<").removesuffix(">").split("x", 8)
    if dims and rng.random() < 0.6:
        old, new = rng.choice(dims), rng.choice(["0", "1", "1", "2", "3", "5", "17", "?"])
        return _TYPE.sub(lambda m: re.sub(rf"(?<![\w]){re.escape(old)}x", f"{new}x", m[0]), text)
    new = rng.choice(_ELEMENTS)
    return _TYPE.sub(lambda m: re.sub(rf"(?<![a-z]){re.escape(element)}(?=>)", new, m[0]), text)


def text_mutant(seed: int) -> str:
    """A program with some changes."""
    rng = random.Random(seed)
    text = rng.choice(sources())
    while rng.random() < 0.7 and not _bytecode(text):  # rather one that is sound
        text = rng.choice(sources())
    names, tokens = _vocabulary()
    if rng.random() < 0.4:
        for _ in range(rng.choice((1, 1, 2))):
            text = _consistent(rng, text)
        if rng.random() < 0.6:
            return text
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3, 6))):
        kind = rng.randrange(14)
        if kind == 0:  # a type, everywhere or once
            types = _TYPE.findall(text)
            if types:
                old = rng.choice(types)
                text = text.replace(old, _type(rng, old), rng.choice([-1, 1, 1, 2]))
            continue
        if kind == 1:  # an operation
            used = re.findall(r"\b(?:xla|stablehlo|chlo)\.\w+", text)
            if used:
                text = text.replace(rng.choice(used), rng.choice(names), rng.choice([1, 1, -1]))
            continue
        if kind in (2, 3):  # lines, the program's or another's
            lines, others = text.splitlines(True) or ["\n"], rng.choice(sources()).splitlines(True)
            at, count = rng.randrange(len(lines)), rng.choice([1, 1, 2, 5])
            start = rng.randrange(len(others))
            change = rng.randrange(4)
            if change == 0:
                lines[at : at + count] = []
            elif change == 1:
                lines[at : at + (count if rng.random() < 0.5 else 0)] = others[start : start + count]
            elif change == 2:
                lines[at:at] = lines[at : at + count]
            else:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            text = "".join(lines) or "\n"
            continue
        parts = _TOKEN.findall(text)
        places = [i for i, part in enumerate(parts) if part.strip()]
        if not places:
            break
        at, other = rng.choice(places), rng.choice(places)
        numbers = [i for i in places if re.fullmatch(r"-?\d+(\.\d+)?", parts[i])]
        if kind in (4, 5, 6) and numbers:
            at = rng.choice(numbers)
            near = int(float(parts[at])) + rng.choice([-1, 1]) if len(parts[at]) < 18 else 0
            parts[at] = str(rng.choice([*_NUMBERS, near, near, near]))
        elif kind == 7:
            parts[at], parts[other] = parts[other], parts[at]
        elif kind == 8:
            del parts[at : at + rng.choice([1, 1, 2, 4, 16])]
        elif kind == 9:
            parts[at:at] = [parts[at], " "]
        elif kind == 10:
            parts[at] = rng.choice(tokens)
        elif kind == 11:
            parts[at] = parts[other]
        elif kind == 12:
            parts[at:at] = [
                rng.choice(['"', "<", ">", "{", "}", "[", "(", "\0", "ü", "\x1b", "0x", ":", "dense<>", "?"])
            ]
        else:
            flips = {"true": "false", "false": "true", "LT": "GE", "EQ": "XX", "array": "dense", "i64": "i32"}
            found = [i for i in places if parts[i] in flips]
            if found:
                at = rng.choice(found)
                parts[at] = flips[parts[at]]
        text = "".join(parts)
    return text if rng.random() > 0.02 else text[: rng.randrange(len(text) + 1)]


@functools.cache
def _bytecode(text: str) -> bytes | None:
    stream = io.BytesIO()
    try:
        with ir.Context():
            ir.Module.parse(text).operation.write_bytecode(stream)
    except ir.MLIRError:
        return None
    return stream.getvalue()


def bytecode_mutant(seed: int) -> bytes:
    """A program's bytecode with some changes."""
    rng = random.Random(seed)
    found = []
    while len(found) < 2:
        if data := _bytecode(rng.choice(sources())):
            found.append(data)
    return bytecode_mutants.changed(rng, found[0], found[1:])


# ---- xla-opt ---------------------------------------------------------------------------------------------------------


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def opt_problem(data: bytes, suffix: str, stage: str, folder: str) -> str | None:
    """What is wrong with xla-opt's end on some input."""
    with tempfile.NamedTemporaryFile(suffix=suffix, dir=folder) as file:
        file.write(data)
        file.flush()
        command = [bytecode_mutants.xla_opt(), *_opt_flags(stage), file.name]
        try:
            found = subprocess.run(
                command, capture_output=True, timeout=SECONDS, check=False, preexec_fn=_limited,
                env=os.environ | {"TMPDIR": folder},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "endless"
    text = found.stderr.decode(errors="replace")
    if crash := _CRASH.search(text):
        start = max(text.rfind("\n", 0, crash.start()), 0)
        return text[start : start + 300].strip().replace(file.name, "FILE")
    return None if found.returncode in (0, 1) else f"exit status {found.returncode}: {text[-200:]}"


def _is_upstreams(data: bytes, folder: str) -> bool:
    """Whether `mlir-opt`, which has no operation of this project, dies of a text."""
    command = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    if command is None:
        return False
    with tempfile.NamedTemporaryFile(suffix=".mlir", dir=folder) as file:
        file.write(data)
        file.flush()
        # What it does not know may come before what it dies of.
        found = (
            subprocess.run([command, *more, file.name], capture_output=True, timeout=SECONDS, check=False)
            for more in ([], ["--allow-unregistered-dialect"])
        )
        return any(each.returncode < 0 for each in found)


def _opt_flags(stage: str) -> list[str]:
    return ["--split-input-file", "--allow-unregistered-dialect=false", *([] if stage == "xla" else [f"--to={stage}"])]


# ---- xla-run ---------------------------------------------------------------------------------------------------------


def _serve(folder: str) -> None:
    """Runs what it reads the name of, and answers with what is wrong."""
    _limited()
    answers = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    signal.signal(signal.SIGALRM, signal.default_int_handler)  # SIGINT may be ignored, as in the background of a shell
    for line in sys.stdin:
        target, name = line.split()
        errors = io.StringIO()
        problem = ""
        signal.alarm(RUN_SECONDS)
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
                run.main([f"--target={target}", name])
        except SystemExit:
            pass
        except KeyboardInterrupt:
            pass
        except BaseException as error:  # a traceback is no answer of a tool
            problem = f"{type(error).__name__}: {error}"
        with contextlib.suppress(KeyboardInterrupt):
            signal.alarm(0)
        if not problem and (crash := _CRASH.search(errors.getvalue())):
            problem = errors.getvalue()[crash.start() :][:300]
        print(" ".join(problem.split()), file=answers, flush=True)


class Runner:
    """A process of xla-run's package that runs mutants until it dies of one."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def problem(self, data: bytes, suffix: str, target: str) -> str | None:
        with tempfile.NamedTemporaryFile(suffix=suffix, dir=self._folder) as file:
            file.write(data)
            file.flush()
            return self._problem(f"{target} {file.name}")

    def _problem(self, line: str) -> str | None:
        if self._process is None:
            command = [sys.executable, __file__, "--worker", self._folder]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True,
                env=os.environ | {"TMPDIR": self._folder},
            )  # fmt: skip
        process = self._process
        assert process.stdin and process.stdout
        with contextlib.suppress(BrokenPipeError):  # then there is no answer either
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
        ready = select.select([process.stdout], [], [], SECONDS)[0]
        answer = process.stdout.readline() if ready else ""
        if answer:
            return answer.strip() or None
        if not ready:
            process.kill()
        status = process.wait()
        self.close()
        return f"xla-run died with {status}" if ready else "endless"

    def close(self) -> None:
        if self._process is not None:
            assert self._process.stdin and self._process.stdout
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
            self._process.stdout.close()
            self._process.wait()
        self._process = None


# ---- The command -----------------------------------------------------------------------------------------------------


class Session:
    """Counts what was tried, and keeps what was found."""

    def __init__(self, out: pathlib.Path, folder: str) -> None:
        self.out, self.folder = out, folder
        self.counts: collections.Counter[str] = collections.Counter()
        self.findings = 0
        self._lock = threading.Lock()

    def found(self, name: str, data: bytes, suffix: str, command: str, problem: str) -> None:
        if suffix == ".mlir" and _is_upstreams(data, self.folder):
            with self._lock:
                self.counts["texts that mlir-opt dies of"] += 1
            return
        with self._lock:
            self.findings += 1
            self.out.mkdir(parents=True, exist_ok=True)
            path = self.out / f"{name}{suffix}"
            path.write_bytes(data)
            print(f"{command} {path}\n    {problem}", flush=True)
            with (self.out / "findings.txt").open("a") as file:
                file.write(f"{command} {path}\n    {problem}\n")

    def opt_texts(self, seed: int, rng: random.Random) -> None:
        stage = rng.choice(STAGES)
        texts = [text_mutant(seed + i) for i in range(BATCH)]
        whole = "\n// -----\n".join(texts).encode()
        self.counts["texts to xla-opt"] += BATCH
        if problem := opt_problem(whole, ".mlir", stage, self.folder):
            flags, alone = " ".join(["xla-opt", *_opt_flags(stage)]), 0
            for i, text in enumerate(texts):
                if problem_alone := opt_problem(text.encode(), ".mlir", stage, self.folder):
                    self.found(f"opt-{stage}-{seed + i}", text.encode(), ".mlir", flags, problem_alone)
                    alone += 1
            if not alone:  # only all of them together
                self.found(f"opt-{stage}-{seed}-all", whole, ".mlir", flags, problem)

    def run_texts(self, seed: int, rng: random.Random, runner: Runner) -> None:
        target = rng.choice(["cpu", "cpu", "reference"])
        for i in range(BATCH):
            data = text_mutant(seed + i).encode()
            self.counts["texts to xla-run"] += 1
            if problem := runner.problem(data, ".mlir", target):
                self.found(f"run-{target}-{seed + i}", data, ".mlir", f"xla-run --target={target}", problem)

    def bytecodes(self, seed: int, rng: random.Random, runner: Runner) -> None:
        for i in range(6):
            data, stage = bytecode_mutant(seed + i), rng.choice(STAGES)
            if i % 2:
                self.counts["bytecode to xla-opt"] += 1
                if problem := opt_problem(data, ".mlirbc", stage, self.folder):
                    flags = " ".join(["xla-opt", *_opt_flags(stage)])
                    self.found(f"opt-{stage}-{seed + i}", data, ".mlirbc", flags, problem)
            else:
                self.counts["bytecode to xla-run"] += 1
                if problem := runner.problem(data, ".mlirbc", "cpu"):
                    self.found(f"run-cpu-{seed + i}", data, ".mlirbc", "xla-run --target=cpu", problem)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("findings"), help="for what is found")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        _serve(options.worker)
        return 0
    end = time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory() as folder:
        session = Session(options.out, folder)

        def work(job: int) -> None:
            runner = Runner(folder)
            for turn in range(job, sys.maxsize, options.jobs):
                if time.monotonic() >= end:
                    break
                seed = (options.seed << 32) + turn * BATCH
                rng = random.Random(seed)
                match turn // options.jobs % 4:
                    case 0 | 2:
                        session.opt_texts(seed, rng)
                    case 1:
                        session.run_texts(seed, rng, runner)
                    case 3:
                        session.bytecodes(seed, rng, runner)
            runner.close()

        sources()
        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(work, range(options.jobs)))
    tried = ", ".join(f"{n} {what}" for what, n in sorted(session.counts.items()))
    print(f"{session.findings} findings: {tried}, of {len(sources())} programs")
    return session.findings > 0


if __name__ == "__main__":
    sys.exit(main())
