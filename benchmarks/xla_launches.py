# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What XLA launches for a program on a GPU, without one: JAX's plugin for CUDA compiles ahead of time for a device that
is only described, and writes down the thunks that it would execute.

`python xla_launches.py`, with a Python that has JAX for CUDA, reads lines of JSON (a program's name, and how often each
of its loops turns, where the program does not say it) and answers each with one.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence

#: An H100 (SXM): what its driver says of it.
H100 = """
gpu_device_info {
  threads_per_block_limit: 1024
  threads_per_warp: 32
  shared_memory_per_block: 49152
  shared_memory_per_core: 233472
  threads_per_core_limit: 2048
  core_count: 132
  fpus_per_core: 128
  block_dim_limit_x: 2147483647
  block_dim_limit_y: 65535
  block_dim_limit_z: 65535
  memory_bandwidth: 3352320000000
  l2_cache_size: 52428800
  clock_rate_ghz: 1.98
  device_memory_size: 84978434048
  shared_memory_per_block_optin: 232448
  cuda_compute_capability { major: 9 }
  registers_per_core_limit: 65536
  registers_per_block_limit: 65536
}
platform_name: "CUDA"
dnn_version_info { major: 9 minor: 8 }
runtime_version { major: 12 minor: 9 }
device_description_str: "NVIDIA H100 80GB HBM3"
"""

THUNK = re.compile(r"( *)\d+: k(\w+)")
#: Thunks that launch nothing themselves.
CONTAINERS = {"Sequential", "CommandBuffer", "Conditional", "While", "DynamicSlice", "DynamicSliceFusion"}
#: What is done in another stream, and the wait for it.
CONTAINERS |= {"AsyncStart", "AsyncDone"}
#: Those that launch one kernel. All others call a library, which launches one or several.
KERNELS = {"Kernel", "CustomKernel", "Copy", "Memset32BitValue", "MemzeroThunk", "Memzero"}


def trip_counts(hlo: str) -> list[int | None]:
    """How often each loop of the program in HLO turns, outer ones first; None where the compiler does not know."""
    bodies: dict[str, list[str]] = {}
    entry, lines = "", []
    for line in hlo.splitlines():
        if found := re.match(r"(ENTRY )?%?([\w.\-]+) \(.*\{$", line):
            lines = bodies.setdefault(found[2], [])
            entry = found[2] if found[1] else entry
        else:
            lines.append(line)

    def visit(name: str) -> Iterator[int | None]:
        for line in bodies.get(name, []):
            if found := re.search(r" while\(.*condition=%?([\w.\-]+), body=%?([\w.\-]+)", line):
                known = re.search(r'"known_trip_count":\{"n":"(\d+)"', line)
                yield int(known[1]) if known else None
                yield from visit(found[1])
                yield from visit(found[2])
            elif found := re.search(r" conditional\(.*branch_computations=\{([^}]*)\}", line):
                for branch in found[1].split(","):
                    yield from visit(branch.strip().lstrip("%"))
            elif found := re.search(r" call\(.*to_apply=%?([\w.\-]+)", line):
                yield from visit(found[1])

    return list(visit(entry))


def launches(thunks: str, turns: Sequence[int | None], unknown: Sequence[int] = ()) -> dict[str, float]:
    """Kernels and copies, and calls of libraries, of one execution of a sequence of thunks, whose loops turn so often.

    `unknown` has the turns of loops for which that says None. A loop whose turns the compiler knows computes no
    condition; for another, the host reads it each time. Of branches all are counted.
    """
    remaining, guessed = list(turns), list(unknown)
    frames: list[list] = []  # of a container: its indentation, how often what is in it is executed
    open_loops: list[tuple[list, float, int, bool]] = []  # frames of loops with the turns of what follows
    found = {"launches": 0.0, "calls": 0.0}
    for line in thunks.splitlines():
        if line.strip() in ("condition:", "body:"):
            frame, times, count, is_known = open_loops[-1]
            is_body = line.strip() == "body:"
            frame[1] = times * (count if is_body else 0 if is_known else count + 1)
            if is_body:
                open_loops.pop()
            if frame not in frames:
                frames.append(frame)
            continue
        if not (thunk := THUNK.match(line)):
            continue
        indentation, kind = len(thunk[1]), thunk[2]
        while frames and frames[-1][0] >= indentation:
            frames.pop()
        times = frames[-1][1] if frames else 1.0
        if kind == "While":
            known = remaining.pop(0) if remaining else None
            count = (guessed.pop(0) if guessed else 1) if known is None else known
            frames.append([indentation, 0.0])
            open_loops.append((frames[-1], times, count, known is not None))
            found["launches"] += 0 if known is not None else times * (count + 1)
        elif kind in CONTAINERS:
            frames.append([indentation, times])
        else:
            found["launches" if kind in KERNELS else "calls"] += times
    return found


def main() -> int:
    folder = pathlib.Path(tempfile.mkdtemp())
    # Measuring variants needs the device.
    os.environ["XLA_FLAGS"] = f"--xla_gpu_autotune_level=0 --xla_dump_to={folder} --xla_dump_hlo_as_text"
    os.environ["JAX_PLATFORMS"] = "cuda,cpu"
    os.environ["JAX_SKIP_CUDA_CONSTRAINTS_CHECK"] = "1"  # which ask the driver
    import jax
    import numpy as np
    from jax.experimental import topologies
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    from programs import choose

    device = topologies.get_topology_desc(platform="cuda", topology="1x1x1", target_config=H100).devices[0]
    there = NamedSharding(Mesh(np.array([device]), ("device",)), PartitionSpec())
    print(json.dumps({"version": jax.__version__}), flush=True)
    for line in sys.stdin:
        name, turns = json.loads(line)
        [program] = [each for each in choose([name], gpu=True) if each.name == name]
        for path in folder.iterdir():
            path.unlink()
        try:
            with jax.enable_x64(program.x64):
                shapes = [jax.ShapeDtypeStruct(each.shape, each.dtype, sharding=there) for each in program.specs]
                program.jitted().trace(*shapes).lower(lowering_platforms=("cuda",)).compile()
            # The module that was compiled last: others are constants' and helpers'.
            [*_, thunks] = sorted(folder.glob("*.thunk_sequence.txt"), key=lambda path: path.stat().st_mtime_ns)
            prefix = thunks.name.removesuffix(".thunk_sequence.txt")
            [hlo] = folder.glob(f"{prefix}.*gpu_after_optimizations.txt")
            known = trip_counts(hlo.read_text())
            has_turns = len(turns) == len(known)
            unknown = [turns[i] for i, each in enumerate(known) if each is None] if has_turns else []
            answer = launches(thunks.read_text(), known, unknown)
            answer["kinds"] = sorted(set(re.findall(r"\d+: k(\w+)", thunks.read_text())))
        except Exception as error:  # noqa: BLE001  a program that fails is a result
            answer = {"error": f"{type(error).__name__}: {str(error).splitlines()[0][:200]}"}
        print(json.dumps(answer), flush=True)
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
