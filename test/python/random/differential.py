# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares random programs on two systems: `differential.py --programs 20000 --seed 1`.

    --against reference     compiled code against the interpreter (the default)
    --against xla           compiled code against XLA:CPU, of programs that XLA takes, by jaxlib
    --target cuda-emulated  code for that target, instead of the CPU
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
import ml_dtypes  # noqa: E402
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
_TARGET = ["cpu"]  # what is tried
_WITHOUT: set[str] = set()  # names of draws and steps that are left out
_KINDS: set[str] = set()  # names of draws that are taken alone, if there are any
_MISSING = re.compile(r"'xla\.\w+'[^'\n]*(no lowering|no reference semantics)")
# XLA promises no accuracy: its functions may be off by this many more units in the last place, of 0.1 for less. It
# takes subnormals as zeros.
XLA_ULPS = 512


@dataclasses.dataclass
class Trial:
    """A program with its arguments, and what is wrong with (results, expected results)."""

    kind: str
    text: str
    arrays: list[np.ndarray]
    judge: Callable[[list[np.ndarray], list[np.ndarray]], str | None]
    xla: bool = True
    program: Any = None  # of a graph


def trial(seed: int, against: str = "reference") -> Trial:
    """The program of a seed."""
    d = Draw(seed)
    kind = d.random()
    if kind < 0.55 or _KINDS:
        draws = [each for each in _SINGLE if each.__name__ not in _WITHOUT]
        draw = d.choice([each for each in draws if each.__name__ in _KINDS] if _KINDS else draws)
        case = draw(d)
        name = draw.__name__.rstrip("_")
        judge = (lambda *r: _judged_by_xla(case, *r)) if against == "xla" else (lambda *r: _judged(case, *r))
        computes = draw in elementwise_draws.DRAWS or draw in fold_draws.DRAWS
        xla = case.xla and for_xla(case.text) and not (computes and _subnormal(case.arrays))
        return Trial(name, case.text, case.arrays, judge, xla)
    p = graph_programs.program(seed, kind > 0.85)

    def judge(have: list[np.ndarray], want: list[np.ndarray]) -> str | None:
        return _judged_graph(p, have, want, against)

    return Trial("control flow" if kind > 0.85 else "graph", p.text(), p.arrays, judge, for_xla(p.text()), p)


def for_xla(text: str) -> bool:
    """What XLA:CPU has otherwise is left out: `docs/semantics.md` says what and why."""
    sub_byte = re.search(r"[x<]u?i[24]>", text)
    differs = [
        "xla.ragged_dot" in text or "f8E8M0FNU" in text,
        re.search(r'"xla\.rng_bit_generator".*-> \(.*, tensor<(\d+x)*i\d+>\)', text),
        sub_byte and ("xla.sort" in text or "xla.mulhi" in text),
        "xla.scatter" in text and re.search(r"[x<]0x", text),
        "xla.select_and_scatter" in text and re.search(r"[x<]ui\d+>", text),
    ]
    return not any(differs)


def _judged(case: Case, have: list[np.ndarray], want: list[np.ndarray]) -> str | None:
    if case.judge:
        return case.judge(have, want, case.arrays)
    for i, (found, expected) in enumerate(zip(have, want, strict=True)):
        within: Any = case.within[i] if case.within else case.ulps * spacing(expected) if case.ulps else 0.0
        if case.terms is not None and expected.dtype == np.float64:
            within = np.maximum(within, case.ulps * np.spacing(case.terms))
        if problem := difference(found, expected, within, case.signed_zeros):
            return f"result {i}: {problem}"
    return None


def _judged_by_xla(case: Case, have: list[np.ndarray], want: list[np.ndarray]) -> str | None:
    """Signs of zeros, which XLA's simplifications change, do not count."""
    if case.judge:
        return case.judge(have, want, case.arrays)
    for i, (found, expected) in enumerate(zip(have, want, strict=True)):
        within: Any = case.within[i] if case.within else 0.0
        if is_float(expected.real.dtype):
            part = expected.real.dtype
            within = within + float(ml_dtypes.finfo(part).smallest_normal)
            if case.ulps:
                floor = 0.1 if case.terms is None else np.maximum(case.terms, 1)
                with np.errstate(invalid="ignore"):
                    size = np.maximum(np.abs(expected.astype(np.complex128)), floor).astype(part)
                within = within + (2 if part.itemsize <= 2 else case.ulps + XLA_ULPS) * spacing(size)
        if problem := difference(found, expected, within, signed_zeros=False):
            return f"result {i}: {problem}"
    return None


def _judged_graph(p: Any, have: list[np.ndarray], want: list[np.ndarray], against: str) -> str | None:
    if against == "reference":
        return next(filter(None, map(typed_checks.difference, have, want, p.results)), None)
    found = (difference(x, y, 4 * v.error, signed_zeros=False) for x, y, v in zip(have, want, p.results, strict=True))
    return next(filter(None, found), None)


def _subnormal(arrays: list[np.ndarray]) -> bool:
    """Whether one of the floats is."""
    for each in arrays:
        for part in (each.real, each.imag) if each.dtype.kind == "c" else (each,):
            if is_float(part.dtype):
                with np.errstate(invalid="ignore"):
                    size = np.abs(part.astype(np.float64))
                if ((size > 0) & (size < float(ml_dtypes.finfo(part.dtype).smallest_normal))).any():
                    return True
    return False


def _results(text: str, arrays: list[np.ndarray], target: str) -> list[np.ndarray]:
    found = mlir_xla.compile(text, target=target)(*arrays)
    return [np.asarray(each) for each in (found if isinstance(found, (tuple, list)) else [found])]


def verdict(t: Trial, against: str, begun: Callable[[], None] = lambda: None) -> str | None:
    """What is wrong with a program; None if nothing is. `begun` is called before XLA gets it."""
    errors, results = {}, {}

    def by_xla() -> list[np.ndarray]:
        begun()
        return evaluated_by_xla(t.text, t.arrays)

    [target] = _TARGET
    systems = {target: lambda: _results(t.text, t.arrays, target)}
    systems[against] = by_xla if against == "xla" else lambda: _results(t.text, t.arrays, "reference")
    for name, evaluate in systems.items():
        try:
            results[name] = evaluate()
        except Exception as error:  # whatever is raised is the finding
            errors[name] = " ".join(str(error).split()) or type(error).__name__
    if errors:
        missing = next((m for each in errors.values() if (m := _MISSING.search(each))), None)
        if missing:
            return f"missing: {missing[0]}"
        if target not in errors and against == "xla":
            return f"refused: {errors['xla'][-300:]}"
        return "; ".join(f"{name}: {text[-400:]}" for name, text in errors.items())
    have, want = results.values()
    if len(have) != len(want):
        return f"{len(have)} results instead of {len(want)}"
    return t.judge(have, want)


def serve(seeds: list[int], against: str, out: int) -> None:
    """Tries programs and writes a line for each, before that one if XLA gets it."""
    with open(out, "w", buffering=1) as pipe:
        for seed in seeds:
            t = trial(seed, against)
            begun = lambda seed=seed: print(seed, "begun", file=pipe)  # noqa: E731
            found = "skipped" if against == "xla" and not t.xla else verdict(t, against, begun) or ""
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
        done, endless, rest, by_xla = 0, False, b"", False
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
                by_xla = found == "begun"
                if by_xla:
                    continue
                kind, problem = eval(found)  # noqa: S307  what the child has written
                done += 1
                yield int(seed), kind, problem
        os.close(reading)
        status = os.waitpid(child, 0)[1]
        if done < len(seeds):
            how = "endless" if endless else f"crash, status {status}"
            yield seeds[done], trial(seeds[done]).kind, f"refused: {how}" if by_xla else how
            done += 1
        seeds = seeds[done:]


def isolated(t: Trial, against: str) -> str | None:
    """The verdict of a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(SECONDS)
        os.write(writing, (verdict(t, against) or "").encode()[:4000])
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        text = pipe.read().decode(errors="replace")
    status = os.waitpid(child, 0)[1]
    return f"crash, status {status}" if status else text or None


def only(seed: int, against: str) -> int:
    """Prints one program, and what is wrong with it."""
    t = trial(seed, against)
    found = isolated(t, against)
    print(f"// seed {seed}, {t.kind}\n{t.text}")
    for i, each in enumerate(t.arrays):
        print(f"// argument {i}: {each.dtype}{list(each.shape)} {each.reshape(-1)[:20]}".replace("\n", " "))
    print(f"// {found or 'nothing is wrong'}{' (not for XLA)' if against == 'xla' and not t.xla else ''}")
    if found and t.program is not None:

        def fails(p: Any) -> bool:
            def judge(have: list[np.ndarray], want: list[np.ndarray]) -> str | None:
                return _judged_graph(p, have, want, against)

            return isolated(Trial(t.kind, p.text(), p.arrays, judge), against) is not None

        print("// smaller:\n" + typed_checks.shrunk(t.program, fails).text())
    return found is not None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--against", choices=["reference", "xla"], default="reference")
    parser.add_argument("--target", choices=["cpu", "cuda-emulated", "cuda"], default="cpu")
    parser.add_argument("--only", type=int, metavar="SEED", help="one program")
    parser.add_argument("--refusals", action="store_true", help="print what XLA refuses, too")
    parser.add_argument("--kinds", default="", help="of one operation, of these only: sort,top_k")
    parser.add_argument("--without", default="", help="operations that are left out, by commas: sort,top_k")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    _TARGET[:] = [options.target]
    _WITHOUT.update(options.without.split(","))
    _KINDS.update(filter(None, options.kinds.split(",")))
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
            if problem == "skipped" or problem.startswith("refused: "):
                counts[problem[:7]] += 1
                if options.refusals and problem != "skipped":
                    print(f"seed {seed}, {kind}: {problem}", flush=True)
                continue
            kinds[kind] += 1
            if problem.startswith("missing: "):
                missing[problem.removeprefix("missing: ")] += 1
            elif problem:
                counts["found"] += 1
                print(f"seed {seed}, {kind}: {problem}", flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(run, range(options.jobs)))
    single = {kind: n for kind, n in kinds.items() if kind not in ("graph", "control flow")}
    for what, n in missing.most_common():
        print(f"not implemented, {n} programs: {what}")
    others = f", {counts['skipped']} others not for XLA, {counts['refused']} refused by it"
    seconds = time.monotonic() - start
    print(
        f"{counts['found']} of {sum(kinds.values())} programs differ from {options.against} ({sum(single.values())} of"
        f" one operation of {len(single)} kinds, {kinds['graph']} graphs, {kinds['control flow']} with control flow,"
        f" {sum(missing.values())} of them not implemented{others * (options.against == 'xla')}) in {seconds:.0f} s"
    )
    return counts["found"] > 0


if __name__ == "__main__":
    sys.exit(main())
