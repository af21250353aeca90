# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random signals and exits: `signals.py FIRST LAST` runs the scenarios of the seeds from FIRST to before LAST, each in
a process of its own, and prints every one that goes wrong.

A scenario compiles and runs programs of test/programs while SIGINT comes at random moments, beside threads that do the
same, and may end Python in the middle of it. What is expected: a program gives its usual result or KeyboardInterrupt is
raised; what other threads run is not touched; afterwards everything works as before; the process ends with the status
that was chosen, in time and without a word on stderr.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import mlir_xla
from mlir_xla.tools import _arrays

PROGRAMS = sorted((Path(__file__).resolve().parents[2] / "programs").glob("*.mlir"))
ENDLESS = """
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %x) : tensor<i32>
    cond { %c = stablehlo.compare NE, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
           %d = stablehlo.not %c : tensor<i1>
           stablehlo.return %d : tensor<i1> }
    do { %n = stablehlo.add %i, %i : tensor<i32>
         stablehlo.return %n : tensor<i32> }
  return %0 : tensor<i32>
}
"""
STATUS = 7  # of a process that chose its end itself
SECONDS = 60.0  # that a scenario may take on a busy machine


class Wrong(Exception):
    """What a scenario found."""


class Case:
    """A program, its arguments, and the results that it had when nothing disturbed it."""

    def __init__(self, path: Path):
        self.path = path
        self.text = path.read_text()
        self.executable = mlir_xla.compile(self.text)
        self.arguments = _arrays.synthetic(self.executable.arg_types, seed=5)
        self.results = self.run(self.executable)

    def run(self, executable: mlir_xla.Executable) -> list[bytes]:
        results = executable(*self.arguments)
        return [np.asarray(array).tobytes() for array in (results if isinstance(results, tuple) else (results,))]

    def check(self, executable: mlir_xla.Executable) -> None:
        if self.run(executable) != self.results:
            raise Wrong(f"{self.path.stem}: another result")


def work(random_: random.Random, cases: list[Case]) -> None:
    case = random_.choice(cases)
    case.check(mlir_xla.compile(case.text) if random_.random() < 0.4 else case.executable)


def interrupted(seed: int, cases: list[Case]) -> None:
    """SIGINT for the main thread; other threads must not notice."""
    random_ = random.Random(seed)
    findings: list[BaseException] = []
    done = threading.Event()

    def other(number: int) -> None:
        own = random.Random(seed * 31 + number)
        try:
            while not done.is_set():
                work(own, cases)
        except BaseException as error:
            findings.append(error)

    threads = [threading.Thread(target=other, args=(i,)) for i in range(random_.randrange(3))]
    for thread in threads:
        thread.start()
    endless = mlir_xla.compile(ENDLESS)
    try:
        for _ in range(random_.randrange(1, 6)):
            timer = threading.Timer(random_.expovariate(30), os.kill, (os.getpid(), signal.SIGINT))
            try:
                timer.start()
                if random_.random() < 0.3:
                    endless(np.int32(1))
                    raise Wrong("an endless loop ended")
                while True:
                    work(random_, cases)
            except KeyboardInterrupt:
                pass
            timer.join()
            work(random_, cases)
    finally:
        done.set()
        for thread in threads:
            thread.join()
    if findings:
        raise Wrong(f"a thread that nobody interrupted: {findings[0]!r}")


def exiting(seed: int, cases: list[Case]) -> int:
    """Daemon threads in compiled code, in the compiler and in endless loops while Python ends; gives the status."""
    random_ = random.Random(seed)
    endless = mlir_xla.compile(ENDLESS)

    def other(number: int) -> None:
        own = random.Random(seed * 31 + number)
        if own.random() < 0.4:
            endless(np.int32(1))
        while True:
            work(own, cases)

    for i in range(random_.randrange(1, 4)):
        threading.Thread(target=other, args=(i,), daemon=True).start()
    time.sleep(random_.expovariate(20))
    return STATUS


def child(seed: int, cases: list[Case]) -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background jobs ignore
    if seed % 2:
        return exiting(seed, cases)
    interrupted(seed, cases)
    return 0


def batch(first: int, last: int) -> int:
    """Scenarios in forks of this process, which has no threads yet."""
    cases = [Case(path) for path in random.Random(first).sample(PROGRAMS, 6)]
    failures = 0
    for seed in range(first, last):
        with tempfile.TemporaryFile() as said:
            process = os.fork()
            if process == 0:
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                # The child ends as a script does: by the end of Python.
                sys.exit(child(seed, cases))
            deadline = time.monotonic() + SECONDS
            status = 0
            while (ended := os.waitpid(process, os.WNOHANG)) == (0, 0):
                if time.monotonic() > deadline:
                    os.kill(process, signal.SIGKILL)
                    os.waitpid(process, 0)
                    break
                time.sleep(0.002)
            hangs = ended == (0, 0)
            status = os.waitstatus_to_exitcode(ended[1]) if not hangs else 0
            said.seek(0)
            text = said.read().decode(errors="replace").strip()
        if hangs or status != (STATUS if seed % 2 else 0) or text:
            failures += 1
            print(f"seed {seed}: {'hangs' if hangs else f'status {status}'} {text[-2000:]}", flush=True)
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--one-batch", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one_batch:
        return min(batch(options.first, options.last), 100)
    failures = 0
    for first in range(options.first, options.last, 50):
        last = min(first + 50, options.last)
        command = [sys.executable, __file__, str(first), str(last), "--one-batch"]
        failures += subprocess.run(command, check=False).returncode
    print(f"{failures} of {options.last - options.first} scenarios fail")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
