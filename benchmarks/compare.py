# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the same programs on this project and on the newest XLA:CPU, in alternation, each in a process of its own.

    python benchmarks/compare.py                       all programs
    python benchmarks/compare.py matmul conv_3x3       names or families; words match parts of names
    python benchmarks/compare.py --list
    python benchmarks/compare.py --peer xla            the XLA of this environment, in this process
    python benchmarks/compare.py --subject xla --peer xla-process    null experiment: XLA against itself

Prints for each program the time per call of both, the ratio (above 1: this project is faster), how much of the
machine's limit this project reaches, and the compile times; then geometric means by family. `docs/benchmarks.md`
explains the method and its limits.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

from isa import CLOCK, ISAS, restrict

NEWEST = "xla-newest"


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filters", nargs="*", help="families, names or parts of names")
    parser.add_argument("--rounds", type=int, default=15, help="pairs of samples per program")
    parser.add_argument("--sample-ms", type=float, default=10.0, help="shortest length of a sample")
    parser.add_argument("--limit", type=float, default=6.0, help="seconds after which a program's rounds end early")
    parser.add_argument("--compiles", type=int, default=3, help="compilations timed per program and system")
    parser.add_argument("--threads", type=int, help="cores that both may use (default: all)")
    parser.add_argument("--isa", choices=ISAS, help="what all do with: fewer instructions than this processor has")
    parser.add_argument(
        "--clock",
        choices=("wall", "processor"),
        default="wall",
        help="time that samples take, or processor time of all threads (with --threads 1)",
    )
    parser.add_argument("--numpy", action="store_true", help="also time calls from NumPy to NumPy arrays")
    parser.add_argument("--streamed", action="store_true", help="also time calls that are not waited for one by one")
    parser.add_argument("--subject", default="mlir_xla", help="who is compared: mlir_xla, or one of the peers")
    parser.add_argument(
        "--peer",
        default=NEWEST,
        help="with whom: xla-newest (in an environment of its own), xla (of this environment, in this process), "
        "xla-process (the same in a process of its own), xla-text (on the text that mlir_xla gets)",
    )
    parser.add_argument(
        "--also",
        nargs="*",
        default=["numpy"],
        help="further peers, for the programs that have such a form: numpy, torch, torch-compiled",
    )
    parser.add_argument("--startup", action="store_true", help="also time imports and tools")
    parser.add_argument("--json", type=pathlib.Path, help="write everything measured to this file")
    parser.add_argument("--list", action="store_true", help="list the programs")
    return parser.parse_args()


def rate(record: dict) -> str:
    """GFLOP/s or GB/s, whichever the program's limit is."""
    if "limit" not in record:
        return ""
    flops, seconds = sum(record["work"]["flops"].values()), record["run"]["ours"]["median"]
    if record["limit"]["by"] == "flops":
        return f"{flops / seconds / 1e9:.1f} GF/s"
    return f"{record['work']['bytes'] / seconds / 1e9:.1f} GB/s"


def limit(arithmetic: float, moving: list[float], samples: Sequence[list[float]]) -> dict[str, object]:
    """The least time for the program's work on this machine, and what share of the times of both that is.

    `arithmetic` is the seconds for its operations; `moving` those for its bytes, in each round.
    """
    from measure import paired_ratio

    moved = statistics.median(moving)
    by, seconds = ("flops", arithmetic) if arithmetic > moved else ("bytes", moved)
    times = [arithmetic] * len(moving) if by == "flops" else moving
    ours, peer = (paired_ratio(each, times) for each in samples)
    return {"seconds": seconds, "by": by, "share": ours, "share_peer": peer}


def limits_of(subject):
    """The limits of the machine that the subject runs on."""
    import gpu_peaks
    import limits

    if subject.name != "mlir_xla-cuda":
        return limits.Limits()
    found = gpu_peaks.named(subject.version())
    if found is None:
        raise limits.Unmeasured(f"nothing is known of the GPU in {subject.version()}")
    return found


def revision() -> str:
    """The commit measured, with a mark if files were changed."""
    folder = pathlib.Path(__file__).resolve().parent
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


def compare(program, subject, peer, others, limits, settings: argparse.Namespace) -> dict[str, object]:
    """Measures one program on both systems, and on others that can run it."""
    from measure import Timing, disagreement, interleave, paired_ratio
    from systems import CAN_RUN
    from work import counted

    work = counted(program)
    record: dict[str, object] = {"name": program.name, "family": program.family}
    compiles: dict[str, list[float]] = {"ours": [], "peer": []}
    try:
        arguments, text = program.arguments(), program.export()
        others = [each for each in others if each.name not in CAN_RUN or CAN_RUN[each.name](program)]
        for system in (subject, peer, *others):
            system.load(program.name, text, arguments)
        del arguments
        for _ in range(settings.compiles):
            compiles["ours"].append(subject.compile())
            compiles["peer"].append(peer.compile())
        record["memory"] = {"ours": subject.memory(), "peer": peer.memory()}
        for system in others:
            system.compile()
        found, expected = subject.results(), [each.results() for each in (peer, *others)]
    except Exception as error:  # noqa: BLE001  a program that fails is a result, the others still count
        return record | {"error": f"{type(error).__name__}: {error}"}
    record["compile"] = {key: {"first": each[0], "median": statistics.median(each)} for key, each in compiles.items()}
    tolerances = program.rtol, program.atol, program.mismatch
    problems = [disagreement(found, each, *tolerances) for each in expected]
    record["difference"], problem = problems[0]
    if problem:
        record["error"] = f"results differ: {problem}"
    del found, expected

    def timed(numpy: bool = False, streamed: bool = False) -> dict[str, object]:
        all_systems = subject, peer, *others
        if streamed:
            systems = [system.streamed for system in all_systems]
        else:
            systems = [functools.partial(system.sample, numpy=numpy) for system in all_systems]
        if limits is not None and not numpy:
            # One of the systems does nothing but to read and write as many bytes.
            systems.append(limits.memory(work))
        samples = interleave(systems, settings.rounds, settings.sample_ms * 1e-3, settings.limit)
        if limits is not None and not numpy:
            record["limit"] = limit(limits.arithmetic(work), samples.pop(), samples[:2])
        each = [dataclasses.asdict(Timing.of(sample)) for sample in samples]
        result = {"ours": each[0], "peer": each[1], "ratio": paired_ratio(*samples[:2])}
        if others:
            result["others"] = {
                other.name: each[index] | {"ratio": paired_ratio(samples[0], samples[index])}
                # Whoever computes something else is no peer.
                for index, (other, problem) in enumerate(zip(others, problems[1:], strict=True), 2)
                if not problem[1]
            }
        return result

    record["handover"] = limits.handover() if limits is not None else None
    record["run"] = timed()
    if settings.streamed:  # the limit is then that of the device alone
        record["streamed"] = timed(streamed=True)
    if settings.numpy:
        record["run_numpy"] = timed(numpy=True)
    record["work"] = dataclasses.asdict(work)
    return record


def line(record: dict) -> str:
    """One row of the table."""
    from measure import pretty, size

    if "run" not in record:
        return f"{record['name']:28} FAILED  {str(record['error']).splitlines()[0][:140]}"
    ours, peer = record["run"]["ours"]["median"], record["run"]["peer"]["median"]
    row = f"{record['name']:28} {pretty(ours):>9} {pretty(peer):>9} {record['run']['ratio']:7.2f}x"
    share = f"{record['limit']['share']:.2f}" if "limit" in record else ""
    row += f" {rate(record):>13} {share:>6}"
    compiling = [record["compile"][key]["median"] for key in ("ours", "peer")]
    row += f" {pretty(compiling[0]):>9} {pretty(compiling[1]):>9} {compiling[1] / compiling[0]:7.1f}x"
    row += "".join(f" {size(record['memory'][key]):>8}" for key in ("ours", "peer"))
    if "streamed" in record:
        row += "".join(f" {pretty(record['streamed'][key]['median']):>9}" for key in ("ours", "peer"))
        row += f" {record['streamed']['ratio']:7.2f}x"
    if "run_numpy" in record:
        row += f" {record['run_numpy']['ratio']:7.2f}x"
    for name, each in record["run"].get("others", {}).items():
        row += f"  {name} {pretty(each['median'])} {each['ratio']:.2f}x"
    return row + (f"  WRONG {record['error']}" if "error" in record else "")


def summary(records: list[dict]) -> dict[str, dict[str, float]]:
    """Geometric means by family and overall, of the programs whose results agree."""
    from measure import geometric_mean

    good = [each for each in records if "error" not in each]
    groups = {
        family: [each for each in good if each["family"] == family] for family in {each["family"] for each in good}
    }
    groups = dict(sorted(groups.items())) | {"all": good}
    return {
        family: {
            "programs": len(members),
            "run": geometric_mean(each["run"]["ratio"] for each in members),
            "compile": geometric_mean(
                each["compile"]["peer"]["median"] / each["compile"]["ours"]["median"] for each in members
            ),
        }
        for family, members in groups.items()
    }


def main() -> int:
    settings = options()
    if settings.threads:
        # Before anything starts threads: both systems size their pools by the cores they are allowed.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: settings.threads])
    if settings.isa:
        restrict(settings.isa)
    os.environ[CLOCK] = settings.clock
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    # OpenBLAS's threads spin after a product, by default longer than anybody could wait; now 2^20 cycles.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "20")
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    from programs import choose

    chosen = choose(settings.filters)
    if settings.list:
        for program in chosen:
            inputs = ", ".join(f"{each.dtype}{list(each.shape)}" for each in program.specs)
            print(f"{program.family:14} {program.name:24} {inputs}")
        return 0

    from environment import Unavailable
    from limits import Unmeasured
    from measure import machine
    from programs import PROGRAMS
    from report import remarks
    from systems import SYSTEMS

    subject = SYSTEMS[settings.subject]()
    try:
        peer = SYSTEMS[settings.peer]()
    except Unavailable as reason:
        print(f"{settings.peer} cannot be had: {reason}.\nThe peer is XLA of this environment, in this process.\n")
        peer = SYSTEMS["xla"]()
    others = [SYSTEMS[name]() for name in settings.also]
    about = machine() | {
        "revision": revision(),
        "subject": f"{subject.name} {subject.version()}",
        "peer": f"{peer.name} {peer.version()}",
        "others": [f"{each.name} {each.version()}" for each in others],
        "rounds": settings.rounds,
        "isa": settings.isa,
        "clock": settings.clock,
    }
    load = about["load_average"][0]
    print(f"{about['processor']}, {about['cores']} cores, load {load:.2f}, revision {about['revision']}")
    names = " and ".join([about["peer"], *about["others"]])
    told = f", all without more than {settings.isa}" if settings.isa else ""
    print(f"{about['subject']} against {names}, {settings.rounds} interleaved rounds{told}\n")
    if load > 0.5:
        print("The machine is busy with something else: expect noise.\n")
    # Whatever a first compilation loads and sets up is not one program's fault.
    for system in (subject, peer):
        warm = PROGRAMS["dot_8"]
        try:
            system.load(warm.name, warm.export(), warm.arguments())
            system.compile()
        except Exception as error:  # noqa: BLE001  whatever it is, it is the answer
            print(f"{system.name} cannot compile {warm.name}: {error}")
            return 2

    try:
        limits = limits_of(subject)
        about["limits"] = str(limits)
        print(f"{limits}\n")
    except Unmeasured as reason:
        limits = None
        print(f"The limits of this machine are not measured: {reason}\n")
    names = f"{'program':28} {'ours':>9} {'peer':>9} {'ratio':>8} {'rate':>13} {'share':>6}"
    heading = names + f" {'compile':>9} {'peer':>9} {'ratio':>8} {'memory':>8} {'peer':>8}"
    heading += f" {'streamed':>9} {'peer':>9} {'ratio':>8}" if settings.streamed else ""
    print(heading + (f" {'numpy':>8}" if settings.numpy else ""))
    records, started = [], time.perf_counter()
    for program in chosen:
        record = compare(program, subject, peer, others, limits, settings)
        records.append(record)
        print(line(record), flush=True)
    means = summary(records)
    print(f"\n{'geometric mean':28} {'programs':>8} {'run':>8} {'compile':>8}")
    for family, each in means.items():
        if not math.isnan(each["run"]):
            print(f"{family:28} {each['programs']:8} {each['run']:7.2f}x {each['compile']:7.1f}x")
    for system in (subject, peer, *others):
        system.close()
    for title, names in remarks(records).items():
        print(f"\n{title} ({len(names)}): {', '.join(names) or 'none'}")
    failed = [each["name"] for each in records if "error" in each]
    about |= {"seconds": time.perf_counter() - started, "load_average_after": list(os.getloadavg())}
    output = {"about": about, "geometric_means": means, "programs": records}
    if settings.startup:
        import startup

        output["startup"] = startup.measure()
        for name, each in output["startup"].items():
            print(f"{name:32} {each['median'] * 1e3:8.1f} ms")
    if settings.json:
        settings.json.parent.mkdir(parents=True, exist_ok=True)
        settings.json.write_text(json.dumps(output, indent=1) + "\n")
        print(f"written to {settings.json}")
    if failed:
        print(f"{len(failed)} of {len(records)} failed or differ: {' '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
