# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares random programs on two systems: `differential.py --programs 20000 --seed 1`.

    --against reference     compiled code against the interpreter (the default)
    --against xla           compiled code against XLA:CPU, of programs that XLA takes, by jaxlib
    --only 1234             one program: its text and what is wrong with it; graphs are made smaller

Program i is that of the seed `--seed` + i: one operation with random attributes on random element types, a graph of 5
to 30 operations, or one with loops and branches. What is different, refused by one side or ends the process is printed
with its seed; what is refused because an operation is not implemented is only counted. The exit status is 1 if anything
is found.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import os
import re
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(FOLDER), str(FOLDER / "vectors")]

import elementwise_draws  # noqa: E402
import fold_draws  # noqa: E402
import graph_programs  # noqa: E402
import numpy as np  # noqa: E402
import shape_draws  # noqa: E402
import solve_draws  # noqa: E402
import typed_checks  # noqa: E402
from comparison import difference, is_float, spacing  # noqa: E402
from draws import Case, Draw  # noqa: E402
from xla_client import evaluated_by_xla  # noqa: E402

import mlir_xla  # noqa: E402

SECONDS = 60  # what takes longer counts as endless
_FAMILIES = [elementwise_draws.DRAWS, shape_draws.DRAWS, fold_draws.DRAWS, solve_draws.DRAWS]
_SINGLE = [draw for family in _FAMILIES for draw, weight in family.items() for _ in range(weight)]
_WITHOUT: set[str] = set()  # names of draws and steps that are left out
_MISSING = re.compile(r"'xla\.\w+'[^'\n]*(no lowering|no reference semantics)")
# XLA promises no accuracy; this many more units in the last place are allowed for its functions.
XLA_ULPS = 8


@dataclasses.dataclass
class Trial:
    """A program with its arguments, and what is wrong with (results, expected results)."""

    kind: str
    text: str
    arrays: list[np.ndarray]
    judge: Callable[[list[np.ndarray], list[np.ndarray]], str | None]
    xla: bool = True
    program: Any = None  # of a graph


def trial(seed: int, ulps: float = 0.0) -> Trial:
    """The program of a seed; `ulps` more may be wrong where functions are approximated."""
    d = Draw(seed)
    kind = d.random()
    if kind < 0.55:
        draw = d.choice([each for each in _SINGLE if each.__name__ not in _WITHOUT])
        case = draw(d)
        name = draw.__name__.rstrip("_")
        return Trial(name, case.text, case.arrays, lambda have, want: _judged(case, have, want, ulps), case.xla)
    p = graph_programs.program(seed, kind > 0.85)

    def judge(have: list[np.ndarray], want: list[np.ndarray]) -> str | None:
        return next(filter(None, map(typed_checks.difference, have, want, p.results)), None)

    return Trial("control flow" if kind > 0.85 else "graph", p.text(), p.arrays, judge, program=p)


def _judged(case: Case, have: list[np.ndarray], want: list[np.ndarray], ulps: float) -> str | None:
    if case.judge:
        return case.judge(have, want, case.arrays)
    for i, (found, expected) in enumerate(zip(have, want, strict=True)):
        within: Any = case.within[i] if case.within else 0.0
        if case.ulps and is_float(expected.real.dtype):
            within = (case.ulps + (ulps if expected.real.dtype.itemsize > 2 else 0)) * spacing(expected)
        if problem := difference(found, expected, within, case.signed_zeros):
            return f"result {i}: {problem}"
    return None


def _results(text: str, arrays: list[np.ndarray], target: str) -> list[np.ndarray]:
    found = mlir_xla.compile(text, target=target)(*arrays)
    return [np.asarray(each) for each in (found if isinstance(found, (tuple, list)) else [found])]


def verdict(t: Trial, against: str) -> str | None:
    """What is wrong with a program; None if nothing is."""
    errors, results = {}, {}
    systems = {"cpu": lambda: _results(t.text, t.arrays, "cpu")}
    if against == "xla":
        systems["xla"] = lambda: evaluated_by_xla(t.text, t.arrays)
    else:
        systems["reference"] = lambda: _results(t.text, t.arrays, "reference")
    for name, evaluate in systems.items():
        try:
            results[name] = evaluate()
        except Exception as error:  # whatever is raised is the finding
            errors[name] = " ".join(str(error).split()) or type(error).__name__
    if errors:
        missing = next((m for each in errors.values() if (m := _MISSING.search(each))), None)
        if missing:
            return f"missing: {missing[0]}"
        return "; ".join(f"{name}: {text[-400:]}" for name, text in errors.items())
    have, want = results.values()
    if len(have) != len(want):
        return f"{len(have)} results instead of {len(want)}"
    return t.judge(have, want)


def serve(seeds: list[int], against: str, out: int) -> None:
    """Tries programs and writes a line for each."""
    ulps = XLA_ULPS if against == "xla" else 0.0
    with open(out, "w", buffering=1) as pipe:
        for seed in seeds:
            t = trial(seed, ulps)
            found = "skipped" if against == "xla" and not t.xla else verdict(t, against) or ""
            print(seed, repr((t.kind, found)), file=pipe)


def tried(seeds: list[int], against: str) -> Iterator[tuple[int, str, str]]:
    """(seed, kind, problem), tried in a process of its own, and another one after each crash."""
    while seeds:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            try:
                serve(seeds, against, writing)
            finally:
                os._exit(0)
        os.close(writing)
        done, endless, rest = 0, False, b""
        while True:
            if not select.select([reading], [], [], SECONDS)[0]:
                endless = True
                os.kill(child, signal.SIGKILL)
                break
            data = os.read(reading, 1 << 16)
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                seed, found = line.decode().split(" ", 1)
                kind, problem = eval(found)  # noqa: S307  what the child has written
                done += 1
                yield int(seed), kind, problem
        os.close(reading)
        status = os.waitpid(child, 0)[1]
        if done < len(seeds):
            yield seeds[done], trial(seeds[done]).kind, "endless" if endless else f"crash, status {status}"
            done += 1
        seeds = seeds[done:]


def only(seed: int, against: str) -> int:
    """Prints one program, and what is wrong with it."""
    t = trial(seed, XLA_ULPS if against == "xla" else 0.0)
    found = verdict(t, against)
    print(f"// seed {seed}, {t.kind}\n{t.text}")
    for i, each in enumerate(t.arrays):
        print(f"// argument {i}: {each.dtype}{list(each.shape)} {each.reshape(-1)[:20]}".replace("\n", " "))
    print(f"// {found or 'nothing is wrong'}")
    if found and t.program is not None:

        def fails(p: Any) -> bool:
            def judge(have: list[np.ndarray], want: list[np.ndarray]) -> str | None:
                return next(filter(None, map(typed_checks.difference, have, want, p.results)), None)

            return verdict(Trial(t.kind, p.text(), p.arrays, judge), against) is not None

        print("// smaller:\n" + typed_checks.shrunk(t.program, fails).text())
    return found is not None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--against", choices=["reference", "xla"], default="reference")
    parser.add_argument("--only", type=int, metavar="SEED", help="one program")
    parser.add_argument("--without", default="", help="operations that are left out, by commas: sort,top_k")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    _WITHOUT.update(options.without.split(","))
    graph_programs.Graph.without = frozenset(_WITHOUT)
    if options.only is not None:
        return only(options.only, options.against)
    start = time.monotonic()
    kinds: collections.Counter[str] = collections.Counter()
    missing: collections.Counter[str] = collections.Counter()
    counts: collections.Counter[str] = collections.Counter()

    def run(job: int) -> None:
        seeds = list(range(options.seed + job, options.seed + options.programs, options.jobs))
        for seed, kind, problem in tried(seeds, options.against):
            if problem == "skipped":
                counts["skipped"] += 1
                continue
            kinds[kind] += 1
            if problem.startswith("missing: "):
                missing[problem.removeprefix("missing: ")] += 1
            elif problem:
                counts["found"] += 1
                print(f"seed {seed}, {kind}: {problem}", flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(run, range(options.jobs)))
    single = sum(n for kind, n in kinds.items() if kind not in ("graph", "control flow"))
    for what, n in missing.most_common():
        print(f"not implemented, {n} programs: {what}")
    skipped = f", {counts['skipped']} not for XLA" if counts["skipped"] else ""
    print(
        f"{counts['found']} of {sum(kinds.values())} programs differ from {options.against} ({single} of one operation"
        f" of {len(kinds) - 2} kinds, {kinds['graph']} graphs, {kinds['control flow']} with control flow,"
        f" {sum(missing.values())} of them not implemented{skipped}) in {time.monotonic() - start:.0f} s"
    )
    return counts["found"] > 0


if __name__ == "__main__":
    sys.exit(main())
