# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A system in a process of its own, asked over pipes: for a peer that needs another Python or other libraries.

The process is this file, run by the interpreter in question with the system's name as its argument. It reads pickled
requests (a method's name and its arguments) and answers each before it reads the next, so while the others are sampled
it waits in a read. It takes its samples with the functions of `measure.py`, as this process does: the clock starts and
stops over there, and no time of the pipe is in it.
"""

from __future__ import annotations

import os
import pathlib
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


class WorkerError(Exception):
    """What went wrong in the process, in its words."""


class Remote:
    """The system `system`, run by `python` with those variables of the environment in addition."""

    def __init__(
        self,
        name: str,
        system: str,
        python: str | os.PathLike = sys.executable,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self._variables = dict(variables or {})
        self._command = [str(python), __file__, system]
        self._process: subprocess.Popen[bytes] | None = None

    def version(self) -> str:
        """The version of what is measured, and of the Python it runs under."""
        return self._ask("version")

    def load(self, name: str, text: str, arguments: Sequence[np.ndarray]) -> None:
        """Forgets the program before and takes the next one, with its inputs."""
        self._ask("load", name, text, list(arguments))

    def compile(self) -> float:
        """Compiles as if for the first time; returns seconds."""
        return self._ask("compile")

    def results(self) -> list[np.ndarray]:
        """The results of one call."""
        return self._ask("results")

    def memory(self) -> int | None:
        """Bytes of intermediate values."""
        return self._ask("memory")

    def sample(self, repeats: int, numpy: bool = False) -> float:
        """Seconds per call."""
        return self._ask("sample", repeats, numpy)

    def streamed(self, repeats: int) -> float:
        """Seconds per call of so many, of which only the last is waited for."""
        return self._ask("streamed", repeats)

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait()
            self._process.stdout.close()
            self._process = None

    def _ask(self, method: str, *arguments: Any) -> Any:
        if self._process is None:
            # Only the folder of this file is to be on its path; which cores it may use it inherits.
            environment = {key: each for key, each in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
            environment |= self._variables
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
            )
        try:
            pickle.dump((method, arguments), self._process.stdin, protocol=5)
            self._process.stdin.flush()
            good, answer = pickle.load(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            self._process.kill()
            status, self._process = self._process.wait(), None
            raise WorkerError(f"the process of {self.name} ended with {status}") from None
        if not good:
            raise WorkerError(answer)
        return answer


def serve(name: str) -> None:
    """The process: answers requests until there are no more."""
    requests = sys.stdin.buffer
    # Whatever a library prints must not get among the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    from systems import LOCAL

    system = LOCAL[name]()
    while True:
        try:
            method, arguments = pickle.load(requests)
        except EOFError:
            return
        try:
            answer = True, getattr(system, method)(*arguments)
        except Exception as error:  # noqa: BLE001  the one who asked is told
            answer = False, f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers, protocol=5)
        answers.flush()


if __name__ == "__main__":
    serve(sys.argv[1])
