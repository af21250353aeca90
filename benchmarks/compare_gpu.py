# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""This project on a GPU beside XLA on the same, in alternation: `compare.py` with other systems.

    python benchmarks/compare_gpu.py                              all programs
    python benchmarks/compare_gpu.py matmul --json results.json   whatever `compare.py` takes

XLA is the newest JAX for the driver's CUDA, in an environment of its own (`environment.py`) that is made at the first
time. Inputs are in the GPU's memory, and a call is over when the results are; `streamed` is the time of calls of which
only the last is waited for. Exits with 3 if there is no GPU.
"""

from __future__ import annotations

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import compare


def main() -> int:
    import mlir_xla

    try:
        found = mlir_xla.devices("cuda")
    except RuntimeError as error:
        print(f"There is no GPU that can be used here. {error}", file=sys.stderr)
        return 3
    if not found:
        print("There is no GPU that can be used here. The driver finds none.", file=sys.stderr)
        return 3
    # Whatever else the command line names comes later, and wins.
    sys.argv[1:1] = ["--subject=mlir_xla-cuda", "--peer=xla-cuda", "--streamed"]
    if "--also" not in sys.argv:
        sys.argv.append("--also")  # no further peers
    return compare.main()


if __name__ == "__main__":
    sys.exit(main())
