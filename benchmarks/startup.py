# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long it takes until anything happens: importing the package, and the tools on an empty module.

python benchmarks/startup.py [--runs 11] [--opt build/bin/xla-opt]
"""

from __future__ import annotations

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def find_tool(name: str) -> str | None:
    """`name` beside this interpreter, in the build folder, or on the path."""
    for folder in (pathlib.Path(sys.prefix) / "bin", ROOT / "build" / "bin", ROOT / "build" / "tools"):
        if (folder / name).is_file():
            return str(folder / name)
    return shutil.which(name)


def wall(command: list[str], runs: int, stdin: str = "") -> dict[str, float]:
    """Median and best wall time of a command in seconds, after one run that fills the file cache."""
    seconds = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(command, input=stdin, text=True, check=True, capture_output=True)
        seconds.append(time.perf_counter() - start)
    return {"median": statistics.median(seconds[1:]), "best": min(seconds[1:])}


def measure(runs: int = 11, opt: str | None = None) -> dict[str, dict[str, float]]:
    """All start-up times; an import's is net of starting the interpreter."""
    bare = wall([sys.executable, "-c", ""], runs)
    found = {"python": bare}
    for module in ("numpy", "mlir_xla", "jax"):
        try:
            gross = wall([sys.executable, "-c", f"import {module}"], runs)
        except subprocess.CalledProcessError:
            continue
        found[f"import {module}"] = {key: max(gross[key] - bare[key], 0.0) for key in gross}
    opt = opt or find_tool("xla-opt")
    if opt:
        found["xla-opt on an empty module"] = wall([opt, "-"], runs, "module {}\n")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--opt", help="path of xla-opt")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    times = measure(arguments.runs, arguments.opt)
    if arguments.json:
        print(json.dumps(times, indent=1))
    else:
        for name, each in times.items():
            print(f"{name:32} median {each['median'] * 1e3:8.1f} ms   best {each['best'] * 1e3:8.1f} ms")


if __name__ == "__main__":
    main()
