# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs everything that `write_corpus.py` wrote and says what fails, why, and for which operations.

    python benchmarks/check_corpus.py FOLDER [WORD ...]                      compile, run, compare with JAX's results
    python benchmarks/check_corpus.py FOLDER --target reference
    python benchmarks/check_corpus.py FOLDER --tool "xla-opt --to=linalg"    only whether the tool accepts the files

Each file runs in a process of its own pool, so that a crash or an endless loop counts as one failure.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import multiprocessing
import pathlib
import re
import shlex
import subprocess
import sys


def with_tool(command: str, path: pathlib.Path, limit: float) -> str:
    """What the tool complains of: its first error line, "" if it accepts the file."""
    try:
        found = subprocess.run(
            [*shlex.split(command), str(path)], capture_output=True, text=True, check=False, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return f"timeout after {limit} s"
    if found.returncode < 0:
        return f"killed by signal {-found.returncode}"
    if found.returncode == 0:
        return ""
    lines = found.stderr.splitlines()
    return next((each for each in lines if "error:" in each), lines[-1] if lines else f"exit status {found.returncode}")


def with_package(path: pathlib.Path, target: str) -> str:
    """What is wrong with the package's results, "" if they agree with JAX's."""
    import numpy as np
    from measure import disagreement
    from write_corpus import load

    import mlir_xla

    folder = path.parent.parent if path.parent.name == "generic" else path.parent
    about = json.loads((folder / f"{path.stem}.json").read_text())
    arguments = load(folder / f"{path.stem}.in.npz", "arg", about["args"])
    expected = load(folder / f"{path.stem}.out.npz", "out", about["outs"])
    try:
        found = mlir_xla.compile(path.read_text(), target=target)(*arguments)
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    found = [np.asarray(each) for each in (found if isinstance(found, (list, tuple)) else [found])]
    return disagreement(found, expected, about["rtol"], about["atol"], about.get("mismatch", 0.0))[1]


def _serve(pipe, target: str) -> None:
    while True:
        path = pipe.recv()
        pipe.send(with_package(path, target))


class Worker:
    """A process that runs one file after the other, replaced when it dies or hangs."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._process: multiprocessing.Process | None = None

    def run(self, path: pathlib.Path, limit: float) -> str:
        """The result of `with_package` on that file, or how the process ended."""
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._pipe, other = context.Pipe()
            self._process = context.Process(target=_serve, args=(other, self._target), daemon=True)
            self._process.start()
            other.close()
        try:
            self._pipe.send(path)
            if self._pipe.poll(limit):
                return self._pipe.recv()
            problem = f"timeout after {limit} s"
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self._process.join()
            problem = f"process ended with {self._process.exitcode}"
        self._process.kill()
        self._process = None
        return problem


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("words", nargs="*", help="only files whose names hold one of these")
    parser.add_argument("--tool", help="command that gets the file's path appended")
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one file")
    parser.add_argument("--quiet", action="store_true", help="only the summary")
    parser.add_argument("--jobs", type=int, default=2, help="files at a time, with --tool")
    settings = parser.parse_args()
    paths = sorted(each for each in settings.folder.glob("*.mlir") if not each.stem.startswith("."))
    paths = [path for path in paths if not settings.words or any(word in path.stem for word in settings.words)]
    if settings.tool:
        with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
            problems = list(pool.map(lambda path: with_tool(settings.tool, path, settings.limit), paths))
    else:
        worker = Worker(settings.target)
        problems = [worker.run(path, settings.limit) for path in paths]
    failed = {path: problem for path, problem in zip(paths, problems, strict=True) if problem}
    kinds: collections.Counter[str] = collections.Counter()
    for path, problem in failed.items():
        if not settings.quiet:
            print(f"{path.stem}: {problem[:240]}")
        reason = re.sub(r"^.*?error: ", "", problem)
        kinds[re.sub(r"\d+|'[^']*<[^']*'|\([^)]*\)", "_", reason)[:100]] += 1
    for kind, count in kinds.most_common(25):
        print(f"{count:5}  {kind}")
    print(f"{len(paths) - len(failed)} of {len(paths)} pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
