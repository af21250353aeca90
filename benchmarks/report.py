# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns the JSON of `compare.py` into the tables of a page, between the marks `<!-- results -->` and `<!-- end -->`.

python benchmarks/report.py benchmarks/results/NAME.json [--into docs/benchmarks.md]
python benchmarks/report.py benchmarks/results/gpu/NAME.json [--into docs/gpu-benchmarks.md]
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib

from measure import geometric_mean, pretty, size

BEGIN, END = "<!-- results -->", "<!-- end -->"


def share(record: dict) -> str:
    """Of the machine's limit, and which one it is."""
    limit = record.get("limit")
    return f"{limit['share']:.0%} of {limit['by']}" if limit else ""


def best_peer(record: dict) -> float:
    """The ratio to whoever is fastest."""
    return min([record["run"]["ratio"], *(each["ratio"] for each in record["run"].get("others", {}).values())])


def handovers(records: list[dict]) -> list[str]:
    """How long a word takes from core to core while the programs are measured: a line, or none."""
    found = sorted(each["handover"] * 1e9 for each in records if each.get("handover"))
    if not found:
        return []
    middle = found[len(found) // 2]
    return [f"From core to core a word takes {found[0]:.0f} to {found[-1]:.0f} ns, in the median {middle:.0f} ns."]


def remarks(records: list[dict]) -> dict[str, list[str]]:
    """What to look at: programs that some peer runs faster, that are far from the limit, that take more memory."""
    found: dict[str, list[str]] = {"slower than a peer": [], "below half of the limit": [], "more memory than XLA": []}
    slower, far, larger = found.values()
    measured = [each for each in records if "run" in each and "error" not in each]
    for each in sorted(measured, key=best_peer):
        if best_peer(each) < 1:
            slower.append(f"{each['name']} {best_peer(each):.2f}")
    for each in sorted((each for each in measured if "limit" in each), key=lambda each: each["limit"]["share"]):
        if each["limit"]["share"] < 0.5:
            far.append(f"{each['name']} {each['limit']['share']:.2f}")
    for each in measured:
        ours, peer = each["memory"]["ours"], each["memory"]["peer"]
        if ours is not None and peer is not None and ours > peer:
            larger.append(f"{each['name']} {size(ours)} ({size(peer)})")
    return found


def tables(found: dict) -> str:
    """The measurement as Markdown."""
    about = found["about"]
    peers = " and ".join([about["peer"], *about["others"]])
    lines = [
        f"{about['subject']} (revision {about['revision']}) against {peers}, {about['processor']}, "
        f"{about['cores']} cores, {about['rounds']} rounds. Load average {about['load_average'][0]:.2f} before.",
        *(["", f"{about['limits'][:1].upper()}{about['limits'][1:]}."] if "limits" in about else []),
        *handovers(found["programs"]),
        "",
        "| family | programs | run, geometric mean | compile, geometric mean |",
        "|---|---|---|---|",
    ]
    for family, each in found["geometric_means"].items():
        if not math.isnan(each["run"]):
            lines.append(f"| {family} | {each['programs']} | {each['run']:.2f}x | {each['compile']:.1f}x |")
    lines += [
        "",
        "| program | ours | XLA:CPU | ratio | other peers | share of the limit | compile, ours | XLA:CPU | ratio "
        "| memory, ours | XLA:CPU |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for each in found["programs"]:
        if "run" not in each:
            lines.append(f"| {each['name']} | failed | | | | | | | | | |")
            continue
        run, compiled = each["run"], each["compile"]
        ours, peer = compiled["ours"]["median"], compiled["peer"]["median"]
        others = ", ".join(f"{name} {other['ratio']:.2f}x" for name, other in run.get("others", {}).items())
        mark = " (results differ)" if "error" in each else ""
        lines.append(
            f"| {each['name']}{mark} | {pretty(run['ours']['median'])} | {pretty(run['peer']['median'])} "
            f"| {run['ratio']:.2f}x | {others} | {share(each)} | {pretty(ours)} | {pretty(peer)} | {peer / ours:.1f}x "
            f"| {size(each['memory']['ours'])} | {size(each['memory']['peer'])} |"
        )
    for title, names in remarks(found["programs"]).items():
        lines += ["", f"{title.capitalize()} ({len(names)}): {', '.join(names) or 'none'}."]
    if "startup" in found:
        lines += ["", "| start-up | median | best |", "|---|---|---|"]
        for name, each in found["startup"].items():
            lines.append(f"| {name} | {pretty(each['median'])} | {pretty(each['best'])} |")
    return "\n".join(lines)


def gpu_tables(found: dict) -> str:
    """A measurement by `compare_gpu.py`: calls that are waited for, and calls in a stream."""
    about, measured = found["about"], [each for each in found["programs"] if "run" in each]
    agreeing = [each for each in measured if "error" not in each]

    def mean(what: str) -> str:
        return f"{geometric_mean(each[what]['ratio'] for each in agreeing):.2f}x"

    lines = [
        f"{about['subject']} against {about['peer']}, {about['processor']}, {about['cores']} cores, {about['rounds']} "
        f"rounds. Revision {about['revision']}.",
        *(["", f"{about['limits'][:1].upper()}{about['limits'][1:]}."] if "limits" in about else []),
        "",
        f"Geometric means of the {len(agreeing)} programs that both run with the same results: {mean('run')} where "
        f"each call is waited for, {mean('streamed')} in a stream.",
    ]
    for title, what in (("Slower where each call is waited for", "run"), ("Slower in a stream", "streamed")):
        slower = sorted((each[what]["ratio"], each["name"]) for each in agreeing if each[what]["ratio"] < 1)
        names = ", ".join(f"{name} {ratio:.2f}" for ratio, name in slower)
        lines += ["", f"{title} ({len(slower)}): {names or 'none'}."]
    lines += [
        "",
        "| program | ours | XLA:GPU | ratio | in a stream, ours | XLA:GPU | ratio | share of the limit | memory, ours "
        "| XLA:GPU |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for each in found["programs"]:
        if "run" not in each:
            lines.append(f"| {each['name']} | failed | | | | | | | | |")
            continue
        row = [each["name"] + (" (results differ)" if "error" in each else "")]
        for what in ("run", "streamed"):
            times = each[what]
            row += [pretty(times[who]["median"]) for who in ("ours", "peer")] + [f"{times['ratio']:.2f}x"]
        row += [share(each), *(size(each["memory"][who]) for who in ("ours", "peer"))]
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path, help="page to put the tables into")
    settings = parser.parse_args()
    found = json.loads(settings.results.read_text())
    text = (gpu_tables if "cuda" in found["about"]["subject"] else tables)(found)
    if settings.into is None:
        print(text)
        return
    page = settings.into.read_text()
    head, rest = page.split(BEGIN, 1)
    _, tail = rest.split(END, 1)
    settings.into.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}")


if __name__ == "__main__":
    main()
